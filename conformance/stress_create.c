/* stress_create.c: see stress_create.h. */
#include "conformance/stress_create.h"

#include <string.h>

static int below(struct stress_worker *worker, int bound)
{
    return stress_model_below(&worker->random, bound);
}

/* Mostly the shape of program arguments, often small arrays, rarely those of 10 MB. */
static int random_shape(struct stress_worker *worker)
{
    static const int thresholds[STRESS_SHAPES - 1] = {500, 650, 800, 950, 995};
    int number = below(worker, 1000), shape = 0;
    while (shape < STRESS_SHAPES - 1 && number >= thresholds[shape])
        shape++;
    return shape;
}

static int random_memory(struct stress_worker *worker)
{
    return below(worker, 2) ? 0 : below(worker, (int)worker->context->memory_count);
}

static struct stress_value *random_value(struct stress_worker *worker)
{
    return stress_model_known(below(worker, 200) - 100, below(worker, 20) - 10);
}

static PJRT_ShapeSpec spec_of(int shape)
{
    return (PJRT_ShapeSpec){.struct_size = PJRT_ShapeSpec_STRUCT_SIZE,
                            .dims = stress_context_shapes[shape].dims,
                            .num_dims = stress_context_shapes[shape].rank,
                            .element_type = PJRT_Buffer_Type_F32};
}

/* ---- Single uploads ------------------------------------------------------------------- */

bool stress_create_upload(struct stress_worker *worker)
{
    struct stress_context *context = worker->context;
    int shape = random_shape(worker), memory = random_memory(worker), mode = below(worker, 4);
    struct stress_slot *slot =
        stress_context_can_lend(worker) ? stress_context_lock_empty(worker) : NULL;
    if (!slot)
        return false;
    struct stress_value *value = random_value(worker);
    float *data = stress_model_elements(value, stress_context_shapes[shape].count);
    ABI_ARGS(Client_BufferFromHostBuffer, args, .client = context->client, .data = data,
             .type = PJRT_Buffer_Type_F32, .dims = stress_context_shapes[shape].dims,
             .num_dims = stress_context_shapes[shape].rank,
             .host_buffer_semantics = (PJRT_HostBufferSemantics)mode,
             .memory = context->memories[memory]);
    if (stress_context_create_succeeded(
            context, ABI_CALL(context->t->api, Client_BufferFromHostBuffer, &args))) {
        if (mode == PJRT_HostBufferSemantics_kImmutableOnlyDuringCall)
            memset(data, 0xee, 16);
        stress_context_put(context, slot, args.buffer, value, shape, memory);
        slot->borrowed = mode >= PJRT_HostBufferSemantics_kImmutableZeroCopy;
        stress_context_lend(worker, data, args.done_with_host_buffer);
    } else {
        stress_model_release(value);
        stress_model_drop(data);
    }
    stress_context_unlock(slot);
    return true;
}

bool stress_create_uninitialized(struct stress_worker *worker)
{
    struct stress_context *context = worker->context;
    int shape = random_shape(worker), memory = random_memory(worker);
    struct stress_slot *slot = stress_context_lock_empty(worker);
    if (!slot)
        return false;
    ABI_ARGS(Client_CreateUninitializedBuffer, args, .client = context->client,
             .shape_dims = stress_context_shapes[shape].dims,
             .shape_num_dims = stress_context_shapes[shape].rank,
             .shape_element_type = PJRT_Buffer_Type_F32, .memory = context->memories[memory]);
    if (stress_context_create_succeeded(
            context, ABI_CALL(context->t->api, Client_CreateUninitializedBuffer, &args)))
        stress_context_put(context, slot, args.buffer, stress_model_any(), shape, memory);
    stress_context_unlock(slot);
    return true;
}

bool stress_create_error(struct stress_worker *worker)
{
    struct stress_context *context = worker->context;
    int shape = random_shape(worker), memory = random_memory(worker);
    struct stress_slot *slot = stress_context_lock_empty(worker);
    if (!slot)
        return false;
    ABI_ARGS(Client_CreateErrorBuffer, args, .client = context->client,
             .error_code = PJRT_Error_Code_DATA_LOSS, .error_message = "lost",
             .error_message_size = 4, .shape_dims = stress_context_shapes[shape].dims,
             .shape_num_dims = stress_context_shapes[shape].rank,
             .shape_element_type = PJRT_Buffer_Type_F32, .memory = context->memories[memory]);
    if (stress_context_create_succeeded(context,
                                        ABI_CALL(context->t->api, Client_CreateErrorBuffer, &args)))
        stress_context_put(context, slot, args.buffer, stress_model_error(), shape, memory);
    stress_context_unlock(slot);
    return true;
}

static void view_given_back(void *bytes, void *views)
{
    stress_model_drop(bytes);
    atomic_fetch_sub((atomic_llong *)views, 1);
}

bool stress_create_view(struct stress_worker *worker)
{
    struct stress_context *context = worker->context;
    int shape = random_shape(worker);
    struct stress_slot *slot = context->on_host ? stress_context_lock_empty(worker) : NULL;
    if (!slot)
        return false;
    struct stress_value *value = random_value(worker);
    float *data = stress_model_elements(value, stress_context_shapes[shape].count);
    atomic_fetch_add(&context->views, 1);
    ABI_ARGS(Client_CreateViewOfDeviceBuffer, args, .client = context->client,
             .device_buffer_ptr = data, .dims = stress_context_shapes[shape].dims,
             .num_dims = stress_context_shapes[shape].rank, .element_type = PJRT_Buffer_Type_F32,
             .device = context->devices[0], .on_delete_callback = view_given_back,
             .on_delete_callback_arg = &context->views);
    if (stress_context_create_succeeded(
            context, ABI_CALL(context->t->api, Client_CreateViewOfDeviceBuffer, &args))) {
        stress_context_put(context, slot, args.buffer, value, shape, 0);
        slot->borrowed = true;
    } else {
        view_given_back(data, &context->views);
        stress_model_release(value);
    }
    stress_context_unlock(slot);
    return true;
}

bool stress_create_alias(struct stress_worker *worker)
{
    struct stress_context *context = worker->context;
    int shape = random_shape(worker), memory = random_memory(worker);
    struct stress_slot *slot = stress_context_lock_empty(worker);
    if (!slot)
        return false;
    ABI_ARGS(Client_CreateAliasBuffer, args, .client = context->client,
             .memory = context->memories[memory], .shape_dims = stress_context_shapes[shape].dims,
             .shape_num_dims = stress_context_shapes[shape].rank,
             .shape_element_type = PJRT_Buffer_Type_F32);
    if (stress_context_create_succeeded(
            context, ABI_CALL(context->t->api, Client_CreateAliasBuffer, &args))) {
        stress_context_put(context, slot, args.alias_buffer, stress_model_open(), shape, memory);
        slot->promise = args.fulfill_alias_buffer_cb;
    }
    stress_context_unlock(slot);
    return true;
}

/* ---- Transfer managers ----------------------------------------------------------------------- */

enum { PIECES = 8 };

static void send_piece(struct stress_worker *worker, PJRT_AsyncHostToDeviceTransferManager *manager,
                       float *data, int64_t bytes, int piece, bool last)
{
    struct stress_context *context = worker->context;
    int64_t begin = bytes / 4 * piece / PIECES * 4, end = bytes / 4 * (piece + 1) / PIECES * 4;
    ABI_ARGS(AsyncHostToDeviceTransferManager_TransferData, args, .transfer_manager = manager,
             .data = (const char *)data + begin, .offset = begin, .transfer_size = end - begin,
             .is_last_transfer = last);
    struct error *error =
        ABI_CALL(context->t->api, AsyncHostToDeviceTransferManager_TransferData, &args);
    if (CHECK_OK(context->t, error))
        stress_context_lend(worker, stress_model_share(data), args.done_with_h2d_transfer);
}

/* All chunks, in a random order. */
static void send_all(struct stress_worker *worker, PJRT_AsyncHostToDeviceTransferManager *manager,
                     float *data, int64_t bytes)
{
    int order[PIECES];
    for (int i = 0; i < PIECES; i++) {
        int k = below(worker, i + 1);
        order[i] = order[k];
        order[k] = i;
    }
    for (int i = 0; i < PIECES; i++)
        send_piece(worker, manager, data, bytes, order[i], i == PIECES - 1);
}

static void fail_transfer(struct stress_worker *worker,
                          PJRT_AsyncHostToDeviceTransferManager *manager)
{
    ABI_ARGS(AsyncHostToDeviceTransferManager_SetBufferError, args, .transfer_manager = manager,
             .error_code = PJRT_Error_Code_DATA_LOSS, .error_message = "lost",
             .error_message_size = 4);
    CHECK_OK(worker->context->t, ABI_CALL(worker->context->t->api,
                                          AsyncHostToDeviceTransferManager_SetBufferError, &args));
}

static void transfer_into(struct stress_worker *worker, struct stress_slot *slot,
                          PJRT_AsyncHostToDeviceTransferManager *manager, int shape, int memory)
{
    struct stress_context *context = worker->context;
    bool fails = below(worker, 8) == 0;
    struct stress_value *value = fails ? stress_model_error() : random_value(worker);
    ABI_ARGS(AsyncHostToDeviceTransferManager_RetrieveBuffer, args, .transfer_manager = manager);
    if (fails) {
        fail_transfer(worker, manager);
    } else {
        size_t count = stress_context_shapes[shape].count;
        float *data = stress_model_elements(value, count);
        send_all(worker, manager, data, (int64_t)(count * sizeof *data));
        stress_model_drop(data);
    }
    if (CHECK_OK(context->t,
                 ABI_CALL(context->t->api, AsyncHostToDeviceTransferManager_RetrieveBuffer, &args)))
        stress_context_put(context, slot, args.buffer_out, value, shape, memory);
}

bool stress_create_transfer(struct stress_worker *worker)
{
    struct stress_context *context = worker->context;
    int shape = random_shape(worker), memory = random_memory(worker);
    stress_context_collect_completed(worker);
    struct stress_slot *slot =
        worker->loan_count + PIECES <= STRESS_PENDING ? stress_context_lock_empty(worker) : NULL;
    if (!slot)
        return false;
    PJRT_ShapeSpec spec = spec_of(shape);
    ABI_ARGS(Client_CreateBuffersForAsyncHostToDevice, args, .client = context->client,
             .shape_specs = &spec, .num_shape_specs = 1, .memory = context->memories[memory]);
    if (stress_context_create_succeeded(
            context, ABI_CALL(context->t->api, Client_CreateBuffersForAsyncHostToDevice, &args))) {
        transfer_into(worker, slot, args.transfer_manager, shape, memory);
        ABI_DESTROY(context->t->api, AsyncHostToDeviceTransferManager, transfer_manager,
                    args.transfer_manager);
    }
    stress_context_unlock(slot);
    return true;
}
