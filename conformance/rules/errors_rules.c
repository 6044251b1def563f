/* errors_rules.c: area 4: errors. The error at hand is that of looking up a device that does not
 * exist, or, where no client can be created, that of creating one or of too short arguments. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "conformance/cts/rule_process.h"

/* ---- An error -------------------------------------------------------------------------------- */

enum { NO_SUCH_ID = 123456789 };

static PJRT_Error *lookup_error(struct rule_context *t, int id)
{
    ARGS(t, Client_LookupDevice, args, .client = t->client, .id = id);
    return RAW_CALL(t, Client_LookupDevice, &args);
}

/* An error of a call that needs no client. */
static PJRT_Error *error_without_client(struct rule_context *t)
{
    ARGS(t, Plugin_Attributes, args, );
    args.struct_size = sizeof args.struct_size;
    return RAW_CALL(t, Plugin_Attributes, &args);
}

/* A new error (owned); NULL if the plugin answers every mistake with success. */
static PJRT_Error *make_error(struct rule_context *t)
{
    return t->client ? lookup_error(t, NO_SUCH_ID) : error_without_client(t);
}

/* Opens the plugin, with a client if there is one. Ends the rule if no error can be had. */
#define NEED_ERRORS(t)                                                                             \
    do {                                                                                           \
        NEED_PLUGIN(t);                                                                            \
        NEED_FUNCTION(t, Plugin_Attributes);                                                       \
        if (!can_make_errors(t))                                                                   \
            return;                                                                                \
    } while (0)

static bool can_make_errors(struct rule_context *t)
{
    ARGS(t, Client_Create, args, );
    struct error *error = CALL(t, Client_Create, &args);
    t->client = error ? NULL : args.client;
    error_free(error);
    PJRT_Error *made = make_error(t);
    rule_destroy_error(t, made);
    if (!made)
        rule_skip(t, "no call without a client fails");
    return made;
}

static PJRT_Error_Code code_of(struct rule_context *t, PJRT_Error *error)
{
    ARGS(t, Error_GetCode, args, .error = error);
    CHECK_OK(t, CALL(t, Error_GetCode, &args));
    return args.code;
}

/* What PJRT_Error_Message gives, and a copy of it. */
struct message {
    const char *text;
    size_t size;
    char copy[1024];
};

static struct message message_of(struct rule_context *t, PJRT_Error *error)
{
    ARGS(t, Error_Message, args, .error = error);
    t->api->PJRT_Error_Message(&args);
    struct message message = {.text = args.message, .size = args.message ? args.message_size : 0};
    size_t kept = message.size < sizeof message.copy ? message.size : sizeof message.copy;
    if (kept)
        memcpy(message.copy, message.text, kept);
    return message;
}

static void check_same_message(struct rule_context *t, PJRT_Error *error,
                               const struct message *before, const char *when)
{
    struct message now = message_of(t, error);
    CHECK(t, now.text == before->text, "the message is elsewhere %s", when);
    CHECK(t, now.size == before->size, "%zu bytes instead of %zu %s", now.size, before->size, when);
    CHECK(t, !memcmp(now.copy, before->copy, sizeof now.copy), "another text %s", when);
}

/* ---- 4.1 What an error says ------------------------------------------------------------------ */

void rule_errors_have_codes(struct rule_context *t)
{
    NEED_ERRORS(t);
    PJRT_Error *error = make_error(t);
    int code = (int)code_of(t, error);
    CHECK(t, code > PJRT_Error_Code_OK && code <= PJRT_Error_Code_UNAUTHENTICATED, "code %d", code);
    rule_destroy_error(t, error);
}

void rule_errors_have_messages(struct rule_context *t)
{
    NEED_ERRORS(t);
    PJRT_Error *error = make_error(t);
    struct message message = message_of(t, error);
    CHECK(t, message.text && message.size, "no message");
    rule_destroy_error(t, error);
}

void rule_errors_size_messages(struct rule_context *t)
{
    NEED_ERRORS(t);
    PJRT_Error *error = make_error(t);
    struct message message = message_of(t, error);
    const char *nul = message.size ? memchr(message.text, 0, message.size) : NULL;
    CHECK(t, !nul, "byte %d of %zu is NUL", (int)(nul - message.text), message.size);
    rule_destroy_error(t, error);
}

void rule_errors_have_readable_messages(struct rule_context *t)
{
    NEED_ERRORS(t);
    PJRT_Error *error = make_error(t);
    struct message message = message_of(t, error);
    const unsigned char *text = (const unsigned char *)message.text;
    for (size_t at = 0, size; at < message.size; at += size) {
        size = utf8_character(message.text + at, message.size - at);
        CHECK(t, size, "byte %zu, %#x, is not UTF-8", at, text[at]);
        CHECK(t, text[at] >= ' ' || text[at] == '\n' || text[at] == '\t',
              "byte %zu is the control character %d", at, text[at]);
        size += !size;
    }
    rule_destroy_error(t, error);
}

void rule_errors_say_the_same_again(struct rule_context *t)
{
    NEED_ERRORS(t);
    PJRT_Error *error = make_error(t);
    struct message message = message_of(t, error);
    PJRT_Error_Code code = code_of(t, error);
    check_same_message(t, error, &message, "the second time");
    CHECK(t, code_of(t, error) == code, "another code the second time");
    rule_destroy_error(t, error);
}

/* ---- 4.2 The life of an error ---------------------------------------------------------------- */

void rule_errors_accept_null(struct rule_context *t)
{
    NEED_PLUGIN(t);
    ARGS(t, Error_Destroy, args, .error = NULL);
    t->api->PJRT_Error_Destroy(&args);
}

void rule_errors_are_independent(struct rule_context *t)
{
    NEED_ERRORS(t);
    PJRT_Error *first = make_error(t), *second = make_error(t), *third = make_error(t);
    struct message message = message_of(t, second);
    CHECK(t, first != second && second != third, "two calls give one error");
    rule_destroy_error(t, first);
    check_same_message(t, second, &message, "after the first error is destroyed");
    rule_destroy_error(t, third);
    check_same_message(t, second, &message, "after the third error is destroyed");
    rule_destroy_error(t, second);
}

void rule_errors_outlive_their_call(struct rule_context *t)
{
    NEED_ERRORS(t);
    PJRT_Error *error = make_error(t);
    struct message message = message_of(t, error);
    for (int i = 0; i < 100; i++) {
        ARGS(t, Plugin_Attributes, args, );
        error_free(CALL(t, Plugin_Attributes, &args));
        rule_destroy_error(t, make_error(t));
    }
    check_same_message(t, error, &message, "after other calls");
    rule_destroy_error(t, error);
}

void rule_errors_outlive_their_client(struct rule_context *t)
{
    NEED_CLIENT(t);
    PJRT_Error *error = make_error(t);
    NEED(t, error, "looking up device %d succeeds", NO_SUCH_ID);
    struct message message = message_of(t, error);
    rule_close(t);
    check_same_message(t, error, &message, "after PJRT_Client_Destroy");
    rule_destroy_error(t, error);
}

struct handover {
    struct rule_context *t;
    PJRT_Error *error;
    struct message message;
};

static void *finish_elsewhere(void *user)
{
    struct handover *handover = user;
    check_same_message(handover->t, handover->error, &handover->message, "in another thread");
    rule_destroy_error(handover->t, handover->error);
    return NULL;
}

void rule_errors_change_threads(struct rule_context *t)
{
    pthread_t thread;
    NEED_ERRORS(t);
    struct handover handover = {t, make_error(t), {0}};
    handover.message = message_of(t, handover.error);
    NEED(t, !pthread_create(&thread, NULL, finish_elsewhere, &handover), "no thread");
    pthread_join(thread, NULL);
}

static bool make_and_destroy(struct rule_context *t)
{
    rule_destroy_error(t, make_error(t));
    return true;
}

void rule_errors_leak_nothing(struct rule_context *t)
{
    NEED_ERRORS(t);
    rule_repeat(t, 50000, make_and_destroy);
}

static void make_own_errors(struct rule_context *t, int i)
{
    for (int k = 0; k < 200; k++) {
        PJRT_Error *error = t->client ? lookup_error(t, NO_SUCH_ID + i) : make_error(t);
        struct message message = message_of(t, error);
        PJRT_Error_Code code = code_of(t, error);
        check_same_message(t, error, &message, "while other threads make errors");
        CHECK(t, code_of(t, error) == code, "thread %d: another code", i);
        rule_destroy_error(t, error);
    }
}

void rule_errors_are_safe_in_threads(struct rule_context *t)
{
    NEED_ERRORS(t);
    rule_threads(t, make_own_errors);
}

/* ---- 4.3 Payloads ---------------------------------------------------------------------------- */

enum { MAX_PAYLOADS = 32 };

struct payloads {
    struct rule_context *t;
    int count;
    char keys[MAX_PAYLOADS][64];
};

static void note_payload(const char *key, size_t key_size, const char *value, size_t value_size,
                         void *user)
{
    struct payloads *payloads = user;
    (void)value, (void)value_size;
    CHECK(payloads->t, key && key_size, "payload %d has no key", payloads->count);
    if (payloads->count < MAX_PAYLOADS)
        snprintf(payloads->keys[payloads->count], sizeof payloads->keys[0], "%.*s", (int)key_size,
                 key);
    payloads->count++;
}

static struct error *visit(struct rule_context *t, PJRT_Error *error, struct payloads *out)
{
    *out = (struct payloads){.t = t};
    ARGS(t, Error_ForEachPayload, args, .error = error, .visitor = note_payload, .user_arg = out);
    return CALL(t, Error_ForEachPayload, &args);
}

void rule_errors_visit_payloads(struct rule_context *t)
{
    struct payloads payloads;
    NEED_ERRORS(t);
    PJRT_Error *error = make_error(t);
    NEED_OK(t, visit(t, error, &payloads));
    for (int i = 0; i < payloads.count && i < MAX_PAYLOADS; i++)
        for (int k = 0; k < i; k++)
            CHECK(t, strcmp(payloads.keys[i], payloads.keys[k]) != 0, "key '%s' twice",
                  payloads.keys[i]);
    rule_destroy_error(t, error);
}

void rule_errors_visit_payloads_again(struct rule_context *t)
{
    struct payloads first, second;
    NEED_ERRORS(t);
    PJRT_Error *error = make_error(t);
    NEED_OK(t, visit(t, error, &first));
    NEED_OK(t, visit(t, error, &second));
    CHECK(t, first.count == second.count, "%d payloads have become %d", first.count, second.count);
    CHECK(t, !memcmp(first.keys, second.keys, sizeof first.keys), "other keys the second time");
    rule_destroy_error(t, error);
}

/* ---- 4.4 Mistakes of the caller -------------------------------------------------------------- */

void rule_errors_reject_null_clients(struct rule_context *t)
{
    NEED_PLUGIN(t);
    ARGS(t, Client_PlatformName, name, .client = NULL);
    CHECK_ERROR(t, CALL(t, Client_PlatformName, &name));
    ARGS(t, Client_Devices, devices, .client = NULL);
    CHECK_ERROR(t, CALL(t, Client_Devices, &devices));
}

void rule_errors_reject_null_devices(struct rule_context *t)
{
    NEED_PLUGIN(t);
    ARGS(t, Device_GetDescription, get, .device = NULL);
    CHECK_ERROR(t, CALL(t, Device_GetDescription, &get));
    ARGS(t, DeviceDescription_Id, id, .device_description = NULL);
    CHECK_ERROR(t, CALL(t, DeviceDescription_Id, &id));
}

void rule_errors_leave_the_client_usable(struct rule_context *t)
{
    NEED_CLIENT(t);
    for (int i = 0; i < 10; i++)
        rule_destroy_error(t, lookup_error(t, NO_SUCH_ID + i));
    ARGS(t, Client_AddressableDevices, args, .client = t->client);
    NEED_OK(t, CALL(t, Client_AddressableDevices, &args));
    CHECK(t, args.num_addressable_devices && args.addressable_devices[0] == t->device,
          "the client's first device is another one");
}

void rule_errors_name_what_was_wrong(struct rule_context *t)
{
    NEED_CLIENT(t);
    PJRT_Error *error = lookup_error(t, NO_SUCH_ID);
    NEED(t, error, "looking up device %d succeeds", NO_SUCH_ID);
    struct message message = message_of(t, error);
    CHECK(t, memmem(message.copy, sizeof message.copy, "123456789", 9), "the message is '%.*s'",
          (int)message.size, message.text);
    rule_destroy_error(t, error);
}

/* ---- Functions of an error ------------------------------------------------------------------- */

/* NULL, after a recorded failure, if there is a function missing. */
static const PJRT_Error_FunctionTable *functions_of(struct rule_context *t, const PJRT_Error *error)
{
    const PJRT_Error_FunctionTable *functions = error->vtable;
    bool good = functions && functions->struct_size >= PJRT_Error_FunctionTable_STRUCT_SIZE &&
                functions->destroy && functions->message && functions->get_code &&
                functions->for_each_payload;
    CHECK(t, good, "an error without functions");
    return good ? functions : NULL;
}

void rule_errors_have_functions(struct rule_context *t)
{
    NEED_ERRORS(t);
    PJRT_Error *error = make_error(t);
    const PJRT_Error_FunctionTable *functions = functions_of(t, error);
    if (!functions)
        return;
    struct message message = message_of(t, error);
    const char *text = NULL;
    size_t size = 0;
    functions->message(error, &text, &size);
    CHECK(t, text && size == message.size && !memcmp(text, message.text, size),
          "another message than that of PJRT_Error_Message");
    CHECK(t, functions->get_code(error) == code_of(t, error),
          "another code than that of PJRT_Error_GetCode");
    functions->destroy(error);
}

static bool make_and_destroy_by_function(struct rule_context *t)
{
    PJRT_Error *error = make_error(t);
    const PJRT_Error_FunctionTable *functions = functions_of(t, error);
    if (functions)
        functions->destroy(error);
    return functions;
}

void rule_errors_are_destroyed_by_their_functions(struct rule_context *t)
{
    NEED_ERRORS(t);
    rule_repeat(t, 50000, make_and_destroy_by_function);
}
