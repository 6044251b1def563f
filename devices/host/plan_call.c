/* plan_call.c: see plan_call.h. */
#include "devices/host/plan_call.h"

#include "base/pool.h"
#include "devices/host/scratch.h"

enum { PREPARE_GRAIN = 1 << 17 }; /* bytes that a thread prepares at a time */

struct plan_run {
    const struct plan_call *call;
    void *shared;                  /* what prepare() wrote, or NULL */
    _Atomic(struct error *) error; /* the first error */
};

static void keep_first_error(struct plan_run *run, struct error *error)
{
    struct error *none = NULL;
    if (error && !atomic_compare_exchange_strong(&run->error, &none, error))
        error_free(error);
}

/* ---- what the parts share -------------------------------------------------------------------- */
static void prepare_part(void *context, int64_t begin, int64_t end)
{
    struct plan_run *run = context;
    const struct plan *plan = run->call->plan;
    void *const *buffers = run->call->buffers;
    keep_first_error(run, plan->prepare(plan,
                                        (void *[PLAN_BUFFERS]){buffers[PLAN_LHS], buffers[PLAN_RHS],
                                                               buffers[PLAN_OUT], run->shared},
                                        begin, end));
}

static struct error *prepare(struct plan_run *run)
{
    const struct plan *plan = run->call->plan;
    uint64_t bytes = plan->shared_bytes / (uint64_t)plan->prepare_work;
    int64_t grain = bytes < PREPARE_GRAIN ? (int64_t)(PREPARE_GRAIN / (bytes + 1)) : 1;
    if (plan->prepare_work <= grain || run->call->cores == 1)
        prepare_part(run, 0, plan->prepare_work);
    else
        pool_parallel(pool_shared(), plan->prepare_work, grain, prepare_part, run);
    return atomic_load(&run->error);
}

/* ---- the parts ------------------------------------------------------------------------------- */
/* Parts [begin, end), counted over all times. */
static struct error *run_parts(const struct plan_run *run, void *scratch, int64_t begin,
                               int64_t end)
{
    const struct plan_call *call = run->call;
    int64_t work = call->plan->work;
    while (begin < end) {
        int64_t time = begin / work, first = begin % work, stop = (time + 1) * work;
        void *buffers[PLAN_BUFFERS] = {[PLAN_SHARED] = run->shared};
        stop = stop < end ? stop : end;
        for (int i = 0; i < PLAN_SHARED; i++)
            buffers[i] = (char *)call->buffers[i] + time * call->offsets[i];
        TRY(call->plan->run(call->plan, buffers, scratch, first, first + stop - begin));
        begin = stop;
    }
    return NULL;
}

static struct error *run_with_scratch(const struct plan_run *run, int64_t begin, int64_t end)
{
    void *scratch = NULL;
    if (!run->call->plan->scratch_bytes)
        return run_parts(run, NULL, begin, end);
    TRY(scratch_acquire(run->call->plan->scratch_bytes, &scratch));
    struct error *error = run_parts(run, scratch, begin, end);
    scratch_return(scratch);
    return error;
}

static void run_part(void *context, int64_t begin, int64_t end)
{
    struct plan_run *run = context;
    if (!atomic_load_explicit(run->call->stop, memory_order_relaxed))
        keep_first_error(run, run_with_scratch(run, begin, end));
}

static struct error *run_all(struct plan_run *run)
{
    const struct plan *plan = run->call->plan;
    int64_t work = plan->work * run->call->repeats, grain = plan->grain > 1 ? plan->grain : 1;
    if (work <= grain || run->call->cores == 1)
        run_part(run, 0, work);
    else
        pool_parallel(pool_shared(), work, grain, run_part, run);
    return atomic_load(&run->error);
}

static struct error *run_in_scratch(struct plan_run *run)
{
    TRY(scratch_acquire(run->call->plan->shared_bytes, &run->shared));
    struct error *error = prepare(run);
    if (!error)
        error = run_all(run);
    scratch_return(run->shared);
    return error;
}

/* With memory that is kept for the next run. */
static struct error *run_in_kept(struct plan_run *run, struct prepacked *kept,
                                 enum prepacked_state state)
{
    struct error *error = state == PREPACKED_NEW ? prepare(run) : NULL;
    if (!error && state == PREPACKED_NEW)
        prepacked_finish(kept);
    if (!error)
        error = run_all(run);
    prepacked_release(kept);
    return error;
}

struct error *plan_call_run(const struct plan_call *call)
{
    struct plan_run run = {.call = call};
    struct prepacked *kept;
    if (!call->plan->shared_bytes)
        return run_all(&run);
    if (!call->slot)
        return run_in_scratch(&run);
    enum prepacked_state state = prepacked_find(call->slot, &call->keep, &kept, &run.shared);
    return state == PREPACKED_NONE ? run_in_scratch(&run) : run_in_kept(&run, kept, state);
}
