/* fft_lines_body.h: the code of fft_lines.c for one element type and instruction set; included once
 * for each of them, with REAL (float or double), NAME(name) (a name for this type and instruction
 * set), TARGET (a function attribute) and PIECE (how many numbers a register has: 8, 4 or 2)
 * defined, and where it has eight, STREAM(to, vector), a store past the caches. No include
 * guard. */
typedef REAL NAME(vector) __attribute__((vector_size(FFT_LINES * sizeof(REAL)), may_alias));
#define V NAME(vector)
typedef REAL NAME(half) __attribute__((vector_size(4 * sizeof(REAL)), may_alias));
#define H NAME(half)
/* What fits a register: arithmetic on longer vectors goes through memory. */
typedef REAL NAME(piece) __attribute__((vector_size(PIECE * sizeof(REAL)), may_alias));
#define P NAME(piece)
/* Of memory that is aligned to its numbers only. */
typedef REAL NAME(loose)
    __attribute__((vector_size(FFT_LINES * sizeof(REAL)), may_alias, aligned(sizeof(REAL))));
#define L NAME(loose)
typedef REAL NAME(loose_half)
    __attribute__((vector_size(4 * sizeof(REAL)), may_alias, aligned(sizeof(REAL))));

/* ---- stages ---------------------------------------------------------------------------------- */
/* A butterfly reads xr and xi, `from` numbers apart, and writes yr and yi, `to` numbers apart,
 * times w. Where `unit`, which is a constant, all of w are 1. */
#define BUTTERFLY                                                                                  \
    const P *restrict xr, const P *restrict xi, P *restrict yr, P *restrict yi, int64_t from,      \
        int64_t to, const REAL *restrict w, bool unit

/* y[at] = (re, im) * w */
#define PUT(at, re, im, w)                                                                         \
    do {                                                                                           \
        P re_ = (re), im_ = (im), other_ = re_;                                                    \
        if (!unit) {                                                                               \
            re_ = re_ * (w)[0] - im_ * (w)[1];                                                     \
            im_ = other_ * (w)[1] + im_ * (w)[0];                                                  \
        }                                                                                          \
        yr[at] = re_;                                                                              \
        yi[at] = im_;                                                                              \
    } while (0)

TARGET INLINE void NAME(radix_2)(BUTTERFLY)
{
    P ar = xr[0], ai = xi[0], br = xr[from], bi = xi[from];
    yr[0] = ar + br;
    yi[0] = ai + bi;
    PUT(to, ar - br, ai - bi, w);
}

TARGET INLINE void NAME(radix_3)(BUTTERFLY)
{
    const REAL half = (REAL)0.5, sine = (REAL)0.86602540378443864676;
    P ar = xr[0], ai = xi[0], br = xr[from], bi = xi[from], cr = xr[2 * from], ci = xi[2 * from];
    P sr = br + cr, si = bi + ci, dr = (br - cr) * sine, di = (bi - ci) * sine;
    P mr = ar - sr * half, mi = ai - si * half;
    yr[0] = ar + sr;
    yi[0] = ai + si;
    PUT(to, mr + di, mi - dr, w);
    PUT(2 * to, mr - di, mi + dr, w + 2);
}

TARGET INLINE void NAME(radix_4)(BUTTERFLY)
{
    P ar = xr[0], ai = xi[0], br = xr[from], bi = xi[from];
    P cr = xr[2 * from], ci = xi[2 * from], dr = xr[3 * from], di = xi[3 * from];
    P evens_r = ar + cr, evens_i = ai + ci, even_r = ar - cr, even_i = ai - ci;
    P odds_r = br + dr, odds_i = bi + di, odd_r = br - dr, odd_i = bi - di;
    yr[0] = evens_r + odds_r;
    yi[0] = evens_i + odds_i;
    PUT(to, even_r + odd_i, even_i - odd_r, w);
    PUT(2 * to, evens_r - odds_r, evens_i - odds_i, w + 2);
    PUT(3 * to, even_r - odd_i, even_i + odd_r, w + 4);
}

TARGET INLINE void NAME(radix_5)(BUTTERFLY)
{
    const REAL c1 = (REAL)0.30901699437494742410, c2 = (REAL)-0.80901699437494742410;
    const REAL s1 = (REAL)0.95105651629515357212, s2 = (REAL)0.58778525229247312917;
    P r[5], i[5];
    UNROLL
    for (int j = 0; j < 5; j++) {
        r[j] = xr[j * from];
        i[j] = xi[j * from];
    }
    P ar = r[1] + r[4], ai = i[1] + i[4], br = r[2] + r[3], bi = i[2] + i[3];
    P cr = r[1] - r[4], ci = i[1] - i[4], dr = r[2] - r[3], di = i[2] - i[3];
    P er = r[0] + ar * c1 + br * c2, ei = i[0] + ai * c1 + bi * c2;
    P fr = r[0] + ar * c2 + br * c1, fi = i[0] + ai * c2 + bi * c1;
    P gr = cr * s1 + dr * s2, gi = ci * s1 + di * s2;
    P hr = cr * s2 - dr * s1, hi = ci * s2 - di * s1;
    yr[0] = r[0] + ar + br;
    yi[0] = i[0] + ai + bi;
    PUT(to, er + gi, ei - gr, w);
    PUT(2 * to, fr + hi, fi - hr, w + 2);
    PUT(3 * to, fr - hi, fi + hr, w + 4);
    PUT(4 * to, er - gi, ei + gr, w + 6);
}

/* An odd prime: sums and differences of numbers j and radix - j share their products for the
 * results k and radix - k. */
TARGET static void NAME(radix_odd)(BUTTERFLY, int64_t radix, const REAL *circle)
{
    P pairs[FFT_SPLIT_PRIME / 2][4], all_r = xr[0], all_i = xi[0];
    for (int64_t j = 1; j <= radix / 2; j++) {
        int64_t other = (radix - j) * from;
        P *pair = pairs[j - 1];
        pair[0] = xr[j * from] + xr[other];
        pair[1] = xi[j * from] + xi[other];
        pair[2] = xr[j * from] - xr[other];
        pair[3] = xi[j * from] - xi[other];
        all_r += pair[0];
        all_i += pair[1];
    }
    yr[0] = all_r;
    yi[0] = all_i;
    for (int64_t k = 1; k <= radix / 2; k++) {
        P er = xr[0], ei = xi[0], dr = {0}, di = {0};
        for (int64_t j = 0, angle = k; j < radix / 2; j++) {
            REAL cosine = circle[2 * angle], sine = circle[2 * angle + 1];
            er += pairs[j][0] * cosine;
            ei += pairs[j][1] * cosine;
            dr += pairs[j][2] * sine;
            di += pairs[j][3] * sine;
            angle = angle + k < radix ? angle + k : angle + k - radix;
        }
        PUT(k * to, er - di, ei + dr, w + 2 * (k - 1));
        PUT((radix - k) * to, er + di, ei - dr, w + 2 * (radix - k - 1));
    }
}

/* All butterflies of a stage; the first have no twiddle factors. Pieces of vectors
 * are as more numbers q. */
#define EACH(function, ...)                                                                        \
    do {                                                                                           \
        const int64_t s_ = g->s * (FFT_LINES / PIECE), m_ = g->m, radix_ = g->radix;               \
        for (int64_t q_ = 0; q_ < s_; q_++)                                                        \
            function(xr++, xi++, yr++, yi++, s_ *m_, s_, roots, true __VA_ARGS__);                 \
        for (int64_t p_ = 1; p_ < m_; p_++) {                                                      \
            roots += 2 * (radix_ - 1);                                                             \
            yr += s_ * (radix_ - 1);                                                               \
            yi += s_ * (radix_ - 1);                                                               \
            for (int64_t q_ = 0; q_ < s_; q_++)                                                    \
                function(xr++, xi++, yr++, yi++, s_ *m_, s_, roots, false __VA_ARGS__);            \
        }                                                                                          \
    } while (0)
#define COMMA ,

TARGET static void NAME(stage)(const struct fft_lines_stage *g, const P *restrict xr,
                               const P *restrict xi, P *restrict yr, P *restrict yi)
{
    const REAL *restrict roots = g->roots, *restrict circle = g->circle;
    switch (g->radix) {
    case 2: EACH(NAME(radix_2)); break;
    case 3: EACH(NAME(radix_3)); break;
    case 4: EACH(NAME(radix_4)); break;
    case 5: EACH(NAME(radix_5)); break;
    default: EACH(NAME(radix_odd), COMMA radix_ COMMA circle); break;
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
TARGET static void NAME(eight_lines)(const struct fft_lines_stages *stages,
                                     struct fft_lines_ahead *ahead, REAL *b[4])
{
    for (int i = 0; i < stages->count; i++) {
        fft_lines_fetch(ahead);
        NAME(stage)(&stages->at[i], (P *)b[0], (P *)b[1], (P *)b[2], (P *)b[3]);
        NAME(flip)(b);
    }
}

/* Transforms eight vectors in place: two radices, 4 and 2. */
TARGET INLINE void NAME(eight)(P *r, P *i)
{
    static const REAL w[8] = {1, 0,  (REAL)0.70710678118654752440,  (REAL)-0.70710678118654752440,
                              0, -1, (REAL)-0.70710678118654752440, (REAL)-0.70710678118654752440};
    enum { PIECES = FFT_LINES / PIECE };
    P er[4], ei[4], yr[4], yi[4];
    NAME(radix_4)(r, i, er, ei, 2 * PIECES, 1, NULL, true);
    NAME(radix_4)(r + PIECES, i + PIECES, yr, yi, 2 * PIECES, 1, NULL, true);
    UNROLL
    for (int k = 0; k < 4; k++) {
        P re = yr[k] * w[2 * k] - yi[k] * w[2 * k + 1];
        P im = yr[k] * w[2 * k + 1] + yi[k] * w[2 * k];
        r[k * PIECES] = er[k] + re;
        i[k * PIECES] = ei[k] + im;
        r[(k + 4) * PIECES] = er[k] - re;
        i[(k + 4) * PIECES] = ei[k] - im;
    }
}

#if PIECE == 8
/* Transposes eight rows of eight: pairs of numbers, then of pairs, then of halves. */
TARGET INLINE void NAME(transpose)(const V *x, V *y)
{
    V a[FFT_LINES], b[FFT_LINES];
    UNROLL
    for (int i = 0; i < FFT_LINES; i += 2) {
        a[i] = __builtin_shufflevector(x[i], x[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        a[i + 1] = __builtin_shufflevector(x[i], x[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    UNROLL
    for (int i = 0; i < FFT_LINES; i += 4)
        UNROLL
    for (int k = 0; k < 2; k++) {
        V low = a[i + k], high = a[i + k + 2];
        b[i + k] = __builtin_shufflevector(low, high, 0, 1, 8, 9, 4, 5, 12, 13);
        b[i + k + 2] = __builtin_shufflevector(low, high, 2, 3, 10, 11, 6, 7, 14, 15);
    }
    UNROLL
    for (int k = 0; k < 4; k++) {
        y[k] = __builtin_shufflevector(b[k], b[k + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        y[k + 4] = __builtin_shufflevector(b[k], b[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}
#else
/* Transposes four rows of four, which are two vectors apart, with shuffles that processors have for
 * the element type. */
TARGET INLINE void NAME(transpose_four)(const H *x, H *y)
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
TARGET INLINE void NAME(transpose)(const V *rows, V *columns)
{
    const H *x = (const H *)rows;
    H *y = (H *)columns;
    NAME(transpose_four)(x, y);
    NAME(transpose_four)(x + 1, y + FFT_LINES);
    NAME(transpose_four)(x + FFT_LINES, y + 1);
    NAME(transpose_four)(x + FFT_LINES + 1, y + FFT_LINES + 1);
}
#endif

/* Rows of eighths times their twiddles, transposed; the result has `count` columns. */
TARGET INLINE void NAME(load_rows)(const V *re, const V *im, const V *twiddles, int64_t count,
                                   V *tr, V *ti)
{
    V r[FFT_LINES], i[FFT_LINES];
    UNROLL
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
TARGET INLINE void NAME(eight_columns)(const struct fft_lines_plan *plan, REAL *const b[4],
                                       int64_t first, int64_t count)
{
    const V *re = (const V *)b[0], *im = (const V *)b[1], *twiddles = plan->twiddles;
    int64_t rows = plan->eighths.n;
    V tr[FFT_LINES], ti[FFT_LINES];
    NAME(load_rows)(re + first, im + first, twiddles + 2 * first, count, tr, ti);
    for (int j = 0; j < FFT_LINES / PIECE; j++)
        NAME(eight)((P *)tr + j, (P *)ti + j);
    UNROLL
    for (int j = 0; j < FFT_LINES; j++) {
        REAL *r = b[2] + rows * j + first, *i = b[3] + rows * j + first;
        if (count == FFT_LINES) {
            *(L *)r = tr[j];
            *(L *)i = ti[j];
        } else {
            memcpy(r, &tr[j], (size_t)count * sizeof(REAL));
            memcpy(i, &ti[j], (size_t)count * sizeof(REAL));
        }
    }
}

/* Transforms one line in b[0] and b[1]: eighths, then the results k, k + length / 8 ... of eight
 * adjacent k together. */
TARGET static void NAME(one_line)(const struct fft_lines_plan *plan, struct fft_lines_ahead *ahead,
                                  REAL *b[4])
{
    int64_t rows = plan->eighths.n, first = 0;
    NAME(eight_lines)(&plan->eighths, ahead, b);
    for (; first + FFT_LINES <= rows; first += FFT_LINES)
        NAME(eight_columns)(plan, b, first, FFT_LINES); /* constant: the copies are moves */
    if (first < rows)
        NAME(eight_columns)(plan, b, first, rows - first);
    NAME(flip)(b);
}

TARGET static void NAME(transform)(const struct fft_lines_plan *plan, bool alone,
                                   struct fft_lines_ahead *ahead, REAL *b[4])
{
    if (alone)
        NAME(one_line)(plan, ahead, b);
    else
        NAME(eight_lines)(&plan->stages, ahead, b);
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
TARGET static void NAME(padded)(const struct fft_lines_plan *plan, bool alone,
                                struct fft_lines_ahead *ahead, REAL *b[4])
{
    int64_t width = alone ? 1 : FFT_LINES, rest = (plan->length - plan->n) * width;
    NAME(multiply)(b[0], b[1], plan->chirp, plan->n, alone);
    memset(b[0] + plan->n * width, 0, (size_t)rest * sizeof(REAL));
    memset(b[1] + plan->n * width, 0, (size_t)rest * sizeof(REAL));
    NAME(transform)(plan, alone, ahead, b);
    NAME(multiply)(b[0], b[1], plan->filter, plan->length, alone);
    REAL *exchanged[4] = {b[1], b[0], b[2], b[3]};
    NAME(transform)(plan, alone, ahead, exchanged);
    b[0] = exchanged[1];
    b[1] = exchanged[0];
    b[2] = exchanged[2];
    b[3] = exchanged[3];
    NAME(multiply)(b[0], b[1], plan->chirp, plan->n, alone);
}

/* ---- twiddles between the dimensions of a long line ------------------------------------------ */
typedef double NAME(factors) __attribute__((vector_size(FFT_LINES * sizeof(double)), may_alias));
#define D NAME(factors)

TARGET static inline void NAME(narrow)(const D *from, V *to)
{
    *to = __builtin_convertvector(*from, V);
}

/* The steps of the columns of eight lines: entry i of lane l at 16 i + l and, its imaginary part,
 * 16 i + 8 + l. Lines beyond the last one have those of the last. */
TARGET static void NAME(load_steps)(const struct fft_lines *f, int64_t first, double *steps)
{
    const struct fft_lines_twiddles *t = f->twiddles;
    int64_t count = t->fine + t->coarse;
    UNROLL
    for (int64_t l = 0; l < FFT_LINES; l++) {
        int64_t line = first + l < f->lines ? first + l : f->lines - 1;
        const double *from = t->steps + 2 * count * (line % f->inner / t->inner);
        for (int64_t i = 0; i < count; i++) {
            steps[2 * FFT_LINES * i + l] = from[2 * i];
            steps[2 * FFT_LINES * i + FFT_LINES + l] = from[2 * i + 1];
        }
    }
}

/* Multiplies the results of eight lines by their twiddles, which are products of two steps. */
TARGET static void NAME(twiddle)(const struct fft_lines *f, int64_t first, double *steps, V *re,
                                 V *im)
{
    const struct fft_lines_twiddles *t = f->twiddles;
    const D *fine = (const D *)steps, *coarse = fine + 2 * t->fine;
    int64_t n = f->plan->n;
    NAME(load_steps)(f, first, steps);
    for (int64_t k = 0; k < n; k += t->fine, coarse += 2)
        for (int64_t i = 0; i < t->fine && k + i < n; i++) {
            D dr = coarse[0] * fine[2 * i] - coarse[1] * fine[2 * i + 1];
            D di = coarse[0] * fine[2 * i + 1] + coarse[1] * fine[2 * i];
            V r = re[k + i], j = im[k + i], cosine, sine;
            NAME(narrow)(&dr, &cosine);
            NAME(narrow)(&di, &sine);
            re[k + i] = r * cosine - j * sine;
            im[k + i] = r * sine + j * cosine;
        }
}

#include "devices/host/fft/fft_lines_access.h"

/* ---- a block --------------------------------------------------------------------------------- */
/* Exchanges the parts of both pairs of buffers. */
static inline void NAME(exchange)(REAL *b[4])
{
    REAL *re = b[0], *other = b[2];
    b[0] = b[1];
    b[1] = re;
    b[2] = b[3];
    b[3] = other;
}

/* The inverse transform exchanges parts before and after. */
TARGET static void NAME(block)(const struct fft_lines *f, int64_t first, struct fft_lines_way way,
                               void *const buffers[FFT_LINES_BUFFERS])
{
    const struct fft_lines_plan *plan = f->plan;
    REAL *b[4] = {buffers[0], buffers[1], buffers[2], buffers[3]};
    struct fft_lines_ahead ahead = fft_lines_ahead_of(f, first, way.alone);
    double scale = f->scale / (plan->chirp ? (double)plan->length : 1);
    NAME(load)(f, first, way.alone, b);
    if (f->inverse)
        NAME(exchange)(b);
    if (plan->chirp)
        NAME(padded)(plan, way.alone, &ahead, b);
    else
        NAME(transform)(plan, way.alone, &ahead, b);
    if (f->twiddles)
        NAME(twiddle)(f, first, buffers[4], (V *)b[0], (V *)b[1]);
    if (f->inverse)
        NAME(exchange)(b);
    if (f->kind == FFT_LINES_REAL && plan->halves)
        scale *= 0.5;
    NAME(store)(f, first, way, (REAL)scale, b);
}

#undef D
#undef L
#undef P
#undef H
#undef V
#undef PUT
#undef BUTTERFLY
#undef EACH
#undef COMMA
