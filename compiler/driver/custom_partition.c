#include "compiler/driver/custom_partition.h"

#include "base/proto.h"
#include "compiler/driver/compile_source.h"
#include "compiler/driver/custom_partitioner.h"
#include "compiler/export/export_shape.h"
#include "compiler/export/export_sharding.h"
#include "compiler/frontend/hlo/hlo_sharding.h"
#include "compiler/passes/canonicalize/canonicalize.h"
#include "compiler/passes/expand/dynamic.h"
#include "compiler/passes/fold/fold.h"
#include "compiler/passes/cleanup/inline.h"
#include "compiler/passes/rewrite/rewrite.h"

struct custom {
    struct module *module;
    const struct target *target;
};

/* ---- the question ---------------------------------------------------------------------------- */

/* The only field of a message: its bytes, without tag and size. */
static struct string field_of(const struct proto *message)
{
    size_t at = 1;
    while (at < message->size && message->bytes[at] & 0x80)
        at++;
    at++;
    return at < message->size
               ? (struct string){message->size - at, (const char *)message->bytes + at}
               : (struct string){0, ""};
}

static struct string serialize_shape(struct arena *arena, int count,
                                     const struct type *const *types)
{
    struct proto message = {.arena = arena};
    struct shape *shapes = ARENA_ARRAY(arena, struct shape, (size_t)count);
    for (int i = 0; i < count; i++) {
        shapes[i] = types[i]->shape;
        if (types[i]->kind == TYPE_TOKEN)
            shapes[i] = (struct shape){.dtype = DTYPE_TOKEN};
    }
    export_shape(&message, 1, shapes, count);
    return field_of(&message);
}

static struct error *add_sharding(struct proto *to, const struct sharding *sharding)
{
    struct sharding_tiles tiles;
    TRY(sharding_tiles_write(to->arena, sharding, &tiles));
    export_sharding_tiles(to, &tiles);
    return NULL;
}

static struct string bytes_of(const struct proto *message)
{
    return (struct string){message->size, message->bytes ? (const char *)message->bytes : ""};
}

/* Of a value, or of the elements of a tuple. */
static struct error *serialize_shardings(struct arena *arena, int count,
                                         const struct type *const *types, struct string *out)
{
    enum { TYPE = 1, ELEMENTS = 5 }; /* fields of OpSharding */
    struct proto message = {.arena = arena};
    if (count != 1)
        proto_number(&message, TYPE, TILES_TUPLE);
    for (int i = 0; i < count; i++) {
        struct proto element = {.arena = arena};
        TRY(add_sharding(count == 1 ? &message : &element, types[i]->sharding));
        if (count != 1)
            proto_message(&message, ELEMENTS, &element);
    }
    *out = bytes_of(&message);
    return NULL;
}

static struct error *describe(struct arena *arena, int count, const struct type *const *types,
                              struct partitioned_value *out)
{
    out->shape = serialize_shape(arena, count, types);
    return serialize_shardings(arena, count, types, &out->sharding);
}

static const struct type **result_types(struct arena *arena, const struct op *op)
{
    const struct type **types = ARENA_ARRAY(arena, const struct type *, (size_t)op->result_count);
    for (int i = 0; i < op->result_count; i++)
        types[i] = op->results[i].type;
    return types;
}

static bool is_split(const struct type *type)
{
    const struct sharding *sharding = type->sharding;
    for (int d = 0; sharding && d < sharding->rank; d++)
        if (sharding->dims[d].axes.count)
            return true;
    return false;
}

/* Without a rule of Shardy, propagation leaves the results as their users want them. If these do
 * not say, the partitioner may suggest a sharding. */
static struct error *infer(struct custom *c, const struct op *op,
                           struct custom_partitioner *partitioner,
                           struct partition_question *question)
{
    struct string suggested;
    if (op->attrs.custom_call.sharding_rule)
        return NULL;
    for (int i = 0; i < op->result_count; i++)
        if (is_split(op->results[i].type))
            return NULL;
    TRY(partitioner->infer(partitioner, c->module->arena, question, &suggested));
    if (suggested.data)
        question->result.sharding = suggested;
    return NULL;
}

static struct error *ask(struct custom *c, const struct op *op,
                         struct custom_partitioner *partitioner, struct partition_answer *out)
{
    struct arena *arena = c->module->arena;
    struct partition_question question = {.backend_config = op->attrs.custom_call.backend_config,
                                          .operand_count = (size_t)op->operand_count};
    struct partitioned_value *operands =
        ARENA_ARRAY(arena, struct partitioned_value, question.operand_count);
    for (int i = 0; i < op->operand_count; i++)
        TRY(describe(arena, 1, &op->operands[i]->type, &operands[i]));
    question.operands = operands;
    TRY(describe(arena, op->result_count, result_types(arena, op), &question.result));
    TRY(infer(c, op, partitioner, &question));
    return partitioner->partition(partitioner, arena, &question, out);
}

/* ---- the answer ------------------------------------------------------------------------------ */

/* The sharding at the border of a computation that is manual along all axes. */
static const struct sharding *at_border(struct arena *arena, const struct sharding *sharding)
{
    const struct mesh *mesh = sharding->mesh;
    struct axis_ref *axes = ARENA_ARRAY(arena, struct axis_ref, (size_t)mesh->axis_count);
    for (int i = 0; i < mesh->axis_count; i++)
        axes[i].axis = i;
    struct sharding *border = arena_copy(arena, sharding, sizeof *sharding);
    border->replicated = (struct axis_refs){0};
    border->manual = (struct axis_refs){mesh->axis_count, axes};
    return border;
}

/* The type of a shard of a value, whose sharding becomes that of the border. */
static struct error *shard_type(struct custom *c, const struct type *whole,
                                const struct sharding **inout, const struct type **out)
{
    struct arena *arena = c->module->arena;
    if (!*inout || (*inout)->kind == SHARDING_MAXIMAL || (*inout)->unreduced.count)
        return ERROR(UNIMPLEMENTED,
                     "the partitioner puts %s on one device, or leaves it partial; "
                     "only tiled shardings are supported",
                     type_text(arena, whole));
    *inout = at_border(arena, *inout);
    struct type *shard = arena_copy(arena, type_plain(arena, whole), sizeof *whole);
    int64_t *dims = arena_copy(arena, whole->shape.dims, (size_t)whole->shape.rank * sizeof *dims);
    for (int d = 0; d < whole->shape.rank; d++) {
        int64_t shards = sharding_manual_size(*inout, d);
        if (dims[d] % shards)
            return ERROR(UNIMPLEMENTED,
                         "the partitioner splits dimension %d of %s into %lld shards; only even "
                         "shardings are supported",
                         d, type_text(arena, whole), (long long)shards);
        dims[d] /= shards;
    }
    shard->shape.dims = dims;
    *out = shard;
    return NULL;
}

static struct error *read_program(struct custom *c, struct string bytes, struct module **out)
{
    struct compile_source source = {
        .format = "mlir", .format_size = 4, .bytes = bytes.data, .size = bytes.size};
    TRY(compile_source_read(c->module->arena, &source, out));
    (*out)->operation_limit = c->module->operation_limit;
    (*out)->num_replicas = c->module->num_replicas;
    (*out)->num_partitions = c->module->num_partitions;
    TRY(inline_run(*out, c->target));
    TRY(fold_run(*out, c->target));
    TRY(dynamic_run(*out, c->target));
    return canonicalize_run(*out, c->target);
}

static struct error *check_type(const struct custom *c, const struct type *wanted,
                                const struct type *got, const char *what, int i)
{
    if (type_same(wanted, got))
        return NULL;
    return ERROR(INVALID_ARGUMENT,
                 "the partitioner returns a program whose %s %d is %s; a shard is %s", what, i,
                 type_text(c->module->arena, got), type_text(c->module->arena, wanted));
}

/* ---- the computation ------------------------------------------------------------------------- */

static struct value *border(struct custom *c, struct op *position, enum op_code code,
                            struct value *value, const struct type *type,
                            const struct sharding *sharding)
{
    struct op *op = ir_op(c->module, code, 1, &value, 1, &type, 0);
    op->attrs.manual.sharding = sharding;
    op->location = position->location;
    ir_insert_before(position, op);
    return &op->results[0];
}

static struct error *enter(struct custom *c, struct op *op, const struct partition_answer *answer,
                           const struct block *body, struct value **shards)
{
    for (int i = 0; i < op->operand_count; i++) {
        const struct type *whole = op->operands[i]->type, *shard;
        const struct sharding *sharding;
        shards[i] = op->operands[i];
        if (whole->kind != TYPE_TENSOR)
            continue;
        TRY(hlo_sharding_parse(c->module, answer->operands[i], 1, &whole, &sharding));
        TRY(shard_type(c, whole, &sharding, &shard));
        TRY(check_type(c, shard, body->arguments[i].type, "argument", i));
        shards[i] = border(c, op, OP_full_to_shard, op->operands[i], shard, sharding);
    }
    return NULL;
}

static struct error *leave(struct custom *c, struct op *op, const struct partition_answer *answer,
                           struct value **values)
{
    struct arena *arena = c->module->arena;
    const struct type **types = result_types(arena, op);
    const struct sharding **shardings =
        ARENA_ARRAY(arena, const struct sharding *, (size_t)op->result_count);
    TRY(hlo_sharding_parse(c->module, answer->result, op->result_count, types, shardings));
    for (int i = 0; i < op->result_count; i++) {
        const struct type *shard;
        if (types[i]->kind != TYPE_TENSOR)
            continue;
        TRY(shard_type(c, types[i], &shardings[i], &shard));
        TRY(check_type(c, shard, values[i]->type, "result", i));
        values[i] = border(c, op, OP_shard_to_full, values[i], types[i], shardings[i]);
    }
    return NULL;
}

static struct error *partition(struct custom *c, struct op *op,
                               struct custom_partitioner *partitioner)
{
    struct arena *arena = c->module->arena;
    struct partition_answer answer;
    struct module *program;
    TRY(ask(c, op, partitioner, &answer));
    TRY(read_program(c, answer.program, &program));
    const struct func *main = program->entry;
    if (main->body->argument_count != op->operand_count || main->result_count != op->result_count)
        return ERROR(INVALID_ARGUMENT,
                     "the partitioner returns a program of %d arguments and %d results; the call "
                     "has %d and %d",
                     main->body->argument_count, main->result_count, op->operand_count,
                     op->result_count);
    struct value **shards = ARENA_ARRAY(arena, struct value *, (size_t)op->operand_count);
    struct value **results = ARENA_ARRAY(arena, struct value *, (size_t)op->result_count);
    TRY(enter(c, op, &answer, main->body, shards));
    TRY(ir_inline_block(c->module, main->body, op->operand_count, shards, op, op->result_count,
                        results));
    TRY(leave(c, op, &answer, results));
    return rewrite_replace(c->module, op, results);
}

/* ---- inspecting ------------------------------------------------------------------------------ */

static bool is_manual_everywhere(const struct sharding *manual)
{
    return manual && sharding_axes_size(manual->mesh, manual->manual) == manual->mesh->device_count;
}

static struct error *inspect(struct custom *c, struct op *op,
                             struct custom_partitioner *partitioner, const struct sharding *manual)
{
    struct proto message = {.arena = c->module->arena};
    struct sharding_tiles everywhere = {.kind = TILES_MANUAL};
    if (op->operand_count != 1 || op->result_count > 1)
        return ERROR(INVALID_ARGUMENT,
                     "it has %d operands and %d results; it must have 1 operand and at most 1 "
                     "result",
                     op->operand_count, op->result_count);
    if (is_manual_everywhere(manual))
        export_sharding_tiles(&message, &everywhere);
    else
        TRY(add_sharding(&message, op->operands[0]->type->sharding));
    TRY(partitioner->inspect(partitioner, c->module->arena, op->attrs.custom_call.backend_config,
                             bytes_of(&message)));
    if (op->result_count)
        ir_replace_uses(c->module, &op->results[0], op->operands[0]);
    ir_remove(op);
    return NULL;
}

/* ---- the walk over operations ---------------------------------------------------------------- */

static void release(void *partitioner)
{
    custom_partitioner_release(partitioner);
}

static struct error *run_call(struct custom *c, struct op *op, const struct sharding *manual)
{
    void **slot = arena_keep(c->module->arena, release);
    struct custom_partitioner *partitioner =
        custom_partitioner_find(op->attrs.custom_call.call_target_name);
    *slot = partitioner;
    if (!partitioner)
        return NULL;
    if (partitioner->inspect)
        return inspect(c, op, partitioner, manual);
    if (c->module->num_partitions == 1)
        return NULL;
    return manual ? ERROR(UNIMPLEMENTED, "a custom partitioner inside a manual computation that "
                                         "leaves axes to the partitioner is unsupported")
                  : partition(c, op, partitioner);
}

/* The sharding at the border of the manual computation that a value is in; NULL: in none. It is the
 * note of each value. */
static const struct sharding *manual_of(const struct op *op, const struct sharding *context)
{
    if (op->code == OP_full_to_shard)
        return op->attrs.manual.sharding;
    if (op->code == OP_shard_to_full)
        return NULL;
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i]->note)
            return op->operands[i]->note;
    return context;
}

static void set_notes(struct value *values, int count, const struct sharding *manual)
{
    for (int i = 0; i < count; i++)
        values[i].note = (void *)(uintptr_t)manual;
}

static struct error *run_block(struct custom *c, struct block *block,
                               const struct sharding *context)
{
    set_notes(block->arguments, block->argument_count, context);
    for (struct op *op = block->first, *next; op; op = next) {
        next = op->next;
        const struct sharding *manual = manual_of(op, context);
        set_notes(op->results, op->result_count, manual);
        if (op_info(op->code)->traits & OP_CONTROL)
            for (int r = 0; r < op->region_count; r++)
                TRY(run_block(c, op->regions[r], manual));
        if (op->code != OP_custom_call)
            continue;
        const char *where = ir_where(c->module->arena, op);
        struct string name = op->attrs.custom_call.call_target_name;
        struct error *error = run_call(c, op, manual);
        if (error)
            return error_prefix(error, "%s: custom call @%.*s", where, (int)name.size, name.data);
    }
    return NULL;
}

struct error *custom_partition_run(struct module *module, const struct target *target)
{
    struct custom c = {module, target};
    return run_block(&c, module->entry->body, NULL);
}
