/* program_trial.h: interprets arbitrary bytes as a program in any form that clients send. The
 * result is an error, or a program that is compiled and, if it is small, run: on zeros and on
 * arguments with every bit pattern. The results of a run are read back. A program for up to 8
 * devices is partitioned and runs on as many. Uses the plugin in GANTRY_LIB, and the core, which
 * the program links. One thread at a time. */
#ifndef GANTRY_CONFORMANCE_PROGRAM_TRIAL_H
#define GANTRY_CONFORMANCE_PROGRAM_TRIAL_H

#include <stddef.h>

#include "tools/abi.h"

/* How far a program came; each stage includes those before it. */
enum program_stage {
    PROGRAM_REJECTED, /* by the reader */
    PROGRAM_READ,     /* rejected by the verifier, or it has no function main */
    PROGRAM_VERIFIED, /* the compiler does not support it, or needs too much */
    PROGRAM_COMPILED, /* too large to run here, or the execution is an error */
    PROGRAM_EXECUTED,
    PROGRAM_STAGES
};

/* Ends the process with a trap if a pass made an invalid program of a valid one. */
enum program_stage program_trial(const void *bytes, size_t size);

/* Opens the plugin, unless it is open: with eight devices. Ends the process if that fails. */
void program_trial_open(void);
/* The plugin's table, and its client in *out; both borrowed. */
const PJRT_Api *program_trial_api(PJRT_Client **out);

#endif
