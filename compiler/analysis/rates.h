/* rates.h: how fast a core of the host does each kind of work, by instruction set: the table
 * rates.def. Static; thread-safe. */
#ifndef GANTRY_COMPILER_ANALYSIS_RATES_H
#define GANTRY_COMPILER_ANALYSIS_RATES_H

#include "base/cpu.h"

enum rate {
#define RATE(name, baseline, avx2, avx512, amx, unit) RATE_##name,
#include "compiler/analysis/rates.def"
#undef RATE
    RATE_COUNT
};

struct rates {
    double nanoseconds[RATE_COUNT]; /* of one unit, on one core */
};

/* Those of the widest instruction set that the features have. Static. */
const struct rates *rates_of(const struct cpu_features *features);

#endif
