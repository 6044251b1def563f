/* lanes_test.c: rows of which one iteration stores several vectors, since the padding between
 * elements repeats after them, for all lengths around those of iterations. */
#include "compiler/schedule/lanes.h"

#include "compiler/codegen/codegen_fixture.h"

enum { ROWS = 3, MOST = 40, FIRST = 100 };

struct padding {
    int low, high, interior;
};

static int length_of(int size, const struct padding *p)
{
    return size + (size - 1) * p->interior + p->low + p->high;
}

static struct value *padded(struct fixture *f, enum dtype dtype, int size, const struct padding *p)
{
    struct value *zero = fixture_constant(f, type_scalar(f->arena, dtype), 0);
    struct op *op =
        fixture_op(f, f->block, OP_pad, fixture_type(f->arena, dtype, 2, ROWS, length_of(size, p)),
                   2, fixture_arg(f, 0), zero);
    op->attrs.pad.edge_padding_low = fixture_dims(f, 2, 0, p->low);
    op->attrs.pad.edge_padding_high = fixture_dims(f, 2, 0, p->high);
    op->attrs.pad.interior_padding = fixture_dims(f, 2, 0, p->interior);
    return &op->results[0];
}

static double expected(int row, int at, int size, const struct padding *p)
{
    int from = at - p->low, number = from / (p->interior + 1);
    bool exists = from >= 0 && from % (p->interior + 1) == 0 && number < size;
    return exists ? (row * size + number) % FIRST + 1 : 0;
}

static void check(enum dtype dtype, int size, const struct padding *p, int tier)
{
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, dtype, 2, ROWS, size);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &type, arena);
    struct value *root = padded(f, dtype, size, p);
    fixture_return(f, 1, root);
    size_t each = (size_t)dtype_bytes(dtype), bytes = (size_t)type_bytes(root->type);
    char *in = fixture_memory(f, (size_t)(ROWS * size) * each), *out = fixture_memory(f, bytes);
    for (int i = 0; i < ROWS * size; i++)
        dtype_from_double(dtype, i % FIRST + 1, in + (size_t)i * each);
    fixture_run(f, tier, 0, (void *[]){in, out}, NULL);
    fixture_guarded(out, bytes);
    int length = length_of(size, p);
    for (int i = 0; i < ROWS * length; i++)
        cr_assert_eq(dtype_to_double(dtype, out + (size_t)i * each),
                     expected(i / length, i % length, size, p), "%s[%d], %d between, %d before: %d",
                     dtype_name(dtype), size, p->interior, p->low, i);
    arena_destroy(arena);
}

Test(lanes, padding_between_elements)
{
    static const enum dtype types[] = {DTYPE_F32, DTYPE_F64, DTYPE_U8, DTYPE_BF16};
    for (int size = 1; size <= MOST; size += 3)
        for (int interior = 1; interior < 8; interior++) {
            struct padding p = {size % 4 - 1, size % 3 - 1, interior};
            if (length_of(size, &p) > 0)
                check(types[(size + interior) % 4], size, &p, size % 2);
        }
}

static int vectors_of_step(int interior, int size)
{
    struct arena *arena = fixture_arena();
    const struct target target = {.isa.vector_bytes = 64, .cores = 2};
    const struct type *type = fixture_type(arena, DTYPE_F32, 2, ROWS, size);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &type, arena);
    const struct value *root = padded(f, DTYPE_F32, size, &(struct padding){0, 0, interior});
    struct nest nest = {.shape = root->type, .count = 1, .roots = &root};
    nest_schedule_choose(&target, &nest);
    arena_destroy(arena);
    return nest.schedule.step / nest.schedule.lanes;
}

Test(lanes, as_many_vectors_as_the_padding_needs)
{
    cr_expect_eq(vectors_of_step(0, 1000), 1);
    cr_expect_eq(vectors_of_step(1, 1000), 1, "it divides the lanes");
    cr_expect_eq(vectors_of_step(2, 1000), 3);
    cr_expect_eq(vectors_of_step(5, 1000), 3);
    cr_expect_eq(vectors_of_step(6, 1000), 7);
    cr_expect_eq(vectors_of_step(2, 10), 1, "the row is shorter");
    cr_expect_eq(vectors_of_step(12, 1000), 1, "so much code takes long to compile");
}

/* The vectors of a row that a work item reduces together, of a sum over `size` rows as long. */
static int64_t reduced_together(int size)
{
    struct arena *arena = fixture_arena();
    const struct target target = {.isa.vector_bytes = 64, .cores = 2, .cache_bytes = 1 << 20};
    const struct type *type = fixture_type(arena, DTYPE_F32, 2, size, size);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &type, arena);
    struct value *zero = fixture_constant(f, type_scalar(arena, DTYPE_F32), 0);
    const struct value *root =
        fixture_reduce(f, fixture_arg(f, 0), zero, OP_add, fixture_type(arena, DTYPE_F32, 1, size),
                       fixture_dims(f, 1, 0));
    struct nest nest = {.shape = root->type, .count = 1, .roots = &root};
    nest_schedule_choose(&target, &nest);
    arena_destroy(arena);
    return nest.schedule.chunk;
}

Test(lanes, columns_of_what_exceeds_the_cache_are_reduced_together)
{
    cr_expect_eq(reduced_together(1000), 1, "4 MB");
    cr_expect_gt(reduced_together(1500), 1, "9 MB");
}
