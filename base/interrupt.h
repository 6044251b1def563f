/* interrupt.h: long calls that a user may interrupt (Ctrl-C).
 *
 * In a C program, a signal handler runs as soon as the signal arrives, even during a wait. A Python
 * interpreter only records the signal and runs the handler between two instructions, so a waiting
 * call would ignore Ctrl-C. When a signal interrupts a wait of this module, the wait therefore
 * calls the interpreter, if the process has one, to run its handlers. If a handler raises
 * (KeyboardInterrupt by default), the wait ends, the call returns CANCELLED, and the exception is
 * raised again at the interpreter's next instructions. No signal handler is installed, and the
 * interpreter is not called unless a signal arrives.
 *
 * A signal that arrives while the call computes or spins interrupts no wait: the handler runs when
 * the call returns, or at the next signal. Asking the interpreter without a signal would need its
 * lock, whose owner may be waiting for this call.
 *
 * Python runs signal handlers on the process's first thread only; waits of other threads are not
 * interrupted. Python's functions are looked up in the process on first use. */
#ifndef GANTRY_BASE_INTERRUPT_H
#define GANTRY_BASE_INTERRUPT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Sleeps until woken if *word is `value` (futex.h); spurious wakeups are possible. Returns true
 * when the waiting call should be cancelled. The caller must hold no lock. Thread-safe. */
bool interrupt_wait(atomic_uint *word, unsigned value);
/* The same, for at most `nanoseconds`, after which it returns false. */
bool interrupt_wait_for(atomic_uint *word, unsigned value, int64_t nanoseconds);
/* The same; also returns true at `deadline`, in nanoseconds of clock_now(). */
bool interrupt_wait_until(atomic_uint *word, unsigned value, int64_t deadline);

#endif
