/* executable.h: a compiled program (PJRT_Executable) and a program on devices (PJRT_LoadedExecutable). Both are
 * counted: either may be destroyed first. Immutable; thread-safe. */
#ifndef GANTRY_RUNTIME_EXECUTABLE_H
#define GANTRY_RUNTIME_EXECUTABLE_H

#include "compiler/compile.h"
#include "runtime/client.h"

struct executable { /* what clients ask about, in the shapes the ABI wants; owned by it, static while it lives */
    struct refs refs;
    struct program *program; /* owned */
    char fingerprint[33];
    PJRT_Buffer_Type *output_types;
    int64_t *output_dims;        /* all outputs' dimensions one after another */
    size_t *output_ranks;
    const char **output_memory_kinds;
    size_t *output_memory_kind_sizes;
};

struct loaded_executable {
    struct refs refs;
    struct client *client;         /* retained */
    struct executable *executable; /* retained */
    int device_count;              /* num_replicas * num_partitions */
    struct client_device **devices;
    int *replica_of, *partition_of; /* of devices[i] */
    char *assignment; size_t assignment_size; /* serialized DeviceAssignmentProto */
    _Atomic bool deleted;
};

struct error *executable_create(struct program *program /*moved*/, struct executable **out);
void executable_retain(struct executable *executable);
void executable_release(struct executable *executable);
struct error *loaded_executable_compile(struct client *client, const struct compile_source *source,
                                        struct loaded_executable **out);
void loaded_executable_retain(struct loaded_executable *executable);
void loaded_executable_release(struct loaded_executable *executable);

#endif
