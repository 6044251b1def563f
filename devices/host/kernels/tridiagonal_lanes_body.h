/* tridiagonal_lanes_body.h: the code of tridiagonal_lanes.c for one element type and vector size;
 * included once for each, with NAME(name) (a name for both), TARGET (a function attribute),
 * ELEMENT, INTEGER (a signed type of its size) and LANES (of a vector) defined. It ends their
 * definitions. No include guard. */
typedef ELEMENT NAME(vector) __attribute__((vector_size(LANES * sizeof(ELEMENT)), may_alias));
typedef INTEGER NAME(mask) __attribute__((vector_size(LANES * sizeof(ELEMENT)), may_alias));

#define VECTOR NAME(vector)
#define MASK NAME(mask)
#define INLINE TARGET static inline __attribute__((always_inline))

INLINE VECTOR NAME(select)(MASK mask, VECTOR yes, VECTOR no)
{
    return (VECTOR)((mask & (MASK)yes) | (~mask & (MASK)no));
}

INLINE VECTOR NAME(magnitude)(VECTOR a)
{
    const VECTOR zero = {0};
    return (VECTOR)((MASK)a & ~(MASK)-zero);
}

/* a - b * c, rounded twice: in two statements, which no compiler contracts. */
INLINE VECTOR NAME(less_product)(VECTOR a, VECTOR b, VECTOR c)
{
    VECTOR product = b * c;
    return a - product;
}

/* Eliminates the subdiagonal by rows, each exchanged with the next one in lanes where that has the
 * larger first element. Returns the lanes in which a pivot is 0. */
INLINE MASK NAME(eliminate)(int64_t n, int64_t columns, VECTOR *lower, VECTOR *diagonal,
                            VECTOR *upper, VECTOR *x)
{
    const VECTOR zero = {0};
    VECTOR first = diagonal[0], second = upper[0];
    MASK singular = {0};
    for (int64_t i = 0; i + 1 < n; i++, x += columns) {
        VECTOR below = lower[i + 1], next = diagonal[i + 1];
        MASK keep = NAME(magnitude)(first) >= NAME(magnitude)(below);
        VECTOR pivot = NAME(select)(keep, first, below);
        VECTOR factor = NAME(select)(keep, below, first) / pivot;
        singular |= keep & (first == zero);
        diagonal[i] = pivot;
        upper[i] = NAME(select)(keep, second, next);
        first = NAME(less_product)(NAME(select)(keep, next, second), factor, upper[i]);
        if (i + 2 < n) {
            VECTOR after = upper[i + 1];
            second = NAME(select)(keep, after, -factor * after);
            lower[i + 1] = NAME(select)(keep, zero, after);
        }
        for (int64_t k = 0; k < columns; k++) {
            VECTOR above = x[k], under = x[columns + k];
            x[k] = NAME(select)(keep, above, under);
            x[columns + k] = NAME(less_product)(NAME(select)(keep, under, above), factor, x[k]);
        }
    }
    diagonal[n - 1] = first;
    return singular | (first == zero);
}

INLINE void NAME(substitute)(int64_t n, int64_t columns, const VECTOR *lower,
                             const VECTOR *diagonal, const VECTOR *upper, VECTOR *x)
{
    VECTOR last = x[(n - 1) * columns] / diagonal[n - 1], before_last = last;
    x[(n - 1) * columns] = last;
    for (int64_t i = n - 2; i >= 0; i--) {
        VECTOR value = NAME(less_product)(x[i * columns], upper[i], last);
        if (i + 2 < n)
            value = NAME(less_product)(value, lower[i + 1], before_last);
        before_last = last;
        x[i * columns] = last = value / diagonal[i];
    }
}

TARGET static uint32_t NAME(solve)(int64_t n, int64_t columns, void *lower, void *diagonal,
                                   void *upper, void *x)
{
    MASK singular = NAME(eliminate)(n, columns, lower, diagonal, upper, x);
    for (int64_t k = 0; k < columns; k++)
        NAME(substitute)(n, columns, lower, diagonal, upper, (VECTOR *)x + k);
    uint32_t bits = 0;
    for (int lane = 0; lane < LANES; lane++)
        bits |= (uint32_t)(singular[lane] & 1) << lane;
    return bits;
}

#undef NAME
#undef TARGET
#undef ELEMENT
#undef INTEGER
#undef LANES
#undef VECTOR
#undef MASK
#undef INLINE
