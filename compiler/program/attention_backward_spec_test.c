/* Which specifications are supported, and that each wrong field is found. */
#include "compiler/program/attention_backward_spec.h"

#include <criterion/criterion.h>

#include "compiler/program/attention_spec.h"

static struct attention_backward_spec spec;
static struct slice slices[12];

/* Rows [2, 4, 5] = queries [2, 4, 3] * keys [2, 5, 3]. */
static struct dot_spec writes_rows(int64_t k)
{
    return (struct dot_spec){.outer = 1,
                             .batch = 2,
                             .m = 4,
                             .n = 5,
                             .k = k,
                             .lhs = DTYPE_F32,
                             .rhs = DTYPE_F32,
                             .out = DTYPE_F32,
                             .lhs_batch_stride = 4 * k,
                             .lhs_m_stride = k,
                             .lhs_k_stride = 1,
                             .rhs_batch_stride = 5 * k,
                             .rhs_n_stride = k,
                             .rhs_k_stride = 1,
                             .out_batch_stride = 20,
                             .out_m_stride = 5,
                             .out_n_stride = 1};
}

/* Rows [2, 4, 5], which may be transposed, times [2, 5 or 4, n]. */
static struct dot_spec reads_rows(bool are_columns, int64_t n)
{
    int64_t m = are_columns ? 5 : 4, k = are_columns ? 4 : 5;
    return (struct dot_spec){.outer = 1,
                             .batch = 2,
                             .m = m,
                             .n = n,
                             .k = k,
                             .lhs = DTYPE_F32,
                             .rhs = DTYPE_F32,
                             .out = DTYPE_F32,
                             .lhs_batch_stride = 20,
                             .lhs_m_stride = are_columns ? 1 : 5,
                             .lhs_k_stride = are_columns ? 5 : 1,
                             .rhs_batch_stride = k * n,
                             .rhs_k_stride = n,
                             .rhs_n_stride = 1,
                             .out_batch_stride = m * n,
                             .out_m_stride = n,
                             .out_n_stride = 1};
}

/* Queries [2, 4, 3], keys [2, 5, 3], given [2, 4, 6], values [2, 5, 6], these again, an operand [7]
 * and a mask [4] of the weights, and the results. */
static void setup(void)
{
    spec = (struct attention_backward_spec){.scores = writes_rows(3),
                                            .change = writes_rows(6),
                                            .to_values = reads_rows(true, 6),
                                            .to_queries = reads_rows(false, 3),
                                            .to_keys = reads_rows(true, 3),
                                            .weights_others = 2,
                                            .weights_operand = 1,
                                            .mask_operand = 1,
                                            .mask_rows = 4};
    static const uint64_t elements[] = {24, 30, 48, 60, 48, 30, 24, 7, 4, 60, 24, 30};
    for (int i = 0; i < 12; i++)
        slices[i] = (struct slice){.size = elements[i] * sizeof(float)};
}

TestSuite(attention_backward_spec, .init = setup);

static bool good(void)
{
    return attention_backward_spec_is_supported(&spec) &&
           attention_backward_spec_fits(&spec, slices);
}

Test(attention_backward_spec, arrays_end_where_their_slices_end)
{
    cr_assert(good());
    cr_assert_eq(attention_backward_spec_slices(&spec), 12);
    for (int i = 0; i < 12; i++) {
        slices[i].size--;
        cr_expect_eq(good(), i == 7, "slice %d", i); /* the operand is the kernel's */
        slices[i].size++;
    }
}

Test(attention_backward_spec, without_a_mask_there_are_no_rows_of_it)
{
    spec.mask_operand = -1;
    cr_expect_not(good());
    spec.mask_rows = 0;
    cr_expect(good());
}

Test(attention_backward_spec, operands_of_bf16)
{
    struct dot_spec *products[] = {&spec.scores, &spec.change, &spec.to_values, &spec.to_queries,
                                   &spec.to_keys};
    for (int i = 0; i < 5; i++) {
        cr_expect_eq(good(), i == 0, "%d products", i);
        products[i]->lhs = products[i]->rhs = DTYPE_BF16;
    }
    cr_expect(good());
    for (int i = 2; i < 5; i++)
        products[i]->out = DTYPE_BF16;
    cr_expect(good());
    spec.change.out = DTYPE_BF16; /* the kernel reads f32 */
    cr_expect_not(good());
}

Test(attention_backward_spec, wrong_fields)
{
#define WRONG(field, wrong)                                                                        \
    spec.field = (wrong);                                                                          \
    cr_expect_not(good(), #field " = " #wrong);                                                    \
    setup();
    WRONG(weights_others, 0)
    WRONG(weights_others, ATTENTION_MAX_OPERANDS + 1)
    WRONG(gradient_others, -1)
    WRONG(scores_operand, 3)
    WRONG(weights_operand, 0)
    WRONG(weights_operand, 2)
    WRONG(change_operand, -1)
    WRONG(mask_operand, 2)
    WRONG(mask_operand, -2)
    WRONG(mask_rows, 0)
    WRONG(mask_rows, 5)
    WRONG(scores.lhs, DTYPE_BF16)
    WRONG(change.out, DTYPE_F64)
    WRONG(to_keys.rhs, DTYPE_S32)
    WRONG(scores.m, 3)
    WRONG(scores.n, ATTENTION_MAX_COLUMNS + 1)
    WRONG(scores.k, ATTENTION_MAX_WIDTH + 1)
    WRONG(scores.out_m_stride, 6)
    WRONG(change.n, 4)
    WRONG(change.out_n_stride, 2)
    WRONG(change.batch, 1)
    WRONG(to_values.m, 4)
    WRONG(to_values.k, 5)
    WRONG(to_values.lhs_m_stride, 5)
    WRONG(to_queries.lhs_k_stride, 5)
    WRONG(to_queries.outer, 2)
    WRONG(to_queries.n, ATTENTION_MAX_WIDTH + 1)
    WRONG(to_keys.lhs_batch_stride, 0)
    WRONG(to_keys.out_m_stride, INT64_MAX)
#undef WRONG
}
