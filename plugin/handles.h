/* handles.h: conversions between the ABI's handles and the objects of runtime/. A handle is the
 * object's address, cast to the handle type; these are the only casts. A device and its description
 * are one object. */
#ifndef GANTRY_PLUGIN_HANDLES_H
#define GANTRY_PLUGIN_HANDLES_H

#include "pjrt_c_api.h"
#include "runtime/buffer.h"
#include "runtime/client.h"
#include "runtime/event.h"
#include "runtime/executable.h"
#include "runtime/execute_context.h"
#include "runtime/host_transfer.h"

#define HANDLE(Handle, object, name)                                                               \
    static inline struct object *name##_of(const Handle *handle)                                   \
    {                                                                                              \
        return (struct object *)(uintptr_t)handle;                                                 \
    }                                                                                              \
    static inline Handle *name##_handle(const struct object *object)                               \
    {                                                                                              \
        return (Handle *)(uintptr_t)object;                                                        \
    }
HANDLE(PJRT_Event, event, event)
HANDLE(PJRT_Client, client, client)
HANDLE(PJRT_Device, client_device, device)
HANDLE(PJRT_DeviceDescription, client_device, description)
HANDLE(PJRT_Memory, client_memory, memory)
HANDLE(PJRT_TopologyDescription, topology, topology)
HANDLE(PJRT_Executable, executable, executable)
HANDLE(PJRT_LoadedExecutable, loaded_executable, loaded_executable)
HANDLE(PJRT_Buffer, buffer, buffer)
HANDLE(PJRT_ExecuteContext, execute_context, execute_context)
HANDLE(PJRT_CopyToDeviceStream, host_stream, stream)
#undef HANDLE

/* Arrays of objects as arrays of handles. */
static inline PJRT_Device *const *device_handles(struct client_device *const *devices)
{
    return (PJRT_Device *const *)devices;
}
static inline PJRT_DeviceDescription *const *
description_handles(struct client_device *const *devices)
{
    return (PJRT_DeviceDescription *const *)devices;
}
static inline PJRT_Memory *const *memory_handles(struct client_memory *const *memories)
{
    return (PJRT_Memory *const *)memories;
}

#endif
