#include "devices/host/kernel_machine/kernel_access.h"

#include <string.h>

#include "devices/host/kernel_machine/kernel_check.h"
#include "devices/host/kernel_machine/kernel_lanes.h"
#include "devices/host/kernel_machine/kernel_memory.h"
#include "devices/host/kernel_machine/kernel_move.h"

/* ---- packed elements ------------------------------------------------------------------------- */
/* Elements of a split view begin inside of stored numbers, so offset and stride of its rows are
 * kept in elements: strides[axis] is that of stored rows, and `offset` may be between them. */
void kernel_access_advance(struct kernel_view *view, int dim, int64_t start)
{
    int axis = view->rank >= 2 ? view->rank - 2 : 0;
    if (view->split > 1 && dim == axis) {
        view->pack_stride += start; /* rows that are skipped, as elements */
        return;
    }
    view->offset += start * view->strides[dim];
}

/* The address of an element by its indices; of a part of a stored number, that of the number, and
 * which part it is. */
static char *element_at(const struct kernel_view *view, const int64_t *index, int *part)
{
    int axis = view->rank >= 2 ? view->rank - 2 : 0;
    int64_t offset = view->offset;
    *part = 0;
    for (int i = 0; i < view->rank; i++) {
        int64_t at = index[i];
        if (view->split > 1 && i == axis) {
            at += view->pack_stride;
            *part = (int)(at % view->split);
            at /= view->split;
        }
        offset += at * view->strides[i];
    }
    return view->buffer->bytes + offset;
}

static uint64_t low_bits(int count)
{
    return count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

/* Numbers of less than a byte have a byte each. */
static size_t bytes_of_bits(int bits)
{
    return bits < 8 ? 1 : (size_t)bits / 8;
}

static void read_element(const struct kernel_view *view, const int64_t *index, int element,
                         char *out)
{
    int part, bits = view->stored_bits;
    const char *from = element_at(view, index, &part);
    uint64_t word = 0, stored = 0;
    if (view->pack == 1 && view->split == 1) {
        memcpy(out, from, (size_t)element);
        return;
    }
    for (int k = 0; k < view->pack; k++) {
        memcpy(&stored, from + k * view->pack_stride, bytes_of_bits(bits));
        word |= (stored & low_bits(bits)) << (k * bits);
    }
    if (view->split > 1)
        word = word >> (part * (bits / view->split)) & low_bits(bits / view->split);
    memcpy(out, &word, (size_t)element);
}

static void write_element(const struct kernel_view *view, const int64_t *index, int element,
                          const char *from)
{
    int part, bits = view->stored_bits;
    char *to = element_at(view, index, &part);
    uint64_t word = 0, stored = 0;
    if (view->pack == 1 && view->split == 1) {
        memcpy(to, from, (size_t)element);
        return;
    }
    memcpy(&word, from, (size_t)element);
    if (view->split > 1) {
        int width = bits / view->split, shift = part * width;
        memcpy(&stored, to, bytes_of_bits(bits));
        stored &= ~(low_bits(width) << shift);
        stored |= (word & low_bits(width)) << shift;
        memcpy(to, &stored, bytes_of_bits(bits));
        return;
    }
    for (int k = 0; k < view->pack; k++) {
        stored = word >> (k * bits) & low_bits(bits);
        memcpy(to + k * view->pack_stride, &stored, bytes_of_bits(bits));
    }
}

/* The indices of the next element, row-major; false after the last. */
static bool advance(int rank, const int64_t *dims, int64_t *index)
{
    for (int i = rank - 1; i >= 0; i--) {
        if (++index[i] < dims[i])
            return true;
        index[i] = 0;
    }
    return false;
}

void kernel_access_copy(const struct kernel_view *from, const struct kernel_view *to, int element)
{
    int64_t index[KERNEL_MAX_RANK] = {0};
    char number[8];
    do {
        read_element(from, index, element, number);
        write_element(to, index, element, number);
    } while (advance(from->rank, from->dims, index));
}

/* ---- the box of an access -------------------------------------------------------------------- */
static enum kernel_flow out_of_bounds(struct kernel_core *core, const struct kernel_instr *in,
                                      const struct kernel_view *view, int dim, int64_t first,
                                      int64_t last)
{
    char name[96];
    const struct kernel_access *access = in->plan;
    kernel_core_buffer_name(view->buffer, name, sizeof name);
    return kernel_core_fail(
        core, in->op,
        ERROR(INVALID_ARGUMENT,
              "out of bounds: a %s of %s, elements %lld to %lld of dimension %d, which has %lld "
              "(grid step %lld)",
              access->stores ? "store" : "load", name, (long long)first, (long long)last, dim,
              (long long)view->dims[dim], (long long)core->step));
}

static int64_t index_of(const struct kernel_core *core, const struct kernel_instr *in, int operand)
{
    return kernel_integer(kernel_at(core, in->all[operand]),
                          dtype_bytes(in->op->operands[operand]->type->dtype));
}

/* The part of the reference that the vector covers; dimensions in front of the vector's have size
 * 1. */
static enum kernel_flow find_box(struct kernel_core *core, const struct kernel_instr *in,
                                 struct kernel_view *out)
{
    const struct kernel_access *access = in->plan;
    const struct kernel_view *base = kernel_at(core, in->all[access->base]);
    const struct kernel_type *vector =
        access->stores ? in->op->operands[0]->type : in->op->results[0].type;
    struct dims stride = in->op->attrs->stride;
    int skipped = base->rank - vector->rank;
    *out = *base;
    for (int i = 0; i < base->rank; i++) {
        int64_t first = index_of(core, in, access->first_index + i);
        int64_t size = i < skipped ? 1 : vector->dims[i - skipped];
        int64_t step = i < stride.count ? stride.at[i] : 1;
        if (access->is_row && i == base->rank - 2 && in->op->attrs->count > 0)
            step = in->op->attrs->count;
        if (first < 0 || first >= base->dims[i] + (size == 0) ||
            (size > 0 && (step > 0 ? (base->dims[i] - 1 - first) / step < size - 1 : false)))
            return out_of_bounds(core, in, base, i, first, first + (size - 1) * step);
        if (base->split > 1 && step != 1)
            return kernel_core_fail(core, in->op,
                                    ERROR(UNIMPLEMENTED, "strides in a reference to parts of "
                                                         "wider elements"));
        kernel_access_advance(out, i, first);
        out->dims[i] = size;
        out->strides[i] *= step;
    }
    return KERNEL_FLOW_NEXT;
}

/* A view of a value of the frame, with the dimensions of `like`. */
static struct kernel_view value_view(struct kernel_buffer *buffer, char *value,
                                     const struct kernel_view *like, int element)
{
    struct kernel_view view = {.buffer = buffer, .rank = like->rank, .pack = 1, .split = 1};
    int64_t stride = element;
    buffer->bytes = value;
    for (int i = like->rank - 1; i >= 0; i--) {
        view.dims[i] = like->dims[i];
        view.strides[i] = stride;
        stride *= like->dims[i];
    }
    return view;
}

/* ---- whole boxes ----------------------------------------------------------------------------- */
static enum kernel_flow run_load(struct kernel_core *core, const struct kernel_instr *in)
{
    struct kernel_view box;
    struct kernel_buffer value;
    if (find_box(core, in, &box) == KERNEL_FLOW_ERROR)
        return KERNEL_FLOW_ERROR;
    struct kernel_view to = value_view(&value, kernel_at(core, in->out), &box, in->bytes[3]);
    if (core->run->check && kernel_check_load(core, in, &box, in->bytes[3]) == KERNEL_FLOW_ERROR)
        return KERNEL_FLOW_ERROR;
    kernel_memory_copy(&box, &to, in->bytes[3]);
    return KERNEL_FLOW_NEXT;
}

static enum kernel_flow run_store(struct kernel_core *core, const struct kernel_instr *in)
{
    struct kernel_view box;
    struct kernel_buffer value;
    if (find_box(core, in, &box) == KERNEL_FLOW_ERROR)
        return KERNEL_FLOW_ERROR;
    struct kernel_view from = value_view(&value, kernel_at(core, in->in[0]), &box, in->bytes[0]);
    if (core->run->check &&
        kernel_check_store(core, in, &box, in->bytes[0], NULL) == KERNEL_FLOW_ERROR)
        return KERNEL_FLOW_ERROR;
    kernel_memory_copy(&from, &box, in->bytes[0]);
    return KERNEL_FLOW_NEXT;
}

/* ---- scalars --------------------------------------------------------------------------------- */
/* Of scalar memory. Beyond the reference is what happens to be there: kernels that load it and do
 * not use it are right on a TPU. It is 0 here; the checker takes it as undefined. */
static enum kernel_flow run_scalar(struct kernel_core *core, const struct kernel_instr *in)
{
    const struct kernel_access *access = in->plan;
    const struct kernel_view *base = kernel_at(core, in->all[access->base]);
    int64_t index[KERNEL_MAX_RANK] = {0};
    bool is_inside = true;
    for (int i = 0; i < base->rank; i++) {
        index[i] = index_of(core, in, access->first_index + i);
        is_inside = is_inside && index[i] >= 0 && index[i] < base->dims[i];
    }
    if (is_inside || base->buffer->space != KERNEL_SMEM || core->is_in_map)
        return run_load(core, in);
    memset(kernel_at(core, in->out), 0, (size_t)in->bytes[3]);
    if (core->run->check)
        kernel_check_load_outside(core, in, base);
    return KERNEL_FLOW_NEXT;
}

/* ---- element by element: masks, accumulation, rows, indices ---------------------------------- */
static void add_element(enum dtype dtype, char *to, const char *more)
{
    if (dtype_is_float(dtype)) {
        float sum = (float)dtype_to_double(dtype, to) + (float)dtype_to_double(dtype, more);
        dtype_from_double(dtype, sum, to);
    } else {
        int bytes = dtype_bytes(dtype);
        uint64_t sum = (uint64_t)kernel_integer(to, bytes) + (uint64_t)kernel_integer(more, bytes);
        memcpy(to, &sum, (size_t)bytes);
    }
}

/* Where element `i` of the vector is; indices are relative to the box. */
static bool is_in(struct kernel_core *core, const struct kernel_instr *in, int64_t i,
                  const int64_t *index, const struct kernel_view *box)
{
    const struct kernel_access *access = in->plan;
    const uint8_t *mask = access->mask >= 0 ? kernel_at(core, in->all[access->mask]) : NULL;
    struct dims rows = in->op->attrs->mask;
    if (access->is_row && !rows.at[index[box->rank - 2]])
        return false;
    return !mask || mask[i];
}

static enum kernel_flow run_elements(struct kernel_core *core, const struct kernel_instr *in)
{
    const struct kernel_access *access = in->plan;
    const struct kernel_type *vector =
        access->stores ? in->op->operands[0]->type : in->op->results[0].type;
    int bytes = dtype_bytes(vector->dtype);
    char *value = kernel_at(core, access->stores ? in->in[0] : in->out);
    int64_t index[KERNEL_MAX_RANK] = {0}, i = 0;
    struct kernel_view box;
    if (find_box(core, in, &box) == KERNEL_FLOW_ERROR)
        return KERNEL_FLOW_ERROR;
    const uint8_t *mask = access->mask >= 0 ? kernel_at(core, in->all[access->mask]) : NULL;
    if (core->run->check &&
        (access->stores ? kernel_check_store(core, in, &box, bytes, mask)
                        : kernel_check_load(core, in, &box, bytes)) == KERNEL_FLOW_ERROR)
        return KERNEL_FLOW_ERROR;
    if (vector->elements == 0)
        return KERNEL_FLOW_NEXT;
    do {
        char number[8];
        if (!is_in(core, in, i, index, &box)) {
            if (!access->stores)
                memset(value + i * bytes, 0, (size_t)bytes);
        } else if (!access->stores) {
            read_element(&box, index, bytes, value + i * bytes);
        } else if (in->op->attrs->add) {
            read_element(&box, index, bytes, number);
            add_element(vector->dtype, number, value + i * bytes);
            write_element(&box, index, bytes, number);
        } else {
            write_element(&box, index, bytes, value + i * bytes);
        }
        i++;
    } while (advance(box.rank, box.dims, index));
    return KERNEL_FLOW_NEXT;
}

/* Whether the checker allows element `i` of the vector to be at this index. */
static enum kernel_flow check_element(struct kernel_core *core, const struct kernel_instr *in,
                                      const struct kernel_view *base, const int64_t *index,
                                      int bytes, int64_t i)
{
    const struct kernel_access *access = in->plan;
    struct kernel_view box = *base;
    if (!core->run->check)
        return KERNEL_FLOW_NEXT;
    for (int k = 0; k < base->rank; k++) {
        kernel_access_advance(&box, k, index[k]);
        box.dims[k] = 1;
    }
    return access->stores ? kernel_check_store_at(core, in, &box, bytes, i)
                          : kernel_check_load_at(core, in, &box, bytes, i);
}

/* Rows of a shuffled load come from the row that an offset names, in place of their own. */
static enum kernel_flow run_shuffled(struct kernel_core *core, const struct kernel_instr *in)
{
    const struct kernel_access *access = in->plan;
    const struct kernel_view *base = kernel_at(core, in->all[access->base]);
    const struct kernel_type *vector =
        access->stores ? in->op->operands[0]->type : in->op->results[0].type;
    int bytes = dtype_bytes(vector->dtype);
    char *value = kernel_at(core, access->stores ? in->in[0] : in->out);
    int64_t index[KERNEL_MAX_RANK];
    if (core->run->check)
        kernel_check_elements(core, in);
    for (int64_t i = 0; i < vector->elements; i++) {
        int64_t row = i / vector->dims[1];
        if (!in->op->attrs->mask.at[row])
            continue;
        for (int k = 0; k < base->rank; k++)
            index[k] = index_of(core, in, access->first_index + k);
        index[base->rank - 2] += in->op->attrs->sizes.at[row];
        index[base->rank - 1] += i % vector->dims[1];
        for (int k = 0; k < base->rank; k++)
            if (index[k] < 0 || index[k] >= base->dims[k])
                return out_of_bounds(core, in, base, k, index[k], index[k]);
        if (check_element(core, in, base, index, bytes, i) == KERNEL_FLOW_ERROR)
            return KERNEL_FLOW_ERROR;
        if (access->stores)
            write_element(base, index, bytes, value + i * bytes);
        else
            read_element(base, index, bytes, value + i * bytes);
    }
    return KERNEL_FLOW_NEXT;
}

/* tpu.vector_load_idx and store_idx: each element has indices of its own. */
static enum kernel_flow run_indexed(struct kernel_core *core, const struct kernel_instr *in)
{
    const struct kernel_access *access = in->plan;
    const struct kernel_view *base = kernel_at(core, in->all[access->base]);
    const struct kernel_type *vector =
        access->stores ? in->op->operands[0]->type : in->op->results[0].type;
    const uint8_t *mask = access->mask >= 0 ? kernel_at(core, in->all[access->mask]) : NULL;
    int bytes = dtype_bytes(vector->dtype);
    char *value = kernel_at(core, access->stores ? in->in[0] : in->out);
    if (core->run->check)
        kernel_check_elements(core, in);
    for (int64_t i = 0; i < vector->elements; i++) {
        int64_t index[KERNEL_MAX_RANK];
        char number[8];
        if (mask && !mask[i]) {
            if (!access->stores)
                memset(value + i * bytes, 0, (size_t)bytes);
            continue;
        }
        for (int k = 0; k < base->rank; k++) {
            int operand = access->first_index + k;
            int width = dtype_bytes(in->op->operands[operand]->type->dtype);
            index[k] = kernel_integer((char *)kernel_at(core, in->all[operand]) + i * width, width);
            if (index[k] < 0 || index[k] >= base->dims[k])
                return out_of_bounds(core, in, base, k, index[k], index[k]);
        }
        if (check_element(core, in, base, index, bytes, i) == KERNEL_FLOW_ERROR)
            return KERNEL_FLOW_ERROR;
        if (!access->stores) {
            read_element(base, index, bytes, value + i * bytes);
            continue;
        }
        memcpy(number, value + i * bytes, (size_t)bytes);
        if (in->op->attrs->add) {
            read_element(base, index, bytes, number);
            add_element(vector->dtype, number, value + i * bytes);
        }
        write_element(base, index, bytes, number);
    }
    return KERNEL_FLOW_NEXT;
}

/* ---- selection ------------------------------------------------------------------------------- */
static void find_operands(const struct kernel_op *op, struct kernel_access *out)
{
    int at = out->stores ? 1 : 0, mask;
    out->value = 0;
    out->base = at;
    out->first_index = at + 1;
    out->mask = kernel_op_segment(op, at + 2, &mask) > 0 ? mask : -1;
}

struct error *kernel_access_select(struct arena *arena, const struct kernel_op *op,
                                   struct kernel_instr *in)
{
    struct kernel_access *access = ARENA_NEW(arena, struct kernel_access);
    access->stores = kernel_op_info(op->code)->class == KERNEL_CLASS_STORE;
    access->is_row = op->code == KERNEL_TPU_LOAD || op->code == KERNEL_TPU_STORE;
    find_operands(op, access);
    in->plan = access;
    switch (op->code) {
    case KERNEL_VECTOR_LOAD_IDX:
    case KERNEL_VECTOR_STORE_IDX: in->run = run_indexed; return NULL;
    case KERNEL_SHUFFLED_LOAD:
    case KERNEL_SHUFFLED_STORE: in->run = run_shuffled; return NULL;
    default: break;
    }
    if (op->code == KERNEL_SCALAR_LOAD)
        in->run = run_scalar;
    else if (access->mask >= 0 || access->is_row || op->attrs->add)
        in->run = run_elements;
    else
        in->run = access->stores ? run_store : run_load;
    return NULL;
}
