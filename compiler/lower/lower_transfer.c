/* lower_transfer.c: see lower_transfer.h. */
#include "compiler/lower/lower_transfer.h"

#include <stdlib.h>

#include "compiler/lower/lower_step.h"

static void use_channel(struct lowerer *l, int64_t id, bool receives)
{
    int64_t key[2] = {id, receives};
    if (!map_put(l->known_channels, key, sizeof key, l))
        VEC_PUSH(l->arena, &l->channels, ((struct program_channel){id, receives}));
}

struct error *lower_transfer(struct lowerer *l, const struct op *op, struct step *out)
{
    bool receives = op->code == OP_recv;
    *out = lower_step(l, receives ? STEP_RECEIVE : STEP_SEND, op_info(op->code)->name, op);
    lower_step_add_values(l, out, op);
    if (out->slice_count != 1)
        return ERROR(UNIMPLEMENTED,
                     "%s: transfers %d arrays; a transfer with the host must have one",
                     ir_where(l->arena, op), out->slice_count);
    out->channel = op->attrs.channel.channel_id;
    use_channel(l, out->channel, receives);
    return NULL;
}

void lower_transfer_finish(struct lowerer *l, struct program *program)
{
    if (l->channels.count)
        qsort(l->channels.items, l->channels.count, sizeof *l->channels.items,
              program_compare_channels);
    program->channel_count = (int)l->channels.count;
    program->channels = l->channels.items;
}
