/* session.h: what `gantry run` and `gantry bench` have in common: a program, compiled on a plugin's
 * first device, with its inputs there. Zero it, let session_option() read the command line, then
 * session_open(). One thread at a time. */
#ifndef GANTRY_TOOLS_SESSION_H
#define GANTRY_TOOLS_SESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/abi.h"
#include "tools/tensor.h"

enum { SESSION_MOST_INPUTS = 1024 };

struct session {
    /* as the command line says; all borrowed from it */
    const char *program_path, *plugin_path, *format, *options_path;
    const char *inputs[SESSION_MOST_INPUTS];
    size_t input_count;

    /* from session_open() on */
    struct abi_plugin plugin;
    PJRT_Client *client;
    PJRT_Device *device;
    PJRT_LoadedExecutable *executable;
    PJRT_Buffer **arguments; /* input_count of them */
    PJRT_Buffer **outputs;   /* of the last run, output_count of them; NULLs before */
    size_t output_count;
    double compile_seconds, compile_cpu_seconds;
    bool loaded; /* the plugin is there: what fails from now on is not its absence */
};

/* Takes argument `*i` of a command, and its value behind it, if it is one of the session's: the
 * program, --plugin, --format, --options, --input. `*taken` says so. INVALID_ARGUMENT when a value
 * is missing. */
struct error *session_option(struct session *session, int argc, char **argv, int *i, bool *taken);

/* The value of an option that has one: "--name=value" or "--name" "value"; `*value` is NULL when
 * argv[*i] is another. */
struct error *session_value(const char *name, int argc, char **argv, int *i, const char **value);

/* Loads the plugin (without --plugin: the first that is found), compiles the program, uploads its
 * inputs. */
struct error *session_open(struct session *session);
/* Runs the program once and waits for it; outputs of the run before are destroyed. */
struct error *session_run(struct session *session);
/* Copies an output to host memory. */
struct error *session_output(struct session *session, size_t i, struct tensor *out /*owned*/);
void session_close(struct session *session); /* also half-open ones */

/* Seconds of a clock that only grows, and of the process's CPU time. */
double session_seconds(void);
double session_cpu_seconds(void);

#endif
