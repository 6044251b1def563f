/* kernel_lanes_body.h: the loops of kernel_lanes.h for one instruction set. The file that includes
 * it defines NAME(name) and TARGET, the function attribute that selects instructions. */

#define UNARY_LOOP(name, T, expression)                                                            \
    TARGET static void NAME(name)(void *out, const void *pa, const void *pb, const void *pc,       \
                                  int64_t count)                                                   \
    {                                                                                              \
        T *restrict o = out;                                                                       \
        const T *a_ = pa;                                                                          \
        (void)pb, (void)pc;                                                                        \
        for (int64_t i = 0; i < count; i++) {                                                      \
            T a = a_[i];                                                                           \
            o[i] = (T)(expression);                                                                \
        }                                                                                          \
    }
#define BINARY_LOOP(name, T, R, expression)                                                        \
    TARGET static void NAME(name)(void *out, const void *pa, const void *pb, const void *pc,       \
                                  int64_t count)                                                   \
    {                                                                                              \
        R *restrict o = out;                                                                       \
        const T *a_ = pa, *b_ = pb;                                                                \
        (void)pc;                                                                                  \
        for (int64_t i = 0; i < count; i++) {                                                      \
            T a = a_[i], b = b_[i];                                                                \
            o[i] = (R)(expression);                                                                \
        }                                                                                          \
    }
#define SELECT_LOOP(name, T)                                                                       \
    TARGET static void NAME(name)(void *out, const void *pa, const void *pb, const void *pc,       \
                                  int64_t count)                                                   \
    {                                                                                              \
        T *restrict o = out;                                                                       \
        const uint8_t *a_ = pa;                                                                    \
        const T *b_ = pb, *c_ = pc;                                                                \
        for (int64_t i = 0; i < count; i++)                                                        \
            o[i] = a_[i] ? b_[i] : c_[i];                                                          \
    }

/* ---- floats ---------------------------------------------------------------------------------- */
BINARY_LOOP(add_f32, float, float, a + b)
BINARY_LOOP(sub_f32, float, float, a - b)
BINARY_LOOP(mul_f32, float, float, a *b)
BINARY_LOOP(div_f32, float, float, a / b)
BINARY_LOOP(max_f32, float, float, a != a ? a : b != b ? b : a > b ? a : b)
BINARY_LOOP(min_f32, float, float, a != a ? a : b != b ? b : a < b ? a : b)
BINARY_LOOP(maxnum_f32, float, float, a != a ? b : b != b ? a : a > b ? a : b)
BINARY_LOOP(minnum_f32, float, float, a != a ? b : b != b ? a : a < b ? a : b)
BINARY_LOOP(rem_f32, float, float, fmodf(a, b))
BINARY_LOOP(atan2_f32, float, float, atan2f(a, b))
BINARY_LOOP(pow_f32, float, float, powf(a, b))
BINARY_LOOP(copysign_f32, float, float, copysignf(a, b))
UNARY_LOOP(neg_f32, float, -a)
UNARY_LOOP(abs_f32, float, fabsf(a))
UNARY_LOOP(ceil_f32, float, ceilf(a))
UNARY_LOOP(floor_f32, float, floorf(a))
UNARY_LOOP(round_f32, float, roundf(a))
UNARY_LOOP(roundeven_f32, float, rintf(a))
UNARY_LOOP(trunc_f32, float, truncf(a))
UNARY_LOOP(sqrt_f32, float, sqrtf(a))
UNARY_LOOP(rsqrt_f32, float, 1 / sqrtf(a))
UNARY_LOOP(reciprocal_f32, float, 1 / a)
UNARY_LOOP(log_f32, float, logf(a))
UNARY_LOOP(log2_f32, float, log2f(a))
UNARY_LOOP(log1p_f32, float, log1pf(a))
UNARY_LOOP(exp2_f32, float, exp2f(a))
UNARY_LOOP(expm1_f32, float, expm1f(a))
UNARY_LOOP(tanh_f32, float, tanhf(a))
UNARY_LOOP(sin_f32, float, sinf(a))
UNARY_LOOP(cos_f32, float, cosf(a))
UNARY_LOOP(tan_f32, float, tanf(a))
UNARY_LOOP(atan_f32, float, atanf(a))
UNARY_LOOP(cbrt_f32, float, cbrtf(a))
UNARY_LOOP(erf_f32, float, erff(a))

/* e^x = 2^n e^r with |r| <= ln(2) / 2: Cephes's polynomial for e^r (expf.c), 1 ulp. */
TARGET static inline float NAME(exp_of)(float x)
{
    float limited = x < -104 ? -104 : x > 89 ? 89 : x;
    float n = limited * 1.44269504088896341f + 12582912.0f; /* rounds to an integer */
    n -= 12582912.0f;
    float r = limited - n * 0.693359375f + n * 2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1;
    /* 2^n in two factors, so that denormal and huge results are right. */
    int32_t whole = (int32_t)n, half = whole >> 1;
    union {
        int32_t bits;
        float number;
    } low = {.bits = (half + 127) << 23}, high = {.bits = (whole - half + 127) << 23};
    float e = p * low.number * high.number;
    return x != x ? x : e;
}
UNARY_LOOP(exp_f32, float, NAME(exp_of)(a))
UNARY_LOOP(logistic_f32, float, 1 / (1 + NAME(exp_of)(-a)))

TARGET static void NAME(fma_f32)(void *out, const void *pa, const void *pb, const void *pc,
                                 int64_t count)
{
    float *restrict o = out;
    const float *a = pa, *b = pb, *c = pc;
    for (int64_t i = 0; i < count; i++)
        o[i] = fmaf(a[i], b[i], c[i]);
}

TARGET static void NAME(powi_f32)(void *out, const void *pa, const void *pb, const void *pc,
                                  int64_t count)
{
    float *o = out;
    const float *a = pa;
    const int32_t *b = pb;
    (void)pc;
    for (int64_t i = 0; i < count; i++)
        o[i] = powf(a[i], (float)b[i]);
}

TARGET static void NAME(weird_f32)(void *out, const void *pa, const void *pb, const void *pc,
                                   int64_t count)
{
    uint8_t *o = out;
    const float *a = pa;
    (void)pb, (void)pc;
    for (int64_t i = 0; i < count; i++)
        o[i] = !(fabsf(a[i]) <= FLT_MAX);
}

#define COMPARE_LOOP(name, T, expression) BINARY_LOOP(name, T, uint8_t, expression)
COMPARE_LOOP(cmpf_0, float, (a != a) & 0 & (b != b))
COMPARE_LOOP(cmpf_1, float, a == b)
COMPARE_LOOP(cmpf_2, float, a > b)
COMPARE_LOOP(cmpf_3, float, a >= b)
COMPARE_LOOP(cmpf_4, float, a < b)
COMPARE_LOOP(cmpf_5, float, a <= b)
/* MLIR's "one" is false for NaN, a TPU's compare is not: JAX lowers lax.ne to it, and its tests of
 * NaN (ops_test.py, test_array_compare) and isnan(x), which is x != x, hold on TPUs. */
COMPARE_LOOP(cmpf_6, float, a != b)
COMPARE_LOOP(cmpf_7, float, (a == a) & (b == b))
COMPARE_LOOP(cmpf_8, float, !((a < b) | (a > b)))
COMPARE_LOOP(cmpf_9, float, !(a <= b))
COMPARE_LOOP(cmpf_10, float, !(a < b))
COMPARE_LOOP(cmpf_11, float, !(a >= b))
COMPARE_LOOP(cmpf_12, float, !(a > b))
COMPARE_LOOP(cmpf_13, float, a != b)
COMPARE_LOOP(cmpf_14, float, (a != a) | (b != b))
COMPARE_LOOP(cmpf_15, float, ((a == a) & (b == b)) | 1)

/* ---- integers: S is signed, U unsigned; P is unsigned and at least as wide as int ----------- */
#define INTEGER_LOOPS(n, S, U, P)                                                                  \
    BINARY_LOOP(add_##n, U, U, (P)a + (P)b)                                                        \
    BINARY_LOOP(sub_##n, U, U, (P)a - (P)b)                                                        \
    BINARY_LOOP(mul_##n, U, U, (P)a *(P)b)                                                         \
    BINARY_LOOP(divs_##n, S, S, b == 0 ? -1 : b == -1 ? (S)(0 - (U)a) : a / b)                     \
    BINARY_LOOP(divu_##n, U, U, b == 0 ? (U) - 1 : a / b)                                          \
    BINARY_LOOP(ceildivs_##n, S, S,                                                                \
                b == 0    ? -1                                                                     \
                : b == -1 ? (S)(0 - (U)a)                                                          \
                          : a / b + (a % b != 0 && (a < 0) == (b < 0)))                            \
    BINARY_LOOP(floordivs_##n, S, S,                                                               \
                b == 0    ? -1                                                                     \
                : b == -1 ? (S)(0 - (U)a)                                                          \
                          : a / b - (a % b != 0 && (a < 0) != (b < 0)))                            \
    BINARY_LOOP(ceildivu_##n, U, U, b == 0 ? (U) - 1 : a / b + (a % b != 0))                       \
    BINARY_LOOP(rems_##n, S, S, b == 0 ? a : b == -1 ? 0 : a % b)                                  \
    BINARY_LOOP(remu_##n, U, U, b == 0 ? a : a % b)                                                \
    BINARY_LOOP(maxs_##n, S, S, a > b ? a : b)                                                     \
    BINARY_LOOP(mins_##n, S, S, a < b ? a : b)                                                     \
    BINARY_LOOP(maxu_##n, U, U, a > b ? a : b)                                                     \
    BINARY_LOOP(minu_##n, U, U, a < b ? a : b)                                                     \
    BINARY_LOOP(and_##n, U, U, a &b)                                                               \
    BINARY_LOOP(or_##n, U, U, a | b)                                                               \
    BINARY_LOOP(xor_##n, U, U, a ^ b)                                                              \
    BINARY_LOOP(shl_##n, U, U, b < 8 * sizeof(U) ? (P)a << b : 0)                                  \
    BINARY_LOOP(shrs_##n, S, S, a >> ((U)b < 8 * sizeof(U) ? (U)b : 8 * sizeof(U) - 1))            \
    BINARY_LOOP(shru_##n, U, U, b < 8 * sizeof(U) ? a >> b : 0)                                    \
    UNARY_LOOP(abs_##n, S, a < 0 ? (S)(0 - (U)a) : a)                                              \
    UNARY_LOOP(ctlz_##n, U,                                                                        \
               a ? __builtin_clzll((unsigned long long)a) - (64 - 8 * (int)sizeof(U))              \
                 : 8 * (int)sizeof(U))                                                             \
    UNARY_LOOP(cttz_##n, U, a ? __builtin_ctzll((unsigned long long)a) : 8 * (int)sizeof(U))       \
    UNARY_LOOP(ctpop_##n, U, __builtin_popcountll((unsigned long long)a))                          \
    COMPARE_LOOP(cmpi_0_##n, S, a == b)                                                            \
    COMPARE_LOOP(cmpi_1_##n, S, a != b)                                                            \
    COMPARE_LOOP(cmpi_2_##n, S, a < b)                                                             \
    COMPARE_LOOP(cmpi_3_##n, S, a <= b)                                                            \
    COMPARE_LOOP(cmpi_4_##n, S, a > b)                                                             \
    COMPARE_LOOP(cmpi_5_##n, S, a >= b)                                                            \
    COMPARE_LOOP(cmpi_6_##n, U, a < b)                                                             \
    COMPARE_LOOP(cmpi_7_##n, U, a <= b)                                                            \
    COMPARE_LOOP(cmpi_8_##n, U, a > b)                                                             \
    COMPARE_LOOP(cmpi_9_##n, U, a >= b)                                                            \
    SELECT_LOOP(select_##n, U)
INTEGER_LOOPS(8, int8_t, uint8_t, uint32_t)
INTEGER_LOOPS(16, int16_t, uint16_t, uint32_t)
INTEGER_LOOPS(32, int32_t, uint32_t, uint32_t)
INTEGER_LOOPS(64, int64_t, uint64_t, uint64_t)

/* ---- conversions ----------------------------------------------------------------------------- */
TARGET static inline uint32_t NAME(bits_of)(float number)
{
    union {
        float number;
        uint32_t bits;
    } u = {.number = number};
    return u.bits;
}

TARGET static inline float NAME(float_of)(uint32_t bits)
{
    union {
        uint32_t bits;
        float number;
    } u = {.bits = bits};
    return u.number;
}

/* To the nearest bf16, ties to even; NaN stays one. */
TARGET static inline uint32_t NAME(bf16_bits)(float number)
{
    uint32_t bits = NAME(bits_of)(number);
    uint32_t rounded = bits + 0x7fff + (bits >> 16 & 1);
    return number != number ? (bits | 0x400000) & 0xffff0000u : rounded & 0xffff0000u;
}

TARGET static void NAME(widen_bf16)(void *out, const void *pa, const void *pb, const void *pc,
                                    int64_t count)
{
    float *o = out;
    const uint16_t *a = pa;
    (void)pb, (void)pc;
    for (int64_t i = 0; i < count; i++)
        o[i] = NAME(float_of)((uint32_t)a[i] << 16);
}

TARGET static void NAME(narrow_bf16)(void *out, const void *pa, const void *pb, const void *pc,
                                     int64_t count)
{
    uint16_t *o = out;
    const float *a = pa;
    (void)pb, (void)pc;
    for (int64_t i = 0; i < count; i++)
        o[i] = (uint16_t)(NAME(bf16_bits)(a[i]) >> 16);
}

TARGET static void NAME(round_bf16)(void *out, const void *pa, const void *pb, const void *pc,
                                    int64_t count)
{
    float *o = out;
    const float *a = pa;
    (void)pb, (void)pc;
    for (int64_t i = 0; i < count; i++)
        o[i] = NAME(float_of)(NAME(bf16_bits)(a[i]));
}

#define CAST_LOOP(name, F, T)                                                                      \
    TARGET static void NAME(name)(void *out, const void *pa, const void *pb, const void *pc,       \
                                  int64_t count)                                                   \
    {                                                                                              \
        T *restrict o = out;                                                                       \
        const F *a = pa;                                                                           \
        (void)pb, (void)pc;                                                                        \
        for (int64_t i = 0; i < count; i++)                                                        \
            o[i] = (T)a[i];                                                                        \
    }
#define CASTS_OF(n, S, U)                                                                          \
    CAST_LOOP(s##n##_to_8, S, int8_t)                                                              \
    CAST_LOOP(s##n##_to_16, S, int16_t)                                                            \
    CAST_LOOP(s##n##_to_32, S, int32_t)                                                            \
    CAST_LOOP(s##n##_to_64, S, int64_t)                                                            \
    CAST_LOOP(s##n##_to_f32, S, float)                                                             \
    CAST_LOOP(u##n##_to_8, U, uint8_t)                                                             \
    CAST_LOOP(u##n##_to_16, U, uint16_t)                                                           \
    CAST_LOOP(u##n##_to_32, U, uint32_t)                                                           \
    CAST_LOOP(u##n##_to_64, U, uint64_t)                                                           \
    CAST_LOOP(u##n##_to_f32, U, float)
CASTS_OF(8, int8_t, uint8_t)
CASTS_OF(16, int16_t, uint16_t)
CASTS_OF(32, int32_t, uint32_t)
CASTS_OF(64, int64_t, uint64_t)

/* Saturates; `high` is the least float beyond the type. */
#define SATURATE_LOOP(name, T, low, high, last)                                                    \
    TARGET static void NAME(name)(void *out, const void *pa, const void *pb, const void *pc,       \
                                  int64_t count)                                                   \
    {                                                                                              \
        T *restrict o = out;                                                                       \
        const float *a = pa;                                                                       \
        (void)pb, (void)pc;                                                                        \
        for (int64_t i = 0; i < count; i++) {                                                      \
            float x = a[i];                                                                        \
            o[i] = x != x ? 0 : x >= (high) ? (last) : x <= (low) ? (T)(low) : (T)x;               \
        }                                                                                          \
    }
SATURATE_LOOP(f32_to_s8, int8_t, -128.0f, 128.0f, INT8_MAX)
SATURATE_LOOP(f32_to_s16, int16_t, -32768.0f, 32768.0f, INT16_MAX)
SATURATE_LOOP(f32_to_s32, int32_t, -2147483648.0f, 2147483648.0f, INT32_MAX)
SATURATE_LOOP(f32_to_s64, int64_t, -9223372036854775808.0f, 9223372036854775808.0f, INT64_MAX)
SATURATE_LOOP(f32_to_u8, uint8_t, 0.0f, 256.0f, UINT8_MAX)
SATURATE_LOOP(f32_to_u16, uint16_t, 0.0f, 65536.0f, UINT16_MAX)
SATURATE_LOOP(f32_to_u32, uint32_t, 0.0f, 4294967296.0f, UINT32_MAX)
SATURATE_LOOP(f32_to_u64, uint64_t, 0.0f, 18446744073709551616.0f, UINT64_MAX)

/* ---- the tables ------------------------------------------------------------------------------ */
#define ALL_WIDTHS(name) {NAME(name##_8), NAME(name##_16), NAME(name##_32), NAME(name##_64)}
static const struct lane_set NAME(set) = {
    .floats =
        {
            [KERNEL_ADDF] = NAME(add_f32),
            [KERNEL_SUBF] = NAME(sub_f32),
            [KERNEL_MULF] = NAME(mul_f32),
            [KERNEL_DIVF] = NAME(div_f32),
            [KERNEL_REMF] = NAME(rem_f32),
            [KERNEL_NEGF] = NAME(neg_f32),
            [KERNEL_MAXIMUMF] = NAME(max_f32),
            [KERNEL_MINIMUMF] = NAME(min_f32),
            [KERNEL_MAXNUMF] = NAME(maxnum_f32),
            [KERNEL_MINNUMF] = NAME(minnum_f32),
            [KERNEL_EXP] = NAME(exp_f32),
            [KERNEL_EXP2] = NAME(exp2_f32),
            [KERNEL_EXPM1] = NAME(expm1_f32),
            [KERNEL_LOG] = NAME(log_f32),
            [KERNEL_LOG2] = NAME(log2_f32),
            [KERNEL_LOG1P] = NAME(log1p_f32),
            [KERNEL_TANH] = NAME(tanh_f32),
            [KERNEL_SIN] = NAME(sin_f32),
            [KERNEL_COS] = NAME(cos_f32),
            [KERNEL_TAN] = NAME(tan_f32),
            [KERNEL_ATAN] = NAME(atan_f32),
            [KERNEL_ATAN2] = NAME(atan2_f32),
            [KERNEL_SQRT] = NAME(sqrt_f32),
            [KERNEL_RSQRT] = NAME(rsqrt_f32),
            [KERNEL_CBRT] = NAME(cbrt_f32),
            [KERNEL_ERF] = NAME(erf_f32),
            [KERNEL_POWF] = NAME(pow_f32),
            [KERNEL_FPOWI] = NAME(powi_f32),
            [KERNEL_FMA] = NAME(fma_f32),
            [KERNEL_ABSF] = NAME(abs_f32),
            [KERNEL_CEIL] = NAME(ceil_f32),
            [KERNEL_FLOOR] = NAME(floor_f32),
            [KERNEL_ROUND] = NAME(round_f32),
            [KERNEL_ROUNDEVEN] = NAME(roundeven_f32),
            [KERNEL_TRUNC] = NAME(trunc_f32),
            [KERNEL_COPYSIGN] = NAME(copysign_f32),
            [KERNEL_RECIPROCAL] = NAME(reciprocal_f32),
            [KERNEL_LOGISTIC] = NAME(logistic_f32),
            [KERNEL_WEIRD] = NAME(weird_f32),
        },
    .integers =
        {
            [KERNEL_ADDI] = ALL_WIDTHS(add),
            [KERNEL_SUBI] = ALL_WIDTHS(sub),
            [KERNEL_MULI] = ALL_WIDTHS(mul),
            [KERNEL_DIVSI] = ALL_WIDTHS(divs),
            [KERNEL_DIVUI] = ALL_WIDTHS(divu),
            [KERNEL_CEILDIVSI] = ALL_WIDTHS(ceildivs),
            [KERNEL_FLOORDIVSI] = ALL_WIDTHS(floordivs),
            [KERNEL_CEILDIVUI] = ALL_WIDTHS(ceildivu),
            [KERNEL_REMSI] = ALL_WIDTHS(rems),
            [KERNEL_REMUI] = ALL_WIDTHS(remu),
            [KERNEL_MAXSI] = ALL_WIDTHS(maxs),
            [KERNEL_MINSI] = ALL_WIDTHS(mins),
            [KERNEL_MAXUI] = ALL_WIDTHS(maxu),
            [KERNEL_MINUI] = ALL_WIDTHS(minu),
            [KERNEL_ANDI] = ALL_WIDTHS(and),
            [KERNEL_ORI] = ALL_WIDTHS(or),
            [KERNEL_XORI] = ALL_WIDTHS(xor),
            [KERNEL_SHLI] = ALL_WIDTHS(shl),
            [KERNEL_SHRSI] = ALL_WIDTHS(shrs),
            [KERNEL_SHRUI] = ALL_WIDTHS(shru),
            [KERNEL_ABSI] = ALL_WIDTHS(abs),
            [KERNEL_CTLZ] = ALL_WIDTHS(ctlz),
            [KERNEL_CTTZ] = ALL_WIDTHS(cttz),
            [KERNEL_CTPOP] = ALL_WIDTHS(ctpop),
            [KERNEL_SELECT] = ALL_WIDTHS(select),
        },
    .compares = {NAME(cmpf_0), NAME(cmpf_1), NAME(cmpf_2), NAME(cmpf_3), NAME(cmpf_4), NAME(cmpf_5),
                 NAME(cmpf_6), NAME(cmpf_7), NAME(cmpf_8), NAME(cmpf_9), NAME(cmpf_10),
                 NAME(cmpf_11), NAME(cmpf_12), NAME(cmpf_13), NAME(cmpf_14), NAME(cmpf_15)},
    .integer_compares = {ALL_WIDTHS(cmpi_0), ALL_WIDTHS(cmpi_1), ALL_WIDTHS(cmpi_2),
                         ALL_WIDTHS(cmpi_3), ALL_WIDTHS(cmpi_4), ALL_WIDTHS(cmpi_5),
                         ALL_WIDTHS(cmpi_6), ALL_WIDTHS(cmpi_7), ALL_WIDTHS(cmpi_8),
                         ALL_WIDTHS(cmpi_9)},
    .casts = {{{NAME(s8_to_8), NAME(s8_to_16), NAME(s8_to_32), NAME(s8_to_64)},
               {NAME(s16_to_8), NAME(s16_to_16), NAME(s16_to_32), NAME(s16_to_64)},
               {NAME(s32_to_8), NAME(s32_to_16), NAME(s32_to_32), NAME(s32_to_64)},
               {NAME(s64_to_8), NAME(s64_to_16), NAME(s64_to_32), NAME(s64_to_64)}},
              {{NAME(u8_to_8), NAME(u8_to_16), NAME(u8_to_32), NAME(u8_to_64)},
               {NAME(u16_to_8), NAME(u16_to_16), NAME(u16_to_32), NAME(u16_to_64)},
               {NAME(u32_to_8), NAME(u32_to_16), NAME(u32_to_32), NAME(u32_to_64)},
               {NAME(u64_to_8), NAME(u64_to_16), NAME(u64_to_32), NAME(u64_to_64)}}},
    .to_float = {{NAME(s8_to_f32), NAME(s16_to_f32), NAME(s32_to_f32), NAME(s64_to_f32)},
                 {NAME(u8_to_f32), NAME(u16_to_f32), NAME(u32_to_f32), NAME(u64_to_f32)}},
    .from_float = {{NAME(f32_to_s8), NAME(f32_to_s16), NAME(f32_to_s32), NAME(f32_to_s64)},
                   {NAME(f32_to_u8), NAME(f32_to_u16), NAME(f32_to_u32), NAME(f32_to_u64)}},
    .widen_bf16 = NAME(widen_bf16),
    .narrow_bf16 = NAME(narrow_bf16),
    .round_bf16 = NAME(round_bf16),
};

#undef UNARY_LOOP
#undef BINARY_LOOP
#undef SELECT_LOOP
#undef COMPARE_LOOP
#undef INTEGER_LOOPS
#undef CAST_LOOP
#undef CASTS_OF
#undef SATURATE_LOOP
#undef ALL_WIDTHS
