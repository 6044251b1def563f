/* callback_rules.c: area 16, section 4: programs that exchange arrays with the host while they
 * run. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/cts/rule_sequences.h"

#define HANDLE(channel, type)                                                                      \
    "{channel_handle = #stablehlo.channel_handle<handle = " #channel ", type = " #type             \
    ">, is_host_transfer = true} : "
#define T "tensor<4xf32>"

/* Sends x on channel 1, receives y on channel 2, and returns x + y. */
static const char text[] =
    "func.func public @main(%x: " T ") -> " T " {\n"
    "  %t = \"stablehlo.create_token\"() : () -> !stablehlo.token\n"
    "  %u = \"stablehlo.send\"(%x, %t) " HANDLE(
        1, 2) "(" T ", !stablehlo.token) -> !stablehlo.token\n"
              "  %y:2 = \"stablehlo.recv\"(%u) " HANDLE(
                  2, 3) "(!stablehlo.token) -> (" T ", !stablehlo.token)\n"
                        "  %z = \"stablehlo.add\"(%x, %y#0) : (" T ", " T ") -> " T "\n"
                        "  \"func.return\"(%z) : (" T ") -> ()\n"
                        "}\n";

enum { COUNT = 4, BYTES = COUNT * sizeof(float) };
static const float sent[COUNT] = {1, 2, 3, 4}, answer[COUNT] = {10, 20, 30, 40};

/* What the host does, and what it saw. */
struct host {
    struct rule_context *t;
    bool fails;   /* the send callback returns an error */
    bool surplus; /* first adds a chunk that is too large */
    bool computes;
    size_t pieces; /* in which it answers; 0: one */
    char order[8];
    float received[COUNT];
    size_t size, total;
    bool done;
    atomic_int given, freed; /* chunks */
};

static void note(struct host *host, char what)
{
    size_t length = strlen(host->order);
    if (length < sizeof host->order - 1)
        host->order[length] = what;
}

static void compute(struct rule_context *t)
{
    static const float one[] = {1, 2, 3, 4}, two[] = {2, 4, 6, 8};
    PJRT_LoadedExecutable *executable;
    PJRT_Buffer *inputs[2], *result;
    NEED_OK(t, rule_compile_file(t, "add.mlirbc", &executable));
    NEED_OK(t, rule_upload_floats(t, one, COUNT, &inputs[0]));
    NEED_OK(t, rule_upload_floats(t, one, COUNT, &inputs[1]));
    NEED_OK(t, rule_execute(t, executable, inputs, 2, &result, 1));
    rule_check_floats(t, result, two, COUNT);
}

static PJRT_Error *on_send(PJRT_Chunk *chunk, PJRT_CallbackError *make_error, size_t total,
                           bool done, void *user)
{
    struct host *host = user;
    note(host, 's');
    host->size = chunk->size;
    host->total = total;
    host->done = done;
    if (chunk->size == BYTES)
        memcpy(host->received, chunk->data, BYTES);
    if (chunk->deleter)
        chunk->deleter(chunk->data, chunk->deleter_arg);
    if (host->computes)
        compute(host->t);
    return host->fails ? (*make_error)(PJRT_Error_Code_DATA_LOSS, "no", 2) : NULL;
}

static void free_chunk(void *data, void *user)
{
    free(data);
    atomic_fetch_add(&((struct host *)user)->freed, 1);
}

static struct error *add(struct host *host, PJRT_CopyToDeviceStream *stream, const void *bytes,
                         size_t size)
{
    struct rule_context *t = host->t;
    PJRT_Chunk chunk = {malloc(size), size, free_chunk, host};
    memcpy(chunk.data, bytes, size);
    atomic_fetch_add(&host->given, 1);
    ARGS(t, CopyToDeviceStream_AddChunk, args, .stream = stream, .chunk = &chunk);
    TRY(CALL(t, CopyToDeviceStream_AddChunk, &args));
    return rule_await(t, args.transfer_complete);
}

static void check_bytes(struct rule_context *t, PJRT_CopyToDeviceStream *stream, size_t current)
{
    ARGS(t, CopyToDeviceStream_TotalBytes, total, .stream = stream);
    ARGS(t, CopyToDeviceStream_CurrentBytes, now, .stream = stream);
    CHECK_OK(t, CALL(t, CopyToDeviceStream_TotalBytes, &total));
    CHECK_OK(t, CALL(t, CopyToDeviceStream_CurrentBytes, &now));
    CHECK(t, total.total_bytes == BYTES, "%lld bytes in all", (long long)total.total_bytes);
    CHECK(t, now.current_bytes == (int64_t)current, "%lld bytes after %zu",
          (long long)now.current_bytes, current);
}

static void on_receive(PJRT_CopyToDeviceStream *stream, void *user)
{
    static const char zeros[BYTES + 16];
    struct host *host = user;
    size_t pieces = host->pieces ? host->pieces : 1, size = BYTES / pieces;
    note(host, 'r');
    if (host->surplus)
        CHECK_ERROR(host->t, add(host, stream, zeros, sizeof zeros));
    for (size_t i = 0; i < pieces; i++) {
        check_bytes(host->t, stream, i * size);
        CHECK_OK(host->t, add(host, stream, (const char *)answer + i * size, size));
    }
    check_bytes(host->t, stream, BYTES);
    DESTROY(host->t, CopyToDeviceStream, stream, stream);
}

/* Runs the program; `result`: what it returned (owned), or NULL on error. */
static struct error *run(struct rule_context *t, struct host *host, PJRT_Buffer **result)
{
    PJRT_LoadedExecutable *executable;
    PJRT_Buffer *argument;
    PJRT_Event *done = NULL;
    TRY(rule_compile_text(t, text, &executable));
    TRY(rule_upload_floats(t, sent, COUNT, &argument));
    PJRT_SendCallbackInfo sends[] = {{1, host, on_send}}, *send_lists = sends;
    PJRT_RecvCallbackInfo receives[] = {{2, host, on_receive}}, *receive_lists = receives;
    PJRT_ExecuteOptions options = {.struct_size = FUNCTIONS_SIZE(ExecuteOptions, t->minor),
                                   .send_callbacks = &send_lists,
                                   .recv_callbacks = &receive_lists,
                                   .num_send_ops = 1,
                                   .num_recv_ops = 1};
    PJRT_Buffer *const *inputs = &argument;
    ARGS(t, LoadedExecutable_Execute, args, .executable = executable, .options = &options,
         .argument_lists = &inputs, .num_devices = 1, .num_args = 1, .output_lists = &result,
         .device_complete_events = &done);
    TRY(CALL(t, LoadedExecutable_Execute, &args));
    return rule_await(t, done);
}

/* Declares a host and what the program returns. */
#define NEED_RUN(t, host, result, ...)                                                             \
    struct host host = {.t = (t), __VA_ARGS__};                                                    \
    PJRT_Buffer *result;                                                                           \
    NEED_CLIENT(t);                                                                                \
    NEED_OK(t, run(t, &host, &result))

void rule_transfers_send_to_the_host(struct rule_context *t)
{
    NEED_RUN(t, host, result, .fails = false);
    CHECK(t, host.size == BYTES && host.total == BYTES, "a chunk of %zu of %zu bytes", host.size,
          host.total);
    CHECK(t, host.done, "the last chunk is not said to be the last");
    for (int i = 0; i < COUNT; i++)
        CHECK(t, !memcmp(&host.received[i], &sent[i], sizeof *sent), "element %d is %g", i,
              (double)host.received[i]);
}

void rule_transfers_receive_from_the_host(struct rule_context *t)
{
    static const float sums[COUNT] = {11, 22, 33, 44};
    NEED_RUN(t, host, result, .fails = false);
    rule_check_floats(t, result, sums, COUNT);
}

void rule_transfers_keep_the_order_of_channels(struct rule_context *t)
{
    NEED_RUN(t, host, result, .fails = false);
    CHECK(t, !strcmp(host.order, "sr"), "the callbacks came as '%s'", host.order);
}

void rule_transfers_count_bytes_of_streams(struct rule_context *t)
{
    NEED_RUN(t, host, result, .pieces = 2);
    CHECK(t, host.order[0] && host.order[1], "no stream");
}

void rule_transfers_take_pieces(struct rule_context *t)
{
    static const float sums[COUNT] = {11, 22, 33, 44};
    NEED_RUN(t, host, result, .pieces = 4);
    rule_check_floats(t, result, sums, COUNT);
    CHECK(t, atomic_load(&host.freed) == 4, "%d of 4 deleters were called",
          atomic_load(&host.freed));
}

void rule_transfers_reject_surplus_bytes(struct rule_context *t)
{
    static const float sums[COUNT] = {11, 22, 33, 44};
    NEED_RUN(t, host, result, .surplus = true);
    rule_check_floats(t, result, sums, COUNT);
}

void rule_transfers_end_with_errors_of_callbacks(struct rule_context *t)
{
    struct host host = {.t = t, .fails = true};
    PJRT_Buffer *result;
    NEED_CLIENT(t);
    CHECK_CODE(t, DATA_LOSS, run(t, &host, &result));
}

void rule_transfers_let_callbacks_call(struct rule_context *t)
{
    static const float sums[COUNT] = {11, 22, 33, 44};
    NEED_RUN(t, host, result, .computes = true);
    rule_check_floats(t, result, sums, COUNT);
}
