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

#include "devices/host/fft/fft_lines_stages.h"

/* Exchanges the first two buffers and the last two. */
static inline void NAME(flip)(REAL *b[4])
{
    REAL *re = b[0], *im = b[1];
    b[0] = b[2];
    b[1] = b[3];
    b[2] = re;
    b[3] = im;
}

#include "devices/host/fft/fft_lines_nest.h"

/* ---- transforms of lines --------------------------------------------------------------------- */
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

/* The results k, k + length / 8 ... of `count` adjacent k, the first of which is `first`: eight
 * vectors. */
TARGET INLINE void NAME(eight_columns)(const struct fft_lines_plan *plan, REAL *const b[4],
                                       int64_t first, int64_t count, V *yr, V *yi)
{
    const V *re = (const V *)b[0], *im = (const V *)b[1], *twiddles = plan->twiddles;
    V tr[FFT_LINES], ti[FFT_LINES];
    NAME(load_rows)(re + first, im + first, twiddles + 2 * first, count, tr, ti);
    for (int j = 0; j < FFT_LINES / PIECE; j++)
        NAME(radix_8)((P *)tr + j, (P *)ti + j, (P *)yr + j, (P *)yi + j, FFT_LINES / PIECE,
                      FFT_LINES / PIECE, NULL, true);
}

TARGET INLINE void NAME(keep_columns)(const struct fft_lines_plan *plan, REAL *const b[4],
                                      int64_t first, int64_t count)
{
    int64_t rows = plan->eighths.n;
    V yr[FFT_LINES], yi[FFT_LINES];
    NAME(eight_columns)(plan, b, first, count, yr, yi);
    UNROLL
    for (int j = 0; j < FFT_LINES; j++) {
        REAL *r = b[2] + rows * j + first, *i = b[3] + rows * j + first;
        if (count == FFT_LINES) {
            *(L *)r = yr[j];
            *(L *)i = yi[j];
        } else {
            memcpy(r, &yr[j], (size_t)count * sizeof(REAL));
            memcpy(i, &yi[j], (size_t)count * sizeof(REAL));
        }
    }
}

/* Transforms one line in b[0] and b[1]: eighths, then the results k, k + length / 8 ... of eight
 * adjacent k together. */
TARGET static void NAME(one_line)(const struct fft_lines_plan *plan, struct fft_lines_ahead *ahead,
                                  REAL *b[FFT_LINES_BUFFERS])
{
    int64_t rows = plan->eighths.n, first = 0;
    NAME(eight_lines)(&plan->eighths, ahead, b);
    for (; first + FFT_LINES <= rows; first += FFT_LINES)
        NAME(keep_columns)(plan, b, first, FFT_LINES); /* constant: the copies are moves */
    if (first < rows)
        NAME(keep_columns)(plan, b, first, rows - first);
    NAME(flip)(b);
}

TARGET static void NAME(transform)(const struct fft_lines_plan *plan, bool alone,
                                   struct fft_lines_ahead *ahead, REAL *b[FFT_LINES_BUFFERS])
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
                                struct fft_lines_ahead *ahead, REAL *b[FFT_LINES_BUFFERS])
{
    int64_t width = alone ? 1 : FFT_LINES, rest = (plan->length - plan->n) * width;
    NAME(multiply)(b[0], b[1], plan->chirp, plan->n, alone);
    memset(b[0] + plan->n * width, 0, (size_t)rest * sizeof(REAL));
    memset(b[1] + plan->n * width, 0, (size_t)rest * sizeof(REAL));
    NAME(transform)(plan, alone, ahead, b);
    NAME(multiply)(b[0], b[1], plan->filter, plan->length, alone);
    REAL *exchanged[FFT_LINES_BUFFERS] = {b[1], b[0], b[2], b[3], b[4]};
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

/* The results of a line whose eighths are transformed, from columns to memory. With `exchanged`,
 * which is a constant, their parts are exchanged. */
TARGET INLINE void NAME(write_columns)(const struct fft_lines *f, int64_t line, bool streams,
                                       REAL scale, bool exchanged, REAL *const b[4])
{
    int64_t rows = f->plan->eighths.n;
    REAL *y = (REAL *)f->out + 2 * line * f->plan->n;
    for (int64_t first = 0; first < rows; first += FFT_LINES) {
        V yr[FFT_LINES], yi[FFT_LINES];
        NAME(eight_columns)(f->plan, b, first, FFT_LINES, yr, yi);
        UNROLL
        for (int64_t j = 0; j < FFT_LINES; j++) {
            V re = yr[j] * scale, im = yi[j] * scale;
            REAL *to = y + 2 * (rows * j + first);
            NAME(write)(exchanged ? &im : &re, exchanged ? &re : &im, streams, to);
        }
    }
}

/* Whether the last step of a line writes the results: its buffers exceed the first cache. */
static bool NAME(is_direct)(const struct fft_lines *f, struct fft_lines_way way)
{
    return way.alone && f->plan->n * (int64_t)sizeof(REAL) >= DIRECT_BYTES && f->out_inner == 1 &&
           f->kind == FFT_LINES_COMPLEX && !f->plan->chirp && f->plan->eighths.n % FFT_LINES == 0;
}

/* Transforms one line in b[0] and b[1] into memory. */
TARGET static void NAME(line_to_memory)(const struct fft_lines *f, int64_t line,
                                        struct fft_lines_way way, struct fft_lines_ahead *ahead,
                                        REAL *b[FFT_LINES_BUFFERS])
{
    REAL scale = (REAL)f->scale;
    NAME(eight_lines)(&f->plan->eighths, ahead, b);
    if (f->inverse)
        NAME(write_columns)(f, line, way.streams, scale, true, b);
    else
        NAME(write_columns)(f, line, way.streams, scale, false, b);
}

/* The inverse transform exchanges parts before and after. */
TARGET static void NAME(block)(const struct fft_lines *f, int64_t first, struct fft_lines_way way,
                               void *const buffers[FFT_LINES_BUFFERS])
{
    const struct fft_lines_plan *plan = f->plan;
    REAL *b[FFT_LINES_BUFFERS] = {buffers[0], buffers[1], buffers[2], buffers[3], buffers[4]};
    struct fft_lines_ahead ahead = fft_lines_ahead_of(f, first, way.alone);
    double scale = f->scale / (plan->chirp ? (double)plan->length : 1);
    NAME(load)(f, first, way.alone, b);
    if (f->inverse)
        NAME(exchange)(b);
    if (NAME(is_direct)(f, way)) {
        NAME(line_to_memory)(f, first, way, &ahead, b);
        return;
    }
    if (plan->chirp)
        NAME(padded)(plan, way.alone, &ahead, b);
    else
        NAME(transform)(plan, way.alone, &ahead, b);
    if (f->twiddles)
        NAME(twiddle)(f, first, buffers[5], (V *)b[0], (V *)b[1]);
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
