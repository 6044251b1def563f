/* suite_callbacks.c: programs that exchange data with the host while they run, through the
 * callbacks of an execution. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/test_context.h"

#define SEND(channel)                                                                              \
    "{channel_handle = #stablehlo.channel_handle<handle = " #channel                               \
    ", type = 2>, is_host_transfer = true}"
#define RECEIVE(channel)                                                                           \
    "{channel_handle = #stablehlo.channel_handle<handle = " #channel                               \
    ", type = 3>, is_host_transfer = true}"

/* Sends x on channel 1, receives y on channel 2, sends x + y on channel 3, and returns (x + y) +
 * y. */
static const char talk[] =
    "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
    "  %t = \"stablehlo.create_token\"() : () -> !stablehlo.token\n"
    "  %u = \"stablehlo.send\"(%x, %t) " SEND(
        1) " : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token\n"
           "  %y:2 = \"stablehlo.recv\"(%u) " RECEIVE(
               2) " : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)\n"
                  "  %z = \"stablehlo.add\"(%x, %y#0) : (tensor<4xf32>, tensor<4xf32>) -> "
                  "tensor<4xf32>\n"
                  "  %v = \"stablehlo.send\"(%z, %y#1) " SEND(
                      3) " : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token\n"
                         "  %w = \"stablehlo.add\"(%z, %y#0) : (tensor<4xf32>, tensor<4xf32>) -> "
                         "tensor<4xf32>\n"
                         "  \"func.return\"(%w) : (tensor<4xf32>) -> ()\n"
                         "}\n";

/* Runs five iterations: sends its value on channel 1, receives the next one on channel 2. */
static const char loop[] =
    "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
    "  %i = \"stablehlo.constant\"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>\n"
    "  %one = \"stablehlo.constant\"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>\n"
    "  %five = \"stablehlo.constant\"() {value = dense<5> : tensor<i32>} : () -> tensor<i32>\n"
    "  %t = \"stablehlo.create_token\"() : () -> !stablehlo.token\n"
    "  %r:3 = \"stablehlo.while\"(%i, %x, %t) ({\n"
    "  ^bb0(%k: tensor<i32>, %y: tensor<4xf32>, %u: !stablehlo.token):\n"
    "    %go = \"stablehlo.compare\"(%k, %five) {comparison_direction = "
    "#stablehlo<comparison_direction LT>}"
    " : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "    \"stablehlo.return\"(%go) : (tensor<i1>) -> ()\n"
    "  }, {\n"
    "  ^bb0(%k: tensor<i32>, %y: tensor<4xf32>, %u: !stablehlo.token):\n"
    "    %v = \"stablehlo.send\"(%y, %u) " SEND(
        1) " : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token\n"
           "    %z:2 = \"stablehlo.recv\"(%v) " RECEIVE(
               2) " : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)\n"
                  "    %n = \"stablehlo.add\"(%k, %one) : (tensor<i32>, tensor<i32>) -> "
                  "tensor<i32>\n"
                  "    \"stablehlo.return\"(%n, %z#0, %z#1) : (tensor<i32>, tensor<4xf32>, "
                  "!stablehlo.token) -> ()\n"
                  "  }) : (tensor<i32>, tensor<4xf32>, !stablehlo.token) -> (tensor<i32>, "
                  "tensor<4xf32>, !stablehlo.token)\n"
                  "  \"func.return\"(%r#1) : (tensor<4xf32>) -> ()\n"
                  "}\n";

/* ---- The host -------------------------------------------------------------------------------- */

enum { MAX_CALLBACKS = 64, BYTES = 4 * sizeof(float) };

/* The behavior of the host, and its observations. It answers the first value sent, doubled, on the
 * second channel. */
struct host {
    struct test_context *t;
    int fails;                     /* channel whose send callback returns an error */
    size_t piece;                  /* bytes per chunk; 0: all at once */
    bool drops;                    /* destroys the stream before it is full */
    bool later;                    /* stores the stream for another thread */
    char order[MAX_CALLBACKS + 1]; /* channels, in the order of their callbacks */
    float received[4], received_last[4];
    PJRT_CopyToDeviceStream *_Atomic stream; /* stored for another thread */
    atomic_int freed, given;                 /* numbers of chunks freed and passed */
};

struct end { /* the callback data of a channel */
    struct host *host;
    int channel;
};

static void note(const struct end *end)
{
    size_t length = strlen(end->host->order);
    if (length < MAX_CALLBACKS)
        end->host->order[length] = (char)('0' + end->channel);
}

static PJRT_Error *on_send(PJRT_Chunk *chunk, PJRT_CallbackError *make_error, size_t total,
                           bool done, void *user_arg)
{
    const struct end *end = user_arg;
    struct host *host = end->host;
    note(end);
    CHECK(host->t, total == BYTES && chunk->size == BYTES && done, "a chunk of %zu of %zu bytes",
          chunk->size, total);
    memcpy(end->channel == 1 ? host->received : host->received_last, chunk->data, BYTES);
    if (chunk->deleter)
        chunk->deleter(chunk->data, chunk->deleter_arg);
    static const char words[] = "the host is not amused";
    return host->fails == end->channel
               ? (*make_error)(PJRT_Error_Code_DATA_LOSS, words, sizeof words - 1)
               : NULL;
}

static void free_chunk(void *data, void *host)
{
    free(data);
    atomic_fetch_add(&((struct host *)host)->freed, 1);
}

static struct error *add(struct host *host, PJRT_CopyToDeviceStream *stream, const void *bytes,
                         size_t size)
{
    PJRT_Chunk chunk = {malloc(size + 1), size, free_chunk, host};
    memcpy(chunk.data, bytes, size);
    atomic_fetch_add(&host->given, 1);
    ABI_ARGS(CopyToDeviceStream_AddChunk, args, .stream = stream, .chunk = &chunk);
    TRY(ABI_CALL(host->t->api, CopyToDeviceStream_AddChunk, &args));
    return abi_await(host->t->api, args.transfer_complete);
}

static void check_bytes(struct host *host, PJRT_CopyToDeviceStream *stream, size_t current)
{
    ABI_ARGS(CopyToDeviceStream_TotalBytes, total, .stream = stream);
    ABI_ARGS(CopyToDeviceStream_CurrentBytes, now, .stream = stream);
    CHECK_OK(host->t, ABI_CALL(host->t->api, CopyToDeviceStream_TotalBytes, &total));
    CHECK_OK(host->t, ABI_CALL(host->t->api, CopyToDeviceStream_CurrentBytes, &now));
    CHECK(host->t, total.total_bytes == BYTES && now.current_bytes == (int64_t)current,
          "%lld of %lld bytes", (long long)now.current_bytes, (long long)total.total_bytes);
}

static void answer(struct host *host, PJRT_CopyToDeviceStream *stream)
{
    float doubled[4];
    size_t piece = host->piece ? host->piece : BYTES, until = host->drops ? BYTES - piece : BYTES;
    for (int i = 0; i < 4; i++)
        doubled[i] = 2 * host->received[i];
    for (size_t at = 0; at < until; at += piece) {
        check_bytes(host, stream, at);
        CHECK_CODE(host->t, INVALID_ARGUMENT,
                   add(host, stream, (char[BYTES + 1]){0}, BYTES + 1 - at));
        CHECK_OK(host->t, add(host, stream, (char *)doubled + at, piece));
    }
    ABI_DESTROY(host->t->api, CopyToDeviceStream, stream, stream);
}

static void on_receive(PJRT_CopyToDeviceStream *stream, void *user_arg)
{
    const struct end *end = user_arg;
    note(end);
    if (end->host->later)
        atomic_store(&end->host->stream, stream);
    else
        answer(end->host, stream);
}

/* ---- Executions ------------------------------------------------------------------------------ */

static struct error *compile(const struct test_context *t, const char *code,
                             PJRT_LoadedExecutable **out)
{
    struct abi_program program = {.code = code, .code_size = strlen(code), .format = "mlir"};
    *out = NULL;
    return abi_compile(t->api, t->client, &program, out);
}

/* Starts an execution without waiting. `ends` must outlive it. */
static struct error *start(struct host *host, PJRT_LoadedExecutable *executable, struct end ends[3],
                           PJRT_Buffer **result, PJRT_Event **done)
{
    const struct test_context *t = host->t;
    PJRT_Buffer *argument;
    for (int i = 0; i < 3; i++)
        ends[i] = (struct end){host, i + 1};
    PJRT_SendCallbackInfo sends[] = {{3, &ends[2], on_send}, {1, &ends[0], on_send}},
                          *send_lists = sends;
    PJRT_RecvCallbackInfo receives[] = {{2, &ends[1], on_receive}}, *receive_lists = receives;
    PJRT_ExecuteOptions options = {.struct_size = PJRT_ExecuteOptions_STRUCT_SIZE,
                                   .send_callbacks = &send_lists,
                                   .recv_callbacks = &receive_lists,
                                   .num_send_ops = 2,
                                   .num_recv_ops = 1};
    TRY(test_context_upload(t, DTYPE_F32, 1, (int64_t[]){4}, &argument));
    PJRT_Buffer *const *inputs = &argument;
    ABI_ARGS(LoadedExecutable_Execute, args, .executable = executable, .options = &options,
             .argument_lists = &inputs, .num_devices = 1, .num_args = 1, .output_lists = &result,
             .device_complete_events = done);
    struct error *error = ABI_CALL(t->api, LoadedExecutable_Execute, &args);
    memset(sends, 0xff, sizeof sends); /* only borrowed during the call */
    memset(receives, 0xff, sizeof receives);
    abi_buffer_destroy(t->api, argument);
    return error;
}

/* Waits and returns the elements of the result, or the error of the execution. */
static struct error *finish(const struct test_context *t, PJRT_Buffer *result, PJRT_Event *done,
                            float out[4])
{
    struct error *error = abi_await(t->api, done);
    struct error *other = abi_download(t->api, result, out, BYTES);
    abi_buffer_destroy(t->api, result);
    if (!error == !other) {
        error_free(other);
        return error;
    }
    error_free(error);
    error_free(other);
    return ERROR(INTERNAL, "the event and the result of an execution disagree");
}

static struct error *run(struct host *host, const char *code, float out[4])
{
    PJRT_LoadedExecutable *executable;
    PJRT_Buffer *result;
    PJRT_Event *done;
    struct end ends[3];
    TRY(compile(host->t, code, &executable));
    struct error *error = start(host, executable, ends, &result, &done);
    if (!error)
        error = finish(host->t, result, done, out);
    abi_executable_destroy(host->t->api, executable);
    return error;
}

static void expect(struct test_context *t, const float *got, double times)
{
    for (size_t i = 0; i < 4; i++)
        CHECK(t, (double)got[i] == test_context_value(DTYPE_F32, i) * times, "element %zu is %g", i,
              (double)got[i]);
}

/* ---- Cases ----------------------------------------------------------------------------------- */

static void in_loops(struct test_context *t)
{
    struct host host = {.t = t};
    float out[4];
    NEED_SUPPORTED(t, run(&host, loop, out));
    CHECK(t, !strcmp(host.order, "1212121212"), "the callbacks came as %s", host.order);
    expect(t, out, 32);
}

static void errors_of_sends(struct test_context *t)
{
    for (int channel = 1; channel <= 3; channel += 2) {
        struct host host = {.t = t, .fails = channel};
        float out[4];
        struct error *error = run(&host, talk, out);
        if (error && error_code(error) == PJRT_Error_Code_UNIMPLEMENTED)
            NEED_SUPPORTED(t, error);
        CHECK(t, error && strstr(error_message(error, NULL), "not amused"),
              "the callback's words are lost");
        CHECK_CODE(t, DATA_LOSS, error);
        CHECK(t, !strcmp(host.order, channel == 1 ? "1" : "123"), "the callbacks came as %s",
              host.order);
    }
}

static void streams_that_end_early(struct test_context *t)
{
    struct host host = {.t = t, .piece = 8, .drops = true};
    float out[4];
    struct error *error = run(&host, talk, out);
    if (error && error_code(error) == PJRT_Error_Code_UNIMPLEMENTED)
        NEED_SUPPORTED(t, error);
    CHECK_ERROR(t, error);
    CHECK(t, !strcmp(host.order, "12"), "the callbacks came as %s", host.order);
}

/* Execute returns, and the caller answers later; later executions wait in the queue. */
static void later(struct test_context *t)
{
    struct host host = {.t = t, .later = true}, second = {.t = t};
    PJRT_LoadedExecutable *executable;
    PJRT_Buffer *result, *other;
    PJRT_Event *done, *other_done;
    struct end ends[3], other_ends[3];
    float out[4];
    NEED_SUPPORTED(t, compile(t, talk, &executable));
    NEED_OK(t, start(&host, executable, ends, &result, &done));
    NEED_OK(t, start(&second, executable, other_ends, &other, &other_done));
    abi_executable_destroy(t->api, executable);
    while (!atomic_load(&host.stream))
        usleep(100);
    CHECK(t, !second.order[0], "executions overtake one another");
    ABI_ARGS(Event_IsReady, ready, .event = done);
    CHECK_OK(t, ABI_CALL(t->api, Event_IsReady, &ready));
    CHECK(t, !ready.is_ready, "ready before the answer");
    answer(&host, atomic_load(&host.stream));
    CHECK_OK(t, finish(t, result, done, out));
    expect(t, out, 5);
    CHECK_OK(t, finish(t, other, other_done, out));
    expect(t, out, 5);
}

/* Serializes and deserializes the executable. */
static struct error *reload(const struct test_context *t, PJRT_LoadedExecutable *loaded,
                            PJRT_LoadedExecutable **out)
{
    *out = NULL;
    ABI_ARGS(LoadedExecutable_GetExecutable, get, .loaded_executable = loaded);
    TRY(ABI_CALL(t->api, LoadedExecutable_GetExecutable, &get));
    ABI_ARGS(Executable_Serialize, bytes, .executable = get.executable);
    struct error *error = ABI_CALL(t->api, Executable_Serialize, &bytes);
    ABI_DESTROY(t->api, Executable, executable, get.executable);
    if (error)
        return error;
    ABI_ARGS(Executable_DeserializeAndLoad, load, .client = t->client,
             .serialized_executable = bytes.serialized_bytes,
             .serialized_executable_size = bytes.serialized_bytes_size);
    error = ABI_CALL(t->api, Executable_DeserializeAndLoad, &load);
    bytes.serialized_executable_deleter(bytes.serialized_executable);
    *out = load.loaded_executable;
    return error;
}

static void serialized(struct test_context *t)
{
    struct host host = {.t = t};
    PJRT_LoadedExecutable *compiled, *executable;
    PJRT_Buffer *result;
    PJRT_Event *done;
    struct end ends[3];
    float out[4];
    NEED_SUPPORTED(t, compile(t, talk, &compiled));
    NEED_SUPPORTED(t, reload(t, compiled, &executable));
    abi_executable_destroy(t->api, compiled);
    NEED_OK(t, start(&host, executable, ends, &result, &done));
    CHECK_OK(t, finish(t, result, done, out));
    CHECK(t, !strcmp(host.order, "123"), "the callbacks came as %s", host.order);
    expect(t, out, 5);
    abi_executable_destroy(t->api, executable);
}

/* An execution without callbacks, or with those of another program, is rejected. */
static void missing(struct test_context *t)
{
    PJRT_LoadedExecutable *executable;
    PJRT_Buffer *argument, *result;
    NEED_SUPPORTED(t, compile(t, talk, &executable));
    NEED_OK(t, test_context_upload(t, DTYPE_F32, 1, (int64_t[]){4}, &argument));
    CHECK_ERROR(t, abi_execute(t->api, executable, &argument, 1, &result, 1));
    abi_buffer_destroy(t->api, argument);
    abi_executable_destroy(t->api, executable);
}

static void *run_many(void *argument)
{
    struct test_context *t = argument;
    PJRT_LoadedExecutable *executable;
    if (!CHECK_OK(t, compile(t, loop, &executable)))
        return NULL;
    for (int i = 0; i < 20; i++) {
        struct host host = {.t = t};
        struct end ends[3];
        PJRT_Buffer *result;
        PJRT_Event *done;
        float out[4];
        if (CHECK_OK(t, start(&host, executable, ends, &result, &done)) &&
            CHECK_OK(t, finish(t, result, done, out)))
            expect(t, out, 32);
        CHECK(t, !strcmp(host.order, "1212121212"), "the callbacks came as %s", host.order);
    }
    abi_executable_destroy(t->api, executable);
    return NULL;
}

static void of_many_threads(struct test_context *t)
{
    PJRT_LoadedExecutable *executable;
    pthread_t threads[4];
    NEED_SUPPORTED(t, compile(t, loop, &executable));
    abi_executable_destroy(t->api, executable);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, run_many, t);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

/* The ABI has no infeed calls, so compiling a program with infeed is an error. */
static void infeed_is_unsupported(struct test_context *t)
{
    static const char infeed[] = "func.func @main() -> tensor<4xf32> {\n"
                                 "  %t = \"stablehlo.create_token\"() : () -> !stablehlo.token\n"
                                 "  %y:2 = \"stablehlo.infeed\"(%t) {infeed_config = \"\"} : "
                                 "(!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)\n"
                                 "  \"func.return\"(%y#0) : (tensor<4xf32>) -> ()\n"
                                 "}\n";
    static const char outfeed[] = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
                                  "  %t = \"stablehlo.create_token\"() : () -> !stablehlo.token\n"
                                  "  %u = \"stablehlo.outfeed\"(%x, %t) {outfeed_config = \"\"} : "
                                  "(tensor<4xf32>, !stablehlo.token) -> !stablehlo.token\n"
                                  "  \"func.return\"(%x) : (tensor<4xf32>) -> ()\n"
                                  "}\n";
    for (int i = 0; i < 2; i++) {
        PJRT_LoadedExecutable *executable;
        struct error *error = compile(t, i ? outfeed : infeed, &executable);
        NEED(t, error, "a program with infeed or outfeed compiles");
        const char *message = error_message(error, NULL);
        CHECK(t, strstr(message, i ? "outfeed" : "infeed") && strstr(message, ":3:"), "%s",
              message);
        CHECK_CODE(t, UNIMPLEMENTED, error);
    }
}

static const struct test_context_case cases[] = {
    {"in_loops", in_loops, STAGE_CLIENT, 0},
    {"errors_of_sends", errors_of_sends, STAGE_CLIENT, 0},
    {"streams_that_end_early", streams_that_end_early, STAGE_CLIENT, 0},
    {"later", later, STAGE_CLIENT, 0},
    {"serialized", serialized, STAGE_CLIENT, 0},
    {"missing", missing, STAGE_CLIENT, 0},
    {"of_many_threads", of_many_threads, STAGE_CLIENT, 0},
    {"infeed_is_unsupported", infeed_is_unsupported, STAGE_CLIENT, 0},
    {0}};
const struct test_context_suite suite_callbacks = {"callbacks", cases};
