/* rule_process.h: for rules about the process in which the plugin is: threads, and what a plugin
 * takes from it. */
#ifndef GANTRY_CONFORMANCE_RULE_PROCESS_H
#define GANTRY_CONFORMANCE_RULE_PROCESS_H

#include "conformance/cts/rule_context.h"

/* Runs a function on several threads that start together, and waits for all of them. `i` counts
 * them from 0 on. If one cannot be started, that is recorded, and those before it run. */
enum { RULE_THREADS = 8 };
void rule_threads(struct rule_context *t, void (*run)(struct rule_context *t, int i));

/* Runs `cycle` a few times, then `cycles` times or for 3 s, and once more as often if resident
 * memory has grown by more than 2 MiB in between, or threads or open files by more than one in 20
 * cycles; records a leak if that has happened again: what a plugin keeps for later grows once. A
 * cycle that returns false ends the rule. */
void rule_repeat(struct rule_context *t, int cycles, bool (*cycle)(struct rule_context *t));

/* Bytes that the process has written on its standard streams so far; -1 where that is not known,
 * such as in a debugger. */
int64_t rule_output(void);

/* The environment that a plugin shares with its process: variables and the working directory. */
struct rule_environment {
    size_t bytes;      /* of all variables; equal environments have equal ones */
    char folder[4096]; /* "" where it has no name */
};
void rule_environment_read(struct rule_environment *out);
/* Records what is different from `before`. */
void rule_environment_check(struct rule_context *t, const struct rule_environment *before);

#endif
