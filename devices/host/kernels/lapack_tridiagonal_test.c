/* Tests that tridiagonal systems of a batch, which are solved in the lanes of vectors, get the
 * results that LAPACK gives each alone: every bit, of all results, NaNs apart. */
#include "devices/host/kernels/lapack.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "devices/host/kernels/kernels.h"

enum { MOST = 37, ROWS = 9, COLUMNS = 3, ARRAYS = 4, VALUES = 2 * ARRAYS + 1 };

struct systems { /* operands, then results with `info` behind them */
    _Alignas(64) char memory[VALUES][MOST * ROWS * COLUMNS * 8];
};

static struct systems together, alone;

static void solve(struct systems *s, int letter, int first, int batch, int n, int columns)
{
    int64_t vector[] = {batch, n}, matrix[] = {batch, n, columns};
    size_t element = letter == 'd' ? 8 : 4;
    struct call_value values[VALUES];
    void *data[VALUES];
    for (int i = 0; i < VALUES; i++) {
        bool right = i % ARRAYS == 3, info = i == VALUES - 1;
        size_t bytes = info ? sizeof(int) : element * (size_t)(n * (right ? columns : 1));
        data[i] = s->memory[i] + (size_t)first * bytes;
        values[i] = (struct call_value){.shape = {.dtype = info            ? DTYPE_S32
                                                           : letter == 'd' ? DTYPE_F64
                                                                           : DTYPE_F32,
                                                  .rank = info    ? 1
                                                          : right ? 3
                                                                  : 2,
                                                  .dims = right ? matrix : vector},
                                        .slice = i};
    }
    char target[] = "lapack_?gtsv_ffi";
    target[7] = (char)letter;
    struct call_spec spec = {
        .target = target, .values = values, .value_count = VALUES, .operand_count = ARRAYS};
    struct custom_call what = {.spec = &spec, .data = data};
    struct custom_call_handler handler;
    cr_assert(kernels_find_call(target, strlen(target), &handler));
    struct error *error = handler.run(handler.user, &what);
    cr_assert_null(error, "%s", error ? error_message(error, NULL) : "");
}

/* Often 0, and of such sizes that about every other row is exchanged. */
static double some(uint64_t *state, int hostile)
{
    static const double special[] = {0, -0.0, 1e-42, 1e38, INFINITY, -INFINITY, NAN, 1};
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    unsigned kind = (unsigned)(*state >> 40) % 1000;
    if (kind < (unsigned)hostile)
        return special[kind % 8];
    return ldexp((double)(int32_t)(*state >> 32), -31 + (int)(kind % 4));
}

static void fill(int letter, uint64_t seed, int hostile)
{
    for (int a = 0; a < ARRAYS; a++)
        for (int i = 0; i < MOST * ROWS * COLUMNS; i++) {
            double number = some(&seed, hostile);
            if (letter == 'd')
                ((double *)together.memory[a])[i] = number;
            else
                ((float *)together.memory[a])[i] = (float)number;
        }
    alone = together;
}

static bool is_nan(int letter, const char *at)
{
    double wide;
    float single;
    memcpy(&wide, at, letter == 'd' ? 8 : 0);
    memcpy(&single, at, letter == 'd' ? 0 : 4);
    return letter == 'd' ? isnan(wide) : isnan(single);
}

/* The contents of a singular system are those of LAPACK as well. */
static void same(int letter, int batch, int n, int columns)
{
    cr_assert_arr_eq(together.memory[VALUES - 1], alone.memory[VALUES - 1],
                     (size_t)batch * sizeof(int), "info");
    int element = letter == 'd' ? 8 : 4;
    for (int a = ARRAYS; a < 2 * ARRAYS; a++)
        for (int i = 0; i < batch * n * (a == 2 * ARRAYS - 1 ? columns : 1); i++) {
            const char *x = together.memory[a] + element * i, *y = alone.memory[a] + element * i;
            cr_assert(!memcmp(x, y, (size_t)element) || (is_nan(letter, x) && is_nan(letter, y)),
                      "%c: batch %d of %d x %d: element %d of result %d", letter, batch, n, columns,
                      i, a - ARRAYS);
        }
}

static void compare(int letter, int hostile)
{
    static const int batches[] = {2, 3, 5, 16, 17, MOST};
    for (size_t b = 0; b < sizeof batches / sizeof *batches; b++)
        for (int n = 1; n <= ROWS; n++)
            for (int columns = 1; columns <= COLUMNS; columns++) {
                int batch = batches[b];
                fill(letter, (uint64_t)(batch * 100 + n * 10 + columns), hostile);
                solve(&together, letter, 0, batch, n, columns);
                for (int i = 0; i < batch; i++)
                    solve(&alone, letter, i, 1, n, columns);
                same(letter, batch, n, columns);
            }
}

Test(lapack_tridiagonal, systems_of_a_batch_as_alone)
{
    compare('s', 0);
    compare('d', 0);
}

Test(lapack_tridiagonal, singular_and_special_ones_as_alone)
{
    compare('s', 20);
    compare('d', 20);
    compare('s', 300);
    compare('d', 300);
}
