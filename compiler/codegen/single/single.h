/* single.h: operations with a kernel of their own (FUSION_SINGLE). An operation that has no row
 * here is tried as an expression over loops (loops.h). */
#ifndef GANTRY_COMPILER_CODEGEN_SINGLE_SINGLE_H
#define GANTRY_COMPILER_CODEGEN_SINGLE_SINGLE_H

#include "compiler/codegen/kernel.h"

struct single {
    enum op_code code;
    /* Writes the body; sets k->request->work. */
    struct error *(*emit)(struct kernel *k, const struct op *op);
    /* Bytes of scratch (NULL: none), from the operation and its types alone. */
    uint64_t (*scratch)(const struct op *op, const struct target *target);
};

/* The rows: single_<operation>, one file a family. */
struct error *single_sort(struct kernel *k, const struct op *op);
uint64_t single_sort_scratch(const struct op *op, const struct target *target);
struct error *single_cholesky(struct kernel *k, const struct op *op);
uint64_t single_cholesky_scratch(const struct op *op, const struct target *target);
struct error *single_triangular_solve(struct kernel *k, const struct op *op);
uint64_t single_triangular_solve_scratch(const struct op *op, const struct target *target);
struct error *single_fft(struct kernel *k, const struct op *op);
uint64_t single_fft_scratch(const struct op *op, const struct target *target);
struct error *single_random_bits(struct kernel *k, const struct op *op);
/* single_scan.c, or as an expression */
struct error *single_reduce_window(struct kernel *k, const struct op *op);
struct error *single_select_and_scatter(struct kernel *k, const struct op *op);

struct error *single_emit(struct kernel *k);
uint64_t single_scratch(const struct op *fusion, const struct target *target);

#endif
