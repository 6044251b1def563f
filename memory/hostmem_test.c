#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "memory/hostmem.h"
#include "memory/numa.h"

static const struct hostmem_place anywhere = {HOSTMEM_ANYWHERE, false};

static struct hostmem_stats stats(void)
{
    struct hostmem_stats now;
    hostmem_stats(&now);
    return now;
}

Test(hostmem, maps_zeroed_aligned_memory)
{
    static const uint64_t sizes[] = {1, 4096, 100000, 2 << 20, (6 << 20) + 5};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct hostmem_mapping mapping;
        uint64_t size = hostmem_round(sizes[i]);
        cr_assert_eq(size % hostmem_page(), 0);
        cr_assert_null(hostmem_map(size, &anywhere, &mapping));
        cr_assert_not(mapping.bound || mapping.locked);
        cr_assert_eq(
            (uintptr_t)mapping.bytes % (size >= HOSTMEM_HUGE ? HOSTMEM_HUGE : hostmem_page()), 0);
        cr_assert_eq(((char *)mapping.bytes)[size - 1], 0);
        memset(mapping.bytes, 1, size);
        cr_assert_eq(hostmem_mapped(), size);
        hostmem_unmap(&mapping);
        cr_assert_eq(hostmem_mapped(), 0);
    }
    hostmem_unmap(&(struct hostmem_mapping){0});
}

Test(hostmem, node_is_a_request)
{
    static const int nodes[] = {0, HOSTMEM_INTERLEAVED};
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        struct hostmem_mapping mapping;
        struct hostmem_place place = {nodes[i], false};
        cr_assert_null(hostmem_map(4 << 20, &place, &mapping));
        cr_assert(mapping.bound || numa_count() > 1);
        cr_assert_eq(stats().bound + stats().bind_refused, 4 << 20);
        memset(mapping.bytes, 1, 4 << 20);
        hostmem_unmap(&mapping);
        cr_assert_eq(stats().bound, 0);
    }
}

/* A lock is granted, or refused with a reason; the memory is usable in either case. */
Test(hostmem, locks_what_the_system_allows)
{
    struct hostmem_mapping mapping;
    struct hostmem_place pinned = {HOSTMEM_ANYWHERE, true};
    cr_assert_null(hostmem_map(64 << 10, &pinned, &mapping));
    memset(mapping.bytes, 1, 64 << 10);
    cr_expect_eq(stats().locked, mapping.locked ? 64 << 10 : 0);
    cr_expect_eq(stats().lock_refused, mapping.locked ? 0 : 64 << 10);
    cr_expect_eq(stats().lock_refusal == NULL, mapping.locked);
    hostmem_unmap(&mapping);
    cr_expect_eq(stats().locked, 0);
    cr_expect_eq(stats().mapped, 0);
}

Test(hostmem, refused_locks_are_facts)
{
    struct hostmem_mapping mapping, second;
    struct hostmem_place pinned = {HOSTMEM_ANYWHERE, true};
    setenv("GANTRY_LOCK_BYTES", "0", 1);
    cr_assert_null(hostmem_map(64 << 10, &pinned, &mapping));
    cr_expect_not(mapping.locked);
    cr_expect_str_eq(stats().lock_refusal, "GANTRY_LOCK_BYTES is reached");
    struct rlimit none = {0, 0};
    setenv("GANTRY_LOCK_BYTES", "1G", 1);
    cr_assert_eq(setrlimit(RLIMIT_MEMLOCK, &none), 0);
    cr_assert_null(hostmem_map(64 << 10, &pinned, &second));
    memset(second.bytes, 1, 64 << 10); /* a privileged process is not refused */
    cr_expect_eq(stats().lock_refused, second.locked ? 64 << 10 : 128 << 10);
    cr_expect(second.locked || strstr(stats().lock_refusal, "RLIMIT_MEMLOCK"));
    hostmem_unmap(&mapping), hostmem_unmap(&second);
}

Test(hostmem, too_much_is_an_error)
{
    struct hostmem_mapping mapping;
    static const uint64_t sizes[] = {1ULL << 47, 1ULL << 62, UINT64_MAX - 4095};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct error *error = hostmem_map(sizes[i], &anywhere, &mapping);
        cr_assert_eq(error_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED);
        cr_assert_null(mapping.bytes);
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

/* The lowest limit of the group and its ancestors, in a recorded tree. */
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
