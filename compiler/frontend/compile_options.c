#include "compiler/frontend/compile_options.h"

#include <string.h>

#include "compiler/frontend/compile_options.pb-c.h"
#include "compiler/frontend/wire.h"

#define MAX_COUNT (1 << 20) /* replicas or partitions */

struct read {
    struct arena *arena;
    const void *bytes;
    size_t size;
    struct compile_options *out;
};

/* 0 is proto3's "not set". */
static struct error *read_count(int64_t value, const char *name, int *out)
{
    if (value < 0 || value > MAX_COUNT)
        return ERROR(INVALID_ARGUMENT, "compile options: %s is %lld, allowed are 1 to %d", name,
                     (long long)value, MAX_COUNT);
    *out = value == 0 ? 1 : (int)value;
    return NULL;
}

static struct error *read_assignment(struct arena *arena, const Gantry__DeviceAssignmentProto *from,
                                     struct compile_options *out)
{
    size_t replicas = (size_t)out->num_replicas, partitions = (size_t)out->num_partitions;
    if (from->replica_count != out->num_replicas ||
        from->computation_count != out->num_partitions || from->n_computation_devices != partitions)
        return ERROR(
            INVALID_ARGUMENT,
            "compile options: device assignment of %d x %d for %zu replicas x %zu partitions",
            from->replica_count, from->computation_count, replicas, partitions);
    if (replicas * partitions > MAX_COUNT)
        return ERROR(INVALID_ARGUMENT, "compile options: %zu devices, at most %d are allowed",
                     replicas * partitions, MAX_COUNT);
    int64_t *devices = ARENA_ARRAY(arena, int64_t, replicas *partitions);
    for (size_t p = 0; p < partitions; p++) {
        const Gantry__DeviceAssignmentProto__ComputationDevice *row = from->computation_devices[p];
        if (row->n_replica_device_ids != replicas)
            return ERROR(INVALID_ARGUMENT,
                         "compile options: partition %zu has %zu devices for %zu replicas", p,
                         row->n_replica_device_ids, replicas);
        for (size_t r = 0; r < replicas; r++)
            devices[r * partitions + p] = row->replica_device_ids[r];
    }
    out->device_assignment = devices;
    return NULL;
}

static struct error *read_build(struct arena *arena,
                                const Gantry__ExecutableBuildOptionsProto *from,
                                struct compile_options *out)
{
    TRY(read_count(from->num_replicas, "num_replicas", &out->num_replicas));
    TRY(read_count(from->num_partitions, "num_partitions", &out->num_partitions));
    out->use_spmd_partitioning = from->use_spmd_partitioning;
    out->use_shardy_partitioner = from->use_shardy_partitioner;
    out->device_ordinal = from->device_ordinal;
    return from->device_assignment ? read_assignment(arena, from->device_assignment, out) : NULL;
}

/* Users' options: XLA's own are accepted without effect, other names are mistakes. */
static struct error *check_override(const char *name)
{
    static const char *const known[] = {"exec_time_optimization_effort", "memory_fitting_effort",
                                        "optimization_level", "memory_fitting_level"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(name, known[i]))
            return NULL;
    if (!strncmp(name, "xla_", 4))
        return NULL;
    return ERROR(INVALID_ARGUMENT, "No such compile option: '%.200s'", name);
}

static struct error *read_body(void *context)
{
    struct read *read = context;
    struct compile_options *out = read->out;
    ProtobufCMessage *message;
    TRY(wire_unpack(read->arena, &gantry__compile_options_proto__descriptor, read->bytes,
                    read->size, &message));
    const Gantry__CompileOptionsProto *options = (const Gantry__CompileOptionsProto *)message;
    out->portable = options->compile_portable_executable;
    out->parameter_is_tupled = options->parameter_is_tupled_arguments;
    for (size_t i = 0; i < options->n_env_option_overrides; i++)
        TRY(check_override(options->env_option_overrides[i]->name));
    if (!options->executable_build_options)
        return NULL;
    return read_build(read->arena, options->executable_build_options, out);
}

struct error *compile_options_read(struct arena *arena, const void *bytes, size_t size,
                                   struct compile_options *out)
{
    struct read read = {.arena = arena, .bytes = bytes, .size = size, .out = out};
    *out = (struct compile_options){.num_replicas = 1, .num_partitions = 1, .device_ordinal = -1};
    return size == 0 ? NULL : arena_run(arena, read_body, &read);
}
