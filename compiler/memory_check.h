/* memory_check.h: refuses a program that cannot fit into the device's memory when it is compiled,
 * not when it runs. Pure function, thread-safe. */
#ifndef GANTRY_COMPILER_MEMORY_CHECK_H
#define GANTRY_COMPILER_MEMORY_CHECK_H

#include "compiler/program/program.h"
#include "compiler/target.h"

/* RESOURCE_EXHAUSTED, stating what is needed for what and how much there is. A result that takes a
 * parameter's memory needs none of its own. */
struct error *memory_check(const struct program *program, const struct target *target);

#endif
