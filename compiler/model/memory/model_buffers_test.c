/* Tests of model_buffers.h through plans: results that are copied to their memory. */
#include "compiler/model/memory/model_buffers.h"

#include "compiler/model/accelerator_fixture.h"
#include "compiler/model/model.h"
#include "compiler/passes/passes_fixture.h"

TestSuite(model_buffers, .init = fixture_begin, .fini = fixture_end);

enum { MATRIX = 1024 * 1024 * 4 }; /* bytes of f32[1024,1024] */

static const struct accelerator accelerator = {ACCELERATOR_FIXTURE, .hbm_bytes = 1 << 30,
                                               .cores = 1, .bf16_rate = 1e15};

/* Results x @ x and (x @ x) @ x, of which the first may take the memory of x. */
static const struct model_plan *squares(int alias)
{
    static struct target target;
    static const int64_t zero = 0, one = 1;
    static struct argument_info info;
    target = (struct target){.name = "test", .accelerator = &accelerator};
    MAIN("f32 1024 1024");
    info = (struct argument_info){.alias_result = alias, .donated = alias >= 0};
    fixture.block->func->argument_infos = &info;
    const union attrs attrs = {
        .dot = {.lhs_contracting_dimensions = {1, &one}, .rhs_contracting_dimensions = {1, &zero}}};
    struct value *x = argument(0);
    struct value *y =
        build_declared(&fixture, OP_dot_general, 2, (struct value *[]){x, x}, x->type, &attrs);
    RETURN(y,
           build_declared(&fixture, OP_dot_general, 2, (struct value *[]){y, x}, x->type, &attrs));
    cr_assert_null(model_run(fixture_module, &target));
    return fixture_module->model;
}

Test(model_buffers, a_result_is_copied_if_its_memory_is_read_until_later)
{
    double written = squares(-1)->hbm_bytes;
    fixture_end();
    fixture_begin();
    const struct model_plan *plan = squares(0);
    cr_expect_float_eq(plan->hbm_bytes - written, 2 * MATRIX, 1, "a copy is read and written");
    cr_expect_eq(plan->temp_bytes, MATRIX);
}

/* A product that needs its operands as f32. */
static struct value *multiply(struct value *lhs, struct value *rhs)
{
    static const int64_t zero = 0, one = 1;
    const union attrs attrs = {.dot = {.lhs_contracting_dimensions = {1, &one},
                                       .rhs_contracting_dimensions = {1, &zero},
                                       .precision_config = {PRECISION_HIGHEST, PRECISION_HIGHEST}}};
    return build_declared(&fixture, OP_dot_general, 2, (struct value *[]){lhs, rhs}, NULL, &attrs);
}

static struct value *sum_of_rows(struct value *value)
{
    static const int64_t last = 1;
    return build_reduce(&fixture, value, build_scalar(&fixture, DTYPE_F32, 0), OP_add, 1, &last);
}

/* The temporaries of a program in which a kernel reads the product `gate` for the last time; with
 * `summed`, the sums of its rows leave with it, as results of one kernel. */
static uint64_t gated(bool summed)
{
    MAIN("f32 1024 1024", "f32 1024 1024", "f32 1024 8");
    struct value *gate = multiply(argument(0), argument(1));
    struct value *sums = sum_of_rows(summed ? gate : argument(0));
    struct value *open =
        build_binary(&fixture, OP_multiply, gate, build_unary(&fixture, OP_logistic, gate));
    struct value *both =
        build_binary(&fixture, OP_multiply, multiply(argument(1), argument(0)), open);
    RETURN(multiply(both, argument(2)), sums);
    static struct target target;
    target = (struct target){.name = "test", .accelerator = &accelerator};
    cr_assert_null(model_run(fixture_module, &target));
    return fixture_module->model->temp_bytes;
}

Test(model_buffers, no_kernel_writes_over_one_of_several_results_of_another)
{
    uint64_t alone = gated(false);
    fixture_end();
    fixture_begin();
    uint64_t together = gated(true);
    cr_expect_geq(together, alone + MATRIX, "%g and %g", (double)alone / MATRIX,
                  (double)together / MATRIX);
}
