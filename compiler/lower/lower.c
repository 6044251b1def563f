/* lower.c: see lower.h. */
#include "compiler/lower/lower.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/env.h"
#include "base/vec.h"
#include "compiler/lower/lower_call.h"
#include "compiler/analysis/cost.h"
#include "compiler/passes/layout.h"
#include "compiler/lower/signature.h"

enum {
    CHUNKS_PER_THREAD = 4,   /* so that a slow thread leaves work to others */
    COMPUTE_BOUND = 3,       /* arithmetic over traffic from which LLVM's passes pay */
    GOOD_COST = 10000,       /* cost of a step from which good code pays its compile time */
    GOOD_FFT_COST = 4000000, /* that of a transform, which is much code */
    OPTIMISE_COST = 2000000, /* and from which the passes may */
    LOOP_COST = 500000       /* that of a loop compiled as one function, where registers count */
};

typedef VEC(struct step) step_vec;

struct lowerer {
    struct module *module;
    struct arena *arena;
    const struct target *target;
    const struct buffer_plan *plan;
    VEC(struct codegen_kernel) kernels;
    struct map *known_kernels; /* signature -> index + 1 */
    VEC(struct program_channel) channels;
    struct map *known_channels; /* those of `channels` */
    int plan_count, fusion_count;
};

/* ---- slices ---------------------------------------------------------------------------------- */
static bool is_tensor(const struct value *value)
{
    return value->type->kind == TYPE_TENSOR;
}

static void add_slice(struct step *step, const struct slice *slice)
{
    step->slices[step->slice_count++] = *slice;
}

static void add_values(struct lowerer *l, struct step *step, const struct op *op)
{
    step->slices = ARENA_ARRAY(l->arena, struct slice, op->operand_count + op->result_count + 1);
    for (int i = 0; i < op->operand_count; i++)
        if (is_tensor(op->operands[i]))
            add_slice(step, buffer_plan_slice(l->plan, op->operands[i]));
    step->operand_count = step->slice_count;
    for (int i = 0; i < op->result_count; i++)
        if (is_tensor(&op->results[i]))
            add_slice(step, buffer_plan_slice(l->plan, &op->results[i]));
}

static int64_t whole(double cost)
{
    return cost < 1e15 ? (int64_t)llround(cost) : (int64_t)1e15;
}

static struct step new_step(struct lowerer *l, enum step_kind kind, const char *name,
                            const struct op *op)
{
    struct step step = {.kind = kind, .plan = -1, .cost = whole(cost_of_op(op))};
    const struct location *at = op->location;
    if (at && at->name && at->file)
        step.label = arena_format(l->arena, "%s: %s (%s:%d:%d)", name, at->name, at->file, at->line,
                                  at->column);
    else if (at && at->name)
        step.label = arena_format(l->arena, "%s: %s", name, at->name);
    else
        step.label = arena_format(l->arena, "%s", name);
    return step;
}

/* ---- kernels --------------------------------------------------------------------------------- */
static double arithmetic(const struct op *fusion)
{
    return cost_of_block(fusion->regions[0]);
}

/* Loops in one function keep what is small in registers at tier 2: worth it when they may run
 * long. */
static bool runs_long(const struct op *region)
{
    for (const struct op *op = region->regions[0]->first; op; op = op->next)
        if (op->code == OP_while && (cost_trip_count(op) < 0 || cost_of_op(op) >= LOOP_COST))
            return true;
    return false;
}

static bool ends_in_fft(const struct op *fusion)
{
    const struct op *end = fusion->regions[0]->last;
    const struct op *op = end->operand_count ? end->operands[0]->def : NULL;
    return op && op->code == OP_fft;
}

static int tier_of(const struct op *fusion)
{
    const char *asked = env_text(ENV_GANTRY_TIER);
    if (asked && asked[0] >= '0' && asked[0] < '0' + CODEGEN_TIERS)
        return asked[0] - '0';
    double work = arithmetic(fusion), cost = cost_of_op(fusion), moved = 0;
    if (fusion->attrs.fusion.fusion_kind == FUSION_REGION && runs_long(fusion))
        return 2;
    for (int i = 0; i < fusion->operand_count; i++)
        moved += (double)type_bytes(fusion->operands[i]->type) / 4;
    for (int i = 0; i < fusion->result_count; i++)
        moved += (double)type_bytes(fusion->results[i].type) / 4;
    if (cost >= OPTIMISE_COST && work > COMPUTE_BOUND * moved)
        return 2;
    return cost >= (ends_in_fft(fusion) ? GOOD_FFT_COST : GOOD_COST);
}

/* The kernel of a fusion: that of an equal one, or a new one. */
static int kernel_of(struct lowerer *l, struct op *fusion)
{
    const void *bytes;
    size_t size;
    signature_of_op(l->arena, fusion, &bytes, &size);
    uintptr_t known = (uintptr_t)map_get(l->known_kernels, bytes, size);
    if (known)
        return (int)known - 1;
    struct codegen_kernel kernel = {.fusion = fusion,
                                    .tier = tier_of(fusion),
                                    .buffers = map_get_pointer(l->plan->regions, fusion),
                                    .name = arena_format(l->arena, "kernel_%zu", l->kernels.count)};
    VEC_PUSH(l->arena, &l->kernels, kernel);
    map_put(l->known_kernels, bytes, size, (void *)(uintptr_t)l->kernels.count);
    return (int)l->kernels.count - 1;
}

static void lower_fusion(struct lowerer *l, struct op *op, step_vec *steps)
{
    struct step step =
        new_step(l, STEP_KERNEL, arena_format(l->arena, "fusion.%d", l->fusion_count++), op);
    step.kernel.index = kernel_of(l, op);
    add_values(l, &step, op);
    if (buffer_plan_scratch(l->plan, op))
        add_slice(&step, buffer_plan_scratch(l->plan, op));
    VEC_PUSH(l->arena, steps, step);
}

/* ---- library steps and copies ---------------------------------------------------------------- */
static void add_product(struct lowerer *l, struct step *step, const struct op *dot)
{
    step->slices = ARENA_ARRAY(l->arena, struct slice, 3);
    for (int which = 0; which < 2; which++)
        add_slice(step, buffer_plan_slice(l->plan, layout_dot_operand(dot, which)));
    step->operand_count = 2;
    add_slice(step, buffer_plan_slice(l->plan, &dot->results[0]));
}

static struct error *lower_library(struct lowerer *l, struct op *op, step_vec *steps)
{
    bool dot = op->code != OP_convolution;
    int64_t first = 0;
    struct step step =
        new_step(l, dot ? STEP_DOT : STEP_CONVOLUTION, dot ? "dot_general" : "convolution", op);
    if (!dot)
        first = layout_convolution_spec(op, &step.convolution);
    else if (!layout_dot_spec(op, &step.dot))
        return ERROR(INTERNAL, "%s: dimensions were not brought together", ir_where(l->arena, op));
    if (dot)
        add_product(l, &step, op);
    else
        add_values(l, &step, op);
    step.slices[0].offset += (uint64_t)(first * dtype_bytes(op->operands[0]->type->shape.dtype));
    step.slices[0].size -= (uint64_t)(first * dtype_bytes(op->operands[0]->type->shape.dtype));
    step.plan = l->plan_count++;
    VEC_PUSH(l->arena, steps, step);
    return NULL;
}

/* Whether a copy has not found its result where it reads. */
static bool moves(struct lowerer *l, const struct op *copy)
{
    const struct slice *from = buffer_plan_slice(l->plan, copy->operands[0]);
    const struct slice *to = buffer_plan_slice(l->plan, &copy->results[0]);
    return from->size && (from->allocation != to->allocation || from->offset != to->offset);
}

static void lower_copy(struct lowerer *l, struct op *op, step_vec *steps)
{
    if (!moves(l, op))
        return;
    struct step step = new_step(l, STEP_COPY, "copy", op);
    add_values(l, &step, op);
    VEC_PUSH(l->arena, steps, step);
}

/* ---- control flow ---------------------------------------------------------------------------- */
static struct error *lower_block(struct lowerer *l, struct block *block, struct step_list *out);

static struct error *lower_while(struct lowerer *l, struct op *op, step_vec *steps)
{
    struct step step = new_step(l, STEP_WHILE, "while", op);
    step.slices = ARENA_ARRAY(l->arena, struct slice, 1);
    add_slice(&step, buffer_plan_slice(l->plan, op->regions[0]->last->operands[0]));
    step.operand_count = 1;
    TRY(lower_block(l, op->regions[0], &step.loop.condition));
    TRY(lower_block(l, op->regions[1], &step.loop.body));
    VEC_PUSH(l->arena, steps, step);
    return NULL;
}

static struct error *lower_case(struct lowerer *l, struct op *op, step_vec *steps)
{
    struct step step = new_step(l, STEP_CASE, op_info(op->code)->name, op);
    step.slices = ARENA_ARRAY(l->arena, struct slice, 1);
    add_slice(&step, buffer_plan_slice(l->plan, op->operands[0]));
    step.operand_count = 1;
    step.branch.is_predicate = op->code == OP_if;
    step.branch.count = op->region_count;
    step.branch.branches = ARENA_ARRAY(l->arena, struct step_list, op->region_count);
    for (int i = 0; i < op->region_count; i++)
        TRY(lower_block(l, op->regions[i], &step.branch.branches[i]));
    VEC_PUSH(l->arena, steps, step);
    return NULL;
}

static struct error *lower_call(struct lowerer *l, struct op *op, step_vec *steps)
{
    struct step step = new_step(l, STEP_CUSTOM_CALL, "custom_call", op);
    add_values(l, &step, op);
    struct error *error = lower_call_spec(l->arena, op, &step.call);
    if (error)
        return error_prefix(error, "%s", ir_where(l->arena, op));
    step.plan = l->plan_count++;
    VEC_PUSH(l->arena, steps, step);
    return NULL;
}

static void use_channel(struct lowerer *l, int64_t id, bool receives)
{
    int64_t key[2] = {id, receives};
    if (!map_put(l->known_channels, key, sizeof key, l))
        VEC_PUSH(l->arena, &l->channels, ((struct program_channel){id, receives}));
}

static int compare_channels(const void *left, const void *right)
{
    const struct program_channel *x = left, *y = right;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return x->receives - y->receives;
}

static struct error *lower_transfer(struct lowerer *l, struct op *op, step_vec *steps)
{
    bool receives = op->code == OP_recv;
    struct step step =
        new_step(l, receives ? STEP_RECEIVE : STEP_SEND, op_info(op->code)->name, op);
    if (!op->attrs.channel.is_host_transfer)
        return ERROR(UNIMPLEMENTED,
                     "%s: transfers between devices are unsupported, only those with the host are",
                     ir_where(l->arena, op));
    add_values(l, &step, op);
    if (step.slice_count != 1)
        return ERROR(UNIMPLEMENTED, "%s: %d arrays; a transfer with the host takes one",
                     ir_where(l->arena, op), step.slice_count);
    step.channel = op->attrs.channel.channel_id;
    use_channel(l, step.channel, receives);
    VEC_PUSH(l->arena, steps, step);
    return NULL;
}

static struct error *lower_op(struct lowerer *l, struct op *op, step_vec *steps)
{
    switch (op->code) {
    case OP_constant:
    case OP_fft_table:
    case OP_reshape:
    case OP_return:
    case OP_after_all:
    case OP_create_token: return NULL;
    case OP_fusion:
        if (op->attrs.fusion.fusion_kind == FUSION_DOT)
            return lower_library(l, op, steps);
        lower_fusion(l, op, steps);
        return NULL;
    case OP_dot_general:
    case OP_convolution: return lower_library(l, op, steps);
    case OP_copy: lower_copy(l, op, steps); return NULL;
    case OP_while: return lower_while(l, op, steps);
    case OP_case:
    case OP_if: return lower_case(l, op, steps);
    case OP_custom_call: return lower_call(l, op, steps);
    case OP_send:
    case OP_recv: return lower_transfer(l, op, steps);
    case OP_infeed:
    case OP_outfeed:
        return ERROR(UNIMPLEMENTED,
                     "%s: PJRT's C interface has no feeds; send and recv talk to the host",
                     ir_where(l->arena, op));
    default:
        return ERROR(UNIMPLEMENTED, "%s is unsupported on %s", ir_where(l->arena, op),
                     l->target->name);
    }
}

static struct error *lower_block(struct lowerer *l, struct block *block, struct step_list *out)
{
    step_vec steps = {0};
    for (struct op *op = block->first; op; op = op->next)
        TRY(lower_op(l, op, &steps));
    out->count = (int)steps.count;
    out->steps = steps.items;
    return NULL;
}

/* ---- the program ----------------------------------------------------------------------------- */
/* `type` as declared: with its layout and memory kind. */
static struct program_value value_of(struct arena *arena, const struct type *type,
                                     const struct argument_info *info)
{
    return (struct program_value){.shape = shape_copy(arena, &type->shape),
                                  .alias = -1,
                                  .bytes =
                                      type->kind == TYPE_TENSOR ? (uint64_t)type_bytes(type) : 0,
                                  .donated = info && (info->alias_result >= 0 || info->donated)};
}

static void describe_boundary(struct lowerer *l, struct program *program)
{
    const struct func *func = l->module->entry;
    const struct block *body = func->body;
    program->parameter_count = body->argument_count;
    program->result_count = body->last->operand_count;
    program->parameters = ARENA_ARRAY(l->arena, struct program_value, program->parameter_count + 1);
    program->results = ARENA_ARRAY(l->arena, struct program_value, program->result_count + 1);
    for (int i = 0; i < program->parameter_count; i++)
        program->parameters[i] = value_of(l->arena, ir_argument_type(func, i),
                                          func->argument_infos ? &func->argument_infos[i] : NULL);
    for (int i = 0; i < program->result_count; i++) {
        program->results[i] = value_of(l->arena, func->result_types[i],
                                       func->result_infos ? &func->result_infos[i] : NULL);
        int alias = program->results[i].alias = l->plan->result_alias[i];
        if (alias >= 0)
            program->parameters[alias].alias = i;
    }
}

static void estimate(struct lowerer *l, struct program *program)
{
    const struct block *body = l->module->entry->body;
    for (const struct op *op = body->first; op; op = op->next)
        if (op->code != OP_copy || moves(l, op))
            cost_analyse(op, &program->analysis);
    program->cost = whole(cost_of_block(body));
    if (!cost_is_bounded(body) && program->cost < PROGRAM_UNBOUNDED)
        program->cost = PROGRAM_UNBOUNDED;
}

struct error *lower_module(struct module *module, const struct target *target,
                           const struct buffer_plan *plan, struct lowered *out)
{
    struct lowerer l = {.module = module,
                        .arena = module->arena,
                        .target = target,
                        .plan = plan,
                        .known_kernels = map_create(module->arena),
                        .known_channels = map_create(module->arena)};
    struct program *program = &out->program;
    *out = (struct lowered){.request = {.target = target}};
    program->name = arena_format(l.arena, "%s", module->name ? module->name : "module");
    program->allocation_count = plan->allocation_count;
    program->allocations = plan->allocations;
    program->constants = *plan->constants;
    out->constants = plan->constants;
    program->constants_size = plan->constants_size;
    program->temp_size = plan->temp_size;
    program->table_count = (int)plan->tables.count;
    program->tables = plan->tables.items;
    program->tables_size = plan->tables_size;
    describe_boundary(&l, program);
    estimate(&l, program);
    TRY(lower_block(&l, module->entry->body, &program->steps));
    program->plan_count = l.plan_count;
    if (l.channels.count)
        qsort(l.channels.items, l.channels.count, sizeof *l.channels.items, compare_channels);
    program->channel_count = (int)l.channels.count;
    program->channels = l.channels.items;
    program->kernel_count = (int)l.kernels.count;
    program->kernel_names = ARENA_ARRAY(l.arena, char *, l.kernels.count + 1);
    for (size_t i = 0; i < l.kernels.count; i++)
        program->kernel_names[i] = arena_format(l.arena, "%s", l.kernels.items[i].name);
    out->request.kernel_count = (int)l.kernels.count;
    out->request.kernels = l.kernels.items;
    return NULL;
}

static void cut_list(struct lowered *lowered, const struct target *target, struct step_list *list);

static void cut_step(struct lowered *lowered, const struct target *target, struct step *step)
{
    if (step->kind == STEP_WHILE) {
        cut_list(lowered, target, &step->loop.condition);
        cut_list(lowered, target, &step->loop.body);
    } else if (step->kind == STEP_CASE) {
        for (int i = 0; i < step->branch.count; i++)
            cut_list(lowered, target, &step->branch.branches[i]);
    }
    if (step->kind != STEP_KERNEL)
        return;
    int64_t work = lowered->request.kernels[step->kernel.index].work, chunks = 1;
    if (step->cost >= target->parallel_cost && target->cores > 1) {
        int64_t most = (int64_t)target->cores * CHUNKS_PER_THREAD;
        chunks = 2 * step->cost / (target->parallel_cost > 0 ? target->parallel_cost : 1);
        chunks = chunks > most ? most : chunks;
    }
    step->kernel.work = work;
    step->kernel.grain = chunks > 1 ? (work + chunks - 1) / chunks : work;
}

static void cut_list(struct lowered *lowered, const struct target *target, struct step_list *list)
{
    for (int i = 0; i < list->count; i++)
        cut_step(lowered, target, &list->steps[i]);
}

void lower_cut(struct lowered *lowered, const struct target *target)
{
    cut_list(lowered, target, &lowered->program.steps);
}
