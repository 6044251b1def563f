/* create_options_test.c: the number of CPU devices, from each variable that may say it. */
#include "plugin/create_options.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static const struct device_library cpu = {.name = "cpu", .is_host = true}, tpu = {.name = "tpu"};

static void set(const char *own, const char *torch, const char *flags)
{
    setenv("GANTRY_CPU_DEVICES", own, 1);
    setenv("CPU_NUM_DEVICES", torch, 1);
    setenv("XLA_FLAGS", flags, 1);
}

static int devices_of(const struct device_library *library)
{
    struct create_options options;
    cr_assert_null(create_options_read(library, NULL, 0, &options));
    return options.device.device_count;
}

static void refused(const char *part)
{
    struct create_options options;
    struct error *error = create_options_read(&cpu, NULL, 0, &options);
    cr_assert_not_null(error, "%s", part);
    cr_assert_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_assert_not_null(strstr(error_message(error, NULL), part), "%s", error_message(error, NULL));
    error_free(error);
}

Test(create_options, cpu_devices_by_precedence)
{
    static const char flag[] = "--xla_force_host_platform_device_count=5";
    PJRT_NamedValue option = {.name = "device_count",
                              .name_size = sizeof "device_count" - 1,
                              .type = PJRT_NamedValue_kInt64,
                              .int64_value = 2,
                              .value_size = 1};
    struct create_options options;
    set("", "", "");
    cr_assert_eq(devices_of(&cpu), 0, "the device's default");
    set("", "", flag);
    cr_assert_eq(devices_of(&cpu), 5);
    set("", "4", flag);
    cr_assert_eq(devices_of(&cpu), 4);
    set("3", "4", flag);
    cr_assert_eq(devices_of(&cpu), 3);
    cr_assert_eq(devices_of(&tpu), 0, "CPU devices only");
    cr_assert_null(create_options_read(&cpu, &option, 1, &options));
    cr_assert_eq(options.device.device_count, 2);
}

Test(create_options, wrong_numbers_of_cpu_devices_name_the_variable)
{
    static const char *const wrong[] = {"0", "-1", "1025", "two", "4x", "99999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        set(wrong[i], "", "");
        refused("GANTRY_CPU_DEVICES is '");
        set("", wrong[i], "");
        refused("CPU_NUM_DEVICES is '");
    }
    set("", "", "--xla_force_host_platform_device_count=many");
    refused("XLA_FLAGS --xla_force_host_platform_device_count is 'many'");
}
