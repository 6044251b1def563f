/* program_trial.c: see program_trial.h. */
#include "conformance/program_trial.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/schedule/cost.h"
#include "compiler/analysis/trip_count.h"
#include "compiler/compile.h"
#include "compiler/ir/ir.h"
#include "compiler/ir/sharding.h"

enum {
    MAX_ARGUMENTS = 64,
    MAX_RESULTS = 64,
    MAX_DEVICES = 8,
    MAX_BYTES = 1 << 20,
    MAX_TEMP = 64 << 20,
};
#define MAX_COST 1e8 /* maximum cost of a run in the compiler's units: far below a second */

struct argument {
    enum dtype dtype;
    size_t rank, size;
    int64_t dims[SHAPE_MAX_RANK];
};

/* The parameters of the entry, from parsing the program without the plugin. */
struct entry {
    const void *bytes;
    size_t size;
    bool is_small; /* whether the program is small enough to run */
    int replicas, partitions;
    size_t count;
    struct argument arguments[MAX_ARGUMENTS];
};

static const PJRT_Api *api;
static PJRT_Client *client;
static PJRT_Device *const *devices;

static struct error *list_devices(void)
{
    ABI_ARGS(Client_AddressableDevices, args, .client = client);
    TRY(ABI_CALL(api, Client_AddressableDevices, &args));
    if (args.num_addressable_devices < MAX_DEVICES)
        return ERROR(NOT_FOUND, "the client has %zu devices, not %d", args.num_addressable_devices,
                     MAX_DEVICES);
    devices = args.addressable_devices;
    return NULL;
}

void program_trial_open(void)
{
    static struct abi_plugin plugin;
    char path[1024];
    const char *folder = getenv("GANTRY_LIB");
    if (client)
        return;
    setenv("GANTRY_CPU_DEVICES", "8", 1);
    setenv("GANTRY_TPU_TOPOLOGY", "v5e:2x4", 1); /* with GANTRY_DEVICE=tpu */
    setenv("GANTRY_COLLECTIVE_TIMEOUT", "1", 1);
    snprintf(path, sizeof path, "%s/pjrt_c_api_gantry_plugin.so", folder ? folder : "build/lib");
    struct error *error = abi_load(path, &plugin);
    api = plugin.api;
    if (!error)
        error = abi_client_create(api, NULL, 0, &client);
    if (!error)
        error = list_devices();
    if (error) {
        fprintf(stderr, "%s: %s\n", path, error_message(error, NULL));
        exit(1);
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

/* An HLO module is not text and does not begin with "ML", as bytecode does. */
static const char *format_of(const uint8_t *bytes, size_t size)
{
    bool is_text = true;
    for (size_t i = 0; i < size && i < 64; i++)
        is_text &= bytes[i] == '\n' || (bytes[i] >= ' ' && bytes[i] < 0x7f);
    return is_text || (size > 1 && bytes[0] == 'M' && bytes[1] == 'L') ? "mlir" : "hlo";
}

/* The size of a dimension of a partition's shard. */
static int64_t shard_size(const struct type *type, int dim)
{
    const struct sharding *sharding = type->sharding;
    int64_t shards = 1, size = type->shape.dims[dim];
    if (sharding && sharding->kind == SHARDING_TILED)
        shards = sharding_axes_size(sharding->mesh, sharding->dims[dim].axes);
    return size / shards + (size % shards != 0);
}

static bool read_argument(const struct type *type, struct argument *out)
{
    if (type->kind != TYPE_TENSOR || type->shape.rank > SHAPE_MAX_RANK)
        return false;
    *out = (struct argument){.dtype = type->shape.dtype, .rank = (size_t)type->shape.rank};
    out->size = (size_t)dtype_bytes(out->dtype);
    for (size_t i = 0; i < out->rank; i++) {
        out->dims[i] = shard_size(type, (int)i);
        if (out->dims[i] < 0 || (out->dims[i] && out->size > MAX_BYTES / (size_t)out->dims[i]))
            return false;
        out->size *= (size_t)out->dims[i];
    }
    return true;
}

/* Whether the trip counts of all loops are known, so that a run terminates. */
static bool all_end(const struct module *module)
{
    for (const struct func *func = module->first; func; func = func->next)
        if (func->body && !trip_count_is_known_in(func->body))
            return false;
    return true;
}

static bool has_devices(const struct module *module)
{
    int replicas = module->num_replicas, partitions = module->num_partitions;
    return replicas >= 1 && partitions >= 1 && replicas <= MAX_DEVICES &&
           partitions <= MAX_DEVICES / replicas;
}

/* Options say how many partitions a program has whose form does not. */
static bool has_shardings(const struct func *entry)
{
    bool found = false;
    for (int i = 0; i < entry->body->argument_count; i++)
        found |= entry->body->arguments[i].type->sharding != NULL;
    for (int i = 0; i < entry->result_count; i++)
        found |= entry->result_types[i]->sharding != NULL;
    return found;
}

static void choose_devices(const struct module *module, struct entry *out)
{
    out->replicas = out->partitions = 1;
    if (has_devices(module)) {
        out->replicas = module->num_replicas;
        out->partitions = module->num_partitions;
    }
    if (out->replicas * out->partitions == 1 && has_shardings(module->entry))
        out->partitions = MAX_DEVICES;
}

static struct compile_source source_of(const struct entry *entry)
{
    const char *format = format_of(entry->bytes, entry->size);
    return (struct compile_source){.format = format,
                                   .format_size = strlen(format),
                                   .bytes = entry->bytes,
                                   .size = entry->size};
}

static struct error *read_entry(struct arena *arena, struct entry *entry)
{
    struct module *module;
    struct compile_source source = source_of(entry);
    TRY(compile_source_read(arena, &source, &module));
    const struct block *body = module->entry->body;
    choose_devices(module, entry);
    entry->is_small =
        body->argument_count <= MAX_ARGUMENTS && all_end(module) && cost_of_block(body) <= MAX_COST;
    for (int i = 0; entry->is_small && i < body->argument_count; i++)
        entry->is_small = read_argument(body->arguments[i].type, &entry->arguments[i]);
    entry->count = entry->is_small ? (size_t)body->argument_count : 0;
    return NULL;
}

struct reading {
    struct arena *arena;
    struct entry *entry;
};

static struct error *read_only(struct arena *arena, const struct entry *entry)
{
    struct module *module;
    struct compile_source source = source_of(entry);
    return compile_source_read_functions(arena, &source, &module);
}

static struct error *read_only_in_arena(void *context)
{
    struct reading *reading = context;
    return read_only(reading->arena, reading->entry);
}

static struct error *read_in_arena(void *context)
{
    struct reading *reading = context;
    return read_entry(reading->arena, reading->entry);
}

/* ---- running --------------------------------------------------------------------------------- */

/* Zeros, or ascending bytes: every bit pattern of small types, and unusual ones of larger types. */
static struct error *upload(const struct argument *argument, PJRT_Device *device, int pattern,
                            PJRT_Buffer **out)
{
    char *bytes = calloc(argument->size + 1, 1);
    bool is_bits = dtype_info(argument->dtype)->class == CLASS_PREDICATE;
    for (size_t i = 0; pattern && i < argument->size; i++)
        bytes[i] = (char)(is_bits ? i & 1 : i * 37 + (size_t)pattern);
    struct abi_array array = {argument->dtype, argument->rank, argument->dims, bytes};
    struct error *error = abi_upload(api, client, device, &array, out);
    free(bytes);
    return error;
}

static struct error *read_back(PJRT_Buffer *buffer)
{
    enum dtype dtype;
    const int64_t *dims;
    size_t rank;
    TRY(abi_shape(api, buffer, &dtype, &dims, &rank));
    size_t size = (size_t)dtype_bytes(dtype);
    for (size_t i = 0; i < rank; i++)
        size *= (size_t)dims[i];
    char *bytes = malloc(size + 1);
    struct error *error = abi_download(api, buffer, bytes, size);
    free(bytes);
    return error;
}

/* The buffers of one device. */
struct participant {
    PJRT_Buffer *inputs[MAX_ARGUMENTS], *outputs[MAX_RESULTS];
};

static struct error *execute(PJRT_LoadedExecutable *executable, struct participant *at,
                             size_t device_count, size_t input_count)
{
    PJRT_ExecuteOptions options = {.struct_size = PJRT_ExecuteOptions_STRUCT_SIZE};
    PJRT_Buffer *const *inputs[MAX_DEVICES], **outputs[MAX_DEVICES];
    PJRT_Event *done[MAX_DEVICES] = {0};
    for (size_t i = 0; i < device_count; i++)
        inputs[i] = at[i].inputs, outputs[i] = at[i].outputs;
    ABI_ARGS(LoadedExecutable_Execute, args, .executable = executable, .options = &options,
             .argument_lists = inputs, .num_devices = device_count, .num_args = input_count,
             .output_lists = outputs, .device_complete_events = done);
    TRY(ABI_CALL(api, LoadedExecutable_Execute, &args));
    struct error *first = NULL;
    for (size_t i = 0; i < device_count; i++) {
        struct error *error = abi_await(api, done[i]);
        if (first)
            error_free(error);
        else
            first = error;
    }
    return first;
}

static void destroy_buffers(const struct participant *at)
{
    for (size_t i = 0; i < MAX_ARGUMENTS; i++)
        abi_buffer_destroy(api, at->inputs[i]);
    for (size_t i = 0; i < MAX_RESULTS; i++)
        abi_buffer_destroy(api, at->outputs[i]);
}

/* Whether the program ran. Arguments have the shapes of the shards that the program declares; where
 * propagation shards them further, the execution is an error. */
static bool run_once(PJRT_LoadedExecutable *executable, const struct entry *entry, int pattern)
{
    struct participant all[MAX_DEVICES] = {0};
    size_t device_count = (size_t)(entry->replicas * entry->partitions), count = 0;
    struct error *error = abi_output_count(api, executable, &count);
    for (size_t i = 0; i < device_count; i++)
        for (size_t j = 0; !error && j < entry->count; j++)
            error = upload(&entry->arguments[j], devices[i], pattern, &all[i].inputs[j]);
    if (!error && count <= MAX_RESULTS)
        error = execute(executable, all, device_count, entry->count);
    for (size_t i = 0; i < device_count; i++)
        for (size_t j = 0; !error && j < count && j < MAX_RESULTS; j++)
            error = read_back(all[i].outputs[j]);
    bool ran = !error && count <= MAX_RESULTS;
    error_free(error);
    for (size_t i = 0; i < device_count; i++)
        destroy_buffers(&all[i]);
    return ran;
}

/* Bytes of temporaries and results, or a very large number if the plugin does not report them. */
static int64_t bytes_of(PJRT_LoadedExecutable *executable)
{
    ABI_ARGS(LoadedExecutable_GetExecutable, get, .loaded_executable = executable);
    struct error *error = ABI_CALL(api, LoadedExecutable_GetExecutable, &get);
    ABI_ARGS(Executable_GetCompiledMemoryStats, stats, .executable = get.executable);
    if (!error)
        error = ABI_CALL(api, Executable_GetCompiledMemoryStats, &stats);
    ABI_DESTROY(api, Executable, executable, get.executable);
    int64_t bytes = error ? INT64_MAX : stats.temp_size_in_bytes + stats.output_size_in_bytes;
    error_free(error);
    return bytes;
}

static enum program_stage compile_and_run(const struct entry *entry)
{
    PJRT_LoadedExecutable *executable = NULL;
    /* executable_build_options (3): num_replicas (4), num_partitions (5), use_spmd (6) */
    const char options[] = {0x1a, 6, 0x20, (char)entry->replicas, 0x28, (char)entry->partitions,
                            0x30, 1};
    struct abi_program program = {.code = entry->bytes,
                                  .code_size = entry->size,
                                  .format = format_of(entry->bytes, entry->size),
                                  .options = options,
                                  .options_size = sizeof options};
    struct error *error = abi_compile(api, client, &program, &executable);
    if (error && error_code(error) == PJRT_Error_Code_INTERNAL) {
        fprintf(stderr, "%s\n", error_message(error, NULL));
        __builtin_trap(); /* a pass produced an invalid program */
    }
    error_free(error);
    bool runs = executable && entry->is_small && bytes_of(executable) <= MAX_TEMP, ran = false;
    for (int pattern = 0; runs && pattern < 2; pattern++)
        ran |= run_once(executable, entry, pattern);
    abi_executable_destroy(api, executable);
    return ran ? PROGRAM_EXECUTED : executable ? PROGRAM_COMPILED : PROGRAM_VERIFIED;
}

/* Runs `work` on the entry in an arena of its own; whether there was no error. */
static bool in_arena(struct error *(*work)(void *context), struct entry *entry)
{
    struct reading reading = {.entry = entry};
    struct error *error = arena_create(&reading.arena);
    if (!error)
        error = arena_run(reading.arena, work, &reading);
    arena_destroy(reading.arena);
    bool good = !error;
    error_free(error);
    return good;
}

enum program_stage program_trial(const void *bytes, size_t size)
{
    static struct entry entry;
    entry = (struct entry){.bytes = bytes, .size = size};
    if (!in_arena(read_in_arena, &entry))
        return in_arena(read_only_in_arena, &entry) ? PROGRAM_READ : PROGRAM_REJECTED;
    program_trial_open();
    return compile_and_run(&entry);
}

const PJRT_Api *program_trial_api(PJRT_Client **out)
{
    program_trial_open();
    *out = client;
    return api;
}
