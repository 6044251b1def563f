/* program_communication.c: see program_communication.h. */
#include "compiler/program/program_communication.h"

#include "base/alloc.h"

const char *program_communication_name(enum collective_kind kind)
{
    static const char *const names[] = {
        "partition-id",   "replica-id", "all-reduce",         "all-gather",
        "reduce-scatter", "all-to-all", "collective-permute", "collective-broadcast",
        "send",           "recv"};
    return names[kind];
}

const char *program_communication_reducer(enum collective_reducer reducer)
{
    static const char *const names[] = {"add", "multiply", "minimum", "maximum",
                                        "and", "or",       "xor"};
    return names[reducer];
}

/* ---- bytes ----------------------------------------------------------------------------------- */
static double operand_bytes(const struct collective_spec *spec)
{
    double bytes = 0;
    for (int i = 0; i < spec->array_count; i++) {
        double each = dtype_bytes(spec->arrays[i].dtype);
        for (int d = 0; d < spec->arrays[i].rank; d++)
            each *= (double)spec->arrays[i].dims[d];
        bytes += each;
    }
    return bytes;
}

/* What a group of n sends for each byte of a member's operands. */
static double sent_by_group(enum collective_kind kind, int n)
{
    if (kind == COLLECTIVE_RECEIVE)
        return 0; /* the sends are counted */
    if (kind == COLLECTIVE_ALL_REDUCE)
        return 2.0 * (n - 1);
    return kind == COLLECTIVE_ALL_GATHER ? (double)n * (n - 1) : n - 1;
}

/* The pairs of different members. */
static int pairs_of(const struct program_groups *groups, int g)
{
    int pairs = 0;
    for (int i = groups->offsets[g]; i < groups->offsets[g + 1]; i++)
        pairs += groups->sources[i] >= 0 && groups->sources[i] != i - groups->offsets[g];
    return pairs;
}

double program_communication_sent(enum collective_kind kind, const struct program_groups *groups,
                                  double bytes)
{
    double sent = 0;
    for (int g = 0; g < groups->group_count; g++)
        sent += kind == COLLECTIVE_PERMUTE || kind == COLLECTIVE_SEND
                    ? pairs_of(groups, g)
                    : sent_by_group(kind, groups->offsets[g + 1] - groups->offsets[g]);
    return bytes * sent;
}

static double sent_bytes(const struct program *program, const struct collective_spec *spec)
{
    return program_communication_sent(spec->kind, &program->groups[spec->groups],
                                      operand_bytes(spec)) /
           program->num_replicas / program->num_partitions;
}

/* ---- the walk -------------------------------------------------------------------------------- */
struct walk {
    const struct program *program;
    struct program_communication *out;
    int count;
    int64_t step;
};

static void walk_list(struct walk *w, const struct step_list *list, double times, bool exact);

static void walk_step(struct walk *w, const struct step *step, double times, bool exact)
{
    int64_t number = w->step++;
    if (step->kind == STEP_COLLECTIVE && step->collective.number >= 0) {
        w->out[w->count++] =
            (struct program_communication){number,
                                           step,
                                           times,
                                           exact,
                                           operand_bytes(&step->collective),
                                           sent_bytes(w->program, &step->collective)};
    } else if (step->kind == STEP_WHILE) {
        bool known = step->loop.trip_count >= 0;
        double trips = known ? (double)step->loop.trip_count : 1;
        walk_list(w, &step->loop.condition, times * (trips + 1), exact && known);
        walk_list(w, &step->loop.body, times * trips, exact && known);
    } else if (step->kind == STEP_CASE) {
        for (int i = 0; i < step->branch.count; i++)
            walk_list(w, &step->branch.branches[i], times, exact);
    }
}

static void walk_list(struct walk *w, const struct step_list *list, double times, bool exact)
{
    for (int i = 0; i < list->count; i++)
        walk_step(w, &list->steps[i], times, exact);
}

struct error *program_communication(const struct program *program,
                                    struct program_communication **out, int *count)
{
    struct walk walk = {.program = program};
    TRY(alloc_array((size_t)program->collective_count + 1, sizeof **out, out));
    walk.out = *out;
    walk_list(&walk, &program->steps, 1, true);
    *count = walk.count;
    return NULL;
}

struct error *program_communication_bytes(const struct program *program, double *out)
{
    struct program_communication *list;
    int count;
    *out = 0;
    TRY(program_communication(program, &list, &count));
    for (int i = 0; i < count; i++)
        *out += list[i].times * list[i].sent;
    alloc_free(list);
    return NULL;
}
