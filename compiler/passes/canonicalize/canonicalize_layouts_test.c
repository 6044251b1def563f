#include "compiler/passes/canonicalize/canonicalize_layouts.h"

#include "compiler/lower/lower_call.h"
#include "compiler/passes/canonicalize/canonicalize.h"
#include "compiler/passes/passes_fixture.h"

TestSuite(canonicalize_layouts, .init = fixture_begin, .fini = fixture_end);

static const int64_t column_major[] = {1, 2, 0}, row_major[] = {2, 1, 0};

static struct op *call(const char *type, const int64_t *layout)
{
    struct dims *layouts = ARENA_NEW(fixture_arena, struct dims);
    const struct type *result = fixture_type(type);
    struct value *operand = argument(0);
    struct op *op = ir_op(fixture_module, OP_custom_call, 1, &operand, 1, &result, 0);
    *layouts = (struct dims){3, layout};
    op->attrs.custom_call.call_target_name = (struct string){1, "f"};
    op->attrs.custom_call.operand_layouts = (struct layouts){1, layouts};
    op->attrs.custom_call.result_layouts = (struct layouts){1, layouts};
    ir_append(fixture.block, op);
    return op;
}

Test(canonicalize_layouts, columns_are_transposed_around_the_call)
{
    struct call_spec spec;
    MAIN("f32 2 3 4");
    struct op *op = call("f32 2 5 6", column_major);
    RETURN(&op->results[0]);
    fixture_run(canonicalize_run);
    fixture_run(canonicalize_run);
    const struct op *back = fixture.block->last->operands[0]->def;
    cr_assert_eq(back->code, OP_transpose);
    const struct op *laid_out = back->operands[0]->def;
    cr_assert_eq(laid_out->code, OP_custom_call);
    cr_expect_eq(laid_out->operands[0]->def->code, OP_transpose);
    cr_expect_eq(laid_out->operands[0]->type->shape.dims[1], 4);
    cr_expect_eq(laid_out->results[0].type->shape.dims[1], 6);
    cr_assert_null(lower_call_spec(fixture_arena, laid_out, &spec)); /* logical sizes */
    cr_expect_eq(spec.values[0].shape.dims[1], 3);
    cr_expect_eq(spec.values[1].shape.dims[1], 5);
    cr_expect_eq(spec.values[1].slice, 1);
}

Test(canonicalize_layouts, rows_need_nothing)
{
    MAIN("f32 2 3 4");
    struct op *op = call("f32 2 3 4", row_major);
    RETURN(&op->results[0]);
    fixture_run(canonicalize_run);
    cr_expect_eq(fixture.block->last->operands[0]->def, op);
}

Test(canonicalize_layouts, a_layout_must_be_a_permutation)
{
    static const int64_t wrong[] = {1, 1, 0};
    MAIN("f32 2 3 4");
    struct op *op = call("f32 2 3 4", wrong);
    RETURN(&op->results[0]);
    struct error *error = canonicalize_run(fixture_module, NULL);
    cr_assert(error);
    cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    error_free(error);
}
