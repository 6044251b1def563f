#include "plugin/ext_gantry.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "base/alloc.h"
#include "plugin/api_args.h"
#include "plugin/handles.h"
#include "report/live_json.h"
#include "report/machine_json.h"
#include "report/metrics_json.h"
#include "report/plan_json.h"
#include "report/signature_json.h"

static void delete_text(void *text)
{
    cJSON_free(text);
}

/* Prints an object (moved). */
static struct error *print(cJSON *object, PJRT_Gantry_Json *out)
{
    char *text = cJSON_PrintUnformatted(object);
    cJSON_Delete(object);
    if (!text)
        return error_out_of_memory();
    *out = (PJRT_Gantry_Json){text, strlen(text), text, delete_text};
    return NULL;
}

static PJRT_Error *machine(PJRT_Gantry_Machine_Args *args)
{
    cJSON *object;
    NEED_OBJECT(args, client);
    NEED(args, json);
    API_TRY(machine_json(client_of(args->client), &object));
    return API_ERROR(print(object, &args->json));
}

static PJRT_Error *live_buffers(PJRT_Gantry_LiveBuffers_Args *args)
{
    cJSON *object;
    NEED_OBJECT(args, device);
    NEED(args, json);
    API_TRY(client_check_local(device_of(args->device)));
    API_TRY(live_json(device_of(args->device), &object));
    return API_ERROR(print(object, &args->json));
}

static PJRT_Error *plan(PJRT_Gantry_Plan_Args *args)
{
    char *text;
    size_t size;
    NEED_OBJECT(args, executable);
    NEED(args, json);
    API_TRY(plan_json(executable_of(args->executable), &text, &size));
    args->json = (PJRT_Gantry_Json){text, size, text, alloc_free};
    return NULL;
}

static PJRT_Error *signature(PJRT_Gantry_Signature_Args *args)
{
    cJSON *object;
    NEED_OBJECT(args, program);
    NEED(args, json);
    NEED(args->program, format_size);
    const struct compile_source source = {.format = args->program->format,
                                          .format_size = args->program->format_size,
                                          .bytes = args->program->code,
                                          .size = args->program->code_size};
    API_TRY(signature_json(&source, &object));
    return API_ERROR(print(object, &args->json));
}

static PJRT_Error *metrics_report(PJRT_Gantry_Metrics_Args *args)
{
    cJSON *object;
    NEED(args, json);
    API_TRY(metrics_json(&object));
    return API_ERROR(print(object, &args->json));
}

PJRT_Gantry_Extension ext_gantry = {
    .base = {.struct_size = PJRT_Gantry_Extension_STRUCT_SIZE, .type = PJRT_EXTENSION_TYPE_GANTRY},
    .name = PJRT_API_GANTRY_EXTENSION_NAME,
    .version = PJRT_API_GANTRY_EXTENSION_VERSION,
    .machine = machine,
    .live_buffers = live_buffers,
    .plan = plan,
    .signature = signature,
    .metrics = metrics_report,
};
