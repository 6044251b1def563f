/* communicator.h: how the participants of one execution on several devices communicate: a table of
 * methods, which devices implement (devices/host/collectives/rendezvous.h). There is one
 * communicator for each execution of a program with collectives.
 *
 * Each participant runs the program on a thread of its own and calls `collective` for every
 * STEP_COLLECTIVE that communicates, in the order of its steps. A communicator never waits without
 * limit: a participant that fails fails it, and one that does not arrive ends it with
 * DEADLINE_EXCEEDED; then all other participants get the error. Thread-safe, except that one thread
 * at a time acts for a participant. */
#ifndef GANTRY_DEVICES_COMMUNICATOR_H
#define GANTRY_DEVICES_COMMUNICATOR_H

#include <stdint.h>

#include "base/error.h"
#include "base/refs.h"
#include "devices/device.h"

struct network; /* devices/host/net/network.h */

/* What a communicator is created for (device_ops.connect): one execution of a program. */
struct communicator_setup {
    const struct program *program; /* retained by the communicator */
    /* Between processes; NULL: all participants are in this one. Borrowed while the communicator
     * lives, like the fields below. */
    struct network *network;
    const int *processes;    /* of the participants */
    const int *ordinals;     /* of their devices, in their processes */
    uint64_t scope;          /* the devices: equal in all processes, different for other devices */
    uint64_t collectives[2]; /* digest of the program's communication */
};

/* What the last participant to arrive does for all: contexts[i] is participant i's. */
typedef struct error *communicator_work(const struct step *step, void *const *contexts, int count);

struct communicator_ops {
    void (*destroy)(struct communicator *communicator); /* first */
    /* Between processes: lets the others know of the execution, whose `sequence` is set. Called
     * once, before the first participant enters, in the order of the executions of this process.
     * `is_idle`: nothing but the other processes keeps it waiting: no earlier execution, and no
     * argument or call of the client that is still to come. */
    void (*announce)(struct communicator *communicator, bool is_idle);
    /* Between processes: whether all others have announced it and are idle, so that a launch waits
     * for none of them for long. Waits for announcements, but no longer than threads spin. */
    bool (*is_awaited)(struct communicator *communicator);
    /* The participant starts to run. Returns the error if another one has failed already. */
    struct error *(*enter)(struct communicator *communicator, int participant);
    /* Runs a STEP_COLLECTIVE of the communicator's program, or of one with equal collectives.
     * `buffers`: the addresses of its slices. Returns once the results are written and the operands
     * are read by all. */
    struct error *(*collective)(struct communicator *communicator, int participant,
                                const struct step *step, void *const *buffers);
    /* (optional) Runs a STEP_CUSTOM_CALL that meets, of participants in one process: `work` runs
     * once, on the last participant's thread, while the others wait for it. An error of it fails
     * all. */
    struct error *(*together)(struct communicator *communicator, int participant,
                              const struct step *step, communicator_work *work, void *context);
    /* Ends all waits, now and later, with a copy of `error` (borrowed), and stops the launches that
     * have limits. `participant` is the failed one, or -1. The first call counts. */
    void (*fail)(struct communicator *communicator, int participant, const struct error *error);
    /* An owned copy of the error with which it has failed, or NULL. */
    struct error *(*failure)(struct communicator *communicator);
};

struct communicator { /* embedded at the beginning of an implementation */
    const struct communicator_ops *ops;
    struct refs refs;
    /* What each participant runs: for its launch. They live as long as the communicator, so any
     * thread may read them, and stop those that have not failed. */
    struct launch_progress *progress;
    /* Between processes: the number of the execution among those on the same devices, in all
     * processes. Set before announce(). */
    uint64_t sequence;
};

static inline void communicator_init(struct communicator *communicator,
                                     const struct communicator_ops *ops)
{
    communicator->ops = ops;
    communicator->sequence = 0;
    refs_init(&communicator->refs);
}
static inline void communicator_retain(struct communicator *communicator)
{
    refs_retain(&communicator->refs);
}
static inline void communicator_release(struct communicator *communicator) /* accepts NULL */
{
    if (communicator && refs_release(&communicator->refs))
        communicator->ops->destroy(communicator);
}
static inline void communicator_announce(struct communicator *communicator, bool is_idle)
{
    communicator->ops->announce(communicator, is_idle);
}
static inline bool communicator_is_awaited(struct communicator *communicator)
{
    return communicator->ops->is_awaited(communicator);
}
static inline struct error *communicator_enter(struct communicator *communicator, int participant)
{
    return communicator->ops->enter(communicator, participant);
}
static inline struct error *communicator_collective(struct communicator *communicator,
                                                    int participant, const struct step *step,
                                                    void *const *buffers)
{
    return communicator->ops->collective(communicator, participant, step, buffers);
}
static inline struct error *communicator_together(struct communicator *communicator,
                                                  int participant, const struct step *step,
                                                  communicator_work *work, void *context)
{
    return communicator->ops->together
               ? communicator->ops->together(communicator, participant, step, work, context)
               : ERROR(UNIMPLEMENTED, "custom calls that devices of several processes run together "
                                      "are not supported");
}
static inline struct error *communicator_failure(struct communicator *communicator)
{
    return communicator->ops->failure(communicator);
}
static inline void communicator_fail(struct communicator *communicator, int participant,
                                     const struct error *error)
{
    communicator->ops->fail(communicator, participant, error);
}

#endif
