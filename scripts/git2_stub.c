/* git2_stub.c: the three functions of libgit2 that Criterion calls, for test programs (see the
 * Makefile). Criterion draws differences of texts with libgit2, which brings fifteen libraries into
 * every process; each test is a process. The tests use no such assertion. */
#include <stdio.h>
#include <stdlib.h>

int git_libgit2_init(void);
int git_libgit2_shutdown(void);
int git_diff_buffers(void);

int git_libgit2_init(void)
{
    return 1;
}

int git_libgit2_shutdown(void)
{
    return 0;
}

int git_diff_buffers(void)
{
    fputs("cr_assert(eq(str, ...)) is not available here; use cr_assert_str_eq\n", stderr);
    abort();
}
