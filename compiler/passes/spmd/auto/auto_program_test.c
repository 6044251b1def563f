#include "compiler/passes/spmd/auto/auto_program.h"

#include "compiler/passes/auto_fixture.h"
#include "compiler/passes/spmd/solve/solve.h"

TestSuite(auto_program, .init = fixture_begin, .fini = fixture_end);

static const char *const names[] = {"x"};
static const int64_t sizes[] = {4};
static const struct mesh mesh = {
    .axis_count = 1, .axis_names = names, .axis_sizes = sizes, .device_count = 4};

enum { WORK = 2 * BATCH * FEATURES * HIDDEN, WEIGHT = 4 * FEATURES * HIDDEN };

static struct auto_classes classes;
static struct auto_program program;
static struct auto_answer answer;

/* Seconds of the best choice within the limit, with links of this many seconds a byte. */
static double best(double link, int64_t limit)
{
    struct auto_prices prices = {.links.mesh = &mesh, .multiply_adds = WORK, .bytes = 1e12};
    struct solve_answer solved;
    for (int kind = 0; kind < AUTO_COLLECTIVES; kind++)
        prices.links.each[kind][1] = link;
    auto_fixture_build(4);
    cr_assert_null(auto_classes_find(fixture_module, &classes));
    auto_program_build(fixture_arena, fixture_module, &classes, &mesh, &prices, &program);
    struct solve_problem problem = auto_program_weigh(fixture_arena, &program.problem, 1, limit);
    cr_assert_null(solve_run(fixture_arena, &problem, &SOLVE_OPTIONS_DEFAULT, &solved));
    if (!solved.is_found)
        return -1;
    answer = auto_program_answer(fixture_arena, &classes, &program, solved.choice);
    return (double)solved.cost / 1e12;
}

/* Of an argument, or of the operation after the three. */
static int dim_of(int slot)
{
    return answer.placements[classes.slots[slot]].dims[0];
}

Test(auto_program, products_are_divided_where_nothing_is_communicated)
{
    double seconds = best(1e-3, -1);
    cr_expect_float_eq(seconds, 0.25, 1e-3, "%g", seconds);
    cr_expect_eq(dim_of(3), 0); /* the first product */
    cr_expect_eq(dim_of(1), -1);
}

Test(auto_program, memory_makes_weights_sharded)
{
    /* 8 KiB of the argument, as many of the result, and 32 KiB between them are divided, too */
    double seconds = best(1e-9, 2 * WEIGHT - 1);
    cr_expect_geq(seconds, 0.25 - 1e-3);
    cr_expect(dim_of(1) >= 0 || dim_of(2) >= 0);
    cr_expect_leq(auto_program_peak(fixture_arena, &classes, &mesh, &program, &answer),
                  2 * WEIGHT - 1);
    cr_expect_eq(best(1e-9, WEIGHT / 4), -1);
}

Test(auto_program, the_peak_of_a_template_is_counted)
{
    struct auto_answer none = {0};
    best(1, -1);
    int64_t peak = auto_program_peak(fixture_arena, &classes, &mesh, &program, &none);
    cr_expect_eq(peak, 2 * WEIGHT + 4 * (BATCH * FEATURES + BATCH * HIDDEN), "%d", (int)peak);
}
