#include "compiler/passes/entry_layouts.h"

#include "compiler/passes/passes_fixture.h"

TestSuite(entry_layouts, .init = fixture_begin, .fini = fixture_end);

static struct argument_info *infos(int count)
{
    struct argument_info *list = ARENA_ARRAY(fixture_arena, struct argument_info, (size_t)count);
    for (int i = 0; i < count; i++)
        list[i].alias_result = -1;
    return list;
}

Test(entry_layouts, types_become_those_of_the_memory)
{
    static const int64_t turned[] = {0, 2, 1}, plain[] = {1, 0};
    MAIN("f32 2 3 4", "f32 5 6");
    struct func *func = fixture.block->func;
    RETURN(argument(0), argument(1));
    func->argument_infos = infos(2), func->result_infos = infos(2);
    func->argument_infos[0].layout = func->result_infos[0].layout = (struct dims){3, turned};
    func->argument_infos[1].layout = (struct dims){2, plain};
    fixture_run(entry_layouts_run);
    const int64_t *dims = argument(0)->type->shape.dims;
    cr_expect(dims[0] == 3 && dims[1] == 4 && dims[2] == 2, "major to minor: 1, 2, 0");
    cr_expect_eq(argument(1)->type->shape.dims[0], 5);
    cr_expect_eq(func->argument_infos[1].layout.count, 0, "row-major is nothing to tell");
    const struct op *to = fixture.block->last->operands[0]->def, *from = to->operands[0]->def;
    cr_expect_eq(to->code, OP_transpose);
    cr_expect_eq(from->code, OP_transpose);
    cr_expect_eq(from->operands[0], argument(0));
    cr_expect_eq(from->results[0].type->shape.dims[0], 2, "the program sees what it means");
    cr_expect_eq(func->result_types[0]->shape.dims[0], 3);
    cr_expect_eq(fixture.block->last->operands[1], argument(1));
}

Test(entry_layouts, what_is_no_order_is_refused)
{
    static const int64_t twice[] = {1, 1}, beyond[] = {0, 2};
    static const struct dims wrong[] = {{2, twice}, {2, beyond}, {1, beyond}};
    MAIN("f32 5 6");
    struct func *func = fixture.block->func;
    RETURN(argument(0));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        func->argument_infos = infos(1);
        func->argument_infos[0].layout = wrong[i];
        struct error *error = entry_layouts_run(fixture_module, NULL);
        cr_assert_not_null(error);
        cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
        error_free(error);
    }
}
