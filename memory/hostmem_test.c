#include <criterion/criterion.h>
#include <string.h>

#include "memory/hostmem.h"
#include "memory/numa.h"

Test(hostmem, maps_zeroed_aligned_memory)
{
    static const uint64_t sizes[] = {1, 4096, 100000, 2 << 20, (6 << 20) + 5};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        void *bytes;
        bool bound = true;
        uint64_t size = hostmem_round(sizes[i]);
        cr_assert_eq(size % hostmem_page(), 0);
        cr_assert_null(hostmem_map(size, -1, &bytes, &bound));
        cr_assert_not(bound);
        cr_assert_eq((uintptr_t)bytes % (size >= HOSTMEM_HUGE ? HOSTMEM_HUGE : hostmem_page()), 0);
        cr_assert_eq(((char *)bytes)[size - 1], 0);
        memset(bytes, 1, size);
        cr_assert_eq(hostmem_mapped(), size);
        hostmem_unmap(bytes, size);
        cr_assert_eq(hostmem_mapped(), 0);
    }
    hostmem_unmap(NULL, 1);
}

Test(hostmem, node_is_a_wish)
{
    void *bytes;
    bool bound = false;
    cr_assert_null(hostmem_map(4 << 20, 0, &bytes, &bound));
    cr_assert(bound || numa_count() > 1);
    memset(bytes, 1, 4 << 20);
    hostmem_unmap(bytes, 4 << 20);
}

Test(hostmem, too_much_is_an_error)
{
    void *bytes;
    static const uint64_t sizes[] = {1ULL << 47, 1ULL << 62, UINT64_MAX - 4095};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct error *error = hostmem_map(sizes[i], -1, &bytes, NULL);
        cr_assert_eq(error_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED);
        cr_assert_null(bytes);
        error_free(error);
    }
    cr_assert_eq(hostmem_mapped(), 0);
}

Test(hostmem, limit_is_sensible)
{
    cr_assert_gt(hostmem_limit(), 64 << 20);
}
