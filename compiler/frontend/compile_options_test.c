/* compile_options_test.c: options that clients send, defaults, and malformed bytes. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "compiler/frontend/compile_options.h"
#include "compiler/ir/sharding.h"

#define FIXTURE_TESTS
#include "compiler/frontend_fixture.h"

#define DATA "compiler/frontend/testdata/compile_options_fuzz/"

static struct compile_options options;

TestSuite(compile_options, .init = begin, .fini = end);

static void expect_error(const char *data, size_t size, const char *words)
{
    struct error *error = compile_options_read(arena, data, size, false, &options);
    cr_assert_not_null(error);
    cr_assert_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_assert_not_null(strstr(error_message(error, NULL), words), "%s", error_message(error, NULL));
    error_free(error);
}

Test(compile_options, nothing_gives_the_defaults)
{
    cr_assert_null(compile_options_read(arena, "", 0, false, &options));
    cr_assert_eq(options.num_replicas, 1);
    cr_assert_eq(options.num_partitions, 1);
    cr_assert_eq(options.device_ordinal, -1);
    cr_assert_null(options.device_assignment);
}

Test(compile_options, one_device)
{
    size_t size = fixture_load(DATA, "one.pb");
    cr_assert_null(compile_options_read(arena, bytes, size, false, &options));
    cr_assert_eq(options.num_replicas * options.num_partitions, 1);
    cr_assert_eq(options.device_assignment[0], 0);
    cr_assert(options.portable);
    cr_assert_not(options.use_spmd_partitioning);
}

Test(compile_options, replicas_and_partitions)
{
    static const int64_t devices[] = {5, 4, 3, 2, 1, 0};
    size_t size = fixture_load(DATA, "grid.pb");
    cr_assert_null(compile_options_read(arena, bytes, size, false, &options));
    cr_assert_eq(options.num_replicas, 2);
    cr_assert_eq(options.num_partitions, 3);
    cr_assert(options.use_spmd_partitioning);
    cr_assert_arr_eq(options.device_assignment, devices, sizeof devices);
}

Test(compile_options, options_by_name)
{
    cr_assert_null(
        compile_options_read(arena, "\x3a\x09\x0a\x05xla_a\x12\x00", 11, true, &options));
    expect_error("\x3a\x09\x0a\x05xla_a\x12\x00", 11, "No such compile option: 'xla_a'");
    expect_error("\x3a\x07\x0a\x03"
                 "abc\x12\x00",
                 9, "No such compile option: 'abc'");
}

/* num_partitions 2 and the ids of the mesh of automatic sharding, without its sizes. */
Test(compile_options, ids_of_a_mesh_without_sizes)
{
    static const char head[] = "\x1a\x07\x28\x02\x8a\x01\x02";
    static const char *const ids[] = {"\x01\x00", "\x01\x01", "\x00\x02"};
    static const char *const words[] = {NULL, "there twice", "out of range; each of 0 to 1"};
    for (int i = 0; i < 3; i++) {
        char data[9];
        memcpy(data, head, 7);
        memcpy(data + 7, ids[i], 2);
        if (words[i])
            expect_error(data, sizeof data, words[i]);
        else
            cr_assert_null(compile_options_read(arena, data, sizeof data, false, &options));
    }
    expect_error("\x1a\x06\x28\x02\x8a\x01\x01\x00", 8, "2 devices and 1 device ids");
}

/* The module may request more replicas than the options; then an assignment is too short. */
Test(compile_options, counts_of_the_module)
{
    size_t size = fixture_load(DATA, "grid.pb");
    cr_assert_null(compile_options_read(arena, bytes, size, false, &options));
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
    expect_error("\x1a\x08\x20\x80\x80\x04\x28\x80\x80\x04", 10,
                 "exceed the limit"); /* 65536 x 65536 */
}

/* ExecutableBuildOptionsProto of counts, with an assignment of counts of its own; every number is
 * one byte. */
static size_t grid(char *out, int replicas, int partitions, int rows, int columns, bool repeats)
{
    char *at = out + 2, *assignment;
    *at++ = 0x20, *at++ = (char)replicas, *at++ = 0x28, *at++ = (char)partitions;
    *at++ = 0x4a, assignment = at++;
    *at++ = 0x08, *at++ = (char)rows, *at++ = 0x10, *at++ = (char)columns;
    for (int p = 0; p < columns; p++) {
        *at++ = 0x1a, *at++ = (char)(rows + 2), *at++ = 0x0a, *at++ = (char)rows;
        for (int r = 0; r < rows; r++)
            *at++ = (char)(repeats ? 0 : p * rows + r);
    }
    *assignment = (char)(at - assignment - 1);
    out[0] = 0x1a, out[1] = (char)(at - out - 2);
    return (size_t)(at - out);
}

/* Replicas x partitions x sizes of the assignment: only what fits together is accepted. */
Test(compile_options, every_combination_of_counts)
{
    char data[200];
    for (int i = 0; i < 4 * 4 * 4 * 4; i++) {
        int replicas = i & 3, partitions = i >> 2 & 3, rows = i >> 4 & 3, columns = i >> 6 & 3;
        size_t size = grid(data, replicas, partitions, rows, columns, false);
        struct error *error = compile_options_read(arena, data, size, false, &options);
        bool fits = rows == (replicas ? replicas : 1) && columns == (partitions ? partitions : 1);
        cr_assert_eq(!error, fits, "%d x %d, assigned %d x %d: %s", replicas, partitions, rows,
                     columns, error_message(error, NULL));
        cr_assert(!fits || options.assignment_count == rows * columns);
        cr_assert(fits || error_code(error) == PJRT_Error_Code_INVALID_ARGUMENT);
        error_free(error);
    }
}

Test(compile_options, a_device_is_assigned_once)
{
    char data[200];
    for (int rows = 1; rows < 4; rows++)
        for (int columns = rows == 1 ? 2 : 1; columns < 4; columns++)
            expect_error(data, grid(data, rows, columns, rows, columns, true), "device 0 twice");
}

/* A map with one option and its value as a string. */
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
    cr_assert_null(compile_options_read(arena, data, size, false, &options));
    cr_assert_str_eq(options.dump_to, "/tmp/x");
    cr_assert_not(options.dump_as_proto);
    size = option(data, "xla_dump_hlo_as_proto", "True");
    cr_assert_null(compile_options_read(arena, data, size, false, &options));
    cr_assert(options.dump_as_proto);
    cr_assert_null(options.dump_to);
    size = option(data, "xla_dump_hlo_as_proto", "perhaps");
    expect_error(data, size, "'perhaps' is not a valid bool value.");
    expect_error("\x3a\x1a\x0a\x14xla_dump_hlo_as_text\x12\x02\x18\x02", 28,
                 "'2' is not a valid bool value.");
}

Test(compile_options, wrong_bytes)
{
    expect_error("\x1a\x05\x20\x01", 4,
                 "unexpected end of data");      /* a message longer than the bytes */
    expect_error("\x0b", 1, "wire type");        /* a group */
    expect_error("\x00\x00", 2, "field number"); /* field 0 */
    expect_error("\x22\x01x", 3, "wire type");   /* a bool with wire type bytes */
    expect_error("\x1a\x02\x20\xff", 4, "unexpected end of data");      /* an unterminated varint */
    expect_error("\x1a\x05\x20\xff\xff\xff\x7f", 7, "must be in [1, "); /* 268 million replicas */
    expect_error("\x1a\x06\x20\x02\x4a\x02\x08\x01", 8, "device assignment");
}

Test(compile_options, every_prefix_is_read_or_refused)
{
    size_t size = fixture_load(DATA, "grid.pb");
    int64_t live = alloc_live();
    for (size_t i = 0; i < size; i++) {
        struct arena *mine;
        cr_assert_null(arena_create(&mine));
        error_free(compile_options_read(mine, bytes, i, false, &options));
        arena_destroy(mine);
    }
    cr_assert_eq(alloc_live(), live);
}

static size_t file_size;

static struct error *read_once(struct arena *mine)
{
    return compile_options_read(mine, bytes, file_size, false, &options);
}

Test(compile_options, no_memory)
{
    file_size = fixture_load(DATA, "grid.pb");
    fixture_no_memory(read_once);
}

/* Clients send true with every program, so it is no request; false in the debug options, and either
 * by name, are. */
Test(compile_options, excess_precision)
{
    /* executable_build_options {debug_options {xla_allow_excess_precision}}: true, false */
    static const char on[] = {0x1a, 0x05, 0x1a, 0x03, (char)0xd0, 0x07, 1},
                      off[] = {0x1a, 0x05, 0x1a, 0x03, (char)0xd0, 0x07, 0};
    char data[200];
    cr_assert_null(compile_options_read(arena, "", 0, false, &options));
    cr_expect_eq(options.excess_precision, -1);
    cr_assert_null(compile_options_read(arena, on, sizeof on, false, &options));
    cr_expect_eq(options.excess_precision, -1);
    cr_assert_null(compile_options_read(arena, off, sizeof off, false, &options));
    cr_expect_eq(options.excess_precision, 0);
    size_t size = option(data, "xla_allow_excess_precision", "True");
    memcpy(data + size, off, sizeof off);
    cr_assert_null(compile_options_read(arena, data, size + sizeof off, false, &options));
    cr_expect_eq(options.excess_precision, 1);
    size = option(data, "xla_allow_excess_precision", "0");
    cr_assert_null(compile_options_read(arena, data, size, false, &options));
    cr_expect_eq(options.excess_precision, 0);
}

Test(compile_options, memory_fitting)
{
    /* executable_build_options {memory_fitting_level} or {memory_fitting_effort: 0.5} */
    static const char o2[] = {0x1a, 0x03, (char)0xc8, 0x01, 29},
                      o3[] = {0x1a, 0x03, (char)0xc8, 1, 39},
                      effort[] = {0x1a, 0x06, (char)0xad, 0x01, 0, 0, 0, 0x3f};
    cr_assert_null(compile_options_read(arena, "", 0, false, &options));
    cr_expect_not(options.fit_memory, "off by default");
    cr_assert_null(compile_options_read(arena, o2, sizeof o2, false, &options));
    cr_expect_not(options.fit_memory, "what clients send by default");
    cr_assert_null(compile_options_read(arena, o3, sizeof o3, false, &options));
    cr_expect(options.fit_memory);
    cr_assert_null(compile_options_read(arena, effort, sizeof effort, false, &options));
    cr_expect(options.fit_memory);
}

/* env_option_overrides {name: NAME value {string_field: "O3"}} */
Test(compile_options, memory_fitting_by_name)
{
    static const char level[] = "\x3a\x1c\x0a\x14memory_fitting_level\x12\x04\x0a\x02O3",
                      less[] = "\x3a\x1c\x0a\x14memory_fitting_level\x12\x04\x0a\x02O1";
    cr_assert_null(compile_options_read(arena, level, sizeof level - 1, false, &options));
    cr_expect(options.fit_memory);
    cr_assert_null(compile_options_read(arena, less, sizeof less - 1, false, &options));
    cr_expect_not(options.fit_memory);
}

/* Fields 5 (2 partitions), 12 and 18 of the build options. */
static const char with_flags[] = "\x1a\x0a\x28\x02\x62\x01\x00\x92\x01\x02\x01\x00";

static struct module *two_arguments(void)
{
    struct module *module = ir_module(arena, "m");
    const int64_t dims[] = {8, 4};
    const struct type *type = type_tensor(arena, DTYPE_F32, 2, dims);
    struct func *func = module->entry = ir_func(module, "main");
    func->body = ir_block(module, func, NULL, 2, (const struct type *[]){type, type});
    func->result_count = 2;
    func->result_types = arena_copy(arena, (const struct type *[]){type, type}, 2 * sizeof type);
    return module;
}

/* The same, with the first dimension of the first argument sharded over two partitions. */
static struct module *sharded_argument(void)
{
    static struct axis_ref axis = {0};
    static struct dim_sharding dims[2] = {{.axes = {1, &axis}}};
    static const char *names[] = {"x"};
    static const int64_t sizes[] = {2};
    static struct mesh mesh = {
        .axis_count = 1, .axis_names = names, .axis_sizes = sizes, .device_count = 2};
    static struct sharding sharding = {.mesh = &mesh, .rank = 2, .dims = dims};
    struct module *module = two_arguments();
    struct type *type = arena_copy(arena, module->entry->body->arguments[0].type, sizeof *type);
    type->sharding = &sharding;
    module->entry->body->arguments[0].type = type;
    return module;
}

Test(compile_options, partitions_are_those_of_one_program)
{
    cr_assert_null(compile_options_read(arena, "\x1a\x04\x28\x02\x30\x01", 6, false, &options));
    cr_expect_eq(options.num_partitions, 2);
    cr_assert_null(compile_options_apply(&options, sharded_argument()));
    cr_assert_null(compile_options_read(arena, "\x1a\x02\x28\x02", 4, false, &options));
    cr_assert_null(compile_options_apply(&options, two_arguments()));
    struct error *error = compile_options_apply(&options, sharded_argument());
    cr_assert_not_null(error);
    cr_expect(strstr(error_message(error, NULL), "2 partitions without use_spmd_partitioning"));
    cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    error_free(error);
}

Test(compile_options, shardings_that_the_compiler_chooses)
{
    cr_assert_null(compile_options_read(arena, with_flags, sizeof with_flags - 1, false, &options));
    cr_assert(options.free_results.count == 1 && !options.free_results.at[0]);
    cr_assert(options.free_parameters.count == 2 && options.free_parameters.at[0]);
    struct module *module = two_arguments();
    cr_assert_null(compile_options_apply(&options, module));
    const struct func *func = module->entry;
    cr_expect(func->argument_infos[0].sharding_free && !func->argument_infos[1].sharding_free);
    cr_expect_null(func->body->arguments[0].type->sharding);
    cr_expect(sharding_check(func->body->arguments[1].type->sharding, 2) == NULL);
    cr_expect(func->result_types[0]->sharding && func->result_types[1]->sharding);
    cr_expect_eq(func->result_infos[1].alias_result, -1);
}

Test(compile_options, programs_of_one_partition_keep_their_types)
{
    cr_assert_null(compile_options_read(arena, with_flags, sizeof with_flags - 1, false, &options));
    options.num_partitions = 1;
    struct module *module = two_arguments();
    cr_assert_null(compile_options_apply(&options, module));
    cr_expect_null(module->entry->body->arguments[1].type->sharding);
    cr_expect_null(module->entry->argument_infos);
}
