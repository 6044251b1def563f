/* error.h: the one error type of Gantry.
 *
 * NULL is success. Whoever holds a `struct error *` either returns it or frees it. Codes are
 * PJRT's own (which are absl's), so the ABI layer hands a `struct error *` out as a `PJRT_Error *`
 * without mapping. A message is one sentence: what, where (operation and source location), got
 * versus allowed. Making an error never fails: when memory is gone a static object comes back, and
 * error_free() accepts it. Thread-safety: an error belongs to one thread at a time; static errors
 * are immutable and shared. */
#ifndef GANTRY_BASE_ERROR_H
#define GANTRY_BASE_ERROR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "pjrt_c_api.h"

struct error;

/* ERROR(INVALID_ARGUMENT, "%s: rank %d exceeds %d", name, rank, MAX_RANK): makes an owned error. */
#define ERROR(code, ...) error_make(PJRT_Error_Code_##code, __FILE__, __LINE__, __VA_ARGS__)

/* Returns the error of `expr` from the calling function, if there is one. */
#define TRY(expr)                                                                                  \
    do {                                                                                           \
        struct error *error_of_try_ = (expr);                                                      \
        if (error_of_try_)                                                                         \
            return error_of_try_;                                                                  \
    } while (0)

/* Makes an owned error. `file` is static and must outlive the process's use of the error. */
struct error *error_make(PJRT_Error_Code code, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
struct error *error_make_v(PJRT_Error_Code code, const char *file, int line, const char *format,
                           va_list arguments);

/* The static RESOURCE_EXHAUSTED error that means "no memory"; freeing it does nothing. */
struct error *error_out_of_memory(void);

/* Puts "prefix: " before the message: a caller adds where it was. Takes and returns the owned
 * error. */
struct error *error_prefix(struct error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Keeps the first of two errors and frees the other; either may be NULL. */
struct error *error_join(struct error *first, struct error *second);

/* A second owned copy (an event hands its error to every waiter). */
struct error *error_copy(const struct error *error);

PJRT_Error_Code error_code(const struct error *error);
const char *error_code_name(PJRT_Error_Code code); /* static: "INVALID_ARGUMENT" */

/* Borrowed until the error is freed; NUL-terminated; `*size` (may be NULL) excludes the NUL. */
const char *error_message(const struct error *error, size_t *size);

/* Where in Gantry the error was made; for logs, not for users. */
const char *error_file(const struct error *error, int *line);

void error_free(struct error *error); /* accepts NULL */

#endif
