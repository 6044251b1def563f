/* vector_intrinsics.h: LLVM's names of instructions that LLVM IR has no operation for. struct isa
 * (base/isa.h) says which a processor has. Static; thread-safe. */
#ifndef GANTRY_COMPILER_CODEGEN_LINK_VECTOR_INTRINSICS_H
#define GANTRY_COMPILER_CODEGEN_LINK_VECTOR_INTRINSICS_H

enum vector_intrinsic {
    VECTOR_PERMUTE_8,       /* (table, indices): 8 elements of f32, by the low bits of indices */
    VECTOR_PERMUTE_16,      /* ... 16 */
    VECTOR_PERMUTE_16_PAIR, /* (table, indices, table): 32 */
    VECTOR_SCALE_F32,       /* (x, n, x, mask, rounding): x 2^n for integral n, a whole register */
    VECTOR_SCALE_F64,
    /* (result, argument, table, 0, mask, rounding): special values by their class */
    VECTOR_FIX_F32,
    VECTOR_FIX_F64,
    VECTOR_FENCE, /* (): orders stores past the caches before those that follow */
    VECTOR_INTRINSICS
};

const char *vector_intrinsics_name(enum vector_intrinsic which);

#endif
