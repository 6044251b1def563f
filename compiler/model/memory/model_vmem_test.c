/* Tests of which values are in vector memory: what several cores can write there, and what kernels
 * need for themselves. The accelerator's figures are round. */
#include <math.h>

#include "compiler/model/accelerator_fixture.h"
#include "compiler/model/model.h"
#include "compiler/passes/passes_fixture.h"

TestSuite(model_vmem, .init = fixture_begin, .fini = fixture_end);

enum { SQUARE = 256 * 256 * 4 }; /* bytes of f32[256,256] */

static struct accelerator accelerator_of(int cores)
{
    return (struct accelerator){ACCELERATOR_FIXTURE,   .hbm_bytes = 1 << 30,
                                .vmem_bytes = 6 << 20, .vmem_for_values = 6 << 20,
                                .cores = cores,        .bf16_rate = 1e14};
}

static uint64_t temporaries_on(const struct accelerator *accelerator)
{
    struct target target = {.name = "test", .accelerator = accelerator};
    cr_assert_null(ir_verify(fixture_module, true));
    cr_assert_null(model_run(fixture_module, &target));
    return fixture_module->model->temp_bytes;
}

static struct value *product(struct value *lhs, struct value *rhs)
{
    static const int64_t zero = 0, one = 1;
    const union attrs attrs = {.dot = {.lhs_contracting_dimensions = {1, &one},
                                       .rhs_contracting_dimensions = {1, &zero},
                                       .precision_config = {PRECISION_HIGHEST, PRECISION_HIGHEST}}};
    return build_declared(&fixture, OP_dot_general, 2, (struct value *[]){lhs, rhs}, lhs->type,
                          &attrs);
}

static struct value *unary(enum op_code code, struct value *operand)
{
    return build_unary(&fixture, code, operand);
}

/* Something that is stored, and read by another kernel. */
static struct value *behind_barrier(struct value *value)
{
    return build_declared(&fixture, OP_optimization_barrier, 1, &value, value->type, NULL);
}

Test(model_vmem, one_core_keeps_a_products_result)
{
    const struct accelerator one = accelerator_of(1);
    MAIN("f32 256 256");
    RETURN(product(product(argument(0), argument(0)), argument(0)));
    cr_expect_eq(temporaries_on(&one), 0);
}

Test(model_vmem, several_cores_write_products_to_hbm)
{
    const struct accelerator two = accelerator_of(2);
    MAIN("f32 256 256");
    RETURN(product(product(argument(0), argument(0)), argument(0)));
    cr_expect_eq(temporaries_on(&two), SQUARE);
}

Test(model_vmem, several_cores_write_loops_over_elements_to_vmem)
{
    const struct accelerator two = accelerator_of(2);
    MAIN("f32 256 256");
    struct value *loop = behind_barrier(unary(OP_exponential, unary(OP_abs, argument(0))));
    RETURN(unary(OP_negate, loop));
    cr_expect_eq(temporaries_on(&two), 0);
}

Test(model_vmem, an_operation_that_is_a_kernel_by_itself_writes_to_hbm)
{
    const struct accelerator two = accelerator_of(2);
    MAIN("f32 256 256");
    RETURN(product(behind_barrier(unary(OP_exponential, argument(0))), argument(0)));
    cr_expect_eq(temporaries_on(&two), SQUARE);
}

Test(model_vmem, kernels_take_their_part_from_values)
{
    struct accelerator one = accelerator_of(1);
    one.vmem_for_kernel = (6 << 20) - SQUARE / 2;
    MAIN("f32 1024 256", "f32 256 256");
    struct value *tall = product(argument(0), argument(1));
    RETURN(product(product(tall, argument(1)), argument(1)));
    cr_expect_eq(temporaries_on(&one), 4 * SQUARE, "one is in the result");
    one.vmem_for_kernel = 0;
    cr_expect_eq(temporaries_on(&one), 0);
}

Test(model_vmem, a_reshape_of_the_same_bytes_takes_no_memory)
{
    struct accelerator none = accelerator_of(1);
    none.vmem_for_values = 0;
    MAIN("f32 256 256");
    struct value *in = product(argument(0), argument(0));
    struct value *shaped = build_reshape(&fixture, in, 3, (int64_t[]){1, 256, 256});
    RETURN(unary(OP_negate, behind_barrier(shaped)));
    cr_expect_leq(temporaries_on(&none), SQUARE);
}

Test(model_vmem, a_reshape_of_an_argument_is_copied_to_the_result)
{
    const struct accelerator one = accelerator_of(1);
    MAIN("f32 256 256");
    RETURN(build_reshape(&fixture, argument(0), 3, (int64_t[]){1, 256, 256}));
    cr_expect_eq(temporaries_on(&one), 0);
    cr_expect_geq(fixture_module->model->seconds, 2 * SQUARE / one.hbm_rate);
}

static struct value *sum_of_devices(struct value *value)
{
    static const int64_t group[] = {0};
    struct op *op = ir_op(fixture_module, OP_all_reduce, 1, &value, 1, &value->type, 1);
    op->attrs = (union attrs){.all_reduce = {.replica_groups = {1, 1, group}}};
    ir_append(fixture.block, op);
    const struct type *scalar = type_scalar(fixture_module->arena, DTYPE_F32);
    struct block *body = ir_block(fixture_module, fixture.block->func, op, 2,
                                  (const struct type *[]){scalar, scalar});
    struct builder inner = {fixture_module, body, NULL, NULL};
    op->regions[0] = body;
    struct value *total = build_binary(&inner, OP_add, &body->arguments[0], &body->arguments[1]);
    build_return(&inner, 1, &total);
    return &op->results[0];
}

Test(model_vmem, an_all_reduce_writes_over_its_operand)
{
    struct accelerator none = accelerator_of(1);
    none.vmem_for_values = 0;
    MAIN("f32 256 256");
    struct value *sum = sum_of_devices(product(argument(0), argument(0)));
    struct value *zero = build_scalar(&fixture, DTYPE_F32, 0);
    RETURN(build_reduce(&fixture, sum, zero, OP_add, 1, (int64_t[]){1}));
    cr_expect_eq(temporaries_on(&none), SQUARE);
}

/* ---- loops ----------------------------------------------------------------------------------- */
/* A loop of a few iterations that carries a counter and `count` values. Opens its body, whose
 * argument 0 is the counter; end_loop() closes it. */
static struct op *begin_loop(int count, struct value **initial)
{
    struct value *operands[4] = {build_scalar(&fixture, DTYPE_S32, 0)};
    const struct type *types[4] = {operands[0]->type};
    for (int i = 0; i < count; i++)
        operands[1 + i] = initial[i], types[1 + i] = initial[i]->type;
    struct op *loop = ir_op(fixture_module, OP_while, 1 + count, operands, 1 + count, types, 2);
    ir_append(fixture.block, loop);
    for (int r = 0; r < 2; r++)
        loop->regions[r] = ir_block(fixture_module, fixture.block->func, loop, 1 + count, types);
    fixture.block = loop->regions[0];
    struct value *more =
        build_compare(&fixture, COMPARE_LT, argument(0), build_scalar(&fixture, DTYPE_S32, 5));
    build_return(&fixture, 1, &more);
    fixture.block = loop->regions[1];
    return loop;
}

static void end_loop(struct op *loop, int count, struct value **next)
{
    struct value *operands[4];
    operands[0] = build_binary(&fixture, OP_add, argument(0), build_scalar(&fixture, DTYPE_S32, 1));
    for (int i = 0; i < count; i++)
        operands[1 + i] = next[i];
    build_return(&fixture, 1 + count, operands);
    fixture.block = loop->block;
}

/* The argument's place is written in each iteration: it is not fetched once for all products. */
Test(model_vmem, a_given_argument_that_a_loop_carries)
{
    const struct accelerator one = accelerator_of(1);
    MAIN("f32 256 256", "f32 256 256");
    struct argument_info infos[] = {{.alias_result = 0, .donated = true}, {.alias_result = -1}};
    fixture.block->func->argument_infos = infos;
    struct value *given = argument(0), *weights = argument(1);
    struct op *loop = begin_loop(1, &given);
    struct value *next = product(product(argument(1), weights), weights);
    end_loop(loop, 1, &next);
    RETURN(product(&loop->results[1], weights));
    cr_expect_eq(temporaries_on(&one), 0);
}

/* The bytes of x are read by another name after the next x is computed, which needs its own. */
Test(model_vmem, a_reshape_keeps_what_a_loop_carries)
{
    struct accelerator none = accelerator_of(1);
    none.vmem_for_values = 0;
    MAIN("f32 256 256", "f32 1 256 256");
    static const int64_t image[] = {1, 256, 256};
    struct value *initial[] = {product(argument(0), argument(0)),
                               behind_barrier(unary(OP_negate, argument(1)))};
    struct op *loop = begin_loop(2, initial);
    struct value *shaped = behind_barrier(build_reshape(&fixture, argument(1), 3, image));
    struct value *next = behind_barrier(unary(OP_exponential, argument(1)));
    struct value *after = behind_barrier(build_reshape(&fixture, next, 3, image));
    struct value *sum = build_binary(&fixture, OP_add, shaped, after);
    end_loop(loop, 2, (struct value *[]){next, build_binary(&fixture, OP_add, argument(2), sum)});
    struct value *zero = build_scalar(&fixture, DTYPE_F32, 0);
    RETURN(build_reduce(&fixture, &loop->results[1], zero, OP_add, 1, (int64_t[]){1}),
           build_reduce(&fixture, &loop->results[2], zero, OP_add, 1, (int64_t[]){1}));
    cr_expect_eq(temporaries_on(&none), 3 * SQUARE + 512, "and the counter");
}

/* Seconds of a program that sums the rows of its argument, of f32[512,2048], and divides by the
 * sums. */
static double divided_rows_on(const struct accelerator *accelerator)
{
    static const int64_t rows = 0;
    struct target target = {.name = "test", .accelerator = accelerator};
    MAIN("f32 512 2048");
    struct value *zero = build_scalar(&fixture, DTYPE_F32, 0);
    struct value *sum = build_reduce(&fixture, argument(0), zero, OP_add, 1, (int64_t[]){1});
    const union attrs attrs = {.broadcast_in_dim = {.broadcast_dimensions = {1, &rows}}};
    struct value *wide =
        build_declared(&fixture, OP_broadcast_in_dim, 1, &sum, argument(0)->type, &attrs);
    RETURN(build_binary(&fixture, OP_subtract, argument(0), wide));
    cr_assert_null(model_run(fixture_module, &target));
    return fixture_module->model->seconds;
}

Test(model_vmem, an_argument_is_copied_beside_its_first_reader)
{
    struct accelerator one = accelerator_of(1);
    double bytes = 512 * 2048 * 4, once = bytes / one.hbm_rate;
    cr_expect_float_eq(divided_rows_on(&one), 2 * once, once / 4,
                       "it is read and a result written");
    one.vmem_for_values = 0;
    cr_expect_float_eq(divided_rows_on(&one), 3 * once, once / 4, "it is read twice");
}

Test(model_vmem, a_product_waits_for_the_operand_that_is_copied_ahead)
{
    struct accelerator one = accelerator_of(1);
    struct target target = {.name = "test", .accelerator = &one};
    one.hbm_rate = 1e11;
    MAIN("f32 1024 1024", "f32 1024 1024");
    RETURN(product(argument(0), argument(1)));
    cr_assert_null(model_run(fixture_module, &target));
    const struct model_plan *plan = fixture_module->model;
    double copied = 4.0 * 1024 * 1024 / one.hbm_rate, computed = 6 * 2.0 * (1 << 30) / 1e14 / 0.92;
    cr_expect_float_eq(plan->seconds, copied + fmax(computed, 2 * copied), copied / 10);
    cr_expect_float_eq(plan->hbm_bytes, 3 * 4.0 * 1024 * 1024, 1);
}

/* ---- reductions of an argument --------------------------------------------------------------- */
static struct value *sums_of(struct value *x)
{
    struct value *zero = build_scalar(&fixture, DTYPE_F32, 0);
    return build_reduce(&fixture, x, zero, OP_add, 1, (int64_t[]){1});
}

static double seconds_on_one_core(void)
{
    const struct accelerator one = accelerator_of(1);
    temporaries_on(&one);
    return fixture_module->model->seconds;
}

Test(model_vmem, a_reduction_by_itself_follows_the_copy_of_its_argument)
{
    MAIN("f32 256 1024");
    RETURN(sums_of(argument(0)));
    double alone = seconds_on_one_core();
    cr_expect_gt(alone, 1.06e-6, "256 vectors are added after the copy");
}

Test(model_vmem, a_reduction_before_another_kernel_reads_its_argument)
{
    MAIN("f32 256 1024");
    RETURN(unary(OP_exponential, behind_barrier(sums_of(argument(0)))));
    cr_expect_lt(seconds_on_one_core(), 1.06e-6);
}

/* ---- what loops read and carry --------------------------------------------------------------- */
enum { ITERATIONS = 5 };

/* A product that rounds its operands to bf16. */
static struct value *rounded_product(struct value *lhs, struct value *rhs)
{
    static const int64_t zero = 0, one = 1;
    const union attrs attrs = {
        .dot = {.lhs_contracting_dimensions = {1, &one}, .rhs_contracting_dimensions = {1, &zero}}};
    return build_declared(&fixture, OP_dot_general, 2, (struct value *[]){lhs, rhs}, lhs->type,
                          &attrs);
}

static double hbm_bytes_on(const struct accelerator *accelerator)
{
    temporaries_on(accelerator);
    return fixture_module->model->hbm_bytes;
}

/* x = f(x @ w) in each iteration, and x is the program's result. */
static void multiply_in_loop(struct value *(*multiply)(struct value *, struct value *))
{
    struct value *initial = argument(0), *weights = argument(1);
    struct op *loop = begin_loop(1, &initial);
    struct value *next = unary(OP_exponential, multiply(argument(1), weights));
    end_loop(loop, 1, &next);
    RETURN(&loop->results[1]);
}

Test(model_vmem, a_loop_reads_a_narrow_copy_in_vmem)
{
    const struct accelerator one = accelerator_of(1);
    MAIN("f32 32 1024", "f32 1024 1024");
    multiply_in_loop(rounded_product);
    double weights = 4.0 * 1024 * 1024;
    cr_expect_geq(hbm_bytes_on(&one), weights, "%g of %g", hbm_bytes_on(&one), weights);
    cr_expect_lt(hbm_bytes_on(&one), 1.2 * weights, "it is made once, of the weights in HBM");
    cr_expect_eq(fixture_module->model->temp_bytes, 0);
}

Test(model_vmem, a_narrow_copy_in_hbm_is_read_in_each_iteration)
{
    struct accelerator small = accelerator_of(1);
    small.vmem_for_values = 1 << 19;
    MAIN("f32 32 1024", "f32 1024 1024");
    multiply_in_loop(rounded_product);
    double weights = 4.0 * 1024 * 1024, copy = weights / 2;
    cr_expect_geq(hbm_bytes_on(&small), weights + (1 + ITERATIONS) * copy);
    cr_expect_lt(hbm_bytes_on(&small), 1.2 * (weights + (1 + ITERATIONS) * copy));
}

Test(model_vmem, a_result_that_a_loop_carries_is_copied_from_vmem)
{
    struct accelerator one = accelerator_of(1);
    MAIN("f32 1024 256", "f32 256 256");
    struct value *initial = unary(OP_negate, argument(0));
    struct op *loop = begin_loop(1, &initial);
    struct value *next = unary(OP_exponential, argument(1));
    end_loop(loop, 1, &next);
    RETURN(&loop->results[1]);
    double once = 1024 * 256 * 4;
    cr_expect_float_eq(hbm_bytes_on(&one), 2 * once, once / 2, "the argument and the result");
    one.vmem_for_values = 0;
    cr_expect_geq(hbm_bytes_on(&one), 2 * (1 + ITERATIONS) * once);
}

/* A loop that writes one of 64 rows of tiles in each iteration; the stack is the result, or
 * summed. */
static void stack_in_loop(bool sums)
{
    struct value *stack = unary(OP_negate, argument(0)), *row = argument(1);
    struct op *loop = begin_loop(1, &stack);
    struct value *zero = build_scalar(&fixture, DTYPE_S32, 0);
    struct value *at =
        build_binary(&fixture, OP_multiply, argument(0), build_scalar(&fixture, DTYPE_S32, 8));
    struct value *next =
        build_declared(&fixture, OP_dynamic_update_slice, 4,
                       (struct value *[]){argument(1), row, at, zero}, stack->type, NULL);
    end_loop(loop, 1, &next);
    RETURN(sums ? sums_of(&loop->results[1]) : &loop->results[1]);
}

Test(model_vmem, a_stack_of_parts_is_in_vmem)
{
    struct accelerator one = accelerator_of(1);
    enum { STACK = 512 * 1024 * 4 };
    MAIN("f32 512 1024", "f32 8 1024");
    stack_in_loop(true);
    cr_expect_eq(temporaries_on(&one), 0);
    one.cores = 2;
    cr_expect_geq(temporaries_on(&one), STACK, "several cores do not write parts there");
}

Test(model_vmem, a_stack_that_is_the_result_is_in_hbm)
{
    const struct accelerator one = accelerator_of(1);
    double once = 512 * 1024 * 4, parts = ITERATIONS * 8 * 1024 * 4;
    MAIN("f32 512 1024", "f32 8 1024");
    stack_in_loop(false);
    cr_expect_float_eq(hbm_bytes_on(&one), 2 * once + parts, parts / 2,
                       "a copy from vector memory would take longer than the parts");
}

/* Four products of one loop with a matrix each; x has `rows` rows. */
static double four_products(const char *x)
{
    struct accelerator one = accelerator_of(1);
    struct target target = {.name = "test", .accelerator = &one};
    const char *square = "bf16 1024 1024";
    one.hbm_rate = 1e11;
    MAIN(x, square, square, square, square);
    struct value *initial = argument(0),
                 *weights[] = {argument(1), argument(2), argument(3), argument(4)};
    struct op *loop = begin_loop(1, &initial);
    struct value *next = argument(1);
    for (int i = 0; i < 4; i++)
        next = unary(OP_exponential, rounded_product(next, weights[i]));
    end_loop(loop, 1, &next);
    RETURN(&loop->results[1]);
    cr_assert_null(model_run(fixture_module, &target));
    return fixture_module->model->seconds;
}

Test(model_vmem, a_loops_weights_are_copied_beside_earlier_kernels)
{
    double once = 2.0 * 1024 * 1024 / 1e11;
    double seconds = four_products("bf16 8 1024");
    cr_expect_lt(seconds, ITERATIONS * 3.5 * once);
    cr_expect_gt(seconds, ITERATIONS * 1.5 * once, "the first two have no time before them");
}

Test(model_vmem, a_kernel_waits_for_copies_in_the_order_of_their_use)
{
    struct accelerator one = accelerator_of(1);
    one.hbm_rate = 1e11;
    MAIN("f32 512 1024", "f32 512 1024", "f32 512 1024");
    struct value *first = behind_barrier(unary(OP_exponential, argument(0)));
    struct value *second = behind_barrier(build_binary(&fixture, OP_add, first, argument(1)));
    RETURN(sums_of(build_binary(&fixture, OP_add, second, argument(2))));
    double once = 512 * 1024 * 4 / one.hbm_rate;
    temporaries_on(&one);
    cr_expect_float_eq(fixture_module->model->seconds, 2 * once, once / 4,
                       "the second is copied beside the first, the third after it");
}

Test(model_vmem, a_reshape_of_the_same_bytes_fetches_nothing)
{
    struct accelerator one = accelerator_of(1);
    one.hbm_rate = 1e11;
    MAIN("f32 512 1024", "f32 512 1024");
    struct value *first = behind_barrier(unary(OP_exponential, argument(0)));
    struct value *shaped =
        behind_barrier(build_reshape(&fixture, argument(1), 3, (int64_t[]){1, 512, 1024}));
    struct value *flat = build_reshape(&fixture, shaped, 2, (int64_t[]){512, 1024});
    RETURN(sums_of(build_binary(&fixture, OP_add, first, flat)));
    double once = 512 * 1024 * 4 / one.hbm_rate;
    temporaries_on(&one);
    cr_expect_leq(fixture_module->model->seconds, 2.1 * once);
}

/* Bytes of the loop's temporaries in HBM, more if loops have other tiles. */
static uint64_t retiled_bytes(void)
{
    struct accelerator plain = accelerator_of(1), retiling;
    plain.vmem_for_values = 0;
    retiling = plain;
    retiling.retiles_in_loops = true;
    multiply_in_loop(rounded_product);
    uint64_t without = temporaries_on(&plain);
    return temporaries_on(&retiling) - without;
}

Test(model_vmem, a_loop_reads_a_copy_in_other_tiles)
{
    MAIN("bf16 32 1024", "bf16 1024 1024");
    cr_expect_eq(retiled_bytes(), (1024 + 32) * 1024 * 2,
                 "the weights, and what the loop carries, which is copied to the result");
}

Test(model_vmem, arrays_of_other_rows_have_the_same_tiles)
{
    MAIN("bf16 8 40", "bf16 40 40");
    cr_expect_eq(retiled_bytes(), 0);
}

Test(model_vmem, a_copy_in_other_tiles_is_in_vmem)
{
    struct accelerator one = accelerator_of(1);
    one.retiles_in_loops = true;
    MAIN("bf16 32 1024", "bf16 1024 1024");
    multiply_in_loop(rounded_product);
    cr_expect_lt(hbm_bytes_on(&one), 1.3 * 2 * 1024 * 1024, "the weights are read once");
}
