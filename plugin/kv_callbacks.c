#include "plugin/kv_callbacks.h"

#include <dlfcn.h>
#include <limits.h>
#include <string.h>

#include "base/alloc.h"
#include "plugin/api_args.h"

enum { MAX_VALUE = 1 << 30 };

/* Creates the error that a client's callback returns. */
static PJRT_Error *callback_error(PJRT_Error_Code code, const char *message, size_t message_size)
{
    return API_ERROR(api_args_client_error(code, message, message_size));
}

static struct error *get(void *context, const char *key, int64_t milliseconds, char **value,
                         size_t *size)
{
    const PJRT_Client_Create_Args *client = context;
    PJRT_CallbackError maker = callback_error;
    PJRT_KeyValueGetCallback_Args args = {.struct_size = PJRT_KeyValueGetCallback_Args_STRUCT_SIZE,
                                          .key = key,
                                          .key_size = strlen(key),
                                          .timeout_in_ms =
                                              milliseconds < INT_MAX ? (int)milliseconds : INT_MAX,
                                          .callback_error = &maker,
                                          .user_arg = client->kv_get_user_arg};
    *value = NULL;
    TRY(api_args_inner_error(client->kv_get_callback(&args)));
    struct error *error = NULL;
    if (args.value_size > MAX_VALUE || (args.value_size && !args.value))
        error = ERROR(INVALID_ARGUMENT, "the client's store gives %zu bytes for '%s'",
                      args.value_size, key);
    else
        error = alloc_copy(args.value_size ? args.value : "", args.value_size, value);
    *size = args.value_size;
    if (args.value_deleter_callback)
        args.value_deleter_callback(args.value);
    return error;
}

static struct error *put(void *context, const char *key, const char *value, size_t size)
{
    const PJRT_Client_Create_Args *client = context;
    PJRT_CallbackError maker = callback_error;
    PJRT_KeyValuePutCallback_Args args = {.struct_size = PJRT_KeyValuePutCallback_Args_STRUCT_SIZE,
                                          .key = key,
                                          .key_size = strlen(key),
                                          .value = value,
                                          .value_size = size,
                                          .callback_error = &maker,
                                          .user_arg = client->kv_put_user_arg};
    return api_args_inner_error(client->kv_put_callback(&args));
}

/* Whether both addresses are in the code of one library or program. */
static bool are_functions(const PJRT_Client_Create_Args *args)
{
    Dl_info one, two;
    return dladdr((const void *)(uintptr_t)args->kv_get_callback, &one) &&
           dladdr((const void *)(uintptr_t)args->kv_put_callback, &two) &&
           one.dli_fbase == two.dli_fbase;
}

struct error *kv_callbacks_store(PJRT_Client_Create_Args *args, bool in_doubt,
                                 struct key_value_store *out)
{
    if (!HAS(args, kv_put_user_arg) || !args->kv_get_callback || !args->kv_put_callback ||
        (in_doubt && !are_functions(args)))
        return ERROR(
            INVALID_ARGUMENT,
            "the client is one of several processes, but has no key-value store to connect them; "
            "in JAX, call jax.distributed.initialize() first");
    *out = (struct key_value_store){.get = get, .put = put, .context = args};
    return NULL;
}
