/* fusion_group.h: a set of operations that will become one fusion: a root, over whose elements the
 * kernel iterates, and producers computed with it. A group grows backwards from its root. */
#ifndef GANTRY_COMPILER_PASSES_FUSION_FUSION_GROUP_H
#define GANTRY_COMPILER_PASSES_FUSION_FUSION_GROUP_H

#include "base/vec.h"
#include "compiler/schedule/join_cost.h"

enum {
    FUSION_GROUP_OPERANDS = 32 /* most operands of a group; a root may have more, which are not
                                * counted */
};

struct group {
    enum fusion_kind kind;
    bool in_region; /* in a loop that is cheap enough for one kernel (outline.h) */
    bool copies;    /* the root is a concatenation of many arrays, which are stored and copied */
    struct op *root;
    VEC(struct op *) members;      /* in reverse order of the block */
    VEC(struct value *) outside;   /* current operands */
    VEC(struct op *) outputs;      /* members other than the root that are stored */
    int points;                    /* evaluation points of all members */
    double code;                   /* cost per element of all members at all of their points */
    double uniform;                /* cost of what each work item of the kernel repeats */
    bool reduces;                  /* a member is a reduction */
    bool reduces_lanes;            /* ... whose results differ along the root's last dimension */
    bool reduces_rows;             /* ... whose results do not */
    bool sums_rows, sums_columns;  /* a member reduces along its operand's innermost dimension; a
                                    * member along others only */
    bool transposes;               /* a member moves the innermost dimension of a large array */
    bool interleaves;              /* a member, not the root, is a large concatenation whose
                                    * operands alternate in an unrolled loop; ... */
    bool selects;                  /* ... or are selected by conditions */
    bool apart;                    /* fusion_join_parts_rows() of a member */
    const struct op *candidate_of; /* the last operation for which the group was a candidate */
    size_t candidate_index;        /* its index among the candidates of that operation */
};

/* A group that computes an operation, and the points where it does. */
struct membership {
    struct group *group;
    struct eval_points points;
    bool is_once; /* fusion_join_is_once(); ... */
    /* ... else, or if there are several groups, what is before the operation is known: */
    struct join_operands operands; /* what an element of it takes there ... */
    struct join_operands alone;    /* ... and in a kernel of its own */
};

/* Returns a group whose only member is `root`. */
struct group *fusion_group_create(struct arena *arena, enum fusion_kind kind, struct op *root);
/* Adds an operation that is computed at `points`. */
void fusion_group_add(struct arena *arena, struct group *group, struct op *op,
                      const struct eval_points *points);

/* The amounts by which adding an operation would increase group->code and group->uniform. */
double fusion_group_code(const struct op *op, const struct eval_points *points);
double fusion_group_uniform(const struct op *op, const struct eval_points *points);
/* Whether the results of a reduction at a point differ along the vector lanes (the last dimension)
 * of the group's loops. */
bool fusion_group_is_along_lanes(const struct group *group, const struct eval_point *point);

#endif
