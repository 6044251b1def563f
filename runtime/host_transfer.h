/* host_transfer.h: host transfer callbacks: how a client handles the sends and receives of running
 * programs. A client passes a set of channels for each device to an execution. When a step sends,
 * the channel's `send_callback` receives the bytes; when a step receives, its `receive_callback`
 * receives a stream, and the program continues once the stream is full. Callbacks are called one
 * at a time, in the order of the program's tokens, on the thread that runs the program, with no
 * lock held: a callback may block, call any function, and execute programs. After an error no
 * further callback is called. Sets are reference-counted, and immutable except for
 * host_transfer_cancel(). Any thread may add to a stream. */
#ifndef GANTRY_RUNTIME_HOST_TRANSFER_H
#define GANTRY_RUNTIME_HOST_TRANSFER_H

#include "devices/device.h"

struct host_stream;

struct host_chunk { /* memory whose ownership moves, with its deleter */
    void *data;
    uint64_t size;
    void (*deleter)(void *data, void *deleter_arg); /* called once by the last owner; or NULL */
    void *deleter_arg;
};

struct host_channel {
    int64_t id;
    /* One of the two callbacks is set. The chunk's
     * struct is borrowed, and its data are moved; the stream is moved (host_stream_drop). */
    struct error *(*send_callback)(const struct host_channel *channel, struct host_chunk *chunk);
    void (*receive_callback)(const struct host_channel *channel, struct host_stream *stream);
    void (*callback)(void); /* the client's function, cast to a generic type */
    void *user;             /* its argument; borrowed until the execution has finished */
};

struct host_transfer;
/* Copies the channels. INVALID_ARGUMENT for two channels with the same id and direction. */
struct error *host_transfer_create(int count, const struct host_channel *channels,
                                   struct host_transfer **out);
void host_transfer_retain(struct host_transfer *transfer);  /* accepts NULL */
void host_transfer_release(struct host_transfer *transfer); /* accepts NULL */
/* INVALID_ARGUMENT unless the set (NULL: an empty one) contains all channels of the program. */
struct error *host_transfer_check(const struct host_transfer *transfer,
                                  const struct program *program);
/* The callbacks in the form that a launch uses; borrowed. NULL for NULL. */
const struct launch_host *host_transfer_launch(const struct host_transfer *transfer);
/* Ends a pending receive of the program, and every later one, with CANCELLED. Accepts NULL. */
void host_transfer_cancel(struct host_transfer *transfer);

/* Adds the next bytes (moved, also on an error); they are copied before this returns, or discarded
 * after the stream's end. INVALID_ARGUMENT when they exceed the stream's total. */
struct error *host_stream_add(struct host_stream *stream, struct host_chunk *chunk);
uint64_t host_stream_total(const struct host_stream *stream);
uint64_t host_stream_current(struct host_stream *stream);
/* Drops the client's reference to the stream; a program that still waits for bytes fails. Accepts
 * NULL. */
void host_stream_drop(struct host_stream *stream);

#endif
