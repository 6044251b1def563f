/* Tests copies of matrices, of every size of elements, with contiguous rows, contiguous columns and
 * neither, within and beyond whole squares. */
#include <criterion/criterion.h>
#include <string.h>

#include "devices/host/kernels/matrix_copy.h"

enum { MOST = 37, SPREAD = 3, BYTES = 16, TO_ROW = MOST + 2 };

static unsigned char from[MOST * MOST * SPREAD * BYTES], to[MOST * TO_ROW * BYTES];

static void check(int64_t bytes, int64_t row, int64_t column, int64_t rows, int64_t columns)
{
    for (size_t i = 0; i < sizeof from; i++)
        from[i] = (unsigned char)(i * 7 + i / 251);
    memset(to, 0xA5, sizeof to);
    matrix_copy(bytes, (const char *)from, row, column, rows, columns, (char *)to, TO_ROW);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < TO_ROW; j++)
            for (int64_t b = 0; b < bytes; b++)
                cr_assert_eq(to[(i * TO_ROW + j) * bytes + b],
                             j < columns ? from[(i * row + j * column) * bytes + b] : 0xA5,
                             "%ld bytes, strides %ld and %ld, %ld x %ld", (long)bytes, (long)row,
                             (long)column, (long)rows, (long)columns);
}

Test(matrix_copy, copies_every_layout)
{
    static const int64_t sizes[][2] = {{1, 1}, {4, 4}, {8, 16}, {MOST, 9}, {13, MOST}, {3, 2}};
    for (int64_t bytes = 1; bytes <= BYTES; bytes *= 2)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            int64_t rows = sizes[i][0], columns = sizes[i][1];
            check(bytes, columns, 1, rows, columns);
            check(bytes, 1, rows, rows, columns);
            check(bytes, 2, 2 * rows, rows, columns);
        }
}

Test(matrix_copy, copies_nothing)
{
    check(4, 1, 1, 0, 5);
    check(4, 1, 3, 5, 0);
}
