/* accelerator.h: a modeled accelerator in numbers: what compiler/model needs to say what a program
 * would cost there. All figures are those of one device (JAX's device: a chip, or a core of a chip
 * that has one device a core). Immutable and static, like the target that points to it.
 *
 * Rates are in units of one second. A rate of 0: the accelerator has no unit of its own for this
 * type; it computes in the next wider type that it has. */
#ifndef GANTRY_COMPILER_ACCELERATOR_H
#define GANTRY_COMPILER_ACCELERATOR_H

#include <stdbool.h>
#include <stdint.h>

struct accelerator {
    const char *name; /* "v5e"; of v4 with one device a chip "v4 megacore" */

    /* A 32-bit tile: `sublanes` rows of `lanes` elements. Narrower types put several rows in a
     * sublane: f32[8,128] is tiled as T(8,128), bf16 as T(8,128)(2,1), s8 as T(8,128)(4,1). */
    int sublanes, lanes;
    /* The early generations': a tile has at least two sublanes and at most `sublanes` rows, and an
     * element takes at least a byte. */
    bool coarse_tiles;

    /* memory */
    uint64_t hbm_bytes; /* that a program may use; what the compiler compares with */
    uint64_t vmem_bytes, smem_bytes;
    uint64_t vmem_for_kernel; /* that a Pallas kernel may use unless it asks for more */
    uint64_t vmem_for_values; /* of which the compiler may keep values between kernels */
    bool vmem_is_cache;       /* programs copy nothing there before a kernel reads it */
    int result_alignment;     /* bytes to which the table of a program's results is rounded up */
    uint64_t cmem_bytes;      /* a second scratch memory; 0: none */
    double hbm_rate; /* bytes of reads and writes together, as the compiler expects of a copy */
    double hbm_peak; /* the published rate */
    /* Of a copy from HBM to VMEM, from VMEM to HBM, and from HBM to SMEM, beside the time of its
     * bytes. Copies that are under way at once do not slow each other down. */
    double dma_in_seconds, dma_out_seconds, dma_smem_seconds;
    double host_rate; /* bytes to or from the host, each way */

    /* compute */
    double clock_hz;
    int cores;                          /* of this device: 2 with megacore */
    int vector_slots;                   /* instructions of a core's vector unit in a cycle */
    int matrix_units, matrix_unit_size; /* of this device; size x size multiply-accumulates */
    int matrix_load_cycles;             /* until a unit has its size x size weights of 16 bits */
    double bf16_rate, int8_rate;        /* operations (two a multiply-accumulate) */
    double fp8_rate, int4_rate;
    int f32_passes_default; /* bf16 passes of an f32 product at precision DEFAULT */
    int f32_passes_high, f32_passes_highest;

    /* inter-chip links */
    int devices_per_chip;
    int links;        /* of a chip: 4 in a 2D torus, 6 in a 3D torus */
    double link_rate; /* bytes, one way, one link */
    /* Chips along an axis of a slice are a ring, not a line, if their number is a multiple of this;
     * in a 3D torus only if that holds of all axes. 0: never. */
    int ring_size;
    double hop_seconds;          /* from a chip to its neighbor, beside the time of the bytes */
    double core_link_rate;       /* bytes, one way, between two devices of a chip; 0: one a chip */
    double network_rate;         /* bytes that a device sends to other slices */
    bool gathers_asynchronously; /* all-gathers run beside kernels, as permutes do everywhere */
    /* In loops, arrays of 16 bits with a multiple of 16 rows are in tiles of 16 rows, unlike
     * arguments and results, which are copied. */
    bool retiles_in_loops;
    bool exchanges_in_hbm; /* results of collectives: other cores than those of VMEM make them */
    /* The compiler reshards the values of a product until they agree on its dimensions, by the
     * number of elements, before it partitions (Shardy's explicit reshards). */
    bool agrees_before_partitioning;
};

/* Where the devices of a target are. bounds[0] 0: unknown, as if each were beside all others. */
struct interconnect {
    int bounds[3]; /* chips of a slice; x varies fastest, cores of a chip before it */
    int slices;    /* ids of devices: 100000 * (slice + 1) more, if there are several */
};
enum { INTERCONNECT_SLICE_IDS = 100000 };

#endif
