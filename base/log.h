/* log.h: messages for users, on stderr; silent by default (GANTRY_LOG, TF_CPP_MIN_LOG_LEVEL).
 * Thread-safe: each message is one write. */
#ifndef GANTRY_BASE_LOG_H
#define GANTRY_BASE_LOG_H

#include <stdbool.h>

enum log_level { LOG_ERROR, LOG_WARNING, LOG_INFO, LOG_DEBUG };

bool log_enabled(enum log_level level);
void log_message(enum log_level level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define LOG(level, ...)                                                                            \
    do {                                                                                           \
        if (log_enabled(LOG_##level))                                                              \
            log_message(LOG_##level, __VA_ARGS__);                                                 \
    } while (0)

#endif
