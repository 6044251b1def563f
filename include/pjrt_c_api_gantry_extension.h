/* pjrt_c_api_gantry_extension.h: reports of a plugin for Gantry's own tools, as JSON. Other plugins
 * do not have it. Its type number is outside the range that openxla assigns; readers must check
 * `name` and `version`, too, since another plugin may use the number for another extension.
 *
 * The rules of pjrt_c_api.h on struct_size, errors, ownership and threads hold here; these argument
 * structs have no extension_start. */
#ifndef GANTRY_PJRT_C_API_GANTRY_EXTENSION_H
#define GANTRY_PJRT_C_API_GANTRY_EXTENSION_H

#include <stddef.h>

#include "pjrt_c_api.h"

#define PJRT_EXTENSION_TYPE_GANTRY ((PJRT_Extension_Type)0x47414e54)
#define PJRT_API_GANTRY_EXTENSION_NAME "gantry"
#define PJRT_API_GANTRY_EXTENSION_VERSION 1

#ifdef __cplusplus
extern "C" {
#endif

/* A text in UTF-8, JSON, owned by the caller: deleter(holder). */
typedef struct PJRT_Gantry_Json {
    const char *text;
    size_t size;
    void *holder;
    void (*deleter)(void *holder);
} PJRT_Gantry_Json;

/* The machine as the plugin sees it: packages, memory nodes, caches, cores, the cores of workers,
 * pools of host memory, devices and their memories. */
typedef struct PJRT_Gantry_Machine_Args {
    size_t struct_size;
    PJRT_Client *client;
    PJRT_Gantry_Json json; /* out */
} PJRT_Gantry_Machine_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Gantry_Machine_Args, json);
typedef PJRT_Error *PJRT_Gantry_Machine(PJRT_Gantry_Machine_Args *args);

/* The current users of each memory of a device: the largest live buffers with their origins. */
typedef struct PJRT_Gantry_LiveBuffers_Args {
    size_t struct_size;
    PJRT_Device *device;
    PJRT_Gantry_Json json; /* out */
} PJRT_Gantry_LiveBuffers_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Gantry_LiveBuffers_Args, json);
typedef PJRT_Error *PJRT_Gantry_LiveBuffers(PJRT_Gantry_LiveBuffers_Args *args);

/* The memory plan of a program: the memory that it needs, by use. */
typedef struct PJRT_Gantry_Plan_Args {
    size_t struct_size;
    PJRT_Executable *executable;
    PJRT_Gantry_Json json; /* out */
} PJRT_Gantry_Plan_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Gantry_Plan_Args, json);
typedef PJRT_Error *PJRT_Gantry_Plan(PJRT_Gantry_Plan_Args *args);

/* The functions of a program, which is read and verified, but not compiled: names, and the types of
 * arguments and results. Borrows the program for the call. */
typedef struct PJRT_Gantry_Signature_Args {
    size_t struct_size;
    const PJRT_Program *program;
    PJRT_Gantry_Json json; /* out */
} PJRT_Gantry_Signature_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Gantry_Signature_Args, json);
typedef PJRT_Error *PJRT_Gantry_Signature(PJRT_Gantry_Signature_Args *args);

/* With GANTRY_TOP=1 a process sends the report of PJRT_Gantry_Metrics over a socket in Linux's
 * abstract namespace: this name, followed by the process id in decimal. */
#define PJRT_GANTRY_TOP_SOCKET "gantry-top-"

/* Compilations with the reasons of recompilations, executions, transfers and the current work of
 * the devices, for all clients of this process. Executions are timed from the first call on. */
typedef struct PJRT_Gantry_Metrics_Args {
    size_t struct_size;
    PJRT_Gantry_Json json; /* out */
} PJRT_Gantry_Metrics_Args;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Gantry_Metrics_Args, json);
typedef PJRT_Error *PJRT_Gantry_Metrics(PJRT_Gantry_Metrics_Args *args);

/* The extension: functions in the order of their addition. Static and constant. */
typedef struct PJRT_Gantry_Extension {
    PJRT_Extension_Base base; /* type is PJRT_EXTENSION_TYPE_GANTRY */
    const char *name;         /* PJRT_API_GANTRY_EXTENSION_NAME */
    int version;              /* PJRT_API_GANTRY_EXTENSION_VERSION */
    PJRT_Gantry_Machine *machine;
    PJRT_Gantry_LiveBuffers *live_buffers;
    PJRT_Gantry_Plan *plan;
    PJRT_Gantry_Signature *signature;
    PJRT_Gantry_Metrics *metrics;
} PJRT_Gantry_Extension;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Gantry_Extension, metrics);

#ifdef __cplusplus
}
#endif

#endif
