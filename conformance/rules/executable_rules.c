/* executable_rules.c: area 12, section 3: what an executable says about itself. */
#include <stdlib.h>
#include <string.h>

#include "conformance/cts/embedded.h"
#include "conformance/rules/named_values.h"
#include "conformance/rules/sample_programs.h"

/* ---- Names and numbers ----------------------------------------------------------------------- */

void rule_compile_gives_names(struct rule_context *t)
{
    NEED_EXECUTABLE(t, loaded, executable, "twice.mlirbc");
    ARGS(t, Executable_Name, args, .executable = executable);
    NEED_OK(t, CALL(t, Executable_Name, &args));
    CHECK(t, args.executable_name && args.executable_name_size, "no name");
    executable_destroy(t, loaded, executable);
}

void rule_compile_counts_devices(struct rule_context *t)
{
    NEED_EXECUTABLE(t, loaded, executable, "twice.mlirbc");
    ARGS(t, Executable_NumReplicas, replicas, .executable = executable);
    ARGS(t, Executable_NumPartitions, partitions, .executable = executable);
    ARGS(t, LoadedExecutable_AddressableDevices, devices, .executable = loaded);
    NEED_OK(t, CALL(t, Executable_NumReplicas, &replicas));
    NEED_OK(t, CALL(t, Executable_NumPartitions, &partitions));
    NEED_OK(t, CALL(t, LoadedExecutable_AddressableDevices, &devices));
    CHECK(t, replicas.num_replicas == 1, "%zu replicas", replicas.num_replicas);
    CHECK(t, partitions.num_partitions == 1, "%zu partitions", partitions.num_partitions);
    CHECK(t, devices.num_addressable_devices == 1, "%zu devices", devices.num_addressable_devices);
    executable_destroy(t, loaded, executable);
}

void rule_compile_counts_outputs(struct rule_context *t)
{
    static const char *const names[] = {"no_results.mlirbc", "twice.mlirbc", "empty.mlirbc",
                                        "three_results.mlirbc"};
    for (size_t i = 0; i < 4; i++) {
        NEED_EXECUTABLE(t, loaded, executable, names[i]);
        ARGS(t, Executable_NumOutputs, args, .executable = executable);
        NEED_OK(t, CALL(t, Executable_NumOutputs, &args));
        CHECK(t, args.num_outputs == i, "%s: %zu results instead of %zu", names[i],
              args.num_outputs, i);
        executable_destroy(t, loaded, executable);
    }
}

/* ---- Outputs: those of constants are f32[2,3] and s32[] -------------------------------------- */

void rule_compile_gives_output_types(struct rule_context *t)
{
    NEED_EXECUTABLE(t, loaded, executable, "constants.mlirbc");
    ARGS(t, Executable_OutputElementTypes, args, .executable = executable);
    NEED_OK(t, CALL(t, Executable_OutputElementTypes, &args));
    NEED(t, args.num_output_types == 2, "%zu types of 2 results", args.num_output_types);
    CHECK(t, args.output_types[0] == PJRT_Buffer_Type_F32, "type %d", (int)args.output_types[0]);
    CHECK(t, args.output_types[1] == PJRT_Buffer_Type_S32, "type %d", (int)args.output_types[1]);
    executable_destroy(t, loaded, executable);
}

void rule_compile_gives_output_dimensions(struct rule_context *t)
{
    NEED_EXECUTABLE(t, loaded, executable, "constants.mlirbc");
    ARGS(t, Executable_OutputDimensions, args, .executable = executable);
    NEED_OK(t, CALL(t, Executable_OutputDimensions, &args));
    NEED(t, args.num_outputs == 2, "dimensions of %zu results instead of 2", args.num_outputs);
    NEED(t, args.dim_sizes[0] == 2 && args.dim_sizes[1] == 0, "ranks %zu and %zu",
         args.dim_sizes[0], args.dim_sizes[1]);
    CHECK(t, args.dims[0] == 2 && args.dims[1] == 3, "dimensions %lld and %lld",
          (long long)args.dims[0], (long long)args.dims[1]);
    executable_destroy(t, loaded, executable);
}

static bool is_kind_of_device(struct rule_context *t, const char *kind, size_t size)
{
    struct memory_list list = memories_of(t, t->device);
    for (size_t i = 0; i < list.count; i++) {
        ARGS(t, Memory_Kind, args, .memory = list.all[i]);
        CHECK_OK(t, CALL(t, Memory_Kind, &args));
        if (args.kind_size == size && !memcmp(args.kind, kind, size))
            return true;
    }
    return false;
}

static void check_kinds(struct rule_context *t, const char *const *kinds, const size_t *sizes,
                        size_t count, size_t expected)
{
    NEED(t, count == expected, "%zu kinds instead of %zu", count, expected);
    for (size_t i = 0; i < count; i++)
        CHECK(t, is_kind_of_device(t, kinds[i], sizes[i]), "the device has no memory '%.*s'",
              (int)sizes[i], kinds[i]);
}

void rule_compile_gives_output_memory_kinds(struct rule_context *t)
{
    NEED_EXECUTABLE(t, loaded, executable, "constants.mlirbc");
    ARGS(t, Executable_OutputMemoryKinds, args, .executable = executable);
    NEED_OK(t, CALL(t, Executable_OutputMemoryKinds, &args));
    check_kinds(t, args.memory_kinds, args.memory_kind_sizes, args.num_outputs, 2);
    executable_destroy(t, loaded, executable);
}

void rule_compile_gives_parameter_memory_kinds(struct rule_context *t)
{
    NEED_EXECUTABLE(t, loaded, executable, "add.mlirbc");
    ARGS(t, Executable_ParameterMemoryKinds, args, .executable = executable);
    NEED_OK(t, CALL(t, Executable_ParameterMemoryKinds, &args));
    check_kinds(t, args.memory_kinds, args.memory_kind_sizes, args.num_parameters, 2);
    executable_destroy(t, loaded, executable);
}

/* ---- Code, costs, memory --------------------------------------------------------------------- */

void rule_compile_gives_code_sizes(struct rule_context *t)
{
    NEED_EXECUTABLE(t, loaded, executable, "twice.mlirbc");
    ARGS(t, Executable_SizeOfGeneratedCodeInBytes, args, .executable = executable);
    NEED_OK(t, CALL(t, Executable_SizeOfGeneratedCodeInBytes, &args));
    CHECK(t, args.size_in_bytes >= -1, "%lld bytes", (long long)args.size_in_bytes);
    executable_destroy(t, loaded, executable);
}

void rule_compile_estimates_costs(struct rule_context *t)
{
    const float products = 16 * 32 * 8;
    NEED_EXECUTABLE(t, loaded, executable, "matmul.mlirbc");
    ARGS(t, Executable_GetCostAnalysis, args, .executable = executable);
    NEED_OK(t, CALL(t, Executable_GetCostAnalysis, &args));
    named_values_check(t, args.properties, args.num_properties);
    named_values_check_unique(t, args.properties, args.num_properties);
    const PJRT_NamedValue *flops = named_values_find(args.properties, args.num_properties, "flops");
    NEED(t, flops, "no property 'flops'");
    NEED(t, flops->type == PJRT_NamedValue_kFloat, "'flops' has type %d", (int)flops->type);
    CHECK(t, flops->float_value >= products, "%g flops", (double)flops->float_value);
    executable_destroy(t, loaded, executable);
}

void rule_compile_plans_memory(struct rule_context *t)
{
    NEED_EXECUTABLE(t, loaded, executable, "sum.mlirbc");
    ARGS(t, Executable_GetCompiledMemoryStats, args, .executable = executable);
    NEED_OK(t, CALL(t, Executable_GetCompiledMemoryStats, &args));
    CHECK(t, args.argument_size_in_bytes >= 2 * SAMPLE_BYTES, "arguments of %lld bytes",
          (long long)args.argument_size_in_bytes);
    CHECK(t, args.output_size_in_bytes >= SAMPLE_BYTES, "results of %lld bytes",
          (long long)args.output_size_in_bytes);
    CHECK(t, args.alias_size_in_bytes == 0, "%lld bytes of aliases without a donation",
          (long long)args.alias_size_in_bytes);
    CHECK(t, args.temp_size_in_bytes >= 0 && args.generated_code_size_in_bytes >= 0,
          "%lld bytes of temporaries, %lld of code", (long long)args.temp_size_in_bytes,
          (long long)args.generated_code_size_in_bytes);
    executable_destroy(t, loaded, executable);
}

void rule_compile_plans_aliases(struct rule_context *t)
{
    NEED_EXECUTABLE(t, loaded, executable, "sum_donated.mlirbc");
    ARGS(t, Executable_GetCompiledMemoryStats, args, .executable = executable);
    NEED_OK(t, CALL(t, Executable_GetCompiledMemoryStats, &args));
    CHECK(t, args.alias_size_in_bytes >= SAMPLE_BYTES, "%lld bytes of aliases",
          (long long)args.alias_size_in_bytes);
    executable_destroy(t, loaded, executable);
}

/* ---- Programs, fingerprints, options --------------------------------------------------------- */

void rule_compile_gives_optimized_programs(struct rule_context *t)
{
    PJRT_Program program = {.struct_size = PJRT_Program_STRUCT_SIZE};
    NEED_EXECUTABLE(t, loaded, executable, "twice.mlirbc");
    ARGS(t, Executable_OptimizedProgram, args, .executable = executable, .program = &program);
    NEED_OK(t, CALL(t, Executable_OptimizedProgram, &args));
    NEED(t, program.code_size && program.format && program.format_size, "%zu bytes, format of %zu",
         program.code_size, program.format_size);
    size_t size = program.code_size;
    unsigned char *code = malloc(size + 64);
    NEED(t, code, "no memory on the host");
    memset(code, 0x5a, size + 64);
    program.code = (char *)code;
    CHECK_OK(t, CALL(t, Executable_OptimizedProgram, &args));
    CHECK(t, program.code_size == size, "%zu bytes have become %zu", size, program.code_size);
    for (size_t i = size; i < size + 64; i++)
        CHECK(t, code[i] == 0x5a, "byte %zu of %zu is written", i, size);
    free(code);
    executable_destroy(t, loaded, executable);
}

struct fingerprint {
    char bytes[256];
    size_t size;
};

static bool take_fingerprint(struct rule_context *t, const char *name, struct fingerprint *out)
{
    PJRT_LoadedExecutable *loaded;
    if (!rule_need_ok(t, name, rule_compile_file(t, name, &loaded)))
        return false;
    PJRT_Executable *executable = executable_of(t, loaded);
    ARGS(t, Executable_Fingerprint, args, .executable = executable);
    bool there =
        rule_need_ok(t, "PJRT_Executable_Fingerprint", CALL(t, Executable_Fingerprint, &args));
    out->size = there ? args.executable_fingerprint_size : 0;
    if (out->size <= sizeof out->bytes && out->size)
        memcpy(out->bytes, args.executable_fingerprint, out->size);
    executable_destroy(t, loaded, executable);
    return there;
}

static bool same_fingerprint(const struct fingerprint *a, const struct fingerprint *b)
{
    return a->size == b->size && !memcmp(a->bytes, b->bytes, a->size);
}

void rule_compile_gives_fingerprints(struct rule_context *t)
{
    struct fingerprint first, second, other;
    NEED_CLIENT(t);
    RULE_NEED_(take_fingerprint(t, "twice.mlirbc", &first));
    RULE_NEED_(take_fingerprint(t, "twice.mlirbc", &second));
    RULE_NEED_(take_fingerprint(t, "sum.mlirbc", &other));
    NEED(t, first.size && first.size <= sizeof first.bytes, "a fingerprint of %zu bytes",
         first.size);
    CHECK(t, same_fingerprint(&first, &second), "two compilations have other fingerprints");
    CHECK(t, !same_fingerprint(&first, &other), "two programs have one fingerprint");
}

void rule_compile_gives_its_options(struct rule_context *t)
{
    const struct embedded_file *file = embedded_find("twice.mlirbc");
    PJRT_LoadedExecutable *again = NULL;
    NEED_EXECUTABLE(t, loaded, executable, "twice.mlirbc");
    ARGS(t, Executable_GetCompileOptions, args, .executable = executable);
    NEED_OK(t, CALL(t, Executable_GetCompileOptions, &args));
    NEED(t, args.serialized_bytes && args.serialized_bytes_size, "no options");
    NEED(t, args.serialized_compile_options_deleter, "no deleter");
    struct rule_program program = {file->bytes, file->size, "mlir", args.serialized_bytes,
                                   args.serialized_bytes_size};
    CHECK_OK(t, rule_compile(t, &program, &again));
    args.serialized_compile_options_deleter(args.serialized_compile_options);
    DESTROY(t, LoadedExecutable, executable, again);
    executable_destroy(t, loaded, executable);
}

void rule_compile_rejects_null(struct rule_context *t)
{
    NEED_CLIENT(t);
    ARGS(t, Executable_Name, name, .executable = NULL);
    CHECK_ERROR(t, CALL(t, Executable_Name, &name));
    ARGS(t, LoadedExecutable_GetExecutable, get, .loaded_executable = NULL);
    CHECK_ERROR(t, CALL(t, LoadedExecutable_GetExecutable, &get));
    ARGS(t, LoadedExecutable_IsDeleted, is, .executable = NULL);
    CHECK_ERROR(t, CALL(t, LoadedExecutable_IsDeleted, &is));
}
