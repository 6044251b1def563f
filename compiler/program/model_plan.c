/* model_plan.c: see model_plan.h. */
#include "compiler/program/model_plan.h"

#include <stdbool.h>

const struct model_operation *model_plan_operations(const struct model_plan *plan)
{
    return (const struct model_operation *)(const void *)(plan + 1);
}

const struct model_largest *model_plan_largest(const struct model_plan *plan)
{
    return (const struct model_largest *)(const void *)(model_plan_operations(plan) +
                                                        plan->operation_count);
}

static const char *texts(const struct model_plan *plan)
{
    return (const char *)(model_plan_largest(plan) + plan->largest_count);
}

const char *model_plan_text(const struct model_plan *plan, uint64_t text)
{
    return texts(plan) + text;
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

static bool has_its_size(const struct model_plan *plan, uint64_t size)
{
    if (size < sizeof *plan || plan->size != size)
        return false;
    uint64_t rest = size - sizeof *plan;
    if (plan->operation_count > rest / sizeof(struct model_operation))
        return false;
    rest -= plan->operation_count * sizeof(struct model_operation);
    if (plan->largest_count > rest / sizeof(struct model_largest))
        return false;
    rest -= plan->largest_count * sizeof(struct model_largest);
    return plan->text_size == rest && (!rest || !texts(plan)[rest - 1]);
}

static bool has_its_texts(const struct model_plan *plan)
{
    for (uint64_t i = 0; i < plan->operation_count; i++) {
        const struct model_operation *operation = &model_plan_operations(plan)[i];
        if (operation->label >= plan->text_size || operation->bound < 0 ||
            operation->bound >= BOUND_COUNT)
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
    return has_its_size(plan, size) && has_its_texts(plan)
               ? NULL
               : ERROR(INVALID_ARGUMENT, "a serialized program has a damaged modeled plan");
}
