#include "compiler/kernel_ir/kernel_rules.h"

static bool is_index(const struct kernel_value *value)
{
    return value->type->kind == KERNEL_SCALAR && dtype_is_integer(value->type->dtype);
}

static bool are_indices(const struct kernel_op *op, int first, int count)
{
    for (int i = first; i < first + count; i++)
        if (!is_index(op->operands[i]))
            return false;
    return true;
}

static bool is_data(const struct kernel_type *type)
{
    return type->kind == KERNEL_REF && type->semaphore == KERNEL_NO_SEMAPHORE;
}

static bool is_semaphore(const struct kernel_type *type)
{
    return type->kind == KERNEL_REF && type->semaphore != KERNEL_NO_SEMAPHORE &&
           (type->elements == 1 || type->elements == KERNEL_DYNAMIC);
}

/* ---- loads and stores ------------------------------------------------------------------------ */
struct access { /* operands by role; counts of 0 or 1 but for indices */
    int value, base, first_index, index_count, mask, mask_count;
};

/* Operations with segments have [value,] base, indices, mask; the others base and indices. */
static bool find_access(const struct kernel_op *op, bool stores, struct access *out)
{
    int at = stores ? 1 : 0;
    *out = (struct access){.value = 0, .base = at, .first_index = at + 1};
    if (op->segment_count == 0) {
        out->index_count = op->operand_count - at - 1;
        return out->index_count >= 0;
    }
    if (op->segment_count != at + 3 || (stores && op->segments[0] != 1) || op->segments[at] != 1)
        return false;
    out->index_count = kernel_op_segment(op, at + 1, &out->first_index);
    out->mask_count = kernel_op_segment(op, at + 2, &out->mask);
    return out->mask_count <= 1;
}

static bool check_strides(const struct kernel_op *op, const struct kernel_type *base)
{
    bool is_strided = op->code == KERNEL_STRIDED_LOAD || op->code == KERNEL_STRIDED_STORE;
    struct dims stride = op->attrs->stride;
    return (stride.count == 0 && !is_strided) ||
           (stride.count == base->rank && kernel_rules_in_range(stride, 0, KERNEL_MAX_ELEMENTS));
}

/* The vector covers the minor-most dimensions of the reference. */
static bool check_vector(const struct kernel_op *op, const struct access *a,
                         const struct kernel_type *base, const struct kernel_type *vector)
{
    bool has_mask = a->mask_count > 0;
    return vector->kind == KERNEL_VECTOR && vector->rank <= base->rank &&
           vector->dtype == base->dtype && a->index_count == base->rank &&
           are_indices(op, a->first_index, a->index_count) && check_strides(op, base) &&
           (!has_mask || op->operands[a->mask]->type->dtype == DTYPE_PRED) &&
           (!has_mask || op->operands[a->mask]->type->elements == vector->elements);
}

static bool check_scalar(const struct kernel_op *op, const struct access *a,
                         const struct kernel_type *base, const struct kernel_type *scalar)
{
    return scalar->kind == KERNEL_SCALAR && scalar->dtype == base->dtype &&
           a->index_count == base->rank && are_indices(op, a->first_index, a->index_count);
}

/* Each index is a vector of the result's shape. */
static bool check_gathered(const struct kernel_op *op, const struct access *a,
                           const struct kernel_type *base, const struct kernel_type *vector)
{
    for (int i = a->first_index; i < a->first_index + a->index_count; i++)
        if (!dtype_is_integer(op->operands[i]->type->dtype) ||
            !kernel_rules_same_shape(op->operands[i]->type, vector))
            return false;
    return vector->kind == KERNEL_VECTOR && vector->dtype == base->dtype &&
           a->index_count == base->rank &&
           (!a->mask_count || (op->operands[a->mask]->type->dtype == DTYPE_PRED &&
                               kernel_rules_same_shape(op->operands[a->mask]->type, vector)));
}

/* Rows of sublanes: of a vector of two dimensions, each of which may be masked out. */
static bool check_sublanes(const struct kernel_op *op, const struct kernel_type *vector)
{
    struct dims mask = op->attrs->mask, offsets = op->attrs->sizes;
    bool is_shuffled = op->code == KERNEL_SHUFFLED_LOAD || op->code == KERNEL_SHUFFLED_STORE;
    return vector->rank == 2 && mask.count == vector->dims[0] && op->attrs->count >= 0 &&
           op->attrs->count <= KERNEL_MAX_ELEMENTS &&
           (!is_shuffled || (offsets.count == mask.count &&
                             kernel_rules_in_range(offsets, 0, KERNEL_MAX_ELEMENTS)));
}

static struct error *check_access(const struct kernel_scope *scope, const struct kernel_op *op)
{
    bool stores = kernel_op_info(op->code)->class == KERNEL_CLASS_STORE, ok;
    struct access a;
    if (op->operand_count < (stores ? 2 : 1) || !find_access(op, stores, &a) ||
        !is_data(op->operands[a.base]->type))
        return kernel_rules_fail(scope, op, "needs a reference to numbers and its indices");
    const struct kernel_type *base = op->operands[a.base]->type;
    const struct kernel_type *value = stores ? op->operands[0]->type : op->results[0].type;
    switch (op->code) {
    case KERNEL_SCALAR_LOAD:
    case KERNEL_SCALAR_STORE: ok = check_scalar(op, &a, base, value); break;
    case KERNEL_VECTOR_LOAD_IDX:
    case KERNEL_VECTOR_STORE_IDX: ok = check_gathered(op, &a, base, value); break;
    case KERNEL_TPU_LOAD:
    case KERNEL_TPU_STORE:
    case KERNEL_SHUFFLED_LOAD:
    case KERNEL_SHUFFLED_STORE:
        ok = check_vector(op, &a, base, value) && check_sublanes(op, value);
        break;
    default: ok = check_vector(op, &a, base, value);
    }
    char memory[128], number[128];
    kernel_type_print(base, memory, sizeof memory);
    kernel_type_print(value, number, sizeof number);
    return ok ? NULL
              : kernel_rules_fail(scope, op, "%s of %s with %d indices does not fit", number,
                                  memory, a.index_count);
}

/* ---- views ----------------------------------------------------------------------------------- */
static bool same_content(const struct kernel_type *a, const struct kernel_type *b)
{
    return a->kind == KERNEL_REF && b->kind == KERNEL_REF && a->dtype == b->dtype &&
           (a->semaphore != KERNEL_NO_SEMAPHORE) == (b->semaphore != KERNEL_NO_SEMAPHORE);
}

static int dynamic_sizes(const struct kernel_type *type)
{
    int count = 0;
    for (int i = 0; i < type->rank; i++)
        count += type->dims[i] == KERNEL_DYNAMIC;
    return count;
}

/* base, an index for each dimension, dynamic sizes. */
static bool check_slice(const struct kernel_op *op)
{
    if (op->segment_count != 3 || op->segments[0] != 1)
        return false;
    const struct kernel_type *in = op->operands[0]->type, *out = op->results[0].type;
    return same_content(in, out) && in->rank == out->rank && op->segments[1] == in->rank &&
           op->segments[2] == dynamic_sizes(out) && are_indices(op, 1, op->operand_count - 1);
}

static bool check_squeeze(const struct kernel_type *in, const struct kernel_type *out)
{
    int at = 0;
    for (int i = 0; i < in->rank; i++) {
        bool is_same = at < out->rank && in->dims[i] == out->dims[at];
        if (!is_same && in->dims[i] != 1)
            return false;
        at += is_same;
    }
    return same_content(in, out) && at == out->rank;
}

/* The second-last dimension scales with the width. */
static bool check_bitcast(const struct kernel_type *in, const struct kernel_type *out)
{
    if (!is_data(in) || !is_data(out) || in->rank != out->rank || in->rank < 1)
        return false;
    int axis = in->rank >= 2 ? in->rank - 2 : 0;
    int64_t from = dtype_info(in->dtype)->bits, to = dtype_info(out->dtype)->bits;
    for (int i = 0; i < in->rank; i++)
        if (i != axis && in->dims[i] != out->dims[i])
            return false;
    return (from == to || (in->dtype != DTYPE_PRED && out->dtype != DTYPE_PRED)) &&
           (from % to == 0 || to % from == 0) && in->elements != KERNEL_DYNAMIC &&
           in->dims[axis] * from == out->dims[axis] * to;
}

static bool check_view(const struct kernel_op *op)
{
    const struct kernel_type *in = op->operand_count ? op->operands[0]->type : NULL;
    const struct kernel_type *out = op->results[0].type;
    if (!in || in->kind != KERNEL_REF || out->kind != KERNEL_REF)
        return false;
    switch (op->code) {
    case KERNEL_MEMREF_SLICE: return check_slice(op);
    case KERNEL_MEMREF_SQUEEZE: return check_squeeze(in, out);
    case KERNEL_MEMREF_RESHAPE:
        return same_content(in, out) && in->elements == out->elements &&
               in->elements != KERNEL_DYNAMIC;
    case KERNEL_MEMREF_BITCAST: return check_bitcast(in, out);
    case KERNEL_REINTERPRET_CAST:
        return op->segment_count == 4 && op->segments[0] == 1 && op->segments[1] <= 1 &&
               is_data(in) && is_data(out) && op->segments[2] == dynamic_sizes(out) &&
               op->segments[3] == 0 && are_indices(op, 1, op->operand_count - 1);
    default: /* the same reference under another type: sizes agree where both are known */
        if (!same_content(in, out) || in->rank != out->rank)
            return false;
        for (int i = 0; i < in->rank; i++)
            if (in->dims[i] != out->dims[i] && in->dims[i] != KERNEL_DYNAMIC &&
                out->dims[i] != KERNEL_DYNAMIC)
                return false;
        return true;
    }
}

/* ---- DMAs and semaphores --------------------------------------------------------------------- */
static bool optional_index(const struct kernel_op *op, int segment)
{
    int first, count = kernel_op_segment(op, segment, &first);
    return count == 0 || (count == 1 && is_index(op->operands[first]));
}

static bool same_copy(const struct kernel_type *from, const struct kernel_type *to)
{
    if (!is_data(from) || !is_data(to) || from->rank != to->rank ||
        dtype_bytes(from->dtype) != dtype_bytes(to->dtype))
        return false;
    for (int i = 0; i < from->rank; i++)
        if (from->dims[i] != to->dims[i] && from->dims[i] != KERNEL_DYNAMIC &&
            to->dims[i] != KERNEL_DYNAMIC)
            return false;
    return true;
}

static bool check_enqueue(const struct kernel_op *op)
{
    int source, source_semaphore, target, target_semaphore;
    if (op->segment_count != 7 || kernel_op_segment(op, 0, &source) != 1 ||
        kernel_op_segment(op, 2, &target) != 1 || kernel_op_segment(op, 3, &target_semaphore) != 1)
        return false;
    int sends = kernel_op_segment(op, 1, &source_semaphore);
    return same_copy(op->operands[source]->type, op->operands[target]->type) &&
           is_semaphore(op->operands[target_semaphore]->type) && sends <= 1 &&
           (!sends || is_semaphore(op->operands[source_semaphore]->type)) &&
           optional_index(op, 4) && optional_index(op, 5) && optional_index(op, 6);
}

/* wait_dma: (semaphore, reference), or since its segments the operands of enqueue_dma. */
static bool check_wait(const struct kernel_op *op)
{
    if (op->code == KERNEL_WAIT_DMA && op->segment_count == 7)
        return op->operand_count >= 2 && op->segments[0] == 1 && op->segments[2] == 1 &&
               op->segments[op->attrs->wait_target ? 3 : 1] == 1 && op->segments[1] <= 1 &&
               op->segments[3] <= 1 && is_data(op->operands[0]->type) &&
               is_data(op->operands[1 + op->segments[1]]->type) &&
               is_semaphore(op->operands[op->attrs->wait_target ? 2 + op->segments[1] : 1]->type);
    if (op->code == KERNEL_WAIT_DMA)
        return op->operand_count == 2 && is_semaphore(op->operands[0]->type) &&
               is_data(op->operands[1]->type);
    return op->segment_count == 5 && op->segments[0] == 1 && op->segments[1] == 1 &&
           op->segments[2] == 1 && is_semaphore(op->operands[0]->type) &&
           is_data(op->operands[1]->type) && is_data(op->operands[2]->type) &&
           optional_index(op, 3) && optional_index(op, 4);
}

/* Rows of the indexed side, which may have a dimension of size 1 in front: its rows are those of
 * the other side, and there is an offset for each. */
static bool check_indirect(const struct kernel_op *op)
{
    if (op->operand_count < 4 || op->operand_count > 5)
        return false;
    const struct kernel_type *from = op->operands[0]->type, *to = op->operands[1]->type;
    const struct kernel_type *offsets = op->operands[2]->type;
    bool gathers = kernel_op_gathers(from);
    const struct kernel_type *indexed = gathers ? from : to, *rows = gathers ? to : from;
    int skipped = indexed->rank - rows->rank;
    if (!is_data(from) || !is_data(to) || from->dtype != to->dtype || rows->rank < 1 ||
        skipped < 0 || skipped > 1 || (skipped && indexed->dims[0] != 1) ||
        kernel_op_gathers(gathers ? to : from))
        return false;
    for (int i = 1; i < rows->rank; i++)
        if (rows->dims[i] != indexed->dims[i + skipped] || rows->dims[i] == KERNEL_DYNAMIC)
            return false;
    return offsets->kind != KERNEL_SCALAR && dtype_is_integer(offsets->dtype) &&
           dtype_bytes(offsets->dtype) == 4 && offsets->rank >= 1 &&
           offsets->elements == rows->dims[0] && rows->dims[0] != KERNEL_DYNAMIC &&
           (offsets->kind == KERNEL_VECTOR || is_data(offsets)) &&
           is_semaphore(op->operands[3]->type) &&
           (op->operand_count < 5 || is_index(op->operands[4]));
}

static bool check_fetch_and_add(const struct kernel_op *op)
{
    int rank = op->operand_count - 3;
    const struct kernel_type *base = rank >= 0 ? op->operands[0]->type : NULL;
    return base && is_data(base) && base->space == KERNEL_SMEM && base->rank == rank &&
           base->dtype == DTYPE_S32 && are_indices(op, 1, op->operand_count - 1) &&
           op->operands[op->operand_count - 2]->type->dtype == DTYPE_S32 &&
           op->results[0].type->kind == KERNEL_SCALAR && op->results[0].type->dtype == DTYPE_S32;
}

static bool check_signal(const struct kernel_op *op)
{
    return op->segment_count == 5 && op->segments[0] == 1 && op->segments[1] == 1 &&
           is_semaphore(op->operands[0]->type) && is_index(op->operands[1]) &&
           optional_index(op, 2) && optional_index(op, 3) && optional_index(op, 4);
}

static bool check_allocation(const struct kernel_op *op)
{
    const struct kernel_type *out = op->results[0].type;
    bool is_data_wanted = op->code == KERNEL_ALLOCA;
    return op->operand_count == 0 && out->kind == KERNEL_REF && out->elements != KERNEL_DYNAMIC &&
           is_data(out) == is_data_wanted;
}

static bool check(const struct kernel_op *op)
{
    switch (op->code) {
    case KERNEL_ALLOCA:
    case KERNEL_SEM_ALLOC:
    case KERNEL_SEM_BARRIER: return check_allocation(op);
    case KERNEL_ENQUEUE_DMA: return check_enqueue(op);
    case KERNEL_WAIT_DMA:
    case KERNEL_WAIT_DMA2: return check_wait(op);
    case KERNEL_ENQUEUE_INDIRECT_DMA: return check_indirect(op);
    case KERNEL_WAIT_INDIRECT_DMA:
        return is_semaphore(op->operands[0]->type) && is_data(op->operands[1]->type) &&
               is_data(op->operands[2]->type);
    case KERNEL_FETCH_AND_ADD: return check_fetch_and_add(op);
    case KERNEL_SEM_READ: return is_semaphore(op->operands[0]->type) && is_index(&op->results[0]);
    case KERNEL_SEM_WAIT: return is_semaphore(op->operands[0]->type) && is_index(op->operands[1]);
    case KERNEL_SEM_SIGNAL: return check_signal(op);
    case KERNEL_BARRIER: return is_index(op->operands[0]);
    default: return check_view(op);
    }
}

struct error *kernel_rules_memory(const struct kernel_scope *scope, const struct kernel_op *op)
{
    enum kernel_class class = kernel_op_info(op->code)->class;
    if (class == KERNEL_CLASS_LOAD || class == KERNEL_CLASS_STORE)
        return check_access(scope, op);
    if (check(op))
        return NULL;
    return kernel_rules_fail(scope, op, "its references, indices or semaphores do not fit");
}
