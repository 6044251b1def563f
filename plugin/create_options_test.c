/* create_options_test.c: the number of CPU devices, from each variable that can set it. */
#include "plugin/create_options.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

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

static PJRT_NamedValue text_option(const char *name, const char *text)
{
    return (PJRT_NamedValue){.name = name,
                             .name_size = strlen(name),
                             .type = PJRT_NamedValue_kString,
                             .string_value = text,
                             .value_size = strlen(text)};
}

Test(create_options, limits_of_memory)
{
    static const struct {
        const char *text;
        uint64_t bytes;
    } good[] = {{"4096", 4096},  {"16G", 16ULL << 30},
                {"3k", 3 << 10}, {"8388607T", 8388607ULL << 40},
                {"0", 0},        {"7m", 7 << 20}};
    static const char *const names[] = {"memory_limit", "pinned_host_memory_limit",
                                        "unpinned_host_memory_limit"};
    struct create_options options;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        for (int kind = 0; kind < MEMORY_KIND_COUNT; kind++) {
            PJRT_NamedValue value = text_option(names[kind], good[i].text);
            cr_assert_null(create_options_read(&cpu, &value, 1, &options), "%s", good[i].text);
            cr_expect_eq(options.device.memory_limit[kind], good[i].bytes, "%s", good[i].text);
        }
}

Test(create_options, wrong_limits_of_memory)
{
    static const char *const wrong[] = {"-1", "", "16 X", "16GX", "G", "8388608T", "1.5Q"};
    struct create_options options;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        PJRT_NamedValue value = text_option("pinned_host_memory_limit", wrong[i]);
        struct error *error = create_options_read(&cpu, &value, 1, &options);
        cr_assert_not_null(error, "%s", wrong[i]);
        cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
        cr_expect(strstr(error_message(error, NULL), "'pinned_host_memory_limit'"));
        error_free(error);
    }
    setenv("GANTRY_UNPINNED_HOST_MEMORY", "12 parsecs", 1);
    refused("GANTRY_UNPINNED_HOST_MEMORY");
}

Test(create_options, options_win_over_variables_of_memory)
{
    PJRT_NamedValue value = text_option("pinned_host_memory_limit", "2G");
    struct create_options options;
    setenv("GANTRY_DEVICE_MEMORY", "1M", 1);
    setenv("GANTRY_PINNED_HOST_MEMORY", "3M", 1);
    cr_assert_null(create_options_read(&cpu, &value, 1, &options));
    cr_expect_eq(options.device.memory_limit[MEMORY_DEVICE], 1 << 20);
    cr_expect_eq(options.device.memory_limit[MEMORY_PINNED_HOST], 2ULL << 30);
    cr_expect_eq(options.device.memory_limit[MEMORY_UNPINNED_HOST], 0);
}

Test(create_options, wrong_settings_are_named)
{
    set("", "", "");
    setenv("GANTRY_TIER", "9", 1);
    refused("GANTRY_TIER is '9'; allowed: auto, 0, 1 or 2");
    unsetenv("GANTRY_TIER");
    setenv("GANTRY_THREDS", "2", 1);
    refused("did you mean GANTRY_THREADS?");
    unsetenv("GANTRY_THREDS");
    cr_assert_eq(devices_of(&cpu), 0);
}

Test(create_options, memory_check)
{
    struct create_options options;
    PJRT_NamedValue value = {.name = "memory_check",
                             .name_size = sizeof "memory_check" - 1,
                             .type = PJRT_NamedValue_kInt64,
                             .int64_value = 1};
    cr_assert_null(create_options_read(&tpu, NULL, 0, &options));
    cr_expect_not(options.device.plans_only);
    cr_assert_null(create_options_read(&tpu, &value, 1, &options));
    cr_expect_not(options.device.plans_only);
    value.int64_value = 0;
    cr_assert_null(create_options_read(&tpu, &value, 1, &options));
    cr_expect(options.device.plans_only);
    value.int64_value = 2;
    struct error *error = create_options_read(&tpu, &value, 1, &options);
    cr_expect(error && error_code(error) == PJRT_Error_Code_INVALID_ARGUMENT);
    error_free(error);
}

static PJRT_NamedValue text_value(const char *name, const char *text)
{
    return (PJRT_NamedValue){.name = name,
                             .name_size = strlen(name),
                             .type = PJRT_NamedValue_kString,
                             .string_value = text,
                             .value_size = strlen(text)};
}

Test(create_options, options_of_a_topology_are_added_to_its_name)
{
    static const int64_t bounds[] = {2, 4, 1}, many[] = {1, 1, 1, 1};
    struct create_options options;
    PJRT_NamedValue list = {.name = "chips_per_host_bounds",
                            .name_size = sizeof "chips_per_host_bounds" - 1,
                            .type = PJRT_NamedValue_kInt64List,
                            .int64_array_value = bounds,
                            .value_size = 3};
    PJRT_NamedValue values[] = {text_value("chip_config_name", "megacore"), list,
                                text_value("topology", "v5e:2x4")};
    set("", "", "");
    cr_assert_null(create_options_read(&tpu, values, 3, &options));
    cr_expect_str_eq(options.device.topology,
                     "v5e:2x4,chip_config_name=megacore,chips_per_host_bounds=2x4x1");
    cr_assert_null(create_options_set_topology(&options, "v4:2x2x1", 8));
    cr_expect_str_eq(options.device.topology,
                     "v4:2x2x1,chip_config_name=megacore,chips_per_host_bounds=2x4x1");
    cr_assert_null(create_options_read(&cpu, values, 2, &options)); /* unknown to a CPU */
    cr_expect_null(options.device.topology);
    list.int64_array_value = many, list.value_size = 4;
    cr_expect_eq(error_code(create_options_read(&tpu, &list, 1, &options)),
                 PJRT_Error_Code_INVALID_ARGUMENT);
    PJRT_NamedValue repeated[8];
    for (int i = 0; i < 8; i++)
        repeated[i] = values[0];
    cr_expect_eq(error_code(create_options_read(&tpu, repeated, 8, &options)),
                 PJRT_Error_Code_INVALID_ARGUMENT);
}
