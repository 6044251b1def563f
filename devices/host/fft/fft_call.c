/* fft_call.c: see fft_call.h. */
#include "devices/host/fft/fft_call.h"

#include "base/alloc.h"
#include "devices/host/fft/fft_long_real.h"

enum { FFT, IFFT, RFFT, IRFFT, KINDS };

/* A transform: of its last dimension with `kind`, of the others as complex numbers. */
struct transform {
    struct fft_spec call;
    struct fft_long_plan *plans[FFT_SPEC_DIMS]; /* owned; NULL for real lines */
    struct fft_long_real_plan *real;            /* owned; of the last dimension, or NULL */
    int64_t sizes[FFT_SPEC_DIMS];               /* of the complex numbers: the result's, or of
                                                    IRFFT the operand's */
    int64_t scratch;                            /* complex numbers */
    size_t number;                              /* bytes of a complex number */
};

/* ---- the call site --------------------------------------------------------------------------- */
static struct error *refuse(const struct call_spec *spec, const char *what)
{
    return ERROR(INVALID_ARGUMENT,
                 "custom call %s: %s; it is reserved for the compiler, use StableHLO's fft",
                 spec->target, what);
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

static struct error *read_sizes(const struct call_spec *spec, struct transform *t)
{
    const struct shape *in = &spec->values[0].shape, *out = &spec->values[1].shape;
    struct fft_spec *call = &t->call;
    const struct shape *sizes = call->kind == IRFFT ? in : out;
    double numbers = 1;
    int first = in->rank - call->dims;
    call->outer = 1;
    if (in->rank != out->rank || first < 0 || !has_types(call->kind, in->dtype, out->dtype))
        return refuse(spec, "unsupported types");
    if (!has_sizes(call->kind, in, out, &call->lengths[call->dims - 1]))
        return refuse(spec, "the operand's sizes do not fit the result's");
    for (int i = 0; i < in->rank; i++) {
        int64_t size = sizes->dims[i];
        numbers *= (double)size;
        if (i < first)
            call->outer *= size;
        else
            t->sizes[i - first] = size;
        if (i >= first && i < in->rank - 1)
            call->lengths[i - first] = size;
        if (size < 1 || numbers > (double)FFT_SPEC_NUMBERS)
            return refuse(spec, "unsupported sizes");
    }
    t->number = 2 * (size_t)dtype_bytes(dtype_real_part(sizes->dtype));
    return NULL;
}

static struct error *read_config(const struct call_spec *spec, struct transform *t)
{
    if (spec->operand_count != 1 || spec->value_count < 2 || spec->value_count > 3)
        return refuse(spec, "it has one operand, one result and scratch");
    if (spec->config_size != 2 || spec->config[0] < '0' || spec->config[0] >= '0' + KINDS ||
        spec->config[1] < '1' || spec->config[1] > '0' + FFT_SPEC_DIMS)
        return refuse(spec, "unsupported configuration");
    t->call.kind = spec->config[0] - '0';
    t->call.dims = spec->config[1] - '0';
    return NULL;
}

static struct error *check_scratch(const struct call_spec *spec, struct transform *t)
{
    t->scratch = fft_split_scratch(&t->call);
    if (!t->scratch)
        return NULL;
    const struct shape *scratch = spec->value_count > 2 ? &spec->values[2].shape : NULL;
    if (!scratch || scratch->dtype != DTYPE_U8 || scratch->rank != 1 ||
        scratch->dims[0] < t->scratch * (int64_t)t->number)
        return refuse(spec, "its scratch is too small");
    return NULL;
}

static bool is_real(const struct transform *t)
{
    return t->call.kind == RFFT || t->call.kind == IRFFT;
}

/* How many lines dimension `dim` has, and how many of them lie side by side. */
static int64_t lines_of(const struct transform *t, int dim, int64_t *inner)
{
    int64_t lines = t->call.outer;
    *inner = 1;
    for (int i = 0; i < t->call.dims; i++) {
        lines *= i == dim ? 1 : t->sizes[i];
        *inner *= i > dim ? t->sizes[i] : 1;
    }
    return lines;
}

static struct error *make(const struct call_spec *spec, struct transform *t)
{
    TRY(read_config(spec, t));
    TRY(read_sizes(spec, t));
    TRY(check_scratch(spec, t));
    enum dtype part = dtype_real_part(spec->values[0].shape.dtype);
    for (int i = 0; i < t->call.dims; i++) {
        int64_t inner, lines = lines_of(t, i, &inner), n = t->call.lengths[i];
        if (is_real(t) && i == t->call.dims - 1)
            TRY(fft_long_real_plan_create(part, n, lines, &t->real));
        else
            TRY(fft_long_plan_create(part, n, lines, inner, &t->plans[i]));
    }
    return NULL;
}

void fft_call_drop(void *state)
{
    struct transform *t = state;
    if (!t)
        return;
    for (int i = 0; i < FFT_SPEC_DIMS; i++)
        fft_long_plan_destroy(t->plans[i]);
    fft_long_real_plan_destroy(t->real);
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
/* Transforms dimension `dim`, whose numbers are complex. Dimension 0 of a complex result is
 * transformed last. */
static struct error *run_dim(const struct transform *t, int dim, const void *in, void *scratch,
                             void *out)
{
    const struct fft_long_plan *plan = t->plans[dim];
    struct fft_long f = {.plan = plan,
                         .inverse = t->call.kind == IFFT || t->call.kind == IRFFT,
                         .scale = 1,
                         .reread = dim > 0 || t->call.kind == IRFFT,
                         .in = in,
                         .out = out,
                         .scratch = scratch};
    f.scale = f.inverse ? 1 / (double)plan->n : 1;
    f.lines = lines_of(t, dim, &f.inner);
    return fft_long_run(&f);
}

static struct error *run_forward(const struct transform *t, const void *in, void *scratch,
                                 void *out)
{
    int last = t->call.dims - 1;
    TRY(t->real ? fft_long_real_run(t->real, false, in, scratch, out)
                : run_dim(t, last, in, scratch, out));
    for (int i = last - 1; i >= 0; i--)
        TRY(run_dim(t, i, out, scratch, out));
    return NULL;
}

/* The last dimension comes last; the others are transformed in a copy, in the scratch. */
static struct error *run_to_real(const struct transform *t, const void *in, char *scratch,
                                 void *out)
{
    int last = t->call.dims - 1;
    char *copy = scratch;
    int64_t numbers = t->call.outer;
    for (int i = 0; i < t->call.dims; i++)
        numbers *= t->sizes[i];
    scratch += last ? (size_t)numbers * t->number : 0;
    for (int i = 0; i < last; i++)
        TRY(run_dim(t, i, i ? copy : in, scratch, copy));
    return fft_long_real_run(t->real, true, last ? copy : in, scratch, out);
}

struct error *fft_call_run(const void *user, const struct custom_call *call)
{
    const struct transform *t = call->state;
    void *scratch = t->scratch ? call->data[2] : NULL;
    (void)user;
    return t->call.kind == IRFFT ? run_to_real(t, call->data[0], scratch, call->data[1])
                                 : run_forward(t, call->data[0], scratch, call->data[1]);
}
