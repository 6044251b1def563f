/* process_reductions_test.c: reductions of a group in every division into processes give the bits
 * that one process gives. The processes are threads, each with a network of its own. */
#include "devices/host/collectives/process_reductions.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <string.h>

#include "base/alloc.h"
#include "devices/host/collectives/collectives.h"

enum { MAX_PROCESSES = 16, MAX_MEMBERS = 16, PROGRAM = 5 };

struct job { /* a reduction; the same in all processes */
    int processes, members;
    int owners[MAX_MEMBERS]; /* processes of the members */
    const struct step *step;
    uint64_t sequence;       /* of the execution */
    int64_t operand, result; /* bytes */
    char *operands[MAX_MEMBERS], *results[MAX_MEMBERS];
};

struct address {
    void *bytes;
    size_t size;
};

static struct process {
    pthread_t thread;
    int index;
    struct network *network;
    struct address address;
    const struct job *job;
    struct error *error;
} processes[MAX_PROCESSES];
static const uint8_t token[NET_TOKEN] = {1, 2, 3};

/* ---- networks -------------------------------------------------------------------------------- */
static void start(int count)
{
    struct network_node nodes[MAX_PROCESSES];
    for (int i = 0; i < count; i++) {
        struct process *p = &processes[i];
        p->index = i;
        p->error = network_create(i, count, &p->network);
        cr_assert_null(p->error, "%s", error_message(p->error, NULL));
        p->error = network_address(p->network, &p->address.bytes, &p->address.size);
        cr_assert_null(p->error);
        nodes[i] = (struct network_node){"here", p->address.bytes, p->address.size, true};
    }
    for (int i = 0; i < count; i++)
        cr_assert_null(network_start(processes[i].network, token, nodes));
}

static void stop(int count)
{
    for (int i = 0; i < count; i++) {
        network_destroy(processes[i].network);
        alloc_free(processes[i].address.bytes);
    }
}

static void do_nothing(void *context, const struct error *error)
{
    (void)context, (void)error;
}

/* ---- one reduction --------------------------------------------------------------------------- */
static struct error *reduce_here(struct process *p)
{
    const struct job *job = p->job;
    int members[MAX_MEMBERS];
    void *buffers[MAX_MEMBERS][2], *const *of_members[MAX_MEMBERS];
    struct network_launch launch = {.execution = {.scope = 1, .sequence = job->sequence},
                                    .program = {PROGRAM, PROGRAM},
                                    .name = "test",
                                    .participants = job->members,
                                    .processes = job->owners,
                                    .failed = do_nothing};
    struct process_group group = {.stream = 1,
                                  .process = p->index,
                                  .count = job->members,
                                  .members = members,
                                  .processes = job->owners,
                                  .buffers = of_members};
    for (int m = 0; m < job->members; m++) {
        members[m] = m;
        buffers[m][0] = job->operands[m], buffers[m][1] = job->results[m];
        of_members[m] = buffers[m];
    }
    TRY(network_open(p->network, &launch, &group.channel));
    struct error *error = process_collectives_run(&group, job->step);
    network_close(group.channel);
    return error;
}

static void *run(void *process)
{
    struct process *p = process;
    p->error = reduce_here(p);
    return NULL;
}

/* Numbers whose sums depend on the order. */
static void fill(struct job *job, enum dtype dtype)
{
    unsigned state = 1;
    for (int m = 0; m < job->members; m++)
        for (int64_t at = 0; at < job->operand; at += dtype_bytes(dtype)) {
            state = state * 1664525 + 1013904223;
            double value = ((int)(state >> 8) - (1 << 23)) * (1 + (state & 7) * 0.37);
            dtype_from_double(dtype, value, job->operands[m] + at);
        }
}

/* What one process gives, in `out`. */
static void expect_of(const struct job *job, char *out)
{
    void *buffers[MAX_MEMBERS][2], *const *of_members[MAX_MEMBERS], *scratch[MAX_MEMBERS];
    for (int m = 0; m < job->members; m++) {
        buffers[m][0] = job->operands[m], buffers[m][1] = out + m * job->result;
        of_members[m] = buffers[m];
    }
    collectives_run(job->step, job->members, of_members, NULL, scratch);
}

static void check_job(struct job *job, enum dtype dtype)
{
    char *expected = malloc((size_t)(job->members * job->result));
    for (int m = 0; m < job->members; m++) {
        job->operands[m] = malloc((size_t)job->operand);
        job->results[m] = malloc((size_t)job->result);
    }
    fill(job, dtype);
    expect_of(job, expected);
    for (int i = 0; i < job->processes; i++) {
        processes[i].job = job;
        pthread_create(&processes[i].thread, NULL, run, &processes[i]);
    }
    for (int i = 0; i < job->processes; i++) {
        pthread_join(processes[i].thread, NULL);
        cr_assert_null(processes[i].error, "%s", error_message(processes[i].error, NULL));
    }
    for (int m = 0; m < job->members; m++) {
        cr_expect_arr_eq(job->results[m], expected + m * job->result, (size_t)job->result,
                         "%s of %s: %d processes, %d members, %d bytes, member %d",
                         job->step->label, dtype_name(dtype), job->processes, job->members,
                         (int)job->result, m);
        free(job->operands[m]);
        free(job->results[m]);
    }
    free(expected);
}

static void check(struct job *job, enum collective_kind kind, enum dtype dtype, int64_t elements)
{
    struct collective_array array = {.dtype = dtype, .outer = 1, .middle = 1, .inner = elements};
    struct step step = {.kind = STEP_COLLECTIVE,
                        .label = kind == COLLECTIVE_ALL_REDUCE ? "all_reduce" : "reduce_scatter",
                        .collective = {.kind = kind,
                                       .reducer = REDUCER_ADD,
                                       .parts = job->members,
                                       .array_count = 1,
                                       .arrays = &array}};
    if (kind == COLLECTIVE_REDUCE_SCATTER)
        array.outer = 3;
    job->step = &step;
    job->sequence++;
    job->result = array.outer * elements * dtype_bytes(dtype);
    job->operand = job->result * (kind == COLLECTIVE_REDUCE_SCATTER ? job->members : 1);
    check_job(job, dtype);
}

/* All kinds, types and sizes, of which the smaller ones are sent at once and the larger ones in
 * parts. */
static void check_all(struct job *job)
{
    static const enum dtype dtypes[] = {DTYPE_F32, DTYPE_BF16};
    static const int64_t sizes[] = {1, 65, 5000, 30011, 200001};
    for (int d = 0; d < 2; d++)
        for (int s = 0; s < 5; s++) {
            check(job, COLLECTIVE_ALL_REDUCE, dtypes[d], sizes[s]);
            if (sizes[s] < 10000)
                check(job, COLLECTIVE_REDUCE_SCATTER, dtypes[d], sizes[s]);
        }
}

static void check_division(int count, int each)
{
    struct job job = {.processes = count, .members = count * each};
    start(count);
    for (int m = 0; m < job.members; m++)
        job.owners[m] = m / each;
    check_all(&job);
    for (int m = 0; m < job.members; m++) /* the other way round */
        job.owners[m] = count - 1 - m / each;
    check_all(&job);
    for (int m = 0; m < job.members; m++) /* no nodes, unless each has one */
        job.owners[m] = m % count;
    check_all(&job);
    stop(count);
}

Test(process_reductions, one_member_in_each_process, .timeout = 120)
{
    for (int count = 2; count <= 8; count++)
        check_division(count, 1);
}

Test(process_reductions, two_members_in_each_process, .timeout = 120)
{
    for (int count = 2; count <= 8; count += 2)
        check_division(count, 2);
}

Test(process_reductions, three_and_four_members_in_each_process, .timeout = 120)
{
    check_division(2, 3);
    check_division(3, 4);
    check_division(4, 4);
}

/* A process with fewer members than the others. */
Test(process_reductions, uneven_division, .timeout = 120)
{
    struct job job = {.processes = 3, .members = 5, .owners = {0, 0, 1, 1, 2}};
    start(3);
    check_all(&job);
    stop(3);
}

/* So many that some sums are halved. */
Test(process_reductions, halving, .timeout = 120)
{
    struct job job = {.processes = 16, .members = 16};
    start(16);
    for (int m = 0; m < job.members; m++)
        job.owners[m] = m;
    for (int64_t elements = 2501; elements < 6000; elements += 499) {
        check(&job, COLLECTIVE_ALL_REDUCE, DTYPE_F32, elements);
        check(&job, COLLECTIVE_ALL_REDUCE, DTYPE_BF16, elements);
    }
    stop(16);
}
