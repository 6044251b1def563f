/* sort.c: stable sort with any comparator and any number of operands. A work item is a row (a line
 * along the sorted dimension). A row is sorted either by merging adjacent runs of 1, 2, 4 ...
 * elements, alternating between two arrays, or by radix (sort_radix.h). Sorting starts in whichever
 * array makes it end in the first one. The first array is the memory of the operand's result if
 * that contains whole rows, else it is in scratch; the second array is always in scratch. Finally,
 * results that are strided or contain only part of a row are copied. */
#include "compiler/codegen/standalone/sort.h"

#include "compiler/codegen/standalone/sort_radix.h"
#include "compiler/codegen/standalone/sort_top.h"

/* ---- arrays ---------------------------------------------------------------------------------- */
static int dim_of(const struct op *op)
{
    int64_t dim = op->attrs.sort.dimension;
    return (int)(dim < 0 ? dim + op->operands[0]->type->shape.rank : dim);
}

/* The fusion's result that is the whole sorted operand with contiguous rows; -1 if there is
 * none. */
static int result_of(const struct op *op, int operand)
{
    const struct type *type = op->operands[0]->type;
    const struct op *end = op->block->last;
    for (int i = dim_of(op) + 1; i < type->shape.rank; i++)
        if (type->shape.dims[i] != 1)
            return -1;
    for (int r = 0; r < end->operand_count; r++)
        if (end->operands[r] == &op->results[operand])
            return r;
    return -1;
}

static uint64_t array_bytes(const struct op *op, int operand)
{
    uint64_t bytes = (uint64_t)type_bytes(op->operands[operand]->type);
    return (bytes + 63) & ~(uint64_t)63;
}

uint64_t sort_scratch(const struct op *op, const struct target *target)
{
    uint64_t total = 0;
    (void)target;
    if (sort_top_supports(op))
        return 0;
    for (int i = 0; i < op->operand_count; i++)
        total += (result_of(op, i) < 0 ? 2 : 1) * array_bytes(op, i);
    return total;
}

static enum dtype dtype_of(const struct sort *s, int operand)
{
    return s->op->operands[operand]->type->shape.dtype;
}

/* The part of an array that holds the current row. */
static LLVMValueRef row_of(struct sort *s, LLVMValueRef array, uint64_t at, int operand)
{
    struct emitter *e = s->e;
    LLVMValueRef row_bytes = emitter_i64(e, s->length * dtype_bytes(dtype_of(s, operand)));
    LLVMValueRef offset = LLVMBuildMul(e->builder, affine_scalar(e, &s->row), row_bytes, "");
    offset = LLVMBuildAdd(e->builder, offset, emitter_i64(e, (int64_t)at), "");
    return LLVMBuildGEP2(e->builder, e->i8, array, &offset, 1, "");
}

static void find_arrays(struct sort *s)
{
    uint64_t at = 0;
    for (int i = 0; i < s->count; i++) {
        int result = result_of(s->op, i);
        s->arrays[1][i] = row_of(s, kernel_scratch(s->k), at, i);
        at += array_bytes(s->op, i);
        s->arrays[0][i] = result >= 0 ? row_of(s, kernel_result(s->k, result), 0, i)
                                      : row_of(s, kernel_scratch(s->k), at, i);
        at += result >= 0 ? 0 : array_bytes(s->op, i);
    }
}

struct index sort_index(struct sort *s, const struct affine *position)
{
    const struct type *type = s->op->operands[0]->type;
    int64_t others[SHAPE_MAX_RANK];
    int n = 0;
    for (int i = 0; i < type->shape.rank; i++)
        if (i != s->dim)
            others[n++] = type->shape.dims[i];
    struct index rest = affine_delinear(s->e, &s->row, n, others);
    struct affine *at = affine_array(s->e, type->shape.rank);
    for (int i = 0, j = 0; i < type->shape.rank; i++)
        at[i] = i == s->dim ? *position : rest.at[j++];
    return affine_index(type->shape.rank, at);
}

void sort_load(struct sort *s, LLVMValueRef const *arrays, const struct affine *position,
               struct element *out)
{
    for (int i = 0; i < s->count; i++)
        out[i] = element_load(s->e, arrays[i], dtype_of(s, i), position, s->length);
}

struct error *sort_copy(struct sort *s, int side, const struct affine *position,
                        struct element *elements)
{
    struct index index = sort_index(s, position);
    for (int i = 0; i < s->count; i++) {
        TRY(expression_emit(s->e, s->op->operands[i], &index, &elements[i]));
        element_store(s->e, s->arrays[side][i], dtype_of(s, i), position, &elements[i], false);
    }
    return NULL;
}

static struct error *copy_in(struct sort *s, int side)
{
    struct emitter *e = s->e;
    struct element elements[SORT_MAX_OPERANDS];
    struct loop *loop = emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, s->length), 1, 0,
                                           s->length - 1, 0, NULL);
    struct affine position = affine_var(loop->var);
    TRY(sort_copy(s, side, &position, elements));
    emitter_loop_end(e, loop, NULL);
    return NULL;
}

void sort_results(struct sort *s, struct sort_result *results)
{
    const struct op *end = s->k->fusion->regions[0]->last;
    for (int r = 0; r < end->operand_count; r++) {
        const struct value *value = end->operands[r];
        results[r].type = value->type;
        results[r].count = value->type->shape.rank ? value->type->shape.dims[s->dim] : 1;
        results[r].operand = value->def == s->op ? value->index : value->def->operands[0]->index;
    }
}

void sort_store(struct sort *s, int r, const struct sort_result *result,
                const struct affine *position, const struct element *element)
{
    struct index index = sort_index(s, position);
    struct affine offset = affine_linear(s->e, &index, result->type->shape.dims);
    element_store(s->e, kernel_result(s->k, r), result->type->shape.dtype, &offset, element, false);
}

/* Writes the results that were not sorted in place. */
static void copy_out(struct sort *s)
{
    struct emitter *e = s->e;
    struct sort_result results[SORT_MAX_OPERANDS];
    sort_results(s, results);
    for (int r = 0; r < s->k->fusion->result_count; r++) {
        int i = results[r].operand;
        if (result_of(s->op, i) == r)
            continue;
        struct loop *loop =
            emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, results[r].count), 1, 0,
                               results[r].count - 1, 0, NULL);
        struct affine position = affine_var(loop->var);
        struct element element =
            element_load(e, s->arrays[0][i], dtype_of(s, i), &position, s->length);
        sort_store(s, r, &results[r], &position, &element);
        emitter_loop_end(e, loop, NULL);
    }
}

/* ---- merging --------------------------------------------------------------------------------- */
/* Whether the right run's element comes before the left one's: comparator(right, left). */
static struct error *goes_first(struct sort *s, const struct element *right,
                                const struct element *left, LLVMValueRef *out)
{
    struct element arguments[2 * SORT_MAX_OPERANDS], result;
    for (int i = 0; i < s->count; i++)
        arguments[2 * i] = right[i], arguments[2 * i + 1] = left[i];
    TRY(expression_body(s->e, s->op->regions[0], arguments, &result));
    *out = result.part[0];
    return NULL;
}

static void load_at(struct sort *s, LLVMValueRef const *arrays, LLVMValueRef position,
                    struct element *out)
{
    struct affine at =
        affine_var(emitter_var(s->e, position, 1, 0, s->length - 1, s->e->scope->depth));
    sort_load(s, arrays, &at, out);
}

/* Merges one element: the smaller of from[i] and from[j], from runs [i, middle) and [j, high). */
static struct error *merge_step(struct sort *s, LLVMValueRef const *from, LLVMValueRef const *to,
                                const struct affine *position, LLVMValueRef i, LLVMValueRef j,
                                LLVMValueRef middle, LLVMValueRef high, LLVMValueRef *next)
{
    struct emitter *e = s->e;
    LLVMBuilderRef b = e->builder;
    struct element left[SORT_MAX_OPERANDS], right[SORT_MAX_OPERANDS], taken;
    LLVMValueRef zero = emitter_i64(e, 0), less;
    LLVMValueRef has_left = LLVMBuildICmp(b, LLVMIntSLT, i, middle, "");
    LLVMValueRef has_right = LLVMBuildICmp(b, LLVMIntSLT, j, high, "");
    load_at(s, from, LLVMBuildSelect(b, has_left, i, zero, ""), left);
    load_at(s, from, LLVMBuildSelect(b, has_right, j, zero, ""), right);
    TRY(goes_first(s, right, left, &less));
    LLVMValueRef wins = LLVMBuildOr(b, LLVMBuildNot(b, has_left, ""), less, "");
    LLVMValueRef take_right = LLVMBuildAnd(b, has_right, wins, "");
    struct element condition = element_of(take_right);
    for (int o = 0; o < s->count; o++) {
        taken = element_select(e, &condition, &right[o], &left[o]);
        element_store(e, to[o], dtype_of(s, o), position, &taken, false);
    }
    LLVMValueRef step = LLVMBuildZExt(b, take_right, e->i64, "");
    next[1] = LLVMBuildAdd(b, j, step, "");
    next[0] = LLVMBuildAdd(b, i, LLVMBuildSub(b, emitter_i64(e, 1), step, ""), "");
    return NULL;
}

/* Merges runs of `width` elements from one array into the other; `pass` is log2(width). */
static struct error *merge_runs(struct sort *s, LLVMValueRef const *from, LLVMValueRef const *to,
                                LLVMValueRef pass)
{
    struct emitter *e = s->e;
    LLVMBuilderRef b = e->builder;
    LLVMValueRef length = emitter_i64(e, s->length), one = emitter_i64(e, 1);
    LLVMValueRef width = LLVMBuildShl(b, one, pass, ""), twice = LLVMBuildShl(b, width, one, "");
    LLVMValueRef rounded = LLVMBuildAdd(b, length, LLVMBuildSub(b, twice, one, ""), "");
    LLVMValueRef pairs = LLVMBuildLShr(b, rounded, LLVMBuildAdd(b, pass, one, ""), "");
    struct loop *pair =
        emitter_loop_begin(e, emitter_i64(e, 0), pairs, 1, 0, s->length - 1, 0, NULL);
    LLVMValueRef low = LLVMBuildMul(b, pair->i, twice, "");
    LLVMValueRef middle = emitter_binary(e, "llvm.smin", LLVMBuildAdd(b, low, width, ""), length);
    LLVMValueRef high = emitter_binary(e, "llvm.smin", LLVMBuildAdd(b, low, twice, ""), length);
    struct loop *merge =
        emitter_loop_begin(e, low, high, 1, 0, s->length - 1, 2, (LLVMValueRef[]){low, middle});
    LLVMValueRef next[2];
    struct affine position = affine_var(merge->var);
    TRY(merge_step(s, from, to, &position, merge->carried[0], merge->carried[1], middle, high,
                   next));
    emitter_loop_end(e, merge, next);
    emitter_loop_end(e, pair, NULL);
    return NULL;
}

/* Runs all passes. The arrays are swapped after each. */
static struct error *merge_row(struct sort *s)
{
    struct emitter *e = s->e;
    int passes = 0;
    while ((INT64_C(1) << passes) < s->length)
        passes++;
    int begin = passes & 1;
    TRY(copy_in(s, begin));
    if (!passes)
        return NULL;
    LLVMValueRef carried[2 * SORT_MAX_OPERANDS], next[2 * SORT_MAX_OPERANDS];
    for (int i = 0; i < s->count; i++)
        carried[i] = s->arrays[begin][i], carried[s->count + i] = s->arrays[!begin][i];
    struct loop *loop = emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, passes), 1, 0,
                                           passes - 1, 2 * s->count, carried);
    TRY(merge_runs(s, loop->carried, loop->carried + s->count, loop->i));
    for (int i = 0; i < s->count; i++)
        next[i] = loop->carried[s->count + i], next[s->count + i] = loop->carried[i];
    emitter_loop_end(e, loop, next);
    return NULL;
}

struct error *sort_emit(struct kernel *k, const struct op *op)
{
    struct sort s = {.k = k, .e = k->e, .op = op, .count = op->operand_count};
    const struct type *type = op->operands[0]->type;
    s.dim = dim_of(op);
    if (s.count > SORT_MAX_OPERANDS || k->fusion->result_count > SORT_MAX_OPERANDS)
        return emitter_unimplemented(k->e, op, "a sort of more than 64 operands");
    k->request->work = 1;
    if (!type_elements(type))
        return NULL;
    s.length = type->shape.rank ? type->shape.dims[s.dim] : 1;
    s.rows = type_elements(type) / s.length;
    k->request->work = s.rows;
    struct loop *row = emitter_loop_begin(k->e, k->begin, k->end, 1, 0, s.rows - 1, 0, NULL);
    s.row = affine_var(row->var);
    if (sort_top_supports(op)) {
        TRY(sort_top_row(&s));
    } else {
        find_arrays(&s);
        TRY(sort_radix_supports(op) ? sort_radix_row(&s) : merge_row(&s));
        copy_out(&s);
    }
    emitter_loop_end(k->e, row, NULL);
    return NULL;
}
