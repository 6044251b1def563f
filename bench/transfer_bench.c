/* transfer_bench.c: measures copies between the host and a device against memcpy between warm pages
 * of the same process: transfer_bench [PLUGIN]. Prints, for each copy, the median wall time and
 * process CPU time over interleaved rounds, and both relative to the speed of memcpy. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "conformance/test_context.h"

enum { ROUNDS = 31, SMALL_CALLS = 2000, ROWS = 4096, COLUMNS = 4096, BYTES = 4 * ROWS * COLUMNS };

struct bench {
    struct test_context *t;
    float *host, *other; /* BYTES each */
    PJRT_Buffer *large, *small;
    PJRT_Memory *pinned;
};

static const int64_t dims[] = {ROWS, COLUMNS}, small_dims[] = {4};

/* ---- The measured calls ---------------------------------------------------------------------- */
static struct error *plain(struct bench *bench)
{
    memcpy(bench->other, bench->host, BYTES);
    return NULL;
}

static struct error *put(struct bench *bench, const int64_t *shape, size_t rank,
                         const int64_t *strides, PJRT_HostBufferSemantics semantics)
{
    const PJRT_Api *api = bench->t->api;
    ABI_ARGS(Client_BufferFromHostBuffer, args, .client = bench->t->client, .data = bench->host,
             .type = PJRT_Buffer_Type_F32, .dims = shape, .num_dims = rank, .byte_strides = strides,
             .num_byte_strides = strides ? rank : 0, .host_buffer_semantics = semantics,
             .device = bench->t->device);
    TRY(ABI_CALL(api, Client_BufferFromHostBuffer, &args));
    ABI_ARGS(Buffer_ReadyEvent, ready, .buffer = args.buffer);
    struct error *error = ABI_CALL(api, Buffer_ReadyEvent, &ready);
    if (!error)
        error = abi_await(api, ready.event);
    abi_buffer_destroy(api, args.buffer);
    return error_join(error, abi_await(api, args.done_with_host_buffer));
}

static struct error *to_device(struct bench *bench)
{
    return put(bench, dims, 2, NULL, PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes);
}

static struct error *to_device_during_call(struct bench *bench)
{
    return put(bench, dims, 2, NULL, PJRT_HostBufferSemantics_kImmutableOnlyDuringCall);
}

static struct error *to_device_transposed(struct bench *bench)
{
    const int64_t strides[] = {4, 4 * ROWS};
    return put(bench, dims, 2, strides, PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes);
}

/* Rows from last to first. */
static struct error *to_device_strided(struct bench *bench)
{
    const int64_t strides[] = {-4 * COLUMNS, 4};
    struct bench from_last = *bench;
    from_last.host += (size_t)(ROWS - 1) * COLUMNS;
    return put(&from_last, dims, 2, strides,
               PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes);
}

static struct error *in_pieces(struct bench *bench)
{
    const PJRT_Api *api = bench->t->api;
    PJRT_ShapeSpec spec = {.struct_size = PJRT_ShapeSpec_STRUCT_SIZE,
                           .dims = dims,
                           .num_dims = 2,
                           .element_type = PJRT_Buffer_Type_F32};
    ABI_ARGS(Device_DefaultMemory, home, .device = bench->t->device);
    TRY(ABI_CALL(api, Device_DefaultMemory, &home));
    ABI_ARGS(Client_CreateBuffersForAsyncHostToDevice, make, .client = bench->t->client,
             .shape_specs = &spec, .num_shape_specs = 1, .memory = home.memory);
    TRY(ABI_CALL(api, Client_CreateBuffersForAsyncHostToDevice, &make));
    ABI_ARGS(AsyncHostToDeviceTransferManager_RetrieveBuffer, get,
             .transfer_manager = make.transfer_manager);
    struct error *error = ABI_CALL(api, AsyncHostToDeviceTransferManager_RetrieveBuffer, &get);
    for (int64_t i = 0; i < 4 && !error; i++) {
        ABI_ARGS(AsyncHostToDeviceTransferManager_TransferData, send,
                 .transfer_manager = make.transfer_manager,
                 .data = (char *)bench->host + i * (BYTES / 4), .offset = i * (BYTES / 4),
                 .transfer_size = BYTES / 4, .is_last_transfer = i == 3);
        error = ABI_CALL(api, AsyncHostToDeviceTransferManager_TransferData, &send);
        if (!error)
            error = abi_await(api, send.done_with_h2d_transfer);
    }
    if (get.buffer_out)
        abi_buffer_destroy(api, get.buffer_out);
    ABI_DESTROY(api, AsyncHostToDeviceTransferManager, transfer_manager, make.transfer_manager);
    return error;
}

static struct error *to_host(struct bench *bench)
{
    return abi_download(bench->t->api, bench->large, bench->other, BYTES);
}

static struct error *to_host_transposed(struct bench *bench)
{
    static const int64_t column_major[] = {0, 1};
    PJRT_Buffer_MemoryLayout layout = {
        .struct_size = PJRT_Buffer_MemoryLayout_STRUCT_SIZE,
        .tiled = {.struct_size = PJRT_Buffer_MemoryLayout_Tiled_STRUCT_SIZE,
                  .minor_to_major = column_major,
                  .minor_to_major_size = 2},
        .type = PJRT_Buffer_MemoryLayout_Type_Tiled};
    ABI_ARGS(Buffer_ToHostBuffer, args, .src = bench->large, .host_layout = &layout,
             .dst = bench->other, .dst_size = BYTES);
    TRY(ABI_CALL(bench->t->api, Buffer_ToHostBuffer, &args));
    return abi_await(bench->t->api, args.event);
}

static struct error *to_pinned(struct bench *bench)
{
    const PJRT_Api *api = bench->t->api;
    ABI_ARGS(Buffer_CopyToMemory, args, .buffer = bench->large, .dst_memory = bench->pinned);
    TRY(ABI_CALL(api, Buffer_CopyToMemory, &args));
    ABI_ARGS(Buffer_ReadyEvent, ready, .buffer = args.dst_buffer);
    struct error *error = ABI_CALL(api, Buffer_ReadyEvent, &ready);
    if (!error)
        error = abi_await(api, ready.event);
    abi_buffer_destroy(api, args.dst_buffer);
    return error;
}

static struct error *small_to_device(struct bench *bench)
{
    return put(bench, small_dims, 1, NULL, PJRT_HostBufferSemantics_kImmutableOnlyDuringCall);
}

static struct error *small_to_host(struct bench *bench)
{
    return abi_download(bench->t->api, bench->small, bench->other, 16);
}

static struct error *small_to_pinned(struct bench *bench)
{
    struct bench small = *bench;
    small.large = bench->small;
    return to_pinned(&small);
}

/* ---- Measuring ------------------------------------------------------------------------------- */
static double now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

struct row {
    const char *name;
    struct error *(*call)(struct bench *bench);
    double wall[ROUNDS], cpu[ROUNDS]; /* milliseconds */
};

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double median(double *values)
{
    qsort(values, ROUNDS, sizeof *values, by_value);
    return values[ROUNDS / 2];
}

static struct error *measure(struct bench *bench, struct row *rows, int count, int calls)
{
    for (int round = -2; round < ROUNDS; round++) /* two warm-up rounds */
        for (int i = 0; i < count; i++) {
            double wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
            for (int k = 0; k < calls; k++)
                TRY(rows[i].call(bench));
            rows[i].cpu[round < 0 ? 0 : round] = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
            rows[i].wall[round < 0 ? 0 : round] = now(CLOCK_MONOTONIC) - wall;
        }
    return NULL;
}

static struct error *measure_large(struct bench *bench)
{
    static struct row rows[] = {
        {.name = "memcpy", .call = plain},
        {.name = "to the device", .call = to_device},
        {.name = "to the device, during the call", .call = to_device_during_call},
        {.name = "to the device, in 4 pieces", .call = in_pieces},
        {.name = "to the host", .call = to_host},
        {.name = "to pinned_host", .call = to_pinned},
        {.name = "to the device, rows from last to first", .call = to_device_strided},
        {.name = "to the device, transposed", .call = to_device_transposed},
        {.name = "to the host, transposed", .call = to_host_transposed}};
    enum { COUNT = sizeof rows / sizeof *rows };
    TRY(measure(bench, rows, COUNT, 1));
    double wall = median(rows[0].wall), cpu = median(rows[0].cpu);
    printf("%-44s %9s %9s   of memcpy's speed\n", "64 MB, milliseconds", "wall", "CPU");
    for (int i = 0; i < COUNT; i++) {
        double this_wall = median(rows[i].wall), this_cpu = median(rows[i].cpu);
        printf("%-44s %9.2f %9.2f   %3.0f %% wall, %3.0f %% CPU\n", rows[i].name, this_wall,
               this_cpu, 100 * wall / this_wall, 100 * cpu / this_cpu);
    }
    return NULL;
}

static struct error *measure_small(struct bench *bench)
{
    static struct row rows[] = {
        {.name = "to the device, await, destroy", .call = small_to_device},
        {.name = "to the host, await", .call = small_to_host},
        {.name = "to pinned_host, await, destroy", .call = small_to_pinned}};
    enum { COUNT = sizeof rows / sizeof *rows };
    TRY(measure(bench, rows, COUNT, SMALL_CALLS));
    printf("%-44s %9s %9s\n", "16 bytes, microseconds", "wall", "CPU");
    for (int i = 0; i < COUNT; i++)
        printf("%-44s %9.2f %9.2f\n", rows[i].name, median(rows[i].wall) * 1e3 / SMALL_CALLS,
               median(rows[i].cpu) * 1e3 / SMALL_CALLS);
    return NULL;
}

static struct error *run(struct bench *bench)
{
    ABI_ARGS(Device_AddressableMemories, memories, .device = bench->t->device);
    TRY(ABI_CALL(bench->t->api, Device_AddressableMemories, &memories));
    bench->pinned = memories.memories[memories.num_memories > 1];
    struct abi_array large = {DTYPE_F32, 2, dims, bench->host};
    TRY(abi_upload(bench->t->api, bench->t->client, bench->t->device, &large, &bench->large));
    TRY(test_context_upload(bench->t, DTYPE_F32, 1, small_dims, &bench->small));
    TRY(measure_large(bench));
    TRY(measure_small(bench));
    abi_buffer_destroy(bench->t->api, bench->large);
    abi_buffer_destroy(bench->t->api, bench->small);
    return NULL;
}

int main(int argc, char **argv)
{
    const char *folder = getenv("GANTRY_LIB");
    char path[4096];
    snprintf(path, sizeof path, "%s/pjrt_c_api_gantry_plugin.so", folder ? folder : "build/lib");
    struct test_context t = {.path = argc > 1 ? argv[1] : path, .programs = "conformance/programs"};
    struct bench bench = {
        .t = &t, .host = aligned_alloc(1 << 21, BYTES), .other = aligned_alloc(1 << 21, BYTES)};
    if (!bench.host || !bench.other)
        return 1;
    memset(bench.host, 1, BYTES);
    memset(bench.other, 2, BYTES);
    if (test_context_open(&t, STAGE_CLIENT))
        test_context_expect_ok(&t, __FILE__, __LINE__, run(&bench));
    test_context_close(&t);
    free(bench.host);
    free(bench.other);
    return atomic_load(&t.failures) > 0;
}
