/* lower_partition.c: see lower_partition.h. */
#include "compiler/lower/lower_partition.h"

enum { CHUNKS_PER_THREAD = 4 }; /* balances the load between fast and slow threads */

/* The number of chunks that amortize the cost of starting threads. */
static int64_t chunks_of(const struct step *step, const struct target *target)
{
    int64_t most = (int64_t)target->cores * CHUNKS_PER_THREAD;
    if (step->cost < target->parallel_cost || target->cores <= 1)
        return 1;
    int64_t chunks = 2 * step->cost / (target->parallel_cost > 0 ? target->parallel_cost : 1);
    return chunks > most ? most : chunks;
}

static void partition_kernel(const struct codegen_request *request, const struct target *target,
                             struct step *step)
{
    int64_t work = request->kernels[step->kernel.index].work, chunks = chunks_of(step, target);
    step->kernel.work = work;
    step->kernel.grain = chunks > 1 ? (work + chunks - 1) / chunks : work;
}

void lower_partition(const struct codegen_request *request, const struct target *target,
                     struct step_list *list)
{
    for (int i = 0; i < list->count; i++) {
        struct step *step = &list->steps[i];
        if (step->kind == STEP_KERNEL) {
            partition_kernel(request, target, step);
        } else if (step->kind == STEP_WHILE) {
            lower_partition(request, target, &step->loop.condition);
            lower_partition(request, target, &step->loop.body);
        } else if (step->kind == STEP_CASE) {
            for (int branch = 0; branch < step->branch.count; branch++)
                lower_partition(request, target, &step->branch.branches[branch]);
        }
    }
}
