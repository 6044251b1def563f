/* attention_spec.c: see attention_spec.h. */
#include "compiler/program/attention_spec.h"

#include "compiler/program/program_reach.h"

#define ROWS_LIMIT (INT64_C(1) << 40)

/* Whether a dimension of the scores has the stride that it has in a dense array. */
static bool is_dense(int64_t size, int64_t stride, int64_t expected)
{
    return size == 1 || stride == expected;
}

static bool is_written_densely(const struct dot_spec *s)
{
    return is_dense(s->n, s->out_n_stride, 1) && is_dense(s->m, s->out_m_stride, s->n) &&
           is_dense(s->batch, s->out_batch_stride, s->m * s->n) &&
           is_dense(s->outer, s->out_outer_stride, s->batch * s->m * s->n);
}

static bool is_read_densely(const struct dot_spec *s)
{
    return is_dense(s->k, s->lhs_k_stride, 1) && is_dense(s->m, s->lhs_m_stride, s->k) &&
           is_dense(s->batch, s->lhs_batch_stride, s->m * s->k) &&
           is_dense(s->outer, s->lhs_outer_stride, s->batch * s->m * s->k);
}

static bool is_between(int64_t number, int64_t low, int64_t high)
{
    return number >= low && number <= high;
}

static bool has_sizes(const struct attention_spec *spec)
{
    const struct dot_spec *s = &spec->scores, *v = &spec->values;
    int64_t rows;
    return is_between(s->n, 1, ATTENTION_MAX_COLUMNS) && is_between(s->k, 1, ATTENTION_MAX_WIDTH) &&
           is_between(v->n, 1, ATTENTION_MAX_WIDTH) && s->m >= 1 && s->batch >= 1 &&
           s->outer >= 1 && !__builtin_mul_overflow(s->m, s->batch, &rows) &&
           !__builtin_mul_overflow(rows, s->outer, &rows) && rows <= ROWS_LIMIT && v->k == s->n &&
           v->m == s->m && v->batch == s->batch && v->outer == s->outer;
}

/* The operands of both products are f32 or bf16; scores are f32. */
static bool has_types(const struct attention_spec *spec)
{
    const struct dot_spec *s = &spec->scores, *v = &spec->values;
    return (s->lhs == DTYPE_F32 || s->lhs == DTYPE_BF16) && s->rhs == s->lhs &&
           s->out == DTYPE_F32 && v->lhs == s->lhs && v->rhs == s->lhs &&
           (v->out == DTYPE_F32 || v->out == s->lhs);
}

static bool has_operands(const struct attention_spec *spec)
{
    int count = spec->kernel_operands;
    bool has_mask = spec->mask_operand >= 0;
    return is_between(count, 0, ATTENTION_MAX_OPERANDS) &&
           is_between(spec->scores_operand, 0, count) &&
           is_between(spec->mask_operand, -1, count - 1) &&
           is_between(spec->mask_rows, has_mask, has_mask ? ROWS_LIMIT : 0);
}

bool attention_spec_is_supported(const struct attention_spec *spec)
{
    return has_operands(spec) && has_types(spec) && has_sizes(spec) &&
           is_written_densely(&spec->scores) && is_read_densely(&spec->values);
}

bool attention_spec_fits(const struct attention_spec *spec, const struct slice *slices, int count)
{
    /* the scores are in scratch */
    const struct slice scratch = {.size = UINT64_MAX};
    const struct slice *others = slices + 3, *out = &slices[count - 1];
    return program_reach_dot(&spec->scores, (struct slice[]){slices[0], slices[1], scratch}) &&
           program_reach_dot(&spec->values, (struct slice[]){scratch, slices[2], *out}) &&
           (spec->mask_operand < 0 ||
            others[spec->mask_operand].size / sizeof(int32_t) >= (uint64_t)spec->mask_rows);
}
