/* Tiles of products of bf16 and f32 against simple loops: sizes that they do not divide, several
 * groups of rows and parts of k, and each layout of the sides; nothing else is written. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "devices/host/kernels/dot_tile.h"

static struct dot_spec spec_of(int64_t batch, int64_t m, int64_t n, int64_t k, int layout)
{
    const bool is_lhs_transposed = layout & 1, is_rhs_transposed = layout & 2;
    const enum dtype sides = layout < 8 ? DTYPE_BF16 : DTYPE_F32;
    return (struct dot_spec){.lhs = sides,
                             .rhs = sides,
                             .out = layout & 4 ? DTYPE_F32 : sides,
                             .batch = batch,
                             .m = m,
                             .n = n,
                             .k = k,
                             .lhs_batch_stride = m * k,
                             .lhs_m_stride = is_lhs_transposed ? 1 : k,
                             .lhs_k_stride = is_lhs_transposed ? m : 1,
                             .rhs_batch_stride = n * k,
                             .rhs_k_stride = is_rhs_transposed ? 1 : n,
                             .rhs_n_stride = is_rhs_transposed ? k : 1,
                             .out_batch_stride = m * (n + 1),
                             .out_m_stride = n + 1,
                             .out_n_stride = 1};
}

/* Small integers; owned: alloc_free. */
static char *filled(enum dtype dtype, int64_t count, int seed)
{
    char *bytes = NULL;
    cr_assert_null(alloc_zeroed((size_t)(count * dtype_bytes(dtype)) + 64, &bytes));
    for (int64_t i = 0; i < count; i++)
        dtype_from_double(dtype, (double)((i * 7 + seed * 13) % 11 - 5),
                          bytes + i * dtype_bytes(dtype));
    return bytes;
}

static double number(enum dtype dtype, const char *bytes, int64_t at)
{
    return dtype_to_double(dtype, bytes + at * dtype_bytes(dtype));
}

static void check(const struct dot_spec *s, const char *lhs, const char *rhs, const char *out,
                  int64_t row)
{
    int64_t b = row / s->m, m = row % s->m, at = b * s->out_batch_stride + m * s->out_m_stride;
    for (int64_t n = 0; n < s->n; n += n + s->n / 100 < s->n - 1 ? s->n / 100 + 1 : 1) {
        double want = 0, got = number(s->out, out, at + n);
        for (int64_t k = 0; k < s->k; k++)
            want += number(s->lhs, lhs,
                           b * s->lhs_batch_stride + m * s->lhs_m_stride + k * s->lhs_k_stride) *
                    number(s->rhs, rhs,
                           b * s->rhs_batch_stride + k * s->rhs_k_stride + n * s->rhs_n_stride);
        double limit = s->out == DTYPE_F32 ? 0 : fabs(want) / 256;
        cr_assert(fabs(got - want) <= limit, "%dx%dx%d [%d,%d,%d]: %g, want %g", (int)s->m,
                  (int)s->n, (int)s->k, (int)b, (int)m, (int)n, got, want);
    }
    cr_assert_eq(number(s->out, out, at + s->n), 0, "written behind row %d", (int)row);
}

/* Compares some rows, the first and the last ones among them. */
static void run(const struct dot_spec *s)
{
    struct dot_tile *tile;
    char *lhs = filled(s->lhs, s->batch * s->m * s->k, 1),
         *rhs = filled(s->rhs, s->batch * s->k * s->n, 2), *out = NULL, *scratch = NULL;
    cr_assert_null(alloc_zeroed((size_t)(s->batch * s->out_batch_stride) * sizeof(float), &out));
    cr_assert_null(dot_tiles.create(s, &tile));
    cr_assert_null(alloc_zeroed(tile->scratch_bytes + 64, &scratch));
    char *aligned = (char *)(((uintptr_t)scratch + 63) & ~(uintptr_t)63);
    cr_assert_null(tile->run(tile, lhs, rhs, out, aligned));
    int64_t rows = s->batch * s->m, step = rows / 40 + 1;
    for (int64_t row = 0; row < rows; row += row + step < rows ? step : 1)
        check(s, lhs, rhs, out, row);
    tile->destroy(tile);
    alloc_free(lhs), alloc_free(rhs), alloc_free(out), alloc_free(scratch);
}

/* Of bf16 with results of bf16 and f32, then of f32. */
enum { LAYOUTS = 12 };

Test(dot_tiles, sizes_and_layouts)
{
    static const int64_t sizes[][4] = {{1, 6, 64, 2},      {2, 1, 1, 1},         {3, 7, 65, 3},
                                       {1, 50, 130, 33},   {1, 1100, 70, 20},    {1, 20, 33, 3101},
                                       {1, 20, 200, 6203}, {1, 1030, 600, 3100}, {1, 8, 64, 40},
                                       {1, 9, 70, 31},     {1, 10, 64, 3200},    {1, 11, 130, 64},
                                       {1, 13, 128, 6300}, {1, 7, 130, 3200},    {1, 8, 128, 6300}};
    bool has_any = false;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int layout = 0; layout < LAYOUTS; layout++) {
            const struct dot_spec s =
                spec_of(sizes[i][0], sizes[i][1], sizes[i][2], sizes[i][3], layout);
            if (!dot_tiles.supports(&s))
                continue;
            run(&s);
            has_any = true;
        }
    cr_assert_eq(alloc_live(), 0);
    if (!has_any)
        cr_skip_test("no vectors of 64 bytes");
}
