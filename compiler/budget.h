/* budget.h: how large a compile may grow, by the size of the program that it was given. Passes
 * make programs larger (calls are inlined, loops unrolled, constants folded), and a small program
 * may ask for a very large one. Numbers: ARCHITECTURE.md, "Budgets". Pure functions. */
#ifndef GANTRY_COMPILER_BUDGET_H
#define GANTRY_COMPILER_BUDGET_H

#include "compiler/ir/ir.h"

struct budget {
    int64_t operations; /* of the module, those inside of regions included */
    int64_t operands;   /* of all of them */
    size_t bytes;       /* of the compile's arena */
};

/* Of a program of `source_bytes` in any of the formats. */
struct budget budget_of(size_t source_bytes);

/* RESOURCE_EXHAUSTED, naming the budget and what exceeds it. */
struct error *budget_check(const struct budget *budget, const struct module *module);

#endif
