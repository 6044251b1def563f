#include "plugin/api.h"
#include "plugin/api_args.h"
#include "plugin/handles.h"

PJRT_Error *api_stream_destroy(PJRT_CopyToDeviceStream_Destroy_Args *args)
{
    NEED(args, stream);
    host_stream_drop(stream_of(args->stream));
    return NULL;
}

PJRT_Error *api_stream_add_chunk(PJRT_CopyToDeviceStream_AddChunk_Args *args)
{
    NEED_OBJECT(args, stream);
    NEED_OBJECT(args, chunk);
    NEED(args, transfer_complete);
    const PJRT_Chunk *given = args->chunk;
    if (given->size && !given->data)
        return API_ERROR(ERROR(INVALID_ARGUMENT, "a chunk of %zu bytes without data", given->size));
    struct host_chunk chunk = {given->data, given->size, given->deleter, given->deleter_arg};
    API_TRY(host_stream_add(stream_of(args->stream), &chunk));
    args->transfer_complete = event_handle(event_ready());
    return NULL;
}

PJRT_Error *api_stream_total_bytes(PJRT_CopyToDeviceStream_TotalBytes_Args *args)
{
    NEED_OBJECT(args, stream);
    NEED(args, total_bytes);
    args->total_bytes = (int64_t)host_stream_total(stream_of(args->stream));
    return NULL;
}

/* Memory is written in units of bytes. */
PJRT_Error *api_stream_granule_size(PJRT_CopyToDeviceStream_GranuleSize_Args *args)
{
    NEED_OBJECT(args, stream);
    NEED(args, granule_size_in_bytes);
    args->granule_size_in_bytes = 1;
    return NULL;
}

PJRT_Error *api_stream_current_bytes(PJRT_CopyToDeviceStream_CurrentBytes_Args *args)
{
    NEED_OBJECT(args, stream);
    NEED(args, current_bytes);
    args->current_bytes = (int64_t)host_stream_current(stream_of(args->stream));
    return NULL;
}
