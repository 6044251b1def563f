/* buffer_constants.c: see buffer_constants.h. */
#include "compiler/plan/buffer_constants.h"

#include <string.h>

#include "base/alloc.h"
#include "base/vec.h"

struct stored_literal {
    const struct literal *literal;
    uint64_t offset;
};

struct buffer_constants {
    struct arena *arena;
    uint64_t alignment, size;
    struct map *known; /* hash, size, splat -> struct stored_literal */
    VEC(struct stored_literal *) all;
};

struct buffer_constants *buffer_constants_create(struct arena *arena, uint64_t alignment)
{
    struct buffer_constants *constants = ARENA_NEW(arena, struct buffer_constants);
    *constants = (struct buffer_constants){
        .arena = arena, .alignment = alignment, .known = map_create(arena)};
    return constants;
}

static uint64_t round_up(uint64_t size, uint64_t alignment)
{
    return (size + alignment - 1) / alignment * alignment;
}

static uint64_t add(struct buffer_constants *c, const struct literal *literal, uint64_t alignment)
{
    size_t stored = (size_t)(literal->splat ? dtype_bytes(literal->type->shape.dtype)
                                            : type_bytes(literal->type));
    uint64_t size = (uint64_t)type_bytes(literal->type);
    uint64_t key[] = {map_hash(literal->bytes, stored, 0), size, literal->splat, alignment};
    struct stored_literal *known = map_get(c->known, key, sizeof key);
    if (known && !memcmp(known->literal->bytes, literal->bytes, stored))
        return known->offset;
    struct stored_literal *entry = ARENA_NEW(c->arena, struct stored_literal);
    *entry = (struct stored_literal){literal, round_up(c->size, alignment)};
    c->size = entry->offset + size;
    map_put(c->known, key, sizeof key, entry);
    VEC_PUSH(c->arena, &c->all, entry);
    return entry->offset;
}

uint64_t buffer_constants_add(struct buffer_constants *c, const struct literal *literal)
{
    return add(c, literal, c->alignment);
}

uint64_t buffer_constants_add_number(struct buffer_constants *c, const struct literal *literal)
{
    return add(c, literal, (uint64_t)dtype_bytes(literal->type->shape.dtype));
}

static void write(char *to, const struct literal *literal)
{
    size_t element = (size_t)dtype_bytes(literal->type->shape.dtype),
           size = (size_t)type_bytes(literal->type);
    if (!literal->splat && size)
        memcpy(to, literal->bytes, size);
    for (size_t at = 0; literal->splat && at < size; at += element)
        memcpy(to + at, literal->bytes, element);
}

struct error *buffer_constants_bytes(const struct buffer_constants *c, void **bytes, uint64_t *size)
{
    *size = round_up(c->size, c->alignment);
    if (!c->size)
        return NULL;
    TRY(alloc_aligned(*size, bytes));
    for (size_t i = 0; i < c->all.count; i++) {
        const struct stored_literal *entry = c->all.items[i];
        uint64_t end = i + 1 < c->all.count ? c->all.items[i + 1]->offset : *size;
        uint64_t stored = (uint64_t)type_bytes(entry->literal->type);
        write((char *)*bytes + entry->offset, entry->literal);
        memset((char *)*bytes + entry->offset + stored, 0, end - entry->offset - stored);
    }
    return NULL;
}
