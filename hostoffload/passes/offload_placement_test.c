#include "hostoffload/passes/offload_placement.h"

#include "hostoffload/passes/offload_fixture.h"

TestSuite(offload_placement, .init = offload_begin, .fini = fixture_end);

static struct value *copy_to(struct value *value, enum memory_kind kind)
{
    return build_copy(&fixture, value, kind);
}

/* while (pred) { carried = copy(carried) in `kind` }, from `init` */
static struct op *loop_to(struct value *init, enum memory_kind kind)
{
    struct builder outer = fixture;
    struct value *operands[] = {init};
    struct op *loop = ir_op(fixture_module, OP_while, 1, operands, 1, &init->type, 2);
    for (int r = 0; r < 2; r++)
        loop->regions[r] = ir_block(fixture_module, outer.block->func, loop, 1, &operands[0]->type);
    fixture = (struct builder){fixture_module, loop->regions[0], NULL, NULL};
    build_return(&fixture, 1, (struct value *[]){build_scalar(&fixture, DTYPE_PRED, 0)});
    fixture.block = loop->regions[1];
    struct value *next = build_unary(&fixture, OP_negate, argument(0));
    build_return(&fixture, 1, (struct value *[]){copy_to(next, kind)});
    fixture = outer;
    ir_append(fixture.block, loop);
    return loop;
}

Test(offload_placement, a_loop_carries_a_value_in_one_kind)
{
    for (int host_first = 0; host_first < 2; host_first++) {
        fixture_module->entry = NULL;
        fixture_module->first = fixture_module->last = NULL;
        MAIN("f32 4");
        struct value *before =
            copy_to(argument(0), host_first ? MEMORY_PINNED_HOST : MEMORY_DEVICE);
        struct op *loop = loop_to(before, host_first ? MEMORY_DEVICE : MEMORY_PINNED_HOST);
        RETURN(&loop->results[0]);
        offload_fails(offload_placement_run, PJRT_Error_Code_INVALID_ARGUMENT,
                      host_first
                          ? "value 0 is placed in pinned_host before the loop and in device"
                          : "value 0 is placed in device before the loop and in pinned_host");
    }
}

Test(offload_placement, what_is_not_annotated_follows_the_annotation)
{
    MAIN("f32 4");
    struct op *loop = loop_to(argument(0), MEMORY_UNPINNED_HOST);
    RETURN(&loop->results[0]);
    cr_assert_null(offload_placement_run(fixture_module, &offload_target));
    const struct op *ret = fixture.block->last;
    cr_expect_eq(loop->results[0].type->shape.memory, MEMORY_UNPINNED_HOST);
    cr_expect_eq(loop->operands[0]->def->code, OP_copy);
    cr_expect_eq(loop->operands[0]->type->shape.memory, MEMORY_UNPINNED_HOST);
    cr_expect_eq(ret->operands[0]->def->code, OP_copy, "the program returns it on the device");
    cr_expect_eq(ret->operands[0]->type->shape.memory, MEMORY_DEVICE);
    cr_assert_null(ir_verify(fixture_module, false));
}

Test(offload_placement, kinds_that_passes_have_copied_are_forgotten)
{
    MAIN("f32 4");
    struct value *sum = build_binary(&fixture, OP_add, argument(0), argument(0));
    sum->type = type_with_memory(fixture_arena, sum->type, MEMORY_PINNED_HOST);
    RETURN(sum);
    fixture_module->entry->result_types[0] = argument(0)->type;
    cr_assert_null(offload_placement_run(fixture_module, &offload_target));
    cr_expect_eq(sum->type->shape.memory, MEMORY_DEVICE);
    cr_expect_eq(fixture.block->last->operands[0], sum);
}
