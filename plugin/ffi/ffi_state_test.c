/* What states of handlers may not be: for each version of XLA's FFI. */
#include "plugin/ffi/ffi_state.h"

#include <criterion/criterion.h>
#include <string.h>

#include "plugin/ffi/ffi_api.h"

/* As ffi_state.h says of versions 0.1 and 0.2. */
struct old_args {
    size_t struct_size;
    void *extension_start;
    XLA_FFI_InvokeContext *ctx;
    XLA_FFI_TypeId *type_id;
    void *state;
    void (*deleter)(void *state);
};

static struct ffi_state instantiated;
static XLA_FFI_InvokeContext context = {.states = {&instantiated}};
static XLA_FFI_TypeId type = {3}, other_type = {4};
static int deleted;

static void delete_state(void *object)
{
    cr_expect_eq(object, &type);
    deleted++;
}

static void refused(XLA_FFI_Error *got, PJRT_Error_Code code, const char *part)
{
    struct error *error = ffi_api_error(got);
    cr_assert_not_null(error, "%s", part);
    cr_expect_eq(error_code(error), code, "%s", error_message(error, NULL));
    cr_expect(strstr(error_message(error, NULL), part), "%s", error_message(error, NULL));
    error_free(error);
}

static XLA_FFI_Error *set(XLA_FFI_InvokeContext *ctx, int stage, XLA_FFI_TypeId *type_id)
{
    XLA_FFI_State_Set_Args args = {.struct_size = XLA_FFI_State_Set_Args_STRUCT_SIZE,
                                   .ctx = ctx,
                                   .stage = (XLA_FFI_ExecutionStage)stage,
                                   .type_id = type_id,
                                   .state = &type};
    return ffi_state_set(&args);
}

/* On success checks that the state is the one that set() sets. */
static XLA_FFI_Error *get(int stage, XLA_FFI_TypeId *type_id)
{
    XLA_FFI_State_Get_Args args = {.struct_size = XLA_FFI_State_Get_Args_STRUCT_SIZE,
                                   .ctx = &context,
                                   .stage = (XLA_FFI_ExecutionStage)stage,
                                   .type_id = type_id};
    XLA_FFI_Error *error = ffi_state_get(&args);
    cr_expect(error || args.state == &type);
    return error;
}

Test(ffi_state, only_stages_before_the_execution_have_states)
{
    refused(set(&context, XLA_FFI_ExecutionStage_EXECUTE, &type), PJRT_Error_Code_INVALID_ARGUMENT,
            "stage 3 cannot set a state");
    refused(set(&context, -1, &type), PJRT_Error_Code_INVALID_ARGUMENT, "stage -1");
    refused(set(&context, XLA_FFI_ExecutionStage_PREPARE, &type), PJRT_Error_Code_INVALID_ARGUMENT,
            "stage 1 cannot set a state");
    refused(set(NULL, 0, &type), PJRT_Error_Code_INVALID_ARGUMENT, "stage 0");
    refused(set(&context, 0, NULL), PJRT_Error_Code_INVALID_ARGUMENT, "stage 0");
    cr_expect(!instantiated.set);
}

Test(ffi_state, a_state_is_got_as_the_type_that_it_was_set_as)
{
    refused(get(0, &type), PJRT_Error_Code_NOT_FOUND, "stage 0 has set no state");
    cr_assert_null(set(&context, 0, &type));
    cr_expect_null(get(0, &type));
    cr_expect_null(get(0, NULL), "whichever it is");
    refused(get(0, &other_type), PJRT_Error_Code_INVALID_ARGUMENT, "of type 3, not 4");
    refused(get(1, &type), PJRT_Error_Code_NOT_FOUND, "stage 1 has set no state");
    refused(get(3, &type), PJRT_Error_Code_NOT_FOUND, "stage 3");
}

Test(ffi_state, a_state_without_a_deleter_is_dropped_as_well)
{
    cr_assert_null(set(&context, 0, &type));
    ffi_state_drop(&instantiated);
    cr_expect(!instantiated.set);
    refused(get(0, &type), PJRT_Error_Code_NOT_FOUND, "stage 0 has set no state");
}

Test(ffi_state, structs_of_older_versions_have_their_sizes)
{
    struct old_args args = {
        .ctx = &context, .type_id = &type, .state = &type, .deleter = delete_state};
    for (size_t size = 0; size < 40; size += 39) {
        args.struct_size = size;
        refused(ffi_state_set_0_1((void *)&args), PJRT_Error_Code_INVALID_ARGUMENT, "(0.1)");
        refused(ffi_state_set_0_2((void *)&args), PJRT_Error_Code_INVALID_ARGUMENT, "(0.2)");
        refused(ffi_state_get_0_2((void *)&args), PJRT_Error_Code_INVALID_ARGUMENT, "at least 40");
    }
    args.struct_size = 40;
    refused(ffi_state_set_0_1((void *)&args), PJRT_Error_Code_INVALID_ARGUMENT, "at least 48");
    refused(ffi_state_set_0_1(NULL), PJRT_Error_Code_INVALID_ARGUMENT, "0 bytes");
    refused(ffi_state_set_0_2(NULL), PJRT_Error_Code_INVALID_ARGUMENT, "0 bytes");
    refused(ffi_state_get_0_2(NULL), PJRT_Error_Code_INVALID_ARGUMENT, "0 bytes");
    cr_assert_null(ffi_state_set_0_2((void *)&args));
    ffi_state_drop(&instantiated);
    cr_expect_eq(deleted, 0, "0.2 has no deleter in the struct");
    args.struct_size = 48;
    cr_assert_null(ffi_state_set_0_1((void *)&args));
    ffi_state_drop(&instantiated);
    cr_expect_eq(deleted, 1);
}
