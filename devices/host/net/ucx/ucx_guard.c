/* ucx_guard.c: see ucx_guard.h. The linker's --wrap gives UCX's calls of these functions, which are
 * declared in its sources, to the ones here. */
#include "devices/host/net/ucx/ucx_guard.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <ucs/type/status.h>

#include "base/log.h"

enum { LINE = 512 };

_Noreturn void __wrap_ucs_fatal_error_message(const char *file, unsigned line, const char *function,
                                              char *message);
_Noreturn void __real_ucs_fatal_error_message(const char *file, unsigned line, const char *function,
                                              char *message);
_Noreturn void __wrap_ucs_fatal_error_format(const char *file, unsigned line, const char *function,
                                             const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void __real_ucp_request_send_state_ff(void *request, ucs_status_t status);
void __wrap_ucp_request_send_state_ff(void *request, ucs_status_t status);

static _Thread_local jmp_buf *innermost; /* where the thread goes on; NULL: nowhere */

bool ucx_guard_run(void (*work)(void *context), void *context)
{
    jmp_buf here, *outer = innermost;
    innermost = &here;
    bool works = !_setjmp(here);
    if (works)
        work(context);
    innermost = outer;
    return works;
}

_Noreturn void __wrap_ucs_fatal_error_message(const char *file, unsigned line, const char *function,
                                              char *message)
{
    LOG(INFO, "UCX: failed in %s (%s:%u): %s", function ? function : "?", file ? file : "?", line,
        message ? message : "");
    if (!innermost)
        __real_ucs_fatal_error_message(file, line, function, message);
    _longjmp(*innermost, 1);
}

_Noreturn void __wrap_ucs_fatal_error_format(const char *file, unsigned line, const char *function,
                                             const char *format, ...)
{
    char text[LINE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    __wrap_ucs_fatal_error_message(file, line, function, text);
}

/* ---- the assertion that is wrong ------------------------------------------------------------- */
struct unsent { /* a request to a peer that is gone */
    void *request;
    ucs_status_t status;
};

static void give_up(void *context)
{
    const struct unsent *unsent = context;
    __real_ucp_request_send_state_ff(unsent->request, unsent->status);
}

/* The message on which the assertion fails is UCX's own; its memory is lost, some hundred bytes. */
void __wrap_ucp_request_send_state_ff(void *request, ucs_status_t status)
{
    struct unsent unsent = {request, status};
    ucx_guard_run(give_up, &unsent);
}
