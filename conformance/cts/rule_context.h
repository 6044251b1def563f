/* rule_context.h: what a rule's function works with: the plugin through its C ABI, nonfatal and
 * fatal checks, and random numbers. A rule runs in a process of its own, so it may crash, hang and
 * leak; what is still open at its end is closed. Checks and calls are thread-safe.
 *
 *   void rule_client_ids_are_unique(struct rule_context *t)
 *   {
 *       NEED_CLIENT(t);
 *       ARGS(t, Client_Devices, all, .client = t->client);
 *       NEED_OK(t, CALL(t, Client_Devices, &all));
 *       ...
 *       CHECK(t, id != other, "devices %zu and %zu both have id %d", i, k, id);
 *   }
 *
 * A rule says first what it needs (NEED_LIBRARY, NEED_TABLE, NEED_PLUGIN, NEED_CLIENT), calls the
 * plugin with CALL only, and prints what it got, not what it expected: the report has the rule's
 * sentence beside it. */
#ifndef GANTRY_CONFORMANCE_RULE_CONTEXT_H
#define GANTRY_CONFORMANCE_RULE_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "conformance/cts/outcome.h"
#include "conformance/cts/rule.h"
#include "pjrt_c_api.h"

struct rule_context {
    const char *path;        /* of the plugin */
    uint64_t seed;           /* of rule_random() */
    bool had_client;         /* when the run began: a client that is missing now is a failure */
    struct outcome *outcome; /* borrowed */
    void *library;           /* from NEED_LIBRARY on: dlopen's handle */
    const PJRT_Api *api;     /* from NEED_TABLE on; the table may be that of an older version */
    int minor;               /* and its minor version */
    PJRT_Client *client;     /* from NEED_CLIENT on */
    PJRT_Device *device;     /* and its first addressable device */
};

/* Closes what is open. */
void rule_close(struct rule_context *t);

/* ---- What a rule needs ----------------------------------------------------------------------- */

/* Each includes those before it. When something cannot be had, the rule ends: as failed without a
 * library or a table, as skipped without an initialized plugin or a client, since rules of their
 * own demand these; but as failed if there was a client when the run began. */
#define NEED_LIBRARY(t) RULE_NEED_(rule_open_library(t)) /* t->library */
#define NEED_TABLE(t) RULE_NEED_(rule_open_table(t))     /* t->api */
#define NEED_PLUGIN(t) RULE_NEED_(rule_open_plugin(t))   /* PJRT_Plugin_Initialize succeeded */
#define NEED_CLIENT(t) RULE_NEED_(rule_open_client(t))   /* t->client, t->device */
bool rule_open_library(struct rule_context *t);
bool rule_open_table(struct rule_context *t);
bool rule_open_plugin(struct rule_context *t);
bool rule_open_client(struct rule_context *t);

/* Whether the plugin's version has the function, and its pointer is not NULL. */
bool rule_has(const struct rule_context *t, enum function function);
/* Ends the rule as unsupported unless the plugin has the function; for RAW_CALL. */
#define NEED_FUNCTION(t, Function) RULE_NEED_(rule_need_function((t), FUNCTION_##Function))
bool rule_need_function(struct rule_context *t, enum function function);

/* ---- Calls ----------------------------------------------------------------------------------- */

/* Declares the arguments of a call, zeroed except for the given initializers and struct_size, which
 * is that of the plugin's version. */
#define ARGS(t, Function, name, ...)                                                               \
    PJRT_##Function##_Args name = {.struct_size = FUNCTIONS_SIZE(Function##_Args, (t)->minor),     \
                                   __VA_ARGS__}

/* Calls a function and returns its error (owned), or NULL; UNIMPLEMENTED if the plugin's table does
 * not have the function. */
#define CALL(t, Function, args)                                                                    \
    (rule_begin((t), FUNCTION_##Function)                                                          \
         ? rule_end((t), FUNCTION_##Function, (t)->api->PJRT_##Function(args))                     \
         : rule_end((t), FUNCTION_##Function, NULL))
/* Calls a function that the plugin has, and returns the plugin's own error (owned: see
 * rule_destroy_error). */
#define RAW_CALL(t, Function, args)                                                                \
    (rule_begin((t), FUNCTION_##Function), (t)->api->PJRT_##Function(args))
/* Destroys an object (may be NULL): DESTROY(t, Buffer, buffer, buffer). Failing is a failure. */
#define DESTROY(t, Type, member, object)                                                           \
    do {                                                                                           \
        ARGS(t, Type##_Destroy, destroy_args_, .member = (object));                                \
        if (destroy_args_.member)                                                                  \
            CHECK_OK(t, CALL(t, Type##_Destroy, &destroy_args_));                                  \
    } while (0)
bool rule_begin(struct rule_context *t, enum function function);
struct error *rule_end(struct rule_context *t, enum function function, PJRT_Error *error);
void rule_destroy_error(struct rule_context *t, PJRT_Error *error); /* accepts NULL */

/* ---- Checks ---------------------------------------------------------------------------------- */

#define CHECK(t, condition, ...)                                                                   \
    do {                                                                                           \
        if (!(condition))                                                                          \
            rule_fail((t), __VA_ARGS__);                                                           \
    } while (0)
/* Of an error (moved): it is NULL; it has that code and a message; there is one, with any code but
 * OK, and a message. UNIMPLEMENTED where another code is expected makes the rule unsupported. */
#define CHECK_OK(t, error) rule_check_ok((t), #error, (error))
#define CHECK_CODE(t, code, error) rule_check_code((t), PJRT_Error_Code_##code, #error, (error))
#define CHECK_ERROR(t, error) rule_check_error((t), #error, (error))
/* The same, and the rule ends here. NEED_OK: UNIMPLEMENTED makes the rule unsupported, and its
 * level says what that means. */
#define NEED(t, condition, ...)                                                                    \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            rule_fail((t), __VA_ARGS__);                                                           \
            return;                                                                                \
        }                                                                                          \
    } while (0)
#define NEED_OK(t, error) RULE_NEED_(rule_need_ok((t), #error, (error)))

void rule_fail(struct rule_context *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same for memory, threads or files that the plugin keeps. */
void rule_leak(struct rule_context *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Reports something that is no failure, such as a measured speed. */
void rule_note(struct rule_context *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Records that the rule cannot be tested here, and why: "the client has one device". */
void rule_skip(struct rule_context *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Sets the time limit of this rule, counted from its start; the default is 20 s, with a
 * sanitizer 60 s. */
void rule_time_limit(struct rule_context *t, int seconds);

bool rule_check_ok(struct rule_context *t, const char *call, struct error *error /*moved*/);
void rule_check_code(struct rule_context *t, PJRT_Error_Code code, const char *call,
                     struct error *error /*moved*/);
void rule_check_error(struct rule_context *t, const char *call, struct error *error /*moved*/);
bool rule_need_ok(struct rule_context *t, const char *call, struct error *error /*moved*/);

#define RULE_NEED_(condition)                                                                      \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return;                                                                                \
    } while (0)

/* ---- Random numbers -------------------------------------------------------------------------- */

/* The next number of the seed's sequence: the same in every run with that seed. One thread at a
 * time. */
uint64_t rule_random(struct rule_context *t);

#endif
