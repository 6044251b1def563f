/* moves_test.c: which expressions only move elements, and that all bits of these stay. */
#include "compiler/codegen/codegen_fixture.h"
#include "compiler/schedule/moves.h"

enum { COLUMNS = 37 };

static struct fixture *with_rows(enum dtype dtype, int rows)
{
    struct arena *arena = fixture_arena();
    const struct type *types[] = {fixture_type(arena, dtype, 2, rows, COLUMNS),
                                  type_scalar(arena, dtype)};
    return fixture_begin(FUSION_LOOP, 2, types, arena);
}

/* The first argument with a column of the second in front. */
static struct value *padded(struct fixture *f)
{
    struct value *x = fixture_arg(f, 0);
    const struct type *wide =
        fixture_type(f->arena, x->type->shape.dtype, 2, (int)x->type->shape.dims[0], COLUMNS + 1);
    struct op *op = fixture_op(f, f->block, OP_pad, wide, 2, x, fixture_arg(f, 1));
    op->attrs.pad.edge_padding_low = fixture_dims(f, 2, 0, 1);
    op->attrs.pad.edge_padding_high = fixture_dims(f, 2, 0, 0);
    op->attrs.pad.interior_padding = fixture_dims(f, 2, 0, 0);
    return &op->results[0];
}

static struct value *compared(struct fixture *f, struct value *x, struct value *y)
{
    const struct type *type = fixture_type(f->arena, DTYPE_PRED, 2, (int)x->type->shape.dims[0],
                                           (int)x->type->shape.dims[1]);
    struct op *op = fixture_op(f, f->block, OP_compare, type, 2, x, y);
    op->attrs.compare.comparison_direction = COMPARE_GT;
    return &op->results[0];
}

static struct value *selected(struct fixture *f, struct value *condition)
{
    struct value *x = fixture_arg(f, 0);
    struct op *reverse = fixture_op(f, f->block, OP_reverse, x->type, 1, x);
    reverse->attrs.dimensions.dimensions = fixture_dims(f, 1, 0);
    return &fixture_op(f, f->block, OP_select, x->type, 3, condition, x, &reverse->results[0])
                ->results[0];
}

static struct value *iota(struct fixture *f, int dim)
{
    const struct type *type =
        fixture_type(f->arena, DTYPE_S32, 2, (int)fixture_arg(f, 0)->type->shape.dims[0], COLUMNS);
    struct op *op = fixture_op(f, f->block, OP_iota, type, 0);
    op->attrs.iota.iota_dimension = dim;
    return &op->results[0];
}

Test(moves, computes_with_indices_only)
{
    struct fixture *f = with_rows(DTYPE_BF16, 4);
    struct value *x = fixture_arg(f, 0);
    cr_expect(moves_bits(x));
    cr_expect(moves_bits(padded(f)));
    cr_expect(moves_bits(selected(f, compared(f, iota(f, 0), iota(f, 1)))));
    cr_expect_not(moves_bits(selected(f, compared(f, x, x))));
    cr_expect_not(moves_bits(fixture_value(f, OP_negate, x->type, x, NULL)));
    arena_destroy(f->arena);
}

Test(moves, types_that_are_not_theirs_in_registers)
{
    static const struct {
        enum dtype dtype;
        bool moves;
    } types[] = {{DTYPE_F16, true},  {DTYPE_F8E5M2, true}, {DTYPE_C64, true},
                 {DTYPE_F32, false}, {DTYPE_S8, false},    {DTYPE_C128, false}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        struct fixture *f = with_rows(types[i].dtype, 4);
        cr_expect_eq(moves_bits(padded(f)), types[i].moves, "%s", dtype_name(types[i].dtype));
        arena_destroy(f->arena);
    }
}

/* Numbers that are no numbers have many bits: each is kept. */
static void pad_all(enum dtype dtype, int tier)
{
    enum { ROWS = (1 << 16) / COLUMNS + 1 };
    struct fixture *f = with_rows(dtype, ROWS);
    struct value *root = padded(f);
    fixture_return(f, 1, root);
    size_t size = (size_t)type_bytes(root->type);
    uint16_t *in = fixture_memory(f, (size_t)ROWS * COLUMNS * sizeof *in),
             *pad = fixture_memory(f, sizeof *pad), *out = fixture_memory(f, size);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        in[i] = (uint16_t)i;
    *pad = 0x7F81;
    fixture_run(f, tier, tier, (void *[]){in, pad, out}, NULL);
    fixture_guarded(out, size);
    for (int i = 0; i < ROWS * (COLUMNS + 1); i++) {
        int row = i / (COLUMNS + 1), column = i % (COLUMNS + 1);
        cr_assert_eq(out[i], column ? in[row * COLUMNS + column - 1] : *pad, "%s, %d: %x",
                     dtype_name(dtype), i, out[i]);
    }
    arena_destroy(f->arena);
}

Test(moves, all_bits)
{
    for (int tier = 0; tier < 2; tier++) {
        pad_all(DTYPE_BF16, tier);
        pad_all(DTYPE_F16, tier);
    }
}

/* One result is moved, the other computed, from the same scalar. */
Test(moves, beside_results_that_are_computed)
{
    struct fixture *f = with_rows(DTYPE_BF16, 1);
    const struct type *scalar = fixture_arg(f, 1)->type,
                      *short_row = fixture_type(f->arena, DTYPE_BF16, 1, COLUMNS),
                      *long_row = fixture_type(f->arena, DTYPE_BF16, 1, 2 * COLUMNS);
    struct value *x = fixture_arg(f, 1), *twice = fixture_value(f, OP_add, scalar, x, x);
    fixture_return(f, 2, fixture_broadcast(f, x, short_row, fixture_dims(f, 0)),
                   fixture_broadcast(f, twice, long_row, fixture_dims(f, 0)));
    uint16_t *in = fixture_memory(f, COLUMNS * sizeof *in), *pad = fixture_memory(f, sizeof *pad),
             *moved = fixture_memory(f, COLUMNS * sizeof *moved),
             *computed = fixture_memory(f, 2 * COLUMNS * sizeof *computed);
    *pad = 0x3FC0;
    for (int tier = 0; tier < 2; tier++) {
        fixture_run(f, tier, 0, (void *[]){in, pad, moved, computed}, NULL);
        for (int i = 0; i < 2 * COLUMNS; i++) {
            cr_assert_eq(moved[i % COLUMNS], 0x3FC0, "1.5");
            cr_assert_eq(computed[i], 0x4040, "3");
        }
    }
    arena_destroy(f->arena);
}
