/* fft_tables.c: see fft_tables.h. */
#include "devices/host/fft/fft_tables.h"

#include "base/fpu.h"
#include "base/pool.h"
#include "devices/host/fft/fft_roots.h"

enum { GRAIN = 4096 }; /* elements of a parallel task */

struct filling {
    enum dtype part;
    int64_t n;
    void *out;
    struct fft_roots roots;
};

static void put(const struct filling *f, int64_t i, double re, double im)
{
    if (f->part == DTYPE_F64) {
        double *to = (double *)f->out + 2 * i;
        to[0] = re, to[1] = im;
    } else {
        float *to = (float *)f->out + 2 * i;
        to[0] = (float)re, to[1] = (float)im;
    }
}

static void fill_roots(void *context, int64_t begin, int64_t end)
{
    const struct filling *f = context;
    for (int64_t k = begin; k < end; k++) {
        double re, im;
        fft_roots_at(&f->roots, k, &re, &im);
        put(f, k, re, im);
    }
}

/* j^2 modulo 2n */
static int64_t square_of(int64_t j, int64_t n)
{
    return (int64_t)((unsigned __int128)j * (unsigned __int128)j % (unsigned __int128)(2 * n));
}

static void fill_chirp(void *context, int64_t begin, int64_t end)
{
    const struct filling *f = context;
    int64_t period = 2 * f->n, square = square_of(begin, f->n);
    for (int64_t j = begin; j < end; j++) {
        double re, im;
        fft_roots_at(&f->roots, square, &re, &im);
        put(f, j, re, im);
        square += 2 * j + 1;
        square -= square >= period ? period : 0;
        square -= square >= period ? period : 0;
    }
}

/* With the standard floating-point mode, whatever the caller's is. `period`: of the roots. */
static struct error *fill(struct filling *f, int64_t period, int64_t count,
                          void (*task)(void *, int64_t, int64_t))
{
    struct fpu_mode mode = fpu_current();
    fpu_restore((struct fpu_mode){0});
    struct error *error = fft_roots_create(&f->roots, period);
    if (!error)
        pool_parallel(pool_shared(), count, GRAIN, task, f);
    fpu_restore(mode);
    fft_roots_destroy(&f->roots);
    return error;
}

struct error *fft_tables_roots(enum dtype part, int64_t n, int64_t count, void *out)
{
    struct filling f = {.part = part, .n = n, .out = out};
    return fill(&f, n, count, fill_roots);
}

struct error *fft_tables_chirp(int64_t n, double *out)
{
    struct filling f = {.part = DTYPE_F64, .n = n, .out = out};
    return fill(&f, 2 * n, n, fill_chirp);
}
