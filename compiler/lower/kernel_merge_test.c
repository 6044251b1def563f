/* Tests which fusions share a kernel, and what their steps pass to it. */
#include "compiler/lower/kernel_merge.h"

#include <string.h>

#include "compiler/lower/lower.h"
#include "compiler/passes/buffer/buffer_assign.h"
#include "compiler/passes/passes_fixture.h"
#include "compiler/passes/rewrite/fusion_make.h"
#include "compiler/target_fixture.h"

TestSuite(kernel_merge, .init = fixture_begin, .fini = fixture_end);

static struct lowered lowered;

/* Makes a fusion of the operations since `from` (exclusive; NULL: of all that are not in one), of
 * which the last one's result is the fusion's. */
static struct value *fuse(enum fusion_kind kind)
{
    struct op *members[128] = {NULL}, *last = fixture.block->last;
    int count = 0;
    for (struct op *op = fixture.block->first; op; op = op->next)
        if (op->code != OP_fusion)
            members[count++] = op;
    struct op *fusion = fusion_make(fixture_module, kind, last, count, members, 1,
                                    (struct value *[]){&last->results[0]});
    while (count--)
        ir_remove(members[count]);
    return &fusion->results[0];
}

static void lower_with_cache(uint64_t last_cache_bytes)
{
    struct target target = target_fixture();
    struct buffer_plan *plan;
    target.last_cache_bytes = last_cache_bytes;
    cr_assert_null(buffer_assign_entry(fixture_module, &target, NULL, &plan));
    cr_assert_null(lower_module(fixture_module, &target, plan, &lowered));
}

static void lower_now(void)
{
    lower_with_cache(0);
}

static const struct step *step(int i)
{
    cr_assert_lt(i, lowered.program.steps.count);
    return &lowered.program.steps.steps[i];
}

/* The bytes of an operand that is part of the program's constants. */
static const void *constant(int of_step, int operand)
{
    const struct slice *slice = &step(of_step)->slices[operand];
    cr_assert_lt(operand, step(of_step)->operand_count);
    cr_assert_eq(lowered.program.allocations[slice->allocation].kind, ALLOCATION_CONSTANTS);
    cr_assert_leq(slice->offset + slice->size, lowered.program.constants_size);
    return (const char *)lowered.program.constants + slice->offset;
}

static struct value *number(const struct value *like, double value)
{
    return build_splat(&fixture, like->type, value);
}

static struct value *add_number(struct value *x, double value)
{
    build_binary(&fixture, OP_add, x, number(x, value));
    return fuse(FUSION_LOOP);
}

static struct value *slice_rows(struct value *x, int64_t first)
{
    build_slice(&fixture, x, (int64_t[]){first, 5}, (int64_t[]){first + 3, 7}, (int64_t[]){1, 1});
    return fuse(FUSION_LOOP);
}

static struct value *slice_columns(struct value *x, int64_t first)
{
    build_slice(&fixture, x, (int64_t[]){2, first}, (int64_t[]){4, first + 16}, (int64_t[]){1, 1});
    return fuse(FUSION_LOOP);
}

static struct value *update(struct value *x, struct value *with, int64_t row)
{
    struct value *operands[] = {x, with, build_scalar(&fixture, DTYPE_S32, (double)row),
                                build_scalar(&fixture, DTYPE_S32, 0)};
    build_op(&fixture, OP_dynamic_update_slice, 4, operands, 1, NULL);
    return fuse(FUSION_UPDATE);
}

Test(kernel_merge, numbers_that_differ_are_operands)
{
    MAIN("f32 8 8");
    struct value *first = add_number(argument(0), 1.5);
    struct value *second = add_number(first, 2.5);
    RETURN(add_number(second, 1.5));
    lower_now();
    cr_assert_eq(lowered.program.kernel_count, 1);
    cr_expect(step(0)->operand_count == 2 && step(0)->slice_count == 3);
    cr_expect_eq(*(const float *)constant(0, 1), 1.5f);
    cr_expect_eq(*(const float *)constant(1, 1), 2.5f);
    cr_expect_eq(constant(2, 1), constant(0, 1));
    cr_expect_eq(lowered.program.constants_size, 64);
}

Test(kernel_merge, numbers_that_are_equal_in_all_fusions_stay_in_the_code)
{
    MAIN("f32 8 8");
    RETURN(add_number(add_number(argument(0), 1.5), 1.5));
    lower_now();
    cr_expect_eq(lowered.program.kernel_count, 1);
    cr_expect_eq(step(0)->operand_count, 1);
    cr_expect_eq(lowered.program.constants_size, 0);
}

static struct value *add_and_limit(struct value *x, double value, double limit)
{
    struct value *sum = build_binary(&fixture, OP_add, x, number(x, value));
    build_binary(&fixture, OP_maximum, sum, number(x, limit));
    return fuse(FUSION_LOOP);
}

Test(kernel_merge, a_number_that_is_used_twice_is_one_operand)
{
    MAIN("f32 8 8");
    RETURN(add_and_limit(add_and_limit(argument(0), 1, 1), 2, 2));
    lower_now();
    cr_expect_eq(lowered.program.kernel_count, 1);
    cr_expect_eq(step(0)->operand_count, 2);
    cr_expect_eq(*(const float *)constant(1, 1), 2);
}

Test(kernel_merge, numbers_that_are_equal_in_one_fusion_only_are_two_operands)
{
    MAIN("f32 8 8");
    RETURN(add_and_limit(add_and_limit(argument(0), 1, 1), 2, 3));
    lower_now();
    cr_expect_eq(lowered.program.kernel_count, 1);
    cr_assert_eq(step(1)->operand_count, 3);
    cr_expect_eq(constant(0, 1), constant(0, 2));
    cr_expect_eq(*(const float *)constant(1, 1), 2);
    cr_expect_eq(*(const float *)constant(1, 2), 3);
}

Test(kernel_merge, slices_of_other_rows_begin_at_other_addresses)
{
    MAIN("f32 8 16");
    struct value *first = slice_rows(argument(0), 2), *second = slice_rows(argument(0), 5);
    RETURN(first, second);
    lower_now();
    cr_assert_eq(lowered.program.kernel_count, 1);
    cr_assert_eq(step(0)->operand_count, 2);
    const struct slice *a = &step(0)->slices[1], *b = &step(1)->slices[1];
    cr_expect(a->allocation == 0 && a->offset == 2 * 64 && a->size == 6 * 64);
    cr_expect(b->allocation == 0 && b->offset == 5 * 64 && b->size == 3 * 64);
    /* the kernel reads three rows, of which the columns are as they were */
    const struct block *body = lowered.request.kernels[0].fusion->regions[0];
    cr_expect_eq(body->arguments[1].type->shape.dims[0], 3);
    cr_assert_eq(body->first->code, OP_slice);
    const struct attrs_slice *slice = &body->first->attrs.slice;
    cr_expect(slice->start_indices.at[0] == 0 && slice->limit_indices.at[0] == 3);
    cr_expect(slice->start_indices.at[1] == 5 && slice->limit_indices.at[1] == 7);
}

Test(kernel_merge, slices_of_other_columns_are_dynamic)
{
    MAIN("f32 8 64");
    struct value *first = slice_columns(argument(0), 16), *second = slice_columns(argument(0), 48);
    RETURN(first, second);
    lower_now();
    cr_assert_eq(lowered.program.kernel_count, 1);
    cr_expect_eq(*(const int64_t *)constant(0, 1), 16);
    cr_expect_eq(*(const int64_t *)constant(1, 1), 48);
}

Test(kernel_merge, indices_of_updates_are_operands)
{
    MAIN("f32 8 4", "f32 2 4");
    RETURN(update(update(argument(0), argument(1), 0), argument(1), 6));
    lower_now();
    cr_expect_eq(lowered.program.kernel_count, 1);
    const struct step *last = step(lowered.program.steps.count - 1);
    cr_expect_eq(last->operand_count, 3);
    cr_expect_eq(*(const int32_t *)constant(lowered.program.steps.count - 1, 2), 6);
}

static struct value *divide(struct value *x, double value)
{
    build_binary(&fixture, OP_divide, x, number(x, value));
    return fuse(FUSION_LOOP);
}

Test(kernel_merge, constants_that_matter_for_speed_stay_in_the_code)
{
    MAIN("s32 8 8");
    RETURN(divide(divide(argument(0), 3), 5));
    lower_now();
    cr_expect_eq(lowered.program.kernel_count, 2);
    cr_expect_eq(step(0)->operand_count, 1);
}

static struct value *add_many(struct value *x, int count, double first)
{
    for (int i = 0; i < count; i++)
        x = build_binary(&fixture, i % 2 ? OP_maximum : OP_add, x, number(x, first + i));
    return fuse(FUSION_LOOP);
}

Test(kernel_merge, fusions_with_too_many_numbers_have_their_own_kernels)
{
    MAIN("f32 8 8");
    struct value *few = add_many(add_many(argument(0), 30, 0), 30, 100);
    struct value *many = add_many(add_many(few, 40, 0), 40, 100);
    RETURN(add_many(many, 40, 0));
    lower_now();
    cr_expect_eq(lowered.program.kernel_count, 3);
    cr_expect_eq(step(1)->operand_count, 31);
    cr_expect_eq(step(2)->operand_count, 1);
    cr_expect_eq(step(2)->kernel.index, step(4)->kernel.index);
}

static bool stores_past_caches(int i)
{
    return lowered.request.kernels[step(i)->kernel.index].stores_past_caches;
}

/* Of 2 results of 256 bytes; the second is computed from the first, or is not. */
static void return_two(bool reads_first, uint64_t last_cache_bytes)
{
    MAIN("f32 8 8");
    struct value *first = add_number(argument(0), 1.5);
    build_binary(&fixture, OP_multiply, reads_first ? first : argument(0), argument(0));
    RETURN(first, fuse(FUSION_LOOP));
    lower_with_cache(last_cache_bytes);
}

Test(kernel_merge, what_is_only_returned_is_stored_past_caches_that_it_leaves)
{
    return_two(false, 255);
    cr_expect(stores_past_caches(0) && stores_past_caches(1));
}

Test(kernel_merge, what_the_program_reads_is_stored_to_caches)
{
    return_two(true, 255);
    cr_expect(!stores_past_caches(0) && stores_past_caches(1));
}

Test(kernel_merge, results_that_fit_are_stored_to_caches)
{
    return_two(false, 256);
    cr_expect(!stores_past_caches(0) && !stores_past_caches(1));
}

Test(kernel_merge, a_shared_kernel_stores_to_caches_for_one_of_its_fusions)
{
    MAIN("f32 8 8");
    struct value *first = add_number(argument(0), 1.5);
    RETURN(first, add_number(first, 1.5));
    lower_with_cache(255);
    cr_expect_eq(lowered.program.kernel_count, 1);
    cr_expect(!stores_past_caches(1));
}
