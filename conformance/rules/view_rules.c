/* view_rules.c: area 16, sections 2 and 3: views of memory on the device, mapped host memory. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/cts/rule_sequences.h"

enum { COUNT = 256 };
static const int64_t dims[] = {COUNT};

static void fill(float *values)
{
    for (int i = 0; i < COUNT; i++)
        values[i] = (float)i;
}

/* ---- 16.2 Views ------------------------------------------------------------------------------ */

struct viewed {
    float values[COUNT];
    PJRT_Buffer *owner, *view;
    void *address;
    atomic_int calls;  /* of the callback */
    atomic_bool right; /* it got its arguments */
};

static void on_delete(void *address, void *user)
{
    struct viewed *viewed = user;
    atomic_store(&viewed->right, address == viewed->address);
    atomic_fetch_add(&viewed->calls, 1);
}

/* The address of a buffer that stays held. */
static struct error *address_of(struct rule_context *t, PJRT_Buffer *buffer, void **out)
{
    ARGS(t, Buffer_IncreaseExternalReferenceCount, hold, .buffer = buffer);
    TRY(CALL(t, Buffer_IncreaseExternalReferenceCount, &hold));
    ARGS(t, Buffer_OpaqueDeviceMemoryDataPointer, get, .buffer = buffer);
    TRY(CALL(t, Buffer_OpaqueDeviceMemoryDataPointer, &get));
    *out = get.device_memory_ptr;
    return NULL;
}

static struct error *make_view(struct rule_context *t, struct viewed *viewed, bool with_callback)
{
    fill(viewed->values);
    TRY(rule_upload_floats(t, viewed->values, COUNT, &viewed->owner));
    TRY(address_of(t, viewed->owner, &viewed->address));
    ARGS(t, Client_CreateViewOfDeviceBuffer, args, .client = t->client,
         .device_buffer_ptr = viewed->address, .dims = dims, .num_dims = 1,
         .element_type = PJRT_Buffer_Type_F32, .device = t->device,
         .on_delete_callback = with_callback ? on_delete : NULL, .on_delete_callback_arg = viewed);
    TRY(CALL(t, Client_CreateViewOfDeviceBuffer, &args));
    viewed->view = args.buffer;
    return NULL;
}

void rule_transfers_view_memory(struct rule_context *t)
{
    static struct viewed viewed;
    NEED_CLIENT(t);
    NEED_OK(t, make_view(t, &viewed, true));
    rule_check_floats(t, viewed.view, viewed.values, COUNT);
}

void rule_transfers_describe_views(struct rule_context *t)
{
    static struct viewed viewed;
    void *address;
    NEED_CLIENT(t);
    NEED_OK(t, make_view(t, &viewed, true));
    ARGS(t, Buffer_ElementType, type, .buffer = viewed.view);
    NEED_OK(t, CALL(t, Buffer_ElementType, &type));
    CHECK(t, type.type == PJRT_Buffer_Type_F32, "type %d", (int)type.type);
    ARGS(t, Buffer_Dimensions, shape, .buffer = viewed.view);
    NEED_OK(t, CALL(t, Buffer_Dimensions, &shape));
    CHECK(t, shape.num_dims == 1 && shape.dims[0] == COUNT, "rank %zu", shape.num_dims);
    NEED_OK(t, address_of(t, viewed.view, &address));
    CHECK(t, address == viewed.address, "the view is at another address");
}

void rule_transfers_tell_when_views_end(struct rule_context *t)
{
    static struct viewed viewed;
    NEED_CLIENT(t);
    NEED_OK(t, make_view(t, &viewed, true));
    CHECK(t, !atomic_load(&viewed.calls), "called before the view is destroyed");
    DESTROY(t, Buffer, buffer, viewed.view);
    rule_close(t); /* the latest time for it */
    CHECK(t, atomic_load(&viewed.calls) == 1, "called %d times", atomic_load(&viewed.calls));
    CHECK(t, atomic_load(&viewed.right), "called with another address");
}

void rule_transfers_accept_views_without_callback(struct rule_context *t)
{
    static struct viewed viewed;
    NEED_CLIENT(t);
    NEED_OK(t, make_view(t, &viewed, false));
    DESTROY(t, Buffer, buffer, viewed.view);
    rule_check_floats(t, viewed.owner, viewed.values, COUNT);
}

void rule_transfers_compute_with_views(struct rule_context *t)
{
    static const char text[] =
        "func.func public @main(%x: tensor<256xf32>) -> tensor<256xf32> {\n"
        "  %y = \"stablehlo.negate\"(%x) : (tensor<256xf32>) -> tensor<256xf32>\n"
        "  \"func.return\"(%y) : (tensor<256xf32>) -> ()\n"
        "}\n";
    static struct viewed viewed;
    PJRT_LoadedExecutable *executable;
    PJRT_Buffer *result;
    float expected[COUNT];
    NEED_CLIENT(t);
    NEED_OK(t, make_view(t, &viewed, true));
    NEED_OK(t, rule_compile_text(t, text, &executable));
    NEED_OK(t, rule_execute(t, executable, &viewed.view, 1, &result, 1));
    for (int i = 0; i < COUNT; i++)
        expected[i] = -viewed.values[i];
    rule_check_floats(t, result, expected, COUNT);
}

void rule_transfers_reject_null_views(struct rule_context *t)
{
    NEED_CLIENT(t);
    ARGS(t, Client_CreateViewOfDeviceBuffer, args, .client = t->client, .dims = dims, .num_dims = 1,
         .element_type = PJRT_Buffer_Type_F32, .device = t->device);
    CHECK_ERROR(t, CALL(t, Client_CreateViewOfDeviceBuffer, &args));
}

/* ---- 16.3 Mapped memory ---------------------------------------------------------------------- */

enum { SIZE = 1 << 16 };

static struct error *map(struct rule_context *t, void *data, size_t size)
{
    ARGS(t, Client_DmaMap, args, .client = t->client, .data = data, .size = size);
    return CALL(t, Client_DmaMap, &args);
}

static struct error *unmap(struct rule_context *t, void *data)
{
    ARGS(t, Client_DmaUnmap, args, .client = t->client, .data = data);
    return CALL(t, Client_DmaUnmap, &args);
}

static _Alignas(4096) char mapped[SIZE];

void rule_transfers_map_memory(struct rule_context *t)
{
    NEED_CLIENT(t);
    for (int i = 0; i < 3; i++) {
        NEED_OK(t, map(t, mapped, SIZE));
        NEED_OK(t, unmap(t, mapped));
    }
}

void rule_transfers_copy_from_mapped_memory(struct rule_context *t)
{
    float *from = (float *)(void *)mapped, *to = from + COUNT;
    PJRT_Buffer *buffer;
    NEED_CLIENT(t);
    fill(from);
    NEED_OK(t, map(t, mapped, SIZE));
    NEED_OK(t, rule_upload_floats(t, from, COUNT, &buffer));
    NEED_OK(t, rule_download(t, buffer, to, COUNT * sizeof *to));
    CHECK(t, !memcmp(from, to, COUNT * sizeof *to), "other bytes came back");
    DESTROY(t, Buffer, buffer, buffer);
    CHECK_OK(t, unmap(t, mapped));
}

void rule_transfers_reject_unmapping_strangers(struct rule_context *t)
{
    NEED_CLIENT(t);
    CHECK_ERROR(t, unmap(t, mapped));
    NEED_OK(t, map(t, mapped, SIZE));
    NEED_OK(t, unmap(t, mapped));
    CHECK_ERROR(t, unmap(t, mapped));
}

void rule_transfers_reject_mapping_nothing(struct rule_context *t)
{
    NEED_CLIENT(t);
    CHECK_ERROR(t, map(t, NULL, 4096));
}

void rule_transfers_survive_mapped_memory(struct rule_context *t)
{
    NEED_CLIENT(t);
    NEED_OK(t, map(t, mapped, SIZE));
    rule_close(t);
    memset(mapped, 1, SIZE);
}
