#include "compiler/passes/entry_layouts.h"

#include "compiler/passes/passes_fixture.h"

TestSuite(entry_layouts, .init = fixture_begin, .fini = fixture_end);

static const struct type *laid_out(const struct type *type, const int64_t *minor_to_major)
{
    struct type *copy = arena_copy(fixture_arena, type, sizeof *type);
    copy->shape.minor_to_major = minor_to_major;
    copy->shape.memory = MEMORY_PINNED_HOST;
    return copy;
}

Test(entry_layouts, the_body_has_what_is_stored)
{
    static const int64_t order[] = {0, 2, 1}, plain[] = {1, 0};
    MAIN("f32 2 3 4", "f32 5 6");
    struct func *func = fixture.block->func;
    RETURN(argument(0), argument(1));
    const struct type *declared = func->result_types[0] = laid_out(argument(0)->type, order);
    argument(0)->type = declared;
    argument(1)->type = laid_out(argument(1)->type, plain);
    fixture_run(entry_layouts_run);
    const struct shape *stored = &argument(0)->type->shape;
    cr_expect(stored->dims[0] == 3 && stored->dims[1] == 4 && stored->dims[2] == 2, "1, 2, 0");
    cr_expect_null(stored->minor_to_major);
    cr_expect_eq(ir_argument_type(func, 0), declared);
    cr_expect_eq(ir_argument_type(func, 0)->shape.memory, MEMORY_PINNED_HOST);
    cr_expect_eq(argument(1)->type->shape.dims[0], 5);
    const struct op *to = fixture.block->last->operands[0]->def, *from = to->operands[0]->def;
    cr_expect_eq(to->code, OP_transpose);
    cr_expect_eq(from->code, OP_transpose);
    cr_expect_eq(from->operands[0], argument(0));
    cr_expect_eq(from->results[0].type->shape.dims[0], 2,
                 "the program has the declared dimensions");
    cr_expect_eq(from->results[0].type->shape.memory, MEMORY_DEVICE);
    cr_expect_eq(to->results[0].type->shape.dims[0], 3);
    cr_expect_eq(func->result_types[0], declared);
    cr_expect_eq(fixture.block->last->operands[1], argument(1));
}

Test(entry_layouts, a_layout_that_is_no_permutation_is_an_error)
{
    static const int64_t wrong[][2] = {{1, 1}, {0, 2}, {-1, 0}};
    MAIN("f32 5 6");
    struct func *func = fixture.block->func;
    RETURN(argument(0));
    const struct type *plain = argument(0)->type;
    for (size_t i = 0; i < 2 * (sizeof wrong / sizeof *wrong); i++) {
        bool result = i % 2;
        func->argument_types = NULL;
        argument(0)->type = result ? plain : laid_out(plain, wrong[i / 2]);
        func->result_types[0] = result ? laid_out(plain, wrong[i / 2]) : plain;
        struct error *error = entry_layouts_run(fixture_module, NULL);
        cr_assert_not_null(error);
        cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
        error_free(error);
    }
}
