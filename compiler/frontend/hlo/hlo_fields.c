#include "compiler/frontend/hlo/hlo_fields.h"

#include <string.h>

#include "compiler/frontend/hlo/hlo_groups.h"

/* A list of the message, not copied. */
#define LIST(from, name) ((struct dims){(int64_t)(from)->n_##name, (from)->name})

/* The field `name` of every element of a repeated message. */
#define COLUMN(arena, from, field, name, out)                                                      \
    do {                                                                                           \
        int64_t *column_ = ARENA_ARRAY((arena), int64_t, (from)->n_##field);                       \
        for (size_t i_ = 0; i_ < (from)->n_##field; i_++)                                          \
            column_[i_] = (from)->field[i_]->name;                                                 \
        *(out) = (struct dims){(int64_t)(from)->n_##field, column_};                               \
    } while (0)

#define NEED(what, words)                                                                          \
    do {                                                                                           \
        if (!(what))                                                                               \
            return ERROR(INVALID_ARGUMENT, "must have %s", (words));                               \
    } while (0)

static struct error *one_dimension(const hlo_instruction *in, int64_t *out)
{
    if (in->n_dimensions != 1)
        return ERROR(INVALID_ARGUMENT, "has %zu dimensions; it must have 1", in->n_dimensions);
    *out = in->dimensions[0];
    return NULL;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

struct error *hlo_fields_broadcast(struct hlo_frame *f, const hlo_instruction *in,
                                   union attrs *attrs)
{
    (void)f;
    attrs->broadcast_in_dim.broadcast_dimensions = LIST(in, dimensions);
    return NULL;
}

struct error *hlo_fields_dimension(struct hlo_frame *f, const hlo_instruction *in,
                                   union attrs *attrs)
{
    (void)f;
    return one_dimension(in, &attrs->dimension.dimension);
}

struct error *hlo_fields_dimensions(struct hlo_frame *f, const hlo_instruction *in,
                                    union attrs *attrs)
{
    (void)f;
    attrs->dimensions.dimensions = LIST(in, dimensions);
    return NULL;
}

struct error *hlo_fields_iota(struct hlo_frame *f, const hlo_instruction *in, union attrs *attrs)
{
    (void)f;
    return one_dimension(in, &attrs->iota.iota_dimension);
}

struct error *hlo_fields_transpose(struct hlo_frame *f, const hlo_instruction *in,
                                   union attrs *attrs)
{
    (void)f;
    attrs->transpose.permutation = LIST(in, dimensions);
    return NULL;
}

struct error *hlo_fields_slice(struct hlo_frame *f, const hlo_instruction *in, union attrs *attrs)
{
    struct attrs_slice *slice = &attrs->slice;
    COLUMN(f->hlo->arena, in, slice, start, &slice->start_indices);
    COLUMN(f->hlo->arena, in, slice, limit, &slice->limit_indices);
    COLUMN(f->hlo->arena, in, slice, stride, &slice->strides);
    return NULL;
}

struct error *hlo_fields_dynamic_slice(struct hlo_frame *f, const hlo_instruction *in,
                                       union attrs *attrs)
{
    (void)f;
    attrs->dynamic_slice.slice_sizes = LIST(in, dynamic_slice_sizes);
    return NULL;
}

struct error *hlo_fields_pad(struct hlo_frame *f, const hlo_instruction *in, union attrs *attrs)
{
    static const Gantry__Hlo__Padding none = GANTRY__HLO__PADDING__INIT; /* for a scalar */
    const Gantry__Hlo__Padding *padding = in->padding ? in->padding : &none;
    struct attrs_pad *pad = &attrs->pad;
    COLUMN(f->hlo->arena, padding, dimensions, low, &pad->edge_padding_low);
    COLUMN(f->hlo->arena, padding, dimensions, high, &pad->edge_padding_high);
    COLUMN(f->hlo->arena, padding, dimensions, interior, &pad->interior_padding);
    return NULL;
}

struct error *hlo_fields_sort(struct hlo_frame *f, const hlo_instruction *in, union attrs *attrs)
{
    (void)f;
    attrs->sort.is_stable = in->is_stable;
    return one_dimension(in, &attrs->sort.dimension);
}

/* ---- elements -------------------------------------------------------------------------------- */

/* The position of a word in a list, or -1. */
static int find_word(const char *word, int count, const char *const *words)
{
    for (int i = 0; i < count; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    return -1;
}

struct error *hlo_fields_compare(struct hlo_frame *f, const hlo_instruction *in, union attrs *attrs)
{
    static const char *const directions[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
    static const char *const types[] = {"", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"};
    int direction = find_word(in->comparison_direction, 6, directions);
    int type = find_word(in->comparison_type, 5, types);
    (void)f;
    if (direction < 0 || type < 0)
        return ERROR(INVALID_ARGUMENT,
                     "its direction is \"%.20s\" and its type \"%.20s\"; they must be EQ, NE, GE, "
                     "GT, LE or LT, and FLOAT, TOTALORDER, SIGNED, UNSIGNED or empty",
                     in->comparison_direction, in->comparison_type);
    attrs->compare.comparison_direction = (enum comparison)direction;
    attrs->compare.compare_type = (enum compare_type)type;
    return NULL;
}

struct error *hlo_fields_reduce_precision(struct hlo_frame *f, const hlo_instruction *in,
                                          union attrs *attrs)
{
    (void)f;
    attrs->reduce_precision.exponent_bits = in->exponent_bits;
    attrs->reduce_precision.mantissa_bits = in->mantissa_bits;
    return NULL;
}

struct error *hlo_fields_batch_norm(struct hlo_frame *f, const hlo_instruction *in,
                                    union attrs *attrs)
{
    (void)f;
    attrs->batch_norm.epsilon = (double)in->epsilon;
    attrs->batch_norm.feature_index = in->feature_index;
    return NULL;
}

struct error *hlo_fields_rng_bit_generator(struct hlo_frame *f, const hlo_instruction *in,
                                           union attrs *attrs)
{
    (void)f;
    attrs->rng_bit_generator.rng_algorithm = (enum rng_algorithm)in->rng_algorithm;
    return NULL;
}

/* ---- linear algebra -------------------------------------------------------------------------- */

static struct error *set_precision(const hlo_instruction *in, struct precisions *out)
{
    int32_t values[2] = {PRECISION_DEFAULT, PRECISION_DEFAULT};
    for (size_t i = 0; in->precision && i < in->precision->n_operands && i < 2; i++) {
        values[i] = in->precision->operands[i];
        if (values[i] < PRECISION_DEFAULT || values[i] > PRECISION_HIGHEST)
            return ERROR(UNIMPLEMENTED, "precision %d is unsupported; it must be in [%d, %d]",
                         values[i], PRECISION_DEFAULT, PRECISION_HIGHEST);
    }
    *out = (struct precisions){(enum precision)values[0], (enum precision)values[1]};
    return NULL;
}

/* The algorithms by HLO's number. TF32 is computed as F32, which is more precise. */
static const struct algorithm {
    enum dtype operands, accumulation;
    int operations;
    bool imprecise;
} algorithms[] = {
    [1] = {DTYPE_F8E5M2, DTYPE_F32, 1, false}, [2] = {DTYPE_F8E5M2, DTYPE_F32, 1, true},
    [3] = {DTYPE_F16, DTYPE_F16, 1, false},    [4] = {DTYPE_F16, DTYPE_F32, 1, false},
    [5] = {DTYPE_BF16, DTYPE_BF16, 1, false},  [6] = {DTYPE_BF16, DTYPE_F32, 1, false},
    [7] = {DTYPE_BF16, DTYPE_F32, 3, false},   [8] = {DTYPE_BF16, DTYPE_F32, 6, false},
    [9] = {DTYPE_F32, DTYPE_F32, 1, false},    [10] = {DTYPE_F32, DTYPE_F32, 3, false},
    [11] = {DTYPE_F32, DTYPE_F32, 1, false},   [12] = {DTYPE_F64, DTYPE_F64, 1, false},
    [13] = {DTYPE_BF16, DTYPE_F32, 9, false},
};

static struct error *set_algorithm(const hlo_instruction *in, struct attrs_dot *out)
{
    int32_t number = in->precision ? in->precision->algorithm : 0;
    if (number == 0)
        return NULL;
    if (number < 0 || (size_t)number >= sizeof algorithms / sizeof *algorithms)
        return ERROR(UNIMPLEMENTED, "the dot algorithm %d is unsupported", number);
    const struct algorithm *algorithm = &algorithms[number];
    out->lhs_precision_type = out->rhs_precision_type = algorithm->operands;
    out->accumulation_type = algorithm->accumulation;
    out->lhs_component_count = out->rhs_component_count = 1;
    out->num_primitive_operations = algorithm->operations;
    out->allow_imprecise_accumulation = algorithm->imprecise;
    return NULL;
}

struct error *hlo_fields_dot(struct hlo_frame *f, const hlo_instruction *in, union attrs *attrs)
{
    struct attrs_dot *dot = &attrs->dot;
    (void)f;
    NEED(in->dot, "dimension numbers");
    dot->lhs_batching_dimensions = LIST(in->dot, lhs_batch);
    dot->rhs_batching_dimensions = LIST(in->dot, rhs_batch);
    dot->lhs_contracting_dimensions = LIST(in->dot, lhs_contracting);
    dot->rhs_contracting_dimensions = LIST(in->dot, rhs_contracting);
    TRY(set_algorithm(in, dot));
    return set_precision(in, &dot->precision_config);
}

struct error *hlo_fields_fft(struct hlo_frame *f, const hlo_instruction *in, union attrs *attrs)
{
    (void)f;
    if (in->fft_type < FFT_FFT || in->fft_type > FFT_IRFFT)
        return ERROR(INVALID_ARGUMENT, "fft_type is %d; it must be in [%d, %d]", in->fft_type,
                     FFT_FFT, FFT_IRFFT);
    attrs->fft.fft_type = (enum fft_type)in->fft_type;
    attrs->fft.fft_length = LIST(in, fft_length);
    return NULL;
}

struct error *hlo_fields_cholesky(struct hlo_frame *f, const hlo_instruction *in,
                                  union attrs *attrs)
{
    (void)f;
    attrs->cholesky.lower = in->cholesky && in->cholesky->lower;
    return NULL;
}

struct error *hlo_fields_triangular_solve(struct hlo_frame *f, const hlo_instruction *in,
                                          union attrs *attrs)
{
    (void)f;
    NEED(in->triangular_solve, "options");
    if (in->triangular_solve->transpose < TRANSPOSE_INVALID ||
        in->triangular_solve->transpose > TRANSPOSE_ADJOINT)
        return ERROR(INVALID_ARGUMENT, "transpose_a is %d; it must be in [%d, %d]",
                     in->triangular_solve->transpose, TRANSPOSE_INVALID, TRANSPOSE_ADJOINT);
    attrs->triangular_solve.left_side = in->triangular_solve->left_side;
    attrs->triangular_solve.lower = in->triangular_solve->lower;
    attrs->triangular_solve.unit_diagonal = in->triangular_solve->unit_diagonal;
    attrs->triangular_solve.transpose_a = (enum transpose_kind)in->triangular_solve->transpose;
    return NULL;
}

/* ---- windows --------------------------------------------------------------------------------- */

/* Replaces absent numbers (0) by 1. */
#define AT_LEAST_ONE(list)                                                                         \
    do {                                                                                           \
        for (int64_t k_ = 0; k_ < (list).count; k_++)                                              \
            ((int64_t *)(list).at)[k_] += (list).at[k_] == 0;                                      \
    } while (0)

static struct pairs window_padding(struct arena *arena, const Gantry__Hlo__Window *window)
{
    size_t count = window->n_dimensions;
    int64_t *at = ARENA_ARRAY(arena, int64_t, 2 * count);
    for (size_t i = 0; i < count; i++) {
        at[2 * i] = window->dimensions[i]->padding_low;
        at[2 * i + 1] = window->dimensions[i]->padding_high;
    }
    return (struct pairs){(int64_t)count, 2, at};
}

static const Gantry__Hlo__Window *window_of(const hlo_instruction *in)
{
    static const Gantry__Hlo__Window none = GANTRY__HLO__WINDOW__INIT; /* for rank 0 */
    return in->window ? in->window : &none;
}

static void read_window(struct arena *arena, const Gantry__Hlo__Window *from,
                        struct attrs_window *window)
{
    COLUMN(arena, from, dimensions, size, &window->window_dimensions);
    COLUMN(arena, from, dimensions, stride, &window->window_strides);
    COLUMN(arena, from, dimensions, base_dilation, &window->base_dilations);
    COLUMN(arena, from, dimensions, window_dilation, &window->window_dilations);
    AT_LEAST_ONE(window->window_strides);
    AT_LEAST_ONE(window->base_dilations);
    AT_LEAST_ONE(window->window_dilations);
    window->padding = window_padding(arena, from);
}

struct error *hlo_fields_window(struct hlo_frame *f, const hlo_instruction *in, union attrs *attrs)
{
    const Gantry__Hlo__Window *from = window_of(in);
    for (size_t i = 0; i < from->n_dimensions; i++)
        if (from->dimensions[i]->reversal)
            return ERROR(UNIMPLEMENTED, "reversed windows are unsupported in reduce-window");
    read_window(f->hlo->arena, from, &attrs->window);
    return NULL;
}

struct error *hlo_fields_select_and_scatter(struct hlo_frame *f, const hlo_instruction *in,
                                            union attrs *attrs)
{
    struct attrs_window window = {0};
    read_window(f->hlo->arena, window_of(in), &window);
    for (int64_t i = 0; i < window.window_dimensions.count; i++)
        if (window.base_dilations.at[i] != 1 || window.window_dilations.at[i] != 1)
            return ERROR(UNIMPLEMENTED, "dilated windows are unsupported in select-and-scatter");
    attrs->select_and_scatter.window_dimensions = window.window_dimensions;
    attrs->select_and_scatter.window_strides = window.window_strides;
    attrs->select_and_scatter.padding = window.padding;
    return NULL;
}

struct error *hlo_fields_convolution(struct hlo_frame *f, const hlo_instruction *in,
                                     union attrs *attrs)
{
    const Gantry__Hlo__ConvolutionNumbers *numbers = in->convolution;
    const Gantry__Hlo__Window *from = window_of(in);
    struct attrs_window window = {0};
    struct attrs_convolution *out = &attrs->convolution;
    NEED(numbers, "dimension numbers");
    read_window(f->hlo->arena, from, &window);
    out->window_strides = window.window_strides;
    out->padding = window.padding;
    out->lhs_dilation = window.base_dilations;
    out->rhs_dilation = window.window_dilations;
    COLUMN(f->hlo->arena, from, dimensions, reversal, &out->window_reversal);
    out->input_batch_dimension = numbers->input_batch;
    out->input_feature_dimension = numbers->input_feature;
    out->input_spatial_dimensions = LIST(numbers, input_spatial);
    out->kernel_input_feature_dimension = numbers->kernel_input_feature;
    out->kernel_output_feature_dimension = numbers->kernel_output_feature;
    out->kernel_spatial_dimensions = LIST(numbers, kernel_spatial);
    out->output_batch_dimension = numbers->output_batch;
    out->output_feature_dimension = numbers->output_feature;
    out->output_spatial_dimensions = LIST(numbers, output_spatial);
    out->feature_group_count = in->feature_group_count ? in->feature_group_count : 1;
    out->batch_group_count = in->batch_group_count ? in->batch_group_count : 1;
    return set_precision(in, &out->precision_config);
}

/* ---- indices --------------------------------------------------------------------------------- */

struct error *hlo_fields_gather(struct hlo_frame *f, const hlo_instruction *in, union attrs *attrs)
{
    const Gantry__Hlo__GatherNumbers *from = in->gather;
    struct attrs_gather *gather = &attrs->gather;
    (void)f;
    NEED(from, "dimension numbers");
    gather->offset_dims = LIST(from, offset_dims);
    gather->collapsed_slice_dims = LIST(from, collapsed_slice_dims);
    gather->operand_batching_dims = LIST(from, operand_batching_dims);
    gather->start_indices_batching_dims = LIST(from, start_indices_batching_dims);
    gather->start_index_map = LIST(from, start_index_map);
    gather->index_vector_dim = from->index_vector_dim;
    gather->slice_sizes = LIST(in, gather_slice_sizes);
    gather->indices_are_sorted = in->indices_are_sorted;
    return NULL;
}

struct error *hlo_fields_scatter(struct hlo_frame *f, const hlo_instruction *in, union attrs *attrs)
{
    const Gantry__Hlo__ScatterNumbers *from = in->scatter;
    struct attrs_scatter *scatter = &attrs->scatter;
    (void)f;
    NEED(from, "dimension numbers");
    scatter->update_window_dims = LIST(from, update_window_dims);
    scatter->inserted_window_dims = LIST(from, inserted_window_dims);
    scatter->input_batching_dims = LIST(from, input_batching_dims);
    scatter->scatter_indices_batching_dims = LIST(from, scatter_indices_batching_dims);
    scatter->scatter_dims_to_operand_dims = LIST(from, scatter_dims_to_operand_dims);
    scatter->index_vector_dim = from->index_vector_dim;
    scatter->indices_are_sorted = in->indices_are_sorted;
    scatter->unique_indices = in->unique_indices;
    return NULL;
}

/* ---- collectives ----------------------------------------------------------------------------- */

struct error *hlo_fields_all_gather(struct hlo_frame *f, const hlo_instruction *in,
                                    union attrs *attrs)
{
    attrs->all_gather.channel_id = in->channel_id;
    attrs->all_gather.use_global_device_ids = in->use_global_device_ids;
    TRY(one_dimension(in, &attrs->all_gather.all_gather_dim));
    return hlo_groups_read(f->hlo, in, &attrs->all_gather.replica_groups);
}

struct error *hlo_fields_all_reduce(struct hlo_frame *f, const hlo_instruction *in,
                                    union attrs *attrs)
{
    attrs->all_reduce.channel_id = in->channel_id;
    attrs->all_reduce.use_global_device_ids = in->use_global_device_ids;
    return hlo_groups_read(f->hlo, in, &attrs->all_reduce.replica_groups);
}

struct error *hlo_fields_all_to_all(struct hlo_frame *f, const hlo_instruction *in,
                                    union attrs *attrs)
{
    struct attrs_all_to_all *all = &attrs->all_to_all;
    TRY(one_dimension(in, &all->split_dimension));
    all->concat_dimension = all->split_dimension;
    all->channel_id = in->channel_id;
    TRY(hlo_groups_read(f->hlo, in, &all->replica_groups));
    all->split_count = all->replica_groups.columns;
    return NULL;
}

struct error *hlo_fields_collective(struct hlo_frame *f, const hlo_instruction *in,
                                    union attrs *attrs)
{
    attrs->collective.channel_id = in->channel_id;
    attrs->collective.has_dynamic_root = in->has_dynamic_root;
    return hlo_groups_read(f->hlo, in, &attrs->collective.replica_groups);
}

struct error *hlo_fields_collective_reduce(struct hlo_frame *f, const hlo_instruction *in,
                                           union attrs *attrs)
{
    attrs->collective_reduce.channel_id = in->channel_id;
    attrs->collective_reduce.use_global_device_ids = in->use_global_device_ids;
    attrs->collective_reduce.has_dynamic_root = in->has_dynamic_root;
    return hlo_groups_read(f->hlo, in, &attrs->collective_reduce.replica_groups);
}

struct error *hlo_fields_collective_permute(struct hlo_frame *f, const hlo_instruction *in,
                                            union attrs *attrs)
{
    size_t count = in->n_source_targets;
    int64_t *at = ARENA_ARRAY(f->hlo->arena, int64_t, 2 * count);
    for (size_t i = 0; i < count; i++) {
        at[2 * i] = in->source_targets[i]->source;
        at[2 * i + 1] = in->source_targets[i]->target;
    }
    attrs->collective_permute.source_target_pairs = (struct pairs){(int64_t)count, 2, at};
    attrs->collective_permute.channel_id = in->channel_id;
    return NULL;
}

struct error *hlo_fields_reduce_scatter(struct hlo_frame *f, const hlo_instruction *in,
                                        union attrs *attrs)
{
    attrs->reduce_scatter.channel_id = in->channel_id;
    attrs->reduce_scatter.use_global_device_ids = in->use_global_device_ids;
    TRY(one_dimension(in, &attrs->reduce_scatter.scatter_dimension));
    return hlo_groups_read(f->hlo, in, &attrs->reduce_scatter.replica_groups);
}
