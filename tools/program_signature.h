/* program_signature.h: the types of a program's arguments, to check inputs before a compilation and
 * to show how to pass them. Not thread-safe. */
#ifndef GANTRY_TOOLS_PROGRAM_SIGNATURE_H
#define GANTRY_TOOLS_PROGRAM_SIGNATURE_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "tools/abi.h"
#include "tools/tensor.h"

struct program_signature {
    cJSON *json;           /* owned; NULL: the plugin does not report signatures */
    const cJSON *function; /* in it: the function that runs; NULL: unknown */
};

/* Reads a program without compiling it. `function`: NULL for @main. With a plugin that does not
 * report signatures *out is zeroed. Errors: those of reading the program. On error *out is
 * zeroed. */
struct error *program_signature_read(const PJRT_Api *api, const struct abi_program *program,
                                     const char *function, struct program_signature *out);
void program_signature_free(struct program_signature *signature);

/* Whether the function is known and has arguments. */
bool program_signature_has_arguments(const struct program_signature *signature);
/* Whether the type of an argument leaves sizes open. */
bool program_signature_has_unknown_sizes(const struct program_signature *signature);
/* The types of the function's arguments and results, and an example command; two lines. */
struct error *program_signature_describe(const struct program_signature *signature,
                                         const char *program_path,
                                         char **out /*owned: alloc_free*/);

/* Inputs for all `*count` arguments, as --input takes them, each with a NUL behind it: random
 * numbers, 1 of single elements and predicates, 8 for sizes that are open. *out is owned:
 * alloc_free. */
struct error *program_signature_inputs(const struct program_signature *signature, char **out,
                                       size_t *count);

/* INVALID_ARGUMENT unless the inputs have the number and types of the function's arguments. The
 * message names the file of the program, has the signature, and an example command with `words`,
 * which name the program on a command line. An unknown function accepts everything. */
struct error *program_signature_check(const struct program_signature *signature,
                                      const char *program_path, const char *words,
                                      const struct tensor *inputs, size_t count);

#endif
