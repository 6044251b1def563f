/* program_check.h: checks every field of a program that says what memory is touched or what a table
 * is indexed with, so that executing it stays inside its memory. The same check runs on what the
 * compiler made and on what was read from bytes.
 *
 *   boundary      element types, memory kinds, ranks, sizes and layouts are valid; bytes are those
 *                 of the sizes; aliases name each other and the memory is large enough
 *   devices       replicas, partitions and the assignment agree
 *   allocations   exactly those of the boundary, the constants and temp, in order, of their sizes
 *   slices        inside their allocations; parameters and constants are never written
 *   steps         the slices that the kind needs, large enough for every stride; kernels, plans and
 *                 channels exist; each plan belongs to one step; names are not missing
 *   custom calls  types, ranks and sizes fit the slices; attributes are sorted and whole
 *
 * Not checked: what a kernel's machine code does with the addresses it gets. */
#ifndef GANTRY_COMPILER_PROGRAM_PROGRAM_CHECK_H
#define GANTRY_COMPILER_PROGRAM_PROGRAM_CHECK_H

#include "compiler/program/program.h"

/* Errors: INTERNAL, naming the field or the step's label. Linear in the program's size.
 * Thread-safe. */
struct error *program_check(const struct program *program);

#endif
