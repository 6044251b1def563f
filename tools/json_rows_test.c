/* Tests of json_rows.h. */
#include "tools/json_rows.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/alloc.h"

static const char *const lists[] = {"rows", "more", NULL};

static const char document[] =
    "{\"name\": \"a \\\"rows\\\": [1]\", \"rows\" : [ {\"x\": [1, {\"y\": \"]}\"}]}, \"two\\n\" "
    ",3],"
    "\"inner\": {\"rows\": [7, {}, []]}, \"more\": [], \"last\": [1, 2]}";

static cJSON *parse(const char *text)
{
    cJSON *root;
    cr_assert_null(json_rows_parse(text, strlen(text), lists, &root), "%s", text);
    return root;
}

Test(json_rows, keeps_the_named_lists_of_the_object_as_text)
{
    cJSON *root = parse(document);
    cr_expect(cJSON_IsRaw(cJSON_GetObjectItem(root, "rows")));
    cr_expect(cJSON_IsRaw(cJSON_GetObjectItem(root, "more")));
    cr_expect(cJSON_IsArray(cJSON_GetObjectItem(root, "last")));
    cr_expect(cJSON_IsArray(cJSON_GetObjectItem(cJSON_GetObjectItem(root, "inner"), "rows")));
    cr_expect_str_eq(cJSON_GetObjectItem(root, "name")->valuestring, "a \"rows\": [1]");
    cJSON_Delete(root);
}

Test(json_rows, gives_rows_in_order)
{
    cJSON *root = parse(document);
    struct json_rows rows = json_rows_of(root, "rows");
    const cJSON *row;
    cr_assert_null(json_rows_next(&rows, &row));
    cr_expect_eq(cJSON_GetArraySize(cJSON_GetObjectItem(row, "x")), 2);
    cr_assert_null(json_rows_next(&rows, &row));
    cr_expect_str_eq(row->valuestring, "two\n");
    cr_assert_null(json_rows_next(&rows, &row));
    cr_expect_eq(row->valueint, 3);
    cr_assert_null(json_rows_next(&rows, &row));
    cr_expect_null(row);
    cJSON_Delete(root);
}

Test(json_rows, counts_rows_of_texts_trees_and_of_what_is_no_list)
{
    cJSON *root = parse(document);
    const struct {
        const char *name;
        size_t count;
    } expected[] = {{"rows", 3}, {"more", 0}, {"last", 2}, {"name", 0}, {"absent", 0}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        cr_expect_eq(json_rows_count(root, expected[i].name), expected[i].count, "%s",
                     expected[i].name);
    cJSON_Delete(root);
}

Test(json_rows, may_be_left_early)
{
    cJSON *root = parse(document);
    struct json_rows rows = json_rows_of(root, "rows");
    const cJSON *row;
    cr_assert_null(json_rows_next(&rows, &row));
    json_rows_free(&rows);
    cJSON_Delete(root);
}

/* ---- printing -------------------------------------------------------------------------------- */
static void prints_like_a_tree(const char *json)
{
    cJSON *root = parse(json), *tree = cJSON_Parse(json);
    struct text out = {0};
    char *expected = cJSON_Print(tree), *printed;
    cr_assert_null(json_rows_print(root, &out));
    cr_assert_null(text_finish(&out, &printed, NULL));
    cr_expect_str_eq(printed, expected);
    alloc_free(printed);
    cJSON_free(expected);
    cJSON_Delete(tree);
    cJSON_Delete(root);
}

Test(json_rows, prints_like_a_tree)
{
    prints_like_a_tree(document);
    prints_like_a_tree("{}");
    prints_like_a_tree("{\"rows\":[[[]],[{}],{\"a\":{\"b\":[{\"c\":1.5e300}]}},null,true,0.1]}");
    prints_like_a_tree("{\"a \\\"\\n\":1,\"more\":[{}],\"rows\":[]}");
}

/* ---- faults ---------------------------------------------------------------------------------- */
/* Reads all rows, of which there are not more than were counted. */
static struct error *read_rows(const cJSON *root)
{
    struct json_rows rows = json_rows_of(root, "rows");
    const cJSON *row = NULL;
    size_t count = 0;
    do {
        TRY(json_rows_next(&rows, &row));
        count += row != NULL;
        cr_assert_leq(count, json_rows_count(root, "rows"));
    } while (row);
    return NULL;
}

static bool is_valid(const char *json)
{
    cJSON *root;
    struct error *error = json_rows_parse(json, strlen(json), lists, &root);
    if (!error)
        error = read_rows(root);
    bool valid = !error;
    cr_expect(valid || error_code(error) == PJRT_Error_Code_INVALID_ARGUMENT, "%s", json);
    error_free(error);
    cJSON_Delete(root);
    return valid;
}

Test(json_rows, rejects_what_is_not_json)
{
    static const char *const faulty[] = {
        "",
        "{",
        "{\"rows\":[",
        "{\"rows\":[1",
        "{\"rows\":[1,",
        "{\"rows",
        "{\"rows\":",
        "{\"rows\":[1 2]}",
        "{\"rows\":[,1]}",
        "{\"rows\":[1,]}",
        "{\"a\":1",
        "{\"rows\":[x]}",
        "{\"rows\":[{]}}",
        "{\"rows\":[\"]}",
        "{\"rows\":[1]]}",
        "[1]",
        "5",
        "{} {\"rows\":[1]}",
    };
    for (size_t i = 0; i < sizeof faulty / sizeof *faulty; i++)
        cr_expect_not(is_valid(faulty[i]), "%s", faulty[i]);
    cr_expect(is_valid(document));
}
