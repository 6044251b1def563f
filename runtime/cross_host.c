/* cross_host.c: see cross_host.h. A transfer is an execution of two processes for the network, with
 * the devices as its scope and the key as its number. The receiver sends one byte. */
#include "runtime/cross_host.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fork.h"
#include "base/futex.h"
#include "base/map.h"
#include "base/thread.h"
#include "devices/host/net/network.h"
#include "runtime/buffer_to_host.h"
#include "runtime/transfer.h"

enum { NAME = 96 };
static const uint8_t scope_key[NET_TOKEN] = "cross-host scope";

struct transfer {
    struct transfer *next; /* in one of the lists of the client's transfers */
    struct client *client; /* retained */
    struct event *done;    /* owned: the exchange has ended */
    bool sends;
    int processes[2]; /* of the sender and the receiver */
    struct net_execution execution;
    uint64_t program[2]; /* element type and dimensions */
    char name[NAME];
    char *bytes; /* owned; row-major */
    uint64_t size;

    /* The exchange; used by the thread. */
    struct network_channel *channel;
    struct network_run *run;
    struct network_exchange exchange;
    struct network_flow flow;
    struct net_piece data, sign;
    char answer;
    struct error *failure; /* in the other process; owned */

    /* Of the receiver. */
    struct transfer_manager *manager; /* owned */
    struct host_array array;          /* `bytes` */
    void *arrays;                     /* owned; of its shape */
};

struct cross_host {
    struct client *client;
    /* guarded by fork_lock_of(this) */
    struct transfer *new_first, **new_end; /* not seen by the thread */
    int count;                             /* that have not ended */
    bool has_thread;
    atomic_bool cancels;
    atomic_uint changes, ends; /* futexes: of the thread; of cross_host_finish() */
};

struct error *cross_host_create(struct client *client, struct cross_host **out)
{
    TRY(alloc_zeroed(sizeof **out, out));
    (*out)->client = client;
    (*out)->new_end = &(*out)->new_first;
    return NULL;
}

void cross_host_destroy(struct cross_host *transfers)
{
    alloc_free(transfers);
}

static void transfer_free(struct transfer *t)
{
    event_release(t->done);
    if (t->manager)
        transfer_destroy(t->manager);
    error_free(t->failure);
    alloc_free(t->bytes);
    alloc_free(t->arrays);
    client_release(t->client);
    alloc_free(t);
}

/* ---- the exchange ---------------------------------------------------------------------------- */
static void on_failed(void *context, const struct error *error)
{
    struct transfer *t = context;
    t->failure = error_copy(error);
}

static struct error *begin(struct transfer *t)
{
    struct network_launch launch = {.execution = t->execution,
                                    .program = {t->program[0], t->program[1]},
                                    .name = t->name,
                                    .processes = t->processes,
                                    .participants = 2,
                                    .failed = on_failed,
                                    .context = t};
    t->data = (struct net_piece){t->bytes, 1, (int64_t)t->size, (int64_t)t->size};
    t->sign = (struct net_piece){&t->answer, 1, 1, 1};
    t->flow = (struct network_flow){.process = t->processes[t->sends],
                                    .send_count = 1,
                                    .receive_count = 1,
                                    .sends = t->sends ? &t->data : &t->sign,
                                    .receives = t->sends ? &t->sign : &t->data};
    TRY(network_open(t->client->network, &launch, &t->channel));
    t->exchange = (struct network_exchange){
        .channel = t->channel, .label = t->name, .flow_count = 1, .flows = &t->flow};
    return network_begin(&t->exchange, &t->client->cross_host->changes, &t->run);
}

static struct error *advance(struct transfer *t, bool *complete)
{
    *complete = false;
    if (!t->run)
        TRY(begin(t));
    if (!atomic_load(&t->client->cross_host->cancels))
        return network_continue(t->run, complete);
    struct error *error = ERROR(CANCELLED, "%s: the client was destroyed", t->name);
    network_fail(t->channel, error);
    return error;
}

/* Ends the exchange with `error` (moved), or as the other process says why it failed. */
static struct error *end(struct transfer *t, struct error *error)
{
    if (t->run)
        network_end(t->run, error != NULL);
    network_close(t->channel);
    if (!error || !t->failure)
        return error;
    error_free(error);
    error = t->failure;
    t->failure = NULL;
    return error;
}

/* ---- the thread ------------------------------------------------------------------------------ */
/* Appends the new transfers to the list. False: there are none at all, and the thread ends. */
static bool take_new(struct cross_host *c, struct transfer **list)
{
    while (*list)
        list = &(*list)->next;
    fork_lock_take(fork_lock_of(c));
    *list = c->new_first;
    c->new_first = NULL;
    c->new_end = &c->new_first;
    c->has_thread = c->count > 0;
    fork_lock_release(fork_lock_of(c));
    return c->has_thread;
}

/* `error` is moved. A receiver goes on in on_arrived(). */
static void conclude(struct cross_host *c, struct transfer *t, struct error *error)
{
    struct event *done = t->done;
    bool sends = t->sends;
    event_retain(done);
    error_free(event_set(done, end(t, error)));
    event_release(done);
    if (sends)
        transfer_free(t);
    fork_lock_take(fork_lock_of(c));
    c->count--;
    fork_lock_release(fork_lock_of(c));
    atomic_fetch_add(&c->ends, 1);
    futex_wake(&c->ends, FUTEX_ALL);
}

static void run_thread(void *argument)
{
    struct cross_host *c = argument;
    struct client *client = c->client;
    struct transfer *list = NULL;
    for (unsigned seen = atomic_load(&c->changes); take_new(c, &list);
         seen = atomic_load(&c->changes)) {
        for (struct transfer **at = &list; *at;) {
            struct transfer *t = *at;
            bool complete;
            struct error *error = advance(t, &complete);
            if (!error && !complete) {
                at = &t->next;
                continue;
            }
            *at = t->next;
            conclude(c, t, error);
        }
        if (list)
            network_sleep(client->network, &c->changes, seen);
    }
    client_release(client);
}

/* Gives a transfer (moved) to the thread. */
static void submit(struct transfer *t)
{
    struct cross_host *c = t->client->cross_host;
    fork_lock_take(fork_lock_of(c));
    *c->new_end = t;
    c->new_end = &t->next;
    c->count++;
    bool starts = !c->has_thread;
    c->has_thread = true;
    fork_lock_release(fork_lock_of(c));
    atomic_fetch_add(&c->changes, 1);
    futex_wake(&c->changes, FUTEX_ALL);
    if (!starts)
        return;
    client_retain(c->client);
    if (!thread_start("gantry-transfer", run_thread, c))
        run_thread(c); /* here, then */
}

void cross_host_finish(struct cross_host *c, int64_t deadline)
{
    bool left = c != NULL;
    while (left) {
        unsigned seen = atomic_load(&c->ends);
        int64_t now = clock_now(), rest = now < deadline ? deadline - now : CLOCK_SECOND;
        fork_lock_take(fork_lock_of(c));
        left = c->count > 0;
        fork_lock_release(fork_lock_of(c));
        if (now >= deadline)
            atomic_store(&c->cancels, true);
        if (left)
            futex_wait_for(&c->ends, seen, rest);
    }
}

/* ---- beginning ------------------------------------------------------------------------------- */
static struct error *find_process(struct client *client, int id, int *out)
{
    struct client_device *device;
    if (!client->network)
        return ERROR(FAILED_PRECONDITION, "the client has no other processes");
    TRY(network_check(client->network));
    TRY(client_lookup_device(client, id, &device));
    *out = device->device->process_index;
    return !client_device_is_local(device)
               ? NULL
               : ERROR(INVALID_ARGUMENT,
                       "device %d is in this process; transfers between processes need one of "
                       "another process",
                       id);
}

static void name_transfer(struct transfer *t, int from, int to, int64_t key,
                          const struct shape *shape)
{
    const uint64_t devices[] = {(uint64_t)from, (uint64_t)to};
    t->execution.scope = net_message_hash(scope_key, devices, 2);
    t->execution.sequence = (uint64_t)key;
    t->program[0] = (uint64_t)shape->dtype;
    t->program[1] = map_hash(shape->dims, (size_t)shape->rank * sizeof *shape->dims, 0);
    snprintf(t->name, sizeof t->name, "transfer %" PRId64 " of %" PRIu64 " bytes from device %d",
             key, t->size, from);
}

/* `own` and `other`: devices. */
static struct error *make(struct client *client, bool sends, int own, int other, int64_t key,
                          const struct shape *shape, struct transfer **out)
{
    int process = 0;
    struct transfer *t;
    *out = NULL;
    TRY(find_process(client, other, &process));
    TRY(shape_check(shape, "the array"));
    TRY(alloc_zeroed(sizeof *t, &t));
    client_retain(client);
    t->client = client;
    t->sends = sends;
    t->processes[!sends] = client->process_index;
    t->processes[sends] = process;
    t->size = (uint64_t)shape_bytes(shape);
    name_transfer(t, sends ? own : other, sends ? other : own, key, shape);
    struct error *error = alloc_bytes(t->size + 1, &t->bytes);
    if (!error)
        error = event_create_by_thread(&t->done);
    if (error)
        transfer_free(t);
    else
        *out = t;
    return error;
}

/* ---- sending --------------------------------------------------------------------------------- */
/* The contents are there, or an error (moved). */
static void on_ready(struct error *error, void *context)
{
    struct transfer *t = context;
    if (!error) {
        submit(t);
        return;
    }
    error_free(event_set(t->done, error));
    transfer_free(t);
}

struct error *cross_host_send(struct buffer *buffer, int device, int64_t key, struct event **done)
{
    struct transfer *t;
    struct event *copied;
    const struct client_memory *memory = buffer_memory(buffer);
    *done = NULL;
    if (buffer_get_sizes(buffer))
        return ERROR(UNIMPLEMENTED,
                     "a buffer with dynamic sizes cannot be sent to another process");
    TRY(make(memory->client, true, memory->device->device->id, device, key, buffer_shape(buffer),
             &t));
    struct error *error = buffer_to_host(buffer, NULL, t->bytes, t->size, &copied);
    if (error) {
        transfer_free(t);
        return error;
    }
    *done = t->done;
    event_retain(*done);
    error = event_follow(copied, on_ready, t, t->done);
    if (error)
        on_ready(error_join(event_await(copied), error), t);
    event_release(copied);
    return NULL;
}

/* ---- receiving ------------------------------------------------------------------------------- */
static void on_copied(struct error *error, void *context)
{
    error_free(error); /* the buffer has it */
    transfer_free(context);
}

/* Everything has arrived, or an error (moved). */
static void on_arrived(struct error *error, void *context)
{
    struct transfer *t = context;
    struct event *copied = NULL;
    if (!error)
        error = transfer_array(t->manager, 0, &t->array, &copied);
    if (error) {
        error_free(transfer_fail(t->manager, 0, error));
        transfer_free(t);
        return;
    }
    error = event_on_ready(copied, on_copied, t);
    if (error)
        on_copied(error_join(event_await(copied), error), t);
    event_release(copied);
}

static struct error *prepare(struct transfer *t, struct client_memory *memory,
                             const struct shape *shape, struct buffer **out)
{
    TRY(shape_clone(shape, &t->array.shape, &t->arrays));
    t->array.shape.minor_to_major = NULL;
    t->array.data = t->bytes;
    TRY(transfer_create(memory, 1, shape, &t->manager));
    TRY(transfer_retrieve(t->manager, 0, out));
    return event_on_ready(t->done, on_arrived, t);
}

struct error *cross_host_receive(struct client_memory *memory, const struct shape *shape,
                                 int device, int64_t key, struct buffer **out)
{
    struct transfer *t;
    *out = NULL;
    TRY(make(memory->client, false, memory->device->device->id, device, key, shape, &t));
    struct error *error = prepare(t, memory, shape, out);
    if (!error) {
        submit(t);
        return NULL;
    }
    transfer_free(t);
    buffer_release(*out);
    *out = NULL;
    return error;
}
