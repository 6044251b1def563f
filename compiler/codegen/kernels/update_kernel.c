/* update_kernel.c: in-place updates. The result's memory already holds the updated operand, and
 * only changed elements are written. One loop stores windows of the same shape in several arrays,
 * and arrays of that shape; scatter_kernel.c applies the updates of a scatter. */
#include "compiler/analysis/update_window.h"
#include "compiler/codegen/kernels/kinds.h"
#include "compiler/codegen/kernels/scatter_kernel.h"
#include "compiler/codegen/loops/loops.h"
#include "compiler/codegen/op_emitters/op_emitters.h"

/* Where result i is stored. */
static struct error *place_of(struct kernel *k, int i, struct placement *place)
{
    const struct op *update = update_window_op(k->fusion, i);
    struct affine *starts;
    *place = (struct placement){0};
    if (!update)
        return NULL;
    TRY(emit_starts(k->e, update, 2, update->operands[1]->type->shape.dims, &starts));
    *place = (struct placement){update->results[0].type, starts};
    return NULL;
}

/* Stores result `first` and all later ones whose roots have its shape, and adds them to `stored`.
 * Work items divide it if they are all results. */
static struct error *store_windows(struct kernel *k, int first, bool *stored, int64_t *work)
{
    struct emitter *e = k->e;
    size_t most = (size_t)k->fusion->result_count;
    const struct value **roots = ARENA_ARRAY(e->arena, const struct value *, most);
    struct placement *places = ARENA_ARRAY(e->arena, struct placement, most);
    struct nest nest = {.shape = update_window_root(k->fusion, first)->type,
                        .roots = roots,
                        .pointers = ARENA_ARRAY(e->arena, LLVMValueRef, most),
                        .places = places};
    bool is_empty = !type_elements(nest.shape);
    for (int i = first; i < k->fusion->result_count; i++) {
        const struct value *root = update_window_root(k->fusion, i);
        if (stored[i] || !root || !type_same_shape(root->type, nest.shape))
            continue;
        stored[i] = true;
        roots[nest.count] = root;
        nest.pointers[nest.count] = kernel_result(k, i);
        if (!is_empty)
            TRY(place_of(k, i, &places[nest.count]));
        nest.count++;
    }
    *work = 0;
    if (is_empty)
        return NULL;
    loops_plan(e->target, &nest);
    bool all = nest.count == k->fusion->result_count;
    *work = nest.plan.work;
    return loops_emit(e, &nest, 1, all ? k->begin : emitter_i64(e, 0),
                      all ? k->end : emitter_i64(e, nest.plan.work));
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
