/* host_transfer_tsan.c: programs that send and receive while several threads feed their streams.
 * Exits 0 when every byte is right and the thread sanitizer reports nothing. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "runtime/host_transfer.h"

enum { FEEDERS = 4, PIECE = 64, BYTES = FEEDERS * 8 * PIECE, ROUNDS = 50, PROGRAMS = 3 };

static atomic_int wrong, freed;

struct feeding { /* one stream, fed by several threads; the last one drops it */
    struct host_stream *stream;
    struct refs refs;
    pthread_t threads[FEEDERS];
};

static void count_free(void *data, void *unused)
{
    (void)data, (void)unused;
    atomic_fetch_add(&freed, 1);
}

static void *feed_pieces(void *argument)
{
    struct feeding *feeding = argument;
    char piece[PIECE];
    memset(piece, 7, sizeof piece);
    for (int i = 0; i < BYTES / PIECE / FEEDERS; i++) {
        struct host_chunk chunk = {piece, PIECE, count_free, NULL};
        struct error *error = host_stream_add(feeding->stream, &chunk);
        atomic_fetch_add(&wrong, error != NULL);
        error_free(error);
    }
    if (refs_release(&feeding->refs))
        host_stream_drop(feeding->stream);
    return NULL;
}

static void feed(const struct host_channel *channel, struct host_stream *stream)
{
    struct feeding *feeding = channel->user;
    feeding->stream = stream;
    refs_init(&feeding->refs);
    for (int i = 1; i < FEEDERS; i++)
        refs_retain(&feeding->refs);
    for (int i = 0; i < FEEDERS; i++)
        pthread_create(&feeding->threads[i], NULL, feed_pieces, feeding);
}

static struct error *take(const struct host_channel *channel, struct host_chunk *chunk)
{
    (void)channel;
    atomic_fetch_add(&wrong, chunk->size != BYTES || ((const char *)chunk->data)[0] != 7);
    chunk->deleter(chunk->data, chunk->deleter_arg);
    return NULL;
}

static void *run_program(void *unused)
{
    struct feeding feeding;
    struct host_channel channels[] = {{.id = 1, .take = take},
                                      {.id = 1, .feed = feed, .user = &feeding}};
    struct host_transfer *transfer;
    char data[BYTES];
    (void)unused;
    struct error *error = host_transfer_create(2, channels, &transfer);
    const struct launch_host *host = host_transfer_launch(transfer);
    for (int i = 0; i < ROUNDS && !error; i++) {
        memset(data, 0, sizeof data);
        error = host->receive(host, 1, data, BYTES);
        for (int k = 0; k < BYTES; k++)
            atomic_fetch_add(&wrong, data[k] != 7);
        if (!error)
            error = host->send(host, 1, data, BYTES);
        for (int k = 0; k < FEEDERS; k++)
            pthread_join(feeding.threads[k], NULL);
    }
    atomic_fetch_add(&wrong, error != NULL);
    error_free(error);
    host_transfer_release(transfer);
    return NULL;
}

int main(void)
{
    pthread_t threads[PROGRAMS];
    for (int i = 0; i < PROGRAMS; i++)
        pthread_create(&threads[i], NULL, run_program, NULL);
    for (int i = 0; i < PROGRAMS; i++)
        pthread_join(threads[i], NULL);
    int expected = PROGRAMS * ROUNDS * BYTES / PIECE;
    printf("%d wrong, %d of %d chunks freed\n", wrong, freed, expected);
    return wrong || freed != expected;
}
