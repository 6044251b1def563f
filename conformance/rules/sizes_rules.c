/* sizes_rules.c: area 3: arguments of other lengths than the plugin's version has. */
#include <string.h>

#include "conformance/cts/rule_context.h"

enum { LONGEST = 512, TAIL = 64, POISON = 0xa5 };

/* A call's arguments with bytes behind them. */
struct longer {
    _Alignas(16) unsigned char bytes[LONGEST];
    size_t size; /* of the arguments */
};

/* The arguments as a newer header has them: `fill` in the fields that the plugin does not know. */
static void *lengthen(struct longer *out, const void *args, size_t size, int fill)
{
    size_t declared = size + TAIL;
    out->size = size;
    memset(out->bytes, fill, sizeof out->bytes);
    memcpy(out->bytes, args, size);
    memcpy(out->bytes, &declared, sizeof declared);
    return out->bytes;
}

static bool tail_is(const struct longer *longer, int fill)
{
    for (size_t i = longer->size; i < sizeof longer->bytes; i++)
        if (longer->bytes[i] != fill)
            return false;
    return true;
}

/* Calls with longer arguments, and copies the results back; `error` gets what the call returns. */
#define CALL_LONGER(t, Function, args, fill)                                                       \
    do {                                                                                           \
        struct longer longer_;                                                                     \
        size_t size_ = (args).struct_size;                                                         \
        PJRT_##Function##_Args *long_args_ = lengthen(&longer_, &(args), size_, (fill));           \
        CHECK_OK(t, CALL(t, Function, long_args_));                                                \
        memcpy(&(args), longer_.bytes, size_);                                                     \
        (args).struct_size = size_;                                                                \
        CHECK(t, tail_is(&longer_, (fill)), "PJRT_" #Function " writes behind byte %zu", size_);   \
    } while (0)

/* ---- 3.1 Clients with a newer header --------------------------------------------------------- */

void rule_sizes_initializes_newer_clients(struct rule_context *t)
{
    NEED_TABLE(t);
    ARGS(t, Plugin_Initialize, initialize, );
    ARGS(t, Plugin_Attributes, attributes, );
    CALL_LONGER(t, Plugin_Initialize, initialize, 0);
    CALL_LONGER(t, Plugin_Attributes, attributes, 0);
}

void rule_sizes_creates_newer_clients(struct rule_context *t)
{
    NEED_CLIENT(t);
    rule_close(t);
    ARGS(t, Client_Create, create, );
    CALL_LONGER(t, Client_Create, create, 0);
    NEED(t, create.client, "no client");
    ARGS(t, Client_Destroy, destroy, .client = create.client);
    CALL_LONGER(t, Client_Destroy, destroy, 0);
}

/* The same questions with bytes of zeros or garbage behind them. */
static void ask_longer(struct rule_context *t, int fill)
{
    ARGS(t, Client_PlatformName, name, .client = t->client);
    ARGS(t, Client_PlatformName, exact, .client = t->client);
    NEED_OK(t, CALL(t, Client_PlatformName, &exact));
    CALL_LONGER(t, Client_PlatformName, name, fill);
    CHECK(t, name.platform_name == exact.platform_name, "another platform name");
    ARGS(t, Client_Devices, devices, .client = t->client);
    CALL_LONGER(t, Client_Devices, devices, fill);
    CHECK(t, devices.num_devices, "no devices");
    ARGS(t, Device_GetDescription, get, .device = t->device);
    CALL_LONGER(t, Device_GetDescription, get, fill);
    ARGS(t, DeviceDescription_Id, id, .device_description = get.device_description);
    CALL_LONGER(t, DeviceDescription_Id, id, fill);
    ARGS(t, Client_LookupDevice, lookup, .client = t->client, .id = id.id);
    CALL_LONGER(t, Client_LookupDevice, lookup, fill);
    CHECK(t, lookup.device == t->device, "another device");
}

void rule_sizes_answers_newer_clients(struct rule_context *t)
{
    NEED_CLIENT(t);
    ask_longer(t, 0);
}

/* A plugin of a version that the suite does not know may have fields there. */
static bool knows_version(struct rule_context *t)
{
    if (t->minor > NEWEST_MINOR)
        rule_skip(t, "0.%d may have fields that the suite does not know", t->minor);
    return t->minor <= NEWEST_MINOR;
}

void rule_sizes_leaves_newer_fields(struct rule_context *t)
{
    NEED_CLIENT(t);
    if (!knows_version(t))
        return;
    ask_longer(t, POISON); /* a byte that a plugin sets to zero shows, too */
    ARGS(t, Device_MemoryStats, stats, .device = t->device);
    struct error *error = CALL(t, Device_MemoryStats, &stats);
    if (!error)
        CALL_LONGER(t, Device_MemoryStats, stats, POISON);
    error_free(error);
}

void rule_sizes_ignores_newer_fields(struct rule_context *t)
{
    NEED_CLIENT(t);
    if (!knows_version(t))
        return;
    rule_close(t);
    ARGS(t, Client_Create, create, );
    create.struct_size =
        PJRT_Client_Create_Args_STRUCT_SIZE; /* all that is defined today is zero */
    CALL_LONGER(t, Client_Create, create, POISON);
    NEED(t, create.client, "no client");
    t->client = create.client;
}

void rule_sizes_describes_errors_to_newer_clients(struct rule_context *t)
{
    struct longer longer;
    NEED_CLIENT(t);
    ARGS(t, Client_LookupDevice, lookup, .client = t->client, .id = -1);
    PJRT_Error *error = RAW_CALL(t, Client_LookupDevice, &lookup);
    NEED(t, error, "PJRT_Client_LookupDevice finds a device with id -1");
    ARGS(t, Error_GetCode, code, .error = error);
    CALL_LONGER(t, Error_GetCode, code, POISON);
    ARGS(t, Error_Message, message, .error = error);
    t->api->PJRT_Error_Message(lengthen(&longer, &message, message.struct_size, POISON));
    CHECK(t, tail_is(&longer, POISON), "PJRT_Error_Message writes behind its arguments");
    ARGS(t, Error_Destroy, destroy, .error = error);
    t->api->PJRT_Error_Destroy(lengthen(&longer, &destroy, destroy.struct_size, POISON));
    CHECK(t, tail_is(&longer, POISON), "PJRT_Error_Destroy writes behind its arguments");
}

void rule_sizes_ignores_unknown_extensions(struct rule_context *t)
{
    PJRT_Extension_Base unknown = {sizeof unknown, (PJRT_Extension_Type)1000, NULL};
    NEED_CLIENT(t);
    rule_close(t);
    ARGS(t, Client_Create, create, .extension_start = &unknown);
    NEED_OK(t, CALL(t, Client_Create, &create));
    t->client = create.client;
}

/* ---- 3.2 Clients with an older header -------------------------------------------------------- */

/* Whether a call accepted arguments of an older version. The header says that plugins can, not that
 * they must: a refusal is an answer. */
static bool accepts_older(struct rule_context *t, struct error *error)
{
    bool refused = error && error_code(error) == PJRT_Error_Code_INVALID_ARGUMENT;
    if (!refused)
        return CHECK_OK(t, error);
    rule_skip(t, "refused: %s", error_message(error, NULL));
    error_free(error);
    return false;
}

void rule_sizes_creates_older_clients(struct rule_context *t)
{
    PJRT_Client_Create_Args args;
    size_t old = FUNCTIONS_SIZE(Client_Create_Args, 60);
    NEED_CLIENT(t);
    rule_close(t);
    memset(&args, POISON, sizeof args);
    memset(&args, 0, old);
    args.struct_size = old;
    bool accepted = accepts_older(t, CALL(t, Client_Create, &args));
    t->client = accepted ? args.client : NULL;
    for (size_t i = old; i < sizeof args; i++)
        CHECK(t, ((unsigned char *)&args)[i] == POISON, "byte %zu of %zu was written", i, old);
}

void rule_sizes_gives_attributes_to_older_clients(struct rule_context *t)
{
    NEED_PLUGIN(t);
    ARGS(t, Plugin_Attributes, args, );
    ARGS(t, Plugin_Attributes, exact, );
    args.struct_size = offsetof(PJRT_Plugin_Attributes_Args, num_attributes);
    NEED_OK(t, CALL(t, Plugin_Attributes, &exact));
    if (!accepts_older(t, CALL(t, Plugin_Attributes, &args)))
        return;
    CHECK(t, args.num_attributes == exact.num_attributes, "%zu attributes instead of %zu",
          args.num_attributes, exact.num_attributes);
}

/* Calls with a struct_size that ends before `field`; `check` looks at the error, and the bytes
 * behind struct_size are compared. */
#define CALL_SHORT(t, Function, field, check, ...)                                                 \
    do {                                                                                           \
        PJRT_##Function##_Args short_args_, before_;                                               \
        ARGS(t, Function, start_, __VA_ARGS__);                                                    \
        size_t size_ = offsetof(PJRT_##Function##_Args, field);                                    \
        memset(&short_args_, POISON, sizeof short_args_);                                          \
        memcpy(&short_args_, &start_, size_);                                                      \
        short_args_.struct_size = size_;                                                           \
        before_ = short_args_;                                                                     \
        check(t, "PJRT_" #Function, CALL(t, Function, &short_args_));                              \
        CHECK(t,                                                                                   \
              !memcmp((char *)&short_args_ + size_, (char *)&before_ + size_,                      \
                      sizeof before_ - size_),                                                     \
              "PJRT_" #Function " writes behind byte %zu", size_);                                 \
    } while (0)

#define CALL_ALL_SHORT(t, check)                                                                   \
    do {                                                                                           \
        CALL_SHORT(t, Client_PlatformName, platform_name, check, .client = (t)->client);           \
        CALL_SHORT(t, Client_Devices, devices, check, .client = (t)->client);                      \
        CALL_SHORT(t, Client_LookupDevice, device, check, .client = (t)->client);                  \
        CALL_SHORT(t, Device_GetDescription, device_description, check, .device = (t)->device);    \
        CALL_SHORT(t, Plugin_Attributes, attributes, check, );                                     \
        CALL_SHORT(t, Client_Create, client, check, );                                             \
    } while (0)

static void any_answer(struct rule_context *t, const char *call, struct error *error)
{
    (void)t, (void)call;
    error_free(error);
}

static void has_error(struct rule_context *t, const char *call, struct error *error)
{
    rule_check_error(t, call, error);
}

static void has_invalid_argument(struct rule_context *t, const char *call, struct error *error)
{
    rule_check_code(t, PJRT_Error_Code_INVALID_ARGUMENT, call, error);
}

void rule_sizes_rejects_too_short_arguments(struct rule_context *t)
{
    NEED_CLIENT(t);
    CALL_ALL_SHORT(t, has_error);
}

void rule_sizes_writes_within_short_arguments(struct rule_context *t)
{
    NEED_CLIENT(t);
    CALL_ALL_SHORT(t, any_answer);
}

void rule_sizes_calls_short_arguments_invalid(struct rule_context *t)
{
    NEED_CLIENT(t);
    CALL_ALL_SHORT(t, has_invalid_argument);
}

/* ---- 3.3 What clients leave uninitialized ---------------------------------------------------- */

void rule_sizes_ignores_extension_pointers(struct rule_context *t)
{
    PJRT_Extension_Base *garbage = (PJRT_Extension_Base *)(uintptr_t)8;
    NEED_CLIENT(t);
    ARGS(t, Client_PlatformName, name, .client = t->client, .extension_start = garbage);
    CHECK_OK(t, CALL(t, Client_PlatformName, &name));
    ARGS(t, Client_Devices, devices, .client = t->client, .extension_start = garbage);
    CHECK_OK(t, CALL(t, Client_Devices, &devices));
    ARGS(t, Device_GetDescription, get, .device = t->device, .extension_start = garbage);
    CHECK_OK(t, CALL(t, Device_GetDescription, &get));
    ARGS(t, Device_DefaultMemory, memory, .device = t->device, .extension_start = garbage);
    CHECK_OK(t, CALL(t, Device_DefaultMemory, &memory));
}

void rule_sizes_ignores_unused_callbacks(struct rule_context *t)
{
    NEED_CLIENT(t);
    rule_close(t);
    ARGS(t, Client_Create, args, );
    memset(&args.kv_get_callback, POISON,
           offsetof(PJRT_Client_Create_Args, client) -
               offsetof(PJRT_Client_Create_Args, kv_get_callback));
    NEED_OK(t, CALL(t, Client_Create, &args));
    t->client = args.client;
}

void rule_sizes_writes_every_result(struct rule_context *t)
{
    PJRT_Device_MemoryStats_Args stats;
    NEED_CLIENT(t);
    memset(&stats, POISON, sizeof stats);
    stats.struct_size = PJRT_Device_MemoryStats_Args_STRUCT_SIZE;
    stats.extension_start = NULL;
    stats.device = t->device;
    NEED_OK(t, CALL(t, Device_MemoryStats, &stats));
    const bool *set[] = {&stats.peak_bytes_in_use_is_set,
                         &stats.num_allocs_is_set,
                         &stats.largest_alloc_size_is_set,
                         &stats.bytes_limit_is_set,
                         &stats.bytes_reserved_is_set,
                         &stats.peak_bytes_reserved_is_set,
                         &stats.bytes_reservable_limit_is_set,
                         &stats.largest_free_block_bytes_is_set,
                         &stats.pool_bytes_is_set,
                         &stats.peak_pool_bytes_is_set};
    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        unsigned char byte;
        memcpy(&byte, set[i], 1); /* a bool with another value must not be read as one */
        CHECK(t, byte <= 1, "_is_set number %zu of PJRT_Device_MemoryStats is %#x", i, byte);
    }
}
