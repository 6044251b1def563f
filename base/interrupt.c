/* interrupt.c: see interrupt.h. */
#include "base/interrupt.h"

#include <dlfcn.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/futex.h"

/* The functions used from Python's stable C API, with their names. */
#define PYTHON_FUNCTIONS(F)                                                                        \
    F(int, is_initialized, "Py_IsInitialized", (void))                                             \
    F(int, gil_take, "PyGILState_Ensure", (void))                                                  \
    F(void, gil_release, "PyGILState_Release", (int state))                                        \
    F(int, run_handlers, "PyErr_CheckSignals", (void))                                             \
    F(void, take_exception, "PyErr_Fetch", (void **type, void **value, void **traceback))          \
    F(void, raise, "PyErr_Restore", (void *type, void *value, void *traceback))                    \
    F(int, call_later, "Py_AddPendingCall", (int (*function)(void *), void *argument))

struct python {
#define F(result, name, symbol, arguments) result(*name) arguments;
    PYTHON_FUNCTIONS(F)
#undef F
};

/* The exception that ended a call and has not been raised in the interpreter yet; `type` is NULL
 * when there is none. Used by the process's first thread only. */
static struct {
    struct python python;
    void *type, *value, *traceback;
} pending;

static bool find_python(struct python *out)
{
    bool whole = true;
#define F(result, name, symbol, arguments)                                                         \
    *(void **)&out->name = dlsym(RTLD_DEFAULT, symbol);                                            \
    whole &= out->name != NULL;
    PYTHON_FUNCTIONS(F)
#undef F
    return whole && out->is_initialized();
}

/* Called by the interpreter, on its first thread. */
static int raise_pending(void *unused)
{
    (void)unused;
    void *type = pending.type;
    if (!type)
        return 0;
    pending.type = NULL;
    pending.python.raise(type, pending.value, pending.traceback);
    return -1;
}

/* Runs the handlers of pending signals; returns whether one of them raised. */
static bool handlers_raise(const struct python *python)
{
    int state = python->gil_take();
    bool raised = python->run_handlers() < 0;
    if (raised) {
        pending.python = *python;
        python->take_exception(&pending.type, &pending.value, &pending.traceback);
        python->call_later(raise_pending, NULL);
    }
    python->gil_release(state);
    return raised;
}

/* After a signal. */
static bool is_cancelled(void)
{
    struct python python;
    if (syscall(SYS_gettid) != getpid())
        return false;
    if (pending.type) /* from the previous call; the interpreter has not run since */
        return true;
    return find_python(&python) && handlers_raise(&python);
}

bool interrupt_wait(atomic_uint *word, unsigned value)
{
    return !futex_wait(word, value) && is_cancelled();
}

bool interrupt_wait_for(atomic_uint *word, unsigned value, int64_t nanoseconds)
{
    return !futex_wait_for(word, value, nanoseconds) && is_cancelled();
}

bool interrupt_wait_until(atomic_uint *word, unsigned value, int64_t deadline)
{
    if (deadline == INT64_MAX)
        return interrupt_wait(word, value);
    int64_t left = deadline - clock_now();
    return left <= 0 || interrupt_wait_for(word, value, left);
}
