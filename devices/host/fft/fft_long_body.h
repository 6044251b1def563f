/* fft_long_body.h: the steps of fft_long.c for one element type; included once for each, with REAL
 * (float or double) and NAME(name) defined. No include guard. The context of each step is a struct
 * padded, the range one of positions in the lines. */

/* y = x * w, or, if `exchanged`, with the parts of x exchanged before or those of y after. */
static inline void NAME(multiply_one)(const REAL *x, bool exchange_x, const REAL *w, REAL scale,
                                      bool exchange_y, REAL *y)
{
    REAL re = x[exchange_x], im = x[!exchange_x];
    y[exchange_y] = (re * w[0] - im * w[1]) * scale;
    y[!exchange_y] = (re * w[1] + im * w[0]) * scale;
}

/* Numbers times the chirp, then zeros. */
static void NAME(load_padded)(void *context, int64_t begin, int64_t end)
{
    const struct padded *p = context;
    const struct fft_long *f = p->f;
    const REAL *chirp = f->plan->chirp;
    for (int64_t j = begin; j < end; j++) {
        REAL *to = (REAL *)p->numbers + 2 * j * p->columns;
        const REAL *x = (const REAL *)p->in + 2 * j * f->inner;
        for (int64_t c = 0; c < p->columns; c++)
            if (j < f->plan->n)
                NAME(multiply_one)(x + 2 * c, f->inverse, chirp + 2 * j, 1, false, to + 2 * c);
            else
                to[2 * c] = to[2 * c + 1] = 0;
    }
}

static void NAME(filter_padded)(void *context, int64_t begin, int64_t end)
{
    const struct padded *p = context;
    const REAL *filter = p->f->plan->filter;
    for (int64_t j = begin; j < end; j++) {
        REAL *x = (REAL *)p->numbers + 2 * j * p->columns;
        for (int64_t c = 0; c < p->columns; c++)
            NAME(multiply_one)(x + 2 * c, false, filter + 2 * j, 1, false, x + 2 * c);
    }
}

static void NAME(store_padded)(void *context, int64_t begin, int64_t end)
{
    const struct padded *p = context;
    const struct fft_long *f = p->f;
    const REAL *chirp = f->plan->chirp;
    REAL scale = (REAL)(f->scale / (double)f->plan->split.length);
    for (int64_t k = begin; k < end; k++) {
        const REAL *x = (const REAL *)p->numbers + 2 * k * p->columns;
        REAL *y = (REAL *)p->out + 2 * k * f->inner;
        for (int64_t c = 0; c < p->columns; c++)
            NAME(multiply_one)(x + 2 * c, false, chirp + 2 * k, scale, f->inverse, y + 2 * c);
    }
}
