/* Which specifications are supported, and that each wrong field is found. */
#include "compiler/program/attention_spec.h"

#include <criterion/criterion.h>

static struct attention_spec spec;
static struct slice slices[5];

/* Queries [2, 4, 3], keys [2, 5, 3], values [2, 5, 6], a mask [4] and a result [2, 4, 6]. */
static void setup(void)
{
    const struct dot_spec shared = {
        .lhs = DTYPE_F32, .rhs = DTYPE_F32, .out = DTYPE_F32, .outer = 1, .batch = 2, .m = 4};
    struct dot_spec *scores = &spec.scores, *values = &spec.values;
    spec = (struct attention_spec){.scores = shared, .values = shared, .kernel_operands = 1};
    spec.mask_rows = 4;
    scores->n = 5, scores->k = 3, values->n = 6, values->k = 5;
    scores->lhs_batch_stride = 12, scores->lhs_m_stride = 3, scores->lhs_k_stride = 1;
    scores->rhs_batch_stride = 15, scores->rhs_n_stride = 3, scores->rhs_k_stride = 1;
    scores->out_batch_stride = 20, scores->out_m_stride = 5, scores->out_n_stride = 1;
    values->lhs_batch_stride = 20, values->lhs_m_stride = 5, values->lhs_k_stride = 1;
    values->rhs_batch_stride = 30, values->rhs_k_stride = 6, values->rhs_n_stride = 1;
    values->out_batch_stride = 24, values->out_m_stride = 6, values->out_n_stride = 1;
    static const uint64_t elements[] = {24, 30, 60, 4, 48};
    for (int i = 0; i < 5; i++)
        slices[i] = (struct slice){.size = elements[i] * sizeof(float)};
}

TestSuite(attention_spec, .init = setup);

static bool good(void)
{
    return attention_spec_is_supported(&spec) && attention_spec_fits(&spec, slices, 5);
}

Test(attention_spec, arrays_end_where_their_slices_end)
{
    cr_assert(good());
    for (int i = 0; i < 5; i++) {
        slices[i].size--;
        cr_expect_not(good(), "slice %d", i);
        slices[i].size++;
    }
}

Test(attention_spec, without_a_mask_there_are_no_rows_of_it)
{
    spec.mask_operand = -1;
    cr_expect_not(good());
    spec.mask_rows = 0;
    cr_expect(good());
}

/* The scores are f32 all the same. */
Test(attention_spec, products_of_bf16)
{
    spec.scores.lhs = spec.scores.rhs = spec.values.lhs = DTYPE_BF16;
    cr_expect_not(good());
    spec.values.rhs = DTYPE_BF16;
    for (int i = 0; i < 3; i++)
        slices[i].size /= 2;
    cr_expect(good());
    slices[4].size /= 2;
    cr_expect_not(good());
    spec.values.out = DTYPE_BF16;
    cr_expect(good());
}

Test(attention_spec, wrong_fields)
{
#define WRONG(field, wrong)                                                                        \
    spec.field = (wrong);                                                                          \
    cr_expect_not(good(), #field " = " #wrong);                                                    \
    setup();
    WRONG(kernel_operands, 0)
    WRONG(kernel_operands, -1)
    WRONG(kernel_operands, INT64_MAX)
    WRONG(scores_operand, -1)
    WRONG(scores_operand, 2)
    WRONG(mask_operand, -2)
    WRONG(mask_operand, 1)
    WRONG(mask_rows, 0)
    WRONG(mask_rows, 5)
    WRONG(mask_rows, INT64_MIN)
    WRONG(scores.rhs, DTYPE_BF16)
    WRONG(scores.out, DTYPE_BF16)
    WRONG(values.lhs, DTYPE_BF16)
    WRONG(values.out, DTYPE_F64)
    WRONG(values.out, DTYPE_BF16)
    WRONG(scores.k, 0)
    WRONG(scores.n, 4)
    WRONG(scores.n, INT64_MAX)
    WRONG(scores.m, 5)
    WRONG(scores.batch, INT64_MAX)
    WRONG(scores.outer, 0)
    WRONG(scores.out_m_stride, 6)
    WRONG(scores.rhs_n_stride, 4)
    WRONG(scores.lhs_k_stride, -1)
    WRONG(values.lhs_m_stride, 6)
    WRONG(values.out_m_stride, -6)
    WRONG(values.k, 4)
    WRONG(values.n, ATTENTION_MAX_WIDTH + 1)
#undef WRONG
    cr_expect(good());
}
