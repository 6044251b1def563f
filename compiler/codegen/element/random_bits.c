#include "compiler/codegen/element/random_bits.h"

static LLVMTypeRef type_like(struct emitter *e, LLVMValueRef value, LLVMTypeRef scalar)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    (void)e;
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind
               ? LLVMVectorType(scalar, LLVMGetVectorSize(type))
               : scalar;
}

static LLVMValueRef constant(LLVMValueRef like, uint32_t value)
{
    return emitter_int_like(LLVMTypeOf(like), (int64_t)value);
}

void random_bits_split(struct emitter *e, LLVMValueRef wide, LLVMValueRef halves[2])
{
    LLVMTypeRef type = type_like(e, wide, e->i32);
    LLVMValueRef high = LLVMBuildLShr(e->builder, wide, emitter_int_like(LLVMTypeOf(wide), 32), "");
    halves[0] = LLVMBuildTrunc(e->builder, wide, type, "");
    halves[1] = LLVMBuildTrunc(e->builder, high, type, "");
}

LLVMValueRef random_bits_join(struct emitter *e, LLVMValueRef low, LLVMValueRef high)
{
    LLVMTypeRef type = type_like(e, low, e->i64);
    LLVMValueRef top = LLVMBuildZExt(e->builder, high, type, "");
    top = LLVMBuildShl(e->builder, top, emitter_int_like(type, 32), "");
    return LLVMBuildOr(e->builder, LLVMBuildZExt(e->builder, low, type, ""), top, "");
}

/* Four rounds, then the key injection: the key's next words and the number of the injection. */
static void threefry_rounds(struct emitter *e, LLVMValueRef x[2], const int *rotations,
                            LLVMValueRef const *keys, int injection)
{
    LLVMBuilderRef b = e->builder;
    for (int i = 0; i < 4; i++) {
        LLVMValueRef by = constant(x[1], (uint32_t)rotations[i]);
        x[0] = LLVMBuildAdd(b, x[0], x[1], "");
        LLVMTypeRef type = LLVMTypeOf(x[1]);
        x[1] = emitter_intrinsic(e, "llvm.fshl", 1, &type, 3, (LLVMValueRef[]){x[1], x[1], by});
        x[1] = LLVMBuildXor(b, x[0], x[1], "");
    }
    LLVMValueRef second =
        LLVMBuildAdd(b, keys[(injection + 1) % 3], constant(x[1], (uint32_t)injection), "");
    x[0] = LLVMBuildAdd(b, x[0], keys[injection % 3], "");
    x[1] = LLVMBuildAdd(b, x[1], second, "");
}

void random_bits_threefry(struct emitter *e, LLVMValueRef words[2], LLVMValueRef const key[2])
{
    static const int rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
    LLVMValueRef third = LLVMBuildXor(e->builder, key[0], key[1], "");
    third = LLVMBuildXor(e->builder, third, constant(third, 0x1BD11BDA), "");
    LLVMValueRef keys[3] = {key[0], key[1], third};
    for (int i = 0; i < 2; i++)
        words[i] = LLVMBuildAdd(e->builder, words[i], keys[i], "");
    for (int i = 1; i <= 5; i++)
        threefry_rounds(e, words, rotations[(i - 1) % 2], keys, i);
}

/* Both halves of the product with a constant. */
static void multiply(struct emitter *e, LLVMValueRef x, uint32_t by, LLVMValueRef halves[2])
{
    LLVMTypeRef type = type_like(e, x, e->i64);
    LLVMValueRef wide = LLVMBuildZExt(e->builder, x, type, "");
    random_bits_split(e, LLVMBuildMul(e->builder, wide, emitter_int_like(type, (int64_t)by), ""),
                      halves);
}

void random_bits_philox(struct emitter *e, LLVMValueRef words[4], LLVMValueRef const key[2])
{
    LLVMBuilderRef b = e->builder;
    LLVMValueRef k[2] = {key[0], key[1]}, p[2], q[2];
    for (int round = 0; round < 10; round++) {
        multiply(e, words[0], 0xD2511F53, p);
        multiply(e, words[2], 0xCD9E8D57, q);
        words[0] = LLVMBuildXor(b, LLVMBuildXor(b, q[1], words[1], ""), k[0], "");
        words[2] = LLVMBuildXor(b, LLVMBuildXor(b, p[1], words[3], ""), k[1], "");
        words[1] = q[0];
        words[3] = p[0];
        k[0] = LLVMBuildAdd(b, k[0], constant(k[0], 0x9E3779B9), "");
        k[1] = LLVMBuildAdd(b, k[1], constant(k[1], 0xBB67AE85), "");
    }
}
