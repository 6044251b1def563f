#include "devices/host/kernel_machine/kernel_lanes.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/cpu.h"

struct lane_set { /* [width]: of 1, 2, 4, 8 bytes */
    kernel_loop floats[KERNEL_CODE_COUNT];
    kernel_loop integers[KERNEL_CODE_COUNT][4];
    kernel_loop compares[16], integer_compares[10][4];
    kernel_loop casts[2][4][4]; /* [unsigned][from][to] */
    kernel_loop to_float[2][4], from_float[2][4];
    kernel_loop widen_bf16, narrow_bf16, round_bf16;
};

#define NAME(name) name##_any
#define TARGET
#include "devices/host/kernel_machine/kernel_lanes_body.h"
#undef NAME
#undef TARGET

#ifdef __x86_64__
#define NAME(name) name##_avx2
#define TARGET __attribute__((target("avx2,fma")))
#include "devices/host/kernel_machine/kernel_lanes_body.h"
#undef NAME
#undef TARGET

#define NAME(name) name##_avx512
#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,fma")))
#include "devices/host/kernel_machine/kernel_lanes_body.h"
#undef NAME
#undef TARGET
#endif

static const struct lane_set *lanes(void)
{
#ifdef __x86_64__
    const struct cpu_features *cpu = cpu_features();
    if (cpu->avx512)
        return &set_avx512;
    if (cpu->avx2 && cpu->fma)
        return &set_avx2;
#endif
    return &set_any;
}

static int width_of(enum dtype dtype)
{
    int bytes = dtype_bytes(dtype);
    return bytes == 8 ? 3 : bytes == 4 ? 2 : bytes == 2 ? 1 : 0;
}

kernel_loop kernel_lanes_find(enum kernel_code code, enum dtype dtype, int64_t predicate)
{
    const struct lane_set *set = lanes();
    if (code == KERNEL_CMPF)
        return set->compares[predicate];
    if (code == KERNEL_CMPI)
        return set->integer_compares[predicate][width_of(dtype)];
    if (code != KERNEL_SELECT && dtype_is_float(dtype))
        return set->floats[code];
    return set->integers[code][width_of(dtype)];
}

/* ---- conversions ----------------------------------------------------------------------------- */
/* Narrow floats by the reference conversions, which round to nearest even. */
#define SMALL_FLOAT(name, DTYPE, T)                                                                \
    static void widen_##name(void *out, const void *a, const void *b, const void *c,               \
                             int64_t count)                                                        \
    {                                                                                              \
        float *o = out;                                                                            \
        const T *from = a;                                                                         \
        (void)b, (void)c;                                                                          \
        for (int64_t i = 0; i < count; i++)                                                        \
            o[i] = (float)dtype_to_double(DTYPE, &from[i]);                                        \
    }                                                                                              \
    static void narrow_##name(void *out, const void *a, const void *b, const void *c,              \
                              int64_t count)                                                       \
    {                                                                                              \
        T *o = out;                                                                                \
        const float *from = a;                                                                     \
        (void)b, (void)c;                                                                          \
        for (int64_t i = 0; i < count; i++)                                                        \
            dtype_from_double(DTYPE, from[i], &o[i]);                                              \
    }
SMALL_FLOAT(f16, DTYPE_F16, uint16_t)
SMALL_FLOAT(f8e4m3fn, DTYPE_F8E4M3FN, uint8_t)
SMALL_FLOAT(f8e4m3, DTYPE_F8E4M3, uint8_t)
SMALL_FLOAT(f8e5m2, DTYPE_F8E5M2, uint8_t)
SMALL_FLOAT(f8e4m3b11fnuz, DTYPE_F8E4M3B11FNUZ, uint8_t)
SMALL_FLOAT(f8e4m3fnuz, DTYPE_F8E4M3FNUZ, uint8_t)
SMALL_FLOAT(f8e5m2fnuz, DTYPE_F8E5M2FNUZ, uint8_t)
SMALL_FLOAT(f8e3m4, DTYPE_F8E3M4, uint8_t)
SMALL_FLOAT(f8e8m0fnu, DTYPE_F8E8M0FNU, uint8_t)
SMALL_FLOAT(f4e2m1fn, DTYPE_F4E2M1FN, uint8_t)
SMALL_FLOAT(f64, DTYPE_F64, double)

static const struct {
    enum dtype dtype;
    kernel_loop widen, narrow;
} small_floats[] = {
    {DTYPE_F16, widen_f16, narrow_f16},
    {DTYPE_F8E4M3FN, widen_f8e4m3fn, narrow_f8e4m3fn},
    {DTYPE_F8E4M3, widen_f8e4m3, narrow_f8e4m3},
    {DTYPE_F8E5M2, widen_f8e5m2, narrow_f8e5m2},
    {DTYPE_F8E4M3B11FNUZ, widen_f8e4m3b11fnuz, narrow_f8e4m3b11fnuz},
    {DTYPE_F8E4M3FNUZ, widen_f8e4m3fnuz, narrow_f8e4m3fnuz},
    {DTYPE_F8E5M2FNUZ, widen_f8e5m2fnuz, narrow_f8e5m2fnuz},
    {DTYPE_F8E3M4, widen_f8e3m4, narrow_f8e3m4},
    {DTYPE_F8E8M0FNU, widen_f8e8m0fnu, narrow_f8e8m0fnu},
    {DTYPE_F4E2M1FN, widen_f4e2m1fn, narrow_f4e2m1fn},
    {DTYPE_F64, widen_f64, narrow_f64},
};

kernel_loop kernel_lanes_widen(enum dtype from)
{
    if (from == DTYPE_BF16)
        return lanes()->widen_bf16;
    for (size_t i = 0; i < sizeof small_floats / sizeof *small_floats; i++)
        if (small_floats[i].dtype == from)
            return small_floats[i].widen;
    return NULL;
}

kernel_loop kernel_lanes_narrow(enum dtype to)
{
    if (to == DTYPE_BF16)
        return lanes()->narrow_bf16;
    for (size_t i = 0; i < sizeof small_floats / sizeof *small_floats; i++)
        if (small_floats[i].dtype == to)
            return small_floats[i].narrow;
    return NULL;
}

kernel_loop kernel_lanes_convert(enum dtype from, enum dtype to, bool is_unsigned)
{
    const struct lane_set *set = lanes();
    if (dtype_is_float(from))
        return dtype_is_float(to) ? NULL : set->from_float[is_unsigned][width_of(to)];
    if (dtype_is_float(to))
        return set->to_float[is_unsigned][width_of(from)];
    return set->casts[is_unsigned][width_of(from)][width_of(to)];
}

void kernel_lanes_round(float *out, const float *a, int64_t count)
{
    lanes()->round_bf16(out, a, NULL, NULL, count);
}
