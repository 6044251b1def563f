/* json_stream.h: a JSON object that is written as text from its first member on, for documents
 * with long lists. Small members are added to `members`; a list is written row by row, so that at
 * most one row of it exists as a tree, which takes some ten times the memory of its text.
 *
 *     struct json_stream to;
 *     json_stream_begin(&to);
 *     cJSON_AddNumberToObject(to.members, "version", 1);
 *     json_stream_list(&to, "rows");
 *     json_stream_row(&to, cJSON_CreateNumber(1));
 *     json_stream_list_end(&to);
 *     TRY(json_stream_end(&to, &text, &size));             {"version":1,"rows":[1]}
 *
 * Errors are sticky: after a failed allocation further calls do nothing. Not thread-safe. */
#ifndef GANTRY_REPORT_JSON_STREAM_H
#define GANTRY_REPORT_JSON_STREAM_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

struct json_stream {
    struct text text; /* what is written */
    cJSON *members;   /* owned: those that are not written yet; NULL once memory is exhausted */
    bool has_element; /* of the open object or list: the next one follows a comma */
    bool failed;      /* may be set by the caller, too */
};

void json_stream_begin(struct json_stream *to);
/* Writes the members so far, and opens a list as the next one. */
void json_stream_list(struct json_stream *to, const char *name);
void json_stream_row(struct json_stream *to, cJSON *row /*moved; NULL: exhausted memory*/);
void json_stream_list_end(struct json_stream *to);
/* Ends the object. *out is owned (alloc_free), with a NUL after its `size` bytes.
 * RESOURCE_EXHAUSTED. In both cases the stream has nothing left to free. */
struct error *json_stream_end(struct json_stream *to, char **out, size_t *size);
void json_stream_free(struct json_stream *to);

#endif
