/* devices_rules.c: area 15, sections 1 to 3: buffers and programs on several devices. */
#include <string.h>

#include "conformance/rules/several_devices.h"

/* ---- 15.1 Buffers on several devices --------------------------------------------------------- */

void rule_devices_take_buffers(struct rule_context *t)
{
    NEED_DEVICES(t, list);
    for (int i = 0; i < list.count; i++) {
        PJRT_Buffer *buffer;
        NEED_OK(t, sample_upload_to(t, list.at[i], NULL, &buffer));
        CHECK(t, buffer_device(t, buffer) == list.at[i], "the buffer is not on device %d", i);
        CHECK(t, buffer_memory(t, buffer) == memory_default(t, list.at[i]),
              "the buffer is not in the default memory of device %d", i);
        sample_check(t, buffer);
        DESTROY(t, Buffer, buffer, buffer);
    }
}

void rule_devices_have_memories_of_their_own(struct rule_context *t)
{
    NEED_DEVICES(t, list);
    for (int i = 0; i < list.count; i++) {
        PJRT_Memory *memory = memory_default(t, list.at[i]);
        ARGS(t, Memory_AddressableByDevices, by, .memory = memory);
        NEED_OK(t, CALL(t, Memory_AddressableByDevices, &by));
        CHECK(t, by.num_devices == 1 && by.devices[0] == list.at[i],
              "the default memory of device %d is that of %zu devices", i, by.num_devices);
        for (int k = 0; k < i; k++)
            CHECK(t, memory != memory_default(t, list.at[k]), "devices %d and %d have one memory",
                  k, i);
    }
}

/* Copies between the first device and each other one, there and back. */
static void check_copies(struct rule_context *t,
                         struct error *(*copy)(struct rule_context *t, PJRT_Buffer *buffer,
                                               PJRT_Device *to, PJRT_Buffer **out))
{
    NEED_DEVICES(t, list);
    NEED_SAMPLE(t, buffer);
    for (int i = 1; i < list.count; i++) {
        PJRT_Buffer *there, *back;
        NEED_OK(t, copy(t, buffer, list.at[i], &there));
        NEED_OK(t, copy(t, there, list.at[0], &back));
        CHECK(t, buffer_device(t, there) == list.at[i], "the copy is not on device %d", i);
        CHECK(t, buffer_device(t, back) == list.at[0], "the copy is not on the first device");
        sample_check(t, there);
        sample_check(t, back);
        DESTROY(t, Buffer, buffer, there);
        DESTROY(t, Buffer, buffer, back);
    }
    DESTROY(t, Buffer, buffer, buffer);
}

static struct error *to_memory_of(struct rule_context *t, PJRT_Buffer *buffer, PJRT_Device *to,
                                  PJRT_Buffer **out)
{
    return buffer_copy(t, buffer, memory_default(t, to), out);
}

static struct error *to_device(struct rule_context *t, PJRT_Buffer *buffer, PJRT_Device *to,
                               PJRT_Buffer **out)
{
    ARGS(t, Buffer_CopyToDevice, args, .buffer = buffer, .dst_device = to);
    *out = NULL;
    TRY(CALL(t, Buffer_CopyToDevice, &args));
    *out = args.dst_buffer;
    return NULL;
}

void rule_devices_copy_between_memories(struct rule_context *t)
{
    check_copies(t, to_memory_of);
}

void rule_devices_copy_between_devices(struct rule_context *t)
{
    check_copies(t, to_device);
}

void rule_devices_copy_around(struct rule_context *t)
{
    PJRT_Buffer *next;
    NEED_DEVICES(t, list);
    NEED_SAMPLE(t, buffer);
    for (int i = 1; i <= 3 * list.count; i++) {
        NEED_OK(t, to_memory_of(t, buffer, list.at[i % list.count], &next));
        DESTROY(t, Buffer, buffer, buffer);
        buffer = next;
    }
    sample_check(t, buffer);
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_devices_have_independent_copies(struct rule_context *t)
{
    PJRT_Buffer *copy;
    NEED_DEVICES(t, list);
    NEED_SAMPLE(t, buffer);
    NEED_OK(t, to_memory_of(t, buffer, list.at[1], &copy));
    CHECK_OK(t, buffer_delete(t, buffer));
    CHECK(t, !buffer_is_deleted(t, copy), "the copy is deleted together with its source");
    sample_check(t, copy);
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, Buffer, buffer, copy);
}

/* ---- 15.2 Programs on a chosen device -------------------------------------------------------- */

/* Compiles "twice" for one device. */
static struct error *build_on(struct rule_context *t, int id, PJRT_LoadedExecutable **out)
{
    return build_file(t, "twice.mlirbc", &(struct build){1, 1, &id, false}, out);
}

void rule_devices_follow_assignments(struct rule_context *t)
{
    NEED_DEVICES(t, list);
    for (int i = 0; i < list.count; i++) {
        PJRT_LoadedExecutable *executable;
        PJRT_Buffer *buffer, *result;
        NEED_OK(t, build_on(t, list.ids[i], &executable));
        ARGS(t, LoadedExecutable_AddressableDevices, devices, .executable = executable);
        NEED_OK(t, CALL(t, LoadedExecutable_AddressableDevices, &devices));
        CHECK(t,
              devices.num_addressable_devices == 1 && devices.addressable_devices[0] == list.at[i],
              "the executable is not on device %d", i);
        NEED_OK(t, sample_upload_to(t, list.at[i], NULL, &buffer));
        NEED_OK(t, execute_one(t, executable, buffer, &result));
        CHECK(t, buffer_device(t, result) == list.at[i], "the result is not on device %d", i);
        sample_check_times(t, result, 2);
        DESTROY(t, Buffer, buffer, buffer);
        DESTROY(t, Buffer, buffer, result);
        DESTROY(t, LoadedExecutable, executable, executable);
    }
}

void rule_devices_reject_arguments_elsewhere(struct rule_context *t)
{
    PJRT_LoadedExecutable *executable;
    PJRT_Buffer *buffer;
    NEED_DEVICES(t, list);
    NEED_OK(t, build_on(t, list.ids[1], &executable));
    NEED_OK(t, sample_upload_to(t, list.at[0], NULL, &buffer));
    struct execution execution = {.executable = executable, .inputs = &buffer, .input_count = 1};
    CHECK_ERROR(t, execute_fails(t, &execution));
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_devices_run_portable_programs(struct rule_context *t)
{
    PJRT_LoadedExecutable *executable;
    NEED_DEVICES(t, list);
    NEED_OK(t, build_file(t, "twice.mlirbc", &(struct build){1, 1, NULL, true}, &executable));
    for (int i = 0; i < list.count; i++) {
        PJRT_Buffer *buffer, *result = NULL;
        NEED_OK(t, sample_upload_to(t, list.at[i], NULL, &buffer));
        struct execution execution = {
            .executable = executable, .inputs = &buffer, .input_count = 1, .device = list.at[i]};
        NEED_OK(t, execution_start(t, &execution, &result));
        CHECK(t, buffer_device(t, result) == list.at[i], "the result is not on device %d", i);
        sample_check_times(t, result, 2);
        DESTROY(t, Buffer, buffer, buffer);
        DESTROY(t, Buffer, buffer, result);
    }
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_devices_run_programs_side_by_side(struct rule_context *t)
{
    PJRT_LoadedExecutable *executables[MOST_DEVICES];
    PJRT_Buffer *buffers[MOST_DEVICES], *results[MOST_DEVICES];
    NEED_DEVICES(t, list);
    NEED_OK(t, gang_upload(t, &list, list.count, buffers));
    for (int i = 0; i < list.count; i++)
        NEED_OK(t, build_on(t, list.ids[i], &executables[i]));
    for (int i = 0; i < list.count; i++)
        NEED_OK(t, execute_one(t, executables[i], buffers[i], &results[i]));
    for (int i = 0; i < list.count; i++) {
        sample_check_times(t, results[i], (float)(2 * (i + 1)));
        DESTROY(t, LoadedExecutable, executable, executables[i]);
    }
    gang_destroy(t, buffers, list.count);
    gang_destroy(t, results, list.count);
}

/* ---- 15.3 Replicas --------------------------------------------------------------------------- */

/* Declares "twice" for two replicas on the first devices. */
#define NEED_REPLICAS(t, list, executable)                                                         \
    PJRT_LoadedExecutable *executable;                                                             \
    NEED_DEVICES(t, list);                                                                         \
    NEED_OK(                                                                                       \
        t, build_file(t, "twice.mlirbc", &(struct build){2, 1, (list).ids, false}, &(executable)))

void rule_devices_count_replicas(struct rule_context *t)
{
    NEED_REPLICAS(t, list, loaded);
    devices_check_counts(t, loaded, 2, 1);
    executable_destroy(t, loaded, NULL);
}

/* Runs "twice" on two devices, whose arguments differ. */
static void check_replicas(struct rule_context *t, const struct device_list *list,
                           PJRT_LoadedExecutable *executable)
{
    PJRT_Buffer *buffers[2], *results[2];
    NEED_OK(t, gang_upload(t, list, 2, buffers));
    NEED_OK(t, gang_start(t, &(struct gang){executable, buffers, 2, NULL}, results));
    for (int i = 0; i < 2; i++) {
        CHECK(t, buffer_device(t, results[i]) == list->at[i], "result %d is on another device", i);
        sample_check_times(t, results[i], (float)(2 * (i + 1)));
    }
    gang_destroy(t, buffers, 2);
    gang_destroy(t, results, 2);
}

void rule_devices_run_replicas(struct rule_context *t)
{
    NEED_REPLICAS(t, list, executable);
    for (int i = 0; i < 5; i++)
        check_replicas(t, &list, executable);
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_devices_follow_assignments_of_replicas(struct rule_context *t)
{
    PJRT_LoadedExecutable *executable;
    NEED_DEVICES(t, list);
    struct device_list swapped = {
        .at = {list.at[1], list.at[0]}, .ids = {list.ids[1], list.ids[0]}, .count = 2};
    NEED_OK(t,
            build_file(t, "twice.mlirbc", &(struct build){2, 1, swapped.ids, false}, &executable));
    ARGS(t, LoadedExecutable_AddressableDevices, devices, .executable = executable);
    NEED_OK(t, CALL(t, LoadedExecutable_AddressableDevices, &devices));
    NEED(t, devices.num_addressable_devices == 2, "%zu devices", devices.num_addressable_devices);
    CHECK(t,
          devices.addressable_devices[0] == swapped.at[0] &&
              devices.addressable_devices[1] == swapped.at[1],
          "the devices are not in the order of the assignment");
    check_replicas(t, &swapped, executable);
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_devices_number_replicas(struct rule_context *t)
{
    NEED_REPLICAS(t, list, executable);
    ARGS(t, LoadedExecutable_AddressableDeviceLogicalIds, args, .executable = executable);
    NEED_OK(t, CALL(t, LoadedExecutable_AddressableDeviceLogicalIds, &args));
    NEED(t, args.num_addressable_device_logical_ids == 2, "%zu ids of 2 devices",
         args.num_addressable_device_logical_ids);
    for (int i = 0; i < 2; i++) {
        PJRT_LogicalDeviceIds ids = args.addressable_device_logical_ids[i];
        CHECK(t, ids.replica == i && ids.partition == 0, "device %d is replica %d, partition %d", i,
              ids.replica, ids.partition);
    }
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_devices_give_assignments(struct rule_context *t)
{
    NEED_REPLICAS(t, list, executable);
    ARGS(t, LoadedExecutable_GetDeviceAssignment, first, .executable = executable);
    ARGS(t, LoadedExecutable_GetDeviceAssignment, second, .executable = executable);
    NEED_OK(t, CALL(t, LoadedExecutable_GetDeviceAssignment, &first));
    NEED_OK(t, CALL(t, LoadedExecutable_GetDeviceAssignment, &second));
    NEED(t, first.serialized_bytes && first.serialized_bytes_size, "no bytes");
    NEED(t, first.serialized_device_assignment_deleter, "no deleter");
    CHECK(t,
          first.serialized_bytes_size == second.serialized_bytes_size &&
              !memcmp(first.serialized_bytes, second.serialized_bytes, first.serialized_bytes_size),
          "other bytes the second time");
    first.serialized_device_assignment_deleter(first.serialized_device_assignment);
    second.serialized_device_assignment_deleter(second.serialized_device_assignment);
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_devices_give_events_for_each(struct rule_context *t)
{
    PJRT_Buffer *buffers[2], *results[2];
    PJRT_Event *done[2];
    NEED_REPLICAS(t, list, executable);
    NEED_OK(t, gang_upload(t, &list, 2, buffers));
    NEED_OK(t, gang_start(t, &(struct gang){executable, buffers, 2, done}, results));
    for (int i = 0; i < 2; i++) {
        CHECK(t, done[i], "device %d: no event", i);
        CHECK_OK(t, rule_await(t, done[i]));
    }
    gang_destroy(t, buffers, 2);
    gang_destroy(t, results, 2);
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_devices_know_their_replica(struct rule_context *t)
{
    PJRT_LoadedExecutable *executable;
    PJRT_Buffer *results[2];
    NEED_DEVICES(t, list);
    struct build build = {2, 1, list.ids, false};
    NEED_OK(t, build_file(t, "replica_id.mlirbc", &build, &executable));
    NEED_OK(t, gang_start(t, &(struct gang){executable, NULL, 2, NULL}, results));
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t id = 99;
        CHECK_OK(t, rule_download(t, results[i], &id, sizeof id));
        CHECK(t, id == i, "device %u is replica %u", i, id);
    }
    gang_destroy(t, results, 2);
    DESTROY(t, LoadedExecutable, executable, executable);
}
