/* Products of few rows against sums of f64: every type of numbers, both layouts, sizes that vectors
 * and groups do not divide, parameters of each kind. Any number of threads gives the same bits. */
#include "devices/host/thin/thin_step.h"

#include <criterion/criterion.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/program/thin_dot_spec.h"

enum { MOST = 1 << 18 };

static char lhs[MOST], rhs[MOST], zero[MOST], scale[MOST], offset[MOST], table[MOST];
static float out[MOST], again[MOST];

/* Small numbers, which every type has, in an array of them. */
static void fill(enum dtype dtype, int low, int high, char *to)
{
    const int bytes = dtype_bytes(dtype);
    for (int i = 0; i < MOST / bytes; i++)
        dtype_from_double(dtype, low + (i * 37 + i / 11) % (high - low + 1), to + i * bytes);
}

static double at(enum dtype dtype, const char *from, int64_t i)
{
    return dtype_to_double(dtype, from + i * dtype_bytes(dtype));
}

/* The bits of a number that is a field of an element. */
static uint8_t field_of(const struct thin_dot_spec *spec, int64_t element, int64_t field)
{
    const int bits = dtype_info(spec->dot.rhs)->bits, shift = spec->packing.shift[field];
    const int64_t bytes = spec->packing.count * bits / 8;
    uint32_t word = 0;
    memcpy(&word, rhs + element * bytes, (size_t)bytes);
    const uint8_t number = (uint8_t)(word >> shift & ((1U << bits) - 1));
    return spec->dot.rhs == DTYPE_S4 && number & 8 ? number | 0xf0 : number;
}

/* A number of the right side, perhaps in an element that it shares. */
static double right_at(const struct thin_dot_spec *spec, int64_t b, int64_t k, int64_t n)
{
    const struct dot_spec *s = &spec->dot;
    const struct thin_packing *packing = &spec->packing;
    int64_t *shared = packing->along_k ? &k : &n, number = *shared, inner = packing->inner;
    if (packing->count)
        *shared = number / (packing->count * inner) * inner + number % inner;
    const int64_t element = b * s->rhs_batch_stride + k * s->rhs_k_stride + n * s->rhs_n_stride;
    if (packing->count == 0)
        return at(s->rhs, rhs, element);
    const uint8_t bits = field_of(spec, element, number / inner % packing->count);
    return dtype_to_double(s->rhs, &bits);
}

/* The number of the table, if there is one. */
static double number_at(const struct thin_dot_spec *spec, int64_t b, int64_t k, int64_t n)
{
    const double number = right_at(spec, b, k, n);
    return spec->table ? at(spec->table, table, (int64_t)number) : number;
}

static double parameter(const struct thin_parameter *p, const char *from, int64_t b, int64_t k,
                        int64_t n, double otherwise)
{
    return p->dtype ? at(p->dtype, from,
                         b * p->batch_stride + k / p->k_group * p->k_stride +
                             n / p->n_group * p->n_stride)
                    : otherwise;
}

static void run(const struct thin_dot_spec *spec, float *to, int threads)
{
    void *buffers[7] = {lhs, rhs};
    int count = 2;
    atomic_uint stop = 0;
    if (spec->zero.dtype)
        buffers[count++] = zero;
    if (spec->scale.dtype)
        buffers[count++] = scale;
    if (spec->offset.dtype)
        buffers[count++] = offset;
    if (spec->table)
        buffers[count++] = table;
    buffers[count] = to;
    cr_assert(thin_dot_spec_is_supported(spec));
    cr_assert_null(thin_step_run(spec, buffers, &stop, threads));
}

/* The decoded right side of a batch, and the left one: right[k][n] and left[m][k]. */
static double right[MOST], left[MOST];

static void decode(const struct thin_dot_spec *spec, int64_t b)
{
    const struct dot_spec *s = &spec->dot;
    cr_assert(s->k * s->n <= MOST && s->m * s->k <= MOST);
    for (int64_t k = 0; k < s->k; k++)
        for (int64_t n = 0; n < s->n; n++)
            right[k * s->n + n] =
                (number_at(spec, b, k, n) - parameter(&spec->zero, zero, b, k, n, 0)) *
                    parameter(&spec->scale, scale, b, k, n, 1) +
                parameter(&spec->offset, offset, b, k, n, 0);
    for (int64_t m = 0; m < s->m; m++)
        for (int64_t k = 0; k < s->k; k++)
            left[m * s->k + k] = at(
                s->lhs, lhs, b * s->lhs_batch_stride + m * s->lhs_m_stride + k * s->lhs_k_stride);
}

static void check_row(const struct thin_dot_spec *spec, int64_t b, int64_t m, double exactness)
{
    const struct dot_spec *s = &spec->dot;
    for (int64_t n = 0; n < s->n; n++) {
        double sum = 0, size = 1e-6;
        for (int64_t k = 0; k < s->k; k++) {
            const double term = left[m * s->k + k] * right[k * s->n + n];
            sum += term, size += fabs(term);
        }
        cr_assert_float_eq(out[(b * s->m + m) * s->n + n], sum, exactness * size,
                           "%s, m %d n %d k %d: row %d column %d", dtype_name(s->rhs), (int)s->m,
                           (int)s->n, (int)s->k, (int)m, (int)n);
    }
}

static void check_within(const struct thin_dot_spec *spec, double exactness)
{
    const struct dot_spec *s = &spec->dot;
    const size_t bytes = sizeof(float) * (size_t)(s->batch * s->m * s->n);
    memset(out, 0xff, bytes);
    run(spec, out, 1);
    for (int64_t b = 0; b < s->batch; b++) {
        decode(spec, b);
        for (int64_t m = 0; m < s->m; m++)
            check_row(spec, b, m, exactness);
    }
    run(spec, again, 4);
    cr_assert_arr_eq(out, again, bytes);
}

#define check(spec) check_within(spec, 1e-6)

static struct thin_dot_spec spec_of(enum dtype dtype, bool adjacent_columns, int64_t batch,
                                    int64_t m, int64_t n, int64_t k)
{
    return (struct thin_dot_spec){.dot = {.lhs = DTYPE_F32,
                                          .rhs = dtype,
                                          .out = DTYPE_F32,
                                          .batch = batch,
                                          .m = m,
                                          .n = n,
                                          .k = k,
                                          .lhs_batch_stride = m * k,
                                          .lhs_m_stride = k,
                                          .lhs_k_stride = 1,
                                          .rhs_batch_stride = k * n,
                                          .rhs_k_stride = adjacent_columns ? n : 1,
                                          .rhs_n_stride = adjacent_columns ? 1 : k,
                                          .out_batch_stride = m * n,
                                          .out_m_stride = n,
                                          .out_n_stride = 1,
                                          .outer = 1}};
}

static void setup(void)
{
    fill(DTYPE_F32, -3, 3, lhs);
    fill(DTYPE_F32, 1, 9, scale);
    fill(DTYPE_BF16, -5, 5, offset);
    fill(DTYPE_U8, 0, 7, zero);
}
TestSuite(thin_step, .init = setup);

/* Groups of rows and columns; 0: all of them. */
static struct thin_parameter grouped(enum dtype dtype, const struct dot_spec *s, int64_t rows,
                                     int64_t columns)
{
    const int64_t k = rows ? rows : s->k, n = columns ? columns : s->n, row = (s->n + n - 1) / n;
    return (struct thin_parameter){dtype, (s->k + k - 1) / k * row, k, rows ? row : 0,
                                   n,     columns ? 1 : 0};
}

static const int64_t sizes[][3] = {{1, 64, 32},  {2, 65, 48},  {3, 7, 1},    {4, 130, 96},
                                   {5, 17, 530}, {16, 70, 33}, {7, 200, 64}, {16, 16, 16}};
enum { SIZES = sizeof sizes / sizeof *sizes };

Test(thin_step, numbers_of_every_type)
{
    for (enum dtype dtype = DTYPE_INVALID + 1; dtype < DTYPE_COUNT; dtype++) {
        struct thin_dot_spec spec = spec_of(dtype, true, 1, 3, 70, 33);
        if (!thin_dot_spec_is_supported(&spec))
            continue;
        const bool is_signed = dtype_is_float(dtype) || dtype_info(dtype)->class == CLASS_SIGNED;
        const bool is_power = dtype == DTYPE_F8E8M0FNU;
        fill(dtype, is_power ? 1 : is_signed ? -2 : 0, is_power ? 2 : 1, rhs);
        check(&spec);
        spec = spec_of(dtype, false, 2, 3, 70, 33);
        check(&spec);
    }
}

Test(thin_step, scales_of_columns_groups_and_blocks)
{
    static const int64_t groups[][2] = {{0, 0}, {0, 1}, {32, 1},  {16, 1}, {8, 1},   {24, 1},
                                        {1, 0}, {1, 1}, {32, 32}, {0, 16}, {512, 1}, {1024, 1}};
    fill(DTYPE_S8, -100, 100, rhs);
    for (int i = 0; i < SIZES; i++)
        for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
            for (int adjacent = 0; adjacent < 2; adjacent++) {
                struct thin_dot_spec spec =
                    spec_of(DTYPE_S8, adjacent, 2, sizes[i][0], sizes[i][1], sizes[i][2]);
                spec.scale = grouped(DTYPE_F32, &spec.dot, groups[g][0], groups[g][1]);
                check(&spec);
            }
}

Test(thin_step, zero_points_and_offsets)
{
    fill(DTYPE_U8, 0, 255, rhs);
    for (int i = 0; i < SIZES; i++)
        for (int which = 1; which < 8; which++)
            for (int adjacent = 0; adjacent < 2; adjacent++) {
                struct thin_dot_spec spec =
                    spec_of(DTYPE_U8, adjacent, 1, sizes[i][0], sizes[i][1], sizes[i][2]);
                if (which & 1)
                    spec.zero = grouped(DTYPE_U8, &spec.dot, 32, 1);
                if (which & 2)
                    spec.scale = grouped(DTYPE_F32, &spec.dot, 16, 1);
                if (which & 4)
                    spec.offset = grouped(DTYPE_BF16, &spec.dot, 0, 1);
                check(&spec);
            }
}

static struct thin_packing halves_of(int64_t inner, bool along_k, bool high_first)
{
    return (struct thin_packing){
        2, inner, along_k, {(uint8_t)(high_first ? 4 : 0), (uint8_t)(high_first ? 0 : 4)}};
}

/* Scales and zero points of rows, or of columns, alone, which are not powers of two: they are taken
 * out of the right side (thin_factors.h). Numbers of each packing; and so many rows that these are
 * decoded to panels. */
Test(thin_step, scales_of_rows_or_columns)
{
    static const int64_t rows[] = {1, 3, 4, 16, 33}, scales[][2] = {{1, 0}, {0, 1}, {8, 0}, {0, 7}};
    for (int i = 0; i < MOST / 4; i++)
        ((float *)(void *)scale)[i] = 0.1f + 0.01f * (float)(i % 37);
    fill(DTYPE_U8, 0, 255, rhs);
    for (int i = 0; i < 5 * 4 * 8; i++) {
        const bool adjacent = i & 1, packed = i & 2, has_zero = i & 4;
        const int64_t *groups = scales[i / 8 % 4];
        struct thin_dot_spec spec =
            spec_of(packed ? DTYPE_U4 : DTYPE_S8, adjacent, 2, rows[i / 32], 78, 646);
        if (packed) {
            spec.packing = halves_of(1, !adjacent, false);
            *(adjacent ? &spec.dot.rhs_k_stride : &spec.dot.rhs_n_stride) /= 2;
        }
        spec.scale = grouped(DTYPE_F32, &spec.dot, groups[0], groups[1]);
        if (has_zero)
            spec.zero = grouped(DTYPE_U8, &spec.dot, groups[0], groups[1]);
        check_within(&spec, 4e-6);
    }
}

/* What is taken out is infinite, or so large that sums of numbers would be. */
Test(thin_step, large_scales_of_rows_or_columns)
{
    fill(DTYPE_S8, 1, 9, rhs);
    for (int i = 0; i < 8; i++) {
        const bool of_rows = i & 1, adjacent = i & 2;
        struct thin_dot_spec spec = spec_of(DTYPE_S8, adjacent, 1, 3, 40, 24);
        spec.scale = grouped(DTYPE_F32, &spec.dot, of_rows, !of_rows);
        fill(DTYPE_F32, i & 4 ? 1 : -3, 3, lhs);
        for (int j = 0; j < 72; j++) {
            ((float *)(void *)scale)[j] = i & 4 ? 1e-30f : 1e30f;
            ((float *)(void *)lhs)[j] *= i & 4 ? 1e37f : 1;
        }
        check(&spec);
        ((float *)(void *)scale)[1] = INFINITY;
        run(&spec, out, 1);
        for (int n = 0; n < spec.dot.n; n++)
            cr_expect_eq(isfinite(out[n]), !of_rows && n != 1, "column %d", n);
    }
}

/* Halves of bytes: each type of 4 bits, halves of rows or columns, near or far apart, with scales
 * of groups that are smaller or larger than those. */
static void check_halves(struct thin_dot_spec spec, bool along_k, int64_t half, bool high_first)
{
    struct dot_spec *s = &spec.dot;
    spec.packing = halves_of(half, along_k, high_first);
    if (s->rhs_n_stride == 1)
        s->rhs_k_stride = along_k ? s->n : s->n / 2;
    else
        s->rhs_n_stride = along_k ? s->k / 2 : s->k;
    s->rhs_batch_stride = s->k * s->n / 2;
    static const int64_t groups[][2] = {{0, 0}, {0, 1}, {32, 1}, {16, 1}, {1, 0}, {6, 2}};
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
        spec.scale = grouped(DTYPE_F32, s, groups[g][0], groups[g][1]);
        if (groups[g][1] == 1)
            spec.zero = grouped(DTYPE_U8, s, groups[g][0], 1);
        if (g == 2)
            spec.offset = grouped(DTYPE_BF16, s, 0, 1);
        check(&spec);
        spec.offset.dtype = DTYPE_INVALID;
    }
}

Test(thin_step, halves_of_bytes)
{
    static const enum dtype types[] = {DTYPE_S4, DTYPE_U4, DTYPE_F4E2M1FN};
    static const int64_t halves[] = {1, 2, 8, 16, 32, 96, 48};
    fill(DTYPE_U8, 0, 255, rhs);
    for (int i = 0; i < 7 * 8 * 3; i++) {
        const bool columns = i & 1, along_k = i & 2, high_first = i & 4;
        const int64_t half = halves[i / 8 % 7], rows = i % 5 ? i % 5 : 16;
        check_halves(spec_of(types[i / 56], columns, 2, rows, 192, 192), along_k, half, high_first);
        check_halves(spec_of(types[i / 56], columns, 1, rows, along_k ? 37 : 2 * half,
                             along_k ? 6 * half : 70),
                     along_k, half, high_first);
    }
}

/* Checks numbers that share words, along k or n, with scales of several groups. */
static void check_words(struct thin_dot_spec spec, const struct thin_packing *packing)
{
    struct dot_spec *s = &spec.dot;
    spec.packing = *packing;
    const int64_t k = packing->along_k ? s->k / packing->count : s->k,
                  n = packing->along_k ? s->n : s->n / packing->count;
    if (s->rhs_n_stride == 1)
        s->rhs_k_stride = n;
    else
        s->rhs_n_stride = k;
    s->rhs_batch_stride = k * n;
    static const int64_t groups[][2] = {{0, 0}, {0, 1}, {32, 1}, {128, 1}, {1, 0}, {6, 2}, {8, 1}};
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
        spec.scale = grouped(DTYPE_F32, s, groups[g][0], groups[g][1]);
        if (groups[g][1] == 1)
            spec.zero = grouped(DTYPE_U8, s, groups[g][0], 1);
        spec.offset.dtype = DTYPE_INVALID;
        if (g == 2)
            spec.offset = grouped(DTYPE_BF16, s, 0, 1);
        check(&spec);
    }
}

/* Fields of words: each type, in several orders, of adjacent terms, columns, or others. */
Test(thin_step, fields_of_words)
{
    static const enum dtype types[] = {DTYPE_S4, DTYPE_U4, DTYPE_S8, DTYPE_U8};
    static const uint8_t orders[2][2][8] = {
        {{0, 4, 8, 12, 16, 20, 24, 28}, {0, 16, 4, 20, 8, 24, 12, 28}},
        {{0, 8, 16, 24}, {24, 16, 8, 0}}};
    fill(DTYPE_U8, 0, 255, rhs);
    for (int i = 0; i < 4 * 16; i++) {
        const enum dtype dtype = types[i / 16];
        const int bits = dtype_info(dtype)->bits;
        struct thin_packing packing = {32 / bits, i & 8 ? 4 : 1, i & 2, {0}};
        memcpy(packing.shift, orders[bits == 8][i >> 2 & 1], 8);
        const int64_t rows = i % 3 == 0 ? 1 : i % 3 == 1 ? 5 : 16;
        check_words(spec_of(dtype, i & 1, 1, rows, 160, 192), &packing);
        check_words(
            spec_of(dtype, i & 1, 2, rows, packing.along_k ? 37 : 96, packing.along_k ? 96 : 37),
            &packing);
    }
}

/* A spec of numbers of 4 bits in bytes, with zero points of groups of 32. */
static struct thin_dot_spec with_zero_points(bool adjacent_columns)
{
    struct thin_dot_spec spec = spec_of(DTYPE_U4, adjacent_columns, 1, 1, 96, 128);
    spec.packing = halves_of(1, !adjacent_columns, false);
    *(adjacent_columns ? &spec.dot.rhs_k_stride : &spec.dot.rhs_n_stride) /= 2;
    spec.zero = grouped(DTYPE_F32, &spec.dot, 32, 1);
    return spec;
}

/* An infinity times differences of one sign is infinite, however zero points are subtracted. */
Test(thin_step, infinite_terms_with_zero_points)
{
    fill(DTYPE_U8, 0, 255, rhs);
    fill(DTYPE_F32, -2, -1, zero);
    ((float *)(void *)lhs)[7] = INFINITY;
    for (int adjacent = 0; adjacent < 2; adjacent++) {
        struct thin_dot_spec spec = with_zero_points(adjacent);
        run(&spec, out, 1);
        for (int i = 0; i < spec.dot.n; i++)
            cr_expect_eq(out[i], INFINITY, "column %d", i);
    }
}

/* Zero points far from numbers, and those that no finite product has. */
Test(thin_step, large_zero_points)
{
    fill(DTYPE_U8, 0, 255, rhs);
    for (int i = 0; i < 4; i++) {
        struct thin_dot_spec spec = with_zero_points(i & 1);
        fill(DTYPE_F32, i & 2 ? 1000 : 100000, i & 2 ? 1003 : 100003, zero);
        check(&spec);
        ((float *)(void *)zero)[1] = INFINITY;
        run(&spec, out, 1);
        for (int n = 0; n < spec.dot.n; n++)
            cr_expect_eq(isfinite(out[n]), n != 1, "column %d", n);
    }
}

/* Indices of tables, in bytes and words, some of which have scales; of so many rows that blocks are
 * decoded, too. */
Test(thin_step, numbers_of_tables)
{
    static const int64_t rows[] = {3, 1, 33};
    for (int i = 0; i < MOST / 4; i++)
        ((float *)(void *)table)[i] = (float)((i * 7 + 3) % 16 - 8) / 4;
    fill(DTYPE_U8, 0, 255, rhs);
    for (int i = 0; i < 48; i++) {
        struct thin_dot_spec spec =
            spec_of(i & 1 ? DTYPE_U8 : DTYPE_U4, i & 2, 1, rows[i / 16], 96, 64);
        spec.table = DTYPE_F32;
        if (i & 4)
            spec.scale = grouped(DTYPE_F32, &spec.dot, 32, 1);
        if (i & 8)
            spec.zero = grouped(DTYPE_U8, &spec.dot, 0, 1);
        if (!(i & 1)) {
            spec.packing = halves_of(1, i & 8, i & 4);
            *(spec.dot.rhs_n_stride == 1 ? &spec.dot.rhs_k_stride : &spec.dot.rhs_n_stride) =
                spec.dot.rhs_n_stride == 1 ? (i & 8 ? 96 : 48) : (i & 8 ? 32 : 64);
        }
        check(&spec);
    }
}

/* More terms than the left side has at once, in groups that end elsewhere. */
Test(thin_step, many_terms)
{
    static const int64_t groups[] = {0, 32, 48, 9008, 7};
    fill(DTYPE_S8, -9, 9, rhs);
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
        for (int i = 0; i < 4; i++) {
            struct thin_dot_spec spec = spec_of(DTYPE_S8, i & 1, 1, i & 2 ? 3 : 1, 6, 9030);
            spec.scale = grouped(DTYPE_F32, &spec.dot, groups[g], 1);
            check(&spec);
            spec.dot.rhs = DTYPE_U4;
            spec.packing = halves_of(1, !(i & 1), false);
            spec.dot.rhs_k_stride = i & 1 ? 3 : 1, spec.dot.rhs_n_stride = i & 1 ? 1 : 9030 / 2;
            spec.scale = grouped(DTYPE_F32, &spec.dot, groups[g], 1);
            check(&spec);
        }
}

/* More rows than registers have sums for, of numbers of each packing: blocks of terms, columns and
 * rows that end within one, and bytes that are not floats behind the last of them. */
Test(thin_step, many_rows)
{
    static const int64_t some[][3] = {{9, 130, 33}, {17, 70, 600}, {64, 200, 96}, {61, 17, 290}};
    static const int64_t groups[][2] = {{0, 1}, {32, 1}, {7, 1}, {48, 2}};
    fill(DTYPE_U8, 0, 255, rhs);
    for (int i = 0; i < 4 * 4 * 8; i++) {
        const int64_t *size = some[i % 4], *group = groups[i / 4 % 4];
        const bool adjacent = i & 16, packed = i & 32, along_k = i & 64;
        struct thin_dot_spec spec = spec_of(packed ? DTYPE_U4 : DTYPE_S8, adjacent, 1, size[0],
                                            size[1] + (size[1] & 1), size[2] + (size[2] & 1));
        if (packed) {
            spec.packing = halves_of(1, along_k, i & 4);
            *(adjacent ? &spec.dot.rhs_k_stride : &spec.dot.rhs_n_stride) =
                adjacent ? (along_k ? spec.dot.n : spec.dot.n / 2)
                         : (along_k ? spec.dot.k / 2 : spec.dot.k);
        }
        spec.scale = grouped(DTYPE_F32, &spec.dot, group[0], group[1]);
        if (i & 1)
            spec.zero = grouped(DTYPE_U8, &spec.dot, group[0], group[1]);
        if (i & 2)
            spec.offset = grouped(DTYPE_BF16, &spec.dot, 0, 1);
        check(&spec);
    }
}

/* As many columns as a task has sums for: of whole vectors, whatever the number of rows. */
Test(thin_step, many_columns)
{
    fill(DTYPE_S8, -100, 100, rhs);
    for (int m = 1; m <= 16; m++)
        for (int adjacent = 0; adjacent < 2; adjacent++) {
            struct thin_dot_spec spec = spec_of(DTYPE_S8, adjacent, 1, m, 4500, 18);
            spec.scale = grouped(DTYPE_F32, &spec.dot, 0, 1);
            check(&spec);
        }
}

/* Large numbers and small ones: what is loaded of numbers of 4 bits may be larger than these. */
Test(thin_step, numbers_of_every_size)
{
    static const float sizes_of[] = {1e30f, 1e-30f, 1};
    fill(DTYPE_U8, 0, 255, rhs);
    for (int i = 0; i < 3; i++) {
        struct thin_dot_spec spec = spec_of(DTYPE_S4, true, 1, 1, 64, 32);
        spec.packing = halves_of(1, false, false), spec.dot.rhs_k_stride = 32;
        for (int k = 0; k < 64; k++)
            ((float *)(void *)lhs)[k] = sizes_of[i] * (float)(k % 5);
        check(&spec);
    }
}

/* Sums that are rounded, of columns that more threads divide into more parts. */
Test(thin_step, same_bits_of_rounded_sums)
{
    fill(DTYPE_U8, 0, 255, rhs);
    for (int i = 0; i < MOST / 4; i++)
        ((float *)(void *)lhs)[i] = (float)((i * 37 + i / 11) % 1001 - 500) / 499;
    for (int i = 0; i < 2 * 7; i++) {
        struct thin_dot_spec spec = spec_of(DTYPE_U8, i & 1, 1, 1 << i / 2, 1000, 130);
        for (int has_offset = 0; has_offset < 2; has_offset++) {
            if (has_offset)
                spec.offset = grouped(DTYPE_BF16, &spec.dot, 0, 1);
            run(&spec, out, 1);
            for (int threads = 2; threads < 9; threads++) {
                run(&spec, again, threads);
                cr_expect_arr_eq(out, again, sizeof(float) * (size_t)(spec.dot.m * spec.dot.n),
                                 "%d rows, %d threads", (int)spec.dot.m, threads);
            }
        }
    }
}

static void *run_often(void *context)
{
    const struct thin_dot_spec *spec = context;
    float own[200];
    for (int i = 0; i < 25; i++) {
        run(spec, own, 1 + i % 4);
        if (memcmp(own, out, sizeof own))
            return context;
    }
    return NULL;
}

Test(thin_step, same_bits_from_many_threads)
{
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    fill(DTYPE_S8, -100, 100, rhs);
    struct thin_dot_spec spec = spec_of(DTYPE_S8, true, 1, 1, 200, 320);
    spec.scale = grouped(DTYPE_F32, &spec.dot, 32, 1);
    check(&spec);
    for (int i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, run_often, &spec), 0);
    for (int i = 0; i < THREADS; i++) {
        void *different;
        cr_assert_eq(pthread_join(threads[i], &different), 0);
        cr_assert_null(different);
    }
}

/* Rows of the left side may be adjacent, and the result transposed. */
Test(thin_step, other_strides)
{
    fill(DTYPE_BF16, -9, 9, rhs);
    struct thin_dot_spec spec = spec_of(DTYPE_BF16, false, 1, 5, 64, 40);
    spec.dot.lhs_m_stride = 1, spec.dot.lhs_k_stride = 5;
    check(&spec);
}

/* Scales that no finite product has: of columns that they belong to alone. */
Test(thin_step, infinities_and_nans_stay_in_their_columns)
{
    fill(DTYPE_S8, 1, 3, rhs);
    struct thin_dot_spec spec = spec_of(DTYPE_S8, true, 1, 2, 40, 32);
    spec.scale = grouped(DTYPE_F32, &spec.dot, 0, 1);
    ((float *)(void *)scale)[3] = INFINITY, ((float *)(void *)scale)[20] = NAN;
    for (int i = 0; i < 64; i++)
        ((float *)(void *)lhs)[i] = 1;
    run(&spec, out, 1);
    for (int i = 0; i < 80; i++)
        if (i % 40 == 3)
            cr_assert_eq(out[i], INFINITY);
        else if (i % 40 == 20)
            cr_assert(isnan(out[i]));
        else
            cr_assert(isfinite(out[i]));
}

/* Numbers are scaled, not their sums: 3e38 times 3 is infinite, and times 0 it is 0. */
Test(thin_step, scales_that_are_as_large_as_possible)
{
    for (int m = 1; m <= 2; m++)
        for (int i = 0; i < 2; i++) {
            struct thin_dot_spec spec = spec_of(DTYPE_S8, i, 1, m, 80, 64);
            spec.scale = grouped(DTYPE_F32, &spec.dot, 0, 1);
            fill(DTYPE_S8, -3, 4, rhs);
            ((float *)(void *)scale)[3] = 3e38f;
            ((float *)(void *)scale)[5] = INFINITY;
            run(&spec, out, 1);
            run(&spec, again, 4);
            cr_assert_arr_eq(out, again, sizeof(float) * (size_t)m * 80);
            for (int n = 0; n < m * 80; n++)
                cr_expect_eq(isnan(out[n]), n % 80 == 3 || n % 80 == 5, "column %d", n);
            setup();
        }
}
