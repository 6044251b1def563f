/* pool_cores.h: the cores that the pool's workers are pinned to. Linux only; thread-safe. */
#ifndef GANTRY_BASE_POOL_CORES_H
#define GANTRY_BASE_POOL_CORES_H

enum { POOL_CORES_MAX = 8192 }; /* numbers of cores are below it */

/* Writes the numbers of `width` cores of this process's mask to `cpus`, one for each worker, those
 * of a group side by side, and returns `width`; or returns 0: workers are not pinned. GANTRY_PIN
 * decides; by default they are pinned if other processes are unlikely to run on these cores, since
 * a pinned worker that shares its core would be slower than a floating one. `group_of`: the group
 * of a core; NULL: all are in one. */
int pool_cores_plan(int (*group_of)(int cpu), int *cpus, int width);

/* Pins the calling thread. Does nothing if `cpu` < 0 or if the system refuses. */
void pool_cores_pin(int cpu);

#endif
