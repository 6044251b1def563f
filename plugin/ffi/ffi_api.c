/* ffi_api.c: see ffi_api.h. */
#include "plugin/ffi/ffi_api.h"

#include <pthread.h>

#include "base/alloc.h"
#include "base/pool.h"
#include "plugin/ffi/ffi_call.h"
#include "plugin/ffi/ffi_types.h"
#include "runtime/execute_context.h"

#define FFI_NEED(args, type) FFI_NEED_SIZE(args, type, type##_STRUCT_SIZE)
#define FFI_NEED_SIZE(args, type, size)                                                            \
    do {                                                                                           \
        if (!(args) || (args)->struct_size < (size))                                               \
            return ffi_api_wrap(                                                                   \
                ERROR(INVALID_ARGUMENT, #type ": the struct is missing or too short"));            \
    } while (0)

/* ---- errors ---------------------------------------------------------------------------------- */
static XLA_FFI_Error *error_create(XLA_FFI_Error_Create_Args *args)
{
    FFI_NEED(args, XLA_FFI_Error_Create_Args);
    PJRT_Error_Code code = (PJRT_Error_Code)args->errc;
    if ((int)code <= 0 || code > PJRT_Error_Code_UNAUTHENTICATED)
        code = PJRT_Error_Code_UNKNOWN;
    return ffi_api_wrap(
        error_make(code, __FILE__, __LINE__, "%s", args->message ? args->message : ""));
}

/* Before version 0.4 the struct ends with the message. */
static void error_get_details(XLA_FFI_Error_GetDetails_Args *args)
{
    if (!args || args->struct_size < XLA_FFI_STRUCT_SIZE(XLA_FFI_Error_GetDetails_Args, message))
        return;
    struct error *error = ffi_api_error(args->error);
    args->message = error ? error_message(error, NULL) : "";
    if (args->struct_size >= XLA_FFI_Error_GetDetails_Args_STRUCT_SIZE)
        args->errc = (XLA_FFI_Error_Code)(error ? error_code(error) : 0);
}

static void error_destroy(XLA_FFI_Error_Destroy_Args *args)
{
    if (args && args->struct_size >= XLA_FFI_Error_Destroy_Args_STRUCT_SIZE)
        error_free(ffi_api_error(args->error));
}

/* ---- registering ----------------------------------------------------------------------------- */
/* Before version 0.4 the bundle ends with `execute`, and the traits follow it. Gantry reads neither
 * `record`, which is for command buffers, nor the traits. */
static XLA_FFI_Error *handler_register(XLA_FFI_Handler_Register_Args *args)
{
    FFI_NEED_SIZE(args, XLA_FFI_Handler_Register_Args,
                  offsetof(XLA_FFI_Handler_Register_Args, bundle.record) + sizeof args->traits);
    return ffi_api_wrap(ffi_call_register(args->name.ptr, args->name.len, args->platform.ptr,
                                          args->platform.len, &args->bundle));
}

static XLA_FFI_Error *type_register(XLA_FFI_Type_Register_Args *args)
{
    FFI_NEED(args, XLA_FFI_Type_Register_Args);
    bool has_info = args->struct_size >= XLA_FFI_STRUCT_SIZE(XLA_FFI_Type_Register_Args, type_info);
    const XLA_FFI_TypeInfo *info = has_info ? args->type_info : NULL;
    if (!args->name.ptr || !args->type_id)
        return ffi_api_wrap(
            ERROR(INVALID_ARGUMENT, "XLA_FFI_Type_Register: name and type_id are needed"));
    return ffi_api_wrap(ffi_types_register(args->name.ptr, args->name.len, &args->type_id->type_id,
                                           info ? info->deleter : NULL));
}

/* ---- the execution --------------------------------------------------------------------------- */
static XLA_FFI_Error *no_execution(const char *function)
{
    return ffi_api_wrap(ERROR(FAILED_PRECONDITION,
                              "%s: a handler in the stage instantiate has no execution", function));
}

static XLA_FFI_Error *context_get(XLA_FFI_InvokeContext_Get_Args *args)
{
    FFI_NEED(args, XLA_FFI_InvokeContext_Get_Args);
    const struct custom_call *call = args->ctx ? args->ctx->call : NULL;
    if (!call)
        return no_execution("XLA_FFI_InvokeContext_Get");
    if (args->type_id && execute_context_find(call->context, args->type_id->type_id, &args->data))
        return NULL;
    return ffi_api_wrap(ERROR(NOT_FOUND, "the execution has no user data of type %lld",
                              args->type_id ? (long long)args->type_id->type_id : 0));
}

/* Gantry attaches no extension to an execution. */
static XLA_FFI_Error *find_extension(XLA_FFI_InvokeContext_FindExtension_Args *args)
{
    FFI_NEED(args, XLA_FFI_InvokeContext_FindExtension_Args);
    args->extension = NULL;
    return NULL;
}

/* PJRT's options of an execution have none for handlers. */
static XLA_FFI_Error *custom_options_get(XLA_FFI_CustomOptions_Get_Args *args)
{
    static const XLA_FFI_Attrs none = {.struct_size = XLA_FFI_Attrs_STRUCT_SIZE};
    FFI_NEED(args, XLA_FFI_CustomOptions_Get_Args);
    args->attrs = &none;
    return NULL;
}

static XLA_FFI_Error *stream_get(XLA_FFI_Stream_Get_Args *args)
{
    FFI_NEED(args, XLA_FFI_Stream_Get_Args);
    args->stream =
        NULL; /* no error: jaxlib assumes that it created any error of this call itself */
    return NULL;
}

static XLA_FFI_Error *run_id_get(XLA_FFI_RunId_Get_Args *args)
{
    FFI_NEED(args, XLA_FFI_RunId_Get_Args);
    if (!args->ctx || !args->ctx->call)
        return no_execution("XLA_FFI_RunId_Get");
    args->run_id = args->ctx->call->run_id;
    return NULL;
}

static XLA_FFI_Error *device_ordinal_get(XLA_FFI_DeviceOrdinal_Get_Args *args)
{
    FFI_NEED(args, XLA_FFI_DeviceOrdinal_Get_Args);
    if (!args->ctx || !args->ctx->call)
        return no_execution("XLA_FFI_DeviceOrdinal_Get");
    args->device_ordinal = args->ctx->call->device_ordinal;
    return NULL;
}

/* ---- memory and threads ---------------------------------------------------------------------- */
static XLA_FFI_Error *memory_allocate(XLA_FFI_DeviceMemory_Allocate_Args *args)
{
    FFI_NEED(args, XLA_FFI_DeviceMemory_Allocate_Args);
    args->data = NULL;
    if (args->alignment > 64)
        return ffi_api_wrap(ERROR(INVALID_ARGUMENT,
                                  "XLA_FFI_DeviceMemory_Allocate: alignment %zu exceeds 64",
                                  args->alignment));
    return ffi_api_wrap(args->size ? alloc_aligned(args->size, &args->data) : NULL);
}

static XLA_FFI_Error *memory_free(XLA_FFI_DeviceMemory_Free_Args *args)
{
    FFI_NEED(args, XLA_FFI_DeviceMemory_Free_Args);
    alloc_free(args->data);
    return NULL;
}

static XLA_FFI_Error *pool_schedule(XLA_FFI_ThreadPool_Schedule_Args *args)
{
    FFI_NEED(args, XLA_FFI_ThreadPool_Schedule_Args);
    if (!args->task)
        return ffi_api_wrap(ERROR(INVALID_ARGUMENT, "XLA_FFI_ThreadPool_Schedule: task is NULL"));
    return ffi_api_wrap(pool_submit(pool_shared(), args->task, args->data));
}

static XLA_FFI_Error *pool_threads(XLA_FFI_ThreadPool_NumThreads_Args *args)
{
    FFI_NEED(args, XLA_FFI_ThreadPool_NumThreads_Args);
    if (!args->num_threads)
        return ffi_api_wrap(
            ERROR(INVALID_ARGUMENT, "XLA_FFI_ThreadPool_NumThreads: num_threads is NULL"));
    *args->num_threads = pool_width(pool_shared());
    return NULL;
}

/* ---- futures --------------------------------------------------------------------------------- */
struct XLA_FFI_Future {
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t changed;
    bool done;
    struct error *error;
};

static XLA_FFI_Error *future_create(XLA_FFI_Future_Create_Args *args)
{
    FFI_NEED(args, XLA_FFI_Future_Create_Args);
    struct error *error = alloc_zeroed(sizeof *args->future, &args->future);
    if (!error) {
        pthread_mutex_init(&args->future->lock, NULL);
        pthread_cond_init(&args->future->changed, NULL);
    }
    return ffi_api_wrap(error);
}

/* Under the lock throughout, since the waiting thread frees the future. */
static XLA_FFI_Error *future_finish(XLA_FFI_Future *future, struct error *error)
{
    pthread_mutex_lock(&future->lock);
    bool again = future->done;
    if (!again) {
        future->done = true;
        future->error = error;
    }
    pthread_cond_broadcast(&future->changed);
    pthread_mutex_unlock(&future->lock);
    if (!again)
        return NULL;
    error_free(error);
    return ffi_api_wrap(ERROR(FAILED_PRECONDITION, "the future is already complete"));
}

static XLA_FFI_Error *future_set_available(XLA_FFI_Future_SetAvailable_Args *args)
{
    FFI_NEED(args, XLA_FFI_Future_SetAvailable_Args);
    return args->future ? future_finish(args->future, NULL)
                        : ffi_api_wrap(ERROR(INVALID_ARGUMENT,
                                             "XLA_FFI_Future_SetAvailable: future is NULL"));
}

static XLA_FFI_Error *future_set_error(XLA_FFI_Future_SetError_Args *args)
{
    FFI_NEED(args, XLA_FFI_Future_SetError_Args);
    return args->future
               ? future_finish(args->future, ffi_api_error(args->error))
               : ffi_api_wrap(ERROR(INVALID_ARGUMENT, "XLA_FFI_Future_SetError: future is NULL"));
}

struct error *ffi_api_await(XLA_FFI_Future *future)
{
    pthread_mutex_lock(&future->lock);
    while (!future->done)
        pthread_cond_wait(&future->changed, &future->lock);
    struct error *error = future->error;
    pthread_mutex_unlock(&future->lock);
    pthread_cond_destroy(&future->changed);
    pthread_mutex_destroy(&future->lock);
    alloc_free(future);
    return error;
}

/* ---- the tables ------------------------------------------------------------------------------ */
#define TABLE(minor, set, get)                                                                     \
    {                                                                                              \
        .struct_size = XLA_FFI_Api_STRUCT_SIZE,                                                    \
        .api_version = {.struct_size = XLA_FFI_Api_Version_STRUCT_SIZE,                            \
                        .major_version = XLA_FFI_API_MAJOR,                                        \
                        .minor_version = (minor)},                                                 \
        .XLA_FFI_Error_Create = error_create,                                                      \
        .XLA_FFI_Error_GetDetails = error_get_details,                                             \
        .XLA_FFI_Error_Destroy = error_destroy,                                                    \
        .XLA_FFI_Handler_Register = handler_register,                                              \
        .XLA_FFI_Stream_Get = stream_get,                                                          \
        .XLA_FFI_Type_Register = type_register,                                                    \
        .XLA_FFI_InvokeContext_Get = context_get,                                                  \
        .XLA_FFI_State_Set = (set),                                                                \
        .XLA_FFI_State_Get = (get),                                                                \
        .XLA_FFI_DeviceMemory_Allocate = memory_allocate,                                          \
        .XLA_FFI_DeviceMemory_Free = memory_free,                                                  \
        .XLA_FFI_ThreadPool_Schedule = pool_schedule,                                              \
        .XLA_FFI_ThreadPool_NumThreads = pool_threads,                                             \
        .XLA_FFI_Future_Create = future_create,                                                    \
        .XLA_FFI_Future_SetAvailable = future_set_available,                                       \
        .XLA_FFI_Future_SetError = future_set_error,                                               \
        .XLA_FFI_RunId_Get = run_id_get,                                                           \
        .XLA_FFI_DeviceOrdinal_Get = device_ordinal_get,                                           \
        .XLA_FFI_InvokeContext_FindExtension = find_extension,                                     \
        .XLA_FFI_CustomOptions_Get = custom_options_get,                                           \
    }

static const XLA_FFI_Api tables[] = {
    TABLE(1, ffi_state_set_0_1, ffi_state_get_0_2), TABLE(2, ffi_state_set_0_2, ffi_state_get_0_2),
    TABLE(3, ffi_state_set, ffi_state_get),         TABLE(4, ffi_state_set, ffi_state_get),
    TABLE(5, ffi_state_set, ffi_state_get),
};
_Static_assert(XLA_FFI_API_MINOR == sizeof tables / sizeof *tables, "each version has a table");

const XLA_FFI_Api *ffi_api_table(const XLA_FFI_Api_Version *version)
{
    bool supported = version->major_version == XLA_FFI_API_MAJOR && version->minor_version > 0 &&
                     version->minor_version <= XLA_FFI_API_MINOR;
    return supported ? &tables[version->minor_version - 1] : NULL;
}
