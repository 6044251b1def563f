/* mutant_client.c: mutants of area 6: clients, devices, topologies. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/mutants/mutant.h"

/* ---- Clients --------------------------------------------------------------------------------- */

MUTANT_OF(no_client, Client_Create)
{
    (void)args;
    return mutant_error();
}

MUTANT_OF(one_client_ever, Client_Create)
{
    static atomic_int calls;
    return atomic_fetch_add(&calls, 1) ? mutant_error() : real.PJRT_Client_Create(args);
}

static PJRT_Error *destroy_and_fail(PJRT_Client_Destroy_Args *args)
{
    REAL(Client_Destroy);
    return mutant_error();
}

void mutant_destroy_fails(PJRT_Api *api)
{
    api->PJRT_Client_Destroy = destroy_and_fail;
}

MUTANT_OF(clients_leak, Client_Destroy)
{
    mutant_leak(1 << 18);
    return real.PJRT_Client_Destroy(args);
}

MUTANT_OF(options_crash, Client_Create)
{
    if (args->num_options)
        abort();
    return real.PJRT_Client_Create(args);
}

MUTANT_OF(no_platform_name, Client_PlatformName)
{
    REAL(Client_PlatformName);
    args->platform_name_size = 0;
    return NULL;
}

MUTANT_OF(platform_version_moves, Client_PlatformVersion)
{
    static char copies[2][64];
    static atomic_int next;
    REAL(Client_PlatformVersion);
    char *copy = copies[atomic_fetch_add(&next, 1) % 2];
    if (args->platform_version_size > sizeof *copies)
        args->platform_version_size = sizeof *copies;
    args->platform_version = memcpy(copy, args->platform_version, args->platform_version_size);
    return NULL;
}

MUTANT_OF(platform_names_change, Client_PlatformName)
{
    static const void *first;
    REAL(Client_PlatformName);
    if (!first)
        first = args->client;
    static atomic_int calls;
    if (atomic_fetch_add(&calls, 1) % 2)
        args->platform_name_size--;
    return NULL;
}

MUTANT_OF(process_seven, Client_ProcessIndex)
{
    REAL(Client_ProcessIndex);
    args->process_index = 7;
    return NULL;
}

/* ---- Devices --------------------------------------------------------------------------------- */

MUTANT_OF(no_devices, Client_Devices)
{
    REAL(Client_Devices);
    args->num_devices = 0;
    return NULL;
}

MUTANT_OF(lists_move, Client_Devices)
{
    static PJRT_Device *copies[2][256];
    static atomic_int next;
    REAL(Client_Devices);
    PJRT_Device **copy = copies[atomic_fetch_add(&next, 1) % 2];
    if (args->num_devices <= 256)
        args->devices = memcpy(copy, args->devices, args->num_devices * sizeof *copy);
    return NULL;
}

MUTANT_OF(equal_ids, DeviceDescription_Id)
{
    REAL(DeviceDescription_Id);
    args->id = 0;
    return NULL;
}

MUTANT_OF(negative_ids, DeviceDescription_Id)
{
    REAL(DeviceDescription_Id);
    args->id = -1 - args->id;
    return NULL;
}

MUTANT_OF(addressable_elsewhere, Device_IsAddressable)
{
    REAL(Device_IsAddressable);
    args->is_addressable = false;
    return NULL;
}

MUTANT_OF(finds_any_device, Client_LookupDevice)
{
    PJRT_Error *error = real.PJRT_Client_LookupDevice(args);
    if (!error)
        return NULL;
    PJRT_Error_Destroy_Args destroy = {.struct_size = sizeof destroy, .error = error};
    real.PJRT_Error_Destroy(&destroy);
    args->device = NULL;
    return NULL;
}

MUTANT_OF(finds_first_device, Client_LookupAddressableDevice)
{
    REAL(Client_LookupAddressableDevice);
    PJRT_Client_LookupAddressableDevice_Args zero = {.struct_size = sizeof zero,
                                                     .client = args->client};
    PJRT_Error *error = real.PJRT_Client_LookupAddressableDevice(&zero);
    args->addressable_device = zero.addressable_device;
    return error;
}

MUTANT_OF(no_local_ids, Device_LocalHardwareId)
{
    REAL(Device_LocalHardwareId);
    args->local_hardware_id = -1;
    return NULL;
}

MUTANT_OF(uses_more_than_there_is, Device_MemoryStats)
{
    REAL(Device_MemoryStats);
    args->bytes_limit_is_set = true;
    args->bytes_limit = args->bytes_in_use - 1;
    return NULL;
}

MUTANT_OF(keeps_peaks, Device_ClearMemoryStats)
{
    (void)args;
    return NULL;
}

/* ---- Descriptions ---------------------------------------------------------------------------- */

MUTANT_OF(no_kind, DeviceDescription_Kind)
{
    REAL(DeviceDescription_Kind);
    args->device_kind_size = 0;
    return NULL;
}

MUTANT_OF(no_debug_string, DeviceDescription_DebugString)
{
    REAL(DeviceDescription_DebugString);
    args->debug_string_size = 0;
    return NULL;
}

MUTANT_OF(texts_move, DeviceDescription_ToString)
{
    static const char *const texts[] = {"one", "two"};
    static atomic_int next;
    REAL(DeviceDescription_ToString);
    args->to_string = texts[atomic_fetch_add(&next, 1) % 2];
    args->to_string_size = 3;
    return NULL;
}

MUTANT_OF(devices_of_another_process, DeviceDescription_ProcessIndex)
{
    REAL(DeviceDescription_ProcessIndex);
    args->process_index++;
    return NULL;
}

MUTANT_OF(description_attributes_of_no_size, DeviceDescription_Attributes)
{
    static PJRT_NamedValue nameless;
    REAL(DeviceDescription_Attributes);
    args->attributes = &nameless;
    args->num_attributes = 1;
    return NULL;
}

MUTANT_OF(attributes_without_deleter, Device_GetAttributes)
{
    REAL(Device_GetAttributes);
    args->attributes_deleter = NULL;
    return NULL;
}

/* ---- Assignments and topologies -------------------------------------------------------------- */

MUTANT_OF(assigns_strangers, Client_DefaultDeviceAssignment)
{
    REAL(Client_DefaultDeviceAssignment);
    args->default_assignment[0] = 9999;
    return NULL;
}

MUTANT_OF(assigns_one_device_twice, Client_DefaultDeviceAssignment)
{
    REAL(Client_DefaultDeviceAssignment);
    if (args->default_assignment_size > 1)
        args->default_assignment[1] = args->default_assignment[0];
    return NULL;
}

MUTANT_OF(assigns_behind_the_array, Client_DefaultDeviceAssignment)
{
    args->default_assignment[args->default_assignment_size] = 0;
    return real.PJRT_Client_DefaultDeviceAssignment(args);
}

MUTANT_OF(topology_of_another_platform, TopologyDescription_PlatformName)
{
    REAL(TopologyDescription_PlatformName);
    args->platform_name = "other";
    args->platform_name_size = 5;
    return NULL;
}

MUTANT_OF(topology_without_devices, TopologyDescription_GetDeviceDescriptions)
{
    REAL(TopologyDescription_GetDeviceDescriptions);
    args->num_descriptions = 0;
    return NULL;
}

MUTANT_OF(topology_bytes_change, TopologyDescription_Serialize)
{
    static atomic_int calls;
    REAL(TopologyDescription_Serialize);
    args->serialized_bytes_size -= (size_t)(atomic_fetch_add(&calls, 1) % 2);
    return NULL;
}

MUTANT_OF(topology_fingerprints_change, TopologyDescription_Fingerprint)
{
    static uint64_t next;
    REAL(TopologyDescription_Fingerprint);
    args->fingerprint = next++;
    return NULL;
}

MUTANT_OF(any_topology, TopologyDescription_Create)
{
    args->topology_name_size = 0;
    args->topology_name = "";
    return real.PJRT_TopologyDescription_Create(args);
}

MUTANT_OF(kinds_twice, TopologyDescription_GetMemorySpaceKindIds)
{
    static int ids[2];
    REAL(TopologyDescription_GetMemorySpaceKindIds);
    ids[0] = ids[1] = args->memory_space_kind_ids[0];
    args->memory_space_kind_ids = ids;
    args->num_memory_space_kind_ids = 2;
    return NULL;
}

MUTANT_OF(one_canonical_shape, TopologyDescription_MakeCanonicalShapeForMemorySpace)
{
    static const int64_t dims[] = {1, 1, 1};
    if (args->num_dims <= 3)
        args->dims = dims;
    return real.PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace(args);
}

MUTANT_OF(any_rank, TopologyDescription_MakeCanonicalShapeForMemorySpace)
{
    if (args->num_dims > 1000)
        args->num_dims = 0;
    return real.PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace(args);
}
