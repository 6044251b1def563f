#include "compiler/kernel_ir/kernel_rules.h"

static struct error *wrong(const struct kernel_scope *scope, const struct kernel_op *op)
{
    char in[128] = "nothing", out[128];
    if (op->operand_count > 0)
        kernel_type_print(op->operands[0]->type, in, sizeof in);
    kernel_type_print(op->results[0].type, out, sizeof out);
    return kernel_rules_fail(scope, op, "cannot make %s from %s: shapes or attributes do not match",
                             out, in);
}

static bool is_axis(const struct kernel_type *type, int64_t axis)
{
    return axis >= 0 && axis < type->rank;
}

/* Equal shapes but for one dimension. */
static bool same_but(const struct kernel_type *a, const struct kernel_type *b, int64_t axis)
{
    if (a->rank != b->rank || a->kind != KERNEL_VECTOR || b->kind != KERNEL_VECTOR)
        return false;
    for (int i = 0; i < a->rank; i++)
        if (i != axis && a->dims[i] != b->dims[i])
            return false;
    return true;
}

/* ---- moving elements ------------------------------------------------------------------------- */
static bool check_broadcast(const struct kernel_op *op)
{
    const struct kernel_type *in = op->operands[0]->type, *out = op->results[0].type;
    int missing = out->rank - in->rank;
    if (out->kind != KERNEL_VECTOR || in->kind == KERNEL_REF || missing < 0)
        return false;
    for (int i = 0; i < in->rank; i++)
        if (in->dims[i] != out->dims[missing + i] && in->dims[i] != 1)
            return false;
    return in->dtype == out->dtype;
}

static bool check_permutation(const struct kernel_op *op)
{
    const struct kernel_type *in = op->operands[0]->type, *out = op->results[0].type;
    struct dims order = op->attrs->dims;
    unsigned seen = 0;
    if (in->kind != KERNEL_VECTOR || out->kind != KERNEL_VECTOR || order.count != in->rank ||
        in->rank != out->rank || !kernel_rules_in_range(order, 0, in->rank - 1))
        return false;
    for (int i = 0; i < in->rank; i++) {
        seen |= 1u << order.at[i];
        if (out->dims[i] != in->dims[order.at[i]])
            return false;
    }
    return seen == (1u << in->rank) - 1 && in->dtype == out->dtype;
}

/* A position names leading dimensions; dynamic ones are operands. `vector` contains `part`. */
static bool check_position(const struct kernel_op *op, const struct kernel_type *vector,
                           const struct kernel_type *part, int first_index)
{
    struct dims at = op->attrs->dims;
    int dynamic = 0;
    int rank = part->kind == KERNEL_VECTOR ? part->rank : 0;
    if (vector->kind != KERNEL_VECTOR || part->kind == KERNEL_REF || part->dtype != vector->dtype ||
        at.count + rank != vector->rank)
        return false;
    for (int64_t i = 0; i < at.count; i++) {
        bool is_dynamic = at.at[i] == KERNEL_DYNAMIC;
        dynamic += is_dynamic;
        if (!is_dynamic && (at.at[i] < 0 || at.at[i] >= vector->dims[i]))
            return false;
    }
    for (int i = 0; i < rank; i++)
        if (part->dims[i] != vector->dims[at.count + i])
            return false;
    for (int i = first_index; i < op->operand_count; i++)
        if (op->operands[i]->type->kind != KERNEL_SCALAR ||
            !dtype_is_integer(op->operands[i]->type->dtype))
            return false;
    return dynamic == op->operand_count - first_index;
}

/* The box of `part` at offsets with strides in `whole`. */
static bool check_slice(const struct kernel_op *op, const struct kernel_type *whole,
                        const struct kernel_type *part)
{
    struct dims at = op->attrs->dims, stride = op->attrs->stride;
    int skipped = whole->rank - part->rank; /* insert_strided_slice of a smaller rank */
    if (whole->kind != KERNEL_VECTOR || part->kind != KERNEL_VECTOR || skipped < 0 ||
        at.count > whole->rank || stride.count > part->rank || whole->dtype != part->dtype ||
        !kernel_rules_in_range(stride, 1, KERNEL_MAX_ELEMENTS) ||
        !kernel_rules_in_range(at, 0, KERNEL_MAX_ELEMENTS))
        return false;
    for (int i = 0; i < whole->rank; i++) {
        int64_t offset = i < at.count ? at.at[i] : 0;
        int64_t size = i < skipped ? 1 : part->dims[i - skipped];
        int64_t step = i >= skipped && i - skipped < stride.count ? stride.at[i - skipped] : 1;
        if (size > 0 && offset + (size - 1) * step >= whole->dims[i])
            return false;
    }
    return true;
}

static bool check_concatenate(const struct kernel_op *op)
{
    const struct kernel_type *out = op->results[0].type;
    int64_t axis = op->attrs->axis, sum = 0;
    if (!is_axis(out, axis) || op->operand_count == 0)
        return false;
    for (int i = 0; i < op->operand_count; i++) {
        const struct kernel_type *in = op->operands[i]->type;
        if (!same_but(in, out, axis) || in->dtype != out->dtype)
            return false;
        sum += in->dims[axis];
    }
    return sum == out->dims[axis];
}

static bool check_repeat(const struct kernel_op *op)
{
    const struct kernel_type *in = op->operands[0]->type, *out = op->results[0].type;
    int64_t axis = op->attrs->axis;
    return is_axis(out, axis) && same_but(in, out, axis) && in->dtype == out->dtype &&
           op->attrs->count >= 0 && op->attrs->count <= KERNEL_MAX_ELEMENTS &&
           out->dims[axis] == in->dims[axis] * op->attrs->count;
}

static bool check_rotate(const struct kernel_op *op)
{
    const struct kernel_type *in = op->operands[0]->type, *out = op->results[0].type;
    int64_t other = op->attrs->count_axis;
    bool amount = op->operand_count < 2 || (op->operands[1]->type->kind == KERNEL_SCALAR &&
                                            dtype_is_integer(op->operands[1]->type->dtype));
    return kernel_rules_same_type(in, out) && in->kind == KERNEL_VECTOR && amount &&
           is_axis(in, op->attrs->axis) && (other == -1 || is_axis(in, other));
}

static bool check_gather(const struct kernel_op *op)
{
    const struct kernel_type *in = op->operands[0]->type, *at = op->operands[1]->type;
    const struct kernel_type *out = op->results[0].type;
    struct dims dims = op->attrs->dims;
    if (in->kind != KERNEL_VECTOR || out->kind != KERNEL_VECTOR || in->rank != out->rank ||
        dims.count < 1 || dims.count > in->rank || !kernel_rules_in_range(dims, 0, in->rank - 1) ||
        !dtype_is_integer(at->dtype) || !kernel_rules_same_shape(at, out))
        return false;
    for (int i = 0; i < in->rank; i++)
        if (!dims_contain(dims, i) && in->dims[i] != out->dims[i])
            return false;
    return in->dtype == out->dtype;
}

/* Rows of words: the second-last dimension scales with the width, the last if there is one only. */
static bool check_bitcast(const struct kernel_op *op)
{
    const struct kernel_type *in = op->operands[0]->type, *out = op->results[0].type;
    int64_t from = dtype_info(in->dtype)->bits, to = dtype_info(out->dtype)->bits;
    int axis = op->code == KERNEL_VECTOR_BITCAST || in->rank < 2 ? in->rank - 1 : in->rank - 2;
    if (in->kind == KERNEL_SCALAR && out->kind == KERNEL_SCALAR)
        return from == to;
    if (in->rank != out->rank || axis < 0 || !same_but(in, out, axis) || in->dtype == DTYPE_PRED ||
        out->dtype == DTYPE_PRED || from > 32 || to > 32)
        return false;
    return in->dims[axis] * from == out->dims[axis] * to;
}

static bool check_mask(const struct kernel_op *op)
{
    const struct kernel_type *out = op->results[0].type;
    int wanted = op->code == KERNEL_CREATE_MASK ? 2 * out->rank : out->rank;
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i]->type->kind != KERNEL_SCALAR ||
            !dtype_is_integer(op->operands[i]->type->dtype))
            return false;
    return out->kind == KERNEL_VECTOR && out->dtype == DTYPE_PRED && op->operand_count == wanted;
}

static bool check_subelements(const struct kernel_op *op)
{
    const struct kernel_type *in = op->operands[0]->type, *out = op->results[0].type;
    bool packs = op->code == KERNEL_PACK_SUBELEMENTS;
    const struct kernel_type *narrow = packs ? out : in, *wide = packs ? in : out;
    int64_t ratio =
        dtype_bytes(narrow->dtype) ? dtype_bytes(wide->dtype) / dtype_bytes(narrow->dtype) : 0;
    int axis = narrow->rank >= 2 ? narrow->rank - 2 : 0;
    bool in_range = packs ? op->attrs->dims.count == op->operand_count &&
                                kernel_rules_in_range(op->attrs->dims, 0, ratio - 1)
                          : op->attrs->axis >= 0 && op->attrs->axis < ratio;
    for (int i = 1; i < op->operand_count; i++)
        if (!kernel_rules_same_type(op->operands[i]->type, in))
            return false;
    return ratio >= 1 && in_range && same_but(in, out, axis) && narrow->rank > 0 &&
           narrow->dims[axis] == wide->dims[axis] * ratio;
}

static bool check_fixed_gather(const struct kernel_op *op)
{
    const struct kernel_type *in = op->operands[0]->type, *out = op->results[0].type;
    int64_t axis = op->attrs->axis;
    return is_axis(out, axis) && same_but(in, out, axis) && in->dtype == out->dtype &&
           op->attrs->dims.count == out->dims[axis] &&
           kernel_rules_in_range(op->attrs->dims, 0, in->dims[axis] - 1);
}

static bool check_shuffle(const struct kernel_op *op)
{
    const struct kernel_type *in = op->operands[0]->type, *out = op->results[0].type;
    return in->rank == 2 && op->attrs->dims.count == in->dims[0] &&
           kernel_rules_same_type(in, out) && kernel_rules_same_type(op->operands[1]->type, in) &&
           kernel_rules_in_range(op->attrs->dims, 0, 2 * in->dims[0] - 1);
}

static bool check_sublanes(const struct kernel_op *op)
{
    const struct kernel_type *in = op->operands[0]->type, *out = op->results[0].type;
    return in->kind == KERNEL_VECTOR && in->rank >= 1 && in->rank == out->rank &&
           kernel_rules_same_type(in, out) && op->attrs->axis >= 0 &&
           op->attrs->axis < in->dims[in->rank - 1];
}

static bool check_constant(const struct kernel_op *op)
{
    const struct kernel_type *out = op->results[0].type;
    size_t element = (size_t)dtype_bytes(out->dtype);
    if (out->kind == KERNEL_REF)
        return false;
    if (op->code == KERNEL_CONSTANT)
        return op->attrs->constant_bytes == element ||
               op->attrs->constant_bytes == element * (size_t)out->elements;
    return out->kind == KERNEL_VECTOR && out->rank > 0 && op->attrs->dims.count <= out->rank &&
           (dtype_is_integer(out->dtype) || dtype_is_float(out->dtype)) &&
           kernel_rules_in_range(op->attrs->dims, 0, out->rank - 1);
}

/* ---- reductions and products ----------------------------------------------------------------- */
static bool can_reduce(const struct kernel_op *op, enum dtype dtype)
{
    enum kernel_reduction kind = op->attrs->reduction;
    bool is_bitwise = kind >= KERNEL_REDUCE_AND && kind <= KERNEL_REDUCE_XOR;
    bool is_unsigned = kind == KERNEL_REDUCE_MIN_UNSIGNED || kind == KERNEL_REDUCE_MAX_UNSIGNED;
    bool is_arg = kind == KERNEL_REDUCE_ARGMAX || kind == KERNEL_REDUCE_ARGMIN;
    if (is_arg != (op->code == KERNEL_REDUCE_INDEX))
        return false;
    return dtype_is_float(dtype) ? !is_bitwise && !is_unsigned
                                 : dtype_is_integer(dtype) || dtype == DTYPE_PRED;
}

static bool check_reduction_shape(const struct kernel_op *op, struct dims axes)
{
    const struct kernel_type *in = op->operands[0]->type, *out = op->results[0].type;
    unsigned reduced = 0;
    int at = 0;
    if (in->kind != KERNEL_VECTOR || !kernel_rules_in_range(axes, 0, in->rank - 1))
        return false;
    for (int64_t i = 0; i < axes.count; i++)
        reduced |= 1u << axes.at[i];
    for (int i = 0; i < in->rank; i++)
        if (!(reduced >> i & 1) && (at >= out->rank || out->dims[at++] != in->dims[i]))
            return false;
    return at == out->rank && out->kind != KERNEL_REF;
}

static bool check_reduction(const struct kernel_op *op)
{
    const struct kernel_type *in = op->operands[0]->type, *out = op->results[0].type;
    struct dims axis = {1, &op->attrs->axis};
    if (in->kind != KERNEL_VECTOR || !can_reduce(op, in->dtype))
        return false;
    switch (op->code) {
    case KERNEL_MULTI_REDUCTION:
        return check_reduction_shape(op, op->attrs->dims) && in->dtype == out->dtype &&
               kernel_rules_same_type(op->operands[1]->type, out);
    case KERNEL_REDUCTION:
        return out->kind == KERNEL_SCALAR && in->dtype == out->dtype && op->operand_count <= 2 &&
               (op->operand_count < 2 || kernel_rules_same_type(op->operands[1]->type, out));
    case KERNEL_ALL_REDUCE: return is_axis(in, op->attrs->axis) && kernel_rules_same_type(in, out);
    case KERNEL_REDUCE_INDEX:
        return check_reduction_shape(op, axis) && dtype_is_integer(out->dtype) &&
               dtype_bytes(out->dtype) >= 2;
    default: /* SCAN */
        return is_axis(in, op->attrs->axis) && kernel_rules_same_type(in, out) &&
               op->operand_count <= 2 &&
               (op->operand_count < 2 ||
                (op->operands[1]->type->dtype == DTYPE_PRED &&
                 op->operands[1]->type->elements == in->dims[op->attrs->axis]));
    }
}

static bool check_sort(const struct kernel_op *op)
{
    if (op->operand_count < 2 || op->operand_count > 3)
        return false;
    const struct kernel_type *keys = op->operands[0]->type, *values = op->operands[1]->type;
    return keys->kind == KERNEL_VECTOR && keys->rank > 0 && kernel_rules_same_shape(keys, values) &&
           kernel_rules_same_type(op->results[1].type, keys) &&
           kernel_rules_same_type(op->results[2].type, values) &&
           kernel_rules_same_shape(op->results[0].type, keys) &&
           op->results[0].type->dtype == DTYPE_PRED &&
           (op->operand_count < 3 ||
            kernel_rules_same_type(op->operands[2]->type, op->results[0].type));
}

static bool check_scan_count(const struct kernel_op *op)
{
    const struct kernel_type *mask = op->operands[0]->type, *values = op->operands[1]->type;
    const struct kernel_type *counts = op->results[1].type;
    return values->kind == KERNEL_VECTOR && values->rank > 0 &&
           kernel_rules_same_shape(mask, values) && mask->dtype == DTYPE_PRED &&
           kernel_rules_same_type(op->results[0].type, mask) &&
           kernel_rules_same_shape(counts, values) && dtype_is_integer(counts->dtype) &&
           dtype_bytes(counts->dtype) == 4;
}

/* The roles of an operand's dimensions: each has one. */
static bool is_partition(struct dims a, struct dims b, struct dims c, int rank)
{
    unsigned seen = 0;
    struct dims lists[] = {a, b, c};
    for (int i = 0; i < 3; i++)
        for (int64_t k = 0; k < lists[i].count; k++) {
            int64_t dim = lists[i].at[k];
            if (dim < 0 || dim >= rank || seen >> dim & 1)
                return false;
            seen |= 1u << dim;
        }
    return seen == (1u << rank) - 1;
}

static bool same_sizes(const struct kernel_type *a, struct dims of_a, const struct kernel_type *b,
                       struct dims of_b)
{
    for (int64_t i = 0; i < of_a.count && i < of_b.count; i++)
        if (a->dims[of_a.at[i]] != b->dims[of_b.at[i]])
            return false;
    return of_a.count == of_b.count;
}

/* The result's dimensions: those of the batch, then each free one, as the attribute orders them. */
static bool check_output(const struct kernel_op *op)
{
    const struct kernel_dot *dot = op->attrs->dot;
    const struct kernel_type *lhs = op->operands[0]->type, *rhs = op->operands[1]->type;
    const struct kernel_type *out = op->results[0].type;
    unsigned seen[2] = {0, 0};
    if (dot->output.count != 2 * out->rank ||
        out->rank != dot->lhs_batch.count + dot->lhs_free.count + dot->rhs_free.count)
        return false;
    for (int i = 0; i < out->rank; i++) {
        int64_t side = dot->output.at[2 * i], dim = dot->output.at[2 * i + 1];
        const struct kernel_type *from = side == 0 ? lhs : rhs;
        struct dims contracted = side == 0 ? dot->lhs_contract : dot->rhs_contract;
        if (side < 0 || side > 1 || dim < 0 || dim >= from->rank ||
            from->dims[dim] != out->dims[i] || seen[side] >> dim & 1 ||
            dims_contain(contracted, dim) || (side == 1 && dims_contain(dot->rhs_batch, dim)))
            return false;
        seen[side] |= 1u << dim;
    }
    return true;
}

static bool matrix_types(enum dtype lhs, enum dtype rhs, enum dtype acc)
{
    int a = dtype_info(lhs)->bits, b = dtype_info(rhs)->bits;
    bool floats = dtype_is_float(lhs) && dtype_is_float(rhs) && a <= 32 && b <= 32;
    bool integers = dtype_is_integer(lhs) && dtype_is_integer(rhs) && a <= 8 && b <= 8;
    return (floats && (acc == DTYPE_F32 || acc == DTYPE_BF16)) ||
           (integers && (acc == DTYPE_S32 || acc == DTYPE_F32));
}

static struct error *check_matmul(const struct kernel_scope *scope, const struct kernel_op *op)
{
    const struct kernel_type *lhs = op->operands[0]->type, *rhs = op->operands[1]->type;
    const struct kernel_type *acc = op->operands[2]->type;
    const struct kernel_dot *dot = op->attrs->dot;
    char left[128], right[128];
    if (lhs->kind != KERNEL_VECTOR || rhs->kind != KERNEL_VECTOR || !dot ||
        !kernel_rules_same_type(acc, op->results[0].type) || acc->kind != KERNEL_VECTOR ||
        !is_partition(dot->lhs_contract, dot->lhs_free, dot->lhs_batch, lhs->rank) ||
        !is_partition(dot->rhs_contract, dot->rhs_free, dot->rhs_batch, rhs->rank) ||
        !same_sizes(lhs, dot->lhs_contract, rhs, dot->rhs_contract) ||
        !same_sizes(lhs, dot->lhs_batch, rhs, dot->rhs_batch) || !check_output(op))
        return kernel_rules_fail(scope, op, "dimension_numbers do not fit the shapes");
    if (matrix_types(lhs->dtype, rhs->dtype, acc->dtype))
        return NULL;
    kernel_type_print(lhs, left, sizeof left);
    kernel_type_print(rhs, right, sizeof right);
    return kernel_rules_fail(
        scope, op,
        "Bad lhs/rhs type: '%s' '%s': no matrix unit takes operands of these "
        "types (unsupported dtype); floats of up to 32 bits and integers of up "
        "to 8 bits are allowed",
        left, right);
}

/* ---- matrix units ---------------------------------------------------------------------------- */
/* Numbers of units, registers and accumulators are those of no generation in particular. */
static bool check_mxu(const struct kernel_op *op)
{
    const struct kernel_type *type =
        op->operand_count > 0 ? op->operands[0]->type : op->results[0].type;
    const struct kernel_attrs *attrs = op->attrs;
    bool is_number = dtype_is_float(type->dtype) || dtype_is_integer(type->dtype);
    return type->kind == KERNEL_VECTOR && type->rank == 2 && is_number &&
           dtype_info(type->dtype)->bits <= 32 && attrs->axis >= 0 &&
           attrs->axis < KERNEL_MAX_MXUS && attrs->count >= 0 && attrs->count_axis >= -1 &&
           attrs->count_axis < KERNEL_MAX_STAGED &&
           (op->code != KERNEL_MATMUL_PUSH_RHS || attrs->count < KERNEL_MAX_STAGED);
}

/* ---- all ------------------------------------------------------------------------------------- */
static bool check(const struct kernel_op *op)
{
    const struct kernel_type *in = op->operand_count ? op->operands[0]->type : NULL;
    const struct kernel_type *out = op->results[0].type;
    switch (op->code) {
    case KERNEL_CONSTANT:
    case KERNEL_IOTA:
    case KERNEL_VECTOR_STEP: return check_constant(op);
    case KERNEL_BROADCAST: return check_broadcast(op);
    case KERNEL_SHAPE_CAST:
    case KERNEL_TPU_RESHAPE:
        return in->kind == KERNEL_VECTOR && out->kind == KERNEL_VECTOR && in->dtype == out->dtype &&
               in->elements == out->elements;
    case KERNEL_RELAYOUT: return kernel_rules_same_type(in, out);
    case KERNEL_MASK_CAST:
        return in->dtype == DTYPE_PRED && out->dtype == DTYPE_PRED && in->elements == out->elements;
    case KERNEL_VECTOR_TRANSPOSE:
    case KERNEL_TRANSPOSE: return check_permutation(op);
    case KERNEL_EXTRACT: return in && check_position(op, in, out, 1);
    case KERNEL_INSERT:
        return op->operand_count >= 2 && kernel_rules_same_type(op->operands[1]->type, out) &&
               check_position(op, out, in, 2);
    case KERNEL_EXTRACT_SLICE: return in->rank == out->rank && check_slice(op, in, out);
    case KERNEL_INSERT_SLICE:
        return kernel_rules_same_type(op->operands[1]->type, out) && check_slice(op, out, in);
    case KERNEL_VECTOR_BITCAST:
    case KERNEL_TPU_BITCAST:
    case KERNEL_BITCAST_VREG: return check_bitcast(op);
    case KERNEL_CONCATENATE: return check_concatenate(op);
    case KERNEL_REPEAT: return check_repeat(op);
    case KERNEL_ROTATE:
    case KERNEL_DYNAMIC_ROTATE: return check_rotate(op);
    case KERNEL_BROADCAST_IN_SUBLANES: return check_sublanes(op);
    case KERNEL_DYNAMIC_GATHER: return check_gather(op);
    case KERNEL_GATHER: return check_fixed_gather(op);
    case KERNEL_SUBLANE_SHUFFLE: return check_shuffle(op);
    case KERNEL_CREATE_MASK:
    case KERNEL_VECTOR_CREATE_MASK: return check_mask(op);
    case KERNEL_PACK_SUBELEMENTS:
    case KERNEL_UNPACK_SUBELEMENTS: return in && check_subelements(op);
    case KERNEL_SORT: return check_sort(op);
    case KERNEL_SCAN_COUNT: return check_scan_count(op);
    default: return in && check_reduction(op);
    }
}

struct error *kernel_rules_shape(const struct kernel_scope *scope, const struct kernel_op *op)
{
    if (op->code == KERNEL_MATMUL || op->code == KERNEL_CONTRACT)
        return check_matmul(scope, op);
    if (kernel_op_info(op->code)->class == KERNEL_CLASS_MXU)
        return check_mxu(op)
                   ? NULL
                   : kernel_rules_fail(scope, op,
                                       "needs a matrix of numbers of at most 32 bits, one "
                                       "of %d units and one of %d staging registers",
                                       KERNEL_MAX_MXUS, KERNEL_MAX_STAGED);
    return check(op) ? NULL : wrong(scope, op);
}
