/* contest_bench.c: solves instances of the ASPLOS 2025 contest on intra-operator parallelism
 * (github.com/google/iopddl, benchmarks) with the solver of automatic sharding:
 *
 *   build/test/tools/contest_bench [no-cbc] [limit FACTOR] [rounds N] [nodes N] FILE.json ...
 *
 * and prints for each the cost, the bound, and the processor time; better answers as they are found
 * go to the error stream. limit multiplies the memory. */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "compiler/passes/spmd/solve/solve.h"
#include "tools/file.h"

struct contest {
    struct arena *arena;
    struct solve_options options;
    double factor; /* of the memory */
    const char *path;
    const cJSON *json;
};

static int64_t number(const cJSON *item)
{
    double value = item ? item->valuedouble : -1;
    return value >= (double)SOLVE_FORBIDDEN ? SOLVE_FORBIDDEN : (int64_t)value;
}

static const int64_t *read_numbers(struct arena *arena, const cJSON *list, int *count)
{
    int64_t *numbers = ARENA_ARRAY(arena, int64_t, (size_t)cJSON_GetArraySize(list) + 1);
    const cJSON *item;
    *count = 0;
    cJSON_ArrayForEach(item, list) numbers[(*count)++] = number(item);
    return numbers;
}

static const cJSON *get(const cJSON *json, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(json, name);
}

static struct error *read_uses(struct contest *c, const cJSON *lists, struct solve_problem *out,
                               struct solve_node *nodes)
{
    size_t count = (size_t)out->node_count;
    struct solve_interval *intervals = ARENA_ARRAY(c->arena, struct solve_interval, count + 1);
    struct solve_use *uses = ARENA_ARRAY(c->arena, struct solve_use, count + 1);
    int *first = ARENA_ARRAY(c->arena, int, count + 1),
        *last = ARENA_ARRAY(c->arena, int, count + 1);
    const cJSON *interval = get(lists, "intervals")->child, *usage = get(lists, "usages")->child;
    for (size_t i = 0; i < count; i++, interval = interval->next, usage = usage->next) {
        int sizes = 0;
        if (!interval || !usage || cJSON_GetArraySize(interval) != 2)
            return ERROR(INVALID_ARGUMENT, "%s: a node has no interval or usages", c->path);
        intervals[i] =
            (struct solve_interval){number(interval->child), number(interval->child->next)};
        uses[i].bytes = read_numbers(c->arena, usage, &sizes);
        if (sizes != nodes[i].count)
            return ERROR(INVALID_ARGUMENT, "%s: %d usages of %d strategies", c->path, sizes,
                         nodes[i].count);
    }
    out->row_count = solve_problem_rows(c->arena, (int)count, intervals, first, last);
    for (size_t i = 0; i < count; i++) {
        uses[i].first = first[i], uses[i].last = last[i];
        nodes[i].use_count = last[i] >= first[i];
        nodes[i].uses = &uses[i];
    }
    return NULL;
}

static struct error *read_edges(struct contest *c, const cJSON *lists, struct solve_problem *out)
{
    out->edge_count = cJSON_GetArraySize(get(lists, "nodes"));
    struct solve_edge *edges =
        ARENA_ARRAY(c->arena, struct solve_edge, (size_t)out->edge_count + 1);
    const cJSON *ends = out->edge_count ? get(lists, "nodes")->child : NULL;
    const cJSON *costs = out->edge_count ? get(lists, "costs")->child : NULL;
    for (int i = 0; i < out->edge_count; i++, ends = ends->next, costs = costs->next) {
        int count;
        if (cJSON_GetArraySize(ends) != 2 || !costs)
            return ERROR(INVALID_ARGUMENT, "%s: an edge has no two nodes or no costs", c->path);
        edges[i] = (struct solve_edge){(int)number(ends->child), (int)number(ends->child->next),
                                       read_numbers(c->arena, costs, &count)};
    }
    out->edges = edges;
    return NULL;
}

static struct error *read_problem(struct contest *c, struct solve_problem *out)
{
    const cJSON *problem = get(c->json, "problem"), *lists = get(problem, "nodes");
    const cJSON *limit = get(problem, "usage_limit"), *costs = get(lists, "costs");
    if (!costs)
        return ERROR(INVALID_ARGUMENT, "%s: no problem of the contest", c->path);
    out->node_count = cJSON_GetArraySize(costs);
    struct solve_node *nodes =
        ARENA_ARRAY(c->arena, struct solve_node, (size_t)out->node_count + 1);
    int i = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, costs)
    {
        nodes[i].costs = read_numbers(c->arena, item, &nodes[i].count);
        i++;
    }
    out->nodes = nodes;
    out->limit = limit ? (int64_t)(c->factor * limit->valuedouble) : -1;
    TRY(read_uses(c, lists, out, nodes));
    return read_edges(c, get(problem, "edges"), out);
}

static void print_progress(void *context, const struct solve_progress *progress)
{
    const struct contest *c = context;
    fprintf(stderr, "%s: %.1f s, %s: %d nodes left, ", c->path, (double)clock() / CLOCKS_PER_SEC,
            progress->stage, progress->nodes_left);
    if (progress->cost < SOLVE_FORBIDDEN)
        fprintf(stderr, "cost %lld, bound %.0f\n", (long long)progress->cost, progress->bound);
    else
        fprintf(stderr, "no answer yet\n");
}

static struct error *solve_file(void *context)
{
    struct contest *c = context;
    struct solve_problem problem = {0};
    struct solve_answer answer;
    clock_t start = clock();
    TRY(read_problem(c, &problem));
    clock_t read = clock();
    TRY(solve_run(c->arena, &problem, &c->options, &answer));
    printf("%s: %d nodes, %d edges, %d rows; %d nodes left; ", c->path, problem.node_count,
           problem.edge_count, problem.row_count, answer.nodes_left);
    if (answer.is_found)
        printf("cost %lld (first answer %lld), bound %lld%s; peak %lld of %lld; ",
               (long long)answer.cost, (long long)answer.first_cost, (long long)answer.bound,
               answer.is_optimal ? ", optimal" : "",
               (long long)solve_problem_peak(c->arena, &problem, answer.choice),
               (long long)problem.limit);
    else
        printf(answer.is_infeasible ? "infeasible; " : "no answer; ");
    printf("read %.1f s, solved %.1f s\n", (double)(read - start) / CLOCKS_PER_SEC,
           (double)(clock() - read) / CLOCKS_PER_SEC);
    if (answer.is_found && solve_problem_cost(&problem, answer.choice) != answer.cost)
        return ERROR(INTERNAL, "the choice costs %lld",
                     (long long)solve_problem_cost(&problem, answer.choice));
    return NULL;
}

static struct error *run_file(struct contest *c)
{
    char *bytes;
    size_t size;
    TRY(file_read(c->path, &bytes, &size));
    cJSON *json = cJSON_ParseWithLength(bytes, size);
    alloc_free(bytes);
    c->json = json;
    struct error *error = arena_create(&c->arena);
    if (!error)
        error = arena_run(c->arena, solve_file, c);
    arena_destroy(c->arena);
    cJSON_Delete(json);
    return error;
}

int main(int argc, char **argv)
{
    struct contest contest = {.options = SOLVE_OPTIONS_DEFAULT, .factor = 1};
    int failed = 0;
    contest.options.report = print_progress;
    contest.options.context = &contest;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "no-cbc")) {
            contest.options.uses_cbc = false;
        } else if (!strcmp(argv[i], "limit") && i + 1 < argc) {
            contest.factor = strtod(argv[++i], NULL);
        } else if (!strcmp(argv[i], "rounds") && i + 1 < argc) {
            contest.options.rounds = atoi(argv[++i]);
        } else if (!strcmp(argv[i], "nodes") && i + 1 < argc) {
            contest.options.cbc_nodes = atoi(argv[++i]);
        } else {
            contest.path = argv[i];
            struct error *error = run_file(&contest);
            if (error)
                fprintf(stderr, "%s\n", error_message(error, NULL));
            failed += error != NULL;
            error_free(error);
        }
        fflush(stdout);
    }
    return failed > 0;
}
