/* buffer_sizes.h: dynamic sizes of a buffer, whose shape has their bounds. Each is a separate
 * buffer of one s32 that the program wrote (program.sizes). The bytes of such a buffer begin with
 * its elements, row-major in its real sizes; the rest is padding. Sizes are shared by copies of the
 * buffer and reference-counted. Thread-safe. */
#ifndef GANTRY_RUNTIME_BUFFER_SIZES_H
#define GANTRY_RUNTIME_BUFFER_SIZES_H

#include "runtime/buffer.h"
#include "runtime/execute.h"

struct buffer_sizes;

/* Which dimensions have one, ascending; borrowed from the buffer. None: *count is 0. */
const size_t *buffer_sizes_dynamic(const struct buffer *buffer, size_t *count);
/* The shape with the real sizes, row-major if there are any; waits for them. Borrows from the
 * buffer. Errors: that of the execution that should have written them. */
struct error *buffer_sizes_shape(struct buffer *buffer, struct shape *out);

void buffer_sizes_retain(struct buffer_sizes *sizes);  /* accepts NULL */
void buffer_sizes_release(struct buffer_sizes *sizes); /* accepts NULL */

/* Executes a program (execute.h). Of one with sizes, `run` gets the request with the sizes of the
 * arguments as further arguments, and those of the results become those of the buffers. An argument
 * without sizes has its bounds. */
struct error *buffer_sizes_execute(const struct execute_request *request,
                                   struct error *(*run)(const struct execute_request *request));

#endif
