/* session.h: shared by `gantry run` and `gantry bench`: a program compiled for the first device of
 * a plugin, with its inputs on that device. Zero the struct, pass the command line to
 * session_option(), then call session_open(). Not thread-safe. */
#ifndef GANTRY_TOOLS_SESSION_H
#define GANTRY_TOOLS_SESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/abi.h"
#include "tools/python_program.h"
#include "tools/tensor.h"

enum { SESSION_MAX_INPUTS = 1024 };

struct session {
    /* from the command line; borrowed */
    const char *program_path; /* or FILE.py:FUNCTION of --python */
    const char *plugin_path, *format, *options_path, *function;
    struct python_program python; /* with a source: where the program comes from */
    const char *inputs[SESSION_MAX_INPUTS];
    size_t input_count;
    int partitions;           /* of the program; 0: those that the program or --options say */
    bool auto_sharding;       /* the compiler chooses the shardings (docs/auto_sharding.md) */
    const char *auto_mesh;    /* over a mesh of these sizes, like 4x4; NULL: of one axis */
    const char *auto_seconds; /* effort, as text; NULL: the compiler's default */
    /* Set by the command: without inputs, session_open() only describes a program that needs some.
     */
    bool describe;
    bool fill; /* set by the command: without inputs, they are made up (program_signature_inputs) */

    /* from session_open() on */
    char *description; /* signature and example of a program that was not compiled; owned */
    char *code;        /* the program; owned */
    char *made_up;     /* inputs; owned */
    /* The types of the inputs, for a program that leaves sizes open; owned. NULL: not needed */
    char *argument_shapes;
    size_t code_size;
    struct abi_plugin plugin;
    PJRT_Client *client;
    PJRT_Device *device;
    PJRT_LoadedExecutable *executable;
    PJRT_TopologyDescription *topology; /* to compile for, instead of the client */
    PJRT_Executable *compiled;          /* for the topology; NULL otherwise */
    PJRT_Buffer **arguments;            /* input_count of them */
    PJRT_Buffer **outputs; /* output_count outputs of the last run; NULLs before the first run */
    size_t output_count;
    double compile_seconds, compile_cpu_seconds;
    bool loaded; /* the plugin was loaded: later errors do not mean that it is missing */
};

/* Consumes argument `*i` of a command, and the value that follows it, if it is an option of the
 * session: the program, --python, --args, --plugin, --format, --options, --function, --input.
 * `*taken`: whether it was. INVALID_ARGUMENT if a value is missing. */
struct error *session_option(struct session *session, int argc, char **argv, int *i, bool *taken);

/* Returns the value of an option: "--name=value" or "--name" "value". `*value` is NULL if argv[*i]
 * is another argument. */
struct error *session_value(const char *name, int argc, char **argv, int *i, const char **value);

/* Only loads the plugin (without --plugin: the first one found). */
struct error *session_load(struct session *session);
/* Loads the plugin (without --plugin: the first one found), checks the inputs against the program's
 * signature where the plugin reports it, compiles the program and uploads its inputs. */
struct error *session_open(struct session *session);
/* Reads the inputs and checks them against the program's signature, for commands that do not run
 * the program. Part of session_open(). */
struct error *session_check_inputs(struct session *session);
/* Compiles the program on session->client, which is part of session_open(), or for
 * session->topology. */
struct error *session_compile(struct session *session);
/* Runs the program once and waits for completion; destroys the outputs of the previous run. */
struct error *session_run(struct session *session);
/* Copies an output to host memory. */
struct error *session_output(struct session *session, size_t i, struct tensor *out /*owned*/);
void session_close(struct session *session); /* accepts partly opened sessions */

/* Seconds of a monotonic clock, and CPU seconds of the process. */
double session_seconds(void);
double session_cpu_seconds(void);

#endif
