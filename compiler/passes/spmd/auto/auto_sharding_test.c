#include "compiler/passes/spmd/auto/auto_sharding.h"

#include "compiler/passes/auto_fixture.h"

TestSuite(auto_sharding, .init = fixture_begin, .fini = fixture_end);

static int shards_of(const struct module *module, int argument)
{
    const struct sharding *sharding = module->entry->body->arguments[argument].type->sharding;
    int64_t shards = 1;
    for (int d = 0; sharding && d < sharding->rank; d++)
        shards *= sharding_axes_size(sharding->mesh, sharding->dims[d].axes);
    return (int)shards;
}

/* Sharded weights take less time, a sharded batch takes less memory, but much time. */
static struct error *plan(void *context, struct module *module, struct auto_cost *out)
{
    int *calls = context;
    ++*calls;
    out->seconds = 10 - shards_of(module, 1) + (shards_of(module, 0) > 1 ? 20 : 0);
    out->peak_bytes = (uint64_t)(1000 / shards_of(module, 0));
    return NULL;
}

static struct error *run(const struct auto_request *request, const struct auto_planner *planner)
{
    const struct mesh *mesh;
    auto_fixture_build(4);
    TRY(auto_sharding_mesh(fixture_module, request, &mesh));
    return auto_sharding_run(fixture_module, mesh, request, planner, true);
}

static struct error *choose(uint64_t memory, const struct auto_request *request)
{
    static int calls;
    const struct auto_planner planner = {.plan = plan, .context = &calls, .memory_bytes = memory};
    struct error *error = run(request, &planner);
    calls = 0;
    return error;
}

static const struct auto_request plain = {.effort = 1};

Test(auto_sharding, the_fastest_plan_is_taken)
{
    cr_assert_null(choose(0, &plain));
    cr_expect_eq(shards_of(fixture_module, 1), 4);
    cr_expect_eq(shards_of(fixture_module, 0), 1);
}

Test(auto_sharding, a_plan_that_fits_is_taken_before_a_faster_one)
{
    cr_assert_null(choose(300, &plain));
    cr_expect_eq(shards_of(fixture_module, 0), 4);
}

static void expect_error(struct error *error, PJRT_Error_Code code, const char *words)
{
    cr_assert_not_null(error);
    cr_expect_eq(error_code(error), code);
    cr_expect(strstr(error_message(error, NULL), words), "%s", error_message(error, NULL));
    error_free(error);
}

Test(auto_sharding, the_smallest_peak_is_in_the_error)
{
    expect_error(choose(100, &plain), PJRT_Error_Code_RESOURCE_EXHAUSTED,
                 "the smallest peak found is 250 bytes");
}

Test(auto_sharding, a_mesh_has_the_partitions_of_the_program)
{
    expect_error(choose(0, &(struct auto_request){2, {2, 3}, .effort = 1}),
                 PJRT_Error_Code_INVALID_ARGUMENT, "must be 4");
    expect_error(choose(0, &(struct auto_request){1, {2}, .effort = 1}),
                 PJRT_Error_Code_INVALID_ARGUMENT, "has 2 devices");
}

static struct error *refuse(void *context, struct module *module, struct auto_cost *out)
{
    (void)context, (void)module, (void)out;
    return ERROR(UNIMPLEMENTED, "no such operation");
}

Test(auto_sharding, a_program_that_nothing_compiles_has_the_compilers_error)
{
    const struct auto_planner planner = {.plan = refuse};
    expect_error(run(&plain, &planner), PJRT_Error_Code_UNIMPLEMENTED, "no such operation");
}
