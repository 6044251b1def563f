/* llvm_memory_test.c: a failed allocation releases the reserve and ends the compilation. */
#include "compiler/codegen/link/llvm_memory.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>

/* A variable, so that the compiler cannot see that the size is too large. */
static volatile size_t too_large = SIZE_MAX / 4;

static void used_up(void *memory)
{
    cr_assert_null(memory);
    struct error *error = llvm_memory_check();
    cr_assert_not_null(error);
    cr_assert_eq(error_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED);
    error_free(error);
    llvm_memory_end();
    cr_assert_null(llvm_memory_begin(), "the next compilation has a reserve again");
    cr_assert_null(llvm_memory_check());
}

Test(llvm_memory, failed_allocations_use_the_reserve)
{
    void *memory = NULL;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    cr_skip_test("sanitizers end the process on such sizes");
#endif
    cr_assert_null(llvm_memory_begin());
    used_up(malloc(too_large));
    used_up(calloc(1, too_large));
    used_up(realloc(NULL, too_large));
    used_up(aligned_alloc(64, too_large));
    cr_assert_neq(posix_memalign(&memory, 64, too_large), 0);
    used_up(memory);
    llvm_memory_end();
}

Test(llvm_memory, allocations_that_succeed_leave_it)
{
    cr_assert_null(llvm_memory_begin());
    void *memory = realloc(malloc(100), 200);
    cr_assert_not_null(memory);
    free(memory);
    cr_assert_null(llvm_memory_check());
    llvm_memory_end();
}
