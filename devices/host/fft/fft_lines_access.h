/* fft_lines_access.h: how fft_lines_body.h reads lines into its buffers and writes them from there,
 * for one element type and instruction set. No include guard.
 *
 * A buffer of eight lines is a vector of eight numbers' parts for each position. Eight lines whose
 * numbers are contiguous are transposed by eight positions at a time; eight that are adjacent are
 * read and written as they are. Others are accessed number by number, as are numbers after the last
 * eight positions. */

/* ---- eight numbers --------------------------------------------------------------------------- */
/* Separates the parts of eight numbers. */
TARGET INLINE void NAME(split)(const REAL *x, V *re, V *im)
{
#if PIECE == 8
    V low = *(const L *)x, high = *(const L *)(x + FFT_LINES);
    *re = __builtin_shufflevector(low, high, 0, 2, 4, 6, 8, 10, 12, 14);
    *im = __builtin_shufflevector(low, high, 1, 3, 5, 7, 9, 11, 13, 15);
#else
    UNROLL
    for (int h = 0; h < 2; h++) {
        H low = *(const NAME(loose_half) *)(x + 8 * h);
        H high = *(const NAME(loose_half) *)(x + 8 * h + 4);
        ((H *)re)[h] = __builtin_shufflevector(low, high, 0, 2, 4, 6);
        ((H *)im)[h] = __builtin_shufflevector(low, high, 1, 3, 5, 7);
    }
#endif
}

/* The reverse. */
TARGET INLINE void NAME(merge)(const V *re, const V *im, REAL *y)
{
#if PIECE == 8
    *(L *)y = __builtin_shufflevector(*re, *im, 0, 8, 1, 9, 2, 10, 3, 11);
    *(L *)(y + FFT_LINES) = __builtin_shufflevector(*re, *im, 4, 12, 5, 13, 6, 14, 7, 15);
#else
    UNROLL
    for (int h = 0; h < 2; h++) {
        H r = ((const H *)re)[h], i = ((const H *)im)[h];
        *(NAME(loose_half) *)(y + 8 * h) = __builtin_shufflevector(r, i, 0, 4, 1, 5);
        *(NAME(loose_half) *)(y + 8 * h + 4) = __builtin_shufflevector(r, i, 2, 6, 3, 7);
    }
#endif
}

/* Writes eight numbers, past the caches if `streams`, which requires alignment. */
TARGET INLINE void NAME(write)(const V *re, const V *im, bool streams, REAL *y)
{
#ifdef STREAM
    if (streams) {
        STREAM(y, __builtin_shufflevector(*re, *im, 0, 8, 1, 9, 2, 10, 3, 11));
        STREAM(y + FFT_LINES, __builtin_shufflevector(*re, *im, 4, 12, 5, 13, 6, 14, 7, 15));
        return;
    }
#endif
    (void)streams;
    NAME(merge)(re, im, y);
}

/* ---- contiguous lines ------------------------------------------------------------------------ */
/* A tile is eight numbers of each of `lines` lines, at most eight, which are `apart` parts from
 * each other; in the buffers it is eight vectors. Lines beyond are read as zeros and not
 * written. */
struct NAME(tile) {
    int64_t apart, lines;
};

#if PIECE == 8
/* Four numbers of eight lines: their parts apart, transposed. A vector holds two adjacent numbers
 * of a line in each of its halves. */
TARGET INLINE void NAME(get_half)(const V *x, V *re, V *im)
{
    V low[4], high[4]; /* numbers 0 and 2, 1 and 3, of two adjacent lines */
    UNROLL
    for (int i = 0; i < 4; i++) {
        V a = x[2 * i], b = x[2 * i + 1];
        low[i] = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
        high[i] = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
    }
    UNROLL
    for (int j = 0; j < 4; j++) {
        const V *of = j % 2 ? high : low;
        V a = j < 2 ? __builtin_shufflevector(of[0], of[2], 0, 1, 2, 3, 8, 9, 10, 11)
                    : __builtin_shufflevector(of[0], of[2], 4, 5, 6, 7, 12, 13, 14, 15);
        V b = j < 2 ? __builtin_shufflevector(of[1], of[3], 0, 1, 2, 3, 8, 9, 10, 11)
                    : __builtin_shufflevector(of[1], of[3], 4, 5, 6, 7, 12, 13, 14, 15);
        re[j] = __builtin_shufflevector(a, b, 0, 2, 8, 10, 4, 6, 12, 14);
        im[j] = __builtin_shufflevector(a, b, 1, 3, 9, 11, 5, 7, 13, 15);
    }
}

/* The reverse. */
TARGET INLINE void NAME(put_half)(const V *re, const V *im, V *x)
{
    V a[4], b[4]; /* numbers of lines 0, 1, 4 and 5, and of the others */
    UNROLL
    for (int j = 0; j < 4; j++) {
        a[j] = __builtin_shufflevector(re[j], im[j], 0, 8, 1, 9, 4, 12, 5, 13);
        b[j] = __builtin_shufflevector(re[j], im[j], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    UNROLL
    for (int i = 0; i < 4; i++) {
        const V *of = i % 2 ? b : a;
        V low = i < 2 ? __builtin_shufflevector(of[0], of[2], 0, 1, 2, 3, 8, 9, 10, 11)
                      : __builtin_shufflevector(of[0], of[2], 4, 5, 6, 7, 12, 13, 14, 15);
        V high = i < 2 ? __builtin_shufflevector(of[1], of[3], 0, 1, 2, 3, 8, 9, 10, 11)
                       : __builtin_shufflevector(of[1], of[3], 4, 5, 6, 7, 12, 13, 14, 15);
        x[2 * i] = __builtin_shufflevector(low, high, 0, 1, 8, 9, 4, 5, 12, 13);
        x[2 * i + 1] = __builtin_shufflevector(low, high, 2, 3, 10, 11, 6, 7, 14, 15);
    }
}

TARGET INLINE void NAME(get)(const REAL *x, struct NAME(tile) tile, V *re, V *im)
{
    UNROLL
    for (int h = 0; h < FFT_LINES; h += 4) {
        V rows[FFT_LINES];
        UNROLL
        for (int64_t l = 0; l < FFT_LINES; l++)
            rows[l] = l < tile.lines ? *(const L *)(x + l * tile.apart + 2 * h) : (V){0};
        NAME(get_half)(rows, re + h, im + h);
    }
}

TARGET INLINE void NAME(put)(const V *re, const V *im, struct NAME(tile) tile, REAL *y)
{
    UNROLL
    for (int h = 0; h < FFT_LINES; h += 4) {
        V rows[FFT_LINES];
        NAME(put_half)(re + h, im + h, rows);
        UNROLL
        for (int64_t l = 0; l < FFT_LINES; l++)
            if (l < tile.lines)
                *(L *)(y + l * tile.apart + 2 * h) = rows[l];
    }
}
#else
TARGET INLINE void NAME(get)(const REAL *x, struct NAME(tile) tile, V *re, V *im)
{
    static const REAL zeros[2 * FFT_LINES];
    V r[FFT_LINES], i[FFT_LINES];
    UNROLL
    for (int64_t l = 0; l < FFT_LINES; l++)
        NAME(split)(l < tile.lines ? x + l * tile.apart : zeros, &r[l], &i[l]);
    NAME(transpose)(r, re);
    NAME(transpose)(i, im);
}

TARGET INLINE void NAME(put)(const V *re, const V *im, struct NAME(tile) tile, REAL *y)
{
    V r[FFT_LINES], i[FFT_LINES];
    NAME(transpose)(re, r);
    NAME(transpose)(im, i);
    UNROLL
    for (int64_t l = 0; l < FFT_LINES; l++)
        if (l < tile.lines)
            NAME(merge)(&r[l], &i[l], y + l * tile.apart);
}
#endif

/* As get() and put(), of real numbers. */
TARGET INLINE void NAME(get_real)(const REAL *x, struct NAME(tile) tile, V *to)
{
    V rows[FFT_LINES];
    UNROLL
    for (int64_t l = 0; l < FFT_LINES; l++)
        rows[l] = l < tile.lines ? *(const L *)(x + l * tile.apart) : (V){0};
    NAME(transpose)(rows, to);
}

TARGET INLINE void NAME(put_real)(const V *from, struct NAME(tile) tile, REAL *y)
{
    V rows[FFT_LINES];
    NAME(transpose)(from, rows);
    UNROLL
    for (int64_t l = 0; l < FFT_LINES; l++)
        if (l < tile.lines)
            *(L *)(y + l * tile.apart) = rows[l];
}

/* Runs a statement for all tiles of `numbers` numbers, from number `at`; those of eight lines have
 * a constant size, so that their code has no conditions. Less than a tile's numbers are left. */
#define EACH_TILE(numbers, apart_, lines_, ...)                                                    \
    do {                                                                                           \
        int64_t at = 0;                                                                            \
        for (; (lines_) >= FFT_LINES && at + FFT_LINES <= (numbers); at += FFT_LINES) {            \
            const struct NAME(tile) tile = {(apart_), FFT_LINES};                                  \
            __VA_ARGS__;                                                                           \
        }                                                                                          \
        for (; at + FFT_LINES <= (numbers); at += FFT_LINES) {                                     \
            const struct NAME(tile) tile = {(apart_), (lines_)};                                   \
            __VA_ARGS__;                                                                           \
        }                                                                                          \
    } while (0)

/* The first number after all tiles. */
static inline int64_t NAME(rest)(int64_t numbers)
{
    return numbers / FFT_LINES * FFT_LINES;
}

/* ---- complex numbers ------------------------------------------------------------------------- */
/* Whether the lines of a block are adjacent. */
static inline bool NAME(are_adjacent)(const struct fft_lines *f, int64_t inner, int64_t first)
{
    return f->lines - first >= FFT_LINES && first % inner + FFT_LINES <= inner;
}

/* Numbers of eight lines from number `from` on, one by one. */
TARGET static void NAME(load_each)(const struct fft_lines *f, int64_t first, int64_t n,
                                   int64_t from, REAL *re, REAL *im)
{
    int64_t lines = f->lines - first, step = 2 * f->inner;
    UNROLL
    for (int64_t l = 0; l < FFT_LINES; l++) {
        int64_t line = l < lines ? first + l : first;
        const REAL *x = (const REAL *)f->in + 2 * fft_lines_start(f->inner, line, n);
        for (int64_t j = from; j < n; j++) {
            re[FFT_LINES * j + l] = x[j * step];
            im[FFT_LINES * j + l] = x[j * step + 1];
        }
    }
}

/* Eight lines of n numbers. */
TARGET static void NAME(load_eight)(const struct fft_lines *f, int64_t first, int64_t n, REAL *re,
                                    REAL *im)
{
    int64_t lines = f->lines - first, step = 2 * f->inner;
    const REAL *x = (const REAL *)f->in + 2 * fft_lines_start(f->inner, first, n);
    V *vr = (V *)re, *vi = (V *)im;
    if (f->inner > 1 && NAME(are_adjacent)(f, f->inner, first)) {
        for (int64_t j = 0; j < n; j++)
            NAME(split)(x + j * step, vr + j, vi + j);
        return;
    }
    if (f->tiled) {
        x = (const REAL *)f->in + 2 * FFT_LINES * first;
        EACH_TILE(n, 2 * FFT_LINES, lines,
                  NAME(get)(x + 2 * at * f->lines, tile, vr + at, vi + at));
        return;
    }
    if (f->inner == 1)
        EACH_TILE(n, 2 * n, lines, NAME(get)(x + 2 * at, tile, vr + at, vi + at));
    NAME(load_each)(f, first, n, f->inner == 1 ? NAME(rest)(n) : 0, re, im);
}

/* A tile of results from number `at`. */
TARGET INLINE void NAME(put_scaled)(const V *re, const V *im, int64_t at, REAL scale,
                                    struct NAME(tile) tile, REAL *y)
{
    V r[FFT_LINES], i[FFT_LINES];
    UNROLL
    for (int64_t j = 0; j < FFT_LINES; j++) {
        r[j] = re[at + j] * scale;
        i[j] = im[at + j] * scale;
    }
    NAME(put)(r, i, tile, y + 2 * at);
}

/* Results from number `from` on, one by one. */
TARGET static void NAME(store_each)(const struct fft_lines *f, int64_t first, int64_t n,
                                    int64_t from, REAL scale, const REAL *re, const REAL *im)
{
    int64_t lines = f->lines - first, step = 2 * f->out_inner;
    for (int64_t l = 0; l < FFT_LINES && l < lines; l++) {
        REAL *y = (REAL *)f->out + 2 * fft_lines_start(f->out_inner, first + l, n);
        for (int64_t k = from; k < n; k++) {
            y[k * step] = re[FFT_LINES * k + l] * scale;
            y[k * step + 1] = im[FFT_LINES * k + l] * scale;
        }
    }
}

TARGET static void NAME(store_eight)(const struct fft_lines *f, int64_t first, int64_t n,
                                     bool streams, REAL scale, const REAL *re, const REAL *im)
{
    int64_t lines = f->lines - first, step = 2 * f->out_inner;
    const V *vr = (const V *)re, *vi = (const V *)im;
    REAL *y = (REAL *)f->out + 2 * fft_lines_start(f->out_inner, first, n);
    if (f->out_inner > 1 && NAME(are_adjacent)(f, f->out_inner, first)) {
        for (int64_t k = 0; k < n; k++) {
            V r = vr[k] * scale, i = vi[k] * scale;
            NAME(write)(&r, &i, streams, y + k * step);
        }
        return;
    }
    if (f->out_inner == 1)
        EACH_TILE(n, 2 * n, lines, NAME(put_scaled)(vr, vi, at, scale, tile, y));
    NAME(store_each)(f, first, n, f->out_inner == 1 ? NAME(rest)(n) : 0, scale, re, im);
}

/* One line of n numbers. */
TARGET static void NAME(load_one)(const struct fft_lines *f, int64_t line, int64_t n, REAL *re,
                                  REAL *im)
{
    int64_t step = 2 * f->inner, j = 0;
    const REAL *x = (const REAL *)f->in + 2 * fft_lines_start(f->inner, line, n);
    for (; f->inner == 1 && j + FFT_LINES <= n; j += FFT_LINES)
        NAME(split)(x + 2 * j, (V *)(re + j), (V *)(im + j));
    for (; j < n; j++) {
        re[j] = x[j * step];
        im[j] = x[j * step + 1];
    }
}

TARGET static void NAME(store_one)(const struct fft_lines *f, int64_t line, int64_t n, bool streams,
                                   REAL scale, const REAL *re, const REAL *im)
{
    int64_t step = 2 * f->out_inner, k = 0;
    REAL *y = (REAL *)f->out + 2 * fft_lines_start(f->out_inner, line, n);
    for (; f->out_inner == 1 && k + FFT_LINES <= n; k += FFT_LINES) {
        V r = *(const V *)(re + k) * scale, i = *(const V *)(im + k) * scale;
        NAME(write)(&r, &i, streams, y + 2 * k);
    }
    for (; k < n; k++) {
        y[k * step] = re[k] * scale;
        y[k * step + 1] = im[k] * scale;
    }
}

/* ---- real lines of odd lengths --------------------------------------------------------------- */
/* They are complex lines without imaginary parts. */
TARGET static void NAME(load_real)(const struct fft_lines *f, int64_t first, bool alone, REAL *re,
                                   REAL *im)
{
    int64_t n = f->plan->n, lines = f->lines - first;
    const REAL *x = (const REAL *)f->in + first * n;
    memset(im, 0, (size_t)(n * (alone ? 1 : FFT_LINES)) * sizeof(REAL));
    if (alone) {
        memcpy(re, x, (size_t)n * sizeof(REAL));
        return;
    }
    EACH_TILE(n, n, lines, NAME(get_real)(x + at, tile, (V *)re + at));
    for (int64_t j = NAME(rest)(n); j < n; j++)
        for (int64_t l = 0; l < FFT_LINES; l++)
            re[FFT_LINES * j + l] = l < lines ? x[l * n + j] : 0;
}

TARGET INLINE void NAME(put_real_scaled)(const V *from, int64_t at, REAL scale,
                                         struct NAME(tile) tile, REAL *y)
{
    V r[FFT_LINES];
    UNROLL
    for (int64_t j = 0; j < FFT_LINES; j++)
        r[j] = from[at + j] * scale;
    NAME(put_real)(r, tile, y + at);
}

TARGET static void NAME(store_real)(const struct fft_lines *f, int64_t first, bool alone,
                                    REAL scale, const REAL *re)
{
    int64_t n = f->plan->n, lines = f->lines - first;
    REAL *y = (REAL *)f->out + first * n;
    for (int64_t j = 0; alone && j < n; j++)
        y[j] = re[j] * scale;
    if (alone)
        return;
    EACH_TILE(n, n, lines, NAME(put_real_scaled)((const V *)re, at, scale, tile, y));
    for (int64_t j = NAME(rest)(n); j < n; j++)
        for (int64_t l = 0; l < FFT_LINES && l < lines; l++)
            y[l * n + j] = re[FFT_LINES * j + l] * scale;
}

/* Completes lines of an odd length by the conjugates of their first n / 2 + 1 numbers. */
TARGET static void NAME(complete)(int64_t n, int width, const REAL *xr, const REAL *xi, REAL *yr,
                                  REAL *yi)
{
    size_t half = (size_t)((n / 2 + 1) * width) * sizeof(REAL);
    memcpy(yr, xr, half);
    memcpy(yi, xi, half);
    for (int64_t k = 1; k <= n / 2; k++)
        for (int l = 0; l < width; l++) {
            yr[(n - k) * width + l] = xr[k * width + l];
            yi[(n - k) * width + l] = -xi[k * width + l];
        }
}

/* ---- real lines of even lengths -------------------------------------------------------------- */
/* A line x of 2 n real numbers is transformed as the complex line x[2 j] + i x[2 j + 1]. With its
 * transform Z, Z[n] = Z[0], w = exp(-i pi / n), and results X:
 *   2 X[k] = (Z[k] + Z*[n - k]) - i w^k (Z[k] - Z*[n - k])      (unpair)
 *   Z[k] = (X[k] + X*[n - k]) + i w^-k (X[k] - X*[n - k])       (pair: 2 x is its inverse)
 * which differ in the sign of the real part of w^k. */
#define PAIR(T, ar, ai, br, bi, cosine, sine, yr, yi)                                              \
    do {                                                                                           \
        T er_ = (ar) + (br), ei_ = (ai) - (bi), dr_ = (ar) - (br), di_ = (ai) + (bi);              \
        (yr) = er_ + (dr_ * (sine) + di_ * (cosine));                                              \
        (yi) = ei_ + (di_ * (sine) - dr_ * (cosine));                                              \
    } while (0)

/* All results, 0 to n. Those of k and n - k share their products: there dr and ei change signs, and
 * so does the cosine. */
TARGET static void NAME(pair_eight)(const struct fft_lines_plan *plan, REAL sign, const P *xr,
                                    const P *xi, P *yr, P *yi)
{
    const REAL *w = plan->halves;
    const int64_t pieces = FFT_LINES / PIECE, n = plan->n * pieces;
    for (int64_t k = 0; k <= plan->n / 2; k++) {
        REAL cosine = sign * w[2 * k], sine = w[2 * k + 1];
        for (int64_t i = k * pieces, j = n - i; i < (k + 1) * pieces; i++, j++) {
            P er = xr[i] + xr[j], ei = xi[i] - xi[j], dr = xr[i] - xr[j], di = xi[i] + xi[j];
            P pr = dr * sine + di * cosine, pi = di * sine - dr * cosine;
            yr[j] = er - pr;
            yi[j] = pi - ei;
            yr[i] = er + pr;
            yi[i] = ei + pi;
        }
    }
}

TARGET static void NAME(pair_one)(const struct fft_lines_plan *plan, int64_t count, REAL sign,
                                  const REAL *xr, const REAL *xi, REAL *yr, REAL *yi)
{
    const REAL *w = plan->halves;
    int64_t n = plan->n, k = 0;
    for (; k + 4 <= count; k += 4) {
        H low = *(const H *)(w + 2 * k), high = *(const H *)(w + 2 * k + 4);
        H cosine = sign * __builtin_shufflevector(low, high, 0, 2, 4, 6);
        H sine = __builtin_shufflevector(low, high, 1, 3, 5, 7);
        H ar = *(const H *)(xr + k), ai = *(const H *)(xi + k);
        H br = *(const NAME(loose_half) *)(xr + n - k - 3);
        H bi = *(const NAME(loose_half) *)(xi + n - k - 3);
        br = __builtin_shufflevector(br, br, 3, 2, 1, 0);
        bi = __builtin_shufflevector(bi, bi, 3, 2, 1, 0);
        PAIR(H, ar, ai, br, bi, cosine, sine, *(H *)(yr + k), *(H *)(yi + k));
    }
    for (; k < count; k++)
        PAIR(REAL, xr[k], xi[k], xr[n - k], xi[n - k], sign * w[2 * k], w[2 * k + 1], yr[k], yi[k]);
}

/* Of at least `count` results, which are 0 to n - 1, or to n. */
TARGET static void NAME(pair)(const struct fft_lines_plan *plan, int64_t count, bool alone,
                              REAL sign, REAL *const b[4])
{
    if (alone)
        NAME(pair_one)(plan, count, sign, b[0], b[1], b[2], b[3]);
    else
        NAME(pair_eight)(plan, sign, (P *)b[0], (P *)b[1], (P *)b[2], (P *)b[3]);
}

/* ---- halves ---------------------------------------------------------------------------------- */
/* The imaginary parts of the first number and, for even lengths, of the last one: ignored in
 * operands, zero in results. */
TARGET static void NAME(clear_ends)(const struct fft_lines_plan *plan, int width, REAL *im)
{
    size_t bytes = (size_t)width * sizeof(REAL);
    memset(im, 0, bytes);
    if (plan->halves)
        memset(im + plan->n * width, 0, bytes);
}

/* What was loaded as numbers of a half in b[2] and b[3] becomes complex lines in b[0] and b[1]. */
TARGET static void NAME(expand)(const struct fft_lines_plan *plan, bool alone, REAL *const b[4])
{
    int width = alone ? 1 : FFT_LINES;
    NAME(clear_ends)(plan, width, b[3]);
    if (plan->halves)
        NAME(pair)(plan, plan->n, alone, -1, (REAL *const[]){b[2], b[3], b[0], b[1]});
    else
        NAME(complete)(plan->n, width, b[2], b[3], b[0], b[1]);
}

/* The transform of complex lines, in b[0] and b[1], becomes the half of the real ones. */
TARGET static void NAME(reduce)(const struct fft_lines_plan *plan, bool alone, REAL *b[4])
{
    int width = alone ? 1 : FFT_LINES;
    for (int part = 0; part < 2 && plan->halves; part++)
        memcpy(b[part] + plan->n * width, b[part], (size_t)width * sizeof(REAL));
    if (plan->halves) {
        NAME(pair)(plan, plan->n + 1, alone, 1, b);
        NAME(flip)(b);
    }
    NAME(clear_ends)(plan, width, b[1]);
}

/* ---- blocks ---------------------------------------------------------------------------------- */
/* Reads lines into b[0] and b[1]. */
TARGET static void NAME(load)(const struct fft_lines *f, int64_t first, bool alone, REAL *b[4])
{
    const struct fft_lines_plan *plan = f->plan;
    bool half = f->kind == FFT_LINES_HALF;
    int64_t count = half ? fft_lines_half(plan) : plan->n;
    REAL *re = half ? b[2] : b[0], *im = half ? b[3] : b[1];
    if (f->kind == FFT_LINES_REAL && !plan->halves)
        NAME(load_real)(f, first, alone, re, im);
    else
        (alone ? NAME(load_one) : NAME(load_eight))(f, first, count, re, im);
    if (half)
        NAME(expand)(plan, alone, b);
}

/* Writes the results of lines, in b[0] and b[1]. */
TARGET static void NAME(store)(const struct fft_lines *f, int64_t first, struct fft_lines_way way,
                               REAL scale, REAL *b[4])
{
    const struct fft_lines_plan *plan = f->plan;
    bool half = f->kind == FFT_LINES_REAL;
    int64_t count = half ? fft_lines_half(plan) : plan->n;
    if (half)
        NAME(reduce)(plan, way.alone, b);
    if (f->kind == FFT_LINES_HALF && !plan->halves)
        NAME(store_real)(f, first, way.alone, scale, b[0]);
    else
        (way.alone ? NAME(store_one) : NAME(store_eight))(f, first, count, way.streams, scale, b[0],
                                                          b[1]);
}

#undef PAIR
#undef EACH_TILE
