/* doctor_machine.c: the system, the processor, memory, and what limits this process. */
#include <gnu/libc-version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "base/cpu.h"
#include "tools/doctor.h"

#define LOW_MEMORY (INT64_C(1) << 30)

/* The value of PRETTY_NAME in /etc/os-release, or "". */
static void distribution(char *out, size_t size)
{
    char line[256];
    FILE *file = fopen("/etc/os-release", "r");
    *out = '\0';
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, "PRETTY_NAME=", 12))
            continue;
        char *value = line + 12 + strspn(line + 12, "\"'");
        value[strcspn(value, "\"'\n")] = '\0';
        snprintf(out, size, "%s", value);
    }
    if (file)
        fclose(file);
}

static void add_system(cJSON *machine)
{
    struct utsname system;
    char text[1024], name[256];
    if (uname(&system))
        return;
    distribution(name, sizeof name);
    snprintf(text, sizeof text, "%s %s %s%s%s, glibc %s", system.sysname, system.release,
             system.machine, *name ? ", " : "", name, gnu_get_libc_version());
    cJSON_AddStringToObject(machine, "system", text);
}

/* The first line of a file, or "". */
static void first_line(const char *path, char *out, size_t size)
{
    FILE *file = fopen(path, "r");
    if (!file || !fgets(out, (int)size, file))
        *out = '\0';
    out[strcspn(out, "\n")] = '\0';
    if (file)
        fclose(file);
}

/* A line of /proc/meminfo in bytes; -1: there is none. */
static int64_t memory_of(const char *name)
{
    char line[128];
    long long kib = -1;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file && kib < 0 && fgets(line, sizeof line, file))
        if (!strncmp(line, name, strlen(name)))
            kib = strtoll(line + strlen(name), NULL, 10);
    if (file)
        fclose(file);
    return kib < 0 ? -1 : kib << 10;
}

static bool memory_limit(const char *folder, int64_t *out)
{
    char word[32], more[32];
    char *end;
    if (!cgroup_words(folder, "memory.max", word, more) &&
        !cgroup_words(folder, "memory.limit_in_bytes", word, more))
        return false;
    *out = strtoll(word, &end, 10);
    return end != word && *out < INT64_MAX / 2; /* else "max", or no limit in version 1 */
}

static void add_memory(cJSON *machine, cJSON *report)
{
    int64_t total = memory_of("MemTotal:"), available = memory_of("MemAvailable:");
    int64_t limit = cgroup_lowest_limit("memory", memory_limit);
    char pages[128];
    cJSON_AddNumberToObject(machine, "memory_bytes", (double)total);
    cJSON_AddNumberToObject(machine, "available_bytes", (double)available);
    if (limit >= 0)
        cJSON_AddNumberToObject(machine, "memory_limit_bytes", (double)limit);
    if (limit >= 0 && limit < LOW_MEMORY)
        doctor_problem(report, DOCTOR_NOTE, "raise the container's memory limit",
                       "the control group allows %lld MiB of memory; compiling needs about 200 MiB",
                       (long long)(limit >> 20));
    else if (available >= 0 && available < LOW_MEMORY)
        doctor_problem(report, DOCTOR_NOTE, "end other programs, or use a machine with more memory",
                       "only %lld MiB of memory are available", (long long)(available >> 20));
    first_line("/sys/kernel/mm/transparent_hugepage/enabled", pages, sizeof pages);
    if (*pages)
        cJSON_AddStringToObject(machine, "huge_pages", pages);
    if (strstr(pages, "[never]"))
        doctor_problem(report, DOCTOR_NOTE,
                       "as root: echo madvise > /sys/kernel/mm/transparent_hugepage/enabled",
                       "the system gives no huge pages: the first use of large arrays is slower");
}

static void add_processor(cJSON *machine, cJSON *report)
{
    char name[64];
    cpu_name(name, sizeof name);
    cJSON_AddStringToObject(machine, "processor", name);
    cJSON_AddNumberToObject(machine, "cores", (double)sysconf(_SC_NPROCESSORS_ONLN));
    cJSON_AddNumberToObject(machine, "usable_cores", cpu_usable_cores());
    cJSON_AddStringToObject(machine, "features", cpu_feature_names());
    if (!cpu_features()->avx2 && !cpu_is_narrowed())
        doctor_problem(report, DOCTOR_NOTE,
                       "if this is a virtual machine, give it the host's processor (CPU model "
                       "'host')",
                       "the processor has no AVX2: programs run several times slower");
}

/* Limits of the process (ulimit): those that are lower than what the system allows. */
static void add_limits(cJSON *machine, cJSON *report)
{
    static const struct {
        const char *name;
        int resource;
        rlim_t least; /* less than that is a problem; 0: only shown */
        const char *meaning, *advice;
    } limits[] = {
        {"address_space", RLIMIT_AS, RLIM_INFINITY, "virtual memory is limited",
         "ulimit -v unlimited"},
        {"data", RLIMIT_DATA, RLIM_INFINITY, "the data segment is limited", "ulimit -d unlimited"},
        {"open_files", RLIMIT_NOFILE, 256, "few files may be open", "ulimit -n 1024"},
        {"processes", RLIMIT_NPROC, 256, "few threads may run", "ulimit -u 4096"},
        {"locked_bytes", RLIMIT_MEMLOCK, 0, NULL, NULL},
    };
    cJSON *list = cJSON_AddObjectToObject(machine, "limits");
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct rlimit limit;
        if (getrlimit(limits[i].resource, &limit) || limit.rlim_cur == RLIM_INFINITY)
            continue;
        cJSON_AddNumberToObject(list, limits[i].name, (double)limit.rlim_cur);
        if (limit.rlim_cur < limits[i].least)
            doctor_problem(report, DOCTOR_NOTE, limits[i].advice, "%s (%s %llu)", limits[i].meaning,
                           limits[i].name, (unsigned long long)limit.rlim_cur);
    }
}

void doctor_machine(cJSON *report)
{
    cJSON *machine = cJSON_AddObjectToObject(report, "machine");
    add_system(machine);
    add_processor(machine, report);
    add_memory(machine, report);
    add_limits(machine, report);
}
