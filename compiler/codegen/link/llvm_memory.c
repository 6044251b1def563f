/* llvm_memory.c: see llvm_memory.h. The reserve is mapped but never touched, so it uses address
 * space but no physical memory. */
#include "compiler/codegen/link/llvm_memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>

enum { RESERVE_BYTES = 32 << 20 };

static _Thread_local void *reserve;

struct error *llvm_memory_begin(void)
{
    void *mapped =
        mmap(NULL, RESERVE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
        return ERROR(RESOURCE_EXHAUSTED,
                     "no memory for a compilation, which needs at least %d MiB; free memory, or "
                     "raise the limit of the process",
                     RESERVE_BYTES >> 20);
    reserve = mapped;
    return NULL;
}

struct error *llvm_memory_check(void)
{
    return reserve ? NULL
                   : ERROR(RESOURCE_EXHAUSTED,
                           "memory was exhausted in code generation; free memory, raise the limit "
                           "of the process, or compile a smaller program");
}

void llvm_memory_end(void)
{
    if (reserve)
        munmap(reserve, RESERVE_BYTES);
    reserve = NULL;
}

/* ---- wrapped allocation functions ------------------------------------------------------------ */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
int __real_posix_memalign(void **memory, size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
int __wrap_posix_memalign(void **memory, size_t alignment, size_t size);

/* Releases the reserve. True if there was one, so that a retry may succeed. */
static bool release_reserve(void)
{
    bool had = reserve;
    llvm_memory_end();
    return had;
}

void *__wrap_malloc(size_t size)
{
    void *memory = __real_malloc(size);
    return memory || !release_reserve() ? memory : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    void *memory = __real_calloc(count, size);
    return memory || !release_reserve() ? memory : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    void *grown = __real_realloc(memory, size);
    return grown || !size || !release_reserve() ? grown : __real_realloc(memory, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    void *memory = __real_aligned_alloc(alignment, size);
    return memory || !release_reserve() ? memory : __real_aligned_alloc(alignment, size);
}

int __wrap_posix_memalign(void **memory, size_t alignment, size_t size)
{
    int failed = __real_posix_memalign(memory, alignment, size);
    return failed == ENOMEM && release_reserve() ? __real_posix_memalign(memory, alignment, size)
                                                 : failed;
}
