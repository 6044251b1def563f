/* Tests of model_buffers.h through plans: results that are copied to their memory. */
#include "compiler/model/model_buffers.h"

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
