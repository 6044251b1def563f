/* Tests of model_json.h. */
#include "plugin/model_json.h"

#include <criterion/criterion.h>
#include <string.h>

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
                          .operation = {.bound = BOUND_HBM, .times = 3},
                          .largest = {.label = 0, .shape = 4, .bytes = 512}};
    memcpy(whole.text, "add\0f32[]", 10);
    cJSON *root = cJSON_CreateObject();
    cr_assert(model_json_add(&whole.plan, root));
    cr_expect_eq(cJSON_GetObjectItem(root, "peak_bytes")->valueint, 5);
    cr_expect(cJSON_IsFalse(cJSON_GetObjectItem(root, "fits")));
    cr_expect_float_eq(cJSON_GetObjectItem(root, "seconds")->valuedouble, 0.5, 1e-12);
    const cJSON *operation = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "operations"), 0);
    cr_expect_str_eq(cJSON_GetObjectItem(operation, "operation")->valuestring, "add");
    cr_expect_str_eq(cJSON_GetObjectItem(operation, "bound")->valuestring, "HBM");
    const cJSON *largest = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "largest"), 0);
    cr_expect_str_eq(cJSON_GetObjectItem(largest, "shape")->valuestring, "f32[]");
    cr_expect_eq(cJSON_GetObjectItem(largest, "bytes")->valueint, 512);
    cJSON_Delete(root);
}
