#include "devices/host/kernel_machine/kernel_memory.h"

#include <string.h>

#include "devices/host/kernel_machine/kernel_access.h"
#include "devices/host/kernel_machine/kernel_check.h"
#include "devices/host/kernel_machine/kernel_move.h"
#include "devices/host/kernel_machine/kernel_select.h"

static int element_bytes(const struct kernel_type *type)
{
    return type->semaphore ? (int)sizeof(struct kernel_counter) : dtype_bytes(type->dtype);
}

void kernel_memory_view(struct kernel_buffer *buffer, const struct kernel_type *type,
                        struct kernel_view *out)
{
    int64_t stride = element_bytes(type);
    *out = (struct kernel_view){.buffer = buffer, .rank = type->rank, .pack = 1, .split = 1};
    for (int i = type->rank - 1; i >= 0; i--) {
        out->dims[i] = type->dims[i];
        out->strides[i] = stride;
        stride *= type->dims[i];
    }
}

int64_t kernel_memory_bytes(const struct kernel_view *view, int element)
{
    int64_t bytes = element;
    for (int i = 0; i < view->rank; i++)
        bytes *= view->dims[i];
    return bytes;
}

struct kernel_view kernel_memory_on(const struct kernel_view *view, struct kernel_core *core)
{
    struct kernel_view moved = *view;
    moved.buffer = &core->buffers[view->buffer->slot];
    return moved;
}

void kernel_memory_copy(const struct kernel_view *from, const struct kernel_view *to, int element)
{
    struct kernel_box box = {.rank = from->rank};
    for (int i = 0; i < from->rank; i++) {
        box.dims[i] = from->dims[i];
        box.from[i] = from->strides[i];
        box.to[i] = to->strides[i];
    }
    if (kernel_memory_bytes(from, element) == 0)
        return;
    if (from->pack == 1 && from->split == 1 && to->pack == 1 && to->split == 1)
        kernel_move_box(&box, from->buffer->bytes + from->offset, to->buffer->bytes + to->offset,
                        element);
    else
        kernel_access_copy(from, to, element);
}

/* ---- views ----------------------------------------------------------------------------------- */
static int64_t index_of(const struct kernel_core *core, const struct kernel_instr *in, int operand)
{
    return kernel_integer(kernel_at(core, in->all[operand]),
                          dtype_bytes(in->op->operands[operand]->type->dtype));
}

static enum kernel_flow out_of_bounds(struct kernel_core *core, const struct kernel_instr *in,
                                      const struct kernel_view *view, int dim, int64_t start,
                                      int64_t size)
{
    char name[96];
    kernel_core_buffer_name(view->buffer, name, sizeof name);
    return kernel_core_fail(
        core, in->op,
        ERROR(INVALID_ARGUMENT,
              "out of bounds: a slice of %s, elements %lld to %lld of dimension "
              "%d, which has %lld (grid step %lld)",
              name, (long long)start, (long long)(start + size - 1), dim,
              (long long)view->dims[dim], (long long)core->step));
}

/* How far slices may reach along a dimension, and what is left of it behind `start`. */
static int64_t *room_of(struct kernel_view *view, int dim)
{
    int at = dim - (view->rank - 2);
    return at >= 0 && view->rank >= 2 && view->room[at] > 0 ? &view->room[at] : NULL;
}

static enum kernel_flow run_slice(struct kernel_core *core, const struct kernel_instr *in)
{
    const struct kernel_view *from = kernel_at(core, in->in[0]);
    const struct kernel_type *type = in->op->results[0].type;
    struct kernel_view view = *from;
    int next_size = 1 + in->op->segments[1];
    for (int i = 0; i < view.rank; i++) {
        int64_t start = index_of(core, in, 1 + i), size = type->dims[i];
        if (size == KERNEL_DYNAMIC)
            size = index_of(core, in, next_size++);
        int64_t *room = room_of(&view, i);
        if (start < 0 || size < 0 || start > (room ? *room : from->dims[i]) - size)
            return out_of_bounds(core, in, from, i, start, size);
        if (room) /* only slices up to the array's end have the padding behind it */
            *room = start + size < from->dims[i] ? 0 : *room - start;
        kernel_access_advance(&view, i, start);
        view.dims[i] = size;
    }
    *(struct kernel_view *)kernel_at(core, in->out) = view;
    return KERNEL_FLOW_NEXT;
}

/* Drops dimensions of size 1 until the rest are the result's. */
static enum kernel_flow run_squeeze(struct kernel_core *core, const struct kernel_instr *in)
{
    const struct kernel_view *from = kernel_at(core, in->in[0]);
    const struct kernel_type *before = in->op->operands[0]->type, *type = in->op->results[0].type;
    struct kernel_view *out = kernel_at(core, in->out);
    struct kernel_view view = *from;
    int at = 0;
    for (int i = 0; i < before->rank; i++)
        if (at < type->rank && before->dims[i] == type->dims[at]) {
            view.dims[at] = from->dims[i];
            view.strides[at++] = from->strides[i];
        }
    bool keeps_rows = type->rank >= 2 && at >= 2 &&
                      view.strides[at - 1] == from->strides[before->rank - 1] &&
                      view.strides[at - 2] == from->strides[before->rank - 2];
    if ((view.pack != 1 || view.split != 1) && !keeps_rows)
        return kernel_core_fail(core, in->op,
                                ERROR(UNIMPLEMENTED, "squeezing rows of packed elements"));
    view.rank = type->rank;
    if (!keeps_rows)
        view.room[0] = view.room[1] = 0;
    *out = view;
    return KERNEL_FLOW_NEXT;
}

/* Row-major in the new sizes: strides of the new dimensions are found in the old ones, which are
 * merged where they are adjacent. */
static bool reshape(const struct kernel_view *from, const struct kernel_type *type,
                    struct kernel_view *out)
{
    int old = from->rank - 1, new = type->rank - 1;
    *out = *from;
    out->rank = type->rank;
    for (int i = 0; i < type->rank; i++)
        out->dims[i] = type->dims[i];
    while (new >= 0) {
        while (old >= 0 && from->dims[old] == 1)
            old--;
        int64_t size = old >= 0 ? from->dims[old] : 1, stride = old >= 0 ? from->strides[old] : 0;
        int64_t covered = 1, base = stride;
        while (old > 0 && from->strides[old - 1] == stride * from->dims[old]) {
            stride = from->strides[--old];
            size *= from->dims[old];
        }
        for (; new >= 0 && covered * type->dims[new] <= size; new --) {
            out->strides[new] = base * covered;
            covered *= type->dims[new];
        }
        if (covered != size || (old < 0 && new >= 0))
            return type->elements == 0;
        old--;
    }
    return true;
}

/* Of rows that are parts of stored ones, the stored rows take other sizes. */
static bool reshape_packed(const struct kernel_view *from, const struct kernel_type *type,
                           struct kernel_view *out)
{
    struct kernel_view stored = *from;
    struct kernel_type sizes = *type;
    int old = from->rank >= 2 ? from->rank - 2 : 0, new = type->rank >= 2 ? type->rank - 2 : 0;
    int64_t split = from->split;
    if (split == 1 || !from->rank || !type->rank)
        return split == 1 && reshape(from, type, out);
    if (from->dims[old] % split || type->dims[new] % split || from->pack_stride % split)
        return false;
    stored.dims[old] /= split;
    sizes.dims[new] /= split;
    stored.offset += from->pack_stride / split * from->strides[old];
    stored.pack_stride = 0;
    if (!reshape(&stored, &sizes, out))
        return false;
    out->dims[new] *= split;
    return true;
}

static enum kernel_flow run_reshape(struct kernel_core *core, const struct kernel_instr *in)
{
    const struct kernel_view *from = kernel_at(core, in->in[0]);
    struct kernel_view view;
    if (!reshape_packed(from, in->op->results[0].type, &view))
        return kernel_core_fail(
            core, in->op,
            ERROR(UNIMPLEMENTED, "this reshape of a reference that is not contiguous"));
    *(struct kernel_view *)kernel_at(core, in->out) = view;
    return KERNEL_FLOW_NEXT;
}

/* Rows as they are stored, whose width becomes known: `bits` where no bitcast was before. */
static bool store_plainly(struct kernel_view *view, int axis, int bits)
{
    if (view->pack == 1 && view->split == 1)
        view->stored_bits = bits;
    if (view->pack > 1)
        view->strides[axis] = view->pack_stride;
    if (view->split > 1) {
        if (view->pack_stride % view->split)
            return false;
        view->offset += view->pack_stride / view->split * view->strides[axis];
    }
    view->pack = view->split = 1;
    view->pack_stride = 0;
    return true;
}

static enum kernel_flow run_bitcast(struct kernel_core *core, const struct kernel_instr *in)
{
    const struct kernel_view *from = kernel_at(core, in->in[0]);
    const struct kernel_type *before = in->op->operands[0]->type, *type = in->op->results[0].type;
    struct kernel_view view = *from;
    int old = dtype_info(before->dtype)->bits, new = dtype_info(type->dtype)->bits;
    int axis = view.rank >= 2 ? view.rank - 2 : 0;
    if (old != new) {
        if (!store_plainly(&view, axis, old))
            return kernel_core_fail(core, in->op,
                                    ERROR(UNIMPLEMENTED, "a bitcast of a slice of rows that begins "
                                                         "inside of a stored number"));
        if (new > view.stored_bits) { /* rows come together */
            view.pack = new / view.stored_bits;
            view.pack_stride = view.strides[axis];
            view.strides[axis] *= view.pack;
        } else {
            view.split = view.stored_bits / new;
        }
        view.dims[axis] = from->dims[axis] * old / new;
    }
    *(struct kernel_view *)kernel_at(core, in->out) = view;
    return KERNEL_FLOW_NEXT;
}

/* Another offset and other sizes in the same buffer: row-major from the buffer's start. */
static enum kernel_flow run_reinterpret(struct kernel_core *core, const struct kernel_instr *in)
{
    const struct kernel_view *from = kernel_at(core, in->in[0]);
    const struct kernel_type *type = in->op->results[0].type;
    struct kernel_type known = *type;
    struct kernel_view view;
    int next = 1 + in->op->segments[1];
    for (int i = 0; i < type->rank; i++)
        if (type->dims[i] == KERNEL_DYNAMIC)
            known.dims[i] = index_of(core, in, next++);
    int64_t bytes = element_bytes(type), offset = from->offset;
    for (int i = 0; i < known.rank; i++)
        if (known.dims[i] < 0 || __builtin_mul_overflow(bytes, known.dims[i], &bytes))
            return out_of_bounds(core, in, from, i < from->rank ? i : 0, 0, known.dims[i]);
    if (in->op->segments[1] > 0)
        offset += index_of(core, in, 1) * element_bytes(type);
    if (offset < 0 || offset > from->buffer->size || bytes > from->buffer->size - offset)
        return kernel_core_fail(core, in->op,
                                ERROR(INVALID_ARGUMENT,
                                      "out of bounds: a reference to %lld bytes "
                                      "at byte %lld of a buffer of %lld",
                                      (long long)bytes, (long long)offset,
                                      (long long)from->buffer->size));
    kernel_memory_view(from->buffer, &known, &view);
    view.offset = offset;
    *(struct kernel_view *)kernel_at(core, in->out) = view;
    return KERNEL_FLOW_NEXT;
}

/* ---- allocations ----------------------------------------------------------------------------- */
static enum kernel_flow run_allocate(struct kernel_core *core, const struct kernel_instr *in)
{
    struct kernel_buffer *buffer = &core->buffers[in->plan_count];
    if (core->run->check && buffer->role == KERNEL_BUFFER_ALLOCA)
        kernel_check_allocate(core, buffer);
    kernel_memory_view(buffer, in->op->results[0].type, kernel_at(core, in->out));
    return KERNEL_FLOW_NEXT;
}

struct error *kernel_memory_select(const struct kernel_op *op, struct kernel_instr *in)
{
    switch (op->code) {
    case KERNEL_MEMREF_SLICE: in->run = run_slice; return NULL;
    case KERNEL_MEMREF_SQUEEZE: in->run = run_squeeze; return NULL;
    case KERNEL_MEMREF_RESHAPE: in->run = run_reshape; return NULL;
    case KERNEL_MEMREF_BITCAST: in->run = run_bitcast; return NULL;
    case KERNEL_REINTERPRET_CAST: in->run = run_reinterpret; return NULL;
    case KERNEL_ALLOCA:
    case KERNEL_SEM_ALLOC:
    case KERNEL_SEM_BARRIER: in->run = run_allocate; return NULL;
    default: return kernel_select_unsupported(op);
    }
}
