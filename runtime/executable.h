/* executable.h: a compiled program (PJRT_Executable) and a program on devices
 * (PJRT_LoadedExecutable). Both are counted: either may be destroyed first. Immutable;
 * thread-safe. */
#ifndef GANTRY_RUNTIME_EXECUTABLE_H
#define GANTRY_RUNTIME_EXECUTABLE_H

#include "compiler/compile.h"
#include "runtime/client.h"

/* What clients ask about, in the forms that the ABI has; owned by the executable. */
struct executable {
    struct refs refs;
    struct program *program; /* owned */
    struct target target;
    char fingerprint[49]; /* of the program, then of the processor features */
    PJRT_Buffer_Type *output_types;
    int64_t *output_dims; /* all outputs' dimensions one after another */
    size_t *output_ranks;
    const char **output_memory_kinds; /* static names */
    size_t *output_memory_kind_sizes;
    const char **parameter_memory_kinds;
    size_t *parameter_memory_kind_sizes;
    char *options; /* the serialized CompileOptionsProto it was compiled with */
    size_t options_size;
    PJRT_NamedValue cost[3]; /* "flops", "transcendentals", "bytes accessed" */
    int cost_count;
    char *hlo; /* executable_hlo.h; NULL until asked for */
    size_t hlo_size;
    /* plugin/ext_layouts.c's; NULL until asked for; the array is owned */
    void **output_layouts;
};

struct loaded_executable {
    struct refs refs;
    struct client *client;         /* retained */
    struct executable *executable; /* retained */
    int device_count;              /* num_replicas * num_partitions */
    struct client_device **devices;
    PJRT_LogicalDeviceIds *logical_ids; /* replica and partition of devices[i] */
    char *assignment;                   /* serialized DeviceAssignmentProto */
    size_t assignment_size;
    bool portable; /* one device and none named by the options: runs on any */
    _Atomic bool deleted;
    bool calls_out; /* runs clients' functions, which may block: never on a caller's thread */
};

struct error *executable_create(struct program *program /*moved*/, const struct target *target,
                                const void *options, size_t options_size, struct executable **out);
struct error *executable_compile(const struct target *target, const struct compile_source *source,
                                 struct executable **out);
/* As bytes: the program with its options; owned (alloc_free). Equal for equal programs and
 * options. */
struct error *executable_serialize(const struct executable *executable, char **out, size_t *size);
/* INVALID_ARGUMENT for bytes that are damaged or another build's (program_io.h). `options` (may be
 * NULL: keep those that were stored) replace them. */
struct error *executable_deserialize(const struct target *target, const void *bytes, size_t size,
                                     const void *options, size_t options_size,
                                     struct executable **out);
void executable_retain(struct executable *executable);
void executable_release(struct executable *executable);
/* Puts a program on the devices that its options name; INVALID_ARGUMENT when the client lacks one
 * of them. */
struct error *loaded_executable_create(struct client *client, struct executable *executable,
                                       struct loaded_executable **out);
struct error *loaded_executable_compile(struct client *client, const struct compile_source *source,
                                        struct loaded_executable **out);
void loaded_executable_retain(struct loaded_executable *executable);
void loaded_executable_release(struct loaded_executable *executable);

struct executable_memory { /* bytes that one run on one device needs */
    struct {
        /* aliased: part of the outputs that takes donated arguments' memory */
        int64_t arguments, outputs, aliased;
    } device, host;
    int64_t temp, constants, code, peak; /* peak: of device memory, arguments included */
};
void executable_memory(const struct executable *executable, struct executable_memory *out);

#endif
