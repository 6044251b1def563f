#include "runtime/executable.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "base/map.h"
#include "base/text.h"
#include "base/trace.h"
#include "compiler/codegen_library.h"
#include "compiler/driver/memory_check.h"
#include "compiler/program/auto_plan.h"
#include "compiler/program/program_communication.h"
#include "compiler/program/program_io.h"
#include "compiler/program/program_shared.h"
#include "devices/host/custom_call.h"
#include "memory/hostmem.h"
#include "memory/numa.h"
#include "runtime/compile_history.h"
#include "runtime/executable_dump.h"
#include "runtime/loaded_constants.h"
#include "runtime/metrics.h"

/* ---- queries --------------------------------------------------------------------------------- */
static struct error *memory_kinds(int count, const struct program_value *values,
                                  const char ***kinds, size_t **sizes)
{
    TRY(alloc_array((size_t)count, sizeof **kinds, kinds));
    TRY(alloc_array((size_t)count, sizeof **sizes, sizes));
    for (int i = 0; i < count; i++) {
        (*kinds)[i] = memory_kind_name(values[i].shape.memory);
        (*sizes)[i] = strlen((*kinds)[i]);
    }
    return NULL;
}

static struct error *outputs(struct executable *executable)
{
    const struct program *program = executable->program;
    size_t count = (size_t)program->result_count, ranks = 0;
    for (size_t i = 0; i < count; i++)
        ranks += (size_t)program->results[i].shape.rank;
    TRY(alloc_array(count, sizeof *executable->output_types, &executable->output_types));
    TRY(alloc_array(count, sizeof *executable->output_ranks, &executable->output_ranks));
    TRY(alloc_array(ranks, sizeof *executable->output_dims, &executable->output_dims));
    int64_t *dims = executable->output_dims;
    for (size_t i = 0; i < count; i++) {
        const struct program_value *result = &program->results[i];
        executable->output_types[i] = dtype_info(result->shape.dtype)->pjrt;
        executable->output_ranks[i] = (size_t)result->shape.rank;
        for (int k = 0; k < result->shape.rank; k++)
            *dims++ = result->shape.dims[k];
    }
    TRY(memory_kinds(program->result_count, program->results, &executable->output_memory_kinds,
                     &executable->output_memory_kind_sizes));
    return memory_kinds(program->parameter_count, program->parameters,
                        &executable->parameter_memory_kinds,
                        &executable->parameter_memory_kind_sizes);
}

static void cost(struct executable *executable, const char *name, double value)
{
    executable->cost[executable->cost_count++] = (PJRT_NamedValue){
        .struct_size = PJRT_NamedValue_STRUCT_SIZE,
        .name = name,
        .name_size = strlen(name),
        .type = PJRT_NamedValue_kFloat,
        .float_value = (float)value,
        .value_size = 1,
    };
}

/* What a modeled accelerator would need (docs/tpu-model.md). */
static void add_modeled(struct executable *executable, const struct model_plan *model)
{
    cost(executable, "optimal_seconds", model->seconds);
    cost(executable, "seconds low", model->seconds_low);
    cost(executable, "seconds high", model->seconds_high);
    cost(executable, "mfu", model->mfu);
    cost(executable, "arithmetic intensity", model_plan_intensity(model));
    cost(executable, "bytes host link", model->host_bytes);
    cost(executable, "bytes chip links", model->link_bytes);
    cost(executable, "seconds hidden", model->hidden_seconds);
}

static struct error *add_communication(struct executable *executable)
{
    double bytes;
    if (!executable->program->collective_count)
        return NULL;
    TRY(program_communication_bytes(executable->program, &bytes));
    cost(executable, "bytes communicated", bytes);
    return NULL;
}

/* ---- memory ---------------------------------------------------------------------------------- */
static struct error *plan_memory(struct executable *executable)
{
    struct program_memory_curve curve;
    for (enum memory_kind kind = 0; kind < MEMORY_KIND_COUNT; kind++)
        program_memory(executable->program, kind, &executable->memory[kind]);
    TRY(program_memory_curve(executable->program, MEMORY_DEVICE, &curve));
    executable->peak_live = curve.peak_live;
    program_memory_curve_free(&curve);
    return NULL;
}

static struct error *find_shared(struct executable *executable)
{
    const struct program *program = executable->program;
    if (!program->collective_count)
        return NULL;
    TRY(alloc_array((size_t)program->result_count, sizeof *executable->shared,
                    &executable->shared));
    return program_shared_results(program, executable->shared);
}

/* ---- creation -------------------------------------------------------------------------------- */
static void add_costs(struct executable *executable)
{
    const struct program *program = executable->program;
    cost(executable, "flops", program->analysis.flops);
    cost(executable, "transcendentals", program->analysis.transcendentals);
    cost(executable, "bytes accessed", program->analysis.bytes_accessed);
    if (program->model)
        add_modeled(executable, program->model);
    else
        cost(executable, "optimal_seconds", program->seconds);
}

/* What is derived from the program. */
static struct error *derive(struct executable *executable)
{
    const struct program *program = executable->program;
    snprintf(executable->fingerprint, sizeof executable->fingerprint,
             "%016" PRIx64 "%016" PRIx64 "%016" PRIx64, program->fingerprint[0],
             program->fingerprint[1], cpu_feature_digest());
    add_costs(executable);
    TRY(add_communication(executable));
    TRY(program_io_collectives(program, executable->collectives));
    TRY(outputs(executable));
    TRY(result_labels_create(program, &executable->labels));
    TRY(find_shared(executable));
    return plan_memory(executable);
}

struct error *executable_create(struct program *program, const struct target *target,
                                const void *options, size_t options_size, struct executable **out)
{
    struct executable *executable;
    *out = NULL;
    struct error *error = alloc_zeroed(sizeof *executable, &executable);
    if (error) {
        program_release(program);
        return error;
    }
    refs_init(&executable->refs);
    executable->program = program;
    executable->target = *target;
    executable->options_size = options_size;
    if (program->constants_size >= HOSTMEM_HUGE) /* read by all devices */
        numa_interleave(program->constants, program->constants_size);
    error = alloc_copy(options, options_size, &executable->options);
    if (!error)
        error = derive(executable);
    if (error)
        executable_release(executable);
    else
        *out = executable;
    return error;
}

/* Compiles, and notes it in traces and metrics. */
static struct error *compile_noted(const struct target *target, const struct compile_source *source,
                                   struct auto_plan *auto_plan, struct program **out)
{
    struct module_outline outline;
    struct compile_source with_outline = *source;
    uint64_t began = trace_begin();
    int64_t start = clock_now();
    with_outline.outline = &outline;
    with_outline.auto_plan = auto_plan;
    struct error *error = compile(&with_outline, target, out);
    metrics_add(error ? METRIC_failed_compilations : METRIC_compilations, 1);
    if (error)
        return error;
    uint64_t ns = (uint64_t)(clock_now() - start);
    trace_end(began, TRACE_COMPILE, (*out)->name);
    histogram_add(&metrics.compile_ns, ns);
    compile_history_add(*out, &outline, ns);
    return NULL;
}

struct error *executable_compile(const struct target *target, const struct compile_source *source,
                                 struct executable **out)
{
    struct program *program;
    struct auto_plan plan = {0};
    *out = NULL;
    TRY(compile_noted(target, source, &plan, &program));
    TRY(executable_create(program, target, source->options, source->options_size, out));
    executable_dump(*out);
    struct error *error = plan.planned ? alloc_copy(&plan, sizeof plan, &(*out)->auto_plan) : NULL;
    if (error) {
        executable_release(*out);
        *out = NULL;
    }
    return error;
}

/* Precedes the compile options and the program. Mark and size are checked before the bytes after it
 * are read. */
struct stored_head {
    char mark[8];
    uint64_t size; /* total */
    uint64_t options_size, options_hash;
};
static const char mark[8] = "GANTRYX";

struct error *executable_serialize(const struct executable *executable, char **out, size_t *size)
{
    struct text text = {0};
    char *program;
    size_t program_size, options_size = executable->options_size;
    TRY(program_io_write(executable->program, executable->target.name, &program, &program_size));
    struct stored_head head = {.size = sizeof head + options_size + program_size,
                               .options_size = options_size,
                               .options_hash = map_hash(executable->options, options_size, 0)};
    memcpy(head.mark, mark, sizeof mark);
    text_add_bytes(&text, &head, sizeof head);
    text_add_bytes(&text, executable->options, options_size);
    text_add_bytes(&text, program, program_size);
    alloc_free(program);
    return text_finish(&text, out, size);
}

static struct error *read_head(const void *bytes, size_t size, struct stored_head *head)
{
    *head = (struct stored_head){0};
    if (size >= sizeof *head)
        memcpy(head, bytes, sizeof *head);
    if (memcmp(head->mark, mark, sizeof mark) || head->size != size ||
        head->options_size > size - sizeof *head ||
        head->options_hash !=
            map_hash((const char *)bytes + sizeof *head, (size_t)head->options_size, 0))
        return ERROR(INVALID_ARGUMENT, "the %zu bytes are not a serialized executable of Gantry",
                     size);
    return NULL;
}

struct error *executable_deserialize(const struct target *target, const void *bytes, size_t size,
                                     const void *options, size_t options_size,
                                     struct executable **out)
{
    struct program *program;
    struct stored_head head;
    *out = NULL;
    TRY(read_head(bytes, size, &head));
    const char *stored = (const char *)bytes + sizeof head;
    size_t stored_size = (size_t)head.options_size;
    TRY(program_io_read(stored + stored_size, size - sizeof head - stored_size, target->name,
                        &program));
    struct error *error = memory_check(program, target);
    if (!error)
        error = codegen_library_load(program);
    if (error) {
        program_release(program);
        return error;
    }
    TRY(executable_create(program, target, options ? options : stored,
                          options ? options_size : stored_size, out));
    metrics_add(METRIC_loaded_programs, 1);
    executable_dump(*out);
    return NULL;
}

void executable_retain(struct executable *executable)
{
    refs_retain(&executable->refs);
}

void executable_release(struct executable *executable)
{
    if (!executable || !refs_release(&executable->refs))
        return;
    program_release(executable->program);
    result_labels_release(executable->labels);
    alloc_free(executable->shared);
    alloc_free(executable->output_types);
    alloc_free(executable->output_dims);
    alloc_free(executable->output_ranks);
    alloc_free(executable->output_memory_kinds);
    alloc_free(executable->output_memory_kind_sizes);
    alloc_free(executable->parameter_memory_kinds);
    alloc_free(executable->parameter_memory_kind_sizes);
    alloc_free(executable->options);
    alloc_free(executable->auto_plan);
    alloc_free(executable->hlo);
    alloc_free(executable->output_layouts);
    alloc_free(executable->parameter_layouts);
    alloc_free(executable->shardings[0].shardings);
    alloc_free(executable->shardings[1].shardings);
    alloc_free(executable);
}

/* ---- device assignment ----------------------------------------------------------------------- */
static void add_varint(struct text *text, uint64_t value)
{
    unsigned char bytes[10];
    size_t count = 0;
    for (; value >= 0x80; value >>= 7)
        bytes[count++] = (unsigned char)(value | 0x80);
    bytes[count++] = (unsigned char)value;
    text_add_bytes(text, bytes, count);
}

/* DeviceAssignmentProto: 1 replicas, 2 computations (partitions), 3 per computation the message
 * { 1: device of each replica, packed }. */
static struct error *serialize_assignment(struct loaded_executable *loaded, int replicas,
                                          int partitions)
{
    struct text proto = {0};
    add_varint(&proto, 1 << 3), add_varint(&proto, (uint64_t)replicas);
    add_varint(&proto, 2 << 3), add_varint(&proto, (uint64_t)partitions);
    for (int partition = 0; partition < partitions; partition++) {
        struct text ids = {0}, computation = {0};
        for (int replica = 0; replica < replicas; replica++)
            add_varint(&ids,
                       (uint64_t)loaded->devices[replica * partitions + partition]->device->id);
        add_varint(&computation, 1 << 3 | 2), add_varint(&computation, ids.size);
        text_add_bytes(&computation, ids.data, ids.size);
        add_varint(&proto, 3 << 3 | 2), add_varint(&proto, computation.size);
        text_add_bytes(&proto, computation.data, computation.size);
        proto.failed |= ids.failed | computation.failed;
        text_free(&ids), text_free(&computation);
    }
    return text_finish(&proto, &loaded->assignment, &loaded->assignment_size);
}

static struct error *check_device_count(const struct program *program, int available)
{
    int count = program->num_replicas * program->num_partitions;
    return count <= available
               ? NULL
               : ERROR(INVALID_ARGUMENT,
                       "'%s' needs %d devices (num_replicas %d, num_partitions %d); there are %d",
                       program->name, count, program->num_replicas, program->num_partitions,
                       available);
}

struct error *executable_compile_for(const struct topology *topology,
                                     const struct compile_source *source, struct executable **out)
{
    struct compile_source here = *source;
    here.device_count = topology->device_count;
    return executable_compile(&topology->devices[0]->device->target, &here, out);
}

static void add_local(struct loaded_executable *loaded, int index, int partitions)
{
    int at = loaded->local_count++;
    loaded->local[at] = index;
    loaded->local_devices[at] = loaded->devices[index];
    loaded->logical_ids[at] = (PJRT_LogicalDeviceIds){index / partitions, index % partitions};
}

static struct error *assign(struct loaded_executable *loaded)
{
    const struct program *program = loaded->executable->program;
    struct client *client = loaded->client;
    int partitions = program->num_partitions, count = program->num_replicas * partitions;
    TRY(check_device_count(program, client->device_count));
    TRY(alloc_array((size_t)count, sizeof *loaded->devices, &loaded->devices));
    TRY(alloc_array((size_t)count, sizeof *loaded->local_devices, &loaded->local_devices));
    TRY(alloc_array((size_t)count, sizeof *loaded->local, &loaded->local));
    TRY(alloc_array((size_t)count, sizeof *loaded->logical_ids, &loaded->logical_ids));
    TRY(alloc_array((size_t)count, sizeof *loaded->processes, &loaded->processes));
    TRY(alloc_array((size_t)count, sizeof *loaded->ordinals, &loaded->ordinals));
    struct client_device **unassigned =
        count <= client->local_count ? client->local_devices : client->devices;
    loaded->device_count = count;
    loaded->portable = count == 1 && !program->assignment_count;
    for (int i = 0; i < count; i++) {
        int64_t id =
            program->assignment_count ? program->device_assignment[i] : unassigned[i]->device->id;
        if (id < 0 || id > INT_MAX)
            return ERROR(INVALID_ARGUMENT, "'%s' is assigned to device %lld, which does not exist",
                         program->name, (long long)id);
        TRY(client_lookup_device(client, (int)id, &loaded->devices[i]));
        loaded->processes[i] = loaded->devices[i]->device->process_index;
        loaded->ordinals[i] = loaded->devices[i]->device->local_ordinal;
        loaded->scope = map_hash(&id, sizeof id, loaded->scope);
        if (client_device_is_local(loaded->devices[i]))
            add_local(loaded, i, partitions);
    }
    return serialize_assignment(loaded, program->num_replicas, partitions);
}

/* ---- on devices ------------------------------------------------------------------------------ */
struct error *loaded_executable_create(struct client *client, struct executable *executable,
                                       struct loaded_executable **out)
{
    struct loaded_executable *loaded;
    struct custom_call_use use = {0};
    *out = NULL;
    TRY(alloc_zeroed(sizeof *loaded, &loaded));
    refs_init(&loaded->refs);
    client_retain(client);
    loaded->client = client;
    executable_retain(executable);
    loaded->executable = executable;
    struct error *error = assign(loaded);
    if (!error)
        error = loaded_constants_reserve(loaded);
    if (!error)
        error = custom_call_check(executable->program, &use);
    loaded->calls_out = use.foreign || executable->program->channel_count > 0;
    loaded->synchronous = use.synchronous;
    if (error)
        loaded_executable_release(loaded);
    else
        *out = loaded;
    return error;
}

static struct error *load_compiled(struct client *client, struct executable *executable,
                                   struct loaded_executable **out)
{
    if (atomic_load(&client->closed))
        return ERROR(CANCELLED, "the client was destroyed while '%s' was compiled",
                     executable->program->name);
    return loaded_executable_create(client, executable, out);
}

struct error *loaded_executable_compile(struct client *client, const struct compile_source *source,
                                        struct loaded_executable **out)
{
    struct executable *executable;
    struct compile_source here = *source;
    *out = NULL;
    client_retain(client); /* another thread may be destroying it */
    here.device_count = client->device_count;
    struct error *error =
        executable_compile(&client->local_devices[0]->device->target, &here, &executable);
    if (!error) {
        error = load_compiled(client, executable, out);
        executable_release(executable);
    }
    client_release(client);
    return error;
}

void loaded_executable_retain(struct loaded_executable *executable)
{
    refs_retain(&executable->refs);
}

void loaded_executable_release(struct loaded_executable *executable)
{
    if (!executable || !refs_release(&executable->refs))
        return;
    struct client *client = executable->client;
    loaded_constants_release(executable); /* before the program, to which their label refers */
    executable_release(executable->executable);
    alloc_free(executable->devices);
    alloc_free(executable->local_devices);
    alloc_free(executable->local);
    alloc_free(executable->logical_ids);
    alloc_free(executable->processes);
    alloc_free(executable->ordinals);
    alloc_free(executable->assignment);
    alloc_free(executable);
    client_release(client);
}
