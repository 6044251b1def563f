/* sharding_tiles_text.c: tiles in the syntax of HLO text. */
#include <inttypes.h>
#include <stdio.h>

#include "compiler/ir/sharding_tiles.h"

struct line { /* of a capacity that fits */
    char *at;
    size_t size, capacity;
};

static void add_word(struct line *line, const char *word)
{
    int size = snprintf(line->at + line->size, line->capacity - line->size, "%s", word);
    line->size += (size_t)size;
}

/* "2,1,2" between two words */
static void add_numbers(struct line *line, const char *before, int64_t count, const int64_t *at,
                        const char *after)
{
    add_word(line, before);
    for (int64_t i = 0; i < count; i++) {
        int size = snprintf(line->at + line->size, line->capacity - line->size, "%s%" PRId64,
                            i ? "," : "", at[i]);
        line->size += (size_t)size;
    }
    add_word(line, after);
}

static void add_iota(struct line *line, const struct sharding_tiles *tiles)
{
    int64_t order[SHARDING_MAX_TILES];
    bool transposed = false;
    for (int i = 0; i < tiles->reshape_count; i++) {
        order[i] = tiles->permutation[i];
        transposed |= order[i] != i;
    }
    add_numbers(line, "<=[", tiles->reshape_count, tiles->reshape, "]");
    if (transposed)
        add_numbers(line, "T(", tiles->reshape_count, order, ")");
}

static void add_subgroups(struct line *line, const struct sharding_tiles *tiles)
{
    static const char *const names[] = {[TILES_REPLICATED] = "replicated",
                                        [TILES_MANUAL] = "manual",
                                        [TILES_UNREDUCED] = "unreduced"};
    if (tiles->subgroup_count == 1 && tiles->subgroups[0] == TILES_REPLICATED) {
        add_word(line, " last_tile_dim_replicate");
    } else if (tiles->subgroup_count) {
        add_word(line, " last_tile_dims={");
        for (int i = 0; i < tiles->subgroup_count; i++) {
            add_word(line, i ? ", " : "");
            add_word(line, names[tiles->subgroups[i]]);
        }
        add_word(line, "}");
    }
}

char *sharding_tiles_text(struct arena *arena, const struct sharding_tiles *tiles)
{
    enum { DIGITS = 21, WORDS = 64, NAME = 12 }; /* characters of a number, and of words */
    size_t numbers =
        (size_t)tiles->device_count + (size_t)tiles->tile_count + 2 * (size_t)tiles->reshape_count;
    struct line line = {.capacity =
                            numbers * DIGITS + (size_t)tiles->subgroup_count * NAME + WORDS};
    line.at = arena_array(arena, line.capacity, 1);
    add_word(&line, "{");
    switch (tiles->kind) {
    case TILES_MANUAL: add_word(&line, "manual"); break;
    case TILES_UNREDUCED: add_word(&line, "unreduced"); break;
    case TILES_MAXIMAL: add_numbers(&line, "maximal device=", 1, tiles->devices, ""); break;
    case TILES_UNKNOWN: add_word(&line, "unknown"); break;
    case TILES_TILED:
        add_numbers(&line, "devices=[", tiles->tile_count, tiles->tiles, "]");
        if (tiles->devices)
            add_numbers(&line, "", tiles->device_count, tiles->devices, "");
        else
            add_iota(&line, tiles);
        add_subgroups(&line, tiles);
        break;
    default: add_word(&line, "replicated"); break;
    }
    add_word(&line, "}");
    return line.at;
}
