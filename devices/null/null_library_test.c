#include "devices/null/null_library.h"

#include <criterion/criterion.h>

#include "base/alloc.h"
#include "memory/storage.h"

static void destroy_all(int count, struct device **devices)
{
    for (int i = 0; i < count; i++)
        devices[i]->ops->destroy(devices[i]);
    alloc_free(devices);
}

Test(null_library, creates_devices)
{
    int count;
    struct device **devices;
    struct device_options options = {.device_count = 3, .memory_limit = {1 << 20}};
    cr_assert_null(null_library()->create(&options, &count, &devices));
    cr_expect_eq(count, 3);
    cr_expect_str_eq(devices[2]->text, "NULL_2");
    cr_expect_eq(devices[0]->space_count, 3);
    destroy_all(count, devices);
}

Test(null_library, launches_and_fails_on_demand)
{
    int count;
    struct device **devices;
    float result = 5;
    struct storage *storage;
    struct program_value value = {.shape.dtype = DTYPE_F32, .bytes = sizeof result};
    struct program program = {.name = "p", .result_count = 1, .results = &value};
    cr_assert_null(null_library()->create(NULL, &count, &devices));
    cr_assert_null(space_alloc(devices[0]->spaces[0], sizeof result, &storage));
    void *results[] = {storage->address};
    struct launch work = {.program = &program, .results = results};
    struct device_copy copy = {.from = {.device = devices[0], .storage = storage},
                               .to = {.host = &result},
                               .size = sizeof result};
    null_library_fail_at(2);
    cr_expect_null(devices[0]->ops->launch(devices[0], &work));
    cr_expect_null(devices[0]->ops->copy(devices[0], &copy));
    cr_expect_eq(result, 0);
    struct error *error = devices[0]->ops->launch(devices[0], &work);
    cr_expect(error);
    error_free(error);
    cr_expect_null(devices[0]->ops->launch(devices[0], &work));
    storage_release(storage);
    destroy_all(count, devices);
}

Test(null_library, every_allocation_may_fail)
{
    int count;
    struct device **devices;
    bool done = false;
    for (int64_t n = 1; !done; n++) {
        int64_t live = alloc_live();
        alloc_fail_at(n);
        struct error *error = null_library()->create(NULL, &count, &devices);
        alloc_fail_at(0);
        done = !error;
        if (done)
            destroy_all(count, devices);
        error_free(error);
        cr_assert_eq(alloc_live(), live);
    }
}
