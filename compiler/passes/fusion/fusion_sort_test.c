/* Tests which sorts are fused with the slices of their results. */
#include "compiler/passes/fusion/fusion_sort.h"

#include "compiler/analysis/top_count.h"
#include "compiler/passes/fusion/fusion.h"
#include "compiler/passes/passes_fixture.h"

TestSuite(fusion_sort, .init = fixture_begin, .fini = fixture_end);

/* Sorts the rows of the argument in descending order. */
static struct op *sort_rows(void)
{
    struct builder outer = fixture;
    const struct type *types[] = {argument(0)->type},
                      *scalar = type_scalar(fixture_module->arena, DTYPE_F32);
    struct op *op = ir_op(fixture_module, OP_sort, 1, (struct value *[]){argument(0)}, 1, types, 1);
    op->attrs.sort.dimension = 1;
    op->regions[0] = ir_block(fixture_module, fixture.block->func, op, 2,
                              (const struct type *[]){scalar, scalar});
    ir_append(fixture.block, op);
    fixture.block = op->regions[0];
    struct value *more = build_compare(&fixture, COMPARE_GT, argument(0), argument(1));
    build_return(&fixture, 1, &more);
    fixture = outer;
    return op;
}

static struct dims pair(int64_t first, int64_t second)
{
    int64_t both[] = {first, second};
    return (struct dims){2, arena_copy(fixture_module->arena, both, sizeof both)};
}

static struct value *slice(struct value *value, int64_t rows, int64_t first, int64_t end)
{
    union attrs attrs = {.slice = {.start_indices = pair(0, first),
                                   .limit_indices = pair(rows, end),
                                   .strides = pair(1, 1)}};
    return &build_op(&fixture, OP_slice, 1, &value, 1, &attrs)->results[0];
}

static const struct op *fused(struct value *result)
{
    static const struct target target = {.name = "test", .cores = 2, .alignment = 64};
    RETURN(result);
    cr_assert_null(fusion_run(fixture_module, &target));
    return fixture.block->last->operands[0]->def;
}

Test(fusion_sort, first_of_rows)
{
    MAIN("f32 4 100");
    struct op *sort = sort_rows();
    struct value *top = slice(&sort->results[0], 4, 0, 7);
    cr_expect_eq(top_count(sort), 7);
    const struct op *fusion = fused(top);
    cr_expect_eq(fusion->attrs.fusion.fusion_kind, FUSION_STANDALONE);
    cr_expect_eq(fusion->results[0].type->shape.dims[1], 7);
    cr_expect_eq(fusion->regions[0]->last->operands[0]->def->code, OP_slice);
}

Test(fusion_sort, others_use_it_whole)
{
    MAIN("f32 4 100");
    struct op *sort = sort_rows();
    struct value *top = slice(&sort->results[0], 4, 1, 7);
    cr_expect_eq(top_count(sort), 0);
    const struct op *fusion = fused(top);
    cr_expect_eq(fusion->attrs.fusion.fusion_kind, FUSION_LOOP);
}

/* The positions that argsort moves along with the keys need no memory of their own. */
Test(fusion_sort, computes_iotas)
{
    MAIN("f32 4 100");
    struct op *one = sort_rows();
    const struct type *type = type_with_dtype(fixture_module->arena, argument(0)->type, DTYPE_S32);
    union attrs attrs = {.iota = {.iota_dimension = 1}};
    struct value *iota = build_declared(&fixture, OP_iota, 0, NULL, type, &attrs);
    const struct type *types[] = {argument(0)->type, type};
    struct op *op =
        ir_op(fixture_module, OP_sort, 2, (struct value *[]){argument(0), iota}, 2, types, 1);
    op->attrs = one->attrs;
    const struct type *key = type_scalar(fixture_module->arena, DTYPE_F32),
                      *number = type_scalar(fixture_module->arena, DTYPE_S32);
    struct builder outer = fixture;
    op->regions[0] = ir_block(fixture_module, fixture.block->func, op, 4,
                              (const struct type *[]){key, key, number, number});
    ir_append(fixture.block, op);
    fixture.block = op->regions[0];
    struct value *less = build_compare(&fixture, COMPARE_LT, argument(0), argument(1));
    build_return(&fixture, 1, &less);
    fixture = outer;
    const struct op *fusion = fused(&op->results[1]);
    cr_expect_eq(fusion->attrs.fusion.fusion_kind, FUSION_STANDALONE);
    cr_expect_eq(fusion->operand_count, 1);
    cr_expect_eq(fusion->regions[0]->first->code, OP_iota);
}
