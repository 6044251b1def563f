/* mesh_groups_test.c: groups by hand for a mesh of 4 x 2 devices and one axis of 8, and errors. */
#include "compiler/ir/mesh_groups.h"

#include <criterion/criterion.h>
#include <string.h>

static struct arena *arena;

static void begin(void)
{
    cr_assert_null(arena_create(&arena));
}

static void end(void)
{
    arena_destroy(arena);
}

TestSuite(mesh_groups, .init = begin, .fini = end);

static const int64_t reversed[] = {7, 6, 5, 4, 3, 2, 1, 0};
static const struct mesh grid = {
    "grid", 2, (const char *const[]){"x", "y"}, (const int64_t[]){4, 2}, 8, NULL};
static const struct mesh back = {
    "back", 2, (const char *const[]){"x", "y"}, (const int64_t[]){4, 2}, 8, reversed};
static const struct mesh line = {"line", 1,   (const char *const[]){"x"}, (const int64_t[]){12},
                                 12,     NULL};
static const struct axis_ref x = {0, 0, 0}, y = {1, 0, 0}, major = {0, 1, 2}, minor = {0, 2, 2};

#define AXES(...)                                                                                  \
    (struct axis_refs)                                                                             \
    {                                                                                              \
        sizeof((struct axis_ref[]){__VA_ARGS__}) / sizeof(struct axis_ref), (struct axis_ref[])    \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

/* "0 2|1 3": members, groups. */
static void expect(const struct mesh *mesh, struct axis_refs axes, const char *expected)
{
    struct pairs groups;
    struct text text = {0};
    struct error *error = mesh_groups(arena, mesh, axes, &groups);
    cr_assert_null(error, "%s", error ? error_message(error, NULL) : "");
    for (int64_t i = 0; i < groups.rows * groups.columns; i++)
        text_add(&text, "%s%lld",
                 i == 0               ? ""
                 : i % groups.columns ? " "
                                      : "|",
                 (long long)groups.at[i]);
    cr_expect_str_eq(text.data, expected);
    text_free(&text);
}

Test(mesh_groups, whole_axes_number_members_in_their_order)
{
    expect(&grid, AXES(x), "0 2 4 6|1 3 5 7");
    expect(&grid, AXES(y), "0 1|2 3|4 5|6 7");
    expect(&grid, AXES(x, y), "0 1 2 3 4 5 6 7");
    expect(&grid, AXES(y, x), "0 2 4 6 1 3 5 7");
    expect(&grid, (struct axis_refs){0}, "0|1|2|3|4|5|6|7");
}

Test(mesh_groups, sub_axes_leave_the_rest_of_their_axis)
{
    expect(&grid, AXES(major), "0 4|1 5|2 6|3 7");
    expect(&grid, AXES(minor), "0 2|1 3|4 6|5 7");
    expect(&grid, AXES(minor, major), "0 4 2 6|1 5 3 7");
    expect(&line, AXES({0, 2, 3}), "0 2 4|1 3 5|6 8 10|7 9 11");
}

Test(mesh_groups, device_ids_replace_positions)
{
    expect(&back, AXES(x), "7 5 3 1|6 4 2 0");
    expect(&back, AXES(y, minor), "7 5 6 4|3 1 2 0");
}

static void expect_error(const struct mesh *mesh, struct axis_refs axes, const char *words)
{
    struct pairs groups;
    struct error *error = mesh_groups(arena, mesh, axes, &groups);
    cr_assert_not_null(error, "accepted: %s", words);
    cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_expect(strstr(error_message(error, NULL), words), "%s", error_message(error, NULL));
    error_free(error);
}

Test(mesh_groups, wrong_axes)
{
    expect_error(&grid, AXES({2, 0, 0}), "axis 2 of a mesh of 2 axes");
    expect_error(&grid, AXES({-1, 0, 0}), "axis -1");
    expect_error(&grid, AXES(x, x), "uses axis \"x\" twice");
    expect_error(&grid, AXES(x, minor), "uses axis \"x\" twice");
    expect_error(&grid, AXES({0, 1, 3}), "(1)3 of axis \"x\"");
    expect_error(&grid, AXES({0, INT64_MAX, INT64_MAX}), "must divide");
    expect_error(&line, AXES({0, 1, 2}, {0, 3, 2}), "must begin at a multiple of 2");
}
