/* loop_fixture.h: a counting loop for tests of analyses. Header only. */
#ifndef GANTRY_COMPILER_LOOP_FIXTURE_H
#define GANTRY_COMPILER_LOOP_FIXTURE_H

#include "compiler/passes/passes_fixture.h"

/* for (i = start; i `direction` limit; i += step) x = -x;
 * x is the first argument of the function, the counter a scalar of `dtype`. */
static inline struct op *fixture_loop_while(enum dtype dtype, double start,
                                            enum comparison direction, double limit, double step)
{
    struct builder outer = fixture;
    struct value *begin = build_scalar(&fixture, dtype, start);
    const struct type *types[] = {begin->type, argument(0)->type};
    struct op *op =
        ir_op(fixture_module, OP_while, 2, (struct value *[]){begin, argument(0)}, 2, types, 2);
    for (int r = 0; r < 2; r++)
        op->regions[r] = ir_block(fixture_module, fixture.block->func, op, 2, types);
    ir_append(fixture.block, op);
    fixture.block = op->regions[0];
    struct value *less =
        build_compare(&fixture, direction, argument(0), build_scalar(&fixture, dtype, limit));
    build_return(&fixture, 1, &less);
    fixture.block = op->regions[1];
    struct value *by = build_scalar(&fixture, dtype, step);
    struct value *next[] = {build_binary(&fixture, OP_add, argument(0), by),
                            build_unary(&fixture, OP_negate, argument(1))};
    build_return(&fixture, 2, next);
    fixture = outer;
    return op;
}

/* for (i = start; i < limit; i += step) x = -x */
static inline struct op *fixture_loop(enum dtype dtype, double start, double limit, double step)
{
    return fixture_loop_while(dtype, start, COMPARE_LT, limit, step);
}

#endif
