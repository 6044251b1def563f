/* math.c: maps operations to elementary functions.
 *
 * A kernel that contains the same function many times would be long code, which takes longer to
 * compile than it saves: it calls one copy of the function, which the kernels of a module share. */
#include "compiler/codegen/element/math.h"

#include <stdio.h>

#include "base/fpu.h"
#include "compiler/codegen/link/jit.h"

enum {
    SHARED_USES = 4,             /* uses in a kernel from which a function is called ... */
    SHARED_USES_OF_LARGE = 24,   /* ... also if the kernel computes more elements than ... */
    SHARED_ELEMENTS = 128 * 1024 /* ... this: there, a call costs more than it saves */
};

typedef LLVMValueRef unary(const struct vecmath *m, LLVMValueRef x);
typedef LLVMValueRef binary(const struct vecmath *m, LLVMValueRef x, LLVMValueRef y);

static unary *const unaries[OP_CODE_COUNT] = {
    [OP_cbrt] = vecmath_cbrt,
    [OP_cosine] = vecmath_cos,
    [OP_erf] = vecmath_erf,
    [OP_exponential] = vecmath_exp,
    [OP_exponential_minus_one] = vecmath_expm1,
    [OP_log] = vecmath_log,
    [OP_log_plus_one] = vecmath_log1p,
    [OP_logistic] = vecmath_logistic,
    [OP_rsqrt] = vecmath_rsqrt,
    [OP_sine] = vecmath_sin,
    [OP_sqrt] = vecmath_sqrt,
    [OP_tan] = vecmath_tan,
    [OP_tanh] = vecmath_tanh,
};

static binary *const binaries[OP_CODE_COUNT] = {
    [OP_atan2] = vecmath_atan2,
    [OP_power] = vecmath_pow,
    [OP_remainder] = vecmath_remainder,
};

struct vecmath math_over(const struct emitter *e, LLVMValueRef like)
{
    const struct isa *isa = &e->target->isa;
    struct vecmath_mode mode = {isa->fma, fpu_flushes(), isa->scales};
    return vecmath(e->builder, e->module, LLVMTypeOf(like), mode);
}

/* A function, of factor x if that is not 1. */
struct function {
    enum op_code code;
    double factor;
};

static LLVMValueRef emit_function(const struct vecmath *m, struct function function, LLVMValueRef x,
                                  LLVMValueRef y)
{
    enum op_code code = function.code;
    if (function.factor != 1)
        return vecmath_exp_of_multiple(m, x, function.factor);
    if (unaries[code])
        return unaries[code](m, x);
    return binaries[code] ? binaries[code](m, x, y) : NULL;
}

/* The constant that all lanes of a value are; 0 if there is none. */
static double constant_of(LLVMValueRef value)
{
    LLVMBool loses;
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMIsConstant(value) && LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        value = LLVMGetAggregateElement(value, 0); /* uniform, see passes/arithmetic/contract.h */
    return value && LLVMIsAConstantFP(value) ? LLVMConstRealGetDouble(value, &loses) : 0;
}

/* Replaces *x by y if it is a product of y and a constant that contracts with an exponential.
 * Returns the constant, or 1. */
static double take_factor(const struct vecmath *m, LLVMValueRef *x)
{
    LLVMValueRef product = emitter_contracted_product(*x);
    for (unsigned i = 0; product && i < 2; i++) {
        double factor = constant_of(LLVMGetOperand(product, i));
        if (!vecmath_exp_takes_factor(m, factor))
            continue;
        *x = LLVMGetOperand(product, 1 - i);
        return factor;
    }
    return 1;
}

/* ---- shared functions ------------------------------------------------------------------------ */
/* The operations with this code beside the one that is being emitted. */
static int uses_of(struct emitter *e, enum op_code code)
{
    if (!e->math_uses)
        e->math_uses = ARENA_ARRAY(e->arena, int, OP_CODE_COUNT);
    int *uses = &e->math_uses[code];
    for (const struct op *op = *uses ? NULL : e->op->block->first; op; op = op->next)
        *uses += op->code == code;
    return *uses;
}

static bool is_shared(struct emitter *e, enum op_code code)
{
    if (!e->op || !e->op->block || code == OP_sqrt || code == OP_rsqrt)
        return false;
    int64_t elements = type_elements(e->op->results[0].type);
    return uses_of(e, code) >= (elements > SHARED_ELEMENTS ? SHARED_USES_OF_LARGE : SHARED_USES);
}

static void define_function(const struct vecmath *m, struct emitter *e, LLVMValueRef function,
                            struct function what)
{
    struct shared_body body = emitter_shared_begin(e, function);
    jit_accesses_only(function, false);
    LLVMValueRef y = binaries[what.code] ? LLVMGetParam(function, 1) : NULL;
    LLVMBuildRet(e->builder, emit_function(m, what, LLVMGetParam(function, 0), y));
    emitter_shared_end(e, body);
}

static LLVMValueRef call_shared(const struct vecmath *m, struct emitter *e, struct function what,
                                LLVMValueRef x, LLVMValueRef y)
{
    char name[64];
    unsigned count = binaries[what.code] ? 2 : 1;
    LLVMTypeRef type = LLVMFunctionType(m->type, (LLVMTypeRef[]){m->type, m->type}, count, false);
    snprintf(name, sizeof name, "math_%d_%s_%u_%a", (int)what.code, m->wide ? "f64" : "f32",
             m->lanes, what.factor);
    LLVMValueRef function = emitter_shared_function(e, name, type);
    if (LLVMIsDeclaration(function))
        define_function(m, e, function, what);
    return LLVMBuildCall2(e->builder, type, function, (LLVMValueRef[]){x, y}, count, "");
}

LLVMValueRef math_emit(struct emitter *e, enum op_code code, LLVMValueRef x, LLVMValueRef y)
{
    struct vecmath m = math_over(e, x);
    LLVMValueRef power = code == OP_power ? vecmath_pow_constant(&m, x, y) : NULL;
    if (power)
        return power;
    struct function what = {code, code == OP_exponential ? take_factor(&m, &x) : 1};
    if ((unaries[code] || binaries[code]) && is_shared(e, code))
        return call_shared(&m, e, what, x, y);
    return emit_function(&m, what, x, y);
}
