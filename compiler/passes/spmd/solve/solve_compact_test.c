/* Tests of solve_compact.h: the same choices fit, in fewer rows. */
#include "compiler/passes/spmd/solve/solve_compact.h"

#include <criterion/criterion.h>

enum { NODES = 4, MOST_STRATEGIES = 3, ROWS = 12, USES = 4 };

static struct arena *arena;
static uint64_t state;

static void begin(void)
{
    cr_assert_null(arena_create(&arena));
}

static void end(void)
{
    arena_destroy(arena);
}

TestSuite(solve_compact, .init = begin, .fini = end);

static int random_below(int count)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (uint64_t)count);
}

static struct solve_node random_node(void)
{
    static const int64_t costs[MOST_STRATEGIES] = {0};
    struct solve_use *uses = arena_array(arena, USES, sizeof *uses);
    struct solve_node node = {1 + random_below(MOST_STRATEGIES), costs, random_below(USES + 1),
                              uses};
    for (int u = 0; u < node.use_count; u++) {
        int64_t *bytes = ARENA_ARRAY(arena, int64_t, (size_t)node.count);
        for (int s = 0; s < node.count; s++)
            bytes[s] = random_below(20);
        int first = random_below(ROWS);
        uses[u] = (struct solve_use){first, first + random_below(ROWS - first), bytes};
    }
    return node;
}

/* Whether the strategies (ids of the problem) are there, and fit into the graph's rows. */
static bool fits(const struct solve_graph *graph, const int *choice)
{
    int64_t load[ROWS] = {0};
    for (int i = 0; i < NODES; i++) {
        const struct graph_node *node = &graph->nodes[i];
        int at = 0;
        while (at < node->count && node->ids[at] != choice[i])
            at++;
        if (at == node->count)
            return false;
        for (size_t u = 0; u < node->uses.count; u++)
            for (int r = node->uses.items[u].first; r <= node->uses.items[u].last; r++)
                load[r] += node->uses.items[u].bytes[at];
    }
    bool fit = true;
    for (int r = 0; r < graph->row_count; r++)
        fit &= load[r] <= graph->room[r];
    return fit;
}

/* Compares all choices; returns how many fit. */
static int compare_choices(const struct solve_problem *problem, const struct solve_graph *graph)
{
    int choice[NODES] = {0}, at = 0, fitting = 0;
    while (at < NODES) {
        bool fit = solve_problem_peak(arena, problem, choice) <= problem->limit;
        cr_expect_eq(!graph->is_infeasible && fits(graph, choice), fit);
        fitting += fit;
        for (at = 0; at < NODES && ++choice[at] == problem->nodes[at].count; at++)
            choice[at] = 0;
    }
    return fitting;
}

Test(solve_compact, the_same_choices_fit_in_fewer_rows)
{
    int rows = 0, fitting = 0, infeasible = 0;
    for (int i = 0; i < 500; i++) {
        struct solve_node nodes[NODES];
        for (int n = 0; n < NODES; n++)
            nodes[n] = random_node();
        struct solve_problem problem = {
            .node_count = NODES, .row_count = ROWS, .nodes = nodes, .limit = random_below(120)};
        struct solve_graph *graph = solve_graph_create(arena, &problem);
        while (solve_compact(graph))
            continue;
        fitting += compare_choices(&problem, graph) > 0;
        infeasible += graph->is_infeasible;
        rows += graph->is_infeasible ? 0 : graph->row_count;
    }
    cr_expect(fitting > 100 && infeasible > 100, "%d fit, %d do not", fitting, infeasible);
    cr_expect_leq(rows, 2 * fitting, "%d rows", rows);
}

Test(solve_compact, memory_that_cannot_run_out_goes)
{
    static const int64_t costs[] = {0, 0}, bytes[] = {3, 5}, more[] = {7, 1};
    static const struct solve_use uses[] = {{0, 3, bytes}, {2, 5, more}};
    static const struct solve_node node = {2, costs, 2, uses};
    struct solve_problem problem = {.node_count = 1, .row_count = 6, .nodes = &node, .limit = 10};
    struct solve_graph *graph = solve_graph_create(arena, &problem);
    cr_expect(solve_compact(graph), "reduction may go on");
    cr_expect_eq(graph->row_count, 0);
    cr_expect_eq(graph->nodes[0].uses.count, 0);
    problem.limit = 9;
    graph = solve_graph_create(arena, &problem);
    cr_expect(solve_compact(graph), "3 + 7 bytes do not fit");
    cr_expect_eq(graph->nodes[0].count, 1);
}

/* Nodes that are live in all rows. */
Test(solve_compact, long_uses_take_no_longer, .timeout = 10)
{
    enum { ALL = 1 << 18 };
    static const int64_t costs[] = {0, 0}, bytes[] = {1, 2};
    static const struct solve_use use = {0, ALL - 1, bytes};
    static const struct solve_node node = {2, costs, 1, &use};
    struct solve_node *nodes = ARENA_ARRAY(arena, struct solve_node, ALL);
    for (int i = 0; i < ALL; i++)
        nodes[i] = node;
    struct solve_problem problem = {
        .node_count = ALL, .row_count = ALL, .nodes = nodes, .limit = ALL + 1};
    struct solve_graph *graph = solve_graph_create(arena, &problem);
    solve_compact(graph);
    cr_expect_eq(graph->row_count, 1);
    cr_expect_eq(graph->room[0], 1);
    int *positions = ARENA_ARRAY(arena, int, ALL);
    int64_t load[2];
    positions[7] = 1;
    solve_graph_load(graph, positions, load);
    cr_expect_eq(load[0], 1);
}
