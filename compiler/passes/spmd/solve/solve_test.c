#include "compiler/passes/spmd/solve/solve.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>

#include "compiler/passes/spmd/solve/solve_cbc.h"

static struct arena *arena;

static void begin(void)
{
    cr_assert_null(arena_create(&arena));
}

static void end(void)
{
    arena_destroy(arena);
}

TestSuite(solve, .init = begin, .fini = end);

/* ---- random problems ------------------------------------------------------------------------- */
static uint64_t state;

static int random_below(int count)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (uint64_t)count);
}

static const int64_t *random_costs(int count, int most, int forbidden)
{
    int64_t *costs = arena_array(arena, (size_t)count, sizeof *costs);
    for (int i = 0; i < count; i++)
        costs[i] = forbidden && !random_below(forbidden) ? SOLVE_FORBIDDEN : random_below(most);
    return costs;
}

static struct solve_node random_node(int rows)
{
    struct solve_use *uses = arena_array(arena, 2, sizeof *uses);
    struct solve_node node = {.count = 1 + random_below(4), .use_count = random_below(3)};
    node.costs = random_costs(node.count, 20, 12);
    for (int u = 0; u < node.use_count; u++) {
        uses[u].first = random_below(rows);
        uses[u].last = uses[u].first + random_below(rows - uses[u].first);
        uses[u].bytes = random_costs(node.count, 10, 0);
    }
    node.uses = uses;
    return node;
}

static struct solve_problem random_problem(uint64_t seed)
{
    enum { NODES = 7, EDGES = 12, ROWS = 4 };
    struct solve_node *nodes = arena_array(arena, NODES, sizeof *nodes);
    struct solve_edge *edges = arena_array(arena, EDGES, sizeof *edges);
    state = seed;
    for (int i = 0; i < NODES; i++)
        nodes[i] = random_node(ROWS);
    for (int i = 0; i < EDGES; i++) {
        int a = random_below(NODES), b = (a + 1 + random_below(NODES - 1)) % NODES;
        edges[i] = (struct solve_edge){
            a, b, random_costs(nodes[a].count * nodes[b].count, 30, 2 + random_below(12))};
    }
    return (struct solve_problem){NODES, EDGES, ROWS, nodes, edges, random_below(5) * 10 - 1};
}

/* The least cost by trying everything; SOLVE_FORBIDDEN: nothing fits. */
static int64_t try_all(const struct solve_problem *problem)
{
    int choice[16] = {0}, at = 0;
    int64_t least = SOLVE_FORBIDDEN;
    while (at < problem->node_count) {
        int64_t cost = solve_problem_cost(problem, choice);
        if (cost < least &&
            (problem->limit < 0 || solve_problem_peak(arena, problem, choice) <= problem->limit))
            least = cost;
        for (at = 0; at < problem->node_count && ++choice[at] == problem->nodes[at].count; at++)
            choice[at] = 0;
    }
    return least;
}

static void expect_answer(const struct solve_problem *problem, const struct solve_answer *answer)
{
    cr_expect_eq(solve_problem_cost(problem, answer->choice), answer->cost);
    if (problem->limit >= 0)
        cr_expect_leq(solve_problem_peak(arena, problem, answer->choice), problem->limit);
}

Test(solve, random_problems_are_solved_as_by_trying_everything)
{
    struct solve_options options = SOLVE_OPTIONS_DEFAULT;
    struct solve_answer answer;
    int found = 0, infeasible = 0;
    if (!solve_cbc_is_there())
        cr_skip_test("libCbcSolver.so.3 is not installed");
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct solve_problem problem = random_problem(seed);
        int64_t least = try_all(&problem);
        options.rounds = seed % 2 ? 200 : 1; /* CBC has to improve poor first answers, too */
        cr_assert_null(solve_run(arena, &problem, &options, &answer));
        if (least >= SOLVE_FORBIDDEN) {
            cr_expect(answer.is_infeasible && !answer.is_found, "seed %d", (int)seed);
            infeasible++;
            continue;
        }
        cr_expect(answer.is_optimal, "seed %d", (int)seed);
        cr_expect_eq(answer.cost, least, "seed %d: %d, not %d", (int)seed, (int)answer.cost,
                     (int)least);
        expect_answer(&problem, &answer);
        found++;
    }
    cr_expect_gt(found, 50);
    cr_expect_gt(infeasible, 20);
}

Test(solve, first_answers_are_within_2_percent_and_bounds_hold)
{
    struct solve_options options = SOLVE_OPTIONS_DEFAULT;
    struct solve_answer answer;
    int64_t sum = 0, least_sum = 0;
    options.uses_cbc = false;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct solve_problem problem = random_problem(seed);
        int64_t least = try_all(&problem);
        cr_assert_null(solve_run(arena, &problem, &options, &answer));
        cr_expect(!answer.is_infeasible || least >= SOLVE_FORBIDDEN, "seed %d", (int)seed);
        if (answer.is_infeasible || !answer.is_found)
            continue;
        cr_expect_leq(answer.bound, least, "seed %d", (int)seed);
        expect_answer(&problem, &answer);
        sum += answer.cost, least_sum += least;
    }
    cr_expect_leq(sum * 100, least_sum * 102, "%d, not %d", (int)sum, (int)least_sum);
}

/* ---- what it does not do --------------------------------------------------------------------- */
static const int64_t zeros[4] = {0}, sizes[2] = {8, 4}, costs[2] = {1, 5};
static const struct solve_use use = {0, 0, sizes};
static const struct solve_node two = {2, costs, 1, &use};

Test(solve, memory_decides)
{
    struct solve_answer answer;
    struct solve_problem problem = {1, 0, 1, &two, NULL, 8};
    cr_assert_null(solve_run(arena, &problem, &SOLVE_OPTIONS_DEFAULT, &answer));
    cr_expect_eq(answer.cost, 1);
    problem.limit = 7;
    cr_assert_null(solve_run(arena, &problem, &SOLVE_OPTIONS_DEFAULT, &answer));
    cr_expect_eq(answer.cost, 5);
    problem.limit = 3;
    cr_assert_null(solve_run(arena, &problem, &SOLVE_OPTIONS_DEFAULT, &answer));
    cr_expect(answer.is_infeasible && !answer.is_found);
}

static void expect_refused(const struct solve_problem *problem)
{
    struct solve_answer answer;
    struct error *error = solve_run(arena, problem, &SOLVE_OPTIONS_DEFAULT, &answer);
    cr_assert_not_null(error);
    cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    error_free(error);
}

Test(solve, problems_are_checked)
{
    static const struct solve_use late = {0, 1, sizes};
    static const struct solve_node nodes[] = {{2, costs, 1, &late}, {0, costs, 0, NULL}};
    static const struct solve_edge self = {0, 0, zeros}, far = {0, 1, zeros};
    expect_refused(&(struct solve_problem){1, 0, 1, &nodes[0], NULL, -1});
    expect_refused(&(struct solve_problem){1, 0, 1, &nodes[1], NULL, -1});
    expect_refused(&(struct solve_problem){1, 1, 1, &two, &self, -1});
    expect_refused(&(struct solve_problem){1, 1, 1, &two, &far, -1});
}

static void on_interrupt(int signal)
{
    (void)signal;
}

Test(solve, the_process_keeps_its_handler_of_interrupts)
{
    struct solve_options options = SOLVE_OPTIONS_DEFAULT;
    struct solve_answer answer;
    signal(SIGINT, on_interrupt);
    options.rounds = 1; /* so that CBC has something to do */
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct solve_problem problem = random_problem(seed);
        cr_assert_null(solve_run(arena, &problem, &options, &answer));
    }
    cr_expect_eq(signal(SIGINT, SIG_DFL), on_interrupt);
}

Test(solve, rows_are_the_moments_before_something_ends)
{
    static const struct solve_interval intervals[] = {{0, 4}, {1, 2}, {2, 3}, {3, 3}, {5, 9}};
    int first[5], last[5];
    cr_assert_eq(solve_problem_rows(arena, 5, intervals, first, last), 3);
    cr_expect(first[0] == 0 && last[0] == 1);
    cr_expect(first[1] == 0 && last[1] == 0);
    cr_expect(first[2] == 1 && last[2] == 1);
    cr_expect(last[3] < first[3]);
    cr_expect(first[4] == 2 && last[4] == 2);
}

/* The arena's bytes for a chain of nodes that decide each other and whose memory differs. */
static size_t bytes_of_chain(int nodes)
{
    static const int64_t prices[] = {0, 1}, bytes[] = {1, 2};
    static const int64_t equal[] = {0, SOLVE_FORBIDDEN, SOLVE_FORBIDDEN, 0};
    static const struct solve_use taken = {0, 0, bytes};
    struct solve_node *chain = arena_array(arena, (size_t)nodes, sizeof *chain);
    struct solve_edge *edges = arena_array(arena, (size_t)nodes, sizeof *edges);
    struct solve_answer answer;
    size_t before = arena_used(arena);
    for (int i = 0; i < nodes; i++) {
        chain[i] = (struct solve_node){.count = 2, .costs = prices, .use_count = 1, .uses = &taken};
        edges[i] = (struct solve_edge){i, i + 1, equal};
    }
    struct solve_problem problem = {nodes, nodes - 1, 1, chain, edges, 4 * nodes};
    cr_assert_null(solve_run(arena, &problem, &SOLVE_OPTIONS_DEFAULT, &answer));
    cr_expect(answer.is_optimal && answer.cost == 0);
    return arena_used(arena) - before;
}

Test(solve, the_memory_of_a_chain_grows_with_its_length)
{
    size_t some = bytes_of_chain(1000), more = bytes_of_chain(4000);
    cr_expect_lt(more, 5 * some, "%zu and %zu bytes", some, more);
}
