#include "runtime/client.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "base/text.h"
#include "base/watchdog.h"
#include "devices/host/net/network.h"
#include "runtime/cross_host.h"
#include "runtime/event.h"
#include "runtime/execute_queue.h"
#include "runtime/gang.h"
#include "runtime/topology_exchange.h"
#include "version.h"

enum { MAX_DEVICES = 1 << 20 /* of all processes */ };

/* ---- attributes in the ABI's form ---- */
static void named_value(const struct attribute *from, PJRT_NamedValue *to)
{
    *to = (PJRT_NamedValue){.struct_size = PJRT_NamedValue_STRUCT_SIZE,
                            .name = from->name,
                            .name_size = strlen(from->name),
                            .value_size = 1};
    switch (from->kind) {
    case ATTRIBUTE_STRING:
        to->type = PJRT_NamedValue_kString;
        to->string_value = from->string;
        to->value_size = strlen(from->string);
        break;
    case ATTRIBUTE_INT:
        to->type = PJRT_NamedValue_kInt64;
        to->int64_value = from->integer;
        break;
    case ATTRIBUTE_INTS:
        to->type = PJRT_NamedValue_kInt64List;
        to->int64_array_value = from->integers;
        to->value_size = (size_t)from->count;
        break;
    case ATTRIBUTE_REAL:
        to->type = PJRT_NamedValue_kFloat;
        to->float_value = (float)from->real;
        break;
    case ATTRIBUTE_BOOL:
        to->type = PJRT_NamedValue_kBool;
        to->bool_value = from->integer != 0;
        break;
    }
}

static struct error *attributes_create(const struct device *device, PJRT_NamedValue **out)
{
    TRY(alloc_array((size_t)device->attribute_count, sizeof **out, out));
    for (int i = 0; i < device->attribute_count; i++)
        named_value(&device->attributes[i], &(*out)[i]);
    return NULL;
}

/* ---- devices and memories ---- */
static struct user_data *user_data_of(PJRT_Memory *memory)
{
    return &((struct client_memory *)memory)->user_data;
}

static void *get_user_data(PJRT_Memory *memory, const void *key)
{
    return user_data_get(user_data_of(memory), key);
}

static void set_user_data(PJRT_Memory *memory, const void *key, void *data, void (*dtor)(void *))
{
    user_data_set(user_data_of(memory), key, data, dtor);
}

static const PJRT_Memory_FunctionTable memory_functions = {
    .struct_size = PJRT_Memory_FunctionTable_STRUCT_SIZE,
    .instance_struct_size = PJRT_Memory_STRUCT_SIZE,
    .get_user_data = get_user_data,
    .set_user_data = set_user_data,
};

static struct error *memory_init(struct client *client, struct client_device *device, int index,
                                 int id)
{
    struct client_memory *memory = &device->memories[index];
    struct text text = {0};
    char *words;
    memory->base.vtable = &memory_functions;
    memory->client = client;
    memory->device = device;
    memory->space = device->device->spaces[index];
    memory->kind = space_kind(memory->space);
    memory->id = id;
    memory->kind_id = (int)memory->kind;
    device->memory_list[index] = memory;
    text_add(&text, "%s of %s", memory_kind_name(memory->kind), device->device->text);
    TRY(text_finish(&text, &words, NULL));
    memory->text = words;
    text_add(&text, "%s memory %d of %s", memory_kind_name(memory->kind), id, device->device->text);
    TRY(text_finish(&text, &words, NULL));
    memory->debug_text = words;
    return NULL;
}

static struct error *device_init(struct client *client, struct device *device,
                                 struct client_device **out)
{
    TRY(alloc_zeroed(sizeof **out, out));
    struct client_device *made = *out;
    made->client = client;
    made->device = device;
    TRY(attributes_create(device, &made->attributes));
    if (client->network && device->process_index != client->process_index)
        return NULL;
    for (int i = 0; i < device->space_count; i++) {
        TRY(memory_init(client, made, i, client->memory_count));
        client->memories[client->memory_count++] = &made->memories[i];
        made->memory_count++;
    }
    return execute_queue_create(device->placement.node, &made->queue);
}

static void device_destroy(struct client_device *device)
{
    if (!device)
        return;
    if (device->queue)
        execute_queue_destroy(device->queue);
    for (int i = 0; i < 3; i++) {
        user_data_clear(&device->memories[i].user_data);
        alloc_free((char *)device->memories[i].text);
        alloc_free((char *)device->memories[i].debug_text);
    }
    alloc_free(device->attributes);
    alloc_free(device);
}

/* All devices of a client have memories of the same kinds. */
static void list_kinds(struct client *client)
{
    const struct client_device *device = client->local_count ? client->local_devices[0] : NULL;
    for (int i = 0; device && i < device->memory_count; i++)
        client->kind_ids[client->kind_count++] = device->memories[i].kind_id;
}

/* Takes ownership of the devices one by one. On failure, destroys the remaining ones. */
static struct error *devices_init(struct client *client, int count, struct device **devices)
{
    struct error *error = alloc_array((size_t)count, sizeof *client->devices, &client->devices);
    if (!error)
        error = alloc_array((size_t)count * 3, sizeof *client->memories, &client->memories);
    for (int i = 0; i < count; i++) {
        if (!error)
            error = device_init(client, devices[i], &client->devices[i]);
        if (client->devices && client->devices[i])
            client->device_count = i + 1;
        else
            devices[i]->ops->destroy(devices[i]);
    }
    for (int i = client->device_count - 1; i >= 0; i--) {
        if (!client_device_is_local(client->devices[i]))
            continue;
        client->local_devices = &client->devices[i];
        client->local_count++;
    }
    list_kinds(client);
    client->topology = (struct topology){.library = client->library,
                                         .device_count = client->device_count,
                                         .devices = client->devices,
                                         .client = client};
    return error;
}

/* ---- the client ---- */
/* From the first client on, a thread may be running our code, so the libraries stay loaded. */
static void stay_loaded(const void *address)
{
    Dl_info info;
    if (dladdr(address, &info) && info.dli_fname)
        dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

static void client_destroy(struct client *client)
{
    for (int i = 0; i < client->device_count; i++) {
        struct device *device = client->devices[i]->device;
        device_destroy(client->devices[i]);
        device->ops->destroy(device);
    }
    alloc_free(client->devices);
    alloc_free(client->memories);
    alloc_free((char *)client->platform_name);
    mapped_destroy(&client->mapped);
    gangs_destroy(client->gangs);
    cross_host_destroy(client->cross_host);
    network_destroy(client->network);
    alloc_free(client);
}

/* The devices of this process and descriptions of the others', in the order of processes. */
static struct error *create_in_job(const struct client *client,
                                   const struct device_options *options,
                                   const struct topology_job *job, int *count,
                                   struct device ***devices)
{
    struct device_options of_process = *options;
    size_t total = 0;
    for (int i = 0; i < job->count; i++)
        total += (size_t)job->processes[i].devices;
    if (total > MAX_DEVICES)
        return ERROR(INVALID_ARGUMENT, "the job has %zu devices; at most %d are supported", total,
                     MAX_DEVICES);
    TRY(alloc_array(total, sizeof **devices, devices));
    for (int i = 0; i < job->count; i++) {
        struct device **made;
        int made_count;
        of_process.device_count = job->processes[i].devices;
        of_process.first_id = *count;
        of_process.process_index = i;
        of_process.process_count = job->count;
        of_process.is_described = i != client->process_index;
        TRY(client->library->create(&of_process, &made_count, &made));
        memcpy(*devices + *count, made, (size_t)made_count * sizeof *made);
        alloc_free(made);
        *count += made_count;
    }
    return NULL;
}

static struct error *start_network(const struct client *client, const struct topology_job *job)
{
    struct network_node *nodes;
    const struct topology_process *here = &job->processes[client->process_index];
    TRY(alloc_array((size_t)job->count, sizeof *nodes, &nodes));
    for (int i = 0; i < job->count; i++) {
        const struct topology_process *process = &job->processes[i];
        nodes[i] = (struct network_node){.host = process->host,
                                         .address = process->address,
                                         .address_size = process->address_size,
                                         .is_near = !strcmp(process->boot, here->boot)};
    }
    struct error *error = network_start(client->network, job->token, nodes);
    alloc_free(nodes);
    return error;
}

/* Finds the other processes. `self` and `found` are the caller's to free, whatever is returned. */
static struct error *find_processes(struct client *client, const struct device_options *options,
                                    const struct client_job *job, struct topology_process *self,
                                    struct topology_job *found)
{
    if (!client->library->has_processes)
        return ERROR(UNIMPLEMENTED,
                     "num_nodes is %d: clients of several processes are unsupported by the device "
                     "'%s'",
                     job->in.count, client->library->name);
    TRY(network_create(job->in.process, job->in.count, &client->network));
    TRY(cross_host_create(client, &client->cross_host));
    TRY(topology_process_describe(self));
    self->devices = job->in.devices             ? job->in.devices
                    : options->device_count > 0 ? options->device_count
                                                : 1;
    TRY(network_address(client->network, &self->address, &self->address_size));
    TRY(topology_exchange(job->store, client->platform_name, job->in.process, job->in.count, self,
                          found));
    return start_network(client, found);
}

static struct error *create_devices(struct client *client, const struct device_options *options,
                                    const struct client_job *job, int *count,
                                    struct device ***devices)
{
    struct topology_process self = {0};
    struct topology_job found = {0};
    if (!job || job->in.count <= 1)
        return client->library->create(options, count, devices);
    client->process_index = job->in.process;
    client->process_count = job->in.count;
    struct error *error = find_processes(client, options, job, &self, &found);
    if (!error)
        error = create_in_job(client, options, &found, count, devices);
    for (int i = 0; error && i < *count; i++)
        (*devices)[i]->ops->destroy((*devices)[i]);
    topology_process_free(&self);
    topology_job_free(&found);
    return error;
}

static struct error *client_fill(struct client *client, const struct device_options *options,
                                 const struct client_job *job)
{
    const char *name =
        options->platform_name ? options->platform_name : client->library->platform_name;
    struct device **devices = NULL;
    int count = 0;
    TRY(alloc_copy(name, strlen(name), &client->platform_name));
    memcpy(client->memory_limit, options->memory_limit, sizeof client->memory_limit);
    struct error *error = create_devices(client, options, job, &count, &devices);
    if (!error)
        error = devices_init(client, count, devices);
    alloc_free(devices);
    if (error)
        return error;
    const struct device *first = client->devices[0]->device;
    client->platform_version = first->version ? first->version : client_platform_version();
    client->topology_name = first->topology;
    return NULL;
}

/* As client_memory_bytes(), of an array that needs `bytes` on the host. */
static uint64_t counted_bytes(const struct client_memory *memory, const struct shape *shape,
                              uint64_t bytes)
{
    const struct device *device = memory->device->device;
    return memory->kind == MEMORY_DEVICE && device->ops->array_bytes
               ? device->ops->array_bytes(device, shape)
               : bytes;
}

uint64_t client_memory_bytes(const struct client_memory *memory, const struct shape *shape)
{
    return counted_bytes(memory, shape, (uint64_t)shape_bytes(shape));
}

struct error *client_memory_alloc(const struct client_memory *memory, const struct shape *shape,
                                  uint64_t bytes, const struct label *label, struct storage **out)
{
    return space_alloc_counted(memory->space, bytes, counted_bytes(memory, shape, bytes), label,
                               out);
}

struct error *client_memory_reserve(const struct client_memory *memory, const struct shape *shape,
                                    uint64_t bytes, const struct label *label, struct storage **out)
{
    return space_alloc_deferred(memory->space, bytes, counted_bytes(memory, shape, bytes), label,
                                out);
}

struct error *client_check_local(const struct client_device *device)
{
    return client_device_is_local(device)
               ? NULL
               : ERROR(INVALID_ARGUMENT, "%s is in process %d, not in this one (process %d)",
                       device->device->text, device->device->process_index,
                       device->client->process_index);
}

struct error *client_create(const struct device_library *library,
                            const struct device_options *options, struct client **out)
{
    return client_create_in_job(library, options, NULL, out);
}

struct error *client_create_in_job(const struct device_library *library,
                                   const struct device_options *options,
                                   const struct client_job *job, struct client **out)
{
    static const struct device_options defaults;
    struct client *client;
    *out = NULL;
    TRY(cpu_check());
    stay_loaded((const void *)(uintptr_t)&client_create);
    stay_loaded(library);
    TRY(alloc_zeroed(sizeof *client, &client));
    refs_init(&client->refs);
    mapped_init(&client->mapped);
    client->library = library;
    struct error *error = gangs_create(&client->gangs);
    if (!error)
        error = client_fill(client, options ? options : &defaults, job);
    if (error)
        client_destroy(client);
    else
        *out = client;
    return error;
}

void client_retain(struct client *client)
{
    refs_retain(&client->refs);
}

void client_release(struct client *client)
{
    if (client && refs_release(&client->refs))
        client_destroy(client);
}

void client_close(struct client *client)
{
    bool waited;
    int64_t deadline = clock_now() + CLOCK_SECOND * watchdog_seconds();
    atomic_store(&client->closed, true);
    cross_host_finish(client->cross_host, deadline);
    for (int i = 0; i < client->local_count; i++)
        execute_queue_stop(client->local_devices[i]->queue, NULL);
    gangs_cancel(client->gangs, NULL);
    event_cancel_promises(client, "the client was destroyed before the contents were there");
    do { /* the last job of one device may have unblocked another device's */
        waited = false;
        for (int i = 0; i < client->local_count; i++)
            waited |= execute_queue_finish(client->local_devices[i]->queue, deadline);
    } while (waited);
    cross_host_finish(client->cross_host, deadline);
    for (int i = 0; i < client->memory_count; i++)
        user_data_clear(&client->memories[i]->user_data);
    client_release(client);
}

static struct error *no_device(const struct client *client, const char *what, int id)
{
    const struct client_device *first = client->devices[0],
                               *last = client->devices[client->device_count - 1];
    if (client->device_count == 1)
        return ERROR(INVALID_ARGUMENT,
                     "no device has %s %d: the only one has id %d and hardware number %d", what, id,
                     first->device->id, first->device->local_ordinal);
    return ERROR(
        INVALID_ARGUMENT,
        "no device has %s %d: the %d devices have ids %d to %d and hardware numbers %d to %d", what,
        id, client->device_count, first->device->id, last->device->id, first->device->local_ordinal,
        last->device->local_ordinal);
}

struct error *client_lookup_device(struct client *client, int id, struct client_device **out)
{
    *out = NULL;
    for (int i = 0; i < client->device_count && !*out; i++)
        if (client->devices[i]->device->id == id)
            *out = client->devices[i];
    return *out ? NULL : no_device(client, "id", id);
}

struct error *client_lookup_local_device(struct client *client, int local_ordinal,
                                         struct client_device **out)
{
    *out = NULL;
    for (int i = 0; i < client->local_count && !*out; i++)
        if (client->local_devices[i]->device->local_ordinal == local_ordinal)
            *out = client->local_devices[i];
    return *out ? NULL : no_device(client, "hardware number", local_ordinal);
}

struct error *client_default_assignment(struct client *client, int replicas, int partitions,
                                        size_t capacity, int *ids)
{
    int64_t count = (int64_t)replicas * partitions;
    if (replicas < 1 || partitions < 1 || count > client->device_count || (size_t)count > capacity)
        return ERROR(
            INVALID_ARGUMENT,
            "num_replicas %d and num_partitions %d: the client has %d devices, and the output "
            "array has %zu elements",
            replicas, partitions, client->device_count, capacity);
    struct client_device **from =
        count <= client->local_count ? client->local_devices : client->devices;
    for (int i = 0; i < count; i++)
        ids[i] = from[i]->device->id;
    return NULL;
}

/* ---- topologies ---- */
struct error *client_create_topology(const struct device_library *library,
                                     const struct device_options *options, struct topology **out)
{
    struct client *client;
    struct device_options described = options ? *options : (struct device_options){0};
    *out = NULL;
    described.is_described = true;
    TRY(client_create(library, &described, &client));
    client->topology.is_standalone = true;
    *out = &client->topology;
    return NULL;
}

struct error *client_destroy_topology(struct topology *topology)
{
    if (!topology->is_standalone)
        return ERROR(INVALID_ARGUMENT, "the topology belongs to a client and is destroyed with it");
    client_release(topology->client);
    return NULL;
}

/* ---- version ---- */
static char version_text[160];

static void version_make(void)
{
    snprintf(version_text, sizeof version_text, "gantry %s build %s llvm %s cpu %016" PRIx64,
             GANTRY_VERSION, GANTRY_BUILD_ID, GANTRY_LLVM_VERSION, cpu_feature_digest());
}

const char *client_platform_version(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, version_make);
    return version_text;
}
