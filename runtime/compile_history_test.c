#include "runtime/compile_history.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/thread.h"

static struct compile_history_entry entries[HISTORY_NAMES];

/* Compiles a program of that name with one argument f32[size]; returns the reason. */
static const char *reason(const char *name, int64_t size, struct module_outline outline)
{
    struct program_value parameter = {.shape = {.dtype = DTYPE_F32, .rank = 1, .dims = &size}};
    struct program program = {
        .name = (char *)(uintptr_t)name, .parameter_count = 1, .parameters = &parameter};
    compile_history_add(&program, &outline, 1000);
    size_t count = compile_history_read(entries, HISTORY_NAMES);
    for (size_t i = 0; i < count; i++)
        if (!strcmp(entries[i].name, name))
            return entries[i].reason;
    return "none";
}

static struct module_outline outline_of(uint64_t operations, uint64_t constant)
{
    struct module_outline outline = {.operations = operations, .constants = constant, .count = 1};
    outline.first[0].hash = constant;
    snprintf(outline.first[0].value, OUTLINE_VALUE, "%d", (int)constant);
    snprintf(outline.first[0].place, OUTLINE_PLACE, "train.py:7");
    return outline;
}

Test(compile_history, says_why)
{
    cr_assert_str_eq(reason("f", 4, outline_of(1, 2)), "");
    cr_assert_str_eq(reason("f", 5, outline_of(1, 2)), "argument 0 was f32[4], is f32[5]");
    cr_assert_str_eq(reason("f", 5, outline_of(1, 3)), "a constant at train.py:7 was 2, is 3");
    cr_assert_str_eq(reason("f", 5, outline_of(9, 3)), "it has other operations, or attributes");
    cr_assert_str_eq(reason("f", 5, outline_of(9, 3)),
                     "the client asked again for the same operations");
    cr_assert_str_eq(reason("g", 5, outline_of(9, 3)), "");
}

/* jax.numpy.ones((n,)): the argument is a scalar, and only the result has other sizes. */
Test(compile_history, another_type_of_a_result)
{
    int64_t size = 4;
    struct program_value result = {.shape = {.dtype = DTYPE_F32, .rank = 1, .dims = &size}};
    struct program program = {.name = (char[]){"ones"}, .result_count = 1, .results = &result};
    struct module_outline outline = outline_of(1, 2);
    compile_history_add(&program, &outline, 1);
    size = 5;
    compile_history_add(&program, &outline, 1);
    cr_assert(compile_history_read(entries, 1) == 1);
    cr_assert_str_eq(entries[0].reason, "result 0 was f32[4], is f32[5]");
}

Test(compile_history, another_number_of_arguments)
{
    struct program program = {.name = (char[]){"f"}};
    struct module_outline outline = outline_of(1, 2);
    compile_history_add(&program, &outline, 1);
    cr_assert_str_eq(reason("f", 4, outline), "argument 0 was absent, is f32[4]");
}

Test(compile_history, the_dearest_first_and_no_more_than_asked)
{
    for (int i = 0; i < 3; i++)
        reason("twice", 4, outline_of(1, 2));
    reason("once", 4, outline_of(1, 2));
    cr_assert(compile_history_read(entries, 1) == 1);
    cr_assert_str_eq(entries[0].name, "twice");
    cr_assert(entries[0].compilations == 3 && entries[0].total_ns == 3000);
    cr_assert(compile_history_read(entries, 0) == 0);
}

Test(compile_history, is_bounded)
{
    char name[32];
    for (int i = 0; i < 2 * HISTORY_NAMES; i++) {
        snprintf(name, sizeof name, "f%d", i);
        cr_assert_str_eq(reason(name, 4, outline_of(1, 2)), "");
    }
    cr_assert(compile_history_read(entries, HISTORY_NAMES) == HISTORY_NAMES);
    cr_assert_str_neq(reason("f511", 4, outline_of(1, 2)), "");
    cr_assert_str_eq(reason("f0", 4, outline_of(1, 2)), "", "forgotten");
}

static void add_some(void *context, int i)
{
    struct program program = {.name = (char[]){"f"}};
    struct module_outline outline = outline_of((uint64_t)i, 1);
    (void)context;
    for (int k = 0; k < 200; k++)
        compile_history_add(&program, &outline, 1);
}

Test(compile_history, many_threads)
{
    thread_parallel("history", 8, 8, add_some, NULL);
    cr_assert(compile_history_read(entries, 1) == 1 && entries[0].compilations == 1600);
}
