/* network_channel_fuzz.c: what three other processes say about executions, in any order, while this
 * one opens, fails and closes its own: nothing is leaked or used after it is freed, and a failure
 * is reported at most once. Each step is eight bytes. */
#include <string.h>

#include "devices/host/net/network_fixture.h"

enum { MAX_OPEN = 8, STEP = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct state {
    struct network *network;
    struct network_channel *channels[MAX_OPEN];
    int failures[MAX_OPEN];
};

/* ---- steps ----------------------------------------------------------------------------------- */
static void on_failed(void *context, const struct error *error)
{
    int *failures = context;
    (void)error;
    if (++*failures > 1)
        __builtin_trap();
}

static struct net_execution execution_of(const uint8_t *step)
{
    return (struct net_execution){.scope = step[1] % 3, .sequence = step[2] % 16};
}

static void hear(struct state *s, const uint8_t *step)
{
    struct net_message message;
    static const enum net_kind kinds[] = {NET_LAUNCH, NET_FAIL, NET_WAIT, NET_WAIT};
    enum net_kind kind = kinds[step[0] / 4 % 4];
    net_message_make(&message, kind, s->network->token, 1 + step[3] % (PROCESSES - 1), "said");
    message.execution = execution_of(step);
    message.program[0] = step[4] % 2;
    message.devices[0] = step[5], message.devices[1] = step[6];
    message.code = step[7] % 17;
    message.awaited = step[4] % PROCESSES;
    fork_lock_take(&s->network->lock);
    network_channel_hear(s->network, &message);
    network_channel_tell(s->network);
    fork_lock_release(&s->network->lock);
}

static void open(struct state *s, const uint8_t *step, int at)
{
    static const int processes[] = {0, 1, 2, 3}, ordinals[] = {0, 1, 2, 70};
    struct network_launch launch = {.execution = execution_of(step),
                                    .program = {step[4] % 2},
                                    .name = "program",
                                    .participants = 2 + step[3] % 3,
                                    .processes = processes,
                                    .ordinals = step[5] % 4 ? ordinals : NULL,
                                    .failed = on_failed,
                                    .context = &s->failures[at]};
    network_close(s->channels[at]);
    s->failures[at] = 0;
    error_free(network_open(s->network, &launch, &s->channels[at]));
}

/* What an exchange does about chains of waits. */
static void wait_for(struct network_channel *channel, const uint8_t *step)
{
    struct network_wait wait = {0};
    struct text text = {0};
    int process = 1 + step[3] % (PROCESSES - 1);
    if (!channel)
        return;
    fork_lock_take(&channel->network->lock);
    network_wait_ask(channel, process, "here");
    network_wait_answer(&wait, channel, process, "here");
    network_wait_describe(channel, process, &text);
    if (step[4] & 2)
        network_wait_end(channel);
    network_wait_withdraw(channel, process);
    fork_lock_release(&channel->network->lock);
    text_free(&text);
}

static void run(struct state *s, const uint8_t *step)
{
    int at = step[7] % MAX_OPEN;
    struct error *error = NULL;
    switch (step[0] % 5) {
    case 4: wait_for(s->channels[at], step); return;
    case 0: open(s, step, at); return;
    case 1: hear(s, step); return;
    case 2:
        network_close(s->channels[at]);
        s->channels[at] = NULL;
        return;
    default:
        if (!s->channels[at])
            return;
        error = ERROR(INTERNAL, "failed here");
        network_fail(s->channels[at], error);
        error_free(error);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct state s = {.network = make()};
    for (; size >= STEP; data += STEP, size -= STEP)
        run(&s, data);
    for (int i = 0; i < MAX_OPEN; i++)
        network_close(s.channels[i]);
    destroy(s.network);
    return 0;
}
