/* model_collectives.c: see model_collectives.h. */
#include "compiler/model/links/model_collectives.h"

#include "base/map.h"
#include "compiler/analysis/collective.h"
#include "compiler/analysis/trip_count.h"
#include "compiler/model/links/model_collective_shape.h"
#include "compiler/model/units/model_product.h"
#include "compiler/program/program_communication.h"

struct lister {
    struct module *module;
    const struct accelerator *accelerator;
    struct model_collectives *out;
    struct map *known;     /* where equal numbers are: offset + 1 */
    struct map *listed;    /* the same by the address of shared members */
    struct map *broadcast; /* values that are gathered to be broadcast */
    int64_t members;       /* that have been listed */
};

/* ---- numbers --------------------------------------------------------------------------------- */
/* Where the numbers are, which are added unless there are equal ones. */
static uint64_t numbers_at(struct lister *l, size_t count, const int64_t *numbers)
{
    uintptr_t known = (uintptr_t)map_get(l->known, numbers, count * sizeof *numbers);
    if (known)
        return known - 1;
    uint64_t offset = l->out->numbers.count;
    for (size_t i = 0; i < count; i++)
        VEC_PUSH(l->module->arena, &l->out->numbers, numbers[i]);
    map_put(l->known, numbers, count * sizeof *numbers, (void *)(uintptr_t)(offset + 1));
    return offset;
}

static uint64_t intern_dims(struct lister *l, int rank, const int64_t *dims)
{
    int64_t numbers[SHAPE_MAX_RANK + 2] = {rank};
    for (int i = 0; i < rank; i++)
        numbers[i + 1] = dims[i];
    return numbers_at(l, (size_t)rank + 1, numbers);
}

/* ---- groups ---------------------------------------------------------------------------------- */
static int64_t *group_numbers(struct lister *l, const struct program_groups *groups, size_t *count)
{
    int64_t *numbers = ARENA_ARRAY(l->module->arena, int64_t,
                                   (size_t)groups->group_count + (size_t)groups->member_count);
    *count = 0;
    for (int g = 0; g < groups->group_count; g++) {
        numbers[(*count)++] = groups->offsets[g + 1] - groups->offsets[g];
        for (int i = groups->offsets[g]; i < groups->offsets[g + 1]; i++)
            numbers[(*count)++] = groups->members[i];
    }
    return numbers;
}

static int64_t *pair_numbers(struct lister *l, const struct pairs *pairs, size_t *count)
{
    int64_t *numbers = ARENA_ARRAY(l->module->arena, int64_t, (size_t)pairs->rows * 3);
    *count = 0;
    for (int64_t i = 0; i < pairs->rows; i++) {
        numbers[(*count)++] = 2;
        numbers[(*count)++] = pairs->at[2 * i];
        numbers[(*count)++] = pairs->at[2 * i + 1];
    }
    return numbers;
}

/* Where the groups or pairs of an operation are. Operations with equal ones share them
 * (collective.h). */
static uint64_t groups_at(struct lister *l, const struct op *op,
                          const struct program_groups *groups)
{
    const struct pairs *pairs = &op->attrs.collective_permute.source_target_pairs;
    bool permutes = op->code == OP_collective_permute;
    const void *shared = permutes
                             ? (const void *)ir_share_list(l->module, 2 * pairs->rows, pairs->at)
                             : groups->members;
    uintptr_t known = (uintptr_t)map_get_pointer(l->listed, shared);
    size_t count;
    if (known)
        return known - 1;
    const int64_t *numbers =
        permutes ? pair_numbers(l, pairs, &count) : group_numbers(l, groups, &count);
    uint64_t offset = numbers_at(l, count, numbers);
    map_put_pointer(l->listed, shared, (void *)(uintptr_t)(offset + 1));
    return offset;
}

static void set_groups(struct lister *l, const struct op *op, const struct program_groups *groups,
                       struct model_collective *out)
{
    bool permutes = op->code == OP_collective_permute;
    const struct pairs *pairs = &op->attrs.collective_permute.source_target_pairs;
    int64_t members = permutes ? 2 * pairs->rows : groups->member_count;
    for (int g = 0; g < groups->group_count; g++)
        if (groups->offsets[g + 1] - groups->offsets[g] > out->group_size)
            out->group_size = groups->offsets[g + 1] - groups->offsets[g];
    out->group_count = permutes ? pairs->rows : groups->group_count;
    out->groups = MODEL_NO_GROUPS;
    if (members > MODEL_MAX_MEMBERS - l->members)
        return;
    l->members += members;
    out->groups = groups_at(l, op, groups);
}

/* ---- kinds ----------------------------------------------------------------------------------- */
enum collective_kind model_collectives_kind(enum op_code code)
{
    switch (code) {
    case OP_all_gather: return COLLECTIVE_ALL_GATHER;
    case OP_reduce_scatter: return COLLECTIVE_REDUCE_SCATTER;
    case OP_all_to_all: return COLLECTIVE_ALL_TO_ALL;
    case OP_collective_permute: return COLLECTIVE_PERMUTE;
    case OP_collective_broadcast: return COLLECTIVE_BROADCAST;
    default: return COLLECTIVE_ALL_REDUCE;
    }
}

bool model_collectives_has(enum op_code code)
{
    return code == OP_all_reduce || model_collectives_kind(code) != COLLECTIVE_ALL_REDUCE;
}

static enum collective_reducer reducer_of(const struct op *op)
{
    enum collective_reducer reducer;
    return op->region_count && collective_reducer(op->regions[0], &reducer) ? reducer : REDUCER_ADD;
}

static void push(struct lister *l, const struct op *op, const struct model_collective *item)
{
    VEC_PUSH(l->module->arena, &l->out->items, *item);
    VEC_PUSH(l->module->arena, &l->out->ops, op);
}

/* ---- windows --------------------------------------------------------------------------------- */
/* A product whose operand would be gathered, or of whose result participants take parts, can be
 * computed in a loop over the parts, which pass around meanwhile: in both directions, with two
 * steps an iteration, and one step in front of it. */
enum { STEPS_FORWARD = 3, STEPS_BACKWARD = 2 };

/* The pairs of neighbors, `step` apart, in rings that the groups are. */
static int64_t *ring_numbers(struct lister *l, const struct program_groups *groups, int step,
                             size_t *count)
{
    int64_t *numbers = ARENA_ARRAY(l->module->arena, int64_t, (size_t)groups->member_count * 3);
    *count = 0;
    for (int g = 0; g < groups->group_count; g++) {
        int begin = groups->offsets[g], size = groups->offsets[g + 1] - begin;
        for (int i = 0; i < size; i++) {
            numbers[(*count)++] = 2;
            numbers[(*count)++] = groups->members[begin + i];
            numbers[(*count)++] = groups->members[begin + (i + size + step) % size];
        }
    }
    return numbers;
}

/* The product that a collective can be a part of, as such a loop. */
static const struct op *windowed_product(const struct op *op)
{
    const struct value *result = &op->results[0];
    const struct op *def = op->operands[0]->def;
    if (op->code == OP_all_gather && op->operand_count == 1) /* no other user gathers it, too */
        for (const struct use *use = op->operands[0]->uses; use; use = use->next)
            if (use->user != op && use->user->code == OP_all_gather)
                return NULL;
    if (op->code == OP_all_gather && op->operand_count == 1)
        return model_collective_user(result);
    bool is_part =
        op->operand_count == 1 &&
        (op->code == OP_reduce_scatter || (op->code == OP_all_reduce && ir_has_one_use(result) &&
                                           result->uses->user->code == OP_dynamic_slice));
    return is_part && def && def->code == OP_dot_general ? def : NULL;
}

/* A loop is taken if it is faster: a step sends a part by one link of several, and two steps more
 * than necessary are made. `bytes`: of the whole operand or result. */
const struct op *model_collectives_window(const struct accelerator *a, const struct op *op,
                                          double bytes, int participants, double *seconds)
{
    const struct op *product = participants < 2 ? NULL : windowed_product(op);
    double slower = 2; /* one of two dimensions of the torus */
    if (!product)
        return NULL;
    double computes = model_product_seconds(a, product), sends = bytes / (a->link_rate * a->links),
           steps = sends * slower, longer = computes > steps ? computes : steps;
    *seconds = longer - computes + steps * 2 / participants;
    return *seconds < sends ? product : NULL;
}

/* Lists the permutes of the loop in place of the collective; false when there is none. */
static bool add_window(struct lister *l, const struct op *op, const struct program_groups *groups,
                       const struct model_collective_shape *shape, struct model_collective item)
{
    int parts = collective_group_size(groups);
    bool gathers = op->code == OP_all_gather;
    double seconds, whole = gathers ? item.bytes * parts : item.bytes;
    if (2 * groups->member_count > MODEL_MAX_MEMBERS - l->members ||
        !model_collectives_window(l->accelerator, op, whole, parts, &seconds))
        return false;
    int64_t dims[SHAPE_MAX_RANK + 2];
    int rank = 0;
    for (int i = 0; i < shape->rank; i++) {
        if (gathers && i == shape->dimension && shape->rank < SHAPE_MAX_RANK)
            dims[rank++] = 1;
        dims[rank++] = !gathers && i == shape->dimension ? shape->dims[i] / parts : shape->dims[i];
    }
    item.kind = COLLECTIVE_PERMUTE;
    item.operand = item.result = intern_dims(l, rank, dims);
    item.bytes = gathers ? item.bytes : item.bytes / parts;
    item.sent = item.bytes;
    item.times *= (parts - 1.0) / (STEPS_FORWARD + STEPS_BACKWARD);
    item.group_count = groups->member_count, item.group_size = 2;
    l->members += (int64_t)groups->member_count * 2;
    for (int i = 0; i < STEPS_FORWARD + STEPS_BACKWARD; i++) {
        size_t count;
        const int64_t *numbers = ring_numbers(l, groups, i < STEPS_FORWARD ? 1 : -1, &count);
        item.groups = numbers_at(l, count, numbers);
        push(l, op, &item);
    }
    return true;
}

/* ---- scatters -------------------------------------------------------------------------------- */
static const struct op *only_user(const struct op *op)
{
    return ir_has_one_use(&op->results[0]) ? op->results[0].uses->user : NULL;
}

/* Whether the collective completes a scatter into zeros, participants take parts of the result, and
 * add these to another value: the compiler scatters into that value instead. It is partitioned like
 * the parts, and gathered before the scatter. */
static bool scatters_into_parts(const struct op *op)
{
    const struct op *def = op->operands[0]->def;
    const struct op *into = def && def->code == OP_scatter ? def->operands[0]->def : NULL;
    if (op->code != OP_all_reduce || op->operand_count != 1 || !into || into->code != OP_constant ||
        !literal_is_splat_of(into->attrs.constant.value, 0))
        return false;
    const struct op *slice = only_user(op);
    const struct op *sum = slice && slice->code == OP_dynamic_slice ? only_user(slice) : NULL;
    return sum && sum->code == OP_add;
}

/* Lists the gather of the operand. `item` is that of the sum. */
static void add_operand_gather(struct lister *l, const struct op *op,
                               const struct program_groups *groups, struct model_collective item)
{
    if (!scatters_into_parts(op))
        return;
    const struct type *type = op->results[0].uses->user->results[0].type;
    const struct shape *part = &type->shape;
    item.kind = COLLECTIVE_ALL_GATHER;
    item.operand = intern_dims(l, part->rank, part->dims);
    item.bytes = (double)type_elements(type) * dtype_bytes(part->dtype);
    item.sent = program_communication_sent(COLLECTIVE_ALL_GATHER, groups, item.bytes) /
                l->module->num_replicas / l->module->num_partitions;
    push(l, op, &item);
}

/* ---- broadcasts ------------------------------------------------------------------------------ */
/* Whether the value has been gathered to be broadcast before: equal broadcasts are one. */
static bool is_repeated(struct lister *l, const struct op *op,
                        const struct model_collective_shape *shape)
{
    const struct value *value = op->operands[0];
    while (value->def && value->def->code == OP_reshape)
        value = value->def->operands[0];
    if (op->code != OP_all_gather || !shape->is_broadcast)
        return false;
    bool repeated = map_get_pointer(l->broadcast, value) != NULL;
    map_put_pointer(l->broadcast, value, (void *)op);
    return repeated;
}

/* ---- the walk -------------------------------------------------------------------------------- */
static double elements_of(const struct model_collective_shape *shape)
{
    double elements = 1;
    for (int i = 0; i < shape->rank; i++)
        elements *= (double)shape->dims[i];
    return elements;
}

static struct error *add_collective(struct lister *l, const struct op *op, double times, bool exact)
{
    struct program_groups groups;
    struct model_collective_shape shape;
    TRY(collective_groups(l->module, op, &groups));
    struct model_collective item = {.kind = model_collectives_kind(op->code),
                                    .reducer = reducer_of(op)};
    item.times = times, item.is_exact = exact;
    for (int i = 0; i < op->operand_count; i++) {
        model_collective_shape(l->accelerator, op, i, &shape);
        if (is_repeated(l, op, &shape))
            continue;
        item.dtype = shape.dtype;
        item.bytes = elements_of(&shape) * dtype_bytes(shape.dtype);
        item.operand = intern_dims(l, shape.rank, shape.dims);
        item.result = intern_dims(l, shape.result_rank, shape.result_dims);
        item.sent =
            program_communication_sent((enum collective_kind)item.kind, &groups, item.bytes) /
            l->module->num_replicas / l->module->num_partitions;
        if (add_window(l, op, &groups, &shape, item))
            continue;
        if (!i)
            set_groups(l, op, &groups, &item);
        push(l, op, &item);
        add_operand_gather(l, op, &groups, item);
    }
    return NULL;
}

static struct error *walk(struct lister *l, const struct block *block, double times, bool exact)
{
    for (const struct op *op = block->first; op; op = op->next) {
        bool loops = op->code == OP_while, known = !loops || trip_count_of(op) >= 0;
        double trips = loops && known ? (double)trip_count_of(op) : 1;
        if (model_collectives_has(op->code) && !model_collective_is_omitted(op))
            TRY(add_collective(l, op, times, exact));
        if (!(op_info(op->code)->traits & OP_CONTROL))
            continue;
        for (int r = 0; r < op->region_count; r++) /* a loop's condition is its first region */
            TRY(walk(l, op->regions[r], times * (trips + (loops && known && !r)), exact && known));
    }
    return NULL;
}

struct error *model_collectives(struct module *module, const struct accelerator *accelerator,
                                struct model_collectives *out)
{
    *out = (struct model_collectives){0};
    struct lister l = {.module = module, .accelerator = accelerator, .out = out};
    l.known = map_create(module->arena);
    l.listed = map_create(module->arena);
    l.broadcast = map_create(module->arena);
    return walk(&l, module->entry->body, 1, true);
}
