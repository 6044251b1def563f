/* tile_product_body.h: the code of tile_product.c for one instruction set and type of numbers;
 * included once for each, with the set's definitions (tile_product_set.h) and these, which it ends.
 * No include guard.
 *
 *   NAME(name)              a name for the set and type
 *   NUMBER, DEPTH           the type of a number; how many along k are packed as one element
 *   RIGHT, PARTS            the type of a vector of the right side; its parts
 *   LOAD_RIGHT(from, part)  a part of a vector's elements
 *   LEFT(from, part)        the same of one element, in all lanes
 *   LEFT_LAST(from, part)   the same, of which only the first number is there, and the others zero
 *   MULTIPLY_ADD(left, right, sum)
 *   NARROW, NARROW_PAIRS    the set's functions that round to bf16; stay defined
 *   ROUND(vector, count, to)  the same of the first numbers of a vector; if it is not defined,
 *                           sums are rounded in memory
 *   LOAD_ROWS(from, stride, right)  DEPTH rows that are not packed yet; if it is not defined, no
 *                           tile packs them. PARTS is 1 */

/* Adds the products of a part of the elements of one row along k. */
TARGET static inline __attribute__((always_inline)) void
NAME(add_products)(VECTOR (*sums)[VECTORS], const NUMBER *lhs, int64_t lhs_stride,
                   const RIGHT *right, const int part, const struct tile_shape shape,
                   const bool is_last)
{
    (void)part;
    UNROLLED for (int r = 0; r < shape.rows; r++)
    {
        const NUMBER *at = lhs + r * lhs_stride;
        RIGHT left = is_last ? LEFT_LAST(at, part) : LEFT(at, part);
        UNROLLED for (int v = 0; v < shape.vectors; v++) sums[r][v] =
            MULTIPLY_ADD(left, right[v], sums[r][v]);
    }
}

TARGET static inline __attribute__((always_inline)) void
NAME(step)(VECTOR (*sums)[VECTORS], const NUMBER *lhs, int64_t lhs_stride, const NUMBER *rhs,
           const struct tile_shape shape, const bool is_last)
{
    enum { LANES = sizeof(VECTOR) / sizeof(float) };
    UNROLLED for (int part = 0; part < PARTS; part++)
    {
        RIGHT right[VECTORS];
        UNROLLED for (int v = 0; v < shape.vectors; v++) right[v] =
            LOAD_RIGHT(rhs + v * LANES * DEPTH, part);
        NAME(add_products)(sums, lhs, lhs_stride, right, part, shape, is_last);
    }
}

#ifdef LOAD_ROWS
/* The same of a row along k that is packed on the way: the caches fetch rows that come later. */
TARGET static inline __attribute__((always_inline)) void
NAME(packing_step)(VECTOR (*sums)[VECTORS], const struct tile *t, const NUMBER *lhs,
                   const NUMBER *rhs, NUMBER *packed, bool has_later)
{
    enum { LANES = sizeof(VECTOR) / sizeof(float), AHEAD = 32 * DEPTH };
    const struct tile_shape shape = {TILE_ROWS, VECTORS};
    const int64_t rhs_stride = t->rhs_stride;
    RIGHT right[VECTORS];
    LOAD_ROWS(rhs, rhs_stride, right);
    const char *later = (const char *)(rhs + (has_later ? AHEAD * rhs_stride : 0));
    UNROLLED for (int d = 0; d < DEPTH; d++)
        UNROLLED for (int i = 0; i < (int)(VECTORS * LANES * sizeof(NUMBER)); i += LINE)
            __builtin_prefetch(later + d * rhs_stride * (int64_t)sizeof(NUMBER) + i, 0, 2);
    UNROLLED for (int v = 0; v < VECTORS; v++)
        memcpy(packed + v * LANES * DEPTH, &right[v], sizeof right[v]);
    NAME(add_products)(sums, lhs, t->lhs_stride, right, 0, shape, false);
}
#endif

/* The complete sums of a tile. */
TARGET static inline __attribute__((always_inline)) void
NAME(store_rounded)(const struct tile *t, VECTOR (*sums)[VECTORS], const struct tile_shape shape)
{
    enum { LANES = sizeof(VECTOR) / sizeof(float) };
    UNROLLED for (int r = 0; r < shape.rows; r++)
    {
        if (r >= t->rows)
            break;
        uint16_t *to = t->rounded + r * t->rounded_stride;
#ifdef ROUND
        UNROLLED for (int v = 0; v < shape.vectors; v++)
            ROUND(sums[r][v], t->columns - v * LANES, to + v * LANES);
#else
        float *row = t->out + r * t->out_stride;
        UNROLLED for (int v = 0; v < shape.vectors; v++) STORE(row + v * LANES, sums[r][v]);
        NARROW(row, t->columns, to);
#endif
    }
}

TARGET static inline __attribute__((always_inline)) void
NAME(store)(const struct tile *t, VECTOR (*sums)[VECTORS], const struct tile_shape shape)
{
    enum { LANES = sizeof(VECTOR) / sizeof(float) };
    float *out = t->out;
    const int64_t out_stride = t->out_stride;
    if (t->adds)
        UNROLLED for (int r = 0; r < shape.rows; r++)
            UNROLLED for (int v = 0; v < shape.vectors; v++) sums[r][v] +=
            LOAD(out + r * out_stride + v * LANES);
    if (t->rounded) {
        NAME(store_rounded)(t, sums, shape);
        return;
    }
    UNROLLED for (int r = 0; r < shape.rows; r++) UNROLLED for (int v = 0; v < shape.vectors; v++)
        STORE(out + r * out_stride + v * LANES, sums[r][v]);
}

TARGET static inline __attribute__((always_inline)) void NAME(tile)(const struct tile *t,
                                                                    const struct tile_shape shape)
{
    enum { LANES = sizeof(VECTOR) / sizeof(float) };
    VECTOR sums[TILE_ROWS][VECTORS];
    const NUMBER *lhs = t->lhs, *rhs = t->rhs;
    const int64_t lhs_stride = t->lhs_stride, steps = t->k / DEPTH, lhs_k_stride = t->lhs_k_stride;
    UNROLLED for (int r = 0; r < shape.rows; r++) UNROLLED for (int v = 0; v < shape.vectors; v++)
        sums[r][v] = SPREAD(0);
    for (int64_t begin = 0; begin < steps; begin += FETCH_STEPS) {
        const int64_t end = begin + FETCH_STEPS < steps ? begin + FETCH_STEPS : steps;
        fetch(t, begin, sizeof(NUMBER), DEPTH);
        for (int64_t k = begin; k < end; k++) {
            NAME(step)(sums, lhs, lhs_stride, rhs, shape, false);
            lhs += lhs_k_stride * DEPTH;
            rhs += VECTORS * LANES * DEPTH;
        }
    }
    if (t->k % DEPTH)
        NAME(step)(sums, lhs, lhs_stride, rhs, shape, true);
    NAME(store)(t, sums, shape);
}

#ifdef LOAD_ROWS
/* A tile of a whole panel, which is packed on the way. */
TARGET static void NAME(packing_tile)(const struct tile *t)
{
    enum { LANES = sizeof(VECTOR) / sizeof(float), AHEAD = 32 };
    const struct tile_shape shape = {TILE_ROWS, VECTORS};
    VECTOR sums[TILE_ROWS][VECTORS];
    const NUMBER *lhs = t->lhs, *rhs = t->rhs;
    NUMBER *packed = t->packed;
    const int64_t steps = t->k / DEPTH;
    UNROLLED for (int r = 0; r < TILE_ROWS; r++) UNROLLED for (int v = 0; v < VECTORS; v++)
        sums[r][v] = SPREAD(0);
    for (int64_t k = 0; k < steps; k++) {
        if (k % FETCH_STEPS == 0)
            fetch(t, k, sizeof(NUMBER), DEPTH);
        NAME(packing_step)(sums, t, lhs, rhs, packed, k + AHEAD < steps);
        lhs += t->lhs_k_stride * DEPTH;
        rhs += t->rhs_stride * DEPTH;
        packed += VECTORS * LANES * DEPTH;
    }
    NAME(store)(t, sums, shape);
}
#endif

TARGET static inline __attribute__((always_inline)) void NAME(tile_of_rows)(const struct tile *t,
                                                                            const int rows)
{
    switch (t->vectors) {
    case 1: NAME(tile)(t, (struct tile_shape){rows, 1}); break;
#if VECTORS > 2
    case 2: NAME(tile)(t, (struct tile_shape){rows, 2}); break;
    case 3: NAME(tile)(t, (struct tile_shape){rows, 3}); break;
#endif
    default: NAME(tile)(t, (struct tile_shape){rows, VECTORS}); break;
    }
}

TARGET static void NAME(multiply)(const struct tile *t)
{
#ifdef LOAD_ROWS
    if (t->packed) {
        NAME(packing_tile)(t);
        return;
    }
#endif
    if (t->has_few_rows)
        NAME(tile_of_rows)(t, TILE_FEW_ROWS);
    else
        NAME(tile_of_rows)(t, TILE_ROWS);
}

/* The sum with the products of a vector and zero, which are NaN for infinities and NaNs. */
TARGET static inline __attribute__((always_inline)) VECTOR NAME(add_zeros)(const NUMBER *from,
                                                                           VECTOR sum)
{
    const NUMBER zeros[DEPTH] = {0};
    UNROLLED for (int part = 0; part < PARTS; part++) sum =
        MULTIPLY_ADD(LEFT(zeros, part), LOAD_RIGHT(from, part), sum);
    return sum;
}

TARGET static bool NAME(is_finite)(const void *numbers, int64_t count)
{
    enum { LANES = sizeof(VECTOR) / sizeof(float), STEP = LANES * DEPTH };
    const NUMBER *from = numbers;
    VECTOR first = SPREAD(0), second = first, third = first, fourth = first;
    float lanes[LANES];
    bool finite = true;
    int64_t i = 0;
    for (; i + 4 * STEP <= count; i += 4 * STEP) {
        first = NAME(add_zeros)(from + i, first);
        second = NAME(add_zeros)(from + i + STEP, second);
        third = NAME(add_zeros)(from + i + 2 * STEP, third);
        fourth = NAME(add_zeros)(from + i + 3 * STEP, fourth);
    }
    for (; i < count; i += STEP)
        first = NAME(add_zeros)(from + i, first);
    STORE(lanes, (first + second) + (third + fourth));
    for (int lane = 0; lane < LANES; lane++)
        finite &= lanes[lane] == 0;
    return finite;
}

typedef uint32_t NAME(words) __attribute__((vector_size(sizeof(VECTOR))));

/* Sets the signs of words that have a number whose exponent is TILE_USUAL or more. */
TARGET static inline __attribute__((always_inline)) NAME(words) NAME(unusual)(NAME(words) words)
{
    const uint32_t up = UINT32_C(0x80000000) - ((uint32_t)(127 + TILE_USUAL) << 23);
    const NAME(words) found = (words & INT32_MAX) + up;
    return DEPTH == 2 ? found | ((words << 16 & INT32_MAX) + up) : found;
}

TARGET static bool NAME(is_usual)(const void *numbers, int64_t count)
{
    const char *from = numbers;
    const size_t size = (size_t)count * sizeof(NUMBER);
    NAME(words) words, last = {0}, found = {0};
    uint32_t any = 0;
    size_t i = 0;
    for (; i + sizeof words <= size; i += sizeof words) {
        memcpy(&words, from + i, sizeof words);
        found |= NAME(unusual)(words);
    }
    memcpy(&last, from + i, size - i);
    found |= NAME(unusual)(last);
    for (size_t lane = 0; lane < sizeof found / sizeof any; lane++)
        any |= found[lane];
    return any >> 31 == 0;
}

static const struct tile_product NAME(product) = {sizeof(VECTOR) / sizeof(float),
                                                  VECTORS * sizeof(VECTOR) / sizeof(float),
                                                  sizeof(NUMBER),
                                                  DEPTH,
#ifdef LOAD_ROWS
                                                  true,
#else
                                                  false,
#endif
                                                  NAME(multiply),
                                                  NAME(is_finite),
                                                  NAME(is_usual),
                                                  NARROW,
                                                  NARROW_PAIRS};

#undef NAME
#undef NUMBER
#undef DEPTH
#undef RIGHT
#undef PARTS
#undef LOAD_RIGHT
#undef LEFT
#undef LEFT_LAST
#undef MULTIPLY_ADD
#undef ROUND
#undef LOAD_ROWS
