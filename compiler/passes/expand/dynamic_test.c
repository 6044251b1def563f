#include "compiler/passes/expand/dynamic.h"

#include "compiler/passes/passes_fixture.h"

TestSuite(dynamic, .init = fixture_begin, .fini = fixture_end);

static struct value *numbers(int count, const int64_t *at)
{
    const struct type *type = type_tensor(fixture_arena, DTYPE_S64, 1, (int64_t[]){count});
    return build_constant(&fixture, literal_dense(fixture_arena, type, at));
}

Test(dynamic, constant_sizes_become_attributes)
{
    MAIN("f32 4", "f32", "s64 1");
    static const int64_t one = 1, two = 2, zero = 0;
    struct value *padded = MAKE(dynamic_pad, fixture_type("f32 7"), {0}, argument(0), argument(1),
                                numbers(1, &one), numbers(1, &two), numbers(1, &zero));
    struct value *cut = MAKE(real_dynamic_slice, fixture_type("f32 2"), {0}, padded, argument(2),
                             argument(2), numbers(1, &one));
    struct value *shaped = MAKE(dynamic_reshape, fixture_type("f32 2 1"), {0}, cut, argument(2));
    struct value *size = MAKE(get_dimension_size, NULL, {0}, shaped);
    RETURN(shaped, size);
    fixture_run(dynamic_run);
    const struct op *reshape = fixture.block->last->operands[0]->def;
    cr_expect_eq(reshape->code, OP_reshape);
    cr_expect_eq(reshape->operands[0]->def->code, OP_dynamic_slice);
    cr_expect_eq(reshape->operands[0]->def->operands[0]->def->code, OP_pad);
    cr_expect_eq(fixture.block->last->operands[1]->def->code, OP_constant);
}

Test(dynamic, sizes_that_vary_are_refused)
{
    MAIN("f32 4", "f32", "s64 1");
    struct value *value = MAKE(dynamic_pad, fixture_type("f32 7"), {0}, argument(0), argument(1),
                               argument(2), argument(2), argument(2));
    RETURN(value);
    fixture_fails(dynamic_run, PJRT_Error_Code_UNIMPLEMENTED, "dynamic_pad: operand 2 has sizes");
}

Test(dynamic, sizes_that_are_not_those_declared_are_refused)
{
    MAIN("f32 4");
    static const int64_t wrong[] = {2, 3};
    struct value *value =
        MAKE(dynamic_reshape, fixture_type("f32 2 2"), {0}, argument(0), numbers(2, wrong));
    RETURN(value);
    fixture_fails(dynamic_run, PJRT_Error_Code_INVALID_ARGUMENT,
                  "dynamic_reshape: operand 1 sets the size of dimension 1 to 3, which does not "
                  "match the result tensor<2x2xf32>");
}
