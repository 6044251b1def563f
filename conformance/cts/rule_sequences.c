/* rule_sequences.c: compile, execute, upload, download. */
#include "conformance/cts/rule_sequences.h"

#include <string.h>

#include "base/alloc.h"
#include "conformance/cts/embedded.h"
#include "tools/abi.h"

/* ---- Programs -------------------------------------------------------------------------------- */

struct error *rule_compile(struct rule_context *t, const struct rule_program *program,
                           PJRT_LoadedExecutable **out)
{
    size_t options_size = program->options_size;
    const char *options = program->options ? program->options : abi_one_device(&options_size);
    PJRT_Program form = {.struct_size = PJRT_Program_STRUCT_SIZE,
                         .code = (char *)(uintptr_t)program->code,
                         .code_size = program->size,
                         .format = program->format,
                         .format_size = strlen(program->format)};
    ARGS(t, Client_Compile, args, .client = t->client, .program = &form, .compile_options = options,
         .compile_options_size = options_size);
    *out = NULL;
    TRY(CALL(t, Client_Compile, &args));
    *out = args.executable;
    return NULL;
}

struct error *rule_compile_text(struct rule_context *t, const char *text,
                                PJRT_LoadedExecutable **out)
{
    struct rule_program program = {.code = text, .size = strlen(text), .format = "mlir"};
    return rule_compile(t, &program, out);
}

struct error *rule_compile_file(struct rule_context *t, const char *name,
                                PJRT_LoadedExecutable **out)
{
    const struct embedded_file *file = embedded_find(name);
    *out = NULL;
    if (!file)
        return ERROR(NOT_FOUND, "the suite has no program %s", name);
    struct rule_program program = {
        .code = file->bytes, .size = file->size, .format = strstr(name, ".hlo") ? "hlo" : "mlir"};
    return error_prefix(rule_compile(t, &program, out), "%s", name);
}

struct error *rule_execute(struct rule_context *t, PJRT_LoadedExecutable *executable,
                           PJRT_Buffer *const *inputs, size_t input_count, PJRT_Buffer **outputs,
                           size_t output_count)
{
    PJRT_ExecuteOptions options = {.struct_size = FUNCTIONS_SIZE(ExecuteOptions, t->minor)};
    PJRT_Event *done = NULL;
    ARGS(t, LoadedExecutable_Execute, args, .executable = executable, .options = &options,
         .argument_lists = &inputs, .num_devices = 1, .num_args = input_count,
         .output_lists = &outputs, .device_complete_events = &done);
    memset(outputs, 0, output_count * sizeof *outputs);
    TRY(CALL(t, LoadedExecutable_Execute, &args));
    struct error *error = rule_await(t, done);
    for (size_t i = 0; error && i < output_count; i++) {
        DESTROY(t, Buffer, buffer, outputs[i]);
        outputs[i] = NULL;
    }
    return error;
}

/* ---- Buffers --------------------------------------------------------------------------------- */

struct error *rule_upload(struct rule_context *t, const struct rule_array *array, PJRT_Buffer **out)
{
    ARGS(t, Client_BufferFromHostBuffer, args, .client = t->client, .data = array->bytes,
         .type = array->type, .dims = array->dims, .num_dims = array->rank,
         .host_buffer_semantics = PJRT_HostBufferSemantics_kImmutableOnlyDuringCall,
         .device = t->device);
    *out = NULL;
    TRY(CALL(t, Client_BufferFromHostBuffer, &args));
    *out = args.buffer;
    return rule_await(t, args.done_with_host_buffer);
}

struct error *rule_download(struct rule_context *t, PJRT_Buffer *buffer, void *bytes, size_t size)
{
    int64_t order[64];
    ARGS(t, Buffer_Dimensions, shape, .buffer = buffer);
    TRY(CALL(t, Buffer_Dimensions, &shape));
    if (shape.num_dims > sizeof order / sizeof *order)
        return ERROR(UNIMPLEMENTED, "the suite has no layout for rank %zu", shape.num_dims);
    for (size_t i = 0; i < shape.num_dims; i++)
        order[i] = (int64_t)(shape.num_dims - 1 - i);
    PJRT_Buffer_MemoryLayout row_major = {
        .struct_size = PJRT_Buffer_MemoryLayout_STRUCT_SIZE,
        .tiled = {.struct_size = PJRT_Buffer_MemoryLayout_Tiled_STRUCT_SIZE,
                  .minor_to_major = order,
                  .minor_to_major_size = shape.num_dims},
        .type = PJRT_Buffer_MemoryLayout_Type_Tiled,
    };
    ARGS(t, Buffer_ToHostBuffer, args, .src = buffer, .host_layout = &row_major, .dst = bytes,
         .dst_size = size);
    TRY(CALL(t, Buffer_ToHostBuffer, &args));
    return rule_await(t, args.event);
}

struct error *rule_upload_floats(struct rule_context *t, const float *values, size_t count,
                                 PJRT_Buffer **out)
{
    const int64_t dims[] = {(int64_t)count};
    return rule_upload(t, &(struct rule_array){PJRT_Buffer_Type_F32, 1, dims, values}, out);
}

void rule_check_floats(struct rule_context *t, PJRT_Buffer *buffer, const float *expected,
                       size_t count)
{
    float *found;
    if (!CHECK_OK(t, alloc_zeroed((count + 1) * sizeof *found, &found)))
        return;
    if (CHECK_OK(t, rule_download(t, buffer, found, count * sizeof *found)))
        for (size_t i = 0; i < count; i++)
            if (memcmp(&found[i], &expected[i], sizeof *found)) {
                rule_fail(t, "element %zu is %.9g instead of %.9g", i, (double)found[i],
                          (double)expected[i]);
                break;
            }
    alloc_free(found);
}

struct error *rule_await(struct rule_context *t, PJRT_Event *event)
{
    if (!event)
        return NULL;
    ARGS(t, Event_Await, args, .event = event);
    struct error *error = CALL(t, Event_Await, &args);
    DESTROY(t, Event, event, event);
    return error;
}
