#include "compiler/driver/auto_planner.h"

#include "compiler/ir/auto_request.h"
#include "compiler/passes/auto_fixture.h"
#include "compiler/passes/spmd/partition.h"
#include "compiler/passes/spmd/propagate.h"
#include "compiler/target_fixture.h"

TestSuite(auto_planner, .init = fixture_begin, .fini = fixture_end);

Test(auto_planner, devices_of_the_host_get_shards)
{
    static const struct auto_request request = {.effort = 1};
    struct target target = target_fixture();
    auto_fixture_build(4);
    fixture_module->auto_request = &request;
    cr_assert_null(auto_planner_run(fixture_module, &target));
    cr_assert_null(ir_verify(fixture_module, false));
    cr_assert_null(propagate_run(fixture_module, &target));
    cr_assert_null(spmd_partition_run(fixture_module, &target));
    cr_assert_null(ir_verify(fixture_module, false));
    cr_expect_eq(argument(0)->type->shape.dims[0] * argument(1)->type->shape.dims[1],
                 BATCH * HIDDEN / 4);
}
