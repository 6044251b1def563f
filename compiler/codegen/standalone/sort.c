/* sort.c: stable sort with any comparator and any number of operands. A row is a line along the
 * sorted dimension; a work item is a few rows, which use the same scratch in turn. A row is sorted
 * by merging (sort_merge.h), by radix (sort_radix.h) or by rank (sort_rank.h), in two arrays of
 * each operand; or its first elements are selected (sort_top.h). Sorting ends in the first array,
 * which is the memory of the operand's result if that contains whole rows, or else in scratch; the
 * second array is always in scratch. Finally, results that are strided or contain only part of a
 * row are copied. */
#include "compiler/codegen/standalone/sort_merge.h"
#include "compiler/codegen/standalone/sort_radix.h"
#include "compiler/codegen/standalone/sort_rank.h"
#include "compiler/codegen/standalone/sort_top.h"
#include "compiler/codegen/standalone/standalone.h"

enum { ITEMS_PER_CORE = 8, MIN_ITEM_ELEMENTS = 4096 /* on average */ };

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

static uint64_t array_bytes(const struct op *op, int operand, int64_t count)
{
    uint64_t bytes = (uint64_t)(dtype_bytes(op->operands[operand]->type->shape.dtype) * count);
    return (bytes + 63) & ~(uint64_t)63;
}

/* Fills in the rows and how many of them are a work item: a few items for each core, fewer for
 * small arrays. */
static void plan(struct sort_row *s, const struct op *op, const struct target *target)
{
    const struct type *type = op->operands[0]->type;
    int64_t elements = type_elements(type);
    int64_t most = (int64_t)(target->cores > 0 ? target->cores : 1) * ITEMS_PER_CORE;
    s->op = op;
    s->count = op->operand_count;
    s->dim = sort_row_dim(op);
    s->length = type->shape.rank ? type->shape.dims[s->dim] : 1;
    s->rows = elements ? elements / s->length : 0;
    most = most < elements / MIN_ITEM_ELEMENTS + 1 ? most : elements / MIN_ITEM_ELEMENTS + 1;
    s->rows_an_item = s->rows > most ? (s->rows + most - 1) / most : 1;
    s->items = (s->rows + s->rows_an_item - 1) / s->rows_an_item;
    s->capacity = sort_radix_supports(op) ? sort_radix_capacity(op) : s->length;
}

/* The scratch of a work item, whose rows use it one after the other. */
static uint64_t item_bytes(const struct sort_row *s)
{
    uint64_t total = 0;
    for (int i = 0; i < s->count; i++) {
        total += array_bytes(s->op, i, s->capacity);
        total += result_of(s->op, i) < 0 ? array_bytes(s->op, i, s->length) : 0;
    }
    return total;
}

uint64_t sort_scratch(const struct op *op, const struct target *target)
{
    struct sort_row s = {0};
    plan(&s, op, target);
    return sort_top_supports(op) ? 0 : item_bytes(&s) * (uint64_t)s.items;
}

static LLVMValueRef byte_at(struct sort_row *s, LLVMValueRef base, LLVMValueRef at)
{
    return emitter_at(s->e, s->e->i8, base, at);
}

/* The current row of a result. */
static LLVMValueRef row_of(struct sort_row *s, int result, int operand)
{
    LLVMValueRef row_bytes = emitter_i64(s->e, s->length * dtype_bytes(sort_row_dtype(s, operand)));
    LLVMValueRef at = LLVMBuildMul(s->e->builder, affine_scalar(s->e, &s->row), row_bytes, "");
    return byte_at(s, kernel_result(s->k, result), at);
}

/* `scratch` is the work item's. */
static void find_arrays(struct sort_row *s, LLVMValueRef scratch)
{
    uint64_t at = 0;
    for (int i = 0; i < s->count; i++) {
        int result = result_of(s->op, i);
        s->arrays[1][i] = byte_at(s, scratch, emitter_i64(s->e, (int64_t)at));
        at += array_bytes(s->op, i, s->capacity);
        s->arrays[0][i] = result >= 0 ? row_of(s, result, i)
                                      : byte_at(s, scratch, emitter_i64(s->e, (int64_t)at));
        at += result >= 0 ? 0 : array_bytes(s->op, i, s->length);
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
/* `radix`, `rank`: NULL if the sort has no key, or rows of another length. */
static struct error *emit_row(struct sort_row *s, struct sort_radix *radix, struct sort_rank *rank,
                              LLVMValueRef scratch)
{
    if (sort_top_supports(s->op))
        return sort_top_row(s);
    find_arrays(s, scratch);
    if (radix)
        sort_radix_row(radix);
    else if (rank)
        TRY(sort_rank_row(rank));
    else
        TRY(sort_merge_row(s));
    copy_out(s);
    return NULL;
}

struct error *sort_emit(struct kernel *k, const struct op *op)
{
    struct emitter *e = k->e;
    struct sort_row s = {.k = k, .e = e};
    struct sort_radix radix;
    struct sort_rank rank;
    if (op->operand_count > SORT_MAX_OPERANDS || k->fusion->result_count > SORT_MAX_OPERANDS)
        return emitter_unimplemented(e, op, "a sort of more than 64 operands");
    plan(&s, op, e->target);
    k->request->work = s.items ? s.items : 1;
    if (!s.items)
        return NULL;
    bool by_rank = !sort_top_supports(op) && sort_rank_supports(op, e->target);
    bool by_radix = !sort_top_supports(op) && !by_rank && sort_radix_supports(op);
    if (by_rank)
        sort_rank_begin(&rank, &s);
    if (by_radix)
        TRY(sort_radix_begin(&radix, &s));
    struct loop *item = emitter_loop_begin(e, k->begin, k->end, 1, 0, s.items - 1, 0, NULL);
    LLVMValueRef rows = emitter_i64(e, s.rows_an_item), all = emitter_i64(e, s.rows),
                 scratch = NULL;
    LLVMValueRef first = LLVMBuildMul(e->builder, item->i, rows, "");
    LLVMValueRef end =
        emitter_binary(e, "llvm.smin", LLVMBuildAdd(e->builder, first, rows, ""), all);
    LLVMValueRef at =
        LLVMBuildMul(e->builder, item->i, emitter_i64(e, (int64_t)item_bytes(&s)), "");
    if (!sort_top_supports(op))
        scratch = byte_at(&s, kernel_scratch(k), at);
    struct loop *row = emitter_loop_begin(e, first, end, 1, 0, s.rows - 1, 0, NULL);
    s.row = affine_var(row->var);
    TRY(emit_row(&s, by_radix ? &radix : NULL, by_rank ? &rank : NULL, scratch));
    emitter_loop_end(e, row, NULL);
    emitter_loop_end(e, item, NULL);
    return NULL;
}
