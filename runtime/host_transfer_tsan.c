/* host_transfer_tsan.c: programs that send and receive while several threads write to their
 * streams. Exits 0 when every byte is right and the thread sanitizer reports nothing. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "runtime/host_transfer.h"

enum { WRITERS = 4, PIECE = 64, BYTES = WRITERS * 8 * PIECE, ROUNDS = 50, PROGRAMS = 3 };

static atomic_int wrong, freed;

struct stream_writers { /* one stream, written by several threads; the last one drops it */
    struct host_stream *stream;
    struct refs refs;
    pthread_t threads[WRITERS];
};

static void count_free(void *data, void *unused)
{
    (void)data, (void)unused;
    atomic_fetch_add(&freed, 1);
}

static void *write_pieces(void *argument)
{
    struct stream_writers *writers = argument;
    char piece[PIECE];
    memset(piece, 7, sizeof piece);
    for (int i = 0; i < BYTES / PIECE / WRITERS; i++) {
        struct host_chunk chunk = {piece, PIECE, count_free, NULL};
        struct error *error = host_stream_add(writers->stream, &chunk);
        atomic_fetch_add(&wrong, error != NULL);
        error_free(error);
    }
    if (refs_release(&writers->refs))
        host_stream_drop(writers->stream);
    return NULL;
}

static void on_receive(const struct host_channel *channel, struct host_stream *stream)
{
    struct stream_writers *writers = channel->user;
    writers->stream = stream;
    refs_init(&writers->refs);
    for (int i = 1; i < WRITERS; i++)
        refs_retain(&writers->refs);
    for (int i = 0; i < WRITERS; i++)
        pthread_create(&writers->threads[i], NULL, write_pieces, writers);
}

static struct error *on_send(const struct host_channel *channel, struct host_chunk *chunk)
{
    (void)channel;
    atomic_fetch_add(&wrong, chunk->size != BYTES || ((const char *)chunk->data)[0] != 7);
    chunk->deleter(chunk->data, chunk->deleter_arg);
    return NULL;
}

static void *run_program(void *unused)
{
    struct stream_writers writers;
    struct host_channel channels[] = {{.id = 1, .send_callback = on_send},
                                      {.id = 1, .receive_callback = on_receive, .user = &writers}};
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
        for (int k = 0; k < WRITERS; k++)
            pthread_join(writers.threads[k], NULL);
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
