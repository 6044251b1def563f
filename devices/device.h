/* device.h: the interface between the runtime and a device: data about the device and a table of
 * methods. A device library (libgantry_cpu.so, libgantry_tpu.so; devices.def lists them) defines
 * one `struct device_library`; the runtime's client owns the devices it creates.
 *
 * Only a device accesses its memory. An address in that memory (storage.address, the addresses of a
 * launch) has meaning only to the device: other code passes it on and never dereferences it. All
 * transfers use `copy`, which also converts between layouts. A device whose memory is addressable
 * by the host, or that can only move bytes, implements `copy` with devices/host/copies/host_copy.h.
 *
 * Thread-safety: all methods may be called concurrently. */
#ifndef GANTRY_DEVICES_DEVICE_H
#define GANTRY_DEVICES_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/activity.h"
#include "base/error.h"
#include "base/fpu.h"
#include "base/shape.h"
#include "compiler/program/program.h"
#include "compiler/target.h"
#include "memory/numa_placement.h"
#include "memory/space.h"

struct device;
struct communicator; /* devices/communicator.h */
struct communicator_setup;
struct storage_hold; /* memory/storage.h */

/* ---- launches -------------------------------------------------------------------------------- */
/* The host transfer callbacks of a launch; called on the thread that runs the program. */
struct launch_host {
    /* Returns after the client has consumed the bytes. */
    struct error *(*send)(const struct launch_host *host, int64_t channel, const void *data,
                          uint64_t size);
    /* Returns after the client has filled `data`. */
    struct error *(*receive)(const struct launch_host *host, int64_t channel, void *data,
                             uint64_t size);
};

/* The current step of a launch, for other threads. */
struct launch_progress {
    struct kernel_limits limits; /* of a program that can be stopped (launch.limits) */
    /* The innermost one that runs; NULL before and after the launch. Readers of more than its
     * address must hold fork_lock_of(progress). */
    _Atomic(const struct step *) step;
    atomic_bool calls_client; /* a function of the client runs and has to return */
};

struct launch { /* one execution of a program on one device */
    const struct program *program;
    /* parameter_count device addresses, 64-byte aligned or as provided by the client */
    void *const *parameters;
    /* Holds on their storages, NULL for none. With a read hold, contents do not change during the
     * launch. NULL: unknown. */
    const struct storage_hold *arguments;
    void *const *results; /* result_count addresses; may equal a donated parameter's */
    int device_ordinal;
    int participant; /* logical id: replica * num_partitions + partition */
    /* Of the devices of the execution; borrowed; may be NULL for a program without collectives. */
    struct communicator *communicator;
    int64_t run_id;
    const void *context;            /* opaque runtime context for custom calls; borrowed */
    const struct launch_host *host; /* borrowed; may be NULL for a program without channels */
    struct fpu_mode client_mode;    /* floating-point mode for calls of the client's functions */
    struct activity *activity;      /* (optional) where the device notes its steps; borrowed */
    /* Borrowed. Once its `stop` is nonzero or its budget negative, the launch ends soon with
     * CANCELLED: they are polled in loops and between parts of large steps. NULL: the launch runs
     * to its end. */
    struct kernel_limits *limits;
    struct launch_progress *progress; /* borrowed; may be NULL */
    const char *where;                /* the device, for messages; may be NULL */
};

/* ---- copies ---------------------------------------------------------------------------------- */
struct copy_end { /* the source or destination of a copy: a range of device or host memory */
    struct device *device;   /* NULL: the host */
    struct storage *storage; /* device storage */
    void *host;              /* host address; read-only if it is the source */
    uint64_t offset;         /* of the range, in bytes */
    /* If both ends have a shape, elements are converted from one layout to the other; the shapes
     * are equal except for the layout and the memory kind. Elements narrower than a byte may have
     * any form on the host and are normalized on the device (strided_copy.h). Without shapes, bytes
     * are copied. */
    const struct shape *shape;
    const int64_t *byte_strides; /* host only: replaces the shape's layout; or NULL */
};

struct device_copy {
    struct copy_end from, to; /* at least one end is in device memory; they do not overlap */
    uint64_t size;            /* bytes of the range at either end */
    /* NULL: the method returns after the copy is complete. Otherwise called once, on any thread,
     * when the copy is complete, possibly before the method returns. */
    void (*done)(struct error *error /*moved*/, void *context);
    void *context;
};

struct device_ops {
    void (*destroy)(struct device *device); /* first */
    /* Runs the program to completion on the calling thread and the thread pool. The memory of
     * `launch` stays valid during the call. The device allocates the temporaries. Errors name the
     * step. */
    struct error *(*launch)(struct device *device, const struct launch *launch);
    /* Copies to `device`, or from it if `to` is the host. Everything that *copy points to (not
     * *copy itself) stays valid until the copy is complete, and the ranges are inside their
     * storages. If the method returns an error, `done` is not called. UNIMPLEMENTED for unsupported
     * layouts. */
    struct error *(*copy)(struct device *device, const struct device_copy *copy);
    /* (optional) Creates the communicator of one execution on devices of this library, of a program
     * with collectives. *out is owned: communicator_release(). */
    struct error *(*connect)(struct device *device, const struct communicator_setup *setup,
                             struct communicator **out);
    /* (optional) The address at which the host can read and write the storage, or NULL if there is
     * none. */
    void *(*address)(struct device *device, const struct storage *storage);
    /* (optional) Bytes of the device's own memory for which an array counts, where these are not
     * the bytes of its elements: a modeled device pads arrays. */
    uint64_t (*array_bytes)(const struct device *device, const struct shape *shape);
    /* (optional) Gives a shape the layout that an array has on the device: the tiles of the order
     * of dimensions that it has (`ordered`), or the device's default layout. The shape is valid;
     * arrays are its own or in `room`. A device has this method if it models an accelerator's
     * layouts: clients see these, but the device stores every array row-major without tiles. The
     * shapes of copies have no layout then. NULL: arrays are stored in the layout that they have,
     * row-major by default, and densely, whatever tiles clients request. */
    void (*lay_out)(const struct device *device, bool ordered, struct shape *shape,
                    struct shape_layout *room);
};

/* ---- facts ----------------------------------------------------------------------------------- */

enum attribute_kind {
    ATTRIBUTE_STRING,
    ATTRIBUTE_INT,
    ATTRIBUTE_INTS,
    ATTRIBUTE_REAL,
    ATTRIBUTE_BOOL
};
struct attribute { /* a named attribute for clients; static, or valid as long as its owner */
    const char *name;
    enum attribute_kind kind;
    const char *string;
    int64_t integer;
    const int64_t *integers;
    int count;
    double real;
};

/* Where devices are: a slice is a grid of chips, x fastest, and each process has an equal box of
 * them. Several slices have the same grid. */
struct device_grid {
    int bounds[3];  /* chips of a slice */
    int process[3]; /* chips of a process */
    int devices_per_chip, cores_per_device;
    int slices;
};

struct device {
    const struct device_ops *ops;
    int id, local_ordinal;
    int process_index; /* that of the client, except in a topology that is only described */
    const char *kind;  /* "cpu", "TPU v5 lite" */
    const char *text, *debug_text; /* ToString and DebugString */
    const char *version;           /* the platform version of its client; NULL: Gantry's own */
    /* Text that as device_options.topology makes the same devices; NULL: there is none. */
    const char *topology;
    struct target target; /* for the compiler; memory_bytes are the capacities of the spaces */
    int attribute_count;
    const struct attribute *attributes; /* owned by the device */
    const struct device_grid *grid;     /* of all devices; owned by the device; NULL: none */
    int64_t coords[3], core_on_chip;    /* in the grid */
    /* Copies of at most this many bytes are faster than handing them to another thread, so the
     * runtime requests them without `done`. */
    uint64_t immediate_copy_bytes;
    struct numa_placement placement; /* NUMA nodes close to the device */
    bool shares_host_memory;         /* programs can use aligned host memory in place */
    bool is_apart; /* its memory is not the host's, or modeled so: PJRT_Buffer_IsOnCpu is false */
    /* 3: device, pinned_host, unpinned_host; [0] is the default memory */
    int space_count;
    struct space *spaces[MEMORY_KIND_COUNT]; /* owned */
};

struct device_options { /* from PJRT create options; NULL or 0: default */
    const char *platform_name;
    int device_count;
    const char *topology; /* may be options only (",num_slices=2"), for the default topology */
    bool is_described;    /* for a topology without a client */
    uint64_t memory_limit[MEMORY_KIND_COUNT]; /* bytes of each device's memory of a kind */
    bool plans_only;                          /* target.plans_only */
    /* Those of one process of a job: how many devices come before them, the process of all of them,
     * and how many processes there are (0 or 1: no job). */
    int first_id, process_index, process_count;
};

struct device_job {     /* the processes of a client */
    int process, count; /* this one, and how many; count 0 or 1: one process */
    int devices;        /* of each process; 0: as device_options says */
};

struct device_library {
    const char *name;          /* "cpu", "tpu"; compared with the create option `device` */
    const char *platform_name; /* the platform name reported to clients */
    bool is_host;              /* XLA's flags for the host platform apply */
    bool has_processes;        /* clients of several processes are supported */
    /* (optional) Completes a job from create options with values from the environment.
     * INVALID_ARGUMENT when these disagree. */
    struct error *(*find_job)(const struct device_options *options, struct device_job *job);
    bool has_grid; /* devices have a grid: the TpuTopology extension is offered */
    /* Creates all devices (owned: destroy each with ops->destroy, free the array with alloc_free).
     * Cheap: starts no threads. */
    struct error *(*create)(const struct device_options *options, int *count,
                            struct device ***devices);
};

#endif
