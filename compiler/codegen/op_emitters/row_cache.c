/* row_cache.c: see row_cache.h. */
#include "compiler/codegen/op_emitters/row_cache.h"

#include "compiler/schedule/analysis.h"
#include "compiler/schedule/cached_row.h"
#include "compiler/codegen/loops/expression.h"

enum { MAX_ROWS = 2 }; /* of a kernel */

struct row_cache row_cache_plan(struct emitter *e, const struct op *reduce)
{
    enum dtype dtype = reduce->operands[0]->type->shape.dtype;
    struct row_cache rows = {.dtype = dtype_bytes(dtype) == 8 ? DTYPE_F64 : DTYPE_F32};
    int count = reduce->operand_count / 2;
    if (e->binding || e->guard)
        return rows;
    rows.memory = ARENA_ARRAY(e->arena, LLVMValueRef, (size_t)count);
    for (int i = 0; i < count && e->row_caches < MAX_ROWS; i++) {
        if (!cached_row_is_stored(reduce, i))
            continue;
        e->row_caches++;
        uint64_t bytes = (uint64_t)cached_row_bytes(reduce);
        rows.memory[i] = emitter_alloca(e, LLVMArrayType2(e->i8, bytes), 64);
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
            expression_cache_row(e, cached_row_value(reduce, i), &row, rows->dtype,
                                 rows->memory[i]);
}
