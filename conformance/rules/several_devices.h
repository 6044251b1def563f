/* several_devices.h: for rules about several devices: a client that has some, and executions on
 * all devices of a program. */
#ifndef GANTRY_CONFORMANCE_SEVERAL_DEVICES_H
#define GANTRY_CONFORMANCE_SEVERAL_DEVICES_H

#include "conformance/rules/sample_programs.h"

enum { MOST_DEVICES = 8 };

/* The addressable devices of the client, at most so many, and their ids. */
struct device_list {
    PJRT_Device *at[MOST_DEVICES];
    int ids[MOST_DEVICES];
    int count;
};

/* Declares `list` with at least two devices, or skips the rule. Where the plugin's own default is
 * one device, it is asked for eight with the variables that clients set: CPU_NUM_DEVICES (PyTorch/
 * XLA), XLA_FLAGS=--xla_force_host_platform_device_count (XLA), and TPU_CHIPS_PER_PROCESS_BOUNDS
 * with TPU_PROCESS_BOUNDS (libtpu). Those that are set already stay as they are. */
#define NEED_DEVICES(t, list)                                                                      \
    struct device_list list;                                                                       \
    RULE_NEED_(devices_open((t), &(list)))
bool devices_open(struct rule_context *t, struct device_list *out);

/* Checks how many replicas and partitions an executable for two devices states. */
void devices_check_counts(struct rule_context *t, PJRT_LoadedExecutable *loaded, size_t replicas,
                          size_t partitions);

/* An execution on `count` devices, with one argument and one result each. */
struct gang {
    PJRT_LoadedExecutable *executable;
    PJRT_Buffer *const *inputs; /* by device; NULL: the program has no arguments */
    int count;
    PJRT_Event **done; /* NULL, or an array that gets events (owned) */
};
/* Does not wait. `outputs` gets an owned buffer for each device. */
struct error *gang_start(struct rule_context *t, const struct gang *gang, PJRT_Buffer **outputs);

/* Uploads the sample to each of the first devices, that of device i multiplied by i + 1. */
struct error *gang_upload(struct rule_context *t, const struct device_list *list, int count,
                          PJRT_Buffer **out /*owned*/);
void gang_destroy(struct rule_context *t, PJRT_Buffer *const *buffers, int count);

#endif
