#include "report/live_json.h"

#include "memory/live.h"
#include "report/json_append.h"

static bool add_group(cJSON *list, const struct live_group *group)
{
    cJSON *item = json_append(list, cJSON_CreateObject());
    return cJSON_AddNumberToObject(item, "count", (double)group->count) &&
           cJSON_AddNumberToObject(item, "bytes", (double)group->size) &&
           cJSON_AddStringToObject(item, "label", group->text ? group->text : "");
}

/* The buffers other than the largest ones. */
static bool add_others(cJSON *object, const struct live_summary *summary)
{
    int64_t count = summary->count;
    uint64_t bytes = summary->bytes;
    for (int i = 0; i < summary->group_count; i++) {
        count -= summary->groups[i].count;
        bytes -= summary->groups[i].size * (uint64_t)summary->groups[i].count;
    }
    cJSON *others = cJSON_AddObjectToObject(object, "others");
    return cJSON_AddNumberToObject(others, "count", (double)count) &&
           cJSON_AddNumberToObject(others, "bytes", (double)bytes);
}

static bool add_memory(cJSON *list, const struct client_memory *memory)
{
    struct live_summary summary;
    cJSON *item = json_append(list, cJSON_CreateObject());
    space_live_summary(memory->space, &summary);
    bool done = cJSON_AddStringToObject(item, "kind", memory_kind_name(memory->kind)) &&
                cJSON_AddNumberToObject(item, "in_use", (double)summary.bytes) &&
                cJSON_AddNumberToObject(item, "buffers", (double)summary.count);
    cJSON *largest = cJSON_AddArrayToObject(item, "largest");
    for (int i = 0; i < summary.group_count && done; i++)
        done = add_group(largest, &summary.groups[i]);
    done = done && largest && add_others(item, &summary);
    live_summary_free(&summary);
    return done;
}

struct error *live_json(const struct client_device *device, cJSON **out)
{
    *out = cJSON_CreateObject();
    bool done = cJSON_AddNumberToObject(*out, "device", device->device->id);
    cJSON *list = cJSON_AddArrayToObject(*out, "memories");
    for (int i = 0; i < device->device->space_count && done; i++)
        done = add_memory(list, &device->memories[i]);
    if (done && list)
        return NULL;
    cJSON_Delete(*out);
    *out = NULL;
    return error_out_of_memory();
}
