/* lu.c: LU factorizations with partial pivoting of matrices so small that their rows are vectors in
 * registers: the code of all steps, without loops. Work items are matrices. Of matrices with NaN or
 * infinities, pivots and the finite elements may differ from LAPACK's. */
#include <string.h>

#include "compiler/codegen/element/elementwise.h"
#include "compiler/codegen/element/shuffle.h"
#include "compiler/codegen/loops/expression.h"
#include "compiler/codegen/standalone/standalone.h"
#include "compiler/ir/infer.h"

struct lu {
    struct kernel *k;
    struct emitter *e;
    const struct op *op;
    const struct shape *shape;
    int rows, columns, lanes;
    const struct affine *batch;        /* the index without its last two dimensions */
    LLVMValueRef row[INFER_LU_MOST];   /* vectors */
    LLVMValueRef pivot[INFER_LU_MOST]; /* i32, from 1 */
    LLVMValueRef info;                 /* i32 */
};

/* ---- memory ---------------------------------------------------------------------------------- */
static struct index batch_index(const struct lu *l, int rank)
{
    struct affine *at = affine_array(l->e, rank);
    if (l->shape->rank > 2)
        memcpy(at, l->batch, (size_t)(l->shape->rank - 2) * sizeof *at);
    return affine_index(rank, at);
}

/* The index of a row, with a lane for each column. */
static struct index row_index(const struct lu *l, int row)
{
    int rank = l->shape->rank;
    struct affine *at = affine_array(l->e, rank);
    struct index batch = batch_index(l, rank);
    memcpy(at, batch.at, (size_t)rank * sizeof *at);
    at[rank - 2] = affine_constant(row);
    at[rank - 1] = l->lanes > 1 ? affine_var(l->e->lane_var) : affine_constant(0);
    return affine_index(rank, at);
}

static struct error *load_row(struct lu *l, int row)
{
    struct index index = row_index(l, row);
    struct element element;
    TRY(expression_emit(l->e, l->op->operands[0], &index, &element));
    element = element_widen(l->e, &element, l->lanes);
    l->row[row] = element.part[0];
    return NULL;
}

static void store_row(const struct lu *l, int row)
{
    struct index index = row_index(l, row);
    struct affine offset = affine_linear(l->e, &index, l->shape->dims);
    struct element element = element_of(l->row[row]);
    element_store(l->e, kernel_result(l->k, 0), l->shape->dtype, &offset, &element, false);
}

/* Stores the number at an index of result `result`, whose last dimension, if `at` is not negative,
 * has the index `at`. */
static void store_number(const struct lu *l, int result, int at, LLVMValueRef number)
{
    const struct shape *shape = &l->op->results[result].type->shape;
    struct index batch = batch_index(l, shape->rank);
    struct affine *full = affine_array(l->e, shape->rank);
    memcpy(full, batch.at, (size_t)shape->rank * sizeof *full);
    if (at >= 0)
        full[shape->rank - 1] = affine_constant(at);
    struct index index = affine_index(shape->rank, full);
    struct affine offset = affine_linear(l->e, &index, shape->dims);
    struct element element = element_of(number);
    element_store(l->e, kernel_result(l->k, result), DTYPE_S32, &offset, &element, false);
}

/* ---- steps ----------------------------------------------------------------------------------- */
static LLVMValueRef element_at(const struct lu *l, int row, int column)
{
    if (l->lanes == 1)
        return l->row[row];
    return LLVMBuildExtractElement(l->e->builder, l->row[row], emitter_i32(l->e, column), "");
}

/* Finds the first of the largest elements of column k, from row k on; a NaN only there. */
static void find_pivot(struct lu *l, int k)
{
    LLVMBuilderRef b = l->e->builder;
    LLVMValueRef most = emitter_unary(l->e, "llvm.fabs", element_at(l, k, k));
    l->pivot[k] = emitter_i32(l->e, k + 1);
    for (int i = k + 1; i < l->rows; i++) {
        LLVMValueRef size = emitter_unary(l->e, "llvm.fabs", element_at(l, i, k));
        LLVMValueRef more = LLVMBuildFCmp(b, LLVMRealOGT, size, most, "");
        most = LLVMBuildSelect(b, more, size, most, "");
        l->pivot[k] = LLVMBuildSelect(b, more, emitter_i32(l->e, i + 1), l->pivot[k], "");
    }
}

static void exchange_rows(struct lu *l, int k)
{
    LLVMBuilderRef b = l->e->builder;
    for (int i = k + 1; i < l->rows; i++) {
        LLVMValueRef here = LLVMBuildICmp(b, LLVMIntEQ, l->pivot[k], emitter_i32(l->e, i + 1), "");
        LLVMValueRef upper = l->row[k], lower = l->row[i];
        l->row[k] = LLVMBuildSelect(b, here, lower, upper, "");
        l->row[i] = LLVMBuildSelect(b, here, upper, lower, "");
    }
}

/* The lanes of `a` up to column k, those of `b` from k + 1 on. */
static LLVMValueRef blend(const struct lu *l, int k, LLVMValueRef a, LLVMValueRef b)
{
    int from[INFER_LU_MOST];
    for (int i = 0; i < l->lanes; i++)
        from[i] = i <= k ? i : l->lanes + i;
    return l->lanes == 1 ? a : shuffle_lanes(l->e, a, b, l->lanes, from);
}

/* Divides column k below the diagonal, unless by zero, and subtracts multiples of row k from the
 * rows below. */
static void eliminate(struct lu *l, int k)
{
    LLVMBuilderRef b = l->e->builder;
    LLVMValueRef diagonal = element_at(l, k, k), none = LLVMConstNull(LLVMTypeOf(diagonal));
    LLVMValueRef is_zero = LLVMBuildFCmp(b, LLVMRealOEQ, diagonal, none, "");
    LLVMValueRef is_first = LLVMBuildICmp(b, LLVMIntEQ, l->info, emitter_i32(l->e, 0), "");
    LLVMValueRef fails = LLVMBuildAnd(b, is_zero, is_first, "");
    l->info = LLVMBuildSelect(b, fails, emitter_i32(l->e, k + 1), l->info, "");
    for (int i = k + 1; i < l->rows; i++) {
        LLVMValueRef factor = element_at(l, i, k);
        factor = LLVMBuildSelect(b, is_zero, factor, LLVMBuildFDiv(b, factor, diagonal, ""), "");
        LLVMValueRef wide = emitter_splat(l->e, factor, l->lanes);
        LLVMValueRef product = emitter_contract(LLVMBuildFMul(b, wide, l->row[k], ""));
        LLVMValueRef rest = emitter_contract(LLVMBuildFSub(b, l->row[i], product, ""));
        LLVMValueRef left =
            l->lanes > 1 ? LLVMBuildInsertElement(b, l->row[i], factor, emitter_i32(l->e, k), "")
                         : factor;
        l->row[i] = blend(l, k, left, rest);
    }
}

static struct error *factor_matrix(struct lu *l)
{
    struct emitter *e = l->e;
    int steps = l->rows < l->columns ? l->rows : l->columns;
    struct lanes before = emitter_tail(e, l->columns);
    l->lanes = e->lanes;
    l->info = emitter_i32(e, 0);
    for (int i = 0; i < l->rows; i++)
        TRY(load_row(l, i));
    for (int k = 0; k < steps; k++) {
        find_pivot(l, k);
        exchange_rows(l, k);
        eliminate(l, k);
    }
    for (int i = 0; i < l->rows; i++)
        store_row(l, i);
    emitter_lanes_restore(e, before);
    for (int k = 0; k < steps; k++)
        store_number(l, 1, k, l->pivot[k]);
    store_number(l, 2, -1, l->info);
    return NULL;
}

struct error *lu_emit(struct kernel *k, const struct op *op)
{
    struct emitter *e = k->e;
    const struct shape *shape = &op->operands[0]->type->shape;
    struct lu l = {.k = k, .e = e, .op = op, .shape = shape};
    int64_t batches = 1;
    for (int i = 0; i < shape->rank - 2; i++)
        batches *= shape->dims[i];
    l.rows = (int)shape->dims[shape->rank - 2];
    l.columns = (int)shape->dims[shape->rank - 1];
    k->request->work = batches ? batches : 1;
    if (!batches)
        return NULL;
    struct loop *loop = emitter_loop_begin(e, k->begin, k->end, 1, 0, batches - 1, 0, NULL);
    struct affine number = affine_var(loop->var);
    if (shape->rank > 2)
        l.batch = affine_delinear(e, &number, shape->rank - 2, shape->dims).at;
    TRY(factor_matrix(&l));
    emitter_loop_end(e, loop, NULL);
    return NULL;
}
