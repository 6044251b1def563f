/* fft_lines.c: see fft_lines.h. */
#include "devices/host/fft/fft_lines.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/pool.h"
#include "devices/host/fft/fft_split.h"
#include "devices/host/fft/fft_tables.h"
#include "devices/host/fft/fft_padding.h"

enum {
    CHUNK_COST = 120000,    /* minimum number of complex additions of a parallel task */
    CONTIGUOUS_LINE = 512,  /* eight of these exceed the first cache */
    NEST = 1024,            /* numbers of eight lines of f32 that are worth it, up to twice that */
    NEST_EIGHTHS = 512,     /* of eighths of any type */
    ALIASED = 4096,         /* bytes between numbers that share sets of the first cache */
    DIRECT_BYTES = 1 << 14, /* of a buffer of a line whose results do not go to it */
    LONG_LINE = 8192,       /* eight of these exceed the caches */
    CACHE_LINE = 64,
    FETCH_BYTES = 1 << 17,  /* the most that is fetched ahead */
    FETCH_PIECES = 1 << 10, /* the most of them, which may be in few sets of the second cache */
    NEAR_BYTES = 1 << 20,   /* of numbers, which stay in the second cache */
    STREAM_BYTES = 8 << 20  /* of results, from which caches do not help */
};

static int64_t fft_lines_start(int64_t inner, int64_t line, int64_t numbers)
{
    return line / inner * inner * numbers + line % inner;
}

/* The numbers of a half in memory. */
static int64_t fft_lines_half(const struct fft_lines_plan *plan)
{
    return plan->real / 2 + 1;
}

/* ---- fetching ahead -------------------------------------------------------------------------- */
/* What the next block reads. It is fetched while this one is transformed, a part in each stage: the
 * stages read nothing else from memory. */
struct fft_lines_ahead {
    const char *at;
    int64_t piece, offset, apart, pieces; /* the pieces that are left, and where in the first one */
    int64_t share;                        /* bytes of a step */
};

/* How often a transform fetches. */
static int64_t fft_lines_steps(const struct fft_lines_stages *stages)
{
    const struct fft_lines_nest *nest = stages->nest;
    return nest ? (nest->rows.n + nest->columns.n) / FFT_LINES_GROUP : stages->count;
}

/* The vectors of a part of a group, and some, so that those of other parts are in other sets of the
 * first cache. */
static int64_t fft_lines_local(const struct fft_lines_nest *nest)
{
    int64_t rows = nest->columns.n, columns = nest->rows.n;
    return (rows > columns ? rows : columns) * FFT_LINES_GROUP + FFT_LINES;
}

/* The contiguous pieces that the lines from `first` consist of. */
static struct fft_lines_ahead fft_lines_pieces(const struct fft_lines *f, int64_t first,
                                               int64_t count)
{
    const struct fft_lines_plan *plan = f->plan;
    int64_t numbers = f->kind == FFT_LINES_HALF ? fft_lines_half(plan) : plan->n;
    int64_t part = dtype_bytes(plan->part), number = 2 * part;
    int64_t line = f->kind == FFT_LINES_REAL ? plan->real * part : numbers * number;
    if (f->tiled)
        return (struct fft_lines_ahead){.at = (const char *)f->in + first * FFT_LINES * number,
                                        .piece = count * FFT_LINES * number,
                                        .apart = f->lines * FFT_LINES * number,
                                        .pieces = numbers / FFT_LINES};
    if (f->inner == 1)
        return (struct fft_lines_ahead){
            .at = (const char *)f->in + first * line, .piece = count * line, .pieces = 1};
    return (struct fft_lines_ahead){.at = (const char *)f->in +
                                          fft_lines_start(f->inner, first, numbers) * number,
                                    .piece = count * number,
                                    .apart = f->inner * number,
                                    .pieces = numbers};
}

static struct fft_lines_ahead fft_lines_ahead_of(const struct fft_lines *f, int64_t first,
                                                 bool alone)
{
    const struct fft_lines_plan *plan = f->plan;
    int64_t width = alone ? 1 : FFT_LINES, next = first + width, rest = f->lines - next;
    int64_t steps = fft_lines_steps(alone ? &plan->eighths : &plan->stages) * (plan->chirp ? 2 : 1);
    if (rest <= 0 || !steps || f->lines * plan->n * 2 * dtype_bytes(plan->part) < NEAR_BYTES)
        return (struct fft_lines_ahead){0};
    struct fft_lines_ahead ahead = fft_lines_pieces(f, next, rest < width ? rest : width);
    if (ahead.pieces * ahead.piece > FETCH_BYTES || ahead.pieces > FETCH_PIECES)
        ahead.pieces = 0;
    ahead.share = ahead.pieces * ahead.piece / steps + CACHE_LINE;
    return ahead;
}

static inline void fft_lines_fetch(struct fft_lines_ahead *ahead)
{
    enum { READ, SECOND_CACHE = 2 };
    for (int64_t left = ahead->share; left > 0 && ahead->pieces > 0;) {
        int64_t rest = ahead->piece - ahead->offset, bytes = rest < left ? rest : left;
        const char *at = ahead->at + ahead->offset, *end = at + bytes;
        for (; at < end; at += CACHE_LINE)
            __builtin_prefetch(at, READ, SECOND_CACHE);
        left -= bytes;
        ahead->offset += bytes;
        if (bytes < rest)
            return;
        ahead->offset = 0;
        ahead->at += ahead->apart;
        ahead->pieces--;
    }
}

#define INLINE static inline __attribute__((always_inline))
/* So that vectors of short loops stay in registers. */
#define UNROLL _Pragma("GCC unroll 8")

/* ---- blocks, for each element type and instruction set --------------------------------------- */
#define REAL float
#define NAME(name) name##_f32
#define TARGET
#define PIECE 4
#include "devices/host/fft/fft_lines_body.h"
#undef PIECE
#undef NAME
#undef TARGET
#ifdef __x86_64__
#define STREAM(to, vector) _mm256_stream_ps((to), (__m256)(vector))
#define NAME(name) name##_f32_avx2
#define TARGET __attribute__((target("avx2")))
#define PIECE 8
#include "devices/host/fft/fft_lines_body.h"
#undef PIECE
#undef NAME
#undef TARGET
#define NAME(name) name##_f32_avx512
#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define PIECE 8
#include "devices/host/fft/fft_lines_body.h"
#undef PIECE
#undef NAME
#undef TARGET
#undef STREAM
#endif
#undef REAL
#define REAL double
#define NAME(name) name##_f64
#define TARGET
#define PIECE 2
#include "devices/host/fft/fft_lines_body.h"
#undef PIECE
#undef NAME
#undef TARGET
#ifdef __x86_64__
#define NAME(name) name##_f64_avx2
#define TARGET __attribute__((target("avx2")))
#define PIECE 4
#include "devices/host/fft/fft_lines_body.h"
#undef PIECE
#undef NAME
#undef TARGET
#define STREAM(to, vector) _mm512_stream_pd((to), (__m512d)(vector))
#define NAME(name) name##_f64_avx512
#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define PIECE 8
#include "devices/host/fft/fft_lines_body.h"
#undef PIECE
#undef NAME
#undef TARGET
#undef STREAM
#endif
#undef REAL

static fft_lines_block_function *block_of(enum dtype part)
{
#ifdef __x86_64__
    if (cpu_features()->avx512)
        return part == DTYPE_F64 ? block_f64_avx512 : block_f32_avx512;
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
    if (g->radix <= 5 || g->radix == 8)
        return NULL;
    TRY(pairs(roots->part, g->radix, &g->circle));
    for (int64_t j = 0; j < g->radix; j++)
        put(roots, g->circle, 2 * j, 2 * j + 1, j, g->radix);
    return NULL;
}

/* Powers of two come first: in few stages, 4 until a power of 8 is left, or, where eighths of the
 * vectors would be in the same sets of the first cache, without 8. */
static int64_t next_radix(int64_t rest, bool aliased)
{
    int twos = __builtin_ctzll((unsigned long long)rest);
    if (twos)
        return twos % 3 == 0 && !aliased ? 8 : twos == 1 ? 2 : 4;
    int64_t prime = 3;
    while (rest % prime)
        prime += 2;
    return prime;
}

/* Of `width` transforms side by side. */
static struct error *make_list(const struct roots *roots, int64_t n, int64_t width,
                               struct fft_lines_stages *out)
{
    bool aliased = n / 8 * width * FFT_LINES * dtype_bytes(roots->part) >= ALIASED;
    int64_t s = 1;
    for (out->n = n; s < n; out->count++) {
        struct fft_lines_stage *g = &out->at[out->count];
        if (out->count == FFT_LINES_STAGES)
            return ERROR(INTERNAL, "a transform of %" PRId64 " numbers has more than %d stages", n,
                         FFT_LINES_STAGES);
        g->radix = next_radix(n / s, aliased);
        g->s = s * width;
        g->m = n / s / g->radix;
        s *= g->radix;
        TRY(make_stage(roots, g));
    }
    return NULL;
}

static struct error *make_nest(const struct roots *roots, int64_t rows, int64_t columns,
                               struct fft_lines_nest *nest)
{
    TRY(make_list(roots, rows, FFT_LINES_GROUP, &nest->columns));
    TRY(make_list(roots, columns, FFT_LINES_GROUP, &nest->rows));
    TRY(pairs(roots->part, rows * columns, &nest->twiddles));
    int64_t at = 0;
    for (int64_t group = 0; group < columns; group += FFT_LINES_GROUP)
        for (int64_t k = 0; k < rows; k++)
            for (int64_t c = group; c < group + FFT_LINES_GROUP; c++, at += 2)
                put(roots, nest->twiddles, at, at + 1, c * k, rows * columns);
    return NULL;
}

/* The number of rows of a nest, or 0: groups have to divide it and the number of columns. */
static int64_t nest_rows(int64_t n)
{
    int64_t best = 0;
    for (int64_t rows = FFT_LINES_GROUP; rows * rows <= n; rows += FFT_LINES_GROUP)
        if (n % (rows * FFT_LINES_GROUP) == 0)
            best = rows;
    return best;
}

static struct error *make_stages(const struct roots *roots, int64_t n, bool nested,
                                 struct fft_lines_stages *out)
{
    int64_t rows = nested ? nest_rows(n) : 0;
    if (!rows)
        return make_list(roots, n, 1, out);
    out->n = n;
    TRY(alloc_zeroed(sizeof *out->nest, &out->nest));
    return make_nest(roots, rows, n / rows, out->nest);
}

static struct error *make_eighths(const struct roots *roots, struct fft_lines_plan *plan)
{
    int64_t rows = plan->length / FFT_LINES;
    if (plan->length % FFT_LINES)
        return NULL;
    TRY(make_stages(roots, rows, rows >= NEST_EIGHTHS, &plan->eighths));
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
    bool nested = plan->part == DTYPE_F32 && plan->length >= NEST && plan->length < 2 * NEST;
    struct error *error = pairs(plan->part, plan->length, &roots.of);
    if (!error)
        error = fft_tables_roots(plan->part, plan->length, plan->length, roots.of);
    if (!error)
        error = make_stages(&roots, plan->length, nested, &plan->stages);
    if (!error)
        error = make_eighths(&roots, plan);
    alloc_free(roots.of);
    return error;
}

static struct error *transform_wide(int64_t length, double *numbers)
{
    struct fft_lines_plan *plan;
    TRY(fft_lines_plan_create(DTYPE_F64, length, 1, &plan));
    struct fft_lines lines = {.plan = plan,
                              .scale = 1,
                              .lines = 1,
                              .inner = 1,
                              .out_inner = 1,
                              .in = numbers,
                              .out = numbers};
    struct error *error = fft_lines_run(&lines);
    fft_lines_plan_destroy(plan);
    return error;
}

static struct error *make(struct fft_lines_plan *plan, int64_t lines)
{
    if (!fft_split_is_direct(plan->n, lines))
        plan->length = fft_split_padded(plan->n);
    TRY(make_transform(plan));
    if (plan->length > plan->n)
        TRY(fft_padding_make(plan->part, plan->n, plan->length, transform_wide, &plan->chirp,
                             &plan->filter));
    if (plan->real == plan->n || !plan->real)
        return NULL;
    TRY(pairs(plan->part, plan->n + 1, &plan->halves));
    return fft_tables_roots(plan->part, plan->real, plan->n + 1, plan->halves);
}

static struct error *create(const struct fft_lines_plan *lengths, int64_t lines,
                            struct fft_lines_plan **out)
{
    struct fft_lines_plan *plan;
    *out = NULL;
    TRY(alloc_zeroed(sizeof *plan, &plan));
    *plan = *lengths;
    struct error *error = make(plan, lines);
    if (error)
        fft_lines_plan_destroy(plan);
    else
        *out = plan;
    return error;
}

struct error *fft_lines_plan_create(enum dtype part, int64_t n, int64_t lines,
                                    struct fft_lines_plan **out)
{
    return create(&(struct fft_lines_plan){.part = part, .n = n, .length = n}, lines, out);
}

struct error *fft_lines_plan_create_real(enum dtype part, int64_t n, int64_t lines,
                                         struct fft_lines_plan **out)
{
    int64_t numbers = n % 2 ? n : n / 2;
    return create(
        &(struct fft_lines_plan){.part = part, .real = n, .n = numbers, .length = numbers}, lines,
        out);
}

static void free_stages(struct fft_lines_stages *stages)
{
    for (int i = 0; i < stages->count; i++) {
        alloc_free(stages->at[i].roots);
        alloc_free(stages->at[i].circle);
    }
    if (!stages->nest)
        return;
    free_stages(&stages->nest->columns);
    free_stages(&stages->nest->rows);
    alloc_free(stages->nest->twiddles);
    alloc_free(stages->nest);
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
    alloc_free(plan->halves);
    alloc_free(plan);
}

/* ---- running --------------------------------------------------------------------------------- */
struct task {
    const struct fft_lines *lines;
    struct fft_lines_way way;
    _Atomic(struct error *) error;
};

static size_t rounded(int64_t bytes)
{
    return ((size_t)bytes + 63) / 64 * 64;
}

/* The bytes of the buffers of the steps and of each other one. */
static size_t steps_bytes(const struct fft_lines *lines)
{
    const struct fft_lines_twiddles *t = lines->twiddles;
    return t ? rounded((t->fine + t->coarse) * 2 * FFT_LINES * (int64_t)sizeof(double)) : 0;
}

static size_t buffer_bytes(const struct task *task)
{
    const struct fft_lines_plan *plan = task->lines->plan;
    int64_t length = (plan->length + FFT_LINES) / FFT_LINES * FFT_LINES;
    return rounded(length * (task->way.alone ? 1 : FFT_LINES) * dtype_bytes(plan->part));
}

static size_t nest_bytes(const struct task *task)
{
    const struct fft_lines_plan *plan = task->lines->plan;
    const struct fft_lines_nest *nest = (task->way.alone ? &plan->eighths : &plan->stages)->nest;
    return nest ? rounded(4 * fft_lines_local(nest) * FFT_LINES * dtype_bytes(plan->part)) : 0;
}

static struct error *run_blocks(const struct task *task, int64_t begin, int64_t end)
{
    fft_lines_block_function *block = block_of(task->lines->plan->part);
    size_t size = buffer_bytes(task);
    size_t nest = nest_bytes(task), steps = steps_bytes(task->lines);
    char *bytes;
    TRY(alloc_aligned(4 * size + nest + steps, &bytes));
    void *buffers[FFT_LINES_BUFFERS] = {bytes,
                                        bytes + size,
                                        bytes + 2 * size,
                                        bytes + 3 * size,
                                        bytes + 4 * size,
                                        bytes + 4 * size + nest};
    for (int64_t i = begin; i < end; i++)
        block(task->lines, i * (task->way.alone ? 1 : FFT_LINES), task->way, buffers);
#ifdef __x86_64__
    if (task->way.streams)
        _mm_sfence(); /* the pool orders only other stores */
#endif
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

/* Whether each line is a block. */
static bool is_alone(const struct fft_lines *lines)
{
    const struct fft_lines_plan *plan = lines->plan;
    if (!plan->eighths.n || lines->twiddles || lines->out_inner != lines->inner)
        return false;
    return lines->lines <= FFT_SPLIT_FEW || plan->length >= LONG_LINE ||
           (lines->inner == 1 && plan->length >= CONTIGUOUS_LINE);
}

/* Whether results are written past the caches, which do not hold them: a normal store would first
 * read what it overwrites. */
static bool is_streamed(const struct fft_lines *lines)
{
    const struct fft_lines_plan *plan = lines->plan;
    int64_t number = 2 * dtype_bytes(plan->part), line = plan->n * number;
    int64_t piece = lines->out_inner == 1 ? line : lines->out_inner * number;
    if (lines->kind != FFT_LINES_COMPLEX || lines->reread || lines->twiddles ||
        lines->in == lines->out || piece % CACHE_LINE || (uintptr_t)lines->out % CACHE_LINE)
        return false;
    return lines->lines * line >= STREAM_BYTES;
}

static int stage_count(const struct fft_lines_stages *stages)
{
    return stages->nest ? stages->nest->columns.count + stages->nest->rows.count : stages->count;
}

struct error *fft_lines_run(const struct fft_lines *lines)
{
    struct task task = {.lines = lines, .way = {is_alone(lines), is_streamed(lines)}};
    int64_t width = task.way.alone ? 1 : FFT_LINES, blocks = (lines->lines + width - 1) / width;
    int64_t cost = lines->plan->length * width * (stage_count(&lines->plan->stages) + 1);
    int64_t grain = 1 + CHUNK_COST / cost;
    if (blocks <= grain)
        run_task(&task, 0, blocks);
    else
        pool_parallel(pool_shared(), blocks, grain, run_task, &task);
    return atomic_load(&task.error);
}
