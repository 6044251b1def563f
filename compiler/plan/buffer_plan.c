/* buffer_plan.c: see buffer_plan.h. */
#include "compiler/plan/buffer_plan.h"

const struct slice *buffer_plan_slice(const struct buffer_plan *plan, const struct value *value)
{
    return map_get_pointer(plan->slices, value);
}

uint64_t buffer_plan_temp_size(const struct buffer_plan *plan, enum memory_kind memory)
{
    for (int i = 0; i < plan->allocation_count; i++)
        if (plan->allocations[i].kind == ALLOCATION_TEMP && plan->allocations[i].memory == memory)
            return plan->allocations[i].size;
    return 0;
}

const struct slice *buffer_plan_scratch(const struct buffer_plan *plan, const struct op *fusion)
{
    return map_get_pointer(plan->scratch, fusion);
}
