/* fft_lines_nest.h: transforms of eight lines, or of the eighths of one, in stages or as nested
 * ones, for one element type and instruction set. No include guard. */

/* Runs stages from b[0] and b[1]; the result replaces them. */
TARGET static void NAME(run_stages)(const struct fft_lines_stages *stages, REAL *b[4])
{
    for (int i = 0; i < stages->count; i++) {
        NAME(stage)(&stages->at[i], (P *)b[0], (P *)b[1], (P *)b[2], (P *)b[3]);
        NAME(flip)(b);
    }
}

/* Registers of a number, and of a group. */
enum { NAME(pieces) = FFT_LINES / PIECE, NAME(group) = FFT_LINES_GROUP * NAME(pieces) };

/* Copies `count` groups, `from` and `to` numbers apart. */
TARGET INLINE void NAME(copy_groups)(int64_t count, const P *xr, const P *xi, int64_t from, P *yr,
                                     P *yi, int64_t to)
{
    from *= NAME(pieces);
    to *= NAME(pieces);
    for (int64_t j = 0; j < count; j++, xr += from, xi += from, yr += to, yi += to) {
        UNROLL
        for (int q = 0; q < NAME(group); q++) {
            yr[q] = xr[q];
            yi[q] = xi[q];
        }
    }
}

/* Multiplies a number of each column of a group by w; the results are a group apart. */
TARGET INLINE void NAME(twiddle_group)(const P *xr, const P *xi, const REAL *w, P *yr, P *yi)
{
    UNROLL
    for (int q = 0; q < NAME(group); q++) {
        const REAL *factor = w + 2 * (q / NAME(pieces));
        int to = q / NAME(pieces) * NAME(group) + q % NAME(pieces);
        yr[to] = xr[q] * factor[0] - xi[q] * factor[1];
        yi[to] = xr[q] * factor[1] + xi[q] * factor[0];
    }
}

/* Transforms a group of columns in b[0] and b[1]. They become, times twiddles, columns of b[2] and
 * b[3], where the numbers of a group of rows are contiguous: one column after the other. */
TARGET static void NAME(nested_columns)(const struct fft_lines_nest *nest, int64_t column,
                                        REAL *const b[4], REAL *local[4])
{
    int64_t rows = nest->columns.n, columns = nest->rows.n, from = column * FFT_LINES;
    const REAL *w = (const REAL *)nest->twiddles + 2 * column * rows;
    P *yr = (P *)(b[2] + from * FFT_LINES_GROUP), *yi = (P *)(b[3] + from * FFT_LINES_GROUP);
    NAME(copy_groups)(rows, (const P *)(b[0] + from), (const P *)(b[1] + from), columns,
                      (P *)local[0], (P *)local[1], FFT_LINES_GROUP);
    NAME(run_stages)(&nest->columns, local);
    const P *xr = (const P *)local[0], *xi = (const P *)local[1];
    for (int64_t k = 0; k < rows; k += FFT_LINES_GROUP) {
        UNROLL
        for (int l = 0; l < FFT_LINES_GROUP; l++) {
            NAME(twiddle_group)(xr, xi, w, yr + l * NAME(pieces), yi + l * NAME(pieces));
            w += 2 * FFT_LINES_GROUP;
            xr += NAME(group);
            xi += NAME(group);
        }
        yr += columns * NAME(group);
        yi += columns * NAME(group);
    }
}

/* Transforms a group of rows in b[2] and b[3]. The results are in b[0] and b[1]. */
TARGET static void NAME(nested_rows)(const struct fft_lines_nest *nest, int64_t row,
                                     REAL *const b[4], REAL *const local[2])
{
    int64_t rows = nest->columns.n, columns = nest->rows.n, from = row * columns * FFT_LINES;
    REAL *x[4] = {b[2] + from, b[3] + from, local[0], local[1]};
    NAME(run_stages)(&nest->rows, x);
    NAME(copy_groups)(columns, (const P *)x[0], (const P *)x[1], FFT_LINES_GROUP,
                      (P *)(b[0] + row * FFT_LINES), (P *)(b[1] + row * FFT_LINES), rows);
}

TARGET static void NAME(nested)(const struct fft_lines_nest *nest, struct fft_lines_ahead *ahead,
                                REAL *b[FFT_LINES_BUFFERS])
{
    int64_t size = fft_lines_local(nest) * FFT_LINES;
    for (int64_t column = 0; column < nest->rows.n; column += FFT_LINES_GROUP) {
        REAL *local[4] = {b[4], b[4] + size, b[4] + 2 * size, b[4] + 3 * size};
        fft_lines_fetch(ahead);
        NAME(nested_columns)(nest, column, b, local);
    }
    for (int64_t row = 0; row < nest->columns.n; row += FFT_LINES_GROUP) {
        fft_lines_fetch(ahead);
        NAME(nested_rows)(nest, row, b, (REAL *[]){b[4], b[4] + size});
    }
}

/* Transforms eight lines in b[0] and b[1]; the result replaces them. */
TARGET static void NAME(eight_lines)(const struct fft_lines_stages *stages,
                                     struct fft_lines_ahead *ahead, REAL *b[FFT_LINES_BUFFERS])
{
    for (int i = 0; i < stages->count; i++) {
        fft_lines_fetch(ahead);
        NAME(stage)(&stages->at[i], (P *)b[0], (P *)b[1], (P *)b[2], (P *)b[3]);
        NAME(flip)(b);
    }
    if (stages->nest)
        NAME(nested)(stages->nest, ahead, b);
}
