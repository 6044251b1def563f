/* rendezvous.c: see rendezvous.h.
 *
 * A group has two meetings, used in turns. A member that is at the second meeting has left the
 * first, and it leaves the second only when all are there; so when a meeting is used again, all
 * have left it.
 *
 *      arrived   how many are there; bit FAILED: the rendezvous has failed
 *      complete  the number of the last meeting that took place here
 *      changes   futex: changes with every completion and failure
 *
 * The last member to arrive does the work, so a member may leave early only while `arrived` is less
 * than the size of the group and FAILED is set, after which none can be the last. */
#include "devices/host/collectives/rendezvous.h"

#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/env.h"
#include "base/fork.h"
#include "base/futex.h"
#include "base/log.h"
#include "devices/host/collectives/collectives.h"
#include "devices/host/collectives/process_collectives.h"
#include "devices/host/collectives/rendezvous_state.h"

#define FAILED (1u << 31)
enum {
    DEFAULT_TIMEOUT = 40,
    NETWORK_TIMEOUT = 600,
    PATIENCE = 10,
    MAX_NAMED = 16,
    MAX_DESCRIBED = 3
};

/* ---- creation -------------------------------------------------------------------------------- */
static void take_seats(struct rendezvous *r, int table)
{
    const struct program_groups *from = &r->program->groups[table];
    struct seat *seats = r->seats + (size_t)table * (size_t)r->participants;
    for (int g = 0; g < from->group_count; g++) {
        int begin = from->offsets[g], size = from->offsets[g + 1] - begin;
        struct group *group = &r->groups[r->group_count++];
        group->size = size;
        group->stream = (uint64_t)r->group_count;
        group->members = from->members + begin;
        group->sources = from->sources + begin;
        for (int i = 0; i < 2; i++, r->buffers += size)
            group->meetings[i].buffers = r->buffers;
        group->scratch = r->scratch;
        r->scratch += size;
        for (int i = 0; i < size; i++) {
            seats[group->members[i]] = (struct seat){group, i, 0};
            group->here += rendezvous_is_here(r, group->members[i]);
        }
    }
}

static const struct communicator_ops ops;

struct error *rendezvous_create(const struct communicator_setup *setup, struct communicator **out)
{
    const struct program *program = setup->program;
    size_t participants = (size_t)program->num_replicas * (size_t)program->num_partitions;
    size_t groups = 0, members = 0, tables = (size_t)program->group_count;
    struct rendezvous *r;
    for (size_t i = 0; i < tables; i++) {
        groups += (size_t)program->groups[i].group_count;
        members += (size_t)program->groups[i].member_count;
    }
    size_t head = (sizeof *r + 63) & ~(size_t)63, group_bytes = groups * sizeof(struct group),
           seat_bytes = tables * participants * sizeof(struct seat),
           progress_bytes = participants * sizeof(struct launch_progress),
           size = head + group_bytes + seat_bytes + progress_bytes + 3 * members * sizeof(void *);
    *out = NULL;
    TRY(alloc_aligned(size, &r));
    memset(r, 0, size);
    communicator_init(&r->base, &ops);
    r->program = program;
    program_retain((struct program *)(uintptr_t)program);
    r->participants = (int)participants;
    r->setup = *setup;
    for (int i = 0; i < r->participants; i++)
        r->here += rendezvous_is_here(r, i);
    r->groups = (struct group *)((char *)r + head);
    r->seats = (struct seat *)((char *)r->groups + group_bytes);
    r->base.progress = (struct launch_progress *)((char *)r->seats + seat_bytes);
    for (size_t i = 0; i < participants; i++)
        r->base.progress[i].limits.budget = INT64_MAX;
    r->buffers = (void *const **)((char *)r->base.progress + progress_bytes);
    r->scratch = (void **)(r->buffers + 2 * members);
    for (int i = 0; i < program->group_count; i++)
        take_seats(r, i);
    *out = &r->base;
    struct error *error = messages_create(program->collective_count, &r->messages);
    if (error) {
        communicator_release(*out);
        *out = NULL;
    }
    return error;
}

/* The other processes wait for an execution that was announced, even if it did not begin here. */
static void give_up(struct rendezvous *r)
{
    if (!r->channel || atomic_load(&r->entered) == r->here)
        return;
    struct error *error = ERROR(CANCELLED, "the execution of '%s' did not begin", r->program->name);
    network_fail(r->channel, error);
    error_free(error);
}

static void destroy(struct communicator *base)
{
    struct rendezvous *r = (struct rendezvous *)base;
    give_up(r);
    network_close(r->channel);
    messages_destroy(r->messages);
    error_free(atomic_load(&r->error));
    program_release((struct program *)(uintptr_t)r->program);
    alloc_free(r);
}

/* ---- failure --------------------------------------------------------------------------------- */
struct error *rendezvous_failure_of(struct rendezvous *r)
{
    struct error *error = atomic_load_explicit(&r->error, memory_order_acquire);
    return error ? error_copy(error) : NULL;
}

static void wake(struct meeting *meeting)
{
    atomic_fetch_add(&meeting->changes, 1);
    futex_wake(&meeting->changes, FUTEX_ALL);
}

static struct error *describe(const struct rendezvous *r, int participant,
                              const struct error *error)
{
    struct error *copy = error_copy(error);
    if (participant < 0)
        return copy;
    return error_prefix(copy, "participant %d of %d of '%s' failed", participant, r->participants,
                        r->program->name);
}

static void fail_here(struct rendezvous *r, int participant, const struct error *error)
{
    struct error *none = NULL, *described = describe(r, participant, error);
    if (!atomic_compare_exchange_strong(&r->error, &none, described)) {
        error_free(described);
        return;
    }
    for (int i = 0; i < 2 * r->group_count; i++) {
        struct meeting *meeting = &r->groups[i / 2].meetings[i % 2];
        atomic_fetch_or(&meeting->arrived, FAILED);
        wake(meeting);
    }
    messages_wake(r->messages);
    for (int i = 0; i < r->participants; i++)
        atomic_store(&r->base.progress[i].limits.stop, 1);
}

/* ---- other processes ------------------------------------------------------------------------- */
static void fail_from_afar(void *context, const struct error *error)
{
    fail_here(context, -1, error);
}

static void announce(struct communicator *base, bool is_idle)
{
    struct rendezvous *r = (struct rendezvous *)base;
    struct network_launch launch = {.execution = {r->setup.scope, r->base.sequence},
                                    .program = {r->setup.collectives[0], r->setup.collectives[1]},
                                    .is_idle = is_idle,
                                    .name = r->program->name,
                                    .participants = r->participants,
                                    .processes = r->setup.processes,
                                    .ordinals = r->setup.ordinals,
                                    .failed = fail_from_afar,
                                    .context = r};
    struct error *error = network_open(r->setup.network, &launch, &r->channel);
    if (error)
        fail_here(r, -1, error);
    error_free(error);
}

static bool is_awaited(struct communicator *base)
{
    const struct rendezvous *r = (struct rendezvous *)base;
    return r->channel && network_awaits(r->channel);
}

static void fail(struct communicator *base, int participant, const struct error *error)
{
    struct rendezvous *r = (struct rendezvous *)base;
    fail_here(r, participant, error);
    if (r->channel)
        network_fail(r->channel, error);
}

struct error *rendezvous_fail_all(struct rendezvous *r, struct error *error)
{
    fail(&r->base, -1, error);
    error_free(error);
    return rendezvous_failure_of(r);
}

/* ---- waiting --------------------------------------------------------------------------------- */
void rendezvous_describe_missing(const struct rendezvous *r, int participant, struct text *out)
{
    struct launch_progress *progress = &r->base.progress[participant];
    struct fork_lock *lock = fork_lock_of(progress);
    fork_lock_take(lock); /* keeps the step: launch_progress.step */
    const struct step *step = atomic_load(&progress->step);
    if (step)
        text_add(out, "; participant %d is at %s%s", participant, step->label,
                 atomic_load(&progress->calls_client) ? ", a function of the client" : "");
    fork_lock_release(lock);
}

/* Lists the members that have not arrived, and what the first of them do; a racing arrival may be
 * listed, too. */
static void list_missing(const struct rendezvous *r, const struct group *group,
                         const struct meeting *meeting, struct text *out)
{
    int named = 0, first[MAX_DESCRIBED];
    for (int i = 0; i < group->size; i++) {
        if (__atomic_load_n(&meeting->buffers[i], __ATOMIC_RELAXED) ||
            !rendezvous_is_here(r, group->members[i]))
            continue;
        if (named < MAX_DESCRIBED)
            first[named] = group->members[i];
        if (named++ < MAX_NAMED)
            text_add(out, "%s%d", named > 1 ? ", " : "", group->members[i]);
    }
    if (named > MAX_NAMED)
        text_add(out, " and %d more", named - MAX_NAMED);
    text_add(out, " of its group of %d", group->size);
    for (int i = 0; i < named && i < MAX_DESCRIBED; i++)
        rendezvous_describe_missing(r, first[i], out);
    if (r->channel)
        network_add_wait(r->channel, out);
}

static struct error *overdue(struct rendezvous *r, const struct group *group,
                             const struct meeting *meeting, int participant, int64_t seconds)
{
    struct text missing = {0};
    list_missing(r, group, meeting, &missing);
    struct error *error =
        ERROR(DEADLINE_EXCEEDED,
              "'%s': participant %d waited %lld s; missing participants: %s. All devices of the "
              "program must execute it, the same number of times and in the same order; "
              "GANTRY_COLLECTIVE_TIMEOUT sets the limit in seconds",
              r->program->name, participant, (long long)seconds, missing.data ? missing.data : "?");
    text_free(&missing);
    return error;
}

int64_t rendezvous_waited(struct rendezvous *r, const struct clock *clock, int64_t now)
{
    int64_t entry = atomic_load(&r->last_entry);
    int64_t since = now - (entry > clock->begin ? entry : clock->begin);
    return atomic_load(&r->entered) < r->here ? since / PATIENCE : since;
}

/* Whether all have arrived: they wait for the last one to do the work of the group. */
static bool is_complete(const struct group *group, struct meeting *meeting)
{
    return (atomic_load(&meeting->arrived) & ~FAILED) == (unsigned)group->here;
}

/* Sleeps until something may have changed; returns an error when the wait is overdue. */
static struct error *sleep_a_while(struct rendezvous *r, const struct group *group,
                                   struct meeting *meeting, const struct step *step,
                                   int participant, struct clock *clock, unsigned changes)
{
    futex_wait_for(&meeting->changes, changes, clock->limit / 4);
    int64_t now = clock_now();
    if (now - clock->begin < clock->limit / 2 || is_complete(group, meeting))
        return NULL;
    int64_t time = rendezvous_waited(r, clock, now);
    bool is_overdue = time >= clock->limit;
    if (!is_overdue && (time < clock->limit / 2 || atomic_exchange(&r->has_warned, true)))
        return NULL;
    struct error *error =
        overdue(r, group, meeting, participant, (now - clock->begin) / CLOCK_SECOND);
    if (is_overdue)
        return error;
    LOG(WARNING, "%s: %s", step->label, error_message(error, NULL));
    error_free(error);
    return NULL;
}

/* Whether the meeting can no longer take place. */
static bool is_off(const struct group *group, struct meeting *meeting)
{
    unsigned arrived = atomic_load(&meeting->arrived);
    return (arrived & FAILED) && (arrived & ~FAILED) != (unsigned)group->here;
}

/* A participant here may wait for other processes, as long as network.h says. */
struct clock rendezvous_clock(const struct rendezvous *r)
{
    int seconds = r->setup.network ? NETWORK_TIMEOUT : DEFAULT_TIMEOUT;
    return (struct clock){clock_now(),
                          CLOCK_SECOND * env_int(ENV_GANTRY_COLLECTIVE_TIMEOUT, seconds)};
}

static struct error *await(struct rendezvous *r, const struct group *group, struct meeting *meeting,
                           const struct step *step, int participant, unsigned number)
{
    struct clock clock = rendezvous_clock(r);
    for (;;) {
        unsigned changes = atomic_load(&meeting->changes);
        bool off =
            is_off(group, meeting); /* before `complete`, which the last to arrive sets first */
        if (atomic_load(&meeting->complete) == number)
            return atomic_load(&meeting->is_failed) ? rendezvous_failure_of(r) : NULL;
        if (off)
            return rendezvous_failure_of(r);
        struct error *error = sleep_a_while(r, group, meeting, step, participant, &clock, changes);
        if (error)
            error_free(rendezvous_fail_all(r, error)); /* unless the last arrives now */
    }
}

/* ---- meeting --------------------------------------------------------------------------------- */
static struct error *check_same(struct rendezvous *r, struct meeting *meeting,
                                const struct step *step, int participant)
{
    const struct step *first = NULL;
    if (atomic_compare_exchange_strong(&meeting->step, &first, step) ||
        step_meeting(first).number == step_meeting(step).number)
        return NULL;
    return rendezvous_fail_all(
        r, ERROR(FAILED_PRECONDITION,
                 "'%s': participant %d arrived at %s while others of its group are at "
                 "%s: all members of a group must meet in the same collective",
                 r->program->name, participant, step->label, first->label));
}

/* Counts the caller in; sets *last if it is the last. False: the rendezvous has failed. */
static bool arrive(const struct group *group, struct meeting *meeting, bool *last)
{
    unsigned arrived = atomic_load(&meeting->arrived);
    do {
        if (arrived & FAILED)
            return false;
    } while (!atomic_compare_exchange_weak(&meeting->arrived, &arrived, arrived + 1));
    *last = arrived + 1 == (unsigned)group->here;
    return true;
}

/* Does the work of a group with members in other processes. */
static struct error *work_with_others(struct rendezvous *r, const struct group *group,
                                      struct meeting *meeting, const struct step *step)
{
    struct process_group work = {.channel = r->channel,
                                 .stream = group->stream,
                                 .process = network_process(r->setup.network),
                                 .count = group->size,
                                 .members = group->members,
                                 .processes = r->setup.processes,
                                 .sources = group->sources,
                                 .buffers = meeting->buffers};
    return work.channel ? process_collectives_run(&work, step)
                        : ERROR(FAILED_PRECONDITION, "'%s' did not begin", r->program->name);
}

/* Lets all go. `error` (moved): why there are no results, or NULL. Returns the caller's own. */
static struct error *conclude(struct rendezvous *r, const struct group *group,
                              struct meeting *meeting, unsigned number, struct error *error)
{
    if (error) {
        error = rendezvous_fail_all(r, error);
        atomic_store(&meeting->is_failed, true);
    }
    for (int i = 0; i < group->size; i++)
        __atomic_store_n(&meeting->buffers[i], NULL, __ATOMIC_RELAXED);
    atomic_store(&meeting->step, NULL);
    atomic_store(&meeting->complete, number);
    atomic_fetch_sub(&meeting->arrived, (unsigned)group->here);
    wake(meeting);
    return error;
}

static struct error *enter(struct communicator *base, int participant)
{
    struct rendezvous *r = (struct rendezvous *)base;
    (void)participant;
    atomic_store(&r->last_entry, clock_now());
    atomic_fetch_add(&r->entered, 1);
    return rendezvous_failure_of(r);
}

static struct seat *seat_of(struct rendezvous *r, int participant, const struct step *step)
{
    return &r->seats[(size_t)step_meeting(step).groups * (size_t)r->participants +
                     (size_t)participant];
}

/* Takes part in the next meeting of the seat's group with what the last to arrive needs of it.
 * *last: the caller is that one, and has to conclude the meeting. */
static struct error *take_part(struct rendezvous *r, int participant, const struct step *step,
                               struct seat *seat, void *const *buffers, bool *last)
{
    struct group *group = seat->group;
    unsigned number = ++seat->count;
    struct meeting *meeting = &group->meetings[number % 2];
    *last = false;
    TRY(check_same(r, meeting, step, participant));
    __atomic_store_n(&meeting->buffers[seat->position], buffers, __ATOMIC_RELAXED);
    if (!arrive(group, meeting, last))
        return rendezvous_failure_of(r);
    return *last ? NULL : await(r, group, meeting, step, participant, number);
}

/* ---- the table ------------------------------------------------------------------------------- */
static struct error *meet(struct communicator *base, int participant, const struct step *step,
                          void *const *buffers)
{
    struct rendezvous *r = (struct rendezvous *)base;
    struct seat *seat = seat_of(r, participant, step);
    struct group *group = seat->group;
    bool last;
    if (step->collective.kind == COLLECTIVE_SEND)
        return rendezvous_messages_send(r, participant, step, seat, buffers);
    if (step->collective.kind == COLLECTIVE_RECEIVE)
        return rendezvous_messages_receive(r, participant, step, seat, buffers);
    if (!group) {
        collectives_clear(step, buffers);
        return NULL;
    }
    TRY(take_part(r, participant, step, seat, buffers, &last));
    if (!last)
        return NULL;
    struct meeting *meeting = &group->meetings[seat->count % 2];
    struct error *error = NULL;
    if (group->here < group->size)
        error = work_with_others(r, group, meeting, step);
    else
        collectives_run(step, group->size, meeting->buffers, group->sources, group->scratch);
    return conclude(r, group, meeting, seat->count, error);
}

static struct error *together(struct communicator *base, int participant, const struct step *step,
                              communicator_work *work, void *context)
{
    struct rendezvous *r = (struct rendezvous *)base;
    struct seat *seat = seat_of(r, participant, step);
    struct group *group = seat->group;
    bool last;
    TRY(take_part(r, participant, step, seat, context, &last));
    if (!last)
        return NULL;
    struct meeting *meeting = &group->meetings[seat->count % 2];
    for (int i = 0; i < group->size; i++)
        group->scratch[i] = (void *)(uintptr_t)meeting->buffers[i];
    struct error *error = group->here < group->size
                              ? ERROR(UNIMPLEMENTED, "communicates with devices of other processes")
                              : work(step, group->scratch, group->size);
    return conclude(r, group, meeting, seat->count, error);
}

static struct error *failure(struct communicator *base)
{
    return rendezvous_failure_of((struct rendezvous *)base);
}

static const struct communicator_ops ops = {.destroy = destroy,
                                            .announce = announce,
                                            .is_awaited = is_awaited,
                                            .enter = enter,
                                            .collective = meet,
                                            .together = together,
                                            .fail = fail,
                                            .failure = failure};
