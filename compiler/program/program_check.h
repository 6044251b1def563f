/* program_check.h: checks every field of a program that determines a memory access or a table
 * index, so that execution stays inside the program's memory. The same check runs on compiled and
 * on deserialized programs.
 *
 *   boundary      element types, memory kinds, ranks, sizes and layouts are valid; bytes are those
 *                 of the sizes; aliases name each other and the memory is large enough
 *   devices       replicas, partitions and the assignment agree
 *   allocations   exactly those of the boundary, the constants and the temporaries, in order, of
 *                 their sizes and memory kinds
 *   buffers       inside results or temporaries, in use from one step to another, sorted
 *   slices        inside their allocations, at every index that moves them; parameters and
 *                 constants are never written
 *   steps         the slices that the kind needs, large enough for every stride; kernels, plans and
 *                 channels exist; each plan belongs to one step; names are not missing
 *   custom calls  types, ranks and sizes fit the slices; attributes are sorted and complete
 *
 * Not checked: the memory accesses of the kernels' machine code. */
#ifndef GANTRY_COMPILER_PROGRAM_PROGRAM_CHECK_H
#define GANTRY_COMPILER_PROGRAM_PROGRAM_CHECK_H

#include "compiler/program/program.h"

/* Errors: INTERNAL, naming the field or the label of the step. Linear in the size of the program.
 * Thread-safe. */
struct error *program_check(const struct program *program);

#endif
