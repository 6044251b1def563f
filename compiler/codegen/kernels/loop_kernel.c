/* loop_kernel.c: FUSION_LOOP and FUSION_ROWS: the loop nests of their schedule
 * (schedule/kernel_schedule.h). Concatenations of many arrays in memory are copied (copy_kernel.h).
 */
#include "compiler/codegen/kernels/kinds.h"

#include "compiler/codegen/kernels/copy_kernel.h"
#include "compiler/codegen/loops/loops.h"
#include "compiler/schedule/kernel_schedule.h"
#include "compiler/schedule/concat_operands.h"

enum { MAX_RESULTS = 1024 };

/* The loops of a nest: where its roots are stored. */
static struct loops loops_of(struct kernel *k, const struct nest *nest)
{
    struct arena *arena = k->e->arena;
    struct loops loops = {.nest = *nest,
                          .pointers = ARENA_ARRAY(arena, LLVMValueRef, (size_t)nest->count)};
    for (int i = 0; i < nest->count; i++)
        loops.pointers[i] = kernel_result(k, nest->results[i]);
    if (!nest->origin)
        return loops;
    struct affine *origin = affine_array(k->e, nest->into[0]->shape.rank);
    for (int i = 0; i < nest->into[0]->shape.rank; i++)
        origin[i] = affine_constant(nest->origin[i]);
    const struct affine **origins = ARENA_NEW(arena, const struct affine *);
    *origins = origin;
    loops.origins = origins;
    return loops;
}

/* Intersects [begin, end) with [from, from + work), relative to `from`. */
static LLVMValueRef clip(struct emitter *e, LLVMValueRef at, int64_t from, int64_t work)
{
    at = LLVMBuildSub(e->builder, at, emitter_i64(e, from), "");
    at = emitter_binary(e, "llvm.smax", at, emitter_i64(e, 0));
    return emitter_binary(e, "llvm.smin", at, emitter_i64(e, work));
}

/* Loads the number of columns, if rows may be cut there: then all loops along them have whole
 * vectors, whose sizes divide PROGRAM_COLUMN_VECTOR. */
static void limit_columns(struct kernel *k)
{
    struct emitter *e = k->e;
    const struct shape *shape = &k->fusion->results[0].type->shape;
    int limits = k->fusion->operand_count + k->fusion->result_count;
    if (k->fusion->attrs.fusion.fusion_kind == FUSION_ROWS &&
        shape->dims[shape->rank - 1] % PROGRAM_COLUMN_VECTOR == 0)
        e->columns = LLVMBuildLoad2(e->builder, e->i64, kernel_buffer(k, limits + 1), "");
}

struct error *loop_kernel_emit(struct kernel *k)
{
    struct emitter *e = k->e;
    if (copy_kernel_is(k->fusion)) {
        copy_kernel_emit(k);
        return NULL;
    }
    limit_columns(k);
    if (k->fusion->regions[0]->last->operand_count > MAX_RESULTS)
        return emitter_unimplemented(e, k->fusion, "more than 1024 results of a fusion");
    struct kernel_schedule schedule = kernel_schedule(e->arena, e->target, k->fusion);
    int all = (int)schedule.nests.count;
    struct loops *loops = ARENA_ARRAY(e->arena, struct loops, (size_t)all + 1);
    for (int i = 0; i < all; i++)
        loops[i] = loops_of(k, &schedule.nests.items[i]);
    int64_t work = 0;
    for (int i = 0, together; i < all; i += together) {
        const struct nest *nest = &schedule.nests.items[i];
        together = concat_operands_in_one_loop(nest, all - i);
        LLVMValueRef begin = k->begin, end = k->end;
        if (together < all) {
            begin = clip(e, k->begin, work, nest->schedule.work);
            end = clip(e, k->end, work, nest->schedule.work);
        }
        TRY(loops_emit(e, &loops[i], together, begin, end));
        work += nest->schedule.work;
    }
    k->request->work = work ? work : 1;
    return NULL;
}
