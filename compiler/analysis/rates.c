/* rates.c: see rates.h. */
#include "compiler/analysis/rates.h"

enum { BASELINE, AVX2, AVX512, AMX, SETS };

static const struct rates table[SETS] = {
#define RATE(name, baseline, avx2, avx512, amx, unit) [RATE_##name] = baseline,
    [BASELINE] = {{
#include "compiler/analysis/rates.def"
    }},
#undef RATE
#define RATE(name, baseline, avx2, avx512, amx, unit) [RATE_##name] = avx2,
    [AVX2] = {{
#include "compiler/analysis/rates.def"
    }},
#undef RATE
#define RATE(name, baseline, avx2, avx512, amx, unit) [RATE_##name] = avx512,
    [AVX512] = {{
#include "compiler/analysis/rates.def"
    }},
#undef RATE
#define RATE(name, baseline, avx2, avx512, amx, unit) [RATE_##name] = amx,
    [AMX] = {{
#include "compiler/analysis/rates.def"
    }},
#undef RATE
};

const struct rates *rates_of(const struct cpu_features *features)
{
    if (features->amx_bf16)
        return &table[AMX];
    if (features->avx512)
        return &table[AVX512];
    return &table[features->avx2 ? AVX2 : BASELINE];
}
