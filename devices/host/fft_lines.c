/* fft_lines.c: see fft_lines.h. */
#include "devices/host/fft_lines.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/pool.h"
#include "compiler/program/fft_transform.h"

enum {
    CHUNK_COST = 30000, /* minimum number of complex additions of a parallel task */
    FEW_LINES = 3,      /* that are not worth a block of eight */
    LONG_LINE = 4096    /* eight of these exceed the caches */
};

static int64_t fft_lines_start(const struct fft_lines *f, int64_t line, int64_t numbers)
{
    return line / f->inner * f->inner * numbers + line % f->inner;
}

/* ---- blocks, for each element type and instruction set --------------------------------------- */
#define REAL float
#define NAME(name) name##_f32
#define TARGET
#include "devices/host/fft_lines_body.h"
#undef NAME
#undef TARGET
#ifdef __x86_64__
#define NAME(name) name##_f32_avx2
#define TARGET __attribute__((target("avx2")))
#include "devices/host/fft_lines_body.h"
#undef NAME
#undef TARGET
#endif
#undef REAL
#define REAL double
#define NAME(name) name##_f64
#define TARGET
#include "devices/host/fft_lines_body.h"
#undef NAME
#undef TARGET
#ifdef __x86_64__
#define NAME(name) name##_f64_avx2
#define TARGET __attribute__((target("avx2")))
#include "devices/host/fft_lines_body.h"
#undef NAME
#undef TARGET
#endif
#undef REAL

static fft_lines_block_function *block_of(enum dtype part)
{
#ifdef __x86_64__
    if (cpu_features()->avx2)
        return part == DTYPE_F64 ? block_f64_avx2 : block_f32_avx2;
#endif
    return part == DTYPE_F64 ? block_f64 : block_f32;
}

/* ---- plans ----------------------------------------------------------------------------------- */
static struct error *pairs(enum dtype part, int64_t count, void *out)
{
    return alloc_aligned((size_t)(count + 1) * 2 * (size_t)dtype_bytes(part), out);
}

static struct fft_table table_of(const struct fft_lines_plan *plan, enum fft_table_kind kind,
                                 int64_t n, int64_t count)
{
    return (struct fft_table){.kind = kind,
                              .dtype = plan->part == DTYPE_F64 ? DTYPE_C128 : DTYPE_C64,
                              .n = n,
                              .count = count,
                              .columns = 1,
                              .factor_re = 1};
}

/* Roots of unity of a plan's length while the plan is made. */
struct roots {
    enum dtype part;
    int64_t n;
    void *of; /* owned: exp(-2 pi i j / n), pairs */
};

/* Sets a complex number of a table, whose parts are at `re` and `im`, to exp(-2 pi i number / of);
 * `of` divides the length of the roots. */
static void put(const struct roots *roots, void *table, int64_t re, int64_t im, int64_t number,
                int64_t of)
{
    int64_t at = 2 * (number % of * (roots->n / of));
    if (roots->part == DTYPE_F64) {
        ((double *)table)[re] = ((double *)roots->of)[at];
        ((double *)table)[im] = ((double *)roots->of)[at + 1];
    } else {
        ((float *)table)[re] = ((float *)roots->of)[at];
        ((float *)table)[im] = ((float *)roots->of)[at + 1];
    }
}

static struct error *make_stage(const struct roots *roots, struct fft_lines_stage *g)
{
    TRY(pairs(roots->part, g->m * (g->radix - 1), &g->roots));
    for (int64_t p = 0; p < g->m; p++)
        for (int64_t k = 1; k < g->radix; k++) {
            int64_t at = 2 * (p * (g->radix - 1) + k - 1);
            put(roots, g->roots, at, at + 1, p * k, g->radix * g->m);
        }
    if (g->radix <= 5)
        return NULL;
    TRY(pairs(roots->part, g->radix, &g->circle));
    for (int64_t j = 0; j < g->radix; j++)
        put(roots, g->circle, 2 * j, 2 * j + 1, j, g->radix);
    return NULL;
}

static int64_t next_radix(int64_t rest)
{
    if (rest % 4 == 0)
        return 4;
    int64_t prime = 2;
    while (rest % prime)
        prime++;
    return prime;
}

static struct error *make_stages(const struct roots *roots, int64_t n, struct fft_lines_stages *out)
{
    int64_t s = 1;
    for (out->n = n; s < n; out->count++) {
        struct fft_lines_stage *g = &out->at[out->count];
        if (out->count == FFT_LINES_STAGES)
            return ERROR(INTERNAL, "a transform of %" PRId64 " numbers has more than %d stages", n,
                         FFT_LINES_STAGES);
        g->radix = next_radix(n / s);
        g->s = s;
        g->m = n / s / g->radix;
        s *= g->radix;
        TRY(make_stage(roots, g));
    }
    return NULL;
}

static struct error *make_eighths(const struct roots *roots, struct fft_lines_plan *plan)
{
    int64_t rows = plan->length / FFT_LINES;
    if (plan->length % FFT_LINES)
        return NULL;
    TRY(make_stages(roots, rows, &plan->eighths));
    TRY(pairs(plan->part, plan->length, &plan->twiddles));
    for (int64_t k = 0; k < rows; k++)
        for (int64_t j = 0; j < FFT_LINES; j++)
            put(roots, plan->twiddles, 2 * k * FFT_LINES + j, (2 * k + 1) * FFT_LINES + j, j * k,
                plan->length);
    return NULL;
}

static struct error *make_transform(struct fft_lines_plan *plan)
{
    struct roots roots = {.part = plan->part, .n = plan->length};
    struct fft_table table = table_of(plan, FFT_TABLE_ROOTS, plan->length, plan->length);
    struct error *error = pairs(plan->part, plan->length, &roots.of);
    if (!error)
        error = fft_tables_fill(&table, roots.of);
    if (!error)
        error = make_stages(&roots, plan->length, &plan->stages);
    if (!error)
        error = make_eighths(&roots, plan);
    alloc_free(roots.of);
    return error;
}

static struct error *make_padding(struct fft_lines_plan *plan)
{
    plan->length = fft_transform_length(2 * plan->n - 1);
    struct fft_table chirp = table_of(plan, FFT_TABLE_CHIRP, plan->n, plan->n),
                     filter = table_of(plan, FFT_TABLE_FILTER, plan->n, plan->length);
    TRY(pairs(plan->part, plan->n, &plan->chirp));
    TRY(pairs(plan->part, plan->length, &plan->filter));
    TRY(fft_tables_fill(&chirp, plan->chirp));
    return fft_tables_fill(&filter, plan->filter);
}

struct error *fft_lines_plan_create(enum dtype part, int64_t n, struct fft_lines_plan **out)
{
    struct fft_lines_plan *plan;
    *out = NULL;
    TRY(alloc_zeroed(sizeof *plan, &plan));
    plan->part = part;
    plan->n = plan->length = n;
    struct error *error = fft_tables_is_smooth(n) ? NULL : make_padding(plan);
    if (!error)
        error = make_transform(plan);
    if (error)
        fft_lines_plan_destroy(plan);
    else
        *out = plan;
    return error;
}

static void free_stages(struct fft_lines_stages *stages)
{
    for (int i = 0; i < stages->count; i++) {
        alloc_free(stages->at[i].roots);
        alloc_free(stages->at[i].circle);
    }
}

void fft_lines_plan_destroy(struct fft_lines_plan *plan)
{
    if (!plan)
        return;
    free_stages(&plan->stages);
    free_stages(&plan->eighths);
    alloc_free(plan->twiddles);
    alloc_free(plan->chirp);
    alloc_free(plan->filter);
    alloc_free(plan);
}

/* ---- running --------------------------------------------------------------------------------- */
struct task {
    const struct fft_lines *lines;
    int64_t lines_of_block;
    bool alone;
    _Atomic(struct error *) error;
};

static struct error *run_blocks(const struct task *task, int64_t begin, int64_t end)
{
    const struct fft_lines_plan *plan = task->lines->plan;
    fft_lines_block_function *block = block_of(plan->part);
    size_t size = (size_t)(plan->length * (task->alone ? 1 : FFT_LINES));
    size = (size * (size_t)dtype_bytes(plan->part) + 63) / 64 * 64;
    char *bytes;
    TRY(alloc_aligned(4 * size, &bytes));
    void *buffers[4] = {bytes, bytes + size, bytes + 2 * size, bytes + 3 * size};
    for (int64_t i = begin; i < end; i++)
        block(task->lines, i * task->lines_of_block, task->alone, buffers);
    alloc_free(bytes);
    return NULL;
}

static void run_task(void *context, int64_t begin, int64_t end)
{
    struct task *task = context;
    struct error *error = run_blocks(task, begin, end), *none = NULL;
    if (error && !atomic_compare_exchange_strong(&task->error, &none, error))
        error_free(error);
}

struct error *fft_lines_run(const struct fft_lines *lines)
{
    int64_t pair = lines->kind == FFT_LINES_COMPLEX ? 1 : 2;
    struct task task = {.lines = lines,
                        .alone = lines->plan->eighths.n && (lines->lines <= FEW_LINES * pair ||
                                                            lines->plan->length >= LONG_LINE)};
    task.lines_of_block = pair * (task.alone ? 1 : FFT_LINES);
    int64_t blocks = (lines->lines + task.lines_of_block - 1) / task.lines_of_block;
    int64_t cost = lines->plan->length * task.lines_of_block * (lines->plan->stages.count + 1);
    int64_t grain = 1 + CHUNK_COST / cost;
    if (blocks <= grain)
        run_task(&task, 0, blocks);
    else
        pool_parallel(pool_shared(), blocks, grain, run_task, &task);
    return atomic_load(&task.error);
}
