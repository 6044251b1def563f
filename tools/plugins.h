/* plugins.h: finds the plugins on this machine: next to this program, in JAX's environment
 * variables, and in the folders that go-xla searches. Opens no plugin. Not thread-safe. */
#ifndef GANTRY_TOOLS_PLUGINS_H
#define GANTRY_TOOLS_PLUGINS_H

#include <stddef.h>

#include "base/error.h"

struct plugins {
    struct plugin_file {
        char *path; /* owned */
        /* static: "this installation", "PJRT_NAMES_AND_LIBRARY_PATHS", "go-xla" */
        const char *source;
    } *files; /* owned; each file once, after resolving links */
    size_t count;
};

/* Finds the plugins, those of this installation first. Finding none is not an error. */
struct error *plugins_find(struct plugins *out);
void plugins_free(struct plugins *plugins);

/* The folder of this installation's libraries: "lib" or "lib/gantry" next to the folder of the
 * running program, whichever has Gantry's plugin; the former if neither has it. */
struct error *plugins_own_folder(char **out /*owned: alloc_free*/);

#endif
