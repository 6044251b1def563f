/* module_outline.h: what a program does, in a few numbers, so that a report can say why another
 * program of the same name was compiled: other operations, or only other constants. */
#ifndef GANTRY_COMPILER_ANALYSIS_MODULE_OUTLINE_H
#define GANTRY_COMPILER_ANALYSIS_MODULE_OUTLINE_H

#include <stdint.h>

struct module; /* compiler/ir/ir.h */

enum { OUTLINE_CONSTANTS = 16, OUTLINE_VALUE = 40, OUTLINE_PLACE = 80 };

struct module_outline { /* owns nothing: to be copied */
    /* Hashes, stable between processes: of the operations with their attributes, element types and
     * ranks, without sizes; and of the contents of all constants. */
    uint64_t operations, constants;
    int count; /* of the first constants, in program order */
    struct outline_constant {
        uint64_t hash;
        char value[OUTLINE_VALUE]; /* as in the printed program, truncated */
        char place[OUTLINE_PLACE]; /* "train.py:12"; "" where the program does not say */
    } first[OUTLINE_CONSTANTS];
};

/* Of all functions of a module. Linear in the module. Pure. */
void module_outline(const struct module *module, struct module_outline *out);

/* The index of the first listed constant whose contents differ, -1: the listed ones are equal. */
int module_outline_changed(const struct module_outline *a, const struct module_outline *b);

#endif
