#include <string.h>

#include "base/alloc.h"
#include "plugin/api.h"
#include "plugin/api_args.h"
#include "plugin/handles.h"
#include "runtime/executable_hlo.h"

PJRT_Error *api_executable_compile(PJRT_Compile_Args *args)
{
    struct executable *executable;
    struct compile_source source;
    NEED_OBJECT(args, topology);
    NEED_OBJECT(args, program);
    NEED(args, executable);
    API_TRY(
        api_args_source(args->program, args->compile_options, args->compile_options_size, &source));
    API_TRY(executable_compile_for(topology_of(args->topology), &source, &executable));
    args->executable = executable_handle(executable);
    return NULL;
}

PJRT_Error *api_executable_destroy(PJRT_Executable_Destroy_Args *args)
{
    NEED(args, executable);
    executable_release(executable_of(args->executable));
    return NULL;
}

PJRT_Error *api_executable_name(PJRT_Executable_Name_Args *args)
{
    NEED_OBJECT(args, executable);
    NEED(args, executable_name_size);
    args->executable_name = executable_of(args->executable)->program->name;
    args->executable_name_size = strlen(args->executable_name);
    return NULL;
}

PJRT_Error *api_executable_num_replicas(PJRT_Executable_NumReplicas_Args *args)
{
    NEED_OBJECT(args, executable);
    NEED(args, num_replicas);
    args->num_replicas = (size_t)executable_of(args->executable)->program->num_replicas;
    return NULL;
}

PJRT_Error *api_executable_num_partitions(PJRT_Executable_NumPartitions_Args *args)
{
    NEED_OBJECT(args, executable);
    NEED(args, num_partitions);
    args->num_partitions = (size_t)executable_of(args->executable)->program->num_partitions;
    return NULL;
}

PJRT_Error *api_executable_num_outputs(PJRT_Executable_NumOutputs_Args *args)
{
    NEED_OBJECT(args, executable);
    NEED(args, num_outputs);
    args->num_outputs = (size_t)program_visible(executable_of(args->executable)->program, true);
    return NULL;
}

PJRT_Error *api_executable_size_of_generated_code_in_bytes(
    PJRT_Executable_SizeOfGeneratedCodeInBytes_Args *args)
{
    NEED_OBJECT(args, executable);
    NEED(args, size_in_bytes);
    args->size_in_bytes = (int64_t)executable_of(args->executable)->program->code_size;
    return NULL;
}

PJRT_Error *api_executable_fingerprint(PJRT_Executable_Fingerprint_Args *args)
{
    NEED_OBJECT(args, executable);
    NEED(args, executable_fingerprint_size);
    args->executable_fingerprint = executable_of(args->executable)->fingerprint;
    args->executable_fingerprint_size = strlen(args->executable_fingerprint);
    return NULL;
}

PJRT_Error *api_executable_get_cost_analysis(PJRT_Executable_GetCostAnalysis_Args *args)
{
    NEED_OBJECT(args, executable);
    NEED(args, properties);
    args->properties = executable_of(args->executable)->cost;
    args->num_properties = (size_t)executable_of(args->executable)->cost_count;
    return NULL;
}

PJRT_Error *api_executable_output_element_types(PJRT_Executable_OutputElementTypes_Args *args)
{
    NEED_OBJECT(args, executable);
    NEED(args, num_output_types);
    const struct executable *executable = executable_of(args->executable);
    args->output_types = executable->output_types;
    args->num_output_types = (size_t)program_visible(executable->program, true);
    return NULL;
}

PJRT_Error *api_executable_output_dimensions(PJRT_Executable_OutputDimensions_Args *args)
{
    NEED_OBJECT(args, executable);
    NEED(args, dim_sizes);
    const struct executable *executable = executable_of(args->executable);
    args->num_outputs = (size_t)program_visible(executable->program, true);
    args->dims = executable->output_dims;
    args->dim_sizes = executable->output_ranks;
    return NULL;
}

PJRT_Error *api_executable_output_memory_kinds(PJRT_Executable_OutputMemoryKinds_Args *args)
{
    NEED_OBJECT(args, executable);
    NEED(args, memory_kind_sizes);
    const struct executable *executable = executable_of(args->executable);
    args->num_outputs = (size_t)program_visible(executable->program, true);
    args->memory_kinds = executable->output_memory_kinds;
    args->memory_kind_sizes = executable->output_memory_kind_sizes;
    return NULL;
}

PJRT_Error *api_executable_parameter_memory_kinds(PJRT_Executable_ParameterMemoryKinds_Args *args)
{
    NEED_OBJECT(args, executable);
    NEED(args, memory_kind_sizes);
    const struct executable *executable = executable_of(args->executable);
    args->num_parameters = (size_t)program_visible(executable->program, false);
    args->memory_kinds = executable->parameter_memory_kinds;
    args->memory_kind_sizes = executable->parameter_memory_kind_sizes;
    return NULL;
}

/* The sum over the host memory kinds. */
static struct program_memory host_memory(const struct executable *executable)
{
    const struct program_memory *pinned = &executable->memory[MEMORY_PINNED_HOST],
                                *unpinned = &executable->memory[MEMORY_UNPINNED_HOST];
    return (struct program_memory){.arguments = pinned->arguments + unpinned->arguments,
                                   .results = pinned->results + unpinned->results,
                                   .aliases = pinned->aliases + unpinned->aliases,
                                   .temporaries = pinned->temporaries + unpinned->temporaries};
}

/* What an execution needs of the device: of a modeled one, what the model says, with the padding of
 * its layouts. */
static struct program_memory device_memory(const struct executable *executable)
{
    const struct program_memory *planned = &executable->memory[MEMORY_DEVICE];
    const struct model_plan *model = executable->program->model;
    if (!model)
        return *planned;
    return (struct program_memory){.arguments = model->argument_bytes,
                                   .results = model->output_bytes,
                                   .aliases = model->alias_bytes,
                                   .temporaries = model->temp_bytes,
                                   .peak = model->peak_bytes};
}

/* Bytes of the values themselves, without rounding or gaps between temporaries; a model states its
 * peak with padding only. */
static uint64_t unpadded(const struct executable *executable, uint64_t temporaries)
{
    const struct program *program = executable->program;
    const struct program_memory *memory = &executable->memory[MEMORY_DEVICE];
    if (program->model)
        return program->model->peak_bytes;
    return memory->arguments + memory->results - memory->aliases + temporaries +
           program->constants_size;
}

PJRT_Error *
api_executable_get_compiled_memory_stats(PJRT_Executable_GetCompiledMemoryStats_Args *args)
{
    NEED_OBJECT(args, executable);
    const struct executable *executable = executable_of(args->executable);
    struct program_memory device = device_memory(executable), host = host_memory(executable);
    uint64_t code = executable->program->code_size;
    PUT(args, generated_code_size_in_bytes, (int64_t)code);
    PUT(args, argument_size_in_bytes, (int64_t)device.arguments);
    PUT(args, output_size_in_bytes, (int64_t)device.results);
    PUT(args, alias_size_in_bytes, (int64_t)device.aliases);
    PUT(args, temp_size_in_bytes, (int64_t)device.temporaries);
    PUT(args, host_generated_code_size_in_bytes, 0);
    PUT(args, host_argument_size_in_bytes, (int64_t)host.arguments);
    PUT(args, host_output_size_in_bytes, (int64_t)host.results);
    PUT(args, host_alias_size_in_bytes, (int64_t)host.aliases);
    PUT(args, host_temp_size_in_bytes, (int64_t)host.temporaries);
    PUT(args, peak_memory_in_bytes, (int64_t)device.peak);
    PUT(args, total_size_in_bytes, (int64_t)(unpadded(executable, device.temporaries) + code));
    PUT(args, total_allocation_bytes, (int64_t)device.peak);
    PUT(args, indefinite_allocations, (int64_t)device.constants);
    PUT(args, peak_unpadded_heap_bytes, (int64_t)unpadded(executable, executable->peak_live));
    return NULL;
}

/* The first call queries the size, the second the bytes. */
PJRT_Error *api_executable_optimized_program(PJRT_Executable_OptimizedProgram_Args *args)
{
    static const char format[] = "hlo_with_config";
    const char *bytes;
    size_t size;
    NEED_OBJECT(args, executable);
    NEED_OBJECT(args, program);
    API_TRY(executable_hlo(executable_of(args->executable), &bytes, &size));
    args->program->format = format;
    args->program->format_size = sizeof format - 1;
    if (args->program->code && args->program->code_size < size)
        return API_ERROR(ERROR(INVALID_ARGUMENT,
                               "the program has %zu bytes, but the buffer for it has %zu", size,
                               args->program->code_size));
    args->program->code_size = size;
    if (args->program->code)
        memcpy(args->program->code, bytes, size);
    return NULL;
}

static void delete_options(PJRT_SerializedCompileOptions *options)
{
    alloc_free(options);
}

PJRT_Error *api_executable_get_compile_options(PJRT_Executable_GetCompileOptions_Args *args)
{
    char *copy;
    NEED_OBJECT(args, executable);
    NEED(args, serialized_compile_options_deleter);
    const struct executable *executable = executable_of(args->executable);
    API_TRY(alloc_copy(executable->options, executable->options_size, &copy));
    args->serialized_bytes = copy;
    args->serialized_bytes_size = executable->options_size;
    args->serialized_compile_options = (PJRT_SerializedCompileOptions *)copy;
    args->serialized_compile_options_deleter = delete_options;
    return NULL;
}

static void delete_serialized(PJRT_SerializedExecutable *executable)
{
    alloc_free(executable);
}

PJRT_Error *api_executable_serialize(PJRT_Executable_Serialize_Args *args)
{
    char *bytes;
    NEED_OBJECT(args, executable);
    NEED(args, serialized_executable_deleter);
    API_TRY(executable_serialize(executable_of(args->executable), &bytes,
                                 &args->serialized_bytes_size));
    args->serialized_bytes = bytes;
    args->serialized_executable = (PJRT_SerializedExecutable *)bytes;
    args->serialized_executable_deleter = delete_serialized;
    return NULL;
}
