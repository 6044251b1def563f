/* api_args.h: how plugin/ reads and writes the argument structs of callers built with other
 * headers.
 *
 * args->struct_size says how far the caller's struct reaches, and nothing past it may be read or
 * written: it may be shorter than ours (an older client) or longer (a newer one). So each function
 * first names, with NEED, the last field without which it makes no sense, and touches later ones
 * only under HAS or PUT.
 *
 *     PJRT_Error *api_buffer_is_on_cpu(PJRT_Buffer_IsOnCpu_Args *args)
 *     {
 *         NEED_OBJECT(args, buffer);
 *         NEED(args, is_on_cpu);
 *         args->is_on_cpu = buffer_is_on_cpu(buffer_of(args->buffer));
 *         return NULL;
 *     }
 *
 * A `struct error` is a PJRT_Error under its other name: plugin/ casts, by API_ERROR, and maps
 * nothing. No state; thread-safe. `args` is evaluated more than once: pass a plain variable. */
#ifndef GANTRY_PLUGIN_API_ARGS_H
#define GANTRY_PLUGIN_API_ARGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "pjrt_c_api.h"

/* The byte where a field of *args ends; a constant, so args may be NULL. */
#define API_ARGS_END(args, field) (offsetof(__typeof__(*(args)), field) + sizeof((args)->field))

/* Whether the caller's struct has the field. args is not NULL. Works for every struct that begins
 * with struct_size, arguments or not. */
#define HAS(args, field) ((args)->struct_size >= API_ARGS_END(args, field))

/* Returns INVALID_ARGUMENT from the calling function unless args is there and reaches the field. */
#define NEED(args, field)                                                                          \
    do {                                                                                           \
        if (!(args) || !HAS(args, field))                                                          \
            return api_args_short(__func__, #field, (args) ? (args)->struct_size : 0,              \
                                  API_ARGS_END(args, field), !(args));                             \
    } while (0)

/* The same for a pointer field that must not be NULL, such as a handle. */
#define NEED_OBJECT(args, field)                                                                   \
    do {                                                                                           \
        NEED(args, field);                                                                         \
        if (!(args)->field)                                                                        \
            return api_args_null(__func__, #field);                                                \
    } while (0)

/* Writes an output where the caller's struct holds it. `value` is not evaluated
 * otherwise. */
#define PUT(args, field, value)                                                                    \
    do {                                                                                           \
        if (HAS(args, field))                                                                      \
            (args)->field = (value);                                                               \
    } while (0)

/* A field as an input: its value, or `missing` where the caller's struct does not reach it. */
#define GET(args, field, missing) (HAS(args, field) ? (args)->field : (missing))

/* Hands out an error of the inner layers, which must be NULL or owned:
 * API_ERROR(buffer_delete(b)). */
#define API_ERROR(expr) api_args_error(expr)

/* Returns the error of `expr` from the calling function, if there is one: TRY where PJRT_Error is
 * returned. */
#define API_TRY(expr)                                                                              \
    do {                                                                                           \
        struct error *error_of_api_try_ = (expr);                                                  \
        if (error_of_api_try_)                                                                     \
            return api_args_error(error_of_api_try_);                                              \
    } while (0)

/* Takes the error as it is: owned (or NULL) before and after. */
static inline PJRT_Error *api_args_error(struct error *error /* moved */)
{
    return (PJRT_Error *)error;
}

/* The way back: what a client hands to Error_Message and its like, or a callback returned. */
static inline struct error *api_args_inner_error(PJRT_Error *error)
{
    return (struct error *)error;
}

/* Owned INVALID_ARGUMENT: `function` got a struct of `size` bytes, or none, whose `field` ends at
 * byte `end`. Both names are static. */
PJRT_Error *api_args_short(const char *function, const char *field, size_t size, size_t end,
                           bool missing);

/* Owned INVALID_ARGUMENT: args->`field` of `function` is NULL. */
PJRT_Error *api_args_null(const char *function, const char *field);

/* The error that a client describes by a code and a message (copied; may be NULL): owned, NULL when
 * the code is OK. */
struct error *api_args_client_error(PJRT_Error_Code code, const char *message, size_t message_size);

/* The minor_to_major of a layout that a client gives, borrowed from it: NULL for the default one.
 * UNIMPLEMENTED for tiles, INVALID_ARGUMENT when it has not `rank` dimensions. Layouts by strides
 * go to `strides`. */
struct error *api_args_layout(const PJRT_Buffer_MemoryLayout *layout, size_t rank,
                              const int64_t **minor_to_major, const int64_t **strides);

struct compile_source;
/* A program and options to compile (borrowed from the client's structs); INVALID_ARGUMENT when
 * bytes are missing. */
struct error *api_args_source(const PJRT_Program *program, const char *options, size_t options_size,
                              struct compile_source *out);

#endif
