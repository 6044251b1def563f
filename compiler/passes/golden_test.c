/* Each pass on small modules: testdata/<pass>/<case>.mlir is
 *
 *   // run: fold cse        the passes, in this order
 *   <a module>
 *   // ----
 *   <the module afterwards>
 *
 * after buffer_assign also the slice of every value. `make golden` writes the second part anew; a
 * change in it is then reviewed as a change of the pass. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/compile.h"
#include "compiler/ir/ir.h"
#include "compiler/passes/arithmetic/contract.h"
#include "compiler/passes/buffer/buffer_assign.h"
#include "compiler/passes/canonicalize/canonicalize.h"
#include "compiler/passes/cleanup/cse.h"
#include "compiler/passes/cleanup/dce.h"
#include "compiler/passes/cleanup/inline.h"
#include "compiler/passes/expand/dynamic.h"
#include "compiler/passes/expand/small_systems.h"
#include "compiler/passes/expand/sort_keys.h"
#include "compiler/passes/fold/fold.h"
#include "compiler/passes/fold/simplify.h"
#include "compiler/passes/fusion/attention.h"
#include "compiler/passes/fusion/attention_backward.h"
#include "compiler/passes/fusion/fusion.h"
#include "compiler/passes/fusion/outline.h"
#include "compiler/passes/fusion/siblings.h"
#include "compiler/passes/fusion/sliced_steps.h"
#include "compiler/passes/fusion/updates.h"
#include "compiler/passes/layout/entry_layouts.h"
#include "compiler/passes/layout/layout.h"
#include "compiler/passes/loops/hoist.h"
#include "compiler/passes/loops/loop_products.h"
#include "compiler/passes/loops/loop_sums.h"
#include "compiler/passes/loops/stacked_updates.h"
#include "compiler/passes/loops/unroll.h"
#include "hostoffload/hostoffload.h"
#include "compiler/passes/moves/update_sum.h"
#include "compiler/passes/products/small_product.h"
#include "compiler/passes/products/thin_product.h"
#include "compiler/passes/products/vector_product.h"
#include "compiler/passes/reduce/reduce_merge.h"
#include "compiler/passes/reduce/reduce_split.h"
#include "compiler/passes/spmd/collective_combine.h"
#include "compiler/passes/spmd/send_early.h"
#include "compiler/passes/spmd/partition.h"
#include "compiler/passes/spmd/propagate.h"
#include "compiler/passes/spmd/reduce_scatter_match.h"
#include "compiler/passes/spmd/spmd_annotations.h"
#include "compiler/target_fixture.h"

#define FOLDER "compiler/passes/testdata/"

enum { MAX_PATH = 256, MAX_FILE = 1 << 16, CASES_PER_PASS = 2 };

struct golden {
    char path[MAX_PATH];
    char text[MAX_FILE]; /* of the file */
    const char *passes;  /* of the first line */
    const char *input;
    const char *expected;
    struct arena *arena;
    struct text printed;
};

static const struct {
    const char *name;
    struct error *(*run)(struct module *module, const struct target *target);
} passes[] = {
    {"inline", inline_run},
    {"spmd_annotations", spmd_annotations_run},
    {"entry_layouts", entry_layouts_run},
    {"fold", fold_run},
    {"simplify", simplify_run},
    {"dynamic", dynamic_run},
    {"collective_combine", collective_combine_run},
    {"send_early", send_early_run},
    {"reduce_scatter_match", reduce_scatter_match_run},
    {"canonicalize", canonicalize_run},
    {"cse", cse_run},
    {"dce", dce_run},
    {"small_systems", small_systems_run},
    {"stacked_updates", stacked_updates_run},
    {"unroll", unroll_run},
    {"hoist", hoist_run},
    {"loop_products", loop_products_run},
    {"loop_sums", loop_sums_run},
    {"spmd_propagate", propagate_run},
    {"update_sum", update_sum_run},
    {"thin_product", thin_product_run},
    {"vector_product", vector_product_run},
    {"small_product", small_product_run},
    {"sort_keys", sort_keys_run},
    {"reduce_split", reduce_split_run},
    {"reduce_merge", reduce_merge_run},
    {"layout", layout_run},
    {"contract", contract_run},
    {"offload_annotations", offload_annotations_run},
    {"offload_placement", offload_placement_run},
    {"offload_prefetch", offload_prefetch_run},
    {"offload_schedule", offload_schedule_run},
    {"spmd_partition", spmd_partition_run},
    {"fusion", fusion_run},
    {"outline", outline_run},
    {"siblings", siblings_run},
    {"sliced_steps", sliced_steps_run},
    {"updates", updates_run},
    {"attention", attention_run},
    {"attention_backward", attention_backward_run},
    {"buffer_assign", NULL}, /* makes a plan of the module */
};
enum { PASSES = sizeof passes / sizeof *passes };

/* ---- a plan as text -------------------------------------------------------------------------- */

static void print_slice(struct golden *golden, const struct buffer_plan *plan,
                        const struct value *value, const char *what, int number)
{
    static const char *const kinds[] = {"parameter", "result", "constants", "temp"};
    const struct slice *slice = buffer_plan_slice(plan, value);
    if (!slice)
        return;
    const struct allocation *allocation = &plan->allocations[slice->allocation];
    text_add(&golden->printed, "// %s%d: %s", what, number, kinds[allocation->kind]);
    if (allocation->kind < ALLOCATION_CONSTANTS)
        text_add(&golden->printed, " %d", allocation->index);
    if (allocation->memory != MEMORY_DEVICE)
        text_add(&golden->printed, " in %s", memory_kind_name(allocation->memory));
    text_add(&golden->printed, " [%llu, %llu)\n", (unsigned long long)slice->offset,
             (unsigned long long)(slice->offset + slice->size));
}

/* The slices of the entry's arguments and of the operations directly in it. */
static void print_plan(struct golden *golden, const struct module *module,
                       const struct buffer_plan *plan)
{
    const struct block *body = module->entry->body;
    int number = 0;
    for (int i = 0; i < body->argument_count; i++)
        print_slice(golden, plan, &body->arguments[i], "argument ", i);
    for (const struct op *op = body->first; op; op = op->next, number++)
        for (int i = 0; i < op->result_count; i++)
            print_slice(golden, plan, &op->results[i], "operation ", number);
    for (enum memory_kind kind = 0; kind < MEMORY_KIND_COUNT; kind++)
        if (buffer_plan_temp_size(plan, kind) || kind == MEMORY_DEVICE)
            text_add(&golden->printed, "// temp%s%s: %llu bytes\n", kind ? " in " : "",
                     kind ? memory_kind_name(kind) : "",
                     (unsigned long long)buffer_plan_temp_size(plan, kind));
}

/* ---- one file -------------------------------------------------------------------------------- */

/* Splits the text at its marks. */
static void read_golden(struct golden *golden)
{
    FILE *file = fopen(golden->path, "rb");
    cr_assert(file, "cannot open %s", golden->path);
    size_t size = fread(golden->text, 1, sizeof golden->text - 1, file);
    cr_assert(feof(file) || size < sizeof golden->text - 1, "%s is too large", golden->path);
    fclose(file);
    char *line_end = strchr(golden->text, '\n'), *mark = strstr(golden->text, "// ----\n");
    cr_assert(line_end && !strncmp(golden->text, "// run: ", 8), "%s has no run line",
              golden->path);
    *line_end = '\0';
    golden->passes = golden->text + 8;
    golden->input = line_end + 1;
    golden->expected = mark ? mark + 8 : "";
    if (mark)
        *mark = '\0';
}

static struct error *run_pass(struct golden *golden, const char *name, struct module *module,
                              const struct target *target)
{
    for (int i = 0; i < PASSES; i++)
        if (!strcmp(passes[i].name, name) && passes[i].run)
            return passes[i].run(module, target);
    cr_assert_str_eq(name, "buffer_assign", "%s: no pass is named %s", golden->path, name);
    struct buffer_plan *plan;
    TRY(buffer_assign_entry(module, target, NULL, &plan));
    print_plan(golden, module, plan);
    return NULL;
}

static struct error *run_golden(void *context)
{
    struct golden *golden = context;
    struct target target = target_fixture();
    struct compile_source source = {
        .format = "mlir", .format_size = 4, .bytes = golden->input, .size = strlen(golden->input)};
    struct module *module;
    struct text slices;
    char names[MAX_PATH];
    target.isa.vector_bytes = 32; /* the same on every machine */
    snprintf(names, sizeof names, "%s", golden->passes);
    TRY(compile_source_read(golden->arena, &source, &module));
    for (char *name = strtok(names, " "); name; name = strtok(NULL, " ")) {
        TRY(run_pass(golden, name, module, &target));
        TRY(ir_verify(module, false));
    }
    slices = golden->printed;
    golden->printed = (struct text){0};
    ir_print(module, &golden->printed);
    text_add(&golden->printed, "%.*s", (int)slices.size, slices.data ? slices.data : "");
    text_free(&slices);
    return NULL;
}

static void write_golden(const struct golden *golden)
{
    FILE *file = fopen(golden->path, "wb");
    cr_assert(file, "cannot write %s", golden->path);
    fprintf(file, "// run: %s\n%s// ----\n%s", golden->passes, golden->input, golden->printed.data);
    cr_assert_eq(fclose(file), 0);
}

/* ---- the tests ------------------------------------------------------------------------------- */

ParameterizedTestParameters(golden, file)
{
    static char(*paths)[MAX_PATH];
    glob_t found;
    size_t count = glob(FOLDER "*/*.mlir", 0, NULL, &found) ? 0 : found.gl_pathc;
    paths = cr_malloc((count + 1) * MAX_PATH);
    for (size_t i = 0; i < count; i++)
        snprintf(paths[i], MAX_PATH, "%s", found.gl_pathv[i]);
    globfree(&found);
    return cr_make_param_array(char[MAX_PATH], paths, count, NULL);
}

ParameterizedTest(const char *path, golden, file)
{
    static struct golden golden;
    const char *wanted = getenv("GANTRY_GOLDEN");
    snprintf(golden.path, sizeof golden.path, "%s", path);
    read_golden(&golden);
    cr_assert_null(arena_create(&golden.arena));
    struct error *error = arena_run(golden.arena, run_golden, &golden);
    cr_assert_null(error, "%s: %s", path, error ? error_message(error, NULL) : "");
    if (wanted && !strcmp(wanted, "write"))
        write_golden(&golden);
    else
        cr_expect_str_eq(golden.printed.data, golden.expected,
                         "%s: the pass gives something else:\n%s", path, golden.printed.data);
    text_free(&golden.printed);
    arena_destroy(golden.arena);
}

Test(golden, every_pass_has_cases)
{
    for (int i = 0; i < PASSES; i++) {
        char pattern[MAX_PATH];
        glob_t found;
        snprintf(pattern, sizeof pattern, FOLDER "%s/*.mlir", passes[i].name);
        size_t count = glob(pattern, 0, NULL, &found) ? 0 : found.gl_pathc;
        cr_expect_geq(count, CASES_PER_PASS, "%s has %zu", pattern, count);
        globfree(&found);
    }
}
