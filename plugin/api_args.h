/* api_args.h: how plugin/ reads and writes the argument structs of callers built with other
 * headers.
 *
 * args->struct_size is the size of the caller's struct, which may be shorter than ours (an older
 * client) or longer (a newer one). Nothing past it may be read or written. Each function therefore
 * first requires its last mandatory field with NEED, and accesses later fields only through HAS or
 * PUT.
 *
 *     PJRT_Error *api_buffer_is_on_cpu(PJRT_Buffer_IsOnCpu_Args *args)
 *     {
 *         NEED_OBJECT(args, buffer);
 *         NEED(args, is_on_cpu);
 *         args->is_on_cpu = buffer_is_on_cpu(buffer_of(args->buffer));
 *         return NULL;
 *     }
 *
 * A `struct error` is a PJRT_Error: plugin/ only casts, with API_ERROR. No state; thread-safe. The
 * macros evaluate `args` more than once: pass a plain variable. */
#ifndef GANTRY_PLUGIN_API_ARGS_H
#define GANTRY_PLUGIN_API_ARGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/shape.h"
#include "base/error.h"
#include "pjrt_c_api.h"

/* The offset of the end of a field of *args; a constant, so args may be NULL. */
#define API_ARGS_END(args, field) (offsetof(__typeof__(*(args)), field) + sizeof((args)->field))

/* Whether the caller's struct has the field. args must not be NULL. Works for every struct that
 * begins with struct_size. */
#define HAS(args, field) ((args)->struct_size >= API_ARGS_END(args, field))

/* Returns INVALID_ARGUMENT from the calling function if args is NULL or does not include the
 * field. */
#define NEED(args, field)                                                                          \
    do {                                                                                           \
        if (!api_args_reach((args), API_ARGS_END(args, field)))                                    \
            return api_args_short(__func__, #field, (args), API_ARGS_END(args, field));            \
    } while (0)

/* The same for a pointer field that must not be NULL, such as a handle. */
#define NEED_OBJECT(args, field)                                                                   \
    do {                                                                                           \
        NEED(args, field);                                                                         \
        if (!(args)->field)                                                                        \
            return api_args_null(__func__, #field);                                                \
    } while (0)

/* Writes an output if the caller's struct has the field. `value` is not evaluated otherwise. */
#define PUT(args, field, value)                                                                    \
    do {                                                                                           \
        if (HAS(args, field))                                                                      \
            (args)->field = (value);                                                               \
    } while (0)

/* The value of an input field, or `missing` if the caller's struct does not have it. */
#define GET(args, field, missing) (HAS(args, field) ? (args)->field : (missing))

/* Returns an error of the inner layers, NULL or owned, to the client:
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

/* Casts an error, which stays owned (or NULL). */
static inline PJRT_Error *api_args_error(struct error *error /* moved */)
{
    return (PJRT_Error *)error;
}

/* The inverse, for errors that a client passes to Error_Message and the like, or returns from a
 * callback. */
static inline struct error *api_args_inner_error(PJRT_Error *error)
{
    return (struct error *)error;
}

/* Whether there is a struct of arguments, and its size, which is its first member, is at least
 * `end`. */
static inline bool api_args_reach(const void *args, size_t end)
{
    return args && *(const size_t *)args >= end;
}

/* Owned INVALID_ARGUMENT: `function` received NULL, or a struct in which `field`, which ends at
 * byte `end`, is not. Both names are static. */
PJRT_Error *api_args_short(const char *function, const char *field, const void *args, size_t end);

/* Owned INVALID_ARGUMENT: args->`field` of `function` is NULL. */
PJRT_Error *api_args_null(const char *function, const char *field);

/* Creates an error from a client's code and message (copied; may be NULL). Owned; NULL when the
 * code is OK. */
struct error *api_args_client_error(PJRT_Error_Code code, const char *message, size_t message_size);

/* The minor_to_major of a client's layout, borrowed from it; NULL for the default layout. The
 * strides of a strided layout are returned in *strides. INVALID_ARGUMENT when the layout does not
 * have `rank` dimensions. */
struct error *api_args_layout(const PJRT_Buffer_MemoryLayout *layout, size_t rank,
                              const int64_t **minor_to_major, const int64_t **strides);

/* Its tiles, at most SHAPE_MAX_TILES, whose sizes are borrowed from it; *count is 0 if it has none.
 * INVALID_ARGUMENT for more tiles, missing lists, and ranks that no shape has. */
struct error *api_args_tiles(const PJRT_Buffer_MemoryLayout *layout,
                             struct shape_tile tiles[SHAPE_MAX_TILES], int *count);

/* INVALID_ARGUMENT, naming `what`, when a count or size from the client exceeds `max`. */
struct error *api_args_limit(const char *what, size_t given, size_t max);

struct compile_source;
/* A program and options to compile (borrowed from the client's structs). INVALID_ARGUMENT when
 * bytes are missing or sizes exceed 4 GiB for the program or 2 GiB for the options. */
struct error *api_args_source(const PJRT_Program *program, const char *options, size_t options_size,
                              struct compile_source *out);

#endif
