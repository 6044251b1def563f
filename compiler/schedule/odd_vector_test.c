/* odd_vector_test.c: which rows are records, and that transposed and padded images are right for
 * pixels of all sizes. */
#include "compiler/schedule/odd_vector.h"

#include "compiler/codegen/codegen_fixture.h"

enum { HEIGHT = 9, WIDTH = 21, BEFORE = 1, AFTER = 2, MOST_PIXEL = 20 };

/* The lanes of a nest of one root if its rows are records; else 0. */
static int lanes_of(const struct value *root)
{
    const struct target target = {.isa.vector_bytes = 64, .cores = 2};
    struct nest nest = {.shape = root->type, .count = 1, .roots = &root};
    nest_schedule_choose(&target, &nest);
    return nest.schedule.odd_vector ? nest.schedule.lanes : 0;
}

static struct fixture *with_image(enum dtype dtype, int pixel)
{
    struct arena *arena = fixture_arena();
    const struct type *types[] = {fixture_type(arena, dtype, 3, HEIGHT, WIDTH, pixel),
                                  type_scalar(arena, dtype),
                                  fixture_type(arena, DTYPE_S32, 2, WIDTH, 1)};
    return fixture_begin(FUSION_LOOP, 3, types, arena);
}

static struct value *transposed(struct fixture *f, int a, int b, int c)
{
    struct value *x = fixture_arg(f, 0);
    const int64_t *from = x->type->shape.dims;
    const struct type *type =
        fixture_type(f->arena, x->type->shape.dtype, 3, (int)from[a], (int)from[b], (int)from[c]);
    struct op *op = fixture_op(f, f->block, OP_transpose, type, 1, x);
    op->attrs.transpose.permutation = fixture_dims(f, 3, a, b, c);
    return &op->results[0];
}

static struct dims only(struct fixture *f, int dim, int number)
{
    return fixture_dims(f, 3, dim == 0 ? number : 0, dim == 1 ? number : 0, dim == 2 ? number : 0);
}

static struct value *padded(struct fixture *f, struct value *x, int dim, int interior)
{
    int64_t dims[3];
    memcpy(dims, x->type->shape.dims, sizeof dims);
    dims[dim] += BEFORE + AFTER + interior * (dims[dim] - 1);
    const struct type *type = type_tensor(f->arena, x->type->shape.dtype, 3, dims);
    struct op *op = fixture_op(f, f->block, OP_pad, type, 2, x, fixture_arg(f, 1));
    op->attrs.pad.edge_padding_low = only(f, dim, BEFORE);
    op->attrs.pad.edge_padding_high = only(f, dim, AFTER);
    op->attrs.pad.interior_padding = only(f, dim, interior);
    return &op->results[0];
}

/* Every `stride`-th element along the width. */
static struct value *strided(struct fixture *f, int stride)
{
    struct value *x = fixture_arg(f, 0);
    int pixel = (int)x->type->shape.dims[2], width = (WIDTH + stride - 1) / stride;
    const struct type *type = fixture_type(f->arena, x->type->shape.dtype, 3, HEIGHT, width, pixel);
    struct op *op = fixture_op(f, f->block, OP_slice, type, 1, x);
    op->attrs.slice.start_indices = fixture_dims(f, 3, 0, 0, 0);
    op->attrs.slice.limit_indices = fixture_dims(f, 3, HEIGHT, WIDTH, pixel);
    op->attrs.slice.strides = fixture_dims(f, 3, 1, stride, 1);
    return &op->results[0];
}

static struct value *gathered(struct fixture *f)
{
    struct value *x = fixture_arg(f, 0);
    int pixel = (int)x->type->shape.dims[2];
    struct op *op = fixture_op(f, f->block, OP_gather, x->type, 2, x, fixture_arg(f, 2));
    op->attrs.gather = (struct attrs_gather){.offset_dims = fixture_dims(f, 2, 0, 2),
                                             .collapsed_slice_dims = fixture_dims(f, 1, 1),
                                             .start_index_map = fixture_dims(f, 1, 1),
                                             .index_vector_dim = 1,
                                             .slice_sizes = fixture_dims(f, 3, HEIGHT, 1, pixel)};
    return &op->results[0];
}

Test(record, of_transposed_images)
{
    static const struct {
        enum dtype dtype;
        int pixel, lanes;
    } cases[] = {{DTYPE_F32, 2, 2},   {DTYPE_F32, 3, 3}, {DTYPE_F32, 12, 12},
                 {DTYPE_F32, 16, 16}, {DTYPE_F32, 7, 0}, {DTYPE_F32, 17, 0},
                 {DTYPE_U8, 3, 3},    {DTYPE_C64, 3, 3}, {DTYPE_BF16, 24, 24}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture *f = with_image(cases[i].dtype, cases[i].pixel);
        cr_expect_eq(lanes_of(transposed(f, 1, 0, 2)), cases[i].lanes,
                     "%s %d: three parts of a "
                     "vector are slower than a mask, and long rows fill vectors",
                     dtype_name(cases[i].dtype), cases[i].pixel);
        arena_destroy(f->arena);
    }
}

Test(record, of_other_rows)
{
    struct fixture *f = with_image(DTYPE_F32, 3);
    struct value *image = transposed(f, 1, 0, 2);
    cr_expect_eq(lanes_of(transposed(f, 0, 2, 1)), 0, "elements are apart");
    cr_expect_eq(lanes_of(fixture_value(f, OP_negate, image->type, image, NULL)), 3);
    cr_expect_eq(lanes_of(fixture_value(f, OP_exponential, image->type, image, NULL)), 0);
    cr_expect_eq(lanes_of(padded(f, image, 0, 0)), 3);
    cr_expect_eq(lanes_of(padded(f, image, 1, 0)), 3);
    cr_expect_eq(lanes_of(padded(f, image, 2, 0)), 0, "a part of a record is padding");
    cr_expect_eq(lanes_of(padded(f, image, 1, 1)), 0, "where a record is takes a division");
    cr_expect_eq(lanes_of(strided(f, 3)), 3);
    cr_expect_eq(lanes_of(strided(f, 2)), 0, "shuffles load several records");
    cr_expect_eq(lanes_of(gathered(f)), 0, "slices of several records");
    arena_destroy(f->arena);
}

/* A number for each pixel, times its elements: `divisions` of it by itself, each a scalar's. */
static struct value *scaled(struct fixture *f, int divisions)
{
    struct value *image = transposed(f, 1, 0, 2), *scale = fixture_arg(f, 3);
    for (int i = 0; i < divisions; i++)
        scale = fixture_value(f, OP_divide, scale->type, scale, fixture_arg(f, 3));
    struct value *each = fixture_broadcast(f, scale, image->type, fixture_dims(f, 2, 0, 1));
    return fixture_value(f, OP_multiply, image->type, image, each);
}

Test(record, of_pixels_with_scalars)
{
    struct arena *arena = fixture_arena();
    const struct type *types[] = {fixture_type(arena, DTYPE_F32, 3, HEIGHT, WIDTH, 3),
                                  type_scalar(arena, DTYPE_F32),
                                  fixture_type(arena, DTYPE_S32, 2, WIDTH, 1),
                                  fixture_type(arena, DTYPE_F32, 2, WIDTH, HEIGHT)};
    struct fixture *f = fixture_begin(FUSION_LOOP, 4, types, arena);
    cr_expect_eq(lanes_of(scaled(f, 0)), 3);
    cr_expect_eq(lanes_of(scaled(f, 1)), 3);
    cr_expect_eq(lanes_of(scaled(f, 2)), 0, "lanes for several pixels share divisions");
    arena_destroy(f->arena);
}

/* Compares a transposed image with padding around its rows. */
static void check(const char *in, const char *out, const char *padding, int pixel, int bytes)
{
    size_t size = (size_t)(pixel * bytes);
    for (int j = -BEFORE; j < WIDTH + AFTER; j++)
        for (int i = 0; i < HEIGHT; i++)
            for (int k = 0; k < pixel; k++) {
                bool inside = j >= 0 && j < WIDTH;
                const char *from =
                    inside ? in + (size_t)(i * WIDTH + j) * size + k * bytes : padding;
                const char *to = out + (size_t)((j + BEFORE) * HEIGHT + i) * size + k * bytes;
                cr_assert_arr_eq(from, to, (size_t)bytes, "%d bytes, %d of them: at %d %d %d",
                                 bytes, pixel, j, i, k);
            }
}

static void run(enum dtype dtype, int pixel)
{
    struct fixture *f = with_image(dtype, pixel);
    int bytes = dtype_bytes(dtype);
    size_t size = (size_t)(HEIGHT * WIDTH * pixel * bytes),
           result = (size_t)((WIDTH + BEFORE + AFTER) * HEIGHT * pixel * bytes);
    fixture_return(f, 1, padded(f, transposed(f, 1, 0, 2), 0, 0));
    char *in = fixture_memory(f, size), *padding = fixture_memory(f, (size_t)bytes);
    for (size_t i = 0; i < size; i++)
        in[i] = (char)(dtype == DTYPE_PRED ? i % 3 == 0 : i * 7 % 61);
    padding[0] = 1;
    for (int t = 0; t < 4; t++) {
        char *out = fixture_memory(f, result);
        fixture_run(f, t % 2, t / 2, (void *[]){in, padding, NULL, out}, NULL);
        fixture_guarded(out, result);
        check(in, out, padding, pixel, bytes);
    }
    arena_destroy(f->arena);
}

Test(record, pixels_of_all_sizes)
{
    static const enum dtype dtypes[] = {DTYPE_U8,  DTYPE_PRED, DTYPE_BF16, DTYPE_F16,
                                        DTYPE_S32, DTYPE_F64,  DTYPE_C64};
    for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++)
        for (int pixel = 1; pixel <= MOST_PIXEL; pixel++)
            run(dtypes[d], pixel);
}

/* A bf16 that is moved keeps its bits, those of a signaling NaN too. */
Test(record, small_floats_keep_their_bits)
{
    struct fixture *f = with_image(DTYPE_BF16, 3);
    fixture_return(f, 1, transposed(f, 1, 0, 2));
    uint16_t *in = fixture_memory(f, HEIGHT * WIDTH * 3 * sizeof *in);
    for (int i = 0; i < HEIGHT * WIDTH * 3; i++)
        in[i] = (uint16_t)(0x7F81 + i % 5);
    for (int t = 0; t < 2; t++) {
        uint16_t *out = fixture_memory(f, HEIGHT * WIDTH * 3 * sizeof *out);
        fixture_run(f, t, 0, (void *[]){in, NULL, NULL, out}, NULL);
        for (int j = 0; j < WIDTH; j++)
            for (int i = 0; i < HEIGHT * 3; i++)
                cr_assert_eq(out[j * HEIGHT * 3 + i], in[(i / 3 * WIDTH + j) * 3 + i % 3]);
    }
    arena_destroy(f->arena);
}
