/* topology.h: slices of TPUs: their devices, the position of each, and its process.
 *
 * A topology is written as the TPU's compiler reads it, with options behind it:
 *
 *     v5e:4x4
 *     v4:2x2x4,chip_config_name=megacore
 *     v5e:2x4,chips_per_host_bounds=2x4x1,num_slices=2
 *     v5e:2x4,numerics=f32
 *
 * chips_per_host_bounds are the chips of one process (default: 2x2x1); each dimension of the slice
 * is a multiple. All functions are thread-safe. */
#ifndef GANTRY_DEVICES_TPU_TOPOLOGY_H
#define GANTRY_DEVICES_TPU_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "devices/tpu/spec.h"

enum { TPU_MAX_DEVICES = 65536, TPU_TOPOLOGY_TEXT = 160 };

/* Products of f32: as the matrix units compute them, or in plain f32. */
enum tpu_numerics { TPU_NUMERICS_UNSET, TPU_NUMERICS_TPU, TPU_NUMERICS_F32 };

struct tpu_topology {
    const struct tpu_spec *spec;
    int bounds[3]; /* chips of a slice; x varies fastest */
    int host[3];   /* chips of a process */
    int slices;
    bool twisted; /* the torus is; coordinates are the same */
    enum tpu_numerics numerics;
};

struct tpu_place { /* of one device */
    int id;        /* in the order of coordinates; of several slices 100000 * (slice + 1) + it */
    int process_index, slice_index;
    int64_t coords[3], core_on_chip;
};

/* Who the topology is for. */
enum tpu_user {
    TPU_DESCRIPTION, /* a program compiled ahead of time: processes as on the machine */
    TPU_CLIENT,      /* a client, which has every device: one process, unless bounds are given */
};

/* Reads a topology. INVALID_ARGUMENT for one that does not exist (the message lists valid ones);
 * NOT_FOUND for a chip configuration that the generation does not have. */
struct error *tpu_topology_parse(const char *text, enum tpu_user user, struct tpu_topology *out);

/* The usual slice of this number of chips, as for accelerator types ("v5litepod-16"): powers of two
 * as equal as possible. INVALID_ARGUMENT when there is none. The host bounds are the whole. */
struct error *tpu_topology_of_chips(const struct tpu_spec *spec, int64_t chips,
                                    struct tpu_topology *out);

/* Reads bounds like "2,2,1" or "2x2x1": one to three numbers, the rest is 1. False when it is not
 * of that form or a number is not in [1, 4096]. */
bool tpu_bounds_parse(const char *text, int out[3]);

/* Checks bounds that come from elsewhere than a text. INVALID_ARGUMENT names the allowed values. */
struct error *tpu_topology_check(const struct tpu_topology *topology);

/* Gives each process the chips of the usual host, if that divides the slice. */
void tpu_topology_divide(struct tpu_topology *topology);

int64_t tpu_topology_chips(const struct tpu_topology *topology); /* of one slice */
int64_t tpu_topology_process_chips(const struct tpu_topology *topology);
int tpu_topology_processes(const struct tpu_topology *topology); /* of all slices */
int tpu_topology_devices(const struct tpu_topology *topology);   /* of all slices */

/* The place of device `index` of [0, tpu_topology_devices()): by slice, process, then
 * coordinates. */
void tpu_topology_place(const struct tpu_topology *topology, int index, struct tpu_place *out);

/* Writes the topology with all its options, so that reading it gives an equal one for any user. */
void tpu_topology_print(const struct tpu_topology *topology, char out[TPU_TOPOLOGY_TEXT]);

#endif
