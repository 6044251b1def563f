/* sample_buffers.h: for rules about buffers: a small array with known elements, and the calls that
 * such rules have in common. Thread-safe. */
#ifndef GANTRY_CONFORMANCE_SAMPLE_BUFFERS_H
#define GANTRY_CONFORMANCE_SAMPLE_BUFFERS_H

#include "conformance/cts/rule_sequences.h"

/* ---- An array of known elements -------------------------------------------------------------- */

enum { SAMPLE = 64, SAMPLE_BYTES = SAMPLE * 4 }; /* f32, one dimension */

extern const int64_t sample_dims[1]; /* {SAMPLE} */
void sample_fill(float values[SAMPLE]);
/* The dense layout of an array of one dimension; its lists are static. */
PJRT_Buffer_MemoryLayout sample_layout(void);
/* Uploads the sample. sample_check() downloads and compares; sample_check_times() expects each
 * element multiplied. */
struct error *sample_upload(struct rule_context *t, PJRT_Buffer **out /*owned*/);
struct error *sample_upload_to(struct rule_context *t, PJRT_Device *device, PJRT_Memory *memory,
                               PJRT_Buffer **out /*owned*/);
void sample_check(struct rule_context *t, PJRT_Buffer *buffer);
void sample_check_times(struct rule_context *t, PJRT_Buffer *buffer, float factor);
/* Arguments of an upload of `values` to the first device; any of them may be changed. */
PJRT_Client_BufferFromHostBuffer_Args sample_arguments(const struct rule_context *t,
                                                       const float *values);
/* Uploads, waits until the host array is free, destroys the buffer: for calls that must fail. */
struct error *sample_try(struct rule_context *t, PJRT_Client_BufferFromHostBuffer_Args *args);

/* Declares a buffer with the sample; the rule ends if there is none. */
#define NEED_SAMPLE(t, buffer)                                                                     \
    PJRT_Buffer *buffer;                                                                           \
    NEED_CLIENT(t);                                                                                \
    NEED_OK(t, sample_upload((t), &(buffer)))

/* ---- Calls about a buffer -------------------------------------------------------------------- */

/* The error of the ready event, after waiting for it. */
struct error *buffer_await(struct rule_context *t, PJRT_Buffer *buffer);
struct error *buffer_delete(struct rule_context *t, PJRT_Buffer *buffer);
bool buffer_is_deleted(struct rule_context *t, PJRT_Buffer *buffer);
bool buffer_is_on_cpu(struct rule_context *t, PJRT_Buffer *buffer);
PJRT_Memory *buffer_memory(struct rule_context *t, PJRT_Buffer *buffer);
PJRT_Device *buffer_device(struct rule_context *t, PJRT_Buffer *buffer);
struct error *buffer_copy(struct rule_context *t, PJRT_Buffer *buffer, PJRT_Memory *to,
                          PJRT_Buffer **out /*owned*/);
struct error *buffer_hold(struct rule_context *t, PJRT_Buffer *buffer);    /* external reference */
struct error *buffer_release(struct rule_context *t, PJRT_Buffer *buffer); /* gives it back */
struct error *buffer_address(struct rule_context *t, PJRT_Buffer *buffer, void **out);
/* Copies bytes as they are on the device, and waits. */
struct error *buffer_copy_raw(struct rule_context *t, PJRT_Buffer *buffer, void *to, int64_t offset,
                              int64_t size);
/* An error buffer with the sample's shape: code DATA_LOSS, "lost on purpose". */
struct error *buffer_of_error(struct rule_context *t, PJRT_Buffer **out /*owned*/);

/* ---- Memories -------------------------------------------------------------------------------- */

struct memory_list {
    PJRT_Memory *const *all;
    size_t count;
};
/* Of the client's first device; empty after a recorded failure. */
struct memory_list memories_of(struct rule_context *t, PJRT_Device *device);
PJRT_Memory *memory_default(struct rule_context *t, PJRT_Device *device);

#endif
