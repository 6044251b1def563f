/* narrow_bounds_test.c: random chains of moves of 8- and 16-bit elements, whose vectors are loaded
 * whole, stay in their operands and give each element its place. */
#include "compiler/codegen/codegen_fixture.h"
#include "compiler/codegen/fenced_memory.h"

enum { ROUNDS = 150, MOVES = 4, LARGEST = 1 << 16 };

struct chain { /* a value of rank 2 and the elements that it has to have */
    struct fixture *f;
    uint64_t state;
    enum dtype dtype;
    struct value *value;
    int64_t rows, columns;
    uint16_t *expected; /* row-major */
};

static int64_t pick(struct chain *c, int64_t count)
{
    c->state = c->state * 6364136223846793005U + 1442695040888963407U;
    return (int64_t)((c->state >> 33) % (uint64_t)count);
}

static const struct type *type_of(struct chain *c, int64_t rows, int64_t columns)
{
    return fixture_type(c->f->arena, c->dtype, 2, (int)rows, (int)columns);
}

/* The chain's value becomes that of an operation whose element (i, j) is (from + step * i, …). */
static void moved(struct chain *c, struct op *op, const int64_t from[2], const int64_t step[2])
{
    const int64_t *dims = op->results[0].type->shape.dims;
    uint16_t *out = ARENA_ARRAY(c->f->arena, uint16_t, (size_t)(dims[0] * dims[1]));
    for (int64_t i = 0; i < dims[0]; i++)
        for (int64_t j = 0; j < dims[1]; j++)
            out[i * dims[1] + j] =
                c->expected[(from[0] + step[0] * i) * c->columns + from[1] + step[1] * j];
    c->value = &op->results[0];
    c->rows = dims[0];
    c->columns = dims[1];
    c->expected = out;
}

static void slice(struct chain *c)
{
    const int64_t sizes[2] = {c->rows, c->columns};
    int64_t *begin = ARENA_ARRAY(c->f->arena, int64_t, 2), count[2];
    int64_t *limit = ARENA_ARRAY(c->f->arena, int64_t, 2);
    int64_t *stride = ARENA_ARRAY(c->f->arena, int64_t, 2);
    for (int i = 0; i < 2; i++) {
        begin[i] = pick(c, sizes[i]);
        stride[i] = 1 + pick(c, 5) / 3;
        count[i] = 1 + pick(c, (sizes[i] - begin[i] + stride[i] - 1) / stride[i]);
        limit[i] = begin[i] + (count[i] - 1) * stride[i] + 1;
    }
    struct op *op =
        fixture_op(c->f, c->f->block, OP_slice, type_of(c, count[0], count[1]), 1, c->value);
    op->attrs.slice.start_indices = (struct dims){2, begin};
    op->attrs.slice.limit_indices = (struct dims){2, limit};
    op->attrs.slice.strides = (struct dims){2, stride};
    moved(c, op, begin, stride);
}

static void reverse(struct chain *c)
{
    int64_t dim = pick(c, 2), from[2] = {0, 0}, step[2] = {1, 1};
    struct op *op =
        fixture_op(c->f, c->f->block, OP_reverse, type_of(c, c->rows, c->columns), 1, c->value);
    op->attrs.dimensions.dimensions = fixture_dims(c->f, 1, (int)dim);
    from[dim] = (dim ? c->columns : c->rows) - 1;
    step[dim] = -1;
    moved(c, op, from, step);
}

static void transpose(struct chain *c)
{
    int64_t rows = c->columns, columns = c->rows;
    struct op *op =
        fixture_op(c->f, c->f->block, OP_transpose, type_of(c, rows, columns), 1, c->value);
    uint16_t *out = ARENA_ARRAY(c->f->arena, uint16_t, (size_t)(rows * columns));
    op->attrs.transpose.permutation = fixture_dims(c->f, 2, 1, 0);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            out[i * columns + j] = c->expected[j * c->columns + i];
    *c = (struct chain){.f = c->f,
                        .state = c->state,
                        .dtype = c->dtype,
                        .value = &op->results[0],
                        .rows = rows,
                        .columns = columns,
                        .expected = out};
}

static void pad(struct chain *c)
{
    int64_t low[2] = {pick(c, 3), pick(c, 70)}, high[2] = {pick(c, 3), pick(c, 70)};
    int64_t rows = c->rows + low[0] + high[0], columns = c->columns + low[1] + high[1];
    struct value *with = fixture_constant(c->f, type_scalar(c->f->arena, c->dtype), 3);
    struct op *op =
        fixture_op(c->f, c->f->block, OP_pad, type_of(c, rows, columns), 2, c->value, with);
    uint16_t *out = ARENA_ARRAY(c->f->arena, uint16_t, (size_t)(rows * columns));
    op->attrs.pad.edge_padding_low = fixture_dims(c->f, 2, (int)low[0], (int)low[1]);
    op->attrs.pad.edge_padding_high = fixture_dims(c->f, 2, (int)high[0], (int)high[1]);
    op->attrs.pad.interior_padding = fixture_dims(c->f, 2, 0, 0);
    for (int64_t i = 0; i < rows * columns; i++)
        out[i] = 3;
    for (int64_t i = 0; i < c->rows; i++)
        memcpy(out + (i + low[0]) * columns + low[1], c->expected + i * c->columns,
               (size_t)c->columns * sizeof *out);
    c->value = &op->results[0];
    c->rows = rows;
    c->columns = columns;
    c->expected = out;
}

/* concatenate(value, other) of rows, where `other` has other columns. */
static void append(struct chain *c, const struct chain *other)
{
    int64_t columns = c->columns + other->columns;
    struct op *op = fixture_op(c->f, c->f->block, OP_concatenate, type_of(c, c->rows, columns), 2,
                               c->value, other->value);
    uint16_t *out = ARENA_ARRAY(c->f->arena, uint16_t, (size_t)(c->rows * columns));
    op->attrs.dimension.dimension = 1;
    for (int64_t i = 0; i < c->rows; i++) {
        memcpy(out + i * columns, c->expected + i * c->columns, (size_t)c->columns * sizeof *out);
        memcpy(out + i * columns + c->columns, other->expected + i * other->columns,
               (size_t)other->columns * sizeof *out);
    }
    c->value = &op->results[0];
    c->columns = columns;
    c->expected = out;
}

static void add_itself(struct chain *c)
{
    const int64_t none[2] = {0, 0}, one[2] = {1, 1};
    struct op *op = fixture_op(c->f, c->f->block, OP_add, type_of(c, c->rows, c->columns), 2,
                               c->value, c->value);
    moved(c, op, none, one);
    for (int64_t i = 0; i < c->rows * c->columns; i++)
        c->expected[i] = (uint16_t)(c->expected[i] * 2);
}

static void move(struct chain *c, const struct chain *arguments)
{
    switch (pick(c, 6)) {
    case 0: slice(c); break;
    case 1: reverse(c); break;
    case 2: transpose(c); break;
    case 3: pad(c); break;
    case 4: add_itself(c); break;
    default:
        for (int k = 1; k >= 0; k--)
            if (arguments[k].rows == c->rows && c->columns < LARGEST / c->rows) {
                append(c, &arguments[k]);
                return;
            }
        slice(c);
    }
}

/* An operand of numbers, in memory that is `in`. */
static struct chain argument(const struct chain *c, int i, const struct fenced *in)
{
    struct chain a = *c;
    a.value = fixture_arg(c->f, i);
    a.rows = a.value->type->shape.dims[0];
    a.columns = a.value->type->shape.dims[1];
    a.expected = ARENA_ARRAY(c->f->arena, uint16_t, (size_t)(a.rows * a.columns));
    for (int64_t k = 0; k < a.rows * a.columns; k++) {
        a.expected[k] = (uint16_t)(k * 7 + i);
        memcpy(in->bytes + (size_t)k * dtype_bytes(c->dtype), &a.expected[k],
               dtype_bytes(c->dtype));
    }
    return a;
}

static void run(struct chain *c, const struct fenced *in, bool at_end)
{
    size_t width = dtype_bytes(c->dtype), count = (size_t)(c->rows * c->columns);
    fixture_return(c->f, 1, c->value);
    for (int tier = 0; tier < CODEGEN_TIERS; tier++) {
        struct fenced out = fenced_memory(count * width, at_end);
        fixture_run(c->f, tier, 0, (void *[]){in[0].bytes, in[1].bytes, out.bytes}, NULL);
        for (size_t k = 0; k < count; k++)
            cr_assert_eq(memcmp(out.bytes + k * width, &c->expected[k], width), 0,
                         "tier %d at %zu of %zu", tier, k, count);
        fenced_free(out);
    }
}

static void expect_in_bounds(int round)
{
    struct arena *arena = fixture_arena();
    struct chain c = {.state = (uint64_t)round * 977 + 5,
                      .dtype = round % 2 ? DTYPE_U8 : DTYPE_S16};
    int64_t rows = 1 + pick(&c, 6), width = pick(&c, 3) ? 90 : 5000;
    const struct type *types[2];
    struct fenced in[2];
    for (int i = 0; i < 2; i++) {
        types[i] = fixture_type(arena, c.dtype, 2, (int)rows, (int)(1 + pick(&c, width)));
        in[i] = fenced_memory((size_t)type_elements(types[i]) * dtype_bytes(c.dtype), round & 2);
    }
    c.f = fixture_begin(FUSION_LOOP, 2, types, arena);
    struct chain arguments[2] = {argument(&c, 0, &in[0]), argument(&c, 1, &in[1])};
    uint64_t state = c.state;
    c = arguments[0];
    c.state = state;
    for (int i = 0; i < MOVES; i++)
        move(&c, arguments);
    run(&c, in, round & 2);
    fenced_free(in[0]);
    fenced_free(in[1]);
    arena_destroy(arena);
}

Test(narrow_bounds, moves_stay_in_their_operands)
{
    for (int round = 0; round < ROUNDS; round++)
        expect_in_bounds(round);
}
