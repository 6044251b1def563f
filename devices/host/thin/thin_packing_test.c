/* Products of few rows with numbers that share bytes or words, or are indices of tables. */
#include "devices/host/thin/thin_fixture.h"

TestSuite(thin_packing, .init = setup);

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

Test(thin_packing, halves_of_bytes)
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
Test(thin_packing, fields_of_words)
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
Test(thin_packing, infinite_terms_with_zero_points)
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
Test(thin_packing, large_zero_points)
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
Test(thin_packing, numbers_of_tables)
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

/* Large numbers and small ones: what is loaded of numbers of 4 bits may be larger than these. */
Test(thin_packing, numbers_of_every_size)
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

/* Scales of bf16, of whole vectors of columns, which are read where they are stored, and others;
 * groups of more rows than a block, in elements with columns or with terms. */
Test(thin_packing, scales_of_bf16)
{
    static const int64_t columns[] = {64, 384, 72, 6}, groups[] = {0, 32, 20, 96};
    fill(DTYPE_U8, 0, 255, rhs);
    fill(DTYPE_BF16, 1, 9, scale);
    for (int i = 0; i < 4 * 4 * 8; i++) {
        const bool along_k = i & 1, is_signed = i & 2, has_zero = i & 4;
        struct thin_dot_spec spec =
            spec_of(is_signed ? DTYPE_S4 : DTYPE_U4, true, 2, 1, columns[i / 8 % 4], 190);
        spec.packing = halves_of(1, along_k, false);
        spec.dot.rhs_k_stride = along_k ? spec.dot.n : spec.dot.n / 2;
        spec.dot.rhs_batch_stride /= 2;
        spec.scale = grouped(DTYPE_BF16, &spec.dot, groups[i / 32], 1);
        if (has_zero)
            spec.zero = grouped(DTYPE_U8, &spec.dot, groups[i / 32], 1);
        check(&spec);
    }
}

/* A scale of the last group is so large that numbers are scaled before they are added: products
 * with zeros are 0, others infinite, whose sums are none. */
Test(thin_packing, large_scales_of_bf16)
{
    static const float large[] = {3e38f, INFINITY, -INFINITY, NAN};
    fill(DTYPE_U8, 0, 255, rhs);
    for (int i = 0; i < 4; i++) {
        struct thin_dot_spec spec = spec_of(DTYPE_S4, true, 1, 1, 128, 64);
        spec.packing = halves_of(1, false, false), spec.dot.rhs_k_stride = 64;
        spec.scale = grouped(DTYPE_BF16, &spec.dot, 32, 1);
        fill(DTYPE_BF16, 1, 9, scale);
        dtype_from_double(DTYPE_BF16, (double)large[i], scale + (128 + 77) * 2);
        run(&spec, out, 1);
        for (int n = 0; n < 128; n++)
            cr_expect_eq(isnan(out[n]), n == 77, "column %d: %g", n, (double)out[n]);
    }
}
