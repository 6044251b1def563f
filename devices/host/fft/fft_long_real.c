/* fft_long_real.c: see fft_long_real.h. */
#include "devices/host/fft/fft_long_real.h"

#include <string.h>

#include "base/alloc.h"
#include "base/pool.h"

enum {
    GRAIN = 16384, /* numbers of a parallel task */
    RUN = 64       /* roots computed together */
};

/* ---- plans ----------------------------------------------------------------------------------- */
static struct error *make(struct fft_long_real_plan *plan)
{
    int64_t n = plan->n;
    switch (plan->how) {
    case FFT_SPLIT_LINES:
        return fft_lines_plan_create_real(plan->part, n, plan->lines, &plan->whole);
    case FFT_SPLIT_HALF:
        TRY(fft_roots_create(&plan->roots, n));
        return fft_long_plan_create(plan->part, n / 2, plan->lines, 1, &plan->complex);
    case FFT_SPLIT_WHOLE:
        return fft_long_plan_create(plan->part, n, plan->lines, 1, &plan->complex);
    }
    return NULL;
}

struct error *fft_long_real_plan_create(enum dtype part, int64_t n, int64_t lines,
                                        struct fft_long_real_plan **out)
{
    struct fft_long_real_plan *plan;
    *out = NULL;
    TRY(alloc_zeroed(sizeof *plan, &plan));
    plan->part = part;
    plan->n = n;
    plan->lines = lines;
    plan->how = fft_split_real(n, lines);
    struct error *error = make(plan);
    if (error)
        fft_long_real_plan_destroy(plan);
    else
        *out = plan;
    return error;
}

void fft_long_real_plan_destroy(struct fft_long_real_plan *plan)
{
    if (!plan)
        return;
    fft_lines_plan_destroy(plan->whole);
    fft_long_plan_destroy(plan->complex);
    fft_roots_destroy(&plan->roots);
    alloc_free(plan);
}

/* ---- steps ----------------------------------------------------------------------------------- */
struct real_line {
    const struct fft_long_real_plan *plan;
    bool to_real;
    const void *from;
    void *to;
};

#define REAL float
#define NAME(name) name##_f32
#include "devices/host/fft/fft_long_real_body.h"
#undef REAL
#undef NAME
#define REAL double
#define NAME(name) name##_f64
#include "devices/host/fft/fft_long_real_body.h"
#undef REAL
#undef NAME

static void each(const struct real_line *line, int64_t count,
                 void (*narrow)(void *, int64_t, int64_t), void (*wide)(void *, int64_t, int64_t))
{
    bool is_wide = line->plan->part == DTYPE_F64;
    pool_parallel(pool_shared(), count, GRAIN, is_wide ? wide : narrow, (void *)line);
}

static void combine(const struct fft_long_real_plan *plan, bool to_real, const void *from, void *to)
{
    struct real_line line = {.plan = plan, .to_real = to_real, .from = from, .to = to};
    (plan->part == DTYPE_F64 ? combine_ends_f64 : combine_ends_f32)(&line);
    each(&line, plan->n / 4, combine_all_f32, combine_all_f64);
}

static struct error *run_complex(const struct fft_long_real_plan *plan, bool inverse,
                                 const void *in, void *scratch, void *out)
{
    const struct fft_long_plan *complex = plan->complex;
    return fft_long_run(&(struct fft_long){.plan = complex,
                                           .inverse = inverse,
                                           .scale = inverse ? 1 / (double)complex->n : 1,
                                           .lines = 1,
                                           .inner = 1,
                                           .reread = true,
                                           .in = in,
                                           .out = out,
                                           .scratch = scratch});
}

/* The scratch begins with the complex numbers of the transform. */
static struct error *run_line(const struct fft_long_real_plan *plan, bool to_real, const void *in,
                              char *scratch, void *out)
{
    size_t number = 2 * (size_t)dtype_bytes(plan->part), n = (size_t)plan->n;
    if (plan->how == FFT_SPLIT_HALF && !to_real) {
        TRY(run_complex(plan, false, in, scratch, out));
        combine(plan, false, out, out);
        return NULL;
    }
    if (plan->how == FFT_SPLIT_HALF) {
        combine(plan, true, in, scratch);
        return run_complex(plan, true, scratch, scratch + n / 2 * number, out);
    }
    char *results = scratch + n * number, *rest = results + n * number;
    struct real_line load = {.plan = plan, .from = in, .to = scratch},
                     store = {.plan = plan, .from = results, .to = out};
    if (to_real)
        each(&load, plan->n / 2 + 1, complete_f32, complete_f64);
    else
        each(&load, plan->n, widen_f32, widen_f64);
    TRY(run_complex(plan, to_real, scratch, rest, results));
    if (to_real)
        each(&store, plan->n, real_parts_f32, real_parts_f64);
    else
        memcpy(out, results, (n / 2 + 1) * number);
    return NULL;
}

struct error *fft_long_real_run(const struct fft_long_real_plan *plan, bool to_real, const void *in,
                                void *scratch, void *out)
{
    if (plan->how == FFT_SPLIT_LINES)
        return fft_lines_run(&(struct fft_lines){.plan = plan->whole,
                                                 .kind = to_real ? FFT_LINES_HALF : FFT_LINES_REAL,
                                                 .inverse = to_real,
                                                 .scale = to_real ? 1 / (double)plan->n : 1,
                                                 .lines = plan->lines,
                                                 .inner = 1,
                                                 .out_inner = 1,
                                                 .in = in,
                                                 .out = out});
    size_t part = (size_t)dtype_bytes(plan->part), real = (size_t)plan->n * part,
           half = (size_t)(plan->n / 2 + 1) * 2 * part;
    struct error *error = NULL;
    for (int64_t i = 0; i < plan->lines && !error; i++)
        error = run_line(plan, to_real, (const char *)in + (size_t)i * (to_real ? half : real),
                         scratch, (char *)out + (size_t)i * (to_real ? real : half));
    return error;
}
