#include "compiler/passes/buffer/buffer_in_place.h"

#include "compiler/passes/passes_fixture.h"

TestSuite(buffer_in_place, .init = fixture_begin, .fini = fixture_end);

/* A loop over one operand, f32[4], whose result is reached on 2^60 paths; the last step of each
 * is a reversal, when asked. */
static const struct op *loop(bool reversed)
{
    const struct type *type = fixture_type("f32 4");
    struct value *operand = argument(0);
    struct op *op = ir_op(fixture_module, OP_fusion, 1, &operand, 1, &type, 1);
    op->attrs.fusion.fusion_kind = FUSION_LOOP;
    struct block *body = op->regions[0] =
        ir_block(fixture_module, fixture.block->func, op, 1, &type);
    struct builder b = {fixture_module, body, NULL, NULL};
    struct value *value = &body->arguments[0];
    for (int i = 0; i < 60; i++)
        value = build_binary(&b, OP_add, value, value);
    if (reversed) {
        union attrs attrs = {.dimensions = {.dimensions = DIMS(0)}};
        value = &build_op(&b, OP_reverse, 1, &value, 1, &attrs)->results[0];
    }
    build_return(&b, 1, &value);
    ir_append(fixture.block, op);
    return op;
}

Test(buffer_in_place, elements_that_keep_their_place)
{
    MAIN("f32 4");
    cr_expect(buffer_in_place(loop(false), 0, 0), "and is seen at once, many as the paths are");
    cr_expect_not(buffer_in_place(loop(true), 0, 0));
}
