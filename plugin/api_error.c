#include "plugin/api.h"
#include "plugin/api_args.h"

void api_error_destroy(PJRT_Error_Destroy_Args *args)
{
    if (args && HAS(args, error))
        error_free(api_args_inner_error(args->error));
}

void api_error_message(PJRT_Error_Message_Args *args)
{
    if (!args || !HAS(args, message_size))
        return;
    const struct error *error = (const struct error *)args->error;
    args->message = error ? error_message(error, &args->message_size) : "";
    if (!error)
        args->message_size = 0;
}

PJRT_Error *api_error_get_code(PJRT_Error_GetCode_Args *args)
{
    NEED_OBJECT(args, error);
    NEED(args, code);
    args->code = error_code((const struct error *)args->error);
    return NULL;
}

/* Gantry's errors carry no payloads. */
PJRT_Error *api_error_for_each_payload(PJRT_Error_ForEachPayload_Args *args)
{
    NEED_OBJECT(args, error);
    return NULL;
}
