/* fft_transform.c: see fft_transform.h. A transform of length q * side * side is one step of radix
 * q, which leaves q squares. Each square is transformed by rows and columns, with twiddle factors
 * between them. Rows stay in the cache, and the transform is in place. */
#include "compiler/program/fft_transform.h"

#include <string.h>

#include "base/alloc.h"
#include "base/pool.h"
#include "compiler/program/fft_roots.h"

enum {
    MAX_RADIX = 15,
    TILE = 16,      /* side of a transpose tile, in elements */
    ROWS_GRAIN = 8, /* rows per parallel task */
    GRAIN = 4096    /* elements */
};

/* ---- lengths --------------------------------------------------------------------------------- */
struct shape_of_length {
    int64_t q, side;
};

/* q is below 4 only if there is no square to split further. */
static struct shape_of_length split(int64_t length)
{
    struct shape_of_length shape = {length, 1};
    while (shape.q > MAX_RADIX && shape.q % 4 == 0) {
        shape.q /= 4;
        shape.side *= 2;
    }
    return shape;
}

int64_t fft_transform_length(int64_t min_square)
{
    static const int64_t radices[] = {1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 15};
    int64_t square = 1;
    while (square * MAX_RADIX < min_square)
        square *= 4;
    for (size_t i = 0;; i++)
        if (square * radices[i] >= min_square)
            return square * radices[i];
}

int64_t fft_transform_index(int64_t k, int64_t length)
{
    int64_t q = split(length).q;
    return k % q * (length / q) + k / q;
}

/* ---- the transform --------------------------------------------------------------------------- */
struct transform {
    double *numbers;
    int64_t q, side, square; /* square = side * side */
    struct fft_roots all, of_square;
    double *rows;                               /* the roots of a row: exp(-2 pi i k / side) */
    double of_radix[2 * MAX_RADIX * MAX_RADIX]; /* row r: exp(-2 pi i r k / q) */
};

/* sum += a * b */
static void add_product(double *sum, const double *a, const double *b)
{
    sum[0] += a[0] * b[0] - a[1] * b[1];
    sum[1] += a[0] * b[1] + a[1] * b[0];
}

static void multiply(double *a, double re, double im)
{
    double x = a[0] * re - a[1] * im;
    a[1] = a[0] * im + a[1] * re;
    a[0] = x;
}

/* Radix-q step: combines numbers j, j + square, ... into the q squares. */
static void radix_step(void *context, int64_t begin, int64_t end)
{
    const struct transform *t = context;
    for (int64_t j = begin; j < end; j++) {
        double in[2 * MAX_RADIX];
        for (int64_t i = 0; i < t->q; i++)
            memcpy(in + 2 * i, t->numbers + 2 * (i * t->square + j), 2 * sizeof *in);
        for (int64_t r = 0; r < t->q; r++) {
            double sum[2] = {0, 0}, re, im;
            for (int64_t i = 0; i < t->q; i++)
                add_product(sum, in + 2 * i, t->of_radix + 2 * (r * MAX_RADIX + i));
            fft_roots_at(&t->all, j * r, &re, &im);
            multiply(sum, re, im);
            memcpy(t->numbers + 2 * (r * t->square + j), sum, sizeof sum);
        }
    }
}

static void exchange(double *a, double *b)
{
    double saved[2] = {a[0], a[1]};
    memcpy(a, b, sizeof saved);
    memcpy(b, saved, sizeof saved);
}

static void reverse_bits(double *row, int64_t side)
{
    for (int64_t i = 0, j = 0; i < side; i++) {
        if (i < j)
            exchange(row + 2 * i, row + 2 * j);
        int64_t bit = side >> 1;
        for (; bit && (j & bit); bit >>= 1)
            j ^= bit;
        j ^= bit;
    }
}

static void transform_row(const struct transform *t, double *row)
{
    reverse_bits(row, t->side);
    for (int64_t half = 1; half < t->side; half *= 2)
        for (int64_t base = 0; base < t->side; base += 2 * half)
            for (int64_t k = 0; k < half; k++) {
                const double *root = t->rows + 2 * (t->side / (2 * half) * k);
                double *a = row + 2 * (base + k), *b = a + 2 * half;
                double x = b[0] * root[0] - b[1] * root[1], y = b[0] * root[1] + b[1] * root[0];
                b[0] = a[0] - x, b[1] = a[1] - y;
                a[0] += x, a[1] += y;
            }
}

static void transform_rows(void *context, int64_t begin, int64_t end)
{
    const struct transform *t = context;
    for (int64_t row = begin; row < end; row++)
        transform_row(t, t->numbers + 2 * row * t->side);
}

static void twiddle_rows(void *context, int64_t begin, int64_t end)
{
    const struct transform *t = context;
    for (int64_t row = begin; row < end; row++) {
        double *at = t->numbers + 2 * row * t->side;
        transform_row(t, at);
        for (int64_t k = 0; k < t->side; k++) {
            double re, im;
            fft_roots_at(&t->of_square, row % t->side * k, &re, &im);
            multiply(at + 2 * k, re, im);
        }
    }
}

static int64_t tiles_of(const struct transform *t)
{
    return (t->side + TILE - 1) / TILE;
}

/* Swaps a tile with the tile mirrored at the diagonal. */
static void transpose_tile(const struct transform *t, double *square, int64_t row, int64_t column)
{
    for (int64_t i = row; i < row + TILE && i < t->side; i++)
        for (int64_t j = column > i ? column : i + 1; j < column + TILE && j < t->side; j++)
            exchange(square + 2 * (i * t->side + j), square + 2 * (j * t->side + i));
}

static void transpose(void *context, int64_t begin, int64_t end)
{
    const struct transform *t = context;
    int64_t tiles = tiles_of(t);
    for (int64_t i = begin; i < end; i++)
        for (int64_t column = i % tiles; column < tiles; column++)
            transpose_tile(t, t->numbers + 2 * (i / tiles * t->square), i % tiles * TILE,
                           column * TILE);
}

static void transform_squares(struct transform *t)
{
    struct pool *pool = pool_shared();
    int64_t rows = t->q * t->side, tiles = t->q * tiles_of(t);
    pool_parallel(pool, tiles, 1, transpose, t);
    pool_parallel(pool, rows, ROWS_GRAIN, twiddle_rows, t);
    pool_parallel(pool, tiles, 1, transpose, t);
    pool_parallel(pool, rows, ROWS_GRAIN, transform_rows, t);
    pool_parallel(pool, tiles, 1, transpose, t);
}

static struct error *prepare(struct transform *t)
{
    TRY(fft_roots_create(&t->all, t->q * t->square));
    TRY(fft_roots_create(&t->of_square, t->square));
    TRY(alloc_array((size_t)t->side, 2 * sizeof *t->rows, &t->rows));
    fft_roots_fill(t->rows, t->side, 1, t->side);
    for (int64_t r = 0; r < t->q; r++)
        fft_roots_fill(t->of_radix + 2 * r * MAX_RADIX, t->q, r, t->q);
    return NULL;
}

struct error *fft_transform(double *numbers, int64_t length)
{
    struct shape_of_length shape = split(length);
    struct transform t = {numbers, shape.q, shape.side, shape.side * shape.side,
                          {0},     {0},     NULL,       {0}};
    if (length < 1 || length != fft_transform_length(length))
        return ERROR(INVALID_ARGUMENT, "a transform of %lld numbers at once is unsupported",
                     (long long)length);
    struct error *error = prepare(&t);
    if (!error) {
        pool_parallel(pool_shared(), t.square, GRAIN, radix_step, &t);
        transform_squares(&t);
    }
    fft_roots_destroy(&t.all);
    fft_roots_destroy(&t.of_square);
    alloc_free(t.rows);
    return error;
}
