/* Tests of model_json.h. */
#include "report/model_json.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/alloc.h"
#include "compiler/program/program.h"
#include "report/json_fixture.h"

/* The plan as JSON, parsed: owned; NULL: memory was exhausted. */
static cJSON *plan_of(const struct model_plan *plan)
{
    struct json_stream to;
    char *text;
    size_t size;
    json_stream_begin(&to);
    model_json_add(plan, &to);
    struct error *error = json_stream_end(&to, &text, &size);
    error_free(error);
    if (error)
        return NULL;
    cJSON *root = cJSON_ParseWithLength(text, size);
    alloc_free(text);
    return root;
}

struct whole {
    struct model_plan plan;
    struct model_operation operation;
    struct model_largest largest;
    char text[16];
};

Test(model_json, has_the_figures_of_the_plan)
{
    struct whole whole = {.plan = {.size = sizeof whole,
                                   .peak_bytes = 5,
                                   .capacity_bytes = 4,
                                   .seconds = 0.5,
                                   .operation_count = 1,
                                   .largest_count = 1,
                                   .text_size = sizeof whole.text},
                          .operation = {.bound = BOUND_HBM, .times = 3, .hbm = 0.25},
                          .largest = {.label = 0, .shape = 4, .bytes = 512}};
    memcpy(whole.text, "add\0f32[]", 10);
    cJSON *root = plan_of(&whole.plan);
    cr_assert_not_null(root);
    cr_expect_eq(cJSON_GetObjectItem(root, "peak_bytes")->valueint, 5);
    cr_expect(cJSON_IsFalse(cJSON_GetObjectItem(root, "fits")));
    cr_expect_float_eq(cJSON_GetObjectItem(root, "seconds")->valuedouble, 0.5, 1e-12);
    const cJSON *operation = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "operations"), 0);
    cr_expect_str_eq(cJSON_GetObjectItem(operation, "operation")->valuestring, "add");
    cr_expect_str_eq(cJSON_GetObjectItem(operation, "bound")->valuestring, "HBM");
    cr_expect_eq(cJSON_GetObjectItem(operation, "hbm_seconds")->valuedouble, 0.25);
    const cJSON *largest = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "largest"), 0);
    cr_expect_str_eq(cJSON_GetObjectItem(largest, "shape")->valuestring, "f32[]");
    cr_expect_eq(cJSON_GetObjectItem(largest, "bytes")->valueint, 512);
    cJSON_Delete(root);
}

/* ---- collectives ----------------------------------------------------------------------------- */
/* Two reductions over two groups, of which one is in a loop of unknown length, a permute, and an
 * all-gather whose groups are too many. */
struct communicating {
    struct model_plan plan;
    struct model_collective collectives[4];
    int64_t numbers[13];
    char text[16];
};

static const struct communicating communicating = {
    .plan = {.size = sizeof communicating,
             .collective_count = 4,
             .number_count = 13,
             .text_size = sizeof communicating.text},
    .collectives =
        {{.kind = COLLECTIVE_ALL_REDUCE,
          .reducer = REDUCER_MAXIMUM,
          .dtype = DTYPE_F32,
          .groups = 3,
          .group_count = 2,
          .group_size = 2,
          .times = 6,
          .is_exact = 1,
          .bytes = 48,
          .sent = 24},
         {.kind = COLLECTIVE_REDUCE_SCATTER, .dtype = DTYPE_BF16, .groups = 3, .group_count = 2},
         {.kind = COLLECTIVE_PERMUTE, .groups = 9, .group_count = 1},
         {.kind = COLLECTIVE_ALL_GATHER, .groups = MODEL_NO_GROUPS, .group_count = 7}},
    .numbers = {2, 3, 4, /* dimensions */ 2, 0, 1, 2, 2, 3, /* groups */ 2, 1, 0 /* a pair */},
    .text = "send"};

static const cJSON *member(const cJSON *object, const char *name)
{
    const cJSON *found = cJSON_GetObjectItem(object, name);
    cr_assert_not_null(found, "%s", name);
    return found;
}

static bool prints_as(const cJSON *item, const char *expected)
{
    char *text = cJSON_PrintUnformatted(item);
    bool same = text && !strcmp(text, expected);
    cJSON_free(text);
    return same;
}

Test(model_json, has_the_collectives_of_the_plan)
{
    cJSON *root = plan_of(&communicating.plan);
    cr_assert_not_null(root);
    const cJSON *all = member(root, "collectives"), *first = cJSON_GetArrayItem(all, 0),
                *second = cJSON_GetArrayItem(all, 1), *third = cJSON_GetArrayItem(all, 2),
                *fourth = cJSON_GetArrayItem(all, 3);
    cr_assert_eq(cJSON_GetArraySize(all), 4);
    cr_expect_str_eq(member(first, "kind")->valuestring, "all-reduce");
    cr_expect(prints_as(member(first, "operands"), "[[\"f32\",[3,4]]]"));
    cr_expect(prints_as(member(first, "groups"), "[[0,1],[2,3]]"));
    cr_expect_str_eq(member(first, "reduce")->valuestring, "maximum");
    cr_expect_eq(member(first, "trips")->valueint, 6);
    cr_expect_eq(member(first, "sent_bytes")->valueint, 24);
    cr_expect_str_eq(member(first, "operation")->valuestring, "send");
    cr_expect(cJSON_IsNull(member(second, "trips")), "a loop of unknown length");
    cr_expect_str_eq(member(second, "reduce")->valuestring, "add");
    cr_expect(prints_as(member(third, "pairs"), "[[1,0]]"));
    cr_expect(!cJSON_HasObjectItem(third, "reduce") && !cJSON_HasObjectItem(third, "groups"));
    cr_expect(!cJSON_HasObjectItem(fourth, "groups"), "too many");
    cr_expect_eq(member(fourth, "group_count")->valueint, 7);
    cJSON_Delete(root);
}

static bool make(void *plan)
{
    cJSON *root = plan_of(plan);
    cJSON_Delete(root);
    return root != NULL;
}

Test(model_json, says_when_memory_is_exhausted)
{
    struct communicating plan = communicating;
    struct whole whole = {.plan = {.size = sizeof whole,
                                   .operation_count = 1,
                                   .largest_count = 1,
                                   .text_size = sizeof whole.text},
                          .text = "add"};
    json_exhaust(make, &plan.plan);
    json_exhaust(make, &whole.plan);
}
