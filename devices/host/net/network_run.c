/* network_run.c: exchanges: see network.h. They consist of streams (network_stream.h), and end when
 * these are complete, at the deadline, or when a process is lost for which one waits. */
#include <poll.h>
#include <sched.h>
#include <time.h>

#include "base/alloc.h"
#include "base/env.h"
#include "base/futex.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/text.h"
#include "devices/host/net/network_stream.h"

#define SECOND INT64_C(1000000000)
enum {
    SPIN = 20000,          /* nanoseconds without giving way to other threads */
    YIELD = 200000,        /* nanoseconds of waiting before it sleeps */
    ATTEND = 20000000,     /* nanoseconds of sleeping until the transport has something to do */
    DEFAULT_TIMEOUT = 600, /* seconds: processes compile at different speeds */
    WARNING_SECONDS = 30
};

struct network_run {
    const struct network_exchange *exchange;
    struct network *network;
    struct network_stream *streams;
    int64_t begin, limit;
    bool has_asked, has_warned;
    struct network_wait wait;
    atomic_uint *changes; /* futex */
};

static int64_t now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * SECOND + time.tv_nsec;
}

/* ---- chains of waits ------------------------------------------------------------------------ */
/* Asks those for which it waits what keeps them waiting, once. */
static void ask(struct network_run *run)
{
    run->has_asked = true;
    for (int i = 0; i < run->exchange->flow_count; i++) {
        struct network_stream *stream = &run->streams[i];
        stream->is_asked = !network_stream_is_complete(stream);
        if (stream->is_asked)
            network_wait_ask(run->exchange->channel, stream->flow->process, run->exchange->label);
    }
}

static void answer(struct network_run *run)
{
    int first = 0;
    while (network_stream_is_complete(&run->streams[first]))
        first++;
    network_wait_answer(&run->wait, run->exchange->channel, run->streams[first].flow->process,
                        run->exchange->label);
}

static bool is_questioned(const struct network_run *run)
{
    return run->wait.seen != atomic_load(&run->exchange->channel->questions);
}

/* Requires the lock. */
static void end_questions(struct network_run *run)
{
    struct network_channel *channel = run->exchange->channel;
    if (run->network->is_child || atomic_load(&channel->is_failed))
        return;
    if (run->wait.seen)
        network_wait_end(channel);
    for (int i = 0; i < run->exchange->flow_count && run->has_asked; i++)
        if (run->streams[i].is_asked)
            network_wait_withdraw(channel, run->streams[i].flow->process);
}

/* ---- beginning and end ----------------------------------------------------------------------- */
static struct error *link_streams(struct network_run *run)
{
    const struct network_exchange *exchange = run->exchange;
    struct error *error = NULL;
    if (run->network->is_child)
        return ERROR(FAILED_PRECONDITION, "%s in a forked process", exchange->label);
    for (int i = 0; i < exchange->flow_count && !error; i++)
        error = network_stream_begin(&run->streams[i], exchange, &exchange->flows[i], run->changes);
    return error;
}

static struct error *begin_run(struct network_run *run)
{
    const struct network_exchange *exchange = run->exchange;
    struct network_channel *channel = exchange->channel;
    TRY(alloc_array((size_t)exchange->flow_count, sizeof *run->streams, &run->streams));
    fork_lock_take(&run->network->lock);
    struct error *error = link_streams(run);
    if (!error && channel->waiting_count < NETWORK_MAX_WAITING)
        channel->waiting[channel->waiting_count++] = run->changes;
    fork_lock_release(&run->network->lock);
    return error;
}

struct error *network_begin(const struct network_exchange *exchange, atomic_uint *changes,
                            struct network_run **out)
{
    struct network_run *run;
    int64_t limit = SECOND * env_int(ENV_GANTRY_COLLECTIVE_TIMEOUT, DEFAULT_TIMEOUT);
    *out = NULL;
    TRY(alloc_zeroed(sizeof *run, &run));
    *run = (struct network_run){.exchange = exchange,
                                .network = exchange->channel->network,
                                .begin = now_ns(),
                                .limit = limit,
                                .changes = changes};
    struct error *error = begin_run(run);
    if (error) {
        network_fail(exchange->channel, error);
        network_end(run, true);
    } else {
        *out = run;
    }
    return error;
}

/* Sends that are on their way complete by themselves. */
void network_end(struct network_run *run, bool has_failed)
{
    struct network_channel *channel = run->exchange->channel;
    fork_lock_take(&run->network->lock);
    if (run->streams)
        end_questions(run);
    for (int i = 0; i < run->exchange->flow_count && run->streams; i++)
        network_stream_end(&run->streams[i], has_failed);
    for (int i = 0; i < channel->waiting_count; i++)
        if (channel->waiting[i] == run->changes)
            channel->waiting[i] = channel->waiting[--channel->waiting_count];
    bool owes = run->network->owed > 0 && !run->network->is_child;
    fork_lock_release(&run->network->lock);
    if (owes)
        network_call(run->network);
    alloc_free(run->streams);
    alloc_free(run);
}

/* ---- waiting --------------------------------------------------------------------------------- */
static struct error *overdue(const struct network_run *run, int64_t seconds)
{
    const struct network_channel *channel = run->exchange->channel;
    struct text missing = {0};
    fork_lock_take(&run->network->lock);
    for (int i = 0; i < run->exchange->flow_count; i++) {
        const struct network_stream *stream = &run->streams[i];
        if (network_stream_is_complete(stream))
            continue;
        text_add(&missing, "%s", missing.size ? ", " : "");
        network_wait_describe(channel, stream->flow->process, &missing);
    }
    fork_lock_release(&run->network->lock);
    struct error *error =
        ERROR(UNAVAILABLE,
              "%s of '%s': process %d waited %lld s for process %s. All processes must execute the "
              "program; GANTRY_COLLECTIVE_TIMEOUT sets the limit in seconds",
              run->exchange->label, channel->launch.name, run->network->process, (long long)seconds,
              missing.data ? missing.data : "?");
    text_free(&missing);
    return error;
}

/* Of an exchange that is not complete. */
static struct error *check_time(struct network_run *run)
{
    int64_t waited = now_ns() - run->begin, patience = WARNING_SECONDS * SECOND;
    if (patience > run->limit / 2)
        patience = run->limit / 2;
    bool asks = waited >= patience / 2 && !run->has_asked;
    if (asks || is_questioned(run)) {
        fork_lock_take(&run->network->lock);
        if (asks)
            ask(run);
        answer(run);
        fork_lock_release(&run->network->lock);
    }
    if (waited < patience || (waited < run->limit && run->has_warned))
        return NULL;
    struct error *error = overdue(run, waited / SECOND);
    if (waited >= run->limit)
        return error;
    LOG(WARNING, "still waiting: %s", error_message(error, NULL));
    error_free(error);
    run->has_warned = true;
    return NULL;
}

/* Advances the network; after a while other threads go first. */
static void spin(const struct network_run *run, unsigned seen)
{
    struct network *network = run->network;
    int64_t begin = now_ns(), now = begin;
    atomic_store(&network->attended, begin + YIELD + NETWORK_ATTENDED);
    for (; atomic_load(run->changes) == seen && now < begin + YIELD; now = now_ns()) {
        fork_lock_take(&network->lock);
        network_advance_until(network, run->changes, seen);
        fork_lock_release(&network->lock);
        if (now >= begin + SPIN)
            sched_yield();
    }
}

/* Advances the network whenever it has something to do: while bytes arrive one segment after the
 * other, no other thread needs to run. */
static void attend(const struct network_run *run, unsigned seen)
{
    struct network *network = run->network;
    struct pollfd ready = {.fd = network->ops->fd(network->transport), .events = POLLIN};
    int64_t now = now_ns(), end = now + ATTEND;
    atomic_fetch_add(&network->pollers, 1);
    atomic_store(&network->attended, end);
    for (; atomic_load(run->changes) == seen && now < end; now = now_ns()) {
        fork_lock_take(&network->lock);
        network_advance_until(network, run->changes, seen);
        bool sleeps = atomic_load(run->changes) == seen && network->ops->arm(network->transport);
        fork_lock_release(&network->lock);
        if (sleeps)
            poll(&ready, 1, (int)((end - now) / 1000000) + 1);
    }
    atomic_store(&network->attended, now + NETWORK_ATTENDED);
    atomic_fetch_sub(&network->pollers, 1);
}

bool network_awaits(struct network_channel *channel)
{
    struct network *network = channel->network;
    int64_t begin = now_ns(), limit = atomic_load(&network->was_awaited) ? SPIN : 0;
    bool awaited = false;
    if (!network->spins || network->is_child)
        return false;
    atomic_store(&network->attended, begin + SPIN + NETWORK_ATTENDED);
    do {
        fork_lock_take(&network->lock);
        network_advance(network);
        awaited = network_channel_is_awaited(channel);
        fork_lock_release(&network->lock);
    } while (!awaited && now_ns() - begin < limit);
    atomic_store(&network->was_awaited, awaited);
    return awaited;
}

bool network_sleep(struct network *network, atomic_uint *changes, unsigned seen)
{
    int64_t limit = SECOND * env_int(ENV_GANTRY_COLLECTIVE_TIMEOUT, DEFAULT_TIMEOUT) / 8;
    atomic_fetch_add(&network->sleepers, 1);
    network_call(network);
    bool ends = interrupt_wait_for(changes, seen, limit < SECOND / 4 ? limit : SECOND / 4);
    atomic_fetch_sub(&network->sleepers, 1);
    return ends;
}

static struct error *await_change(const struct network_run *run, unsigned seen)
{
    if (run->network->spins)
        spin(run, seen);
    attend(run, seen);
    if (atomic_load(run->changes) != seen || !network_sleep(run->network, run->changes, seen))
        return NULL;
    struct error *error = ERROR(CANCELLED, "%s of '%s' was interrupted by a signal",
                                run->exchange->label, run->exchange->channel->launch.name);
    network_fail(run->exchange->channel, error);
    return error;
}

/* What a lost process has sent before is received first: `seen` are the changes at the time when
 * all was unpacked. */
static struct error *check_lost(const struct network_run *run, unsigned seen)
{
    struct network *network = run->network;
    const struct network_peer *first = NULL;
    fork_lock_take(&network->lock);
    for (int i = 0; i < run->exchange->flow_count && atomic_load(run->changes) == seen; i++) {
        const struct network_stream *stream = &run->streams[i];
        const struct network_peer *peer = &network->peers[stream->flow->process];
        if (network_stream_waits(stream) && peer->is_lost &&
            (!first || peer->lost_at < first->lost_at))
            first = peer;
    }
    fork_lock_release(&network->lock);
    return first ? network_gone(network, (int)(first - network->peers),
                                run->exchange->channel->launch.name)
                 : NULL;
}

/* Does what can be done at once. */
static struct error *advance_all(struct network_run *run, bool *complete)
{
    for (bool moved = true; moved && !*complete;) {
        moved = false;
        *complete = true;
        if (atomic_load(&run->exchange->channel->is_failed))
            return ERROR(CANCELLED, "%s: the execution has failed", run->exchange->label);
        for (int i = 0; i < run->exchange->flow_count; i++) {
            TRY(network_stream_advance(&run->streams[i], &moved));
            *complete &= network_stream_is_complete(&run->streams[i]);
        }
    }
    return NULL;
}

struct error *network_continue(struct network_run *run, bool *complete)
{
    unsigned seen = atomic_load(run->changes);
    *complete = false;
    struct error *error = advance_all(run, complete);
    if (!error && !*complete)
        error = check_lost(run, seen);
    if (!error && !*complete)
        error = check_time(run);
    if (error)
        network_fail(run->exchange->channel, error);
    return error;
}

struct error *network_exchange(const struct network_exchange *exchange)
{
    struct network_run *run;
    atomic_uint changes = 0;
    TRY(network_begin(exchange, &changes, &run));
    return network_finish(run);
}

struct error *network_finish(struct network_run *run)
{
    struct error *error = NULL;
    bool complete = false;
    while (!error && !complete) {
        unsigned seen = atomic_load(run->changes);
        error = network_continue(run, &complete);
        if (!error && !complete)
            error = await_change(run, seen);
    }
    network_end(run, error != NULL);
    return error;
}

struct error *network_post(const struct network_exchange *exchange)
{
    struct network_channel *channel = exchange->channel;
    struct network *network = channel->network;
    struct network_run *run;
    atomic_uint changes = 0;
    fork_lock_take(&network->lock);
    network_segment_reap(channel, false);
    fork_lock_release(&network->lock);
    TRY(network_begin(exchange, &changes, &run));
    struct error *error = network_stream_post(&run->streams[0]);
    if (error)
        network_fail(channel, error);
    network_end(run, error != NULL);
    network_call(network); /* the thread goes on with them */
    return error;
}
