/* suite_leak.c: what is made and destroyed again and again takes no more memory in the end. */
#include "conformance/trial.h"

enum { WARM = 100, CYCLES = 1000, MOST_GROWTH = 5 << 20 };

static void check_growth(struct trial *t, struct trial_usage before)
{
    struct trial_usage after = trial_usage();
    long long growth = (long long)(after.resident_bytes - before.resident_bytes);
    CHECK(t, growth < MOST_GROWTH || !trial_usage_is_exact(), "%d cycles take %lld KiB", CYCLES,
          growth >> 10);
    CHECK(t, after.threads <= before.threads, "%d threads became %d", before.threads,
          after.threads);
    CHECK(t, after.files <= before.files, "%d open files became %d", before.files, after.files);
}

/* Repeats what is to be tested, first to fill caches, then to be measured. */
static void repeat(struct trial *t, struct error *(*cycle)(struct trial *t))
{
    for (int i = 0; i < WARM; i++)
        NEED_OK(t, cycle(t));
    struct trial_usage before = trial_usage();
    for (int i = 0; i < CYCLES; i++)
        NEED_OK(t, cycle(t));
    check_growth(t, before);
}

static struct error *compile_cycle(struct trial *t)
{
    return trial_run_program(t, PROGRAM_add);
}

static void compile_execute_destroy(struct trial *t)
{
    repeat(t, compile_cycle);
}

static struct error *compile_large_cycle(struct trial *t)
{
    return trial_run_program(t, PROGRAM_mlp_grad);
}

static void compile_gradient(struct trial *t)
{
    repeat(t, compile_large_cycle);
}

static void execute(struct trial *t)
{
    PJRT_LoadedExecutable *executable;
    NEED_OK(t, trial_compile(t, PROGRAM_mlp_grad, &executable));
    for (int i = 0; i < WARM; i++)
        NEED_OK(t, trial_run_once(t, PROGRAM_mlp_grad, executable));
    struct trial_usage before = trial_usage();
    for (int i = 0; i < 10 * CYCLES; i++)
        NEED_OK(t, trial_run_once(t, PROGRAM_mlp_grad, executable));
    check_growth(t, before);
    abi_executable_destroy(t->api, executable);
}

static struct error *wrong_program(struct trial *t)
{
    struct abi_program program = {
        .code = "ML\xefR\x0dStableHLO_v1.10.0", .code_size = 22, .format = "mlir"};
    PJRT_LoadedExecutable *executable;
    struct error *error = abi_compile(t->api, t->client, &program, &executable);
    if (!error)
        return ERROR(FAILED_PRECONDITION, "a cut program is accepted");
    error_free(error);
    return NULL;
}

static void errors(struct trial *t)
{
    repeat(t, wrong_program);
}

static struct error *client_cycle(struct trial *t)
{
    PJRT_Client *client;
    TRY(abi_client_create(t->api, NULL, 0, &client));
    abi_client_destroy(t->api, client);
    return NULL;
}

static void clients(struct trial *t)
{
    repeat(t, client_cycle);
}

static const struct trial_case cases[] = {
    {"compile_execute_destroy", compile_execute_destroy, STAGE_CLIENT, 120},
    {"compile_gradient", compile_gradient, STAGE_CLIENT, 180},
    {"execute", execute, STAGE_CLIENT, 120},
    {"errors", errors, STAGE_CLIENT, 0},
    {"clients", clients, STAGE_CLIENT, 0},
    {0}};
const struct trial_suite suite_leak = {"leak", cases};
