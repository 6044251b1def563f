/* attention_backward_spec.c: see attention_backward_spec.h. */
#include "compiler/program/attention_backward_spec.h"

#include "compiler/program/attention_spec.h"
#include "compiler/program/program_reach.h"

#define ROWS_LIMIT (INT64_C(1) << 40)

static bool is_between(int64_t number, int64_t low, int64_t high)
{
    return number >= low && number <= high;
}

/* Both operands of all products have one type. */
static bool has_types(const struct dot_spec *s, enum dtype operands)
{
    return (operands == DTYPE_F32 || operands == DTYPE_BF16) && s->lhs == operands &&
           s->rhs == operands;
}

static bool is_result(const struct dot_spec *s, enum dtype operands)
{
    return has_types(s, operands) && (s->out == DTYPE_F32 || s->out == operands);
}

/* Whether a dimension of an array of rows has the stride that it has in a dense array. */
static bool is_dense(int64_t size, int64_t stride, int64_t expected)
{
    return size == 1 || stride == expected;
}

static bool has_dense_batches(const struct dot_spec *s, int64_t stride, int64_t outer_stride,
                              int64_t size)
{
    return is_dense(s->batch, stride, size) && is_dense(s->outer, outer_stride, s->batch * size);
}

/* rows x columns are written. */
static bool writes_rows(const struct dot_spec *s)
{
    return is_dense(s->n, s->out_n_stride, 1) && is_dense(s->m, s->out_m_stride, s->n) &&
           has_dense_batches(s, s->out_batch_stride, s->out_outer_stride, s->m * s->n);
}

/* rows x columns are the left side. */
static bool reads_rows(const struct dot_spec *s)
{
    return is_dense(s->k, s->lhs_k_stride, 1) && is_dense(s->m, s->lhs_m_stride, s->k) &&
           has_dense_batches(s, s->lhs_batch_stride, s->lhs_outer_stride, s->m * s->k);
}

/* rows x columns, transposed, are the left side. */
static bool reads_columns(const struct dot_spec *s)
{
    return is_dense(s->m, s->lhs_m_stride, 1) && is_dense(s->k, s->lhs_k_stride, s->m) &&
           has_dense_batches(s, s->lhs_batch_stride, s->lhs_outer_stride, s->m * s->k);
}

static bool is_like(const struct dot_spec *s, const struct dot_spec *first, int64_t m, int64_t k)
{
    return is_result(s, first->lhs) && s->batch == first->batch && s->outer == first->outer &&
           s->m == m && s->k == k && is_between(s->n, 1, ATTENTION_MAX_WIDTH);
}

static bool has_sizes(const struct dot_spec *s)
{
    int64_t rows;
    return is_between(s->n, 1, ATTENTION_MAX_COLUMNS) && is_between(s->k, 1, ATTENTION_MAX_WIDTH) &&
           s->m >= 1 && s->batch >= 1 && s->outer >= 1 &&
           !__builtin_mul_overflow(s->m, s->batch, &rows) &&
           !__builtin_mul_overflow(rows, s->outer, &rows) && rows <= ROWS_LIMIT;
}

/* The scores and the gradient of the weights. */
static bool are_rows(const struct dot_spec *s, const struct dot_spec *change)
{
    return has_sizes(s) && has_sizes(change) && has_types(s, s->lhs) && s->out == DTYPE_F32 &&
           has_types(change, s->lhs) && change->out == DTYPE_F32 && change->batch == s->batch &&
           change->outer == s->outer && change->m == s->m && change->n == s->n && writes_rows(s) &&
           writes_rows(change);
}

static bool has_operands(const struct attention_backward_spec *spec)
{
    int64_t others = spec->gradient_others;
    return is_between(spec->weights_others, 0, ATTENTION_MAX_OPERANDS) &&
           is_between(others, 0, ATTENTION_MAX_OPERANDS) &&
           is_between(spec->scores_operand, 0, spec->weights_others) &&
           is_between(spec->weights_operand, 0, others + 1) &&
           is_between(spec->change_operand, 0, others + 1) &&
           spec->weights_operand != spec->change_operand;
}

static bool has_plausible_mask(const struct attention_backward_spec *spec)
{
    bool has = spec->mask_operand >= 0;
    return is_between(spec->mask_operand, -1, spec->weights_others - 1) &&
           is_between(spec->mask_rows, has, has ? ROWS_LIMIT : 0);
}

bool attention_backward_spec_is_supported(const struct attention_backward_spec *spec)
{
    const struct dot_spec *s = &spec->scores;
    return has_operands(spec) && has_plausible_mask(spec) && are_rows(s, &spec->change) &&
           is_like(&spec->to_values, s, s->n, s->m) && reads_columns(&spec->to_values) &&
           is_like(&spec->to_queries, s, s->m, s->n) && reads_rows(&spec->to_queries) &&
           is_like(&spec->to_keys, s, s->n, s->m) && reads_columns(&spec->to_keys);
}

int attention_backward_spec_slices(const struct attention_backward_spec *spec)
{
    return ATTENTION_BACKWARD_INPUTS + (int)(spec->weights_others + spec->gradient_others) +
           ATTENTION_BACKWARD_RESULTS;
}

bool attention_backward_spec_fits(const struct attention_backward_spec *spec,
                                  const struct slice *slices)
{
    const struct slice *out =
        slices + attention_backward_spec_slices(spec) - ATTENTION_BACKWARD_RESULTS;
    const struct slice scratch = {.size = UINT64_MAX}; /* holds arrays of rows */
    const struct dot_spec *reads[] = {&spec->scores, &spec->change},
                          *writes[] = {&spec->to_values, &spec->to_queries, &spec->to_keys};
    for (int i = 0; i < 2; i++)
        if (!program_reach_dot(reads[i],
                               (struct slice[]){slices[2 * i], slices[2 * i + 1], scratch}))
            return false;
    for (int i = 0; i < ATTENTION_BACKWARD_RESULTS; i++)
        if (!program_reach_dot(writes[i], (struct slice[]){scratch, slices[4 + i], out[i]}))
            return false;
    return spec->mask_operand < 0 ||
           slices[ATTENTION_BACKWARD_INPUTS + spec->mask_operand].size / sizeof(int32_t) >=
               (uint64_t)spec->mask_rows;
}
