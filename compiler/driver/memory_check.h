/* memory_check.h: refuses a program that cannot fit into the device's memories when it is compiled,
 * not when it runs. Thread-safe. */
#ifndef GANTRY_COMPILER_DRIVER_MEMORY_CHECK_H
#define GANTRY_COMPILER_DRIVER_MEMORY_CHECK_H

#include "compiler/program/program.h"
#include "compiler/target.h"

/* RESOURCE_EXHAUSTED when the peak (program_memory.h) of a memory kind is larger than its capacity:
 * what is needed for what, how much there is, the largest values at the peak with their operations
 * and source lines, and what to do. A program that just fits passes, and any program of a target
 * that plans only. */
struct error *memory_check(const struct program *program, const struct target *target);

#endif
