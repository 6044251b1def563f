/* Tests how the expected time of an execution depends on a program. */
#include "compiler/lower/execution_time.h"

#include <math.h>

#include "compiler/analysis/rates.h"
#include "compiler/loop_fixture.h"
#include "compiler/lower/lower.h"
#include "compiler/passes/buffer/buffer_assign.h"
#include "compiler/passes/fusion/fusion.h"
#include "compiler/target_fixture.h"

TestSuite(execution_time, .init = fixture_begin, .fini = fixture_end);

static struct lowered lowered;
static int cores = 1;

/* Fuses, assigns buffers and lowers. */
static struct error *lower(struct module *module, const struct target *unused)
{
    struct target target = target_fixture();
    struct buffer_plan *plan;
    (void)unused;
    target.cores = cores;
    TRY(fusion_run(module, &target));
    TRY(buffer_assign_entry(module, &target, NULL, &plan));
    return lower_module(module, &target, plan, &lowered);
}

static double seconds(void)
{
    fixture_run(lower);
    return lowered.program.seconds;
}

static double launch(int steps)
{
    const double *rates = rates_of(isa_of(cpu_features()).class)->nanoseconds;
    return (rates[RATE_EXECUTION] + steps * rates[RATE_STEP]) * 1e-9;
}

/* Of one operation on a million numbers, without the launch. */
static double time_of(enum op_code code)
{
    MAIN("f32 1000000");
    RETURN(build_unary(&fixture, code, argument(0)));
    return seconds() - launch(1);
}

Test(execution_time, a_small_program_is_its_launch)
{
    MAIN("f32 8");
    RETURN(build_unary(&fixture, OP_negate, argument(0)));
    double time = seconds();
    cr_expect(time >= launch(1) && time < 1.1 * launch(1), "%g", time);
}

Test(execution_time, simple_operations_are_limited_by_memory)
{
    double bytes = rates_of(isa_of(cpu_features()).class)->nanoseconds[RATE_BYTES] * 1e-9 * 8e6,
           time = time_of(OP_negate);
    cr_expect(time > 0.99 * bytes && time < 1.01 * bytes, "%g, %g for the bytes", time, bytes);
}

Test(execution_time, transcendental_operations_are_limited_by_arithmetic)
{
    double sines = rates_of(isa_of(cpu_features()).class)->nanoseconds[RATE_SINE] * 1e-9 * 1e6,
           time = time_of(OP_sine);
    cr_expect(time > 0.99 * sines && time < 1.01 * sines, "%g, %g for the sines", time, sines);
}

Test(execution_time, cores_share_large_kernels)
{
    double one = time_of(OP_sine);
    fixture_end();
    fixture_begin();
    cores = 2;
    double two = time_of(OP_sine);
    cores = 1;
    cr_expect(two < 0.51 * one && two > 0.49 * one, "%g on one core, %g on two", one, two);
}

static double loop_of(double trips)
{
    MAIN("f32 1000");
    RETURN(&fixture_loop(DTYPE_S32, 0, trips, 1)->results[1]);
    double time = seconds();
    fixture_end();
    fixture_begin();
    return time - launch(0);
}

Test(execution_time, loops_multiply)
{
    double ten = loop_of(10), hundred = loop_of(100);
    cr_expect(hundred > 8 * ten && hundred < 11 * ten, "%g and %g", ten, hundred);
}

Test(execution_time, is_finite)
{
    MAIN("f32 1000");
    RETURN(&fixture_loop(DTYPE_S64, 0, 9e18, 1)->results[1]);
    cr_expect_eq(seconds(), EXECUTION_TIME_MAX);
}

/* Threads share a kernel if it takes long, whether for its arithmetic or for its bytes. */
Test(execution_time, the_cost_of_a_kernel_is_its_time)
{
    const double *rates = rates_of(isa_of(cpu_features()).class)->nanoseconds;
    double unit = 4 * rates[RATE_BYTES], expected;
    time_of(OP_negate);
    expected = 8e6 * rates[RATE_BYTES] / unit;
    cr_expect_eq(lowered.program.steps.steps[0].cost, (int64_t)(expected + 0.5));
    fixture_end();
    fixture_begin();
    time_of(OP_sine);
    expected = 1e6 * rates[RATE_SINE] / unit;
    cr_expect_leq(fabs((double)lowered.program.steps.steps[0].cost - expected), 0.001 * expected);
}
