/* events_rules.c: area 11: events. */
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "conformance/cts/rule_process.h"
#include "conformance/rules/sample_programs.h"
#include "tools/abi.h"

/* ---- Calls ----------------------------------------------------------------------------------- */

static struct error *ready_event(struct rule_context *t, PJRT_Buffer *buffer, PJRT_Event **out)
{
    ARGS(t, Buffer_ReadyEvent, args, .buffer = buffer);
    *out = NULL;
    TRY(CALL(t, Buffer_ReadyEvent, &args));
    *out = args.event;
    return NULL;
}

static struct error *await(struct rule_context *t, PJRT_Event *event)
{
    ARGS(t, Event_Await, args, .event = event);
    return CALL(t, Event_Await, &args);
}

static struct error *error_of(struct rule_context *t, PJRT_Event *event)
{
    ARGS(t, Event_Error, args, .event = event);
    return CALL(t, Event_Error, &args);
}

static bool is_ready(struct rule_context *t, PJRT_Event *event)
{
    ARGS(t, Event_IsReady, args, .event = event);
    CHECK_OK(t, CALL(t, Event_IsReady, &args));
    return args.is_ready;
}

/* What a callback got, and what it does. */
struct listener {
    struct rule_context *t;
    PJRT_Event *event;   /* destroyed by the callback, unless NULL */
    PJRT_Buffer *buffer; /* the same */
    atomic_int calls;
    PJRT_Error_Code code;
    char message[64];
};

static void note_call(PJRT_Error *error, void *user)
{
    struct listener *listener = user;
    struct rule_context *t = listener->t;
    struct error *ours = abi_error(t->api, error);
    if (ours) {
        size_t size;
        const char *message = error_message(ours, &size);
        listener->code = error_code(ours);
        memcpy(listener->message, message,
               size < sizeof listener->message ? size : sizeof listener->message - 1);
        error_free(ours);
    }
    if (listener->buffer) {
        CHECK(t, !buffer_is_deleted(t, listener->buffer), "the buffer is deleted");
        DESTROY(t, Buffer, buffer, listener->buffer);
    }
    if (listener->event)
        DESTROY(t, Event, event, listener->event);
    atomic_fetch_add(&listener->calls, 1);
}

static struct error *listen_to(struct rule_context *t, PJRT_Event *event, struct listener *listener)
{
    listener->t = t;
    ARGS(t, Event_OnReady, args, .event = event, .callback = note_call, .user_arg = listener);
    return CALL(t, Event_OnReady, &args);
}

/* A callback runs soon after the event is ready, perhaps in another thread. */
static void check_called(struct rule_context *t, struct listener *listener)
{
    for (int i = 0; i < 30000 && !atomic_load(&listener->calls); i++)
        usleep(1000);
    CHECK(t, atomic_load(&listener->calls) == 1, "the function was called %d times",
          atomic_load(&listener->calls));
}

#define NEED_EVENT(t, buffer, event)                                                               \
    PJRT_Event *event;                                                                             \
    NEED_SAMPLE(t, buffer);                                                                        \
    NEED_OK(t, ready_event(t, buffer, &(event)))

/* ---- 11.1 Events of a plugin ----------------------------------------------------------------- */

void rule_events_become_ready(struct rule_context *t)
{
    NEED_EVENT(t, buffer, event);
    NEED_OK(t, await(t, event));
    DESTROY(t, Event, event, event);
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_events_can_be_awaited_again(struct rule_context *t)
{
    NEED_EVENT(t, buffer, event);
    for (int i = 0; i < 10; i++)
        NEED_OK(t, await(t, event));
    DESTROY(t, Event, event, event);
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_events_stay_ready(struct rule_context *t)
{
    NEED_EVENT(t, buffer, event);
    NEED_OK(t, await(t, event));
    for (int i = 0; i < 3; i++) {
        CHECK(t, is_ready(t, event), "not ready after PJRT_Event_Await");
        CHECK_OK(t, error_of(t, event));
    }
    DESTROY(t, Event, event, event);
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_events_call_back(struct rule_context *t)
{
    struct listener listener = {0};
    NEED_EVENT(t, buffer, event);
    NEED_OK(t, listen_to(t, event, &listener));
    NEED_OK(t, await(t, event));
    check_called(t, &listener);
    CHECK(t, listener.code == PJRT_Error_Code_OK, "an error: %s", listener.message);
    DESTROY(t, Event, event, event);
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_events_call_back_when_ready(struct rule_context *t)
{
    struct listener listener = {0};
    NEED_EVENT(t, buffer, event);
    NEED_OK(t, await(t, event));
    NEED_OK(t, listen_to(t, event, &listener));
    check_called(t, &listener);
    DESTROY(t, Event, event, event);
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_events_call_all_back(struct rule_context *t)
{
    struct listener listeners[10] = {0};
    NEED_EVENT(t, buffer, event);
    for (int i = 0; i < 10; i++)
        NEED_OK(t, listen_to(t, event, &listeners[i]));
    NEED_OK(t, await(t, event));
    for (int i = 0; i < 10; i++)
        check_called(t, &listeners[i]);
    DESTROY(t, Event, event, event);
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_events_can_be_destroyed_early(struct rule_context *t)
{
    static struct listener listeners[50];
    NEED_SAMPLE(t, buffer);
    NEED_PROGRAM(t, executable, "identity.mlirbc");
    for (int i = 0; i < 50; i++) {
        PJRT_Buffer *result;
        PJRT_Event *event;
        NEED_OK(t, execute_one(t, executable, buffer, &result));
        NEED_OK(t, ready_event(t, result, &event));
        NEED_OK(t, listen_to(t, event, &listeners[i]));
        DESTROY(t, Event, event, event);
        DESTROY(t, Buffer, buffer, result);
    }
    for (int i = 0; i < 50; i++)
        check_called(t, &listeners[i]);
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_events_can_be_destroyed_in_callbacks(struct rule_context *t)
{
    NEED_EVENT(t, buffer, event);
    struct listener listener = {.event = event};
    NEED_OK(t, listen_to(t, event, &listener));
    check_called(t, &listener);
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_events_callbacks_may_call(struct rule_context *t)
{
    NEED_EVENT(t, buffer, event);
    struct listener listener = {.buffer = buffer};
    NEED_OK(t, listen_to(t, event, &listener));
    check_called(t, &listener);
    DESTROY(t, Event, event, event);
}

void rule_events_are_independent(struct rule_context *t)
{
    PJRT_Event *events[4];
    NEED_SAMPLE(t, buffer);
    for (int i = 0; i < 4; i++)
        NEED_OK(t, ready_event(t, buffer, &events[i]));
    for (int i = 0; i < 4; i++) {
        for (int k = i; k < 4; k++)
            NEED_OK(t, await(t, events[k]));
        DESTROY(t, Event, event, events[i]);
    }
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_events_outlive_their_buffer(struct rule_context *t)
{
    NEED_EVENT(t, buffer, event);
    DESTROY(t, Buffer, buffer, buffer);
    NEED_OK(t, await(t, event));
    CHECK(t, is_ready(t, event), "not ready after PJRT_Event_Await");
    DESTROY(t, Event, event, event);
}

static PJRT_Event *shared_event;

static void await_in_thread(struct rule_context *t, int i)
{
    (void)i;
    NEED_OK(t, await(t, shared_event));
}

void rule_events_wake_all_threads(struct rule_context *t)
{
    NEED_EVENT(t, buffer, event);
    shared_event = event;
    rule_threads(t, await_in_thread);
    DESTROY(t, Event, event, event);
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_events_of_results_become_ready(struct rule_context *t)
{
    struct listener listener = {0};
    PJRT_Buffer *result;
    PJRT_Event *event;
    NEED_SAMPLE(t, buffer);
    NEED_PROGRAM(t, executable, "identity.mlirbc");
    NEED_OK(t, execute_one(t, executable, buffer, &result));
    NEED_OK(t, ready_event(t, result, &event));
    NEED_OK(t, listen_to(t, event, &listener));
    check_called(t, &listener);
    CHECK(t, is_ready(t, event), "called back before the event is ready");
    sample_check(t, result);
    DESTROY(t, Event, event, event);
    DESTROY(t, Buffer, buffer, result);
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, LoadedExecutable, executable, executable);
}

/* ---- 11.2 Events with errors ----------------------------------------------------------------- */

/* Declares the ready event of an error buffer. */
#define NEED_ERROR_EVENT(t, buffer, event)                                                         \
    PJRT_Buffer *buffer;                                                                           \
    PJRT_Event *event;                                                                             \
    NEED_CLIENT(t);                                                                                \
    NEED_OK(t, buffer_of_error(t, &(buffer)));                                                     \
    NEED_OK(t, ready_event(t, buffer, &(event)))

void rule_events_have_errors(struct rule_context *t)
{
    NEED_ERROR_EVENT(t, buffer, event);
    CHECK_CODE(t, DATA_LOSS, await(t, event));
    CHECK(t, is_ready(t, event), "not ready after PJRT_Event_Await");
    CHECK_CODE(t, DATA_LOSS, error_of(t, event));
    DESTROY(t, Event, event, event);
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_events_give_errors_again(struct rule_context *t)
{
    NEED_ERROR_EVENT(t, buffer, event);
    error_free(await(t, event));
    ARGS(t, Event_Error, args, .event = event);
    NEED_FUNCTION(t, Event_Error);
    PJRT_Error *first = RAW_CALL(t, Event_Error, &args), *second = RAW_CALL(t, Event_Error, &args);
    CHECK(t, first && second && first != second, "two calls give one error, with two owners");
    rule_destroy_error(t, first);
    if (first != second)
        rule_destroy_error(t, second);
    CHECK_CODE(t, DATA_LOSS, error_of(t, event));
    DESTROY(t, Event, event, event);
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_events_pass_errors_to_callbacks(struct rule_context *t)
{
    struct listener listener = {0};
    NEED_ERROR_EVENT(t, buffer, event);
    NEED_OK(t, listen_to(t, event, &listener));
    check_called(t, &listener);
    CHECK(t, listener.code == PJRT_Error_Code_DATA_LOSS, "the error is %s",
          error_code_name(listener.code));
    CHECK(t, strstr(listener.message, "lost on purpose"), "the message is '%s'", listener.message);
    DESTROY(t, Event, event, event);
    DESTROY(t, Buffer, buffer, buffer);
}

/* ---- 11.3 Events of the client --------------------------------------------------------------- */

static struct error *make(struct rule_context *t, PJRT_Event **out)
{
    ARGS(t, Event_Create, args, );
    *out = NULL;
    TRY(CALL(t, Event_Create, &args));
    *out = args.event;
    return NULL;
}

static struct error *set(struct rule_context *t, PJRT_Event *event, PJRT_Error_Code code)
{
    static const char message[] = "no more of it";
    ARGS(t, Event_Set, args, .event = event, .error_code = code,
         .error_message = code ? message : NULL,
         .error_message_size = code ? sizeof message - 1 : 0);
    return CALL(t, Event_Set, &args);
}

/* Declares an event that is not set. */
#define NEED_OWN_EVENT(t, event)                                                                   \
    PJRT_Event *event;                                                                             \
    NEED_CLIENT(t);                                                                                \
    NEED_OK(t, make(t, &(event)))

void rule_events_can_be_created(struct rule_context *t)
{
    NEED_OWN_EVENT(t, event);
    CHECK(t, !is_ready(t, event), "a new event is ready");
    NEED_OK(t, set(t, event, PJRT_Error_Code_OK));
    CHECK(t, is_ready(t, event), "an event that is set is not ready");
    CHECK_OK(t, await(t, event));
    CHECK_OK(t, error_of(t, event));
    DESTROY(t, Event, event, event);
}

void rule_events_call_back_when_set(struct rule_context *t)
{
    struct listener before = {0}, after = {0};
    NEED_OWN_EVENT(t, event);
    NEED_OK(t, listen_to(t, event, &before));
    usleep(10000);
    CHECK(t, !atomic_load(&before.calls), "called before the event is set");
    NEED_OK(t, set(t, event, PJRT_Error_Code_OK));
    check_called(t, &before);
    NEED_OK(t, listen_to(t, event, &after));
    check_called(t, &after);
    CHECK(t, !before.code && !after.code, "an error: %s", before.message);
    DESTROY(t, Event, event, event);
}

void rule_events_can_be_set_to_errors(struct rule_context *t)
{
    struct listener listener = {0};
    NEED_OWN_EVENT(t, event);
    NEED_OK(t, listen_to(t, event, &listener));
    NEED_OK(t, set(t, event, PJRT_Error_Code_ABORTED));
    check_called(t, &listener);
    CHECK(t, listener.code == PJRT_Error_Code_ABORTED, "the error is %s",
          error_code_name(listener.code));
    CHECK(t, strstr(listener.message, "no more of it"), "the message is '%s'", listener.message);
    CHECK_CODE(t, ABORTED, error_of(t, event));
    CHECK_CODE(t, ABORTED, await(t, event));
    DESTROY(t, Event, event, event);
}

void rule_events_are_set_once(struct rule_context *t)
{
    NEED_OWN_EVENT(t, event);
    NEED_OK(t, set(t, event, PJRT_Error_Code_OK));
    CHECK_ERROR(t, set(t, event, PJRT_Error_Code_ABORTED));
    CHECK_OK(t, error_of(t, event));
    CHECK_OK(t, await(t, event));
    DESTROY(t, Event, event, event);
}

static atomic_int waiting;

static void await_or_set(struct rule_context *t, int i)
{
    if (i) {
        atomic_fetch_add(&waiting, 1);
        NEED_OK(t, await(t, shared_event));
        return;
    }
    while (atomic_load(&waiting) < RULE_THREADS - 1)
        usleep(1000);
    usleep(10000);
    NEED_OK(t, set(t, shared_event, PJRT_Error_Code_OK));
}

void rule_events_wake_threads_when_set(struct rule_context *t)
{
    NEED_OWN_EVENT(t, event);
    shared_event = event;
    rule_threads(t, await_or_set);
    DESTROY(t, Event, event, event);
}

void rule_events_can_be_destroyed_unset(struct rule_context *t)
{
    struct listener listener = {0};
    NEED_OWN_EVENT(t, event);
    NEED_OK(t, listen_to(t, event, &listener));
    DESTROY(t, Event, event, event);
    check_called(t, &listener);
    CHECK(t, listener.code, "called without an error");
}
