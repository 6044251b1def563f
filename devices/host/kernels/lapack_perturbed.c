/* lapack_perturbed.c: tridiagonal systems that may be singular, as in inverse iteration. Gaussian
 * elimination with row exchanges leaves an upper triangle U of three diagonals. Where a division by
 * a pivot would overflow, the pivot is perturbed by epsilon * max |U(i, j)|, twice that, and so on.
 * LAPACK's xLAGTS does the same but has no complex version. All types are computed as complex
 * doubles and rounded at the end, with the epsilon and the minimum pivot of the type. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "devices/host/kernels/lapack.h"

typedef double complex number;

struct system {
    int n, columns;
    /* `above`: the fill-in above `upper` from row exchanges */
    number *lower, *diagonal, *upper, *above;
    number *x; /* n values per column */
    double epsilon, smallest_normal;
};

/* glibc has CMPLX for gcc only. */
static number number_of(double real, double imaginary)
{
    const double parts[2] = {real, imaginary};
    number out;
    memcpy(&out, parts, sizeof out);
    return out;
}

static number load(const struct lapack_call *c, const void *from, int64_t i)
{
    const float *single = from;
    const double *wide = from;
    switch (c->type) {
    case LAPACK_S: return single[i];
    case LAPACK_D: return wide[i];
    case LAPACK_C: return number_of(single[2 * i], single[2 * i + 1]);
    default: return number_of(wide[2 * i], wide[2 * i + 1]);
    }
}

static void store(const struct lapack_call *c, void *to, int64_t i, number value)
{
    float *single = to;
    double *wide = to;
    int parts = lapack_is_complex(c) ? 2 : 1;
    for (int part = 0; part < parts; part++) {
        double number_part = part ? cimag(value) : creal(value);
        if (c->real == sizeof *single)
            single[parts * i + part] = (float)number_part;
        else
            wide[parts * i + part] = number_part;
    }
}

static void swap(number *a, number *b)
{
    number kept = *a;
    *a = *b;
    *b = kept;
}

/* Eliminates the first element of row i + 1, after an exchange that makes row i's first element the
 * larger one. */
static void eliminate(struct system *s, int i)
{
    number *first = &s->lower[i + 1];
    bool exchange = cabs(*first) > cabs(s->diagonal[i]);
    s->above[i] = 0;
    if (exchange) {
        swap(&s->diagonal[i], first);
        swap(&s->upper[i], &s->diagonal[i + 1]);
        if (i + 2 < s->n)
            swap(&s->above[i], &s->upper[i + 1]);
    }
    number factor = s->diagonal[i] == 0 ? 0 : *first / s->diagonal[i];
    s->diagonal[i + 1] -= factor * s->upper[i];
    if (i + 2 < s->n)
        s->upper[i + 1] -= factor * s->above[i];
    for (int j = 0; j < s->columns; j++) {
        number *x = &s->x[(int64_t)j * s->n + i];
        if (exchange)
            swap(&x[0], &x[1]);
        x[1] -= factor * x[0];
    }
}

/* The perturbation of pivots. */
static double step_of(const struct system *s)
{
    double largest = 0;
    for (int i = 0; i < s->n; i++) {
        largest = fmax(largest, cabs(s->diagonal[i]));
        largest = i + 1 < s->n ? fmax(largest, cabs(s->upper[i])) : largest;
        largest = i + 2 < s->n ? fmax(largest, cabs(s->above[i])) : largest;
    }
    return fmax(s->epsilon * largest, s->smallest_normal);
}

/* Returns a pivot by which the row's value in every column can be divided: quotients stay below 1 /
 * least. */
static number pivot_of(const struct system *s, int row, double step)
{
    number pivot = s->diagonal[row];
    double by = creal(pivot) < 0 ? -step : step;
    for (int j = 0; j < s->columns; j++)
        for (double value = cabs(s->x[(int64_t)j * s->n + row]);
             pivot == 0 || value * s->smallest_normal > cabs(pivot); by *= 2)
            pivot += by;
    return pivot;
}

static void solve(struct system *s)
{
    for (int i = 0; i + 1 < s->n; i++)
        eliminate(s, i);
    double step = step_of(s);
    for (int i = s->n - 1; i >= 0; i--) {
        for (int j = 0; j < s->columns; j++) {
            number *x = &s->x[(int64_t)j * s->n + i];
            x[0] -= i + 1 < s->n ? s->upper[i] * x[1] : 0;
            x[0] -= i + 2 < s->n ? s->above[i] * x[2] : 0;
        }
        number pivot = pivot_of(s, i, step);
        for (int j = 0; j < s->columns; j++)
            s->x[(int64_t)j * s->n + i] /= pivot;
    }
}

struct error *lapack_solve_perturbed_tridiagonal(const struct lapack_call *c, int64_t begin,
                                                 int64_t end)
{
    bool single = c->real == sizeof(float);
    int n = lapack_size(c, 'n'), columns = lapack_size(c, 'r');
    struct system s = {.n = n,
                       .columns = columns,
                       .epsilon = single ? FLT_EPSILON : DBL_EPSILON,
                       .smallest_normal = single ? FLT_MIN : DBL_MIN};
    int64_t count = (int64_t)n * columns;
    TRY(lapack_alloc(4 * (int64_t)n + count, sizeof(number), &s.lower));
    s.diagonal = s.lower + n, s.upper = s.diagonal + n, s.above = s.upper + n, s.x = s.above + n;
    for (int64_t i = begin; i < end; i++) {
        number *const diagonals[] = {s.lower, s.diagonal, s.upper};
        for (int d = 0; d < 3; d++)
            for (int j = 0; j < n; j++)
                diagonals[d][j] = load(c, lapack_operand(c, d, i), j);
        for (int64_t j = 0; j < count; j++)
            s.x[j] = load(c, lapack_operand(c, 3, i), j);
        solve(&s);
        for (int64_t j = 0; j < count; j++)
            store(c, lapack_result(c, 0, i), j, s.x[j]);
    }
    alloc_free(s.lower);
    return NULL;
}
