#include "compiler/passes/layout/layout_constraints.h"

#include <string.h>

#include "compiler/passes/passes_fixture.h"

TestSuite(layout_constraints, .init = fixture_begin, .fini = fixture_end);

static struct value *constrain(struct value *value, const char *target, const int64_t *order,
                               int64_t rank)
{
    struct dims *layout = ARENA_NEW(fixture_arena, struct dims);
    *layout = (struct dims){rank, order};
    union attrs attributes = {.custom_call = {.call_target_name = {strlen(target), target},
                                              .operand_layouts = {1, layout},
                                              .result_layouts = {1, layout}}};
    return build_declared(&fixture, OP_custom_call, 1, &value, value->type, &attributes);
}

static const struct shape *result_of(bool layout_auto)
{
    struct func *func = fixture.block->func;
    func->result_infos = ARENA_NEW(fixture_arena, struct argument_info);
    func->result_infos[0].layout_auto = layout_auto;
    fixture_run(layout_constraints_run);
    return &func->result_types[0]->shape;
}

static const int64_t columns[] = {0, 1};

Test(layout_constraints, a_result_under_a_constraint_has_its_layout)
{
    MAIN("f32 5 6");
    RETURN(constrain(argument(0), "LayoutConstraint", columns, 2));
    const struct shape *shape = result_of(true);
    cr_assert_not_null(shape->minor_to_major);
    cr_expect(shape->minor_to_major[0] == 0 && shape->minor_to_major[1] == 1);
    cr_expect_not(fixture.block->func->result_infos[0].layout_auto);
}

Test(layout_constraints, only_where_the_compiler_may_choose)
{
    MAIN("f32 5 6");
    RETURN(constrain(argument(0), "LayoutConstraint", columns, 2));
    cr_expect_null(result_of(false)->minor_to_major);
}

Test(layout_constraints, other_calls_are_none)
{
    MAIN("f32 5 6");
    RETURN(constrain(argument(0), "Layout", columns, 2));
    cr_expect_null(result_of(true)->minor_to_major);
    cr_expect(fixture.block->func->result_infos[0].layout_auto);
}
