/* lowerer.h: the state that the files of this folder share while one module is lowered. Internal to
 * compiler/lower; one thread. All memory is the arena's. */
#ifndef GANTRY_COMPILER_LOWER_LOWERER_H
#define GANTRY_COMPILER_LOWER_LOWERER_H

#include "base/vec.h"
#include "compiler/codegen_library.h"
#include "compiler/plan/buffer_plan.h"

struct lowered_lane {                /* messages of one channel, with equal pairs and sizes */
    const struct op *send, *receive; /* the first ones; NULL: none */
};

struct lowerer {
    struct module *module;
    struct arena *arena;   /* the module's */
    struct arena *scratch; /* its scratch, until the program is lowered */
    const struct target *target;
    const struct buffer_plan *plan;
    int constants;                        /* the allocation of constants */
    VEC(struct codegen_kernel) kernels;   /* kernel_merge.h */
    struct map *kernel_groups;            /* signature without constants -> struct kernel_group */
    struct map *kernel_users;             /* fusion -> struct kernel_user */
    double results_bytes;                 /* of the program; for kernel_merge.h */
    struct map *kernel_numbers;           /* signature -> index in `kernels` + 1 */
    VEC(struct program_channel) channels; /* lower_transfer.h */
    struct map *known_channels;           /* the keys of `channels` */
    VEC(struct program_groups) groups;    /* lower_collective.h */
    struct map *known_groups;             /* contents -> index in `groups` + 1 */
    VEC(struct lowered_lane) lanes;       /* of messages: lower_collective.h */
    struct map *known_lanes;              /* what they have in common -> index in `lanes` + 1 */
    int collective_count;                 /* steps so far at which participants meet */
    struct map *copies;                   /* result of a started copy -> its number + 1 */
    int copy_count;                       /* steps so far that start a copy */
    int plan_count;                       /* steps with a plan so far: library and custom calls */
    int fusion_count;                     /* fusions so far; numbers their labels */
    int64_t step_count;                   /* steps so far, those in loops and branches included */
    double executions;                    /* of what is being lowered, in loops */
    const struct op *sliced; /* the FUSION_SLICED whose step is being lowered; NULL: none */
    VEC(struct slice_offset) offsets; /* of that step */
    VEC(int64_t) positions; /* steps before each position of the buffer plan (buffer_plan.h) */
};

#endif
