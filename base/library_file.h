/* library_file.h: what is wrong with the file of a shared object, asked before dlopen: a file that
 * was truncated is mapped all the same, and then ends the process with SIGBUS. Depends on nothing
 * else of Gantry, so that the loader can hold it too. Thread-safe. */
#ifndef GANTRY_BASE_LIBRARY_FILE_H
#define GANTRY_BASE_LIBRARY_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* False when the file may not be read, or lacks a part that would be loaded: `fault` then holds a
 * sentence that names the file and says what to do. True for every other file, also for one that is
 * not there or no library: dlopen says that. */
bool library_file_sound(const char *path, char *fault, size_t capacity);

#endif
