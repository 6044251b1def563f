/* emit_reduce_test.c: short rows of what is looked up: each position has code of its own. */
#include "compiler/codegen/codegen_fixture.h"
#include "compiler/codegen/loops/loops.h"

enum { TABLE = 61 };

/* Sums, in f32 or f64, of `rows` rows of elements that s32 indices choose from a table. */
static struct fixture *row_sums(struct arena *arena, enum dtype dtype, int rows, int size)
{
    const struct type *types[] = {fixture_type(arena, dtype, 1, TABLE),
                                  fixture_type(arena, DTYPE_S32, 3, rows, size, 1)};
    struct fixture *f = fixture_begin(FUSION_LOOP, 2, types, arena);
    struct op *op = fixture_op(f, f->block, OP_gather, fixture_type(arena, dtype, 2, rows, size), 2,
                               fixture_arg(f, 0), fixture_arg(f, 1));
    op->attrs.gather.collapsed_slice_dims = fixture_dims(f, 1, 0);
    op->attrs.gather.start_index_map = fixture_dims(f, 1, 0);
    op->attrs.gather.index_vector_dim = 2;
    op->attrs.gather.slice_sizes = fixture_dims(f, 1, 1);
    struct value *initial = fixture_constant(f, type_scalar(arena, dtype), 0);
    fixture_return(f, 1,
                   fixture_reduce(f, &op->results[0], initial, OP_add,
                                  fixture_type(arena, dtype, 1, rows), fixture_dims(f, 1, 1)));
    return f;
}

/* Exact in any order: the elements are small multiples of an eighth. */
static double sum_of(enum dtype dtype, const char *table, const int32_t *index, int size)
{
    double sum = 0;
    for (int k = 0; k < size; k++)
        sum += dtype_to_double(dtype, table + (ptrdiff_t)index[k] * dtype_bytes(dtype));
    return sum;
}

static void check(enum dtype dtype, int rows, int size, int vector_bytes)
{
    struct arena *arena = fixture_arena();
    struct fixture *f = row_sums(arena, dtype, rows, size);
    f->target.isa.vector_bytes = vector_bytes;
    size_t each = (size_t)dtype_bytes(dtype), bytes = (size_t)rows * each;
    char *table = fixture_memory(f, TABLE * each), *out = fixture_memory(f, bytes);
    int32_t *index = fixture_memory(f, (size_t)(rows * size) * sizeof *index);
    for (int i = 0; i < TABLE; i++)
        dtype_from_double(dtype, i * i / 8. - 50, table + (size_t)i * each);
    for (int i = 0; i < rows * size; i++)
        index[i] = i * 29 % TABLE;
    fixture_run(f, rows % 2, 0, (void *[]){table, index, out}, NULL);
    fixture_guarded(out, bytes);
    for (int i = 0; i < rows; i++)
        cr_assert_eq(dtype_to_double(dtype, out + (size_t)i * each),
                     sum_of(dtype, table, index + i * size, size), "%s row %d of %d x %d",
                     dtype_name(dtype), i, rows, size);
    arena_destroy(arena);
}

Test(emit_reduce, sums_of_looked_up_rows)
{
    for (int size = 2; size < 10; size++)
        for (int rows = 1; rows < 150; rows += 29)
            for (int bytes = 16; bytes <= cpu_vector_bytes(); bytes *= 2)
                check(rows % 3 ? DTYPE_F32 : DTYPE_F64, rows, size, bytes);
}

/* Lookups wait for their loads: more than one register of rows would only be more code. */
Test(emit_reduce, looked_up_rows_are_in_one_register)
{
    struct arena *arena = fixture_arena();
    const struct target target = {.isa.vector_bytes = 64, .cores = 2};
    struct fixture *f = row_sums(arena, DTYPE_F32, 1000, 5);
    const struct value *root = f->block->last->operands[0];
    struct nest nest = {.shape = root->type, .count = 1, .roots = &root};
    nest_schedule_choose(&target, &nest);
    cr_expect_eq(nest.schedule.lanes, 16);
    arena_destroy(arena);
}
