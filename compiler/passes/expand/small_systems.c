/* small_systems.c: see small_systems.h. */
#include "compiler/passes/expand/small_systems.h"

#include "compiler/ir/infer.h"
#include "compiler/analysis/call_config.h"
#include "compiler/passes/rewrite/each_op.h"
#include "compiler/passes/rewrite/rewrite.h"

enum {
    MOST = INFER_LU_MOST,   /* rows and columns of a matrix */
    MOST_WITH_SCRATCH = 256 /* matrices of a call whose kernel has scratch for each */
};

/* Whether matrix `i` of the operands or results of a laid-out call has the library's layout. */
static bool is_column_major(const struct type *type, struct layouts layouts, int i)
{
    int rank = type->kind == TYPE_TENSOR ? type->shape.rank : 0;
    if (rank < 2 || i >= layouts.count || layouts.at[i].count != rank)
        return false;
    const int64_t *layout = layouts.at[i].at;
    for (int k = 0; k < rank - 2; k++)
        if (layout[rank - 1 - k] != k)
            return false;
    return layout[0] == rank - 2 && layout[1] == rank - 1;
}

static bool is_row_major(const struct type *type, struct layouts layouts, int i)
{
    if (type->kind != TYPE_TENSOR || i >= layouts.count || layouts.at[i].count != type->shape.rank)
        return false;
    for (int k = 0; k < type->shape.rank; k++)
        if (layouts.at[i].at[k] != type->shape.rank - 1 - k)
            return false;
    return true;
}

static bool is_small(const struct type *type)
{
    const struct shape *shape = &type->shape;
    int64_t rows = shape->dims[shape->rank - 1], columns = shape->dims[shape->rank - 2];
    return rows > 0 && columns > 0 && rows <= MOST && columns <= MOST && type_elements(type);
}

/* Whether a call is one of LAPACK's for the type of its first operand: of floats (the name's letter
 * is s) or doubles (d), which are small column-major matrices. */
static bool is_small_call(const struct op *op, const char *single, const char *wide)
{
    const struct attrs_custom_call *at = &op->attrs.custom_call;
    if (op->code != OP_custom_call || op->operand_count < 1 || !at->laid_out)
        return false;
    const struct type *type = op->operands[0]->type;
    if (!is_column_major(type, at->operand_layouts, 0) || !is_small(type))
        return false;
    enum dtype dtype = type->shape.dtype;
    return (dtype == DTYPE_F32 && call_config_is_called(op, single)) ||
           (dtype == DTYPE_F64 && call_config_is_called(op, wide));
}

/* Whether a call has so few matrices of this type that scratch for each is affordable. */
static bool is_few(const struct type *type)
{
    const struct shape *shape = &type->shape;
    return type_elements(type) <=
           MOST_WITH_SCRATCH * shape->dims[shape->rank - 1] * shape->dims[shape->rank - 2];
}

/* Exchanges rows and columns. */
static struct value *transposed(struct builder *b, struct value *matrix)
{
    int64_t permutation[SHAPE_MAX_RANK];
    int rank = matrix->type->shape.rank;
    for (int i = 0; i < rank; i++)
        permutation[i] = i;
    permutation[rank - 2] = rank - 1;
    permutation[rank - 1] = rank - 2;
    return build_transpose(b, matrix, permutation);
}

/* ---- LU -------------------------------------------------------------------------------------- */
/* Whether a result is an array of s32 with the first dimensions of the matrices, and `last` if that
 * is not 0. */
static bool is_s32(const struct type *type, const struct type *matrices, int64_t last)
{
    const struct shape *shape = &type->shape;
    int rank = matrices->shape.rank - 2;
    if (type->kind != TYPE_TENSOR || shape->dtype != DTYPE_S32 || shape->rank != rank + !!last ||
        (last && shape->dims[rank] != last))
        return false;
    for (int i = 0; i < rank; i++)
        if (shape->dims[i] != matrices->shape.dims[i])
            return false;
    return true;
}

static int64_t pivots_of(const struct type *type)
{
    const int64_t *sides = type->shape.dims + type->shape.rank - 2;
    return sides[0] < sides[1] ? sides[0] : sides[1];
}

static bool is_lu(const struct op *op)
{
    struct layouts layouts = op->attrs.custom_call.result_layouts;
    const struct type *type = op->operand_count ? op->operands[0]->type : NULL;
    return is_small_call(op, "lapack_sgetrf_ffi", "lapack_dgetrf_ffi") && op->operand_count == 1 &&
           op->result_count == 3 && type_same(op->results[0].type, type) &&
           is_s32(op->results[1].type, type, pivots_of(type)) &&
           is_s32(op->results[2].type, type, 0) &&
           is_column_major(op->results[0].type, layouts, 0) &&
           is_row_major(op->results[1].type, layouts, 1) &&
           is_row_major(op->results[2].type, layouts, 2);
}

static struct error *replace_lu(struct module *module, struct op *op)
{
    struct builder b = rewrite_before(module, op);
    struct value *matrix = transposed(&b, op->operands[0]);
    struct op *lu = build_op(&b, OP_lu, 1, &matrix, 3, NULL);
    struct value *results[] = {transposed(&b, &lu->results[0]), &lu->results[1], &lu->results[2]};
    return rewrite_replace(module, op, results);
}

/* ---- triangular solves ----------------------------------------------------------------------- */
static bool is_solve(const struct op *op)
{
    const struct attrs_custom_call *at = &op->attrs.custom_call;
    if (!is_small_call(op, "lapack_strsm_ffi", "lapack_dtrsm_ffi") || op->operand_count != 2 ||
        op->result_count != 1)
        return false;
    const struct type *type = op->operands[1]->type;
    return is_column_major(type, at->operand_layouts, 1) && is_small(type) &&
           is_column_major(op->results[0].type, at->result_layouts, 0) && is_few(type);
}

/* Reads the options, character codes. False: one is missing or unknown. */
static bool solve_options(const struct op *op, struct attrs_triangular_solve *out)
{
    int64_t side = call_config_integer(op, "side", 0), uplo = call_config_integer(op, "uplo", 0),
            transpose = call_config_integer(op, "trans_x", 0),
            diagonal = call_config_integer(op, "diag", 0);
    *out = (struct attrs_triangular_solve){.left_side = side == 'L',
                                           .lower = uplo == 'L',
                                           .unit_diagonal = diagonal == 'U',
                                           .transpose_a =
                                               transpose == 'N' ? TRANSPOSE_NONE : TRANSPOSE_PLAIN};
    return (side == 'L' || side == 'R') && (uplo == 'L' || uplo == 'U') &&
           (diagonal == 'U' || diagonal == 'N') &&
           (transpose == 'N' || transpose == 'T' || transpose == 'C');
}

static struct error *replace_solve(struct module *module, struct op *op)
{
    union attrs attrs = {0};
    if (!solve_options(op, &attrs.triangular_solve))
        return NULL;
    struct builder b = rewrite_before(module, op);
    struct value *operands[] = {transposed(&b, op->operands[0]), transposed(&b, op->operands[1])};
    struct value *x = build_declared(&b, OP_triangular_solve, 2, operands, NULL, &attrs);
    return rewrite_with(module, op, transposed(&b, x));
}

/* ---- Cholesky -------------------------------------------------------------------------------- */
static bool is_cholesky(const struct op *op)
{
    struct layouts layouts = op->attrs.custom_call.result_layouts;
    int64_t uplo = call_config_integer(op, "uplo", 0);
    return is_small_call(op, "lapack_spotrf_ffi", "lapack_dpotrf_ffi") && op->operand_count == 1 &&
           op->result_count == 2 && is_column_major(op->results[0].type, layouts, 0) &&
           is_row_major(op->results[1].type, layouts, 1) && is_few(op->operands[0]->type) &&
           (uplo == 'L' || uplo == 'U');
}

/* The library's second result, which is not 0 if a matrix is not positive definite: then the last
 * number on the diagonal of its factor is NaN. */
static struct value *failures(struct builder *b, struct value *factor, const struct type *type)
{
    int64_t start[SHAPE_MAX_RANK] = {0};
    const struct shape *shape = &factor->type->shape;
    for (int i = 0; i < shape->rank; i++)
        start[i] = i < shape->rank - 2 ? 0 : shape->dims[i] - 1;
    struct value *last = build_slice(b, factor, start, shape->dims, NULL);
    last = build_reshape(b, last, type->shape.rank, type->shape.dims);
    return build_convert(b, build_compare(b, COMPARE_NE, last, last), DTYPE_S32);
}

static struct error *replace_cholesky(struct module *module, struct op *op)
{
    union attrs attrs = {.cholesky = {.lower = call_config_integer(op, "uplo", 0) == 'L'}};
    struct builder b = rewrite_before(module, op);
    struct value *matrix = transposed(&b, op->operands[0]);
    struct value *factor = build_declared(&b, OP_cholesky, 1, &matrix, NULL, &attrs);
    if (build_is_poison(factor))
        return build_check(module, factor);
    struct value *results[] = {transposed(&b, factor), failures(&b, factor, op->results[1].type)};
    return rewrite_replace(module, op, results);
}

static struct error *replace(struct module *module, struct op *op, const struct target *target)
{
    (void)target;
    if (is_lu(op))
        return replace_lu(module, op);
    if (is_solve(op))
        return replace_solve(module, op);
    return is_cholesky(op) ? replace_cholesky(module, op) : NULL;
}

struct error *small_systems_run(struct module *module, const struct target *target)
{
    return each_op(module, target, replace);
}
