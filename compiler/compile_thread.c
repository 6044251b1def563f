/* compile_thread.c: see compile_thread.h. */
#include "compiler/compile_thread.h"

#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "base/fpu.h"
#include "base/log.h"

/* Some clients call from stacks of 320 KiB. */
enum { STACK_BYTES = 16 << 20, PATIENCE_SECONDS = 5 };

struct work {
    struct arena *arena;
    struct error *(*body)(void *context);
    void *context;
    struct error *error;
};

/* Numbers are read and written with a point, whatever LC_NUMERIC the process has chosen. */
static void *run(void *argument)
{
    struct work *work = argument;
    uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0)); /* static in glibc */
    fpu_restore((struct fpu_mode){0});
    work->error = arena_run(work->arena, work->body, work->context);
    return NULL;
}

static void wait_for(pthread_t thread)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE_SECONDS;
    if (pthread_timedjoin_np(thread, NULL, &until) == 0)
        return;
    LOG(INFO, "compiling takes more than %d seconds", PATIENCE_SECONDS);
    pthread_join(thread, NULL);
}

struct error *compile_thread_run(struct arena *arena, struct error *(*body)(void *context),
                                 void *context)
{
    struct work work = {.arena = arena, .body = body, .context = context};
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, before;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* inherited: handlers run on client threads */
    int failed = pthread_create(&thread, &attributes, run, &work);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (failed)
        return ERROR(RESOURCE_EXHAUSTED, "cannot start a compile thread: %s", strerror(failed));
    wait_for(thread);
    return work.error;
}
