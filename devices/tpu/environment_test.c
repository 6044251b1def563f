/* environment_test.c: which topology variables ask for, and which of them wins. */
#include "devices/tpu/environment.h"

#include <criterion/criterion.h>
#include <string.h>

static void expect(struct tpu_environment values, const char *topology, const char *note)
{
    char text[TPU_TOPOLOGY_TEXT];
    struct text said = {0};
    struct tpu_topology made;
    struct error *error = tpu_environment_topology(&values, &made, &said);
    cr_assert_null(error, "%s: %s", topology, error_message(error, NULL));
    tpu_topology_print(&made, text);
    cr_expect(!strncmp(text, topology, strlen(topology)), "%s, not %s", text, topology);
    cr_expect_str_eq(said.data ? said.data : "", note);
    text_free(&said);
}

static void refuses(struct tpu_environment values, PJRT_Error_Code code, const char *words)
{
    struct text said = {0};
    struct tpu_topology made;
    struct error *error = tpu_environment_topology(&values, &made, &said);
    cr_assert(error, "%s is accepted", words);
    cr_expect_eq(error_code(error), code);
    cr_expect(strstr(error_message(error, NULL), words), "%s", error_message(error, NULL));
    error_free(error);
    text_free(&said);
}

#define VALUES(...) ((struct tpu_environment){__VA_ARGS__})

Test(tpu_environment, chooses_the_topology)
{
    expect(VALUES(0), "v5e:1x1,", "");
    expect(VALUES(.topology = "v5p:2x2x2"), "v5p:2x2x2,chips_per_host_bounds=2x2x2", "");
    expect(VALUES(.accelerator_type = "v5litepod-16"), "v5e:4x4,", "");
    expect(VALUES(.accelerator_type = "v4-8"), "v4:2x2x1,", "");
    expect(VALUES(.accelerator_type = "v6e-1"), "v6e:1x1,", "");
    expect(VALUES(.accelerator_type = "v6e-8", .chips_bounds = "2,2,1"), "v6e:2x2,", "");
    expect(VALUES(.accelerator_type = "v5p-16", .chips_bounds = "2,2,1", .process_bounds = "1,1,2"),
           "v5p:2x2x2,", "");
    expect(VALUES(.chips_bounds = "1,1,1", .process_bounds = "1,1,1", .visible_chips = "3"),
           "v5e:1x1,", "");
    expect(VALUES(.accelerator_type = "v5litepod-8", .visible_chips = "0,1,2,3"), "v5e:2x2,", "");
    expect(VALUES(.accelerator_type = "v5litepod-4", .slices = "2"),
           "v5e:2x2,chips_per_host_bounds=2x2x1,num_slices=2", "");
}

Test(tpu_environment, says_which_wins)
{
    expect(VALUES(.topology = "v5e:4x4", .accelerator_type = "v5litepod-8"), "v5e:4x4,",
           "GANTRY_TPU_TOPOLOGY=v5e:4x4 wins over TPU_ACCELERATOR_TYPE=v5litepod-8");
    expect(VALUES(.topology = "v5e:4x4", .accelerator_type = "v5litepod-16"), "v5e:4x4,", "");
    expect(VALUES(.topology = "v5e:1x1", .accelerator_type = "nonsense"), "v5e:1x1,",
           "GANTRY_TPU_TOPOLOGY=v5e:1x1 wins over TPU_ACCELERATOR_TYPE=nonsense");
    expect(VALUES(.accelerator_type = "v5litepod-4", .chips_bounds = "2,4,1"), "v5e:2x4,",
           "TPU_CHIPS_PER_PROCESS_BOUNDS=2,4,1 wins over TPU_ACCELERATOR_TYPE=v5litepod-4");
    expect(VALUES(.chips_bounds = "2,2,1", .visible_chips = "0"), "v5e:2x2,",
           "TPU_CHIPS_PER_PROCESS_BOUNDS=2,2,1 wins over TPU_VISIBLE_CHIPS=0");
    expect(VALUES(.accelerator_type = "v5litepod-1", .visible_chips = "0,1"), "v5e:1x2,",
           "TPU_VISIBLE_CHIPS=0,1 wins over TPU_ACCELERATOR_TYPE=v5litepod-1");
}

Test(tpu_environment, malformed_values_name_the_legal_ones)
{
    PJRT_Error_Code code = PJRT_Error_Code_INVALID_ARGUMENT;
    static const char *const types[] = {
        "v9-8", "v5litepod", "v5litepod-", "v5litepod-3", "v5litepod-99999999999999999999",
        "v4-3", "-8",        "v4-8x",      "v4--8"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        refuses(VALUES(.accelerator_type = types[i]), code, "TPU_ACCELERATOR_TYPE is '");
    refuses(VALUES(.accelerator_type = "v9-8"), code, "v5litepod-4, v5p-8, v6e-4, tpu7x-8");
    refuses(VALUES(.topology = "v9:9x9"), code, "GANTRY_TPU_TOPOLOGY is 'v9:9x9'");
    refuses(VALUES(.topology = "v5e:0x9"), code, "v5e:2x2, v5e:2x4");
    refuses(VALUES(.chips_bounds = "2;2;1"), code, "TPU_CHIPS_PER_PROCESS_BOUNDS is '2;2;1'");
    refuses(VALUES(.chips_bounds = "0,2,1"), code, "like 2,2,1");
    refuses(VALUES(.process_bounds = "1,1,1,1"), code, "TPU_PROCESS_BOUNDS is '1,1,1,1'");
    refuses(VALUES(.chips_bounds = "4096,4096,4096", .process_bounds = "4096,4096,4096"), code,
            "v5e:16x16");
    refuses(VALUES(.chips_bounds = "2,2,2"), code, "v5e:2x2");
    refuses(VALUES(.visible_chips = "0,,1"), code, "TPU_VISIBLE_CHIPS is '0,,1'");
    refuses(VALUES(.visible_chips = "0,1,2"), code, "TPU_VISIBLE_CHIPS is '0,1,2'");
    refuses(VALUES(.slices = "-1"), code, "MEGASCALE_NUM_SLICES is '-1'");
}

static void expect_process(const char *addresses, const char *task, int process, int count)
{
    struct tpu_environment values = {.process_addresses = addresses, .task = task};
    int found, of;
    struct error *error = tpu_environment_process(&values, &found, &of);
    cr_assert_null(error, "%s", error_message(error, NULL));
    cr_expect(found == process && of == count, "%d of %d", found, of);
}

Test(tpu_environment, this_process)
{
    expect_process(NULL, NULL, 0, 1);
    expect_process("a:1", "7", 0, 1); /* one process has no number */
    expect_process("a:1,b:1,c:1", "2", 2, 3);
    static const char *const wrong[] = {NULL, "", "3", "-1", "1x", "99999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct tpu_environment values = {.process_addresses = "a:1,b:1,c:1", .task = wrong[i]};
        int process, count;
        struct error *error = tpu_environment_process(&values, &process, &count);
        cr_assert_not_null(error);
        cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
        cr_expect_not_null(strstr(error_message(error, NULL), "0 to 2"));
        error_free(error);
    }
}

/* Each process of a job has the chips of its host. */
Test(tpu_environment, chips_of_a_process)
{
    expect(VALUES(.in_job = true, .chips_bounds = "2,2,1", .process_bounds = "1,2,1"),
           "v5e:2x4,chips_per_host_bounds=2x2x1", "");
    expect(VALUES(.in_job = true, .chips_bounds = "1,1,1", .process_bounds = "2,2,1"),
           "v5e:2x2,chips_per_host_bounds=1x1x1", "");
    expect(VALUES(.in_job = true, .accelerator_type = "v5litepod-16"),
           "v5e:4x4,chips_per_host_bounds=2x2x1", "");
    expect(VALUES(.in_job = true, .topology = "v5e:4x4"), "v5e:4x4,chips_per_host_bounds=2x2x1",
           "");
    expect(VALUES(.in_job = true, .chips_bounds = "2,2,1", .process_bounds = "1,2,1",
                  .visible_chips = "0,1,2,3"),
           "v5e:2x4,chips_per_host_bounds=2x2x1", "");
}
