/* fusion_group.h: the operations that will be one fusion: a root, whose elements the kernel's loops
 * go through, and what is computed with it. A group grows backwards from its root. */
#ifndef GANTRY_COMPILER_PASSES_FUSION_FUSION_GROUP_H
#define GANTRY_COMPILER_PASSES_FUSION_FUSION_GROUP_H

#include "base/vec.h"
#include "compiler/passes/fusion/eval_point.h"

enum {
    FUSION_GROUP_OPERANDS = 32 /* operands of a group; those of a root beyond it are not counted */
};

struct group {
    enum fusion_kind kind;
    struct op *root;
    VEC(struct op *) members;    /* in reverse order of the block */
    VEC(struct value *) outside; /* operands so far */
    VEC(struct op *) outputs;    /* members that are stored besides the root */
    int points;                  /* evaluation points of all members */
    double code;                 /* arithmetic an element, of all members at all their points */
    double uniform;              /* work that every call of the kernel does all of */
    bool reduces;                /* a member is a reduction */
    bool reduces_lanes;          /* one whose results differ along the root's last dimension */
    bool reduces_rows;           /* one whose results do not */
    bool transposes;             /* a member moves the innermost dimension of a large array */
    const struct op *asked_by;   /* the operation that is being placed, when it has ... */
    size_t asked_at;             /* ... this group as candidate number */
};

/* An operation in a group. */
struct membership {
    struct group *group;
    struct eval_points points;
};

/* A group of a root alone. */
struct group *fusion_group_create(struct arena *arena, enum fusion_kind kind, struct op *root);
/* Adds an operation that is computed at these points. */
void fusion_group_add(struct arena *arena, struct group *group, struct op *op,
                      const struct eval_points *points);

/* What adding an operation would add to group->code and group->uniform. */
double fusion_group_code(const struct op *op, const struct eval_points *points);
double fusion_group_uniform(const struct op *op, const struct eval_points *points);
/* Whether the results of a reduction at a point differ along the lanes of the group's loops. */
bool fusion_group_is_along_lanes(const struct group *group, const struct eval_point *point);

#endif
