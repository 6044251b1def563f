/* stress_operations.c: see stress_operations.h. Slots are locked with trylock before the call and
 * unlocked at the end of the operation. */
#include "conformance/stress_operations.h"

#include "conformance/stress_create.h"

static int below(struct stress_worker *worker, int bound)
{
    return stress_model_below(&worker->random, bound);
}

/* ---- Promises -------------------------------------------------------------------------------- */

void stress_operations_break_promise(struct stress_context *context, struct stress_slot *slot)
{
    if (!slot->promise)
        return;
    struct stress_value *error = stress_model_error();
    stress_model_follow(slot->value, error);
    stress_model_release(error);
    ABI_ARGS(Client_FulfillAliasBuffer, args, .client = context->client,
             .status_code = PJRT_Error_Code_DATA_LOSS, .error_message = "lost",
             .error_message_size = 4, .fulfill_alias_buffer_cb = slot->promise);
    CHECK_OK(context->t, ABI_CALL(context->t->api, Client_FulfillAliasBuffer, &args));
    slot->promise = NULL;
}

static bool fulfill_from(struct stress_worker *worker, struct stress_slot *slot,
                         struct stress_slot *source)
{
    struct stress_context *context = worker->context;
    bool was_deleted = atomic_load(&source->deleted);
    if (!stress_model_can_follow(source->value))
        return false;
    ABI_ARGS(Client_FulfillAliasBuffer, args, .client = context->client, .buffer = source->buffer,
             .fulfill_alias_buffer_cb = slot->promise);
    struct error *error = ABI_CALL(context->t->api, Client_FulfillAliasBuffer, &args);
    if (stress_context_use_succeeded(context, source, was_deleted, error)) {
        stress_model_follow(slot->value, source->value);
        slot->promise = NULL;
    }
    return true;
}

static bool fulfill(struct stress_worker *worker)
{
    struct stress_slot *slot = stress_context_lock_exclusive(worker), *source = NULL;
    bool done = false;
    if (slot && slot->promise && below(worker, 8) == 0) {
        stress_operations_break_promise(worker->context, slot);
        done = true;
    } else if (slot && slot->promise) {
        source = stress_context_lock_shared(worker, slot->shape);
        done = source && fulfill_from(worker, slot, source);
    }
    stress_context_unlock(source);
    stress_context_unlock(slot);
    return done;
}

/* ---- Copies ---------------------------------------------------------------------------------- */

/* Stores the result of a copy or of a second view of `source` in `slot`. */
static void put_copy(struct stress_context *context, struct stress_slot *slot,
                     const struct stress_slot *source, PJRT_Buffer *buffer, int memory)
{
    stress_context_put(context, slot, buffer, stress_model_retain(source->value), source->shape,
                       memory);
}

static void copy_to(struct stress_worker *worker, struct stress_slot *slot,
                    struct stress_slot *source)
{
    struct stress_context *context = worker->context;
    int memory = below(worker, (int)context->memory_count);
    bool was_deleted = atomic_load(&source->deleted),
         to_device = below(worker, 2) && context->is_default[memory] && memory != source->memory;
    ABI_ARGS(Buffer_CopyToMemory, to, .buffer = source->buffer,
             .dst_memory = context->memories[memory]);
    ABI_ARGS(Buffer_CopyToDevice, over, .buffer = source->buffer,
             .dst_device = context->devices[memory]);
    struct error *error = to_device ? ABI_CALL(context->t->api, Buffer_CopyToDevice, &over)
                                    : ABI_CALL(context->t->api, Buffer_CopyToMemory, &to);
    if (stress_context_use_succeeded(context, source, was_deleted, error))
        put_copy(context, slot, source, to_device ? over.dst_buffer : to.dst_buffer, memory);
}

static void bitcast(struct stress_worker *worker, struct stress_slot *slot,
                    struct stress_slot *source)
{
    struct stress_context *context = worker->context;
    int shape = source->shape == 2 ? 3 : source->shape == 3 ? 2 : source->shape;
    bool was_deleted = atomic_load(&source->deleted);
    ABI_ARGS(Buffer_Bitcast, args, .buffer = source->buffer, .element_type = PJRT_Buffer_Type_F32,
             .dims = stress_context_shapes[shape].dims,
             .num_dims = stress_context_shapes[shape].rank);
    struct error *error = ABI_CALL(context->t->api, Buffer_Bitcast, &args);
    if (!stress_context_use_succeeded(context, source, was_deleted, error))
        return;
    put_copy(context, slot, source, args.out_buffer, source->memory);
    slot->shape = shape;
    slot->owner = source->owner;
    slot->borrowed = source->borrowed;
}

static bool from_one_to_another(struct stress_worker *worker,
                                void (*make)(struct stress_worker *, struct stress_slot *,
                                             struct stress_slot *))
{
    struct stress_slot *source = stress_context_lock_shared(worker, -1);
    struct stress_slot *slot = source ? stress_context_lock_empty(worker) : NULL;
    if (slot)
        make(worker, slot, source);
    stress_context_unlock(slot);
    stress_context_unlock(source);
    return slot != NULL;
}

static bool copy(struct stress_worker *worker)
{
    return from_one_to_another(worker, copy_to);
}

static bool reinterpret(struct stress_worker *worker)
{
    return from_one_to_another(worker, bitcast);
}

/* ---- To the host ----------------------------------------------------------------------------- */

/* Copies a range of elements with a call that takes byte offsets; the destination is passed with
 * the call or later by a callback. */
static struct error *copy_raw(struct stress_worker *worker, PJRT_Buffer *buffer, bool later,
                              struct stress_download *download)
{
    const PJRT_Api *api = worker->context->t->api;
    int64_t offset = (int64_t)(download->first * sizeof(float)),
            size = (int64_t)(download->count * sizeof(float));
    ABI_ARGS(Buffer_CopyRawToHost, now, .buffer = buffer, .dst = download->data, .offset = offset,
             .transfer_size = size);
    ABI_ARGS(Buffer_CopyRawToHostFuture, args, .buffer = buffer, .offset = offset,
             .transfer_size = size);
    if (!later) {
        TRY(ABI_CALL(api, Buffer_CopyRawToHost, &now));
        download->done = now.event;
        return NULL;
    }
    TRY(ABI_CALL(api, Buffer_CopyRawToHostFuture, &args));
    download->done = args.event;
    PJRT_Buffer_CopyRawToHostFuture_Callback_Args ready = {
        .struct_size = PJRT_Buffer_CopyRawToHostFuture_Callback_Args_STRUCT_SIZE,
        .callback_data = args.callback_data,
        .dst = download->data};
    args.future_ready_callback(&ready);
    return NULL;
}

static struct error *copy_whole(struct stress_worker *worker, PJRT_Buffer *buffer,
                                struct stress_download *download)
{
    ABI_ARGS(Buffer_ToHostBuffer, args, .src = buffer, .dst = download->data,
             .dst_size = download->count * sizeof(float));
    TRY(ABI_CALL(worker->context->t->api, Buffer_ToHostBuffer, &args));
    download->done = args.event;
    return NULL;
}

bool stress_operations_download(struct stress_worker *worker, struct stress_slot *slot)
{
    struct stress_context *context = worker->context;
    size_t count = stress_context_shapes[slot->shape].count;
    int form = below(worker, 3);
    if (!stress_context_can_download(worker))
        return false;
    struct stress_download download = {.count = count, .value = slot->value};
    if (form) {
        download.first = (size_t)below(worker, (int)count);
        download.count = (size_t)below(worker, (int)(count - download.first) + 1);
    }
    download.data = stress_model_elements(NULL, count);
    bool was_deleted = atomic_load(&slot->deleted);
    struct error *error = form ? copy_raw(worker, slot->buffer, form > 1, &download)
                               : copy_whole(worker, slot->buffer, &download);
    if (stress_context_use_succeeded(context, slot, was_deleted, error))
        stress_context_download(worker, &download);
    else
        stress_model_drop(download.data);
    return true;
}

static bool download(struct stress_worker *worker)
{
    struct stress_slot *slot = stress_context_lock_shared(worker, -1);
    bool done = slot && stress_operations_download(worker, slot);
    stress_context_unlock(slot);
    return done;
}

/* ---- Execution ------------------------------------------------------------------------------- */

static bool can_execute(const struct stress_context *context, const struct stress_slot *slot)
{
    return slot && slot->memory == 0 && context->memories[0];
}

static bool is_open(const struct stress_slot *slot)
{
    return stress_model_contents(slot->value).state == STRESS_OPEN;
}

static struct error *call_execute(struct stress_context *context, PJRT_Buffer *x, PJRT_Buffer *y,
                                  bool donate, PJRT_Buffer **result)
{
    static const int64_t keep_x[] = {0};
    PJRT_Buffer *const arguments[] = {x, y}, *const *lists = arguments;
    PJRT_ExecuteOptions options = {.struct_size = PJRT_ExecuteOptions_STRUCT_SIZE,
                                   .non_donatable_input_indices = keep_x,
                                   .num_non_donatable_input_indices = !donate};
    ABI_ARGS(LoadedExecutable_Execute, args, .executable = context->executable, .options = &options,
             .argument_lists = &lists, .num_devices = 1, .num_args = 2, .output_lists = &result);
    return ABI_CALL(context->t->api, LoadedExecutable_Execute, &args);
}

static struct stress_value *expected_result(const struct stress_context *context,
                                            const struct stress_slot *x,
                                            const struct stress_slot *y)
{
    struct stress_value *value = stress_model_computed(x->value, y->value);
    enum stress_state state = stress_model_contents(value).state;
    if (context->computes || state == STRESS_ERROR)
        return value;
    stress_model_release(value);
    return stress_model_known(0, 0);
}

/* x is donated while other threads may use or delete it: only one of them succeeds. */
static void execute_into(struct stress_worker *worker, struct stress_slot *slot,
                         struct stress_slot *x, struct stress_slot *y)
{
    struct stress_context *context = worker->context;
    bool was_deleted = atomic_load(&x->deleted) || atomic_load(&y->deleted),
         donate = below(worker, 2);
    PJRT_Buffer *result = NULL;
    if (donate)
        atomic_store(&x->deleting, true);
    struct error *error = call_execute(context, x->buffer, y->buffer, donate, &result);
    const struct stress_slot *deleted_slot = atomic_load(&x->deleting) ? x : y;
    if (!stress_context_use_succeeded(context, deleted_slot, was_deleted, error))
        return;
    if (donate)
        atomic_store(&x->deleted, true);
    stress_context_put(context, slot, result, expected_result(context, x, y), STRESS_PROGRAM_SHAPE,
                       0);
}

static bool execute(struct stress_worker *worker)
{
    struct stress_context *context = worker->context;
    struct stress_slot *x = stress_context_lock_shared(worker, STRESS_PROGRAM_SHAPE);
    struct stress_slot *y = x ? stress_context_lock_shared(worker, STRESS_PROGRAM_SHAPE) : NULL;
    struct stress_slot *slot = y ? stress_context_lock_empty(worker) : NULL;
    bool can = slot && x != y && can_execute(context, x) && can_execute(context, y) &&
               stress_model_can_compute(x->value, y->value) &&
               (context->computes || (!is_open(x) && !is_open(y)));
    if (can)
        execute_into(worker, slot, x, y);
    stress_context_unlock(slot);
    stress_context_unlock(y);
    stress_context_unlock(x);
    return can;
}

/* ---- Buffer lifetime ------------------------------------------------------------------------- */

static bool delete(struct stress_worker *worker)
{
    struct stress_slot *slot = stress_context_lock_shared(worker, -1);
    if (!slot)
        return false;
    ABI_ARGS(Buffer_Delete, args, .buffer = slot->buffer);
    atomic_store(&slot->deleting, true);
    CHECK_OK(worker->context->t, ABI_CALL(worker->context->t->api, Buffer_Delete, &args));
    atomic_store(&slot->deleted, true);
    CHECK(worker->context->t, test_context_is_deleted(worker->context->t, slot->buffer),
          "a deleted buffer reports that it is not");
    stress_context_unlock(slot);
    return true;
}

static bool destroy(struct stress_worker *worker)
{
    struct stress_slot *slot = stress_context_lock_exclusive(worker);
    bool can = slot && !slot->promise;
    if (can)
        stress_context_clear(worker->context, slot);
    stress_context_unlock(slot);
    return can;
}

/* Reads the elements in place: external references keep the memory valid. */
static void check_in_place(struct stress_context *context, const struct stress_slot *slot)
{
    struct stress_contents contents = stress_model_contents(slot->value);
    size_t count = stress_context_shapes[slot->shape].count;
    if (!context->on_host || contents.state != STRESS_KNOWN)
        return;
    size_t at = stress_model_compare(contents, slot->address, 0, count);
    CHECK(context->t, at == count, "element %zu under an external reference is changed", at);
}

static void add_reference(struct stress_context *context, struct stress_slot *slot)
{
    bool was_deleted = atomic_load(&slot->deleted) && !slot->external;
    ABI_ARGS(Buffer_IncreaseExternalReferenceCount, more, .buffer = slot->buffer);
    ABI_ARGS(Buffer_OpaqueDeviceMemoryDataPointer, pointer, .buffer = slot->buffer);
    struct error *error = ABI_CALL(context->t->api, Buffer_IncreaseExternalReferenceCount, &more);
    if (!stress_context_use_succeeded(context, slot, was_deleted, error))
        return;
    slot->external++;
    if (CHECK_OK(context->t,
                 ABI_CALL(context->t->api, Buffer_OpaqueDeviceMemoryDataPointer, &pointer)))
        slot->address = pointer.device_memory_ptr;
    check_in_place(context, slot);
}

static bool reference(struct stress_worker *worker)
{
    struct stress_context *context = worker->context;
    struct stress_slot *slot = stress_context_lock_exclusive(worker);
    enum stress_state state = slot ? stress_model_contents(slot->value).state : STRESS_ERROR;
    bool can =
        /* otherwise it would wait, or it has no memory */
        state == STRESS_KNOWN || state == STRESS_ANY;
    if (can && slot->external && below(worker, 2)) {
        ABI_ARGS(Buffer_DecreaseExternalReferenceCount, less, .buffer = slot->buffer);
        check_in_place(context, slot);
        CHECK_OK(context->t,
                 ABI_CALL(context->t->api, Buffer_DecreaseExternalReferenceCount, &less));
        slot->external--;
    } else if (can) {
        add_reference(context, slot);
    }
    stress_context_unlock(slot);
    return can;
}

/* Donates a buffer to a new one, which replaces it in the slot. */
static bool donate_on(struct stress_worker *worker)
{
    struct stress_context *context = worker->context;
    struct stress_slot *slot = stress_context_lock_exclusive(worker);
    bool can = slot && !slot->external && !slot->promise;
    if (can) {
        ABI_ARGS(Buffer_DonateWithControlDependency, args, .buffer = slot->buffer);
        PJRT_Buffer_DonateWithControlDependency_Callback_Args ready = {
            .struct_size = PJRT_Buffer_DonateWithControlDependency_Callback_Args_STRUCT_SIZE};
        struct error *error = ABI_CALL(context->t->api, Buffer_DonateWithControlDependency, &args);
        if (stress_context_use_succeeded(context, slot, atomic_load(&slot->deleted), error)) {
            ready.callback_data = args.callback_data;
            args.dependency_ready_callback(&ready);
            abi_buffer_destroy(context->t->api, slot->buffer);
            slot->buffer = args.out_buffer;
        }
    }
    stress_context_unlock(slot);
    return can;
}

/* ---- Random choice --------------------------------------------------------------------------- */

bool stress_operations_one(struct stress_worker *worker)
{
    static const struct {
        int weight;
        bool (*run)(struct stress_worker *worker);
    } operations[] = {{18, stress_create_upload},
                      {2, stress_create_uninitialized},
                      {2, stress_create_error},
                      {4, stress_create_view},
                      {4, stress_create_alias},
                      {8, fulfill},
                      {5, stress_create_transfer},
                      {14, copy},
                      {4, reinterpret},
                      {16, download},
                      {24, execute},
                      {8, delete},
                      {20, destroy},
                      {8, reference},
                      {3, donate_on}};
    enum { COUNT = sizeof operations / sizeof *operations };
    int sum = 0, which = 0;
    for (int i = 0; i < COUNT; i++)
        sum += operations[i].weight;
    int number = below(worker, sum);
    while (number >= operations[which].weight)
        number -= operations[which++].weight;
    return operations[which].run(worker);
}
