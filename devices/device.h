/* device.h: what a device is to the runtime: data about it, and a table of methods. A device
 * library (libgantry_cpu.so, libgantry_tpu.so) defines one `struct device_library`; the runtime's
 * client owns the devices it creates. Thread-safety: all methods may be called from many threads at
 * once. */
#ifndef GANTRY_DEVICES_DEVICE_H
#define GANTRY_DEVICES_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/fpu.h"
#include "compiler/program/program.h"
#include "compiler/target.h"
#include "memory/space.h"

struct device;

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
    /* parameter_count addresses, 64-byte aligned or as the client gave them */
    void *const *parameters;
    void *const *results; /* result_count addresses; may equal a donated parameter's */
    void *temp;           /* temp_size bytes, 64-byte aligned, or NULL when 0 */
    int device_ordinal;
    int64_t run_id;
    const void *context;            /* the runtime's, for custom calls; borrowed */
    const struct launch_host *host; /* borrowed; may be NULL for a program without channels */
    struct fpu_mode client_mode;    /* in which the client's functions are called */
};

struct device_ops {
    void (*destroy)(struct device *device); /* first */
    /* Runs the program to its end on the calling thread and the pool. The memory of `launch` stays
     * valid throughout. Errors name the step. */
    struct error *(*launch)(struct device *device, const struct launch *launch);
};

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
    const struct target *target;
    int attribute_count;
    const struct attribute *attributes;
    /* 3: device, pinned_host, unpinned_host; [0] is the default memory */
    int space_count;
    struct space *spaces[3]; /* owned */
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
    /* Creates all devices (owned: each by ops->destroy; the array by alloc_free). Cheap and lazy:
     * no thread. */
    struct error *(*create)(const struct device_options *options, int *count,
                            struct device ***devices);
};

#endif
