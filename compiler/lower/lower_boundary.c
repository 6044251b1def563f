/* lower_boundary.c: see lower_boundary.h. */
#include "compiler/lower/lower_boundary.h"

#include "base/map.h"
#include "compiler/ir/sharding_tiles.h"

enum { MAX_LISTED = 1024 }; /* devices; larger lists are worth the compact form */

/* How a value of a partitioned program is partitioned, as HLO text; NULL in other programs. In the
 * form of the client's own shardings, because clients compare the text. */
static char *sharding_of(const struct lowerer *l, const struct type *type)
{
    struct sharding_tiles tiles;
    if (l->module->num_partitions == 1)
        return NULL;
    struct error *error = sharding_tiles_write(l->arena, type->sharding, &tiles);
    if (!error) {
        if (l->module->lists_devices && l->module->num_partitions <= MAX_LISTED)
            sharding_tiles_list(l->arena, &tiles);
        return sharding_tiles_text(l->arena, &tiles);
    }
    error_free(error); /* more dimensions than a report can have */
    return NULL;
}

/* `type` is the declared one, with its layout, memory kind and sharding. */
static struct program_value value_of(const struct lowerer *l, const struct type *type,
                                     const struct argument_info *info)
{
    struct arena *arena = l->arena;
    return (struct program_value){.sharding = sharding_of(l, type),
                                  .shape = shape_copy(arena, &type->shape),
                                  .alias = -1,
                                  .bytes =
                                      type->kind == TYPE_TENSOR ? (uint64_t)type_bytes(type) : 0,
                                  .donated = info && info->alias_result >= 0};
}

/* ---- donors ---------------------------------------------------------------------------------- */
struct place { /* what a result must have in common with a donor */
    uint64_t bytes;
    uint64_t memory;
};

static struct place place_of(const struct program_value *value)
{
    return (struct place){(uint64_t)shape_padded_bytes(&value->shape), value->shape.memory};
}

/* The number of results of that place that no donor has been matched with; NULL: there are none. */
static int *free_results(struct map *counts, const struct program_value *value)
{
    struct place place = place_of(value);
    return map_get(counts, &place, sizeof place);
}

static void count_free(const struct lowerer *l, struct map *counts,
                       const struct program_value *result)
{
    struct place place = place_of(result);
    int *count = free_results(counts, result);
    if (!count) {
        count = ARENA_NEW(l->arena, int);
        map_put(counts, &place, sizeof place, count);
    }
    ++*count;
}

/* Clients expect of a donor (jax.buffer_donor) that it is consumed if a result has as many bytes in
 * the same memory, whether or not the result could take over its memory: XLA aliases by size, and
 * copies where that is not safe. */
static void consume_donors(const struct lowerer *l, struct program *program)
{
    const struct argument_info *infos = l->module->entry->argument_infos;
    struct map *counts = map_create(l->arena);
    for (int i = 0; i < program->result_count; i++)
        if (program->results[i].alias < 0)
            count_free(l, counts, &program->results[i]);
    for (int i = 0; infos && i < program->parameter_count; i++) {
        struct program_value *parameter = &program->parameters[i];
        int *count = free_results(counts, parameter);
        if (!infos[i].donated || parameter->donated || !count || *count == 0)
            continue;
        parameter->donated = true;
        --*count;
    }
}

/* Appends the sizes among `count` arguments (or results) to the program's. */
static void add_sizes(struct program *program, bool of_result, int count,
                      const struct argument_info *infos)
{
    for (int i = 0; infos && i < count; i++)
        if (infos[i].is_size)
            program->sizes[program->size_count++] =
                (struct program_size){of_result, i, infos[i].sized, infos[i].dimension};
}

void lower_boundary(const struct lowerer *l, struct program *program)
{
    const struct func *func = l->module->entry;
    const struct block *body = func->body;
    program->parameter_count = body->argument_count;
    program->result_count = body->last->operand_count;
    program->parameters = ARENA_ARRAY(l->arena, struct program_value, program->parameter_count + 1);
    program->results = ARENA_ARRAY(l->arena, struct program_value, program->result_count + 1);
    for (int i = 0; i < program->parameter_count; i++)
        program->parameters[i] = value_of(l, ir_argument_type(func, i),
                                          func->argument_infos ? &func->argument_infos[i] : NULL);
    for (int i = 0; i < program->result_count; i++) {
        program->results[i] =
            value_of(l, func->result_types[i], func->result_infos ? &func->result_infos[i] : NULL);
        int alias = program->results[i].alias = l->plan->result_alias[i];
        if (alias >= 0)
            program->parameters[alias].alias = i, program->parameters[alias].donated = true;
    }
    consume_donors(l, program);
    program->sizes = ARENA_ARRAY(l->arena, struct program_size,
                                 program->parameter_count + program->result_count);
    add_sizes(program, false, program->parameter_count, func->argument_infos);
    add_sizes(program, true, program->result_count, func->result_infos);
}
