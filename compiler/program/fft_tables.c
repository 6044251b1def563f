#include "compiler/program/fft_tables.h"

#include <math.h>

#include "base/alloc.h"
#include "base/fpu.h"
#include "base/pool.h"
#include "compiler/program/fft_roots.h"
#include "compiler/program/fft_transform.h"

#define LENGTH_LIMIT (INT64_C(1) << 40)
enum {
    GRAIN = 4096,          /* elements per parallel task */
    LARGEST_STAGE = 31,    /* largest prime factor that is worth a stage */
    LARGEST_UNROLLED = 13, /* largest prime factor with an unrolled stage */
};

bool fft_tables_is_smooth(int64_t n)
{
    int64_t rest = n;
    for (int64_t prime = 2; prime <= LARGEST_STAGE; prime++)
        for (; rest > 1 && rest % prime == 0; rest /= prime)
            if (prime > LARGEST_UNROLLED && n / prime < prime / 4)
                return false;
    return rest == 1;
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
    case FFT_TABLE_FILTER: return t->count == fft_transform_length(2 * t->n - 1) && t->columns == 1;
    }
    return false;
}

struct filling {
    const struct fft_table *table;
    void *bytes;
    struct fft_roots roots;
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
        fft_roots_at(&f->roots, k, &re, &im);
        im = t->inverse ? -im : im;
        put(f, k, re * t->factor_re - im * t->factor_im, re * t->factor_im + im * t->factor_re);
    }
}

static void fill_twiddles(void *context, int64_t begin, int64_t end)
{
    const struct filling *f = context;
    int64_t columns = f->table->columns;
    for (int64_t i = begin; i < end; i++) {
        double re, im;
        fft_roots_at(&f->roots, i / columns * (i % columns), &re, &im);
        put(f, i, re, f->table->inverse ? -im : im);
    }
}

/* j^2 modulo 2n */
static int64_t square_of(int64_t j, int64_t n)
{
    return (int64_t)((unsigned __int128)j * (unsigned __int128)j % (unsigned __int128)(2 * n));
}

/* The chirp at j, from *square = j^2 modulo 2n; updates *square for j + 1. */
static void chirp_next(const struct filling *f, int64_t j, int64_t *square, double *re, double *im)
{
    int64_t period = 2 * f->table->n;
    fft_roots_at(&f->roots, *square, re, im);
    *im = f->table->inverse ? -*im : *im;
    *square += 2 * j + 1;
    *square -= *square >= period ? period : 0;
    *square -= *square >= period ? period : 0;
}

static void fill_chirp(void *context, int64_t begin, int64_t end)
{
    const struct filling *f = context;
    int64_t square = square_of(begin, f->table->n);
    double re, im;
    for (int64_t j = begin; j < end; j++) {
        chirp_next(f, j, &square, &re, &im);
        put(f, j, re * f->table->factor_re, im * f->table->factor_re);
    }
}

static void write_filter(void *context, int64_t begin, int64_t end)
{
    const struct filling *f = context;
    const struct fft_table *t = f->table;
    int64_t square = square_of(begin, t->n);
    for (int64_t j = begin; j < end; j++) {
        int64_t mirror = (t->count - j) % t->count;
        double re, im;
        chirp_next(f, j, &square, &re, &im);
        f->filter[2 * j] = f->filter[2 * mirror] = re;
        f->filter[2 * j + 1] = f->filter[2 * mirror + 1] = -im;
    }
}

static void put_filter(void *context, int64_t begin, int64_t end)
{
    const struct filling *f = context;
    for (int64_t i = begin; i < end; i++) {
        int64_t at = fft_transform_index(i, f->table->count);
        put(f, i, f->filter[2 * at], f->filter[2 * at + 1]);
    }
}

static struct error *fill_filter(struct filling *f)
{
    const struct fft_table *t = f->table;
    TRY(alloc_array((size_t)t->count, 2 * sizeof *f->filter, &f->filter));
    pool_parallel(pool_shared(), t->n, GRAIN, write_filter, f);
    TRY(fft_transform(f->filter, t->count));
    pool_parallel(pool_shared(), t->count, GRAIN, put_filter, f);
    return NULL;
}

static struct error *fill(struct filling *f)
{
    static void (*const fills[])(void *, int64_t, int64_t) = {
        [FFT_TABLE_ROOTS] = fill_roots,
        [FFT_TABLE_TWIDDLES] = fill_twiddles,
        [FFT_TABLE_CHIRP] = fill_chirp,
    };
    const struct fft_table *t = f->table;
    bool by_halves = t->kind == FFT_TABLE_CHIRP || t->kind == FFT_TABLE_FILTER;
    TRY(fft_roots_create(&f->roots, by_halves ? 2 * t->n : t->n));
    if (t->kind == FFT_TABLE_FILTER)
        return fill_filter(f);
    pool_parallel(pool_shared(), t->count, GRAIN, fills[t->kind], f);
    return NULL;
}

struct error *fft_tables_fill(const struct fft_table *table, void *bytes)
{
    struct filling f = {.table = table, .bytes = bytes};
    struct fpu_mode mode = fpu_current();
    fpu_restore((struct fpu_mode){0});
    struct error *error = fill(&f);
    fpu_restore(mode);
    fft_roots_destroy(&f.roots);
    alloc_free(f.filter);
    return error;
}
