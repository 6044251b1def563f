/* ext_ffi.c: see ext_ffi.h. */
#include "plugin/ffi/ext_ffi.h"

#include "plugin/api_args.h"
#include "plugin/ext_custom_partitioner.h"
#include "plugin/ffi/ffi_call.h"
#include "plugin/ffi/ffi_types.h"
#include "plugin/handles.h"

static PJRT_Error *type_register(PJRT_FFI_Type_Register_Args *args)
{
    NEED_OBJECT(args, type_name);
    NEED(args, type_id);
    PJRT_FFI_Type_Info *info = GET(args, type_info, NULL);
    return API_ERROR(ffi_types_register(args->type_name, args->type_name_size, &args->type_id,
                                        info ? info->deleter : NULL));
}

static PJRT_Error *user_data_add(PJRT_FFI_UserData_Add_Args *args)
{
    NEED_OBJECT(args, context);
    NEED(args, user_data);
    return API_ERROR(execute_context_add(execute_context_of(args->context), args->user_data.type_id,
                                         args->user_data.data,
                                         ffi_types_deleter(args->user_data.type_id)));
}

static PJRT_Error *register_handler(PJRT_FFI_Register_Handler_Args *args)
{
    NEED_OBJECT(args, target_name);
    NEED_OBJECT(args, handler);
    NEED(args, platform_name_size);
    XLA_FFI_Handler_Bundle bundle = {.execute = (XLA_FFI_Handler *)(uintptr_t)args->handler};
    return API_ERROR(ffi_call_register(args->target_name, args->target_name_size,
                                       args->platform_name, args->platform_name_size, &bundle));
}

struct ext_ffi_table ext_ffi = {.table = {
                                    .base = {.struct_size = PJRT_FFI_Extension_STRUCT_SIZE,
                                             .type = PJRT_Extension_Type_FFI,
                                             .next = &ext_custom_partitioner.base},
                                    .type_register = type_register,
                                    .user_data_add = user_data_add,
                                    .register_handler = register_handler,
                                }};
