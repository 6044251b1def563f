/* value_source.c: see value_source.h. */
#include "compiler/analysis/value_source.h"

const struct value *value_source(const struct value *value, bool copies)
{
    for (;;) {
        const struct op *owner = value->def ? NULL : value->block->owner;
        if (copies && value->def && value->def->code == OP_copy)
            value = value->def->operands[0];
        else if (owner && owner->code == OP_fusion)
            value = owner->operands[value->index];
        else
            return value;
    }
}

const struct op *value_definition(const struct value *value, bool copies)
{
    const struct value *source = value_source(value, copies);
    const struct op *op = source->def;
    return op && op->code == OP_fusion ? op->regions[0]->last->operands[source->index]->def : op;
}
