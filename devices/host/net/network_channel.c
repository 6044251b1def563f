/* network_channel.c: executions, and what other processes say of them: see network.h.
 *
 * A process announces its executions in their order. So when another process has announced one that
 * is unknown here, but not one that was announced here, and both need the same devices there and
 * here, then each process waits for the other one: their programs or their orders differ. */
#include <string.h>

#include "base/alloc.h"
#include "devices/host/net/network_state.h"

enum { MAX_EARLY = 4096 /* messages of a process about executions that have not begun here */ };

static struct network_channel *find(const struct network *network,
                                    const struct net_execution *execution)
{
    return (struct network_channel *)network_table_find(&network->channels, execution);
}

bool network_includes(const struct network_channel *channel, int process)
{
    return channel->shares[process].devices != 0;
}

bool network_channel_is_awaited(const struct network_channel *channel)
{
    const struct network *network = channel->network;
    for (int i = 0; i < network->count; i++)
        if (i != network->process && network_includes(channel, i) && !channel->shares[i].is_idle)
            return false;
    return !atomic_load(&channel->is_failed);
}

/* ---- what is announced to the others --------------------------------------------------------- */
/* Requires the lock. */
static void tell_all(struct network_channel *channel, struct net_message *message)
{
    struct network *network = channel->network;
    message->execution = channel->entry.execution;
    message->devices[0] = channel->shares[network->process].devices;
    memcpy(message->program, channel->launch.program, sizeof message->program);
    for (int i = 0; i < network->count; i++) {
        message->devices[1] = channel->shares[i].devices;
        if (i != network->process && message->devices[1])
            network_tell(network, i, message);
    }
}

/* Requires the lock. */
static void tell_failure(struct network_channel *channel, const struct error *error)
{
    struct net_message message;
    network_loss_message(channel, error, &message);
    tell_all(channel, &message);
}

/* Others may see later, or in another order, who was lost. */
bool network_channel_tell(struct network *network)
{
    bool did = network->untold > 0;
    for (struct network_channel *at = network->first_channel; at && network->untold;
         at = at->next) {
        if (!at->must_tell)
            continue;
        at->must_tell = false;
        network->untold--;
        tell_all(at, &at->failure);
    }
    return did;
}

/* ---- what the others say --------------------------------------------------------------------- */
static struct error *failed_there(const struct network *network, const struct net_message *message)
{
    return error_make((PJRT_Error_Code)(message->code ? message->code : PJRT_Error_Code_INTERNAL),
                      __FILE__, __LINE__, "process %d on host %s: %s", (int)message->sender,
                      network->peers[message->sender].host, message->text);
}

static struct error *different(const struct network *network, const struct net_message *message,
                               const char *program, const char *how)
{
    return ERROR(FAILED_PRECONDITION,
                 "'%s': process %d on host %s executes %s '%s' on the same devices: all processes "
                 "must execute the same programs in the same order",
                 program, (int)message->sender, network->peers[message->sender].host, how,
                 message->text);
}

/* Requires the lock. */
static void apply(struct network_channel *channel, const struct net_message *message)
{
    struct network *network = channel->network;
    struct error *error = NULL;
    if (message->kind == NET_WAIT) {
        network_wait_hear(channel, message);
        return;
    }
    if (message->kind == NET_FAIL)
        error = failed_there(network, message);
    else if (memcmp(message->program, channel->launch.program, sizeof message->program))
        error = different(network, message, channel->launch.name, "a different program,");
    channel->shares[message->sender].has_begun = true;
    channel->shares[message->sender].is_idle = message->kind == NET_LAUNCH && message->code;
    if (error)
        network_loss_fail(channel, error);
    error_free(error);
}

static bool overlap(uint64_t a, uint64_t b)
{
    return (a & b & ~NETWORK_OTHER_DEVICES) != 0;
}

/* Fails the channel if the message announces what its sender executes in its place. Requires the
 * lock. */
static void check_order(struct network_channel *channel, const struct net_message *message)
{
    struct network *network = channel->network;
    const struct network_share *there = &channel->shares[message->sender],
                               *here = &channel->shares[network->process];
    if (message->kind != NET_LAUNCH || there->has_begun || atomic_load(&channel->is_failed) ||
        !overlap(there->devices, message->devices[0]) ||
        !overlap(here->devices, message->devices[1]))
        return;
    struct error *error = different(network, message, channel->launch.name, "first");
    network_loss_note(channel, error);
    network_loss_fail(channel, error);
    error_free(error);
}

/* ---- early messages -------------------------------------------------------------------------- */
struct scope {                  /* executions on the same devices */
    struct network_entry entry; /* first; the number is 0 */
    uint64_t last;              /* the number of the last one that began here */
};

static struct scope *find_scope(const struct network *network, uint64_t scope)
{
    const struct net_execution all = {.scope = scope};
    return (struct scope *)network_table_find(&network->scopes, &all);
}

/* Notes that an execution with a place in an order has begun. Requires the lock. */
static struct error *advance_scope(struct network *network, const struct net_execution *execution)
{
    struct scope *scope = find_scope(network, execution->scope);
    if (!scope) {
        TRY(alloc_zeroed(sizeof *scope, &scope));
        scope->entry.execution.scope = execution->scope;
        struct error *error = network_table_add(&network->scopes, &scope->entry);
        if (error) {
            alloc_free(scope);
            return error;
        }
    }
    scope->last = execution->sequence;
    return NULL;
}

/* Whether the execution has ended here. */
static bool is_over(const struct network *network, const struct net_execution *execution)
{
    const struct scope *scope = find_scope(network, execution->scope);
    return scope && execution->sequence <= scope->last;
}

static struct network_early *first_early(const struct network *network,
                                         const struct net_execution *execution)
{
    return (struct network_early *)network_table_find(&network->early, execution);
}

static struct network_early *next_early(const struct network_early *early)
{
    return (struct network_early *)network_table_next(&early->entry);
}

static void forget(struct network_peer *peer, struct network_early *early)
{
    network_table_remove(&peer->network->early, &early->entry);
    *(early->previous ? &early->previous->next : &peer->first_early) = early->next;
    *(early->next ? &early->next->previous : &peer->last_early) = early->previous;
    peer->early_count--;
    peer->early_waits -= early->message.kind == NET_WAIT;
    alloc_free(early);
}

void network_channel_forget_all(struct network *network)
{
    for (int i = 0; network->peers && i < network->count; i++)
        while (network->peers[i].first_early)
            forget(&network->peers[i], network->peers[i].first_early);
    network_table_free_all(&network->scopes);
    network_table_free(&network->early);
    network_table_free(&network->channels);
}

/* Keeps a message until its execution begins; the oldest go when there are too many. */
static struct error *keep(struct network_peer *peer, const struct net_message *message)
{
    struct network_early *early;
    TRY(alloc_zeroed(sizeof *early, &early));
    early->entry.execution = message->execution;
    early->message = *message;
    struct error *error = network_table_add(&peer->network->early, &early->entry);
    if (error) {
        alloc_free(early);
        return error;
    }
    early->previous = peer->last_early;
    *(peer->last_early ? &peer->last_early->next : &peer->first_early) = early;
    peer->last_early = early;
    peer->early_waits += message->kind == NET_WAIT;
    if (++peer->early_count > MAX_EARLY)
        forget(peer, peer->first_early);
    return NULL;
}

/* Keeps a question in place of what its sender asked before. It is gone when the sender takes it
 * back; and an answer comes too late, since the execution that asked has ended. */
static struct error *keep_wait(struct network_peer *peer, const struct net_message *message)
{
    const struct network *network = peer->network;
    struct network_early *at = first_early(network, &message->execution);
    if (message->code)
        return NULL;
    while (at && (at->message.sender != message->sender || at->message.kind != NET_WAIT))
        at = next_early(at);
    if (at)
        forget(peer, at);
    return message->awaited == (uint32_t)network->process ? keep(peer, message) : NULL;
}

/* Lets executions know that were begun here before the one for which the sender waits. */
static void hear_behind(struct network_channel *first, const struct net_message *message)
{
    for (struct network_channel *at = first; at; at = at->next)
        if (!message->code && network_wait_is_behind(at, message))
            network_wait_hear(at, message);
}

void network_channel_hear(struct network *network, const struct net_message *message)
{
    struct network_channel *channel = find(network, &message->execution);
    if (message->kind == NET_WAIT)
        hear_behind(channel ? channel->next : network->first_channel, message);
    if (channel) {
        apply(channel, message);
        return;
    }
    if (is_over(network, &message->execution))
        return;
    for (channel = network->first_channel; channel; channel = channel->next)
        check_order(channel, message);
    struct network_peer *peer = &network->peers[message->sender];
    error_free(message->kind == NET_WAIT ? keep_wait(peer, message) : keep(peer, message));
}

/* Requires the lock. */
static void apply_early(struct network_channel *channel)
{
    struct network *network = channel->network;
    for (struct network_early *next, *at = first_early(network, &channel->entry.execution); at;
         at = next) {
        next = next_early(at);
        apply(channel, &at->message);
        forget(&network->peers[at->message.sender], at);
    }
    for (int i = 0; i < network->count; i++) {
        bool may_differ = network_includes(channel, i) && !channel->shares[i].has_begun;
        for (struct network_early *at = network->peers[i].first_early;
             at && (may_differ || network->peers[i].early_waits); at = at->next) {
            if (may_differ)
                check_order(channel, &at->message);
            if (at->message.kind == NET_WAIT && !at->message.code &&
                network_wait_is_behind(channel, &at->message))
                network_wait_hear(channel, &at->message);
        }
    }
}

/* ---- opening --------------------------------------------------------------------------------- */
struct error *network_check(const struct network *network)
{
    return !network->is_child
               ? NULL
               : ERROR(FAILED_PRECONDITION,
                       "this process was forked from process %d of a job: it cannot communicate "
                       "with the others",
                       network->process);
}

/* Whether a process that has left had begun the execution: then it has done its part. */
static bool has_begun(const struct network *network, int process,
                      const struct network_channel *channel)
{
    for (const struct network_early *at = first_early(network, &channel->entry.execution); at;
         at = next_early(at))
        if (at->message.sender == (uint32_t)process)
            return network->peers[process].has_left;
    return false;
}

/* Requires the lock. */
static struct error *check_peers(const struct network *network,
                                 const struct network_channel *channel)
{
    const struct network_peer *first = NULL;
    TRY(network_check(network));
    for (int i = 0; i < network->count; i++) {
        const struct network_peer *peer = &network->peers[i];
        if (peer->is_lost && network_includes(channel, i) && !has_begun(network, i, channel) &&
            (!first || peer->lost_at < first->lost_at))
            first = peer;
    }
    return first ? network_gone(network, (int)(first - network->peers), channel->launch.name)
                 : NULL;
}

static void find_shares(struct network_channel *channel)
{
    const struct network_launch *launch = &channel->launch;
    for (int i = 0; i < launch->participants; i++) {
        bool has_bit = launch->ordinals && launch->ordinals[i] < 63;
        channel->shares[launch->processes[i]].devices |=
            NETWORK_OTHER_DEVICES | (has_bit ? UINT64_C(1) << launch->ordinals[i] : 0);
    }
}

static struct error *create(struct network *network, const struct network_launch *launch,
                            struct network_channel **out)
{
    struct network_channel *channel;
    *out = NULL;
    TRY(alloc_zeroed(sizeof *channel + (size_t)network->count * sizeof *channel->shares, &channel));
    channel->network = network;
    channel->launch = *launch;
    channel->entry.execution = launch->execution;
    find_shares(channel);
    *out = channel;
    return NULL;
}

/* Requires the lock. */
static struct error *add(struct network_channel *channel)
{
    struct network *network = channel->network;
    TRY(network_table_add(&network->channels, &channel->entry));
    channel->next = network->first_channel;
    if (channel->next)
        channel->next->previous = channel;
    network->first_channel = channel;
    return NULL;
}

/* Requires the lock. */
static struct error *announce(struct network_channel *channel)
{
    struct network *network = channel->network;
    struct net_message message;
    if (channel->launch.ordinals)
        TRY(advance_scope(network, &channel->entry.execution));
    TRY(check_peers(network, channel));
    TRY(add(channel));
    net_message_make(&message, NET_LAUNCH, network->token, network->process, channel->launch.name);
    message.code = channel->launch.is_idle;
    tell_all(channel, &message);
    apply_early(channel);
    return NULL;
}

/* What another process has said of the execution explains more than that one has ended. */
static struct error *explain(const struct network_channel *channel, struct error *error)
{
    const struct network_early *at = first_early(channel->network, &channel->entry.execution);
    while (at && at->message.kind != NET_FAIL)
        at = next_early(at);
    if (!at)
        return error;
    error_free(error);
    return failed_there(channel->network, &at->message);
}

struct error *network_open(struct network *network, const struct network_launch *launch,
                           struct network_channel **out)
{
    struct network_channel *channel;
    *out = NULL;
    TRY(create(network, launch, &channel));
    fork_lock_take(&network->lock);
    bool is_known = find(network, &launch->execution) != NULL;
    struct error *error =
        is_known ? ERROR(ALREADY_EXISTS, "'%s' is in progress", launch->name) : announce(channel);
    if (error && !is_known && !network->is_child) {
        error = explain(channel, error);
        tell_failure(channel, error);
    }
    fork_lock_release(&network->lock);
    if (error)
        alloc_free(channel);
    else
        *out = channel;
    return error;
}

/* ---- ending ---------------------------------------------------------------------------------- */
void network_fail(struct network_channel *channel, const struct error *error)
{
    struct network *network = channel->network;
    fork_lock_take(&network->lock);
    if (!network->is_child && !atomic_load(&channel->is_failed))
        tell_failure(channel, error);
    network_loss_fail(channel, error);
    fork_lock_release(&network->lock);
}

void network_close(struct network_channel *channel)
{
    if (!channel)
        return;
    struct network *network = channel->network;
    fork_lock_take(&network->lock);
    if (!network->is_child)
        network_channel_tell(network);
    network_table_remove(&network->channels, &channel->entry);
    *(channel->previous ? &channel->previous->next : &network->first_channel) = channel->next;
    if (channel->next)
        channel->next->previous = channel->previous;
    network_segment_reap(channel, true);
    network_wait_forget(channel);
    fork_lock_release(&network->lock);
    alloc_free(channel);
}
