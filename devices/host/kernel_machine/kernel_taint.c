#include "devices/host/kernel_machine/kernel_taint.h"

#include <string.h>

#include "devices/host/kernel_machine/kernel_matrix.h"
#include "devices/host/kernel_machine/kernel_move.h"
#include "devices/host/kernel_machine/kernel_reduce.h"
#include "devices/host/kernel_machine/kernel_shape.h"
#include "devices/host/kernel_machine/kernel_steps.h"

void kernel_taint_begin(struct arena *arena, const struct kernel_machine *machine,
                        struct kernel_taints *out)
{
    *out = (struct kernel_taints){
        .arena = arena,
        .at = ARENA_ARRAY(arena, struct kernel_taint, machine->main.frame_bytes / 64 + 1),
        .constant_bytes = machine->main.constant_bytes};
}

const struct kernel_taint *kernel_taint_get(const struct kernel_taints *taints, size_t offset)
{
    if (offset == KERNEL_NO_OFFSET || offset < taints->constant_bytes)
        return NULL;
    const struct kernel_taint *taint = &taints->at[offset / 64];
    return taint->count > 0 ? taint : NULL;
}

struct kernel_taint *kernel_taint_set(struct kernel_taints *taints, size_t offset, int64_t count,
                                      const struct kernel_origin *origin)
{
    struct kernel_taint *taint = &taints->at[offset / 64];
    if (taint->capacity < count) {
        taint->states = arena_alloc(taints->arena, (size_t)count);
        taint->capacity = count;
    }
    taint->count = count;
    taint->origin = *origin;
    return taint;
}

void kernel_taint_clear(struct kernel_taints *taints, size_t offset)
{
    if (offset != KERNEL_NO_OFFSET && offset >= taints->constant_bytes)
        taints->at[offset / 64].count = 0;
}

void kernel_taint_poison(struct kernel_taints *taints, size_t offset)
{
    struct kernel_taint *taint = &taints->at[offset / 64];
    for (int64_t i = 0; i < taint->count; i++)
        if (taint->states[i] == KERNEL_UNDEFINED)
            taint->states[i] = KERNEL_POISONED;
}

/* ---- operands -------------------------------------------------------------------------------- */
static const struct kernel_taint *operand(const struct kernel_taints *taints,
                                          const struct kernel_instr *in, int i)
{
    return in->all && i < in->op->operand_count ? kernel_taint_get(taints, in->all[i]) : NULL;
}

static const struct kernel_taint *any_operand(const struct kernel_taints *taints,
                                              const struct kernel_instr *in)
{
    const struct kernel_taint *found = NULL;
    for (int i = 0; in->all && i < in->op->operand_count && !found; i++)
        found = kernel_taint_get(taints, in->all[i]);
    return found;
}

static uint8_t state_of(const struct kernel_taint *taint, int64_t i)
{
    return !taint ? KERNEL_DEFINED : taint->states[taint->count == 1 ? 0 : i];
}

/* Zeroed; until the next call. */
static uint8_t *scratch(struct kernel_taints *taints, size_t bytes)
{
    if (taints->scratch_capacity < bytes) {
        taints->scratch = arena_alloc(taints->arena, bytes);
        taints->scratch_capacity = bytes;
    }
    return memset(taints->scratch, 0, bytes);
}

/* ---- elements -------------------------------------------------------------------------------- */
static void step_select(struct kernel_taints *taints, struct kernel_core *core,
                        const struct kernel_instr *in, const struct kernel_origin *origin)
{
    const struct kernel_taint *choice = operand(taints, in, 0), *a = operand(taints, in, 1);
    const struct kernel_taint *b = operand(taints, in, 2);
    const uint8_t *chosen = kernel_at(core, in->in[0]);
    int64_t count = in->op->results[0].type->elements;
    bool is_scalar = in->op->operands[0]->type->kind == KERNEL_SCALAR;
    struct kernel_taint *out = kernel_taint_set(taints, in->out, count, origin);
    for (int64_t i = 0; i < count; i++)
        out->states[i] = state_of(choice, i) != KERNEL_DEFINED
                             ? KERNEL_POISONED
                             : state_of(chosen[is_scalar ? 0 : i] ? a : b, i);
}

static void step_elementwise(struct kernel_taints *taints, const struct kernel_instr *in,
                             const struct kernel_origin *origin)
{
    struct kernel_taint *out = kernel_taint_set(taints, in->out, in->count, origin);
    memset(out->states, KERNEL_DEFINED, (size_t)in->count);
    for (int k = 0; k < in->op->operand_count; k++) {
        const struct kernel_taint *taint = operand(taints, in, k);
        for (int64_t i = 0; taint && i < in->count; i++)
            if (state_of(taint, i) != KERNEL_DEFINED)
                out->states[i] = KERNEL_POISONED;
    }
}

/* `false and x` and `true or x` are defined whatever x is. */
static void step_logic(struct kernel_taints *taints, struct kernel_core *core,
                       const struct kernel_instr *in, const struct kernel_origin *origin)
{
    const uint8_t *a = kernel_at(core, in->in[0]), *b = kernel_at(core, in->in[1]);
    const struct kernel_taint *of_a = operand(taints, in, 0), *of_b = operand(taints, in, 1);
    uint8_t decides = in->op->code == KERNEL_ORI;
    struct kernel_taint *out = kernel_taint_set(taints, in->out, in->count, origin);
    for (int64_t i = 0; i < in->count; i++) {
        bool knows_a = state_of(of_a, i) == KERNEL_DEFINED;
        bool knows_b = state_of(of_b, i) == KERNEL_DEFINED;
        bool is_defined = (knows_a && (knows_b || a[i] == decides)) || (knows_b && b[i] == decides);
        out->states[i] = is_defined ? KERNEL_DEFINED : KERNEL_POISONED;
    }
}

static bool is_logic(const struct kernel_instr *in)
{
    bool has_own_place = in->out != in->in[0] && in->out != in->in[1];
    return (in->op->code == KERNEL_ANDI || in->op->code == KERNEL_ORI) && has_own_place &&
           in->op->results[0].type->dtype == DTYPE_PRED;
}

static void step_moves(struct kernel_taints *taints, const struct kernel_instr *in,
                       const struct kernel_origin *origin)
{
    const struct kernel_move *moves = in->plan;
    struct kernel_taint *out = kernel_taint_set(taints, in->out, in->count, origin);
    memset(out->states, KERNEL_DEFINED, (size_t)in->count);
    for (int i = 0; i < in->plan_count; i++) {
        const struct kernel_taint *taint = operand(taints, in, moves[i].operand);
        if (taint)
            kernel_move_run(&moves[i], (const char *)taint->states, (char *)out->states, 1);
    }
}

/* Rotations, gathers and bitcasts; false: another operation. Operands that say how: poison all. */
static bool step_shape(struct kernel_taints *taints, struct kernel_core *core,
                       const struct kernel_instr *in, const struct kernel_origin *origin)
{
    const struct kernel_taint *from = operand(taints, in, 0);
    if (!from || from->count != in->op->operands[0]->type->elements || operand(taints, in, 1))
        return false;
    uint8_t *states = scratch(taints, (size_t)from->count);
    memcpy(states, from->states, (size_t)from->count); /* whose place may be the result's, too */
    struct kernel_taint *out = kernel_taint_set(taints, in->out, in->count, origin);
    return kernel_shape_move_states(core, in, states, out->states);
}

/* Whatever the operation does with its operands: all of the result. */
static void step_all(struct kernel_taints *taints, const struct kernel_instr *in, int64_t count,
                     const struct kernel_origin *origin)
{
    struct kernel_taint *out = kernel_taint_set(taints, in->out, count, origin);
    memset(out->states, KERNEL_POISONED, (size_t)count);
}

static void step_extract(struct kernel_taints *taints, struct kernel_core *core,
                         const struct kernel_instr *in, const struct kernel_origin *origin)
{
    const struct kernel_taint *from = operand(taints, in, 0);
    int64_t at;
    struct error *error = kernel_shape_position(core, in, &at);
    struct kernel_taint *out = kernel_taint_set(taints, in->out, in->count, origin);
    for (int64_t i = 0; i < in->count; i++)
        out->states[i] = error || !from ? KERNEL_POISONED : state_of(from, at + i);
    error_free(error); /* the instruction has reported it */
}

static void poison(const struct kernel_taint *taint, struct kernel_taint *out)
{
    for (int64_t i = 0; taint && i < out->count; i++)
        if (state_of(taint, i) != KERNEL_DEFINED)
            out->states[i] = KERNEL_POISONED;
}

static void step_reduction(struct kernel_taints *taints, const struct kernel_instr *in,
                           const struct kernel_origin *origin)
{
    const struct kernel_taint *from = operand(taints, in, 0);
    int64_t count = in->op->results[0].type->elements;
    size_t elements = (size_t)in->op->operands[0]->type->elements;
    struct kernel_taint *out = kernel_taint_set(taints, in->out, count, origin);
    memset(out->states, KERNEL_DEFINED, (size_t)count);
    if (from)
        kernel_reduce_taint(in, from->states, out->states, scratch(taints, elements));
    poison(operand(taints, in, 1), out);
}

static void step_matrix(struct kernel_taints *taints, const struct kernel_instr *in,
                        const struct kernel_origin *origin)
{
    const struct kernel_taint *lhs = operand(taints, in, 0), *rhs = operand(taints, in, 1);
    int64_t count = in->op->results[0].type->elements;
    struct kernel_taint *out = kernel_taint_set(taints, in->out, count, origin);
    kernel_matrix_taint(in, lhs ? lhs->states : NULL, rhs ? rhs->states : NULL, out->states,
                        scratch(taints, kernel_matrix_taint_bytes(in)));
    poison(operand(taints, in, 2), out);
}

/* A result none of whose elements is undefined has no taint. */
static void drop_if_defined(struct kernel_taints *taints, size_t offset)
{
    const struct kernel_taint *taint = kernel_taint_get(taints, offset);
    bool any = false;
    for (int64_t i = 0; taint && i < taint->count && !any; i++)
        any = taint->states[i] != KERNEL_DEFINED;
    if (taint && !any)
        kernel_taint_clear(taints, offset);
}

static void step_result(struct kernel_taints *taints, struct kernel_core *core,
                        const struct kernel_instr *in, const struct kernel_origin *origin)
{
    enum kernel_class class = kernel_op_info(in->op->code)->class;
    if (in->op->code == KERNEL_SELECT)
        step_select(taints, core, in, origin);
    else if (is_logic(in))
        step_logic(taints, core, in, origin);
    else if (class == KERNEL_CLASS_ELEMENTWISE)
        step_elementwise(taints, in, origin);
    else if (kernel_shape_is_moves(in))
        step_moves(taints, in, origin);
    else if (in->op->code == KERNEL_EXTRACT)
        step_extract(taints, core, in, origin);
    else if (in->op->code == KERNEL_MULTI_REDUCTION || in->op->code == KERNEL_REDUCE_INDEX)
        step_reduction(taints, in, origin);
    else if (class == KERNEL_CLASS_MATRIX)
        step_matrix(taints, in, origin);
    else if (!step_shape(taints, core, in, origin))
        step_all(taints, in, in->op->results[0].type->elements, origin);
    drop_if_defined(taints, in->out);
}

/* ---- copies between places ------------------------------------------------------------------- */
static struct kernel_taint *spares(struct kernel_taints *taints, int count)
{
    if (taints->spare_count < count) {
        taints->spare = ARENA_ARRAY(taints->arena, struct kernel_taint, (size_t)count);
        taints->spare_count = count;
    }
    return taints->spare;
}

static void keep(struct kernel_taints *taints, const struct kernel_taint *from,
                 struct kernel_taint *out)
{
    out->count = from ? from->count : 0;
    if (!from)
        return;
    if (out->capacity < from->count) {
        out->states = arena_alloc(taints->arena, (size_t)from->count);
        out->capacity = from->count;
    }
    out->origin = from->origin;
    memcpy(out->states, from->states, (size_t)from->count);
}

static void step_copies(struct kernel_taints *taints, const struct kernel_instr *in)
{
    const struct kernel_copy *copies = in->plan;
    bool any = false;
    for (int i = 0; i < in->plan_count; i++)
        any |= kernel_taint_get(taints, copies[i].from) || kernel_taint_get(taints, copies[i].to);
    if (!any)
        return;
    struct kernel_taint *before = spares(taints, in->plan_count);
    for (int i = 0; i < in->plan_count; i++)
        keep(taints, kernel_taint_get(taints, copies[i].from), &before[i]);
    for (int i = 0; i < in->plan_count; i++) {
        kernel_taint_clear(taints, copies[i].to);
        if (before[i].count > 0) {
            struct kernel_taint *to =
                kernel_taint_set(taints, copies[i].to, before[i].count, &before[i].origin);
            memcpy(to->states, before[i].states, (size_t)before[i].count);
        }
    }
}

/* How many of the first operands say what is done, not what it is done with. */
static int deciding(const struct kernel_instr *in)
{
    switch (kernel_op_info(in->op->code)->class) {
    case KERNEL_CLASS_VIEW:
    case KERNEL_CLASS_DMA:
    case KERNEL_CLASS_SEMAPHORE: return in->op->operand_count;
    case KERNEL_CLASS_CONTROL: return in->op->code == KERNEL_FOR ? 3 : 1;
    default: return 0;
    }
}

/* Results beside the first one: all of them or nothing. */
static void step_others(struct kernel_taints *taints, const struct kernel_core *core,
                        const struct kernel_instr *in, const struct kernel_origin *origin)
{
    const struct kernel_listing *listing = &core->run->machine->main;
    for (int i = 1; i < in->op->result_count; i++) {
        int64_t count = in->op->results[i].type->elements;
        size_t offset = listing->offsets[in->op->results[i].id];
        if (origin)
            memset(kernel_taint_set(taints, offset, count, origin)->states, KERNEL_POISONED,
                   (size_t)count);
        else
            kernel_taint_clear(taints, offset);
    }
}

const struct kernel_taint *kernel_taint_step(struct kernel_taints *taints, struct kernel_core *core,
                                             const struct kernel_instr *in)
{
    enum kernel_class class = kernel_op_info(in->op->code)->class;
    if (in->run == kernel_steps_copy) {
        step_copies(taints, in);
        return NULL;
    }
    if (class == KERNEL_CLASS_LOAD || class == KERNEL_CLASS_STORE)
        return NULL; /* kernel_check.h */
    for (int i = 0; i < deciding(in); i++)
        if (operand(taints, in, i))
            return operand(taints, in, i);
    const struct kernel_taint *taint = any_operand(taints, in);
    if (in->op->result_count == 0 || in->out == KERNEL_NO_OFFSET || class == KERNEL_CLASS_CONTROL)
        return NULL;
    if (!taint) {
        kernel_taint_clear(taints, in->out);
        step_others(taints, core, in, NULL);
        return NULL;
    }
    struct kernel_origin origin = taint->origin;
    step_result(taints, core, in, &origin);
    step_others(taints, core, in, &origin);
    return NULL;
}
