/* Tests which transforms share a kernel, and which rows each step transforms. */
#include "compiler/lower/kernel_rows.h"

#include <stdlib.h>

#include "compiler/lower/lower.h"
#include "compiler/passes/passes_fixture.h"
#include "compiler/passes/rewrite/fusion_make.h"
#include "compiler/target_fixture.h"

TestSuite(kernel_rows, .init = fixture_begin, .fini = fixture_end);

static struct lowered lowered;

/* A fusion that transforms rows of 32 elements. */
static struct value *transform(struct value *rows)
{
    static const int64_t length = 32;
    union attrs attrs = {.fft = {.fft_type = FFT_FFT, .fft_length = {1, &length}}};
    struct op *op = build_op(&fixture, OP_fft, 1, &rows, 1, &attrs), *members[] = {op};
    struct value *results[] = {&op->results[0]};
    struct op *fusion = fusion_make(fixture_module, FUSION_STANDALONE, op, 1, members, 1, results);
    ir_remove(op);
    return &fusion->results[0];
}

static uint64_t scratch(const struct op *fusion, const struct target *target)
{
    (void)fusion;
    (void)target;
    return 640;
}

static void lower_now(int cores)
{
    struct target target = target_fixture();
    struct buffer_plan *plan;
    target.cores = cores;
    cr_assert_null(buffer_assign_entry(fixture_module, &target, scratch, &plan));
    cr_assert_null(lower_module(fixture_module, &target, plan, &lowered));
}

static const struct step *step(int i)
{
    cr_assert_lt(i, lowered.program.steps.count);
    return &lowered.program.steps.steps[i];
}

Test(kernel_rows, more_rows_are_more_steps_of_the_same_kernel)
{
    MAIN("c64 48 32", "c64 4 4 32");
    RETURN(transform(argument(0)), transform(argument(1)));
    lower_now(2);
    cr_assert_eq(lowered.program.steps.count, 4);
    cr_expect_eq(lowered.program.kernel_count, 1);
    cr_expect_eq(type_elements(lowered.request.kernels[0].fusion->results[0].type), 16 * 32);
    for (int i = 0; i < 3; i++) {
        const struct slice *slices = step(i)->slices;
        cr_expect(slices[0].allocation == 0 && slices[1].allocation == 2);
        for (int k = 0; k < 2; k++)
            cr_expect(slices[k].size == 16 * 32 * 8 && slices[k].offset == i * slices[k].size);
        cr_expect(step(i)->slice_count == 3 && slices[2].size == 640);
        cr_expect_leq(20 * llabs(step(i)->cost - step(3)->cost), step(3)->cost);
    }
    cr_expect_eq(step(3)->slices[0].allocation, 1);
}

Test(kernel_rows, too_few_rows_for_all_threads_have_a_kernel_of_their_own)
{
    MAIN("c64 48 32", "c64 16 32");
    RETURN(transform(argument(0)), transform(argument(1)));
    lower_now(4);
    cr_expect_eq(lowered.program.steps.count, 2);
    cr_expect_eq(lowered.program.kernel_count, 2);
}

Test(kernel_rows, rows_that_are_no_multiple_have_a_kernel_of_their_own)
{
    MAIN("c64 40 32", "c64 16 32");
    RETURN(transform(argument(0)), transform(argument(1)));
    lower_now(2);
    cr_expect_eq(lowered.program.steps.count, 2);
    cr_expect_eq(lowered.program.kernel_count, 2);
}
