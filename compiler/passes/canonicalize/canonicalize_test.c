#include "compiler/passes/canonicalize/canonicalize.h"

#include "compiler/passes/passes_fixture.h"

#define COMMA ,

TestSuite(canonicalize, .init = fixture_begin, .fini = fixture_end);

Test(canonicalize, reshapes_transposes_and_broadcasts_compose)
{
    MAIN("f32 4 8", "f32 8");
    struct value *a = build_reshape(&fixture, argument(0), 1, (int64_t[]){32});
    struct value *b = build_reshape(&fixture, a, 2, (int64_t[]){4, 8});
    struct value *c = build_transpose(&fixture, b, (int64_t[]){1, 0});
    struct value *d = build_transpose(&fixture, c, (int64_t[]){1, 0});
    struct value *e = build_reshape(&fixture, argument(1), 2, (int64_t[]){1, 8});
    struct value *f = build_broadcast(&fixture, e, fixture_type("f32 4 8"), 2, (int64_t[]){0, 1});
    struct value *g = build_reshape(&fixture, argument(0), 3, (int64_t[]){4, 1, 8});
    struct value *h = build_transpose(&fixture, g, (int64_t[]){1, 0, 2});
    RETURN(d, f, h);
    fixture_run(canonicalize_run);
    const struct op *ret = fixture.block->last;
    cr_expect_eq(ret->operands[0], argument(0));
    cr_expect_eq(ret->operands[1]->def->operands[0], argument(1));
    cr_expect_eq(ret->operands[1]->def->attrs.broadcast_in_dim.broadcast_dimensions.at[0], 1);
    cr_expect_eq(ret->operands[2]->def->code, OP_reshape, "only a dimension of size 1 moves");
    cr_expect_eq(ret->operands[2]->def->operands[0], argument(0));
}

Test(canonicalize, einsum_becomes_a_product)
{
    MAIN("f32 2 3 4", "f32 4 5 2");
    struct value *value =
        MAKE(einsum, fixture_type("f32 5 2 3"),
             {.einsum = {.einsum_config = {12 COMMA "bik,kjb->jbi"}}}, argument(0), argument(1));
    RETURN(value);
    fixture_run(canonicalize_run);
    fixture_expect(
        "%0 = \"dot_general\"(%arg0, %arg1) {dot_dimension_numbers = "
        "#stablehlo.dot<lhs_batching_dimensions = [0],"
        " rhs_batching_dimensions = [2], lhs_contracting_dimensions = [2], "
        "rhs_contracting_dimensions = [0]>,"
        " precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}\n"
        "%1 = \"transpose\"(%0) {permutation = array<i64: 2, 0, 1>}\n"
        "\"func.return\"(%1)\n");
}

Test(canonicalize, einsum_that_takes_a_diagonal_is_refused)
{
    MAIN("f32 3 3", "f32 3");
    struct value *value =
        MAKE(einsum, fixture_type("f32 3"), {.einsum = {.einsum_config = {8 COMMA "ii,i->i "}}},
             argument(0), argument(1));
    RETURN(value);
    fixture_fails(canonicalize_run, PJRT_Error_Code_UNIMPLEMENTED,
                  "einsum: the equation \"ii,i->i");
}

/* The type of the product of two vectors and, behind a conversion, of a result of another type. */
static void expect_sums(const char *operand, const char *result, const char *sums)
{
    fixture_end();
    fixture_begin();
    MAIN(operand, operand);
    struct value *value = MAKE(dot, fixture_type(result), {0}, argument(0), argument(1));
    RETURN(value);
    fixture_run(canonicalize_run);
    const struct op *op = fixture.block->last->operands[0]->def;
    cr_expect(type_same(op->results[0].type, fixture_type(result)));
    while (op->code != OP_dot_general)
        op = op->operands[0]->def;
    cr_expect_eq(op->results[0].type->shape.dtype, fixture_type(sums)->shape.dtype,
                 "%s of %s: sums in %s", result, operand, sums);
}

Test(canonicalize, products_are_computed_in_the_wider_type)
{
    expect_sums("f64 9", "f32", "f64");
    expect_sums("f64 9", "bf16", "f64");
    expect_sums("f64 9", "s32", "f64");
    expect_sums("f32 9", "s32", "f32");
    expect_sums("bf16 9", "s64", "f32");
    expect_sums("s32 9", "pred", "s32");
    expect_sums("c128 9", "c64", "c128");
    expect_sums("c64 9", "f64", "c128");
    expect_sums("f32 9", "bf16", "bf16");
    expect_sums("s64 9", "s8", "s8");
    expect_sums("s32 9", "f64", "f64");
}

Test(canonicalize, torch_index_select_gathers)
{
    MAIN("f32 2 5 7", "s32 2 3");
    struct value *value =
        MAKE(torch_index_select, fixture_type("f32 2 3 7"),
             {.torch_index_select = {.dim = 1 COMMA.batch_dims = 1}}, argument(0), argument(1));
    RETURN(value);
    fixture_run(canonicalize_run);
    cr_expect_eq(fixture.block->first->code, OP_gather);
}

Test(canonicalize, batch_norm_leaves_simple_operations)
{
    MAIN("f32 2 3 4", "f32 3", "f32 3");
    union attrs attrs = {.batch_norm = {.epsilon = 0.001, .feature_index = 1}};
    struct op *op = build_op(&fixture, OP_batch_norm_training, 3,
                             (struct value *[]){argument(0), argument(1), argument(2)}, 3, &attrs);
    RETURN(&op->results[0], &op->results[1], &op->results[2]);
    fixture_run(canonicalize_run);
    for (const struct op *at = fixture.block->first; at; at = at->next)
        cr_expect_neq(at->code, OP_batch_norm_training);
}

Test(canonicalize, what_one_participant_shares_is_its_own)
{
    MAIN("f32 4");
    struct value *shared =
        MAKE(cross_replica_sum, NULL, {.collective = {.channel_id = 1}}, argument(0));
    struct value *id = build_declared(&fixture, OP_partition_id, 0, NULL, NULL, NULL);
    RETURN(shared, id);
    fixture_run(canonicalize_run);
    fixture_expect(
        "%0 = \"constant\"() {value = dense<0> : tensor<ui32>}\n\"func.return\"(%arg0, %0)\n");
}

Test(canonicalize, participants_that_are_not_there)
{
    MAIN("f32 4");
    struct pairs groups = {1, 2, (int64_t[]){0, 1}};
    struct value *shared =
        MAKE(cross_replica_sum, NULL, {.collective = {.replica_groups = groups}}, argument(0));
    RETURN(shared);
    fixture_fails(canonicalize_run, PJRT_Error_Code_INVALID_ARGUMENT,
                  "cross_replica_sum: replica_groups has replica 1, but num_replicas is 1 and "
                  "num_partitions 1");
}

Test(canonicalize, clamp_gets_bounds_of_its_own_sizes)
{
    MAIN("f32", "f32 4");
    struct value *value = MAKE(clamp, NULL, {0}, argument(0), argument(1), argument(0));
    RETURN(value);
    fixture_run(canonicalize_run);
    const struct op *clamp = fixture.block->last->operands[0]->def;
    cr_expect_eq(clamp->operands[0]->type->shape.rank, 1);
    cr_expect_eq(clamp->operands[2]->type->shape.rank, 1);
}

Test(canonicalize, empty_results_are_constants)
{
    MAIN("f32 0 4", "f32 4 0");
    union attrs attrs = {
        .dot = {.lhs_contracting_dimensions = DIMS(0), .rhs_contracting_dimensions = DIMS(1)}};
    struct value *product = build_declared(
        &fixture, OP_dot_general, 2, (struct value *[]){argument(0), argument(1)}, NULL, &attrs);
    struct value *sum = build_binary(&fixture, OP_add, argument(0), argument(0));
    RETURN(product, sum);
    fixture_run(canonicalize_run);
    cr_expect_eq(fixture.block->last->operands[0]->def->code, OP_dot_general,
                 "a sum of nothing is not empty");
    cr_expect_eq(fixture.block->last->operands[1]->def->code, OP_constant);
}

Test(canonicalize, a_constant_index_takes_its_branch)
{
    MAIN("f32");
    struct value *index = build_scalar(&fixture, DTYPE_S32, 7);
    struct op *op = ir_op(fixture_module, OP_case, 1, &index, 1, NULL, 2);
    for (int r = 0; r < 2; r++) {
        op->regions[r] = ir_block(fixture_module, fixture.block->func, op, 0, NULL);
        struct builder b = {fixture_module, op->regions[r], NULL, NULL};
        struct value *value = build_unary(&b, r ? OP_negate : OP_sine, argument(0));
        build_return(&b, 1, &value);
    }
    ir_append(fixture.block, op);
    cr_assert_null(infer_op(fixture_arena, op));
    RETURN(&op->results[0]);
    fixture_run(canonicalize_run);
    cr_expect_eq(fixture.block->last->operands[0]->def->code, OP_negate,
                 "out of range means the last");
}

static struct value *joined(struct value *a, struct value *b)
{
    return MAKE(concatenate, NULL, {.dimension = {.dimension = 0}}, a, b);
}

static struct value *cut(struct value *of, int64_t start, int64_t limit, int64_t stride)
{
    return build_slice(&fixture, of, &start, &limit, &stride);
}

/* However deep the concatenations: what is cut away is not computed. */
Test(canonicalize, a_slice_of_one_operand_of_a_concatenation)
{
    MAIN("f32 3", "f32 5");
    struct value *both = joined(argument(0), argument(1));
    struct value *inside = cut(both, 4, 7, 2), *across = cut(both, 2, 4, 1);
    for (int i = 0; i < 20; i++)
        both = joined(both, both);
    RETURN(inside, across, cut(both, 3, 8, 1));
    fixture_run(canonicalize_run);
    const struct op *end = fixture.block->last, *slice = end->operands[0]->def;
    cr_expect_eq(slice->operands[0], argument(1));
    cr_expect(slice->attrs.slice.start_indices.at[0] == 1 &&
              slice->attrs.slice.limit_indices.at[0] == 4 && slice->attrs.slice.strides.at[0] == 2);
    cr_expect_eq(end->operands[1]->def->operands[0]->def->code, OP_concatenate);
    cr_expect_eq(end->operands[2], argument(1));
}
