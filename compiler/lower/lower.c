/* lower.c: see lower.h. Walks the operations of the entry function and lowers each to a step. */
#include "compiler/lower/lower.h"

#include "base/alloc.h"
#include "compiler/schedule/cost.h"
#include "compiler/analysis/cost_analysis.h"
#include "compiler/analysis/loop_stack.h"
#include "compiler/analysis/memory_copy.h"
#include "compiler/analysis/trip_count.h"
#include "compiler/lower/execution_time.h"
#include "compiler/lower/kernel_merge.h"
#include "compiler/lower/lower_attention.h"
#include "compiler/lower/lower_attention_backward.h"
#include "compiler/lower/lower_boundary.h"
#include "compiler/lower/lower_buffers.h"
#include "compiler/lower/lower_call.h"
#include "compiler/lower/lower_collective.h"
#include "compiler/lower/lower_kernel.h"
#include "compiler/lower/lower_library.h"
#include "compiler/lower/lower_memory_copy.h"
#include "compiler/lower/lower_step.h"
#include "compiler/lower/lower_thin_dot.h"
#include "compiler/lower/lower_transfer.h"
#include "compiler/plan/mosaic_call.h"

static bool has_step(const struct lowerer *l, const struct op *op)
{
    if (loop_stack_is_unread(op))
        return false;
    switch (op->code) {
    case OP_constant:
    case OP_reshape:
    case OP_return:
    case OP_after_all:
    case OP_create_token: return false;
    case OP_copy: return lower_step_copies(l->plan, op);
    case OP_copy_done: return map_get_pointer(l->copies, op->operands[0]);
    default: return true;
    }
}

/* ---- control flow and calls ------------------------------------------------------------------ */
static struct error *lower_block(struct lowerer *l, struct block *block, struct step_list *out);

/* A step whose only slice is the value that decides the control flow. */
static struct step lower_decision(struct lowerer *l, enum step_kind kind, const struct op *op,
                                  const struct value *value)
{
    struct step step = lower_step(l, kind, op_info(op->code)->name, op);
    step.slices = ARENA_ARRAY(l->arena, struct slice, 1);
    lower_step_add_slice(&step, buffer_plan_slice(l->plan, value));
    step.operand_count = 1;
    return step;
}

static struct error *lower_while(struct lowerer *l, struct op *op, struct step *out)
{
    *out = lower_decision(l, STEP_WHILE, op, op->regions[0]->last->operands[0]);
    out->loop.trip_count = trip_count_after_copies(op);
    TRY(lower_block(l, op->regions[0], &out->loop.condition));
    double outside = l->executions, trips = (double)out->loop.trip_count;
    l->executions *= trips < 0 ? PROGRAM_UNKNOWN_TRIP_COUNT : trips;
    struct error *error = lower_block(l, op->regions[1], &out->loop.body);
    l->executions = outside;
    return error;
}

static struct error *lower_case(struct lowerer *l, struct op *op, struct step *out)
{
    *out = lower_decision(l, STEP_CASE, op, op->operands[0]);
    out->branch.is_predicate = op->code == OP_if;
    out->branch.count = op->region_count;
    out->branch.branches = ARENA_ARRAY(l->arena, struct step_list, op->region_count);
    for (int i = 0; i < op->region_count; i++)
        TRY(lower_block(l, op->regions[i], &out->branch.branches[i]));
    return NULL;
}

static struct error *lower_custom_call(struct lowerer *l, const struct op *op, struct step *out)
{
    *out = lower_step(l, STEP_CUSTOM_CALL, "custom_call", op);
    lower_step_add_values(l, out, op);
    struct error *error = lower_call_spec(l->arena, op, &out->call);
    if (error)
        return error_prefix(error, "%s", ir_where(l->arena, op));
    const struct mosaic_call *mosaic = mosaic_call_find(l->module, op);
    if (mosaic && mosaic->meets)
        lower_collective_meet(l, &out->call);
    out->plan = l->plan_count++;
    return NULL;
}

/* ---- the walk -------------------------------------------------------------------------------- */
static struct step lower_copy(const struct lowerer *l, const struct op *op)
{
    struct step step = lower_step(l, STEP_COPY, "copy", op);
    lower_step_add_values(l, &step, op);
    return step;
}

static struct error *lower_op(struct lowerer *l, struct op *op, struct step *out);

/* The step of the last operation of a FUSION_SLICED, which reads slices of its operands. */
static struct error *lower_sliced(struct lowerer *l, struct op *fusion, struct step *out)
{
    l->sliced = fusion;
    l->offsets.count = 0;
    TRY(lower_op(l, fusion->regions[0]->last->previous, out));
    l->sliced = NULL;
    out->offset_count = (int)l->offsets.count;
    out->offsets = ARENA_ARRAY(l->arena, struct slice_offset, l->offsets.count + 1);
    for (size_t i = 0; i < l->offsets.count; i++)
        out->offsets[i] = l->offsets.items[i];
    return NULL;
}

static struct error *lower_fusion(struct lowerer *l, struct op *op, struct step *out)
{
    if (op->attrs.fusion.fusion_kind == FUSION_SLICED)
        return lower_sliced(l, op, out);
    if (op->attrs.fusion.fusion_kind == FUSION_DOT)
        return lower_library_dot(l, op, out);
    if (op->attrs.fusion.fusion_kind == FUSION_ATTENTION)
        return lower_attention(l, op, out);
    if (op->attrs.fusion.fusion_kind == FUSION_ATTENTION_BACKWARD)
        return lower_attention_backward(l, op, out);
    if (op->attrs.fusion.fusion_kind == FUSION_THIN_DOT)
        return lower_thin_dot(l, op, out);
    *out = lower_kernel(l, op);
    return NULL;
}

static struct error *lower_op(struct lowerer *l, struct op *op, struct step *out)
{
    if (memory_copy_is(op)) {
        *out = lower_memory_copy_start(l, op);
        return NULL;
    }
    switch (op->code) {
    case OP_fusion: return lower_fusion(l, op, out);
    case OP_dot_general: return lower_library_dot(l, op, out);
    case OP_convolution: *out = lower_library_convolution(l, op); return NULL;
    case OP_copy: *out = lower_copy(l, op); return NULL;
    case OP_copy_done: *out = lower_memory_copy_done(l, op); return NULL;
    case OP_while: return lower_while(l, op, out);
    case OP_case:
    case OP_if: return lower_case(l, op, out);
    case OP_custom_call: return lower_custom_call(l, op, out);
    case OP_send:
    case OP_recv:
        return op->attrs.channel.is_host_transfer ? lower_transfer(l, op, out)
                                                  : lower_collective(l, op, out);
    case OP_partition_id:
    case OP_replica_id:
    case OP_all_gather:
    case OP_all_reduce:
    case OP_all_to_all:
    case OP_collective_broadcast:
    case OP_collective_permute:
    case OP_cross_replica_sum:
    case OP_reduce_scatter: return lower_collective(l, op, out);
    case OP_infeed:
    case OP_outfeed:
        return ERROR(
            UNIMPLEMENTED,
            "%s is unsupported: the PJRT C API has no feeds; use send and recv to transfer "
            "data with the host",
            ir_where(l->arena, op));
    default:
        return ERROR(UNIMPLEMENTED, "%s is unsupported on %s", ir_where(l->arena, op),
                     l->target->name);
    }
}

/* Steps are large: their list is not to grow by doubling. */
static size_t expected_steps(const struct lowerer *l, const struct block *block)
{
    size_t count = 0;
    for (const struct op *op = block->first; op; op = op->next)
        count += has_step(l, op);
    return count;
}

static struct error *lower_block(struct lowerer *l, struct block *block, struct step_list *out)
{
    VEC(struct step) steps = {.capacity = expected_steps(l, block)};
    steps.items = ARENA_ARRAY(l->arena, struct step, steps.capacity);
    lower_buffers_position(l);
    for (struct op *op = block->first; op; op = op->next) {
        struct step step;
        lower_buffers_position(l);
        if (!has_step(l, op))
            continue;
        l->step_count++;
        TRY(lower_op(l, op, &step));
        VEC_PUSH(l->arena, &steps, step);
        if (step.kind == STEP_COPY_START && !memory_copy_done(op)) {
            l->step_count++;
            VEC_PUSH(l->arena, &steps, lower_memory_copy_done(l, op));
        }
        if (op_info(op->code)->traits & OP_CONTROL)
            lower_buffers_position(l);
    }
    out->count = (int)steps.count;
    out->steps = steps.items;
    return NULL;
}

/* ---- the program ----------------------------------------------------------------------------- */
static int find_constants(const struct buffer_plan *plan)
{
    int i = 0;
    while (plan->allocations[i].kind != ALLOCATION_CONSTANTS)
        i++;
    return i;
}

/* After all steps are lowered, which add constants. */
static struct error *describe_memory(const struct lowerer *l, struct lowered *out)
{
    const struct buffer_plan *plan = l->plan;
    struct program *program = &out->program;
    TRY(buffer_constants_bytes(plan->constants, out->constants, &program->constants_size));
    program->constants = *out->constants;
    plan->allocations[l->constants].size = program->constants_size;
    program->allocation_count = plan->allocation_count;
    program->allocations = plan->allocations;
    return NULL;
}

/* Whether all loops of unknown trip count are steps or in a FUSION_REGION, so that they subtract
 * the cost of their iterations from kernel_limits.budget. */
static bool counts_iterations(const struct block *block)
{
    for (const struct op *op = block->first; op; op = op->next) {
        bool is_flow = op_info(op->code)->traits & OP_CONTROL ||
                       (op->code == OP_fusion && op->attrs.fusion.fusion_kind == FUSION_REGION);
        for (int i = 0; i < op->region_count; i++)
            if (!(is_flow ? counts_iterations : trip_count_is_known_in)(op->regions[i]))
                return false;
    }
    return true;
}

/* Whether the copy, outside of fusions or in a FUSION_REGION, has the same memory on both sides. */
static bool shares_memory(const void *context, const struct op *copy)
{
    const struct buffer_plan *plan = context;
    for (const struct op *at = copy->block->owner; at; at = at->block->owner) {
        if (at->code == OP_fusion && at->attrs.fusion.fusion_kind != FUSION_REGION)
            return false;
        if (at->code == OP_fusion)
            plan = map_get_pointer(plan->regions, at);
    }
    return plan && buffer_plan_slice(plan, copy->operands[0]) && /* no constant of a region */
           !lower_step_copies(plan, copy);
}

static void estimate(const struct lowerer *l, struct program *program)
{
    const struct block *body = l->module->entry->body;
    for (const struct op *op = body->first; op; op = op->next)
        if (op->code != OP_copy || lower_step_copies(l->plan, op))
            cost_analysis_add(op, &program->analysis);
    program->seconds = execution_time(l, body);
    program->cost = lower_step_cost(cost_of_block_but(body, shares_memory, l->plan));
    program->expected_cost = program->cost;
    if (!trip_count_is_known_in(body) && program->cost < PROGRAM_UNBOUNDED)
        program->cost = PROGRAM_UNBOUNDED;
    if (!counts_iterations(body))
        program->expected_cost = program->cost;
}

struct error *lower_module(struct module *module, const struct target *target,
                           const struct buffer_plan *plan, struct lowered *out)
{
    struct lowerer l = {.module = module,
                        .arena = module->arena,
                        .scratch = arena_scratch(module->arena),
                        .target = target,
                        .plan = plan,
                        .executions = 1,
                        .copies = map_create(module->arena),
                        .constants = find_constants(plan),
                        .kernel_numbers = map_create(module->arena),
                        .known_channels = map_create(module->arena),
                        .known_groups = map_create(module->arena),
                        .known_lanes = map_create(module->arena)};
    struct program *program = &out->program;
    *out = (struct lowered){.request = {.target = target}};
    program->name = arena_format(l.arena, "%s", module->name ? module->name : "module");
    out->constants = arena_keep(l.arena, alloc_free);
    lower_boundary(&l, program);
    estimate(&l, program);
    kernel_merge_find(&l);
    TRY(lower_block(&l, module->entry->body, &program->steps));
    TRY(describe_memory(&l, out));
    program->plan_count = l.plan_count;
    program->copy_count = l.copy_count;
    TRY(lower_buffers(&l, program));
    lower_transfer_finish(&l, program);
    TRY(lower_collective_finish(&l, program));
    lower_kernel_finish(&l, program, &out->request);
    return NULL;
}
