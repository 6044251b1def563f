/* messages.h: point-to-point messages between participants of an execution, without a rendezvous:
 * the steps COLLECTIVE_SEND and COLLECTIVE_RECEIVE. A *lane* connects one participant to another on
 * one channel, for messages of one size, which arrive in order.
 *
 * A sender does not wait for the receiver: the message is copied, inside of this process or to the
 * network (network_post()). It waits while a lane holds MESSAGES_WAITING unreceived messages, so an
 * endless sender does not exhaust memory.
 *
 * Thread-safe; one thread at a time acts for a participant. */
#ifndef GANTRY_DEVICES_HOST_COLLECTIVES_MESSAGES_H
#define GANTRY_DEVICES_HOST_COLLECTIVES_MESSAGES_H

#include "compiler/program/program.h"
#include "devices/host/net/network.h"

enum { MESSAGES_WAITING = 16 };

struct messages;

/* Sleeps until *changes differs from `seen`, or for a moment. An error ends the wait. */
typedef struct error *messages_wait(void *context, atomic_uint *changes, unsigned seen);

struct messages_end { /* one end of a lane */
    const struct step *step;
    void *const *buffers; /* of the step */
    int self, other;      /* participants */
    int process;          /* of `other`; -1: this one */
    messages_wait *wait;
    void *context;
};

/* For a program with `steps` steps that send or receive. Owned: messages_destroy(). */
struct error *messages_create(int steps, struct messages **out);
void messages_destroy(struct messages *messages); /* accepts NULL; none waits */
/* Wakes all waiting threads to check again. */
void messages_wake(struct messages *messages); /* accepts NULL */

/* `channel` is used for ends in other processes; its errors have also failed the channel. */
struct error *messages_send(struct messages *messages, struct network_channel *channel,
                            const struct messages_end *end);
struct error *messages_receive(struct messages *messages, struct network_channel *channel,
                               const struct messages_end *end);
/* What a participant without a source receives: zeros. */
void messages_clear(const struct step *step, void *const *buffers);

#endif
