/* thin_dot_spec.c: see thin_dot_spec.h. */
#include "compiler/program/thin_dot_spec.h"

#include "compiler/program/program_reach.h"

enum { PARAMETERS = 3, BYTE_BITS = 8, WORD_BITS = 32 };

static const struct thin_parameter *parameter_of(const struct thin_dot_spec *spec, int i)
{
    return i == 0 ? &spec->zero : i == 1 ? &spec->scale : &spec->offset;
}

bool thin_dot_spec_is_affine(const struct thin_dot_spec *spec)
{
    return spec->zero.dtype || spec->offset.dtype;
}

bool thin_dot_spec_has_integer_differences(const struct thin_dot_spec *spec)
{
    return spec->zero.dtype == DTYPE_S32 && !spec->table && dtype_is_integer(spec->dot.rhs);
}

struct dot_spec thin_dot_spec_in_memory(const struct thin_dot_spec *spec)
{
    struct dot_spec dot = spec->dot;
    const int64_t count = spec->packing.count;
    if (count == 0)
        return dot;
    *(spec->packing.along_k ? &dot.k : &dot.n) /= count;
    dot.rhs = count * dtype_info(dot.rhs)->bits == WORD_BITS ? DTYPE_U32 : DTYPE_U8;
    return dot;
}

int thin_dot_spec_slices(const struct thin_dot_spec *spec)
{
    int count = 3 + (spec->table != DTYPE_INVALID);
    for (int i = 0; i < PARAMETERS; i++)
        count += parameter_of(spec, i)->dtype != DTYPE_INVALID;
    return count;
}

static bool is_valid(enum dtype dtype)
{
    return dtype > DTYPE_INVALID && dtype < DTYPE_COUNT;
}

/* A float of at most 32 bits. */
static bool is_narrow_float(enum dtype dtype)
{
    return is_valid(dtype) && dtype_is_float(dtype) && dtype_bytes(dtype) <= 4;
}

/* A type whose numbers are all f32, too. */
static bool is_exact(enum dtype dtype)
{
    return is_narrow_float(dtype) ||
           (is_valid(dtype) && dtype_is_integer(dtype) && dtype_bytes(dtype) <= 2);
}

bool thin_dot_spec_is_decoded(enum dtype dtype)
{
    return is_exact(dtype);
}

static bool is_wide_float(enum dtype dtype)
{
    return dtype == DTYPE_F32 || dtype == DTYPE_BF16 || dtype == DTYPE_F16;
}

static bool is_parameter(const struct thin_parameter *parameter)
{
    return parameter->dtype == DTYPE_INVALID ||
           ((is_exact(parameter->dtype) || parameter->dtype == DTYPE_S32) &&
            parameter->k_group >= 1 && parameter->n_group >= 1 && parameter->batch_stride >= 0 &&
            parameter->k_stride >= 0 && parameter->n_stride >= 0);
}

/* Whether the numbers of an element are its fields, each of them once. */
static bool are_fields(const struct thin_packing *packing, int bits)
{
    const int64_t count = packing->count;
    uint64_t seen = 0;
    for (int64_t i = 0; i < count; i++) {
        if (packing->shift[i] % bits || packing->shift[i] / bits >= count)
            return false;
        seen |= UINT64_C(1) << packing->shift[i];
    }
    return __builtin_popcountll(seen) == count;
}

/* Whether numbers that share elements fill these: two of 4 bits a byte, others a word. */
static bool is_packing(const struct thin_packing *packing, const struct dot_spec *s)
{
    const int64_t size = packing->along_k ? s->k : s->n, count = packing->count;
    const int bits = dtype_info(s->rhs)->bits;
    if (count == 0)
        return true;
    return ((bits == 4 && count * bits == BYTE_BITS) ||
            ((bits == 4 || (bits == 8 && dtype_is_integer(s->rhs))) && count > 0 &&
             count == WORD_BITS / bits && s->rhs != DTYPE_F4E2M1FN)) &&
           packing->inner > 0 && packing->inner <= size / count &&
           size % (count * packing->inner) == 0 && are_fields(packing, bits);
}

/* Whether all numbers that an element has bits for are in the table. */
static bool is_table(enum dtype table, enum dtype indices)
{
    return table == DTYPE_INVALID ||
           (is_narrow_float(table) && (indices == DTYPE_U4 || indices == DTYPE_U8));
}

bool thin_dot_spec_is_supported(const struct thin_dot_spec *spec)
{
    const struct dot_spec *s = &spec->dot;
    return is_wide_float(s->lhs) && is_exact(s->rhs) && is_wide_float(s->out) && s->outer == 1 &&
           s->batch >= 1 && s->m >= 1 && s->m <= THIN_DOT_MAX_ROWS && s->n >= 1 && s->k >= 1 &&
           (s->rhs_n_stride == 1 || s->rhs_k_stride == 1) && is_packing(&spec->packing, s) &&
           is_table(spec->table, s->rhs) && is_parameter(&spec->zero) &&
           is_parameter(&spec->scale) && is_parameter(&spec->offset);
}

static bool add_reach(int64_t count, int64_t stride, int64_t *last)
{
    int64_t far;
    return !__builtin_mul_overflow(count - 1, stride, &far) &&
           !__builtin_add_overflow(*last, far, last);
}

static bool parameter_fits(const struct dot_spec *s, const struct thin_parameter *parameter,
                           const struct slice *slice)
{
    int64_t last = 0;
    return add_reach(s->batch, parameter->batch_stride, &last) &&
           add_reach((s->k - 1) / parameter->k_group + 1, parameter->k_stride, &last) &&
           add_reach((s->n - 1) / parameter->n_group + 1, parameter->n_stride, &last) &&
           (uint64_t)last < slice->size / (uint64_t)dtype_bytes(parameter->dtype);
}

bool thin_dot_spec_fits(const struct thin_dot_spec *spec, const struct slice *slices)
{
    const struct slice *next = slices + 2, *out = slices + thin_dot_spec_slices(spec) - 1;
    const struct dot_spec memory = thin_dot_spec_in_memory(spec);
    struct dot_spec others = spec->dot; /* than the right side: there, one element suffices */
    others.rhs_batch_stride = others.rhs_k_stride = others.rhs_n_stride = 0;
    const struct slice all[] = {slices[0], slices[1], *out};
    if (!program_reach_dot(&memory, all) || !program_reach_dot(&others, all))
        return false;
    for (int i = 0; i < PARAMETERS; i++) {
        const struct thin_parameter *parameter = parameter_of(spec, i);
        if (parameter->dtype && !parameter_fits(&spec->dot, parameter, next++))
            return false;
    }
    return !spec->table ||
           next->size >> dtype_info(spec->dot.rhs)->bits >= (uint64_t)dtype_bytes(spec->table);
}
