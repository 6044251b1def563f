/* access_test.c: the index into an operand, for each kind of operation. */
#include "compiler/codegen/codegen_fixture.h"
#include "compiler/schedule/access.h"

static struct fixture *with(int rank, const int64_t *dims)
{
    struct arena *arena = fixture_arena();
    const struct type *type = type_tensor(arena, DTYPE_F32, rank, dims);
    const struct type *types[] = {type, type};
    return fixture_begin(FUSION_LOOP, 2, types, arena);
}

#define WITH(...)                                                                                  \
    with(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), (const int64_t[]){__VA_ARGS__})

static struct op *op_of(struct fixture *f, enum op_code code, const struct type *type)
{
    return fixture_op(f, f->block, code, type, 1, fixture_arg(f, 0));
}

static void expect_index(const struct access *at, int dim, int64_t scale, int64_t offset)
{
    cr_expect_eq(at->kind, ACCESS_INDEX);
    cr_expect_eq(at->dim, dim);
    cr_expect_eq(at->scale, scale);
    cr_expect_eq(at->offset, offset);
}

Test(access, slices_and_reverses)
{
    struct fixture *f = WITH(10, 7);
    struct op *slice = op_of(f, OP_slice, fixture_type(f->arena, DTYPE_F32, 2, 3, 7));
    slice->attrs.slice.start_indices = fixture_dims(f, 2, 2, 0);
    slice->attrs.slice.limit_indices = fixture_dims(f, 2, 10, 7);
    slice->attrs.slice.strides = fixture_dims(f, 2, 3, 1);
    struct access rows = access_of(slice, 0, 0), columns = access_of(slice, 0, 1);
    expect_index(&rows, 0, 3, 2);
    cr_expect(access_is_same(&columns) && !access_is_same(&rows));
    struct op *reverse = op_of(f, OP_reverse, fixture_arg(f, 0)->type);
    reverse->attrs.dimensions.dimensions = fixture_dims(f, 1, 1);
    columns = access_of(reverse, 0, 1);
    expect_index(&columns, 1, -1, 6);
    arena_destroy(f->arena);
}

Test(access, transposes_and_broadcasts)
{
    struct fixture *f = WITH(2, 1, 5);
    struct op *moved = op_of(f, OP_transpose, fixture_type(f->arena, DTYPE_F32, 3, 5, 2, 1));
    moved->attrs.transpose.permutation = fixture_dims(f, 3, 2, 0, 1);
    struct access first = access_of(moved, 0, 0), last = access_of(moved, 0, 2);
    expect_index(&first, 1, 1, 0);
    expect_index(&last, 0, 1, 0);
    cr_expect_eq(access_dim_of(moved, 0, 0), 2);
    struct value *wide =
        fixture_broadcast(f, fixture_arg(f, 0), fixture_type(f->arena, DTYPE_F32, 4, 2, 4, 5, 6),
                          fixture_dims(f, 3, 0, 1, 2));
    cr_expect_eq(access_of(wide->def, 0, 1).kind, ACCESS_ONE);
    cr_expect_eq(access_dims_of(wide->def, 0, 1 << 2), 1 << 2);
    cr_expect_eq(access_dims_of(wide->def, 0, 1 << 1 | 1 << 3), 0, "repeated");
    cr_expect_eq(access_dim_of(wide->def, 0, 3), -1);
    arena_destroy(f->arena);
}

Test(access, pads)
{
    struct fixture *f = WITH(3, 4);
    const struct type *scalar = type_scalar(f->arena, DTYPE_F32);
    struct op *pad = fixture_op(f, f->block, OP_pad, fixture_type(f->arena, DTYPE_F32, 2, 8, 4), 2,
                                fixture_arg(f, 0), fixture_constant(f, scalar, 0));
    pad->attrs.pad.edge_padding_low = fixture_dims(f, 2, 1, 0);
    pad->attrs.pad.edge_padding_high = fixture_dims(f, 2, 2, 0);
    pad->attrs.pad.interior_padding = fixture_dims(f, 2, 1, 0);
    struct access rows = access_of(pad, 0, 0), columns = access_of(pad, 0, 1);
    expect_index(&rows, 0, 1, -1);
    cr_expect(rows.divisor == 2 && rows.guarded);
    cr_expect(access_is_same(&columns));
    arena_destroy(f->arena);
}

Test(access, reductions)
{
    struct fixture *f = WITH(3, 4, 5);
    const struct type *scalar = type_scalar(f->arena, DTYPE_F32);
    const struct value *sum =
        fixture_reduce(f, fixture_arg(f, 0), fixture_constant(f, scalar, 0), OP_add,
                       fixture_type(f->arena, DTYPE_F32, 2, 3, 5), fixture_dims(f, 1, 1));
    struct access last = access_of(sum->def, 0, 2);
    cr_expect_eq(access_of(sum->def, 0, 1).kind, ACCESS_LOOP);
    expect_index(&last, 1, 1, 0);
    cr_expect_eq(access_dims_of(sum->def, 0, 1 << 1), 1 << 2);
    arena_destroy(f->arena);
}

/* A reshape from the dimensions of the fixture's arguments. */
static const struct op *reshaped(struct fixture *f, int rank, const int64_t *dims)
{
    return op_of(f, OP_reshape, type_tensor(f->arena, DTYPE_F32, rank, dims));
}

#define RESHAPED(f, ...)                                                                           \
    reshaped(f, sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), (const int64_t[]){__VA_ARGS__})

Test(access, reshapes)
{
    struct fixture *f = WITH(6, 1, 20);
    const struct op *joins = RESHAPED(f, 120), *splits = RESHAPED(f, 6, 4, 5),
                    *keeps = RESHAPED(f, 1, 6, 20), *cuts = RESHAPED(f, 4, 30);
    cr_expect(access_keeps_dims(keeps) && access_splits_dims(keeps));
    cr_expect(!access_keeps_dims(splits) && access_splits_dims(splits));
    cr_expect(!access_splits_dims(joins) && !access_splits_dims(cuts));
    cr_expect_eq(access_dim_of(keeps, 0, 1), 0);
    cr_expect_eq(access_dim_of(splits, 0, 0), 0);
    cr_expect_eq(access_dim_of(splits, 0, 2), -1, "a part");
    cr_expect_eq(access_of(splits, 0, 2).kind, ACCESS_DIGITS);
    cr_expect_eq(access_of(splits, 0, 1).kind, ACCESS_ONE);
    cr_expect_eq(access_dims_of(splits, 0, 1 << 1), 1 << 2);
    cr_expect_eq(access_dims_of(joins, 0, 1), 1 << 0 | 1 << 2);
    cr_expect_eq(access_dims_of(cuts, 0, 1 << 0), 1 << 0, "24 of 120 are whole rows, 30 are not");
    cr_expect_eq(access_dims_of(cuts, 0, 1 << 1), 1 << 0 | 1 << 2);
    arena_destroy(f->arena);
}

Test(access, windows_that_a_gather_finds)
{
    struct arena *arena = fixture_arena();
    const struct type *types[] = {fixture_type(arena, DTYPE_F32, 2, 100, 8),
                                  fixture_type(arena, DTYPE_S32, 2, 30, 1)};
    struct fixture *f = fixture_begin(FUSION_LOOP, 2, types, arena);
    struct op *gather = fixture_op(f, f->block, OP_gather, fixture_type(arena, DTYPE_F32, 2, 30, 8),
                                   2, fixture_arg(f, 0), fixture_arg(f, 1));
    gather->attrs.gather.offset_dims = fixture_dims(f, 1, 1);
    gather->attrs.gather.collapsed_slice_dims = fixture_dims(f, 1, 0);
    gather->attrs.gather.start_index_map = fixture_dims(f, 1, 0);
    gather->attrs.gather.slice_sizes = fixture_dims(f, 2, 1, 8);
    gather->attrs.gather.index_vector_dim = 1;
    struct access columns = access_of(gather, 0, 1);
    cr_expect_eq(access_of(gather, 0, 0).kind, ACCESS_COMPUTED);
    expect_index(&columns, 1, 1, 0);
    cr_expect(columns.shifted);
    cr_expect_eq(access_dims_of(gather, 0, 1 << 0), 0);
    arena_destroy(arena);
}

/* Strides of single elements, and dimensions of arrays without elements, may be any number. */
Test(access, large_numbers)
{
    struct fixture *f = WITH(40, 3, 8);
    struct op *slice = op_of(f, OP_slice, fixture_type(f->arena, DTYPE_F32, 3, 40, 1, 8));
    static const int64_t strides[] = {1, INT64_MAX, 1};
    slice->attrs.slice.start_indices = fixture_dims(f, 3, 0, 2, 0);
    slice->attrs.slice.limit_indices = fixture_dims(f, 3, 40, 3, 8);
    slice->attrs.slice.strides = (struct dims){3, strides};
    struct access middle = access_of(slice, 0, 1);
    expect_index(&middle, 1, 1, 2);
    cr_expect(access_is_dense(slice));
    arena_destroy(f->arena);
    struct fixture *empty = WITH(0, INT64_C(1) << 62, 4);
    const struct op *reshape = RESHAPED(empty, 0, 16);
    struct access_span first = access_span_of(&reshape->operands[0]->type->shape, 0);
    cr_expect(first.low == INT64_MAX && first.high == 0);
    cr_expect_not(access_keeps_dims(reshape));
    arena_destroy(empty->arena);
}
