/* pjrt_c_api_ffi_extension.h: custom calls by the user (PJRT_Extension_Type_FFI, version 3).
 *
 * A program may hold custom calls by name. The functions behind the names follow XLA's typed FFI, a
 * C interface of its own (XLA_FFI_Handler); this extension takes them in, and the data they share
 * with the user: a handler is registered for the process, user data for the executions of one
 * context.
 *
 * The rules of pjrt_c_api.h on struct_size, errors, ownership and threads hold here. */
#ifndef GANTRY_PJRT_C_API_FFI_EXTENSION_H
#define GANTRY_PJRT_C_API_FFI_EXTENSION_H

#include <stddef.h>
#include <stdint.h>

#include "pjrt_c_api.h"

#define PJRT_API_FFI_EXTENSION_VERSION 3

#ifdef __cplusplus
extern "C" {
#endif

/* What the runtime must know of a type of user data. All functions are static as long as the plugin
 * is loaded, and may be called from any thread. */
typedef struct PJRT_FFI_Type_Info {
    /* frees an object of the type; NULL: objects are never freed by the plugin */
    void (*deleter)(void *object);
    /* may be NULL; its arguments are not settled in version 3, and Gantry does not call it */
    void (*serialize)(void);
    void (*deserialize)(void); /* as serialize */
} PJRT_FFI_Type_Info;

/* Makes a type of user data known by its name, for the whole process. Registering the same name
 * with the same id again does nothing; ALREADY_EXISTS when either is taken otherwise. */
typedef struct PJRT_FFI_Type_Register_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    const char *type_name; /* copied */
    size_t type_name_size; /* bytes */
    /* in and out: 0 asks for a new id, any other is the caller's own */
    int64_t type_id;
    PJRT_FFI_Type_Info *type_info; /* copied; may be NULL: no functions */
} PJRT_FFI_Type_Register_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_FFI_Type_Register_Args, type_info);
typedef PJRT_Error *PJRT_FFI_Type_Register(PJRT_FFI_Type_Register_Args *args);

/* An object that custom calls can ask for by its type. */
typedef struct PJRT_FFI_UserData {
    int64_t type_id; /* as PJRT_FFI_Type_Register gave it */
    /* what the handlers get; owned by the context if the type has a deleter, else borrowed */
    void *data;
} PJRT_FFI_UserData;

/* Puts an object into a context. Handlers of all executions that run in that context see it, until
 * the context is destroyed; then the type's deleter, if there is one, gets it. ALREADY_EXISTS when
 * the context has an object of the type. A type that was never registered has no deleter: clients
 * that share a number with their handlers need not tell the plugin of it. */
typedef struct PJRT_FFI_UserData_Add_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_ExecuteContext *context; /* must not be NULL */
    /* by value; moved when the call succeeds, the caller keeps it else */
    PJRT_FFI_UserData user_data;
} PJRT_FFI_UserData_Add_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_FFI_UserData_Add_Args, user_data);
typedef PJRT_Error *PJRT_FFI_UserData_Add(PJRT_FFI_UserData_Add_Args *args);

/* What is known of a handler; bits, combined by or. */
typedef enum PJRT_FFI_Handler_TraitsBits {
    PJRT_FFI_HANDLER_TRAITS_COMMAND_BUFFER_COMPATIBLE = 1, /* may be recorded once and replayed */
} PJRT_FFI_Handler_TraitsBits;

/* Makes a handler known by the name custom calls use, for the whole process and the platform named.
 * Programs compiled afterwards find it; compiling a program that names an unregistered target is
 * UNIMPLEMENTED. ALREADY_EXISTS when another handler has the name. This struct has no
 * extension_start. */
typedef struct PJRT_FFI_Register_Handler_Args {
    size_t struct_size;
    const char *target_name; /* copied */
    size_t target_name_size; /* bytes */
    void *handler;           /* an XLA_FFI_Handler *; static, as long as the plugin is loaded */
    /* copied; case does not matter ("cpu", "Host" and "HOST" are the CPU) */
    const char *platform_name;
    size_t platform_name_size;          /* bytes */
    PJRT_FFI_Handler_TraitsBits traits; /* PJRT_FFI_Handler_TraitsBits, or 0 */
} PJRT_FFI_Register_Handler_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_FFI_Register_Handler_Args, traits);
typedef PJRT_Error *PJRT_FFI_Register_Handler(PJRT_FFI_Register_Handler_Args *args);

/* The extension: functions in the order of their addition. Static and constant. */
typedef struct PJRT_FFI_Extension {
    PJRT_Extension_Base base; /* type is PJRT_Extension_Type_FFI */
    PJRT_FFI_Type_Register *type_register;
    PJRT_FFI_UserData_Add *user_data_add;
    PJRT_FFI_Register_Handler *register_handler;
} PJRT_FFI_Extension;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_FFI_Extension, register_handler);

/* An older name of the same struct. */
typedef PJRT_FFI_Extension PJRT_FFI;
#ifdef __cplusplus
}
#endif

#endif
