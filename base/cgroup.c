/* cgroup.c: walks from the process's group up to the root, under /sys/fs/cgroup. */
#include "base/cgroup.h"

#include <stdio.h>
#include <string.h>

#include "base/env.h"

bool cgroup_words(const char *folder, const char *file_name, char first[32], char second[32])
{
    char path[8448];
    snprintf(path, sizeof path, "%s/%s", folder, file_name);
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    int words = fscanf(file, "%31s %31s", first, second);
    fclose(file);
    if (words < 2)
        second[0] = '\0';
    return words >= 1;
}

static void keep_lowest(int64_t *lowest, int64_t value)
{
    if (*lowest < 0 || value < *lowest)
        *lowest = value;
}

/* Truncates `folder` at each step, down to its first `root_size` bytes. */
static void read_ancestors(char *folder, size_t root_size, int64_t *lowest,
                           bool (*limit_of_group)(const char *folder, int64_t *value))
{
    for (;;) {
        int64_t value;
        if (limit_of_group(folder, &value))
            keep_lowest(lowest, value);
        char *slash = strrchr(folder, '/');
        if (!slash || (size_t)(slash - folder) < root_size)
            return;
        *slash = '\0';
    }
}

/* Whether the comma-separated `list` contains `name`. */
static bool listed(const char *list, const char *name)
{
    size_t size = strlen(name);
    for (const char *comma; list; list = comma ? comma + 1 : NULL) {
        if (!strncmp(list, name, size) && (!list[size] || list[size] == ','))
            return true;
        comma = strchr(list, ',');
    }
    return false;
}

/* /proc/self/cgroup has lines "number:controllers:path"; version 2's is "0::path". */
int64_t cgroup_lowest_limit(const char *controller,
                            bool (*limit_of_group)(const char *folder, int64_t *value))
{
    char line[4096], folder[8400];
    int64_t lowest = -1;
    const char *recorded = env_text(ENV_GANTRY_SYSFS_ROOT);
    snprintf(folder, sizeof folder, "%s/proc/self/cgroup", recorded ? recorded : "");
    FILE *file = fopen(folder, "re");
    if (!file)
        return -1;
    while (fgets(line, sizeof line, file)) {
        char *controllers = strchr(line, ':');
        char *path = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!path)
            continue;
        *path++ = '\0';
        controllers++;
        path[strcspn(path, "\n")] = '\0';
        if (*controllers && !listed(controllers, controller))
            continue;
        int root =
            snprintf(folder, sizeof folder / 2, "%s/sys/fs/cgroup%s%s", recorded ? recorded : "",
                     *controllers ? "/" : "", *controllers ? controller : "");
        if ((size_t)root >= sizeof folder / 2)
            break;
        snprintf(folder + root, sizeof folder - (size_t)root, "%s", strcmp(path, "/") ? path : "");
        read_ancestors(folder, (size_t)root, &lowest, limit_of_group);
    }
    fclose(file);
    return lowest;
}
