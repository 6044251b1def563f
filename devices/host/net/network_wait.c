/* network_wait.c: chains of waits: see network_state.h. */
#include <string.h>

#include "base/alloc.h"
#include "devices/host/net/network_state.h"

/* ---- saying ---------------------------------------------------------------------------------- */
static void say(struct network_channel *channel, int to, const struct net_execution *execution,
                const struct network_cause *cause, bool is_answer)
{
    struct network *network = channel->network;
    struct net_message message;
    net_message_make(&message, NET_WAIT, network->token, network->process, cause->operation);
    message.execution = *execution;
    message.devices[0] = channel->shares[network->process].devices;
    message.devices[1] = channel->shares[to].devices;
    message.awaited = (uint32_t)cause->process;
    message.code = is_answer;
    network_tell(network, to, &message);
}

void network_wait_ask(struct network_channel *channel, int process, const char *operation)
{
    const struct network_cause itself = {process, (char *)(uintptr_t)operation};
    if (!channel->shares[process].asked++)
        say(channel, process, &channel->entry.execution, &itself, false);
}

/* That this process no longer waits. */
static void say_none(struct network_channel *channel, int to, const struct net_execution *execution,
                     bool is_answer)
{
    static char none[] = "";
    const struct network_cause no_cause = {channel->network->process, none};
    say(channel, to, execution, &no_cause, is_answer);
}

static void set_cause(struct network_share *share, int process, const char *operation)
{
    alloc_free(share->cause.operation);
    share->cause = (struct network_cause){.process = process};
    if (operation)
        error_free(alloc_copy(operation, strlen(operation), &share->cause.operation));
}

void network_wait_withdraw(struct network_channel *channel, int process)
{
    struct network_share *share = &channel->shares[process];
    if (--share->asked)
        return;
    set_cause(share, process, NULL);
    say_none(channel, process, &channel->entry.execution, false);
}

/* False: there was no answer. */
static bool take_back(struct network_channel *channel, int process)
{
    struct network_share *share = &channel->shares[process];
    bool has_answered = share->answered != 0;
    if (has_answered)
        say_none(channel, process, &share->asks_in, true);
    share->answered = 0;
    return has_answered;
}

/* ---- answering ------------------------------------------------------------------------------- */
void network_wait_answer(struct network_wait *wait, struct network_channel *channel, int process,
                         const char *operation)
{
    const struct network_cause *heard = &channel->shares[process].cause;
    struct network_cause cause = {process, (char *)(uintptr_t)operation};
    wait->seen = atomic_load(&channel->questions);
    wait->is_circular |= heard->operation && heard->process == channel->network->process;
    if (heard->operation && !wait->is_circular)
        cause = *heard;
    for (int i = 0; i < channel->network->count; i++) {
        struct network_share *share = &channel->shares[i];
        if (!share->is_asking || share->answered == cause.process + 1)
            continue;
        share->answered = cause.process + 1;
        say(channel, i, &share->asks_in, &cause, true);
    }
}

void network_wait_end(struct network_channel *channel)
{
    bool did = false;
    for (int i = 0; i < channel->network->count; i++)
        did |= take_back(channel, i);
    if (did)
        atomic_fetch_add(&channel->questions, 1); /* another exchange may have an answer */
}

/* ---- hearing --------------------------------------------------------------------------------- */
static bool is_same(const struct net_execution *a, const struct net_execution *b)
{
    return a->scope == b->scope && a->sequence == b->sequence;
}

/* False: nothing changes. */
static bool hear_question(struct network_channel *channel, const struct net_message *message)
{
    struct network_share *share = &channel->shares[message->sender];
    bool asks = message->awaited == (uint32_t)channel->network->process;
    if (asks == (share->is_asking && is_same(&share->asks_in, &message->execution)))
        return false;
    take_back(channel, (int)message->sender);
    share->is_asking = asks;
    share->asks_in = message->execution;
    return true;
}

void network_wait_hear(struct network_channel *channel, const struct net_message *message)
{
    bool is_none = message->awaited == message->sender;
    if (message->code)
        set_cause(&channel->shares[message->sender], (int)message->awaited,
                  is_none ? NULL : message->text);
    else if (!hear_question(channel, message))
        return;
    atomic_fetch_add(&channel->questions, 1);
    network_loss_wake(channel);
}

bool network_wait_is_behind(const struct network_channel *channel,
                            const struct net_message *message)
{
    uint64_t here = channel->shares[channel->network->process].devices;
    return (here & message->devices[1] & ~NETWORK_OTHER_DEVICES) != 0;
}

void network_wait_forget(struct network_channel *channel)
{
    for (int i = 0; i < channel->network->count; i++)
        set_cause(&channel->shares[i], i, NULL);
}

/* ---- describing ------------------------------------------------------------------------------ */
void network_wait_describe(const struct network_channel *channel, int process, struct text *out)
{
    const struct network *network = channel->network;
    const struct network_cause *cause = &channel->shares[process].cause;
    bool is_chain = cause->operation && cause->process != network->process;
    int last = is_chain ? cause->process : process;
    text_add(out, "%d on host %s", last, network->peers[last].host);
    if (is_chain)
        text_add(out, ", for which process %d on host %s waits in %s", process,
                 network->peers[process].host, cause->operation);
}

void network_add_wait(struct network_channel *channel, struct text *out)
{
    struct network *network = channel->network;
    int process = 0;
    fork_lock_take(&network->lock);
    while (process < network->count && !channel->shares[process].asked)
        process++;
    if (process < network->count) {
        text_add(out, "; process %d waits for process ", network->process);
        network_wait_describe(channel, process, out);
    }
    fork_lock_release(&network->lock);
}
