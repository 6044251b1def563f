#include "compiler/program/fft_tables.h"

#include <math.h>

#include "base/alloc.h"
#include "base/fpu.h"
#include "base/pool.h"

#define LENGTH_LIMIT (INT64_C(1) << 40)
enum { GRAIN = 4096 }; /* elements that a thread computes at once */

void fft_tables_root(int64_t j, int64_t n, double *re, double *im)
{
    j %= n;
    long double angle =
        2 * 3.14159265358979323846264338327950288L * (long double)j / (long double)n;
    *re = (double)cosl(angle);
    *im = -(double)sinl(angle);
    if (4 * j % n == 0) {
        static const double exact[4] = {1, 0, -1, 0};
        *re = exact[4 * j / n];
        *im = exact[(4 * j / n + 1) % 4];
    }
}

bool fft_tables_is_smooth(int64_t n)
{
    for (int64_t prime = 2; prime <= FFT_TABLES_PRIME; prime++)
        while (n > 1 && n % prime == 0)
            n /= prime;
    return n == 1;
}

/* Places whose bits are reversed change with each other. */
static void reverse_bits(double *numbers, int bits)
{
    int64_t n = (int64_t)1 << bits;
    for (int64_t i = 0, j = 0; i < n; i++) {
        for (int part = 0; part < 2 && i < j; part++) {
            double kept = numbers[2 * i + part];
            numbers[2 * i + part] = numbers[2 * j + part];
            numbers[2 * j + part] = kept;
        }
        int64_t bit = n >> 1;
        for (; bit && (j & bit); bit >>= 1)
            j ^= bit;
        j ^= bit;
    }
}

struct stage { /* butterflies of one size */
    double *numbers;
    int64_t n, half;
};

static void run_stage(void *context, int64_t begin, int64_t end)
{
    const struct stage *stage = context;
    int64_t half = stage->half;
    for (int64_t k = begin; k < end; k++) {
        double re, im;
        fft_tables_root(k, 2 * half, &re, &im);
        for (int64_t base = k; base < stage->n; base += 2 * half) {
            double *a = stage->numbers + 2 * base, *b = stage->numbers + 2 * (base + half);
            double x = b[0] * re - b[1] * im, y = b[0] * im + b[1] * re;
            b[0] = a[0] - x, b[1] = a[1] - y;
            a[0] += x, a[1] += y;
        }
    }
}

void fft_tables_transform(double *numbers, int bits)
{
    struct stage stage = {.numbers = numbers, .n = (int64_t)1 << bits};
    reverse_bits(numbers, bits);
    for (stage.half = 1; stage.half < stage.n; stage.half *= 2)
        pool_parallel(pool_shared(), stage.half, GRAIN, run_stage, &stage);
}

/* ---- tables ---------------------------------------------------------------------------------- */
bool fft_tables_is_valid(const struct fft_table *t)
{
    if (t->n < 1 || t->n > LENGTH_LIMIT || t->count < 1 || t->columns < 1 ||
        (t->dtype != DTYPE_C64 && t->dtype != DTYPE_C128) || !isfinite(t->factor_re) ||
        !isfinite(t->factor_im))
        return false;
    switch (t->kind) {
    case FFT_TABLE_ROOTS: return t->count <= t->n && t->columns == 1;
    case FFT_TABLE_TWIDDLES: return t->count == t->n && t->n % t->columns == 0;
    case FFT_TABLE_CHIRP: return t->count == t->n && t->columns == 1;
    case FFT_TABLE_FILTER:
        return t->count >= 2 * t->n - 1 && t->count <= 4 * LENGTH_LIMIT &&
               (t->count & (t->count - 1)) == 0 && t->columns == 1;
    }
    return false;
}

struct filling {
    const struct fft_table *table;
    void *bytes;
    double *coarse, *fine; /* of twiddles: roots of multiples of `columns`, and of what is below */
    double *filter;
};

static void put(const struct filling *f, int64_t i, double re, double im)
{
    if (f->table->dtype == DTYPE_C128) {
        double *to = (double *)f->bytes + 2 * i;
        to[0] = re, to[1] = im;
    } else {
        float *to = (float *)f->bytes + 2 * i;
        to[0] = (float)re, to[1] = (float)im;
    }
}

static void fill_roots(void *context, int64_t begin, int64_t end)
{
    const struct filling *f = context;
    const struct fft_table *t = f->table;
    for (int64_t k = begin; k < end; k++) {
        double re, im;
        fft_tables_root(k, t->n, &re, &im);
        im = t->inverse ? -im : im;
        put(f, k, re * t->factor_re - im * t->factor_im, re * t->factor_im + im * t->factor_re);
    }
}

/* Each a product of two roots of short tables. */
static void fill_twiddles(void *context, int64_t begin, int64_t end)
{
    const struct filling *f = context;
    int64_t columns = f->table->columns;
    for (int64_t i = begin; i < end; i++) {
        int64_t j = i / columns, k = i % columns;
        const double *a = f->coarse + 2 * (j * k / columns), *b = f->fine + 2 * (j * k % columns);
        double re = a[0] * b[0] - a[1] * b[1], im = a[0] * b[1] + a[1] * b[0];
        put(f, i, re, f->table->inverse ? -im : im);
    }
}

static void chirp_at(const struct fft_table *t, int64_t j, double *re, double *im)
{
    unsigned __int128 square = (unsigned __int128)j * (unsigned __int128)j;
    fft_tables_root((int64_t)(square % (unsigned __int128)(2 * t->n)), 2 * t->n, re, im);
    *im = t->inverse ? -*im : *im;
}

static void fill_chirp(void *context, int64_t begin, int64_t end)
{
    const struct filling *f = context;
    double re, im;
    for (int64_t j = begin; j < end; j++) {
        chirp_at(f->table, j, &re, &im);
        put(f, j, re * f->table->factor_re, im * f->table->factor_re);
    }
}

static void write_filter(void *context, int64_t begin, int64_t end)
{
    const struct filling *f = context;
    const struct fft_table *t = f->table;
    for (int64_t j = begin; j < end; j++) {
        int64_t mirror = (t->count - j) % t->count;
        double re, im;
        chirp_at(t, j, &re, &im);
        f->filter[2 * j] = f->filter[2 * mirror] = re;
        f->filter[2 * j + 1] = f->filter[2 * mirror + 1] = -im;
    }
}

static struct error *fill_filter(struct filling *f)
{
    const struct fft_table *t = f->table;
    TRY(alloc_array((size_t)t->count, 2 * sizeof *f->filter, &f->filter));
    pool_parallel(pool_shared(), t->n, GRAIN, write_filter, f);
    fft_tables_transform(f->filter, __builtin_ctzll((uint64_t)t->count));
    for (int64_t i = 0; i < t->count; i++)
        put(f, i, f->filter[2 * i], f->filter[2 * i + 1]);
    return NULL;
}

static struct error *make_short_tables(struct filling *f)
{
    int64_t n = f->table->n, columns = f->table->columns;
    TRY(alloc_array((size_t)(n / columns + 1), 2 * sizeof *f->coarse, &f->coarse));
    TRY(alloc_array((size_t)columns, 2 * sizeof *f->fine, &f->fine));
    for (int64_t i = 0; i <= n / columns; i++)
        fft_tables_root(i * columns, n, &f->coarse[2 * i], &f->coarse[2 * i + 1]);
    for (int64_t i = 0; i < columns; i++)
        fft_tables_root(i, n, &f->fine[2 * i], &f->fine[2 * i + 1]);
    return NULL;
}

static struct error *fill(struct filling *f)
{
    const struct fft_table *t = f->table;
    switch (t->kind) {
    case FFT_TABLE_ROOTS: pool_parallel(pool_shared(), t->count, GRAIN, fill_roots, f); break;
    case FFT_TABLE_TWIDDLES:
        TRY(make_short_tables(f));
        pool_parallel(pool_shared(), t->count, GRAIN, fill_twiddles, f);
        break;
    case FFT_TABLE_CHIRP: pool_parallel(pool_shared(), t->count, GRAIN, fill_chirp, f); break;
    case FFT_TABLE_FILTER: return fill_filter(f);
    }
    return NULL;
}

struct error *fft_tables_fill(const struct fft_table *table, void *bytes)
{
    struct filling f = {.table = table, .bytes = bytes};
    struct fpu_mode mode = fpu_current();
    fpu_restore((struct fpu_mode){0});
    struct error *error = fill(&f);
    fpu_restore(mode);
    alloc_free(f.coarse);
    alloc_free(f.fine);
    alloc_free(f.filter);
    return error;
}
