/* ir.c: the graph: creates, moves, clones and removes operations. Only this file modifies lists of
 * uses. */
#include "compiler/ir/ir.h"

#include <string.h>

int64_t dims_elements(const struct type *type, struct dims dims)
{
    int64_t product = 1;
    for (int64_t i = 0; i < dims.count; i++)
        if (__builtin_mul_overflow(product, type->shape.dims[dims.at[i]], &product))
            return INT64_MAX;
    return product;
}

struct module *ir_module(struct arena *arena, const char *name)
{
    struct module *module = ARENA_NEW(arena, struct module);
    module->arena = arena;
    module->name = name ? arena_string(arena, name, strlen(name)) : "module";
    module->num_replicas = module->num_partitions = 1;
    module->meshes = map_create(arena);
    module->lists = map_create(arena);
    module->collective_groups = map_create(arena);
    return module;
}

const int64_t *ir_share_list(struct module *module, int64_t count, const int64_t *numbers)
{
    size_t bytes = (size_t)count * sizeof *numbers;
    if (!count)
        return NULL;
    int64_t *known = map_get(module->lists, numbers, bytes);
    if (!known) {
        known = arena_copy(module->arena, numbers, bytes);
        map_put(module->lists, numbers, bytes, known);
    }
    return known;
}

struct func *ir_func(struct module *module, const char *name)
{
    struct func *func = ARENA_NEW(module->arena, struct func);
    func->name = arena_string(module->arena, name, strlen(name));
    if (module->last)
        module->last->next = func;
    else
        module->first = func;
    module->last = func;
    return func;
}

struct func *ir_find_func(const struct module *module, const char *name, size_t size)
{
    for (struct func *func = module->first; func; func = func->next)
        if (strlen(func->name) == size && !memcmp(func->name, name, size))
            return func;
    return NULL;
}

struct block *ir_block(struct module *module, struct func *func, struct op *owner,
                       int argument_count, const struct type *const *argument_types)
{
    struct block *block = ARENA_NEW(module->arena, struct block);
    block->func = func;
    block->owner = owner;
    block->argument_count = argument_count;
    block->arguments = ARENA_ARRAY(module->arena, struct value, (size_t)argument_count);
    for (int i = 0; i < argument_count; i++) {
        block->arguments[i].type = argument_types ? argument_types[i] : NULL;
        block->arguments[i].block = block;
        block->arguments[i].index = i;
    }
    return block;
}

/* ---- uses ------------------------------------------------------------------------------------ */

static void use_add(struct op *user, int operand, struct value *value)
{
    struct use *use = &user->slots[operand];
    *use = (struct use){user, operand, value->uses, &value->uses};
    if (use->next)
        use->next->from = &use->next;
    value->uses = use;
}

static void use_drop(struct op *user, int operand)
{
    struct use *use = &user->slots[operand];
    if (!user->operands[operand])
        return;
    *use->from = use->next;
    if (use->next)
        use->next->from = use->from;
}

struct op *ir_op(struct module *module, enum op_code code, int operand_count,
                 struct value *const *operands, int result_count,
                 const struct type *const *result_types, int region_count)
{
    size_t operand_size = sizeof *operands + sizeof(struct use);
    struct op *op = arena_alloc(module->arena, sizeof *op + (size_t)operand_count * operand_size +
                                                   (size_t)result_count * sizeof *op->results +
                                                   (size_t)region_count * sizeof *op->regions);
    op->code = code;
    op->operand_count = operand_count;
    op->results = (struct value *)(op + 1);
    op->slots = (struct use *)(op->results + result_count);
    op->operands = (struct value **)(op->slots + operand_count);
    op->regions = (struct block **)(op->operands + operand_count);
    for (int i = 0; i < operand_count; i++)
        if ((op->operands[i] = operands ? operands[i] : NULL))
            use_add(op, i, operands[i]);
    op->result_count = result_count;
    for (int i = 0; i < result_count; i++) {
        op->results[i].type = result_types ? result_types[i] : NULL;
        op->results[i].def = op;
        op->results[i].index = i;
    }
    op->region_count = region_count;
    return op;
}

void ir_set_operand(struct module *module, struct op *op, int i, struct value *value)
{
    if (op->operands[i] == value)
        return;
    (void)module;
    use_drop(op, i);
    op->operands[i] = value;
    if (value)
        use_add(op, i, value);
}

void ir_replace_uses(struct module *module, struct value *from, struct value *to)
{
    (void)module;
    if (from == to)
        return;
    struct use *last = NULL;
    for (struct use *use = from->uses; use; use = use->next) {
        use->user->operands[use->operand] = to;
        last = use;
    }
    if (!last)
        return;
    last->next = to->uses;
    if (to->uses)
        to->uses->from = &last->next;
    to->uses = from->uses;
    to->uses->from = &to->uses;
    from->uses = NULL;
}

enum dtype ir_dtype(const struct value *value)
{
    return value->type->shape.dtype;
}

int ir_operand_of(const struct op *op, const struct value *value)
{
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i] == value)
            return i;
    return -1;
}

bool ir_has_one_use(const struct value *value)
{
    return value->uses && !value->uses->next;
}

bool ir_has_one_user(const struct value *value)
{
    for (const struct use *use = value->uses; use; use = use->next)
        if (use->user != value->uses->user)
            return false;
    return value->uses;
}

int ir_use_count(const struct value *value)
{
    int count = 0;
    for (const struct use *use = value->uses; use; use = use->next)
        count++;
    return count;
}

/* ---- positions ------------------------------------------------------------------------------- */

static void link_between(struct block *block, struct op *previous, struct op *op, struct op *next)
{
    op->block = block;
    op->previous = previous;
    op->next = next;
    if (previous)
        previous->next = op;
    else
        block->first = op;
    if (next)
        next->previous = op;
    else
        block->last = op;
}

static void unlink_op(struct op *op)
{
    if (!op->block)
        return;
    if (op->previous)
        op->previous->next = op->next;
    else
        op->block->first = op->next;
    if (op->next)
        op->next->previous = op->previous;
    else
        op->block->last = op->previous;
    op->previous = op->next = NULL;
    op->block = NULL;
}

/* Sets the function of regions that were created before their owner was inserted into a block. */
static void set_func(struct op *op, struct func *func)
{
    for (int i = 0; i < op->region_count; i++) {
        struct block *region = op->regions[i];
        if (!region || (region->func == func && region->owner == op))
            continue;
        region->func = func;
        region->owner = op;
        for (struct op *inner = region->first; inner; inner = inner->next)
            set_func(inner, func);
    }
}

void ir_append(struct block *block, struct op *op)
{
    link_between(block, block->last, op, NULL);
    set_func(op, block->func);
}

void ir_insert_before(struct op *position, struct op *op)
{
    link_between(position->block, position->previous, op, position);
    set_func(op, position->block->func);
}

void ir_insert_after(struct op *position, struct op *op)
{
    link_between(position->block, position, op, position->next);
    set_func(op, position->block->func);
}

void ir_move_before(struct op *position, struct op *op)
{
    if (position == op)
        return;
    unlink_op(op);
    ir_insert_before(position, op);
}

void ir_move_all(struct block *from, struct block *to)
{
    while (from->first) {
        struct op *op = from->first;
        unlink_op(op);
        ir_append(to, op);
    }
}

static void drop_uses(struct op *op)
{
    for (int i = 0; i < op->operand_count; i++) {
        use_drop(op, i);
        op->operands[i] = NULL;
    }
    for (int i = 0; i < op->region_count; i++)
        for (struct op *inner = op->regions[i] ? op->regions[i]->first : NULL; inner;
             inner = inner->next)
            drop_uses(inner);
}

void ir_remove(struct op *op)
{
    unlink_op(op);
    drop_uses(op);
}

/* ---- copies ---------------------------------------------------------------------------------- */

static struct value *mapped(const struct map *values, struct value *value)
{
    struct value *to = value ? map_get_pointer(values, value) : NULL;
    return to ? to : value;
}

static struct block *clone_block(struct module *module, const struct block *block, struct op *owner,
                                 struct map *values)
{
    struct block *copy = ir_block(module, block->func, owner, block->argument_count, NULL);
    for (int i = 0; i < block->argument_count; i++) {
        copy->arguments[i].type = block->arguments[i].type;
        map_put_pointer(values, &block->arguments[i], &copy->arguments[i]);
    }
    for (const struct op *op = block->first; op; op = op->next)
        ir_append(copy, ir_clone(module, op, values));
    return copy;
}

struct op *ir_clone(struct module *module, const struct op *op, struct map *values)
{
    struct op *copy =
        ir_op(module, op->code, op->operand_count, NULL, op->result_count, NULL, op->region_count);
    copy->attrs = op->attrs;
    copy->location = op->location;
    copy->discardable = op->discardable;
    for (int i = 0; i < op->operand_count; i++)
        ir_set_operand(module, copy, i, mapped(values, op->operands[i]));
    for (int i = 0; i < op->result_count; i++) {
        copy->results[i].type = op->results[i].type;
        map_put_pointer(values, &op->results[i], &copy->results[i]);
    }
    for (int i = 0; i < op->region_count; i++)
        if (op->regions[i])
            copy->regions[i] = clone_block(module, op->regions[i], copy, values);
    return copy;
}

struct error *ir_inline_block(struct module *module, const struct block *from, int argument_count,
                              struct value *const *arguments, struct op *position, int result_count,
                              struct value **results)
{
    int returned = from->last ? from->last->operand_count : 0;
    if (from->argument_count != argument_count || returned != result_count)
        return ERROR(INTERNAL,
                     "%s: the block to inline has %d arguments and returns %d values; expected %d "
                     "and %d",
                     ir_where(module->arena, position), from->argument_count, returned,
                     argument_count, result_count);
    struct map *values = map_create(module->arena);
    for (int i = 0; i < from->argument_count; i++)
        map_put_pointer(values, &from->arguments[i], arguments[i]);
    for (const struct op *op = from->first; op; op = op->next)
        if (op->code != OP_return)
            ir_insert_before(position, ir_clone(module, op, values));
    for (int i = 0; i < result_count; i++)
        results[i] = mapped(values, from->last->operands[i]);
    return NULL;
}

/* ---- queries --------------------------------------------------------------------------------- */

struct block *ir_block_of(const struct value *value)
{
    return value->def ? value->def->block : value->block;
}

bool ir_is_inside(const struct value *value, const struct block *block)
{
    const struct block *at = ir_block_of(value);
    while (at && at != block)
        at = at->owner ? at->owner->block : NULL;
    return at != NULL;
}

bool ir_is_elementwise(const struct op *op)
{
    return (op_info(op->code)->traits & OP_ELEMENTWISE) && op->code != OP_copy;
}

bool ir_is_pure(const struct op *op)
{
    unsigned traits = op_info(op->code)->traits;
    if (op->code == OP_custom_call)
        return !op->attrs.custom_call.has_side_effect;
    if (traits & (OP_SIDE_EFFECT | OP_COLLECTIVE | OP_CALL))
        return false;
    for (int i = 0; i < op->region_count; i++)
        if (!ir_is_pure_block(op->regions[i]))
            return false;
    return true;
}

bool ir_is_pure_block(const struct block *block)
{
    for (const struct op *op = block->first; op; op = op->next)
        if (!ir_is_pure(op))
            return false;
    return true;
}

const struct type *ir_argument_type(const struct func *func, int i)
{
    return func->argument_types ? func->argument_types[i] : func->body->arguments[i].type;
}

const char *ir_where(struct arena *arena, const struct op *op)
{
    const struct location *at = op->location;
    const char *name = op_info(op->code)->name;
    if (at && at->name && at->file)
        return arena_format(arena, "%s at %s (%s:%d:%d)", name, at->name, at->file, at->line,
                            at->column);
    if (at && at->file)
        return arena_format(arena, "%s at %s:%d:%d", name, at->file, at->line, at->column);
    if (at && at->name)
        return arena_format(arena, "%s at %s", name, at->name);
    return name;
}

/* ---- devices --------------------------------------------------------------------------------- */
bool ir_may_have_device(const struct op *op)
{
    return op->code == OP_custom_call || op->code == OP_send || op->code == OP_recv;
}

int64_t ir_device(const struct op *op)
{
    const struct attrs_custom_call *call = &op->attrs.custom_call;
    const struct attrs_channel *channel = &op->attrs.channel;
    if (op->code == OP_custom_call)
        return call->on_one_device ? call->device : -1;
    return ir_may_have_device(op) && channel->on_one_device ? channel->device : -1;
}

void ir_set_device(struct op *op, int64_t device)
{
    bool *on_one = op->code == OP_custom_call ? &op->attrs.custom_call.on_one_device
                                              : &op->attrs.channel.on_one_device;
    int64_t *at =
        op->code == OP_custom_call ? &op->attrs.custom_call.device : &op->attrs.channel.device;
    *on_one = device >= 0;
    *at = device >= 0 ? device : 0;
}
