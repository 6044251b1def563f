/* Verifies plans by running programs on a symbolic memory that holds names of values instead of
 * numbers: every read must find the value that the program reads, for any trip count and any
 * branches, with and without donated parameters. The programs are the models of the project's
 * corpus, those of ../shared if it exists, and programs with many branches. */
#include <criterion/criterion.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "compiler/compile.h"
#include "compiler/passes/buffer/buffer_assign.h"
#include "compiler/passes/buffer/buffer_in_place.h"
#include "compiler/passes/buffer/carry_rotation.h"
#include "compiler/passes/buffer/rematerialize.h"
#include "compiler/passes/buffer/schedule.h"
#include "compiler/passes/fusion/early_reads.h"
#include "compiler/passes/fusion/fusion.h"
#include "compiler/passes/fusion/outline.h"
#include "compiler/passes/fusion/updates.h"
#include "compiler/passes/cleanup/inline.h"
#include "compiler/passes/layout/layout.h"
#include "compiler/target_fixture.h"

struct range {
    int allocation;
    uint64_t offset, size;
    intptr_t name;
};

struct machine {
    struct arena *arena;
    const struct buffer_plan *plan;
    VEC(struct range) memory;
    struct map *names; /* value -> name of its contents */
    intptr_t next_name;
    int trips;        /* of every loop */
    uint32_t choices; /* the state of a generator: which branch the next case takes */
    const int *moved; /* allocation -> the allocation whose memory it reuses */
    const char *file;
};

static struct slice slice_of(const struct machine *m, const struct value *value)
{
    const struct slice *slice = buffer_plan_slice(m->plan, value);
    static const struct slice nowhere;
    if (!slice && value->def && value->def->code == OP_constant)
        return nowhere; /* part of a region's code */
    cr_assert(slice, "%s: a value has no slice", m->file);
    struct slice result = *slice;
    result.allocation = m->moved[slice->allocation];
    return result;
}

static bool overlap(int allocation, uint64_t offset, uint64_t size, const struct slice *slice)
{
    return allocation == slice->allocation && offset < slice->offset + slice->size &&
           slice->offset < offset + size;
}

static void write_slice(struct machine *m, struct slice slice, intptr_t name)
{
    size_t kept = 0;
    for (size_t i = 0; i < m->memory.count; i++) {
        struct range *range = &m->memory.items[i];
        if (!overlap(range->allocation, range->offset, range->size, &slice))
            m->memory.items[kept++] = *range;
    }
    m->memory.count = kept;
    if (slice.size)
        VEC_PUSH(m->arena, &m->memory,
                 (struct range){slice.allocation, slice.offset, slice.size, name});
}

static bool is_tensor(const struct value *value)
{
    return value->type->kind == TYPE_TENSOR;
}

static intptr_t name_of(const struct machine *m, const struct value *value)
{
    return (intptr_t)map_get_pointer(m->names, value);
}

static void set_name(struct machine *m, const struct value *value, intptr_t name)
{
    map_put_pointer(m->names, value, (void *)name);
}

static void read_value(struct machine *m, const struct op *op, const struct value *value)
{
    if (!is_tensor(value))
        return;
    struct slice slice = slice_of(m, value);
    if (slice.size == 0)
        return;
    for (size_t i = 0; i < m->memory.count; i++) {
        const struct range *range = &m->memory.items[i];
        if (range->allocation == slice.allocation && range->offset == slice.offset &&
            range->size == slice.size && range->name == name_of(m, value))
            return;
    }
    struct text text = {0};
    ir_print_op(op, &text);
    cr_assert(false,
              "%s: value %d of the following was overwritten (allocation %d, offset %zu): %s",
              m->file, value->index, slice.allocation, (size_t)slice.offset, text.data);
}

static void define(struct machine *m, const struct value *value)
{
    set_name(m, value, ++m->next_name);
    if (is_tensor(value))
        write_slice(m, slice_of(m, value), name_of(m, value));
}

/* The memory that an operation writes may overlap what it reads only where that is allowed. */
static void check_overlap(const struct machine *m, const struct op *op, int operand, int result)
{
    if (!is_tensor(op->operands[operand]) || !is_tensor(&op->results[result]))
        return;
    struct slice from = slice_of(m, op->operands[operand]), to = slice_of(m, &op->results[result]);
    if (!overlap(from.allocation, from.offset, from.size, &to))
        return;
    cr_assert(op->code == OP_fusion && from.offset == to.offset && from.size == to.size &&
                  buffer_in_place(op, operand, result),
              "%s: a result overlaps an operand", m->file);
}

static void run_plain(struct machine *m, const struct op *op)
{
    for (int i = 0; i < op->operand_count; i++) {
        read_value(m, op, op->operands[i]);
        for (int j = 0; j < op->result_count; j++)
            check_overlap(m, op, i, j);
    }
    const struct slice *scratch = buffer_plan_scratch(m->plan, op);
    if (scratch) {
        write_slice(m, *scratch, -1);
        for (int i = 0; i < op->operand_count; i++)
            read_value(m, op, op->operands[i]);
    }
    for (int i = 0; i < op->result_count; i++)
        define(m, &op->results[i]);
    for (int i = 0; i < op->result_count; i++)
        read_value(m, op, &op->results[i]);
}

static void run_block(struct machine *m, const struct block *block);

static void run_while(struct machine *m, const struct op *op)
{
    const struct block *condition = op->regions[0], *body = op->regions[1];
    struct value *const *carried = op->operands;
    for (int trip = 0; trip <= m->trips; trip++) {
        for (int i = 0; i < op->operand_count; i++) {
            intptr_t name = name_of(m, carried[i]);
            set_name(m, &condition->arguments[i], name);
            read_value(m, op, &condition->arguments[i]);
        }
        run_block(m, condition);
        read_value(m, op, condition->last->operands[0]);
        for (int i = 0; i < op->operand_count; i++) {
            set_name(m, &body->arguments[i], name_of(m, &condition->arguments[i]));
            set_name(m, &op->results[i], name_of(m, &condition->arguments[i]));
        }
        if (trip == m->trips)
            break;
        run_block(m, body);
        carried = body->last->operands;
    }
    for (int i = 0; i < op->result_count; i++)
        read_value(m, op, &op->results[i]);
}

static void run_case(struct machine *m, const struct op *op)
{
    m->choices = m->choices * 1664525 + 1013904223;
    const struct block *branch = op->regions[(m->choices >> 16) % (uint32_t)op->region_count];
    read_value(m, op, op->operands[0]);
    run_block(m, branch);
    for (int i = 0; i < op->result_count; i++) {
        set_name(m, &op->results[i], name_of(m, branch->last->operands[i]));
        read_value(m, op, &op->results[i]);
    }
}

static void run_op(struct machine *m, const struct op *op)
{
    switch (op->code) {
    case OP_constant:
        set_name(m, &op->results[0], -2 - (intptr_t)slice_of(m, &op->results[0]).offset);
        write_slice(m, slice_of(m, &op->results[0]), name_of(m, &op->results[0]));
        break;
    case OP_reshape: set_name(m, &op->results[0], name_of(m, op->operands[0])); break;
    case OP_copy:
        read_value(m, op, op->operands[0]);
        set_name(m, &op->results[0], name_of(m, op->operands[0]));
        write_slice(m, slice_of(m, &op->results[0]), name_of(m, op->operands[0]));
        break;
    case OP_while: run_while(m, op); break;
    case OP_case:
    case OP_if: run_case(m, op); break;
    default: run_plain(m, op);
    }
}

static void run_block(struct machine *m, const struct block *block)
{
    for (const struct op *op = block->first; op; op = op->next)
        if (op->code == OP_return)
            for (int i = 0; i < op->operand_count; i++)
                read_value(m, op, op->operands[i]);
        else
            run_op(m, op);
}

static void prove(struct arena *arena, const struct buffer_plan *plan, const struct block *block,
                  const char *file, bool donated)
{
    int *moved = ARENA_ARRAY(arena, int, plan->allocation_count);
    for (int i = 0; i < plan->allocation_count; i++)
        moved[i] = i;
    for (int i = 0; donated && i < block->last->operand_count; i++)
        if (plan->result_alias[i] >= 0)
            moved[block->argument_count + i] = plan->result_alias[i];
    for (int run = 0; run < 12; run++) {
        struct machine m = {.arena = arena,
                            .plan = plan,
                            .names = map_create(arena),
                            .trips = run % 4,
                            .choices = (uint32_t)run,
                            .moved = moved,
                            .file = file};
        for (int i = 0; i < block->argument_count; i++)
            define(&m, &block->arguments[i]);
        run_block(&m, block);
    }
}

/* A region's operands may share the memory of its results. */
static void prove_regions(struct arena *arena, const struct buffer_plan *plan, const char *file)
{
    for (size_t i = 0; i < map_count(plan->regions); i++) {
        const void *key;
        size_t size;
        struct buffer_plan *inner = map_at(plan->regions, i, &key, &size);
        const struct op *fusion;
        memcpy(&fusion, key, sizeof fusion);
        inner->result_alias = ARENA_ARRAY(arena, int, fusion->result_count + 1);
        for (int r = 0; r < fusion->result_count; r++) {
            inner->result_alias[r] = -1;
            for (int o = 0; o < fusion->operand_count; o++)
                if (buffer_in_place(fusion, o, r))
                    inner->result_alias[r] = o;
        }
        prove(arena, inner, fusion->regions[0], file, false);
        prove(arena, inner, fusion->regions[0], file, true);
    }
}

static uint64_t scratch(const struct op *fusion, const struct target *target)
{
    (void)target;
    return fusion->regions[0]->first->code == OP_sort ? 1000 : 0;
}

/* ---- memory kinds ---------------------------------------------------------------------------- */
static const struct type *in_memory(struct arena *arena, const struct type *type,
                                    enum memory_kind memory)
{
    struct type *moved = ARENA_NEW(arena, struct type);
    *moved = *type;
    moved->shape.memory = memory;
    return moved;
}

/* Assigns the memory kinds round-robin to the results of the entry's fusions and library calls. */
static void spread_kinds(struct arena *arena, const struct block *block)
{
    int number = 0;
    for (struct op *op = block->first; op; op = op->next)
        for (int i = 0; i < op->result_count && !(op_info(op->code)->traits & OP_CONTROL); i++)
            if (is_tensor(&op->results[i]))
                op->results[i].type = in_memory(arena, op->results[i].type,
                                                (enum memory_kind)(number++ % MEMORY_KIND_COUNT));
}

/* A temporary is in the block of its own kind. A value in a loop or branch may be in another kind
 * if the operation dictates its memory. */
static int check_kinds(const struct buffer_plan *plan, const struct block *block)
{
    int checked = 0;
    for (const struct op *op = block->first; op; op = op->next) {
        const struct slice *slice =
            op->code == OP_fusion ? buffer_plan_slice(plan, &op->results[0]) : NULL;
        if (!slice || !slice->size || plan->allocations[slice->allocation].kind != ALLOCATION_TEMP)
            continue;
        cr_assert_eq(plan->allocations[slice->allocation].memory,
                     op->results[0].type->shape.memory);
        cr_assert_leq(slice->offset + slice->size, plan->allocations[slice->allocation].size);
        checked++;
    }
    return checked;
}

enum variant { AS_IS, OUTLINED, SCHEDULED, WITHOUT_COPIES, REMATERIALIZED, SPREAD_KINDS, VARIANTS };
struct case_file {
    struct arena *arena;
    const char *path;
    void *bytes;
    size_t size;
    enum variant variant;
    int checked_kinds;
};

static struct error *assign_file(const struct case_file *file, struct module **module,
                                 struct buffer_plan **plan)
{
    static const struct target target = {.name = "test",
                                         .fft_scratch = target_fixture_fft_scratch,
                                         .cores = 2,
                                         .alignment = 64,
                                         .supports_dot = target_fixture_supports_dot,
                                         .supports_convolution =
                                             target_fixture_supports_convolution,
                                         .region_cost = 20000};
    struct compile_source source = {
        .format = "mlir", .format_size = 4, .bytes = file->bytes, .size = file->size};
    TRY(compile_source_read(file->arena, &source, module));
    TRY(inline_run(*module, &target));
    TRY(layout_run(*module, &target));
    TRY(ir_verify(*module, false));
    TRY(fusion_run(*module, &target));
    TRY(ir_verify(*module, false));
    if (file->variant == OUTLINED)
        TRY(outline_run(*module, &target));
    if (file->variant == WITHOUT_COPIES) {
        TRY(updates_run(*module, &target));
        TRY(early_reads_run(*module, &target));
        TRY(carry_rotation_run(*module, &target));
    }
    if (file->variant == SCHEDULED || file->variant == WITHOUT_COPIES)
        TRY(schedule_run(*module, &target));
    if (file->variant == REMATERIALIZED)
        rematerialize_run(*module, &target, UINT64_MAX);
    if (file->variant == SPREAD_KINDS)
        spread_kinds(file->arena, (*module)->entry->body);
    TRY(ir_verify(*module, false));
    TRY(buffer_assign_entry(*module, &target, scratch, plan));
    return ir_verify(*module, false);
}

static struct error *prove_file(void *context)
{
    struct case_file *file = context;
    struct module *module;
    struct buffer_plan *plan;
    TRY(assign_file(file, &module, &plan));
    file->checked_kinds = check_kinds(plan, module->entry->body);
    prove_regions(file->arena, plan, file->path);
    prove(file->arena, plan, module->entry->body, file->path, false);
    prove(file->arena, plan, module->entry->body, file->path, true);
    return NULL;
}

static void *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    void *bytes = malloc(*size);
    cr_assert(fread(bytes, 1, *size, file) == *size);
    fclose(file);
    return bytes;
}

/* Copies between different memory. */
static int count_copies(const struct buffer_plan *plan, const struct block *block)
{
    int count = 0;
    for (const struct op *op = block->first; op; op = op->next) {
        if (op->code == OP_copy) {
            const struct slice *from = buffer_plan_slice(plan, op->operands[0]),
                               *to = buffer_plan_slice(plan, &op->results[0]);
            count += from->allocation != to->allocation || from->offset != to->offset;
        }
        for (int i = 0; op_info(op->code)->traits & OP_CONTROL && i < op->region_count; i++)
            count += count_copies(plan, op->regions[i]);
    }
    return count;
}

/* Copies of arrays in each iteration of a block's loops, not in the branch that ends a loop. */
static int count_loop_copies(const struct buffer_plan *plan, const struct block *block,
                             bool in_loop)
{
    int count = 0;
    for (const struct op *op = block->first; op; op = op->next) {
        bool is_array = op->code == OP_copy && type_elements(op->results[0].type) > 1;
        if (is_array && in_loop) {
            const struct slice *from = buffer_plan_slice(plan, op->operands[0]),
                               *to = buffer_plan_slice(plan, &op->results[0]);
            count += from->allocation != to->allocation || from->offset != to->offset;
        }
        int regions = op->code == OP_if ? 1 : op->region_count;
        for (int i = 0; op_info(op->code)->traits & OP_CONTROL && i < regions; i++)
            count += count_loop_copies(plan, op->regions[i], in_loop || op->code == OP_while);
    }
    return count;
}

static const struct op *find_loop(const struct block *block)
{
    const struct op *op = block->first;
    while (op && op->code != OP_while)
        op = op->next;
    return op;
}

/* A loop of `add` that ends early: the other branch returns the carried values as they are. */
static struct error *assign_early_stop(void *context)
{
    static const char text[] =
        "func.func @main(%x: tensor<4xf32>, %n: tensor<i32>) -> (tensor<4xf32>, tensor<i32>) {\n"
        "  %zero = stablehlo.constant dense<0> : tensor<i32>\n"
        "  %one = stablehlo.constant dense<1> : tensor<i32>\n"
        "  %r:3 = stablehlo.while(%a = %x, %k = %zero, %i = %zero) :"
        " tensor<4xf32>, tensor<i32>, tensor<i32>\n"
        "  cond {\n"
        "    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
        "    stablehlo.return %c : tensor<i1>\n"
        "  } do {\n"
        "    %p = stablehlo.remainder %i, %n : tensor<i32>\n"
        "    %s:2 = \"stablehlo.case\"(%p) ({\n"
        "      stablehlo.return %a, %k : tensor<4xf32>, tensor<i32>\n"
        "    }, {\n"
        "      %b = stablehlo.add %a, %a : tensor<4xf32>\n"
        "      %l = stablehlo.add %k, %one : tensor<i32>\n"
        "      stablehlo.return %b, %l : tensor<4xf32>, tensor<i32>\n"
        "    }) : (tensor<i32>) -> (tensor<4xf32>, tensor<i32>)\n"
        "    %j = stablehlo.add %i, %one : tensor<i32>\n"
        "    stablehlo.return %s#0, %s#1, %j : tensor<4xf32>, tensor<i32>, tensor<i32>\n"
        "  }\n"
        "  return %r#0, %r#1 : tensor<4xf32>, tensor<i32>\n"
        "}\n";
    struct case_file *file = context;
    file->bytes = (void *)(uintptr_t)text;
    file->size = sizeof text - 1;
    struct module *module;
    struct buffer_plan *plan;
    TRY(assign_file(file, &module, &plan));
    const struct op *loop = find_loop(module->entry->body);
    cr_assert(loop, "a loop with a branch is no kernel");
    cr_expect_eq(count_copies(plan, loop->regions[1]), 0);
    return NULL;
}

/* Only one branch is executed, so the values that one returns as they are may be overwritten by the
 * other. */
Test(buffer_assign, a_branch_that_returns_carried_values_copies_nothing)
{
    struct case_file file = {.path = "a loop that ends early"};
    cr_assert(!arena_create(&file.arena));
    struct error *error = arena_run(file.arena, assign_early_stop, &file);
    cr_assert(!error, "%s", error_message(error, NULL));
    arena_destroy(file.arena);
}

static struct error *copy_nothing(void *context)
{
    struct case_file *file = context;
    struct module *module;
    struct buffer_plan *plan;
    TRY(assign_file(file, &module, &plan));
    cr_expect_eq(count_loop_copies(plan, module->entry->body, false), 0, "%s copies arrays",
                 file->path);
    return NULL;
}

/* Elements of an array swapped, tables updated from each other, also in a branch, arrays that
 * change places, stencils, an element read again behind an inner loop that moves it: with known and
 * unknown trip counts. */
Test(buffer_assign, loops_copy_no_arrays)
{
    glob_t found;
    cr_assert_eq(glob("compiler/passes/buffer/testdata/loop_*.mlir", 0, NULL, &found), 0);
    cr_assert_eq(found.gl_pathc, 14);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct case_file file = {.path = found.gl_pathv[i], .variant = WITHOUT_COPIES};
        cr_assert(!arena_create(&file.arena));
        file.bytes = read_file(file.path, &file.size);
        struct error *error = arena_run(file.arena, copy_nothing, &file);
        cr_assert(!error, "%s: %s", file.path, error_message(error, NULL));
        arena_destroy(file.arena);
        free(file.bytes);
    }
    globfree(&found);
}

Test(buffer_assign, models)
{
    glob_t found;
    cr_assert_eq(glob("build/corpus/models/*.mlirbc", 0, NULL, &found), 0);
    cr_assert_eq(glob("compiler/passes/buffer/testdata/*.mlir", GLOB_APPEND, NULL, &found), 0);
    glob("../shared/corpus/models/*.mlirbc", GLOB_APPEND, NULL, &found);
    cr_assert_geq(found.gl_pathc, 14);
    int checked_kinds = 0;
    for (size_t i = 0; i < VARIANTS * found.gl_pathc; i++) {
        struct case_file file = {.path = found.gl_pathv[i / VARIANTS],
                                 .variant = (enum variant)(i % VARIANTS)};
        cr_assert(!arena_create(&file.arena));
        file.bytes = read_file(file.path, &file.size);
        struct error *error = arena_run(file.arena, prove_file, &file);
        cr_assert(!error, "%s: %s", file.path, error_message(error, NULL));
        checked_kinds += file.variant == SPREAD_KINDS ? file.checked_kinds : 0;
        arena_destroy(file.arena);
        free(file.bytes);
    }
    cr_expect_geq(checked_kinds, 100);
    globfree(&found);
}
