/* step_label.h: the parts of a label of a step or of an operation of a model's plan:
 *
 *     fusion.3: jit(f)/tanh (model.py:12:3)
 *     name      operation    file     line
 *
 * All but the name may be missing. */
#ifndef GANTRY_COMPILER_PROGRAM_STEP_LABEL_H
#define GANTRY_COMPILER_PROGRAM_STEP_LABEL_H

#include <stddef.h>

struct step_label {                      /* borrowed from the label; not NUL-terminated */
    const char *name, *operation, *file; /* operation, file: NULL if missing */
    size_t name_size, operation_size, file_size;
    int line; /* 0: unknown */
};

/* `label` may be NULL: then the name is "step". */
struct step_label step_label(const char *label);

#endif
