/* topology_rules.c: area 6, section 5: topologies. */
#include <string.h>

#include "conformance/cts/rule_context.h"
#include "conformance/rules/named_values.h"

/* Declares `topology`, that of the client. */
#define NEED_TOPOLOGY(t, topology_)                                                                \
    NEED_CLIENT(t);                                                                                \
    ARGS(t, Client_TopologyDescription, of_client_, .client = (t)->client);                        \
    NEED_OK(t, CALL(t, Client_TopologyDescription, &of_client_));                                  \
    PJRT_TopologyDescription *topology_ = of_client_.topology

static struct error *list_devices(struct rule_context *t, const PJRT_TopologyDescription *topology,
                                  PJRT_DeviceDescription *const **out, size_t *count)
{
    ARGS(t, TopologyDescription_GetDeviceDescriptions, args, .topology = topology);
    struct error *error = CALL(t, TopologyDescription_GetDeviceDescriptions, &args);
    *out = error ? NULL : args.descriptions;
    *count = error ? 0 : args.num_descriptions;
    return error;
}

/* ---- The topology of a client ---------------------------------------------------------------- */

void rule_client_has_a_topology(struct rule_context *t)
{
    NEED_TOPOLOGY(t, topology);
    ARGS(t, Client_TopologyDescription, again, .client = t->client);
    NEED_OK(t, CALL(t, Client_TopologyDescription, &again));
    CHECK(t, topology, "a NULL topology");
    CHECK(t, topology == again.topology, "another topology in the second call");
}

void rule_client_topologies_name_their_platform(struct rule_context *t)
{
    NEED_TOPOLOGY(t, topology);
    ARGS(t, TopologyDescription_PlatformName, of_topology, .topology = topology);
    ARGS(t, Client_PlatformName, of_client, .client = t->client);
    NEED_OK(t, CALL(t, TopologyDescription_PlatformName, &of_topology));
    NEED_OK(t, CALL(t, Client_PlatformName, &of_client));
    CHECK(t,
          of_topology.platform_name_size == of_client.platform_name_size &&
              !memcmp(of_topology.platform_name, of_client.platform_name,
                      of_client.platform_name_size),
          "the topology's platform is '%.*s', the client's '%.*s'",
          (int)of_topology.platform_name_size, of_topology.platform_name,
          (int)of_client.platform_name_size, of_client.platform_name);
}

void rule_client_topologies_name_their_version(struct rule_context *t)
{
    NEED_TOPOLOGY(t, topology);
    ARGS(t, TopologyDescription_PlatformVersion, args, .topology = topology);
    NEED_OK(t, CALL(t, TopologyDescription_PlatformVersion, &args));
    CHECK(t, args.platform_version && args.platform_version_size, "no platform version");
}

void rule_client_topologies_list_the_devices(struct rule_context *t)
{
    PJRT_DeviceDescription *const *descriptions;
    size_t count;
    NEED_TOPOLOGY(t, topology);
    NEED_OK(t, list_devices(t, topology, &descriptions, &count));
    ARGS(t, Client_Devices, all, .client = t->client);
    NEED_OK(t, CALL(t, Client_Devices, &all));
    CHECK(t, count == all.num_devices, "%zu descriptions of %zu devices", count, all.num_devices);
    for (size_t i = 0; i < count; i++) {
        ARGS(t, DeviceDescription_Id, id, .device_description = descriptions[i]);
        NEED_OK(t, CALL(t, DeviceDescription_Id, &id));
        ARGS(t, Client_LookupDevice, lookup, .client = t->client, .id = id.id);
        CHECK_OK(t, CALL(t, Client_LookupDevice, &lookup));
    }
}

void rule_client_topologies_have_attributes(struct rule_context *t)
{
    NEED_TOPOLOGY(t, topology);
    ARGS(t, TopologyDescription_Attributes, args, .topology = topology);
    NEED_OK(t, CALL(t, TopologyDescription_Attributes, &args));
    named_values_check(t, args.attributes, args.num_attributes);
    named_values_check_unique(t, args.attributes, args.num_attributes);
}

/* ---- Serialized topologies ------------------------------------------------------------------- */

/* Bytes of a topology, with what deletes them. */
typedef PJRT_TopologyDescription_Serialize_Args serialized;

static struct error *serialize(struct rule_context *t, PJRT_TopologyDescription *topology,
                               serialized *out)
{
    ARGS(t, TopologyDescription_Serialize, args, .topology = topology);
    struct error *error = CALL(t, TopologyDescription_Serialize, &args);
    *out = args;
    return error;
}

static void delete_bytes(const serialized *bytes)
{
    if (bytes->serialized_topology_deleter)
        bytes->serialized_topology_deleter(bytes->serialized_topology);
}

static struct error *read_back(struct rule_context *t, const serialized *bytes, size_t size,
                               PJRT_TopologyDescription **out)
{
    ARGS(t, TopologyDescription_Deserialize, args, .serialized_topology = bytes->serialized_bytes,
         .serialized_topology_size = size);
    struct error *error = CALL(t, TopologyDescription_Deserialize, &args);
    *out = error ? NULL : args.topology;
    return error;
}

void rule_client_topologies_can_be_serialized(struct rule_context *t)
{
    serialized first, second;
    NEED_TOPOLOGY(t, topology);
    NEED_OK(t, serialize(t, topology, &first));
    NEED_OK(t, serialize(t, topology, &second));
    CHECK(t, first.serialized_bytes && first.serialized_bytes_size, "no bytes");
    CHECK(t,
          first.serialized_bytes_size == second.serialized_bytes_size &&
              !memcmp(first.serialized_bytes, second.serialized_bytes, first.serialized_bytes_size),
          "other bytes in the second call");
    CHECK(t, first.serialized_topology_deleter, "no deleter");
    delete_bytes(&first);
    delete_bytes(&second);
}

void rule_client_topologies_can_be_read_back(struct rule_context *t)
{
    serialized bytes;
    PJRT_TopologyDescription *back;
    PJRT_DeviceDescription *const *ours, *const *theirs;
    size_t count, count_back;
    NEED_TOPOLOGY(t, topology);
    NEED_OK(t, serialize(t, topology, &bytes));
    NEED_OK(t, read_back(t, &bytes, bytes.serialized_bytes_size, &back));
    delete_bytes(&bytes);
    NEED_OK(t, list_devices(t, topology, &ours, &count));
    NEED_OK(t, list_devices(t, back, &theirs, &count_back));
    CHECK(t, count == count_back, "%zu devices have become %zu", count, count_back);
    for (size_t i = 0; i < count && i < count_back; i++) {
        ARGS(t, DeviceDescription_Id, id, .device_description = ours[i]);
        ARGS(t, DeviceDescription_Id, id_back, .device_description = theirs[i]);
        NEED_OK(t, CALL(t, DeviceDescription_Id, &id));
        NEED_OK(t, CALL(t, DeviceDescription_Id, &id_back));
        CHECK(t, id.id == id_back.id, "device %d has become %d", id.id, id_back.id);
    }
    DESTROY(t, TopologyDescription, topology, back);
}

void rule_client_damaged_topologies_are_errors(struct rule_context *t)
{
    serialized bytes;
    PJRT_TopologyDescription *back;
    NEED_TOPOLOGY(t, topology);
    NEED_OK(t, serialize(t, topology, &bytes));
    NEED_OK(t, read_back(t, &bytes, bytes.serialized_bytes_size, &back));
    DESTROY(t, TopologyDescription, topology, back);
    for (size_t size = 0; size < bytes.serialized_bytes_size; size++) {
        error_free(read_back(t, &bytes, size, &back));
        if (back)
            DESTROY(t, TopologyDescription, topology, back);
    }
    delete_bytes(&bytes);
}

static struct error *fingerprint(struct rule_context *t, const PJRT_TopologyDescription *topology,
                                 uint64_t *out)
{
    ARGS(t, TopologyDescription_Fingerprint, args, .topology = topology);
    struct error *error = CALL(t, TopologyDescription_Fingerprint, &args);
    *out = args.fingerprint;
    return error;
}

void rule_client_topologies_have_fingerprints(struct rule_context *t)
{
    serialized bytes;
    PJRT_TopologyDescription *back;
    uint64_t first, second, read;
    NEED_TOPOLOGY(t, topology);
    NEED_OK(t, fingerprint(t, topology, &first));
    NEED_OK(t, fingerprint(t, topology, &second));
    CHECK(t, first == second, "another fingerprint in the second call");
    NEED_OK(t, serialize(t, topology, &bytes));
    NEED_OK(t, read_back(t, &bytes, bytes.serialized_bytes_size, &back));
    NEED_OK(t, fingerprint(t, back, &read));
    CHECK(t, first == read, "another fingerprint after reading the topology back");
    DESTROY(t, TopologyDescription, topology, back);
    delete_bytes(&bytes);
}

/* ---- Topologies without a client ------------------------------------------------------------- */

static struct error *create(struct rule_context *t, const char *name,
                            PJRT_TopologyDescription **out)
{
    ARGS(t, TopologyDescription_Create, args, .topology_name = name,
         .topology_name_size = strlen(name));
    struct error *error = CALL(t, TopologyDescription_Create, &args);
    *out = error ? NULL : args.topology;
    return error;
}

void rule_client_topologies_exist_without_clients(struct rule_context *t)
{
    PJRT_TopologyDescription *topology;
    PJRT_DeviceDescription *const *descriptions;
    size_t count;
    NEED_PLUGIN(t);
    NEED_OK(t, create(t, "", &topology));
    ARGS(t, TopologyDescription_PlatformName, name, .topology = topology);
    CHECK_OK(t, CALL(t, TopologyDescription_PlatformName, &name));
    CHECK(t, name.platform_name_size, "no platform name");
    CHECK_OK(t, list_devices(t, topology, &descriptions, &count));
    CHECK(t, count, "no devices");
    DESTROY(t, TopologyDescription, topology, topology);
}

void rule_client_unknown_topologies_are_errors(struct rule_context *t)
{
    PJRT_TopologyDescription *topology;
    NEED_PLUGIN(t);
    CHECK_ERROR(t, create(t, "no such topology:9x9x9x9", &topology));
    if (topology)
        DESTROY(t, TopologyDescription, topology, topology);
}

/* ---- Memories of a topology ------------------------------------------------------------------ */

static bool has_kind(struct rule_context *t, int kind_id)
{
    ARGS(t, Client_AddressableMemories, all, .client = t->client);
    CHECK_OK(t, CALL(t, Client_AddressableMemories, &all));
    for (size_t i = 0; i < all.num_addressable_memories; i++) {
        ARGS(t, Memory_Kind_Id, args, .memory = all.addressable_memories[i]);
        CHECK_OK(t, CALL(t, Memory_Kind_Id, &args));
        if (args.kind_id == kind_id)
            return true;
    }
    return false;
}

void rule_client_topologies_list_kinds_of_memories(struct rule_context *t)
{
    NEED_TOPOLOGY(t, topology);
    ARGS(t, TopologyDescription_GetMemorySpaceKindIds, args, .topology = topology);
    NEED_OK(t, CALL(t, TopologyDescription_GetMemorySpaceKindIds, &args));
    CHECK(t, args.num_memory_space_kind_ids, "no kinds");
    for (size_t i = 0; i < args.num_memory_space_kind_ids; i++) {
        int id = args.memory_space_kind_ids[i];
        CHECK(t, has_kind(t, id), "no memory has kind id %d", id);
        for (size_t k = 0; k < i; k++)
            CHECK(t, args.memory_space_kind_ids[k] != id, "kind id %d is listed twice", id);
    }
}

struct canonical {
    unsigned char bytes[512];
    size_t size;
};

static struct error *canonical_shape(struct rule_context *t,
                                     const PJRT_TopologyDescription *topology, int kind_id,
                                     const int64_t *dims, size_t rank, struct canonical *out)
{
    ARGS(t, TopologyDescription_MakeCanonicalShapeForMemorySpace, args, .topology = topology,
         .memory_space_kind_id = kind_id, .dims = dims, .num_dims = rank,
         .element_type = PJRT_Buffer_Type_F32);
    struct error *error = CALL(t, TopologyDescription_MakeCanonicalShapeForMemorySpace, &args);
    *out = (struct canonical){.size = 0};
    if (error)
        return error;
    bool fits = args.serialized_shape && args.serialized_shape_size <= sizeof out->bytes;
    CHECK(t, fits && args.serialized_shape_size, "a shape of %zu bytes",
          args.serialized_shape_size);
    CHECK(t, args.serialized_shape_deleter, "no deleter");
    out->size = fits ? args.serialized_shape_size : 0;
    memcpy(out->bytes, args.serialized_shape, out->size);
    if (args.serialized_shape_deleter)
        args.serialized_shape_deleter(args.serialized_shape);
    return NULL;
}

static bool same_shape(const struct canonical *a, const struct canonical *b)
{
    return a->size == b->size && !memcmp(a->bytes, b->bytes, a->size);
}

void rule_client_topologies_lay_out_shapes(struct rule_context *t)
{
    static const int64_t dims[] = {3, 5, 3};
    NEED_TOPOLOGY(t, topology);
    ARGS(t, TopologyDescription_GetMemorySpaceKindIds, kinds, .topology = topology);
    NEED_OK(t, CALL(t, TopologyDescription_GetMemorySpaceKindIds, &kinds));
    for (size_t i = 0; i < kinds.num_memory_space_kind_ids; i++) {
        int id = kinds.memory_space_kind_ids[i];
        struct canonical first, second, transposed;
        NEED_OK(t, canonical_shape(t, topology, id, dims, 2, &first));
        NEED_OK(t, canonical_shape(t, topology, id, dims, 2, &second));
        NEED_OK(t, canonical_shape(t, topology, id, dims + 1, 2, &transposed));
        CHECK(t, same_shape(&first, &second), "kind id %d: another shape in the second call", id);
        CHECK(t, !same_shape(&first, &transposed), "kind id %d: one shape for two", id);
    }
}

void rule_client_topologies_lay_out_no_huge_ranks(struct rule_context *t)
{
    static const int64_t dims[] = {-3, 5};
    struct canonical shape;
    NEED_TOPOLOGY(t, topology);
    ARGS(t, TopologyDescription_GetMemorySpaceKindIds, kinds, .topology = topology);
    NEED_OK(t, CALL(t, TopologyDescription_GetMemorySpaceKindIds, &kinds));
    NEED(t, kinds.num_memory_space_kind_ids, "no kinds");
    int id = kinds.memory_space_kind_ids[0];
    CHECK_ERROR(t, canonical_shape(t, topology, id, dims, (size_t)1 << 40, &shape));
    CHECK_ERROR(t, canonical_shape(t, topology, id, dims, 2, &shape));
}
