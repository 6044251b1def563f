/* network_segment.c: messages on their way: see network_state.h. */
#include "base/alloc.h"
#include "base/futex.h"
#include "devices/host/net/network_state.h"

enum { KEPT = 64 /* free segments of the largest size */ };

struct error *network_segment_create(struct network *network, uint64_t size,
                                     struct network_segment **out)
{
    uint64_t capacity = size > NETWORK_SEGMENT / 16 ? NETWORK_SEGMENT : size;
    fork_lock_take(&network->lock);
    *out = capacity == NETWORK_SEGMENT ? network->free_segments : NULL;
    if (*out) {
        network->free_segments = (*out)->next;
        network->free_count--;
    }
    fork_lock_release(&network->lock);
    if (!*out) {
        TRY(alloc_aligned(sizeof **out + capacity, out));
        **out = (struct network_segment){.network = network, .capacity = capacity};
    }
    (*out)->owner = NULL;
    atomic_store(&(*out)->is_done, true);
    return NULL;
}

/* Requires the lock. */
static void free_segment(struct network_segment *segment)
{
    struct network *network = segment->network;
    if (segment->capacity != NETWORK_SEGMENT || network->free_count == KEPT) {
        alloc_free(segment);
        return;
    }
    segment->next = network->free_segments;
    network->free_segments = segment;
    network->free_count++;
}

void network_segment_drop(struct network_segment *segment, bool receives)
{
    if (!segment)
        return;
    segment->owner = NULL;
    if (atomic_load(&segment->is_done))
        free_segment(segment);
    else if (receives && segment->request)
        segment->network->ops->cancel(segment->network->transport, segment->request);
}

void network_segment_forget(struct network_segment *segment)
{
    segment->network->owed -= segment->is_owed;
    segment->is_owed = false;
}

void network_segment_reap(struct network_channel *channel, bool all)
{
    for (struct network_segment *segment, **at = &channel->posted; (segment = *at);) {
        if (!all && !atomic_load(&segment->is_done)) {
            at = &segment->next;
            continue;
        }
        *at = segment->next;
        if (atomic_load(&channel->is_failed))
            network_segment_forget(segment);
        network_segment_drop(segment, false);
    }
}

static void complete(void *context, enum transport_status status, uint64_t size)
{
    struct network_segment *segment = context;
    atomic_uint *owner = segment->owner;
    segment->status = status;
    segment->size = size;
    segment->request = NULL;
    network_segment_forget(segment);
    atomic_store(&segment->is_done, true);
    if (!owner) {
        free_segment(segment);
        return;
    }
    atomic_fetch_add(owner, 1);
    if (atomic_load(&segment->network->sleepers)) /* whoever is not counted yet sees the change */
        futex_wake(owner, FUTEX_ALL);
}

/* A segment that completes at once may be free already when the transport returns. */
static void begin(struct network_segment *segment, atomic_uint *owner)
{
    segment->owner = owner;
    segment->request = NULL;
    segment->is_owed = false;
    atomic_store(&segment->is_done, false);
}

void network_segment_send(struct network_segment *segment, struct transport_peer *peer,
                          uint64_t tag, uint64_t size, atomic_uint *owner)
{
    begin(segment, owner);
    segment->is_owed = true;
    segment->network->owed++;
    struct transport_request *request =
        segment->network->ops->isend(peer, tag, segment->bytes, size, complete, segment);
    if (request)
        segment->request = request;
}

void network_segment_receive(struct network_segment *segment, uint64_t tag, uint64_t size,
                             atomic_uint *owner)
{
    struct network *network = segment->network;
    begin(segment, owner);
    struct transport_request *request =
        network->ops->irecv(network->transport, tag, segment->bytes, size, complete, segment);
    if (request)
        segment->request = request;
}
