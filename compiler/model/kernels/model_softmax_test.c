/* Tests of model_softmax.h: what is stored between the kernels of attention, in plans without
 * vector memory for values. */
#include "compiler/model/kernels/model_softmax.h"

#include "compiler/model/accelerator_fixture.h"
#include "compiler/model/model.h"
#include "compiler/passes/passes_fixture.h"

TestSuite(model_softmax, .init = fixture_begin, .fini = fixture_end);

static const struct accelerator accelerator = {ACCELERATOR_FIXTURE, .hbm_bytes = 1 << 30,
                                               .cores = 1, .bf16_rate = 1e14};

enum { MATRIX = 1024 * 1024 * 4 }; /* bytes of f32[1024,1024] */

static struct value *unary(enum op_code code, struct value *operand)
{
    return build_unary(&fixture, code, operand);
}

/* Scores of two heads, their softmax, perhaps masked, and the product with it; returns the bytes
 * that are stored between kernels on matrix units of `unit` rows. */
static uint64_t attention_in(const char *dtype, int64_t length, int64_t depth, int unit,
                             bool is_masked)
{
    static const int64_t batch = 0, last = 2, middle = 1;
    char text[64];
    snprintf(text, sizeof text, "%s 2 %d %d", dtype, (int)length, (int)depth);
    MAIN(text, text, text);
    union attrs attrs = {.dot = {.lhs_batching_dimensions = {1, &batch},
                                 .rhs_batching_dimensions = {1, &batch},
                                 .lhs_contracting_dimensions = {1, &last},
                                 .rhs_contracting_dimensions = {1, &last}}};
    int64_t dims[] = {2, length, length};
    enum dtype stored = argument(0)->type->shape.dtype;
    const struct type *narrow = type_tensor(fixture_arena, stored, 3, dims);
    struct value *scores = build_declared(
        &fixture, OP_dot_general, 2,
        (struct value *[]){unary(OP_negate, argument(0)), unary(OP_negate, argument(1))}, narrow,
        &attrs);
    if (stored != DTYPE_F32)
        scores = build_convert(&fixture, scores, DTYPE_F32);
    scores = build_binary(&fixture, OP_multiply, scores, build_splat(&fixture, scores->type, 2));
    struct value *low = build_splat(&fixture, scores->type, -1e30);
    struct value *keep = build_compare(&fixture, COMPARE_LT, scores, low);
    if (is_masked)
        scores = MAKE(select, scores->type, {0}, keep, scores, low);
    struct value *most =
        build_reduce(&fixture, scores, build_scalar(&fixture, DTYPE_F32, 0), OP_maximum, 1, &last);
    struct value *all = build_broadcast(&fixture, most, scores->type, 2, (int64_t[]){0, 1});
    struct value *exp = unary(OP_exponential, build_binary(&fixture, OP_subtract, scores, all));
    struct value *sum =
        build_reduce(&fixture, exp, build_scalar(&fixture, DTYPE_F32, 0), OP_add, 1, &last);
    struct value *sums = build_broadcast(&fixture, sum, scores->type, 2, (int64_t[]){0, 1});
    struct value *p = build_binary(&fixture, OP_divide, exp, sums);
    if (stored != DTYPE_F32)
        p = build_convert(&fixture, p, stored);
    attrs.dot.rhs_contracting_dimensions.at = &middle;
    RETURN(build_declared(&fixture, OP_dot_general, 2, (struct value *[]){p, argument(2)},
                          argument(2)->type, &attrs));
    struct accelerator on = accelerator;
    on.matrix_unit_size = unit;
    struct target target = {.name = "test", .accelerator = &on};
    cr_assert_null(model_run(fixture_module, &target));
    return fixture_module->model->temp_bytes;
}

static uint64_t attention(int64_t length, int64_t depth, int unit, bool is_masked)
{
    return attention_in("bf16", length, depth, unit, is_masked);
}

Test(model_softmax, attention_in_f32_stores_scores_alone)
{
    uint64_t scores = 2ull * 2048 * 2048 * 4;
    uint64_t small = attention_in("f32", 2048, 64, 128, true);
    cr_expect(small >= scores && small < scores + MATRIX, "%llu", (unsigned long long)small);
}

Test(model_softmax, attention_in_f32_is_the_same_on_large_units)
{
    uint64_t scores = 2ull * 2048 * 2048 * 4;
    uint64_t large = attention_in("f32", 2048, 128, 256, false);
    cr_expect(large >= scores && large < scores + MATRIX, "%llu", (unsigned long long)large);
}

Test(model_softmax, attention_of_narrow_heads_stores_exponentials)
{
    cr_expect_lt(attention(2048, 64, 128, false), 2 * 5 * MATRIX);
}

Test(model_softmax, attention_of_wide_heads_reads_a_product_of_its_own)
{
    cr_expect_gt(attention(1024, 128, 128, false), 2 * MATRIX + MATRIX / 2);
}

Test(model_softmax, attention_over_long_rows_stores_scores_and_exponentials)
{
    cr_expect_gt(attention(4096, 64, 128, false), 2 * 32 * MATRIX - MATRIX);
}

Test(model_softmax, attention_on_large_units_stores_the_narrow_product_alone)
{
    cr_expect_lt(attention(2048, 64, 256, false), 5 * MATRIX);
}
