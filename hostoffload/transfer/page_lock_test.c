#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/alloc.h"
#include "memory/hostmem.h"
#include "hostoffload/transfer/page_lock.h"

enum { PAGES = 8 };

/* Whether the system reports the page as locked. */
static bool is_locked(const char *page)
{
    char line[256];
    bool inside = false, locked = false;
    FILE *file = fopen("/proc/self/smaps", "r");
    cr_assert_not_null(file);
    while (fgets(line, sizeof line, file)) {
        unsigned long start, end;
        if (sscanf(line, "%lx-%lx ", &start, &end) == 2)
            inside = (uintptr_t)page >= start && (uintptr_t)page < end;
        else if (inside && !strncmp(line, "VmFlags:", 8))
            locked = strstr(line, " lo") != NULL;
    }
    fclose(file);
    return locked;
}

static char *pages;
static uint64_t page;

static void setup(void)
{
    page = hostmem_page();
    pages = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(pages, MAP_FAILED);
}

static void teardown(void)
{
    munmap(pages, PAGES * page);
}

TestSuite(page_lock, .init = setup, .fini = teardown);

/* A process may lack permission to lock memory, and sanitizers make mlock a no-op. */
static void need_locks(void)
{
    if (mlock(pages, PAGES * page) || !is_locked(pages))
        cr_skip_test("no memory can be locked");
    munlock(pages, PAGES * page);
}

static struct page_lock *lock(uint64_t start, uint64_t size)
{
    struct page_lock *out;
    struct error *error = page_lock_range(pages + start, size, &out);
    cr_assert_null(error, "%s", error_message(error, NULL));
    return out;
}

static void expect_locked(const char *expected)
{
    for (int i = 0; i < PAGES; i++)
        cr_expect_eq(is_locked(pages + (uint64_t)i * page), expected[i] == '#', "page %d", i);
}

/* Ranges that share pages: within one page, at their ends, and entirely. */
Test(page_lock, pages_stay_locked_until_the_last_range_goes)
{
    struct hostmem_stats before, after;
    need_locks();
    hostmem_stats(&before);
    struct page_lock *first = lock(100, page), *second = lock(page + 200, 2 * page);
    expect_locked("####....");
    page_lock_release(first);
    expect_locked(".###....");
    struct page_lock *wide = lock(0, 6 * page), *inner = lock(5 * page + 1, 1);
    page_lock_release(second);
    expect_locked("######..");
    hostmem_stats(&after);
    cr_expect_eq(after.locked, before.locked + 7 * page);
    page_lock_release(wide);
    expect_locked(".....#..");
    page_lock_release(inner);
    expect_locked("........");
    hostmem_stats(&after);
    cr_expect_eq(after.locked, before.locked);
}

Test(page_lock, refusal_is_counted)
{
    struct hostmem_stats before, after;
    hostmem_stats(&before);
    setenv("GANTRY_LOCK_BYTES", "0", 1);
    struct page_lock *refused = lock(0, 3 * page);
    unsetenv("GANTRY_LOCK_BYTES");
    hostmem_stats(&after);
    cr_expect_not(page_lock_is_granted(refused));
    cr_expect_eq(after.lock_refused, before.lock_refused + 3 * page);
    cr_expect_eq(after.locked, before.locked);
    expect_locked("........");
    page_lock_release(refused);
}

Test(page_lock, addresses_without_memory)
{
    struct page_lock *out;
    munmap(pages + 4 * page, page);
    struct error *error = page_lock_range(pages + 3 * page, 2 * page, &out);
    cr_assert_not_null(error);
    cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_expect_null(out);
    error_free(error);
    page_lock_release(NULL);
}
