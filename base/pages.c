#include "base/pages.h"

#include <sys/mman.h>

#include "base/alloc.h"

void *pages_alloc(size_t size)
{
    if (alloc_fails())
        return NULL;
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void pages_free(void *memory, size_t size)
{
    munmap(memory, size);
}
