#include "report/auto_json.h"

#include <criterion/criterion.h>

static const cJSON *get(const cJSON *json, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(json, name);
}

Test(auto_json, plans_and_changes_say_whether_they_fit)
{
    static const struct auto_plan plan = {.planned = 3,
                                          .memory_bytes = 10,
                                          .program_nodes = 7,
                                          .program_seconds = 2,
                                          .bound_seconds = 1,
                                          .row_count = 2,
                                          .change_count = 1,
                                          .saving_count = 1,
                                          .rows = {{"best", 1, 10}, {"replicated", 2, 11}},
                                          .changes = {{"argument 0", 3, 9}},
                                          .savings = {{true, "tanh", 4}}};
    cJSON *root = cJSON_CreateObject();
    cr_assert(auto_json_add(&plan, root));
    const cJSON *made = get(root, "auto_sharding"), *plans = get(made, "plans");
    cr_expect_eq(get(made, "planned")->valuedouble, 3);
    cr_expect_eq(get(made, "bound_seconds")->valuedouble, 1);
    cr_assert_eq(cJSON_GetArraySize(plans), 2);
    cr_expect(cJSON_IsTrue(get(cJSON_GetArrayItem(plans, 0), "fits")));
    cr_expect(cJSON_IsFalse(get(cJSON_GetArrayItem(plans, 1), "fits")));
    cr_expect_str_eq(get(cJSON_GetArrayItem(plans, 1), "name")->valuestring, "replicated");
    cr_expect_eq(cJSON_GetArraySize(get(made, "changes")), 1);
    const cJSON *saving = cJSON_GetArrayItem(get(made, "savings"), 0);
    cr_expect(cJSON_IsTrue(get(saving, "offloaded")));
    cr_expect_str_eq(get(saving, "value")->valuestring, "tanh");
    cr_expect_eq(get(saving, "bytes")->valuedouble, 4);
    cJSON_Delete(root);
}
