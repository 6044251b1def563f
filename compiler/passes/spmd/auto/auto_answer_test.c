#include "compiler/passes/spmd/auto/auto_answer.h"

#include "compiler/passes/spmd/auto/auto_copy.h"
#include "compiler/passes/auto_fixture.h"

TestSuite(auto_answer, .init = fixture_begin, .fini = fixture_end);

static const char *const names[] = {"x", "y"};
static const int64_t sizes[] = {2, 4};
static const struct mesh mesh = {
    .axis_count = 2, .axis_names = names, .axis_sizes = sizes, .device_count = 8};

static struct auto_classes classes;

static void begin_program(void)
{
    auto_fixture_build(8);
    cr_assert_null(auto_classes_find(fixture_module, &classes));
}

static const char *printed(const struct type *type)
{
    struct text text = {0};
    char *out;
    sharding_print_axes(type->sharding, &text);
    cr_assert_null(text_finish(&text, &out, NULL));
    return arena_string(fixture_arena, out, strlen(out));
}

static void expect_argument(const struct module *module, int i, const char *expected)
{
    const char *got = printed(module->entry->body->arguments[i].type);
    cr_expect_str_eq(got, expected, "argument %d: %s", i, got);
}

Test(auto_answer, a_value_has_the_first_class_of_each_order)
{
    begin_program();
    int batch = auto_fixture_class(&classes, 0, 0), features = auto_fixture_class(&classes, 0, 1),
        hidden = auto_fixture_class(&classes, 1, 1);
    struct auto_answer answer = {0};
    auto_answer_insert(&answer.orders[0], 0, batch);
    auto_answer_insert(&answer.orders[0], 1, features);
    auto_answer_insert(&answer.orders[1], 0, hidden);
    struct module *copy = auto_copy_make(fixture_arena, fixture_module);
    auto_answer_apply(&classes, &mesh, &answer, copy);
    expect_argument(copy, 0, "[{\"x\"}, {}]");
    expect_argument(copy, 1, "[{\"x\"}, {\"y\"}]");
    expect_argument(copy, 2, "[{\"y\"}, {}]");
    cr_expect_null(argument(0)->type->sharding); /* of the original */
    cr_expect_null(ir_verify(copy, false));
}

Test(auto_answer, what_the_client_has_given_stays)
{
    MAIN("f32 64 32");
    fixture_module->num_partitions = 8;
    struct type *type = arena_copy(fixture_arena, argument(0)->type, sizeof *type);
    const struct sharding *given = type->sharding =
        sharding_replicated(fixture_arena, &mesh, 2, true);
    argument(0)->type = type;
    RETURN(build_unary(&fixture, OP_tanh, argument(0)));
    cr_assert_null(auto_classes_find(fixture_module, &classes));
    struct auto_answer answer = {0};
    auto_answer_insert(&answer.orders[0], 0, auto_fixture_class(&classes, 0, 0));
    auto_answer_apply(&classes, &mesh, &answer, fixture_module);
    cr_expect_eq(argument(0)->type->sharding, given);
}

Test(auto_answer, orders_that_make_no_difference_have_equal_digests)
{
    begin_program();
    struct auto_answer a = {0}, b = {0};
    int batch = auto_fixture_class(&classes, 0, 0), features = auto_fixture_class(&classes, 0, 1);
    auto_answer_insert(&a.orders[0], 0, batch);
    uint64_t digest = auto_answer_digest(&classes, &mesh, &a);
    auto_answer_insert(&b.orders[0], 0, batch);
    cr_expect_eq(auto_answer_digest(&classes, &mesh, &b), digest);
    auto_answer_insert(&b.orders[0], 1, features);
    cr_expect_neq(auto_answer_digest(&classes, &mesh, &b), digest);
    cr_expect_not(auto_answer_equal(&a, &b, 2));
    auto_answer_remove(&b.orders[0], 1);
    cr_expect(auto_answer_equal(&a, &b, 2));
    cr_expect_not(auto_answer_insert(&b.orders[0], 0, batch)); /* is there */
}

Test(auto_answer, constants_follow_their_uses)
{
    MAIN("f32 64 32");
    fixture_module->num_partitions = 8;
    struct value *half = build_splat(&fixture, argument(0)->type, 0.5);
    RETURN(build_binary(&fixture, OP_multiply, argument(0), half));
    cr_assert_null(auto_classes_find(fixture_module, &classes));
    struct auto_answer answer = {0};
    auto_answer_append(&answer, 3, auto_fixture_class(&classes, 0, 0));
    auto_answer_apply(&classes, &mesh, &answer, fixture_module);
    cr_expect_null(half->type->sharding);
    expect_argument(fixture_module, 0, "[{\"x\", \"y\"}, {}]");
}
