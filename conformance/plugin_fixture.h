/* plugin_fixture.h: for tests through the ABI of the plugin that was built: its context, and a
 * folder for the files that it writes. One of each a process. */
#ifndef GANTRY_CONFORMANCE_PLUGIN_FIXTURE_H
#define GANTRY_CONFORMANCE_PLUGIN_FIXTURE_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "conformance/test_context.h"

static char plugin_folder[] = "/tmp/gantry_test_XXXXXX"; /* once it is made */

/* A context of the CPU's plugin in GANTRY_LIB (build/lib), which is not open yet. */
static inline struct test_context plugin_context(void)
{
    static char path[4096];
    const char *folder = getenv("GANTRY_LIB");
    snprintf(path, sizeof path, "%s/pjrt_c_api_gantry_plugin.so", folder ? folder : "build/lib");
    return (struct test_context){.path = path, .programs = "conformance/programs"};
}

static inline void plugin_folder_make(void)
{
    cr_assert_not_null(mkdtemp(plugin_folder));
}

static inline void plugin_folder_remove(void)
{
    char line[128];
    snprintf(line, sizeof line, "rm -rf %s", plugin_folder);
    cr_expect_eq(system(line), 0);
}

#endif
