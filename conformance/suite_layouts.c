/* suite_layouts.c: arrays of every layout in every kind of transfer: the layout on the device, that
 * of the client's array (including padded, reversed and broadcast arrays), and that of the copy to
 * the host. Elements are distinguished by their bytes, or by their value for types narrower than a
 * byte. */
#include <stdlib.h>
#include <string.h>

#include "conformance/test_context.h"

enum { RANK = 3, COUNT = 2 * 3 * 5, MAX_BYTES = 16, LAYOUTS = 6, FORMS = 5 };
static const int64_t dims[RANK] = {2, 3, 5};
static const int64_t layouts[LAYOUTS][RANK] = {{2, 1, 0}, {0, 1, 2}, {1, 0, 2},
                                               {0, 2, 1}, {1, 2, 0}, {2, 0, 1}};

static PJRT_Buffer_MemoryLayout tiled(int layout)
{
    return (PJRT_Buffer_MemoryLayout){
        .struct_size = PJRT_Buffer_MemoryLayout_STRUCT_SIZE,
        .tiled = {.struct_size = PJRT_Buffer_MemoryLayout_Tiled_STRUCT_SIZE,
                  .minor_to_major = layouts[layout],
                  .minor_to_major_size = RANK},
        .type = PJRT_Buffer_MemoryLayout_Type_Tiled};
}

/* ---- Elements -------------------------------------------------------------------------------- */

/* The bytes of an element, as a function of its index in the array. */
static void element(enum dtype dtype, int64_t place, unsigned char *out)
{
    int bits = dtype_info(dtype)->bits;
    memset(out, 0, MAX_BYTES);
    if (dtype == DTYPE_PRED)
        out[0] = place % 2;
    else if (bits < 8)
        out[0] = (unsigned char)(place % (1 << (bits - 1))); /* nonnegative in signed types */
    else
        for (int i = 0; i < dtype_bytes(dtype); i++)
            out[i] = (unsigned char)(place * 7 + i * 31);
}

/* An array in host memory with its strides. */
struct host {
    unsigned char bytes[COUNT * MAX_BYTES * 8];
    int64_t strides[RANK], first; /* in bytes; `first` is the offset of the first element */
};

/* The forms of a client array: dense in a layout, padded, reversed, broadcast. */
static void host_init(struct host *host, int form, int64_t element_bytes)
{
    static const int orders[FORMS][RANK] = {{2, 1, 0}, {0, 2, 1}, {1, 2, 0}, {2, 1, 0}, {2, 0, 1}};
    int64_t stride = element_bytes * (form == 2 ? 3 : 1);
    memset(host, 0xee, sizeof *host);
    host->first = 0;
    for (int i = 0; i < RANK; i++) {
        int d = orders[form][i];
        host->strides[d] = stride;
        stride *= dims[d];
    }
    if (form == 3) { /* reversed first dimension */
        host->first = (dims[0] - 1) * host->strides[0];
        host->strides[0] = -host->strides[0];
    }
    if (form == 4)
        host->strides[1] = 0;
}

/* The index whose value element [a][b][c] has: broadcast elements share one. */
static int64_t place_of(int form, int64_t a, int64_t b, int64_t c)
{
    return (a * dims[1] + (form == 4 ? 0 : b)) * dims[2] + c;
}

static unsigned char *at(struct host *host, int64_t a, int64_t b, int64_t c)
{
    return host->bytes + host->first + a * host->strides[0] + b * host->strides[1] +
           c * host->strides[2];
}

static void host_fill(struct host *host, int form, enum dtype dtype)
{
    unsigned char bytes[MAX_BYTES];
    for (int64_t a = 0; a < dims[0]; a++)
        for (int64_t b = 0; b < dims[1]; b++)
            for (int64_t c = 0; c < dims[2]; c++) {
                element(dtype, place_of(form, a, b, c), bytes);
                memcpy(at(host, a, b, c), bytes, (size_t)dtype_bytes(dtype));
            }
}

/* Whether `host` has the elements of an array created by `form`. */
static bool host_has(struct host *host, int form, enum dtype dtype)
{
    unsigned char bytes[MAX_BYTES];
    bool equal = true;
    for (int64_t a = 0; a < dims[0]; a++)
        for (int64_t b = 0; b < dims[1]; b++)
            for (int64_t c = 0; c < dims[2]; c++) {
                element(dtype, place_of(form, a, b, c), bytes);
                equal &= !memcmp(at(host, a, b, c), bytes, (size_t)dtype_bytes(dtype));
            }
    return equal;
}

/* ---- To the host ----------------------------------------------------------------------------- */

static struct error *download(struct test_context *t, PJRT_Buffer *buffer,
                              PJRT_Buffer_MemoryLayout *layout, struct host *to)
{
    ABI_ARGS(Buffer_ToHostBuffer, args, .src = buffer, .host_layout = layout, .dst = to->bytes,
             .dst_size = sizeof to->bytes);
    TRY(ABI_CALL(t->api, Buffer_ToHostBuffer, &args));
    return abi_await(t->api, args.event);
}

static void check_minor_to_major(struct test_context *t, PJRT_Buffer *buffer, int form,
                                 enum dtype dtype)
{
    struct host to;
    for (int i = 0; i < LAYOUTS; i++) {
        PJRT_Buffer_MemoryLayout layout = tiled(i);
        int64_t stride = dtype_bytes(dtype);
        host_init(&to, 0, stride);
        for (int k = 0; k < RANK; k++) {
            to.strides[layouts[i][k]] = stride;
            stride *= dims[layouts[i][k]];
        }
        CHECK_OK(t, download(t, buffer, &layout, &to));
        CHECK(t, host_has(&to, form, dtype), "%s, form %d: wrong elements in layout %d",
              dtype_name(dtype), form, i);
    }
}

/* By strides: dense, and padded with padding that is not written. */
static void check_strides(struct test_context *t, PJRT_Buffer *buffer, int form, enum dtype dtype)
{
    struct host to;
    for (int i = 0; i < 3; i++) {
        host_init(&to, i, dtype_bytes(dtype));
        PJRT_Buffer_MemoryLayout layout = {
            .struct_size = PJRT_Buffer_MemoryLayout_STRUCT_SIZE,
            .strides = {.struct_size = PJRT_Buffer_MemoryLayout_Strides_STRUCT_SIZE,
                        .byte_strides = to.strides,
                        .num_byte_strides = RANK},
            .type = PJRT_Buffer_MemoryLayout_Type_Strides};
        struct error *error = download(t, buffer, &layout, &to);
        if (error && error_code(error) == PJRT_Error_Code_UNIMPLEMENTED) {
            error_free(error);
            return;
        }
        CHECK_OK(t, error);
        CHECK(t, host_has(&to, form, dtype), "%s, form %d: wrong elements by strides %d",
              dtype_name(dtype), form, i);
        CHECK(t, i < 2 || to.bytes[dtype_bytes(dtype)] == 0xee, "a gap is written");
    }
}

static void check_buffer(struct test_context *t, PJRT_Buffer *buffer, int form, enum dtype dtype)
{
    check_minor_to_major(t, buffer, form, dtype);
    check_strides(t, buffer, form, dtype);
}

/* Also checks copies to each memory of the device, which preserve the layout. */
static void check_copies(struct test_context *t, PJRT_Buffer *buffer, int form, enum dtype dtype)
{
    ABI_ARGS(Device_AddressableMemories, memories, .device = t->device);
    CHECK_OK(t, ABI_CALL(t->api, Device_AddressableMemories, &memories));
    for (size_t i = 0; i < memories.num_memories; i++) {
        ABI_ARGS(Buffer_CopyToMemory, args, .buffer = buffer, .dst_memory = memories.memories[i]);
        if (CHECK_OK(t, ABI_CALL(t->api, Buffer_CopyToMemory, &args))) {
            check_buffer(t, args.dst_buffer, form, dtype);
            abi_buffer_destroy(t->api, args.dst_buffer);
        }
    }
}

/* ---- To the device --------------------------------------------------------------------------- */

static struct error *upload(struct test_context *t, enum dtype dtype, struct host *from, int layout,
                            int mode, PJRT_Buffer **out)
{
    PJRT_Buffer_MemoryLayout device_layout = tiled(layout);
    ABI_ARGS(Client_BufferFromHostBuffer, args, .client = t->client,
             .data = from->bytes + from->first, .type = dtype_info(dtype)->pjrt, .dims = dims,
             .num_dims = RANK, .byte_strides = from->strides, .num_byte_strides = RANK,
             .host_buffer_semantics = (PJRT_HostBufferSemantics)mode, .device = t->device,
             .device_layout = &device_layout);
    *out = NULL;
    TRY(ABI_CALL(t->api, Client_BufferFromHostBuffer, &args));
    *out = args.buffer;
    ABI_ARGS(Buffer_ReadyEvent, ready, .buffer = args.buffer);
    struct error *error = ABI_CALL(t->api, Buffer_ReadyEvent, &ready);
    if (!error)
        error = abi_await(t->api, ready.event);
    ABI_DESTROY(t->api, Event, event, args.done_with_host_buffer);
    return error;
}

static const enum dtype types[] = {DTYPE_PRED, DTYPE_S4,  DTYPE_U2,  DTYPE_U8,  DTYPE_BF16,
                                   DTYPE_F32,  DTYPE_F64, DTYPE_C64, DTYPE_C128};
enum { TYPES = sizeof types / sizeof *types };

static void uploads(struct test_context *t)
{
    for (int type = 0; type < TYPES; type++)
        for (int form = 0; form < FORMS; form++)
            for (int layout = 0; layout < LAYOUTS; layout++) {
                struct host from;
                PJRT_Buffer *buffer;
                host_init(&from, form, dtype_bytes(types[type]));
                host_fill(&from, form, types[type]);
                struct error *error =
                    upload(t, types[type], &from, layout, (form + layout) % 4, &buffer);
                if (!CHECK_OK(t, error))
                    continue;
                if (layout == form)
                    check_copies(t, buffer, form, types[type]);
                else
                    check_buffer(t, buffer, form, types[type]);
                abi_buffer_destroy(t->api, buffer);
            }
}

/* A transfer manager with a buffer in each layout. */
static struct error *managed(struct test_context *t, enum dtype dtype,
                             PJRT_AsyncHostToDeviceTransferManager **out)
{
    PJRT_ShapeSpec specs[LAYOUTS];
    PJRT_Buffer_MemoryLayout device_layouts[LAYOUTS], *list[LAYOUTS];
    for (int i = 0; i < LAYOUTS; i++) {
        specs[i] = (PJRT_ShapeSpec){.struct_size = PJRT_ShapeSpec_STRUCT_SIZE,
                                    .dims = dims,
                                    .num_dims = RANK,
                                    .element_type = dtype_info(dtype)->pjrt};
        device_layouts[i] = tiled(i);
        list[i] = &device_layouts[i];
    }
    ABI_ARGS(Device_DefaultMemory, home, .device = t->device);
    *out = NULL;
    TRY(ABI_CALL(t->api, Device_DefaultMemory, &home));
    ABI_ARGS(Client_CreateBuffersForAsyncHostToDevice, args, .client = t->client,
             .shape_specs = specs, .num_shape_specs = LAYOUTS, .device_layouts = list,
             .num_device_layouts = LAYOUTS, .memory = home.memory);
    TRY(ABI_CALL(t->api, Client_CreateBuffersForAsyncHostToDevice, &args));
    *out = args.transfer_manager;
    return NULL;
}

/* Buffer i of the manager receives a literal of form i % FORMS. */
static void check_literal(struct test_context *t, PJRT_AsyncHostToDeviceTransferManager *manager,
                          enum dtype dtype, int i)
{
    int form = i % FORMS;
    struct host from;
    host_init(&from, form, dtype_bytes(dtype));
    host_fill(&from, form, dtype);
    PJRT_Buffer_MemoryLayout by_strides = {
        .struct_size = PJRT_Buffer_MemoryLayout_STRUCT_SIZE,
        .strides = {.struct_size = PJRT_Buffer_MemoryLayout_Strides_STRUCT_SIZE,
                    .byte_strides = from.strides,
                    .num_byte_strides = RANK},
        .type = PJRT_Buffer_MemoryLayout_Type_Strides};
    ABI_ARGS(AsyncHostToDeviceTransferManager_TransferLiteral, send, .transfer_manager = manager,
             .buffer_index = i, .data = from.bytes + from.first, .shape_dims = dims,
             .shape_num_dims = RANK, .shape_element_type = dtype_info(dtype)->pjrt,
             .shape_layout = &by_strides);
    ABI_ARGS(AsyncHostToDeviceTransferManager_RetrieveBuffer, get, .transfer_manager = manager,
             .buffer_index = i);
    if (CHECK_OK(t, ABI_CALL(t->api, AsyncHostToDeviceTransferManager_TransferLiteral, &send)))
        CHECK_OK(t, abi_await(t->api, send.done_with_h2d_transfer));
    if (CHECK_OK(t, ABI_CALL(t->api, AsyncHostToDeviceTransferManager_RetrieveBuffer, &get))) {
        check_buffer(t, get.buffer_out, form, dtype);
        abi_buffer_destroy(t->api, get.buffer_out);
    }
}

static void literals(struct test_context *t)
{
    for (int type = 0; type < TYPES; type++) {
        PJRT_AsyncHostToDeviceTransferManager *manager;
        NEED_SUPPORTED(t, managed(t, types[type], &manager));
        for (int i = 0; i < LAYOUTS; i++)
            check_literal(t, manager, types[type], i);
        ABI_DESTROY(t->api, AsyncHostToDeviceTransferManager, transfer_manager, manager);
    }
}

/* Invalid strides of a copy to the host. */
static void wrong_strides(struct test_context *t)
{
    static const int64_t wrong[][RANK] = {{-60, 20, 4},       {60, 20, -4}, {60, 20, 0},
                                          {0, 20, 4},         {60, 20, 3},  {59, 20, 4},
                                          {INT64_MAX, 20, 4}, {4, 4, 4}};
    struct host to;
    PJRT_Buffer *buffer;
    NEED_OK(t, test_context_upload(t, DTYPE_F32, RANK, dims, &buffer));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        PJRT_Buffer_MemoryLayout layout = {
            .struct_size = PJRT_Buffer_MemoryLayout_STRUCT_SIZE,
            .strides = {.struct_size = PJRT_Buffer_MemoryLayout_Strides_STRUCT_SIZE,
                        .byte_strides = wrong[i],
                        .num_byte_strides = RANK},
            .type = PJRT_Buffer_MemoryLayout_Type_Strides};
        host_init(&to, 0, 4);
        CHECK_ERROR(t, download(t, buffer, &layout, &to));
        CHECK(t, to.bytes[0] == 0xee, "written by strides %zu", i);
    }
    abi_buffer_destroy(t->api, buffer);
}

static const struct test_context_case cases[] = {{"uploads", uploads, STAGE_CLIENT, 0},
                                                 {"literals", literals, STAGE_CLIENT, 0},
                                                 {"wrong_strides", wrong_strides, STAGE_CLIENT, 0},
                                                 {0}};
const struct test_context_suite suite_layouts = {"layouts", cases};
