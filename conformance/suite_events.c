/* suite_events.c: events, those that the client makes ready and those that the plugin does. */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "conformance/trial.h"

static struct error *make(struct trial *t, PJRT_Event **out)
{
    ABI_ARGS(Event_Create, args, );
    *out = NULL;
    TRY(ABI_CALL(t->api, Event_Create, &args));
    *out = args.event;
    return NULL;
}

static struct error *set(struct trial *t, PJRT_Event *event, PJRT_Error_Code code,
                         const char *message)
{
    ABI_ARGS(Event_Set, args, .event = event, .error_code = code, .error_message = message,
             .error_message_size = message ? strlen(message) : 0);
    return ABI_CALL(t->api, Event_Set, &args);
}

static bool is_ready(struct trial *t, PJRT_Event *event)
{
    ABI_ARGS(Event_IsReady, args, .event = event);
    CHECK_OK(t, ABI_CALL(t->api, Event_IsReady, &args));
    return args.is_ready;
}

static struct error *outcome(struct trial *t, PJRT_Event *event)
{
    ABI_ARGS(Event_Error, args, .event = event);
    return ABI_CALL(t->api, Event_Error, &args);
}

/* What a callback was told. */
struct told {
    struct trial *t;
    atomic_int times;
    PJRT_Error_Code code;
};

static void tell(PJRT_Error *error, void *user_arg)
{
    struct told *told = user_arg;
    struct error *ours = abi_error(told->t->api, error);
    told->code = ours ? error_code(ours) : PJRT_Error_Code_OK;
    error_free(ours);
    atomic_fetch_add(&told->times, 1);
}

static struct error *listen_to(struct trial *t, PJRT_Event *event, struct told *told)
{
    *told = (struct told){.t = t};
    ABI_ARGS(Event_OnReady, args, .event = event, .callback = tell, .user_arg = told);
    return ABI_CALL(t->api, Event_OnReady, &args);
}

/* ---- Cases ----------------------------------------------------------------------------------- */

static void set_well(struct trial *t)
{
    PJRT_Event *event;
    struct told before, after;
    NEED_SERVED(t, make(t, &event));
    CHECK(t, !is_ready(t, event), "a new event is ready");
    CHECK_CODE(t, FAILED_PRECONDITION, outcome(t, event));
    CHECK_OK(t, listen_to(t, event, &before));
    CHECK(t, atomic_load(&before.times) == 0, "told before it is ready");
    CHECK_OK(t, set(t, event, PJRT_Error_Code_OK, NULL));
    CHECK(t, is_ready(t, event), "a set event is not ready");
    CHECK_OK(t, outcome(t, event));
    CHECK(t, atomic_load(&before.times) == 1, "told %d times", atomic_load(&before.times));
    CHECK_OK(t, listen_to(t, event, &after));
    CHECK(t, atomic_load(&after.times) == 1, "a ready event tells %d times",
          atomic_load(&after.times));
    CHECK_CODE(t, FAILED_PRECONDITION, set(t, event, PJRT_Error_Code_OK, NULL));
    CHECK_OK(t, abi_await(t->api, event));
}

static void set_badly(struct trial *t)
{
    PJRT_Event *event;
    struct told told[2];
    NEED_SERVED(t, make(t, &event));
    CHECK_OK(t, listen_to(t, event, &told[0]));
    CHECK_OK(t, listen_to(t, event, &told[1]));
    CHECK_OK(t, set(t, event, PJRT_Error_Code_ABORTED, "no more"));
    for (int i = 0; i < 2; i++)
        CHECK(t, atomic_load(&told[i].times) == 1 && told[i].code == PJRT_Error_Code_ABORTED,
              "listener %d is told %d times, code %d", i, atomic_load(&told[i].times),
              (int)told[i].code);
    for (int i = 0; i < 2; i++)
        CHECK_CODE(t, ABORTED, outcome(t, event));
    CHECK_CODE(t, ABORTED, abi_await(t->api, event));
}

/* Whoever waits for an event that nobody will set any more learns that. */
static void destroyed_unset(struct trial *t)
{
    PJRT_Event *event;
    struct told told;
    NEED_SERVED(t, make(t, &event));
    CHECK_OK(t, listen_to(t, event, &told));
    ABI_DESTROY(t->api, Event, event, event);
    CHECK(t, atomic_load(&told.times) == 1 && told.code == PJRT_Error_Code_CANCELLED,
          "told %d times, code %d", atomic_load(&told.times), (int)told.code);
}

struct waiter {
    struct trial *t;
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

static void waiting_threads(struct trial *t)
{
    struct waiter waiters[4];
    PJRT_Event *event;
    NEED_SERVED(t, make(t, &event));
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

/* Events of the plugin's own cannot be set, and a buffer's may be destroyed before the buffer, and
 * after. */
static void ready_events(struct trial *t)
{
    const int64_t dims[] = {16};
    PJRT_Buffer *buffer;
    struct told told;
    NEED_OK(t, trial_upload(t, DTYPE_F32, 1, dims, &buffer));
    ABI_ARGS(Buffer_ReadyEvent, first, .buffer = buffer);
    ABI_ARGS(Buffer_ReadyEvent, second, .buffer = buffer);
    CHECK_OK(t, ABI_CALL(t->api, Buffer_ReadyEvent, &first));
    CHECK_OK(t, ABI_CALL(t->api, Buffer_ReadyEvent, &second));
    CHECK_OK(t, listen_to(t, first.event, &told));
    CHECK_OK(t, abi_await(t->api, first.event));
    struct error *error = set(t, second.event, PJRT_Error_Code_OK, NULL);
    if (error && error_code(error) == PJRT_Error_Code_UNIMPLEMENTED)
        error_free(error);
    else
        CHECK_CODE(t, FAILED_PRECONDITION, error);
    abi_buffer_destroy(t->api, buffer);
    CHECK_OK(t, abi_await(t->api, second.event));
    CHECK(t, atomic_load(&told.times) == 1, "told %d times", atomic_load(&told.times));
}

static const struct trial_case cases[] = {{"set_well", set_well, STAGE_CLIENT, 0},
                                          {"set_badly", set_badly, STAGE_CLIENT, 0},
                                          {"destroyed_unset", destroyed_unset, STAGE_CLIENT, 0},
                                          {"waiting_threads", waiting_threads, STAGE_CLIENT, 0},
                                          {"ready_events", ready_events, STAGE_CLIENT, 0},
                                          {0}};
const struct trial_suite suite_events = {"events", cases};
