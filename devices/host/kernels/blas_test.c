/* Tests OpenBLAS with many concurrent threads, without memory and after a fork, and the assumptions
 * of blas.c about the linked library. */
#include "devices/host/kernels/blas.h"

#include <cblas.h>
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"

enum { N = 96, THREADS = 28, TIMES = 60 };

static double a[N * N], b[N * N], wanted[N * N];

void *__wrap_blas_memory_alloc(int purpose);
void __wrap_blas_memory_free(void *buffer);
void *__real_blas_memory_alloc(int purpose);
char *openblas_get_corename(void);

static void fill(void)
{
    for (int i = 0; i < N * N; i++)
        a[i] = i % 17 - 8, b[i] = i % 13 - 6;
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++)
            for (int j = 0; j < N; j++)
                wanted[i * N + j] += a[i * N + k] * b[k * N + j];
}

static bool product_is_right(void)
{
    double c[N * N];
    struct error *error = blas_enter();
    if (error) {
        error_free(error);
        return false;
    }
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, N, N, N, 1, a, N, b, N, 0, c, N);
    blas_leave();
    return memcmp(c, wanted, sizeof c) == 0;
}

static void *multiply(void *wrong)
{
    for (int i = 0; i < TIMES; i++)
        *(int *)wrong += !product_is_right();
    return NULL;
}

Test(blas, threads_do_not_share_scratch)
{
    pthread_t threads[THREADS];
    int wrong[THREADS] = {0};
    fill();
    for (int i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, multiply, &wrong[i]), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        cr_assert_eq(wrong[i], 0, "thread %d: %d of %d products are wrong", i, wrong[i], TIMES);
}

Test(blas, nested_calls_have_buffers_of_their_own)
{
    cr_assert_null(blas_enter());
    char *first = __wrap_blas_memory_alloc(0), *second = __wrap_blas_memory_alloc(0);
    cr_assert(first && second && first != second);
    cr_assert_eq((uintptr_t)first % 4096, 0);
    first[(128 << 20) - 1] = second[(128 << 20) - 1] = 1;
    __wrap_blas_memory_free(second);
    cr_assert_eq(__wrap_blas_memory_alloc(0), (void *)second);
    __wrap_blas_memory_free(second), __wrap_blas_memory_free(first);
    blas_leave();
}

Test(blas, buffers_are_used_again)
{
    cr_assert_null(blas_enter());
    blas_leave();
    int64_t before = alloc_live();
    for (int i = 0; i < 10; i++) {
        cr_assert_null(blas_enter());
        cr_assert_null(blas_enter());
        blas_leave();
        blas_leave();
    }
    cr_assert_eq(alloc_live(), before);
}

Test(blas, without_memory_it_is_an_error)
{
    alloc_fail_at(1);
    struct error *error = blas_enter();
    alloc_fail_at(0);
    cr_assert_eq(error_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED);
    error_free(error);
    fill();
    cr_assert(product_is_right());
}

Test(blas, a_child_forked_during_a_call_can_call)
{
    fill();
    cr_assert_null(blas_enter());
    pid_t child = fork();
    if (child == 0) {
        alarm(60);
        _exit(product_is_right() ? 0 : 1);
    }
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert_eq(status, 0);
    blas_leave();
}

/* The size of the memory mapping that contains an address. */
static size_t mapping_of(const void *address)
{
    char line[512];
    unsigned long begin, end, size = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx", &begin, &end) == 2 && begin <= (unsigned long)address &&
            (unsigned long)address < end)
            size = end - (unsigned long)address;
    fclose(maps);
    return size;
}

/* A library with larger block sizes would overflow the buffers. */
Test(blas, own_buffers_are_not_larger_than_ours)
{
    const char *buffer = __real_blas_memory_alloc(0);
    cr_assert_gt(mapping_of(buffer), 0);
    cr_assert_leq(mapping_of(buffer), 128 << 20);
}

Test(blas, kernels_are_those_of_the_features)
{
    cr_assert_str_eq(openblas_get_corename(), blas_core());
}
