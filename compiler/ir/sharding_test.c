#include "compiler/ir/sharding.h"

#include <criterion/criterion.h>
#include <string.h>

static const struct mesh mesh = {
    "mesh", 2, (const char *const[]){"x", "y"}, (const int64_t[]){4, 6}, 24, NULL};
static const struct axis_ref x = {0, 0, 0}, y = {1, 0, 0}, y_major = {1, 1, 2}, y_minor = {1, 2, 3};

/* [{first}, {second, ?}p1], replicated={third} */
static struct sharding make(struct dim_sharding *dims, const struct axis_ref *first,
                            const struct axis_ref *second, const struct axis_ref *third)
{
    dims[0] = (struct dim_sharding){{1, first}, true, -1};
    dims[1] = (struct dim_sharding){{1, second}, false, 1};
    return (struct sharding){
        .mesh = &mesh, .rank = 2, .dims = dims, .replicated = {third ? 1 : 0, third}};
}

static void expect_bad(const struct sharding *sharding, int rank, const char *words)
{
    struct error *error = sharding_check(sharding, rank);
    cr_assert_not_null(error, "accepted: %s", words);
    cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_expect(strstr(error_message(error, NULL), words), "'%s' is not in '%s'", words,
              error_message(error, NULL));
    error_free(error);
}

static void expect_print(const struct sharding *sharding, const char *expected)
{
    struct text text = {0};
    sharding_print(sharding, &text);
    cr_expect_str_eq(text.data, expected);
    text_free(&text);
}

Test(sharding, prints_as_shardy_does)
{
    struct dim_sharding dims[2];
    struct sharding sharding = make(dims, &x, &y_major, &y_minor);
    expect_print(&sharding, "#sdy.sharding<@mesh, [{\"x\"}, {\"y\":(1)2, ?}p1], "
                            "replicated={\"y\":(2)3}>");
    struct mesh unnamed = {
        NULL, 1, (const char *const[]){"a"}, (const int64_t[]){2}, 2, (const int64_t[]){1, 0}};
    sharding = (struct sharding){.mesh = &unnamed, .manual = {1, &x}, .unreduced = {1, &x}};
    expect_print(&sharding, "#sdy.sharding<mesh<[\"a\"=2], device_ids=[1, 0]>, [], "
                            "unreduced={\"a\"}, manual={\"a\"}>");
    sharding = (struct sharding){.kind = SHARDING_MAXIMAL, .device = 3};
    expect_print(&sharding, "#sdy.sharding<mesh<[], device_ids=[3]>, []>");
}

Test(sharding, equality_compares_every_part)
{
    struct dim_sharding dims[2], others[2];
    struct sharding a = make(dims, &x, &y_major, NULL), b = make(others, &x, &y_major, NULL);
    struct mesh copy = mesh;
    b.mesh = &copy;
    cr_expect(sharding_equal(&a, &b));
    cr_expect(!sharding_equal(&a, NULL));
    others[1].is_closed = true;
    cr_expect(!sharding_equal(&a, &b));
    b = make(others, &x, &y_minor, NULL);
    cr_expect(!sharding_equal(&a, &b));
    b = make(others, &x, &y_major, &y_minor);
    cr_expect(!sharding_equal(&a, &b));
    b = make(others, &x, &y_major, NULL);
    b.manual = (struct axis_refs){1, &y};
    cr_expect(!sharding_equal(&a, &b));
    b.manual = (struct axis_refs){0};
    copy.axis_sizes = (const int64_t[]){6, 4};
    b.mesh = &copy;
    cr_expect(!sharding_equal(&a, &b));
}

Test(sharding, sizes_along_axes)
{
    cr_expect_eq(sharding_axis_size(&mesh, y), 6);
    cr_expect_eq(sharding_axis_size(&mesh, y_minor), 3);
    cr_expect_eq(sharding_axes_size(&mesh, (struct axis_refs){2, (struct axis_ref[]){x, y}}), 24);
    cr_expect(sharding_axes_overlap(&mesh, y, y_minor));
    cr_expect(!sharding_axes_overlap(&mesh, y_major, y_minor));
    cr_expect(!sharding_axes_overlap(&mesh, x, y));
    struct dim_sharding dims[2];
    struct sharding sharding = make(dims, &x, &y_major, NULL);
    cr_expect_eq(sharding_manual_size(&sharding, 0), 1);
    sharding.manual = (struct axis_refs){1, &y};
    cr_expect_eq(sharding_manual_size(&sharding, 0), 1);
    cr_expect_eq(sharding_manual_size(&sharding, 1), 2);
}

Test(sharding, checks)
{
    struct dim_sharding dims[2];
    struct sharding sharding = make(dims, &x, &y_major, &y_minor);
    cr_expect_null(sharding_check(&sharding, 2));
    expect_bad(&sharding, 1, "a sharding of 2 dimensions is given for a tensor of 1");
    sharding = make(dims, &x, &x, NULL);
    expect_bad(&sharding, 2, "uses axis \"x\" twice");
    sharding = make(dims, &y, &y_minor, NULL);
    expect_bad(&sharding, 2, "uses axis \"y\" twice");
    sharding = make(dims, &x, &(struct axis_ref){1, 2, 2}, NULL);
    expect_bad(&sharding, 2, "the sub-axis (2)2 of axis \"y\"");
    sharding = make(dims, &x, &(struct axis_ref){1, INT64_MAX, 4}, NULL);
    expect_bad(&sharding, 2, "must divide");
    sharding = make(dims, &x, &(struct axis_ref){2, 0, 0}, NULL);
    expect_bad(&sharding, 2, "axis 2 of a mesh of 2 axes");
    sharding = make(dims, &x, &y, NULL);
    struct mesh large = mesh;
    large.device_count = SHARDING_MAX_DEVICES + 1;
    sharding.mesh = &large;
    expect_bad(&sharding, 2, "1048577 devices");
    sharding = (struct sharding){.kind = SHARDING_MAXIMAL, .device = -1};
    expect_bad(&sharding, 0, "on device -1");
}

Test(sharding, replicated)
{
    struct arena *arena;
    cr_assert_null(arena_create(&arena));
    expect_print(sharding_replicated(arena, &mesh, 2, true), "#sdy.sharding<@mesh, [{}, {}]>");
    expect_print(sharding_replicated(arena, &mesh, 1, false), "#sdy.sharding<@mesh, [{?}]>");
    arena_destroy(arena);
}

Test(sharding, only_tensors_have_one_of_their_rank)
{
    struct arena *arena;
    const struct type *out;
    cr_assert_null(arena_create(&arena));
    const int64_t sizes[] = {4, 6};
    const struct type *matrix = type_tensor(arena, DTYPE_F32, 2, sizes);
    const struct sharding *two = sharding_replicated(arena, &mesh, 2, true);
    cr_assert_null(sharding_attach(arena, matrix, two, &out));
    cr_expect_eq(out->sharding, two);
    cr_expect_null(sharding_check_type(out));
    struct error *error = sharding_attach(arena, type_scalar(arena, DTYPE_F32), two, &out);
    cr_assert_not_null(error);
    error_free(error);
    cr_assert_null(sharding_attach(arena, type_token(arena), two, &out));
    cr_expect_null(out->sharding);
    struct type token = *out;
    token.sharding = two;
    error = sharding_check_type(&token);
    cr_assert_not_null(error);
    error_free(error);
    arena_destroy(arena);
}
