/* Tests of xspace.h: the whole of a profile of a device on this machine: planes, lines, stats, by
 * the names that xprof's tools look for. */
#include "report/xspace.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "report/message_fixture.h"
#include "runtime/executable.h"

/* A loop with a product, then a custom call. */
static char dot_label[] = "dot_general: jit(f)/dot (m.py:3:1)", loop_label[] = "while",
            call_label[] = "custom_call: jit(f)/qr (m.py:4:1)", name[] = "jit_f";
static struct slice slices[] = {{0, 0, 64}, {1, 0, 64}};
static struct allocation allocations[] = {{ALLOCATION_PARAMETER, 0, 64, MEMORY_DEVICE},
                                          {ALLOCATION_RESULT, 0, 64, MEMORY_DEVICE},
                                          {ALLOCATION_TEMP, 0, 96, MEMORY_DEVICE}};
static const int64_t sixteen = 16;
static struct program_value argument = {.shape = {.dtype = DTYPE_F32, .rank = 1, .dims = &sixteen},
                                        .alias = -1},
                            result = {.shape = {.dtype = DTYPE_F32, .rank = 1, .dims = &sixteen},
                                      .alias = -1};
/* Two values in the temporaries, one after the other, and one in the result's memory. */
static char contents[] = "f32[16]";
static struct program_buffer buffers[] = {
    {{2, 0, 64}, 0, 0, contents}, {{2, 32, 64}, 1, 2, contents}, {{1, 0, 64}, 2, 2, contents}};
static struct step inside_loop = {.kind = STEP_DOT,
                                  .label = dot_label,
                                  .slice_count = 2,
                                  .operand_count = 1,
                                  .slices = slices,
                                  .analysis = {1000, 0, 128}},
                   steps[] = {{.kind = STEP_WHILE,
                               .label = loop_label,
                               .slice_count = 1,
                               .operand_count = 1,
                               .slices = slices,
                               .loop.body = {1, &inside_loop}},
                              {.kind = STEP_CUSTOM_CALL,
                               .label = call_label,
                               .slice_count = 2,
                               .operand_count = 1,
                               .slices = slices,
                               .call.target = name,
                               .analysis = {500, 0, 128}}};
static struct program program = {.name = name,
                                 .num_replicas = 1,
                                 .num_partitions = 1,
                                 .parameter_count = 1,
                                 .parameters = &argument,
                                 .result_count = 1,
                                 .results = &result,
                                 .allocation_count = 3,
                                 .allocations = allocations,
                                 .buffer_count = 3,
                                 .buffers = buffers,
                                 .steps = {2, steps},
                                 .fingerprint = {1234}};
static struct executable executable = {.program = &program};
static struct trace *trace;
static char *message;
static size_t size;

static void begin(void)
{
    executable.target = (struct target){.name = "cpu", .cores = 2, .isa = isa_of(cpu_features())};
    cr_assert_null(trace_create(&trace));
    trace_start(trace);
}

static void end(void)
{
    trace_destroy(trace);
    alloc_free(message);
    cr_expect_eq(alloc_live(), 0);
}

TestSuite(xspace, .init = begin, .fini = end);

static void keep(void *object)
{
    cr_expect_eq(object, &executable);
}

static void step(const struct step *what)
{
    trace_end_step(trace_begin(), what->label, what);
}

static void execute(int device, int64_t flow)
{
    const struct trace_subject subject = {device, &executable, keep, keep, 42, flow};
    uint64_t began = trace_begin(), loop = trace_begin();
    step(&inside_loop);
    step(&inside_loop);
    trace_end_step(loop, loop_label, &steps[0]);
    step(&steps[1]);
    trace_end_of(began, TRACE_EXECUTE, name, &subject);
}

static struct bytes written(void)
{
    trace_stop(trace);
    cr_assert_null(xspace_write(trace, &message, &size));
    return (struct bytes){(uint8_t *)message, (uint8_t *)message + size};
}

static bool is(struct bytes text, const char *expected)
{
    size_t length = (size_t)(text.end - text.at);
    return length == strlen(expected) && !memcmp(text.at, expected, length);
}

/* The plane or, with `field` 3, the line of that name. */
static struct bytes named(struct bytes in, int field, const char *expected)
{
    for (int i = 0; i < count_of(in, field); i++)
        if (is(inside(inside(in, field, i), 2, 0), expected))
            return inside(in, field, i);
    cr_assert(false, "%s is missing", expected);
    return in;
}

static struct bytes kind_of(struct bytes plane, struct bytes event)
{
    for (int i = 0; i < count_of(plane, 4); i++)
        if (number(inside(plane, 4, i), 1) == number(event, 1))
            return inside(inside(plane, 4, i), 2, 0);
    cr_assert(false, "an event has no kind");
    return event;
}

/* The stat of that name among the fields `field` of an event, kind or plane; NULL: none. */
static struct bytes stat_of(struct bytes plane, struct bytes of, int field, const char *expected)
{
    for (int i = 0; i < count_of(of, field); i++) {
        struct bytes stat = inside(of, field, i);
        struct bytes entry = inside(plane, 5, (int)number(stat, 1) - 1);
        if (is(inside(inside(entry, 2, 0), 2, 0), expected))
            return stat;
    }
    return (struct bytes){NULL, NULL};
}

static void expect_text(struct bytes plane, struct bytes of, int field, const char *stat,
                        const char *expected)
{
    struct bytes found = stat_of(plane, of, field, stat);
    cr_assert_not_null(found.at, "%s", stat);
    expect_string(inside(inside(plane, 5, (int)number(found, 7) - 1), 2, 0), 2, expected);
}

static void expect_number(struct bytes plane, struct bytes of, int field, const char *stat,
                          uint64_t expected)
{
    struct bytes found = stat_of(plane, of, field, stat);
    cr_assert_not_null(found.at, "%s", stat);
    cr_expect_eq(number(found, 4), expected, "%s", stat);
}

Test(xspace, a_device_has_the_steps_of_its_executions)
{
    execute(3, 77);
    struct bytes plane = named(written(), 1, "/device:TPU:3");
    struct bytes operations = named(plane, 3, "XLA Ops");
    expect_text(plane, plane, 6, "device_type_string", "Gantry cpu");
    cr_expect_not_null(stat_of(plane, plane, 6, "peak_teraflops_per_second").at);
    cr_expect_not_null(stat_of(plane, plane, 6, "peak_hbm_bw_gigabytes_per_second").at);
    cr_assert_eq(count_of(operations, 4), 4);
    struct bytes loop = inside(operations, 4, 0), dot = inside(operations, 4, 1),
                 call = inside(operations, 4, 3);
    expect_text(plane, kind_of(plane, loop), 5, "hlo_category", "while");
    cr_expect_eq(number(dot, 1), number(inside(operations, 4, 2), 1), "one kind");
    struct bytes kind = kind_of(plane, dot);
    expect_text(plane, kind, 5, "hlo_category", "dot");
    expect_text(plane, kind, 5, "tf_op", "jit(f)/dot:");
    expect_text(plane, kind, 5, "source", "m.py:3");
    expect_number(plane, kind, 5, "flops", 1000);
    expect_number(plane, kind, 5, "bytes_accessed", 128);
    expect_number(plane, kind, 5, "program_id", 1234);
    cr_expect(number(stat_of(plane, kind, 5, "symbol_id"), 4) > 0);
    expect_number(plane, kind_of(plane, call), 5, "flops", 500);
}

Test(xspace, executions_are_linked_to_the_clients_spans)
{
    execute(0, 77);
    execute(0, 0);
    struct bytes plane = named(written(), 1, "/device:TPU:0");
    struct bytes modules = named(plane, 3, "XLA Modules"), first = inside(modules, 4, 0);
    cr_expect_eq(count_of(named(plane, 3, "Steps"), 4), 2);
    expect_string(kind_of(plane, first), 2, "jit_f(1234)");
    expect_number(plane, first, 4, "run_id", 42);
    expect_number(plane, first, 4, "_c", 77);
    cr_expect_null(stat_of(plane, inside(modules, 4, 1), 4, "_c").at);
}

Test(xspace, each_program_is_a_module_once)
{
    execute(0, 0);
    execute(1, 0);
    struct bytes space = written(), plane = named(space, 1, "/host:metadata");
    cr_assert_eq(count_of(plane, 4), 1);
    struct bytes kind = inside(inside(plane, 4, 0), 2, 0);
    cr_expect_eq(number(kind, 1), 1234);
    struct bytes module = inside(inside(stat_of(plane, kind, 5, "Hlo Proto"), 6, 0), 1, 0);
    expect_string(module, 1, "jit_f");
    /* the operation has the name of its instruction */
    struct bytes device = named(space, 1, "/device:TPU:1");
    struct bytes call = kind_of(device, inside(named(device, 3, "XLA Ops"), 4, 3));
    struct bytes name_of_call = inside(call, 4, 0);
    cr_expect_not_null(memmem(module.at, (size_t)(module.end - module.at), name_of_call.at,
                              (size_t)(name_of_call.end - name_of_call.at)));
}

/* xprof writes a file for each module, named after it; without it no tool is shown. */
Test(xspace, long_names_of_programs_are_cut)
{
    static char long_name[400];
    memset(long_name, 'n', sizeof long_name - 1);
    program.name = long_name;
    execute(0, 0);
    struct bytes plane = named(written(), 1, "/host:metadata");
    struct bytes kind = inside(inside(plane, 4, 0), 2, 0);
    struct bytes module = inside(inside(stat_of(plane, kind, 5, "Hlo Proto"), 6, 0), 1, 0),
                 cut = inside(module, 1, 0), shown = inside(kind, 2, 0);
    cr_expect(cut.end - cut.at < 200 && shown.end - shown.at < 200);
    program.name = name;
}

static void expect_allocation(struct bytes assignment, int n, int flag, uint64_t expected,
                              int values)
{
    struct bytes allocation = inside(assignment, 3, n);
    cr_expect_eq(number(allocation, 2), expected);
    cr_expect(!flag || number(allocation, flag) == 1, "allocation %d", n);
    cr_expect_eq(count_of(allocation, 9), values, "allocation %d", n);
}

Test(xspace, a_program_has_its_memory)
{
    execute(0, 0);
    struct bytes plane = named(written(), 1, "/host:metadata");
    struct bytes kind = inside(inside(plane, 4, 0), 2, 0);
    struct bytes proto = inside(stat_of(plane, kind, 5, "Hlo Proto"), 6, 0);
    struct bytes assignment = inside(proto, 3, 0), events = inside(assignment, 4, 0);
    expect_allocation(assignment, 0, 5, 64, 1); /* a parameter */
    expect_allocation(assignment, 1, 7, 64, 1); /* a result */
    expect_allocation(assignment, 2, 0, 96, 2);
    cr_expect_eq(number(inside(inside(assignment, 3, 2), 9, 1), 2), 32, "the second's offset");
    static const uint64_t kinds[] = {0, 1, 0, 1}; /* the first is freed before the second begins */
    cr_assert_eq(count_of(events, 1), 4);
    for (int i = 0; i < 4; i++)
        cr_expect_eq(number(inside(events, 1, i), 1), kinds[i], "event %d", i);
    cr_expect_eq(number(inside(events, 1, 0), 2), number(inside(events, 1, 1), 2));
}

Test(xspace, steps_without_their_execution_are_of_no_device)
{
    step(&inside_loop); /* before the execution */
    uint64_t began = trace_begin();
    step(&inside_loop);
    trace_end(began, TRACE_EXECUTE, "failed");
    execute(0, 0);
    step(&inside_loop); /* its execution has not ended */
    struct bytes plane = named(written(), 1, "/device:TPU:0");
    cr_expect_eq(count_of(named(plane, 3, "XLA Ops"), 4), 4);
}

Test(xspace, memory_is_a_line_and_a_counter)
{
    const struct trace_memory memory = {"CPU_0(device)", 100, 200, 1000, 100, 5};
    struct trace_memory freed = memory;
    freed.live = 0, freed.change = -100;
    trace_note_memory(trace_begin(), "result 0 of 'jit_f'", &memory);
    trace_note_memory(trace_begin(), NULL, &freed);
    struct bytes plane = named(written(), 1, "/host:TPU-runtime");
    struct bytes line = named(plane, 3, "Memory"), event = inside(line, 4, 0);
    expect_string(kind_of(plane, event), 2, "MemoryAllocation");
    expect_text(plane, event, 4, "allocator_name", "CPU_0(device)");
    expect_text(plane, event, 4, "tf_op", "result 0 of 'jit_f'");
    expect_number(plane, event, 4, "bytes_allocated", 100);
    expect_number(plane, event, 4, "bytes_available", 900);
    expect_number(plane, event, 4, "allocation_bytes", 100);
    expect_string(kind_of(plane, inside(line, 4, 1)), 2, "MemoryDeallocation");
    struct bytes counter = inside(named(plane, 3, "_counters_"), 4, 1);
    expect_string(kind_of(plane, counter), 2, "CPU_0(device): bytes in use");
    expect_number(plane, counter, 4, "bytes", 0);
}
