#include "base/heap.h"

#include <stdatomic.h>
#include <stdlib.h>

static _Alignas(64) atomic_llong live;
static _Alignas(64) atomic_llong countdown; /* 0: disabled; 1: the next allocation fails */

bool heap_fails(void)
{
    if (atomic_load_explicit(&countdown, memory_order_relaxed) <= 0)
        return false;
    return atomic_fetch_sub_explicit(&countdown, 1, memory_order_relaxed) == 1;
}

static void *counted(void *memory)
{
    if (memory)
        atomic_fetch_add_explicit(&live, 1, memory_order_relaxed);
    return memory;
}

void *heap_alloc(size_t size)
{
    return heap_fails() ? NULL : counted(malloc(size ? size : 1));
}

void *heap_alloc_zeroed(size_t size)
{
    return heap_fails() ? NULL : counted(calloc(1, size ? size : 1));
}

void *heap_alloc_aligned(size_t size)
{
    size_t rounded = size > PTRDIFF_MAX - 63 ? 0 : (size + 63) / 64 * 64 + (size == 0) * 64;
    return heap_fails() || !rounded ? NULL : counted(aligned_alloc(64, rounded));
}

void *heap_resize(void *memory, size_t size)
{
    if (heap_fails())
        return NULL;
    void *resized = realloc(memory, size ? size : 1);
    return memory ? resized : counted(resized);
}

void heap_free(void *memory)
{
    if (!memory)
        return;
    atomic_fetch_sub_explicit(&live, 1, memory_order_relaxed);
    free(memory);
}

void heap_fail_at(int64_t n)
{
    atomic_store(&countdown, n > 0 ? n : 0);
}

int64_t heap_live(void)
{
    return atomic_load(&live);
}
