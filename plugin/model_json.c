/* model_json.c: see model_json.h. */
#include "plugin/model_json.h"

static bool number(cJSON *object, const char *name, double value)
{
    return cJSON_AddNumberToObject(object, name, value) != NULL;
}

static bool string(cJSON *object, const char *name, const char *value)
{
    return cJSON_AddStringToObject(object, name, value) != NULL;
}

/* Appends an empty object; NULL when memory is exhausted. */
static cJSON *append(cJSON *array)
{
    cJSON *object = cJSON_CreateObject();
    if (object && cJSON_AddItemToArray(array, object))
        return object;
    cJSON_Delete(object);
    return NULL;
}

static bool add_operation(const struct model_plan *plan, const struct model_operation *at,
                          cJSON *array)
{
    cJSON *object = append(array);
    return object && string(object, "operation", model_plan_text(plan, at->label)) &&
           string(object, "bound", model_plan_bound_name((enum model_bound)at->bound)) &&
           number(object, "times", at->times) && number(object, "seconds", at->seconds) &&
           number(object, "flops", at->flops) && number(object, "hbm_bytes", at->hbm_bytes);
}

static bool add_operations(const struct model_plan *plan, cJSON *root)
{
    cJSON *array = cJSON_AddArrayToObject(root, "operations");
    bool added = array != NULL;
    for (uint64_t i = 0; i < plan->operation_count && added; i++)
        added = add_operation(plan, &model_plan_operations(plan)[i], array);
    return added;
}

static bool add_largest(const struct model_plan *plan, cJSON *root)
{
    cJSON *array = cJSON_AddArrayToObject(root, "largest");
    bool added = array != NULL;
    for (uint64_t i = 0; i < plan->largest_count && added; i++) {
        const struct model_largest *at = &model_plan_largest(plan)[i];
        cJSON *object = append(array);
        added = object && number(object, "bytes", (double)at->bytes) &&
                number(object, "unpadded_bytes", (double)at->unpadded_bytes) &&
                string(object, "shape", model_plan_text(plan, at->shape)) &&
                string(object, "operation", model_plan_text(plan, at->label));
    }
    return added;
}

bool model_json_add(const struct model_plan *plan, cJSON *root)
{
    return number(root, "argument_bytes", (double)plan->argument_bytes) &&
           number(root, "output_bytes", (double)plan->output_bytes) &&
           number(root, "alias_bytes", (double)plan->alias_bytes) &&
           number(root, "temp_bytes", (double)plan->temp_bytes) &&
           number(root, "peak_bytes", (double)plan->peak_bytes) &&
           number(root, "capacity_bytes", (double)plan->capacity_bytes) &&
           number(root, "host_argument_bytes", (double)plan->host_argument_bytes) &&
           number(root, "host_output_bytes", (double)plan->host_output_bytes) &&
           cJSON_AddBoolToObject(root, "fits", plan->peak_bytes <= plan->capacity_bytes) &&
           number(root, "seconds", plan->seconds) &&
           number(root, "seconds_low", plan->seconds_low) &&
           number(root, "seconds_high", plan->seconds_high) && number(root, "mfu", plan->mfu) &&
           number(root, "flops", plan->flops) && number(root, "hbm_bytes", plan->hbm_bytes) &&
           number(root, "unknown_trips", (double)plan->unknown_trips) &&
           add_operations(plan, root) && add_largest(plan, root);
}
