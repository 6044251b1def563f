#include "compiler/passes/spmd/partitioner.h"

#include "compiler/passes/spmd/spmd_mesh.h"

void shard_set(struct partitioner *p, struct value *value, const struct type *global,
               const struct tiling *tiling)
{
    struct shard *shard = ARENA_NEW(p->arena, struct shard);
    *shard = (struct shard){.global = global, .tiling = tiling};
    value->note = shard;
}

const struct tiling *partitioner_wanted(struct partitioner *p, const struct type *type)
{
    struct arena *arena = p->arena;
    int rank = type->shape.rank;
    return type->sharding ? spmd_mesh_tiling(arena, p->mesh, type->sharding, rank)
                          : tiling_replicated(arena, rank);
}

void partitioner_replace(struct partitioner *p, struct value *from, struct value *to)
{
    if (from == to)
        return;
    for (struct op *op = from->def->next; op; op = op == to->def ? NULL : op->next)
        op->note = p; /* the mark of the operations between */
    for (struct use *use = from->uses, *next; use; use = next) {
        next = use->next;
        if (use->user->note != p)
            ir_set_operand(p->module, use->user, use->operand, to);
    }
    for (struct op *op = from->def->next; op; op = op == to->def ? NULL : op->next)
        op->note = NULL;
}
