/* model_json.c: see model_json.h. */
#include "report/model_json.h"

#include "compiler/program/program_communication.h"
#include "report/json_append.h"

static bool number(cJSON *object, const char *name, double value)
{
    return cJSON_AddNumberToObject(object, name, value) != NULL;
}

static bool string(cJSON *object, const char *name, const char *value)
{
    return cJSON_AddStringToObject(object, name, value) != NULL;
}

static bool fill_operation(const struct model_plan *plan, const struct model_operation *at,
                           cJSON *object)
{
    return object && string(object, "operation", model_plan_text(plan, at->label)) &&
           string(object, "bound", model_plan_bound_name((enum model_bound)at->bound)) &&
           number(object, "times", at->times) && number(object, "seconds", at->seconds) &&
           number(object, "hidden_seconds", at->hidden) &&
           number(object, "matrix_seconds", at->matrix) &&
           number(object, "vector_seconds", at->vector) && number(object, "hbm_seconds", at->hbm) &&
           number(object, "host_seconds", at->host) && number(object, "link_seconds", at->links) &&
           number(object, "flops", at->flops) && number(object, "hbm_bytes", at->hbm_bytes) &&
           number(object, "host_bytes", at->host_bytes) &&
           number(object, "link_bytes", at->link_bytes);
}

static void add_operations(const struct model_plan *plan, struct json_stream *to)
{
    json_stream_list(to, "operations");
    for (uint64_t i = 0; i < plan->operation_count && !to->failed; i++) {
        cJSON *row = cJSON_CreateObject();
        to->failed |= !fill_operation(plan, &model_plan_operations(plan)[i], row);
        json_stream_row(to, row);
    }
    json_stream_list_end(to);
}

static bool add_largest(const struct model_plan *plan, cJSON *root)
{
    cJSON *array = cJSON_AddArrayToObject(root, "largest");
    bool added = array != NULL;
    for (uint64_t i = 0; i < plan->largest_count && added; i++) {
        const struct model_largest *at = &model_plan_largest(plan)[i];
        cJSON *object = json_append(array, cJSON_CreateObject());
        added = object && number(object, "bytes", (double)at->bytes) &&
                number(object, "unpadded_bytes", (double)at->unpadded_bytes) &&
                string(object, "shape", model_plan_text(plan, at->shape)) &&
                string(object, "operation", model_plan_text(plan, at->label));
    }
    return added;
}

/* ---- collectives ----------------------------------------------------------------------------- */
static bool add_numbers(const int64_t *list, cJSON *array)
{
    bool added = true;
    for (int64_t i = 0; i < list[0] && added; i++)
        added = json_append(array, cJSON_CreateNumber((double)list[1 + i])) != NULL;
    return added;
}

/* Adds "operands": [[dtype, [dimensions]]]. */
static bool add_array(const struct model_plan *plan, const char *name, int64_t dtype, uint64_t at,
                      cJSON *object)
{
    cJSON *pair = json_append(cJSON_AddArrayToObject(object, name), cJSON_CreateArray());
    if (!json_append(pair, cJSON_CreateString(dtype_name((enum dtype)dtype))))
        return false;
    cJSON *dims = json_append(pair, cJSON_CreateArray());
    return dims && add_numbers(&model_plan_numbers(plan)[at], dims);
}

static bool add_groups(const struct model_plan *plan, const struct model_collective *at,
                       cJSON *object)
{
    uint64_t next = at->groups;
    if (next == MODEL_NO_GROUPS)
        return true;
    cJSON *all =
        cJSON_AddArrayToObject(object, at->kind == COLLECTIVE_PERMUTE ? "pairs" : "groups");
    for (int64_t g = 0; g < at->group_count; g++) {
        const int64_t *numbers = &model_plan_numbers(plan)[next];
        cJSON *list = json_append(all, cJSON_CreateArray());
        if (!list || !add_numbers(numbers, list))
            return false;
        next += 1 + (uint64_t)numbers[0];
    }
    return all != NULL;
}

static bool fill_collective(const struct model_plan *plan, const struct model_collective *at,
                            cJSON *object)
{
    enum collective_kind kind = (enum collective_kind)at->kind;
    bool reduces = kind == COLLECTIVE_ALL_REDUCE || kind == COLLECTIVE_REDUCE_SCATTER;
    return object && string(object, "kind", program_communication_name(kind)) &&
           add_array(plan, "operands", at->dtype, at->operand, object) &&
           add_array(plan, "results", at->dtype, at->result, object) &&
           add_groups(plan, at, object) && number(object, "group_count", (double)at->group_count) &&
           number(object, "group_size", (double)at->group_size) &&
           (!reduces ||
            string(object, "reduce",
                   program_communication_reducer((enum collective_reducer)at->reducer))) &&
           number(object, "count", 1) &&
           (at->is_exact ? number(object, "trips", at->times)
                         : cJSON_AddNullToObject(object, "trips") != NULL) &&
           number(object, "bytes", at->bytes) && number(object, "sent_bytes", at->sent) &&
           string(object, "operation", model_plan_text(plan, at->label));
}

static void add_collectives(const struct model_plan *plan, struct json_stream *to)
{
    json_stream_list(to, "collectives");
    for (uint64_t i = 0; i < plan->collective_count && !to->failed; i++) {
        cJSON *row = cJSON_CreateObject();
        to->failed |= !fill_collective(plan, &model_plan_collectives(plan)[i], row);
        json_stream_row(to, row);
    }
    json_stream_list_end(to);
}

/* ---- Pallas kernels -------------------------------------------------------------------------- */
static bool add_windows(const struct model_plan *plan, const struct model_pallas_window *windows,
                        uint64_t count, cJSON *kernel)
{
    cJSON *array = cJSON_AddArrayToObject(kernel, "windows");
    bool added = array != NULL;
    for (uint64_t i = 0; i < count && added; i++) {
        cJSON *object = json_append(array, cJSON_CreateObject());
        added = object && string(object, "window", model_plan_text(plan, windows[i].label)) &&
                string(object, "memory", windows[i].in_vmem ? "vmem" : "smem") &&
                number(object, "bytes", (double)windows[i].bytes) &&
                number(object, "buffers", (double)windows[i].buffers);
    }
    return added;
}

static bool add_steps(const struct model_pallas_step *steps, uint64_t count, cJSON *kernel)
{
    cJSON *array = cJSON_AddArrayToObject(kernel, "first_steps");
    bool added = array != NULL;
    for (uint64_t i = 0; i < count && added; i++) {
        cJSON *object = json_append(array, cJSON_CreateObject());
        added = object && number(object, "begin_cycle", steps[i].begin) &&
                number(object, "ready_cycle", steps[i].ready) &&
                number(object, "computed_cycle", steps[i].computed) &&
                number(object, "end_cycle", steps[i].end);
    }
    return added;
}

static bool add_kernel(const struct model_plan *plan, const struct model_pallas *at, cJSON *object)
{
    return object && string(object, "kernel", model_plan_text(plan, at->name)) &&
           string(object, "operation", model_plan_text(plan, at->label)) &&
           number(object, "times", at->times) &&
           number(object, "vmem_bytes", (double)at->vmem_bytes) &&
           number(object, "vmem_limit_bytes", (double)at->vmem_limit_bytes) &&
           number(object, "smem_bytes", (double)at->smem_bytes) &&
           number(object, "steps", at->steps) && number(object, "cycles", at->cycles) &&
           number(object, "seconds", at->seconds) && number(object, "matrix_cycles", at->matrix) &&
           number(object, "vector_cycles", at->vector) &&
           number(object, "waiting_cycles", at->waited) && number(object, "flops", at->flops) &&
           number(object, "hbm_bytes", at->hbm_bytes) &&
           number(object, "link_bytes", at->link_bytes) &&
           cJSON_AddBoolToObject(object, "exact", at->is_exact != 0);
}

static bool add_kernels(const struct model_plan *plan, cJSON *root)
{
    cJSON *array = plan->pallas_count ? cJSON_AddArrayToObject(root, "kernels") : NULL;
    const struct model_pallas_window *windows = model_plan_windows(plan);
    const struct model_pallas_step *steps = model_plan_steps(plan);
    bool added = array || !plan->pallas_count;
    for (uint64_t i = 0; i < plan->pallas_count && added; i++) {
        const struct model_pallas *at = &model_plan_pallas(plan)[i];
        cJSON *object = json_append(array, cJSON_CreateObject());
        added = add_kernel(plan, at, object) &&
                add_windows(plan, windows, at->window_count, object) &&
                add_steps(steps, at->step_count, object);
        windows += at->window_count;
        steps += at->step_count;
    }
    return added;
}

/* ---- the whole plan -------------------------------------------------------------------------- */
static bool add_figures(const struct model_plan *plan, cJSON *root)
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
           number(root, "host_bytes", plan->host_bytes) &&
           number(root, "link_bytes", plan->link_bytes) &&
           number(root, "host_seconds", plan->host_seconds) &&
           number(root, "link_seconds", plan->link_seconds) &&
           number(root, "hidden_seconds", plan->hidden_seconds) &&
           number(root, "arithmetic_intensity", model_plan_intensity(plan)) &&
           number(root, "unknown_trips", (double)plan->unknown_trips);
}

void model_json_add(const struct model_plan *plan, struct json_stream *to)
{
    to->failed |= !add_figures(plan, to->members);
    add_operations(plan, to);
    to->failed |= !add_largest(plan, to->members);
    add_collectives(plan, to);
    to->failed |= !add_kernels(plan, to->members);
}
