/* Tests of model_collectives.h: which collectives a partitioned program has, in the form that the
 * accelerator's compiler gives them. */
#include "compiler/model/links/model_collectives.h"

#include "compiler/passes/passes_fixture.h"
#include "compiler/program/program.h"

TestSuite(model_collectives, .init = fixture_begin, .fini = fixture_end);

enum { DEVICES = 8 };

/* Products of 1 us a million multiply-adds; 1 MB sent in 1 us. */
static struct accelerator accelerator = {.name = "test",
                                         .sublanes = 8,
                                         .lanes = 128,
                                         .matrix_units = 1,
                                         .matrix_unit_size = 128,
                                         .vector_slots = 4,
                                         .bf16_rate = 2e12,
                                         .f32_passes_default = 1,
                                         .links = 4,
                                         .link_rate = 2.5e11};

static struct model_collectives listed;

static void list(void)
{
    fixture_module->num_replicas = 1, fixture_module->num_partitions = DEVICES;
    cr_assert_null(model_collectives(fixture_module, &accelerator, &listed));
    cr_assert_eq(listed.items.count, listed.ops.count);
}

/* Expects "4x8": the dimensions of the operand of item i. */
static void expect_operand(size_t i, const char *expected)
{
    struct text text = {0};
    cr_assert_lt(i, listed.items.count);
    const int64_t *numbers = &listed.numbers.items[listed.items.items[i].operand];
    for (int64_t d = 0; d < numbers[0]; d++)
        text_add(&text, d ? "x%lld" : "%lld", (long long)numbers[1 + d]);
    cr_expect_str_eq(text.data ? text.data : "", expected);
    text_free(&text);
}

static struct pairs all_devices(void)
{
    int64_t *at = ARENA_ARRAY(fixture_module->arena, int64_t, DEVICES);
    for (int64_t i = 0; i < DEVICES; i++)
        at[i] = i;
    return (struct pairs){1, DEVICES, at};
}

static struct value *sum(struct value *value)
{
    const union attrs attrs = {.all_reduce = {.replica_groups = all_devices(),
                                              .channel_id = 1,
                                              .use_global_device_ids = true}};
    struct op *op = ir_op(fixture_module, OP_all_reduce, 1, &value, 1, &value->type, 1);
    op->attrs = attrs;
    ir_append(fixture.block, op);
    const struct type *scalar = type_scalar(fixture_module->arena, value->type->shape.dtype);
    struct block *body = ir_block(fixture_module, fixture.block->func, op, 2,
                                  (const struct type *[]){scalar, scalar});
    struct builder inner = {fixture_module, body, NULL, NULL};
    op->regions[0] = body;
    struct value *total = build_binary(&inner, OP_add, &body->arguments[0], &body->arguments[1]);
    build_return(&inner, 1, &total);
    return &op->results[0];
}

/* Gathers the rows of a matrix. */
static struct value *gather(struct value *value)
{
    const union attrs attrs = {.all_gather = {.replica_groups = all_devices(),
                                              .channel_id = 1,
                                              .use_global_device_ids = true}};
    int64_t dims[] = {value->type->shape.dims[0] * DEVICES, value->type->shape.dims[1]};
    return build_declared(&fixture, OP_all_gather, 1, &value,
                          type_with_dims(fixture_module->arena, value->type, 2, dims), &attrs);
}

static struct value *product(struct value *lhs, struct value *rhs)
{
    static const int64_t zero = 0, one = 1;
    const union attrs attrs = {
        .dot = {.lhs_contracting_dimensions = {1, &one}, .rhs_contracting_dimensions = {1, &zero}}};
    int64_t dims[] = {lhs->type->shape.dims[0], rhs->type->shape.dims[1]};
    return build_declared(&fixture, OP_dot_general, 2, (struct value *[]){lhs, rhs},
                          type_with_dims(fixture_module->arena, lhs->type, 2, dims), &attrs);
}

static struct value *reshape(struct value *value, int rank, const int64_t *dims)
{
    return build_reshape(&fixture, value, rank, dims);
}

Test(model_collectives, a_transpose_of_a_product_comes_before_its_sum)
{
    static const int64_t permutation[] = {1, 0};
    const union attrs attrs = {.transpose = {.permutation = {2, permutation}}};
    MAIN("f32 8 16", "f32 16 32");
    struct value *total = sum(product(argument(0), argument(1)));
    RETURN(build_declared(&fixture, OP_transpose, 1, &total, NULL, &attrs));
    list();
    cr_assert_eq(listed.items.count, 1);
    expect_operand(0, "32x8");
    cr_expect_eq(listed.items.items[0].kind, COLLECTIVE_ALL_REDUCE);
    cr_expect_eq(listed.items.items[0].group_size, DEVICES);
    cr_expect_eq(listed.items.items[0].bytes, 8 * 32 * 4);
    cr_expect_eq(listed.items.items[0].sent, 2 * 7 * 8 * 32 * 4 / 8.0);
}

Test(model_collectives, a_sum_that_is_no_product_keeps_its_shape)
{
    MAIN("f32 8 16");
    RETURN(reshape(sum(argument(0)), 1, (int64_t[]){128}));
    list();
    expect_operand(0, "8x16");
}

Test(model_collectives, columns_that_are_split_are_gathered_as_rows)
{
    MAIN("f32 4 16", "f32 2 12");
    accelerator.link_rate = 1e3;
    struct value *made = product(argument(0), gather(argument(1)));
    RETURN(reshape(made, 3, (int64_t[]){4, 3, 4}));
    list();
    cr_assert_eq(listed.items.count, 1);
    expect_operand(0, "3x4x2");
}

/* The product takes 33 us, the gathered operand of 1 MB 1 us. */
Test(model_collectives, a_long_product_is_a_loop_of_permutes)
{
    MAIN("f32 128 512", "f32 64 512");
    RETURN(product(argument(0), gather(argument(1))));
    list();
    cr_assert_eq(listed.items.count, 5);
    expect_operand(0, "1x64x512");
    cr_expect_eq(listed.items.items[0].kind, COLLECTIVE_PERMUTE);
    cr_expect_eq(listed.items.items[0].group_count, DEVICES);
    const int64_t *forward = &listed.numbers.items[listed.items.items[2].groups],
                  *backward = &listed.numbers.items[listed.items.items[3].groups];
    cr_expect(forward[0] == 2 && forward[1] == 0 && forward[2] == 1);
    cr_expect(backward[0] == 2 && backward[1] == 0 && backward[2] == 7);
    cr_expect_float_eq(listed.items.items[0].times, 7 / 5.0, 1e-9);
}

/* The operand that is gathered is kept for the other product. */
Test(model_collectives, an_operand_of_two_products_is_gathered)
{
    MAIN("f32 128 512", "f32 64 512");
    struct value *lhs = argument(0), *part = argument(1);
    RETURN(build_binary(&fixture, OP_add, product(lhs, gather(part)), product(lhs, gather(part))));
    list();
    cr_assert_eq(listed.items.count, 2);
    cr_expect_eq(listed.items.items[0].kind, COLLECTIVE_ALL_GATHER);
}

Test(model_collectives, a_product_shorter_than_the_transfer_is_none)
{
    MAIN("f32 128 512", "f32 64 512");
    accelerator.link_rate = 1e9;
    RETURN(product(argument(0), gather(argument(1))));
    list();
    cr_assert_eq(listed.items.count, 1);
}

/* Adds to rows of an array of zeros, and completes the sum. */
static struct value *scatter_sum(struct value *rows, struct value *updates)
{
    static const int64_t zero = 0, one = 1;
    static int64_t dims[] = {64, 16};
    const union attrs attrs = {.scatter = {.update_window_dims = {1, &one},
                                           .inserted_window_dims = {1, &zero},
                                           .scatter_dims_to_operand_dims = {1, &zero},
                                           .index_vector_dim = 1}};
    const struct type *type = type_with_dims(fixture_module->arena, updates->type, 2, dims);
    struct value *operands[] = {build_splat(&fixture, type, 0), rows, updates};
    struct op *op = ir_op(fixture_module, OP_scatter, 3, operands, 1, &type, 0);
    op->attrs = attrs;
    ir_append(fixture.block, op);
    return sum(&op->results[0]);
}

static struct value *part_of(struct value *value, struct value *start)
{
    static const int64_t sizes[] = {8, 16};
    const union attrs attrs = {.dynamic_slice = {.slice_sizes = {2, sizes}}};
    return build_declared(&fixture, OP_dynamic_slice, 3, (struct value *[]){value, start, start},
                          type_with_dims(fixture_module->arena, value->type, 2, sizes), &attrs);
}

Test(model_collectives, a_scatter_whose_parts_are_added_to_others_gathers_these)
{
    MAIN("s32 4", "f32 4 16", "s32", "f32 8 16");
    struct value *part = part_of(scatter_sum(argument(0), argument(1)), argument(2));
    RETURN(build_binary(&fixture, OP_add, part, argument(3)));
    list();
    cr_assert_eq(listed.items.count, 2);
    expect_operand(0, "64x16");
    cr_expect_eq(listed.items.items[0].kind, COLLECTIVE_ALL_REDUCE);
    expect_operand(1, "8x16");
    cr_expect_eq(listed.items.items[1].kind, COLLECTIVE_ALL_GATHER);
}

Test(model_collectives, a_scatter_into_zeros_gathers_nothing)
{
    MAIN("s32 4", "f32 4 16", "s32");
    RETURN(part_of(scatter_sum(argument(0), argument(1)), argument(2)));
    list();
    cr_assert_eq(listed.items.count, 1);
    cr_expect_eq(listed.items.items[0].kind, COLLECTIVE_ALL_REDUCE);
}

Test(model_collectives, a_scatter_that_is_used_as_a_whole_gathers_nothing)
{
    MAIN("s32 4", "f32 4 16");
    RETURN(scatter_sum(argument(0), argument(1)));
    list();
    cr_expect_eq(listed.items.count, 1);
}

/* Gathers rows of one element, and sums them. */
static struct value *gather_sum(struct value *table, struct value *rows)
{
    static const int64_t zero = 0, sizes[] = {1, 1}, dims[] = {4, 1}, one = 1;
    const union attrs attrs = {.gather = {.offset_dims = {1, &one},
                                          .collapsed_slice_dims = {1, &zero},
                                          .start_index_map = {1, &zero},
                                          .index_vector_dim = 1,
                                          .slice_sizes = {2, sizes}}};
    struct value *operands[] = {table, rows};
    const struct type *type = type_with_dims(fixture_module->arena, table->type, 2, dims);
    return sum(build_declared(&fixture, OP_gather, 2, operands, type, &attrs));
}

Test(model_collectives, rows_of_a_converted_value_are_summed_wide)
{
    MAIN("bf16 64 1", "s32 4");
    RETURN(gather_sum(build_convert(&fixture, argument(0), DTYPE_F32), argument(1)));
    list();
    cr_assert_eq(listed.items.count, 1);
    expect_operand(0, "4");
    cr_expect_eq(listed.items.items[0].dtype, DTYPE_F32);
}

Test(model_collectives, rows_of_which_parts_are_used_keep_their_dimensions)
{
    static const int64_t sizes[] = {1, 1};
    const union attrs attrs = {.dynamic_slice = {.slice_sizes = {2, sizes}}};
    MAIN("f32 64 1", "s32 4", "s32");
    struct value *slice[] = {gather_sum(argument(0), argument(1)), argument(2), argument(2)};
    const struct type *type = type_with_dims(fixture_module->arena, slice[0]->type, 2, sizes);
    RETURN(build_declared(&fixture, OP_dynamic_slice, 3, slice, type, &attrs));
    list();
    expect_operand(0, "4x1");
}

/* Reduces the columns of a converted value, and completes the result. */
static void list_reduced(enum op_code code)
{
    static const int64_t one = 1;
    const union attrs attrs = {.dimensions = {.dimensions = {1, &one}}};
    MAIN("bf16 64 16");
    struct value *operands[] = {build_convert(&fixture, argument(0), DTYPE_F32),
                                build_scalar(&fixture, DTYPE_F32, 0)};
    const struct type *type =
        type_with_dims(fixture_module->arena, operands[0]->type, 1, (int64_t[]){64});
    struct op *reduce = ir_op(fixture_module, OP_reduce, 2, operands, 1, &type, 1);
    reduce->attrs = attrs;
    ir_append(fixture.block, reduce);
    const struct type *scalar = type_scalar(fixture_module->arena, DTYPE_F32);
    reduce->regions[0] = ir_block(fixture_module, fixture.block->func, reduce, 2,
                                  (const struct type *[]){scalar, scalar});
    struct builder inner = {fixture_module, reduce->regions[0], NULL, NULL};
    struct value *made = build_binary(&inner, code, &reduce->regions[0]->arguments[0],
                                      &reduce->regions[0]->arguments[1]);
    build_return(&inner, 1, &made);
    RETURN(sum(&reduce->results[0]));
    list();
}

Test(model_collectives, the_largest_of_converted_values_is_found_narrow)
{
    list_reduced(OP_maximum);
    cr_expect_eq(listed.items.items[0].dtype, DTYPE_BF16);
    fixture_end();
    fixture_begin();
    list_reduced(OP_add);
    cr_expect_eq(listed.items.items[0].dtype, DTYPE_F32);
}

/* Two products with the rows of a gathered matrix of one row, which are broadcast. */
Test(model_collectives, what_is_only_broadcast_is_gathered_once)
{
    static const int64_t dims[] = {0, 2}, scale[] = {1, 4};
    const union attrs attrs = {.broadcast_in_dim = {.broadcast_dimensions = {2, dims}}};
    const union attrs columns = {.all_gather = {.all_gather_dim = 1,
                                                .replica_groups = all_devices(),
                                                .channel_id = 1,
                                                .use_global_device_ids = true}};
    MAIN("f32 1 4");
    struct value *wide[2];
    for (int i = 0; i < 2; i++) {
        struct value *row = reshape(argument(0), 2, scale);
        const struct type *type =
            type_with_dims(fixture_module->arena, row->type, 2, (int64_t[]){1, 4 * DEVICES});
        row = build_declared(&fixture, OP_all_gather, 1, &row, type, &columns);
        type =
            type_with_dims(fixture_module->arena, row->type, 3, (int64_t[]){2, 8 + i, 4 * DEVICES});
        wide[i] = build_declared(&fixture, OP_broadcast_in_dim, 1, &row, type, &attrs);
    }
    build_return(&fixture, 2, wide);
    list();
    cr_assert_eq(listed.items.count, 1);
    expect_operand(0, "4");
}

Test(model_collectives, what_is_summed_to_be_broadcast_has_no_dimensions_of_one)
{
    static const int64_t dims[] = {0, 1};
    const union attrs attrs = {.broadcast_in_dim = {.broadcast_dimensions = {2, dims}}};
    MAIN("f32 1 16");
    struct value *wide[2];
    for (int64_t i = 0; i < 2; i++) {
        struct value *row = sum(argument(0));
        const struct type *type =
            type_with_dims(fixture_module->arena, row->type, 2, (int64_t[]){4 + i, 16});
        wide[i] = build_declared(&fixture, OP_broadcast_in_dim, 1, &row, type, &attrs);
    }
    build_return(&fixture, 2, wide);
    list();
    cr_assert_eq(listed.items.count, 2, "only gathers are one");
    expect_operand(0, "16");
}

/* Gathers columns, sorts the rows, and takes the first `count` elements of each. */
static struct value *first_of(struct value *keys, struct value *positions, int64_t count)
{
    const union attrs gather = {.all_gather = {.all_gather_dim = 1,
                                               .replica_groups = all_devices(),
                                               .channel_id = 1,
                                               .use_global_device_ids = true}};
    struct value *parts[] = {keys, positions};
    const struct type *types[2];
    for (int i = 0; i < 2; i++) {
        types[i] = type_with_dims(fixture_module->arena, parts[i]->type, 2, (int64_t[]){4, 512});
        parts[i] = build_declared(&fixture, OP_all_gather, 1, &parts[i], types[i], &gather);
    }
    struct op *sort = ir_op(fixture_module, OP_sort, 2, parts, 2, types, 0);
    sort->attrs.sort.dimension = 1;
    ir_append(fixture.block, sort);
    return build_slice(&fixture, &sort->results[0], (int64_t[]){0, 0}, (int64_t[]){4, count},
                       (int64_t[]){1, 1});
}

Test(model_collectives, the_largest_elements_of_each_part_are_gathered)
{
    MAIN("f32 4 64", "s32 4 64");
    RETURN(first_of(argument(0), argument(1), 3));
    list();
    cr_assert_eq(listed.items.count, 1);
    expect_operand(0, "4x3");
    cr_expect_eq(listed.items.items[0].bytes, 4 * 3 * 4);
}

Test(model_collectives, more_elements_than_a_part_has_are_gathered_whole)
{
    MAIN("f32 4 64", "s32 4 64");
    RETURN(first_of(argument(0), argument(1), 100));
    list();
    cr_assert_eq(listed.items.count, 2);
    expect_operand(0, "4x64");
}

/* Of a sum over some devices each takes a part, which is summed over others: the transpose after
 * that comes before the second sum; a dimension of size 1 is added after it. */
Test(model_collectives, a_transpose_of_parts_of_a_product_comes_before_their_sums)
{
    static const int64_t permutation[] = {1, 0};
    const union attrs attrs = {.transpose = {.permutation = {2, permutation}}};
    MAIN("f32 64 32", "f32 32 16", "s32");
    struct value *total = sum(part_of(sum(product(argument(0), argument(1))), argument(2)));
    struct value *last = build_declared(&fixture, OP_transpose, 1, &total, NULL, &attrs);
    RETURN(reshape(last, 3, (int64_t[]){1, 16, 8}));
    list();
    expect_operand(listed.items.count - 1, "16x8");
}
