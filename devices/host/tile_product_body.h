/* tile_product_body.h: the code of tile_product.c for one instruction set; included once for each,
 * with NAME(name) (a name for this set), TARGET (a function attribute), VECTOR (the type of a
 * vector), VECTORS (of a panel), LOAD(from), STORE(to, vector), SPREAD(number) and FMA(a, b, c)
 * = a * b + c defined. It ends their definitions. No include guard. */
TARGET static inline __attribute__((always_inline)) void NAME(tile)(const struct tile *t,
                                                                    const int vectors)
{
    enum { LANES = sizeof(VECTOR) / sizeof(float) };
    VECTOR sums[TILE_ROWS][VECTORS];
    const float *lhs = t->lhs, *rhs = t->rhs;
    float *out = t->out;
    const int64_t lhs_stride = t->lhs_stride, out_stride = t->out_stride, count = t->k;
    const bool adds = t->adds;
    UNROLLED for (int r = 0; r < TILE_ROWS; r++) UNROLLED for (int v = 0; v < vectors; v++)
        sums[r][v] = SPREAD(0);
    for (int64_t k = 0; k < count; k++) {
        VECTOR right[VECTORS];
        UNROLLED for (int v = 0; v < vectors; v++) right[v] = LOAD(rhs + v * LANES);
        UNROLLED for (int r = 0; r < TILE_ROWS; r++)
        {
            VECTOR left = SPREAD(lhs[r * lhs_stride]);
            UNROLLED for (int v = 0; v < vectors; v++) sums[r][v] = FMA(left, right[v], sums[r][v]);
        }
        lhs++;
        rhs += VECTORS * LANES;
    }
    UNROLLED for (int r = 0; r < TILE_ROWS; r++) UNROLLED for (int v = 0; v < vectors; v++)
    {
        float *to = out + r * out_stride + v * LANES;
        if (adds)
            sums[r][v] += LOAD(to);
        STORE(to, sums[r][v]);
    }
}

TARGET static void NAME(multiply)(const struct tile *t)
{
    switch (t->vectors) {
    case 1: NAME(tile)(t, 1); break;
#if VECTORS > 2
    case 2: NAME(tile)(t, 2); break;
    case 3: NAME(tile)(t, 3); break;
#endif
    default: NAME(tile)(t, VECTORS); break;
    }
}

/* The product with zero is NaN for an infinity or NaN, and stays in the sum. */
TARGET static bool NAME(is_finite)(const float *numbers, int64_t count)
{
    enum { LANES = sizeof(VECTOR) / sizeof(float) };
    VECTOR sum = SPREAD(0);
    float lanes[LANES];
    bool finite = true;
    for (int64_t i = 0; i < count; i += LANES)
        sum = FMA(LOAD(numbers + i), SPREAD(0), sum);
    STORE(lanes, sum);
    for (int i = 0; i < LANES; i++)
        finite &= lanes[i] == 0;
    return finite;
}

static const struct tile_product NAME(product) = {sizeof(VECTOR) / sizeof(float),
                                                  VECTORS * sizeof(VECTOR) / sizeof(float),
                                                  NAME(multiply), NAME(is_finite)};

#undef NAME
#undef TARGET
#undef VECTOR
#undef VECTORS
#undef LOAD
#undef STORE
#undef SPREAD
#undef FMA
