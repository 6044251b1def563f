/* A hand-built program: arguments of 100 and 200 bytes in device memory, the second donated to the
 * first result; an argument of 64 bytes in host memory; a second result of 10 bytes. */
#include "compiler/program/program_memory.h"

#include <criterion/criterion.h>
#include <string.h>

static const int64_t dims[] = {100, 200, 64, 10};
static struct program_value parameters[3], results[2];
static struct allocation allocations[] = {{ALLOCATION_RESULT, 1, 10, MEMORY_DEVICE},
                                          {ALLOCATION_TEMP, 0, 1000, MEMORY_DEVICE},
                                          {ALLOCATION_TEMP, 0, 128, MEMORY_PINNED_HOST},
                                          {ALLOCATION_TEMP, 0, 0, MEMORY_UNPINNED_HOST}};
static char large[] = "f32[100]", small[] = "s8[64]", scratch[] = "scratch";
static struct program_buffer buffers[] = {{{1, 0, 400}, 0, 2, large},
                                          {{2, 0, 100}, 0, 3, small},
                                          {{0, 0, 10}, 0, 3, small},
                                          {{1, 400, 64}, 1, 1, scratch},
                                          {{1, 448, 300}, 2, 3, large}};
static char first[] = "dot: f (a.py:1:1)", second[] = "while", third[] = "add: f (a.py:2:1)",
            fourth[] = "copy";
static struct step inside[] = {{.kind = STEP_COPY, .label = third}},
                   steps[] = {{.kind = STEP_COPY, .label = first},
                              {.kind = STEP_WHILE, .label = second, .loop.body = {1, inside}},
                              {.kind = STEP_COPY, .label = fourth}};
static struct program program;

static struct program_value value(const int64_t *size, enum memory_kind memory, int alias)
{
    return (struct program_value){
        .shape = {.dtype = DTYPE_S8, .rank = 1, .dims = size, .memory = memory},
        .bytes = (uint64_t)*size,
        .alias = alias};
}

static void setup(void)
{
    parameters[0] = value(&dims[0], MEMORY_DEVICE, -1);
    parameters[1] = value(&dims[1], MEMORY_DEVICE, 0);
    parameters[2] = value(&dims[2], MEMORY_PINNED_HOST, -1);
    results[0] = value(&dims[1], MEMORY_DEVICE, 1);
    results[1] = value(&dims[3], MEMORY_DEVICE, -1);
    program = (struct program){.parameter_count = 3,
                               .parameters = parameters,
                               .result_count = 2,
                               .results = results,
                               .allocation_count = 4,
                               .allocations = allocations,
                               .constants_size = 65,
                               .steps = {3, steps},
                               .buffer_count = 5,
                               .buffers = buffers};
}

TestSuite(program_memory, .init = setup);

Test(program_memory, sums_by_kind)
{
    struct program_memory memory;
    program_memory(&program, MEMORY_DEVICE, &memory);
    cr_expect_eq(memory.arguments, 300);
    cr_expect_eq(memory.results, 210);
    cr_expect_eq(memory.aliases, 200);
    cr_expect_eq(memory.temporaries, 1000);
    cr_expect_eq(memory.constants, 128);
    cr_expect_eq(memory.peak, 128 + 256 + 64 + 1024 + 128);
    program_memory(&program, MEMORY_PINNED_HOST, &memory);
    cr_expect_eq(memory.peak, 64 + 128);
    cr_expect_eq(memory.constants, 0);
    program_memory(&program, MEMORY_UNPINNED_HOST, &memory);
    cr_expect_eq(memory.peak, 0);
}

/* Sums for an unchecked program do not wrap around. */
Test(program_memory, sums_saturate)
{
    struct program_memory memory;
    parameters[0].bytes = UINT64_MAX - 5;
    program_memory(&program, MEMORY_DEVICE, &memory);
    cr_expect_eq(memory.peak, UINT64_MAX);
    cr_expect_eq(memory.arguments, UINT64_MAX);
}

Test(program_memory, use_over_program_order)
{
    struct program_memory_curve curve;
    cr_assert_null(program_memory_curve(&program, MEMORY_DEVICE, &curve));
    cr_assert_eq(curve.step_count, 4);
    cr_expect_arr_eq(curve.live, ((uint64_t[]){400, 464, 700, 300}), 32);
    cr_expect_eq(curve.peak_step, 2);
    cr_expect_eq(curve.peak_live, 700);
    program_memory_curve_free(&curve);
    program.steps.count = program.buffer_count = 0;
    cr_assert_null(program_memory_curve(&program, MEMORY_DEVICE, &curve));
    cr_expect_eq(curve.step_count, 0);
    cr_expect_eq(curve.peak_live, 0);
    program_memory_curve_free(&curve);
}

static void expect_uses(const struct program_memory_use *uses, int count, const char *expected)
{
    const struct step *in_order[4];
    struct text text = {0};
    program_list_steps(&program, in_order);
    for (int i = 0; i < count; i++) {
        text_add(&text, "%llu ", (unsigned long long)uses[i].bytes);
        program_memory_print_use(&program, in_order, &uses[i], &text);
        text_add(&text, "\n");
    }
    cr_expect_str_eq(text.data, expected);
    text_free(&text);
}

Test(program_memory, largest_at_a_step)
{
    struct program_memory_use uses[10];
    int count = program_memory_largest(&program, MEMORY_DEVICE, 2, 10, uses);
    expect_uses(uses, count,
                "400 f32[100] of dot: f (a.py:1:1)\n300 f32[100] of add: f (a.py:2:1)\n"
                "200 argument 1, s8[200]\n128 constants\n100 argument 0, s8[100]\n"
                "10 result 1, s8[10]\n");
    count = program_memory_largest(&program, MEMORY_DEVICE, 1, 2, uses);
    expect_uses(uses, count, "400 f32[100] of dot: f (a.py:1:1)\n200 argument 1, s8[200]\n");
    count = program_memory_largest(&program, MEMORY_PINNED_HOST, 0, 10, uses);
    expect_uses(uses, count,
                "100 s8[64] of dot: f (a.py:1:1)\n64 argument 2, s8[64] in pinned_host\n");
    cr_expect_eq(program_memory_largest(&program, MEMORY_DEVICE, 0, 0, uses), 0);
}
