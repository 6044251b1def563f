/* export_steps_test.c: exports a program with collectives in a loop, and programs made of many
 * copies, and reads the modules back. */
#include "compiler/export/export_steps.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "compiler/compile.h"
#include "compiler/export/export_hlo.h"
#include "compiler/frontend/hlo/hlo.pb-c.h"
#include "compiler/program/program_communication.h"
#include "compiler/program/program_io.h"
#include "compiler/target_fixture.h"

static struct target target;
static struct program *program;
static char *bytes;
static size_t byte_count;
static Gantry__Hlo__Module *module;

/* The module is the first field, with its size as a varint. */
static Gantry__Hlo__Module *unpack(void)
{
    size_t at = 1, size = 0;
    cr_assert_eq(bytes[0], 1 << 3 | 2);
    for (int shift = 0; !shift || bytes[at - 1] & 0x80; shift += 7, at++)
        size |= (size_t)(bytes[at] & 0x7f) << shift;
    cr_assert_leq(at + size, byte_count);
    Gantry__Hlo__Module *read =
        gantry__hlo__module__unpack(NULL, size, (const uint8_t *)bytes + at);
    cr_assert_not_null(read);
    return read;
}

static void begin(void)
{
    static char text[4096];
    FILE *file = fopen("conformance/programs/gradient_loop.mlir", "r");
    cr_assert_not_null(file);
    size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    target = (struct target){.name = "test",
                             .cores = 1,
                             .isa = isa_of(cpu_features()),
                             .cache_bytes = 1 << 20,
                             .alignment = 64,
                             .supports_dot = target_fixture_supports_dot,
                             .supports_convolution = target_fixture_supports_convolution};
    struct compile_source source = {
        .format = "mlir", .format_size = 4, .bytes = text, .size = size};
    struct error *error = compile(&source, &target, &program);
    cr_assert_null(error, "%s", error ? error_message(error, NULL) : "");
    cr_assert_null(export_hlo(program, &bytes, &byte_count));
    module = unpack();
}

static void end(void)
{
    gantry__hlo__module__free_unpacked(module, NULL);
    alloc_free(bytes);
    program_release(program);
}

TestSuite(export_steps, .init = begin, .fini = end);

static const Gantry__Hlo__Computation *computation_of(int64_t id)
{
    for (size_t i = 0; i < module->n_computations; i++)
        if (module->computations[i]->id == id)
            return module->computations[i];
    cr_assert_fail("computation %lld is missing", (long long)id);
    return NULL;
}

static const Gantry__Hlo__Instruction *find(const Gantry__Hlo__Computation *in, const char *opcode)
{
    for (size_t i = 0; i < in->n_instructions; i++)
        if (!strcmp(in->instructions[i]->opcode, opcode))
            return in->instructions[i];
    cr_assert_fail("no %s in %s", opcode, in->name);
    return NULL;
}

static const Gantry__Hlo__Instruction *operand(const Gantry__Hlo__Computation *in,
                                               const Gantry__Hlo__Instruction *of)
{
    for (size_t i = 0; i < in->n_instructions; i++)
        if (in->instructions[i]->id == of->operands[0])
            return in->instructions[i];
    cr_assert_fail("operand of %s is missing", of->name);
    return NULL;
}

Test(export_steps, a_collective_is_an_instruction_with_groups)
{
    const Gantry__Hlo__Computation *entry = computation_of(module->entry_id);
    const Gantry__Hlo__Instruction *gather = find(entry, "all-gather");
    cr_assert_eq(gather->n_replica_groups, 2);
    cr_expect_eq(gather->replica_groups[1]->n_ids, 2);
    cr_expect_eq(gather->replica_groups[1]->ids[0], 1);
    cr_expect_eq(gather->replica_groups[1]->ids[1], 3);
    cr_expect(gather->use_global_device_ids);
    cr_expect_eq(gather->channel_id, 2);
    cr_assert_eq(gather->n_dimensions, 1);
    cr_expect_eq(gather->dimensions[0], 0);
    cr_expect_eq(gather->shape->dimensions[0], 16);
    cr_expect_eq(operand(entry, gather)->shape->dimensions[0], 8);
    cr_expect_str_eq(gather->metadata->op_name, "all_gather");
}

static struct error *export_names(void *context)
{
    struct proto *to = context;
    struct map *names = map_create(to->arena);
    export_hlo_module(to, 1, program, program->name, 7, names);
    int found = 0;
    for (int i = 0; i < program->steps.count; i++) {
        const struct export_step *known = map_get_pointer(names, &program->steps.steps[i]);
        const Gantry__Hlo__Computation *entry = computation_of(module->entry_id);
        for (size_t k = 0; known && k < entry->n_instructions; k++)
            found += !strcmp(entry->instructions[k]->name, known->name) &&
                     entry->instructions[k]->id == known->id;
    }
    int values = program->parameter_count + 1;
    cr_expect_eq(found, (int)map_count(names) - values - 3, "but for the loop's three steps");
    return NULL;
}

Test(export_steps, steps_have_the_names_of_instructions)
{
    struct proto to = {0};
    cr_assert_null(arena_create(&to.arena));
    cr_assert_null(arena_run(to.arena, export_names, &to));
    arena_destroy(to.arena);
}

Test(export_steps, a_loop_has_its_trip_count_and_its_collectives)
{
    const Gantry__Hlo__Computation *entry = computation_of(module->entry_id);
    const Gantry__Hlo__Instruction *loop = find(entry, "while");
    cr_assert_eq(loop->n_computations, 2);
    cr_expect_eq(loop->backend_config.len, strlen("{\"known_trip_count\":{\"n\":\"3\"}}"));
    cr_expect(!memcmp(loop->backend_config.data, "{\"known_trip_count\":{\"n\":\"3\"}}",
                      loop->backend_config.len));
    const Gantry__Hlo__Computation *body = computation_of(loop->computations[0]);
    const Gantry__Hlo__Instruction *sum = find(body, "all-reduce");
    cr_expect_eq(sum->n_replica_groups, 1);
    cr_expect_eq(sum->channel_id, 1);
    cr_assert_eq(sum->n_computations, 1);
    find(computation_of(sum->computations[0]), "add");
    const Gantry__Hlo__Computation *condition = computation_of(loop->computations[1]);
    const Gantry__Hlo__Instruction *root = condition->instructions[condition->n_instructions - 1];
    cr_expect_eq(root->id, condition->root_id);
    cr_expect_eq(root->shape->element_type, 1, "a predicate");
}

Test(export_steps, communication_counts_iterations)
{
    struct program_communication *list;
    double sent;
    int count;
    cr_assert_null(program_communication(program, &list, &count));
    cr_assert_eq(count, 2);
    cr_expect_eq(list[0].times, 3);
    cr_expect_eq(list[0].sent, 2 * 3 * 32 / 4.0);
    cr_expect_eq(list[1].times, 1);
    cr_expect_eq(list[1].sent, 32);
    cr_expect(list[0].is_exact && list[1].is_exact);
    cr_assert_null(program_communication_bytes(program, &sent));
    cr_expect_eq(sent, 3 * 48 + 32);
    alloc_free(list);
}

/* The dimensions of collectives and the trip counts of loops survive serialization. */
Test(export_steps, a_deserialized_program_exports_the_same)
{
    char *wire, *again;
    size_t wire_size, size;
    struct program *read;
    cr_assert_null(program_io_write(program, "test", &wire, &wire_size));
    cr_assert_null(program_io_read(wire, wire_size, "test", &read));
    cr_assert_null(export_hlo(read, &again, &size));
    cr_expect_eq(size, byte_count);
    cr_expect(!memcmp(again, bytes, size));
    alloc_free(wire);
    alloc_free(again);
    program_release(read);
}

/* ---- programs of copies in memory ------------------------------------------------------------ */
enum {
    FORWARD = 100000,
    LOOPS = 20000,
    BYTES = 64,
    MOST_SECONDS = 5,
    STEP_BYTES = 4096, /* of the arena for a step, at most */
    TEMP = 0           /* the allocation */
};

static char copy_label[] = "copy", while_label[] = "while";

/* A made program; also what export_made() found out. */
static struct made {
    struct allocation allocations[LOOPS + 1];
    struct step steps[2 * FORWARD];
    struct slice slices[2 * FORWARD][2];
    struct slice many[FORWARD + 1];
    struct program program;
    struct arena *arena;
    struct export_computation entry;
} made;

/* Value i of the temporaries. */
static struct slice value(int64_t i)
{
    return (struct slice){TEMP, (uint64_t)i * BYTES, BYTES};
}

static struct step *made_copy(int index, struct slice from, struct slice to)
{
    made.slices[index][0] = from;
    made.slices[index][1] = to;
    made.steps[index] = (struct step){.kind = STEP_COPY,
                                      .label = copy_label,
                                      .slice_count = 2,
                                      .operand_count = 1,
                                      .slices = made.slices[index],
                                      .plan = -1};
    return &made.steps[index];
}

static struct step *made_loop(int index, struct slice predicate, struct step *body, int count)
{
    made.slices[index][0] = predicate;
    made.steps[index] = (struct step){.kind = STEP_WHILE,
                                      .label = while_label,
                                      .slice_count = 1,
                                      .operand_count = 1,
                                      .slices = made.slices[index],
                                      .plan = -1,
                                      .loop = {.body = {count, body}, .trip_count = 2}};
    return &made.steps[index];
}

static struct error *export_made(void *context)
{
    struct proto *to = context;
    export_steps(to, &made.program, NULL, &made.entry);
    return NULL;
}

/* Exports the program of these steps within time and memory that are linear in `total` steps, and
 * sets `module`. */
static void read_made(struct step *steps, int count, int total)
{
    struct proto to = {0};
    made.allocations[TEMP] = (struct allocation){ALLOCATION_TEMP, 0, UINT32_MAX, MEMORY_DEVICE};
    made.program.allocations = made.allocations;
    if (!made.program.allocation_count)
        made.program.allocation_count = 1;
    made.program.steps = (struct step_list){count, steps};
    cr_assert_null(arena_create(&to.arena));
    clock_t begin = clock();
    cr_assert_null(arena_run(to.arena, export_made, &to));
    cr_expect_lt(clock() - begin, MOST_SECONDS * CLOCKS_PER_SEC);
    cr_expect_leq(arena_used(to.arena), ((size_t)total + 100) * STEP_BYTES);
    module = gantry__hlo__module__unpack(NULL, to.size, (const uint8_t *)to.bytes);
    cr_assert_not_null(module);
    arena_destroy(to.arena);
}

static void free_made(void)
{
    gantry__hlo__module__free_unpacked(module, NULL);
}

TestSuite(export_steps_made, .fini = free_made);

/* The instructions of a made program's entry, one for each step. */
static Gantry__Hlo__Instruction **made_entry(void)
{
    return computation_of(made.entry.id)->instructions;
}

/* A training step's values: all are written, then each is read, the last one first. */
Test(export_steps_made, many_values_read_in_reverse_take_linear_time)
{
    for (int i = 0; i < FORWARD; i++) {
        made_copy(i, value(i), value(i + 1));
        made_copy(2 * FORWARD - 1 - i, value(i + 1), value(FORWARD + 1));
    }
    read_made(made.steps, 2 * FORWARD, 2 * FORWARD);
    Gantry__Hlo__Instruction **entry = made_entry();
    for (int i = 1; i < FORWARD; i++) {
        cr_assert_eq(entry[i]->n_operands, 1);
        cr_assert_eq(entry[i]->operands[0], entry[i - 1]->id);
        cr_assert_eq(entry[2 * FORWARD - 1 - i]->operands[0], entry[i]->id);
    }
}

/* A step reads the results of many others, twice. */
Test(export_steps_made, many_operands_of_a_step_take_linear_time)
{
    for (int i = 0; i < FORWARD; i++)
        made_copy(i, value(FORWARD), made.many[i / 2] = value(i / 2));
    for (int i = 0; i < FORWARD / 2; i++)
        made.many[FORWARD / 2 + i] = value(i);
    made.many[FORWARD] = value(FORWARD);
    made.steps[FORWARD] = (struct step){.kind = STEP_KERNEL,
                                        .label = copy_label,
                                        .slice_count = FORWARD + 1,
                                        .operand_count = FORWARD,
                                        .slices = made.many,
                                        .plan = -1};
    read_made(made.steps, FORWARD + 1, FORWARD + 1);
    const Gantry__Hlo__Instruction *last = made_entry()[FORWARD];
    cr_assert_eq(last->n_operands, FORWARD / 2);
    cr_expect_eq(last->operands[FORWARD / 2 - 1], made_entry()[FORWARD - 1]->id);
}

/* Loops in loops to the deepest nesting; the steps inside are seen once, not once a level. */
Test(export_steps_made, steps_in_nested_loops_take_linear_memory)
{
    enum { DEPTH = PROGRAM_MAX_NESTING - 2, INSIDE = FORWARD / 20 };
    for (int i = 0; i < INSIDE; i++)
        made_copy(i, value(2 * i), value(2 * i + 2)); /* with gaps */
    struct step *body = made.steps;
    for (int i = 0, count = INSIDE; i < DEPTH; i++, count = 1)
        body = made_loop(INSIDE + i, value(0), body, count);
    read_made(body, 1, INSIDE + DEPTH);
    cr_expect_eq(module->n_computations, 2 * DEPTH + 1);
}

/* Many loops in a program with as many allocations. */
Test(export_steps_made, many_loops_and_allocations_take_linear_memory)
{
    for (int i = 1; i <= LOOPS; i++) {
        made.allocations[i] = (struct allocation){ALLOCATION_CONSTANTS, 0, BYTES, MEMORY_DEVICE};
        made_copy(LOOPS + i, (struct slice){i, 0, BYTES}, value(i));
        made_loop(i, value(i), &made.steps[LOOPS + i], 1);
    }
    made.program.allocation_count = LOOPS + 1;
    read_made(&made.steps[1], LOOPS, 2 * LOOPS);
    cr_expect_eq(module->n_computations, 2 * LOOPS + 1);
}

/* Copy 0 writes values 0 and 1, copies 1 and 2 one of them each, copy 3 reads both. */
Test(export_steps_made, operands_wrote_what_is_still_there)
{
    const struct slice both = {TEMP, 0, 2 * BYTES}, other = {TEMP, 2 * BYTES, 2 * BYTES};
    made_copy(0, other, both);
    made_copy(1, value(2), value(0));
    made_copy(2, value(3), value(1));
    made_copy(3, both, other);
    read_made(made.steps, 4, 4);
    Gantry__Hlo__Instruction **entry = made_entry();
    cr_assert_eq(entry[3]->n_operands, 2);
    cr_expect_eq(entry[3]->operands[0], entry[2]->id);
    cr_expect_eq(entry[3]->operands[1], entry[1]->id);
}

/* A loop in a loop reads value 0, which copy 0 writes, and writes value 1, which copy 2 reads. */
Test(export_steps_made, a_loop_reads_and_writes_what_its_nested_loops_do)
{
    made_copy(0, value(8), value(0));
    made_copy(3, value(0), value(1));
    made_loop(4, value(8), &made.steps[3], 1);
    made_loop(1, value(8), &made.steps[4], 1);
    made_copy(2, value(1), value(2));
    read_made(made.steps, 3, 5);
    Gantry__Hlo__Instruction **entry = made_entry();
    const Gantry__Hlo__Computation *outer = computation_of(made.entry.id);
    const Gantry__Hlo__Instruction *loop = find(outer, "while"), *state = operand(outer, loop);
    cr_expect_str_eq(state->custom_call_target, "gantry.state");
    cr_assert_eq(state->n_operands, 1);
    cr_expect_eq(state->operands[0], entry[0]->id);
    const Gantry__Hlo__Instruction *after = entry[3];
    cr_assert_eq(after->n_operands, 1);
    cr_expect_eq(after->operands[0], loop->id);
}
