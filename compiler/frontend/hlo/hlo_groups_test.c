/* hlo_groups_test.c: replica groups along axes of a mesh in an HLO module that jaxlib wrote
 * (scripts/make_testdata.py). */
#include "compiler/frontend/hlo/hlo_groups.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/alloc.h"
#include "compiler/frontend/hlo/hlo_proto.h"

#define FIXTURE_TESTS
#include "compiler/frontend_fixture.h"

TestSuite(hlo_groups, .init = begin, .fini = end);

/* "replica_groups = dense<[[0, 1], ...]>" of every collective, in the order of the program. */
Test(hlo_groups, axes_of_a_mesh)
{
    static const char *const expected[] = {
        "[[0, 1, 4, 5], [2, 3, 6, 7]]",     /* x of devices in an order of their own */
        "[[0, 4], [1, 5], [2, 6], [3, 7]]", /* y of transposed devices */
        "[[0, 2], [1, 3], [4, 6], [5, 7]]", /* the minor part of x */
        "[[0, 4, 1, 5], [2, 6, 3, 7]]",     /* y and the major part of x */
        "[[0, 2, 4, 6], [1, 3, 5, 7]]",
    };
    struct module *module;
    struct text text = {0};
    size_t size =
        fixture_load("compiler/frontend/hlo/testdata/hlo_proto_fuzz/", "mesh_groups.hlo.pb");
    struct error *error = hlo_proto_read(arena, bytes, size, &module);
    cr_assert_null(error, "%s", error ? error_message(error, NULL) : "");
    ir_print(module, &text);
    const char *at = text.data;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        at = strstr(at, "replica_groups = dense<");
        cr_assert_not_null(at, "%zu", i);
        at += strlen("replica_groups = dense<");
        cr_expect(strncmp(at, expected[i], strlen(expected[i])) == 0, "%zu: %.60s, not %s", i, at,
                  expected[i]);
    }
    text_free(&text);
}
