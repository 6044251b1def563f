#include "compiler/passes/buffer/schedule.h"

#include "compiler/loop_fixture.h"
#include "compiler/passes/rewrite/fusion_make.h"
#include "compiler/passes/rewrite/rewrite.h"
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

/* ---- carried values -------------------------------------------------------------------------- */
/* The negation of a value, as a kernel at the end of a loop's body. */
static struct value *negate(struct block *body, struct value *value)
{
    struct builder b = rewrite_before(fixture_module, body->last);
    struct value *result = build_unary(&b, OP_negate, value);
    struct op *member = result->def,
              *fusion = fusion_make(fixture_module, FUSION_LOOP, member, 1, &member, 1, &result);
    ir_remove(member);
    return &fusion->results[0];
}

/* A loop whose carried value x becomes -x. The operations of the body are made by the caller. */
static struct block *body_of_loop(void)
{
    MAIN("f32 16");
    struct op *loop = fixture_loop(DTYPE_S32, 0, 10, 1);
    struct value *other = loop->regions[1]->last->operands[1];
    ir_set_operand(fixture_module, loop->regions[1]->last, 1, &loop->regions[1]->arguments[1]);
    ir_remove(other->def);
    RETURN(&loop->results[1]);
    return loop->regions[1];
}

/* Keeps a value that nothing else uses. */
static void keep(struct block *body, struct value *value)
{
    struct builder b = rewrite_before(fixture_module, body->last);
    union attrs attrs = {.custom_call = {.call_target_name = {4, "keep"},
                                         .has_side_effect = true,
                                         .api_version = 1}};
    build_declared(&b, OP_custom_call, 1, &value, fixture_type("f32 16"), &attrs);
}

Test(schedule, the_next_value_is_computed_after_readers_of_the_one_before)
{
    struct block *body = body_of_loop();
    struct value *x = &body->arguments[1], *next = negate(body, x), *reader = negate(body, x);
    ir_set_operand(fixture_module, body->last, 1, next);
    keep(body, reader);
    run();
    cr_expect_gt(index_of(next), index_of(reader));
}

Test(schedule, readers_come_before_a_next_value_that_is_needed_early)
{
    struct block *body = body_of_loop();
    struct value *x = &body->arguments[1], *next = negate(body, x), *user = negate(body, next),
                 *reader = negate(body, x);
    ir_set_operand(fixture_module, body->last, 1, next);
    keep(body, user);
    keep(body, reader);
    run();
    cr_expect_gt(index_of(next), index_of(reader));
    cr_expect_gt(index_of(user), index_of(next));
}

Test(schedule, readers_that_need_the_next_value_follow_it)
{
    struct block *body = body_of_loop();
    struct value *x = &body->arguments[1], *next = negate(body, x);
    struct builder b = rewrite_before(fixture_module, body->last);
    struct value *both = build_binary(&b, OP_add, x, next);
    struct op *member = both->def,
              *reader = fusion_make(fixture_module, FUSION_LOOP, member, 1, &member, 1, &both);
    ir_remove(member);
    ir_set_operand(fixture_module, body->last, 1, next);
    keep(body, &reader->results[0]);
    run();
    cr_expect_gt(index_of(&reader->results[0]), index_of(next));
}
