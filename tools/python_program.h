/* python_program.h: programs from Python: a function with example arguments, which an interpreter
 * lowers to StableHLO text (python/gantry_pjrt/lower.py). Not thread-safe. */
#ifndef GANTRY_TOOLS_PYTHON_PROGRAM_H
#define GANTRY_TOOLS_PYTHON_PROGRAM_H

#include <stddef.h>

#include "base/error.h"

struct python_program {    /* from the command line; borrowed */
    const char *source;    /* FILE.py:FUNCTION or MODULE:FUNCTION */
    const char *arguments; /* a Python expression; NULL: the module's example_args */
    const char *platform;  /* that JAX lowers for: "cpu", "tpu"; NULL: "cpu" */
    int devices;           /* that JAX gets while it lowers; 0: its default */
};

/* Runs the interpreter GANTRY_PYTHON (default: python3) and waits for it. Output of the user's code
 * goes to standard error, like the interpreter's own messages. Errors: NOT_FOUND without an
 * interpreter or lower.py, INVALID_ARGUMENT if the interpreter fails. */
struct error *python_program_read(const struct python_program *program,
                                  char **out /*owned: alloc_free*/, size_t *size);

#endif
