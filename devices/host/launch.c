/* launch.c: see launch.h. */
#include "devices/host/launch.h"

#include <string.h>

#include "base/alloc.h"
#include "base/fork.h"
#include "base/fpu.h"
#include "base/pool.h"
#include "base/trace.h"
#include "devices/host/custom_call.h"
#include "devices/host/kernels_library.h"

enum {
    STACK_BUFFERS = 48, /* slices of a step, and allocations, that need no memory from the heap */
    PARALLEL_COPY = 4 << 20, /* bytes from which a copy is cut */
    COPY_GRAIN = 1 << 20
};

struct run { /* one launch */
    const struct launch *launch;
    const struct program *program;
    char **bases;            /* of the allocations */
    const atomic_uint *stop; /* never NULL */
};

static struct error *run_list(const struct run *run, const struct step_list *list);

static void *address(const struct run *run, const struct slice *slice)
{
    return run->bases[slice->allocation] + slice->offset;
}

/* slice_count + 1 addresses: kernels get the stop flag behind their slices. */
static void addresses(const struct run *run, const struct step *step, void **buffers)
{
    for (int i = 0; i < step->slice_count; i++)
        buffers[i] = address(run, &step->slices[i]);
    buffers[step->slice_count] = (void *)(uintptr_t)run->stop;
}

/* ---- stopping -------------------------------------------------------------------------------- */
static bool is_stopped(const atomic_uint *stop)
{
    return atomic_load_explicit(stop, memory_order_relaxed) != 0;
}

static struct error *check_stop(const struct run *run)
{
    return !is_stopped(run->stop)
               ? NULL
               : ERROR(
                     CANCELLED,
                     "the execution of '%s' was stopped: its executable was deleted or its client "
                     "destroyed",
                     run->program->name);
}

/* ---- generated kernels ----------------------------------------------------------------------- */
struct kernel_call {
    kernel_function *kernel;
    void *const *buffers;
    const atomic_uint *stop;
};

static void run_kernel_part(void *context, int64_t begin, int64_t end)
{
    const struct kernel_call *call = context;
    if (!is_stopped(call->stop))
        call->kernel(call->buffers, begin, end);
}

static void run_kernel(const struct run *run, const struct step *step, void *const *buffers)
{
    struct kernel_call call = {run->program->kernels[step->kernel.index], buffers, run->stop};
    if (step->kernel.grain >= step->kernel.work)
        call.kernel(buffers, 0, step->kernel.work);
    else
        pool_parallel(pool_shared(), step->kernel.work, step->kernel.grain, run_kernel_part, &call);
}

/* ---- what is made at the first run of a step, and kept by the program ------------------------ */
typedef struct error *make_kept(const struct step *step, struct program_plan **out);

/* Two launches may make the same thing at once; the first to store it wins. */
static struct error *kept_of(const struct run *run, const struct step *step, make_kept *make,
                             struct program_plan **out)
{
    _Atomic(struct program_plan *) *place = &run->program->plans[step->plan];
    struct program_plan *known = atomic_load_explicit(place, memory_order_acquire);
    if (!known) {
        struct fpu_mode mode = fpu_current();
        fpu_restore(run->launch->client_mode); /* `make` may call the client's functions */
        struct error *error = make(step, out);
        fpu_restore(mode);
        TRY(error);
        if (atomic_compare_exchange_strong(place, &known, *out))
            return NULL;
        (*out)->destroy(*out);
    }
    *out = known;
    return NULL;
}

/* ---- library steps --------------------------------------------------------------------------- */
/* the head of free scratch */
struct scratch_block {
    struct scratch_block *next;
};

struct kept_plan {
    struct program_plan base;
    struct plan *plan;
    struct scratch_block *free; /* guarded by fork_lock_of(the plan) */
};

static void plan_destroy(struct program_plan *base)
{
    struct kept_plan *kept = (struct kept_plan *)base;
    while (kept->free) {
        struct scratch_block *next = kept->free->next;
        alloc_free(kept->free);
        kept->free = next;
    }
    kept->plan->destroy(kept->plan);
    alloc_free(kept);
}

static struct error *plan_create(const struct step *step, struct program_plan **out)
{
    const struct kernels_library *library;
    struct kept_plan *kept;
    int threads = pool_width(pool_shared());
    *out = NULL;
    TRY(kernels_library(&library));
    TRY(alloc_zeroed(sizeof *kept, &kept));
    struct error *error = step->kind == STEP_DOT
                              ? library->dot_plan(&step->dot, threads, &kept->plan)
                              : library->convolution_plan(&step->convolution, threads, &kept->plan);
    if (error) {
        alloc_free(kept);
        return error;
    }
    kept->base.destroy = plan_destroy;
    *out = &kept->base;
    return NULL;
}

static struct error *scratch_take(struct kept_plan *kept, void **out)
{
    fork_lock_take(fork_lock_of(kept));
    struct scratch_block *block = kept->free;
    if (block)
        kept->free = block->next;
    fork_lock_release(fork_lock_of(kept));
    *out = block;
    uint64_t size = kept->plan->scratch_bytes;
    return block ? NULL : alloc_aligned(size < sizeof *block ? sizeof *block : size, out);
}

static void scratch_give(struct kept_plan *kept, void *scratch)
{
    struct scratch_block *block = scratch;
    fork_lock_take(fork_lock_of(kept));
    block->next = kept->free;
    kept->free = block;
    fork_lock_release(fork_lock_of(kept));
}

struct plan_call {
    struct kept_plan *kept;
    void *const *buffers;
    const atomic_uint *stop;
    int64_t work,
        offsets[3]; /* a dot's outer loop: parts of one product, bytes from one to the next */
    _Atomic(struct error *) error; /* the first */
};

/* Parts [begin, end) of all products of the outer loop. */
static struct error *run_products(const struct plan_call *call, void *scratch, int64_t begin,
                                  int64_t end)
{
    const struct plan *plan = call->kept->plan;
    while (begin < end) {
        int64_t outer = begin / call->work, first = begin % call->work,
                stop = (outer + 1) * call->work;
        void *buffers[3];
        stop = stop < end ? stop : end;
        for (int i = 0; i < 3; i++)
            buffers[i] = (char *)call->buffers[i] + outer * call->offsets[i];
        TRY(plan->run(plan, buffers, scratch, first, first + stop - begin));
        begin = stop;
    }
    return NULL;
}

static struct error *plan_part(const struct plan_call *call, int64_t begin, int64_t end)
{
    void *scratch = NULL;
    if (!call->kept->plan->scratch_bytes)
        return run_products(call, NULL, begin, end);
    TRY(scratch_take(call->kept, &scratch));
    struct error *error = run_products(call, scratch, begin, end);
    scratch_give(call->kept, scratch);
    return error;
}

static void run_plan_part(void *context, int64_t begin, int64_t end)
{
    struct plan_call *call = context;
    if (is_stopped(call->stop))
        return;
    struct error *error = plan_part(call, begin, end), *none = NULL;
    if (error && !atomic_compare_exchange_strong(&call->error, &none, error))
        error_free(error);
}

static struct error *run_plan(const struct run *run, const struct step *step, void *const *buffers)
{
    struct plan_call call = {.buffers = buffers, .stop = run->stop};
    const struct dot_spec *dot = &step->dot;
    int64_t outer = step->kind == STEP_DOT ? dot->outer : 1;
    TRY(kept_of(run, step, plan_create, (struct program_plan **)&call.kept));
    if (outer > 1) {
        call.offsets[0] = dot->lhs_outer_stride * dtype_bytes(dot->lhs);
        call.offsets[1] = dot->rhs_outer_stride * dtype_bytes(dot->rhs);
        call.offsets[2] = dot->out_outer_stride * dtype_bytes(dot->out);
    }
    call.work = call.kept->plan->work;
    if (call.work * outer == 1)
        run_plan_part(&call, 0, 1);
    else
        pool_parallel(pool_shared(), call.work * outer, 1, run_plan_part, &call);
    return atomic_load(&call.error);
}

/* ---- custom calls ---------------------------------------------------------------------------- */
struct kept_call {
    struct program_plan base;
    const struct custom_call_handler *handler;
    void *state;
};

static void call_destroy(struct program_plan *base)
{
    struct kept_call *kept = (struct kept_call *)base;
    if (kept->state && kept->handler->drop)
        kept->handler->drop(kept->state);
    alloc_free(kept);
}

static struct error *call_create(const struct step *step, struct program_plan **out)
{
    const struct custom_call_handler *handler;
    struct kept_call *kept;
    *out = NULL;
    TRY(custom_call_find(step->call.target, strlen(step->call.target), &handler));
    TRY(alloc_zeroed(sizeof *kept, &kept));
    kept->base.destroy = call_destroy;
    kept->handler = handler;
    struct error *error = handler->instantiate
                              ? handler->instantiate(handler->user, &step->call, &kept->state)
                              : NULL;
    if (error)
        call_destroy(&kept->base);
    else
        *out = &kept->base;
    return error;
}

static struct error *call_with(const struct run *run, const struct step *step,
                               const struct kept_call *kept, void *const *buffers, void **data)
{
    const struct call_spec *spec = &step->call;
    for (int i = 0; i < spec->value_count; i++) {
        int slice = spec->values[i].slice;
        data[i] = slice >= 0 && slice < step->slice_count ? buffers[slice] : NULL;
    }
    struct custom_call call = {.spec = spec,
                               .data = data,
                               .state = kept->state,
                               .device_ordinal = run->launch->device_ordinal,
                               .run_id = run->launch->run_id,
                               .context = run->launch->context};
    if (!kept->handler->foreign)
        return kept->handler->run(kept->handler->user, &call);
    struct fpu_mode mode = fpu_current();
    fpu_restore(run->launch->client_mode);
    struct error *error = kept->handler->run(kept->handler->user, &call);
    fpu_restore(mode);
    return error;
}

static struct error *run_call(const struct run *run, const struct step *step, void *const *buffers)
{
    void *on_stack[STACK_BUFFERS], **data = on_stack;
    struct kept_call *kept;
    TRY(kept_of(run, step, call_create, (struct program_plan **)&kept));
    if (step->call.value_count > STACK_BUFFERS)
        TRY(alloc_array((size_t)step->call.value_count, sizeof *data, &data));
    struct error *error = call_with(run, step, kept, buffers, data);
    if (data != on_stack)
        alloc_free(data);
    return error;
}

/* ---- the host -------------------------------------------------------------------------------- */
static struct error *run_transfer(const struct run *run, const struct step *step,
                                  void *const *buffers)
{
    const struct launch_host *host = run->launch->host;
    uint64_t size = step->slices[0].size;
    if (!host)
        return ERROR(FAILED_PRECONDITION, "no callback is registered for channel %lld",
                     (long long)step->channel);
    struct fpu_mode mode = fpu_current();
    fpu_restore(run->launch->client_mode);
    struct error *error = step->kind == STEP_SEND
                              ? host->send(host, step->channel, buffers[0], size)
                              : host->receive(host, step->channel, buffers[0], size);
    fpu_restore(mode);
    return error;
}

/* ---- copies ---------------------------------------------------------------------------------- */
struct copy_call {
    char *to;
    const char *from;
};

static void run_copy_part(void *context, int64_t begin, int64_t end)
{
    const struct copy_call *call = context;
    memcpy(call->to + begin, call->from + begin, (size_t)(end - begin));
}

static void run_copy(const struct step *step, void *const *buffers)
{
    struct copy_call call = {buffers[1], buffers[0]};
    uint64_t size = step->slices[0].size;
    if (call.to == call.from)
        return; /* a donated parameter's memory is the result's */
    if (size < PARALLEL_COPY)
        memcpy(call.to, call.from, size);
    else
        pool_parallel(pool_shared(), (int64_t)size, COPY_GRAIN, run_copy_part, &call);
}

/* ---- control flow ---------------------------------------------------------------------------- */
static struct error *run_while(const struct run *run, const struct step *step)
{
    const char *going_on = address(run, &step->slices[0]);
    for (;;) {
        TRY(check_stop(run)); /* also where a list has no step */
        TRY(run_list(run, &step->loop.condition));
        if (!*going_on)
            return NULL;
        TRY(run_list(run, &step->loop.body));
    }
}

static struct error *run_case(const struct run *run, const struct step *step)
{
    const void *index = address(run, &step->slices[0]);
    int32_t branch;
    if (step->branch.is_predicate)
        branch = *(const char *)index ? 0 : 1;
    else
        memcpy(&branch, index, sizeof branch);
    if (branch < 0 || branch >= step->branch.count)
        branch = step->branch.count - 1;
    return run_list(run, &step->branch.branches[branch]);
}

/* ---- steps ----------------------------------------------------------------------------------- */
static struct error *run_with_buffers(const struct run *run, const struct step *step,
                                      void **buffers)
{
    addresses(run, step, buffers);
    switch (step->kind) {
    case STEP_KERNEL: run_kernel(run, step, buffers); return NULL;
    case STEP_DOT:
    case STEP_CONVOLUTION: return run_plan(run, step, buffers);
    case STEP_COPY: run_copy(step, buffers); return NULL;
    case STEP_CUSTOM_CALL: return run_call(run, step, buffers);
    case STEP_SEND:
    case STEP_RECEIVE: return run_transfer(run, step, buffers);
    case STEP_WHILE:
    case STEP_CASE: break;
    }
    return ERROR(INTERNAL, "step of kind %d", step->kind);
}

static struct error *run_step(const struct run *run, const struct step *step)
{
    void *on_stack[STACK_BUFFERS], **buffers = on_stack;
    if (step->kind == STEP_WHILE)
        return run_while(run, step);
    if (step->kind == STEP_CASE)
        return run_case(run, step);
    if (step->slice_count >= STACK_BUFFERS)
        TRY(alloc_array((size_t)step->slice_count + 1, sizeof *buffers, &buffers));
    uint64_t began = trace_begin();
    struct error *error = run_with_buffers(run, step, buffers);
    trace_end(began, TRACE_STEP, step->label);
    if (buffers != on_stack)
        alloc_free(buffers);
    return error ? error_prefix(error, "%s", step->label) : NULL;
}

static struct error *run_list(const struct run *run, const struct step_list *list)
{
    for (int i = 0; i < list->count; i++) {
        TRY(run_step(run, &list->steps[i]));
        TRY(check_stop(run));
    }
    return NULL;
}

/* Memory of one execution beside its arguments and results. */
struct memories {
    void *temp, *tables;
};

static void *base_of(const struct launch *launch, const struct memories *memories,
                     const struct allocation *allocation)
{
    switch (allocation->kind) {
    case ALLOCATION_PARAMETER: return launch->parameters[allocation->index];
    case ALLOCATION_RESULT: return launch->results[allocation->index];
    case ALLOCATION_CONSTANTS: return launch->program->constants;
    case ALLOCATION_TABLES: return memories->tables;
    case ALLOCATION_TEMP: return memories->temp;
    }
    return NULL;
}

struct error *launch_run(const struct launch *launch, void *temp)
{
    const struct program *program = launch->program;
    char *on_stack[STACK_BUFFERS];
    static const atomic_uint never;
    struct run run = {launch, program, on_stack, launch->stop ? launch->stop : &never};
    struct memories memories = {.temp = temp};
    TRY(program_tables(program, &memories.tables));
    if (program->allocation_count > STACK_BUFFERS)
        TRY(alloc_array((size_t)program->allocation_count, sizeof *run.bases, &run.bases));
    for (int i = 0; i < program->allocation_count; i++)
        run.bases[i] = base_of(launch, &memories, &program->allocations[i]);
    struct fpu_mode mode = fpu_enter();
    struct error *error = run_list(&run, &program->steps);
    fpu_restore(mode);
    if (run.bases != on_stack)
        alloc_free(run.bases);
    return error;
}
