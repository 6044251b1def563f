/* stress_context.h: the shared state of the threads of a stress run: a client, an executable, and
 * slots, each either empty or with a buffer and its expected value. A thread read-locks a slot to
 * use its buffer, and write-locks it to add or remove a buffer. Only trylock is used: an operation
 * that cannot lock its slots does nothing. */
#ifndef GANTRY_CONFORMANCE_STRESS_CONTEXT_H
#define GANTRY_CONFORMANCE_STRESS_CONTEXT_H

#include <pthread.h>

#include "conformance/stress_model.h"
#include "conformance/test_context.h"

enum {
    STRESS_SLOTS = 96,
    STRESS_MEMORIES = 8,
    STRESS_PENDING = 64,
    STRESS_SHAPES = 6,
    STRESS_PROGRAM_SHAPE = 0, /* of the program's arguments */
};

struct stress_shape {
    size_t rank, count;
    int64_t dims[2];
};
extern const struct stress_shape stress_context_shapes[STRESS_SHAPES];

struct stress_slot {
    pthread_rwlock_t lock;
    PJRT_Buffer *buffer; /* NULL: empty; the other fields are ignored */
    struct stress_value *value;
    int shape, memory;
    uint64_t owner; /* equal for buffers that share memory */
    bool borrowed;  /* the memory belongs to the client */
    /* Uses may fail once `deleting` is set, and must fail once `deleted` is set. */
    atomic_bool deleting, deleted;
    PJRT_FulfillAliasBufferCallback *promise; /* NULL if fulfilled or none */
    int external;                             /* number of external references */
    void *address;                            /* valid while external > 0 */
};

struct stress_context {
    struct test_context *t; /* its client is not used */
    PJRT_Client *client;
    size_t memory_count;
    PJRT_Memory *memories[STRESS_MEMORIES]; /* [0]: where programs run */
    PJRT_Device *devices[STRESS_MEMORIES];  /* the device of each memory */
    bool is_default[STRESS_MEMORIES];       /* default memory of its device */
    PJRT_LoadedExecutable *executable;      /* 2 * x + y, x donated */
    const PJRT_Gantry_Extension *gantry;    /* NULL for other plugins */
    bool computes;                          /* false for the null device, whose results are zeros */
    bool on_host;                           /* the host can read device memory */
    bool limited;                           /* memory may be exhausted */
    struct stress_slot slots[STRESS_SLOTS];
    pthread_rwlock_t running; /* read-locked by operations; write-locked to stop all of them */
    atomic_ullong owners;     /* last owner number assigned */
    atomic_llong views;       /* client arrays whose view has not called its deleter yet */
};

struct stress_loan { /* host memory that a buffer or a copy uses until the event is ready */
    float *data;     /* one reference */
    PJRT_Event *done;
};

struct stress_download { /* a copy to the host that may be pending */
    float *data;         /* its only reference */
    size_t first, count;
    struct stress_value *value; /* retained */
    PJRT_Event *done;
};

struct stress_worker {
    struct stress_context *context;
    uint64_t random;
    int operations; /* operations left to run */
    struct stress_loan loans[STRESS_PENDING];
    struct stress_download downloads[STRESS_PENDING];
    int loan_count, download_count;
    pthread_t thread;
};

/* Opens a client with two devices if possible, or one device with `limit` bytes of memory if that
 * is not 0. On failure, records a failure or a skip and returns false. */
bool stress_context_open(struct stress_context *context, struct test_context *t, int64_t limit);
void stress_context_close(struct stress_context *context);

/* Pick a random slot: an empty one, write-locked; a used one of a shape (negative: any),
 * read-locked; a used one, write-locked. NULL if none was found. */
struct stress_slot *stress_context_lock_empty(struct stress_worker *worker);
struct stress_slot *stress_context_lock_shared(struct stress_worker *worker, int shape);
struct stress_slot *stress_context_lock_exclusive(struct stress_worker *worker);
void stress_context_unlock(struct stress_slot *slot); /* accepts NULL */
/* Stores a buffer (moved) in an empty, write-locked slot; `value` is moved. */
void stress_context_put(struct stress_context *context, struct stress_slot *slot,
                        PJRT_Buffer *buffer, struct stress_value *value, int shape, int memory);
/* Destroys the buffer of a write-locked slot. */
void stress_context_clear(struct stress_context *context, struct stress_slot *slot);

/* Whether a call that creates a buffer succeeded. Records errors (moved) other than exhausted
 * memory as failures. */
bool stress_context_create_succeeded(struct stress_context *context, struct error *error);
/* The same for a call that uses the slot's buffer; `was_deleted` is the state before the call. */
bool stress_context_use_succeeded(struct stress_context *context, const struct stress_slot *slot,
                                  bool was_deleted, struct error *error);

/* Pending loans of host memory and pending copies. The _can_ functions return false if the limit is
 * reached. Events are moved. */
bool stress_context_can_lend(struct stress_worker *worker);
void stress_context_lend(struct stress_worker *worker, float *data, PJRT_Event *done);
bool stress_context_can_download(struct stress_worker *worker);
void stress_context_download(struct stress_worker *worker, const struct stress_download *download);
/* Checks and frees completed loans and copies. */
void stress_context_collect_completed(struct stress_worker *worker);
/* Wait for all pending copies, and for all loans of host memory once no buffer uses them. */
void stress_context_await_downloads(struct stress_worker *worker);
void stress_context_await_loans(struct stress_worker *worker);

/* Whether an event (borrowed) is ready. */
bool stress_context_is_ready(const struct stress_context *context, PJRT_Event *event);
/* Checks, while no operation runs, that no two buffers overlap in memory, and that the devices'
 * memory statistics include every buffer. */
void stress_context_check(struct stress_context *context);
/* Bytes in use as reported by all devices: in all memories for Gantry, in the default memories for
 * other plugins. */
int64_t stress_context_bytes(const struct stress_context *context);

#endif
