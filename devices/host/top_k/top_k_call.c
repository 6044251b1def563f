/* top_k_call.c: see top_k_call.h. */
#include "devices/host/top_k/top_k_call.h"

#include <stdatomic.h>

#include "base/alloc.h"
#include "base/pool.h"
#include "devices/host/scratch.h"
#include "devices/host/top_k/top_k.h"

enum { OPERAND, VALUES, POSITIONS, COUNT };
enum { TASK_ELEMENTS = 64 * 1024 }; /* of a task's rows, at least */

/* ---- the call site --------------------------------------------------------------------------- */
static struct error *refuse(const struct call_spec *spec, const char *what)
{
    return ERROR(INVALID_ARGUMENT, "custom call %s: %s; it is reserved for the compiler",
                 spec->target, what);
}

/* Whether both shapes have the same dimensions, but for the last one. */
static bool has_rows_of(const struct shape *a, const struct shape *b)
{
    if (a->rank != b->rank || a->rank < 1)
        return false;
    for (int i = 0; i < a->rank - 1; i++)
        if (a->dims[i] != b->dims[i])
            return false;
    return true;
}

static struct top_k_spec top_k_of(const struct call_spec *spec)
{
    const struct shape *in = &spec->values[OPERAND].shape, *out = &spec->values[VALUES].shape;
    return (struct top_k_spec){.dtype = in->dtype,
                               .length = in->dims[in->rank - 1],
                               .k = out->dims[out->rank - 1],
                               .largest = spec->config[0] == 'L',
                               .total = spec->config[1] == 'T'};
}

static struct error *check(const struct call_spec *spec)
{
    const struct call_value *v = spec->values;
    if (spec->operand_count != 1 || spec->value_count != COUNT)
        return refuse(spec, "it has one operand and two results");
    if (spec->config_size != 2 || (spec->config[0] != 'L' && spec->config[0] != 'S') ||
        (spec->config[1] != 'T' && spec->config[1] != 'N'))
        return refuse(spec, "unsupported configuration");
    if (v[VALUES].shape.dtype != v[OPERAND].shape.dtype || v[POSITIONS].shape.dtype != DTYPE_S32 ||
        !has_rows_of(&v[OPERAND].shape, &v[VALUES].shape) ||
        !has_rows_of(&v[VALUES].shape, &v[POSITIONS].shape))
        return refuse(spec, "the results do not fit the operand");
    struct top_k_spec t = top_k_of(spec);
    if (v[POSITIONS].shape.dims[v[POSITIONS].shape.rank - 1] != t.k || !top_k_spec_is_supported(&t))
        return refuse(spec, "unsupported types or sizes");
    return NULL;
}

struct error *top_k_call_instantiate(const void *user, const struct call_spec *spec, void **state)
{
    struct top_k_spec *top_k;
    (void)user;
    *state = NULL;
    TRY(check(spec));
    TRY(alloc_zeroed(sizeof *top_k, &top_k));
    *top_k = top_k_of(spec);
    scratch_retain();
    *state = top_k;
    return NULL;
}

void top_k_call_drop(void *state)
{
    if (!state)
        return;
    scratch_release();
    alloc_free(state);
}

/* ---- running --------------------------------------------------------------------------------- */
struct task {
    const struct top_k_spec *top_k;
    const char *operand;
    char *values;
    int32_t *positions;
    _Atomic(struct error *) error; /* owned; the first one */
};

static void run_rows(void *context, int64_t begin, int64_t end)
{
    struct task *task = context;
    const struct top_k_spec *t = task->top_k;
    int64_t bytes = dtype_bytes(t->dtype);
    void *scratch;
    struct error *error = scratch_acquire(top_k_scratch(t), &scratch), *none = NULL;
    if (error) {
        if (!atomic_compare_exchange_strong(&task->error, &none, error))
            error_free(error);
        return;
    }
    top_k_rows(t, end - begin, task->operand + begin * t->length * bytes, scratch,
               task->values + begin * t->k * bytes, task->positions + begin * t->k);
    scratch_return(scratch);
}

struct error *top_k_call_run(const void *user, const struct custom_call *call)
{
    const struct top_k_spec *t = call->state;
    const struct shape *in = &call->spec->values[OPERAND].shape;
    struct task task = {.top_k = t,
                        .operand = call->data[OPERAND],
                        .values = call->data[VALUES],
                        .positions = call->data[POSITIONS]};
    int64_t rows = 1;
    (void)user;
    for (int i = 0; i < in->rank - 1; i++)
        rows *= in->dims[i];
    pool_parallel(pool_shared(), rows, 1 + TASK_ELEMENTS / t->length, run_rows, &task);
    return task.error;
}
