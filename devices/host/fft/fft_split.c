/* fft_split.c: see fft_split.h. */
#include "devices/host/fft/fft_split.h"

#include <math.h>

enum {
    LINE = 1 << 14,         /* the longest line that stays whole: its buffers fit the caches */
    STRIDED_LINE = 1 << 12, /* of lines that are not contiguous, eight at a time */
    MANY_NUMBERS = 1 << 10, /* of which eight lines take as long as a few, one at a time */
    FEW_ROWS = 8,           /* of a matrix that is faster than one line */
    MIN_ROWS = 16,          /* from which two short padded transforms beat a long one */
    MAX_PADDED = 1 << 13,   /* the longest row or column of a length that is not smooth */
    PADDED_UNIT = 16        /* divides padded lengths */
};

int64_t fft_split_padded(int64_t n)
{
    int64_t best = INT64_MAX;
    for (int64_t five = PADDED_UNIT; five <= 125 * PADDED_UNIT; five *= 5)
        for (int64_t odd = five; odd <= 81 * five; odd *= 3) {
            int64_t length = odd;
            while (length < 2 * n - 1)
                length *= 2;
            best = length < best ? length : best;
        }
    return best;
}

/* About how many operations on real numbers the stages of n take for each number; if a prime factor
 * is too large, infinitely many. */
static double stages_cost(int64_t n)
{
    double cost = 0;
    for (int64_t prime = 2; prime <= FFT_SPLIT_PRIME; prime++)
        for (; n % prime == 0; n /= prime)
            cost += 2 * (double)prime + 1;
    return n == 1 ? cost : INFINITY;
}

bool fft_split_is_direct(int64_t n, int64_t lines)
{
    enum { PRODUCT = 6, ALONE = 4 }; /* operations of a product of complex numbers; gain */
    double length = (double)fft_split_padded(n), numbers = (double)n;
    double padded = 2 * length * stages_cost((int64_t)length) + PRODUCT * (length + 2 * numbers);
    if (lines <= FFT_SPLIT_FEW && n % 8 != 0)
        padded *= (double)lines / ALONE;
    return numbers * stages_cost(n) <= padded;
}

int64_t fft_split_middle(int64_t n)
{
    int64_t best = 1;
    for (int64_t d = 2; d * d <= n; d++)
        if (n % d == 0)
            best = d;
    return best;
}

struct fft_split fft_split_of(int64_t n, int64_t lines, bool strided)
{
    int64_t longest = strided ? STRIDED_LINE : LINE;
    bool direct = fft_split_is_direct(n, INT64_MAX);
    bool few = lines == 1 || (lines <= FFT_SPLIT_FEW && n >= MANY_NUMBERS);
    if (few && direct && !strided && n % 8 != 0 && fft_split_middle(n) >= FEW_ROWS)
        longest = 0;
    if (direct ? n <= longest : fft_split_padded(n) <= 2 * longest)
        return (struct fft_split){n, 1, n};
    int64_t rows = fft_split_middle(n);
    if (direct || (rows >= MIN_ROWS && n / rows <= MAX_PADDED))
        return (struct fft_split){n, rows, n / rows};
    int64_t length = fft_split_padded(n);
    rows = fft_split_middle(length);
    return (struct fft_split){length, rows, length / rows};
}

enum fft_split_real fft_split_real(int64_t n, int64_t lines)
{
    bool even = n % 2 == 0;
    if (fft_split_of(even ? n / 2 : n, lines, false).rows == 1)
        return FFT_SPLIT_LINES;
    return even ? FFT_SPLIT_HALF : FFT_SPLIT_WHOLE;
}

/* ---- scratch --------------------------------------------------------------------------------- */
static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t of_complex(int64_t n, int64_t lines, int64_t inner)
{
    struct fft_split split = fft_split_of(n, lines, inner > 1);
    if (split.rows == 1)
        return 0;
    if (split.length == n)
        return n * inner;
    return 2 * split.length * (inner < FFT_SPLIT_COLUMNS ? inner : FFT_SPLIT_COLUMNS);
}

static int64_t of_real(int64_t n, int64_t lines, bool to_real)
{
    switch (fft_split_real(n, lines)) {
    case FFT_SPLIT_LINES: return 0;
    case FFT_SPLIT_HALF: return of_complex(n / 2, lines, 1) + (to_real ? n / 2 : 0);
    case FFT_SPLIT_WHOLE: return of_complex(n, lines, 1) + 2 * n;
    }
    return 0;
}

int64_t fft_split_scratch(const struct fft_spec *spec)
{
    enum { IFFT = 1, IRFFT = 3 };
    int last = spec->dims - 1;
    int64_t n = spec->lengths[last], lines = spec->outer;
    for (int i = 0; i < last; i++)
        lines *= spec->lengths[i];
    int64_t inner = spec->kind > IFFT ? n / 2 + 1 : n, numbers = lines * inner;
    int64_t most =
        spec->kind > IFFT ? of_real(n, lines, spec->kind == IRFFT) : of_complex(n, lines, 1);
    for (int i = last - 1; i >= 0; inner *= spec->lengths[i--])
        most = larger(most, of_complex(spec->lengths[i], numbers / spec->lengths[i], inner));
    return most + (spec->kind == IRFFT && last ? numbers : 0);
}
