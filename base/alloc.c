/* alloc.c: malloc, with a count of live allocations and a countdown to an injected failure. */
#include "base/alloc.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static _Alignas(64) atomic_llong live;
static _Alignas(64) atomic_llong countdown; /* 0: disabled; 1: the next allocation fails */

bool alloc_fails(void)
{
    if (atomic_load_explicit(&countdown, memory_order_relaxed) <= 0)
        return false;
    return atomic_fetch_sub_explicit(&countdown, 1, memory_order_relaxed) == 1;
}

/* Stores `memory` in *out, a pointer of any type. */
static struct error *hand_out(void *memory, void *out)
{
    memcpy(out, &memory, sizeof memory);
    if (!memory)
        return error_out_of_memory();
    atomic_fetch_add_explicit(&live, 1, memory_order_relaxed);
    return NULL;
}

struct error *alloc_bytes(size_t size, void *out)
{
    return hand_out(alloc_fails() ? NULL : malloc(size ? size : 1), out);
}

struct error *alloc_zeroed(size_t size, void *out)
{
    return hand_out(alloc_fails() ? NULL : calloc(1, size ? size : 1), out);
}

struct error *alloc_array(size_t count, size_t element_size, void *out)
{
    size_t size;
    if (__builtin_mul_overflow(count, element_size, &size))
        return hand_out(NULL, out);
    return alloc_zeroed(size, out);
}

struct error *alloc_aligned(size_t size, void *out)
{
    size_t rounded = size > SIZE_MAX - 64 ? 0 : (size + 63) / 64 * 64 + (size == 0) * 64;
    return hand_out(alloc_fails() || !rounded ? NULL : aligned_alloc(64, rounded), out);
}

struct error *alloc_resize(void *inout, size_t size)
{
    void *memory;
    memcpy(&memory, inout, sizeof memory);
    bool fresh = !memory;
    void *resized = alloc_fails() ? NULL : realloc(memory, size ? size : 1);
    if (!resized)
        return error_out_of_memory();
    memcpy(inout, &resized, sizeof resized);
    if (fresh)
        atomic_fetch_add_explicit(&live, 1, memory_order_relaxed);
    return NULL;
}

struct error *alloc_copy(const void *bytes, size_t size, void *out)
{
    char *copy;
    if (size == SIZE_MAX)
        return hand_out(NULL, out);
    struct error *error = alloc_bytes(size + 1, &copy);
    if (!error) {
        if (size)
            memcpy(copy, bytes, size);
        copy[size] = '\0';
    }
    memcpy(out, &copy, sizeof copy);
    return error;
}

void alloc_free(void *memory)
{
    if (!memory)
        return;
    atomic_fetch_sub_explicit(&live, 1, memory_order_relaxed);
    free(memory);
}

void alloc_fail_at(int64_t n)
{
    atomic_store(&countdown, n > 0 ? n : 0);
}

int64_t alloc_live(void)
{
    return atomic_load(&live);
}
