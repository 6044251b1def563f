/* concurrency_rules.c: area 20: one client and many threads. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "conformance/cts/rule_process.h"
#include "conformance/cts/rule_sequences.h"

enum { COUNT = 4, ROUNDS = 40 };

/* What the threads of a rule share. */
static PJRT_LoadedExecutable *shared_executable;
static PJRT_Buffer *shared_buffer;
static atomic_int successes;
static atomic_bool is_deleted; /* by the thread that deletes */
static const float base[COUNT] = {1, 2, 3, 4};

static void fill(float *values, int first)
{
    for (int i = 0; i < COUNT; i++)
        values[i] = (float)(first + i);
}

/* Runs x + x; `result` (owned). */
static struct error *add(struct rule_context *t, PJRT_Buffer *x, PJRT_Buffer **result)
{
    PJRT_Buffer *inputs[] = {x, x};
    return rule_execute(t, shared_executable, inputs, 2, result, 1);
}

static void check_sum(struct rule_context *t, PJRT_Buffer *result, const float *values)
{
    float expected[COUNT];
    for (int i = 0; i < COUNT; i++)
        expected[i] = values[i] + values[i];
    rule_check_floats(t, result, expected, COUNT);
}

/* Compiles the program, and makes the buffer. */
static bool prepare(struct rule_context *t)
{
    return rule_need_ok(t, "rule_compile_file",
                        rule_compile_file(t, "add.mlirbc", &shared_executable)) &&
           rule_need_ok(t, "rule_upload_floats",
                        rule_upload_floats(t, base, COUNT, &shared_buffer));
}

/* ---- 20.1 Side by side ----------------------------------------------------------------------- */

static void upload(struct rule_context *t, int i)
{
    float values[COUNT];
    PJRT_Buffer *buffer;
    for (int round = 0; round < ROUNDS; round++) {
        fill(values, 1000 * i + round);
        NEED_OK(t, rule_upload_floats(t, values, COUNT, &buffer));
        rule_check_floats(t, buffer, values, COUNT);
        DESTROY(t, Buffer, buffer, buffer);
    }
}

void rule_concurrency_uploads(struct rule_context *t)
{
    NEED_CLIENT(t);
    rule_threads(t, upload);
}

static void execute(struct rule_context *t, int i)
{
    float values[COUNT];
    PJRT_Buffer *buffer, *result;
    for (int round = 0; round < ROUNDS; round++) {
        fill(values, 1000 * i + round);
        NEED_OK(t, rule_upload_floats(t, values, COUNT, &buffer));
        NEED_OK(t, add(t, buffer, &result));
        check_sum(t, result, values);
        DESTROY(t, Buffer, buffer, result);
        DESTROY(t, Buffer, buffer, buffer);
    }
}

void rule_concurrency_executions(struct rule_context *t)
{
    NEED_CLIENT(t);
    RULE_NEED_(prepare(t));
    rule_threads(t, execute);
}

static void compile(struct rule_context *t, int i)
{
    PJRT_LoadedExecutable *own;
    PJRT_Buffer *result;
    float expected[COUNT];
    char text[512];
    for (int k = 0; k < COUNT; k++)
        expected[k] = base[k] + (float)i;
    snprintf(text, sizeof text,
             "func.func public @main(%%x: tensor<4xf32>) -> tensor<4xf32> {\n"
             "  %%c = \"stablehlo.constant\"() {value = dense<%d.0> : tensor<4xf32>} : () -> "
             "tensor<4xf32>\n"
             "  %%y = \"stablehlo.add\"(%%x, %%c) : (tensor<4xf32>, tensor<4xf32>) -> "
             "tensor<4xf32>\n"
             "  \"func.return\"(%%y) : (tensor<4xf32>) -> ()\n}\n",
             i);
    for (int round = 0; round < 3; round++) {
        NEED_OK(t, rule_compile_text(t, text, &own));
        NEED_OK(t, rule_execute(t, own, &shared_buffer, 1, &result, 1));
        rule_check_floats(t, result, expected, COUNT);
        DESTROY(t, Buffer, buffer, result);
        DESTROY(t, LoadedExecutable, executable, own);
    }
}

void rule_concurrency_programs(struct rule_context *t)
{
    NEED_CLIENT(t);
    RULE_NEED_(prepare(t));
    rule_threads(t, compile);
}

static void read_shared(struct rule_context *t, int i)
{
    (void)i;
    for (int round = 0; round < ROUNDS; round++)
        rule_check_floats(t, shared_buffer, base, COUNT);
}

void rule_concurrency_readers(struct rule_context *t)
{
    NEED_CLIENT(t);
    RULE_NEED_(prepare(t));
    rule_threads(t, read_shared);
}

static void ask(struct rule_context *t)
{
    ARGS(t, Buffer_Dimensions, dims, .buffer = shared_buffer);
    ARGS(t, LoadedExecutable_IsDeleted, deleted, .executable = shared_executable);
    ARGS(t, Client_AddressableDevices, devices, .client = t->client);
    NEED_OK(t, CALL(t, Buffer_Dimensions, &dims));
    NEED_OK(t, CALL(t, LoadedExecutable_IsDeleted, &deleted));
    NEED_OK(t, CALL(t, Client_AddressableDevices, &devices));
    CHECK(t, dims.num_dims == 1 && dims.dims[0] == COUNT, "rank %zu", dims.num_dims);
    CHECK(t, !deleted.is_deleted, "the executable is deleted");
    CHECK(t, devices.addressable_devices[0] == t->device, "another first device");
}

static void ask_or_execute(struct rule_context *t, int i)
{
    if (i % 2)
        execute(t, i);
    for (int round = 0; i % 2 == 0 && round < ROUNDS; round++)
        ask(t);
}

void rule_concurrency_questions(struct rule_context *t)
{
    NEED_CLIENT(t);
    RULE_NEED_(prepare(t));
    rule_threads(t, ask_or_execute);
}

static void create(struct rule_context *t, int i)
{
    (void)i;
    for (int round = 0; round < 3; round++) {
        ARGS(t, Client_Create, args, );
        NEED_OK(t, CALL(t, Client_Create, &args));
        ARGS(t, Client_AddressableDevices, devices, .client = args.client);
        CHECK_OK(t, CALL(t, Client_AddressableDevices, &devices));
        CHECK(t, devices.num_addressable_devices, "a client without devices");
        DESTROY(t, Client, client, args.client);
    }
}

void rule_concurrency_clients(struct rule_context *t)
{
    NEED_CLIENT(t);
    ARGS(t, Client_Create, second, );
    struct error *error = CALL(t, Client_Create, &second);
    if (error) {
        rule_skip(t, "no second client: %s", error_message(error, NULL));
        error_free(error);
        return;
    }
    DESTROY(t, Client, client, second.client);
    rule_threads(t, create);
}

static void call_anything(struct rule_context *t, int i)
{
    struct rule_context own = *t; /* random numbers of this thread */
    own.seed += (uint64_t)i;
    for (int round = 0; round < 10; round++)
        switch (rule_random(&own) % 4) {
        case 0: upload(t, i); break;
        case 1: execute(t, i); break;
        case 2: read_shared(t, i); break;
        default: ask(t);
        }
}

void rule_concurrency_random_calls(struct rule_context *t)
{
    NEED_CLIENT(t);
    RULE_NEED_(prepare(t));
    rule_threads(t, call_anything);
}

/* ---- 20.2 Races ------------------------------------------------------------------------------ */

/* Thread 0 deletes the buffer after a while. */
static void delete_shared(struct rule_context *t)
{
    for (int i = 0; i < 20; i++)
        ask(t);
    ARGS(t, Buffer_Delete, args, .buffer = shared_buffer);
    CHECK_OK(t, CALL(t, Buffer_Delete, &args));
    atomic_store(&is_deleted, true);
}

static void read_or_delete(struct rule_context *t, int i)
{
    float back[COUNT];
    if (i == 0)
        delete_shared(t);
    for (int after = 0; i && after < 10; after += atomic_load(&is_deleted)) {
        struct error *error = rule_download(t, shared_buffer, back, sizeof back);
        if (!error)
            CHECK(t, !memcmp(back, base, sizeof back), "other bytes: %g", (double)back[0]);
        error_free(error);
    }
}

void rule_concurrency_deletion_of_read_buffers(struct rule_context *t)
{
    NEED_CLIENT(t);
    RULE_NEED_(prepare(t));
    rule_threads(t, read_or_delete);
}

static void execute_or_delete(struct rule_context *t, int i)
{
    PJRT_Buffer *result;
    if (i == 0)
        delete_shared(t);
    for (int after = 0; i && after < 10; after += atomic_load(&is_deleted)) {
        struct error *error = add(t, shared_buffer, &result);
        if (!error) {
            check_sum(t, result, base);
            DESTROY(t, Buffer, buffer, result);
        }
        error_free(error);
    }
}

void rule_concurrency_deletion_of_arguments(struct rule_context *t)
{
    NEED_CLIENT(t);
    RULE_NEED_(prepare(t));
    rule_threads(t, execute_or_delete);
}

static void execute_deleted(struct rule_context *t, int i)
{
    PJRT_Buffer *result;
    int round = 0;
    for (int after = 0; after < 10; after += atomic_load(&is_deleted)) {
        if (i == 0 && round++ == ROUNDS / 2) {
            ARGS(t, LoadedExecutable_Delete, args, .executable = shared_executable);
            CHECK_OK(t, CALL(t, LoadedExecutable_Delete, &args));
            atomic_store(&is_deleted, true);
        }
        struct error *error = add(t, shared_buffer, &result);
        if (!error) {
            check_sum(t, result, base);
            DESTROY(t, Buffer, buffer, result);
        }
        error_free(error);
    }
}

void rule_concurrency_deletion_of_executables(struct rule_context *t)
{
    NEED_CLIENT(t);
    RULE_NEED_(prepare(t));
    rule_threads(t, execute_deleted);
}

static PJRT_Buffer *second_argument;

/* Donates the shared buffer; the program is x * 2 + y. */
static void donate(struct rule_context *t, int i)
{
    PJRT_Buffer *inputs[] = {shared_buffer, second_argument}, *result;
    (void)i;
    struct error *error = rule_execute(t, shared_executable, inputs, 2, &result, 1);
    if (!error) {
        atomic_fetch_add(&successes, 1);
        DESTROY(t, Buffer, buffer, result);
    }
    error_free(error);
}

void rule_concurrency_donations(struct rule_context *t)
{
    static const float values[256];
    NEED_CLIENT(t);
    NEED_OK(t, rule_compile_file(t, "donate.mlirbc", &shared_executable));
    NEED_OK(t, rule_upload_floats(t, values, 256, &second_argument));
    for (int round = 0; round < 20; round++) {
        NEED_OK(t, rule_upload_floats(t, values, 256, &shared_buffer));
        atomic_store(&successes, 0);
        rule_threads(t, donate);
        ARGS(t, Buffer_IsDeleted, deleted, .buffer = shared_buffer);
        NEED_OK(t, CALL(t, Buffer_IsDeleted, &deleted));
        if (!deleted.is_deleted) {
            rule_skip(t, "the plugin does not donate");
            return;
        }
        NEED(t, atomic_load(&successes) <= 1, "%d executions succeeded", atomic_load(&successes));
    }
}

/* Starts x + x without waiting. */
static struct error *start(struct rule_context *t, PJRT_Buffer *x, PJRT_Buffer **result,
                           PJRT_Event **done)
{
    PJRT_Buffer *pair[] = {x, x}, *const *inputs = pair;
    PJRT_ExecuteOptions options = {.struct_size = FUNCTIONS_SIZE(ExecuteOptions, t->minor)};
    ARGS(t, LoadedExecutable_Execute, args, .executable = shared_executable, .options = &options,
         .argument_lists = &inputs, .num_devices = 1, .num_args = 2, .output_lists = &result,
         .device_complete_events = done);
    *result = NULL;
    return CALL(t, LoadedExecutable_Execute, &args);
}

static void *destroy_result(void *user)
{
    struct rule_context *t = user;
    DESTROY(t, Buffer, buffer, shared_buffer);
    return NULL;
}

void rule_concurrency_destruction_of_results(struct rule_context *t)
{
    PJRT_Buffer *argument;
    pthread_t thread;
    NEED_CLIENT(t);
    RULE_NEED_(prepare(t));
    argument = shared_buffer;
    for (int round = 0; round < 50; round++) {
        NEED_OK(t, start(t, argument, &shared_buffer, NULL));
        NEED(t, !pthread_create(&thread, NULL, destroy_result, t), "no thread");
        pthread_join(thread, NULL);
    }
    rule_check_floats(t, argument, base, COUNT);
}

/* ---- 20.3 Queues ----------------------------------------------------------------------------- */

void rule_concurrency_long_chains(struct rule_context *t)
{
    static const float zeros[COUNT], ones[COUNT] = {1, 1, 1, 1},
                                     sums[COUNT] = {1000, 1000, 1000, 1000};
    PJRT_Buffer *value, *one, *next = NULL, **results = &next;
    NEED_CLIENT(t);
    PJRT_ExecuteOptions options = {.struct_size = FUNCTIONS_SIZE(ExecuteOptions, t->minor)};
    RULE_NEED_(prepare(t));
    NEED_OK(t, rule_upload_floats(t, zeros, COUNT, &value));
    NEED_OK(t, rule_upload_floats(t, ones, COUNT, &one));
    for (int i = 0; i < 1000; i++) {
        PJRT_Buffer *pair[] = {value, one}, *const *inputs = pair;
        ARGS(t, LoadedExecutable_Execute, args, .executable = shared_executable,
             .options = &options, .argument_lists = &inputs, .num_devices = 1, .num_args = 2,
             .output_lists = &results);
        NEED_OK(t, CALL(t, LoadedExecutable_Execute, &args));
        DESTROY(t, Buffer, buffer, value);
        value = next;
    }
    rule_check_floats(t, value, sums, COUNT);
}

void rule_concurrency_many_pending_executions(struct rule_context *t)
{
    enum { PENDING = 1000 };
    static PJRT_Buffer *results[PENDING];
    NEED_CLIENT(t);
    RULE_NEED_(prepare(t));
    for (int i = 0; i < PENDING; i++)
        NEED_OK(t, start(t, shared_buffer, &results[i], NULL));
    for (int i = 0; i < PENDING; i++)
        check_sum(t, results[i], base);
}

static void *await_event(void *user)
{
    void **pair = user;
    struct rule_context *t = pair[0];
    CHECK_OK(t, rule_await(t, pair[1]));
    return NULL;
}

void rule_concurrency_events_of_other_threads(struct rule_context *t)
{
    PJRT_Buffer *result;
    PJRT_Event *done = NULL;
    pthread_t thread;
    NEED_CLIENT(t);
    RULE_NEED_(prepare(t));
    for (int round = 0; round < 20; round++) {
        NEED_OK(t, start(t, shared_buffer, &result, &done));
        void *pair[] = {t, done};
        NEED(t, !pthread_create(&thread, NULL, await_event, pair), "no thread");
        pthread_join(thread, NULL);
        check_sum(t, result, base);
        DESTROY(t, Buffer, buffer, result);
    }
}
