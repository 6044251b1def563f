/* fusion_node.h: what fusion knows of an operation of the block that it visits, in op->note. */
#ifndef GANTRY_COMPILER_PASSES_FUSION_FUSION_NODE_H
#define GANTRY_COMPILER_PASSES_FUSION_FUSION_NODE_H

#include "compiler/passes/fusion/fusion_group.h"
#include "compiler/passes/fusion/fusion_op.h"

struct fusion_node {
    int index; /* position in the block, counted from its end */
    enum fusion_role role;
    bool is_stored; /* a user that is not part of a loop needs it in memory */
    int walk;       /* the number of the last walk that has met it (fusion_walk.h) */
    VEC(struct membership) in;
};

static inline struct fusion_node *fusion_node_of(const struct op *op)
{
    return op->note;
}

#endif
