/* infer_test.c: the results and errors of the type rules of each family of operations. */
#include "compiler/ir/infer.h"

#include <stdarg.h>

#include "compiler/ir/ir_fixture.h"
#include "compiler/ir/sharding.h"

static void begin(void)
{
    fixture_begin();
    fixture_module->entry = ir_func(fixture_module, "main");
}

TestSuite(infer, .init = begin, .fini = fixture_end);

static struct op *op(enum op_code code, const union attrs *attrs, int count, ...)
{
    struct value *operands[8];
    va_list list;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        operands[i] = fixture_value(va_arg(list, const char *));
    va_end(list);
    struct op *made = ir_op(fixture_module, code, count, operands, 1, NULL, 0);
    if (attrs)
        made->attrs = *attrs;
    return made;
}

static void expect_type(struct op *made, const char *expected)
{
    struct error *error = infer_op(fixture_arena, made);
    cr_assert_null(error, "%s", error ? error_message(error, NULL) : "");
    cr_expect_str_eq(type_text(fixture_arena, made->results[0].type), expected);
}

static void expect_error(struct op *made, const char *part)
{
    struct error *error = infer_op(fixture_arena, made);
    cr_assert_not_null(error, "%s was accepted", op_info(made->code)->name);
    cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_expect(strstr(error_message(error, NULL), part), "'%s' is not in '%s'", part,
              error_message(error, NULL));
    error_free(error);
}

Test(infer, elementwise)
{
    expect_type(op(OP_add, NULL, 2, "f32 4 8", "f32 4 8"), "tensor<4x8xf32>");
    expect_error(op(OP_add, NULL, 2, "f32 4 8", "f32 4"), "equal sizes");
    expect_error(op(OP_add, NULL, 2, "f32 4", "s32 4"), "equal element types");
    expect_error(op(OP_and, NULL, 2, "f32 4", "f32 4"), "pred integer");
    expect_error(op(OP_tanh, NULL, 1, "s32 4"), "float complex");
    expect_type(op(OP_abs, NULL, 1, "c64 3"), "tensor<3xf32>");
    expect_type(op(OP_is_finite, NULL, 1, "bf16 3"), "tensor<3xi1>");
    expect_type(op(OP_complex, NULL, 2, "f64 2", "f64 2"), "tensor<2xcomplex<f64>>");
    expect_type(op(OP_select, NULL, 3, "pred", "f32 2", "f32 2"), "tensor<2xf32>");
    expect_type(op(OP_clamp, NULL, 3, "f32", "f32 2", "f32 2"), "tensor<2xf32>");
    expect_error(op(OP_clamp, NULL, 3, "f32 3", "f32 2", "f32 2"), "equal sizes");
}

Test(infer, shapes)
{
    union attrs a = {.transpose = {.permutation = DIMS(1, 0)}};
    expect_type(op(OP_transpose, &a, 1, "f32 4 8"), "tensor<8x4xf32>");
    a = (union attrs){.transpose = {.permutation = DIMS(1, 1)}};
    expect_error(op(OP_transpose, &a, 1, "f32 4 8"), "twice");
    a = (union attrs){.transpose = {.permutation = DIMS(0, 2)}};
    expect_error(op(OP_transpose, &a, 1, "f32 4 8"), "permutation is 2; it must be in [0, 1]");
    a = (union attrs){
        .slice = {.start_indices = DIMS(1), .limit_indices = DIMS(8), .strides = DIMS(3)}};
    expect_type(op(OP_slice, &a, 1, "f32 8"), "tensor<3xf32>");
    expect_error(op(OP_slice, &a, 1, "f32 7"), "limit_indices is 8");
    a = (union attrs){.pad = {.edge_padding_low = DIMS(-1),
                              .edge_padding_high = DIMS(2),
                              .interior_padding = DIMS(1)}};
    expect_type(op(OP_pad, &a, 2, "f32 3", "f32"), "tensor<6xf32>");
    a.pad.edge_padding_low = DIMS(-9);
    expect_error(op(OP_pad, &a, 2, "f32 3", "f32"), "negative");
    a = (union attrs){.dimension = {.dimension = 1}};
    expect_type(op(OP_concatenate, &a, 3, "f32 2 3", "f32 2 0", "f32 2 5"), "tensor<2x8xf32>");
    expect_error(op(OP_concatenate, &a, 2, "f32 2 3", "f32 3 3"), "must match");
    a = (union attrs){.dynamic_slice = {.slice_sizes = DIMS(2, 1)}};
    expect_type(op(OP_dynamic_slice, &a, 3, "f32 4 4", "s32", "s32"), "tensor<2x1xf32>");
    expect_error(op(OP_dynamic_slice, &a, 2, "f32 4 4", "s32"), "start indices");
    expect_error(op(OP_dynamic_slice, &a, 3, "f32 1 4", "s32", "s32"),
                 "slice_sizes is 2; it must be in [0, 1]");
}

Test(infer, products)
{
    union attrs a = {.dot = {.lhs_batching_dimensions = DIMS(0),
                             .rhs_batching_dimensions = DIMS(0),
                             .lhs_contracting_dimensions = DIMS(2),
                             .rhs_contracting_dimensions = DIMS(1)}};
    expect_type(op(OP_dot_general, &a, 2, "f32 2 3 4", "f32 2 4 5"), "tensor<2x3x5xf32>");
    expect_error(op(OP_dot_general, &a, 2, "f32 2 3 4", "f32 2 6 5"), "differ in size");
    a.dot.lhs_contracting_dimensions = DIMS(0);
    expect_error(op(OP_dot_general, &a, 2, "f32 2 3 4", "f32 2 2 5"),
                 "both batching and contracting");
    union attrs c = {.convolution = {.input_feature_dimension = 3,
                                     .input_spatial_dimensions = DIMS(1, 2),
                                     .kernel_input_feature_dimension = 2,
                                     .kernel_output_feature_dimension = 3,
                                     .kernel_spatial_dimensions = DIMS(0, 1),
                                     .output_feature_dimension = 3,
                                     .output_spatial_dimensions = DIMS(1, 2),
                                     .window_strides = DIMS(2, 2),
                                     .feature_group_count = 1,
                                     .batch_group_count = 1}};
    expect_type(op(OP_convolution, &c, 2, "f32 1 9 9 4", "f32 3 3 4 8"), "tensor<1x4x4x8xf32>");
    expect_error(op(OP_convolution, &c, 2, "f32 1 9 9 4", "f32 3 3 3 8"), "do not match");
    c.convolution.window_strides = DIMS(0, 1);
    expect_error(op(OP_convolution, &c, 2, "f32 1 9 9 4", "f32 3 3 4 8"), "window_strides is 0");
    union attrs f = {.fft = {.fft_type = FFT_RFFT, .fft_length = DIMS(8)}};
    expect_type(op(OP_fft, &f, 1, "f32 3 8"), "tensor<3x5xcomplex<f32>>");
    f.fft.fft_type = FFT_IRFFT;
    expect_type(op(OP_fft, &f, 1, "c64 3 5"), "tensor<3x8xf32>");
    expect_error(op(OP_fft, &f, 1, "c64 3 8"), "does not match");
    f.fft.fft_length = DIMS(0);
    expect_type(op(OP_fft, &f, 1, "c64 3 1"), "tensor<3x0xf32>");
    expect_type(op(OP_fft, &f, 1, "c64 3 0"), "tensor<3x0xf32>");
    expect_error(op(OP_fft, &f, 1, "c64 3 2"), "does not match");
}

Test(infer, gather)
{
    union attrs a = {.gather = {.offset_dims = DIMS(1),
                                .collapsed_slice_dims = DIMS(0),
                                .start_index_map = DIMS(0),
                                .index_vector_dim = 1,
                                .slice_sizes = DIMS(1, 8)}};
    expect_type(op(OP_gather, &a, 2, "f32 10 8", "s32 5 1"), "tensor<5x8xf32>");
    expect_error(op(OP_gather, &a, 2, "f32 10 8", "s32 5 2"), "index vectors have 2");
    expect_error(op(OP_gather, &a, 2, "f32 10 8", "f32 5 1"), "integer");
    a.gather.slice_sizes = DIMS(0, 8); /* the dimension does not exist */
    expect_type(op(OP_gather, &a, 2, "f32 0 8", "s32 0 1"), "tensor<0x8xf32>");
    expect_error(op(OP_gather, &a, 2, "f32 0 8", "s32 5 1"),
                 "dimension 0 of the operand has size 0");
    expect_error(op(OP_gather, &a, 2, "f32 10 8", "s32 5 1"),
                 "slice_sizes is 0; it must be in [1, 1]");
    a.gather.slice_sizes = DIMS(1, 9);
    expect_error(op(OP_gather, &a, 2, "f32 10 8", "s32 5 1"), "slice_sizes is 9");
    a.gather.slice_sizes = DIMS(2, 8);
    expect_error(op(OP_gather, &a, 2, "f32 10 8", "s32 5 1"), "slice_sizes is 2");
}

Test(infer, operand_counts_and_types_that_overflow)
{
    expect_error(op(OP_add, NULL, 1, "f32"), "has 1 operands; it must have 2");
    expect_error(op(OP_negate, NULL, 1, "f32 4611686018427387904 4"), "overflows");
}

static const struct mesh mesh = {
    NULL, 2, (const char *const[]){"x", "y"}, (const int64_t[]){4, 2}, 8, NULL};

/* The operation at the boundary of a manual computation over "x", with dimension 0 sharded along
 * all axes. */
static struct op *boundary(enum op_code code, const char *operand, const char *result)
{
    static const struct axis_ref axes[] = {{0, 0, 0}, {1, 0, 0}};
    static const struct dim_sharding dims[] = {{{2, axes}, true, -1}, {{0, NULL}, true, -1}};
    static const struct sharding sharding = {
        .mesh = &mesh, .rank = 2, .dims = dims, .manual = {1, axes}};
    struct op *made = op(code, &(union attrs){.manual = {.sharding = &sharding}}, 1, operand);
    made->results[0].type = fixture_value(result)->type;
    return made;
}

Test(infer, shardings)
{
    expect_type(boundary(OP_full_to_shard, "f32 8 3", "f32 2 3"), "tensor<2x3xf32>");
    expect_type(boundary(OP_shard_to_full, "f32 2 3", "f32 8 3"), "tensor<8x3xf32>");
    expect_error(boundary(OP_full_to_shard, "f32 8 3", "f32 8 3"), "manual axes have 4 devices");
    expect_error(boundary(OP_full_to_shard, "f32 9 3", "f32 2 3"),
                 "dimension 0 of the full value is 9");
    expect_error(boundary(OP_full_to_shard, "f32 8 3", "s32 2 3"), "not a shard");
    expect_error(boundary(OP_shard_to_full, "f32 2", "f32 8"), "a sharding of 2 dimensions");
    union attrs attrs = {
        .sharding = {.sharding = sharding_replicated(fixture_arena, &mesh, 1, true)}};
    expect_type(op(OP_sharding_constraint, &attrs, 1, "f32 8"), "tensor<8xf32>");
    expect_error(op(OP_sharding_constraint, &attrs, 1, "f32 8 8"), "a sharding of 1 dimensions");
    expect_error(op(OP_sharding_constraint, NULL, 1, "f32 8 8"), "has no sharding");
}
