/* stress_model.h: the expected results of random operations on buffers. A *value* is the expected
 * contents of an f32 buffer, or an error (always DATA_LOSS); buffers with equal contents share one
 * value. Element i of a known value is base + step * (i % 64). A value that waits for a promise is
 * open, and so are values computed from it, until the promise is fulfilled. Thread-safe. */
#ifndef GANTRY_CONFORMANCE_STRESS_MODEL_H
#define GANTRY_CONFORMANCE_STRESS_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum stress_state { STRESS_OPEN, STRESS_KNOWN, STRESS_ANY, STRESS_ERROR };

struct stress_value;

struct stress_contents {
    enum stress_state state; /* STRESS_ANY: uninitialized memory */
    int64_t base, step;      /* of STRESS_KNOWN */
};

/* All return owned values: stress_model_release. They abort the process if memory is exhausted. */
struct stress_value *stress_model_known(int64_t base, int64_t step);
struct stress_value *stress_model_any(void);
struct stress_value *stress_model_error(void);
struct stress_value *stress_model_open(void);
/* The value 2 * x + y; both operands are borrowed. */
struct stress_value *stress_model_computed(struct stress_value *x, struct stress_value *y);
struct stress_value *stress_model_retain(struct stress_value *value);
void stress_model_release(struct stress_value *value); /* accepts NULL */

/* Makes an open value equal to `source` (borrowed). Call it at most once per open value. */
void stress_model_follow(struct stress_value *open, struct stress_value *source);
struct stress_contents stress_model_contents(const struct stress_value *value);
/* Whether 2 * x + y is exact in f32, and its chain of computations is not too long. */
bool stress_model_can_compute(const struct stress_value *x, const struct stress_value *y);
/* Whether an open value may follow the source: values computed from it stay exact, and the source
 * itself does not depend on an open value. */
bool stress_model_can_follow(const struct stress_value *source);

/* Allocates host memory for `count` elements, aligned to 64 bytes and filled with a value (NULL:
 * not filled). It is reference-counted: stress_model_share adds a reference, and stress_model_drop
 * releases one and frees the memory with the last. */
float *stress_model_elements(const struct stress_value *value, size_t count);
float *stress_model_share(float *elements);
void stress_model_drop(float *elements);
/* The index of the first unexpected element among `count` elements, which begin at element `first`
 * of the array; `count` if all are as expected. */
size_t stress_model_compare(struct stress_contents contents, const float *elements, size_t first,
                            size_t count);

/* ---- Ranges of memory ------------------------------------------------------------------------ */

struct stress_range {
    uintptr_t start, end;
    uint64_t owner; /* ranges of one owner may overlap */
};
/* Sorts the ranges. Returns the index of a range that overlaps an earlier one with a different
 * owner, or `count`. */
size_t stress_model_overlap(struct stress_range *ranges, size_t count);

/* ---- Random numbers -------------------------------------------------------------------------- */

uint64_t stress_model_random(uint64_t *state);
static inline int stress_model_below(uint64_t *state, int bound)
{
    return (int)(stress_model_random(state) % (uint64_t)bound);
}

#endif
