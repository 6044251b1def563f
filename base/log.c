/* log.c: each message is one write(2), so that lines of several threads do not interleave. */
#include "base/log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/env.h"

enum { LEVEL_UNKNOWN = -2, LEVEL_SILENT = -1, MESSAGE_LARGEST = 4096 };

static const char *const level_names[] = {"error", "warning", "info", "debug"};
static atomic_int highest_level = LEVEL_UNKNOWN; /* read from the environment at the first use */

/* GANTRY_LOG has precedence over TF_CPP_MIN_LOG_LEVEL (0 info, 1 warning, 2 error, 3 none). */
static int level_from_environment(void)
{
    int64_t min_level = env_int(ENV_TF_CPP_MIN_LOG_LEVEL, 3);
    if (env_text(ENV_GANTRY_LOG))
        return env_choice(ENV_GANTRY_LOG); /* -1: silent */
    return min_level < 0 ? LOG_INFO : min_level >= 3 ? LEVEL_SILENT : (int)(LOG_INFO - min_level);
}

bool log_enabled(enum log_level level)
{
    int highest = atomic_load_explicit(&highest_level, memory_order_relaxed);
    if (highest == LEVEL_UNKNOWN) {
        highest = level_from_environment();
        atomic_store_explicit(&highest_level, highest, memory_order_relaxed);
    }
    return (int)level <= highest;
}

void log_message(enum log_level level, const char *format, ...)
{
    char line[MESSAGE_LARGEST];
    va_list arguments;
    int prefix = snprintf(line, sizeof line, "gantry: %s: ", level_names[level & 3]);
    size_t capacity = sizeof line - (size_t)prefix - 1;
    va_start(arguments, format);
    int size = vsnprintf(line + prefix, capacity, format, arguments);
    va_end(arguments);
    size_t whole = (size_t)prefix + (size < 0                  ? 0
                                     : (size_t)size < capacity ? (size_t)size
                                                               : capacity - 1);
    line[whole++] = '\n';
    if (write(STDERR_FILENO, line, whole) < 0)
        return; /* ignored: if stderr is closed, there is nowhere to report it */
}
