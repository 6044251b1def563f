/* fpu.h: the floating-point mode of the calling thread: denormals, rounding and traps.
 *
 * Programs run in one mode, whatever the mode of the client's threads: rounding to nearest even, no
 * traps, and denormal operands and results flushed to zero, as with XLA's CPU backend and on TPUs
 * (GANTRY_DENORMALS=keep preserves denormals). Constants are folded in the same mode. Functions of
 * the client (custom calls, host transfer callbacks) run in the client's mode.
 *
 *     struct fpu_mode before = fpu_enter();
 *     run_program();            a call: the compiler may move arithmetic across fpu_enter()
 *     fpu_restore(before);
 *
 * The mode is per thread. A new thread of base/thread.h starts in the default mode, a worker of
 * base/pool.h in the mode of programs. A call costs a few nanoseconds. Thread-safe. */
#ifndef GANTRY_BASE_FPU_H
#define GANTRY_BASE_FPU_H

#include <stdbool.h>
#include <stdint.h>

struct fpu_mode { /* 0: the mode in which a process starts */
    uint32_t bits;
};

/* Sets the calling thread to the mode of programs; returns the previous mode. May be nested. */
struct fpu_mode fpu_enter(void);
/* Sets the calling thread to `mode`. */
void fpu_restore(struct fpu_mode mode);
/* The mode of the calling thread. */
struct fpu_mode fpu_current(void);
/* Whether programs flush denormals: true unless GANTRY_DENORMALS=keep is set or the processor
 * cannot flush them. Constant for the process. */
bool fpu_flushes(void);

#endif
