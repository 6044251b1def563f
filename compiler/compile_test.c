/* Tests of the compiler's entry point: errors, reproducible output, and failing allocations. The
 * programs are models of the project's corpus. */
#include "compiler/compile.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "compiler/target_fixture.h"

#define MODELS "build/corpus/models/"

static struct error *compile_bytes(const char *format, const void *bytes, size_t size,
                                   uint64_t memory, struct program **out)
{
    struct target target = target_fixture();
    struct compile_source source = {
        .format = format, .format_size = strlen(format), .bytes = bytes, .size = size};
    target.memory_bytes[MEMORY_DEVICE] = memory;
    return compile(&source, &target, out);
}

static void *read_model(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    cr_assert(file, "cannot open %s", path);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    void *bytes = malloc(*size);
    cr_assert_eq(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static void expect_error(const char *format, const char *bytes, PJRT_Error_Code code)
{
    struct program *program;
    struct error *error = compile_bytes(format, bytes, strlen(bytes), 0, &program);
    cr_assert(error && !program);
    cr_expect_eq(error_code(error), code, "%s", error_message(error, NULL));
    error_free(error);
}

Test(compile, refuses_what_is_no_program)
{
    expect_error("mlir", "ML\xefR\x0d nonsense", PJRT_Error_Code_INVALID_ARGUMENT);
    expect_error("mlir", "ML\xefR", PJRT_Error_Code_INVALID_ARGUMENT);
    expect_error("cuda", "", PJRT_Error_Code_INVALID_ARGUMENT);
}

/* Found by fuzzing: the generated code was invalid. */
Test(compile, random_bits_of_small_floats)
{
    static const char text[] =
        "func.func @main(%x: tensor<2xui64>) -> (tensor<2xui64>, tensor<3xf8E4M3FN>) {\n"
        "  %0, %1 = stablehlo.rng_bit_generator %x, algorithm = THREE_FRY : "
        "(tensor<2xui64>) -> (tensor<2xui64>, tensor<3xf8E4M3FN>)\n"
        "  return %0, %1 : tensor<2xui64>, tensor<3xf8E4M3FN>\n"
        "}\n";
    expect_error("mlir", text, PJRT_Error_Code_UNIMPLEMENTED);
}

/* A region whose result type differs from its argument type. */
Test(compile, reducers_that_give_what_is_the_same_for_all)
{
    static const char text[] =
        "func.func @main(%x: tensor<4x8xi32>, %y: tensor<i32>) -> tensor<i32> {\n"
        "  %0 = stablehlo.reduce(%x init: %y) across dimensions = [0, 1] :\n"
        "      (tensor<4x8xi32>, tensor<i32>) -> tensor<i32>\n"
        "    reducer(%a: tensor<i32>, %b: tensor<i32>) {\n"
        "      stablehlo.return %y : tensor<i32>\n"
        "    }\n"
        "  return %0 : tensor<i32>\n"
        "}\n";
    struct program *program;
    struct error *error = compile_bytes("mlir", text, sizeof text - 1, 0, &program);
    cr_assert_null(error, "%s", error ? error_message(error, NULL) : "");
    program_release(program);
}

static struct error *compile_for_replicas(const char *groups, struct program **out)
{
    char text[600];
    int size = snprintf(text, sizeof text,
                        "func.func @main(%%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                        "  %%0 = \"stablehlo.all_reduce\"(%%x) ({\n"
                        "  ^bb0(%%a: tensor<f32>, %%b: tensor<f32>):\n"
                        "    %%1 = stablehlo.add %%a, %%b : tensor<f32>\n"
                        "    stablehlo.return %%1 : tensor<f32>\n"
                        "  }) {replica_groups = dense<%s>} : (tensor<2xf32>) -> tensor<2xf32>\n"
                        "  return %%0 : tensor<2xf32>\n"
                        "}\n",
                        groups);
    static const char two_replicas[] = {0x1a, 2, 0x20, 2}; /* executable_build_options */
    struct target target = target_fixture();
    struct compile_source source = {.format = "mlir",
                                    .format_size = 4,
                                    .bytes = text,
                                    .size = (size_t)size,
                                    .options = two_replicas,
                                    .options_size = 4};
    return compile(&source, &target, out);
}

/* Collectives use the number of replicas of the compile options. */
Test(compile, collectives_among_the_replicas_of_the_options)
{
    struct program *program;
    struct error *error = compile_for_replicas("[[0, 1]]> : tensor<1x2xi64", &program);
    cr_assert_null(error, "%s", error ? error_message(error, NULL) : "");
    cr_expect_eq(program->collective_count, 1);
    cr_assert_eq(program->group_count, 1);
    cr_expect_eq(program->groups[0].member_count, 2);
    program_release(program);
    cr_assert_null(compile_for_replicas("[[1], [0]]> : tensor<2x1xi64", &program));
    cr_expect_eq(program->collective_count, 0, "each replica is alone");
    program_release(program);
}

Test(compile, groups_that_do_not_fit_the_replicas)
{
    static const char *const groups[][2] = {
        {"[[0]]> : tensor<1x1xi64", "omit replica 1"},
        {"[[0, 2]]> : tensor<1x2xi64", "has replica 2, but num_replicas is 2"},
        {"[[0, 1], [1, -1]]> : tensor<2x2xi64", "lists 1 twice"}};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        struct program *program;
        struct error *error = compile_for_replicas(groups[i][0], &program);
        cr_assert_not_null(error);
        cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
        cr_expect(strstr(error_message(error, NULL), groups[i][1]), "%s",
                  error_message(error, NULL));
        cr_expect(strstr(error_message(error, NULL), "all_reduce"), "%s",
                  error_message(error, NULL));
        error_free(error);
    }
}

/* The device assignment of the options has one device, whatever the module requests. */
Test(compile, more_replicas_than_the_assignment_has_devices)
{
    static const char one_device[] = {0x1a, 11, 0x4a, 9, 8, 1, 16, 1, 0x1a, 3, 10, 1, 0};
    static const char *const counts[] = {"num_replicas = 1000", "num_replicas = 200000000",
                                         "num_partitions = 1000", "num_partitions = 2147483647",
                                         "num_replicas = 2"};
    struct target target = target_fixture();
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        char text[300];
        int size = snprintf(text, sizeof text,
                            "module attributes {mhlo.%s : i32} {\n"
                            "func.func @main(%%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                            "  return %%x : tensor<2xf32>\n}\n}\n",
                            counts[i]);
        struct compile_source source = {.format = "mlir",
                                        .format_size = 4,
                                        .bytes = text,
                                        .size = (size_t)size,
                                        .options = one_device,
                                        .options_size = sizeof one_device};
        struct program *program;
        struct error *error = compile(&source, &target, &program);
        cr_assert(error && !program);
        cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT, "%s: %s", counts[i],
                     error_message(error, NULL));
        error_free(error);
    }
}

/* Refused before the pipeline, whose work may grow with the devices. */
Test(compile, more_devices_than_there_are)
{
    static const char text[] = "module @wide attributes {mhlo.num_partitions = 9 : i32} {\n"
                               "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                               "  return %x : tensor<2xf32>\n}\n}\n";
    struct target target = target_fixture();
    for (int devices = 8; devices <= 9; devices++) {
        struct compile_source source = {
            .format = "mlir", .format_size = 4, .bytes = text, .size = sizeof text - 1};
        struct program *program;
        source.device_count = devices;
        struct error *error = compile(&source, &target, &program);
        cr_expect_eq(error != NULL, devices == 8);
        cr_expect_eq(program == NULL, devices == 8);
        cr_expect(!error || !strcmp(error_message(error, NULL),
                                    "'wide' needs 9 devices (num_replicas 1, num_partitions 9); "
                                    "there are 8"));
        error_free(error);
        program_release(program);
    }
}

static int kernels_in_parts(const char *partitions)
{
    char text[400];
    int size = snprintf(text, sizeof text,
                        "module attributes {mhlo.num_partitions = %s : i32} {\n"
                        "func.func @main(%%x: tensor<4194304xf32>) -> tensor<4194304xf32> {\n"
                        "  %%0 = stablehlo.tanh %%x : tensor<4194304xf32>\n"
                        "  return %%0 : tensor<4194304xf32>\n}\n}\n",
                        partitions);
    struct target target = target_fixture();
    struct compile_source source = {
        .format = "mlir", .format_size = 4, .bytes = text, .size = (size_t)size};
    struct program *program;
    int count = 0;
    cr_assert_null(compile(&source, &target, &program));
    for (int i = 0; i < program->steps.count; i++) {
        const struct step *step = &program->steps.steps[i];
        count += step->kind == STEP_KERNEL && step->kernel.grain < step->kernel.work;
    }
    program_release(program);
    return count;
}

/* The fixture has two cores. */
Test(compile, devices_that_compute_at_once_share_the_cores)
{
    cr_expect_eq(kernels_in_parts("1"), 1);
    cr_expect_eq(kernels_in_parts("2"), 0);
    cr_expect_eq(target_share(16, 1), 16);
    cr_expect_eq(target_share(16, 3), 6);
    cr_expect_eq(target_share(2, 8), 1);
}

/* A count that is none is an error that names it, in every syntax of the module's attributes. */
Test(compile, counts_of_the_module_out_of_range)
{
    static const char *const counts[] = {"0", "-1", "2147483648", "4294967297",
                                         "9223372036854775807"};
    static const char *const names[] = {"mhlo.num_replicas", "mhlo.num_partitions",
                                        "stablehlo.num_replicas"};
    static const char *const forms[] = {
        "module attributes {%s = %s : i64} {\nfunc.func @main(%%x: tensor<2xf32>) -> tensor<2xf32> "
        "{\n  return %%x : tensor<2xf32>\n}\n}\n",
        "\"builtin.module\"() ({\nfunc.func @main(%%x: tensor<2xf32>) -> tensor<2xf32> "
        "{\n  return %%x : tensor<2xf32>\n}\n}) {%s = %s : i64} : () -> ()\n"};
    struct target target = target_fixture();
    for (size_t i = 0; i < 5 * 3 * 2; i++) {
        char text[300];
        const char *count = counts[i % 5], *name = names[i / 5 % 3];
        int size = snprintf(text, sizeof text, forms[i / 15], name, count);
        struct compile_source source = {
            .format = "mlir", .format_size = 4, .bytes = text, .size = (size_t)size};
        struct program *program;
        struct error *error = compile(&source, &target, &program);
        cr_assert(error && !program, "%s = %s", name, count);
        cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
        cr_expect(strstr(error_message(error, NULL), name) &&
                      strstr(error_message(error, NULL), count),
                  "%s", error_message(error, NULL));
        error_free(error);
    }
}

/* Tables of long transforms are the device's, not constants. */
Test(compile, long_transforms_have_small_programs)
{
    static const char *const kinds[][3] = {
        {"RFFT", "tensor<67108864xf32>", "tensor<33554433xcomplex<f32>>"},
        {"FFT", "tensor<67108859xcomplex<f32>>", "tensor<67108859xcomplex<f32>>"}};
    for (int i = 0; i < 2; i++) {
        char text[500];
        struct program *program;
        int size = snprintf(text, sizeof text,
                            "func.func @main(%%x: %s) -> %s {\n"
                            "  %%0 = stablehlo.fft %%x, type = %s, length = [%.8s] : (%s) -> %s\n"
                            "  return %%0 : %s\n}\n",
                            kinds[i][1], kinds[i][2], kinds[i][0], kinds[i][1] + 7, kinds[i][1],
                            kinds[i][2], kinds[i][2]);
        struct error *error = compile_bytes("mlir", text, (size_t)size, 0, &program);
        cr_assert_null(error, "%s", error ? error_message(error, NULL) : "");
        cr_expect_lt(program->constants_size, 1 << 20);
        program_release(program);
    }
}

/* Each function calls the previous one twice: `levels` functions have 2^levels operations. */
static size_t write_nested_calls(char *to, size_t capacity, int levels, const char *body)
{
    size_t size = (size_t)snprintf(to, capacity,
                                   "module {\nfunc.func private @f0(%%x: tensor<4xf32>) -> "
                                   "tensor<4xf32> {\n%s  return %%y : tensor<4xf32>\n}\n",
                                   body);
    for (int i = 1; i <= levels; i++)
        size += (size_t)snprintf(to + size, capacity - size,
                                 "func.func private @f%d(%%x: tensor<4xf32>) -> tensor<4xf32> {\n"
                                 "  %%a = call @f%d(%%x) : (tensor<4xf32>) -> tensor<4xf32>\n"
                                 "  %%b = call @f%d(%%a) : (tensor<4xf32>) -> tensor<4xf32>\n"
                                 "  return %%b : tensor<4xf32>\n}\n",
                                 i, i - 1, i - 1);
    size += (size_t)snprintf(to + size, capacity - size,
                             "func.func @main(%%x: tensor<4xf32>) -> tensor<4xf32> {\n"
                             "  %%y = call @f%d(%%x) : (tensor<4xf32>) -> tensor<4xf32>\n"
                             "  return %%y : tensor<4xf32>\n}\n}\n",
                             levels);
    return size;
}

Test(compile, calls_that_double_exceed_the_budget)
{
    static char text[1 << 16];
    static const int levels[] = {20, 40, 200};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        struct program *program;
        size_t size = write_nested_calls(text, sizeof text, levels[i],
                                         "  %y = stablehlo.sine %x : tensor<4xf32>\n");
        struct error *error = compile_bytes("mlir", text, size, 0, &program);
        cr_assert(error && !program);
        cr_expect_eq(error_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED);
        cr_expect(strstr(error_message(error, NULL), "more than"), "%s",
                  error_message(error, NULL));
        error_free(error);
    }
}

Test(compile, equal_programs_compile_to_equal_bytes)
{
    size_t size;
    struct program *first, *second;
    void *bytes = read_model(MODELS "lstm_gradients.mlirbc", &size);
    cr_assert(!compile_bytes("mlir", bytes, size, 0, &first));
    cr_assert(!compile_bytes("mlir", bytes, size, 0, &second));
    cr_expect_arr_eq(first->fingerprint, second->fingerprint, sizeof first->fingerprint);
    cr_assert_eq(first->object_size, second->object_size);
    cr_expect(!memcmp(first->object, second->object, first->object_size));
    cr_expect_eq(program_temp_size(first, MEMORY_DEVICE), program_temp_size(second, MEMORY_DEVICE));
    program_release(first);
    program_release(second);
    free(bytes);
}

Test(compile, programs_that_cannot_fit)
{
    size_t size;
    struct program *program;
    void *bytes = read_model(MODELS "cnn_forward.mlirbc", &size);
    struct error *error = compile_bytes("mlir", bytes, size, 1000, &program);
    cr_assert(error);
    cr_expect_eq(error_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED);
    error_free(error);
    free(bytes);
}

static void fail_each_allocation(const char *path)
{
    size_t size;
    struct program *program;
    void *bytes = read_model(path, &size);
    cr_assert(
        !compile_bytes("mlir", bytes, size, 0, &program)); /* libraries are open from here on */
    program_release(program);
    int64_t live = alloc_live();
    bool done = false;
    for (int64_t n = 1; !done; n++) {
        alloc_fail_at(n);
        struct error *error = compile_bytes("mlir", bytes, size, 0, &program);
        alloc_fail_at(0);
        cr_assert(!error || error_code(error) == PJRT_Error_Code_RESOURCE_EXHAUSTED, "%s",
                  error ? error_message(error, NULL) : "");
        done = !error;
        error_free(error);
        program_release(program);
        cr_assert_eq(alloc_live(), live, "%s: allocation %ld", path, (long)n);
    }
    free(bytes);
}

/* An argument that no result can reuse is donated only where the client names the result. */
Test(compile, donated_arguments_of_another_memory_kind)
{
    static const char text[] =
        "func.func @main(%x: tensor<64xf32> {mhlo.memory_kind = \"pinned_host\", "
        "jax.buffer_donor = true}, %y: tensor<64xf32> {mhlo.memory_kind = \"pinned_host\", "
        "tf.aliasing_output = 0 : i32}) -> (tensor<64xf32>) {\n"
        "  %0 = stablehlo.add %x, %y : tensor<64xf32>\n"
        "  return %0 : tensor<64xf32>\n"
        "}\n";
    struct program *program;
    struct error *error = compile_bytes("mlir", text, strlen(text), 0, &program);
    cr_assert(!error, "%s", error_message(error, NULL));
    cr_expect_eq(program->results[0].alias, -1);
    cr_expect(!program->parameters[0].donated && program->parameters[1].donated);
    program_release(program);
}

/* The second transposition is computed when both arguments have been read; neither can be written
 * in place. A third donor has no result of its size left. */
Test(compile, donors_are_consumed_by_results_of_their_size)
{
    static const char text[] =
        "func.func @main(%x: tensor<16x32xf32> {jax.buffer_donor = true}, %y: tensor<16x32xf32> "
        "{jax.buffer_donor = true}, %z: tensor<16x32xf32> {jax.buffer_donor = true}) -> "
        "(tensor<32x16xf32>, tensor<32x16xf32>) {\n"
        "  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>\n"
        "  %1 = stablehlo.transpose %y, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>\n"
        "  return %0, %1 : tensor<32x16xf32>, tensor<32x16xf32>\n"
        "}\n";
    struct program *program;
    struct error *error = compile_bytes("mlir", text, strlen(text), 0, &program);
    cr_assert(!error, "%s", error_message(error, NULL));
    int donated = 0;
    for (int i = 0; i < 3; i++)
        donated += program->parameters[i].donated;
    cr_expect_eq(donated, 2);
    program_release(program);
}

Test(compile, every_allocation_may_fail)
{
    fail_each_allocation(MODELS "resnet_block.mlirbc");
    fail_each_allocation(MODELS "runge_kutta_while.mlirbc");
    fail_each_allocation(MODELS "cached_attention_step.mlirbc");
}

/* Names that dumps accept are those of docs/passes.md. */
Test(compile, passes_are_documented_by_their_names)
{
    static char page[1 << 18];
    const char *names[128];
    char row[100];
    FILE *file = fopen("docs/passes.md", "r");
    cr_assert_not_null(file);
    page[fread(page, 1, sizeof page - 1, file)] = '\0';
    fclose(file);
    size_t count = compile_passes(names, 128);
    cr_assert(count > 20 && count <= 128);
    for (size_t i = 0; i < count; i++) {
        snprintf(row, sizeof row, "\n| `%s` | ", names[i]);
        cr_expect_not_null(strstr(page, row), "%s has no row", names[i]);
    }
}
