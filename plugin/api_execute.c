#include "plugin/api.h"
#include "plugin/api_args.h"
#include "plugin/ext_profiler.h"
#include "plugin/handles.h"
#include "plugin/host_callbacks.h"
#include "runtime/execute.h"

/* Reads the options. An older client's struct is shorter; missing fields count as zero. */
static struct error *read_options(const PJRT_ExecuteOptions *options,
                                  struct execute_request *request)
{
    if (!options)
        return NULL;
    if (GET(options, num_hlo_output_callbacks, 0))
        return ERROR(UNIMPLEMENTED,
                     "%zu callbacks for outputs of HLO instructions were passed; these are "
                     "unsupported. Use a host callback or an output of the program",
                     options->num_hlo_output_callbacks);
    request->launch_id = GET(options, launch_id, 0);
    request->non_donatable = GET(options, non_donatable_input_indices, NULL);
    request->non_donatable_count = GET(options, num_non_donatable_input_indices, 0);
    request->context = execute_context_of(GET(options, context, NULL));
    return NULL;
}

PJRT_Error *api_execute(PJRT_LoadedExecutable_Execute_Args *args)
{
    NEED_OBJECT(args, executable);
    NEED(args, device_complete_events);
    if (args->num_devices) /* else all devices are in other processes */
        NEED_OBJECT(args, output_lists);
    struct execute_request request = {
        .executable = loaded_executable_of(args->executable),
        .device_count = args->num_devices,
        .device = device_of(GET(args, execute_device, NULL)),
        .argument_count = args->num_args,
        .arguments = (struct buffer *const *const *)args->argument_lists,
        .results = (struct buffer * *const *)args->output_lists,
        .completed = (struct event **)args->device_complete_events,
        .flow = ext_profiler_flow(args->extension_start),
    };
    struct host_transfer **hosts;
    API_TRY(read_options(args->options, &request));
    API_TRY(execute_check(&request));
    API_TRY(host_callbacks_read(args->options, args->num_devices, &hosts));
    request.hosts = hosts;
    struct error *error = execute_checked(&request);
    host_callbacks_release(hosts, args->num_devices);
    return API_ERROR(error);
}

PJRT_Error *api_execute_create_context(PJRT_ExecuteContext_Create_Args *args)
{
    NEED(args, context);
    struct execute_context *context = NULL;
    struct error *error = execute_context_create(&context);
    args->context = execute_context_handle(context);
    return API_ERROR(error);
}

/* Running executions retain it. */
PJRT_Error *api_execute_destroy_context(PJRT_ExecuteContext_Destroy_Args *args)
{
    NEED(args, context);
    execute_context_release(execute_context_of(args->context));
    return NULL;
}
