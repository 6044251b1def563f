/* commands.h: the verbs of `gantry`. Each has a file, cmd_<verb>.c, but bench: cmd_measure.c, as
 * x_bench.c is a measurement of x. */
#ifndef GANTRY_TOOLS_COMMANDS_H
#define GANTRY_TOOLS_COMMANDS_H

#include "base/error.h"

/* What the process ends with. */
enum exit_code { EXIT_DONE, EXIT_FAILED, EXIT_USAGE, EXIT_NO_PLUGIN };

/* Runs with the arguments behind the verb: prints its results on stdout, and messages on stderr by
 * commands_fail(). */
typedef enum exit_code command_run(int argc, char **argv);

command_run cmd_info_run, cmd_run_run, cmd_env_run, cmd_measure_run;

/* Prints "gantry: CODE: message", frees the error (moved) and returns `code`. */
enum exit_code commands_fail(enum exit_code code, struct error *error);
/* The same for an argument that a verb does not know. */
enum exit_code commands_unknown(const char *argument);

#endif
