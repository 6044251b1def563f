#include "compiler/passes/spmd/auto/auto_classes.h"

#include "compiler/passes/auto_fixture.h"

TestSuite(auto_classes, .init = fixture_begin, .fini = fixture_end);

static struct auto_classes find(void)
{
    struct auto_classes classes;
    struct error *error = auto_classes_find(fixture_module, &classes);
    cr_assert_null(error);
    return classes;
}

Test(auto_classes, dimensions_that_share_a_factor_are_of_one)
{
    auto_fixture_build(4);
    struct auto_classes classes = find();
    cr_expect_eq(classes.class_count, 4);
    cr_expect_eq(auto_fixture_class(&classes, 0, 1), auto_fixture_class(&classes, 1, 0));
    cr_expect_eq(auto_fixture_class(&classes, 1, 1), auto_fixture_class(&classes, 2, 0));
    cr_expect_neq(auto_fixture_class(&classes, 0, 0), auto_fixture_class(&classes, 0, 1));
    int hidden = auto_fixture_class(&classes, 1, 1);
    cr_expect_eq(classes.classes[hidden].unit, HIDDEN);
    cr_expect_eq(classes.classes[hidden].bytes, 2 * 4.0 * FEATURES * HIDDEN);
}

Test(auto_classes, the_major_factor_of_a_reshape_is_what_can_be_sharded)
{
    MAIN("f32 6 20");
    fixture_module->num_partitions = 2;
    RETURN(build_reshape(&fixture, argument(0), 1, (int64_t[]){120}));
    struct auto_classes classes = find();
    int whole = classes.values[classes.results[0]].classes[0];
    cr_expect_eq(whole, auto_fixture_class(&classes, 0, 0));
    cr_expect_eq(classes.classes[whole].unit, 6);
}

Test(auto_classes, equal_layers_share_them)
{
    MAIN("f32 64 32", "f32 32 128", "f32 128 32", "f32 32 128");
    fixture_module->num_partitions = 4;
    struct value *x = auto_fixture_product(argument(0), argument(1));
    x = auto_fixture_product(x, argument(2));
    RETURN(auto_fixture_product(x, argument(3)));
    struct auto_classes classes = find();
    cr_expect_eq(auto_fixture_class(&classes, 1, 1), auto_fixture_class(&classes, 2, 0));
    cr_expect_neq(auto_fixture_class(&classes, 1, 0), auto_fixture_class(&classes, 1, 1));
}

Test(auto_classes, a_donated_argument_and_its_result_are_alike)
{
    MAIN("f32 64 32", "f32 64 32");
    fixture_module->num_partitions = 4;
    RETURN(build_unary(&fixture, OP_tanh, argument(0)));
    struct argument_info infos[2] = {{.alias_result = -1}, {.alias_result = -1, .donated = true}};
    fixture_module->entry->argument_infos = infos;
    struct auto_classes classes = find();
    cr_expect_eq(auto_fixture_class(&classes, 0, 0), auto_fixture_class(&classes, 1, 0));
    cr_expect_eq(auto_fixture_class(&classes, 0, 1), auto_fixture_class(&classes, 1, 1));
}

Test(auto_classes, what_is_made_from_constants_alone_is_marked)
{
    MAIN("f32 64 32");
    fixture_module->num_partitions = 4;
    struct value *half = build_splat(&fixture, argument(0)->type, 0.5);
    struct value *mask = build_unary(&fixture, OP_tanh, half);
    RETURN(build_binary(&fixture, OP_multiply, argument(0), mask));
    struct auto_classes classes = find();
    const struct auto_value *values = classes.values;
    int result = classes.results[0];
    cr_expect(values[classes.slots[1]].is_constant);
    cr_expect(values[classes.slots[classes.slot_count - 2]].is_constant);
    cr_expect_not(values[classes.slots[0]].is_constant);
    cr_expect_not(values[result].is_constant);
}
