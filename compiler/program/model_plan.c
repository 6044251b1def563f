/* model_plan.c: see model_plan.h. */
#include "compiler/program/model_plan.h"

#include <stdbool.h>

#include "base/shape.h"
#include "compiler/program/program.h"

const struct model_operation *model_plan_operations(const struct model_plan *plan)
{
    return (const struct model_operation *)(const void *)(plan + 1);
}

const struct model_loop *model_plan_loops(const struct model_plan *plan)
{
    return (const struct model_loop *)(const void *)(model_plan_operations(plan) +
                                                     plan->operation_count);
}

const struct model_largest *model_plan_largest(const struct model_plan *plan)
{
    return (const struct model_largest *)(const void *)(model_plan_loops(plan) + plan->loop_count);
}

const struct model_collective *model_plan_collectives(const struct model_plan *plan)
{
    return (const struct model_collective *)(const void *)(model_plan_largest(plan) +
                                                           plan->largest_count);
}

const int64_t *model_plan_numbers(const struct model_plan *plan)
{
    return (const int64_t *)(const void *)(model_plan_collectives(plan) + plan->collective_count);
}

const struct model_pallas *model_plan_pallas(const struct model_plan *plan)
{
    return (const struct model_pallas *)(const void *)(model_plan_numbers(plan) +
                                                       plan->number_count);
}

const struct model_pallas_window *model_plan_windows(const struct model_plan *plan)
{
    return (const struct model_pallas_window *)(const void *)(model_plan_pallas(plan) +
                                                              plan->pallas_count);
}

const struct model_pallas_step *model_plan_steps(const struct model_plan *plan)
{
    return (const struct model_pallas_step *)(const void *)(model_plan_windows(plan) +
                                                            plan->window_count);
}

static const char *texts(const struct model_plan *plan)
{
    return (const char *)(model_plan_steps(plan) + plan->step_count);
}

const char *model_plan_text(const struct model_plan *plan, uint64_t text)
{
    return texts(plan) + text;
}

double model_plan_intensity(const struct model_plan *plan)
{
    return plan->hbm_bytes > 0 ? plan->flops / plan->hbm_bytes : 0;
}

const char *model_plan_bound_name(enum model_bound bound)
{
    static const char *const names[] = {[BOUND_COMPUTE] = "matrix units",
                                        [BOUND_VECTOR] = "vector unit",
                                        [BOUND_HBM] = "HBM",
                                        [BOUND_HOST] = "host link",
                                        [BOUND_LINKS] = "chip links"};
    return bound < BOUND_COUNT ? names[bound] : "unknown";
}

/* Takes `count` items from the bytes that are left. */
static bool take(uint64_t *rest, uint64_t count, uint64_t size)
{
    if (count > *rest / size)
        return false;
    *rest -= count * size;
    return true;
}

static bool has_its_size(const struct model_plan *plan, uint64_t size)
{
    uint64_t rest = size - sizeof *plan;
    return size >= sizeof *plan && plan->size == size &&
           take(&rest, plan->operation_count, sizeof(struct model_operation)) &&
           take(&rest, plan->loop_count, sizeof(struct model_loop)) &&
           take(&rest, plan->largest_count, sizeof(struct model_largest)) &&
           take(&rest, plan->collective_count, sizeof(struct model_collective)) &&
           take(&rest, plan->number_count, sizeof(int64_t)) &&
           take(&rest, plan->pallas_count, sizeof(struct model_pallas)) &&
           take(&rest, plan->window_count, sizeof(struct model_pallas_window)) &&
           take(&rest, plan->step_count, sizeof(struct model_pallas_step)) &&
           plan->text_size == rest && (!rest || !texts(plan)[rest - 1]);
}

/* Whether the plan has the number `at` and as many behind it as that says, at most `most`. */
static bool has_list(const struct model_plan *plan, uint64_t at, uint64_t most)
{
    if (at >= plan->number_count)
        return false;
    uint64_t count = (uint64_t)model_plan_numbers(plan)[at];
    return count <= most && count <= plan->number_count - at - 1;
}

/* *members: how many groups and members may still be listed, by all collectives together. */
static bool has_groups(const struct model_plan *plan, const struct model_collective *collective,
                       int64_t *members)
{
    uint64_t at = collective->groups;
    if (at == MODEL_NO_GROUPS)
        return true;
    if (collective->group_count < 0)
        return false;
    for (int64_t i = 0; i < collective->group_count; i++) {
        if (!has_list(plan, at, (uint64_t)*members))
            return false;
        int64_t count = model_plan_numbers(plan)[at];
        *members -= count + 1;
        if (*members < 0)
            return false;
        at += 1 + (uint64_t)count;
    }
    return true;
}

static bool is_known(int64_t number, int64_t count)
{
    return number >= 0 && number < count;
}

static bool has_its_collectives(const struct model_plan *plan)
{
    int64_t members = 2 * MODEL_MAX_MEMBERS; /* a number for each group, too */
    for (uint64_t i = 0; i < plan->collective_count; i++) {
        const struct model_collective *at = &model_plan_collectives(plan)[i];
        if (at->label >= plan->text_size || !is_known(at->kind, COLLECTIVE_BROADCAST + 1) ||
            !is_known(at->reducer, REDUCER_XOR + 1) || !is_known(at->dtype, DTYPE_COUNT) ||
            !has_list(plan, at->operand, SHAPE_MAX_RANK + 1) ||
            !has_list(plan, at->result, SHAPE_MAX_RANK + 1) || !has_groups(plan, at, &members))
            return false;
    }
    return true;
}

/* The kernels have all windows and steps between them. */
static bool has_its_kernels(const struct model_plan *plan)
{
    uint64_t windows = plan->window_count, steps = plan->step_count;
    for (uint64_t i = 0; i < plan->pallas_count; i++) {
        const struct model_pallas *at = &model_plan_pallas(plan)[i];
        if (at->label >= plan->text_size || at->name >= plan->text_size ||
            at->window_count > windows || at->step_count > steps)
            return false;
        windows -= at->window_count;
        steps -= at->step_count;
    }
    for (uint64_t i = 0; i < plan->window_count; i++)
        if (model_plan_windows(plan)[i].label >= plan->text_size)
            return false;
    return !windows && !steps;
}

static bool has_its_texts(const struct model_plan *plan)
{
    for (uint64_t i = 0; i < plan->operation_count; i++) {
        const struct model_operation *operation = &model_plan_operations(plan)[i];
        if (operation->label >= plan->text_size || operation->bound < 0 ||
            operation->bound >= BOUND_COUNT || operation->resource < 0 ||
            operation->resource >= MODEL_RESOURCES || operation->loop < 0 ||
            (uint64_t)operation->loop > plan->loop_count || operation->pallas < 0 ||
            (uint64_t)operation->pallas > plan->pallas_count)
            return false;
    }
    for (uint64_t i = 0; i < plan->loop_count; i++) {
        const struct model_loop *loop = &model_plan_loops(plan)[i];
        if (loop->label >= plan->text_size || loop->loop < 0 || (uint64_t)loop->loop > i)
            return false;
    }
    for (uint64_t i = 0; i < plan->largest_count; i++) {
        const struct model_largest *largest = &model_plan_largest(plan)[i];
        if (largest->label >= plan->text_size || largest->shape >= plan->text_size)
            return false;
    }
    return true;
}

struct error *model_plan_check(const struct model_plan *plan, uint64_t size)
{
    return has_its_size(plan, size) && has_its_texts(plan) && has_its_collectives(plan) &&
                   has_its_kernels(plan)
               ? NULL
               : ERROR(INVALID_ARGUMENT, "a serialized program has a damaged modeled plan");
}
