/* mutant_buffers.c: mutants of areas 7 to 11: memories, copies, buffers, events. */
#include <stdatomic.h>
#include <string.h>

#include "conformance/mutants/mutant.h"

/* ---- Memories -------------------------------------------------------------------------------- */

MUTANT_OF(no_memories, Client_AddressableMemories)
{
    REAL(Client_AddressableMemories);
    args->num_addressable_memories = 0;
    return NULL;
}

MUTANT_OF(equal_memory_ids, Memory_Id)
{
    REAL(Memory_Id);
    args->id = 5;
    return NULL;
}

MUTANT_OF(memories_without_kind, Memory_Kind)
{
    REAL(Memory_Kind);
    args->kind_size = 0;
    return NULL;
}

MUTANT_OF(memories_of_no_device, Memory_AddressableByDevices)
{
    REAL(Memory_AddressableByDevices);
    args->num_devices = 0;
    return NULL;
}

MUTANT_OF(default_memory_fails, Device_DefaultMemory)
{
    (void)args;
    return mutant_error();
}

MUTANT_OF(uploads_ignore_memories, Client_BufferFromHostBuffer)
{
    if (args->device)
        args->memory = NULL;
    return real.PJRT_Client_BufferFromHostBuffer(args);
}

/* ---- From the host --------------------------------------------------------------------------- */

MUTANT_OF(uploads_ignore_strides, Client_BufferFromHostBuffer)
{
    args->byte_strides = NULL;
    args->num_byte_strides = 0;
    return real.PJRT_Client_BufferFromHostBuffer(args);
}

MUTANT_OF(uploads_borrow, Client_BufferFromHostBuffer)
{
    args->host_buffer_semantics = PJRT_HostBufferSemantics_kImmutableZeroCopy;
    return real.PJRT_Client_BufferFromHostBuffer(args);
}

MUTANT_OF(uploads_without_events, Client_BufferFromHostBuffer)
{
    REAL(Client_BufferFromHostBuffer);
    args->done_with_host_buffer = NULL;
    return NULL;
}

MUTANT_OF(no_scalars, Client_BufferFromHostBuffer)
{
    return args->num_dims ? real.PJRT_Client_BufferFromHostBuffer(args) : mutant_error();
}

MUTANT_OF(no_empty_arrays, Client_BufferFromHostBuffer)
{
    for (size_t i = 0; i < args->num_dims; i++)
        if (!args->dims[i])
            return mutant_error();
    return real.PJRT_Client_BufferFromHostBuffer(args);
}

MUTANT_OF(uploads_as_bytes, Client_BufferFromHostBuffer)
{
    if (args->type == PJRT_Buffer_Type_PRED)
        args->type = PJRT_Buffer_Type_U8;
    return real.PJRT_Client_BufferFromHostBuffer(args);
}

/* ---- To the host ----------------------------------------------------------------------------- */

MUTANT_OF(downloads_without_size, Buffer_ToHostBuffer)
{
    bool asks = !args->dst;
    REAL(Buffer_ToHostBuffer);
    if (asks)
        args->dst_size++;
    return NULL;
}

MUTANT_OF(downloads_ignore_layouts, Buffer_ToHostBuffer)
{
    args->host_layout = NULL;
    return real.PJRT_Buffer_ToHostBuffer(args);
}

MUTANT_OF(downloads_without_events, Buffer_ToHostBuffer)
{
    REAL(Buffer_ToHostBuffer);
    args->event = NULL;
    return NULL;
}

MUTANT_OF(ranges_begin_at_zero, Buffer_CopyRawToHost)
{
    args->offset = 0;
    return real.PJRT_Buffer_CopyRawToHost(args);
}

MUTANT_OF(wrong_ranges_succeed, Buffer_CopyRawToHost)
{
    PJRT_Error *error = real.PJRT_Buffer_CopyRawToHost(args);
    if (error)
        args->event = NULL;
    mutant_drop(error);
    return NULL;
}

/* ---- Buffers --------------------------------------------------------------------------------- */

MUTANT_OF(buffers_are_nowhere, Buffer_Device)
{
    REAL(Buffer_Device);
    args->device = NULL;
    return NULL;
}

MUTANT_OF(dimensions_move, Buffer_Dimensions)
{
    static _Thread_local int64_t copies[2][64];
    static _Thread_local int next;
    REAL(Buffer_Dimensions);
    if (args->num_dims && args->num_dims <= 64)
        args->dims = memcpy(copies[next++ % 2], args->dims, args->num_dims * sizeof *args->dims);
    return NULL;
}

MUTANT_OF(never_deleted, Buffer_IsDeleted)
{
    REAL(Buffer_IsDeleted);
    args->is_deleted = false;
    return NULL;
}

MUTANT_OF(delete_does_nothing, Buffer_Delete)
{
    (void)args;
    return NULL;
}

MUTANT_OF(copies_are_the_source, Buffer_CopyToMemory)
{
    args->dst_buffer = args->buffer;
    return NULL;
}

MUTANT_OF(error_buffers_change, Client_CreateErrorBuffer)
{
    args->error_code = PJRT_Error_Code_UNKNOWN;
    return real.PJRT_Client_CreateErrorBuffer(args);
}

/* ---- Events ---------------------------------------------------------------------------------- */

MUTANT_OF(never_ready, Event_IsReady)
{
    REAL(Event_IsReady);
    args->is_ready = false;
    return NULL;
}

MUTANT_OF(no_callback, Event_OnReady)
{
    (void)args;
    return NULL;
}

MUTANT_OF(callback_twice, Event_OnReady)
{
    args->callback(NULL, args->user_arg);
    return real.PJRT_Event_OnReady(args);
}

MUTANT_OF(awaiting_hides_errors, Event_Await)
{
    mutant_drop(real.PJRT_Event_Await(args));
    return NULL;
}

MUTANT_OF(events_are_set_by_nobody, Event_Set)
{
    (void)args;
    return NULL;
}

/* ---- What clients attach to memories --------------------------------------------------------- */

static PJRT_Memory *first_memory;
static PJRT_Memory_FunctionTable memory_functions;
static const PJRT_Memory_FunctionTable *real_functions;

static void *get_of_first(PJRT_Memory *memory, const void *key)
{
    (void)memory;
    return real_functions->get_user_data(first_memory, key);
}

static void set_of_first(PJRT_Memory *memory, const void *key, void *data, void (*dtor)(void *))
{
    (void)memory;
    real_functions->set_user_data(first_memory, key, data, dtor);
}

static void set_for_ever(PJRT_Memory *memory, const void *key, void *data, void (*dtor)(void *))
{
    (void)dtor;
    real_functions->set_user_data(memory, key, data, NULL);
}

/* Gives the memories of a client `memory_functions`, which begin as the plugin's. */
static void replace_functions(const PJRT_Client_AddressableMemories_Args *args)
{
    for (size_t i = 0; i < args->num_addressable_memories; i++) {
        PJRT_Memory *memory = args->addressable_memories[i];
        if (memory->vtable != &memory_functions)
            real_functions = memory->vtable;
        memory->vtable = &memory_functions;
    }
    memory_functions = *real_functions;
    first_memory = args->addressable_memories[0];
}

MUTANT_OF(memories_share_data, Client_AddressableMemories)
{
    REAL(Client_AddressableMemories);
    replace_functions(args);
    memory_functions.get_user_data = get_of_first;
    memory_functions.set_user_data = set_of_first;
    return NULL;
}

MUTANT_OF(memories_keep_data, Client_AddressableMemories)
{
    REAL(Client_AddressableMemories);
    replace_functions(args);
    memory_functions.set_user_data = set_for_ever;
    return NULL;
}
