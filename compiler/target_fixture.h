/* target_fixture.h: a small device as the compiler's tests use it: the same on every machine but
 * for the generated code's vectors. Header only. */
#ifndef GANTRY_COMPILER_TARGET_FIXTURE_H
#define GANTRY_COMPILER_TARGET_FIXTURE_H

#include "compiler/target.h"

/* Library steps take operands and results of one type. */
static inline bool target_fixture_serves(enum dtype lhs, enum dtype rhs, enum dtype out)
{
    return lhs == rhs && lhs == out;
}

static inline struct target target_fixture(void)
{
    return (struct target){.name = "test",
                           .cores = 2,
                           .vector_bytes = cpu_vector_bytes(),
                           .features = cpu_features(),
                           .cache_bytes = 1 << 20,
                           .alignment = 64,
                           .serves_dot = target_fixture_serves,
                           .serves_convolution = target_fixture_serves,
                           .parallel_cost = 200000,
                           .region_cost = 20000};
}

#endif
