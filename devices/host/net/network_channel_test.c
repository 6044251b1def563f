/* network_channel_test.c: what the questions of other processes (network_wait.c) leave behind, and
 * what this one says of failures that it heard of. */
#include <criterion/criterion.h>

#include "devices/host/net/network_fixture.h"

enum { MANY = 10000, MOST = 4096 /* messages that are kept of a process */ };

static struct network *network;

static void setup(void)
{
    network = make();
}

static void teardown(void)
{
    destroy(network);
}

TestSuite(network_channel, .init = setup, .fini = teardown);

/* Process 1 waits for `awaited` in an execution. */
static void say_wait(uint64_t sequence, int awaited, bool is_answer)
{
    struct net_message message;
    net_message_make(&message, NET_WAIT, network->token, 1, "all-reduce");
    message.execution.sequence = sequence;
    message.devices[0] = message.devices[1] = NETWORK_OTHER_DEVICES | 1;
    message.awaited = (uint32_t)awaited;
    message.code = is_answer;
    fork_lock_take(&network->lock);
    network_channel_hear(network, &message);
    fork_lock_release(&network->lock);
}

static void fail(void *context, const struct error *error)
{
    (void)context, (void)error;
}

static struct network_channel *open(uint64_t sequence)
{
    static const int processes[] = {0, 1, 2, 3}, ordinals[PROCESSES];
    struct network_launch launch = {.execution.sequence = sequence,
                                    .name = "program",
                                    .participants = PROCESSES,
                                    .processes = processes,
                                    .ordinals = ordinals,
                                    .failed = fail};
    struct network_channel *channel;
    cr_assert_null(network_open(network, &launch, &channel));
    return channel;
}

Test(network_channel, questions_about_what_never_begins_are_limited)
{
    for (uint64_t i = 1; i <= MANY; i++)
        say_wait(i, 0, false);
    cr_expect_eq(network->peers[1].early_count, MOST);
    cr_expect_eq(network->peers[1].early_waits, MOST);
}

Test(network_channel, question_is_kept_once)
{
    for (int i = 0; i < MANY; i++)
        say_wait(1, 0, false);
    cr_expect_eq(network->peers[1].early_count, 1);
}

Test(network_channel, question_that_is_taken_back_is_forgotten)
{
    for (uint64_t i = 1; i <= MANY; i++) {
        say_wait(i, 0, false);
        say_wait(i, 1, false);
    }
    cr_expect_eq(network->peers[1].early_count, 0);
    cr_expect_eq(network->peers[1].early_waits, 0);
}

Test(network_channel, answer_that_comes_too_late_is_forgotten)
{
    say_wait(1, 2, true);
    cr_expect_eq(network->peers[1].early_count, 0);
}

Test(network_channel, early_question_is_heard_when_its_execution_begins)
{
    say_wait(1, 0, false);
    struct network_channel *channel = open(1);
    cr_expect(channel->shares[1].is_asking);
    cr_expect_eq(network->peers[1].early_count, 0);
    network_close(channel);
}

static void answer(struct network_wait *wait, struct network_channel *channel)
{
    fork_lock_take(&network->lock);
    network_wait_answer(wait, channel, 2, "all-reduce");
    fork_lock_release(&network->lock);
}

Test(network_channel, repeated_question_is_answered_once)
{
    struct network_wait wait = {0};
    struct network_channel *channel = open(1);
    int before = sent;
    for (int i = 0; i < MANY; i++) {
        say_wait(1, 0, false);
        answer(&wait, channel);
    }
    cr_expect_eq(sent, before + 1);
    network_close(channel);
}

/* Process 1 waits in the second execution for devices that the first one has, and in the first. */
Test(network_channel, question_stays_when_another_is_taken_back)
{
    struct network_channel *channel = open(1);
    say_wait(2, 0, false);
    say_wait(1, 0, false);
    say_wait(2, 1, false);
    cr_expect(channel->shares[1].is_asking);
    say_wait(1, 1, false);
    cr_expect_not(channel->shares[1].is_asking);
    network_close(channel);
}

/* Another process may hear that this one leaves before it hears what process 1 has said. */
Test(network_channel, process_that_leaves_says_what_failed_elsewhere)
{
    struct network_channel *channel = open(1);
    struct net_message message;
    net_message_make(&message, NET_FAIL, network->token, 1, "process 3 has ended");
    message.execution.sequence = 1;
    fork_lock_take(&network->lock);
    network_channel_hear(network, &message);
    fork_lock_release(&network->lock);
    cr_expect_str_eq(network->leave.text, "process 1 on host host: process 3 has ended");
    network_close(channel);
}

/* ---- two exchanges of an execution that wait for the same process ---------------------------- */
static void ask(struct network_channel *channel)
{
    fork_lock_take(&network->lock);
    network_wait_ask(channel, 1, "all-reduce");
    fork_lock_release(&network->lock);
}

static void withdraw(struct network_channel *channel)
{
    fork_lock_take(&network->lock);
    network_wait_withdraw(channel, 1);
    fork_lock_release(&network->lock);
}

static void expect_wait(struct network_channel *channel, const char *expected)
{
    struct text text = {0};
    network_add_wait(channel, &text);
    cr_expect_str_eq(text.data ? text.data : "", expected);
    text_free(&text);
}

Test(network_channel, question_of_two_exchanges_ends_with_the_second)
{
    struct network_channel *channel = open(1);
    int before = sent;
    ask(channel), ask(channel);
    say_wait(1, 2, true);
    withdraw(channel);
    cr_expect_eq(sent, before + 1);
    expect_wait(channel, "; process 0 waits for process 2 on host host, for which process 1 on "
                         "host host waits in all-reduce");
    withdraw(channel);
    cr_expect_eq(sent, before + 2);
    expect_wait(channel, "");
    network_close(channel);
}
