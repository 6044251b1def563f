/* Tests of json_stream.h. */
#include "report/json_stream.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/alloc.h"
#include "report/json_fixture.h"

static void add_list(struct json_stream *to, const char *name, int count)
{
    json_stream_list(to, name);
    for (int i = 0; i < count; i++) {
        cJSON *row = cJSON_CreateObject();
        to->failed |= !cJSON_AddNumberToObject(row, "row", i);
        json_stream_row(to, row);
    }
    json_stream_list_end(to);
}

/* Members before, between and after lists. */
static struct error *write_document(char **out, size_t *size)
{
    struct json_stream to;
    json_stream_begin(&to);
    to.failed |= !cJSON_AddStringToObject(to.members, "name", "a \"b\"\n");
    add_list(&to, "first", 2);
    to.failed |= !cJSON_AddNumberToObject(to.members, "seconds", 0.1);
    to.failed |= !cJSON_AddObjectToObject(to.members, "none");
    add_list(&to, "second", 0);
    add_list(&to, "third", 1);
    to.failed |= !cJSON_AddTrueToObject(to.members, "done");
    return json_stream_end(&to, out, size);
}

Test(json_stream, writes_members_and_lists_in_order)
{
    char *text;
    size_t size;
    cr_assert_null(write_document(&text, &size));
    cr_expect_str_eq(text, "{\"name\":\"a \\\"b\\\"\\n\",\"first\":[{\"row\":0},{\"row\":1}],"
                           "\"seconds\":0.1,\"none\":{},\"second\":[],\"third\":[{\"row\":0}],"
                           "\"done\":true}");
    cr_expect_eq(size, strlen(text));
    alloc_free(text);
}

Test(json_stream, an_object_without_members)
{
    struct json_stream to;
    char *text;
    size_t size;
    json_stream_begin(&to);
    cr_assert_null(json_stream_end(&to, &text, &size));
    cr_expect_str_eq(text, "{}");
    alloc_free(text);
}

static bool make(void *unused)
{
    char *text;
    size_t size;
    (void)unused;
    struct error *error = write_document(&text, &size);
    if (!error)
        alloc_free(text);
    error_free(error);
    return !error;
}

Test(json_stream, says_when_memory_is_exhausted)
{
    json_exhaust(make, NULL);
}

Test(json_stream, may_be_freed_unfinished)
{
    struct json_stream to;
    json_stream_begin(&to);
    json_stream_list(&to, "rows");
    json_stream_row(&to, cJSON_CreateNumber(1));
    json_stream_free(&to);
    cr_expect_null(to.members);
}
