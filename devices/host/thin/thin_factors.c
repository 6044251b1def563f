/* thin_factors.c: see thin_factors.h. */
#include "devices/host/thin/thin_factors.h"

enum {
    RUN = 256,         /* parameters that are loaded at once */
    LARGEST_BITS = 16, /* numbers are up to 2^16 */
    EXACT_BITS = 8     /* sums of such numbers are exact enough to have zero points subtracted */
};

/* ---- what is taken out ----------------------------------------------------------------------- */
bool thin_factors_has_small_numbers(const struct thin_dot_spec *spec, const float *table)
{
    const enum dtype dtype = spec->dot.rhs;
    if (table)
        return !thin_set()->exceeds(table, 1 << dtype_info(dtype)->bits, 1 << LARGEST_BITS);
    return dtype_is_integer(dtype) ||
           dtype_info(dtype)->exponent_bits <= dtype_info(DTYPE_F16)->exponent_bits;
}

/* Floats may be close to a zero point that is many times their differences: the subtraction is
 * exact then, and that of sums is not. */
static bool has_exact_numbers(const struct thin_dot_spec *spec, const float *table)
{
    const enum dtype dtype = spec->dot.rhs;
    return !table && dtype_is_integer(dtype) && dtype_info(dtype)->bits <= EXACT_BITS;
}

static bool varies_along_k(const struct thin_parameter *parameter, const struct dot_spec *s)
{
    return parameter->k_stride && parameter->k_group < s->k;
}

static bool varies_along_n(const struct thin_parameter *parameter, const struct dot_spec *s)
{
    return parameter->n_stride && parameter->n_group < s->n;
}

/* Removes a parameter, and its buffer, which is the `slice`-th one. */
static struct thin_operand take(struct thin_factors *f, struct thin_parameter *parameter, int slice)
{
    const struct thin_operand taken = {*parameter, f->buffers[slice]};
    *parameter = (struct thin_parameter){.dtype = DTYPE_INVALID};
    for (int i = slice; i + 1 < THIN_SLICES; i++)
        f->buffers[i] = f->buffers[i + 1];
    return taken;
}

/* An offset would have to be divided by what is taken. */
void thin_factors_take(const struct thin_dot_spec *spec, void *const *buffers, const float *table,
                       struct thin_factors *out)
{
    struct thin_dot_spec *s = &out->spec;
    *out = (struct thin_factors){.spec = *spec};
    for (int i = 0; i < thin_dot_spec_slices(spec); i++)
        out->buffers[i] = buffers[i];
    if (spec->offset.dtype || !thin_factors_has_small_numbers(spec, table))
        return;
    const int scale = spec->zero.dtype ? 3 : 2;
    if (s->scale.dtype && !varies_along_k(&s->scale, &s->dot))
        out->sum_scale = take(out, &s->scale, scale);
    else if (s->scale.dtype && !varies_along_n(&s->scale, &s->dot))
        out->left_scale = take(out, &s->scale, scale);
    if (s->zero.dtype && !s->scale.dtype && varies_along_k(&s->zero, &s->dot) &&
        !varies_along_n(&s->zero, &s->dot) && has_exact_numbers(spec, table))
        out->left_zero = take(out, &s->zero, 2);
}

bool thin_factors_exist(const struct thin_factors *f)
{
    return f && (f->left_scale.parameter.dtype || f->left_zero.parameter.dtype ||
                 f->sum_scale.parameter.dtype);
}

/* ---- the left side --------------------------------------------------------------------------- */
/* Numbers [i, i + count) of those at hand. */
static struct thin_numbers run_of(const struct thin_numbers *at, int64_t i, int64_t count)
{
    return (struct thin_numbers){at->first + i * at->step, at->step, count};
}

static void scale_left(const struct thin_part *p, const struct thin_numbers *at, float *to)
{
    float scale[RUN + THIN_LANES];
    thin_part_load_operand(p, &p->task->factors->left_scale, at, true, scale);
    for (int64_t r = 0; r < p->rows; r++, to += p->task->left_row)
        for (int64_t i = 0; i < at->count; i++)
            to[i] *= scale[i];
}

static void add_zeros(struct thin_part *p, const struct thin_numbers *at, const float *left)
{
    float zero[RUN + THIN_LANES];
    thin_part_load_operand(p, &p->task->factors->left_zero, at, true, zero);
    for (int64_t r = 0; r < p->rows; r++, left += p->task->left_row)
        for (int64_t i = 0; i < at->count; i++)
            p->zero_sums[r] += (double)left[i] * (double)zero[i];
}

void thin_factors_apply_to_left(struct thin_part *p, const struct thin_numbers *at, float *to)
{
    const struct thin_factors *f = p->task->factors;
    for (int64_t i = 0; i < at->count; i += RUN) {
        const struct thin_numbers run = run_of(at, i, thin_least(RUN, at->count - i));
        if (f->left_scale.parameter.dtype)
            scale_left(p, &run, to + i);
        if (f->left_zero.parameter.dtype)
            add_zeros(p, &run, to + i);
    }
}

/* ---- the sums -------------------------------------------------------------------------------- */
/* Those of columns from the c-th of the part on. Sums of products are never -0 where all are 0. */
static void apply_to_run(struct thin_part *p, const struct thin_numbers *at, int64_t c)
{
    const struct thin_task *task = p->task;
    float scale[RUN + THIN_LANES];
    thin_part_load_operand(p, &task->factors->sum_scale, at, false, scale);
    for (int64_t r = 0; r < p->rows; r++) {
        float *sum = thin_part_sums(p) + r * task->sums_row + c * task->sums_column;
        const float zero = (float)p->zero_sums[r];
        for (int64_t i = 0; i < at->count; i++, sum += task->sums_column)
            *sum = (*sum - zero) * scale[i] + 0.0F;
    }
}

void thin_factors_apply_to_sums(struct thin_part *p)
{
    for (int64_t c = 0; c < p->columns;) {
        const struct thin_numbers at =
            thin_part_numbers(p, p->column + c, thin_least(RUN, p->columns - c), false);
        apply_to_run(p, &at, c);
        c += at.count;
    }
}
