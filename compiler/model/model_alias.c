/* model_alias.c: see model_alias.h. Donors wait in lists by type. */
#include "compiler/model/model_alias.h"

#include <string.h>

#include "base/map.h"

struct donors { /* of one type, in order */
    VEC(int) arguments;
    size_t taken;
};

enum { KEY_NUMBERS = SHAPE_MAX_RANK + 3 };

/* Element type, memory kind and dimensions, as bytes. */
static size_t key_of(const struct type *type, int64_t key[KEY_NUMBERS])
{
    size_t count = 0;
    key[count++] = type->shape.dtype;
    key[count++] = type->shape.memory;
    for (int i = 0; i < type->shape.rank; i++)
        key[count++] = type->shape.dims[i];
    return count * sizeof *key;
}

static struct donors *donors_of(const struct map *map, const struct type *type)
{
    int64_t key[KEY_NUMBERS];
    size_t size = key_of(type, key);
    return map_get(map, key, size);
}

static void add_donor(struct arena *arena, struct map *map, const struct type *type, int argument)
{
    int64_t key[KEY_NUMBERS];
    size_t size = key_of(type, key);
    struct donors *donors = map_get(map, key, size);
    if (!donors) {
        donors = ARENA_NEW(arena, struct donors);
        map_put(map, key, size, donors);
    }
    VEC_PUSH(arena, &donors->arguments, argument);
}

const int *model_alias(struct arena *arena, const struct func *entry)
{
    struct map *map = map_create(arena);
    int *result = ARENA_ARRAY(arena, int, (size_t)entry->result_count + 1);
    for (int i = 0; i < entry->result_count; i++)
        result[i] = -1;
    for (int i = 0; entry->argument_infos && i < entry->body->argument_count; i++) {
        const struct argument_info *info = &entry->argument_infos[i];
        if (info->alias_result >= 0 && info->alias_result < entry->result_count)
            result[info->alias_result] = i;
        else if (info->donated && entry->body->arguments[i].type->kind == TYPE_TENSOR)
            add_donor(arena, map, entry->body->arguments[i].type, i);
    }
    for (int i = 0; i < entry->result_count; i++) {
        const struct type *type = entry->body->last->operands[i]->type;
        struct donors *donors =
            result[i] < 0 && type->kind == TYPE_TENSOR ? donors_of(map, type) : NULL;
        if (donors && donors->taken < donors->arguments.count)
            result[i] = donors->arguments.items[donors->taken++];
    }
    return result;
}
