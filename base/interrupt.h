/* interrupt.h: calls that take long and are made by a program that a user may interrupt (Ctrl-C).
 *
 * A C program's signal handler runs as soon as the signal comes, whatever the program waits for. A
 * Python program's does not: the interpreter notes the signal and runs the handler between two
 * instructions, so a call that waits would be deaf to Ctrl-C. A wait that goes through this module
 * therefore asks the interpreter, if the process has one, when a signal has interrupted it: if the
 * handler raises (KeyboardInterrupt by default), the wait ends, the call returns CANCELLED, and the
 * exception is raised again in the interpreter's next instructions. Nothing is installed, and
 * nothing is asked unless a signal comes.
 *
 * Python runs signal handlers on the process's first thread only; waits of other threads are not
 * interrupted. Python's functions are looked up in the process when they are needed. */
#ifndef GANTRY_BASE_INTERRUPT_H
#define GANTRY_BASE_INTERRUPT_H

#include <stdatomic.h>
#include <stdbool.h>

/* Sleeps while *word is `value`, until it is woken (futex.h); it may wake without reason. True when
 * the program wants the call that waits to end. No lock is held. Thread-safe. */
bool interrupt_wait(atomic_uint *word, unsigned value);

#endif
