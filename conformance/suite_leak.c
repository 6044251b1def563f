/* suite_leak.c: compiling and executing a large program repeatedly does not leak memory. */
#include "conformance/process_usage.h"
#include "conformance/test_context.h"

enum { WARM = 100, CYCLES = 1000, MAX_GROWTH = 5 << 20 };

static void check_growth(struct test_context *t, struct process_usage before)
{
    struct process_usage after = process_usage();
    long long growth = (long long)(after.resident_bytes - before.resident_bytes);
    CHECK(t, growth < MAX_GROWTH || !process_usage_is_exact(), "%d cycles take %lld KiB", CYCLES,
          growth >> 10);
    CHECK(t, after.threads <= before.threads, "%d threads became %d", before.threads,
          after.threads);
    CHECK(t, after.files <= before.files, "%d open files became %d", before.files, after.files);
}

/* Repeats an operation, first to fill caches, then to measure. */
static void repeat(struct test_context *t, struct error *(*cycle)(struct test_context *t))
{
    for (int i = 0; i < WARM; i++)
        NEED_OK(t, cycle(t));
    struct process_usage before = process_usage();
    for (int i = 0; i < CYCLES; i++)
        NEED_OK(t, cycle(t));
    check_growth(t, before);
}

static struct error *compile_large_cycle(struct test_context *t)
{
    return test_context_run_program(t, PROGRAM_mlp_grad);
}

static void compile_gradient(struct test_context *t)
{
    repeat(t, compile_large_cycle);
}

static void execute(struct test_context *t)
{
    PJRT_LoadedExecutable *executable;
    NEED_OK(t, test_context_compile(t, PROGRAM_mlp_grad, &executable));
    for (int i = 0; i < WARM; i++)
        NEED_OK(t, test_context_run_once(t, PROGRAM_mlp_grad, executable));
    struct process_usage before = process_usage();
    for (int i = 0; i < 10 * CYCLES; i++)
        NEED_OK(t, test_context_run_once(t, PROGRAM_mlp_grad, executable));
    check_growth(t, before);
    abi_executable_destroy(t->api, executable);
}

static const struct test_context_case cases[] = {
    {"compile_gradient", compile_gradient, STAGE_CLIENT, 180},
    {"execute", execute, STAGE_CLIENT, 120},
    {0}};
const struct test_context_suite suite_leak = {"leak", cases};
