/* bad_input_test.c: out-of-bounds indices in every integer type. Gathers and slices clamp them;
 * scatters skip them. */
#include "compiler/codegen/codegen_fixture.h"

enum { ROWS = 3, COUNT = 8 };

/* Fills in the limits of an index type and of the table. */
static int fill(enum dtype dtype, void *indices, __int128 *values)
{
    int bits = dtype_info(dtype)->bits, bytes = dtype_bytes(dtype);
    bool is_signed = dtype_info(dtype)->class == CLASS_SIGNED;
    __int128 most = ((__int128)1 << (bits - is_signed)) - 1, least = is_signed ? -most - 1 : 0;
    __int128 wanted[COUNT] = {least, -1, 0, 1, ROWS - 1, ROWS, most - 1, most};
    for (int i = 0; i < COUNT; i++) {
        values[i] = wanted[i] < least ? least : wanted[i] > most ? most : wanted[i];
        memcpy((char *)indices + i * bytes, &values[i], (size_t)bytes);
    }
    return bytes;
}

static int inside(__int128 index)
{
    return index < 0 ? 0 : index >= ROWS ? ROWS - 1 : (int)index;
}

#define EACH_INDEX_TYPE                                                                            \
    for (int t = 1; t < DTYPE_COUNT; t++)                                                          \
        if (dtype_is_integer((enum dtype)t))

static const float table[ROWS] = {10, 20, 30};

Test(bad_input, gathers_take_the_nearest_row)
{
    EACH_INDEX_TYPE
    {
        enum dtype dtype = (enum dtype)t;
        struct arena *arena = fixture_arena();
        const struct type *types[] = {fixture_type(arena, DTYPE_F32, 1, ROWS),
                                      fixture_type(arena, dtype, 2, COUNT, 1)};
        const struct type *out = fixture_type(arena, DTYPE_F32, 1, COUNT);
        struct fixture *f = fixture_begin(FUSION_LOOP, 2, types, arena);
        struct op *op =
            fixture_op(f, f->block, OP_gather, out, 2, fixture_arg(f, 0), fixture_arg(f, 1));
        op->attrs.gather.collapsed_slice_dims = fixture_dims(f, 1, 0);
        op->attrs.gather.start_index_map = fixture_dims(f, 1, 0);
        op->attrs.gather.index_vector_dim = 1;
        op->attrs.gather.slice_sizes = fixture_dims(f, 1, 1);
        fixture_return(f, 1, &op->results[0]);
        char indices[COUNT * 8];
        __int128 values[COUNT];
        fill(dtype, indices, values);
        for (int tier = 0; tier < CODEGEN_TIERS; tier++) {
            float *got = fixture_memory(f, sizeof(float) * COUNT);
            fixture_run(f, tier, 0, (void *[]){(void *)(uintptr_t)table, indices, got}, NULL);
            for (int i = 0; i < COUNT; i++)
                cr_expect_eq(got[i], table[inside(values[i])], "%s at %d: %g", dtype_name(dtype), i,
                             got[i]);
        }
        arena_destroy(arena);
    }
}

Test(bad_input, slices_start_at_the_nearest_row)
{
    EACH_INDEX_TYPE for (int i = 0; i < COUNT; i++)
    {
        enum dtype dtype = (enum dtype)t;
        struct arena *arena = fixture_arena();
        const struct type *whole = fixture_type(arena, DTYPE_F32, 1, ROWS),
                          *one = fixture_type(arena, DTYPE_F32, 1, 1),
                          *types[] = {whole, type_scalar(arena, dtype)};
        struct fixture *f = fixture_begin(FUSION_LOOP, 2, types, arena);
        struct op *slice =
            fixture_op(f, f->block, OP_dynamic_slice, one, 2, fixture_arg(f, 0), fixture_arg(f, 1));
        slice->attrs.dynamic_slice.slice_sizes = fixture_dims(f, 1, 1);
        struct value *other = fixture_constant(f, one, -5);
        struct op *update = fixture_op(f, f->block, OP_dynamic_update_slice, whole, 3,
                                       fixture_arg(f, 0), other, fixture_arg(f, 1));
        fixture_return(f, 2, &slice->results[0], &update->results[0]);
        char indices[COUNT * 8];
        __int128 values[COUNT];
        int bytes = fill(dtype, indices, values), row = inside(values[i]);
        float *got = fixture_memory(f, 4), *all = fixture_memory(f, sizeof table);
        fixture_run(f, i % 2, 0,
                    (void *[]){(void *)(uintptr_t)table, indices + i * bytes, got, all}, NULL);
        cr_expect_eq(got[0], table[row], "%s at %d: %g", dtype_name(dtype), i, got[0]);
        for (int r = 0; r < ROWS; r++)
            cr_expect_eq(all[r], r == row ? -5 : table[r], "%s at %d", dtype_name(dtype), i);
        arena_destroy(arena);
    }
}

Test(bad_input, scatters_leave_out_what_is_outside)
{
    EACH_INDEX_TYPE
    {
        enum dtype dtype = (enum dtype)t;
        struct arena *arena = fixture_arena();
        const struct type *types[] = {fixture_type(arena, DTYPE_F32, 1, ROWS),
                                      fixture_type(arena, dtype, 2, COUNT, 1),
                                      fixture_type(arena, DTYPE_F32, 1, COUNT)};
        struct fixture *f = fixture_begin(FUSION_UPDATE, 3, types, arena);
        struct op *op = fixture_op(f, f->block, OP_scatter, types[0], 3, fixture_arg(f, 0),
                                   fixture_arg(f, 1), fixture_arg(f, 2));
        op->attrs.scatter.inserted_window_dims = fixture_dims(f, 1, 0);
        op->attrs.scatter.scatter_dims_to_operand_dims = fixture_dims(f, 1, 0);
        op->attrs.scatter.index_vector_dim = 1;
        fixture_reducer(f, op, OP_add);
        fixture_return(f, 1, &op->results[0]);
        char indices[COUNT * 8];
        __int128 values[COUNT];
        fill(dtype, indices, values);
        float updates[COUNT] = {1, 2, 4, 8, 16, 32, 64, 128}, expected[ROWS];
        memcpy(expected, table, sizeof table);
        for (int i = 0; i < COUNT; i++)
            if (values[i] >= 0 && values[i] < ROWS)
                expected[(int)values[i]] += updates[i];
        for (int tier = 0; tier < CODEGEN_TIERS; tier++) {
            float *x = fixture_memory(f, sizeof table);
            memcpy(x, table, sizeof table);
            fixture_run(f, tier, 0, (void *[]){x, indices, updates, x}, NULL);
            fixture_guarded(x, sizeof table);
            for (int r = 0; r < ROWS; r++)
                cr_expect_eq(x[r], expected[r], "%s, row %d: %g, not %g", dtype_name(dtype), r,
                             x[r], expected[r]);
        }
        arena_destroy(arena);
    }
}
