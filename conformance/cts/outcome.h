/* outcome.h: what the process of a rule reports to the suite: a struct in memory that both share,
 * so that it is there even after a crash. Addresses of static strings are valid in both, because
 * the child is forked. Written by any thread of the child, read by the parent. */
#ifndef GANTRY_CONFORMANCE_OUTCOME_H
#define GANTRY_CONFORMANCE_OUTCOME_H

#include <stdatomic.h>
#include <stdbool.h>

#include "conformance/cts/pjrt_functions.h"

enum { OUTCOME_TEXT = 4096 };

/* The best answer that a function has given so far. */
enum answer { ANSWER_NONE, ANSWER_ERROR, ANSWER_UNIMPLEMENTED, ANSWER_OK };

struct outcome {
    atomic_bool finished;    /* the rule returned: the process did not end inside of the plugin */
    atomic_int failures;     /* checks that failed */
    atomic_int leaks;        /* of which are about memory, threads or files */
    atomic_bool unsupported; /* a call was answered with UNIMPLEMENTED: see the rule's level */
    atomic_bool skipped;     /* the rule could not be tested here, such as without a client */
    atomic_int seconds;      /* time limit */
    _Atomic(const char *) call;           /* the function of the plugin that is running, or NULL */
    atomic_uchar answers[FUNCTION_COUNT]; /* enum answer */
    atomic_int text_size;                 /* may exceed the capacity */
    char text[OUTCOME_TEXT];              /* a line for each failure, or the reason of a skip */
};

#endif
