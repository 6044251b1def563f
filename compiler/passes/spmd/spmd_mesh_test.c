#include "compiler/passes/spmd/spmd_mesh.h"

#include "compiler/passes/passes_fixture.h"

TestSuite(spmd_mesh, .init = fixture_begin, .fini = fixture_end);

static const char *const names[] = {"x", "y"};

static const struct mesh *mesh_of(int64_t x, int64_t y, const int64_t *ids)
{
    struct mesh *mesh = ARENA_NEW(fixture_arena, struct mesh);
    int64_t sizes[] = {x, y};
    *mesh = (struct mesh){.axis_count = 2,
                          .axis_names = names,
                          .axis_sizes = arena_copy(fixture_arena, sizes, sizeof sizes),
                          .device_count = x * y,
                          .device_ids = ids};
    return mesh;
}

/* Dimension 0 over one axis, or a part of it. */
static const struct sharding *over(const struct mesh *mesh, struct axis_ref axis)
{
    struct sharding *sharding = ARENA_NEW(fixture_arena, struct sharding);
    struct dim_sharding *dims = ARENA_ARRAY(fixture_arena, struct dim_sharding, 2);
    dims[0].axes = (struct axis_refs){1, arena_copy(fixture_arena, &axis, sizeof axis)};
    dims[0].is_closed = true;
    *sharding = (struct sharding){.mesh = mesh, .rank = 2, .dims = dims};
    return sharding;
}

static const struct sharding *over_axis(const struct mesh *mesh, int axis)
{
    return over(mesh, (struct axis_ref){.axis = axis});
}

/* The mesh of a program whose argument i has sharding i; NULL and its error when there is none. */
static const struct spmd_mesh *make(int partitions, int count,
                                    const struct sharding *const *shardings, struct error **error)
{
    const struct spmd_mesh *mesh = NULL;
    MAIN("f32 8 8", "f32 8 8", "f32 8 8");
    for (int i = 0; i < count; i++) {
        struct type *type = arena_copy(fixture_arena, argument(i)->type, sizeof *type);
        type->sharding = shardings[i];
        argument(i)->type = type;
    }
    RETURN(argument(0));
    fixture.module->num_partitions = partitions;
    *error = spmd_mesh_create(fixture.module, &mesh);
    return mesh;
}

static void expect_axes(const struct spmd_mesh *mesh, const struct sharding *sharding, int count,
                        int first)
{
    const struct tiling *tiling = spmd_mesh_tiling(fixture_arena, mesh, sharding, sharding->rank);
    cr_assert_eq(tiling->dims[0].count, count);
    for (int i = 0; i < count; i++)
        cr_expect_eq(tiling->dims[0].at[i], first + i);
    cr_expect_eq(tiling->dims[1].count, 0);
}

Test(spmd_mesh, views_have_a_common_refinement)
{
    const struct mesh *tall = mesh_of(4, 2, NULL), *wide = mesh_of(2, 4, NULL);
    const struct sharding *at[] = {over_axis(tall, 0), over_axis(wide, 1), over_axis(tall, 1)};
    struct error *error;
    const struct spmd_mesh *mesh = make(8, 3, at, &error);
    cr_assert_null(error);
    const struct device_grid *grid = spmd_mesh_grid(mesh);
    cr_assert_eq(grid->axis_count, 3);
    cr_expect_eq(grid->strides[0], 4);
    cr_expect_eq(grid->strides[2], 1);
    expect_axes(mesh, at[0], 2, 0);
    expect_axes(mesh, at[1], 2, 1);
    expect_axes(mesh, at[2], 1, 2);
}

Test(spmd_mesh, parts_of_axes_are_axes)
{
    const struct mesh *tall = mesh_of(8, 1, NULL);
    const struct sharding *at[] = {over(tall, (struct axis_ref){0, 2, 2})};
    struct error *error;
    const struct spmd_mesh *mesh = make(8, 1, at, &error);
    cr_assert_null(error);
    expect_axes(mesh, at[0], 1, 1);
    cr_expect_neq(spmd_mesh_group(mesh, 0), spmd_mesh_group(mesh, 1));
}

Test(spmd_mesh, axes_that_nothing_separates_are_a_group)
{
    const struct mesh *tall = mesh_of(4, 2, NULL);
    const struct sharding *at[] = {over_axis(tall, 0)};
    struct error *error;
    const struct spmd_mesh *mesh = make(8, 1, at, &error);
    cr_assert_null(error);
    cr_expect_eq(spmd_mesh_group(mesh, 0), spmd_mesh_group(mesh, 1));
    cr_expect_neq(spmd_mesh_group(mesh, 1), spmd_mesh_group(mesh, 2));
}

Test(spmd_mesh, transposed_devices_are_strides)
{
    static const int64_t ids[] = {0, 4, 1, 5, 2, 6, 3, 7}; /* x is minor, y is major */
    const struct mesh *transposed = mesh_of(4, 2, ids);
    const struct sharding *at[] = {over_axis(transposed, 1), over_axis(transposed, 0)};
    struct error *error;
    const struct spmd_mesh *mesh = make(8, 2, at, &error);
    cr_assert_null(error);
    expect_axes(mesh, at[0], 1, 0);
    expect_axes(mesh, at[1], 2, 1);
}

Test(spmd_mesh, tilings_are_shardings_again)
{
    const struct mesh *tall = mesh_of(4, 2, NULL);
    const struct sharding *at[] = {over_axis(tall, 0)};
    struct error *error;
    const struct spmd_mesh *mesh = make(8, 1, at, &error);
    cr_assert_null(error);
    struct tiling *tiling = spmd_mesh_tiling(fixture_arena, mesh, at[0], at[0]->rank);
    tiling->open = 2, tiling->unreduced = 4;
    const struct sharding *sharding = spmd_mesh_sharding(fixture_arena, mesh, tiling);
    cr_expect_null(sharding_check(sharding, 2));
    const struct tiling *again = spmd_mesh_tiling(fixture_arena, mesh, sharding, sharding->rank);
    cr_expect(tiling_equal(tiling, again));
    cr_expect_eq(again->open, 2);
}

static void expect_error(int partitions, int count, const struct sharding *const *shardings,
                         const char *words)
{
    struct error *error;
    make(partitions, count, shardings, &error);
    cr_assert_not_null(error);
    size_t size;
    const char *message = error_message(error, &size);
    cr_expect_not_null(memmem(message, size, words, strlen(words)), "%.*s", (int)size, message);
    error_free(error);
}

Test(spmd_mesh, meshes_without_a_refinement_are_refused)
{
    const struct sharding *at[] = {over_axis(mesh_of(2, 3, NULL), 0),
                                   over_axis(mesh_of(3, 2, NULL), 0)};
    expect_error(6, 2, at, "no common refinement");
}

/* Such a mesh gives the positions their order; transposed meshes are strides over the same. */
Test(spmd_mesh, an_order_that_no_axes_describe_is_that_of_the_positions)
{
    static const int64_t ids[] = {0, 1, 3, 2}, transposed[] = {0, 3, 1, 2};
    const struct sharding *at[] = {over_axis(mesh_of(2, 2, ids), 0),
                                   over_axis(mesh_of(2, 2, transposed), 0)};
    struct error *error;
    const struct spmd_mesh *mesh = make(4, 2, at, &error);
    cr_assert_null(error);
    cr_expect_arr_eq(spmd_mesh_grid(mesh)->partitions, ids, sizeof ids);
    expect_axes(mesh, at[0], 1, 0);
    expect_axes(mesh, at[1], 1, 1);
    const struct tiling *tiling = spmd_mesh_tiling(fixture_arena, mesh, at[0], at[0]->rank);
    const struct sharding *reported = spmd_mesh_sharding(fixture_arena, mesh, tiling);
    cr_expect_arr_eq(reported->mesh->device_ids, ids, sizeof ids);
}

/* The first irregular order is that of the grid; shards of the others are moved. */
Test(spmd_mesh, values_may_be_in_other_orders)
{
    static const int64_t ids[] = {0, 1, 3, 2}, others[] = {3, 1, 0, 2}, moves[] = {2, 1, 0, 3};
    const struct sharding *at[] = {over_axis(mesh_of(2, 2, ids), 0),
                                   over_axis(mesh_of(2, 2, NULL), 1),
                                   over_axis(mesh_of(2, 2, others), 1)};
    struct error *error;
    const struct spmd_mesh *mesh = make(4, 3, at, &error);
    cr_assert_null(error);
    cr_expect_arr_eq(spmd_mesh_grid(mesh)->partitions, ids, sizeof ids);
    cr_expect_null(spmd_mesh_moves(mesh, at[0]));
    cr_assert_not_null(spmd_mesh_moves(mesh, at[1]));
    cr_expect_arr_eq(spmd_mesh_moves(mesh, at[1]), ids, sizeof ids);
    cr_expect_arr_eq(spmd_mesh_moves(mesh, at[2]), moves, sizeof moves);
    expect_axes(mesh, at[0], 1, 0);
    expect_axes(mesh, at[1], 1, 1);
    expect_axes(mesh, at[2], 1, 1);
}

/* The sharding of a value within a manual computation over axis 0. */
static const struct sharding *manual_over(const struct mesh *mesh)
{
    static const struct axis_ref axis = {0, 0, 0};
    struct sharding *sharding =
        arena_copy(fixture_arena, over_axis(mesh, 1), sizeof(struct sharding));
    sharding->manual = (struct axis_refs){1, &axis};
    return sharding;
}

Test(spmd_mesh, a_manual_computation_gives_the_order)
{
    static const int64_t ids[] = {0, 1, 3, 2};
    const struct sharding *at[] = {over_axis(mesh_of(2, 2, ids), 0),
                                   manual_over(mesh_of(2, 2, NULL))};
    struct error *error;
    const struct spmd_mesh *mesh = make(4, 2, at, &error);
    cr_assert_null(error);
    cr_expect_null(spmd_mesh_grid(mesh)->partitions);
    cr_expect_not_null(spmd_mesh_moves(mesh, at[0]));
    cr_expect_null(spmd_mesh_moves(mesh, at[1]));
}

Test(spmd_mesh, manual_computations_of_two_orders_are_refused)
{
    static const int64_t ids[] = {0, 1, 3, 2};
    const struct sharding *at[] = {manual_over(mesh_of(2, 2, NULL)),
                                   manual_over(mesh_of(2, 2, ids))};
    expect_error(4, 2, at, "device assignment");
}

/* A value that no axis shards is the same in every order. */
Test(spmd_mesh, replicated_values_have_no_order)
{
    static const int64_t ids[] = {0, 1, 3, 2};
    struct sharding replicated = *over_axis(mesh_of(2, 2, NULL), 1);
    replicated.dims = ARENA_ARRAY(fixture_arena, struct dim_sharding, 2);
    const struct sharding *at[] = {&replicated, over_axis(mesh_of(2, 2, ids), 0)};
    struct error *error;
    const struct spmd_mesh *mesh = make(4, 2, at, &error);
    cr_assert_not_null(mesh);
    cr_expect_null(error);
    cr_expect_null(spmd_mesh_moves(mesh, at[0]));
}

Test(spmd_mesh, repeated_and_foreign_devices_are_refused)
{
    static const int64_t all[][4] = {{0, 0, 0, 0}, {0, 1, 1, 2}, {0, 1, 1L << 40, 1 + (1L << 40)}};
    static const char *const words[] = {"have 0 twice", "have 1 twice", "out of range"};
    for (int i = 0; i < 3; i++) {
        const struct sharding *at[] = {over_axis(mesh_of(2, 2, all[i]), 0)};
        expect_error(4, 1, at, words[i]);
        fixture_end();
        fixture_begin();
    }
}

Test(spmd_mesh, a_mesh_of_other_devices_is_refused)
{
    const struct sharding *at[] = {over_axis(mesh_of(2, 2, NULL), 0)};
    expect_error(8, 1, at,
                 "argument 0 of 'test': a mesh has 4 devices, but the program has 8 partitions");
}

Test(spmd_mesh, an_operation_with_such_a_mesh_is_named)
{
    const struct spmd_mesh *mesh;
    MAIN("f32 8 8");
    struct value *sum = build_unary(&fixture, OP_negate, argument(0));
    struct type *type = arena_copy(fixture_arena, sum->type, sizeof *type);
    type->sharding = over_axis(mesh_of(2, 2, NULL), 0);
    sum->type = type;
    RETURN(sum);
    fixture.module->num_partitions = 8;
    struct error *error = spmd_mesh_create(fixture.module, &mesh);
    cr_assert_not_null(error);
    cr_expect_not_null(strstr(error_message(error, NULL), "negate: a mesh has 4 devices"), "%s",
                       error_message(error, NULL));
    error_free(error);
}
