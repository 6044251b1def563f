/* attention_arrays.h: arrays of f32 or bf16 numbers that attention and its gradient read and write.
 * Strides are in numbers. Thread-safe. */
#ifndef GANTRY_DEVICES_HOST_ATTENTION_ATTENTION_ARRAYS_H
#define GANTRY_DEVICES_HOST_ATTENTION_ATTENTION_ARRAYS_H

#include "compiler/program/program.h"
#include "devices/host/tiles/tile_product.h"

/* Rows and columns of numbers. */
struct attention_array {
    void *at;
    enum dtype dtype;
    int64_t row_stride, column_stride;
};

/* Batch `batch` of the operands and the result of a product, where each begins at `array`. */
struct attention_array attention_array_lhs(const struct dot_spec *s, void *array, int64_t batch);
struct attention_array attention_array_rhs(const struct dot_spec *s, void *array, int64_t batch);
struct attention_array attention_array_out(const struct dot_spec *s, void *array, int64_t batch);

/* An array from row `row` on. */
struct attention_array attention_array_from(const struct attention_array *array, int64_t row);

/* Fetches part `part` of `parts` of an array, of which one stride is 1, into the second cache. */
void attention_array_fetch(const struct attention_array *array, int64_t rows, int64_t columns,
                           int64_t part, int64_t parts);

/* Parts of arrays that caches fetch one after the other while tiles are multiplied. */
enum { ATTENTION_AHEAD = 8 };
struct attention_ahead {
    struct tile_ahead parts[ATTENTION_AHEAD];
    int count;
    int64_t lines; /* of all */
};

/* Adds part `part` of `parts` of an array, of which one stride is 1, unless there are
 * ATTENTION_AHEAD already: parts without prefetch are only read later. */
void attention_ahead_add(struct attention_ahead *ahead, const struct attention_array *array,
                         int64_t rows, int64_t columns, int64_t part, int64_t parts);

/* What tiles fetch, all of it while they multiply `steps` times TILE_FETCH_STEPS elements along k;
 * NULL: nothing. In `ahead`, which changes. */
struct tile_ahead *attention_ahead_begin(struct attention_ahead *ahead, int64_t steps);

/* Rows that tiles can read: those of whole tiles whose columns are adjacent, where they are, and
 * others as a dense copy of the same type. */
struct attention_array attention_array_load(const struct attention_array *from, int64_t rows,
                                            int64_t columns, void *copy);

/* Copies rows of f32, whose columns are adjacent, to an array; rounds them to bf16 if it is. */
void attention_array_store(const struct tile_product *product, const float *from,
                           int64_t from_stride, int64_t rows, int64_t columns,
                           const struct attention_array *to);

/* Whether all numbers of rows whose columns are adjacent, of the product's type, are below
 * 2^TILE_USUAL: sums of ATTENTION_MAX_WIDTH products of two are finite. */
bool attention_array_is_usual(const struct tile_product *product,
                              const struct attention_array *array, int64_t rows, int64_t columns);

#endif
