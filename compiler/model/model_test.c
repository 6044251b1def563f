/* Tests of the model as a whole: which kernels a program has, what is stored between them and
 * where, and how long they take. The accelerator's figures are round. */
#include "compiler/model/model.h"

#include "compiler/model/accelerator_fixture.h"
#include "compiler/passes/passes_fixture.h"

TestSuite(model, .init = fixture_begin, .fini = fixture_end);

static const struct accelerator accelerator = {ACCELERATOR_FIXTURE, .hbm_bytes = 1 << 30,
                                               .vmem_for_values = 6 << 20, .cores = 1,
                                               .bf16_rate = 1e14};

enum { MATRIX = 1024 * 1024 * 4 }; /* bytes of f32[1024,1024] */

static const struct model_plan *plan_of(void)
{
    static struct target target;
    target = (struct target){.name = "test", .accelerator = &accelerator};
    struct error *error = ir_verify(fixture_module, true);
    cr_assert_null(error, "%s", error ? error_message(error, NULL) : "");
    cr_assert_null(model_run(fixture_module, &target));
    cr_assert_null(ir_verify(fixture_module, false));
    cr_assert_null(model_plan_check(fixture_module->model, fixture_module->model->size));
    return fixture_module->model;
}

static struct value *product_with(struct value *lhs, struct value *rhs, enum precision precision)
{
    static const int64_t zero = 0, one = 1;
    const union attrs attrs = {.dot = {.lhs_contracting_dimensions = {1, &one},
                                       .rhs_contracting_dimensions = {1, &zero},
                                       .precision_config = {precision, precision}}};
    return build_declared(&fixture, OP_dot_general, 2, (struct value *[]){lhs, rhs}, lhs->type,
                          &attrs);
}

/* A product that needs its operands as f32. */
static struct value *product(struct value *lhs, struct value *rhs)
{
    return product_with(lhs, rhs, PRECISION_HIGHEST);
}

static struct value *unary(enum op_code code, struct value *operand)
{
    return build_unary(&fixture, code, operand);
}

Test(model, without_an_accelerator_there_is_no_plan)
{
    struct target target = {.name = "test"};
    MAIN("f32 4");
    RETURN(argument(0));
    cr_assert_null(model_run(fixture_module, &target));
    cr_expect_null(fixture_module->model);
}

Test(model, a_chain_is_one_kernel)
{
    MAIN("f32 1024 1024");
    RETURN(unary(OP_exponential, unary(OP_negate, unary(OP_abs, argument(0)))));
    const struct model_plan *plan = plan_of();
    cr_expect_eq(plan->operation_count, 1);
    cr_expect_eq(plan->argument_bytes, MATRIX);
    cr_expect_eq(plan->output_bytes, MATRIX);
    cr_expect_eq(plan->temp_bytes, 0);
    cr_expect_float_eq(plan->hbm_bytes, 2.0 * MATRIX, 1);
    cr_expect_float_eq(plan->seconds, 2.0 * MATRIX / 1e12, 1e-6);
    cr_expect_eq(model_plan_operations(plan)->bound, BOUND_HBM);
    cr_expect_str_eq(model_plan_text(plan, model_plan_operations(plan)->label), "exponential");
}

Test(model, an_epilogue_leaves_with_its_product)
{
    MAIN("f32 1024 1024", "f32 1024 1024");
    RETURN(unary(OP_tanh, product(unary(OP_abs, argument(0)), argument(1))));
    const struct model_plan *plan = plan_of();
    cr_expect_eq(plan->operation_count, 1);
    cr_expect_eq(plan->temp_bytes, 0);
    cr_expect_float_eq(plan->flops, 2.0 * 1024 * 1024 * 1024, 1);
    cr_expect_eq(model_plan_operations(plan)->bound, BOUND_COMPUTE);
}

Test(model, no_kernel_has_two_products)
{
    MAIN("f32 1024 1024");
    struct value *first = product(argument(0), argument(0));
    RETURN(product(first, argument(0)));
    const struct model_plan *plan = plan_of();
    cr_expect_eq(plan->operation_count, 2);
    cr_expect_eq(plan->temp_bytes, MATRIX, "VMEM has the argument, which both products read");
    cr_assert_eq(plan->largest_count, 1);
    cr_expect_eq(model_plan_largest(plan)->bytes, MATRIX);
    cr_expect_str_eq(model_plan_text(plan, model_plan_largest(plan)->shape),
                     "f32[1024,1024]{1,0:T(8,128)}");
    cr_expect_eq(plan->peak_bytes, 3 * MATRIX);
}

Test(model, small_values_stay_in_vmem)
{
    MAIN("f32 256 256");
    RETURN(product(product(argument(0), argument(0)), argument(0)));
    cr_expect_eq(plan_of()->temp_bytes, 0);
}

/* Temporaries of a chain of products of 16 us, the last of which reads the first one's result. The
 * program's own result is too small for either. */
static uint64_t first_with_last_of(int products)
{
    MAIN("f32 512 512");
    struct value *first = product(argument(0), argument(0)), *last = first;
    for (int i = 0; i < products; i++)
        last = product(last, argument(0));
    last = product(last, first);
    struct value *zero = build_scalar(&fixture, DTYPE_F32, 0);
    RETURN(build_reduce(&fixture, last, zero, OP_add, 1, (int64_t[]){1}));
    return plan_of()->temp_bytes;
}

Test(model, values_leave_vmem_if_they_are_not_needed_for_long)
{
    cr_expect_eq(first_with_last_of(6), MATRIX / 4, "more than eight copies of VMEM take, 50 us");
}

Test(model, values_stay_in_vmem_if_they_are_needed_soon)
{
    cr_expect_eq(first_with_last_of(2), 0);
}

Test(model, what_is_narrow_is_stored_narrow)
{
    MAIN("bf16 2048 1024", "bf16 1024 1024");
    struct value *wide = build_convert(&fixture, product(argument(0), argument(1)), DTYPE_F32);
    struct value *zero = build_scalar(&fixture, DTYPE_F32, 0);
    struct value *sum = build_reduce(&fixture, wide, zero, OP_add, 1, (int64_t[]){1});
    struct value *all = build_broadcast(&fixture, sum, wide->type, 1, (int64_t[]){0});
    RETURN(build_binary(&fixture, OP_subtract, wide, all));
    cr_expect_eq(plan_of()->temp_bytes, 2048 * 1024 * 2);
}

Test(model, what_products_round_is_stored_rounded)
{
    MAIN("f32 2048 1024", "f32 1024 1024");
    struct value *first = product_with(argument(0), argument(1), PRECISION_DEFAULT);
    struct value *moved = unary(OP_abs, first);
    RETURN(product_with(moved, argument(1), PRECISION_DEFAULT));
    const struct model_plan *plan = plan_of();
    cr_expect_eq(plan->temp_bytes, MATRIX, "half of f32[2048,1024]");
    cr_assert_eq(plan->largest_count, 1);
    cr_expect_str_eq(model_plan_text(plan, model_plan_largest(plan)->shape),
                     "bf16[2048,1024]{1,0:T(8,128)(2,1)}");
}

Test(model, what_else_reads_it_keeps_it_wide)
{
    MAIN("f32 1024 1024");
    struct value *first = product_with(argument(0), argument(0), PRECISION_DEFAULT);
    struct value *second = product_with(first, argument(0), PRECISION_DEFAULT);
    RETURN(build_binary(&fixture, OP_add, second, first));
    cr_expect_eq(plan_of()->temp_bytes, MATRIX);
}

Test(model, what_is_between_two_products_goes_with_the_second)
{
    MAIN("f32 1024 1024");
    struct value *first = product_with(argument(0), argument(0), PRECISION_DEFAULT);
    RETURN(product_with(unary(OP_tanh, first), argument(0), PRECISION_DEFAULT));
    cr_expect_eq(plan_of()->temp_bytes, MATRIX, "the product is stored, not what is rounded");
}

Test(model, an_epilogue_may_use_its_product_twice)
{
    MAIN("f32 1024 1024", "f32 1024 1024");
    struct value *gate = product(argument(0), argument(1));
    RETURN(build_binary(&fixture, OP_multiply, gate, unary(OP_logistic, gate)));
    cr_expect_eq(plan_of()->operation_count, 1);
}

Test(model, temporaries_are_in_results_that_are_not_written_yet)
{
    MAIN("f32 1024 1024", "f32 1024 1024");
    struct value *first = product(argument(0), argument(1));
    RETURN(product(product(first, argument(1)), argument(1)));
    cr_expect_eq(plan_of()->temp_bytes, MATRIX, "the second one, which the result is made of");
}

Test(model, aliases_are_counted_and_take_the_arguments_place)
{
    MAIN("f32 1024 1024", "f32 1024 1024");
    struct argument_info infos[] = {{.alias_result = 0, .donated = true},
                                    {.alias_result = -1, .donated = true}};
    fixture.block->func->argument_infos = infos;
    struct value *a = unary(OP_abs, argument(0)), *b = unary(OP_negate, argument(1));
    RETURN(a, b);
    const struct model_plan *plan = plan_of();
    cr_expect_eq(plan->alias_bytes, 2 * MATRIX);
    cr_expect_eq(plan->output_bytes, 2 * MATRIX + 32, "with the table of a tuple");
    cr_expect_eq(plan->temp_bytes, 0);
}

Test(model, a_result_waits_while_its_place_is_read)
{
    MAIN("f32 1024 1024");
    struct argument_info info = {.alias_result = 0, .donated = true};
    fixture.block->func->argument_infos = &info;
    struct value *first = product(argument(0), argument(0));
    struct value *second = product(argument(0), first);
    RETURN(first, second);
    cr_expect_eq(plan_of()->temp_bytes, MATRIX);
}

/* while (i < trips) x = f(x), of which f is `in_place`: an update, else a product with itself. */
enum body { UPDATE, PRODUCT, TWO_PRODUCTS, WEIGHTS };

static struct value *loop(int64_t trips, enum body body)
{
    struct value *zero = build_scalar(&fixture, DTYPE_S32, 0);
    struct value *initial = unary(OP_negate, argument(0));
    const struct type *types[] = {zero->type, initial->type};
    struct op *op =
        ir_op(fixture_module, OP_while, 2, (struct value *[]){zero, initial}, 2, types, 2);
    ir_append(fixture.block, op);
    struct block *main = fixture.block;
    fixture.block = op->regions[0] = ir_block(fixture_module, main->func, op, 2, types);
    struct value *end = build_scalar(&fixture, DTYPE_S32, (double)trips);
    struct value *more = build_compare(&fixture, COMPARE_LT, argument(0), end);
    build_return(&fixture, 1, &more);
    fixture.block = op->regions[1] = ir_block(fixture_module, main->func, op, 2, types);
    struct value *one = build_scalar(&fixture, DTYPE_S32, 1);
    struct value *row =
        build_splat(&fixture, type_tensor(fixture_arena, DTYPE_F32, 2, (int64_t[]){1, 1024}), 1);
    struct value *left = body == TWO_PRODUCTS ? product(argument(1), argument(1)) : argument(1);
    struct value *next = body == UPDATE ? MAKE(dynamic_update_slice, NULL, {0}, argument(1), row,
                                               argument(0), build_scalar(&fixture, DTYPE_S32, 0))
                                        : product(left, argument(1));
    if (body == WEIGHTS)
        next = product_with(argument(1), &main->arguments[1], PRECISION_DEFAULT);
    struct value *count = build_binary(&fixture, OP_add, argument(0), one);
    build_return(&fixture, 2, (struct value *[]){count, next});
    fixture.block = main;
    return &op->results[1];
}

Test(model, loops_update_in_place)
{
    MAIN("f32 1024 1024", "f32 1024 1024");
    RETURN(product(loop(10, UPDATE), argument(1)));
    const struct model_plan *plan = plan_of();
    cr_expect_eq(plan->temp_bytes, MATRIX);
    cr_expect_eq(plan->unknown_trips, 0);
}

Test(model, what_loops_read_is_rounded_before_them)
{
    MAIN("f32 1024 1024", "f32 1024 1024", "f32 1024 1024");
    struct value *made = loop(10, WEIGHTS);
    RETURN(build_binary(&fixture, OP_add, made, argument(2)));
    cr_expect_eq(plan_of()->temp_bytes, 2 * MATRIX + MATRIX / 2 + 512, "weights of 16 bits, too");
}

Test(model, loops_that_cannot_need_a_second_place)
{
    MAIN("f32 1024 1024", "f32 1024 1024");
    RETURN(product(loop(10, PRODUCT), argument(1)));
    const struct model_plan *plan = plan_of();
    cr_expect_eq(plan->temp_bytes, 2 * MATRIX + 512,
                 "and the counter, for longer than VMEM has it");
    cr_expect_float_eq(plan->flops, 11 * 2.0 * 1024 * 1024 * 1024, 1, "ten times, and once");
}

Test(model, precision_costs_passes)
{
    MAIN("f32 1024 1024");
    RETURN(product_with(argument(0), argument(0), PRECISION_HIGHEST));
    double peak = 6 * 2.0 * 1024 * 1024 * 1024 / 1e14, seconds = plan_of()->seconds;
    cr_expect(seconds > peak && seconds < 1.2 * peak, "%g", seconds);
}

/* The bytes that a plan moves, in matrices. */
static double matrices_moved(void)
{
    return plan_of()->hbm_bytes / MATRIX;
}

/* Returns x divided by the sums of its rows. */
static void divide_by_sums(struct value *x)
{
    int64_t last = x->type->shape.rank - 1;
    struct value *zero = build_scalar(&fixture, DTYPE_F32, 0);
    struct value *sum = build_reduce(&fixture, x, zero, OP_add, 1, &last);
    struct value *all = build_broadcast(&fixture, sum, x->type, (int)last, (int64_t[]){0, 1});
    RETURN(build_binary(&fixture, OP_divide, x, all));
}

Test(model, a_short_row_is_read_once)
{
    MAIN("f32 2 512 1024");
    divide_by_sums(argument(0));
    cr_expect_float_eq(matrices_moved(), 2, 0.01, "one is read, one is written");
}

/* A sum over the first dimension is known after all of the array. */
Test(model, what_follows_a_sum_over_all_rows_reads_them_again)
{
    MAIN("f32 2 512 1024");
    struct value *zero = build_scalar(&fixture, DTYPE_F32, 0);
    struct value *sum = build_reduce(&fixture, argument(0), zero, OP_add, 2, (int64_t[]){0, 1});
    struct value *all = build_broadcast(&fixture, sum, argument(0)->type, 1, (int64_t[]){2});
    RETURN(build_binary(&fixture, OP_divide, argument(0), all));
    cr_expect_float_eq(matrices_moved(), 3, 0.01);
}

/* Returns `code` of the differences from the rows' largest elements. */
static void subtract_largest(struct value *x, enum op_code code)
{
    int64_t last = x->type->shape.rank - 1;
    struct value *low = build_scalar(&fixture, DTYPE_F32, -1);
    struct value *most = build_reduce(&fixture, x, low, OP_maximum, 1, &last);
    struct value *all = build_broadcast(&fixture, most, x->type, (int)last, (int64_t[]){0, 1});
    RETURN(unary(code, build_binary(&fixture, OP_subtract, x, all)));
}

Test(model, stored_exponentials_are_in_the_kernel_that_finds_the_largest_of_a_row)
{
    MAIN("f32 2 64 8192");
    subtract_largest(argument(0), OP_exponential);
    cr_expect_float_eq(matrices_moved(), 2, 0.01, "one is read, one is written");
}

Test(model, stored_exponentials_of_longer_rows_read_them_again)
{
    MAIN("f32 2 32 16384");
    subtract_largest(argument(0), OP_exponential);
    cr_expect_float_eq(matrices_moved(), 3, 0.01);
}

Test(model, what_else_is_stored_of_such_rows_reads_them_again)
{
    MAIN("f32 2 64 8192");
    subtract_largest(argument(0), OP_abs);
    cr_expect_float_eq(matrices_moved(), 3, 0.01);
}

Test(model, a_row_of_a_matrix_is_read_again)
{
    MAIN("f32 1024 1024");
    divide_by_sums(argument(0));
    cr_expect_float_eq(matrices_moved(), 3, 0.01);
}

Test(model, a_long_row_is_read_again)
{
    MAIN("f32 2 128 4096");
    divide_by_sums(argument(0));
    cr_expect_float_eq(matrices_moved(), 3, 0.01);
}

Test(model, elementwise_kernels_share_what_they_read)
{
    MAIN("f32 1024 1024", "f32 1024 1024");
    struct value *first = build_binary(&fixture, OP_add, argument(0), argument(1));
    RETURN(first, build_binary(&fixture, OP_multiply, first, argument(1)));
    cr_expect_float_eq(matrices_moved(), 4, 0.01, "two are read, two are written");
}

Test(model, a_last_reader_writes_over_its_operand)
{
    MAIN("f32 1024 1024", "f32 1024 1024");
    struct value *x = product(argument(0), argument(1));
    struct value *y = build_binary(&fixture, OP_add, product(x, argument(1)), x);
    RETURN(product(y, y));
    cr_expect_eq(plan_of()->temp_bytes, 2 * MATRIX, "the sum's product reads its operand");
}

Test(model, an_epilogue_writes_over_what_its_product_does_not_read)
{
    MAIN("f32 1024 1024", "f32 1024 1024");
    struct value *gate = product(argument(0), argument(1));
    struct value *open = build_binary(&fixture, OP_multiply, gate, unary(OP_logistic, gate));
    struct value *both =
        build_binary(&fixture, OP_multiply, product(argument(1), argument(0)), open);
    RETURN(build_binary(&fixture, OP_add, product(both, argument(1)), both));
    cr_expect_eq(plan_of()->temp_bytes, MATRIX);
}

/* The temporaries of a program that sorts its argument. */
static uint64_t sorted(bool is_stable)
{
    MAIN("f32 65536");
    struct builder outer = fixture;
    struct value *operand = argument(0);
    const struct type *scalar = type_scalar(fixture_module->arena, DTYPE_F32);
    struct op *op = ir_op(fixture_module, OP_sort, 1, &operand, 1, &operand->type, 1);
    op->attrs.sort.is_stable = is_stable;
    op->regions[0] = ir_block(fixture_module, fixture.block->func, op, 2,
                              (const struct type *[]){scalar, scalar});
    ir_append(fixture.block, op);
    fixture.block = op->regions[0];
    struct value *less = build_compare(&fixture, COMPARE_LT, argument(0), argument(1));
    build_return(&fixture, 1, &less);
    fixture = outer;
    RETURN(&op->results[0]);
    return plan_of()->temp_bytes;
}

Test(model, a_stable_sort_sorts_positions_too)
{
    cr_expect_eq(sorted(true), 65536 * 4);
}

Test(model, a_sort_that_need_not_be_stable_has_no_positions)
{
    cr_expect_eq(sorted(false), 0);
}

/* The temporaries of a program that gathers its argument from one device. */
static uint64_t gathered(const struct accelerator *on)
{
    static const int64_t group[] = {0};
    struct target target = {.name = "test", .accelerator = on};
    MAIN("f32 256 256");
    union attrs attrs = {.all_gather = {.replica_groups = {1, 1, group}}};
    struct value *operand = argument(0);
    struct value *all = build_declared(&fixture, OP_all_gather, 1, &operand, operand->type, &attrs);
    RETURN(all);
    cr_assert_null(model_run(fixture_module, &target));
    return fixture_module->model->temp_bytes;
}

Test(model, what_devices_write_to_each_other_is_copied_to_the_result)
{
    struct accelerator two_cores = accelerator;
    two_cores.cores = 2;
    cr_expect_eq(gathered(&two_cores), 256 * 256 * 4, "no VMEM is common to the cores");
}

static struct value *fetch(struct value *argument)
{
    argument->type = type_with_memory(fixture_module->arena, argument->type, MEMORY_PINNED_HOST);
    return build_copy(&fixture, argument, MEMORY_DEVICE);
}

Test(model, arguments_in_host_memory_are_fetched_at_once)
{
    MAIN("f32 1024 1024", "f32 1024 1024");
    struct value *first = fetch(argument(0));
    struct value *made = product(first, first);
    struct value *square = product(made, made);
    RETURN(product(square, fetch(argument(1))));
    cr_expect_eq(plan_of()->temp_bytes, 2 * MATRIX, "both from the beginning");
}

Test(model, what_devices_write_to_each_other_may_be_in_vmem)
{
    cr_expect_eq(gathered(&accelerator), 0);
}

static struct value *product_of(struct value *lhs, struct value *rhs)
{
    static const int64_t zero = 0, one = 1;
    const union attrs attrs = {.dot = {.lhs_contracting_dimensions = {1, &one},
                                       .rhs_contracting_dimensions = {1, &zero},
                                       .precision_config = {PRECISION_DEFAULT, PRECISION_DEFAULT}}};
    return &build_op(&fixture, OP_dot_general, 2, (struct value *[]){lhs, rhs}, 1, &attrs)
                ->results[0];
}

/* The temporaries of a program with a softmax of rows of 1024 elements after a product of bf16,
 * and a result that is too small for any of them. */
static uint64_t softmax(const char *lhs, const char *rhs)
{
    MAIN(lhs, rhs);
    struct value *dot = product_of(argument(0), argument(1));
    struct value *scores = unary(OP_abs, build_convert(&fixture, dot, DTYPE_F32));
    struct value *low = build_scalar(&fixture, DTYPE_F32, -1),
                 *zero = build_scalar(&fixture, DTYPE_F32, 0);
    struct value *most = build_reduce(&fixture, scores, low, OP_maximum, 1, (int64_t[]){1});
    struct value *all = build_broadcast(&fixture, most, scores->type, 1, (int64_t[]){0});
    struct value *exp = unary(OP_exponential, build_binary(&fixture, OP_subtract, scores, all));
    struct value *sum = build_reduce(&fixture, exp, zero, OP_add, 1, (int64_t[]){1});
    struct value *sums = build_broadcast(&fixture, sum, scores->type, 1, (int64_t[]){0});
    struct value *p = build_binary(&fixture, OP_divide, exp, sums);
    RETURN(build_convert(&fixture, product(p, p), DTYPE_S8));
    struct accelerator without = accelerator;
    without.vmem_for_values = 0;
    struct target target = {.name = "test", .accelerator = &without};
    cr_assert_null(model_run(fixture_module, &target));
    return fixture_module->model->temp_bytes;
}

Test(model, a_softmax_is_in_the_kernel_of_a_short_product)
{
    cr_expect_lt(softmax("bf16 1024 64", "bf16 64 1024"), MATRIX + MATRIX / 2);
}

Test(model, a_softmax_reads_a_long_product)
{
    cr_expect_geq(softmax("bf16 1024 1024", "bf16 1024 1024"), MATRIX + MATRIX / 2);
}

Test(model, a_fourier_transform_needs_three_arrays_of_real_numbers)
{
    static const int64_t length[] = {1024};
    MAIN("c64 1024 1024");
    union attrs attrs = {.fft = {.fft_type = FFT_FFT, .fft_length = {1, length}}};
    struct value *operand = argument(0);
    RETURN(build_declared(&fixture, OP_fft, 1, &operand, operand->type, &attrs));
    cr_expect_eq(plan_of()->temp_bytes, MATRIX, "the result has two");
}

/* What a large value is computed from is small, and too much to be listed. */
Test(model, many_small_values_make_a_large_one)
{
    static const int64_t dims[] = {1, 2};
    MAIN("f32 8 8", "f32 8 8", "f32 8 8", "f32 8 8");
    struct value *sum = argument(0);
    for (int i = 1; i < 4; i++) {
        sum = build_binary(&fixture, OP_add, sum, argument(i));
        sum = build_binary(&fixture, OP_add, sum, product(argument(0), argument(i)));
    }
    sum = build_binary(&fixture, OP_add, sum, product(argument(1), argument(2)));
    struct value *wide = build_broadcast(&fixture, sum, fixture_type("f32 512 8 8"), 2, dims);
    RETURN(build_binary(&fixture, OP_multiply, wide, unary(OP_sine, wide)));
    cr_expect_gt(plan_of()->seconds, 0);
}

/* A gradient that updates two statistics of its weight is not stored, and is computed once. */
Test(model, updates_by_a_product_are_one_kernel)
{
    MAIN("f32 1024 1024", "f32 1024 1024", "f32 1024 1024", "f32 1024 1024");
    struct value *gradient = product(argument(0), argument(1));
    struct value *square = build_binary(&fixture, OP_multiply, gradient, gradient);
    RETURN(build_binary(&fixture, OP_add, argument(2), gradient),
           build_binary(&fixture, OP_add, argument(3), square));
    const struct model_plan *plan = plan_of();
    cr_expect_eq(plan->temp_bytes, 0);
    cr_expect_float_eq(plan->flops, 2.0 * 1024 * 1024 * 1024, 5e6);
    cr_expect_float_eq(plan->hbm_bytes, 6.0 * MATRIX, 1e3);
}

/* What follows a value that is stored in any case is computed of it by each kernel that uses it. */
Test(model, what_is_computed_of_a_stored_value_is_not_stored)
{
    MAIN("bf16 1024 1024", "bf16 1024 1024", "bf16 1024 1024", "bf16 1024 1024");
    struct value *sum = build_binary(&fixture, OP_add, argument(0), argument(1));
    sum = build_binary(&fixture, OP_add, sum, argument(2));
    struct value *positive = build_binary(&fixture, OP_maximum, sum, argument(3));
    struct value *bent = unary(OP_tanh, positive);
    RETURN(product(bent, positive), product(positive, bent), product(bent, bent));
    struct accelerator without = accelerator;
    without.vmem_for_values = 0;
    struct target target = {.name = "test", .accelerator = &without};
    cr_assert_null(model_run(fixture_module, &target));
    cr_expect_eq(fixture_module->model->temp_bytes, MATRIX / 2, "only the maximum is stored");
}

/* A temporary of a loop's body may be where a result is written after the loop. */
Test(model, temporaries_of_loops_are_in_results_that_are_not_written_yet)
{
    MAIN("f32 1024 1024");
    RETURN(product(loop(10, TWO_PRODUCTS), argument(0)));
    cr_expect_eq(plan_of()->temp_bytes, 2 * MATRIX + 512, "as without the first product");
}
