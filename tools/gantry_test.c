/* gantry_test.c: tests the output and the exit status of the command. GANTRY_LIB is the folder of
 * the libraries; the command is in the sibling folder bin. */
#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tools/command_fixture.h"

#define ADD "conformance/programs/add.mlirbc "
#define INPUTS "--input 4xf32=1,2,3,4 --input 4xf32=0.5 "

Test(gantry, help)
{
    expect("", 2, "gantry COMMAND");
    expect("help", 0, "gantry COMMAND");
    expect("help run", 0, "gantry run PROGRAM");
    expect("bench --help", 0, "gantry bench PROGRAM");
    expect("--version", 0, "gantry ");
    expect("fly", 2, "gantry: INVALID_ARGUMENT: unknown command 'fly'; gantry help lists");
    expect("help fly", 2, "gantry: INVALID_ARGUMENT: unknown command 'fly'");
    expect("version", 0, "gantry 0.");
    expect("rnu", 2, "unknown command 'rnu'; did you mean gantry run?");
    expect("run " ADD "--inptu 4xf32=1", 2, "'--inptu'; did you mean --input?");
    expect("info --jsn", 2, "'--jsn'; did you mean --json?");
}

Test(gantry, run)
{
    expect("run " ADD INPUTS, 0, "0: 4xf32 = [1.5 2.5 3.5 4.5]\n");
    expect("run " ADD INPUTS "--repeat 3", 0, "0: 4xf32 = [1.5 2.5 3.5 4.5]\n");
    expect("run conformance/programs/constants.mlirbc", 0,
           "0: 2x3xf32 =\n[[0. 1. 2.]\n [3. 4. 5.]]\n1: s32 = 7\n");
}

/* Functions by name, and results as JSON; inputs are checked before the program is compiled. */
Test(gantry, run_another_function)
{
#define TWO "tools/testdata/two_functions.mlir "
    expect("run " TWO, 1, "the module m has no function @main; it has @f, @g");
    expect("run " TWO "--function h", 1, "the module m has no function @h; it has @f, @g");
    expect("run " TWO "--function f", 0,
           "  signature: @f(pred, 2x3xu8, c64) -> (pred)\n"
           "  example:   gantry run " TWO "--function f --input pred=1 --input 2x3xu8=random:1 "
           "--input c64=1\n");
    expect("run " TWO "--function f --input pred=1 --input 2x3xu8=random:1 --input c64=1", 0,
           "0: pred = true\n");
    expect("run " TWO "--function g --input 3xbf16=1", 1, "input 0 is 3xbf16, expected 2xbf16");
    expect("run " TWO "--function g --input 2xbf16=nan,1 --json", 0,
           "{\"dtype\":\"bf16\",\"dims\":[2],\"values\":[\"nan\",1.0]}\n]}\n");
    cr_assert_eq(gantry("run " TWO "--function g --input 2xbf16=1 --quiet"), 0);
    cr_assert_str_eq(shown, "");
}

Test(gantry, run_in_vain)
{
    expect("run", 2, "no program is given");
    expect("run " ADD "--fly", 2, "unknown argument '--fly'");
    expect("run " ADD "--input", 2, "--input needs a value");
    expect("run /no/such/program", 1, "gantry: NOT_FOUND: /no/such/program");
    expect("run Makefile", 1, "gantry: INVALID_ARGUMENT: Makefile: MLIR text:1:1");
    expect("run " ADD, 0, "  signature: @main(4xf32, 4xf32)");
    expect("run - " INPUTS "<" ADD, 0, "0: 4xf32 = [1.5 2.5 3.5 4.5]\n");
    expect("run - </dev/null", 1, "gantry: INVALID_ARGUMENT: -: ");
    expect("run " ADD "--input 5xf32=1 --input 4xf32=1", 1, "gantry: INVALID_ARGUMENT: ");
    expect("run " ADD "--input 4xf33=1", 1, "unknown element type 'f33'");
    expect("run " ADD "--plugin /no/such/plugin.so", 3, "gantry: NOT_FOUND: ");
    expect("run " ADD "--plugin /lib/x86_64-linux-gnu/libm.so.6", 3, "not a PJRT plugin");
    expect("run " ADD "--plugin libm.so.6", 3, "not a PJRT plugin");
    expect("run " ADD "--plugin Makefile", 3, "./Makefile: ");
}

Test(gantry, run_with_a_plugin_that_was_cut_short)
{
    char file[] = "/tmp/gantry_test_XXXXXX", line[300];
    close(mkstemp(file));
    snprintf(line, sizeof line, "head -c 9000 /lib/x86_64-linux-gnu/libm.so.6 >%s", file);
    cr_assert_eq(system(line), 0);
    snprintf(line, sizeof line, "run " ADD "--plugin %s", file);
    expect(line, 3, "is truncated");
    cr_expect_eq(unlink(file), 0);
}

Test(gantry, run_stores_and_compares)
{
    char folder[] = "/tmp/gantry_test_XXXXXX", line[1024];
    cr_assert_not_null(mkdtemp(folder));
    snprintf(line, sizeof line, "run " ADD INPUTS "--output %s", folder);
    cr_assert_eq(gantry(line), 0, "%s", shown);
    cr_assert_str_eq(shown, "");
    snprintf(line, sizeof line, "run " ADD INPUTS "--expect %s/0.npy", folder);
    cr_assert_eq(gantry(line), 0, "%s", shown);
    cr_assert_str_eq(shown, "");
    snprintf(line, sizeof line,
             "run " ADD "--input 4xf32=1,2,3,5 --input 4xf32=0.5 --expect %s/0.npy", folder);
    expect(line, 1, "1 of 4 elements differ");
    snprintf(line, sizeof line, "run " ADD "--input 4xf32=0 --input @%s/0.npy", folder);
    expect(line, 0, "[1.5 2.5 3.5 4.5]");
    snprintf(line, sizeof line, "%s/0.npy", folder);
    unlink(line);
    rmdir(folder);
}

static double figure(const cJSON *json, const char *name)
{
    const cJSON *item = cJSON_GetObjectItem(json, name);
    cr_assert(cJSON_IsNumber(item), "%s", name);
    return item->valuedouble;
}

Test(gantry, bench_of_two_plugins)
{
    char line[1024];
    snprintf(line, sizeof line, "bench " ADD INPUTS "--seconds 0.05 --json --beside %s/%s",
             getenv("GANTRY_LIB") ? getenv("GANTRY_LIB") : "build/lib",
             "pjrt_c_api_gantrytpu_plugin.so");
    cr_assert_eq(gantry(line), 0, "%s", shown);
    cJSON *json = cJSON_Parse(shown);
    const cJSON *beside = cJSON_GetObjectItem(json, "beside");
    cr_expect_eq(figure(json, "runs"), figure(beside, "runs"));
    cr_expect_float_eq(figure(json, "ratio"),
                       figure(json, "median_seconds") / figure(beside, "median_seconds"), 1e-6);
    cJSON_Delete(json);
    expect("bench " ADD INPUTS "--seconds 0.05 --beside none.so", 3, "none.so");
}

Test(gantry, bench)
{
    expect("bench " ADD INPUTS "--seconds 0.05", 0, "median of");
    cr_assert_eq(gantry("bench " ADD INPUTS "--seconds 0.05 --json"), 0);
    cJSON *json = cJSON_Parse(shown);
    cr_assert(cJSON_GetNumberValue(cJSON_GetObjectItem(json, "median_seconds")) > 0, "%s", shown);
    cJSON_Delete(json);
}

Test(gantry, info)
{
    expect("info", 0, "platform_name: cpu");
    expect("info", 0, "PJRT_DEVICE: TPU");
    expect("info", 0, " profiler gantry\n");
    expect("info", 0, "modeled_by: Gantry");
    cr_assert_eq(gantry("info --json"), 0);
    cJSON *json = cJSON_Parse(shown), *plugins = cJSON_GetObjectItem(json, "plugins");
    cr_assert_geq(cJSON_GetArraySize(plugins), 1);
    cr_assert_not_null(cJSON_GetObjectItem(cJSON_GetArrayItem(plugins, 0), "devices"));
    cJSON_Delete(json);
    expect("info --plugin /lib/x86_64-linux-gnu/libm.so.6", 3, "not a PJRT plugin");
    expect("info --fly", 2, "'--fly'");
    expect("info", 0, "bytes_limit: ");
    expect("info", 0, " GiB\n");
}

/* Each setting with its source; one that is not allowed is an error of every plugin. */
Test(gantry, info_shows_settings_with_their_sources)
{
    setenv("XLA_FLAGS", "--xla_force_host_platform_device_count=3", 1);
    setenv("GANTRY_THREADS", "1", 1);
    expect("info", 0, "  GANTRY_PIN: auto (default)\n");
    expect("info", 0, "  GANTRY_THREADS: 1 (environment)\n");
    expect("info", 0, "  GANTRY_CPU_DEVICES: 3 (environment: XLA_FLAGS)\n");
    setenv("CPU_NUM_DEVICES", "2", 1);
    expect("info", 0, "  GANTRY_CPU_DEVICES: 2 (environment: CPU_NUM_DEVICES)\n");
    setenv("GANTRY_THREADS", "many", 1);
    expect("info", 3, "  GANTRY_THREADS: many (environment; NOT ALLOWED, use 0 to 65536)\n");
    expect("info", 3, "the environment variable GANTRY_THREADS is 'many'; allowed: 0 to 65536");
}

/* A recorded machine in each output form. */
Test(gantry, topo)
{
    setenv("GANTRY_SYSFS_ROOT", "memory/testdata/machines/4-nodes", 1);
    expect("topo", 0, "machine: 256 GiB, the process may use 256 GiB (recorded)\npackage 0\n");
    expect("topo", 0,
           "  node 1: 64 GiB, 4 cores, processors 4-7,20-23; caches L1 48 KiB, L2 2 MiB, L3 32 "
           "MiB\n");
    expect("topo", 0, "workers: 32, floating\n");
    expect("topo", 0, "device gantry_cpu:0 (cpu), 4 nodes from node 0\n");
    expect("topo", 0, ", interleaved\n");
    expect("topo --devices 4", 0, "device gantry_cpu:3 (cpu)\n  device ");
    cr_assert_eq(gantry("topo --format json --devices=4"), 0);
    cJSON *json = cJSON_Parse(shown), *devices = cJSON_GetObjectItem(json, "devices");
    cr_assert_eq(cJSON_GetArraySize(devices), 4, "%s", shown);
    cr_expect_eq(cJSON_GetObjectItem(cJSON_GetArrayItem(devices, 3), "node")->valueint, 3);
    cJSON_Delete(json);
}

/* The picture has each node and each core once, and names are escaped. */
Test(gantry, topo_as_a_picture)
{
    static const char *const names[] = {"1-node", "2-nodes", "8-nodes", "memory-only", "offline"};
    static const int nodes[] = {1, 2, 8, 4, 2}, cores[] = {4, 16, 32, 8, 8};
    for (int i = 0; i < 5; i++) {
        char root[128];
        int found_nodes = 0, found_cores = 0;
        snprintf(root, sizeof root, "memory/testdata/machines/%s", names[i]);
        setenv("GANTRY_SYSFS_ROOT", root, 1);
        cr_assert_eq(gantry("topo --format svg --devices 9"), 0, "%s", shown);
        cr_assert(!strncmp(shown, "<svg ", 5) && strstr(shown, "</svg>\n"));
        for (char *at = shown; (at = strstr(at, ">Node ")); at++)
            found_nodes++;
        for (char *at = shown; (at = strstr(at, "<title>core ")); at++)
            found_cores++;
        cr_expect_eq(found_nodes, nodes[i], "%s", names[i]);
        cr_expect_eq(found_cores, cores[i], "%s", names[i]);
        cr_expect(strstr(shown, "and 3 more"), "of nine devices six are drawn");
    }
}

Test(gantry, topo_in_vain)
{
    expect("topo --fly", 2, "unknown argument '--fly'");
    expect("topo --format png", 2, "--format png; allowed: text, json or svg");
    expect("topo --devices 0", 2, "--devices 0");
    expect("topo --plugin /lib/x86_64-linux-gnu/libm.so.6", 3, "not a PJRT plugin");
}

Test(gantry, env)
{
    expect("env", 0, "GANTRY_THREADS");
    expect("env --shell", 0, "export PJRT_NAMES_AND_LIBRARY_PATHS='gantry:");
    expect("env --fly", 2, "'--fly'");
}

#define ATTENTION "build/corpus/models/attention_gradients"

/* The figures of a plan in JSON. */
static cJSON *plan_of(const char *arguments, int code)
{
    int got = gantry(arguments);
    cr_assert_eq(got, code, "gantry %s: ends with %d: %s", arguments, got, shown);
    cJSON *json = cJSON_Parse(shown);
    cr_assert_not_null(json, "%s", shown);
    return json;
}

Test(gantry, plan)
{
    expect("plan " ATTENTION ".mlirbc", 0, "jit_attention_gradients on cpu: fits; ");
    expect("plan " ATTENTION ".mlirbc", 0, "\nIn use in device memory at its peak, step ");
    expect("plan " ATTENTION ".mlirbc", 0, "argument 1                  f32[8,24]\n");
    expect("plan conformance/programs/mlp_grad.mlir", 0,
           "2 temporaries of 2 KiB      f32[32,16]  dot_general\n");
    expect("plan " ATTENTION ".mlirbc", 0, " us an execution, as computed\n");
    expect("plan " ATTENTION ".mlirbc --capacity 1M", 0, "  1 MiB  ");
    expect("plan " ATTENTION ".mlirbc --capacity 1K", 4, "DOES NOT FIT");
}

/* The integer program's cost and bound, or that no answer of it is within the memory. */
Test(gantry, plan_of_chosen_shardings)
{
#define AUTO "plan conformance/programs/mlp_grad.mlir --tpu v5e:2x2 --auto --capacity "
    expect(AUTO "1M", 0, " nodes, without fusion and overlap: bound ");
    expect(AUTO "1K", 4, "       none  integer program of ");
}

/* A product that one program has twice, at lines that moved. */
Test(gantry, plans_are_compared)
{
    static const char a[] = "tools/testdata/compare_a.mlir tools/testdata/compare_b.mlir",
                      same[] = "tools/testdata/compare_a.mlir tools/testdata/compare_a.mlir";
    char line[512];
    snprintf(line, sizeof line, "plan %s", a);
    expect(line, 0, "B: tools/testdata/compare_b.mlir");
    cr_expect(strstr(shown, "Changes by source line"), "%s", shown);
    cr_expect(strstr(shown, "new  model.py:4\n"), "%s", shown);
    snprintf(line, sizeof line, "plan %s --tpu v5e:1x1", a);
    expect(line, 0, "2.0 times");
    cr_expect(strstr(shown, "model.py:3, in B model.py:4"), "%s", shown);
    snprintf(line, sizeof line, "plan %s", same);
    expect(line, 0, "No source line differs.");
    snprintf(line, sizeof line, "plan %s --json", a);
    cJSON *json = plan_of(line, 0);
    const cJSON *figures = cJSON_GetObjectItem(json, "figures"), *steps = NULL, *at;
    cJSON_ArrayForEach(
        at, figures) if (!strcmp(cJSON_GetObjectItem(at, "name")->valuestring, "steps")) steps = at;
    cr_assert_not_null(steps);
    cr_expect_lt(figure(steps, "a"), figure(steps, "b"));
    cJSON_Delete(json);
    snprintf(line, sizeof line, "plan %s --format html", a);
    expect(line, 2, "--format html shows one program");
    snprintf(line, sizeof line, "plan %s more.mlir", same);
    expect(line, 2, "unknown argument 'more.mlir'");
}

/* Collectives inside loops are multiplied by the trip count; each has its source line. */
Test(gantry, plan_of_collectives)
{
    setenv("GANTRY_CPU_DEVICES", "4", 1);
    expect("plan conformance/programs/gradient_loop.mlir", 0,
           "Collectives: a device sends 176 B in one execution");
    cr_expect(strstr(shown,
                     "144 B         32 B  all-reduce            3 times, a group of 4, f32[8], "
                     "all_reduce: psum (train.py:7:3)"),
              "%s", shown);
    expect("plan conformance/programs/gradient_loop.mlir --format html", 0,
           "collectives: a device sends 176 B");
    cr_expect(strstr(shown, "<td>2 groups of 2</td><td><code>f32[8]</code>"));
    cJSON *json = plan_of("plan conformance/programs/gradient_loop.mlir --format json", 0);
    const cJSON *list = cJSON_GetObjectItem(json, "collectives");
    cr_assert_eq(cJSON_GetArraySize(list), 2);
    const cJSON *sum = cJSON_GetArrayItem(list, 0), *gather = cJSON_GetArrayItem(list, 1);
    cr_expect_str_eq(cJSON_GetObjectItem(sum, "kind")->valuestring, "all-reduce");
    cr_expect_str_eq(cJSON_GetObjectItem(sum, "reduce")->valuestring, "add");
    cr_expect_eq(figure(sum, "trips"), 3);
    cr_expect_eq(figure(gather, "bytes"), 32);
    char *groups = cJSON_PrintUnformatted(cJSON_GetObjectItem(gather, "groups")),
         *operands = cJSON_PrintUnformatted(cJSON_GetObjectItem(gather, "operands"));
    cr_expect_str_eq(groups, "[[0,2],[1,3]]");
    cr_expect_str_eq(operands, "[[\"f32\",[8]]]");
    cJSON_free(groups);
    cJSON_free(operands);
    cJSON_Delete(json);
}

/* A program in each format; a capacity equal to the peak is sufficient. */
Test(gantry, plan_as_json)
{
    static const char *const forms[] = {".mlirbc", ".mlir", ".hlo.pb"};
    double peak = 0;
    char line[512];
    for (int i = 0; i < 3; i++) {
        snprintf(line, sizeof line, "plan " ATTENTION "%s --format json", forms[i]);
        cJSON *json = plan_of(line, 0);
        peak = figure(json, "peak_bytes");
        cr_expect(cJSON_IsTrue(cJSON_GetObjectItem(json, "fits")));
        cr_expect_eq(figure(json, "argument_bytes"), 4 * (2 * 5 * 8 + 8 * 24 + 8 * 8));
        cr_expect_eq(figure(json, "alias_bytes"), 0);
        cJSON *device = cJSON_GetObjectItem(cJSON_GetObjectItem(json, "memories"), "device");
        cr_expect_eq(figure(device, "temp_bytes"), figure(json, "temp_bytes"));
        cr_expect_gt(cJSON_GetArraySize(cJSON_GetObjectItem(json, "buffers")), 5);
        cJSON_Delete(json);
    }
    for (int less = 0; less < 2; less++) {
        snprintf(line, sizeof line, "plan " ATTENTION ".hlo.pb --format json --capacity %.0f",
                 peak - less);
        cJSON *json = plan_of(line, less ? 4 : 0);
        cr_expect_eq(figure(json, "capacity_bytes"), peak - less);
        cr_expect_eq(cJSON_IsTrue(cJSON_GetObjectItem(json, "fits")), !less);
        cJSON_Delete(json);
    }
}

/* Sizes that a program leaves open are those of the inputs. */
Test(gantry, dynamic_sizes)
{
    static const char program[] = "func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {\n"
                                  "  %0 = stablehlo.add %x, %x : tensor<?x4xf32>\n"
                                  "  return %0 : tensor<?x4xf32>\n}\n";
    char path[] = "/tmp/gantry_dynamic_XXXXXX", line[128];
    int file = mkstemp(path);
    cr_assert(write(file, program, sizeof program - 1) == sizeof program - 1);
    close(file);
    snprintf(line, sizeof line, "run %s", path);
    expect(line, 0, "@main(?x4xf32) -> (?x4xf32)");
    expect(line, 0, "--input 8x4xf32=random:0");
    snprintf(line, sizeof line, "run %s --input 2x4xf32=iota", path);
    expect(line, 0, "0: 2x4xf32 =\n[[0. 2. 4. 6.]\n [8. 10. 12. 14.]]\n");
    snprintf(line, sizeof line, "run %s --input 1x4xf32=1e9,1e15,1e16,1e-5", path);
    expect(line, 0, "[[2000000000. 2000000000000000. 2e+16 2e-05]]\n");
    snprintf(line, sizeof line, "plan %s --input 1000x4xf32", path);
    expect(line, 0, "fits; 1 step, ");
    snprintf(line, sizeof line, "plan %s", path);
    expect(line, 1, "tensor<?x4xf32>: its sizes are unknown");
    snprintf(line, sizeof line, "run %s --input 2x3xf32", path);
    expect(line, 1, "input 0 is 2x3xf32, expected ?x4xf32");
    unlink(path);
}

/* Writes a chain of products over 1,024 devices. */
static void write_products(const char *path, int count)
{
#define MATRIX "tensor<1024x1024xf32>"
#define SHARDED(a, b) MATRIX " {sdy.sharding = #sdy.sharding<@mesh, [{\"" a "\"}, {\"" b "\"}]>}"
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fprintf(file,
            "module attributes {mhlo.num_partitions = 1024 : i32} {\n"
            "sdy.mesh @mesh = <[\"x\"=32, \"y\"=32]>\n"
            "func.func @main(%%r0: " SHARDED("x", "y") ", %%b: " SHARDED("y", "x") ") -> " MATRIX
                                                                                   " {\n");
    for (int i = 0; i < count; i++)
        fprintf(file,
                "%%p%d = stablehlo.dot_general %%r%d, %%b, contracting_dims = [1] x [0] : (" MATRIX
                ", " MATRIX ") -> " MATRIX "\n%%r%d = stablehlo.tanh %%p%d : " MATRIX "\n",
                i, i, i + 1, i);
    fprintf(file, "return %%r%d : " MATRIX "\n}\n}\n", count);
    fclose(file);
}

/* The largest memory of the command so far, in bytes, after the plan of so many products. */
static double memory_of_plan(int count)
{
    char path[] = "/tmp/gantry_products_XXXXXX", line[128];
    struct rusage usage;
    close(mkstemp(path));
    write_products(path, count);
    snprintf(line, sizeof line, "plan %s --tpu v5p:8x8x16", path);
    expect(line, 0, "Most expensive operations");
    unlink(path);
    cr_assert_eq(getrusage(RUSAGE_CHILDREN, &usage), 0);
    return 1024.0 * (double)usage.ru_maxrss;
}

/* Neither the compilation nor the report of a plan keeps trees of all that it says. */
Test(gantry, plans_take_little_memory_for_an_operation)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    cr_skip_test("sanitizers keep freed memory, so it is not measured");
#endif
    double few = memory_of_plan(2000), many = memory_of_plan(4000);
    cr_expect_leq((many - few) / 2000, 12000, "%g bytes for each product", (many - few) / 2000);
}

/* One self-contained page with a picture. */
Test(gantry, plan_as_a_page)
{
    cr_assert_eq(gantry("plan " ATTENTION ".mlirbc --format html"), 0);
    cr_expect(!strncmp(shown, "<!DOCTYPE html>", 15));
    cr_expect(strstr(shown, "<svg ") && strstr(shown, "<title>f32[2,5,8], 320 B\ndot_general"));
    cr_expect(strstr(shown, "prefers-color-scheme:dark"));
    cr_expect(strstr(shown, "<i class=\"c0\"></i>dot_general</span>"), "a legend of operations");
    cr_expect(!strstr(shown, "<script") && !strstr(shown, "http") && !strstr(shown, "url("));
    cr_expect_not_null(strstr(shown, "</main></body></html>\n"));
    expect("plan " ATTENTION ".mlirbc --format html --output /proc/none/plan.html", 1,
           "/proc/none");
}

/* The use of host memory is planned by steps: the model knows only what moves to and from it. */
Test(gantry, plan_of_a_tpu_with_host_memory)
{
    cJSON *json = plan_of("plan build/corpus/models/adam_with_moments_on_the_host.mlirbc "
                          "--tpu v5e:1x1 --format json",
                          0);
    const cJSON *memories = cJSON_GetObjectItem(json, "memories");
    cr_expect_gt(figure(cJSON_GetObjectItem(memories, "pinned_host"), "peak_bytes"), 0);
    cr_expect_gt(cJSON_GetArraySize(cJSON_GetObjectItem(json, "steps")), 0);
    cJSON_Delete(json);
}

/* What a TPU would do: padded bytes, time, operations. */
Test(gantry, plan_of_a_tpu)
{
    cJSON *json = plan_of("plan " ATTENTION ".mlirbc --tpu v5e:1x1 --format json", 0);
    cr_expect_eq(figure(json, "peak_bytes"),
                 figure(json, "argument_bytes") + figure(json, "output_bytes") -
                     figure(json, "alias_bytes") + figure(json, "temp_bytes"));
    cr_expect_eq((int64_t)figure(json, "argument_bytes") % 512, 0);
    cr_expect_eq(figure(json, "capacity_bytes"), (double)(int64_t)(15.75 * (1 << 30)));
    cr_expect_gt(figure(json, "seconds"), 0);
    cr_expect_lt(figure(json, "seconds_low"), figure(json, "seconds_high"));
    cr_expect_gt(cJSON_GetArraySize(cJSON_GetObjectItem(json, "operations")), 0);
    cr_expect_not_null(cJSON_GetObjectItem(json, "collectives"));
    const cJSON *device = cJSON_GetObjectItem(cJSON_GetObjectItem(json, "memories"), "device");
    cr_expect_eq(figure(device, "peak_bytes"), figure(json, "peak_bytes"));
    cr_expect_eq(figure(device, "capacity_bytes"), figure(json, "capacity_bytes"));
    cr_expect_eq(cJSON_GetArraySize(cJSON_GetObjectItem(json, "steps")), 0);
    cJSON_Delete(json);
    expect("plan " ATTENTION ".mlirbc --tpu v5e:1x1", 0, "Most expensive operations");
    expect("plan " ATTENTION ".mlirbc --tpu v5p:2x2x1", 0, "fits");
    expect("plan " ATTENTION ".mlirbc --tpu v5p:8x8x8", 0, "fits"); /* no client has so many */
    expect("plan " ATTENTION ".mlirbc --tpu v5e:1x1 --capacity 1K", 4, "DOES NOT FIT");
    cr_assert_eq(gantry("plan " ATTENTION ".mlirbc --tpu v5e:1x1 --format html"), 0);
    cr_expect(strstr(shown, "HBM of each device") && strstr(shown, "</main></body></html>\n"));
    cr_expect(strstr(shown, "on a modeled v5e:1x1") && strstr(shown, "<h2>Roofline</h2>") &&
              strstr(shown, "<h2>Units that are busy") && strstr(shown, "<th>operation</th>"));
    expect("plan " ATTENTION ".mlirbc --tpu v5e:3x5", 1, "v5e");
    expect("plan " ATTENTION ".mlirbc --tpu v5e:2x2 --devices 0", 2, "--devices 0; allowed: 1 to");
}

Test(gantry, plan_in_vain)
{
    expect("plan", 2, "no program is given");
    expect("plan --fly", 2, "unknown argument '--fly'");
    expect("plan " ADD "--format svg", 2, "--format svg; allowed: text, json or html");
    expect("plan " ADD "--capacity much", 2, "--capacity much; allowed: a number of bytes");
    expect("plan conformance/corpus/README.md", 1, "gantry: INVALID_ARGUMENT");
    expect("plan " ADD "--plugin /lib/x86_64-linux-gnu/libm.so.6", 3, "not a PJRT plugin");
}

/* Runs the suite on this build's plugin. */
static void expect_cts(const char *options, const char *part)
{
    const char *folder = getenv("GANTRY_LIB");
    char line[4096];
    snprintf(line, sizeof line, "cts %s/pjrt_c_api_gantry_plugin.so %s",
             folder ? folder : "build/lib", options);
    expect(line, 0, part);
}

Test(gantry, cts)
{
    expect_cts("--area table --format tap", "ok 1 - 2.1.1");
    expect_cts("--only 1.1.1 --only table.has_no_null", "\n2 passed, 0 failed, 0 skipped\n");
    expect_cts("--area load --profile jax --jobs 4", "profile jax    complete");
    expect("cts --list --area load", 0, "load.opens");
    expect("cts", 2, "no plugin");
    expect("cts x.so --only 99", 2, "names no rule");
    expect("cts x.so --formt tap", 2, "did you mean --format");
    expect("cts x.so", 3, "cannot be opened");
    expect("cts /bin/true", 3, "dlopen");
}

/* The variables of each client; a failure ends the others. */
Test(gantry, launch)
{
    expect("launch", 2, "the command is missing");
    expect("launch -n 0 -- true", 2, "-n is '0'; allowed: 1 to");
    expect("launch -n", 2, "-n is ''");
    expect("launch --hosts 2 -- true", 2, "several hosts need --coordinator HOST:PORT");
    expect("launch --hosts 2 --host 2 --coordinator a:1 -- true", 2, "--host is 2; allowed");
    expect("launch --coordinator a -- true", 2, "allowed: HOST:PORT");
    expect("launch -n 2 -- false", 1, "ended with exit code 1");
    expect("launch -n 2 -- /no/such/command", 127, "/no/such/command: No such file");
    expect("launch -n 2 -- sh -c 'test $RANK = 1 && kill -9 $$; exec sleep 100'", 137,
           "process 1 was ended by signal 9");
    expect("launch -n 3 --hosts 2 --host 1 --coordinator 10.0.0.1:77 --devices 2 -- sh -c 'test "
           "$RANK = 4 && echo $LOCAL_RANK of $LOCAL_WORLD_SIZE, $OMPI_COMM_WORLD_RANK of "
           "$WORLD_SIZE at $JAX_COORDINATOR_ADDRESS $MASTER_ADDR, $GANTRY_CPU_DEVICES devices || "
           "true'",
           0, "1 of 3, 4 of 6 at 10.0.0.1:77 10.0.0.1, 2 devices");
}

/* More hosts than there are: by base/loggp.h. */
Test(gantry, plan_of_hosts)
{
    expect("plan " ADD "--hosts 1", 2, "--hosts 1; allowed: 2 to");
    expect("plan " ADD "--link 25G", 2, "--link needs --hosts");
    expect("plan " ADD "--hosts 256 --link 25Z", 2, "--link 25Z; allowed: bits a second");
    expect("plan " ADD "--hosts 256 --link 25G,", 2, "--link 25G,; allowed");
    expect("plan " ADD "--hosts 256 --link 25G,5", 0, "256 hosts by 25 Gbit/s and 5 us");
    expect("plan " ADD "--hosts 256 --json", 0, "\"communication_seconds\":\t0");
}

/* Lines that a process writes in parts, which are ended by the process only, and long ones: each is
 * forwarded whole. */
Test(gantry, launch_forwards_lines)
{
    enum { LINES = 30, PROCESSES = 3, LONG = 9000 };
    expect("launch -n 3 -- sh -c 'i=0; while test $i -lt 30; do printf begin; printf %09000d $i; "
           "printf \"end\n\"; i=$((i+1)); done; printf last'",
           0, "begin");
    int lines = 0, last = 0;
    for (char *at = strtok(shown, "\n"); at; at = strtok(NULL, "\n")) {
        if (strncmp(at, "last", strlen("last")) == 0) {
            last += (int)(strlen(at) / strlen("last"));
            continue;
        }
        cr_assert_eq(strlen(at), strlen("begin") + LONG + strlen("end"));
        cr_assert_null(strstr(at + 1, "begin"));
        lines++;
    }
    cr_assert_eq(last, PROCESSES);
    cr_assert_eq(lines, PROCESSES * LINES);
}
