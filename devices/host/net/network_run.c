/* network_run.c: exchanges: see network.h. What two processes owe each other is a stream of bytes
 * in each direction, which is cut into segments; a few of them are on their way at once. The
 * calling thread packs what it sends into segments and unpacks what it receives. */
#include <sched.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/env.h"
#include "base/futex.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/text.h"
#include "devices/host/net/net_cursor.h"
#include "devices/host/net/network_loan.h"

#define SECOND INT64_C(1000000000)
enum {
    WINDOW = 4,            /* segments on their way in each direction */
    SPIN = 20000,          /* nanoseconds without giving way to other threads */
    YIELD = 200000,        /* nanoseconds of waiting before it sleeps */
    DEFAULT_TIMEOUT = 600, /* seconds: processes compile at different speeds */
    WARNING_SECONDS = 30,
    /* What a tag is for; network.c has 1. */
    STREAM_TAG = 2,
    OFFER_TAG = 3,
    ANSWER_TAG = 4
};

struct direction { /* of a flow */
    struct net_cursor cursor;
    uint64_t tag, total; /* bytes */
    uint64_t begun;      /* bytes of segments that were started */
    uint64_t done;       /* bytes that were unpacked */
    struct network_segment *window[WINDOW];
    unsigned first, last; /* segments in the window, modulo WINDOW */
    struct network_loan loan;
    bool is_lent; /* a loan was offered, or is awaited */
};

struct stream {
    const struct network_flow *flow;
    struct transport_peer *link;
    struct direction out, in;
    bool is_asked; /* network_wait_ask() */
};

struct network_run {
    const struct network_exchange *exchange;
    struct network *network;
    struct stream *streams;
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

/* ---- pieces ---------------------------------------------------------------------------------- */
/* Copies `size` bytes from the pieces to `bytes`, or the reverse. */
static void move(struct net_cursor *at, char *bytes, uint64_t size, bool packs)
{
    while (size) {
        uint64_t run = net_cursor_run(at), count = run < size ? run : size;
        char *here = net_cursor_take(at, count);
        memcpy(packs ? bytes : here, packs ? here : bytes, count);
        bytes += count;
        size -= count;
    }
}

/* ---- chains of waits ------------------------------------------------------------------------ */
static bool is_complete(const struct stream *stream)
{
    return stream->in.done == stream->in.total && stream->out.begun == stream->out.total;
}

/* Asks those for which it waits what keeps them waiting, once. */
static void ask(struct network_run *run)
{
    run->has_asked = true;
    for (int i = 0; i < run->exchange->flow_count; i++) {
        struct stream *stream = &run->streams[i];
        stream->is_asked = !is_complete(stream);
        if (stream->is_asked)
            network_wait_ask(run->exchange->channel, stream->flow->process, run->exchange->label);
    }
}

static void answer(struct network_run *run)
{
    int first = 0;
    while (is_complete(&run->streams[first]))
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
/* Processes that execute different programs have different tags: they exchange nothing. */
static uint64_t tag_of(const struct network_run *run, uint64_t purpose, int from, int to)
{
    const struct network_launch *launch = &run->exchange->channel->launch;
    const uint64_t words[] = {purpose,
                              (uint64_t)from,
                              (uint64_t)to,
                              launch->execution.scope,
                              launch->execution.sequence,
                              launch->program[0],
                              launch->program[1],
                              run->exchange->stream};
    return net_message_hash(run->network->token, words, sizeof words / sizeof *words);
}

static void begin_stream(const struct network_run *run, struct stream *stream,
                         const struct network_flow *flow)
{
    int here = run->network->process;
    *stream =
        (struct stream){.flow = flow,
                        .out = {.cursor = {.piece = flow->sends},
                                .tag = tag_of(run, STREAM_TAG, here, flow->process),
                                .total = net_cursor_total(flow->sends, flow->send_count)},
                        .in = {.cursor = {.piece = flow->receives},
                               .tag = tag_of(run, STREAM_TAG, flow->process, here),
                               .total = net_cursor_total(flow->receives, flow->receive_count)}};
}

static struct error *link_streams(struct network_run *run)
{
    const struct network_exchange *exchange = run->exchange;
    struct error *error = NULL;
    if (run->network->is_child)
        return ERROR(FAILED_PRECONDITION, "%s in a forked process", exchange->label);
    for (int i = 0; i < exchange->flow_count && !error; i++) {
        begin_stream(run, &run->streams[i], &exchange->flows[i]);
        error = network_link(run->network, exchange->flows[i].process, &run->streams[i].link);
    }
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

static void drop_window(struct direction *direction, bool receives, bool has_failed)
{
    for (unsigned i = 0; i < WINDOW; i++) {
        if (has_failed && direction->window[i])
            network_segment_forget(direction->window[i]);
        network_segment_drop(direction->window[i], receives);
    }
}

/* Sends that are on their way complete by themselves. */
void network_end(struct network_run *run, bool has_failed)
{
    struct network_channel *channel = run->exchange->channel;
    fork_lock_take(&run->network->lock);
    if (run->streams)
        end_questions(run);
    for (int i = 0; i < run->exchange->flow_count && run->streams; i++) {
        drop_window(&run->streams[i].out, false, has_failed);
        drop_window(&run->streams[i].in, true, has_failed);
        network_loan_end(&run->streams[i].out.loan, true, has_failed);
        network_loan_end(&run->streams[i].in.loan, false, has_failed);
    }
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

/* ---- segments -------------------------------------------------------------------------------- */
static uint64_t next_size(const struct direction *direction)
{
    uint64_t left = direction->total - direction->begun;
    return left < NETWORK_SEGMENT ? left : NETWORK_SEGMENT;
}

/* A segment in the window's next place: the one that was there, or a new one. */
static struct error *next_segment(struct network_run *run, struct direction *direction,
                                  struct network_segment **out)
{
    struct network_segment **place = &direction->window[direction->last % WINDOW];
    uint64_t size = next_size(direction);
    if (*place && (*place)->capacity < size) {
        fork_lock_take(&run->network->lock);
        network_segment_drop(*place, false);
        fork_lock_release(&run->network->lock);
        *place = NULL;
    }
    if (!*place)
        TRY(network_segment_create(run->network, size, place));
    *out = *place;
    return NULL;
}

static struct error *post_receives(struct network_run *run, struct direction *in, bool *moved)
{
    while (in->begun < in->total && in->last - in->first < WINDOW) {
        struct network_segment *segment;
        uint64_t size = next_size(in);
        TRY(next_segment(run, in, &segment));
        fork_lock_take(&run->network->lock);
        network_segment_receive(segment, in->tag, size, run->changes);
        fork_lock_release(&run->network->lock);
        in->begun += size;
        in->last++;
        *moved = true;
    }
    return NULL;
}

static struct error *wrong_segment(const struct network_run *run, int process,
                                   const struct network_segment *segment, uint64_t expected)
{
    const char *host = run->network->peers[process].host;
    if (segment->status == TRANSPORT_DONE || segment->status == TRANSPORT_TRUNCATED)
        return ERROR(INTERNAL, "%s: process %d on host %s sent %llu bytes where %llu were expected",
                     run->exchange->label, process, host, (unsigned long long)segment->size,
                     (unsigned long long)expected);
    return ERROR(UNAVAILABLE, "%s: process %d on host %s has ended, or the connection was lost",
                 run->exchange->label, process, host);
}

static struct error *unpack(struct network_run *run, struct stream *stream, bool *moved)
{
    struct direction *in = &stream->in;
    for (; in->first != in->last; in->first++) {
        const struct network_segment *segment = in->window[in->first % WINDOW];
        uint64_t left = in->total - in->done,
                 size = left < NETWORK_SEGMENT ? left : NETWORK_SEGMENT;
        if (!atomic_load(&segment->is_done))
            return NULL;
        if (segment->status != TRANSPORT_DONE || segment->size != size)
            return wrong_segment(run, stream->flow->process, segment, size);
        move(&in->cursor, (char *)(uintptr_t)segment->bytes, size, false);
        in->done += size;
        *moved = true;
    }
    return NULL;
}

/* A process that has done its part and left does not miss what is sent to it. */
static bool has_left(const struct network_run *run, const struct stream *stream)
{
    return run->network->peers[stream->flow->process].has_left;
}

static struct error *send_more(struct network_run *run, struct stream *stream, bool *moved)
{
    struct direction *out = &stream->out;
    while (out->begun < out->total) {
        struct network_segment *segment = out->window[out->last % WINDOW];
        uint64_t size = next_size(out);
        if (segment && !atomic_load(&segment->is_done))
            return NULL;
        if (segment && segment->status != TRANSPORT_DONE && !has_left(run, stream))
            return wrong_segment(run, stream->flow->process, segment, size);
        TRY(next_segment(run, out, &segment));
        move(&out->cursor, segment->bytes, size, true);
        fork_lock_take(&run->network->lock);
        network_segment_send(segment, stream->link, out->tag, size, run->changes);
        fork_lock_release(&run->network->lock);
        out->begun += size;
        out->last++;
        *moved = true;
    }
    return NULL;
}

/* ---- loans ----------------------------------------------------------------------------------- */
static struct network_loan_terms terms_of(const struct network_run *run,
                                          const struct stream *stream, bool lends)
{
    const struct network_flow *flow = stream->flow;
    int here = run->network->process, lender = lends ? here : flow->process,
        borrower = lends ? flow->process : here;
    return (struct network_loan_terms){.peer = &run->network->peers[flow->process],
                                       .link = stream->link,
                                       .offer_tag = tag_of(run, OFFER_TAG, lender, borrower),
                                       .answer_tag = tag_of(run, ANSWER_TAG, borrower, lender),
                                       .pieces = lends ? flow->sends : flow->receives,
                                       .count = lends ? flow->send_count : flow->receive_count,
                                       .total = lends ? stream->out.total : stream->in.total,
                                       .changes = run->changes};
}

/* Lends what is sent, or borrows what is received, where that is possible. */
static struct error *advance_loan(struct network_run *run, struct stream *stream, bool lends,
                                  bool *moved)
{
    struct direction *direction = lends ? &stream->out : &stream->in;
    const struct network_peer *peer = &run->network->peers[stream->flow->process];
    bool taken;
    if (!run->exchange->lends || (direction->is_lent && !direction->loan.is_open) ||
        !network_loan_suits(peer, direction->total))
        return NULL;
    struct network_loan_terms terms = terms_of(run, stream, lends);
    if (!direction->is_lent) {
        direction->is_lent = *moved = true;
        return lends ? network_loan_offer(&direction->loan, &terms)
                     : network_loan_await(&direction->loan, &terms);
    }
    TRY(lends ? network_loan_lend(&direction->loan, &terms, &taken)
              : network_loan_take(&direction->loan, &terms, &taken));
    if (taken)
        direction->begun = direction->done = direction->total;
    *moved |= !direction->loan.is_open;
    return NULL;
}

/* ---- waiting --------------------------------------------------------------------------------- */
static struct error *overdue(const struct network_run *run, int64_t seconds)
{
    const struct network_channel *channel = run->exchange->channel;
    struct text missing = {0};
    fork_lock_take(&run->network->lock);
    for (int i = 0; i < run->exchange->flow_count; i++) {
        const struct stream *stream = &run->streams[i];
        if (is_complete(stream))
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
        network_advance(network);
        fork_lock_release(&network->lock);
        if (now >= begin + SPIN)
            sched_yield();
    }
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
    if (atomic_load(run->changes) != seen || !network_sleep(run->network, run->changes, seen))
        return NULL;
    struct error *error = ERROR(CANCELLED, "%s of '%s' was interrupted by a signal",
                                run->exchange->label, run->exchange->channel->launch.name);
    network_fail(run->exchange->channel, error);
    return error;
}

static struct error *advance_stream(struct network_run *run, struct stream *stream, bool *moved)
{
    TRY(advance_loan(run, stream, true, moved));
    TRY(advance_loan(run, stream, false, moved));
    if (!stream->in.loan.is_open)
        TRY(post_receives(run, &stream->in, moved));
    if (!stream->out.loan.is_open)
        TRY(send_more(run, stream, moved));
    return unpack(run, stream, moved);
}

/* What a lost process has sent before is received first: `seen` are the changes at the time when
 * all was unpacked. */
static struct error *check_lost(const struct network_run *run, unsigned seen)
{
    struct network *network = run->network;
    const struct network_peer *first = NULL;
    fork_lock_take(&network->lock);
    for (int i = 0; i < run->exchange->flow_count && atomic_load(run->changes) == seen; i++) {
        const struct stream *stream = &run->streams[i];
        const struct network_peer *peer = &network->peers[stream->flow->process];
        bool waits = stream->in.done != stream->in.total || stream->out.loan.is_open;
        if (waits && peer->is_lost && (!first || peer->lost_at < first->lost_at))
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
            TRY(advance_stream(run, &run->streams[i], &moved));
            *complete &= is_complete(&run->streams[i]);
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
    bool complete = false;
    TRY(network_begin(exchange, &changes, &run));
    struct error *error = NULL;
    while (!error && !complete) {
        unsigned seen = atomic_load(&changes);
        error = network_continue(run, &complete);
        if (!error && !complete)
            error = await_change(run, seen);
    }
    network_end(run, error != NULL);
    return error;
}

static struct error *post_next(struct network_run *run, struct stream *stream)
{
    struct network_channel *channel = run->exchange->channel;
    struct direction *out = &stream->out;
    struct network_segment *segment;
    uint64_t size = next_size(out);
    if (atomic_load(&channel->is_failed))
        return ERROR(CANCELLED, "%s: the execution has failed", run->exchange->label);
    TRY(network_segment_create(run->network, size, &segment));
    move(&out->cursor, segment->bytes, size, true);
    fork_lock_take(&run->network->lock);
    segment->next = channel->posted;
    channel->posted = segment;
    network_segment_send(segment, stream->link, out->tag, size, &channel->posts);
    fork_lock_release(&run->network->lock);
    out->begun += size;
    return NULL;
}

struct error *network_post(const struct network_exchange *exchange)
{
    struct network_channel *channel = exchange->channel;
    struct network *network = channel->network;
    struct network_run *run;
    atomic_uint changes = 0;
    struct error *error = NULL;
    fork_lock_take(&network->lock);
    network_segment_reap(channel, false);
    fork_lock_release(&network->lock);
    TRY(network_begin(exchange, &changes, &run));
    while (!error && run->streams[0].out.begun < run->streams[0].out.total)
        error = post_next(run, &run->streams[0]);
    if (error)
        network_fail(channel, error);
    network_end(run, error != NULL);
    network_call(network); /* the thread goes on with them */
    return error;
}
