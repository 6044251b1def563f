/* library_file.h: checks the file of a shared object before dlopen, which maps even a truncated
 * file; the process then dies of SIGBUS. Depends on nothing else in Gantry, so that the loader can
 * link it too. Thread-safe. */
#ifndef GANTRY_BASE_LIBRARY_FILE_H
#define GANTRY_BASE_LIBRARY_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Returns false when the file is not readable or lacks a part that would be loaded; `fault` then
 * receives a sentence that names the file and says what to do. Returns true for every other file,
 * including one that does not exist or is not a library: dlopen reports those. */
bool library_file_sound(const char *path, char *fault, size_t capacity);

#endif
