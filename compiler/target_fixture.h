/* target_fixture.h: a small device for the compiler's tests: the same on every machine except for
 * the width of vectors. Header only. */
#ifndef GANTRY_COMPILER_TARGET_FIXTURE_H
#define GANTRY_COMPILER_TARGET_FIXTURE_H

#include "compiler/program/fft_spec.h"
#include "compiler/program/program.h"
#include "compiler/target.h"

/* Library steps require operands and results of one type. */
static inline bool target_fixture_supports_dot(const struct dot_spec *spec)
{
    return spec->lhs == spec->rhs && spec->lhs == spec->out;
}

static inline bool target_fixture_supports_convolution(const struct convolution_spec *spec)
{
    return spec->lhs == spec->rhs && spec->lhs == spec->out;
}

/* As many numbers as a result of long lines has. */
static inline int64_t target_fixture_fft_scratch(const struct fft_spec *spec)
{
    int64_t last = spec->lengths[spec->dims - 1];
    return last > 4096 ? spec->outer * last : 0;
}

static inline struct target target_fixture(void)
{
    return (struct target){.name = "test",
                           .cores = 2,
                           .isa = isa_of(cpu_features()),
                           .cache_bytes = 1 << 20,
                           .alignment = 64,
                           .memory_kinds = MEMORY_KINDS_ALL,
                           .supports_dot = target_fixture_supports_dot,
                           .supports_convolution = target_fixture_supports_convolution,
                           .supports_attention = true,
                           .supports_thin_dot = true,
                           .fft_scratch = target_fixture_fft_scratch,
                           .parallel_cost = 200000,
                           .region_cost = 20000};
}

#endif
