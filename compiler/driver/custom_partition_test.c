/* Calls whose partitioner returns programs of these tests; the module is propagated before. */
#include "compiler/driver/custom_partition.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/alloc.h"
#include "compiler/driver/compile_source.h"
#include "compiler/driver/custom_partitioner.h"
#include "compiler/passes/spmd/propagate.h"
#include "compiler/target_fixture.h"

/* OpSharding: type OTHER, dimensions [2, 1, 2], iota of 4 devices, last dimension replicated. */
#define ROWS "\x08\x03\x1a\x03\x02\x01\x02\x4a\x01\x04\x52\x01\x00\x30\x01"
#define BYTES(literal) ((struct string){sizeof(literal) - 1, literal})

static struct {
    const char *program;     /* what the partitioner returns */
    struct string sharding;  /* of operands and result */
    struct string suggested; /* by infer; NULL data: none */
    const char *error;       /* or this, if not NULL */
    int partitioned, inferred, inspected;
    char result_sharding[64]; /* in the last question */
    size_t result_sharding_size;
    char seen[64]; /* by inspect */
    size_t seen_size;
} client;

static struct error *answer(struct custom_partitioner *self, struct arena *arena,
                            const struct partition_question *question, struct partition_answer *out)
{
    (void)self;
    struct string *operands = ARENA_ARRAY(arena, struct string, question->operand_count);
    client.partitioned++;
    if (client.error)
        return ERROR(FAILED_PRECONDITION, "%s", client.error);
    client.result_sharding_size = question->result.sharding.size;
    memcpy(client.result_sharding, question->result.sharding.data, question->result.sharding.size);
    for (size_t i = 0; i < question->operand_count; i++)
        operands[i] = client.sharding;
    *out = (struct partition_answer){
        {strlen(client.program), client.program}, operands, client.sharding};
    return NULL;
}

static struct error *suggest(struct custom_partitioner *self, struct arena *arena,
                             const struct partition_question *question, struct string *out)
{
    (void)self, (void)arena, (void)question;
    client.inferred++;
    *out = client.suggested;
    return NULL;
}

static struct error *see(struct custom_partitioner *self, struct arena *arena,
                         struct string backend_config, struct string sharding)
{
    (void)self, (void)arena, (void)backend_config;
    client.inspected++;
    client.seen_size = sharding.size;
    memcpy(client.seen, sharding.data, sharding.size < 64 ? sharding.size : 64);
    return NULL;
}

static void free_partitioner(struct custom_partitioner *self)
{
    alloc_free(self);
}

static void add(const char *name, struct custom_partitioner functions)
{
    struct custom_partitioner *made;
    cr_assert_null(alloc_zeroed(sizeof *made, &made));
    *made = functions;
    made->destroy = free_partitioner;
    cr_assert_null(custom_partitioner_register(name, strlen(name), made));
}

static struct arena *arena;
static struct text printed;

static void begin(void)
{
    cr_assert_null(arena_create(&arena));
    add("twice", (struct custom_partitioner){.partition = answer, .infer = suggest});
    add("look", (struct custom_partitioner){.inspect = see});
    client.sharding = BYTES(ROWS);
}

static void end(void)
{
    text_free(&printed);
    arena_destroy(arena);
}

TestSuite(custom_partition, .init = begin, .fini = end);

static struct error *run_body(void *context)
{
    const char *text = context;
    struct target target = target_fixture();
    struct compile_source source = {
        .format = "mlir", .format_size = 4, .bytes = text, .size = strlen(text)};
    struct module *module;
    TRY(compile_source_read(arena, &source, &module));
    TRY(propagate_run(module, &target));
    TRY(custom_partition_run(module, &target));
    TRY(ir_verify(module, false));
    ir_print(module, &printed);
    return NULL;
}

static void run(const char *text)
{
    struct error *error = arena_run(arena, run_body, (void *)(uintptr_t)text);
    cr_assert_null(error, "%s", error ? error_message(error, NULL) : "");
}

static void expect_refused(const char *text, PJRT_Error_Code code, const char *words)
{
    struct error *error = arena_run(arena, run_body, (void *)(uintptr_t)text);
    cr_assert_not_null(error, "%s", words);
    cr_expect_eq(error_code(error), code, "%s", error_message(error, NULL));
    cr_expect_not_null(strstr(error_message(error, NULL), words), "%s", error_message(error, NULL));
    error_free(error);
}

#define MODULE(partitions, sharding, body)                                                         \
    "module @m attributes {mhlo.num_partitions = " partitions " : i32} {\n"                        \
    "  sdy.mesh @mesh = <[\"x\"=2, \"y\"=2]>\n"                                                    \
    "  func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, " sharding ">}) "  \
    "-> tensor<8x4xf32> {\n" body "    return %0 : tensor<8x4xf32>\n  }\n}\n"
#define CALL "    %0 = stablehlo.custom_call @twice(%a) : (tensor<8x4xf32>) -> tensor<8x4xf32>\n"
#define PROGRAM(type)                                                                              \
    "func.func @main(%a: tensor<" type ">) -> tensor<" type "> {\n"                                \
    "  %0 = stablehlo.add %a, %a : tensor<" type ">\n  return %0 : tensor<" type ">\n}\n"

Test(custom_partition, the_program_of_a_shard_takes_the_place_of_the_call)
{
    client.program = PROGRAM("4x4xf32");
    run(MODULE("4", "[{\"x\"}, {}]", CALL));
    cr_expect_eq(client.partitioned, 1);
    cr_expect_null(strstr(printed.data, "custom_call"), "%s", printed.data);
    cr_expect_not_null(strstr(printed.data, "(tensor<4x4xf32>, tensor<4x4xf32>)"), "%s",
                       printed.data);
    cr_expect_not_null(strstr(printed.data, "gantry.full_to_shard"));
    cr_expect_not_null(strstr(printed.data, "gantry.shard_to_full"));
}

/* What the results of a call without a rule look like is the partitioner's to say. */
Test(custom_partition, the_partitioner_may_suggest_the_sharding_of_results)
{
    client.program = PROGRAM("4x4xf32");
    client.suggested = BYTES(ROWS);
    run(MODULE("4", "[{\"x\"}, {}]", CALL));
    cr_expect_eq(client.inferred, 1);
    cr_assert_eq(client.result_sharding_size, sizeof ROWS - 1);
    cr_expect_arr_eq(client.result_sharding, ROWS, sizeof ROWS - 1);
}

Test(custom_partition, a_rule_of_the_client_leaves_nothing_to_suggest)
{
    client.program = PROGRAM("4x4xf32");
    run(MODULE("4", "[{\"x\"}, {}]",
               "    %0 = stablehlo.custom_call @twice(%a) {sdy.sharding_rule = "
               "#sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=4}, custom>} : "
               "(tensor<8x4xf32>) -> tensor<8x4xf32>\n"));
    cr_expect_eq(client.inferred, 0);
    cr_assert_eq(client.result_sharding_size, sizeof ROWS - 1);
    cr_expect_arr_eq(client.result_sharding, ROWS, sizeof ROWS - 1, "propagated by the rule");
}

Test(custom_partition, one_partition_keeps_its_calls)
{
    run(MODULE("1", "[{}, {}]", CALL));
    cr_expect_eq(client.partitioned, 0);
    cr_expect_not_null(strstr(printed.data, "custom_call"));
}

Test(custom_partition, programs_that_do_not_fit_are_refused)
{
    static const char module[] = MODULE("4", "[{\"x\"}, {}]", CALL);
    client.program = PROGRAM("8x4xf32");
    expect_refused(module, PJRT_Error_Code_INVALID_ARGUMENT, "a shard is tensor<4x4xf32>");
    client.program = "func.func @main() -> tensor<4x4xf32> {\n"
                     "  %0 = stablehlo.constant dense<0.0> : tensor<4x4xf32>\n"
                     "  return %0 : tensor<4x4xf32>\n}\n";
    expect_refused(module, PJRT_Error_Code_INVALID_ARGUMENT, "0 arguments and 1 results");
    client.program = "no program";
    expect_refused(module, PJRT_Error_Code_INVALID_ARGUMENT, "custom call @twice");
    client.program = PROGRAM("4x4xf32");
    client.sharding = BYTES("\xff\xff\xff");
    expect_refused(module, PJRT_Error_Code_INVALID_ARGUMENT, "custom call @twice");
    client.error = "the client does not want to";
    expect_refused(module, PJRT_Error_Code_FAILED_PRECONDITION, "does not want to");
}

Test(custom_partition, a_sharding_is_inspected_and_the_value_passes)
{
    run(MODULE("4", "[{\"x\"}, {}]",
               "    %1 = stablehlo.custom_call @look(%a) : (tensor<8x4xf32>) -> tensor<8x4xf32>\n"
               "    %0 = stablehlo.negate %1 : tensor<8x4xf32>\n"));
    cr_expect_eq(client.inspected, 1);
    cr_assert_eq(client.seen_size, sizeof ROWS - 1);
    cr_expect_arr_eq(client.seen, ROWS, sizeof ROWS - 1);
    cr_expect_null(strstr(printed.data, "custom_call"));
}

Test(custom_partition, an_inspection_has_one_operand)
{
    expect_refused(MODULE("4", "[{\"x\"}, {}]",
                          "    %0 = stablehlo.custom_call @look(%a, %a) : (tensor<8x4xf32>, "
                          "tensor<8x4xf32>) -> tensor<8x4xf32>\n"),
                   PJRT_Error_Code_INVALID_ARGUMENT, "2 operands");
}
