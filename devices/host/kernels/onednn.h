/* onednn.h: what the plans over oneDNN share: the engine, a stream for the calling thread, error
 * mapping, and a guard that keeps oneDNN's own threads out (libgomp's thread count is a property of
 * the calling thread, which may be a client's: it is set to one and put back). Thread-safe.
 *
 * oneDNN promises that engines, descriptors and primitives are created from any thread, and that
 * one primitive is executed by several threads at once as long as each has memory objects, a
 * scratchpad (mode user) and a stream of its own: hence the sets of memories and the stream of each
 * thread here. Its cache of primitives locks inside. */
#ifndef GANTRY_DEVICES_HOST_KERNELS_ONEDNN_H
#define GANTRY_DEVICES_HOST_KERNELS_ONEDNN_H

#include <stdbool.h>
#include <stdint.h>

#include "oneapi/dnnl/dnnl.h"

#include "base/dtype.h"
#include "base/error.h"

/* Returns the error of a oneDNN call from the calling function, if there is one. */
#define ONEDNN_TRY(call) TRY(onednn_check((call), #call))

struct error *onednn_check(dnnl_status_t status, const char *call);
struct error *onednn_engine(dnnl_engine_t *out); /* static */
struct error *onednn_stream(dnnl_stream_t *out); /* of this thread; destroyed with it */
/* Whether oneDNN multiplies elements of a type without error of its own: without VNNI its products
 * of s8 add pairs in 16 bits, which saturate, or halve the weights first. */
bool onednn_is_exact(enum dtype dtype);
/* dnnl_data_type_undef for what oneDNN does not know. */
dnnl_data_type_t onednn_type(enum dtype dtype);

int onednn_enter(void); /* one thread from here on; returns what to give to onednn_leave */
void onednn_leave(int threads);

/* One oneDNN primitive. Each argument has two layouts: `plain`, the client's, and the one the
 * primitive was made for; where they differ the argument is reordered in scratch, before (inputs)
 * or after (the last argument, which is the result). All owned; onednn_primitive_free. */
#define ONEDNN_ARGUMENTS 3
struct onednn_argument {
    int role;                      /* DNNL_ARG_... */
    dnnl_memory_desc_t plain;      /* owned */
    const_dnnl_memory_desc_t used; /* of the description */
    dnnl_primitive_desc_t reorder_description;
    dnnl_primitive_t reorder; /* NULL: used as it is */
    uint64_t at;              /* of the reordered bytes in scratch */
};
/* oneDNN's objects for the arguments of one run at a time; making them costs more than a small
 * product, so that runs leave them to the next ones. */
struct onednn_memories {
    dnnl_memory_t used[ONEDNN_ARGUMENTS], plain[ONEDNN_ARGUMENTS], scratchpad;
};
enum { ONEDNN_SPARES = 4 };
struct onednn_primitive {
    dnnl_primitive_t primitive;
    dnnl_primitive_desc_t description;
    struct onednn_argument arguments[ONEDNN_ARGUMENTS];
    uint64_t scratch_bytes;                    /* oneDNN's own, then the reordered arguments */
    _Atomic(struct onednn_memories *) *spares; /* owned: ONEDNN_SPARES, NULL where there is none */
};

/* What the arguments of a kind of primitive are called. */
struct onednn_signature {
    int roles[ONEDNN_ARGUMENTS];
    dnnl_query_t queries[ONEDNN_ARGUMENTS];
};
extern const struct onednn_signature onednn_forward; /* source, weights, destination */
/* source, gradient of the destination, of the weights */
extern const struct onednn_signature onednn_weights;

/* Takes over `description`, even on error; the layouts in `plain` are copied. */
struct error *onednn_primitive_make(struct onednn_primitive *out, dnnl_primitive_desc_t description,
                                    const struct onednn_signature *signature,
                                    const const_dnnl_memory_desc_t plain[ONEDNN_ARGUMENTS]);
/* True when oneDNN has nothing better for a description than its reference loops. */
bool onednn_is_reference(const_dnnl_primitive_desc_t description);
/* addresses[i] is of argument i; scratch has scratch_bytes bytes. */
struct error *onednn_primitive_run(const struct onednn_primitive *primitive, void *const *addresses,
                                   void *scratch);
void onednn_primitive_free(struct onednn_primitive *primitive);

#endif
