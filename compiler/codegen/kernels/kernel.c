/* kernel.c: creates a kernel's function, binds the fusion's arguments to addresses, and calls the
 * emitter of the fusion's kind. */
#include "compiler/codegen/kernels/kernel.h"

#include <string.h>

#include "compiler/schedule/cost.h"
#include "compiler/codegen/link/jit.h"
#include "compiler/codegen/link/vector_intrinsics.h"
#include "compiler/codegen/loops/row_fetch.h"

LLVMTypeRef kernel_type(LLVMContextRef context)
{
    LLVMTypeRef i64 = LLVMInt64TypeInContext(context),
                pointer = LLVMPointerTypeInContext(context, 0);
    return LLVMFunctionType(LLVMVoidTypeInContext(context), (LLVMTypeRef[]){pointer, i64, i64}, 3,
                            false);
}

LLVMValueRef kernel_buffer(struct kernel *k, int i)
{
    struct emitter *e = k->e;
    struct scope *back = emitter_enter(e, emitter_scope(e, 0));
    LLVMValueRef slot = emitter_at(e, e->pointer, k->buffers, emitter_i64(e, i));
    LLVMValueRef pointer = LLVMBuildLoad2(e->builder, e->pointer, slot, "");
    emitter_leave(e, back);
    return pointer;
}

LLVMValueRef kernel_result(struct kernel *k, int i)
{
    return kernel_buffer(k, k->fusion->operand_count + i);
}

LLVMValueRef kernel_scratch(struct kernel *k)
{
    return kernel_buffer(k, k->fusion->operand_count + k->fusion->result_count);
}

/* ---- the function ---------------------------------------------------------------------------- */
static void set_string_attribute(LLVMContextRef context, LLVMValueRef function, const char *name,
                                 const char *text)
{
    LLVMAttributeRef attribute = LLVMCreateStringAttribute(context, name, (unsigned)strlen(name),
                                                           text, (unsigned)strlen(text));
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute);
}

static void set_attributes(const struct target *target, LLVMContextRef context,
                           LLVMValueRef function, int tier, bool internal)
{
    const char *flags[] = {"nounwind", "alwaysinline"}; /* internal functions have one call site */
    for (int i = 0; i < (internal ? 2 : 1); i++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(flags[i], strlen(flags[i]));
        LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                LLVMCreateEnumAttribute(context, kind, 0));
    }
    const char *bits = target->isa.vector_bytes >= 64   ? "512"
                       : target->isa.vector_bytes >= 32 ? "256"
                                                        : "128";
    set_string_attribute(context, function, "prefer-vector-width", bits);
    set_string_attribute(context, function, "min-legal-vector-width", bits);
    /* Whether denormals are flushed is decided at run time; see base/fpu.h. */
    set_string_attribute(context, function, "denormal-fp-math", "dynamic,dynamic");
    /* With a frame pointer LLVM can align the stack when it finds that vectors are kept there. Else
     * it depends on the caller's stack whether they cross cache lines. Tier 0 keeps many there; at
     * others loops need the register. */
    if (tier == 0)
        set_string_attribute(context, function, "frame-pointer", "all");
}

static struct error *emit_kind(struct kernel *k)
{
    kernel_emitter *emit = k->dispatch->kernels[k->fusion->attrs.fusion.fusion_kind];
    if (!emit)
        return ERROR(INTERNAL, "%s: no kernel is generated for this kind of fusion",
                     ir_where(k->e->arena, k->fusion));
    return emit(k);
}

/* Operands that are computed inside the kernel use no memory, so a small program may contain loops
 * that run for hours. Kernels of these kinds can therefore be stopped at every iteration. The work
 * of other kinds is limited by their memory, or they read the flag themselves. */
static void watch_stop_flag(struct kernel *k)
{
    enum fusion_kind kind = k->fusion->attrs.fusion.fusion_kind;
    if ((kind == FUSION_LOOP || kind == FUSION_ROWS || kind == FUSION_UPDATE) &&
        cost_of_op(k->fusion) >= (double)PROGRAM_UNBOUNDED)
        k->e->stop_flag = kernel_buffer(k, k->fusion->operand_count + k->fusion->result_count);
}

static void bind_arguments(struct kernel *k)
{
    const struct block *body = k->fusion->regions[0];
    bool region = k->fusion->attrs.fusion.fusion_kind == FUSION_REGION;
    for (int i = 0; i < body->argument_count && !region; i++)
        if (body->arguments[i].type->kind == TYPE_TENSOR)
            map_put_pointer(k->e->buffers, &body->arguments[i], kernel_buffer(k, i));
}

static uint64_t bytes_of(const struct value *value)
{
    return value->type->kind == TYPE_TENSOR ? (uint64_t)type_bytes(value->type) : 0;
}

/* Whether the operands and results are so large that a cache that keeps results loses by it what it
 * would have kept of the operands. Up to there two cores store to it faster than past it; but a
 * result that fills it alone is not there when it is read or stored again, and its lines would be
 * read before they are stored to: 32 MiB of rows gathered from 512 KiB, beside 32 MiB of last
 * level, take 1.75 ms of CPU, past it 1.25. */
static bool exceeds_caches(const struct kernel *k)
{
    uint64_t bytes = 0, cache = k->e->target->last_cache_bytes;
    for (int i = 0; i < k->fusion->operand_count; i++)
        bytes += bytes_of(k->fusion->operands[i]);
    for (int i = 0; i < k->fusion->result_count; i++) {
        uint64_t result = bytes_of(&k->fusion->results[i]);
        if (result >= cache)
            return true;
        bytes += result;
    }
    return bytes > cache + cache / 8;
}

/* Whether one operand is read from memory, and all others from caches. */
static bool has_one_stream(const struct kernel *k)
{
    int count = 0;
    for (int i = 0; i < k->fusion->operand_count; i++)
        count += row_fetch_is_large(k->e, k->fusion->operands[i]->type);
    return count == 1;
}

static bool has_few_addresses(const struct op *op)
{
    switch (op->code) {
    case OP_return:
    case OP_constant:
    case OP_iota:
    case OP_broadcast_in_dim:
    case OP_reshape:
    case OP_reduce: return true;
    default: return op_info(op->code)->traits & OP_ELEMENTWISE;
    }
}

/* Whether the loops read their operands in order, and few of them. */
static bool has_simple_loops(const struct kernel *k)
{
    enum fusion_kind kind = k->fusion->attrs.fusion.fusion_kind;
    if ((kind != FUSION_LOOP && kind != FUSION_ROWS) || k->e->emitted.tiles)
        return false;
    for (const struct op *op = k->fusion->regions[0]->first; op; op = op->next)
        if (!has_few_addresses(op))
            return false;
    return true;
}

static struct error *fill(struct kernel *k)
{
    struct emitter *e = k->e;
    e->arrays = (struct arrays){.exceed_caches = exceeds_caches(k),
                                .stored_past_caches = k->request->stores_past_caches,
                                .one_stream = has_one_stream(k)};
    bind_arguments(k);
    watch_stop_flag(k);
    TRY(emit_kind(k));
    if (e->emitted.streams) {
        LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(e->context), NULL, 0, false);
        const char *fence = vector_intrinsics_name(VECTOR_FENCE);
        unsigned id = LLVMLookupIntrinsicID(fence, strlen(fence));
        LLVMBuildCall2(e->builder, type, LLVMGetIntrinsicDeclaration(e->module, id, NULL, 0), NULL,
                       0, "");
    }
    LLVMBuildRetVoid(e->builder);
    if (has_simple_loops(k))
        jit_skip_loop_passes(e->function);
    return NULL;
}

struct error *kernel_emit(struct arena *arena, const struct dispatch *dispatch,
                          const struct target *target, LLVMModuleRef module,
                          struct codegen_kernel *request, bool internal, LLVMValueRef *function)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMValueRef made = LLVMAddFunction(module, request->name, kernel_type(context));
    LLVMSetLinkage(made, internal ? LLVMInternalLinkage : LLVMExternalLinkage);
    set_attributes(target, context, made, request->tier, internal);
    struct emitter *e = emitter_create(arena, target, dispatch->expressions, module, made);
    struct kernel k = {e,
                       dispatch,
                       request,
                       request->fusion,
                       LLVMGetParam(made, 0),
                       LLVMGetParam(made, 1),
                       LLVMGetParam(made, 2)};
    if (function)
        *function = made;
    return fill(&k);
}

struct kernel kernel_function_begin(struct kernel *k, LLVMTypeRef type)
{
    struct kernel function = *k;
    LLVMValueRef made = LLVMAddFunction(k->e->module, k->request->name, type);
    LLVMSetLinkage(made, LLVMInternalLinkage);
    set_attributes(k->e->target, k->e->context, made, k->request->tier, false);
    function.e = emitter_create(k->e->arena, k->e->target, k->e->expressions, k->e->module, made);
    function.buffers = LLVMGetParam(made, 0);
    function.begin = function.end = NULL;
    function.e->arrays = k->e->arrays;
    bind_arguments(&function);
    return function;
}

void kernel_function_end(struct kernel *function)
{
    LLVMBuildRetVoid(function->e->builder);
}
