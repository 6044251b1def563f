#include "compiler/passes/dynamic/bounded.h"

#include "compiler/analysis/constants.h"
#include "compiler/passes/dynamic/bounded_rules.h"
#include "compiler/passes/rewrite/rewrite.h"

/* ---- the walk -------------------------------------------------------------------------------- */

static struct error *check_dimension(const struct sized *s, const struct op *op)
{
    const struct type *type = op->operands[0]->type;
    int64_t dimension = op->attrs.dimension.dimension;
    return type->kind == TYPE_TENSOR && dimension >= 0 && dimension < type->shape.rank
               ? NULL
               : ERROR(INVALID_ARGUMENT, "%s: dimension is %lld; it must be in [0, %d)",
                       ir_where(s->module->arena, op), (long long)dimension, type->shape.rank);
}

/* The value of a size in [0, bound]. */
static struct value *limit_size(struct builder *b, struct value *size, int64_t bound)
{
    struct value *limited = sized_with(b, OP_minimum, build_reshape(b, size, 0, NULL), bound);
    return sized_with(b, OP_maximum, limited, 0);
}

/* A value of its own has the size: the operand keeps its own. */
static struct error *set_size(struct sized *s, struct op *op)
{
    struct builder b = rewrite_before(s->module, op);
    struct value *operand = op->operands[0];
    int64_t dimension = op->attrs.dimension.dimension, constant;
    TRY(check_dimension(s, op));
    int64_t bound = operand->type->shape.dims[dimension];
    if (!type_same(operand->type, op->results[0].type))
        return ERROR(INVALID_ARGUMENT, "%s: the result is %s; it must be %s",
                     ir_where(s->module->arena, op),
                     type_text(s->module->arena, op->results[0].type),
                     type_text(s->module->arena, operand->type));
    if (bound > INT32_MAX || op->operands[1]->type->shape.dtype != DTYPE_S32 ||
        type_elements(op->operands[1]->type) != 1)
        return ERROR(INVALID_ARGUMENT, "%s: the size is %s; it must be an s32 of at most %lld",
                     ir_where(s->module->arena, op),
                     type_text(s->module->arena, op->operands[1]->type), (long long)bound);
    bool is_full = constants_integer(op->operands[1], &constant) && constant == bound;
    struct value *made =
        build_reshape(&b, operand, operand->type->shape.rank, operand->type->shape.dims);
    for (int d = 0; d < operand->type->shape.rank; d++)
        if (d != dimension)
            sized_set(s, made, d, sized_of(s, operand, d));
    if (!is_full)
        sized_set(s, made, dimension, limit_size(&b, op->operands[1], bound));
    return rewrite_with(s->module, op, made);
}

static struct error *get_size(struct sized *s, struct op *op)
{
    TRY(check_dimension(s, op));
    struct value *size = sized_of(s, op->operands[0], op->attrs.dimension.dimension);
    return size ? rewrite_with(s->module, op, size) : NULL;
}

static struct error *visit_block(struct sized *s, struct block *block);

/* Regions of elements compute with the values around them; their own results have no sizes. */
static struct error *visit_regions(struct sized *s, struct op *op)
{
    for (int r = 0; r < op->region_count; r++) {
        struct block *region = op->regions[r];
        TRY(visit_block(s, region));
        if (region->last && sized_any_operand(s, region->last))
            return sized_refuse(s, region->last);
    }
    return NULL;
}

static struct error *visit(struct sized *s, struct op *op)
{
    if (op->code == OP_if || op->code == OP_case)
        return bounded_control_branches(s, op, visit_block);
    if (op->code == OP_while)
        return bounded_control_loop(s, op, visit_block);
    TRY(visit_regions(s, op));
    if (op->code == OP_set_dimension_size)
        return set_size(s, op);
    if (op->code == OP_get_dimension_size)
        return get_size(s, op);
    if (op->code == OP_return || !sized_any_operand(s, op))
        return NULL;
    bounded_rule *rule = bounded_rules_find(op);
    return rule ? rule(s, op) : sized_refuse(s, op);
}

static struct error *visit_block(struct sized *s, struct block *block)
{
    struct op *next;
    for (struct op *op = block->first; op; op = next) {
        next = op->next;
        TRY(visit(s, op));
    }
    return NULL;
}

/* ---- the entry ------------------------------------------------------------------------------- */

/* The sizes of the arguments or results, as additional ones behind them. */
struct hidden {
    int count; /* of all */
    const struct type **types;
    struct argument_info *infos;
    struct value **values; /* of results */
};

static struct hidden begin_hidden(struct arena *arena, int count, int sizes,
                                  const struct argument_info *infos)
{
    struct hidden h = {.count = count};
    size_t all = (size_t)count + (size_t)sizes;
    h.types = ARENA_ARRAY(arena, const struct type *, all);
    h.infos = ARENA_ARRAY(arena, struct argument_info, all);
    h.values = ARENA_ARRAY(arena, struct value *, all);
    for (int i = 0; i < count; i++)
        h.infos[i] = infos ? infos[i] : (struct argument_info){.alias_result = -1};
    return h;
}

static void add_hidden(struct arena *arena, struct hidden *h, int sized, int dimension)
{
    h->types[h->count] = type_scalar(arena, DTYPE_S32);
    h->infos[h->count++] = (struct argument_info){
        .alias_result = -1, .is_size = true, .sized = sized, .dimension = dimension};
}

static int count_bounded(const struct block *body)
{
    int count = 0;
    for (int i = 0; i < body->argument_count; i++)
        if (body->arguments[i].type->kind == TYPE_TENSOR)
            count += __builtin_popcount(body->arguments[i].type->bounded);
    return count;
}

/* The arguments with sizes, as the program uses them: each with its elements in their places. */
static void spread_arguments(struct sized *s, struct builder *b, struct block *body, int count,
                             const struct hidden *h)
{
    for (int i = count; i < h->count; i++) {
        struct value *argument = &body->arguments[h->infos[i].sized];
        int64_t bound = argument->type->shape.dims[h->infos[i].dimension];
        sized_set(s, argument, h->infos[i].dimension, limit_size(b, &body->arguments[i], bound));
    }
    for (int i = 0; i < count; i++) {
        struct value *argument = &body->arguments[i];
        struct value *spread =
            sized_any(s, argument) ? bounded_reshape_from_row(s, b, argument) : argument;
        if (spread != argument)
            sized_copy(s, spread, argument);
        h->values[i] = spread;
    }
}

/* Sizes are s32. */
static struct error *check_bounds(const struct func *entry)
{
    for (int i = 0; i < entry->body->argument_count; i++) {
        const struct type *type = entry->body->arguments[i].type;
        for (int d = 0; type->kind == TYPE_TENSOR && d < type->shape.rank; d++)
            if (type->bounded >> d & 1 && type->shape.dims[d] > INT32_MAX)
                return ERROR(INVALID_ARGUMENT,
                             "argument %d of the function @%.100s: the bound of dimension %d is "
                             "%lld; it must be at most %d",
                             i, entry->name, d, (long long)type->shape.dims[d], INT32_MAX);
    }
    return NULL;
}

/* Gives the entry an argument for each size of another. */
static void add_arguments(struct sized *s, struct func *entry, int sizes)
{
    struct module *module = s->module;
    struct block *old = entry->body;
    int count = old->argument_count;
    struct hidden h = begin_hidden(module->arena, count, sizes, entry->argument_infos);
    for (int i = 0; i < count; i++) {
        struct type *type = arena_copy(module->arena, old->arguments[i].type, sizeof *type);
        for (int d = 0; type->kind == TYPE_TENSOR && d < type->shape.rank; d++)
            if (type->bounded >> d & 1)
                add_hidden(module->arena, &h, i, d);
        type->bounded = 0;
        h.types[i] = type;
    }
    struct block *body = ir_block(module, entry, NULL, h.count, h.types);
    struct builder b = {module, body, NULL, NULL};
    spread_arguments(s, &b, body, count, &h);
    for (int i = 0; i < count; i++)
        ir_replace_uses(module, &old->arguments[i], h.values[i]);
    ir_move_all(old, body);
    entry->body = body;
    entry->argument_infos = h.infos;
}

/* Gives the entry a result for each size of another. */
static void add_results(struct sized *s, struct func *entry)
{
    struct op *last = entry->body->last;
    struct builder b = rewrite_before(s->module, last);
    int sizes = 0;
    for (int i = 0; i < entry->result_count; i++)
        for (int d = 0; d < last->operands[i]->type->shape.rank; d++)
            sizes += sized_of(s, last->operands[i], d) != NULL;
    if (!sizes)
        return;
    struct hidden h =
        begin_hidden(s->module->arena, entry->result_count, sizes, entry->result_infos);
    for (int i = 0; i < entry->result_count; i++) {
        h.types[i] = entry->result_types[i];
        h.values[i] = sized_any(s, last->operands[i])
                          ? bounded_reshape_to_row(s, &b, last->operands[i])
                          : last->operands[i];
        for (int d = 0; d < last->operands[i]->type->shape.rank; d++) {
            struct value *size = sized_of(s, last->operands[i], d);
            if (size)
                h.values[h.count] = size, add_hidden(s->module->arena, &h, i, d);
        }
    }
    build_return(&b, h.count, h.values);
    ir_remove(last);
    entry->result_count = h.count;
    entry->result_types = h.types;
    entry->result_infos = h.infos;
}

static bool sets_sizes(const struct block *block)
{
    for (const struct op *op = block->first; op; op = op->next) {
        if (op->code == OP_set_dimension_size)
            return true;
        for (int r = 0; r < op->region_count; r++)
            if (sets_sizes(op->regions[r]))
                return true;
    }
    return false;
}

struct error *bounded_run(struct module *module, const struct target *target)
{
    (void)target;
    struct func *entry = module->entry;
    struct sized s = {module, map_create(module->arena)};
    int arguments = count_bounded(entry->body);
    if (!arguments && !sets_sizes(entry->body))
        return NULL;
    if (module->num_partitions > 1)
        return ERROR(UNIMPLEMENTED,
                     "module %s: sizes that are known only at run time are unsupported in programs "
                     "of several partitions",
                     module->name);
    TRY(check_bounds(entry));
    if (arguments)
        add_arguments(&s, entry, arguments);
    TRY(visit_block(&s, entry->body));
    add_results(&s, entry);
    return NULL;
}
