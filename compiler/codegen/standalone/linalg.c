/* linalg.c: cholesky and triangular_solve. Both use one recurrence over rows in scratch, on a few
 * vectors of columns at a time (panel.h):
 *
 *   row t = (right side t - sum over s < t of coefficient(t, s) * row s) / coefficient(t, t)
 *
 * In the solve, rows are unknowns and columns are right-hand sides; backward substitution counts t
 * from the end. In the factorization A = U^H U, the coefficients are U's own columns, conjugated.
 * For A = L L^H, U = L^H is computed. */
#include <math.h>
#include <string.h>

#include "compiler/codegen/element/affine_divide.h"
#include "compiler/codegen/element/elementwise.h"
#include "compiler/codegen/element/math.h"
#include "compiler/codegen/standalone/standalone.h"
#include "compiler/codegen/standalone/panel.h"

struct linalg {
    struct kernel *k;
    struct emitter *e;
    const struct op *op;
    const struct type *type; /* of the result */
    int rank;
    int64_t size, columns;   /* unknowns; right-hand sides */
    int64_t batches, panels; /* panels of columns per matrix */
    struct panel panel;
    const struct affine *batch; /* the index without its last two dimensions */
    struct affine t, column;    /* the current row, and the panel's first column */
};

/* ---- shared ---------------------------------------------------------------------------------- */
static struct index matrix_index(const struct linalg *l, const struct affine *row,
                                 const struct affine *column)
{
    struct affine *at = affine_array(l->e, l->rank);
    if (l->rank > 2)
        memcpy(at, l->batch, (size_t)(l->rank - 2) * sizeof *at);
    at[l->rank - 2] = *row;
    at[l->rank - 1] = *column;
    return affine_index(l->rank, at);
}

static void set_batch(struct linalg *l, const struct affine *number)
{
    int count = l->rank - 2;
    if (count > 0)
        l->batch = affine_delinear(l->e, number, count, l->type->shape.dims).at;
}

static struct error *operand_at(const struct linalg *l, int operand, const struct affine *row,
                                const struct affine *column, struct element *out)
{
    struct index index = matrix_index(l, row, column);
    return expression_emit(l->e, l->op->operands[operand], &index, out);
}

/* A guard for loads and stores: whether `column` is inside the matrix. */
static const struct guard *columns_guard(const struct linalg *l, const struct affine *column,
                                         int64_t limit, struct guard *guard)
{
    int lanes;
    LLVMValueRef inside = affine_inside(l->e, column, 0, limit, &lanes);
    if (!inside)
        return NULL;
    *guard = emitter_guard(l->e, inside, lanes);
    return guard;
}

static void store_result(const struct linalg *l, const struct affine *row,
                         const struct affine *column, const struct element *element)
{
    struct index index = matrix_index(l, row, column);
    struct affine offset = affine_linear(l->e, &index, l->type->shape.dims);
    element_store(l->e, kernel_result(l->k, 0), l->type->shape.dtype, &offset, element, false);
}

static int64_t up(int64_t count, int64_t to)
{
    return (count + to - 1) / to;
}

/* ---- triangular_solve ------------------------------------------------------------------------ */
static void plan_solve(struct linalg *l, const struct op *op, const struct target *target)
{
    const struct type *b = op->results[0].type;
    bool left = op->attrs.triangular_solve.left_side;
    l->op = op;
    l->type = b;
    l->rank = b->shape.rank;
    l->size = b->shape.dims[b->shape.rank - (left ? 2 : 1)];
    l->columns = b->shape.dims[b->shape.rank - (left ? 1 : 2)];
    l->batches = 1;
    for (int i = 0; i < b->shape.rank - 2; i++)
        l->batches *= b->shape.dims[i];
    panel_plan(&l->panel, target, b->shape.dtype, l->columns);
    l->panel.rows = l->size;
    l->panel.ld = (int64_t)l->panel.lanes * l->panel.vectors;
    l->panels = up(l->columns, l->panel.ld);
}

uint64_t triangular_solve_scratch(const struct op *op, const struct target *target)
{
    struct linalg l = {0};
    plan_solve(&l, op, target);
    return (uint64_t)(panel_bytes(&l.panel) * l.batches * l.panels);
}

static bool is_transposed(const struct linalg *l)
{
    enum transpose_kind kind = l->op->attrs.triangular_solve.transpose_a;
    return kind == TRANSPOSE_PLAIN || kind == TRANSPOSE_ADJOINT;
}

/* X op(A) = B is op(A)^T X^T = B^T, so a solve from the right transposes everything once more. */
static bool is_forward(const struct linalg *l)
{
    return l->op->attrs.triangular_solve.lower ^ is_transposed(l) ^
           !l->op->attrs.triangular_solve.left_side;
}

/* The index of the unknown in row t. */
static struct affine unknown(const struct linalg *l, const struct affine *t)
{
    struct affine minus = affine_scale(t, -1);
    return is_forward(l) ? *t : affine_offset(&minus, l->size - 1);
}

static struct error *solve_coefficient(void *context, const struct affine *s, struct element *out)
{
    struct linalg *l = context;
    struct affine i = unknown(l, &l->t), k = unknown(l, s);
    bool transposed = is_transposed(l) ^ !l->op->attrs.triangular_solve.left_side;
    TRY(operand_at(l, 0, transposed ? &k : &i, transposed ? &i : &k, out));
    if (l->op->attrs.triangular_solve.transpose_a == TRANSPOSE_ADJOINT)
        *out = panel_conjugate(l->e, out);
    return NULL;
}

/* Loads the right-hand sides of the current row. */
static struct error *load_right(struct linalg *l, struct element *acc)
{
    struct affine i = unknown(l, &l->t);
    bool left = l->op->attrs.triangular_solve.left_side;
    for (int v = 0; v < l->panel.vectors; v++) {
        struct affine column = panel_column(&l->panel, &l->column, v);
        struct guard guard;
        l->e->guard = columns_guard(l, &column, l->columns, &guard);
        TRY(operand_at(l, 1, left ? &i : &column, left ? &column : &i, &acc[v]));
        l->e->guard = NULL;
        acc[v] = element_widen(l->e, &acc[v], l->panel.lanes);
    }
    return NULL;
}

static void store_row(struct linalg *l, const struct element *acc)
{
    struct affine i = unknown(l, &l->t), start = affine_constant(0);
    bool left = l->op->attrs.triangular_solve.left_side;
    for (int v = 0; v < l->panel.vectors; v++) {
        struct affine column = panel_column(&l->panel, &l->column, v);
        struct affine column_index = panel_column(&l->panel, &start, v);
        struct guard guard;
        panel_store(&l->panel, &l->t, &column_index, &acc[v]);
        l->e->guard = columns_guard(l, &column, l->columns, &guard);
        store_result(l, left ? &i : &column, left ? &column : &i, &acc[v]);
        l->e->guard = NULL;
    }
}

static struct error *solve_row(struct linalg *l, LLVMValueRef t)
{
    struct element acc[PANEL_MAX], diagonal;
    struct affine start = affine_constant(0);
    TRY(load_right(l, acc));
    TRY(panel_update(&l->panel, t, &start, solve_coefficient, l, acc));
    if (!l->op->attrs.triangular_solve.unit_diagonal) {
        TRY(solve_coefficient(l, &l->t, &diagonal));
        for (int v = 0; v < l->panel.vectors; v++)
            TRY(elementwise_combine(l->e, OP_divide, l->panel.dtype, &acc[v], &diagonal, &acc[v]));
    }
    store_row(l, acc);
    return NULL;
}

/* A work item is one panel of the columns of one matrix, with scratch of its own. */
struct error *triangular_solve_emit(struct kernel *k, const struct op *op)
{
    struct emitter *e = k->e;
    struct linalg l = {.k = k, .e = e};
    plan_solve(&l, op, e->target);
    int64_t items = l.batches * l.panels;
    k->request->work = items && l.size ? items : 1;
    if (!items || !l.size)
        return NULL;
    struct loop *loop = emitter_loop_begin(e, k->begin, k->end, 1, 0, items - 1, 0, NULL);
    struct affine item = affine_var(loop->var), number, panel;
    affine_divide(e, &item, l.panels, &number, &panel);
    set_batch(&l, &number);
    l.column = affine_scale(&panel, l.panel.ld);
    LLVMValueRef at = LLVMBuildMul(e->builder, loop->i, emitter_i64(e, panel_bytes(&l.panel)), "");
    l.panel.e = e;
    l.panel.base = emitter_at(e, e->i8, kernel_scratch(k), at);
    struct lanes before = emitter_lanes(e, l.panel.lanes);
    struct loop *rows =
        emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, l.size), 1, 0, l.size - 1, 0, NULL);
    l.t = affine_var(rows->var);
    TRY(solve_row(&l, rows->i));
    emitter_loop_end(e, rows, NULL);
    emitter_lanes_restore(e, before);
    emitter_loop_end(e, loop, NULL);
    return NULL;
}

/* ---- cholesky -------------------------------------------------------------------------------- */
static void plan_cholesky(struct linalg *l, const struct op *op, const struct target *target)
{
    const struct type *type = op->results[0].type;
    l->op = op;
    l->type = type;
    l->rank = type->shape.rank;
    l->size = l->columns = type->shape.dims[type->shape.rank - 1];
    l->batches = 1;
    for (int i = 0; i < type->shape.rank - 2; i++)
        l->batches *= type->shape.dims[i];
    panel_plan(&l->panel, target, type->shape.dtype, l->columns);
    int64_t width = (int64_t)l->panel.lanes * l->panel.vectors;
    l->panel.rows = l->size;
    l->panels = up(l->columns, width);
    l->panel.ld =
        l->panels * width + 16; /* padded: a power of two would map rows to few cache lines */
}

uint64_t cholesky_scratch(const struct op *op, const struct target *target)
{
    struct linalg l = {0};
    plan_cholesky(&l, op, target);
    return (uint64_t)(panel_bytes(&l.panel) * l.batches);
}

static struct error *cholesky_coefficient(void *context, const struct affine *s,
                                          struct element *out)
{
    struct linalg *l = context;
    struct element element = panel_load(&l->panel, s, &l->t);
    *out = panel_conjugate(l->e, &element);
    return NULL;
}

/* Loads row t of A from the triangle that is used; if that is the lower one,
 * conjugate-transposed. */
static struct error *load_matrix(struct linalg *l, struct element *acc)
{
    bool lower = l->op->attrs.cholesky.lower;
    for (int v = 0; v < l->panel.vectors; v++) {
        struct affine column = panel_column(&l->panel, &l->column, v);
        struct guard guard;
        l->e->guard = columns_guard(l, &column, l->columns, &guard);
        TRY(operand_at(l, 0, lower ? &column : &l->t, lower ? &l->t : &column, &acc[v]));
        l->e->guard = NULL;
        acc[v] = element_widen(l->e, &acc[v], l->panel.lanes);
        if (lower)
            acc[v] = panel_conjugate(l->e, &acc[v]);
    }
    return NULL;
}

/* Calls `body` for each panel of row t, starting with the one that holds the diagonal. */
static struct error *
each_panel(struct linalg *l, LLVMValueRef t,
           struct error *(*body)(struct linalg *l, LLVMValueRef t, void *context), void *context)
{
    struct emitter *e = l->e;
    int64_t width = (int64_t)l->panel.lanes * l->panel.vectors;
    LLVMValueRef first = LLVMBuildUDiv(e->builder, t, emitter_i64(e, width), "");
    struct loop *loop =
        emitter_loop_begin(e, first, emitter_i64(e, l->panels), 1, 0, l->panels - 1, 0, NULL);
    struct affine panel = affine_var(loop->var);
    l->column = affine_scale(&panel, width);
    struct lanes before = emitter_lanes(e, l->panel.lanes);
    struct error *error = body(l, t, context);
    emitter_lanes_restore(e, before);
    emitter_loop_end(e, loop, NULL);
    return error;
}

static struct error *eliminate(struct linalg *l, LLVMValueRef t, void *context)
{
    struct element acc[PANEL_MAX];
    (void)context;
    TRY(load_matrix(l, acc));
    TRY(panel_update(&l->panel, t, &l->column, cholesky_coefficient, l, acc));
    for (int v = 0; v < l->panel.vectors; v++) {
        struct affine column = panel_column(&l->panel, &l->column, v);
        panel_store(&l->panel, &l->t, &column, &acc[v]);
    }
    return NULL;
}

static struct error *divide_by_root(struct linalg *l, LLVMValueRef t, void *context)
{
    LLVMValueRef root = emitter_splat(l->e, context, l->panel.lanes);
    (void)t;
    for (int v = 0; v < l->panel.vectors; v++) {
        struct affine column = panel_column(&l->panel, &l->column, v);
        struct element row = panel_load(&l->panel, &l->t, &column);
        for (int part = 0; part < 2 && row.part[part]; part++)
            row.part[part] = LLVMBuildFDiv(l->e->builder, row.part[part], root, "");
        panel_store(&l->panel, &l->t, &column, &row);
    }
    return NULL;
}

/* Computes row t of U. A diagonal that is not positive becomes NaN, and so do all later rows. */
static struct error *factor_row(struct linalg *l, LLVMValueRef t)
{
    struct emitter *e = l->e;
    TRY(each_panel(l, t, eliminate, NULL));
    struct element diagonal = panel_load(&l->panel, &l->t, &l->t);
    LLVMTypeRef type = LLVMTypeOf(diagonal.part[0]);
    LLVMValueRef zero = LLVMConstNull(type);
    LLVMValueRef positive = LLVMBuildFCmp(e->builder, LLVMRealOGT, diagonal.part[0], zero, "");
    struct vecmath m = math_over(e, diagonal.part[0]);
    LLVMValueRef root = LLVMBuildSelect(e->builder, positive, vecmath_sqrt(&m, diagonal.part[0]),
                                        emitter_real_like(type, (double)NAN), "");
    TRY(each_panel(l, t, divide_by_root, root));
    diagonal.part[0] = root;
    diagonal.part[1] = diagonal.part[1] ? zero : NULL;
    panel_store(&l->panel, &l->t, &l->t, &diagonal);
    return NULL;
}

/* Writes row t of the result: U's row, or the conjugate of its column, with zeros beyond the
 * diagonal. `failure` (0 or NaN) is added. */
static void copy_row(struct linalg *l, LLVMValueRef failure)
{
    struct emitter *e = l->e;
    bool lower = l->op->attrs.cholesky.lower;
    int64_t vectors = up(l->columns, l->panel.lanes);
    struct loop *loop = emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, vectors), 1, 0,
                                           vectors - 1, 0, NULL);
    struct lanes before = emitter_lanes(e, l->panel.lanes);
    struct affine vector = affine_var(loop->var), first = affine_scale(&vector, l->panel.lanes);
    struct affine column = panel_column(&l->panel, &first, 0);
    struct guard guard;
    e->guard = columns_guard(l, &column, l->columns, &guard);
    struct element value = panel_load(&l->panel, lower ? &column : &l->t, lower ? &l->t : &column);
    if (lower)
        value = panel_conjugate(e, &value);
    value.part[0] =
        LLVMBuildFAdd(e->builder, value.part[0], emitter_splat(e, failure, value.lanes), "");
    struct affine minus = affine_scale(&l->t, -1), beyond = affine_add(e, &column, &minus);
    int lanes;
    LLVMValueRef inside = lower ? affine_inside(e, &beyond, -l->size, 1, &lanes)
                                : affine_inside(e, &beyond, 0, l->size, &lanes);
    struct element condition = element_of(inside ? inside : LLVMConstAllOnes(e->i1));
    struct element zero = element_from_double(e, l->panel.dtype, 0);
    value = element_select(e, &condition, &value, &zero);
    value.lanes = element_of(value.part[0]).lanes;
    store_result(l, &l->t, &column, &value);
    e->guard = NULL;
    emitter_lanes_restore(e, before);
    emitter_loop_end(e, loop, NULL);
}

static struct error *factor_matrix(struct linalg *l)
{
    struct emitter *e = l->e;
    LLVMValueRef none = emitter_i64(e, 0), all = emitter_i64(e, l->size);
    struct loop *rows = emitter_loop_begin(e, none, all, 1, 0, l->size - 1, 0, NULL);
    l->t = affine_var(rows->var);
    TRY(factor_row(l, rows->i));
    emitter_loop_end(e, rows, NULL);
    struct affine last = affine_constant(l->size - 1);
    LLVMValueRef root = panel_load(&l->panel, &last, &last).part[0];
    LLVMValueRef bad = LLVMBuildFCmp(e->builder, LLVMRealUNO, root, root, "");
    LLVMValueRef failure =
        LLVMBuildSelect(e->builder, bad, root, LLVMConstNull(LLVMTypeOf(root)), "");
    rows = emitter_loop_begin(e, none, all, 1, 0, l->size - 1, 0, NULL);
    l->t = affine_var(rows->var);
    copy_row(l, failure);
    emitter_loop_end(e, rows, NULL);
    return NULL;
}

struct error *cholesky_emit(struct kernel *k, const struct op *op)
{
    struct emitter *e = k->e;
    struct linalg l = {.k = k, .e = e};
    plan_cholesky(&l, op, e->target);
    k->request->work = l.batches && l.size ? l.batches : 1;
    if (!l.batches || !l.size)
        return NULL;
    struct loop *loop = emitter_loop_begin(e, k->begin, k->end, 1, 0, l.batches - 1, 0, NULL);
    struct affine number = affine_var(loop->var);
    set_batch(&l, &number);
    LLVMValueRef at = LLVMBuildMul(e->builder, loop->i, emitter_i64(e, panel_bytes(&l.panel)), "");
    l.panel.e = e;
    l.panel.base = emitter_at(e, e->i8, kernel_scratch(k), at);
    TRY(factor_matrix(&l));
    emitter_loop_end(e, loop, NULL);
    return NULL;
}
