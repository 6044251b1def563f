/* host_callbacks_test.c: callbacks of clients in the options of an execution, and the streams that
 * they fill. */
#include "plugin/host_callbacks.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/alloc.h"
#include "plugin/handles.h"
#include "plugin/plugin.h"
#include "runtime/fake_device.h"

enum { SENT = 1, RECEIVED = 2 }; /* the channels of the fake device's "transfer" */

static const PJRT_Api *api;

static void setup(void)
{
    api = plugin_api(&fake_library);
}

TestSuite(host_callbacks, .init = setup);

/* Frees the error, which has to have the code and to contain `part`. */
static void refused(struct error *error, PJRT_Error_Code code, const char *part)
{
    cr_assert_not_null(error, "%s", part);
    cr_expect_eq(error_code(error), code, "%s", error_message(error, NULL));
    cr_expect(strstr(error_message(error, NULL), part), "%s", error_message(error, NULL));
    error_free(error);
}

static void refused_handle(PJRT_Error *error, PJRT_Error_Code code, const char *part)
{
    refused((struct error *)error, code, part);
}

/* ---- the client's functions ------------------------------------------------------------------ */
struct seen { /* by the callbacks */
    float value;
    PJRT_Error_Code failure;
};

static PJRT_Error *on_send(PJRT_Chunk *chunk, PJRT_CallbackError *make_error, size_t total,
                           bool done, void *user)
{
    struct seen *seen = user;
    cr_expect(done && total == chunk->size);
    memcpy(&seen->value, chunk->data, sizeof seen->value);
    chunk->deleter(chunk->data, chunk->deleter_arg);
    return (*make_error)(seen->failure, "the client's words", strlen("the client's"));
}

/* Gives `bytes` to the stream; returns the error. */
static PJRT_Error *add(PJRT_CopyToDeviceStream *stream, void *data, size_t size)
{
    PJRT_Chunk chunk = {.data = data, .size = size};
    PJRT_CopyToDeviceStream_AddChunk_Args args = {
        .struct_size = PJRT_CopyToDeviceStream_AddChunk_Args_STRUCT_SIZE,
        .stream = stream,
        .chunk = &chunk};
    PJRT_Error *error = api->PJRT_CopyToDeviceStream_AddChunk(&args);
    if (!error)
        event_drop(event_of(args.transfer_complete));
    return error;
}

/* A call with a struct that ends before its last field. */
#define SHORT(name, ...)                                                                           \
    do {                                                                                           \
        PJRT_CopyToDeviceStream_##name##_Args args = {                                             \
            .struct_size = PJRT_CopyToDeviceStream_##name##_Args_STRUCT_SIZE - 1, __VA_ARGS__};    \
        refused_handle(api->PJRT_CopyToDeviceStream_##name(&args),                                 \
                       PJRT_Error_Code_INVALID_ARGUMENT, "struct_size");                           \
    } while (0)

static void misuse(PJRT_CopyToDeviceStream *stream)
{
    float more[5] = {0};
    PJRT_Chunk chunk = {.data = more, .size = sizeof *more};
    SHORT(AddChunk, .stream = stream, .chunk = &chunk);
    SHORT(TotalBytes, .stream = stream);
    SHORT(GranuleSize, .stream = stream);
    SHORT(CurrentBytes, .stream = stream);
    SHORT(Destroy, .stream = stream);
    refused_handle(add(stream, NULL, 4), PJRT_Error_Code_INVALID_ARGUMENT, "4 bytes without data");
    refused_handle(add(stream, more, sizeof more), PJRT_Error_Code_INVALID_ARGUMENT, "20");
    cr_expect_null(add(stream, NULL, 0), "nothing");
}

/* The program's four numbers are the sent one ten times, and zeros. */
static void on_receive(PJRT_CopyToDeviceStream *stream, void *user)
{
    float values[4] = {10 * ((struct seen *)user)->value};
    misuse(stream);
    cr_expect_null(add(stream, values, 4));
    PJRT_CopyToDeviceStream_CurrentBytes_Args current = {
        .struct_size = PJRT_CopyToDeviceStream_CurrentBytes_Args_STRUCT_SIZE, .stream = stream};
    cr_expect_null(api->PJRT_CopyToDeviceStream_CurrentBytes(&current));
    cr_expect_eq(current.current_bytes, 4);
    cr_expect_null(add(stream, values + 1, 12));
    PJRT_CopyToDeviceStream_Destroy_Args destroy = {
        .struct_size = PJRT_CopyToDeviceStream_Destroy_Args_STRUCT_SIZE, .stream = stream};
    cr_expect_null(api->PJRT_CopyToDeviceStream_Destroy(&destroy));
}

/* ---- reading --------------------------------------------------------------------------------- */
struct given { /* options with both callbacks for one device */
    PJRT_SendCallbackInfo send;
    PJRT_RecvCallbackInfo receive;
    PJRT_SendCallbackInfo *sends[1];
    PJRT_RecvCallbackInfo *receives[1];
    PJRT_ExecuteOptions options;
};

static void give(struct given *given, struct seen *seen)
{
    *given = (struct given){.send = {SENT, seen, on_send},
                            .receive = {RECEIVED, seen, on_receive},
                            .sends = {&given->send},
                            .receives = {&given->receive},
                            .options = {.struct_size = PJRT_ExecuteOptions_STRUCT_SIZE,
                                        .send_callbacks = given->sends,
                                        .recv_callbacks = given->receives,
                                        .num_send_ops = 1,
                                        .num_recv_ops = 1}};
}

static struct error *read_options(const struct given *given)
{
    struct host_transfer **hosts;
    struct error *error = host_callbacks_read(&given->options, 1, &hosts);
    cr_expect(!error || !hosts);
    host_callbacks_release(hosts, 1);
    return error;
}

Test(host_callbacks, options_may_have_none)
{
    struct host_transfer **hosts;
    struct seen seen;
    struct given given;
    give(&given, &seen);
    cr_expect(!host_callbacks_read(NULL, 1, &hosts) && !hosts);
    given.options.struct_size = offsetof(PJRT_ExecuteOptions, num_recv_ops);
    cr_expect(!host_callbacks_read(&given.options, 1, &hosts) && !hosts, "it ends before them");
    given.options = (PJRT_ExecuteOptions){.struct_size = PJRT_ExecuteOptions_STRUCT_SIZE};
    cr_expect(!host_callbacks_read(&given.options, 1, &hosts) && !hosts);
    host_callbacks_release(NULL, 1);
}

Test(host_callbacks, what_is_missing_is_named)
{
    static const char send[] = "the send callback 0 of device 0 is missing";
    static const char receive[] = "the receive callback 0 of device 0 is missing";
    struct seen seen;
    struct given given;
    give(&given, &seen);
    cr_expect_null(read_options(&given));
    given.send.send_callback = NULL;
    refused(read_options(&given), PJRT_Error_Code_INVALID_ARGUMENT, send);
    given.sends[0] = NULL;
    refused(read_options(&given), PJRT_Error_Code_INVALID_ARGUMENT, send);
    given.options.send_callbacks = NULL;
    refused(read_options(&given), PJRT_Error_Code_INVALID_ARGUMENT, send);
    given.options.num_send_ops = 0;
    cr_expect_null(read_options(&given), "it only receives");
    given.receive.recv_callback = NULL;
    refused(read_options(&given), PJRT_Error_Code_INVALID_ARGUMENT, receive);
    given.receives[0] = NULL;
    refused(read_options(&given), PJRT_Error_Code_INVALID_ARGUMENT, receive);
    given.options.recv_callbacks = NULL;
    refused(read_options(&given), PJRT_Error_Code_INVALID_ARGUMENT, receive);
}

Test(host_callbacks, counts_are_limited)
{
    struct seen seen;
    struct given given;
    give(&given, &seen);
    given.options.num_send_ops = (1 << 20) + 1;
    refused(read_options(&given), PJRT_Error_Code_INVALID_ARGUMENT, "1048577 send and 1 receive");
    give(&given, &seen);
    given.options.num_recv_ops = SIZE_MAX;
    refused(read_options(&given), PJRT_Error_Code_INVALID_ARGUMENT, "at most 1048576");
}

Test(host_callbacks, memory_may_be_exhausted)
{
    struct seen seen;
    struct given given;
    give(&given, &seen);
    int64_t before = alloc_live();
    for (int n = 1, failed = 1; failed; n++) {
        alloc_fail_at(n);
        struct error *error = read_options(&given);
        alloc_fail_at(0);
        failed = error != NULL;
        cr_expect(!error || error_code(error) == PJRT_Error_Code_RESOURCE_EXHAUSTED);
        cr_expect(failed || n > 3, "it allocates");
        error_free(error);
        cr_assert_eq(alloc_live(), before, "allocation %d", n);
    }
}

/* ---- running --------------------------------------------------------------------------------- */
/* Runs "transfer" on four numbers, the first of which is 3; the result's first number. */
static struct error *run(struct given *given, float *out)
{
    struct client *client;
    struct loaded_executable *loaded;
    cr_assert_null(client_create(&fake_library, NULL, &client));
    cr_assert_null(fake_load(client, "transfer", 1, 4, false, 1, &loaded));
    float from[4] = {3}, to[4] = {0};
    int64_t dims[] = {4};
    PJRT_Client_BufferFromHostBuffer_Args upload = {
        .struct_size = PJRT_Client_BufferFromHostBuffer_Args_STRUCT_SIZE,
        .client = client_handle(client),
        .data = from,
        .type = PJRT_Buffer_Type_F32,
        .dims = dims,
        .num_dims = 1,
        .device = device_handle(client->devices[0])};
    cr_assert_null(api->PJRT_Client_BufferFromHostBuffer(&upload));
    event_drop(event_of(upload.done_with_host_buffer));
    PJRT_Buffer *const arguments[] = {upload.buffer};
    PJRT_Buffer *const *const argument_lists[] = {arguments};
    PJRT_Buffer *results[1];
    PJRT_Buffer **const result_lists[] = {results};
    PJRT_LoadedExecutable_Execute_Args execute = {
        .struct_size = PJRT_LoadedExecutable_Execute_Args_STRUCT_SIZE,
        .executable = loaded_executable_handle(loaded),
        .options = &given->options,
        .argument_lists = argument_lists,
        .num_devices = 1,
        .num_args = 1,
        .output_lists = result_lists};
    struct error *error = (struct error *)api->PJRT_LoadedExecutable_Execute(&execute);
    if (!error) {
        PJRT_Buffer_ToHostBuffer_Args download = {.struct_size =
                                                      PJRT_Buffer_ToHostBuffer_Args_STRUCT_SIZE,
                                                  .src = results[0],
                                                  .dst = to,
                                                  .dst_size = sizeof to};
        error = (struct error *)api->PJRT_Buffer_ToHostBuffer(&download);
        if (!error) {
            error = event_await(event_of(download.event));
            event_drop(event_of(download.event));
        }
        buffer_release(buffer_of(results[0]));
    }
    *out = to[0];
    buffer_release(buffer_of(upload.buffer));
    loaded_executable_release(loaded);
    client_close(client);
    return error;
}

Test(host_callbacks, programs_send_and_receive)
{
    float got;
    struct seen seen = {.failure = PJRT_Error_Code_OK};
    struct given given;
    give(&given, &seen);
    cr_expect_null(run(&given, &got));
    cr_expect_eq(got, 30);
}

Test(host_callbacks, errors_of_callbacks_are_the_programs)
{
    float got;
    struct seen seen = {.failure = PJRT_Error_Code_DATA_LOSS};
    struct given given;
    give(&given, &seen);
    refused(run(&given, &got), PJRT_Error_Code_DATA_LOSS, "the client's");
    given.options.num_recv_ops = 0;
    refused(run(&given, &got), PJRT_Error_Code_INVALID_ARGUMENT, "channel");
}
