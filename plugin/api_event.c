#include "base/alloc.h"
#include "plugin/api.h"
#include "plugin/api_args.h"
#include "plugin/handles.h"

PJRT_Error *api_event_destroy(PJRT_Event_Destroy_Args *args)
{
    NEED(args, event);
    event_drop(event_of(args->event));
    return NULL;
}

PJRT_Error *api_event_is_ready(PJRT_Event_IsReady_Args *args)
{
    NEED_OBJECT(args, event);
    NEED(args, is_ready);
    args->is_ready = event_is_ready(event_of(args->event));
    return NULL;
}

PJRT_Error *api_event_error(PJRT_Event_Error_Args *args)
{
    NEED_OBJECT(args, event);
    return API_ERROR(event_error(event_of(args->event)));
}

PJRT_Error *api_event_await(PJRT_Event_Await_Args *args)
{
    NEED_OBJECT(args, event);
    return API_ERROR(event_await(event_of(args->event)));
}

/* The client's callback and its argument. */
struct ready_call {
    PJRT_Event_OnReadyCallback callback;
    void *user_arg;
};

static void call_ready(struct error *error, void *context)
{
    struct ready_call call = *(struct ready_call *)context;
    alloc_free(context);
    call.callback(API_ERROR(error), call.user_arg);
}

PJRT_Error *api_event_on_ready(PJRT_Event_OnReady_Args *args)
{
    NEED_OBJECT(args, event);
    NEED_OBJECT(args, callback);
    NEED(args, user_arg);
    if (event_is_ready(event_of(args->event))) {
        args->callback(API_ERROR(event_error(event_of(args->event))), args->user_arg);
        return NULL;
    }
    struct ready_call *call;
    API_TRY(alloc_bytes(sizeof *call, &call));
    *call = (struct ready_call){args->callback, args->user_arg};
    struct error *error = event_on_ready(event_of(args->event), call_ready, call);
    if (error)
        alloc_free(call);
    return API_ERROR(error);
}

PJRT_Error *api_event_create(PJRT_Event_Create_Args *args)
{
    struct event *event;
    NEED(args, event);
    API_TRY(event_create_by_client(&event));
    args->event = event_handle(event);
    return NULL;
}

PJRT_Error *api_event_set(PJRT_Event_Set_Args *args)
{
    NEED_OBJECT(args, event);
    NEED(args, error_message_size);
    return API_ERROR(event_set_by_client(
        event_of(args->event),
        api_args_client_error(args->error_code, args->error_message, args->error_message_size)));
}
