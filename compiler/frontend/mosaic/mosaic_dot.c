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

/* ---- vector.contract ------------------------------------------------------------------------- */
/* Which iteration dimension each dimension of an operand is. */
struct indices {
    int count;
    int64_t at[KERNEL_MAX_RANK];
};

/* "(d0, d1, d2)" */
static bool dimensions(struct cursor *c, struct indices *out)
{
    out->count = 0;
    if (!skip(c, '('))
        return false;
    while (out->count < KERNEL_MAX_RANK && skip(c, 'd'))
        if (!number(c, &out->at[out->count++]) || out->at[out->count - 1] >= KERNEL_MAX_RANK)
            return false;
    return skip(c, ')');
}

/* "affine_map<(d0, d1, d2) -> (d0, d2)>", whose results are different dimensions. */
static bool map_of(const struct mlir_attr *attr, struct indices *out)
{
    struct string text = mosaic_attr_keyword(attr);
    struct cursor c = {.at = text.data, .end = text.data + text.size};
    struct indices all;
    unsigned seen = 0;
    if (!dimensions(&c, &all) || !skip(&c, '-') || !skip(&c, '>') || !dimensions(&c, out))
        return false;
    for (int i = 0; i < out->count; i++) {
        if (seen >> out->at[i] & 1)
            return false;
        seen |= 1u << out->at[i];
    }
    return true;
}

static int64_t find_index(const struct indices *map, int64_t dim)
{
    for (int i = 0; i < map->count; i++)
        if (map->at[i] == dim)
            return i;
    return -1;
}

static void push(struct arena *arena, struct dims *list, int64_t value)
{
    int64_t *numbers = ARENA_ARRAY(arena, int64_t, (size_t)list->count + 1);
    for (int64_t i = 0; i < list->count; i++)
        numbers[i] = list->at[i];
    numbers[list->count] = value;
    *list = (struct dims){list->count + 1, numbers};
}

/* Roles by which of lhs, rhs and result a dimension indexes. */
static void set_roles(struct arena *arena, const struct indices maps[3], struct kernel_dot *dot)
{
    for (int64_t d = 0; d < KERNEL_MAX_RANK; d++) {
        int64_t l = find_index(&maps[0], d), r = find_index(&maps[1], d);
        bool is_kept = find_index(&maps[2], d) >= 0, is_both = l >= 0 && r >= 0;
        if (l >= 0)
            push(arena,
                 !is_kept  ? &dot->lhs_contract
                 : is_both ? &dot->lhs_batch
                           : &dot->lhs_free,
                 l);
        if (r >= 0)
            push(arena,
                 !is_kept  ? &dot->rhs_contract
                 : is_both ? &dot->rhs_batch
                           : &dot->rhs_free,
                 r);
    }
    for (int i = 0; i < maps[2].count; i++) {
        int64_t l = find_index(&maps[0], maps[2].at[i]);
        push(arena, &dot->output, l < 0);
        push(arena, &dot->output, l < 0 ? find_index(&maps[1], maps[2].at[i]) : l);
    }
}

struct error *mosaic_dot_contract(struct arena *arena, const struct mlir_attr *dict,
                                  const struct kernel_dot **out)
{
    const struct mlir_attr *attr = mlir_attr_lookup(dict, "indexing_maps"),
                           *kind = mlir_attr_lookup(dict, "kind");
    struct kernel_dot *dot = ARENA_NEW(arena, struct kernel_dot);
    struct indices maps[3];
    bool ok = attr && attr->kind == MLIR_ARRAY && attr->array.count == 3 &&
              (!kind || mosaic_attr_is(kind, "add"));
    for (int i = 0; i < 3 && ok; i++)
        ok = map_of(attr->array.at[i], &maps[i]);
    if (!ok)
        return ERROR(INVALID_ARGUMENT,
                     "the attribute indexing_maps must be three maps to different dimensions, as "
                     "in affine_map<(d0, d1, d2) -> (d0, d2)>, and the kind must be add");
    set_roles(arena, maps, dot);
    dot->passes = 1;
    *out = dot;
    return NULL;
}

static int passes_of(const struct mlir_attr *precision)
{
    return mosaic_attr_is(precision, "fp32") ? 6 : mosaic_attr_is(precision, "bf16x3") ? 3 : 1;
}

struct error *mosaic_dot_read(struct arena *arena, const struct mlir_attr *dict,
                              const struct kernel_dot **out)
{
    struct kernel_dot *dot = ARENA_NEW(arena, struct kernel_dot);
    struct string text = mosaic_attr_keyword(mlir_attr_lookup(dict, "dimension_numbers"));
    struct cursor c = {.at = text.data, .end = text.data + text.size};
    dot->passes = passes_of(mlir_attr_lookup(dict, "precision"));
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
