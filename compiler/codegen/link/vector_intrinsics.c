/* vector_intrinsics.c: see vector_intrinsics.h. */
#include "compiler/codegen/link/vector_intrinsics.h"

const char *vector_intrinsics_name(enum vector_intrinsic which)
{
    static const char *const names[VECTOR_INTRINSICS] = {
        [VECTOR_PERMUTE_8] = "llvm.x86.avx2.permps",
        [VECTOR_PERMUTE_16] = "llvm.x86.avx512.permvar.sf.512",
        [VECTOR_PERMUTE_16_PAIR] = "llvm.x86.avx512.vpermi2var.ps.512",
        [VECTOR_SCALE_F32] = "llvm.x86.avx512.mask.scalef.ps.512",
        [VECTOR_SCALE_F64] = "llvm.x86.avx512.mask.scalef.pd.512",
        [VECTOR_FIX_F32] = "llvm.x86.avx512.mask.fixupimm.ps.512",
        [VECTOR_FIX_F64] = "llvm.x86.avx512.mask.fixupimm.pd.512",
        [VECTOR_FENCE] = "llvm.x86.sse.sfence",
    };
    return names[which];
}
