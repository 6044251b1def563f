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
#include "devices/host/net/near_memory.h"
#include "devices/host/net/net_interface.h"
#include "devices/host/net/net_library.h"
#include "devices/host/net/network_state.h"

enum {
    MAX_MESSAGES = 4096, /* read before the transport is run again */
    POLL_LIMIT = 1000,   /* milliseconds */
    LEAVE_LIMIT = 60,    /* seconds for others to receive what this process has sent */
    MAX_STEPS = 1024,    /* of the transport, before the lock is released */
    MAX_SPURIOUS = 64,   /* wakeups in a row that find nothing to do, before the thread naps */
    NAP = 1,             /* milliseconds */
    CONTROL_TAG = 1      /* what a tag is for */
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

/* A message that cannot be sent concerns a process that is lost. */
void network_tell(struct network *network, int process, const struct net_message *message)
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

static void note_leave(struct network_peer *peer, const struct net_message *message)
{
    if (message->text_size && !peer->leave_reason)
        error_free(alloc_copy(message->text, message->text_size, &peer->leave_reason));
    peer->has_left = true;
    if (message->code)
        network_loss_end(peer);
}

static void handle(struct network *network, const struct network_segment *segment)
{
    struct net_message message;
    struct error *error = net_message_read(segment->bytes, segment->size, network->token,
                                           network->count, network->process, &message);
    if (error) {
        LOG(WARNING, "ignored: %s", error_message(error, NULL));
        error_free(error);
        return;
    }
    if (message.kind == NET_LEAVE) {
        note_leave(&network->peers[message.sender], &message);
        return;
    }
    network_channel_hear(network, &message);
}

/* ---- progress -------------------------------------------------------------------------------- */
/* A receive that is lost tells that the transport has failed as a whole. */
static void listen_for_messages(struct network *network)
{
    static atomic_uint not_waited_for;
    network_segment_receive(network->control, control_tag(network, network->process),
                            sizeof(struct net_message), &not_waited_for);
}

/* Reads all messages about executions that have arrived; false: there may be more. */
static bool read_messages(struct network *network, bool *did)
{
    const struct network_segment *control = network->control;
    for (int i = 0; i < MAX_MESSAGES; i++) {
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
    static const atomic_uint never;
    return network_advance_until(network, &never, 0);
}

bool network_advance_until(struct network *network, const atomic_uint *changes, unsigned seen)
{
    bool did = false;
    for (int i = 0; i < MAX_STEPS && atomic_load(changes) == seen &&
                    network->ops->progress(network->transport);
         i++)
        did = true;
    if (!network->has_started)
        return did;
    if (read_messages(network, &did))
        did |= network_loss_report(network);
    return did | network_channel_tell(network);
}

static int64_t now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static int64_t now_ms(void)
{
    return now_ns() / 1000000;
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

/* The thread does not get in the way of those that advance the network themselves. `seen`: the
 * calls before it last looked. */
static void park(struct network *network, unsigned seen)
{
    while (atomic_load(&network->calls) == seen && !atomic_load(&network->sleepers) &&
           !atomic_load(&network->stops) && now_ns() < atomic_load(&network->attended)) {
        atomic_store(&network->is_parked, true);
        futex_wait_for(&network->calls, seen, NETWORK_ATTENDED);
    }
    atomic_store(&network->is_parked, false);
}

void network_call(struct network *network)
{
    atomic_fetch_add(&network->calls, 1);
    if (atomic_load(&network->is_parked))
        futex_wake(&network->calls, FUTEX_ALL);
    else
        network->ops->wake(network->transport);
}

/* Waits until there is something to do. True: there may be, now. */
static bool await_work(struct network *network, bool sleeps)
{
    struct pollfd ready = {.fd = network->ops->fd(network->transport), .events = POLLIN};
    return !sleeps || poll(&ready, 1, POLL_LIMIT) > 0;
}

/* While a peer does not answer that it is connected, as it is stopped, say, UCX's descriptor is
 * always ready, and the thread would occupy a core. */
static void nap_after(int spurious)
{
    if (spurious >= MAX_SPURIOUS)
        poll(NULL, 0, NAP);
}

static void run_thread(void *argument)
{
    struct network *network = argument;
    int64_t checked = 0;
    int spurious = 0; /* wakeups in a row */
    while (!atomic_load(&network->stops)) {
        unsigned seen = atomic_load(&network->calls);
        fork_lock_take(&network->lock);
        check_sometimes(network, &checked);
        bool did = network_advance(network);
        if (did && atomic_load(&network->pollers))
            network->ops->wake(network->transport);
        bool sleeps = network->ops->arm(network->transport), is_idle = !network->owed;
        fork_lock_release(&network->lock);
        bool is_woken = await_work(network, sleeps);
        bool is_spurious = is_woken && !did && atomic_load(&network->calls) == seen;
        spurious = !is_spurious ? 0 : spurious < MAX_SPURIOUS ? spurious + 1 : MAX_SPURIOUS;
        nap_after(spurious);
        if (is_idle)
            park(network, seen);
    }
    atomic_store(&network->has_ended, 1);
    futex_wake(&network->has_ended, FUTEX_ALL);
}

/* ---- creation -------------------------------------------------------------------------------- */
static void in_child(struct fork_lock *lock)
{
    ((struct network *)lock)->is_child = true;
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
    peer->is_near = node->is_near;
    peer->reads = network->ops->reads(node->address, node->address_size);
    peer->address_size = node->address_size;
    TRY(alloc_copy(node->host, strlen(node->host), &peer->host));
    return alloc_copy(node->address, node->address_size, &peer->address);
}

/* As the user has chosen, when there is another process on this machine. */
static void allow_reading(int near)
{
    int reader = env_choice(ENV_GANTRY_PTRACER);
    if (near < 2 || reader < NEAR_READER_LAUNCHER)
        return;
    if (!near_memory_allow((enum near_reader)reader))
        LOG(INFO, "GANTRY_PTRACER has no effect: this system has no such rule");
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
    allow_reading(near);
    fork_lock_take(&network->lock);
    network->ops->admit(network->transport, token);
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

int network_count(const struct network *network)
{
    return network->count;
}

void network_view(struct network *network, int process, struct network_view *out)
{
    fork_lock_take(&network->lock);
    const struct network_peer *peer = &network->peers[process];
    *out = (struct network_view){.host = peer->host,
                                 .is_near = peer->is_near,
                                 .reads = peer->reads && !atomic_load(&peer->cannot_read),
                                 .is_lost = peer->is_lost};
    fork_lock_release(&network->lock);
}

void network_listens(struct network *network, char *out, size_t capacity)
{
    *out = '\0';
    if (!network->is_child)
        network->ops->listens(network->transport, out, capacity);
}

static void stop_thread(struct network *network)
{
    if (!network->has_started || network->is_child)
        return;
    atomic_store(&network->stops, true);
    network_call(network);
    while (!atomic_load(&network->has_ended))
        futex_wait(&network->has_ended, 0);
}

/* Says to the others that this process ends as it should. */
static void send_leave(struct network *network, bool is_last)
{
    network->leave.code = is_last;
    for (int i = 0; i < network->count; i++)
        if (network->peers[i].link && !network->peers[i].is_lost)
            network_tell(network, i, &network->leave);
}

/* Waits until the others have received what they need from this process. */
static void leave(struct network *network)
{
    if (!network->has_started || network->is_child)
        return;
    int64_t limit = now_ms() + 1000 * env_int(ENV_GANTRY_COLLECTIVE_TIMEOUT, LEAVE_LIMIT);
    fork_lock_take(&network->lock);
    send_leave(network, false);
    while (network->owed && now_ms() < limit) {
        fork_lock_release(&network->lock);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        fork_lock_take(&network->lock);
    }
    send_leave(network, true);
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
    network_channel_forget_all(network);
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
