#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "compiler/export/export_shape.h"
#include "plugin/api.h"
#include "plugin/api_args.h"
#include "plugin/create_options.h"
#include "plugin/handles.h"
#include "plugin/placement.h"
#include "runtime/array_layout.h"

static struct error *create(const struct device_library *library,
                            const struct device_options *options, PJRT_TopologyDescription **out)
{
    struct topology *topology;
    TRY(client_create_topology(library, options, &topology));
    *out = topology_handle(topology);
    return NULL;
}

PJRT_Error *api_topology_create(const struct device_library *library,
                                PJRT_TopologyDescription_Create_Args *args)
{
    struct create_options options;
    NEED(args, topology);
    if (args->topology_name_size)
        NEED_OBJECT(args, topology_name);
    API_TRY(create_options_read(library, args->create_options, args->num_options, &options));
    if (args->topology_name_size)
        API_TRY(
            create_options_set_topology(&options, args->topology_name, args->topology_name_size));
    return API_ERROR(create(library, &options.device, &args->topology));
}

PJRT_Error *api_topology_destroy(PJRT_TopologyDescription_Destroy_Args *args)
{
    NEED_OBJECT(args, topology);
    return API_ERROR(client_destroy_topology(topology_of(args->topology)));
}

PJRT_Error *api_topology_platform_name(PJRT_TopologyDescription_PlatformName_Args *args)
{
    NEED_OBJECT(args, topology);
    NEED(args, platform_name_size);
    args->platform_name = topology_of(args->topology)->client->platform_name;
    args->platform_name_size = strlen(args->platform_name);
    return NULL;
}

PJRT_Error *api_topology_platform_version(PJRT_TopologyDescription_PlatformVersion_Args *args)
{
    NEED_OBJECT(args, topology);
    NEED(args, platform_version_size);
    args->platform_version = topology_of(args->topology)->client->platform_version;
    args->platform_version_size = strlen(args->platform_version);
    return NULL;
}

PJRT_Error *
api_topology_get_device_descriptions(PJRT_TopologyDescription_GetDeviceDescriptions_Args *args)
{
    NEED_OBJECT(args, topology);
    NEED(args, num_descriptions);
    args->descriptions = description_handles(topology_of(args->topology)->devices);
    args->num_descriptions = (size_t)topology_of(args->topology)->device_count;
    return NULL;
}

PJRT_Error *api_topology_attributes(PJRT_TopologyDescription_Attributes_Args *args)
{
    static const PJRT_NamedValue none = {.struct_size = PJRT_NamedValue_STRUCT_SIZE};
    NEED_OBJECT(args, topology);
    NEED(args, num_attributes);
    args->attributes = &none;
    args->num_attributes = 0;
    return NULL;
}

/* ---- as bytes: a line of text: "gantry cpu devices 4 memory 0,0,0 name 3:cpu topology x" ---- */
/* The platform's name may have spaces, so its size precedes it. */
static const char between[] = " topology ";

static struct error *serialize(const struct topology *topology, char **out, size_t *size)
{
    const struct client *client = topology->client;
    struct text text = {0};
    const uint64_t *limits = client->memory_limit;
    text_add(
        &text, "gantry %s devices %d memory %" PRIu64 ",%" PRIu64 ",%" PRIu64 " name %zu:%s%s%s",
        topology->library->name, topology->device_count, limits[MEMORY_DEVICE],
        limits[MEMORY_PINNED_HOST], limits[MEMORY_UNPINNED_HOST], strlen(client->platform_name),
        client->platform_name, between, client->topology_name ? client->topology_name : "");
    return text_finish(&text, out, size);
}

static void delete_serialized(PJRT_SerializedTopology *topology)
{
    alloc_free(topology);
}

PJRT_Error *api_topology_serialize(PJRT_TopologyDescription_Serialize_Args *args)
{
    char *bytes;
    NEED_OBJECT(args, topology);
    NEED(args, serialized_topology_deleter);
    API_TRY(serialize(topology_of(args->topology), &bytes, &args->serialized_bytes_size));
    args->serialized_bytes = bytes;
    args->serialized_topology = (PJRT_SerializedTopology *)bytes;
    args->serialized_topology_deleter = delete_serialized;
    return NULL;
}

/* Reads the names, of which the first has `size` bytes. */
static bool read_names(const char *at, size_t size, struct create_options *out)
{
    if (size > strlen(at) || size >= sizeof out->platform_name ||
        strncmp(at + size, between, sizeof between - 1))
        return false;
    const char *topology = at + size + sizeof between - 1;
    if (strlen(topology) >= sizeof out->topology)
        return false;
    memcpy(out->platform_name, at, size);
    strcpy(out->topology, topology);
    out->device.platform_name = out->platform_name;
    out->device.topology = *out->topology ? out->topology : NULL;
    return true;
}

static bool read_line(const char *line, const struct device_library *library,
                      struct create_options *out)
{
    char device[32];
    size_t size;
    int names = 0;
    uint64_t *limits = out->device.memory_limit;
    int fields = sscanf(
        line, "gantry %31s devices %7d memory %" SCNu64 ",%" SCNu64 ",%" SCNu64 " name %7zu:%n",
        device, &out->device.device_count, &limits[MEMORY_DEVICE], &limits[MEMORY_PINNED_HOST],
        &limits[MEMORY_UNPINNED_HOST], &size, &names);
    return fields == 6 && names && !strcmp(device, library->name) &&
           out->device.device_count >= 1 && read_names(line + names, size, out);
}

PJRT_Error *api_topology_deserialize(const struct device_library *library,
                                     PJRT_TopologyDescription_Deserialize_Args *args)
{
    char line[400];
    struct create_options options = {0};
    NEED_OBJECT(args, serialized_topology);
    NEED(args, topology);
    int size =
        args->serialized_topology_size < sizeof line ? (int)args->serialized_topology_size : 0;
    snprintf(line, sizeof line, "%.*s", size, args->serialized_topology);
    if (!read_line(line, library, &options))
        return API_ERROR(ERROR(INVALID_ARGUMENT,
                               "the bytes are not a serialized topology of Gantry's '%s'",
                               library->name));
    return API_ERROR(create(library, &options.device, &args->topology));
}

/* ---- memories ---- */
PJRT_Error *api_topology_memory_kind_ids(PJRT_TopologyDescription_GetMemorySpaceKindIds_Args *args)
{
    NEED_OBJECT(args, topology);
    NEED(args, num_memory_space_kind_ids);
    const struct client *client = topology_of(args->topology)->client;
    args->memory_space_kind_ids = client->kind_ids;
    args->num_memory_space_kind_ids = (size_t)client->kind_count;
    return NULL;
}

static struct error *find_memory(const struct client *client, int kind_id,
                                 const struct client_memory **out)
{
    const struct client_device *device = client->local_devices[0];
    *out = NULL;
    for (int i = 0; i < device->memory_count; i++)
        if (device->memories[i].kind_id == kind_id) {
            *out = &device->memories[i];
            return NULL;
        }
    return ERROR(INVALID_ARGUMENT,
                 "no memory has kind id %d: PJRT_TopologyDescription_GetMemorySpaceKindIds lists "
                 "the %d valid ids",
                 kind_id, client->kind_count);
}

static void delete_shape(const char *shape)
{
    alloc_free((char *)(uintptr_t)shape);
}

PJRT_Error *
api_topology_canonical_shape(PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace_Args *args)
{
    struct shape_tile tiles[SHAPE_MAX_TILES];
    const struct client_memory *memory;
    struct shape_layout layout;
    struct shape shape;
    char *bytes;
    NEED_OBJECT(args, topology);
    NEED(args, serialized_shape_deleter);
    API_TRY(find_memory(topology_of(args->topology)->client, args->memory_space_kind_id, &memory));
    API_TRY(placement_shape(args->element_type, args->dims, args->num_dims, args->layout, tiles,
                            &shape, NULL));
    shape.memory = memory->kind;
    API_TRY(array_layout_complete(memory->device->device, &shape, &layout));
    shape.memory = MEMORY_DEVICE; /* the kind is no part of the answer */
    API_TRY(export_shape_bytes(&shape, &bytes, &args->serialized_shape_size));
    args->serialized_shape = bytes;
    args->serialized_shape_deleter = delete_shape;
    return NULL;
}

PJRT_Error *api_topology_fingerprint(PJRT_TopologyDescription_Fingerprint_Args *args)
{
    char *bytes;
    size_t size;
    NEED_OBJECT(args, topology);
    NEED(args, fingerprint);
    API_TRY(serialize(topology_of(args->topology), &bytes, &size));
    uint64_t hash = 0xcbf29ce484222325; /* FNV-1a of the topology and the plugin's version */
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3;
    for (const char *at = client_platform_version(); *at; at++)
        hash = (hash ^ (unsigned char)*at) * 0x100000001b3;
    alloc_free(bytes);
    args->fingerprint = hash;
    return NULL;
}
