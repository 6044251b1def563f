/* auto_options.h: the compile options of automatic sharding: fields of ExecutableBuildOptions
 * (use_auto_spmd_partitioning and its mesh), options by name, and the variable GANTRY_AUTO_SHARDING
 * for clients that cannot set either.
 *
 *   gantry_auto_sharding           bool
 *   gantry_auto_sharding_mesh      "4x4": sizes of the mesh's axes, major to minor
 *   gantry_auto_sharding_memory    bytes of a device's memory that the plan may need, like 12G
 *   gantry_auto_sharding_seconds   how long to search, about; counted in work, never in time
 *
 * All errors are INVALID_ARGUMENT with what is allowed. */
#ifndef GANTRY_COMPILER_FRONTEND_AUTO_OPTIONS_H
#define GANTRY_COMPILER_FRONTEND_AUTO_OPTIONS_H

#include "base/arena.h"
#include "base/error.h"
#include "compiler/ir/auto_request.h"

/* The value of an option by name; one of the two is given. */
struct auto_option {
    const char *name;
    const char *text; /* NULL: a number */
    double number;
};

/* Whether the name is one of the options, but for gantry_auto_sharding itself. */
bool auto_options_is_known(const char *name);
struct error *auto_options_read(const struct auto_option *option, struct auto_request *out);

/* A mesh of `axes` sizes; `ids` (id_count of them; 0: none given) number its devices row-major. */
struct error *auto_options_mesh(struct arena *arena, size_t axes, const int64_t *sizes,
                                size_t id_count, const int64_t *ids, struct auto_request *out);
/* Checks ids that a client gives without sizes, as of all `devices` of the program: 0, 1, ... each
 * once, in any order. */
struct error *auto_options_ids(struct arena *arena, int64_t devices, size_t id_count,
                               const int64_t *ids);

#endif
