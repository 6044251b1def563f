/* doctor_libraries.c: the files of this installation. */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/library_file.h"
#include "tools/doctor.h"
#include "tools/plugins.h"
#include "tools/probe.h"

enum { OPEN_SECONDS = 30 };

/* Each is opened after those that it needs. */
static const char *const names[] = {
    "pjrt_c_api_gantry_plugin.so",
    "pjrt_c_api_gantrytpu_plugin.so",
    "libgantry.so",
    "libgantry_cpu.so",
    "libgantry_tpu.so",
    "libgantry_codegen.so",
    "libgantry_kernels.so",
    "libdnnl.so.3",
    "libgantry_net.so",
};

static void open_library(const void *path, cJSON *out)
{
    char fault[PATH_MAX + 256];
    if (!library_file_sound(path, fault, sizeof fault))
        cJSON_AddStringToObject(out, "error", fault);
    else if (!dlopen(path, RTLD_NOW | RTLD_LOCAL))
        cJSON_AddStringToObject(out, "error", dlerror());
}

const char *doctor_library_advice(const char *message)
{
    static const struct {
        const char *part, *advice;
    } rows[] = {
        {"libhwloc.so", "sudo apt-get install -y libhwloc15"},
        {"libcjson.so", "sudo apt-get install -y libcjson1"},
        {"libgfortran.so", "sudo apt-get install -y libgfortran5"},
        {"libgomp.so", "sudo apt-get install -y libgomp1"},
        {"GLIBC_", "Gantry needs glibc 2.34 or later: use a newer system, or build Gantry here"},
        {"failed to map segment", "the folder is on a file system mounted noexec: move Gantry to "
                                  "another one"},
        {"ermission denied", "let this user read the file, and enter its folders"},
        {"annot allocate memory", "end other programs, or raise the memory limit"},
    };
    for (size_t i = 0; message && i < sizeof rows / sizeof *rows; i++)
        if (strstr(message, rows[i].part))
            return rows[i].advice;
    return "install Gantry again; all of its files have to be of one build";
}

static void add_library(cJSON *list, cJSON *report, const char *folder, const char *name)
{
    char path[PATH_MAX];
    struct stat file;
    cJSON *item = cJSON_CreateObject();
    snprintf(path, sizeof path, "%s/%s", folder, name);
    bool here = !stat(path, &file);
    cJSON *said = here ? probe_run(open_library, path, OPEN_SECONDS) : cJSON_CreateObject();
    if (!here)
        cJSON_AddStringToObject(said, "error", "is missing");
    cJSON_AddStringToObject(item, "name", name);
    cJSON_AddNumberToObject(item, "bytes", here ? (double)file.st_size : 0);
    const char *error = cJSON_GetStringValue(cJSON_GetObjectItem(said, "error"));
    if (error) {
        cJSON_AddStringToObject(item, "error", error);
        doctor_problem(report, DOCTOR_ERROR, doctor_library_advice(error), "%s: %s", name, error);
    }
    cJSON_AddItemToArray(list, item);
    cJSON_Delete(said);
}

struct error *doctor_libraries(cJSON *report)
{
    char *folder;
    TRY(plugins_own_folder(&folder));
    cJSON_AddStringToObject(report, "folder", folder);
    cJSON *list = cJSON_AddArrayToObject(report, "libraries");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        add_library(list, report, folder, names[i]);
    alloc_free(folder);
    return NULL;
}
