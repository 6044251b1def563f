/* collectives_rules.c: area 15, sections 4 to 7: collectives, partitions, mistakes, serialized
 * programs. */
#include <string.h>

#include "conformance/rules/several_devices.h"

/* ---- Programs for two devices ---------------------------------------------------------------- */

/* Declares a program for two replicas, and its arguments: the sample, and twice the sample. */
#define NEED_COLLECTIVE(t, list, executable, inputs, name)                                         \
    PJRT_LoadedExecutable *executable;                                                             \
    PJRT_Buffer *inputs[2];                                                                        \
    NEED_DEVICES(t, list);                                                                         \
    NEED_OK(t, build_file(t, name, &(struct build){2, 1, (list).ids, false}, &(executable)));      \
    NEED_OK(t, gang_upload(t, &(list), 2, inputs))

static void end_collective(struct rule_context *t, PJRT_LoadedExecutable *executable,
                           PJRT_Buffer *const inputs[2])
{
    gang_destroy(t, inputs, 2);
    DESTROY(t, LoadedExecutable, executable, executable);
}

/* Runs a program for two replicas and compares with `expected`, `count` elements of each. */
static void check_collective(struct rule_context *t, const char *name, const float *expected,
                             size_t count)
{
    PJRT_Buffer *results[2];
    NEED_COLLECTIVE(t, list, executable, inputs, name);
    for (int run = 0; run < 3; run++) {
        NEED_OK(t, gang_start(t, &(struct gang){executable, inputs, 2, NULL}, results));
        for (size_t i = 0; i < 2; i++)
            rule_check_floats(t, results[i], expected + i * count, count);
        gang_destroy(t, results, 2);
    }
    end_collective(t, executable, inputs);
}

/* The arguments of both replicas, behind each other. */
static void fill_both(float values[2 * SAMPLE])
{
    sample_fill(values);
    for (int i = 0; i < SAMPLE; i++)
        values[SAMPLE + i] = 2 * values[i];
}

/* ---- 15.4 Collectives ------------------------------------------------------------------------ */

void rule_devices_reduce(struct rule_context *t)
{
    float in[2 * SAMPLE], expected[2 * SAMPLE];
    fill_both(in);
    for (int i = 0; i < 2 * SAMPLE; i++)
        expected[i] = 3 * in[i % SAMPLE];
    check_collective(t, "all_reduce.mlirbc", expected, SAMPLE);
}

void rule_devices_reduce_over_all(struct rule_context *t)
{
    PJRT_LoadedExecutable *executable;
    PJRT_Buffer *inputs[MOST_DEVICES], *results[MOST_DEVICES];
    NEED_DEVICES(t, list);
    int n = list.count;
    struct build build = {n, 1, list.ids, false};
    NEED_OK(t, build_file(t, "all_reduce_all.mlirbc", &build, &executable));
    NEED_OK(t, gang_upload(t, &list, n, inputs));
    NEED_OK(t, gang_start(t, &(struct gang){executable, inputs, n, NULL}, results));
    for (int i = 0; i < n; i++)
        sample_check_times(t, results[i], (float)(n * (n + 1) / 2));
    gang_destroy(t, inputs, n);
    gang_destroy(t, results, n);
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_devices_gather(struct rule_context *t)
{
    float expected[4 * SAMPLE];
    fill_both(expected);
    fill_both(expected + 2 * SAMPLE);
    check_collective(t, "all_gather.mlirbc", expected, 2 * SAMPLE);
}

void rule_devices_reduce_and_scatter(struct rule_context *t)
{
    float expected[SAMPLE];
    sample_fill(expected);
    for (int i = 0; i < SAMPLE; i++)
        expected[i] *= 3;
    check_collective(t, "reduce_scatter.mlirbc", expected, SAMPLE / 2);
}

void rule_devices_exchange(struct rule_context *t)
{
    enum { HALF = SAMPLE / 2 };
    float in[2 * SAMPLE], expected[2 * SAMPLE];
    fill_both(in);
    for (int to = 0; to < 2; to++)
        for (int from = 0; from < 2; from++)
            memcpy(expected + to * SAMPLE + from * HALF, in + from * SAMPLE + to * HALF,
                   HALF * sizeof *in);
    check_collective(t, "all_to_all.mlirbc", expected, SAMPLE);
}

void rule_devices_permute(struct rule_context *t)
{
    float expected[2 * SAMPLE] = {0};
    sample_fill(expected + SAMPLE);
    check_collective(t, "collective_permute.mlirbc", expected, SAMPLE);
}

void rule_devices_repeat_bits(struct rule_context *t)
{
    float first[SAMPLE], next[SAMPLE];
    PJRT_Buffer *results[2];
    NEED_COLLECTIVE(t, list, executable, inputs, "all_reduce.mlirbc");
    for (int run = 0; run < 20; run++) {
        NEED_OK(t, gang_start(t, &(struct gang){executable, inputs, 2, NULL}, results));
        NEED_OK(t, rule_download(t, results[run % 2], run ? next : first, sizeof first));
        CHECK(t, !run || !memcmp(first, next, sizeof first), "run %d gives other bits", run);
        gang_destroy(t, results, 2);
    }
    end_collective(t, executable, inputs);
}

void rule_devices_queue_collectives(struct rule_context *t)
{
    enum { RUNS = 40 };
    PJRT_Buffer *results[RUNS][2];
    NEED_COLLECTIVE(t, list, executable, inputs, "all_reduce.mlirbc");
    for (int run = 0; run < RUNS; run++)
        NEED_OK(t, gang_start(t, &(struct gang){executable, inputs, 2, NULL}, results[run]));
    for (int run = 0; run < RUNS; run++) {
        sample_check_times(t, results[run][0], 3);
        sample_check_times(t, results[run][1], 3);
        gang_destroy(t, results[run], 2);
    }
    end_collective(t, executable, inputs);
}

/* ---- 15.5 Partitions ------------------------------------------------------------------------- */

/* Declares a program for two partitions, and the shards of its argument. */
#define NEED_PARTITIONS(t, list, executable, inputs, name)                                         \
    PJRT_LoadedExecutable *executable;                                                             \
    PJRT_Buffer *inputs[2];                                                                        \
    NEED_DEVICES(t, list);                                                                         \
    NEED_OK(t, build_file(t, name, &(struct build){1, 2, (list).ids, false}, &(executable)));      \
    NEED_OK(t, gang_upload(t, &(list), 2, inputs))

void rule_devices_count_partitions(struct rule_context *t)
{
    NEED_PARTITIONS(t, list, loaded, inputs, "sharded.mlirbc");
    devices_check_counts(t, loaded, 1, 2);
    end_collective(t, loaded, inputs);
}

void rule_devices_partition(struct rule_context *t)
{
    PJRT_Buffer *results[2];
    NEED_PARTITIONS(t, list, executable, inputs, "sharded.mlirbc"); /* 2 x */
    NEED_OK(t, gang_start(t, &(struct gang){executable, inputs, 2, NULL}, results));
    for (int i = 0; i < 2; i++) {
        CHECK(t, buffer_device(t, results[i]) == list.at[i], "shard %d is on another device", i);
        sample_check_times(t, results[i], (float)(2 * (i + 1)));
    }
    gang_destroy(t, results, 2);
    end_collective(t, executable, inputs);
}

void rule_devices_reduce_over_partitions(struct rule_context *t)
{
    float values[2 * SAMPLE], sum = 0;
    PJRT_Buffer *results[2];
    fill_both(values);
    for (int i = 0; i < 2 * SAMPLE; i++)
        sum += values[i]; /* exact */
    NEED_PARTITIONS(t, list, executable, inputs, "sharded_sum.mlirbc");
    NEED_OK(t, gang_start(t, &(struct gang){executable, inputs, 2, NULL}, results));
    for (int i = 0; i < 2; i++)
        rule_check_floats(t, results[i], &sum, 1);
    gang_destroy(t, results, 2);
    end_collective(t, executable, inputs);
}

/* ---- 15.6 Mistakes --------------------------------------------------------------------------- */

/* Runs a program, which must fail, at the latest when its results are awaited. */
static void check_rejected(struct rule_context *t, const struct gang *gang)
{
    PJRT_Buffer *results[MOST_DEVICES];
    struct error *error = gang_start(t, gang, results);
    for (int i = 0; !error && i < gang->count; i++)
        error = buffer_await(t, results[i]);
    CHECK_ERROR(t, error);
}

static void check_runs(struct rule_context *t, PJRT_LoadedExecutable *executable,
                       PJRT_Buffer *const inputs[2])
{
    PJRT_Buffer *results[2];
    NEED_OK(t, gang_start(t, &(struct gang){executable, inputs, 2, NULL}, results));
    sample_check_times(t, results[0], 3);
    sample_check_times(t, results[1], 3);
    gang_destroy(t, results, 2);
}

void rule_devices_reject_fewer_devices(struct rule_context *t)
{
    NEED_COLLECTIVE(t, list, executable, inputs, "twice.mlirbc");
    check_rejected(t, &(struct gang){executable, inputs, 1, NULL});
    end_collective(t, executable, inputs);
}

void rule_devices_reject_swapped_arguments(struct rule_context *t)
{
    NEED_COLLECTIVE(t, list, executable, inputs, "all_reduce.mlirbc");
    PJRT_Buffer *const swapped[] = {inputs[1], inputs[0]};
    check_rejected(t, &(struct gang){executable, swapped, 2, NULL});
    check_runs(t, executable, inputs);
    end_collective(t, executable, inputs);
}

void rule_devices_reject_unknown_assignments(struct rule_context *t)
{
    PJRT_LoadedExecutable *executable = NULL;
    NEED_DEVICES(t, list);
    int ids[] = {list.ids[0], 12345};
    CHECK_ERROR(t, build_file(t, "twice.mlirbc", &(struct build){2, 1, ids, false}, &executable));
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_devices_reject_double_assignments(struct rule_context *t)
{
    PJRT_LoadedExecutable *executable = NULL;
    NEED_DEVICES(t, list);
    int ids[] = {list.ids[1], list.ids[1]};
    CHECK_ERROR(t, build_file(t, "twice.mlirbc", &(struct build){2, 1, ids, false}, &executable));
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_devices_start_together_or_not(struct rule_context *t)
{
    static const float few[SAMPLE / 2];
    NEED_COLLECTIVE(t, list, executable, inputs, "all_reduce.mlirbc");
    PJRT_Client_BufferFromHostBuffer_Args args = sample_arguments(t, few);
    const int64_t dims[] = {SAMPLE / 2};
    args.dims = dims;
    args.device = list.at[1];
    NEED_OK(t, CALL(t, Client_BufferFromHostBuffer, &args));
    CHECK_OK(t, rule_await(t, args.done_with_host_buffer));
    PJRT_Buffer *const wrong[] = {inputs[0], args.buffer};
    check_rejected(t, &(struct gang){executable, wrong, 2, NULL});
    check_runs(t, executable, inputs);
    DESTROY(t, Buffer, buffer, args.buffer);
    end_collective(t, executable, inputs);
}

/* ---- 15.7 Serialized programs ---------------------------------------------------------------- */

void rule_devices_load_programs(struct rule_context *t)
{
    NEED_COLLECTIVE(t, list, loaded, inputs, "all_reduce.mlirbc");
    PJRT_Executable *executable = executable_of(t, loaded);
    ARGS(t, Executable_Serialize, bytes, .executable = executable);
    NEED_OK(t, CALL(t, Executable_Serialize, &bytes));
    ARGS(t, Executable_DeserializeAndLoad, load, .client = t->client,
         .serialized_executable = bytes.serialized_bytes,
         .serialized_executable_size = bytes.serialized_bytes_size);
    executable_destroy(t, loaded, executable);
    NEED_OK(t, CALL(t, Executable_DeserializeAndLoad, &load));
    bytes.serialized_executable_deleter(bytes.serialized_executable);
    check_runs(t, load.loaded_executable, inputs);
    end_collective(t, load.loaded_executable, inputs);
}
