#include "compiler/ir/sharding_parse.h"

#include <inttypes.h>
#include <string.h>

#include "base/vec.h"

struct parser {
    struct arena *arena;
    const char *begin, *at, *end;
    int64_t device_count;
};

static struct error *expected(const struct parser *p, const char *what)
{
    int shown = p->end - p->begin < 120 ? (int)(p->end - p->begin) : 120;
    return ERROR(INVALID_ARGUMENT, "the sharding \"%.*s\": expected %s at character %td", shown,
                 p->begin, what, p->at - p->begin);
}

/* ---- tokens ---------------------------------------------------------------------------------- */

static void skip_space(struct parser *p)
{
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\n'))
        p->at++;
}

/* Skips `token` when it is next. */
static bool accept(struct parser *p, const char *token)
{
    skip_space(p);
    size_t size = strlen(token);
    if ((size_t)(p->end - p->at) < size || memcmp(p->at, token, size) != 0)
        return false;
    p->at += size;
    return true;
}

static struct error *expect(struct parser *p, const char *token)
{
    return accept(p, token) ? NULL : expected(p, token);
}

static struct error *read_number(struct parser *p, int64_t *out)
{
    skip_space(p);
    const char *begin = p->at;
    *out = 0;
    for (; p->at < p->end && *p->at >= '0' && *p->at <= '9'; p->at++)
        if (__builtin_mul_overflow(*out, 10, out) ||
            __builtin_add_overflow(*out, *p->at - '0', out))
            return expected(p, "a smaller number");
    return p->at > begin ? NULL : expected(p, "a number");
}

/* "2,1,2": at most `capacity` numbers. */
static struct error *read_few(struct parser *p, int capacity, int *count, int64_t *out)
{
    *count = 0;
    do {
        if (*count == capacity)
            return expected(p, "fewer dimensions");
        TRY(read_number(p, &out[(*count)++]));
    } while (accept(p, ","));
    return NULL;
}

/* ---- one sharding ---------------------------------------------------------------------------- */

/* "(1,0)" */
static struct error *read_permutation(struct parser *p, struct sharding_tiles *tiles)
{
    int64_t order[SHARDING_MAX_TILES];
    int count;
    TRY(expect(p, "("));
    TRY(read_few(p, SHARDING_MAX_TILES, &count, order));
    if (count != tiles->reshape_count)
        return expected(p, "as many numbers as the iota has dimensions");
    for (int i = 0; i < count; i++)
        tiles->permutation[i] = order[i] < count ? (int)order[i] : count;
    return expect(p, ")");
}

/* "[4,2]T(1,0)", after "<=" */
static struct error *read_iota(struct parser *p, struct sharding_tiles *tiles)
{
    TRY(expect(p, "["));
    TRY(read_few(p, SHARDING_MAX_TILES, &tiles->reshape_count, tiles->reshape));
    TRY(expect(p, "]"));
    for (int i = 0; i < tiles->reshape_count; i++)
        tiles->permutation[i] = i;
    return accept(p, "T") ? read_permutation(p, tiles) : NULL;
}

/* "0,2,1,3" */
static struct error *read_list(struct parser *p, struct sharding_tiles *tiles)
{
    VEC(int64_t) devices = {0};
    do {
        int64_t device;
        TRY(read_number(p, &device));
        VEC_PUSH(p->arena, &devices, device);
    } while (accept(p, ","));
    tiles->device_count = (int64_t)devices.count;
    tiles->devices = devices.items;
    return NULL;
}

/* "[2,1,2]<=[4]", after "devices=" */
static struct error *read_devices(struct parser *p, struct sharding_tiles *tiles)
{
    tiles->kind = TILES_TILED;
    TRY(expect(p, "["));
    TRY(read_few(p, SHARDING_MAX_TILES, &tiles->tile_count, tiles->tiles));
    TRY(expect(p, "]"));
    return accept(p, "<=") ? read_iota(p, tiles) : read_list(p, tiles);
}

/* "{manual, replicated}", after "last_tile_dims=" */
static struct error *read_subgroups(struct parser *p, struct sharding_tiles *tiles)
{
    static const struct {
        const char *name;
        enum tiles_kind kind;
    } kinds[] = {
        {"replicated", TILES_REPLICATED}, {"manual", TILES_MANUAL}, {"unreduced", TILES_UNREDUCED}};
    TRY(expect(p, "{"));
    while (!accept(p, "}")) {
        size_t i = 0;
        while (i < 3 && !accept(p, kinds[i].name))
            i++;
        if (i == 3 || tiles->subgroup_count == SHARDING_MAX_TILES)
            return expected(p, "replicated, manual or unreduced");
        tiles->subgroups[tiles->subgroup_count++] = kinds[i].kind;
        accept(p, ",");
    }
    return NULL;
}

/* "{...}", after "metadata=" */
static struct error *skip_metadata(struct parser *p)
{
    int depth = 0;
    bool quoted = false;
    skip_space(p);
    for (; p->at < p->end; p->at++) {
        if (*p->at == '\\' && quoted && p->at + 1 < p->end)
            p->at++;
        else if (*p->at == '"')
            quoted = !quoted;
        else if (!quoted && *p->at == '{')
            depth++;
        else if (!quoted && *p->at == '}' && --depth <= 0)
            break;
    }
    if (depth || p->at == p->end)
        return expected(p, "the end of the metadata");
    p->at++;
    return NULL;
}

static struct error *read_group(struct parser *p, struct sharding_tiles *tiles)
{
    tiles->has_group = true;
    return read_number(p, &tiles->group);
}

static struct error *read_device(struct parser *p, struct sharding_tiles *tiles)
{
    int64_t device;
    TRY(read_number(p, &device));
    tiles->device_count = 1;
    tiles->devices = arena_copy(p->arena, &device, sizeof device);
    return NULL;
}

/* One word of a sharding. */
static struct error *read_part(struct parser *p, struct sharding_tiles *tiles)
{
    static const struct {
        const char *word;
        enum tiles_kind kind;
    } kinds[] = {{"replicated", TILES_REPLICATED},
                 {"manual", TILES_MANUAL},
                 {"unreduced", TILES_UNREDUCED},
                 {"unknown", TILES_UNKNOWN},
                 {"maximal", TILES_MAXIMAL}};
    if (accept(p, "devices="))
        return read_devices(p, tiles);
    if (accept(p, "device="))
        return read_device(p, tiles);
    if (accept(p, "last_tile_dims="))
        return read_subgroups(p, tiles);
    if (accept(p, "last_tile_dim_replicate")) {
        tiles->subgroup_count = 1;
        tiles->subgroups[0] = TILES_REPLICATED;
        return NULL;
    }
    if (accept(p, "shard_as") || accept(p, "shard_like"))
        return read_group(p, tiles);
    if (accept(p, "metadata="))
        return skip_metadata(p);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (accept(p, kinds[i].word)) {
            tiles->kind = kinds[i].kind;
            return NULL;
        }
    return expected(p, "a sharding");
}

/* "...}": the rest of a sharding after its brace. */
static struct error *read_sharding(struct parser *p, struct sharding_tiles *tiles)
{
    *tiles = (struct sharding_tiles){.kind = TILES_UNKNOWN};
    do
        TRY(read_part(p, tiles));
    while (!accept(p, "}"));
    return NULL;
}

static struct error *convert(struct parser *p, const struct sharding_tiles *tiles, int rank,
                             struct sharding_note *out)
{
    *out = (struct sharding_note){NULL, tiles->has_group, tiles->group};
    if (rank < 0)
        return NULL;
    return sharding_tiles_read(p->arena, tiles, rank, p->device_count, &out->sharding);
}

/* "{...}, {...}}": the rest of a tuple after its brace. */
static struct error *read_tuple(struct parser *p, int count, const int *ranks,
                                struct sharding_note *out)
{
    struct sharding_tiles tiles;
    for (int i = 0; i < count; i++) {
        if (i)
            TRY(expect(p, ","));
        TRY(expect(p, "{"));
        TRY(read_sharding(p, &tiles));
        TRY(convert(p, &tiles, ranks[i], &out[i]));
    }
    return expect(p, "}");
}

/* "...}" for all values, which share it where their ranks are equal. */
static struct error *read_shared(struct parser *p, int count, const int *ranks,
                                 struct sharding_note *out)
{
    struct sharding_tiles tiles;
    int last = -1; /* the last tensor */
    TRY(read_sharding(p, &tiles));
    for (int i = 0; i < count; i++) {
        if (last >= 0 && ranks[i] == ranks[last])
            out[i] = out[last];
        else
            TRY(convert(p, &tiles, ranks[i], &out[i]));
        if (ranks[i] >= 0)
            last = i;
    }
    return NULL;
}

struct error *sharding_parse(struct arena *arena, struct string text, int count, const int *ranks,
                             int64_t device_count, struct sharding_note *out)
{
    struct parser p = {arena, text.data, text.data, text.data + text.size, device_count};
    TRY(expect(&p, "{"));
    skip_space(&p);
    bool tuple = p.at < p.end && (*p.at == '{' || (*p.at == '}' && !count));
    TRY(tuple ? read_tuple(&p, count, ranks, out) : read_shared(&p, count, ranks, out));
    skip_space(&p);
    return p.at == p.end ? NULL : expected(&p, "the end");
}

struct error *sharding_parse_tiles(struct arena *arena, struct string text,
                                   struct sharding_tiles *out)
{
    struct parser p = {arena, text.data, text.data, text.data + text.size, 1};
    TRY(expect(&p, "{"));
    TRY(read_sharding(&p, out));
    skip_space(&p);
    return p.at == p.end ? NULL : expected(&p, "the end");
}

struct error *sharding_parse_first(struct arena *arena, struct string text,
                                   struct sharding_tiles *out)
{
    struct parser p = {arena, text.data, text.data, text.data + text.size, 1};
    TRY(expect(&p, "{"));
    if (p.at < p.end && *p.at == '{')
        TRY(expect(&p, "{"));
    return read_sharding(&p, out);
}
