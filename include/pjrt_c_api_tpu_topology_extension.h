/* pjrt_c_api_tpu_topology_extension.h: questions about the topology of TPUs
 * (PJRT_Extension_Type_TpuTopology, version 1).
 *
 * A topology is a grid of chips, x fastest. A chip has one or several logical devices (the devices
 * of the core API) and one or several cores. Processes have equal boxes of chips. A chip's number
 * is its index in the grid; a logical device's number is its PJRT id. "Of default type" means the
 * cores that execute programs (TensorCores).
 *
 * The args of this extension have no extension_start. The caller provides all arrays that are
 * written to: `max` is their capacity, `num` (out) how many elements were written. The rules of
 * pjrt_c_api.h on struct_size, errors, ownership and threads hold here. */
#ifndef GANTRY_PJRT_C_API_TPU_TOPOLOGY_EXTENSION_H
#define GANTRY_PJRT_C_API_TPU_TOPOLOGY_EXTENSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pjrt_c_api.h"

#define PJRT_API_TPU_TOPOLOGY_EXTENSION_VERSION 1

#ifdef __cplusplus
extern "C" {
#endif

/* Creates the topology of a part of the slice, of processes with these bounds. Out: owned by
 * the caller. */
typedef struct PJRT_TpuTopology_Subslice_Args {
    size_t struct_size;
    const PJRT_TopologyDescription *topology;
    const int32_t *chips_per_host_bounds;
    size_t chips_per_host_bounds_num_dims;
    const int32_t *host_bounds;
    size_t host_bounds_num_dims;
    PJRT_TopologyDescription *subslice_topology;
} PJRT_TpuTopology_Subslice_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TpuTopology_Subslice_Args, subslice_topology);
typedef PJRT_Error *PJRT_TpuTopology_Subslice(PJRT_TpuTopology_Subslice_Args *args);

/* Whether a topology was made by Subslice. */
typedef struct PJRT_TpuTopology_IsSubsliceTopology_Args {
    size_t struct_size;
    const PJRT_TopologyDescription *topology;
    bool is_subslice_topology;
} PJRT_TpuTopology_IsSubsliceTopology_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TpuTopology_IsSubsliceTopology_Args, is_subslice_topology);
typedef PJRT_Error *
PJRT_TpuTopology_IsSubsliceTopology(PJRT_TpuTopology_IsSubsliceTopology_Args *args);

/* The id that a device of the whole slice has in a part of it, which starts at the given chip. */
typedef struct PJRT_TpuTopology_SubsliceDeviceIdFromFullDeviceId_Args {
    size_t struct_size;
    const PJRT_TopologyDescription *client_topology;
    const PJRT_TopologyDescription *subslice_topology;
    const int32_t *subslice_origin;
    size_t subslice_origin_dim_num;
    int32_t full_device_id;
    int32_t subslice_device_id;
} PJRT_TpuTopology_SubsliceDeviceIdFromFullDeviceId_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TpuTopology_SubsliceDeviceIdFromFullDeviceId_Args,
                          subslice_device_id);
typedef PJRT_Error *PJRT_TpuTopology_SubsliceDeviceIdFromFullDeviceId(
    PJRT_TpuTopology_SubsliceDeviceIdFromFullDeviceId_Args *args);

/* Creates the topology of the same chips, divided among other processes. Out: owned by the
 * caller. */
typedef struct PJRT_TpuTopology_ReplaceHostBounds_Args {
    size_t struct_size;
    const PJRT_TopologyDescription *topology;
    const int32_t *host_bounds;
    size_t host_bounds_dim_num;
    PJRT_TopologyDescription *new_topology;
} PJRT_TpuTopology_ReplaceHostBounds_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TpuTopology_ReplaceHostBounds_Args, new_topology);
typedef PJRT_Error *
PJRT_TpuTopology_ReplaceHostBounds(PJRT_TpuTopology_ReplaceHostBounds_Args *args);

/* Whether the chips have the barrier of later generations. */
typedef struct PJRT_TpuTopology_IsEnhancedBarrierEnabled_Args {
    size_t struct_size;
    const PJRT_TopologyDescription *topology;
    bool is_enhanced_barrier_enabled;
} PJRT_TpuTopology_IsEnhancedBarrierEnabled_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TpuTopology_IsEnhancedBarrierEnabled_Args,
                          is_enhanced_barrier_enabled);
typedef PJRT_Error *
PJRT_TpuTopology_IsEnhancedBarrierEnabled(PJRT_TpuTopology_IsEnhancedBarrierEnabled_Args *args);

/* Whether some chips have no direct links to their neighbors. */
typedef struct PJRT_TpuTopology_HasLimitedIciConnectivity_Args {
    size_t struct_size;
    const PJRT_TopologyDescription *topology;
    bool has_limited_ici_connectivity;
} PJRT_TpuTopology_HasLimitedIciConnectivity_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TpuTopology_HasLimitedIciConnectivity_Args,
                          has_limited_ici_connectivity);
typedef PJRT_Error *
PJRT_TpuTopology_HasLimitedIciConnectivity(PJRT_TpuTopology_HasLimitedIciConnectivity_Args *args);

/* Whether a chip is reached from another one where connectivity is limited. */
typedef struct PJRT_TpuTopology_IsReachableOverLimitedIci_Args {
    size_t struct_size;
    const PJRT_TopologyDescription *topology;
    int32_t source_chip_id;
    int32_t dest_chip_id;
    bool is_reachable_over_limited_ici;
} PJRT_TpuTopology_IsReachableOverLimitedIci_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TpuTopology_IsReachableOverLimitedIci_Args,
                          is_reachable_over_limited_ici);
typedef PJRT_Error *
PJRT_TpuTopology_IsReachableOverLimitedIci(PJRT_TpuTopology_IsReachableOverLimitedIci_Args *args);

/* The number of processes. */
typedef struct PJRT_TpuTopology_ProcessCount_Args {
    size_t struct_size;
    const PJRT_TopologyDescription *topology;
    int32_t process_count;
} PJRT_TpuTopology_ProcessCount_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TpuTopology_ProcessCount_Args, process_count);
typedef PJRT_Error *PJRT_TpuTopology_ProcessCount(PJRT_TpuTopology_ProcessCount_Args *args);

/* The chips of each process. */
typedef struct PJRT_TpuTopology_ChipsPerProcess_Args {
    size_t struct_size;
    const PJRT_TopologyDescription *topology;
    int32_t chips_per_process;
} PJRT_TpuTopology_ChipsPerProcess_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TpuTopology_ChipsPerProcess_Args, chips_per_process);
typedef PJRT_Error *PJRT_TpuTopology_ChipsPerProcess(PJRT_TpuTopology_ChipsPerProcess_Args *args);

/* The cores of a chip. */
typedef struct PJRT_TpuTopology_CoreCountPerChip_Args {
    size_t struct_size;
    const PJRT_TopologyDescription *topology;
    int32_t core_count_of_default_type_per_chip;
} PJRT_TpuTopology_CoreCountPerChip_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TpuTopology_CoreCountPerChip_Args,
                          core_count_of_default_type_per_chip);
typedef PJRT_Error *PJRT_TpuTopology_CoreCountPerChip(PJRT_TpuTopology_CoreCountPerChip_Args *args);

/* The number of chips. */
typedef struct PJRT_TpuTopology_ChipCount_Args {
    size_t struct_size;
    const PJRT_TopologyDescription *topology;
    int32_t chip_count;
} PJRT_TpuTopology_ChipCount_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TpuTopology_ChipCount_Args, chip_count);
typedef PJRT_Error *PJRT_TpuTopology_ChipCount(PJRT_TpuTopology_ChipCount_Args *args);

/* The number of cores. */
typedef struct PJRT_TpuTopology_CoreCount_Args {
    size_t struct_size;
    const PJRT_TopologyDescription *topology;
    int32_t core_count_of_default_type;
} PJRT_TpuTopology_CoreCount_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TpuTopology_CoreCount_Args, core_count_of_default_type);
typedef PJRT_Error *PJRT_TpuTopology_CoreCount(PJRT_TpuTopology_CoreCount_Args *args);

/* The number of logical devices. */
typedef struct PJRT_TpuTopology_LogiDeviceCount_Args {
    size_t struct_size;
    const PJRT_TopologyDescription *topology;
    int32_t logical_device_count_of_default_type;
} PJRT_TpuTopology_LogiDeviceCount_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TpuTopology_LogiDeviceCount_Args,
                          logical_device_count_of_default_type);
typedef PJRT_Error *PJRT_TpuTopology_LogiDeviceCount(PJRT_TpuTopology_LogiDeviceCount_Args *args);

/* The logical devices of each process. */
typedef struct PJRT_TpuTopology_LogiDeviceCountPerProcess_Args {
    size_t struct_size;
    const PJRT_TopologyDescription *topology;
    int32_t logical_device_count_of_default_type_per_process;
} PJRT_TpuTopology_LogiDeviceCountPerProcess_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TpuTopology_LogiDeviceCountPerProcess_Args,
                          logical_device_count_of_default_type_per_process);
typedef PJRT_Error *
PJRT_TpuTopology_LogiDeviceCountPerProcess(PJRT_TpuTopology_LogiDeviceCountPerProcess_Args *args);

/* The logical devices of a chip. */
typedef struct PJRT_TpuTopology_LogiDeviceCountPerChip_Args {
    size_t struct_size;
    const PJRT_TopologyDescription *topology;
    int32_t logical_device_count_of_default_type_per_chip;
} PJRT_TpuTopology_LogiDeviceCountPerChip_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TpuTopology_LogiDeviceCountPerChip_Args,
                          logical_device_count_of_default_type_per_chip);
typedef PJRT_Error *
PJRT_TpuTopology_LogiDeviceCountPerChip(PJRT_TpuTopology_LogiDeviceCountPerChip_Args *args);

/* The cores of each process. */
typedef struct PJRT_TpuTopology_CoreCountPerProcess_Args {
    size_t struct_size;
    const PJRT_TopologyDescription *topology;
    int32_t core_count_of_default_type_per_process;
} PJRT_TpuTopology_CoreCountPerProcess_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TpuTopology_CoreCountPerProcess_Args,
                          core_count_of_default_type_per_process);
typedef PJRT_Error *
PJRT_TpuTopology_CoreCountPerProcess(PJRT_TpuTopology_CoreCountPerProcess_Args *args);

/* The numbers of all processes. */
typedef struct PJRT_TpuTopology_ProcessIds_Args {
    size_t struct_size;
    const PJRT_TopologyDescription *topology;
    int32_t max_process_ids;
    int32_t *process_ids;
    size_t num_process_ids;
} PJRT_TpuTopology_ProcessIds_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TpuTopology_ProcessIds_Args, num_process_ids);
typedef PJRT_Error *PJRT_TpuTopology_ProcessIds(PJRT_TpuTopology_ProcessIds_Args *args);

/* The logical devices of a process. */
typedef struct PJRT_TpuTopology_LogiDeviceIdsOnProcess_Args {
    size_t struct_size;
    const PJRT_TopologyDescription *topology;
    int32_t process_id;
    int32_t max_logical_device_ids;
    int32_t *logical_device_of_default_type_ids;
    size_t num_logical_device_ids;
} PJRT_TpuTopology_LogiDeviceIdsOnProcess_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TpuTopology_LogiDeviceIdsOnProcess_Args, num_logical_device_ids);
typedef PJRT_Error *
PJRT_TpuTopology_LogiDeviceIdsOnProcess(PJRT_TpuTopology_LogiDeviceIdsOnProcess_Args *args);

/* The process of a chip, and its index among the chips there. */
typedef struct PJRT_TpuTopology_ProcIdAndIdxOnProcForChip_Args {
    size_t struct_size;
    const PJRT_TopologyDescription *topology;
    int32_t chip_id;
    int32_t process_id;
    int32_t index_on_process;
} PJRT_TpuTopology_ProcIdAndIdxOnProcForChip_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TpuTopology_ProcIdAndIdxOnProcForChip_Args, index_on_process);
typedef PJRT_Error *
PJRT_TpuTopology_ProcIdAndIdxOnProcForChip(PJRT_TpuTopology_ProcIdAndIdxOnProcForChip_Args *args);

/* The process of a logical device, and its index among the devices there. */
typedef struct PJRT_TpuTopology_ProcIdAndIdxOnProcForLogiDevice_Args {
    size_t struct_size;
    const PJRT_TopologyDescription *topology;
    int32_t device_id;
    int32_t process_id;
    int32_t index_on_process;
} PJRT_TpuTopology_ProcIdAndIdxOnProcForLogiDevice_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TpuTopology_ProcIdAndIdxOnProcForLogiDevice_Args, index_on_process);
typedef PJRT_Error *PJRT_TpuTopology_ProcIdAndIdxOnProcForLogiDevice(
    PJRT_TpuTopology_ProcIdAndIdxOnProcForLogiDevice_Args *args);

/* The coordinates of a process in the grid of processes. */
typedef struct PJRT_TpuTopology_ProcessCoordFromId_Args {
    size_t struct_size;
    const PJRT_TopologyDescription *topology;
    int32_t process_id;
    size_t coords_max_dims;
    int32_t *coords;
    size_t coords_num_dims;
} PJRT_TpuTopology_ProcessCoordFromId_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TpuTopology_ProcessCoordFromId_Args, coords_num_dims);
typedef PJRT_Error *
PJRT_TpuTopology_ProcessCoordFromId(PJRT_TpuTopology_ProcessCoordFromId_Args *args);

/* The number of the chip at these coordinates. */
typedef struct PJRT_TpuTopology_ChipIdFromCoord_Args {
    size_t struct_size;
    const PJRT_TopologyDescription *topology;
    const int32_t *coords;
    size_t coords_num_dims;
    int32_t chip_id;
} PJRT_TpuTopology_ChipIdFromCoord_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TpuTopology_ChipIdFromCoord_Args, chip_id);
typedef PJRT_Error *PJRT_TpuTopology_ChipIdFromCoord(PJRT_TpuTopology_ChipIdFromCoord_Args *args);

/* A logical device of the chip at these coordinates. */
typedef struct PJRT_TpuTopology_LogiDeviceIdFromChipCoordAndIdx_Args {
    size_t struct_size;
    const PJRT_TopologyDescription *topology;
    const int32_t *chip_coords;
    size_t chip_coords_num_dims;
    int32_t logical_device_index_on_chip;
    int32_t logical_device_of_default_type_id;
} PJRT_TpuTopology_LogiDeviceIdFromChipCoordAndIdx_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TpuTopology_LogiDeviceIdFromChipCoordAndIdx_Args,
                          logical_device_of_default_type_id);
typedef PJRT_Error *PJRT_TpuTopology_LogiDeviceIdFromChipCoordAndIdx(
    PJRT_TpuTopology_LogiDeviceIdFromChipCoordAndIdx_Args *args);

/* The coordinates of the chip of a logical device, and its index there. */
typedef struct PJRT_TpuTopology_ChipCoordAndIdxForLogiDevice_Args {
    size_t struct_size;
    const PJRT_TopologyDescription *topology;
    int32_t device_id;
    size_t chip_coords_max_dims;
    int32_t *chip_coords;
    size_t chip_coords_num_dims;
    int32_t device_index_on_chip;
} PJRT_TpuTopology_ChipCoordAndIdxForLogiDevice_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TpuTopology_ChipCoordAndIdxForLogiDevice_Args, device_index_on_chip);
typedef PJRT_Error *PJRT_TpuTopology_ChipCoordAndIdxForLogiDevice(
    PJRT_TpuTopology_ChipCoordAndIdxForLogiDevice_Args *args);

/* The box of chips of a process. */
typedef struct PJRT_TpuTopology_ChipsPerProcessBounds_Args {
    size_t struct_size;
    const PJRT_TopologyDescription *topology;
    size_t chip_per_process_bounds_max_dims;
    int32_t *chip_per_process_bounds;
    size_t chip_per_process_bounds_num_dims;
} PJRT_TpuTopology_ChipsPerProcessBounds_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TpuTopology_ChipsPerProcessBounds_Args,
                          chip_per_process_bounds_num_dims);
typedef PJRT_Error *
PJRT_TpuTopology_ChipsPerProcessBounds(PJRT_TpuTopology_ChipsPerProcessBounds_Args *args);

/* The grid of chips. */
typedef struct PJRT_TpuTopology_ChipBounds_Args {
    size_t struct_size;
    const PJRT_TopologyDescription *topology;
    size_t chip_bounds_max_dims;
    int32_t *chip_bounds;
    size_t chip_bounds_num_dims;
} PJRT_TpuTopology_ChipBounds_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TpuTopology_ChipBounds_Args, chip_bounds_num_dims);
typedef PJRT_Error *PJRT_TpuTopology_ChipBounds(PJRT_TpuTopology_ChipBounds_Args *args);

/* The grid of processes. */
typedef struct PJRT_TpuTopology_ProcessBounds_Args {
    size_t struct_size;
    const PJRT_TopologyDescription *topology;
    size_t process_bounds_max_dims;
    int32_t *process_bounds;
    size_t process_bounds_num_dims;
} PJRT_TpuTopology_ProcessBounds_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TpuTopology_ProcessBounds_Args, process_bounds_num_dims);
typedef PJRT_Error *PJRT_TpuTopology_ProcessBounds(PJRT_TpuTopology_ProcessBounds_Args *args);

/* The name of the routing between chips. */
typedef struct PJRT_TpuTopology_GetRoutingStrategy_Args {
    size_t struct_size;
    const PJRT_TopologyDescription *topology;
    char *routing_strategy;
    size_t routing_strategy_len;
} PJRT_TpuTopology_GetRoutingStrategy_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TpuTopology_GetRoutingStrategy_Args, routing_strategy_len);
typedef PJRT_Error *
PJRT_TpuTopology_GetRoutingStrategy(PJRT_TpuTopology_GetRoutingStrategy_Args *args);

/* A grid of `dim_size` dimensions, up to four. `wrap`: the dimension is a ring. */
typedef struct PJRT_TpuTopology_SliceConfig {
    size_t dim_size;
    int32_t dimensions[4];
    bool wrap[4];
    bool twist;
} PJRT_TpuTopology_SliceConfig;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TpuTopology_SliceConfig, twist);

/* The grid of a slice that is named like "2x4", of a generation. */
typedef struct PJRT_TpuTopology_GetSliceConfig_Args {
    size_t struct_size;
    const char *platform_type_name;
    size_t platform_type_name_len;
    const char *slice_name;
    size_t slice_name_len;
    PJRT_TpuTopology_SliceConfig *slice_config;
} PJRT_TpuTopology_GetSliceConfig_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TpuTopology_GetSliceConfig_Args, slice_config);
typedef PJRT_Error *PJRT_TpuTopology_GetSliceConfig(PJRT_TpuTopology_GetSliceConfig_Args *args);

/* The usual slices of a generation. */
typedef struct PJRT_TpuTopology_GetSliceConfigs_Args {
    size_t struct_size;
    const char *platform_type_name;
    size_t platform_type_name_len;
    PJRT_TpuTopology_SliceConfig *slice_configs;
    size_t max_slice_configs;
    size_t num_slice_configs;
} PJRT_TpuTopology_GetSliceConfigs_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TpuTopology_GetSliceConfigs_Args, num_slice_configs);
typedef PJRT_Error *PJRT_TpuTopology_GetSliceConfigs(PJRT_TpuTopology_GetSliceConfigs_Args *args);

/* How many chips a tray has, and how many trays a host. */
typedef struct PJRT_TpuTopology_GetDefaultPlatformConfig_Args {
    size_t struct_size;
    const char *platform_type_name;
    size_t platform_type_name_len;
    int64_t num_chips_per_tray;
    int64_t num_trays;
} PJRT_TpuTopology_GetDefaultPlatformConfig_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TpuTopology_GetDefaultPlatformConfig_Args, num_trays);
typedef PJRT_Error *
PJRT_TpuTopology_GetDefaultPlatformConfig(PJRT_TpuTopology_GetDefaultPlatformConfig_Args *args);

/* The extension: functions in the order of their addition. Static and constant. */
typedef struct PJRT_TpuTopology_Extension {
    PJRT_Extension_Base base;
    PJRT_TpuTopology_Subslice *subslice;
    PJRT_TpuTopology_IsSubsliceTopology *is_subslice_topology;
    PJRT_TpuTopology_SubsliceDeviceIdFromFullDeviceId *subslice_device_id_from_full_device_id;
    PJRT_TpuTopology_ReplaceHostBounds *replace_host_bounds;
    PJRT_TpuTopology_IsEnhancedBarrierEnabled *is_enhanced_barrier_enabled;
    PJRT_TpuTopology_HasLimitedIciConnectivity *has_limited_ici_connectivity;
    PJRT_TpuTopology_IsReachableOverLimitedIci *is_reachable_over_limited_ici;
    PJRT_TpuTopology_ProcessCount *process_count;
    PJRT_TpuTopology_ChipsPerProcess *chips_per_process;
    PJRT_TpuTopology_CoreCountPerChip *core_count_per_chip;
    PJRT_TpuTopology_ChipCount *chip_count;
    PJRT_TpuTopology_CoreCount *core_count;
    PJRT_TpuTopology_LogiDeviceCountPerProcess *logical_device_count_per_process;
    PJRT_TpuTopology_LogiDeviceCount *logical_device_count;
    PJRT_TpuTopology_LogiDeviceCountPerChip *logical_device_count_per_chip;
    PJRT_TpuTopology_CoreCountPerProcess *core_count_per_process;
    PJRT_TpuTopology_ProcessIds *process_ids;
    PJRT_TpuTopology_LogiDeviceIdsOnProcess *logical_device_ids_on_process;
    PJRT_TpuTopology_ProcIdAndIdxOnProcForChip *proc_id_and_idx_on_proc_for_chip;
    PJRT_TpuTopology_ProcIdAndIdxOnProcForLogiDevice *proc_id_and_idx_on_proc_for_logi_device;
    PJRT_TpuTopology_ProcessCoordFromId *process_coord_from_id;
    PJRT_TpuTopology_ChipIdFromCoord *chip_id_from_coord;
    PJRT_TpuTopology_LogiDeviceIdFromChipCoordAndIdx *logical_device_id_from_chip_coord_and_idx;
    PJRT_TpuTopology_ChipCoordAndIdxForLogiDevice *chip_coord_and_idx_for_logi_device;
    PJRT_TpuTopology_ChipsPerProcessBounds *chips_per_process_bounds;
    PJRT_TpuTopology_ChipBounds *chip_bounds;
    PJRT_TpuTopology_ProcessBounds *process_bounds;
    PJRT_TpuTopology_GetRoutingStrategy *get_routing_strategy;
    PJRT_TpuTopology_GetSliceConfig *get_slice_config;
    PJRT_TpuTopology_GetSliceConfigs *get_slice_configs;
    PJRT_TpuTopology_GetDefaultPlatformConfig *get_default_platform_config;
} PJRT_TpuTopology_Extension;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TpuTopology_Extension, get_default_platform_config);

#ifdef __cplusplus
}
#endif

#endif
