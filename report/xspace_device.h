/* xspace_device.h: the plane of one device in the form that xprof's tools read. They require planes
 * "/device:TPU:<number>" with the lines "Steps", "XLA Modules" and "XLA Ops" for any device; the
 * stat "device_type_string" identifies it. They use stats of the plane (peak rates) and of each
 * kind of event (program, category, flops, bytes). Sources of the names:
 * tsl/profiler/utils/xplane_schema.cc, and xprof/convert of the xprof repository.
 *
 * All calls must be inside arena_run(). One thread at a time. */
#ifndef GANTRY_REPORT_XSPACE_DEVICE_H
#define GANTRY_REPORT_XSPACE_DEVICE_H

#include "base/trace.h"
#include "report/xplane.h"

struct target; /* compiler/target.h */
struct program;

enum xspace_line { XSPACE_STEPS, XSPACE_MODULES, XSPACE_OPERATIONS, XSPACE_LINES };

struct xspace_device {
    struct arena *arena;
    struct xplane *plane;          /* with the lines above; more may follow */
    uint64_t start_ns;             /* of the lines */
    double peak_flops, peak_bytes; /* a second; 0: unknown */
    /* so far */
    int64_t steps; /* executions */
    double seconds, flops, bytes;
};

struct xspace_operation {
    const char *label;    /* step_label.h */
    const char *name;     /* of its instruction in the HLO module; NULL: the label's name */
    const char *category; /* XLA's: "loop fusion", "all-reduce"; static */
    double flops, bytes;  /* of one execution */
    double written;       /* of `bytes`; the others are read */
    int64_t program;      /* xspace_device_program() */
    int64_t number;       /* among the operations of the program, from 1 */
};

/* In the arena. `id` is the plane's number, `device` the device's; of a modeled accelerator the
 * peak rates are its own, else those of the host's cores (compiler/analysis/rates.def). */
struct xspace_device *xspace_device_create(struct arena *arena, int64_t id, int device,
                                           const struct target *target, uint64_t start_ns);

/* The number of a program in all planes: above 0, and the same in other processes. */
int64_t xspace_device_program(const struct program *program);

/* Adds an execution, which is a step of the client, too, unless its profile says otherwise. */
void xspace_device_execution(struct xspace_device *device, const struct trace_event *execution,
                             const struct program *program, int64_t offset_ps, int64_t duration_ps);

/* Returns the kind of all events of an operation. */
int64_t xspace_device_kind(struct xspace_device *device, const struct xspace_operation *operation);
void xspace_device_event(struct xspace_device *device, int line, int64_t kind,
                         const struct xspace_operation *operation, int64_t offset_ps,
                         int64_t duration_ps);

/* The use of the devices' peak rates while they executed, as stats of the host's plane. */
void xspace_device_add_use(struct xplane *host, struct xspace_device *const *devices, size_t count);

/* A number of flops or bytes as a stat has it: not negative, and no more than an int64_t holds. */
int64_t xspace_device_whole(double number);

#endif
