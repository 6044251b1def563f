#include <string.h>

#include "plugin/api.h"
#include "plugin/api_args.h"
#include "plugin/handles.h"
#include "runtime/execute.h"

PJRT_Error *api_loaded_executable_compile(PJRT_Client_Compile_Args *args)
{
    struct loaded_executable *loaded;
    struct compile_source source;
    NEED_OBJECT(args, client);
    NEED_OBJECT(args, program);
    NEED(args, executable);
    API_TRY(
        api_args_source(args->program, args->compile_options, args->compile_options_size, &source));
    API_TRY(loaded_executable_compile(client_of(args->client), &source, &loaded));
    args->executable = loaded_executable_handle(loaded);
    return NULL;
}

PJRT_Error *api_loaded_executable_load(PJRT_Client_Load_Args *args)
{
    struct loaded_executable *loaded;
    NEED_OBJECT(args, client);
    NEED_OBJECT(args, executable);
    NEED(args, loaded_executable);
    API_TRY(loaded_executable_create(client_of(args->client), executable_of(args->executable),
                                     &loaded));
    args->loaded_executable = loaded_executable_handle(loaded);
    return NULL;
}

PJRT_Error *api_loaded_executable_deserialize(PJRT_Executable_DeserializeAndLoad_Args *args)
{
    struct executable *executable;
    struct loaded_executable *loaded;
    NEED_OBJECT(args, client);
    NEED_OBJECT(args, serialized_executable);
    NEED(args, loaded_executable);
    API_TRY(api_args_limit("the size of the compile options",
                           GET(args, overridden_serialized_compile_options_size, 0), INT32_MAX));
    API_TRY(executable_deserialize(
        &client_of(args->client)->local_devices[0]->device->target, args->serialized_executable,
        args->serialized_executable_size, GET(args, overridden_serialized_compile_options, NULL),
        GET(args, overridden_serialized_compile_options_size, 0), &executable));
    struct error *error = loaded_executable_create(client_of(args->client), executable, &loaded);
    executable_release(executable);
    API_TRY(error);
    args->loaded_executable = loaded_executable_handle(loaded);
    return NULL;
}

PJRT_Error *api_loaded_executable_destroy(PJRT_LoadedExecutable_Destroy_Args *args)
{
    NEED(args, executable);
    loaded_executable_release(loaded_executable_of(args->executable));
    return NULL;
}

PJRT_Error *api_loaded_executable_get_executable(PJRT_LoadedExecutable_GetExecutable_Args *args)
{
    NEED_OBJECT(args, loaded_executable);
    NEED(args, executable);
    struct executable *executable = loaded_executable_of(args->loaded_executable)->executable;
    executable_retain(executable);
    args->executable = executable_handle(executable);
    return NULL;
}

static void delete_assignment(PJRT_DeviceAssignmentSerialized *assignment)
{
    loaded_executable_release((struct loaded_executable *)assignment);
}

PJRT_Error *
api_loaded_executable_get_device_assignment(PJRT_LoadedExecutable_GetDeviceAssignment_Args *args)
{
    NEED_OBJECT(args, executable);
    NEED(args, serialized_device_assignment_deleter);
    struct loaded_executable *loaded = loaded_executable_of(args->executable);
    loaded_executable_retain(loaded); /* owns the bytes */
    args->serialized_bytes = loaded->assignment;
    args->serialized_bytes_size = loaded->assignment_size;
    args->serialized_device_assignment = (PJRT_DeviceAssignmentSerialized *)loaded;
    args->serialized_device_assignment_deleter = delete_assignment;
    return NULL;
}

PJRT_Error *
api_loaded_executable_addressable_devices(PJRT_LoadedExecutable_AddressableDevices_Args *args)
{
    NEED_OBJECT(args, executable);
    NEED(args, num_addressable_devices);
    args->addressable_devices =
        device_handles(loaded_executable_of(args->executable)->local_devices);
    args->num_addressable_devices = (size_t)loaded_executable_of(args->executable)->local_count;
    return NULL;
}

PJRT_Error *api_loaded_executable_addressable_device_logical_ids(
    PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args *args)
{
    NEED_OBJECT(args, executable);
    NEED(args, num_addressable_device_logical_ids);
    struct loaded_executable *loaded = loaded_executable_of(args->executable);
    args->addressable_device_logical_ids = loaded->logical_ids;
    args->num_addressable_device_logical_ids = (size_t)loaded->local_count;
    return NULL;
}

PJRT_Error *api_loaded_executable_delete(PJRT_LoadedExecutable_Delete_Args *args)
{
    NEED_OBJECT(args, executable);
    execute_delete(loaded_executable_of(args->executable));
    return NULL;
}

PJRT_Error *api_loaded_executable_is_deleted(PJRT_LoadedExecutable_IsDeleted_Args *args)
{
    NEED_OBJECT(args, executable);
    NEED(args, is_deleted);
    args->is_deleted = loaded_executable_of(args->executable)->deleted;
    return NULL;
}

PJRT_Error *api_loaded_executable_fingerprint(PJRT_LoadedExecutable_Fingerprint_Args *args)
{
    NEED_OBJECT(args, executable);
    NEED(args, executable_fingerprint_size);
    args->executable_fingerprint = loaded_executable_of(args->executable)->executable->fingerprint;
    args->executable_fingerprint_size = strlen(args->executable_fingerprint);
    return NULL;
}
