/* compile_options.h: the fields of a CompileOptionsProto that Gantry uses. Field numbers are those
 * of the public proto. Depth and sizes are checked before protobuf-c parses the bytes (wire.h). */
#ifndef GANTRY_COMPILER_FRONTEND_COMPILE_OPTIONS_H
#define GANTRY_COMPILER_FRONTEND_COMPILE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "compiler/ir/auto_request.h"

struct module;

enum { COMPILE_OPTIONS_MAX_DEVICES = 1 << 20 };

struct compile_flags { /* one for each value, or one for all; none: not given */
    size_t count;
    const bool *at; /* in the arena */
};

struct compile_options {
    int num_replicas, num_partitions; /* 1 .. COMPILE_OPTIONS_MAX_DEVICES, as is their product */
    int assignment_count;             /* num_replicas * num_partitions; 0: no assignment given */
    const int64_t *device_assignment; /* [replica][partition], in the arena; NULL: 0, 1, 2 ... */
    /* false: with several partitions, the module is the program of each of them already */
    bool use_spmd_partitioning;
    struct compile_flags free_results, free_parameters; /* the compiler chooses their shardings */
    bool portable;                                      /* compile_portable_executable */
    int64_t device_ordinal;                             /* -1: unset */
    int parameter_is_tupled;
    /* The folder of dumps (xla_dump_to of the options, else of XLA_FLAGS), in the arena; NULL: no
     * dumps. */
    const char *dump_to;
    /* Values may be computed again where the program exceeds the device's memory: requested by
     * memory_fitting_level O3 (clients send O2 by default), or by any positive
     * memory_fitting_effort. */
    bool fit_memory;
    /* xla_allow_excess_precision: 1 or 0; -1: as the device's target has it. Clients send XLA's
     * default, true, with every program: only false counts there. */
    int excess_precision;
    const char *function; /* gantry_function: the function to compile, in the arena; NULL: main */
    /* gantry_argument_shapes (argument_shapes.h), in the arena; NULL: not given */
    const char *argument_shapes;
    bool dump_as_text, dump_as_proto; /* of the optimized program; both false: text */
    bool auto_sharding;               /* the compiler chooses shardings, as auto_request says */
    struct auto_request auto_request; /* ids in the arena */
};

/* Raises the counts to those that the module requests (mhlo.num_replicas), if those are larger.
 * INVALID_ARGUMENT when the product exceeds COMPILE_OPTIONS_MAX_DEVICES or differs from the size of
 * the device assignment. */
struct error *compile_options_raise(struct compile_options *options, int num_replicas,
                                    int num_partitions);

/* Raises the counts to the module's and sets the module's to the result, on which the collectives
 * depend. In a program of several partitions, sets argument_info.sharding_free of the entry's
 * arguments and results; those that are not free and have no sharding become replicated. Flags
 * whose number does not fit are ignored. Errors: those of compile_options_raise(), and
 * INVALID_ARGUMENT if the entry has shardings and the options say that nothing is to be partitioned
 * (several partitions without use_spmd_partitioning). */
struct error *compile_options_apply(struct compile_options *options, struct module *module);

/* Parses the options; empty bytes give the defaults. Errors: INVALID_ARGUMENT for malformed bytes,
 * numbers out of range, and env_option_overrides with unknown names or values of other types
 * (xla_options.h). `any_name`: the device's own compiler has options that are not public, so every
 * name xla_... is known. Only the options of dumps, memory_fitting_*,
 * xla_allow_excess_precision, gantry_function (the name of the function to compile),
 * gantry_argument_shapes (argument_shapes.h) and gantry_auto_sharding* (auto_options.h) have an
 * effect. */
struct error *compile_options_read(struct arena *arena, const void *bytes, size_t size,
                                   bool any_name, struct compile_options *out);

#endif
