/* lower_kernel.c: see lower_kernel.h. */
#include "compiler/lower/lower_kernel.h"

#include "base/env.h"
#include "compiler/schedule/cost.h"
#include "compiler/analysis/stencil.h"
#include "compiler/analysis/trip_count.h"
#include "compiler/lower/execution_time.h"
#include "compiler/lower/kernel_merge.h"
#include "compiler/lower/lower_step.h"

enum {
    COMPUTE_BOUND = 3,        /* arithmetic per memory traffic from which tier 2 is used */
    GOOD_COST = 10000,        /* the cost of a step from which tier 1 amortizes its compile time, */
    LEAST_COST = 500,         /* or of its executions in loops if one of them costs this */
    GOOD_STENCIL_COST = 2500, /* the same for a stencil, whose loops tier 0 keeps in memory */
    OPTIMIZE_COST = 2000000,  /* the cost of a step from which tier 2 is used */
    LOOP_COST = 500000        /* the cost of a loop in a FUSION_REGION from which tier 2 is used */
};

/* True if a loop of the region is long enough for tier 2, which keeps small values in registers. */
static bool has_long_loop(const struct op *region)
{
    for (const struct op *op = region->regions[0]->first; op; op = op->next)
        if (op->code == OP_while && (trip_count_of(op) < 0 || cost_of_op(op) >= LOOP_COST))
            return true;
    return false;
}

/* The cost from which a kernel is compiled at tier 1. */
static double good_cost(const struct op *fusion)
{
    const struct op *end = fusion->regions[0]->last;
    const struct op *op = end->operand_count ? end->operands[0]->def : NULL;
    return op && stencil_is(op) ? GOOD_STENCIL_COST : GOOD_COST;
}

/* The memory traffic of operands and results in the units of cost.h: bytes / 4. */
static double traffic(const struct op *fusion)
{
    double moved = 0;
    for (int i = 0; i < fusion->operand_count; i++)
        moved += (double)type_bytes(fusion->operands[i]->type) / 4;
    for (int i = 0; i < fusion->result_count; i++)
        moved += (double)type_bytes(fusion->results[i].type) / 4;
    return moved;
}

/* Whether tier 1 is worth its compile time. Tier 0 keeps values of loops in memory, where vectors
 * that cross cache lines take several times as long. */
static bool is_good(const struct lowerer *l, const struct op *fusion, double cost)
{
    double least = good_cost(fusion);
    return cost >= least || (cost >= LEAST_COST && cost * l->executions >= least);
}

int lower_kernel_tier(const struct lowerer *l, const struct op *fusion)
{
    int choice = env_choice(ENV_GANTRY_TIER); /* 0: auto; n: tier n - 1 */
    if (choice > 0)
        return choice - 1;
    if (fusion->attrs.fusion.fusion_kind == FUSION_REGION && has_long_loop(fusion))
        return 2;
    double work = cost_of_block(fusion->regions[0]), cost = cost_of_op(fusion);
    if (cost >= OPTIMIZE_COST && work > COMPUTE_BOUND * traffic(fusion))
        return 2;
    return is_good(l, fusion, cost);
}

struct step lower_kernel(struct lowerer *l, struct op *fusion)
{
    const char *name = arena_format(l->arena, "fusion.%d", l->fusion_count++);
    const struct slice *scratch = buffer_plan_scratch(l->plan, fusion);
    struct step step = lower_step(l, STEP_KERNEL, name, fusion);
    step.cost = lower_step_cost(execution_time_cost(l, fusion));
    step.kernel.index = kernel_merge_index(l, fusion, lower_kernel_tier(l, fusion));
    lower_step_add_operands(l, &step, fusion, kernel_merge_operand_count(l, fusion) + 1);
    kernel_merge_add_operands(l, fusion, &step);
    lower_step_add_results(l, &step, fusion);
    if (scratch)
        lower_step_add_slice(&step, scratch);
    return step;
}

void lower_kernel_finish(struct lowerer *l, struct program *program,
                         struct codegen_request *request)
{
    program->kernel_count = (int)l->kernels.count;
    program->kernel_names = ARENA_ARRAY(l->arena, char *, l->kernels.count + 1);
    for (size_t i = 0; i < l->kernels.count; i++)
        program->kernel_names[i] = arena_format(l->arena, "%s", l->kernels.items[i].name);
    request->kernel_count = (int)l->kernels.count;
    request->kernels = l->kernels.items;
}
