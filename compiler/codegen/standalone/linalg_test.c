/* Factorizations and solves, checked by multiplication: L L^H against A and op(A) X against B, for
 * every attribute and type, and awkward sizes. */
#include <complex.h>

#include "compiler/codegen/codegen_fixture.h"

typedef double complex number;

static number get(enum dtype dtype, const void *array, int64_t i)
{
    switch (dtype) {
    case DTYPE_F32: return (double)((const float *)array)[i];
    case DTYPE_F64: return ((const double *)array)[i];
    case DTYPE_C64: return (number)((const float complex *)array)[i];
    default: return ((const number *)array)[i];
    }
}

static void set(enum dtype dtype, void *array, int64_t i, number value)
{
    switch (dtype) {
    case DTYPE_F32: ((float *)array)[i] = (float)creal(value); break;
    case DTYPE_F64: ((double *)array)[i] = creal(value); break;
    case DTYPE_C64: ((float complex *)array)[i] = (float complex)value; break;
    default: ((number *)array)[i] = value;
    }
}

static number draw(uint64_t *state)
{
    double re = (double)fixture_random(state), im = (double)fixture_random(state);
    return re + im * I;
}

static void *scratch_of(struct fixture *f)
{
    return fixture_memory(f, codegen_scratch_size(f->fusion, &f->target));
}

static double tolerance_of(enum dtype dtype, int size)
{
    return (dtype == DTYPE_F32 || dtype == DTYPE_C64 ? 2e-6 : 4e-15) * (size + 4);
}

/* ---- triangular_solve ------------------------------------------------------------------------ */
struct solve {
    enum dtype dtype;
    bool left, lower, unit;
    enum transpose_kind transpose;
    int batch, size, columns;
};

/* op(A)[i][k]; zero in the triangle that is ignored. */
static number coefficient(const struct solve *s, const void *a, int batch, int i, int k)
{
    bool transposed = s->transpose != TRANSPOSE_NONE;
    int row = transposed ? k : i, column = transposed ? i : k;
    if (s->lower ? column > row : column < row)
        return 0;
    if (s->unit && row == column)
        return 1;
    number value = get(s->dtype, a, ((int64_t)batch * s->size + row) * s->size + column);
    return s->transpose == TRANSPOSE_ADJOINT ? conj(value) : value;
}

static double residual(const struct solve *s, const void *a, const void *x, const void *b)
{
    double worst = 0;
    int rows = s->left ? s->size : s->columns, columns = s->left ? s->columns : s->size;
    for (int n = 0; n < s->batch; n++)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++) {
                int64_t base = (int64_t)n * rows * columns;
                number sum = -get(s->dtype, b, base + (int64_t)i * columns + j);
                for (int k = 0; k < s->size; k++)
                    sum += s->left ? coefficient(s, a, n, i, k) *
                                         get(s->dtype, x, base + (int64_t)k * columns + j)
                                   : get(s->dtype, x, base + (int64_t)i * columns + k) *
                                         coefficient(s, a, n, k, j);
                worst = fmax(worst, cabs(sum));
            }
    return worst;
}

static void check_solve(const struct solve *s)
{
    struct arena *arena = fixture_arena();
    int rows = s->left ? s->size : s->columns, columns = s->left ? s->columns : s->size;
    const struct type *a_type = fixture_type(arena, s->dtype, 3, s->batch, s->size, s->size);
    const struct type *b_type = fixture_type(arena, s->dtype, 3, s->batch, rows, columns);
    struct fixture *f =
        fixture_begin(FUSION_STANDALONE, 2, (const struct type *const[]){a_type, b_type}, arena);
    struct op *op = fixture_op(f, f->block, OP_triangular_solve, b_type, 2, fixture_arg(f, 0),
                               fixture_arg(f, 1));
    op->attrs.triangular_solve.left_side = s->left;
    op->attrs.triangular_solve.lower = s->lower;
    op->attrs.triangular_solve.unit_diagonal = s->unit;
    op->attrs.triangular_solve.transpose_a = s->transpose;
    fixture_return(f, 1, &op->results[0]);
    size_t bytes = (size_t)type_bytes(b_type);
    void *a = fixture_memory(f, (size_t)type_bytes(a_type)), *b = fixture_memory(f, bytes);
    void *x = fixture_memory(f, bytes);
    uint64_t state = 3;
    for (int64_t i = 0; i < type_elements(a_type); i++) {
        bool diagonal = i / s->size % s->size == i % s->size;
        set(s->dtype, a, i, draw(&state) / s->size + (diagonal ? 2 : 0));
    }
    for (int64_t i = 0; i < type_elements(b_type); i++)
        set(s->dtype, b, i, draw(&state));
    fixture_run(f, 1, 1, (void *[]){a, b, x, scratch_of(f)}, NULL);
    fixture_guarded(x, bytes);
    double error = residual(s, a, x, b);
    cr_expect(error <= tolerance_of(s->dtype, s->size), "%s %s %s %s transpose %d, %dx %d, %d: %g",
              dtype_name(s->dtype), s->left ? "left" : "right", s->lower ? "lower" : "upper",
              s->unit ? "unit" : "", s->transpose, s->batch, s->size, s->columns, error);
    arena_destroy(arena);
}

Test(linalg, solves_in_every_form)
{
    static const enum dtype dtypes[] = {DTYPE_F32, DTYPE_F64, DTYPE_C64, DTYPE_C128};
    static const int shapes[][3] = {{1, 1, 1}, {2, 7, 5}, {1, 33, 70}};
    for (int form = 0; form < 24; form++)
        for (int d = 0; d < 4; d++)
            for (int i = 0; i < (form % 5 ? 2 : 3); i++)
                check_solve(&(struct solve){dtypes[d], form & 1, form & 2, form & 4,
                                            (enum transpose_kind)(TRANSPOSE_NONE + form / 8),
                                            shapes[i][0], shapes[i][1], shapes[i][2]});
}

/* ---- cholesky -------------------------------------------------------------------------------- */
static struct fixture *cholesky(enum dtype dtype, bool lower, int batch, int size)
{
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, dtype, 3, batch, size, size);
    struct fixture *f =
        fixture_begin(FUSION_STANDALONE, 1, (const struct type *const[]){type}, arena);
    struct op *op = fixture_op(f, f->block, OP_cholesky, type, 1, fixture_arg(f, 0));
    op->attrs.cholesky.lower = lower;
    fixture_return(f, 1, &op->results[0]);
    return f;
}

static void check_cholesky(enum dtype dtype, bool lower, int batch, int size)
{
    struct fixture *f = cholesky(dtype, lower, batch, size);
    size_t bytes = (size_t)type_bytes(f->fusion->results[0].type);
    void *a = fixture_memory(f, bytes), *out = fixture_memory(f, bytes);
    uint64_t state = 5;
    for (int64_t n = 0; n < (int64_t)batch * size * size;
         n++) { /* NaN in the other triangle, which must not be read */
        int64_t i = n / size % size, j = n % size;
        number value = i == j ? 3 : draw(&state) / size;
        set(dtype, a, n, i == j || (lower ? j < i : j > i) ? value : (number)NAN);
    }
    fixture_run(f, 1, 1, (void *[]){a, out, scratch_of(f)}, NULL);
    fixture_guarded(out, bytes);
    double worst = 0;
    for (int n = 0; n < batch; n++)
        for (int i = 0; i < size; i++)
            for (int j = 0; j < size; j++) {
                int64_t base = (int64_t)n * size * size;
                number sum = 0;
                for (int k = 0; k < size; k++)
                    sum += lower ? get(dtype, out, base + i * size + k) *
                                       conj(get(dtype, out, base + j * size + k))
                                 : conj(get(dtype, out, base + k * size + i)) *
                                       get(dtype, out, base + k * size + j);
                number expected = get(dtype, a, base + i * size + j);
                if (lower ? j <= i : j >= i)
                    worst = fmax(worst, cabs(sum - expected));
                else
                    cr_expect(get(dtype, out, base + i * size + j) == 0);
            }
    cr_expect(worst <= tolerance_of(dtype, size), "%s %s %d: %g", dtype_name(dtype),
              lower ? "lower" : "upper", size, worst);
    arena_destroy(f->arena);
}

Test(linalg, factors_multiply_to_the_matrix)
{
    static const enum dtype dtypes[] = {DTYPE_F32, DTYPE_F64, DTYPE_C64, DTYPE_C128};
    for (int d = 0; d < 4; d++)
        for (int lower = 0; lower < 2; lower++) {
            check_cholesky(dtypes[d], lower, 3, 1);
            check_cholesky(dtypes[d], lower, 2, 5);
            check_cholesky(dtypes[d], lower, 1, 67);
        }
}

Test(linalg, what_is_not_positive_definite_gives_nan)
{
    struct fixture *f = cholesky(DTYPE_F64, true, 1, 3);
    double *a = fixture_memory(f, 72), *out = fixture_memory(f, 72);
    memcpy(a, (double[9]){1, 0, 0, 0, -1, 0, 0, 0, 1}, 72);
    fixture_run(f, 0, 0, (void *[]){a, out, scratch_of(f)}, NULL);
    cr_expect(isnan(out[0]) && isnan(out[3]) && isnan(out[4]) && isnan(out[8]));
    cr_expect(out[1] == 0 && out[2] == 0 && out[5] == 0);
    arena_destroy(f->arena);
}
