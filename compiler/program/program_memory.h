/* program_memory.h: the memory that a program needs, known before it runs. An execution allocates
 * exactly this amount, so the peak usage that its device reports is the peak of the plan:
 *
 *   peak = arguments + results - aliases + temporaries + constants
 *
 * provided that the client donates the aliased arguments and that each argument has its own memory,
 * allocated by the device. In the peak, every value is rounded up to PROGRAM_ALIGNMENT, as devices
 * allocate it; the other figures are exact sizes.
 *
 * Not included, since it is host memory rather than device memory: machine code, prepared library
 * calls with their scratch and reordered weights, and the program's description. Sums saturate at
 * UINT64_MAX, because the sizes in an unchecked program are arbitrary. All functions are linear in
 * the size of the program unless stated otherwise. Thread-safe. */
#ifndef GANTRY_COMPILER_PROGRAM_PROGRAM_MEMORY_H
#define GANTRY_COMPILER_PROGRAM_PROGRAM_MEMORY_H

#include "compiler/program/program.h"

struct program_memory { /* bytes in one memory kind */
    uint64_t arguments, results;
    uint64_t aliases; /* bytes of results that reuse the memory of donated arguments */
    uint64_t temporaries;
    uint64_t constants; /* in use from loading the program to its deletion */
    uint64_t peak;
};

void program_memory(const struct program *program, enum memory_kind memory,
                    struct program_memory *out);

/* Whether a buffer is part of the temporaries of a memory kind. */
bool program_memory_is_temporary(const struct program *program, const struct program_buffer *buffer,
                                 enum memory_kind memory);

/* ---- over program order ---------------------------------------------------------------------- */
struct program_memory_curve { /* of one memory kind */
    int64_t step_count;
    uint64_t *live;     /* bytes of temporaries in use, per step; owned (alloc_free) */
    int64_t peak_step;  /* the first step at the peak; 0 for a program without steps */
    uint64_t peak_live; /* bytes of temporaries in use at that step, excluding gaps */
};
/* Owned: program_memory_curve_free. RESOURCE_EXHAUSTED. */
struct error *program_memory_curve(const struct program *program, enum memory_kind memory,
                                   struct program_memory_curve *out);
void program_memory_curve_free(struct program_memory_curve *curve);

/* ---- users of memory ------------------------------------------------------------------------- */
struct program_memory_use {
    enum allocation_kind kind;
    int index; /* of the parameter, result, or buffer of the memory plan; 0 for others */
    uint64_t bytes;
};
/* Lists the largest uses at a step, largest first, at most `capacity` of them; returns their
 * number. Results that reuse the memory of an argument are not listed. O(program * capacity). */
int program_memory_largest(const struct program *program, enum memory_kind memory, int64_t step,
                           int capacity, struct program_memory_use *out);
/* "argument 3, f32[64,512]" or "f32[4,512] of dot_general: jit(f)/dot_general (model.py:12:3)";
 * `steps` is from program_list_steps(). */
void program_memory_print_use(const struct program *program, const struct step *const *steps,
                              const struct program_memory_use *use, struct text *out);

#endif
