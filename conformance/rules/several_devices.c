/* several_devices.c: clients with several devices. */
#include "conformance/rules/several_devices.h"

#include <stdlib.h>
#include <string.h>

/* ---- A client with several devices ----------------------------------------------------------- */

static size_t addressable_count(struct rule_context *t)
{
    ARGS(t, Client_AddressableDevices, args, .client = t->client);
    CHECK_OK(t, CALL(t, Client_AddressableDevices, &args));
    return args.num_addressable_devices;
}

/* Creates a client after the process has been told that eight TPU chips are its own. */
static bool reopen_for_tpu(struct rule_context *t)
{
    rule_close(t);
    setenv("TPU_CHIPS_PER_PROCESS_BOUNDS", "2,4,1", 0);
    setenv("TPU_PROCESS_BOUNDS", "1,1,1", 0);
    return rule_open_client(t);
}

static bool has_several(struct rule_context *t)
{
    setenv("CPU_NUM_DEVICES", "8", 0);
    setenv("XLA_FLAGS", "--xla_force_host_platform_device_count=8", 0);
    if (!rule_open_client(t))
        return false;
    if (addressable_count(t) < 2 && !reopen_for_tpu(t))
        return false;
    if (addressable_count(t) < 2) {
        rule_skip(t, "the client has one device");
        return false;
    }
    return true;
}

static int id_of(struct rule_context *t, PJRT_Device *device)
{
    ARGS(t, Device_GetDescription, get, .device = device);
    CHECK_OK(t, CALL(t, Device_GetDescription, &get));
    ARGS(t, DeviceDescription_Id, args, .device_description = get.device_description);
    CHECK_OK(t, CALL(t, DeviceDescription_Id, &args));
    return args.id;
}

bool devices_open(struct rule_context *t, struct device_list *out)
{
    *out = (struct device_list){.count = 0};
    if (!has_several(t))
        return false;
    ARGS(t, Client_AddressableDevices, args, .client = t->client);
    CHECK_OK(t, CALL(t, Client_AddressableDevices, &args));
    for (size_t i = 0; i < args.num_addressable_devices && i < MOST_DEVICES; i++) {
        out->at[i] = args.addressable_devices[i];
        out->ids[i] = id_of(t, out->at[i]);
        out->count++;
    }
    return out->count >= 2;
}

void devices_check_counts(struct rule_context *t, PJRT_LoadedExecutable *loaded, size_t replicas,
                          size_t partitions)
{
    PJRT_Executable *executable = executable_of(t, loaded);
    ARGS(t, Executable_NumReplicas, r, .executable = executable);
    ARGS(t, Executable_NumPartitions, p, .executable = executable);
    ARGS(t, LoadedExecutable_AddressableDevices, devices, .executable = loaded);
    NEED_OK(t, CALL(t, Executable_NumReplicas, &r));
    NEED_OK(t, CALL(t, Executable_NumPartitions, &p));
    NEED_OK(t, CALL(t, LoadedExecutable_AddressableDevices, &devices));
    CHECK(t, r.num_replicas == replicas && p.num_partitions == partitions,
          "%zu replicas, %zu partitions", r.num_replicas, p.num_partitions);
    CHECK(t, devices.num_addressable_devices == 2, "%zu devices", devices.num_addressable_devices);
    DESTROY(t, Executable, executable, executable);
}

/* ---- Executions on all devices --------------------------------------------------------------- */

struct error *gang_start(struct rule_context *t, const struct gang *gang, PJRT_Buffer **outputs)
{
    PJRT_ExecuteOptions options = {.struct_size = FUNCTIONS_SIZE(ExecuteOptions, t->minor)};
    PJRT_Buffer *const *inputs[MOST_DEVICES] = {NULL};
    PJRT_Buffer **lists[MOST_DEVICES];
    for (int i = 0; i < gang->count; i++) {
        inputs[i] = gang->inputs ? &gang->inputs[i] : NULL;
        lists[i] = &outputs[i];
        outputs[i] = NULL;
        if (gang->done)
            gang->done[i] = NULL;
    }
    ARGS(t, LoadedExecutable_Execute, args, .executable = gang->executable, .options = &options,
         .argument_lists = inputs, .num_devices = (size_t)gang->count,
         .num_args = gang->inputs ? 1 : 0, .output_lists = lists,
         .device_complete_events = gang->done);
    return CALL(t, LoadedExecutable_Execute, &args);
}

struct error *gang_upload(struct rule_context *t, const struct device_list *list, int count,
                          PJRT_Buffer **out)
{
    for (int i = 0; i < count; i++) {
        float values[SAMPLE];
        sample_fill(values);
        for (int k = 0; k < SAMPLE; k++)
            values[k] *= (float)(i + 1);
        PJRT_Client_BufferFromHostBuffer_Args args = sample_arguments(t, values);
        args.device = list->at[i];
        TRY(CALL(t, Client_BufferFromHostBuffer, &args));
        out[i] = args.buffer;
        TRY(rule_await(t, args.done_with_host_buffer));
    }
    return NULL;
}

void gang_destroy(struct rule_context *t, PJRT_Buffer *const *buffers, int count)
{
    for (int i = 0; i < count; i++)
        DESTROY(t, Buffer, buffer, buffers[i]);
}
