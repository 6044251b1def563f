/* infer_linear.c: type inference of dot, convolution, fft, triangular_solve and batch
 * normalization. */
#include <inttypes.h>
#include <string.h>

#include "compiler/ir/infer.h"
#include "compiler/ir/infer_check.h"

enum { FFT_MAX_RANK = 3 };

/* The result of a product: its sizes are inferred; its element type may be declared. */
static struct error *product_result(struct arena *arena, struct op *op, int rank,
                                    const int64_t *dims)
{
    enum dtype lhs = infer_check_type(op, 0)->shape.dtype,
               rhs = infer_check_type(op, 1)->shape.dtype;
    const struct type *declared = op->results[0].type;
    enum dtype dtype = declared && declared->kind == TYPE_TENSOR ? declared->shape.dtype : lhs;
    if (!(infer_check_class(dtype) & (INFER_NUMBER | INFER_PRED)))
        return infer_check_bad(arena, op, "a product of %s and %s cannot have element type %s",
                               dtype_name(lhs), dtype_name(rhs), dtype_name(dtype));
    return infer_check_result_dims(arena, op, 0, dtype, rank, dims);
}

static struct error *check_factors(struct arena *arena, const struct op *op)
{
    TRY(infer_check_classes(arena, op, 0, INFER_ANY));
    return infer_check_classes(arena, op, 1, INFER_ANY);
}

/* Corresponding dimensions of both operands have equal sizes. */
static struct error *check_dim_pairs(struct arena *arena, const struct op *op, const char *name,
                                     struct dims lhs, struct dims rhs)
{
    const struct type *a = infer_check_type(op, 0), *b = infer_check_type(op, 1);
    if (lhs.count != rhs.count)
        return infer_check_bad(arena, op,
                               "lhs has %" PRId64 " %s dimensions and rhs has %" PRId64
                               "; the numbers must be equal",
                               lhs.count, name, rhs.count);
    TRY(infer_check_distinct(arena, op, name, lhs, a->shape.rank));
    TRY(infer_check_distinct(arena, op, name, rhs, b->shape.rank));
    for (int64_t i = 0; i < lhs.count; i++)
        if (a->shape.dims[lhs.at[i]] != b->shape.dims[rhs.at[i]])
            return infer_check_bad(
                arena, op, "%s dimensions %" PRId64 " of %s and %" PRId64 " of %s differ in size",
                name, lhs.at[i], type_text(arena, a), rhs.at[i], type_text(arena, b));
    return NULL;
}

/* Appends the sizes of the dimensions that are in neither list; returns the new rank. */
static int free_sizes(const struct type *type, struct dims batching, struct dims contracting,
                      int rank, int64_t *dims)
{
    for (int i = 0; i < type->shape.rank; i++)
        if (!dims_contain(batching, i) && !dims_contain(contracting, i))
            dims[rank++] = type->shape.dims[i];
    return rank;
}

static struct error *check_disjoint(struct arena *arena, const struct op *op, struct dims a,
                                    struct dims b)
{
    for (int64_t i = 0; i < a.count; i++)
        if (dims_contain(b, a.at[i]))
            return infer_check_bad(
                arena, op, "dimension %" PRId64 " is both batching and contracting", a.at[i]);
    return NULL;
}

/* An algorithm, if there is one, has types and component counts in range. */
static struct error *check_algorithm(struct arena *arena, const struct op *op)
{
    const struct attrs_dot *dot = &op->attrs.dot;
    if (!infer_check_class(dot->accumulation_type))
        return NULL;
    if (!infer_check_class(dot->lhs_precision_type) || !infer_check_class(dot->rhs_precision_type))
        return infer_check_bad(arena, op,
                               "the dot algorithm needs lhs_precision_type and rhs_precision_type");
    TRY(infer_check_range(arena, op, "lhs_component_count", dot->lhs_component_count, 1, 16));
    TRY(infer_check_range(arena, op, "rhs_component_count", dot->rhs_component_count, 1, 16));
    return infer_check_range(arena, op, "num_primitive_operations", dot->num_primitive_operations,
                             1, 256);
}

struct error *infer_dot_general(struct arena *arena, struct op *op)
{
    TRY(check_factors(arena, op));
    TRY(check_algorithm(arena, op));
    const struct attrs_dot *dot = &op->attrs.dot;
    const struct type *lhs = infer_check_type(op, 0), *rhs = infer_check_type(op, 1);
    TRY(check_dim_pairs(arena, op, "batching", dot->lhs_batching_dimensions,
                        dot->rhs_batching_dimensions));
    TRY(check_dim_pairs(arena, op, "contracting", dot->lhs_contracting_dimensions,
                        dot->rhs_contracting_dimensions));
    TRY(check_disjoint(arena, op, dot->lhs_batching_dimensions, dot->lhs_contracting_dimensions));
    TRY(check_disjoint(arena, op, dot->rhs_batching_dimensions, dot->rhs_contracting_dimensions));
    int64_t dims[2 * SHAPE_MAX_RANK];
    int rank = 0;
    for (int64_t i = 0; i < dot->lhs_batching_dimensions.count; i++)
        dims[rank++] = lhs->shape.dims[dot->lhs_batching_dimensions.at[i]];
    rank =
        free_sizes(lhs, dot->lhs_batching_dimensions, dot->lhs_contracting_dimensions, rank, dims);
    rank =
        free_sizes(rhs, dot->rhs_batching_dimensions, dot->rhs_contracting_dimensions, rank, dims);
    TRY(infer_check_range(arena, op, "rank of the result", rank, 0, SHAPE_MAX_RANK));
    return product_result(arena, op, rank, dims);
}

/* StableHLO's deprecated dot: vectors and matrices; contracts the last dimension with the first. */
struct error *infer_plain_dot(struct arena *arena, struct op *op)
{
    TRY(check_factors(arena, op));
    const struct type *lhs = infer_check_type(op, 0), *rhs = infer_check_type(op, 1);
    if (lhs->shape.rank < 1 || lhs->shape.rank > 2 || rhs->shape.rank < 1 || rhs->shape.rank > 2 ||
        lhs->shape.dims[lhs->shape.rank - 1] != rhs->shape.dims[0])
        return infer_check_bad(arena, op, "%s cannot be multiplied by %s", type_text(arena, lhs),
                               type_text(arena, rhs));
    int64_t dims[2];
    int rank = 0;
    if (lhs->shape.rank == 2)
        dims[rank++] = lhs->shape.dims[0];
    if (rhs->shape.rank == 2)
        dims[rank++] = rhs->shape.dims[1];
    return product_result(arena, op, rank, dims);
}

/* ---- convolution ----------------------------------------------------------------------------- */

/* Dimensions `first` and `second` and the spatial ones are a permutation of all dimensions. */
static struct error *check_layout(struct arena *arena, const struct op *op, const char *name,
                                  int64_t first, int64_t second, struct dims spatial, int rank)
{
    int64_t all[SHAPE_MAX_RANK];
    if (spatial.count != rank - 2)
        return infer_check_bad(arena, op,
                               "the %s has %" PRId64 " spatial dimensions; its rank %d requires %d",
                               name, spatial.count, rank, rank - 2);
    all[0] = first;
    all[1] = second;
    for (int64_t i = 0; i < spatial.count; i++)
        all[i + 2] = spatial.at[i];
    return infer_check_distinct(arena, op, name, (struct dims){rank, all}, rank);
}

static struct error *check_convolution_lists(struct arena *arena, struct op *op, int64_t spatial)
{
    struct attrs_convolution *c = &op->attrs.convolution;
    infer_check_default(arena, &c->window_strides, spatial, 1);
    infer_check_default(arena, &c->lhs_dilation, spatial, 1);
    infer_check_default(arena, &c->rhs_dilation, spatial, 1);
    infer_check_default(arena, &c->window_reversal, spatial, 0);
    infer_check_default_pairs(arena, &c->padding, spatial);
    TRY(infer_check_list(arena, op, "window_strides", c->window_strides, spatial, 1,
                         INFER_MAX_SIZE));
    TRY(infer_check_list(arena, op, "lhs_dilation", c->lhs_dilation, spatial, 1, INFER_MAX_SIZE));
    TRY(infer_check_list(arena, op, "rhs_dilation", c->rhs_dilation, spatial, 1, INFER_MAX_SIZE));
    TRY(infer_check_list(arena, op, "window_reversal", c->window_reversal, spatial, 0, 1));
    if (c->padding.rows != spatial || (spatial && c->padding.columns != 2))
        return infer_check_bad(arena, op,
                               "padding is %" PRId64 " by %" PRId64 "; it must be %" PRId64 " by 2",
                               c->padding.rows, c->padding.columns, spatial);
    return NULL;
}

/* The equations between feature counts, groups and batch. */
static struct error *check_features(struct arena *arena, const struct op *op, int64_t batch,
                                    int64_t in, int64_t kernel_in, int64_t kernel_out)
{
    const struct attrs_convolution *c = &op->attrs.convolution;
    int64_t groups = c->feature_group_count, batches = c->batch_group_count;
    TRY(infer_check_range(arena, op, "feature_group_count", groups, 1, INFER_MAX_SIZE));
    TRY(infer_check_range(arena, op, "batch_group_count", batches, 1, INFER_MAX_SIZE));
    if (groups > 1 && batches > 1)
        return infer_check_bad(arena, op,
                               "feature_group_count and batch_group_count are both greater than 1; "
                               "one of them must be 1");
    if (in % groups || kernel_in != in / groups || kernel_out % groups)
        return infer_check_bad(arena, op,
                               "%" PRId64 " input features in %" PRId64
                               " groups do not match a kernel of %" PRId64 " input and %" PRId64
                               " output features",
                               in, groups, kernel_in, kernel_out);
    if (batch % batches || kernel_out % batches)
        return infer_check_bad(arena, op,
                               "batch %" PRId64 " and %" PRId64
                               " output features must be multiples of batch_group_count %" PRId64,
                               batch, kernel_out, batches);
    return NULL;
}

/* The dimension numbers of the operands and the result. */
static struct error *check_layouts(struct arena *arena, const struct op *op)
{
    const struct type *lhs = infer_check_type(op, 0), *rhs = infer_check_type(op, 1);
    const struct attrs_convolution *c = &op->attrs.convolution;
    TRY(check_factors(arena, op));
    if (lhs->shape.rank < 2 || lhs->shape.rank != rhs->shape.rank)
        return infer_check_bad(arena, op, "%s and %s must have equal ranks of 2 or more",
                               type_text(arena, lhs), type_text(arena, rhs));
    TRY(check_layout(arena, op, "input", c->input_batch_dimension, c->input_feature_dimension,
                     c->input_spatial_dimensions, lhs->shape.rank));
    TRY(check_layout(arena, op, "kernel", c->kernel_input_feature_dimension,
                     c->kernel_output_feature_dimension, c->kernel_spatial_dimensions,
                     lhs->shape.rank));
    return check_layout(arena, op, "output", c->output_batch_dimension, c->output_feature_dimension,
                        c->output_spatial_dimensions, lhs->shape.rank);
}

/* The padding is an operand: passes/dynamic.c rewrites the operation to a convolution. */
struct error *infer_dynamic_conv(struct arena *arena, struct op *op)
{
    TRY(check_layouts(arena, op));
    TRY(infer_check_classes(arena, op, 2, INFER_INTEGER));
    return infer_check_declared(arena, op, 0);
}

struct error *infer_convolution(struct arena *arena, struct op *op)
{
    TRY(check_layouts(arena, op));
    const struct type *lhs = infer_check_type(op, 0), *rhs = infer_check_type(op, 1);
    struct attrs_convolution *c = &op->attrs.convolution;
    int rank = lhs->shape.rank, spatial = rank - 2;
    int64_t dims[SHAPE_MAX_RANK];
    TRY(check_convolution_lists(arena, op, spatial));
    int64_t batch = lhs->shape.dims[c->input_batch_dimension];
    int64_t kernel_out = rhs->shape.dims[c->kernel_output_feature_dimension];
    TRY(check_features(arena, op, batch, lhs->shape.dims[c->input_feature_dimension],
                       rhs->shape.dims[c->kernel_input_feature_dimension], kernel_out));
    dims[c->output_batch_dimension] = batch / c->batch_group_count;
    dims[c->output_feature_dimension] = kernel_out;
    for (int i = 0; i < spatial; i++) {
        struct infer_window window = {rhs->shape.dims[c->kernel_spatial_dimensions.at[i]],
                                      c->window_strides.at[i],
                                      c->padding.at[2 * i],
                                      c->padding.at[2 * i + 1],
                                      c->lhs_dilation.at[i],
                                      c->rhs_dilation.at[i]};
        int64_t in = lhs->shape.dims[c->input_spatial_dimensions.at[i]];
        if (window.size == 0)
            return infer_check_bad(arena, op,
                                   "the kernel %s has a spatial size of 0; it must be >= 1",
                                   type_text(arena, rhs));
        TRY(infer_check_window(arena, op, in, &window, &dims[c->output_spatial_dimensions.at[i]]));
    }
    return product_result(arena, op, rank, dims);
}

/* ---- fft, solve, batch normalization --------------------------------------------------------- */

struct error *infer_fft(struct arena *arena, struct op *op)
{
    const struct type *type = infer_check_type(op, 0);
    enum fft_type kind = op->attrs.fft.fft_type;
    struct dims length = op->attrs.fft.fft_length;
    TRY(infer_check_range(arena, op, "fft_type", kind, FFT_FFT, FFT_IRFFT));
    TRY(infer_check_classes(arena, op, 0, kind == FFT_RFFT ? INFER_FLOAT : INFER_COMPLEX));
    enum dtype part = dtype_real_part(type->shape.dtype);
    enum dtype complex = part == DTYPE_F64 ? DTYPE_C128 : DTYPE_C64;
    if (part != DTYPE_F32 && part != DTYPE_F64)
        return infer_check_bad(arena, op,
                               "operand 0 is %s; its element type must be f32, f64, "
                               "complex<f32> or complex<f64>",
                               type_text(arena, type));
    TRY(infer_check_range(arena, op, "length of fft_length", length.count, 1,
                          type->shape.rank < FFT_MAX_RANK ? type->shape.rank : FFT_MAX_RANK));
    int64_t dims[SHAPE_MAX_RANK];
    for (int i = 0; i < type->shape.rank; i++)
        dims[i] = type->shape.dims[i];
    for (int64_t i = 0; i < length.count; i++) {
        int64_t dim = type->shape.rank - length.count + i;
        bool last = i == length.count - 1;
        int64_t size = length.at[i];
        TRY(infer_check_range(arena, op, "fft_length", size, 0, INFER_MAX_SIZE));
        if (last && kind == FFT_IRFFT)
            size = size == 0 && type->shape.dims[dim] == 0 ? 0 : size / 2 + 1;
        if (size != type->shape.dims[dim])
            return infer_check_bad(
                arena, op, "fft_length %" PRId64 " does not match dimension %" PRId64 " of %s",
                length.at[i], dim, type_text(arena, type));
        dims[dim] = last && kind == FFT_RFFT && size ? size / 2 + 1 : length.at[i];
    }
    return infer_check_result_dims(arena, op, 0, kind == FFT_IRFFT ? part : complex,
                                   type->shape.rank, dims);
}

struct error *infer_triangular_solve(struct arena *arena, struct op *op)
{
    const struct type *a = infer_check_type(op, 0), *b = infer_check_type(op, 1);
    TRY(infer_check_classes(arena, op, 0, INFER_FLOAT | INFER_COMPLEX));
    TRY(infer_check_classes(arena, op, 1, INFER_FLOAT | INFER_COMPLEX));
    TRY(infer_check_same_dtype(arena, op, 0, 1));
    TRY(infer_check_range(arena, op, "transpose_a", op->attrs.triangular_solve.transpose_a,
                          TRANSPOSE_NONE, TRANSPOSE_ADJOINT));
    int rank = a->shape.rank;
    bool fits =
        rank >= 2 && b->shape.rank == rank && a->shape.dims[rank - 1] == a->shape.dims[rank - 2];
    for (int i = 0; fits && i < rank - 2; i++)
        fits = a->shape.dims[i] == b->shape.dims[i];
    if (!fits || b->shape.dims[op->attrs.triangular_solve.left_side ? rank - 2 : rank - 1] !=
                     a->shape.dims[rank - 1])
        return infer_check_bad(arena, op, "a is %s and b is %s; a must be square and match b",
                               type_text(arena, a), type_text(arena, b));
    return infer_check_result_dims(arena, op, 0, b->shape.dtype, b->shape.rank, b->shape.dims);
}

static bool is_lu_size(int64_t size)
{
    return size >= 1 && size <= INFER_LU_MOST;
}

/* Results: L below the diagonal and U; the row that each row was exchanged for, from 1; the number
 * of the first zero on the diagonal of U, or 0. */
struct error *infer_lu(struct arena *arena, struct op *op)
{
    const struct type *a = infer_check_type(op, 0);
    int rank = a->shape.rank;
    int64_t dims[SHAPE_MAX_RANK];
    TRY(infer_check_classes(arena, op, 0, INFER_FLOAT));
    if (rank < 2 || (a->shape.dtype != DTYPE_F32 && a->shape.dtype != DTYPE_F64) ||
        !is_lu_size(a->shape.dims[rank - 2]) || !is_lu_size(a->shape.dims[rank - 1]))
        return infer_check_bad(arena, op,
                               "a is %s; it must have f32 or f64 matrices of 1 x 1 to %d x %d",
                               type_text(arena, a), INFER_LU_MOST, INFER_LU_MOST);
    memcpy(dims, a->shape.dims, (size_t)rank * sizeof *dims);
    if (dims[rank - 1] < dims[rank - 2])
        dims[rank - 2] = dims[rank - 1];
    TRY(infer_check_result_dims(arena, op, 0, a->shape.dtype, rank, a->shape.dims));
    TRY(infer_check_result_dims(arena, op, 1, DTYPE_S32, rank - 1, dims));
    return infer_check_result_dims(arena, op, 2, DTYPE_S32, rank - 2, dims);
}

/* Operands: input, then vectors with one element for each feature; the last operand of
 * batch_norm_grad has the input's shape. Results: a tensor of the input's shape, then (training,
 * grad) two vectors. */
struct error *infer_batch_norm(struct arena *arena, struct op *op)
{
    TRY(infer_check_classes(arena, op, 0, INFER_FLOAT));
    const struct type *type = infer_check_type(op, 0);
    int64_t feature = op->attrs.batch_norm.feature_index;
    TRY(infer_check_range(arena, op, "feature_index", feature, 0, type->shape.rank - 1));
    for (int i = 1; i < op->operand_count; i++) {
        TRY(infer_check_classes(arena, op, i, INFER_FLOAT));
        TRY(infer_check_same_dtype(arena, op, 0, i));
        const struct type *vector = infer_check_type(op, i);
        if (op->code == OP_batch_norm_grad && i == 4)
            TRY(infer_check_same_shape(arena, op, 0, i));
        else if (vector->shape.rank != 1 || vector->shape.dims[0] != type->shape.dims[feature])
            return infer_check_bad(arena, op,
                                   "operand %d is %s; it must have one element for each of %" PRId64
                                   " features",
                                   i, type_text(arena, vector), type->shape.dims[feature]);
    }
    TRY(infer_check_result_dims(arena, op, 0, type->shape.dtype, type->shape.rank,
                                type->shape.dims));
    for (int i = 1; i < op->result_count; i++)
        TRY(infer_check_result_dims(arena, op, i, type->shape.dtype, 1,
                                    &type->shape.dims[feature]));
    return NULL;
}
