/* host_transfer.h: host transfer callbacks: what a client does with the sends and receives of
 * running programs. A client gives an execution a set of channels for each device. When a step
 * sends, the channel's `take` gets the bytes; when a step receives, its `feed` gets a stream, and
 * the program goes on once the stream is full. Steps come one after another, in the order of the
 * program's tokens, on the thread that runs the program, which holds no lock meanwhile: a callback
 * may block, call anything, and execute programs. After an error no further callback is called.
 * Sets are counted and immutable but for host_transfer_cancel(). Any thread may add to a stream. */
#ifndef GANTRY_RUNTIME_HOST_TRANSFER_H
#define GANTRY_RUNTIME_HOST_TRANSFER_H

#include "devices/device.h"

struct host_stream;

struct host_chunk { /* memory that changes hands with the way to free it */
    void *data;
    uint64_t size;
    void (*deleter)(void *data, void *deleter_arg); /* called once, by who holds it last; or NULL */
    void *deleter_arg;
};

struct host_channel {
    int64_t id;
    /* One of the two: what a program sends is taken, or what it receives is fed. The chunk's struct
     * is borrowed, its data are moved; the stream is moved: host_stream_drop. */
    struct error *(*take)(const struct host_channel *channel, struct host_chunk *chunk);
    void (*feed)(const struct host_channel *channel, struct host_stream *stream);
    void (*callback)(void); /* the client's function behind it, under another type */
    void *user;             /* its argument; borrowed until the execution has finished */
};

struct host_transfer;
/* Copies the channels. INVALID_ARGUMENT for two of one id and direction. */
struct error *host_transfer_create(int count, const struct host_channel *channels,
                                   struct host_transfer **out);
void host_transfer_retain(struct host_transfer *transfer);  /* accepts NULL */
void host_transfer_release(struct host_transfer *transfer); /* accepts NULL */
/* INVALID_ARGUMENT unless the set (NULL: an empty one) has all channels of the program. */
struct error *host_transfer_check(const struct host_transfer *transfer,
                                  const struct program *program);
/* For a launch; borrowed; NULL for NULL. */
const struct launch_host *host_transfer_launch(const struct host_transfer *transfer);
/* Ends the wait of the program's receive, if there is one, and every later one: CANCELLED. Accepts
 * NULL. */
void host_transfer_cancel(struct host_transfer *transfer);

/* Adds the next bytes (moved, also on an error), which have arrived when this returns.
 * INVALID_ARGUMENT when there would be too many. */
struct error *host_stream_add(struct host_stream *stream, struct host_chunk *chunk);
uint64_t host_stream_total(const struct host_stream *stream);
uint64_t host_stream_current(struct host_stream *stream);
/* The client gives the stream up; a program that still waits for bytes fails. Accepts NULL. */
void host_stream_drop(struct host_stream *stream);

#endif
