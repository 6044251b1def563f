/* loader.c: the plugin file that clients open. It exports GetPjrtApi, which loads the device
 * library next to this file and returns that library's table. Loading the plugin itself does
 * nothing.
 *
 * Which library: $GANTRY_DEVICE; else "tpu" if the file's name contains it (the name by which it
 * was opened, or the resolved name after symbolic links, without folders); else $PJRT_DEVICE if it
 * is CPU or TPU; else "cpu". The libraries are searched for next to the resolved file, then next to
 * the name by which it was opened.
 *
 * If the library is missing or from another build, GetPjrtApi returns a table whose functions all
 * return an error that says what is wrong and what to do. This file links no part of Gantry other
 * than base/library_file.c, so it reads the environment itself. */
#include <ctype.h>
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/library_file.h"
#include "devices/registry.h"
#include "pjrt_c_api.h"
#include "version.h"

struct device_library;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const PJRT_Api *table;
static void *handle; /* handle of the device library; closed with this file */

/* ---- table for a missing library ------------------------------------------------------------- */
static char message[3 * PATH_MAX + 512];
static PJRT_Error_Code message_code = PJRT_Error_Code_NOT_FOUND;

static void vtable_destroy(PJRT_Error *error)
{
    (void)error;
}

static void vtable_message(const PJRT_Error *error, const char **text, size_t *size)
{
    (void)error;
    *text = message;
    *size = strlen(message);
}

static PJRT_Error_Code vtable_get_code(const PJRT_Error *error)
{
    (void)error;
    return message_code;
}

static void vtable_for_each_payload(const PJRT_Error *error, PJRT_Error_PayloadVisitor visitor,
                                    void *arg)
{
    (void)error, (void)visitor, (void)arg;
}

static PJRT_Error *missing(void)
{
    static const PJRT_Error_FunctionTable functions = {
        .struct_size = PJRT_Error_FunctionTable_STRUCT_SIZE,
        .instance_size = PJRT_Error_STRUCT_SIZE,
        .destroy = vtable_destroy,
        .message = vtable_message,
        .get_code = vtable_get_code,
        .for_each_payload = vtable_for_each_payload,
    };
    static PJRT_Error error = {&functions}; /* one shared error, never freed */
    return &error;
}

static void missing_destroy(PJRT_Error_Destroy_Args *args)
{
    (void)args;
}

static void missing_message(PJRT_Error_Message_Args *args)
{
    vtable_message(args->error, &args->message, &args->message_size);
}

static PJRT_Error *missing_code(PJRT_Error_GetCode_Args *args)
{
    args->code = message_code;
    return NULL;
}

static PJRT_Error *missing_payload(PJRT_Error_ForEachPayload_Args *args)
{
    (void)args;
    return NULL;
}

#define API(member, function)                                                                      \
    static PJRT_Error *missing_##member(member##_Args *args)                                       \
    {                                                                                              \
        (void)args;                                                                                \
        return missing();                                                                          \
    }
#define ERROR_API(member, function)
#define LIBRARY API
#define UNSUPPORTED(member) API(member, )
#include "plugin/api.def"
#undef API

#define API(member, function) .member = missing_##member,
static const PJRT_Api missing_table = {
    .struct_size = PJRT_Api_STRUCT_SIZE,
    .pjrt_api_version = {.struct_size = PJRT_Api_Version_STRUCT_SIZE,
                         .major_version = PJRT_API_MAJOR,
                         .minor_version = PJRT_API_MINOR},
    .PJRT_Error_Destroy = missing_destroy,
    .PJRT_Error_Message = missing_message,
    .PJRT_Error_GetCode = missing_code,
    .PJRT_Error_ForEachPayload = missing_payload,
#include "plugin/api.def"
};
#undef API
#undef ERROR_API
#undef LIBRARY
#undef UNSUPPORTED

/* ---- device selection ------------------------------------------------------------------------ */
static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The device's name in lower case. Other characters of the variable become '_', since they cannot
 * be part of a library's name. */
static void to_name(const char *text, char *out, size_t capacity)
{
    size_t size = 0;
    for (; *text && size + 1 < capacity; text++)
        out[size++] = isalnum((unsigned char)*text) ? (char)tolower((unsigned char)*text) : '_';
    out[size] = '\0';
}

/* A device other than the default one whose name is part of either file name; NULL: none. */
static const struct registry_device *find_in_names(const char *opened, const char *real)
{
    for (int i = 1; i < REGISTRY_COUNT; i++) {
        const struct registry_device *device = registry_device(i);
        if (*device->choice &&
            (strstr(base_name(opened), device->name) || strstr(base_name(real), device->name)))
            return device;
    }
    return NULL;
}

static void choose_device(const char *opened, const char *real, char *out, size_t capacity)
{
    const char *own = getenv("GANTRY_DEVICE"), *shared = getenv("PJRT_DEVICE");
    const struct registry_device *device = find_in_names(opened, real);
    if (!device && shared)
        device = registry_find_choice(shared);
    if (!device)
        device = registry_device(0);
    to_name(own && *own ? own : device->name, out, capacity);
}

/* ---- opening --------------------------------------------------------------------------------- */
static bool is_device(const char *name)
{
    for (int i = 0; i < REGISTRY_COUNT; i++)
        if (*registry_device(i)->choice && !strcmp(name, registry_device(i)->name))
            return true;
    return false;
}

/* "cpu or tpu": the devices that a user can select. */
static const char *device_names(char *out, size_t capacity)
{
    size_t size = 0;
    out[0] = '\0';
    for (int i = 0; i < REGISTRY_COUNT; i++)
        if (*registry_device(i)->choice && size < capacity)
            size += (size_t)snprintf(out + size, capacity - size, "%s%s", size ? " or " : "",
                                     registry_device(i)->name);
    return out;
}

/* What a user can do about a library that dlopen rejects. */
static const char *advice(const char *path, const char *reason)
{
    if (access(path, F_OK))
        return "Keep the files of one build together, or install Gantry again; a symbolic link to "
               "the plugin is fine, a copy of it alone is not";
    if (strstr(reason, "version `GANTRY"))
        return "The files in its folder are of different versions: install one version again";
    return "A library that it needs is missing or too old: install that one, or Gantry's wheel, "
           "which contains all of them except libc";
}

struct attempt {
    char path[PATH_MAX + 64];        /* path of the device library */
    char reason[2 * PATH_MAX + 256]; /* why it was not loaded; empty if it was */
};

/* Loads the device library, after checking the core library, which is loaded with it. */
static void *open_beside(const char *file, const char *device, struct attempt *attempt)
{
    int folder = (int)(base_name(file) - file);
    char core[PATH_MAX + 64];
    snprintf(core, sizeof core, "%.*slibgantry.so", folder, file);
    snprintf(attempt->path, sizeof attempt->path, "%.*slibgantry_%s.so", folder, file, device);
    attempt->reason[0] = '\0';
    if (!library_file_sound(core, attempt->reason, sizeof attempt->reason) ||
        !library_file_sound(attempt->path, attempt->reason, sizeof attempt->reason))
        return NULL;
    void *library = dlopen(attempt->path, RTLD_NOW | RTLD_LOCAL);
    const char *reason = library ? NULL : dlerror();
    if (!library)
        snprintf(attempt->reason, sizeof attempt->reason,
                 "%s. It should be next to the plugin, "
                 "as %s. %s",
                 reason ? reason : "the reason is unknown", attempt->path,
                 advice(attempt->path, reason ? reason : ""));
    return library;
}

static void cannot_open(const char *path, const char *device, const char *reason)
{
    char names[128];
    if (!is_device(device) && access(path, F_OK)) {
        message_code = PJRT_Error_Code_INVALID_ARGUMENT;
        snprintf(
            message, sizeof message,
            "GANTRY_DEVICE is '%s', which is not a device of Gantry: use %s, or leave it unset",
            getenv("GANTRY_DEVICE"), device_names(names, sizeof names));
        return;
    }
    snprintf(message, sizeof message, "Gantry's library for the device '%s' cannot be opened: %s",
             device, reason);
}

typedef const char *build_function(void);

/* The build that a library reports; libraries of early versions do not report one. */
static const char *build_of(void *library, const char *name, char *file, size_t capacity)
{
    build_function *get;
    Dl_info info;
    *(void **)&get = dlsym(library, name);
    bool found = get && dladdr((void *)(uintptr_t)get, &info) && info.dli_fname;
    snprintf(file, capacity, "%s", found ? info.dli_fname : name);
    return get ? get() : "unknown";
}

/* Whether core and device library have this file's build. The core may have been loaded before. */
static bool of_one_build(void *library, const char *device)
{
    char name[64], core_file[PATH_MAX], device_file[PATH_MAX];
    snprintf(name, sizeof name, "%s_build", device);
    const char *core = build_of(library, "plugin_build", core_file, sizeof core_file);
    const char *own = build_of(library, name, device_file, sizeof device_file);
    if (!strcmp(core, GANTRY_BUILD_ID) && !strcmp(own, GANTRY_BUILD_ID))
        return true;
    message_code = PJRT_Error_Code_FAILED_PRECONDITION;
    snprintf(message, sizeof message,
             "the plugin is of Gantry's build " GANTRY_BUILD_ID
             ", but %s is of build %s and %s of build %s. Reinstall the files of one build, and "
             "do not load two builds of Gantry into one process",
             core_file, core, device_file, own);
    return false;
}

/* The device library's function returns the device, and the core's function the table for it. */
static const PJRT_Api *table_of(void *library, const char *device)
{
    char name[64];
    snprintf(name, sizeof name, "%s_library", device);
    const struct device_library *(*get)(void);
    const PJRT_Api *(*get_table)(const struct device_library *library);
    *(void **)&get = dlsym(library, name);
    *(void **)&get_table = dlsym(library, "plugin_api");
    return get && get_table ? get_table(get()) : NULL;
}

/* Searches next to the resolved file, then next to the name by which it was opened. */
static void *open_device(const char *opened, const char *real, const char *device)
{
    struct attempt attempt, other;
    void *library = open_beside(real, device, &attempt);
    if (library)
        return library;
    cannot_open(attempt.path, device, attempt.reason);
    return strcmp(opened, real) ? open_beside(opened, device, &other) : NULL;
}

static void open_library(void)
{
    char real[PATH_MAX], device[32];
    Dl_info info;
    table = &missing_table;
    if (!dladdr((void *)(uintptr_t)&GetPjrtApi, &info) || !info.dli_fname) {
        cannot_open("libgantry_cpu.so", "cpu", "the plugin does not find its own file");
        return;
    }
    if (!realpath(info.dli_fname, real))
        snprintf(real, sizeof real, "%s", info.dli_fname);
    choose_device(info.dli_fname, real, device, sizeof device);
    handle = open_device(info.dli_fname, real, device);
    if (!handle || !of_one_build(handle, device))
        return;
    const PJRT_Api *found = table_of(handle, device);
    if (found)
        table = found;
    else
        snprintf(message, sizeof message,
                 "Gantry's library for the device '%s' returns no function table", device);
}

/* Once a client was created, the core keeps itself and the device library loaded. Until then, both
 * are unloaded with the plugin. */
__attribute__((destructor)) static void close_library(void)
{
    if (handle)
        dlclose(handle);
}

const PJRT_Api *GetPjrtApi(void)
{
    pthread_once(&once, open_library);
    return table;
}
