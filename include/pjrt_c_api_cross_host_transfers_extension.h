/* pjrt_c_api_cross_host_transfers_extension.h: buffers that one process of a job sends and another
 * one receives (PJRT_Extension_Type_CrossHostTransfers, version 6).
 *
 * The sender names the device, the receiver the device from which it comes; both give the same key,
 * which identifies the transfer between these devices. The type and dimensions are the same on both
 * sides. The rules of pjrt_c_api.h on struct_size, errors, ownership and threads hold here. */
#ifndef GANTRY_PJRT_C_API_CROSS_HOST_TRANSFERS_EXTENSION_H
#define GANTRY_PJRT_C_API_CROSS_HOST_TRANSFERS_EXTENSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pjrt_c_api.h"

#define PJRT_API_CROSS_HOST_TRANSFERS_EXTENSION_VERSION 6

#ifdef __cplusplus
extern "C" {
#endif

/* The older way, by descriptors that the client carries from the receiver to the sender. */
typedef struct PJRT_Transfers_CrossHostRecvNotifierInfo {
    void *user_arg;
    void (*notifier)(void); /* of another type; Gantry never calls it */
} PJRT_Transfers_CrossHostRecvNotifierInfo;

typedef struct PJRT_Transfers_PJRT_Client_MakeCrossHostReceiveBuffers_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Client *client;
    size_t num_shapes;
    size_t *shape_num_dims;
    const int64_t **num_dims;
    PJRT_Buffer_Type *element_types;
    PJRT_Buffer_MemoryLayout **layouts;
    PJRT_Device *device;
    PJRT_Transfers_CrossHostRecvNotifierInfo notifier;
    PJRT_Buffer **buffers; /* out */
    size_t num_buffers;    /* out */
} PJRT_Transfers_PJRT_Client_MakeCrossHostReceiveBuffers_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Transfers_PJRT_Client_MakeCrossHostReceiveBuffers_Args, num_buffers);
typedef PJRT_Error *PJRT_Transfers_PJRT_Client_MakeCrossHostReceiveBuffers(
    PJRT_Transfers_PJRT_Client_MakeCrossHostReceiveBuffers_Args *args);

typedef struct PJRT_Transfers_CrossHostOnDoneInfo {
    void *user_arg;
    void (*on_done)(PJRT_Error *error, bool sends_were_enqueued, void *user_arg);
} PJRT_Transfers_CrossHostOnDoneInfo;

typedef struct PJRT_Transfers_PJRT_Buffer_CopyToRemoteDevice_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Buffer *buffer;
    PJRT_Event *event;
    char **serialized_descriptor;
    size_t *serialized_descriptor_size;
    PJRT_Transfers_CrossHostOnDoneInfo on_done;
} PJRT_Transfers_PJRT_Buffer_CopyToRemoteDevice_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Transfers_PJRT_Buffer_CopyToRemoteDevice_Args, on_done);
typedef void PJRT_Transfers_PJRT_Buffer_CopyToRemoteDevice(
    PJRT_Transfers_PJRT_Buffer_CopyToRemoteDevice_Args *args);

/* Makes buffers on `device` that become ready when they are received. */
typedef struct PJRT_Transfers_PJRT_Client_CrossHostReceiveBuffers_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Client *client;
    size_t num_shapes;
    size_t *shape_num_dims;
    const int64_t **num_dims; /* the dimensions of each shape */
    PJRT_Buffer_Type *element_types;
    PJRT_Buffer_MemoryLayout **layouts; /* may be NULL, as may each: row-major */
    PJRT_Device *device;
    const int32_t *src_global_device_ids; /* of each */
    const int64_t *transfer_keys;         /* of each */
    PJRT_Buffer **buffers;                /* out: the caller's array of num_shapes */
} PJRT_Transfers_PJRT_Client_CrossHostReceiveBuffers_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Transfers_PJRT_Client_CrossHostReceiveBuffers_Args, buffers);
typedef PJRT_Error *PJRT_Transfers_PJRT_Client_CrossHostReceiveBuffers(
    PJRT_Transfers_PJRT_Client_CrossHostReceiveBuffers_Args *args);

/* Sends each buffer when it is ready; its event becomes ready when the data is on its way. */
typedef struct PJRT_Transfers_PJRT_Client_CrossHostSendBuffers_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Client *client;
    size_t num_buffers;
    PJRT_Buffer **buffers;
    const int32_t *dst_global_device_ids; /* of each */
    const int64_t *transfer_keys;         /* of each */
    PJRT_Event **send_events;             /* out: the caller's array of num_buffers */
} PJRT_Transfers_PJRT_Client_CrossHostSendBuffers_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Transfers_PJRT_Client_CrossHostSendBuffers_Args, send_events);
typedef PJRT_Error *PJRT_Transfers_PJRT_Client_CrossHostSendBuffers(
    PJRT_Transfers_PJRT_Client_CrossHostSendBuffers_Args *args);

/* The extension: functions in the order of their addition. Static and constant. */
typedef struct PJRT_CrossHostTransfers_Extension {
    PJRT_Extension_Base base; /* type is PJRT_Extension_Type_CrossHostTransfers */
    PJRT_API_MEMBER(PJRT_Transfers_PJRT_Client_MakeCrossHostReceiveBuffers);
    PJRT_API_MEMBER(PJRT_Transfers_PJRT_Buffer_CopyToRemoteDevice);
    PJRT_API_MEMBER(PJRT_Transfers_PJRT_Client_CrossHostReceiveBuffers);
    PJRT_API_MEMBER(PJRT_Transfers_PJRT_Client_CrossHostSendBuffers);
} PJRT_CrossHostTransfers_Extension;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_CrossHostTransfers_Extension,
                          PJRT_Transfers_PJRT_Client_CrossHostSendBuffers);

#ifdef __cplusplus
}
#endif

#endif
