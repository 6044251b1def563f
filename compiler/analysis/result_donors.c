/* result_donors.c: see result_donors.h. Donors wait in lists by type. */
#include "compiler/analysis/result_donors.h"

#include "base/map.h"
#include "base/vec.h"

struct donors { /* of one type, in order */
    VEC(int) arguments;
    size_t taken;
};

/* The list of a type: of arrays of its elements and dimensions in its memory kind. */
static struct donors *donors_of(struct arena *arena, struct map *map, const struct type *type)
{
    int64_t key[SHAPE_MAX_RANK + 2] = {type->shape.dtype, type->shape.memory};
    for (int i = 0; i < type->shape.rank; i++)
        key[2 + i] = type->shape.dims[i];
    size_t size = (size_t)(2 + type->shape.rank) * sizeof *key;
    struct donors *donors = map_get(map, key, size);
    if (!donors) {
        donors = ARENA_NEW(arena, struct donors);
        map_put(map, key, size, donors);
    }
    return donors;
}

const int *result_donors(struct arena *arena, const struct func *entry)
{
    struct map *map = map_create(arena);
    int *result = ARENA_ARRAY(arena, int, (size_t)entry->result_count + 1);
    for (int i = 0; i < entry->result_count; i++)
        result[i] = -1;
    for (int i = 0; entry->argument_infos && i < entry->body->argument_count; i++) {
        const struct argument_info *info = &entry->argument_infos[i];
        const struct type *type = entry->body->arguments[i].type;
        if (info->alias_result >= 0 && info->alias_result < entry->result_count)
            result[info->alias_result] = i;
        else if (info->donated && type->kind == TYPE_TENSOR)
            VEC_PUSH(arena, &donors_of(arena, map, type)->arguments, i);
    }
    for (int i = 0; i < entry->result_count; i++) {
        const struct type *type = entry->body->last->operands[i]->type;
        if (result[i] >= 0 || type->kind != TYPE_TENSOR)
            continue;
        struct donors *donors = donors_of(arena, map, type);
        if (donors->taken < donors->arguments.count)
            result[i] = donors->arguments.items[donors->taken++];
    }
    return result;
}
