/* tpu_library_test.c: the devices of a topology as a client finds them. */
#include "devices/tpu/tpu_library.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "compiler/accelerator.h"

static struct device **devices;
static int count;

static void create(const char *topology, bool is_described)
{
    struct device_options options = {.topology = topology, .is_described = is_described};
    struct error *error = tpu_library()->create(&options, &count, &devices);
    cr_assert_null(error, "%s: %s", topology, error_message(error, NULL));
}

static void destroy(void)
{
    for (int i = 0; i < count; i++)
        devices[i]->ops->destroy(devices[i]);
    alloc_free(devices);
}

static const struct attribute *attribute(const struct device *device, const char *name)
{
    for (int i = 0; i < device->attribute_count; i++)
        if (!strcmp(device->attributes[i].name, name))
            return &device->attributes[i];
    cr_assert(false, "no attribute %s", name);
    return NULL;
}

Test(tpu_library, devices_of_a_client)
{
    create("v5p:2x2x2", false);
    cr_assert_eq(count, 8);
    const struct device *last = devices[7];
    cr_expect(last->id == 7 && last->local_ordinal == 7 && !last->process_index);
    cr_expect_str_eq(last->kind, "TPU v5");
    cr_expect(last->is_apart && !last->shares_host_memory);
    cr_expect_str_eq(last->text,
                     "TpuDevice(id=7, process_index=0, coords=(1,1,1), core_on_chip=0)");
    cr_expect_str_eq(last->version,
                     "TFRT TPU v5\nBuilt on Jul 31 2026 18:15:08 (1785546908) cl/957406610");
    cr_expect_eq(attribute(last, "coords")->integers[2], 1);
    cr_expect_eq(attribute(last, "num_cores")->integer, 2);
    cr_expect_eq(attribute(last, "slice_index")->integer, 0);
    cr_expect_str_eq(last->target.accelerator->name, "v5p");
    cr_expect_eq(last->target.memory_bytes[MEMORY_DEVICE], last->target.accelerator->hbm_bytes);
    destroy();
}

Test(tpu_library, described_slices_have_processes)
{
    create("v5e:2x4,num_slices=2", true);
    cr_assert_eq(count, 16);
    cr_expect(devices[15]->id == 200007 && devices[15]->process_index == 3);
    cr_expect_eq(attribute(devices[15], "slice_index")->integer, 1);
    cr_expect(!strncmp(devices[0]->version, "megascale+TFRT TPU v5 lite\n", 27));
    destroy();
}

Test(tpu_library, topologies_read_their_own_text)
{
    create("v4:2x2x4,chip_config_name=megacore", true);
    char text[200];
    strcpy(text, devices[0]->topology);
    destroy();
    create(text, false); /* the bounds are in it */
    cr_expect(count == 16 && devices[15]->process_index == 3);
    cr_expect_str_eq(devices[0]->topology, text);
    destroy();
}

Test(tpu_library, the_number_of_devices_must_agree)
{
    struct device_options options = {.topology = "v5e:2x4", .device_count = 4};
    struct error *error = tpu_library()->create(&options, &count, &devices);
    cr_assert_not_null(error);
    cr_expect_str_eq(error_message(error, NULL),
                     "device_count is 4, but topology v5e:2x4x1 has 8 devices");
    error_free(error);
    options.device_count = 8;
    cr_assert_null(tpu_library()->create(&options, &count, &devices));
    destroy();
}

Test(tpu_library, options_of_any_length_are_read_whole)
{
    char options[4096];
    size_t size = 0;
    while (size + 30 < sizeof options)
        size += (size_t)snprintf(options + size, sizeof options - size, ",numerics=f32");
    snprintf(options + size, sizeof options - size, ",numerics=f33");
    struct device_options all = {.topology = options};
    struct error *error = tpu_library()->create(&all, &count, &devices);
    cr_assert_not_null(error);
    cr_expect(strstr(error_message(error, NULL), "f33"), "%s", error_message(error, NULL));
    error_free(error);
}

Test(tpu_library, every_allocation_may_fail)
{
    struct device_options options = {.topology = "v6e:2x2"};
    bool done = false;
    for (int64_t n = 1; !done; n++) {
        int64_t live = alloc_live();
        alloc_fail_at(n);
        struct error *error = tpu_library()->create(&options, &count, &devices);
        alloc_fail_at(0);
        done = !error;
        if (done)
            destroy();
        error_free(error);
        cr_assert_eq(alloc_live(), live);
    }
}

static void has_layout(bool ordered, const int64_t *order, const char *expected)
{
    static const int64_t dims[] = {128, 8};
    struct text text = {0};
    struct shape_layout room;
    struct shape shape = {.dtype = DTYPE_BF16, .rank = 2, .dims = dims, .minor_to_major = order};
    devices[0]->ops->lay_out(devices[0], ordered, &shape, &room);
    shape_print_layout(&shape, &text);
    cr_expect_str_eq(text.data, expected);
    text_free(&text);
    uint64_t columns = 128 * 8 * 2, bytes = devices[0]->ops->array_bytes(devices[0], &shape);
    cr_expect_eq(bytes, ordered ? 16 * columns : columns, "with its padding");
}

Test(tpu_library, arrays_have_layouts_with_tiles)
{
    create("v5e:1x1", false);
    has_layout(false, NULL, "{0,1:T(8,128)(2,1)}");
    has_layout(true, (const int64_t[]){1, 0}, "{1,0:T(8,128)(2,1)}");
    destroy();
}

/* ---- jobs ------------------------------------------------------------------------------------ */
static void in_job(int process)
{
    struct device_options options = {.topology = "v5e:4x4,chips_per_host_bounds=2x2x1",
                                     .first_id = 4 * process,
                                     .process_index = process,
                                     .process_count = 4};
    struct error *error = tpu_library()->create(&options, &count, &devices);
    cr_assert_null(error, "%s", error_message(error, NULL));
}

Test(tpu_library, devices_of_one_process)
{
    static const int64_t x[] = {2, 3, 2, 3}, y[] = {0, 0, 1, 1};
    in_job(1);
    cr_assert_eq(count, 4);
    for (int i = 0; i < 4; i++) {
        const struct attribute *coords = attribute(devices[i], "coords");
        cr_expect_eq(devices[i]->process_index, 1);
        cr_expect_eq(devices[i]->local_ordinal, i);
        cr_expect(coords->integers[0] == x[i] && coords->integers[1] == y[i]);
        cr_expect_eq(devices[i]->id, (int)(y[i] * 4 + x[i]));
    }
    destroy();
}

static void expect_job(struct device_job job, const char *topology, int process, int processes,
                       int of_each)
{
    struct device_options options = {.topology = topology};
    struct error *error = tpu_library()->find_job(&options, &job);
    cr_assert_null(error, "%s", error_message(error, NULL));
    cr_expect(job.process == process && job.count == processes && job.devices == of_each,
              "%d of %d with %d", job.process, job.count, job.devices);
}

static void refuse_job(struct device_job job, const char *topology, const char *words)
{
    struct device_options options = {.topology = topology};
    struct error *error = tpu_library()->find_job(&options, &job);
    cr_assert_not_null(error, "%s", words);
    cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_expect_not_null(strstr(error_message(error, NULL), words), "%s", error_message(error, NULL));
    error_free(error);
}

Test(tpu_library, jobs_by_options_and_by_variables)
{
    expect_job((struct device_job){0}, "v5e:4x4", 0, 1, 0);
    expect_job((struct device_job){2, 4, 0}, "v5e:4x4", 2, 4, 4);
    refuse_job((struct device_job){2, 3, 0}, "v5e:4x4", "3 processes");
    setenv("TPU_PROCESS_ADDRESSES", "a:8476,b:8476", 1);
    setenv("CLOUD_TPU_TASK_ID", "1", 1);
    setenv("TPU_PROCESS_BOUNDS", "1,2,1", 1);
    setenv("TPU_CHIPS_PER_PROCESS_BOUNDS", "2,2,1", 1);
    expect_job((struct device_job){0}, NULL, 1, 2, 4);
    expect_job((struct device_job){1, 2, 0}, NULL, 1, 2, 4);
    refuse_job((struct device_job){0, 2, 0}, NULL, "CLOUD_TPU_TASK_ID");
    setenv("TPU_PROCESS_BOUNDS", "2,2,1", 1);
    refuse_job((struct device_job){0}, NULL, "TPU_PROCESS_BOUNDS");
}
