/* reduce_scatter_match.c: see reduce_scatter_match.h. */
#include "compiler/passes/spmd/reduce_scatter_match.h"

#include "base/map.h"
#include "compiler/analysis/collective.h"
#include "compiler/analysis/constants.h"
#include "compiler/passes/rewrite/each_op.h"

enum { MAX_PARTICIPANTS = 1024, MAX_OPERATIONS = 64 };

/* ---- scalars of one participant -------------------------------------------------------------- */
struct evaluation {
    int64_t partition, replica;
    int left; /* operations that may still be evaluated */
};

static bool evaluate(struct evaluation *e, const struct value *value, int64_t *out);

static bool compare(enum comparison direction, int64_t a, int64_t b)
{
    switch (direction) {
    case COMPARE_EQ: return a == b;
    case COMPARE_NE: return a != b;
    case COMPARE_LT: return a < b;
    case COMPARE_LE: return a <= b;
    case COMPARE_GT: return a > b;
    default: return a >= b;
    }
}

/* False for other operations, and where the result is not that of integers without a limit. */
static bool combine(const struct op *op, int64_t a, int64_t b, int64_t *out)
{
    switch (op->code) {
    case OP_add: return !__builtin_add_overflow(a, b, out);
    case OP_subtract: return !__builtin_sub_overflow(a, b, out);
    case OP_multiply: return !__builtin_mul_overflow(a, b, out);
    case OP_minimum: *out = a < b ? a : b; return true;
    case OP_maximum: *out = a > b ? a : b; return true;
    case OP_compare: *out = compare(op->attrs.compare.comparison_direction, a, b); return true;
    case OP_divide:
        if (b <= 0 || a < 0)
            return false;
        *out = a / b;
        return true;
    case OP_remainder:
        if (b <= 0 || a < 0)
            return false;
        *out = a % b;
        return true;
    default: return false;
    }
}

static bool evaluate_op(struct evaluation *e, const struct op *op, int64_t *out)
{
    int64_t a, b;
    switch (op->code) {
    case OP_partition_id: *out = e->partition; return true;
    case OP_replica_id: *out = e->replica; return true;
    case OP_convert:
    case OP_reshape: return evaluate(e, op->operands[0], out);
    case OP_select:
        return evaluate(e, op->operands[0], &a) && evaluate(e, op->operands[a ? 1 : 2], out);
    default:
        return op->operand_count == 2 && evaluate(e, op->operands[0], &a) &&
               evaluate(e, op->operands[1], &b) && combine(op, a, b, out);
    }
}

/* Whether numbers of that type represent `value`; predicates are 0 and 1. */
static bool represents(enum dtype dtype, int64_t value)
{
    const struct dtype_info *info = dtype_info(dtype);
    if (dtype == DTYPE_PRED)
        return value == 0 || value == 1;
    if (info->class != CLASS_SIGNED && info->class != CLASS_UNSIGNED)
        return false;
    if (info->class == CLASS_UNSIGNED)
        return value >= 0 && (info->bits >= 63 || value < INT64_C(1) << info->bits);
    return info->bits >= 64 ||
           (value >= -(INT64_C(1) << (info->bits - 1)) && value < INT64_C(1) << (info->bits - 1));
}

/* False for a value that is not computed from the participant's ids and constants, or that does not
 * fit its type on the way. */
static bool evaluate(struct evaluation *e, const struct value *value, int64_t *out)
{
    if (constants_integer(value, out))
        return true;
    return value->def && type_elements(value->type) == 1 && e->left-- > 0 &&
           evaluate_op(e, value->def, out) && represents(value->type->shape.dtype, *out);
}

/* ---- the match ------------------------------------------------------------------------------- */
struct match {
    struct module *module;
    struct op *reduce, *slice;
    struct program_groups groups;
    int parts, dim; /* the dimension of the slice */
};

/* The only dimension along which the slice is one of `parts` equal parts; -1: it is no such. */
static int sliced_dimension(const struct op *slice, int parts)
{
    const struct shape *from = &slice->operands[0]->type->shape,
                       *to = &slice->results[0].type->shape;
    int found = -1;
    for (int i = 0; i < from->rank; i++) {
        if (from->dims[i] == to->dims[i])
            continue;
        if (found >= 0 || to->dims[i] <= 0 || from->dims[i] / to->dims[i] != parts ||
            from->dims[i] % to->dims[i])
            return -1;
        found = i;
    }
    return found;
}

static bool matches_shape(struct match *m)
{
    enum collective_reducer reducer;
    const struct op *reduce = m->reduce;
    const struct use *use = reduce->results[0].uses;
    enum dtype dtype = reduce->operands[0]->type->shape.dtype;
    if (reduce->operand_count != 1 || !ir_has_one_use(&reduce->results[0]) ||
        use->user->code != OP_dynamic_slice || use->operand != 0 ||
        use->user->block != reduce->block)
        return false;
    m->slice = use->user;
    return collective_reducer(reduce->regions[0], &reducer) &&
           reduce->regions[0]->arguments[0].type->shape.dtype == dtype &&
           reduce->results[0].type->shape.dtype == dtype;
}

/* The number of the part that a participant slices, or -1. */
static int part_of(const struct match *m, int participant)
{
    int partitions = m->module->num_partitions;
    struct evaluation e = {participant % partitions, participant / partitions, MAX_OPERATIONS};
    int64_t start, size = m->slice->results[0].type->shape.dims[m->dim],
                   last = m->slice->operands[0]->type->shape.dims[m->dim] - size;
    if (!evaluate(&e, m->slice->operands[1 + m->dim], &start))
        return -1;
    start = start < 0 ? 0 : start > last ? last : start; /* as dynamic_slice does */
    return start % size ? -1 : (int)(start / size);
}

/* The members of each group in the order of their parts; NULL at: they do not match. */
static struct pairs find_order(const struct match *m)
{
    const struct program_groups *groups = &m->groups;
    size_t count = (size_t)groups->member_count;
    int64_t at[MAX_PARTICIPANTS];
    for (size_t i = 0; i < count; i++)
        at[i] = -1;
    for (int g = 0; g < groups->group_count; g++)
        for (int i = groups->offsets[g]; i < groups->offsets[g + 1]; i++) {
            int part = part_of(m, groups->members[i]);
            if (part < 0 || part >= m->parts || at[g * m->parts + part] >= 0)
                return (struct pairs){0, 0, NULL};
            at[g * m->parts + part] = groups->members[i];
        }
    return (struct pairs){groups->group_count, m->parts,
                          ir_share_list(m->module, groups->member_count, at)};
}

struct order_key {
    const struct value *start;
    const int *members;
    int64_t size, whole; /* of the dimension */
    int64_t parts;
};

/* The same for all slices that begin at one value: every participant's is computed once. */
static struct pairs order_by_parts(struct map *orders, const struct match *m)
{
    struct order_key key = {.start = m->slice->operands[1 + m->dim],
                            .members = m->groups.members,
                            .size = m->slice->results[0].type->shape.dims[m->dim],
                            .whole = m->slice->operands[0]->type->shape.dims[m->dim],
                            .parts = m->parts};
    const struct pairs *known = map_get(orders, &key, sizeof key);
    if (known)
        return *known;
    struct pairs order = find_order(m);
    map_put(orders, &key, sizeof key, arena_copy(m->module->arena, &order, sizeof order));
    return order;
}

/* ---- the rewrite ----------------------------------------------------------------------------- */
static void replace(struct match *m, struct pairs groups)
{
    struct op *reduce = m->reduce, *slice = m->slice;
    const struct type *type = slice->results[0].type;
    int64_t channel = reduce->attrs.all_reduce.channel_id;
    struct op *made = ir_op(m->module, OP_reduce_scatter, 1, reduce->operands, 1, &type, 1);
    made->attrs.reduce_scatter = (struct attrs_reduce_scatter){.scatter_dimension = m->dim,
                                                               .replica_groups = groups,
                                                               .channel_id = channel ? channel : 1,
                                                               .use_global_device_ids = true};
    made->location = reduce->location;
    made->regions[0] = reduce->regions[0];
    made->regions[0]->owner = made;
    reduce->region_count = 0;
    ir_insert_before(slice, made);
    ir_replace_uses(m->module, &slice->results[0], &made->results[0]);
    ir_remove(slice);
    ir_remove(reduce);
}

static struct error *match(struct module *module, struct op *op, void *orders)
{
    if (op->code != OP_all_reduce)
        return NULL;
    struct match m = {.module = module, .reduce = op};
    if (!matches_shape(&m))
        return NULL;
    TRY(collective_groups(module, op, &m.groups));
    m.parts = collective_group_size(&m.groups);
    if (m.parts < 2 || m.groups.member_count > MAX_PARTICIPANTS)
        return NULL;
    m.dim = sliced_dimension(m.slice, m.parts);
    if (m.dim < 0)
        return NULL;
    struct pairs groups = order_by_parts(orders, &m);
    if (groups.at)
        replace(&m, groups);
    return NULL;
}

struct error *reduce_scatter_match_run(struct module *module, const struct target *target)
{
    (void)target;
    return each_op_again_with(module, map_create(module->arena), match);
}
