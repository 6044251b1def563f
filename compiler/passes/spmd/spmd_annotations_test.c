/* spmd_annotations_test.c: partitioned programs as JAX sends them, where they are beside the
 * project; errors. testdata/spmd_annotations has the rewrites. */
#include "compiler/passes/spmd/spmd_annotations.h"

#include <criterion/criterion.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "compiler/driver/compile_source.h"
#include "compiler/passes/cleanup/inline.h"

static struct arena *arena;

static void begin(void)
{
    cr_assert_null(arena_create(&arena));
}

static void end(void)
{
    arena_destroy(arena);
}

TestSuite(spmd_annotations, .init = begin, .fini = end);

struct read {
    struct compile_source source;
    struct module *module;
    bool run;
};

static struct error *read_in_arena(void *context)
{
    struct read *read = context;
    TRY(compile_source_read(arena, &read->source, &read->module));
    if (!read->run)
        return NULL;
    TRY(spmd_annotations_run(read->module, NULL));
    TRY(ir_verify(read->module, false));
    TRY(inline_run(read->module, NULL));
    return ir_verify(read->module, false);
}

static struct error *try_read(const void *bytes, size_t size, bool run, struct module **out)
{
    struct read read = {
        .source = {.format = "mlir", .format_size = 4, .bytes = bytes, .size = size}, .run = run};
    struct error *error = arena_run(arena, read_in_arena, &read);
    *out = read.module;
    return error;
}

/* The shardings of results are printed as comments, which are not read again. */
static void remove_comments(struct text *text)
{
    char *to = text->data;
    for (const char *at = text->data; *at; at++) {
        if (at[0] == ' ' && at[1] == '/' && at[2] == '/')
            at += strcspn(at, "\n");
        *to++ = *at;
    }
    *to = '\0';
    text->size = (size_t)(to - text->data);
}

static struct text print(const char *name, const void *bytes, size_t size, bool run)
{
    struct module *module;
    struct text text = {0};
    struct error *error = try_read(bytes, size, run, &module);
    cr_assert_null(error, "%s: %s", name, error ? error_message(error, NULL) : "");
    ir_print(module, &text);
    remove_comments(&text);
    return text;
}

/* Read, printed and read again before and after the passes: the same IR. */
static void check_program(const char *path, const void *bytes, size_t size)
{
    for (int run = 0; run < 2; run++) {
        struct text text = print(path, bytes, size, run);
        struct text again = print(path, text.data, text.size, false);
        cr_expect_str_eq(again.data, text.data, "%s changes when it is printed", path);
        cr_expect(!run || !strstr(text.data, "@SPMD"), "%s keeps a custom call", path);
        text_free(&again);
        text_free(&text);
    }
}

Test(spmd_annotations, programs_of_many_partitions_are_read)
{
    glob_t found = {0};
    if (glob("../shared/spmd/*/*.mlirbc", 0, NULL, &found))
        cr_skip_test("no partitioned programs are beside the project");
    for (size_t i = 0; i < found.gl_pathc; i++) {
        static char bytes[1 << 22];
        FILE *file = fopen(found.gl_pathv[i], "rb");
        cr_assert(file, "cannot open %s", found.gl_pathv[i]);
        size_t size = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        check_program(found.gl_pathv[i], bytes, size);
        end();
        begin();
    }
    globfree(&found);
}

#define MAIN(body)                                                                                 \
    "module @m attributes {mhlo.num_partitions = 8 : i32} {\n"                                     \
    "func.func @main(%x: tensor<8xf32>) -> tensor<1xf32> {\n" body                                 \
    "\nreturn %0 : tensor<1xf32>\n}\n}"

static void refuse(const char *text, PJRT_Error_Code code, const char *words)
{
    struct module *module;
    struct error *error = try_read(text, strlen(text), true, &module);
    cr_assert_not_null(error, "%s", text);
    cr_expect_eq(error_code(error), code, "%s", error_message(error, NULL));
    cr_expect(strstr(error_message(error, NULL), words), "%s", error_message(error, NULL));
    error_free(error);
}

Test(spmd_annotations, notes_of_results_are_read)
{
    static const char text[] =
        "module @m attributes {mhlo.frontend_attributes = {xla.sdy.meshes = \"{mesh = "
        "#sdy.mesh<[\\22x\\22=8]>}\"}, mhlo.num_partitions = 8 : i32} {\n"
        "func.func @main(%x: tensor<8xf32>) -> (tensor<8xf32> {mhlo.sharding = "
        "\"{devices=[8]<=[8]}\"}) {\n"
        "%0 = stablehlo.custom_call @xla.sdy.FuncResultSharding(%x) {has_side_effect = true, "
        "mhlo.frontend_attributes = {xla.sdy.sharding = \"#sdy.sharding_per_value<[<@mesh, "
        "[{\\22x\\22}]>]>\"}} : (tensor<8xf32>) -> tensor<8xf32>\n"
        "return %0 : tensor<8xf32>\n}\n}";
    struct text got = print("text", text, sizeof text - 1, true);
    cr_expect(!strstr(got.data, "custom_call"), "%s", got.data);
    text_free(&got);
}

Test(spmd_annotations, errors)
{
    refuse(MAIN("%0 = stablehlo.custom_call @SPMDFullToShardShape(%x) : (tensor<8xf32>) -> "
                "tensor<1xf32>"),
           PJRT_Error_Code_INVALID_ARGUMENT, "must have a tiled sharding");
    refuse(MAIN("%1 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = \"{devices=[8]<=[8]}\"} "
                ": (tensor<8xf32>) -> tensor<8xf32>\n"
                "%0 = stablehlo.custom_call @SPMDFullToShardShape(%1) {mhlo.sharding = "
                "\"{devices=[1,2,2,2]<=[2,2,2]T(1,0,2) last_tile_dims={manual, replicated, "
                "replicated}}\"} : (tensor<8xf32>) -> tensor<1xf32>"),
           PJRT_Error_Code_INVALID_ARGUMENT, "manual axes have");
    refuse(MAIN("%1 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "
                "\"{devices=[8]3,1,0,2,4,5,6,7}\"} : (tensor<8xf32>) -> tensor<8xf32>\n"
                "%0 = stablehlo.custom_call @SPMDFullToShardShape(%1) {mhlo.sharding = "
                "\"{manual}\"} : (tensor<8xf32>) -> tensor<1xf32>"),
           PJRT_Error_Code_UNIMPLEMENTED, "different orders of devices");
    refuse(MAIN("%0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = \"{replicated}\"} : "
                "(tensor<8xf32>) -> tensor<1xf32>"),
           PJRT_Error_Code_INVALID_ARGUMENT, "must not change the type");
}
