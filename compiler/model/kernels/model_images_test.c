/* Tests of model_images.h: which values are images. */
#include "compiler/model/kernels/model_images.h"

#include "compiler/model/kernels/model_traffic.h"
#include "compiler/passes/passes_fixture.h"

TestSuite(model_images, .init = fixture_begin, .fini = fixture_end);

static struct value *convolve(struct value *image, struct value *kernel)
{
    static const int64_t input[] = {1, 2}, window[] = {0, 1}, strides[] = {1, 1};
    const union attrs attrs = {.convolution = {.input_feature_dimension = 3,
                                               .input_spatial_dimensions = {2, input},
                                               .kernel_input_feature_dimension = 2,
                                               .kernel_output_feature_dimension = 3,
                                               .kernel_spatial_dimensions = {2, window},
                                               .output_feature_dimension = 3,
                                               .output_spatial_dimensions = {2, input},
                                               .window_strides = {2, strides},
                                               .feature_group_count = 1,
                                               .batch_group_count = 1}};
    return build_declared(&fixture, OP_convolution, 2, (struct value *[]){image, kernel}, NULL,
                          &attrs);
}

Test(model_images, are_what_convolutions_read_and_make)
{
    MAIN("f32 8 16 16 4", "f32 1 1 4 32", "f32 8 12 4 64");
    struct value *made = convolve(argument(0), argument(1));
    struct value *next = build_unary(&fixture, OP_tanh, made);
    struct value *heads = build_unary(&fixture, OP_tanh, argument(2));
    RETURN(next, heads);
    struct model model = {.arena = fixture_arena, .module = fixture_module};
    model_images(&model);
    cr_expect_eq(model.images.count, 8);
    cr_expect(model_traffic_is_image(&model, argument(0)));
    cr_expect(model_traffic_is_image(&model, made));
    cr_expect(model_traffic_is_image(&model, next), "of the same dimensions");
    cr_expect_not(model_traffic_is_image(&model, argument(1)), "a kernel");
    cr_expect_not(model_traffic_is_image(&model, heads), "attention's, with the same batch");
}

Test(model_images, are_none_without_a_convolution)
{
    MAIN("f32 8 16 16 4");
    RETURN(build_unary(&fixture, OP_tanh, argument(0)));
    struct model model = {.arena = fixture_arena, .module = fixture_module};
    model_images(&model);
    cr_expect_not(model_traffic_is_image(&model, argument(0)));
}
