/* update_kernel.c: in-place updates. The result's memory already holds the updated operand, and
 * only changed elements are written. One loop stores windows of the same shape in several arrays,
 * and arrays of that shape; scatter_kernel.c applies the updates of a scatter. */
#include "compiler/analysis/update_window.h"
#include "compiler/codegen/kernels/kinds.h"
#include "compiler/codegen/kernels/scatter_kernel.h"
#include "compiler/codegen/loops/loops.h"
#include "compiler/codegen/op_emitters/op_emitters.h"
#include "compiler/schedule/kernel_schedule.h"

/* Where the window begins that result i is; NULL: the result is an array of its own. */
static struct error *origin_of(struct kernel *k, int i, const struct affine **origin)
{
    const struct op *update = update_window_op(k->fusion, i);
    struct affine *starts = NULL;
    if (update)
        TRY(emit_starts(k->e, update, 2, update->operands[1]->type->shape.dims, &starts));
    *origin = starts;
    return NULL;
}

/* Stores result `first` and all later ones whose roots have its shape, and adds them to `stored`.
 * Work items divide it if they are all results. */
static struct error *store_windows(struct kernel *k, int first, bool *stored, int64_t *work)
{
    struct emitter *e = k->e;
    struct nest nest = kernel_schedule_windows(e->arena, e->target, k->fusion, first, stored);
    const struct affine **origins =
        ARENA_ARRAY(e->arena, const struct affine *, (size_t)nest.count);
    struct loops loops = {.nest = nest,
                          .pointers = ARENA_ARRAY(e->arena, LLVMValueRef, (size_t)nest.count),
                          .origins = origins};
    *work = 0;
    if (!type_elements(nest.shape))
        return NULL;
    for (int i = 0; i < nest.count; i++) {
        loops.pointers[i] = kernel_result(k, nest.results[i]);
        TRY(origin_of(k, nest.results[i], &origins[i]));
    }
    bool all = nest.count == k->fusion->result_count;
    *work = nest.schedule.work;
    return loops_emit(e, &loops, 1, all ? k->begin : emitter_i64(e, 0),
                      all ? k->end : emitter_i64(e, nest.schedule.work));
}

struct error *update_kernel_emit(struct kernel *k)
{
    const struct op *end = k->fusion->regions[0]->last;
    int results = k->fusion->result_count, scattered = 0;
    bool *stored = ARENA_ARRAY(k->e->arena, bool, (size_t)results);
    int64_t most = 1;
    for (int i = 0; i < results; i++) {
        const struct op *def = end->operands[i]->def;
        int64_t work = 1;
        if (update_window_root(k->fusion, i)) {
            if (!stored[i])
                TRY(store_windows(k, i, stored, &work));
        } else if (end->operands[i]->index == 0) {
            TRY(scatter_kernel_emit(k, def, &work));
            scattered = def->result_count;
        }
        most = work > most ? work : most;
    }
    bool divided = scattered == results || (!scattered && update_window_in_one_loop(k->fusion));
    k->request->work = divided ? most : 1;
    return NULL;
}
