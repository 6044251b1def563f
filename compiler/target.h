/* target.h: the properties of a device for the compiler, set by devices/<name>/; the compiler does
 * not depend on devices. Immutable and static: it outlives every program compiled for it. */
#ifndef GANTRY_COMPILER_TARGET_H
#define GANTRY_COMPILER_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/dtype.h"
#include "base/isa.h"
#include "base/memory_kind.h"
#include "compiler/accelerator.h"

struct dot_spec; /* compiler/program/program.h */
struct convolution_spec;
struct fft_spec; /* compiler/program/fft_spec.h */

/* How products of f32 are computed (passes/product_passes.h). */
enum numerics {
    NUMERICS_F32,        /* in f32, whatever precision is asked for */
    NUMERICS_BF16_PASSES /* by matrix units that multiply bf16 and sum in f32 */
};

struct target {
    const char *name; /* "cpu", "tpu" */
    int cores;        /* threads that a kernel's work is partitioned over */
    struct isa isa;   /* of the machine that runs the generated code */
    /* capacity of each memory kind; 0: not limited */
    uint64_t memory_bytes[MEMORY_KIND_COUNT];
    bool plans_only; /* programs beyond these capacities compile, too: to look at their plans */
    /* last private level of a core, and the last level; results of kernels whose arrays are larger
     * than both are streamed */
    uint64_t cache_bytes, last_cache_bytes;
    int alignment; /* of every buffer and slice, in bytes: 64 */
    /* 1 << kind: the memory kinds that programs may use beside MEMORY_DEVICE */
    unsigned memory_kinds;
    /* True when a library computes the dot or convolution on this machine faster than generated
     * code; NULL: never. The result is constant while the process runs. Thread-safe. */
    bool (*supports_dot)(const struct dot_spec *spec);
    bool (*supports_convolution)(const struct convolution_spec *spec);
    /* the device runs STEP_ATTENTION and STEP_ATTENTION_BACKWARD (program.h) */
    bool supports_attention;
    bool supports_thin_dot; /* the device runs STEP_THIN_DOT */
    /* The complex numbers of scratch that the device's custom call gantry_fft needs
     * (passes/library/library_fft.h); NULL: it has none. Thread-safe. */
    int64_t (*fft_scratch)(const struct fft_spec *spec);
    bool has_top_k; /* the device has gantry_top_k (passes/library/library_top_k.h) */
    /* cost (see program.h) from which a kernel's work is partitioned over threads */
    int64_t parallel_cost;
    /* a loop body up to this cost an iteration is compiled as one function */
    int64_t region_cost;
    enum numerics numerics;
    /* bf16 and f16 keep f32's precision between the operations of a kernel; false: each result is
     * rounded to its type. A program's options override it (xla_allow_excess_precision). */
    bool excess_precision;
    /* The accelerator that this target is a model of; NULL: none, nothing is modeled. Static. */
    const struct accelerator *accelerator;
    struct interconnect interconnect; /* of its devices */
};

/* The cores of each participant of a program that runs on several devices: all of them compute at
 * once and share the machine's `cores`. At least 1. Compiler and launcher partition work by it:
 * partitioning for cores that are busy anyway costs time. */
static inline int target_share(int cores, int participants)
{
    return participants > 1 ? (cores + participants - 1) / participants : cores;
}

#endif
