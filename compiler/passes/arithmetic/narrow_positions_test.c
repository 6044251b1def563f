/* narrow_positions_test.c: which comparisons of positions become narrow, and which stay. */
#include "compiler/passes/arithmetic/narrow_positions.h"

#include "compiler/passes/passes_fixture.h"
#include "compiler/passes/rewrite/rewrite.h"

TestSuite(narrow_positions, .init = fixture_begin, .fini = fixture_end);

static const struct type *square(enum dtype dtype, int64_t size)
{
    return type_tensor(fixture.module->arena, dtype, 2, (int64_t[]){size, size});
}

static struct value *iota(const struct type *type, int64_t dim)
{
    union attrs attrs = {.iota = {.iota_dimension = dim}};
    return build_declared(&fixture, OP_iota, 0, NULL, type, &attrs);
}

/* The type that both sides of the comparison have; the comparison is what `select` selects by. */
static enum dtype type_of(struct value *lhs, struct value *rhs, struct value *select)
{
    struct value *predicate = build_compare(&fixture, COMPARE_GE, lhs, rhs);
    RETURN(select ? build_select(&fixture, predicate, select, select) : predicate);
    fixture_run(narrow_positions_run);
    const struct op *result = fixture.block->last->operands[0]->def,
                    *compare = select ? result->operands[0]->def : result;
    cr_assert_eq(compare->code, OP_compare);
    cr_assert_eq(compare->operands[0]->type->shape.dtype, compare->operands[1]->type->shape.dtype);
    return compare->operands[0]->type->shape.dtype;
}

Test(narrow_positions, of_a_mask_of_bytes_have_16_bits)
{
    MAIN("s8 700 700");
    const struct type *type = square(DTYPE_S64, 700);
    cr_expect_eq(type_of(iota(type, 0), iota(type, 1), argument(0)), DTYPE_S16);
}

Test(narrow_positions, of_a_mask_of_floats_have_32_bits)
{
    MAIN("f32 700 700");
    const struct type *type = square(DTYPE_U64, 700);
    cr_expect_eq(type_of(iota(type, 0), iota(type, 1), argument(0)), DTYPE_S32);
}

Test(narrow_positions, beyond_16_bits_have_32)
{
    MAIN("s8 700 700");
    const struct type *type = square(DTYPE_S64, 700);
    struct value *far =
        build_binary(&fixture, OP_multiply, iota(type, 1), build_splat(&fixture, type, -60));
    cr_expect_eq(type_of(iota(type, 0), far, argument(0)), DTYPE_S32);
}

Test(narrow_positions, parts_beyond_32_bits_stay)
{
    MAIN("s8 700 700");
    const struct type *type = square(DTYPE_S64, 700);
    struct value *large = build_splat(&fixture, type, 1e10);
    struct value *back = build_binary(&fixture, OP_subtract,
                                      build_binary(&fixture, OP_add, iota(type, 1), large), large);
    cr_expect_eq(type_of(iota(type, 0), back, argument(0)), DTYPE_S64);
}

Test(narrow_positions, negative_ones_without_a_sign_stay)
{
    MAIN("s8 700 700");
    const struct type *type = square(DTYPE_U64, 700);
    struct value *difference = build_binary(&fixture, OP_subtract, iota(type, 0), iota(type, 1));
    cr_expect_eq(type_of(difference, iota(type, 1), argument(0)), DTYPE_U64);
}

Test(narrow_positions, others_stay)
{
    MAIN("s64 700 700");
    const struct type *type = square(DTYPE_S64, 700);
    cr_expect_eq(type_of(iota(type, 0), argument(0), NULL), DTYPE_S64);
}

Test(narrow_positions, a_length_for_each_row_is_clamped)
{
    MAIN("s64 700");
    const struct type *type = square(DTYPE_S64, 700);
    struct value *lengths = build_broadcast(&fixture, argument(0), type, 1, (int64_t[]){0});
    cr_assert_eq(type_of(iota(type, 1), lengths, NULL), DTYPE_S16);
    const struct op *compare = fixture.block->last->operands[0]->def;
    const struct op *clamp = compare->operands[1]->def->operands[0]->def->operands[0]->def;
    cr_assert_eq(clamp->code, OP_clamp);
    cr_expect(literal_is_splat_of(clamp->operands[0]->def->attrs.constant.value, -1));
    cr_expect(literal_is_splat_of(clamp->operands[2]->def->attrs.constant.value, 700));
}

Test(narrow_positions, a_length_for_each_column_stays)
{
    MAIN("s64 700");
    const struct type *type = square(DTYPE_S64, 700);
    struct value *lengths = build_broadcast(&fixture, argument(0), type, 1, (int64_t[]){1});
    cr_expect_eq(type_of(iota(type, 0), lengths, NULL), DTYPE_S64);
}

/* A length would be clamped to one less than the least position, which 32 bits do not have. */
Test(narrow_positions, from_the_least_of_32_bits_stay)
{
    MAIN("s64 700");
    const struct type *type = square(DTYPE_S64, 700);
    struct value *lengths = build_broadcast(&fixture, argument(0), type, 1, (int64_t[]){0});
    struct value *low = build_binary(&fixture, OP_add, iota(type, 1),
                                     build_splat(&fixture, type, (double)INT32_MIN + 1));
    struct value *least = build_binary(&fixture, OP_subtract, low, build_splat(&fixture, type, 1));
    cr_expect_eq(type_of(least, lengths, NULL), DTYPE_S64);
}
