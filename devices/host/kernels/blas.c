/* blas.c: see blas.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_getcpu */
#endif
#include "devices/host/kernels/blas.h"

#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"

enum {
    /* OpenBLAS's BUFFER_SIZE, which its block sizes fill; only pages that a call touches use
     * memory */
    BUFFER_BYTES = 128 << 20,
    PAGE = 4096, /* buffers are aligned to pages, as OpenBLAS's own are */
    SPARES = 64, /* free buffers cached for later calls */
    DEPTH = 4    /* maximum buffers per thread; a call holds one at a time */
};

/* Free buffers, or NULL. A thread takes one out with an atomic exchange and puts it back the same
 * way. It starts searching at the index of its core, so that a core mostly reuses memory that is in
 * its caches and on its NUMA node. */
static _Atomic(void *) spares[SPARES];

static _Thread_local struct {
    void *buffers[DEPTH];
    int entered, reserved, used;
} own;

static int first_spare(void)
{
    int core = sched_getcpu();
    return core < 0 ? 0 : core % SPARES;
}

/* The pointer for alloc_free() is stored in front of the buffer. */
static struct error *create_buffer(void **out)
{
    char *memory;
    *out = NULL;
    TRY(alloc_aligned((size_t)BUFFER_BYTES + PAGE, &memory));
    *out = memory + PAGE - (uintptr_t)memory % PAGE;
    ((void **)*out)[-1] = memory;
    return NULL;
}

static struct error *acquire_buffer(void **out)
{
    int first = first_spare();
    for (int i = 0; i < SPARES; i++) {
        _Atomic(void *) *spare = &spares[(first + i) % SPARES];
        if (atomic_load_explicit(spare, memory_order_relaxed) &&
            (*out = atomic_exchange_explicit(spare, NULL, memory_order_acquire)))
            return NULL;
    }
    return create_buffer(out);
}

static void release_buffer(void *buffer)
{
    int first = first_spare();
    for (int i = 0; i < SPARES; i++) {
        void *none = NULL;
        if (atomic_compare_exchange_strong(&spares[(first + i) % SPARES], &none, buffer))
            return;
    }
    alloc_free(((void **)buffer)[-1]);
}

struct error *blas_enter(void)
{
    if (own.reserved == 0) {
        TRY(acquire_buffer(&own.buffers[0]));
        own.reserved = 1;
    }
    own.entered++;
    return NULL;
}

void blas_leave(void)
{
    if (--own.entered > 0)
        return;
    own.used = 0;
    while (own.reserved > 0)
        release_buffer(own.buffers[--own.reserved]);
}

/* ---- replacements of OpenBLAS functions (--wrap) --------------------------------------------- */
void *__wrap_blas_memory_alloc(int purpose);
void __wrap_blas_memory_free(void *buffer);
char *__wrap_getenv(const char *name);

/* OpenBLAS cannot report that allocation failed, therefore blas_enter allocates. OpenBLAS frees
 * buffers in reverse order. */
void *__wrap_blas_memory_alloc(int purpose)
{
    (void)purpose;
    if (own.used == own.reserved) {
        struct error *error = own.reserved < DEPTH ? acquire_buffer(&own.buffers[own.reserved])
                                                   : error_out_of_memory();
        if (error) {
            error_free(error);
            return NULL;
        }
        own.reserved++;
    }
    return own.buffers[own.used++];
}

void __wrap_blas_memory_free(void *buffer)
{
    (void)buffer;
    own.used--;
}

/* Names are those of OpenBLAS; f->avx2 implies FMA. */
const char *blas_core(void)
{
    const struct cpu_features *f = cpu_features();
    return f->avx512 ? "SkylakeX" : f->avx2 ? "Haswell" : "Prescott";
}

char *__wrap_getenv(const char *name)
{
    return strcmp(name, "OPENBLAS_CORETYPE") ? NULL : (char *)(uintptr_t)blas_core();
}
