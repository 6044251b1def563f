/* fft_long.c: see fft_long.h. */
#include "devices/host/fft/fft_long.h"

#include "base/alloc.h"
#include "base/pool.h"
#include "devices/host/fft/fft_roots.h"
#include "devices/host/fft/fft_padding.h"

enum { GRAIN = 16384 }; /* numbers of a parallel task */

/* ---- plans ----------------------------------------------------------------------------------- */
struct filling {
    struct fft_lines_twiddles *twiddles;
    struct fft_roots roots;
};

static void fill_steps(void *context, int64_t begin, int64_t end)
{
    const struct filling *f = context;
    const struct fft_lines_twiddles *t = f->twiddles;
    int64_t count = t->fine + t->coarse;
    for (int64_t column = begin; column < end; column++)
        for (int64_t i = 0; i < count; i++) {
            double *to = t->steps + 2 * (column * count + i);
            int64_t k = i < t->fine ? i : (i - t->fine) * t->fine;
            fft_roots_at(&f->roots, column * k, to, to + 1);
        }
}

static struct error *make_twiddles(const struct fft_split *split, struct fft_lines_twiddles *t)
{
    struct filling filling = {.twiddles = t};
    for (t->fine = 1; t->fine * t->fine < split->rows;)
        t->fine *= 2;
    t->coarse = (split->rows + t->fine - 1) / t->fine;
    int64_t count = t->fine + t->coarse;
    TRY(alloc_aligned((size_t)(split->columns * count) * 2 * sizeof *t->steps, &t->steps));
    struct error *error = fft_roots_create(&filling.roots, split->length);
    if (!error)
        pool_parallel(pool_shared(), split->columns, 1 + GRAIN / count, fill_steps, &filling);
    fft_roots_destroy(&filling.roots);
    return error;
}

static struct error *transform_wide(int64_t length, double *numbers)
{
    struct fft_long_plan *plan;
    double *scratch = NULL;
    TRY(fft_long_plan_create(DTYPE_F64, length, 1, 1, &plan));
    struct error *error = alloc_aligned((size_t)length * 2 * sizeof *scratch, &scratch);
    struct fft_long whole = {.plan = plan,
                             .scale = 1,
                             .lines = 1,
                             .inner = 1,
                             .in = numbers,
                             .out = numbers,
                             .scratch = scratch};
    if (!error)
        error = fft_long_run(&whole);
    alloc_free(scratch);
    fft_long_plan_destroy(plan);
    return error;
}

static struct error *make(struct fft_long_plan *plan, int64_t lines)
{
    const struct fft_split *split = &plan->split;
    if (split->rows == 1)
        return fft_lines_plan_create(plan->part, plan->n, lines, &plan->rows);
    TRY(fft_lines_plan_create(plan->part, split->columns, split->rows, &plan->rows));
    TRY(fft_lines_plan_create(plan->part, split->rows, split->columns, &plan->columns));
    TRY(make_twiddles(split, &plan->twiddles));
    if (split->length == plan->n)
        return NULL;
    return fft_padding_make(plan->part, plan->n, split->length, transform_wide, &plan->chirp,
                            &plan->filter);
}

struct error *fft_long_plan_create(enum dtype part, int64_t n, int64_t lines, int64_t inner,
                                   struct fft_long_plan **out)
{
    struct fft_long_plan *plan;
    *out = NULL;
    TRY(alloc_zeroed(sizeof *plan, &plan));
    plan->part = part;
    plan->n = n;
    plan->split = fft_split_of(n, lines, inner > 1);
    struct error *error = make(plan, lines);
    if (error)
        fft_long_plan_destroy(plan);
    else
        *out = plan;
    return error;
}

void fft_long_plan_destroy(struct fft_long_plan *plan)
{
    if (!plan)
        return;
    fft_lines_plan_destroy(plan->columns);
    fft_lines_plan_destroy(plan->rows);
    alloc_free(plan->twiddles.steps);
    alloc_free(plan->chirp);
    alloc_free(plan->filter);
    alloc_free(plan);
}

/* ---- matrices -------------------------------------------------------------------------------- */
/* `inner` lines of split.length numbers, from `in` by way of `scratch` to `out`. */
static struct error *run_matrix(const struct fft_long *f, bool inverse, double scale, int64_t inner,
                                const void *in, void *scratch, void *out)
{
    const struct fft_long_plan *plan = f->plan;
    int64_t rows = plan->split.rows, columns = plan->split.columns;
    struct fft_lines_twiddles twiddles = plan->twiddles;
    twiddles.inner = inner;
    bool tiled = inner == 1 && columns % FFT_LINES == 0 && in != scratch;
    struct fft_lines first = {.plan = plan->columns,
                              .inverse = inverse,
                              .scale = 1,
                              .lines = columns * inner,
                              .inner = columns * inner,
                              .out_inner = tiled ? FFT_LINES : columns * inner,
                              .twiddles = &twiddles,
                              .in = in,
                              .out = scratch};
    struct fft_lines second = {.plan = plan->rows,
                               .inverse = inverse,
                               .scale = scale,
                               .lines = rows * inner,
                               .inner = inner,
                               .tiled = tiled,
                               .out_inner = rows * inner,
                               .reread = f->reread || plan->split.length > plan->n,
                               .in = scratch,
                               .out = out};
    TRY(fft_lines_run(&first));
    return fft_lines_run(&second);
}

/* ---- padded lines ---------------------------------------------------------------------------- */
/* A few adjacent columns of an array that is `inner` wide, and the same ones of [length][columns]
 * numbers. */
struct padded {
    const struct fft_long *f;
    int64_t columns;
    const void *in;
    void *out, *numbers;
};

#define REAL float
#define NAME(name) name##_f32
#include "devices/host/fft/fft_long_body.h"
#undef REAL
#undef NAME
#define REAL double
#define NAME(name) name##_f64
#include "devices/host/fft/fft_long_body.h"
#undef REAL
#undef NAME

static struct error *run_padded(const struct fft_long *f, struct padded *p, char *scratch)
{
    const struct fft_long_plan *plan = f->plan;
    struct pool *pool = pool_shared();
    int64_t length = plan->split.length, grain = 1 + GRAIN / p->columns;
    bool wide = plan->part == DTYPE_F64;
    void *other = scratch + (size_t)(length * p->columns) * 2 * (size_t)dtype_bytes(plan->part);
    p->numbers = scratch;
    pool_parallel(pool, length, grain, wide ? load_padded_f64 : load_padded_f32, p);
    TRY(run_matrix(f, false, 1, p->columns, scratch, scratch, other));
    p->numbers = other;
    pool_parallel(pool, length, grain, wide ? filter_padded_f64 : filter_padded_f32, p);
    TRY(run_matrix(f, true, 1, p->columns, other, other, scratch));
    p->numbers = scratch;
    pool_parallel(pool, plan->n, grain, wide ? store_padded_f64 : store_padded_f32, p);
    return NULL;
}

/* ---- running --------------------------------------------------------------------------------- */
static struct error *run_columns(const struct fft_long *f, const char *in, char *out)
{
    size_t number = 2 * (size_t)dtype_bytes(f->plan->part);
    if (f->plan->split.length == f->plan->n)
        return run_matrix(f, f->inverse, f->scale, f->inner, in, f->scratch, out);
    for (int64_t c = 0; c < f->inner; c += FFT_SPLIT_COLUMNS) {
        int64_t rest = f->inner - c, at = c * (int64_t)number;
        struct padded p = {.f = f,
                           .columns = rest < FFT_SPLIT_COLUMNS ? rest : FFT_SPLIT_COLUMNS,
                           .in = in + at,
                           .out = out + at};
        TRY(run_padded(f, &p, f->scratch));
    }
    return NULL;
}

struct error *fft_long_run(const struct fft_long *f)
{
    const struct fft_long_plan *plan = f->plan;
    if (plan->split.rows == 1)
        return fft_lines_run(&(struct fft_lines){.plan = plan->rows,
                                                 .inverse = f->inverse,
                                                 .scale = f->scale,
                                                 .lines = f->lines,
                                                 .inner = f->inner,
                                                 .out_inner = f->inner,
                                                 .reread = f->reread,
                                                 .in = f->in,
                                                 .out = f->out});
    size_t bytes = (size_t)(plan->n * f->inner) * 2 * (size_t)dtype_bytes(plan->part);
    struct error *error = NULL;
    for (int64_t i = 0; i < f->lines / f->inner && !error; i++)
        error = run_columns(f, (const char *)f->in + (size_t)i * bytes,
                            (char *)f->out + (size_t)i * bytes);
    return error;
}
