/* emit_dot_test.c: matrix products and convolutions as expressions. */
#include "compiler/codegen/codegen_fixture.h"

/* out[b,m,n] = sum_k, with the free and contracted dimensions of each operand in either order. */
Test(emit_dot, layouts_and_sizes)
{
    static const int sizes[][4] = {{1, 1, 1, 1},    {2, 3, 5, 7},   {1, 16, 16, 16},
                                   {3, 17, 33, 65}, {1, 1, 100, 9}, {2, 40, 1, 70}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int variant = 0; variant < 4; variant++) {
            int b = sizes[s][0], m = sizes[s][1], n = sizes[s][2], k = sizes[s][3];
            bool lhs_transposed = variant & 1, rhs_transposed = variant & 2;
            struct arena *arena = fixture_arena();
            const struct type *l = fixture_type(arena, DTYPE_F32, 3, b, lhs_transposed ? k : m,
                                                lhs_transposed ? m : k);
            const struct type *r = fixture_type(arena, DTYPE_F32, 3, b, rhs_transposed ? n : k,
                                                rhs_transposed ? k : n);
            const struct type *o = fixture_type(arena, DTYPE_F32, 3, b, m, n);
            struct fixture *f =
                fixture_begin(FUSION_STANDALONE, 2, (const struct type *[]){l, r}, arena);
            struct op *op =
                fixture_op(f, f->block, OP_dot_general, o, 2, fixture_arg(f, 0), fixture_arg(f, 1));
            op->attrs.dot.lhs_batching_dimensions = op->attrs.dot.rhs_batching_dimensions =
                fixture_dims(f, 1, 0);
            op->attrs.dot.lhs_contracting_dimensions = fixture_dims(f, 1, lhs_transposed ? 1 : 2);
            op->attrs.dot.rhs_contracting_dimensions = fixture_dims(f, 1, rhs_transposed ? 2 : 1);
            fixture_return(f, 1, &op->results[0]);
            float *x = fixture_floats(f, (int64_t)b * m * k, 1),
                  *y = fixture_floats(f, (int64_t)b * n * k, 2);
            for (int tier = 0; tier < CODEGEN_TIERS; tier++) {
                float *z = fixture_memory(f, (size_t)(b * m * n) * 4);
                fixture_run(f, tier, tier, (void *[]){x, y, z}, NULL);
                fixture_guarded(z, (size_t)(b * m * n) * 4);
                for (int i = 0; i < b * m * n; i++) {
                    int batch = i / (m * n), row = i / n % m, column = i % n;
                    double sum = 0;
                    for (int p = 0; p < k; p++)
                        sum +=
                            (double)
                                x[batch * m * k + (lhs_transposed ? p * m + row : row * k + p)] *
                            y[batch * n * k + (rhs_transposed ? column * k + p : p * n + column)];
                    cr_assert_float_eq(z[i], sum, 1e-3, "case %d.%d at %d: %g, not %g", (int)s,
                                       variant, i, z[i], sum);
                }
            }
            arena_destroy(arena);
        }
}

/* 8-bit operands with 32-bit results. */
Test(emit_dot, integers)
{
    struct arena *arena = fixture_arena();
    const struct type *l = fixture_type(arena, DTYPE_S8, 2, 5, 37),
                      *r = fixture_type(arena, DTYPE_S8, 2, 37, 20);
    struct fixture *f = fixture_begin(FUSION_STANDALONE, 2, (const struct type *[]){l, r}, arena);
    struct op *op =
        fixture_op(f, f->block, OP_dot_general, fixture_type(arena, DTYPE_S32, 2, 5, 20), 2,
                   fixture_arg(f, 0), fixture_arg(f, 1));
    op->attrs.dot.lhs_contracting_dimensions = fixture_dims(f, 1, 1);
    op->attrs.dot.rhs_contracting_dimensions = fixture_dims(f, 1, 0);
    fixture_return(f, 1, &op->results[0]);
    int8_t x[185], y[740];
    for (int i = 0; i < 740; i++) {
        x[i % 185] = (int8_t)(i % 185 * 7);
        y[i] = (int8_t)(i * 11);
    }
    for (int tier = 0; tier < CODEGEN_TIERS; tier++) {
        int32_t *z = fixture_memory(f, 400);
        fixture_run(f, tier, 0, (void *[]){x, y, z}, NULL);
        for (int i = 0; i < 100; i++) {
            int32_t sum = 0;
            for (int p = 0; p < 37; p++)
                sum += x[i / 20 * 37 + p] * y[p * 20 + i % 20];
            cr_assert_eq(z[i], sum);
        }
    }
    arena_destroy(arena);
}

struct window {
    int in, kernel, stride, low, high, lhs_dilation, rhs_dilation;
    bool reverse;
};

static double convolve(const float *x, const float *w, const struct window *s, int batch,
                       int features, int groups, int out_features, int b, int position, int feature)
{
    double sum = 0;
    int per_group = features / groups, group = feature / (out_features / groups);
    (void)batch;
    for (int k = 0; k < s->kernel; k++) {
        int at = position * s->stride + k * s->rhs_dilation - s->low;
        if (at < 0 || at % s->lhs_dilation || at / s->lhs_dilation >= s->in)
            continue;
        int from = s->reverse ? s->kernel - 1 - k : k;
        for (int c = 0; c < per_group; c++)
            sum +=
                (double)x[(b * s->in + at / s->lhs_dilation) * features + group * per_group + c] *
                w[(from * per_group + c) * out_features + feature];
    }
    return sum;
}

/* One spatial dimension, NWC x WIO -> NWC, with strides, padding, dilations, reversal and
 * groups. */
Test(emit_dot, convolution)
{
    static const struct window windows[] = {
        {7, 3, 1, 1, 1, 1, 1, false},   {10, 4, 2, 0, 3, 1, 1, false},
        {9, 3, 1, 2, 2, 2, 1, false},   {12, 3, 2, 1, 0, 1, 3, true},
        {5, 1, 1, 0, 0, 1, 1, false},   {8, 3, 1, -1, 2, 1, 1, false},
        {3, 40, 1, 39, 39, 1, 1, true}, {4, 50, 3, 60, 60, 9, 2, false},
        {5, 30, 2, 80, 80, 1, 6, true}, {7, 5, 2, 3, 2, 3, 2, false},
        {7, 6, 1, 4, 4, 4, 6, true},    {9, 7, 3, 8, 8, 5, 1, true}};
    for (size_t s = 0; s < sizeof windows / sizeof *windows; s++)
        for (int groups = 1; groups < 4; groups++) {
            const struct window *w = &windows[s];
            int features = groups * 3, out_features = groups * 8, batch = 2;
            int spread = (w->in - 1) * w->lhs_dilation + 1 + w->low + w->high;
            int out = (spread - ((w->kernel - 1) * w->rhs_dilation + 1)) / w->stride + 1;
            struct arena *arena = fixture_arena();
            const struct type *in = fixture_type(arena, DTYPE_F32, 3, batch, w->in, features);
            const struct type *kernel =
                fixture_type(arena, DTYPE_F32, 3, w->kernel, 3, out_features);
            const struct type *result = fixture_type(arena, DTYPE_F32, 3, batch, out, out_features);
            struct fixture *f =
                fixture_begin(FUSION_STANDALONE, 2, (const struct type *[]){in, kernel}, arena);
            struct op *op = fixture_op(f, f->block, OP_convolution, result, 2, fixture_arg(f, 0),
                                       fixture_arg(f, 1));
            struct attrs_convolution *c = &op->attrs.convolution;
            c->window_strides = fixture_dims(f, 1, w->stride);
            struct dims padding = fixture_dims(f, 2, w->low, w->high);
            c->padding = (struct pairs){1, 2, padding.at};
            c->lhs_dilation = fixture_dims(f, 1, w->lhs_dilation);
            c->rhs_dilation = fixture_dims(f, 1, w->rhs_dilation);
            c->window_reversal = fixture_dims(f, 1, w->reverse);
            c->input_feature_dimension = c->output_feature_dimension = 2;
            c->input_spatial_dimensions = c->output_spatial_dimensions = fixture_dims(f, 1, 1);
            c->kernel_input_feature_dimension = 1;
            c->kernel_output_feature_dimension = 2;
            c->kernel_spatial_dimensions = fixture_dims(f, 1, 0);
            c->feature_group_count = groups;
            c->batch_group_count = 1;
            fixture_return(f, 1, &op->results[0]);
            float *x = fixture_floats(f, type_elements(in), 1),
                  *y = fixture_floats(f, type_elements(kernel), 2);
            for (int tier = 0; tier < CODEGEN_TIERS; tier++) {
                float *z = fixture_memory(f, (size_t)type_bytes(result));
                fixture_run(f, tier, tier, (void *[]){x, y, z}, NULL);
                fixture_guarded(z, (size_t)type_bytes(result));
                for (int i = 0; i < type_elements(result); i++) {
                    double expected =
                        convolve(x, y, w, batch, features, groups, out_features,
                                 i / out_features / out, i / out_features % out, i % out_features);
                    cr_assert_float_eq(z[i], expected, 1e-4,
                                       "window %d groups %d at %d: %g, not %g", (int)s, groups, i,
                                       z[i], expected);
                }
            }
            arena_destroy(arena);
        }
}
