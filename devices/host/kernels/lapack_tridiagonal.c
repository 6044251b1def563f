/* lapack_tridiagonal.c: tridiagonal systems. Those of real numbers are solved side by side in the
 * lanes of vectors (tridiagonal_lanes.h), from copies in which the elements that they have at the
 * same place are together; complex ones, one that is left alone and singular ones by LAPACK. */
#include <string.h>

#include "base/alloc.h"
#include "devices/host/kernels/lapack.h"
#include "devices/host/kernels/transpose_block.h"
#include "devices/host/kernels/tridiagonal_lanes.h"

LAPACK_FORTRAN(gtsv, sgtsv_, dgtsv_, cgtsv_, zgtsv_, const int *n, const int *nrhs, void *dl,
               void *d, void *du, void *b, const int *ldb, int *info);

enum { LOWER, DIAGONAL, UPPER, RIGHT, ARRAYS, INFO = ARRAYS }; /* operands and results */

/* The lower diagonal is as long as the diagonal, and its first element is unused. */
static struct error *solve_alone(const struct lapack_call *c, int64_t i)
{
    int n = lapack_size(c, 'n'), columns = lapack_size(c, 'r'), ldb = lapack_leading(n);
    int *info = lapack_result(c, INFO, i);
    char *to[ARRAYS];
    for (int a = 0; a < ARRAYS; a++) {
        const void *from = lapack_operand(c, a, i);
        to[a] = lapack_result(c, a, i);
        if (to[a] != from)
            memcpy(to[a], from, (size_t)n * (size_t)(a == RIGHT ? columns : 1) * c->element);
    }
    gtsv[c->type](&n, &columns, to[LOWER] + (n > 1 ? c->element : 0), to[DIAGONAL], to[UPPER],
                  to[RIGHT], &ldb, info);
    return lapack_check(c, *info);
}

/* ---- in lanes -------------------------------------------------------------------------------- */
struct group { /* systems that are solved together */
    const struct lapack_call *c;
    int64_t first, count, lanes;
    char *operands[ARRAYS], *results[ARRAYS]; /* of the first system of all */
    char *arrays[ARRAYS];                     /* as in tridiagonal_lanes.h */
};

static void gather(const struct group *g, const void *from, int64_t column, int64_t rows,
                   int64_t columns, void *to, int64_t to_row)
{
    if (g->c->type == LAPACK_S)
        transpose_block_gather_f32(from, 1, column, rows, columns, to, to_row);
    else
        transpose_block_gather_f64(from, 1, column, rows, columns, to, to_row);
}

/* Copies the operands to the lanes, or the lanes to the results. */
static void copy_array(const struct group *g, int array, bool in)
{
    int64_t n = lapack_size(g->c, 'n'), columns = array == RIGHT ? lapack_size(g->c, 'r') : 1;
    for (int64_t k = 0; k < columns; k++) {
        size_t at = (size_t)((g->first * columns + k) * n) * g->c->element;
        char *lanes = g->arrays[array] + (size_t)(k * g->lanes) * g->c->element;
        if (in)
            gather(g, g->operands[array] + at, n * columns, n, g->count, lanes, columns * g->lanes);
        else
            gather(g, lanes, columns * g->lanes, g->count, n, g->results[array] + at, n * columns);
    }
}

static struct error *solve_group(const struct group *g, tridiagonal_solver *solve)
{
    const struct lapack_call *c = g->c;
    for (int a = 0; a < ARRAYS; a++)
        copy_array(g, a, true);
    uint32_t singular = solve(lapack_size(c, 'n'), lapack_size(c, 'r'), g->arrays[LOWER],
                              g->arrays[DIAGONAL], g->arrays[UPPER], g->arrays[RIGHT]);
    singular &= (uint32_t)((UINT64_C(1) << g->count) - 1);
    if (singular) {
        for (int64_t j = 0; j < g->count; j++)
            TRY(solve_alone(c, g->first + j));
        return NULL;
    }
    for (int a = 0; a < ARRAYS; a++)
        copy_array(g, a, false);
    memset(lapack_result(c, INFO, g->first), 0, (size_t)g->count * sizeof(int));
    return NULL;
}

/* Memory for `lanes` systems, zeroed because not every lane may have one. *out is owned. */
static struct error *alloc_lanes(struct group *g, int64_t lanes, void *out)
{
    int64_t n = lapack_size(g->c, 'n'), columns = lapack_size(g->c, 'r');
    char *memory = NULL;
    size_t bytes = (size_t)(n * lanes) * g->c->element;
    TRY(alloc_aligned((size_t)(RIGHT + columns) * bytes, &memory));
    memset(memory, 0, (size_t)(RIGHT + columns) * bytes);
    for (int a = 0; a < ARRAYS; a++)
        g->arrays[a] = memory + (size_t)a * bytes;
    *(char **)out = memory;
    return NULL;
}

static struct error *solve_in_lanes(const struct lapack_call *c, int64_t begin, int64_t end)
{
    struct group g = {.c = c};
    for (int a = 0; a < ARRAYS; a++)
        g.operands[a] = lapack_operand(c, a, 0), g.results[a] = lapack_result(c, a, 0);
    void *memory;
    TRY(alloc_lanes(&g, tridiagonal_lanes(c->type == LAPACK_D, end - begin).lanes, &memory));
    struct error *error = NULL;
    for (g.first = begin; !error && g.first < end; g.first += g.count) {
        const struct tridiagonal_lanes how = tridiagonal_lanes(c->type == LAPACK_D, end - g.first);
        g.lanes = how.lanes;
        g.count = end - g.first < g.lanes ? end - g.first : g.lanes;
        error = g.count > 1 ? solve_group(&g, how.solve) : solve_alone(c, g.first);
    }
    alloc_free(memory);
    return error;
}

struct error *lapack_solve_tridiagonal(const struct lapack_call *c, int64_t begin, int64_t end)
{
    if (!lapack_is_complex(c) && end - begin > 1 && lapack_size(c, 'n') > 0)
        return solve_in_lanes(c, begin, end);
    for (int64_t i = begin; i < end; i++)
        TRY(solve_alone(c, i));
    return NULL;
}
