/* sort_test.c: sorts rows by key and by merging, along either dimension, with a payload operand;
 * and selects only the first elements of each row. */
#include "compiler/codegen/codegen_fixture.h"

enum { LARGEST = 300000 };

/* The first `count` elements along a dimension. */
static struct value *first_of(struct fixture *f, struct value *value, int dim, int count)
{
    int rows = dim ? (int)value->type->shape.dims[0] : count,
        columns = dim ? count : (int)value->type->shape.dims[1];
    const struct type *type = fixture_type(f->arena, value->type->shape.dtype, 2, rows, columns);
    struct op *slice = fixture_op(f, f->block, OP_slice, type, 1, value);
    slice->attrs.slice.start_indices = fixture_dims(f, 2, 0, 0);
    slice->attrs.slice.limit_indices = fixture_dims(f, 2, rows, columns);
    slice->attrs.slice.strides = fixture_dims(f, 2, 1, 1);
    return &slice->results[0];
}

/* sort(keys, payload) by compare(-key, -key) or compare(key, key), in one direction. */
static void make_sort(struct fixture *f, const struct type *type, int dim,
                      enum comparison direction, bool negated, int requested)
{
    const struct type *scalar = type_scalar(f->arena, DTYPE_F32),
                      *pred = type_scalar(f->arena, DTYPE_PRED);
    const struct type *number = type_scalar(f->arena, DTYPE_S32);
    const struct type *types[] = {type, type_with_dtype(f->arena, type, DTYPE_S32)};
    struct value *operands[] = {fixture_arg(f, 0), fixture_arg(f, 1)};
    struct op *op = ir_op(f->module, OP_sort, 2, operands, 2, types, 1);
    const struct type *arguments[] = {scalar, scalar, number, number};
    struct block *body = op->regions[0] = ir_block(f->module, f->block->func, op, 4, arguments);
    struct value *left = &body->arguments[0], *right = &body->arguments[1];
    if (negated) {
        left = &fixture_op(f, body, OP_negate, scalar, 1, left)->results[0];
        right = &fixture_op(f, body, OP_negate, scalar, 1, right)->results[0];
    }
    struct op *compare = fixture_op(f, body, OP_compare, pred, 2, left, right);
    compare->attrs.compare.comparison_direction = direction;
    compare->attrs.compare.compare_type = COMPARE_TOTALORDER;
    struct value *result = &compare->results[0];
    ir_append(body, ir_op(f->module, OP_return, 1, &result, 0, NULL, 0));
    op->attrs.sort.dimension = dim;
    op->attrs.sort.is_stable = true;
    ir_append(f->block, op);
    struct value *results[] = {&op->results[0], &op->results[1]};
    for (int i = 0; i < 2 && requested; i++)
        results[i] = first_of(f, results[i], dim, requested);
    fixture_return(f, 2, results[0], results[1]);
}

static const float *sorted_keys;
static int64_t sorted_stride;
static bool sorted_down;

/* Orders positions by key, then by position. */
static int by_key(const void *a, const void *b)
{
    int32_t i = *(const int32_t *)a, j = *(const int32_t *)b;
    float x = sorted_keys[i * sorted_stride], y = sorted_keys[j * sorted_stride];
    if (x != y)
        return (x < y) != sorted_down ? -1 : 1;
    return i < j ? -1 : i > j;
}

/* How the keys of a test are distributed. */
enum keys { KEYS_REPEATED, KEYS_ANY, KEYS_NARROW, KEYS_CLUSTERS, KEYS_EQUAL };

static float key_of(enum keys keys, float random, int i)
{
    switch (keys) {
    case KEYS_REPEATED: return floorf(random * 50);
    case KEYS_ANY: return random;
    case KEYS_NARROW: return i % 20 ? 1 + random * 1e-5f : i % 40 ? 3e38f : -3e38f;
    case KEYS_CLUSTERS: return (i % 2 ? 2e30f : -1) * (1 + floorf(random * 1000) * 1e-6f);
    default: return 7;
    }
}

/* `requested`: if not 0, how many elements of each line are requested. */
static void check_keys(int rows, int columns, int dim, enum comparison direction, bool negated,
                       int requested, enum keys distribution)
{
    static int32_t order[LARGEST];
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, DTYPE_F32, 2, rows, columns);
    const struct type *types[] = {type, type_with_dtype(arena, type, DTYPE_S32)};
    struct fixture *f = fixture_begin(FUSION_STANDALONE, 2, types, arena);
    int length = dim ? columns : rows, lines = dim ? rows : columns, count = rows * columns;
    int written = requested ? requested : length, stride = dim ? 1 : columns;
    make_sort(f, type, dim, direction, negated, requested);
    float *keys = fixture_floats(f, count, 1);
    int32_t *payload = fixture_memory(f, (size_t)count * 4);
    for (int i = 0; i < count; i++) {
        keys[i] = key_of(distribution, keys[i], i);
        payload[i] = i;
    }
    for (int tier = 0; tier < CODEGEN_TIERS; tier++) {
        float *out = fixture_memory(f, (size_t)(lines * written) * 4);
        int32_t *moved = fixture_memory(f, (size_t)(lines * written) * 4);
        void *scratch = fixture_memory(f, codegen_scratch_size(f->fusion, &f->target));
        fixture_run(f, tier, tier, (void *[]){keys, payload, out, moved, scratch}, NULL);
        fixture_guarded(out, (size_t)(lines * written) * 4);
        fixture_guarded(scratch, codegen_scratch_size(f->fusion, &f->target));
        for (int line = 0; line < lines; line++) {
            int first = dim ? line * columns : line;
            sorted_keys = keys + first;
            int out_first = dim ? line * written : line;
            sorted_stride = stride;
            sorted_down = (direction == COMPARE_GT) != negated;
            for (int i = 0; i < length; i++)
                order[i] = i;
            qsort(order, (size_t)length, sizeof *order, by_key);
            for (int i = 0; i < written; i++) {
                int64_t at = out_first + i * sorted_stride, from = first + order[i] * sorted_stride;
                cr_assert(out[at] == keys[from] && moved[at] == from,
                          "%dx%d dim %d line %d at %d: %g from %d, not %d", rows, columns, dim,
                          line, i, out[at], moved[at], (int)from);
            }
        }
    }
    arena_destroy(arena);
}

static void check(int rows, int columns, int dim, enum comparison direction, bool negated,
                  int requested)
{
    check_keys(rows, columns, dim, direction, negated, requested, KEYS_REPEATED);
}

Test(sort_emit, by_key)
{
    static const int shapes[][2] = {{1, 64}, {3, 100}, {2, 1000}, {70, 5}, {1, 40000}, {300, 2}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int dim = 0; dim < 2; dim++) {
            check(shapes[s][0], shapes[s][1], dim, COMPARE_LT, false, 0);
            check(shapes[s][0], shapes[s][1], dim, COMPARE_GT, true, 0);
            check(shapes[s][0], shapes[s][1], dim, COMPARE_GT, false, 0);
        }
}

Test(sort_emit, short_rows)
{
    for (int n = 1; n < 132; n += n % 16 == 1 ? 1 : 3) {
        check(2, n, 1, COMPARE_LT, false, 0);
        check(2, n, 1, COMPARE_GT, n & 1, 0);
        check_keys(2, n, 1, COMPARE_LT, false, 0, KEYS_EQUAL);
    }
}

/* ---- integers -------------------------------------------------------------------------------- */
static void sort_numbers(struct fixture *f, const struct type *type, enum comparison direction)
{
    const struct type *scalar = type_scalar(f->arena, type->shape.dtype);
    struct value *operand = fixture_arg(f, 0);
    struct op *op = ir_op(f->module, OP_sort, 1, &operand, 1, &type, 1);
    struct block *body = op->regions[0] =
        ir_block(f->module, f->block->func, op, 2, (const struct type *[]){scalar, scalar});
    struct op *compare = fixture_op(f, body, OP_compare, type_scalar(f->arena, DTYPE_PRED), 2,
                                    &body->arguments[0], &body->arguments[1]);
    compare->attrs.compare.comparison_direction = direction;
    struct value *result = &compare->results[0];
    ir_append(body, ir_op(f->module, OP_return, 1, &result, 0, NULL, 0));
    op->attrs.sort.dimension = 1;
    ir_append(f->block, op);
    fixture_return(f, 1, &op->results[0]);
}

static int64_t number_at(const void *numbers, enum dtype dtype, int i)
{
    switch (dtype) {
    case DTYPE_S8: return ((const int8_t *)numbers)[i];
    case DTYPE_U8: return ((const uint8_t *)numbers)[i];
    case DTYPE_S16: return ((const int16_t *)numbers)[i];
    case DTYPE_U16: return ((const uint16_t *)numbers)[i];
    case DTYPE_S32: return ((const int32_t *)numbers)[i];
    case DTYPE_U32: return ((const uint32_t *)numbers)[i];
    case DTYPE_U64: return ((const int64_t *)numbers)[i] ^ INT64_MIN;
    default: return ((const int64_t *)numbers)[i];
    }
}

static int by_bytes(const void *a, const void *b)
{
    return *(const unsigned char *)a - *(const unsigned char *)b;
}

/* Two rows of any bits: in order, and with the same bytes in all. */
static void check_numbers(enum dtype dtype, int length, enum comparison direction)
{
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, dtype, 2, 2, length);
    struct fixture *f = fixture_begin(FUSION_STANDALONE, 1, &type, arena);
    size_t bytes = (size_t)type_bytes(type);
    uint64_t random = (uint64_t)length;
    sort_numbers(f, type, direction);
    unsigned char *in = fixture_memory(f, bytes), *expected = fixture_memory(f, bytes);
    for (size_t i = 0; i < bytes; i++) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        expected[i] = in[i] = (unsigned char)(random >> 56);
    }
    qsort(expected, bytes, 1, by_bytes);
    for (int tier = 0; tier < CODEGEN_TIERS; tier++) {
        unsigned char *out = fixture_memory(f, bytes);
        void *scratch = fixture_memory(f, codegen_scratch_size(f->fusion, &f->target));
        fixture_run(f, tier, tier, (void *[]){in, out, scratch}, NULL);
        fixture_guarded(out, bytes);
        fixture_guarded(scratch, codegen_scratch_size(f->fusion, &f->target));
        for (int i = 1; i < 2 * length; i++) {
            int64_t before = number_at(out, dtype, i - 1), number = number_at(out, dtype, i);
            cr_assert(i == length ||
                          (direction == COMPARE_LT ? before <= number : before >= number),
                      "dtype %d, %d elements, at %d", dtype, length, i);
        }
        qsort(out, bytes, 1, by_bytes);
        cr_assert(!memcmp(out, expected, bytes), "dtype %d, %d elements", dtype, length);
    }
    arena_destroy(arena);
}

Test(sort_emit, short_rows_of_integers)
{
    static const enum dtype dtypes[] = {DTYPE_S8,  DTYPE_U8,  DTYPE_S16, DTYPE_U16,
                                        DTYPE_S32, DTYPE_U32, DTYPE_S64, DTYPE_U64};
    static const int lengths[] = {2, 3, 7, 8, 20, 31, 53, 64, 65, 97, 128, 129};
    for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++)
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
            check_numbers(dtypes[d], lengths[i], i & 1 ? COMPARE_GT : COMPARE_LT);
}

/* By selection, and by sorting where too many elements are requested or rows are strided. */
Test(sort_emit, first_of_each_row)
{
    static const int requested[] = {1, 5, 8, 17, 64, 300};
    for (size_t i = 0; i < sizeof requested / sizeof *requested; i++) {
        check(3, 1030, 1, COMPARE_GT, false, requested[i]);
        check(2, 1200, 1, COMPARE_LT, true, requested[i]);
        check(400, 3, 0, COMPARE_LT, false, requested[i]);
    }
    check(5, 9, 1, COMPARE_LT, false, 2);
}

/* Long rows, whose parts are sorted where they are: keys whose leading bits divide the row well,
 * around one value with a few others on both sides, around two values, and only one key. */
Test(sort_emit, long_rows)
{
    for (enum keys keys = KEYS_REPEATED; keys <= KEYS_EQUAL; keys++)
        check_keys(1, LARGEST - 1, 1, COMPARE_LT, false, 0, keys);
    check_keys(1, LARGEST - 7, 1, COMPARE_GT, false, 0, KEYS_CLUSTERS);
}

/* A long row needs less than half of its size in scratch; rows that are sorted one after the other
 * share their scratch. */
Test(sort_emit, scratch)
{
    static const int shapes[][2] = {{1, 1 << 20}, {8192, 128}};
    for (int i = 0; i < 2; i++) {
        struct arena *arena = fixture_arena();
        const struct type *type = fixture_type(arena, DTYPE_F32, 2, shapes[i][0], shapes[i][1]);
        const struct type *types[] = {type, type_with_dtype(arena, type, DTYPE_S32)};
        struct fixture *f = fixture_begin(FUSION_STANDALONE, 2, types, arena);
        f->target.cores = 2;
        make_sort(f, type, 1, COMPARE_LT, false, 0);
        cr_expect_lt(codegen_scratch_size(f->fusion, &f->target), (uint64_t)type_bytes(type));
        arena_destroy(arena);
    }
}
