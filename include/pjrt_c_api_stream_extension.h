/* pjrt_c_api_stream_extension.h: order with work outside of PJRT (PJRT_Extension_Type_Stream,
 * version 0).
 *
 * DLPack exchanges arrays between libraries that share a device. Where the device has streams
 * (queues whose entries run in order), the consumer names its stream and the producer makes that
 * stream wait for the array. A stream is a number whose meaning is the platform's. A device that
 * computes on the host's cores has none: its only stream is 0, and waiting on it waits in the
 * calling thread.
 *
 * The rules of pjrt_c_api.h on struct_size, errors, ownership and threads hold here; these argument
 * structs have no extension_start. */
#ifndef GANTRY_PJRT_C_API_STREAM_EXTENSION_H
#define GANTRY_PJRT_C_API_STREAM_EXTENSION_H

#include <stddef.h>
#include <stdint.h>

#include "pjrt_c_api.h"

#define PJRT_API_STREAM_EXTENSION_VERSION 0

#ifdef __cplusplus
extern "C" {
#endif

/* Returns a stream of the device on which outside work can be waited for: what the caller enqueues
 * there is done before the device reads buffers that were made afterwards. */
typedef struct PJRT_Get_Stream_For_External_Ready_Events_Args {
    size_t struct_size;
    PJRT_Device *device;
    intptr_t stream; /* out, borrowed until the client is destroyed; 0 on Gantry's devices */
} PJRT_Get_Stream_For_External_Ready_Events_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Get_Stream_For_External_Ready_Events_Args, stream);
typedef PJRT_Error *
PJRT_Get_Stream_For_External_Ready_Events(PJRT_Get_Stream_For_External_Ready_Events_Args *args);

/* Makes a stream wait until a buffer is ready, and returns the error of a buffer that is one. With
 * stream 0 on a device without streams it returns when the buffer is ready. INVALID_ARGUMENT when
 * the device does not know the stream. */
typedef struct PJRT_Wait_Until_Buffer_Ready_On_Stream_Args {
    size_t struct_size;
    intptr_t stream;     /* as DLPack's consumer gave it */
    PJRT_Buffer *buffer; /* borrowed for the call */
} PJRT_Wait_Until_Buffer_Ready_On_Stream_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Wait_Until_Buffer_Ready_On_Stream_Args, buffer);
typedef PJRT_Error *
PJRT_Wait_Until_Buffer_Ready_On_Stream(PJRT_Wait_Until_Buffer_Ready_On_Stream_Args *args);

/* The extension: functions in the order of their addition. Static and constant. */
typedef struct PJRT_Stream_Extension {
    PJRT_Extension_Base base; /* type is PJRT_Extension_Type_Stream */
    PJRT_Get_Stream_For_External_Ready_Events *get_stream;
    PJRT_Wait_Until_Buffer_Ready_On_Stream *wait_stream;
} PJRT_Stream_Extension;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Stream_Extension, wait_stream);

#ifdef __cplusplus
}
#endif

#endif
