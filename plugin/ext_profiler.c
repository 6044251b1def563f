#include "plugin/ext_profiler.h"

#include <string.h>

#include "base/alloc.h"
#include "base/trace.h"
#include "plugin/api_args.h"
#include "plugin/ext_gantry.h"
#include "report/xspace.h"

struct PLUGIN_Profiler {
    struct trace *trace;
    char *message; /* owned: the collected data */
    size_t message_size;
};

/* The profiler's error handle is a struct error, like PJRT_Error. */
#define PROFILER_ERROR(expr) ((PLUGIN_Profiler_Error *)(expr))

/* struct_size is ignored: XLA's own clients leave it unset in most arguments, and the structs have
 * only one version. */
#define PROFILER_NEED(args, object)                                                                \
    do {                                                                                           \
        if (!(args) || !(args)->object)                                                            \
            return PROFILER_ERROR(api_args_null(__func__, #object));                               \
    } while (0)

static void profiler_error_destroy(PLUGIN_Profiler_Error_Destroy_Args *args)
{
    if (args)
        error_free((struct error *)args->error);
}

static void profiler_error_message(PLUGIN_Profiler_Error_Message_Args *args)
{
    if (!args)
        return;
    args->message_size = 0;
    args->message =
        args->error ? error_message((const struct error *)args->error, &args->message_size) : "";
}

static PLUGIN_Profiler_Error *profiler_error_get_code(PLUGIN_Profiler_Error_GetCode_Args *args)
{
    PROFILER_NEED(args, error);
    args->code = (int)error_code((const struct error *)args->error);
    return NULL;
}

static struct error *session_create(PLUGIN_Profiler **out)
{
    *out = NULL;
    TRY(alloc_zeroed(sizeof **out, out));
    struct error *error = trace_create(&(*out)->trace);
    if (error) {
        alloc_free(*out);
        *out = NULL;
    }
    return error;
}

static PLUGIN_Profiler_Error *profiler_create(PLUGIN_Profiler_Create_Args *args)
{
    if (!args)
        return PROFILER_ERROR(api_args_null(__func__, "args"));
    return PROFILER_ERROR(session_create(&args->profiler));
}

static void drop_message(PLUGIN_Profiler *profiler)
{
    alloc_free(profiler->message);
    profiler->message = NULL;
    profiler->message_size = 0;
}

static PLUGIN_Profiler_Error *profiler_destroy(PLUGIN_Profiler_Destroy_Args *args)
{
    if (!args || !args->profiler)
        return NULL;
    drop_message(args->profiler);
    trace_destroy(args->profiler->trace);
    alloc_free(args->profiler);
    return NULL;
}

static PLUGIN_Profiler_Error *profiler_start(PLUGIN_Profiler_Start_Args *args)
{
    PROFILER_NEED(args, profiler);
    if (!trace_records(args->profiler->trace))
        drop_message(args->profiler);
    trace_start(args->profiler->trace);
    return NULL;
}

static PLUGIN_Profiler_Error *profiler_stop(PLUGIN_Profiler_Stop_Args *args)
{
    PROFILER_NEED(args, profiler);
    trace_stop(args->profiler->trace);
    return NULL;
}

static struct error *collect(PLUGIN_Profiler *profiler, uint8_t **buffer, size_t *size)
{
    if (trace_records(profiler->trace))
        return ERROR(FAILED_PRECONDITION, "the profiler is still recording; stop it first");
    if (!profiler->message)
        TRY(xspace_write(profiler->trace, &profiler->message, &profiler->message_size));
    if (*buffer && *size < profiler->message_size)
        return ERROR(INVALID_ARGUMENT, "the buffer has %zu bytes, but the profile needs %zu", *size,
                     profiler->message_size);
    if (*buffer && profiler->message_size)
        memcpy(*buffer, profiler->message, profiler->message_size);
    if (!*buffer)
        *buffer = (uint8_t *)profiler->message;
    *size = profiler->message_size;
    return NULL;
}

static PLUGIN_Profiler_Error *profiler_collect(PLUGIN_Profiler_CollectData_Args *args)
{
    PROFILER_NEED(args, profiler);
    return PROFILER_ERROR(collect(args->profiler, &args->buffer, &args->buffer_size_in_bytes));
}

int64_t ext_profiler_flow(const PJRT_Extension_Base *extensions)
{
    enum { MOST = 64 }; /* a list that is longer is a circle */
    if (!extensions || !trace_begin())
        return 0;
    for (int i = 0; extensions && i < MOST; i++, extensions = extensions->next)
        if (extensions->type == PJRT_Extension_Type_Profiler &&
            extensions->struct_size >= PJRT_Profiler_Extension_STRUCT_SIZE) {
            int64_t id = ((const PJRT_Profiler_Extension *)extensions)->traceme_context_id;
            return id > 0 ? id : 0;
        }
    return 0;
}

static PLUGIN_Profiler_Api functions = {
    .struct_size = PLUGIN_Profiler_Api_STRUCT_SIZE,
    .error_destroy = profiler_error_destroy,
    .error_message = profiler_error_message,
    .error_get_code = profiler_error_get_code,
    .create = profiler_create,
    .destroy = profiler_destroy,
    .start = profiler_start,
    .stop = profiler_stop,
    .collect_data = profiler_collect,
};

PJRT_Profiler_Extension ext_profiler = {
    .base = {.struct_size = PJRT_Profiler_Extension_STRUCT_SIZE,
             .type = PJRT_Extension_Type_Profiler,
             .next = &ext_gantry.base},
    .profiler_api = &functions,
    .traceme_context_id = -1,
};
