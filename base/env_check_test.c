#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/env_check.h"

static void expect(const char *name, const char *value, const char *const *parts)
{
    setenv(name, value, 1);
    struct error *error = env_check();
    cr_assert_not_null(error, "%s=%s", name, value);
    cr_assert_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    for (; *parts; parts++)
        cr_assert_not_null(strstr(error_message(error, NULL), *parts), "%s: %s",
                           error_message(error, NULL), *parts);
    error_free(error);
    unsetenv(name);
    cr_assert_null(env_check());
}

#define EXPECT(name, value, ...) expect(name, value, (const char *const[]){__VA_ARGS__, NULL})

Test(env_check, wrong_values_are_named_with_what_is_allowed)
{
    EXPECT("GANTRY_THREADS", "abc", "GANTRY_THREADS", "'abc'", "0 to 65536");
    EXPECT("GANTRY_THREADS", "-1", "GANTRY_THREADS", "'-1'");
    EXPECT("GANTRY_TIER", "9", "GANTRY_TIER", "'9'", "auto, 0, 1 or 2");
    EXPECT("GANTRY_ISA", "sse2", "GANTRY_ISA", "'sse2'", "baseline", "avx512_bf16");
    EXPECT("GANTRY_CACHE_BYTES", "1XB", "GANTRY_CACHE_BYTES", "'1XB'", "512M");
    EXPECT("GANTRY_CPU_DEVICES", "0", "GANTRY_CPU_DEVICES", "1 to 1024");
    EXPECT("GANTRY_DENORMALS", "Keep", "GANTRY_DENORMALS", "flush or keep");
    EXPECT("GANTRY_LOG", "verbose", "GANTRY_LOG", "error, warning, info or debug");
    EXPECT("GANTRY_PIN", "2", "GANTRY_PIN", "auto, 0 or 1");
    EXPECT("GANTRY_HUGE_PAGES", "on", "GANTRY_HUGE_PAGES", "0 or 1");
    EXPECT("GANTRY_SYSFS_ROOT", "/no/such/folder", "GANTRY_SYSFS_ROOT", "folder");
}

Test(env_check, a_mistyped_name_gets_a_suggestion)
{
    EXPECT("GANTRY_THREDS", "2", "GANTRY_THREDS", "did you mean GANTRY_THREADS?");
    EXPECT("GANTRY_CPU_DEVICE", "2", "GANTRY_CPU_DEVICES");
    EXPECT("GANTRY_NUM_THREADS", "2", "did you mean GANTRY_THREADS?");
    EXPECT("GANTRY_LOG_LEVEL", "info", "did you mean GANTRY_LOG?");
    EXPECT("GANTRY_MEMORY", "1G", "did you mean GANTRY_DEVICE_MEMORY?");
}

Test(env_check, what_is_right_or_not_ours_passes)
{
    setenv("GANTRY_THREADS", "4", 1);
    setenv("GANTRY_CACHE_BYTES", "1GB", 1);
    setenv("GANTRY_ISA", "avx2", 1);
    setenv("GANTRY_PORT_8080_TCP_ADDRESS", "tcp://10.0.0.1:8080", 1);
    setenv("TF_CPP_MIN_LOG_LEVEL", "many", 1);
    setenv("GANTRY_TIER", "", 1);
    setenv("GANTRY_TEST_TIMEOUT", "1200", 1);
    cr_assert_null(env_check());
}
