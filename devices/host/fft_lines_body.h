/* fft_lines_body.h: the code of fft_lines.c for one element type and instruction set; included once
 * for each of them, with REAL (float or double), NAME(name) (a name for this type and instruction
 * set) and TARGET (a function attribute) defined. No include guard. */
typedef REAL NAME(vector) __attribute__((vector_size(FFT_LINES * sizeof(REAL)), may_alias));
#define V NAME(vector)
typedef REAL NAME(half) __attribute__((vector_size(4 * sizeof(REAL)), may_alias));
#define H NAME(half)

/* ---- stages ---------------------------------------------------------------------------------- */
/* y[at] = (re, im) * w */
#define PUT(at, re, im, w)                                                                         \
    do {                                                                                           \
        V re_ = (re), im_ = (im);                                                                  \
        yr[at] = re_ * (w)[0] - im_ * (w)[1];                                                      \
        yi[at] = re_ * (w)[1] + im_ * (w)[0];                                                      \
    } while (0)

TARGET static inline void NAME(radix_2)(const V *xr, const V *xi, V *yr, V *yi, int64_t from,
                                        int64_t to, const REAL *w)
{
    V ar = xr[0], ai = xi[0], br = xr[from], bi = xi[from];
    yr[0] = ar + br;
    yi[0] = ai + bi;
    PUT(to, ar - br, ai - bi, w);
}

TARGET static inline void NAME(radix_3)(const V *xr, const V *xi, V *yr, V *yi, int64_t from,
                                        int64_t to, const REAL *w)
{
    const REAL half = (REAL)0.5, sine = (REAL)0.86602540378443864676;
    V sr = xr[from] + xr[2 * from], si = xi[from] + xi[2 * from];
    V dr = (xr[from] - xr[2 * from]) * sine, di = (xi[from] - xi[2 * from]) * sine;
    V mr = xr[0] - sr * half, mi = xi[0] - si * half;
    yr[0] = xr[0] + sr;
    yi[0] = xi[0] + si;
    PUT(to, mr + di, mi - dr, w);
    PUT(2 * to, mr - di, mi + dr, w + 2);
}

TARGET static inline void NAME(radix_4)(const V *xr, const V *xi, V *yr, V *yi, int64_t from,
                                        int64_t to, const REAL *w)
{
    V evens_r = xr[0] + xr[2 * from], evens_i = xi[0] + xi[2 * from];
    V even_r = xr[0] - xr[2 * from], even_i = xi[0] - xi[2 * from];
    V odds_r = xr[from] + xr[3 * from], odds_i = xi[from] + xi[3 * from];
    V odd_r = xr[from] - xr[3 * from], odd_i = xi[from] - xi[3 * from];
    yr[0] = evens_r + odds_r;
    yi[0] = evens_i + odds_i;
    PUT(to, even_r + odd_i, even_i - odd_r, w);
    PUT(2 * to, evens_r - odds_r, evens_i - odds_i, w + 2);
    PUT(3 * to, even_r - odd_i, even_i + odd_r, w + 4);
}

TARGET static inline void NAME(radix_5)(const V *xr, const V *xi, V *yr, V *yi, int64_t from,
                                        int64_t to, const REAL *w)
{
    const REAL c1 = (REAL)0.30901699437494742410, c2 = (REAL)-0.80901699437494742410,
               s1 = (REAL)0.95105651629515357212, s2 = (REAL)0.58778525229247312917;
    V ar = xr[from] + xr[4 * from], ai = xi[from] + xi[4 * from];
    V br = xr[2 * from] + xr[3 * from], bi = xi[2 * from] + xi[3 * from];
    V cr = xr[from] - xr[4 * from], ci = xi[from] - xi[4 * from];
    V dr = xr[2 * from] - xr[3 * from], di = xi[2 * from] - xi[3 * from];
    V er = xr[0] + ar * c1 + br * c2, ei = xi[0] + ai * c1 + bi * c2;
    V fr = xr[0] + ar * c2 + br * c1, fi = xi[0] + ai * c2 + bi * c1;
    V gr = cr * s1 + dr * s2, gi = ci * s1 + di * s2;
    V hr = cr * s2 - dr * s1, hi = ci * s2 - di * s1;
    yr[0] = xr[0] + ar + br;
    yi[0] = xi[0] + ai + bi;
    PUT(to, er + gi, ei - gr, w);
    PUT(2 * to, fr + hi, fi - hr, w + 2);
    PUT(3 * to, fr - hi, fi + hr, w + 4);
    PUT(4 * to, er - gi, ei + gr, w + 6);
}

/* An odd prime: sums and differences of numbers j and radix - j share their products for the
 * results k and radix - k. */
TARGET static void NAME(radix_odd)(const V *xr, const V *xi, V *yr, V *yi, int64_t from, int64_t to,
                                   const REAL *w, int64_t radix, const REAL *circle)
{
    V all_r = xr[0], all_i = xi[0];
    for (int64_t j = 1; j < radix; j++) {
        all_r += xr[j * from];
        all_i += xi[j * from];
    }
    yr[0] = all_r;
    yi[0] = all_i;
    for (int64_t k = 1; k <= radix / 2; k++) {
        V er = xr[0], ei = xi[0], dr = er - er, di = dr;
        for (int64_t j = 1, angle = 0; j <= radix / 2; j++) {
            int64_t other = (radix - j) * from;
            angle = angle + k < radix ? angle + k : angle + k - radix;
            REAL cosine = circle[2 * angle], sine = circle[2 * angle + 1];
            er += (xr[j * from] + xr[other]) * cosine;
            ei += (xi[j * from] + xi[other]) * cosine;
            dr += (xr[j * from] - xr[other]) * sine;
            di += (xi[j * from] - xi[other]) * sine;
        }
        PUT(k * to, er - di, ei + dr, w + 2 * (k - 1));
        PUT((radix - k) * to, er + di, ei - dr, w + 2 * (radix - k - 1));
    }
}

#define EACH(function, ...)                                                                        \
    for (int64_t p = 0; p < g->m; p++)                                                             \
        for (int64_t q = 0; q < g->s; q++)                                                         \
    function(xr + q + g->s * p, xi + q + g->s * p, yr + q + g->s * g->radix * p,                   \
             yi + q + g->s * g->radix * p, g->s * g->m, g->s,                                      \
             roots + 2 * p * (g->radix - 1) __VA_ARGS__)
#define COMMA ,

TARGET static void NAME(stage)(const struct fft_lines_stage *g, const V *xr, const V *xi, V *yr,
                               V *yi)
{
    const REAL *roots = g->roots;
    switch (g->radix) {
    case 2: EACH(NAME(radix_2)); break;
    case 3: EACH(NAME(radix_3)); break;
    case 4: EACH(NAME(radix_4)); break;
    case 5: EACH(NAME(radix_5)); break;
    default: EACH(NAME(radix_odd), COMMA g->radix COMMA g->circle); break;
    }
}

/* Exchanges the first two buffers and the last two. */
static inline void NAME(flip)(REAL *b[4])
{
    REAL *re = b[0], *im = b[1];
    b[0] = b[2];
    b[1] = b[3];
    b[2] = re;
    b[3] = im;
}

/* ---- transforms of buffers ------------------------------------------------------------------- */
/* Transforms eight lines in b[0] and b[1]; the result replaces them. */
TARGET static void NAME(eight_lines)(const struct fft_lines_stages *stages, REAL *b[4])
{
    for (int i = 0; i < stages->count; i++) {
        NAME(stage)(&stages->at[i], (V *)b[0], (V *)b[1], (V *)b[2], (V *)b[3]);
        NAME(flip)(b);
    }
}

/* Transforms eight vectors in place: two radices, 4 and 2. */
TARGET static inline void NAME(eight)(V *r, V *i)
{
    static const REAL one[6] = {1, 0, 1, 0, 1, 0};
    static const REAL w[8] = {1, 0,  (REAL)0.70710678118654752440,  (REAL)-0.70710678118654752440,
                              0, -1, (REAL)-0.70710678118654752440, (REAL)-0.70710678118654752440};
    V er[4], ei[4], yr[4], yi[4];
    NAME(radix_4)(r, i, er, ei, 2, 1, one);
    NAME(radix_4)(r + 1, i + 1, yr, yi, 2, 1, one);
    for (int k = 0; k < 4; k++) {
        V re = yr[k] * w[2 * k] - yi[k] * w[2 * k + 1];
        V im = yr[k] * w[2 * k + 1] + yi[k] * w[2 * k];
        r[k] = er[k] + re;
        i[k] = ei[k] + im;
        r[k + 4] = er[k] - re;
        i[k + 4] = ei[k] - im;
    }
}

/* Transposes four rows of four, which are two vectors apart, with shuffles that processors have for
 * the element type. */
TARGET static inline void NAME(transpose_four)(const H *x, H *y)
{
    bool narrow = sizeof(REAL) == sizeof(float);
    H a = x[0], b = x[2], c = x[4], d = x[6];
    if (narrow) {
        H first = __builtin_shufflevector(a, b, 0, 1, 4, 5);
        H last = __builtin_shufflevector(c, d, 0, 1, 4, 5);
        y[0] = __builtin_shufflevector(first, last, 0, 2, 4, 6);
        y[2] = __builtin_shufflevector(first, last, 1, 3, 5, 7);
        first = __builtin_shufflevector(a, b, 2, 3, 6, 7);
        last = __builtin_shufflevector(c, d, 2, 3, 6, 7);
        y[4] = __builtin_shufflevector(first, last, 0, 2, 4, 6);
        y[6] = __builtin_shufflevector(first, last, 1, 3, 5, 7);
    } else {
        H first = __builtin_shufflevector(a, b, 0, 4, 2, 6);
        H last = __builtin_shufflevector(c, d, 0, 4, 2, 6);
        y[0] = __builtin_shufflevector(first, last, 0, 1, 4, 5);
        y[4] = __builtin_shufflevector(first, last, 2, 3, 6, 7);
        first = __builtin_shufflevector(a, b, 1, 5, 3, 7);
        last = __builtin_shufflevector(c, d, 1, 5, 3, 7);
        y[2] = __builtin_shufflevector(first, last, 0, 1, 4, 5);
        y[6] = __builtin_shufflevector(first, last, 2, 3, 6, 7);
    }
}

/* Transposes eight rows of eight. */
TARGET static inline void NAME(transpose)(const V *rows, V *columns)
{
    const H *x = (const H *)rows;
    H *y = (H *)columns;
    NAME(transpose_four)(x, y);
    NAME(transpose_four)(x + 1, y + FFT_LINES);
    NAME(transpose_four)(x + FFT_LINES, y + 1);
    NAME(transpose_four)(x + FFT_LINES + 1, y + FFT_LINES + 1);
}

/* Rows of eighths times their twiddles, transposed; the result has `count` columns. */
TARGET static inline void NAME(load_rows)(const V *re, const V *im, const V *twiddles,
                                          int64_t count, V *tr, V *ti)
{
    V r[FFT_LINES], i[FFT_LINES];
    for (int64_t k = 0; k < FFT_LINES; k++) {
        int64_t at = k < count ? k : 0; /* columns beyond `count` are not used */
        V cosine = twiddles[2 * at], sine = twiddles[2 * at + 1];
        r[k] = re[at] * cosine - im[at] * sine;
        i[k] = re[at] * sine + im[at] * cosine;
    }
    NAME(transpose)(r, tr);
    NAME(transpose)(i, ti);
}

/* The results k, k + length / 8 ... of `count` adjacent k, the first of which is `first`. */
TARGET static inline void NAME(eight_columns)(const struct fft_lines_plan *plan, REAL *const b[4],
                                              int64_t first, int64_t count)
{
    const V *re = (const V *)b[0], *im = (const V *)b[1], *twiddles = plan->twiddles;
    int64_t rows = plan->eighths.n;
    V tr[FFT_LINES], ti[FFT_LINES];
    NAME(load_rows)(re + first, im + first, twiddles + 2 * first, count, tr, ti);
    NAME(eight)(tr, ti);
    for (int j = 0; j < FFT_LINES; j++) {
        memcpy(b[2] + rows * j + first, &tr[j], (size_t)count * sizeof(REAL));
        memcpy(b[3] + rows * j + first, &ti[j], (size_t)count * sizeof(REAL));
    }
}

/* Transforms one line in b[0] and b[1]: eighths, then the results k, k + length / 8 ... of eight
 * adjacent k together. */
TARGET static void NAME(one_line)(const struct fft_lines_plan *plan, REAL *b[4])
{
    int64_t rows = plan->eighths.n, first = 0;
    NAME(eight_lines)(&plan->eighths, b);
    for (; first + FFT_LINES <= rows; first += FFT_LINES)
        NAME(eight_columns)(plan, b, first, FFT_LINES); /* constant: the copies are moves */
    if (first < rows)
        NAME(eight_columns)(plan, b, first, rows - first);
    NAME(flip)(b);
}

TARGET static void NAME(transform)(const struct fft_lines_plan *plan, bool alone, REAL *b[4])
{
    if (alone)
        NAME(one_line)(plan, b);
    else
        NAME(eight_lines)(&plan->stages, b);
}

/* Multiplies numbers of one line by pairs of a table. */
TARGET static void NAME(multiply_line)(REAL *re, REAL *im, const REAL *table, int64_t count)
{
    int64_t j = 0;
    for (; j + 4 <= count; j += 4) {
        H low = *(const H *)(table + 2 * j), high = *(const H *)(table + 2 * j + 4);
        H cosine = __builtin_shufflevector(low, high, 0, 2, 4, 6);
        H sine = __builtin_shufflevector(low, high, 1, 3, 5, 7);
        H r = *(H *)(re + j), i = *(H *)(im + j);
        *(H *)(re + j) = r * cosine - i * sine;
        *(H *)(im + j) = r * sine + i * cosine;
    }
    for (; j < count; j++) {
        REAL r = re[j], i = im[j];
        re[j] = r * table[2 * j] - i * table[2 * j + 1];
        im[j] = r * table[2 * j + 1] + i * table[2 * j];
    }
}

/* Multiplies number j of all lines by entry j of a table, for j < count. */
TARGET static void NAME(multiply)(REAL *re, REAL *im, const REAL *table, int64_t count, bool alone)
{
    for (int64_t j = 0; j < count && !alone; j++) {
        V r = ((V *)re)[j], i = ((V *)im)[j];
        ((V *)re)[j] = r * table[2 * j] - i * table[2 * j + 1];
        ((V *)im)[j] = r * table[2 * j + 1] + i * table[2 * j];
    }
    if (alone)
        NAME(multiply_line)(re, im, table, count);
}

/* The convolution's second transform is an inverse one: parts exchanged. Results are not yet
 * divided by `length`. */
TARGET static void NAME(padded)(const struct fft_lines_plan *plan, bool alone, REAL *b[4])
{
    int64_t width = alone ? 1 : FFT_LINES, rest = (plan->length - plan->n) * width;
    NAME(multiply)(b[0], b[1], plan->chirp, plan->n, alone);
    memset(b[0] + plan->n * width, 0, (size_t)rest * sizeof(REAL));
    memset(b[1] + plan->n * width, 0, (size_t)rest * sizeof(REAL));
    NAME(transform)(plan, alone, b);
    NAME(multiply)(b[0], b[1], plan->filter, plan->length, alone);
    REAL *exchanged[4] = {b[1], b[0], b[2], b[3]};
    NAME(transform)(plan, alone, exchanged);
    b[0] = exchanged[1];
    b[1] = exchanged[0];
    b[2] = exchanged[2];
    b[3] = exchanged[3];
    NAME(multiply)(b[0], b[1], plan->chirp, plan->n, alone);
}

/* ---- loading and storing --------------------------------------------------------------------- */
/* One line into, or from, every `width`-th number of the buffers. */
TARGET static inline void NAME(load_complex)(const struct fft_lines *f, int64_t line, int width,
                                             REAL *re, REAL *im)
{
    int64_t step = 2 * f->inner;
    const REAL *x = (const REAL *)f->in + 2 * fft_lines_start(f, line, f->plan->n);
    for (int64_t j = 0; j < f->plan->n; j++) {
        re[j * width] = x[j * step];
        im[j * width] = x[j * step + 1];
    }
}

TARGET static inline void NAME(load_real)(const struct fft_lines *f, int64_t line, int width,
                                          REAL *to)
{
    const REAL *x = (const REAL *)f->in + fft_lines_start(f, line, f->plan->n);
    for (int64_t j = 0; j < f->plan->n; j++)
        to[j * width] = x[j * f->inner];
}

/* Adds a half of a line, times i if `second`, completed by its conjugates. The imaginary parts of
 * the first number and, for even lengths, of the last one are ignored. */
TARGET static inline void NAME(add_half)(const struct fft_lines *f, int64_t line, int width,
                                         bool second, REAL *re, REAL *im)
{
    int64_t n = f->plan->n, step = 2 * f->inner;
    const REAL *x = (const REAL *)f->in + 2 * fft_lines_start(f, line, n / 2 + 1);
    for (int64_t j = 0; j <= n / 2; j++) {
        REAL r = x[j * step], i = j == 0 || 2 * j == n ? 0 : x[j * step + 1];
        int64_t at = j * width, other = (n - j) * width;
        re[at] = second ? re[at] - i : r;
        im[at] = second ? im[at] + r : i;
        if (j == 0 || 2 * j == n)
            continue;
        re[other] = second ? re[other] + i : r;
        im[other] = second ? im[other] + r : -i;
    }
}

TARGET static inline void NAME(store_complex)(const struct fft_lines *f, int64_t line, int width,
                                              REAL scale, const REAL *re, const REAL *im)
{
    int64_t step = 2 * f->inner;
    REAL *y = (REAL *)f->out + 2 * fft_lines_start(f, line, f->plan->n);
    for (int64_t k = 0; k < f->plan->n; k++) {
        y[k * step] = re[k * width] * scale;
        y[k * step + 1] = im[k * width] * scale;
    }
}

TARGET static inline void NAME(store_real)(const struct fft_lines *f, int64_t line, int width,
                                           REAL scale, const REAL *from)
{
    REAL *y = (REAL *)f->out + fft_lines_start(f, line, f->plan->n);
    for (int64_t j = 0; j < f->plan->n; j++)
        y[j * f->inner] = from[j * width] * scale;
}

/* The first or the second of the two real lines that were transformed as one: (Z[k] + Z*[n - k]) /
 * 2, or (Z[k] - Z*[n - k]) / 2i. */
TARGET static inline void NAME(store_half)(const struct fft_lines *f, int64_t line, int width,
                                           bool second, REAL scale, const REAL *re, const REAL *im)
{
    int64_t n = f->plan->n, step = 2 * f->inner;
    REAL half = scale * (REAL)0.5, *y = (REAL *)f->out + 2 * fft_lines_start(f, line, n / 2 + 1);
    for (int64_t k = 0; k <= n / 2; k++) {
        int64_t at = k * width, other = k ? (n - k) * width : 0;
        REAL sr = re[at] + re[other], si = im[at] + im[other];
        REAL dr = re[at] - re[other], di = im[at] - im[other];
        y[k * step] = (second ? si : sr) * half;
        y[k * step + 1] = (second ? -dr : di) * half;
    }
}

/* ---- a block --------------------------------------------------------------------------------- */
TARGET static void NAME(load)(const struct fft_lines *f, int64_t first, bool alone, REAL *re,
                              REAL *im)
{
    int width = alone ? 1 : FFT_LINES;
    int64_t n = f->plan->n, lines = f->lines - first, pair = f->kind == FFT_LINES_COMPLEX ? 1 : 2;
    if (lines < width * pair) {
        memset(re, 0, (size_t)(n * width) * sizeof(REAL));
        memset(im, 0, (size_t)(n * width) * sizeof(REAL));
    }
    for (int64_t i = 0; i < width * pair && i < lines; i++) {
        int64_t at = i / pair;
        if (f->kind == FFT_LINES_COMPLEX)
            NAME(load_complex)(f, first + i, width, re + at, im + at);
        else if (f->kind == FFT_LINES_REAL)
            NAME(load_real)(f, first + i, width, (i % 2 ? im : re) + at);
        else
            NAME(add_half)(f, first + i, width, i % 2, re + at, im + at);
    }
}

TARGET static void NAME(store)(const struct fft_lines *f, int64_t first, bool alone, REAL scale,
                               const REAL *re, const REAL *im)
{
    int width = alone ? 1 : FFT_LINES;
    int64_t lines = f->lines - first, pair = f->kind == FFT_LINES_COMPLEX ? 1 : 2;
    for (int64_t i = 0; i < width * pair && i < lines; i++) {
        int64_t at = i / pair;
        if (f->kind == FFT_LINES_COMPLEX)
            NAME(store_complex)(f, first + i, width, scale, re + at, im + at);
        else if (f->kind == FFT_LINES_REAL)
            NAME(store_half)(f, first + i, width, i % 2, scale, re + at, im + at);
        else
            NAME(store_real)(f, first + i, width, scale, (i % 2 ? im : re) + at);
    }
}

/* The inverse transform exchanges parts before and after. */
TARGET static void NAME(block)(const struct fft_lines *f, int64_t first, bool alone,
                               void *const buffers[4])
{
    const struct fft_lines_plan *plan = f->plan;
    REAL *b[4] = {buffers[0], buffers[1], buffers[2], buffers[3]};
    double factor = (f->inverse ? (double)plan->n : 1) * (plan->chirp ? (double)plan->length : 1);
    NAME(load)(f, first, alone, b[f->inverse], b[!f->inverse]);
    if (plan->chirp)
        NAME(padded)(plan, alone, b);
    else
        NAME(transform)(plan, alone, b);
    NAME(store)(f, first, alone, (REAL)(1 / factor), b[f->inverse], b[!f->inverse]);
}

#undef H
#undef V
#undef PUT
#undef EACH
#undef COMMA
