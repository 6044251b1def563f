/* cgroup.h: limits that control groups (version 1 or 2) set to this process. A recorded tree
 * takes the real one's place under GANTRY_SYSFS_ROOT: its proc/self/cgroup names the groups, their
 * folders are in its sys/fs/cgroup. Thread-safe. */
#ifndef GANTRY_BASE_CGROUP_H
#define GANTRY_BASE_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

/* The least value of this process's group and all groups above it, as `limit_of_group` reads it
 * from a group's folder (false: this group sets none). -1 when no group sets one. `controller`:
 * "cpu" or "memory". */
int64_t cgroup_least(const char *controller,
                     bool (*limit_of_group)(const char *folder, int64_t *value));

/* The first two words of a group's file (the second is empty when there is one only); false: no
 * such file. */
bool cgroup_words(const char *folder, const char *file, char first[32], char second[32]);

#endif
