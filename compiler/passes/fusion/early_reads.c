/* early_reads.c: see early_reads.h. The order of a block's operations is kept in their notes. In
 * this file, a writer is an operation that may overwrite arrays: an update, or a loop or branch
 * with updates in its regions. */
#include "compiler/passes/fusion/early_reads.h"

#include <string.h>

#include "base/map.h"
#include "base/vec.h"
#include "compiler/analysis/update_window.h"
#include "compiler/passes/rewrite/fusion_split.h"

enum {
    MAX_USES = 64, /* of an array, by all operations or within one */
    SMALL = 4      /* the slices that are read early have at most a quarter of the array */
};

/* ---- positions ------------------------------------------------------------------------------- */
/* A number, so that there is room between any two operations. */
static double position_of(const struct op *op)
{
    double position;
    memcpy(&position, &op->note, sizeof position);
    return position;
}

static void set_position(struct op *op, double position)
{
    memcpy(&op->note, &position, sizeof position);
}

/* Of an operation that was inserted or moved to somewhere before another. */
static void place(struct op *op, const struct op *before)
{
    double from = op->previous ? position_of(op->previous) : -1;
    set_position(op, from + (position_of(before) - from) / 2);
}

static void number(struct block *block)
{
    double position = 0;
    for (struct op *op = block->first; op; op = op->next)
        set_position(op, position++);
}

static bool is_before(const struct value *value, const struct op *op)
{
    return !value->def || value->def->block != op->block ||
           position_of(value->def) < position_of(op);
}

/* ---- the readers of an array ----------------------------------------------------------------- */
static bool is_update(const struct op *op)
{
    return op->code == OP_fusion && op->attrs.fusion.fusion_kind == FUSION_UPDATE;
}

static bool is_branch(const struct op *op)
{
    return op && (op->code == OP_case || op->code == OP_if);
}

/* Those that come after the writer, in the writer's block. */
struct readers {
    const struct op *writer;
    struct op *at[MAX_USES];
    int count, uses;
};

static const struct value *source_of(const struct value *value)
{
    while (value->def && value->def->code == OP_reshape)
        value = value->def->operands[0];
    return value;
}

/* The operation of the writer's block that a user is, or is in a region of; NULL: there is none.
 * Each level of regions counts as a use. */
static struct op *user_in_block(struct readers *r, struct op *user)
{
    for (; user && user->block != r->writer->block && ++r->uses <= MAX_USES;)
        user = user->block->owner;
    return user;
}

/* Adds those of a value and of reshapes of it. False: the array is needed after the block, or by
 * too many. What uses it outside of the block does not count: if the block is a branch, that is in
 * another branch, before the branch, or has been dealt with there. */
static bool add_readers(struct readers *r, const struct value *value)
{
    for (const struct use *use = value->uses; use; use = use->next) {
        struct op *user = user_in_block(r, use->user);
        if (++r->uses > MAX_USES || (user && user == user->block->last))
            return false;
        if (use->user == user && user->code == OP_reshape) {
            if (!add_readers(r, &user->results[0]))
                return false;
        } else if (user && position_of(user) > position_of(r->writer)) {
            r->at[r->count++] = user;
        }
    }
    return true;
}

/* Whether the array could be overwritten at all in a block, also from branches. */
static bool is_ours(const struct value *array, const struct block *block)
{
    const struct block *home = ir_block_of(array);
    while (block != home && is_branch(block->owner))
        block = block->owner->block;
    const struct argument_info *infos = block->func->argument_infos;
    if (array->def)
        return home == block && array->def->code != OP_constant;
    return home == block && (block->owner || (infos && (infos[array->index].donated ||
                                                        infos[array->index].alias_result >= 0)));
}

/* ---- moving a reader ------------------------------------------------------------------------- */
/* Whether all that reads what a reader overwrites itself comes before the writer. */
static bool leaves_none_behind(const struct op *reader, const struct op *writer)
{
    for (int i = 0; is_update(reader) && i < reader->result_count; i++) {
        const struct value *array = update_window_array(reader, i);
        const struct value *written = array ? reader->operands[array->index] : NULL;
        for (const struct use *use = written ? written->uses : NULL; use; use = use->next)
            if (use->user->block == writer->block &&
                position_of(use->user) >= position_of(writer) &&
                position_of(use->user) < position_of(reader))
                return false;
    }
    return true;
}

static bool may_move(const struct op *reader, const struct op *writer)
{
    bool is_step = reader->code == OP_fusion || reader->code == OP_dot_general ||
                   reader->code == OP_convolution;
    for (int i = 0; i < reader->operand_count; i++)
        if (!is_before(reader->operands[i], writer))
            return false;
    return is_step && ir_is_pure(reader) && leaves_none_behind(reader, writer);
}

/* ---- reading slices early -------------------------------------------------------------------- */
static bool is_slice(const struct op *op)
{
    return op->code == OP_slice || op->code == OP_dynamic_slice || op->code == OP_gather;
}

/* The slices that a fusion reads of an array. */
struct slices {
    VEC(struct value *) values; /* of the fusion's body */
    uint64_t bytes;
};

/* Adds those of one argument. False: it is read otherwise, too. */
static bool add_slices(struct arena *arena, struct slices *slices, const struct value *argument)
{
    for (const struct use *use = argument->uses; use; use = use->next) {
        struct op *user = use->user;
        if (!is_slice(user) || use->operand || user->block != argument->block)
            return false;
        VEC_PUSH(arena, &slices->values, &user->results[0]);
        slices->bytes += (uint64_t)type_bytes(user->results[0].type);
    }
    return true;
}

static bool find_slices(struct arena *arena, const struct op *reader, const struct value *array,
                        struct slices *slices)
{
    if (reader->code != OP_fusion || (reader->attrs.fusion.fusion_kind != FUSION_LOOP &&
                                      reader->attrs.fusion.fusion_kind != FUSION_UPDATE))
        return false;
    for (int i = 0; i < reader->operand_count; i++)
        if (source_of(reader->operands[i]) == array &&
            !add_slices(arena, slices, &reader->regions[0]->arguments[i]))
            return false;
    return slices->values.count && slices->values.count <= MAX_USES &&
           slices->bytes <= (uint64_t)type_bytes(array->type) / SMALL;
}

static bool is_there(const struct value *operand, const void *writer)
{
    return is_before(operand, writer);
}

static void read_early(struct module *module, struct op *reader, struct op *writer,
                       const struct value *array)
{
    struct slices slices = {.bytes = 0};
    struct op *before = writer->previous;
    void *position = reader->note;
    if (!find_slices(module->arena, reader, array, &slices) ||
        !fusion_split_may(module->arena, reader, slices.values.count, slices.values.items, is_there,
                          writer))
        return;
    struct op *rest =
        fusion_split(module, reader, slices.values.count, slices.values.items, writer);
    rest->note = position;
    for (struct op *op = before ? before->next : writer->block->first; op != writer; op = op->next)
        place(op, writer);
}

/* ---- the arrays of a writer ------------------------------------------------------------------ */
/* Those that a writer may overwrite, of its own block or from around it; at most MAX_USES. */
struct written {
    VEC(const struct value *) arrays;
};

static void add_array(struct arena *arena, struct written *written, const struct value *value)
{
    if (written->arrays.count < MAX_USES)
        VEC_PUSH(arena, &written->arrays, source_of(value));
}

static void add_updated(struct arena *arena, struct written *written, const struct op *update)
{
    for (int i = 0; i < update->result_count; i++) {
        const struct value *argument = update_window_array(update, i);
        if (argument)
            add_array(arena, written, update->operands[argument->index]);
    }
}

/* The first values of what a loop carries and changes. */
static void add_carried(struct arena *arena, struct written *written, const struct op *loop)
{
    const struct block *body = loop->regions[1];
    for (int i = 0; i < loop->operand_count; i++)
        if (body->last->operands[i] != &body->arguments[i])
            add_array(arena, written, loop->operands[i]);
}

/* What one branch returns as it is, and another one may return changed. */
static void add_returned(struct arena *arena, struct written *written, const struct op *branch)
{
    for (int r = 0; r < branch->region_count; r++) {
        const struct block *block = branch->regions[r];
        for (int i = 0; i < branch->result_count; i++)
            if (ir_block_of(block->last->operands[i]) != block)
                add_array(arena, written, block->last->operands[i]);
    }
}

/* ---- the pass -------------------------------------------------------------------------------- */
struct pass {
    struct module *module;
    struct map *written; /* of loops and branches, once their regions have been visited */
};

/* Returns the first operation of the writer and of the readers that were moved in front of it. */
static struct op *order_readers(struct module *module, struct op *writer, const struct value *array)
{
    struct op *first = writer;
    struct readers r = {.writer = writer};
    if (!is_ours(array, writer->block) || type_bytes(array->type) < EARLY_READS_BYTES ||
        !add_readers(&r, array))
        return first;
    for (int i = 0; i < r.count; i++) {
        if (!may_move(r.at[i], writer)) {
            read_early(module, r.at[i], writer, array);
            continue;
        }
        ir_move_before(writer, r.at[i]);
        place(r.at[i], writer);
        first = first == writer ? r.at[i] : first;
    }
    return first;
}

/* The operation to go on with. */
static struct op *order_writer(struct module *module, struct op *writer,
                               const struct written *written)
{
    struct op *first = writer;
    for (size_t i = 0; i < written->arrays.count && first == writer; i++)
        first = order_readers(module, writer, written->arrays.items[i]);
    return first == writer ? writer->next : first;
}

static void order_block(struct pass *p, struct block *block);

static struct written written_by(const struct pass *p, const struct op *op)
{
    struct written written = {.arrays = {0}};
    const struct written *known = map_get_pointer(p->written, op);
    if (is_update(op))
        add_updated(p->module->arena, &written, op);
    return known ? *known : written;
}

/* Adds to a branch what its regions overwrite of what is around it. */
static void add_captured(const struct pass *p, struct written *written, const struct block *block)
{
    for (const struct op *op = block->first; op; op = op->next) {
        struct written inner = written_by(p, op);
        for (size_t i = 0; i < inner.arrays.count; i++)
            if (ir_block_of(inner.arrays.items[i]) != block)
                add_array(p->module->arena, written, inner.arrays.items[i]);
    }
}

/* The regions of loops and branches come before their own block. */
static void order_regions(struct pass *p, struct op *op)
{
    struct arena *arena = p->module->arena;
    struct written *written = ARENA_NEW(arena, struct written);
    for (int i = 0; i < op->region_count; i++)
        order_block(p, op->regions[i]);
    if (op->code == OP_while)
        add_carried(arena, written, op);
    for (int i = 0; is_branch(op) && i < op->region_count; i++)
        add_captured(p, written, op->regions[i]);
    if (is_branch(op))
        add_returned(arena, written, op);
    map_put_pointer(p->written, op, written);
}

static void order_block(struct pass *p, struct block *block)
{
    for (struct op *op = block->first; op; op = op->next)
        if (op_info(op->code)->traits & OP_CONTROL)
            order_regions(p, op);
    number(block);
    for (struct op *op = block->first; op;) {
        struct written written = written_by(p, op);
        op = order_writer(p->module, op, &written);
    }
}

struct error *early_reads_run(struct module *module, const struct target *target)
{
    (void)target;
    struct pass pass = {module, map_create(module->arena)};
    for (struct func *func = module->first; func; func = func->next)
        if (func->body)
            order_block(&pass, func->body);
    return NULL;
}
