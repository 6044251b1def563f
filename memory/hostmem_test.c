#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

static void write_file(const char *root, const char *path, const char *text)
{
    char name[512];
    snprintf(name, sizeof name, "%s/%s", root, path);
    for (char *slash = strchr(name + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(name, 0700);
        *slash = '/';
    }
    FILE *file = fopen(name, "w");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
}

/* The least limit of the group and those above it, in a recorded tree. */
Test(hostmem, limit_of_a_recorded_control_group)
{
    char root[] = "/tmp/hostmem_test_XXXXXX", command[64];
    cr_assert_not_null(mkdtemp(root));
    write_file(root, "proc/self/cgroup", "0::/pod/job\n");
    write_file(root, "sys/fs/cgroup/pod/job/memory.max", "max\n");
    write_file(root, "sys/fs/cgroup/pod/memory.max", "104857600\n");
    setenv("GANTRY_SYSFS_ROOT", root, 1);
    cr_expect_eq(hostmem_limit(), 100 << 20);
    write_file(root, "sys/fs/cgroup/pod/job/memory.max", "52428800\n");
    cr_expect_eq(hostmem_limit(), 50 << 20);
    write_file(root, "proc/self/cgroup", "7:cpu,memory:/old\n");
    write_file(root, "sys/fs/cgroup/memory/old/memory.limit_in_bytes", "33554432\n");
    cr_expect_eq(hostmem_limit(), 32 << 20);
    unsetenv("GANTRY_SYSFS_ROOT");
    snprintf(command, sizeof command, "rm -r %s", root);
    cr_expect_eq(system(command), 0);
}
