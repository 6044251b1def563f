/* executable.h: a compiled program (PJRT_Executable) and a program loaded on devices
 * (PJRT_LoadedExecutable). Both are reference-counted: either may be destroyed first. Immutable;
 * thread-safe. */
#ifndef GANTRY_RUNTIME_EXECUTABLE_H
#define GANTRY_RUNTIME_EXECUTABLE_H

#include "compiler/compile.h"
#include "compiler/export/export_sharding.h"
#include "compiler/program/program_memory.h"
#include "runtime/client.h"
#include "runtime/result_labels.h"

/* What clients query, in the ABI's form; owned by the executable. */
struct executable {
    struct refs refs;
    struct program *program; /* owned */
    struct result_labels *labels;
    bool *shared; /* of each result: program_shared.h; NULL: the program has no collectives */
    struct target target;
    uint64_t collectives[2]; /* programs that can meet have the same: program_io_collectives() */
    char fingerprint[49];    /* digest of the program, then of the processor features */
    PJRT_Buffer_Type *output_types;
    int64_t *output_dims; /* the dimensions of all outputs, concatenated */
    size_t *output_ranks;
    const char **output_memory_kinds; /* static names */
    size_t *output_memory_kind_sizes;
    const char **parameter_memory_kinds;
    size_t *parameter_memory_kind_sizes;
    char *options; /* the serialized CompileOptionsProto of its compilation */
    size_t options_size;
    struct program_memory memory[MEMORY_KIND_COUNT]; /* plan of one execution on one device */
    uint64_t peak_live; /* peak bytes of live temporaries in device memory */
    /* "flops", "transcendentals", "bytes accessed"; "bytes communicated", which one participant
     * sends, of programs with collectives; "optimal_seconds", the modeled accelerator's time */
    PJRT_NamedValue cost[12];
    int cost_count;
    struct auto_plan *auto_plan; /* how shardings were chosen; NULL: they were not */
    char *hlo;                   /* executable_hlo.h; NULL until requested */
    size_t hlo_size;
    /* used by plugin/ext_layouts.c; NULL until requested; the array is owned */
    void **output_layouts, **parameter_layouts;
    /* executable_shardings.h: of parameters, of results; NULL until requested */
    struct sharding_list shardings[2];
};

struct loaded_executable {
    struct refs refs;
    struct client *client;         /* retained */
    struct executable *executable; /* retained */
    int device_count;              /* num_replicas * num_partitions */
    struct client_device **devices;
    /* The devices in this process, their numbers in `devices`, their replicas and partitions */
    int local_count;
    struct client_device **local_devices;
    int *local;
    PJRT_LogicalDeviceIds *logical_ids;
    int *processes;   /* of the devices */
    int *ordinals;    /* of the devices, in their processes */
    uint64_t scope;   /* devices, hashed: the same in all processes of a job */
    char *assignment; /* serialized DeviceAssignmentProto */
    size_t assignment_size;
    bool portable; /* one device, and none named by the options: runs on any */
    /* Device memory counted for its constants, [device_count]; NULL: none on that device. */
    struct storage **constants;
    _Atomic bool deleted;
    bool calls_out;   /* calls client functions, which may block: never run on a caller's thread */
    bool synchronous; /* executions on one device return when they are complete (custom_call.h) */
    /* trial.h: how many executions are still queued without a trial, and how many that were after
     * the last trial that failed. */
    atomic_uint untried, backoff;
};

struct error *executable_create(struct program *program /*moved*/, const struct target *target,
                                const void *options, size_t options_size, struct executable **out);
struct error *executable_compile(const struct target *target, const struct compile_source *source,
                                 struct executable **out);
/* Compiles for the devices of a topology, which need no client. Also INVALID_ARGUMENT when the
 * program needs more devices than there are. */
struct error *executable_compile_for(const struct topology *topology,
                                     const struct compile_source *source, struct executable **out);
/* Serializes the program with its options; *out is owned (alloc_free). Equal programs and options
 * give equal bytes. */
struct error *executable_serialize(const struct executable *executable, char **out, size_t *size);
/* INVALID_ARGUMENT for bytes that are damaged or from another build (program_io.h). `options`
 * replace the stored ones; NULL: keep those. */
struct error *executable_deserialize(const struct target *target, const void *bytes, size_t size,
                                     const void *options, size_t options_size,
                                     struct executable **out);
void executable_retain(struct executable *executable);
void executable_release(struct executable *executable);
/* Loads a program on the devices that its options name. INVALID_ARGUMENT when the client lacks one
 * of them. */
struct error *loaded_executable_create(struct client *client, struct executable *executable,
                                       struct loaded_executable **out);
struct error *loaded_executable_compile(struct client *client, const struct compile_source *source,
                                        struct loaded_executable **out);
void loaded_executable_retain(struct loaded_executable *executable);
void loaded_executable_release(struct loaded_executable *executable);

#endif
