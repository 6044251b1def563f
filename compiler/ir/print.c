/* print.c: prints a module as StableHLO text in generic form. Values are numbered in order within
 * each function: %arg0 ..., %0 ...; equal modules give equal text. */
#include <inttypes.h>
#include <string.h>

#include "compiler/ir/ir.h"
#include "compiler/ir/print_attrs.h"
#include "compiler/ir/sharding.h"

struct printer {
    struct arena *arena; /* for names */
    struct text *out;
    struct map *names; /* value -> its name */
    int next_argument, next_result;
    int64_t max_elements;
    const struct module *module; /* to print; NULL: print `op` */
    const struct op *op;
};

static void name_value(struct printer *p, const struct value *value, const char *name)
{
    map_put_pointer(p->names, value, (void *)(uintptr_t)name);
}

static const char *name_of(struct printer *p, const struct value *value)
{
    const char *name = value ? map_get_pointer(p->names, value) : "<none>";
    return name ? name : "%outside";
}

static void indent(struct printer *p, int depth)
{
    text_add(p->out, "%*s", 2 * depth, "");
}

/* Where a value is defined its memory kind is printed: a result's in its type, an argument's of a
 * function among the attributes. */
static void print_used_type(struct printer *p, const struct type *type)
{
    struct type plain = *type;
    plain.shape.memory = MEMORY_DEVICE;
    type_print(&plain, p->out);
}

static void print_types(struct printer *p, int count, struct value *const *values)
{
    text_add(p->out, "(");
    for (int i = 0; i < count; i++) {
        text_add(p->out, "%s", i ? ", " : "");
        if (values[i] && values[i]->type)
            print_used_type(p, values[i]->type);
    }
    text_add(p->out, ")");
}

static void print_result_types(struct printer *p, const struct op *op)
{
    bool one = op->result_count == 1;
    text_add(p->out, " -> %s", one ? "" : "(");
    for (int i = 0; i < op->result_count; i++) {
        text_add(p->out, "%s", i ? ", " : "");
        if (op->results[i].type)
            type_print(op->results[i].type, p->out);
    }
    text_add(p->out, "%s", one ? "" : ")");
}

static void name_results(struct printer *p, const struct op *op)
{
    if (op->result_count == 0)
        return;
    int number = p->next_result++;
    text_add(p->out, op->result_count == 1 ? "%%%d = " : "%%%d:%d = ", number, op->result_count);
    for (int i = 0; i < op->result_count; i++)
        name_value(p, &op->results[i],
                   op->result_count == 1 ? arena_format(p->arena, "%%%d", number)
                                         : arena_format(p->arena, "%%%d#%d", number, i));
}

static const char *dialect_of(const struct op *op)
{
    switch (op->code) {
    case OP_copy:
    case OP_copy_done:
    case OP_full_to_shard:
    case OP_fusion:
    case OP_lu:
    case OP_shard_to_full:
    case OP_sharding_constraint:
    case OP_sharding_group: return "gantry";
    case OP_erf: return "chlo";
    case OP_call: return "func";
    case OP_return: return op->block && !op->block->owner ? "func" : "stablehlo";
    default: return "stablehlo";
    }
}

/* Shardings of results and of regions' arguments are a comment behind them. */
static void print_shardings(struct printer *p, int count, const struct value *values)
{
    const char *separator = " // ";
    for (int i = 0; i < count; i++) {
        if (!values[i].type || !values[i].type->sharding)
            continue;
        text_add(p->out, "%s", separator);
        sharding_print_axes(values[i].type->sharding, p->out);
        separator = "; ";
    }
    text_add(p->out, "\n");
}

static void print_one(struct printer *p, const struct op *op, int depth);

static void print_region(struct printer *p, const struct block *block, int depth)
{
    text_add(p->out, "{\n");
    if (block->argument_count) {
        indent(p, depth);
        text_add(p->out, "^bb0(");
        for (int i = 0; i < block->argument_count; i++) {
            const char *name = arena_format(p->arena, "%%arg%d", p->next_argument++);
            name_value(p, &block->arguments[i], name);
            text_add(p->out, "%s%s: ", i ? ", " : "", name);
            type_print(block->arguments[i].type, p->out);
        }
        text_add(p->out, "):");
        print_shardings(p, block->argument_count, block->arguments);
    }
    for (const struct op *op = block->first; op; op = op->next)
        print_one(p, op, depth + 1);
    indent(p, depth);
    text_add(p->out, "}");
}

static void print_one(struct printer *p, const struct op *op, int depth)
{
    indent(p, depth);
    name_results(p, op);
    text_add(p->out, "\"%s.%s\"(", dialect_of(op), op_info(op->code)->name);
    for (int i = 0; i < op->operand_count; i++)
        text_add(p->out, "%s%s", i ? ", " : "", name_of(p, op->operands[i]));
    text_add(p->out, ")");
    for (int i = 0; i < op->region_count; i++) {
        text_add(p->out, "%s", i ? ", " : " (");
        if (op->regions[i])
            print_region(p, op->regions[i], depth);
    }
    text_add(p->out, "%s", op->region_count ? ")" : "");
    print_attrs(op, p->max_elements, p->out);
    text_add(p->out, " : ");
    print_types(p, op->operand_count, op->operands);
    print_result_types(p, op);
    print_shardings(p, op->result_count, op->results);
}

/* ---- functions and modules ------------------------------------------------------------------- */

static void print_layout(const struct shape *shape, struct text *out)
{
    text_add(out, "mhlo.layout_mode = \"");
    shape_print_layout(shape, out);
    text_add(out, "\"");
}

/* The attributes of an entry function's argument or result. */
static void print_info(struct printer *p, const struct argument_info *info, const struct type *type)
{
    const char *separator = " {";
    if (info && info->donated) {
        text_add(p->out, "%sjax.buffer_donor = true", separator);
        separator = ", ";
    }
    if (info && info->layout_auto) {
        text_add(p->out, "%smhlo.layout_mode = \"auto\"", separator);
        separator = ", ";
    }
    if (type->shape.minor_to_major || type->shape.tile_count) {
        text_add(p->out, "%s", separator);
        print_layout(&type->shape, p->out);
        separator = ", ";
    }
    if (type->shape.memory != MEMORY_DEVICE) {
        text_add(p->out, "%smhlo.memory_kind = \"%s\"", separator,
                 memory_kind_name(type->shape.memory));
        separator = ", ";
    }
    if (type->sharding) {
        text_add(p->out, "%ssdy.sharding = ", separator);
        sharding_print(type->sharding, p->out);
        separator = ", ";
    }
    if (info && info->alias_result >= 0) {
        text_add(p->out, "%stf.aliasing_output = %d : i32", separator, info->alias_result);
        separator = ", ";
    }
    text_add(p->out, "%s", separator[0] == ',' ? "}" : "");
}

static void print_func(struct printer *p, const struct func *func)
{
    p->next_argument = p->next_result = 0;
    text_add(p->out, "  func.func %s ", func->is_public ? "public" : "private");
    print_attrs_symbol(func->name, p->out);
    text_add(p->out, "(");
    for (int i = 0; func->body && i < func->body->argument_count; i++) {
        const struct value *argument = &func->body->arguments[i];
        const char *name = arena_format(p->arena, "%%arg%d", p->next_argument++);
        name_value(p, argument, name);
        text_add(p->out, "%s%s: ", i ? ", " : "", name);
        print_used_type(p, argument->type);
        print_info(p, func->argument_infos ? &func->argument_infos[i] : NULL,
                   ir_argument_type(func, i));
    }
    text_add(p->out, ") -> (");
    for (int i = 0; i < func->result_count; i++) {
        text_add(p->out, "%s", i ? ", " : "");
        print_used_type(p, func->result_types[i]);
        struct argument_info info =
            func->result_infos ? func->result_infos[i] : (struct argument_info){0};
        info.alias_result = -1;
        print_info(p, &info, func->result_types[i]);
    }
    text_add(p->out, ") {\n");
    for (const struct op *op = func->body ? func->body->first : NULL; op; op = op->next)
        print_one(p, op, 2);
    text_add(p->out, "  }\n");
}

static void print_mesh(struct printer *p, const struct mesh *mesh)
{
    text_add(p->out, "  sdy.mesh ");
    print_attrs_symbol(mesh->name, p->out);
    text_add(p->out, " = <");
    sharding_print_mesh(mesh, p->out);
    text_add(p->out, ">\n");
}

static struct error *print_body(void *context)
{
    struct printer *p = context;
    p->names = map_create(p->arena);
    if (p->op) {
        for (int i = 0; i < p->op->operand_count; i++)
            if (p->op->operands[i] && !map_get_pointer(p->names, p->op->operands[i]))
                name_value(p, p->op->operands[i],
                           arena_format(p->arena, "%%arg%d", p->next_argument++));
        print_one(p, p->op, 0);
        return NULL;
    }
    const struct module *module = p->module;
    text_add(p->out, "module ");
    print_attrs_symbol(module->name, p->out);
    text_add(p->out,
             " attributes {mhlo.num_partitions = %d : i32, mhlo.num_replicas = %d : i32} {\n",
             module->num_partitions, module->num_replicas);
    for (size_t i = 0; i < map_count(module->meshes); i++)
        print_mesh(p, map_at(module->meshes, i, &(const void *){NULL}, &(size_t){0}));
    for (const struct func *func = module->first; func; func = func->next)
        print_func(p, func);
    text_add(p->out, "}\n");
    return NULL;
}

/* Names are in an arena of the printer, so that dumps do not count against the compile's budget. */
static void print_with_arena(struct printer *p)
{
    struct error *error = arena_create(&p->arena);
    if (!error)
        error = arena_run(p->arena, print_body, p);
    arena_destroy(p->arena);
    if (error)
        p->out->failed = true;
    error_free(error);
}

void ir_print(const struct module *module, struct text *out)
{
    struct printer p = {.out = out, .module = module, .max_elements = -1};
    print_with_arena(&p);
}

void ir_print_brief(const struct module *module, int64_t max_elements, struct text *out)
{
    struct printer p = {.out = out, .module = module, .max_elements = max_elements};
    print_with_arena(&p);
}

void ir_print_op(const struct op *op, struct text *out)
{
    struct printer p = {.out = out, .op = op, .max_elements = 16};
    print_with_arena(&p);
}
