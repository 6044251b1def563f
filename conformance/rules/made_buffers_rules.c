/* made_buffers_rules.c: area 10, section 5: buffers that are not made of arrays on the host. */
#include <string.h>

#include "conformance/rules/sample_programs.h"

/* ---- Uninitialized buffers, error buffers ---------------------------------------------------- */

void rule_buffers_can_be_uninitialized(struct rule_context *t)
{
    float back[SAMPLE];
    NEED_CLIENT(t);
    ARGS(t, Client_CreateUninitializedBuffer, args, .client = t->client, .shape_dims = sample_dims,
         .shape_num_dims = 1, .shape_element_type = PJRT_Buffer_Type_F32, .device = t->device);
    NEED_OK(t, CALL(t, Client_CreateUninitializedBuffer, &args));
    CHECK(t, buffer_device(t, args.buffer) == t->device, "the buffer is on another device");
    CHECK_OK(t, buffer_await(t, args.buffer));
    CHECK_OK(t, rule_download(t, args.buffer, back, sizeof back));
    DESTROY(t, Buffer, buffer, args.buffer);
}

/* Declares an error buffer. */
#define NEED_ERROR_BUFFER(t, buffer)                                                               \
    PJRT_Buffer *buffer;                                                                           \
    NEED_CLIENT(t);                                                                                \
    NEED_OK(t, buffer_of_error(t, &(buffer)))

void rule_buffers_can_be_errors(struct rule_context *t)
{
    float back[SAMPLE];
    NEED_ERROR_BUFFER(t, buffer);
    ARGS(t, Buffer_Dimensions, shape, .buffer = buffer);
    CHECK_OK(t, CALL(t, Buffer_Dimensions, &shape));
    CHECK(t, shape.num_dims == 1 && shape.dims[0] == SAMPLE, "other dimensions");
    CHECK_CODE(t, DATA_LOSS, rule_download(t, buffer, back, sizeof back));
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_buffers_pass_errors_to_copies(struct rule_context *t)
{
    float back[SAMPLE];
    PJRT_Buffer *copy = NULL;
    NEED_ERROR_BUFFER(t, buffer);
    struct error *error = buffer_copy(t, buffer, memory_default(t, t->device), &copy);
    if (!error)
        error = rule_download(t, copy, back, sizeof back);
    CHECK_CODE(t, DATA_LOSS, error);
    DESTROY(t, Buffer, buffer, copy);
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_buffers_pass_errors_to_results(struct rule_context *t)
{
    NEED_ERROR_BUFFER(t, buffer);
    NEED_PROGRAM(t, executable, "twice.mlirbc");
    struct execution execution = {executable, &buffer, 1, NULL, NULL, 0, NULL, NULL};
    CHECK_CODE(t, DATA_LOSS, execute_fails(t, &execution));
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, LoadedExecutable, executable, executable);
}

/* ---- Alias buffers --------------------------------------------------------------------------- */

struct promise {
    PJRT_Buffer *buffer;
    PJRT_FulfillAliasBufferCallback *fulfill;
};

/* The layout is given, as clients give it: what a missing one means the header leaves open. */
static struct error *make_promise(struct rule_context *t, struct promise *out)
{
    PJRT_Buffer_MemoryLayout layout = sample_layout();
    ARGS(t, Client_CreateAliasBuffer, args, .client = t->client,
         .memory = memory_default(t, t->device), .shape_dims = sample_dims, .shape_num_dims = 1,
         .shape_element_type = PJRT_Buffer_Type_F32, .shape_layout = &layout);
    TRY(CALL(t, Client_CreateAliasBuffer, &args));
    *out = (struct promise){args.alias_buffer, args.fulfill_alias_buffer_cb};
    return NULL;
}

/* Fulfills a promise by a buffer, or without one by an error. */
static struct error *fulfill(struct rule_context *t, struct promise *promise, PJRT_Buffer *buffer)
{
    static const char message[] = "nothing came";
    ARGS(t, Client_FulfillAliasBuffer, args, .client = t->client, .buffer = buffer,
         .status_code = buffer ? PJRT_Error_Code_OK : PJRT_Error_Code_ABORTED,
         .error_message = message, .error_message_size = sizeof message - 1,
         .fulfill_alias_buffer_cb = promise->fulfill);
    return CALL(t, Client_FulfillAliasBuffer, &args);
}

/* Declares an alias buffer. */
#define NEED_PROMISE(t, promise)                                                                   \
    struct promise promise;                                                                        \
    NEED_CLIENT(t);                                                                                \
    NEED_OK(t, make_promise(t, &(promise)))

static bool is_ready(struct rule_context *t, PJRT_Buffer *buffer)
{
    ARGS(t, Buffer_ReadyEvent, get, .buffer = buffer);
    CHECK_OK(t, CALL(t, Buffer_ReadyEvent, &get));
    ARGS(t, Event_IsReady, ready, .event = get.event);
    CHECK_OK(t, CALL(t, Event_IsReady, &ready));
    DESTROY(t, Event, event, get.event);
    return ready.is_ready;
}

void rule_buffers_can_be_promised(struct rule_context *t)
{
    NEED_SAMPLE(t, buffer);
    NEED_PROMISE(t, promise);
    ARGS(t, Buffer_Dimensions, shape, .buffer = promise.buffer);
    CHECK_OK(t, CALL(t, Buffer_Dimensions, &shape));
    CHECK(t, shape.num_dims == 1 && shape.dims[0] == SAMPLE, "other dimensions");
    CHECK(t, !is_ready(t, promise.buffer), "a promise is ready before it is fulfilled");
    NEED_OK(t, fulfill(t, &promise, buffer));
    sample_check(t, promise.buffer);
    DESTROY(t, Buffer, buffer, promise.buffer);
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_buffers_wait_for_promises(struct rule_context *t)
{
    PJRT_Buffer *result;
    NEED_SAMPLE(t, buffer);
    NEED_PROGRAM(t, executable, "twice.mlirbc");
    NEED_PROMISE(t, promise);
    NEED_OK(t, execute_one(t, executable, promise.buffer, &result));
    CHECK(t, !is_ready(t, result), "a result is ready before its argument");
    NEED_OK(t, fulfill(t, &promise, buffer));
    sample_check_times(t, result, 2);
    DESTROY(t, Buffer, buffer, result);
    DESTROY(t, Buffer, buffer, promise.buffer);
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_buffers_can_be_broken_promises(struct rule_context *t)
{
    float back[SAMPLE];
    NEED_PROMISE(t, promise);
    struct error *error = fulfill(t, &promise, NULL);
    if (error) /* some plugins hand the error back */
        CHECK_CODE(t, ABORTED, error);
    CHECK_CODE(t, ABORTED, rule_download(t, promise.buffer, back, sizeof back));
    DESTROY(t, Buffer, buffer, promise.buffer);
}

/* ---- Bitcasts -------------------------------------------------------------------------------- */

static struct error *bitcast(struct rule_context *t, PJRT_Buffer *buffer, PJRT_Buffer_Type type,
                             const int64_t dims[2], PJRT_Buffer **out)
{
    ARGS(t, Buffer_Bitcast, args, .buffer = buffer, .element_type = type, .dims = dims,
         .num_dims = 2);
    *out = NULL;
    TRY(CALL(t, Buffer_Bitcast, &args));
    *out = args.out_buffer;
    return NULL;
}

void rule_buffers_can_be_bitcast(struct rule_context *t)
{
    uint16_t back[2 * SAMPLE];
    float values[SAMPLE];
    PJRT_Buffer *cast;
    NEED_SAMPLE(t, buffer);
    sample_fill(values);
    NEED_OK(t, bitcast(t, buffer, PJRT_Buffer_Type_U16, (const int64_t[]){SAMPLE, 2}, &cast));
    DESTROY(t, Buffer, buffer, buffer);
    ARGS(t, Buffer_ElementType, type, .buffer = cast);
    CHECK_OK(t, CALL(t, Buffer_ElementType, &type));
    CHECK(t, type.type == PJRT_Buffer_Type_U16, "type %d", (int)type.type);
    CHECK_OK(t, rule_download(t, cast, back, sizeof back));
    CHECK(t, !memcmp(back, values, sizeof back), "the bytes have changed");
    DESTROY(t, Buffer, buffer, cast);
}

void rule_buffers_reject_bitcasts_of_other_sizes(struct rule_context *t)
{
    PJRT_Buffer *cast;
    NEED_SAMPLE(t, buffer);
    NEED_FUNCTION(t, Buffer_Bitcast);
    CHECK_ERROR(t, bitcast(t, buffer, PJRT_Buffer_Type_F32, (const int64_t[]){SAMPLE, 2}, &cast));
    CHECK_ERROR(t, bitcast(t, buffer, PJRT_Buffer_Type_U8, (const int64_t[]){SAMPLE, 3}, &cast));
    sample_check(t, buffer);
    DESTROY(t, Buffer, buffer, buffer);
}

/* ---- Donation with a dependency -------------------------------------------------------------- */

static void end_dependency(const PJRT_Buffer_DonateWithControlDependency_Args *donation,
                           PJRT_Error_Code code)
{
    static const char message[] = "the dependency failed";
    PJRT_Buffer_DonateWithControlDependency_Callback_Args answer = {
        .struct_size = PJRT_Buffer_DonateWithControlDependency_Callback_Args_STRUCT_SIZE,
        .callback_data = donation->callback_data,
        .error_code = code,
        .error_message = message,
        .error_message_size = sizeof message - 1};
    donation->dependency_ready_callback(&answer);
}

void rule_buffers_can_be_donated_on_condition(struct rule_context *t)
{
    NEED_SAMPLE(t, buffer);
    ARGS(t, Buffer_DonateWithControlDependency, args, .buffer = buffer);
    NEED_OK(t, CALL(t, Buffer_DonateWithControlDependency, &args));
    CHECK(t, buffer_is_deleted(t, buffer), "the source is not deleted");
    CHECK(t, !is_ready(t, args.out_buffer), "the buffer is ready before its dependency");
    end_dependency(&args, PJRT_Error_Code_OK);
    sample_check(t, args.out_buffer);
    DESTROY(t, Buffer, buffer, args.out_buffer);
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_buffers_pass_errors_of_dependencies(struct rule_context *t)
{
    float back[SAMPLE];
    NEED_SAMPLE(t, buffer);
    ARGS(t, Buffer_DonateWithControlDependency, args, .buffer = buffer);
    NEED_OK(t, CALL(t, Buffer_DonateWithControlDependency, &args));
    end_dependency(&args, PJRT_Error_Code_ABORTED);
    CHECK_CODE(t, ABORTED, rule_download(t, args.out_buffer, back, sizeof back));
    DESTROY(t, Buffer, buffer, args.out_buffer);
    DESTROY(t, Buffer, buffer, buffer);
}
