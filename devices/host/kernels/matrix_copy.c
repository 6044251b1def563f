/* matrix_copy.c: see matrix_copy.h. Sources of which columns are contiguous are read a few columns
 * at a time, so that each line of a cache is read once. */
#include "devices/host/kernels/matrix_copy.h"

#include <string.h>

#include "devices/host/kernels/transpose_block.h"

enum { SQUARE = 8 };

static void gather_u16(const uint16_t *from, int64_t row, int64_t column, int64_t rows,
                       int64_t columns, uint16_t *to, int64_t to_row)
{
    for (int64_t first = 0; first < columns; first += SQUARE)
        for (int64_t i = 0; i < rows; i++)
            for (int64_t j = first; j < columns && j < first + SQUARE; j++)
                to[i * to_row + j] = from[i * row + j * column];
}

static void gather_any(int64_t bytes, const char *from, int64_t row, int64_t column, int64_t rows,
                       int64_t columns, char *to, int64_t to_row)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            memcpy(to + (i * to_row + j) * bytes, from + (i * row + j * column) * bytes,
                   (size_t)bytes);
}

void matrix_copy(int64_t bytes, const char *from, int64_t row, int64_t column, int64_t rows,
                 int64_t columns, char *to, int64_t to_row)
{
    const void *source = from;
    void *target = to;
    if (column == 1)
        for (int64_t i = 0; i < rows; i++)
            memcpy(to + i * to_row * bytes, from + i * row * bytes, (size_t)(columns * bytes));
    else if (bytes == sizeof(uint16_t))
        gather_u16(source, row, column, rows, columns, target, to_row);
    else if (bytes == sizeof(float))
        transpose_block_gather_f32(source, row, column, rows, columns, target, to_row);
    else if (bytes == sizeof(double))
        transpose_block_gather_f64(source, row, column, rows, columns, target, to_row);
    else
        gather_any(bytes, from, row, column, rows, columns, to, to_row);
}
