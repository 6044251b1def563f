#include "plugin/ext_profiler.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/trace.h"
#include "report/message_fixture.h"

#define ARGS(type, name, ...)                                                                      \
    PLUGIN_Profiler_##type##_Args name = {                                                         \
        .struct_size = PLUGIN_Profiler_##type##_Args_STRUCT_SIZE, __VA_ARGS__}

static const PLUGIN_Profiler_Api *api(void)
{
    return ext_profiler.profiler_api;
}

static PLUGIN_Profiler *create(void)
{
    ARGS(Create, args, .options = "", .options_size = 0);
    cr_assert_null(api()->create(&args));
    return args.profiler;
}

static void start(PLUGIN_Profiler *profiler)
{
    ARGS(Start, args, .profiler = profiler);
    cr_assert_null(api()->start(&args));
}

static void stop(PLUGIN_Profiler *profiler)
{
    ARGS(Stop, args, .profiler = profiler);
    cr_assert_null(api()->stop(&args));
}

static void destroy(PLUGIN_Profiler *profiler)
{
    ARGS(Destroy, args, .profiler = profiler);
    cr_assert_null(api()->destroy(&args));
    cr_expect_eq(alloc_live(), 0);
}

static void happen(enum trace_kind kind, const char *name)
{
    trace_end(trace_begin(), kind, name);
}

static struct bytes collect(PLUGIN_Profiler *profiler)
{
    ARGS(CollectData, args, .profiler = profiler);
    cr_assert_null(api()->collect_data(&args));
    return (struct bytes){args.buffer, args.buffer + args.buffer_size_in_bytes};
}

/* ---- cases ---------------------------------------------------------------------------------- */
Test(ext_profiler, a_session_gives_a_plane_with_what_happened)
{
    PLUGIN_Profiler *profiler = create();
    start(profiler);
    happen(TRACE_COMPILE, "jit_f");
    happen(TRACE_EXECUTE, "jit_f");
    happen(TRACE_STEP, "dot_general");
    stop(profiler);
    struct bytes plane = inside(collect(profiler), 1, 0);
    expect_string(plane, 2, "/host:TPU-runtime");
    struct bytes line = inside(plane, 3, 0), second = inside(line, 4, 1),
                 third = inside(line, 4, 2);
    cr_expect_eq(number(inside(line, 4, 0), 1), number(second, 1)); /* the same name */
    cr_expect_neq(number(third, 1), number(second, 1));
    cr_expect(number(third, 2) >= number(second, 2) + number(second, 3));
    struct bytes entry = inside(plane, 4, 1);
    cr_expect_eq(number(entry, 1), number(third, 1));
    expect_string(inside(entry, 2, 0), 2, "dot_general");
    uint64_t kind = number(inside(third, 4, 0), 7);
    expect_string(inside(inside(plane, 5, (int)kind - 1), 2, 0), 2, "step");
    destroy(profiler);
}

Test(ext_profiler, data_goes_to_the_callers_buffer_too)
{
    uint8_t buffer[4096];
    PLUGIN_Profiler *profiler = create();
    start(profiler);
    happen(TRACE_EXECUTE, "f");
    stop(profiler);
    struct bytes own = collect(profiler);
    size_t size = (size_t)(own.end - own.at);
    ARGS(CollectData, args, .profiler = profiler, .buffer = buffer, .buffer_size_in_bytes = size);
    cr_assert_null(api()->collect_data(&args));
    cr_expect_eq(args.buffer, buffer);
    cr_expect(args.buffer_size_in_bytes == size && !memcmp(buffer, own.at, size));
    args.buffer_size_in_bytes = size - 1;
    error_free((struct error *)api()->collect_data(&args));
    cr_expect_eq(args.buffer_size_in_bytes, size - 1);
    destroy(profiler);
}

Test(ext_profiler, nothing_recorded_is_nothing)
{
    PLUGIN_Profiler *profiler = create();
    happen(TRACE_EXECUTE, "before");
    struct bytes none = collect(profiler);
    cr_expect_eq(none.at, none.end);
    start(profiler);
    stop(profiler);
    none = collect(profiler);
    cr_expect_eq(none.at, none.end);
    destroy(profiler);
}

Test(ext_profiler, a_session_that_records_gives_nothing_yet)
{
    PLUGIN_Profiler *profiler = create();
    start(profiler);
    start(profiler);
    ARGS(CollectData, args, .profiler = profiler);
    PLUGIN_Profiler_Error *error = api()->collect_data(&args);
    PLUGIN_Profiler_Error_GetCode_Args code = {
        .struct_size = PLUGIN_Profiler_Error_GetCode_Args_STRUCT_SIZE, .error = error};
    PLUGIN_Profiler_Error_Message_Args message = {
        .struct_size = PLUGIN_Profiler_Error_Message_Args_STRUCT_SIZE, .error = error};
    cr_assert_null(api()->error_get_code(&code));
    cr_expect_eq(code.code, PJRT_Error_Code_FAILED_PRECONDITION);
    api()->error_message(&message);
    cr_expect(message.message_size > 0 && strstr(message.message, "stop it first"));
    PLUGIN_Profiler_Error_Destroy_Args end = {
        .struct_size = PLUGIN_Profiler_Error_Destroy_Args_STRUCT_SIZE, .error = error};
    api()->error_destroy(&end);
    destroy(profiler); /* while recording */
}

/* Calls the extension as XLA's clients do. */
Test(ext_profiler, sizes_of_arguments_may_be_unset)
{
    PLUGIN_Profiler *profiler = create();
    start(profiler);
    happen(TRACE_EXECUTE, "f");
    PLUGIN_Profiler_Stop_Args end = {.struct_size = 1, .profiler = profiler};
    cr_assert_null(api()->stop(&end));
    PLUGIN_Profiler_CollectData_Args data = {.struct_size = 27, .profiler = profiler};
    cr_assert_null(api()->collect_data(&data));
    cr_expect(data.buffer_size_in_bytes > 0);
    destroy(profiler);
}

Test(ext_profiler, no_session_is_an_error)
{
    ARGS(Start, start_nothing, .profiler = NULL);
    ARGS(Stop, stop_nothing, .profiler = NULL);
    ARGS(CollectData, collect_nothing, .profiler = NULL);
    ARGS(Destroy, destroy_nothing, .profiler = NULL);
    PLUGIN_Profiler_Error *errors[] = {api()->start(&start_nothing), api()->stop(&stop_nothing),
                                       api()->collect_data(&collect_nothing)};
    for (int i = 0; i < 3; i++) {
        cr_assert(errors[i]);
        cr_expect_eq(error_code((struct error *)errors[i]), PJRT_Error_Code_INVALID_ARGUMENT);
        error_free((struct error *)errors[i]);
    }
    cr_expect_null(api()->destroy(&destroy_nothing));
}

Test(ext_profiler, memory_that_runs_out_is_an_error_or_a_warning)
{
    for (int64_t n = 1, done = 0; !done; n++) {
        PLUGIN_Profiler *profiler = create();
        start(profiler);
        happen(TRACE_STEP, "f");
        stop(profiler);
        ARGS(CollectData, args, .profiler = profiler);
        alloc_fail_at(n);
        PLUGIN_Profiler_Error *error = api()->collect_data(&args);
        alloc_fail_at(0);
        done = !error;
        cr_expect(!error ||
                  error_code((struct error *)error) == PJRT_Error_Code_RESOURCE_EXHAUSTED);
        error_free((struct error *)error);
        destroy(profiler);
    }
}

/* The lists of extensions that clients pass with a call. */
Test(ext_profiler, a_call_belongs_to_the_clients_span)
{
    PJRT_Profiler_Extension span = {.base = {.struct_size = PJRT_Profiler_Extension_STRUCT_SIZE,
                                             .type = PJRT_Extension_Type_Profiler},
                                    .traceme_context_id = 77};
    PJRT_Extension_Base other = {.struct_size = sizeof other,
                                 .type = PJRT_Extension_Type_FFI,
                                 .next = &span.base},
                        circle = {.struct_size = sizeof circle, .type = PJRT_Extension_Type_FFI};
    circle.next = &circle;
    cr_expect_eq(ext_profiler_flow(&other), 0, "nothing is recorded");
    PLUGIN_Profiler *profiler = create();
    start(profiler);
    cr_expect_eq(ext_profiler_flow(&other), 77);
    cr_expect_eq(ext_profiler_flow(NULL), 0);
    cr_expect_eq(ext_profiler_flow(&circle), 0);
    span.traceme_context_id = -1;
    cr_expect_eq(ext_profiler_flow(&other), 0);
    span.base.struct_size = sizeof other;
    span.traceme_context_id = 5;
    cr_expect_eq(ext_profiler_flow(&other), 0, "an extension that is too short");
    stop(profiler);
    destroy(profiler);
}
