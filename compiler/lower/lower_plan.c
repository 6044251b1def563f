/* lower_plan.c: see lower_plan.h. */
#include "compiler/lower/lower_plan.h"

#include "compiler/lower/lower_boundary.h"
#include "compiler/analysis/result_donors.h"

static bool is_in_device_memory(const struct type *type)
{
    return type->kind != TYPE_TENSOR || type->shape.memory == MEMORY_DEVICE;
}

static bool are_in_device_memory(const struct value *values, int count)
{
    for (int i = 0; i < count; i++)
        if (!is_in_device_memory(values[i].type))
            return false;
    return true;
}

static bool stays_on_device(const struct block *block)
{
    if (!are_in_device_memory(block->arguments, block->argument_count))
        return false;
    for (const struct op *op = block->first; op; op = op->next) {
        if (!are_in_device_memory(op->results, op->result_count))
            return false;
        for (int i = 0; i < op->region_count; i++)
            if (!stays_on_device(op->regions[i]))
                return false;
    }
    return true;
}

bool lower_plan_suffices(const struct module *module, const struct target *target)
{
    const struct func *entry = module->entry;
    if (!target->plans_only || !module->model || !stays_on_device(entry->body))
        return false;
    for (int i = 0; i < entry->result_count; i++)
        if (!is_in_device_memory(entry->result_types[i]))
            return false;
    return true;
}

void lower_plan(struct module *module, const struct target *target, struct lowered *out)
{
    int *aliases = (int *)(uintptr_t)result_donors(module->arena, module->entry);
    const struct buffer_plan plan = {.result_alias = aliases};
    const struct lowerer l = {
        .module = module, .arena = module->arena, .target = target, .plan = &plan};
    *out = (struct lowered){.request = {.target = target}};
    out->program.name = module->name ? (char *)(uintptr_t)module->name : "module";
    lower_boundary(&l, &out->program);
}
