/* periodic_shuffle_test.c: rows of two to sixteen elements, for all numbers of rows around those of
 * vectors: values for each element of a row and for each row, rows reversed, joined, cut and
 * padded. */
#include "compiler/codegen/codegen_fixture.h"
#include "compiler/schedule/analysis.h"
#include "compiler/schedule/periodic_shuffle.h"

enum { FORMS = 8, MOST_ROWS = 70, MOST_WIDTH = 8 };

static struct value *in_dim(struct fixture *f, enum op_code code, const struct type *type,
                            struct value *a, struct value *b, int64_t dim)
{
    struct op *op = fixture_op(f, f->block, code, type, b ? 2 : 1, a, b);
    if (code == OP_concatenate)
        op->attrs.dimension.dimension = dim;
    else
        op->attrs.dimensions.dimensions = fixture_dims(f, 1, (int)dim);
    return &op->results[0];
}

static struct value *padded(struct fixture *f, const struct type *type, struct value *a,
                            struct value *with, int low, int high, int dim)
{
    struct op *op = fixture_op(f, f->block, OP_pad, type, 2, a, with);
    op->attrs.pad.edge_padding_low = fixture_dims(f, 2, dim ? 0 : low, dim ? low : 0);
    op->attrs.pad.edge_padding_high = fixture_dims(f, 2, dim ? 0 : high, dim ? high : 0);
    op->attrs.pad.interior_padding = fixture_dims(f, 2, 0, 0);
    return &op->results[0];
}

static struct value *tail_of_rows(struct fixture *f, const struct type *type, struct value *a,
                                  int rows, int width)
{
    struct op *op = fixture_op(f, f->block, OP_slice, type, 1, a);
    op->attrs.slice.start_indices = fixture_dims(f, 2, 0, 1);
    op->attrs.slice.limit_indices = fixture_dims(f, 2, rows, width);
    op->attrs.slice.strides = fixture_dims(f, 2, 1, 1);
    return &op->results[0];
}

/* The result of a form for arguments x [rows, width], c [width], r [rows] and the scalar 7. */
static struct value *build(struct fixture *f, int form, int rows, int width)
{
    struct value *x = fixture_arg(f, 0), *c = fixture_arg(f, 1), *r = fixture_arg(f, 2);
    const struct type *type = x->type,
                      *wide = fixture_type(f->arena, type->shape.dtype, 2, rows, width + 1);
    const struct type *narrow = fixture_type(f->arena, type->shape.dtype, 2, rows, width - 1),
                      *tall = fixture_type(f->arena, type->shape.dtype, 2, rows + 3, width),
                      *column = fixture_type(f->arena, type->shape.dtype, 2, rows, 1);
    switch (form) {
    case 0:
        return fixture_value(f, OP_add, type, x,
                             fixture_broadcast(f, c, type, fixture_dims(f, 1, 1)));
    case 1:
        return fixture_value(f, OP_add, type, x,
                             fixture_broadcast(f, r, type, fixture_dims(f, 1, 0)));
    case 2: return in_dim(f, OP_reverse, type, x, NULL, 1);
    case 3: return in_dim(f, OP_reverse, type, x, NULL, 0);
    case 4: return tail_of_rows(f, narrow, x, rows, width);
    case 5: return padded(f, tall, x, fixture_arg(f, 3), 2, 1, 0);
    case 6: return padded(f, wide, x, fixture_arg(f, 3), 1, 0, 1);
    default:
        return in_dim(f, OP_concatenate, wide, x,
                      fixture_broadcast(f, r, column, fixture_dims(f, 1, 0)), 1);
    }
}

static int64_t expected(int form, int row, int k, int rows, int width, const int64_t *x,
                        const int64_t *c, const int64_t *r)
{
    switch (form) {
    case 0: return x[row * width + k] + c[k];
    case 1: return x[row * width + k] + r[row];
    case 2: return x[row * width + width - 1 - k];
    case 3: return x[(rows - 1 - row) * width + k];
    case 4: return x[row * width + k + 1];
    case 5: return row < 2 || row >= rows + 2 ? 7 : x[(row - 2) * width + k];
    case 6: return k ? x[row * width + k - 1] : 7;
    default: return k < width ? x[row * width + k] : r[row];
    }
}

static void *converted(struct fixture *f, enum dtype dtype, const int64_t *from, int64_t count)
{
    char *to = fixture_memory(f, (size_t)(count * dtype_bytes(dtype)));
    for (int64_t i = 0; i < count; i++)
        dtype_from_double(dtype, (double)from[i], to + i * dtype_bytes(dtype));
    return to;
}

static void check(enum dtype dtype, int form, int rows, int width, int tier)
{
    struct arena *arena = fixture_arena();
    const struct type *types[] = {fixture_type(arena, dtype, 2, rows, width),
                                  fixture_type(arena, dtype, 1, width),
                                  fixture_type(arena, dtype, 1, rows), type_scalar(arena, dtype)};
    struct fixture *f = fixture_begin(FUSION_LOOP, 4, types, arena);
    struct value *root = build(f, form, rows, width);
    fixture_return(f, 1, root);
    int64_t x[MOST_ROWS * MOST_WIDTH], c[MOST_WIDTH], r[MOST_ROWS], seven = 7;
    for (int i = 0; i < rows * width; i++)
        x[i] = i % 50;
    for (int i = 0; i < MOST_ROWS; i++)
        r[i] = 51 + i % 9, c[i % MOST_WIDTH] = 60 + i % MOST_WIDTH;
    int64_t bytes = type_bytes(root->type);
    char *out = fixture_memory(f, (size_t)bytes);
    void *buffers[] = {converted(f, dtype, x, rows * width), converted(f, dtype, c, width),
                       converted(f, dtype, r, rows), converted(f, dtype, &seven, 1), out};
    fixture_run(f, tier, rows % 2, buffers, NULL);
    fixture_guarded(out, (size_t)bytes);
    int columns = (int)root->type->shape.dims[1];
    for (int i = 0; i < (int)type_elements(root->type); i++)
        cr_assert_eq(dtype_to_double(dtype, out + i * dtype_bytes(dtype)),
                     expected(form, i / columns, i % columns, rows, width, x, c, r),
                     "form %d of %s [%d, %d], element %d", form, dtype_name(dtype), rows, width, i);
    arena_destroy(arena);
}

Test(period, all_forms)
{
    static const int rows[] = {1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 64, 70};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int form = 0; form < FORMS; form++)
            for (int width = 2; width <= MOST_WIDTH; width++)
                check(DTYPE_F32, form, rows[i], width, (int)i % 2);
}

Test(period, all_widths_of_elements)
{
    static const enum dtype types[] = {DTYPE_U8,  DTYPE_BF16, DTYPE_F16,
                                       DTYPE_F64, DTYPE_S64,  DTYPE_C64};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        for (int form = 0; form < FORMS; form++)
            check(types[i], form, 67, 3, 1);
}

/* Each row twice: two short dimensions, of which the argument has one. */
Test(period, repeated_rows)
{
    for (int rows = 8; rows < 40; rows += 5) {
        struct arena *arena = fixture_arena();
        const struct type *type = fixture_type(arena, DTYPE_F32, 2, rows, 3),
                          *twice = fixture_type(arena, DTYPE_F32, 3, rows, 2, 3);
        struct fixture *f = fixture_begin(FUSION_LOOP, 1, &type, arena);
        fixture_return(f, 1,
                       fixture_broadcast(f, fixture_arg(f, 0), twice, fixture_dims(f, 2, 0, 2)));
        float *in = fixture_floats(f, rows * 3, 1), *out = fixture_memory(f, (size_t)rows * 24);
        fixture_run(f, 1, 0, (void *[]){in, out}, NULL);
        fixture_guarded(out, (size_t)rows * 24);
        for (int i = 0; i < rows * 6; i++)
            cr_assert_eq(out[i], in[i / 6 * 3 + i % 3], "%d rows, element %d", rows, i);
        arena_destroy(arena);
    }
}

static bool fits(const struct value *root, int rank)
{
    bool moves = false;
    const struct axis axes[] = {{.dim = 0}, {.dim = 1}, {.dim = 2}};
    return periodic_shuffle_fits(root, axes, rank, &moves);
}

/* Matrices [rows, width, height] transposed, as such or as a stack of columns. */
static struct value *transposed(struct fixture *f, bool stacks, int rows, int height, int width)
{
    enum dtype dtype = fixture_arg(f, 0)->type->shape.dtype;
    const struct type *to = fixture_type(f->arena, dtype, 3, rows, height, width),
                      *row = fixture_type(f->arena, dtype, 3, rows, 1, height),
                      *column = fixture_type(f->arena, dtype, 3, rows, height, 1);
    struct value *columns[4] = {NULL};
    struct op *op;
    for (int k = 0; stacks && k < width; k++) {
        op = fixture_op(f, f->block, OP_slice, row, 1, fixture_arg(f, 0));
        op->attrs.slice.start_indices = fixture_dims(f, 3, 0, k, 0);
        op->attrs.slice.limit_indices = fixture_dims(f, 3, rows, k + 1, height);
        op->attrs.slice.strides = fixture_dims(f, 3, 1, 1, 1);
        columns[k] = fixture_value(f, OP_reshape, column, &op->results[0], NULL);
    }
    op = stacks ? fixture_op(f, f->block, OP_concatenate, to, width, columns[0], columns[1],
                             columns[2], columns[3])
                : fixture_op(f, f->block, OP_transpose, to, 1, fixture_arg(f, 0));
    if (stacks)
        op->attrs.dimension.dimension = 2;
    else
        op->attrs.transpose.permutation = fixture_dims(f, 3, 0, 2, 1);
    return &op->results[0];
}

static void check_transposed(enum dtype dtype, bool stacks, int rows, int height, int width)
{
    struct arena *arena = fixture_arena();
    int64_t in[MOST_ROWS * 16];
    int count = rows * height * width;
    const struct type *type = fixture_type(arena, dtype, 3, rows, width, height);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &type, arena);
    struct value *root = transposed(f, stacks, rows, height, width);
    cr_expect_neq(fits(root, 3), stacks);
    fixture_return(f, 1, root);
    for (int i = 0; i < count; i++)
        in[i] = i % 101;
    size_t bytes = (size_t)(count * dtype_bytes(dtype));
    char *out = fixture_memory(f, bytes);
    fixture_run(f, 1, rows % 2, (void *[]){converted(f, dtype, in, count), out}, NULL);
    fixture_guarded(out, bytes);
    for (int i = 0; i < count; i++) {
        int row = i / (height * width), y = i / width % height, x = i % width;
        cr_assert_eq(dtype_to_double(dtype, out + i * dtype_bytes(dtype)),
                     in[(row * width + x) * height + y], "%s of [%d, %d, %d], element %d",
                     stacks ? "stack" : "transpose", rows, height, width, i);
    }
    arena_destroy(arena);
}

Test(period, small_matrices)
{
    static const int rows[] = {1, 7, 8, 17, 33, 70};
    static const enum dtype types[] = {DTYPE_F32, DTYPE_U8, DTYPE_F64};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int height = 2; height <= 8; height++)
            for (int width = 2; width <= 4 && height * width <= 16; width++)
                for (int stacks = 0; stacks < 2; stacks++)
                    check_transposed(types[(height + width) % 3], stacks, rows[i], height, width);
}

/* A transpose of the matrices that rows of an argument [rows / 2, 2, width * height] are, or of
 * those of an argument [rows, width, height], as rows again. */
static struct value *transposed_blocks(struct fixture *f, int rows, int width, int height)
{
    const struct type *from = fixture_arg(f, 0)->type;
    enum dtype dtype = from->shape.dtype;
    const struct type *blocks = fixture_type(f->arena, dtype, 4, rows / 2, 2, width, height),
                      *to = fixture_type(f->arena, dtype, 4, rows / 2, 2, height, width);
    struct value *x = fixture_value(f, OP_reshape, blocks, fixture_arg(f, 0), NULL);
    struct op *op = fixture_op(f, f->block, OP_transpose, to, 1, x);
    op->attrs.transpose.permutation = fixture_dims(f, 4, 0, 1, 3, 2);
    return &op->results[0];
}

static void check_blocks(enum dtype dtype, bool merged, int rows, int width, int height, int tier)
{
    struct arena *arena = fixture_arena();
    int64_t in[MOST_ROWS * 64];
    int many = width * height, count = rows * many;
    const struct type *type = merged ? fixture_type(arena, dtype, 3, rows / 2, 2, many)
                                     : fixture_type(arena, dtype, 3, rows, width, height);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &type, arena);
    fixture_return(f, 1, transposed_blocks(f, rows, width, height));
    for (int i = 0; i < count; i++)
        in[i] = i % 101;
    size_t bytes = (size_t)(count * dtype_bytes(dtype));
    char *out = fixture_memory(f, bytes);
    fixture_run(f, tier, rows % 3, (void *[]){converted(f, dtype, in, count), out}, NULL);
    fixture_guarded(out, bytes);
    for (int i = 0; i < count; i++) {
        int row = i / many, y = i / width % height, x = i % width;
        cr_assert_eq(dtype_to_double(dtype, out + i * dtype_bytes(dtype)),
                     in[(row * width + x) * height + y], "%s [%d, %d, %d], element %d",
                     dtype_name(dtype), rows, width, height, i);
    }
    arena_destroy(arena);
}

/* Blocks of up to 64 elements, whose rows fill whole vectors after one row or several. */
Test(period, blocks_of_reshaped_rows)
{
    static const int sizes[][2] = {{6, 4},  {4, 6},  {6, 8}, {8, 6},  {3, 6}, {4, 5},
                                   {4, 12}, {12, 4}, {2, 9}, {4, 16}, {8, 8}, {6, 10}};
    static const int rows[] = {2, 8, 14, 16, 34, 70};
    static const enum dtype types[] = {DTYPE_F32, DTYPE_U8, DTYPE_F64, DTYPE_BF16};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
            for (int merged = 0; merged < 2; merged++)
                check_blocks(types[(i + k) % 4], merged, rows[k], sizes[i][0], sizes[i][1],
                             (int)k % 2);
}

/* Columns, parts that alternate, and what is expensive once for each row are not for it. */
Test(period, what_fits)
{
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, DTYPE_F32, 2, 40, 3),
                      *turned = fixture_type(arena, DTYPE_F32, 2, 3, 40),
                      *row = fixture_type(arena, DTYPE_F32, 1, 40),
                      *column = fixture_type(arena, DTYPE_F32, 2, 40, 1);
    struct fixture *f =
        fixture_begin(FUSION_LOOP, 4, (const struct type *[]){type, turned, row, column}, arena);
    struct op *transpose = fixture_op(f, f->block, OP_transpose, type, 1, fixture_arg(f, 1));
    transpose->attrs.transpose.permutation = fixture_dims(f, 2, 1, 0);
    struct op *stack = fixture_op(f, f->block, OP_concatenate, type, 3, fixture_arg(f, 3),
                                  fixture_arg(f, 3), fixture_arg(f, 3));
    stack->attrs.dimension.dimension = 1;
    struct value *sine = fixture_value(f, OP_sine, row, fixture_arg(f, 2), NULL);
    cr_expect(fits(fixture_arg(f, 0), 2));
    cr_expect(fits(fixture_broadcast(f, fixture_arg(f, 2), type, fixture_dims(f, 1, 0)), 2));
    cr_expect_not(fits(&transpose->results[0], 2));
    cr_expect(analysis_alternates(&stack->results[0], 1));
    cr_expect_not(analysis_alternates(&stack->results[0], 0));
    cr_expect_not(analysis_alternates(&transpose->results[0], 1));
    cr_expect_not(fits(&stack->results[0], 2));
    cr_expect_not(fits(fixture_broadcast(f, sine, type, fixture_dims(f, 1, 0)), 2));
    arena_destroy(arena);
}
