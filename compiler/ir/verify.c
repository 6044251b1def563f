/* verify.c: the verifier of modules: types, SSA dominance, lists of uses, terminators, the entry
 * function. */
#include <string.h>

#include "compiler/ir/infer.h"
#include "compiler/ir/ir.h"
#include "compiler/ir/sharding.h"

enum { MAX_NESTING = 200 /* of regions; bounds the recursion of code that walks them */ };

struct verifier {
    struct arena *arena;
    void *scope; /* note of the values that are visible: the enclosing function or fusion */
    int64_t operands, listed; /* the number of operands; of entries in lists of uses */
};

/* Clears the notes that passes left, including those of values outside of any block. */
static void clear_notes(struct block *block)
{
    for (int i = 0; i < block->argument_count; i++)
        block->arguments[i].note = NULL;
    for (struct op *op = block->first; op; op = op->next) {
        for (int i = 0; i < op->operand_count; i++)
            if (op->operands[i])
                op->operands[i]->note = NULL;
        for (int i = 0; i < op->result_count; i++)
            op->results[i].note = NULL;
        for (int r = 0; r < op->region_count; r++)
            if (op->regions[r])
                clear_notes(op->regions[r]);
    }
}

static struct error *check_operands(struct verifier *v, const struct op *op)
{
    for (int i = 0; i < op->operand_count; i++) {
        if (!op->operands[i])
            return ERROR(INVALID_ARGUMENT, "%s: operand %d is missing", ir_where(v->arena, op), i);
        if (op->operands[i]->note != v->scope)
            return ERROR(INVALID_ARGUMENT,
                         "%s: operand %d is used before its definition or outside of its block",
                         ir_where(v->arena, op), i);
    }
    v->operands += op->operand_count;
    return NULL;
}

/* Makes values visible and checks their uses: each must refer to an operand that is this value. */
static struct error *define_values(struct verifier *v, struct value *values, int count)
{
    for (int i = 0; i < count; i++) {
        values[i].note = v->scope;
        for (const struct use *use = values[i].uses; use; use = use->next, v->listed++)
            if (use->operand >= use->user->operand_count ||
                use->user->operands[use->operand] != &values[i])
                return ERROR(INTERNAL, "%s: is in the list of uses of a value that it does not use",
                             ir_where(v->arena, use->user));
    }
    return NULL;
}

static struct error *check_block(struct verifier *v, struct block *block, int depth);

static struct error *check_regions_of(struct verifier *v, struct op *op, int depth)
{
    void *outer = v->scope;
    for (int r = 0; r < op->region_count; r++) {
        struct block *region = op->regions[r];
        if (!region)
            return ERROR(INVALID_ARGUMENT, "%s: region %d is missing", ir_where(v->arena, op), r);
        if (region->owner != op)
            return ERROR(INTERNAL, "%s: region %d belongs to another operation",
                         ir_where(v->arena, op), r);
        if (op->code == OP_fusion)
            v->scope = op; /* a fusion uses only its own values */
        struct error *error = check_block(v, region, depth + 1);
        v->scope = outer;
        TRY(error);
    }
    return NULL;
}

static struct error *check_op(struct verifier *v, struct op *op, int depth)
{
    if (op->code <= OP_INVALID_CODE || op->code >= OP_CODE_COUNT)
        return ERROR(INTERNAL, "operation code %d does not exist", (int)op->code);
    TRY(check_operands(v, op));
    if (depth >= MAX_NESTING && op->region_count)
        return ERROR(UNIMPLEMENTED,
                     "%s: regions are nested deeper than %d, including those that the compiler "
                     "adds; nest fewer loops, branches and calls",
                     ir_where(v->arena, op), MAX_NESTING);
    TRY(check_regions_of(v, op, depth));
    TRY(infer_op(v->arena, op));
    return define_values(v, op->results, op->result_count);
}

static struct error *check_block(struct verifier *v, struct block *block, int depth)
{
    TRY(define_values(v, block->arguments, block->argument_count));
    const struct op *previous = NULL;
    for (struct op *op = block->first; op; previous = op, op = op->next) {
        if (op->block != block || op->previous != previous)
            return ERROR(INTERNAL, "%s: its links into its block are inconsistent",
                         ir_where(v->arena, op));
        bool terminator = op_info(op->code)->traits & OP_TERMINATOR;
        if (terminator != (op == block->last))
            return ERROR(INVALID_ARGUMENT,
                         terminator ? "%s: a terminator must be the last operation of its block"
                                    : "%s: is the last operation of its block; a block must end "
                                      "with return",
                         ir_where(v->arena, op));
        TRY(check_op(v, op, depth));
    }
    if (!block->last)
        return ERROR(INVALID_ARGUMENT, "the function %s has a block without return",
                     block->func ? block->func->name : "?");
    for (int i = 0; i < block->argument_count; i++)
        block->arguments[i].note = NULL;
    for (struct op *op = block->first; op; op = op->next)
        for (int i = 0; i < op->result_count; i++)
            op->results[i].note = NULL;
    return NULL;
}

/* A result is returned with its declared type, or with its stored type (see struct func). */
static bool returns(struct verifier *v, const struct type *declared, const struct type *type)
{
    return type_same(declared, type) || type_same(type_stored(v->arena, declared), type);
}

/* The declared types, which no operation may use. */
static struct error *check_boundary(const struct func *func)
{
    for (int i = 0; i < func->body->argument_count; i++) {
        struct error *error = sharding_check_type(ir_argument_type(func, i));
        if (error)
            return error_prefix(error, "argument %d of the function %s", i, func->name);
    }
    for (int i = 0; i < func->result_count; i++) {
        struct error *error = sharding_check_type(func->result_types[i]);
        if (error)
            return error_prefix(error, "result %d of the function %s", i, func->name);
    }
    return NULL;
}

static struct error *check_func(struct verifier *v, struct func *func)
{
    if (!func->body)
        return ERROR(INVALID_ARGUMENT, "the function %s has no body", func->name);
    if (func->body->owner || func->body->func != func)
        return ERROR(INTERNAL, "the body of the function %s belongs to another function",
                     func->name);
    for (int i = 0; i < func->body->argument_count; i++)
        if (!func->body->arguments[i].type)
            return ERROR(INVALID_ARGUMENT, "argument %d of the function %s has no type", i,
                         func->name);
    clear_notes(func->body);
    v->scope = func;
    v->operands = v->listed = 0;
    TRY(check_block(v, func->body, 0));
    if (v->operands != v->listed)
        return ERROR(INTERNAL, "the function %s has %lld operands, but lists of uses have %lld",
                     func->name, (long long)v->operands, (long long)v->listed);
    const struct op *ret = func->body->last;
    if (ret->operand_count != func->result_count)
        return ERROR(INVALID_ARGUMENT, "%s: the function %s returns %d values and declares %d",
                     ir_where(v->arena, ret), func->name, ret->operand_count, func->result_count);
    for (int i = 0; i < func->result_count; i++)
        if (!func->result_types[i] || !returns(v, func->result_types[i], ret->operands[i]->type))
            return ERROR(
                INVALID_ARGUMENT, "%s: the function %s returns %s as result %d and declares %s",
                ir_where(v->arena, ret), func->name, type_text(v->arena, ret->operands[i]->type), i,
                type_text(v->arena, func->result_types[i]));
    return check_boundary(func);
}

static struct error *check_module(struct verifier *v, struct module *module)
{
    struct map *names = map_create(v->arena);
    bool found = false;
    for (struct func *func = module->first; func; func = func->next) {
        if (map_put(names, func->name, strlen(func->name), func))
            return ERROR(INVALID_ARGUMENT,
                         "the module has two functions named %s; names must be "
                         "unique",
                         func->name);
        TRY(check_func(v, func));
        found |= func == module->entry;
    }
    return found ? NULL
                 : ERROR(INVALID_ARGUMENT,
                         "the module %s has no entry function; it must define main", module->name);
}

struct error *ir_verify(struct module *module, bool foreign)
{
    struct verifier v = {.arena = module->arena};
    struct error *error = check_module(&v, module);
    if (error && !foreign && error_code(error) == PJRT_Error_Code_INVALID_ARGUMENT) {
        struct error *internal = ERROR(INTERNAL, "a compiler pass produced an invalid module: %s",
                                       error_message(error, NULL));
        error_free(error);
        return internal;
    }
    return error;
}
