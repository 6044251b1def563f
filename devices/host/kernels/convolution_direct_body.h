/* convolution_direct_body.h: blocks of results, for one instruction set; included by
 * convolution_direct_block.c once for each, with these defined. No include guard.
 *
 *   NAME(name)              the name of a function for this instruction set
 *   TARGET                  the attribute that selects it
 *   VECTOR, LANES           a register of f32
 *   ZERO, LOAD(p)           zeros; LANES elements
 *   LOAD_SOME(p, count)     the first `count` elements, then zeros
 *   MULTIPLY_ADD(a, b, c)   a * b + c, rounded once if the processor can
 *   TOTALS(a, b, c, d)      the sums of the lanes of each, as __m128
 *   POSITIONS_n             the positions of a wide block with n output features
 *
 * All but POSITIONS_n are undefined at its end. */

/* Adds the products of a run of the input for each position and of the kernel for each feature. */
TARGET static inline __attribute__((always_inline)) void
NAME(add_run)(const struct direct_block *b, const float *x, const float *w, const int positions,
              const int features, VECTOR *sums)
{
    int64_t left = b->run;
    for (; left >= LANES; left -= LANES, x += LANES, w += LANES)
#pragma GCC unroll 8
        for (int f = 0; f < features; f++) {
            VECTOR weight = LOAD(w + f * b->rhs_feature);
            __asm__("" : "+v"(weight)); /* loaded once, not for each position */
#pragma GCC unroll 8
            for (int i = 0; i < positions; i++)
                sums[i * features + f] =
                    MULTIPLY_ADD(LOAD(x + i * b->lhs_next), weight, sums[i * features + f]);
        }
    if (left)
#pragma GCC unroll 8
        for (int f = 0; f < features; f++)
#pragma GCC unroll 8
            for (int i = 0; i < positions; i++)
                sums[i * features + f] =
                    MULTIPLY_ADD(LOAD_SOME(x + i * b->lhs_next, left),
                                 LOAD_SOME(w + f * b->rhs_feature, left), sums[i * features + f]);
}

/* `positions` * `features` <= 16. */
TARGET static inline __attribute__((always_inline)) void
NAME(block)(const struct direct_block *b, const int positions, const int features)
{
    VECTOR sums[16];
    float totals[16], *out = b->out;
#pragma GCC unroll 16
    for (int i = 0; i < 16; i++)
        sums[i] = ZERO;
    for (const struct direct_pair *pair = b->pairs; pair < b->pairs + b->pair_count; pair++) {
        const float *x = pair->lhs + b->lhs, *w = pair->rhs + b->rhs;
        for (int64_t i = 0; i < b->runs; i++, x += b->lhs_step, w += b->rhs_step)
            NAME(add_run)(b, x, w, positions, features, sums);
    }
#pragma GCC unroll 4
    for (int i = 0; i < positions * features; i += 4)
        _mm_storeu_ps(totals + i, TOTALS(sums[i], sums[i + 1], sums[i + 2], sums[i + 3]));
#pragma GCC unroll 8
    for (int i = 0; i < positions; i++, out += b->out_next)
#pragma GCC unroll 8
        for (int f = 0; f < features; f++)
            out[f * b->out_feature] = totals[i * features + f];
}

#define FUNCTIONS(n)                                                                               \
    TARGET static void NAME(one_##n)(const struct direct_block *b)                                 \
    {                                                                                              \
        NAME(block)(b, 1, n);                                                                      \
    }                                                                                              \
    TARGET static void NAME(wide_##n)(const struct direct_block *b)                                \
    {                                                                                              \
        NAME(block)(b, POSITIONS_##n, n);                                                          \
    }
FUNCTIONS(1)
FUNCTIONS(2)
FUNCTIONS(3)
FUNCTIONS(4)
FUNCTIONS(5)
FUNCTIONS(6)
FUNCTIONS(7)
FUNCTIONS(8)
#undef FUNCTIONS

#define ROW(n) {NAME(one_##n), NAME(wide_##n), POSITIONS_##n, LANES}
static const struct direct_functions NAME(functions)[DIRECT_MOST_FEATURES] = {
    ROW(1), ROW(2), ROW(3), ROW(4), ROW(5), ROW(6), ROW(7), ROW(8)};
#undef ROW

#undef NAME
#undef TARGET
#undef VECTOR
#undef LANES
#undef ZERO
#undef LOAD
#undef LOAD_SOME
#undef MULTIPLY_ADD
#undef TOTALS
