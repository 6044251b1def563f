/* extensions_rules.c: area 17: extensions, one by one. */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "conformance/cts/rule_sequences.h"
#include "pjrt_c_api_cross_host_transfers_extension.h"
#include "pjrt_c_api_custom_partitioner_extension.h"
#include "pjrt_c_api_ffi_extension.h"
#include "pjrt_c_api_layouts_extension.h"
#include "pjrt_c_api_memory_descriptions_extension.h"
#include "pjrt_c_api_profiler_extension.h"
#include "pjrt_c_api_stream_extension.h"
#include "tools/abi.h"

/* ---- Finding and calling --------------------------------------------------------------------- */

/* The extension of that type and at least that size, or NULL, and the rule is skipped. */
static const void *find(struct rule_context *t, PJRT_Extension_Type type, size_t size)
{
    const PJRT_Extension_Base *at = t->api->extension_start;
    while (at && at->type != type)
        at = at->next;
    if (!at)
        rule_skip(t, "the plugin has no extension of type %d", (int)type);
    else if (at->struct_size < size)
        rule_skip(t, "the extension of type %d has %zu bytes", (int)type, at->struct_size);
    return at && at->struct_size >= size ? at : NULL;
}

/* Declares an extension with all functions up to `member`; the rule ends without it. */
#define NEED_EXTENSION(t, Name, member, name)                                                      \
    NEED_CLIENT(t);                                                                                \
    const PJRT_##Name##_Extension *name =                                                          \
        find(t, PJRT_Extension_Type_##Name,                                                        \
             offsetof(PJRT_##Name##_Extension, member) + sizeof(void *));                          \
    if (!name)                                                                                     \
    return

/* Calls a function of an extension, and returns its error. */
#define ASK(t, function, args) abi_error((t)->api, (function)(args))

/* ---- 17.1 All extensions --------------------------------------------------------------------- */

/* The functions of the extension types that the suite knows, in bytes. */
static size_t functions_size(PJRT_Extension_Type type)
{
    switch ((int)type) {
    case PJRT_Extension_Type_CrossHostTransfers: return sizeof(PJRT_CrossHostTransfers_Extension);
    case PJRT_Extension_Type_Custom_Partitioner: return sizeof(PJRT_Custom_Partitioner_Extension);
    case PJRT_Extension_Type_Layouts: return sizeof(PJRT_Layouts_Extension);
    case PJRT_Extension_Type_FFI: return sizeof(PJRT_FFI_Extension);
    case PJRT_Extension_Type_MemoryDescriptions: return sizeof(PJRT_MemoryDescriptions_Extension);
    case PJRT_Extension_Type_Stream: return sizeof(PJRT_Stream_Extension);
    default: return 0;
    }
}

void rule_extensions_have_functions(struct rule_context *t)
{
    NEED_TABLE(t);
    int count = 0;
    for (const PJRT_Extension_Base *e = t->api->extension_start; e && count < 256; e = e->next) {
        size_t known = functions_size(e->type),
               size = e->struct_size < known ? e->struct_size : known;
        count++;
        for (size_t at = sizeof *e; at + sizeof(void *) <= size; at += sizeof(void *)) {
            const void *function;
            memcpy(&function, (const char *)e + at, sizeof function);
            CHECK(t, function, "extension of type %d: the function at byte %zu is NULL",
                  (int)e->type, at);
        }
    }
}

enum { MOST_BYTES = 1 << 14 };

/* The bytes of all extensions but for their pointers to the next. */
static size_t copy_extensions(const struct rule_context *t, char out[MOST_BYTES])
{
    size_t size = 0;
    int count = 0;
    for (const PJRT_Extension_Base *e = t->api->extension_start; e && count < 256; e = e->next) {
        size_t known = functions_size(e->type),
               part = e->struct_size < known ? e->struct_size : known;
        count++;
        if (size + part <= MOST_BYTES) {
            memcpy(out + size, e, part);
            size += part;
        }
    }
    return size;
}

void rule_extensions_stay_as_they_are(struct rule_context *t)
{
    static char before[MOST_BYTES], after[MOST_BYTES];
    NEED_TABLE(t);
    size_t size = copy_extensions(t, before);
    NEED_CLIENT(t);
    CHECK(t, copy_extensions(t, after) == size && !memcmp(before, after, size),
          "functions differ when a client exists");
}

/* ---- 17.2 Layouts ---------------------------------------------------------------------------- */

static const int64_t dims[] = {4, 6};

/* Copies a layout's text. */
static struct error *text_of(struct rule_context *t, const PJRT_Layouts_Extension *layouts,
                             PJRT_Layouts_MemoryLayout *layout, char out[128])
{
    PJRT_Layouts_MemoryLayout_Serialize_Args args = {.struct_size = sizeof args, .layout = layout};
    TRY(ASK(t, layouts->PJRT_Layouts_MemoryLayout_Serialize, &args));
    snprintf(out, 128, "%.*s", (int)args.serialized_bytes_size, args.serialized_bytes);
    CHECK(t, args.serialized_layout_deleter, "no deleter");
    if (args.serialized_layout_deleter)
        args.serialized_layout_deleter(args.serialized_layout);
    return NULL;
}

static void destroy_layout(struct rule_context *t, const PJRT_Layouts_Extension *layouts,
                           PJRT_Layouts_MemoryLayout *layout)
{
    PJRT_Layouts_MemoryLayout_Destroy_Args args = {.struct_size = sizeof args, .layout = layout};
    CHECK_OK(t, ASK(t, layouts->PJRT_Layouts_MemoryLayout_Destroy, &args));
}

static struct error *default_text(struct rule_context *t, const PJRT_Layouts_Extension *layouts,
                                  char out[128])
{
    PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args args = {.struct_size = sizeof args,
                                                           .client = t->client,
                                                           .type = PJRT_Buffer_Type_F32,
                                                           .dims = dims,
                                                           .num_dims = 2};
    TRY(ASK(t, layouts->PJRT_Layouts_PJRT_Client_GetDefaultLayout, &args));
    struct error *error = text_of(t, layouts, args.layout, out);
    destroy_layout(t, layouts, args.layout);
    return error;
}

static struct error *layout_of_buffer(struct rule_context *t, const PJRT_Layouts_Extension *layouts,
                                      PJRT_Layouts_MemoryLayout **out)
{
    static const float values[24];
    PJRT_Buffer *buffer;
    TRY(rule_upload(t, &(struct rule_array){PJRT_Buffer_Type_F32, 2, dims, values}, &buffer));
    PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args args = {.struct_size = sizeof args,
                                                       .buffer = buffer};
    struct error *error = ASK(t, layouts->PJRT_Layouts_PJRT_Buffer_MemoryLayout, &args);
    DESTROY(t, Buffer, buffer, buffer);
    *out = args.layout;
    return error;
}

void rule_extensions_give_default_layouts(struct rule_context *t)
{
    char text[128];
    NEED_EXTENSION(t, Layouts, PJRT_Layouts_PJRT_Client_GetDefaultLayout, layouts);
    NEED_OK(t, default_text(t, layouts, text));
    CHECK(t, !strncmp(text, "{0,1", 4) || !strncmp(text, "{1,0", 4), "'%s'", text);
    CHECK(t, strchr(text, '}'), "'%s'", text);
}

void rule_extensions_give_layouts_of_buffers(struct rule_context *t)
{
    char text[128], of_buffer[128];
    PJRT_Layouts_MemoryLayout *layout;
    NEED_EXTENSION(t, Layouts, PJRT_Layouts_PJRT_Buffer_MemoryLayout, layouts);
    NEED_OK(t, default_text(t, layouts, text));
    NEED_OK(t, layout_of_buffer(t, layouts, &layout));
    NEED_OK(t, text_of(t, layouts, layout, of_buffer));
    CHECK(t, !strcmp(text, of_buffer), "'%s' instead of '%s'", of_buffer, text);
    destroy_layout(t, layouts, layout);
}

void rule_extensions_give_layouts_of_outputs(struct rule_context *t)
{
    PJRT_LoadedExecutable *loaded;
    NEED_EXTENSION(t, Layouts, PJRT_Layouts_PJRT_Executable_GetOutputLayouts, layouts);
    NEED_OK(t, rule_compile_file(t, "constants.mlirbc", &loaded));
    ARGS(t, LoadedExecutable_GetExecutable, get, .loaded_executable = loaded);
    NEED_OK(t, CALL(t, LoadedExecutable_GetExecutable, &get));
    PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args args = {.struct_size = sizeof args,
                                                               .executable = get.executable};
    NEED_OK(t, ASK(t, layouts->PJRT_Layouts_PJRT_Executable_GetOutputLayouts, &args));
    CHECK(t, args.num_outputs == 2, "%zu layouts for 2 outputs", args.num_outputs);
    for (size_t i = 0; i < args.num_outputs; i++)
        CHECK(t, args.layouts[i], "layout %zu is NULL", i);
}

void rule_extensions_repeat_layouts(struct rule_context *t)
{
    char first[128], second[128];
    PJRT_Layouts_MemoryLayout *layout;
    NEED_EXTENSION(t, Layouts, PJRT_Layouts_PJRT_Buffer_MemoryLayout, layouts);
    NEED_OK(t, layout_of_buffer(t, layouts, &layout));
    NEED_OK(t, text_of(t, layouts, layout, first));
    NEED_OK(t, text_of(t, layouts, layout, second));
    CHECK(t, !strcmp(first, second), "'%s' has become '%s'", first, second);
}

void rule_extensions_keep_layouts(struct rule_context *t)
{
    char text[128];
    PJRT_Layouts_MemoryLayout *layout;
    NEED_EXTENSION(t, Layouts, PJRT_Layouts_PJRT_Buffer_MemoryLayout, layouts);
    NEED_OK(t, layout_of_buffer(t, layouts, &layout)); /* the buffer is destroyed there */
    NEED_OK(t, text_of(t, layouts, layout, text));
    CHECK(t, text[0] == '{', "'%s'", text);
    destroy_layout(t, layouts, layout);
}

void rule_extensions_give_layouts_of_topologies(struct rule_context *t)
{
    char text[128], of_topology[128];
    NEED_EXTENSION(t, Layouts, PJRT_Layouts_PJRT_Topology_GetDefaultLayout, layouts);
    ARGS(t, Client_TopologyDescription, get, .client = t->client);
    NEED_OK(t, CALL(t, Client_TopologyDescription, &get));
    PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args args = {.struct_size = sizeof args,
                                                             .topology_description = get.topology,
                                                             .type = PJRT_Buffer_Type_F32,
                                                             .dims = dims,
                                                             .num_dims = 2};
    NEED_OK(t, ASK(t, layouts->PJRT_Layouts_PJRT_Topology_GetDefaultLayout, &args));
    NEED_OK(t, text_of(t, layouts, args.layout, of_topology));
    NEED_OK(t, default_text(t, layouts, text));
    CHECK(t, !strcmp(text, of_topology), "'%s' instead of '%s'", of_topology, text);
    destroy_layout(t, layouts, args.layout);
}

/* ---- 17.3 Custom calls ----------------------------------------------------------------------- */

static atomic_int deleted;
static int object;

static void delete_object(void *data)
{
    atomic_fetch_add(&deleted, data == &object ? 1 : 100);
}

static struct error *register_type(struct rule_context *t, const PJRT_FFI_Extension *ffi,
                                   const char *name, int64_t *id)
{
    PJRT_FFI_Type_Info info = {.deleter = delete_object};
    PJRT_FFI_Type_Register_Args args = {.struct_size = sizeof args,
                                        .type_name = name,
                                        .type_name_size = strlen(name),
                                        .type_id = *id,
                                        .type_info = &info};
    TRY(ASK(t, ffi->type_register, &args));
    *id = args.type_id;
    return NULL;
}

void rule_extensions_register_types(struct rule_context *t)
{
    int64_t id = 0;
    NEED_EXTENSION(t, FFI, type_register, ffi);
    NEED_OK(t, register_type(t, ffi, "suite.type", &id));
    NEED(t, id, "id 0");
    int64_t again = id;
    NEED_OK(t, register_type(t, ffi, "suite.type", &again));
    CHECK(t, again == id, "id %lld has become %lld", (long long)id, (long long)again);
}

void rule_extensions_separate_types(struct rule_context *t)
{
    int64_t first = 0, second = 0;
    NEED_EXTENSION(t, FFI, type_register, ffi);
    NEED_OK(t, register_type(t, ffi, "suite.first", &first));
    NEED_OK(t, register_type(t, ffi, "suite.second", &second));
    CHECK(t, first != second, "both have id %lld", (long long)first);
}

void rule_extensions_take_user_data(struct rule_context *t)
{
    int64_t id = 0;
    NEED_EXTENSION(t, FFI, user_data_add, ffi);
    NEED_OK(t, register_type(t, ffi, "suite.data", &id));
    ARGS(t, ExecuteContext_Create, create, );
    NEED_OK(t, CALL(t, ExecuteContext_Create, &create));
    PJRT_FFI_UserData_Add_Args args = {
        .struct_size = sizeof args, .context = create.context, .user_data = {id, &object}};
    NEED_OK(t, ASK(t, ffi->user_data_add, &args));
    CHECK(t, !atomic_load(&deleted), "deleted while the context exists");
    DESTROY(t, ExecuteContext, context, create.context);
    CHECK(t, atomic_load(&deleted) <= 1, "the deleter was called %d times", atomic_load(&deleted));
}

/* ---- 17.4 Profiler --------------------------------------------------------------------------- */

/* Checks that a call of the profiler succeeds, and frees its error. */
static void check_profiler(struct rule_context *t, const PLUGIN_Profiler_Api *api, const char *call,
                           PLUGIN_Profiler_Error *error)
{
    PLUGIN_Profiler_Error_Destroy_Args destroy = {.struct_size = sizeof destroy, .error = error};
    CHECK(t, !error, "%s is an error", call);
    if (error)
        api->error_destroy(&destroy);
}

#define PROFILE(t, api, call, Name, profiler_)                                                     \
    do {                                                                                           \
        PLUGIN_Profiler_##Name##_Args args_ = {.struct_size = sizeof args_,                        \
                                               .profiler = profiler_};                             \
        check_profiler(t, api, #call, (api)->call(&args_));                                        \
    } while (0)

/* Declares the plugin's profiler. */
#define NEED_PROFILER(t, name)                                                                     \
    NEED_EXTENSION(t, Profiler, profiler_api, name##_extension);                                   \
    const PLUGIN_Profiler_Api *name = name##_extension->profiler_api;                              \
    NEED(t, name, "profiler_api is NULL")

static PLUGIN_Profiler *create_profiler(struct rule_context *t, const PLUGIN_Profiler_Api *api)
{
    PLUGIN_Profiler_Create_Args args = {.struct_size = sizeof args, .options = ""};
    check_profiler(t, api, "create", api->create(&args));
    CHECK(t, args.profiler, "a NULL profiler");
    return args.profiler;
}

void rule_extensions_profile(struct rule_context *t)
{
    NEED_PROFILER(t, api);
    PLUGIN_Profiler *profiler = create_profiler(t, api);
    PROFILE(t, api, start, Start, profiler);
    PROFILE(t, api, stop, Stop, profiler);
    PLUGIN_Profiler_CollectData_Args collect = {.struct_size = sizeof collect,
                                                .profiler = profiler};
    check_profiler(t, api, "collect_data", api->collect_data(&collect));
    CHECK(t, collect.buffer || !collect.buffer_size_in_bytes, "%zu bytes at NULL",
          collect.buffer_size_in_bytes);
    PROFILE(t, api, destroy, Destroy, profiler);
}

void rule_extensions_profile_again(struct rule_context *t)
{
    NEED_PROFILER(t, api);
    for (int i = 0; i < 3; i++)
        PROFILE(t, api, destroy, Destroy, create_profiler(t, api));
}

void rule_extensions_profile_executions(struct rule_context *t)
{
    static const float one[] = {1, 2, 3, 4}, two[] = {2, 4, 6, 8};
    PJRT_LoadedExecutable *executable;
    PJRT_Buffer *inputs[2], *result;
    NEED_PROFILER(t, api);
    PLUGIN_Profiler *profiler = create_profiler(t, api);
    PROFILE(t, api, start, Start, profiler);
    NEED_OK(t, rule_compile_file(t, "add.mlirbc", &executable));
    NEED_OK(t, rule_upload_floats(t, one, 4, &inputs[0]));
    NEED_OK(t, rule_upload_floats(t, one, 4, &inputs[1]));
    NEED_OK(t, rule_execute(t, executable, inputs, 2, &result, 1));
    rule_check_floats(t, result, two, 4);
    PROFILE(t, api, stop, Stop, profiler);
    PROFILE(t, api, destroy, Destroy, profiler);
}

/* ---- 17.5 Descriptions of memories ----------------------------------------------------------- */

static struct error *describe(struct rule_context *t,
                              const PJRT_MemoryDescriptions_Extension *extension,
                              PJRT_DeviceDescription_MemoryDescriptions_Args *out)
{
    ARGS(t, Device_GetDescription, get, .device = t->device);
    TRY(CALL(t, Device_GetDescription, &get));
    *out = (PJRT_DeviceDescription_MemoryDescriptions_Args){
        .struct_size = sizeof *out, .device_description = get.device_description};
    return ASK(t, extension->PJRT_DeviceDescription_MemoryDescriptions, out);
}

static struct error *kind_of(struct rule_context *t,
                             const PJRT_MemoryDescriptions_Extension *extension,
                             const PJRT_MemoryDescription *of, char out[64])
{
    PJRT_MemoryDescription_Kind_Args args = {.struct_size = sizeof args, .memory_description = of};
    TRY(ASK(t, extension->PJRT_MemoryDescription_Kind, &args));
    snprintf(out, 64, "%.*s", (int)args.kind_size, args.kind);
    return NULL;
}

void rule_extensions_describe_memories(struct rule_context *t)
{
    PJRT_DeviceDescription_MemoryDescriptions_Args args;
    char kind[64];
    NEED_EXTENSION(t, MemoryDescriptions, PJRT_MemoryDescription_Kind, extension);
    NEED_OK(t, describe(t, extension, &args));
    CHECK(t,
          args.default_memory_index < args.num_memory_descriptions ||
              args.default_memory_index == SIZE_MAX || !args.num_memory_descriptions,
          "the default one of %zu is number %zu", args.num_memory_descriptions,
          args.default_memory_index);
    for (size_t i = 0; i < args.num_memory_descriptions; i++) {
        NEED_OK(t, kind_of(t, extension, args.memory_descriptions[i], kind));
        CHECK(t, *kind, "memory %zu has no kind", i);
    }
}

static bool has_memory(struct rule_context *t, const char *kind)
{
    ARGS(t, Device_AddressableMemories, list, .device = t->device);
    if (!CHECK_OK(t, CALL(t, Device_AddressableMemories, &list)))
        return false;
    for (size_t i = 0; i < list.num_memories; i++) {
        ARGS(t, Memory_Kind, args, .memory = list.memories[i]);
        if (CHECK_OK(t, CALL(t, Memory_Kind, &args)) && args.kind_size == strlen(kind) &&
            !memcmp(args.kind, kind, args.kind_size))
            return true;
    }
    return false;
}

void rule_extensions_describe_the_same_memories(struct rule_context *t)
{
    PJRT_DeviceDescription_MemoryDescriptions_Args args;
    char kind[64];
    NEED_EXTENSION(t, MemoryDescriptions, PJRT_MemoryDescription_Kind, extension);
    NEED_OK(t, describe(t, extension, &args));
    for (size_t i = 0; i < args.num_memory_descriptions; i++) {
        NEED_OK(t, kind_of(t, extension, args.memory_descriptions[i], kind));
        CHECK(t, has_memory(t, kind), "the device has no memory of kind '%s'", kind);
    }
}

/* ---- 17.6 Streams ---------------------------------------------------------------------------- */

void rule_extensions_have_streams(struct rule_context *t)
{
    static const float values[] = {1, 2, 3, 4};
    PJRT_Buffer *buffer;
    NEED_EXTENSION(t, Stream, wait_stream, streams);
    PJRT_Get_Stream_For_External_Ready_Events_Args get = {.struct_size = sizeof get,
                                                          .device = t->device};
    NEED_OK(t, ASK(t, streams->get_stream, &get));
    NEED_OK(t, rule_upload_floats(t, values, 4, &buffer));
    PJRT_Wait_Until_Buffer_Ready_On_Stream_Args wait = {
        .struct_size = sizeof wait, .stream = get.stream, .buffer = buffer};
    NEED_OK(t, ASK(t, streams->wait_stream, &wait));
}
