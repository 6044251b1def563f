/* ext_tpu_topology_test.c: the extension of the built TPU plugin, as a client finds it. GANTRY_LIB
 * is its folder. */
#include "pjrt_c_api_tpu_topology_extension.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const PJRT_Api *api;
static const PJRT_TpuTopology_Extension *extension;
static PJRT_TopologyDescription *topology; /* v4:2x2x4, two devices a chip, four processes */

static PJRT_TopologyDescription *describe(const char *name)
{
    PJRT_TopologyDescription_Create_Args args = {
        .struct_size = PJRT_TopologyDescription_Create_Args_STRUCT_SIZE,
        .topology_name = name,
        .topology_name_size = strlen(name)};
    cr_assert_null(api->PJRT_TopologyDescription_Create(&args));
    return args.topology;
}

static void drop(PJRT_TopologyDescription *which)
{
    PJRT_TopologyDescription_Destroy_Args args = {
        .struct_size = PJRT_TopologyDescription_Destroy_Args_STRUCT_SIZE, .topology = which};
    cr_expect_null(api->PJRT_TopologyDescription_Destroy(&args));
}

static void setup(void)
{
    char path[4096];
    const char *folder = getenv("GANTRY_LIB");
    snprintf(path, sizeof path, "%s/pjrt_c_api_gantrytpu_plugin.so", folder ? folder : "build/lib");
    void *library = dlopen(path, RTLD_NOW);
    cr_assert(library, "%s", dlerror());
    const PJRT_Api *(*get)(void) = (const PJRT_Api *(*)(void))dlsym(library, "GetPjrtApi");
    cr_assert(get && (api = get()));
    const PJRT_Extension_Base *at = api->extension_start;
    while (at && at->type != PJRT_Extension_Type_TpuTopology)
        at = at->next;
    cr_assert_not_null(at);
    extension = (const PJRT_TpuTopology_Extension *)at;
    topology = describe("v4:2x2x4");
}

static void teardown(void)
{
    drop(topology);
}

TestSuite(tpu_topology_extension, .init = setup, .fini = teardown);

#define ASK(name, ...)                                                                             \
    PJRT_TpuTopology_##name##_Args args = {PJRT_TpuTopology_##name##_Args_STRUCT_SIZE, topology,   \
                                           __VA_ARGS__}

static void refused(PJRT_Error *error, PJRT_Error_Code code)
{
    cr_assert_not_null(error);
    PJRT_Error_GetCode_Args args = {.struct_size = PJRT_Error_GetCode_Args_STRUCT_SIZE,
                                    .error = error};
    cr_assert_null(api->PJRT_Error_GetCode(&args));
    cr_expect_eq(args.code, code);
    PJRT_Error_Destroy_Args destroy = {.struct_size = PJRT_Error_Destroy_Args_STRUCT_SIZE,
                                       .error = error};
    api->PJRT_Error_Destroy(&destroy);
}

#define EXPECT_COUNT(name, function, field, value)                                                 \
    do {                                                                                           \
        ASK(name, 0);                                                                              \
        cr_assert_null(extension->function(&args));                                                \
        cr_expect_eq(args.field, value, #name ": %d", args.field);                                 \
        args.struct_size = 8;                                                                      \
        refused(extension->function(&args), PJRT_Error_Code_INVALID_ARGUMENT);                     \
    } while (0)

Test(tpu_topology_extension, counts)
{
    EXPECT_COUNT(ProcessCount, process_count, process_count, 4);
    EXPECT_COUNT(ChipsPerProcess, chips_per_process, chips_per_process, 4);
    EXPECT_COUNT(CoreCountPerChip, core_count_per_chip, core_count_of_default_type_per_chip, 2);
    EXPECT_COUNT(ChipCount, chip_count, chip_count, 16);
    EXPECT_COUNT(CoreCount, core_count, core_count_of_default_type, 32);
    EXPECT_COUNT(LogiDeviceCount, logical_device_count, logical_device_count_of_default_type, 32);
    EXPECT_COUNT(LogiDeviceCountPerProcess, logical_device_count_per_process,
                 logical_device_count_of_default_type_per_process, 8);
    EXPECT_COUNT(LogiDeviceCountPerChip, logical_device_count_per_chip,
                 logical_device_count_of_default_type_per_chip, 2);
    EXPECT_COUNT(CoreCountPerProcess, core_count_per_process,
                 core_count_of_default_type_per_process, 8);
    EXPECT_COUNT(HasLimitedIciConnectivity, has_limited_ici_connectivity,
                 has_limited_ici_connectivity, false);
}

Test(tpu_topology_extension, bounds)
{
    int32_t bounds[3];
    {
        ASK(ChipBounds, 3, bounds, 0);
        cr_assert_null(extension->chip_bounds(&args));
        cr_expect(bounds[0] == 2 && bounds[1] == 2 && bounds[2] == 4 &&
                  args.chip_bounds_num_dims == 3);
        args.chip_bounds_max_dims = 2;
        refused(extension->chip_bounds(&args), PJRT_Error_Code_INVALID_ARGUMENT);
    }
    {
        ASK(ProcessBounds, 3, bounds, 0);
        cr_assert_null(extension->process_bounds(&args));
        cr_expect(bounds[0] == 1 && bounds[1] == 1 && bounds[2] == 4);
    }
    ASK(ChipsPerProcessBounds, 3, bounds, 0);
    cr_assert_null(extension->chips_per_process_bounds(&args));
    cr_expect(bounds[0] == 2 && bounds[1] == 2 && bounds[2] == 1);
}

/* Every device is found at its place, and on its process. */
Test(tpu_topology_extension, devices_and_places_agree)
{
    for (int32_t id = 0; id < 32; id++) {
        int32_t at[3];
        ASK(ChipCoordAndIdxForLogiDevice, id, 3, at, 0, 0);
        cr_assert_null(extension->chip_coord_and_idx_for_logi_device(&args));
        PJRT_TpuTopology_LogiDeviceIdFromChipCoordAndIdx_Args back = {
            PJRT_TpuTopology_LogiDeviceIdFromChipCoordAndIdx_Args_STRUCT_SIZE,
            topology,
            at,
            3,
            args.device_index_on_chip,
            -1};
        cr_assert_null(extension->logical_device_id_from_chip_coord_and_idx(&back));
        cr_expect_eq(back.logical_device_of_default_type_id, id);
        PJRT_TpuTopology_ChipIdFromCoord_Args chip = {
            PJRT_TpuTopology_ChipIdFromCoord_Args_STRUCT_SIZE, topology, at, 3, -1};
        cr_assert_null(extension->chip_id_from_coord(&chip));
        cr_expect_eq(chip.chip_id, id / 2);
        PJRT_TpuTopology_ProcIdAndIdxOnProcForChip_Args of_chip = {
            PJRT_TpuTopology_ProcIdAndIdxOnProcForChip_Args_STRUCT_SIZE, topology, chip.chip_id, -1,
            -1};
        cr_assert_null(extension->proc_id_and_idx_on_proc_for_chip(&of_chip));
        PJRT_TpuTopology_ProcIdAndIdxOnProcForLogiDevice_Args of_device = {
            PJRT_TpuTopology_ProcIdAndIdxOnProcForLogiDevice_Args_STRUCT_SIZE, topology, id, -1,
            -1};
        cr_assert_null(extension->proc_id_and_idx_on_proc_for_logi_device(&of_device));
        cr_expect(of_device.process_id == at[2] && of_chip.process_id == at[2]);
        cr_expect_eq(of_device.index_on_process, of_chip.index_on_process * 2 + id % 2);
    }
    ASK(ChipCoordAndIdxForLogiDevice, 32, 3, (int32_t[3]){0}, 0, 0);
    refused(extension->chip_coord_and_idx_for_logi_device(&args), PJRT_Error_Code_INVALID_ARGUMENT);
}

Test(tpu_topology_extension, processes_list_their_devices)
{
    int32_t ids[8];
    ASK(LogiDeviceIdsOnProcess, 3, 8, ids, 0);
    cr_assert_null(extension->logical_device_ids_on_process(&args));
    cr_expect(args.num_logical_device_ids == 8 && ids[0] == 24 && ids[7] == 31);
    args.process_id = 4;
    refused(extension->logical_device_ids_on_process(&args), PJRT_Error_Code_INVALID_ARGUMENT);
    args.process_id = -1;
    refused(extension->logical_device_ids_on_process(&args), PJRT_Error_Code_INVALID_ARGUMENT);
}

Test(tpu_topology_extension, parts_and_other_processes)
{
    static const int32_t host[] = {2, 2, 1}, hosts[] = {1, 1, 2}, one[] = {1, 1, 1};
    static const int32_t origin[] = {0, 0, 2}, huge[] = {INT32_MAX, 1, 1};
    ASK(Subslice, host, 3, hosts, 3, NULL);
    cr_assert_null(extension->subslice(&args));
    PJRT_TpuTopology_IsSubsliceTopology_Args part = {
        PJRT_TpuTopology_IsSubsliceTopology_Args_STRUCT_SIZE, args.subslice_topology, false};
    cr_assert_null(extension->is_subslice_topology(&part));
    cr_expect(part.is_subslice_topology);
    PJRT_TpuTopology_SubsliceDeviceIdFromFullDeviceId_Args id = {
        PJRT_TpuTopology_SubsliceDeviceIdFromFullDeviceId_Args_STRUCT_SIZE,
        topology,
        args.subslice_topology,
        origin,
        3,
        31,
        -1};
    cr_assert_null(extension->subslice_device_id_from_full_device_id(&id));
    cr_expect_eq(id.subslice_device_id, 15);
    id.full_device_id = 0;
    refused(extension->subslice_device_id_from_full_device_id(&id),
            PJRT_Error_Code_INVALID_ARGUMENT);
    drop(args.subslice_topology);
    args.host_bounds = huge;
    refused(extension->subslice(&args), PJRT_Error_Code_INVALID_ARGUMENT);
    PJRT_TpuTopology_ReplaceHostBounds_Args whole = {
        PJRT_TpuTopology_ReplaceHostBounds_Args_STRUCT_SIZE, topology, one, 3, NULL};
    cr_assert_null(extension->replace_host_bounds(&whole));
    PJRT_TpuTopology_ProcessCount_Args count = {PJRT_TpuTopology_ProcessCount_Args_STRUCT_SIZE,
                                                whole.new_topology, 0};
    cr_assert_null(extension->process_count(&count));
    cr_expect_eq(count.process_count, 1);
    drop(whole.new_topology);
}

Test(tpu_topology_extension, what_is_not_known_is_unimplemented)
{
    ASK(GetRoutingStrategy, NULL, 0);
    refused(extension->get_routing_strategy(&args), PJRT_Error_Code_UNIMPLEMENTED);
}

/* ---- wrong arguments ------------------------------------------------------------------------- */
/* Calls a function with arguments that begin with the topology, and expects INVALID_ARGUMENT. */
#define REFUSED(name, function, ...)                                                               \
    do {                                                                                           \
        ASK(name, __VA_ARGS__);                                                                    \
        refused(extension->function(&args), PJRT_Error_Code_INVALID_ARGUMENT);                     \
    } while (0)

Test(tpu_topology_extension, coordinates_lie_in_the_grid)
{
    int32_t at[4] = {0}, beyond[3] = {0, 2, 0}, below[3] = {0, 0, -1};
    REFUSED(ChipIdFromCoord, chip_id_from_coord, NULL, 3, 0);
    REFUSED(ChipIdFromCoord, chip_id_from_coord, at, 0, 0);
    REFUSED(ChipIdFromCoord, chip_id_from_coord, at, 4, 0);
    REFUSED(ChipIdFromCoord, chip_id_from_coord, beyond, 3, 0);
    REFUSED(ChipIdFromCoord, chip_id_from_coord, below, 3, 0);
    REFUSED(LogiDeviceIdFromChipCoordAndIdx, logical_device_id_from_chip_coord_and_idx, beyond, 3,
            0, 0);
    REFUSED(LogiDeviceIdFromChipCoordAndIdx, logical_device_id_from_chip_coord_and_idx, at, 3, 2,
            0);
    REFUSED(LogiDeviceIdFromChipCoordAndIdx, logical_device_id_from_chip_coord_and_idx, at, 3, -1,
            0);
}

Test(tpu_topology_extension, numbers_are_those_of_the_topology)
{
    int32_t at[3];
    REFUSED(ProcIdAndIdxOnProcForChip, proc_id_and_idx_on_proc_for_chip, 16, 0, 0);
    REFUSED(ProcIdAndIdxOnProcForChip, proc_id_and_idx_on_proc_for_chip, -1, 0, 0);
    REFUSED(ProcIdAndIdxOnProcForLogiDevice, proc_id_and_idx_on_proc_for_logi_device, 32, 0, 0);
    REFUSED(ProcessCoordFromId, process_coord_from_id, 4, 3, at, 0);
    ASK(ProcessCoordFromId, 3, 3, at, 0);
    cr_assert_null(extension->process_coord_from_id(&args));
    cr_expect(at[0] == 0 && at[1] == 0 && at[2] == 3 && args.coords_num_dims == 3);
}

Test(tpu_topology_extension, arrays_have_room)
{
    int32_t ids[8] = {-1};
    REFUSED(ProcessIds, process_ids, -1, ids, 0);
    REFUSED(ProcessIds, process_ids, 3, ids, 0);
    REFUSED(ProcessIds, process_ids, 4, NULL, 0);
    REFUSED(LogiDeviceIdsOnProcess, logical_device_ids_on_process, 0, -8, ids, 0);
    REFUSED(LogiDeviceIdsOnProcess, logical_device_ids_on_process, 0, 7, ids, 0);
    REFUSED(ChipCoordAndIdxForLogiDevice, chip_coord_and_idx_for_logi_device, 0, 2, ids, 0, 0);
    REFUSED(ProcessCoordFromId, process_coord_from_id, 0, 2, ids, 0);
    REFUSED(ChipBounds, chip_bounds, 3, NULL, 0);
    REFUSED(ProcessBounds, process_bounds, 2, ids, 0);
    REFUSED(ChipsPerProcessBounds, chips_per_process_bounds, 2, ids, 0);
    cr_expect_eq(ids[0], -1, "nothing is written");
    ASK(ProcessIds, 4, ids, 0);
    cr_assert_null(extension->process_ids(&args));
    cr_expect(args.num_process_ids == 4 && ids[0] == 0 && ids[3] == 3);
}

Test(tpu_topology_extension, parts_are_whole_chips_of_the_slice)
{
    int32_t one[4] = {1, 1, 1, 1}, none[3] = {1, 0, 1}, many[3] = {1, 1, 4097},
            three[3] = {1, 3, 1};
    REFUSED(ReplaceHostBounds, replace_host_bounds, NULL, 3, NULL);
    REFUSED(ReplaceHostBounds, replace_host_bounds, one, 0, NULL);
    REFUSED(ReplaceHostBounds, replace_host_bounds, one, 4, NULL);
    REFUSED(ReplaceHostBounds, replace_host_bounds, none, 3, NULL);
    REFUSED(ReplaceHostBounds, replace_host_bounds, many, 3, NULL);
    REFUSED(ReplaceHostBounds, replace_host_bounds, three, 3, NULL);
    REFUSED(Subslice, subslice, none, 3, one, 3, NULL);
    REFUSED(Subslice, subslice, one, 3, none, 3, NULL);
    REFUSED(Subslice, subslice, three, 3, one, 3, NULL);
}

Test(tpu_topology_extension, devices_are_in_the_part_or_not)
{
    static const int32_t one[] = {1, 1, 1}, origin[] = {1, 1, 1}, beyond[] = {0, 0, 4};
    ASK(Subslice, one, 3, one, 3, NULL);
    cr_assert_null(extension->subslice(&args));
    PJRT_TpuTopology_SubsliceDeviceIdFromFullDeviceId_Args ask = {
        PJRT_TpuTopology_SubsliceDeviceIdFromFullDeviceId_Args_STRUCT_SIZE,
        topology,
        args.subslice_topology,
        origin,
        3,
        15,
        -1};
    cr_assert_null(extension->subslice_device_id_from_full_device_id(&ask));
    cr_expect_eq(ask.subslice_device_id, 1, "chip 7 has the devices 14 and 15");
    for (int32_t id = 0; id < 32; id++) { /* before, behind and at every side of it */
        ask.full_device_id = id;
        PJRT_Error *error = extension->subslice_device_id_from_full_device_id(&ask);
        cr_expect_eq(!error, id / 2 == 7, "device %d", id);
        if (error)
            refused(error, PJRT_Error_Code_INVALID_ARGUMENT);
    }
    ask.full_device_id = 32;
    refused(extension->subslice_device_id_from_full_device_id(&ask),
            PJRT_Error_Code_INVALID_ARGUMENT);
    ask.full_device_id = 15, ask.subslice_origin = beyond;
    refused(extension->subslice_device_id_from_full_device_id(&ask),
            PJRT_Error_Code_INVALID_ARGUMENT);
    drop(args.subslice_topology);
}

/* A topology without a grid of chips, as the one of the CPU plugin. */
static PJRT_TopologyDescription *without_chips(void)
{
    char path[4096];
    const char *folder = getenv("GANTRY_LIB");
    snprintf(path, sizeof path, "%s/pjrt_c_api_gantry_plugin.so", folder ? folder : "build/lib");
    void *library = dlopen(path, RTLD_NOW);
    cr_assert(library, "%s", dlerror());
    const PJRT_Api *(*get)(void) = (const PJRT_Api *(*)(void))dlsym(library, "GetPjrtApi");
    PJRT_TopologyDescription_Create_Args args = {
        .struct_size = PJRT_TopologyDescription_Create_Args_STRUCT_SIZE};
    cr_assert_null(get()->PJRT_TopologyDescription_Create(&args));
    return args.topology;
}

/* Every function of the table, with a struct that is large enough for each. */
Test(tpu_topology_extension, topologies_have_chips)
{
    PJRT_TopologyDescription *other = without_chips();
    for (size_t at = sizeof extension->base; at < extension->base.struct_size; at += sizeof at) {
        PJRT_Error *(*call)(void *args);
        const void *args[32] = {(const void *)sizeof args, other, other}; /* one asks for two */
        memcpy(&call, (const char *)extension + at, sizeof call);
        PJRT_Error *error = call(args);
        bool unknown = at >= offsetof(PJRT_TpuTopology_Extension, get_routing_strategy);
        refused(error, unknown ? PJRT_Error_Code_UNIMPLEMENTED : PJRT_Error_Code_INVALID_ARGUMENT);
    }
    drop(other);
}

Test(tpu_topology_extension, parts_of_several_slices_keep_their_number)
{
    static const int32_t host[] = {2, 2, 1}, hosts[] = {1, 1, 1};
    drop(topology);
    topology = describe("v4:2x2x2,num_slices=2");
    ASK(Subslice, host, 3, hosts, 3, NULL);
    cr_assert_null(extension->subslice(&args));
    PJRT_TpuTopology_ChipCount_Args count = {PJRT_TpuTopology_ChipCount_Args_STRUCT_SIZE,
                                             args.subslice_topology, 0};
    cr_assert_null(extension->chip_count(&count));
    cr_expect_eq(count.chip_count, 8, "four of each slice");
    drop(args.subslice_topology);
}

/* ---- canonical shapes: the bytes that libtpu gives, without its tail_padding_alignment ---- */
static const int64_t dims[] = {100, 300};

static void expect_shape(PJRT_TopologyDescription *of, int kind_id, const void *bytes, size_t size)
{
    PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace_Args args = {
        .struct_size = PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace_Args_STRUCT_SIZE,
        .topology = of,
        .memory_space_kind_id = kind_id,
        .dims = dims,
        .num_dims = 2,
        .element_type = PJRT_Buffer_Type_BF16};
    cr_assert_null(api->PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace(&args));
    cr_expect_eq(args.serialized_shape_size, size, "kind %d: %zu bytes", kind_id,
                 args.serialized_shape_size);
    cr_expect_not(memcmp(args.serialized_shape, bytes, size), "kind %d", kind_id);
    args.serialized_shape_deleter(args.serialized_shape);
}

Test(tpu_topology_extension, canonical_shapes_are_tiled_in_memories_of_the_device)
{
    /* bf16[100,300]{0,1:T(8,128)(2,1)} and {1,0} */
    static const unsigned char tiled[] = {0x10, 16, 0x1a, 3,    100, 0xac, 2,    0x2a, 17,   0x0a,
                                          2,    0,  1,    0x32, 5,   0x0a, 3,    8,    0x80, 1,
                                          0x32, 4,  0x0a, 2,    2,   1,    0x32, 2,    0,    0},
                               plain[] = {0x10, 16, 0x1a, 3, 100,  0xac, 2, 0x2a, 4,
                                          0x0a, 2,  1,    0, 0x32, 2,    0, 0};
    PJRT_TopologyDescription *small = describe("v5e:2x2");
    PJRT_TopologyDescription_GetMemorySpaceKindIds_Args kinds = {
        .struct_size = PJRT_TopologyDescription_GetMemorySpaceKindIds_Args_STRUCT_SIZE,
        .topology = small};
    cr_assert_null(api->PJRT_TopologyDescription_GetMemorySpaceKindIds(&kinds));
    cr_assert_eq(kinds.num_memory_space_kind_ids, 3);
    expect_shape(small, kinds.memory_space_kind_ids[0], tiled, sizeof tiled);
    expect_shape(small, kinds.memory_space_kind_ids[1], tiled, sizeof tiled);
    expect_shape(small, kinds.memory_space_kind_ids[2], plain, sizeof plain);
    drop(small);
}
