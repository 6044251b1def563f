#include "compiler/frontend/auto_options.h"

#include <criterion/criterion.h>
#include <string.h>

static struct auto_request request;

static void expect(const char *name, const char *text)
{
    struct error *error = auto_options_read(&(struct auto_option){name, text, 0}, &request);
    cr_assert_null(error, "%s=%s: %s", name, text, error ? error_message(error, NULL) : "");
}

static void refuse(const char *name, const char *text, const char *words)
{
    struct error *error = auto_options_read(&(struct auto_option){name, text, 0}, &request);
    cr_assert_not_null(error, "%s=%s", name, text);
    cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_expect(strstr(error_message(error, NULL), words), "%s", error_message(error, NULL));
    error_free(error);
}

Test(auto_options, meshes)
{
    expect("gantry_auto_sharding_mesh", "2x4x1");
    cr_expect_eq(request.axis_count, 3);
    cr_expect_eq(request.axis_sizes[1], 4);
    refuse("gantry_auto_sharding_mesh", "", "like 4x4");
    refuse("gantry_auto_sharding_mesh", "2x", "like 4x4");
    refuse("gantry_auto_sharding_mesh", "2,4", "like 4x4");
    refuse("gantry_auto_sharding_mesh", " 2x4", "like 4x4");
    refuse("gantry_auto_sharding_mesh", "+2x4", "like 4x4");
    refuse("gantry_auto_sharding_mesh", "2x 4", "like 4x4");
    refuse("gantry_auto_sharding_mesh", "2x+4", "like 4x4");
    refuse("gantry_auto_sharding_mesh", "0x4", "at least 1");
    refuse("gantry_auto_sharding_mesh", "-2x-4", "at least 1");
    refuse("gantry_auto_sharding_mesh", "99999999999999999999", "at most");
    refuse("gantry_auto_sharding_mesh", "2x2x2x2x2x2x2", "1 to 6");
}

Test(auto_options, memory)
{
    expect("gantry_auto_sharding_memory", "1000000");
    cr_expect_eq(request.memory_bytes, 1000000);
    expect("gantry_auto_sharding_memory", "1.5G");
    cr_expect_eq(request.memory_bytes, (uint64_t)3 << 29);
    const char *const wrong[] = {"", "0", "-1", "nan", "1e30", "12 G", "12GB", "much"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refuse("gantry_auto_sharding_memory", wrong[i], "1 to 1e18 bytes");
}

Test(auto_options, seconds)
{
    expect("gantry_auto_sharding_seconds", "30");
    cr_expect_eq(request.effort, 30);
    struct auto_option number = {"gantry_auto_sharding_seconds", NULL, 5};
    cr_assert_null(auto_options_read(&number, &request));
    cr_expect_eq(request.effort, 5);
    refuse("gantry_auto_sharding_seconds", "0", "1 to 1000000");
    refuse("gantry_auto_sharding_seconds", "1e9", "1 to 1000000");
    refuse("gantry_auto_sharding_seconds", "5s", "1 to 1000000");
}

static struct error *read_mesh(size_t axes, const int64_t *sizes, size_t count, const int64_t *ids)
{
    struct arena *arena;
    cr_assert_null(arena_create(&arena));
    struct error *error = auto_options_mesh(arena, axes, sizes, count, ids, &request);
    arena_destroy(arena);
    return error;
}

static void refuse_ids(size_t count, const int64_t *ids, const char *words)
{
    struct error *error = read_mesh(2, (int64_t[]){2, 2}, count, ids);
    cr_assert_not_null(error);
    cr_expect(strstr(error_message(error, NULL), words), "%s", error_message(error, NULL));
    error_free(error);
}

Test(auto_options, ids_of_a_mesh)
{
    cr_assert_null(read_mesh(2, (int64_t[]){2, 2}, 4, (int64_t[]){0, 1, 2, 3}));
    cr_expect_null(request.device_ids);
    cr_assert_null(read_mesh(2, (int64_t[]){2, 2}, 4, (int64_t[]){0, 2, 1, 3}));
    cr_expect_not_null(request.device_ids);
    refuse_ids(3, (int64_t[]){0, 1, 2}, "must be equal");
    refuse_ids(4, (int64_t[]){0, 1, 2, 4}, "out of range");
    refuse_ids(4, (int64_t[]){0, 1, 2, -1}, "out of range");
    refuse_ids(4, (int64_t[]){0, 1, 2, 1}, "twice");
    refuse_ids(4, (int64_t[]){INT64_MIN, 1, 2, INT64_MAX}, "out of range");
}
