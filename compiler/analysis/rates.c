/* rates.c: see rates.h. */
#include "compiler/analysis/rates.h"

static const struct rates table[ISA_CLASSES] = {
#define RATE(name, operations, narrow, wide, masked, matrix, unit) [RATE_##name] = narrow,
    [ISA_NARROW] = {{
#include "compiler/analysis/rates.def"
    }},
#undef RATE
#define RATE(name, operations, narrow, wide, masked, matrix, unit) [RATE_##name] = wide,
    [ISA_WIDE] = {{
#include "compiler/analysis/rates.def"
    }},
#undef RATE
#define RATE(name, operations, narrow, wide, masked, matrix, unit) [RATE_##name] = masked,
    [ISA_MASKED] = {{
#include "compiler/analysis/rates.def"
    }},
#undef RATE
#define RATE(name, operations, narrow, wide, masked, matrix, unit) [RATE_##name] = matrix,
    [ISA_MATRIX] = {{
#include "compiler/analysis/rates.def"
    }},
#undef RATE
};

static const double operations_of[RATE_COUNT] = {
#define RATE(name, operations, narrow, wide, masked, matrix, unit) [RATE_##name] = operations,
#include "compiler/analysis/rates.def"
#undef RATE
};

double rates_operations(enum rate rate)
{
    return operations_of[rate];
}

const struct rates *rates_of(enum isa_class class)
{
    return &table[class];
}
