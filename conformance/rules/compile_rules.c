/* compile_rules.c: area 12, sections 1, 2 and 4: programs, mistakes in them, and the life of
 * executables. */
#include <stdlib.h>
#include <string.h>

#include "conformance/cts/embedded.h"
#include "conformance/cts/rule_process.h"
#include "conformance/rules/sample_programs.h"
#include "tools/abi.h"

/* ---- 12.1 Forms of programs ------------------------------------------------------------------ */

void rule_compile_reads_bytecode(struct rule_context *t)
{
    known_program_run(t, "add", "mlirbc");
}

void rule_compile_reads_text(struct rule_context *t)
{
    known_program_run(t, "add", "mlir");
}

void rule_compile_reads_generic_text(struct rule_context *t)
{
    known_program_run(t, "add", "generic.mlir");
}

void rule_compile_reads_hlo(struct rule_context *t)
{
    known_program_run(t, "add", "hlo.pb");
}

void rule_compile_forms_agree(struct rule_context *t)
{
    static const char *const names[] = {"matmul",    "mlp_grad", "loop", "sort",
                                        "constants", "donate",   "large"};
    static const char *const forms[] = {"mlirbc", "mlir", "generic.mlir", "hlo.pb"};
    for (int n = 0; n < 7; n++)
        for (int f = 0; f < 4; f++)
            known_program_run(t, names[n], forms[f]);
}

void rule_compile_reads_many_arguments(struct rule_context *t)
{
    enum { COUNT = 48 };
    PJRT_Buffer *inputs[COUNT], *result;
    NEED_PROGRAM(t, executable, "many_arguments.mlirbc");
    for (int i = 0; i < COUNT; i++)
        NEED_OK(t, sample_upload(t, &inputs[i]));
    NEED_OK(t, rule_execute(t, executable, inputs, COUNT, &result, 1));
    sample_check_times(t, result, COUNT);
    for (int i = 0; i < COUNT; i++)
        DESTROY(t, Buffer, buffer, inputs[i]);
    DESTROY(t, Buffer, buffer, result);
    DESTROY(t, LoadedExecutable, executable, executable);
}

/* Executes "twice" and destroys the executable. */
static void check_twice(struct rule_context *t, PJRT_LoadedExecutable *executable)
{
    PJRT_Buffer *buffer, *result;
    NEED_OK(t, sample_upload(t, &buffer));
    NEED_OK(t, rule_execute(t, executable, &buffer, 1, &result, 1));
    sample_check_times(t, result, 2);
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, Buffer, buffer, result);
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_compile_copies_the_program(struct rule_context *t)
{
    const struct embedded_file *file = embedded_find("twice.mlirbc");
    const char *form = "mlir";
    char *code = malloc(file->size), options[BUILD_BYTES];
    PJRT_LoadedExecutable *executable;
    NEED_CLIENT(t);
    NEED(t, code, "no memory on the host");
    memcpy(code, file->bytes, file->size);
    struct rule_program program = {
        .code = code, .size = file->size, .format = form, .options = options};
    program.options_size = build_options(&(struct build){1, 1, NULL, false}, options);
    NEED_OK(t, rule_compile(t, &program, &executable));
    memset(code, 0xff, file->size);
    memset(options, 0xff, sizeof options);
    free(code);
    check_twice(t, executable);
}

void rule_compile_repeats(struct rule_context *t)
{
    PJRT_LoadedExecutable *second;
    NEED_PROGRAM(t, first, "twice.mlirbc");
    NEED_OK(t, rule_compile_file(t, "twice.mlirbc", &second));
    CHECK(t, first != second, "two compilations give one executable, with two owners");
    check_twice(t, first);
    if (first != second)
        check_twice(t, second);
}

static void compile_in_thread(struct rule_context *t, int i)
{
    for (int k = 0; k < 4; k++) {
        PJRT_LoadedExecutable *executable;
        const char *name = (i + k) % 2 ? "twice.mlirbc" : "matmul.mlirbc";
        NEED_OK(t, rule_compile_file(t, name, &executable));
        if ((i + k) % 2)
            check_twice(t, executable);
        else
            DESTROY(t, LoadedExecutable, executable, executable);
    }
}

void rule_compile_works_in_threads(struct rule_context *t)
{
    NEED_CLIENT(t);
    rule_threads(t, compile_in_thread);
}

/* ---- 12.2 Mistakes --------------------------------------------------------------------------- */

/* Compiles, and destroys what should not have compiled. */
static struct error *try(struct rule_context *t, const struct rule_program *program)
{
    PJRT_LoadedExecutable *executable;
    TRY(rule_compile(t, program, &executable));
    DESTROY(t, LoadedExecutable, executable, executable);
    return NULL;
}

static struct error *try_text(struct rule_context *t, const char *text)
{
    return try(t, &(struct rule_program){.code = text, .size = strlen(text), .format = "mlir"});
}

/* Opens a client that compiles what is right. */
#define NEED_COMPILER(t)                                                                           \
    do {                                                                                           \
        NEED_PROGRAM(t, proof, "twice.mlirbc");                                                    \
        DESTROY(t, LoadedExecutable, executable, proof);                                           \
    } while (0)

/* An error of any code: UNIMPLEMENTED is a right answer to what may come with a later version. */
static void check_fails(struct rule_context *t, const char *what, struct error *error)
{
    CHECK(t, error, "%s compiles", what);
    error_free(error);
}

void rule_compile_rejects_nothing(struct rule_context *t)
{
    NEED_COMPILER(t);
    CHECK_ERROR(t, try(t, &(struct rule_program){.code = "", .size = 0, .format = "mlir"}));
}

void rule_compile_rejects_noise(struct rule_context *t)
{
    char noise[600];
    NEED_COMPILER(t);
    for (int i = 0; i < 40; i++) {
        for (size_t k = 0; k < sizeof noise; k++)
            noise[k] = (char)rule_random(t);
        if (i % 4 == 3)
            memcpy(noise, "ML\xefR", 4); /* as bytecode begins */
        struct rule_program program = {noise, sizeof noise, i % 2 ? "mlir" : "hlo", NULL, 0};
        check_fails(t, "noise", try(t, &program));
    }
}

void rule_compile_rejects_cut_programs(struct rule_context *t)
{
    const struct embedded_file *file = embedded_find("matmul.mlirbc");
    NEED_COMPILER(t);
    for (size_t size = 1; size < file->size; size += 1 + file->size / 64) {
        char *cut = malloc(size); /* so that reading behind it is noticed by sanitizers */
        NEED(t, cut, "no memory on the host");
        memcpy(cut, file->bytes, size);
        struct error *error = try(t, &(struct rule_program){cut, size, "mlir", NULL, 0});
        CHECK(t, error, "%zu of %zu bytes compile", size, file->size);
        error_free(error);
        free(cut);
    }
}

void rule_compile_rejects_unknown_formats(struct rule_context *t)
{
    const struct embedded_file *file = embedded_find("twice.mlirbc");
    NEED_COMPILER(t);
    CHECK_ERROR(t, try(t, &(struct rule_program){file->bytes, file->size, "poetry", NULL, 0}));
    CHECK_ERROR(t, try(t, &(struct rule_program){file->bytes, file->size, "", NULL, 0}));
}

void rule_compile_rejects_wrong_types(struct rule_context *t)
{
    NEED_COMPILER(t);
    CHECK_ERROR(t, try_text(t, "func.func @main(%a: tensor<4xf32>, %b: tensor<5xf32>) -> "
                               "tensor<4xf32> {\n"
                               "  %0 = \"stablehlo.add\"(%a, %b) : (tensor<4xf32>, tensor<5xf32>) "
                               "-> tensor<4xf32>\n"
                               "  return %0 : tensor<4xf32>\n}\n"));
    CHECK_ERROR(t, try_text(t, "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
                               "  %0 = \"stablehlo.not\"(%a) : (tensor<4xf32>) -> tensor<4xf32>\n"
                               "  return %0 : tensor<4xf32>\n}\n"));
}

void rule_compile_rejects_unknown_operations(struct rule_context *t)
{
    NEED_COMPILER(t);
    check_fails(t, "an unknown operation",
                try_text(t, "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
                            "  %0 = \"stablehlo.frobnicate\"(%a) : (tensor<4xf32>) -> "
                            "tensor<4xf32>\n"
                            "  return %0 : tensor<4xf32>\n}\n"));
}

void rule_compile_rejects_missing_functions(struct rule_context *t)
{
    NEED_COMPILER(t);
    CHECK_ERROR(t, try_text(t, "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
                               "  %0 = func.call @nowhere(%a) : (tensor<4xf32>) -> tensor<4xf32>\n"
                               "  return %0 : tensor<4xf32>\n}\n"));
}

void rule_compile_rejects_unknown_custom_calls(struct rule_context *t)
{
    static const char text[] =
        "func.func @main(%a: tensor<64xf32>) -> tensor<64xf32> {\n"
        "  %0 = stablehlo.custom_call @no_such_target_anywhere(%a) : (tensor<64xf32>) -> "
        "tensor<64xf32>\n"
        "  return %0 : tensor<64xf32>\n}\n";
    PJRT_LoadedExecutable *executable;
    NEED_SAMPLE(t, buffer);
    struct error *error = rule_compile_text(t, text, &executable);
    if (!error) {
        struct execution execution = {executable, &buffer, 1, NULL, NULL, 0, NULL, NULL};
        error = execute_fails(t, &execution);
        DESTROY(t, LoadedExecutable, executable, executable);
    }
    CHECK(t, error, "a call of no_such_target_anywhere succeeds");
    error_free(error);
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_compile_rejects_wrong_options(struct rule_context *t)
{
    const struct embedded_file *file = embedded_find("twice.mlirbc");
    static const char *const wrong[] = {
        "\xff\xff\xff\xff\xff\xff\xff\xff", /* no tag */
        "\x1a\x7f\x20\x01",                 /* a field of more bytes than there are */
        "\x1b\x20\x01",                     /* a group that does not end */
    };
    NEED_COMPILER(t);
    for (int i = 0; i < 3; i++)
        CHECK_ERROR(t, try(t, &(struct rule_program){file->bytes, file->size, "mlir", wrong[i],
                                                     strlen(wrong[i])}));
}

void rule_compile_rejects_too_many_devices(struct rule_context *t)
{
    PJRT_LoadedExecutable *executable = NULL;
    NEED_COMPILER(t);
    ARGS(t, Client_Devices, devices, .client = t->client);
    NEED_OK(t, CALL(t, Client_Devices, &devices));
    struct build build = {(int)devices.num_devices * 2 + 1, 1, NULL, false};
    NEED(t, build.replicas < 1 << 13, "%zu devices", devices.num_devices);
    CHECK_ERROR(t, build_file(t, "twice.mlirbc", &build, &executable));
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_compile_survives_mistakes(struct rule_context *t)
{
    NEED_COMPILER(t);
    for (int i = 0; i < 5; i++) {
        PJRT_LoadedExecutable *executable;
        error_free(try_text(t, "func.func @main() -> tensor<4xf32> {"));
        error_free(try(t, &(struct rule_program){"xyz", 3, "hlo", NULL, 0}));
        NEED_OK(t, rule_compile_file(t, "twice.mlirbc", &executable));
        check_twice(t, executable);
    }
}

/* ---- 12.4 The life of an executable ---------------------------------------------------------- */

static size_t count_outputs(struct rule_context *t, PJRT_Executable *executable)
{
    ARGS(t, Executable_NumOutputs, args, .executable = executable);
    CHECK_OK(t, CALL(t, Executable_NumOutputs, &args));
    return args.num_outputs;
}

void rule_compile_separates_lives(struct rule_context *t)
{
    NEED_EXECUTABLE(t, first, of_first, "twice.mlirbc");
    NEED_EXECUTABLE(t, second, of_second, "twice.mlirbc");
    DESTROY(t, LoadedExecutable, executable, first);
    DESTROY(t, Executable, executable, of_first);
    DESTROY(t, Executable, executable, of_second);
    check_twice(t, second);
}

void rule_compile_outlives_what_was_loaded(struct rule_context *t)
{
    NEED_EXECUTABLE(t, loaded, executable, "twice.mlirbc");
    DESTROY(t, LoadedExecutable, executable, loaded);
    CHECK(t, count_outputs(t, executable) == 1, "another number of results");
    DESTROY(t, Executable, executable, executable);
}

static bool executable_is_deleted(struct rule_context *t, PJRT_LoadedExecutable *executable)
{
    ARGS(t, LoadedExecutable_IsDeleted, args, .executable = executable);
    CHECK_OK(t, CALL(t, LoadedExecutable_IsDeleted, &args));
    return args.is_deleted;
}

void rule_compile_tells_deletion(struct rule_context *t)
{
    NEED_PROGRAM(t, executable, "twice.mlirbc");
    CHECK(t, !executable_is_deleted(t, executable), "a new executable is deleted");
    ARGS(t, LoadedExecutable_Delete, args, .executable = executable);
    for (int i = 0; i < 3; i++) {
        NEED_OK(t, CALL(t, LoadedExecutable_Delete, &args));
        CHECK(t, executable_is_deleted(t, executable), "a deleted executable is not");
    }
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_compile_ends_with_deletion(struct rule_context *t)
{
    NEED_SAMPLE(t, buffer);
    NEED_PROGRAM(t, executable, "twice.mlirbc");
    ARGS(t, LoadedExecutable_Delete, args, .executable = executable);
    NEED_OK(t, CALL(t, LoadedExecutable_Delete, &args));
    struct execution execution = {executable, &buffer, 1, NULL, NULL, 0, NULL, NULL};
    CHECK_ERROR(t, execute_fails(t, &execution));
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_compile_executables_outlive_their_client(struct rule_context *t)
{
    NEED_EXECUTABLE(t, loaded, executable, "twice.mlirbc");
    rule_close(t);
    executable_destroy(t, loaded, executable);
}

void rule_compile_compiles_without_loading(struct rule_context *t)
{
    const struct embedded_file *file = embedded_find("twice.mlirbc");
    size_t size;
    const char *options = abi_one_device(&size);
    PJRT_Program program = {.struct_size = PJRT_Program_STRUCT_SIZE,
                            .code = (char *)(uintptr_t)file->bytes,
                            .code_size = file->size,
                            .format = "mlir",
                            .format_size = 4};
    NEED_CLIENT(t);
    NEED_FUNCTION(t, Client_Load);
    ARGS(t, Client_TopologyDescription, topology, .client = t->client);
    NEED_OK(t, CALL(t, Client_TopologyDescription, &topology));
    ARGS(t, Compile, compile, .topology = topology.topology, .program = &program,
         .compile_options = options, .compile_options_size = size);
    NEED_OK(t, CALL(t, Compile, &compile));
    ARGS(t, Client_Load, load, .client = t->client, .executable = compile.executable,
         .compile_options = options, .compile_options_size = size);
    NEED_OK(t, CALL(t, Client_Load, &load));
    DESTROY(t, Executable, executable, compile.executable);
    check_twice(t, load.loaded_executable);
}
