/* onednn.h: what the plans over oneDNN share: the engine, a stream for the calling thread, error mapping,
 * and a guard that keeps oneDNN's own threads out (libgomp's thread count is a property of the calling
 * thread, which may be a client's: it is set to one and put back). Thread-safe. */
#ifndef GANTRY_DEVICES_KERNELS_ONEDNN_H
#define GANTRY_DEVICES_KERNELS_ONEDNN_H

#include <stdint.h>

#include "oneapi/dnnl/dnnl.h"

#include "base/dtype.h"
#include "base/error.h"

/* Returns the error of a oneDNN call from the calling function, if there is one. */
#define ONEDNN_TRY(call) TRY(onednn_check((call), #call))

struct error *onednn_check(dnnl_status_t status, const char *call);
struct error *onednn_engine(dnnl_engine_t *out); /* static */
struct error *onednn_stream(dnnl_stream_t *out); /* of this thread; destroyed with it */
/* dnnl_data_type_undef for what oneDNN does not know. */
dnnl_data_type_t onednn_type(enum dtype dtype);

int onednn_enter(void);       /* one thread from here on; returns what to give to onednn_leave */
void onednn_leave(int threads);

/* One oneDNN primitive with the memory descriptions it was made for; `weights` may be in a layout of
 * oneDNN's choice, then `reorder` brings plain weights there. All owned; onednn_primitive_free. */
#define ONEDNN_MAX_ARGUMENTS 3
struct onednn_primitive {
    dnnl_primitive_t primitive;
    dnnl_primitive_t reorder; /* NULL: weights are used as they are */
    int count;
    int roles[ONEDNN_MAX_ARGUMENTS];                        /* DNNL_ARG_... */
    const_dnnl_memory_desc_t layouts[ONEDNN_MAX_ARGUMENTS]; /* what the primitive reads and writes */
    int reordered;                       /* which argument is reordered */
    bool reorder_result;                 /* it is the result: reordered after, not before */
    dnnl_memory_desc_t plain;            /* the client's layout of that argument */
    dnnl_primitive_desc_t description, reorder_description; /* own the layouts */
    uint64_t scratch_bytes; /* scratchpad, and the reordered argument behind it at `reordered_at` */
    uint64_t reordered_at;
};

/* Takes over `description`; `plain` (may be NULL) is the client's layout of argument `reordered`.
 * Queries layouts (as md queries in `queries`), makes the primitives. */
struct error *onednn_primitive_make(struct onednn_primitive *out, dnnl_primitive_desc_t description, int count,
                                    const int *roles, const dnnl_query_t *queries,
                                    const_dnnl_memory_desc_t plain, int reordered, bool reorder_result);
/* arguments[i] is the address for roles[i]; scratch has scratch_bytes bytes. */
struct error *onednn_primitive_run(const struct onednn_primitive *primitive, void *const *arguments,
                                   void *scratch);
void onednn_primitive_free(struct onednn_primitive *primitive);

#endif
