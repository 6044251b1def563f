/* standalone.h: operations with kernel emitters of their own (FUSION_STANDALONE). An operation
 * without an entry here is emitted as an expression in a loop nest (loops.h) if possible. */
#ifndef GANTRY_COMPILER_CODEGEN_STANDALONE_STANDALONE_H
#define GANTRY_COMPILER_CODEGEN_STANDALONE_STANDALONE_H

#include "compiler/codegen/kernels/kernel.h"

struct standalone {
    enum op_code code;
    /* Emits the body and sets k->request->work. */
    struct error *(*emit)(struct kernel *k, const struct op *op);
    /* Bytes of scratch, from the operation and its types alone. NULL: none. */
    uint64_t (*scratch)(const struct op *op, const struct target *target);
};

/* Entries of the table: <operation>_emit and <operation>_scratch. */
struct error *sort_emit(struct kernel *k, const struct op *op);
uint64_t sort_scratch(const struct op *op, const struct target *target);
struct error *cholesky_emit(struct kernel *k, const struct op *op);
uint64_t cholesky_scratch(const struct op *op, const struct target *target);
struct error *triangular_solve_emit(struct kernel *k, const struct op *op);
uint64_t triangular_solve_scratch(const struct op *op, const struct target *target);
struct error *lu_emit(struct kernel *k, const struct op *op);
struct error *rng_bits_emit(struct kernel *k, const struct op *op);
/* scan.c; other windows are emitted as expressions */
struct error *scan_emit(struct kernel *k, const struct op *op);
struct error *select_and_scatter_emit(struct kernel *k, const struct op *op);

expression_emitter rng_emit;    /* rng; different numbers at every call: rng.c */
kernel_emitter standalone_emit; /* FUSION_STANDALONE */
uint64_t standalone_scratch(const struct op *fusion, const struct target *target);

#endif
