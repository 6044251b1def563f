/* thin_plan.h: how a product of few rows is divided into tasks (struct thin_task, thin_part.h), and
 * what multiplies them. Thread-safe.
 *
 * Columns are divided among threads. With a left side of integers, or of one row of floats, whose
 * loops read whole rows and fetch the next ones, terms are divided first, into up to 4 ranges: a
 * range's tasks read adjacent memory. Each has at least 256 terms, so that its sums, which are
 * written and read again, are few next to what it reads, and 128 K numbers, which take longer than
 * a thread needs to begin. Ranges depend on sizes only, and no sum on how columns are divided:
 * neither do results on threads. */
#ifndef GANTRY_DEVICES_HOST_THIN_THIN_PLAN_H
#define GANTRY_DEVICES_HOST_THIN_THIN_PLAN_H

#include "devices/host/thin/thin_part.h"

enum thin_way {
    THIN_FAST,
    THIN_INTEGERS, /* the left side becomes integers (thin_integers.h) */
    THIN_EXACT     /* numbers are scaled before they are added, and differences of integers are
                    * integers */
};

/* Plans the tasks of task->spec. Its buffers, factors, set and table are set. */
void thin_plan(struct thin_task *task, enum thin_way way, int threads);

/* Plans the fastest way. task->integers are the left side if it is THIN_INTEGERS, and NULL if not:
 * the caller frees them. Errors: RESOURCE_EXHAUSTED. */
struct error *thin_plan_fastest(struct thin_task *task, int threads);

#endif
