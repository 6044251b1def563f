#include "base/fpu.h"

#include <criterion/criterion.h>
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/pool.h"
#include "base/thread.h"

static float half(float value)
{
    volatile float in = value;
    return in / 2;
}

static void flush_denormals(void)
{
    setenv("GANTRY_DENORMALS", "flush", 1);
}

TestSuite(fpu, .init = flush_denormals);

Test(fpu, programs_flush_and_clients_do_not)
{
    cr_expect_gt(half(FLT_MIN), 0);
    struct fpu_mode before = fpu_enter();
    cr_expect_eq(half(FLT_MIN), 0);      /* a denormal result */
    cr_expect_eq(half(FLT_TRUE_MIN), 0); /* a denormal operand */
    cr_expect_eq(half(FLT_MIN * 4), FLT_MIN * 2);
    fpu_restore(before);
    cr_expect_gt(half(FLT_MIN), 0);
}

Test(fpu, programs_round_to_nearest_whatever_the_client_does)
{
    volatile double one = 1, tiny = 0x1p-60;
    fesetround(FE_UPWARD);
    cr_expect_gt(one + tiny, 1);
    struct fpu_mode before = fpu_enter();
    cr_expect_eq(one + tiny, 1);
    fpu_restore(before);
    cr_expect_gt(one + tiny, 1);
    fesetround(FE_TONEAREST);
}

Test(fpu, flags_and_nesting_are_restored)
{
    volatile double zero = 0, one = 1;
    feclearexcept(FE_ALL_EXCEPT);
    struct fpu_mode client = fpu_enter(), program = fpu_enter();
    one = one / zero;
    fpu_restore(client);
    cr_expect_not(fetestexcept(FE_DIVBYZERO)); /* the program's flags do not leak to the client */
    fpu_restore(program);
    cr_expect_eq(half(FLT_MIN), 0);
    fpu_restore(client);
}

Test(fpu, denormals_are_kept_on_request)
{
    setenv("GANTRY_DENORMALS", "keep", 1);
    cr_expect_not(fpu_flushes());
    struct fpu_mode before = fpu_enter();
    cr_expect_gt(half(FLT_MIN), 0);
    fpu_restore(before);
}

static atomic_int started, kept;

static void thread_body(void *unused)
{
    (void)unused;
    kept += half(FLT_MIN) > 0;
    started++;
}

/* A thread inherits the mode of its creator, which may be running a program. */
Test(fpu, threads_start_in_the_default_mode)
{
    struct fpu_mode before = fpu_enter();
    cr_assert(thread_start("mode", thread_body, NULL));
    fpu_restore(before);
    while (!started)
        ;
    cr_expect_eq(kept, 1);
}

static atomic_int flushed;

static void count_flushed(void *context, int64_t begin, int64_t end)
{
    (void)context;
    for (int64_t i = begin; i < end; i++)
        flushed += half(FLT_MIN) == 0;
}

Test(fpu, workers_flush)
{
    enum { COUNT = 100000 };
    struct fpu_mode before = fpu_enter();
    pool_parallel(pool_shared(), COUNT, 10, count_flushed, NULL);
    fpu_restore(before);
    cr_expect_eq(flushed, COUNT);
}
