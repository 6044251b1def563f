/* region_kernel.c: FUSION_REGION: emits a region as one function. Its fusions are internal
 * functions of the module, called with addresses from the region's buffer plan; while, case and if
 * become branches around the calls. Small slices (counters, sums) are stack slots: at tier 2
 * everything is inlined, and they become registers. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "compiler/schedule/cost.h"
#include "compiler/analysis/trip_count.h"
#include "compiler/codegen/kernels/kinds.h"

enum {
    MAX_DEPTH = 64,
    MAX_BUFFERS = 2048,
    LOCAL_BYTES = 16,
    LARGE_COPY = 4096 /* bytes from which a copy is worth a comparison of its addresses */
};

struct region {
    struct kernel *k;
    struct emitter *e;
    const struct buffer_plan *plan;
    LLVMValueRef *bases;     /* addresses of the plan's allocations, loaded at entry */
    LLVMValueRef limits;     /* address of the execution's struct kernel_limits */
    LLVMValueRef call_slots; /* array with the buffer addresses of the current call */
    struct map *constants;   /* constant operation -> address */
    struct map *locals;      /* small slice -> its stack slot */
    int calls, depth;
};

static struct error *emit_block(struct region *r, const struct block *block);

/* ---- addresses ------------------------------------------------------------------------------- */
static LLVMValueRef local_of(struct region *r, const struct slice *slice)
{
    uint64_t key[] = {(uint64_t)slice->allocation, slice->offset, slice->size};
    LLVMValueRef slot = map_get(r->locals, key, sizeof key);
    if (slot)
        return slot;
    slot = emitter_alloca(r->e, LLVMArrayType2(r->e->i8, slice->size), LOCAL_BYTES);
    map_put(r->locals, key, sizeof key, slot);
    return slot;
}

static bool is_local(const struct slice *slice)
{
    return slice->size > 0 && slice->size <= LOCAL_BYTES;
}

/* Copies small operands or results between their stack slots and memory. */
static void move_locals(struct region *r, int count, struct value *const *values, bool out)
{
    struct emitter *e = r->e;
    for (int i = 0; i < count; i++) {
        const struct slice *slice =
            values[i]->type->kind == TYPE_TENSOR ? buffer_plan_slice(r->plan, values[i]) : NULL;
        if (!slice || !is_local(slice))
            continue;
        LLVMValueRef slot = local_of(r, slice), memory = r->bases[slice->allocation];
        LLVMBuildMemCpy(e->builder, out ? memory : slot, 1, out ? slot : memory, 1,
                        emitter_i64(e, (int64_t)slice->size));
    }
}

static struct error *address_of(struct region *r, const struct value *value, LLVMValueRef *address)
{
    struct emitter *e = r->e;
    if (value->def && value->def->code == OP_reshape)
        return address_of(r, value->def->operands[0], address);
    if (value->def && value->def->code == OP_constant) {
        *address = map_get_pointer(r->constants, value->def);
        return NULL;
    }
    const struct slice *slice = buffer_plan_slice(r->plan, value);
    if (!slice || slice->allocation < 0 || slice->allocation >= r->plan->allocation_count)
        return ERROR(INTERNAL, "%s: a value inside of it has no memory",
                     ir_where(e->arena, r->k->fusion));
    if (is_local(slice)) {
        *address = local_of(r, slice);
        return NULL;
    }
    LLVMValueRef offset = emitter_i64(e, (int64_t)slice->offset),
                 base = r->bases[slice->allocation];
    *address = slice->offset ? emitter_at(e, e->i8, base, offset) : base;
    return NULL;
}

static void set_call_slot(struct region *r, int i, LLVMValueRef address)
{
    struct emitter *e = r->e;
    LLVMBuildStore(e->builder, address,
                   emitter_at(e, e->pointer, r->call_slots, emitter_i64(e, i)));
}

static struct error *fill_call_slots(struct region *r, const struct op *fusion)
{
    struct emitter *e = r->e;
    int count = fusion->operand_count + fusion->result_count;
    const struct slice *scratch = buffer_plan_scratch(r->plan, fusion);
    if (count + 2 > MAX_BUFFERS)
        return emitter_unimplemented(e, fusion, "so many operands");
    r->call_slots = emitter_alloca(e, LLVMArrayType2(e->pointer, (uint64_t)count + 2), 16);
    for (int i = 0; i < count; i++) {
        const struct value *value = i < fusion->operand_count
                                        ? fusion->operands[i]
                                        : &fusion->results[i - fusion->operand_count];
        LLVMValueRef address = LLVMConstNull(e->pointer);
        if (value->type->kind == TYPE_TENSOR)
            TRY(address_of(r, value, &address));
        set_call_slot(r, i, address);
    }
    if (scratch) {
        LLVMValueRef offset = emitter_i64(e, (int64_t)scratch->offset),
                     base = r->bases[scratch->allocation];
        set_call_slot(r, count, emitter_at(e, e->i8, base, offset));
    }
    if (fusion->attrs.fusion.fusion_kind == FUSION_REGION)
        set_call_slot(r, count + (scratch != NULL), r->limits);
    return NULL;
}

static struct error *emit_call(struct region *r, const struct op *fusion)
{
    struct emitter *e = r->e;
    struct codegen_kernel inner = {.fusion = fusion, .tier = r->k->request->tier};
    LLVMValueRef function;
    inner.name = arena_format(e->arena, "%s.%d", r->k->request->name, r->calls++);
    if (fusion->attrs.fusion.fusion_kind == FUSION_REGION)
        inner.buffers = map_get_pointer(r->plan->regions, fusion);
    TRY(kernel_emit(e->arena, r->k->dispatch, e->target, e->module, &inner, true, &function));
    TRY(fill_call_slots(r, fusion));
    LLVMValueRef arguments[] = {r->call_slots, emitter_i64(e, 0), emitter_i64(e, inner.work)};
    LLVMBuildCall2(e->builder, kernel_type(e->context), function, arguments, 3, "");
    return NULL;
}

/* Of a copy between different slices, which may be at the same address: an operand that the caller
 * has overwritten. */
static LLVMValueRef bytes_to_move(struct emitter *e, LLVMValueRef to, LLVMValueRef from,
                                  int64_t bytes)
{
    LLVMValueRef all = emitter_i64(e, bytes);
    if (bytes < LARGE_COPY)
        return all;
    LLVMValueRef same = LLVMBuildICmp(e->builder, LLVMIntEQ, to, from, "");
    return LLVMBuildSelect(e->builder, same, emitter_i64(e, 0), all, "");
}

static struct error *emit_copy(struct region *r, const struct op *op)
{
    struct emitter *e = r->e;
    LLVMValueRef from, to;
    int64_t bytes = type_bytes(op->results[0].type);
    TRY(address_of(r, op->operands[0], &from));
    TRY(address_of(r, &op->results[0], &to));
    const struct slice *a = op->operands[0]->def && op->operands[0]->def->code == OP_constant
                                ? NULL
                                : buffer_plan_slice(r->plan, op->operands[0]);
    const struct slice *b = buffer_plan_slice(r->plan, &op->results[0]);
    if (!bytes || (a && b && a->allocation == b->allocation && a->offset == b->offset))
        return NULL;
    if (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) {
        LLVMTypeRef type = LLVMIntTypeInContext(e->context, (unsigned)bytes * 8);
        LLVMBuildStore(e->builder, LLVMBuildLoad2(e->builder, type, from, ""), to);
    } else {
        LLVMBuildMemMove(e->builder, to, 1, from, 1, bytes_to_move(e, to, from, bytes));
    }
    return NULL;
}

static struct error *load_scalar(struct region *r, const struct value *value, LLVMTypeRef type,
                                 LLVMValueRef *out)
{
    LLVMValueRef address;
    TRY(address_of(r, value, &address));
    *out = LLVMBuildLoad2(r->e->builder, type, address, "");
    return NULL;
}

static void start_block(struct region *r, LLVMBasicBlockRef block)
{
    LLVMPositionBuilderAtEnd(r->e->builder, block);
}

/* Subtracts the cost of an iteration from the budget. Whether that was enough (i1). */
static LLVMValueRef emit_payment(struct region *r, const struct op *loop)
{
    struct emitter *e = r->e;
    LLVMValueRef at = emitter_i64(e, offsetof(struct kernel_limits, budget));
    LLVMValueRef address = emitter_at(e, e->i8, r->limits, at);
    LLVMValueRef cost = emitter_i64(e, (int64_t)fmin(cost_of_iteration(loop), 1e15));
    LLVMValueRef left = LLVMBuildLoad2(e->builder, e->i64, address, "");
    left = LLVMBuildSub(e->builder, left, cost, "");
    LLVMBuildStore(e->builder, left, address);
    return LLVMBuildICmp(e->builder, LLVMIntSGE, left, emitter_i64(e, 0), "");
}

/* Continues in a new block unless the execution has been asked to stop or has no budget left. */
static void emit_limits(struct region *r, const struct op *loop, LLVMBasicBlockRef exit)
{
    struct emitter *e = r->e;
    LLVMBasicBlockRef go_on = emitter_block(e);
    LLVMValueRef may_go_on =
        LLVMBuildAnd(e->builder, emit_payment(r, loop), emitter_goes_on(e, r->limits), "");
    LLVMBuildCondBr(e->builder, may_go_on, go_on, exit);
    start_block(r, go_on);
}

static bool may_be_unbounded(const struct op *loop)
{
    return !trip_count_is_known(loop) || cost_of_op(loop) >= (double)PROGRAM_UNBOUNDED;
}

static struct error *emit_while(struct region *r, const struct op *loop)
{
    struct emitter *e = r->e;
    LLVMBasicBlockRef head = emitter_block(e), body = emitter_block(e), exit = emitter_block(e);
    LLVMValueRef more;
    LLVMBuildBr(e->builder, head);
    start_block(r, head);
    TRY(emit_block(r, loop->regions[0]));
    TRY(load_scalar(r, loop->regions[0]->last->operands[0], e->i8, &more));
    more = LLVMBuildICmp(e->builder, LLVMIntNE, more, LLVMConstNull(e->i8), "");
    LLVMBuildCondBr(e->builder, more, body, exit);
    start_block(r, body);
    if (may_be_unbounded(loop))
        emit_limits(r, loop, exit);
    TRY(emit_block(r, loop->regions[1]));
    LLVMBuildBr(e->builder, head);
    start_block(r, exit);
    return NULL;
}

/* case: an out-of-range index selects the last branch. if: true selects the first. */
static struct error *emit_branches(struct region *r, const struct op *op)
{
    struct emitter *e = r->e;
    bool is_if = op->code == OP_if;
    LLVMBasicBlockRef exit = emitter_block(e), last = emitter_block(e);
    LLVMTypeRef type = is_if ? e->i8 : e->i32;
    LLVMValueRef index;
    int count = op->region_count;
    TRY(load_scalar(r, op->operands[0], type, &index));
    if (is_if) {
        index = LLVMBuildICmp(e->builder, LLVMIntEQ, index, LLVMConstNull(e->i8), "");
        index = LLVMBuildZExt(e->builder, index, e->i32, "");
    }
    LLVMValueRef choice = LLVMBuildSwitch(e->builder, index, last, (unsigned)count);
    for (int i = 0; i < count; i++) {
        LLVMBasicBlockRef block = i == count - 1 ? last : emitter_block(e);
        if (block != last)
            LLVMAddCase(choice, LLVMConstInt(e->i32, (unsigned)i, false), block);
        start_block(r, block);
        TRY(emit_block(r, op->regions[i]));
        LLVMBuildBr(e->builder, exit);
    }
    start_block(r, exit);
    return NULL;
}

static struct error *emit_step(struct region *r, const struct op *op)
{
    switch (op->code) {
    case OP_fusion: return emit_call(r, op);
    case OP_copy: return emit_copy(r, op);
    case OP_while: return emit_while(r, op);
    case OP_case:
    case OP_if: return emit_branches(r, op);
    case OP_constant:
    case OP_reshape:
    case OP_return:
    case OP_after_all:
    case OP_create_token: return NULL;
    default: return emitter_unimplemented(r->e, op, "this operation inside of a compiled loop");
    }
}

static struct error *emit_block(struct region *r, const struct block *block)
{
    if (++r->depth > MAX_DEPTH)
        return emitter_unimplemented(r->e, r->k->fusion, "control flow nested so deeply");
    for (const struct op *op = block->first; op; op = op->next)
        TRY(emit_step(r, op));
    r->depth--;
    return NULL;
}

/* Stores all constants of the region, including nested blocks, as bytes in the object. */
static void make_constants(struct region *r, const struct block *block)
{
    for (const struct op *op = block->first; op; op = op->next) {
        if (op->code == OP_constant) {
            const struct literal *literal = op->attrs.constant.value;
            size_t element = (size_t)dtype_bytes(literal->type->shape.dtype);
            int64_t count = type_elements(literal->type);
            char *bytes = arena_alloc(r->e->arena, (size_t)count * element);
            for (int64_t i = 0; i < count; i++)
                memcpy(bytes + (size_t)i * element, literal_at(literal, i), element);
            map_put_pointer(r->constants, op,
                            emitter_constant_bytes(r->e, bytes, count * (int64_t)element));
        }
        for (int i = 0; i < op->region_count && op->code != OP_fusion; i++)
            make_constants(r, op->regions[i]);
    }
}

static void move_arguments(struct region *r, const struct block *body)
{
    struct value **arguments =
        ARENA_ARRAY(r->e->arena, struct value *, (size_t)body->argument_count + 1);
    for (int i = 0; i < body->argument_count; i++)
        arguments[i] = &body->arguments[i];
    move_locals(r, body->argument_count, arguments, false);
}

struct error *region_kernel_emit(struct kernel *k)
{
    struct emitter *e = k->e;
    struct region r = {.k = k,
                       .e = e,
                       .plan = k->request->buffers,
                       .constants = map_create(e->arena),
                       .locals = map_create(e->arena)};
    if (!r.plan)
        return ERROR(INTERNAL, "%s: a region without a buffer plan", ir_where(e->arena, k->fusion));
    int count = r.plan->allocation_count;
    uint64_t scratch_size = buffer_plan_temp_size(r.plan, MEMORY_DEVICE);
    r.bases = ARENA_ARRAY(e->arena, LLVMValueRef, (size_t)count);
    for (int i = 0; i < count; i++) {
        bool scratch = i == k->fusion->operand_count + k->fusion->result_count;
        r.bases[i] = scratch && !scratch_size ? LLVMConstNull(e->pointer) : kernel_buffer(k, i);
    }
    r.limits = kernel_buffer(k, count - 1 + (scratch_size > 0));
    const struct block *body = k->fusion->regions[0];
    make_constants(&r, body);
    move_arguments(&r, body);
    TRY(emit_block(&r, body));
    move_locals(&r, body->last->operand_count, body->last->operands, true);
    k->request->work = 1;
    return NULL;
}
