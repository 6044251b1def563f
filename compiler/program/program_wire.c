/* program_wire.c: see program_wire.h. */
#include "compiler/program/program_wire.h"

#include <string.h>

#include "base/alloc.h"
#include "base/map.h"

void wire_fail(struct wire *io, struct error *error)
{
    if (!error)
        return;
    io->error = error_join(io->error, error);
    io->at = io->end;
}

bool wire_has(struct wire *io, uint64_t size)
{
    if (io->writing || size <= (uint64_t)(io->end - io->at))
        return true;
    if (!io->error)
        wire_fail(io, ERROR(INVALID_ARGUMENT, "a serialized program is truncated"));
    return false;
}

void wire_bytes(struct wire *io, void *data, size_t size)
{
    if (io->digest) {
        map_digest(data, size, io->digest);
    } else if (io->writing) {
        text_add_bytes(&io->text, data, size);
    } else if (wire_has(io, size)) {
        if (size)
            memcpy(data, io->at, size);
        io->at += size;
    } else {
        memset(data, 0, size);
    }
}

void wire_number(struct wire *io, int64_t *value)
{
    wire_bytes(io, value, sizeof *value);
}

void wire_numbers(struct wire *io, int64_t *values, size_t count)
{
    wire_bytes(io, values, count * sizeof *values);
}

void wire_real(struct wire *io, double *value)
{
    wire_bytes(io, value, sizeof *value);
}

int64_t wire_small(struct wire *io, int64_t value)
{
    wire_number(io, &value);
    if (value >= INT32_MIN && value <= INT32_MAX)
        return value;
    wire_fail(io, ERROR(INVALID_ARGUMENT, "a serialized program's number %lld does not fit 32 bits",
                        (long long)value));
    return 0;
}

void wire_size(struct wire *io, size_t *size)
{
    uint64_t value = *size;
    wire_bytes(io, &value, sizeof value);
    if (!io->writing)
        *size = value;
}

void wire_count(struct wire *io, int *count, uint64_t wire)
{
    WIRE_INT(io, *count);
    if (io->writing)
        return;
    uint64_t needed = *count < 0 ? UINT64_MAX : (uint64_t)*count * wire;
    if (needed > io->unclaimed || !wire_has(io, needed)) {
        *count = 0;
        wire_fail(io, ERROR(INVALID_ARGUMENT,
                            "a serialized program declares more items than its bytes can hold"));
        return;
    }
    io->unclaimed -= needed;
}

void wire_data(struct wire *io, void *memory, uint64_t size)
{
    void *at = NULL;
    if (io->writing) {
        memcpy(&at, memory, sizeof at);
        wire_bytes(io, at, size);
        return;
    }
    wire_fail(io, wire_has(io, size) ? alloc_copy(io->at, size, &at) : NULL);
    if (at)
        io->at += size;
    memcpy(memory, &at, sizeof at);
}

void wire_block(struct wire *io, void *memory, uint64_t size)
{
    if (size)
        wire_data(io, memory, size);
}

void wire_text(struct wire *io, char **text)
{
    uint64_t size = io->writing && *text ? strlen(*text) + 1 : 0; /* 0: NULL */
    wire_size(io, &size);
    wire_block(io, text, size);
    if (!io->writing && *text && strlen(*text) + 1 != size)
        wire_fail(io, ERROR(INVALID_ARGUMENT, "a serialized program has an unterminated name"));
}

bool wire_array(struct wire *io, int *count, size_t size, uint64_t wire, void *out)
{
    wire_count(io, count, wire);
    if (io->writing)
        return true;
    struct error *error = alloc_array((size_t)*count + 1, size, out);
    if (error) {
        wire_fail(io, error);
        *count = 0;
    }
    return !error;
}
