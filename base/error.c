/* error.c: an error is one allocation: the record, then its message. It begins as a PJRT_Error. */
#include "base/error.h"

#include <stdio.h>
#include <string.h>

#include "base/heap.h"
#include "base/utf8.h"

struct error {
    PJRT_Error base;
    PJRT_Error_Code code;
    int line;
    const char *file; /* static */
    size_t size;      /* of the message, without its NUL */
    char message[];
};

/* ---- the functions of a PJRT_Error ---- */
static void destroy(PJRT_Error *error)
{
    error_free((struct error *)error);
}

static void get_message(const PJRT_Error *error, const char **message, size_t *size)
{
    *message = error_message((const struct error *)error, size);
}

static PJRT_Error_Code get_code(const PJRT_Error *error)
{
    return error_code((const struct error *)error);
}

/* Gantry's errors carry no payloads. */
static void for_each_payload(const PJRT_Error *error, PJRT_Error_PayloadVisitor visitor, void *arg)
{
    (void)error, (void)visitor, (void)arg;
}

static const PJRT_Error_FunctionTable functions = {
    .struct_size = PJRT_Error_FunctionTable_STRUCT_SIZE,
    .instance_size = PJRT_Error_STRUCT_SIZE,
    .destroy = destroy,
    .message = get_message,
    .get_code = get_code,
    .for_each_payload = for_each_payload,
};

/* ---- the record ---- */

/* Has the layout of struct error, with space for the message; never written to, never freed. */
static const struct {
    PJRT_Error base;
    PJRT_Error_Code code;
    int line;
    const char *file;
    size_t size;
    char message[sizeof "out of memory"];
} no_memory = {.base = {&functions},
               .code = PJRT_Error_Code_RESOURCE_EXHAUSTED,
               .line = __LINE__,
               .file = __FILE__,
               .size = sizeof "out of memory" - 1,
               .message = "out of memory"};

_Static_assert(offsetof(struct error, message) == 2 * sizeof(int) + 3 * sizeof(void *),
               "no_memory has struct error's layout");

struct error *error_out_of_memory(void)
{
    return (struct error *)(uintptr_t)&no_memory;
}

static bool is_static(const struct error *error)
{
    return (const void *)error == (const void *)&no_memory;
}

/* An error whose message has `size` bytes, not yet written; NULL when memory is exhausted. */
static struct error *error_allocate(PJRT_Error_Code code, const char *file, int line, size_t size)
{
    struct error *error = heap_alloc(sizeof *error + size + 1);
    if (!error)
        return NULL;
    error->base.vtable = &functions;
    error->code = code;
    error->file = file;
    error->line = line;
    error->size = size;
    error->message[size] = '\0';
    return error;
}

struct error *error_make_v(PJRT_Error_Code code, const char *file, int line, const char *format,
                           va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int size = vsnprintf(NULL, 0, format, arguments);
    struct error *error = error_allocate(code, file, line, size < 0 ? 0 : (size_t)size);
    if (error && size > 0) {
        vsnprintf(error->message, (size_t)size + 1, format, again);
        utf8_repair(error->message, (size_t)size);
    }
    va_end(again);
    return error ? error : error_out_of_memory();
}

struct error *error_make(PJRT_Error_Code code, const char *file, int line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    struct error *error = error_make_v(code, file, line, format, arguments);
    va_end(arguments);
    return error;
}

/* If there is no memory for the longer message, the error keeps the shorter one. */
struct error *error_prefix(struct error *error, const char *format, ...)
{
    if (!error || is_static(error))
        return error;
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int prefix = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    struct error *longer = NULL;
    if (prefix > 0)
        longer =
            error_allocate(error->code, error->file, error->line, (size_t)prefix + 2 + error->size);
    if (longer) {
        vsnprintf(longer->message, (size_t)prefix + 1, format, again);
        utf8_repair(longer->message, (size_t)prefix);
        memcpy(longer->message + prefix, ": ", 2);
        memcpy(longer->message + prefix + 2, error->message, error->size);
        error_free(error);
    }
    va_end(again);
    return longer ? longer : error;
}

struct error *error_join(struct error *first, struct error *second)
{
    if (!first)
        return second;
    error_free(second);
    return first;
}

struct error *error_copy(const struct error *error)
{
    if (!error)
        return NULL;
    if (is_static(error))
        return error_out_of_memory();
    struct error *copy = error_allocate(error->code, error->file, error->line, error->size);
    if (!copy)
        return error_out_of_memory();
    memcpy(copy->message, error->message, error->size);
    return copy;
}

PJRT_Error_Code error_code(const struct error *error)
{
    return error ? error->code : PJRT_Error_Code_OK;
}

const char *error_code_name(PJRT_Error_Code code)
{
    static const char *const names[] = {
        "OK",
        "CANCELLED",
        "UNKNOWN",
        "INVALID_ARGUMENT",
        "DEADLINE_EXCEEDED",
        "NOT_FOUND",
        "ALREADY_EXISTS",
        "PERMISSION_DENIED",
        "RESOURCE_EXHAUSTED",
        "FAILED_PRECONDITION",
        "ABORTED",
        "OUT_OF_RANGE",
        "UNIMPLEMENTED",
        "INTERNAL",
        "UNAVAILABLE",
        "DATA_LOSS",
        "UNAUTHENTICATED",
    };
    size_t index = (size_t)code;
    return index < sizeof names / sizeof *names ? names[index] : "UNKNOWN";
}

const char *error_message(const struct error *error, size_t *size)
{
    if (size)
        *size = error ? error->size : 0;
    return error ? error->message : "";
}

const char *error_file(const struct error *error, int *line)
{
    if (line)
        *line = error ? error->line : 0;
    return error ? error->file : "";
}

void error_free(struct error *error)
{
    if (error && !is_static(error))
        heap_free(error);
}
