/* suite_buffers.c: views of memory. What holds for any plugin's buffers is in conformance/rules. */
#include <stdlib.h>

#include "conformance/test_context.h"

static void count_call(void *bytes, void *count)
{
    (void)bytes;
    atomic_fetch_add((atomic_int *)count, 1);
}

/* The device address of 64 floats: the memory of a buffer (owned), kept by an external
 * reference. */
static struct error *device_memory(struct test_context *t, PJRT_Buffer **buffer, void **address)
{
    const int64_t dims[] = {64};
    TRY(test_context_upload(t, DTYPE_F32, 1, dims, buffer));
    ABI_ARGS(Buffer_IncreaseExternalReferenceCount, more, .buffer = *buffer);
    TRY(ABI_CALL(t->api, Buffer_IncreaseExternalReferenceCount, &more));
    ABI_ARGS(Buffer_OpaqueDeviceMemoryDataPointer, pointer, .buffer = *buffer);
    TRY(ABI_CALL(t->api, Buffer_OpaqueDeviceMemoryDataPointer, &pointer));
    *address = pointer.device_memory_ptr;
    return NULL;
}

/* A view has the elements of its memory, and calls its deleter once, when it is destroyed. */
static void check_view(struct test_context *t, void *address)
{
    const int64_t dims[] = {64};
    float back[64];
    atomic_int deleted_count = 0;
    ABI_ARGS(Client_CreateViewOfDeviceBuffer, args, .client = t->client,
             .device_buffer_ptr = address, .dims = dims, .num_dims = 1,
             .element_type = PJRT_Buffer_Type_F32, .device = t->device,
             .on_delete_callback = count_call, .on_delete_callback_arg = &deleted_count);
    NEED_SUPPORTED(t, ABI_CALL(t->api, Client_CreateViewOfDeviceBuffer, &args));
    CHECK_OK(t, abi_download(t->api, args.buffer, back, sizeof back));
    for (size_t i = 0; i < 64; i++)
        CHECK(t, (double)back[i] == test_context_value(DTYPE_F32, i), "element %zu is %g", i,
              (double)back[i]);
    CHECK(t, atomic_load(&deleted_count) == 0, "the view lets go of its memory too early");
    abi_buffer_destroy(t->api, args.buffer);
    CHECK(t, atomic_load(&deleted_count) == 1, "the view's deleter is called %d times",
          atomic_load(&deleted_count));
}

/* Views of device memory, and of host memory if the host can address device memory. */
static void view(struct test_context *t)
{
    PJRT_Buffer *buffer;
    void *address = NULL;
    float *bytes = aligned_alloc(64, 64 * sizeof *bytes);
    for (size_t i = 0; i < 64; i++)
        bytes[i] = (float)test_context_value(DTYPE_F32, i);
    NEED_OK(t, device_memory(t, &buffer, &address));
    ABI_ARGS(Buffer_IsOnCpu, on_cpu, .buffer = buffer);
    CHECK_OK(t, ABI_CALL(t->api, Buffer_IsOnCpu, &on_cpu));
    check_view(t, address);
    if (on_cpu.is_on_cpu)
        check_view(t, bytes);
    ABI_ARGS(Buffer_DecreaseExternalReferenceCount, less, .buffer = buffer);
    CHECK_OK(t, ABI_CALL(t->api, Buffer_DecreaseExternalReferenceCount, &less));
    abi_buffer_destroy(t->api, buffer);
    free(bytes);
}

static const struct test_context_case cases[] = {{"view", view, STAGE_CLIENT, 0}, {0}};
const struct test_context_suite suite_buffers = {"buffers", cases};
