/* fft_call.c: see fft_call.h. */
#include "devices/host/fft_call.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "devices/host/fft_lines.h"

enum { FFT, IFFT, RFFT, IRFFT, KINDS };
enum { MAX_DIMS = 3, MAX_NUMBERS = 1 << 24 };

/* A transform: of its last dimension with `kind`, of the others as complex numbers. */
struct transform {
    int kind, dims;
    struct fft_lines_plan *plans[MAX_DIMS]; /* owned */
    int64_t sizes[MAX_DIMS];                /* of the result's numbers; of IRFFT the operand's */
    int64_t outer;                          /* the product of the other dimensions */
    size_t number;                          /* bytes of a complex number */
};

/* ---- the call site --------------------------------------------------------------------------- */
static struct error *refuse(const struct call_spec *spec, const char *what)
{
    return ERROR(INVALID_ARGUMENT,
                 "custom call %s: %s; it is the compiler's own, use StableHLO's fft", spec->target,
                 what);
}

static bool is_part(enum dtype dtype)
{
    return dtype == DTYPE_F32 || dtype == DTYPE_F64;
}

/* Whether the operand and the result are of one precision, and real where the kind says so. */
static bool has_types(int kind, enum dtype in, enum dtype out)
{
    enum dtype part = dtype_real_part(kind == IRFFT ? in : out);
    bool real_in = kind == RFFT, real_out = kind == IRFFT;
    return is_part(part) &&
           (real_in ? in == part : dtype_is_complex(in) && dtype_real_part(in) == part) &&
           (real_out ? out == part : dtype_is_complex(out));
}

/* Whether dimension i of the operand and of the result agree; the last one has `length` numbers. */
static bool has_sizes(int kind, const struct shape *in, const struct shape *out, int64_t *length)
{
    int last = in->rank - 1;
    for (int i = 0; i < last; i++)
        if (in->dims[i] != out->dims[i])
            return false;
    *length = kind == IRFFT ? out->dims[last] : in->dims[last];
    int64_t half = *length / 2 + 1;
    return in->dims[last] == (kind == IRFFT ? half : *length) &&
           out->dims[last] == (kind == RFFT ? half : *length);
}

static struct error *read_sizes(const struct call_spec *spec, struct transform *t, int64_t *lengths)
{
    const struct shape *in = &spec->values[0].shape, *out = &spec->values[1].shape;
    const struct shape *sizes = t->kind == IRFFT ? in : out;
    double numbers = 1;
    int first = in->rank - t->dims;
    t->outer = 1;
    if (in->rank != out->rank || first < 0 || !has_types(t->kind, in->dtype, out->dtype))
        return refuse(spec, "unsupported types");
    if (!has_sizes(t->kind, in, out, &lengths[t->dims - 1]))
        return refuse(spec, "the operand's sizes do not fit the result's");
    for (int i = 0; i < in->rank; i++) {
        int64_t size = sizes->dims[i];
        numbers *= (double)size;
        if (i < first)
            t->outer *= size;
        else
            t->sizes[i - first] = size;
        if (i >= first && i < in->rank - 1)
            lengths[i - first] = size;
        if (size < 1 || numbers > MAX_NUMBERS)
            return refuse(spec, "unsupported sizes");
    }
    t->number = 2 * (size_t)dtype_bytes(dtype_real_part(sizes->dtype));
    return NULL;
}

static struct error *read_config(const struct call_spec *spec, struct transform *t)
{
    if (spec->operand_count != 1 || spec->value_count != 2)
        return refuse(spec, "it has one operand and one result");
    if (spec->config_size != 2 || spec->config[0] < '0' || spec->config[0] >= '0' + KINDS ||
        spec->config[1] < '1' || spec->config[1] > '0' + MAX_DIMS)
        return refuse(spec, "unsupported configuration");
    t->kind = spec->config[0] - '0';
    t->dims = spec->config[1] - '0';
    return NULL;
}

static struct error *make(const struct call_spec *spec, struct transform *t)
{
    int64_t lengths[MAX_DIMS];
    TRY(read_config(spec, t));
    TRY(read_sizes(spec, t, lengths));
    enum dtype part = dtype_real_part(spec->values[0].shape.dtype);
    for (int i = 0; i < t->dims; i++)
        TRY(fft_lines_plan_create(part, lengths[i], &t->plans[i]));
    return NULL;
}

void fft_call_drop(void *state)
{
    struct transform *t = state;
    for (int i = 0; t && i < MAX_DIMS; i++)
        fft_lines_plan_destroy(t->plans[i]);
    alloc_free(t);
}

struct error *fft_call_instantiate(const void *user, const struct call_spec *spec, void **state)
{
    struct transform *t;
    (void)user;
    *state = NULL;
    TRY(alloc_zeroed(sizeof *t, &t));
    struct error *error = make(spec, t);
    if (error)
        fft_call_drop(t);
    else
        *state = t;
    return error;
}

/* ---- running --------------------------------------------------------------------------------- */
/* Transforms dimension `dim`. */
static struct error *run_dim(const struct transform *t, int dim, enum fft_lines_kind kind,
                             const void *in, void *out)
{
    struct fft_lines lines = {.plan = t->plans[dim],
                              .kind = kind,
                              .inverse = t->kind == IFFT || t->kind == IRFFT,
                              .lines = t->outer,
                              .inner = 1,
                              .in = in,
                              .out = out};
    for (int i = 0; i < t->dims; i++) {
        lines.lines *= i == dim ? 1 : t->sizes[i];
        lines.inner *= i > dim ? t->sizes[i] : 1;
    }
    return fft_lines_run(&lines);
}

static struct error *run_forward(const struct transform *t, const void *in, void *out)
{
    TRY(run_dim(t, t->dims - 1, t->kind == RFFT ? FFT_LINES_REAL : FFT_LINES_COMPLEX, in, out));
    for (int i = t->dims - 2; i >= 0; i--)
        TRY(run_dim(t, i, FFT_LINES_COMPLEX, out, out));
    return NULL;
}

/* The last dimension comes last; the others are transformed in a copy. */
static struct error *run_to_real(const struct transform *t, const void *in, void *out)
{
    int last = t->dims - 1;
    int64_t numbers = t->outer;
    char *copy = NULL;
    struct error *error = NULL;
    for (int i = 0; i < t->dims; i++)
        numbers *= t->sizes[i];
    if (last)
        TRY(alloc_aligned((size_t)numbers * t->number, &copy));
    for (int i = 0; i < last && !error; i++)
        error = run_dim(t, i, FFT_LINES_COMPLEX, i ? copy : in, copy);
    if (!error)
        error = run_dim(t, last, FFT_LINES_HALF, last ? copy : in, out);
    alloc_free(copy);
    return error;
}

struct error *fft_call_run(const void *user, const struct custom_call *call)
{
    const struct transform *t = call->state;
    (void)user;
    return t->kind == IRFFT ? run_to_real(t, call->data[0], call->data[1])
                            : run_forward(t, call->data[0], call->data[1]);
}
