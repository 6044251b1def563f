/* auto_request.h: what a client asks of automatic sharding (passes/spmd/auto/auto_sharding.h), and
 * what it gets back. Part of the module, in its arena. */
#ifndef GANTRY_COMPILER_IR_AUTO_REQUEST_H
#define GANTRY_COMPILER_IR_AUTO_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

enum { AUTO_MAX_AXES = 6 };       /* of the mesh that a client gives */
enum { AUTO_DEFAULT_EFFORT = 8 }; /* seconds of one core, about */
enum { AUTO_MAX_EFFORT = 1000000 };

struct auto_plan;

struct auto_request {
    int axis_count; /* 0: the compiler chooses the mesh */
    int64_t axis_sizes[AUTO_MAX_AXES];
    const int64_t *device_ids; /* row-major; NULL: 0, 1, 2 ... */
    uint64_t memory_bytes;     /* that a device's plan may need; 0: what the device has */
    /* How long to search, as the number of seconds that it takes about. The work is counted in
     * operations planned, never in seconds, so answers do not depend on the machine's load. */
    int64_t effort;
    struct auto_plan **made; /* where to leave how the answer was found (program/auto_plan.h), in
                              * the module's arena; NULL: nowhere */
};

#endif
