/* suite_leak.c: compiling and executing a large program repeatedly does not leak memory.
 * GANTRY_TEST_COMPILES and GANTRY_TEST_EXECUTIONS are the numbers of cycles (1,000 and 10,000). */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "conformance/process_usage.h"
#include "conformance/test_context.h"

enum { WARM = 100, COMPILES = 1000, EXECUTIONS = 10000, MAX_GROWTH = 5 << 20, LONGEST = 36000 };

/* The number of cycles, and a time limit to match where there are more than usual. */
static long cycles_of(const char *variable, long fallback)
{
    const char *text = getenv(variable);
    long cycles = text ? strtol(text, NULL, 10) : fallback;
    if (cycles > fallback)
        alarm(LONGEST);
    return cycles > 0 ? cycles : fallback;
}

static void check_growth(struct test_context *t, struct process_usage before, long cycles)
{
    struct process_usage after = process_usage();
    long long growth = (long long)(after.resident_bytes - before.resident_bytes);
    CHECK(t, growth < MAX_GROWTH || !process_usage_is_exact(), "%ld cycles take %lld KiB", cycles,
          growth >> 10);
    CHECK(t, after.threads <= before.threads, "%d threads became %d", before.threads,
          after.threads);
    CHECK(t, after.files <= before.files, "%d open files became %d", before.files, after.files);
    if (cycles > EXECUTIONS)
        printf("%ld cycles: resident memory %+lld KiB, %d threads, %d open files\n", cycles,
               growth >> 10, after.threads, after.files);
}

static struct error *compile_large_cycle(struct test_context *t)
{
    return test_context_run_program(t, PROGRAM_mlp_grad);
}

static void compile_gradient(struct test_context *t)
{
    long cycles = cycles_of("GANTRY_TEST_COMPILES", COMPILES);
    for (int i = 0; i < WARM; i++)
        NEED_OK(t, compile_large_cycle(t));
    struct process_usage before = process_usage();
    for (long i = 0; i < cycles; i++)
        NEED_OK(t, compile_large_cycle(t));
    check_growth(t, before, cycles);
}

static void execute(struct test_context *t)
{
    long cycles = cycles_of("GANTRY_TEST_EXECUTIONS", EXECUTIONS);
    PJRT_LoadedExecutable *executable;
    NEED_OK(t, test_context_compile(t, PROGRAM_mlp_grad, &executable));
    for (int i = 0; i < WARM; i++)
        NEED_OK(t, test_context_run_once(t, PROGRAM_mlp_grad, executable));
    struct process_usage before = process_usage();
    for (long i = 0; i < cycles; i++)
        NEED_OK(t, test_context_run_once(t, PROGRAM_mlp_grad, executable));
    check_growth(t, before, cycles);
    abi_executable_destroy(t->api, executable);
}

static const struct test_context_case cases[] = {
    {"compile_gradient", compile_gradient, STAGE_CLIENT, 180},
    {"execute", execute, STAGE_CLIENT, 120},
    {0}};
const struct test_context_suite suite_leak = {"leak", cases};
