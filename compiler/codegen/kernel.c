/* kernel.c: opens a kernel's function, binds the fusion's arguments to addresses, and hands over to
 * the emitter of its kind. */
#include "compiler/codegen/kernel.h"

#include <string.h>

#include "compiler/codegen/loops/loops.h"
#include "compiler/codegen/single/single.h"

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
    LLVMValueRef at = emitter_i64(e, i);
    LLVMValueRef slot = LLVMBuildGEP2(e->builder, e->pointer, k->buffers, &at, 1, "");
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

/* ---- FUSION_LOOP
 * ---------------------------------------------------------------------------------- */
/* Results of one shape make a nest together; their order is that of the first of each shape. */
static int group_results(struct kernel *k, struct nest *nests)
{
    const struct op *end = k->fusion->regions[0]->last;
    bool taken[1024] = {false};
    int count = 0;
    for (int i = 0; i < end->operand_count; i++) {
        struct nest *nest = &nests[count];
        const struct type *shape = end->operands[i]->type;
        if (taken[i])
            continue;
        const struct value **roots =
            ARENA_ARRAY(k->e->arena, const struct value *, (size_t)end->operand_count);
        nest->pointers = ARENA_ARRAY(k->e->arena, LLVMValueRef, (size_t)end->operand_count);
        nest->shape = shape;
        nest->roots = roots;
        for (int j = i; j < end->operand_count; j++) {
            if (taken[j] || !type_same_shape(shape, end->operands[j]->type))
                continue;
            taken[j] = true;
            roots[nest->count] = end->operands[j];
            nest->pointers[nest->count++] = kernel_result(k, j);
        }
        count++;
    }
    return count;
}

/* The part of [begin, end) that falls into [from, from + work), counted from `from`. */
static LLVMValueRef clip(struct emitter *e, LLVMValueRef at, int64_t from, int64_t work)
{
    at = LLVMBuildSub(e->builder, at, emitter_i64(e, from), "");
    at = emitter_binary(e, "llvm.smax", at, emitter_i64(e, 0));
    return emitter_binary(e, "llvm.smin", at, emitter_i64(e, work));
}

struct error *kernel_loop(struct kernel *k)
{
    struct emitter *e = k->e;
    int most = k->fusion->regions[0]->last->operand_count;
    if (most > 1024)
        return emitter_unimplemented(e, k->fusion,
                                     "does not make fusions of more than 1024 results");
    struct nest *nests = ARENA_ARRAY(e->arena, struct nest, (size_t)most);
    int count = group_results(k, nests);
    int64_t work = 0;
    for (int i = 0; i < count; i++) {
        loops_plan(e->target, &nests[i]);
        LLVMValueRef begin = k->begin, end = k->end;
        if (count > 1) {
            begin = clip(e, k->begin, work, nests[i].work);
            end = clip(e, k->end, work, nests[i].work);
        }
        TRY(loops_emit(e, &nests[i], begin, end));
        work += nests[i].work;
    }
    k->request->work = work ? work : 1;
    return NULL;
}

/* ---- the function
 * --------------------------------------------------------------------------------- */
static void set_attributes(const struct target *target, LLVMContextRef context,
                           LLVMValueRef function, bool internal)
{
    const char *flags[] = {"nounwind",
                           "alwaysinline"}; /* internal ones are called from one place */
    for (int i = 0; i < (internal ? 2 : 1); i++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(flags[i], strlen(flags[i]));
        LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                LLVMCreateEnumAttribute(context, kind, 0));
    }
    const char *bits = target->vector_bytes >= 64   ? "512"
                       : target->vector_bytes >= 32 ? "256"
                                                    : "128";
    const char *names[] = {"prefer-vector-width", "min-legal-vector-width"};
    for (int i = 0; i < 2; i++) {
        LLVMAttributeRef attribute =
            LLVMCreateStringAttribute(context, names[i], (unsigned)strlen(names[i]), bits, 3);
        LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute);
    }
}

static struct error *emit_kind(struct kernel *k)
{
    switch (k->fusion->attrs.fusion.fusion_kind) {
    case FUSION_LOOP: return kernel_loop(k);
    case FUSION_UPDATE: return emit_update(k);
    case FUSION_SINGLE: return single_emit(k);
    case FUSION_REGION: return emit_region(k);
    case FUSION_DOT: break; /* a library step */
    }
    return ERROR(INTERNAL, "%s: a fusion of no known kind", ir_where(k->e->arena, k->fusion));
}

static struct error *fill(struct kernel *k)
{
    struct emitter *e = k->e;
    const struct block *body = k->fusion->regions[0];
    bool region = k->fusion->attrs.fusion.fusion_kind == FUSION_REGION;
    for (int i = 0; i < body->argument_count && !region; i++)
        if (body->arguments[i].type->kind == TYPE_TENSOR)
            map_put_pointer(e->buffers, &body->arguments[i], kernel_buffer(k, i));
    TRY(emit_kind(k));
    if (e->streamed) {
        LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(e->context), NULL, 0, false);
        unsigned id = LLVMLookupIntrinsicID("llvm.x86.sse.sfence", 19);
        LLVMBuildCall2(e->builder, type, LLVMGetIntrinsicDeclaration(e->module, id, NULL, 0), NULL,
                       0, "");
    }
    LLVMBuildRetVoid(e->builder);
    return NULL;
}

struct error *kernel_emit(struct arena *arena, const struct target *target, LLVMModuleRef module,
                          struct codegen_kernel *request, bool internal, LLVMValueRef *function)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMValueRef made = LLVMAddFunction(module, request->name, kernel_type(context));
    LLVMSetLinkage(made, internal ? LLVMInternalLinkage : LLVMExternalLinkage);
    set_attributes(target, context, made, internal);
    struct emitter *e = emitter_create(arena, target, module, made);
    struct kernel k = {e,
                       request,
                       request->fusion,
                       LLVMGetParam(made, 0),
                       LLVMGetParam(made, 1),
                       LLVMGetParam(made, 2)};
    if (function)
        *function = made;
    return fill(&k);
}
