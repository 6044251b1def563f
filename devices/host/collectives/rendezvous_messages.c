/* rendezvous_messages.c: STEP_COLLECTIVEs that send or receive: see rendezvous_state.h. */
#include "base/clock.h"
#include "base/futex.h"
#include "base/log.h"
#include "devices/host/collectives/rendezvous_state.h"

struct message_wait {
    struct rendezvous *r;
    const struct messages_end *end;
    struct clock clock;
};

static struct error *overdue_message(const struct message_wait *wait, int64_t seconds)
{
    const struct messages_end *end = wait->end;
    bool sends = end->step->collective.kind == COLLECTIVE_SEND;
    struct text at = {0};
    rendezvous_describe_missing(wait->r, end->other, &at);
    if (wait->r->channel)
        network_add_wait(wait->r->channel, &at);
    struct error *error =
        ERROR(DEADLINE_EXCEEDED,
              "'%s': participant %d waited %lld s for participant %d to %s on channel %lld%s. "
              "Each send needs a recv with the same channel, pairs and types; "
              "GANTRY_COLLECTIVE_TIMEOUT sets the limit in seconds",
              wait->r->program->name, end->self, (long long)seconds, end->other,
              sends ? "receive" : "send", (long long)end->step->collective.channel,
              at.data ? at.data : "");
    text_free(&at);
    return error;
}

static struct error *wait_for_message(void *context, atomic_uint *changes, unsigned seen)
{
    struct message_wait *wait = context;
    struct rendezvous *r = wait->r;
    TRY(rendezvous_failure_of(r));
    futex_wait_for(changes, seen, wait->clock.limit / 4);
    int64_t now = clock_now(), time = rendezvous_waited(r, &wait->clock, now);
    bool is_overdue = time >= wait->clock.limit && atomic_load(changes) == seen;
    if (!is_overdue && (time < wait->clock.limit / 2 || atomic_exchange(&r->has_warned, true)))
        return NULL;
    struct error *error = overdue_message(wait, (now - wait->clock.begin) / CLOCK_SECOND);
    if (is_overdue)
        return rendezvous_fail_all(r, error);
    LOG(WARNING, "%s: %s", wait->end->step->label, error_message(error, NULL));
    error_free(error);
    return NULL;
}

/* Sends to, or receives from, the member at a position of the seat's group. */
static struct error *pass_message(struct rendezvous *r, int participant, const struct step *step,
                                  const struct seat *seat, int position, void *const *buffers)
{
    int other = seat->group->members[position];
    struct messages_end end = {.step = step,
                               .buffers = buffers,
                               .self = participant,
                               .other = other,
                               .process =
                                   rendezvous_is_here(r, other) ? -1 : r->setup.processes[other],
                               .wait = wait_for_message};
    struct message_wait wait = {r, &end, rendezvous_clock(r)};
    end.context = &wait;
    bool sends = step->collective.kind == COLLECTIVE_SEND;
    struct error *error = sends ? messages_send(r->messages, r->channel, &end)
                                : messages_receive(r->messages, r->channel, &end);
    return error ? rendezvous_fail_all(r, error) : NULL;
}

struct error *rendezvous_messages_receive(struct rendezvous *r, int participant,
                                          const struct step *step, const struct seat *seat,
                                          void *const *buffers)
{
    int source = seat->group ? seat->group->sources[seat->position] : -1;
    if (source >= 0)
        return pass_message(r, participant, step, seat, source, buffers);
    messages_clear(step, buffers);
    return NULL;
}

struct error *rendezvous_messages_send(struct rendezvous *r, int participant,
                                       const struct step *step, const struct seat *seat,
                                       void *const *buffers)
{
    for (int i = 0; seat->group && i < seat->group->size; i++)
        if (seat->group->sources[i] == seat->position)
            TRY(pass_message(r, participant, step, seat, i, buffers));
    return NULL;
}
