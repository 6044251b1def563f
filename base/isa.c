/* isa.c: see isa.h. */
#include "base/isa.h"

static enum isa_class class_of(const struct cpu_features *f)
{
    if (f->amx_bf16)
        return ISA_MATRIX;
    return f->avx512 ? ISA_MASKED : f->avx2 ? ISA_WIDE : ISA_NARROW;
}

struct isa isa_of(const struct cpu_features *f)
{
    return (struct isa){.class = class_of(f),
                        .vector_bytes = f->avx512 ? 64
                                        : f->avx2 ? 32
                                                  : 16,
                        .fma = f->fma,
                        .half = f->f16c,
                        .bf16 = f->avx512_bf16,
                        .masks = f->avx2 || f->avx512,
                        .narrow_masks = f->avx512,
                        .unsigned_to_float = f->avx512,
                        .scales = f->avx512,
                        .compresses = f->avx512,
                        .permutes_8 = f->avx2 ? 1 : 0,
                        .permutes_16 = f->avx512 ? 2 : 0,
                        .features = f};
}
