/* model_plan.h: what a modeled accelerator would do with a program (compiler/model/model.h):
 * figures of one execution on one device. Part of the program. One block of memory, without
 * pointers: the struct, its operations, its loops, its largest values, its collectives and their
 * numbers, its Pallas kernels with their windows and steps, its texts. Immutable once made. */
#ifndef GANTRY_COMPILER_PROGRAM_MODEL_PLAN_H
#define GANTRY_COMPILER_PROGRAM_MODEL_PLAN_H

#include <stdint.h>

#include "base/error.h"

/* What an operation waits for most. */
enum model_bound {
    BOUND_COMPUTE, /* matrix units */
    BOUND_VECTOR,  /* vector unit */
    BOUND_HBM,
    BOUND_HOST,  /* the link to the host */
    BOUND_LINKS, /* between chips */
    BOUND_COUNT
};

enum model_resource { /* what runs while others do something else */
                      MODEL_KERNELS,
                      MODEL_LINKS, /* asynchronous transfers between chips */
                      MODEL_TO_HOST,
                      MODEL_FROM_HOST,
                      MODEL_RESOURCES
};

struct model_operation { /* a kernel, or what runs beside kernels */
    uint64_t label;      /* text: "dot_general: jit(f)/dot_general (model.py:12)" */
    int64_t bound;       /* enum model_bound */
    double times;        /* executed in one execution of the program */
    double seconds;      /* of all of them */
    double hidden;       /* of these, while kernels run: of copies and asynchronous collectives */
    double waited;       /* until it ends, in all of them, while kernels wait for it */
    double flops, hbm_bytes;       /* likewise; flops of products */
    double host_bytes, link_bytes; /* to or from the host; that this device sends to others */
    double begin;                  /* seconds after the begin of its loop's iteration */
    int64_t loop;                  /* that it is in: index + 1; 0: none */
    int64_t resource;              /* enum model_resource: that it occupies while it runs */
    int64_t pallas; /* of the Pallas kernels the one that it is: index + 1; 0: none */
    /* seconds of all executions for which it keeps each unit busy */
    double matrix, vector, hbm, host, links;
};

struct model_loop {        /* a loop, branch or call */
    uint64_t label;        /* text, as above */
    int64_t loop;          /* that it is in: index + 1, at most its own index; 0: none */
    double begin, seconds; /* likewise; of one iteration, all regions together */
    double trips;          /* of one iteration of the loop that it is in */
};

struct model_largest { /* a temporary in HBM when most of it is in use */
    uint64_t label;    /* text: the operation that writes it */
    uint64_t shape;    /* text: "f32[8,512]{1,0:T(8,128)}" */
    uint64_t bytes, unpadded_bytes;
};

/* An operand of a collective as the accelerator's partitioner makes it, before later passes combine
 * collectives or merge them into kernels. */
struct model_collective {
    uint64_t label;           /* text, as above */
    int64_t kind, reducer;    /* enum collective_kind, enum collective_reducer (program.h) */
    int64_t dtype;            /* enum dtype */
    uint64_t operand, result; /* numbers: the rank, then the dimensions, on one participant */
    uint64_t groups; /* numbers: for each group how many members, then these; of a permute the pairs
                      * of source and target. MODEL_NO_GROUPS: too many to be listed */
    int64_t group_count, group_size; /* members of the largest */
    double times;                    /* executed in one execution of the program */
    int64_t is_exact;                /* 0: unknown trip counts of loops are taken as 1 */
    double bytes, sent; /* of the operand; that a participant sends in one execution of it */
};
#define MODEL_NO_GROUPS UINT64_MAX
enum { MODEL_MAX_MEMBERS = 1 << 20 }; /* of all groups and pairs that collectives list */

/* A Pallas kernel of the program; equal calls are one. Figures are of one launch on one device. */
struct model_pallas {
    uint64_t label, name; /* texts: the first call, as above; the kernel's name */
    double times;         /* launched in one execution of the program */
    uint64_t vmem_bytes, vmem_limit_bytes, smem_bytes;
    double steps; /* of the grid, of one core */
    double cycles, seconds;
    double matrix, vector, waited; /* cycles: units of a core are busy; it waits for copies */
    double flops, hbm_bytes, link_bytes;
    int64_t is_exact;                  /* 0: bounds or trip counts are unknown, and assumed */
    uint64_t window_count, step_count; /* of the lists that all kernels share, in order */
};

struct model_pallas_window {  /* an array or block in VMEM or SMEM */
    uint64_t label;           /* text: "input 0: memref<128x128xbf16, vmem>" */
    uint64_t bytes;           /* of one buffer, with padding */
    int64_t buffers, in_vmem; /* in_vmem 0: in SMEM */
};

struct model_pallas_step { /* one of the first of the grid: cycles after the kernel's begin */
    double begin, ready, computed, end;
};

struct model_plan {
    uint64_t size; /* bytes of the whole plan */
    /* Bytes of HBM with padding. peak: arguments + outputs - aliases + temporaries, which is what
     * the accelerator's compiler compares with the capacity. */
    uint64_t argument_bytes, output_bytes, alias_bytes, temp_bytes, peak_bytes, capacity_bytes;
    uint64_t table_bytes; /* of output_bytes: the table of the results' addresses */
    uint64_t host_argument_bytes, host_output_bytes;
    double seconds, seconds_low, seconds_high;
    double serial_seconds, ideal_seconds; /* if nothing overlapped; if all did that may */
    double hidden_seconds;                /* of copies and collectives, while kernels run */
    double host_seconds, link_seconds;    /* hidden or not */
    double flops, hbm_bytes, host_bytes, link_bytes;
    double mfu;                              /* flops / seconds, of the accelerator's peak */
    uint64_t unknown_trips;                  /* loops whose trip count is unknown and taken as 1 */
    uint64_t operation_count, largest_count; /* in order; by size */
    uint64_t loop_count;                     /* outer ones before inner ones */
    uint64_t collective_count, number_count;
    uint64_t pallas_count, window_count, step_count;
    uint64_t text_size;
};

/* Borrowed from the plan. */
const struct model_operation *model_plan_operations(const struct model_plan *plan);
const struct model_loop *model_plan_loops(const struct model_plan *plan);
const struct model_largest *model_plan_largest(const struct model_plan *plan);
const struct model_collective *model_plan_collectives(const struct model_plan *plan);
const int64_t *model_plan_numbers(const struct model_plan *plan); /* of collectives */
const struct model_pallas *model_plan_pallas(const struct model_plan *plan);
const struct model_pallas_window *model_plan_windows(const struct model_plan *plan);
const struct model_pallas_step *model_plan_steps(const struct model_plan *plan);
const char *model_plan_text(const struct model_plan *plan, uint64_t text);

double model_plan_intensity(const struct model_plan *plan); /* flops a byte of HBM; 0: no bytes */

const char *model_plan_bound_name(enum model_bound bound); /* "matrix units"; static */

/* INVALID_ARGUMENT unless a block of `size` bytes from outside is a plan: counts that are its size,
 * texts, loops and numbers that it has, bounds, kinds and types that are known. */
struct error *model_plan_check(const struct model_plan *plan, uint64_t size);

#endif
