/* mosaic_text_test.c: kernels as text, as TorchTPU sends them; what is wrong is named by its line.
 * kernel_machine_test.c executes kernels of text. */
#include <criterion/criterion.h>
#include <string.h>

#include "compiler/frontend/mosaic/mosaic_read.h"

#define INDEX_MAP                                                                                  \
    "\"stable_mosaic.func.func\"() ({\n"                                                           \
    "^bb0(%a: i32, %b: i32):\n"                                                                    \
    "  %0 = \"stable_mosaic.arith.constant\"() {value = 0 : i32} : () -> i32\n"                    \
    "  \"stable_mosaic.func.return\"(%a, %0) : (i32, i32) -> ()\n"                                 \
    "}) {sym_name = \"blocks\"} : () -> ()\n"
#define KERNEL(body, windows)                                                                      \
    "\"stable_mosaic.func.func\"() ({\n"                                                           \
    "^bb0(%i: i32, %j: i32, %x: memref<8x128xf32, #tpu.memory_space<vmem>>,\n"                     \
    "     %o: memref<8x128xf32, strided<[128, 1], offset: ?>, #space>):\n"                         \
    "  %c = \"stable_mosaic.arith.constant\"() {value = 0 : index} : () -> index\n" body           \
    "  \"stable_mosaic.func.return\"() : () -> ()\n"                                               \
    "}) {dimension_semantics = [#tpu.dimension_semantics<parallel>, "                              \
    "#tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 4, 3>, "                  \
    "scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, sym_name = \"add\", "                  \
    "window_params = [" windows "]} : () -> ()\n"
#define LOAD                                                                                       \
    "  %v = \"stable_mosaic.vector.load\"(%x, %c, %c) : (memref<8x128xf32, "                       \
    "#tpu.memory_space<vmem>>, index, index) -> vector<8x128xf32>\n"
#define MODULE(version, functions)                                                                 \
    "#space = #tpu.memory_space<vmem>\n"                                                           \
    "module @kernels attributes {stable_mosaic.version = " version " : i64} {\n" functions "}\n"
#define WINDOWS                                                                                    \
    "{transform_indices = @blocks, window_bounds = array<i64: 8, 128>}, "                          \
    "{transform_indices = affine_map<(d0, d1) -> (d0 * 2 + d1 mod 2, (d1 + 1) floordiv 4 - d0)>, " \
    "pipeline_mode = #tpu.pipeline_mode<synchronous>}"

static struct arena *arena;

static void setup(void)
{
    cr_assert_null(arena_create(&arena));
}

static void teardown(void)
{
    arena_destroy(arena);
}

TestSuite(mosaic_text, .init = setup, .fini = teardown);

struct job {
    const char *text;
    struct kernel *kernel;
};

static struct error *read_kernel(void *context)
{
    struct job *job = context;
    struct mosaic_source source = {.bytes = job->text, .size = strlen(job->text)};
    return mosaic_read_kernel(arena, &source, &job->kernel);
}

static struct kernel *read_text(const char *text)
{
    struct job job = {.text = text};
    struct error *error = arena_run(arena, read_kernel, &job);
    cr_assert_null(error, "%s", error ? error_message(error, NULL) : "");
    return job.kernel;
}

static void expect_refused(const char *text, PJRT_Error_Code code, const char *message)
{
    struct job job = {.text = text};
    struct error *error = arena_run(arena, read_kernel, &job);
    cr_assert(error, "%s", message);
    cr_expect(strstr(error_message(error, NULL), message), "%s", error_message(error, NULL));
    cr_expect_eq(error_code(error), code, "%s", error_message(error, NULL));
    error_free(error);
}

Test(mosaic_text, reads_functions_windows_and_aliases)
{
    const struct kernel *kernel = read_text(MODULE("13", INDEX_MAP KERNEL(LOAD, WINDOWS)));
    cr_assert(kernel->version == 13 && kernel->grid_rank == 2 && kernel->array_count == 2);
    cr_expect_str_eq(kernel->name, "add");
    cr_expect(kernel->grid[0] == 4 && kernel->grid[1] == 3);
    cr_expect_eq(kernel->semantics[0], KERNEL_PARALLEL);
    cr_expect_str_eq(kernel->windows[0].transform->name, "blocks");
    cr_expect_eq(kernel_array(kernel, 1)->type->space, KERNEL_VMEM);
    const struct kernel_window *window = &kernel->windows[1];
    cr_expect_eq(window->pipeline, KERNEL_SYNCHRONOUS);
    cr_expect(window->bounds.count == 2 && window->bounds.at[0] == 8 && window->bounds.at[1] == 128,
              "the block is the argument's");
}

/* The value of an affine map's operation for grid indices (3, 2). */
static int64_t evaluate(const struct kernel_op *op, int64_t a, int64_t b)
{
    switch (op->code) {
    case KERNEL_CONSTANT: return *(const int32_t *)op->attrs->constant;
    case KERNEL_ADDI: return a + b;
    case KERNEL_SUBI: return a - b;
    case KERNEL_MULI: return a * b;
    case KERNEL_FLOORDIVSI: return a / b - (a % b < 0);
    case KERNEL_CEILDIVSI: return a / b + (a % b > 0);
    default: cr_assert_fail("code %d", op->code); return 0;
    }
}

/* `template` with `part` in place of "HERE". */
static const char *with(const char *template, const char *part)
{
    const char *at = strstr(template, "HERE");
    return arena_format(arena, "%.*s%s%s", (int)(at - template), template, part, at + 4);
}

static const char *with_map(const char *map)
{
    return with(MODULE("13", KERNEL("", "{}, {transform_indices = affine_map<HERE>}")), map);
}

static void expect_map(const char *map, int64_t first, int64_t second)
{
    int64_t values[64] = {3, 2};
    const struct kernel_op *op = read_text(with_map(map))->windows[1].transform->body.first;
    for (; op->code != KERNEL_RETURN; op = op->next)
        values[op->results[0].id] =
            evaluate(op, op->operand_count ? values[op->operands[0]->id] : 0,
                     op->operand_count ? values[op->operands[1]->id] : 0);
    cr_expect_eq(values[op->operands[0]->id], first, "%s", map);
    cr_expect_eq(values[op->operands[1]->id], second, "%s", map);
}

Test(mosaic_text, affine_maps_become_functions)
{
    expect_map("(d0, d1) -> (d0, 0)", 3, 0);
    expect_map("(a, b) -> (b + a * 2 - 1, a * -1 + b)", 7, -1);
    expect_map("(d0, d1) -> ((d0 + d1) * 4 mod 7, -(d0 - d1 * 3))", 6, 3);
    expect_map("(d0, d1) -> ((d1 - d0) floordiv 2, (d0 * 5) ceildiv 4)", -1, 4);
    expect_map("(d0, d1) -> ((d1 - d0 * 3) mod 4, d0 floordiv 2 * 2)", 1, 2);
}

Test(mosaic_text, affine_maps_that_are_wrong_are_refused)
{
    static const struct {
        const char *map, *message;
        PJRT_Error_Code code;
    } cases[] = {
        {"(d0) -> (d0, 0)", "2 dimensions", PJRT_Error_Code_INVALID_ARGUMENT},
        {"(d0, d1, d2) -> (d0, 0)", "2 dimensions", PJRT_Error_Code_INVALID_ARGUMENT},
        {"(d0, d1)[s0] -> (d0, s0)", "symbols", PJRT_Error_Code_UNIMPLEMENTED},
        {"(d0, d1) -> (d0, d3)", "a dimension of the affine map", PJRT_Error_Code_INVALID_ARGUMENT},
        {"(d0, d1) -> (d0 mod 0, d1)", "in [1,", PJRT_Error_Code_INVALID_ARGUMENT},
        {"(d0, d1) -> (d0 floordiv d1, d1)", "integer", PJRT_Error_Code_INVALID_ARGUMENT},
        {"(d0, d1) -> (99999999999, d1)", "in [-2147483648,", PJRT_Error_Code_INVALID_ARGUMENT},
        {"(d0, d1) -> (d0, d1", "expected ','", PJRT_Error_Code_INVALID_ARGUMENT},
        {"(d0, d1) -> (d0)", "1 results", PJRT_Error_Code_INVALID_ARGUMENT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_refused(with_map(cases[i].map), cases[i].code, cases[i].message);
    char deep[1024] = "(d0, d1) -> (d0, ";
    memset(deep + strlen(deep), '(', 200);
    memset(deep + strlen(deep), ')', 201);
    expect_refused(with_map(deep), PJRT_Error_Code_INVALID_ARGUMENT, "nests deeper");
}

/* With operations from line 7 on. */
static const char *with_body(const char *body)
{
    return with(MODULE("13", KERNEL("HERE", "{}, {}")), body);
}

Test(mosaic_text, errors_name_the_line)
{
    static const struct {
        const char *body, *message;
        PJRT_Error_Code code;
    } cases[] = {
        {"\"stable_mosaic.tpu.frobnicate\"() : () -> ()\n", "MLIR text:7:1",
         PJRT_Error_Code_UNIMPLEMENTED},
        {"\"arith.addi\"(%c, %c) : (index, index) -> index\n", "MLIR text:7:1",
         PJRT_Error_Code_UNIMPLEMENTED},
        {"\"stable_mosaic.arith.addi\"(%c, %d) : (index, index) -> index\n",
         "7:32: %d is used before", PJRT_Error_Code_INVALID_ARGUMENT},
        {"\"stable_mosaic.arith.addi\"(%c, %c) : (index, i32) -> index\n",
         "operand 1 does not have this type", PJRT_Error_Code_INVALID_ARGUMENT},
        {"\"stable_mosaic.arith.addi\"(%c, %c) : (index) -> index\n", "1 operands have no type",
         PJRT_Error_Code_INVALID_ARGUMENT},
        {"\"stable_mosaic.arith.addi\"(%c) : (index) -> index\n", "7:1: has 1 operands, 1 results",
         PJRT_Error_Code_INVALID_ARGUMENT},
        {"%c = \"stable_mosaic.arith.addi\"(%c, %c) : (index, index) -> index\n",
         "7:1: %c is already defined", PJRT_Error_Code_INVALID_ARGUMENT},
        {"%a, %b = \"stable_mosaic.arith.addi\"(%c, %c) : (index, index) -> index\n",
         "1 results but names for 2", PJRT_Error_Code_INVALID_ARGUMENT},
        {"\"stable_mosaic.tpu.iota\"() {dimensions = array<i32: 0>} : () -> "
         "vector<8xcomplex<f32>>\n",
         "elements of type complex<f32>", PJRT_Error_Code_UNIMPLEMENTED},
        {"\"stable_mosaic.tpu.iota\"() {dimensions = array<i32: 0>} : () -> "
         "vector<99999x99999x8xi32>\n",
         "their product at most 2^32", PJRT_Error_Code_INVALID_ARGUMENT},
        {"\"stable_mosaic.memref.alloca\"() : () -> memref<8x128xf32, #tpu.memory_space<moon>>\n",
         "7:59: Mosaic kernel: the memory space", PJRT_Error_Code_UNIMPLEMENTED},
        {"\"stable_mosaic.memref.alloca\"() : () -> memref<8x128xf32, 7 : i64>\n",
         "7:59:", PJRT_Error_Code_UNIMPLEMENTED},
        {"\"stable_mosaic.scf.if\"(%c) ({\n^bb0:\n^bb1:\n", "MLIR text:9:1: a region of several",
         PJRT_Error_Code_UNIMPLEMENTED},
        {"\"stable_mosaic.cf.br\"()[^bb1] : () -> ()\n", "7:1: this operation",
         PJRT_Error_Code_UNIMPLEMENTED},
        {"\"stable_mosaic.tpu.memref_slice\"(%x) {operandSegmentSizes = array<i32: 1, 2>} : "
         "(memref<8x128xf32, #tpu.memory_space<vmem>>) -> memref<8x128xf32, #space>\n",
         "7:1: segment 1 of the operands has size 2", PJRT_Error_Code_INVALID_ARGUMENT},
        {"\"stable_mosaic.arith.addi\"(%c, %c) : (index, index",
         "MLIR text:", PJRT_Error_Code_INVALID_ARGUMENT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_refused(with_body(cases[i].body), cases[i].code, cases[i].message);
}

Test(mosaic_text, modules_that_are_wrong_are_refused)
{
    expect_refused("", PJRT_Error_Code_INVALID_ARGUMENT, "MLIR bytecode or a module");
    expect_refused("func.func @f() {}", PJRT_Error_Code_INVALID_ARGUMENT, "a module");
    expect_refused("module {}", PJRT_Error_Code_INVALID_ARGUMENT, "stable_mosaic.version");
    expect_refused(MODULE("99", ""), PJRT_Error_Code_UNIMPLEMENTED, "99 of stable_mosaic is newer");
    expect_refused(MODULE("13", ""), PJRT_Error_Code_INVALID_ARGUMENT, "no function");
    expect_refused(MODULE("13", "\"builtin.module\"() : () -> ()\n"), PJRT_Error_Code_UNIMPLEMENTED,
                   "MLIR text:3:1: a kernel's module");
    expect_refused(MODULE("13", INDEX_MAP) "x", PJRT_Error_Code_INVALID_ARGUMENT,
                   "the end of the text");
    expect_refused(MODULE("13", KERNEL("", "{transform_indices = @lost}, {}")),
                   PJRT_Error_Code_INVALID_ARGUMENT, "name of a function");
}

Test(mosaic_text, deep_regions_are_an_error)
{
    enum { DEPTH = 5000 };
    static const char start[] = "\"stable_mosaic.tpu.region\"() ({\n";
    char *text = arena_alloc(arena, DEPTH * sizeof start + 1);
    for (int i = 0; i < DEPTH; i++)
        memcpy(text + (size_t)i * (sizeof start - 1), start, sizeof start);
    expect_refused(with_body(text), PJRT_Error_Code_INVALID_ARGUMENT, "nested deeper");
}
