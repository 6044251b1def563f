/* rates.h: how fast a core of the host does each kind of work, by instruction set: the table
 * rates.def. Static; thread-safe. */
#ifndef GANTRY_COMPILER_ANALYSIS_RATES_H
#define GANTRY_COMPILER_ANALYSIS_RATES_H

#include "base/isa.h"

enum rate {
#define RATE(name, operations, narrow, wide, masked, matrix, unit) RATE_##name,
#include "compiler/analysis/rates.def"
#undef RATE
    RATE_COUNT
};

/* Elements of f32 in a vector of ISA_WIDE. Arithmetic of a single one takes as long. */
enum { RATES_LANES = 8 };

struct rates {
    double nanoseconds[RATE_COUNT]; /* of one unit, on one core */
};

/* Operations that a unit of work takes, on any machine. */
double rates_operations(enum rate rate);

/* Static. */
const struct rates *rates_of(enum isa_class class);

#endif
