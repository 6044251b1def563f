/* network_wait_test.c: which process the others name when they wait for each other in a chain. The
 * processes are threads, each with a network of its own. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "devices/host/net/network.h"

enum { MAX = 4 };

struct wait {      /* an exchange of 8 bytes with another process */
    int from, to;  /* either is -1: this process */
    int execution; /* in which it is: its number; opened by its first exchange */
    int after;     /* milliseconds of other work before it */
};

struct executed { /* by whom */
    int count;
    int processes[MAX];
};
static struct executed executions[2];

static struct process {
    pthread_t thread;
    int index, count; /* count: of the waits */
    struct network *network;
    void *address;
    size_t address_size;
    struct wait waits[3]; /* its exchanges, one after the other */
    char named[1024];     /* its first error */
} processes[MAX];
static const uint8_t token[NET_TOKEN] = {1, 2, 3};
static const char *const labels[] = {"the first", "the second", "the third", "the fourth"};

static void start(int count)
{
    static const char *const hosts[] = {"zero", "one", "two", "three"};
    struct network_node nodes[MAX];
    setenv("GANTRY_COLLECTIVE_TIMEOUT", "2", 1);
    for (int i = 0; i < count; i++) {
        struct process *p = &processes[i];
        p->index = i;
        cr_assert_null(network_create(i, count, &p->network));
        cr_assert_null(network_address(p->network, &p->address, &p->address_size));
        nodes[i] = (struct network_node){hosts[i], p->address, p->address_size, true};
    }
    for (int i = 0; i < count; i++)
        cr_assert_null(network_start(processes[i].network, token, nodes));
}

static void *destroy(void *process)
{
    struct process *p = process;
    network_destroy(p->network);
    alloc_free(p->address);
    return NULL;
}

static void note(void *context, const struct error *error)
{
    struct process *p = context;
    if (!*p->named)
        snprintf(p->named, sizeof p->named, "%s", error_message(error, NULL));
}

static struct error *exchange(struct process *p, const struct wait *wait,
                              struct network_channel *channel)
{
    char word[8] = {0};
    struct net_piece piece = {word, 1, sizeof word, sizeof word};
    bool sends = wait->from < 0;
    int sender = sends ? p->index : wait->from;
    struct network_flow flow = {sends ? wait->to : wait->from, sends, !sends, &piece, &piece};
    struct network_exchange exchange = {.channel = channel,
                                        .stream = (uint64_t)sender,
                                        .label = labels[sender],
                                        .flow_count = 1,
                                        .flows = &flow};
    nanosleep(&(struct timespec){wait->after / 1000, wait->after % 1000 * 1000000L}, NULL);
    return network_exchange(&exchange);
}

static struct error *open(struct process *p, int execution, struct network_channel **out)
{
    static const int ordinals[MAX]; /* each process has one device */
    const struct executed *by = &executions[execution];
    struct network_launch launch = {.execution = {.scope = (uint64_t)execution, .sequence = 1},
                                    .name = "program",
                                    .participants = by->count,
                                    .processes = by->processes,
                                    .ordinals = ordinals,
                                    .failed = note,
                                    .context = p};
    return *out ? NULL : network_open(p->network, &launch, out);
}

static void *run(void *process)
{
    struct process *p = process;
    struct network_channel *channels[2] = {NULL};
    struct error *error = NULL;
    for (int i = 0; i < p->count && !error; i++) {
        struct network_channel **channel = &channels[p->waits[i].execution];
        error = open(p, p->waits[i].execution, channel);
        if (!error)
            error = exchange(p, &p->waits[i], *channel);
    }
    error_free(error);
    network_close(channels[0]);
    network_close(channels[1]);
    return NULL;
}

static void run_all(int count)
{
    start(count);
    for (int i = 0; i < count; i++)
        pthread_create(&processes[i].thread, NULL, run, &processes[i]);
    for (int i = 0; i < count; i++)
        pthread_join(processes[i].thread, NULL);
    for (int i = 0; i < count; i++)
        pthread_create(&processes[i].thread, NULL, destroy, &processes[i]);
    for (int i = 0; i < count; i++)
        pthread_join(processes[i].thread, NULL);
}

static void add(int process, struct wait wait)
{
    processes[process].waits[processes[process].count++] = wait;
}

/* Each process receives from the next one, and then sends to the previous one. */
static void make_chain(int count)
{
    executions[0] = (struct executed){count, {0, 1, 2, 3}};
    for (int i = 0; i < count; i++) {
        if (i < count - 1)
            add(i, (struct wait){.from = i + 1, .to = -1});
        if (i > 0)
            add(i, (struct wait){.from = -1, .to = i - 1});
    }
}

static void expect_named(int process, const char *who, const char *where)
{
    const char *named = processes[process].named;
    cr_expect(strstr(named, who) && strstr(named, where), "process %d: %s", process, named);
}

/* The last process does not open the execution; or it does, and then nothing. */
static void check_chain(int count, bool opens)
{
    static const char *const who[] = {NULL, NULL, "for process 2 on host two",
                                      "for process 3 on host three"};
    make_chain(count);
    processes[count - 1].count = opens;
    processes[count - 1].waits[0].after = 4000;
    run_all(count);
    for (int i = 0; i < count - 1; i++)
        expect_named(i, who[count - 1], labels[count - 1]);
}

Test(network_wait, last_of_three_has_not_begun)
{
    check_chain(3, false);
}

Test(network_wait, last_of_four_has_not_begun)
{
    check_chain(4, false);
}

Test(network_wait, last_of_three_is_busy)
{
    check_chain(3, true);
}

Test(network_wait, last_of_four_is_busy)
{
    check_chain(4, true);
}

/* Process 1 executes with process 2 before it executes with process 0. */
Test(network_wait, chain_over_two_executions)
{
    executions[0] = (struct executed){2, {1, 2}};
    executions[1] = (struct executed){2, {0, 1}};
    add(0, (struct wait){.from = 1, .to = -1, .execution = 1});
    add(1, (struct wait){.from = 2, .to = -1, .execution = 0});
    add(1, (struct wait){.from = -1, .to = 0, .execution = 1});
    run_all(3);
    for (int i = 0; i < 2; i++)
        expect_named(i, "for process 2 on host two", labels[2]);
}

/* Process 2 arrives, late; and process 1 does not go on. */
Test(network_wait, answer_is_taken_back)
{
    make_chain(3);
    processes[2].waits[0].after = 1000;
    processes[1].waits[1].after = 4000;
    run_all(3);
    expect_named(0, "for process 1 on host one", labels[1]);
}

/* Each waits for the next one: there is no end. */
Test(network_wait, circle)
{
    executions[0] = (struct executed){3, {0, 1, 2}};
    for (int i = 0; i < 3; i++)
        add(i, (struct wait){.from = (i + 1) % 3, .to = -1});
    run_all(3);
    for (int i = 0; i < 3; i++)
        expect_named(i, "waited", "for process ");
}

/* All succeed. */
Test(network_wait, last_is_late)
{
    make_chain(4);
    processes[3].waits[0].after = 1200;
    run_all(4);
    for (int i = 0; i < 4; i++)
        cr_expect_str_eq(processes[i].named, "");
}
