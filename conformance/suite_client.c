/* suite_client.c: two clients, memories, and the consistency of their properties. */
#include <string.h>

#include "conformance/test_context.h"

/* ---- The client ------------------------------------------------------------------------------ */

static void two_clients(struct test_context *t)
{
    PJRT_Client *other;
    NEED_OK(t, abi_client_create(t->api, NULL, 0, &other));
    CHECK_OK(t, test_context_run_program(t, PROGRAM_add));
    abi_client_destroy(t->api, other);
    CHECK_OK(t, test_context_run_program(t, PROGRAM_add));
}

/* ---- Memories -------------------------------------------------------------------------------- */

static bool lists(PJRT_Memory *const *memories, size_t count, PJRT_Memory *memory)
{
    for (size_t i = 0; i < count; i++)
        if (memories[i] == memory)
            return true;
    return false;
}

static void check_memory(struct test_context *t, PJRT_Memory *memory)
{
    ABI_ARGS(Memory_Kind, kind, .memory = memory);
    CHECK_OK(t, ABI_CALL(t->api, Memory_Kind, &kind));
    CHECK(t, kind.kind_size, "a memory without a kind");
    ABI_ARGS(Memory_Kind_Id, kind_id, .memory = memory);
    CHECK_OK(t, ABI_CALL(t->api, Memory_Kind_Id, &kind_id));
    ABI_ARGS(Memory_Id, id, .memory = memory);
    CHECK_OK(t, ABI_CALL(t->api, Memory_Id, &id));
    ABI_ARGS(Memory_DebugString, debug, .memory = memory);
    CHECK_OK(t, ABI_CALL(t->api, Memory_DebugString, &debug));
    ABI_ARGS(Memory_ToString, text, .memory = memory);
    CHECK_OK(t, ABI_CALL(t->api, Memory_ToString, &text));
    ABI_ARGS(Memory_AddressableByDevices, by, .memory = memory);
    CHECK_OK(t, ABI_CALL(t->api, Memory_AddressableByDevices, &by));
    CHECK(t, by.num_devices, "a memory that no device can use");
    for (size_t i = 0; i < by.num_devices; i++) {
        ABI_ARGS(Device_AddressableMemories, of, .device = by.devices[i]);
        CHECK_OK(t, ABI_CALL(t->api, Device_AddressableMemories, &of));
        CHECK(t, lists(of.memories, of.num_memories, memory), "a device does not know its memory");
    }
}

static void memories(struct test_context *t)
{
    ABI_ARGS(Client_AddressableMemories, all, .client = t->client);
    NEED_OK(t, ABI_CALL(t->api, Client_AddressableMemories, &all));
    NEED(t, all.num_addressable_memories, "no memory");
    for (size_t i = 0; i < all.num_addressable_memories; i++)
        check_memory(t, all.addressable_memories[i]);
    ABI_ARGS(Device_DefaultMemory, home, .device = t->device);
    NEED_OK(t, ABI_CALL(t->api, Device_DefaultMemory, &home));
    CHECK(t, lists(all.addressable_memories, all.num_addressable_memories, home.memory),
          "the default memory is none of the client's");
}

/* Checks relations between the memory statistics of a plugin. */
static void check_stats(struct test_context *t, const PJRT_Device_MemoryStats_Args *stats)
{
    if (stats->bytes_limit_is_set)
        CHECK(t, stats->bytes_limit >= stats->bytes_in_use, "more is in use than the limit allows");
    if (stats->peak_bytes_in_use_is_set)
        CHECK(t, stats->peak_bytes_in_use >= stats->bytes_in_use,
              "more is in use than at the peak");
    if (stats->pool_bytes_is_set)
        CHECK(t, stats->pool_bytes >= stats->bytes_in_use, "the pool is less than what is in use");
    if (stats->peak_pool_bytes_is_set)
        CHECK(t, stats->peak_pool_bytes >= stats->pool_bytes, "the pool is more than at its peak");
    if (stats->peak_bytes_reserved_is_set)
        CHECK(t, stats->peak_bytes_reserved >= stats->bytes_reserved,
              "more is reserved than at the peak");
    if (stats->bytes_reservable_limit_is_set)
        CHECK(t, stats->bytes_reservable_limit >= stats->bytes_reserved,
              "more is reserved than the limit allows");
    if (stats->largest_free_block_bytes_is_set && stats->bytes_limit_is_set)
        CHECK(t, stats->largest_free_block_bytes <= stats->bytes_limit - stats->bytes_in_use,
              "the largest free range is larger than what is free");
}

static void memory_stats(struct test_context *t)
{
    ABI_ARGS(Device_MemoryStats, before, .device = t->device);
    memset(&before.bytes_in_use, 0xa5,
           sizeof before - offsetof(PJRT_Device_MemoryStats_Args, bytes_in_use));
    NEED_SUPPORTED(t, ABI_CALL(t->api, Device_MemoryStats, &before));
    const int64_t dims[] = {1 << 20};
    PJRT_Buffer *buffer;
    NEED_OK(t, test_context_upload(t, DTYPE_F32, 1, dims, &buffer));
    ABI_ARGS(Device_MemoryStats, during, .device = t->device);
    CHECK_OK(t, ABI_CALL(t->api, Device_MemoryStats, &during));
    CHECK(t, during.bytes_in_use - before.bytes_in_use >= 4 << 20, "4 MiB count as %lld bytes",
          (long long)(during.bytes_in_use - before.bytes_in_use));
    check_stats(t, &during);
    abi_buffer_destroy(t->api, buffer);
    ABI_ARGS(Device_MemoryStats, after, .device = t->device);
    CHECK_OK(t, ABI_CALL(t->api, Device_MemoryStats, &after));
    CHECK(t, after.bytes_in_use == before.bytes_in_use, "%lld bytes stay in use",
          (long long)(after.bytes_in_use - before.bytes_in_use));
}

static const struct test_context_case cases[] = {{"two_clients", two_clients, STAGE_CLIENT, 0},
                                                 {"memories", memories, STAGE_CLIENT, 0},
                                                 {"memory_stats", memory_stats, STAGE_CLIENT, 0},
                                                 {0}};
const struct test_context_suite suite_client = {"client", cases};
