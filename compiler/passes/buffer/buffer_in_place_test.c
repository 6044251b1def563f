#include "compiler/passes/buffer/buffer_in_place.h"

#include "compiler/passes/passes_fixture.h"

TestSuite(buffer_in_place, .init = fixture_begin, .fini = fixture_end);

/* A loop over one operand, f32[4], whose result depends on it along 2^60 paths; optionally, the
 * last step of each path is a reverse. */
static const struct op *loop(bool reversed)
{
    const struct type *type = fixture_type("f32 4");
    struct value *operand = argument(0);
    struct op *op = ir_op(fixture_module, OP_fusion, 1, &operand, 1, &type, 1);
    op->attrs.fusion.fusion_kind = FUSION_LOOP;
    struct block *body = op->regions[0] =
        ir_block(fixture_module, fixture.block->func, op, 1, &type);
    struct builder b = {fixture_module, body, NULL, NULL};
    struct value *value = &body->arguments[0];
    for (int i = 0; i < 60; i++)
        value = build_binary(&b, OP_add, value, value);
    if (reversed) {
        union attrs attrs = {.dimensions = {.dimensions = DIMS(0)}};
        value = &build_op(&b, OP_reverse, 1, &value, 1, &attrs)->results[0];
    }
    build_return(&b, 1, &value);
    ir_append(fixture.block, op);
    return op;
}

Test(buffer_in_place, elements_read_at_their_own_index)
{
    MAIN("f32 4");
    cr_expect(buffer_in_place(loop(false), 0, 0), "and is seen at once, many as the paths are");
    cr_expect_not(buffer_in_place(loop(true), 0, 0));
}

/* ---- rows ------------------------------------------------------------------------------------ */
/* x - max(x over some dimensions), in place of x, f32[8, 16]. `sums`: adds the sum of another
 * operand over its first dimension, which is a loop along the lanes. */
static const struct op *normalize(int first_reduced, int reduced, int kept, bool sums)
{
    const struct type *type = fixture_type("f32 8 16");
    struct value *operands[] = {argument(0), argument(1)};
    struct op *op = ir_op(fixture_module, OP_fusion, 2, operands, 1, &type, 1);
    op->attrs.fusion.fusion_kind = FUSION_LOOP;
    struct block *body = op->regions[0] =
        ir_block(fixture_module, fixture.block->func, op, 2, (const struct type *[]){type, type});
    struct builder b = {fixture_module, body, NULL, NULL};
    const int64_t dims[] = {first_reduced, first_reduced + 1}, to[] = {kept};
    struct value *x = &body->arguments[0], *zero = build_scalar(&b, DTYPE_F32, 0);
    struct value *most = build_reduce(&b, x, zero, OP_maximum, reduced, dims);
    struct value *all = build_broadcast(&b, most, type, 2 - reduced, to);
    struct value *result = build_binary(&b, OP_subtract, x, all);
    if (sums) {
        const int64_t columns[] = {0}, lanes[] = {1};
        struct value *sum = build_reduce(&b, &body->arguments[1], zero, OP_add, 1, columns);
        result = build_binary(&b, OP_add, result, build_broadcast(&b, sum, type, 1, lanes));
    }
    build_return(&b, 1, &result);
    ir_append(fixture.block, op);
    return op;
}

Test(buffer_in_place, rows_are_reduced_before_they_are_written)
{
    MAIN("f32 8 16", "f32 8 16");
    cr_expect(buffer_in_place(normalize(1, 1, 0, false), 0, 0));
    cr_expect(buffer_in_place(normalize(0, 2, 0, false), 0, 0), "all of it is one row");
    cr_expect_not(buffer_in_place(normalize(0, 1, 1, false), 0, 0), "columns are not");
    cr_expect_not(buffer_in_place(normalize(1, 1, 0, true), 0, 0),
                  "another loop along the lanes divides the rows among items");
}

/* x - sum(broadcast(x)): many reads of one element, before the one that is written. */
Test(buffer_in_place, one_element_is_written_last)
{
    MAIN("f32 1");
    const struct type *type = fixture_type("f32 1");
    struct value *operand = argument(0);
    struct op *op = ir_op(fixture_module, OP_fusion, 1, &operand, 1, &type, 1);
    op->attrs.fusion.fusion_kind = FUSION_LOOP;
    struct block *body = op->regions[0] =
        ir_block(fixture_module, fixture.block->func, op, 1, &type);
    struct builder b = {fixture_module, body, NULL, NULL};
    const int64_t to[] = {1}, rows[] = {0};
    struct value *x = &body->arguments[0], *zero = build_scalar(&b, DTYPE_F32, 0);
    struct value *many = build_broadcast(&b, x, fixture_type("f32 64 1"), 1, to);
    struct value *sum = build_reduce(&b, many, zero, OP_add, 1, rows);
    struct value *result = build_binary(&b, OP_subtract, x, sum);
    build_return(&b, 1, &result);
    ir_append(fixture.block, op);
    cr_expect(buffer_in_place(op, 0, 0));
}

/* x > (a, b) and x + x, or x > (a, b) and (a, b), the concatenation of two halves. */
static const struct op *beside(bool stores_halves)
{
    const struct type *type = fixture_type("f32 1024"), *half = fixture_type("f32 512");
    const struct type *results[] = {fixture_type("i1 1024"), type}, *in[] = {type, half, half};
    struct value *operands[] = {argument(0), argument(1), argument(1)};
    struct op *op = ir_op(fixture_module, OP_fusion, 3, operands, 2, results, 1);
    op->attrs.fusion.fusion_kind = FUSION_LOOP;
    struct block *body = op->regions[0] = ir_block(fixture_module, fixture.block->func, op, 3, in);
    struct builder b = {fixture_module, body, NULL, NULL};
    struct value *x = &body->arguments[0], *halves[] = {&body->arguments[1], &body->arguments[2]};
    union attrs attrs = {.dimension = {.dimension = 0}};
    struct value *both = build_declared(&b, OP_concatenate, 2, halves, NULL, &attrs);
    struct value *stored[] = {build_compare(&b, COMPARE_GT, x, both),
                              stores_halves ? both : build_binary(&b, OP_add, x, x)};
    build_return(&b, 2, stored);
    ir_append(fixture.block, op);
    return op;
}

Test(buffer_in_place, a_concatenation_is_stored_before_the_other_results_read)
{
    MAIN("f32 1024", "f32 512");
    cr_expect(buffer_in_place(beside(false), 0, 1));
    cr_expect_not(buffer_in_place(beside(true), 0, 1));
}

/* ---- results beside windows ------------------------------------------------------------------ */
/* x + x, and x, or x backwards, at index k of an array: f32[4, 8, 16]. */
static const struct op *keep(bool reversed)
{
    struct value *operands[] = {argument(0), argument(1), argument(2)};
    const struct type *types[] = {operands[0]->type, operands[1]->type, operands[2]->type};
    struct op *op = ir_op(fixture_module, OP_fusion, 3, operands, 2, types, 1);
    op->attrs.fusion.fusion_kind = FUSION_UPDATE;
    struct block *body = op->regions[0] =
        ir_block(fixture_module, fixture.block->func, op, 3, types);
    struct builder b = {fixture_module, body, NULL, NULL};
    struct value *x = &body->arguments[0], *k = &body->arguments[2], *kept = x;
    union attrs attrs = {.dimensions = {.dimensions = DIMS(0)}};
    if (reversed)
        kept = &build_op(&b, OP_reverse, 1, &x, 1, &attrs)->results[0];
    struct value *zero = build_scalar(&b, DTYPE_S32, 0),
                 *window = build_reshape(&b, kept, 3, (int64_t[]){1, 8, 16});
    struct value *update[] = {&body->arguments[1], window, k, zero, zero};
    struct value *results[] = {
        build_binary(&b, OP_add, x, x),
        build_declared(&b, OP_dynamic_update_slice, 5, update, types[1], NULL)};
    build_return(&b, 2, results);
    ir_append(fixture.block, op);
    return op;
}

Test(buffer_in_place, what_a_window_keeps_is_read_before_it_is_overwritten)
{
    MAIN("f32 8 16", "f32 4 8 16", "i32");
    cr_expect(buffer_in_place(keep(false), 0, 0));
    cr_expect_not(buffer_in_place(keep(true), 0, 0), "elements at another index");
    cr_expect(buffer_in_place(keep(true), 1, 1), "the updated array");
    cr_expect_not(buffer_in_place(keep(false), 1, 0));
}
