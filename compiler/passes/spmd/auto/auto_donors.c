#include "compiler/passes/spmd/auto/auto_donors.h"

#include "base/map.h"
#include "base/vec.h"

struct donors { /* of one type, in order */
    VEC(int) arguments;
    size_t taken;
};

enum { KEY_NUMBERS = SHAPE_MAX_RANK + 2 };

static struct donors *donors_of(struct arena *arena, struct map *map, const struct type *type)
{
    int64_t key[KEY_NUMBERS] = {type->shape.dtype, type->shape.memory};
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

const int *auto_donors_find(struct arena *arena, const struct func *entry)
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
        const struct type *type = entry->result_types[i];
        if (result[i] >= 0 || type->kind != TYPE_TENSOR)
            continue;
        struct donors *donors = donors_of(arena, map, type);
        if (donors->taken < donors->arguments.count)
            result[i] = donors->arguments.items[donors->taken++];
    }
    return result;
}
