/* abi.c: the most common sequences of calls. */
#include "tools/abi.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/library_file.h"

bool abi_has(const PJRT_Api *api, size_t offset)
{
    void *function = NULL;
    if (api->struct_size < offset + sizeof function)
        return false;
    memcpy(&function, (const char *)api + offset, sizeof function);
    return function != NULL;
}

struct error *abi_error(const PJRT_Api *api, PJRT_Error *error)
{
    if (!error)
        return NULL;
    ABI_ARGS(Error_Message, message, .error = error);
    api->PJRT_Error_Message(&message);
    ABI_ARGS(Error_GetCode, code, .error = error);
    PJRT_Error *second = api->PJRT_Error_GetCode(&code);
    if (second || code.code == PJRT_Error_Code_OK)
        code.code = PJRT_Error_Code_UNKNOWN;
    struct error *ours = error_make(code.code, __FILE__, __LINE__, "%.*s",
                                    (int)message.message_size, message.message);
    ABI_ARGS(Error_Destroy, destroy, .error = error);
    api->PJRT_Error_Destroy(&destroy);
    return ours;
}

/* ---- The plugin ------------------------------------------------------------------------------ */

const char *abi_path(const char *path, char here[ABI_PATH_SIZE])
{
    int size = snprintf(here, ABI_PATH_SIZE, "./%s", path);
    return !strchr(path, '/') && size < ABI_PATH_SIZE && !access(here, F_OK) ? here : path;
}

static struct error *open_file(const char *path, void **library)
{
    char here[ABI_PATH_SIZE], fault[ABI_PATH_SIZE + 128];
    path = abi_path(path, here);
    if (!library_file_sound(path, fault, sizeof fault))
        return ERROR(NOT_FOUND, "%s", fault);
    *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    return *library ? NULL : ERROR(NOT_FOUND, "%s", dlerror());
}

static struct error *open_table(const char *path, struct abi_plugin *plugin)
{
    TRY(open_file(path, &plugin->library));
    const PJRT_Api *(*get)(void);
    void *symbol = dlsym(plugin->library, "GetPjrtApi");
    /* C does not allow a cast from an object pointer to a function pointer */
    memcpy(&get, &symbol, sizeof get);
    if (!symbol)
        return ERROR(NOT_FOUND, "%s: not a PJRT plugin: it has no GetPjrtApi", path);
    plugin->api = get();
    if (!plugin->api)
        return ERROR(NOT_FOUND, "%s: GetPjrtApi returned NULL", path);
    if (plugin->api->pjrt_api_version.major_version != PJRT_API_MAJOR)
        return ERROR(NOT_FOUND, "%s: implements PJRT %d, but %d is needed", path,
                     plugin->api->pjrt_api_version.major_version, PJRT_API_MAJOR);
    ABI_ARGS(Plugin_Initialize, args, );
    return ABI_CALL(plugin->api, Plugin_Initialize, &args);
}

struct error *abi_load(const char *path, struct abi_plugin *plugin)
{
    *plugin = (struct abi_plugin){0};
    struct error *error = open_table(path, plugin);
    if (error)
        abi_unload(plugin);
    return error;
}

void abi_unload(struct abi_plugin *plugin)
{
    if (plugin->library)
        dlclose(plugin->library);
    *plugin = (struct abi_plugin){0};
}

struct error *abi_gantry(const PJRT_Api *api, const PJRT_Gantry_Extension **out)
{
    *out = NULL;
    for (const PJRT_Extension_Base *at = api->extension_start; at; at = at->next) {
        const PJRT_Gantry_Extension *found = (const PJRT_Gantry_Extension *)(const void *)at;
        if (at->type == PJRT_EXTENSION_TYPE_GANTRY &&
            at->struct_size >= offsetof(PJRT_Gantry_Extension, version) + sizeof found->version &&
            !strcmp(found->name, PJRT_API_GANTRY_EXTENSION_NAME) &&
            found->version == PJRT_API_GANTRY_EXTENSION_VERSION)
            *out = found;
    }
    return *out ? NULL : ERROR(UNIMPLEMENTED, "the plugin does not have Gantry's own extension");
}

/* ---- Client and programs --------------------------------------------------------------------- */

struct error *abi_client_create(const PJRT_Api *api, const PJRT_NamedValue *options, size_t count,
                                PJRT_Client **out)
{
    ABI_ARGS(Client_Create, args, .create_options = options, .num_options = count);
    *out = NULL;
    TRY(ABI_CALL(api, Client_Create, &args));
    *out = args.client;
    return NULL;
}

struct error *abi_topology_create(const PJRT_Api *api, const PJRT_NamedValue *options, size_t count,
                                  PJRT_TopologyDescription **out)
{
    ABI_ARGS(TopologyDescription_Create, args, .create_options = options, .num_options = count);
    *out = NULL;
    TRY(ABI_CALL(api, TopologyDescription_Create, &args));
    *out = args.topology;
    return NULL;
}

struct error *abi_first_device(const PJRT_Api *api, PJRT_Client *client, PJRT_Device **out)
{
    ABI_ARGS(Client_AddressableDevices, args, .client = client);
    *out = NULL;
    TRY(ABI_CALL(api, Client_AddressableDevices, &args));
    if (!args.num_addressable_devices)
        return ERROR(NOT_FOUND, "the client has no addressable device");
    *out = args.addressable_devices[0];
    return NULL;
}

const char *abi_one_device(size_t *size)
{
    /* executable_build_options (field 3) of device_ordinal -1 (1), num_replicas 1 (4),
     * num_partitions 1 (5) */
    static const char options[] = "\x1a\x0f\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x20\x01"
                                  "\x28\x01";
    *size = sizeof options - 1;
    return options;
}

static PJRT_Program form_of(const struct abi_program *program)
{
    return (PJRT_Program){
        .struct_size = PJRT_Program_STRUCT_SIZE,
        .code = (char *)(uintptr_t)program->code,
        .code_size = program->code_size,
        .format = program->format,
        .format_size = strlen(program->format),
    };
}

struct error *abi_compile(const PJRT_Api *api, PJRT_Client *client,
                          const struct abi_program *program, PJRT_LoadedExecutable **out)
{
    size_t default_size;
    const char *one_device = abi_one_device(&default_size);
    PJRT_Program form = form_of(program);
    ABI_ARGS(Client_Compile, args, .client = client, .program = &form,
             .compile_options = program->options ? program->options : one_device,
             .compile_options_size = program->options ? program->options_size : default_size);
    *out = NULL;
    TRY(ABI_CALL(api, Client_Compile, &args));
    *out = args.executable;
    return NULL;
}

struct error *abi_compile_for(const PJRT_Api *api, PJRT_TopologyDescription *topology,
                              const struct abi_program *program, PJRT_Executable **out)
{
    size_t default_size;
    const char *one_device = abi_one_device(&default_size);
    PJRT_Program form = form_of(program);
    PJRT_Compile_Args args = {.struct_size = PJRT_Compile_Args_STRUCT_SIZE,
                              .topology = topology,
                              .program = &form,
                              .compile_options = program->options ? program->options : one_device,
                              .compile_options_size =
                                  program->options ? program->options_size : default_size};
    *out = NULL;
    TRY(ABI_CALL(api, Compile, &args));
    *out = args.executable;
    return NULL;
}

struct error *abi_output_count(const PJRT_Api *api, PJRT_LoadedExecutable *executable, size_t *out)
{
    ABI_ARGS(LoadedExecutable_GetExecutable, get, .loaded_executable = executable);
    *out = 0;
    TRY(ABI_CALL(api, LoadedExecutable_GetExecutable, &get));
    ABI_ARGS(Executable_NumOutputs, count, .executable = get.executable);
    struct error *error = ABI_CALL(api, Executable_NumOutputs, &count);
    ABI_DESTROY(api, Executable, executable, get.executable);
    if (!error)
        *out = count.num_outputs;
    return error;
}

struct error *abi_execute(const PJRT_Api *api, PJRT_LoadedExecutable *executable,
                          PJRT_Buffer *const *inputs, size_t input_count, PJRT_Buffer **outputs,
                          size_t output_count)
{
    PJRT_ExecuteOptions options = {.struct_size = PJRT_ExecuteOptions_STRUCT_SIZE};
    PJRT_Event *done = NULL;
    ABI_ARGS(LoadedExecutable_Execute, args, .executable = executable, .options = &options,
             .argument_lists = &inputs, .num_devices = 1, .num_args = input_count,
             .output_lists = &outputs, .device_complete_events = &done);
    memset(outputs, 0, output_count * sizeof *outputs);
    struct error *error = ABI_CALL(api, LoadedExecutable_Execute, &args);
    if (!error)
        error = abi_await(api, done);
    for (size_t i = 0; error && i < output_count; i++) {
        abi_buffer_destroy(api, outputs[i]);
        outputs[i] = NULL;
    }
    return error;
}

/* ---- Buffers --------------------------------------------------------------------------------- */

struct error *abi_upload(const PJRT_Api *api, PJRT_Client *client, PJRT_Device *device,
                         const struct abi_array *array, PJRT_Buffer **out)
{
    ABI_ARGS(Client_BufferFromHostBuffer, args, .client = client, .data = array->bytes,
             .type = dtype_info(array->dtype)->pjrt, .dims = array->dims, .num_dims = array->rank,
             .host_buffer_semantics = PJRT_HostBufferSemantics_kImmutableOnlyDuringCall,
             .device = device);
    *out = NULL;
    TRY(ABI_CALL(api, Client_BufferFromHostBuffer, &args));
    struct error *error = abi_await(api, args.done_with_host_buffer);
    if (error)
        abi_buffer_destroy(api, args.buffer);
    else
        *out = args.buffer;
    return error;
}

struct error *abi_shape(const PJRT_Api *api, PJRT_Buffer *buffer, enum dtype *dtype,
                        const int64_t **dims, size_t *rank)
{
    ABI_ARGS(Buffer_ElementType, type, .buffer = buffer);
    TRY(ABI_CALL(api, Buffer_ElementType, &type));
    ABI_ARGS(Buffer_UnpaddedDimensions, shape, .buffer = buffer);
    TRY(ABI_CALL(api, Buffer_UnpaddedDimensions, &shape));
    *dtype = dtype_from_pjrt(type.type);
    *dims = shape.unpadded_dims;
    *rank = shape.num_dims;
    return NULL;
}

struct error *abi_download(const PJRT_Api *api, PJRT_Buffer *buffer, void *bytes, size_t size)
{
    ABI_ARGS(Buffer_Dimensions, shape, .buffer = buffer);
    TRY(ABI_CALL(api, Buffer_Dimensions, &shape));
    int64_t order[64];
    if (shape.num_dims > sizeof order / sizeof *order)
        return ERROR(UNIMPLEMENTED, "a buffer of rank %zu", shape.num_dims);
    for (size_t i = 0; i < shape.num_dims; i++)
        order[i] = (int64_t)(shape.num_dims - 1 - i);
    PJRT_Buffer_MemoryLayout row_major = {
        .struct_size = PJRT_Buffer_MemoryLayout_STRUCT_SIZE,
        .tiled = {.struct_size = PJRT_Buffer_MemoryLayout_Tiled_STRUCT_SIZE,
                  .minor_to_major = order,
                  .minor_to_major_size = shape.num_dims},
        .type = PJRT_Buffer_MemoryLayout_Type_Tiled,
    };
    ABI_ARGS(Buffer_ToHostBuffer, args, .src = buffer, .host_layout = &row_major, .dst = bytes,
             .dst_size = size);
    TRY(ABI_CALL(api, Buffer_ToHostBuffer, &args));
    return abi_await(api, args.event);
}

struct error *abi_await(const PJRT_Api *api, PJRT_Event *event)
{
    if (!event)
        return NULL;
    ABI_ARGS(Event_Await, args, .event = event);
    struct error *error = ABI_CALL(api, Event_Await, &args);
    ABI_DESTROY(api, Event, event, event);
    return error;
}

/* ---- Destruction ----------------------------------------------------------------------------- */

void abi_client_destroy(const PJRT_Api *api, PJRT_Client *client)
{
    ABI_DESTROY(api, Client, client, client);
}

void abi_executable_destroy(const PJRT_Api *api, PJRT_LoadedExecutable *executable)
{
    ABI_DESTROY(api, LoadedExecutable, executable, executable);
}

void abi_buffer_destroy(const PJRT_Api *api, PJRT_Buffer *buffer)
{
    ABI_DESTROY(api, Buffer, buffer, buffer);
}
