/* sample_buffers.c: uploads, copies and questions about buffers. */
#include "conformance/rules/sample_buffers.h"

#include <string.h>

/* ---- An array of known elements -------------------------------------------------------------- */

const int64_t sample_dims[1] = {SAMPLE};

static float sample_value(int i)
{
    return (float)(i * 5 % 64) * 0.25F - 7; /* exact, each another one */
}

void sample_fill(float values[SAMPLE])
{
    for (int i = 0; i < SAMPLE; i++)
        values[i] = sample_value(i);
}

PJRT_Buffer_MemoryLayout sample_layout(void)
{
    static const int64_t order[] = {0};
    return (PJRT_Buffer_MemoryLayout){
        .struct_size = PJRT_Buffer_MemoryLayout_STRUCT_SIZE,
        .type = PJRT_Buffer_MemoryLayout_Type_Tiled,
        .tiled = {.struct_size = PJRT_Buffer_MemoryLayout_Tiled_STRUCT_SIZE,
                  .minor_to_major = order,
                  .minor_to_major_size = 1}};
}

struct error *sample_upload(struct rule_context *t, PJRT_Buffer **out)
{
    return sample_upload_to(t, t->device, NULL, out);
}

struct error *sample_upload_to(struct rule_context *t, PJRT_Device *device, PJRT_Memory *memory,
                               PJRT_Buffer **out)
{
    float values[SAMPLE];
    sample_fill(values);
    PJRT_Client_BufferFromHostBuffer_Args args = sample_arguments(t, values);
    args.device = device;
    args.memory = memory;
    *out = NULL;
    TRY(CALL(t, Client_BufferFromHostBuffer, &args));
    *out = args.buffer;
    return rule_await(t, args.done_with_host_buffer);
}

void sample_check(struct rule_context *t, PJRT_Buffer *buffer)
{
    sample_check_times(t, buffer, 1);
}

void sample_check_times(struct rule_context *t, PJRT_Buffer *buffer, float factor)
{
    float values[SAMPLE];
    sample_fill(values);
    for (int i = 0; i < SAMPLE; i++)
        values[i] *= factor;
    rule_check_floats(t, buffer, values, SAMPLE);
}

PJRT_Client_BufferFromHostBuffer_Args sample_arguments(const struct rule_context *t,
                                                       const float *values)
{
    ARGS(t, Client_BufferFromHostBuffer, args, .client = t->client, .data = values,
         .type = PJRT_Buffer_Type_F32, .dims = sample_dims, .num_dims = 1,
         .host_buffer_semantics = PJRT_HostBufferSemantics_kImmutableOnlyDuringCall,
         .device = t->device);
    return args;
}

struct error *sample_try(struct rule_context *t, PJRT_Client_BufferFromHostBuffer_Args *args)
{
    TRY(CALL(t, Client_BufferFromHostBuffer, args));
    DESTROY(t, Buffer, buffer, args->buffer);
    return rule_await(t, args->done_with_host_buffer);
}

/* ---- Calls about a buffer -------------------------------------------------------------------- */

struct error *buffer_await(struct rule_context *t, PJRT_Buffer *buffer)
{
    ARGS(t, Buffer_ReadyEvent, args, .buffer = buffer);
    TRY(CALL(t, Buffer_ReadyEvent, &args));
    return rule_await(t, args.event);
}

struct error *buffer_delete(struct rule_context *t, PJRT_Buffer *buffer)
{
    ARGS(t, Buffer_Delete, args, .buffer = buffer);
    return CALL(t, Buffer_Delete, &args);
}

bool buffer_is_deleted(struct rule_context *t, PJRT_Buffer *buffer)
{
    ARGS(t, Buffer_IsDeleted, args, .buffer = buffer);
    CHECK_OK(t, CALL(t, Buffer_IsDeleted, &args));
    return args.is_deleted;
}

bool buffer_is_on_cpu(struct rule_context *t, PJRT_Buffer *buffer)
{
    ARGS(t, Buffer_IsOnCpu, args, .buffer = buffer);
    CHECK_OK(t, CALL(t, Buffer_IsOnCpu, &args));
    return args.is_on_cpu;
}

PJRT_Memory *buffer_memory(struct rule_context *t, PJRT_Buffer *buffer)
{
    ARGS(t, Buffer_Memory, args, .buffer = buffer);
    CHECK_OK(t, CALL(t, Buffer_Memory, &args));
    return args.memory;
}

PJRT_Device *buffer_device(struct rule_context *t, PJRT_Buffer *buffer)
{
    ARGS(t, Buffer_Device, args, .buffer = buffer);
    CHECK_OK(t, CALL(t, Buffer_Device, &args));
    return args.device;
}

struct error *buffer_copy(struct rule_context *t, PJRT_Buffer *buffer, PJRT_Memory *to,
                          PJRT_Buffer **out)
{
    ARGS(t, Buffer_CopyToMemory, args, .buffer = buffer, .dst_memory = to);
    *out = NULL;
    TRY(CALL(t, Buffer_CopyToMemory, &args));
    *out = args.dst_buffer;
    return NULL;
}

struct error *buffer_hold(struct rule_context *t, PJRT_Buffer *buffer)
{
    ARGS(t, Buffer_IncreaseExternalReferenceCount, args, .buffer = buffer);
    return CALL(t, Buffer_IncreaseExternalReferenceCount, &args);
}

struct error *buffer_release(struct rule_context *t, PJRT_Buffer *buffer)
{
    ARGS(t, Buffer_DecreaseExternalReferenceCount, args, .buffer = buffer);
    return CALL(t, Buffer_DecreaseExternalReferenceCount, &args);
}

struct error *buffer_address(struct rule_context *t, PJRT_Buffer *buffer, void **out)
{
    ARGS(t, Buffer_OpaqueDeviceMemoryDataPointer, args, .buffer = buffer);
    *out = NULL;
    TRY(CALL(t, Buffer_OpaqueDeviceMemoryDataPointer, &args));
    *out = args.device_memory_ptr;
    return NULL;
}

struct error *buffer_copy_raw(struct rule_context *t, PJRT_Buffer *buffer, void *to, int64_t offset,
                              int64_t size)
{
    ARGS(t, Buffer_CopyRawToHost, args, .buffer = buffer, .dst = to, .offset = offset,
         .transfer_size = size);
    TRY(CALL(t, Buffer_CopyRawToHost, &args));
    return rule_await(t, args.event);
}

struct error *buffer_of_error(struct rule_context *t, PJRT_Buffer **out)
{
    static const char message[] = "lost on purpose";
    ARGS(t, Client_CreateErrorBuffer, args, .client = t->client,
         .error_code = PJRT_Error_Code_DATA_LOSS, .error_message = message,
         .error_message_size = sizeof message - 1, .shape_dims = sample_dims, .shape_num_dims = 1,
         .shape_element_type = PJRT_Buffer_Type_F32, .memory = memory_default(t, t->device));
    *out = NULL;
    TRY(CALL(t, Client_CreateErrorBuffer, &args));
    *out = args.buffer;
    return NULL;
}

/* ---- Memories -------------------------------------------------------------------------------- */

struct memory_list memories_of(struct rule_context *t, PJRT_Device *device)
{
    ARGS(t, Device_AddressableMemories, args, .device = device);
    CHECK_OK(t, CALL(t, Device_AddressableMemories, &args));
    return (struct memory_list){args.memories, args.num_memories};
}

PJRT_Memory *memory_default(struct rule_context *t, PJRT_Device *device)
{
    ARGS(t, Device_DefaultMemory, args, .device = device);
    CHECK_OK(t, CALL(t, Device_DefaultMemory, &args));
    return args.memory;
}
