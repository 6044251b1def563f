/* pool.c: the workers behind pool_parallel(); the threads behind pool_submit() are in tasks.c.
 *
 * A call reserves one of the pool's slots, describes its job there and sets the slot's bit in
 * `active`. The caller and every worker that sees the bit then claim units of it:
 *
 *      remaining  units that are not claimed yet; a claim is a compare-and-swap from r to r - 1
 *      pending    units not finished yet, times 2; bit 0: the caller sleeps until they are
 *
 * A thread that holds a claim keeps the job alive (pending > 0), so a job's fields may be read only
 * after a claim. A late worker finds remaining = 0 and accesses nothing else, and the caller never
 * waits for it. Slots belong to the pool and not to a call's stack, so that late workers always
 * access valid memory.
 *
 * An idle worker spins for SPIN_NS if calls have followed each other within that time lately, else
 * for SHORT_SPIN_NS only, since nothing would come of it. Then it parks: it sets its bit in
 * `parked`, rechecks `active`, and sleeps on its own futex. A caller publishes its job before it
 * reads `parked` (both sequentially consistent), so at least one of the two sees the other. The
 * caller wakes one worker, and every woken worker wakes two more while there is work, so waking
 * costs the caller one system call on any number of cores. Even that takes 2 to 20 us. If similar
 * calls took less than WAKE_NS the last time (`memory`), the caller therefore wakes no worker; if
 * the job takes longer after all, it wakes them between two units. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_getcpu */
#endif
#include "base/pool.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/cpu.h"
#include "base/fork.h"
#include "base/fpu.h"
#include "base/futex.h"
#include "base/log.h"
#include "base/pool_cores.h"
#include "base/tasks.h"
#include "base/thread.h"

enum {
    SLOTS = 64,           /* concurrent calls of pool_parallel; more run serially */
    MAX_WORKERS = 1024,   /* 16 words of `parked` */
    MAX_UNITS = 1 << 20,  /* with more grains, a unit has several */
    SPIN_NS = 40000,      /* about one dispatch, so that workers are awake for the next job */
    SHORT_SPIN_NS = 2000, /* where the next job is not expected soon */
    SOON = 3, /* calls that follow soon until workers spin again; as many late ones end it */
    WAIT_SPIN_NS = 50000, /* the caller spins for claimed units before it sleeps */
    WAKE_NS = 40000,      /* work worth waking a worker for */
    MEMORIES = 256,
};

struct slot {
    _Alignas(64) atomic_uint remaining;
    _Alignas(64) atomic_uint pending;
    _Alignas(64) void (*body)(void *context, int64_t begin, int64_t end);
    void *context;
    int64_t count, grain, unit; /* number of items; per call of body; per claim */
    uint32_t units;
    int cpu; /* the caller's core, whose pinned worker is not woken; -1: unknown */
};

struct worker {
    _Alignas(64) atomic_uint asleep; /* futex: 1 while parked */
    int index, cpu;                  /* cpu: the core it is pinned to, or -1 */
};

struct pool {
    _Alignas(64) atomic_ullong active; /* slots with units to claim */
    _Alignas(64) atomic_ullong taken;  /* slots in use by a caller */
    _Alignas(64) atomic_ullong parked[MAX_WORKERS / 64];
    atomic_int sleepers; /* number of bits in `parked` */
    struct slot slots[SLOTS];
    _Alignas(64) atomic_llong ended; /* when the last call returned, in ns */
    atomic_int soon; /* calls that came soon after another less others: 0 .. 2 * SOON */
    atomic_ullong memory[MEMORIES]; /* high half: hash of the call; low half: its work in ns */

    _Alignas(64) atomic_int started; /* workers run, or could not be created */
    struct fork_lock starting;       /* guards the start; afterwards the next two are constant */
    int worker_count;
    struct worker workers[MAX_WORKERS];
    _Atomic(int (*)(int cpu)) group_of;   /* NULL: all cores are in one group */
    short first_in_group[POOL_CORES_MAX]; /* by core: the first worker of its group */
};

static void in_child(struct fork_lock *unused);
static struct pool shared = {.starting = FORK_LOCK(FORK_POOL, in_child)};
static _Thread_local bool inside; /* this thread runs a body, so nested calls are serial */

/* ---- small helpers --------------------------------------------------------------------------- */
static int64_t now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void cpu_relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* ---- jobs ------------------------------------------------------------------------------------ */
static void run_grains(const struct slot *slot, int64_t begin, int64_t end)
{
    for (; end - begin > slot->grain; begin += slot->grain) /* never beyond `end`: no overflow */
        slot->body(slot->context, begin, begin + slot->grain);
    slot->body(slot->context, begin, end);
}

static bool claim(struct slot *slot, uint32_t *unit)
{
    unsigned remaining = atomic_load_explicit(&slot->remaining, memory_order_relaxed);
    while (remaining)
        if (atomic_compare_exchange_weak_explicit(&slot->remaining, &remaining, remaining - 1,
                                                  memory_order_acquire, memory_order_relaxed)) {
            *unit = slot->units - remaining;
            return true;
        }
    return false;
}

static void wake_workers(struct pool *pool, int count, int caller_cpu);

static void run_unit(const struct slot *slot, uint32_t unit)
{
    int64_t begin = unit * slot->unit;
    run_grains(slot, begin, unit + 1 == slot->units ? slot->count : begin + slot->unit);
}

/* A worker claims and runs units until there are none left; returns their number. `woken`: it was
 * asleep, so others may be too, and it wakes them. */
static unsigned drain(struct pool *pool, struct slot *slot, bool woken)
{
    uint32_t unit;
    unsigned done = 0;
    inside = true;
    while (claim(slot, &unit)) {
        if (woken && slot->units - unit > 2)
            wake_workers(pool, 2, slot->cpu);
        woken = false;
        run_unit(slot, unit);
        done++;
    }
    inside = false;
    return done;
}

/* The caller's part: claims units like a worker, and wakes one when the job takes longer than
 * expected. Sets *work to the single-threaded time of the whole job in ns, estimated from the
 * caller's part; returns the number of units done. */
static unsigned drain_own(struct pool *pool, struct slot *slot, bool woke, int64_t *work)
{
    uint32_t unit;
    unsigned done = 0;
    int64_t start = now_ns(), now = start;
    inside = true;
    while (claim(slot, &unit)) {
        run_unit(slot, unit);
        done++;
        if (!woke && (now = now_ns()) - start >= WAKE_NS / 4) {
            wake_workers(pool, 1, slot->cpu);
            woke = true;
        }
    }
    inside = false;
    if (woke)
        now = now_ns();
    *work = done ? (now - start) / done * slot->units : WAKE_NS;
    return done;
}

/* Reports `done` units; after this the slot may belong to another call. */
static void finish(struct slot *slot, unsigned done)
{
    unsigned before = atomic_fetch_sub_explicit(&slot->pending, 2 * done, memory_order_acq_rel);
    if (before - 2 * done == 1)
        futex_wake(&slot->pending, 1);
}

/* Waits until all claimed units are finished: spins first, then sleeps. */
static void wait_for_claimed(struct slot *slot)
{
    int64_t deadline = 0;
    for (unsigned spins = 1;; spins++) {
        unsigned pending = atomic_load_explicit(&slot->pending, memory_order_acquire);
        if (pending < 2)
            return;
        if (pending & 1) {
            futex_wait(&slot->pending, pending);
            continue;
        }
        cpu_relax();
        if (spins % 16)
            continue;
        int64_t now = now_ns();
        if (!deadline)
            deadline = now + WAIT_SPIN_NS;
        else if (now >= deadline)
            atomic_fetch_or_explicit(&slot->pending, 1, memory_order_acq_rel);
    }
}

/* ---- expectations ---------------------------------------------------------------------------- */
/* Notes how soon a call follows the last one. Concurrent callers may lose counts, which is
 * harmless. */
static void note_call(struct pool *pool)
{
    int64_t gap = now_ns() - atomic_load_explicit(&pool->ended, memory_order_relaxed);
    int soon = atomic_load_explicit(&pool->soon, memory_order_relaxed);
    int next = gap < SPIN_NS ? soon + (soon < 2 * SOON) : soon - (soon > 0);
    if (next != soon)
        atomic_store_explicit(&pool->soon, next, memory_order_relaxed);
}

static int64_t spin_ns(struct pool *pool)
{
    return atomic_load_explicit(&pool->soon, memory_order_relaxed) >= SOON ? SPIN_NS
                                                                           : SHORT_SPIN_NS;
}

/* ---- workers --------------------------------------------------------------------------------- */
static unsigned long long bit_of(int index)
{
    return 1ULL << (index % 64);
}

/* Clears the worker's bit in `parked`; returns true in the thread that cleared it. */
static bool unpark(struct pool *pool, int index)
{
    unsigned long long before = atomic_fetch_and(&pool->parked[index / 64], ~bit_of(index));
    if (!(before & bit_of(index)))
        return false;
    atomic_fetch_sub(&pool->sleepers, 1);
    return true;
}

/* Wakes parked workers of one word, restricted to `mask`; returns their number. */
static int wake_some(struct pool *pool, int word, unsigned long long mask, int count,
                     int caller_cpu)
{
    unsigned long long bits = atomic_load(&pool->parked[word]) & mask;
    int woken = 0;
    for (; bits && woken < count; bits &= bits - 1) {
        int index = word * 64 + __builtin_ctzll(bits);
        struct worker *worker = &pool->workers[index];
        if ((worker->cpu >= 0 && worker->cpu == caller_cpu) || !unpark(pool, index))
            continue;
        atomic_store_explicit(&worker->asleep, 0, memory_order_release);
        futex_wake(&worker->asleep, 1);
        woken++;
    }
    return woken;
}

/* Wakes up to `count` parked workers, cyclically from the first one of `caller_cpu`'s group, except
 * for the worker that is pinned to `caller_cpu`. */
static void wake_workers(struct pool *pool, int count, int caller_cpu)
{
    if (atomic_load(&pool->sleepers) <= 0)
        return;
    int first =
        caller_cpu >= 0 && caller_cpu < POOL_CORES_MAX ? pool->first_in_group[caller_cpu] : 0;
    int words = (pool->worker_count + 63) / 64;
    unsigned long long from_first = ~0ULL << first % 64;
    for (int i = 0; i <= words && words && count > 0; i++) {
        unsigned long long mask = i == 0 ? from_first : i == words ? ~from_first : ~0ULL;
        count -= wake_some(pool, (first / 64 + i) % words, mask, count, caller_cpu);
    }
}

/* Whether there is a unit to claim. */
static bool work_waits(struct pool *pool)
{
    unsigned long long bits = atomic_load(&pool->active);
    for (; bits; bits &= bits - 1)
        if (atomic_load_explicit(&pool->slots[__builtin_ctzll(bits)].remaining,
                                 memory_order_relaxed))
            return true;
    return false;
}

/* Sleeps until woken, unless there is work already. */
static void park(struct pool *pool, struct worker *worker)
{
    atomic_store_explicit(&worker->asleep, 1, memory_order_relaxed);
    atomic_fetch_add(&pool->sleepers, 1);
    atomic_fetch_or(&pool->parked[worker->index / 64], bit_of(worker->index));
    if (work_waits(pool) && unpark(pool, worker->index))
        return;
    while (atomic_load_explicit(&worker->asleep, memory_order_acquire))
        futex_wait(&worker->asleep, 1);
}

/* Visits every active slot once; returns whether a unit was run. */
static bool work(struct pool *pool, bool woken)
{
    bool any = false;
    unsigned long long bits = atomic_load_explicit(&pool->active, memory_order_acquire);
    for (; bits; bits &= bits - 1) {
        struct slot *slot = &pool->slots[__builtin_ctzll(bits)];
        unsigned done = drain(pool, slot, woken);
        if (!done)
            continue;
        finish(slot, done);
        any = true;
        woken = false;
    }
    return any;
}

static void worker_run(void *argument)
{
    struct worker *worker = argument;
    struct pool *pool = &shared;
    bool woken = true;
    pool_cores_pin(worker->cpu);
    fpu_enter();
    for (;;) {
        int64_t deadline = now_ns() + spin_ns(pool);
        for (unsigned spins = 1; spins % 32 || now_ns() < deadline; spins++) {
            if (!work(pool, woken))
                cpu_relax();
            else
                deadline = now_ns() + spin_ns(pool);
            woken = false;
        }
        park(pool, worker);
        woken = true;
    }
}

/* ---- start ----------------------------------------------------------------------------------- */
static int plan_cores(const struct pool *pool, int *cpus, int width)
{
    int (*group_of)(int cpu) = atomic_load_explicit(&pool->group_of, memory_order_acquire);
    return pool_cores_plan(group_of, cpus, width);
}

/* Records the first worker of each core's group. */
static void record_groups(struct pool *pool, const int *cpus, int count)
{
    int (*group_of)(int cpu) = atomic_load_explicit(&pool->group_of, memory_order_acquire);
    for (int i = 0, first = 0; group_of && i < count; i++) {
        if (group_of(cpus[i]) != group_of(cpus[first]))
            first = i;
        pool->first_in_group[cpus[i]] = (short)first;
    }
}

/* There is one worker less than the width. Pinned workers are one per core instead, and the one on
 * the caller's core is not woken. */
static void start_workers(struct pool *pool)
{
    int cpus[MAX_WORKERS], width = cpu_usable_cores();
    if (width > MAX_WORKERS)
        width = MAX_WORKERS;
    bool pinned = plan_cores(pool, cpus, width) > 0;
    int wanted = pinned ? width : width - 1;
    for (int i = 0; i < wanted; i++) {
        atomic_store_explicit(&pool->workers[i].asleep, 0, memory_order_relaxed);
        pool->workers[i].index = i;
        pool->workers[i].cpu = pinned ? cpus[i] : -1;
    }
    if (pinned)
        record_groups(pool, cpus, width);
    pool->worker_count = wanted; /* before any thread: wake_workers does not lock */
    for (int i = 0; i < wanted; i++) {
        char name[16];
        snprintf(name, sizeof name, "gantry-%u", (unsigned)i % MAX_WORKERS);
        if (!thread_start(name, worker_run, &pool->workers[i])) {
            LOG(WARNING, "pool: only %d of %d worker threads could be created", i, wanted);
            break;
        }
    }
    LOG(INFO, "pool: %d workers%s", wanted, pinned ? ", pinned" : "");
}

static void ensure_started(struct pool *pool)
{
    if (atomic_load_explicit(&pool->started, memory_order_acquire))
        return;
    fork_lock_take(&pool->starting);
    if (!atomic_load_explicit(&pool->started, memory_order_relaxed)) {
        start_workers(pool);
        atomic_store_explicit(&pool->started, 1, memory_order_release);
    }
    fork_lock_release(&pool->starting);
}

/* A forked child has only the forking thread. Jobs of the parent's other threads are dropped, and
 * workers start again at the next use. */
static void in_child(struct fork_lock *unused)
{
    (void)unused;
    atomic_store(&shared.active, 0);
    atomic_store(&shared.taken, 0);
    atomic_store(&shared.sleepers, 0);
    for (int i = 0; i < MAX_WORKERS / 64; i++)
        atomic_store(&shared.parked[i], 0);
    for (int i = 0; i < SLOTS; i++) {
        atomic_store(&shared.slots[i].remaining, 0);
        atomic_store(&shared.slots[i].pending, 0);
    }
    atomic_store(&shared.started, 0);
}

struct pool *pool_shared(void)
{
    return &shared;
}

int pool_width(const struct pool *pool)
{
    (void)pool;
    int width = cpu_usable_cores();
    return width < MAX_WORKERS ? width : MAX_WORKERS;
}

void pool_group_cores(struct pool *pool, int (*group_of)(int cpu))
{
    atomic_store_explicit(&pool->group_of, group_of, memory_order_release);
}

int pool_pinned_cores(const struct pool *pool, int *cpus, int capacity)
{
    int planned[MAX_WORKERS], count = 0;
    if (!atomic_load_explicit(&pool->started, memory_order_acquire))
        count = plan_cores(pool, planned, pool_width(pool));
    else
        for (; count < pool->worker_count && pool->workers[count].cpu >= 0; count++)
            planned[count] = pool->workers[count].cpu;
    for (int i = 0; i < count && i < capacity; i++)
        cpus[i] = planned[i];
    return count;
}

/* ---- pool_parallel --------------------------------------------------------------------------- */
/* A free slot, or NULL when all are in use. */
static struct slot *take_slot(struct pool *pool)
{
    unsigned long long taken = atomic_load_explicit(&pool->taken, memory_order_relaxed);
    while (~taken) {
        int index = __builtin_ctzll(~taken);
        if (atomic_compare_exchange_weak_explicit(&pool->taken, &taken, taken | bit_of(index),
                                                  memory_order_acquire, memory_order_relaxed))
            return &pool->slots[index];
    }
    return NULL;
}

/* The record of similar calls: those with the same body and the same counts. */
static atomic_ullong *memory_of(struct pool *pool, const struct slot *slot, uint32_t *kind)
{
    uint64_t mixed = (uint64_t)(uintptr_t)slot->body * 0x9E3779B97F4A7C15ULL;
    mixed = (mixed ^ (uint64_t)slot->count) * 0xD6E8FEB86659FD93ULL;
    mixed = (mixed ^ (uint64_t)slot->grain) * 0x9E3779B97F4A7C15ULL;
    *kind = (uint32_t)mixed | 1;
    return &pool->memory[mixed >> 56];
}

/* Publishes the job, runs units together with the workers, and waits for the units they claimed. */
static void run_job(struct pool *pool, struct slot *slot, unsigned long long bit)
{
    uint32_t kind;
    atomic_ullong *memory = memory_of(pool, slot, &kind);
    unsigned long long known = atomic_load_explicit(memory, memory_order_relaxed);
    note_call(pool);
    bool wake = known >> 32 != kind || (uint32_t)known >= WAKE_NS;
    atomic_store_explicit(&slot->pending, 2 * slot->units, memory_order_relaxed);
    atomic_store_explicit(&slot->remaining, slot->units, memory_order_release);
    atomic_fetch_or(&pool->active, bit);
    if (wake)
        wake_workers(pool, 1, slot->cpu);
    int64_t work;
    unsigned done = drain_own(pool, slot, wake, &work);
    atomic_fetch_and_explicit(&pool->active, ~bit, memory_order_relaxed);
    if (work > UINT32_MAX)
        work = UINT32_MAX;
    bool long_before = known >> 32 == kind && (uint32_t)known >= WAKE_NS;
    if (known >> 32 != kind ||
        long_before != (work >= WAKE_NS)) /* written only when it changes the estimate */
        atomic_store_explicit(memory, (unsigned long long)kind << 32 | (uint32_t)work,
                              memory_order_relaxed);
    if (done)
        atomic_fetch_sub_explicit(&slot->pending, 2 * done, memory_order_acq_rel);
    wait_for_claimed(slot);
    atomic_store_explicit(&pool->ended, now_ns(), memory_order_relaxed);
}

void pool_parallel(struct pool *pool, int64_t count, int64_t grain,
                   void (*body)(void *context, int64_t begin, int64_t end), void *context)
{
    if (count <= 0)
        return;
    if (grain < 1)
        grain = 1;
    int64_t grains = (count - 1) / grain + 1, grains_a_unit = (grains - 1) / MAX_UNITS + 1;
    struct slot *slot = NULL;
    if (grains > 1 && !inside && pool_width(pool) > 1)
        slot = take_slot(pool);
    if (!slot) {
        struct slot serial = {.body = body, .context = context, .grain = grain};
        run_grains(&serial, 0, count);
        return;
    }
    ensure_started(pool);
    slot->body = body;
    slot->context = context;
    slot->count = count;
    slot->grain = grain;
    slot->unit = grain * grains_a_unit;
    slot->units = (uint32_t)((grains - 1) / grains_a_unit + 1);
    slot->cpu = sched_getcpu();
    unsigned long long bit = bit_of((int)(slot - pool->slots));
    run_job(pool, slot, bit);
    atomic_fetch_and_explicit(&pool->taken, ~bit, memory_order_release);
}

/* ---- pool_submit ----------------------------------------------------------------------------- */
struct error *pool_submit(struct pool *pool, void (*task)(void *context), void *context)
{
    (void)pool;
    return tasks_submit(task, context);
}
