#include "compiler/passes/buffer/schedule.h"

#include "compiler/passes/passes_fixture.h"
#include "compiler/target_fixture.h"

TestSuite(schedule, .init = fixture_begin, .fini = fixture_end);

static const struct target target = {.name = "test", .cores = 1, .alignment = 64};

static void run(void)
{
    struct error *error = ir_verify(fixture_module, false);
    cr_assert_null(error, "before: %s", error ? error_message(error, NULL) : "");
    cr_assert_null(schedule_run(fixture_module, &target));
    error = ir_verify(fixture_module, false);
    cr_assert_null(error, "after: %s", error ? error_message(error, NULL) : "");
}

static struct value *call(const char *type, bool side_effect, struct value *operand)
{
    union attrs attrs = {.custom_call = {.call_target_name = {4, "step"},
                                         .has_side_effect = side_effect,
                                         .api_version = 1}};
    return build_declared(&fixture, OP_custom_call, 1, &operand, fixture_type(type), &attrs);
}

/* The position in its block of the operation that defines a value. */
static int index_of(const struct value *value)
{
    int index = 0;
    for (const struct op *op = value->def->block->first; op != value->def; op = op->next)
        index++;
    return index;
}

/* If all large gradients are computed before the first one is applied, the schedule applies each as
 * soon as it is computed. */
Test(schedule, what_frees_memory_comes_early)
{
    MAIN("f32 16");
    struct value *gradients[3], *sums[3];
    for (int i = 0; i < 3; i++)
        gradients[i] = call("f32 1024", false, argument(0));
    for (int i = 0; i < 3; i++)
        sums[i] = call("f32 16", false, gradients[i]);
    RETURN(sums[0], sums[1], sums[2]);
    run();
    for (int i = 0; i < 3; i++)
        cr_expect_eq(index_of(sums[i]), index_of(gradients[i]) + 1);
}

/* A large mask that is computed early and read late is computed late. */
Test(schedule, what_is_large_comes_late)
{
    MAIN("f32 16");
    struct value *mask = call("f32 1024", false, argument(0)),
                 *more = call("f32 4096", false, argument(0)), *less = call("f32 16", false, more);
    struct value *all = call("f32 1024", false, less);
    struct value *both = build_binary(&fixture, OP_add, mask, all);
    RETURN(call("f32 16", false, both));
    run();
    cr_expect_gt(index_of(mask), index_of(less));
}

Test(schedule, side_effects_keep_their_order)
{
    MAIN("f32 16");
    struct value *first = call("f32 1024", true, argument(0)),
                 *second = call("f32 1024", true, argument(0)),
                 *third = call("f32 16", true, second), *fourth = call("f32 16", true, first);
    RETURN(third, fourth);
    run();
    cr_expect(index_of(first) < index_of(second) && index_of(second) < index_of(third) &&
              index_of(third) < index_of(fourth));
}

/* The memory of a donated parameter is written only after all its readers: here the reader would
 * otherwise come last, to free `large` early. */
Test(schedule, readers_of_a_donated_parameter_come_before_its_result)
{
    struct func *func = MAIN("f32 1024", "f32 16");
    struct value *large = call("f32 4096", false, argument(1)),
                 *reader = call("f32 16", false, argument(0)),
                 *result = call("f32 1024", false, large), *used = call("f32 16", false, large);
    RETURN(result, reader, used);
    func->argument_infos = ARENA_ARRAY(fixture_arena, struct argument_info, 2);
    func->argument_infos[0].alias_result = 0;
    func->argument_infos[1].alias_result = -1;
    run();
    cr_expect_lt(index_of(reader), index_of(result));
}

/* The order stays the same if no other one needs less memory. */
Test(schedule, nothing_to_gain)
{
    MAIN("f32 16");
    struct value *x = call("f32 64", false, argument(0)), *y = call("f32 64", false, argument(0));
    RETURN(build_binary(&fixture, OP_add, x, y));
    run();
    cr_expect(index_of(x) == 0 && index_of(y) == 1);
}
