/* robustness_rules.c: area 19, section 1: hostile input. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/cts/embedded.h"
#include "conformance/cts/rule_sequences.h"
#include "tools/abi.h"

static const char *const programs[] = {"add", "matmul", "loop", "sort", "mlp_grad"};
enum { PROGRAMS = sizeof programs / sizeof *programs, MOST_BYTES = 1 << 16, ROUNDS = 40 };

/* ---- Damage ---------------------------------------------------------------------------------- */

/* A copy of a program that is changed. */
struct victim {
    char bytes[MOST_BYTES];
    size_t size;
};

static size_t below(struct rule_context *t, size_t limit)
{
    return limit ? (size_t)(rule_random(t) % limit) : 0;
}

/* Changes a byte, swaps two parts, removes or repeats a part. */
static void damage(struct rule_context *t, struct victim *victim)
{
    size_t at = below(t, victim->size), size = below(t, 16) + 1;
    if (at + size > victim->size)
        return;
    switch (below(t, 4)) {
    case 0: victim->bytes[at] = (char)rule_random(t); break;
    case 1: victim->bytes[at] ^= (char)(1 << below(t, 8)); break;
    case 2:
        memmove(victim->bytes + at, victim->bytes + at + size, victim->size - at - size);
        victim->size -= size;
        break;
    default: memmove(victim->bytes + below(t, victim->size - size), victim->bytes + at, size);
    }
}

/* Compiles, and destroys what comes out; a crash is the finding. */
static void try_to_compile(struct rule_context *t, const struct rule_program *program)
{
    PJRT_LoadedExecutable *executable = NULL;
    struct error *error = rule_compile(t, program, &executable);
    CHECK(t, error || executable, "success with a NULL executable");
    if (error)
        CHECK(t, *error_message(error, NULL), "an error without a message");
    error_free(error);
    DESTROY(t, LoadedExecutable, executable, executable);
}

static void survive(struct rule_context *t, const char *suffix, const char *format)
{
    static struct victim victim;
    char name[64];
    NEED_CLIENT(t);
    for (int i = 0; i < ROUNDS * PROGRAMS; i++) {
        snprintf(name, sizeof name, "%s%s", programs[i % PROGRAMS], suffix);
        const struct embedded_file *file = embedded_find(name);
        NEED(t, file && file->size <= MOST_BYTES, "the suite has no program %s", name);
        memcpy(victim.bytes, file->bytes, file->size);
        victim.size = file->size;
        for (size_t k = below(t, 4) + 1; k; k--)
            damage(t, &victim);
        try_to_compile(t, &(struct rule_program){victim.bytes, victim.size, format, NULL, 0});
    }
}

void rule_robustness_survives_damaged_bytecode(struct rule_context *t)
{
    survive(t, ".mlirbc", "mlir");
}

void rule_robustness_survives_damaged_text(struct rule_context *t)
{
    survive(t, ".mlir", "mlir");
}

void rule_robustness_survives_damaged_hlo(struct rule_context *t)
{
    survive(t, ".hlo.pb", "hlo");
}

void rule_robustness_survives_damaged_options(struct rule_context *t)
{
    char options[64];
    size_t size;
    const char *whole = abi_one_device(&size);
    const struct embedded_file *file = embedded_find("add.mlirbc");
    NEED_CLIENT(t);
    NEED(t, file && size <= sizeof options, "the suite has no options");
    for (int i = 0; i < 100; i++) {
        memcpy(options, whole, size);
        options[below(t, size)] = (char)rule_random(t);
        try_to_compile(t, &(struct rule_program){file->bytes, file->size, "mlir", options,
                                                 i % 3 ? size : below(t, size)});
    }
}

/* ---- Sizes ----------------------------------------------------------------------------------- */

static void compile_text(struct rule_context *t, const char *text, size_t size)
{
    try_to_compile(t, &(struct rule_program){text, size, "mlir", NULL, 0});
}

void rule_robustness_survives_deep_text(struct rule_context *t)
{
    enum { DEPTH = 20000 };
    static char text[64 * DEPTH];
    NEED_CLIENT(t);
    size_t size = (size_t)snprintf(text, sizeof text, "func.func public @main() {\n");
    for (int i = 0; i < DEPTH; i++)
        size += (size_t)snprintf(text + size, sizeof text - size, "\"stablehlo.if\"(%%p) ({\n");
    compile_text(t, text, size);
    memset(text, '(', sizeof text);
    memcpy(text, "func.func @main", 15);
    compile_text(t, text, sizeof text);
}

/* A program without arguments must not compile, or not run. */
static void check_refused(struct rule_context *t, const char *text, const char *otherwise)
{
    PJRT_LoadedExecutable *executable;
    PJRT_Buffer *result;
    struct error *error = rule_compile_text(t, text, &executable);
    if (!error)
        error = rule_execute(t, executable, NULL, 0, &result, 1);
    CHECK(t, error, "%s", otherwise);
    error_free(error);
}

void rule_robustness_survives_wide_types(struct rule_context *t)
{
    static const char text[] =
        "func.func public @main() -> tensor<4294967296x4294967296x4294967296xf32> {\n"
        "  %0 = \"stablehlo.iota\"() {iota_dimension = 0 : i64} : () -> "
        "tensor<4294967296x4294967296x4294967296xf32>\n"
        "  \"func.return\"(%0) : (tensor<4294967296x4294967296x4294967296xf32>) -> ()\n"
        "}\n";
    NEED_CLIENT(t);
    check_refused(t, text, "2^96 elements were computed");
}

void rule_robustness_survives_huge_arrays(struct rule_context *t)
{
    static const char text[] = "func.func public @main() -> tensor<17592186044416xf32> {\n"
                               "  %0 = \"stablehlo.iota\"() {iota_dimension = 0 : i64} : () -> "
                               "tensor<17592186044416xf32>\n"
                               "  \"func.return\"(%0) : (tensor<17592186044416xf32>) -> ()\n"
                               "}\n";
    NEED_CLIENT(t);
    check_refused(t, text, "64 TiB were computed");
}

void rule_robustness_survives_many_operations(struct rule_context *t)
{
    enum { OPERATIONS = 2000 };
    static char text[128 * OPERATIONS];
    PJRT_LoadedExecutable *executable;
    NEED_CLIENT(t);
    size_t size = (size_t)snprintf(
        text, sizeof text, "func.func public @main(%%v0: tensor<4xf32>) -> tensor<4xf32> {\n");
    for (int i = 0; i < OPERATIONS; i++)
        size += (size_t)snprintf(text + size, sizeof text - size,
                                 "%%v%d = \"stablehlo.%s\"(%%v%d, %%v0) : (tensor<4xf32>, "
                                 "tensor<4xf32>) -> tensor<4xf32>\n",
                                 i + 1, i % 2 ? "add" : "multiply", i);
    snprintf(text + size, sizeof text - size, "\"func.return\"(%%v%d) : (tensor<4xf32>) -> ()\n}\n",
             (int)OPERATIONS);
    NEED_OK(t, rule_compile_text(t, text, &executable));
}

void rule_robustness_survives_wrong_arguments(struct rule_context *t)
{
    static const float one[] = {1, 2, 3, 4, 5}, two[] = {2, 4, 6, 8};
    PJRT_LoadedExecutable *executable;
    PJRT_Buffer *right[2], *wrong[2], *result;
    NEED_CLIENT(t);
    NEED_OK(t, rule_compile_file(t, "add.mlirbc", &executable));
    NEED_OK(t, rule_upload_floats(t, one, 4, &right[0]));
    NEED_OK(t, rule_upload_floats(t, one, 4, &right[1]));
    NEED_OK(t, rule_upload_floats(t, one, 5, &wrong[1]));
    wrong[0] = right[0];
    CHECK_ERROR(t, rule_execute(t, executable, right, 1, &result, 1));
    CHECK_ERROR(t, rule_execute(t, executable, wrong, 2, &result, 1));
    NEED_OK(t, rule_execute(t, executable, right, 2, &result, 1));
    rule_check_floats(t, result, two, 4);
}
