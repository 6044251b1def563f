/* short_args_test.c: every function of the table with an object of the right kind, and structs that
 * end before their last field, as clients built with older headers pass: an error that names what
 * is missing, or the fields that fit; nothing is written behind the struct. */
#include <criterion/criterion.h>
#include <string.h>

#include "plugin/handles.h"
#include "plugin/plugin.h"
#include "runtime/fake_device.h"

enum { POISON = 0xA5, ROOM = 1024, HANDLE = 2 * sizeof(size_t), FIRST = HANDLE + sizeof(void *) };

typedef PJRT_Error *function(void *args);

static const PJRT_Api *api;
static struct client *client;
static struct loaded_executable *loaded;
static struct topology *topology;
static PJRT_Buffer *buffer;
static PJRT_Event *event;
static PJRT_AsyncHostToDeviceTransferManager *manager;

/* ---- objects --------------------------------------------------------------------------------- */
#define CALL(at, name, ...)                                                                        \
    name##_Args at = {.struct_size = name##_Args_STRUCT_SIZE, __VA_ARGS__};                        \
    cr_assert_null(api->name(&at), #name)

static PJRT_Memory *first_memory(void)
{
    return memory_handle(&client->devices[0]->memories[0]);
}

static void setup(void)
{
    int64_t dims[] = {2, 3};
    PJRT_ShapeSpec spec = {PJRT_ShapeSpec_STRUCT_SIZE, NULL, dims, 2, PJRT_Buffer_Type_F32};
    api = plugin_api(&fake_library);
    cr_assert_null(client_create(&fake_library, NULL, &client));
    cr_assert_null(fake_load(client, "add", 1, 6, false, 1, &loaded));
    CALL(of_client, PJRT_Client_TopologyDescription, .client = client_handle(client));
    topology = topology_of(of_client.topology);
    CALL(allocate, PJRT_Client_CreateUninitializedBuffer, .client = client_handle(client),
         .shape_dims = dims, .shape_num_dims = 2, .shape_element_type = PJRT_Buffer_Type_F32,
         .memory = first_memory());
    buffer = allocate.buffer;
    CALL(create, PJRT_Event_Create, .event = NULL);
    event = create.event;
    CALL(begin, PJRT_Client_CreateBuffersForAsyncHostToDevice, .client = client_handle(client),
         .shape_specs = &spec, .num_shape_specs = 1, .memory = first_memory());
    manager = begin.transfer_manager;
}

static void teardown(void)
{
    CALL(end, PJRT_AsyncHostToDeviceTransferManager_Destroy, .transfer_manager = manager);
    CALL(set, PJRT_Event_Set, .event = event);
    CALL(drop, PJRT_Event_Destroy, .event = event);
    CALL(release, PJRT_Buffer_Destroy, .buffer = buffer);
    loaded_executable_release(loaded);
    client_close(client);
}

TestSuite(short_args, .init = setup, .fini = teardown);

/* The object that a function takes first, by the function's name; NULL: it takes none. */
static const void *object_of(const char *name)
{
    const struct {
        const char *prefix;
        const void *object;
    } objects[] = {{"PJRT_Executable_DeserializeAndLoad", client},
                   {"PJRT_Event_Create", NULL},
                   {"PJRT_Client_", client},
                   {"PJRT_Compile", topology},
                   {"PJRT_TopologyDescription_", topology},
                   {"PJRT_DeviceDescription_", client->devices[0]},
                   {"PJRT_Device_", client->devices[0]},
                   {"PJRT_Memory_", &client->devices[0]->memories[0]},
                   {"PJRT_Executable_", loaded->executable},
                   {"PJRT_LoadedExecutable_", loaded},
                   {"PJRT_Buffer_", buffer},
                   {"PJRT_Event_", event},
                   {"PJRT_AsyncHostToDeviceTransferManager_", manager}};
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
        if (!strncmp(name, objects[i].prefix, strlen(objects[i].prefix)))
            return objects[i].object;
    return NULL;
}

/* ---- calls ----------------------------------------------------------------------------------- */
/* Destroys the error, which has to be an INVALID_ARGUMENT with a message. */
static void refused(const char *name, size_t size, PJRT_Error *got)
{
    struct error *error = (struct error *)got;
    cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT, "%s, %zu bytes: %s", name,
                 size, error_message(error, NULL));
    cr_expect_gt(strlen(error_message(error, NULL)), 10, "%s", name);
    error_free(error);
}

/* Everything but the object is zero. Returns whether the call succeeded. */
static bool call_short(const char *name, function *call, const void *object, size_t size)
{
    _Alignas(max_align_t) unsigned char bytes[ROOM];
    cr_assert_lt(size, sizeof bytes);
    memset(bytes, POISON, sizeof bytes);
    memset(bytes, 0, size);
    memcpy(bytes, &size, sizeof size);
    memcpy(bytes + HANDLE, &object, sizeof object);
    PJRT_Error *error = call(bytes);
    if (error)
        refused(name, size, error);
    for (size_t i = size; i < sizeof bytes; i++)
        cr_assert_eq(bytes[i], POISON, "%s: %zu bytes, byte %zu is written", name, size, i);
    return !error;
}

static void try_sizes(const char *name, size_t offset, size_t whole)
{
    function *call;
    const void *object = object_of(name);
    if (!object)
        return;
    memcpy(&call, (const char *)api + offset, sizeof call);
    for (size_t size = FIRST; size < whole; size++)
        call_short(name, call, object, size);
}

#define API(name, function) try_sizes(#name, offsetof(PJRT_Api, name), name##_Args_STRUCT_SIZE);
#define LIBRARY(name, function)
#define ERROR_API(name, function)
#define UNSUPPORTED(name)
Test(short_args, nothing_is_written_behind_them)
{
#include "plugin/api.def"
    cr_expect_not(event_is_ready(event_of(event)), "no call with a short struct sets it");
}
#undef API

/* Only a client with other processes reads the list, so one is made to look like that. */
Test(short_args, a_list_of_processes_needs_its_size)
{
    int other;
    PJRT_ProcessInfo info = {.struct_size = PJRT_ProcessInfo_STRUCT_SIZE};
    PJRT_Client_UpdateGlobalProcessInfo_Args args = {
        .struct_size = offsetof(PJRT_Client_UpdateGlobalProcessInfo_Args, num_process_infos),
        .client = client_handle(client),
        .process_infos = &info};
    client->network = (struct network *)&other;
    refused("PJRT_Client_UpdateGlobalProcessInfo", args.struct_size,
            api->PJRT_Client_UpdateGlobalProcessInfo(&args));
    client->network = NULL;
}
