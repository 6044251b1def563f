#include "tools/partition_spec.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/alloc.h"

static void expect(const char *mesh_text, const char *sharding, const char *expected)
{
    struct partition_mesh mesh;
    struct text out = {0};
    cr_assert_null(partition_mesh_read(mesh_text, &mesh));
    cr_expect_eq(partition_spec_print(sharding, &mesh, &out), expected != NULL, "%s", sharding);
    if (expected)
        cr_expect_str_eq(out.data ? out.data : "", expected, "%s: %s", sharding, out.data);
    text_free(&out);
}

Test(partition_spec, axes_of_each_dimension)
{
    expect("8", "{replicated}", "");
    expect("8", "{devices=[8,1]<=[8]}", "'x', None");
    expect("2x4", "{devices=[2,4]<=[8]}", "'x', 'y'");
    expect("2x4", "{devices=[4,2]<=[2,4]T(1,0)}", "'y', 'x'");
    expect("2x4", "{devices=[1,8]<=[8]}", "None, ('x', 'y')");
    expect("2x4", "{devices=[2,1,4]<=[8] last_tile_dim_replicate}", "'x', None");
    expect("2x4", "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}", "None, 'y'");
    expect("2x2", "{devices=[2,2]0,1,2,3}", "'x', 'y'");
    expect("2x1x2", "{devices=[2,2]<=[4]}", "'x', 'z'");
}

Test(partition_spec, other_texts)
{
    const char *const wrong[] = {"",
                                 "{maximal device=0}",
                                 "{devices=[",
                                 "{devices=[2,2]<=[",
                                 "{devices=[2,2]<=[5]}",
                                 "{devices=[2,2]<=[2,2]T(1,7)}",
                                 "{devices=[2,2]0,1}",
                                 "{devices=[2,2]0,0,0,0}",
                                 "{devices=[9999999999,99999999999]<=[4]}",
                                 "{devices=[-4]<=[4]}",
                                 "{devices=[8]<=[8]}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        expect("2x2", wrong[i], NULL);
}

Test(partition_spec, absurd_meshes)
{
    static const char *const wrong[] = {
        "",    "x",    "4x",   "0",    "-1x-4",         "4,4",       " 2x4",
        "2x ", "2x 4", "+2x4", "2x+4", "2x2x2x2x2x2x2", "1048576x2", "99999999999999999999"};
    struct partition_mesh mesh;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct error *error = partition_mesh_read(wrong[i], &mesh);
        cr_assert_not_null(error, "%s", wrong[i]);
        cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
        error_free(error);
    }
}
