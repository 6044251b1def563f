#include "devices/host/builtin_calls.h"

#include <criterion/criterion.h>
#include <string.h>

#define CSR "cpu_csr_sparse_dense_ffi"

/* [[2 0 3], [0 0 0], [0 5 0]] in CSR format, times a [3, 2] matrix or a [3] vector. */
static int64_t three[] = {3}, four[] = {4}, tall[] = {3, 2};
static char csr[] = CSR;
static int32_t offsets[] = {0, 2, 2, 3}, columns[] = {0, 2, 1};

struct product {
    struct call_value values[5];
    struct call_spec spec;
    void *data[5];
};

static struct product product_of(enum dtype dtype, int rank, void *entries, void *dense, void *out)
{
    struct product p = {
        .values = {{.shape = {.dtype = dtype, .rank = 1, .dims = three}, .slice = 0},
                   {.shape = {.dtype = DTYPE_S32, .rank = 1, .dims = four}, .slice = 1},
                   {.shape = {.dtype = DTYPE_S32, .rank = 1, .dims = three}, .slice = 2},
                   {.shape = {.dtype = dtype, .rank = rank, .dims = tall}, .slice = 3},
                   {.shape = {.dtype = dtype, .rank = rank, .dims = tall}, .slice = 4}},
        .data = {entries, offsets, columns, dense, out}};
    p.spec = (struct call_spec){.target = csr, .operand_count = 4, .value_count = 5};
    return p;
}

static struct error *run(struct product *p)
{
    const struct custom_call_handler *handler = builtin_calls_find(CSR, sizeof CSR - 1);
    void *state;
    p->spec.values = p->values;
    TRY(handler->instantiate(handler->user, &p->spec, &state));
    return handler->run(handler->user, &(struct custom_call){.spec = &p->spec, .data = p->data});
}

Test(builtin_calls, sparse_times_matrix)
{
    double entries[] = {2, 3, 5}, dense[] = {1, 2, 3, 4, 5, 6}, out[6];
    static const double want[] = {17, 22, 0, 0, 15, 20};
    struct product p = product_of(DTYPE_F64, 2, entries, dense, out);
    cr_assert_null(run(&p));
    cr_assert_arr_eq(out, want, sizeof want);
}

Test(builtin_calls, sparse_times_complex_vector)
{
    float entries[] = {2, 1, 3, 0, 0, 1}, dense[] = {1, 0, 2, 1, 0, -1}, out[6];
    static const float want[] = {2, -2, 0, 0, -1, 2};
    struct product p = product_of(DTYPE_C64, 1, entries, dense, out);
    cr_assert_null(run(&p));
    cr_assert_arr_eq(out, want, sizeof want);
}

/* Every number of columns, also those that are no multiple of what is summed at once. Products and
 * sums are small integers: exact. */
static void check_width(int64_t width)
{
    enum { MOST = 45 };
    int64_t sizes[] = {3, width};
    double entries[] = {2, 3, 5}, dense[3 * MOST], out[3 * MOST];
    for (int64_t i = 0; i < 3 * width; i++)
        dense[i] = (double)(i * i % 97);
    struct product p = product_of(DTYPE_F64, 2, entries, dense, out);
    p.values[3].shape.dims = p.values[4].shape.dims = sizes;
    cr_assert_null(run(&p));
    for (int64_t j = 0; j < width; j++) {
        cr_assert_eq(out[j], 2 * dense[j] + 3 * dense[2 * width + j], "%ld %ld", width, j);
        cr_assert_eq(out[width + j], 0);
        cr_assert_eq(out[2 * width + j], 5 * dense[width + j]);
    }
}

/* The same with the complex entries 2 + i, 3 and i. */
static void check_complex_width(int64_t width)
{
    enum { MOST = 45 };
    int64_t sizes[] = {3, width};
    float entries[] = {2, 1, 3, 0, 0, 1}, dense[6 * MOST], out[6 * MOST];
    for (int64_t i = 0; i < 6 * width; i++)
        dense[i] = (float)(i * i % 97);
    struct product p = product_of(DTYPE_C64, 2, entries, dense, out);
    p.values[3].shape.dims = p.values[4].shape.dims = sizes;
    cr_assert_null(run(&p));
    for (int64_t j = 0; j < 2 * width; j += 2) {
        const float *x = dense + j, *y = x + 2 * width, *z = y + 2 * width;
        cr_assert_eq(out[j], 2 * x[0] - x[1] + 3 * z[0], "%ld %ld", width, j);
        cr_assert_eq(out[j + 1], 2 * x[1] + x[0] + 3 * z[1], "%ld %ld", width, j);
        cr_assert_eq(out[2 * width + j], 0);
        cr_assert_eq(out[2 * width + j + 1], 0);
        cr_assert_eq(out[4 * width + j], -y[1]);
        cr_assert_eq(out[4 * width + j + 1], y[0]);
    }
}

Test(builtin_calls, sparse_times_matrices_of_all_widths)
{
    for (int64_t width = 0; width <= 45; width++) {
        check_width(width);
        check_complex_width(width);
    }
}

/* Invalid indices never cause reads outside the operands. */
Test(builtin_calls, sparse_indices_outside)
{
    static int32_t wild[] = {-5, 2, 1, 2000000000}, far[] = {-1, 3, 1};
    float entries[] = {2, 3, 5}, dense[] = {1, 2, 3, 4, 5, 6}, out[6];
    static const float want[] = {0, 0, 0, 0, 15, 20};
    struct product p = product_of(DTYPE_F32, 2, entries, dense, out);
    p.data[1] = wild, p.data[2] = far;
    cr_assert_null(run(&p));
    cr_assert_arr_eq(out, want, sizeof want);
}

Test(builtin_calls, sparse_of_other_types_or_sizes_is_refused)
{
    double entries[3], dense[6], out[6];
    struct product p = product_of(DTYPE_BF16, 2, entries, dense, out);
    struct error *error = run(&p);
    cr_assert(error_code(error) == PJRT_Error_Code_UNIMPLEMENTED);
    error_free(error);
    for (int bad = 0; bad < 5; bad++) {
        p = product_of(DTYPE_F64, 2, entries, dense, out);
        switch (bad) {
        case 0: p.values[1].shape.dims = three; break;
        case 1: p.values[2].shape.dtype = DTYPE_S64; break;
        case 2: p.values[4].shape.rank = 1; break;
        case 3: p.values[3].shape.dtype = DTYPE_F32; break;
        default: p.spec.operand_count = 3;
        }
        error = run(&p);
        cr_assert(error && error_code(error) == PJRT_Error_Code_INVALID_ARGUMENT, "%d", bad);
        error_free(error);
    }
}

Test(builtin_calls, names_are_whole)
{
    cr_assert_not_null(builtin_calls_find("dce_sink", 8));
    cr_assert_null(builtin_calls_find("dce_sin", 7));
    cr_assert_null(builtin_calls_find("dce_sinks", 9));
}
