/* table_rules.c: area 2: the table of functions and the list of extensions. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "conformance/cts/rule_context.h"

/* ---- 2.1 Version and size -------------------------------------------------------------------- */

void rule_table_has_major_zero(struct rule_context *t)
{
    NEED_TABLE(t);
    int major = t->api->pjrt_api_version.major_version;
    CHECK(t, major == 0, "major version %d", major);
}

void rule_table_sizes_its_version(struct rule_context *t)
{
    NEED_TABLE(t);
    size_t size = t->api->pjrt_api_version.struct_size;
    CHECK(t, size >= PJRT_Api_Version_STRUCT_SIZE, "%zu bytes, of which %d are needed", size,
          PJRT_Api_Version_STRUCT_SIZE);
}

void rule_table_is_as_large_as_its_version(struct rule_context *t)
{
    NEED_TABLE(t);
    size_t needed = pjrt_functions_table_size(t->minor);
    CHECK(t, t->api->struct_size >= needed, "%zu bytes, 0.%d has %zu", t->api->struct_size,
          t->minor, needed);
}

void rule_table_is_of_a_known_version(struct rule_context *t)
{
    NEED_TABLE(t);
    CHECK(t, t->minor >= OLDEST_MINOR, "minor version %d", t->minor);
}

/* A copy of as much of the table as the suite knows. */
struct copy {
    size_t size;
    char bytes[sizeof(PJRT_Api)];
};

static struct copy copy_table(const PJRT_Api *api)
{
    struct copy copy = {.size = api->struct_size < sizeof copy.bytes ? api->struct_size
                                                                     : sizeof copy.bytes};
    memcpy(copy.bytes, api, copy.size);
    return copy;
}

static void check_unchanged(struct rule_context *t, const struct copy *before, const char *when)
{
    for (size_t at = 0; at < before->size; at += sizeof(void *))
        CHECK(t, !memcmp(before->bytes + at, (const char *)t->api + at, sizeof(void *)),
              "the 8 bytes at offset %zu differ %s", at, when);
}

void rule_table_stays_as_it_is(struct rule_context *t)
{
    NEED_TABLE(t);
    struct copy before = copy_table(t->api);
    NEED_PLUGIN(t);
    check_unchanged(t, &before, "after PJRT_Plugin_Initialize");
}

void rule_table_outlives_clients(struct rule_context *t)
{
    NEED_PLUGIN(t);
    struct copy before = copy_table(t->api);
    NEED_CLIENT(t);
    check_unchanged(t, &before, "while a client exists");
    rule_close(t);
    check_unchanged(t, &before, "after PJRT_Client_Destroy");
}

/* ---- 2.2 Functions --------------------------------------------------------------------------- */

/* The address of a function of the plugin's version, or NULL. */
static uintptr_t address_of(const struct rule_context *t, enum function function)
{
    uintptr_t address = 0;
    if (rule_has(t, function))
        memcpy(&address, (const char *)t->api + pjrt_functions[function].offset, sizeof address);
    return address;
}

void rule_table_has_no_null(struct rule_context *t)
{
    NEED_TABLE(t);
    for (int i = 0; i < FUNCTION_COUNT; i++)
        if (pjrt_functions[i].since <= t->minor)
            CHECK(t, address_of(t, (enum function)i), "%s is NULL", pjrt_functions[i].name);
}

enum { MAX_RANGES = 4096 };
struct range {
    uintptr_t from, to;
};

static size_t executable_ranges(struct range out[MAX_RANGES])
{
    char line[1024], access[8];
    size_t count = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && count < MAX_RANGES && fgets(line, sizeof line, maps))
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %7s", &out[count].from, &out[count].to,
                   access) == 3)
            count += access[2] == 'x';
    if (maps)
        fclose(maps);
    return count;
}

void rule_table_points_to_code(struct rule_context *t)
{
    static struct range ranges[MAX_RANGES];
    NEED_TABLE(t);
    size_t count = executable_ranges(ranges);
    for (int i = 0; i < FUNCTION_COUNT; i++) {
        uintptr_t address = address_of(t, (enum function)i);
        bool found = !address;
        for (size_t k = 0; k < count && !found; k++)
            found = ranges[k].from <= address && address < ranges[k].to;
        CHECK(t, found, "%s is %#" PRIxPTR, pjrt_functions[i].name, address);
    }
}

void rule_table_reports_errors(struct rule_context *t)
{
    NEED_TABLE(t);
    NEED_FUNCTION(t, Error_Destroy);
    NEED_FUNCTION(t, Error_Message);
    NEED_FUNCTION(t, Error_GetCode);
}

/* ---- 2.3 The list of extensions -------------------------------------------------------------- */

enum { MAX_EXTENSIONS = 256 };

struct extensions {
    int count; /* MAX_EXTENSIONS: the list may have no end */
    const PJRT_Extension_Base *items[MAX_EXTENSIONS];
};

static void list_extensions(const struct rule_context *t, struct extensions *out)
{
    out->count = 0;
    for (const PJRT_Extension_Base *e = t->api->extension_start; e && out->count < MAX_EXTENSIONS;
         e = e->next)
        out->items[out->count++] = e;
}

void rule_table_ends_its_extensions(struct rule_context *t)
{
    struct extensions list;
    NEED_TABLE(t);
    list_extensions(t, &list);
    CHECK(t, list.count < MAX_EXTENSIONS, "no end after %d extensions", list.count);
}

void rule_table_sizes_its_extensions(struct rule_context *t)
{
    struct extensions list;
    NEED_TABLE(t);
    list_extensions(t, &list);
    for (int i = 0; i < list.count; i++)
        CHECK(t, list.items[i]->struct_size >= PJRT_Extension_Base_STRUCT_SIZE,
              "an extension of type %d has %zu bytes", (int)list.items[i]->type,
              list.items[i]->struct_size);
}

void rule_table_lists_extensions_once(struct rule_context *t)
{
    struct extensions list;
    NEED_TABLE(t);
    list_extensions(t, &list);
    for (int i = 0; i < list.count; i++)
        for (int k = 0; k < i; k++)
            CHECK(t, list.items[i]->type != list.items[k]->type, "type %d is there twice",
                  (int)list.items[i]->type);
}

void rule_table_keeps_its_extensions(struct rule_context *t)
{
    struct extensions before, after;
    NEED_TABLE(t);
    list_extensions(t, &before);
    NEED_PLUGIN(t);
    list_extensions(t, &after);
    CHECK(t, before.count == after.count, "%d extensions have become %d", before.count,
          after.count);
    for (int i = 0; i < before.count && i < after.count; i++)
        CHECK(t, before.items[i] == after.items[i], "extension %d is another one", i);
}
