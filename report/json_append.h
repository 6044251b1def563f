/* json_append.h: items of JSON arrays. */
#ifndef GANTRY_REPORT_JSON_APPEND_H
#define GANTRY_REPORT_JSON_APPEND_H

#include <cjson/cJSON.h>
#include <stddef.h>

/* Appends an item (moved) and returns it, borrowed from the array. NULL when either is NULL, which
 * is how cJSON says that memory is exhausted; an item without an array is freed. */
static inline cJSON *json_append(cJSON *array, cJSON *item)
{
    if (cJSON_AddItemToArray(array, item))
        return item;
    cJSON_Delete(item);
    return NULL;
}

#endif
