/* example.c: a complete PJRT client in C: compiles a program from StableHLO text, uploads two
 * vectors, runs the program, and prints the result.
 *
 *     cc example.c $(pkg-config --cflags --libs gantry) -o example && ./example
 *
 * Every call takes one struct, in which the caller sets its size, and returns an error or NULL. */
#include <pjrt_c_api.h>
#include <stdio.h>
#include <stdlib.h>

static const PJRT_Api *api;

/* Declares the arguments of a call. */
#define ARGS(Function, name, ...)                                                                  \
    PJRT_##Function##_Args name = {.struct_size = PJRT_##Function##_Args_STRUCT_SIZE, __VA_ARGS__}

/* If there is an error, prints its message and exits. */
static void check(PJRT_Error *error)
{
    if (!error)
        return;
    ARGS(Error_Message, message, .error = error);
    api->PJRT_Error_Message(&message);
    fprintf(stderr, "%.*s\n", (int)message.message_size, message.message);
    ARGS(Error_Destroy, destroy, .error = error);
    api->PJRT_Error_Destroy(&destroy);
    exit(1);
}

static void wait_for(PJRT_Event *event)
{
    ARGS(Event_Await, await, .event = event);
    check(api->PJRT_Event_Await(&await));
    ARGS(Event_Destroy, destroy, .event = event);
    check(api->PJRT_Event_Destroy(&destroy));
}

static PJRT_LoadedExecutable *compile(PJRT_Client *client, char *text, size_t size)
{
    static const char options[] = {0x1a, 4, 0x20, 1,
                                   0x28, 1}; /* CompileOptionsProto: one replica, one partition */
    PJRT_Program program = {.struct_size = PJRT_Program_STRUCT_SIZE,
                            .code = text,
                            .code_size = size,
                            .format = "mlir",
                            .format_size = 4};
    ARGS(Client_Compile, args, .client = client, .program = &program, .compile_options = options,
         .compile_options_size = sizeof options);
    check(api->PJRT_Client_Compile(&args));
    return args.executable;
}

static PJRT_Buffer *upload(PJRT_Client *client, const float *data, int64_t count)
{
    ARGS(Client_AddressableDevices, devices, .client = client);
    check(api->PJRT_Client_AddressableDevices(&devices));
    ARGS(Client_BufferFromHostBuffer, args, .client = client, .data = data,
         .type = PJRT_Buffer_Type_F32, .dims = &count, .num_dims = 1,
         .device = devices.addressable_devices[0],
         .host_buffer_semantics = PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes);
    check(api->PJRT_Client_BufferFromHostBuffer(&args));
    wait_for(args.done_with_host_buffer);
    return args.buffer;
}

static PJRT_Buffer *execute(PJRT_LoadedExecutable *executable, PJRT_Buffer *const *inputs,
                            size_t count)
{
    PJRT_ExecuteOptions options = {.struct_size = PJRT_ExecuteOptions_STRUCT_SIZE};
    PJRT_Buffer *result, **results = &result;
    PJRT_Event *done;
    ARGS(LoadedExecutable_Execute, args, .executable = executable, .options = &options,
         .argument_lists = &inputs, .num_devices = 1, .num_args = count, .output_lists = &results,
         .device_complete_events = &done);
    check(api->PJRT_LoadedExecutable_Execute(&args));
    wait_for(done);
    return result;
}

static void download(PJRT_Buffer *buffer, float *out, size_t size)
{
    ARGS(Buffer_ToHostBuffer, args, .src = buffer, .dst = out, .dst_size = size);
    check(api->PJRT_Buffer_ToHostBuffer(&args));
    wait_for(args.event);
}

static void destroy_buffer(PJRT_Buffer *buffer)
{
    ARGS(Buffer_Destroy, args, .buffer = buffer);
    check(api->PJRT_Buffer_Destroy(&args));
}

int main(void)
{
    char text[] = "func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {\n"
                  "  %0 = stablehlo.multiply %x, %y : tensor<4xf32>\n"
                  "  %1 = stablehlo.add %0, %y : tensor<4xf32>\n"
                  "  return %1 : tensor<4xf32>\n"
                  "}\n";
    float x[] = {1, 2, 3, 4}, y[] = {0.5f, -1, 10, 100}, out[4];

    api = GetPjrtApi();
    ARGS(Plugin_Initialize, initialize, .extension_start = NULL);
    check(api->PJRT_Plugin_Initialize(&initialize));
    ARGS(Client_Create, create, .extension_start = NULL);
    check(api->PJRT_Client_Create(&create));

    PJRT_LoadedExecutable *executable = compile(create.client, text, sizeof text - 1);
    PJRT_Buffer *inputs[] = {upload(create.client, x, 4), upload(create.client, y, 4)};
    PJRT_Buffer *result = execute(executable, inputs, 2);
    download(result, out, sizeof out);
    printf("%g %g %g %g\n", out[0], out[1], out[2], out[3]);

    destroy_buffer(result), destroy_buffer(inputs[0]), destroy_buffer(inputs[1]);
    ARGS(LoadedExecutable_Destroy, destroy_executable, .executable = executable);
    check(api->PJRT_LoadedExecutable_Destroy(&destroy_executable));
    ARGS(Client_Destroy, destroy_client, .client = create.client);
    check(api->PJRT_Client_Destroy(&destroy_client));
    return 0;
}
