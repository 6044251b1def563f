/* rule_context.c: opens the plugin for a rule, calls it, and records what the checks found. */
#include "conformance/cts/rule_context.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tools/abi.h"

/* ---- What a rule needs ----------------------------------------------------------------------- */

bool rule_open_library(struct rule_context *t)
{
    if (!t->library)
        t->library = dlopen(t->path, RTLD_NOW | RTLD_LOCAL);
    if (!t->library)
        rule_fail(t, "dlopen: %s", dlerror());
    return t->library;
}

bool rule_open_table(struct rule_context *t)
{
    const PJRT_Api *(*get)(void);
    if (t->api)
        return true;
    if (!rule_open_library(t))
        return false;
    void *symbol = dlsym(t->library, "GetPjrtApi");
    memcpy(&get, &symbol, sizeof get); /* C has no cast from void * to a function pointer */
    const PJRT_Api *api = symbol ? get() : NULL;
    if (!symbol)
        rule_fail(t, "the library has no symbol GetPjrtApi");
    else if (!api)
        rule_fail(t, "GetPjrtApi returned NULL");
    else if (api->struct_size <= offsetof(PJRT_Api, PJRT_Error_Destroy))
        rule_fail(t, "PJRT_Api.struct_size is %zu: no function is in it", api->struct_size);
    else
        t->minor = api->pjrt_api_version.minor_version, t->api = api;
    return t->api;
}

/* Returns whether there is no error (moved). Else the rule is skipped, or fails if the plugin had
 * what is missing when the run began. */
static bool skip_without(struct rule_context *t, const char *what, struct error *error)
{
    if (!error)
        return true;
    const char *code = error_code_name(error_code(error)), *message = error_message(error, NULL);
    if (t->had_client)
        rule_fail(t, "%s any more: %s: %s", what, code, message);
    else
        rule_skip(t, "%s: %s: %s", what, code, message);
    error_free(error);
    return false;
}

bool rule_open_plugin(struct rule_context *t)
{
    if (!rule_open_table(t))
        return false;
    ARGS(t, Plugin_Initialize, args, );
    return skip_without(t, "no initialized plugin", CALL(t, Plugin_Initialize, &args));
}

bool rule_open_client(struct rule_context *t)
{
    if (t->client)
        return true;
    if (!rule_open_plugin(t))
        return false;
    ARGS(t, Client_Create, create, );
    if (!skip_without(t, "no client", CALL(t, Client_Create, &create)))
        return false;
    t->client = create.client;
    ARGS(t, Client_AddressableDevices, devices, .client = t->client);
    if (!skip_without(t, "no devices", CALL(t, Client_AddressableDevices, &devices)))
        return false;
    if (!devices.num_addressable_devices)
        rule_skip(t, "the client has no addressable device");
    else
        t->device = devices.addressable_devices[0];
    return t->device;
}

void rule_close(struct rule_context *t)
{
    if (t->client)
        DESTROY(t, Client, client, t->client);
    t->client = NULL;
    t->device = NULL;
}

bool rule_has(const struct rule_context *t, enum function function)
{
    return pjrt_functions[function].since <= t->minor &&
           abi_has(t->api, pjrt_functions[function].offset);
}

bool rule_need_function(struct rule_context *t, enum function function)
{
    if (!rule_has(t, function))
        return rule_need_ok(t, pjrt_functions[function].name, rule_end(t, function, NULL));
    return true;
}

/* ---- Calls ----------------------------------------------------------------------------------- */

static void note_answer(struct rule_context *t, enum function function, enum answer answer)
{
    if (atomic_load(&t->outcome->answers[function]) < (unsigned char)answer)
        atomic_store(&t->outcome->answers[function], (unsigned char)answer);
}

bool rule_begin(struct rule_context *t, enum function function)
{
    if (!rule_has(t, function))
        return false;
    atomic_store(&t->outcome->call, pjrt_functions[function].name);
    return true;
}

struct error *rule_end(struct rule_context *t, enum function function, PJRT_Error *error)
{
    if (!rule_has(t, function))
        return ERROR(UNIMPLEMENTED, "the plugin's table has no %s", pjrt_functions[function].name);
    struct error *ours = abi_error(t->api, error);
    atomic_store(&t->outcome->call, NULL);
    note_answer(t, function,
                !ours                                               ? ANSWER_OK
                : error_code(ours) == PJRT_Error_Code_UNIMPLEMENTED ? ANSWER_UNIMPLEMENTED
                                                                    : ANSWER_ERROR);
    return ours;
}

void rule_destroy_error(struct rule_context *t, PJRT_Error *error)
{
    ARGS(t, Error_Destroy, args, .error = error);
    if (error)
        t->api->PJRT_Error_Destroy(&args);
}

/* ---- Checks ---------------------------------------------------------------------------------- */

/* Adds a line to the outcome's text. Each caller has bytes of its own. */
static void add_text(struct outcome *outcome, const char *format, va_list arguments)
{
    char line[512];
    int size = vsnprintf(line, sizeof line - 1, format, arguments);
    size = size<0 ? 0 : size>(int) sizeof line - 2 ? (int)sizeof line - 2 : size;
    line[size++] = '\n';
    int at = atomic_fetch_add(&outcome->text_size, size);
    if (at + size <= OUTCOME_TEXT)
        memcpy(outcome->text + at, line, (size_t)size);
}

void rule_fail(struct rule_context *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_text(t->outcome, format, arguments);
    va_end(arguments);
    atomic_fetch_add(&t->outcome->failures, 1);
}

void rule_leak(struct rule_context *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_text(t->outcome, format, arguments);
    va_end(arguments);
    atomic_fetch_add(&t->outcome->failures, 1);
    atomic_fetch_add(&t->outcome->leaks, 1);
}

void rule_note(struct rule_context *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_text(t->outcome, format, arguments);
    va_end(arguments);
}

void rule_skip(struct rule_context *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_text(t->outcome, format, arguments);
    va_end(arguments);
    atomic_store(&t->outcome->skipped, true);
}

void rule_time_limit(struct rule_context *t, int seconds)
{
    atomic_store(&t->outcome->seconds, seconds);
}

/* What a check was about: "PJRT_Client_Devices" for "CALL(t, Client_Devices, &args)". */
struct subject {
    char text[96];
};

static struct subject subject_of(const char *call)
{
    struct subject subject;
    if (!strncmp(call, "CALL(t, ", 8))
        snprintf(subject.text, sizeof subject.text, "PJRT_%.*s", (int)strcspn(call + 8, ","),
                 call + 8);
    else
        snprintf(subject.text, sizeof subject.text, "%.*s", (int)strcspn(call, "("), call);
    return subject;
}

static void fail_with(struct rule_context *t, const char *call, const struct error *error,
                      const char *instead_of)
{
    if (error)
        rule_fail(t, "%s: %s%s: %s", subject_of(call).text, error_code_name(error_code(error)),
                  instead_of, error_message(error, NULL));
    else
        rule_fail(t, "%s: no error%s", subject_of(call).text, instead_of);
}

static bool is_unimplemented(const struct error *error)
{
    return error && error_code(error) == PJRT_Error_Code_UNIMPLEMENTED;
}

static void note_unsupported(struct rule_context *t, const char *call, const struct error *error)
{
    if (atomic_exchange(&t->outcome->unsupported, true))
        return;
    fail_with(t, call, error, "");
    atomic_fetch_sub(&t->outcome->failures, 1);
}

bool rule_check_ok(struct rule_context *t, const char *call, struct error *error)
{
    if (error)
        fail_with(t, call, error, "");
    error_free(error);
    return !error;
}

bool rule_need_ok(struct rule_context *t, const char *call, struct error *error)
{
    if (!is_unimplemented(error))
        return rule_check_ok(t, call, error);
    note_unsupported(t, call, error);
    error_free(error);
    return false;
}

/* An expected error: every one has a message. */
static void check_message(struct rule_context *t, const char *call, const struct error *error)
{
    size_t size = 0;
    error_message(error, &size);
    if (!size)
        rule_fail(t, "%s: an error without a message", subject_of(call).text);
}

void rule_check_code(struct rule_context *t, PJRT_Error_Code code, const char *call,
                     struct error *error)
{
    char instead_of[64];
    snprintf(instead_of, sizeof instead_of, " where %s is due", error_code_name(code));
    if (error && error_code(error) == code)
        check_message(t, call, error);
    else if (is_unimplemented(error))
        note_unsupported(t, call, error);
    else
        fail_with(t, call, error, instead_of);
    error_free(error);
}

void rule_check_error(struct rule_context *t, const char *call, struct error *error)
{
    if (!error)
        fail_with(t, call, error, " where one is due");
    else if (is_unimplemented(error))
        note_unsupported(t, call, error);
    else
        check_message(t, call, error);
    error_free(error);
}

/* ---- Random numbers -------------------------------------------------------------------------- */

uint64_t rule_random(struct rule_context *t)
{
    uint64_t z = t->seed += 0x9e3779b97f4a7c15u; /* splitmix64 */
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}
