/* early_reads.c: see early_reads.h. The order of a block's operations is kept in their notes. */
#include "compiler/passes/fusion/early_reads.h"

#include <string.h>

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

/* Those that come after the update, in the update's block. */
struct readers {
    const struct op *update;
    struct op *at[MAX_USES];
    int count, uses;
};

static const struct value *source_of(const struct value *value)
{
    while (value->def && value->def->code == OP_reshape)
        value = value->def->operands[0];
    return value;
}

/* Adds those of a value and of reshapes of it. False: the array is needed after the block, or in
 * the region of an operation, or by too many. */
static bool add_readers(struct readers *r, const struct value *value)
{
    for (const struct use *use = value->uses; use; use = use->next) {
        struct op *user = use->user;
        if (user->block != r->update->block || user == user->block->last || ++r->uses > MAX_USES)
            return false;
        if (user->code == OP_reshape) {
            if (!add_readers(r, &user->results[0]))
                return false;
        } else if (position_of(user) > position_of(r->update)) {
            r->at[r->count++] = user;
        }
    }
    return true;
}

/* Whether the array could be overwritten at all. */
static bool is_ours(const struct value *array, const struct block *block)
{
    const struct argument_info *infos = block->func->argument_infos;
    if (array->def)
        return array->def->block == block && array->def->code != OP_constant;
    return array->block == block &&
           (block->owner ||
            (infos && (infos[array->index].donated || infos[array->index].alias_result >= 0)));
}

/* ---- moving a reader ------------------------------------------------------------------------- */
/* Whether all that reads what a reader overwrites itself comes before the update. */
static bool leaves_none_behind(const struct op *reader, const struct op *update)
{
    for (int i = 0; is_update(reader) && i < reader->result_count; i++) {
        const struct value *array = update_window_array(reader, i);
        const struct value *written = array ? reader->operands[array->index] : NULL;
        for (const struct use *use = written ? written->uses : NULL; use; use = use->next)
            if (use->user->block == update->block &&
                position_of(use->user) >= position_of(update) &&
                position_of(use->user) < position_of(reader))
                return false;
    }
    return true;
}

static bool may_move(const struct op *reader, const struct op *update)
{
    bool is_step = reader->code == OP_fusion || reader->code == OP_dot_general ||
                   reader->code == OP_convolution;
    for (int i = 0; i < reader->operand_count; i++)
        if (!is_before(reader->operands[i], update))
            return false;
    return is_step && ir_is_pure(reader) && leaves_none_behind(reader, update);
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

static bool is_there(const struct value *operand, const void *update)
{
    return is_before(operand, update);
}

static void read_early(struct module *module, struct op *reader, struct op *update,
                       const struct value *array)
{
    struct slices slices = {.bytes = 0};
    struct op *before = update->previous;
    void *position = reader->note;
    if (!find_slices(module->arena, reader, array, &slices) ||
        !fusion_split_may(module->arena, reader, slices.values.count, slices.values.items, is_there,
                          update))
        return;
    struct op *rest =
        fusion_split(module, reader, slices.values.count, slices.values.items, update);
    rest->note = position;
    for (struct op *op = before ? before->next : update->block->first; op != update; op = op->next)
        place(op, update);
}

/* ---- the pass -------------------------------------------------------------------------------- */
/* Returns the first operation of the update and of the readers that were moved in front of it. */
static struct op *order_readers(struct module *module, struct op *update, const struct value *array)
{
    struct op *first = update;
    struct readers r = {.update = update};
    if (!is_ours(array, update->block) || type_bytes(array->type) < EARLY_READS_BYTES ||
        !add_readers(&r, array))
        return first;
    for (int i = 0; i < r.count; i++) {
        if (!may_move(r.at[i], update)) {
            read_early(module, r.at[i], update, array);
            continue;
        }
        ir_move_before(update, r.at[i]);
        place(r.at[i], update);
        first = first == update ? r.at[i] : first;
    }
    return first;
}

/* The operation to go on with. */
static struct op *order_update(struct module *module, struct op *update)
{
    struct op *first = update;
    for (int i = 0; i < update->result_count && first == update; i++) {
        const struct value *argument = update_window_array(update, i);
        if (argument)
            first = order_readers(module, update, source_of(update->operands[argument->index]));
    }
    return first == update ? update->next : first;
}

static void order_block(struct module *module, struct block *block)
{
    for (struct op *op = block->first; op; op = op->next)
        for (int i = 0; op_info(op->code)->traits & OP_CONTROL && i < op->region_count; i++)
            order_block(module, op->regions[i]);
    number(block);
    for (struct op *op = block->first; op;)
        op = is_update(op) ? order_update(module, op) : op->next;
}

struct error *early_reads_run(struct module *module, const struct target *target)
{
    (void)target;
    for (struct func *func = module->first; func; func = func->next)
        if (func->body)
            order_block(module, func->body);
    return NULL;
}
