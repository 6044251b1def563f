/* thin_set.c: see thin_set.h. */
#include "devices/host/thin/thin_set.h"

#include "base/cpu.h"
#include "devices/host/thin/thin_number.h"

const struct thin_set *thin_set(void)
{
#ifdef __x86_64__
    const struct cpu_features *features = cpu_features();
    if (features->avx512)
        return &thin_set_avx512;
    if (features->avx2 && features->fma && features->f16c)
        return &thin_set_avx2;
#endif
    return &thin_set_any;
}

float thin_set_times(const struct thin_set *set, enum dtype dtype, enum thin_field field)
{
    const bool is_half = field == THIN_LOW || field == THIN_HIGH;
    return is_half && set->times[dtype] != 0 ? set->times[dtype] : 1;
}

/* The element of a number that has a byte of its own. */
static uint8_t widened(enum dtype dtype, enum thin_field field, uint8_t byte)
{
    const uint8_t bits = field == THIN_HIGH ? byte >> 4 : byte & 15;
    return dtype == DTYPE_S4 && bits & 8 ? bits | 0xf0 : bits;
}

static float number_of(enum dtype dtype, enum thin_field field, const char *element)
{
    if (field == THIN_WHOLE)
        return thin_number(dtype, element);
    const uint8_t byte = widened(dtype, field, (uint8_t)*element);
    return (float)dtype_to_double(dtype, &byte);
}

void thin_set_look_up(const struct thin_set *set, const struct thin_run *run, const float *table,
                      int size)
{
    const int64_t count = (run->count + THIN_LANES - 1) / THIN_LANES * THIN_LANES;
    float *to = run->to;
    for (int64_t row = 0; row < run->rows; row++, to += run->to_row)
        if (set->look_up && size == 16)
            set->look_up(to, count, table);
        else
            for (int64_t i = 0; i < run->count; i++)
                to[i] = table[(int)to[i] & (size - 1)];
}

/* Computes a row of numbers, whose parameters begin with the first. */
static void compute(const struct thin_run *r, int64_t first, float *to)
{
    for (int64_t i = 0; i < r->count && r->scale; i++) {
        const int64_t g = first + i / r->group;
        float number = to[i];
        if (r->zero)
            number -= r->zero[g];
        number *= r->scale[g];
        to[i] = r->zero ? number + r->offset[g] : number;
    }
}

void thin_set_decode(const struct thin_set *set, enum dtype dtype, enum thin_field field,
                     const struct thin_run *run)
{
    if (set->codes[field][dtype].decode) {
        set->codes[field][dtype].decode(run);
        return;
    }
    const char *from = run->from;
    float *to = run->to;
    for (int64_t row = 0; row < run->rows; row++, from += run->from_row, to += run->to_row) {
        for (int64_t i = 0; i < run->count; i++)
            to[i] = number_of(dtype, field, from + i * dtype_bytes(dtype));
        compute(run, row * run->parameter_row, to);
        for (int64_t i = run->count; i % THIN_LANES; i++)
            to[i] = 0;
    }
}
