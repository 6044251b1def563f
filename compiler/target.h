/* target.h: a device as numbers, filled in by devices/<name>/. The compiler reads these and never
 * includes a device. Immutable and static: it outlives every program compiled for it. */
#ifndef GANTRY_COMPILER_TARGET_H
#define GANTRY_COMPILER_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cpu.h"
#include "base/dtype.h"

struct dot_spec; /* compiler/program/program.h */
struct convolution_spec;

struct target {
    const char *name;                    /* "cpu", "tpu" */
    int cores;                           /* threads that a kernel's work is partitioned over */
    int vector_bytes;                    /* width of generated vector code */
    const struct cpu_features *features; /* of the machine that runs the generated code */
    uint64_t memory_bytes;               /* of the device memory; 0: not limited */
    /* last private level of a core; larger results are streamed */
    uint64_t cache_bytes;
    int alignment; /* of every buffer and slice, in bytes: 64 */
    /* Whether a library runs the product or convolution on this machine, better than generated code
     * would; NULL: none does. The answers stay the same while the process runs. Thread-safe. */
    bool (*supports_dot)(const struct dot_spec *spec);
    bool (*supports_convolution)(const struct convolution_spec *spec);
    /* cost (see program.h) from which a kernel is worth cutting for threads */
    int64_t parallel_cost;
    /* a loop body up to this cost an iteration is compiled as one function */
    int64_t region_cost;
};

#endif
