/* commands.h: the subcommands of `gantry`. Each is implemented in cmd_<name>.c, except bench, which
 * is in cmd_benchmark.c because the suffix _bench.c is for benchmarks, and completion, version and
 * help, which are in gantry.c. The manual of each is in manual.c. */
#ifndef GANTRY_TOOLS_COMMANDS_H
#define GANTRY_TOOLS_COMMANDS_H

#include "base/error.h"

/* The exit status of the process. */
enum exit_code { EXIT_DONE, EXIT_FAILED, EXIT_USAGE, EXIT_NO_PLUGIN, EXIT_DOES_NOT_FIT };

/* Runs a subcommand with the arguments after its name. Prints results on stdout, and messages on
 * stderr with commands_fail(). */
typedef enum exit_code command_run(int argc, char **argv);

command_run cmd_info_run, cmd_run_run, cmd_env_run, cmd_benchmark_run, cmd_topo_run, cmd_plan_run,
    cmd_explore_run, cmd_launch_run, cmd_cts_run, cmd_doctor_run, cmd_top_run, cmd_completion_run,
    cmd_version_run, cmd_help_run;

/* Prints "gantry: CODE: message", frees the error (moved) and returns `code`. */
enum exit_code commands_fail(enum exit_code code, struct error *error);
/* INVALID_ARGUMENT for an unknown argument of a subcommand, with the option of its manual that was
 * probably meant. */
struct error *commands_unknown(const char *command, const char *argument);

#endif
