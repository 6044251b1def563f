#include <stdio.h>
#include <string.h>

#include "devices/host/net/network.h"
#include "plugin/api.h"
#include "plugin/api_args.h"
#include "plugin/create_options.h"
#include "plugin/handles.h"
#include "plugin/kv_callbacks.h"
#include "report/top_socket.h"
#include "runtime/clients.h"

static struct error *create_in_job(const struct device_library *library,
                                   PJRT_Client_Create_Args *args,
                                   const struct create_options *options,
                                   const struct device_job *processes, struct client **out)
{
    struct key_value_store store;
    struct client_job job = {&store, *processes};
    TRY(kv_callbacks_store(args, options->process_count <= 1, &store));
    return client_create_in_job(library, &options->device, &job, out);
}

/* Clients of a single process leave the key-value callbacks uninitialized. */
PJRT_Error *api_client_create(const struct device_library *library, PJRT_Client_Create_Args *args)
{
    struct create_options options;
    struct client *client;
    NEED(args, client);
    API_TRY(create_options_read(library, args->create_options, args->num_options, &options));
    struct device_job job = {.process = options.process, .count = options.process_count};
    if (library->find_job)
        API_TRY(library->find_job(&options.device, &job));
    if (job.count > 1)
        API_TRY(create_in_job(library, args, &options, &job, &client));
    else
        API_TRY(client_create(library, &options.device, &client));
    clients_add(client);
    top_socket_open();
    args->client = client_handle(client);
    return NULL;
}

PJRT_Error *api_client_destroy(PJRT_Client_Destroy_Args *args)
{
    NEED_OBJECT(args, client);
    clients_remove(client_of(args->client));
    client_close(client_of(args->client));
    return NULL;
}

PJRT_Error *api_client_platform_name(PJRT_Client_PlatformName_Args *args)
{
    NEED_OBJECT(args, client);
    NEED(args, platform_name_size);
    args->platform_name = client_of(args->client)->platform_name;
    args->platform_name_size = strlen(args->platform_name);
    return NULL;
}

PJRT_Error *api_client_process_index(PJRT_Client_ProcessIndex_Args *args)
{
    NEED_OBJECT(args, client);
    NEED(args, process_index);
    args->process_index = client_of(args->client)->process_index;
    return NULL;
}

PJRT_Error *api_client_platform_version(PJRT_Client_PlatformVersion_Args *args)
{
    NEED_OBJECT(args, client);
    NEED(args, platform_version_size);
    args->platform_version = client_of(args->client)->platform_version;
    args->platform_version_size = strlen(args->platform_version);
    return NULL;
}

PJRT_Error *api_client_topology_description(PJRT_Client_TopologyDescription_Args *args)
{
    NEED_OBJECT(args, client);
    NEED(args, topology);
    args->topology = topology_handle(&client_of(args->client)->topology);
    return NULL;
}

PJRT_Error *api_client_devices(PJRT_Client_Devices_Args *args)
{
    NEED_OBJECT(args, client);
    NEED(args, num_devices);
    args->devices = device_handles(client_of(args->client)->devices);
    args->num_devices = (size_t)client_of(args->client)->device_count;
    return NULL;
}

PJRT_Error *api_client_addressable_devices(PJRT_Client_AddressableDevices_Args *args)
{
    NEED_OBJECT(args, client);
    NEED(args, num_addressable_devices);
    args->addressable_devices = device_handles(client_of(args->client)->local_devices);
    args->num_addressable_devices = (size_t)client_of(args->client)->local_count;
    return NULL;
}

PJRT_Error *api_client_lookup_device(PJRT_Client_LookupDevice_Args *args)
{
    struct client_device *device;
    NEED_OBJECT(args, client);
    NEED(args, device);
    API_TRY(client_lookup_device(client_of(args->client), args->id, &device));
    args->device = device_handle(device);
    return NULL;
}

PJRT_Error *api_client_lookup_addressable_device(PJRT_Client_LookupAddressableDevice_Args *args)
{
    struct client_device *device;
    NEED_OBJECT(args, client);
    NEED(args, addressable_device);
    API_TRY(client_lookup_local_device(client_of(args->client), args->local_hardware_id, &device));
    args->addressable_device = device_handle(device);
    return NULL;
}

PJRT_Error *api_client_addressable_memories(PJRT_Client_AddressableMemories_Args *args)
{
    NEED_OBJECT(args, client);
    NEED(args, num_addressable_memories);
    args->addressable_memories = memory_handles(client_of(args->client)->memories);
    args->num_addressable_memories = (size_t)client_of(args->client)->memory_count;
    return NULL;
}

static struct error *update_process(struct client *client, const PJRT_ProcessInfo *info)
{
    char reason[256] = "";
    if (info->error_message && info->error_message_size)
        snprintf(reason, sizeof reason, "%.*s",
                 (int)(info->error_message_size < sizeof reason ? info->error_message_size
                                                                : sizeof reason),
                 info->error_message);
    struct network_news news = {.process = info->task_id,
                                .incarnation = info->incarnation_id,
                                .has_failed = info->state == PJRT_ProcessState_kError,
                                .reason = reason};
    return network_news(client->network, &news);
}

/* Of a single process there is nothing to update. */
PJRT_Error *api_client_update_global_process_info(PJRT_Client_UpdateGlobalProcessInfo_Args *args)
{
    NEED_OBJECT(args, client);
    if (!client_of(args->client)->network)
        return NULL;
    NEED(args, num_process_infos);
    if (args->num_process_infos)
        NEED_OBJECT(args, process_infos);
    for (size_t i = 0; i < args->num_process_infos; i++)
        API_TRY(update_process(client_of(args->client), &args->process_infos[i]));
    return NULL;
}

PJRT_Error *api_client_default_device_assignment(PJRT_Client_DefaultDeviceAssignment_Args *args)
{
    NEED_OBJECT(args, client);
    NEED_OBJECT(args, default_assignment);
    int replicas = args->num_replicas, partitions = args->num_partitions;
    API_TRY(client_default_assignment(client_of(args->client), replicas, partitions,
                                      args->default_assignment_size, args->default_assignment));
    return NULL;
}
