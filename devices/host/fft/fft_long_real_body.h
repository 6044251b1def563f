/* fft_long_real_body.h: the steps of fft_long_real.c for one element type; included once for each,
 * with REAL (float or double) and NAME(name) defined. No include guard. The context of each step is
 * a struct real_line. */

typedef REAL NAME(four) __attribute__((vector_size(4 * sizeof(REAL)), aligned(sizeof(REAL))));
#define F NAME(four)

/* Turns results k and h - k of the transform of a line's pairs, Z, into results of the line. With
 * e = (Z[k] + Z*[h - k]) / 2 and o = -i exp(-2 pi i k / n) (Z[k] - Z*[h - k]) / 2 they are e + o
 * and (e - o)*. The inverse step differs in the sign of the real part of exp(). In place in a and
 * b, of type T: a number, or a vector of them. */
#define COMBINE(T, ar, ai, br, bi, cosine, sine)                                                   \
    do {                                                                                           \
        const REAL half_ = (REAL)0.5;                                                              \
        T er_ = ((ar) + (br)) * half_, ei_ = ((ai) - (bi)) * half_;                                \
        T dr_ = ((ar) - (br)) * half_, di_ = ((ai) + (bi)) * half_;                                \
        T or_ = dr_ * (sine) + di_ * (cosine), oi_ = di_ * (sine) - dr_ * (cosine);                \
        (ar) = er_ + or_;                                                                          \
        (ai) = ei_ + oi_;                                                                          \
        (br) = er_ - or_;                                                                          \
        (bi) = oi_ - ei_;                                                                          \
    } while (0)

static inline void NAME(combine_one)(const REAL *a, const REAL *b, REAL cosine, REAL sine, REAL *x,
                                     REAL *y)
{
    REAL ar = a[0], ai = a[1], br = b[0], bi = b[1];
    COMBINE(REAL, ar, ai, br, bi, cosine, sine);
    x[0] = ar;
    x[1] = ai;
    y[0] = br;
    y[1] = bi;
}

/* Four numbers from a, and the last four until b, which are in reverse order. */
static inline void NAME(combine_four)(const REAL *a, const REAL *b, const F *cosine, const F *sine,
                                      REAL *x, REAL *y)
{
    F a0 = *(const F *)a, a1 = *(const F *)(a + 4);
    F b0 = *(const F *)(b - 6), b1 = *(const F *)(b - 2);
    F ar = __builtin_shufflevector(a0, a1, 0, 2, 4, 6);
    F ai = __builtin_shufflevector(a0, a1, 1, 3, 5, 7);
    F br = __builtin_shufflevector(b0, b1, 6, 4, 2, 0);
    F bi = __builtin_shufflevector(b0, b1, 7, 5, 3, 1);
    COMBINE(F, ar, ai, br, bi, *cosine, *sine);
    *(F *)x = __builtin_shufflevector(ar, ai, 0, 4, 1, 5);
    *(F *)(x + 4) = __builtin_shufflevector(ar, ai, 2, 6, 3, 7);
    *(F *)(y - 6) = __builtin_shufflevector(br, bi, 3, 7, 2, 6);
    *(F *)(y - 2) = __builtin_shufflevector(br, bi, 1, 5, 0, 4);
}

/* For `count` numbers from k, at most RUN. */
static void NAME(combine_run)(const struct real_line *line, int64_t k, int64_t count)
{
    double re[RUN], im[RUN];
    int64_t other = line->plan->n / 2 - k, j = 0;
    const REAL *a = (const REAL *)line->from + 2 * k, *b = (const REAL *)line->from + 2 * other;
    REAL *x = (REAL *)line->to + 2 * k, *y = (REAL *)line->to + 2 * other;
    REAL sign = line->to_real ? -1 : 1;
    fft_roots_range(&line->plan->roots, k, count, re, im);
    for (; j + 4 <= count; j += 4) {
        F cosine = {(REAL)re[j], (REAL)re[j + 1], (REAL)re[j + 2], (REAL)re[j + 3]};
        F sine = {(REAL)im[j], (REAL)im[j + 1], (REAL)im[j + 2], (REAL)im[j + 3]};
        cosine *= sign;
        NAME(combine_four)(a + 2 * j, b - 2 * j, &cosine, &sine, x + 2 * j, y - 2 * j);
    }
    for (; j < count; j++)
        NAME(combine_one)
    (a + 2 * j, b - 2 * j, sign * (REAL)re[j], (REAL)im[j], x + 2 * j, y - 2 * j);
}

/* For k from `begin` + 1. In place in the result, or from the operand to the pairs. */
static void NAME(combine_all)(void *context, int64_t begin, int64_t end)
{
    for (int64_t k = begin + 1; k <= end; k += RUN)
        NAME(combine_run)(context, k, end - k + 1 < RUN ? end - k + 1 : RUN);
}

#undef COMBINE
#undef F

/* The first number, and the last result. */
static void NAME(combine_ends)(const struct real_line *line)
{
    int64_t h = line->plan->n / 2;
    const REAL *from = line->from;
    REAL *to = line->to, a = from[0], b = line->to_real ? from[2 * h] : from[1];
    REAL scale = line->to_real ? (REAL)0.5 : 1;
    to[0] = (a + b) * scale;
    to[1] = line->to_real ? (a - b) * scale : 0;
    if (!line->to_real) {
        to[2 * h] = a - b;
        to[2 * h + 1] = 0;
    }
}

/* Real numbers as complex ones. */
static void NAME(widen)(void *context, int64_t begin, int64_t end)
{
    const struct real_line *line = context;
    for (int64_t j = begin; j < end; j++) {
        ((REAL *)line->to)[2 * j] = ((const REAL *)line->from)[j];
        ((REAL *)line->to)[2 * j + 1] = 0;
    }
}

static void NAME(real_parts)(void *context, int64_t begin, int64_t end)
{
    const struct real_line *line = context;
    for (int64_t j = begin; j < end; j++)
        ((REAL *)line->to)[j] = ((const REAL *)line->from)[2 * j];
}

/* Results k < n / 2 + 1, of an odd n, completed by their conjugates. */
static void NAME(complete)(void *context, int64_t begin, int64_t end)
{
    const struct real_line *line = context;
    const REAL *from = line->from;
    for (int64_t k = begin; k < end; k++) {
        REAL re = from[2 * k], im = k ? from[2 * k + 1] : 0;
        REAL *to = (REAL *)line->to + 2 * k,
             *other = (REAL *)line->to + 2 * (k ? line->plan->n - k : 0);
        to[0] = re;
        to[1] = im;
        other[0] = re;
        other[1] = k ? -im : im;
    }
}
