/* Wrong requests of handlers to the API, by the newest table. Right ones: ffi_call_test.c. */
#include "plugin/ffi/ffi_api.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/alloc.h"
#include "runtime/execute_context.h"

#define ARGS(type, name, ...) type name = {.struct_size = type##_STRUCT_SIZE, __VA_ARGS__}

static const XLA_FFI_Api *newest(void)
{
    return ffi_api_table(&(const XLA_FFI_Api_Version){.minor_version = XLA_FFI_API_MINOR});
}

/* Frees the error, which has to have the code and to contain `part`. */
static void refused(XLA_FFI_Error *got, PJRT_Error_Code code, const char *part)
{
    struct error *error = ffi_api_error(got);
    cr_assert_not_null(error, "%s", part);
    cr_expect_eq(error_code(error), code, "%s", error_message(error, NULL));
    cr_expect(strstr(error_message(error, NULL), part), "%s", error_message(error, NULL));
    error_free(error);
}

/* Called without a struct, and with one that is a byte too short. */
#define NEEDS_ITS_STRUCT(function, type)                                                           \
    do {                                                                                           \
        type args = {.struct_size = type##_STRUCT_SIZE - 1};                                       \
        refused(newest()->function(NULL), PJRT_Error_Code_INVALID_ARGUMENT, #function);            \
        refused(newest()->function(&args), PJRT_Error_Code_INVALID_ARGUMENT, #function);           \
    } while (0)

Test(ffi_api, each_function_needs_its_struct)
{
    NEEDS_ITS_STRUCT(XLA_FFI_Error_Create, XLA_FFI_Error_Create_Args);
    NEEDS_ITS_STRUCT(XLA_FFI_Type_Register, XLA_FFI_Type_Register_Args);
    NEEDS_ITS_STRUCT(XLA_FFI_InvokeContext_Get, XLA_FFI_InvokeContext_Get_Args);
    NEEDS_ITS_STRUCT(XLA_FFI_Stream_Get, XLA_FFI_Stream_Get_Args);
    NEEDS_ITS_STRUCT(XLA_FFI_RunId_Get, XLA_FFI_RunId_Get_Args);
    NEEDS_ITS_STRUCT(XLA_FFI_DeviceOrdinal_Get, XLA_FFI_DeviceOrdinal_Get_Args);
    NEEDS_ITS_STRUCT(XLA_FFI_DeviceMemory_Allocate, XLA_FFI_DeviceMemory_Allocate_Args);
    NEEDS_ITS_STRUCT(XLA_FFI_DeviceMemory_Free, XLA_FFI_DeviceMemory_Free_Args);
    NEEDS_ITS_STRUCT(XLA_FFI_ThreadPool_Schedule, XLA_FFI_ThreadPool_Schedule_Args);
    NEEDS_ITS_STRUCT(XLA_FFI_ThreadPool_NumThreads, XLA_FFI_ThreadPool_NumThreads_Args);
    NEEDS_ITS_STRUCT(XLA_FFI_Future_Create, XLA_FFI_Future_Create_Args);
    NEEDS_ITS_STRUCT(XLA_FFI_Future_SetAvailable, XLA_FFI_Future_SetAvailable_Args);
    NEEDS_ITS_STRUCT(XLA_FFI_Future_SetError, XLA_FFI_Future_SetError_Args);
    NEEDS_ITS_STRUCT(XLA_FFI_State_Set, XLA_FFI_State_Set_Args);
    NEEDS_ITS_STRUCT(XLA_FFI_State_Get, XLA_FFI_State_Get_Args);
    NEEDS_ITS_STRUCT(XLA_FFI_InvokeContext_FindExtension, XLA_FFI_InvokeContext_FindExtension_Args);
    NEEDS_ITS_STRUCT(XLA_FFI_CustomOptions_Get, XLA_FFI_CustomOptions_Get_Args);
}

/* ---- errors ---------------------------------------------------------------------------------- */
static XLA_FFI_Error *create(int code, const char *message)
{
    ARGS(XLA_FFI_Error_Create_Args, args, .message = message, .errc = (XLA_FFI_Error_Code)code);
    return newest()->XLA_FFI_Error_Create(&args);
}

Test(ffi_api, codes_that_pjrt_lacks_are_unknown)
{
    refused(create(XLA_FFI_Error_Code_DATA_LOSS, "lost"), PJRT_Error_Code_DATA_LOSS, "lost");
    refused(create(XLA_FFI_Error_Code_OK, "no code"), PJRT_Error_Code_UNKNOWN, "no code");
    refused(create(-1, ""), PJRT_Error_Code_UNKNOWN, "");
    refused(create(17, NULL), PJRT_Error_Code_UNKNOWN, "");
}

Test(ffi_api, errors_give_their_message)
{
    ARGS(XLA_FFI_Error_GetDetails_Args, get, .error = create(XLA_FFI_Error_Code_ABORTED, "stop"));
    newest()->XLA_FFI_Error_GetDetails(&get);
    cr_expect_str_eq(get.message, "stop");
    cr_expect_eq(get.errc, XLA_FFI_Error_Code_ABORTED);
    ARGS(XLA_FFI_Error_Destroy_Args, destroy, .error = get.error);
    newest()->XLA_FFI_Error_Destroy(&destroy);
    get.error = NULL;
    newest()->XLA_FFI_Error_GetDetails(&get);
    cr_expect_str_eq(get.message, "", "no error");
    cr_expect_eq(get.errc, XLA_FFI_Error_Code_OK);
}

Test(ffi_api, errors_of_versions_before_0_4_have_no_code)
{
    ARGS(XLA_FFI_Error_GetDetails_Args, get, .error = create(XLA_FFI_Error_Code_ABORTED, "stop"));
    get.struct_size = XLA_FFI_STRUCT_SIZE(XLA_FFI_Error_GetDetails_Args, message);
    get.errc = XLA_FFI_Error_Code_DATA_LOSS;
    newest()->XLA_FFI_Error_GetDetails(&get);
    cr_expect_str_eq(get.message, "stop");
    cr_expect_eq(get.errc, XLA_FFI_Error_Code_DATA_LOSS, "it is behind the struct");
    refused(get.error, PJRT_Error_Code_ABORTED, "stop");
}

Test(ffi_api, functions_without_a_result_ignore_what_they_cannot_read)
{
    const char *untouched = "as before";
    ARGS(XLA_FFI_Error_GetDetails_Args, get, .message = untouched);
    get.struct_size = XLA_FFI_STRUCT_SIZE(XLA_FFI_Error_GetDetails_Args, message) - 1;
    newest()->XLA_FFI_Error_GetDetails(&get);
    newest()->XLA_FFI_Error_GetDetails(NULL);
    cr_expect_eq(get.message, untouched);
    ARGS(XLA_FFI_Error_Destroy_Args, destroy, .error = create(XLA_FFI_Error_Code_ABORTED, "kept"));
    destroy.struct_size--;
    newest()->XLA_FFI_Error_Destroy(&destroy);
    newest()->XLA_FFI_Error_Destroy(NULL);
    refused(destroy.error, PJRT_Error_Code_ABORTED, "kept");
}

/* ---- registering ----------------------------------------------------------------------------- */
static XLA_FFI_Error *register_type(const char *name, XLA_FFI_TypeId *id, size_t struct_size)
{
    XLA_FFI_TypeInfo info = {.deleter = alloc_free};
    XLA_FFI_Type_Register_Args args = {.struct_size = struct_size,
                                       .name = {name, name ? strlen(name) : 0},
                                       .type_id = id,
                                       .type_info = &info};
    return newest()->XLA_FFI_Type_Register(&args);
}

Test(ffi_api, types_have_a_name_and_a_number)
{
    XLA_FFI_TypeId id = {0};
    size_t size = XLA_FFI_Type_Register_Args_STRUCT_SIZE;
    refused(register_type(NULL, &id, size), PJRT_Error_Code_INVALID_ARGUMENT, "name and type_id");
    refused(register_type("a", NULL, size), PJRT_Error_Code_INVALID_ARGUMENT, "name and type_id");
    cr_assert_null(register_type("a", &id, size));
    cr_expect_gt(id.type_id, 0);
    size = XLA_FFI_STRUCT_SIZE(XLA_FFI_Type_Register_Args, type_id);
    id.type_id = 0;
    cr_assert_null(register_type("older", &id, size), "before types had deleters");
    cr_expect_gt(id.type_id, 0);
}

/* Version 0.3 has no `record`, so its struct is a pointer shorter; others are too short. */
Test(ffi_api, a_handler_is_registered_with_the_struct_of_its_version)
{
    const size_t size_0_3 = 84, size_0_4 = 92;
    XLA_FFI_Handler_Register_Args args = {.struct_size = size_0_3 - 1, .platform = {"cpu", 3}};
    cr_assert_eq(XLA_FFI_Handler_Register_Args_STRUCT_SIZE, size_0_4);
    const char *part = "XLA_FFI_Handler_Register_Args";
    refused(newest()->XLA_FFI_Handler_Register(NULL), PJRT_Error_Code_INVALID_ARGUMENT, part);
    refused(newest()->XLA_FFI_Handler_Register(&args), PJRT_Error_Code_INVALID_ARGUMENT, part);
    args.struct_size = size_0_3;
    refused(newest()->XLA_FFI_Handler_Register(&args), PJRT_Error_Code_INVALID_ARGUMENT, "name");
    args.struct_size = size_0_4;
    refused(newest()->XLA_FFI_Handler_Register(&args), PJRT_Error_Code_INVALID_ARGUMENT, "name");
}

Test(ffi_api, executions_have_no_extensions_and_no_options)
{
    XLA_FFI_Extension other = {.struct_size = XLA_FFI_Extension_STRUCT_SIZE};
    ARGS(XLA_FFI_InvokeContext_FindExtension_Args, find, .extension_type = 1, .extension = &other);
    cr_assert_null(newest()->XLA_FFI_InvokeContext_FindExtension(&find));
    cr_expect_null(find.extension);
    ARGS(XLA_FFI_CustomOptions_Get_Args, options);
    cr_assert_null(newest()->XLA_FFI_CustomOptions_Get(&options));
    cr_expect_eq(options.attrs->size, 0);
}

Test(ffi_api, registered_handlers_need_a_name)
{
    ARGS(XLA_FFI_Handler_Register_Args, args, .platform = {"cpu", 3});
    refused(newest()->XLA_FFI_Handler_Register(&args), PJRT_Error_Code_INVALID_ARGUMENT, "name");
}

/* ---- the execution --------------------------------------------------------------------------- */
static void knows_no_execution(XLA_FFI_InvokeContext *context)
{
    ARGS(XLA_FFI_InvokeContext_Get_Args, data, .ctx = context);
    ARGS(XLA_FFI_RunId_Get_Args, run, .ctx = context);
    ARGS(XLA_FFI_DeviceOrdinal_Get_Args, device, .ctx = context);
    refused(newest()->XLA_FFI_InvokeContext_Get(&data), PJRT_Error_Code_FAILED_PRECONDITION,
            "has no execution");
    refused(newest()->XLA_FFI_RunId_Get(&run), PJRT_Error_Code_FAILED_PRECONDITION,
            "XLA_FFI_RunId_Get");
    refused(newest()->XLA_FFI_DeviceOrdinal_Get(&device), PJRT_Error_Code_FAILED_PRECONDITION,
            "XLA_FFI_DeviceOrdinal_Get");
}

Test(ffi_api, an_instantiated_handler_belongs_to_no_execution)
{
    XLA_FFI_InvokeContext instantiated = {.call = NULL};
    knows_no_execution(&instantiated);
    knows_no_execution(NULL);
}

Test(ffi_api, executions_have_the_data_that_they_were_given)
{
    struct execute_context *given;
    XLA_FFI_TypeId other = {6};
    cr_assert_null(execute_context_create(&given));
    cr_assert_null(execute_context_add(given, 5, &other, NULL));
    struct custom_call call = {.context = given};
    XLA_FFI_InvokeContext context = {.call = &call};
    ARGS(XLA_FFI_InvokeContext_Get_Args, args, .ctx = &context);
    refused(newest()->XLA_FFI_InvokeContext_Get(&args), PJRT_Error_Code_NOT_FOUND, "type 0");
    args.type_id = &other;
    refused(newest()->XLA_FFI_InvokeContext_Get(&args), PJRT_Error_Code_NOT_FOUND, "type 6");
    other.type_id = 5;
    cr_assert_null(newest()->XLA_FFI_InvokeContext_Get(&args));
    cr_expect_eq(args.data, &other);
    execute_context_release(given);
}

Test(ffi_api, there_is_no_stream)
{
    ARGS(XLA_FFI_Stream_Get_Args, args, .stream = &args);
    cr_assert_null(newest()->XLA_FFI_Stream_Get(&args));
    cr_expect_null(args.stream);
}

/* ---- memory and threads ---------------------------------------------------------------------- */
Test(ffi_api, memory_is_checked)
{
    ARGS(XLA_FFI_DeviceMemory_Allocate_Args, args, .size = 0, .alignment = 1, .data = &args);
    cr_assert_null(newest()->XLA_FFI_DeviceMemory_Allocate(&args));
    cr_expect_null(args.data, "nothing was asked for");
    args =
        (XLA_FFI_DeviceMemory_Allocate_Args){.struct_size = args.struct_size, .size = SIZE_MAX / 2};
    refused(newest()->XLA_FFI_DeviceMemory_Allocate(&args), PJRT_Error_Code_RESOURCE_EXHAUSTED, "");
    ARGS(XLA_FFI_DeviceMemory_Free_Args, none, .data = NULL);
    cr_expect_null(newest()->XLA_FFI_DeviceMemory_Free(&none));
}

Test(ffi_api, threads_need_a_task_and_a_place_for_their_number)
{
    int64_t count = 0;
    ARGS(XLA_FFI_ThreadPool_Schedule_Args, later, .task = NULL);
    refused(newest()->XLA_FFI_ThreadPool_Schedule(&later), PJRT_Error_Code_INVALID_ARGUMENT,
            "task is NULL");
    ARGS(XLA_FFI_ThreadPool_NumThreads_Args, args, .num_threads = NULL);
    refused(newest()->XLA_FFI_ThreadPool_NumThreads(&args), PJRT_Error_Code_INVALID_ARGUMENT,
            "num_threads is NULL");
    args.num_threads = &count;
    cr_assert_null(newest()->XLA_FFI_ThreadPool_NumThreads(&args));
    cr_expect_gt(count, 0);
}

/* ---- futures --------------------------------------------------------------------------------- */
Test(ffi_api, futures_end_with_the_first_error)
{
    ARGS(XLA_FFI_Future_Create_Args, made, .extension_start = NULL);
    cr_assert_null(newest()->XLA_FFI_Future_Create(&made));
    ARGS(XLA_FFI_Future_SetError_Args, fail, .future = made.future,
         .error = create(XLA_FFI_Error_Code_ABORTED, "first"));
    cr_assert_null(newest()->XLA_FFI_Future_SetError(&fail));
    fail.error = create(XLA_FFI_Error_Code_ABORTED, "second");
    refused(newest()->XLA_FFI_Future_SetError(&fail), PJRT_Error_Code_FAILED_PRECONDITION,
            "already complete");
    refused(ffi_api_wrap(ffi_api_await(made.future)), PJRT_Error_Code_ABORTED, "first");
}

Test(ffi_api, only_futures_end)
{
    ARGS(XLA_FFI_Future_SetAvailable_Args, good, .future = NULL);
    ARGS(XLA_FFI_Future_SetError_Args, bad, .future = NULL);
    refused(newest()->XLA_FFI_Future_SetAvailable(&good), PJRT_Error_Code_INVALID_ARGUMENT,
            "future is NULL");
    refused(newest()->XLA_FFI_Future_SetError(&bad), PJRT_Error_Code_INVALID_ARGUMENT,
            "future is NULL");
    ARGS(XLA_FFI_Future_Create_Args, made, .extension_start = NULL);
    alloc_fail_at(1);
    XLA_FFI_Error *error = newest()->XLA_FFI_Future_Create(&made);
    alloc_fail_at(0);
    refused(error, PJRT_Error_Code_RESOURCE_EXHAUSTED, "");
}

Test(ffi_api, a_table_belongs_to_a_known_major_version)
{
    XLA_FFI_Api_Version version = {.major_version = XLA_FFI_API_MAJOR + 1, .minor_version = 1};
    cr_expect_null(ffi_api_table(&version));
}
