/* oom_test.c: fails every allocation in turn while a program is compiled and run through the ABI:
 * each failure must return RESOURCE_EXHAUSTED and leak nothing. Uses the plugin in GANTRY_LIB with
 * the core linked into this test, so that both share the allocator that fails. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "conformance/plugin_fixture.h"

static struct test_context t;

static void open_plugin(void)
{
    t = plugin_context();
    cr_assert(test_context_open(&t, STAGE_CLIENT));
}

/* From LeakSanitizer, if the test is built with it: detects leaks, including those of LLVM. */
int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

static void nothing_is_lost(const char *name)
{
    if (__lsan_do_recoverable_leak_check)
        cr_expect_eq(__lsan_do_recoverable_leak_check(), 0, "%s loses memory", name);
}

/* Repeats `work` with the n-th allocation failing until it succeeds: for every n at first, then for
 * increasingly sparse n, since there are thousands of similar allocations. */
static void sweep(const char *name, struct error *(*work)(void))
{
    for (int i = 0; i < 3; i++) { /* fills the caches */
        struct error *error = work();
        cr_assert_null(error, "%s: %s", name, error ? error_message(error, NULL) : "");
    }
    int64_t live = alloc_live();
    for (int n = 1;; n += 1 + n / 32) {
        alloc_fail_at(n);
        struct error *error = work();
        alloc_fail_at(0);
        if (!error)
            break;
        cr_expect_eq(error_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED,
                     "%s, allocation %d: %s: %s", name, n, error_code_name(error_code(error)),
                     error_message(error, NULL));
        error_free(error);
        cr_expect_leq(alloc_live(), live, "%s, allocation %d: %lld are left", name, n,
                      (long long)(alloc_live() - live));
        live = alloc_live();
        cr_assert_lt(n, 10000000, "%s does not end", name);
    }
    struct error *error = work();
    cr_expect_null(error, "%s fails after all that", name);
    error_free(error);
    nothing_is_lost(name);
}

/* Loops, products, a loop that is one function, a sort. */
#define PROGRAMS X(add) X(matmul) X(mlp_grad) X(loop) X(sort) X(constants) X(donate) X(large)

static struct error *make_client(void)
{
    PJRT_Client *client;
    TRY(abi_client_create(t.api, NULL, 0, &client));
    abi_client_destroy(t.api, client);
    return NULL;
}

static struct error *serialize(void)
{
    PJRT_LoadedExecutable *loaded;
    TRY(test_context_compile(&t, PROGRAM_add, &loaded));
    struct error *error = test_context_reload(&t, loaded);
    abi_executable_destroy(t.api, loaded);
    return error;
}

Test(oom, clients, .init = open_plugin)
{
    sweep("client", make_client);
}

#define X(name)                                                                                    \
    static struct error *run_##name(void)                                                          \
    {                                                                                              \
        return test_context_run_program(&t, PROGRAM_##name);                                       \
    }                                                                                              \
    Test(oom, compile_and_run_##name, .init = open_plugin)                                         \
    {                                                                                              \
        sweep(#name, run_##name);                                                                  \
    }
PROGRAMS

Test(oom, serialize_and_load, .init = open_plugin)
{
    sweep("serialize", serialize);
}
