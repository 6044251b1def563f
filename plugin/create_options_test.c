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
    static const char *const wrong[] = {
        "0", "-1", "1025", "two", "4x", "+4", "99999999999999999999"};
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

Test(create_options, options_of_a_topology_are_added_to_its_name)
{
    static const int64_t bounds[] = {2, 4, 1}, many[] = {1, 1, 1, 1};
    struct create_options options;
    PJRT_NamedValue list = {.name = "chips_per_host_bounds",
                            .name_size = sizeof "chips_per_host_bounds" - 1,
                            .type = PJRT_NamedValue_kInt64List,
                            .int64_array_value = bounds,
                            .value_size = 3};
    PJRT_NamedValue values[] = {text_option("chip_config_name", "megacore"), list,
                                text_option("topology", "v5e:2x4")};
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

/* ---- wrong values ---------------------------------------------------------------------------- */
static void refuses(const struct device_library *library, PJRT_NamedValue value, const char *part)
{
    struct create_options options;
    struct error *error = create_options_read(library, &value, 1, &options);
    cr_assert_not_null(error, "%s", part);
    cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_expect(strstr(error_message(error, NULL), part), "%s", error_message(error, NULL));
    error_free(error);
}

Test(create_options, names_are_checked_before_they_are_printed)
{
    char name[1025];
    memset(name, 'n', sizeof name);
    PJRT_NamedValue value = text_option("device", "cpu");
    value.name = NULL;
    refuses(&cpu, value, "create option 0 has a name of 0 bytes");
    value.name = name, value.name_size = sizeof name;
    refuses(&cpu, value, "a name of 1025 bytes; allowed: 1 to 1024");
    value.name_size--;
    struct create_options options;
    cr_expect_null(create_options_read(&cpu, &value, 1, &options), "an unknown option");
}

Test(create_options, the_list_is_checked)
{
    struct create_options options;
    PJRT_NamedValue value = text_option("device", "cpu");
    struct error *error = create_options_read(&cpu, NULL, 1, &options);
    cr_expect(strstr(error_message(error, NULL), "1 create options at (nil)"));
    error_free(error);
    error = create_options_read(&cpu, &value, 1025, &options);
    cr_expect(strstr(error_message(error, NULL), "at most 1024 are allowed"));
    error_free(error);
}

Test(create_options, numbers_are_checked)
{
    static const char *const wrong[] = {"", "2x", "two", "1.5", "+2", " 2", "2 "};
    PJRT_NamedValue number = text_option("device_count", "2");
    struct create_options options;
    cr_assert_null(create_options_read(&cpu, &number, 1, &options));
    cr_expect_eq(options.device.device_count, 2, "as text");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refuses(&cpu, text_option("device_count", wrong[i]), "must be a number");
    refuses(&cpu, text_option("device_count", "00000000000000000000000000000000"),
            "must be a string of at most 31 bytes");
    refuses(&cpu, text_option("device_count", "65537"), "is 65537; allowed: 0 to 65536");
    number.type = PJRT_NamedValue_kBool;
    refuses(&cpu, number, "'device_count' must be a number");
    number.type = PJRT_NamedValue_kInt64, number.int64_value = -1;
    refuses(&cpu, number, "is -1; allowed: 0 to 65536");
    number.name = "memory_limit", number.name_size = sizeof "memory_limit" - 1;
    refuses(&cpu, number, "'memory_limit' is -1");
    number.int64_value = 4096;
    cr_assert_null(create_options_read(&cpu, &number, 1, &options));
    cr_expect_eq(options.device.memory_limit[MEMORY_DEVICE], 4096);
}

Test(create_options, texts_are_checked)
{
    char name[300];
    memset(name, 'v', sizeof name - 1), name[sizeof name - 1] = '\0';
    PJRT_NamedValue text = text_option("platform_name", "gantry");
    struct create_options options;
    cr_assert_null(create_options_read(&cpu, &text, 1, &options));
    cr_expect_str_eq(options.device.platform_name, "gantry");
    text.value_size = 0;
    cr_assert_null(create_options_read(&cpu, &text, 1, &options));
    cr_expect_null(options.device.platform_name, "empty: the device's own");
    text.value_size = 6, text.string_value = NULL;
    refuses(&cpu, text, "its address is NULL");
    text.type = PJRT_NamedValue_kInt64;
    refuses(&cpu, text, "'platform_name' must be a string of at most 63 bytes");
    refuses(&cpu, text_option("device", name), "'device' is 'vvv");
    refuses(&cpu, text_option("device", "tpu"), "this plugin's device is 'cpu'");
}

Test(create_options, topologies_are_checked)
{
    static char name[4096];
    memset(name, 'v', sizeof name - 1);
    struct create_options options;
    PJRT_NamedValue value = text_option("num_slices", "");
    cr_assert_null(create_options_read(&tpu, NULL, 0, &options));
    struct error *error = create_options_set_topology(&options, name, sizeof name - 1);
    cr_expect(error && strstr(error_message(error, NULL), "a topology name of 4095 bytes"));
    error_free(error);
    refuses(&tpu, text_option("topology", name), "must be a string of at most");
    refuses(&tpu, text_option("numerics", name), "must be a string of at most");
    value.type = PJRT_NamedValue_kInt64, value.int64_value = 2;
    cr_assert_null(create_options_read(&tpu, &value, 1, &options));
    cr_expect_str_eq(options.device.topology, ",num_slices=2");
    value.type = PJRT_NamedValue_kBool;
    refuses(&tpu, value, "must be a string, a number or a list of numbers");
    value.type = PJRT_NamedValue_kInt64List, value.value_size = 0;
    refuses(&tpu, value, "must be a list of 1 to 3 numbers");
    value.value_size = 1, value.int64_array_value = NULL;
    refuses(&tpu, value, "must be a list of 1 to 3 numbers");
    cr_assert_null(create_options_read(&tpu, &(PJRT_NamedValue){.name = "topology", .name_size = 8},
                                       1, &options));
    cr_expect_null(options.device.topology, "empty: the device's default");
}
