#include "compiler/export/export_shape.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* The PrimitiveType of an element type. */
static int primitive_type(enum dtype dtype)
{
    static const unsigned char types[DTYPE_COUNT] = {
        [DTYPE_PRED] = 1,        [DTYPE_S8] = 2,          [DTYPE_S16] = 3,
        [DTYPE_S32] = 4,         [DTYPE_S64] = 5,         [DTYPE_U8] = 6,
        [DTYPE_U16] = 7,         [DTYPE_U32] = 8,         [DTYPE_U64] = 9,
        [DTYPE_F16] = 10,        [DTYPE_F32] = 11,        [DTYPE_F64] = 12,
        [DTYPE_C64] = 15,        [DTYPE_BF16] = 16,       [DTYPE_TOKEN] = 17,
        [DTYPE_C128] = 18,       [DTYPE_F8E5M2] = 19,     [DTYPE_F8E4M3FN] = 20,
        [DTYPE_S4] = 21,         [DTYPE_U4] = 22,         [DTYPE_F8E4M3B11FNUZ] = 23,
        [DTYPE_F8E5M2FNUZ] = 24, [DTYPE_F8E4M3FNUZ] = 25, [DTYPE_S2] = 26,
        [DTYPE_U2] = 27,         [DTYPE_F8E4M3] = 28,     [DTYPE_F8E3M4] = 29,
        [DTYPE_F4E2M1FN] = 32,   [DTYPE_F8E8M0FNU] = 33};
    return types[dtype];
}

enum { TUPLE = 13 };

/* Field numbers. */
enum {
    SHAPE_ELEMENT_TYPE = 2,
    SHAPE_DIMENSIONS = 3,
    SHAPE_TUPLE_SHAPES = 4,
    SHAPE_LAYOUT = 5,
    SHAPE_IS_DYNAMIC_DIMENSION = 6
};
enum {
    LAYOUT_MINOR_TO_MAJOR = 1,
    LAYOUT_TILES = 6,
    LAYOUT_ELEMENT_BITS = 7,
    LAYOUT_MEMORY_SPACE = 8
};
enum { TILE_DIMENSIONS = 1 };
enum { HOST_MEMORY = 5 }; /* a memory space */

static void add_tiles(struct proto *layout, const struct shape *array)
{
    for (int i = 0; i < array->tile_count; i++) {
        struct proto tile = {.arena = layout->arena}, sizes = tile;
        for (int k = 0; k < array->tiles[i].rank; k++)
            proto_varint(&sizes, (uint64_t)array->tiles[i].dims[k]);
        proto_message(&tile, TILE_DIMENSIONS, &sizes);
        proto_message(layout, LAYOUT_TILES, &tile);
    }
    if (shape_packed_bits(array))
        proto_number(layout, LAYOUT_ELEMENT_BITS, shape_packed_bits(array));
}

static void add_fields(struct proto *to, const struct shape *array)
{
    struct proto dims = {.arena = to->arena}, order = dims, dynamic = dims, layout = dims;
    for (int i = 0; i < array->rank; i++) {
        proto_varint(&dims, (uint64_t)array->dims[i]);
        proto_varint(&order, (uint64_t)shape_minor_to_major(array, i));
        proto_varint(&dynamic, 0);
    }
    proto_number(to, SHAPE_ELEMENT_TYPE, primitive_type(array->dtype));
    if (array->rank) {
        proto_message(to, SHAPE_DIMENSIONS, &dims);
        proto_message(&layout, LAYOUT_MINOR_TO_MAJOR, &order);
    }
    add_tiles(&layout, array);
    if (array->memory != MEMORY_DEVICE)
        proto_number(&layout, LAYOUT_MEMORY_SPACE, HOST_MEMORY);
    if (array->dtype != DTYPE_TOKEN)
        proto_message(to, SHAPE_LAYOUT, &layout);
    if (array->rank)
        proto_message(to, SHAPE_IS_DYNAMIC_DIMENSION, &dynamic);
}

static void add_array(struct proto *to, int field, const struct shape *array)
{
    struct proto shape = {.arena = to->arena};
    add_fields(&shape, array);
    proto_message(to, field, &shape);
}

void export_shape(struct proto *to, int field, const struct shape *arrays, int count)
{
    struct proto shape = {.arena = to->arena};
    if (count == 1) {
        add_array(to, field, arrays);
        return;
    }
    proto_number(&shape, SHAPE_ELEMENT_TYPE, TUPLE);
    for (int i = 0; i < count; i++)
        add_array(&shape, SHAPE_TUPLE_SHAPES, &arrays[i]);
    proto_message(to, field, &shape);
}

/* ---- from text ---- */
/* Reads numbers separated by commas until `end`; returns how many, -1: it is no such list. */
static int read_numbers(const char **text, char end, int64_t *numbers)
{
    for (int count = 0; count <= SHAPE_MAX_RANK; (*text)++) {
        if (**text == end && !count)
            return 0;
        char *after;
        long long number = strtoll(*text, &after, 10);
        if (after == *text || number < 0 || count == SHAPE_MAX_RANK)
            return -1;
        numbers[count++] = number;
        *text = after;
        if (**text != ',')
            return **text == end ? count : -1;
    }
    return -1;
}

/* Whether it is a permutation of 0 .. rank-1. */
static bool is_order(const int64_t *order, int rank)
{
    unsigned found = 0;
    for (int i = 0; i < rank; i++)
        found |= order[i] < rank ? 1u << order[i] : 0;
    return found == (1u << rank) - 1;
}

struct shape export_shape_parse(const char *text, int64_t *dims, struct shape_layout *room)
{
    static const int64_t none[1];
    const struct shape unknown = {.dtype = DTYPE_U8, .rank = 1, .dims = none};
    struct shape shape = {.dims = dims};
    const char *open = strchr(text, '[');
    shape.dtype = open ? dtype_from_name(text, (size_t)(open - text)) : DTYPE_INVALID;
    if (shape.dtype == DTYPE_INVALID)
        return unknown;
    text = open + 1;
    shape.rank = read_numbers(&text, ']', dims);
    if (shape.rank < 0)
        return unknown;
    if (text[1] == '{') {
        text += 2;
        const char *tiles = strpbrk(text, ":}");
        int rank = tiles ? read_numbers(&text, *tiles, room->minor_to_major) : -1;
        if (rank == shape.rank && is_order(room->minor_to_major, rank))
            shape.minor_to_major = room->minor_to_major;
    }
    return shape;
}

/* ---- as bytes ---- */
struct job {
    const struct shape *array;
    struct proto proto;
    char *bytes;
};

static struct error *write_bytes(void *context)
{
    struct job *job = context;
    add_fields(&job->proto, job->array);
    return alloc_copy(job->proto.bytes, job->proto.size, &job->bytes);
}

struct error *export_shape_bytes(const struct shape *array, char **bytes, size_t *size)
{
    struct arena *arena;
    TRY(arena_create(&arena));
    struct job job = {array, {.arena = arena}, NULL};
    struct error *error = arena_run(arena, write_bytes, &job);
    *bytes = job.bytes;
    *size = job.proto.size;
    arena_destroy(arena);
    return error;
}
