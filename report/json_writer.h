/* json_writer.h: writes JSON with cJSON where memory may be exhausted: a writer is an object or an
 * array, and the flag that all of a document's writers share, which any failed addition clears.
 *
 *     bool done = true;
 *     struct json_writer to = {cJSON_CreateObject(), &done};
 *     json_number(to, "version", 1);
 *     if (!done)
 *         cJSON_Delete(to.at);
 *
 * Not thread-safe. */
#ifndef GANTRY_REPORT_JSON_WRITER_H
#define GANTRY_REPORT_JSON_WRITER_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "report/json_append.h"

struct json_writer {
    cJSON *at; /* borrowed; NULL once memory is exhausted */
    bool *done;
};

static inline void json_number(struct json_writer to, const char *name, double value)
{
    *to.done &= cJSON_AddNumberToObject(to.at, name, value) != NULL;
}

static inline void json_bool(struct json_writer to, const char *name, bool value)
{
    *to.done &= cJSON_AddBoolToObject(to.at, name, value) != NULL;
}

/* NULL is written as null. */
static inline void json_text(struct json_writer to, const char *name, const char *value)
{
    *to.done &= (value ? cJSON_AddStringToObject(to.at, name, value)
                       : cJSON_AddNullToObject(to.at, name)) != NULL;
}

static inline struct json_writer json_object(struct json_writer to, const char *name)
{
    cJSON *made = cJSON_AddObjectToObject(to.at, name);
    *to.done &= made != NULL;
    return (struct json_writer){made, to.done};
}

static inline struct json_writer json_list(struct json_writer to, const char *name)
{
    cJSON *made = cJSON_AddArrayToObject(to.at, name);
    *to.done &= made != NULL;
    return (struct json_writer){made, to.done};
}

/* A new object in a list; a number in one. */
static inline struct json_writer json_item(struct json_writer to)
{
    cJSON *made = json_append(to.at, cJSON_CreateObject());
    *to.done &= made != NULL;
    return (struct json_writer){made, to.done};
}

static inline void json_element(struct json_writer to, double value)
{
    *to.done &= json_append(to.at, cJSON_CreateNumber(value)) != NULL;
}

#endif
