#include "compiler/frontend/bytecode/mlir_file.h"

#include <stdio.h>
#include <string.h>

enum section {
    SECTION_STRINGS,
    SECTION_DIALECTS,
    SECTION_ENTRIES,
    SECTION_ENTRY_SIZES,
    SECTION_IR,
    SECTION_RESOURCES,
    SECTION_RESOURCE_INDEX,
    SECTION_DIALECT_VERSION,
    SECTION_PROPERTIES,
    SECTION_COUNT
};

static const char *const section_names[SECTION_COUNT] = {
    "strings",    "dialects",  "attributes and types", "sizes of attributes and types",
    "IR",         "resources", "resources index",      "dialect version",
    "properties",
};

/* The budget of attributes and types that all operations together may refer to. */
#define REFERRED_BASE ((int64_t)1 << 20)
#define REFERRED_PER_BYTE 16

#define VHLO_NEWEST_MAJOR 1
#define VHLO_NEWEST_MINOR 22
#define VHLO_OLDEST_MINOR 9 /* 0.9.0 */

struct error *mlir_file_section(struct bytes *in, unsigned *id, struct bytes *data)
{
    uint8_t head = bytes_u8(in);
    uint64_t length = bytes_varint(in);
    *id = head & 0x7f;
    if (head & 0x80) {
        uint64_t alignment = bytes_varint(in);
        if (!in->failure && (alignment == 0 || (alignment & (alignment - 1))))
            bytes_fail(in, "the alignment of a section is not a power of two");
        if (!in->failure)
            bytes_take(in, (alignment - in->at % alignment) % alignment);
    }
    TRY(bytes_error(in, "MLIR bytecode section"));
    if (*id >= SECTION_COUNT)
        return ERROR(INVALID_ARGUMENT, "MLIR bytecode: unknown section %u before byte %zu", *id,
                     in->at);
    size_t start = in->at;
    bytes_take(in, length);
    TRY(bytes_error(in, section_names[*id]));
    *data = bytes_part(in, start, (size_t)length);
    return NULL;
}

struct string mlir_file_string(const struct mlir_file *file, struct bytes *in)
{
    size_t index = bytes_index(in, file->string_count);
    return in->failure ? (struct string){0, ""} : file->strings[index];
}

/* "StableHLO_v1.17.0" */
static struct error *read_vhlo_version(struct mlir_file *file)
{
    int major, minor;
    if (sscanf(file->producer, "StableHLO_v%4d.%4d", &major, &minor) != 2 || major < 0 || minor < 0)
        return ERROR(INVALID_ARGUMENT,
                     "MLIR bytecode: the producer \"%.64s\" has no StableHLO version; it must be "
                     "\"StableHLO_v<major>.<minor>.<patch>\"",
                     file->producer);
    if (major > VHLO_NEWEST_MAJOR || (major == VHLO_NEWEST_MAJOR && minor > VHLO_NEWEST_MINOR) ||
        (major == 0 && minor < VHLO_OLDEST_MINOR))
        return ERROR(UNIMPLEMENTED,
                     "MLIR bytecode: the program has VHLO version %d.%d; supported are 0.%d to "
                     "%d.%d",
                     major, minor, VHLO_OLDEST_MINOR, VHLO_NEWEST_MAJOR, VHLO_NEWEST_MINOR);
    file->vhlo_major = major;
    file->vhlo_minor = minor;
    return NULL;
}

static struct error *read_producer(struct mlir_file *file, struct bytes *in)
{
    size_t start = in->at;
    while (bytes_u8(in) != 0 && !in->failure)
        ;
    TRY(bytes_error(in, "MLIR bytecode producer"));
    file->producer = (const char *)in->data + start;
    return NULL;
}

static struct error *read_header(struct mlir_file *file, struct bytes *in)
{
    const uint8_t *magic = bytes_take(in, 4);
    if (!magic || memcmp(magic, "ML\xefR", 4) != 0)
        return ERROR(INVALID_ARGUMENT, "MLIR bytecode: the magic number 'ML\\xefR' is missing");
    uint64_t version = bytes_varint(in);
    TRY(bytes_error(in, "MLIR bytecode version"));
    if (version > MLIR_BYTECODE_NEWEST)
        return ERROR(UNIMPLEMENTED,
                     "MLIR bytecode: version %llu is unsupported; supported are 0 to %d",
                     (unsigned long long)version, MLIR_BYTECODE_NEWEST);
    file->version = (int)version;
    return read_producer(file, in);
}

/* The lengths are stored in reverse order, the strings in order. */
static struct error *read_strings(struct mlir_file *file, struct bytes in)
{
    size_t count = bytes_count(&in);
    struct string *strings = ARENA_ARRAY(file->arena, struct string, count);
    for (size_t i = count; i-- > 0;)
        strings[i].size = (size_t)bytes_varint(&in);
    for (size_t i = 0; i < count; i++) {
        const uint8_t *data = bytes_take(&in, strings[i].size);
        if (data && (strings[i].size == 0 || data[strings[i].size - 1] != 0))
            bytes_fail(&in, "a string is not NUL-terminated");
        TRY(bytes_error(&in, "MLIR bytecode strings"));
        strings[i].size--;
        strings[i].data = (const char *)data;
    }
    file->strings = strings;
    file->string_count = count;
    return bytes_finish(&in, "MLIR bytecode strings");
}

static const struct mlir_dialect *find_dialect(const struct mlir_file *file, struct string name)
{
    for (const struct mlir_dialect *known = file->known; known->name; known++)
        if (strlen(known->name) == name.size && memcmp(known->name, name.data, name.size) == 0)
            return known;
    return NULL;
}

/* Reads a string index; if `flagged`, the lowest bit of its varint is a flag. */
static struct string string_and_flag(const struct mlir_file *file, struct bytes *in, bool flagged,
                                     bool *flag)
{
    *flag = false;
    if (!flagged)
        return mlir_file_string(file, in);
    uint64_t value = bytes_varint(in);
    *flag = value & 1;
    if (!in->failure && value >> 1 >= file->string_count)
        bytes_fail(in, "an index into the string table is out of range");
    return in->failure ? (struct string){0, ""} : file->strings[value >> 1];
}

static struct error *read_op_names(struct mlir_file *file, struct bytes *in)
{
    if (file->version >= 4)
        bytes_varint(in); /* the total, which is the sum of the groups */
    struct mlir_op_name *names = ARENA_ARRAY(file->arena, struct mlir_op_name, bytes_left(in));
    size_t count = 0;
    while (bytes_more(in)) {
        size_t dialect = bytes_index(in, file->dialect_count);
        size_t group = bytes_count(in);
        for (size_t i = 0; i < group && !in->failure; i++) {
            bool registered;
            names[count] = file->dialects[dialect];
            names[count++].name = string_and_flag(file, in, file->version >= 5, &registered);
        }
    }
    file->op_names = names;
    file->op_name_count = count;
    return bytes_finish(in, "MLIR bytecode operation names");
}

static struct error *read_dialects(struct mlir_file *file, struct bytes in)
{
    size_t count = bytes_count(&in);
    file->dialects = ARENA_ARRAY(file->arena, struct mlir_op_name, count);
    for (size_t i = 0; i < count; i++) {
        bool versioned;
        struct string name = string_and_flag(file, &in, file->version >= 1, &versioned);
        TRY(bytes_error(&in, "MLIR bytecode dialects"));
        file->dialects[i].dialect_name = name;
        file->dialects[i].dialect = find_dialect(file, name);
        if (file->dialects[i].dialect && strcmp(file->dialects[i].dialect->name, "vhlo") == 0)
            TRY(read_vhlo_version(file));
        if (versioned) {
            unsigned id;
            struct bytes skipped;
            TRY(mlir_file_section(&in, &id, &skipped));
        }
    }
    file->dialect_count = count;
    return read_op_names(file, &in);
}

/* Reads the sizes of `count` entries, in groups of one dialect each. Entries are stored one after
 * another from *offset, which is advanced. */
static struct error *read_entries(struct mlir_file *file, struct bytes *in,
                                  struct mlir_entry *entries, size_t count, size_t *offset,
                                  size_t end)
{
    size_t i = 0;
    while (i < count && !in->failure) {
        size_t dialect = bytes_index(in, file->dialect_count);
        size_t group = bytes_count(in);
        if (group == 0 || group > count - i)
            bytes_fail(in, "the count of a group of attributes or types is out of range");
        for (; group > 0 && !in->failure; group--, i++) {
            uint64_t value = bytes_varint(in);
            uint64_t size = value >> 1;
            if (size > end - *offset)
                bytes_fail(in, "an attribute or type extends past its section");
            if (in->failure)
                break;
            entries[i] = (struct mlir_entry){.offset = *offset,
                                             .size = (size_t)size,
                                             .coded = value & 1,
                                             .dialect = file->dialects[dialect].dialect};
            *offset += (size_t)size;
        }
    }
    return bytes_error(in, "MLIR bytecode sizes of attributes and types");
}

static struct error *read_entry_table(struct mlir_file *file, struct bytes in,
                                      const struct bytes *data)
{
    file->attr_count = bytes_count(&in);
    file->type_count = bytes_count(&in);
    TRY(bytes_error(&in, "MLIR bytecode sizes of attributes and types"));
    file->attrs = ARENA_ARRAY(file->arena, struct mlir_entry, file->attr_count);
    file->types = ARENA_ARRAY(file->arena, struct mlir_entry, file->type_count);
    size_t offset = data->at;
    TRY(read_entries(file, &in, file->attrs, file->attr_count, &offset, data->end));
    TRY(read_entries(file, &in, file->types, file->type_count, &offset, data->end));
    if (offset != data->end)
        return ERROR(
            INVALID_ARGUMENT,
            "MLIR bytecode: attributes and types end at byte %zu; their section ends at %zu",
            offset, data->end);
    return bytes_finish(&in, "MLIR bytecode sizes of attributes and types");
}

static struct error *read_properties(struct mlir_file *file, struct bytes in)
{
    size_t count = bytes_count(&in);
    file->properties = ARENA_ARRAY(file->arena, struct mlir_span, count);
    for (size_t i = 0; i < count && !in.failure; i++) {
        uint64_t size = bytes_varint(&in);
        file->properties[i].offset = in.at;
        bytes_take(&in, size);
        file->properties[i].size = (size_t)size;
    }
    file->property_count = count;
    return bytes_finish(&in, "MLIR bytecode properties");
}

/* Finds all sections before decoding: other sections refer to strings, which are near the end. */
static struct error *find_sections(struct bytes *in, struct bytes *sections, bool *present)
{
    while (in->at < in->end) {
        unsigned id;
        struct bytes data;
        TRY(mlir_file_section(in, &id, &data));
        if (present[id])
            return ERROR(INVALID_ARGUMENT, "MLIR bytecode: section %s occurs twice",
                         section_names[id]);
        present[id] = true;
        sections[id] = data;
    }
    static const enum section needed[] = {SECTION_STRINGS, SECTION_DIALECTS, SECTION_ENTRIES,
                                          SECTION_ENTRY_SIZES, SECTION_IR};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!present[needed[i]])
            return ERROR(INVALID_ARGUMENT, "MLIR bytecode: section %s is missing",
                         section_names[needed[i]]);
    return NULL;
}

struct error *mlir_file_read(struct arena *arena, const void *bytes, size_t size,
                             const struct mlir_dialect *dialects, struct mlir_file **out)
{
    struct mlir_file *file = ARENA_NEW(arena, struct mlir_file);
    struct bytes sections[SECTION_COUNT];
    bool present[SECTION_COUNT] = {false};
    *out = NULL;
    file->arena = arena;
    file->meshes = map_create(arena);
    file->known = dialects;
    file->referred_limit = REFERRED_BASE + REFERRED_PER_BYTE * (int64_t)size;
    file->bytes = bytes_of(bytes, size);
    struct bytes in = file->bytes;
    TRY(read_header(file, &in));
    TRY(find_sections(&in, sections, present));
    TRY(read_strings(file, sections[SECTION_STRINGS]));
    TRY(read_dialects(file, sections[SECTION_DIALECTS]));
    TRY(read_entry_table(file, sections[SECTION_ENTRY_SIZES], &sections[SECTION_ENTRIES]));
    if (file->version >= 5 && !present[SECTION_PROPERTIES])
        return ERROR(INVALID_ARGUMENT, "MLIR bytecode: section properties is missing");
    if (present[SECTION_PROPERTIES])
        TRY(read_properties(file, sections[SECTION_PROPERTIES]));
    file->ir = sections[SECTION_IR];
    *out = file;
    return NULL;
}
