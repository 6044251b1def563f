/* launch_output.h: merges the output of the processes of a job: standard output and error of each
 * process are pipes, from which a thread forwards whole lines, so lines of different processes do
 * not mix. A line ends with '\n' or '\r'; one of more than 1 MiB is forwarded in parts, and an
 * incomplete last line when the stream ends. NOT thread-safe. */
#ifndef GANTRY_TOOLS_LAUNCH_OUTPUT_H
#define GANTRY_TOOLS_LAUNCH_OUTPUT_H

#include "base/error.h"

struct launch_output;

/* Owned: launch_output_finish(). */
struct error *launch_output_create(int processes, struct launch_output **out);
/* The ends into which a process writes, its standard output and error, to be called before it is
 * forked. The child calls launch_output_use(), this process launch_output_forked(). */
struct error *launch_output_open(struct launch_output *output, int ends[2]);
void launch_output_use(const int ends[2]);
void launch_output_forked(const int ends[2]);
/* Begins to forward, when all processes are started. */
struct error *launch_output_start(struct launch_output *output);
/* All processes have ended: forwards the rest and frees. Accepts NULL. */
void launch_output_finish(struct launch_output *output);

#endif
