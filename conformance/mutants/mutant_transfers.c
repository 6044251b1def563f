/* mutant_transfers.c: mutants of area 16: transfer managers, views, mapped memory, streams. */
#include <stddef.h>

#include "conformance/mutants/mutant.h"

/* ---- Transfer managers ----------------------------------------------------------------------- */

MUTANT_OF(transfers_ignore_offsets, AsyncHostToDeviceTransferManager_TransferData)
{
    args->offset = 0;
    return real.PJRT_AsyncHostToDeviceTransferManager_TransferData(args);
}

MUTANT_OF(every_transfer_is_the_last, AsyncHostToDeviceTransferManager_TransferData)
{
    args->is_last_transfer = true;
    return real.PJRT_AsyncHostToDeviceTransferManager_TransferData(args);
}

MUTANT_OF(transfers_go_to_the_first_buffer, AsyncHostToDeviceTransferManager_TransferData)
{
    args->buffer_index = 0;
    return real.PJRT_AsyncHostToDeviceTransferManager_TransferData(args);
}

/* Wrong transfers succeed without doing anything. */
MUTANT_OF(wrong_transfers_succeed, AsyncHostToDeviceTransferManager_TransferData)
{
    mutant_drop(real.PJRT_AsyncHostToDeviceTransferManager_TransferData(args));
    return NULL;
}

MUTANT_OF(managers_count_wrong, AsyncHostToDeviceTransferManager_BufferCount)
{
    REAL(AsyncHostToDeviceTransferManager_BufferCount);
    args->buffer_count++;
    return NULL;
}

MUTANT_OF(managers_have_no_sizes, AsyncHostToDeviceTransferManager_BufferSize)
{
    REAL(AsyncHostToDeviceTransferManager_BufferSize);
    args->buffer_size = 1;
    return NULL;
}

MUTANT_OF(managers_have_no_device, AsyncHostToDeviceTransferManager_Device)
{
    REAL(AsyncHostToDeviceTransferManager_Device);
    args->device_out = NULL;
    return NULL;
}

MUTANT_OF(buffer_errors_change, AsyncHostToDeviceTransferManager_SetBufferError)
{
    args->error_code = PJRT_Error_Code_UNKNOWN;
    return real.PJRT_AsyncHostToDeviceTransferManager_SetBufferError(args);
}

MUTANT_OF(metadata_is_an_error, AsyncHostToDeviceTransferManager_AddMetadata)
{
    (void)args;
    return mutant_error();
}

/* ---- Views and mapped memory ----------------------------------------------------------------- */

MUTANT_OF(views_end_silently, Client_CreateViewOfDeviceBuffer)
{
    args->on_delete_callback = NULL;
    return real.PJRT_Client_CreateViewOfDeviceBuffer(args);
}

MUTANT_OF(views_of_another_type, Client_CreateViewOfDeviceBuffer)
{
    args->element_type = PJRT_Buffer_Type_S32;
    return real.PJRT_Client_CreateViewOfDeviceBuffer(args);
}

MUTANT_OF(unmaps_strangers, Client_DmaUnmap)
{
    mutant_drop(real.PJRT_Client_DmaUnmap(args));
    return NULL;
}

MUTANT_OF(maps_nothing, Client_DmaMap)
{
    mutant_drop(real.PJRT_Client_DmaMap(args));
    return NULL;
}

/* ---- Streams --------------------------------------------------------------------------------- */

MUTANT_OF(streams_count_wrong, CopyToDeviceStream_CurrentBytes)
{
    REAL(CopyToDeviceStream_CurrentBytes);
    args->current_bytes++;
    return NULL;
}

MUTANT_OF(chunks_stay, CopyToDeviceStream_AddChunk)
{
    args->chunk->deleter = NULL;
    return real.PJRT_CopyToDeviceStream_AddChunk(args);
}

MUTANT_OF(surplus_chunks_succeed, CopyToDeviceStream_AddChunk)
{
    mutant_drop(real.PJRT_CopyToDeviceStream_AddChunk(args));
    return NULL;
}

MUTANT_OF(no_callbacks, LoadedExecutable_Execute)
{
    args->options->num_send_ops = 0;
    args->options->num_recv_ops = 0;
    return real.PJRT_LoadedExecutable_Execute(args);
}
