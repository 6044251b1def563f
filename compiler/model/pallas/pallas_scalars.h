/* pallas_scalars.h: the scalar integers of a Pallas kernel that are known without running it: the
 * indices of the grid and what is computed of them. Which branches a step takes, how often its
 * loops run and which blocks it works on follows from these; what is loaded from memory is not
 * known. */
#ifndef GANTRY_COMPILER_MODEL_PALLAS_PALLAS_SCALARS_H
#define GANTRY_COMPILER_MODEL_PALLAS_PALLAS_SCALARS_H

#include "compiler/kernel_ir/kernel_ir.h"

struct pallas_scalars { /* of one function */
    struct pallas_scalar {
        int64_t value;
        bool known;
        bool profiled;           /* libtpu's static profiles know it, too */
    } *at;                       /* by the id of the value */
    struct pallas_scalar *moved; /* during pallas_scalars_move() */
};

/* None is known. In the arena. */
struct pallas_scalars pallas_scalars(struct arena *arena, const struct kernel_function *function);

void pallas_scalars_set(struct pallas_scalars *scalars, const struct kernel_value *value,
                        int64_t known);
void pallas_scalars_forget(struct pallas_scalars *scalars, const struct kernel_value *value);
/* *out is the value if it is known; else false. */
bool pallas_scalars_get(const struct pallas_scalars *scalars, const struct kernel_value *value,
                        int64_t *out);
/* The same for what libtpu's static profiles know: nothing that comes from a remainder of signed
 * numbers (arith.remsi), as 27 kernels with one formula of an index each show. */
bool pallas_scalars_get_profiled(const struct pallas_scalars *scalars,
                                 const struct kernel_value *value, int64_t *out);
/* What a loop carries: `values` become as many `targets` at once. Those that are not known are
 * forgotten. */
void pallas_scalars_move(struct pallas_scalars *scalars, int count,
                         const struct kernel_value *const *values,
                         const struct kernel_value *targets);
/* Computes the result of an operation without regions from what is known of its operands; results
 * that do not follow from them are forgotten. */
void pallas_scalars_compute(struct pallas_scalars *scalars, const struct kernel_op *op);

#endif
