/* launch.c: see launch.h. */
#include "devices/host/launch.h"

#include <string.h>

#include "base/alloc.h"
#include "base/fork.h"
#include "base/fpu.h"
#include "base/pool.h"
#include "base/trace.h"
#include "compiler/target.h"
#include "devices/communicator.h"
#include "devices/host/attention/attention_backward_blocks.h"
#include "devices/host/attention/attention_blocks.h"
#include "devices/host/client_call.h"
#include "devices/host/copies/box_copy.h"
#include "devices/host/copies/clamped_index.h"
#include "hostoffload/transfer/copy_queue.h"
#include "devices/host/custom_call.h"
#include "devices/host/plan_call.h"
#include "devices/host/scratch.h"
#include "devices/host/shared_plan.h"
#include "devices/host/thin/thin_step.h"
#include "memory/storage.h"

enum {
    STACK_BUFFERS = 48, /* up to this many slices of a step, or allocations, need no heap memory */
    PARALLEL_COPY = 4 << 20, /* larger copies are split, in bytes */
    COPY_GRAIN = 1 << 20,
    IMMEDIATE_COPY = 64 << 10 /* copies up to this many bytes are faster than queueing them */
};

struct copy;
struct run { /* one launch */
    const struct launch *launch;
    const struct program *program;
    char **bases;                 /* addresses of the allocations */
    struct kernel_limits *limits; /* never NULL */
    struct copy *copies;          /* program->copy_count entries, by number */
};

static struct error *run_list(const struct run *run, const struct step_list *list);

/* The participant's share of the cores. */
static int cores_of(const struct run *run)
{
    return target_share(pool_width(pool_shared()),
                        run->program->num_replicas * run->program->num_partitions);
}

/* NULL for a slice of an empty allocation, which has no memory. */
static void *address(const struct run *run, const struct slice *slice)
{
    char *base = run->bases[slice->allocation];
    return base ? base + slice->offset : NULL;
}

/* slice_count + 1 addresses: kernels receive the limits after their slices. */
static void addresses(const struct run *run, const struct step *step, void **buffers)
{
    for (int i = 0; i < step->slice_count; i++)
        buffers[i] = address(run, &step->slices[i]);
    for (int i = 0; i < step->offset_count; i++)
        clamped_index_move(&step->offsets[i], address(run, &step->offsets[i].index), buffers);
    buffers[step->slice_count] = run->limits;
}

/* ---- cancellation ---------------------------------------------------------------------------- */
static bool is_stopped(const atomic_uint *stop)
{
    return atomic_load_explicit(stop, memory_order_relaxed) != 0;
}

static struct error *check_limits(const struct run *run)
{
    if (run->limits->budget < 0)
        return ERROR(CANCELLED, "the loops of '%s' exceed the budget", run->program->name);
    return !is_stopped(&run->limits->stop)
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
    struct kernel_call call = {run->program->kernels[step->kernel.index], buffers,
                               &run->limits->stop};
    if (step->kernel.grain >= step->kernel.work)
        call.kernel(buffers, 0, step->kernel.work);
    else
        pool_parallel(pool_shared(), step->kernel.work, step->kernel.grain, run_kernel_part, &call);
}

/* ---- plans, created by the first run of a step and cached in the program --------------------- */
typedef struct error *create_cached(const struct run *run, const struct step *step,
                                    struct program_plan **out);

/* Two launches may create the same plan concurrently; the first to store it wins. Without `create`,
 * it is that of a step that takes scratch memory. `out` may be NULL. */
static struct error *cached_of(const struct run *run, const struct step *step,
                               create_cached *create, struct program_plan **out)
{
    _Atomic(struct program_plan *) *place = &run->program->plans[step->plan];
    struct program_plan *known = atomic_load_explicit(place, memory_order_acquire);
    if (!known) {
        struct program_plan *made;
        struct fpu_mode mode = fpu_current();
        fpu_restore(run->launch->client_mode); /* `create` may call the client's functions */
        struct error *error = create ? create(run, step, &made) : scratch_plan(&made);
        fpu_restore(mode);
        TRY(error);
        if (atomic_compare_exchange_strong(place, &known, made))
            known = made;
        else
            made->destroy(made);
    }
    if (out)
        *out = known;
    return NULL;
}

/* ---- library steps --------------------------------------------------------------------------- */
static struct error *plan_create(const struct run *run, const struct step *step,
                                 struct program_plan **out)
{
    struct shared_plan *shared;
    *out = NULL;
    TRY(shared_plan_use(step, cores_of(run), &shared));
    *out = &shared->base;
    return NULL;
}

/* Byte offsets between the products of the outer loop. */
static void outer_offsets(const struct dot_spec *dot, int64_t offsets[PLAN_SHARED])
{
    offsets[PLAN_LHS] = dot->lhs_outer_stride * dtype_bytes(dot->lhs);
    offsets[PLAN_RHS] = dot->rhs_outer_stride * dtype_bytes(dot->rhs);
    offsets[PLAN_OUT] = dot->out_outer_stride * dtype_bytes(dot->out);
}

/* The argument of which the i-th slice is the beginning, and whose contents may be kept in another
 * form, or NULL. */
static struct storage *unchanging_argument(const struct run *run, const struct step *step, int i)
{
    const struct slice *slice = &step->slices[i];
    const struct allocation *allocation = &run->program->allocations[slice->allocation];
    if (allocation->kind != ALLOCATION_PARAMETER || slice->offset ||
        step_reach(step, i).size != slice->size || !run->launch->arguments)
        return NULL;
    const struct storage_hold *hold = &run->launch->arguments[allocation->index];
    bool is_kept = hold->kind == HOLD_READ && hold->storage;
    return is_kept && hold->storage->source == STORAGE_OWNED ? hold->storage : NULL;
}

/* Lets the call keep what it prepares from an argument that does not change. */
static void keep_prepared(const struct run *run, const struct step *step,
                          const struct shared_plan *shared, struct plan_call *call)
{
    const struct plan *plan = shared->plan;
    if (!plan->shared_bytes)
        return;
    struct storage *argument = unchanging_argument(run, step, plan->prepared);
    if (!argument)
        return;
    call->slot = &argument->prepacked;
    call->keep =
        (struct prepacked_request){shared->id, plan->shared_bytes, space_place(argument->space)};
}

static struct error *run_plan(const struct run *run, const struct step *step, void *const *buffers)
{
    struct shared_plan *shared;
    TRY(cached_of(run, step, plan_create, (struct program_plan **)&shared));
    struct plan_call call = {.plan = shared->plan,
                             .buffers = buffers,
                             .repeats = 1,
                             .cores = cores_of(run),
                             .stop = &run->limits->stop};
    if (step->kind == STEP_DOT && step->dot.outer > 1) {
        call.repeats = step->dot.outer;
        outer_offsets(&step->dot, call.offsets);
    }
    keep_prepared(run, step, shared, &call);
    return plan_call_run(&call);
}

/* ---- steps with scratch memory --------------------------------------------------------------- */
static struct error *run_thin_dot(const struct run *run, const struct step *step,
                                  void *const *buffers)
{
    TRY(cached_of(run, step, NULL, NULL));
    return thin_step_run(&step->thin_dot, buffers, &run->limits->stop, cores_of(run));
}

static struct error *run_attention(const struct run *run, const struct step *step,
                                   void *const *buffers)
{
    struct attention_call call = {.spec = &step->attention,
                                  .kernel = run->program->kernels[step->attention.kernel],
                                  .buffers = buffers,
                                  .limits = run->limits};
    TRY(cached_of(run, step, NULL, NULL));
    return attention_blocks_run(&call, cores_of(run));
}

static struct error *run_attention_backward(const struct run *run, const struct step *step,
                                            void *const *buffers)
{
    const struct attention_backward_spec *spec = &step->attention_backward;
    struct attention_backward_call call = {
        .spec = spec,
        .weights_kernel = run->program->kernels[spec->weights_kernel],
        .gradient_kernel = run->program->kernels[spec->gradient_kernel],
        .buffers = buffers,
        .limits = run->limits};
    TRY(cached_of(run, step, NULL, NULL));
    return attention_backward_blocks_run(&call, cores_of(run));
}

/* ---- custom calls ---------------------------------------------------------------------------- */
struct cached_call {
    struct program_plan base;
    const struct custom_call_handler *handler;
    void *state;
};

struct meeting_call { /* of one participant */
    struct custom_call call;
    const struct cached_call *cached;
};

static void call_destroy(struct program_plan *base)
{
    struct cached_call *cached = (struct cached_call *)base;
    if (cached->state && cached->handler->drop)
        cached->handler->drop(cached->state);
    alloc_free(cached);
}

static struct error *call_create(const struct run *run, const struct step *step,
                                 struct program_plan **out)
{
    (void)run;
    const struct custom_call_handler *handler;
    struct cached_call *cached;
    *out = NULL;
    TRY(custom_call_find(step->call.target, strlen(step->call.target), &handler));
    TRY(alloc_zeroed(sizeof *cached, &cached));
    cached->base.destroy = call_destroy;
    cached->handler = handler;
    struct error *error = handler->instantiate
                              ? handler->instantiate(handler->user, &step->call, &cached->state)
                              : NULL;
    if (error)
        call_destroy(&cached->base);
    else
        *out = &cached->base;
    return error;
}

/* All participants run the call at once: the last one to arrive does. */
static struct error *run_calls(const struct step *step, void *const *contexts, int count)
{
    const struct meeting_call *first = contexts[0];
    const struct custom_call_handler *handler = first->cached->handler;
    struct custom_call *calls;
    if (!handler->run_together)
        return ERROR(UNIMPLEMENTED, "custom call %s cannot run on several devices together",
                     step->call.target);
    TRY(alloc_array((size_t)count, sizeof *calls, &calls));
    for (int i = 0; i < count; i++)
        calls[i] = ((const struct meeting_call *)contexts[i])->call;
    struct error *error = handler->run_together(handler->user, calls, count);
    alloc_free(calls);
    return error;
}

static struct error *not_on_all(const struct run *run)
{
    return ERROR(FAILED_PRECONDITION,
                 "'%s' has collectives, but it was not launched on all of its devices",
                 run->program->name);
}

static struct error *meet(const struct run *run, const struct step *step,
                          struct meeting_call *meeting)
{
    const struct launch *launch = run->launch;
    if (run->program->num_replicas * run->program->num_partitions == 1)
        return run_calls(step, (void *const[]){meeting}, 1);
    return launch->communicator ? communicator_together(launch->communicator, launch->participant,
                                                        step, run_calls, meeting)
                                : not_on_all(run);
}

static struct error *call_with(const struct run *run, const struct step *step,
                               const struct cached_call *cached, void *const *buffers, void **data)
{
    const struct call_spec *spec = &step->call;
    for (int i = 0; i < spec->value_count; i++) {
        int slice = spec->values[i].slice;
        data[i] = slice >= 0 && slice < step->slice_count ? buffers[slice] : NULL;
    }
    struct custom_call call = {.spec = spec,
                               .data = data,
                               .state = cached->state,
                               .device_ordinal = run->launch->device_ordinal,
                               .run_id = run->launch->run_id,
                               .context = run->launch->context,
                               .stop = &run->limits->stop};
    if (spec->meets)
        return meet(run, step, &(struct meeting_call){call, cached});
    if (!cached->handler->foreign)
        return cached->handler->run(cached->handler->user, &call);
    struct client_call client;
    client_call_begin(&client, run->launch, step);
    struct error *error = cached->handler->run(cached->handler->user, &call);
    client_call_end(&client);
    return error;
}

static struct error *run_call(const struct run *run, const struct step *step, void *const *buffers)
{
    void *on_stack[STACK_BUFFERS], **data = on_stack;
    struct cached_call *cached;
    TRY(cached_of(run, step, call_create, (struct program_plan **)&cached));
    if (step->call.value_count > STACK_BUFFERS)
        TRY(alloc_array((size_t)step->call.value_count, sizeof *data, &data));
    struct error *error = call_with(run, step, cached, buffers, data);
    if (data != on_stack)
        alloc_free(data);
    return error;
}

/* ---- host transfers -------------------------------------------------------------------------- */
static struct error *run_transfer(const struct run *run, const struct step *step,
                                  void *const *buffers)
{
    const struct launch_host *host = run->launch->host;
    uint64_t size = step->slices[0].size;
    if (!host)
        return ERROR(FAILED_PRECONDITION, "no callback is registered for channel %lld",
                     (long long)step->channel);
    struct client_call client;
    client_call_begin(&client, run->launch, step);
    struct error *error = step->kind == STEP_SEND
                              ? host->send(host, step->channel, buffers[0], size)
                              : host->receive(host, step->channel, buffers[0], size);
    client_call_end(&client);
    return error;
}

/* ---- collectives ----------------------------------------------------------------------------- */
static void write_id(const struct run *run, const struct step *step, void *to)
{
    int partitions = run->program->num_partitions, participant = run->launch->participant;
    bool replica = step->collective.kind == COLLECTIVE_REPLICA_ID;
    uint32_t id = (uint32_t)(replica ? participant / partitions : participant % partitions);
    memcpy(to, &id, sizeof id);
}

static struct error *run_collective(const struct run *run, const struct step *step,
                                    void *const *buffers)
{
    struct communicator *communicator = run->launch->communicator;
    if (step->collective.groups < 0) {
        write_id(run, step, buffers[0]);
        return NULL;
    }
    if (!communicator)
        return not_on_all(run);
    return communicator_collective(communicator, run->launch->participant, step, buffers);
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
        return; /* the result shares the memory of a donated parameter */
    if (size < PARALLEL_COPY)
        memcpy(call.to, call.from, size);
    else
        pool_parallel(pool_shared(), (int64_t)size, COPY_GRAIN, run_copy_part, &call);
}

/* A copy between memory kinds, from its start to its end. */
struct copy {
    struct copy_job job; /* first */
    const struct step *step;
    const void *from;
    void *to;
    int64_t starts[COPY_MAX_RANK];
    const atomic_uint *stop;
    bool is_under_way;
};

static void run_copy_job(struct copy_job *job)
{
    struct copy *copy = (struct copy *)job;
    uint64_t began = trace_begin();
    box_copy_run(&copy->step->copy, copy->starts, copy->from, copy->to, copy->stop);
    trace_end(began, TRACE_STEP, copy->step->label);
}

static void start_copy(const struct run *run, const struct step *step, void *const *buffers)
{
    struct copy *copy = &run->copies[step->copy.number];
    copy->job.run = run_copy_job;
    copy->step = step;
    copy->from = buffers[0];
    copy->to = buffers[step->slice_count - 1];
    copy->stop = &run->limits->stop;
    box_copy_starts(&step->copy, buffers + 1, copy->starts);
    if (box_copy_bytes(&step->copy) <= IMMEDIATE_COPY) {
        run_copy_job(&copy->job);
        return;
    }
    copy->is_under_way = true;
    copy_queue_start(&copy->job);
}

static void finish_copy(struct copy *copy)
{
    if (copy->is_under_way)
        copy_queue_finish(&copy->job);
    copy->is_under_way = false;
}

/* ---- control flow ---------------------------------------------------------------------------- */
static void note_step(const struct run *run, const struct step *step)
{
    if (run->launch->progress)
        atomic_store_explicit(&run->launch->progress->step, step, memory_order_relaxed);
}

static struct error *run_while(const struct run *run, const struct step *step)
{
    const char *going_on = address(run, &step->slices[0]);
    for (;;) {
        TRY(check_limits(run)); /* also for lists without steps */
        note_step(run, step);
        TRY(run_list(run, &step->loop.condition));
        if (!*going_on)
            return NULL;
        if (step->loop.trip_count < 0)
            run->limits->budget -= step->cost / PROGRAM_UNKNOWN_TRIP_COUNT;
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
    case STEP_THIN_DOT: return run_thin_dot(run, step, buffers);
    case STEP_ATTENTION: return run_attention(run, step, buffers);
    case STEP_ATTENTION_BACKWARD: return run_attention_backward(run, step, buffers);
    case STEP_COPY: run_copy(step, buffers); return NULL;
    case STEP_COPY_START: start_copy(run, step, buffers); return NULL;
    case STEP_COPY_DONE: finish_copy(&run->copies[step->copy.number]); return NULL;
    case STEP_CUSTOM_CALL: return run_call(run, step, buffers);
    case STEP_SEND:
    case STEP_RECEIVE: return run_transfer(run, step, buffers);
    case STEP_COLLECTIVE: return run_collective(run, step, buffers);
    case STEP_WHILE:
    case STEP_CASE: break;
    }
    return ERROR(INTERNAL, "unknown step kind %d", step->kind);
}

/* Profiles have a loop or branch around its steps. */
static struct error *run_control(const struct run *run, const struct step *step)
{
    uint64_t began = trace_begin();
    struct error *error = step->kind == STEP_WHILE ? run_while(run, step) : run_case(run, step);
    trace_end_step(began, step->label, step);
    return error;
}

static struct error *run_step(const struct run *run, const struct step *step)
{
    void *on_stack[STACK_BUFFERS], **buffers = on_stack;
    note_step(run, step);
    if (step->kind == STEP_WHILE || step->kind == STEP_CASE)
        return run_control(run, step);
    if (step->slice_count >= STACK_BUFFERS)
        TRY(alloc_array((size_t)step->slice_count + 1, sizeof *buffers, &buffers));
    if (run->launch->activity)
        activity_step(run->launch->activity, step->label);
    uint64_t began = trace_begin();
    struct error *error = run_with_buffers(run, step, buffers);
    trace_end_step(began, step->label, step);
    if (buffers != on_stack)
        alloc_free(buffers);
    return error ? error_prefix(error, "%s", step->label) : NULL;
}

static struct error *run_list(const struct run *run, const struct step_list *list)
{
    for (int i = 0; i < list->count; i++) {
        TRY(run_step(run, &list->steps[i]));
        TRY(check_limits(run));
    }
    return NULL;
}

static void *base_of(const struct launch *launch, void *const *temps,
                     const struct allocation *allocation)
{
    switch (allocation->kind) {
    case ALLOCATION_PARAMETER: return launch->parameters[allocation->index];
    case ALLOCATION_RESULT: return launch->results[allocation->index];
    case ALLOCATION_CONSTANTS: return launch->program->constants;
    case ALLOCATION_TEMP: return temps[allocation->memory];
    }
    return NULL;
}

/* Runs all steps. Waits for pending copies, even after an error. */
static struct error *run_program(struct run *run)
{
    int count = run->program->copy_count;
    if (count)
        TRY(alloc_zeroed((size_t)count * sizeof *run->copies, &run->copies));
    struct fpu_mode mode = fpu_enter();
    struct error *error = run_list(run, &run->program->steps);
    fpu_restore(mode);
    for (int i = 0; error && i < count; i++)
        finish_copy(&run->copies[i]);
    alloc_free(run->copies);
    return error;
}

struct error *launch_run(const struct launch *launch, void *const temps[MEMORY_KIND_COUNT])
{
    const struct program *program = launch->program;
    char *on_stack[STACK_BUFFERS];
    struct kernel_limits none = {.budget = INT64_MAX};
    struct run run = {.launch = launch,
                      .program = program,
                      .bases = on_stack,
                      .limits = launch->limits ? launch->limits : &none};
    if (program->allocation_count > STACK_BUFFERS)
        TRY(alloc_array((size_t)program->allocation_count, sizeof *run.bases, &run.bases));
    for (int i = 0; i < program->allocation_count; i++)
        run.bases[i] = base_of(launch, temps, &program->allocations[i]);
    struct error *error = run_program(&run);
    if (run.bases != on_stack)
        alloc_free(run.bases);
    return error;
}
