/* compile_options.h: the fields of a CompileOptionsProto that Gantry honours. Field numbers are
 * those of the public proto; the wire is walked for depth and sizes before protobuf-c reads it. */
#ifndef GANTRY_COMPILER_FRONTEND_COMPILE_OPTIONS_H
#define GANTRY_COMPILER_FRONTEND_COMPILE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

struct module;

enum { COMPILE_OPTIONS_MAX_DEVICES = 1 << 20 };

struct compile_options {
    int num_replicas, num_partitions; /* 1 .. COMPILE_OPTIONS_MAX_DEVICES, as is their product */
    int assignment_count;             /* num_replicas * num_partitions; 0: no assignment given */
    const int64_t *device_assignment; /* [replica][partition], in the arena; NULL: 0, 1, 2 ... */
    bool use_spmd_partitioning, use_shardy_partitioner;
    bool portable;          /* compile_portable_executable */
    int64_t device_ordinal; /* -1: unset */
    int parameter_is_tupled;
    /* Where dumps go (xla_dump_to, the user's or else that of XLA_FLAGS), in the arena; NULL:
     * nowhere. */
    const char *dump_to;
    bool dump_as_text, dump_as_proto; /* the optimized program's; text when neither was asked for */
};

/* Raises the counts to those that the module itself asks for (mhlo.num_replicas), if they are
 * larger. INVALID_ARGUMENT when the product exceeds COMPILE_OPTIONS_MAX_DEVICES, or when the device
 * assignment was given for other counts. */
struct error *compile_options_raise(struct compile_options *options, int num_replicas,
                                    int num_partitions);

/* Raises the counts to the module's and sets the module's to the result, on which the collectives
 * depend. Errors: those of compile_options_raise(); UNIMPLEMENTED for more than one partition. */
struct error *compile_options_apply(struct compile_options *options, struct module *module);

/* Errors: INVALID_ARGUMENT for malformed bytes, numbers out of range, and options of the user's
 * (env_option_overrides) by names that neither XLA nor Gantry has; XLA's, named xla_..., are
 * accepted, those of xla_options.def with values they can have; only dumps have an effect. Empty
 * bytes give the defaults. */
struct error *compile_options_read(struct arena *arena, const void *bytes, size_t size,
                                   struct compile_options *out);

#endif
