/* pjrt_c_api.h: the PJRT C API, version 0.117, and what each call means.
 *
 * PJRT is the boundary between a machine-learning framework (the *client*: JAX, PyTorch/XLA,
 * GoMLX, ...) and the library that compiles and runs its programs (the *plugin*). A client loads a
 * plugin's shared object, calls its one exported function GetPjrtApi, and gets a table of
 * functions: PJRT_Api, at the end of this file. Names, order, types and values here are those
 * every PJRT client was built with; changing one breaks them. The words are Gantry's. One file,
 * however long: it is one interface.
 *
 * Calls. Each function takes one pointer to its own `_Args` struct. The caller owns the struct,
 * sets struct_size, extension_start and the inputs; the function fills the fields marked "out" and
 * keeps no pointer to the struct. An unmarked field is an input. Handles among the inputs are
 * borrowed for the call and must be valid and not NULL unless said otherwise. After an error,
 * outputs mean nothing.
 *
 * struct_size. The caller stores X_STRUCT_SIZE of the header *it* was built with, so the plugin
 * knows how far a struct reaches. Structs only ever grow at the end. A plugin reads and writes
 * only fields that lie below the caller's struct_size; a shorter struct than the call needs is
 * INVALID_ARGUMENT, a longer one is fine, and fields that are missing count as zero. X_STRUCT_SIZE
 * is the end of the last field, without tail padding, so it can be less than sizeof(X).
 *
 * Errors. A function returns NULL for success, else an error that the caller owns
 * (PJRT_Error_Destroy). Each function may return INVALID_ARGUMENT (a NULL or too short struct, a
 * NULL handle, a value out of range), UNIMPLEMENTED (this plugin does not support it),
 * RESOURCE_EXHAUSTED (no memory) and INTERNAL; only other codes, and what is particular about
 * these, are documented below. Work that fails after its call has returned reports that through
 * events and buffers.
 *
 * A call, as a client writes it:
 *
 *   PJRT_Client_PlatformName_Args args = {
 *       .struct_size = PJRT_Client_PlatformName_Args_STRUCT_SIZE,
 *       .client = client,
 *   };
 *   PJRT_Error *error = api->PJRT_Client_PlatformName(&args);
 *   if (!error) print(args.platform_name, args.platform_name_size);
 *
 * A session, from beginning to end:
 *
 *   GetPjrtApi, PJRT_Plugin_Initialize, PJRT_Plugin_Attributes
 *   PJRT_Client_Create                        devices and memory spaces come with the client
 *     PJRT_Client_BufferFromHostBuffer        host array -> buffer
 *     PJRT_Client_Compile                     program -> loaded executable
 *       PJRT_LoadedExecutable_Execute         buffers -> buffers, at once; the work goes on behind
 *     PJRT_Buffer_ReadyEvent, PJRT_Event_OnReady or PJRT_Event_Await
 *     PJRT_Buffer_ToHostBuffer                buffer -> host array
 *   PJRT_*_Destroy, in any order
 *
 * Ownership. One word for each pointer:
 *   owned     the receiver destroys it with the `_Destroy` of its type, once
 *   borrowed  another's; valid for the call, or until what is named
 *   static    valid as long as the plugin is loaded
 *   moved     the callee has it from now on, even when the call returns an error
 *   deleter   the receiver calls, once, the function that comes with it
 * "copied" is a borrowed input of which the callee makes its own copy.
 *
 * Threads. All functions may be called at the same time from any threads, on different objects
 * or the same one, unless said otherwise; but nothing may use an object while or after it is
 * destroyed. A plugin calls callbacks from any thread, and holds no lock meanwhile. No function
 * waits for a device or another thread's progress unless it says so.
 *
 * Strings are pointer and size in bytes. They need no NUL at the end and are UTF-8. Array
 * pointers may be NULL when their count is 0. Sizes are bytes; ranks and counts are elements. */
#ifndef GANTRY_PJRT_C_API_H
#define GANTRY_PJRT_C_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The version this header describes; what a plugin built with it reports in PJRT_Api_Version. */
#define PJRT_API_MAJOR 0
#define PJRT_API_MINOR 117

/* The size of a struct up to the end of one of its fields, and the constant X_STRUCT_SIZE. */
#define PJRT_STRUCT_SIZE(type, last_field)                                                         \
    (offsetof(type, last_field) + sizeof(((type *)0)->last_field))
#define PJRT_DEFINE_STRUCT_TRAITS(type, last_field)                                                \
    enum { type##_STRUCT_SIZE = PJRT_STRUCT_SIZE(type, last_field) }

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Versions and extensions ----------------------------------------------------------------- */

/* A client built with this header works with plugins of lower and of higher minor versions, and the
 * other way round: each side uses what both know. What one plugin offers beyond the core comes as
 * extensions, so that a plugin can implement some and a client can look for some. */

/* What an extension is. The numbers are shared by all plugins and are never reused. Gantry
 * implements Profiler, Custom_Partitioner, Stream, Layouts, FFI, MemoryDescriptions and Shardings,
 * and TpuTopology on a modeled TPU. */
typedef enum PJRT_Extension_Type {
    PJRT_Extension_Type_Gpu_Custom_Call = 0,      /* register custom calls of a GPU */
    PJRT_Extension_Type_Profiler = 1,             /* pjrt_c_api_profiler_extension.h */
    PJRT_Extension_Type_Custom_Partitioner = 2,   /* partition custom calls by callback */
    PJRT_Extension_Type_Stream = 3,               /* pjrt_c_api_stream_extension.h */
    PJRT_Extension_Type_Layouts = 4,              /* pjrt_c_api_layouts_extension.h */
    PJRT_Extension_Type_FFI = 5,                  /* pjrt_c_api_ffi_extension.h */
    PJRT_Extension_Type_MemoryDescriptions = 6,   /* pjrt_c_api_memory_descriptions_extension.h */
    PJRT_Extension_Type_Triton = 7,               /* compile Triton kernels */
    PJRT_Extension_Type_RawBuffer = 8,            /* buffers as bytes without a shape */
    PJRT_Extension_Type_PhaseCompile = 9,         /* compile in named phases */
    PJRT_Extension_Type_Example = 10,             /* for tests of the mechanism */
    PJRT_Extension_Type_Unknown = 11,             /* never implemented; readers skip it */
    PJRT_Extension_Type_CrossHostTransfers = 12,  /* send a buffer to another process */
    PJRT_Extension_Type_ExecutableMetadata = 13,  /* facts stored beside an executable */
    PJRT_Extension_Type_Callback = 14,            /* notifies the client of events */
    PJRT_Extension_Type_HostAllocator = 15,       /* host memory by the plugin (older form) */
    PJRT_Extension_Type_TpuTopology = 16,         /* coordinates and links of a TPU */
    PJRT_Extension_Type_TpuExecutable = 17,       /* facts only a TPU executable has */
    PJRT_Extension_Type_Megascale = 18,           /* several TPU slices as one machine */
    PJRT_Extension_Type_Shardings = 19,           /* shardings of parameters and outputs */
    PJRT_Extension_Type_AbiVersion = 20,          /* which executables this runtime accepts */
    PJRT_Extension_Type_Collectives = 21,         /* communicators outside programs */
    PJRT_Extension_Type_MultiSlice = 22,          /* configuration of several slices */
    PJRT_Extension_Type_HostMemoryAllocator = 23, /* host memory by the plugin */
    PJRT_Extension_Type_XlaTransform = 24,        /* transforms a program before it is compiled */
} PJRT_Extension_Type;

/* The head of every extension. Extensions form a singly linked list; a reader walks `next`,
 * compares `type`, and skips what it does not know. A plugin's own list hangs on
 * PJRT_Api.extension_start, is static, and never changes after GetPjrtApi has returned.
 *
 * A list may also hang on the `extension_start` of one call's arguments. It is borrowed for that
 * call and only looked at where the call says so (Compile and Execute): some clients leave garbage
 * in that field of other calls. */
typedef struct PJRT_Extension_Base {
    size_t struct_size;
    PJRT_Extension_Type type;         /* which struct this is the head of */
    struct PJRT_Extension_Base *next; /* static, or borrowed for the call; NULL ends the list */
} PJRT_Extension_Base;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Extension_Base, next);

/* The version a plugin speaks. The major number rises when old clients must stop; the minor number
 * rises with each addition at an end of a struct. A client decides by these numbers, not by
 * PJRT_Api.struct_size, which members it may call: claiming a minor number above the table one has
 * makes clients call past its end. */
typedef struct PJRT_Api_Version {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    int major_version; /* PJRT_API_MAJOR of the header that the plugin was built with */
    int minor_version; /* PJRT_API_MINOR of the header that the plugin was built with */
} PJRT_Api_Version;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Api_Version, minor_version);

/* ---- Handles --------------------------------------------------------------------------------- */

/* All objects are opaque: a pointer is a handle, and what it points to is the plugin's business.
 * Handles are compared by address only where the text says that the same object always has the same
 * one (clients, devices, memory spaces, descriptions); events, buffers and executables may have
 * several handles for one thing. */

/* An error is an object: a code for programs, a message for people, and perhaps payloads (bytes by
 * key) for programs that know the key. It belongs to one thread at a time. It depends on nothing,
 * and may outlive the client. */
/* What went wrong: code, message, payloads. */
typedef struct PJRT_Error PJRT_Error;
/* Something that becomes ready once, well or with an error. */
typedef struct PJRT_Event PJRT_Event;
/* One running instance of the plugin. */
typedef struct PJRT_Client PJRT_Client;
/* A device of a client; lives as long as its client. */
typedef struct PJRT_Device PJRT_Device;
/* What is known of a device without a client. */
typedef struct PJRT_DeviceDescription PJRT_DeviceDescription;
/* A memory space, such as HBM or pinned host memory. */
typedef struct PJRT_Memory PJRT_Memory;
/* The devices one can compile for, present or not. */
typedef struct PJRT_TopologyDescription PJRT_TopologyDescription;
/* A compiled program, bound to no device. */
typedef struct PJRT_Executable PJRT_Executable;
/* A compiled program that can run on a client. */
typedef struct PJRT_LoadedExecutable PJRT_LoadedExecutable;
/* An array in a memory space. */
typedef struct PJRT_Buffer PJRT_Buffer;
/* User data that custom calls of one execution see. */
typedef struct PJRT_ExecuteContext PJRT_ExecuteContext;
/* Buffers that are filled piece by piece. */
typedef struct PJRT_AsyncHostToDeviceTransferManager PJRT_AsyncHostToDeviceTransferManager;
/* The way host bytes enter a running program. */
typedef struct PJRT_CopyToDeviceStream PJRT_CopyToDeviceStream;
/* The promise behind an alias buffer. */
typedef struct PJRT_FulfillAliasBufferCallback PJRT_FulfillAliasBufferCallback;
/* Marks that something is under way on a device. */
typedef struct PJRT_AsyncTrackingEvent PJRT_AsyncTrackingEvent;
/* Configuration of several slices. */
typedef struct PJRT_MultiSlice_Config PJRT_MultiSlice_Config;
/* Compiler of the PhaseCompile extension. */
typedef struct PJRT_PhaseCompiler PJRT_PhaseCompiler;
/* Facts that go along with a transfer. */
typedef struct PJRT_TransferMetadata PJRT_TransferMetadata;
/* Keeps one answer of PJRT_Device_GetAttributes. */
typedef struct PJRT_Device_Attributes PJRT_Device_Attributes;
/* Keeps the bytes of a device assignment. */
typedef struct PJRT_DeviceAssignmentSerialized PJRT_DeviceAssignmentSerialized;
/* Keeps the bytes of an executable. */
typedef struct PJRT_SerializedExecutable PJRT_SerializedExecutable;
/* Keeps the bytes of compile options. */
typedef struct PJRT_SerializedCompileOptions PJRT_SerializedCompileOptions;
/* Keeps the bytes of a topology */
typedef struct PJRT_SerializedTopology PJRT_SerializedTopology;

/* The kind of an error. The numbers are those of absl::StatusCode and of gRPC. */
typedef enum PJRT_Error_Code {
    PJRT_Error_Code_OK = 0,                 /* no error; never the code of a PJRT_Error */
    PJRT_Error_Code_CANCELLED = 1,          /* the caller gave up */
    PJRT_Error_Code_UNKNOWN = 2,            /* a foreign callback failed without saying how */
    PJRT_Error_Code_INVALID_ARGUMENT = 3,   /* wrong in itself: would fail at any time */
    PJRT_Error_Code_DEADLINE_EXCEEDED = 4,  /* a wait took longer than its limit */
    PJRT_Error_Code_NOT_FOUND = 5,          /* no such device, key or symbol */
    PJRT_Error_Code_ALREADY_EXISTS = 6,     /* the name is taken */
    PJRT_Error_Code_PERMISSION_DENIED = 7,  /* the operating system refuses */
    PJRT_Error_Code_RESOURCE_EXHAUSTED = 8, /* no memory left on the host or the device */
    /* the object is in the wrong state: deleted, donated */
    PJRT_Error_Code_FAILED_PRECONDITION = 9,
    PJRT_Error_Code_ABORTED = 10,         /* another participant failed */
    PJRT_Error_Code_OUT_OF_RANGE = 11,    /* an index or offset past the end */
    PJRT_Error_Code_UNIMPLEMENTED = 12,   /* valid, but not supported by this plugin */
    PJRT_Error_Code_INTERNAL = 13,        /* a bug in the plugin */
    PJRT_Error_Code_UNAVAILABLE = 14,     /* try again later */
    PJRT_Error_Code_DATA_LOSS = 15,       /* stored bytes are damaged */
    PJRT_Error_Code_UNAUTHENTICATED = 16, /* the caller is not known */
} PJRT_Error_Code;

/* Frees an error. It cannot fail, hence no result. */
typedef struct PJRT_Error_Destroy_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Error *error; /* moved; NULL is accepted (clients pass what Event_Error gave them) */
} PJRT_Error_Destroy_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Error_Destroy_Args, error);
typedef void PJRT_Error_Destroy(PJRT_Error_Destroy_Args *args);

/* Returns the text of an error: one sentence for the user, without the code's name. It cannot
 * fail. */
typedef struct PJRT_Error_Message_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    const PJRT_Error *error;
    const char *message; /* out, borrowed until the error is destroyed */
    size_t message_size; /* out, bytes without a NUL */
} PJRT_Error_Message_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Error_Message_Args, message_size);
typedef void PJRT_Error_Message(PJRT_Error_Message_Args *args);

/* Returns the kind of an error. */
typedef struct PJRT_Error_GetCode_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    const PJRT_Error *error;
    PJRT_Error_Code code; /* out; never PJRT_Error_Code_OK */
} PJRT_Error_GetCode_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Error_GetCode_Args, code);
typedef PJRT_Error *PJRT_Error_GetCode(PJRT_Error_GetCode_Args *args);

/* Called by PJRT_Error_ForEachPayload with one payload: a key (by custom, a URL naming the type of
 * the value) and bytes that may contain NUL. All pointers are borrowed for the call. */
typedef void (*PJRT_Error_PayloadVisitor)(const char *key, size_t key_size, const char *value,
                                          size_t value_size, void *user_arg);

/* The functions of an error that clients since 0.105 call in place of those of the table below,
 * which do the same. The error is not NULL. */
typedef struct PJRT_Error_FunctionTable {
    size_t struct_size;
    size_t instance_size; /* PJRT_Error_STRUCT_SIZE: what of the error clients may read */
    PJRT_Extension_Base *extension_start;
    void (*destroy)(PJRT_Error *error /*moved*/);
    /* *message is borrowed until the error is destroyed; *message_size is in bytes without a NUL */
    void (*message)(const PJRT_Error *error, const char **message, size_t *message_size);
    PJRT_Error_Code (*get_code)(const PJRT_Error *error);
    void (*for_each_payload)(const PJRT_Error *error, PJRT_Error_PayloadVisitor visitor,
                             void *user_arg);
} PJRT_Error_FunctionTable;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Error_FunctionTable, for_each_payload);

/* How every error begins. */
struct PJRT_Error {
    const PJRT_Error_FunctionTable *vtable; /* static, never NULL */
};
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Error, vtable);

/* Calls `visitor` on the caller's thread once for each payload of an error, in no particular order.
 * Clients call this on every error they receive, so it must succeed also when there is none, as
 * with every error that Gantry itself makes. */
typedef struct PJRT_Error_ForEachPayload_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    const PJRT_Error *error;
    PJRT_Error_PayloadVisitor visitor; /* not called after this function has returned */
    void *user_arg;                    /* passed on to the visitor as it is */
} PJRT_Error_ForEachPayload_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Error_ForEachPayload_Args, user_arg);
typedef PJRT_Error *PJRT_Error_ForEachPayload(PJRT_Error_ForEachPayload_Args *args);

/* Creates an error inside a callback that the client wrote: an error must be the plugin's own
 * object, so the plugin hands this maker to the callback. The message is copied; the result is
 * owned by the caller. Thread-safe. */
typedef PJRT_Error *(*PJRT_CallbackError)(PJRT_Error_Code code, const char *message,
                                          size_t message_size);

/* ---- Named values ---------------------------------------------------------------------------- */

/* How the interface passes what it does not define itself: who writes a list and who reads it agree
 * on names and types. The order does not matter; a name is at most once in a list. */

/* Which member of PJRT_NamedValue is set. */
typedef enum PJRT_NamedValue_Type {
    PJRT_NamedValue_kString = 0,    /* string_value, value_size bytes, perhaps without a NUL */
    PJRT_NamedValue_kInt64 = 1,     /* int64_value */
    PJRT_NamedValue_kInt64List = 2, /* int64_array_value, value_size numbers */
    PJRT_NamedValue_kFloat = 3,     /* float_value */
    PJRT_NamedValue_kBool = 4,      /* bool_value */
} PJRT_NamedValue_Type;

/* A name with a value: create options, attributes, cost figures. Arrays of it have this header's
 * stride, sizeof(PJRT_NamedValue), whatever struct_size says. Its pointers are valid as long as
 * the array is. */
typedef struct PJRT_NamedValue {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    const char *name;          /* UTF-8 */
    size_t name_size;          /* bytes without a NUL */
    PJRT_NamedValue_Type type; /* which member of the union is set */
    union {
        const char *string_value;
        int64_t int64_value;
        const int64_t *int64_array_value;
        float float_value;
        bool bool_value;
    };
    size_t value_size; /* bytes of a string, elements of a list, else 1 */
} PJRT_NamedValue;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_NamedValue, value_size);

/* ---- Plugin ---------------------------------------------------------------------------------- */

/* The library as such, before there is a client. */

/* Prepares the plugin; the first call a client makes after GetPjrtApi, before any other. Repeating
 * it does nothing. A plugin may not start threads, open files or print before it. Gantry does all
 * of that later still, with the first client. */
typedef struct PJRT_Plugin_Initialize_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
} PJRT_Plugin_Initialize_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Plugin_Initialize_Args, extension_start);
typedef PJRT_Error *PJRT_Plugin_Initialize(PJRT_Plugin_Initialize_Args *args);

/* Returns what clients need to know before there is a client. `stablehlo_current_version` (three
 * int64: major, minor, patch) bounds the version in which programs arrive; without it they arrive
 * in an old one. `xla_version` and `stablehlo_minimum_version` are reported as well. Must succeed:
 * clients end the process otherwise. */
typedef struct PJRT_Plugin_Attributes_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    const PJRT_NamedValue *attributes; /* out, static */
    size_t num_attributes;             /* out */
} PJRT_Plugin_Attributes_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Plugin_Attributes_Args, num_attributes);
typedef PJRT_Error *PJRT_Plugin_Attributes(PJRT_Plugin_Attributes_Args *args);

/* ---- Events ---------------------------------------------------------------------------------- */

/* An event becomes ready once and stays so. It is ready *with an error* when the work that it
 * tracks failed, or when something that work needed failed. Destroying an event neither cancels nor
 * waits for the work. */

/* Frees an event. Callbacks registered on it are still called. */
typedef struct PJRT_Event_Destroy_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Event *event; /* moved */
} PJRT_Event_Destroy_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Event_Destroy_Args, event);
typedef PJRT_Error *PJRT_Event_Destroy(PJRT_Event_Destroy_Args *args);

/* Tells, without waiting, whether the event is ready, well or with an error. */
typedef struct PJRT_Event_IsReady_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Event *event;
    bool is_ready; /* out */
} PJRT_Event_IsReady_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Event_IsReady_Args, is_ready);
typedef PJRT_Error *PJRT_Event_IsReady(PJRT_Event_IsReady_Args *args);

/* Returns the outcome of a ready event as the function's own result: NULL when all went well, else
 * an error, a fresh copy with every call. FAILED_PRECONDITION when the event is not ready yet. */
typedef struct PJRT_Event_Error_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Event *event;
} PJRT_Event_Error_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Event_Error_Args, event);
typedef PJRT_Error *PJRT_Event_Error(PJRT_Event_Error_Args *args);

/* Blocks the calling thread until the event is ready, then returns its outcome as PJRT_Event_Error
 * does. May be called from several threads at a time; never from a callback that runs on a thread
 * of the plugin, which could be the one that would make the event ready. */
typedef struct PJRT_Event_Await_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Event *event;
} PJRT_Event_Await_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Event_Await_Args, event);
typedef PJRT_Error *PJRT_Event_Await(PJRT_Event_Await_Args *args);

/* Told that an event is ready. The error (NULL: all went well) is moved to the callback, which
 * destroys it. Runs on any thread, the registering one included; must return soon and must not wait
 * for other events. */
typedef void (*PJRT_Event_OnReadyCallback)(PJRT_Error *error, void *user_arg);

/* Has `callback` called once, when the event becomes ready or, if it is ready already, before this
 * function returns. The event may be destroyed in between. */
typedef struct PJRT_Event_OnReady_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Event *event;
    /* called exactly once, unless this function returns an error */
    PJRT_Event_OnReadyCallback callback;
    void *user_arg; /* borrowed until the callback has run */
} PJRT_Event_OnReady_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Event_OnReady_Args, user_arg);
typedef PJRT_Error *PJRT_Event_OnReady(PJRT_Event_OnReady_Args *args);

/* Creates an event that is not ready; the caller makes it ready with PJRT_Event_Set. Destroying
 * it unset makes it ready with CANCELLED for whoever waits. */
typedef struct PJRT_Event_Create_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Event *event; /* out, owned */
} PJRT_Event_Create_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Event_Create_Args, event);
typedef PJRT_Error *PJRT_Event_Create(PJRT_Event_Create_Args *args);

/* Makes an event from PJRT_Event_Create ready. FAILED_PRECONDITION when it is ready already or was
 * made by the plugin. */
typedef struct PJRT_Event_Set_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Event *event;
    PJRT_Error_Code error_code; /* PJRT_Error_Code_OK: ready without an error */
    const char *error_message;  /* copied; may be NULL when the code is OK */
    size_t error_message_size;  /* bytes */
} PJRT_Event_Set_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Event_Set_Args, error_message_size);
typedef PJRT_Error *PJRT_Event_Set(PJRT_Event_Set_Args *args);

/* ---- Element types, shapes and layouts ------------------------------------------------------- */

/* Shapes are counted in elements, layouts in dimensions or bytes. Rank 0 is a scalar: one
 * element. A dimension of 0 is allowed and makes an array without elements, whose data pointer
 * may be NULL. */

/* The type of an array's elements. S, U, F, BF, C: signed, unsigned, float, bfloat, complex, with
 * the bits of an element; of a small float ExMy has x exponent and y fraction bits, FN: no
 * infinities, UZ: no negative zero, B: an own bias. Elements below a byte take one byte each in
 * host buffers. */
typedef enum PJRT_Buffer_Type {
    PJRT_Buffer_Type_INVALID = 0, /* no type: a struct left zeroed */
    PJRT_Buffer_Type_PRED = 1,    /* a truth value in one byte, 0 or 1 */
    PJRT_Buffer_Type_S8 = 2,
    PJRT_Buffer_Type_S16 = 3,
    PJRT_Buffer_Type_S32 = 4,
    PJRT_Buffer_Type_S64 = 5,
    PJRT_Buffer_Type_U8 = 6,
    PJRT_Buffer_Type_U16 = 7,
    PJRT_Buffer_Type_U32 = 8,
    PJRT_Buffer_Type_U64 = 9,
    PJRT_Buffer_Type_F16 = 10,  /* IEEE binary16 */
    PJRT_Buffer_Type_F32 = 11,  /* IEEE binary32 */
    PJRT_Buffer_Type_F64 = 12,  /* IEEE binary64 */
    PJRT_Buffer_Type_BF16 = 13, /* the upper half of an F32 */
    PJRT_Buffer_Type_C64 = 14,  /* two F32: real, imaginary */
    PJRT_Buffer_Type_C128 = 15, /* two F64: real, imaginary */
    PJRT_Buffer_Type_F8E5M2 = 16,
    PJRT_Buffer_Type_F8E4M3FN = 17,
    PJRT_Buffer_Type_F8E4M3B11FNUZ = 18,
    PJRT_Buffer_Type_F8E5M2FNUZ = 19,
    PJRT_Buffer_Type_F8E4M3FNUZ = 20,
    PJRT_Buffer_Type_S4 = 21,
    PJRT_Buffer_Type_U4 = 22,
    PJRT_Buffer_Type_TOKEN = 23, /* no data; orders side effects */
    PJRT_Buffer_Type_S2 = 24,
    PJRT_Buffer_Type_U2 = 25,
    PJRT_Buffer_Type_F8E4M3 = 26,
    PJRT_Buffer_Type_F8E3M4 = 27,
    PJRT_Buffer_Type_F8E8M0FNU = 28, /* a power of two: scale of a block of small floats */
    PJRT_Buffer_Type_F4E2M1FN = 29,
    PJRT_Buffer_Type_S1 = 30,
    PJRT_Buffer_Type_U1 = 31,
} PJRT_Buffer_Type;

/* What the plugin may assume of the host memory that PJRT_Client_BufferFromHostBuffer reads. */
typedef enum PJRT_HostBufferSemantics {
    /* valid and unchanged for the call only: the plugin copies before it returns */
    PJRT_HostBufferSemantics_kImmutableOnlyDuringCall = 0,
    /* valid and unchanged until done_with_host_buffer is ready */
    PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes = 1,
    /* as above, and the buffer may *be* that memory: then done_with_host_buffer is ready when the
     * buffer has died. Nobody writes to it meanwhile; donation copies */
    PJRT_HostBufferSemantics_kImmutableZeroCopy = 2,
    /* as above, and programs to which the buffer is donated may write to it */
    PJRT_HostBufferSemantics_kMutableZeroCopy = 3,
} PJRT_HostBufferSemantics;

/* Which member of PJRT_Buffer_MemoryLayout is set. */
typedef enum PJRT_Buffer_MemoryLayout_Type {
    PJRT_Buffer_MemoryLayout_Type_Tiled = 0,
    PJRT_Buffer_MemoryLayout_Type_Strides = 1,
} PJRT_Buffer_MemoryLayout_Type;

/* A dense layout as an order of dimensions, and tiles that repeat in it. Without tiles,
 * minor_to_major = {rank-1, ..., 1, 0} is the row-major layout of C. */
typedef struct PJRT_Buffer_MemoryLayout_Tiled {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    const int64_t *minor_to_major; /* dimension numbers, from the fastest-running one on */
    size_t minor_to_major_size;    /* the rank */
    const int64_t *tile_dims;      /* the dimensions of all tiles, one tile after the other */
    const size_t *tile_dim_sizes;  /* rank of each tile, num_tiles entries */
    size_t num_tiles;              /* 0: not tiled */
} PJRT_Buffer_MemoryLayout_Tiled;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Buffer_MemoryLayout_Tiled, num_tiles);

/* A layout as a byte distance per dimension. */
typedef struct PJRT_Buffer_MemoryLayout_Strides {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    /* bytes from one index to the next, by dimension; may be negative */
    const int64_t *byte_strides;
    size_t num_byte_strides; /* the rank */
} PJRT_Buffer_MemoryLayout_Strides;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Buffer_MemoryLayout_Strides, num_byte_strides);

/* How the elements of an array lie in memory. As an input it is borrowed for the call, with all
 * that it points to; a NULL pointer to one means the device's default layout: row-major without
 * tiles on Gantry's CPU device, tiled on its TPU model. */
typedef struct PJRT_Buffer_MemoryLayout {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    union {
        PJRT_Buffer_MemoryLayout_Tiled tiled;
        PJRT_Buffer_MemoryLayout_Strides strides;
    };
    PJRT_Buffer_MemoryLayout_Type type; /* which member of the union is set */
} PJRT_Buffer_MemoryLayout;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Buffer_MemoryLayout, type);

/* A shape. Arrays of it have this header's stride. */
typedef struct PJRT_ShapeSpec {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    const int64_t *dims;           /* elements per dimension; borrowed for the call */
    size_t num_dims;               /* the rank; 0 is a scalar, for which dims may be NULL */
    PJRT_Buffer_Type element_type; /* type of the elements */
} PJRT_ShapeSpec;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_ShapeSpec, element_type);

/* ---- Key-value store ------------------------------------------------------------------------- */

/* Processes that form one client find each other by a store which the *client* provides as three
 * callbacks, and the plugin calls. Keys and values are bytes. The store is shared by all processes
 * of the job, and keys live until it ends. The plugin may call the callbacks from any thread, until
 * the client is destroyed. */

/* Frees the value a Get gave. Called once by the plugin, from any thread. */
typedef void (*PJRT_KeyValueGetCallback_ValueDeleter)(char *value);

/* Arguments of PJRT_KeyValueGetCallback. The plugin fills the upper part, the callback the part
 * marked out. */
typedef struct PJRT_KeyValueGetCallback_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    const char *key;                    /* borrowed for the call */
    size_t key_size;                    /* bytes */
    int timeout_in_ms;                  /* milliseconds to wait for the key */
    PJRT_CallbackError *callback_error; /* makes the error that the callback returns */
    void *user_arg;                     /* PJRT_Client_Create_Args.kv_get_user_arg */
    char *value;                        /* out, deleter: value_deleter_callback */
    size_t value_size;                  /* out, bytes */
    /* out, static; called with `value` */
    PJRT_KeyValueGetCallback_ValueDeleter value_deleter_callback;
} PJRT_KeyValueGetCallback_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_KeyValueGetCallback_Args, value_deleter_callback);

/* Waits until a key is there and returns its value. DEADLINE_EXCEEDED (or NOT_FOUND) when the time
 * is over. */
typedef PJRT_Error *(*PJRT_KeyValueGetCallback)(PJRT_KeyValueGetCallback_Args *args);

/* Frees the value a TryGet gave. Called once by the plugin, from any thread. */
typedef void (*PJRT_KeyValueTryGetCallback_ValueDeleter)(char *value);

/* Arguments of PJRT_KeyValueTryGetCallback, as of Get but without a time limit. */
typedef struct PJRT_KeyValueTryGetCallback_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    const char *key;                    /* borrowed for the call */
    size_t key_size;                    /* bytes */
    PJRT_CallbackError *callback_error; /* makes the error that the callback returns */
    void *user_arg;                     /* PJRT_Client_Create_Args.kv_try_get_user_arg */
    char *value;                        /* out, deleter: value_deleter_callback */
    size_t value_size;                  /* out, bytes */
    /* out, static; called with `value` */
    PJRT_KeyValueTryGetCallback_ValueDeleter value_deleter_callback;
} PJRT_KeyValueTryGetCallback_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_KeyValueTryGetCallback_Args, value_deleter_callback);

/* Returns the value of a key without waiting; NOT_FOUND when there is none yet. */
typedef PJRT_Error *(*PJRT_KeyValueTryGetCallback)(PJRT_KeyValueTryGetCallback_Args *args);

/* Arguments of PJRT_KeyValuePutCallback. */
typedef struct PJRT_KeyValuePutCallback_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    const char *key;                    /* borrowed for the call */
    size_t key_size;                    /* bytes */
    const char *value;                  /* borrowed for the call */
    size_t value_size;                  /* bytes */
    PJRT_CallbackError *callback_error; /* makes the error that the callback returns */
    void *user_arg;                     /* PJRT_Client_Create_Args.kv_put_user_arg */
} PJRT_KeyValuePutCallback_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_KeyValuePutCallback_Args, user_arg);

/* Stores a value under a key. ALREADY_EXISTS where the store refuses to replace one. */
typedef PJRT_Error *(*PJRT_KeyValuePutCallback)(PJRT_KeyValuePutCallback_Args *args);

/* ---- Client ---------------------------------------------------------------------------------- */

/* A client owns its devices, memory spaces and topology: pointers to those are borrowed until the
 * client is destroyed, and compare equal for the same object. Arrays and strings a client hands out
 * stay where they are for its whole life. */

/* Starts the plugin's runtime and creates a client. A process may have several.
 *
 * Clients without a key-value store leave garbage in the kv_ fields, so they are read only when an
 * option asks for more than one process. Gantry ignores options that it does not know: frameworks
 * pass what other plugins want. INVALID_ARGUMENT for a wrong value of one that it does. */
typedef struct PJRT_Client_Create_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    const PJRT_NamedValue *create_options; /* borrowed for the call */
    size_t num_options;                    /* entries */
    /* static until the client is destroyed, as the other two */
    PJRT_KeyValueGetCallback kv_get_callback;
    void *kv_get_user_arg; /* borrowed until the client is destroyed, as the other two */
    PJRT_KeyValuePutCallback kv_put_callback;
    void *kv_put_user_arg;
    PJRT_Client *client;                             /* out, owned */
    PJRT_KeyValueTryGetCallback kv_try_get_callback; /* may be NULL */
    void *kv_try_get_user_arg;
} PJRT_Client_Create_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Client_Create_Args, kv_try_get_user_arg);
typedef PJRT_Error *PJRT_Client_Create(PJRT_Client_Create_Args *args);

/* Frees a client after its running programs have finished. Devices, memories and the client's
 * topology die with it. Buffers, executables and events that still exist keep what they need and
 * may be destroyed later, as garbage collectors do. No other call on the client may be under way.
 * Clients end the process when this fails. */
typedef struct PJRT_Client_Destroy_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Client *client; /* moved */
} PJRT_Client_Destroy_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Client_Destroy_Args, client);
typedef PJRT_Error *PJRT_Client_Destroy(PJRT_Client_Destroy_Args *args);

/* Returns the name of the platform, such as "cpu" or "tpu". JAX chooses its lowering rules,
 * donation and its compile cache by it. */
typedef struct PJRT_Client_PlatformName_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Client *client;
    const char *platform_name; /* out, borrowed until the client is destroyed */
    size_t platform_name_size; /* out */
} PJRT_Client_PlatformName_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Client_PlatformName_Args, platform_name_size);
typedef PJRT_Error *PJRT_Client_PlatformName(PJRT_Client_PlatformName_Args *args);

/* Returns the number of this process among those that form the client, from 0 on; 0 when there is
 * one. */
typedef struct PJRT_Client_ProcessIndex_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Client *client;
    int process_index; /* out */
} PJRT_Client_ProcessIndex_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Client_ProcessIndex_Args, process_index);
typedef PJRT_Error *PJRT_Client_ProcessIndex(PJRT_Client_ProcessIndex_Args *args);

/* Returns a text for people: the plugin's version and those of what it is built on. Its format is
 * not specified. */
typedef struct PJRT_Client_PlatformVersion_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Client *client;
    const char *platform_version; /* out, borrowed until the client is destroyed */
    size_t platform_version_size; /* out */
} PJRT_Client_PlatformVersion_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Client_PlatformVersion_Args, platform_version_size);
typedef PJRT_Error *PJRT_Client_PlatformVersion(PJRT_Client_PlatformVersion_Args *args);

/* Returns the topology the client runs on, addressable here or not. */
typedef struct PJRT_Client_TopologyDescription_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Client *client;
    /* out, borrowed until the client is destroyed; not for Topology_Destroy */
    PJRT_TopologyDescription *topology;
} PJRT_Client_TopologyDescription_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Client_TopologyDescription_Args, topology);
typedef PJRT_Error *PJRT_Client_TopologyDescription(PJRT_Client_TopologyDescription_Args *args);

/* Returns all devices, those of other processes included, in ascending order of their ids. */
typedef struct PJRT_Client_Devices_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Client *client;
    PJRT_Device *const *devices; /* out, borrowed until the client is destroyed */
    size_t num_devices;          /* out */
} PJRT_Client_Devices_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Client_Devices_Args, num_devices);
typedef PJRT_Error *PJRT_Client_Devices(PJRT_Client_Devices_Args *args);

/* Returns the devices this process can issue commands to; a subset of PJRT_Client_Devices in the
 * same order. */
typedef struct PJRT_Client_AddressableDevices_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Client *client;
    PJRT_Device *const *addressable_devices; /* out, borrowed until the client is destroyed */
    size_t num_addressable_devices;          /* out */
} PJRT_Client_AddressableDevices_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Client_AddressableDevices_Args, num_addressable_devices);
typedef PJRT_Error *PJRT_Client_AddressableDevices(PJRT_Client_AddressableDevices_Args *args);

/* Finds a device by its global id (PJRT_DeviceDescription_Id). INVALID_ARGUMENT when there is
 * none. */
typedef struct PJRT_Client_LookupDevice_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Client *client;
    int id;              /* PJRT_DeviceDescription_Id */
    PJRT_Device *device; /* out, borrowed until the client is destroyed */
} PJRT_Client_LookupDevice_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Client_LookupDevice_Args, device);
typedef PJRT_Error *PJRT_Client_LookupDevice(PJRT_Client_LookupDevice_Args *args);

/* Finds a device of this process by its hardware number (PJRT_Device_LocalHardwareId).
 * INVALID_ARGUMENT when there is none. */
typedef struct PJRT_Client_LookupAddressableDevice_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Client *client;
    int local_hardware_id;           /* PJRT_Device_LocalHardwareId */
    PJRT_Device *addressable_device; /* out, borrowed until the client is destroyed */
} PJRT_Client_LookupAddressableDevice_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Client_LookupAddressableDevice_Args, addressable_device);
typedef PJRT_Error *
PJRT_Client_LookupAddressableDevice(PJRT_Client_LookupAddressableDevice_Args *args);

/* Returns all memory spaces that some addressable device can use. */
typedef struct PJRT_Client_AddressableMemories_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Client *client;
    PJRT_Memory *const *addressable_memories; /* out, borrowed until the client is destroyed */
    size_t num_addressable_memories;          /* out */
} PJRT_Client_AddressableMemories_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Client_AddressableMemories_Args, num_addressable_memories);
typedef PJRT_Error *PJRT_Client_AddressableMemories(PJRT_Client_AddressableMemories_Args *args);

/* How a process of a distributed job is doing. */
typedef enum PJRT_ProcessState {
    PJRT_ProcessState_kUnspecified = 0,   /* not known */
    PJRT_ProcessState_kUninitialized = 1, /* has not joined yet */
    PJRT_ProcessState_kDisconnected = 2,  /* joined once, and left or was lost */
    PJRT_ProcessState_kConnected = 3,     /* takes part */
    PJRT_ProcessState_kError = 4,         /* takes part no more, see error_code */
} PJRT_ProcessState;

/* What the job knows about one process. Arrays of it have this header's stride. */
typedef struct PJRT_ProcessInfo {
    size_t struct_size;
    int task_id;               /* the process's number in the job */
    uint64_t incarnation_id;   /* changes when the process is started again */
    PJRT_ProcessState state;   /* as it is now */
    int error_code;            /* a PJRT_Error_Code; meaningful in state kError */
    const char *error_message; /* borrowed for the call */
    size_t error_message_size; /* bytes */
} PJRT_ProcessInfo;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_ProcessInfo, error_message_size);

/* Tells the client how the processes of the job are doing, so that it can fail collectives with a
 * lost partner instead of waiting for it. A list replaces the one before. */
typedef struct PJRT_Client_UpdateGlobalProcessInfo_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Client *client;
    PJRT_ProcessInfo *process_infos; /* borrowed for the call */
    size_t num_process_infos;        /* entries */
} PJRT_Client_UpdateGlobalProcessInfo_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Client_UpdateGlobalProcessInfo_Args, num_process_infos);
typedef PJRT_Error *
PJRT_Client_UpdateGlobalProcessInfo(PJRT_Client_UpdateGlobalProcessInfo_Args *args);

/* Returns the devices on which a program of num_replicas × num_partitions would run if its options
 * say nothing. INVALID_ARGUMENT when there are fewer devices than that, or the array is too
 * small. */
typedef struct PJRT_Client_DefaultDeviceAssignment_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Client *client;
    int num_replicas;   /* at least 1 */
    int num_partitions; /* at least 1 */
    /* ints that fit in the array, at least num_replicas * num_partitions */
    size_t default_assignment_size;
    /* out, the caller's array: device ids, [replica][partition], row-major */
    int *default_assignment;
} PJRT_Client_DefaultDeviceAssignment_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Client_DefaultDeviceAssignment_Args, default_assignment);
typedef PJRT_Error *
PJRT_Client_DefaultDeviceAssignment(PJRT_Client_DefaultDeviceAssignment_Args *args);

/* ---- Compiling and loading ------------------------------------------------------------------- */

/* Compiling turns a program into machine code for a kind of device; loading puts that code on the
 * devices of a client. PJRT_Client_Compile does both; PJRT_Compile (with the topology, below) and
 * PJRT_Client_Load do one each, so that a program can be compiled where the devices are not. */

/* A program, in or out.
 *
 * Formats: "mlir" (StableHLO or VHLO, as MLIR bytecode or text, distinguished by the first bytes),
 * "hlo" (serialized HloModuleProto) and "hlo_with_config" (serialized HloModuleProtoWithConfig;
 * only given out, by PJRT_Executable_OptimizedProgram). */
typedef struct PJRT_Program {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    char *code;         /* bytes, may contain NUL; borrowed for the call */
    size_t code_size;   /* bytes */
    const char *format; /* not NUL-terminated */
    size_t format_size; /* bytes */
} PJRT_Program;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Program, format_size);

/* Compiles a program and loads it on the devices its options name. May take seconds; safe to call
 * on several threads at a time. The arguments' extension list may carry a profiler context
 * (PJRT_Profiler_Extension).
 *
 * INVALID_ARGUMENT with a location in the program when it is malformed; UNIMPLEMENTED with the
 * operation's name and source location when it is not supported; RESOURCE_EXHAUSTED when it can
 * never fit the device's memory. */
typedef struct PJRT_Client_Compile_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Client *client;
    const PJRT_Program *program; /* borrowed for the call */
    /* serialized xla.CompileOptionsProto; borrowed for the call */
    const char *compile_options;
    size_t compile_options_size;       /* bytes */
    PJRT_LoadedExecutable *executable; /* out, owned */
} PJRT_Client_Compile_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Client_Compile_Args, executable);
typedef PJRT_Error *PJRT_Client_Compile(PJRT_Client_Compile_Args *args);

/* Loads an executable made by PJRT_Compile on this client's devices. INVALID_ARGUMENT when it was
 * compiled for another topology. */
typedef struct PJRT_Client_Load_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Client *client;
    PJRT_Executable *executable;              /* borrowed for the call; stays usable */
    const char *compile_options;              /* serialized xla.CompileOptionsProto; may be empty */
    size_t compile_options_size;              /* bytes */
    PJRT_LoadedExecutable *loaded_executable; /* out, owned */
} PJRT_Client_Load_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Client_Load_Args, loaded_executable);
typedef PJRT_Error *PJRT_Client_Load(PJRT_Client_Load_Args *args);

/* ---- Making buffers -------------------------------------------------------------------------- */

/* All of these return a buffer at once, usually before its bytes are there. Work that reads the
 * buffer waits by itself; the host waits by PJRT_Buffer_ReadyEvent. Where both `device` and
 * `memory` can be given, `memory` wins, and `device` alone means its default memory;
 * INVALID_ARGUMENT when both are NULL or the place is not addressable. RESOURCE_EXHAUSTED when the
 * memory space is full. */

/* Creates a buffer from an array in host memory. Host elements below a byte come one per byte, the
 * value in the low bits.
 *
 * host_buffer_semantics says how long `data` must stay valid and unchanged. */
typedef struct PJRT_Client_BufferFromHostBuffer_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Client *client;
    /* element [0, ..., 0]; with negative strides not the lowest address */
    const void *data;
    PJRT_Buffer_Type type; /* type of the elements */
    const int64_t *dims;   /* elements per dimension; borrowed for the call */
    size_t num_dims;       /* the rank; 0: a scalar */
    /* byte distances by dimension, or NULL: dense row-major */
    const int64_t *byte_strides;
    size_t num_byte_strides;                        /* num_dims, or 0 with NULL */
    PJRT_HostBufferSemantics host_buffer_semantics; /* how long `data` stays as it is */
    PJRT_Device *device;                            /* may be NULL */
    PJRT_Memory *memory;                            /* may be NULL */
    PJRT_Buffer_MemoryLayout *device_layout;        /* layout on the device; NULL: default */
    /* out, owned: ready when `data` is not needed any more */
    PJRT_Event *done_with_host_buffer;
    PJRT_Buffer *buffer; /* out, owned */
} PJRT_Client_BufferFromHostBuffer_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Client_BufferFromHostBuffer_Args, buffer);
typedef PJRT_Error *PJRT_Client_BufferFromHostBuffer(PJRT_Client_BufferFromHostBuffer_Args *args);

/* Creates a buffer with undefined contents. It is ready at once. */
typedef struct PJRT_Client_CreateUninitializedBuffer_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Client *client;
    const int64_t *shape_dims;              /* elements per dimension; borrowed for the call */
    size_t shape_num_dims;                  /* the rank; 0: a scalar */
    PJRT_Buffer_Type shape_element_type;    /* type of the elements */
    PJRT_Buffer_MemoryLayout *shape_layout; /* NULL: default */
    PJRT_Device *device;                    /* may be NULL */
    PJRT_Memory *memory;                    /* may be NULL */
    PJRT_Buffer *buffer;                    /* out, owned */
} PJRT_Client_CreateUninitializedBuffer_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Client_CreateUninitializedBuffer_Args, buffer);
typedef PJRT_Error *
PJRT_Client_CreateUninitializedBuffer(PJRT_Client_CreateUninitializedBuffer_Args *args);

/* Creates a buffer that has a shape, but is an error: its ready event, and everything computed from
 * it, has that error. It takes no device memory. */
typedef struct PJRT_Client_CreateErrorBuffer_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Client *client;
    PJRT_Error_Code error_code;             /* not PJRT_Error_Code_OK */
    const char *error_message;              /* copied */
    size_t error_message_size;              /* bytes */
    const int64_t *shape_dims;              /* elements per dimension; borrowed for the call */
    size_t shape_num_dims;                  /* the rank; 0: a scalar */
    PJRT_Buffer_Type shape_element_type;    /* type of the elements */
    PJRT_Buffer_MemoryLayout *shape_layout; /* NULL: default */
    PJRT_Memory *memory;                    /* where the buffer pretends to be */
    PJRT_Buffer *buffer;                    /* out, owned */
    const PJRT_NamedValue *payload;         /* copied; the error's payloads as string values */
    size_t num_payload;                     /* entries */
} PJRT_Client_CreateErrorBuffer_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Client_CreateErrorBuffer_Args, num_payload);
typedef PJRT_Error *PJRT_Client_CreateErrorBuffer(PJRT_Client_CreateErrorBuffer_Args *args);

/* Creates a placeholder for a buffer that does not exist yet. Work on it waits until
 * PJRT_Client_FulfillAliasBuffer names the real one. */
typedef struct PJRT_Client_CreateAliasBuffer_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Client *client;
    PJRT_Memory *memory;                    /* where the buffer to come will be */
    const int64_t *shape_dims;              /* elements per dimension; borrowed for the call */
    size_t shape_num_dims;                  /* the rank; 0: a scalar */
    PJRT_Buffer_Type shape_element_type;    /* type of the elements */
    PJRT_Buffer_MemoryLayout *shape_layout; /* NULL: default */
    PJRT_Buffer *alias_buffer;              /* out, owned */
    /* out, owned; moved into PJRT_Client_FulfillAliasBuffer */
    PJRT_FulfillAliasBufferCallback *fulfill_alias_buffer_cb;
} PJRT_Client_CreateAliasBuffer_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Client_CreateAliasBuffer_Args, fulfill_alias_buffer_cb);
typedef PJRT_Error *PJRT_Client_CreateAliasBuffer(PJRT_Client_CreateAliasBuffer_Args *args);

/* Keeps the promise of an alias buffer: by a buffer, whose elements it then has, or by an error.
 * INVALID_ARGUMENT when the shapes differ; the promise then stays open. */
typedef struct PJRT_Client_FulfillAliasBuffer_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Client *client;
    /* borrowed for the call; NULL when status_code is an error */
    PJRT_Buffer *buffer;
    PJRT_Error_Code status_code; /* PJRT_Error_Code_OK: by `buffer` */
    /* copied; used when status_code is an error */
    const char *error_message;
    size_t error_message_size;                                /* bytes */
    PJRT_FulfillAliasBufferCallback *fulfill_alias_buffer_cb; /* moved when the call succeeds */
} PJRT_Client_FulfillAliasBuffer_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Client_FulfillAliasBuffer_Args, fulfill_alias_buffer_cb);
typedef PJRT_Error *PJRT_Client_FulfillAliasBuffer(PJRT_Client_FulfillAliasBuffer_Args *args);

/* Creates a buffer of memory that another owns and that a device can address; for host memory
 * spaces, plain host memory. The memory must stay valid until on_delete_callback is called; the
 * buffer is never donated. It is ready at once, and the caller sees to it that the bytes are. */
typedef struct PJRT_Client_CreateViewOfDeviceBuffer_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Client *client;
    /* borrowed until on_delete_callback; must be aligned as the platform asks (Gantry: 64 bytes,
     * else INVALID_ARGUMENT) */
    void *device_buffer_ptr;
    const int64_t *dims;              /* elements per dimension; borrowed for the call */
    size_t num_dims;                  /* the rank; 0: a scalar */
    PJRT_Buffer_Type element_type;    /* type of the elements */
    PJRT_Buffer_MemoryLayout *layout; /* NULL: default */
    PJRT_Device *device;              /* may be NULL when memory is given */
    /* called once, from any thread, with device_buffer_ptr and the next field; may be NULL */
    void (*on_delete_callback)(void *device_buffer_ptr, void *user_arg);
    void *on_delete_callback_arg; /* passed on to the callback */
    /* where the bytes are being made, on platforms with streams; else 0 */
    intptr_t stream;
    PJRT_Buffer *buffer; /* out, owned */
    PJRT_Memory *memory; /* may be NULL */
} PJRT_Client_CreateViewOfDeviceBuffer_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Client_CreateViewOfDeviceBuffer_Args, memory);
typedef PJRT_Error *
PJRT_Client_CreateViewOfDeviceBuffer(PJRT_Client_CreateViewOfDeviceBuffer_Args *args);

/* ---- Filling buffers piece by piece ---------------------------------------------------------- */

/* A transfer manager holds buffers of one memory space that the host fills by offsets, as when
 * weights are read from a file. A buffer becomes ready when the transfer marked as its last one,
 * and all those before it, are done. Calls for different buffers of a manager may run at the same
 * time; for one buffer, the caller orders them. A buffer index that does not exist is
 * INVALID_ARGUMENT. */

/* Creates the buffers, and the manager that fills them. */
typedef struct PJRT_Client_CreateBuffersForAsyncHostToDevice_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Client *client;
    PJRT_ShapeSpec *shape_specs; /* borrowed for the call */
    size_t num_shape_specs;      /* entries */
    /* one per shape, each may be NULL: default; or NULL */
    PJRT_Buffer_MemoryLayout **device_layouts;
    size_t num_device_layouts;                               /* num_shape_specs, or 0 */
    PJRT_Memory *memory;                                     /* where the buffers are; not NULL */
    PJRT_AsyncHostToDeviceTransferManager *transfer_manager; /* out, owned */
} PJRT_Client_CreateBuffersForAsyncHostToDevice_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Client_CreateBuffersForAsyncHostToDevice_Args, transfer_manager);
typedef PJRT_Error *PJRT_Client_CreateBuffersForAsyncHostToDevice(
    PJRT_Client_CreateBuffersForAsyncHostToDevice_Args *args);

/* Frees a manager. Transfers under way are finished; retrieved buffers that lack their last
 * transfer become errors (CANCELLED). */
typedef struct PJRT_AsyncHostToDeviceTransferManager_Destroy_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_AsyncHostToDeviceTransferManager *transfer_manager; /* moved */
} PJRT_AsyncHostToDeviceTransferManager_Destroy_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_AsyncHostToDeviceTransferManager_Destroy_Args, transfer_manager);
typedef PJRT_Error *PJRT_AsyncHostToDeviceTransferManager_Destroy(
    PJRT_AsyncHostToDeviceTransferManager_Destroy_Args *args);

/* Copies bytes, in the layout of the device, into a buffer. INVALID_ARGUMENT when they would leave
 * it; FAILED_PRECONDITION after the last transfer. */
typedef struct PJRT_AsyncHostToDeviceTransferManager_TransferData_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_AsyncHostToDeviceTransferManager *transfer_manager;
    int buffer_index;                   /* from 0 on, in the order of the shapes */
    const void *data;                   /* borrowed until done_with_h2d_transfer is ready */
    int64_t offset;                     /* bytes from the start of the buffer */
    int64_t transfer_size;              /* bytes */
    bool is_last_transfer;              /* nothing follows for this buffer */
    PJRT_Event *done_with_h2d_transfer; /* out, owned: ready when `data` is not needed any more */
} PJRT_AsyncHostToDeviceTransferManager_TransferData_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_AsyncHostToDeviceTransferManager_TransferData_Args,
                          done_with_h2d_transfer);
typedef PJRT_Error *PJRT_AsyncHostToDeviceTransferManager_TransferData(
    PJRT_AsyncHostToDeviceTransferManager_TransferData_Args *args);

/* Returns one of the buffers, ready or not. Once per index, FAILED_PRECONDITION afterwards. */
typedef struct PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_AsyncHostToDeviceTransferManager *transfer_manager;
    int buffer_index;        /* from 0 on, in the order of the shapes */
    PJRT_Buffer *buffer_out; /* out, owned */
} PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args, buffer_out);
typedef PJRT_Error *PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer(
    PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args *args);

/* Returns the device whose memory the buffers are in. */
typedef struct PJRT_AsyncHostToDeviceTransferManager_Device_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_AsyncHostToDeviceTransferManager *transfer_manager;
    PJRT_Device *device_out; /* out, borrowed until the client is destroyed */
} PJRT_AsyncHostToDeviceTransferManager_Device_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_AsyncHostToDeviceTransferManager_Device_Args, device_out);
typedef PJRT_Error *PJRT_AsyncHostToDeviceTransferManager_Device(
    PJRT_AsyncHostToDeviceTransferManager_Device_Args *args);

/* Returns the number of buffers, retrieved or not. */
typedef struct PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_AsyncHostToDeviceTransferManager *transfer_manager;
    size_t buffer_count; /* out */
} PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args, buffer_count);
typedef PJRT_Error *PJRT_AsyncHostToDeviceTransferManager_BufferCount(
    PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args *args);

/* Returns the bytes a buffer takes on the device, padding included. */
typedef struct PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_AsyncHostToDeviceTransferManager *transfer_manager;
    int buffer_index;   /* from 0 on, in the order of the shapes */
    size_t buffer_size; /* out, bytes */
} PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args, buffer_size);
typedef PJRT_Error *PJRT_AsyncHostToDeviceTransferManager_BufferSize(
    PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args *args);

/* Makes a buffer an error, as when reading its bytes failed. It needs no more transfers then. */
typedef struct PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_AsyncHostToDeviceTransferManager *transfer_manager;
    int buffer_index;           /* from 0 on, in the order of the shapes */
    PJRT_Error_Code error_code; /* not PJRT_Error_Code_OK */
    const char *error_message;  /* copied */
    size_t error_message_size;  /* bytes */
} PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args,
                          error_message_size);
typedef PJRT_Error *PJRT_AsyncHostToDeviceTransferManager_SetBufferError(
    PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args *args);

/* Attaches facts to the transfers that follow, for tracing. */
typedef struct PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_AsyncHostToDeviceTransferManager *transfer_manager;
    const PJRT_NamedValue *transfer_metadata; /* copied */
    size_t num_metadata;                      /* entries */
} PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args, num_metadata);
typedef PJRT_Error *PJRT_AsyncHostToDeviceTransferManager_AddMetadata(
    PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args *args);

/* Fills a whole buffer from an array in host memory, bringing it into the device's layout; both
 * the first and the last transfer of that buffer. INVALID_ARGUMENT when the shape is not the
 * buffer's. */
typedef struct PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_AsyncHostToDeviceTransferManager *transfer_manager;
    int buffer_index;                       /* from 0 on, in the order of the shapes */
    const void *data;                       /* borrowed until done_with_h2d_transfer is ready */
    const int64_t *shape_dims;              /* borrowed for the call */
    size_t shape_num_dims;                  /* the rank; 0: a scalar */
    PJRT_Buffer_Type shape_element_type;    /* type of the elements */
    PJRT_Buffer_MemoryLayout *shape_layout; /* layout of `data`; NULL: dense row-major */
    /* out, owned: ready when `data` is not needed any more */
    PJRT_Event *done_with_h2d_transfer;
} PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args,
                          done_with_h2d_transfer);
typedef PJRT_Error *PJRT_AsyncHostToDeviceTransferManager_TransferLiteral(
    PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args *args);

/* ---- Direct memory access -------------------------------------------------------------------- */

/* Transfers are fastest to and from host memory that the device can reach by itself. A client that
 * owns such a range, as for a ring of staging buffers, says so once. */

/* Registers host memory with the devices, so that transfers to and from it need no copy in between.
 * The range must stay mapped in the process until it is unmapped here. ALREADY_EXISTS when it
 * overlaps a mapped one. */
typedef struct PJRT_Client_DmaMap_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Client *client;
    void *data;  /* borrowed until PJRT_Client_DmaUnmap */
    size_t size; /* bytes */
} PJRT_Client_DmaMap_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Client_DmaMap_Args, size);
typedef PJRT_Error *PJRT_Client_DmaMap(PJRT_Client_DmaMap_Args *args);

/* Takes back PJRT_Client_DmaMap, after transfers that use the range are done. NOT_FOUND when no
 * mapped range starts there. */
typedef struct PJRT_Client_DmaUnmap_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Client *client;
    void *data; /* the address that was mapped */
} PJRT_Client_DmaUnmap_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Client_DmaUnmap_Args, data);
typedef PJRT_Error *PJRT_Client_DmaUnmap(PJRT_Client_DmaUnmap_Args *args);

/* ---- Device description ---------------------------------------------------------------------- */

/* What is known of a device without a client: it may be a device of another process, or of a
 * topology that is nowhere near. Descriptions live as long as the topology or client that gave
 * them, and so do their strings and arrays. */

/* Returns the device's id: unique among all devices of its client or topology, on all processes,
 * and the same in each. */
typedef struct PJRT_DeviceDescription_Id_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_DeviceDescription *device_description;
    int id; /* out */
} PJRT_DeviceDescription_Id_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_DeviceDescription_Id_Args, id);
typedef PJRT_Error *PJRT_DeviceDescription_Id(PJRT_DeviceDescription_Id_Args *args);

/* Returns the number of the process that can address the device. */
typedef struct PJRT_DeviceDescription_ProcessIndex_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_DeviceDescription *device_description;
    int process_index; /* out */
} PJRT_DeviceDescription_ProcessIndex_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_DeviceDescription_ProcessIndex_Args, process_index);
typedef PJRT_Error *
PJRT_DeviceDescription_ProcessIndex(PJRT_DeviceDescription_ProcessIndex_Args *args);

/* Returns facts that depend on the platform: on TPUs `coords` (three int64: x, y, z),
 * `core_on_chip`, `num_cores`, `slice_index`. */
typedef struct PJRT_DeviceDescription_Attributes_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_DeviceDescription *device_description;
    size_t num_attributes;             /* out */
    const PJRT_NamedValue *attributes; /* out, borrowed until the description dies */
} PJRT_DeviceDescription_Attributes_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_DeviceDescription_Attributes_Args, attributes);
typedef PJRT_Error *PJRT_DeviceDescription_Attributes(PJRT_DeviceDescription_Attributes_Args *args);

/* Returns the name of the hardware, equal for equal devices: "cpu", "TPU v5 lite". */
typedef struct PJRT_DeviceDescription_Kind_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_DeviceDescription *device_description;
    const char *device_kind; /* out, borrowed until the description dies */
    size_t device_kind_size; /* out */
} PJRT_DeviceDescription_Kind_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_DeviceDescription_Kind_Args, device_kind_size);
typedef PJRT_Error *PJRT_DeviceDescription_Kind(PJRT_DeviceDescription_Kind_Args *args);

/* Returns a text for developers, with all there is to know. */
typedef struct PJRT_DeviceDescription_DebugString_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_DeviceDescription *device_description;
    const char *debug_string; /* out, borrowed until the description dies */
    size_t debug_string_size; /* out */
} PJRT_DeviceDescription_DebugString_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_DeviceDescription_DebugString_Args, debug_string_size);
typedef PJRT_Error *
PJRT_DeviceDescription_DebugString(PJRT_DeviceDescription_DebugString_Args *args);

/* Returns a short text for users. */
typedef struct PJRT_DeviceDescription_ToString_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_DeviceDescription *device_description;
    const char *to_string; /* out, borrowed until the description dies */
    size_t to_string_size; /* out */
} PJRT_DeviceDescription_ToString_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_DeviceDescription_ToString_Args, to_string_size);
typedef PJRT_Error *PJRT_DeviceDescription_ToString(PJRT_DeviceDescription_ToString_Args *args);

/* ---- Device ---------------------------------------------------------------------------------- */

/* A device of a client. Devices live as long as their client, and so do their strings and arrays;
 * those of other processes can be described, not used: where a device must be addressable,
 * INVALID_ARGUMENT says that it is not. */

/* Returns the description of a device. */
typedef struct PJRT_Device_GetDescription_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Device *device;
    PJRT_DeviceDescription *device_description; /* out, borrowed until the client is destroyed */
} PJRT_Device_GetDescription_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Device_GetDescription_Args, device_description);
typedef PJRT_Error *PJRT_Device_GetDescription(PJRT_Device_GetDescription_Args *args);

/* Tells whether this process can issue commands to the device. */
typedef struct PJRT_Device_IsAddressable_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Device *device;
    bool is_addressable; /* out */
} PJRT_Device_IsAddressable_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Device_IsAddressable_Args, is_addressable);
typedef PJRT_Error *PJRT_Device_IsAddressable(PJRT_Device_IsAddressable_Args *args);

/* Returns the number of the device on its machine, which may differ from its id; -1 when it is not
 * addressable. */
typedef struct PJRT_Device_LocalHardwareId_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Device *device;
    int local_hardware_id; /* out */
} PJRT_Device_LocalHardwareId_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Device_LocalHardwareId_Args, local_hardware_id);
typedef PJRT_Error *PJRT_Device_LocalHardwareId(PJRT_Device_LocalHardwareId_Args *args);

/* Returns the memory spaces that the device can use. The order means nothing. */
typedef struct PJRT_Device_AddressableMemories_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Device *device;
    PJRT_Memory *const *memories; /* out, borrowed until the client is destroyed */
    size_t num_memories;          /* out */
} PJRT_Device_AddressableMemories_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Device_AddressableMemories_Args, num_memories);
typedef PJRT_Error *PJRT_Device_AddressableMemories(PJRT_Device_AddressableMemories_Args *args);

/* Returns the memory space where buffers go when none is named. */
typedef struct PJRT_Device_DefaultMemory_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Device *device;
    PJRT_Memory *memory; /* out, borrowed until the client is destroyed */
} PJRT_Device_DefaultMemory_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Device_DefaultMemory_Args, memory);
typedef PJRT_Error *PJRT_Device_DefaultMemory(PJRT_Device_DefaultMemory_Args *args);

/* Counts the device's default memory as it is at this moment. The caller initialises no output: the
 * plugin writes each `_is_set`, and each figure that is set. Figures are bytes unless said
 * otherwise. UNIMPLEMENTED is tolerated by clients; INVALID_ARGUMENT when the device is not
 * addressable. */
typedef struct PJRT_Device_MemoryStats_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Device *device;
    int64_t bytes_in_use;                 /* out; always set */
    int64_t peak_bytes_in_use;            /* out: the most that bytes_in_use ever was */
    bool peak_bytes_in_use_is_set;        /* out */
    int64_t num_allocs;                   /* out, a count: allocations so far */
    bool num_allocs_is_set;               /* out */
    int64_t largest_alloc_size;           /* out: the largest single allocation so far */
    bool largest_alloc_size_is_set;       /* out */
    int64_t bytes_limit;                  /* out: what programs and buffers together may take */
    bool bytes_limit_is_set;              /* out */
    int64_t bytes_reserved;               /* out: held back by the allocator for the runtime */
    bool bytes_reserved_is_set;           /* out */
    int64_t peak_bytes_reserved;          /* out */
    bool peak_bytes_reserved_is_set;      /* out */
    int64_t bytes_reservable_limit;       /* out: the most that can be held back */
    bool bytes_reservable_limit_is_set;   /* out */
    int64_t largest_free_block_bytes;     /* out: the largest allocation that would succeed now */
    bool largest_free_block_bytes_is_set; /* out */
    int64_t pool_bytes;                   /* out: taken from the system, in use or cached */
    bool pool_bytes_is_set;               /* out */
    int64_t peak_pool_bytes;              /* out */
    bool peak_pool_bytes_is_set;          /* out */
    int64_t peak_allocated_bytes;         /* out: the most that was allocated at a time */
    bool peak_allocated_bytes_is_set;     /* out */
} PJRT_Device_MemoryStats_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Device_MemoryStats_Args, peak_allocated_bytes_is_set);
typedef PJRT_Error *PJRT_Device_MemoryStats(PJRT_Device_MemoryStats_Args *args);

/* Begins the device's statistics anew: the peak becomes what is in use, counts and the largest
 * allocation become 0. Figures that devices share are unchanged. For measuring one part of a
 * program. */
typedef struct PJRT_Device_ClearMemoryStats_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Device *device;
} PJRT_Device_ClearMemoryStats_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Device_ClearMemoryStats_Args, device);
typedef PJRT_Error *PJRT_Device_ClearMemoryStats(PJRT_Device_ClearMemoryStats_Args *args);

/* Makes the earliest unfinished execution of that launch on the device fail: its outputs become
 * errors. For clients that learn that another part of the same launch has failed. */
typedef struct PJRT_Device_PoisonExecution_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Device *device;
    int32_t launch_id;              /* PJRT_ExecuteOptions.launch_id of the execution */
    PJRT_Error_Code error_code;     /* not PJRT_Error_Code_OK */
    const char *error_message;      /* copied */
    size_t error_message_size;      /* bytes */
    bool poisoned;                  /* out: there was such an execution */
    const PJRT_NamedValue *payload; /* copied; the error's payloads as string values */
    size_t num_payload;             /* entries */
} PJRT_Device_PoisonExecution_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Device_PoisonExecution_Args, num_payload);
typedef PJRT_Error *PJRT_Device_PoisonExecution(PJRT_Device_PoisonExecution_Args *args);

/* Returns facts about a device, those of its description and such as may change while it runs.
 * Clients that know this function do not look into the description any more. */
typedef struct PJRT_Device_GetAttributes_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Device *device;
    /* out, borrowed until device_attributes is deleted */
    const PJRT_NamedValue *attributes;
    size_t num_attributes;                     /* out */
    PJRT_Device_Attributes *device_attributes; /* out, deleter: attributes_deleter */
    /* out, static; called once with device_attributes */
    void (*attributes_deleter)(PJRT_Device_Attributes *attributes);
} PJRT_Device_GetAttributes_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Device_GetAttributes_Args, attributes_deleter);
typedef PJRT_Error *PJRT_Device_GetAttributes(PJRT_Device_GetAttributes_Args *args);

/* Notes that something is under way on the device, for tools that look at what a device waits for.
 * It lasts until PJRT_AsyncTrackingEvent_Destroy. */
typedef struct PJRT_Device_CreateAsyncTrackingEvent_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Device *device;
    const char *description;        /* copied */
    size_t description_size;        /* bytes */
    PJRT_AsyncTrackingEvent *event; /* out, owned */
} PJRT_Device_CreateAsyncTrackingEvent_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Device_CreateAsyncTrackingEvent_Args, event);
typedef PJRT_Error *
PJRT_Device_CreateAsyncTrackingEvent(PJRT_Device_CreateAsyncTrackingEvent_Args *args);

/* Notes that what PJRT_Device_CreateAsyncTrackingEvent announced is over. Any thread. */
typedef struct PJRT_AsyncTrackingEvent_Destroy_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_AsyncTrackingEvent *event; /* moved */
} PJRT_AsyncTrackingEvent_Destroy_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_AsyncTrackingEvent_Destroy_Args, event);
typedef PJRT_Error *PJRT_AsyncTrackingEvent_Destroy(PJRT_AsyncTrackingEvent_Destroy_Args *args);

/* ---- Memory space ---------------------------------------------------------------------------- */

/* Memory spaces live as long as their client, and so do their strings and arrays. Kinds are
 * "device" (the device's own memory), "pinned_host" (host memory the device can reach directly) and
 * "unpinned_host" (ordinary host memory). */

/* The functions of a memory that clients since 0.105 call. */
typedef struct PJRT_Memory_FunctionTable {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    size_t instance_struct_size; /* PJRT_Memory_STRUCT_SIZE: what of the memory clients may read */
    /* What the client attached under that key, borrowed; NULL: nothing. */
    void *(*get_user_data)(PJRT_Memory *memory, const void *key);
    /* Attaches `data` under a key, which is an address and not read, in place of what there was.
     * `dtor` (may be NULL) is called with it when it is replaced, or the client destroyed. */
    void (*set_user_data)(PJRT_Memory *memory, const void *key, void *data /*deleter: dtor*/,
                          void (*dtor)(void *data));
} PJRT_Memory_FunctionTable;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Memory_FunctionTable, set_user_data);

/* How every memory begins. */
struct PJRT_Memory {
    const PJRT_Memory_FunctionTable *vtable; /* static, never NULL */
};
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Memory, vtable);

/* Returns the number of a memory space, unique among those of all devices of the client. */
typedef struct PJRT_Memory_Id_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Memory *memory;
    int id; /* out */
} PJRT_Memory_Id_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Memory_Id_Args, id);
typedef PJRT_Error *PJRT_Memory_Id(PJRT_Memory_Id_Args *args);

/* Returns the name of the kind. */
typedef struct PJRT_Memory_Kind_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Memory *memory;
    const char *kind; /* out, borrowed until the client is destroyed */
    size_t kind_size; /* out */
} PJRT_Memory_Kind_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Memory_Kind_Args, kind_size);
typedef PJRT_Error *PJRT_Memory_Kind(PJRT_Memory_Kind_Args *args);

/* Returns a number that is equal for memory spaces of equal kind. */
typedef struct PJRT_Memory_Kind_Id_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Memory *memory;
    int kind_id; /* out */
} PJRT_Memory_Kind_Id_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Memory_Kind_Id_Args, kind_id);
typedef PJRT_Error *PJRT_Memory_Kind_Id(PJRT_Memory_Kind_Id_Args *args);

/* Returns a text for developers, with all there is to know. */
typedef struct PJRT_Memory_DebugString_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Memory *memory;
    const char *debug_string; /* out, borrowed until the client is destroyed */
    size_t debug_string_size; /* out */
} PJRT_Memory_DebugString_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Memory_DebugString_Args, debug_string_size);
typedef PJRT_Error *PJRT_Memory_DebugString(PJRT_Memory_DebugString_Args *args);

/* Returns a short text for users. */
typedef struct PJRT_Memory_ToString_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Memory *memory;
    const char *to_string; /* out, borrowed until the client is destroyed */
    size_t to_string_size; /* out */
} PJRT_Memory_ToString_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Memory_ToString_Args, to_string_size);
typedef PJRT_Error *PJRT_Memory_ToString(PJRT_Memory_ToString_Args *args);

/* Returns the devices that can use the memory space. */
typedef struct PJRT_Memory_AddressableByDevices_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Memory *memory;
    PJRT_Device *const *devices; /* out, borrowed until the client is destroyed */
    size_t num_devices;          /* out */
} PJRT_Memory_AddressableByDevices_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Memory_AddressableByDevices_Args, num_devices);
typedef PJRT_Error *PJRT_Memory_AddressableByDevices(PJRT_Memory_AddressableByDevices_Args *args);

/* ---- Topology -------------------------------------------------------------------------------- */

/* A topology describes devices one can compile for. One from PJRT_TopologyDescription_Create or
 * _Deserialize is owned and needs no client; one from PJRT_Client_TopologyDescription is borrowed.
 * What it hands out lives as long as itself. */

/* Creates a topology from a name, such as "v5e:4x4". INVALID_ARGUMENT, with the allowed forms, when
 * the name or an option is not known. */
typedef struct PJRT_TopologyDescription_Create_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    const char *topology_name;             /* empty: the machine at hand */
    size_t topology_name_size;             /* bytes */
    const PJRT_NamedValue *create_options; /* borrowed for the call */
    size_t num_options;                    /* entries */
    PJRT_TopologyDescription *topology;    /* out, owned */
} PJRT_TopologyDescription_Create_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TopologyDescription_Create_Args, topology);
typedef PJRT_Error *PJRT_TopologyDescription_Create(PJRT_TopologyDescription_Create_Args *args);

/* Frees an owned topology. */
typedef struct PJRT_TopologyDescription_Destroy_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_TopologyDescription *topology; /* moved */
} PJRT_TopologyDescription_Destroy_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TopologyDescription_Destroy_Args, topology);
typedef PJRT_Error *PJRT_TopologyDescription_Destroy(PJRT_TopologyDescription_Destroy_Args *args);

/* Returns the name that a client on this topology would report (PJRT_Client_PlatformName). */
typedef struct PJRT_TopologyDescription_PlatformName_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    const PJRT_TopologyDescription *topology;
    const char *platform_name; /* out, borrowed until the topology dies */
    size_t platform_name_size; /* out */
} PJRT_TopologyDescription_PlatformName_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TopologyDescription_PlatformName_Args, platform_name_size);
typedef PJRT_Error *
PJRT_TopologyDescription_PlatformName(PJRT_TopologyDescription_PlatformName_Args *args);

/* Returns the text that a client on this topology would report (PJRT_Client_PlatformVersion). */
typedef struct PJRT_TopologyDescription_PlatformVersion_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_TopologyDescription *topology;
    const char *platform_version; /* out, borrowed until the topology dies */
    size_t platform_version_size; /* out */
} PJRT_TopologyDescription_PlatformVersion_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TopologyDescription_PlatformVersion_Args, platform_version_size);
typedef PJRT_Error *
PJRT_TopologyDescription_PlatformVersion(PJRT_TopologyDescription_PlatformVersion_Args *args);

/* Returns all devices, in ascending order of their ids. */
typedef struct PJRT_TopologyDescription_GetDeviceDescriptions_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    const PJRT_TopologyDescription *topology;
    PJRT_DeviceDescription *const *descriptions; /* out, borrowed until the topology dies */
    size_t num_descriptions;                     /* out */
} PJRT_TopologyDescription_GetDeviceDescriptions_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TopologyDescription_GetDeviceDescriptions_Args, num_descriptions);
typedef PJRT_Error *PJRT_TopologyDescription_GetDeviceDescriptions(
    PJRT_TopologyDescription_GetDeviceDescriptions_Args *args);

/* Returns the topology as bytes: equal ones for equal topologies, readable by the same platform
 * version. */
typedef struct PJRT_TopologyDescription_Serialize_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_TopologyDescription *topology;
    /* out, borrowed until serialized_topology is deleted */
    const char *serialized_bytes;
    size_t serialized_bytes_size;                 /* out */
    PJRT_SerializedTopology *serialized_topology; /* out, deleter: serialized_topology_deleter */
    /* out, static; called once with serialized_topology */
    void (*serialized_topology_deleter)(PJRT_SerializedTopology *topology);
} PJRT_TopologyDescription_Serialize_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TopologyDescription_Serialize_Args, serialized_topology_deleter);
typedef PJRT_Error *
PJRT_TopologyDescription_Serialize(PJRT_TopologyDescription_Serialize_Args *args);

/* Creates a topology from bytes of PJRT_TopologyDescription_Serialize. INVALID_ARGUMENT when they
 * are damaged or another platform's. */
typedef struct PJRT_TopologyDescription_Deserialize_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    const char *serialized_topology;    /* borrowed for the call */
    size_t serialized_topology_size;    /* bytes */
    PJRT_TopologyDescription *topology; /* out, owned */
} PJRT_TopologyDescription_Deserialize_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TopologyDescription_Deserialize_Args, topology);
typedef PJRT_Error *
PJRT_TopologyDescription_Deserialize(PJRT_TopologyDescription_Deserialize_Args *args);

/* Returns facts about the topology as a whole, depending on the platform. */
typedef struct PJRT_TopologyDescription_Attributes_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_TopologyDescription *topology;
    const PJRT_NamedValue *attributes; /* out, borrowed until the topology dies */
    size_t num_attributes;             /* out */
} PJRT_TopologyDescription_Attributes_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TopologyDescription_Attributes_Args, num_attributes);
typedef PJRT_Error *
PJRT_TopologyDescription_Attributes(PJRT_TopologyDescription_Attributes_Args *args);

/* Returns a number that is equal for topologies on which one compiled program may run: the key of a
 * persistent compile cache, so the same in each process and each run. */
typedef struct PJRT_TopologyDescription_Fingerprint_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    const PJRT_TopologyDescription *topology;
    uint64_t fingerprint; /* out */
} PJRT_TopologyDescription_Fingerprint_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TopologyDescription_Fingerprint_Args, fingerprint);
typedef PJRT_Error *
PJRT_TopologyDescription_Fingerprint(PJRT_TopologyDescription_Fingerprint_Args *args);

/* Returns the shape that an array has in a memory of the topology's devices: its type and
 * dimensions with the layout that it gets there, tiles included. INVALID_ARGUMENT for a kind id
 * that is not among those of PJRT_TopologyDescription_GetMemorySpaceKindIds. */
typedef struct PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    const PJRT_TopologyDescription *topology;
    int memory_space_kind_id;
    const int64_t *dims;                    /* borrowed for the call */
    size_t num_dims;                        /* the rank */
    PJRT_Buffer_Type element_type;          /* type of the elements */
    const PJRT_Buffer_MemoryLayout *layout; /* may be NULL: the default; borrowed for the call */
    const char *serialized_shape; /* out, deleter: serialized_shape_deleter; a ShapeProto */
    size_t serialized_shape_size; /* out, bytes */
    /* out, static; called once with serialized_shape */
    void (*serialized_shape_deleter)(const char *serialized_shape);
} PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace_Args,
                          serialized_shape_deleter);
typedef PJRT_Error *PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace(
    PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace_Args *args);

/* Returns the kind ids of the memories that the topology's devices have, that of the default memory
 * first: those of PJRT_Memory_Kind_Id. */
typedef struct PJRT_TopologyDescription_GetMemorySpaceKindIds_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    const PJRT_TopologyDescription *topology;
    const int *memory_space_kind_ids; /* out, borrowed until the topology is destroyed */
    size_t num_memory_space_kind_ids; /* out */
} PJRT_TopologyDescription_GetMemorySpaceKindIds_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_TopologyDescription_GetMemorySpaceKindIds_Args,
                          num_memory_space_kind_ids);
typedef PJRT_Error *PJRT_TopologyDescription_GetMemorySpaceKindIds(
    PJRT_TopologyDescription_GetMemorySpaceKindIds_Args *args);

/* Compiles a program for a topology, without loading it. Errors as of PJRT_Client_Compile. */
typedef struct PJRT_Compile_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    const PJRT_TopologyDescription *topology;
    const PJRT_Program *program; /* borrowed for the call */
    const char *compile_options; /* serialized xla.CompileOptionsProto; borrowed for the call */
    size_t compile_options_size; /* bytes */
    /* may be NULL; a client at hand that the compiler may measure on */
    PJRT_Client *client;
    PJRT_Executable *executable; /* out, owned */
} PJRT_Compile_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Compile_Args, executable);
typedef PJRT_Error *PJRT_Compile(PJRT_Compile_Args *args);

/* ---- Executable ------------------------------------------------------------------------------ */

/* A compiled program by itself. Arrays and strings it hands out are borrowed until it is destroyed.
 * An executable got from a loaded one shares its code: either may be destroyed first. */

/* Frees an executable. */
typedef struct PJRT_Executable_Destroy_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Executable *executable; /* moved */
} PJRT_Executable_Destroy_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Executable_Destroy_Args, executable);
typedef PJRT_Error *PJRT_Executable_Destroy(PJRT_Executable_Destroy_Args *args);

/* Returns the name of the program: its module's name. */
typedef struct PJRT_Executable_Name_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Executable *executable;
    const char *executable_name; /* out, borrowed until the executable is destroyed */
    size_t executable_name_size; /* out */
} PJRT_Executable_Name_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Executable_Name_Args, executable_name_size);
typedef PJRT_Error *PJRT_Executable_Name(PJRT_Executable_Name_Args *args);

/* Returns how many replicas run: copies of the program, each with other data. */
typedef struct PJRT_Executable_NumReplicas_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Executable *executable;
    size_t num_replicas; /* out */
} PJRT_Executable_NumReplicas_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Executable_NumReplicas_Args, num_replicas);
typedef PJRT_Error *PJRT_Executable_NumReplicas(PJRT_Executable_NumReplicas_Args *args);

/* Returns over how many devices each replica is partitioned. */
typedef struct PJRT_Executable_NumPartitions_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Executable *executable;
    size_t num_partitions; /* out */
} PJRT_Executable_NumPartitions_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Executable_NumPartitions_Args, num_partitions);
typedef PJRT_Error *PJRT_Executable_NumPartitions(PJRT_Executable_NumPartitions_Args *args);

/* Returns the number of outputs on each device; the elements of the tuple when a program returns
 * one. */
typedef struct PJRT_Executable_NumOutputs_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Executable *executable;
    size_t num_outputs; /* out */
} PJRT_Executable_NumOutputs_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Executable_NumOutputs_Args, num_outputs);
typedef PJRT_Error *PJRT_Executable_NumOutputs(PJRT_Executable_NumOutputs_Args *args);

/* Returns the size of the machine code, loaded or not. */
typedef struct PJRT_Executable_SizeOfGeneratedCodeInBytes_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Executable *executable;
    int64_t size_in_bytes; /* out, bytes; -1: not known */
} PJRT_Executable_SizeOfGeneratedCodeInBytes_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Executable_SizeOfGeneratedCodeInBytes_Args, size_in_bytes);
typedef PJRT_Error *
PJRT_Executable_SizeOfGeneratedCodeInBytes(PJRT_Executable_SizeOfGeneratedCodeInBytes_Args *args);

/* Returns bytes that are equal when two executables do the same on the same topology, in any
 * process; for multi-host checks and caches. UNIMPLEMENTED is tolerated by clients. */
typedef struct PJRT_Executable_Fingerprint_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Executable *executable;
    const char *executable_fingerprint; /* out, borrowed until the executable is destroyed */
    size_t executable_fingerprint_size; /* out */
} PJRT_Executable_Fingerprint_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Executable_Fingerprint_Args, executable_fingerprint_size);
typedef PJRT_Error *PJRT_Executable_Fingerprint(PJRT_Executable_Fingerprint_Args *args);

/* Returns the compiler's estimate for one run on one device: "flops", "bytes accessed",
 * "optimal_seconds", "utilization" and others, as floats. */
typedef struct PJRT_Executable_GetCostAnalysis_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Executable *executable;
    size_t num_properties;             /* out */
    const PJRT_NamedValue *properties; /* out, borrowed until the executable is destroyed */
} PJRT_Executable_GetCostAnalysis_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Executable_GetCostAnalysis_Args, properties);
typedef PJRT_Error *PJRT_Executable_GetCostAnalysis(PJRT_Executable_GetCostAnalysis_Args *args);

/* Returns what one run on one device needs, in bytes, as the compiler planned it; the host_ figures
 * are of host memory spaces, the others of the device's default one. */
typedef struct PJRT_Executable_GetCompiledMemoryStats_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Executable *executable;
    int64_t generated_code_size_in_bytes; /* out */
    int64_t argument_size_in_bytes;       /* out */
    int64_t output_size_in_bytes;         /* out, donated ones included */
    /* out: part of outputs that reuses donated arguments */
    int64_t alias_size_in_bytes;
    int64_t temp_size_in_bytes;                /* out: scratch memory during the run */
    int64_t host_generated_code_size_in_bytes; /* out */
    int64_t host_argument_size_in_bytes;       /* out */
    int64_t host_output_size_in_bytes;         /* out */
    int64_t host_alias_size_in_bytes;          /* out */
    int64_t host_temp_size_in_bytes;           /* out */
    /* out: most that is live at a time, arguments included */
    int64_t peak_memory_in_bytes;
    int64_t total_size_in_bytes;      /* out: the device figures together, aliases once */
    int64_t total_allocation_bytes;   /* out: what is allocated, padding included */
    int64_t indefinite_allocations;   /* out: part that outlives the run, such as constants */
    int64_t peak_unpadded_heap_bytes; /* out: as peak, without padding and fragmentation */
} PJRT_Executable_GetCompiledMemoryStats_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Executable_GetCompiledMemoryStats_Args, peak_unpadded_heap_bytes);
typedef PJRT_Error *
PJRT_Executable_GetCompiledMemoryStats(PJRT_Executable_GetCompiledMemoryStats_Args *args);

/* Returns the element type of each output. */
typedef struct PJRT_Executable_OutputElementTypes_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Executable *executable;
    PJRT_Buffer_Type *output_types; /* out, borrowed until the executable is destroyed */
    size_t num_output_types;        /* out */
} PJRT_Executable_OutputElementTypes_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Executable_OutputElementTypes_Args, num_output_types);
typedef PJRT_Error *
PJRT_Executable_OutputElementTypes(PJRT_Executable_OutputElementTypes_Args *args);

/* Returns the dimensions of each output, on one device, all behind each other: output i takes
 * dim_sizes[i] entries after those of outputs 0 .. i-1. */
typedef struct PJRT_Executable_OutputDimensions_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Executable *executable;
    size_t num_outputs;      /* out: entries of dim_sizes */
    const int64_t *dims;     /* out, borrowed until the executable is destroyed */
    const size_t *dim_sizes; /* out, borrowed as well: rank of each output */
} PJRT_Executable_OutputDimensions_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Executable_OutputDimensions_Args, dim_sizes);
typedef PJRT_Error *PJRT_Executable_OutputDimensions(PJRT_Executable_OutputDimensions_Args *args);

/* Returns the memory kind where each parameter is expected. */
typedef struct PJRT_Executable_ParameterMemoryKinds_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Executable *executable;
    size_t num_parameters;           /* out: entries of both arrays */
    const char *const *memory_kinds; /* out, borrowed until the executable is destroyed */
    const size_t *memory_kind_sizes; /* out, borrowed as well: bytes of each name */
} PJRT_Executable_ParameterMemoryKinds_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Executable_ParameterMemoryKinds_Args, memory_kind_sizes);
typedef PJRT_Error *
PJRT_Executable_ParameterMemoryKinds(PJRT_Executable_ParameterMemoryKinds_Args *args);

/* Returns the memory kind where each output is put. */
typedef struct PJRT_Executable_OutputMemoryKinds_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Executable *executable;
    size_t num_outputs;              /* out: entries of both arrays */
    const char *const *memory_kinds; /* out, borrowed until the executable is destroyed */
    const size_t *memory_kind_sizes; /* out, borrowed as well: bytes of each name */
} PJRT_Executable_OutputMemoryKinds_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Executable_OutputMemoryKinds_Args, memory_kind_sizes);
typedef PJRT_Error *PJRT_Executable_OutputMemoryKinds(PJRT_Executable_OutputMemoryKinds_Args *args);

/* Returns the program after compilation, in two calls. With program->code NULL the plugin sets
 * code_size, format and format_size; then the caller sets `code` to that many bytes, and the plugin
 * fills them.
 *
 * Gantry returns "hlo_with_config"; its HloModuleProto.spmd_output_sharding is where JAX finds the
 * output shardings that the compiler chose. */
typedef struct PJRT_Executable_OptimizedProgram_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Executable *executable;
    PJRT_Program *program; /* the caller's; its `format` is set to static text */
} PJRT_Executable_OptimizedProgram_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Executable_OptimizedProgram_Args, program);
typedef PJRT_Error *PJRT_Executable_OptimizedProgram(PJRT_Executable_OptimizedProgram_Args *args);

/* Returns the executable as bytes for PJRT_Executable_DeserializeAndLoad, equal ones when the same
 * program was compiled twice. */
typedef struct PJRT_Executable_Serialize_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    const PJRT_Executable *executable;
    const char *serialized_bytes; /* out, borrowed until serialized_executable is deleted */
    size_t serialized_bytes_size; /* out */
    /* out, deleter: serialized_executable_deleter */
    PJRT_SerializedExecutable *serialized_executable;
    /* out, static; called once with serialized_executable */
    void (*serialized_executable_deleter)(PJRT_SerializedExecutable *executable);
} PJRT_Executable_Serialize_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Executable_Serialize_Args, serialized_executable_deleter);
typedef PJRT_Error *PJRT_Executable_Serialize(PJRT_Executable_Serialize_Args *args);

/* Returns the options it was compiled with, as a serialized xla.CompileOptionsProto. */
typedef struct PJRT_Executable_GetCompileOptions_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Executable *executable;
    const char *serialized_bytes; /* out, borrowed until serialized_compile_options is deleted */
    size_t serialized_bytes_size; /* out */
    /* out, deleter: serialized_compile_options_deleter */
    PJRT_SerializedCompileOptions *serialized_compile_options;
    /* out, static; called once with serialized_compile_options */
    void (*serialized_compile_options_deleter)(PJRT_SerializedCompileOptions *options);
} PJRT_Executable_GetCompileOptions_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Executable_GetCompileOptions_Args,
                          serialized_compile_options_deleter);
typedef PJRT_Error *PJRT_Executable_GetCompileOptions(PJRT_Executable_GetCompileOptions_Args *args);

/* How to load an executable. */
typedef struct PJRT_LoadOptions {
    size_t struct_size;
    const int32_t *computation_origin;          /* coordinates of its first device; may be NULL */
    size_t computation_origin_size;             /* entries */
    PJRT_MultiSlice_Config *multi_slice_config; /* may be NULL */
} PJRT_LoadOptions;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_LoadOptions, multi_slice_config);

/* Loads an executable from bytes of PJRT_Executable_Serialize. INVALID_ARGUMENT when they are
 * damaged, were made by another version or for other hardware: a cache then compiles again. */
typedef struct PJRT_Executable_DeserializeAndLoad_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Client *client;
    const char *serialized_executable;        /* borrowed for the call */
    size_t serialized_executable_size;        /* bytes */
    PJRT_LoadedExecutable *loaded_executable; /* out, owned */
    /* xla.CompileOptionsProto in place of the stored one; NULL: keep; borrowed for the call */
    const char *overridden_serialized_compile_options;
    size_t overridden_serialized_compile_options_size; /* bytes */
    PJRT_LoadOptions *load_options;                    /* may be NULL; borrowed for the call */
} PJRT_Executable_DeserializeAndLoad_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Executable_DeserializeAndLoad_Args, load_options);
typedef PJRT_Error *
PJRT_Executable_DeserializeAndLoad(PJRT_Executable_DeserializeAndLoad_Args *args);

/* ---- Loaded executable ----------------------------------------------------------------------- */

/* An executable with its code in place on the devices of one client. It keeps the client's memory
 * for code and constants until it is destroyed or deleted. */

/* Frees a loaded executable. Executions under way finish first, in the background. */
typedef struct PJRT_LoadedExecutable_Destroy_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_LoadedExecutable *executable; /* moved */
} PJRT_LoadedExecutable_Destroy_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_LoadedExecutable_Destroy_Args, executable);
typedef PJRT_Error *PJRT_LoadedExecutable_Destroy(PJRT_LoadedExecutable_Destroy_Args *args);

/* Returns the executable behind a loaded one, a new handle with each call. */
typedef struct PJRT_LoadedExecutable_GetExecutable_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_LoadedExecutable *loaded_executable;
    /* out, owned: PJRT_Executable_Destroy, before or after the loaded one */
    PJRT_Executable *executable;
} PJRT_LoadedExecutable_GetExecutable_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_LoadedExecutable_GetExecutable_Args, executable);
typedef PJRT_Error *
PJRT_LoadedExecutable_GetExecutable(PJRT_LoadedExecutable_GetExecutable_Args *args);

/* Returns which device runs which replica and partition. */
typedef struct PJRT_LoadedExecutable_GetDeviceAssignment_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_LoadedExecutable *executable;
    /* out, a serialized xla.DeviceAssignmentProto; borrowed until serialized_device_assignment is
     * deleted */
    const char *serialized_bytes;
    size_t serialized_bytes_size; /* out */
    /* out, deleter: serialized_device_assignment_deleter */
    PJRT_DeviceAssignmentSerialized *serialized_device_assignment;
    /* out, static; called once with serialized_device_assignment */
    void (*serialized_device_assignment_deleter)(PJRT_DeviceAssignmentSerialized *assignment);
} PJRT_LoadedExecutable_GetDeviceAssignment_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_LoadedExecutable_GetDeviceAssignment_Args,
                          serialized_device_assignment_deleter);
typedef PJRT_Error *
PJRT_LoadedExecutable_GetDeviceAssignment(PJRT_LoadedExecutable_GetDeviceAssignment_Args *args);

/* Returns the devices of this process that run the program. Its order is that of the per-device
 * arrays of PJRT_LoadedExecutable_Execute. Empty for an executable without an assignment, which
 * runs on any device named at Execute. */
typedef struct PJRT_LoadedExecutable_AddressableDevices_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_LoadedExecutable *executable;
    /* out, borrowed until the loaded executable is destroyed */
    PJRT_Device *const *addressable_devices;
    size_t num_addressable_devices; /* out */
} PJRT_LoadedExecutable_AddressableDevices_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_LoadedExecutable_AddressableDevices_Args, num_addressable_devices);
typedef PJRT_Error *
PJRT_LoadedExecutable_AddressableDevices(PJRT_LoadedExecutable_AddressableDevices_Args *args);

/* Which part of a program a device runs. */
typedef struct PJRT_LogicalDeviceIds {
    int replica;   /* from 0 on */
    int partition; /* from 0 on, within the replica */
} PJRT_LogicalDeviceIds;

/* Returns replica and partition of each addressable device, in the order of
 * PJRT_LoadedExecutable_AddressableDevices. */
typedef struct PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_LoadedExecutable *executable;
    /* out, borrowed until the loaded executable is destroyed */
    PJRT_LogicalDeviceIds *addressable_device_logical_ids;
    size_t num_addressable_device_logical_ids; /* out */
} PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args,
                          num_addressable_device_logical_ids);
typedef PJRT_Error *PJRT_LoadedExecutable_AddressableDeviceLogicalIds(
    PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args *args);

/* Drops the code and what else it holds on the devices, while the handle stays; executing it is
 * FAILED_PRECONDITION afterwards. Executions under way finish. Repeating it does nothing. */
typedef struct PJRT_LoadedExecutable_Delete_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_LoadedExecutable *executable;
} PJRT_LoadedExecutable_Delete_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_LoadedExecutable_Delete_Args, executable);
typedef PJRT_Error *PJRT_LoadedExecutable_Delete(PJRT_LoadedExecutable_Delete_Args *args);

/* Tells whether PJRT_LoadedExecutable_Delete was called. */
typedef struct PJRT_LoadedExecutable_IsDeleted_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_LoadedExecutable *executable;
    bool is_deleted; /* out */
} PJRT_LoadedExecutable_IsDeleted_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_LoadedExecutable_IsDeleted_Args, is_deleted);
typedef PJRT_Error *PJRT_LoadedExecutable_IsDeleted(PJRT_LoadedExecutable_IsDeleted_Args *args);

/* As PJRT_Executable_Fingerprint; the older of the two. */
typedef struct PJRT_LoadedExecutable_Fingerprint_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_LoadedExecutable *executable;
    const char *executable_fingerprint; /* out, borrowed until the loaded executable is destroyed */
    size_t executable_fingerprint_size; /* out */
} PJRT_LoadedExecutable_Fingerprint_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_LoadedExecutable_Fingerprint_Args, executable_fingerprint_size);
typedef PJRT_Error *PJRT_LoadedExecutable_Fingerprint(PJRT_LoadedExecutable_Fingerprint_Args *args);

/* ---- Executing ------------------------------------------------------------------------------- */

/* One execution runs a program once on one or several devices. All arrays by device are in the
 * order of PJRT_LoadedExecutable_AddressableDevices. */

/* Creates an empty context. Extensions put user data into it (PJRT_FFI_UserData_Add), and custom
 * calls of the executions it is given to find them there. */
typedef struct PJRT_ExecuteContext_Create_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_ExecuteContext *context; /* out, owned */
} PJRT_ExecuteContext_Create_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_ExecuteContext_Create_Args, context);
typedef PJRT_Error *PJRT_ExecuteContext_Create(PJRT_ExecuteContext_Create_Args *args);

/* Frees a context, after the executions it was given to have finished; user data are given to their
 * deleters. */
typedef struct PJRT_ExecuteContext_Destroy_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_ExecuteContext *context; /* moved */
} PJRT_ExecuteContext_Destroy_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_ExecuteContext_Destroy_Args, context);
typedef PJRT_Error *PJRT_ExecuteContext_Destroy(PJRT_ExecuteContext_Destroy_Args *args);

/* A piece of host memory that changes hands together with the way to free it. Moving a chunk moves
 * `data`; the struct itself is borrowed. */
typedef struct PJRT_Chunk {
    void *data;  /* deleter: deleter(data, deleter_arg) */
    size_t size; /* bytes */
    /* called once by who holds the chunk last, from any thread; may be NULL: nothing to free */
    void (*deleter)(void *data, void *deleter_arg);
    void *deleter_arg; /* passed on to the deleter */
} PJRT_Chunk;

/* Told by the plugin that a running program sends data to the host (a `send` with
 * is_host_transfer). The chunk is moved to the callback. Runs on a thread of the plugin, which it
 * may keep as long as it needs; an error it makes by `callback_error` and returns is moved to the
 * plugin and fails the execution. */
typedef PJRT_Error *(*PJRT_SendCallback)(PJRT_Chunk *chunk, PJRT_CallbackError *callback_error,
                                         size_t total_size_in_bytes, bool done, void *user_arg);

/* Told by the plugin that a running program wants data from the host (a `recv` with
 * is_host_transfer). The stream is moved to the callback, which feeds it by
 * PJRT_CopyToDeviceStream_AddChunk, then or later, from any thread, and destroys it. */
typedef void (*PJRT_RecvCallback)(PJRT_CopyToDeviceStream *stream, void *user_arg);

/* Which callback takes what one send operation sends. */
typedef struct PJRT_SendCallbackInfo {
    int64_t channel_id;              /* the operation's channel */
    void *user_arg;                  /* borrowed until the execution has finished */
    PJRT_SendCallback send_callback; /* static until the execution has finished */
} PJRT_SendCallbackInfo;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_SendCallbackInfo, send_callback);

/* Which callback feeds one receive operation. */
typedef struct PJRT_RecvCallbackInfo {
    int64_t channel_id;              /* the operation's channel */
    void *user_arg;                  /* borrowed until the execution has finished */
    PJRT_RecvCallback recv_callback; /* static until the execution has finished */
} PJRT_RecvCallbackInfo;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_RecvCallbackInfo, recv_callback);

/* Receives the values of an instruction that a program reports to its client: an array in row-major
 * order, borrowed for the call. */
typedef void (*PJRT_HloOutputCallback)(int64_t replica_id, int64_t partition_id, const void *data,
                                       const int64_t *shape_dims, size_t shape_num_dims,
                                       PJRT_Buffer_Type shape_element_type, int64_t operand_index,
                                       void *user_arg);

/* One callback, for all devices. */
typedef struct PJRT_HloOutputCallbackInfo {
    void *user_arg;                  /* borrowed until the execution has finished */
    PJRT_HloOutputCallback callback; /* static until the execution has finished */
    int64_t callback_id;             /* which instruction */
    size_t num_operands;             /* arrays that it reports */
} PJRT_HloOutputCallbackInfo;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_HloOutputCallbackInfo, num_operands);

/* Options of one execution. Clients' versions of this struct are 80 to 160 bytes long: fields past
 * the caller's struct_size count as zero. */
typedef struct PJRT_ExecuteOptions {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    /* [device][send operation]; the arrays are borrowed for the call; NULL without such
     * operations */
    PJRT_SendCallbackInfo **send_callbacks;
    PJRT_RecvCallbackInfo **recv_callbacks; /* [device][receive operation]; the same */
    size_t num_send_ops;                    /* entries per device */
    size_t num_recv_ops;                    /* entries per device */
    /* not 0: executions with equal numbers on different devices belong together */
    int launch_id;
    /* arguments that must not be donated whatever the program says; borrowed for the call */
    const int64_t *non_donatable_input_indices;
    size_t num_non_donatable_input_indices; /* entries */
    /* may be NULL; borrowed until the execution has finished */
    PJRT_ExecuteContext *context;
    /* where in the user's program the call is, NUL-terminated; may be NULL; borrowed for the
     * call */
    const char *call_location;
    size_t num_tasks; /* entries of the next two arrays */
    int *task_ids;    /* processes that take part; borrowed for the call */
    /* their incarnations; an execution fails when one has changed */
    int64_t *incarnation_ids;
    PJRT_MultiSlice_Config *multi_slice_config; /* may be NULL; borrowed for the call */
    /* chunks of send and receive callbacks are row-major, whatever the device's layout is; Gantry's
     * always are */
    bool use_major_to_minor_data_layout_for_callbacks;
    /* valid until the execution has finished */
    PJRT_HloOutputCallbackInfo *hlo_output_callbacks;
    size_t num_hlo_output_callbacks; /* entries */
    /* named values for the custom calls of this execution; borrowed for the call */
    const PJRT_NamedValue *custom_options;
    size_t num_custom_options; /* entries */
} PJRT_ExecuteOptions;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_ExecuteOptions, num_custom_options);

/* Runs a program on the addressable devices of its assignment, or on execute_device. Returns when
 * the work is queued, and does not wait for it; a plugin may also do small work at once. Outputs
 * are buffers that become ready when the work is done. Executions that share a device run in the
 * order of their calls.
 *
 * A program for several devices is run by one call with all devices, or by one call per device
 * (num_devices 1, execute_device set), on as many threads: its collectives meet across calls.
 *
 * Arguments that the program donates are deleted by the call, and their memory becomes an output's;
 * it is copied instead where somebody else still holds it (external references, borrowed host
 * memory). Arguments listed as not donatable stay as they are. To pass a buffer twice, once of
 * these donated, is an error.
 *
 * INVALID_ARGUMENT when a count, shape, type, device or memory kind is not what was compiled;
 * FAILED_PRECONDITION when an argument is deleted. Errors of the run itself are in the outputs and
 * events. The arguments' extension list may carry a profiler context. */
typedef struct PJRT_LoadedExecutable_Execute_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_LoadedExecutable *executable;
    PJRT_ExecuteOptions *options; /* borrowed for the call */
    /* [num_devices][num_args], both borrowed for the call */
    PJRT_Buffer *const *const *argument_lists;
    size_t num_devices; /* addressable devices of the assignment; 1 with execute_device */
    size_t num_args;    /* arguments per device */
    /* [num_devices][num_outputs], the caller's arrays; filled with owned buffers */
    PJRT_Buffer **const *output_lists;
    /* NULL, or the caller's array [num_devices]: filled with owned events, ready when that device
     * is done */
    PJRT_Event **device_complete_events;
    PJRT_Device *execute_device; /* may be NULL; of the assignment, or any when there is none */
} PJRT_LoadedExecutable_Execute_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_LoadedExecutable_Execute_Args, execute_device);
typedef PJRT_Error *PJRT_LoadedExecutable_Execute(PJRT_LoadedExecutable_Execute_Args *args);

/* ---- Buffer ---------------------------------------------------------------------------------- */

/* A buffer is an array in a memory space, or will be one when it is ready. Shape, type and place
 * are known at once. A deleted or donated buffer keeps only these; what needs its bytes is
 * FAILED_PRECONDITION then. */

/* Frees a buffer. Its memory is freed when work that uses it has finished and the last external
 * reference is gone. Valid after the client was destroyed, from any thread. */
typedef struct PJRT_Buffer_Destroy_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Buffer *buffer; /* moved */
} PJRT_Buffer_Destroy_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Buffer_Destroy_Args, buffer);
typedef PJRT_Error *PJRT_Buffer_Destroy(PJRT_Buffer_Destroy_Args *args);

/* Returns the type of the elements. */
typedef struct PJRT_Buffer_ElementType_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Buffer *buffer;
    PJRT_Buffer_Type type; /* out */
} PJRT_Buffer_ElementType_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Buffer_ElementType_Args, type);
typedef PJRT_Error *PJRT_Buffer_ElementType(PJRT_Buffer_ElementType_Args *args);

/* Returns the elements per dimension; with dynamic dimensions, the bounds. */
typedef struct PJRT_Buffer_Dimensions_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Buffer *buffer;
    const int64_t *dims; /* out, borrowed until the buffer is destroyed */
    size_t num_dims;     /* out, the rank */
} PJRT_Buffer_Dimensions_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Buffer_Dimensions_Args, num_dims);
typedef PJRT_Error *PJRT_Buffer_Dimensions(PJRT_Buffer_Dimensions_Args *args);

/* Returns the elements per dimension that are really there: those of PJRT_Buffer_Dimensions unless
 * some are dynamic. May wait until the buffer is ready. */
typedef struct PJRT_Buffer_UnpaddedDimensions_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Buffer *buffer;
    const int64_t *unpadded_dims; /* out, borrowed until the buffer is destroyed */
    size_t num_dims;              /* out, the rank */
} PJRT_Buffer_UnpaddedDimensions_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Buffer_UnpaddedDimensions_Args, num_dims);
typedef PJRT_Error *PJRT_Buffer_UnpaddedDimensions(PJRT_Buffer_UnpaddedDimensions_Args *args);

/* Returns the dimensions whose size is only known when the buffer is ready. None in Gantry. */
typedef struct PJRT_Buffer_DynamicDimensionIndices_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Buffer *buffer;
    const size_t *dynamic_dim_indices; /* out, borrowed until the buffer is destroyed */
    size_t num_dynamic_dims;           /* out */
} PJRT_Buffer_DynamicDimensionIndices_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Buffer_DynamicDimensionIndices_Args, num_dynamic_dims);
typedef PJRT_Error *
PJRT_Buffer_DynamicDimensionIndices(PJRT_Buffer_DynamicDimensionIndices_Args *args);

/* Returns how the elements lie on the device. */
typedef struct PJRT_Buffer_GetMemoryLayout_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Buffer *buffer;
    /* out; what it points to is borrowed until the buffer is destroyed */
    PJRT_Buffer_MemoryLayout layout;
} PJRT_Buffer_GetMemoryLayout_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Buffer_GetMemoryLayout_Args, layout);
typedef PJRT_Error *PJRT_Buffer_GetMemoryLayout(PJRT_Buffer_GetMemoryLayout_Args *args);

/* Returns the bytes it takes on the device, padding included. */
typedef struct PJRT_Buffer_OnDeviceSizeInBytes_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Buffer *buffer;
    size_t on_device_size_in_bytes; /* out */
} PJRT_Buffer_OnDeviceSizeInBytes_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Buffer_OnDeviceSizeInBytes_Args, on_device_size_in_bytes);
typedef PJRT_Error *PJRT_Buffer_OnDeviceSizeInBytes(PJRT_Buffer_OnDeviceSizeInBytes_Args *args);

/* Returns the device in whose memory it is; for memory that several share, one of them. */
typedef struct PJRT_Buffer_Device_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Buffer *buffer;
    PJRT_Device *device; /* out, borrowed until the client is destroyed */
} PJRT_Buffer_Device_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Buffer_Device_Args, device);
typedef PJRT_Error *PJRT_Buffer_Device(PJRT_Buffer_Device_Args *args);

/* Returns the memory space it is in. */
typedef struct PJRT_Buffer_Memory_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Buffer *buffer;
    PJRT_Memory *memory; /* out, borrowed until the client is destroyed */
} PJRT_Buffer_Memory_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Buffer_Memory_Args, memory);
typedef PJRT_Error *PJRT_Buffer_Memory(PJRT_Buffer_Memory_Args *args);

/* Drops the bytes while the handle stays; as soon as work that uses them is done and no external
 * reference is left. Repeating it does nothing. */
typedef struct PJRT_Buffer_Delete_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Buffer *buffer;
} PJRT_Buffer_Delete_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Buffer_Delete_Args, buffer);
typedef PJRT_Error *PJRT_Buffer_Delete(PJRT_Buffer_Delete_Args *args);

/* Tells whether the buffer was deleted, donation included. */
typedef struct PJRT_Buffer_IsDeleted_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Buffer *buffer;
    bool is_deleted; /* out */
} PJRT_Buffer_IsDeleted_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Buffer_IsDeleted_Args, is_deleted);
typedef PJRT_Error *PJRT_Buffer_IsDeleted(PJRT_Buffer_IsDeleted_Args *args);

/* Copies to the default memory of another device of the client. INVALID_ARGUMENT when that is where
 * it is, or not addressable. */
typedef struct PJRT_Buffer_CopyToDevice_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Buffer *buffer;
    PJRT_Device *dst_device; /* borrowed */
    PJRT_Buffer *dst_buffer; /* out, owned */
} PJRT_Buffer_CopyToDevice_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Buffer_CopyToDevice_Args, dst_buffer);
typedef PJRT_Error *PJRT_Buffer_CopyToDevice(PJRT_Buffer_CopyToDevice_Args *args);

/* Copies to a memory space, of this device or another; may be the one where it is. Also how data
 * move between the memory kinds of a device. */
typedef struct PJRT_Buffer_CopyToMemory_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Buffer *buffer;
    PJRT_Memory *dst_memory; /* borrowed */
    PJRT_Buffer *dst_buffer; /* out, owned */
} PJRT_Buffer_CopyToMemory_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Buffer_CopyToMemory_Args, dst_buffer);
typedef PJRT_Error *PJRT_Buffer_CopyToMemory(PJRT_Buffer_CopyToMemory_Args *args);

/* Returns a buffer that shares the bytes under another type, shape or layout. The bytes stay alive
 * until both are gone. INVALID_ARGUMENT when the sizes in bytes differ. */
typedef struct PJRT_Buffer_Bitcast_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Buffer *buffer;
    PJRT_Buffer_Type element_type; /* type of the new buffer */
    /* dimensions of the new buffer; borrowed for the call */
    const int64_t *dims;
    size_t num_dims;                         /* the rank; 0: a scalar */
    PJRT_Buffer_MemoryLayout *device_layout; /* NULL: default */
    PJRT_Buffer *out_buffer;                 /* out, owned */
} PJRT_Buffer_Bitcast_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Buffer_Bitcast_Args, out_buffer);
typedef PJRT_Error *PJRT_Buffer_Bitcast(PJRT_Buffer_Bitcast_Args *args);

/* Copies to host memory asynchronously: the event becomes ready when the copy is complete. Elements
 * below a byte come one per byte. */
typedef struct PJRT_Buffer_ToHostBuffer_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Buffer *src;                      /* the buffer */
    PJRT_Buffer_MemoryLayout *host_layout; /* layout wanted on the host; NULL: that of the buffer */
    /* NULL: only dst_size is written; else borrowed until the event is ready */
    void *dst;
    size_t dst_size;   /* bytes at dst, INVALID_ARGUMENT when too few; out when dst is NULL */
    PJRT_Event *event; /* out, owned; NULL when dst is NULL */
} PJRT_Buffer_ToHostBuffer_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Buffer_ToHostBuffer_Args, event);
typedef PJRT_Error *PJRT_Buffer_ToHostBuffer(PJRT_Buffer_ToHostBuffer_Args *args);

/* Copies a range of bytes as they are on the device. INVALID_ARGUMENT when it leaves the buffer. */
typedef struct PJRT_Buffer_CopyRawToHost_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Buffer *buffer;
    void *dst;             /* borrowed until the event is ready */
    int64_t offset;        /* bytes from the start of the buffer */
    int64_t transfer_size; /* bytes */
    PJRT_Event *event;     /* out, owned: ready when the bytes are at dst */
} PJRT_Buffer_CopyRawToHost_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Buffer_CopyRawToHost_Args, event);
typedef PJRT_Error *PJRT_Buffer_CopyRawToHost(PJRT_Buffer_CopyRawToHost_Args *args);

/* What the caller of PJRT_Buffer_CopyRawToHostFuture hands over when it knows where the bytes
 * go. */
typedef struct PJRT_Buffer_CopyRawToHostFuture_Callback_Args {
    size_t struct_size;
    void *callback_data; /* moved: as PJRT_Buffer_CopyRawToHostFuture gave it */
    /* not OK: there is no destination, and the copy's event has this error */
    PJRT_Error_Code error_code;
    const char *error_message; /* copied */
    size_t error_message_size; /* bytes */
    void *dst;                 /* borrowed until the copy's event is ready */
} PJRT_Buffer_CopyRawToHostFuture_Callback_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Buffer_CopyRawToHostFuture_Callback_Args, dst);

/* As PJRT_Buffer_CopyRawToHost, when the destination is not known yet: the caller later calls
 * future_ready_callback, exactly once, from any thread. */
typedef struct PJRT_Buffer_CopyRawToHostFuture_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Buffer *buffer;
    int64_t offset;        /* bytes from the start of the buffer */
    int64_t transfer_size; /* bytes */
    PJRT_Event *event;     /* out, owned: ready when the bytes are there, or will never be */
    void *callback_data;   /* out, owned until the callback is called with it */
    /* out, static */
    void (*future_ready_callback)(PJRT_Buffer_CopyRawToHostFuture_Callback_Args *args);
} PJRT_Buffer_CopyRawToHostFuture_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Buffer_CopyRawToHostFuture_Args, future_ready_callback);
typedef PJRT_Error *PJRT_Buffer_CopyRawToHostFuture(PJRT_Buffer_CopyRawToHostFuture_Args *args);

/* Tells whether the bytes are in host memory that the client may read directly, through
 * PJRT_Buffer_OpaqueDeviceMemoryDataPointer under an external reference. Clients then make no copy
 * at all. */
typedef struct PJRT_Buffer_IsOnCpu_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Buffer *buffer;
    bool is_on_cpu; /* out */
} PJRT_Buffer_IsOnCpu_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Buffer_IsOnCpu_Args, is_on_cpu);
typedef PJRT_Error *PJRT_Buffer_IsOnCpu(PJRT_Buffer_IsOnCpu_Args *args);

/* Returns an event that is ready when the bytes are there, or are an error. */
typedef struct PJRT_Buffer_ReadyEvent_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Buffer *buffer;
    PJRT_Event *event; /* out, owned */
} PJRT_Buffer_ReadyEvent_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Buffer_ReadyEvent_Args, event);
typedef PJRT_Error *PJRT_Buffer_ReadyEvent(PJRT_Buffer_ReadyEvent_Args *args);

/* Returns the address of the bytes as a number, for comparing. Nothing keeps it valid.
 * UNIMPLEMENTED where memory has no address. */
typedef struct PJRT_Buffer_UnsafePointer_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Buffer *buffer;
    uintptr_t buffer_pointer; /* out */
} PJRT_Buffer_UnsafePointer_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Buffer_UnsafePointer_Args, buffer_pointer);
typedef PJRT_Error *PJRT_Buffer_UnsafePointer(PJRT_Buffer_UnsafePointer_Args *args);

/* Keeps the bytes where they are, unfreed and not donated, until
 * PJRT_Buffer_DecreaseExternalReferenceCount, also if the buffer is deleted meanwhile. Counted. */
typedef struct PJRT_Buffer_IncreaseExternalReferenceCount_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Buffer *buffer;
} PJRT_Buffer_IncreaseExternalReferenceCount_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Buffer_IncreaseExternalReferenceCount_Args, buffer);
typedef PJRT_Error *
PJRT_Buffer_IncreaseExternalReferenceCount(PJRT_Buffer_IncreaseExternalReferenceCount_Args *args);

/* Takes back one PJRT_Buffer_IncreaseExternalReferenceCount; FAILED_PRECONDITION when there is
 * none. The buffer must not have been destroyed. */
typedef struct PJRT_Buffer_DecreaseExternalReferenceCount_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Buffer *buffer;
} PJRT_Buffer_DecreaseExternalReferenceCount_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Buffer_DecreaseExternalReferenceCount_Args, buffer);
typedef PJRT_Error *
PJRT_Buffer_DecreaseExternalReferenceCount(PJRT_Buffer_DecreaseExternalReferenceCount_Args *args);

/* Returns the address of the bytes on the device, after waiting until they are there; an error
 * buffer returns its error. */
typedef struct PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Buffer *buffer;
    void *device_memory_ptr; /* out, borrowed while an external reference is held */
} PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args, device_memory_ptr);
typedef PJRT_Error *
PJRT_Buffer_OpaqueDeviceMemoryDataPointer(PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args *args);

/* What the caller of PJRT_Buffer_DonateWithControlDependency hands over when the dependency is
 * settled. */
typedef struct PJRT_Buffer_DonateWithControlDependency_Callback_Args {
    size_t struct_size;
    void *callback_data;        /* moved: as PJRT_Buffer_DonateWithControlDependency gave it */
    PJRT_Error_Code error_code; /* not OK: out_buffer becomes this error */
    const char *error_message;  /* copied */
    size_t error_message_size;  /* bytes */
} PJRT_Buffer_DonateWithControlDependency_Callback_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Buffer_DonateWithControlDependency_Callback_Args,
                          error_message_size);

/* Moves the bytes into a new buffer that becomes ready only after the caller has called
 * dependency_ready_callback, exactly once, from any thread. The old buffer counts as donated. */
typedef struct PJRT_Buffer_DonateWithControlDependency_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_Buffer *buffer;
    void *callback_data; /* out, owned until the callback is called with it */
    /* out, static */
    void (*dependency_ready_callback)(PJRT_Buffer_DonateWithControlDependency_Callback_Args *args);
    PJRT_Buffer *out_buffer; /* out, owned */
} PJRT_Buffer_DonateWithControlDependency_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Buffer_DonateWithControlDependency_Args, out_buffer);
typedef PJRT_Error *
PJRT_Buffer_DonateWithControlDependency(PJRT_Buffer_DonateWithControlDependency_Args *args);

/* ---- Copy-to-device stream ------------------------------------------------------------------- */

/* The bytes of one receive operation, on their way from the host into a running program. A stream
 * belongs to one thread at a time. */

/* Frees a stream. When it has not received all its bytes, the execution that waits for them
 * fails. */
typedef struct PJRT_CopyToDeviceStream_Destroy_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_CopyToDeviceStream *stream; /* moved */
} PJRT_CopyToDeviceStream_Destroy_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_CopyToDeviceStream_Destroy_Args, stream);
typedef PJRT_Error *PJRT_CopyToDeviceStream_Destroy(PJRT_CopyToDeviceStream_Destroy_Args *args);

/* Adds the next bytes. INVALID_ARGUMENT when the size is no multiple of the granule, unless it
 * completes the stream, or when it would exceed the total. */
typedef struct PJRT_CopyToDeviceStream_AddChunk_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_CopyToDeviceStream *stream;
    PJRT_Chunk *chunk;             /* the struct is borrowed, its data are moved, even on error */
    PJRT_Event *transfer_complete; /* out, owned: ready when the bytes have arrived */
} PJRT_CopyToDeviceStream_AddChunk_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_CopyToDeviceStream_AddChunk_Args, transfer_complete);
typedef PJRT_Error *PJRT_CopyToDeviceStream_AddChunk(PJRT_CopyToDeviceStream_AddChunk_Args *args);

/* Returns the bytes the program waits for. */
typedef struct PJRT_CopyToDeviceStream_TotalBytes_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_CopyToDeviceStream *stream;
    int64_t total_bytes; /* out */
} PJRT_CopyToDeviceStream_TotalBytes_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_CopyToDeviceStream_TotalBytes_Args, total_bytes);
typedef PJRT_Error *
PJRT_CopyToDeviceStream_TotalBytes(PJRT_CopyToDeviceStream_TotalBytes_Args *args);

/* Returns the bytes of which a chunk must hold a multiple. */
typedef struct PJRT_CopyToDeviceStream_GranuleSize_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_CopyToDeviceStream *stream;
    int64_t granule_size_in_bytes; /* out */
} PJRT_CopyToDeviceStream_GranuleSize_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_CopyToDeviceStream_GranuleSize_Args, granule_size_in_bytes);
typedef PJRT_Error *
PJRT_CopyToDeviceStream_GranuleSize(PJRT_CopyToDeviceStream_GranuleSize_Args *args);

/* Returns the bytes added so far. */
typedef struct PJRT_CopyToDeviceStream_CurrentBytes_Args {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    PJRT_CopyToDeviceStream *stream;
    int64_t current_bytes; /* out */
} PJRT_CopyToDeviceStream_CurrentBytes_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_CopyToDeviceStream_CurrentBytes_Args, current_bytes);
typedef PJRT_Error *
PJRT_CopyToDeviceStream_CurrentBytes(PJRT_CopyToDeviceStream_CurrentBytes_Args *args);

/* ---- The table ------------------------------------------------------------------------------- */

/* A member of a table has the name of its function type; C++ wants that type's name qualified. Also
 * used by the extensions' headers. */
#ifdef __cplusplus
#define PJRT_API_MEMBER(function) ::function *function
#else
#define PJRT_API_MEMBER(function) function *function
#endif

/* What a plugin offers. The table is static and constant. Members are in the order in which they
 * were added to the interface, and new ones come at the end; a function that a plugin does not
 * support is nevertheless there, and returns UNIMPLEMENTED. A client calls only members that the
 * plugin's minor version, and its own, have. */
typedef struct PJRT_Api {
    size_t struct_size;                   /* PJRT_Api_STRUCT_SIZE */
    PJRT_Extension_Base *extension_start; /* static; the plugin's extensions */
    PJRT_Api_Version pjrt_api_version;    /* what the client goes by */
    PJRT_API_MEMBER(PJRT_Error_Destroy);
    PJRT_API_MEMBER(PJRT_Error_Message);
    PJRT_API_MEMBER(PJRT_Error_GetCode);
    PJRT_API_MEMBER(PJRT_Plugin_Initialize);
    PJRT_API_MEMBER(PJRT_Plugin_Attributes);
    PJRT_API_MEMBER(PJRT_Event_Destroy);
    PJRT_API_MEMBER(PJRT_Event_IsReady);
    PJRT_API_MEMBER(PJRT_Event_Error);
    PJRT_API_MEMBER(PJRT_Event_Await);
    PJRT_API_MEMBER(PJRT_Event_OnReady);
    PJRT_API_MEMBER(PJRT_Client_Create);
    PJRT_API_MEMBER(PJRT_Client_Destroy);
    PJRT_API_MEMBER(PJRT_Client_PlatformName);
    PJRT_API_MEMBER(PJRT_Client_ProcessIndex);
    PJRT_API_MEMBER(PJRT_Client_PlatformVersion);
    PJRT_API_MEMBER(PJRT_Client_Devices);
    PJRT_API_MEMBER(PJRT_Client_AddressableDevices);
    PJRT_API_MEMBER(PJRT_Client_LookupDevice);
    PJRT_API_MEMBER(PJRT_Client_LookupAddressableDevice);
    PJRT_API_MEMBER(PJRT_Client_AddressableMemories);
    PJRT_API_MEMBER(PJRT_Client_Compile);
    PJRT_API_MEMBER(PJRT_Client_DefaultDeviceAssignment);
    PJRT_API_MEMBER(PJRT_Client_BufferFromHostBuffer);
    PJRT_API_MEMBER(PJRT_DeviceDescription_Id);
    PJRT_API_MEMBER(PJRT_DeviceDescription_ProcessIndex);
    PJRT_API_MEMBER(PJRT_DeviceDescription_Attributes);
    PJRT_API_MEMBER(PJRT_DeviceDescription_Kind);
    PJRT_API_MEMBER(PJRT_DeviceDescription_DebugString);
    PJRT_API_MEMBER(PJRT_DeviceDescription_ToString);
    PJRT_API_MEMBER(PJRT_Device_GetDescription);
    PJRT_API_MEMBER(PJRT_Device_IsAddressable);
    PJRT_API_MEMBER(PJRT_Device_LocalHardwareId);
    PJRT_API_MEMBER(PJRT_Device_AddressableMemories);
    PJRT_API_MEMBER(PJRT_Device_DefaultMemory);
    PJRT_API_MEMBER(PJRT_Device_MemoryStats);
    PJRT_API_MEMBER(PJRT_Memory_Id);
    PJRT_API_MEMBER(PJRT_Memory_Kind);
    PJRT_API_MEMBER(PJRT_Memory_DebugString);
    PJRT_API_MEMBER(PJRT_Memory_ToString);
    PJRT_API_MEMBER(PJRT_Memory_AddressableByDevices);
    PJRT_API_MEMBER(PJRT_Executable_Destroy);
    PJRT_API_MEMBER(PJRT_Executable_Name);
    PJRT_API_MEMBER(PJRT_Executable_NumReplicas);
    PJRT_API_MEMBER(PJRT_Executable_NumPartitions);
    PJRT_API_MEMBER(PJRT_Executable_NumOutputs);
    PJRT_API_MEMBER(PJRT_Executable_SizeOfGeneratedCodeInBytes);
    PJRT_API_MEMBER(PJRT_Executable_GetCostAnalysis);
    PJRT_API_MEMBER(PJRT_Executable_OutputMemoryKinds);
    PJRT_API_MEMBER(PJRT_Executable_OptimizedProgram);
    PJRT_API_MEMBER(PJRT_Executable_Serialize);
    PJRT_API_MEMBER(PJRT_LoadedExecutable_Destroy);
    PJRT_API_MEMBER(PJRT_LoadedExecutable_GetExecutable);
    PJRT_API_MEMBER(PJRT_LoadedExecutable_AddressableDevices);
    PJRT_API_MEMBER(PJRT_LoadedExecutable_Delete);
    PJRT_API_MEMBER(PJRT_LoadedExecutable_IsDeleted);
    PJRT_API_MEMBER(PJRT_LoadedExecutable_Execute);
    PJRT_API_MEMBER(PJRT_Executable_DeserializeAndLoad);
    PJRT_API_MEMBER(PJRT_LoadedExecutable_Fingerprint);
    PJRT_API_MEMBER(PJRT_Buffer_Destroy);
    PJRT_API_MEMBER(PJRT_Buffer_ElementType);
    PJRT_API_MEMBER(PJRT_Buffer_Dimensions);
    PJRT_API_MEMBER(PJRT_Buffer_UnpaddedDimensions);
    PJRT_API_MEMBER(PJRT_Buffer_DynamicDimensionIndices);
    PJRT_API_MEMBER(PJRT_Buffer_GetMemoryLayout);
    PJRT_API_MEMBER(PJRT_Buffer_OnDeviceSizeInBytes);
    PJRT_API_MEMBER(PJRT_Buffer_Device);
    PJRT_API_MEMBER(PJRT_Buffer_Memory);
    PJRT_API_MEMBER(PJRT_Buffer_Delete);
    PJRT_API_MEMBER(PJRT_Buffer_IsDeleted);
    PJRT_API_MEMBER(PJRT_Buffer_CopyToDevice);
    PJRT_API_MEMBER(PJRT_Buffer_ToHostBuffer);
    PJRT_API_MEMBER(PJRT_Buffer_IsOnCpu);
    PJRT_API_MEMBER(PJRT_Buffer_ReadyEvent);
    PJRT_API_MEMBER(PJRT_Buffer_UnsafePointer);
    PJRT_API_MEMBER(PJRT_Buffer_IncreaseExternalReferenceCount);
    PJRT_API_MEMBER(PJRT_Buffer_DecreaseExternalReferenceCount);
    PJRT_API_MEMBER(PJRT_Buffer_OpaqueDeviceMemoryDataPointer);
    PJRT_API_MEMBER(PJRT_CopyToDeviceStream_Destroy);
    PJRT_API_MEMBER(PJRT_CopyToDeviceStream_AddChunk);
    PJRT_API_MEMBER(PJRT_CopyToDeviceStream_TotalBytes);
    PJRT_API_MEMBER(PJRT_CopyToDeviceStream_GranuleSize);
    PJRT_API_MEMBER(PJRT_CopyToDeviceStream_CurrentBytes);
    PJRT_API_MEMBER(PJRT_TopologyDescription_Create);
    PJRT_API_MEMBER(PJRT_TopologyDescription_Destroy);
    PJRT_API_MEMBER(PJRT_TopologyDescription_PlatformName);
    PJRT_API_MEMBER(PJRT_TopologyDescription_PlatformVersion);
    PJRT_API_MEMBER(PJRT_TopologyDescription_GetDeviceDescriptions);
    PJRT_API_MEMBER(PJRT_TopologyDescription_Serialize);
    PJRT_API_MEMBER(PJRT_TopologyDescription_Attributes);
    PJRT_API_MEMBER(PJRT_Compile);
    PJRT_API_MEMBER(PJRT_Executable_OutputElementTypes);
    PJRT_API_MEMBER(PJRT_Executable_OutputDimensions);
    PJRT_API_MEMBER(PJRT_Buffer_CopyToMemory);
    PJRT_API_MEMBER(PJRT_Client_CreateViewOfDeviceBuffer);
    PJRT_API_MEMBER(PJRT_Executable_Fingerprint);
    PJRT_API_MEMBER(PJRT_Client_TopologyDescription);
    PJRT_API_MEMBER(PJRT_Executable_GetCompiledMemoryStats);
    PJRT_API_MEMBER(PJRT_Memory_Kind_Id);
    PJRT_API_MEMBER(PJRT_ExecuteContext_Create);
    PJRT_API_MEMBER(PJRT_ExecuteContext_Destroy);
    PJRT_API_MEMBER(PJRT_Buffer_CopyRawToHost);
    PJRT_API_MEMBER(PJRT_AsyncHostToDeviceTransferManager_Destroy);
    PJRT_API_MEMBER(PJRT_AsyncHostToDeviceTransferManager_TransferData);
    PJRT_API_MEMBER(PJRT_Client_CreateBuffersForAsyncHostToDevice);
    PJRT_API_MEMBER(PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer);
    PJRT_API_MEMBER(PJRT_AsyncHostToDeviceTransferManager_Device);
    PJRT_API_MEMBER(PJRT_AsyncHostToDeviceTransferManager_BufferCount);
    PJRT_API_MEMBER(PJRT_AsyncHostToDeviceTransferManager_BufferSize);
    PJRT_API_MEMBER(PJRT_AsyncHostToDeviceTransferManager_SetBufferError);
    PJRT_API_MEMBER(PJRT_AsyncHostToDeviceTransferManager_AddMetadata);
    PJRT_API_MEMBER(PJRT_Client_DmaMap);
    PJRT_API_MEMBER(PJRT_Client_DmaUnmap);
    PJRT_API_MEMBER(PJRT_Client_CreateUninitializedBuffer);
    PJRT_API_MEMBER(PJRT_Client_UpdateGlobalProcessInfo);
    PJRT_API_MEMBER(PJRT_TopologyDescription_Deserialize);
    PJRT_API_MEMBER(PJRT_Client_CreateAliasBuffer);
    PJRT_API_MEMBER(PJRT_Client_FulfillAliasBuffer);
    PJRT_API_MEMBER(PJRT_LoadedExecutable_GetDeviceAssignment);
    PJRT_API_MEMBER(PJRT_Client_CreateErrorBuffer);
    PJRT_API_MEMBER(PJRT_AsyncHostToDeviceTransferManager_TransferLiteral);
    PJRT_API_MEMBER(PJRT_Buffer_CopyRawToHostFuture);
    PJRT_API_MEMBER(PJRT_Device_PoisonExecution);
    PJRT_API_MEMBER(PJRT_Device_CreateAsyncTrackingEvent);
    PJRT_API_MEMBER(PJRT_AsyncTrackingEvent_Destroy);
    PJRT_API_MEMBER(PJRT_Executable_GetCompileOptions);
    PJRT_API_MEMBER(PJRT_Buffer_DonateWithControlDependency);
    PJRT_API_MEMBER(PJRT_Event_Create);
    PJRT_API_MEMBER(PJRT_Event_Set);
    PJRT_API_MEMBER(PJRT_Device_GetAttributes);
    PJRT_API_MEMBER(PJRT_Client_Load);
    PJRT_API_MEMBER(PJRT_LoadedExecutable_AddressableDeviceLogicalIds);
    PJRT_API_MEMBER(PJRT_Buffer_Bitcast);
    PJRT_API_MEMBER(PJRT_Error_ForEachPayload);
    PJRT_API_MEMBER(PJRT_TopologyDescription_Fingerprint);
    PJRT_API_MEMBER(PJRT_Executable_ParameterMemoryKinds);
    PJRT_API_MEMBER(PJRT_Device_ClearMemoryStats);
    PJRT_API_MEMBER(PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace);
    PJRT_API_MEMBER(PJRT_TopologyDescription_GetMemorySpaceKindIds);
} PJRT_Api;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Api, PJRT_TopologyDescription_GetMemorySpaceKindIds);

/* The plugin's only exported symbol: returns its table, the same one with each call. Does no other
 * work: clients call it to probe, and may unload the library afterwards. Never NULL in Gantry. */
const PJRT_Api *GetPjrtApi(void);

#ifdef __cplusplus
}
#endif

/* ---- Layout pins --------------------------------------------------------------------------- */

/* On 64-bit targets these hold for 0.117 wherever it was compiled. If one fails, the interface was
 * broken, not the assertion. */
#if UINTPTR_MAX == UINT64_MAX
#ifdef __cplusplus
#define PJRT_PIN(condition) static_assert(condition, #condition)
#else
#define PJRT_PIN(condition) _Static_assert(condition, #condition)
#endif
PJRT_PIN(sizeof(PJRT_Api) == 1144);
PJRT_PIN(offsetof(PJRT_Api, PJRT_Error_Destroy) == 40);
PJRT_PIN(offsetof(PJRT_Api, PJRT_Client_Create) == 120);
PJRT_PIN(offsetof(PJRT_Api, PJRT_Client_Compile) == 200);
PJRT_PIN(offsetof(PJRT_Api, PJRT_LoadedExecutable_Execute) == 480);
PJRT_PIN(offsetof(PJRT_Api, PJRT_Buffer_ToHostBuffer) == 600);
PJRT_PIN(offsetof(PJRT_Api, PJRT_Compile) == 752);
PJRT_PIN(offsetof(PJRT_Api, PJRT_Client_DmaMap) == 920);
PJRT_PIN(offsetof(PJRT_Api, PJRT_Event_Create) == 1048);
PJRT_PIN(offsetof(PJRT_Api, PJRT_Executable_ParameterMemoryKinds) == 1112);
PJRT_PIN(offsetof(PJRT_Api, PJRT_TopologyDescription_GetMemorySpaceKindIds) == 1136);
PJRT_PIN(sizeof(PJRT_Extension_Base) == 24);
PJRT_PIN(sizeof(PJRT_Api_Version) == 24);
PJRT_PIN(sizeof(PJRT_NamedValue) == 56);
PJRT_PIN(sizeof(PJRT_Buffer_MemoryLayout) == 80);
PJRT_PIN(sizeof(PJRT_Program) == 48);
PJRT_PIN(sizeof(PJRT_Chunk) == 32);
PJRT_PIN(sizeof(PJRT_ExecuteOptions) == 160);
PJRT_PIN(offsetof(PJRT_NamedValue, value_size) == 48);
PJRT_PIN(offsetof(PJRT_Client_Create_Args, client) == 64);
PJRT_PIN(offsetof(PJRT_Client_BufferFromHostBuffer_Args, buffer) == 112);
PJRT_PIN(offsetof(PJRT_LoadedExecutable_Execute_Args, execute_device) == 72);
PJRT_PIN(offsetof(PJRT_ExecuteOptions, multi_slice_config) == 112);
PJRT_PIN(offsetof(PJRT_Device_MemoryStats_Args, peak_pool_bytes_is_set) == 184);
PJRT_PIN(offsetof(PJRT_Buffer_MemoryLayout, type) == 72);
PJRT_PIN(PJRT_Error_GetCode_Args_STRUCT_SIZE == 28);
PJRT_PIN(PJRT_Event_IsReady_Args_STRUCT_SIZE == 25);
PJRT_PIN(PJRT_Device_MemoryStats_Args_STRUCT_SIZE == 201);
PJRT_PIN(PJRT_Api_STRUCT_SIZE == 1144);
#undef PJRT_PIN
#endif

#endif
