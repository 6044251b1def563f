/* lapack.c: see lapack.h. */
#include "devices/host/kernels/lapack.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/pool.h"
#include "devices/host/kernels/blas.h"
#include "devices/host/kernels/kernels.h"
#include "devices/host/kernels_library.h"

enum {
    CHUNK_COST = 100000, /* minimum number of multiplications per parallel task */
    MOST_LANES = 16      /* of a vector */
};

struct lapack_row {
    const char *name, *letters; /* letters is NULL if the name is used unchanged */
    lapack_routine *routine;
    const char *values, *copies;
};

static const struct lapack_row rows[] = {
#define LAPACK(name, letters, routine, values, copies)                                             \
    {#name, letters, lapack_##routine, values, copies},
#define PLAIN(name, routine, values, copies) {#name, NULL, lapack_##routine, values, copies},
#include "devices/host/kernels/lapack.def"
#undef LAPACK
#undef PLAIN
};

/* ---- values ---------------------------------------------------------------------------------- */
static const struct call_value *value_of(const struct lapack_call *c, int value)
{
    return &c->call->spec->values[value];
}

static int64_t bytes_of(const struct call_value *value)
{
    int64_t bytes = dtype_bytes(value->shape.dtype);
    for (int i = 0; i < value->shape.rank; i++)
        bytes *= value->shape.dims[i];
    return bytes;
}

static void *place(const struct lapack_call *c, int value, int64_t i)
{
    int64_t bytes = c->batch ? bytes_of(value_of(c, value)) / c->batch : 0;
    return (char *)c->call->data[value] + i * bytes;
}

void *lapack_operand(const struct lapack_call *c, int operand, int64_t i)
{
    return place(c, operand, i);
}

void *lapack_result(const struct lapack_call *c, int result, int64_t i)
{
    return place(c, c->call->spec->operand_count + result, i);
}

struct error *lapack_option(const struct lapack_call *c, const char *name, const char *allowed,
                            char *out)
{
    int64_t value;
    if (!custom_call_integer(c->call->spec, name, &value) || value < 0 || value > 127 ||
        !memchr(allowed, (int)value, strlen(allowed)))
        return ERROR(INVALID_ARGUMENT,
                     "custom call %s: attribute %s is missing or has an unsupported value",
                     c->call->spec->target, name);
    *out = (char)value;
    return NULL;
}

int lapack_work_size(const struct lapack_call *c, const void *work)
{
    double size = ceil(dtype_to_double(c->dtype, work));
    return size < 1 ? 1 : size > INT_MAX ? INT_MAX : (int)size;
}

struct error *lapack_alloc(int64_t count, size_t element, void *out)
{
    return alloc_array(count > 0 ? (size_t)count : 1, element, out);
}

struct error *lapack_check(const struct lapack_call *c, int info)
{
    return info >= 0 ? NULL
                     : ERROR(INTERNAL, "custom call %s: LAPACK rejects argument %d",
                             c->call->spec->target, -info);
}

/* ---- matrices that are not finite ------------------------------------------------------------ */
static bool are_finite(enum lapack_type type, const void *numbers, int64_t begin, int64_t end)
{
    bool finite = true;
    if (type & 1)
        for (int64_t i = begin; i < end; i++)
            finite &= isfinite(((const double *)numbers)[i]) != 0;
    else
        for (int64_t i = begin; i < end; i++)
            finite &= isfinite(((const float *)numbers)[i]) != 0;
    return finite;
}

bool lapack_is_finite(const struct lapack_call *c, const void *matrix, int64_t m, int64_t n,
                      char part)
{
    int64_t parts = lapack_is_complex(c) ? 2 : 1;
    for (int64_t j = 0; j < n; j++) {
        int64_t begin = part == 'L' ? j : 0, end = part == 'U' ? j + 1 : m;
        if (!are_finite(c->type, matrix, (j * m + begin) * parts, (j * m + end) * parts))
            return false;
    }
    return true;
}

static void fill_nan(enum dtype dtype, void *to, int64_t bytes)
{
    if (dtype == DTYPE_F32)
        for (int64_t k = 0; k < bytes / (int64_t)sizeof(float); k++)
            ((float *)to)[k] = NAN;
    else if (dtype == DTYPE_F64)
        for (int64_t k = 0; k < bytes / (int64_t)sizeof(double); k++)
            ((double *)to)[k] = NAN;
    else
        memset(to, 0, (size_t)bytes);
}

void lapack_fill_nan(const struct lapack_call *c, int64_t i)
{
    const struct call_spec *spec = c->call->spec;
    for (int value = spec->operand_count; value < spec->value_count; value++)
        fill_nan(dtype_real_part(value_of(c, value)->shape.dtype), place(c, value, i),
                 bytes_of(value_of(c, value)) / c->batch);
}

/* ---- patterns -------------------------------------------------------------------------------- */
static struct error *wrong_type(const struct lapack_call *c, int value)
{
    return ERROR(INVALID_ARGUMENT,
                 "custom call %s: operand or result %d has an unsupported type; allowed: %s",
                 c->call->spec->target, value, c->row->values);
}

static enum dtype wanted_dtype(const struct lapack_call *c, char kind)
{
    static const enum dtype real[] = {DTYPE_F32, DTYPE_F64, DTYPE_F32, DTYPE_F64};
    static const enum dtype complex[] = {DTYPE_C64, DTYPE_C128, DTYPE_C64, DTYPE_C128};
    return kind == 'T'   ? c->dtype
           : kind == 'R' ? real[c->type]
           : kind == 'C' ? complex[c->type]
                         : DTYPE_S32;
}

/* Matches a size of a pattern; its first occurrence defines the letter. */
static bool fits(struct lapack_call *c, char letter, int64_t size)
{
    int *known = &c->size[letter - 'a'], m = c->size['m' - 'a'], n = c->size['n' - 'a'];
    if (size > INT_MAX)
        return false;
    if (letter == 'k')
        *known = m < n ? m : n;
    else if (letter == 'p')
        *known = n > 1 ? n - 1 : 0;
    else if (*known < 0)
        *known = (int)size;
    return *known == size;
}

static struct error *match_value(struct lapack_call *c, int index, const char *pattern,
                                 size_t length)
{
    const struct call_value *value = value_of(c, index);
    int sizes = (int)length - 1, leading = value->shape.rank - sizes;
    int64_t batch = 1;
    if (leading < 0 || value->shape.dtype != wanted_dtype(c, pattern[0]))
        return wrong_type(c, index);
    for (int i = 0; i < leading; i++)
        batch *= value->shape.dims[i];
    if (c->batch < 0)
        c->batch = batch;
    if (c->batch != batch)
        return wrong_type(c, index);
    for (int i = 0; i < sizes; i++)
        if (!fits(c, pattern[1 + i], value->shape.dims[leading + i]))
            return wrong_type(c, index);
    return NULL;
}

static struct error *match(struct lapack_call *c)
{
    const struct call_spec *spec = c->call->spec;
    const char *at = c->row->values;
    int index = 0, operands = -1;
    for (; *at && index < spec->value_count; index++) {
        size_t length = strcspn(at, " >");
        TRY(match_value(c, index, at, length));
        at += length;
        if (*at == '>')
            operands = index + 1;
        at += *at != '\0';
    }
    if (*at || index != spec->value_count || operands != spec->operand_count)
        return ERROR(INVALID_ARGUMENT, "custom call %s has %d operands and %d results; allowed: %s",
                     spec->target, spec->operand_count, spec->value_count - spec->operand_count,
                     c->row->values);
    return NULL;
}

/* ---- running --------------------------------------------------------------------------------- */
static bool type_of(enum dtype dtype, enum lapack_type *out)
{
    static const enum dtype types[] = {DTYPE_F32, DTYPE_F64, DTYPE_C64, DTYPE_C128};
    for (int i = 0; i < LAPACK_TYPES; i++)
        if (types[i] == dtype) {
            *out = (enum lapack_type)i;
            return true;
        }
    return false;
}

static struct error *prepare_call(struct lapack_call *c)
{
    const struct call_spec *spec = c->call->spec;
    c->dtype = spec->operand_count ? spec->values[0].shape.dtype : DTYPE_INVALID;
    if (!type_of(c->dtype, &c->type))
        return ERROR(UNIMPLEMENTED, "custom call %s of %s: supported are f32, f64, c64 and c128",
                     spec->target, dtype_name(c->dtype));
    c->element = (size_t)dtype_bytes(c->dtype);
    c->real = (size_t)dtype_bytes(dtype_real_part(c->dtype));
    c->batch = -1;
    for (int i = 0; i < 26; i++)
        c->size[i] = -1;
    return match(c);
}

/* LAPACK overwrites its operands, so operands that do not share memory with the result are copied
 * there first. */
static void copy_operands(const struct lapack_call *c)
{
    for (int i = 0; c->row->copies[i]; i++) {
        if (c->row->copies[i] == '-')
            continue;
        void *to = c->call->data[c->call->spec->operand_count + c->row->copies[i] - '0'];
        if (to != c->call->data[i])
            memcpy(to, c->call->data[i], (size_t)bytes_of(value_of(c, i)));
    }
}

struct shared {
    const struct lapack_call *c;
    _Atomic(struct error *) error;
};

static struct error *run_matrices(const struct lapack_call *c, int64_t begin, int64_t end)
{
    TRY(blas_enter());
    struct error *error = c->row->routine(c, begin, end);
    blas_leave();
    return error;
}

static void run_part(void *context, int64_t begin, int64_t end)
{
    struct shared *shared = context;
    struct error *error = run_matrices(shared->c, begin, end), *none = NULL;
    if (error && !atomic_compare_exchange_strong(&shared->error, &none, error))
        error_free(error);
}

/* Matrices per parallel task. Tridiagonal systems, calls of which begin with a vector, are solved
 * side by side in vectors and take several multiplications per division. */
static int64_t grain_of(const struct lapack_call *c)
{
    double m = lapack_size(c, 'm'), n = lapack_size(c, 'n');
    bool systems = strcspn(c->row->values, " ") == strlen("Tn");
    double cost = systems ? 8 * n * (2 + lapack_size(c, 'r')) : (m > n ? m : n) * n * n;
    int64_t grain = cost < 1 ? CHUNK_COST : 1 + (int64_t)(CHUNK_COST / cost);
    return systems ? (grain + MOST_LANES - 1) / MOST_LANES * MOST_LANES : grain;
}

static struct error *run(const void *user, const struct custom_call *call)
{
    struct lapack_call c = {.call = call, .row = user};
    TRY(prepare_call(&c));
    copy_operands(&c);
    struct shared shared = {.c = &c};
    int64_t grain = grain_of(&c);
    if (c.batch <= grain)
        run_part(&shared, 0, c.batch);
    else
        pool_parallel(pool_shared(), c.batch, grain, run_part, &shared);
    return atomic_load(&shared.error);
}

/* ---- entry points ---------------------------------------------------------------------------- */
bool kernels_find_call(const char *target, size_t size, struct custom_call_handler *out)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (kernels_library_is_call(rows[i].name, rows[i].letters, target, size)) {
            *out = (struct custom_call_handler){.run = run, .user = &rows[i]};
            return true;
        }
    return false;
}
