/* suite_table.c: the function table, queries without a client, and errors. */
#include <string.h>

#include "conformance/test_context.h"

static void version(struct test_context *t)
{
    const PJRT_Api_Version *version = &t->api->pjrt_api_version;
    CHECK(t, version->major_version == 0, "major version %d", version->major_version);
    CHECK(t, version->minor_version >= 29, "minor version %d: JAX wants 29",
          version->minor_version);
    CHECK(t, version->struct_size >= PJRT_Api_Version_STRUCT_SIZE, "size of the version %zu",
          version->struct_size);
    if (version->minor_version >= PJRT_API_MINOR)
        CHECK(t, t->api->struct_size >= PJRT_Api_STRUCT_SIZE,
              "the table has %zu bytes, 0.%d has %d", t->api->struct_size, PJRT_API_MINOR,
              PJRT_Api_STRUCT_SIZE);
}

/* An unsupported function returns UNIMPLEMENTED; its entry is not NULL. */
static void no_null_member(struct test_context *t)
{
    size_t first = offsetof(PJRT_Api, PJRT_Error_Destroy);
    size_t end =
        t->api->struct_size < PJRT_Api_STRUCT_SIZE ? t->api->struct_size : PJRT_Api_STRUCT_SIZE;
    for (size_t offset = first; offset < end; offset += sizeof(void *))
        CHECK(t, abi_has(t->api, offset), "member %zu is NULL", (offset - first) / sizeof(void *));
}

static void extensions(struct test_context *t)
{
    bool seen[64] = {false};
    int count = 0;
    for (PJRT_Extension_Base *e = t->api->extension_start; e && count < 64; e = e->next, count++) {
        CHECK(t, e->struct_size >= PJRT_Extension_Base_STRUCT_SIZE, "extension %d has %zu bytes",
              (int)e->type, e->struct_size);
        if ((unsigned)e->type < 64) {
            CHECK(t, !seen[e->type], "extension %d is there twice", (int)e->type);
            seen[e->type] = true;
        }
    }
    CHECK(t, count < 64, "the list of extensions does not end");
}

static void initialize_twice(struct test_context *t)
{
    ABI_ARGS(Plugin_Initialize, args, );
    CHECK_OK(t, ABI_CALL(t->api, Plugin_Initialize, &args));
    CHECK_OK(t, ABI_CALL(t->api, Plugin_Initialize, &args));
}

static void attributes(struct test_context *t)
{
    static const char name[] = "stablehlo_current_version";
    ABI_ARGS(Plugin_Attributes, args, );
    NEED_OK(t, ABI_CALL(t->api, Plugin_Attributes, &args));
    bool found = false;
    for (size_t i = 0; i < args.num_attributes; i++) {
        const PJRT_NamedValue *value = &args.attributes[i];
        if (value->name_size != sizeof name - 1 || memcmp(value->name, name, sizeof name - 1))
            continue;
        found = true;
        CHECK(t, value->type == PJRT_NamedValue_kInt64List && value->value_size == 3,
              "%s is no list of three numbers", name);
    }
    CHECK(t, found, "no %s: clients send programs in an old version", name);
    ABI_ARGS(Plugin_Attributes, again, );
    NEED_OK(t, ABI_CALL(t->api, Plugin_Attributes, &again));
    CHECK(t, again.attributes == args.attributes, "attributes are not static");
}

/* ---- Errors ---------------------------------------------------------------------------------- */

static void count_payload(const char *key, size_t key_size, const char *value, size_t value_size,
                          void *user_arg)
{
    (void)key, (void)key_size, (void)value, (void)value_size;
    ++*(int *)user_arg;
}

/* An error from an invalid call, handled by a careful client. */
static void errors(struct test_context *t)
{
    ABI_ARGS(Client_PlatformName, wrong, .client = NULL);
    PJRT_Error *error = t->api->PJRT_Client_PlatformName(&wrong);
    NEED(t, error, "a NULL client is accepted");
    ABI_ARGS(Error_GetCode, code, .error = error);
    CHECK(t, !t->api->PJRT_Error_GetCode(&code), "GetCode fails");
    CHECK(t, code.code == PJRT_Error_Code_INVALID_ARGUMENT, "a NULL client is %d", (int)code.code);
    ABI_ARGS(Error_Message, first, .error = error);
    ABI_ARGS(Error_Message, second, .error = error);
    t->api->PJRT_Error_Message(&first);
    t->api->PJRT_Error_Message(&second);
    CHECK(t, first.message && first.message_size, "an error without a message");
    CHECK(t, first.message == second.message, "the message moves");
    CHECK(t, !memchr(first.message, 0, first.message_size), "the message's size counts a NUL");
    int payloads = 0;
    ABI_ARGS(Error_ForEachPayload, each, .error = error, .visitor = count_payload,
             .user_arg = &payloads);
    CHECK(t, !t->api->PJRT_Error_ForEachPayload(&each), "ForEachPayload fails");
    ABI_ARGS(Error_Destroy, destroy, .error = error);
    t->api->PJRT_Error_Destroy(&destroy);
}

static void destroy_no_error(struct test_context *t)
{
    ABI_ARGS(Error_Destroy, destroy, .error = NULL);
    t->api->PJRT_Error_Destroy(&destroy);
}

static const struct test_context_case cases[] = {
    {"version", version, STAGE_PLUGIN, 0},
    {"no_null_member", no_null_member, STAGE_PLUGIN, 0},
    {"extensions", extensions, STAGE_PLUGIN, 0},
    {"initialize_twice", initialize_twice, STAGE_PLUGIN, 0},
    {"attributes", attributes, STAGE_PLUGIN, 0},
    {"errors", errors, STAGE_PLUGIN, 0},
    {"destroy_no_error", destroy_no_error, STAGE_PLUGIN, 0},
    {0}};
const struct test_context_suite suite_table = {"table", cases};
