/* copy_kernel_test.c: concatenations of many arrays: of mixed sizes, empty ones among them, along
 * each dimension, of reshaped arguments and of slices, in ranges that end anywhere; and of single
 * elements of each size. */
#include "compiler/codegen/codegen_fixture.h"

enum { PARTS = 40, ARGUMENTS = 3 };

struct part {
    int argument, width, skip; /* elements of the argument that a slice leaves out */
};

static struct part part_at(int i)
{
    static const int widths[ARGUMENTS] = {5, 4, 0};
    return (struct part){i % ARGUMENTS, widths[i % ARGUMENTS], i % 4 == 3 ? 2 : 0};
}

/* Part i as [outer, width, inner]: an argument of [outer * width * inner] elements after those that
 * a slice leaves out, reshaped. */
static struct value *view(struct fixture *f, int i, int outer, int inner)
{
    struct part part = part_at(i);
    struct value *value = fixture_arg(f, part.argument);
    int size = outer * part.width * inner;
    const struct type *line = fixture_type(f->arena, DTYPE_F32, 2, 1, size);
    const struct type *type = fixture_type(f->arena, DTYPE_F32, 3, outer, part.width, inner);
    struct op *slice = fixture_op(f, f->block, OP_slice, line, 1, value);
    slice->attrs.slice = (struct attrs_slice){
        .start_indices = fixture_dims(f, 2, 0, part.skip),
        .limit_indices = fixture_dims(f, 2, 1, part.skip + size),
        .strides = fixture_dims(f, 2, 1, 1),
    };
    return fixture_value(f, OP_reshape, type, &slice->results[0], NULL);
}

static struct fixture *begin(struct arena *arena, int outer, int inner, int *width)
{
    const struct type *types[ARGUMENTS];
    struct value *parts[PARTS];
    for (int i = 0; i < ARGUMENTS; i++)
        types[i] = fixture_type(arena, DTYPE_F32, 2, 1, outer * part_at(i).width * inner + 2);
    struct fixture *f = fixture_begin(FUSION_LOOP, ARGUMENTS, types, arena);
    *width = 0;
    for (int i = 0; i < PARTS; i++) {
        parts[i] = view(f, i, outer, inner);
        *width += part_at(i).width;
    }
    const struct type *all = fixture_type(arena, DTYPE_F32, 3, outer, *width, inner);
    struct op *op = ir_op(f->module, OP_concatenate, PARTS, parts, 1, &all, 0);
    op->attrs.dimension.dimension = 1;
    ir_append(f->block, op);
    fixture_return(f, 1, &op->results[0]);
    return f;
}

static void check(int outer, int inner, int64_t grain)
{
    struct arena *arena = fixture_arena();
    int width, at = 0;
    struct fixture *f = begin(arena, outer, inner, &width);
    void *buffers[ARGUMENTS + 1];
    for (int i = 0; i < ARGUMENTS; i++)
        buffers[i] = fixture_floats(f, outer * part_at(i).width * inner + 2, 7 + (uint64_t)i);
    size_t bytes = (size_t)(outer * width * inner) * 4;
    float *out = buffers[ARGUMENTS] = fixture_memory(f, bytes);
    memset(out, 0xFF, bytes);
    fixture_run(f, 1, grain, buffers, NULL);
    fixture_guarded(out, bytes);
    for (int row = 0; row < outer; row++)
        for (int i = 0; i < PARTS; i++) {
            int run = part_at(i).width * inner;
            const float *from = (float *)buffers[part_at(i).argument] + part_at(i).skip;
            cr_assert_eq(memcmp(out + at, from + row * run, (size_t)run * 4), 0,
                         "part %d of row %d", i, row);
            at += run;
        }
    arena_destroy(arena);
}

Test(copy_kernel, runs_of_views_in_any_ranges)
{
    static const int64_t grains[] = {0, 1, 7, 333};
    for (int i = 0; i < 4; i++) {
        check(1, 1, grains[i]);
        check(1, 33, grains[i]);
        check(5, 1, grains[i]);
        check(3, 20, grains[i]);
    }
}

/* The code does not grow with the number of operands, and selects nothing. */
Test(copy_kernel, is_a_loop_over_a_table)
{
    struct arena *arena = fixture_arena();
    int width;
    struct fixture *f = begin(arena, 4, 8, &width);
    cr_expect_eq(fixture_count_in_ir(f, "call void @llvm.memcpy"), 1);
    cr_expect_eq(fixture_count_in_ir(f, "select"), 0);
    arena_destroy(arena);
}

static void check_elements(enum dtype dtype, int rows, int64_t grain)
{
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, dtype, 2, rows, 1),
                      *all = fixture_type(arena, dtype, 2, rows, PARTS);
    struct fixture *f = fixture_begin(FUSION_LOOP, 2, (const struct type *[]){type, type}, arena);
    struct value *parts[PARTS];
    for (int i = 0; i < PARTS; i++)
        parts[i] = fixture_arg(f, i % 3 == 1);
    struct op *op = ir_op(f->module, OP_concatenate, PARTS, parts, 1, &all, 0);
    op->attrs.dimension.dimension = 1;
    ir_append(f->block, op);
    fixture_return(f, 1, &op->results[0]);
    size_t size = (size_t)dtype_bytes(dtype), bytes = size * (size_t)(rows * PARTS);
    char *x[] = {(char *)fixture_floats(f, rows * 4, 1), (char *)fixture_floats(f, rows * 4, 2)};
    char *out = fixture_memory(f, bytes);
    fixture_run(f, 1, grain, (void *[]){x[0], x[1], out}, NULL);
    fixture_guarded(out, bytes);
    for (int i = 0; i < rows * PARTS; i++) {
        const char *from = x[i % PARTS % 3 == 1] + (size_t)(i / PARTS) * size;
        cr_assert_eq(memcmp(out + (size_t)i * size, from, size), 0, "element %d", i);
    }
    arena_destroy(arena);
}

Test(copy_kernel, elements)
{
    static const enum dtype types[] = {DTYPE_U8, DTYPE_BF16, DTYPE_F32, DTYPE_F64, DTYPE_C128};
    for (int i = 0; i < 5; i++)
        for (int rows = 1; rows < 200; rows += 66) {
            check_elements(types[i], rows, 0);
            check_elements(types[i], rows, 50);
        }
}
