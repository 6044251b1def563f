/* auto_solve_test.c: which answers of the integer program are planned. */
#include "compiler/passes/spmd/auto/auto_solve.h"

#include "compiler/passes/auto_fixture.h"

TestSuite(auto_solve, .init = fixture_begin, .fini = fixture_end);

static const char *const names[] = {"x"};
static const int64_t sizes[] = {4};
static const struct mesh mesh = {
    .axis_count = 1, .axis_names = names, .axis_sizes = sizes, .device_count = 4};

struct plans {
    struct auto_score *score;
    uint64_t first; /* digest of the first answer */
    int count;
    double cost; /* that the program says */
};

static struct auto_cost plan(void *context, const struct auto_answer *answer)
{
    struct plans *plans = context;
    if (plans->count++ == 0)
        plans->first = auto_answer_digest(plans->score->classes, &mesh, answer);
    return (struct auto_cost){.seconds = 1, .peak_bytes = 1, .is_planned = true};
}

/* The first answer that is planned with this memory. */
static struct plans solve(uint64_t memory)
{
    struct auto_prices prices = {.links.mesh = &mesh, .multiply_adds = 1e9, .bytes = 1e12};
    struct auto_planner planner = {.prices = &prices, .memory_bytes = memory};
    struct auto_answer replicated = {0};
    struct auto_classes classes;
    struct auto_solved solved;
    for (int kind = 0; kind < AUTO_COLLECTIVES; kind++)
        prices.links.each[kind][1] = 1e-9;
    auto_fixture_build(4);
    cr_assert_null(auto_classes_find(fixture_module, &classes));
    struct auto_score score = auto_score_create(fixture_module, &classes, &mesh, &planner, 1000000);
    struct plans plans = {.score = &score};
    cr_assert_null(auto_solve_run(&score, &replicated, 1 << 20, plan, &plans, &solved));
    cr_assert_gt(solved.nodes, 0);
    plans.cost = solved.cost;
    return plans;
}

Test(auto_solve, the_answer_without_a_limit_is_planned_first)
{
    struct plans free = solve(0), limited = solve(1024); /* the program allows nothing so small */
    cr_expect_gt(free.count, 0);
    cr_expect_gt(limited.count, 0);
    cr_expect_eq(limited.first, free.first);
}

Test(auto_solve, the_cost_is_that_within_the_memory)
{
    cr_expect_gt(solve(0).cost, 0);
    cr_expect_eq(solve(1).cost, 0, "no answer fits a byte");
}
