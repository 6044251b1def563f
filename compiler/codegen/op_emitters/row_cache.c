/* row_cache.c: see row_cache.h. */
#include "compiler/codegen/op_emitters/row_cache.h"

#include "compiler/schedule/analysis.h"
#include "compiler/schedule/arithmetic.h"
#include "compiler/codegen/loops/expression.h"

enum {
    ROW_BYTES = 32768, /* size limit of a row */
    MAX_ROWS = 2       /* of a kernel */
};

/* The value whose row is kept: a small float that is converted for the reduction alone, as where
 * the sum of a softmax is in f32, is in registers what it is converted to. */
static const struct value *row_value(const struct op *reduce, int i)
{
    const struct value *value = reduce->operands[i];
    const struct op *op = value->def;
    bool widens = op && op->code == OP_convert && value->type->shape.dtype == DTYPE_F32 &&
                  element_is_small_float(op->operands[0]->type->shape.dtype);
    return widens && ir_has_one_use(value) ? op->operands[0] : value;
}

/* Whether each result is of one row: elements that are adjacent in the last dimension. */
static bool reduces_rows(const struct op *reduce)
{
    const struct shape *shape = &reduce->operands[0]->type->shape;
    for (int i = 0; i < shape->rank - 1; i++)
        if (analysis_is_reduced(reduce, i) && shape->dims[i] != 1)
            return false;
    return analysis_is_reduced(reduce, shape->rank - 1);
}

static bool is_kept(const struct emitter *e, const struct value *value, int64_t bytes)
{
    return value->def && dtype_is_float(value->type->shape.dtype) && !ir_has_one_use(value) &&
           bytes <= ROW_BYTES && e->row_caches < MAX_ROWS &&
           arithmetic_weight(value) >= ROW_CACHE_WEIGHT;
}

struct row_cache row_cache_plan(struct emitter *e, const struct op *reduce)
{
    const struct shape *shape = &reduce->operands[0]->type->shape;
    struct row_cache rows = {.dtype = dtype_bytes(shape->dtype) == 8 ? DTYPE_F64 : DTYPE_F32};
    int count = reduce->operand_count / 2;
    if (!reduces_rows(reduce) || e->binding || e->guard)
        return rows;
    int64_t bytes = shape->dims[shape->rank - 1] * dtype_bytes(rows.dtype);
    rows.memory = ARENA_ARRAY(e->arena, LLVMValueRef, (size_t)count);
    for (int i = 0; i < count; i++) {
        if (!is_kept(e, row_value(reduce, i), bytes))
            continue;
        e->row_caches++;
        rows.memory[i] = emitter_alloca(e, LLVMArrayType2(e->i8, (uint64_t)bytes), 64);
    }
    return rows;
}

void row_cache_store(struct emitter *e, const struct row_cache *rows, const struct op *reduce,
                     const struct affine *at, const struct element *in)
{
    for (int i = 0; rows->memory && i < reduce->operand_count / 2; i++)
        if (rows->memory[i])
            element_store(e, rows->memory[i], rows->dtype, at, &in[i], false);
}

void row_cache_publish(struct emitter *e, const struct row_cache *rows, const struct op *reduce,
                       const struct index *index)
{
    int rank = reduce->operands[0]->type->shape.rank;
    struct affine *at = affine_array(e, rank);
    for (int i = 0, result_dim = 0; i < rank - 1; i++)
        at[i] = analysis_is_reduced(reduce, i) ? affine_constant(0) : index->at[result_dim++];
    struct index row = affine_index(rank - 1, at);
    for (int i = 0; rows->memory && i < reduce->operand_count / 2; i++)
        if (rows->memory[i])
            expression_cache_row(e, row_value(reduce, i), &row, rows->dtype, rows->memory[i]);
}
