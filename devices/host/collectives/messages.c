/* messages.c: see messages.h. Lanes are made when they are first used, by the sender or by the
 * receiver, and live as long as the execution. In a lane between processes each process counts the
 * messages; after every MESSAGES_WAITING of them the receiver tells the sender so. */
#include "devices/host/collectives/messages.h"

#include <string.h>

#include "base/alloc.h"
#include "base/fork.h"
#include "base/futex.h"
#include "base/map.h"

enum { MAX_ROWS = 1 << 12 };

struct lane_key {
    int64_t channel;
    uint64_t size; /* bytes of a message */
    int source, target;
};

struct message {
    struct message *next;
    char bytes[];
};

struct lane {
    struct lane *next; /* of the same row */
    struct lane_key key;
    atomic_uint changes; /* futex */
    struct message *first, **last;
    int count;          /* messages that wait here */
    uint64_t exchanged; /* messages so far, with another process */
};

struct messages {
    int rows;             /* a power of two */
    struct lane *lanes[]; /* by the hash of their keys */
};

/* ---- lanes ----------------------------------------------------------------------------------- */
struct error *messages_create(int steps, struct messages **out)
{
    int rows = 1;
    while (rows < steps && rows < MAX_ROWS)
        rows *= 2;
    TRY(alloc_zeroed(sizeof **out + (size_t)rows * sizeof *(*out)->lanes, out));
    (*out)->rows = rows;
    return NULL;
}

static void free_lane(struct lane *lane)
{
    for (struct message *next; lane->first; lane->first = next) {
        next = lane->first->next;
        alloc_free(lane->first);
    }
    alloc_free(lane);
}

void messages_destroy(struct messages *messages)
{
    for (int row = 0; messages && row < messages->rows; row++)
        for (struct lane *next; messages->lanes[row]; messages->lanes[row] = next) {
            next = messages->lanes[row]->next;
            free_lane(messages->lanes[row]);
        }
    alloc_free(messages);
}

static void wake(struct lane *lane)
{
    atomic_fetch_add(&lane->changes, 1);
    futex_wake(&lane->changes, FUTEX_ALL);
}

void messages_wake(struct messages *messages)
{
    struct fork_lock *lock = fork_lock_of(messages);
    if (!messages)
        return;
    fork_lock_take(lock);
    for (int row = 0; row < messages->rows; row++)
        for (struct lane *lane = messages->lanes[row]; lane; lane = lane->next)
            wake(lane);
    fork_lock_release(lock);
}

static bool is_equal(const struct lane_key *a, const struct lane_key *b)
{
    return a->channel == b->channel && a->size == b->size && a->source == b->source &&
           a->target == b->target;
}

/* The lane of a row that has the key; if there is none, `made` (or NULL), which is then in the row.
 */
static struct lane *lane_in(struct messages *messages, struct lane **row,
                            const struct lane_key *key, struct lane *made)
{
    struct fork_lock *lock = fork_lock_of(messages);
    fork_lock_take(lock);
    struct lane *lane = *row;
    while (lane && !is_equal(&lane->key, key))
        lane = lane->next;
    if (!lane && made) {
        made->next = *row;
        *row = lane = made;
    }
    fork_lock_release(lock);
    return lane;
}

static struct error *find_lane(struct messages *messages, const struct lane_key *key,
                               struct lane **out)
{
    uint64_t hash = map_hash(key, sizeof *key, 0);
    struct lane **row = &messages->lanes[hash & (uint64_t)(messages->rows - 1)], *made;
    *out = lane_in(messages, row, key, NULL);
    if (*out)
        return NULL;
    TRY(alloc_zeroed(sizeof *made, &made));
    made->key = *key;
    made->last = &made->first;
    *out = lane_in(messages, row, key, made);
    if (*out != made)
        alloc_free(made);
    return NULL;
}

/* ---- contents -------------------------------------------------------------------------------- */
static size_t bytes_of(const struct collective_array *array)
{
    return (size_t)(array->outer * array->middle * array->inner * dtype_bytes(array->dtype));
}

static struct lane_key key_of(const struct messages_end *end, bool sends)
{
    const struct collective_spec *spec = &end->step->collective;
    struct lane_key key = {.channel = spec->channel,
                           .source = sends ? end->self : end->other,
                           .target = sends ? end->other : end->self};
    for (int i = 0; i < spec->array_count; i++)
        key.size += bytes_of(&spec->arrays[i]);
    return key;
}

/* Copies the arrays of an end to `bytes`, or the reverse. */
static void copy_arrays(const struct messages_end *end, char *bytes, bool sends)
{
    const struct collective_spec *spec = &end->step->collective;
    for (int i = 0; i < spec->array_count; i++) {
        size_t size = bytes_of(&spec->arrays[i]);
        if (size)
            memcpy(sends ? bytes : end->buffers[i], sends ? end->buffers[i] : bytes, size);
        bytes += size;
    }
}

void messages_clear(const struct step *step, void *const *buffers)
{
    const struct collective_spec *spec = &step->collective;
    for (int i = 0; i < spec->array_count; i++)
        if (bytes_of(&spec->arrays[i]))
            memset(buffers[i], 0, bytes_of(&spec->arrays[i]));
}

/* ---- inside of a process --------------------------------------------------------------------- */
/* Adds the message (moved, if it is added); false: the lane is full. */
static bool add(struct lane *lane, struct message *message)
{
    struct fork_lock *lock = fork_lock_of(lane);
    fork_lock_take(lock);
    bool fits = lane->count < MESSAGES_WAITING;
    if (fits) {
        *lane->last = message;
        lane->last = &message->next;
        lane->count++;
    }
    fork_lock_release(lock);
    if (fits)
        wake(lane);
    return fits;
}

/* The first message, owned, or NULL. */
static struct message *take(struct lane *lane)
{
    struct fork_lock *lock = fork_lock_of(lane);
    fork_lock_take(lock);
    struct message *message = lane->first;
    if (message) {
        lane->first = message->next;
        lane->count--;
        if (!lane->first)
            lane->last = &lane->first;
    }
    fork_lock_release(lock);
    if (message)
        wake(lane);
    return message;
}

static struct error *send_here(struct lane *lane, const struct messages_end *end)
{
    struct message *message;
    struct error *error = NULL;
    TRY(alloc_bytes(sizeof *message + lane->key.size, &message));
    message->next = NULL;
    copy_arrays(end, message->bytes, true);
    for (;;) {
        unsigned seen = atomic_load(&lane->changes);
        if (add(lane, message))
            return NULL;
        error = end->wait(end->context, &lane->changes, seen);
        if (error)
            break;
    }
    alloc_free(message);
    return error;
}

static struct error *receive_here(struct lane *lane, const struct messages_end *end)
{
    for (;;) {
        unsigned seen = atomic_load(&lane->changes);
        struct message *message = take(lane);
        if (message) {
            copy_arrays(end, message->bytes, false);
            alloc_free(message);
            return NULL;
        }
        TRY(end->wait(end->context, &lane->changes, seen));
    }
}

/* ---- between processes ----------------------------------------------------------------------- */
static struct network_exchange exchange_of(const struct lane *lane, const struct messages_end *end,
                                           struct network_channel *channel, bool is_answer,
                                           const struct network_flow *flow)
{
    return (struct network_exchange){.channel = channel,
                                     .stream =
                                         map_hash(&lane->key, sizeof lane->key, is_answer ? 2 : 1),
                                     .label = end->step->label,
                                     .flow_count = 1,
                                     .flows = flow};
}

static struct error *exchange_arrays(const struct lane *lane, const struct messages_end *end,
                                     struct network_channel *channel, bool sends)
{
    const struct collective_spec *spec = &end->step->collective;
    struct net_piece *pieces;
    TRY(alloc_array((size_t)spec->array_count + 1, sizeof *pieces, &pieces));
    for (int i = 0; i < spec->array_count; i++) {
        int64_t size = (int64_t)bytes_of(&spec->arrays[i]);
        pieces[i] = (struct net_piece){end->buffers[i], size ? 1 : 0, size, size};
    }
    struct network_flow flow = {.process = end->process};
    *(sends ? &flow.send_count : &flow.receive_count) = spec->array_count;
    *(sends ? &flow.sends : &flow.receives) = pieces;
    struct network_exchange exchange = exchange_of(lane, end, channel, false, &flow);
    struct error *error = sends ? network_post(&exchange) : network_exchange(&exchange);
    alloc_free(pieces);
    return error;
}

/* The sender waits for what the receiver tells it after every MESSAGES_WAITING messages. */
static struct error *exchange_answer(const struct lane *lane, const struct messages_end *end,
                                     struct network_channel *channel, bool sends)
{
    char answer = 0;
    struct net_piece piece = {&answer, 1, 1, 1};
    struct network_flow flow = {.process = end->process};
    *(sends ? &flow.receive_count : &flow.send_count) = 1;
    *(sends ? &flow.receives : &flow.sends) = &piece;
    struct network_exchange exchange = exchange_of(lane, end, channel, true, &flow);
    return sends ? network_exchange(&exchange) : network_post(&exchange);
}

static struct error *exchange_message(struct lane *lane, const struct messages_end *end,
                                      struct network_channel *channel, bool sends)
{
    uint64_t before = lane->exchanged++;
    if (!channel)
        return ERROR(FAILED_PRECONDITION, "the execution did not begin");
    if (sends && before && before % MESSAGES_WAITING == 0)
        TRY(exchange_answer(lane, end, channel, true));
    TRY(exchange_arrays(lane, end, channel, sends));
    if (!sends && lane->exchanged % MESSAGES_WAITING == 0)
        TRY(exchange_answer(lane, end, channel, false));
    return NULL;
}

/* ---- entry points ---------------------------------------------------------------------------- */
struct error *messages_send(struct messages *messages, struct network_channel *channel,
                            const struct messages_end *end)
{
    struct lane_key key = key_of(end, true);
    struct lane *lane;
    TRY(find_lane(messages, &key, &lane));
    return end->process < 0 ? send_here(lane, end) : exchange_message(lane, end, channel, true);
}

struct error *messages_receive(struct messages *messages, struct network_channel *channel,
                               const struct messages_end *end)
{
    struct lane_key key = key_of(end, false);
    struct lane *lane;
    TRY(find_lane(messages, &key, &lane));
    return end->process < 0 ? receive_here(lane, end) : exchange_message(lane, end, channel, false);
}
