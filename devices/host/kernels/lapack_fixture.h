/* lapack_fixture.h: helpers for the tests of LAPACK's custom calls: builds a call on a batch of two
 * matrices of one of the four types, runs it and reads its results. Header only; each test program
 * has its own copy. */
#ifndef GANTRY_DEVICES_HOST_KERNELS_LAPACK_FIXTURE_H
#define GANTRY_DEVICES_HOST_KERNELS_LAPACK_FIXTURE_H

#include "devices/host/kernels/lapack.h"

#include <complex.h>
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/host/kernels/kernels.h"

typedef double complex number;

enum { BATCH = 2, MAX_ORDER = 8, CAPACITY = MAX_ORDER * MAX_ORDER };

static const enum dtype types[] = {DTYPE_F32, DTYPE_F64, DTYPE_C64, DTYPE_C128};
static const char letters[] = "sdcz";

struct matrix { /* column-major */
    int rows, columns;
    number at[CAPACITY];
};

struct test_call { /* a call under construction */
    enum dtype dtype;
    struct call_spec spec;
    struct call_value values[10];
    int64_t dims[10][3];
    struct call_attribute attributes[4];
    int64_t numbers[4];
    void *data[10];
    _Alignas(64) char memory[10][BATCH * CAPACITY * 16];
};

static struct test_call t;

static inline bool is_complex(enum dtype dtype)
{
    return dtype == DTYPE_C64 || dtype == DTYPE_C128;
}

static inline number get(enum dtype dtype, const void *memory, int i)
{
    switch (dtype) {
    case DTYPE_F32: return ((const float *)memory)[i];
    case DTYPE_F64: return ((const double *)memory)[i];
    case DTYPE_C64: return ((const float complex *)memory)[i];
    case DTYPE_C128: return ((const double complex *)memory)[i];
    default: return ((const int *)memory)[i];
    }
}

static inline void put(enum dtype dtype, void *memory, int i, number value)
{
    switch (dtype) {
    case DTYPE_F32: ((float *)memory)[i] = (float)creal(value); break;
    case DTYPE_F64: ((double *)memory)[i] = creal(value); break;
    case DTYPE_C64: ((float complex *)memory)[i] = (float complex)value; break;
    case DTYPE_C128: ((double complex *)memory)[i] = value; break;
    default: ((int *)memory)[i] = (int)creal(value);
    }
}

static inline void begin(enum dtype dtype)
{
    t = (struct test_call){.dtype = dtype};
    t.spec.values = t.values;
    t.spec.attributes = t.attributes;
}

static inline int value(enum dtype dtype, int rows, int columns)
{
    int i = t.spec.value_count++;
    int64_t *dims = t.dims[i];
    dims[0] = BATCH, dims[1] = rows, dims[2] = columns;
    t.values[i] = (struct call_value){
        .shape = {.dtype = dtype, .rank = 1 + (rows >= 0) + (columns >= 0), .dims = dims},
        .slice = i};
    t.data[i] = t.memory[i];
    return i;
}

/* Adds matrices as an operand; all operands must be added before all results. */
static inline void operand(const struct matrix m[BATCH])
{
    int i = value(t.dtype, m[0].rows, m[0].columns), size = m[0].rows * m[0].columns;
    t.spec.operand_count++;
    for (int k = 0; k < BATCH * size; k++)
        put(t.dtype, t.memory[i], k, m[k / size].at[k % size]);
}

static inline struct matrix result(int i, int b)
{
    const struct call_value *v = &t.values[t.spec.operand_count + i];
    struct matrix m = {v->shape.rank > 1 ? (int)v->shape.dims[1] : 1,
                       v->shape.rank > 2 ? (int)v->shape.dims[2] : 1,
                       {0}};
    for (int k = 0; k < m.rows * m.columns; k++)
        m.at[k] = get(v->shape.dtype, t.data[v->slice], b * m.rows * m.columns + k);
    return m;
}

static inline void option(const char *name, int64_t what)
{
    int i = t.spec.attribute_count++;
    t.numbers[i] = what;
    t.attributes[i] = (struct call_attribute){.name = (char *)(uintptr_t)name,
                                              .name_size = strlen(name),
                                              .kind = CALL_SCALAR,
                                              .dtype = DTYPE_S64,
                                              .elements = 1,
                                              .data = &t.numbers[i],
                                              .size = 8};
}

static inline int by_name(const void *a, const void *b)
{
    return strcmp(((const struct call_attribute *)a)->name,
                  ((const struct call_attribute *)b)->name);
}

static inline struct error *call(const char *target)
{
    struct custom_call_handler handler;
    struct custom_call what = {.spec = &t.spec, .data = t.data};
    t.spec.target = (char *)(uintptr_t)target;
    qsort(t.attributes, (size_t)t.spec.attribute_count, sizeof *t.attributes, by_name);
    cr_assert(kernels_find_call(target, strlen(target), &handler), "%s", target);
    return handler.run(handler.user, &what);
}

static inline void run(const char *name)
{
    char target[64];
    size_t type = 0;
    while (types[type] != t.dtype)
        type++;
    snprintf(target, sizeof target, "lapack_%c%s_ffi", letters[type], name);
    struct error *error = call(target);
    cr_assert_null(error, "%s: %s", target, error ? error_message(error, NULL) : "");
}

/* ---- matrices -------------------------------------------------------------------------------- */
static inline struct matrix some(int rows, int columns, int seed)
{
    struct matrix m = {rows, columns, {0}};
    uint64_t state = (uint64_t)seed + 1;
    for (int i = 0; i < rows * columns; i++) {
        double parts[2];
        for (int k = 0; k < 2; k++) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            parts[k] = (double)(int32_t)(state >> 32) / 2147483648.0;
        }
        m.at[i] = parts[0] + (is_complex(t.dtype) ? parts[1] : 0) * I;
    }
    return m;
}

static inline struct matrix times(const struct matrix *a, const struct matrix *b)
{
    struct matrix m = {a->rows, b->columns, {0}};
    cr_assert_eq(a->columns, b->rows);
    for (int j = 0; j < m.columns; j++)
        for (int i = 0; i < m.rows; i++)
            for (int k = 0; k < a->columns; k++)
                m.at[i + j * m.rows] += a->at[i + k * a->rows] * b->at[k + j * b->rows];
    return m;
}

static inline struct matrix adjoint(const struct matrix *a)
{
    struct matrix m = {a->columns, a->rows, {0}};
    for (int j = 0; j < a->columns; j++)
        for (int i = 0; i < a->rows; i++)
            m.at[j + i * m.rows] = conj(a->at[i + j * a->rows]);
    return m;
}

/* Keeps only the triangle; `unit`: with ones on the diagonal. */
static inline struct matrix triangle(const struct matrix *a, bool upper, bool unit)
{
    struct matrix m = *a;
    for (int j = 0; j < m.columns; j++)
        for (int i = 0; i < m.rows; i++)
            m.at[i + j * m.rows] = unit && i == j              ? 1
                                   : (upper ? i <= j : i >= j) ? a->at[i + j * a->rows]
                                                               : 0;
    return m;
}

static inline struct matrix part(const struct matrix *a, int rows, int columns)
{
    struct matrix m = {rows, columns, {0}};
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++)
            m.at[i + j * rows] = a->at[i + j * a->rows];
    return m;
}

static inline struct matrix diagonal(const struct matrix *vector)
{
    struct matrix m = {vector->rows, vector->rows, {0}};
    for (int i = 0; i < m.rows; i++)
        m.at[i + i * m.rows] = vector->at[i];
    return m;
}

/* Positive definite: m m^H + rows. */
static inline struct matrix definite(int n, int seed)
{
    struct matrix m = some(n, n, seed), h = adjoint(&m), p = times(&m, &h);
    for (int i = 0; i < n; i++)
        p.at[i + i * n] += n;
    return p;
}

static inline void same(const char *what, const struct matrix *a, const struct matrix *b)
{
    double bound = t.dtype == DTYPE_F32 || t.dtype == DTYPE_C64 ? 1e-4 : 1e-11;
    cr_assert(a->rows == b->rows && a->columns == b->columns, "%s", what);
    for (int i = 0; i < a->rows * a->columns; i++)
        cr_assert_leq(cabs(a->at[i] - b->at[i]), bound, "%s of %s at %d: %g%+gi, not %g%+gi", what,
                      dtype_name(t.dtype), i, creal(a->at[i]), cimag(a->at[i]), creal(b->at[i]),
                      cimag(b->at[i]));
}

#define EACH_TYPE for (int type = 0; type < 4; type++)
#define EACH_SIZE for (int n = 1; n <= 5; n += 2)

static inline enum dtype real_of(enum dtype dtype)
{
    return dtype_real_part(dtype);
}

#endif
