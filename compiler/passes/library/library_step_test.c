/* Tests how the target's libraries are queried, and how unsupported operations are rewritten. */
#include "compiler/passes/library/library_step.h"

#include "compiler/analysis/library_spec.h"
#include "compiler/passes/layout/layout.h"
#include "compiler/passes/passes_fixture.h"
#include "compiler/target_fixture.h"

TestSuite(library_step, .init = fixture_begin, .fini = fixture_end);

static bool dot_of_f32(const struct dot_spec *spec)
{
    return spec->lhs == DTYPE_F32 && spec->rhs == DTYPE_F32 && spec->out == DTYPE_F32;
}

static bool convolution_of_f32(const struct convolution_spec *spec)
{
    return spec->lhs == DTYPE_F32 && spec->rhs == DTYPE_F32 && spec->out == DTYPE_F32;
}

/* A processor whose libraries support only f32. */
static const struct target only_f32 = {
    .name = "test", .supports_dot = dot_of_f32, .supports_convolution = convolution_of_f32};
static const struct target without_libraries = {.name = "test"};

static struct error *layout_f32(struct module *module, const struct target *target)
{
    (void)target;
    return layout_run(module, &only_f32);
}

static struct error *layout_without(struct module *module, const struct target *target)
{
    (void)target;
    return layout_run(module, &without_libraries);
}

static struct error *layout_all(struct module *module, const struct target *target)
{
    struct target all = target_fixture();
    (void)target;
    return layout_run(module, &all);
}

static int64_t zero[] = {0}, one[] = {1}, two[] = {2}, padding[] = {0, 0};
static const struct dims at_0 = {1, zero}, at_1 = {1, one}, at_2 = {1, two};

static struct value *product(enum dtype result)
{
    struct value *lhs = argument(0), *rhs = argument(1);
    union attrs attrs = {
        .dot = {.lhs_contracting_dimensions = at_1, .rhs_contracting_dimensions = at_0}};
    const struct type *type = type_tensor(
        fixture_arena, result, 2, (int64_t[]){lhs->type->shape.dims[0], rhs->type->shape.dims[1]});
    return build_declared(&fixture, OP_dot_general, 2, (struct value *[]){lhs, rhs}, type, &attrs);
}

static struct value *convolution(void)
{
    union attrs attrs = {.convolution = {.window_strides = at_1,
                                         .padding = {1, 2, padding},
                                         .lhs_dilation = at_1,
                                         .rhs_dilation = at_1,
                                         .input_feature_dimension = 1,
                                         .input_spatial_dimensions = at_2,
                                         .kernel_input_feature_dimension = 1,
                                         .kernel_spatial_dimensions = at_2,
                                         .output_feature_dimension = 1,
                                         .output_spatial_dimensions = at_2,
                                         .feature_group_count = 1,
                                         .batch_group_count = 1}};
    struct value *operands[] = {argument(0), argument(1)};
    return &build_op(&fixture, OP_convolution, 2, operands, 1, &attrs)->results[0];
}

static const struct op *find(enum op_code code)
{
    for (const struct op *op = fixture.block->first; op; op = op->next)
        if (op->code == code)
            return op;
    return NULL;
}

static int conversions(void)
{
    int found = 0;
    for (const struct op *op = fixture.block->first; op; op = op->next)
        found += op->code == OP_convert;
    return found;
}

static enum dtype result_of(const struct op *op)
{
    return op->results[0].type->shape.dtype;
}

Test(library_step, a_refused_f16_product_is_one_of_f32_rounded_once)
{
    MAIN("f16 30 50", "f16 50 70");
    RETURN(product(DTYPE_F16));
    fixture_run(layout_f32);
    const struct op *dot = find(OP_dot_general);
    cr_expect_eq(result_of(dot), DTYPE_F32);
    cr_expect_eq(conversions(), 3);
    cr_expect(library_step_supported(dot, &only_f32));
    cr_expect_eq(result_of(dot->results[0].uses->user), DTYPE_F16);
}

Test(library_step, a_refused_product_with_a_wide_result_is_not_rounded)
{
    MAIN("bf16 30 50", "bf16 50 70");
    RETURN(product(DTYPE_F32));
    fixture_run(layout_f32);
    cr_expect_eq(result_of(find(OP_dot_general)), DTYPE_F32);
    cr_expect_eq(find(OP_return)->operands[0]->def, find(OP_dot_general));
    cr_expect_eq(conversions(), 2);
}

Test(library_step, a_product_of_8_bit_floats_is_one_of_f32)
{
    MAIN("f8e4m3fn 30 50", "f8e5m2 50 70");
    RETURN(product(DTYPE_F8E4M3FN));
    fixture_run(layout_f32);
    const struct op *dot = find(OP_dot_general);
    cr_expect_eq(result_of(dot), DTYPE_F32);
    cr_expect_eq(conversions(), 3);
    cr_expect(library_step_supported(dot, &only_f32));
    cr_expect_eq(result_of(dot->results[0].uses->user), DTYPE_F8E4M3FN);
}

static bool dot_of_bf16_or_f32(const struct dot_spec *spec)
{
    return spec->out == DTYPE_F32 && spec->lhs == spec->rhs &&
           (spec->lhs == DTYPE_BF16 || spec->lhs == DTYPE_F32);
}

/* The type of the operands of the product after the pass on a processor that multiplies bf16 or
 * not. */
static enum dtype widened_to(bool multiplies_bf16)
{
    struct target target = {
        .name = "test", .isa.bf16 = multiplies_bf16, .supports_dot = dot_of_bf16_or_f32};
    cr_assert_null(layout_run(fixture_module, &target));
    const struct op *dot = find(OP_dot_general);
    cr_expect_eq(result_of(dot), DTYPE_F32);
    return dot->operands[0]->type->shape.dtype;
}

Test(library_step, narrow_operands_are_bf16_where_the_processor_multiplies_it)
{
    MAIN("f8e4m3fn 300 500", "u8 500 70");
    RETURN(product(DTYPE_F16));
    cr_expect_eq(widened_to(true), DTYPE_BF16);
    cr_expect_eq(conversions(), 3);
}

Test(library_step, narrow_operands_are_f32_on_other_processors)
{
    MAIN("f8e4m3fn 300 500", "u8 500 70");
    RETURN(product(DTYPE_F16));
    cr_expect_eq(widened_to(false), DTYPE_F32);
}

Test(library_step, small_products_of_narrow_operands_are_of_f32)
{
    MAIN("f8e4m3fn 30 50", "u8 50 70");
    RETURN(product(DTYPE_F16));
    cr_expect_eq(widened_to(true), DTYPE_F32);
}

/* "bihd,bjhd->bhij" */
static struct value *product_of_heads(void)
{
    struct value *lhs = argument(0), *rhs = argument(1);
    static int64_t outer_dims[] = {0, 2}, last[] = {3};
    const struct dims outer = {2, outer_dims}, at_3 = {1, last};
    union attrs attrs = {.dot = {.lhs_batching_dimensions = outer,
                                 .rhs_batching_dimensions = outer,
                                 .lhs_contracting_dimensions = at_3,
                                 .rhs_contracting_dimensions = at_3}};
    const int64_t *l = lhs->type->shape.dims, *r = rhs->type->shape.dims;
    const struct type *type =
        type_tensor(fixture_arena, DTYPE_F32, 4, (int64_t[]){l[0], l[2], l[1], r[1]});
    return build_declared(&fixture, OP_dot_general, 2, (struct value *[]){lhs, rhs}, type, &attrs);
}

Test(library_step, small_products_of_bf16_in_many_calls_are_of_f32)
{
    MAIN("bf16 7 16 11 16", "bf16 7 16 11 16");
    RETURN(product_of_heads());
    cr_expect_eq(widened_to(true), DTYPE_F32);
    fixture_module->entry = NULL;
    MAIN("bf16 7 64 11 64", "bf16 7 64 11 64");
    RETURN(product_of_heads());
    cr_expect_eq(widened_to(true), DTYPE_BF16);
}

/* f16 has more significant bits than bf16, f8e8m0fnu a value that is subnormal in bf16. */
Test(library_step, operands_that_bf16_lacks_are_f32)
{
    MAIN("f8e8m0fnu 300 500", "f8e5m2 500 70");
    RETURN(product(DTYPE_F32));
    cr_expect_eq(widened_to(true), DTYPE_F32);
    fixture_module->entry = NULL;
    MAIN("f16 300 500", "f8e5m2 500 70");
    RETURN(product(DTYPE_F32));
    cr_expect_eq(widened_to(true), DTYPE_F32);
}

Test(library_step, a_product_of_small_integers_with_a_float_result_is_one_of_f32)
{
    MAIN("s8 30 50", "bf16 50 70");
    RETURN(product(DTYPE_F32));
    fixture_run(layout_f32);
    cr_expect(library_step_supported(find(OP_dot_general), &only_f32));
    cr_expect_eq(conversions(), 2);
}

Test(library_step, integers_that_f32_lacks_are_not_converted)
{
    MAIN("s32 30 50", "s8 50 70");
    RETURN(product(DTYPE_F32));
    fixture_run(layout_f32);
    cr_expect_eq(conversions(), 0);
}

static bool dot_of_integers(const struct dot_spec *spec)
{
    return spec->out == DTYPE_S64 ? spec->lhs == DTYPE_S64 && spec->rhs == DTYPE_S64
                                  : spec->out == DTYPE_S32 && spec->lhs == spec->rhs &&
                                        (spec->lhs == DTYPE_S32 || spec->lhs == DTYPE_S8);
}

/* The columns of the left by the rows of the right: a loop does not read vectors. */
static struct value *product_of_columns(enum dtype result)
{
    struct value *lhs = argument(0), *rhs = argument(1);
    union attrs attrs = {
        .dot = {.lhs_contracting_dimensions = at_0, .rhs_contracting_dimensions = at_1}};
    const struct type *type = type_tensor(
        fixture_arena, result, 2, (int64_t[]){lhs->type->shape.dims[1], rhs->type->shape.dims[0]});
    return build_declared(&fixture, OP_dot_general, 2, (struct value *[]){lhs, rhs}, type, &attrs);
}

/* The type of the operands of the product after the pass where s8, s32 and s64 are multiplied. */
static enum dtype integers_widened_to(const char *lhs, const char *rhs, enum dtype result)
{
    static const struct target target = {.name = "test", .supports_dot = dot_of_integers};
    MAIN(lhs, rhs);
    RETURN(product_of_columns(result));
    cr_assert_null(layout_run(fixture_module, &target));
    const struct op *dot = find(OP_dot_general);
    cr_expect_eq(find(OP_return)->operands[0]->type->shape.dtype, result);
    enum dtype operands = dot->operands[0]->type->shape.dtype;
    cr_expect_eq(dot->operands[1]->type->shape.dtype, operands);
    cr_expect(result_of(dot) == (operands == DTYPE_S64 ? DTYPE_S64 : DTYPE_S32));
    fixture_module->entry = NULL; /* for the next */
    return operands;
}

Test(library_step, integers_are_multiplied_in_s32_or_s64)
{
    cr_expect_eq(integers_widened_to("s16 50 30", "s16 70 50", DTYPE_S16), DTYPE_S32);
    cr_expect_eq(integers_widened_to("u8 50 30", "s8 70 50", DTYPE_S16), DTYPE_S32);
    cr_expect_eq(integers_widened_to("s64 50 30", "u32 70 50", DTYPE_U32), DTYPE_S32);
    cr_expect_eq(integers_widened_to("s16 50 30", "u32 70 50", DTYPE_U64), DTYPE_S64);
}

Test(library_step, s8_is_multiplied_as_it_is)
{
    cr_expect_eq(integers_widened_to("s8 50 30", "s8 70 50", DTYPE_S8), DTYPE_S8);
    cr_expect_eq(integers_widened_to("s8 50 30", "s8 70 50", DTYPE_S32), DTYPE_S8);
    cr_expect_eq(integers_widened_to("s8 50 30", "s8 70 50", DTYPE_S64), DTYPE_S64);
}

Test(library_step, results_of_8_bits_are_those_of_s8)
{
    cr_expect_eq(integers_widened_to("u8 50 30", "s8 70 50", DTYPE_U8), DTYPE_S8);
    cr_expect_eq(integers_widened_to("u8 50 30", "u8 70 50", DTYPE_S8), DTYPE_S8);
    cr_expect_eq(integers_widened_to("u8 50 3", "u8 70 50", DTYPE_S8), DTYPE_S32, "three rows");
}

/* The type of the result of the product after the pass, where a loop reads vectors. */
static enum dtype summed_in(const char *lhs, const char *rhs, enum dtype result)
{
    static const struct target target = {.name = "test", .supports_dot = dot_of_integers};
    MAIN(lhs, rhs);
    RETURN(product(result));
    cr_assert_null(layout_run(fixture_module, &target));
    enum dtype sum = result_of(find(OP_dot_general));
    fixture_end(), fixture_begin();
    return sum;
}

Test(library_step, long_sums_of_bytes_are_the_library_s)
{
    cr_expect_eq(summed_in("s8 128 200", "s8 200 3", DTYPE_S8), DTYPE_S32);
    cr_expect_eq(summed_in("u8 128 200", "u8 200 3", DTYPE_U8), DTYPE_S32);
    cr_expect_eq(summed_in("u8 128 8", "u8 8 300", DTYPE_U8), DTYPE_U8);
    cr_expect_eq(summed_in("u8 3 200", "u8 200 300", DTYPE_U8), DTYPE_U8);
    cr_expect_eq(summed_in("s16 128 200", "s16 200 3", DTYPE_S16), DTYPE_S16);
}

Test(library_step, predicates_are_multiplied_as_s8_or_f32)
{
    cr_expect_eq(integers_widened_to("pred 50 30", "pred 70 50", DTYPE_PRED), DTYPE_S8);
    fixture_end(), fixture_begin();
    MAIN("pred 50 30", "pred 70 50");
    RETURN(product_of_columns(DTYPE_PRED));
    fixture_run(layout_f32);
    cr_expect_eq(result_of(find(OP_dot_general)), DTYPE_F32);
    cr_expect_eq(result_of(find(OP_dot_general)->results[0].uses->user), DTYPE_PRED);
}

Test(library_step, narrow_integers_are_generated_where_a_loop_reads_vectors)
{
    static const struct target target = {.name = "test", .supports_dot = dot_of_integers};
    MAIN("s16 30 50", "s16 50 70");
    RETURN(product(DTYPE_S16));
    cr_assert_null(layout_run(fixture_module, &target));
    cr_expect_eq(conversions(), 0);
    fixture_end(), fixture_begin();
    MAIN("s16 30 50", "s16 50 70");
    RETURN(product(DTYPE_S32));
    cr_assert_null(layout_run(fixture_module, &target));
    cr_expect_eq(conversions(), 2);
}

Test(library_step, integers_by_a_vector_are_generated)
{
    struct target all = target_fixture();
    MAIN("s32 300 500", "s32 500 1");
    cr_expect_not(library_step_may_be(product(DTYPE_S32)->def, &all));
    cr_expect_not(library_step_must_be(product(DTYPE_S32)->def, &all));
}

static const struct op *square_of_batch(void)
{
    union attrs attrs = {.dot = {.lhs_batching_dimensions = at_0,
                                 .rhs_batching_dimensions = at_0,
                                 .lhs_contracting_dimensions = at_2,
                                 .rhs_contracting_dimensions = at_1}};
    struct value *operands[] = {argument(0), argument(0)};
    return build_op(&fixture, OP_dot_general, 2, operands, 1, &attrs);
}

static bool is_library_step(const char *lhs, const char *rhs)
{
    struct target all = target_fixture();
    MAIN(lhs, rhs);
    struct value *result = product(argument(0)->type->shape.dtype);
    bool is_step = library_step_supported(result->def, &all);
    fixture_module->entry = NULL; /* for the next */
    return is_step;
}

/* A complex product is several multiplications, which a loop does not interleave. */
Test(library_step, small_matrices_are_generated_code)
{
    cr_expect_not(is_library_step("f32 8 8", "f32 8 8"));
    cr_expect_not(is_library_step("f64 3 3", "f64 3 3"));
    cr_expect(is_library_step("f32 12 12", "f32 12 12"));
    cr_expect(is_library_step("c64 8 8", "c64 8 8"));
}

Test(library_step, batches_of_small_matrices_are_generated_code)
{
    struct target all = target_fixture();
    MAIN("f32 100 8 8");
    cr_expect_not(library_step_may_be(square_of_batch(), &all));
}

static enum dtype batches_of_s8_widened_to(const char *type)
{
    static const struct target target = {.name = "test", .supports_dot = dot_of_integers};
    MAIN(type);
    union attrs attrs = {.dot = {.lhs_batching_dimensions = at_0,
                                 .rhs_batching_dimensions = at_0,
                                 .lhs_contracting_dimensions = at_1,
                                 .rhs_contracting_dimensions = at_2}};
    struct value *operands[] = {argument(0), argument(0)};
    RETURN(&build_op(&fixture, OP_dot_general, 2, operands, 1, &attrs)->results[0]);
    cr_assert_null(layout_run(fixture_module, &target));
    fixture_module->entry = NULL; /* for the next */
    return find(OP_dot_general)->operands[0]->type->shape.dtype;
}

Test(library_step, batches_of_small_products_of_s8_are_multiplied_in_s32)
{
    cr_expect_eq(batches_of_s8_widened_to("s8 100 14 14"), DTYPE_S32);
    cr_expect_eq(batches_of_s8_widened_to("s8 100 40 40"), DTYPE_S8);
}

/* A loop reads the columns of a left side that are not innermost one by one. */
Test(library_step, small_matrices_are_the_library_s_where_a_loop_does_not_read_vectors)
{
    struct target all = target_fixture();
    MAIN("f32 100 8 12", "f32 100 7 12");
    union attrs attrs = {.dot = {.lhs_batching_dimensions = at_0,
                                 .rhs_batching_dimensions = at_0,
                                 .lhs_contracting_dimensions = at_2,
                                 .rhs_contracting_dimensions = at_2}};
    struct value *operands[] = {argument(0), argument(1)};
    const struct op *dot = build_op(&fixture, OP_dot_general, 2, operands, 1, &attrs);
    cr_expect(library_step_may_be(dot, &all));
    cr_expect_not(library_step_must_be(dot, &all));
}

Test(library_step, small_matrices_are_the_library_s_behind_a_transpose)
{
    struct target all = target_fixture();
    MAIN("f32 100 8 8");
    union attrs attrs = {.dot = {.lhs_batching_dimensions = at_0,
                                 .rhs_batching_dimensions = at_0,
                                 .lhs_contracting_dimensions = at_2,
                                 .rhs_contracting_dimensions = at_1}};
    struct value *t = build_transpose(&fixture, argument(0), (int64_t[]){0, 2, 1});
    struct value *operands[] = {t, argument(0)};
    const struct op *dot = build_op(&fixture, OP_dot_general, 2, operands, 1, &attrs);
    cr_expect(library_step_may_be(dot, &all));
}

Test(library_step, batches_of_large_matrices_are_the_library_s)
{
    struct target all = target_fixture();
    MAIN("f32 100 32 32");
    cr_expect(library_step_may_be(square_of_batch(), &all));
}

Test(library_step, a_square_is_converted_once)
{
    MAIN("f16 30 30");
    struct value *a = argument(0);
    union attrs attrs = {
        .dot = {.lhs_contracting_dimensions = at_1, .rhs_contracting_dimensions = at_0}};
    RETURN(&build_op(&fixture, OP_dot_general, 2, (struct value *[]){a, a}, 1, &attrs)->results[0]);
    fixture_run(layout_f32);
    cr_expect_eq(conversions(), 2);
}

Test(library_step, a_transpose_behind_is_still_part_of_the_product)
{
    struct dot_spec s;
    MAIN("f16 30 50", "f16 50 70");
    RETURN(build_transpose(&fixture, product(DTYPE_F16), (int64_t[]){1, 0}));
    fixture_run(layout_f32);
    const struct op *fusion = find(OP_fusion);
    cr_assert_not_null(fusion);
    cr_assert(library_spec_dot(fusion, &s));
    cr_expect(s.out == DTYPE_F32 && s.out_m_stride == 1 && s.out_n_stride == 30);
    cr_expect_eq(conversions(), 3);
}

Test(library_step, what_all_refuse_stays_as_it_is)
{
    MAIN("f16 30 50", "f16 50 70");
    RETURN(product(DTYPE_F16));
    fixture_run(layout_without);
    cr_expect_eq(conversions(), 0);
    cr_expect_not(library_step_supported(find(OP_dot_general), &without_libraries));
}

Test(library_step, what_is_supported_stays_as_it_is)
{
    struct target all = target_fixture();
    MAIN("f16 30 50", "f16 50 70");
    RETURN(product(DTYPE_F16));
    fixture_run(layout_all);
    cr_expect_eq(conversions(), 0);
    cr_expect(library_step_supported(find(OP_dot_general), &all));
}

Test(library_step, refused_integers_are_generated)
{
    MAIN("s8 30 50", "s8 50 70");
    RETURN(product(DTYPE_S32));
    fixture_run(layout_f32);
    cr_expect_eq(conversions(), 0);
    cr_expect_not(library_step_supported(find(OP_dot_general), &only_f32));
}

Test(library_step, many_tiny_products_are_generated)
{
    MAIN("f16 100 3 3", "f16 100 3 3");
    union attrs attrs = {.dot = {.lhs_batching_dimensions = at_0,
                                 .rhs_batching_dimensions = at_0,
                                 .lhs_contracting_dimensions = at_2,
                                 .rhs_contracting_dimensions = at_1}};
    struct value *operands[] = {argument(0), argument(1)};
    RETURN(&build_op(&fixture, OP_dot_general, 2, operands, 1, &attrs)->results[0]);
    fixture_run(layout_f32);
    cr_expect_eq(conversions(), 0);
    cr_expect_not(library_step_supported(find(OP_dot_general), &only_f32));
}

Test(library_step, a_refused_bf16_convolution_is_one_of_f32)
{
    MAIN("bf16 2 3 20", "bf16 4 3 5");
    RETURN(convolution());
    fixture_run(layout_f32);
    cr_expect_eq(result_of(find(OP_convolution)), DTYPE_F32);
    cr_expect_eq(conversions(), 3);
    cr_expect(library_step_supported(find(OP_convolution), &only_f32));
}

Test(library_step, a_convolution_that_all_refuse_is_generated)
{
    MAIN("bf16 2 3 20", "bf16 4 3 5");
    RETURN(convolution());
    fixture_run(layout_without);
    cr_expect_eq(conversions(), 0);
    cr_expect_not(library_step_supported(find(OP_convolution), &without_libraries));
}

Test(library_step, a_convolution_of_720_products_is_generated)
{
    MAIN("f32 1 3 16", "f32 4 3 5");
    RETURN(convolution());
    fixture_run(layout_f32);
    cr_expect_not(library_step_supported(find(OP_convolution), &only_f32));
}

Test(library_step, a_convolution_of_1920_products_is_the_library_s)
{
    MAIN("f32 2 3 20", "f32 4 3 5");
    RETURN(convolution());
    fixture_run(layout_f32);
    cr_expect(library_step_supported(find(OP_convolution), &only_f32));
}

/* ---- stencils -------------------------------------------------------------------------------- */
/* Depthwise if the input has several features; the window may be strided. */
static bool stencil_is_library_s(int64_t groups, int64_t stride)
{
    int64_t strides[] = {stride};
    struct value *result = convolution();
    struct op *op = result->def;
    op->attrs.convolution.feature_group_count = groups;
    op->attrs.convolution.window_strides = (struct dims){1, strides};
    union attrs attrs = op->attrs;
    struct value *operands[] = {argument(0), argument(1)};
    return library_step_supported(build_op(&fixture, OP_convolution, 2, operands, 1, &attrs),
                                  &only_f32);
}

Test(library_step, a_convolution_of_one_feature_is_generated)
{
    MAIN("f32 2 1 3000", "f32 1 1 9");
    cr_expect_not(stencil_is_library_s(1, 1));
    cr_expect(stencil_is_library_s(1, 2));
}

Test(library_step, a_convolution_of_one_feature_to_many_is_the_library_s)
{
    MAIN("f32 2 1 3000", "f32 5 1 9");
    cr_expect(stencil_is_library_s(1, 1));
}

Test(library_step, a_convolution_to_a_short_row_is_the_library_s)
{
    MAIN("f32 200 1 17", "f32 1 1 9");
    cr_expect(stencil_is_library_s(1, 1));
}

Test(library_step, a_window_of_more_positions_than_results_is_the_library_s)
{
    MAIN("f32 9 1 2000", "f32 1 1 1900");
    cr_expect(stencil_is_library_s(1, 1));
}
