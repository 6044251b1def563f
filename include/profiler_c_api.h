/* profiler_c_api.h: a plugin's profiler (version 1), found through PJRT_Profiler_Extension.
 *
 * A session goes Create, Start, Stop, CollectData, Destroy. What it collects is a serialized
 * tensorflow.profiler.XSpace message: planes (one per device or host), lines, and events with times
 * in picoseconds.
 *
 * Calls are as in pjrt_c_api.h: one pointer to an argument struct owned by the caller, whose
 * struct_size says how far it reaches; fields marked "out" are filled by the plugin; NULL is
 * success. The words owned, borrowed, static and moved mean the same. Errors are objects of their
 * own type, since a profiler may live in another library than the rest of a plugin.
 *
 * Threads: different sessions may be used at the same time; the calls of one session come one after
 * the other. Errors may be used by one thread at a time. */
#ifndef GANTRY_PROFILER_C_API_H
#define GANTRY_PROFILER_C_API_H

#include <stddef.h>
#include <stdint.h>

/* The version this header describes. */
#define PLUGIN_PROFILER_VERSION 1

/* The constant X_STRUCT_SIZE: bytes up to the end of the last field. */
#define PROFILER_DEFINE_STRUCT_TRAITS(type, last_field)                                            \
    enum { type##_STRUCT_SIZE = offsetof(type, last_field) + sizeof(((type *)0)->last_field) }

#ifdef __cplusplus
extern "C" {
#endif

/* A profiling session. */
typedef struct PLUGIN_Profiler PLUGIN_Profiler;
/* What went wrong: code and message. */
typedef struct PLUGIN_Profiler_Error PLUGIN_Profiler_Error;

/* Frees an error. It cannot fail. */
typedef struct PLUGIN_Profiler_Error_Destroy_Args {
    size_t struct_size;
    void *priv;                   /* not used; NULL */
    PLUGIN_Profiler_Error *error; /* moved; NULL is accepted */
} PLUGIN_Profiler_Error_Destroy_Args;
PROFILER_DEFINE_STRUCT_TRAITS(PLUGIN_Profiler_Error_Destroy_Args, error);
typedef void PLUGIN_Profiler_Error_Destroy(PLUGIN_Profiler_Error_Destroy_Args *args);

/* Returns the text of an error. It cannot fail. */
typedef struct PLUGIN_Profiler_Error_Message_Args {
    size_t struct_size;
    void *priv; /* not used; NULL */
    const PLUGIN_Profiler_Error *error;
    const char *message; /* out, borrowed until the error is destroyed */
    size_t message_size; /* out, bytes without a NUL */
} PLUGIN_Profiler_Error_Message_Args;
PROFILER_DEFINE_STRUCT_TRAITS(PLUGIN_Profiler_Error_Message_Args, message_size);
typedef void PLUGIN_Profiler_Error_Message(PLUGIN_Profiler_Error_Message_Args *args);

/* Returns the kind of an error. */
typedef struct PLUGIN_Profiler_Error_GetCode_Args {
    size_t struct_size;
    void *priv; /* not used; NULL */
    const PLUGIN_Profiler_Error *error;
    int code; /* out: a number of PJRT_Error_Code, never 0 */
} PLUGIN_Profiler_Error_GetCode_Args;
PROFILER_DEFINE_STRUCT_TRAITS(PLUGIN_Profiler_Error_GetCode_Args, code);
typedef PLUGIN_Profiler_Error *
PLUGIN_Profiler_Error_GetCode(PLUGIN_Profiler_Error_GetCode_Args *args);

/* Creates a session that does not record yet. */
typedef struct PLUGIN_Profiler_Create_Args {
    size_t struct_size;
    /* serialized tensorflow.ProfileOptions; borrowed for the call; may be empty */
    const char *options;
    size_t options_size;       /* bytes */
    PLUGIN_Profiler *profiler; /* out, owned */
} PLUGIN_Profiler_Create_Args;
PROFILER_DEFINE_STRUCT_TRAITS(PLUGIN_Profiler_Create_Args, profiler);
typedef PLUGIN_Profiler_Error *PLUGIN_Profiler_Create(PLUGIN_Profiler_Create_Args *args);

/* Frees a session, stopping it first if it records. */
typedef struct PLUGIN_Profiler_Destroy_Args {
    size_t struct_size;
    PLUGIN_Profiler *profiler; /* moved; NULL is accepted */
} PLUGIN_Profiler_Destroy_Args;
PROFILER_DEFINE_STRUCT_TRAITS(PLUGIN_Profiler_Destroy_Args, profiler);
typedef PLUGIN_Profiler_Error *PLUGIN_Profiler_Destroy(PLUGIN_Profiler_Destroy_Args *args);

/* Starts recording. Does nothing when the session records already. What an earlier start of the
 * same session recorded is dropped. */
typedef struct PLUGIN_Profiler_Start_Args {
    size_t struct_size;
    PLUGIN_Profiler *profiler;
} PLUGIN_Profiler_Start_Args;
PROFILER_DEFINE_STRUCT_TRAITS(PLUGIN_Profiler_Start_Args, profiler);
typedef PLUGIN_Profiler_Error *PLUGIN_Profiler_Start(PLUGIN_Profiler_Start_Args *args);

/* Stops recording. Does nothing when the session does not record. */
typedef struct PLUGIN_Profiler_Stop_Args {
    size_t struct_size;
    PLUGIN_Profiler *profiler;
} PLUGIN_Profiler_Stop_Args;
PROFILER_DEFINE_STRUCT_TRAITS(PLUGIN_Profiler_Stop_Args, profiler);
typedef PLUGIN_Profiler_Error *PLUGIN_Profiler_Stop(PLUGIN_Profiler_Stop_Args *args);

/* Returns what a stopped session recorded. With `buffer` NULL, the plugin serializes into memory of
 * its own and points `buffer` at it; with `buffer` set, it fills that. Callers that want the bytes
 * in memory of their own therefore call twice: for the size, then for the bytes. Nothing recorded
 * is a message of 0 bytes. PJRT_Error_Code_FAILED_PRECONDITION while the session records. */
typedef struct PLUGIN_Profiler_CollectData_Args {
    size_t struct_size;
    PLUGIN_Profiler *profiler;
    /* in and out: NULL, then out, borrowed until the session is destroyed or started again; or the
     * caller's */
    uint8_t *buffer;
    /* in: bytes at `buffer`, when that is not NULL; out: bytes of the message */
    size_t buffer_size_in_bytes;
} PLUGIN_Profiler_CollectData_Args;
PROFILER_DEFINE_STRUCT_TRAITS(PLUGIN_Profiler_CollectData_Args, buffer_size_in_bytes);
typedef PLUGIN_Profiler_Error *PLUGIN_Profiler_CollectData(PLUGIN_Profiler_CollectData_Args *args);

/* The profiler: functions in the order of their addition. Static and constant. */
typedef struct PLUGIN_Profiler_Api {
    size_t struct_size; /* PLUGIN_Profiler_Api_STRUCT_SIZE */
    void *priv;         /* not used; NULL */
    PLUGIN_Profiler_Error_Destroy *error_destroy;
    PLUGIN_Profiler_Error_Message *error_message;
    PLUGIN_Profiler_Error_GetCode *error_get_code;
    PLUGIN_Profiler_Create *create;
    PLUGIN_Profiler_Destroy *destroy;
    PLUGIN_Profiler_Start *start;
    PLUGIN_Profiler_Stop *stop;
    PLUGIN_Profiler_CollectData *collect_data;
} PLUGIN_Profiler_Api;
PROFILER_DEFINE_STRUCT_TRAITS(PLUGIN_Profiler_Api, collect_data);

#ifdef __cplusplus
}
#endif

#endif
