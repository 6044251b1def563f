/* mlir_bytecode_test.c: portable artifacts written by JAX (scripts/make_testdata.py), complete,
 * truncated and corrupted. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "compiler/frontend/bytecode/mlir_bytecode.h"
#include "compiler/ir/sharding.h"

#define FIXTURE_TESTS
#include "compiler/frontend_fixture.h"

#define DATA "compiler/frontend/bytecode/testdata/mlir_bytecode_fuzz/"

TestSuite(mlir_bytecode, .init = begin, .fini = end);

static size_t load(const char *name)
{
    return fixture_load(DATA, name);
}

static struct module *read_module(const char *name)
{
    struct module *module;
    size_t size = load(name);
    struct error *error = mlir_bytecode_read(arena, bytes, size, &module);
    if (!error)
        error = arena_run(arena, fixture_verify, module);
    cr_assert_null(error, "%s: %s", name, error ? error_message(error, NULL) : "");
    return module;
}

static const struct op *find_op(const struct block *block, enum op_code code)
{
    for (const struct op *op = block->first; op; op = op->next)
        if (op->code == code)
            return op;
    cr_assert_fail("no %s", op_info(code)->name);
    return NULL;
}

static void expect_error(size_t size, PJRT_Error_Code code, const char *words)
{
    struct module *module;
    struct error *error = mlir_bytecode_read(arena, bytes, size, &module);
    cr_assert_not_null(error);
    cr_assert_null(module);
    cr_assert_eq(error_code(error), code, "%s", error_message(error, NULL));
    cr_assert_not_null(strstr(error_message(error, NULL), words), "%s", error_message(error, NULL));
    error_free(error);
}

Test(mlir_bytecode, all_programs_are_read_and_valid)
{
    DIR *folder = opendir(DATA);
    int count = 0;
    cr_assert_not_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));)
        if (strstr(entry->d_name, ".mlirbc")) {
            read_module(entry->d_name);
            count++;
        }
    closedir(folder);
    cr_assert_geq(count, 15);
}

/* A program in every version of the format has the same IR. */
Test(mlir_bytecode, versions_agree)
{
    static const char *const versions[] = {"train_step.1.8.0.mlirbc", "train_step.1.4.0.mlirbc",
                                           "train_step.1.0.0.mlirbc", "train_step.0.13.0.mlirbc",
                                           "train_step.0.9.0.mlirbc"};
    struct text newest = {0};
    ir_print(read_module("train_step.mlirbc"), &newest);
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        struct text old = {0};
        ir_print(read_module(versions[i]), &old);
        cr_assert_str_eq(old.data, newest.data, "%s", versions[i]);
        text_free(&old);
    }
    text_free(&newest);
}

/* StableHLO's own bytecode has the same IR as the portable artifact. */
Test(mlir_bytecode, stablehlo_itself)
{
    static const char *const names[] = {"constants",     "control",        "convolve",
                                        "indexing",      "linear_algebra", "operations",
                                        "sharded_token", "train_step"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct text artifact = {0}, own = {0};
        ir_print(read_module(arena_format(arena, "%s.mlirbc", names[i])), &artifact);
        ir_print(read_module(arena_format(arena, "%s.stablehlo.mlirbc", names[i])), &own);
        cr_expect_str_eq(own.data, artifact.data, "%s", names[i]);
        text_free(&artifact);
        text_free(&own);
    }
}

/* Those that StableHLO has no operation for are expanded. */
Test(mlir_bytecode, chlo)
{
    const struct block *body = read_module("chlo.stablehlo.mlirbc")->entry->body;
    find_op(body, OP_erf);
    find_op(body, OP_sort);
    cr_expect_eq(find_op(body, OP_dot_general)->attrs.dot.num_primitive_operations, 3);
}

Test(mlir_bytecode, attributes_of_stablehlo_are_checked)
{
    size_t size = load("indexing.stablehlo.mlirbc");
    char *name = memmem(bytes, size, "dynamic_slice", 13);
    cr_assert_not_null(name);
    memcpy(name, "broken", 7);
    expect_error(size, PJRT_Error_Code_UNIMPLEMENTED, "unsupported");
}

/* Gives all nine attributes of the convolution the same entry, one after another: of those with
 * nine fields, together, there are more than any operation has. */
Test(mlir_bytecode, attributes_may_all_be_compound)
{
    enum { ATTRIBUTES = 9, REQUIRED = 3 };
    size_t size = load("convolve.stablehlo.mlirbc");
    int compound = 0;
    for (size_t at = 1; at + ATTRIBUTES <= size; at++) {
        uint8_t kept[ATTRIBUTES];
        if (bytes[at - 1] != (ATTRIBUTES << 1 | 1)) /* the size of a property entry */
            continue;
        memcpy(kept, bytes + at, sizeof kept);
        for (int entry = 0; entry < 64; entry++) {
            struct module *module;
            for (int i = 0; i < ATTRIBUTES; i++)
                bytes[at + (size_t)i] =
                    (uint8_t)(i < REQUIRED ? entry << 1 | 1 : (entry << 1 | 1) << 1 | 1);
            struct error *error = mlir_bytecode_read(arena, bytes, size, &module);
            compound += error && strstr(error_message(error, NULL), "is missing") != NULL;
            error_free(error);
        }
        memcpy(bytes + at, kept, sizeof kept);
    }
    cr_expect_gt(compound, 0);
}

Test(mlir_bytecode, names_and_locations)
{
    const struct module *module = read_module("train_step.mlirbc");
    const struct op *dot = find_op(module->entry->body, OP_dot_general);
    cr_assert_str_eq(module->name, "jit_train_step");
    cr_assert_eq(dot->attrs.dot.lhs_contracting_dimensions.count, 1);
    cr_assert_eq(dot->attrs.dot.lhs_contracting_dimensions.at[0], 1);
    cr_assert_eq(module->entry->argument_infos[0].alias_result, 0);
    cr_assert_eq(module->entry->argument_infos[4].alias_result, -1);
}

Test(mlir_bytecode, arguments_of_the_entry)
{
    const struct func *entry = read_module("operations.mlirbc")->entry;
    cr_assert_eq(entry->body->arguments[0].type->shape.memory, MEMORY_PINNED_HOST);
    cr_assert(entry->argument_infos[0].layout_auto);
    cr_assert(entry->argument_infos[1].donated);
    cr_assert_eq(entry->result_types[0]->shape.memory, MEMORY_PINNED_HOST);
}

Test(mlir_bytecode, custom_calls)
{
    const struct block *body = read_module("operations.mlirbc")->entry->body;
    const struct op *call = find_op(body, OP_custom_call);
    const struct attrs_custom_call *attrs = &call->attrs.custom_call;
    cr_assert_eq(attrs->api_version, 4);
    cr_assert_eq(attrs->operand_layouts.count, 2);
    cr_assert_eq(attrs->operand_layouts.at[0].at[1], 1);
    cr_assert_eq(attrs->result_layouts.at[0].at[0], 1);
    cr_assert_eq(attrs->output_operand_aliases->count, 1);
    cr_assert_not_null(call->discardable);
    const struct dict *config = call->discardable->values[0].dict;
    cr_assert_eq(config->count, 5);
    cr_assert_eq(find_op(body, OP_send)->attrs.channel.channel_id, 2);
    cr_assert_eq(find_op(body, OP_dot_general)->attrs.dot.num_primitive_operations, 3);
    cr_assert_eq(find_op(body, OP_dot_general)->attrs.dot.accumulation_type, DTYPE_F32);
}

static const struct literal *constant(const struct block *block, int n)
{
    const struct op *op = block->first;
    for (; n > 0; n--)
        op = op->next;
    cr_assert_eq(op->code, OP_constant);
    return op->attrs.constant.value;
}

Test(mlir_bytecode, constants)
{
    const struct block *body = read_module("constants.mlirbc")->entry->body;
    cr_assert_arr_eq(constant(body, 0)->bytes, "\1\0\1", 3);
    cr_assert_arr_eq(constant(body, 1)->bytes, "\1\0\1\1\0\0\1\0\1\1\1\0\0\0\1\0\1", 17);
    cr_assert(constant(body, 2)->splat);
    cr_assert_arr_eq(constant(body, 3)->bytes, "\0", 1);
    cr_assert_arr_eq(constant(body, 4)->bytes, "\xf8\7\xff\0", 4);
    cr_assert_arr_eq(constant(body, 5)->bytes, "\xf\7\1\0", 4);
    cr_assert_eq(constant(body, 6)->type->shape.dtype, DTYPE_S64);
    cr_assert_arr_eq(constant(body, 9)->bytes, "\0\0\x80\x7f\0\0\x80\xff\1\0\xc0\x7f\0\0\0\x80",
                     16);
    cr_assert_eq(type_elements(constant(body, 16)->type), 0);
    cr_assert(constant(body, 17)->splat);
}

/* Shardy's operations have tokens of StableHLO, not of VHLO. */
Test(mlir_bytecode, manual_computations_take_tokens)
{
    const struct module *module = read_module("sharded_token.mlirbc");
    const struct op *call = find_op(module->entry->body, OP_custom_call);
    cr_expect_eq(call->operands[0], &module->entry->body->arguments[0]);
    cr_expect_eq(call->results[0].type->kind, TYPE_TOKEN);
}

static void expect_shardings(const struct module *module)
{
    const struct func *entry = module->entry;
    cr_assert_str_eq(entry->body->arguments[0].type->sharding->mesh->name, "mesh");
    cr_assert_eq(entry->body->arguments[0].type->sharding->rank, 2);
    cr_assert_eq(entry->body->arguments[0].type->sharding->dims[0].axes.count, 1);
    const struct op *constraint = find_op(entry->body, OP_sharding_constraint);
    cr_assert_eq(constraint->operands[0]->def->code, OP_multiply);
    cr_assert_eq(constraint->attrs.sharding.sharding->dims[0].axes.count, 1);
    find_op(entry->body, OP_add);
}

/* Shardings of arguments are part of types; constraints become operations. */
Test(mlir_bytecode, shardy)
{
    expect_shardings(read_module("sharded.mlirbc"));
    expect_shardings(read_module("sharded.stablehlo.mlirbc"));
}

Test(mlir_bytecode, other_versions_are_refused)
{
    size_t size = load("train_step.mlirbc");
    char *version = memmem(bytes, size, "v1.17.0", 7);
    cr_assert_not_null(version);
    version[3] = '9'; /* 1.97.0 */
    expect_error(size, PJRT_Error_Code_UNIMPLEMENTED, "1.97");
    memcpy(version, "vx.yy", 5);
    expect_error(size, PJRT_Error_Code_INVALID_ARGUMENT, "has no StableHLO version");
    bytes[4] = 7 << 1 | 1;
    expect_error(size, PJRT_Error_Code_UNIMPLEMENTED, "version 7");
    bytes[0] = 'm';
    expect_error(size, PJRT_Error_Code_INVALID_ARGUMENT, "magic");
}

static void expect_prefixes_refused(const char *name)
{
    size_t size = load(name);
    int64_t live = alloc_live();
    for (size_t i = 0; i < size; i++) {
        struct arena *mine;
        struct module *module;
        cr_assert_null(arena_create(&mine));
        struct error *error = mlir_bytecode_read(mine, bytes, i, &module);
        cr_assert_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT, "%zu bytes", i);
        error_free(error);
        arena_destroy(mine);
    }
    cr_assert_eq(alloc_live(), live);
}

Test(mlir_bytecode, every_prefix_is_refused)
{
    expect_prefixes_refused("operations.mlirbc");
    expect_prefixes_refused("operations.stablehlo.mlirbc");
    expect_prefixes_refused("chlo.stablehlo.mlirbc");
}

/* Each byte is replaced by a few other values: reading returns an error or a module. */
static void damage(const char *name)
{
    static const uint8_t masks[] = {0x01, 0x02, 0x80, 0xff};
    size_t size = load(name);
    for (size_t i = 0; i < size * 4; i++) {
        struct arena *mine;
        struct module *module;
        cr_assert_null(arena_create(&mine));
        bytes[i / 4] ^= masks[i % 4];
        struct error *error = mlir_bytecode_read(mine, bytes, size, &module);
        if (!error)
            error = arena_run(mine, fixture_verify, module);
        bytes[i / 4] ^= masks[i % 4];
        error_free(error);
        arena_destroy(mine);
    }
}

Test(mlir_bytecode, damage_is_survived)
{
    damage("control.mlirbc");
    damage("operations.stablehlo.mlirbc");
    damage("chlo.stablehlo.mlirbc");
}

static size_t file_size;

static struct error *read_once(struct arena *mine)
{
    struct module *module;
    return mlir_bytecode_read(mine, bytes, file_size, &module);
}

Test(mlir_bytecode, no_memory)
{
    file_size = load("sharded.mlirbc");
    fixture_no_memory(read_once);
}
