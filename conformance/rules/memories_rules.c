/* memories_rules.c: area 7: memory spaces. */
#include <stdatomic.h>
#include <string.h>

#include "conformance/rules/sample_buffers.h"

/* ---- The memories of the client -------------------------------------------------------------- */

static bool list_memories(struct rule_context *t, struct memory_list *out)
{
    ARGS(t, Client_AddressableMemories, args, .client = t->client);
    if (!rule_need_ok(t, "PJRT_Client_AddressableMemories",
                      CALL(t, Client_AddressableMemories, &args)))
        return false;
    *out = (struct memory_list){args.addressable_memories, args.num_addressable_memories};
    return true;
}

/* Declares `list`, the memories of the client. */
#define NEED_MEMORIES(t, list)                                                                     \
    struct memory_list list;                                                                       \
    NEED_CLIENT(t);                                                                                \
    RULE_NEED_(list_memories((t), &(list)))

static size_t times_in(struct memory_list list, PJRT_Memory *memory)
{
    size_t times = 0;
    for (size_t i = 0; i < list.count; i++)
        times += list.all[i] == memory;
    return times;
}

struct words {
    const char *bytes;
    size_t size;
};

static struct words kind_of(struct rule_context *t, PJRT_Memory *memory)
{
    ARGS(t, Memory_Kind, args, .memory = memory);
    CHECK_OK(t, CALL(t, Memory_Kind, &args));
    return (struct words){args.kind, args.kind_size};
}

static bool same_words(struct words a, struct words b)
{
    return a.size == b.size && !memcmp(a.bytes, b.bytes, a.size);
}

static int id_of_memory(struct rule_context *t, PJRT_Memory *memory)
{
    ARGS(t, Memory_Id, args, .memory = memory);
    CHECK_OK(t, CALL(t, Memory_Id, &args));
    return args.id;
}

/* ---- 7.1 Memory spaces of a client ----------------------------------------------------------- */

void rule_memories_exist(struct rule_context *t)
{
    NEED_MEMORIES(t, list);
    CHECK(t, list.count, "no memories");
}

void rule_memories_keep_their_list(struct rule_context *t)
{
    NEED_MEMORIES(t, first);
    NEED_MEMORIES(t, second);
    CHECK(t, first.all == second.all && first.count == second.count, "another array");
    for (size_t i = 0; i < first.count; i++)
        CHECK(t, times_in(first, first.all[i]) == 1, "memory %zu is listed %zu times", i,
              times_in(first, first.all[i]));
}

void rule_memories_have_unique_ids(struct rule_context *t)
{
    NEED_MEMORIES(t, list);
    for (size_t i = 0; i < list.count; i++)
        for (size_t k = 0; k < i; k++) {
            int id = id_of_memory(t, list.all[i]);
            CHECK(t, id != id_of_memory(t, list.all[k]), "memories %zu and %zu both have id %d", k,
                  i, id);
        }
}

void rule_memories_have_kinds(struct rule_context *t)
{
    NEED_MEMORIES(t, list);
    for (size_t i = 0; i < list.count; i++) {
        struct words kind = kind_of(t, list.all[i]), again = kind_of(t, list.all[i]);
        CHECK(t, kind.bytes && kind.size, "memory %zu has no kind", i);
        CHECK(t, kind.bytes == again.bytes, "the kind of memory %zu is elsewhere", i);
    }
}

void rule_memories_have_texts(struct rule_context *t)
{
    NEED_MEMORIES(t, list);
    for (size_t i = 0; i < list.count; i++) {
        ARGS(t, Memory_DebugString, debug, .memory = list.all[i]);
        ARGS(t, Memory_ToString, text, .memory = list.all[i]);
        NEED_OK(t, CALL(t, Memory_DebugString, &debug));
        NEED_OK(t, CALL(t, Memory_ToString, &text));
        CHECK(t, debug.debug_string && debug.debug_string_size, "memory %zu has no debug text", i);
        CHECK(t, text.to_string && text.to_string_size, "memory %zu has no text", i);
        const char *first = text.to_string;
        NEED_OK(t, CALL(t, Memory_ToString, &text));
        CHECK(t, text.to_string == first, "the text of memory %zu is elsewhere", i);
    }
}

static int kind_id_of(struct rule_context *t, PJRT_Memory *memory)
{
    ARGS(t, Memory_Kind_Id, args, .memory = memory);
    CHECK_OK(t, CALL(t, Memory_Kind_Id, &args));
    return args.kind_id;
}

void rule_memories_number_their_kinds(struct rule_context *t)
{
    NEED_MEMORIES(t, list);
    NEED_FUNCTION(t, Memory_Kind_Id);
    for (size_t i = 0; i < list.count; i++)
        for (size_t k = 0; k < i; k++) {
            bool same_kind = same_words(kind_of(t, list.all[i]), kind_of(t, list.all[k])),
                 same_id = kind_id_of(t, list.all[i]) == kind_id_of(t, list.all[k]);
            CHECK(t, same_kind == same_id, "memories %zu and %zu have %s kind and %s kind id", k, i,
                  same_kind ? "one" : "another", same_id ? "one" : "another");
        }
}

void rule_memories_know_their_devices(struct rule_context *t)
{
    NEED_MEMORIES(t, list);
    for (size_t i = 0; i < list.count; i++) {
        ARGS(t, Memory_AddressableByDevices, by, .memory = list.all[i]);
        NEED_OK(t, CALL(t, Memory_AddressableByDevices, &by));
        CHECK(t, by.num_devices, "no device can address memory %zu", i);
        for (size_t k = 0; k < by.num_devices; k++)
            CHECK(t, times_in(memories_of(t, by.devices[k]), list.all[i]) == 1,
                  "device %zu of memory %zu does not list it once", k, i);
    }
}

void rule_memories_belong_to_the_client(struct rule_context *t)
{
    NEED_MEMORIES(t, list);
    ARGS(t, Client_Devices, devices, .client = t->client);
    NEED_OK(t, CALL(t, Client_Devices, &devices));
    for (size_t i = 0; i < list.count; i++) {
        ARGS(t, Memory_AddressableByDevices, by, .memory = list.all[i]);
        NEED_OK(t, CALL(t, Memory_AddressableByDevices, &by));
        for (size_t k = 0, d; k < by.num_devices; k++) {
            for (d = 0; d < devices.num_devices && devices.devices[d] != by.devices[k];)
                d++;
            CHECK(t, d < devices.num_devices, "device %zu of memory %zu is not the client's", k, i);
        }
    }
}

/* ---- 7.2 Memories of a device ---------------------------------------------------------------- */

void rule_memories_are_on_each_device(struct rule_context *t)
{
    NEED_MEMORIES(t, all);
    ARGS(t, Client_AddressableDevices, devices, .client = t->client);
    NEED_OK(t, CALL(t, Client_AddressableDevices, &devices));
    for (size_t d = 0; d < devices.num_addressable_devices; d++) {
        struct memory_list here = memories_of(t, devices.addressable_devices[d]);
        CHECK(t, here.count, "device %zu has no memory", d);
        for (size_t i = 0; i < here.count; i++)
            CHECK(t, times_in(here, here.all[i]) == 1 && times_in(all, here.all[i]) == 1,
                  "memory %zu of device %zu is there %zu times, and in the client's list %zu times",
                  i, d, times_in(here, here.all[i]), times_in(all, here.all[i]));
    }
}

void rule_memories_include_the_default(struct rule_context *t)
{
    NEED_CLIENT(t);
    PJRT_Memory *memory = memory_default(t, t->device);
    CHECK(t, times_in(memories_of(t, t->device), memory) == 1,
          "the default memory is not in the device's list");
    CHECK(t, memory_default(t, t->device) == memory, "another default memory the second time");
}

void rule_memories_are_one_of_each_kind(struct rule_context *t)
{
    NEED_CLIENT(t);
    struct memory_list list = memories_of(t, t->device);
    for (size_t i = 0; i < list.count; i++)
        for (size_t k = 0; k < i; k++) {
            struct words kind = kind_of(t, list.all[i]);
            CHECK(t, !same_words(kind, kind_of(t, list.all[k])), "two memories of kind '%.*s'",
                  (int)kind.size, kind.bytes);
        }
}

void rule_memories_reject_null(struct rule_context *t)
{
    NEED_CLIENT(t);
    ARGS(t, Memory_Id, id, .memory = NULL);
    CHECK_ERROR(t, CALL(t, Memory_Id, &id));
    ARGS(t, Memory_Kind, kind, .memory = NULL);
    CHECK_ERROR(t, CALL(t, Memory_Kind, &kind));
    ARGS(t, Memory_AddressableByDevices, by, .memory = NULL);
    CHECK_ERROR(t, CALL(t, Memory_AddressableByDevices, &by));
}

/* ---- 7.3 Buffers in memories ----------------------------------------------------------------- */

void rule_memories_default_takes_buffers(struct rule_context *t)
{
    NEED_SAMPLE(t, buffer);
    CHECK(t, buffer_memory(t, buffer) == memory_default(t, t->device),
          "the buffer is in another memory");
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_memories_take_buffers(struct rule_context *t)
{
    NEED_CLIENT(t);
    struct memory_list list = memories_of(t, t->device);
    for (size_t i = 0; i < list.count; i++) {
        PJRT_Buffer *buffer;
        NEED_OK(t, sample_upload_to(t, NULL, list.all[i], &buffer));
        CHECK(t, buffer_memory(t, buffer) == list.all[i], "the buffer is not in memory %zu", i);
        sample_check(t, buffer);
        DESTROY(t, Buffer, buffer, buffer);
    }
}

void rule_memories_win_over_devices(struct rule_context *t)
{
    NEED_CLIENT(t);
    struct memory_list list = memories_of(t, t->device);
    for (size_t i = 0; i < list.count; i++) {
        PJRT_Buffer *buffer;
        NEED_OK(t, sample_upload_to(t, t->device, list.all[i], &buffer));
        CHECK(t, buffer_memory(t, buffer) == list.all[i], "the buffer is not in memory %zu", i);
        DESTROY(t, Buffer, buffer, buffer);
    }
}

static struct error *bytes_in_use(struct rule_context *t, int64_t *out)
{
    ARGS(t, Device_MemoryStats, args, .device = t->device);
    *out = 0;
    TRY(CALL(t, Device_MemoryStats, &args));
    *out = args.bytes_in_use;
    return NULL;
}

void rule_memories_count_their_use(struct rule_context *t)
{
    static const float values[1 << 18];
    const int64_t size = (int64_t)sizeof values;
    int64_t before, during, after;
    PJRT_Buffer *buffer;
    NEED_CLIENT(t);
    NEED_OK(t, bytes_in_use(t, &before));
    NEED_OK(t, rule_upload_floats(t, values, sizeof values / sizeof *values, &buffer));
    CHECK_OK(t, buffer_await(t, buffer));
    CHECK_OK(t, bytes_in_use(t, &during));
    CHECK(t, during - before >= size, "%lld bytes count as %lld", (long long)size,
          (long long)(during - before));
    DESTROY(t, Buffer, buffer, buffer);
    CHECK_OK(t, bytes_in_use(t, &after));
    CHECK(t, after == before, "%lld bytes stay in use", (long long)(after - before));
}

void rule_memories_belong_to_one_client(struct rule_context *t)
{
    float values[SAMPLE];
    NEED_CLIENT(t);
    sample_fill(values);
    PJRT_Client_BufferFromHostBuffer_Args args = sample_arguments(t, values);
    ARGS(t, Client_Create, other, );
    struct error *error = CALL(t, Client_Create, &other);
    if (error) {
        rule_skip(t, "no second client: %s", error_message(error, NULL));
        error_free(error);
        return;
    }
    args.client = other.client;
    CHECK_ERROR(t, sample_try(t, &args));
    args.memory = memory_default(t, t->device);
    args.device = NULL;
    CHECK_ERROR(t, sample_try(t, &args));
    DESTROY(t, Client, client, other.client);
}

/* ---- What clients attach --------------------------------------------------------------------- */

static atomic_int destroyed;

static void count_destroyed(void *data)
{
    atomic_fetch_add((atomic_int *)data, 1);
}

static bool check_functions(struct rule_context *t, const PJRT_Memory *memory)
{
    const PJRT_Memory_FunctionTable *functions = memory->vtable;
    bool good = functions && functions->struct_size >= PJRT_Memory_FunctionTable_STRUCT_SIZE &&
                functions->get_user_data && functions->set_user_data;
    CHECK(t, good, "a memory without functions");
    return good;
}

/* Declares `list`, the memories of the client, which have functions. */
#define NEED_MEMORIES_WITH_FUNCTIONS(t, list)                                                      \
    NEED_MEMORIES(t, list);                                                                        \
    for (size_t i_ = 0; i_ < (list).count; i_++)                                                   \
    RULE_NEED_(check_functions((t), (list).all[i_]))

void rule_memories_keep_what_is_attached(struct rule_context *t)
{
    static const char keys[2];
    NEED_MEMORIES_WITH_FUNCTIONS(t, list);
    for (size_t i = 0; i < list.count; i++) {
        const PJRT_Memory_FunctionTable *functions = list.all[i]->vtable;
        CHECK(t, !functions->get_user_data(list.all[i], &keys[0]), "memory %zu has data", i);
        functions->set_user_data(list.all[i], &keys[0], list.all[i], NULL);
        functions->set_user_data(list.all[i], &keys[1], t, NULL);
    }
    for (size_t i = 0; i < list.count; i++) {
        const PJRT_Memory_FunctionTable *functions = list.all[i]->vtable;
        CHECK(t, functions->get_user_data(list.all[i], &keys[0]) == list.all[i],
              "memory %zu has other data under its first key", i);
        CHECK(t, functions->get_user_data(list.all[i], &keys[1]) == t,
              "memory %zu has other data under its second key", i);
    }
}

void rule_memories_destroy_what_is_attached(struct rule_context *t)
{
    static const char key;
    NEED_MEMORIES_WITH_FUNCTIONS(t, list);
    const PJRT_Memory_FunctionTable *functions = list.all[0]->vtable;
    functions->set_user_data(list.all[0], &key, &destroyed, count_destroyed);
    CHECK(t, !atomic_load(&destroyed), "destroyed while it is attached");
    functions->set_user_data(list.all[0], &key, &destroyed, count_destroyed);
    CHECK(t, atomic_load(&destroyed) == 1, "destroyed %d times when it was replaced",
          atomic_load(&destroyed));
    rule_close(t);
    CHECK(t, atomic_load(&destroyed) == 2, "%d of 2 are destroyed with the client",
          atomic_load(&destroyed));
}
