/* isa_test.c: what features make of a vector unit. */
#include "base/isa.h"

#include <criterion/criterion.h>

static const struct cpu_features plain, wide = {.avx2 = true, .fma = true, .f16c = true},
                                        masked = {.avx2 = true, .fma = true, .avx512 = true},
                                        matrix = {.avx2 = true, .avx512 = true, .amx_bf16 = true};

Test(isa, classes_grow)
{
    const struct cpu_features *all[] = {&plain, &wide, &masked, &matrix};
    for (int i = 0; i < ISA_CLASSES; i++) {
        cr_expect_eq(isa_of(all[i]).class, (enum isa_class)i);
        cr_expect_eq(isa_of(all[i]).features, all[i]);
    }
    cr_expect_eq(isa_of(cpu_features()).vector_bytes, cpu_vector_bytes());
}

Test(isa, abilities)
{
    struct isa isa = isa_of(&plain);
    cr_expect(!isa.fma && !isa.half && !isa.masks && !isa.permutes_8);
    isa = isa_of(&wide);
    cr_expect(isa.fma && isa.half && isa.masks && !isa.narrow_masks);
    cr_expect(isa.permutes_8 == 1 && isa.permutes_16 == 0 && !isa.bf16 && !isa.scales);
    isa = isa_of(&masked);
    cr_expect(isa.narrow_masks && isa.unsigned_to_float && isa.scales && isa.compresses);
    cr_expect_eq(isa.permutes_16, 2);
}
