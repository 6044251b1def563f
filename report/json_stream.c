/* json_stream.c: see json_stream.h. */
#include "report/json_stream.h"

#include <string.h>

void json_stream_begin(struct json_stream *to)
{
    *to = (struct json_stream){.members = cJSON_CreateObject()};
    to->failed = !to->members;
    text_add(&to->text, "{");
}

/* A comma after the element before. */
static void separate(struct json_stream *to)
{
    text_add(&to->text, "%s", to->has_element ? "," : "");
    to->has_element = true;
}

/* Prints an item without its first and last `skipped` characters. */
static void print(struct json_stream *to, const cJSON *item, size_t skipped)
{
    char *text = item ? cJSON_PrintUnformatted(item) : NULL;
    if (text)
        text_add_bytes(&to->text, text + skipped, strlen(text) - 2 * skipped);
    to->failed |= !text || to->text.failed;
    cJSON_free(text);
}

static void flush(struct json_stream *to)
{
    if (cJSON_GetArraySize(to->members)) {
        separate(to);
        print(to, to->members, 1); /* without its braces */
    }
    cJSON_Delete(to->members);
    to->members = cJSON_CreateObject();
    to->failed |= !to->members;
}

void json_stream_list(struct json_stream *to, const char *name)
{
    flush(to);
    separate(to);
    text_add(&to->text, "\"%s\":[", name);
    to->has_element = false;
}

void json_stream_row(struct json_stream *to, cJSON *row)
{
    if (!to->failed) {
        separate(to);
        print(to, row, 0);
    }
    cJSON_Delete(row);
}

void json_stream_list_end(struct json_stream *to)
{
    text_add(&to->text, "]");
    to->has_element = true;
}

struct error *json_stream_end(struct json_stream *to, char **out, size_t *size)
{
    flush(to);
    text_add(&to->text, "}");
    bool failed = to->failed;
    cJSON_Delete(to->members);
    to->members = NULL;
    if (!failed)
        return text_finish(&to->text, out, size);
    text_free(&to->text);
    return error_out_of_memory();
}

void json_stream_free(struct json_stream *to)
{
    cJSON_Delete(to->members);
    text_free(&to->text);
    *to = (struct json_stream){.failed = true};
}
