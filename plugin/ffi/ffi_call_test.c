/* Handlers of XLA's FFI, called from programs: arguments, requests to the API, states, futures,
 * errors. */
#include "plugin/ffi/ffi_call.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/alloc.h"
#include "devices/host/custom_call.h"
#include "plugin/ffi/ffi_api.h"
#include "plugin/ffi/ffi_types.h"
#include "runtime/execute_context.h"

static XLA_FFI_TypeId state_type, data_type = {77};
static int states_made, states_deleted;

static void delete_state(void *object)
{
    cr_assert_eq(object, &states_made);
    states_deleted++;
}

static const XLA_FFI_Api *table_of(int minor)
{
    return ffi_api_table(&(const XLA_FFI_Api_Version){.minor_version = minor});
}

#define ARGS(type, name, ...) type name = {.struct_size = type##_STRUCT_SIZE, __VA_ARGS__}

/* Answers a metadata query; returns whether the call was one. */
static bool is_asked(XLA_FFI_CallFrame *frame, int minor)
{
    XLA_FFI_InternalExtension *extension = frame->extension_start;
    if (!extension)
        return false;
    cr_assert_eq(extension->type, XLA_FFI_Extension_Metadata);
    XLA_FFI_Metadata *metadata = ((XLA_FFI_Metadata_Extension *)extension)->metadata;
    metadata->api_version.major_version = XLA_FFI_API_MAJOR;
    metadata->api_version.minor_version = minor;
    return true;
}

static XLA_FFI_Error *instantiate(XLA_FFI_CallFrame *frame)
{
    if (is_asked(frame, XLA_FFI_API_MINOR))
        return NULL;
    cr_assert_eq(frame->stage, XLA_FFI_ExecutionStage_INSTANTIATE);
    ARGS(XLA_FFI_State_Set_Args, set, .ctx = frame->ctx, .type_id = &state_type,
         .state = &states_made);
    cr_assert_null(frame->api->XLA_FFI_State_Set(&set));
    states_made++;
    XLA_FFI_Error *again = frame->api->XLA_FFI_State_Set(&set);
    cr_assert_eq(error_code(ffi_api_error(again)), PJRT_Error_Code_ALREADY_EXISTS);
    ARGS(XLA_FFI_Error_Destroy_Args, destroy, .error = again);
    frame->api->XLA_FFI_Error_Destroy(&destroy);
    ARGS(XLA_FFI_RunId_Get_Args, run, .ctx = frame->ctx);
    destroy.error = frame->api->XLA_FFI_RunId_Get(&run);
    cr_assert_not_null(destroy.error, "no execution yet");
    frame->api->XLA_FFI_Error_Destroy(&destroy);
    return NULL;
}

static void check_attributes(const XLA_FFI_Attrs *attrs)
{
    cr_assert_eq(attrs->size, 3);
    cr_assert(attrs->names[0]->len == 4 && !memcmp(attrs->names[0]->ptr, "dict", 4));
    cr_assert_eq(attrs->types[0], XLA_FFI_AttrType_DICTIONARY);
    const XLA_FFI_Attrs *inner = attrs->attrs[0];
    cr_assert(inner->size == 1 && inner->types[0] == XLA_FFI_AttrType_ARRAY);
    const XLA_FFI_Array *array = inner->attrs[0];
    cr_assert(array->dtype == XLA_FFI_DataType_S64 && array->size == 2);
    cr_assert_eq(((const int64_t *)array->data)[1], 9);
    cr_assert_eq(attrs->types[1], XLA_FFI_AttrType_SCALAR);
    const XLA_FFI_Scalar *scalar = attrs->attrs[1];
    cr_assert(scalar->dtype == XLA_FFI_DataType_F32 && *(const float *)scalar->value == 2.5F);
    cr_assert_eq(attrs->types[2], XLA_FFI_AttrType_STRING);
    const XLA_FFI_ByteSpan *text = attrs->attrs[2];
    cr_assert(text->len == 3 && !memcmp(text->ptr, "abc", 3));
}

static void check_execution(XLA_FFI_CallFrame *frame)
{
    ARGS(XLA_FFI_State_Get_Args, state, .ctx = frame->ctx, .type_id = &state_type);
    cr_assert_null(frame->api->XLA_FFI_State_Get(&state));
    cr_assert_eq(state.state, &states_made);
    ARGS(XLA_FFI_InvokeContext_Get_Args, data, .ctx = frame->ctx, .type_id = &data_type);
    cr_assert_null(frame->api->XLA_FFI_InvokeContext_Get(&data));
    cr_assert_eq(data.data, &data_type);
    ARGS(XLA_FFI_RunId_Get_Args, run, .ctx = frame->ctx);
    cr_assert(!frame->api->XLA_FFI_RunId_Get(&run) && run.run_id == 42);
    ARGS(XLA_FFI_DeviceOrdinal_Get_Args, device, .ctx = frame->ctx);
    cr_assert(!frame->api->XLA_FFI_DeviceOrdinal_Get(&device) && device.device_ordinal == 3);
    ARGS(XLA_FFI_DeviceMemory_Allocate_Args, memory, .ctx = frame->ctx, .size = 100,
         .alignment = 64);
    cr_assert(!frame->api->XLA_FFI_DeviceMemory_Allocate(&memory) && memory.data);
    cr_assert_eq((uintptr_t)memory.data % 64, 0);
    ARGS(XLA_FFI_DeviceMemory_Free_Args, give, .ctx = frame->ctx, .size = 100, .data = memory.data);
    cr_assert_null(frame->api->XLA_FFI_DeviceMemory_Free(&give));
}

static void complete(void *future)
{
    ARGS(XLA_FFI_Future_SetAvailable_Args, args, .future = future);
    cr_assert_null(table_of(XLA_FFI_API_MINOR)->XLA_FFI_Future_SetAvailable(&args));
}

/* Adds one to an f32 of rank 1, asynchronously; fails for 13. */
static XLA_FFI_Error *add_one(XLA_FFI_CallFrame *frame)
{
    if (is_asked(frame, XLA_FFI_API_MINOR))
        return NULL;
    cr_assert(frame->args.size == 1 && frame->rets.size == 1);
    const XLA_FFI_Buffer *from = frame->args.args[0], *to = frame->rets.rets[0];
    cr_assert(from->dtype == XLA_FFI_DataType_F32 && from->rank == 1 && from->dims[0] == 2);
    check_attributes(&frame->attrs);
    check_execution(frame);
    for (int i = 0; i < 2; i++)
        ((float *)to->data)[i] = ((const float *)from->data)[i] + 1;
    if (((const float *)from->data)[0] == 13) {
        ARGS(XLA_FFI_Error_Create_Args, error, .message = "thirteen",
             .errc = XLA_FFI_Error_Code_OUT_OF_RANGE);
        return frame->api->XLA_FFI_Error_Create(&error);
    }
    ARGS(XLA_FFI_Future_Create_Args, future, .extension_start = NULL);
    cr_assert_null(frame->api->XLA_FFI_Future_Create(&future));
    frame->future = future.future;
    ARGS(XLA_FFI_ThreadPool_Schedule_Args, later, .task = complete, .data = future.future);
    cr_assert_null(frame->api->XLA_FFI_ThreadPool_Schedule(&later));
    return NULL;
}

static int64_t numbers[] = {8, 9}, two[] = {2};
static float real = 2.5F;
static struct call_attribute inner = {.name = "list",
                                      .name_size = 4,
                                      .kind = CALL_ARRAY,
                                      .dtype = DTYPE_S64,
                                      .elements = 2,
                                      .data = numbers,
                                      .size = 16};
static struct call_attribute attributes[] = {
    {.name = "dict", .name_size = 4, .kind = CALL_DICTIONARY, .count = 1, .entries = &inner},
    {.name = "real",
     .name_size = 4,
     .kind = CALL_SCALAR,
     .dtype = DTYPE_F32,
     .elements = 1,
     .data = &real,
     .size = 4},
    {.name = "text", .name_size = 4, .kind = CALL_STRING, .data = "abc", .size = 3}};

static struct error *call(float *from, float *to)
{
    struct call_value values[] = {
        {.shape = {.dtype = DTYPE_F32, .rank = 1, .dims = two}, .slice = 0},
        {.shape = {.dtype = DTYPE_F32, .rank = 1, .dims = two}, .slice = 1}};
    struct call_spec spec = {.target = "add_one",
                             .operand_count = 1,
                             .value_count = 2,
                             .values = values,
                             .attribute_count = 3,
                             .attributes = attributes};
    const struct custom_call_handler *handler;
    struct execute_context *context;
    void *data[] = {from, to};
    struct custom_call what = {.spec = &spec, .data = data, .device_ordinal = 3, .run_id = 42};
    cr_assert_null(custom_call_find("add_one", 7, &handler));
    cr_assert_null(execute_context_create(&context));
    cr_assert_null(execute_context_add(context, data_type.type_id, &data_type, NULL));
    what.context = context;
    cr_assert_null(handler->instantiate(handler->user, &spec, &what.state));
    struct error *error = handler->run(handler->user, &what);
    handler->drop(what.state);
    execute_context_release(context);
    return error;
}

static struct error *register_as(const char *name, const char *platform,
                                 XLA_FFI_Handler_Bundle bundle)
{
    return ffi_call_register(name, strlen(name), platform, strlen(platform), &bundle);
}

Test(ffi_call, handlers_are_told_all_and_answer)
{
    float from[] = {1, 2}, to[2] = {0}, unlucky[] = {13, 0};
    cr_assert_null(ffi_types_register("state", 5, &state_type.type_id, delete_state));
    cr_assert_null(
        register_as("add_one", "CPU",
                    (XLA_FFI_Handler_Bundle){.instantiate = instantiate, .execute = add_one}));
    cr_assert_null(call(from, to));
    cr_assert(to[0] == 2 && to[1] == 3);
    cr_assert(states_made == 1 && states_deleted == 1);
    struct error *error = call(unlucky, to);
    cr_assert_eq(error_code(error), PJRT_Error_Code_OUT_OF_RANGE);
    cr_assert_str_eq(error_message(error, NULL), "thirteen");
    error_free(error);
    cr_assert(states_made == 2 && states_deleted == 2);
}

/* ---- older versions of XLA's FFI ------------------------------------------------------------- */
struct old_set_args { /* 0.1; 0.2 ends before the deleter */
    size_t struct_size;
    void *extension_start;
    XLA_FFI_InvokeContext *ctx;
    XLA_FFI_TypeId *type_id;
    void *state;
    void (*deleter)(void *state);
};
struct old_get_args {
    size_t struct_size;
    void *extension_start;
    XLA_FFI_InvokeContext *ctx;
    XLA_FFI_TypeId *type_id;
    void *state;
};

static XLA_FFI_Error *instantiate_old(XLA_FFI_CallFrame *frame, int minor)
{
    if (is_asked(frame, minor))
        return NULL;
    cr_assert_eq(frame->api->api_version.minor_version, minor);
    struct old_set_args args = {.struct_size = minor == 1 ? 48 : 40,
                                .ctx = frame->ctx,
                                .type_id = &state_type,
                                .state = &states_made,
                                .deleter = minor == 1 ? delete_state : NULL};
    states_made++;
    return frame->api->XLA_FFI_State_Set((void *)&args);
}

static XLA_FFI_Error *execute_old(XLA_FFI_CallFrame *frame, int minor)
{
    if (is_asked(frame, minor))
        return NULL;
    struct old_get_args args = {.struct_size = 40, .ctx = frame->ctx, .type_id = &state_type};
    XLA_FFI_Error *error = frame->api->XLA_FFI_State_Get((void *)&args);
    cr_assert(error || args.state == &states_made);
    args.struct_size = 32;
    XLA_FFI_Error *shorter = frame->api->XLA_FFI_State_Get((void *)&args);
    cr_assert_eq(error_code(ffi_api_error(shorter)), PJRT_Error_Code_INVALID_ARGUMENT);
    error_free(ffi_api_error(shorter));
    return error;
}

static XLA_FFI_Error *instantiate_0_1(XLA_FFI_CallFrame *frame)
{
    return instantiate_old(frame, 1);
}
static XLA_FFI_Error *execute_0_1(XLA_FFI_CallFrame *frame)
{
    return execute_old(frame, 1);
}
static XLA_FFI_Error *instantiate_0_2(XLA_FFI_CallFrame *frame)
{
    return instantiate_old(frame, 2);
}
static XLA_FFI_Error *execute_0_2(XLA_FFI_CallFrame *frame)
{
    return execute_old(frame, 2);
}

static void run_old(XLA_FFI_Handler *first, XLA_FFI_Handler *second)
{
    float from[] = {1, 2}, to[2] = {0};
    states_made = states_deleted = 0;
    cr_assert_null(register_as("add_one", "cpu",
                               (XLA_FFI_Handler_Bundle){.instantiate = first, .execute = second}));
    struct error *error = call(from, to);
    cr_assert_null(error, "%s", error_message(error, NULL));
    cr_assert(states_made == 1 && states_deleted == 1);
}

Test(ffi_call, handlers_of_version_0_1_set_states_with_their_deleter)
{
    run_old(instantiate_0_1, execute_0_1);
}

Test(ffi_call, handlers_of_version_0_2_set_states_without_a_stage)
{
    cr_assert_null(ffi_types_register("state", 5, &state_type.type_id, delete_state));
    run_old(instantiate_0_2, execute_0_2);
}

/* A handler of version 0.4 or 0.5, which may have a function for command buffers. */
static XLA_FFI_Error *add_one_0_4(XLA_FFI_CallFrame *frame)
{
    return is_asked(frame, 4) ? NULL : add_one(frame);
}
static XLA_FFI_Error *never_called(XLA_FFI_CallFrame *frame)
{
    (void)frame;
    cr_assert_fail("Gantry records no command buffers");
    return NULL;
}

Test(ffi_call, handlers_of_version_0_4_may_have_a_record_stage)
{
    float from[] = {1, 2}, to[2] = {0};
    XLA_FFI_Handler_Bundle bundle = {
        .instantiate = instantiate, .execute = add_one_0_4, .record = never_called};
    cr_assert_null(ffi_types_register("state", 5, &state_type.type_id, delete_state));
    cr_assert_null(register_as("add_one", "cpu", bundle));
    struct error *error = call(from, to);
    cr_assert_null(error, "%s", error_message(error, NULL));
    cr_assert(to[0] == 2 && to[1] == 3);
}

Test(ffi_api, each_supported_version_has_a_table)
{
    for (int minor = 1; minor <= XLA_FFI_API_MINOR; minor++)
        cr_assert_eq(table_of(minor)->api_version.minor_version, minor);
    cr_assert(!table_of(0) && !table_of(-1) && !table_of(XLA_FFI_API_MINOR + 1));
    struct old_set_args args = {.struct_size = 40};
    struct error *error = ffi_api_error(table_of(1)->XLA_FFI_State_Set((void *)&args));
    cr_assert_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT, "0.1 has a deleter");
    error_free(error);
}

static XLA_FFI_Error *from_the_future(XLA_FFI_CallFrame *frame)
{
    is_asked(frame, XLA_FFI_API_MINOR + 1);
    return NULL;
}

static XLA_FFI_Error *silent(XLA_FFI_CallFrame *frame)
{
    (void)frame;
    return NULL;
}

static void refuses(const char *platform, XLA_FFI_Handler_Bundle bundle, PJRT_Error_Code code)
{
    struct error *error = register_as("refused", platform, bundle);
    cr_assert(error && error_code(error) == code, "%s", error_message(error, NULL));
    error_free(error);
}

Test(ffi_call, handlers_that_do_not_fit_are_refused)
{
    XLA_FFI_Handler_Bundle good = {.execute = add_one};
    refuses("cuda", good, PJRT_Error_Code_INVALID_ARGUMENT);
    refuses("cpu", (XLA_FFI_Handler_Bundle){.prepare = add_one}, PJRT_Error_Code_INVALID_ARGUMENT);
    refuses("cpu", (XLA_FFI_Handler_Bundle){.execute = from_the_future},
            PJRT_Error_Code_UNIMPLEMENTED);
    refuses("cpu", (XLA_FFI_Handler_Bundle){.execute = silent}, PJRT_Error_Code_UNIMPLEMENTED);
    cr_assert_null(register_as("refused", "cpu", good));
    refuses("cpu", good, PJRT_Error_Code_ALREADY_EXISTS);
}

Test(ffi_types, names_and_numbers_belong_together)
{
    int64_t first = 0, again = 0, chosen = 5;
    cr_assert_null(ffi_types_register("one", 3, &first, delete_state));
    cr_assert_null(ffi_types_register("one", 3, &again, NULL));
    cr_assert(first && first == again && ffi_types_deleter(first) == delete_state);
    cr_assert_null(ffi_types_register("five", 4, &chosen, NULL));
    cr_assert(chosen == 5 && !ffi_types_deleter(5) && !ffi_types_deleter(6));
    struct error *error = ffi_types_register("six", 3, &chosen, NULL);
    cr_assert_eq(error_code(error), PJRT_Error_Code_ALREADY_EXISTS, "the number is taken");
    error_free(error);
    error = ffi_types_register("one", 3, &chosen, NULL);
    cr_assert_eq(error_code(error), PJRT_Error_Code_ALREADY_EXISTS, "the name is taken");
    error_free(error);
    again = 0;
    alloc_fail_at(2);
    error = ffi_types_register("seven", 5, &again, NULL);
    alloc_fail_at(0);
    cr_assert_eq(error_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED);
    error_free(error);
}

Test(ffi_api, short_or_missing_structs_are_errors)
{
    const XLA_FFI_Api *newest = table_of(XLA_FFI_API_MINOR);
    XLA_FFI_RunId_Get_Args little = {.struct_size = 8};
    struct error *error = ffi_api_error(newest->XLA_FFI_RunId_Get(&little));
    cr_assert_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    error_free(error);
    error = ffi_api_error(newest->XLA_FFI_State_Get(NULL));
    cr_assert_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    error_free(error);
    ARGS(XLA_FFI_DeviceMemory_Allocate_Args, memory, .size = 1, .alignment = 128);
    error = ffi_api_error(newest->XLA_FFI_DeviceMemory_Allocate(&memory));
    cr_assert_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    error_free(error);
    ARGS(XLA_FFI_Future_Create_Args, future, .extension_start = NULL);
    cr_assert_null(newest->XLA_FFI_Future_Create(&future));
    complete(future.future);
    ARGS(XLA_FFI_Future_SetAvailable_Args, twice, .future = future.future);
    error = ffi_api_error(newest->XLA_FFI_Future_SetAvailable(&twice));
    cr_assert_eq(error_code(error), PJRT_Error_Code_FAILED_PRECONDITION);
    error_free(error);
    cr_assert_null(ffi_api_await(future.future));
}
