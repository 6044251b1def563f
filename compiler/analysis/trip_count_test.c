#include "compiler/analysis/trip_count.h"

#include "compiler/loop_fixture.h"

TestSuite(trip_count, .init = fixture_begin, .fini = fixture_end);

static struct op *loop(double start, double limit, double step)
{
    return fixture_loop(DTYPE_S32, start, limit, step);
}

Test(trip_count, is_that_of_a_counter)
{
    MAIN("f32 1000");
    cr_expect_eq(trip_count_of(loop(0, 10, 1)), 10);
    cr_expect_eq(trip_count_of(loop(3, 10, 2)), 4);
    cr_expect_eq(trip_count_of(loop(10, 10, 1)), 0);
    cr_expect_eq(trip_count_of(loop(0, 10, 0)), -1);
}

static int64_t count(double start, enum comparison direction, double limit, double step)
{
    return trip_count_of(fixture_loop_while(DTYPE_S32, start, direction, limit, step));
}

Test(trip_count, is_that_of_any_comparison)
{
    MAIN("f32 1000");
    cr_expect_eq(count(0, COMPARE_LE, 5, 2), 3);
    cr_expect_eq(count(3, COMPARE_GT, 0, -1), 3);
    cr_expect_eq(count(3, COMPARE_GE, 0, -2), 2);
    cr_expect_eq(count(0, COMPARE_NE, 6, 2), 3);
    cr_expect_eq(count(6, COMPARE_NE, 0, -3), 2);
    cr_expect_eq(count(3, COMPARE_NE, 3, 1), 0);
    cr_expect_eq(count(3, COMPARE_EQ, 3, 1), 1);
    cr_expect_eq(count(3, COMPARE_EQ, 4, 1), 0);
    cr_expect_eq(count(4, COMPARE_GT, 4, 1), 0);
}

Test(trip_count, is_unknown_of_endless_loops)
{
    MAIN("f32 1000");
    cr_expect_eq(count(0, COMPARE_GE, 0, 1), -1, "until the counter wraps around");
    cr_expect_eq(count(0, COMPARE_LT, 5, -1), -1);
    cr_expect_eq(count(0, COMPARE_NE, 5, 2), -1, "steps over the limit");
    cr_expect_eq(count(0, COMPARE_NE, 5, -1), -1);
    cr_expect_eq(count(3, COMPARE_EQ, 3, 0), -1);
    cr_expect_eq(count(0, COMPARE_LE, INT32_MAX, 1), -1);
    cr_expect_eq(trip_count_of(fixture_loop_while(DTYPE_U32, 3, COMPARE_GE, 0, -1)), -1);
}

/* Puts a copy between an operation and its operand, as buffer assignment does. */
static void copy_operand(struct op *op, int operand)
{
    struct value *value = op->operands[operand];
    struct op *copy = ir_op(fixture_module, OP_copy, 1, &value, 1, &value->type, 0);
    ir_insert_before(op, copy);
    ir_set_operand(fixture_module, op, operand, &copy->results[0]);
}

Test(trip_count, is_known_through_copies)
{
    MAIN("f32 1000");
    struct op *counted = loop(0, 10, 1);
    copy_operand(counted, 0);
    copy_operand(counted->regions[0]->last, 0);
    copy_operand(counted->regions[1]->last, 0);
    copy_operand(counted->regions[1]->last->operands[0]->def->operands[0]->def, 0);
    cr_expect(trip_count_is_known(counted));
    cr_expect(trip_count_is_known_in(fixture.block));
}

Test(trip_count, is_unknown_if_the_counter_wraps)
{
    MAIN("f32 1000");
    cr_expect_eq(trip_count_of(fixture_loop(DTYPE_S8, 0, 127, 1)), 127);
    cr_expect_eq(trip_count_of(fixture_loop(DTYPE_S8, 0, 127, 2)), -1);
    cr_expect_eq(trip_count_of(fixture_loop(DTYPE_U8, 0, 254, 2)), 127);
}

Test(trip_count, is_known_in_a_block_whose_loops_all_count)
{
    MAIN("f32 1000");
    struct op *known = loop(0, 10, 1);
    cr_expect(trip_count_is_known_in(fixture.block));
    loop(0, 10, 0);
    cr_expect_not(trip_count_is_known_in(fixture.block));
    cr_expect(trip_count_is_known_in(known->regions[1]));
}
