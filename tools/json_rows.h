/* json_rows.h: JSON objects with long lists. Such a list stays text, of which one row at a time is
 * parsed, because a tree takes some ten times the memory of its text. Not thread-safe. */
#ifndef GANTRY_TOOLS_JSON_ROWS_H
#define GANTRY_TOOLS_JSON_ROWS_H

#include <cjson/cJSON.h>

#include "base/error.h"
#include "base/text.h"

/* Parses an object. Those of its own members that are lists and named in `lists` become raw items
 * (cJSON_IsRaw): their text, whose rows are checked when they are read. *out is owned:
 * cJSON_Delete. INVALID_ARGUMENT: not JSON, or no object. */
struct error *json_rows_parse(const char *text, size_t size,
                              const char *const lists[] /*NULL-terminated*/, cJSON **out);

/* The rows of a list, in order. */
struct json_rows {
    const char *name;
    const char *at, *end; /* borrowed: the text that follows; NULL: no raw list */
    const cJSON *next;    /* borrowed: of a list that was parsed with the object */
    cJSON *row;           /* owned: of a raw list, the last one */
};
/* A member that does not exist or is no list has no rows. */
struct json_rows json_rows_of(const cJSON *object, const char *name);
/* *row is valid until the next call; NULL after the last row, and on error, when nothing is left to
 * free. INVALID_ARGUMENT: the row is not JSON. */
struct error *json_rows_next(struct json_rows *rows, const cJSON **row);
/* Ends before the last row. */
void json_rows_free(struct json_rows *rows);
/* The number of rows; of a raw list with invalid rows, at least that of the rows before them. */
size_t json_rows_count(const cJSON *object, const char *name);

/* Prints the object as cJSON_Print does that has all lists as trees. */
struct error *json_rows_print(const cJSON *object, struct text *out);

#endif
