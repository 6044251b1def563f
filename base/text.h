/* text.h: a growing string on the heap, for printers and serializers. Errors are sticky: once an
 * allocation has failed, further calls do nothing, and text_finish() reports the error. One thread
 * at a time. */
#ifndef GANTRY_BASE_TEXT_H
#define GANTRY_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct text {
    char *data; /* owned; NUL-terminated once something was added */
    size_t size, capacity;
    bool failed;
};

void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "6400 bytes", and from 1 MiB on with a unit: "384 MiB (402653184 bytes)". */
void text_add_size(struct text *text, uint64_t bytes);
void text_add_bytes(struct text *text, const void *bytes, size_t size);
/* Moves the bytes out (owned by the caller, alloc_free) or returns RESOURCE_EXHAUSTED. `text` is
 * empty afterwards. */
struct error *text_finish(struct text *text, char **out, size_t *size);
void text_free(struct text *text);

#endif
