/* Products of blocks against simple loops, for both types: sizes that tiles do not divide, parts of
 * k, sums that are added to, limits of tiles, and left sides whose rows are columns in memory. */
#include "devices/host/tiles/tile_matrix.h"

#include <criterion/criterion.h>
#include <string.h>

#include "devices/host/tiles/tile_sizes.h"

enum { MAX = 1 << 14 };

static float left[MAX], right[MAX], out[MAX];
static uint16_t narrow_left[MAX], narrow_right[MAX], pairs[MAX];
static char packed[8 * MAX];

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

static void check(const struct tile_matrix *m, int64_t row_stride, int64_t k_stride)
{
    for (int64_t r = 0; r < m->rows; r++)
        for (int64_t c = 0; c < m->columns; c++) {
            double sum = r < m->added_rows;
            for (int64_t i = 0; i < m->k; i++)
                sum +=
                    (double)left[r * row_stride + i * k_stride] * (double)right[i * m->columns + c];
            cr_assert_float_eq(out[r * m->out_stride + c], sum, 1e-5, "row %d, column %d of %d",
                               (int)r, (int)c, (int)m->columns);
        }
}

static void try_size(const struct tile_product *product, int64_t rows, int64_t k, int64_t columns)
{
    const bool is_f32 = product->depth == 1;
    struct tile_matrix m = {.left = is_f32 ? (const void *)left : narrow_left,
                            .left_stride = k,
                            .left_k_stride = 1,
                            .right = packed,
                            .right_k = k,
                            .out = out,
                            .out_stride = columns,
                            .rows = rows,
                            .k = k,
                            .columns = columns,
                            .part = k};
    fill();
    tile_product_pack(product, is_f32 ? (const void *)right : narrow_right, columns, 1, k, columns,
                      packed);
    tile_matrix_multiply(product, &m);
    check(&m, k, 1);
    fill();
    m.part = 2, m.added_rows = rows, m.out_stride = tile_round_up(columns, product->width);
    tile_matrix_multiply(product, &m);
    check(&m, k, 1);
}

/* left[r, i] is at i * rows + r. */
static void try_columns(const struct tile_product *product, int64_t rows, int64_t k,
                        int64_t columns)
{
    const bool is_f32 = product->depth == 1;
    fill();
    for (int64_t i = 0; i < k; i += 2)
        product->narrow_pairs(left + i * rows, left + (i + 1) * rows, rows, pairs + i * rows);
    tile_product_pack(product, is_f32 ? (const void *)right : narrow_right, columns, 1, k, columns,
                      packed);
    const struct tile_matrix m = {.left = is_f32 ? (const void *)left : pairs,
                                  .left_stride = product->depth,
                                  .left_k_stride = rows,
                                  .right = packed,
                                  .right_k = k,
                                  .out = out,
                                  .out_stride = columns,
                                  .rows = rows,
                                  .k = k,
                                  .columns = columns,
                                  .part = k};
    tile_matrix_multiply(product, &m);
    check(&m, 1, rows);
}

Test(tile_matrix, sizes)
{
    static const int64_t sizes[][3] = {{1, 1, 1}, {6, 8, 64}, {13, 7, 65}, {24, 33, 20}};
    const struct tile_product *all[] = {tile_product(), tile_product_bf16()};
    for (int i = 0; i < 2; i++)
        for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++) {
            try_size(all[i], sizes[j][0], sizes[j][1], sizes[j][2]);
            try_columns(all[i], sizes[j][0], sizes[j][1], sizes[j][2]);
        }
}

/* Each tile of rows has its part of k and of the columns; the other columns stay as they are. */
Test(tile_matrix, limits_of_tiles)
{
    enum { ROWS = 2 * TILE_ROWS + 1, K = 5, COLUMNS = 3 * 64 };
    static const int64_t tile_k[] = {1, 4, 5}, tile_columns[] = {65, 1, COLUMNS};
    const struct tile_product *product = tile_product();
    struct tile_matrix m = {.left = left,
                            .left_stride = K,
                            .left_k_stride = 1,
                            .right = packed,
                            .right_k = K,
                            .out = out,
                            .out_stride = COLUMNS,
                            .rows = ROWS,
                            .k = K,
                            .columns = COLUMNS,
                            .part = 2,
                            .tile_k = tile_k,
                            .tile_columns = tile_columns};
    fill();
    tile_product_pack(product, right, COLUMNS, 1, K, COLUMNS, packed);
    tile_matrix_multiply(product, &m);
    for (int64_t r = 0; r < ROWS; r++)
        for (int64_t c = 0; c < COLUMNS; c++) {
            const int64_t tile = r / TILE_ROWS;
            double sum = 0;
            for (int64_t i = 0; i < tile_k[tile]; i++)
                sum += (double)left[r * K + i] * (double)right[i * COLUMNS + c];
            if (c < tile_columns[tile])
                cr_assert_float_eq(out[r * COLUMNS + c], sum, 1e-5);
            else if (c >= tile_round_up(tile_columns[tile], product->lanes))
                cr_assert_eq(out[r * COLUMNS + c], 1);
        }
}

/* Each tile of rows begins with its row of k; those of the first are added to what is there. */
Test(tile_matrix, beginnings_of_tiles)
{
    enum { ROWS = 3 * TILE_ROWS, K = 8, COLUMNS = 20, STRIDE = 64 };
    static const int64_t tile_first[] = {4, 0, 6};
    const struct tile_product *product = tile_product_bf16();
    struct tile_matrix m = {.left = narrow_left,
                            .left_stride = K,
                            .left_k_stride = 1,
                            .right = packed,
                            .right_k = K,
                            .out = out,
                            .out_stride = STRIDE,
                            .rows = ROWS,
                            .k = K,
                            .columns = COLUMNS,
                            .part = 2,
                            .tile_first = tile_first,
                            .added_rows = TILE_ROWS};
    fill();
    tile_product_pack(product, narrow_right, COLUMNS, 1, K, COLUMNS, packed);
    tile_matrix_multiply(product, &m);
    for (int64_t r = 0; r < ROWS; r++)
        for (int64_t c = 0; c < COLUMNS; c++) {
            double sum = r < TILE_ROWS;
            for (int64_t i = tile_first[r / TILE_ROWS]; i < K; i++)
                sum += (double)left[r * K + i] * (double)right[i * COLUMNS + c];
            cr_assert_float_eq(out[r * STRIDE + c], sum, 1e-5);
        }
}
