#include "plugin/ext_shardings.h"

#include "plugin/api_args.h"
#include "plugin/ext_cross_host_transfers.h"
#include "plugin/handles.h"
#include "runtime/executable_shardings.h"

static PJRT_Error *of_parameters(PJRT_Shardings_PJRT_Executable_ParameterShardings_Args *args)
{
    const struct sharding_list *list;
    NEED_OBJECT(args, executable);
    NEED(args, sharding_sizes);
    struct executable *executable = executable_of(args->executable);
    API_TRY(executable_shardings(executable, false, &list));
    args->num_parameters = list->count;
    args->shardings = (const char *const *)list->shardings;
    args->sharding_sizes = list->sizes;
    return NULL;
}

static PJRT_Error *of_outputs(PJRT_Shardings_PJRT_Executable_OutputShardings_Args *args)
{
    const struct sharding_list *list;
    NEED_OBJECT(args, executable);
    NEED(args, sharding_sizes);
    struct executable *executable = executable_of(args->executable);
    API_TRY(executable_shardings(executable, true, &list));
    args->num_outputs = list->count;
    args->shardings = (const char *const *)list->shardings;
    args->sharding_sizes = list->sizes;
    return NULL;
}

PJRT_Shardings_Extension ext_shardings = {
    .base = {.struct_size = PJRT_Shardings_Extension_STRUCT_SIZE,
             .type = PJRT_Extension_Type_Shardings,
             .next = &ext_cross_host_transfers.base},
    .PJRT_Shardings_PJRT_Executable_ParameterShardings = of_parameters,
    .PJRT_Shardings_PJRT_Executable_OutputShardings = of_outputs,
};
