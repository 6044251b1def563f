/* export_steps_test.c: exports a program with collectives in a loop, and reads the module back. */
#include "compiler/export/export_steps.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

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
