/* xla_ffi_c_api.h: XLA's typed FFI, version 0.5: how a runtime calls functions that users wrote for
 * the custom calls of their programs. Names, order, types and values are those that handlers were
 * built with (C++ ones by XLA's header-only library, others by hand); the words are Gantry's.
 *
 * A handler gets one call frame: operands and results as buffers in host memory, attributes with
 * their types, the stage it is called for, and the table XLA_FFI_Api for what else it needs. It
 * returns NULL or an error that it made with the table. Structs grow at the end: struct_size says
 * how far one reaches, XLA_FFI_X_STRUCT_SIZE is the end of the last field that is checked. A frame
 * and all it points to is borrowed for the call.
 *
 * Stages: INSTANTIATE once a place in a program (no operands; may set a state that lives as long as
 * the program), PREPARE and INITIALIZE before an execution, EXECUTE; RECORD is for the command
 * buffers of GPUs. A handler that is given a frame with a metadata extension only says what it
 * is. */
#ifndef GANTRY_XLA_FFI_C_API_H
#define GANTRY_XLA_FFI_C_API_H

#include <stddef.h>
#include <stdint.h>

#define XLA_FFI_API_MAJOR 0
#define XLA_FFI_API_MINOR 5

#define XLA_FFI_STRUCT_SIZE(type, last_field)                                                      \
    (offsetof(type, last_field) + sizeof(((type *)0)->last_field))
#define XLA_FFI_DEFINE_STRUCT_TRAITS(type, last_field)                                             \
    enum { type##_STRUCT_SIZE = XLA_FFI_STRUCT_SIZE(type, last_field) }

#ifdef __cplusplus
extern "C" {
#endif

typedef struct XLA_FFI_Api XLA_FFI_Api;
typedef struct XLA_FFI_InternalApi XLA_FFI_InternalApi;     /* XLA's own; Gantry has none */
typedef struct XLA_FFI_Error XLA_FFI_Error;                 /* owned by who receives it */
typedef struct XLA_FFI_InvokeContext XLA_FFI_InvokeContext; /* borrowed for the call */
/* made by a handler, moved to the runtime */
typedef struct XLA_FFI_Future XLA_FFI_Future;

typedef enum { XLA_FFI_Extension_Metadata = 1 } XLA_FFI_InternalExtension_Type;

typedef struct XLA_FFI_InternalExtension {
    size_t struct_size;
    XLA_FFI_InternalExtension_Type type;
    struct XLA_FFI_InternalExtension *next;
} XLA_FFI_InternalExtension;
XLA_FFI_DEFINE_STRUCT_TRAITS(XLA_FFI_InternalExtension, next);

typedef struct XLA_FFI_Api_Version {
    size_t struct_size;
    XLA_FFI_InternalExtension *extension_start;
    int major_version; /* out */
    int minor_version; /* out */
} XLA_FFI_Api_Version;
XLA_FFI_DEFINE_STRUCT_TRAITS(XLA_FFI_Api_Version, minor_version);

/* ---- errors: the codes are PJRT's and absl's ------------------------------------------------- */
typedef enum {
    XLA_FFI_Error_Code_OK = 0,
    XLA_FFI_Error_Code_CANCELLED = 1,
    XLA_FFI_Error_Code_UNKNOWN = 2,
    XLA_FFI_Error_Code_INVALID_ARGUMENT = 3,
    XLA_FFI_Error_Code_DEADLINE_EXCEEDED = 4,
    XLA_FFI_Error_Code_NOT_FOUND = 5,
    XLA_FFI_Error_Code_ALREADY_EXISTS = 6,
    XLA_FFI_Error_Code_PERMISSION_DENIED = 7,
    XLA_FFI_Error_Code_RESOURCE_EXHAUSTED = 8,
    XLA_FFI_Error_Code_FAILED_PRECONDITION = 9,
    XLA_FFI_Error_Code_ABORTED = 10,
    XLA_FFI_Error_Code_OUT_OF_RANGE = 11,
    XLA_FFI_Error_Code_UNIMPLEMENTED = 12,
    XLA_FFI_Error_Code_INTERNAL = 13,
    XLA_FFI_Error_Code_UNAVAILABLE = 14,
    XLA_FFI_Error_Code_DATA_LOSS = 15,
    XLA_FFI_Error_Code_UNAUTHENTICATED = 16
} XLA_FFI_Error_Code;

typedef struct XLA_FFI_Error_Create_Args {
    size_t struct_size;
    XLA_FFI_InternalExtension *extension_start;
    const char *message; /* copied; ends with a NUL */
    XLA_FFI_Error_Code errc;
} XLA_FFI_Error_Create_Args;
XLA_FFI_DEFINE_STRUCT_TRAITS(XLA_FFI_Error_Create_Args, errc);
typedef XLA_FFI_Error *XLA_FFI_Error_Create(XLA_FFI_Error_Create_Args *args);

typedef struct XLA_FFI_Error_GetDetails_Args {
    size_t struct_size;
    XLA_FFI_InternalExtension *extension_start;
    XLA_FFI_Error *error;
    const char *message; /* out, borrowed until the error is destroyed */
    XLA_FFI_Error_Code
        errc; /* out; since 0.4, before which the struct and function were GetMessage */
} XLA_FFI_Error_GetDetails_Args;
XLA_FFI_DEFINE_STRUCT_TRAITS(XLA_FFI_Error_GetDetails_Args, errc);
typedef void XLA_FFI_Error_GetDetails(XLA_FFI_Error_GetDetails_Args *args);

typedef struct XLA_FFI_Error_Destroy_Args {
    size_t struct_size;
    XLA_FFI_InternalExtension *extension_start;
    XLA_FFI_Error *error; /* moved */
} XLA_FFI_Error_Destroy_Args;
XLA_FFI_DEFINE_STRUCT_TRAITS(XLA_FFI_Error_Destroy_Args, error);
typedef void XLA_FFI_Error_Destroy(XLA_FFI_Error_Destroy_Args *args);

/* ---- values and attributes ------------------------------------------------------------------- */
typedef enum {
    XLA_FFI_DataType_INVALID = 0,
    XLA_FFI_DataType_PRED = 1,
    XLA_FFI_DataType_S8 = 2,
    XLA_FFI_DataType_S16 = 3,
    XLA_FFI_DataType_S32 = 4,
    XLA_FFI_DataType_S64 = 5,
    XLA_FFI_DataType_U8 = 6,
    XLA_FFI_DataType_U16 = 7,
    XLA_FFI_DataType_U32 = 8,
    XLA_FFI_DataType_U64 = 9,
    XLA_FFI_DataType_F16 = 10,
    XLA_FFI_DataType_F32 = 11,
    XLA_FFI_DataType_F64 = 12,
    XLA_FFI_DataType_C64 = 15,
    XLA_FFI_DataType_BF16 = 16,
    XLA_FFI_DataType_TOKEN = 17,
    XLA_FFI_DataType_C128 = 18,
    XLA_FFI_DataType_F8E5M2 = 19,
    XLA_FFI_DataType_F8E4M3FN = 20,
    XLA_FFI_DataType_S4 = 21,
    XLA_FFI_DataType_U4 = 22,
    XLA_FFI_DataType_F8E4M3B11FNUZ = 23,
    XLA_FFI_DataType_F8E5M2FNUZ = 24,
    XLA_FFI_DataType_F8E4M3FNUZ = 25,
    XLA_FFI_DataType_S2 = 26,
    XLA_FFI_DataType_U2 = 27,
    XLA_FFI_DataType_F8E4M3 = 28,
    XLA_FFI_DataType_F8E3M4 = 29,
    XLA_FFI_DataType_S1 = 30,
    XLA_FFI_DataType_U1 = 31,
    XLA_FFI_DataType_F4E2M1FN = 32,
    XLA_FFI_DataType_F8E8M0FNU = 33
} XLA_FFI_DataType;

typedef struct XLA_FFI_Buffer {
    size_t struct_size;
    XLA_FFI_InternalExtension *extension_start;
    XLA_FFI_DataType dtype;
    void *data; /* NULL for a token */
    int64_t rank;
    int64_t *dims; /* the layout in memory is what the custom call asked for */
} XLA_FFI_Buffer;
XLA_FFI_DEFINE_STRUCT_TRAITS(XLA_FFI_Buffer, dims);

typedef enum { XLA_FFI_ArgType_BUFFER = 1 } XLA_FFI_ArgType;
typedef enum { XLA_FFI_RetType_BUFFER = 1 } XLA_FFI_RetType;
typedef enum {
    XLA_FFI_AttrType_ARRAY = 1,
    XLA_FFI_AttrType_DICTIONARY = 2,
    XLA_FFI_AttrType_SCALAR = 3,
    XLA_FFI_AttrType_STRING = 4
} XLA_FFI_AttrType;

typedef struct XLA_FFI_ByteSpan {
    const char *ptr;
    size_t len;
} XLA_FFI_ByteSpan;
typedef struct XLA_FFI_Scalar {
    XLA_FFI_DataType dtype;
    void *value;
} XLA_FFI_Scalar;
typedef struct XLA_FFI_Array {
    XLA_FFI_DataType dtype;
    size_t size;
    void *data;
} XLA_FFI_Array;

/* ---- types of user data and state ------------------------------------------------------------ */
/* 0: not known */
typedef struct XLA_FFI_TypeId {
    int64_t type_id;
} XLA_FFI_TypeId;

typedef struct XLA_FFI_TypeInfo {
    size_t struct_size;
    XLA_FFI_InternalExtension *extension_start;
    void (*deleter)(void *object);
} XLA_FFI_TypeInfo;
XLA_FFI_DEFINE_STRUCT_TRAITS(XLA_FFI_TypeInfo, deleter);

typedef struct XLA_FFI_Type_Register_Args {
    size_t struct_size;
    XLA_FFI_InternalExtension *extension_start;
    XLA_FFI_ByteSpan name;
    XLA_FFI_TypeId *type_id; /* in and out: 0 asks for a new one */
    const XLA_FFI_TypeInfo *type_info;
} XLA_FFI_Type_Register_Args;
XLA_FFI_DEFINE_STRUCT_TRAITS(XLA_FFI_Type_Register_Args, type_id);
typedef XLA_FFI_Error *XLA_FFI_Type_Register(XLA_FFI_Type_Register_Args *args);

/* ---- futures: a handler that goes on working after it returned ------------------------------- */
typedef struct XLA_FFI_Future_Create_Args {
    size_t struct_size;
    XLA_FFI_InternalExtension *extension_start;
    XLA_FFI_Future *future; /* out */
} XLA_FFI_Future_Create_Args;
/* yes: without the out field */
XLA_FFI_DEFINE_STRUCT_TRAITS(XLA_FFI_Future_Create_Args, extension_start);
typedef XLA_FFI_Error *XLA_FFI_Future_Create(XLA_FFI_Future_Create_Args *args);

typedef struct XLA_FFI_Future_SetAvailable_Args {
    size_t struct_size;
    XLA_FFI_InternalExtension *extension_start;
    XLA_FFI_Future *future;
} XLA_FFI_Future_SetAvailable_Args;
XLA_FFI_DEFINE_STRUCT_TRAITS(XLA_FFI_Future_SetAvailable_Args, future);
typedef XLA_FFI_Error *XLA_FFI_Future_SetAvailable(XLA_FFI_Future_SetAvailable_Args *args);

typedef struct XLA_FFI_Future_SetError_Args {
    size_t struct_size;
    XLA_FFI_InternalExtension *extension_start;
    XLA_FFI_Future *future;
    XLA_FFI_Error *error; /* moved */
} XLA_FFI_Future_SetError_Args;
XLA_FFI_DEFINE_STRUCT_TRAITS(XLA_FFI_Future_SetError_Args, error);
typedef XLA_FFI_Error *XLA_FFI_Future_SetError(XLA_FFI_Future_SetError_Args *args);

/* ---- the call frame -------------------------------------------------------------------------- */
typedef enum {
    XLA_FFI_ExecutionStage_INSTANTIATE = 0,
    XLA_FFI_ExecutionStage_PREPARE = 1,
    XLA_FFI_ExecutionStage_INITIALIZE = 2,
    XLA_FFI_ExecutionStage_EXECUTE = 3,
    XLA_FFI_ExecutionStage_RECORD = 4 /* since 0.4 */
} XLA_FFI_ExecutionStage;

typedef struct XLA_FFI_Args {
    size_t struct_size;
    XLA_FFI_InternalExtension *extension_start;
    int64_t size;
    XLA_FFI_ArgType *types;
    void **args; /* XLA_FFI_Buffer * */
} XLA_FFI_Args;
XLA_FFI_DEFINE_STRUCT_TRAITS(XLA_FFI_Args, args);

typedef struct XLA_FFI_Rets {
    size_t struct_size;
    XLA_FFI_InternalExtension *extension_start;
    int64_t size;
    XLA_FFI_RetType *types;
    void **rets; /* XLA_FFI_Buffer * */
} XLA_FFI_Rets;
XLA_FFI_DEFINE_STRUCT_TRAITS(XLA_FFI_Rets, rets);

typedef struct XLA_FFI_Attrs { /* sorted by name; a dictionary is one of these, too */
    size_t struct_size;
    XLA_FFI_InternalExtension *extension_start;
    int64_t size;
    XLA_FFI_AttrType *types;
    XLA_FFI_ByteSpan **names;
    void **attrs; /* XLA_FFI_Scalar *, _Array *, _ByteSpan * or _Attrs *, by type */
} XLA_FFI_Attrs;
XLA_FFI_DEFINE_STRUCT_TRAITS(XLA_FFI_Attrs, attrs);

typedef struct XLA_FFI_CallFrame {
    size_t struct_size;
    XLA_FFI_InternalExtension *extension_start;
    const XLA_FFI_Api *api;
    XLA_FFI_InvokeContext *ctx;
    XLA_FFI_ExecutionStage stage;
    XLA_FFI_Args args;
    XLA_FFI_Rets rets;
    XLA_FFI_Attrs attrs;
    XLA_FFI_Future *future; /* out: results are there when it says so; moved to the runtime */
} XLA_FFI_CallFrame;
XLA_FFI_DEFINE_STRUCT_TRAITS(XLA_FFI_CallFrame, attrs);

/* ---- handlers -------------------------------------------------------------------------------- */
typedef XLA_FFI_Error *XLA_FFI_Handler(XLA_FFI_CallFrame *call_frame);

typedef struct XLA_FFI_Handler_Bundle { /* all may be NULL but execute */
    XLA_FFI_Handler *instantiate;
    XLA_FFI_Handler *prepare;
    XLA_FFI_Handler *initialize;
    XLA_FFI_Handler *execute;
    XLA_FFI_Handler *record; /* since 0.4 */
} XLA_FFI_Handler_Bundle;

enum XLA_FFI_Handler_TraitsBits { XLA_FFI_HANDLER_TRAITS_COMMAND_BUFFER_COMPATIBLE = 1u << 0 };
typedef uint32_t XLA_FFI_Handler_Traits;

typedef struct XLA_FFI_Handler_Register_Args {
    size_t struct_size;
    XLA_FFI_InternalExtension *extension_start;
    XLA_FFI_ByteSpan name;
    XLA_FFI_ByteSpan platform;
    XLA_FFI_Handler_Bundle bundle;
    XLA_FFI_Handler_Traits traits;
} XLA_FFI_Handler_Register_Args;
XLA_FFI_DEFINE_STRUCT_TRAITS(XLA_FFI_Handler_Register_Args, traits);
typedef XLA_FFI_Error *XLA_FFI_Handler_Register(XLA_FFI_Handler_Register_Args *args);

typedef struct XLA_FFI_Metadata {
    size_t struct_size;
    XLA_FFI_Api_Version api_version;
    XLA_FFI_Handler_Traits traits;
    XLA_FFI_TypeId state_type_id; /* 0: the handler makes no state */
} XLA_FFI_Metadata;
XLA_FFI_DEFINE_STRUCT_TRAITS(XLA_FFI_Metadata, traits);

typedef struct XLA_FFI_Metadata_Extension {
    XLA_FFI_InternalExtension extension_base;
    XLA_FFI_Metadata *metadata; /* filled by the handler */
} XLA_FFI_Metadata_Extension;
XLA_FFI_DEFINE_STRUCT_TRAITS(XLA_FFI_Metadata_Extension, metadata);

/* ---- what a handler may ask for -------------------------------------------------------------- */
typedef struct XLA_FFI_InvokeContext_Get_Args { /* user data of the execution; NOT_FOUND */
    size_t struct_size;
    XLA_FFI_InternalExtension *extension_start;
    XLA_FFI_InvokeContext *ctx;
    XLA_FFI_TypeId *type_id;
    void *data; /* out, borrowed */
} XLA_FFI_InvokeContext_Get_Args;
XLA_FFI_DEFINE_STRUCT_TRAITS(XLA_FFI_InvokeContext_Get_Args, data);
typedef XLA_FFI_Error *XLA_FFI_InvokeContext_Get(XLA_FFI_InvokeContext_Get_Args *args);

/* Data that a runtime attaches to an execution for handlers that know their type, since 0.4; each
 * type has a layout and versions of its own. */
typedef struct XLA_FFI_ExtensionId {
    int64_t extension_type;
    int32_t major_version;
    int32_t minor_version;
} XLA_FFI_ExtensionId;
XLA_FFI_DEFINE_STRUCT_TRAITS(XLA_FFI_ExtensionId, minor_version);

typedef struct XLA_FFI_Extension XLA_FFI_Extension;
struct XLA_FFI_Extension {
    size_t struct_size;
    XLA_FFI_ExtensionId id;
    const XLA_FFI_Extension *next;
};
XLA_FFI_DEFINE_STRUCT_TRAITS(XLA_FFI_Extension, next);

typedef struct XLA_FFI_InvokeContext_FindExtension_Args { /* since 0.4 */
    size_t struct_size;
    XLA_FFI_InternalExtension *extension_start;
    XLA_FFI_InvokeContext *ctx;
    int64_t extension_type;
    const XLA_FFI_Extension *extension; /* out, borrowed; NULL: there is none of this type */
} XLA_FFI_InvokeContext_FindExtension_Args;
XLA_FFI_DEFINE_STRUCT_TRAITS(XLA_FFI_InvokeContext_FindExtension_Args, extension);
typedef XLA_FFI_Error *
XLA_FFI_InvokeContext_FindExtension(XLA_FFI_InvokeContext_FindExtension_Args *args);

/* Options of one execution, beside the attributes of the call, since 0.5. */
typedef struct XLA_FFI_CustomOptions_Get_Args {
    size_t struct_size;
    XLA_FFI_InternalExtension *extension_start;
    XLA_FFI_InvokeContext *ctx;
    const XLA_FFI_Attrs *attrs; /* out, borrowed for the call; empty without options */
} XLA_FFI_CustomOptions_Get_Args;
XLA_FFI_DEFINE_STRUCT_TRAITS(XLA_FFI_CustomOptions_Get_Args, attrs);
typedef XLA_FFI_Error *XLA_FFI_CustomOptions_Get(XLA_FFI_CustomOptions_Get_Args *args);

typedef struct XLA_FFI_State_Set_Args { /* once a stage */
    size_t struct_size;
    XLA_FFI_InternalExtension *extension_start;
    XLA_FFI_InvokeContext *ctx;
    XLA_FFI_ExecutionStage stage;
    XLA_FFI_TypeId *type_id;
    void *state; /* moved: the type's deleter gets it */
} XLA_FFI_State_Set_Args;
XLA_FFI_DEFINE_STRUCT_TRAITS(XLA_FFI_State_Set_Args, state);
typedef XLA_FFI_Error *XLA_FFI_State_Set(XLA_FFI_State_Set_Args *args);

typedef struct XLA_FFI_State_Get_Args {
    size_t struct_size;
    XLA_FFI_InternalExtension *extension_start;
    XLA_FFI_InvokeContext *ctx;
    XLA_FFI_ExecutionStage stage; /* that set it */
    XLA_FFI_TypeId *type_id;
    void *state; /* out, borrowed */
} XLA_FFI_State_Get_Args;
XLA_FFI_DEFINE_STRUCT_TRAITS(XLA_FFI_State_Get_Args, state);
typedef XLA_FFI_Error *XLA_FFI_State_Get(XLA_FFI_State_Get_Args *args);

typedef struct XLA_FFI_Stream_Get_Args { /* processors have no stream: NULL */
    size_t struct_size;
    XLA_FFI_InternalExtension *extension_start;
    XLA_FFI_InvokeContext *ctx;
    void *stream; /* out */
} XLA_FFI_Stream_Get_Args;
XLA_FFI_DEFINE_STRUCT_TRAITS(XLA_FFI_Stream_Get_Args, stream);
typedef XLA_FFI_Error *XLA_FFI_Stream_Get(XLA_FFI_Stream_Get_Args *args);

typedef struct XLA_FFI_DeviceMemory_Allocate_Args {
    size_t struct_size;
    XLA_FFI_InternalExtension *extension_start;
    XLA_FFI_InvokeContext *ctx;
    size_t size;
    size_t alignment;
    void *data; /* out, owned: XLA_FFI_DeviceMemory_Free */
} XLA_FFI_DeviceMemory_Allocate_Args;
XLA_FFI_DEFINE_STRUCT_TRAITS(XLA_FFI_DeviceMemory_Allocate_Args, data);
typedef XLA_FFI_Error *XLA_FFI_DeviceMemory_Allocate(XLA_FFI_DeviceMemory_Allocate_Args *args);

typedef struct XLA_FFI_DeviceMemory_Free_Args {
    size_t struct_size;
    XLA_FFI_InternalExtension *extension_start;
    XLA_FFI_InvokeContext *ctx;
    size_t size;
    void *data;
} XLA_FFI_DeviceMemory_Free_Args;
XLA_FFI_DEFINE_STRUCT_TRAITS(XLA_FFI_DeviceMemory_Free_Args, data);
typedef XLA_FFI_Error *XLA_FFI_DeviceMemory_Free(XLA_FFI_DeviceMemory_Free_Args *args);

typedef void XLA_FFI_Task(void *data);
typedef struct XLA_FFI_ThreadPool_Schedule_Args {
    size_t struct_size;
    XLA_FFI_InternalExtension *extension_start;
    XLA_FFI_InvokeContext *ctx;
    XLA_FFI_Task *task;
    void *data;
} XLA_FFI_ThreadPool_Schedule_Args;
XLA_FFI_DEFINE_STRUCT_TRAITS(XLA_FFI_ThreadPool_Schedule_Args, data);
typedef XLA_FFI_Error *XLA_FFI_ThreadPool_Schedule(XLA_FFI_ThreadPool_Schedule_Args *args);

typedef struct XLA_FFI_ThreadPool_NumThreads_Args {
    size_t struct_size;
    XLA_FFI_InternalExtension *extension_start;
    XLA_FFI_InvokeContext *ctx;
    int64_t *num_threads; /* out */
} XLA_FFI_ThreadPool_NumThreads_Args;
XLA_FFI_DEFINE_STRUCT_TRAITS(XLA_FFI_ThreadPool_NumThreads_Args, num_threads);
typedef XLA_FFI_Error *XLA_FFI_ThreadPool_NumThreads(XLA_FFI_ThreadPool_NumThreads_Args *args);

typedef struct XLA_FFI_RunId_Get_Args {
    size_t struct_size;
    XLA_FFI_InternalExtension *extension_start;
    XLA_FFI_InvokeContext *ctx;
    int64_t run_id; /* out */
} XLA_FFI_RunId_Get_Args;
XLA_FFI_DEFINE_STRUCT_TRAITS(XLA_FFI_RunId_Get_Args, run_id);
typedef XLA_FFI_Error *XLA_FFI_RunId_Get(XLA_FFI_RunId_Get_Args *args);

typedef struct XLA_FFI_DeviceOrdinal_Get_Args {
    size_t struct_size;
    XLA_FFI_InternalExtension *extension_start;
    XLA_FFI_InvokeContext *ctx;
    int32_t device_ordinal; /* out */
} XLA_FFI_DeviceOrdinal_Get_Args;
XLA_FFI_DEFINE_STRUCT_TRAITS(XLA_FFI_DeviceOrdinal_Get_Args, device_ordinal);
typedef XLA_FFI_Error *XLA_FFI_DeviceOrdinal_Get(XLA_FFI_DeviceOrdinal_Get_Args *args);

struct XLA_FFI_Api {
    size_t struct_size;
    XLA_FFI_InternalExtension *extension_start;
    XLA_FFI_Api_Version api_version;
    const XLA_FFI_InternalApi *internal_api;
#define XLA_FFI_API_MEMBER(function) function *function
    XLA_FFI_API_MEMBER(XLA_FFI_Error_Create);
    XLA_FFI_API_MEMBER(XLA_FFI_Error_GetDetails);
    XLA_FFI_API_MEMBER(XLA_FFI_Error_Destroy);
    XLA_FFI_API_MEMBER(XLA_FFI_Handler_Register);
    XLA_FFI_API_MEMBER(XLA_FFI_Stream_Get);
    XLA_FFI_API_MEMBER(XLA_FFI_Type_Register);
    XLA_FFI_API_MEMBER(XLA_FFI_InvokeContext_Get);
    XLA_FFI_API_MEMBER(XLA_FFI_State_Set);
    XLA_FFI_API_MEMBER(XLA_FFI_State_Get);
    XLA_FFI_API_MEMBER(XLA_FFI_DeviceMemory_Allocate);
    XLA_FFI_API_MEMBER(XLA_FFI_DeviceMemory_Free);
    XLA_FFI_API_MEMBER(XLA_FFI_ThreadPool_Schedule);
    XLA_FFI_API_MEMBER(XLA_FFI_ThreadPool_NumThreads);
    XLA_FFI_API_MEMBER(XLA_FFI_Future_Create);
    XLA_FFI_API_MEMBER(XLA_FFI_Future_SetAvailable);
    XLA_FFI_API_MEMBER(XLA_FFI_Future_SetError);
    XLA_FFI_API_MEMBER(XLA_FFI_RunId_Get);
    XLA_FFI_API_MEMBER(XLA_FFI_DeviceOrdinal_Get);
    XLA_FFI_API_MEMBER(XLA_FFI_InvokeContext_FindExtension);
    XLA_FFI_API_MEMBER(XLA_FFI_CustomOptions_Get);
#undef XLA_FFI_API_MEMBER
};
XLA_FFI_DEFINE_STRUCT_TRAITS(XLA_FFI_Api, XLA_FFI_CustomOptions_Get);

/* ---- the layout, pinned (64-bit) ------------------------------------------------------------- */
#ifndef __cplusplus
#define XLA_FFI_PIN(condition) _Static_assert(condition, "the layout of XLA's FFI has moved")
XLA_FFI_PIN(sizeof(void *) == 8 && sizeof(XLA_FFI_InternalExtension) == 24 &&
            sizeof(XLA_FFI_Api_Version) == 24);
XLA_FFI_PIN(sizeof(XLA_FFI_Buffer) == 48 && offsetof(XLA_FFI_Buffer, data) == 24);
XLA_FFI_PIN(sizeof(XLA_FFI_Args) == 40 && sizeof(XLA_FFI_Rets) == 40 &&
            sizeof(XLA_FFI_Attrs) == 48);
XLA_FFI_PIN(offsetof(XLA_FFI_CallFrame, api) == 16 && offsetof(XLA_FFI_CallFrame, stage) == 32);
XLA_FFI_PIN(offsetof(XLA_FFI_CallFrame, args) == 40 && offsetof(XLA_FFI_CallFrame, rets) == 80);
XLA_FFI_PIN(offsetof(XLA_FFI_CallFrame, attrs) == 120 &&
            offsetof(XLA_FFI_CallFrame, future) == 168);
XLA_FFI_PIN(XLA_FFI_CallFrame_STRUCT_SIZE == 168 && sizeof(XLA_FFI_CallFrame) == 176);
XLA_FFI_PIN(sizeof(XLA_FFI_Scalar) == 16 && sizeof(XLA_FFI_Array) == 24 &&
            sizeof(XLA_FFI_ByteSpan) == 16);
XLA_FFI_PIN(sizeof(XLA_FFI_TypeInfo) == 24 && sizeof(XLA_FFI_Handler_Bundle) == 40);
XLA_FFI_PIN(offsetof(XLA_FFI_Type_Register_Args, type_id) == 32);
XLA_FFI_PIN(offsetof(XLA_FFI_Handler_Register_Args, bundle) == 48 &&
            offsetof(XLA_FFI_Handler_Register_Args, traits) == 88);
XLA_FFI_PIN(XLA_FFI_Error_GetDetails_Args_STRUCT_SIZE == 36);
XLA_FFI_PIN(sizeof(XLA_FFI_Extension) == 32 && offsetof(XLA_FFI_Extension, id) == 8);
XLA_FFI_PIN(offsetof(XLA_FFI_InvokeContext_FindExtension_Args, extension) == 32 &&
            offsetof(XLA_FFI_CustomOptions_Get_Args, attrs) == 24);
XLA_FFI_PIN(sizeof(XLA_FFI_Metadata) == 48 && offsetof(XLA_FFI_Metadata, state_type_id) == 40);
XLA_FFI_PIN(offsetof(XLA_FFI_Metadata_Extension, metadata) == 24);
XLA_FFI_PIN(offsetof(XLA_FFI_State_Set_Args, state) == 40 &&
            offsetof(XLA_FFI_State_Get_Args, state) == 40);
XLA_FFI_PIN(offsetof(XLA_FFI_InvokeContext_Get_Args, data) == 32);
XLA_FFI_PIN(offsetof(XLA_FFI_Api, internal_api) == 40 &&
            offsetof(XLA_FFI_Api, XLA_FFI_Error_Create) == 48);
XLA_FFI_PIN(sizeof(XLA_FFI_Api) == 48 + 20 * sizeof(void *));
#undef XLA_FFI_PIN
#endif

#ifdef __cplusplus
}
#endif

#endif
