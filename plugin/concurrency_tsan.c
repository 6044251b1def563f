/* concurrency_tsan.c: threads that concurrently compile, execute, copy and destroy through the C
 * ABI, with a shared client and with clients of their own. Exits 0 when every value is right and
 * the thread sanitizer reports nothing. GANTRY_LIB is the folder of the libraries. */
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pjrt_c_api.h"

enum { THREADS = 8, ROUNDS = 6, STEPS = 20, COUNT = 4096 };

static const PJRT_Api *api;
static PJRT_Client *shared;
static atomic_int events_set, wrong;

#define CHECK(expr)                                                                                \
    do {                                                                                           \
        if (!(expr)) {                                                                             \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #expr);                             \
            atomic_fetch_add(&wrong, 1);                                                           \
        }                                                                                          \
    } while (0)

static void fine(PJRT_Error *error, const char *what)
{
    if (!error)
        return;
    PJRT_Error_Message_Args args = {.struct_size = PJRT_Error_Message_Args_STRUCT_SIZE,
                                    .error = error};
    api->PJRT_Error_Message(&args);
    fprintf(stderr, "%s: %.*s\n", what, (int)args.message_size, args.message);
    exit(1);
}

#define CALL(name, ...)                                                                            \
    name##_Args args = {.struct_size = name##_Args_STRUCT_SIZE, __VA_ARGS__};                      \
    fine(api->name(&args), #name)

static PJRT_Client *create_client(void)
{
    CALL(PJRT_Client_Create);
    return args.client;
}

static void destroy_client(PJRT_Client *client)
{
    CALL(PJRT_Client_Destroy, .client = client);
}

static PJRT_Device *device(PJRT_Client *client)
{
    CALL(PJRT_Client_AddressableDevices, .client = client);
    return args.addressable_devices[0];
}

static void destroy_event(PJRT_Event *event)
{
    CALL(PJRT_Event_Destroy, .event = event);
}

static void destroy_buffer(PJRT_Buffer *buffer)
{
    CALL(PJRT_Buffer_Destroy, .buffer = buffer);
}

static void await(PJRT_Event *event)
{
    CALL(PJRT_Event_Await, .event = event);
    destroy_event(event);
}

static void heard(PJRT_Error *error, void *user_arg)
{
    fine(error, "OnReady");
    atomic_fetch_add((atomic_int *)user_arg, 1);
}

/* Adds `addend` to f32[COUNT], `steps` times, so that different threads compile different
 * programs. */
static PJRT_LoadedExecutable *compile(PJRT_Client *client, int addend, int steps)
{
    char text[8192], type[32];
    int size = 0;
    snprintf(type, sizeof type, "tensor<%dxf32>", COUNT);
    size += snprintf(
        text + size, sizeof text - (size_t)size,
        "module @m {\n func.func public @main(%%arg0: %s {tf.aliasing_output = 0 : i32}) -> %s {\n"
        "  %%c = stablehlo.constant dense<%d.0> : %s\n",
        type, type, addend, type);
    for (int i = 0; i < steps; i++) {
        char from[16];
        snprintf(from, sizeof from, i ? "%%%d" : "%%arg%d", i ? i - 1 : 0);
        size += snprintf(text + size, sizeof text - (size_t)size,
                         "  %%%d = stablehlo.add %s, %%c : %s\n", i, from, type);
    }
    snprintf(text + size, sizeof text - (size_t)size, "  return %%%d : %s\n }\n}\n", steps - 1,
             type);
    PJRT_Program program = {.struct_size = PJRT_Program_STRUCT_SIZE,
                            .code = text,
                            .code_size = strlen(text),
                            .format = "mlir",
                            .format_size = 4};
    CALL(PJRT_Client_Compile, .client = client, .program = &program);
    return args.executable;
}

static PJRT_Buffer *upload(PJRT_Client *client, float value)
{
    static _Thread_local float data[COUNT];
    int64_t dims = COUNT;
    for (int i = 0; i < COUNT; i++)
        data[i] = value;
    CALL(PJRT_Client_BufferFromHostBuffer, .client = client, .data = data,
         .type = PJRT_Buffer_Type_F32, .dims = &dims, .num_dims = 1, .device = device(client));
    await(args.done_with_host_buffer);
    return args.buffer;
}

static PJRT_Buffer *execute(PJRT_LoadedExecutable *executable, PJRT_Buffer *argument)
{
    PJRT_Buffer *result, **results = &result, *const *arguments = &argument;
    PJRT_Event *done;
    PJRT_ExecuteOptions options = {.struct_size = PJRT_ExecuteOptions_STRUCT_SIZE};
    CALL(PJRT_LoadedExecutable_Execute, .executable = executable, .options = &options,
         .argument_lists = &arguments, .num_devices = 1, .num_args = 1, .output_lists = &results,
         .device_complete_events = &done);
    PJRT_Event_OnReady_Args on = {PJRT_Event_OnReady_Args_STRUCT_SIZE, NULL, done, heard,
                                  &events_set};
    fine(api->PJRT_Event_OnReady(&on), "OnReady");
    destroy_event(done);
    return result;
}

static float first(PJRT_Buffer *buffer)
{
    float got[COUNT];
    CALL(PJRT_Buffer_ToHostBuffer, .src = buffer, .dst = got, .dst_size = sizeof got);
    await(args.event);
    CHECK(got[0] == got[COUNT - 1]);
    return got[0];
}

static void *work(void *argument)
{
    int me = *(int *)argument;
    for (int round = 0; round < ROUNDS; round++) {
        PJRT_Client *client = round % 3 ? shared : create_client();
        PJRT_LoadedExecutable *executable = compile(client, me, round + 1);
        PJRT_Buffer *buffer = upload(client, 1);
        for (int step = 0; step < STEPS; step++) {
            PJRT_Buffer *next = execute(executable, buffer);
            destroy_buffer(buffer);
            buffer = next;
        }
        PJRT_LoadedExecutable_Destroy_Args drop = {PJRT_LoadedExecutable_Destroy_Args_STRUCT_SIZE,
                                                   NULL, executable};
        fine(api->PJRT_LoadedExecutable_Destroy(&drop), "Destroy");
        if (client != shared)
            destroy_client(client);
        CHECK(first(buffer) == (float)(1 + STEPS * (round + 1) * me)); /* outlives the client */
        destroy_buffer(buffer);
    }
    return NULL;
}

int main(void)
{
    char path[PATH_MAX];
    const char *lib = getenv("GANTRY_LIB");
    snprintf(path, sizeof path, "%s/pjrt_c_api_gantry_plugin.so", lib ? lib : "build/lib");
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const PJRT_Api *(*get)(void);
    if (!handle || !(*(void **)&get = dlsym(handle, "GetPjrtApi"))) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    api = get();
    shared = create_client();
    pthread_t threads[THREADS];
    int numbers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    destroy_client(shared);
    CHECK(atomic_load(&events_set) == THREADS * ROUNDS * STEPS);
    return atomic_load(&wrong) != 0;
}
