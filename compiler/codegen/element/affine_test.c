/* affine_test.c: indices that are divided and become linear again. */
#include "compiler/codegen/element/affine.h"

#include <string.h>

#include "compiler/codegen/codegen_fixture.h"

enum { LANES = 16, BLOCKS = 10 };

static struct arena *arena;
static LLVMContextRef context;
static LLVMModuleRef module;
static struct emitter *e;

static void begin(void)
{
    arena = fixture_arena();
    struct fixture *f = fixture_begin(FUSION_LOOP, 0, NULL, arena);
    context = LLVMContextCreate();
    module = LLVMModuleCreateWithNameInContext("test", context);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, false);
    e = emitter_create(arena, &f->target, NULL, module, LLVMAddFunction(module, "function", type));
    emitter_lanes(e, LANES);
}

static void end(void)
{
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    arena_destroy(arena);
}

TestSuite(affine, .init = begin, .fini = end);

/* 16 * block + lane + offset */
static struct affine position(int64_t offset)
{
    struct affine block = affine_var(emitter_var(e, emitter_i64(e, 3), 1, 0, BLOCKS - 1, 0));
    struct affine lane = affine_var(e->lane_var);
    block = affine_scale(&block, LANES);
    block.constant = offset;
    return affine_add(e, &block, &lane);
}

static void expect_rejoined(const struct affine *at, int rank, const int64_t *dims)
{
    struct index index = affine_delinear(e, at, rank, dims);
    int64_t stride;
    cr_assert_not(affine_lane_stride(e, &index.at[rank - 1], &stride), "no division");
    struct affine linear = affine_linear(e, &index, dims);
    cr_assert(affine_lane_stride(e, &linear, &stride));
    cr_expect_eq(stride, 1);
    cr_expect(linear.count == at->count && !memcmp(&linear, at, affine_size(at)));
}

Test(affine, a_divided_index_is_one_again)
{
    struct affine at = position(0);
    expect_rejoined(&at, 2, (int64_t[]){6, 31});
    expect_rejoined(&at, 3, (int64_t[]){5, 5, 7});
    expect_rejoined(&at, 4, (int64_t[]){3, 1, 9, 7});
}

Test(affine, so_is_one_that_may_be_negative)
{
    struct affine at = position(-40);
    expect_rejoined(&at, 2, (int64_t[]){6, 31});
}

Test(affine, the_index_within_a_row_remains)
{
    struct affine at = position(0);
    struct index index = affine_delinear(e, &at, 2, (int64_t[]){6, 31});
    struct affine row[] = {affine_constant(2), index.at[1]};
    struct index other = affine_index(2, row);
    struct affine linear = affine_linear(e, &other, (int64_t[]){6, 31});
    int64_t stride;
    cr_expect_not(affine_lane_stride(e, &linear, &stride));
}

Test(affine, rows_of_another_length_remain)
{
    struct affine at = position(0);
    struct index index = affine_delinear(e, &at, 2, (int64_t[]){6, 31});
    struct affine linear = affine_linear(e, &index, (int64_t[]){6, 40});
    int64_t stride;
    cr_expect_not(affine_lane_stride(e, &linear, &stride));
}

Test(affine, a_split_index_is_the_sum_of_its_parts)
{
    struct affine at = position(5), rest;
    int lane = e->lane_var, block = at.terms[0].var == lane ? at.terms[1].var : at.terms[0].var;
    cr_expect_eq(affine_split(&at, block, &rest), LANES);
    cr_assert_eq(rest.count, 1);
    cr_expect(rest.terms[0].var == lane && rest.terms[0].coefficient == 1 && rest.constant == 5);
    struct affine var = affine_var(block), term = affine_scale(&var, LANES);
    struct affine sum = affine_add(e, &rest, &term);
    cr_expect(sum.count == at.count && !memcmp(&sum, &at, affine_size(&at)));
}

Test(affine, what_has_no_term_of_a_variable_remains_whole)
{
    struct affine constant = affine_constant(7), lane = affine_var(e->lane_var), rest;
    int other = emitter_var(e, emitter_i64(e, 3), 1, 0, BLOCKS - 1, 0);
    cr_expect_eq(affine_split(&constant, other, &rest), 0);
    cr_expect(rest.count == 0 && rest.constant == 7);
    cr_expect_eq(affine_split(&lane, other, &rest), 0);
    cr_expect(rest.count == 1 && !memcmp(&rest, &lane, affine_size(&lane)));
}

/* 100 steps in chunks of 16: the last chunk has 4. */
Test(affine, the_last_chunk_of_a_row_is_shorter)
{
    int64_t min, max;
    int chunk = emitter_var(e, emitter_i64(e, 0), 1, 0, 6, 0),
        step = emitter_var(e, emitter_i64(e, 0), 1, 0, 15, 1);
    struct affine first = affine_var(chunk), at = affine_var(step);
    e->vars.items[step].chunk_var = chunk;
    e->vars.items[step].chunk = 16;
    e->vars.items[step].steps = 100;
    affine_range(e, &at, &min, &max);
    cr_expect(min == 0 && max == 15, "of a step alone");
    first = affine_scale(&first, 16);
    first = affine_add(e, &first, &at);
    first = affine_scale(&first, -8);
    affine_range(e, &first, &min, &max);
    cr_expect(min == -8 * 99 && max == 0);
    first = affine_scale(&first, -1);
    first = affine_offset(&first, 3);
    affine_range(e, &first, &min, &max);
    cr_expect(min == 3 && max == 8 * 99 + 3);
}
