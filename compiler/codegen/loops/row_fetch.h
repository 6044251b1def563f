/* row_fetch.h: fetching the next rows of an array from memory while rows are computed with.
 *
 * The first loop over a row reads it from memory, later ones from the cache. While a loop with much
 * arithmetic runs, nothing would be read from memory: processors fetch ahead of loads only, and
 * these are behind it. So its loads also fetch where they are from one row on.
 *
 * Columns of large arrays are reduced in groups of rows (reduction.h), of which a few lines each
 * are read in turn: less than what processors fetch ahead for. So these loads fetch those of the
 * next group.
 *
 * Updates that are scattered are read once, in order. They are fetched across the ends of pages,
 * where processors stop fetching ahead, if the kernel reads no other large array. */
#ifndef GANTRY_COMPILER_CODEGEN_LOOPS_ROW_FETCH_H
#define GANTRY_COMPILER_CODEGEN_LOOPS_ROW_FETCH_H

#include "compiler/codegen/loops/expression.h"

/* A loop that reduces a row, from begin to end. `fetches`: it has much arithmetic. */
struct row_loop {
    int number; /* counted from 1 */
    bool fetches;
};
struct row_loop row_loop_begin(struct emitter *e, bool fetches); /* returns the one around */
void row_loop_end(struct emitter *e, struct row_loop outer);

/* From here to the end, loads at an index with `row`, the loop over a group's rows, fetch the next
 * group. NULL: nothing changes. Returns what to end with. */
int row_group_begin(struct emitter *e, const struct affine *row);
void row_group_end(struct emitter *e, int outer);

/* Whether an array is so large that it is read from memory. */
bool row_fetch_is_large(const struct emitter *e, const struct type *type);
/* From here on, until e->rows.streams is set to the result, what is loaded is read once and in
 * order. */
bool row_fetch_stream(struct emitter *e);

/* Notes that a vector of the element at `index` was loaded from `offset` of a value, and fetches
 * that of the next row, if another loop has loaded the row before, or of the next group. */
void row_fetch(struct emitter *e, const struct value *value, LLVMValueRef pointer,
               const struct index *index, const struct affine *offset);

/* Fetches the lines of a vector that is loaded from `offset`, so many elements further on, which
 * may be beyond the array. */
void row_fetch_ahead(struct emitter *e, enum dtype dtype, LLVMValueRef pointer,
                     const struct affine *offset, int64_t elements);

#endif
