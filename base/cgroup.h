/* cgroup.h: limits that control groups (version 1 or 2) set for this process. With
 * GANTRY_SYSFS_ROOT set, a recorded tree in that folder is read instead of the real one: its
 * proc/self/cgroup names the groups, whose folders are in its sys/fs/cgroup. Thread-safe. */
#ifndef GANTRY_BASE_CGROUP_H
#define GANTRY_BASE_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

/* The lowest limit among this process's group and all of its ancestors. `limit_of_group` reads the
 * limit from a group's folder and returns false when the group sets none. Returns -1 when no group
 * sets a limit. `controller` is "cpu" or "memory". */
int64_t cgroup_lowest_limit(const char *controller,
                            bool (*limit_of_group)(const char *folder, int64_t *value));

/* Reads the first two words of a group's file; `second` is empty when there is only one. Returns
 * false when the file does not exist. */
bool cgroup_words(const char *folder, const char *file, char first[32], char second[32]);

#endif
