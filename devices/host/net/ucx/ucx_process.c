/* ucx_process.c: see ucx_process.h. The linker's --wrap gives UCX's calls of getenv() to the one
 * here, so that the environment is not changed. UCX's static libraries refer to variables of the C
 * library as programs do, which a shared object cannot; these have stand-ins. */
#include "devices/host/net/ucx/ucx_process.h"

#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/host/net/ucx/ucx_near.h"

extern FILE *__wrap_stderr, *__wrap_stdout, *__wrap_stdin;
extern const struct in6_addr __wrap_in6addr_loopback, __wrap_in6addr_any;
extern void *__wrap___curbrk;
extern char **__wrap_environ, **__wrap___environ;
char *__real_getenv(const char *name);
char *__wrap_getenv(const char *name);

/* UCX prints nothing: ucx_log.c. */
FILE *__wrap_stderr, *__wrap_stdout, *__wrap_stdin;

const struct in6_addr __wrap_in6addr_loopback = IN6ADDR_LOOPBACK_INIT;
const struct in6_addr __wrap_in6addr_any = IN6ADDR_ANY_INIT;

/* Read by the hooks of memory functions, which are off. */
void *__wrap___curbrk;

/* UCX looks for variables that it does not know, to warn of them. */
static char *nothing[] = {NULL};
char **__wrap_environ = nothing, **__wrap___environ = nothing;

bool ucx_process_shares_memory(void)
{
    return !__real_getenv("UCX_TLS") && ucx_near_is_supported();
}

static const char *transports(void)
{
    return ucx_near_is_supported() ? UCX_PROCESS_TRANSPORTS : UCX_PROCESS_TCP;
}

char *__wrap_getenv(const char *name)
{
    static const char *const defaults[][2] = {
        {"UCX_HANDLE_ERRORS", "none"}, {"UCX_ERROR_SIGNALS", ""},
        {"UCX_DEBUG_SIGNO", "0"},      {"UCX_MEM_EVENTS", "n"},
        {"UCX_VFS_ENABLE", "n"},       {"UCX_LOG_LEVEL", "error"},
        {"UCX_TCP_KEEPIDLE", "2s"},    {"UCX_TCP_KEEPINTVL", "1s"},
        {"UCX_TCP_KEEPCNT", "5"},      {"UCX_POSIX_ERROR_HANDLING", "y"},
        {"UCX_POSIX_FIFO_SIZE", "64"}, {"UCX_POSIX_RX_BUFS_GROW", "96"},
        {"UCX_TCP_CONN_NB", "y"},      {"UCX_KEEPALIVE_INTERVAL", "inf"},
        {"UCX_RNDV_THRESH", "inf"},    {"UCX_TCP_RX_SEG_SIZE", "136k"}};
    char *value = __real_getenv(name);
    if (!value && !strcmp(name, "UCX_TLS"))
        value = (char *)(uintptr_t)transports();
    for (size_t i = 0; !value && i < sizeof defaults / sizeof *defaults; i++)
        if (!strcmp(name, defaults[i][0]))
            value = (char *)(uintptr_t)defaults[i][1];
    return value;
}
