/* net_message.h: messages about executions between the processes of a job, and the tags of all
 * messages.
 *
 * The job has a random token, which its processes get from the client's key-value store. A tag is a
 * keyed hash (SipHash-2-4, Aumasson and Bernstein 2012) of the identity of its message, with the
 * token as its key, and every message of this file contains the token. So no message of a sender
 * without the token is received. Pure functions; thread-safe. */
#ifndef GANTRY_DEVICES_HOST_NET_NET_MESSAGE_H
#define GANTRY_DEVICES_HOST_NET_NET_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { NET_TOKEN = 16, NET_TEXT = 384 }; /* bytes */

struct net_execution { /* the same in all processes that take part */
    uint64_t scope;    /* the devices, hashed */
    uint64_t sequence; /* of the executions on exactly these devices */
};

enum net_kind {
    NET_LAUNCH, /* the sender executes the program; text: its name */
    NET_FAIL,   /* the execution has failed in the sender; text: the error's message */
    /* The sender's client is destroyed: after all other messages; text: the error of its last
     * execution that failed, or nothing. Sent again when the others have received everything. */
    NET_LEAVE,
    /* The sender waits for `awaited`: for the receiver itself, whose answer says for whom it waits,
     * and so on; text: the operation (network_wait.c). */
    NET_WAIT
};

struct net_message { /* as it is sent, between machines of one byte order */
    char mark[4];
    uint16_t version, kind;
    uint8_t token[NET_TOKEN];
    struct net_execution execution;
    uint64_t program[2]; /* digest of its collectives and devices */
    uint64_t devices[2]; /* sets of devices (network_share): the sender's and the receiver's */
    uint32_t sender;     /* a process */
    /* Of NET_FAIL: PJRT's; of NET_LAUNCH: 1 if the sender is idle; of NET_LEAVE: 1 if it is the
     * last message; of NET_WAIT: 1 if it is an answer. */
    uint32_t code;
    uint32_t awaited; /* a process; of NET_WAIT: the sender if it no longer waits */
    uint32_t text_size;
    char text[NET_TEXT + 1]; /* followed by a zero, which is not sent */
};

/* Fills the parts that are the same in all messages; `text` is cut to NET_TEXT bytes. */
void net_message_make(struct net_message *message, enum net_kind kind,
                      const uint8_t token[NET_TOKEN], int sender, const char *text);
/* Bytes to send. */
size_t net_message_size(const struct net_message *message);
/* Reads `size` received bytes. Errors: INVALID_ARGUMENT for anything but a message with this token
 * of a process of the job, which has `processes`, other than the receiver. */
struct error *net_message_read(const void *bytes, size_t size, const uint8_t token[NET_TOKEN],
                               int processes, int receiver, struct net_message *out);

/* SipHash-2-4 of `count` words. */
uint64_t net_message_hash(const uint8_t key[NET_TOKEN], const uint64_t *words, size_t count);

#endif
