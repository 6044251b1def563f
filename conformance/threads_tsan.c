/* threads_tsan.c: runs the suites about threads and lifetimes, and the random ones, in one process
 * for ThreadSanitizer, which does not support forks of multithreaded processes. GANTRY_LIB is the
 * folder of the plugin. */
#include <stdio.h>
#include <stdlib.h>

#include "conformance/test_context.h"

int main(void)
{
    static const struct test_context_suite *const suites[] = {
        &suite_threads, &suite_lifetimes, &suite_events, &suite_stress, &suite_sequences};
    const char *folder = getenv("GANTRY_LIB");
    char path[4096];
    int passed = 0, failed = 0;
    setenv("GANTRY_TEST_ROUNDS", "3", 0);
    setenv("GANTRY_TEST_OPERATIONS", "20000", 0);
    snprintf(path, sizeof path, "%s/pjrt_c_api_gantry_plugin.so", folder ? folder : "build/lib");
    for (size_t s = 0; s < sizeof suites / sizeof *suites; s++)
        for (const struct test_context_case *item = suites[s]->cases; item->name; item++) {
            struct test_context t = {.path = path, .programs = "conformance/programs"};
            if (test_context_open(&t, item->stage))
                item->run(&t);
            test_context_close(&t);
            int failures = atomic_load(&t.failures);
            passed += !failures;
            failed += failures > 0;
            if (failures)
                printf("FAIL %s.%s\n", suites[s]->name, item->name);
        }
    printf("%d passed, %d failed\n", passed, failed);
    return failed > 0;
}
