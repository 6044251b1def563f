/* sort.c: stable sort with any comparator and any number of operands. A work item is a row (a line
 * along the sorted dimension). A row is sorted by merging (sort_merge.h) or by radix
 * (sort_radix.h), which alternate between two arrays of each operand; or its first elements are
 * selected (sort_top.h). Sorting starts in whichever array makes it end in the first one. The first
 * array is the memory of the operand's result if that contains whole rows, else it is in scratch;
 * the second array is always in scratch. Finally, results that are strided or contain only part of
 * a row are copied. */
#include "compiler/codegen/standalone/sort_merge.h"
#include "compiler/codegen/standalone/sort_radix.h"
#include "compiler/codegen/standalone/sort_top.h"
#include "compiler/codegen/standalone/standalone.h"

/* ---- arrays ---------------------------------------------------------------------------------- */
/* The fusion's result that is the whole sorted operand with contiguous rows; -1 if there is
 * none. */
static int result_of(const struct op *op, int operand)
{
    const struct type *type = op->operands[0]->type;
    const struct op *end = op->block->last;
    for (int i = sort_row_dim(op) + 1; i < type->shape.rank; i++)
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

/* The part of an array that holds the current row. */
static LLVMValueRef row_of(struct sort_row *s, LLVMValueRef array, uint64_t at, int operand)
{
    struct emitter *e = s->e;
    LLVMValueRef row_bytes = emitter_i64(e, s->length * dtype_bytes(sort_row_dtype(s, operand)));
    LLVMValueRef offset = LLVMBuildMul(e->builder, affine_scalar(e, &s->row), row_bytes, "");
    offset = LLVMBuildAdd(e->builder, offset, emitter_i64(e, (int64_t)at), "");
    return LLVMBuildGEP2(e->builder, e->i8, array, &offset, 1, "");
}

static void find_arrays(struct sort_row *s)
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

/* Writes the results that were not sorted in place. */
static void copy_out(struct sort_row *s)
{
    struct emitter *e = s->e;
    struct sort_result results[SORT_MAX_OPERANDS];
    sort_row_results(s, results);
    for (int r = 0; r < s->k->fusion->result_count; r++) {
        int i = results[r].operand;
        if (result_of(s->op, i) == r)
            continue;
        struct loop *loop =
            emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, results[r].count), 1, 0,
                               results[r].count - 1, 0, NULL);
        struct affine position = affine_var(loop->var);
        struct element element =
            element_load(e, s->arrays[0][i], sort_row_dtype(s, i), &position, s->length);
        sort_row_store(s, r, &results[r], &position, &element);
        emitter_loop_end(e, loop, NULL);
    }
}

/* ---- the kernel ------------------------------------------------------------------------------ */
struct error *sort_emit(struct kernel *k, const struct op *op)
{
    struct sort_row s = {.k = k, .e = k->e, .op = op, .count = op->operand_count};
    const struct type *type = op->operands[0]->type;
    s.dim = sort_row_dim(op);
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
        TRY(sort_radix_supports(op) ? sort_radix_row(&s) : sort_merge_row(&s));
        copy_out(&s);
    }
    emitter_loop_end(k->e, row, NULL);
    return NULL;
}
