#include "compiler/ir/sharding_tiles.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MAX_DIGITS = 20 + SHARDING_MAX_TILES }; /* 2^20 devices, and one-valued digits */

/* ---- explicit lists -------------------------------------------------------------------------- */

/* True when each digit's stride is the product of the sizes of those with smaller strides. */
static bool is_numbering(int count, const struct digit *digits)
{
    int64_t stride = 1;
    for (int placed = 0; placed < count; placed++) {
        int next = -1;
        for (int i = 0; i < count; i++)
            if (digits[i].stride == stride)
                next = i;
        if (next < 0)
            return false;
        stride *= digits[next].size;
    }
    return true;
}

static int64_t device_at(int64_t index, int count, const struct digit *digits)
{
    int64_t device = 0;
    for (int i = count; i-- > 0; index /= digits[i].size)
        device += index % digits[i].size * digits[i].stride;
    return device;
}

int sharding_tiles_digits(int64_t count, const int64_t *devices, int capacity, struct digit *out)
{
    struct digit found[20];
    int digits = 0;
    if (count < 1 || count > SHARDING_MAX_DEVICES || devices[0] != 0)
        return -1;
    for (int64_t block = 1; block < count; block *= found[digits++].size) {
        struct digit digit = {devices[block], 1};
        while (digit.size * block < count && digit.stride > 0 &&
               devices[digit.size * block] == digit.size * digit.stride)
            digit.size++;
        if (digit.size < 2 || count % (block * digit.size) || digits == 20)
            return -1;
        found[digits] = digit;
    }
    if (digits > capacity)
        return -1;
    for (int i = 0; i < digits; i++)
        out[i] = found[digits - 1 - i];
    if (!is_numbering(digits, out))
        return -1;
    for (int64_t i = 0; i < count; i++)
        if (devices[i] != device_at(i, digits, out))
            return -1;
    return digits;
}

static struct error *check_distinct(struct arena *arena, int64_t count, const int64_t *devices)
{
    unsigned char *seen = arena_array(arena, (size_t)count, 1);
    memset(seen, 0, (size_t)count);
    for (int64_t i = 0; i < count; i++) {
        if (devices[i] < 0 || devices[i] >= count || seen[devices[i]])
            return ERROR(INVALID_ARGUMENT,
                         "a sharding over %" PRId64 " devices lists device %" PRId64
                         "%s; it must list each of 0 to %" PRId64 " once",
                         count, devices[i], devices[i] >= 0 && devices[i] < count ? " twice" : "",
                         count - 1);
        seen[devices[i]] = 1;
    }
    return NULL;
}

/* ---- iotas ----------------------------------------------------------------------------------- */

static struct error *bad_iota(const struct sharding_tiles *tiles)
{
    return ERROR(INVALID_ARGUMENT,
                 "the %d dimensions and the permutation of a sharding's devices do not match each "
                 "other or its tiles; their sizes must be positive, with equal products of at most "
                 "%" PRId64,
                 tiles->reshape_count, SHARDING_MAX_DEVICES);
}

/* The digits in the order of the transposed iota. */
static struct error *iota_digits(const struct sharding_tiles *tiles, int64_t count,
                                 struct digit *out)
{
    int64_t strides[SHARDING_MAX_TILES], stride = 1;
    bool used[SHARDING_MAX_TILES] = {false};
    if (tiles->reshape_count > SHARDING_MAX_TILES)
        return bad_iota(tiles);
    for (int i = tiles->reshape_count; i-- > 0; stride *= tiles->reshape[i]) {
        if (tiles->reshape[i] < 1 || tiles->reshape[i] > SHARDING_MAX_DEVICES / stride)
            return bad_iota(tiles);
        strides[i] = stride;
    }
    if (stride != count)
        return bad_iota(tiles);
    for (int i = 0; i < tiles->reshape_count; i++) {
        int from = tiles->permutation[i];
        if (from < 0 || from >= tiles->reshape_count || used[from])
            return bad_iota(tiles);
        used[from] = true;
        out[i] = (struct digit){strides[from], tiles->reshape[from]};
    }
    return NULL;
}

/* Merges neighbours that are one digit, and drops those of one value. Returns their number. */
static int merge_digits(int count, struct digit *digits)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (digits[i].size == 1)
            continue;
        if (kept && digits[kept - 1].stride == digits[i].stride * digits[i].size) {
            digits[kept - 1].stride = digits[i].stride;
            digits[kept - 1].size *= digits[i].size;
        } else {
            digits[kept++] = digits[i];
        }
    }
    return kept;
}

/* ---- reading --------------------------------------------------------------------------------- */

struct reader {
    struct arena *arena;
    const struct sharding_tiles *tiles;
    int64_t count;                             /* of devices */
    struct axis_refs axes[SHARDING_MAX_TILES]; /* of each dimension of the tiles */
    struct mesh *mesh;
};

static const char *const device_axis[] = {"devices"};

static struct mesh *device_mesh(struct arena *arena, int64_t count)
{
    struct mesh *mesh = ARENA_NEW(arena, struct mesh);
    mesh->axis_count = 1;
    mesh->axis_names = device_axis;
    mesh->axis_sizes = arena_copy(arena, &count, sizeof count);
    mesh->device_count = count;
    return mesh;
}

/* The digit as a part of the axis "devices"; the whole axis where it is all devices. */
static struct axis_ref part_of(int64_t count, struct digit digit)
{
    if (digit.size == count)
        return (struct axis_ref){0, 0, 0};
    return (struct axis_ref){0, count / (digit.stride * digit.size), digit.size};
}

/* Gives each dimension of the tiles the digits that number its tiles. False where a digit would
 * have to be split at a number that does not divide it. */
static bool split_digits(struct reader *r, int count, struct digit *digits)
{
    int at = 0;
    for (int i = 0; i < r->tiles->tile_count; i++) {
        struct axis_ref parts[MAX_DIGITS];
        int parts_count = 0;
        for (int64_t left = r->tiles->tiles[i]; left > 1;) {
            if (at == count)
                return false;
            struct digit *digit = &digits[at];
            int64_t size = left < digit->size ? left : digit->size;
            if (left % size || digit->size % size)
                return false;
            int64_t rest = digit->size / size;
            parts[parts_count++] = part_of(r->count, (struct digit){digit->stride * rest, size});
            digit->size = rest;
            at += rest == 1;
            left /= size;
        }
        r->axes[i].count = parts_count;
        r->axes[i].at = arena_copy(r->arena, parts, (size_t)parts_count * sizeof *parts);
    }
    r->mesh = device_mesh(r->arena, r->count);
    return true;
}

/* One axis for each dimension of the tiles, over a mesh with device ids. */
static void list_devices(struct reader *r, const int64_t *devices)
{
    const struct sharding_tiles *tiles = r->tiles;
    struct mesh *mesh = r->mesh = ARENA_NEW(r->arena, struct mesh);
    const char **names = ARENA_ARRAY(r->arena, const char *, (size_t)tiles->tile_count);
    for (int i = 0; i < tiles->tile_count; i++) {
        struct axis_ref whole = {i, 0, 0};
        names[i] = arena_format(r->arena, "axis_%d", i);
        r->axes[i] =
            (struct axis_refs){tiles->tiles[i] > 1, arena_copy(r->arena, &whole, sizeof whole)};
    }
    mesh->axis_count = tiles->tile_count;
    mesh->axis_names = names;
    mesh->axis_sizes =
        arena_copy(r->arena, tiles->tiles, (size_t)tiles->tile_count * sizeof *tiles->tiles);
    mesh->device_count = r->count;
    mesh->device_ids = arena_copy(r->arena, devices, (size_t)r->count * sizeof *devices);
}

static struct error *read_axes(struct reader *r)
{
    const struct sharding_tiles *tiles = r->tiles;
    struct digit digits[MAX_DIGITS];
    int count = tiles->reshape_count;
    if (tiles->devices) {
        TRY(check_distinct(r->arena, r->count, tiles->devices));
        count = sharding_tiles_digits(r->count, tiles->devices, MAX_DIGITS, digits);
    } else {
        TRY(iota_digits(tiles, r->count, digits));
        count = merge_digits(count, digits);
    }
    struct digit left[MAX_DIGITS];
    memcpy(left, digits, sizeof digits);
    if (count >= 0 && split_digits(r, count, left))
        return NULL;
    if (tiles->devices) {
        list_devices(r, tiles->devices);
        return NULL;
    }
    int64_t *devices = ARENA_ARRAY(r->arena, int64_t, (size_t)r->count);
    for (int64_t i = 0; i < r->count; i++)
        devices[i] = device_at(i, count, digits);
    list_devices(r, devices);
    return NULL;
}

static struct error *count_tiles(struct reader *r, int rank)
{
    const struct sharding_tiles *tiles = r->tiles;
    r->count = 1;
    if (tiles->tile_count > SHARDING_MAX_TILES || tiles->subgroup_count < 0 ||
        tiles->subgroup_count > tiles->tile_count)
        return ERROR(INVALID_ARGUMENT,
                     "a sharding has %d tile dimensions with %d subgroups; the limit is %d",
                     tiles->tile_count, tiles->subgroup_count, SHARDING_MAX_TILES);
    for (int i = 0; i < tiles->tile_count; i++) {
        if (tiles->tiles[i] < 1 || tiles->tiles[i] > SHARDING_MAX_DEVICES / r->count)
            return ERROR(INVALID_ARGUMENT,
                         "tile dimension %d of a sharding is %" PRId64
                         "; sizes must be positive and their product at most %" PRId64,
                         i, tiles->tiles[i], SHARDING_MAX_DEVICES);
        r->count *= tiles->tiles[i];
    }
    if (tiles->devices && tiles->device_count != r->count)
        return ERROR(INVALID_ARGUMENT,
                     "a sharding of %" PRId64 " tiles lists %" PRId64
                     " devices; the numbers must be equal",
                     r->count, tiles->device_count);
    if (tiles->tile_count - tiles->subgroup_count != rank)
        return ERROR(INVALID_ARGUMENT,
                     "a sharding of %d dimensions is given for a tensor of %d; the numbers must be "
                     "equal",
                     tiles->tile_count - tiles->subgroup_count, rank);
    return NULL;
}

static void append_axes(struct arena *arena, struct axis_refs *list, struct axis_refs more)
{
    struct axis_ref *at = ARENA_ARRAY(arena, struct axis_ref, (size_t)(list->count + more.count));
    if (list->count)
        memcpy(at, list->at, (size_t)list->count * sizeof *at);
    if (more.count)
        memcpy(at + list->count, more.at, (size_t)more.count * sizeof *at);
    *list = (struct axis_refs){list->count + more.count, at};
}

static struct error *read_tiled(struct reader *r, int rank, const struct sharding **out)
{
    TRY(count_tiles(r, rank));
    TRY(read_axes(r));
    struct sharding *sharding = ARENA_NEW(r->arena, struct sharding);
    struct dim_sharding *dims = ARENA_ARRAY(r->arena, struct dim_sharding, (size_t)rank);
    for (int i = 0; i < rank; i++)
        dims[i] = (struct dim_sharding){r->axes[i], true, -1};
    *sharding = (struct sharding){.mesh = r->mesh, .rank = rank, .dims = dims};
    for (int i = 0; i < r->tiles->subgroup_count; i++) {
        if (r->tiles->subgroups[i] == TILES_MANUAL)
            append_axes(r->arena, &sharding->manual, r->axes[rank + i]);
        else if (r->tiles->subgroups[i] == TILES_UNREDUCED)
            append_axes(r->arena, &sharding->unreduced, r->axes[rank + i]);
        else if (r->tiles->subgroups[i] != TILES_REPLICATED)
            return ERROR(INVALID_ARGUMENT,
                         "a subgroup of a sharding has type %d; it must be replicated, manual or "
                         "unreduced",
                         (int)r->tiles->subgroups[i]);
    }
    *out = sharding;
    return sharding_check(sharding, rank);
}

/* Manual or unreduced over all devices. */
static void read_whole(struct reader *r, int rank, int64_t device_count,
                       const struct sharding **out)
{
    static const struct axis_ref all = {0, 0, 0};
    const struct sharding *plain =
        sharding_replicated(r->arena, device_mesh(r->arena, device_count), rank, true);
    struct sharding *sharding = arena_copy(r->arena, plain, sizeof *plain);
    if (r->tiles->kind == TILES_MANUAL)
        sharding->manual = (struct axis_refs){1, &all};
    else if (r->tiles->kind == TILES_UNREDUCED)
        sharding->unreduced = (struct axis_refs){1, &all};
    *out = sharding;
}

struct error *sharding_tiles_read(struct arena *arena, const struct sharding_tiles *tiles, int rank,
                                  int64_t device_count, const struct sharding **out)
{
    struct reader r = {.arena = arena, .tiles = tiles};
    *out = NULL;
    switch (tiles->kind) {
    case TILES_UNKNOWN: return NULL;
    case TILES_TILED: return read_tiled(&r, rank, out);
    case TILES_REPLICATED:
    case TILES_MANUAL:
    case TILES_UNREDUCED: read_whole(&r, rank, device_count, out); return NULL;
    case TILES_MAXIMAL: {
        struct sharding *sharding = ARENA_NEW(arena, struct sharding);
        sharding->kind = SHARDING_MAXIMAL;
        sharding->device = tiles->device_count ? tiles->devices[0] : 0;
        *out = sharding;
        return sharding_check(sharding, rank);
    }
    case TILES_TUPLE: break;
    }
    return ERROR(INVALID_ARGUMENT, "the sharding of an array is of type %d; it must be in [0, 6]",
                 (int)tiles->kind);
}

/* ---- writing --------------------------------------------------------------------------------- */

struct writer {
    const struct mesh *mesh;
    struct sharding_tiles *out;
    int count;
    struct digit digits[MAX_DIGITS]; /* of the dimensions of the tiles, in order */
};

/* The digits of a part of an axis, over the linear numbering of the mesh. */
static struct digit digit_of(const struct mesh *mesh, struct axis_ref axis)
{
    int64_t stride = 1, whole = mesh->axis_sizes[axis.axis];
    for (int i = axis.axis + 1; i < mesh->axis_count; i++)
        stride *= mesh->axis_sizes[i];
    if (!axis.size)
        return (struct digit){stride, whole};
    return (struct digit){stride * (whole / (axis.pre_size * axis.size)), axis.size};
}

/* Appends a dimension of the tiles. */
static bool write_dim(struct writer *w, struct axis_refs axes)
{
    int64_t size = 1;
    for (int i = 0; i < axes.count; i++) {
        struct digit digit = digit_of(w->mesh, axes.at[i]);
        if (digit.size == 1)
            continue;
        if (w->count == MAX_DIGITS)
            return false;
        w->digits[w->count++] = digit;
        size *= digit.size;
    }
    if (w->out->tile_count == SHARDING_MAX_TILES)
        return false;
    w->out->tiles[w->out->tile_count++] = size;
    return true;
}

static bool write_subgroup(struct writer *w, enum tiles_kind kind, struct axis_refs axes)
{
    if (sharding_axes_size(w->mesh, axes) == 1)
        return true;
    w->out->subgroups[w->out->subgroup_count++] = kind;
    return write_dim(w, axes);
}

/* Appends, major to minor, the digits that no dimension uses; their product is the last tile
 * dimension. */
static bool write_unused(struct writer *w)
{
    int64_t end = w->mesh->device_count, size = 1;
    int used = w->count;
    while (end > 1) {
        int64_t begin = 1; /* of the unused digit that ends at `end` */
        bool is_used = false;
        for (int i = 0; i < used; i++) {
            struct digit digit = w->digits[i];
            int64_t digit_end = digit.stride * digit.size;
            if (digit_end == end) {
                is_used = true;
                begin = digit.stride;
                break;
            }
            if (digit_end < end && digit_end > begin)
                begin = digit_end;
        }
        if (!is_used) {
            if (w->count == MAX_DIGITS || end % begin)
                return false;
            w->digits[w->count++] = (struct digit){begin, end / begin};
            size *= end / begin;
        }
        end = begin;
    }
    if (size == 1)
        return true;
    if (w->out->tile_count == SHARDING_MAX_TILES)
        return false;
    w->out->subgroups[w->out->subgroup_count++] = TILES_REPLICATED;
    w->out->tiles[w->out->tile_count++] = size;
    return true;
}

/* The iota whose transposition has these digits: its dimensions are the digits by falling stride.
 */
static void write_iota(struct writer *w)
{
    struct sharding_tiles *out = w->out;
    int count = merge_digits(w->count, w->digits);
    out->reshape_count = count ? count : 1;
    out->reshape[0] = 1;
    out->permutation[0] = 0;
    for (int i = 0; i < count; i++) {
        int rank = 0;
        for (int k = 0; k < count; k++)
            rank += w->digits[k].stride > w->digits[i].stride;
        out->reshape[rank] = w->digits[i].size;
        out->permutation[i] = rank;
    }
}

/* The devices in the order of the tiles, of a mesh with device ids. */
static void write_list(struct arena *arena, struct writer *w)
{
    int64_t count = w->mesh->device_count;
    int64_t *devices = ARENA_ARRAY(arena, int64_t, (size_t)count);
    for (int64_t i = 0; i < count; i++)
        devices[i] = w->mesh->device_ids[device_at(i, w->count, w->digits)];
    w->out->devices = devices;
    w->out->device_count = count;
}

static bool write_tiled(struct writer *w, const struct sharding *sharding)
{
    bool fits = true;
    for (int i = 0; fits && i < sharding->rank; i++)
        fits = write_dim(w, sharding->dims[i].axes);
    bool local = true; /* no manual axis shards a dimension */
    for (int i = 0; i < sharding->rank; i++)
        local &= sharding_manual_size(sharding, i) == 1;
    if (fits && local)
        fits = write_subgroup(w, TILES_MANUAL, sharding->manual);
    return fits && write_subgroup(w, TILES_UNREDUCED, sharding->unreduced) && write_unused(w);
}

struct error *sharding_tiles_write(struct arena *arena, const struct sharding *sharding,
                                   struct sharding_tiles *out)
{
    *out = (struct sharding_tiles){.kind = TILES_REPLICATED};
    if (!sharding)
        return NULL;
    if (sharding->kind == SHARDING_MAXIMAL) {
        out->kind = TILES_MAXIMAL;
        out->device_count = 1;
        out->devices = arena_copy(arena, &sharding->device, sizeof sharding->device);
        return NULL;
    }
    struct writer w = {.mesh = sharding->mesh, .out = out};
    if (!write_tiled(&w, sharding))
        return ERROR(UNIMPLEMENTED,
                     "a sharding has more than %d dimensions of tiles, the limit of an OpSharding",
                     SHARDING_MAX_TILES);
    int64_t tiles = 1;
    for (int i = 0; i < sharding->rank; i++)
        tiles *= out->tiles[i];
    bool replicated = tiles == 1 && out->subgroup_count == (out->tile_count > sharding->rank) &&
                      (!out->subgroup_count || out->subgroups[0] == TILES_REPLICATED);
    if (replicated) {
        *out = (struct sharding_tiles){.kind = TILES_REPLICATED};
        return NULL;
    }
    out->kind = TILES_TILED;
    if (tiles == 1 && out->subgroup_count == 1) { /* over all devices */
        *out = (struct sharding_tiles){.kind = out->subgroups[0]};
        return NULL;
    }
    if (sharding->mesh->device_ids)
        write_list(arena, &w);
    else
        write_iota(&w);
    return NULL;
}

void sharding_tiles_list(struct arena *arena, struct sharding_tiles *tiles)
{
    struct digit digits[MAX_DIGITS];
    int64_t count = 1;
    for (int i = 0; i < tiles->tile_count; i++)
        count *= tiles->tiles[i];
    if (tiles->kind != TILES_TILED || tiles->devices)
        return;
    struct error *error = iota_digits(tiles, count, digits);
    if (error) { /* tiles that sharding_tiles_write() does not make */
        error_free(error);
        return;
    }
    int64_t *devices = ARENA_ARRAY(arena, int64_t, (size_t)count);
    for (int64_t i = 0; i < count; i++)
        devices[i] = device_at(i, tiles->reshape_count, digits);
    tiles->devices = devices;
    tiles->device_count = count;
    tiles->reshape_count = 0;
}
