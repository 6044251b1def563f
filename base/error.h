/* error.h: the one error type of Gantry.
 *
 * NULL is success. The owner of a `struct error *` either returns it or frees it. Codes are PJRT's
 * (which are absl's), and an error begins as a PJRT_Error: the ABI layer casts it. A message is one
 * sentence that states the failure, its location (operation and source location), and the found and
 * the allowed values, as valid UTF-8: other bytes, of names in damaged programs, become question
 * marks. Creating an error never fails: when memory is exhausted, a static object is returned,
 * which error_free() accepts. Thread-safety: an error is used by one thread at a time; static
 * errors are immutable and shared. */
#ifndef GANTRY_BASE_ERROR_H
#define GANTRY_BASE_ERROR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "pjrt_c_api.h"

struct error;

/* ERROR(INVALID_ARGUMENT, "%s: rank %d exceeds %d", name, rank, MAX_RANK): returns an owned
 * error. */
#define ERROR(code, ...) error_make(PJRT_Error_Code_##code, __FILE__, __LINE__, __VA_ARGS__)

/* Returns the error of `expr` from the calling function, if there is one. */
#define TRY(expr)                                                                                  \
    do {                                                                                           \
        struct error *error_of_try_ = (expr);                                                      \
        if (error_of_try_)                                                                         \
            return error_of_try_;                                                                  \
    } while (0)

/* Returns an owned error. `file` must be static. */
struct error *error_make(PJRT_Error_Code code, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
struct error *error_make_v(PJRT_Error_Code code, const char *file, int line, const char *format,
                           va_list arguments);

/* The static RESOURCE_EXHAUSTED error that means "no memory"; freeing it does nothing. */
struct error *error_out_of_memory(void);

/* Prepends "prefix: " to the message, so that a caller can add context. Takes and returns the owned
 * error. */
struct error *error_prefix(struct error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Keeps the first of two errors and frees the other; either may be NULL. */
struct error *error_join(struct error *first, struct error *second);

/* An owned copy, as an event makes one for each waiter. */
struct error *error_copy(const struct error *error);

PJRT_Error_Code error_code(const struct error *error);
const char *error_code_name(PJRT_Error_Code code); /* static: "INVALID_ARGUMENT" */

/* Borrowed until the error is freed; NUL-terminated; `*size` (may be NULL) excludes the NUL. */
const char *error_message(const struct error *error, size_t *size);

/* Where in Gantry's source the error was created; for logs, not for users. */
const char *error_file(const struct error *error, int *line);

void error_free(struct error *error); /* accepts NULL */

#endif
