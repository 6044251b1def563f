/* standalone.h: operations with a kernel of their own (FUSION_STANDALONE). An operation that has
 * no row here is tried as an expression over loops (loops.h). */
#ifndef GANTRY_COMPILER_CODEGEN_STANDALONE_STANDALONE_H
#define GANTRY_COMPILER_CODEGEN_STANDALONE_STANDALONE_H

#include "compiler/codegen/kernels/kernel.h"

struct standalone {
    enum op_code code;
    /* Writes the body; sets k->request->work. */
    struct error *(*emit)(struct kernel *k, const struct op *op);
    /* Bytes of scratch (NULL: none), from the operation and its types alone. */
    uint64_t (*scratch)(const struct op *op, const struct target *target);
};

/* The rows of the table: <operation>_emit. */
struct error *sort_emit(struct kernel *k, const struct op *op);
uint64_t sort_scratch(const struct op *op, const struct target *target);
struct error *cholesky_emit(struct kernel *k, const struct op *op);
uint64_t cholesky_scratch(const struct op *op, const struct target *target);
struct error *triangular_solve_emit(struct kernel *k, const struct op *op);
uint64_t triangular_solve_scratch(const struct op *op, const struct target *target);
struct error *fft_emit(struct kernel *k, const struct op *op);
uint64_t fft_scratch(const struct op *op, const struct target *target);
struct error *rng_bits_emit(struct kernel *k, const struct op *op);
/* scan.c, or as an expression */
struct error *scan_emit(struct kernel *k, const struct op *op);
struct error *select_and_scatter_emit(struct kernel *k, const struct op *op);

expression_emitter rng_emit;    /* rng; other numbers at every call: rng.c */
kernel_emitter standalone_emit; /* FUSION_STANDALONE */
uint64_t standalone_scratch(const struct op *fusion, const struct target *target);

#endif
