/* loop_kernel.c: FUSION_LOOP and FUSION_ROWS: one loop nest for the results of each shape. */
#include "compiler/codegen/kernels/kinds.h"

#include "compiler/codegen/loops/loops.h"

enum { MAX_RESULTS = 1024 };

/* Groups results of the same shape into a nest. Nests are ordered by the first result of each
 * shape. */
static int group_results(struct kernel *k, struct nest *nests)
{
    const struct op *end = k->fusion->regions[0]->last;
    bool taken[MAX_RESULTS] = {false};
    int count = 0;
    for (int i = 0; i < end->operand_count; i++) {
        struct nest *nest = &nests[count];
        const struct type *shape = end->operands[i]->type;
        if (taken[i])
            continue;
        const struct value **roots =
            ARENA_ARRAY(k->e->arena, const struct value *, (size_t)end->operand_count);
        nest->pointers = ARENA_ARRAY(k->e->arena, LLVMValueRef, (size_t)end->operand_count);
        nest->shape = shape;
        nest->by_rows = k->fusion->attrs.fusion.fusion_kind == FUSION_ROWS;
        nest->roots = roots;
        for (int j = i; j < end->operand_count; j++) {
            if (taken[j] || !type_same_shape(shape, end->operands[j]->type))
                continue;
            taken[j] = true;
            roots[nest->count] = end->operands[j];
            nest->pointers[nest->count++] = kernel_result(k, j);
        }
        count++;
    }
    return count;
}

/* Intersects [begin, end) with [from, from + work), relative to `from`. */
static LLVMValueRef clip(struct emitter *e, LLVMValueRef at, int64_t from, int64_t work)
{
    at = LLVMBuildSub(e->builder, at, emitter_i64(e, from), "");
    at = emitter_binary(e, "llvm.smax", at, emitter_i64(e, 0));
    return emitter_binary(e, "llvm.smin", at, emitter_i64(e, work));
}

/* Loads the number of columns, if rows may be cut there: then all loops along them have whole
 * vectors, whose sizes divide PROGRAM_COLUMN_STEP. */
static void limit_columns(struct kernel *k)
{
    struct emitter *e = k->e;
    const struct shape *shape = &k->fusion->results[0].type->shape;
    int limits = k->fusion->operand_count + k->fusion->result_count;
    if (k->fusion->attrs.fusion.fusion_kind == FUSION_ROWS &&
        shape->dims[shape->rank - 1] % PROGRAM_COLUMN_STEP == 0)
        e->columns = LLVMBuildLoad2(e->builder, e->i64, kernel_buffer(k, limits + 1), "");
}

struct error *loop_kernel_emit(struct kernel *k)
{
    struct emitter *e = k->e;
    limit_columns(k);
    int most = k->fusion->regions[0]->last->operand_count;
    if (most > MAX_RESULTS)
        return emitter_unimplemented(e, k->fusion, "more than 1024 results of a fusion");
    struct nest *nests = ARENA_ARRAY(e->arena, struct nest, (size_t)most);
    int count = group_results(k, nests);
    int64_t work = 0;
    for (int i = 0; i < count; i++) {
        loops_plan(e->target, &nests[i]);
        LLVMValueRef begin = k->begin, end = k->end;
        if (count > 1) {
            begin = clip(e, k->begin, work, nests[i].work);
            end = clip(e, k->end, work, nests[i].work);
        }
        TRY(loops_emit(e, &nests[i], begin, end));
        work += nests[i].work;
    }
    k->request->work = work ? work : 1;
    return NULL;
}
