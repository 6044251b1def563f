/* chunk.h: accumulators of a reduction for all vectors of a chunk (struct chunk), in memory. As
 * elements, their parts are the addresses of arrays with a vector for each vector of the chunk. */
#ifndef GANTRY_COMPILER_CODEGEN_LOOPS_CHUNK_H
#define GANTRY_COMPILER_CODEGEN_LOOPS_CHUNK_H

#include "compiler/codegen/element/element.h"

/* The stack that an array takes, in bytes. */
int64_t chunk_array_bytes(const struct chunk *chunk, enum dtype dtype, int lanes);
/* An array on the stack, not initialized. */
struct element chunk_array(struct emitter *e, const struct chunk *chunk, enum dtype dtype,
                           int lanes);
/* The vector of an array that belongs to the vector being emitted (e->chunk). */
struct element chunk_load(struct emitter *e, enum dtype dtype, const struct element *array);
void chunk_store(struct emitter *e, const struct element *array, const struct element *vector);

/* A loop over the vectors of a chunk: in its body, e->chunk is the same chunk with the loop's
 * counter. Ends before what `e->chunk` was changes. */
struct chunk_loop {
    struct loop *loop;
    struct chunk chunk;
    const struct chunk *outer;
};
void chunk_loop_begin(struct emitter *e, const struct chunk *chunk, struct chunk_loop *out);
void chunk_loop_end(struct emitter *e, struct chunk_loop *vectors);

#endif
