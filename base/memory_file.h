/* memory_file.h: files that have no name and live in memory. Thread-safe. */
#ifndef GANTRY_BASE_MEMORY_FILE_H
#define GANTRY_BASE_MEMORY_FILE_H

#include <stdbool.h>

/* A descriptor of an empty file, owned; -1 with errno. `name` is for debuggers. Such a file can
 * never be executed, which hardened systems demand (vm.memfd_noexec = 2). `inherited`: programs
 * that this process starts have the descriptor, too. */
int memory_file_create(const char *name, bool inherited);

#endif
