/* network_stream.c: see network_stream.h. */
#include "devices/host/net/network_stream.h"

#include <string.h>

enum { /* What a tag is for; network.c has 1. */
       STREAM_TAG = 2,
       OFFER_TAG = 3,
       ANSWER_TAG = 4
};

static struct network *network_of(const struct network_stream *stream)
{
    return stream->exchange->channel->network;
}

bool network_stream_is_complete(const struct network_stream *stream)
{
    return stream->in.done == stream->in.total && stream->out.begun == stream->out.total;
}

bool network_stream_waits(const struct network_stream *stream)
{
    return stream->in.done != stream->in.total || stream->out.loan.is_open;
}

/* ---- beginning and end ----------------------------------------------------------------------- */
/* Processes that execute different programs have different tags: they exchange nothing. */
static uint64_t tag_of(const struct network_stream *stream, uint64_t purpose, bool sends)
{
    const struct network_launch *launch = &stream->exchange->channel->launch;
    uint64_t here = (uint64_t)network_of(stream)->process, there = (uint64_t)stream->flow->process;
    const uint64_t words[] = {purpose,
                              sends ? here : there,
                              sends ? there : here,
                              launch->execution.scope,
                              launch->execution.sequence,
                              launch->program[0],
                              launch->program[1],
                              stream->exchange->stream};
    return net_message_hash(network_of(stream)->token, words, sizeof words / sizeof *words);
}

static void begin_direction(struct network_stream *stream, bool sends)
{
    const struct network_flow *flow = stream->flow;
    const struct net_piece *pieces = sends ? flow->sends : flow->receives;
    int count = sends ? flow->send_count : flow->receive_count;
    *(sends ? &stream->out : &stream->in) =
        (struct network_direction){.cursor = {.piece = pieces},
                                   .tag = tag_of(stream, STREAM_TAG, sends),
                                   .total = net_cursor_total(pieces, count)};
}

struct error *network_stream_begin(struct network_stream *stream,
                                   const struct network_exchange *exchange,
                                   const struct network_flow *flow, atomic_uint *changes)
{
    *stream = (struct network_stream){.exchange = exchange, .flow = flow, .changes = changes};
    begin_direction(stream, true);
    begin_direction(stream, false);
    return network_link(exchange->channel->network, flow->process, &stream->link);
}

static void end_direction(struct network_direction *direction, bool sends, bool has_failed)
{
    for (unsigned i = 0; i < NETWORK_WINDOW; i++) {
        if (has_failed && direction->window[i])
            network_segment_forget(direction->window[i]);
        network_segment_drop(direction->window[i], !sends);
    }
    network_loan_end(&direction->loan, sends, has_failed);
}

void network_stream_end(struct network_stream *stream, bool has_failed)
{
    end_direction(&stream->out, true, has_failed);
    end_direction(&stream->in, false, has_failed);
}

/* ---- segments -------------------------------------------------------------------------------- */
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

static uint64_t next_size(const struct network_direction *direction)
{
    uint64_t left = direction->total - direction->begun;
    return left < NETWORK_SEGMENT ? left : NETWORK_SEGMENT;
}

/* A segment in the window's next place: the one that was there, or a new one. */
static struct error *next_segment(struct network *network, struct network_direction *direction,
                                  struct network_segment **out)
{
    struct network_segment **place = &direction->window[direction->last % NETWORK_WINDOW];
    uint64_t size = next_size(direction);
    if (*place && (*place)->capacity < size) {
        fork_lock_take(&network->lock);
        network_segment_drop(*place, false);
        fork_lock_release(&network->lock);
        *place = NULL;
    }
    if (!*place)
        TRY(network_segment_create(network, size, place));
    *out = *place;
    return NULL;
}

static struct error *post_receives(struct network_stream *stream, bool *moved)
{
    struct network *network = network_of(stream);
    struct network_direction *in = &stream->in;
    while (in->begun < in->total && in->last - in->first < NETWORK_WINDOW) {
        struct network_segment *segment;
        uint64_t size = next_size(in);
        TRY(next_segment(network, in, &segment));
        fork_lock_take(&network->lock);
        network_segment_receive(segment, in->tag, size, stream->changes);
        fork_lock_release(&network->lock);
        in->begun += size;
        in->last++;
        *moved = true;
    }
    return NULL;
}

static struct error *wrong_segment(const struct network_stream *stream,
                                   const struct network_segment *segment, uint64_t expected)
{
    int process = stream->flow->process;
    const char *host = network_of(stream)->peers[process].host, *label = stream->exchange->label;
    if (segment->status == TRANSPORT_DONE || segment->status == TRANSPORT_TRUNCATED)
        return ERROR(INTERNAL, "%s: process %d on host %s sent %llu bytes where %llu were expected",
                     label, process, host, (unsigned long long)segment->size,
                     (unsigned long long)expected);
    return ERROR(UNAVAILABLE, "%s: process %d on host %s has ended, or the connection was lost",
                 label, process, host);
}

static struct error *unpack(struct network_stream *stream, bool *moved)
{
    struct network_direction *in = &stream->in;
    for (; in->first != in->last; in->first++) {
        const struct network_segment *segment = in->window[in->first % NETWORK_WINDOW];
        uint64_t left = in->total - in->done,
                 size = left < NETWORK_SEGMENT ? left : NETWORK_SEGMENT;
        if (!atomic_load(&segment->is_done))
            return NULL;
        if (segment->status != TRANSPORT_DONE || segment->size != size)
            return wrong_segment(stream, segment, size);
        move(&in->cursor, (char *)(uintptr_t)segment->bytes, size, false);
        in->done += size;
        *moved = true;
    }
    return NULL;
}

/* A process that has done its part and left does not miss what is sent to it. */
static bool has_left(const struct network_stream *stream)
{
    return network_of(stream)->peers[stream->flow->process].has_left;
}

static struct error *send_more(struct network_stream *stream, bool *moved)
{
    struct network *network = network_of(stream);
    struct network_direction *out = &stream->out;
    while (out->begun < out->total) {
        struct network_segment *segment = out->window[out->last % NETWORK_WINDOW];
        uint64_t size = next_size(out);
        if (segment && !atomic_load(&segment->is_done))
            return NULL;
        if (segment && segment->status != TRANSPORT_DONE && !has_left(stream))
            return wrong_segment(stream, segment, size);
        TRY(next_segment(network, out, &segment));
        move(&out->cursor, segment->bytes, size, true);
        fork_lock_take(&network->lock);
        network_segment_send(segment, stream->link, out->tag, size, stream->changes);
        fork_lock_release(&network->lock);
        out->begun += size;
        out->last++;
        *moved = true;
    }
    return NULL;
}

struct error *network_stream_post(struct network_stream *stream)
{
    struct network_channel *channel = stream->exchange->channel;
    struct network_direction *out = &stream->out;
    while (out->begun < out->total) {
        struct network_segment *segment;
        uint64_t size = next_size(out);
        if (atomic_load(&channel->is_failed))
            return ERROR(CANCELLED, "%s: the execution has failed", stream->exchange->label);
        TRY(network_segment_create(channel->network, size, &segment));
        move(&out->cursor, segment->bytes, size, true);
        fork_lock_take(&channel->network->lock);
        segment->next = channel->posted;
        channel->posted = segment;
        network_segment_send(segment, stream->link, out->tag, size, &channel->posts);
        fork_lock_release(&channel->network->lock);
        out->begun += size;
    }
    return NULL;
}

/* ---- loans ----------------------------------------------------------------------------------- */
static struct network_loan_terms terms_of(const struct network_stream *stream, bool lends)
{
    const struct network_flow *flow = stream->flow;
    return (struct network_loan_terms){.peer = &network_of(stream)->peers[flow->process],
                                       .link = stream->link,
                                       .offer_tag = tag_of(stream, OFFER_TAG, lends),
                                       .answer_tag = tag_of(stream, ANSWER_TAG, !lends),
                                       .pieces = lends ? flow->sends : flow->receives,
                                       .count = lends ? flow->send_count : flow->receive_count,
                                       .total = lends ? stream->out.total : stream->in.total,
                                       .changes = stream->changes};
}

/* Lends what is sent, or borrows what is received, where that is possible. */
static struct error *advance_loan(struct network_stream *stream, bool lends, bool *moved)
{
    struct network_direction *direction = lends ? &stream->out : &stream->in;
    const struct network_peer *peer = &network_of(stream)->peers[stream->flow->process];
    bool taken;
    if (!stream->exchange->lends || (direction->is_lent && !direction->loan.is_open) ||
        !network_loan_suits(peer, direction->total))
        return NULL;
    struct network_loan_terms terms = terms_of(stream, lends);
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

struct error *network_stream_advance(struct network_stream *stream, bool *moved)
{
    TRY(advance_loan(stream, true, moved));
    TRY(advance_loan(stream, false, moved));
    if (!stream->in.loan.is_open)
        TRY(post_receives(stream, moved));
    if (!stream->out.loan.is_open)
        TRY(send_more(stream, moved));
    return unpack(stream, moved);
}
