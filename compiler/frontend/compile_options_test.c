/* compile_options_test.c: what clients send, defaults, and bytes that are wrong. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "compiler/frontend/compile_options.h"

#define FIXTURE_TESTS
#include "compiler/frontend_fixture.h"

#define DATA "compiler/frontend/testdata/compile_options_fuzz/"

static struct compile_options options;

TestSuite(compile_options, .init = begin, .fini = end);

static void expect_error(const char *data, size_t size, const char *words)
{
    struct error *error = compile_options_read(arena, data, size, &options);
    cr_assert_not_null(error);
    cr_assert_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_assert_not_null(strstr(error_message(error, NULL), words), "%s", error_message(error, NULL));
    error_free(error);
}

Test(compile_options, nothing_gives_the_defaults)
{
    cr_assert_null(compile_options_read(arena, "", 0, &options));
    cr_assert_eq(options.num_replicas, 1);
    cr_assert_eq(options.num_partitions, 1);
    cr_assert_eq(options.device_ordinal, -1);
    cr_assert_null(options.device_assignment);
}

Test(compile_options, one_device)
{
    size_t size = fixture_load(DATA, "one.pb");
    cr_assert_null(compile_options_read(arena, bytes, size, &options));
    cr_assert_eq(options.num_replicas * options.num_partitions, 1);
    cr_assert_eq(options.device_assignment[0], 0);
    cr_assert(options.portable);
    cr_assert_not(options.use_spmd_partitioning);
}

Test(compile_options, replicas_and_partitions)
{
    static const int64_t devices[] = {5, 4, 3, 2, 1, 0};
    size_t size = fixture_load(DATA, "grid.pb");
    cr_assert_null(compile_options_read(arena, bytes, size, &options));
    cr_assert_eq(options.num_replicas, 2);
    cr_assert_eq(options.num_partitions, 3);
    cr_assert(options.use_spmd_partitioning);
    cr_assert(options.use_shardy_partitioner);
    cr_assert_arr_eq(options.device_assignment, devices, sizeof devices);
}

Test(compile_options, options_by_name)
{
    cr_assert_null(compile_options_read(arena, "\x3a\x09\x0a\x05xla_a\x12\x00", 11, &options));
    expect_error("\x3a\x07\x0a\x03"
                 "abc\x12\x00",
                 9, "No such compile option: 'abc'");
}

/* The module may ask for more replicas than the options have; an assignment is then too short. */
Test(compile_options, counts_of_the_module)
{
    size_t size = fixture_load(DATA, "grid.pb");
    cr_assert_null(compile_options_read(arena, bytes, size, &options));
    cr_assert_eq(options.assignment_count, 6);
    cr_assert_null(compile_options_raise(&options, 2, 1));
    static const int counts[][2] = {{3, 1}, {1, 4}, {1000, 1}, {200000000, 1}, {65536, 65536}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct compile_options raised = options;
        struct error *error = compile_options_raise(&raised, counts[i][0], counts[i][1]);
        cr_assert_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT, "%zu", i);
        error_free(error);
    }
    options = (struct compile_options){.num_replicas = 1, .num_partitions = 1};
    cr_assert_null(compile_options_raise(&options, 1000, 1));
    cr_assert_eq(options.num_replicas, 1000);
    expect_error("\x1a\x08\x20\x80\x80\x04\x28\x80\x80\x04", 10, "at most"); /* 65536 x 65536 */
}

/* An option by name with a string for its value, as the one entry of the map. */
static size_t option(char *out, const char *name, const char *value)
{
    int length = (int)strlen(name), size = (int)strlen(value);
    return (size_t)sprintf(out, "\x3a%c\x0a%c%s\x12%c\x0a%c%s", length + size + 6, length, name,
                           size + 2, size, value);
}

Test(compile_options, values_of_options)
{
    char data[200];
    size_t size = option(data, "xla_dump_to", "/tmp/x");
    cr_assert_null(compile_options_read(arena, data, size, &options));
    cr_assert_str_eq(options.dump_to, "/tmp/x");
    cr_assert_not(options.dump_as_proto);
    size = option(data, "xla_dump_hlo_as_proto", "True");
    cr_assert_null(compile_options_read(arena, data, size, &options));
    cr_assert(options.dump_as_proto);
    cr_assert_null(options.dump_to);
    size = option(data, "xla_dump_hlo_as_proto", "perhaps");
    expect_error(data, size, "'perhaps' is not a valid bool value.");
    expect_error("\x3a\x1a\x0a\x14xla_dump_hlo_as_text\x12\x02\x18\x02", 28,
                 "'a number' is not a valid bool value.");
}

Test(compile_options, wrong_bytes)
{
    expect_error("\x1a\x05\x20\x01", 4, "end too early"); /* a message longer than the bytes */
    expect_error("\x0b", 1, "wire type");                 /* a group */
    expect_error("\x00\x00", 2, "field number");          /* field 0 */
    expect_error("\x22\x01x", 3, "wire type");            /* a bool that is bytes */
    expect_error("\x1a\x02\x20\xff", 4, "end too early"); /* a number that does not end */
    expect_error("\x1a\x05\x20\xff\xff\xff\x7f", 7, "allowed"); /* 268 million replicas */
    expect_error("\x1a\x06\x20\x02\x4a\x02\x08\x01", 8, "device assignment");
}

Test(compile_options, every_prefix_is_read_or_refused)
{
    size_t size = fixture_load(DATA, "grid.pb");
    int64_t live = alloc_live();
    for (size_t i = 0; i < size; i++) {
        struct arena *mine;
        cr_assert_null(arena_create(&mine));
        error_free(compile_options_read(mine, bytes, i, &options));
        arena_destroy(mine);
    }
    cr_assert_eq(alloc_live(), live);
}

static size_t file_size;

static struct error *read_once(struct arena *mine)
{
    return compile_options_read(mine, bytes, file_size, &options);
}

Test(compile_options, no_memory)
{
    file_size = fixture_load(DATA, "grid.pb");
    fixture_no_memory(read_once);
}
