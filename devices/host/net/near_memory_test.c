/* near_memory_test.c: this process, and a child, as the one whose memory is read. */
#include "devices/host/net/near_memory.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIZE = 24 << 20, ROWS = 512, ROW = 1500, STRIDE = 2000 };

static char source[SIZE], target[SIZE];
static uint64_t word;

static struct net_offer offer_of(const struct net_piece *pieces, int count, pid_t process)
{
    struct net_offer offer;
    net_offer_make(&offer, pieces, count);
    offer.process = (uint64_t)process;
    offer.proof_at = (uint64_t)(uintptr_t)&word;
    offer.proof = word;
    return offer;
}

static void fill(void)
{
    word = 4711;
    for (int i = 0; i < SIZE; i++)
        source[i] = (char)(i * 7 + i / 251);
}

/* A container may forbid the system call even for a process's own memory. */
static void require_reading(void)
{
    struct iovec byte = {target, 1};
    fill();
    if (process_vm_readv(getpid(), &byte, 1, &byte, 1, 0) < 0)
        cr_skip_test("the system forbids to read the memory of processes");
}

Test(near_memory, reads_more_than_a_call_takes)
{
    require_reading();
    const struct net_piece from = {source, 1, SIZE, SIZE}, to = {target, 1, SIZE, SIZE};
    struct net_offer offer = offer_of(&from, 1, getpid());
    cr_assert_eq(near_memory_read(&offer, &to, SIZE), NEAR_MEMORY_READ);
    cr_expect_arr_eq(target, source, SIZE);
}

/* The rows of both sides begin and end at different bytes. */
Test(near_memory, reads_rows_into_other_rows)
{
    require_reading();
    enum { TOTAL = ROWS * ROW + 100, WIDE = 3000 };
    const struct net_piece from[] = {{source, ROWS, ROW, STRIDE}, {source + SIZE / 2, 1, 100, 100}};
    const struct net_piece to[] = {{target, TOTAL / WIDE, WIDE, 2 * WIDE},
                                   {target + SIZE / 2, 1, TOTAL % WIDE, 1}};
    struct net_offer offer = offer_of(from, 2, getpid());
    cr_assert_eq(near_memory_read(&offer, to, TOTAL), NEAR_MEMORY_READ);
    for (int i = 0; i < TOTAL; i++) {
        char sent =
            i < ROWS * ROW ? source[i / ROW * STRIDE + i % ROW] : source[SIZE / 2 + i - ROWS * ROW];
        char got = i < TOTAL / WIDE * WIDE ? target[i / WIDE * 2 * WIDE + i % WIDE]
                                           : target[SIZE / 2 + i % WIDE];
        cr_assert_eq(got, sent, "byte %d", i);
    }
}

Test(near_memory, refuses_what_is_no_longer_lent)
{
    require_reading();
    const struct net_piece from = {source, 1, SIZE, SIZE}, to = {target, 1, SIZE, SIZE};
    struct net_offer offer = offer_of(&from, 1, getpid());
    word = 0;
    cr_expect_eq(near_memory_read(&offer, &to, SIZE), NEAR_MEMORY_FAILED);
}

Test(near_memory, addresses_that_cannot_be_read_fail)
{
    require_reading();
    char *hole = mmap(NULL, SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const struct net_piece from = {hole, 1, SIZE, SIZE}, to = {target, 1, SIZE, SIZE};
    struct net_offer offer = offer_of(&from, 1, getpid());
    cr_expect_eq(near_memory_read(&offer, &to, SIZE), NEAR_MEMORY_FAILED);
    offer = offer_of(&to, 1, getpid());
    offer.proof_at = (uint64_t)(uintptr_t)hole;
    cr_expect_eq(near_memory_read(&offer, &to, SIZE), NEAR_MEMORY_FAILED);
    munmap(hole, SIZE);
}

/* A system that forbids it says so; where it allows it, the bytes are the child's. */
Test(near_memory, reads_another_process_until_it_ends)
{
    fill();
    pid_t child = fork();
    if (!child) {
        pause();
        _exit(0);
    }
    const struct net_piece from = {source, 1, SIZE, SIZE}, to = {target, 1, SIZE, SIZE};
    struct net_offer offer = offer_of(&from, 1, child);
    enum near_memory got = near_memory_read(&offer, &to, SIZE);
    cr_expect(got == NEAR_MEMORY_FORBIDDEN ||
              (got == NEAR_MEMORY_READ && !memcmp(source, target, SIZE)));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    cr_expect_eq(near_memory_read(&offer, &to, SIZE), NEAR_MEMORY_FORBIDDEN);
}

/* Whether a child may read the memory of another child, which allows it if `reader` is not 0. */
static bool sibling_reads(enum near_reader reader)
{
    int ready[2], status;
    char byte = 0;
    cr_assert(!pipe(ready));
    pid_t lender = fork();
    if (!lender) {
        if (reader)
            near_memory_allow(reader);
        _exit(write(ready[1], &byte, 1) != 1 || pause());
    }
    cr_assert_eq(read(ready[0], &byte, 1), 1);
    pid_t borrower = fork();
    if (!borrower) {
        const struct net_piece from = {source, 1, SIZE, SIZE}, to = {target, 1, SIZE, SIZE};
        struct net_offer offer = offer_of(&from, 1, lender);
        _exit(near_memory_read(&offer, &to, SIZE) != NEAR_MEMORY_READ);
    }
    waitpid(borrower, &status, 0);
    kill(lender, SIGKILL);
    waitpid(lender, NULL, 0);
    close(ready[0]);
    close(ready[1]);
    return WIFEXITED(status) && !WEXITSTATUS(status);
}

static int yama_scope(void)
{
    int scope = 0;
    FILE *file = fopen("/proc/sys/kernel/yama/ptrace_scope", "re");
    if (!file)
        return 0;
    if (fscanf(file, "%d", &scope) != 1)
        scope = 0;
    fclose(file);
    return scope;
}

Test(near_memory, a_sibling_reads_when_it_is_allowed_to)
{
    require_reading();
    if (yama_scope() > 1)
        cr_skip_test("Yama's ptrace_scope is more than 1: nothing allows it");
    if (yama_scope() == 1)
        cr_expect(near_memory_allow(NEAR_READER_LAUNCHER));
    cr_expect(sibling_reads(NEAR_READER_LAUNCHER));
    cr_expect(sibling_reads(NEAR_READER_ANY));
}
