/* isa.h: the abilities of a processor's vector unit, as data, for passes and code generation. Only
 * base/cpu, isa.c, codegen/link and hand-written kernels name processor features. A new instruction
 * set is a case of isa_of(), and its LLVM intrinsics are rows of
 * codegen/link/vector_intrinsics.c. */
#ifndef GANTRY_BASE_ISA_H
#define GANTRY_BASE_ISA_H

#include "base/cpu.h"

/* How fast a core is, in the columns of compiler/analysis/rates.def. */
enum isa_class {
    ISA_NARROW, /* vectors of 16 bytes */
    ISA_WIDE,   /* ... of 32 */
    ISA_MASKED, /* ... of 64; masks in every instruction */
    ISA_MATRIX, /* and a unit that multiplies matrices */
    ISA_CLASSES
};

struct isa {
    enum isa_class class;
    int vector_bytes;       /* width of generated vector code */
    bool fma;               /* multiplies and adds with one rounding */
    bool half;              /* converts between f16 and f32 */
    bool bf16;              /* multiplies bf16, and rounds f32 to it */
    bool masks;             /* loads and stores some elements of 32 and 64 bits of a vector */
    bool narrow_masks;      /* ... and of 8 and 16 bits */
    bool unsigned_to_float; /* converts between floats and unsigned integers of 32 bits */
    bool scales;            /* x 2^n, and special values by a table, with an instruction each */
    bool compresses;        /* stores selected elements side by side: sorts by partition */
    int permutes_8, permutes_16; /* registers of 8, 16 elements of 32 bits that one instruction
                                  * permutes by indices: 0 to 2 */
    const struct cpu_features *features; /* for codegen/link alone; static */
};

/* Of a processor with these features (static), and the widest vectors that code should use. */
struct isa isa_of(const struct cpu_features *features);

#endif
