/* budget.h: limits on the size of a compile, proportional to the size of its program. Passes can
 * enlarge a small program enormously (calls are inlined, loops unrolled, constants folded). The
 * numbers are in ARCHITECTURE.md, "Budgets". Pure functions. */
#ifndef GANTRY_COMPILER_DRIVER_BUDGET_H
#define GANTRY_COMPILER_DRIVER_BUDGET_H

#include "compiler/ir/ir.h"

struct budget {
    int64_t operations; /* of the module, including those in regions */
    int64_t operands;   /* of all operations */
    size_t bytes;       /* of the compile's arena */
};

/* The budget of a program of `source_bytes`. */
struct budget budget_of(size_t source_bytes);

/* RESOURCE_EXHAUSTED with the budget and the actual number when the module exceeds the budget. */
struct error *budget_check(const struct budget *budget, const struct module *module);

#endif
