/* result_labels.h: labels (memory/label.h) of buffers: the result of a program, with the operation
 * and source line of the step that writes it, or a host array. The texts are copied from the
 * program, so that a buffer does not keep the program's code and constants alive. Immutable,
 * reference-counted, thread-safe. */
#ifndef GANTRY_RUNTIME_RESULT_LABELS_H
#define GANTRY_RUNTIME_RESULT_LABELS_H

#include "compiler/program/program.h"
#include "memory/label.h"

struct result_labels;

/* Owned: result_labels_release. Linear in the program's size. */
struct error *result_labels_create(const struct program *program, struct result_labels **out);
void result_labels_release(struct result_labels *labels); /* accepts NULL */

/* The label of result `index`, less than the program's result_count. Borrowed from `labels`. */
struct label result_labels_get(struct result_labels *labels, int index);
/* The label of an array from the host. */
struct label result_labels_host_array(enum dtype dtype);

#endif
