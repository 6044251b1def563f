#include "compiler/frontend/bytecode/mlir_location.h"

#include <string.h>

#include "compiler/frontend/bytecode/builtin_codes.h"

#define MAX_LOCATION_STEPS 64 /* through names, call sites and fused locations */

static bool is_builtin(const struct mlir_entry *entry)
{
    return entry->coded && entry->dialect && strcmp(entry->dialect->name, "builtin") == 0;
}

/* The string of a builtin string attribute, without decoding it; NULL for other attributes. */
static const char *string_of(struct mlir_file *file, struct bytes *in)
{
    size_t index = bytes_index(in, file->attr_count);
    if (in->failure || !is_builtin(&file->attrs[index]))
        return NULL;
    struct bytes entry =
        bytes_part(&file->bytes, file->attrs[index].offset, file->attrs[index].size);
    if (bytes_varint(&entry) != BUILTIN_ATTR_STRING)
        return NULL;
    struct string text = mlir_file_string(file, &entry);
    return entry.failure || text.size == 0 ? NULL : text.data;
}

static void read_position(struct mlir_file *file, struct bytes *in, bool range,
                          struct location *out)
{
    const char *name = string_of(file, in);
    uint64_t count = range ? bytes_varint(in) : 2;
    uint64_t line = count > 0 ? bytes_varint(in) : 0, column = count > 1 ? bytes_varint(in) : 0;
    if (in->failure || !name)
        return;
    out->file = name;
    out->line = line < INT32_MAX ? (int)line : 0;
    out->column = column < INT32_MAX ? (int)column : 0;
}

/* Reads the parts of a location and sets *index to the nested location; false if there is none. */
static bool location_step(struct mlir_file *file, size_t *index, struct location *out)
{
    const struct mlir_entry *entry = &file->attrs[*index];
    if (!is_builtin(entry))
        return false;
    struct bytes in = bytes_part(&file->bytes, entry->offset, entry->size);
    uint64_t code = bytes_varint(&in);
    const char *name;
    switch (code) {
    case BUILTIN_ATTR_FILE_LINE_COLUMN:
    case BUILTIN_ATTR_FILE_RANGE:
        read_position(file, &in, code == BUILTIN_ATTR_FILE_RANGE, out);
        return false;
    case BUILTIN_ATTR_NAME:
        name = string_of(file, &in);
        if (!out->name)
            out->name = name;
        break;
    case BUILTIN_ATTR_CALLSITE: break; /* the first index is the callee: the innermost frame */
    case BUILTIN_ATTR_FUSED:
    case BUILTIN_ATTR_FUSED_WITH_METADATA:
        if (bytes_count(&in) == 0)
            return false;
        break;
    default: return false;
    }
    *index = bytes_index(&in, file->attr_count);
    return !in.failure;
}

const struct location *mlir_location_get(struct mlir_file *file, size_t index)
{
    static const struct location unknown;
    struct mlir_entry *entry = &file->attrs[index];
    if (!entry->location) {
        struct location *location = ARENA_NEW(file->arena, struct location);
        for (int step = 0; step < MAX_LOCATION_STEPS && location_step(file, &index, location);
             step++)
            ;
        entry->location = location->name || location->file ? location : &unknown;
    }
    return entry->location == &unknown ? NULL : entry->location;
}

/* ---- lists ----------------------------------------------------------------------------------- */
/* The fields of a builtin attribute; `in` fails where it is another one. */
static struct bytes fields_of(struct mlir_file *file, size_t index, uint64_t code)
{
    const struct mlir_entry *entry = &file->attrs[index];
    struct bytes in = bytes_part(&file->bytes, entry->offset, entry->size);
    if (!is_builtin(entry) || bytes_varint(&in) != code)
        bytes_fail(&in, "an attribute of another kind was expected");
    return in;
}

/* The index of a dictionary's value; SIZE_MAX: it has none of this name. */
static size_t find_value(struct mlir_file *file, size_t dictionary, const char *name)
{
    struct bytes in = fields_of(file, dictionary, BUILTIN_ATTR_DICTIONARY);
    for (size_t left = bytes_count(&in); left > 0 && !in.failure; left--) {
        const char *key = string_of(file, &in);
        size_t value = bytes_index(&in, file->attr_count);
        if (!in.failure && key && strcmp(key, name) == 0)
            return value;
    }
    return SIZE_MAX;
}

struct error *mlir_location_list(struct mlir_file *file, size_t dictionary, const char *name,
                                 size_t *count, const struct location ***out)
{
    size_t array = find_value(file, dictionary, name);
    if (array == SIZE_MAX)
        return ERROR(INVALID_ARGUMENT, "MLIR bytecode: there is no array of locations \"%s\"",
                     name);
    struct bytes in = fields_of(file, array, BUILTIN_ATTR_ARRAY);
    *count = bytes_count(&in);
    TRY(bytes_error(&in, "MLIR bytecode locations"));
    *out = ARENA_ARRAY(file->arena, const struct location *, *count);
    for (size_t i = 0; i < *count; i++) {
        size_t index = bytes_index(&in, file->attr_count);
        TRY(bytes_error(&in, "MLIR bytecode locations"));
        (*out)[i] = mlir_location_get(file, index);
    }
    return NULL;
}
