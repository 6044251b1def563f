/* doctor_environment.c: the environment variables that are set and matter here. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/env_check.h"
#include "tools/doctor.h"

enum { SHOWN = 400 };

/* Variables with these beginnings are reported. */
static const char *const prefixes[] = {
    "GANTRY_", "PJRT_",  "JAX_",  "XLA_",    "TPU_",     "MEGASCALE_",  "LIBTPU_",
    "GOMLX_",  "OMP_",   "GOMP_", "MKL_",    "DNNL_",    "ONEDNN_",     "OPENBLAS_",
    "MALLOC_", "GLIBC_", "LD_",   "TF_CPP_", "CPU_NUM_", "VIRTUAL_ENV", "PYTHONPATH",
};

/* Variables that name a file or, with `folders`, a list of folders that has to exist. */
static const struct {
    const char *name;
    bool folders;
} paths[] = {
    {"PJRT_LIBRARY_PATH", false},
    {"PJRT_PLUGIN_PATH", false},
    {"TPU_LIBRARY_PATH", false},
    {"PJRT_PLUGIN_LIBRARY_PATH", true},
};

/* Settings for tests and searches for faults, which cost speed or change what is measured. */
static const struct {
    enum env_variable variable;
    const char *effect;
} unusual[] = {
    {ENV_GANTRY_VERIFY, "compilations check the program after every pass, and are slower"},
    {ENV_GANTRY_DUMP, "every compilation writes its program to files"},
    {ENV_GANTRY_ISA, "programs use fewer instructions than the processor has"},
    {ENV_GANTRY_TIER, "the tier of code generation ignores expected costs"},
    {ENV_GANTRY_SYSFS_ROOT, "a recorded machine replaces this one"},
    {ENV_GANTRY_THREADS, "programs may use fewer cores than available"},
};

static bool matters(const char *entry)
{
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (!strncmp(entry, prefixes[i], strlen(prefixes[i])))
            return true;
    return false;
}

static void add_set(cJSON *list)
{
    for (char **entry = environ; entry && *entry; entry++) {
        char name[128], value[SHOWN];
        size_t size = strcspn(*entry, "=");
        if (!matters(*entry) || !(*entry)[size] || size >= sizeof name)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)size, *entry);
        snprintf(value, sizeof value, "%s", *entry + size + 1);
        if (!cJSON_GetObjectItem(list, name))
            cJSON_AddStringToObject(list, name, value);
    }
}

static struct error *check_value(enum env_variable variable, cJSON *report)
{
    const char *value = env_text(variable);
    struct text advice = {0};
    char *text;
    if (!value || env_allows(variable, value))
        return NULL;
    bool ours = !strncmp(env_name(variable), "GANTRY_", 7);
    text_add(&advice, "unset %s, or set it to ", env_name(variable));
    env_add_allowed(variable, &advice);
    TRY(text_finish(&advice, &text, NULL));
    doctor_problem(report, ours ? DOCTOR_ERROR : DOCTOR_NOTE, text,
                   "the environment variable %s is '%.64s', which is not allowed%s",
                   env_name(variable), value, ours ? "" : " and ignored");
    alloc_free(text);
    if (ours)
        unsetenv(env_name(variable)); /* so that env_check() looks for mistyped names */
    return NULL;
}

static struct error *check_settings(cJSON *report)
{
    for (int i = 0; i < ENV_COUNT; i++)
        TRY(check_value((enum env_variable)i, report));
    struct error *error = env_check();
    if (error)
        doctor_problem(report, DOCTOR_ERROR, "gantry env lists all variables", "%s",
                       error_message(error, NULL));
    error_free(error);
    return NULL;
}

static void check_path(const char *name, const char *path, cJSON *report)
{
    if (*path && access(path, R_OK))
        doctor_problem(report, DOCTOR_ERROR, "gantry env prints the value for this installation",
                       "%s names %.200s: %s", name, path, strerror(errno));
}

static void check_paths(cJSON *report)
{
    char value[PATH_MAX];
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        const char *set = getenv(paths[i].name);
        snprintf(value, sizeof value, "%s", set ? set : "");
        char *rest = value;
        for (char *path; (path = strsep(&rest, paths[i].folders ? ":" : ""));)
            check_path(paths[i].name, path, report);
    }
}

static void check_unusual(cJSON *report)
{
    char advice[128];
    for (size_t i = 0; i < sizeof unusual / sizeof *unusual; i++) {
        const char *name = env_name(unusual[i].variable), *value = env_text(unusual[i].variable);
        if (!value || !strcmp(value, env_default(unusual[i].variable)) || !strcmp(value, "0"))
            continue;
        snprintf(advice, sizeof advice, "unset %s, unless that is intended", name);
        doctor_problem(report, DOCTOR_NOTE, advice, "%s is set: %s", name, unusual[i].effect);
    }
    if (getenv("LD_PRELOAD"))
        doctor_problem(report, DOCTOR_NOTE, "try without LD_PRELOAD if something does not work",
                       "LD_PRELOAD is set: other libraries replace functions of this process");
}

struct error *doctor_environment(cJSON *report)
{
    add_set(cJSON_AddObjectToObject(report, "environment"));
    TRY(check_settings(report));
    check_paths(report);
    check_unusual(report);
    return NULL;
}
