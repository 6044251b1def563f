#include "runtime/host_transfer.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fork.h"
#include "base/futex.h"

struct host_transfer {
    struct launch_host base;
    struct refs refs;
    /* guarded by fork_lock_of(transfer) */
    bool cancelled;
    struct host_stream *awaited; /* the stream that the program waits for, or NULL */
    int count;
    struct host_channel channels[]; /* sorted */
};

/* ---- streams --------------------------------------------------------------------------------- */
enum stream_state { STREAM_OPEN, STREAM_FULL, STREAM_DROPPED, STREAM_CANCELLED };

/* Owned jointly by the thread that runs the program and by the client. */
struct host_stream {
    struct refs refs;
    uint64_t total;
    atomic_uint state; /* enum stream_state; changes once; the program waits for this */
    /* guarded by fork_lock_of(stream) */
    char *to; /* valid while the state is STREAM_OPEN */
    uint64_t current;
};

static struct error *stream_create(void *to, uint64_t total, struct host_stream **out)
{
    TRY(alloc_zeroed(sizeof **out, out));
    refs_init(&(*out)->refs);
    refs_retain(&(*out)->refs);
    (*out)->total = total;
    (*out)->to = to;
    atomic_store(&(*out)->state, total ? STREAM_OPEN : STREAM_FULL);
    return NULL;
}

static void stream_release(struct host_stream *stream)
{
    if (refs_release(&stream->refs))
        alloc_free(stream);
}

static void chunk_free(struct host_chunk *chunk)
{
    if (chunk->deleter)
        chunk->deleter(chunk->data, chunk->deleter_arg);
}

static bool is_open(const struct host_stream *stream)
{
    return atomic_load(&stream->state) == STREAM_OPEN;
}

/* The caller holds the stream's lock. */
static void stream_end(struct host_stream *stream, enum stream_state state)
{
    if (!is_open(stream))
        return;
    atomic_store(&stream->state, state);
    futex_wake(&stream->state, 1);
}

/* Copies under the lock, so that the program, which owns the memory, does not continue during the
 * copy. */
struct error *host_stream_add(struct host_stream *stream, struct host_chunk *chunk)
{
    fork_lock_take(fork_lock_of(stream));
    uint64_t current = stream->current;
    bool fits = chunk->size <= stream->total - current;
    if (fits && chunk->size && is_open(stream)) {
        memcpy(stream->to + current, chunk->data, chunk->size);
        stream->current += chunk->size;
        if (stream->current == stream->total)
            stream_end(stream, STREAM_FULL);
    }
    fork_lock_release(fork_lock_of(stream));
    uint64_t size = chunk->size;
    chunk_free(chunk);
    if (fits)
        return NULL;
    return ERROR(
        INVALID_ARGUMENT,
        "a chunk of %llu bytes exceeds the stream's %llu, of which %llu have been received",
        (unsigned long long)size, (unsigned long long)stream->total, (unsigned long long)current);
}

uint64_t host_stream_total(const struct host_stream *stream)
{
    return stream->total;
}

uint64_t host_stream_current(struct host_stream *stream)
{
    fork_lock_take(fork_lock_of(stream));
    uint64_t current = stream->current;
    fork_lock_release(fork_lock_of(stream));
    return current;
}

static void stream_end_locked(struct host_stream *stream, enum stream_state state)
{
    fork_lock_take(fork_lock_of(stream));
    stream_end(stream, state);
    fork_lock_release(fork_lock_of(stream));
}

void host_stream_drop(struct host_stream *stream)
{
    if (!stream)
        return;
    stream_end_locked(stream, STREAM_DROPPED);
    stream_release(stream);
}

/* Waits until the stream's end, after which nothing is written through it. */
static struct error *stream_wait(struct host_stream *stream, int64_t channel)
{
    while (is_open(stream))
        futex_wait(&stream->state, STREAM_OPEN);
    uint64_t current = host_stream_current(stream); /* takes the lock: writers have finished */
    switch ((enum stream_state)atomic_load(&stream->state)) {
    case STREAM_OPEN:
    case STREAM_FULL: return NULL;
    case STREAM_CANCELLED:
        return ERROR(CANCELLED, "the client was destroyed while channel %lld was receiving",
                     (long long)channel);
    case STREAM_DROPPED: break;
    }
    return ERROR(ABORTED, "the stream of channel %lld was destroyed after %llu of %llu bytes",
                 (long long)channel, (unsigned long long)current,
                 (unsigned long long)stream->total);
}

/* ---- channels -------------------------------------------------------------------------------- */
/* By direction, then id. */
static int compare_wanted(const void *left, const void *right)
{
    const struct program_channel *wanted = left;
    const struct host_channel *channel = right;
    bool receives = channel->receive_callback != NULL;
    if (wanted->receives != receives)
        return wanted->receives ? 1 : -1;
    return (wanted->id > channel->id) - (wanted->id < channel->id);
}

static int compare(const void *left, const void *right)
{
    const struct host_channel *channel = left;
    struct program_channel wanted = {channel->id, channel->receive_callback != NULL};
    return compare_wanted(&wanted, right);
}

/* NULL when there is no callback for it. */
static const struct host_channel *find(const struct host_transfer *transfer, int64_t id,
                                       bool receives)
{
    struct program_channel wanted = {id, receives};
    return !transfer ? NULL
                     : bsearch(&wanted, transfer->channels, (size_t)transfer->count,
                               sizeof *transfer->channels, compare_wanted);
}

static const char *verb(bool receives)
{
    return receives ? "receives" : "sends";
}

static void free_copy(void *data, void *unused)
{
    (void)unused;
    alloc_free(data);
}

static struct error *send_to(const struct launch_host *host, int64_t id, const void *data,
                             uint64_t size)
{
    const struct host_channel *channel = find((const struct host_transfer *)host, id, false);
    struct host_chunk chunk = {.size = size, .deleter = free_copy};
    if (!channel)
        return ERROR(NOT_FOUND, "no send callback is registered for channel %lld", (long long)id);
    TRY(alloc_copy(data, size, &chunk.data));
    return channel->send_callback(channel, &chunk);
}

/* The transfer's lock must not be held while the stream's is acquired: they have the same level. */
static void set_awaited(struct host_transfer *transfer, struct host_stream *stream)
{
    fork_lock_take(fork_lock_of(transfer));
    struct host_stream *before = transfer->awaited;
    transfer->awaited = stream;
    if (stream)
        refs_retain(&stream->refs);
    bool cancelled = transfer->cancelled;
    fork_lock_release(fork_lock_of(transfer));
    if (before)
        stream_release(before);
    if (stream && cancelled)
        stream_end_locked(stream, STREAM_CANCELLED);
}

void host_transfer_cancel(struct host_transfer *transfer)
{
    if (!transfer)
        return;
    fork_lock_take(fork_lock_of(transfer));
    transfer->cancelled = true;
    struct host_stream *stream = transfer->awaited;
    if (stream)
        refs_retain(&stream->refs);
    fork_lock_release(fork_lock_of(transfer));
    if (stream) {
        stream_end_locked(stream, STREAM_CANCELLED);
        stream_release(stream);
    }
}

static struct error *receive_from(const struct launch_host *host, int64_t id, void *data,
                                  uint64_t size)
{
    const struct host_channel *channel = find((const struct host_transfer *)host, id, true);
    struct host_stream *stream;
    if (!channel)
        return ERROR(NOT_FOUND, "no receive callback is registered for channel %lld",
                     (long long)id);
    TRY(stream_create(data, size, &stream));
    set_awaited((struct host_transfer *)(uintptr_t)host, stream);
    channel->receive_callback(channel, stream);
    struct error *error = stream_wait(stream, id);
    set_awaited((struct host_transfer *)(uintptr_t)host, NULL);
    stream_release(stream);
    return error;
}

struct error *host_transfer_create(int count, const struct host_channel *channels,
                                   struct host_transfer **out)
{
    TRY(alloc_zeroed(sizeof **out + (size_t)count * sizeof *channels, out));
    struct host_transfer *transfer = *out;
    transfer->base = (struct launch_host){send_to, receive_from};
    refs_init(&transfer->refs);
    transfer->count = count;
    if (count) {
        memcpy(transfer->channels, channels, (size_t)count * sizeof *channels);
        qsort(transfer->channels, (size_t)count, sizeof *channels, compare);
    }
    for (int i = 1; i < count; i++) {
        const struct host_channel *channel = &transfer->channels[i];
        if (compare(channel - 1, channel))
            continue;
        struct error *error = ERROR(
            INVALID_ARGUMENT, "two callbacks are registered for the data that channel %lld %s",
            (long long)channel->id, verb(channel->receive_callback != NULL));
        host_transfer_release(transfer);
        *out = NULL;
        return error;
    }
    return NULL;
}

void host_transfer_retain(struct host_transfer *transfer)
{
    if (transfer)
        refs_retain(&transfer->refs);
}

void host_transfer_release(struct host_transfer *transfer)
{
    if (transfer && refs_release(&transfer->refs))
        alloc_free(transfer);
}

struct error *host_transfer_check(const struct host_transfer *transfer,
                                  const struct program *program)
{
    for (int i = 0; i < program->channel_count; i++) {
        const struct program_channel *channel = &program->channels[i];
        if (!find(transfer, channel->id, channel->receives))
            return ERROR(INVALID_ARGUMENT,
                         "'%s' %s on channel %lld, but no callback is registered for it",
                         program->name, verb(channel->receives), (long long)channel->id);
    }
    return NULL;
}

const struct launch_host *host_transfer_launch(const struct host_transfer *transfer)
{
    return transfer ? &transfer->base : NULL;
}
