/* network_loss.c: executions that fail, and processes that are lost: see network_state.h. */
#include <string.h>

#include "base/alloc.h"
#include "base/futex.h"
#include "devices/host/net/network_state.h"

void network_loss_wake(struct network_channel *channel)
{
    for (int i = 0; i < channel->waiting_count; i++) {
        atomic_fetch_add(channel->waiting[i], 1);
        futex_wake(channel->waiting[i], FUTEX_ALL);
    }
}

void network_loss_fail(struct network_channel *channel, const struct error *error)
{
    if (atomic_exchange(&channel->is_failed, true))
        return;
    network_loss_remember(channel->network, error); /* others may learn first that it leaves */
    channel->launch.failed(channel->launch.context, error);
    network_loss_wake(channel);
}

struct error *network_gone(const struct network *network, int process, const char *program)
{
    const struct network_peer *peer = &network->peers[process];
    const char *why = peer->leave_reason;
    return ERROR(UNAVAILABLE, "'%s': process %d on host %s has ended%s%s", program, process,
                 peer->host, why ? " after an error: " : ", or the connection to it was lost",
                 why ? why : "");
}

void network_loss_remember(struct network *network, const struct error *error)
{
    net_message_make(&network->leave, NET_LEAVE, network->token, network->process,
                     error_message(error, NULL));
}

void network_loss_message(const struct network_channel *channel, const struct error *error,
                          struct net_message *out)
{
    struct network *network = channel->network;
    net_message_make(out, NET_FAIL, network->token, network->process, error_message(error, NULL));
    out->code = (uint32_t)error_code(error);
    network_loss_remember(network, error);
}

void network_loss_note(struct network_channel *channel, const struct error *error)
{
    network_loss_message(channel, error, &channel->failure);
    channel->network->untold += !channel->must_tell;
    channel->must_tell = true;
}

void network_loss_begin(void *context)
{
    struct network_peer *peer = context;
    peer->is_lost = true;
    peer->lost_at = ++peer->network->lost_count;
}

void network_loss_end(struct network_peer *peer)
{
    if (!peer->is_lost)
        network_loss_begin(peer);
    if (peer->link)
        peer->network->ops->abandon(peer->link);
}

/* Requires the lock. */
static void lose(struct network *network, int process, const char *reason)
{
    struct network_peer *peer = &network->peers[process];
    if (peer->is_lost || network->is_child)
        return;
    if (!peer->leave_reason && *reason)
        error_free(alloc_copy(reason, strlen(reason), &peer->leave_reason));
    network_loss_end(peer);
    network_loss_report(network);
    network_channel_tell(network);
}

struct error *network_news(struct network *network, const struct network_news *news)
{
    if (news->process < 0 || news->process >= network->count)
        return ERROR(INVALID_ARGUMENT, "process %d of a job of %d", news->process, network->count);
    if (news->process == network->process)
        return NULL;
    fork_lock_take(&network->lock);
    struct network_peer *peer = &network->peers[news->process];
    bool is_another =
        peer->incarnation && news->incarnation && news->incarnation != peer->incarnation;
    if (news->has_failed || is_another)
        lose(network, news->process, is_another ? "it was started again" : news->reason);
    peer->incarnation = news->incarnation ? news->incarnation : peer->incarnation;
    fork_lock_release(&network->lock);
    return NULL;
}

/* A process that has left may have done all its part. */
static void report_loss(struct network *network, struct network_peer *peer)
{
    int process = (int)(peer - network->peers);
    for (struct network_channel *at = network->first_channel; at; at = at->next) {
        if (!network_includes(at, process))
            continue;
        if (peer->has_left) {
            network_loss_wake(at);
            continue;
        }
        struct error *error = network_gone(network, process, at->launch.name);
        if (!atomic_load(&at->is_failed))
            network_loss_note(at, error);
        network_loss_fail(at, error);
        error_free(error);
    }
}

/* The process that was lost first explains what happened. */
bool network_loss_report(struct network *network)
{
    bool did = network->reported_count < network->lost_count;
    while (network->reported_count < network->lost_count) {
        network->reported_count++;
        for (int i = 0; i < network->count; i++)
            if (network->peers[i].lost_at == network->reported_count)
                report_loss(network, &network->peers[i]);
    }
    return did;
}
