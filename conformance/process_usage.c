/* process_usage.c: see process_usage.h. */
#include "conformance/process_usage.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

static int count_entries(const char *folder)
{
    DIR *dir = opendir(folder);
    int count = 0;
    while (dir && readdir(dir))
        count++;
    if (dir)
        closedir(dir);
    return count;
}

struct process_usage process_usage(void)
{
    struct process_usage usage = {0};
    FILE *file = fopen("/proc/self/statm", "r");
    int64_t resident = 0;
    if (file && fscanf(file, "%*s %" SCNd64, &resident) == 1)
        usage.resident_bytes = resident * sysconf(_SC_PAGESIZE);
    if (file)
        fclose(file);
    usage.threads = count_entries("/proc/self/task");
    usage.files = count_entries("/proc/self/fd");
    return usage;
}

bool process_usage_is_exact(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return false;
#else
    return true;
#endif
}
