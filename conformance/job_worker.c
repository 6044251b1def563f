/* job_worker.c: one process of a job, for tests and measurements of several processes:
 *
 *   job_worker PLUGIN FOLDER PROCESS PROCESSES run SEED COUNT     collectives of any kind and size
 *   job_worker PLUGIN FOLDER PROCESS PROCESSES time KIND BYTES COUNT
 *
 * FOLDER is the job's key-value store (file_store.h). `run` executes COUNT programs, the same in
 * all processes, and checks every result; after an error it executes a program on its own device.
 * `time` executes one program COUNT times. It prints a line for each event:
 *
 *   ready DEVICES           the client exists
 *   at N                    N programs were executed (run), about every 0.1 s
 *   error SECONDS CODE TEXT an execution failed, so long after it began
 *   local                   a program on the process's own device ran
 *   time MEDIAN LEAST MEAN  microseconds of an execution
 *   done                    the last line of a process that ends as it should */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "conformance/file_store.h"
#include "tools/abi.h"

enum { MAX_DEVICES = 64, MAX_ELEMENTS = 1 << 24, TEXT = 4096, REPORT_MS = 100 };

enum kind { ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, PERMUTE, KINDS };
static const char *const kind_names[] = {"all_reduce", "all_gather", "reduce_scatter", "all_to_all",
                                         "permute"};

static const PJRT_Api *api;
static struct job {
    const char *folder;
    int process, processes;
    PJRT_Client *client;
    PJRT_Device *const *local;
    int local_count, count, first; /* devices: here, of all processes, the first one here */
} job;

struct task { /* a program of one collective */
    enum kind kind;
    int64_t elements, results; /* of a device's operand and result; f32 */
    PJRT_LoadedExecutable *executable;
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- the client ------------------------------------------------------------------------------ */
static PJRT_NamedValue number(const char *name, int64_t value)
{
    return (PJRT_NamedValue){.struct_size = PJRT_NamedValue_STRUCT_SIZE,
                             .name = name,
                             .name_size = strlen(name),
                             .type = PJRT_NamedValue_kInt64,
                             .int64_value = value,
                             .value_size = 1};
}

static struct error *join(void)
{
    PJRT_NamedValue options[] = {number("node_id", job.process),
                                 number("num_nodes", job.processes)};
    ABI_ARGS(Client_Create, args, .create_options = options, .num_options = 2);
    file_store_use(job.folder, &args);
    TRY(ABI_CALL(api, Client_Create, &args));
    job.client = args.client;
    ABI_ARGS(Client_AddressableDevices, local, .client = job.client);
    TRY(ABI_CALL(api, Client_AddressableDevices, &local));
    ABI_ARGS(Client_Devices, all, .client = job.client);
    TRY(ABI_CALL(api, Client_Devices, &all));
    job.local = local.addressable_devices;
    job.local_count = (int)local.num_addressable_devices;
    job.count = (int)all.num_devices;
    while (job.first < job.count && all.devices[job.first] != job.local[0])
        job.first++;
    return job.count <= MAX_DEVICES ? NULL : ERROR(INVALID_ARGUMENT, "%d devices", job.count);
}

/* ---- programs -------------------------------------------------------------------------------- */
static void add_list(char *text, int from, int step, bool pairs)
{
    for (int i = 0; i < job.count; i++)
        sprintf(text + strlen(text), pairs ? "%s[%d, %d]" : "%s%d", i ? ", " : "", i,
                (i + from) * step % job.count);
}

static void write_operation(const struct task *task, char *text)
{
    char groups[TEXT / 4] = "replica_groups = dense<[[", pairs[TEXT / 4] = "";
    add_list(groups, 0, 1, false);
    sprintf(groups + strlen(groups), "]]> : tensor<1x%dxi64>", job.count);
    add_list(pairs, 1, 1, true);
    static const char sum[] = "({\n^b(%a: tensor<f32>, %b: tensor<f32>):\n"
                              "  %s = stablehlo.add %a, %b : tensor<f32>\n"
                              "  stablehlo.return %s : tensor<f32>\n})";
    switch (task->kind) {
    case ALL_REDUCE: sprintf(text, "\"stablehlo.all_reduce\"(%%x) %s {%s}", sum, groups); break;
    case ALL_GATHER:
        sprintf(text, "\"stablehlo.all_gather\"(%%x) {all_gather_dim = 0 : i64, %s}", groups);
        break;
    case REDUCE_SCATTER:
        sprintf(text, "\"stablehlo.reduce_scatter\"(%%x) %s {scatter_dimension = 0 : i64, %s}", sum,
                groups);
        break;
    case ALL_TO_ALL:
        sprintf(text,
                "\"stablehlo.all_to_all\"(%%x) {split_dimension = 0 : i64, concat_dimension = 0 : "
                "i64, split_count = %d : i64, %s}",
                job.count, groups);
        break;
    default:
        sprintf(text,
                "\"stablehlo.collective_permute\"(%%x) {source_target_pairs = dense<[%s]> : "
                "tensor<%dx2xi64>}",
                pairs, job.count);
    }
}

static struct error *compile(struct task *task)
{
    char operation[TEXT], text[2 * TEXT], options[] = {0x1a, 2, 0x20, (char)job.count};
    task->elements -= task->elements % job.count;
    task->results = task->kind == ALL_GATHER       ? task->elements * job.count
                    : task->kind == REDUCE_SCATTER ? task->elements / job.count
                                                   : task->elements;
    write_operation(task, operation);
    snprintf(text, sizeof text,
             "func.func @main(%%x: tensor<%" PRId64 "xf32>) -> tensor<%" PRId64 "xf32> {\n"
             "%%0 = %s : (tensor<%" PRId64 "xf32>) -> tensor<%" PRId64 "xf32>\n"
             "return %%0 : tensor<%" PRId64 "xf32>\n}\n",
             task->elements, task->results, operation, task->elements, task->results,
             task->results);
    struct abi_program program = {text, strlen(text), "mlir", options, sizeof options};
    return abi_compile(api, job.client, &program, &task->executable);
}

/* Small integers, so sums are exact. */
static float value_of(int device, int64_t element)
{
    return (float)((element * 7 + device * 13) % 97);
}

static float expected(const struct task *task, int device, int64_t element)
{
    int64_t part = task->elements / job.count;
    float sum = 0;
    switch (task->kind) {
    case ALL_GATHER: return value_of((int)(element / task->elements), element % task->elements);
    case ALL_TO_ALL: return value_of((int)(element / part), device * part + element % part);
    case PERMUTE: return value_of((device + job.count - 1) % job.count, element);
    default:
        for (int d = 0; d < job.count; d++)
            sum += value_of(d, task->kind == REDUCE_SCATTER ? device * part + element : element);
        return sum;
    }
}

/* ---- executions ------------------------------------------------------------------------------ */
struct run {
    PJRT_Buffer *arguments[MAX_DEVICES], *results[MAX_DEVICES];
};

static void free_all(PJRT_Buffer **buffers)
{
    for (int i = 0; i < job.local_count; i++) {
        abi_buffer_destroy(api, buffers[i]);
        buffers[i] = NULL;
    }
}

static struct error *upload(const struct task *task, struct run *run)
{
    float *data = malloc((size_t)task->elements * sizeof *data);
    struct abi_array array = {DTYPE_F32, 1, &task->elements, data};
    struct error *error = data ? NULL : ERROR(RESOURCE_EXHAUSTED, "no memory");
    for (int i = 0; i < job.local_count && !error; i++) {
        for (int64_t k = 0; k < task->elements; k++)
            data[k] = value_of(job.first + i, k);
        error = abi_upload(api, job.client, job.local[i], &array, &run->arguments[i]);
    }
    free(data);
    return error;
}

static struct error *execute(const struct task *task, struct run *run)
{
    PJRT_ExecuteOptions options = {.struct_size = PJRT_ExecuteOptions_STRUCT_SIZE};
    PJRT_Buffer *const *inputs[MAX_DEVICES], **outputs[MAX_DEVICES];
    PJRT_Event *events[MAX_DEVICES] = {NULL};
    for (int i = 0; i < job.local_count; i++)
        inputs[i] = &run->arguments[i], outputs[i] = &run->results[i];
    ABI_ARGS(LoadedExecutable_Execute, args, .executable = task->executable, .options = &options,
             .argument_lists = inputs, .num_devices = (size_t)job.local_count, .num_args = 1,
             .output_lists = outputs, .device_complete_events = events);
    struct error *error = ABI_CALL(api, LoadedExecutable_Execute, &args);
    for (int i = 0; i < job.local_count; i++)
        error = error_join(error, events[i] ? abi_await(api, events[i]) : NULL);
    return error;
}

static struct error *check(const struct task *task, const struct run *run)
{
    size_t bytes = (size_t)task->results * sizeof(float);
    float *data = malloc(bytes + 1);
    struct error *error = data ? NULL : ERROR(RESOURCE_EXHAUSTED, "no memory");
    for (int i = 0; i < job.local_count && !error; i++) {
        error = abi_download(api, run->results[i], data, bytes);
        for (int64_t k = 0; k < task->results && !error; k++)
            if (data[k] != expected(task, job.first + i, k))
                error =
                    ERROR(DATA_LOSS, "wrong result of %s of %" PRId64 " elements: element %" PRId64,
                          kind_names[task->kind], task->elements, k);
    }
    free(data);
    return error;
}

static struct error *run_once(struct task *task)
{
    struct run run = {{NULL}, {NULL}};
    struct error *error = compile(task);
    if (!error)
        error = upload(task, &run);
    if (!error)
        error = execute(task, &run);
    if (!error)
        error = check(task, &run);
    free_all(run.arguments);
    free_all(run.results);
    abi_executable_destroy(api, task->executable);
    return error;
}

/* ---- modes ----------------------------------------------------------------------------------- */
static uint64_t next_random(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15;
    uint64_t z = (*state ^ *state >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static struct error *run_local(void)
{
    static const char text[] = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
                               "%0 = stablehlo.add %x, %x : tensor<4xf32>\n"
                               "return %0 : tensor<4xf32>\n}\n";
    float data[4] = {1, 2, 3, 4};
    int64_t elements = 4;
    struct abi_array array = {DTYPE_F32, 1, &elements, data};
    size_t size;
    const char *options = abi_one_device(&size);
    struct abi_program program = {text, strlen(text), "mlir", options, size};
    PJRT_LoadedExecutable *executable;
    PJRT_Buffer *argument, *result;
    TRY(abi_compile(api, job.client, &program, &executable));
    TRY(abi_upload(api, job.client, job.local[0], &array, &argument));
    TRY(abi_execute(api, executable, &argument, 1, &result, 1));
    TRY(abi_download(api, result, data, sizeof data));
    abi_buffer_destroy(api, argument);
    abi_buffer_destroy(api, result);
    abi_executable_destroy(api, executable);
    return data[3] == 8 ? NULL : ERROR(DATA_LOSS, "4 + 4 = %g", (double)data[3]);
}

static void print_error(struct error *error, double since)
{
    printf("error %.3f %d %s\n", now() - since, (int)error_code(error), error_message(error, NULL));
    error_free(error);
}

/* Returns 0 when all executions were right. */
static int run_mode(uint64_t seed, int count)
{
    double reported = now();
    for (int i = 0; i < count; i++) {
        double begin = now();
        struct task task = {.kind = (enum kind)(next_random(&seed) % KINDS)};
        task.elements =
            1 + (int64_t)(next_random(&seed) % (UINT64_C(1) << next_random(&seed) % 19));
        task.elements += job.count;
        struct error *error = run_once(&task);
        if (error) {
            print_error(error, begin);
            error = run_local();
            if (error)
                print_error(error, begin);
            else
                puts("local");
            return 0;
        }
        if (now() - reported > REPORT_MS * 1e-3 || i == count - 1) {
            reported = now();
            printf("at %d\n", i + 1);
        }
    }
    return 0;
}

static int by_size(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static struct error *time_mode(const char *kind, int64_t bytes, int count)
{
    struct run run = {{NULL}, {NULL}};
    struct task task = {.elements = bytes / (int64_t)sizeof(float)};
    double *times = calloc((size_t)count, sizeof *times), sum = 0;
    while (task.kind < PERMUTE && strcmp(kind_names[task.kind], kind))
        task.kind++;
    struct error *error = compile(&task);
    if (!error)
        error = upload(&task, &run);
    for (int i = 0; i < count && !error; i++) {
        double begin = now();
        error = execute(&task, &run);
        times[i] = (now() - begin) * 1e6;
        sum += times[i];
        free_all(run.results);
    }
    if (!error) {
        qsort(times, (size_t)count, sizeof *times, by_size);
        printf("time %.1f %.1f %.1f\n", times[count / 2], times[0], sum / count);
    }
    free_all(run.arguments);
    abi_executable_destroy(api, task.executable);
    free(times);
    return error;
}

int main(int argc, char **argv)
{
    struct abi_plugin plugin;
    double begin = now();
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc < 8) {
        fputs(
            "job_worker PLUGIN FOLDER PROCESS PROCESSES (run SEED COUNT | time KIND BYTES COUNT)\n",
            stderr);
        return 2;
    }
    job = (struct job){.folder = argv[2], .process = atoi(argv[3]), .processes = atoi(argv[4])};
    struct error *error = abi_load(argv[1], &plugin);
    api = plugin.api;
    if (!error)
        error = join();
    if (!error) {
        printf("ready %d\n", job.count);
        if (!strcmp(argv[5], "run"))
            run_mode(strtoull(argv[6], NULL, 10), atoi(argv[7]));
        else if (argc > 8)
            error = time_mode(argv[6], atoll(argv[7]), atoi(argv[8]));
    }
    if (error)
        print_error(error, begin);
    abi_client_destroy(api, job.client);
    abi_unload(&plugin);
    puts("done");
    return 0;
}
