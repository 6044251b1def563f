/* Tests of xspace_model.h: the modeled time of executions that were recorded. */
#include "report/xspace_model.h"

#include <math.h>

#include "compiler/accelerator.h"
#include "report/message_fixture.h"
#include "runtime/executable.h"

static const struct accelerator accelerator = {
    .name = "t1", .sublanes = 8, .lanes = 128, .result_alignment = 512, .vmem_for_values = 1 << 20};
static char program_name[] = "jit_f";

/* A product of 4 us, and a loop of 2 us an iteration that has an addition of 1 us. */
static struct whole {
    struct model_plan plan;
    struct model_operation operations[3];
    struct model_loop loop;
    struct model_largest largest[2];
    char text[64];
} whole;
static struct program program;
static struct executable executable;
static struct trace *trace;
static int held;

static void begin(void)
{
    whole = (struct whole){.plan = {.size = sizeof whole,
                                    .seconds = 10e-6,
                                    .operation_count = 3,
                                    .loop_count = 1,
                                    .largest_count = 2,
                                    .temp_bytes = 8192,
                                    .text_size = sizeof whole.text},
                           .operations = {{.bound = BOUND_COMPUTE,
                                           .times = 1,
                                           .seconds = 4e-6,
                                           .matrix = 4e-6,
                                           .hbm = 1e-6,
                                           .flops = 80},
                                          {.label = 4,
                                           .bound = BOUND_VECTOR,
                                           .times = 3,
                                           .seconds = 3e-6,
                                           .vector = 3e-6,
                                           .begin = 1e-6,
                                           .loop = 1},
                                          {.label = 14,
                                           .bound = BOUND_HOST,
                                           .resource = MODEL_TO_HOST,
                                           .times = 1,
                                           .seconds = 7e-6}},
                           .loop = {.label = 8, .begin = 4e-6, .seconds = 2e-6, .trips = 3},
                           .largest = {{.label = 4, .shape = 19, .bytes = 4096},
                                       {.label = 0, .shape = 51, .bytes = 8192}}};
    memcpy(whole.text, "dot\0add\0while\0copy\0bf16[16,128]{0,1:T(8,128)(2,1)}\0f32[", 56);
    cr_assert_null(model_plan_check(&whole.plan, sizeof whole));
    program.model = &whole.plan;
    program.name = program_name;
    executable.program = &program;
    executable.target.accelerator = &accelerator;
    cr_assert_null(trace_create(&trace));
    trace_start(trace);
}

static void end(void)
{
    trace_destroy(trace);
    cr_expect_eq(held, 0);
}

TestSuite(xspace_model, .init = begin, .fini = end);

static void retain(void *object)
{
    held += object == &executable;
}

static void release(void *object)
{
    held -= object == &executable;
}

static void execute(int device)
{
    const struct trace_subject subject = {device, &executable, retain, release, 0, 0};
    trace_end_of(trace_begin(), TRACE_EXECUTE, "jit_f", &subject);
}

struct written {
    struct proto out;
    uint64_t shortened;
};

static struct error *write(void *context)
{
    struct written *to = context;
    struct arena *arena = to->out.arena;
    struct xspace_programs *programs = xspace_programs_create(arena, 1);
    struct xplane *host = xplane_create(arena, 0, "host");
    to->shortened = xspace_model_write(trace, programs, host, arena, 2, &to->out, 1);
    xspace_programs_write(programs, &to->out, 2);
    return NULL;
}

static struct written written(void)
{
    struct written to = {0};
    trace_stop(trace);
    cr_assert_null(arena_create(&to.out.arena));
    cr_assert_null(arena_run(to.out.arena, write, &to));
    return to;
}

static struct bytes plane_of(const struct written *from, int n)
{
    return inside((struct bytes){from->out.bytes, from->out.bytes + from->out.size}, 1, n);
}

/* Begin after that of the execution, and duration, of event n, in microseconds. `field` of its
 * kind is the name: 2, or 4 for the short one. */
static void expect_event_as(struct bytes plane, int line, int n, int field, const char *name,
                            double at, double duration)
{
    struct bytes event = inside(inside(plane, 3, line), 4, n);
    uint64_t first = number(inside(inside(plane, 3, 0), 4, 0), 2);
    int id = (int)number(event, 1);
    expect_string(inside(inside(plane, 4, id - 1), 2, 0), field, name);
    cr_expect_float_eq((double)(number(event, 2) - first) / 1e6, at, 1e-5, "%s", name);
    cr_expect_float_eq((double)number(event, 3) / 1e6, duration, 1e-5, "%s", name);
}

static void expect_event(struct bytes plane, int line, int n, const char *name, double at,
                         double duration)
{
    expect_event_as(plane, line, n, 2, name, at, duration);
}

static void expect_operation(struct bytes plane, int line, int n, const char *name, double at,
                             double duration)
{
    expect_event_as(plane, line, n, 4, name, at, duration);
}

Test(xspace_model, a_device_has_its_operations_and_units)
{
    execute(5);
    cr_expect_eq(held, 1);
    struct written to = written();
    struct bytes plane = plane_of(&to, 0);
    cr_expect_eq(number(plane, 1), 7);
    expect_string(plane, 2, "/device:TPU:5");
    expect_string(inside(plane, 3, 0), 2, "Steps");
    expect_event(plane, 0, 0, "0", 0, 10);
    expect_event(plane, 1, 0, "jit_f(1)", 0, 10);
    expect_operation(plane, 2, 0, "dot.1", 0, 4);
    expect_operation(plane, 2, 1, "while.4", 4, 6);
    expect_operation(plane, 2, 2, "add.2", 5, 1);
    expect_operation(plane, 2, 3, "add.2", 7, 1);
    expect_operation(plane, 2, 4, "add.2", 9, 1);
    cr_expect_eq(count_of(inside(plane, 3, 2), 4), 5);
    expect_string(inside(plane, 3, 3), 2, "Matrix units");
    expect_event(plane, 3, 0, "dot", 0, 4);
    expect_string(inside(plane, 3, 4), 2, "Vector unit");
    expect_event(plane, 4, 2, "add", 9, 1);
    expect_string(inside(plane, 3, 5), 2, "HBM");
    expect_event(plane, 5, 0, "dot", 0, 1);
    expect_string(inside(plane, 3, 6), 2, "To the host");
    expect_operation(plane, 6, 0, "copy.3", 0, 7);
    arena_destroy(to.out.arena);
}

Test(xspace_model, executions_of_a_device_follow_each_other)
{
    whole.plan.seconds = 1000; /* more than the test takes */
    execute(0);
    execute(1);
    execute(0);
    struct written to = written();
    expect_event(plane_of(&to, 0), 1, 1, "jit_f(1)", 1e9, 1e9);
    cr_expect_eq(count_of(inside(plane_of(&to, 1), 3, 0), 4), 1);
    cr_expect_eq(held, 3);
    arena_destroy(to.out.arena);
}

Test(xspace_model, long_loops_end_in_one_event)
{
    whole.loop.trips = 1e12;
    execute(0);
    struct written to = written();
    struct bytes operations = inside(plane_of(&to, 0), 3, 2);
    int count = count_of(operations, 4);
    cr_expect(count > XSPACE_MODEL_EVENTS / 3 && count < XSPACE_MODEL_EVENTS);
    uint64_t id = number(inside(operations, 4, count - 1), 1);
    expect_string(inside(inside(plane_of(&to, 0), 4, (int)id - 1), 2, 0), 2,
                  "while: the other iterations");
    arena_destroy(to.out.arena);
}

Test(xspace_model, executions_beyond_the_limit_have_no_operations)
{
    whole.loop.trips = 1e12;
    enum { EXECUTIONS = XSPACE_MODEL_EVENTS_ALL / XSPACE_MODEL_EVENTS + 2 };
    for (int i = 0; i < EXECUTIONS; i++)
        execute(0);
    struct written to = written();
    cr_expect(to.shortened >= 1 && to.shortened <= 3, "%d", (int)to.shortened);
    cr_expect_eq(count_of(inside(plane_of(&to, 0), 3, 0), 4), EXECUTIONS);
    arena_destroy(to.out.arena);
}

/* Of the only program: the bytes of its HloProto. */
static struct bytes proto_of(const struct written *from)
{
    struct bytes plane =
        inside((struct bytes){from->out.bytes, from->out.bytes + from->out.size}, 2, 0);
    return inside(inside(inside(inside(plane, 4, 0), 2, 0), 5, 0), 6, 0);
}

/* As in an accelerator's profile: the end of a copy is an operation of its own. */
Test(xspace_model, the_wait_for_a_copy_is_an_operation)
{
    whole.operations[2].waited = 1e-6;
    execute(0);
    struct written to = written();
    expect_operation(plane_of(&to, 0), 2, 1, "copy-done.3", 6, 1);
    struct bytes entry = inside(inside(proto_of(&to), 1, 0), 3, 1);
    expect_string(inside(entry, 2, 2), 1, "copy-done.3");
    arena_destroy(to.out.arena);
}

/* A stored program's plan may hold any numbers. */
Test(xspace_model, numbers_may_be_any)
{
    static const double numbers[] = {NAN, INFINITY, -INFINITY, 1e300, -1};
    for (int i = 0; i < 5; i++) {
        whole.plan.seconds = whole.loop.begin = whole.loop.seconds = whole.loop.trips = numbers[i];
        whole.operations[1].times = whole.operations[0].flops = numbers[i];
        whole.operations[0].begin = whole.operations[0].seconds = numbers[i];
        whole.operations[2].waited = numbers[i];
        execute(i);
        execute(i);
        struct written to = written();
        cr_expect_eq(count_of((struct bytes){to.out.bytes, to.out.bytes + to.out.size}, 1), 1);
        arena_destroy(to.out.arena);
        trace_start(trace);
    }
}

Test(xspace_model, others_have_no_plane)
{
    trace_end(trace_begin(), TRACE_EXECUTE, "jit_f");
    struct written to = written();
    cr_expect_eq(to.out.size, 0);
    arena_destroy(to.out.arena);
}

/* Events are named after instructions, so that a viewer finds these. */
Test(xspace_model, a_program_is_that_of_the_plan)
{
    execute(0);
    struct written to = written();
    struct bytes module = inside(proto_of(&to), 1, 0), body = inside(module, 3, 0),
                 entry = inside(module, 3, 1);
    expect_string(inside(body, 2, 0), 1, "add.2");
    expect_string(inside(entry, 2, 0), 1, "dot.1");
    expect_string(inside(entry, 2, 1), 1, "copy.3");
    expect_string(inside(entry, 2, 2), 1, "while.4");
    cr_expect_eq(inside(inside(entry, 2, 2), 38, 0).at[0], number(body, 5), "it calls its body");
    arena_destroy(to.out.arena);
}

/* 8 KiB of temporaries, of which the plan knows 4; a second value has no room, and no shape. */
Test(xspace_model, a_program_has_its_largest_temporaries)
{
    execute(0);
    struct written to = written();
    struct bytes proto = proto_of(&to), memory = inside(proto, 3, 0), value = inside(memory, 1, 0),
                 temporaries = inside(memory, 3, 0),
                 instruction = inside(inside(inside(proto, 1, 0), 3, 1), 2, 3);
    cr_expect_eq(count_of(memory, 1), 1);
    cr_expect_eq(number(value, 2), 4096);
    cr_expect_eq(number(temporaries, 2), 8192);
    expect_string(instruction, 1, "add.1.value");
    cr_expect_eq(number(inside(value, 3, 0), 4), number(instruction, 35));
    struct bytes shape = inside(instruction, 3, 0), layout = inside(shape, 5, 0),
                 order = inside(layout, 1, 0);
    cr_expect_eq(number(shape, 2), 16, "bf16");
    cr_expect_eq(order.at[0], 0);
    cr_expect_eq(order.at[1], 1);
    arena_destroy(to.out.arena);
}
