/* doctor_clients.c: the clients on this machine. Python's packages are read from their metadata:
 * nothing of them is imported. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/doctor.h"
#include "tools/probe.h"

enum { PYTHON_SECONDS = 20, MAX_LINE = 512 };

static const struct doctor_tested tested[] = {
    {"jax", "0.6", "0.12"},
    {"torch_xla", "2.6", "2.9"},
};

/* Prints the interpreter's folder and version, then a line for each package that is there. */
static const char script[] =
    "import sys, importlib.metadata as m\n"
    "print(sys.prefix, '%d.%d.%d' % sys.version_info[:3])\n"
    "for n in ('jax', 'jaxlib', 'torch', 'torch_xla', 'gantry-pjrt', 'libtpu', 'numpy'):\n"
    "    try: print(n, m.version(n))\n"
    "    except m.PackageNotFoundError: pass\n";

const struct doctor_tested *doctor_tested(const char *package)
{
    for (size_t i = 0; i < sizeof tested / sizeof *tested; i++)
        if (!strcmp(tested[i].package, package))
            return &tested[i];
    return NULL;
}

bool doctor_is_older(const char *version, const char *than)
{
    for (int part = 0; part < 3; part++) {
        char *end, *other;
        long x = strtol(version, &end, 10), y = strtol(than, &other, 10);
        if (x != y)
            return x < y;
        version = *end == '.' ? end + 1 : "";
        than = *other == '.' ? other + 1 : "";
    }
    return false;
}

/* ---- Python ---------------------------------------------------------------------------------- */

/* Runs in the child: adds "folder", "version" and "packages". */
static void ask_python(const void *interpreter, cJSON *out)
{
    char line[MAX_LINE], command[PATH_MAX + sizeof script + 64];
    snprintf(command, sizeof command, "exec '%s' -c \"%s\" 2>/dev/null", (const char *)interpreter,
             script);
    FILE *pipe = popen(command, "r");
    cJSON *packages = NULL;
    while (pipe && fgets(line, sizeof line, pipe)) {
        line[strcspn(line, "\n")] = '\0';
        char *space = strrchr(line, ' ');
        if (!space)
            continue;
        *space = '\0';
        if (packages) {
            cJSON_AddStringToObject(packages, line, space + 1);
            continue;
        }
        cJSON_AddStringToObject(out, "folder", line);
        cJSON_AddStringToObject(out, "version", space + 1);
        packages = cJSON_AddObjectToObject(out, "packages");
    }
    if (!packages)
        cJSON_AddStringToObject(out, "error", "does not answer");
}

static bool is_known(const cJSON *list, const char *folder)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, list)
    {
        const char *known = cJSON_GetStringValue(cJSON_GetObjectItem(item, "folder"));
        if (known && !strcmp(known, folder))
            return true;
    }
    return false;
}

static void add_python(cJSON *list, const char *interpreter)
{
    if (strchr(interpreter, '\'') || access(interpreter, X_OK))
        return;
    cJSON *item = probe_run(ask_python, interpreter, PYTHON_SECONDS);
    const char *folder = cJSON_GetStringValue(cJSON_GetObjectItem(item, "folder"));
    if (!folder || is_known(list, folder)) {
        cJSON_Delete(item);
        return;
    }
    cJSON_AddStringToObject(item, "kind", "Python");
    cJSON_AddItemToArray(list, item);
}

/* The first python3 and python on PATH; an active virtual environment's is the first. */
static void add_pythons(cJSON *list)
{
    static const char *const names[] = {"python3", "python"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *at = getenv("PATH");
        char path[PATH_MAX];
        for (bool found = false; at && *at && !found; at += *at == ':') {
            size_t size = strcspn(at, ":");
            snprintf(path, sizeof path, "%.*s/%s", (int)size, at, names[i]);
            found = size && !access(path, X_OK);
            if (found)
                add_python(list, path);
            at += size;
        }
    }
}

/* Whether variables name the plugin for JAX in an environment without the wheel. */
static bool jax_has_variables(void)
{
    const char *names = getenv("PJRT_NAMES_AND_LIBRARY_PATHS"), *tpu = getenv("TPU_LIBRARY_PATH");
    return (names && strstr(names, "gantry")) || (tpu && strstr(tpu, "gantry"));
}

static void check_package(const cJSON *package, const char *folder, cJSON *report)
{
    const struct doctor_tested *range = doctor_tested(package->string);
    const char *version = cJSON_GetStringValue(package);
    char newest[32];
    if (!range)
        return;
    snprintf(newest, sizeof newest, "%s.999999", range->newest);
    if (doctor_is_older(version, range->oldest) || doctor_is_older(newest, version))
        doctor_problem(report, DOCTOR_NOTE, "if something does not work, try a tested version",
                       "%s %s in %s: Gantry is tested with %s to %s", package->string, version,
                       folder, range->oldest, range->newest);
}

static void check_python(const cJSON *python, cJSON *report)
{
    const cJSON *packages = cJSON_GetObjectItem(python, "packages"), *package;
    const char *folder = cJSON_GetStringValue(cJSON_GetObjectItem(python, "folder"));
    cJSON_ArrayForEach(package, packages) check_package(package, folder, report);
    if (cJSON_GetObjectItem(packages, "jax") && !cJSON_GetObjectItem(packages, "gantry-pjrt") &&
        !jax_has_variables())
        doctor_problem(report, DOCTOR_NOTE,
                       "install the wheel gantry-pjrt there, or run: eval \"$(gantry env "
                       "--shell)\"",
                       "JAX in %s does not find Gantry", folder);
}

/* ---- Go and Rust ----------------------------------------------------------------------------- */

/* Adds the line of a file of the current folder that has a word, and the version in it. */
static void add_requirement(cJSON *list, const char *kind, const char *file, const char *word)
{
    char line[MAX_LINE];
    FILE *lines = fopen(file, "r");
    bool found = false;
    while (lines && !found && fgets(line, sizeof line, lines))
        found = strstr(line, word) != NULL;
    if (found && !strcmp(kind, "Rust")) /* name = "..." is followed by version = "..." */
        found = fgets(line, sizeof line, lines) != NULL;
    if (lines)
        fclose(lines);
    if (!found)
        return;
    line[strcspn(line, "\n")] = '\0';
    char *version = strrchr(line, ' ');
    cJSON *item = cJSON_CreateObject(), *packages;
    cJSON_AddStringToObject(item, "kind", kind);
    cJSON_AddStringToObject(item, "folder", file);
    packages = cJSON_AddObjectToObject(item, "packages");
    cJSON_AddStringToObject(packages, word, version ? version + 1 : line);
    cJSON_AddItemToArray(list, item);
}

void doctor_clients(cJSON *report)
{
    cJSON *list = cJSON_AddArrayToObject(report, "clients");
    const cJSON *item;
    add_pythons(list);
    cJSON_ArrayForEach(item, list) check_python(item, report);
    add_requirement(list, "Go", "go.mod", "github.com/gomlx/go-xla");
    add_requirement(list, "Go", "go.mod", "github.com/gomlx/gomlx");
    add_requirement(list, "Rust", "Cargo.lock", "name = \"pjrt\"");
}
