/* tpu_library.c: see tpu_library.h. */
#include "devices/tpu/tpu_library.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/env.h"
#include "base/log.h"
#include "base/text.h"
#include "devices/host/device_host.h"
#include "devices/tpu/environment.h"
#include "devices/tpu/topology.h"
#include "version.h"

/* The compiler whose answers the model is made from (spec.def); JAX reads its date. What tells the
 * model from a TPU is the attribute gantry_version. */
#define COMPILER_BUILD "Built on Jul 31 2026 18:15:08 (1785546908) cl/957406610"

struct tpu_model {
    struct device_host_model base; /* first */
    struct tpu_topology topology;
};

/* ---- devices --------------------------------------------------------------------------------- */
static void set_attributes(const struct tpu_place *place, int cores,
                           struct device_host_identity *out)
{
    memcpy(out->coords, place->coords, sizeof place->coords);
    out->core_on_chip = place->core_on_chip;
    out->attribute_count = 5;
    out->attributes[0] = (struct attribute){
        .name = "coords", .kind = ATTRIBUTE_INTS, .integers = out->coords, .count = 3};
    out->attributes[1] = (struct attribute){
        .name = "core_on_chip", .kind = ATTRIBUTE_INT, .integer = place->core_on_chip};
    out->attributes[2] =
        (struct attribute){.name = "num_cores", .kind = ATTRIBUTE_INT, .integer = cores};
    out->attributes[3] = (struct attribute){
        .name = "slice_index", .kind = ATTRIBUTE_INT, .integer = place->slice_index};
    out->attributes[4] = (struct attribute){
        .name = "gantry_version", .kind = ATTRIBUTE_STRING, .string = GANTRY_VERSION};
}

static void describe(const struct device_host_model *base, int index,
                     struct device_host_identity *out)
{
    const struct tpu_topology *topology = &((const struct tpu_model *)base)->topology;
    struct tpu_place place;
    tpu_topology_place(topology, index, &place);
    int x = (int)place.coords[0], y = (int)place.coords[1], z = (int)place.coords[2];
    int core = (int)place.core_on_chip;
    out->id = place.id;
    out->process_index = place.process_index;
    snprintf(out->text, sizeof out->text,
             "TpuDevice(id=%d, process_index=%d, coords=(%d,%d,%d), core_on_chip=%d)", place.id,
             place.process_index, x, y, z, core);
    snprintf(out->debug_text, sizeof out->debug_text, "TPU_%d(process=%d,(%d,%d,%d,%d))", place.id,
             place.process_index, x, y, z, core);
    snprintf(out->version, sizeof out->version, "%sTFRT %s\n%s",
             topology->slices > 1 ? "megascale+" : "", topology->spec->kind, COMPILER_BUILD);
    tpu_topology_print(topology, out->topology);
    out->grid =
        (struct device_grid){.devices_per_chip = topology->spec->accelerator.devices_per_chip,
                             .cores_per_device = topology->spec->accelerator.cores,
                             .slices = topology->slices};
    memcpy(out->grid.bounds, topology->bounds, sizeof out->grid.bounds);
    memcpy(out->grid.process, topology->host, sizeof out->grid.process);
    set_attributes(&place, topology->spec->accelerator.cores, out);
}

/* ---- the topology ---------------------------------------------------------------------------- */
/* A contradiction between variables is said even where other messages are silent: the devices are
 * not those that one of them asks for. */
static struct error *read_environment(bool in_job, struct tpu_topology *out)
{
    struct tpu_environment values;
    struct text note = {0};
    tpu_environment_read(&values);
    values.in_job = in_job;
    struct error *error = tpu_environment_topology(&values, out, &note);
    if (!error && note.data)
        log_message(LOG_WARNING, "%s", note.data);
    text_free(&note);
    return error;
}

/* The topology of the environment, with options in addition. */
static struct error *add_options(const char *more, struct tpu_topology *topology)
{
    char own[TPU_TOPOLOGY_TEXT], *all;
    struct text text = {0};
    tpu_topology_print(topology, own);
    text_add(&text, "%s%s", own, more);
    TRY(text_finish(&text, &all, NULL));
    struct error *error = tpu_topology_parse(all, TPU_CLIENT, topology);
    alloc_free(all);
    return error;
}

static struct error *check_processes(const struct tpu_topology *topology, int processes)
{
    int count = tpu_topology_processes(topology);
    char text[TPU_TOPOLOGY_TEXT];
    if (count == processes)
        return NULL;
    tpu_topology_print(topology, text);
    return ERROR(INVALID_ARGUMENT,
                 "the client has %d processes, but topology %s has %d: TPU_PROCESS_BOUNDS and "
                 "TPU_CHIPS_PER_PROCESS_BOUNDS, or chips_per_host_bounds, divide it",
                 processes, text, count);
}

static struct error *choose_topology(const struct device_options *options, struct tpu_topology *out)
{
    const char *text = options && options->topology ? options->topology : "";
    int processes = options && options->process_count > 1 ? options->process_count : 1;
    enum tpu_user user =
        (options && options->is_described) || processes > 1 ? TPU_DESCRIPTION : TPU_CLIENT;
    if (*text && *text != ',') {
        TRY(tpu_topology_parse(text, user, out));
    } else {
        TRY(read_environment(processes > 1, out));
        TRY(add_options(text, out));
    }
    if (!out->numerics)
        out->numerics =
            env_choice(ENV_GANTRY_TPU_NUMERICS) == 1 ? TPU_NUMERICS_F32 : TPU_NUMERICS_TPU;
    if (processes > 1)
        TRY(check_processes(out, processes));
    int count = tpu_topology_devices(out) / processes;
    if (!options || !options->device_count || options->device_count == count)
        return NULL;
    return ERROR(INVALID_ARGUMENT, "device_count is %d, but topology %s:%dx%dx%d has %d devices",
                 options->device_count, out->spec->name, out->bounds[0], out->bounds[1],
                 out->bounds[2], count);
}

static struct error *create(const struct device_options *options, int *count,
                            struct device ***devices)
{
    struct device_options each = options ? *options : (struct device_options){0};
    struct tpu_model model = {.base = {.name = "tpu",
                                       .short_name = "TPU",
                                       .describe = describe,
                                       .modeled = true,
                                       .excess_precision = true,
                                       .max_devices = TPU_MAX_DEVICES}};
    TRY(choose_topology(options, &model.topology));
    const struct tpu_spec *spec = model.topology.spec;
    model.base.kind = spec->kind;
    model.base.memory_bytes = spec->accelerator.hbm_bytes;
    model.base.numerics =
        model.topology.numerics == TPU_NUMERICS_F32 ? NUMERICS_F32 : NUMERICS_BF16_PASSES;
    model.base.accelerator = &spec->accelerator;
    each.device_count =
        tpu_topology_devices(&model.topology) / (each.process_count > 1 ? each.process_count : 1);
    return device_host_create(&model.base, &each, count, devices);
}

static struct error *find_job(const struct device_options *options, struct device_job *job)
{
    struct tpu_environment values;
    struct tpu_topology topology;
    struct device_options each = *options;
    int process, count;
    tpu_environment_read(&values);
    TRY(tpu_environment_process(&values, &process, &count));
    if (job->count > 1 && count > 1 && (job->count != count || job->process != process))
        return ERROR(INVALID_ARGUMENT,
                     "this is process %d of %d by the client's options, but %d of %d by "
                     "CLOUD_TPU_TASK_ID and TPU_PROCESS_ADDRESSES",
                     job->process, job->count, process, count);
    if (job->count <= 1)
        job->process = process, job->count = count;
    if (job->count <= 1)
        return NULL;
    each.process_count = job->count;
    TRY(choose_topology(&each, &topology));
    job->devices = tpu_topology_devices(&topology) / job->count;
    return NULL;
}

static const struct device_library library = {.name = "tpu",
                                              .platform_name = "tpu",
                                              .has_processes = true,
                                              .has_grid = true,
                                              .find_job = find_job,
                                              .create = create};

const char *tpu_build(void)
{
    return GANTRY_BUILD_ID;
}

const struct device_library *tpu_library(void)
{
    return &library;
}
