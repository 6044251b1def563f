/* plugins.h: where plugins are on this machine: beside this program, where JAX's variables point,
 * where go-xla looks. Nothing is opened here. One thread at a time. */
#ifndef GANTRY_TOOLS_PLUGINS_H
#define GANTRY_TOOLS_PLUGINS_H

#include <stddef.h>

#include "base/error.h"

struct plugins {
    struct plugin_file {
        char *path; /* owned */
        /* static: "this installation", "PJRT_NAMES_AND_LIBRARY_PATHS", "go-xla" */
        const char *source;
    } *files; /* owned; each file once, links followed for that */
    size_t count;
};

/* Finds the plugins, those of this installation first. None is no error. */
struct error *plugins_find(struct plugins *out);
void plugins_free(struct plugins *plugins);

/* The folder of this installation's libraries: "lib" or "lib/gantry" beside the folder of the
 * running program, whichever holds our plugin; the former when neither does. */
struct error *plugins_own_folder(char **out /*owned: alloc_free*/);

#endif
