/* Hand-built programs, with C functions as kernels. */
#include <criterion/criterion.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "devices/host/custom_call.h"
#include "devices/host/launch.h"

static void increment(void *const *buffers, int64_t begin, int64_t end)
{
    (void)begin, (void)end;
    ++*(int32_t *)buffers[0];
}

static void less_than_ten(void *const *buffers, int64_t begin, int64_t end)
{
    (void)begin, (void)end;
    *(char *)buffers[1] = *(const int32_t *)buffers[0] < 10;
}

static void twice(void *const *buffers, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++)
        ((float *)buffers[1])[i] = 2 * ((const float *)buffers[0])[i];
}

static kernel_function *kernels[] = {increment, less_than_ten, twice};
static struct allocation allocations[] = {{ALLOCATION_PARAMETER, 0, 0, MEMORY_DEVICE},
                                          {ALLOCATION_RESULT, 0, 0, MEMORY_DEVICE},
                                          {ALLOCATION_CONSTANTS, 0, 0, MEMORY_DEVICE},
                                          {ALLOCATION_TEMP, 0, 64, MEMORY_DEVICE}};
enum { PARAMETER, RESULT, CONSTANTS, TEMP };

static struct step kernel_step(int kernel, int count, struct slice *slices, int64_t work,
                               int64_t grain)
{
    struct step step = {
        .kind = STEP_KERNEL, .label = "kernel", .slice_count = count, .slices = slices};
    step.kernel.index = kernel;
    step.kernel.work = work;
    step.kernel.grain = grain;
    return step;
}

static struct error *run_within(struct kernel_limits *limits, struct step *steps, int count,
                                void *parameter, void *result)
{
    _Alignas(64) char temp[64] = {0};
    _Atomic(struct program_plan *) plans[1] = {NULL};
    struct program program = {.allocation_count = 4,
                              .allocations = allocations,
                              .kernels = kernels,
                              .steps = {count, steps},
                              .plan_count = 1,
                              .plans = plans};
    struct launch launch = {.program = &program,
                            .parameters = &parameter,
                            .results = &result,
                            .run_id = 42,
                            .limits = limits};
    struct error *error = launch_run(&launch, (void *[MEMORY_KIND_COUNT]){temp});
    if (plans[0])
        plans[0]->destroy(plans[0]);
    return error;
}

static struct error *run(struct step *steps, int count, void *parameter, void *result)
{
    return run_within(NULL, steps, count, parameter, result);
}

Test(launch, loops_of_unknown_trip_count_end_with_the_budget)
{
    enum { COST = 7 };
    struct slice counter[] = {{RESULT, 0, 4}}, compare[] = {{RESULT, 0, 4}, {TEMP, 0, 1}};
    struct step condition = kernel_step(1, 2, compare, 1, 1),
                body = kernel_step(0, 1, counter, 1, 1),
                loop = {.kind = STEP_WHILE,
                        .label = "while",
                        .slice_count = 1,
                        .slices = &compare[1],
                        .cost = COST * PROGRAM_UNKNOWN_TRIP_COUNT};
    loop.loop.condition = (struct step_list){1, &condition};
    loop.loop.body = (struct step_list){1, &body};
    for (int iterations = 8; iterations < 12; iterations++) {
        struct kernel_limits limits = {.budget = iterations * COST};
        int32_t result = 0;
        loop.loop.trip_count = -1;
        struct error *error = run_within(&limits, &loop, 1, NULL, &result);
        cr_expect_eq(error != NULL, iterations < 10);
        cr_expect_eq(limits.budget < 0, iterations < 10);
        cr_expect_leq(result, iterations + 1);
        error_free(error);
        loop.loop.trip_count = 10;
        limits.budget = result = 0;
        cr_assert_null(run_within(&limits, &loop, 1, NULL, &result));
        cr_expect_eq(result, 10);
    }
}

Test(launch, loop_counts_in_place)
{
    struct slice counter[] = {{RESULT, 0, 4}}, compare[] = {{RESULT, 0, 4}, {TEMP, 0, 1}},
                 copy[] = {{PARAMETER, 0, 4}, {RESULT, 0, 4}};
    struct step condition = kernel_step(1, 2, compare, 1, 1),
                body = kernel_step(0, 1, counter, 1, 1);
    struct step steps[2] = {
        {.kind = STEP_COPY, .label = "copy", .slice_count = 2, .slices = copy},
        {.kind = STEP_WHILE, .label = "while", .slice_count = 1, .slices = &compare[1]}};
    steps[1].loop.condition = (struct step_list){1, &condition};
    steps[1].loop.body = (struct step_list){1, &body};
    for (int32_t start = 8; start < 13; start++) {
        int32_t result = -1;
        cr_assert(!run(steps, 2, &start, &result));
        cr_assert(result == (start < 10 ? 10 : start));
    }
}

/* The i-th matrix of a stack of three, for an index i that is clamped. */
Test(launch, indices_move_slices)
{
    enum { N = 2, MATRIX = N * N * sizeof(float) };
    float stack[3][N][N] = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}, {{9, 10}, {11, 12}}}, sums[N];
    static const int64_t indices[] = {-7, 0, 1, 2, 3, INT64_MAX}, clamped[] = {0, 0, 1, 2, 2, 2};
    struct {
        float left[N], stack[3][N][N];
        int64_t index;
    } parameter = {.left = {1, 10}};
    memcpy(parameter.stack, stack, sizeof stack);
    struct slice slices[] = {{PARAMETER, 0, sizeof parameter.left},
                             {PARAMETER, sizeof parameter.left, MATRIX},
                             {RESULT, 0, sizeof sums}};
    struct slice_offset offset = {
        1, DTYPE_S64, {PARAMETER, sizeof parameter.left + sizeof stack, 8}, 2, MATRIX};
    struct step step = {.kind = STEP_THIN_DOT,
                        .label = "product",
                        .slice_count = 3,
                        .operand_count = 2,
                        .slices = slices,
                        .offset_count = 1,
                        .offsets = &offset};
    step.thin_dot.dot = (struct dot_spec){.lhs = DTYPE_F32,
                                          .rhs = DTYPE_F32,
                                          .out = DTYPE_F32,
                                          .batch = 1,
                                          .m = 1,
                                          .n = N,
                                          .k = N,
                                          .outer = 1,
                                          .lhs_k_stride = 1,
                                          .rhs_k_stride = N,
                                          .rhs_n_stride = 1,
                                          .out_n_stride = 1};
    for (size_t i = 0; i < sizeof indices / sizeof *indices; i++) {
        parameter.index = indices[i];
        cr_assert_null(run(&step, 1, &parameter, sums));
        const float(*matrix)[N] = stack[clamped[i]];
        cr_expect(sums[0] == matrix[0][0] + 10 * matrix[1][0] &&
                  sums[1] == matrix[0][1] + 10 * matrix[1][1]);
    }
}

Test(launch, branches)
{
    struct slice index[] = {{PARAMETER, 0, 4}}, counter[] = {{RESULT, 0, 4}};
    struct step once = kernel_step(0, 1, counter, 1, 1), thrice[] = {once, once, once};
    struct step_list branches[] = {{1, &once}, {3, thrice}};
    struct step step = {.kind = STEP_CASE, .label = "case", .slice_count = 1, .slices = index};
    step.branch.count = 2;
    step.branch.branches = branches;
    for (int32_t i = -1; i < 4; i++) {
        int32_t result = 0;
        step.branch.is_predicate = false;
        cr_assert(!run(&step, 1, &i, &result));
        cr_assert(result == (i == 0 ? 1 : 3)); /* an index out of range selects the last branch */
        result = 0;
        step.branch.is_predicate = true;
        cr_assert(!run(&step, 1, &i, &result));
        cr_assert(result == (i ? 1 : 3));
    }
}

Test(launch, kernels_in_parts)
{
    enum { COUNT = 100000 };
    static float from[COUNT], to[COUNT];
    struct slice slices[] = {{PARAMETER, 0, sizeof from}, {RESULT, 0, sizeof to}};
    struct step step = kernel_step(2, 2, slices, COUNT, 999);
    for (int i = 0; i < COUNT; i++)
        from[i] = (float)i;
    cr_assert(!run(&step, 1, from, to));
    for (int i = 0; i < COUNT; i++)
        cr_assert(to[i] == 2 * (float)i);
}

Test(launch, errors_name_the_step)
{
    struct step step = {.kind = STEP_CUSTOM_CALL, .label = "custom_call: f (model.py:1:2)"};
    step.call.target = "missing";
    struct error *error = run(&step, 1, NULL, NULL);
    cr_assert(error_code(error) == PJRT_Error_Code_UNIMPLEMENTED);
    cr_assert(strstr(error_message(error, NULL), "model.py:1:2"));
    cr_assert(strstr(error_message(error, NULL), "missing"));
    error_free(error);
}

static int made, dropped;

static struct error *make_state(const void *user, const struct call_spec *spec, void **state)
{
    made++;
    cr_assert(spec->attribute_count == 0 && user == &made);
    *state = &made;
    return NULL;
}

static void drop_state(void *state)
{
    cr_assert(state == &made);
    dropped++;
}

static struct error *add_one(const void *user, const struct custom_call *call)
{
    cr_assert(user == &made && call->state == &made && call->run_id == 42);
    cr_assert(call->data[0] == NULL && call->spec->values[0].shape.dtype == DTYPE_TOKEN);
    *(int32_t *)call->data[2] = *(const int32_t *)call->data[1] + 1;
    return NULL;
}

/* dce_sink needs no registration; a call with a result, which it would not write, is rejected. */
Test(launch, custom_call_that_only_keeps_values)
{
    struct call_value values[] = {{.shape = {.dtype = DTYPE_S32}, .slice = 0},
                                  {.shape = {.dtype = DTYPE_S32}, .slice = 1}};
    struct slice slices[] = {{PARAMETER, 0, 4}, {RESULT, 0, 4}};
    struct step step = {
        .kind = STEP_CUSTOM_CALL, .label = "call", .slice_count = 1, .slices = slices};
    step.call = (struct call_spec){
        .target = "dce_sink", .operand_count = 1, .value_count = 1, .values = values};
    int32_t from = 4, to = 7;
    struct custom_call_use use;
    cr_assert(!run(&step, 1, &from, &to));
    cr_assert(from == 4 && to == 7);
    cr_assert(!custom_call_check(&(struct program){.steps = {1, &step}}, &use) && !use.foreign);
    step.slice_count = step.call.value_count = 2;
    struct error *error = run(&step, 1, &from, &to);
    cr_assert(error_code(error) == PJRT_Error_Code_INVALID_ARGUMENT);
    error_free(error);
}

Test(launch, custom_calls_get_state_and_addresses)
{
    struct custom_call_handler handler = {.run = add_one,
                                          .instantiate = make_state,
                                          .drop = drop_state,
                                          .user = &made,
                                          .foreign = true};
    struct call_value values[] = {{.shape = {.dtype = DTYPE_TOKEN}, .slice = -1},
                                  {.shape = {.dtype = DTYPE_S32}, .slice = 0},
                                  {.shape = {.dtype = DTYPE_S32}, .slice = 1}};
    struct slice slices[] = {{PARAMETER, 0, 4}, {RESULT, 0, 4}};
    struct step step = {
        .kind = STEP_CUSTOM_CALL, .label = "call", .slice_count = 2, .slices = slices};
    step.call = (struct call_spec){
        .target = "add_one", .operand_count = 2, .value_count = 3, .values = values};
    int32_t from = 4, to = 0;
    struct custom_call_use use;
    cr_assert(!custom_call_register("add_one", 7, &handler));
    cr_assert(!run(&step, 1, &from, &to));
    cr_assert(to == 5 && made == 1 && dropped == 1);
    struct program program = {.steps = {1, &step}};
    cr_assert(!custom_call_check(&program, &use) && use.foreign);
    handler.user = &dropped;
    struct error *error = custom_call_register("add_one", 7, &handler);
    cr_assert(error_code(error) == PJRT_Error_Code_ALREADY_EXISTS);
    error_free(error);
}

/* ---- denormal numbers ------------------------------------------------------------------------ */
static float half(float value)
{
    volatile float in = value;
    return in / 2;
}

static void halve(void *const *buffers, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++)
        ((float *)buffers[1])[i] = half(((const float *)buffers[0])[i]);
}

static void flush_denormals(void)
{
    setenv("GANTRY_DENORMALS", "flush", 1);
}

/* Checks every part, on the pool's workers and on this thread, whose own mode is preserved. */
Test(launch, kernels_flush_denormals, .init = flush_denormals)
{
    enum { COUNT = 100000 };
    static float from[COUNT], to[COUNT];
    struct slice slices[] = {{PARAMETER, 0, sizeof from}, {RESULT, 0, sizeof to}};
    struct step step = kernel_step(0, 2, slices, COUNT, 999);
    for (int i = 0; i < COUNT; i++)
        from[i] = FLT_MIN, to[i] = 1;
    kernels[0] = halve;
    cr_assert(!run(&step, 1, from, to));
    for (int i = 0; i < COUNT; i++)
        cr_assert(to[i] == 0);
    cr_assert(half(FLT_MIN) > 0);
}

static struct error *halve_call(const void *user, const struct custom_call *call)
{
    (void)user;
    *(float *)call->data[1] = half(*(const float *)call->data[0]);
    return NULL;
}

/* A client's function runs in the floating-point mode of the client's threads, a built-in one in
 * the mode of programs. */
Test(launch, custom_calls_run_in_their_owners_mode, .init = flush_denormals)
{
    struct custom_call_handler handler = {.run = halve_call, .foreign = true};
    struct call_value values[] = {{.shape = {.dtype = DTYPE_F32}, .slice = 0},
                                  {.shape = {.dtype = DTYPE_F32}, .slice = 1}};
    struct slice slices[] = {{PARAMETER, 0, 4}, {RESULT, 0, 4}};
    struct step step = {
        .kind = STEP_CUSTOM_CALL, .label = "call", .slice_count = 2, .slices = slices};
    step.call = (struct call_spec){
        .target = "halve", .operand_count = 1, .value_count = 2, .values = values};
    float from = FLT_MIN, to = 0;
    cr_assert(!custom_call_register("halve", 5, &handler));
    cr_assert(!run(&step, 1, &from, &to));
    cr_assert(to > 0);
    handler.foreign = false;
    step.call.target = "halve_here";
    cr_assert(!custom_call_register("halve_here", 10, &handler));
    cr_assert(!run(&step, 1, &from, &to));
    cr_assert(to == 0);
}
