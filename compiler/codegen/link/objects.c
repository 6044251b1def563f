/* objects.c: see objects.h. */
#include "compiler/codegen/link/objects.h"

#include <string.h>

#include "base/alloc.h"
#include "compiler/codegen/link/elf.h"

enum { MAX_OBJECTS = 64 };

struct header {
    char magic[8];
    uint64_t count;
};

struct entry { /* one for each object, behind the header */
    uint64_t kernel_count, size;
};

struct loaded_code {
    int count;
    struct linked_object *objects[];
};

static const char magic[8] = "GANTRYOB";

/* ---- joining --------------------------------------------------------------------------------- */
static void write_block(int count, const struct object *objects, char *to)
{
    struct header header = {.count = (uint64_t)count};
    memcpy(header.magic, magic, sizeof magic);
    memcpy(to, &header, sizeof header);
    to += sizeof header;
    for (int i = 0; i < count; i++, to += sizeof(struct entry)) {
        struct entry entry = {(uint64_t)objects[i].kernel_count, objects[i].size};
        memcpy(to, &entry, sizeof entry);
    }
    for (int i = 0; i < count; to += objects[i++].size)
        memcpy(to, objects[i].bytes, objects[i].size);
}

struct error *objects_join(int count, struct object *objects, void **bytes, size_t *size)
{
    if (count == 1) {
        *bytes = objects->bytes;
        *size = objects->size;
        objects->bytes = NULL;
        return NULL;
    }
    *size = sizeof(struct header) + (size_t)count * sizeof(struct entry);
    for (int i = 0; i < count; i++)
        *size += objects[i].size;
    TRY(alloc_bytes(*size, bytes));
    write_block(count, objects, *bytes);
    return NULL;
}

/* ---- loading --------------------------------------------------------------------------------- */
struct reader {
    const char *bytes; /* what is left */
    size_t size;
    int kernels_left;
    char *const *names;
    kernel_function **kernels;
    uint64_t *code_size;
};

static struct error *invalid(const char *what)
{
    return ERROR(INVALID_ARGUMENT, "kernel objects: %s", what);
}

static void skip(struct reader *r, size_t size)
{
    r->bytes += size;
    r->size -= size;
}

static struct error *load_one(struct reader *r, const struct entry *entry,
                              struct linked_object **object)
{
    uint64_t size;
    if (entry->size > r->size || entry->kernel_count > (uint64_t)r->kernels_left)
        return invalid("an object is larger than the remaining bytes");
    TRY(elf_load(r->bytes, (size_t)entry->size, (int)entry->kernel_count, r->names, r->kernels,
                 &size, object));
    *r->code_size += size;
    skip(r, (size_t)entry->size);
    r->names += entry->kernel_count;
    r->kernels += entry->kernel_count;
    r->kernels_left -= (int)entry->kernel_count;
    return NULL;
}

static bool is_block(const void *bytes, size_t size)
{
    return size >= sizeof(struct header) && !memcmp(bytes, magic, sizeof magic);
}

/* Reads the header: the entries are *count at *entries. */
static struct error *read_header(struct reader *r, const char **entries, int *count)
{
    struct header header;
    memcpy(&header, r->bytes, sizeof header);
    skip(r, sizeof header);
    if (header.count > MAX_OBJECTS || header.count * sizeof(struct entry) > r->size)
        return invalid("there are more than fit");
    *entries = r->bytes;
    *count = (int)header.count;
    skip(r, (size_t)header.count * sizeof(struct entry));
    return NULL;
}

static struct error *load_all(struct reader *r, const char *entries, int count,
                              struct loaded_code *code)
{
    for (; code->count < count; code->count++) {
        struct entry entry = {(uint64_t)r->kernels_left, r->size};
        if (entries)
            memcpy(&entry, entries + (size_t)code->count * sizeof entry, sizeof entry);
        TRY(load_one(r, &entry, &code->objects[code->count]));
    }
    return r->kernels_left ? invalid("kernels are missing") : NULL;
}

struct error *objects_load(const void *bytes, size_t size, int count, char *const *names,
                           kernel_function **kernels, uint64_t *code_size,
                           struct loaded_code **code)
{
    struct reader r = {bytes, size, count, names, kernels, code_size};
    const char *entries = NULL;
    int objects = 1;
    *code = NULL;
    *code_size = 0;
    if (is_block(bytes, size))
        TRY(read_header(&r, &entries, &objects));
    TRY(alloc_zeroed(sizeof **code + (size_t)objects * sizeof *(*code)->objects, code));
    struct error *error = load_all(&r, entries, objects, *code);
    if (error) {
        objects_unload(*code);
        *code = NULL;
    }
    return error;
}

void objects_unload(struct loaded_code *code)
{
    for (int i = 0; code && i < code->count; i++)
        elf_unload(code->objects[i]);
    alloc_free(code);
}
