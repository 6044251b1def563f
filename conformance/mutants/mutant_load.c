/* mutant_load.c: mutants of area 1: GetPjrtApi does more than return the table. */
#include "conformance/mutants/mutant_load.h"

#include <fcntl.h>
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "conformance/mutants/mutant.h"

/* These do nothing to the table itself. */
void mutant_no_table(PJRT_Api *api)
{
    (void)api;
}

void mutant_table_per_call(PJRT_Api *api)
{
    (void)api;
}

void mutant_leaks_at_load(PJRT_Api *api)
{
    (void)api;
    mutant_leak(1 << 16);
}

static void *wait_forever(void *unused)
{
    for (;;)
        pause();
    return unused;
}

void mutant_thread_at_load(PJRT_Api *api)
{
    pthread_t thread;
    (void)api;
    pthread_create(&thread, NULL, wait_forever, NULL);
}

void mutant_file_at_load(PJRT_Api *api)
{
    (void)api;
    (void)!open("/dev/null", O_RDONLY);
}

void mutant_words_at_load(PJRT_Api *api)
{
    (void)api;
    (void)!write(2, "hello\n", 6);
}

void mutant_signal_at_load(PJRT_Api *api)
{
    (void)api;
    signal(SIGUSR1, SIG_IGN);
}

void mutant_variable_at_load(PJRT_Api *api)
{
    (void)api;
    setenv("MUTANT_WAS_HERE", "1", 1);
}

void mutant_folder_at_load(PJRT_Api *api)
{
    (void)api;
    (void)!chdir("/");
}

void mutant_rounding_at_load(PJRT_Api *api)
{
    (void)api;
    fesetround(FE_UPWARD);
}

static const PJRT_Api *another_table(const PJRT_Api *table)
{
    static PJRT_Api copies[64];
    static atomic_uint next;
    PJRT_Api *copy = &copies[atomic_fetch_add(&next, 1) % 64];
    *copy = *table;
    return copy;
}

const PJRT_Api *mutant_load(const PJRT_Api *table)
{
    if (!table || mutant_is("no_table"))
        return NULL;
    return mutant_is("table_per_call") ? another_table(table) : table;
}
