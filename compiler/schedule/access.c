/* access.c: see access.h. */
#include "compiler/schedule/access.h"

static const struct shape *shape_of(const struct op *op, int operand)
{
    return &op->operands[operand]->type->shape;
}

static struct access same(int dim)
{
    return (struct access){.kind = ACCESS_INDEX, .dim = dim, .scale = 1, .divisor = 1};
}

static struct access one(void)
{
    return (struct access){.kind = ACCESS_ONE, .dim = -1, .divisor = 1};
}

static struct access of_kind(enum access_kind kind, int dim)
{
    return (struct access){.kind = kind, .dim = dim, .divisor = 1};
}

/* ---- reshapes -------------------------------------------------------------------------------- */
/* a * b, or the largest number if that is more: arrays without elements may have dimensions whose
 * product is. */
static int64_t times(int64_t a, int64_t b)
{
    int64_t product;
    return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

struct access_span access_span_of(const struct shape *shape, int dim)
{
    int64_t low = 1;
    for (int i = shape->rank - 1; i > dim; i--)
        low = times(low, shape->dims[i]);
    return (struct access_span){low, times(low, shape->dims[dim])};
}

bool access_span_contains(struct access_span outer, struct access_span inner)
{
    return inner.low >= outer.low && inner.high <= outer.high;
}

static bool overlap(struct access_span a, struct access_span b)
{
    return a.low < b.high && b.low < a.high;
}

static struct access of_reshape(const struct op *op, int dim)
{
    const struct shape *from = shape_of(op, 0), *to = &op->results[0].type->shape;
    struct access_span span = access_span_of(from, dim);
    if (from->dims[dim] == 1)
        return one();
    for (int i = 0; i < to->rank; i++) {
        struct access_span other = access_span_of(to, i);
        if (to->dims[i] != 1 && other.low == span.low && other.high == span.high)
            return same(i);
    }
    return of_kind(ACCESS_DIGITS, -1);
}

static uint64_t dims_of_reshape(const struct op *op, uint64_t dims)
{
    const struct shape *from = shape_of(op, 0), *to = &op->results[0].type->shape;
    uint64_t result = 0;
    for (int i = 0; i < to->rank; i++)
        for (int k = 0; k < from->rank && dims >> i & 1 && to->dims[i] != 1; k++)
            if (from->dims[k] != 1 && overlap(access_span_of(from, k), access_span_of(to, i)))
                result |= 1ULL << k;
    return result;
}

bool access_keeps_dims(const struct op *reshape)
{
    const struct shape *from = shape_of(reshape, 0), *to = &reshape->results[0].type->shape;
    int k = 0;
    for (int i = 0; i < to->rank; i++) {
        if (to->dims[i] == 1)
            continue;
        while (k < from->rank && from->dims[k] == 1)
            k++;
        if (k == from->rank || from->dims[k++] != to->dims[i])
            return false;
    }
    while (k < from->rank && from->dims[k] == 1)
        k++;
    return k == from->rank;
}

bool access_splits_dims(const struct op *reshape)
{
    const struct shape *from = shape_of(reshape, 0), *to = &reshape->results[0].type->shape;
    int k = 0;
    for (int i = 0; i < from->rank; i++) {
        if (from->dims[i] == 1)
            continue;
        int64_t product = 1;
        while (k < to->rank && product < from->dims[i])
            product = times(product, to->dims[k++]);
        if (product != from->dims[i])
            return false;
    }
    return true;
}

/* ---- operations by kind ---------------------------------------------------------------------- */
static struct access of_broadcast(const struct op *op, int dim)
{
    if (shape_of(op, 0)->dims[dim] == 1)
        return one();
    return same((int)op->attrs.broadcast_in_dim.broadcast_dimensions.at[dim]);
}

static struct access of_transpose(const struct op *op, int dim)
{
    const struct dims permutation = op->attrs.transpose.permutation;
    int i = 0;
    while (permutation.at[i] != dim)
        i++;
    return same(i);
}

/* Of a single element the stride, which may be any number, says nothing. */
static struct access of_slice(const struct op *op, int dim)
{
    struct access access = same(dim);
    if (op->results[0].type->shape.dims[dim] > 1)
        access.scale = op->attrs.slice.strides.at[dim];
    access.offset = op->attrs.slice.start_indices.at[dim];
    return access;
}

static struct access of_reverse(const struct op *op, int dim)
{
    struct access access = same(dim);
    if (dims_contain(op->attrs.dimensions.dimensions, dim)) {
        access.scale = -1;
        access.offset = shape_of(op, 0)->dims[dim] - 1;
    }
    return access;
}

static struct access of_pad(const struct op *op, int dim)
{
    const struct attrs_pad *pad = &op->attrs.pad;
    struct access access = same(dim);
    access.offset = -pad->edge_padding_low.at[dim];
    access.divisor = pad->interior_padding.at[dim] + 1;
    access.guarded = access.offset || pad->edge_padding_high.at[dim] || access.divisor != 1;
    return access;
}

static struct access of_concatenate(const struct op *op, int dim)
{
    struct access access = same(dim);
    access.guarded = dim == op->attrs.dimension.dimension;
    return access;
}

static struct access of_dynamic_slice(const struct op *op, int dim)
{
    struct access access = same(dim);
    access.shifted = op->results[0].type->shape.dims[dim] != shape_of(op, 0)->dims[dim];
    return access;
}

static struct access of_reduce(const struct op *op, int dim)
{
    const struct dims reduced = op->attrs.dimensions.dimensions;
    int kept = 0;
    if (dims_contain(reduced, dim))
        return of_kind(ACCESS_LOOP, -1);
    for (int i = 0; i < dim; i++)
        kept += !dims_contain(reduced, i);
    return same(kept);
}

/* A window along a dimension of the result, or one element found by an index. */
static struct access of_gather(const struct op *op, int dim)
{
    const struct attrs_gather *gather = &op->attrs.gather;
    int window = 0;
    if (dims_contain(gather->collapsed_slice_dims, dim) ||
        dims_contain(gather->operand_batching_dims, dim))
        return of_kind(ACCESS_COMPUTED, -1);
    for (int i = 0; i < dim; i++)
        window += !dims_contain(gather->collapsed_slice_dims, i) &&
                  !dims_contain(gather->operand_batching_dims, i);
    struct access access = same((int)gather->offset_dims.at[window]);
    access.shifted = true;
    return access;
}

static struct access of_other(const struct op *op, int operand, int dim)
{
    if (op_info(op->code)->traits & OP_ELEMENTWISE)
        return same(dim);
    bool has_dims = shape_of(op, operand)->rank == op->results[0].type->shape.rank;
    return of_kind(ACCESS_COMPUTED, has_dims ? dim : -1);
}

struct access access_of(const struct op *op, int operand, int dim)
{
    switch (op->code) {
    case OP_broadcast_in_dim: return of_broadcast(op, dim);
    case OP_broadcast:
        return same(op->results[0].type->shape.rank - shape_of(op, operand)->rank + dim);
    case OP_reshape: return of_reshape(op, dim);
    case OP_transpose: return of_transpose(op, dim);
    case OP_slice: return of_slice(op, dim);
    case OP_reverse: return of_reverse(op, dim);
    case OP_pad: return of_pad(op, dim);
    case OP_concatenate: return of_concatenate(op, dim);
    case OP_dynamic_slice: return of_dynamic_slice(op, dim);
    case OP_reduce: return of_reduce(op, dim);
    case OP_gather: return operand ? of_kind(ACCESS_COMPUTED, -1) : of_gather(op, dim);
    default: return of_other(op, operand, dim);
    }
}

/* ---- questions ------------------------------------------------------------------------------- */
uint64_t access_dims_of(const struct op *op, int operand, uint64_t dims)
{
    uint64_t result = 0;
    if (op->code == OP_reshape)
        return dims_of_reshape(op, dims);
    for (int i = 0; i < shape_of(op, operand)->rank; i++) {
        struct access access = access_of(op, operand, i);
        if (access.dim >= 0 && dims >> access.dim & 1)
            result |= 1ULL << i;
    }
    return result;
}

int access_dim_of(const struct op *op, int operand, int dim)
{
    for (int i = 0; i < shape_of(op, operand)->rank; i++) {
        struct access access = access_of(op, operand, i);
        if (access.kind == ACCESS_INDEX && access.dim == dim)
            return i;
    }
    return -1;
}

bool access_is_dense(const struct op *slice)
{
    for (int i = 0; i < shape_of(slice, 0)->rank; i++)
        if (access_of(slice, 0, i).scale != 1)
            return false;
    return true;
}

bool access_keeps_order(const struct shape *array, struct dims permutation)
{
    int64_t last = -1;
    for (int64_t i = 0; i < permutation.count; i++) {
        if (array->dims[permutation.at[i]] == 1)
            continue;
        if (permutation.at[i] < last)
            return false;
        last = permutation.at[i];
    }
    return true;
}

bool access_is_same(const struct access *access)
{
    return access->kind == ACCESS_INDEX && access->scale == 1 && access->offset == 0 &&
           access->divisor == 1 && !access->shifted && !access->guarded;
}
