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
