/* Tests of model_check.h. */
#include "compiler/driver/model_check.h"

#include <criterion/criterion.h>
#include <string.h>

#include "compiler/accelerator.h"

struct whole {
    struct model_plan plan;
    struct model_largest largest;
    char text[64];
};

static struct whole plan(uint64_t peak)
{
    struct whole whole = {
        .plan = {.size = sizeof whole,
                 .peak_bytes = peak,
                 .temp_bytes = peak / 2,
                 .largest_count = 1,
                 .text_size = sizeof whole.text},
        .largest = {.shape = 32, .bytes = (uint64_t)2 << 30, .unpadded_bytes = 1 << 30}};
    strcpy(whole.text, "dot_general: f (model.py:12)");
    strcpy(whole.text + 32, "f32[8,64]{1,0:T(8,128)}");
    return whole;
}

static const struct accelerator accelerator = {.hbm_bytes = (uint64_t)16 << 30};
static const struct target target = {.name = "tpu",
                                     .accelerator = &accelerator,
                                     .memory_bytes = {[MEMORY_DEVICE] = (uint64_t)16 << 30}};

Test(model_check, what_fits_passes)
{
    struct whole whole = plan((uint64_t)16 << 30);
    struct program program = {.model = &whole.plan};
    cr_expect_null(model_check(&program, &target));
    program.model = NULL;
    cr_expect_null(model_check(&program, &target));
}

Test(model_check, what_does_not_fit_is_said_as_the_compiler_says_it)
{
    struct whole whole = plan((uint64_t)49 << 30);
    struct program program = {.model = &whole.plan};
    struct error *error = model_check(&program, &target);
    cr_assert_not_null(error);
    cr_expect_eq(error_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED);
    const char *const parts[] = {
        ("Ran out of memory on HBM, the total memory required for HLO temporaries (49.00G) "
         "exceeds available HBM (16.00G)."),
        "Used 49.00G of 16.00G hbm. Exceeded hbm capacity by 33.00G.",
        "1. Size: 2.00G",
        "dot_general: f (model.py:12)",
        "Shape: f32[8,64]{1,0:T(8,128)}",
        "Unpadded size: 1.00G",
        "(2.0x expansion)"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        cr_expect(strstr(error_message(error, NULL), parts[i]), "%s\nlacks\n%s",
                  error_message(error, NULL), parts[i]);
    error_free(error);
}

Test(model_check, a_device_may_have_another_capacity)
{
    struct whole whole = plan(2 << 20);
    struct program program = {.model = &whole.plan};
    struct target limited = target;
    limited.memory_bytes[MEMORY_DEVICE] = (2 << 20) - 1;
    struct error *error = model_check(&program, &limited);
    cr_expect_eq(error_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED);
    error_free(error);
    limited.memory_bytes[MEMORY_DEVICE] = 2 << 20;
    cr_expect_null(model_check(&program, &limited));
}

Test(model_check, plans_are_made_of_what_does_not_fit)
{
    struct whole whole = plan((uint64_t)49 << 30);
    struct program program = {.model = &whole.plan};
    struct target planner = target;
    planner.plans_only = true;
    cr_expect_null(model_check(&program, &planner));
}
