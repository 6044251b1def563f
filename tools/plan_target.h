/* plan_target.h: plans of a session's program for one target after another: topologies of the TPU
 * model, which may have more devices than this machine could run, or this machine's devices. Not
 * thread-safe. */
#ifndef GANTRY_TOOLS_PLAN_TARGET_H
#define GANTRY_TOOLS_PLAN_TARGET_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "tools/session.h"

/* The path of the TPU model's plugin in this installation. */
struct error *plan_target_plugin(char **out /*owned: alloc_free*/);

/* Compiles the program of a loaded session for the topology (NULL: a client), even if it does not
 * fit, and returns the plan of PJRT_Gantry_Plan, of which operations, collectives, steps and
 * buffers are read by rows (json_rows.h). `capacity`: of device memory, as text; NULL: the
 * actual one. The session's former target and executable are released. */
struct error *plan_target_json(struct session *session, const char *tpu, const char *capacity,
                               cJSON **out /*owned*/);

/* Whether plan `a` is better: it fits and the other does not, or takes less time. */
bool plan_target_is_better(const cJSON *a, const cJSON *b);

enum { PLAN_TARGET_MESHES = 24, PLAN_TARGET_MESH_TEXT = 40 };
/* The meshes of one or two axes, and of three equal ones, with this number of devices; returns
 * their number. Those of two axes with the most equal sizes come first if there are too many. */
int plan_target_meshes(int devices, char out[PLAN_TARGET_MESHES][PLAN_TARGET_MESH_TEXT]);

/* Seconds that an execution of the session's program is expected to take; 0: not known. */
double plan_target_seconds(const struct session *session);

#endif
