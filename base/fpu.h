/* fpu.h: the floating-point mode of the calling thread: what happens to denormal numbers, how it
 * rounds, whether it traps.
 *
 * Programs run in one mode, whatever the client's threads are set to: rounding to nearest even, no
 * traps, and denormal operands and results are zero, as with XLA's CPU backend and on TPUs
 * (GANTRY_DENORMALS=keep: they are kept). Constants are folded in the same mode. Functions of the
 * client (custom calls, host transfer callbacks) run in the client's mode.
 *
 *     struct fpu_mode before = fpu_enter();
 *     run_program();            a call: the compiler may move arithmetic across fpu_enter()
 *     fpu_restore(before);
 *
 * The mode belongs to a thread; a new thread of base/thread.h starts in the default mode and a
 * worker of base/pool.h in that of programs. A call costs some nanoseconds. Thread-safe. */
#ifndef GANTRY_BASE_FPU_H
#define GANTRY_BASE_FPU_H

#include <stdbool.h>
#include <stdint.h>

struct fpu_mode { /* zero: the mode in which a process starts */
    uint32_t bits;
};

/* Sets the calling thread to the mode of programs; returns its mode before. May be nested. */
struct fpu_mode fpu_enter(void);
/* Sets the calling thread to `mode`. */
void fpu_restore(struct fpu_mode mode);
/* The mode of the calling thread. */
struct fpu_mode fpu_current(void);
/* Whether programs flush denormals: true unless GANTRY_DENORMALS=keep, or where the processor
 * cannot. Constant for the process. */
bool fpu_flushes(void);

#endif
