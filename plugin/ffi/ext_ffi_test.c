/* ext_ffi_test.c: what clients register and add through the FFI extension. Handlers that run:
 * ffi_call_test.c. */
#include "plugin/ffi/ext_ffi.h"

#include <criterion/criterion.h>
#include <string.h>

#include "plugin/ffi/ffi_api.h"
#include "plugin/handles.h"

static const PJRT_FFI_Extension *ext;

static void setup(void)
{
    ext = &ext_ffi.table;
}

TestSuite(ext_ffi, .init = setup);

/* Frees the error, which has to have the code and to contain `part`. */
static void refused(PJRT_Error *got, PJRT_Error_Code code, const char *part)
{
    struct error *error = (struct error *)got;
    cr_assert_not_null(error, "%s", part);
    cr_expect_eq(error_code(error), code, "%s", error_message(error, NULL));
    cr_expect(strstr(error_message(error, NULL), part), "%s", error_message(error, NULL));
    error_free(error);
}

/* ---- types ----------------------------------------------------------------------------------- */
static int deleted;

static void count(void *object)
{
    deleted += *(int *)object;
}

static PJRT_FFI_Type_Register_Args type(const char *name, PJRT_FFI_Type_Info *info)
{
    return (PJRT_FFI_Type_Register_Args){.struct_size = PJRT_FFI_Type_Register_Args_STRUCT_SIZE,
                                         .type_name = name,
                                         .type_name_size = name ? strlen(name) : 0,
                                         .type_info = info};
}

Test(ext_ffi, types_have_a_name)
{
    PJRT_FFI_Type_Register_Args args = type(NULL, NULL);
    refused(ext->type_register(NULL), PJRT_Error_Code_INVALID_ARGUMENT, "args is NULL");
    refused(ext->type_register(&args), PJRT_Error_Code_INVALID_ARGUMENT, "type_name is NULL");
    args = type("t", NULL);
    args.struct_size = offsetof(PJRT_FFI_Type_Register_Args, type_id);
    refused(ext->type_register(&args), PJRT_Error_Code_INVALID_ARGUMENT, "'type_id' ends");
}

Test(ext_ffi, types_of_older_structs_have_no_deleter)
{
    PJRT_FFI_Type_Info info = {.deleter = count};
    PJRT_FFI_Type_Register_Args args = type("older", &info), same = type("older", NULL);
    args.struct_size = offsetof(PJRT_FFI_Type_Register_Args, type_info);
    cr_assert_null(ext->type_register(&args));
    cr_assert_gt(args.type_id, 0);
    same.type_id = args.type_id;
    cr_expect_null(ext->type_register(&same), "the same again");
    same.type_id++;
    refused(ext->type_register(&same), PJRT_Error_Code_ALREADY_EXISTS, "older");
}

/* ---- user data ------------------------------------------------------------------------------- */
static PJRT_Error *add(struct execute_context *context, int64_t id, int *object)
{
    PJRT_FFI_UserData_Add_Args args = {.struct_size = PJRT_FFI_UserData_Add_Args_STRUCT_SIZE,
                                       .context = execute_context_handle(context),
                                       .user_data = {id, object}};
    return ext->user_data_add(&args);
}

Test(ext_ffi, a_context_frees_what_it_owns)
{
    int owned = 1, borrowed = 10;
    struct execute_context *context;
    PJRT_FFI_Type_Info info = {.deleter = count};
    PJRT_FFI_Type_Register_Args args = type("owned", &info);
    cr_assert_null(ext->type_register(&args));
    cr_assert_null(execute_context_create(&context));
    cr_assert_null(add(context, args.type_id, &owned));
    cr_assert_null(add(context, args.type_id + 1, &borrowed), "a type that is not registered");
    refused(add(context, args.type_id, &owned), PJRT_Error_Code_ALREADY_EXISTS, "");
    cr_expect_eq(deleted, 0);
    execute_context_release(context);
    cr_expect_eq(deleted, 1);
}

Test(ext_ffi, data_belong_to_a_context)
{
    PJRT_FFI_UserData_Add_Args args = {.struct_size = PJRT_FFI_UserData_Add_Args_STRUCT_SIZE - 1};
    struct execute_context *context;
    refused(ext->user_data_add(NULL), PJRT_Error_Code_INVALID_ARGUMENT, "args is NULL");
    refused(ext->user_data_add(&args), PJRT_Error_Code_INVALID_ARGUMENT, "context is NULL");
    cr_assert_null(execute_context_create(&context));
    args.context = execute_context_handle(context);
    refused(ext->user_data_add(&args), PJRT_Error_Code_INVALID_ARGUMENT, "'user_data' ends");
    execute_context_release(context);
}

/* ---- handlers -------------------------------------------------------------------------------- */
/* Answers the question for its version. */
static XLA_FFI_Error *handler(XLA_FFI_CallFrame *frame)
{
    XLA_FFI_Metadata *metadata = ((XLA_FFI_Metadata_Extension *)frame->extension_start)->metadata;
    metadata->api_version.minor_version = XLA_FFI_API_MINOR;
    return NULL;
}

static PJRT_FFI_Register_Handler_Args registration(const char *name)
{
    return (PJRT_FFI_Register_Handler_Args){.struct_size =
                                                PJRT_FFI_Register_Handler_Args_STRUCT_SIZE,
                                            .target_name = name,
                                            .target_name_size = strlen(name),
                                            .handler = (void *)(uintptr_t)handler,
                                            .platform_name = "Host",
                                            .platform_name_size = 4};
}

Test(ext_ffi, handlers_have_one_name)
{
    PJRT_FFI_Register_Handler_Args args = registration("ext_ffi.handler");
    cr_assert_null(ext->register_handler(&args));
    args.struct_size = offsetof(PJRT_FFI_Register_Handler_Args, traits);
    refused(ext->register_handler(&args), PJRT_Error_Code_ALREADY_EXISTS, "ext_ffi.handler");
}

Test(ext_ffi, handlers_need_a_name_a_function_and_a_platform)
{
    PJRT_FFI_Register_Handler_Args args = registration("ext_ffi.wrong");
    refused(ext->register_handler(NULL), PJRT_Error_Code_INVALID_ARGUMENT, "args is NULL");
    args.struct_size = offsetof(PJRT_FFI_Register_Handler_Args, platform_name_size);
    refused(ext->register_handler(&args), PJRT_Error_Code_INVALID_ARGUMENT,
            "'platform_name_size' ends");
    args = registration("");
    refused(ext->register_handler(&args), PJRT_Error_Code_INVALID_ARGUMENT, "needs a name");
    args.target_name = NULL;
    refused(ext->register_handler(&args), PJRT_Error_Code_INVALID_ARGUMENT, "target_name is NULL");
    args = registration("ext_ffi.wrong");
    args.handler = NULL;
    refused(ext->register_handler(&args), PJRT_Error_Code_INVALID_ARGUMENT, "handler is NULL");
    args = registration("ext_ffi.wrong");
    args.platform_name = NULL;
    refused(ext->register_handler(&args), PJRT_Error_Code_INVALID_ARGUMENT,
            "only handlers for cpu");
    args.platform_name_size = 4097;
    refused(ext->register_handler(&args), PJRT_Error_Code_INVALID_ARGUMENT, "at most 4096");
    args = registration("ext_ffi.wrong");
    args.platform_name = "CUDA";
    refused(ext->register_handler(&args), PJRT_Error_Code_INVALID_ARGUMENT, "platform CUDA");
}
