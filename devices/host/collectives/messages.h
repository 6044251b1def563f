/* messages.h: what participants of an execution send each other by name, one to one, without
 * meeting: the steps COLLECTIVE_SEND and COLLECTIVE_RECEIVE. A *lane* leads from one participant to
 * another by one channel, for messages of one size, which arrive in their order.
 *
 * A sender does not wait for the receiver: the message is copied, inside of this process or to the
 * network (network_post()). It waits when a lane holds MESSAGES_WAITING messages that were not
 * received, so a program that sends for ever does not fill the memory.
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
/* Lets all that wait look again. */
void messages_wake(struct messages *messages); /* accepts NULL */

/* `channel` is used for ends in other processes; an error of it has failed it. */
struct error *messages_send(struct messages *messages, struct network_channel *channel,
                            const struct messages_end *end);
struct error *messages_receive(struct messages *messages, struct network_channel *channel,
                               const struct messages_end *end);
/* What a participant without a source receives: zeros. */
void messages_clear(const struct step *step, void *const *buffers);

#endif
