/* tile_matrix.c: see tile_matrix.h. */
#include "devices/host/tiles/tile_matrix.h"

#include "devices/host/tiles/tile_sizes.h"

static int64_t limit(const int64_t *limits, int64_t row, int64_t all)
{
    return limits ? tile_least(limits[row / TILE_ROWS], all) : all;
}

/* A panel of the right side, from row `first` of k on. */
static void multiply_panel(const struct tile_product *product, const struct tile_matrix *m,
                           int64_t column, int64_t first)
{
    struct tile tile = {.lhs_stride = m->left_stride,
                        .lhs_k_stride = m->left_k_stride,
                        .ahead = m->ahead,
                        .out_stride = m->out_stride};
    const char *left = m->left;
    const int64_t stride = m->left_tile_stride ? m->left_tile_stride : TILE_ROWS * m->left_stride;
    for (int64_t row = 0; row < m->rows; row += TILE_ROWS, left += stride * product->bytes) {
        const int64_t columns = limit(m->tile_columns, row, m->columns) - column,
                      end = tile_least(limit(m->tile_k, row, m->k), first + m->part),
                      least = m->tile_first ? m->tile_first[row / TILE_ROWS] : 0,
                      begin = tile_most(first, least);
        tile.vectors = (int)tile_divide_up(tile_least(columns, product->width), product->lanes);
        tile.k = end - begin;
        if (columns <= 0 || tile.k <= 0)
            continue;
        tile.lhs = left + begin * m->left_k_stride * product->bytes;
        tile.rhs = tile_product_at(product, m->right, m->right_k, begin, column);
        tile.adds = row < m->added_rows || begin > least;
        tile.out = m->out + row * m->out_stride + column;
        product->multiply(&tile);
    }
}

/* The last panel comes first, and rows are in order: what a tile writes behind the end of a row is
 * written again by a later one. */
void tile_matrix_multiply(const struct tile_product *product, const struct tile_matrix *m)
{
    const int64_t width = product->width;
    for (int64_t column = (m->columns - 1) / width * width; column >= 0; column -= width)
        for (int64_t first = 0; first < m->k; first += m->part)
            multiply_panel(product, m, column, first);
}
