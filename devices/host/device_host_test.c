#include "devices/host/device_host.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

static void describe(const struct device_host_model *model, int index,
                     struct device_host_identity *out)
{
    (void)model;
    out->id = 10 + index;
    snprintf(out->text, sizeof out->text, "device %d", index);
    snprintf(out->debug_text, sizeof out->debug_text, "debug %d", index);
}

static const struct device_host_model model = {.name = "name",
                                               .kind = "kind",
                                               .short_name = "D",
                                               .describe = describe,
                                               .memory_bytes = 1 << 20,
                                               .max_devices = 4};

Test(device_host, describes_its_devices)
{
    int count;
    struct device **devices;
    struct target target;
    struct space_stats stats;
    device_host_target("name", 7, &target);
    cr_expect(target.cores >= 1 && target.isa.vector_bytes >= 16 && target.alignment == 64 &&
              target.memory_bytes[MEMORY_DEVICE] == 7);
    cr_assert_null(
        device_host_create(&model, &(struct device_options){.device_count = 2}, &count, &devices));
    cr_assert_eq(count, 2);
    cr_expect_str_eq(devices[1]->text, "device 1");
    cr_expect(devices[1]->id == 11 && devices[1]->local_ordinal == 1);
    cr_expect_str_eq(devices[1]->debug_text, "debug 1");
    space_stats(devices[0]->spaces[0], &stats);
    cr_expect_eq(stats.limit, 1 << 20);
    cr_expect_eq(devices[0]->target.memory_bytes[MEMORY_DEVICE], 1 << 20);
    for (int i = 0; i < count; i++)
        devices[i]->ops->destroy(devices[i]);
    alloc_free(devices);
}

Test(device_host, every_allocation_may_fail)
{
    int count;
    struct device **devices;
    bool done = false;
    for (int64_t n = 1; !done; n++) {
        int64_t live = alloc_live();
        alloc_fail_at(n);
        struct error *error = device_host_create(&model, NULL, &count, &devices);
        alloc_fail_at(0);
        done = !error;
        for (int i = 0; done && i < count; i++)
            devices[i]->ops->destroy(devices[i]);
        if (done)
            alloc_free(devices);
        error_free(error);
        cr_assert_eq(alloc_live(), live);
    }
}
