/* rendezvous_tsan.c: 8 threads that meet in collectives of several groups, with failures of random
 * participants; run under ThreadSanitizer. Exit status 0: every sum is right, and after a failure
 * all participants have an error or are done. Argument: seconds to run (default 2). */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "devices/host/collectives/rendezvous.h"

enum { COUNT = 8, MEETINGS = 200, ELEMENTS = 5000 };

static int offsets[][5] = {{0, 8}, {0, 2, 4, 6, 8}, {0, 3, 8}};
static int members[][8] = {
    {0, 1, 2, 3, 4, 5, 6, 7}, {0, 4, 1, 5, 2, 6, 3, 7}, {7, 0, 3, 1, 2, 4, 5, 6}};
static int sources[8] = {0, 1, 2, 3, 4, 5, 6, 7};
static struct program_groups groups[] = {{1, 8, offsets[0], members[0], sources},
                                         {4, 8, offsets[1], members[1], sources},
                                         {2, 8, offsets[2], members[2], sources}};
static struct collective_array arrays[] = {{DTYPE_S32, 0, 1, 1, 1, NULL},
                                           {DTYPE_S32, 0, 1, 1, 1, NULL},
                                           {DTYPE_S32, 0, 1, 1, ELEMENTS, NULL}};
static struct step steps[3];
static char label[] = "all_reduce";

struct participant {
    struct communicator *rendezvous;
    int id, fails_at; /* the meeting at which it fails, or -1 */
    int wrong;
    bool failed;
};

static int sum_of(const struct program_groups *table, int id)
{
    for (int g = 0; g < table->group_count; g++) {
        int sum = 0;
        bool mine = false;
        for (int i = table->offsets[g]; i < table->offsets[g + 1]; i++)
            sum += 1 << table->members[i], mine |= table->members[i] == id;
        if (mine)
            return sum;
    }
    return -1;
}

static bool meet(struct participant *p, int meeting, int32_t *data, int32_t *result)
{
    int which = meeting % 3, count = (int)arrays[which].inner;
    bool in_place = meeting % 2;
    void *buffers[] = {data, in_place ? data : result};
    for (int i = 0; i < count; i++)
        data[i] = 1 << p->id;
    struct error *error = communicator_collective(p->rendezvous, p->id, &steps[which], buffers);
    p->failed = error != NULL;
    error_free(error);
    for (int i = 0; i < count && !p->failed; i++)
        p->wrong += (in_place ? data : result)[i] != sum_of(&groups[which], p->id);
    return !p->failed;
}

static void *participate(void *argument)
{
    struct participant *p = argument;
    static _Thread_local int32_t data[ELEMENTS], result[ELEMENTS];
    error_free(communicator_enter(p->rendezvous, p->id));
    for (int i = 0; i < MEETINGS; i++) {
        if (i == p->fails_at) {
            struct error *error = ERROR(INTERNAL, "on purpose");
            communicator_fail(p->rendezvous, p->id, error);
            error_free(error);
            p->failed = true;
            break;
        }
        if (!meet(p, i, data, result))
            break;
    }
    return NULL;
}

/* One execution; returns how much was wrong. */
static int execute(const struct program *program, int round)
{
    struct participant all[COUNT];
    pthread_t threads[COUNT];
    struct communicator *rendezvous;
    int wrong = 0, failing = round % 2 ? rand() % COUNT : -1, failures = 0;
    if (rendezvous_create(&(struct communicator_setup){.program = program}, &rendezvous))
        return 1;
    for (int i = 0; i < COUNT; i++) {
        all[i] =
            (struct participant){rendezvous, i, i == failing ? rand() % MEETINGS : -1, 0, false};
        if (pthread_create(&threads[i], NULL, participate, &all[i]))
            exit(2);
    }
    for (int i = 0; i < COUNT; i++) {
        pthread_join(threads[i], NULL);
        wrong += all[i].wrong;
        failures += all[i].failed;
    }
    communicator_release(rendezvous);
    return wrong + (failing < 0 && failures) + (failing >= 0 && !failures);
}

int main(int count, char **arguments)
{
    struct program program = {.name = label,
                              .num_replicas = COUNT,
                              .num_partitions = 1,
                              .group_count = 3,
                              .groups = groups};
    time_t end = time(NULL) + (count > 1 ? atoi(arguments[1]) : 2);
    int wrong = 0;
    refs_init(&program.refs);
    for (int i = 0; i < 3; i++) {
        steps[i] = (struct step){.kind = STEP_COLLECTIVE, .label = label};
        steps[i].collective = (struct collective_spec){.kind = COLLECTIVE_ALL_REDUCE,
                                                       .groups = i,
                                                       .number = i,
                                                       .array_count = 1,
                                                       .arrays = &arrays[i]};
    }
    for (int round = 0; round < 4 || time(NULL) < end; round++)
        wrong += execute(&program, round);
    if (wrong)
        printf("%d values or executions were wrong\n", wrong);
    return wrong != 0;
}
