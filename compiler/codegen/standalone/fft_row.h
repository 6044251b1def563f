/* fft_row.h: a transform that is being emitted, and access to its rows between the stages (see
 * fft.c). The first stage reads the operand, the last step writes the result; between them the real
 * and imaginary parts are stored separately, in two buffers of scratch that alternate. */
#ifndef GANTRY_COMPILER_CODEGEN_STANDALONE_FFT_ROW_H
#define GANTRY_COMPILER_CODEGEN_STANDALONE_FFT_ROW_H

#include "compiler/codegen/kernels/kernel.h"
#include "compiler/codegen/loops/expression.h"

enum { FFT_MAX_STAGES = 40, FFT_PADDING = 64 };

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
    struct fft_stage stages[FFT_MAX_STAGES];
    LLVMValueRef scratch; /* of the current work item */
    struct affine row;
};

/* The size of one buffer in scratch, in parts of numbers: both parts of all numbers; of real rows
 * padded so that a vector load may read past the end. */
int64_t fft_row_parts(const struct fft *f);

/* Loads number `position` of the row that stage `stage` reads (stage 0: the operand). */
struct error *fft_row_load(struct fft *f, int stage, const struct affine *position,
                           struct element *out);
/* Stores a result of stage `stage`: to scratch, or to the operation's result after the last
 * step. */
void fft_row_store(struct fft *f, int stage, const struct affine *position,
                   const struct element *value);
/* Sets entry `at` of a table of constants, in the precision of the transform. */
void fft_row_put(const struct fft *f, void *table, int64_t at, double value);

#endif
