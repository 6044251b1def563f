/* memory_plan_test.c: the figures of PJRT_Executable_GetCompiledMemoryStats match the memory use of
 * an execution to the byte, for models of the corpus, on both plugins, through the ABI. */
#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/corpus_case.h"
#include "tools/abi.h"

/* A program and its arguments, on a separate client, so that nothing else uses its memory. */
struct plan_context {
    const PJRT_Api *api;
    PJRT_Client *client;
    PJRT_Device *device;
    PJRT_LoadedExecutable *executable;
    PJRT_Buffer *inputs[CORPUS_MAX_ARRAYS], *outputs[CORPUS_MAX_ARRAYS];
    struct corpus_case item;
};

static struct abi_plugin load(const char *name)
{
    char path[4096];
    struct abi_plugin plugin;
    const char *folder = getenv("GANTRY_LIB");
    snprintf(path, sizeof path, "%s/pjrt_c_api_%s_plugin.so", folder ? folder : "build/lib", name);
    struct error *error = abi_load(path, &plugin);
    cr_assert(!error, "%s: %s", path, error_message(error, NULL));
    return plugin;
}

static void good(struct error *error, const char *what)
{
    cr_assert(!error, "%s: %s", what, error_message(error, NULL));
}

/* ---- parts ----------------------------------------------------------------------------------- */
/* `option`: the create option that limits a memory. */
static void open_client(struct plan_context *t, const PJRT_Api *api, const char *option,
                        int64_t limit)
{
    PJRT_NamedValue value = {.struct_size = PJRT_NamedValue_STRUCT_SIZE,
                             .name = option,
                             .name_size = strlen(option),
                             .type = PJRT_NamedValue_kInt64,
                             .int64_value = limit,
                             .value_size = 1};
    memset(t, 0, sizeof *t);
    t->api = api;
    good(abi_client_create(api, &value, limit != 0, &t->client), option);
    good(abi_first_device(api, t->client, &t->device), option);
}

static void open_context(struct plan_context *t, const PJRT_Api *api, const char *path,
                         int64_t limit)
{
    open_client(t, api, "memory_limit", limit);
    good(corpus_case_read(path, ".mlirbc", &t->item), path);
}

static struct error *compile_text(struct plan_context *t, const char *code, size_t size)
{
    const struct abi_program program = {.code = code, .code_size = size, .format = "mlir"};
    return abi_compile(t->api, t->client, &program, &t->executable);
}

static struct error *run(struct plan_context *t)
{
    for (size_t i = 0; i < t->item.input_count; i++) {
        const struct corpus_array *input = &t->item.inputs[i];
        const struct abi_array array = {.dtype = input->dtype,
                                        .rank = input->rank,
                                        .dims = input->dims,
                                        .bytes = t->item.data + input->offset};
        TRY(abi_upload(t->api, t->client, t->device, &array, &t->inputs[i]));
    }
    return abi_execute(t->api, t->executable, t->inputs, t->item.input_count, t->outputs,
                       t->item.output_count);
}

static void drop_buffers(struct plan_context *t)
{
    for (size_t i = 0; i < CORPUS_MAX_ARRAYS; i++) {
        abi_buffer_destroy(t->api, t->inputs[i]);
        abi_buffer_destroy(t->api, t->outputs[i]);
        t->inputs[i] = t->outputs[i] = NULL;
    }
}

static void close_context(struct plan_context *t)
{
    drop_buffers(t);
    abi_executable_destroy(t->api, t->executable);
    abi_client_destroy(t->api, t->client);
    corpus_case_free(&t->item);
}

static PJRT_Executable_GetCompiledMemoryStats_Args plan_of(const struct plan_context *t)
{
    ABI_ARGS(LoadedExecutable_GetExecutable, get, .loaded_executable = t->executable);
    good(ABI_CALL(t->api, LoadedExecutable_GetExecutable, &get), "executable");
    ABI_ARGS(Executable_GetCompiledMemoryStats, plan, .executable = get.executable);
    good(ABI_CALL(t->api, Executable_GetCompiledMemoryStats, &plan), "plan");
    ABI_DESTROY(t->api, Executable, executable, get.executable);
    return plan;
}

static PJRT_Device_MemoryStats_Args used_by(const struct plan_context *t)
{
    ABI_ARGS(Device_MemoryStats, stats, .device = t->device);
    good(ABI_CALL(t->api, Device_MemoryStats, &stats), "memory stats");
    return stats;
}

/* ---- host memory, by Gantry's own extension -------------------------------------------------- */
static cJSON *parse(PJRT_Gantry_Json json)
{
    cJSON *root = cJSON_ParseWithLength(json.text, json.size);
    cr_assert(root);
    json.deleter(json.holder);
    return root;
}

static const cJSON *member(const cJSON *object, const char *name)
{
    const cJSON *found = cJSON_GetObjectItemCaseSensitive(object, name);
    cr_assert(found, "no %s", name);
    return found;
}

/* The most bytes of a memory kind that the program needs, by its plan. */
static int64_t planned_peak(const struct plan_context *t, const char *kind)
{
    const PJRT_Gantry_Extension *gantry;
    ABI_ARGS(LoadedExecutable_GetExecutable, get, .loaded_executable = t->executable);
    good(abi_gantry(t->api, &gantry), kind);
    good(ABI_CALL(t->api, LoadedExecutable_GetExecutable, &get), "executable");
    PJRT_Gantry_Plan_Args args = {.struct_size = PJRT_Gantry_Plan_Args_STRUCT_SIZE,
                                  .executable = get.executable};
    good(abi_error(t->api, gantry->plan(&args)), "plan");
    ABI_DESTROY(t->api, Executable, executable, get.executable);
    cJSON *json = parse(args.json);
    double peak = member(member(member(json, "memories"), kind), "peak_bytes")->valuedouble;
    cJSON_Delete(json);
    return (int64_t)peak;
}

/* The most bytes of a memory kind that the first device has used. */
static int64_t used_peak(const struct plan_context *t, const char *kind)
{
    const PJRT_Gantry_Extension *gantry;
    PJRT_Gantry_Machine_Args args = {.struct_size = PJRT_Gantry_Machine_Args_STRUCT_SIZE,
                                     .client = t->client};
    int64_t peak = -1;
    good(abi_gantry(t->api, &gantry), kind);
    good(abi_error(t->api, gantry->machine(&args)), "machine");
    cJSON *json = parse(args.json);
    const cJSON *memories = member(cJSON_GetArrayItem(member(json, "devices"), 0), "memories"), *at;
    cJSON_ArrayForEach(at, memories) if (!strcmp(member(at, "kind")->valuestring, kind)) peak =
        (int64_t)member(at, "peak")->valuedouble;
    cJSON_Delete(json);
    return peak;
}

/* ---- checks of each model -------------------------------------------------------------------- */
/* Temporaries in the host's memories, too, take as much as planned. Adds to *offloaded. */
static void expect_planned_host_peak(const struct plan_context *t, const char *path,
                                     int64_t *offloaded)
{
    static const char *const kinds[] = {"pinned_host", "unpinned_host"};
    for (int i = 0; i < 2; i++) {
        int64_t used = used_peak(t, kinds[i]), planned = planned_peak(t, kinds[i]);
        cr_expect_eq(used, planned, "%s: %ld bytes of %s were used, %ld planned", path, (long)used,
                     kinds[i], (long)planned);
        *offloaded += planned;
    }
}

/* Returns the peak of the device's memory. */
static int64_t expect_planned_peak(const PJRT_Api *api, const char *path, int64_t *offloaded)
{
    static struct plan_context t; /* large */
    open_context(&t, api, path, 0);
    good(compile_text(&t, t.item.program, t.item.program_size), path);
    PJRT_Executable_GetCompiledMemoryStats_Args plan = plan_of(&t);
    cr_expect_eq(used_by(&t).bytes_in_use, plan.indefinite_allocations, "%s", path);
    for (int i = 0; i < 3; i++) { /* the first run creates the plans of library calls */
        good(run(&t), path);
        PJRT_Device_MemoryStats_Args used = used_by(&t);
        cr_expect_eq(used.peak_bytes_in_use, plan.peak_memory_in_bytes,
                     "%s: %ld bytes were used, %ld planned", path, (long)used.peak_bytes_in_use,
                     (long)plan.peak_memory_in_bytes);
        drop_buffers(&t);
        cr_expect_eq(used_by(&t).bytes_in_use, plan.indefinite_allocations, "%s", path);
    }
    expect_planned_host_peak(&t, path, offloaded);
    cr_expect_leq(plan.peak_unpadded_heap_bytes, plan.peak_memory_in_bytes, "%s", path);
    close_context(&t);
    return plan.peak_memory_in_bytes;
}

static void expect_it_fits(const PJRT_Api *api, const char *path, int64_t limit)
{
    static struct plan_context t;
    open_context(&t, api, path, limit);
    good(compile_text(&t, t.item.program, t.item.program_size), path);
    for (int i = 0; i < 2; i++) {
        good(run(&t), path);
        drop_buffers(&t);
    }
    close_context(&t);
}

/* The program is rejected with a message that lists the largest values and advice, and the next
 * program runs. */
static void expect_it_is_rejected(const PJRT_Api *api, const char *path, int64_t limit)
{
    static const char next[] = "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n"
                               "  %0 = stablehlo.add %x, %x : tensor<f32>\n"
                               "  return %0 : tensor<f32>\n"
                               "}\n";
    static struct plan_context t;
    float value = 2;
    open_context(&t, api, path, limit);
    struct error *error = compile_text(&t, t.item.program, t.item.program_size);
    cr_assert(error, "%s fits into %ld bytes", path, (long)limit);
    cr_expect_eq(error_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED);
    const char *message = error_message(error, NULL);
    bool lists =
        strstr(message, "Largest at the peak:\n  ") || strstr(message, "Total hbm usage: ");
    cr_expect(lists && strstr(message, "memory_limit"), "%s", message);
    error_free(error);
    good(compile_text(&t, next, strlen(next)), "the next program");
    const struct abi_array array = {.dtype = DTYPE_F32, .bytes = &value};
    good(abi_upload(api, t.client, t.device, &array, &t.inputs[0]), "the next program");
    good(abi_execute(api, t.executable, t.inputs, 1, t.outputs, 1), "the next program");
    good(abi_download(api, t.outputs[0], &value, sizeof value), "the next program");
    cr_expect_eq(value, 4);
    close_context(&t);
}

static void check_models(const char *name)
{
    glob_t found;
    struct abi_plugin plugin = load(name);
    int64_t offloaded = 0;
    cr_assert_eq(glob("build/corpus/models/*.case", 0, NULL, &found), 0);
    glob("../shared/corpus/models/*.case", GLOB_APPEND, NULL, &found);
    cr_assert_geq(found.gl_pathc, 12);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *path = found.gl_pathv[i];
        int64_t peak = expect_planned_peak(plugin.api, path, &offloaded);
        expect_it_fits(plugin.api, path, peak);
        expect_it_is_rejected(plugin.api, path, peak - 1);
    }
    cr_expect_gt(offloaded, 0, "no model uses the host's memory");
    globfree(&found);
    abi_unload(&plugin);
}

/* ---- other memory kinds ---------------------------------------------------------------------- */
/* Both results are in host memory. */
static const char offloading[] =
    "func.func @main(%%x: tensor<1000xf32>) -> (tensor<1000xf32> {mhlo.memory_kind = \"%s\"}, "
    "tensor<10xf32> {mhlo.memory_kind = \"%s\"}) {\n"
    "  %%0 = stablehlo.add %%x, %%x : tensor<1000xf32>\n"
    "  %%1 = stablehlo.slice %%0 [0:10] : (tensor<1000xf32>) -> tensor<10xf32>\n"
    "  return %%0, %%1 : tensor<1000xf32>, tensor<10xf32>\n"
    "}\n";
enum { OFFLOADED = 4032 + 64 }; /* both, rounded up to 64 bytes */

static void check_memory_kind(const PJRT_Api *api, const char *kind, const char *option)
{
    static struct plan_context t;
    char text[sizeof offloading + 64];
    float x[1000] = {0};
    const struct abi_array array = {
        .dtype = DTYPE_F32, .rank = 1, .dims = (int64_t[]){1000}, .bytes = x};
    int size = snprintf(text, sizeof text, offloading, kind, kind);
    open_client(&t, api, option, OFFLOADED);
    good(compile_text(&t, text, (size_t)size), kind);
    cr_expect_eq(plan_of(&t).host_output_size_in_bytes, 4040);
    cr_expect_lt(plan_of(&t).output_size_in_bytes, 1000, "a TPU's table of the results' addresses");
    good(abi_upload(api, t.client, t.device, &array, &t.inputs[0]), kind);
    good(abi_execute(api, t.executable, t.inputs, 1, t.outputs, 2), kind);
    cr_expect_eq(planned_peak(&t, kind), OFFLOADED);
    cr_expect_eq(used_peak(&t, kind), OFFLOADED);
    close_context(&t);
    open_client(&t, api, option, OFFLOADED - 1);
    struct error *error = compile_text(&t, text, (size_t)size);
    cr_assert(error, "%s: 4096 bytes fit into 4095", kind);
    cr_expect_eq(error_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED);
    cr_expect(strstr(error_message(error, NULL), kind) &&
                  strstr(error_message(error, NULL), option),
              "%s", error_message(error, NULL));
    error_free(error);
    close_context(&t);
}

Test(memory_plan, of_memories_of_the_host)
{
    static const char *const names[] = {"gantry", "gantrytpu"};
    for (int i = 0; i < 2; i++) {
        struct abi_plugin plugin = load(names[i]);
        check_memory_kind(plugin.api, "pinned_host", "pinned_host_memory_limit");
        check_memory_kind(plugin.api, "unpinned_host", "unpinned_host_memory_limit");
        abi_unload(&plugin);
    }
}

/* ---- donation -------------------------------------------------------------------------------- */
/* The product is a temporary; the sum reuses the memory of %x. */
static const char donating[] =
    "func.func @main(%x: tensor<64x64xf32> {tf.aliasing_output = 0 : i32}, %y: tensor<64x64xf32>) "
    "-> tensor<64x64xf32> {\n"
    "  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<64x64xf32>, "
    "tensor<64x64xf32>) -> tensor<64x64xf32>\n"
    "  %1 = stablehlo.dot_general %0, %0, contracting_dims = [1] x [0] : (tensor<64x64xf32>, "
    "tensor<64x64xf32>) -> tensor<64x64xf32>\n"
    "  %2 = stablehlo.add %x, %1 : tensor<64x64xf32>\n"
    "  return %2 : tensor<64x64xf32>\n"
    "}\n";

Test(memory_plan, of_donated_arguments)
{
    static struct plan_context t;
    static float zeros[64 * 64];
    const struct abi_array array = {
        .dtype = DTYPE_F32, .rank = 2, .dims = (int64_t[]){64, 64}, .bytes = zeros};
    struct abi_plugin plugin = load("gantry");
    open_client(&t, plugin.api, "memory_limit", 0);
    good(compile_text(&t, donating, sizeof donating - 1), "donating");
    PJRT_Executable_GetCompiledMemoryStats_Args plan = plan_of(&t);
    cr_expect_eq(plan.alias_size_in_bytes, sizeof zeros);
    for (int i = 0; i < 2; i++) {
        good(abi_upload(t.api, t.client, t.device, &array, &t.inputs[0]), "x");
        good(abi_upload(t.api, t.client, t.device, &array, &t.inputs[1]), "y");
        good(abi_execute(t.api, t.executable, t.inputs, 2, t.outputs, 1), "donating");
        cr_expect_eq(used_by(&t).peak_bytes_in_use, plan.peak_memory_in_bytes);
        drop_buffers(&t);
    }
    cr_expect_eq(plan.peak_memory_in_bytes, 2 * (int64_t)sizeof zeros + plan.temp_size_in_bytes);
    close_context(&t);
    abi_unload(&plugin);
}

/* ---- models ---------------------------------------------------------------------------------- */
Test(memory_plan, of_models_on_the_cpu)
{
    check_models("gantry");
}

Test(memory_plan, of_models_on_the_tpu_model)
{
    check_models("gantrytpu");
}

/* ---- expected time --------------------------------------------------------------------------- */
static bool has_time(const PJRT_Executable_GetCostAnalysis_Args *costs)
{
    static const char name[] = "optimal_seconds";
    for (size_t i = 0; i < costs->num_properties; i++)
        if (costs->properties[i].name_size == sizeof name - 1 &&
            !memcmp(costs->properties[i].name, name, sizeof name - 1))
            return costs->properties[i].float_value > 0;
    return false;
}

Test(memory_plan, the_expected_time)
{
    static struct plan_context t;
    for (int is_tpu = 0; is_tpu < 2; is_tpu++) {
        struct abi_plugin plugin = load(is_tpu ? "gantrytpu" : "gantry");
        open_client(&t, plugin.api, "memory_limit", 0);
        good(compile_text(&t, donating, sizeof donating - 1), "donating");
        ABI_ARGS(LoadedExecutable_GetExecutable, get, .loaded_executable = t.executable);
        good(ABI_CALL(t.api, LoadedExecutable_GetExecutable, &get), "executable");
        ABI_ARGS(Executable_GetCostAnalysis, costs, .executable = get.executable);
        good(ABI_CALL(t.api, Executable_GetCostAnalysis, &costs), "costs");
        cr_expect(has_time(&costs));
        ABI_DESTROY(t.api, Executable, executable, get.executable);
        close_context(&t);
        abi_unload(&plugin);
    }
}
