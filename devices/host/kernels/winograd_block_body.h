/* winograd_block_body.h: the code of winograd_block.c for one instruction set; included once for
 * each, with NAME(name) (a name for it), TARGET (a function attribute), VECTOR, MASK (the types of
 * a vector of f32, of some of its lanes), FIRST(count) (the first lanes), LOAD(from),
 * LOAD_SOME(from, mask), STORE(to, vector), STORE_SOME(to, mask, vector), SPREAD(number), ADD(a,
 * b), SUBTRACT(a, b), MULTIPLY(a, b), FMA(a, b, c) = a * b + c and IS_ZERO(vector) (false where a
 * lane is NaN) defined. It ends their definitions. No include guard. */
#define INLINE TARGET static inline __attribute__((always_inline))
#define LANES ((int)(sizeof(VECTOR) / sizeof(float)))

/* ---- in one dimension ------------------------------------------------------------------------ */
INLINE void NAME(input_1)(const VECTOR *x, VECTOR *y)
{
    y[0] = SUBTRACT(x[0], x[2]);
    y[1] = ADD(x[1], x[2]);
    y[2] = SUBTRACT(x[2], x[1]);
    y[3] = SUBTRACT(x[1], x[3]);
}

INLINE void NAME(kernel_1)(const VECTOR *x, VECTOR *y)
{
    VECTOR half = SPREAD(0.5f), ends = MULTIPLY(half, ADD(x[0], x[2])),
           middle = MULTIPLY(half, x[1]);
    y[0] = x[0];
    y[1] = ADD(ends, middle);
    y[2] = SUBTRACT(ends, middle);
    y[3] = x[2];
}

INLINE void NAME(gradient_1)(const VECTOR *x, VECTOR *y)
{
    VECTOR half = SPREAD(0.5f);
    y[0] = x[0];
    y[1] = MULTIPLY(half, ADD(x[0], x[1]));
    y[2] = MULTIPLY(half, SUBTRACT(x[0], x[1]));
    y[3] = x[1];
}

INLINE void NAME(output_1)(const VECTOR *x, VECTOR *y)
{
    y[0] = ADD(x[0], ADD(x[1], x[2]));
    y[1] = SUBTRACT(SUBTRACT(x[1], x[2]), x[3]);
}

INLINE void NAME(weights_1)(const VECTOR *x, VECTOR *y)
{
    VECTOR sum = ADD(x[1], x[2]);
    y[0] = ADD(x[0], sum);
    y[1] = SUBTRACT(x[1], x[2]);
    y[2] = SUBTRACT(sum, x[3]);
}

/* ---- in two dimensions ----------------------------------------------------------------------- */
typedef void NAME(transform_1)(const VECTOR *x, VECTOR *y);

/* Transforms the columns, then the rows, of an array of `from` by `from` to one of `to` by `to`. */
INLINE void NAME(transform_2)(NAME(transform_1) * transform, const VECTOR *x, const int from,
                              const int to, VECTOR *y)
{
    VECTOR half[WINOGRAD_POINTS];
    UNROLLED for (int column = 0; column < from; column++)
    {
        VECTOR in[WINOGRAD_TILE], out[WINOGRAD_TILE];
        UNROLLED for (int i = 0; i < from; i++) in[i] = x[i * from + column];
        transform(in, out);
        UNROLLED for (int i = 0; i < to; i++) half[i * from + column] = out[i];
    }
    UNROLLED for (int row = 0; row < to; row++) transform(half + row * from, y + row * to);
}

/* The vector at `at`: `whole`, or those of its lanes that `some` has. */
INLINE void NAME(forward_vector)(NAME(transform_1) * transform, const int size,
                                 const struct winograd_plane *plane, int64_t at, const bool whole,
                                 const MASK some, float *to, int64_t step)
{
    VECTOR x[WINOGRAD_POINTS], y[WINOGRAD_POINTS];
    UNROLLED for (int i = 0; i < size * size; i++)
    {
        const float *from =
            plane->from + i / size * plane->row_stride + i % size * plane->column_stride + at;
        x[i] = whole ? LOAD(from) : LOAD_SOME(from, some);
    }
    NAME(transform_2)(transform, x, size, WINOGRAD_TILE, y);
    UNROLLED for (int i = 0; i < WINOGRAD_POINTS; i++)
    {
        if (whole)
            STORE(to + i * step + at, y[i]);
        else
            STORE_SOME(to + i * step + at, some, y[i]);
    }
}

INLINE void NAME(forward)(NAME(transform_1) * transform, const int size,
                          const struct winograd_plane *plane, int64_t count, float *to,
                          int64_t step)
{
    int64_t at = 0;
    for (; at + LANES <= count; at += LANES)
        NAME(forward_vector)(transform, size, plane, at, true, FIRST(LANES), to, step);
    if (at < count)
        NAME(forward_vector)(transform, size, plane, at, false, FIRST((int)(count - at)), to, step);
}

/* As forward_vector(); returns `check`, with a NaN where a result is not finite. */
INLINE VECTOR NAME(backward_vector)(NAME(transform_1) * transform, const int size,
                                    const float *from, int64_t step, int64_t at, const bool whole,
                                    const MASK some, float *const *outs, VECTOR check)
{
    VECTOR x[WINOGRAD_POINTS], y[WINOGRAD_POINTS];
    UNROLLED for (int i = 0; i < WINOGRAD_POINTS; i++) x[i] =
        whole ? LOAD(from + i * step + at) : LOAD_SOME(from + i * step + at, some);
    NAME(transform_2)(transform, x, WINOGRAD_TILE, size, y);
    UNROLLED for (int i = 0; i < size * size; i++)
    {
        if (whole)
            STORE(outs[i] + at, y[i]);
        else
            STORE_SOME(outs[i] + at, some, y[i]);
        check = FMA(y[i], SPREAD(0), check);
    }
    return check;
}

INLINE bool NAME(backward)(NAME(transform_1) * transform, const int size, const float *from,
                           int64_t step, int64_t count, float *const *outs)
{
    VECTOR check = SPREAD(0);
    int64_t at = 0;
    for (; at + LANES <= count; at += LANES)
        check =
            NAME(backward_vector)(transform, size, from, step, at, true, FIRST(LANES), outs, check);
    if (at < count)
        check = NAME(backward_vector)(transform, size, from, step, at, false,
                                      FIRST((int)(count - at)), outs, check);
    return IS_ZERO(check);
}

TARGET static void NAME(input)(const struct winograd_plane *plane, int64_t count, float *to,
                               int64_t step)
{
    NAME(forward)(NAME(input_1), 4, plane, count, to, step);
}

TARGET static void NAME(kernel)(const struct winograd_plane *plane, int64_t count, float *to,
                                int64_t step)
{
    NAME(forward)(NAME(kernel_1), 3, plane, count, to, step);
}

TARGET static void NAME(gradient)(const struct winograd_plane *plane, int64_t count, float *to,
                                  int64_t step)
{
    NAME(forward)(NAME(gradient_1), 2, plane, count, to, step);
}

TARGET static bool NAME(output)(const float *from, int64_t step, int64_t count, float *const *outs)
{
    return NAME(backward)(NAME(output_1), 2, from, step, count, outs);
}

TARGET static bool NAME(weights)(const float *from, int64_t step, int64_t count, float *const *outs)
{
    return NAME(backward)(NAME(weights_1), 3, from, step, count, outs);
}

static const struct winograd_blocks NAME(blocks) = {NAME(input), NAME(kernel), NAME(gradient),
                                                    NAME(output), NAME(weights)};

#undef INLINE
#undef LANES
#undef LOAD
#undef STORE
#undef NAME
#undef TARGET
#undef VECTOR
#undef MASK
#undef FIRST
#undef LOAD_SOME
#undef STORE_SOME
#undef SPREAD
#undef ADD
#undef SUBTRACT
#undef MULTIPLY
#undef FMA
#undef IS_ZERO
