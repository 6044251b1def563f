#include "devices/host/builtin_calls.h"

#include <string.h>

#include "base/pool.h"
#include "devices/host/fft/fft_call.h"
#include "devices/host/kernel_call.h"
#include "devices/host/top_k/top_k_call.h"

/* ---- dce_sink -------------------------------------------------------------------------------- */
static struct error *sink_check(const void *user, const struct call_spec *spec, void **state)
{
    (void)user;
    *state = NULL;
    if (spec->value_count > spec->operand_count)
        return ERROR(INVALID_ARGUMENT, "custom call %s has no results, but %d are expected",
                     spec->target, spec->value_count - spec->operand_count);
    return NULL;
}

static struct error *sink_run(const void *user, const struct custom_call *call)
{
    (void)user;
    (void)call;
    return NULL;
}

/* ---- cpu_csr_sparse_dense_ffi ---------------------------------------------------------------- */
enum { VALUES, OFFSETS, COLUMNS, DENSE, OUT, SPARSE_VALUES };
enum { CHUNK_COST = 50000 };  /* minimum number of additions per parallel task */
enum { LANES = 16, FEW = 4 }; /* numbers of a row that are summed in one pass over its entries */

struct sparse {
    const void *values, *dense;
    const int32_t *offsets, *columns;
    void *out;
    int64_t value_count, dense_rows, width;
};

/* Columns [at, at + count) of one row of the result, at most LANES: the sum over the row's entries,
 * in their order, of the dense rows that they select. With a constant `count` the sums stay in
 * registers. `parts`: 1 for real and 2 for complex elements; `at` and `count` are in parts. Complex
 * products are written out, without the C operator's handling of infinities. */
#define SPARSE_BLOCK(name, type, parts, multiply_add)                                              \
    static inline __attribute__((always_inline)) void name##_block(                                \
        const struct sparse *s, int64_t row, int64_t at, int64_t count)                            \
    {                                                                                              \
        type to[LANES] = {0};                                                                      \
        int64_t width = s->width * (parts), first = s->offsets[row], last = s->offsets[row + 1];   \
        if (last > s->value_count)                                                                 \
            last = s->value_count;                                                                 \
        for (int64_t i = first < 0 ? 0 : first; i < last; i++) {                                   \
            const type *v = (const type *)s->values + i * (parts);                                 \
            int64_t column = s->columns[i];                                                        \
            if (column < 0 || column >= s->dense_rows)                                             \
                continue;                                                                          \
            const type *from = (const type *)s->dense + column * width + at;                       \
            _Pragma("GCC unroll 16") for (int64_t j = 0; j < count; j += (parts))                  \
            {                                                                                      \
                multiply_add                                                                       \
            }                                                                                      \
        }                                                                                          \
        memcpy((type *)s->out + row * width + at, to, (size_t)count * sizeof(type));               \
    }

/* Computes rows [begin, end), in blocks of LANES columns, of FEW and of one. */
#define SPARSE_ROWS(name, type, parts, multiply_add)                                               \
    SPARSE_BLOCK(name, type, parts, multiply_add)                                                  \
    static void name(void *context, int64_t begin, int64_t end)                                    \
    {                                                                                              \
        const struct sparse *s = context;                                                          \
        int64_t width = s->width * (parts);                                                        \
        for (int64_t row = begin; row < end; row++) {                                              \
            int64_t at = 0;                                                                        \
            for (; at + LANES <= width; at += LANES)                                               \
                name##_block(s, row, at, LANES);                                                   \
            for (; at + FEW <= width; at += FEW)                                                   \
                name##_block(s, row, at, FEW);                                                     \
            for (; at < width; at += (parts))                                                      \
                name##_block(s, row, at, (parts));                                                 \
        }                                                                                          \
    }
#define REAL to[j] += v[0] * from[j];
#define COMPLEX                                                                                    \
    to[j] += v[0] * from[j] - v[1] * from[j + 1];                                                  \
    to[j + 1] += v[0] * from[j + 1] + v[1] * from[j];

SPARSE_ROWS(rows_f32, float, 1, REAL)
SPARSE_ROWS(rows_f64, double, 1, REAL)
SPARSE_ROWS(rows_c64, float, 2, COMPLEX)
SPARSE_ROWS(rows_c128, double, 2, COMPLEX)

typedef void rows_function(void *context, int64_t begin, int64_t end);

static rows_function *rows_of(enum dtype dtype)
{
    switch (dtype) {
    case DTYPE_F32: return rows_f32;
    case DTYPE_F64: return rows_f64;
    case DTYPE_C64: return rows_c64;
    case DTYPE_C128: return rows_c128;
    default: return NULL;
    }
}

static struct error *sparse_check(const void *user, const struct call_spec *spec, void **state)
{
    const struct call_value *v = spec->values;
    (void)user;
    *state = NULL;
    if (spec->operand_count != OUT || spec->value_count != SPARSE_VALUES)
        return ERROR(
            INVALID_ARGUMENT,
            "custom call %s takes values, offsets, columns and a dense matrix, and returns "
            "one, got %d operands and %d results",
            spec->target, spec->operand_count, spec->value_count - spec->operand_count);
    if (!rows_of(v[VALUES].shape.dtype))
        return ERROR(UNIMPLEMENTED, "custom call %s of %s: f32, f64, c64 and c128 are supported",
                     spec->target, dtype_name(v[VALUES].shape.dtype));
    bool typed = v[DENSE].shape.dtype == v[VALUES].shape.dtype &&
                 v[OUT].shape.dtype == v[VALUES].shape.dtype &&
                 v[OFFSETS].shape.dtype == DTYPE_S32 && v[COLUMNS].shape.dtype == DTYPE_S32;
    bool ranked = v[VALUES].shape.rank == 1 && v[OFFSETS].shape.rank == 1 &&
                  v[COLUMNS].shape.rank == 1 &&
                  (v[DENSE].shape.rank == 1 || v[DENSE].shape.rank == 2) &&
                  v[OUT].shape.rank == v[DENSE].shape.rank;
    if (!typed || !ranked || v[COLUMNS].shape.dims[0] != v[VALUES].shape.dims[0] ||
        v[OFFSETS].shape.dims[0] != v[OUT].shape.dims[0] + 1 ||
        (v[DENSE].shape.rank == 2 && v[OUT].shape.dims[1] != v[DENSE].shape.dims[1]))
        return ERROR(INVALID_ARGUMENT,
                     "custom call %s: types and sizes must be those of values[q], offsets[n + 1], "
                     "columns[q], dense[m, r] and a result [n, r]",
                     spec->target);
    return NULL;
}

static struct error *sparse_run(const void *user, const struct custom_call *call)
{
    const struct call_value *v = call->spec->values;
    (void)user;
    struct sparse sparse = {.values = call->data[VALUES],
                            .offsets = call->data[OFFSETS],
                            .columns = call->data[COLUMNS],
                            .dense = call->data[DENSE],
                            .out = call->data[OUT],
                            .value_count = v[VALUES].shape.dims[0],
                            .dense_rows = v[DENSE].shape.dims[0],
                            .width = v[DENSE].shape.rank == 2 ? v[DENSE].shape.dims[1] : 1};
    int64_t rows = v[OUT].shape.dims[0];
    double cost =
        rows ? (double)(sparse.value_count + rows) / (double)rows * (double)sparse.width : 1;
    int64_t grain = 1 + (int64_t)(CHUNK_COST / (cost < 1 ? 1 : cost));
    pool_parallel(pool_shared(), rows, grain, rows_of(v[VALUES].shape.dtype), &sparse);
    return NULL;
}

/* ---- the table ------------------------------------------------------------------------------- */
const struct custom_call_handler *builtin_calls_find(const char *target, size_t size)
{
    static const struct {
        const char *name;
        struct custom_call_handler handler;
    } known[] = {
        {"tpu_custom_call",
         {.run = kernel_call_run,
          .run_together = kernel_call_run_together,
          .instantiate = kernel_call_instantiate,
          .drop = kernel_call_drop}},
        {"dce_sink", {.run = sink_run, .instantiate = sink_check}},
        {"gantry_fft",
         {.run = fft_call_run, .instantiate = fft_call_instantiate, .drop = fft_call_drop}},
        {"gantry_top_k",
         {.run = top_k_call_run, .instantiate = top_k_call_instantiate, .drop = top_k_call_drop}},
        {"cpu_csr_sparse_dense_ffi", {.run = sparse_run, .instantiate = sparse_check}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (size == strlen(known[i].name) && !memcmp(known[i].name, target, size))
            return &known[i].handler;
    return NULL;
}
