/* Threads that meet, and what ends their waits. */
#include "devices/host/collectives/rendezvous.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"

enum { COUNT = 4 };

static int offsets[][3] = {{0, 4}, {0, 2, 4}}, members[][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}},
           sources[4] = {0, 1, 2, 3};
static struct program_groups groups[] = {{1, 4, offsets[0], members[0], sources},
                                         {2, 4, offsets[1], members[1], sources}};
static struct collective_array one = {DTYPE_S32, 0, 1, 1, 1, NULL};
static struct step steps[2];
static char labels[2][8] = {"first", "second"};
static struct communicator *meeting_point;
static struct error *errors[COUNT];
static int32_t values[COUNT];

static void setup(void)
{
    static struct program program;
    program = (struct program){.name = labels[0],
                               .num_replicas = COUNT,
                               .num_partitions = 1,
                               .group_count = 2,
                               .groups = groups};
    refs_init(&program.refs);
    for (int i = 0; i < 2; i++) {
        steps[i] = (struct step){.kind = STEP_COLLECTIVE, .label = labels[i]};
        steps[i].collective = (struct collective_spec){.kind = COLLECTIVE_ALL_REDUCE,
                                                       .groups = i,
                                                       .number = i,
                                                       .array_count = 1,
                                                       .arrays = &one};
    }
    for (int i = 0; i < COUNT; i++)
        values[i] = 1 << i;
    cr_assert_null(
        rendezvous_create(&(struct communicator_setup){.program = &program}, &meeting_point));
}

static void teardown(void)
{
    communicator_release(meeting_point);
    for (int i = 0; i < COUNT; i++)
        error_free(errors[i]);
}

TestSuite(rendezvous, .init = setup, .fini = teardown);

static void *participate(void *argument)
{
    int participant = (int)(intptr_t)argument;
    void *buffers[] = {&values[participant], &values[participant]};
    struct error *error = communicator_enter(meeting_point, participant);
    for (int i = 0; i < 100 && !error; i++) {
        values[participant] = 1 << participant;
        error = communicator_collective(meeting_point, participant, &steps[i % 2], buffers);
    }
    errors[participant] = error;
    return NULL;
}

/* Runs all participants but `absent`, or all with -1. */
static void run(void *(*body)(void *), int absent)
{
    pthread_t threads[COUNT];
    for (int i = 0; i < COUNT; i++)
        if (i != absent)
            cr_assert_eq(pthread_create(&threads[i], NULL, body, (void *)(intptr_t)i), 0);
    for (int i = 0; i < COUNT; i++)
        if (i != absent)
            pthread_join(threads[i], NULL);
}

static void expect_all(int but, PJRT_Error_Code code, const char *words)
{
    for (int i = 0; i < COUNT; i++) {
        if (i == but)
            continue;
        cr_assert_not_null(errors[i], "participant %d", i);
        cr_expect_eq(error_code(errors[i]), code, "%s", error_message(errors[i], NULL));
        cr_expect(strstr(error_message(errors[i], NULL), words), "%s",
                  error_message(errors[i], NULL));
    }
}

Test(rendezvous, groups_meet_in_turns)
{
    run(participate, -1);
    for (int i = 0; i < COUNT; i++)
        cr_assert_null(errors[i]);
    cr_expect_eq(values[0], 5, "of {0, 2}");
    cr_expect_eq(values[3], 10, "of {1, 3}");
}

Test(rendezvous, who_does_not_come_is_named)
{
    setenv("GANTRY_COLLECTIVE_TIMEOUT", "1", 1);
    for (int i = 0; i < COUNT; i++)
        communicator_enter(meeting_point, i);
    run(participate, 2);
    expect_all(2, PJRT_Error_Code_DEADLINE_EXCEEDED, "missing participants: 2 of its group of 4");
}

static void *participate_but_fail(void *argument)
{
    if ((intptr_t)argument != 1)
        return participate(argument);
    nanosleep(&(struct timespec){0, 20000000}, NULL);
    errors[1] = ERROR(INTERNAL, "out of paper");
    communicator_fail(meeting_point, 1, errors[1]);
    return NULL;
}

Test(rendezvous, a_failure_ends_all_waits)
{
    run(participate_but_fail, -1);
    expect_all(-1, PJRT_Error_Code_INTERNAL, "out of paper");
    cr_expect(strstr(error_message(errors[0], NULL), "participant 1 of 4"), "%s",
              error_message(errors[0], NULL));
}

static void *participate_elsewhere(void *argument)
{
    static struct step other;
    int participant = (int)(intptr_t)argument;
    void *buffers[] = {&values[participant], &values[participant]};
    if (participant != 3)
        return participate(argument);
    other = steps[0];
    other.collective.number = 7;
    other.label = labels[1];
    errors[3] = communicator_collective(meeting_point, participant, &other, buffers);
    return NULL;
}

Test(rendezvous, different_collectives_do_not_meet)
{
    run(participate_elsewhere, -1);
    expect_all(-1, PJRT_Error_Code_FAILED_PRECONDITION, "must meet in the same collective");
}

Test(rendezvous, participants_in_no_group_receive_zeros)
{
    void *buffers[] = {&values[0], &values[1]};
    steps[0].collective.kind = COLLECTIVE_PERMUTE;
    groups[0].group_count = groups[0].member_count = 0;
    communicator_release(meeting_point);
    setup();
    steps[0].collective.kind = COLLECTIVE_PERMUTE;
    cr_assert_null(communicator_collective(meeting_point, 0, &steps[0], buffers));
    cr_expect_eq(values[1], 0);
}

/* ---- messages -------------------------------------------------------------------------------- */
/* Each participant receives from the one before it. */
static struct step message(enum collective_kind kind, char *label)
{
    struct step step = {.kind = STEP_COLLECTIVE, .label = label};
    for (int i = 0; i < COUNT; i++)
        sources[i] = (i + COUNT - 1) % COUNT;
    step.collective = (struct collective_spec){
        .kind = kind, .channel = 7, .number = kind, .array_count = 1, .arrays = &one};
    return step;
}

static void *pass_messages(void *argument)
{
    enum { MANY = 1000 };
    int participant = (int)(intptr_t)argument, before = (participant + COUNT - 1) % COUNT;
    int32_t sent, received = -1;
    void *from[] = {&sent}, *to[] = {&received};
    struct error *error = communicator_enter(meeting_point, participant);
    for (int i = 0; i < MANY && !error; i++) {
        sent = participant * MANY + i;
        error = communicator_collective(meeting_point, participant, &steps[0], from);
        if (!error)
            error = communicator_collective(meeting_point, participant, &steps[1], to);
        values[participant] = received == before * MANY + i;
        if (!error && !values[participant])
            error = ERROR(INTERNAL, "participant %d: message %d is %d", participant, i, received);
    }
    errors[participant] = error;
    return NULL;
}

Test(rendezvous, messages_arrive_in_their_order)
{
    steps[0] = message(COLLECTIVE_SEND, labels[0]);
    steps[1] = message(COLLECTIVE_RECEIVE, labels[1]);
    run(pass_messages, -1);
    for (int i = 0; i < COUNT; i++)
        cr_assert_null(errors[i], "%s", error_message(errors[i], NULL));
}

/* Copies of what is sent and never received are few. */
static void *only_send(void *argument)
{
    int participant = (int)(intptr_t)argument;
    void *from[] = {&values[participant]};
    struct error *error = NULL;
    for (int i = 0; i < 100 && !error; i++)
        error = communicator_collective(meeting_point, participant, &steps[0], from);
    errors[participant] = error;
    return NULL;
}

Test(rendezvous, messages_that_none_receives)
{
    setenv("GANTRY_COLLECTIVE_TIMEOUT", "1", 1);
    steps[0] = message(COLLECTIVE_SEND, labels[0]);
    for (int i = 0; i < COUNT; i++)
        communicator_enter(meeting_point, i);
    run(only_send, -1);
    expect_all(-1, PJRT_Error_Code_DEADLINE_EXCEEDED, "to receive on channel 7");
}

static void *only_receive(void *argument)
{
    int participant = (int)(intptr_t)argument;
    void *to[] = {&values[participant]};
    errors[participant] = communicator_collective(meeting_point, participant, &steps[1], to);
    return NULL;
}

Test(rendezvous, messages_that_none_sends)
{
    setenv("GANTRY_COLLECTIVE_TIMEOUT", "1", 1);
    steps[1] = message(COLLECTIVE_RECEIVE, labels[1]);
    for (int i = 0; i < COUNT; i++)
        communicator_enter(meeting_point, i);
    run(only_receive, -1);
    expect_all(-1, PJRT_Error_Code_DEADLINE_EXCEEDED, "to send on channel 7");
}

static void *receive_but_fail(void *argument)
{
    return (intptr_t)argument == 1 ? participate_but_fail(argument) : only_receive(argument);
}

Test(rendezvous, a_failure_ends_waits_for_messages)
{
    steps[1] = message(COLLECTIVE_RECEIVE, labels[1]);
    run(receive_but_fail, -1);
    expect_all(-1, PJRT_Error_Code_INTERNAL, "out of paper");
}
