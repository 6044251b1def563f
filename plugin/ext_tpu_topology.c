/* ext_tpu_topology.c: answers from the grid of the topology's devices. */
#include "plugin/ext_tpu_topology.h"

#include <string.h>

#include "base/text.h"
#include "plugin/api_args.h"
#include "plugin/ffi/ext_ffi.h"
#include "plugin/handles.h"

static const struct device_grid *grid_of(const PJRT_TopologyDescription *topology)
{
    return topology_of(topology)->devices[0]->device->grid;
}

/* The arguments of every function: a topology, whose devices have a grid, and a last field. */
#define NEED_GRID(args, last)                                                                      \
    NEED_OBJECT(args, topology);                                                                   \
    NEED(args, last);                                                                              \
    if (!grid_of((args)->topology))                                                                \
    return API_ERROR(ERROR(INVALID_ARGUMENT, "%s: the topology is not a TPU topology", __func__))

/* ---- counts ---------------------------------------------------------------------------------- */
static int chips_in(const int bounds[3])
{
    return bounds[0] * bounds[1] * bounds[2];
}

static int chip_count(const struct device_grid *grid)
{
    return chips_in(grid->bounds) * grid->slices;
}

static int process_count(const struct device_grid *grid)
{
    return chip_count(grid) / chips_in(grid->process);
}

static int cores_per_chip(const struct device_grid *grid)
{
    return grid->devices_per_chip * grid->cores_per_device;
}

#define COUNT(Name, function, field, value)                                                        \
    static PJRT_Error *function(PJRT_TpuTopology_##Name##_Args *args)                              \
    {                                                                                              \
        NEED_GRID(args, field);                                                                    \
        const struct device_grid *grid = grid_of(args->topology);                                  \
        args->field = value;                                                                       \
        return NULL;                                                                               \
    }
COUNT(ProcessCount, count_processes, process_count, process_count(grid))
COUNT(ChipsPerProcess, count_chips_per_process, chips_per_process, chips_in(grid->process))
COUNT(CoreCountPerChip, count_cores_per_chip, core_count_of_default_type_per_chip,
      cores_per_chip(grid))
COUNT(ChipCount, count_chips, chip_count, chip_count(grid))
COUNT(CoreCount, count_cores, core_count_of_default_type, chip_count(grid) * cores_per_chip(grid))
COUNT(LogiDeviceCount, count_devices, logical_device_count_of_default_type,
      chip_count(grid) * grid->devices_per_chip)
COUNT(LogiDeviceCountPerProcess, count_devices_per_process,
      logical_device_count_of_default_type_per_process,
      chips_in(grid->process) * grid->devices_per_chip)
COUNT(LogiDeviceCountPerChip, count_devices_per_chip, logical_device_count_of_default_type_per_chip,
      grid->devices_per_chip)
COUNT(CoreCountPerProcess, count_cores_per_process, core_count_of_default_type_per_process,
      chips_in(grid->process) * cores_per_chip(grid))

/* The model has no chips with fewer links than others, and no barrier beside that of collectives.
 */
#define NEVER(Name, function, field)                                                               \
    static PJRT_Error *function(PJRT_TpuTopology_##Name##_Args *args)                              \
    {                                                                                              \
        NEED_GRID(args, field);                                                                    \
        args->field = false;                                                                       \
        return NULL;                                                                               \
    }
NEVER(IsEnhancedBarrierEnabled, has_enhanced_barrier, is_enhanced_barrier_enabled)
NEVER(HasLimitedIciConnectivity, has_limited_ici, has_limited_ici_connectivity)
NEVER(IsReachableOverLimitedIci, is_reachable, is_reachable_over_limited_ici)

/* ---- arrays of the caller -------------------------------------------------------------------- */
static struct error *check_capacity(const void *array, size_t capacity, size_t count)
{
    return count <= capacity && (array || !count)
               ? NULL
               : ERROR(INVALID_ARGUMENT,
                       "the array has a capacity of %zu numbers at %p; there are %zu", capacity,
                       array, count);
}

static struct error *put_bounds(const int bounds[3], int32_t *out, size_t capacity, size_t *count)
{
    TRY(check_capacity(out, capacity, 3));
    for (int i = 0; i < 3; i++)
        out[i] = bounds[i];
    *count = 3;
    return NULL;
}

static void process_bounds_of(const struct device_grid *grid, int out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = grid->bounds[i] / grid->process[i];
}

static PJRT_Error *chips_per_process_bounds(PJRT_TpuTopology_ChipsPerProcessBounds_Args *args)
{
    NEED_GRID(args, chip_per_process_bounds_num_dims);
    return API_ERROR(put_bounds(grid_of(args->topology)->process, args->chip_per_process_bounds,
                                args->chip_per_process_bounds_max_dims,
                                &args->chip_per_process_bounds_num_dims));
}

static PJRT_Error *chip_bounds(PJRT_TpuTopology_ChipBounds_Args *args)
{
    NEED_GRID(args, chip_bounds_num_dims);
    return API_ERROR(put_bounds(grid_of(args->topology)->bounds, args->chip_bounds,
                                args->chip_bounds_max_dims, &args->chip_bounds_num_dims));
}

static PJRT_Error *process_bounds(PJRT_TpuTopology_ProcessBounds_Args *args)
{
    int bounds[3];
    NEED_GRID(args, process_bounds_num_dims);
    process_bounds_of(grid_of(args->topology), bounds);
    return API_ERROR(put_bounds(bounds, args->process_bounds, args->process_bounds_max_dims,
                                &args->process_bounds_num_dims));
}

/* Reads coordinates inside `bounds`; those that are not given are 0. */
static struct error *read_coords(const int32_t *coords, size_t count, const int bounds[3],
                                 int out[3])
{
    memset(out, 0, 3 * sizeof *out);
    if (!coords || count < 1 || count > 3)
        return ERROR(INVALID_ARGUMENT, "%zu coordinates at %p; a chip has up to 3", count,
                     (const void *)coords);
    for (size_t i = 0; i < count; i++) {
        out[i] = coords[i];
        if (out[i] < 0 || out[i] >= bounds[i])
            return ERROR(INVALID_ARGUMENT, "coordinate %zu is %d; allowed: 0 to %d", i, out[i],
                         bounds[i] - 1);
    }
    return NULL;
}

static int index_of(const int at[3], const int bounds[3])
{
    return (at[2] * bounds[1] + at[1]) * bounds[0] + at[0];
}

static void coords_of(int index, const int bounds[3], int out[3])
{
    out[0] = index % bounds[0];
    out[1] = index / bounds[0] % bounds[1];
    out[2] = index / bounds[0] / bounds[1];
}

/* ---- processes ------------------------------------------------------------------------------- */
static struct error *check_number(const char *what, int number, int count)
{
    return number >= 0 && number < count
               ? NULL
               : ERROR(INVALID_ARGUMENT, "%s is %d; allowed: 0 to %d", what, number, count - 1);
}

static PJRT_Error *process_ids(PJRT_TpuTopology_ProcessIds_Args *args)
{
    NEED_GRID(args, num_process_ids);
    int count = process_count(grid_of(args->topology));
    size_t capacity = args->max_process_ids > 0 ? (size_t)args->max_process_ids : 0;
    API_TRY(check_capacity(args->process_ids, capacity, (size_t)count));
    for (int i = 0; i < count; i++)
        args->process_ids[i] = i;
    args->num_process_ids = (size_t)count;
    return NULL;
}

static PJRT_Error *devices_on_process(PJRT_TpuTopology_LogiDeviceIdsOnProcess_Args *args)
{
    NEED_GRID(args, num_logical_device_ids);
    const struct topology *topology = topology_of(args->topology);
    const struct device_grid *grid = grid_of(args->topology);
    int each = chips_in(grid->process) * grid->devices_per_chip;
    size_t capacity = args->max_logical_device_ids > 0 ? (size_t)args->max_logical_device_ids : 0;
    API_TRY(check_number("process_id", args->process_id, process_count(grid)));
    API_TRY(check_capacity(args->logical_device_of_default_type_ids, capacity, (size_t)each));
    for (int i = 0; i < each; i++) /* devices are in the order of processes */
        args->logical_device_of_default_type_ids[i] =
            topology->devices[args->process_id * each + i]->device->id;
    args->num_logical_device_ids = (size_t)each;
    return NULL;
}

static PJRT_Error *process_of_chip(PJRT_TpuTopology_ProcIdAndIdxOnProcForChip_Args *args)
{
    int at[3], process[3], inside[3], bounds[3];
    NEED_GRID(args, index_on_process);
    const struct device_grid *grid = grid_of(args->topology);
    int in_slice = chips_in(grid->bounds);
    API_TRY(check_number("chip_id", args->chip_id, chip_count(grid)));
    process_bounds_of(grid, bounds);
    coords_of(args->chip_id % in_slice, grid->bounds, at);
    for (int i = 0; i < 3; i++) {
        process[i] = at[i] / grid->process[i];
        inside[i] = at[i] % grid->process[i];
    }
    args->process_id = args->chip_id / in_slice * chips_in(bounds) + index_of(process, bounds);
    args->index_on_process = index_of(inside, grid->process);
    return NULL;
}

static PJRT_Error *process_coord(PJRT_TpuTopology_ProcessCoordFromId_Args *args)
{
    int bounds[3], at[3];
    NEED_GRID(args, coords_num_dims);
    const struct device_grid *grid = grid_of(args->topology);
    API_TRY(check_number("process_id", args->process_id, process_count(grid)));
    process_bounds_of(grid, bounds);
    coords_of(args->process_id % chips_in(bounds), bounds, at);
    return API_ERROR(put_bounds(at, args->coords, args->coords_max_dims, &args->coords_num_dims));
}

/* ---- devices --------------------------------------------------------------------------------- */
static struct error *find_device(const PJRT_TopologyDescription *topology, int id, int *index)
{
    const struct topology *of = topology_of(topology);
    for (*index = 0; *index < of->device_count; ++*index)
        if (of->devices[*index]->device->id == id)
            return NULL;
    return ERROR(INVALID_ARGUMENT, "the topology has no device with id %d", id);
}

static PJRT_Error *process_of_device(PJRT_TpuTopology_ProcIdAndIdxOnProcForLogiDevice_Args *args)
{
    int index;
    NEED_GRID(args, index_on_process);
    const struct device_grid *grid = grid_of(args->topology);
    int each = chips_in(grid->process) * grid->devices_per_chip;
    API_TRY(find_device(args->topology, args->device_id, &index));
    args->process_id = index / each;
    args->index_on_process = index % each;
    return NULL;
}

static PJRT_Error *chip_id(PJRT_TpuTopology_ChipIdFromCoord_Args *args)
{
    int at[3];
    NEED_GRID(args, chip_id);
    const int *bounds = grid_of(args->topology)->bounds;
    API_TRY(read_coords(args->coords, args->coords_num_dims, bounds, at));
    args->chip_id = index_of(at, bounds);
    return NULL;
}

static bool is_at(const struct device *device, const int at[3], int core)
{
    return device->coords[0] == at[0] && device->coords[1] == at[1] && device->coords[2] == at[2] &&
           device->core_on_chip == core;
}

static PJRT_Error *device_at(PJRT_TpuTopology_LogiDeviceIdFromChipCoordAndIdx_Args *args)
{
    int at[3], i = 0;
    NEED_GRID(args, logical_device_of_default_type_id);
    const struct topology *topology = topology_of(args->topology);
    const struct device_grid *grid = grid_of(args->topology);
    API_TRY(read_coords(args->chip_coords, args->chip_coords_num_dims, grid->bounds, at));
    API_TRY(check_number("logical_device_index_on_chip", args->logical_device_index_on_chip,
                         grid->devices_per_chip));
    while (!is_at(topology->devices[i]->device, at, args->logical_device_index_on_chip))
        i++; /* every place of a grid has a device */
    args->logical_device_of_default_type_id = topology->devices[i]->device->id;
    return NULL;
}

static PJRT_Error *place_of_device(PJRT_TpuTopology_ChipCoordAndIdxForLogiDevice_Args *args)
{
    int index, at[3];
    NEED_GRID(args, device_index_on_chip);
    API_TRY(find_device(args->topology, args->device_id, &index));
    const struct device *device = topology_of(args->topology)->devices[index]->device;
    for (int i = 0; i < 3; i++)
        at[i] = (int)device->coords[i];
    args->device_index_on_chip = (int)device->core_on_chip;
    return API_ERROR(
        put_bounds(at, args->chip_coords, args->chip_coords_max_dims, &args->chip_coords_num_dims));
}

/* ---- other topologies ------------------------------------------------------------------------ */
static struct error *read_bounds(const char *name, const int32_t *bounds, size_t count, int out[3])
{
    out[0] = out[1] = out[2] = 1;
    if (!bounds || count < 1 || count > 3)
        return ERROR(INVALID_ARGUMENT, "%s has %zu numbers; it must have 1 to 3", name, count);
    for (size_t i = 0; i < count; i++) {
        out[i] = bounds[i];
        if (out[i] < 1 || out[i] > 4096)
            return ERROR(INVALID_ARGUMENT, "%s has a bound of %d; allowed: 1 to 4096", name,
                         out[i]);
    }
    return NULL;
}

/* The generation with a grid of chips and processes, and the other options of `like`. */
static struct error *make(const PJRT_TopologyDescription *like, const int bounds[3],
                          const int process[3], PJRT_TopologyDescription **out)
{
    const struct topology *from = topology_of(like);
    const char *text = from->client->topology_name, *rest = strstr(text, ",num_slices=");
    struct device_options options = {0};
    struct topology *made;
    struct text name = {0};
    text_add(&name, "%.*s:%dx%dx%d,chips_per_host_bounds=%dx%dx%d%s", (int)strcspn(text, ":"), text,
             bounds[0], bounds[1], bounds[2], process[0], process[1], process[2], rest ? rest : "");
    options.topology = name.data;
    options.platform_name = from->client->platform_name;
    memcpy(options.memory_limit, from->client->memory_limit, sizeof options.memory_limit);
    struct error *error = name.failed ? error_out_of_memory()
                                      : client_create_topology(from->library, &options, &made);
    text_free(&name);
    if (!error)
        *out = topology_handle(made);
    return error;
}

static PJRT_Error *replace_host_bounds(PJRT_TpuTopology_ReplaceHostBounds_Args *args)
{
    int hosts[3], process[3];
    NEED_GRID(args, new_topology);
    const int *bounds = grid_of(args->topology)->bounds;
    API_TRY(read_bounds("host_bounds", args->host_bounds, args->host_bounds_dim_num, hosts));
    for (int i = 0; i < 3; i++) {
        if (bounds[i] % hosts[i])
            return API_ERROR(ERROR(INVALID_ARGUMENT,
                                   "%d chips in dimension %d are not divisible by "
                                   "%d hosts",
                                   bounds[i], i, hosts[i]));
        process[i] = bounds[i] / hosts[i];
    }
    return API_ERROR(make(args->topology, bounds, process, &args->new_topology));
}

static PJRT_Error *subslice(PJRT_TpuTopology_Subslice_Args *args)
{
    int process[3], hosts[3], bounds[3];
    NEED_GRID(args, subslice_topology);
    const int *whole = grid_of(args->topology)->bounds;
    API_TRY(read_bounds("chips_per_host_bounds", args->chips_per_host_bounds,
                        args->chips_per_host_bounds_num_dims, process));
    API_TRY(read_bounds("host_bounds", args->host_bounds, args->host_bounds_num_dims, hosts));
    for (int i = 0; i < 3; i++) {
        bounds[i] = process[i] * hosts[i];
        if (bounds[i] > whole[i])
            return API_ERROR(ERROR(INVALID_ARGUMENT,
                                   "a subslice of %d chips in dimension %d "
                                   "exceeds the slice of %d",
                                   bounds[i], i, whole[i]));
    }
    API_TRY(make(args->topology, bounds, process, &args->subslice_topology));
    topology_of(args->subslice_topology)->is_part = true;
    return NULL;
}

static PJRT_Error *is_subslice(PJRT_TpuTopology_IsSubsliceTopology_Args *args)
{
    NEED_GRID(args, is_subslice_topology);
    args->is_subslice_topology = topology_of(args->topology)->is_part;
    return NULL;
}

static PJRT_Error *device_in_subslice(PJRT_TpuTopology_SubsliceDeviceIdFromFullDeviceId_Args *args)
{
    int index, at[3], origin[3];
    NEED_OBJECT(args, client_topology);
    NEED_OBJECT(args, subslice_topology);
    NEED(args, subslice_device_id);
    const struct device_grid *whole = grid_of(args->client_topology),
                             *part = grid_of(args->subslice_topology);
    if (!whole || !part)
        return API_ERROR(ERROR(INVALID_ARGUMENT, "the topologies are not TPU topologies"));
    API_TRY(
        read_coords(args->subslice_origin, args->subslice_origin_dim_num, whole->bounds, origin));
    API_TRY(find_device(args->client_topology, args->full_device_id, &index));
    const struct device *device = topology_of(args->client_topology)->devices[index]->device;
    for (int i = 0; i < 3; i++) {
        at[i] = (int)device->coords[i] - origin[i];
        if (at[i] < 0 || at[i] >= part->bounds[i])
            return API_ERROR(
                ERROR(INVALID_ARGUMENT, "device %d is not in the subslice", args->full_device_id));
    }
    args->subslice_device_id =
        index_of(at, part->bounds) * part->devices_per_chip + (int)device->core_on_chip;
    return NULL;
}

/* ---- what is not known ----------------------------------------------------------------------- */
#define UNKNOWN(Name, function)                                                                    \
    static PJRT_Error *function(PJRT_TpuTopology_##Name##_Args *args)                              \
    {                                                                                              \
        (void)args;                                                                                \
        return API_ERROR(ERROR(UNIMPLEMENTED, "PJRT_TpuTopology_" #Name " is not modeled"));       \
    }
UNKNOWN(GetRoutingStrategy, routing_strategy)
UNKNOWN(GetSliceConfig, slice_config)
UNKNOWN(GetSliceConfigs, slice_configs)
UNKNOWN(GetDefaultPlatformConfig, platform_config)

struct ext_tpu_topology_table ext_tpu_topology = {
    .table = {
        .base = {.struct_size = PJRT_TpuTopology_Extension_STRUCT_SIZE,
                 .type = PJRT_Extension_Type_TpuTopology,
                 .next = &ext_ffi.table.base},
        .subslice = subslice,
        .is_subslice_topology = is_subslice,
        .subslice_device_id_from_full_device_id = device_in_subslice,
        .replace_host_bounds = replace_host_bounds,
        .is_enhanced_barrier_enabled = has_enhanced_barrier,
        .has_limited_ici_connectivity = has_limited_ici,
        .is_reachable_over_limited_ici = is_reachable,
        .process_count = count_processes,
        .chips_per_process = count_chips_per_process,
        .core_count_per_chip = count_cores_per_chip,
        .chip_count = count_chips,
        .core_count = count_cores,
        .logical_device_count_per_process = count_devices_per_process,
        .logical_device_count = count_devices,
        .logical_device_count_per_chip = count_devices_per_chip,
        .core_count_per_process = count_cores_per_process,
        .process_ids = process_ids,
        .logical_device_ids_on_process = devices_on_process,
        .proc_id_and_idx_on_proc_for_chip = process_of_chip,
        .proc_id_and_idx_on_proc_for_logi_device = process_of_device,
        .process_coord_from_id = process_coord,
        .chip_id_from_coord = chip_id,
        .logical_device_id_from_chip_coord_and_idx = device_at,
        .chip_coord_and_idx_for_logi_device = place_of_device,
        .chips_per_process_bounds = chips_per_process_bounds,
        .chip_bounds = chip_bounds,
        .process_bounds = process_bounds,
        .get_routing_strategy = routing_strategy,
        .get_slice_config = slice_config,
        .get_slice_configs = slice_configs,
        .get_default_platform_config = platform_config,
    }};
