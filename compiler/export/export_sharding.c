#include "compiler/export/export_sharding.h"

#include <string.h>

#include "base/alloc.h"
#include "compiler/ir/sharding_parse.h"

/* Field numbers of OpSharding. */
enum {
    SHARDING_TYPE = 1,
    SHARDING_TILES = 3,
    SHARDING_DEVICES = 4,
    SHARDING_ELEMENTS = 5,
    SHARDING_REPLICATE_LAST = 6,
    SHARDING_LAST_TYPES = 8,
    SHARDING_IOTA = 9,
    SHARDING_PERMUTATION = 10
};

static void add_numbers(struct proto *to, int field, int64_t count, const int64_t *at)
{
    struct proto packed = {.arena = to->arena};
    for (int64_t i = 0; i < count; i++)
        proto_varint(&packed, (uint64_t)at[i]);
    if (count)
        proto_message(to, field, &packed);
}

static void add_iota(struct proto *to, const struct sharding_tiles *tiles)
{
    int64_t permutation[SHARDING_MAX_TILES];
    for (int i = 0; i < tiles->reshape_count; i++)
        permutation[i] = tiles->permutation[i];
    add_numbers(to, SHARDING_IOTA, tiles->reshape_count, tiles->reshape);
    add_numbers(to, SHARDING_PERMUTATION, tiles->reshape_count, permutation);
}

static void add_subgroups(struct proto *to, const struct sharding_tiles *tiles)
{
    int64_t types[SHARDING_MAX_TILES];
    for (int i = 0; i < tiles->subgroup_count; i++)
        types[i] = tiles->subgroups[i];
    if (tiles->subgroup_count == 1 && types[0] == TILES_REPLICATED)
        proto_number(to, SHARDING_REPLICATE_LAST, 1);
    else
        add_numbers(to, SHARDING_LAST_TYPES, tiles->subgroup_count, types);
}

void export_sharding_tiles(struct proto *to, const struct sharding_tiles *tiles)
{
    if (tiles->kind != TILES_REPLICATED)
        proto_number(to, SHARDING_TYPE, tiles->kind);
    add_numbers(to, SHARDING_TILES, tiles->tile_count, tiles->tiles);
    if (tiles->devices)
        add_numbers(to, SHARDING_DEVICES, tiles->device_count, tiles->devices);
    else
        add_iota(to, tiles);
    add_subgroups(to, tiles);
}

/* The fields of one sharding. False when the text is none. */
static bool add_sharding(struct proto *to, const char *text)
{
    struct sharding_tiles tiles;
    struct error *error =
        sharding_parse_tiles(to->arena, (struct string){strlen(text), text}, &tiles);
    if (error) { /* a serialized program may have any text */
        error_free(error);
        return false;
    }
    export_sharding_tiles(to, &tiles);
    return true;
}

static bool have_shardings(int count, const struct program_value *values)
{
    for (int i = 0; i < count; i++)
        if (!values[i].sharding)
            return false;
    return true;
}

/* Of an empty tuple, which has an element nevertheless. */
static void add_replicated(struct proto *to)
{
    struct proto none = {.arena = to->arena};
    proto_message(to, SHARDING_ELEMENTS, &none);
}

void export_sharding_results(struct proto *to, int field, const struct program *program)
{
    struct proto all = {.arena = to->arena};
    if (program->num_partitions == 1 || !have_shardings(program->result_count, program->results))
        return;
    bool fits = true;
    if (program->result_count == 1) {
        fits = add_sharding(&all, program->results[0].sharding);
    } else {
        proto_number(&all, SHARDING_TYPE, TILES_TUPLE);
        if (!program->result_count)
            add_replicated(&all);
        for (int i = 0; fits && i < program->result_count; i++) {
            struct proto one = {.arena = to->arena};
            fits = add_sharding(&one, program->results[i].sharding);
            proto_message(&all, SHARDING_ELEMENTS, &one);
        }
    }
    if (fits)
        proto_message(to, field, &all);
}

void export_sharding_parameters(struct proto *to, int field, const struct program *program)
{
    if (program->num_partitions == 1 ||
        !have_shardings(program->parameter_count, program->parameters))
        return;
    for (int i = 0; i < program->parameter_count; i++) {
        struct proto one = {.arena = to->arena};
        if (!add_sharding(&one, program->parameters[i].sharding))
            one.size = 0; /* replicated */
        proto_message(to, field, &one);
    }
}

/* ---- as bytes ---- */
struct job {
    struct arena *arena;
    const struct program_value *values;
    size_t value_count; /* what has no value is replicated */
    struct sharding_list *out;
};

/* Puts the arrays and the bytes of all shardings into one allocation. */
static struct error *pack(const struct job *job, const struct proto *each, size_t bytes)
{
    size_t count = job->out->count, arrays = count * (sizeof(char *) + sizeof(size_t));
    TRY(alloc_bytes(arrays + bytes, &job->out->shardings));
    job->out->sizes = (size_t *)(job->out->shardings + count);
    char *at = (char *)(job->out->sizes + count);
    for (size_t i = 0; i < count; i++) {
        job->out->shardings[i] = at;
        job->out->sizes[i] = each[i].size;
        if (each[i].size)
            memcpy(at, each[i].bytes, each[i].size);
        at += each[i].size;
    }
    return NULL;
}

static struct error *write_list(void *context)
{
    const struct job *job = context;
    struct proto *each = ARENA_ARRAY(job->arena, struct proto, job->out->count);
    size_t bytes = 0;
    for (size_t i = 0; i < job->out->count; i++) {
        each[i].arena = job->arena;
        if (i < job->value_count && !add_sharding(&each[i], job->values[i].sharding))
            each[i].size = 0; /* replicated */
        bytes += each[i].size;
    }
    return pack(job, each, bytes);
}

struct error *export_sharding_list(const struct program *program, bool of_results,
                                   struct sharding_list *out)
{
    int count = program_visible(program, of_results);
    struct job job = {.values = of_results ? program->results : program->parameters,
                      .value_count = (size_t)count,
                      .out = out};
    *out = (struct sharding_list){.count = of_results && !count ? 1 : (size_t)count};
    if (program->num_partitions == 1 || !have_shardings(count, job.values))
        return NULL;
    TRY(arena_create(&job.arena));
    struct error *error = arena_run(job.arena, write_list, &job);
    arena_destroy(job.arena);
    return error;
}
