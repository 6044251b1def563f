/* fft_lines_stages.h: the stages of fft_lines_body.h, for one element type and instruction set. No
 * include guard. */

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

/* Two radices: 4, for the even and the odd numbers, then 2. */
TARGET INLINE void NAME(radix_8)(BUTTERFLY)
{
    const REAL diagonal = (REAL)0.70710678118654752440;
    P ar[4], ai[4], br[4], bi[4];
    NAME(radix_4)(xr, xi, ar, ai, 2 * from, 1, NULL, true);
    NAME(radix_4)(xr + from, xi + from, br, bi, 2 * from, 1, NULL, true);
    P cr = (br[1] + bi[1]) * diagonal, ci = (bi[1] - br[1]) * diagonal;
    P dr = (bi[3] - br[3]) * diagonal, di = (br[3] + bi[3]) * diagonal;
    yr[0] = ar[0] + br[0];
    yi[0] = ai[0] + bi[0];
    PUT(to, ar[1] + cr, ai[1] + ci, w);
    PUT(2 * to, ar[2] + bi[2], ai[2] - br[2], w + 2);
    PUT(3 * to, ar[3] + dr, ai[3] - di, w + 4);
    PUT(4 * to, ar[0] - br[0], ai[0] - bi[0], w + 6);
    PUT(5 * to, ar[1] - cr, ai[1] - ci, w + 8);
    PUT(6 * to, ar[2] - bi[2], ai[2] + br[2], w + 10);
    PUT(7 * to, ar[3] - dr, ai[3] + di, w + 12);
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
    case 8: EACH(NAME(radix_8)); break;
    default: EACH(NAME(radix_odd), COMMA radix_ COMMA circle); break;
    }
}
