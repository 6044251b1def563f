/* program_wire.h: the fields that serialized programs (program_io.h) consist of. Each function
 * walks one field: it writes the field or reads it, as `writing` says, so that reading and writing
 * cannot diverge. Numbers are 8 bytes in native byte order. The first error is kept; after it,
 * reads give zeros and counts of 0, so that walks end early. What is read is owned by the structure
 * that it is read into. Not thread-safe. */
#ifndef GANTRY_COMPILER_PROGRAM_PROGRAM_WIRE_H
#define GANTRY_COMPILER_PROGRAM_PROGRAM_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

enum { WIRE_NUMBER = 8 }; /* bytes */

struct wire {
    bool writing;
    uint64_t *digest; /* if not NULL, bytes are hashed instead of written */
    int depth;        /* nesting depth of step lists and of dictionaries */
    struct text text;
    const char *at, *end;
    uint64_t size;      /* total size when reading */
    uint64_t unclaimed; /* remaining bytes that are not yet reserved for array elements */
    struct error *error;
};

void wire_fail(struct wire *io, struct error *error); /* takes the error; NULL: nothing happens */
/* Whether so many bytes are left; fails if not. Always true when writing. */
bool wire_has(struct wire *io, uint64_t size);

void wire_bytes(struct wire *io, void *data, size_t size); /* in place, nothing is allocated */
void wire_number(struct wire *io, int64_t *value);
void wire_numbers(struct wire *io, int64_t *values, size_t count);
void wire_real(struct wire *io, double *value);
void wire_size(struct wire *io, size_t *size);

/* Writes `value` and returns it, or reads a number, which must fit 32 bits. */
int64_t wire_small(struct wire *io, int64_t value);
/* Any integer type narrower than 64 bits: int, enum, bool. Writing does not store to the field. */
#define WIRE_INT(io, field)                                                                        \
    ((io)->writing ? (void)wire_small((io), (int64_t)(field))                                      \
                   : (void)((field) = (__typeof__(field))wire_small((io), 0)))

/* A count of items of at least `wire` serialized bytes each: more than the bytes that are left can
 * hold is an error. */
void wire_count(struct wire *io, int *count, uint64_t wire);
/* `memory` is the address of a pointer to `size` bytes. When reading, they are allocated and
 * followed by a NUL. */
void wire_data(struct wire *io, void *memory, uint64_t size);
/* The same, but a size of 0 gives NULL. */
void wire_block(struct wire *io, void *memory, uint64_t size);
void wire_text(struct wire *io, char **text); /* a string, or NULL */
/* When reading, allocates a zeroed array of `count` items of `size` bytes, which take at least
 * `wire` serialized bytes each; `out` is the address of the pointer. False: there is none. */
bool wire_array(struct wire *io, int *count, size_t size, uint64_t wire, void *out);

#endif
