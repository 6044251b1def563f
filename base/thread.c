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
#include "base/futex.h"
#include "base/interrupt.h"

enum { STACK_BYTES = 16 << 20, NAME_BYTES = 16 /* the kernel's limit, including the NUL */ };

struct start { /* arguments of a new thread, which frees them */
    void (*run)(void *argument);
    void *argument;
    char name[NAME_BYTES];
};

static void *run_started(void *argument)
{
    struct start start = *(struct start *)argument;
    alloc_free(argument);
    pthread_setname_np(pthread_self(), start.name);
    fpu_restore((struct fpu_mode){0}); /* a thread inherits the mode of its creator */
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

/* All but those that a thread's own fault raises: where they are blocked, the kernel ends the
 * process without running the client's handler. */
static void block_signals(sigset_t *before)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    sigset_t blocked;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        sigdelset(&blocked, faults[i]);
    pthread_sigmask(SIG_SETMASK, &blocked, before);
}

/* *joinable receives the thread, which the caller must join or detach; NULL: the thread is
 * detached. */
static bool start_thread(const char *name, void (*run)(void *argument), void *argument,
                         pthread_t *joinable)
{
    pthread_attr_t attributes;
    pthread_t detached;
    sigset_t before;
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
    if (!joinable)
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    block_signals(&before);
    bool made =
        pthread_create(joinable ? joinable : &detached, &attributes, run_started, start) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (!made)
        alloc_free(start);
    return made;
}

bool thread_start(const char *name, void (*run)(void *argument), void *argument)
{
    return start_thread(name, run, argument, NULL);
}

bool thread_run(const char *name, void (*run)(void *argument), void *argument)
{
    pthread_t thread;
    if (!start_thread(name, run, argument, &thread))
        return false;
    pthread_join(thread, NULL);
    return true;
}

/* ---- several --------------------------------------------------------------------------------- */
enum { MAX_HELPERS = 63 };

struct shared_loop { /* on the caller's stack; it joins all threads that use it */
    void (*body)(void *context, int i);
    void *context;
    int count;
    atomic_int next;
};

static void run_loop(void *argument)
{
    struct shared_loop *loop = argument;
    for (int i; (i = atomic_fetch_add(&loop->next, 1)) < loop->count;)
        loop->body(loop->context, i);
}

void thread_parallel(const char *name, int count, int threads, void (*body)(void *context, int i),
                     void *context)
{
    struct shared_loop loop = {.body = body, .context = context, .count = count};
    pthread_t helpers[MAX_HELPERS];
    int wanted = (threads < count ? threads : count) - 1, made = 0;
    wanted = wanted > MAX_HELPERS ? MAX_HELPERS : wanted;
    while (made < wanted && start_thread(name, run_loop, &loop, &helpers[made]))
        made++;
    run_loop(&loop);
    while (made)
        pthread_join(helpers[--made], NULL);
}

/* ---- calls ----------------------------------------------------------------------------------- */
enum state { RUNS, ASKS, ENDED, ABANDONED };

struct shared_call { /* by the caller and the thread; freed by the last user */
    atomic_uint state;
    struct thread_call call;
    struct error *error;
    void (*asked)(void *context); /* what the caller is to run while the thread ASKS */
    void *asked_context;
};

static _Thread_local struct shared_call *current; /* that this thread runs */

/* True for the first of the two. */
static bool change_state(struct shared_call *shared, enum state to)
{
    unsigned runs = RUNS;
    return atomic_compare_exchange_strong(&shared->state, &runs, to);
}

static void run_call(void *argument)
{
    struct shared_call *shared = argument;
    current = shared;
    shared->error = shared->call.run(shared->call.context);
    if (change_state(shared, ENDED)) { /* from here on the caller may free `shared` */
        futex_wake(&shared->state, 1);
        return;
    }
    shared->call.abandon(shared->call.context);
    error_free(shared->error);
    alloc_free(shared);
}

struct error *thread_run_on_caller(void (*function)(void *context), void *context)
{
    struct shared_call *shared = current;
    if (!shared) {
        function(context);
        return NULL;
    }
    shared->asked = function;
    shared->asked_context = context;
    if (!change_state(shared, ASKS))
        return ERROR(CANCELLED, "the call was interrupted by a signal");
    futex_wake(&shared->state, 1);
    while (atomic_load(&shared->state) == ASKS)
        futex_wait(&shared->state, ASKS);
    return NULL;
}

static void answer(struct shared_call *shared)
{
    shared->asked(shared->asked_context);
    atomic_store(&shared->state, RUNS);
    futex_wake(&shared->state, 1);
}

/* Returns true when the caller gives up; the thread then owns `shared` and its context. */
static bool wait_for(struct shared_call *shared)
{
    for (unsigned state; (state = atomic_load(&shared->state)) != ENDED;) {
        if (state == ASKS)
            answer(shared);
        else if (interrupt_wait(&shared->state, RUNS)) {
            shared->call.cancel(shared->call.context);
            if (change_state(shared, ABANDONED))
                return true;
        }
    }
    return false;
}

struct error *thread_run_and_wait(const char *name, const struct thread_call *call, bool *abandoned)
{
    struct shared_call *shared;
    pthread_t thread;
    *abandoned = false;
    TRY(alloc_zeroed(sizeof *shared, &shared));
    shared->call = *call;
    if (!start_thread(name, run_call, shared, &thread)) {
        alloc_free(shared);
        return ERROR(RESOURCE_EXHAUSTED, "cannot create the thread '%s'", name);
    }
    *abandoned = wait_for(shared);
    if (*abandoned) {
        pthread_detach(thread);
        return ERROR(CANCELLED, "the call was interrupted by a signal");
    }
    pthread_join(thread, NULL); /* returns soon: the work is done */
    struct error *error = shared->error;
    alloc_free(shared);
    return error;
}
