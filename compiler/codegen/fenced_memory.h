/* fenced_memory.h: memory for tests, between pages that may not be accessed: a kernel that reads or
 * writes a byte in front of an operand or beyond it crashes. Header only. */
#ifndef GANTRY_COMPILER_CODEGEN_FENCED_MEMORY_H
#define GANTRY_COMPILER_CODEGEN_FENCED_MEMORY_H

#include <criterion/criterion.h>
#include <sys/mman.h>
#include <unistd.h>

struct fenced { /* owned; released by fenced_free() */
    char *pages, *bytes;
    size_t length; /* of the pages, in bytes */
};

/* `size` zeros, at the end of their own pages or at the beginning. */
static inline struct fenced fenced_memory(size_t size, bool at_end)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), inner = (size + page - 1) / page * page;
    struct fenced f = {.length = inner + 2 * page};
    f.pages = mmap(NULL, f.length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(f.pages, MAP_FAILED);
    cr_assert_eq(mprotect(f.pages + page, inner, PROT_READ | PROT_WRITE), 0);
    f.bytes = f.pages + page + (at_end ? inner - size : 0);
    return f;
}

static inline void fenced_free(struct fenced f)
{
    munmap(f.pages, f.length);
}

#endif
