#include "compiler/passes/spmd/spmd_annotations.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/ir/infer.h"
#include "compiler/ir/sharding.h"
#include "compiler/passes/rewrite/rewrite.h"

static bool is_call(const struct op *op, const char *name)
{
    struct string target = op->attrs.custom_call.call_target_name;
    return op->code == OP_custom_call && target.size == strlen(name) &&
           !memcmp(target.data, name, target.size);
}

/* ---- shardings ------------------------------------------------------------------------------- */

/* One that was read while the number of partitions was not known is over all partitions. */
static const struct sharding *over_partitions(struct module *module,
                                              const struct sharding *sharding)
{
    if (!sharding || sharding->kind == SHARDING_MAXIMAL || sharding->mesh->device_count != 1 ||
        sharding->mesh->axis_count != 1 || sharding->mesh->device_ids)
        return sharding;
    struct mesh *mesh = arena_copy(module->arena, sharding->mesh, sizeof *mesh);
    int64_t partitions = module->num_partitions;
    mesh->axis_sizes = arena_copy(module->arena, &partitions, sizeof partitions);
    mesh->device_count = partitions;
    struct sharding *made = arena_copy(module->arena, sharding, sizeof *made);
    made->mesh = mesh;
    return made;
}

/* The sharding that is given for a value: that of its constraint, or of its type. */
static const struct sharding *sharding_of(struct module *module, const struct value *value)
{
    const struct op *def = value->def;
    bool constrained = def && def->code == OP_sharding_constraint;
    return over_partitions(module,
                           constrained ? def->attrs.sharding.sharding : value->type->sharding);
}

/* The dimensions of "unspecified_dims=[0,1]" are open. */
static const struct sharding *open_dims(struct arena *arena, const struct sharding *sharding,
                                        struct string config)
{
    static const char key[] = "unspecified_dims=[";
    char *text = arena_string(arena, config.data ? config.data : "", config.data ? config.size : 0);
    char *at = strstr(text, key);
    if (!at || sharding->kind == SHARDING_MAXIMAL)
        return sharding;
    struct sharding *opened = arena_copy(arena, sharding, sizeof *sharding);
    size_t size = (size_t)sharding->rank * sizeof *sharding->dims;
    struct dim_sharding *dims = arena_copy(arena, sharding->dims, size);
    at += sizeof key - 1;
    for (char *end; *at; at = end + (*end == ',')) {
        long dim = strtol(at, &end, 10);
        if (end == at)
            break;
        if (dim >= 0 && dim < sharding->rank)
            dims[dim].is_closed = false;
    }
    opened->dims = dims;
    return opened;
}

struct part { /* [begin, end) of an axis, as sizes of its major parts */
    int axis;
    int64_t begin, end;
};

static struct part part_of(const struct mesh *mesh, struct axis_ref axis)
{
    int64_t begin = axis.size ? axis.pre_size : 1;
    return (struct part){axis.axis, begin, begin * sharding_axis_size(mesh, axis)};
}

static void add_part(const struct mesh *mesh, struct part part, struct axis_ref *at, int *count)
{
    bool whole = part.begin == 1 && part.end == mesh->axis_sizes[part.axis];
    if (part.begin < part.end && *count < SHARDING_MAX_AXES)
        at[(*count)++] = whole ? (struct axis_ref){part.axis, 0, 0}
                               : (struct axis_ref){part.axis, part.begin, part.end / part.begin};
}

static int by_begin(const void *a, const void *b)
{
    const struct part *left = a, *right = b;
    return (left->begin > right->begin) - (left->begin < right->begin);
}

/* The parts of the axes `from` that are not in `less`. */
static struct axis_refs subtract(struct arena *arena, const struct mesh *mesh,
                                 struct axis_refs from, struct axis_refs less)
{
    struct axis_ref at[SHARDING_MAX_AXES];
    struct part *taken = ARENA_ARRAY(arena, struct part, (size_t)less.count);
    int count = 0;
    for (int k = 0; k < less.count; k++)
        taken[k] = part_of(mesh, less.at[k]);
    if (less.count)
        qsort(taken, (size_t)less.count, sizeof *taken, by_begin);
    for (int i = 0; i < from.count; i++) {
        struct part left = part_of(mesh, from.at[i]);
        for (int k = 0; k < less.count; k++) {
            if (taken[k].axis != left.axis || taken[k].end <= left.begin ||
                taken[k].begin >= left.end)
                continue;
            add_part(mesh, (struct part){left.axis, left.begin, taken[k].begin}, at, &count);
            left.begin = taken[k].end < left.end ? taken[k].end : left.end;
        }
        add_part(mesh, left, at, &count);
    }
    return (struct axis_refs){count, arena_copy(arena, at, (size_t)count * sizeof *at)};
}

static bool same_mesh(const struct mesh *a, const struct mesh *b)
{
    struct sharding in_a = {.mesh = a}, in_b = {.mesh = b};
    return sharding_equal(&in_a, &in_b);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static struct error *replace(struct module *module, struct op *op, enum op_code code,
                             const struct sharding *sharding)
{
    const struct type *type = type_plain(module->arena, op->results[0].type);
    struct op *made = ir_op(module, code, 1, op->operands, 1, &type, 0);
    if (code == OP_sharding_constraint)
        made->attrs.sharding.sharding = sharding;
    else
        made->attrs.manual.sharding = sharding;
    made->location = op->location;
    ir_insert_before(op, made);
    op->results[0].type = type;
    TRY(infer_op(module->arena, made));
    return rewrite_with(module, op, &made->results[0]);
}

/* Also without open dimensions, so that the mesh does not matter. */
static bool is_replicated(const struct sharding *sharding)
{
    if (sharding->kind == SHARDING_MAXIMAL)
        return true;
    for (int i = 0; i < sharding->rank; i++)
        if (sharding->dims[i].axes.count || !sharding->dims[i].is_closed)
            return false;
    return !sharding->manual.count && !sharding->unreduced.count;
}

/* The two shardings of a boundary: that of the operand and of the call. */
struct boundary {
    const struct sharding *operand, *call;
};

static struct error *read_boundary(struct module *module, const struct op *op, struct boundary *out)
{
    const struct type *type = op->results[0].type;
    out->call = over_partitions(module, type->sharding);
    out->operand = sharding_of(module, op->operands[0]);
    if (!out->call || out->call->kind == SHARDING_MAXIMAL)
        return ERROR(INVALID_ARGUMENT,
                     "%s: the boundary of a manual computation must have a tiled "
                     "sharding",
                     ir_where(module->arena, op));
    if (!out->operand || is_replicated(out->operand))
        out->operand = sharding_replicated(module->arena, out->call->mesh, type->shape.rank, true);
    if (!same_mesh(out->operand->mesh, out->call->mesh))
        return ERROR(UNIMPLEMENTED,
                     "%s: the shardings of its operand and its result are over different orders of "
                     "devices; a manual computation must have one",
                     ir_where(module->arena, op));
    return NULL;
}

static struct error *enter(struct module *module, struct op *op)
{
    struct boundary boundary;
    TRY(read_boundary(module, op, &boundary));
    struct sharding *full = arena_copy(module->arena, boundary.operand, sizeof *full);
    full->manual =
        subtract(module->arena, full->mesh, boundary.call->manual, boundary.operand->manual);
    return replace(module, op, OP_full_to_shard, full);
}

static struct error *leave(struct module *module, struct op *op)
{
    static const struct axis_ref all = {0, 0, 0};
    struct boundary boundary;
    TRY(read_boundary(module, op, &boundary));
    struct axis_refs manual = boundary.operand->manual;
    if (!manual.count && boundary.call->mesh->axis_count == 1)
        manual = (struct axis_refs){1, &all};
    const struct sharding *opened =
        open_dims(module->arena, boundary.call, op->attrs.custom_call.backend_config);
    struct sharding *full = arena_copy(module->arena, opened, sizeof *full);
    full->manual = subtract(module->arena, full->mesh, manual, boundary.call->manual);
    return replace(module, op, OP_shard_to_full, full);
}

static struct error *constrain(struct module *module, struct op *op)
{
    const struct sharding *sharding = over_partitions(module, op->results[0].type->sharding);
    if (!type_same(op->operands[0]->type, op->results[0].type))
        return ERROR(INVALID_ARGUMENT, "%s: a sharding must not change the type of its operand",
                     ir_where(module->arena, op));
    if (sharding)
        sharding = open_dims(module->arena, sharding, op->attrs.custom_call.backend_config);
    return sharding ? replace(module, op, OP_sharding_constraint, sharding)
                    : rewrite_with(module, op, op->operands[0]);
}

static struct error *convert_call(struct module *module, struct op *op)
{
    bool into = is_call(op, "SPMDFullToShardShape"), out = is_call(op, "SPMDShardToFullShape");
    bool constrains = is_call(op, "Sharding");
    if (!into && !out && !constrains)
        return NULL;
    if (op->operand_count != 1 || op->result_count != 1)
        return ERROR(INVALID_ARGUMENT, "%s: has %d operands and %d results; it must have one each",
                     ir_where(module->arena, op), op->operand_count, op->result_count);
    if (op->operands[0]->type->kind != TYPE_TENSOR)
        return rewrite_with(module, op, op->operands[0]);
    return into ? enter(module, op) : out ? leave(module, op) : constrain(module, op);
}

static struct error *convert_block(struct module *module, struct block *block)
{
    struct op *next;
    for (struct op *op = block->first; op; op = next) {
        next = op->next;
        for (int r = 0; r < op->region_count; r++)
            TRY(convert_block(module, op->regions[r]));
        TRY(convert_call(module, op));
    }
    return NULL;
}

/* ---- manual axes of other shardings ---------------------------------------------------------- */

/* The sharding without manual axes; NULL where nothing is left of it. */
static const struct sharding *without_manual(struct module *module, const struct sharding *sharding)
{
    sharding = over_partitions(module, sharding);
    if (!sharding || !sharding->manual.count)
        return sharding;
    int64_t manual = sharding_axes_size(sharding->mesh, sharding->manual);
    struct sharding *rest = arena_copy(module->arena, sharding, sizeof *rest);
    rest->manual = (struct axis_refs){0};
    return manual == sharding->mesh->device_count ? NULL : rest;
}

static void clean_type(struct module *module, const struct type **type)
{
    if (!*type || !(*type)->sharding)
        return;
    *type = type_with_sharding(module->arena, *type, without_manual(module, (*type)->sharding));
}

static struct error *clean_block(struct module *module, struct block *block)
{
    struct op *next;
    for (int i = 0; i < block->argument_count; i++)
        clean_type(module, &block->arguments[i].type);
    for (struct op *op = block->first; op; op = next) {
        next = op->next;
        for (int r = 0; r < op->region_count; r++)
            TRY(clean_block(module, op->regions[r]));
        for (int i = 0; i < op->result_count; i++)
            clean_type(module, &op->results[i].type);
        if (op->code != OP_sharding_constraint)
            continue;
        op->attrs.sharding.sharding = without_manual(module, op->attrs.sharding.sharding);
        if (!op->attrs.sharding.sharding)
            TRY(rewrite_with(module, op, op->operands[0]));
    }
    return NULL;
}

struct error *spmd_annotations_run(struct module *module, const struct target *target)
{
    (void)target;
    if (module->num_partitions == 1)
        return NULL;
    for (struct func *func = module->first; func; func = func->next)
        TRY(convert_block(module, func->body));
    for (struct func *func = module->first; func; func = func->next) {
        TRY(clean_block(module, func->body));
        for (int i = 0; i < func->result_count; i++)
            clean_type(module, &func->result_types[i]);
    }
    return NULL;
}
