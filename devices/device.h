/* device.h: what a device is to the runtime: data about it, and a table of methods. A device
 * library (libgantry_cpu.so, libgantry_tpu.so; devices.def lists them) defines one `struct
 * device_library`; the runtime's client owns the devices it creates.
 *
 * A device owns the access to its memory. An address in that memory (storage.address, the addresses
 * of a launch) is the device's own: others hand it on and never follow it. What goes in and out
 * goes through `copy`, which also converts between layouts. A device whose memory the host
 * addresses, or that can move bytes only, gets `copy` from devices/host/host_copy.h.
 *
 * Thread-safety: all methods may be called from many threads at once. */
#ifndef GANTRY_DEVICES_DEVICE_H
#define GANTRY_DEVICES_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/fpu.h"
#include "base/shape.h"
#include "compiler/program/program.h"
#include "compiler/target.h"
#include "memory/space.h"

struct device;

/* ---- launches -------------------------------------------------------------------------------- */
/* The host's end of a program's sends and receives; called on the thread that runs the program. */
struct launch_host {
    /* Returns when the client has taken the bytes. */
    struct error *(*send)(const struct launch_host *host, int64_t channel, const void *data,
                          uint64_t size);
    /* Returns when the client has filled `data`. */
    struct error *(*receive)(const struct launch_host *host, int64_t channel, void *data,
                             uint64_t size);
};

struct launch { /* one execution of a program on one device */
    const struct program *program;
    /* parameter_count addresses, 64-byte aligned or as the client gave them; the device's own */
    void *const *parameters;
    void *const *results; /* result_count addresses; may equal a donated parameter's */
    int device_ordinal;
    int64_t run_id;
    const void *context;            /* the runtime's, for custom calls; borrowed */
    const struct launch_host *host; /* borrowed; may be NULL for a program without channels */
    struct fpu_mode client_mode;    /* in which the client's functions are called */
    /* Borrowed. When it is not 0 any more, the launch ends soon, with CANCELLED: it is looked at in
     * loops and between parts of large steps. NULL: the program is not to be stopped. */
    const atomic_uint *stop;
};

/* ---- copies ---------------------------------------------------------------------------------- */
struct copy_end { /* what a copy reads or writes: a range of a device's memory or of the host's */
    struct device *device;   /* NULL: the host */
    struct storage *storage; /* the device's */
    void *host;              /* the host's; not written when the copy reads it */
    uint64_t offset;         /* of the range, in bytes */
    /* Where both ends have a shape, elements move from one layout to the other; the shapes are
     * equal
     * but for the layout and the memory kind. Element types below a byte come from the host in any
     * form and are stored in the programs' (strided_copy.h). Without shapes bytes move. */
    const struct shape *shape;
    const int64_t *byte_strides; /* the host's, in place of the shape's layout; or NULL */
};

struct device_copy {
    struct copy_end from, to; /* one of them or both in a device's memory; they do not overlap */
    uint64_t size;            /* bytes of the range at either end */
    /* NULL: the copy is complete when the method returns. Else called once, when it is complete, on
     * any thread, perhaps before the method returns. */
    void (*done)(struct error *error /*moved*/, void *context);
    void *context;
};

struct device_ops {
    void (*destroy)(struct device *device); /* first */
    /* Runs the program to its end on the calling thread and the pool. The memory of `launch` stays
     * valid throughout; memory for temporaries is the device's to get. Errors name the step. */
    struct error *(*launch)(struct device *device, const struct launch *launch);
    /* Copies to `device`, or from it when `to` is the host. All that *copy points to (not *copy
     * itself) stays valid until it is complete, and the ranges are inside of their storages. On an
     * error `done` is not called. UNIMPLEMENTED for layouts that the device does not know. */
    struct error *(*copy)(struct device *device, const struct device_copy *copy);
    /* (optional) The address at which the host reads and writes the storage, or NULL: none. */
    void *(*address)(struct device *device, const struct storage *storage);
};

/* ---- facts ----------------------------------------------------------------------------------- */

enum attribute_kind {
    ATTRIBUTE_STRING,
    ATTRIBUTE_INT,
    ATTRIBUTE_INTS,
    ATTRIBUTE_REAL,
    ATTRIBUTE_BOOL
};
struct attribute { /* a named fact for clients; static or borrowed until its owner goes */
    const char *name;
    enum attribute_kind kind;
    const char *string;
    int64_t integer;
    const int64_t *integers;
    int count;
    double real;
};

struct device {
    const struct device_ops *ops;
    int id, local_ordinal;
    const char *kind;              /* "cpu", "TPU v5 lite" */
    const char *text, *debug_text; /* ToString and DebugString */
    struct target target;          /* for the compiler; memory_bytes is the capacity of spaces[0] */
    int attribute_count;
    const struct attribute *attributes; /* the device's own */
    /* Copies up to this many bytes take less time than handing them to another thread: they are
     * asked for without `done`. */
    uint64_t immediate_copy_bytes;
    bool shares_host_memory; /* programs use aligned host memory in place, at its address */
    /* 3: device, pinned_host, unpinned_host; [0] is the default memory */
    int space_count;
    struct space *spaces[MEMORY_KIND_COUNT]; /* owned */
};

struct device_options { /* from PJRT create options; NULL or 0: default */
    const char *platform_name;
    int device_count;
    const char *topology;
    uint64_t memory_limit;
};

struct device_library {
    const char *name;          /* "cpu", "tpu": what create-option `device` is checked against */
    const char *platform_name; /* as clients see it */
    bool is_host;              /* XLA's flags for the host's platform apply */
    /* Creates all devices (owned: each by ops->destroy; the array by alloc_free). Cheap and lazy:
     * no thread. */
    struct error *(*create)(const struct device_options *options, int *count,
                            struct device ***devices);
};

#endif
