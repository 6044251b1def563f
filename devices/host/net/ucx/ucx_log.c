/* ucx_log.c: UCX's log, in place of its own (declared in ucs/debug/log_def.h): messages go to
 * Gantry's log as information, never to the client's output. It also lets libgantry_net.so be a
 * shared object: UCX's own has thread-local variables compiled for programs only. Thread-safe. */
#include <stdarg.h>
#include <stdio.h>
#include <ucs/config/types.h>
#include <ucs/debug/log_def.h>

#include "base/log.h"

enum { LINE = 512 };

const char *ucs_log_level_names[] = {
    [UCS_LOG_LEVEL_FATAL] = "FATAL",     [UCS_LOG_LEVEL_ERROR] = "ERROR",
    [UCS_LOG_LEVEL_WARN] = "WARN",       [UCS_LOG_LEVEL_DIAG] = "DIAG",
    [UCS_LOG_LEVEL_INFO] = "INFO",       [UCS_LOG_LEVEL_DEBUG] = "DEBUG",
    [UCS_LOG_LEVEL_TRACE] = "TRACE",     [UCS_LOG_LEVEL_TRACE_REQ] = "REQ",
    [UCS_LOG_LEVEL_TRACE_DATA] = "DATA", [UCS_LOG_LEVEL_TRACE_ASYNC] = "ASYNC",
    [UCS_LOG_LEVEL_TRACE_FUNC] = "FUNC", [UCS_LOG_LEVEL_TRACE_POLL] = "POLL",
    [UCS_LOG_LEVEL_LAST] = NULL,         [UCS_LOG_LEVEL_PRINT] = "PRINT"};

static void note(const char *format, va_list arguments)
{
    char line[LINE];
    vsnprintf(line, sizeof line, format, arguments);
    LOG(INFO, "UCX: %s", line);
}

void ucs_log_dispatch(const char *file, unsigned line, const char *function, ucs_log_level_t level,
                      ucs_log_component_config_t *component, const char *format, ...)
{
    va_list arguments;
    (void)file, (void)line, (void)function, (void)level, (void)component;
    va_start(arguments, format);
    note(format, arguments);
    va_end(arguments);
}

void ucs_log_fatal_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    note(format, arguments);
    va_end(arguments);
}

/* The header declares them without prototypes. */
void ucs_log_early_init(void);
void ucs_log_init(void);
void ucs_log_cleanup(void);
void ucs_log_flush(void);
size_t ucs_log_get_buffer_size(void);

/* ---- what has no meaning here ---------------------------------------------------------------- */
void ucs_log_early_init(void)
{
}

void ucs_log_init(void)
{
}

void ucs_log_cleanup(void)
{
}

void ucs_log_flush(void)
{
}

size_t ucs_log_get_buffer_size(void)
{
    return LINE;
}

void ucs_log_print_compact(const char *line)
{
    (void)line;
}

void ucs_log_indent(int delta)
{
    (void)delta;
}

void ucs_log_print_backtrace(ucs_log_level_t level)
{
    (void)level;
}

void ucs_log_set_thread_name(const char *format, ...)
{
    (void)format;
}
