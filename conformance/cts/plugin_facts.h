/* plugin_facts.h: what a report says about a plugin besides its results. Found in a child process,
 * so that a plugin that crashes while it is asked does no harm. */
#ifndef GANTRY_CONFORMANCE_PLUGIN_FACTS_H
#define GANTRY_CONFORMANCE_PLUGIN_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum { FACTS_MAX_ATTRIBUTES = 32 };

struct plugin_attribute {
    char name[64], value[192];
};

struct plugin_facts {
    bool has_table; /* the library could be opened and has a table; else `problem` says why not */
    bool has_client;
    char problem[1024]; /* why there is no table, or no client */
    int major, minor;   /* of PJRT */
    size_t table_size;
    char extensions[256];                                     /* their types: "1 5 8" */
    struct plugin_attribute attributes[FACTS_MAX_ATTRIBUTES]; /* of PJRT_Plugin_Attributes */
    size_t attribute_count;
    char platform[128], platform_version[512], device_kind[128];
    size_t device_count, addressable_count;
};

/* Opens the plugin in a child process and fills `out`. A plugin that cannot be opened is no error.
 * RESOURCE_EXHAUSTED without memory or processes. */
struct error *plugin_facts_read(const char *path, struct plugin_facts *out);

#endif
