/* fft_real.h: the last step of a transform of real rows, and the declarations it shares with fft.c:
 * the state of a transform that is being emitted, and access to the rows between its stages. */
#ifndef GANTRY_COMPILER_CODEGEN_STANDALONE_FFT_REAL_H
#define GANTRY_COMPILER_CODEGEN_STANDALONE_FFT_REAL_H

#include "compiler/codegen/kernels/kernel.h"
#include "compiler/codegen/loops/expression.h"

enum { FFT_STAGES = 40, FFT_PADDING = 64 };

struct fft_stage {
    int radix;
    int64_t s, m;
};

struct fft {
    struct kernel *k;
    struct emitter *e;
    const struct op *op;
    const struct type *type;
    enum dtype part;
    bool inverse, real;
    int64_t n, rows, items, rows_an_item; /* n: length of a complex row */
    int count;
    struct fft_stage stages[FFT_STAGES];
    LLVMValueRef scratch; /* of the current work item */
    struct affine row;
};

/* Loads number `position` of the row that stage `stage` reads (stage 0: the operand). */
struct error *fft_load(struct fft *f, int stage, const struct affine *position,
                       struct element *out);
/* Stores a result of stage `stage`: to scratch, or to the operation's result after the last
 * step. */
void fft_store(struct fft *f, int stage, const struct affine *position,
               const struct element *value);
/* Sets entry `at` of a table of constants, in the precision of the transform. */
void fft_put(const struct fft *f, void *table, int64_t at, double value);

/* Computes the transform of a real row of 2n numbers from the transform of its n pairs. */
struct error *fft_real(struct fft *f, int lanes);

#endif
