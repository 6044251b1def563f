#include "compiler/frontend/mosaic/mosaic_dot.h"

#include "compiler/frontend/mosaic/mosaic_attr.h"

struct cursor {
    const char *at, *end;
};

static bool skip(struct cursor *c, char expected)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == ','))
        c->at++;
    if (c->at == c->end || *c->at != expected)
        return false;
    c->at++;
    return true;
}

static bool number(struct cursor *c, int64_t *out)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == ','))
        c->at++;
    if (c->at == c->end || *c->at < '0' || *c->at > '9')
        return false;
    for (*out = 0; c->at < c->end && *c->at >= '0' && *c->at <= '9' && *out < 1000; c->at++)
        *out = *out * 10 + (*c->at - '0');
    return true;
}

/* "[1, 2]"; longer lists than two dimensions' pairs are no dimension numbers. */
static bool list(struct arena *arena, struct cursor *c, struct dims *out)
{
    int64_t *numbers = ARENA_ARRAY(arena, int64_t, 2 * KERNEL_MAX_RANK);
    int64_t count = 0;
    if (!skip(c, '['))
        return false;
    while (count < 2 * KERNEL_MAX_RANK && number(c, &numbers[count]))
        count++;
    *out = (struct dims){.count = count, .at = numbers};
    return skip(c, ']');
}

static struct dims dims_of(struct arena *arena, int64_t count, int64_t a, int64_t b, int64_t c,
                           int64_t d)
{
    int64_t numbers[] = {a, b, c, d};
    return (struct dims){count, arena_copy(arena, numbers, sizeof numbers)};
}

static bool flag(const struct mlir_attr *dict, const char *name)
{
    const struct mlir_attr *attr = mlir_attr_lookup(dict, name);
    return attr && attr->kind == MLIR_BOOL && attr->integer;
}

/* A product of matrices, whose dimensions the flags name. */
static void from_flags(struct arena *arena, const struct mlir_attr *dict, struct kernel_dot *dot)
{
    int64_t lhs = flag(dict, "transpose_lhs") ? 0 : 1, rhs = flag(dict, "transpose_rhs") ? 1 : 0;
    dot->lhs_contract = dims_of(arena, 1, lhs, 0, 0, 0);
    dot->rhs_contract = dims_of(arena, 1, rhs, 0, 0, 0);
    dot->lhs_free = dims_of(arena, 1, 1 - lhs, 0, 0, 0);
    dot->rhs_free = dims_of(arena, 1, 1 - rhs, 0, 0, 0);
    dot->output = dims_of(arena, 4, 0, 1 - lhs, 1, 1 - rhs);
}

struct error *mosaic_dot_read(struct arena *arena, const struct mlir_attr *dict,
                              const struct kernel_dot **out)
{
    struct kernel_dot *dot = ARENA_NEW(arena, struct kernel_dot);
    struct string text = mosaic_attr_keyword(mlir_attr_lookup(dict, "dimension_numbers"));
    struct cursor c = {.at = text.data, .end = text.data + text.size};
    dot->exact = mosaic_attr_is(mlir_attr_lookup(dict, "precision"), "fp32");
    *out = dot;
    if (text.size == 0) {
        from_flags(arena, dict, dot);
        return NULL;
    }
    if (list(arena, &c, &dot->lhs_contract) && list(arena, &c, &dot->rhs_contract) &&
        list(arena, &c, &dot->lhs_free) && list(arena, &c, &dot->rhs_free) &&
        list(arena, &c, &dot->output) && list(arena, &c, &dot->lhs_batch) &&
        list(arena, &c, &dot->rhs_batch) && c.at == c.end)
        return NULL;
    return ERROR(INVALID_ARGUMENT, "the attribute dimension_numbers must be seven lists of "
                                   "dimensions, as in <[1], [0], [0], [1], [0, 0, 1, 1], [], []>");
}
