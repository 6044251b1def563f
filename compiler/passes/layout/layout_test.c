/* Tests which products become library steps without transposes. */
#include "compiler/passes/layout/layout.h"

#include "compiler/analysis/library_spec.h"
#include "compiler/passes/passes_fixture.h"
#include "compiler/target_fixture.h"

TestSuite(layout, .init = fixture_begin, .fini = fixture_end);

static struct error *layout(struct module *module, const struct target *target)
{
    static const struct target test = {.name = "test",
                                       .supports_dot = target_fixture_supports_dot,
                                       .supports_convolution = target_fixture_supports_convolution};
    (void)target;
    return layout_run(module, &test);
}

static struct value *dot(struct value *lhs, struct value *rhs, struct dims lhs_batch,
                         struct dims rhs_batch, struct dims lhs_contract, struct dims rhs_contract)
{
    union attrs attrs = {.dot = {.lhs_batching_dimensions = lhs_batch,
                                 .rhs_batching_dimensions = rhs_batch,
                                 .lhs_contracting_dimensions = lhs_contract,
                                 .rhs_contracting_dimensions = rhs_contract}};
    return &build_op(&fixture, OP_dot_general, 2, (struct value *[]){lhs, rhs}, 1, &attrs)
                ->results[0];
}

static const struct op *product(void)
{
    for (const struct op *op = fixture.block->first; op; op = op->next)
        if (op->code == OP_dot_general || op->code == OP_fusion)
            return op;
    return NULL;
}

static int transposes(void)
{
    int found = 0;
    for (const struct op *op = fixture.block->first; op; op = op->next)
        found += op->code == OP_transpose && op->results[0].uses;
    return found;
}

#define NONE ((struct dims){0, NULL})

Test(layout, plain_product)
{
    struct dot_spec s;
    MAIN("f32 30 50", "f32 50 70");
    RETURN(dot(argument(0), argument(1), NONE, NONE, DIMS(1), DIMS(0)));
    fixture_run(layout);
    cr_assert(library_spec_dot(product(), &s));
    cr_expect(s.batch == 1 && s.m == 30 && s.n == 70 && s.k == 50 && s.outer == 1);
    cr_expect(s.lhs_m_stride == 50 && s.lhs_k_stride == 1 && s.rhs_k_stride == 70 &&
              s.rhs_n_stride == 1);
    cr_expect(s.out_m_stride == 70 && s.out_n_stride == 1);
}

Test(layout, transposed_operand_is_read_through)
{
    struct dot_spec s;
    MAIN("f32 50 30", "f32 50 70");
    struct value *t = build_transpose(&fixture, argument(0), (int64_t[]){1, 0});
    RETURN(dot(t, argument(1), NONE, NONE, DIMS(1), DIMS(0)));
    fixture_run(layout);
    cr_assert(library_spec_dot(product(), &s));
    cr_expect_eq(transposes(), 0);
    cr_expect(s.lhs_m_stride == 1 && s.lhs_k_stride == 30);
}

/* If a transpose moves a free dimension of size 1 past another free dimension, skipping the
 * transpose would change the shape of the result; past a contracting dimension it would not. */
Test(layout, a_dimension_of_one_element_stays_where_the_result_has_it)
{
    MAIN("f32 50 30 1 80", "f32 50 80 5", "f32 50 30 80 1");
    struct value *moved = build_transpose(&fixture, argument(0), (int64_t[]){0, 2, 1, 3});
    struct value *other = build_transpose(&fixture, argument(2), (int64_t[]){0, 1, 3, 2});
    struct value *first = dot(moved, argument(1), DIMS(0), DIMS(0), DIMS(3), DIMS(1));
    struct value *second = dot(other, argument(1), DIMS(0), DIMS(0), DIMS(3), DIMS(1));
    RETURN(first, second);
    fixture_run(layout);
    cr_expect_eq(first->def->operands[0], moved);
    cr_expect_eq(second->def->operands[0], argument(2));
    cr_expect_eq(first->type->shape.dims[1], 1);
    cr_expect_eq(second->type->shape.dims[1], 30);
}

/* Attention with dimensions batch, time, head, depth: heads are the batch of the product, the first
 * dimension is an outer loop. */
Test(layout, attention_needs_no_transposes)
{
    struct dot_spec s;
    MAIN("f32 2 16 4 32", "f32 2 16 4 32");
    struct value *scores = dot(argument(0), argument(1), DIMS(0, 2), DIMS(0, 2), DIMS(3), DIMS(3));
    struct value *mixed = dot(argument(1), scores, DIMS(0, 2), DIMS(0, 1), DIMS(1), DIMS(3));
    RETURN(build_transpose(&fixture, mixed, (int64_t[]){0, 3, 1, 2}));
    fixture_run(layout);
    cr_expect_eq(transposes(), 0);
    const struct op *first = product(), *second = first->next;
    cr_assert(library_spec_dot(first, &s));
    cr_expect(s.outer == 2 && s.batch == 4 && s.m == 16 && s.n == 16 && s.k == 32);
    cr_expect(s.lhs_outer_stride == 2048 && s.lhs_batch_stride == 32 && s.out_outer_stride == 1024);
    cr_assert_eq(second->code, OP_fusion);
    cr_assert_eq(second->attrs.fusion.fusion_kind, FUSION_DOT);
    cr_assert(library_spec_dot(second, &s));
    cr_expect(s.outer == 2 && s.batch == 4 && s.m == 32 && s.n == 16 && s.k == 16);
    cr_expect(s.out_m_stride == 1 && s.out_n_stride == 128 && s.out_batch_stride == 32);
}

/* Several heads of queries, in the second dimension but one, share the keys: positions are the rows
 * of the product, heads an outer loop. */
Test(layout, heads_that_share_keys_need_no_transposes)
{
    struct dot_spec s;
    MAIN("f32 128 4 32", "f32 128 4 3 32");
    struct value *scores = dot(argument(0), argument(1), DIMS(1), DIMS(1), DIMS(2), DIMS(3));
    RETURN(build_transpose(&fixture, scores, (int64_t[]){0, 3, 2, 1}));
    fixture_run(layout);
    cr_expect_eq(transposes(), 0);
    cr_assert(library_spec_dot(product(), &s));
    cr_expect(s.outer == 3 && s.batch == 4 && s.m == 128 && s.n == 128 && s.k == 32);
    cr_expect(s.lhs_outer_stride == 0 && s.rhs_outer_stride == 32 && s.rhs_n_stride == 384);
}

/* A transpose behind what scales the product, as jax.nn.dot_product_attention has it. */
Test(layout, transposes_of_scaled_products_are_written_by_the_product)
{
    struct dot_spec s;
    MAIN("f32 128 4 32", "f32 128 4 3 32");
    struct value *scores = dot(argument(0), argument(1), DIMS(1), DIMS(1), DIMS(2), DIMS(3));
    struct value *factor = build_splat(&fixture, scores->type, 0.5);
    struct value *scaled = build_binary(&fixture, OP_multiply, scores, factor);
    RETURN(build_transpose(&fixture, build_unary(&fixture, OP_negate, scaled),
                           (int64_t[]){0, 3, 2, 1}));
    fixture_run(layout);
    cr_expect_eq(transposes(), 0);
    const struct op *found = product();
    while (found->code != OP_fusion)
        found = found->next;
    cr_assert(library_spec_dot(found, &s));
    cr_expect(s.outer == 3 && s.out_outer_stride == 128 * 128);
    cr_expect_eq(found->results[0].type->shape.dims[1], 3);
}

static double multiply_adds(const struct dot_spec *s)
{
    return (double)s->batch * s->m * s->n * s->k;
}

/* A contracted dimension between others, as in resizing the rows of an image with three channels:
 * the operand is transposed, so that there is one product rather than 60 with three rows each. */
Test(layout, many_small_products_become_one)
{
    struct dot_spec s;
    MAIN("f32 60 31 3", "f32 31 17");
    struct value *product_of = dot(argument(0), argument(1), NONE, NONE, DIMS(1), DIMS(0));
    RETURN(build_transpose(&fixture, product_of, (int64_t[]){0, 2, 1}));
    fixture_run(layout);
    const struct op *found = product();
    while (found->code != OP_dot_general)
        found = found->next;
    cr_assert(library_spec_dot(found, &s));
    cr_expect_eq(s.outer, 1);
    cr_expect_eq(multiply_adds(&s), 60. * 31 * 3 * 17);
}

/* Large products have no need of it. */
Test(layout, some_large_products_stay)
{
    struct dot_spec s;
    MAIN("f32 60 64 64", "f32 64 128");
    struct value *product_of = dot(argument(0), argument(1), NONE, NONE, DIMS(1), DIMS(0));
    RETURN(build_transpose(&fixture, product_of, (int64_t[]){0, 2, 1}));
    fixture_run(layout);
    cr_expect_eq(transposes(), 0);
    cr_assert(library_spec_dot(product(), &s));
    cr_expect_eq(s.outer, 60);
}

/* The product of a value with itself, then a transpose: the fusion has one operand, the product has
 * two. */
Test(layout, both_operands_may_be_one_value)
{
    struct dot_spec s;
    MAIN("f32 30 50");
    struct value *square = dot(argument(0), argument(0), NONE, NONE, DIMS(1), DIMS(1));
    RETURN(build_transpose(&fixture, square, (int64_t[]){1, 0}));
    fixture_run(layout);
    cr_assert_eq(product()->code, OP_fusion);
    cr_assert(library_spec_dot(product(), &s));
    cr_expect(s.m == 30 && s.n == 30 && s.k == 50);
    cr_expect_eq(product()->operand_count, 1);
    cr_expect_eq(library_spec_dot_operand(product(), 0), argument(0));
    cr_expect_eq(library_spec_dot_operand(product(), 1), argument(0));
}

Test(layout, scattered_dimensions_are_transposed)
{
    struct dot_spec s;
    MAIN("f32 2 3 4 5 6", "f32 3 5 7");
    RETURN(dot(argument(0), argument(1), NONE, NONE, DIMS(1, 3), DIMS(0, 1)));
    fixture_run(layout);
    cr_assert_eq(transposes(), 1);
    const struct op *op = fixture.block->first;
    while (op->code != OP_dot_general)
        op = op->next;
    cr_assert(library_spec_dot(op, &s));
    cr_expect(s.m == 48 && s.n == 7 && s.k == 15);
}

static bool supports_no_dot(const struct dot_spec *spec)
{
    (void)spec;
    return false;
}

static struct error *layout_for_loops(struct module *module, const struct target *target)
{
    static const struct target test = {.name = "test",
                                       .supports_dot = supports_no_dot,
                                       .supports_convolution = target_fixture_supports_convolution};
    (void)target;
    return layout_run(module, &test);
}

/* A loop reads vectors of a transposed operand: rows of the result are shorter. */
Test(layout, the_operand_of_few_columns_is_transposed_for_a_loop)
{
    MAIN("s16 30 50", "s16 50 3", "s16 50 9", "s32 50 3");
    RETURN(dot(argument(0), argument(1), NONE, NONE, DIMS(1), DIMS(0)),
           dot(argument(0), argument(2), NONE, NONE, DIMS(1), DIMS(0)),
           dot(argument(3), argument(3), NONE, NONE, DIMS(0), DIMS(0)));
    fixture_run(layout_for_loops);
    cr_expect_eq(transposes(), 1, "more columns are computed at a time");
    cr_expect_eq(product()->operands[1]->def->code, OP_transpose);
    cr_expect_eq(product()->attrs.dot.rhs_contracting_dimensions.at[0], 1);
}

/* A library would gather matrices whose elements are far apart in both directions. */
Test(layout, operands_with_the_batch_innermost_are_transposed)
{
    struct dot_spec s;
    MAIN("f32 100 16 64", "f32 64 100 40");
    RETURN(dot(argument(0), argument(1), DIMS(2), DIMS(0), DIMS(0), DIMS(1)));
    fixture_run(layout);
    cr_assert(library_spec_dot(product(), &s));
    cr_expect_eq(transposes(), 1);
    cr_expect(s.lhs_k_stride == 1 && s.lhs_m_stride == 100 && s.rhs_n_stride == 1);
}

/* It takes a few microseconds where they are small, and a transpose milliseconds to compile. */
Test(layout, small_operands_with_the_batch_innermost_stay)
{
    MAIN("f32 20 16 64", "f32 64 20 40");
    RETURN(dot(argument(0), argument(1), DIMS(2), DIMS(0), DIMS(0), DIMS(1)));
    fixture_run(layout);
    cr_expect_eq(transposes(), 0);
}
