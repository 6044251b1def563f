/* Tests of model_product.h: convolutions on units of 128 x 128. */
#include "compiler/model/units/model_product.h"

#include "compiler/passes/passes_fixture.h"

TestSuite(model_product, .init = fixture_begin, .fini = fixture_end);

static const struct accelerator accelerator = {
    .sublanes = 8, .lanes = 128, .matrix_unit_size = 128, .bf16_rate = 1e12};

/* 1 x 1, from images of 64 features to as many. */
static struct op *convolution(const char *images)
{
    static const int64_t window[] = {0, 1}, spatial[] = {1, 2};
    MAIN("f32 1");
    const struct type *type = fixture_type(images);
    struct value *in = ARENA_NEW(fixture_module->arena, struct value), *kernel;
    kernel = ARENA_NEW(fixture_module->arena, struct value);
    *in = (struct value){.type = type};
    *kernel = (struct value){.type = fixture_type("bf16 1 1 64 64")};
    struct value *operands[] = {in, kernel};
    struct op *op = ir_op(fixture_module, OP_convolution, 2, operands, 1, &type, 0);
    op->attrs.convolution = (struct attrs_convolution){.input_feature_dimension = 3,
                                                       .input_spatial_dimensions = {2, spatial},
                                                       .kernel_input_feature_dimension = 2,
                                                       .kernel_output_feature_dimension = 3,
                                                       .kernel_spatial_dimensions = {2, window},
                                                       .output_feature_dimension = 3,
                                                       .output_spatial_dimensions = {2, spatial},
                                                       .feature_group_count = 1,
                                                       .batch_group_count = 1};
    return op;
}

Test(model_product, a_large_batch_is_the_columns)
{
    struct op *op = convolution("bf16 128 32 32 64");
    double features = model_product_estimate(&accelerator, op);
    cr_expect_gt(features, 0);
    cr_expect_float_eq(model_product_seconds(&accelerator, op), features / 2, features / 1e6,
                       "64 features would be padded to 128");
}

Test(model_product, a_small_batch_is_not)
{
    struct op *op = convolution("bf16 8 32 32 64");
    double features = model_product_estimate(&accelerator, op);
    cr_expect_float_eq(model_product_seconds(&accelerator, op), features, features / 1e6);
}

/* ---- few rows -------------------------------------------------------------------------------- */
/* Seconds of a product of so many rows, with 1024 x 1024 weights of 16 bits. */
static double seconds_of_rows(const char *rows, const char *result)
{
    static const int64_t zero = 0, one = 1;
    const union attrs attrs = {
        .dot = {.lhs_contracting_dimensions = {1, &one}, .rhs_contracting_dimensions = {1, &zero}}};
    struct accelerator loads = accelerator;
    loads.matrix_load_cycles = 64;
    MAIN(rows, "bf16 1024 1024");
    struct value *made =
        build_declared(&fixture, OP_dot_general, 2, (struct value *[]){argument(0), argument(1)},
                       fixture_type(result), &attrs);
    return model_product_seconds(&loads, made->def);
}

Test(model_product, few_rows_wait_for_the_weights)
{
    double load = 2.0 * 1024 * 1024 * 64 / accelerator.bf16_rate;
    cr_expect_float_eq(seconds_of_rows("bf16 8 1024", "bf16 8 1024"), load, load / 1e6);
    cr_expect_float_eq(seconds_of_rows("bf16 32 1024", "bf16 32 1024"), load, load / 1e6);
    cr_expect_float_eq(seconds_of_rows("bf16 128 1024", "bf16 128 1024"), 2 * load / 0.92,
                       load / 1e3);
}
