#include "compiler/frontend/mosaic/mosaic_affine.h"

#include <string.h>

#include "compiler/frontend/text/mlir_lex.h"

#define MAX_DEPTH 64 /* of parentheses */

static const struct kernel_type i32 = {.kind = KERNEL_SCALAR, .dtype = DTYPE_S32, .elements = 1};
static const struct kernel_attrs no_attrs = {.count_axis = -1};

struct reader {
    struct mlir_lex lex;
    struct arena *arena;
    struct kernel_function *function;
    struct kernel_op **tail;
    int rank, depth;
    struct string names[KERNEL_MAX_RANK]; /* of the dimensions */
};

/* ---- operations ------------------------------------------------------------------------------ */
static struct kernel_op *append(struct reader *r, enum kernel_code code, int operand_count,
                                const struct kernel_value *const *operands)
{
    struct kernel_op *op = *r->tail = ARENA_NEW(r->arena, struct kernel_op);
    op->code = code;
    op->attrs = &no_attrs;
    op->operand_count = operand_count;
    op->operands = ARENA_ARRAY(r->arena, const struct kernel_value *, (size_t)operand_count);
    for (int i = 0; i < operand_count; i++)
        op->operands[i] = operands[i];
    r->tail = &op->next;
    return op;
}

static const struct kernel_value *result(struct reader *r, struct kernel_op *op)
{
    op->results = ARENA_NEW(r->arena, struct kernel_value);
    *op->results = (struct kernel_value){&i32, r->function->value_count++};
    op->result_count = 1;
    return op->results;
}

static const struct kernel_value *binary(struct reader *r, enum kernel_code code,
                                         const struct kernel_value *a, const struct kernel_value *b)
{
    return result(r, append(r, code, 2, (const struct kernel_value *[]){a, b}));
}

static const struct kernel_value *constant(struct reader *r, int32_t value)
{
    struct kernel_attrs *attrs = arena_copy(r->arena, &no_attrs, sizeof no_attrs);
    attrs->constant = arena_copy(r->arena, &value, sizeof value);
    attrs->constant_bytes = sizeof value;
    struct kernel_op *op = append(r, KERNEL_CONSTANT, 0, NULL);
    op->attrs = attrs;
    return result(r, op);
}

/* ---- expressions ----------------------------------------------------------------------------- */
static struct error *read_sum(struct reader *r, const struct kernel_value **out);

static struct error *read_constant(struct reader *r, int64_t lowest,
                                   const struct kernel_value **out)
{
    int64_t value;
    size_t offset = r->lex.start;
    TRY(mlir_lex_integer(&r->lex, &value));
    if (value < lowest || value > INT32_MAX)
        return mlir_lex_error(&r->lex, PJRT_Error_Code_INVALID_ARGUMENT, offset,
                              "this number must be in [%lld, %d]", (long long)lowest, INT32_MAX);
    *out = constant(r, (int32_t)value);
    return NULL;
}

static struct error *read_dimension(struct reader *r, const struct kernel_value **out)
{
    struct string word = r->lex.word;
    int i = 0;
    while (i < r->rank &&
           (word.size != r->names[i].size || memcmp(word.data, r->names[i].data, word.size) != 0))
        i++;
    if (r->lex.token != MLIR_TOKEN_WORD || i == r->rank)
        return mlir_lex_expected(&r->lex, "a dimension of the affine map or a number");
    mlir_lex_next(&r->lex);
    *out = &r->function->body.arguments[i];
    return NULL;
}

/* A number, a dimension, "-atom" or "(sum)" */
static struct error *read_atom(struct reader *r, const struct kernel_value **out)
{
    if (r->lex.token == MLIR_TOKEN_INTEGER)
        return read_constant(r, INT32_MIN, out);
    bool is_negative = mlir_lex_is(&r->lex, '-');
    if (!is_negative && !mlir_lex_is(&r->lex, '('))
        return read_dimension(r, out);
    if (++r->depth > MAX_DEPTH)
        return MLIR_LEX_ERROR(&r->lex, "an affine map nests deeper than %d", MAX_DEPTH);
    mlir_lex_next(&r->lex);
    TRY(is_negative ? read_atom(r, out) : read_sum(r, out));
    r->depth--;
    if (!is_negative)
        return mlir_lex_expect(&r->lex, ')');
    *out = binary(r, KERNEL_SUBI, constant(r, 0), *out);
    return NULL;
}

/* a mod b is never negative: a - (a floordiv b) * b */
static const struct kernel_value *remainder_of(struct reader *r, const struct kernel_value *a,
                                               const struct kernel_value *b)
{
    const struct kernel_value *quotient = binary(r, KERNEL_FLOORDIVSI, a, b);
    return binary(r, KERNEL_SUBI, a, binary(r, KERNEL_MULI, quotient, b));
}

/* Divisors are positive constants. */
static struct error *read_product(struct reader *r, const struct kernel_value **out)
{
    const struct kernel_value *right;
    TRY(read_atom(r, out));
    for (;;) {
        if (mlir_lex_accept(&r->lex, '*')) {
            TRY(read_atom(r, &right));
            *out = binary(r, KERNEL_MULI, *out, right);
        } else if (mlir_lex_accept_word(&r->lex, "floordiv")) {
            TRY(read_constant(r, 1, &right));
            *out = binary(r, KERNEL_FLOORDIVSI, *out, right);
        } else if (mlir_lex_accept_word(&r->lex, "ceildiv")) {
            TRY(read_constant(r, 1, &right));
            *out = binary(r, KERNEL_CEILDIVSI, *out, right);
        } else if (mlir_lex_accept_word(&r->lex, "mod")) {
            TRY(read_constant(r, 1, &right));
            *out = remainder_of(r, *out, right);
        } else {
            return NULL;
        }
    }
}

static struct error *read_sum(struct reader *r, const struct kernel_value **out)
{
    const struct kernel_value *right;
    TRY(read_product(r, out));
    while (mlir_lex_is(&r->lex, '+') || mlir_lex_is(&r->lex, '-')) {
        enum kernel_code code = mlir_lex_is(&r->lex, '+') ? KERNEL_ADDI : KERNEL_SUBI;
        mlir_lex_next(&r->lex);
        TRY(read_product(r, &right));
        *out = binary(r, code, *out, right);
    }
    return NULL;
}

/* ---- the map --------------------------------------------------------------------------------- */
/* "(d0, d1)" */
static struct error *read_dimensions(struct reader *r, int expected)
{
    TRY(mlir_lex_expect(&r->lex, '('));
    while (!mlir_lex_is(&r->lex, ')')) {
        if (r->rank)
            TRY(mlir_lex_expect(&r->lex, ','));
        if (r->lex.token != MLIR_TOKEN_WORD || r->rank == expected)
            return mlir_lex_expected(&r->lex, "the %d dimensions of the grid", expected);
        r->names[r->rank++] = r->lex.word;
        mlir_lex_next(&r->lex);
    }
    mlir_lex_next(&r->lex);
    if (r->rank < expected)
        return mlir_lex_expected(&r->lex, "an affine map of the grid's %d dimensions", expected);
    return mlir_lex_is(&r->lex, '[')
               ? mlir_lex_error(&r->lex, PJRT_Error_Code_UNIMPLEMENTED, r->lex.start,
                                "symbols of an affine map are unsupported")
               : NULL;
}

static struct error *read_results(struct reader *r)
{
    const struct kernel_value *results[KERNEL_MAX_RANK];
    int count = 0;
    TRY(mlir_lex_expect(&r->lex, '('));
    while (!mlir_lex_is(&r->lex, ')')) {
        if (count)
            TRY(mlir_lex_expect(&r->lex, ','));
        if (count == KERNEL_MAX_RANK)
            return MLIR_LEX_ERROR(&r->lex, "an affine map has more than %d results",
                                  KERNEL_MAX_RANK);
        TRY(read_sum(r, &results[count++]));
    }
    mlir_lex_next(&r->lex);
    append(r, KERNEL_RETURN, count, results);
    return NULL;
}

static void begin(struct reader *r, const struct kernel *kernel, struct kernel_function *out)
{
    int count = kernel->grid_rank + kernel->prefetch_count;
    *out = (struct kernel_function){.name = "affine_map", .location = kernel->main->location};
    out->body.argument_count = out->value_count = count;
    out->body.arguments = ARENA_ARRAY(r->arena, struct kernel_value, (size_t)count);
    for (int i = 0; i < count; i++)
        out->body.arguments[i] = (struct kernel_value){kernel->main->body.arguments[i].type, i};
    r->tail = &out->body.first;
}

struct error *mosaic_affine_function(struct arena *arena, struct string text,
                                     const struct kernel *kernel, struct kernel_function *out)
{
    struct reader r = {.arena = arena, .function = out};
    begin(&r, kernel, out);
    mlir_lex_begin(&r.lex, arena, text.data, text.size);
    TRY(mlir_lex_expect_word(&r.lex, "affine_map"));
    TRY(mlir_lex_expect(&r.lex, '<'));
    TRY(read_dimensions(&r, kernel->grid_rank));
    TRY(mlir_lex_expect_arrow(&r.lex));
    TRY(read_results(&r));
    return mlir_lex_expect(&r.lex, '>');
}
