#include "base/alloc.h"

#include <string.h>

#include "base/heap.h"

/* Stores `memory` in *out, a pointer of any type. */
static struct error *store(void *memory, void *out)
{
    memcpy(out, &memory, sizeof memory);
    return memory ? NULL : error_out_of_memory();
}

struct error *alloc_bytes(size_t size, void *out)
{
    return store(heap_alloc(size), out);
}

struct error *alloc_zeroed(size_t size, void *out)
{
    return store(heap_alloc_zeroed(size), out);
}

struct error *alloc_array(size_t count, size_t element_size, void *out)
{
    size_t size;
    if (__builtin_mul_overflow(count, element_size, &size))
        return store(NULL, out);
    return alloc_zeroed(size, out);
}

struct error *alloc_aligned(size_t size, void *out)
{
    return store(heap_alloc_aligned(size), out);
}

struct error *alloc_probe(size_t size)
{
    void *memory;
    TRY(alloc_bytes(size, &memory));
    alloc_free(memory);
    return NULL;
}

struct error *alloc_resize(void *inout, size_t size)
{
    void *memory;
    memcpy(&memory, inout, sizeof memory);
    void *resized = heap_resize(memory, size);
    if (!resized)
        return error_out_of_memory();
    return store(resized, inout);
}

struct error *alloc_copy(const void *bytes, size_t size, void *out)
{
    char *copy;
    if (size == SIZE_MAX)
        return store(NULL, out);
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
    heap_free(memory);
}

void alloc_fail_at(int64_t n)
{
    heap_fail_at(n);
}

bool alloc_fails(void)
{
    return heap_fails();
}

int64_t alloc_live(void)
{
    return heap_live();
}
