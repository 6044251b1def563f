#include "base/shape.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"

enum { BYTES_LIMIT_LOG2 = 62 };

/* ---- sizes ----------------------------------------------------------------------------------- */
int64_t shape_elements(const struct shape *shape)
{
    int64_t count = 1;
    bool overflow = false;
    for (int i = 0; i < shape->rank; i++) {
        if (shape->dims[i] < 0)
            return -1;
        if (shape->dims[i] == 0)
            return 0; /* whatever the product of the others */
        overflow |= __builtin_mul_overflow(count, shape->dims[i], &count);
    }
    return overflow ? -1 : count;
}

static int64_t bytes_of(const struct shape *shape, int64_t elements)
{
    int64_t bytes;
    if (elements < 0 ||
        __builtin_mul_overflow(elements, (int64_t)dtype_bytes(shape->dtype), &bytes))
        return -1;
    return bytes;
}

int64_t shape_bytes(const struct shape *shape)
{
    return bytes_of(shape, shape_elements(shape));
}

/* Applies one level of tiles: replaces `sizes` (major to minor, *rank of them) by the numbers of
 * blocks, followed by the sizes within a block. */
static bool apply_tile(const struct shape_tile *tile, int64_t *sizes, int *rank)
{
    int first = *rank - tile->rank;
    if (first < 0 || *rank + tile->rank > SHAPE_MAX_RANK * (SHAPE_MAX_TILES + 1))
        return false;
    for (int i = 0; i < tile->rank; i++) {
        int64_t size = sizes[first + i], block = tile->dims[i];
        sizes[first + i] = size / block + (size % block != 0);
        sizes[*rank + i] = block;
    }
    *rank += tile->rank;
    return true;
}

int64_t shape_padded_bytes(const struct shape *shape)
{
    int64_t sizes[SHAPE_MAX_RANK * (SHAPE_MAX_TILES + 1)] = {1};
    int rank = shape->rank;
    if (!shape->tile_count || shape_elements(shape) <= 0)
        return shape_bytes(shape);
    for (int i = 0; i < rank; i++)
        sizes[rank - 1 - i] = shape->dims[shape_minor_to_major(shape, i)];
    rank += rank == 0;
    for (int i = 0; i < shape->tile_count; i++)
        if (!apply_tile(&shape->tiles[i], sizes, &rank))
            return -1;
    return bytes_of(shape, shape_elements(&(struct shape){.rank = rank, .dims = sizes}));
}

/* ---- layout ---------------------------------------------------------------------------------- */
int64_t shape_minor_to_major(const struct shape *shape, int i)
{
    return shape->minor_to_major ? shape->minor_to_major[i] : shape->rank - 1 - i;
}

bool shape_is_permutation(int rank, const int64_t *minor_to_major)
{
    uint64_t seen = 0;
    for (int i = 0; minor_to_major && i < rank; i++) {
        int64_t dim = minor_to_major[i];
        if (dim < 0 || dim >= rank || seen >> dim & 1)
            return false;
        seen |= UINT64_C(1) << dim;
    }
    return true;
}

bool shape_is_row_major(const struct shape *shape)
{
    int64_t previous = shape->rank;
    for (int i = 0; i < shape->rank; i++) {
        int64_t dim = shape_minor_to_major(shape, i);
        if (shape->dims[dim] == 1)
            continue;
        if (dim > previous)
            return false;
        previous = dim;
    }
    return !shape->tile_count;
}

void shape_byte_strides(const struct shape *shape, int64_t *strides)
{
    int64_t stride = dtype_bytes(shape->dtype);
    for (int i = 0; i < shape->rank; i++) {
        int64_t dim = shape_minor_to_major(shape, i);
        strides[dim] = stride;
        stride *= shape->dims[dim] ? shape->dims[dim] : 1;
    }
}

/* ---- comparison ------------------------------------------------------------------------------ */
bool shape_same_dims(const struct shape *a, const struct shape *b)
{
    if (a->rank != b->rank)
        return false;
    for (int i = 0; i < a->rank; i++)
        if (a->dims[i] != b->dims[i])
            return false;
    return true;
}

static bool tile_equal(const struct shape_tile *a, const struct shape_tile *b)
{
    return a->rank == b->rank && !memcmp(a->dims, b->dims, (size_t)a->rank * sizeof *a->dims);
}

bool shape_same_layout(const struct shape *a, const struct shape *b)
{
    if (a->rank != b->rank || a->tile_count != b->tile_count)
        return false;
    for (int i = 0; i < a->rank && a->minor_to_major != b->minor_to_major; i++)
        if (shape_minor_to_major(a, i) != shape_minor_to_major(b, i))
            return false;
    for (int i = 0; i < a->tile_count; i++)
        if (!tile_equal(&a->tiles[i], &b->tiles[i]))
            return false;
    return true;
}

struct shape shape_without_layout(const struct shape *shape)
{
    struct shape plain = *shape;
    plain.minor_to_major = NULL;
    plain.tile_count = 0;
    plain.tiles = NULL;
    return plain;
}

bool shape_equal(const struct shape *a, const struct shape *b)
{
    return a->dtype == b->dtype && a->memory == b->memory && shape_same_dims(a, b) &&
           shape_same_layout(a, b);
}

/* ---- validation ------------------------------------------------------------------------------ */
static struct error *check_fields(const struct shape *shape, const char *what)
{
    if (shape->dtype <= DTYPE_INVALID || shape->dtype >= DTYPE_COUNT)
        return ERROR(INVALID_ARGUMENT, "%s: unknown element type %d", what, (int)shape->dtype);
    if (shape->rank < 0 || shape->rank > SHAPE_MAX_RANK)
        return ERROR(INVALID_ARGUMENT, "%s: rank %d; allowed: 0 to %d", what, shape->rank,
                     SHAPE_MAX_RANK);
    if ((unsigned)shape->memory >= MEMORY_KIND_COUNT)
        return ERROR(INVALID_ARGUMENT, "%s: unknown memory kind %d", what, (int)shape->memory);
    if (shape->rank && !shape->dims)
        return ERROR(INVALID_ARGUMENT, "%s: rank %d, but dims is NULL", what, shape->rank);
    return NULL;
}

static struct error *check_tiles(const struct shape *shape, const char *what)
{
    if (shape->tile_count < 0 || shape->tile_count > SHAPE_MAX_TILES)
        return ERROR(INVALID_ARGUMENT, "%s: %d levels of tiles; allowed: 0 to %d", what,
                     shape->tile_count, SHAPE_MAX_TILES);
    int rank = shape->rank + (shape->rank == 0);
    for (int i = 0; i < shape->tile_count; i++) {
        const struct shape_tile *tile = &shape->tiles[i];
        if (tile->rank < 1 || tile->rank > rank || tile->rank > SHAPE_MAX_RANK)
            return ERROR(INVALID_ARGUMENT, "%s: tile of rank %d; allowed: 1 to %d", what,
                         tile->rank, rank < SHAPE_MAX_RANK ? rank : SHAPE_MAX_RANK);
        rank += tile->rank;
        for (int k = 0; k < tile->rank; k++)
            if (tile->dims[k] < 1)
                return ERROR(INVALID_ARGUMENT, "%s: tile dimension %d is %" PRId64 ", below 1",
                             what, k, tile->dims[k]);
    }
    return NULL;
}

struct error *shape_check(const struct shape *shape, const char *what)
{
    TRY(check_fields(shape, what));
    for (int i = 0; i < shape->rank; i++)
        if (shape->dims[i] < 0)
            return ERROR(INVALID_ARGUMENT, "%s: dimension %d is %" PRId64 ", which is negative",
                         what, i, shape->dims[i]);
    if (!shape_is_permutation(shape->rank, shape->minor_to_major))
        return ERROR(INVALID_ARGUMENT, "%s: minor_to_major is not a permutation of 0 to %d", what,
                     shape->rank - 1);
    TRY(check_tiles(shape, what));
    int64_t bytes = shape_padded_bytes(shape);
    if (bytes < 0 || bytes > INT64_C(1) << BYTES_LIMIT_LOG2)
        return ERROR(INVALID_ARGUMENT, "%s: the array is larger than 2^%d bytes", what,
                     BYTES_LIMIT_LOG2);
    return NULL;
}

/* ---- copies ---------------------------------------------------------------------------------- */
/* Tiles first, for their alignment. */
size_t shape_arrays_size(const struct shape *shape)
{
    size_t numbers = (size_t)shape->rank * (shape->minor_to_major ? 2 : 1);
    for (int i = 0; i < shape->tile_count; i++)
        numbers += (size_t)shape->tiles[i].rank;
    return (size_t)shape->tile_count * sizeof *shape->tiles + numbers * sizeof(int64_t);
}

static const int64_t *append(int64_t **at, const int64_t *from, int count)
{
    int64_t *begin = *at;
    if (count)
        memcpy(begin, from, (size_t)count * sizeof *from);
    *at += count;
    return begin;
}

struct shape shape_copy_into(void *memory, const struct shape *shape)
{
    struct shape copy = *shape;
    struct shape_tile *tiles = memory;
    int64_t *numbers = (int64_t *)(tiles + shape->tile_count);
    copy.dims = append(&numbers, shape->dims, shape->rank);
    if (shape->minor_to_major)
        copy.minor_to_major = append(&numbers, shape->minor_to_major, shape->rank);
    for (int i = 0; i < shape->tile_count; i++) {
        const struct shape_tile *tile = &shape->tiles[i];
        tiles[i] = (struct shape_tile){tile->rank, append(&numbers, tile->dims, tile->rank)};
    }
    copy.tiles = tiles;
    return copy;
}

struct shape shape_copy(struct arena *arena, const struct shape *shape)
{
    return shape_copy_into(arena_alloc(arena, shape_arrays_size(shape)), shape);
}

struct error *shape_clone(const struct shape *shape, struct shape *out, void **owned)
{
    size_t size = shape_arrays_size(shape);
    *owned = NULL;
    *out = *shape;
    if (!size)
        return NULL;
    TRY(alloc_bytes(size, owned));
    *out = shape_copy_into(*owned, shape);
    return NULL;
}

/* ---- printing -------------------------------------------------------------------------------- */
static void print_list(struct text *out, const int64_t *numbers, int count)
{
    for (int i = 0; i < count; i++)
        text_add(out, "%s%" PRId64, i ? "," : "", numbers[i]);
}

int shape_packed_bits(const struct shape *shape)
{
    int bits = dtype_info(shape->dtype)->bits;
    return shape->tile_count && bits < 8 && shape->dtype != DTYPE_PRED ? bits : 0;
}

void shape_print_layout(const struct shape *shape, struct text *out)
{
    text_add(out, "{");
    for (int i = 0; i < shape->rank; i++)
        text_add(out, "%s%" PRId64, i ? "," : "", shape_minor_to_major(shape, i));
    text_add(out, "%s", shape->tile_count ? ":T" : "");
    for (int i = 0; i < shape->tile_count; i++) {
        text_add(out, "(");
        print_list(out, shape->tiles[i].dims, shape->tiles[i].rank);
        text_add(out, ")");
    }
    if (shape_packed_bits(shape))
        text_add(out, "E(%d)", shape_packed_bits(shape));
    text_add(out, "}");
}

void shape_print(const struct shape *shape, struct text *out)
{
    text_add(out, "%s[", dtype_name(shape->dtype));
    for (int i = 0; i < shape->rank; i++) {
        if (shape->dims[i] == SHAPE_DYNAMIC)
            text_add(out, "%s?", i ? "," : "");
        else
            text_add(out, "%s%" PRId64, i ? "," : "", shape->dims[i]);
    }
    text_add(out, "]");
    if (!shape_is_row_major(shape))
        shape_print_layout(shape, out);
    if (shape->memory != MEMORY_DEVICE)
        text_add(out, " in %s", memory_kind_name(shape->memory));
}
