/* topo_view.h: the machine of PJRT_Gantry_Machine, parsed from JSON for display. Not
 * thread-safe. */
#ifndef GANTRY_TOOLS_TOPO_VIEW_H
#define GANTRY_TOOLS_TOPO_VIEW_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

struct topo_cpu {
    int number, core; /* core -1: offline */
    bool allowed, worker;
};

struct topo_core {
    int package, node;      /* -1: unknown */
    int cpu_count, allowed; /* processors of the core, and those that the process may use */
    int first_cpu;
    bool worker; /* a worker is pinned to one of its processors */
};

enum { TOPO_VIEW_LEVELS = 4 };
struct topo_node {
    int package; /* -1: none */
    double bytes;
    double caches[TOPO_VIEW_LEVELS]; /* of its first core, by level - 1; 0: none */
    bool has_cores, allowed, usable;
    int core_count;
};

struct topo_view {
    const cJSON *json; /* borrowed */
    int package_count, node_count, core_count, cpu_count;
    struct topo_node *nodes; /* owned, like the next two */
    struct topo_core *cores;
    struct topo_cpu *cpus;
    int offline, closed; /* processors that are offline; online, but not allowed for this process */
    int width, pinned;   /* number of workers; number of cores that they are pinned to */
};

/* *out is owned: topo_view_free. Errors: INVALID_ARGUMENT for JSON that does not have the
 * extension's format. */
struct error *topo_view_read(const cJSON *json, struct topo_view *out);
void topo_view_free(struct topo_view *view);

/* Formats a size, as in "16 GiB", "1.5 MiB" or "0 B", in `out`, and returns it. */
enum { TOPO_VIEW_SIZE = 24 };
const char *topo_view_bytes(double bytes, char out[TOPO_VIEW_SIZE]);
/* Formats the caches of a node, as in "caches L1 32 KiB, L2 1 MiB, L3 32 MiB"; "" for none. */
enum { TOPO_VIEW_CACHES = 96 };
const char *topo_view_caches(const struct topo_node *node, char out[TOPO_VIEW_CACHES]);
/* A member of an object as a number (0 if it is not one), a boolean, or a string ("" if it is not
 * one). */
double topo_view_number(const cJSON *object, const char *name);
bool topo_view_truth(const cJSON *object, const char *name);
const char *topo_view_text(const cJSON *object, const char *name);
/* The placement of memory, from an object with "node": "on node 1", "interleaved" or "on any
 * node". */
const char *topo_view_place(const cJSON *object, char out[TOPO_VIEW_SIZE]);

/* Print the machine as text or as an SVG picture. */
void topo_text_print(const struct topo_view *view, struct text *out);
void topo_svg_print(const struct topo_view *view, struct text *out);

#endif
