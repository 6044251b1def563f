/* each_op_test.c: the order in which the walks visit operations, and what visits may change. */
#include "compiler/passes/rewrite/each_op.h"

#include "compiler/passes/passes_fixture.h"
#include "compiler/passes/rewrite/rewrite.h"

static char visited[256]; /* the names of the visited operations */

/* sum(abs(tanh(x))) */
static void begin(void)
{
    fixture_begin();
    visited[0] = '\0';
    MAIN("f32 4");
    struct value *zero = build_scalar(&fixture, DTYPE_F32, 0);
    struct value *tanh = build_unary(&fixture, OP_tanh, argument(0));
    struct value *abs = build_unary(&fixture, OP_abs, tanh);
    RETURN(build_reduce(&fixture, abs, zero, OP_add, 1, (int64_t[]){0}));
}

TestSuite(each_op, .init = begin, .fini = fixture_end);

static struct error *note(struct module *module, struct op *op, const struct target *target)
{
    (void)module, (void)target;
    strcat(strcat(visited, op_info(op->code)->name), " ");
    return NULL;
}

/* Replaces tanh(x) by sin(cos(x)). */
static struct error *replace(struct module *module, struct op *op, const struct target *target)
{
    TRY(note(module, op, target));
    if (op->code != OP_tanh)
        return NULL;
    struct builder b = rewrite_before(module, op);
    struct value *cosine = build_unary(&b, OP_cosine, op->operands[0]);
    return rewrite_with(module, op, build_unary(&b, OP_sine, cosine));
}

/* Removes tanh and the operation after it, whose users use the argument instead. */
static struct error *remove_two(struct module *module, struct op *op, const struct target *target)
{
    TRY(note(module, op, target));
    if (op->code != OP_tanh)
        return NULL;
    struct op *next = op->next;
    ir_replace_uses(module, &next->results[0], op->operands[0]);
    ir_remove(next);
    ir_remove(op);
    return NULL;
}

static struct error *fail(struct module *module, struct op *op, const struct target *target)
{
    TRY(note(module, op, target));
    return op->code == OP_tanh ? ERROR(INTERNAL, "tanh") : NULL;
}

Test(each_op, visits_regions_before_their_operation)
{
    cr_assert_null(each_op(fixture_module, NULL, note));
    cr_expect_str_eq(visited, "constant tanh abs add return reduce return ");
}

Test(each_op, visits_nothing_that_a_visit_inserts)
{
    cr_assert_null(each_op(fixture_module, NULL, replace));
    cr_expect_str_eq(visited, "constant tanh abs add return reduce return ");
}

Test(each_op, backward_ends_with_the_first)
{
    cr_assert_null(each_op_backward(fixture_module, NULL, replace));
    cr_expect_str_eq(visited, "return return add reduce abs tanh constant ");
}

Test(each_op, again_visits_what_replaces_an_operation)
{
    cr_assert_null(each_op_again(fixture_module, NULL, replace));
    cr_expect_str_eq(visited, "constant tanh cosine sine abs add return reduce return ");
}

Test(each_op, again_continues_after_operations_that_a_visit_removes)
{
    cr_assert_null(each_op_again(fixture_module, NULL, remove_two));
    cr_expect_str_eq(visited, "constant tanh add return reduce return ");
}

Test(each_op, again_continues_where_the_first_of_a_block_was)
{
    ir_move_before(fixture.block->first, fixture.block->first->next);
    cr_assert_null(each_op_again(fixture_module, NULL, replace));
    cr_expect_str_eq(visited, "tanh cosine sine constant abs add return reduce return ");
}

Test(each_op, ends_with_the_first_error)
{
    struct error *error = each_op(fixture_module, NULL, fail);
    cr_assert_not_null(error);
    cr_expect_str_eq(visited, "constant tanh ");
    error_free(error);
}
