/* network.c: see network.h: peers, executions, and the thread. */
#include <poll.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/env.h"
#include "base/futex.h"
#include "base/log.h"
#include "base/thread.h"
#include "devices/host/net/net_interface.h"
#include "devices/host/net/net_library.h"
#include "devices/host/net/network_state.h"

enum {
    MAX_EARLY = 4096,  /* messages about executions that have not begun here */
    POLL_LIMIT = 1000, /* milliseconds */
    LEAVE_LIMIT = 60,  /* seconds for others to receive what this process has sent */
    MAX_STEPS = 1024,  /* of the transport, before the lock is released */
    CONTROL_TAG = 1    /* what a tag is for */
};

/* ---- messages about executions --------------------------------------------------------------- */
static uint64_t control_tag(const struct network *network, int process)
{
    const uint64_t words[] = {CONTROL_TAG, (uint64_t)process};
    return net_message_hash(network->token, words, 2);
}

struct error *network_link(struct network *network, int process, struct transport_peer **out)
{
    struct network_peer *peer = &network->peers[process];
    struct error *error = NULL;
    if (!peer->link)
        error = network->ops->connect(network->transport, peer->address, peer->address_size,
                                      network_loss_begin, peer, &peer->link);
    *out = peer->link;
    return error ? error_prefix(error, "process %d on host %s", process, peer->host) : NULL;
}

/* Requires the lock. A message that cannot be sent concerns a process that is lost. */
static void tell(struct network *network, int process, const struct net_message *message)
{
    struct transport_peer *link;
    struct network_segment *segment;
    size_t size = net_message_size(message);
    struct error *error = network_link(network, process, &link);
    if (!error)
        error = alloc_aligned(sizeof *segment + size, &segment);
    if (error) {
        LOG(WARNING, "process %d did not receive the announcement of an execution: %s", process,
            error_message(error, NULL));
        error_free(error);
        return;
    }
    *segment = (struct network_segment){.network = network, .capacity = size};
    memcpy(segment->bytes, message, size);
    network_segment_send(segment, link, control_tag(network, process), size, NULL);
}

/* Requires the lock. */
static void tell_all(struct network_channel *channel, struct net_message *message)
{
    struct network *network = channel->network;
    message->execution = channel->launch.execution;
    memcpy(message->program, channel->launch.program, sizeof message->program);
    for (int i = 0; i < network->count; i++)
        if (i != network->process && network_includes(&channel->launch, i))
            tell(network, i, message);
}

static struct error *failed_there(const struct network *network, const struct net_message *message,
                                  const char *program)
{
    int process = (int)message->sender;
    const char *host = network->peers[process].host;
    if (message->kind == NET_LAUNCH)
        return ERROR(FAILED_PRECONDITION,
                     "'%s': process %d on host %s executes a different program, '%s', on the same "
                     "devices: all processes must execute the same programs in the same order",
                     program, process, host, message->text);
    return error_make((PJRT_Error_Code)(message->code ? message->code : 13), __FILE__, __LINE__,
                      "process %d on host %s: %s", process, host, message->text);
}

/* Requires the lock. */
static void apply(struct network_channel *channel, const struct net_message *message)
{
    bool differs = memcmp(message->program, channel->launch.program, sizeof message->program) != 0;
    if (message->kind == NET_LAUNCH && !differs)
        return;
    struct error *error = failed_there(channel->network, message, channel->launch.name);
    network_loss_fail(channel, error);
    error_free(error);
}

static bool is_about(const struct net_message *message, const struct net_execution *execution)
{
    return message->execution.scope == execution->scope &&
           message->execution.sequence == execution->sequence;
}

/* Keeps a message until its execution begins; the oldest go when there are too many. */
static void keep(struct network *network, const struct net_message *message)
{
    struct early *early, **at = &network->early;
    if (network->early_count == MAX_EARLY) {
        while ((*at)->next)
            at = &(*at)->next;
        alloc_free(*at);
        *at = NULL;
        network->early_count--;
    }
    struct error *error = alloc_zeroed(sizeof *early, &early);
    if (error) {
        error_free(error);
        return;
    }
    early->message = *message;
    early->next = network->early;
    network->early = early;
    network->early_count++;
}

static void note_leave(struct network_peer *peer, const struct net_message *message)
{
    if (message->text_size && !peer->leave_reason)
        error_free(alloc_copy(message->text, message->text_size, &peer->leave_reason));
    peer->has_left = true;
}

static void handle(struct network *network, const struct network_segment *segment)
{
    struct net_message message;
    struct error *error =
        net_message_read(segment->bytes, segment->size, network->token, network->count, &message);
    if (error) {
        LOG(WARNING, "ignored: %s", error_message(error, NULL));
        error_free(error);
        return;
    }
    if (message.kind == NET_LEAVE) {
        note_leave(&network->peers[message.sender], &message);
        return;
    }
    for (struct network_channel *at = network->channels; at; at = at->next) {
        if (is_about(&message, &at->launch.execution)) {
            apply(at, &message);
            return;
        }
    }
    keep(network, &message);
}

/* ---- progress -------------------------------------------------------------------------------- */
/* A receive that is lost tells that the transport has failed as a whole. */
static void listen_for_messages(struct network *network)
{
    static atomic_uint not_waited_for;
    network_segment_receive(network->control, control_tag(network, network->process),
                            sizeof(struct net_message), &not_waited_for);
}

/* Others may see later, or in another order, who was lost. */
static bool tell_failures(struct network *network)
{
    bool did = false;
    for (struct network_channel *at = network->channels; at; at = at->next) {
        if (!at->must_tell)
            continue;
        at->must_tell = false;
        tell_all(at, &at->failure);
        did = true;
    }
    return did;
}

/* Reads all messages about executions that have arrived; false: there may be more. */
static bool read_messages(struct network *network, bool *did)
{
    const struct network_segment *control = network->control;
    for (int i = 0; i < MAX_EARLY; i++) {
        if (!atomic_load(&control->is_done) || control->status == TRANSPORT_LOST)
            return true;
        if (control->status == TRANSPORT_DONE)
            handle(network, control);
        listen_for_messages(network);
        *did = true;
    }
    return false;
}

bool network_advance(struct network *network)
{
    bool did = false;
    for (int i = 0; i < MAX_STEPS && network->ops->progress(network->transport); i++)
        did = true;
    if (!network->has_started)
        return did;
    if (read_messages(network, &did))
        did |= network_loss_report(network);
    return did | tell_failures(network);
}

static int64_t now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000) + time.tv_nsec / 1000000;
}

/* Requires the lock. */
static void check_sometimes(struct network *network, int64_t *checked)
{
    int64_t now = now_ms();
    if (now < *checked + POLL_LIMIT)
        return;
    *checked = now;
    network->ops->check(network->transport);
}

static void run_thread(void *argument)
{
    struct network *network = argument;
    int64_t checked = 0;
    while (!atomic_load(&network->stops)) {
        fork_lock_take(&network->lock);
        check_sometimes(network, &checked);
        network_advance(network);
        bool sleeps = network->ops->arm(network->transport);
        fork_lock_release(&network->lock);
        struct pollfd ready = {.fd = network->ops->fd(network->transport), .events = POLLIN};
        if (sleeps)
            poll(&ready, 1, POLL_LIMIT);
    }
    atomic_store(&network->has_ended, 1);
    futex_wake(&network->has_ended, FUTEX_ALL);
}

/* ---- creation -------------------------------------------------------------------------------- */
static void in_child(struct fork_lock *lock)
{
    ((struct network *)lock)->is_child = true;
}

static struct error *forked(const struct network *network)
{
    return !network->is_child
               ? NULL
               : ERROR(FAILED_PRECONDITION,
                       "this process was forked from process %d of a job: it cannot communicate "
                       "with the others",
                       network->process);
}

struct error *network_create(int process, int count, struct network **out)
{
    struct network *network;
    const struct transport_ops *ops;
    char interface[IF_NAMESIZE];
    *out = NULL;
    TRY(net_library(&ops));
    TRY(alloc_zeroed(sizeof *network, &network));
    fork_lock_init(&network->lock, FORK_NETWORK, in_child);
    network->ops = ops;
    network->process = process;
    network->count = count;
    struct error *error = alloc_array((size_t)count, sizeof *network->peers, &network->peers);
    if (!error)
        error = ops->init(net_interface_of_job(interface) ? interface : NULL, &network->transport);
    if (!error)
        error = network_segment_create(network, sizeof(struct net_message), &network->control);
    if (error)
        network_destroy(network);
    else
        *out = network;
    return error;
}

struct error *network_address(struct network *network, void **bytes, size_t *size)
{
    return network->ops->address(network->transport, bytes, size);
}

static struct error *add_peer(struct network *network, int process, const struct network_node *node)
{
    struct network_peer *peer = &network->peers[process];
    peer->network = network;
    peer->address_size = node->address_size;
    TRY(alloc_copy(node->host, strlen(node->host), &peer->host));
    return alloc_copy(node->address, node->address_size, &peer->address);
}

struct error *network_start(struct network *network, const uint8_t token[NET_TOKEN],
                            const struct network_node *nodes)
{
    int near = 0;
    memcpy(network->token, token, NET_TOKEN);
    for (int i = 0; i < network->count; i++) {
        TRY(add_peer(network, i, &nodes[i]));
        near += nodes[i].is_near;
    }
    net_message_make(&network->leave, NET_LEAVE, token, network->process, "");
    network->spins = near <= cpu_usable_cores();
    fork_lock_take(&network->lock);
    listen_for_messages(network);
    network->has_started = true;
    fork_lock_release(&network->lock);
    if (thread_start("gantry-net", run_thread, network))
        return NULL;
    network->has_started = false;
    return ERROR(RESOURCE_EXHAUSTED, "no thread could be created for messages between processes");
}

int network_process(const struct network *network)
{
    return network->process;
}

static void stop_thread(struct network *network)
{
    if (!network->has_started || network->is_child)
        return;
    atomic_store(&network->stops, true);
    network->ops->wake(network->transport);
    while (!atomic_load(&network->has_ended))
        futex_wait(&network->has_ended, 0);
}

/* Says to the others that this process ends as it should. */
static void send_leave(struct network *network)
{
    for (int i = 0; i < network->count; i++)
        if (network->peers[i].link && !network->peers[i].is_lost)
            tell(network, i, &network->leave);
}

/* Waits until the others have received what they need from this process. */
static void leave(struct network *network)
{
    if (!network->has_started || network->is_child)
        return;
    int64_t limit = now_ms() + 1000 * env_int(ENV_GANTRY_COLLECTIVE_TIMEOUT, LEAVE_LIMIT);
    fork_lock_take(&network->lock);
    send_leave(network);
    while (network->owed && now_ms() < limit) {
        fork_lock_release(&network->lock);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        fork_lock_take(&network->lock);
    }
    fork_lock_release(&network->lock);
}

/* Messages that are on their way end with the transport. A child leaves what is the parent's. */
static void close_transport(struct network *network)
{
    if (!network->transport || network->is_child)
        return;
    fork_lock_take(&network->lock);
    network->has_started = false;
    if (network->control) {
        network_segment_drop(network->control, true);
        network_advance(network);
    }
    network->ops->close(network->transport);
    fork_lock_release(&network->lock);
}

void network_destroy(struct network *network)
{
    if (!network)
        return;
    leave(network);
    stop_thread(network);
    close_transport(network);
    for (struct early *next, *at = network->early; at; at = next) {
        next = at->next;
        alloc_free(at);
    }
    for (struct network_segment *next, *at = network->free_segments; at; at = next) {
        next = at->next;
        alloc_free(at);
    }
    for (int i = 0; network->peers && i < network->count; i++) {
        alloc_free(network->peers[i].host);
        alloc_free(network->peers[i].address);
        alloc_free(network->peers[i].leave_reason);
    }
    alloc_free(network->peers);
    fork_lock_remove(&network->lock);
    alloc_free(network);
}

/* ---- executions ------------------------------------------------------------------------------ */
/* Whether a process that has left had begun the execution: then it has done its part. */
static bool has_begun(const struct network *network, int process,
                      const struct network_launch *launch)
{
    for (const struct early *at = network->early; at; at = at->next)
        if (at->message.sender == (uint32_t)process && is_about(&at->message, &launch->execution))
            return network->peers[process].has_left;
    return false;
}

/* What another process has said about the execution, or NULL. */
static struct error *early_failure(const struct network *network,
                                   const struct network_launch *launch)
{
    for (const struct early *at = network->early; at; at = at->next)
        if (at->message.kind == NET_FAIL && is_about(&at->message, &launch->execution))
            return failed_there(network, &at->message, launch->name);
    return NULL;
}

/* Requires the lock. */
static struct error *check_peers(const struct network *network, const struct network_launch *launch)
{
    const struct network_peer *first = NULL;
    TRY(forked(network));
    TRY(early_failure(network, launch));
    for (int i = 0; i < network->count; i++) {
        const struct network_peer *peer = &network->peers[i];
        if (peer->is_lost && network_includes(launch, i) && !has_begun(network, i, launch) &&
            (!first || peer->lost_at < first->lost_at))
            first = peer;
    }
    return first ? network_gone(network, (int)(first - network->peers), launch->name) : NULL;
}

/* Requires the lock. */
static void apply_early(struct network *network, struct network_channel *channel)
{
    for (struct early **at = &network->early; *at;) {
        struct early *early = *at;
        if (!is_about(&early->message, &channel->launch.execution)) {
            at = &early->next;
            continue;
        }
        *at = early->next;
        network->early_count--;
        apply(channel, &early->message);
        alloc_free(early);
    }
}

struct error *network_open(struct network *network, const struct network_launch *launch,
                           struct network_channel **out)
{
    struct network_channel *channel;
    struct net_message message;
    *out = NULL;
    TRY(alloc_zeroed(sizeof *channel, &channel));
    channel->network = network;
    channel->launch = *launch;
    net_message_make(&message, NET_LAUNCH, network->token, network->process, launch->name);
    fork_lock_take(&network->lock);
    struct error *error = check_peers(network, launch);
    if (!error) {
        channel->next = network->channels;
        network->channels = channel;
        tell_all(channel, &message);
        apply_early(network, channel);
    } else if (!network->is_child) {
        network_loss_note(channel, error);
        tell_all(channel, &channel->failure);
    }
    fork_lock_release(&network->lock);
    if (error)
        alloc_free(channel);
    else
        *out = channel;
    return error;
}

void network_fail(struct network_channel *channel, const struct error *error)
{
    struct network *network = channel->network;
    struct net_message message;
    net_message_make(&message, NET_FAIL, network->token, network->process,
                     error_message(error, NULL));
    message.code = (uint32_t)error_code(error);
    fork_lock_take(&network->lock);
    if (!network->is_child && !atomic_load(&channel->is_failed)) {
        network_loss_remember(network, error);
        tell_all(channel, &message);
    }
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
        tell_failures(network);
    struct network_channel **at = &network->channels;
    while (*at && *at != channel)
        at = &(*at)->next;
    if (*at)
        *at = channel->next;
    fork_lock_release(&network->lock);
    alloc_free(channel);
}
