/* compile_thread.c: see compile_thread.h. */
#include "compiler/driver/compile_thread.h"

#include <locale.h>
#include <time.h>

#include "base/alloc.h"
#include "base/log.h"
#include "base/thread.h"

enum { LONG_SECONDS = 5 }; /* compiles that take this long are logged */

struct work {
    struct arena *arena;
    struct error *(*body)(void *context);
    void (*abandon)(void *context);
    void *context;
};

/* Uses the C locale, because the process's LC_NUMERIC may have another decimal separator. */
static struct error *run(void *argument)
{
    struct work *work = argument;
    uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0)); /* static in glibc */
    return arena_run(work->arena, work->body, work->context);
}

static void cancel(void *argument)
{
    arena_cancel(((struct work *)argument)->arena);
}

static void abandon_work(void *argument)
{
    struct work *work = argument;
    work->abandon(work->context);
    alloc_free(work);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

struct error *compile_thread_run(struct arena *arena, struct error *(*body)(void *context),
                                 void (*abandon)(void *context), void *context, bool *abandoned)
{
    struct work *work;
    double began = seconds();
    *abandoned = false;
    TRY(alloc_zeroed(sizeof *work, &work));
    *work = (struct work){arena, body, abandon, context};
    struct thread_call call = {run, cancel, abandon_work, work};
    struct error *error = thread_run_and_wait("gantry-compile", &call, abandoned);
    if (!*abandoned)
        alloc_free(work);
    if (seconds() - began >= LONG_SECONDS)
        LOG(INFO, "a compile took %.1f s", seconds() - began);
    return error;
}
