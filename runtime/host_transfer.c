#include "runtime/host_transfer.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct host_transfer {
    struct launch_host base;
    struct refs refs;
    int count;
    struct host_channel channels[]; /* sorted */
};

/* ---- streams --------------------------------------------------------------------------------- */
/* Two hold it: the thread that runs the program, and the client. */
struct host_stream {
    struct refs refs;
    uint64_t total;
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t changed;
    char *to; /* valid while the program waits */
    uint64_t current;
    bool dropped;
};

static struct error *stream_create(void *to, uint64_t total, struct host_stream **out)
{
    TRY(alloc_zeroed(sizeof **out, out));
    refs_init(&(*out)->refs);
    refs_retain(&(*out)->refs);
    (*out)->total = total;
    (*out)->to = to;
    pthread_mutex_init(&(*out)->lock, NULL);
    pthread_cond_init(&(*out)->changed, NULL);
    return NULL;
}

static void stream_release(struct host_stream *stream)
{
    if (!refs_release(&stream->refs))
        return;
    pthread_cond_destroy(&stream->changed);
    pthread_mutex_destroy(&stream->lock);
    alloc_free(stream);
}

static void chunk_free(struct host_chunk *chunk)
{
    if (chunk->deleter)
        chunk->deleter(chunk->data, chunk->deleter_arg);
}

struct error *host_stream_add(struct host_stream *stream, struct host_chunk *chunk)
{
    pthread_mutex_lock(&stream->lock);
    uint64_t current = stream->current;
    bool fits = chunk->size <= stream->total - current;
    if (fits && chunk->size) {
        memcpy(stream->to + current, chunk->data, chunk->size);
        stream->current += chunk->size;
        pthread_cond_signal(&stream->changed);
    }
    pthread_mutex_unlock(&stream->lock);
    uint64_t size = chunk->size;
    chunk_free(chunk);
    if (fits)
        return NULL;
    return ERROR(INVALID_ARGUMENT,
                 "a chunk of %llu bytes exceeds the stream's %llu, of which %llu are there",
                 (unsigned long long)size, (unsigned long long)stream->total,
                 (unsigned long long)current);
}

uint64_t host_stream_total(const struct host_stream *stream)
{
    return stream->total;
}

uint64_t host_stream_current(struct host_stream *stream)
{
    pthread_mutex_lock(&stream->lock);
    uint64_t current = stream->current;
    pthread_mutex_unlock(&stream->lock);
    return current;
}

void host_stream_drop(struct host_stream *stream)
{
    if (!stream)
        return;
    pthread_mutex_lock(&stream->lock);
    stream->dropped = true;
    pthread_cond_signal(&stream->changed);
    pthread_mutex_unlock(&stream->lock);
    stream_release(stream);
}

/* Until the stream is full; nothing is written through it afterwards. */
static struct error *stream_wait(struct host_stream *stream, int64_t channel)
{
    pthread_mutex_lock(&stream->lock);
    while (stream->current < stream->total && !stream->dropped)
        pthread_cond_wait(&stream->changed, &stream->lock);
    uint64_t current = stream->current;
    pthread_mutex_unlock(&stream->lock);
    if (current == stream->total)
        return NULL;
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
    bool receives = channel->feed != NULL;
    if (wanted->receives != receives)
        return wanted->receives ? 1 : -1;
    return (wanted->id > channel->id) - (wanted->id < channel->id);
}

static int compare(const void *left, const void *right)
{
    const struct host_channel *channel = left;
    struct program_channel wanted = {channel->id, channel->feed != NULL};
    return compare_wanted(&wanted, right);
}

/* NULL when nobody serves it. */
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
        return ERROR(NOT_FOUND, "nobody takes what channel %lld sends", (long long)id);
    TRY(alloc_copy(data, size, &chunk.data));
    return channel->take(channel, &chunk);
}

static struct error *receive_from(const struct launch_host *host, int64_t id, void *data,
                                  uint64_t size)
{
    const struct host_channel *channel = find((const struct host_transfer *)host, id, true);
    struct host_stream *stream;
    if (!channel)
        return ERROR(NOT_FOUND, "nobody feeds what channel %lld receives", (long long)id);
    TRY(stream_create(data, size, &stream));
    channel->feed(channel, stream);
    struct error *error = stream_wait(stream, id);
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
        struct error *error = ERROR(INVALID_ARGUMENT, "two callbacks for what channel %lld %s",
                                    (long long)channel->id, verb(channel->feed != NULL));
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
                         "'%s' %s on channel %lld, for which there is no callback", program->name,
                         verb(channel->receives), (long long)channel->id);
    }
    return NULL;
}

const struct launch_host *host_transfer_launch(const struct host_transfer *transfer)
{
    return transfer ? &transfer->base : NULL;
}
