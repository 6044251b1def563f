/* Which specifications are supported, and that each array ends where its slice does. */
#include "compiler/program/thin_dot_spec.h"

#include <criterion/criterion.h>
#include <string.h>

static struct thin_dot_spec spec;
static struct slice slices[7];

/* A left side [2, 4, 64], a right side [2, 64, 48] of s8, zero points [2, 64 / 16, 48 / 8] of u8,
 * scales [48] of bf16, an offset, and a result [2, 4, 48]. */
static void setup(void)
{
    spec = (struct thin_dot_spec){.dot = {DTYPE_F32, DTYPE_S8, DTYPE_F32, 2, 4, 48, 64, 256, 64, 1,
                                          3072, 48, 1, 192, 48, 1, .outer = 1},
                                  .zero = {DTYPE_U8, 24, 16, 6, 8, 1},
                                  .scale = {DTYPE_BF16, 0, 64, 0, 1, 1},
                                  .offset = {DTYPE_F32, 0, 64, 0, 48, 0}};
    static const uint64_t bytes[] = {2048, 6144, 48, 96, 4, 1536};
    for (int i = 0; i < 6; i++)
        slices[i] = (struct slice){.size = bytes[i]};
}

TestSuite(thin_dot_spec, .init = setup);

static bool good(void)
{
    return thin_dot_spec_is_supported(&spec) && thin_dot_spec_fits(&spec, slices);
}

Test(thin_dot_spec, arrays_end_where_their_slices_end)
{
    cr_assert_eq(thin_dot_spec_slices(&spec), 6);
    cr_assert(good());
    for (int i = 0; i < 6; i++) {
        slices[i].size--;
        cr_expect_not(good(), "slice %d", i);
        slices[i].size++;
    }
}

Test(thin_dot_spec, absent_parameters_have_no_slice)
{
    spec.zero.dtype = DTYPE_INVALID;
    slices[2] = slices[3], slices[3] = slices[4], slices[4] = slices[5];
    cr_assert_eq(thin_dot_spec_slices(&spec), 5);
    cr_expect(good());
    cr_expect(thin_dot_spec_is_affine(&spec));
    spec.offset.dtype = DTYPE_INVALID;
    cr_expect_not(thin_dot_spec_is_affine(&spec));
}

Test(thin_dot_spec, halves_of_bytes_need_half_of_the_memory)
{
    spec.dot.rhs = DTYPE_S4;
    for (int along_k = 0; along_k < 2; along_k++) {
        setup();
        spec.dot.rhs = DTYPE_S4;
        spec.packing = (struct thin_packing){2, 8, along_k, {4, 0}};
        spec.dot.rhs_batch_stride = 1536, spec.dot.rhs_k_stride = along_k ? 48 : 24;
        slices[1].size = 3072;
        cr_expect(good());
        slices[1].size--;
        cr_expect_not(good());
        slices[1].size++, slices[0].size--;
        cr_expect_not(good());
        slices[0].size++;
        static const int64_t bad[] = {-1, 5, 64, INT64_MAX};
        for (int i = 0; i < 4; i++) {
            spec.packing.inner = bad[i];
            cr_expect_not(thin_dot_spec_is_supported(&spec), "%d", i);
        }
        spec.packing.inner = 8, spec.dot.rhs = DTYPE_S8;
        cr_expect_not(thin_dot_spec_is_supported(&spec));
    }
}

/* Words of 32 bits along k, whose numbers come in any order. */
Test(thin_dot_spec, fields_of_words)
{
    spec.dot.rhs = DTYPE_U4, spec.dot.rhs_batch_stride = 384;
    spec.packing = (struct thin_packing){8, 1, true, {0, 16, 4, 20, 8, 24, 12, 28}};
    slices[1].size = 3072;
    cr_expect(good());
    slices[1].size--;
    cr_expect_not(good());
    slices[1].size++, spec.packing.shift[2] = 16;
    cr_expect_not(good());
    spec.packing.shift[2] = 32;
    cr_expect_not(good());
    spec.packing.shift[2] = 4, spec.packing.count = 4;
    cr_expect_not(good());
    spec.dot.rhs = DTYPE_S8;
    static const uint8_t shift[] = {24, 16, 8, 0};
    memcpy(spec.packing.shift, shift, sizeof shift);
    spec.dot.rhs_batch_stride = 768, slices[1].size = 6144;
    cr_expect(good());
    spec.dot.rhs = DTYPE_F8E5M2;
    cr_expect_not(good());
}

Test(thin_dot_spec, tables_have_a_number_for_each_index)
{
    spec.dot.rhs = DTYPE_U8, spec.table = DTYPE_BF16;
    slices[6] = slices[5], slices[5].size = 512;
    cr_assert_eq(thin_dot_spec_slices(&spec), 7);
    cr_expect(good());
    slices[5].size--;
    cr_expect_not(good());
    slices[5].size++, spec.dot.rhs = DTYPE_S8;
    cr_expect_not(good());
    spec.dot.rhs = DTYPE_U8, spec.table = DTYPE_F64;
    cr_expect_not(good());
}

Test(thin_dot_spec, sizes_and_types_out_of_range)
{
    static const enum dtype bad[] = {DTYPE_F64,  DTYPE_C64,   DTYPE_S32,
                                     DTYPE_PRED, DTYPE_COUNT, (enum dtype) - 1};
    for (int i = 0; i < 6; i++) {
        enum dtype *types[] = {&spec.dot.lhs, &spec.dot.rhs, &spec.dot.out, &spec.scale.dtype};
        for (int t = 0; t < 4; t++) {
            if (types[t] == &spec.scale.dtype && bad[i] == DTYPE_S32)
                continue;
            *types[t] = bad[i];
            cr_expect_not(good(), "type %d of %d", i, t);
            setup();
        }
    }
    int64_t *least_one[] = {&spec.dot.batch,    &spec.dot.m,        &spec.dot.n,    &spec.dot.k,
                            &spec.zero.k_group, &spec.zero.n_group, &spec.dot.outer};
    for (int i = 0; i < 7; i++) {
        *least_one[i] = 0;
        cr_expect_not(good(), "number %d", i);
        setup();
    }
    spec.dot.m = THIN_DOT_MAX_ROWS + 1;
    cr_expect_not(thin_dot_spec_is_supported(&spec));
    setup();
    spec.zero.k_stride = -1;
    cr_expect_not(good());
    spec.zero.k_stride = INT64_MAX;
    cr_expect_not(good());
    setup();
    spec.dot.rhs_n_stride = 2;
    cr_expect_not(thin_dot_spec_is_supported(&spec));
}
