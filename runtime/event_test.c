#include <criterion/criterion.h>
#include <pthread.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error_fixture.h"
#include "runtime/event.h"

struct heard {
    int calls;
    PJRT_Error_Code code;
    struct event *drop; /* released by the callback */
};

static void hear(struct error *error, void *context)
{
    struct heard *heard = context;
    heard->calls++;
    heard->code = error ? error_code(error) : PJRT_Error_Code_OK;
    error_free(error);
    event_release(heard->drop);
}

static struct event *make(void)
{
    struct event *event;
    cr_assert_null(event_create(&event));
    return event;
}

Test(event, ready_once_and_every_callback_once)
{
    struct event *event = make();
    struct heard before = {0}, after = {0};
    cr_expect_not(event_is_ready(event));
    expect(event_error(event), PJRT_Error_Code_FAILED_PRECONDITION);
    cr_assert_null(event_on_ready(event, hear, &before));
    cr_expect_eq(before.calls, 0);
    cr_assert_null(event_set(event, ERROR(ABORTED, "no")));
    cr_assert_null(event_on_ready(event, hear, &after));
    cr_expect_eq(before.calls, 1);
    cr_expect_eq(after.calls, 1);
    cr_expect_eq(before.code, PJRT_Error_Code_ABORTED);
    cr_expect_eq(after.code, PJRT_Error_Code_ABORTED);
    expect(event_set(event, NULL), PJRT_Error_Code_FAILED_PRECONDITION);
    expect(event_await(event), PJRT_Error_Code_ABORTED);
    cr_expect_not(event_is_good(event));
    event_release(event);
    cr_expect_eq(alloc_live(), 0);
}

Test(event, callback_may_release_the_event)
{
    struct event *event = make();
    struct heard heard = {.drop = event};
    event_retain(event);
    cr_assert_null(event_on_ready(event, hear, &heard));
    cr_assert_null(event_set(event, NULL));
    event_release(event);
    cr_expect_eq(heard.calls, 1);
    cr_expect_eq(alloc_live(), 0);
}

Test(event, the_ready_event_is_shared_and_not_counted)
{
    struct event *event;
    cr_assert_null(event_create_ready(NULL, &event));
    cr_expect_eq(event, event_ready());
    event_release(event), event_release(event);
    cr_expect(event_is_good(event));
    cr_expect_null(event_await(event));
    expect(event_set(event, NULL), PJRT_Error_Code_FAILED_PRECONDITION);
    cr_expect_eq(alloc_live(), 0);
}

/* A copy that fails at its start leaves it so. */
Test(event, a_follower_that_is_set_and_released_first_is_kept)
{
    struct event *event = make(), *follower = make(), *unset = make();
    int64_t live = alloc_live();
    cr_assert_null(event_depend(event, follower));
    cr_assert_null(event_set(follower, NULL));
    event_release(follower);
    cr_expect_eq(alloc_live(), live + 1, "the follower and its note");
    cr_assert_null(event_set(event, NULL));
    cr_expect_eq(alloc_live(), live - 1);
    cr_assert_null(event_depend(unset, event));
    event_release(event), event_release(unset);
    cr_expect_eq(alloc_live(), 0);
}

Test(event, clients_set_only_their_own)
{
    struct event *ours = make(), *theirs;
    struct heard heard = {0};
    expect(event_set_by_client(ours, NULL), PJRT_Error_Code_FAILED_PRECONDITION);
    cr_expect_not(event_is_ready(ours));
    cr_assert_null(event_create_by_client(&theirs));
    cr_assert_null(event_on_ready(theirs, hear, &heard));
    event_drop(theirs);
    cr_expect_eq(heard.code, PJRT_Error_Code_CANCELLED);
    event_drop(ours);
    event_drop(NULL);
    cr_expect_eq(alloc_live(), 0);
}

static void *set_later(void *event)
{
    usleep(2000);
    cr_assert_null(event_set(event, NULL));
    event_release(event);
    return NULL;
}

Test(event, await_wakes_up)
{
    struct event *event = make();
    pthread_t thread;
    event_retain(event);
    pthread_create(&thread, NULL, set_later, event);
    cr_expect_null(event_await(event));
    pthread_join(thread, NULL);
    event_release(event);
    cr_expect_eq(alloc_live(), 0);
}
