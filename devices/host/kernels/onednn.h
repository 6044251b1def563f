/* onednn.h: shared parts of the oneDNN plans: the engine, a stream for the calling thread, error
 * mapping, and a guard against oneDNN's own threads (libgomp's thread count is a property of the
 * calling thread, which may be a client's: it is set to one and restored). Thread-safe.
 *
 * oneDNN guarantees that engines, descriptors and primitives can be created on any thread, and that
 * several threads can execute one primitive at once if each has its own memory objects, scratchpad
 * (mode user) and stream. Therefore each thread has its own stream and memory objects here.
 * oneDNN's primitive cache is off: each plan owns its primitives. */
#ifndef GANTRY_DEVICES_HOST_KERNELS_ONEDNN_H
#define GANTRY_DEVICES_HOST_KERNELS_ONEDNN_H

#include <stdbool.h>
#include <stdint.h>

#include "oneapi/dnnl/dnnl.h"

#include "base/dtype.h"
#include "base/error.h"
#include "devices/host/kernels/panel_copy.h"

/* If a oneDNN call fails, returns its error from the calling function. */
#define ONEDNN_TRY(call) TRY(onednn_check((call), #call))

struct error *onednn_check(dnnl_status_t status, const char *call);
struct error *onednn_engine(dnnl_engine_t *out); /* static */
struct error *onednn_stream(dnnl_stream_t *out); /* of this thread; destroyed with it */
/* Whether the processor multiplies a type as oneDNN needs it. Without VNNI, oneDNN's products of s8
 * add pairs in 16 bits, which saturates, or halve the weights first. Without AVX512-BF16, those of
 * bf16 convert numbers over and over, and take three times as long as products of the same numbers
 * converted to f32 before. */
bool onednn_is_native(enum dtype dtype);
/* Returns dnnl_data_type_undef for types that oneDNN does not support. */
dnnl_data_type_t onednn_type(enum dtype dtype);

int onednn_enter(void); /* limits oneDNN to one thread; returns the argument for onednn_leave */
void onednn_leave(int threads);

/* One oneDNN primitive. Each argument has two layouts: `plain`, the client's, and `used`, the
 * primitive's. If they differ, the argument is reordered in scratch, before the run (inputs) or
 * after it (the last argument, which is the result). One input may be shared by several runs, which
 * then read what onednn_primitive_prepare() made of it. Everything is owned:
 * onednn_primitive_free. */
#define ONEDNN_ARGUMENTS 3
#define ONEDNN_NONE_SHARED (-1)
struct onednn_argument {
    int role;                      /* DNNL_ARG_... */
    dnnl_memory_desc_t plain;      /* owned */
    const_dnnl_memory_desc_t used; /* borrowed from the primitive's description */
    bool differs;                  /* the layouts; then one of these reorders: */
    struct panel_copy panels;      /* if it has rows */
    dnnl_primitive_desc_t reorder_description;
    dnnl_primitive_t reorder;
    uint64_t at; /* offset of the reordered bytes in scratch */
};
/* oneDNN's memory objects for the arguments of one run at a time. Creating them costs more than a
 * small product, so they are cached for later runs. */
struct onednn_memories {
    dnnl_memory_t used[ONEDNN_ARGUMENTS], plain[ONEDNN_ARGUMENTS], scratchpad;
};
enum { ONEDNN_SPARES = 4 };
struct onednn_primitive {
    dnnl_primitive_t primitive;
    dnnl_primitive_desc_t description;
    struct onednn_argument arguments[ONEDNN_ARGUMENTS];
    /* oneDNN's scratchpad, then the reordered arguments */
    uint64_t scratch_bytes;
    int shared;            /* index of the shared argument, or ONEDNN_NONE_SHARED */
    uint64_t shared_bytes; /* its size in the primitive's layout; 0: the client's is used */
    _Atomic(struct onednn_memories *) *spares; /* owned: ONEDNN_SPARES entries, NULL if empty */
};

/* The argument roles and queries of a kind of primitive. */
struct onednn_signature {
    int roles[ONEDNN_ARGUMENTS];
    dnnl_query_t queries[ONEDNN_ARGUMENTS];
};
extern const struct onednn_signature onednn_forward; /* source, weights, destination */
/* source, gradient of the destination, gradient of the weights */
extern const struct onednn_signature onednn_weights;

/* Takes ownership of `description`, even on error; the layouts in `plain` are copied. */
struct error *onednn_primitive_create(struct onednn_primitive *out,
                                      dnnl_primitive_desc_t description,
                                      const struct onednn_signature *signature,
                                      const const_dnnl_memory_desc_t plain[ONEDNN_ARGUMENTS],
                                      int shared);
/* Whether oneDNN would use its reference loops for a description. */
bool onednn_is_reference(const_dnnl_primitive_desc_t description);
/* Whether oneDNN would call its function for matrix products, dnnl_sgemm() for f32. */
bool onednn_is_gemm(const_dnnl_primitive_desc_t description);
/* Whether a convolution would write the windows of its input side by side and call the function for
 * matrix products, which is slower than a kernel for convolutions. */
bool onednn_is_unfolded(const_dnnl_primitive_desc_t description);
/* Whether the shared arguments of two primitives have the same layout. */
bool onednn_primitive_shares(const struct onednn_primitive *a, const struct onednn_primitive *b);
/* Into how many parts the preparation of the shared argument can be divided: 0 if the client's
 * layout is used. */
int64_t onednn_primitive_prepare_work(const struct onednn_primitive *primitive);
/* Parts [begin, end) of reordering the shared argument to `to`. Thread-safe for disjoint parts. */
struct error *onednn_primitive_prepare(const struct onednn_primitive *primitive, void *from,
                                       void *to, int64_t begin, int64_t end);
/* addresses[i] is the address of argument i, of the shared one as prepared; scratch has
 * scratch_bytes bytes. */
struct error *onednn_primitive_run(const struct onednn_primitive *primitive, void *const *addresses,
                                   void *scratch);
void onednn_primitive_free(struct onednn_primitive *primitive);

#endif
