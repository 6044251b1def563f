/* unused_functions.c: see unused_functions.h. */
#include "compiler/passes/rewrite/unused_functions.h"

#include "base/map.h"

static void keep_called(struct map *kept, const struct block *block)
{
    for (const struct op *op = block->first; op; op = op->next) {
        for (int r = 0; r < op->region_count; r++)
            keep_called(kept, op->regions[r]);
        for (int64_t i = 0;
             op->code == OP_custom_call && i < op->attrs.custom_call.called_computations.count;
             i++) {
            struct func *func = op->attrs.custom_call.called_computations.at[i];
            if (!map_put_pointer(kept, func, func))
                keep_called(kept, func->body);
        }
    }
}

void unused_functions_remove(struct module *module)
{
    if (module->first == module->last)
        return;
    struct map *kept = map_create(module->arena);
    map_put_pointer(kept, module->entry, module->entry);
    keep_called(kept, module->entry->body);
    struct func **at = &module->first;
    module->last = NULL;
    for (struct func *func = module->first; func; func = func->next)
        if (map_get_pointer(kept, func)) {
            *at = func;
            at = &func->next;
            module->last = func;
        }
    *at = NULL;
}
