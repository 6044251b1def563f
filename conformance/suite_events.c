/* suite_events.c: events, both those set by the client and those of the plugin. */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "conformance/test_context.h"

static struct error *make(struct test_context *t, PJRT_Event **out)
{
    ABI_ARGS(Event_Create, args, );
    *out = NULL;
    TRY(ABI_CALL(t->api, Event_Create, &args));
    *out = args.event;
    return NULL;
}

static struct error *set(struct test_context *t, PJRT_Event *event, PJRT_Error_Code code,
                         const char *message)
{
    ABI_ARGS(Event_Set, args, .event = event, .error_code = code, .error_message = message,
             .error_message_size = message ? strlen(message) : 0);
    return ABI_CALL(t->api, Event_Set, &args);
}

static bool is_ready(struct test_context *t, PJRT_Event *event)
{
    ABI_ARGS(Event_IsReady, args, .event = event);
    CHECK_OK(t, ABI_CALL(t->api, Event_IsReady, &args));
    return args.is_ready;
}

static struct error *outcome(struct test_context *t, PJRT_Event *event)
{
    ABI_ARGS(Event_Error, args, .event = event);
    return ABI_CALL(t->api, Event_Error, &args);
}

/* The arguments of a callback. */
struct call_record {
    struct test_context *t;
    atomic_int times;
    PJRT_Error_Code code;
};

static void record_call(PJRT_Error *error, void *user_arg)
{
    struct call_record *record = user_arg;
    struct error *ours = abi_error(record->t->api, error);
    record->code = ours ? error_code(ours) : PJRT_Error_Code_OK;
    error_free(ours);
    atomic_fetch_add(&record->times, 1);
}

static struct error *listen_to(struct test_context *t, PJRT_Event *event,
                               struct call_record *record)
{
    *record = (struct call_record){.t = t};
    ABI_ARGS(Event_OnReady, args, .event = event, .callback = record_call, .user_arg = record);
    return ABI_CALL(t->api, Event_OnReady, &args);
}

/* ---- Cases ----------------------------------------------------------------------------------- */

static void set_well(struct test_context *t)
{
    PJRT_Event *event;
    struct call_record before, after;
    NEED_SUPPORTED(t, make(t, &event));
    CHECK(t, !is_ready(t, event), "a new event is ready");
    CHECK_CODE(t, FAILED_PRECONDITION, outcome(t, event));
    CHECK_OK(t, listen_to(t, event, &before));
    CHECK(t, atomic_load(&before.times) == 0, "called before it is ready");
    CHECK_OK(t, set(t, event, PJRT_Error_Code_OK, NULL));
    CHECK(t, is_ready(t, event), "a set event is not ready");
    CHECK_OK(t, outcome(t, event));
    CHECK(t, atomic_load(&before.times) == 1, "called %d times", atomic_load(&before.times));
    CHECK_OK(t, listen_to(t, event, &after));
    CHECK(t, atomic_load(&after.times) == 1, "a ready event calls %d times",
          atomic_load(&after.times));
    CHECK_CODE(t, FAILED_PRECONDITION, set(t, event, PJRT_Error_Code_OK, NULL));
    CHECK_OK(t, abi_await(t->api, event));
}

static void set_badly(struct test_context *t)
{
    PJRT_Event *event;
    struct call_record record[2];
    NEED_SUPPORTED(t, make(t, &event));
    CHECK_OK(t, listen_to(t, event, &record[0]));
    CHECK_OK(t, listen_to(t, event, &record[1]));
    CHECK_OK(t, set(t, event, PJRT_Error_Code_ABORTED, "no more"));
    for (int i = 0; i < 2; i++)
        CHECK(t, atomic_load(&record[i].times) == 1 && record[i].code == PJRT_Error_Code_ABORTED,
              "listener %d is called %d times, code %d", i, atomic_load(&record[i].times),
              (int)record[i].code);
    for (int i = 0; i < 2; i++)
        CHECK_CODE(t, ABORTED, outcome(t, event));
    CHECK_CODE(t, ABORTED, abi_await(t->api, event));
}

/* Waiting for an event that can never be set returns an error. */
static void destroyed_unset(struct test_context *t)
{
    PJRT_Event *event;
    struct call_record record;
    NEED_SUPPORTED(t, make(t, &event));
    CHECK_OK(t, listen_to(t, event, &record));
    ABI_DESTROY(t->api, Event, event, event);
    CHECK(t, atomic_load(&record.times) == 1 && record.code == PJRT_Error_Code_CANCELLED,
          "called %d times, code %d", atomic_load(&record.times), (int)record.code);
}

struct waiter {
    struct test_context *t;
    PJRT_Event *event;
    pthread_t thread;
};

static void *wait(void *argument)
{
    struct waiter *waiter = argument;
    ABI_ARGS(Event_Await, args, .event = waiter->event);
    CHECK_OK(waiter->t, ABI_CALL(waiter->t->api, Event_Await, &args));
    return NULL;
}

static void waiting_threads(struct test_context *t)
{
    struct waiter waiters[4];
    PJRT_Event *event;
    NEED_SUPPORTED(t, make(t, &event));
    for (int i = 0; i < 4; i++) {
        waiters[i] = (struct waiter){t, event, 0};
        pthread_create(&waiters[i].thread, NULL, wait, &waiters[i]);
    }
    usleep(20000);
    CHECK_OK(t, set(t, event, PJRT_Error_Code_OK, NULL));
    for (int i = 0; i < 4; i++)
        pthread_join(waiters[i].thread, NULL);
    CHECK_OK(t, abi_await(t->api, event));
}

/* A client cannot set the plugin's own events. The event of a buffer may be destroyed before or
 * after the buffer. */
static void ready_events(struct test_context *t)
{
    const int64_t dims[] = {16};
    PJRT_Buffer *buffer;
    struct call_record record;
    NEED_OK(t, test_context_upload(t, DTYPE_F32, 1, dims, &buffer));
    ABI_ARGS(Buffer_ReadyEvent, first, .buffer = buffer);
    ABI_ARGS(Buffer_ReadyEvent, second, .buffer = buffer);
    CHECK_OK(t, ABI_CALL(t->api, Buffer_ReadyEvent, &first));
    CHECK_OK(t, ABI_CALL(t->api, Buffer_ReadyEvent, &second));
    CHECK_OK(t, listen_to(t, first.event, &record));
    CHECK_OK(t, abi_await(t->api, first.event));
    struct error *error = set(t, second.event, PJRT_Error_Code_OK, NULL);
    if (error && error_code(error) == PJRT_Error_Code_UNIMPLEMENTED)
        error_free(error);
    else
        CHECK_CODE(t, FAILED_PRECONDITION, error);
    abi_buffer_destroy(t->api, buffer);
    CHECK_OK(t, abi_await(t->api, second.event));
    CHECK(t, atomic_load(&record.times) == 1, "called %d times", atomic_load(&record.times));
}

static const struct test_context_case cases[] = {
    {"set_well", set_well, STAGE_CLIENT, 0},
    {"set_badly", set_badly, STAGE_CLIENT, 0},
    {"destroyed_unset", destroyed_unset, STAGE_CLIENT, 0},
    {"waiting_threads", waiting_threads, STAGE_CLIENT, 0},
    {"ready_events", ready_events, STAGE_CLIENT, 0},
    {0}};
const struct test_context_suite suite_events = {"events", cases};
