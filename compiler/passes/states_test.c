/* For each state, a module that satisfies it and one that violates it. */
#include "compiler/passes/states.h"

#include "compiler/passes/passes_fixture.h"
#include "compiler/target_fixture.h"

TestSuite(states, .init = fixture_begin, .fini = fixture_end);

static bool holds(unsigned state)
{
    struct target target = target_fixture();
    struct error *error = states_verify(fixture_module, state, &target);
    bool holds = !error;
    cr_expect(holds || error_code(error) == PJRT_Error_Code_INTERNAL);
    error_free(error);
    return holds;
}

static struct value *unary(enum op_code code, struct value *operand)
{
    return build_unary(&fixture, code, operand);
}

Test(states, flat)
{
    MAIN("f32 4");
    struct value *value = unary(OP_negate, argument(0));
    cr_expect(holds(STATE_FLAT));
    struct func *other = ir_func(fixture_module, "other");
    const struct type *type = argument(0)->type;
    other->body = ir_block(fixture_module, other, NULL, 1, &type);
    struct builder b = {fixture_module, other->body, NULL, NULL};
    struct value *same = &other->body->arguments[0];
    build_return(&b, 1, &same);
    cr_expect_not(holds(STATE_FLAT)); /* no custom_call references the function */
    union attrs attrs = {.custom_call = {.called_computations = {1, &other}}};
    build_declared(&fixture, OP_custom_call, 1, &value, type, &attrs);
    cr_expect(holds(STATE_FLAT));
    union attrs call = {.call = {.callee = other}};
    build_declared(&fixture, OP_call, 1, &value, type, &call);
    cr_expect_not(holds(STATE_FLAT));
}

Test(states, static_shapes)
{
    MAIN("f32 4");
    unary(OP_negate, argument(0));
    cr_expect(holds(STATE_STATIC));
    union attrs attrs = {.dimension = {.dimension = 0}};
    const struct type *size = fixture_type("i32");
    build_declared(&fixture, OP_get_dimension_size, 1, (struct value *[]){argument(0)}, size,
                   &attrs);
    cr_expect_not(holds(STATE_STATIC));
}

Test(states, static_types)
{
    MAIN("f32 4");
    int64_t dims[] = {SHAPE_DYNAMIC};
    struct value *value = unary(OP_negate, argument(0));
    cr_expect(holds(STATE_STATIC));
    value->type = type_tensor(fixture_arena, DTYPE_F32, 1, dims);
    cr_expect_not(holds(STATE_STATIC));
}

Test(states, canonical)
{
    MAIN("f32 4", "f32", "i1 4");
    struct value *spread = build_splat(&fixture, argument(0)->type, 1);
    build_select(&fixture, argument(2), argument(0), spread);
    cr_expect(holds(STATE_CANONICAL));
    struct value *same = build_convert(&fixture, argument(0), DTYPE_F32);
    cr_expect(same->def == NULL || !holds(STATE_CANONICAL));
}

Test(states, fused)
{
    MAIN("f32 4");
    struct value *value = build_reshape(&fixture, argument(0), 1, (int64_t[]){4});
    cr_expect(holds(STATE_FUSED));
    unary(OP_negate, value);
    cr_expect_not(holds(STATE_FUSED));
}

/* A specification cannot describe contracting dimensions that are not adjacent. */
Test(states, layouts)
{
    MAIN("f32 32 16 64", "f32 64 16 32");
    static const int64_t left[] = {2, 0}, right[] = {0, 2};
    union attrs attrs = {
        .dot = {.lhs_contracting_dimensions = {2, left}, .rhs_contracting_dimensions = {2, right}}};
    struct value *operands[] = {argument(0), argument(1)};
    build_declared(&fixture, OP_dot_general, 2, operands, NULL, &attrs);
    cr_expect_not(holds(STATE_LAYOUTS));
}
