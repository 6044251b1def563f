#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

#include "plugin/api_args.h"

static PJRT_Error *is_ready(PJRT_Event_IsReady_Args *args)
{
    NEED_OBJECT(args, event);
    NEED(args, is_ready);
    args->is_ready = true;
    return NULL;
}

static PJRT_Error *tried(struct error *error)
{
    API_TRY(error);
    return NULL;
}

static void expect_error(PJRT_Error *error, const char *part)
{
    cr_assert_not_null(error);
    struct error *inner = api_args_inner_error(error);
    cr_expect_eq(error_code(inner), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_expect_not_null(strstr(error_message(inner, NULL), part), "%s", error_message(inner, NULL));
    error_free(inner);
}

Test(api_args, need_accepts_what_reaches_the_field)
{
    int event;
    PJRT_Event_IsReady_Args args = {.struct_size = PJRT_Event_IsReady_Args_STRUCT_SIZE,
                                    .event = (PJRT_Event *)&event};
    cr_expect_null(is_ready(&args));
    cr_expect(args.is_ready);
    args.struct_size = SIZE_MAX; /* a newer caller */
    cr_expect_null(is_ready(&args));
}

Test(api_args, need_refuses_what_does_not)
{
    int event;
    PJRT_Event_IsReady_Args args = {.event = (PJRT_Event *)&event};
    for (size_t size = 0; size < PJRT_Event_IsReady_Args_STRUCT_SIZE; size++) {
        args.struct_size = size;
        expect_error(is_ready(&args), "is_ready");
        cr_expect_not(args.is_ready);
    }
    expect_error(is_ready(NULL), "is_ready: args is NULL");
}

Test(api_args, need_object_refuses_null)
{
    PJRT_Event_IsReady_Args args = {.struct_size = PJRT_Event_IsReady_Args_STRUCT_SIZE};
    expect_error(is_ready(&args), "args->event is NULL");
}

Test(api_args, put_stays_below_struct_size)
{
    /* The struct of an older caller, such as torch_xla 2.9: the first 112 bytes of ours. */
    PJRT_Executable_GetCompiledMemoryStats_Args args;
    memset(&args, 0x5a, sizeof args);
    args.struct_size = 112;
    PUT(&args, host_temp_size_in_bytes, 1);
    PUT(&args, peak_memory_in_bytes, 2);
    PUT(&args, total_size_in_bytes, 3);
    cr_expect_eq(args.host_temp_size_in_bytes, 1);
    cr_expect_eq(args.peak_memory_in_bytes, 2); /* bytes 104 to 111: the last field that fits */
    cr_expect_eq(args.total_size_in_bytes, 0x5a5a5a5a5a5a5a5a);
}

Test(api_args, get_takes_missing_fields_as_given)
{
    PJRT_ExecuteOptions options = {.struct_size = 80, .num_send_ops = 4, .num_tasks = 7};
    cr_expect_eq(GET(&options, num_send_ops, 0), 4);
    cr_expect_eq(GET(&options, num_tasks, 0), 0);
}

Test(api_args, errors_pass_through)
{
    cr_expect_null(tried(NULL));
    expect_error(tried(ERROR(INVALID_ARGUMENT, "kept")), "kept");
}
