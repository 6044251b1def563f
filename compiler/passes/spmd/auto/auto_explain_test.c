#include "compiler/passes/spmd/auto/auto_explain.h"

#include "compiler/passes/auto_fixture.h"

TestSuite(auto_explain, .init = fixture_begin, .fini = fixture_end);

static const char *const names[] = {"x"};
static const int64_t sizes[] = {4};
static const struct mesh mesh = {
    .axis_count = 1, .axis_names = names, .axis_sizes = sizes, .device_count = 4};

/* Sharded weights take less time. */
static struct error *plan(void *context, struct module *module, struct auto_cost *out)
{
    const struct sharding *sharding = module->entry->body->arguments[1].type->sharding;
    int axes = 0;
    (void)context;
    for (int d = 0; d < 2; d++)
        axes += sharding->dims[d].axes.count;
    out->seconds = axes ? 1 : 2;
    out->peak_bytes = axes ? 25 : 100;
    return NULL;
}

static struct auto_plan *explain(bool explains)
{
    static struct auto_classes classes;
    static struct auto_planner planner;
    struct auto_pool *pool = ARENA_NEW(fixture_arena, struct auto_pool);
    planner = (struct auto_planner){.plan = plan, .memory_bytes = 50, .explains = explains};
    auto_fixture_build(4);
    cr_assert_null(auto_classes_find(fixture_module, &classes));
    struct auto_score score = auto_score_create(fixture_module, &classes, &mesh, &planner, 100000);
    auto_search_run(&score, pool);
    return auto_explain_make(&score, pool);
}

Test(auto_explain, the_answer_comes_first_and_replicated_last)
{
    struct auto_plan *made = explain(false);
    cr_assert_eq(made->row_count, 2);
    cr_expect_eq(made->rows[0].seconds, 1);
    cr_expect(strstr(made->rows[0].name, "x divides "), "%s", made->rows[0].name);
    cr_expect_str_eq(made->rows[1].name, "replicated");
    cr_expect_eq(made->rows[1].peak_bytes, 100);
    cr_expect_eq(made->memory_bytes, 50);
    cr_expect_eq(made->change_count, 0);
}

Test(auto_explain, changes_are_planned)
{
    struct auto_plan *made = explain(true);
    bool found = false;
    cr_assert_gt(made->change_count, 0);
    for (int i = 0; i < made->change_count; i++)
        if (strstr(made->changes[i].name, "argument 1 ")) {
            found = true;
            cr_expect_eq(made->changes[i].seconds, 2);
        }
    cr_expect(found);
}
