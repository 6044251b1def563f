#include "report/auto_json.h"

static bool add_number(cJSON *object, const char *name, double value)
{
    return cJSON_AddNumberToObject(object, name, value) != NULL;
}

static bool add_rows(const struct auto_plan *plan, cJSON *object, const char *name, int count,
                     const struct auto_plan_row *rows)
{
    cJSON *list = cJSON_AddArrayToObject(object, name);
    bool done = list != NULL;
    for (int i = 0; i < count && done; i++) {
        cJSON *row = cJSON_CreateObject();
        uint64_t limit = plan->memory_bytes;
        done = row && cJSON_AddItemToArray(list, row) &&
               cJSON_AddStringToObject(row, "name", rows[i].name) &&
               add_number(row, "seconds", rows[i].seconds) &&
               add_number(row, "peak_bytes", (double)rows[i].peak_bytes) &&
               cJSON_AddBoolToObject(row, "fits", !limit || rows[i].peak_bytes <= limit);
    }
    return done;
}

static bool add_savings(const struct auto_plan *plan, cJSON *object)
{
    cJSON *list = cJSON_AddArrayToObject(object, "savings");
    bool done = list != NULL;
    for (int i = 0; i < plan->saving_count && done; i++) {
        const struct auto_plan_saving *saving = &plan->savings[i];
        cJSON *row = cJSON_CreateObject();
        done = row && cJSON_AddItemToArray(list, row) &&
               cJSON_AddStringToObject(row, "value", saving->what) &&
               cJSON_AddBoolToObject(row, "offloaded", saving->is_offloaded) &&
               add_number(row, "bytes", (double)saving->bytes);
    }
    return done;
}

bool auto_json_add(const struct auto_plan *plan, cJSON *root)
{
    cJSON *object = cJSON_AddObjectToObject(root, "auto_sharding");
    return object && add_number(object, "planned", (double)plan->planned) &&
           cJSON_AddBoolToObject(object, "was_cut", plan->was_cut) &&
           add_number(object, "memory_bytes", (double)plan->memory_bytes) &&
           add_number(object, "program_nodes", (double)plan->program_nodes) &&
           add_number(object, "program_seconds", plan->program_seconds) &&
           add_number(object, "bound_seconds", plan->bound_seconds) &&
           add_rows(plan, object, "plans", plan->row_count, plan->rows) &&
           add_rows(plan, object, "changes", plan->change_count, plan->changes) &&
           add_savings(plan, object);
}
