/* emitter.c: scopes, loops, branches and shorthand for LLVM's C API. */
#include "compiler/codegen/emitter/emitter.h"

#include <string.h>

#include "compiler/codegen/link/jit.h"

enum { BUDGET = 60000 };

struct emitter *emitter_create(struct arena *arena, const struct target *target,
                               expression_emitter *const *expressions, LLVMModuleRef module,
                               LLVMValueRef function)
{
    struct emitter *e = ARENA_NEW(arena, struct emitter);
    struct scope *scope = ARENA_NEW(arena, struct scope);
    scope->memo = map_create(arena);
    e->arena = arena;
    e->target = target;
    e->expressions = expressions;
    e->buffers = map_create(arena);
    e->module = module;
    e->function = function;
    e->context = LLVMGetModuleContext(module);
    e->i1 = LLVMInt1TypeInContext(e->context);
    e->i8 = LLVMInt8TypeInContext(e->context);
    e->i16 = LLVMInt16TypeInContext(e->context);
    e->i32 = LLVMInt32TypeInContext(e->context);
    e->i64 = LLVMInt64TypeInContext(e->context);
    e->f16 = LLVMHalfTypeInContext(e->context);
    e->f32 = LLVMFloatTypeInContext(e->context);
    e->f64 = LLVMDoubleTypeInContext(e->context);
    e->pointer = LLVMPointerTypeInContext(e->context, 0);
    e->scope = scope;
    e->lanes = 1;
    e->lane_var = -1;
    e->rows.group_var = -1;
    e->budget = BUDGET;
    scope->block = LLVMAppendBasicBlockInContext(e->context, function, "");
    e->builder = jit_builder(arena, e->context);
    LLVMPositionBuilderAtEnd(e->builder, scope->block);
    return e;
}

struct scope *emitter_scope(struct emitter *e, int depth)
{
    struct scope *scope = e->scope;
    while (scope->depth > depth)
        scope = scope->parent;
    return scope;
}

struct scope *emitter_enter(struct emitter *e, struct scope *scope)
{
    struct scope *back = e->scope;
    if (scope == back)
        return back;
    back->block = LLVMGetInsertBlock(e->builder);
    e->scope = scope;
    LLVMPositionBuilderAtEnd(e->builder, scope->block);
    return back;
}

void emitter_leave(struct emitter *e, struct scope *back)
{
    if (e->scope == back)
        return;
    e->scope->block = LLVMGetInsertBlock(e->builder);
    e->scope = back;
    LLVMPositionBuilderAtEnd(e->builder, back->block);
}

void *emitter_memo_get(struct scope *scope, const void *key, size_t size)
{
    return map_get(scope->memo, key, size);
}

void emitter_memo_put(struct scope *scope, const void *key, size_t size, void *what)
{
    map_put(scope->memo, key, size, what);
}

int emitter_var(struct emitter *e, LLVMValueRef value, int lanes, int64_t min, int64_t max,
                int depth)
{
    struct index_var var = {.value = value, .lanes = lanes, .min = min, .max = max, .depth = depth};
    VEC_PUSH(e->arena, &e->vars, var);
    return (int)e->vars.count - 1;
}

struct lanes emitter_lanes(struct emitter *e, int lanes)
{
    struct lanes before = {e->lanes, e->lane_var, e->tail};
    e->lanes = lanes;
    e->tail = NULL;
    e->lane_var = -1;
    if (lanes == 1)
        return before;
    LLVMValueRef *numbers = ARENA_ARRAY(e->arena, LLVMValueRef, (size_t)lanes);
    for (int i = 0; i < lanes; i++)
        numbers[i] = emitter_i64(e, i);
    e->lane_var = emitter_var(e, LLVMConstVector(numbers, (unsigned)lanes), lanes, 0, lanes - 1, 0);
    e->vars.items[e->lane_var].is_lane_number = true;
    return before;
}

struct lanes emitter_tail(struct emitter *e, int64_t count)
{
    int lanes = 1;
    while (lanes < count)
        lanes *= 2;
    struct lanes before = emitter_lanes(e, lanes);
    if (lanes > 1)
        e->vars.items[e->lane_var].max = count - 1;
    if (lanes > count)
        e->tail = emitter_first_lanes(e, lanes, count);
    return before;
}

void emitter_lanes_restore(struct emitter *e, struct lanes before)
{
    e->lanes = before.lanes;
    e->lane_var = before.lane_var;
    e->tail = before.tail;
}

int emitter_lanes_enabled(const struct emitter *e)
{
    int count = e->lanes;
    while (e->tail && count > 1 &&
           !LLVMConstIntGetZExtValue(LLVMGetAggregateElement(e->tail, (unsigned)count - 1)))
        count--;
    return count;
}

/* ---- loops and branches ---------------------------------------------------------------------- */
static void scope_open(struct emitter *e, struct scope *scope, LLVMBasicBlockRef block)
{
    scope->parent = e->scope;
    scope->depth = e->scope->depth + 1;
    scope->block = block;
    scope->memo = map_create(e->arena);
    e->scope->block = LLVMGetInsertBlock(e->builder);
    e->scope = scope;
    LLVMPositionBuilderAtEnd(e->builder, block);
}

struct loop *emitter_loop_begin(struct emitter *e, LLVMValueRef first, LLVMValueRef end,
                                int64_t step, int64_t min, int64_t max, int carried_count,
                                LLVMValueRef *initial)
{
    struct loop *loop = ARENA_NEW(e->arena, struct loop);
    loop->outer = e->scope;
    loop->head = emitter_block(e);
    loop->first = first;
    loop->end = end;
    loop->step = step;
    loop->carried_count = carried_count;
    loop->initial = arena_copy(e->arena, initial, (size_t)carried_count * sizeof *initial);
    loop->carried = ARENA_ARRAY(e->arena, LLVMValueRef, (size_t)carried_count);
    scope_open(e, &loop->scope, loop->head);
    loop->i = LLVMBuildPhi(e->builder, e->i64, "");
    for (int i = 0; i < carried_count; i++)
        loop->carried[i] = LLVMBuildPhi(e->builder, LLVMTypeOf(initial[i]), "");
    loop->var = emitter_var(e, loop->i, 1, min, max, loop->scope.depth);
    return loop;
}

LLVMValueRef emitter_goes_on(struct emitter *e, LLVMValueRef stop_flag)
{
    LLVMValueRef flag = LLVMBuildLoad2(e->builder, e->i32, stop_flag, "");
    LLVMSetOrdering(flag, LLVMAtomicOrderingMonotonic);
    LLVMSetAlignment(flag, 4);
    return LLVMBuildICmp(e->builder, LLVMIntEQ, flag, LLVMConstNull(e->i32), "");
}

void emitter_loop_end(struct emitter *e, struct loop *loop, LLVMValueRef *next)
{
    LLVMBasicBlockRef exit = emitter_block(e), last = LLVMGetInsertBlock(e->builder);
    LLVMValueRef i = LLVMBuildAdd(e->builder, loop->i, emitter_i64(e, loop->step), "");
    LLVMValueRef more = LLVMBuildICmp(e->builder, LLVMIntSLT, i, loop->end, "");
    if (e->stop_flag)
        more = LLVMBuildAnd(e->builder, more, emitter_goes_on(e, e->stop_flag), "");
    LLVMBuildCondBr(e->builder, more, loop->head, exit);

    LLVMBasicBlockRef before = loop->outer->block; /* the current end of the outer scope */
    LLVMPositionBuilderAtEnd(e->builder, before);
    LLVMBuildBr(e->builder, loop->head);
    LLVMBasicBlockRef from[2] = {before, last};
    LLVMAddIncoming(loop->i, (LLVMValueRef[2]){loop->first, i}, from, 2);
    for (int k = 0; k < loop->carried_count; k++)
        LLVMAddIncoming(loop->carried[k], (LLVMValueRef[2]){loop->initial[k], next[k]}, from, 2);
    e->scope = loop->outer;
    LLVMPositionBuilderAtEnd(e->builder, exit);
}

struct branch *emitter_branch_begin(struct emitter *e, LLVMValueRef condition)
{
    struct branch *branch = ARENA_NEW(e->arena, struct branch);
    branch->outer = e->scope;
    branch->condition = condition;
    branch->body = emitter_block(e);
    scope_open(e, &branch->scope, branch->body);
    return branch;
}

void emitter_branch_end(struct emitter *e, struct branch *branch, int count, LLVMValueRef *values,
                        LLVMValueRef const *otherwise)
{
    LLVMBasicBlockRef join = emitter_block(e), last = LLVMGetInsertBlock(e->builder);
    LLVMBuildBr(e->builder, join);
    branch->from = branch->outer->block;
    LLVMPositionBuilderAtEnd(e->builder, branch->from);
    LLVMBuildCondBr(e->builder, branch->condition, branch->body, join);
    e->scope = branch->outer;
    LLVMPositionBuilderAtEnd(e->builder, join);
    for (int i = 0; i < count; i++) {
        LLVMValueRef phi = LLVMBuildPhi(e->builder, LLVMTypeOf(values[i]), "");
        LLVMAddIncoming(phi, (LLVMValueRef[2]){values[i], otherwise[i]},
                        (LLVMBasicBlockRef[2]){last, branch->from}, 2);
        values[i] = phi;
    }
}

/* ---- shared functions ------------------------------------------------------------------------ */
static void add_flag(LLVMContextRef context, LLVMValueRef function, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(context, kind, 0));
}

/* The vector width determines how arguments are passed, so caller and callee must agree. */
static void copy_attributes(LLVMValueRef from, LLVMValueRef to)
{
    static const char *const names[] = {"prefer-vector-width", "min-legal-vector-width",
                                        "denormal-fp-math", "frame-pointer"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(
            from, LLVMAttributeFunctionIndex, names[i], (unsigned)strlen(names[i]));
        if (attribute)
            LLVMAddAttributeAtIndex(to, LLVMAttributeFunctionIndex, attribute);
    }
}

LLVMValueRef emitter_shared_function(struct emitter *e, const char *name, LLVMTypeRef type)
{
    LLVMValueRef function = LLVMGetNamedFunction(e->module, name);
    if (function)
        return function;
    function = LLVMAddFunction(e->module, name, type);
    add_flag(e->context, function, "nounwind");
    add_flag(e->context, function, "noinline");
    copy_attributes(e->function, function);
    jit_skip_loop_passes(function);
    return function;
}

struct shared_body emitter_shared_begin(struct emitter *e, LLVMValueRef function)
{
    struct shared_body body = {LLVMGetInsertBlock(e->builder)};
    LLVMSetLinkage(function, LLVMInternalLinkage);
    LLVMPositionBuilderAtEnd(e->builder, LLVMAppendBasicBlockInContext(e->context, function, ""));
    return body;
}

void emitter_shared_end(struct emitter *e, struct shared_body body)
{
    LLVMPositionBuilderAtEnd(e->builder, body.back);
}

/* ---- shorthand ------------------------------------------------------------------------------- */
LLVMTypeRef emitter_vector(LLVMTypeRef element, int lanes)
{
    return lanes == 1 ? element : LLVMVectorType(element, (unsigned)lanes);
}

LLVMValueRef emitter_first_lanes(struct emitter *e, int lanes, int64_t count)
{
    LLVMValueRef *mask = ARENA_ARRAY(e->arena, LLVMValueRef, (size_t)lanes);
    for (int i = 0; i < lanes; i++)
        mask[i] = LLVMConstInt(e->i1, i < count, false);
    return LLVMConstVector(mask, (unsigned)lanes);
}

LLVMValueRef emitter_near_buffer(struct emitter *e, LLVMValueRef at, int lanes, int64_t count)
{
    int64_t first = 1 - lanes;
    LLVMValueRef inside = LLVMBuildSub(e->builder, at, emitter_i64(e, first), "");
    inside = LLVMBuildICmp(e->builder, LLVMIntULT, inside, emitter_i64(e, count - first), "");
    return LLVMBuildSelect(e->builder, inside, at, emitter_i64(e, 0), "");
}

LLVMValueRef emitter_i64(struct emitter *e, int64_t value)
{
    return LLVMConstInt(e->i64, (unsigned long long)value, true);
}

LLVMValueRef emitter_column_vectors(struct emitter *e, int lanes)
{
    LLVMValueRef most = LLVMBuildAdd(e->builder, e->columns, emitter_i64(e, lanes - 1), "");
    return LLVMBuildUDiv(e->builder, most, emitter_i64(e, lanes), "");
}

LLVMValueRef emitter_i32(struct emitter *e, int64_t value)
{
    return LLVMConstInt(e->i32, (unsigned long long)value, true);
}

static LLVMValueRef splat_constant(LLVMValueRef scalar, int lanes)
{
    enum { MAX_LANES = 1024 };
    LLVMValueRef all[MAX_LANES];
    for (int i = 0; i < lanes && i < MAX_LANES; i++)
        all[i] = scalar;
    return LLVMConstVector(all, (unsigned)lanes);
}

LLVMValueRef emitter_splat(struct emitter *e, LLVMValueRef scalar, int lanes)
{
    if (lanes == 1)
        return scalar;
    if (LLVMIsConstant(scalar))
        return splat_constant(scalar, lanes);
    LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(scalar), (unsigned)lanes);
    LLVMValueRef poison = LLVMGetPoison(type);
    LLVMValueRef one = LLVMBuildInsertElement(e->builder, poison, scalar, emitter_i32(e, 0), "");
    LLVMTypeRef shuffle = LLVMVectorType(e->i32, (unsigned)lanes);
    return LLVMBuildShuffleVector(e->builder, one, poison, LLVMConstNull(shuffle), "");
}

static LLVMValueRef like(LLVMTypeRef type, LLVMValueRef scalar)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind
               ? splat_constant(scalar, (int)LLVMGetVectorSize(type))
               : scalar;
}

static LLVMTypeRef scalar_of(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

int emitter_bits_of(LLVMTypeRef type)
{
    LLVMTypeRef scalar = scalar_of(type);
    switch (LLVMGetTypeKind(scalar)) {
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind: return 16;
    case LLVMFloatTypeKind: return 32;
    case LLVMDoubleTypeKind: return 64;
    default: return (int)LLVMGetIntTypeWidth(scalar);
    }
}

LLVMValueRef emitter_int_like(LLVMTypeRef type, int64_t value)
{
    return like(type, LLVMConstInt(scalar_of(type), (unsigned long long)value, true));
}

LLVMValueRef emitter_real_like(LLVMTypeRef type, double value)
{
    return like(type, LLVMConstReal(scalar_of(type), value));
}

LLVMValueRef emitter_intrinsic(struct emitter *e, const char *name, int overload_count,
                               LLVMTypeRef const *overloads, int count, LLVMValueRef *arguments)
{
    LLVMTypeRef types[4];
    for (int i = 0; i < overload_count; i++)
        types[i] = overloads[i];
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMTypeRef type = LLVMIntrinsicGetType(e->context, id, types, (size_t)overload_count);
    LLVMValueRef callee = LLVMGetIntrinsicDeclaration(e->module, id, types, (size_t)overload_count);
    return LLVMBuildCall2(e->builder, type, callee, arguments, (unsigned)count, "");
}

LLVMValueRef emitter_unary(struct emitter *e, const char *name, LLVMValueRef a)
{
    LLVMTypeRef type = LLVMTypeOf(a);
    return emitter_intrinsic(e, name, 1, &type, 1, &a);
}

LLVMValueRef emitter_binary(struct emitter *e, const char *name, LLVMValueRef a, LLVMValueRef b)
{
    LLVMTypeRef type = LLVMTypeOf(a);
    return emitter_intrinsic(e, name, 1, &type, 2, (LLVMValueRef[2]){a, b});
}

LLVMValueRef emitter_contract(LLVMValueRef value)
{
    if (LLVMIsAInstruction(value) && LLVMCanValueUseFastMathFlags(value))
        LLVMSetFastMathFlags(value, LLVMFastMathAllowContract);
    return value;
}

LLVMValueRef emitter_contracted_product(LLVMValueRef value)
{
    bool product = LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMFMul;
    return product && LLVMGetFastMathFlags(value) & LLVMFastMathAllowContract ? value : NULL;
}

LLVMValueRef emitter_any(struct emitter *e, LLVMValueRef mask, int lanes)
{
    return lanes == 1 ? mask : emitter_unary(e, "llvm.vector.reduce.or", mask);
}

bool emitter_is_certain(LLVMValueRef mask, int lanes)
{
    bool any = false;
    for (int i = 0; lanes > 1 && i < lanes && LLVMIsConstant(mask); i++) {
        LLVMValueRef lane = LLVMGetAggregateElement(mask, (unsigned)i);
        any = any || (lane && LLVMIsAConstantInt(lane) && LLVMConstIntGetZExtValue(lane));
    }
    return any;
}

struct guard emitter_guard(const struct emitter *e, LLVMValueRef condition, int lanes)
{
    bool certain = emitter_is_certain(condition, lanes);
    return (struct guard){condition, lanes, e->scope->depth, certain, e->guard};
}

LLVMBasicBlockRef emitter_block(struct emitter *e)
{
    return LLVMAppendBasicBlockInContext(e->context, e->function, "");
}

LLVMValueRef emitter_alloca(struct emitter *e, LLVMTypeRef type, int alignment)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(e->function),
                      here = LLVMGetInsertBlock(e->builder);
    LLVMValueRef first = LLVMGetFirstInstruction(entry);
    if (first)
        LLVMPositionBuilderBefore(e->builder, first);
    else
        LLVMPositionBuilderAtEnd(e->builder, entry);
    LLVMValueRef slot = LLVMBuildAlloca(e->builder, type, "");
    LLVMSetAlignment(slot, (unsigned)alignment);
    LLVMPositionBuilderAtEnd(e->builder, here);
    return slot;
}

LLVMValueRef emitter_at(struct emitter *e, LLVMTypeRef type, LLVMValueRef array, LLVMValueRef index)
{
    return LLVMBuildGEP2(e->builder, type, array, &index, 1, "");
}

LLVMValueRef emitter_load(struct emitter *e, LLVMTypeRef type, LLVMValueRef from, unsigned align,
                          LLVMValueRef mask)
{
    if (mask) {
        LLVMValueRef arguments[] = {from, emitter_i32(e, align), mask, LLVMConstNull(type)};
        return emitter_intrinsic(e, "llvm.masked.load", 2, (LLVMTypeRef[]){type, e->pointer}, 4,
                                 arguments);
    }
    LLVMValueRef load = LLVMBuildLoad2(e->builder, type, from, "");
    LLVMSetAlignment(load, align);
    return load;
}

void emitter_store(struct emitter *e, LLVMValueRef value, LLVMValueRef to, unsigned align,
                   LLVMValueRef mask)
{
    if (mask) {
        LLVMValueRef arguments[] = {value, to, emitter_i32(e, align), mask};
        LLVMTypeRef overloads[] = {LLVMTypeOf(value), e->pointer};
        emitter_intrinsic(e, "llvm.masked.store", 2, overloads, 4, arguments);
    } else {
        LLVMSetAlignment(LLVMBuildStore(e->builder, value, to), align);
    }
}

LLVMValueRef emitter_constant_bytes(struct emitter *e, const void *bytes, int64_t size)
{
    LLVMValueRef data = LLVMConstStringInContext2(e->context, bytes, (size_t)size, true);
    LLVMValueRef global = LLVMAddGlobal(e->module, LLVMTypeOf(data), "");
    LLVMSetInitializer(global, data);
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetAlignment(global, 64);
    return global;
}

struct error *emitter_unimplemented(struct emitter *e, const struct op *op, const char *what)
{
    return ERROR(UNIMPLEMENTED, "%s: generated code does not support %s", ir_where(e->arena, op),
                 what);
}
