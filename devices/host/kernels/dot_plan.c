/* Dot plans: a product is transformed into a form that the libraries accept (unit strides where
 * required) and split into tiles for the available threads. Each tile is one library call; for
 * small products, and those of f64, of integers but s8 with VNNI and of large bf16 without matrix
 * units or f32 with AVX-512, the library is our own (dot_direct.c, dot_s8.c, dot_tiles.c).
 *
 *   normalize   out[m,n] with unit stride in m only: the product is transposed (lhs and rhs swap);
 *               so it is where there are too few columns for vectors of them, and where a few rows
 *               fill vectors and the right side's columns are contiguous
 *   gather      an operand with no unit stride at all is copied, tile by tile, into scratch
 *   scatter     a result with no unit stride is computed in scratch and copied out */
#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "devices/host/kernels/dot_tile.h"
#include "devices/host/kernels/kernels.h"
#include "devices/host/kernels/matrix_copy.h"

#define TILE_COST (1 << 20) /* tiles with fewer multiply-adds are not split further */
#define FEW_COLUMNS 15      /* that fill no vector of f32 */
#define FEW_ROWS 32         /* that fit in the registers of a block, as vectors of f32 */
#define FULL_ROWS 16        /* that fill a vector of any processor */
#define LONG_COLUMN 32      /* rows of which columns fill vectors */
#define SHARING_ROWS 256    /* that make packing a right side cheap */
#define LONG_SUM 32         /* terms of a sum for which a call and a copy pay */

enum axis { BATCH, M, N };

struct dot_plan {
    struct plan base;
    struct dot_spec spec;
    int64_t tile[3], tiles[3];
    struct dot_tile *kernels[8]; /* bit a set: the last, smaller tile along axis a */
    bool gather_lhs, gather_rhs, scatter_out;
    uint64_t lhs_at, rhs_at, out_at; /* offsets in scratch, after the library's own scratch */
};

static uint64_t round_up(uint64_t bytes)
{
    return (bytes + 63) & ~(uint64_t)63;
}

static int64_t extent(const struct dot_spec *s, enum axis axis)
{
    return axis == BATCH ? s->batch : axis == M ? s->m : s->n;
}

static bool has_unit(int64_t size_a, int64_t stride_a, int64_t size_b, int64_t stride_b)
{
    return size_a == 1 || size_b == 1 || stride_a == 1 || stride_b == 1;
}

static void transpose_product(struct dot_spec *s)
{
    const struct dot_spec t = *s;
    s->lhs = t.rhs, s->rhs = t.lhs;
    s->m = t.n, s->n = t.m;
    s->lhs_batch_stride = t.rhs_batch_stride, s->rhs_batch_stride = t.lhs_batch_stride;
    s->lhs_m_stride = t.rhs_n_stride, s->lhs_k_stride = t.rhs_k_stride;
    s->rhs_n_stride = t.lhs_m_stride, s->rhs_k_stride = t.lhs_k_stride;
    s->out_m_stride = t.out_n_stride, s->out_n_stride = t.out_m_stride;
    s->rhs_constant = false;
}

/* Rows of the left side are packed where they are not contiguous, for each tile anew. So is the
 * right side, but on the way: the rows are split as long as enough of them share a part of it. */
static bool splits_rows(const struct dot_plan *plan)
{
    const struct dot_spec *s = &plan->spec;
    const int64_t columns = plan->tile[N], rows = plan->tile[M];
    return rows > columns ||
           (s->lhs_k_stride != 1 && s->rhs_n_stride == 1 && rows >= 2 * SHARING_ROWS);
}

/* Splits the batch first, then the longer of m and n, until there are tiles for all threads or
 * tiles are cheap. Of an outer batch, cheap products are one thread's. */
static void choose_tiles(struct dot_plan *plan, int threads)
{
    const struct dot_spec *s = &plan->spec;
    int64_t parts = 1, wanted = threads > 1 ? threads : 1;
    for (int a = 0; a < 3; a++)
        plan->tile[a] = extent(s, a);
    double cost = (double)s->batch * s->m * s->n * s->k;
    while (parts < wanted && cost / parts >= 2.0 * TILE_COST) {
        enum axis axis = plan->tile[BATCH] > 1 ? BATCH : splits_rows(plan) ? M : N;
        int64_t grain = axis == BATCH ? 1 : 16;
        if (plan->tile[axis] < 2 * grain)
            break;
        plan->tile[axis] = ((plan->tile[axis] + 1) / 2 + grain - 1) / grain * grain;
        parts *= 2;
    }
    plan->base.work = 1;
    for (int a = 0; a < 3; a++) {
        plan->tiles[a] = (extent(s, a) + plan->tile[a] - 1) / plan->tile[a];
        plan->base.work *= plan->tiles[a];
    }
    double part = cost / (double)plan->base.work;
    plan->base.grain = part < TILE_COST ? (int64_t)(TILE_COST / (part + 1)) + 1 : 1;
}

static int64_t tile_extent(const struct dot_plan *plan, enum axis axis, bool edge)
{
    return edge ? extent(&plan->spec, axis) - (plan->tiles[axis] - 1) * plan->tile[axis]
                : plan->tile[axis];
}

/* The specification of one tile; gathered and scattered matrices are dense in scratch. */
static struct dot_spec tile_spec(const struct dot_plan *plan, int shape)
{
    struct dot_spec t = plan->spec;
    t.batch = tile_extent(plan, BATCH, shape & 1);
    t.m = tile_extent(plan, M, shape & 2);
    t.n = tile_extent(plan, N, shape & 4);
    if (plan->gather_lhs)
        t.lhs_k_stride = 1, t.lhs_m_stride = t.k, t.lhs_batch_stride = t.m * t.k;
    if (plan->gather_rhs)
        t.rhs_n_stride = 1, t.rhs_k_stride = t.n, t.rhs_batch_stride = t.k * t.n;
    if (plan->scatter_out)
        t.out_n_stride = 1, t.out_m_stride = t.n, t.out_batch_stride = t.m * t.n;
    return t;
}

static void gather(const struct dot_plan *plan, const struct dot_spec *t, bool left,
                   const char *from, char *to)
{
    const struct dot_spec *s = &plan->spec;
    int bytes = dtype_bytes(left ? s->lhs : s->rhs);
    for (int64_t b = 0; b < t->batch; b++)
        if (left)
            matrix_copy(bytes, from + b * s->lhs_batch_stride * bytes, s->lhs_m_stride,
                        s->lhs_k_stride, t->m, t->k, to + b * t->m * t->k * bytes, t->k);
        else
            matrix_copy(bytes, from + b * s->rhs_batch_stride * bytes, s->rhs_k_stride,
                        s->rhs_n_stride, t->k, t->n, to + b * t->k * t->n * bytes, t->n);
}

static void scatter(const struct dot_plan *plan, const struct dot_spec *t, const char *from,
                    char *to)
{
    const struct dot_spec *s = &plan->spec;
    int bytes = dtype_bytes(s->out);
    for (int64_t b = 0; b < t->batch; b++, to += s->out_batch_stride * bytes) {
        if (s->out_m_stride == 1)
            matrix_copy(bytes, from, 1, t->n, t->n, t->m, to, s->out_n_stride);
        else
            for (int64_t i = 0; i < t->m * t->n; i++)
                memcpy(to + (i / t->n * s->out_m_stride + i % t->n * s->out_n_stride) * bytes,
                       from + i * bytes, (size_t)bytes);
        from += t->m * t->n * bytes;
    }
}

static struct error *run_tile(const struct dot_plan *plan, void *const *buffers, char *scratch,
                              int64_t part)
{
    const struct dot_spec *s = &plan->spec;
    int64_t at[3], b, m, n;
    int shape = 0;
    for (int a = 2; a >= 0; a--) {
        at[a] = part % plan->tiles[a], part /= plan->tiles[a];
        if (at[a] == plan->tiles[a] - 1)
            shape |= 1 << a;
    }
    b = at[BATCH] * plan->tile[BATCH], m = at[M] * plan->tile[M], n = at[N] * plan->tile[N];
    const char *lhs = (const char *)buffers[0] +
                      (b * s->lhs_batch_stride + m * s->lhs_m_stride) * dtype_bytes(s->lhs);
    const char *rhs = (const char *)buffers[1] +
                      (b * s->rhs_batch_stride + n * s->rhs_n_stride) * dtype_bytes(s->rhs);
    char *out =
        (char *)buffers[2] +
        (b * s->out_batch_stride + m * s->out_m_stride + n * s->out_n_stride) * dtype_bytes(s->out);
    const struct dot_tile *kernel = plan->kernels[shape];
    if (plan->gather_lhs)
        gather(plan, &kernel->spec, true, lhs, scratch + plan->lhs_at);
    if (plan->gather_rhs)
        gather(plan, &kernel->spec, false, rhs, scratch + plan->rhs_at);
    TRY(kernel->run(kernel, plan->gather_lhs ? scratch + plan->lhs_at : lhs,
                    plan->gather_rhs ? scratch + plan->rhs_at : rhs,
                    plan->scatter_out ? scratch + plan->out_at : out, scratch));
    if (plan->scatter_out)
        scatter(plan, &kernel->spec, scratch + plan->out_at, out);
    return NULL;
}

static struct error *run(const struct plan *base, void *const *buffers, void *scratch,
                         int64_t begin, int64_t end)
{
    const struct dot_plan *plan = (const struct dot_plan *)base;
    for (int64_t part = begin; part < end; part++)
        TRY(run_tile(plan, buffers, scratch, part));
    return NULL;
}

/* lhs and rhs are swapped if the product is transposed. */
static struct error *run_transposed(const struct plan *base, void *const *buffers, void *scratch,
                                    int64_t begin, int64_t end)
{
    void *swapped[3] = {buffers[1], buffers[0], buffers[2]};
    return run(base, swapped, scratch, begin, end);
}

static void destroy(struct plan *base)
{
    struct dot_plan *plan = (struct dot_plan *)base;
    for (int shape = 0; shape < 8; shape++)
        if (plan->kernels[shape])
            plan->kernels[shape]->destroy(plan->kernels[shape]);
    alloc_free(plan);
}

static const struct dot_library *library_for(const struct dot_spec *spec)
{
    static const struct dot_library *const libraries[] = {&dot_direct, &dot_tiles, &dot_s8,
                                                          &dot_onednn, &dot_blas};
    for (int i = 0; i < 5; i++)
        if (libraries[i]->applies(spec))
            return libraries[i];
    return NULL;
}

static void reserve(struct dot_plan *plan, uint64_t *at, uint64_t bytes)
{
    *at = plan->base.scratch_bytes;
    plan->base.scratch_bytes += round_up(bytes);
}

/* Whether tiles of a shape (see dot_plan.kernels) exist: a single tile is always the last one. */
static bool has_shape(const struct dot_plan *plan, int shape)
{
    for (int a = 0; a < 3; a++)
        if (plan->tiles[a] == 1 && !(shape >> a & 1))
            return false;
    return true;
}

static struct error *create_tiles(struct dot_plan *plan, const struct dot_library *library)
{
    for (int shape = 0; shape < 8; shape++) {
        if (!has_shape(plan, shape))
            continue;
        struct dot_spec spec = tile_spec(plan, shape);
        TRY(library->create(&spec, &plan->kernels[shape]));
        if (plan->kernels[shape]->scratch_bytes > plan->base.scratch_bytes)
            plan->base.scratch_bytes = round_up(plan->kernels[shape]->scratch_bytes);
    }
    struct dot_spec largest = tile_spec(plan, 0);
    if (plan->gather_lhs)
        reserve(plan, &plan->lhs_at,
                (uint64_t)(largest.batch * largest.m * largest.k * dtype_bytes(plan->spec.lhs)));
    if (plan->gather_rhs)
        reserve(plan, &plan->rhs_at,
                (uint64_t)(largest.batch * largest.k * largest.n * dtype_bytes(plan->spec.rhs)));
    if (plan->scatter_out)
        reserve(plan, &plan->out_at,
                (uint64_t)(largest.batch * largest.m * largest.n * dtype_bytes(plan->spec.out)));
    return NULL;
}

/* k is 0: every element of the result is zero. */
static struct error *run_zero(const struct plan *base, void *const *buffers, void *scratch,
                              int64_t begin, int64_t end)
{
    const struct dot_spec *s = &((const struct dot_plan *)base)->spec;
    int bytes = dtype_bytes(s->out);
    (void)scratch, (void)begin, (void)end;
    for (int64_t b = 0; b < s->batch; b++)
        for (int64_t m = 0; m < s->m; m++)
            for (int64_t n = 0; n < s->n; n++)
                memset((char *)buffers[2] +
                           (b * s->out_batch_stride + m * s->out_m_stride + n * s->out_n_stride) *
                               bytes,
                       0, (size_t)bytes);
    return NULL;
}

static bool should_transpose(const struct dot_spec *s)
{
    return s->out_n_stride != 1 && s->n > 1 && (s->out_m_stride == 1 || s->m == 1) &&
           s->lhs == s->rhs;
}

/* Whether the transposed product is faster, although its result has to be copied: vectors of so few
 * columns are mostly empty. Its right side is read in place, by rows with vectors of 32 bytes; by
 * columns only oneDNN's sgemm does, with AVX-512, which pays for long sums. */
static bool has_few_columns(const struct dot_spec *s)
{
    const struct cpu_features *features = cpu_features();
    bool is_read_well = s->lhs_m_stride == 1 ? features->avx2 && features->fma
                                             : features->avx512 && s->k >= LONG_SUM;
    return s->lhs == DTYPE_F32 && s->rhs == DTYPE_F32 && s->out == DTYPE_F32 &&
           s->n <= FEW_COLUMNS && s->m >= LONG_COLUMN && s->out_n_stride == 1 && is_read_well;
}

/* Whether few rows fill vectors, were they columns: then the transposed product reads a right side
 * whose columns are contiguous in place, row by row, and only the few rows and the result are
 * copied. Libraries transpose that right side, which takes as long as tens of rows. */
static bool has_few_full_rows(const struct dot_spec *s)
{
    const struct cpu_features *features = cpu_features();
    return s->lhs == DTYPE_F32 && s->rhs == DTYPE_F32 && s->out == DTYPE_F32 && features->avx2 &&
           features->fma && s->m <= FEW_ROWS && s->m % FULL_ROWS == 0 && s->n >= LONG_COLUMN &&
           s->k >= LONG_SUM && s->rhs_k_stride == 1 && s->rhs_n_stride != 1 && s->out_n_stride == 1;
}

static bool is_empty(const struct dot_spec *s)
{
    return s->k == 0 || s->m == 0 || s->n == 0 || s->batch == 0;
}

/* Normalizes the product and splits it into tiles. */
static void choose_layout_and_tiles(struct dot_plan *plan, int threads)
{
    struct dot_spec *s = &plan->spec;
    bool transposes = should_transpose(s);
    if (transposes)
        transpose_product(s);
    bool has_few_rows = has_few_columns(s);
    if (has_few_rows || has_few_full_rows(s)) {
        transpose_product(s);
        transposes = !transposes;
    }
    plan->base.run = transposes ? run_transposed : run;
    choose_tiles(plan, threads);
    plan->gather_lhs = (has_few_rows && s->lhs_k_stride != 1 && s->rhs_n_stride != 1) ||
                       !has_unit(s->m, s->lhs_m_stride, s->k, s->lhs_k_stride);
    plan->gather_rhs = !has_unit(s->k, s->rhs_k_stride, s->n, s->rhs_n_stride);
    plan->scatter_out = s->n > 1 && s->out_n_stride != 1;
}

static struct error *fill_plan(struct dot_plan *plan, int threads)
{
    const struct dot_spec *s = &plan->spec;
    if (is_empty(s)) {
        plan->base.run = run_zero, plan->base.work = 1;
        return NULL;
    }
    choose_layout_and_tiles(plan, threads);
    const struct dot_library *library = library_for(s);
    if (!library)
        return ERROR(UNIMPLEMENTED, "no library supports products of %s and %s with results of %s",
                     dtype_name(s->lhs), dtype_name(s->rhs), dtype_name(s->out));
    return create_tiles(plan, library);
}

bool kernels_dot_supported(const struct dot_spec *spec, int threads)
{
    struct dot_plan plan = {.spec = *spec};
    if (is_empty(spec))
        return library_for(spec) != NULL;
    choose_layout_and_tiles(&plan, threads);
    const struct dot_library *library = library_for(&plan.spec);
    if (!library)
        return false;
    for (int shape = 0; shape < 8; shape++) {
        if (!has_shape(&plan, shape))
            continue;
        struct dot_spec tile = tile_spec(&plan, shape);
        if (!library->supports(&tile))
            return false;
    }
    return true;
}

struct error *kernels_dot_plan(const struct dot_spec *spec, int threads, struct plan **out)
{
    struct dot_plan *plan;
    *out = NULL;
    TRY(alloc_zeroed(sizeof *plan, &plan));
    plan->base = (struct plan){.run = run, .destroy = destroy};
    plan->spec = *spec;
    struct error *error = fill_plan(plan, threads);
    if (error)
        destroy(&plan->base);
    else
        *out = &plan->base;
    return error;
}
