/* thread.c: see thread.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr, thread names */
#endif
#include "base/thread.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/fpu.h"

enum { STACK_BYTES = 16 << 20, NAME_BYTES = 16 /* the kernel's limit, with the NUL */ };

struct start { /* what a new thread is told; it frees it */
    void (*run)(void *argument);
    void *argument;
    char name[NAME_BYTES];
};

static void *thread_run(void *told)
{
    struct start start = *(struct start *)told;
    alloc_free(told);
    pthread_setname_np(pthread_self(), start.name);
    fpu_restore((struct fpu_mode){0}); /* a thread inherits the mode of the one that made it */
    start.run(start.argument);
    return NULL;
}

static void keep_library_loaded(void)
{
    static atomic_bool kept;
    Dl_info info;
    if (atomic_exchange_explicit(&kept, true, memory_order_relaxed))
        return;
    if (dladdr((void *)(uintptr_t)&kept, &info) && info.dli_fname)
        dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

bool thread_start(const char *name, void (*run)(void *argument), void *argument)
{
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, before;
    struct start *start;
    struct error *error = alloc_bytes(sizeof *start, &start);
    if (error) {
        error_free(error);
        return false;
    }
    *start = (struct start){run, argument, ""};
    snprintf(start->name, sizeof start->name, "%s", name);
    keep_library_loaded();
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool made = pthread_create(&thread, &attributes, thread_run, start) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (!made)
        alloc_free(start);
    return made;
}
