/* processes_test.c: clients of several processes through the ABI of the built plugin: a client in
 * each of a few threads, over a key-value store in memory. They find each other, list each other's
 * devices, and execute one program together. */
#include <time.h>

#include "conformance/job_fixture.h"
#include "conformance/plugin_fixture.h"

enum { PROCESSES = 3, DEVICES = 2, ALL = PROCESSES * DEVICES, ELEMENTS = 40000 };

static struct test_context t;

/* ---- Processes ------------------------------------------------------------------------------- */
static const char format[] =
    "func.func @%s(%%x: tensor<40000x%s>) -> tensor<40000x%s> {\n"
    "  %%0 = \"stablehlo.all_reduce\"(%%x) ({\n"
    "  ^bb0(%%a: tensor<%s>, %%b: tensor<%s>):\n"
    "    %%1 = stablehlo.%s %%a, %%b : tensor<%s>\n"
    "    stablehlo.return %%1 : tensor<%s>\n"
    "  }) {replica_groups = dense<> : tensor<0x0xi64>} : (tensor<40000x%s>) -> tensor<40000x%s>\n"
    "  return %%0 : tensor<40000x%s>\n"
    "}\n";

/* Every participant receives from the one before it: first in a program that asks for the message
 * before it sends its own, then 39 times in a loop. */
#define RING "dense<[[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 0]]> : tensor<6x2xi64>"
#define CHANNEL(number)                                                                            \
    "{channel_handle = #stablehlo.channel_handle<handle = " #number ", type = 1>, "                \
    "is_host_transfer = false, source_target_pairs = " RING "}"
#define ARRAY "tensor<40000xf32>"
#define RECEIVED " : (!stablehlo.token) -> (" ARRAY ", !stablehlo.token)\n"
#define SENT " : (" ARRAY ", !stablehlo.token) -> !stablehlo.token\n"
static const char messages[] = "func.func @main(%x: " ARRAY ") -> " ARRAY " {\n"
                               "  %t = stablehlo.create_token : !stablehlo.token\n"
                               "  %r:2 = \"stablehlo.recv\"(%t) " CHANNEL(1) RECEIVED
    "  %s = \"stablehlo.send\"(%x, %t) " CHANNEL(1) SENT
    "  %zero = stablehlo.constant dense<0> : tensor<i32>\n"
    "  %one = stablehlo.constant dense<1> : tensor<i32>\n"
    "  %most = stablehlo.constant dense<39> : tensor<i32>\n"
    "  %w:2 = \"stablehlo.while\"(%zero, %r#0) ({\n"
    "  ^bb0(%i: tensor<i32>, %v: " ARRAY "):\n"
    "    %p = stablehlo.compare LT, %i, %most : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "    stablehlo.return %p : tensor<i1>\n"
    "  }, {\n"
    "  ^bb0(%i: tensor<i32>, %v: " ARRAY "):\n"
    "    %n = stablehlo.add %i, %one : tensor<i32>\n"
    "    %a = \"stablehlo.send\"(%v, %t) " CHANNEL(2) SENT
    "    %b:2 = \"stablehlo.recv\"(%a) " CHANNEL(2) RECEIVED
    "    stablehlo.return %n, %b#0 : tensor<i32>, " ARRAY "\n"
    "  }) : (tensor<i32>, " ARRAY ") -> (tensor<i32>, " ARRAY ")\n"
    "  return %w#1 : " ARRAY "\n"
    "}\n";

struct process {
    pthread_t thread;
    int index;
    const char *operation; /* how it reduces; NULL: it executes `messages` */
    bool is_narrow;        /* on the devices of the first two processes only */
    PJRT_Client *client;
    PJRT_Device *const *devices; /* its own */
    PJRT_LoadedExecutable *executable;
    struct error *error; /* of the executions */
    float results[DEVICES][ELEMENTS];
};

static struct error *create_client(struct process *p)
{
    TRY(job_join(t.api, p->index, PROCESSES, &p->client));
    ABI_ARGS(Client_AddressableDevices, local, .client = p->client);
    TRY(ABI_CALL(t.api, Client_AddressableDevices, &local));
    p->devices = local.addressable_devices;
    return local.num_addressable_devices == DEVICES ? NULL : ERROR(INTERNAL, "wrong devices");
}

static struct error *compile_sum(struct process *p)
{
    const char *f = "f32";
    static const char wide[] = {0x1a, 2, 0x20, ALL}; /* num_replicas */
    /* num_replicas 4, num_partitions 1, device_assignment {4, 1, {{0, 1, 2, 3}}} */
    static const char narrow[] = {0x1a, 18, 0x20, 4, 0x28, 1, 0x4a, 12, 8, 4,
                                  0x10, 1,  0x1a, 6, 0x0a, 4, 0,    1,  2, 3};
    char text[2048];
    const char *source = p->operation ? text : messages;
    snprintf(text, sizeof text, format, "main", f, f, f, f, p->operation ? p->operation : "", f, f,
             f, f, f);
    struct abi_program program = {source, strlen(source), "mlir", p->is_narrow ? narrow : wide,
                                  p->is_narrow ? sizeof narrow : sizeof wide};
    return abi_compile(t.api, p->client, &program, &p->executable);
}

static float value_of(int device, int element)
{
    return (float)((device + 1) * 1e-3 + (element * 7 + device) % 1013);
}

static struct error *upload(struct process *p, int device, PJRT_Buffer **out)
{
    static _Thread_local float data[ELEMENTS];
    int64_t elements = ELEMENTS;
    struct abi_array array = {DTYPE_F32, 1, &elements, data};
    for (int i = 0; i < ELEMENTS; i++)
        data[i] = value_of(p->index * DEVICES + device, i);
    return abi_upload(t.api, p->client, p->devices[device], &array, out);
}

/* Executes once and downloads. Returns the first error. */
static struct error *execute(struct process *p)
{
    PJRT_ExecuteOptions options = {.struct_size = PJRT_ExecuteOptions_STRUCT_SIZE};
    PJRT_Buffer *arguments[DEVICES] = {NULL}, *results[DEVICES] = {NULL};
    PJRT_Buffer *const *inputs[DEVICES], **outputs[DEVICES];
    struct error *error = NULL;
    for (int i = 0; i < DEVICES && !error; i++) {
        inputs[i] = &arguments[i], outputs[i] = &results[i];
        error = upload(p, i, &arguments[i]);
    }
    ABI_ARGS(LoadedExecutable_Execute, args, .executable = p->executable, .options = &options,
             .argument_lists = inputs, .num_devices = DEVICES, .num_args = 1,
             .output_lists = outputs);
    if (!error)
        error = ABI_CALL(t.api, LoadedExecutable_Execute, &args);
    for (int i = 0; i < DEVICES && !error; i++)
        error = abi_download(t.api, results[i], p->results[i], sizeof p->results[i]);
    for (int i = 0; i < DEVICES; i++) {
        abi_buffer_destroy(t.api, arguments[i]);
        abi_buffer_destroy(t.api, results[i]);
    }
    return error;
}

static void *run(void *argument)
{
    struct process *p = argument;
    p->error = create_client(p);
    if (!p->error)
        p->error = compile_sum(p);
    for (int i = 0; i < 3 && !p->error; i++)
        p->error = execute(p);
    return NULL;
}

static void open_plugin(void)
{
    setenv("GANTRY_CPU_DEVICES", "2", 1);
    setenv("GANTRY_COLLECTIVE_TIMEOUT", "20", 1);
    t = plugin_context();
    cr_assert(test_context_open(&t, STAGE_PLUGIN));
}

TestSuite(processes, .init = open_plugin);

static struct process processes[PROCESSES];

static void run_all(void)
{
    for (int i = 0; i < PROCESSES; i++)
        pthread_create(&processes[i].thread, NULL, run, &processes[i]);
    for (int i = 0; i < PROCESSES; i++)
        pthread_join(processes[i].thread, NULL);
}

static void init(const char *operation)
{
    for (int i = 0; i < PROCESSES; i++)
        processes[i] = (struct process){.index = i, .operation = operation};
}

static void close_all(void)
{
    for (int i = 0; i < PROCESSES; i++) {
        error_free(processes[i].error);
        abi_executable_destroy(t.api, processes[i].executable);
        abi_client_destroy(t.api, processes[i].client);
    }
}

/* Pairs of participants, then pairs of these, whatever process they are in. */
Test(processes, sum_by_a_tree_of_participants)
{
    init("add");
    run_all();
    for (int i = 0; i < PROCESSES; i++)
        cr_assert_null(processes[i].error, "%s", error_message(processes[i].error, NULL));
    for (int k = 0; k < ELEMENTS; k++) {
        float sum = (value_of(0, k) + value_of(1, k)) + (value_of(2, k) + value_of(3, k));
        sum += value_of(4, k) + value_of(5, k);
        for (int d = 0; d < ALL; d++)
            cr_assert_eq(processes[d / DEVICES].results[d % DEVICES][k], sum, "element %d", k);
    }
    close_all();
}

Test(processes, messages)
{
    enum { SHIFTS = 40 };
    init(NULL);
    run_all();
    for (int i = 0; i < PROCESSES; i++)
        cr_assert_null(processes[i].error, "%s", error_message(processes[i].error, NULL));
    for (int d = 0; d < ALL; d++)
        for (int k = 0; k < ELEMENTS; k++)
            cr_assert_eq(processes[d / DEVICES].results[d % DEVICES][k],
                         value_of((d - SHIFTS % ALL + ALL) % ALL, k), "device %d, element %d", d,
                         k);
    close_all();
}

Test(processes, devices_of_others_are_listed_and_not_addressable)
{
    init("add");
    run_all();
    for (int p = 0; p < PROCESSES; p++) {
        cr_assert_null(processes[p].error);
        ABI_ARGS(Client_Devices, all, .client = processes[p].client);
        cr_assert_null(ABI_CALL(t.api, Client_Devices, &all));
        cr_assert_eq(all.num_devices, ALL);
        for (int i = 0; i < ALL; i++) {
            ABI_ARGS(Device_IsAddressable, addressable, .device = all.devices[i]);
            ABI_ARGS(Device_DefaultMemory, memory, .device = all.devices[i]);
            ABI_ARGS(Device_GetDescription, description, .device = all.devices[i]);
            cr_assert_null(ABI_CALL(t.api, Device_IsAddressable, &addressable));
            cr_expect_eq(addressable.is_addressable, i / DEVICES == p);
            cr_assert_null(ABI_CALL(t.api, Device_GetDescription, &description));
            ABI_ARGS(DeviceDescription_Id, id,
                     .device_description = description.device_description);
            ABI_ARGS(DeviceDescription_ProcessIndex, process,
                     .device_description = description.device_description);
            cr_assert_null(ABI_CALL(t.api, DeviceDescription_Id, &id));
            cr_assert_null(ABI_CALL(t.api, DeviceDescription_ProcessIndex, &process));
            cr_expect_eq(id.id, i);
            cr_expect_eq(process.process_index, i / DEVICES);
            struct error *error = ABI_CALL(t.api, Device_DefaultMemory, &memory);
            cr_expect_eq(error == NULL, i / DEVICES == p);
            if (error)
                cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
            error_free(error);
        }
    }
    close_all();
}

Test(processes, different_programs_are_an_error_at_once)
{
    init("add");
    processes[1].operation = "maximum";
    time_t begin = time(NULL);
    run_all();
    cr_expect_lt(time(NULL) - begin, 15);
    for (int i = 0; i < PROCESSES; i++) {
        cr_assert_not_null(processes[i].error);
        cr_expect_eq(error_code(processes[i].error), PJRT_Error_Code_FAILED_PRECONDITION, "%s",
                     error_message(processes[i].error, NULL));
    }
    close_all();
}

/* One process executes a program on fewer devices, where the others execute one on all: each would
 * wait for the other one. */
Test(processes, different_devices_are_an_error_at_once)
{
    init("add");
    processes[1].is_narrow = true;
    time_t begin = time(NULL);
    run_all();
    cr_expect_lt(time(NULL) - begin, 15);
    for (int i = 0; i < PROCESSES; i++) {
        cr_assert_not_null(processes[i].error);
        cr_expect_eq(error_code(processes[i].error), PJRT_Error_Code_FAILED_PRECONDITION, "%s",
                     error_message(processes[i].error, NULL));
        cr_expect_not_null(strstr(error_message(processes[i].error, NULL), "same devices"), "%s",
                           error_message(processes[i].error, NULL));
    }
    close_all();
}

/* Where all devices of a program are in other processes, clients pass no lists. */
Test(processes, execution_without_local_devices)
{
    PJRT_ExecuteOptions options = {.struct_size = PJRT_ExecuteOptions_STRUCT_SIZE};
    static const char text[] = "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n"
                               "  return %x : tensor<f32>\n}\n";
    /* build options: one replica, one partition, device_assignment {1, 1, {{0}}} */
    static const char on_first[] = {0x1a, 14, 0x20, 1, 0x28, 1, 0x4a, 8,
                                    8,    1,  0x10, 1, 0x1a, 2, 8,    0};
    struct abi_program program = {text, strlen(text), "mlir", on_first, sizeof on_first};
    init("add");
    run_all();
    for (int i = 0; i < PROCESSES; i++) {
        PJRT_LoadedExecutable *executable;
        cr_assert_null(processes[i].error);
        cr_assert_null(abi_compile(t.api, processes[i].client, &program, &executable));
        ABI_ARGS(LoadedExecutable_AddressableDevices, devices, .executable = executable);
        cr_assert_null(ABI_CALL(t.api, LoadedExecutable_AddressableDevices, &devices));
        cr_expect_eq(devices.num_addressable_devices, i == 0);
        ABI_ARGS(LoadedExecutable_Execute, args, .executable = executable, .options = &options);
        struct error *error = ABI_CALL(t.api, LoadedExecutable_Execute, &args);
        cr_expect_eq(error != NULL, i == 0, "process %d", i);
        error_free(error);
        abi_executable_destroy(t.api, executable);
    }
    close_all();
}

static void *create_only(void *argument)
{
    struct process *p = argument;
    p->error = create_client(p);
    return NULL;
}

/* A process that does not execute the program is named by those that wait for it, and what they
 * execute on their own devices still runs. */
Test(processes, missing_process_is_named)
{
    setenv("GANTRY_COLLECTIVE_TIMEOUT", "1", 1);
    init("add");
    for (int i = 0; i < PROCESSES; i++)
        pthread_create(&processes[i].thread, NULL, i == 2 ? create_only : run, &processes[i]);
    for (int i = 0; i < PROCESSES; i++)
        pthread_join(processes[i].thread, NULL);
    cr_assert_null(processes[2].error);
    for (int i = 0; i < 2; i++) {
        cr_assert_not_null(processes[i].error);
        cr_expect_eq(error_code(processes[i].error), PJRT_Error_Code_UNAVAILABLE);
        cr_expect_not_null(strstr(error_message(processes[i].error, NULL), "process 2"), "%s",
                           error_message(processes[i].error, NULL));
    }
    close_all();
}

static struct error *give_news(const struct process *p, PJRT_ProcessInfo info)
{
    static const char reason[] = "its heart has stopped";
    info.struct_size = PJRT_ProcessInfo_STRUCT_SIZE;
    info.error_message = reason;
    info.error_message_size = sizeof reason - 1;
    ABI_ARGS(Client_UpdateGlobalProcessInfo, args, .client = p->client, .process_infos = &info,
             .num_process_infos = 1);
    return ABI_CALL(t.api, Client_UpdateGlobalProcessInfo, &args);
}

static void *execute_only(void *argument)
{
    struct process *p = argument;
    p->error = execute(p);
    return NULL;
}

/* Processes 0 and 1 wait for process 2, which is well, but of which process 0 gets news. */
static void lose_by_news(PJRT_ProcessInfo first, PJRT_ProcessInfo then, const char *reason)
{
    time_t begin = time(NULL);
    init("add");
    run_all();
    first.task_id = then.task_id = 2;
    cr_assert_null(give_news(&processes[0], first));
    for (int i = 0; i < 2; i++) {
        cr_assert_null(processes[i].error, "%s", error_message(processes[i].error, NULL));
        pthread_create(&processes[i].thread, NULL, execute_only, &processes[i]);
    }
    cr_assert_null(give_news(&processes[0], then));
    for (int i = 0; i < 2; i++) {
        pthread_join(processes[i].thread, NULL);
        cr_assert_not_null(processes[i].error);
        cr_expect_eq(error_code(processes[i].error), PJRT_Error_Code_UNAVAILABLE);
        cr_expect_not_null(strstr(error_message(processes[i].error, NULL), reason), "%s",
                           error_message(processes[i].error, NULL));
    }
    cr_expect_lt(time(NULL) - begin, 15);
    close_all();
}

/* The others learn it from its last message, since the system process lives on. */
Test(processes, client_that_is_destroyed)
{
    time_t begin = time(NULL);
    init("add");
    run_all();
    abi_executable_destroy(t.api, processes[2].executable);
    abi_client_destroy(t.api, processes[2].client);
    processes[2].executable = NULL;
    processes[2].client = NULL;
    for (int i = 0; i < 2; i++)
        pthread_create(&processes[i].thread, NULL, execute_only, &processes[i]);
    for (int i = 0; i < 2; i++) {
        pthread_join(processes[i].thread, NULL);
        cr_assert_not_null(processes[i].error);
        cr_expect_eq(error_code(processes[i].error), PJRT_Error_Code_UNAVAILABLE);
        cr_expect_not_null(strstr(error_message(processes[i].error, NULL), "process 2"), "%s",
                           error_message(processes[i].error, NULL));
    }
    cr_expect_lt(time(NULL) - begin, 15);
    close_all();
}

Test(processes, news_of_a_process_that_failed)
{
    PJRT_ProcessInfo well = {.incarnation_id = 7, .state = PJRT_ProcessState_kConnected},
                     failed = {.incarnation_id = 7, .state = PJRT_ProcessState_kError};
    lose_by_news(well, failed, "its heart has stopped");
}

Test(processes, news_of_a_process_that_was_started_again)
{
    PJRT_ProcessInfo well = {.incarnation_id = 7, .state = PJRT_ProcessState_kConnected},
                     again = {.incarnation_id = 8, .state = PJRT_ProcessState_kConnected};
    lose_by_news(well, again, "started again");
}

Test(processes, news_without_effect)
{
    init("add");
    run_all();
    for (int task = -1; task <= PROCESSES; task++) {
        PJRT_ProcessInfo left = {.task_id = task, .state = PJRT_ProcessState_kDisconnected};
        struct error *error = give_news(&processes[0], left);
        cr_expect_eq(error != NULL, task < 0 || task == PROCESSES);
        error_free(error);
    }
    for (int i = 0; i < PROCESSES; i++)
        pthread_create(&processes[i].thread, NULL, execute_only, &processes[i]);
    for (int i = 0; i < PROCESSES; i++) {
        pthread_join(processes[i].thread, NULL);
        cr_expect_null(processes[i].error, "%s", error_message(processes[i].error, NULL));
    }
    close_all();
}
