/* emit_index_test.c: operations that move elements, on random shapes, against index arithmetic in
 * plain C. */
#include "compiler/codegen/codegen_fixture.h"

enum { ROUNDS = 60 };

static int64_t pick(uint64_t *state, int64_t below)
{
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (int64_t)((*state >> 33) % (uint64_t)below);
}

static const struct type *random_type(struct arena *arena, uint64_t *state, int rank)
{
    static const int64_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 16, 17, 20, 32, 40};
    int64_t dims[8];
    for (int i = 0; i < rank; i++)
        dims[i] = rank > 3 ? 1 + pick(state, 8) : sizes[pick(state, 12)];
    return type_tensor(arena, DTYPE_S32, rank, dims);
}

static void unravel(int64_t at, const struct type *type, int64_t *index)
{
    for (int i = type->shape.rank - 1; i >= 0; i--) {
        index[i] = at % type->shape.dims[i];
        at /= type->shape.dims[i];
    }
}

static int64_t ravel(const int64_t *index, const struct type *type)
{
    int64_t at = 0;
    for (int i = 0; i < type->shape.rank; i++)
        at = at * type->shape.dims[i] + index[i];
    return at;
}

static int32_t *numbered(struct fixture *f, int64_t count, int32_t first)
{
    int32_t *memory = fixture_memory(f, (size_t)count * 4);
    for (int64_t i = 0; i < count; i++)
        memory[i] = first + (int32_t)i;
    return memory;
}

/* Runs a fusion with one result at both tiers. On a difference, fails with the number of the
 * case. */
static void expect(struct fixture *f, void **buffers, int count, const struct type *type,
                   const int32_t *expected, int number)
{
    int64_t elements = type_elements(type);
    for (int tier = 0; tier < CODEGEN_TIERS; tier++) {
        int32_t *out = fixture_memory(f, (size_t)elements * 4);
        buffers[count] = out;
        fixture_run(f, tier, tier ? 3 : 0, buffers, NULL);
        fixture_guarded(out, (size_t)elements * 4);
        for (int64_t i = 0; i < elements; i++)
            cr_assert_eq(out[i], expected[i], "case %d tier %d at %d: %d, not %d", number, tier,
                         (int)i, out[i], expected[i]);
    }
}

static struct op *one_op(struct fixture *f, enum op_code code, const struct type *result)
{
    struct op *op = fixture_op(f, f->block, code, result, 1, fixture_arg(f, 0));
    fixture_return(f, 1, &op->results[0]);
    return op;
}

Test(emit_index, transpose)
{
    uint64_t state = 1;
    for (int round = 0; round < ROUNDS; round++) {
        struct arena *arena = fixture_arena();
        int rank = (int)pick(&state, 6);
        const struct type *in = random_type(arena, &state, rank);
        int64_t *order = ARENA_ARRAY(arena, int64_t, 8), dims[8], a[8], b[8];
        for (int i = 0; i < rank; i++) { /* a random permutation, by insertion */
            int j = (int)pick(&state, i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        for (int i = 0; i < rank; i++)
            dims[i] = in->shape.dims[order[i]];
        const struct type *out = type_tensor(arena, DTYPE_S32, rank, dims);
        struct fixture *f = fixture_begin(FUSION_LOOP, 1, &in, arena);
        one_op(f, OP_transpose, out)->attrs.transpose.permutation = (struct dims){rank, order};
        int32_t *x = numbered(f, type_elements(in), 5),
                *expected = numbered(f, type_elements(out), 0);
        for (int64_t i = 0; i < type_elements(out); i++) {
            unravel(i, out, a);
            for (int k = 0; k < rank; k++)
                b[order[k]] = a[k];
            expected[i] = x[ravel(b, in)];
        }
        expect(f, (void *[2]){x}, 1, out, expected, round);
        arena_destroy(arena);
    }
}

Test(emit_index, slice_and_reverse)
{
    uint64_t state = 2;
    for (int round = 0; round < ROUNDS; round++) {
        struct arena *arena = fixture_arena();
        int rank = (int)pick(&state, 5);
        const struct type *in = random_type(arena, &state, rank);
        int64_t *start = ARENA_ARRAY(arena, int64_t, 8), *limit = ARENA_ARRAY(arena, int64_t, 8);
        int64_t *stride = ARENA_ARRAY(arena, int64_t, 8), *flipped = ARENA_ARRAY(arena, int64_t, 8),
                dims[8], a[8];
        int flips = 0;
        for (int i = 0; i < rank; i++) {
            start[i] = pick(&state, in->shape.dims[i]);
            limit[i] = start[i] + pick(&state, in->shape.dims[i] - start[i] + 1);
            stride[i] = 1 + pick(&state, 3);
            dims[i] = (limit[i] - start[i] + stride[i] - 1) / stride[i];
            if (pick(&state, 2))
                flipped[flips++] = i;
        }
        const struct type *out = type_tensor(arena, DTYPE_S32, rank, dims);
        struct fixture *f = fixture_begin(FUSION_LOOP, 1, &in, arena);
        struct op *slice = fixture_op(f, f->block, OP_slice, out, 1, fixture_arg(f, 0));
        slice->attrs.slice.start_indices = (struct dims){rank, start};
        slice->attrs.slice.limit_indices = (struct dims){rank, limit};
        slice->attrs.slice.strides = (struct dims){rank, stride};
        struct op *reverse = fixture_op(f, f->block, OP_reverse, out, 1, &slice->results[0]);
        reverse->attrs.dimensions.dimensions = (struct dims){flips, flipped};
        fixture_return(f, 1, &reverse->results[0]);
        int32_t *x = numbered(f, type_elements(in), 5),
                *expected = numbered(f, type_elements(out), 0);
        for (int64_t i = 0; i < type_elements(out); i++) {
            unravel(i, out, a);
            for (int k = 0; k < flips; k++)
                a[flipped[k]] = dims[flipped[k]] - 1 - a[flipped[k]];
            for (int k = 0; k < rank; k++)
                a[k] = start[k] + a[k] * stride[k];
            expected[i] = x[ravel(a, in)];
        }
        expect(f, (void *[2]){x}, 1, out, expected, round);
        arena_destroy(arena);
    }
}

/* reshape(transpose(reshape(x))) with sizes that do and do not divide each other. */
Test(emit_index, reshape)
{
    static const int64_t shapes[][4][4] = {
        {{2, 3, 4, 1}, {4, 6, 1, 1}, {3, 8, 1, 1}, {24, 1, 1, 1}},
        {{4, 8, 3, 16}, {4, 8, 48, 1}, {32, 48, 1, 1}, {2, 2, 8, 48}},
        {{12, 5, 7, 3}, {5, 12, 21, 1}, {7, 180, 1, 1}, {3, 6, 70, 1}},
        {{2, 64, 12, 32}, {128, 384, 1, 1}, {2, 64, 384, 1}, {8, 16, 12, 32}}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int from = 0; from < 4; from++)
            for (int to = 0; to < 4; to++) {
                struct arena *arena = fixture_arena();
                const struct type *in = type_tensor(arena, DTYPE_S32, 4, shapes[s][from]);
                const int64_t *m = shapes[s][to];
                const struct type *middle = type_tensor(arena, DTYPE_S32, 4, m);
                const struct type *transposed =
                    type_tensor(arena, DTYPE_S32, 4, (int64_t[]){m[0], m[2], m[1], m[3]});
                const struct type *out = fixture_type(arena, DTYPE_S32, 1, (int)type_elements(in));
                struct fixture *f = fixture_begin(FUSION_LOOP, 1, &in, arena);
                struct value *v = fixture_value(f, OP_reshape, middle, fixture_arg(f, 0), NULL);
                struct op *op = fixture_op(f, f->block, OP_transpose, transposed, 1, v);
                op->attrs.transpose.permutation = fixture_dims(f, 4, 0, 2, 1, 3);
                fixture_return(f, 1, fixture_value(f, OP_reshape, out, &op->results[0], NULL));
                int32_t *x = numbered(f, type_elements(in), 5),
                        *expected = numbered(f, type_elements(out), 0);
                for (int64_t i = 0; i < type_elements(out); i++) {
                    int64_t a[4];
                    unravel(i, transposed, a);
                    expected[i] = x[ravel((int64_t[]){a[0], a[2], a[1], a[3]}, middle)];
                }
                expect(f, (void *[2]){x}, 1, out, expected, (int)(s * 100) + from * 10 + to);
                arena_destroy(arena);
            }
}

/* Every second case leaves inner dimensions as they are, which one loop may then go through. */
Test(emit_index, pad)
{
    uint64_t state = 4;
    for (int round = 0; round < ROUNDS; round++) {
        struct arena *arena = fixture_arena();
        int rank = (int)pick(&state, 4);
        int padded = round % 2 ? (int)pick(&state, rank + 1) : rank;
        const struct type *in = random_type(arena, &state, rank),
                          *scalar = type_scalar(arena, DTYPE_S32);
        int64_t *low = ARENA_ARRAY(arena, int64_t, 8), *high = ARENA_ARRAY(arena, int64_t, 8);
        int64_t *interior = ARENA_ARRAY(arena, int64_t, 8), dims[8], a[8];
        for (int i = 0; i < rank; i++) {
            low[i] = i < padded ? pick(&state, 6) - 2 : 0;
            interior[i] = i < padded ? pick(&state, 3) : 0;
            int64_t spread = in->shape.dims[i] + (in->shape.dims[i] - 1) * interior[i] + low[i];
            high[i] = i < padded ? pick(&state, 6) - 2 : 0;
            if (spread + high[i] < 0)
                high[i] = -spread;
            dims[i] = spread + high[i];
            if (dims[i] < 0) {
                high[i] -= dims[i];
                dims[i] = 0;
            }
        }
        const struct type *out = type_tensor(arena, DTYPE_S32, rank, dims);
        struct fixture *f =
            fixture_begin(FUSION_LOOP, 2, (const struct type *[]){in, scalar}, arena);
        struct op *op =
            fixture_op(f, f->block, OP_pad, out, 2, fixture_arg(f, 0), fixture_arg(f, 1));
        op->attrs.pad.edge_padding_low = (struct dims){rank, low};
        op->attrs.pad.edge_padding_high = (struct dims){rank, high};
        op->attrs.pad.interior_padding = (struct dims){rank, interior};
        fixture_return(f, 1, fixture_value(f, OP_negate, out, &op->results[0], NULL));
        int32_t *x = numbered(f, type_elements(in), 5),
                *expected = numbered(f, type_elements(out), 0), padding = -7;
        for (int64_t i = 0; i < type_elements(out); i++) {
            bool hole = false;
            unravel(i, out, a);
            for (int k = 0; k < rank; k++) {
                a[k] -= low[k];
                hole |= a[k] < 0 || a[k] % (interior[k] + 1) ||
                        a[k] / (interior[k] + 1) >= in->shape.dims[k];
                a[k] /= interior[k] + 1;
            }
            expected[i] = hole ? 7 : -x[ravel(a, in)];
        }
        expect(f, (void *[3]){x, &padding}, 2, out, expected, round);
        arena_destroy(arena);
    }
}

Test(emit_index, concatenate)
{
    uint64_t state = 5;
    for (int round = 0; round < ROUNDS; round++) {
        struct arena *arena = fixture_arena();
        int rank = 1 + (int)pick(&state, 3), dim = (int)pick(&state, rank),
            pieces = 1 + (int)pick(&state, 5);
        const struct type *model = random_type(arena, &state, rank), *types[5];
        int64_t total = 0, dims[8], a[8];
        memcpy(dims, model->shape.dims, sizeof *dims * (size_t)rank);
        for (int i = 0; i < pieces; i++) {
            dims[dim] = pick(&state, 20);
            total += dims[dim];
            types[i] = type_tensor(arena, DTYPE_S32, rank, dims);
        }
        dims[dim] = total;
        const struct type *out = type_tensor(arena, DTYPE_S32, rank, dims);
        struct fixture *f = fixture_begin(FUSION_LOOP, pieces, types, arena);
        struct value *in[5];
        void *buffers[6];
        for (int i = 0; i < pieces; i++) {
            in[i] = i % 2 ? fixture_arg(f, i)
                          : fixture_value(f, OP_negate, types[i], fixture_arg(f, i), NULL);
            buffers[i] = numbered(f, type_elements(types[i]), 1000 * i + 1);
        }
        struct op *op =
            fixture_op(f, f->block, OP_concatenate, out, pieces, in[0], in[1], in[2], in[3], in[4]);
        op->attrs.dimension.dimension = dim;
        fixture_return(f, 1, &op->results[0]);
        int32_t *expected = numbered(f, type_elements(out), 0);
        for (int64_t i = 0; i < type_elements(out); i++) {
            int piece = 0;
            unravel(i, out, a);
            while (a[dim] >= types[piece]->shape.dims[dim])
                a[dim] -= types[piece++]->shape.dims[dim];
            int32_t x = ((int32_t *)buffers[piece])[ravel(a, types[piece])];
            expected[i] = piece % 2 ? x : -x;
        }
        expect(f, buffers, pieces, out, expected, round);
        arena_destroy(arena);
    }
}

static struct value *part_of(struct fixture *f, struct value *x, int dim, int64_t from, int64_t to)
{
    int64_t *start = fixture_memory(f, 3 * sizeof *start),
            *limit = fixture_memory(f, 3 * sizeof *limit),
            *stride = fixture_memory(f, 3 * sizeof *stride);
    for (int i = 0; i < 3; i++) {
        start[i] = i == dim ? from : 0;
        limit[i] = i == dim ? to : x->type->shape.dims[i];
        stride[i] = 1;
    }
    int64_t dims[3] = {limit[0] - start[0], limit[1] - start[1], limit[2] - start[2]};
    struct op *op = fixture_op(f, f->block, OP_slice,
                               type_tensor(f->module->arena, DTYPE_S32, 3, dims), 1, x, NULL);
    op->attrs.slice.start_indices = (struct dims){3, start};
    op->attrs.slice.limit_indices = (struct dims){3, limit};
    op->attrs.slice.strides = (struct dims){3, stride};
    return &op->results[0];
}

/* -roll(x) with a row of padding around: each element is of one of two slices of x, and is not
 * computed where it is padding. */
Test(emit_index, padded_roll)
{
    uint64_t state = 11;
    for (int round = 0; round < ROUNDS; round++) {
        struct arena *arena = fixture_arena();
        const struct type *in = random_type(arena, &state, 3), *scalar;
        scalar = type_scalar(arena, DTYPE_S32);
        int dim = (int)pick(&state, 3);
        int64_t size = in->shape.dims[dim], cut = pick(&state, size + 1), dims[3], a[3];
        struct fixture *f =
            fixture_begin(FUSION_LOOP, 2, (const struct type *[]){in, scalar}, arena);
        struct op *roll = fixture_op(f, f->block, OP_concatenate, in, 2,
                                     part_of(f, fixture_arg(f, 0), dim, cut, size),
                                     part_of(f, fixture_arg(f, 0), dim, 0, cut));
        roll->attrs.dimension.dimension = dim;
        for (int i = 0; i < 3; i++)
            dims[i] = in->shape.dims[i] + 2;
        const struct type *out = type_tensor(arena, DTYPE_S32, 3, dims);
        struct op *pad =
            fixture_op(f, f->block, OP_pad, out, 2,
                       fixture_value(f, OP_negate, in, &roll->results[0], NULL), fixture_arg(f, 1));
        pad->attrs.pad.edge_padding_low = (struct dims){3, (int64_t[]){1, 1, 1}};
        pad->attrs.pad.edge_padding_high = (struct dims){3, (int64_t[]){1, 1, 1}};
        pad->attrs.pad.interior_padding = (struct dims){3, (int64_t[]){0, 0, 0}};
        fixture_return(f, 1, &pad->results[0]);
        int32_t *x = numbered(f, type_elements(in), 5), padding = -7;
        int32_t *expected = numbered(f, type_elements(out), 0);
        for (int64_t i = 0; i < type_elements(out); i++) {
            bool inside = true;
            unravel(i, out, a);
            for (int k = 0; k < 3; k++)
                inside &= --a[k] >= 0 && a[k] < in->shape.dims[k];
            a[dim] = (a[dim] + cut) % size;
            expected[i] = inside ? -x[ravel(a, in)] : padding;
        }
        expect(f, (void *[3]){x, &padding}, 2, out, expected, round);
        arena_destroy(arena);
    }
}

/* Reads only the padding of a padded concatenation: no piece is in bounds. */
Test(emit_index, concatenate_beyond_its_pieces)
{
    struct arena *arena = fixture_arena();
    const struct type *in = fixture_type(arena, DTYPE_S32, 1, 3),
                      *joined = fixture_type(arena, DTYPE_S32, 1, 6),
                      *padded = fixture_type(arena, DTYPE_S32, 1, 12),
                      *out = fixture_type(arena, DTYPE_S32, 1, 5),
                      *scalar = type_scalar(arena, DTYPE_S32);
    struct fixture *f =
        fixture_begin(FUSION_LOOP, 3, (const struct type *[]){in, in, scalar}, arena);
    struct op *op =
        fixture_op(f, f->block, OP_concatenate, joined, 2, fixture_arg(f, 0), fixture_arg(f, 1));
    op->attrs.dimension.dimension = 0;
    struct op *pad =
        fixture_op(f, f->block, OP_pad, padded, 2,
                   fixture_value(f, OP_negate, joined, &op->results[0], NULL), fixture_arg(f, 2));
    pad->attrs.pad.edge_padding_low = (struct dims){1, (int64_t[]){0}};
    pad->attrs.pad.edge_padding_high = (struct dims){1, (int64_t[]){6}};
    pad->attrs.pad.interior_padding = (struct dims){1, (int64_t[]){0}};
    struct op *slice = fixture_op(f, f->block, OP_slice, out, 1, &pad->results[0], NULL);
    slice->attrs.slice.start_indices = (struct dims){1, (int64_t[]){7}};
    slice->attrs.slice.limit_indices = (struct dims){1, (int64_t[]){12}};
    slice->attrs.slice.strides = (struct dims){1, (int64_t[]){1}};
    fixture_return(f, 1, &slice->results[0]);
    int32_t *x = numbered(f, 3, 5), padding = -7, expected[] = {-7, -7, -7, -7, -7};
    expect(f, (void *[4]){x, x, &padding}, 3, out, expected, 0);
    arena_destroy(arena);
}

/* dynamic_update_slice(x, dynamic_slice(x, s) + iota, t) with starts that are out of bounds on
 * either side. */
Test(emit_index, dynamic_slices)
{
    uint64_t state = 6;
    for (int round = 0; round < ROUNDS; round++) {
        struct arena *arena = fixture_arena();
        const struct type *in = random_type(arena, &state, 2),
                          *scalar = type_scalar(arena, DTYPE_S32);
        int64_t *size = ARENA_ARRAY(arena, int64_t, 2);
        for (int i = 0; i < 2; i++)
            size[i] = 1 + pick(&state, in->shape.dims[i]);
        const struct type *part = type_tensor(arena, DTYPE_S32, 2, size),
                          *types[] = {in, scalar, scalar, scalar, scalar};
        struct fixture *f = fixture_begin(FUSION_LOOP, 5, types, arena);
        struct op *slice = fixture_op(f, f->block, OP_dynamic_slice, part, 3, fixture_arg(f, 0),
                                      fixture_arg(f, 1), fixture_arg(f, 2));
        slice->attrs.dynamic_slice.slice_sizes = (struct dims){2, size};
        struct op *iota = fixture_op(f, f->block, OP_iota, part, 0);
        iota->attrs.iota.iota_dimension = 1;
        struct value *sum = fixture_value(f, OP_add, part, &slice->results[0], &iota->results[0]);
        struct op *update =
            fixture_op(f, f->block, OP_dynamic_update_slice, in, 4, fixture_arg(f, 0), sum,
                       fixture_arg(f, 3), fixture_arg(f, 4));
        fixture_return(f, 1, &update->results[0]);
        int32_t start[4], *x = numbered(f, type_elements(in), 5),
                          *expected = numbered(f, type_elements(in), 5);
        int64_t clamped[4];
        for (int i = 0; i < 4; i++) {
            start[i] = (int32_t)pick(&state, 60) - 10;
            int64_t most = in->shape.dims[i % 2] - size[i % 2];
            clamped[i] = start[i] < 0 ? 0 : start[i] > most ? most : start[i];
        }
        for (int64_t i = 0; i < size[0]; i++)
            for (int64_t j = 0; j < size[1]; j++)
                expected[(clamped[2] + i) * in->shape.dims[1] + clamped[3] + j] =
                    x[(clamped[0] + i) * in->shape.dims[1] + clamped[1] + j] + (int32_t)j;
        expect(f, (void *[6]){x, &start[0], &start[1], &start[2], &start[3]}, 5, in, expected,
               round);
        arena_destroy(arena);
    }
}

/* Looks 45 numbers up in tables that fit registers, and in some that do not. */
Test(emit_index, small_tables)
{
    static const int sizes[] = {1,  5,  8,  9,  16,  17,  32,  33,  48,
                                63, 64, 65, 96, 100, 127, 128, 129, 200};
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
        struct arena *arena = fixture_arena();
        const struct type *table = fixture_type(arena, DTYPE_S32, 1, sizes[n]),
                          *which = fixture_type(arena, DTYPE_S32, 2, 45, 1),
                          *result = fixture_type(arena, DTYPE_S32, 1, 45);
        struct fixture *f =
            fixture_begin(FUSION_LOOP, 2, (const struct type *[]){table, which}, arena);
        struct op *op =
            fixture_op(f, f->block, OP_gather, result, 2, fixture_arg(f, 0), fixture_arg(f, 1));
        op->attrs.gather.collapsed_slice_dims = fixture_dims(f, 1, 0);
        op->attrs.gather.start_index_map = fixture_dims(f, 1, 0);
        op->attrs.gather.index_vector_dim = 1;
        op->attrs.gather.slice_sizes = fixture_dims(f, 1, 1);
        fixture_return(f, 1, &op->results[0]);
        int32_t *x = numbered(f, sizes[n], 1 << 30), index[45], expected[45];
        for (int i = 0; i < 45; i++) {
            int at = i * 29 % (sizes[n] + 5) - 2;
            index[i] = at;
            expected[i] = x[at < 0 ? 0 : at >= sizes[n] ? sizes[n] - 1 : at];
        }
        expect(f, (void *[3]){x, index}, 2, result, expected, sizes[n]);
        arena_destroy(arena);
    }
}

/* Each row of a table is a small table of its own. */
Test(emit_index, rows_as_small_tables)
{
    static const int sizes[] = {5, 16, 20, 33, 64, 90, 128, 150};
    enum { ROWS = 7, LOOKUPS = 37 };
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
        struct arena *arena = fixture_arena();
        const struct type *table = fixture_type(arena, DTYPE_S32, 2, ROWS, sizes[n]),
                          *which = fixture_type(arena, DTYPE_S32, 2, LOOKUPS, 1),
                          *result = fixture_type(arena, DTYPE_S32, 2, ROWS, LOOKUPS);
        struct fixture *f =
            fixture_begin(FUSION_LOOP, 2, (const struct type *[]){table, which}, arena);
        struct op *op =
            fixture_op(f, f->block, OP_gather, result, 2, fixture_arg(f, 0), fixture_arg(f, 1));
        op->attrs.gather.offset_dims = fixture_dims(f, 1, 0);
        op->attrs.gather.collapsed_slice_dims = fixture_dims(f, 1, 1);
        op->attrs.gather.start_index_map = fixture_dims(f, 1, 1);
        op->attrs.gather.index_vector_dim = 1;
        op->attrs.gather.slice_sizes = fixture_dims(f, 2, ROWS, 1);
        fixture_return(f, 1, &op->results[0]);
        int32_t *x = numbered(f, ROWS * sizes[n], 1 << 30), index[LOOKUPS],
                expected[ROWS * LOOKUPS];
        for (int i = 0; i < ROWS * LOOKUPS; i++) {
            int at = i % LOOKUPS * 29 % (sizes[n] + 5) - 2;
            index[i % LOOKUPS] = at;
            at = at < 0 ? 0 : at >= sizes[n] ? sizes[n] - 1 : at;
            expected[i] = x[i / LOOKUPS * sizes[n] + at];
        }
        expect(f, (void *[3]){x, index}, 2, result, expected, sizes[n]);
        arena_destroy(arena);
    }
}

/* Gathers rows of a table, and single elements by two indices. Indices out of range are clamped. */
Test(emit_index, gather)
{
    for (int columns = 1; columns < 40; columns += 6) {
        struct arena *arena = fixture_arena();
        const struct type *table = fixture_type(arena, DTYPE_S32, 2, 10, columns);
        const struct type *which = fixture_type(arena, DTYPE_S32, 2, 21, 1),
                          *rows = fixture_type(arena, DTYPE_S32, 2, 21, columns);
        struct fixture *f =
            fixture_begin(FUSION_LOOP, 2, (const struct type *[]){table, which}, arena);
        struct op *op =
            fixture_op(f, f->block, OP_gather, rows, 2, fixture_arg(f, 0), fixture_arg(f, 1));
        op->attrs.gather.offset_dims = fixture_dims(f, 1, 1);
        op->attrs.gather.collapsed_slice_dims = fixture_dims(f, 1, 0);
        op->attrs.gather.start_index_map = fixture_dims(f, 1, 0);
        op->attrs.gather.index_vector_dim = 1;
        op->attrs.gather.slice_sizes = fixture_dims(f, 2, 1, columns);
        fixture_return(f, 1, &op->results[0]);
        int32_t *x = numbered(f, 10 * columns, 5), index[21],
                *expected = numbered(f, 21 * columns, 0);
        for (int i = 0; i < 21; i++) {
            index[i] = i * 7 % 16 - 3;
            int row = index[i] < 0 ? 0 : index[i] > 9 ? 9 : index[i];
            for (int j = 0; j < columns; j++)
                expected[i * columns + j] = x[row * columns + j];
        }
        expect(f, (void *[3]){x, index}, 2, rows, expected, columns);
        arena_destroy(arena);
    }
}

Test(emit_index, gather_elements)
{
    struct arena *arena = fixture_arena();
    const struct type *table = fixture_type(arena, DTYPE_S32, 2, 9, 13),
                      *which = fixture_type(arena, DTYPE_S64, 2, 37, 2);
    const struct type *result = fixture_type(arena, DTYPE_S32, 1, 37);
    struct fixture *f = fixture_begin(FUSION_LOOP, 2, (const struct type *[]){table, which}, arena);
    struct op *op =
        fixture_op(f, f->block, OP_gather, result, 2, fixture_arg(f, 0), fixture_arg(f, 1));
    op->attrs.gather.collapsed_slice_dims = fixture_dims(f, 2, 0, 1);
    op->attrs.gather.start_index_map = fixture_dims(f, 2, 1, 0);
    op->attrs.gather.index_vector_dim = 1;
    op->attrs.gather.slice_sizes = fixture_dims(f, 2, 1, 1);
    fixture_return(f, 1, &op->results[0]);
    int32_t *x = numbered(f, 9 * 13, 5), *expected = numbered(f, 37, 0);
    int64_t index[74];
    for (int i = 0; i < 37; i++) {
        index[2 * i] = i * 5 % 17 - 2;
        index[2 * i + 1] = i * 3 % 11 - 1;
        int64_t column = index[2 * i] < 0 ? 0 : index[2 * i] > 12 ? 12 : index[2 * i];
        int64_t row = index[2 * i + 1] < 0 ? 0 : index[2 * i + 1] > 8 ? 8 : index[2 * i + 1];
        expected[i] = x[row * 13 + column];
    }
    expect(f, (void *[3]){x, index}, 2, result, expected, 0);
    arena_destroy(arena);
}

/* bitcast_convert to narrower and wider elements. */
Test(emit_index, bits)
{
    struct arena *arena = fixture_arena();
    const struct type *words = fixture_type(arena, DTYPE_S32, 1, 37),
                      *bytes = fixture_type(arena, DTYPE_U8, 2, 37, 4);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &words, arena);
    struct value *split = fixture_value(f, OP_bitcast_convert, bytes, fixture_arg(f, 0), NULL);
    struct value *not = fixture_value(f, OP_not, bytes, split, NULL);
    fixture_return(f, 1, fixture_value(f, OP_bitcast_convert, words, not, NULL));
    int32_t *x = numbered(f, 37, -12345678), *expected = numbered(f, 37, 0);
    for (int i = 0; i < 37; i++)
        expected[i] = ~x[i];
    expect(f, (void *[2]){x}, 1, words, expected, 0);
    arena_destroy(arena);
}

/* Concatenates rows of x, the rows reversed, and the rows again. A piece's index is negative before
 * the piece begins, and it passes through a reshape. */
Test(emit_index, concatenate_of_reshaped)
{
    for (int columns = 3; columns < 40; columns += 7) {
        struct arena *arena = fixture_arena();
        const struct type *row = fixture_type(arena, DTYPE_S32, 1, columns);
        const struct type *deep = fixture_type(arena, DTYPE_S32, 4, 3, 1, 1, columns);
        const struct type *flat = fixture_type(arena, DTYPE_S32, 2, 3, columns);
        const struct type *out = fixture_type(arena, DTYPE_S32, 2, 3, 3 * columns);
        struct fixture *f = fixture_begin(FUSION_LOOP, 1, &row, arena);
        struct value *wide = fixture_broadcast(f, fixture_arg(f, 0), deep, fixture_dims(f, 1, 3));
        struct value *rows = fixture_value(f, OP_reshape, flat, wide, NULL);
        struct op *reverse = fixture_op(f, f->block, OP_reverse, flat, 1, rows);
        reverse->attrs.dimensions.dimensions = fixture_dims(f, 1, 1);
        struct op *op =
            fixture_op(f, f->block, OP_concatenate, out, 3, rows, &reverse->results[0], rows);
        op->attrs.dimension.dimension = 1;
        fixture_return(f, 1, &op->results[0]);
        int32_t *x = numbered(f, columns, 5), *expected = numbered(f, 9 * columns, 0);
        for (int i = 0; i < 9 * columns; i++) {
            int at = i % (3 * columns);
            expected[i] = x[at / columns == 1 ? 2 * columns - 1 - at : at % columns];
        }
        expect(f, (void *[2]){x}, 1, out, expected, columns);
        arena_destroy(arena);
    }
}
