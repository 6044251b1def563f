/* spmd_growth_test.c: what the passes allocate for sharded programs grows in proportion to the
 * program, and not with the devices. Bytes of the arena count work without a clock: they are the
 * same in every run. */
#include <criterion/criterion.h>

#include "base/text.h"
#include "compiler/driver/compile_source.h"
#include "compiler/passes/canonicalize/canonicalize.h"
#include "compiler/passes/cleanup/cse.h"
#include "compiler/passes/cleanup/dce.h"
#include "compiler/passes/cleanup/inline.h"
#include "compiler/passes/fusion/fusion.h"
#include "compiler/passes/spmd/collective_combine.h"
#include "compiler/passes/spmd/partition.h"
#include "compiler/passes/spmd/propagate.h"
#include "compiler/passes/spmd/reduce_scatter_match.h"
#include "compiler/target_fixture.h"

#define MATRIX "tensor<1024x1024xf32>"
#define SPLIT " {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {\"y\"}]>}"

/* Writes the operations of main, of which %r is the result. */
typedef void family_writer(struct text *out, int size);

static void products(struct text *out, int size)
{
    text_add(out, "  %%r0 = stablehlo.tanh %%a0 : " MATRIX "\n");
    for (int i = 0; i < size; i++)
        text_add(
            out,
            "  %%p%d = stablehlo.dot_general %%r%d, %%a0, contracting_dims = [1] x [0] : (" MATRIX
            ", " MATRIX ") -> " MATRIX "\n  %%r%d = stablehlo.tanh %%p%d : " MATRIX "\n",
            i, i, i + 1, i);
    text_add(out, "  %%r = stablehlo.negate %%r%d : " MATRIX "\n", size);
}

/* Sums over all devices that do not depend on each other. */
static void all_reduces(struct text *out, int size)
{
    text_add(out,
             "  %%z = stablehlo.constant dense<0.0> : tensor<f32>\n  %%s0 = stablehlo.constant "
             "dense<0.0> : tensor<f32>\n");
    for (int i = 0; i < size; i++)
        text_add(out,
                 "  %%c%d = stablehlo.constant dense<%d.5> : " MATRIX
                 "\n  %%m%d = stablehlo.multiply %%a0, %%c%d : " MATRIX
                 "\n  %%t%d = stablehlo.reduce(%%m%d init: %%z) applies stablehlo.add across "
                 "dimensions = [0, 1] : (" MATRIX ", tensor<f32>) -> tensor<f32>\n"
                 "  %%s%d = stablehlo.maximum %%s%d, %%t%d : tensor<f32>\n",
                 i, i, i, i, i, i, i + 1, i, i);
    text_add(out,
             "  %%r = stablehlo.broadcast_in_dim %%s%d, dims = [] : (tensor<f32>) -> " MATRIX "\n",
             size);
}

static void sum_of_arrays(struct text *out, int size)
{
    text_add(out, "  %%r0 = stablehlo.tanh %%a0 : " MATRIX "\n");
    for (int i = 0; i < size; i++)
        text_add(out,
                 "  %%c%d = stablehlo.constant dense<%d.5> : " MATRIX
                 "\n  %%m%d = stablehlo.power %%a0, %%c%d : " MATRIX
                 "\n  %%r%d = stablehlo.add %%r%d, %%m%d : " MATRIX "\n",
                 i, i, i, i, i + 1, i, i);
    text_add(out, "  %%r = stablehlo.negate %%r%d : " MATRIX "\n", size);
}

static void reshards(struct text *out, int size)
{
    static const char *const ways[] = {"[{\"x\"}, {}]", "[{}, {\"y\"}]", "[{\"y\"}, {\"x\"}]",
                                       "[{\"x\", \"y\"}, {}]", "[{}, {}]"};
    text_add(out, "  %%r0 = stablehlo.tanh %%a0 : " MATRIX "\n");
    for (int i = 0; i < size; i++)
        text_add(out,
                 "  %%t%d = stablehlo.tanh %%r%d : " MATRIX
                 "\n  %%r%d = sdy.sharding_constraint %%t%d <@mesh, %s> : " MATRIX "\n",
                 i, i, i + 1, i, ways[i % 5]);
    text_add(out, "  %%r = stablehlo.negate %%r%d : " MATRIX "\n", size);
}

static void calls(struct text *out, int size)
{
    for (int i = 0; i < size; i++)
        text_add(out, "  %%%s%d = func.call @f0(%%%s%d) : (" MATRIX ") -> " MATRIX "\n", "r", i + 1,
                 i ? "r" : "a", i);
    text_add(out, "  %%r = stablehlo.negate %%r%d : " MATRIX "\n", size);
}

/* Functions that call each other. */
static void nested_calls(struct text *out, int size)
{
    text_add(out, "  %%r = func.call @f%d(%%a0) : (" MATRIX ") -> " MATRIX "\n", size);
}

static void add_functions(struct text *out, int size)
{
    text_add(out, "func.func private @f0(%%a: " MATRIX ") -> " MATRIX
                  " {\n  %%t = stablehlo.tanh %%a : " MATRIX "\n  return %%t : " MATRIX "\n}\n");
    for (int i = 0; i < size; i++)
        text_add(out,
                 "func.func private @f%d(%%a: " MATRIX ") -> " MATRIX
                 " {\n  %%t = func.call @f%d(%%a) : (" MATRIX ") -> " MATRIX
                 "\n  %%c = sdy.sharding_constraint %%t <@mesh, [{\"x\"}, {}]> : " MATRIX
                 "\n  return %%c : " MATRIX "\n}\n",
                 i + 1, i);
}

static void add_module(struct text *out, family_writer *family, int size, int x, int y)
{
    text_add(out,
             "module @m attributes {mhlo.num_partitions = %d : i32} {\n"
             "sdy.mesh @mesh = <[\"x\"=%d, \"y\"=%d]>\n",
             x * y, x, y);
    if (family == calls || family == nested_calls)
        add_functions(out, family == calls ? 0 : size);
    text_add(out, "func.func @main(%%a0: " MATRIX SPLIT ") -> " MATRIX " {\n");
    family(out, size);
    text_add(out, "  return %%r : " MATRIX "\n}\n}\n");
}

struct work {
    struct arena *arena;
    struct text text;
    bool clears; /* the scratch after each pass, as the pipeline does */
};

static struct error *run_work(void *context)
{
    struct work *work = context;
    struct arena *arena = work->arena;
    const struct text *text = &work->text;
    static struct error *(*const passes[])(struct module *, const struct target *) = {
        inline_run, propagate_run,    spmd_partition_run,     cse_run, reduce_scatter_match_run,
        dce_run,    canonicalize_run, collective_combine_run, cse_run, fusion_run};
    struct compile_source source = {
        .format = "mlir", .format_size = 4, .bytes = text->data, .size = text->size};
    struct target target = target_fixture();
    struct module *module;
    TRY(compile_source_read(arena, &source, &module));
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
        TRY(passes[i](module, &target));
        if (work->clears)
            arena_scratch_clear(arena);
    }
    return NULL;
}

/* Bytes that the program takes from its arena; `clears`: that it still has at the end. */
static double bytes_taken(family_writer *family, int size, int x, int y, bool clears)
{
    struct work work = {.clears = clears};
    cr_assert_null(arena_create(&work.arena));
    add_module(&work.text, family, size, x, y);
    struct error *error = arena_run(work.arena, run_work, &work);
    cr_assert_null(error, "%s", error ? error_message(error, NULL) : "");
    double bytes = (double)arena_used(work.arena);
    arena_destroy(work.arena);
    text_free(&work.text);
    return bytes;
}

static double bytes_of(family_writer *family, int size, int x, int y)
{
    return bytes_taken(family, size, x, y, false);
}

/* Twice as much for twice as much; lists that grow by doubling are not exact. */
static void expect_linear(family_writer *family, int size)
{
    double one = bytes_of(family, size, 2, 4), two = bytes_of(family, 2 * size, 2, 4),
           four = bytes_of(family, 4 * size, 2, 4);
    cr_expect_leq(four - two, 2.3 * (two - one), "%g, %g and %g bytes", one, two, four);
}

Test(spmd_growth, products)
{
    expect_linear(products, 100);
}

Test(spmd_growth, independent_all_reduces)
{
    expect_linear(all_reduces, 100);
}

Test(spmd_growth, sum_of_arrays)
{
    expect_linear(sum_of_arrays, 100);
}

Test(spmd_growth, reshards)
{
    expect_linear(reshards, 100);
}

Test(spmd_growth, calls)
{
    expect_linear(calls, 100);
}

Test(spmd_growth, nested_calls)
{
    expect_linear(nested_calls, 50);
}

/* What is as long as there are devices, exists once. */
static void expect_independent_of_devices(family_writer *family, int size, double most)
{
    double few = bytes_of(family, 2 * size, 16, 16) - bytes_of(family, size, 16, 16),
           many = bytes_of(family, 2 * size, 32, 32) - bytes_of(family, size, 32, 32);
    cr_expect_leq(many, 1.2 * few, "%g bytes with 256 devices, %g with 1,024", few / size,
                  many / size);
    cr_expect_leq(many / size, most, "%g bytes for each", many / size);
}

Test(spmd_growth, products_over_many_devices)
{
    expect_independent_of_devices(products, 100, 45000);
}

Test(spmd_growth, reshards_over_many_devices)
{
    expect_independent_of_devices(reshards, 100, 40000);
}

/* Equal types, shardings and tilings exist once, and what a pass finds out ends with it. */
Test(spmd_growth, products_keep_little)
{
    double one = bytes_taken(products, 500, 32, 32, true),
           two = bytes_taken(products, 1000, 32, 32, true);
    cr_expect_leq((two - one) / 500, 8000, "%g bytes for each", (two - one) / 500);
}
