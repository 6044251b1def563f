/* json_rows.c: see json_rows.h. */
#include "tools/json_rows.h"

#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"

enum { MAX_LISTS = 8 };

/* A document without its long lists, and where these are. */
struct split {
    const char *end;
    const char *const *names;
    struct text rest; /* the document with empty lists */
    struct span {
        const char *name, *begin;
        size_t size;
    } spans[MAX_LISTS];
    int count;
};

static struct error *not_json(const char *of)
{
    return ERROR(INVALID_ARGUMENT, "%s is not valid JSON", of);
}

/* ---- the text -------------------------------------------------------------------------------- */
/* Behind the string that begins at `at`; `end` if it has no end. */
static const char *skip_string(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++)
        at += *at == '\\';
    return at < end ? at + 1 : end;
}

/* Behind the list that begins at `at`; `end` if it has no end. */
static const char *skip_list(const char *at, const char *end)
{
    int64_t depth = 0;
    while (at < end) {
        if (*at == '"') {
            at = skip_string(at, end);
            continue;
        }
        depth += (*at == '[' || *at == '{') - (*at == ']' || *at == '}');
        at++;
        if (!depth)
            return at;
    }
    return end;
}

static const char *skip_space(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n'))
        at++;
    return at;
}

/* The list that is the value of the key [key, at), or NULL where the key has another value. */
static const char *list_behind(const char *at, const char *end)
{
    at = skip_space(at, end);
    at = at < end && *at == ':' ? skip_space(at + 1, end) : end;
    return at < end && *at == '[' ? at : NULL;
}

/* The name of a long list that a string in the text is; NULL: none. */
static const char *long_list(const struct split *split, const char *string, size_t size)
{
    for (int i = 0; split->names[i]; i++)
        if (size == strlen(split->names[i]) + 2 && !memcmp(string + 1, split->names[i], size - 2))
            return split->names[i];
    return NULL;
}

/* Copies a string of the object itself, and if it is the key of a long list an empty one. Returns
 * what follows. */
static const char *split_string(struct split *split, const char *at)
{
    const char *behind = skip_string(at, split->end),
               *name = long_list(split, at, (size_t)(behind - at)),
               *list = name ? list_behind(behind, split->end) : NULL;
    text_add_bytes(&split->rest, at, (size_t)(behind - at));
    if (!list || split->count == MAX_LISTS)
        return behind;
    const char *after = skip_list(list, split->end);
    text_add(&split->rest, ":[]");
    split->spans[split->count++] = (struct span){name, list, (size_t)(after - list)};
    return after;
}

static void split_text(struct split *split, const char *at)
{
    int64_t depth = 0;
    while (at < split->end) {
        if (*at == '"' && depth == 1) {
            at = split_string(split, at);
            continue;
        }
        const char *next = *at == '"' ? skip_string(at, split->end) : at + 1;
        depth += (*at == '[' || *at == '{') - (*at == ']' || *at == '}');
        text_add_bytes(&split->rest, at, (size_t)(next - at));
        at = next;
    }
}

/* ---- the object ------------------------------------------------------------------------------ */
/* cJSON_CreateRaw without a copy that is one too many. */
static cJSON *raw_of(const struct span *span)
{
    cJSON *item = cJSON_CreateRaw("");
    char *text = item ? cJSON_malloc(span->size + 1) : NULL;
    if (!text) {
        cJSON_Delete(item);
        return NULL;
    }
    memcpy(text, span->begin, span->size);
    text[span->size] = '\0';
    cJSON_free(item->valuestring);
    item->valuestring = text;
    return item;
}

/* A list that is not the object's is behind the document's end. */
static struct error *put_list(const struct span *span, cJSON *root)
{
    cJSON *raw;
    if (!cJSON_GetObjectItemCaseSensitive(root, span->name))
        return not_json("the text");
    raw = raw_of(span);
    if (raw && cJSON_ReplaceItemInObjectCaseSensitive(root, span->name, raw))
        return NULL;
    cJSON_Delete(raw);
    return error_out_of_memory();
}

static struct error *put_lists(const struct split *split, cJSON *root)
{
    if (!cJSON_IsObject(root))
        return ERROR(INVALID_ARGUMENT, "the text is valid JSON, but not an object");
    for (int i = 0; i < split->count; i++)
        TRY(put_list(&split->spans[i], root));
    return NULL;
}

struct error *json_rows_parse(const char *text, size_t size, const char *const lists[], cJSON **out)
{
    struct split split = {.end = text + size, .names = lists};
    *out = NULL;
    split_text(&split, text);
    cJSON *root =
        split.rest.failed ? NULL : cJSON_ParseWithLength(split.rest.data, split.rest.size);
    bool failed = split.rest.failed;
    text_free(&split.rest);
    if (!root)
        return failed ? error_out_of_memory() : not_json("the text");
    struct error *error = put_lists(&split, root);
    if (error)
        cJSON_Delete(root);
    else
        *out = root;
    return error;
}

/* ---- rows ------------------------------------------------------------------------------------ */
struct json_rows json_rows_of(const cJSON *object, const char *name)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, name);
    struct json_rows rows = {.name = name};
    if (cJSON_IsArray(list))
        rows.next = list->child;
    if (!cJSON_IsRaw(list))
        return rows;
    rows.at = list->valuestring + 1;
    rows.end = rows.at + strlen(rows.at);
    return rows;
}

/* Behind the comma between two rows; NULL at the end of the list. Sets `*is_valid`. */
static const char *next_row(const struct json_rows *rows, bool *is_valid)
{
    const char *at = skip_space(rows->at, rows->end);
    bool ends = at < rows->end && *at == ']';
    *is_valid = ends ? skip_space(at + 1, rows->end) == rows->end
                     : at < rows->end && (!rows->row || *at == ',');
    return ends || !*is_valid ? NULL : at + (rows->row != NULL);
}

static struct error *parse_row(struct json_rows *rows)
{
    bool is_valid;
    const char *at = next_row(rows, &is_valid);
    cJSON *row = at ? cJSON_ParseWithLengthOpts(at, (size_t)(rows->end - at), &rows->at, 0) : NULL;
    json_rows_free(rows);
    rows->row = row;
    return is_valid && (row || !at) ? NULL : not_json(rows->name);
}

struct error *json_rows_next(struct json_rows *rows, const cJSON **row)
{
    if (rows->at) {
        struct error *error = parse_row(rows);
        *row = rows->row;
        return error;
    }
    *row = rows->next;
    rows->next = rows->next ? rows->next->next : NULL;
    return NULL;
}

void json_rows_free(struct json_rows *rows)
{
    cJSON_Delete(rows->row);
    rows->row = NULL;
}

/* The rows are separated by the commas that are in no list, object or string. */
static size_t count_rows(const char *at, const char *end)
{
    size_t commas = 0;
    at = skip_space(at, end);
    bool is_empty = at == end || *at == ']';
    for (int64_t depth = 0; at < end; at = *at == '"' ? skip_string(at, end) : at + 1) {
        depth += (*at == '[' || *at == '{') - (*at == ']' || *at == '}');
        commas += !depth && *at == ',';
    }
    return is_empty ? 0 : commas + 1;
}

size_t json_rows_count(const cJSON *object, const char *name)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, name);
    struct json_rows rows = json_rows_of(object, name);
    if (rows.at)
        return count_rows(rows.at, rows.end);
    return cJSON_IsArray(list) ? (size_t)cJSON_GetArraySize(list) : 0;
}

/* ---- printing -------------------------------------------------------------------------------- */
/* Adds a text that cJSON_Print printed as the outermost one (moved), `depth` levels deeper. */
static struct error *add_deeper(char *printed, int depth, struct text *out)
{
    if (!printed)
        return error_out_of_memory();
    for (const char *at = printed, *line; *at; at = line) {
        line = strchr(at, '\n');
        line = line ? line + 1 : at + strlen(at);
        text_add_bytes(out, at, (size_t)(line - at));
        text_add(out, "%.*s", line[-1] == '\n' ? depth : 0, "\t\t");
    }
    cJSON_free(printed);
    return NULL;
}

static struct error *print_list(const cJSON *object, const char *name, struct text *out)
{
    struct json_rows rows = json_rows_of(object, name);
    const cJSON *row;
    const char *separator = "";
    text_add(out, "[");
    TRY(json_rows_next(&rows, &row));
    while (row) {
        text_add(out, "%s", separator);
        separator = ", ";
        struct error *error = add_deeper(cJSON_Print(row), 2, out);
        if (error) {
            json_rows_free(&rows);
            return error;
        }
        TRY(json_rows_next(&rows, &row));
    }
    text_add(out, "]");
    return NULL;
}

static struct error *print_name(const char *name, struct text *out)
{
    cJSON *item = cJSON_CreateString(name);
    char *printed = item ? cJSON_Print(item) : NULL;
    cJSON_Delete(item);
    return add_deeper(printed, 0, out);
}

struct error *json_rows_print(const cJSON *object, struct text *out)
{
    const cJSON *member;
    text_add(out, "{\n");
    cJSON_ArrayForEach(member, object)
    {
        text_add(out, "\t");
        TRY(print_name(member->string, out));
        text_add(out, ":\t");
        if (cJSON_IsRaw(member))
            TRY(print_list(object, member->string, out));
        else
            TRY(add_deeper(cJSON_Print(member), 1, out));
        text_add(out, member->next ? ",\n" : "\n");
    }
    text_add(out, "}");
    return NULL;
}
