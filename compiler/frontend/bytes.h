/* bytes.h: a bounds-checked reader of untrusted bytes. It never reads past the end. The first
 * failure is recorded and every later read returns 0, so a caller may read several fields and check
 * once. Offsets in messages count from the start of the whole file, also for readers made by
 * bytes_part(). A reader owns nothing and belongs to one thread. */
#ifndef GANTRY_COMPILER_FRONTEND_BYTES_H
#define GANTRY_COMPILER_FRONTEND_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct bytes {
    const uint8_t *data; /* borrowed: the whole file */
    size_t at, end;      /* offsets in data: the range that is left to read */
    const char *failure; /* static; NULL: no read has failed */
    size_t failed_at;
};

struct bytes bytes_of(const void *data, size_t size);

/* A reader of [offset, offset + size) of the same file. It has failed already when the range is
 * outside of `whole`. */
struct bytes bytes_part(const struct bytes *whole, size_t offset, size_t size);

/* Marks the reader as failed, unless it has failed before. `reason` is static. */
void bytes_fail(struct bytes *bytes, const char *reason);

static inline size_t bytes_left(const struct bytes *bytes)
{
    return bytes->end - bytes->at;
}
static inline bool bytes_more(const struct bytes *bytes)
{
    return !bytes->failure && bytes->at < bytes->end;
}

uint8_t bytes_u8(struct bytes *bytes);
uint64_t bytes_u64(struct bytes *bytes);    /* 8 bytes, little-endian */
uint64_t bytes_varint(struct bytes *bytes); /* MLIR's: length in the low bits of the first byte */
int64_t bytes_svarint(struct bytes *bytes); /* zigzag in a varint */

/* A varint that counts the following elements of at least one byte each; fails when fewer bytes
 * than that are left. */
size_t bytes_count(struct bytes *bytes);

/* A varint that must be less than `limit` (an index into a table). */
size_t bytes_index(struct bytes *bytes, size_t limit);

/* The next `size` bytes, borrowed from the file; NULL when fewer are left. */
const uint8_t *bytes_take(struct bytes *bytes, uint64_t size);

/* INVALID_ARGUMENT "<what>: <reason> at byte <offset>" when the reader has failed, else NULL. */
struct error *bytes_error(const struct bytes *bytes, const char *what);

/* The same, and also an error when bytes are left over. */
struct error *bytes_finish(const struct bytes *bytes, const char *what);

#endif
