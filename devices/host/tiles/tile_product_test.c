/* Products of tiles against simple loops, for both types and each layout; rounding to bf16. */
#include "devices/host/tiles/tile_product.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { MAX = 1 << 14 };

static float left[MAX], right[MAX], out[MAX], packed[2 * MAX];
static uint16_t narrow_left[MAX], narrow_right[MAX];

static float float_of(uint32_t bits)
{
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static void fill(void)
{
    for (int i = 0; i < MAX; i++) {
        left[i] = (float)(i * 37 % 101 - 50) / 64;
        right[i] = (float)(i * 53 % 97 - 48) / 64;
        out[i] = 1;
    }
    tile_product()->narrow(left, MAX, narrow_left);
    tile_product()->narrow(right, MAX, narrow_right);
}

/* All columns of a right side of any strides, from row `first_k` on, added to what is there. */
static void multiply(const struct tile_product *product, int64_t k, int64_t first_k,
                     int64_t columns, int64_t k_stride, int64_t column_stride)
{
    const bool is_f32 = product->bytes == sizeof(float);
    const void *lhs = is_f32 ? (const void *)left : narrow_left;
    const void *rhs = is_f32 ? (const void *)right : narrow_right;
    tile_product_pack(product, rhs, k_stride, column_stride, k, columns, packed);
    for (int64_t column = 0; column < columns; column += product->width) {
        struct tile tile = {.lhs = (const char *)lhs + first_k * product->bytes,
                            .rhs = tile_product_at(product, packed, k, first_k, column),
                            .out = out + column,
                            .lhs_stride = k,
                            .lhs_k_stride = 1,
                            .out_stride = 256,
                            .k = k - first_k,
                            .vectors = product->width / product->lanes,
                            .adds = true};
        product->multiply(&tile);
    }
}

static void check(int64_t k, int64_t first_k, int64_t columns, int64_t k_stride,
                  int64_t column_stride)
{
    for (int64_t r = 0; r < TILE_ROWS; r++)
        for (int64_t c = 0; c < columns; c++) {
            double sum = 1;
            for (int64_t i = first_k; i < k; i++)
                sum += (double)left[r * k + i] * (double)right[i * k_stride + c * column_stride];
            cr_assert_float_eq(out[r * 256 + c], sum, 1e-5, "row %d, column %d of %d x %d", (int)r,
                               (int)c, (int)k, (int)columns);
        }
}

static void try_layouts(const struct tile_product *product)
{
    static const int64_t sizes[][2] = {{1, 1}, {2, 64}, {7, 65}, {16, 100}, {33, 31}, {70, 70}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const int64_t k = sizes[i][0], columns = sizes[i][1];
        const int64_t strides[][2] = {
            {columns, 1}, {1, k}, {1, k + 1}, {2 * columns, 2}, {3, 3 * k}};
        for (size_t j = 0; j < sizeof strides / sizeof *strides; j++)
            for (int64_t first_k = 0; first_k < k; first_k += 6) {
                fill();
                multiply(product, k, first_k, columns, strides[j][0], strides[j][1]);
                check(k, first_k, columns, strides[j][0], strides[j][1]);
            }
    }
}

Test(tile_product, layouts)
{
    try_layouts(tile_product());
    try_layouts(tile_product_bf16());
}

/* What is behind an odd row is neither read nor multiplied. */
Test(tile_product, numbers_behind_k)
{
    fill();
    for (int r = 0; r < TILE_ROWS; r++)
        narrow_left[r * 4 + 3] = 0x7fc0;
    const struct tile_product *product = tile_product_bf16();
    tile_product_pack(product, narrow_right, 1, 3, 3, 5, packed);
    product->multiply(&(struct tile){.lhs = narrow_left,
                                     .rhs = packed,
                                     .out = out,
                                     .lhs_stride = 4,
                                     .lhs_k_stride = 1,
                                     .out_stride = 256,
                                     .k = 3,
                                     .vectors = 1});
    for (int r = 0; r < TILE_ROWS; r++)
        for (int c = 0; c < 5; c++)
            cr_assert(!isnan(out[r * 256 + c]));
}

/* What is behind the rows and columns that are rounded stays. */
static void try_rounded(const struct tile_product *product, int64_t rows, int64_t columns)
{
    enum { K = 10, STRIDE = 80 };
    const bool is_f32 = product->bytes == sizeof(float);
    uint16_t rounded[TILE_ROWS * STRIDE], want[TILE_ROWS * STRIDE];
    memset(rounded, 1, sizeof rounded), memset(want, 1, sizeof want);
    fill();
    tile_product_pack(product, is_f32 ? (void *)right : narrow_right, columns, 1, K, columns,
                      packed);
    struct tile tile = {.lhs = is_f32 ? (void *)left : narrow_left,
                        .rhs = packed,
                        .out = out,
                        .lhs_stride = K,
                        .lhs_k_stride = 1,
                        .out_stride = STRIDE,
                        .k = K,
                        .vectors = (int)((columns + product->lanes - 1) / product->lanes),
                        .adds = true};
    product->multiply(&tile);
    for (int64_t r = 0; r < rows; r++)
        product->narrow(out + r * STRIDE, columns, want + r * STRIDE);
    fill();
    tile.rounded = rounded, tile.rounded_stride = STRIDE, tile.rows = rows, tile.columns = columns;
    product->multiply(&tile);
    cr_assert_arr_eq(rounded, want, sizeof want, "%d x %d", (int)rows, (int)columns);
}

Test(tile_product, rounded)
{
    const struct tile_product *products[] = {tile_product(), tile_product_bf16()};
    for (int i = 0; i < 2; i++)
        for (int64_t rows = 1; rows <= TILE_ROWS; rows++)
            for (int64_t columns = 1; columns <= products[i]->width; columns++)
                try_rounded(products[i], rows, columns);
}

/* The first rows are those of a whole tile; the others are not written. What is fetched meanwhile
 * changes nothing, and is fetched once, one part after the other. */
static void try_few_rows(const struct tile_product *product)
{
    enum { K = 100, STRIDE = 80 };
    const bool is_f32 = product->bytes == sizeof(float);
    static float want[TILE_ROWS * STRIDE];
    const struct tile_ahead last = {
        .at = (const char *)right, .piece = 2, .stride = 2, .pieces = 1, .lines = 1};
    struct tile_ahead ahead = {.at = (const char *)packed,
                               .piece = 2,
                               .stride = 2,
                               .pieces = 2,
                               .lines = 1,
                               .wait = 1,
                               .next = &last};
    fill();
    tile_product_pack(product, is_f32 ? (void *)right : narrow_right, 1, K, K, product->width,
                      packed);
    struct tile tile = {.lhs = is_f32 ? (void *)left : narrow_left,
                        .rhs = packed,
                        .out = want,
                        .lhs_stride = K,
                        .lhs_k_stride = 1,
                        .out_stride = STRIDE,
                        .k = K,
                        .vectors = product->width / product->lanes};
    product->multiply(&tile);
    tile.out = out, tile.has_few_rows = true, tile.rows = TILE_FEW_ROWS;
    tile.columns = product->width, tile.fetches_out = true, tile.ahead = &ahead;
    tile.next_lhs = (const char *)tile.lhs + TILE_ROWS * K * product->bytes;
    product->multiply(&tile);
    for (int r = 0; r < TILE_ROWS; r++)
        for (int c = 0; c < product->width; c++)
            cr_assert_eq(out[r * STRIDE + c], r < TILE_FEW_ROWS ? want[r * STRIDE + c] : 1);
    cr_assert_eq(ahead.pieces, 0);
    cr_assert_eq(ahead.at - (const char *)right, 2);
}

Test(tile_product, few_rows)
{
    try_few_rows(tile_product());
    try_few_rows(tile_product_bf16());
}

/* Nothing is fetched before its time. */
Test(tile_product, fetches_late)
{
    enum { K = 100, FETCHES = (K + TILE_FETCH_STEPS - 1) / TILE_FETCH_STEPS };
    struct tile_ahead ahead = {.at = (const char *)right,
                               .piece = 2,
                               .stride = 2,
                               .pieces = 9,
                               .lines = 1,
                               .wait = FETCHES + 1};
    const struct tile tile = {.lhs = left,
                              .rhs = right,
                              .out = out,
                              .lhs_k_stride = 1,
                              .k = K,
                              .vectors = 1,
                              .rows = TILE_ROWS,
                              .ahead = &ahead};
    fill();
    tile_product()->multiply(&tile);
    cr_assert_eq(ahead.pieces, 9);
    tile_product()->multiply(&tile);
    cr_assert_eq(ahead.pieces, 9 - (FETCHES - 1));
}

static void try_not_finite(const struct tile_product *product)
{
    const int64_t count = product->lanes * product->depth * 3;
    for (int64_t i = 0; i < count; i++) {
        fill();
        cr_assert(product->is_finite(product->depth == 1 ? (void *)right : narrow_right, count));
        right[i] = i % 2 ? -INFINITY : NAN;
        tile_product()->narrow(right, MAX, narrow_right);
        cr_assert_not(
            product->is_finite(product->depth == 1 ? (void *)right : narrow_right, count));
    }
}

Test(tile_product, infinities_are_found)
{
    try_not_finite(tile_product());
    try_not_finite(tile_product_bf16());
}

Test(tile_product, rounds_to_nearest)
{
    static const struct {
        uint32_t from;
        uint16_t to;
    } cases[] = {{0x3f800000, 0x3f80}, {0x3f808000, 0x3f80}, {0x3f818000, 0x3f82},
                 {0x3f808001, 0x3f81}, {0xbf807fff, 0xbf80}, {0x7f7fffff, 0x7f80},
                 {0x7f800000, 0x7f80}, {0xff800000, 0xff80}, {0x7f800001, 0x7fc0},
                 {0xffffffff, 0xffff}, {0x80000000, 0x8000}, {0x00008000, 0x0000}};
    enum { COUNT = sizeof cases / sizeof *cases };
    for (int64_t begin = 0; begin < COUNT; begin++) {
        float from[COUNT];
        uint16_t to[COUNT + 1] = {0};
        for (int i = 0; i < COUNT; i++)
            from[i] = float_of(cases[i].from);
        tile_product()->narrow(from + begin, COUNT - begin, to);
        for (int64_t i = begin; i < COUNT; i++)
            cr_expect_eq(to[i - begin], cases[i].to, "%08x: %04x", cases[i].from, to[i - begin]);
        cr_expect_eq(to[COUNT - begin], 0);
    }
}

Test(tile_product, pairs_are_rounded_rows)
{
    const struct tile_product *all[] = {tile_product(), tile_product_bf16()};
    for (int i = 0; i < 2; i++)
        for (int64_t count = 0; count < 70; count++) {
            uint16_t pairs[2 * 70 + 1] = {0}, first[70], second[70];
            fill();
            left[3] = NAN, right[5] = -INFINITY;
            all[i]->narrow_pairs(left, right, count, pairs);
            all[i]->narrow(left, count, first), all[i]->narrow(right, count, second);
            for (int64_t j = 0; j < count; j++)
                cr_assert(pairs[2 * j] == first[j] && pairs[2 * j + 1] == second[j]);
            cr_assert_eq(pairs[2 * count], 0);
        }
}

/* Every number is in its element, and none is written behind the last tile. */
static void try_left_sides(const struct tile_product *product)
{
    const int64_t depth = product->depth, bytes = product->bytes;
    for (int64_t k = 1; k < 40; k += 3)
        for (int64_t rows = 1; rows < 20; rows++) {
            static uint32_t from_words[40 * 20], to_words[50 * 20];
            char *from = (char *)from_words, *to = (char *)to_words;
            const int64_t tiles = (rows + TILE_ROWS - 1) / TILE_ROWS,
                          numbers = tile_product_packed_left(product, k);
            for (int64_t i = 0; i < k * rows; i++)
                memcpy(from + i * bytes, &(uint32_t){(uint32_t)i + 1}, (size_t)bytes);
            memset(to, 0, sizeof to_words);
            tile_product_pack_left(product, from, rows, k, rows, to);
            for (int64_t i = 0; i < k; i++)
                for (int64_t r = 0; r < rows; r++)
                    cr_assert_arr_eq(to + (r / TILE_ROWS * numbers +
                                           (i / depth * TILE_ROWS + r % TILE_ROWS) * depth +
                                           i % depth) *
                                              bytes,
                                     from + (i * rows + r) * bytes, (size_t)bytes);
            cr_assert_eq(to[tiles * numbers * bytes], 0);
        }
}

Test(tile_product, packed_left_sides)
{
    try_left_sides(tile_product());
    try_left_sides(tile_product_bf16());
}

/* As every number of a row is rounded, wherever it is: also denormals, which some processors take
 * as zero. */
Test(tile_product, rounding_does_not_depend_on_the_position)
{
    enum { MOST = 40 };
    const struct tile_product *product = tile_product();
    float from[MOST];
    uint16_t row[MOST], pairs[2 * MOST], one;
    for (int i = 0; i < MOST; i++)
        from[i] = float_of((uint32_t)(i % 3 == 0 ? i << 15 : 0x3f808000 + i));
    for (int count = 1; count <= MOST; count++) {
        product->narrow(from, count, row);
        product->narrow_pairs(from, from, count, pairs);
        for (int i = 0; i < count; i++) {
            product->narrow(from + i, 1, &one);
            cr_assert_eq(row[i], one, "%d of %d", i, count);
            cr_assert(pairs[2 * i] == one && pairs[2 * i + 1] == one, "%d of %d", i, count);
        }
    }
}

/* Of numbers of which one, at any place, has that magnitude. */
static void try_magnitude(const struct tile_product *product, float magnitude, bool expected)
{
    const int64_t count = product->lanes * product->depth * 2 + 3;
    for (int64_t i = 0; i < count; i++) {
        fill();
        right[count] = INFINITY; /* behind the last */
        right[i] = i % 3 ? magnitude : -magnitude;
        tile_product()->narrow(right, MAX, narrow_right);
        cr_assert_eq(product->is_usual(product->depth == 1 ? (void *)right : narrow_right, count),
                     expected);
    }
}

Test(tile_product, large_numbers_are_found)
{
    const struct tile_product *products[] = {tile_product(), tile_product_bf16()};
    for (int i = 0; i < 2; i++) {
        try_magnitude(products[i], ldexpf(255.0F / 256, TILE_USUAL), true);
        try_magnitude(products[i], ldexpf(1, TILE_USUAL), false);
        try_magnitude(products[i], INFINITY, false);
        try_magnitude(products[i], NAN, false);
    }
}
