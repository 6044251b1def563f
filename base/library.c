/* library.c: see library.h. */
#include "base/library.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/library_file.h"
#include "version.h"

enum { LOAD_BYTES = 4 << 20 }; /* what loading a library may allocate */

static struct error *path_beside(const char *file, char *path, size_t size)
{
    Dl_info info;
    if (!dladdr((const void *)library_open, &info) || !info.dli_fname)
        return ERROR(NOT_FOUND, "%s: the folder of libgantry.so is unknown", file);
    const char *slash = strrchr(info.dli_fname, '/');
    int folder = slash ? (int)(slash - info.dli_fname) + 1 : 0;
    int length = snprintf(path, size, "%.*s%s", folder, info.dli_fname, file);
    if (length < 0 || (size_t)length >= size)
        return ERROR(NOT_FOUND, "%s: path longer than %zu bytes", file, size);
    return NULL;
}

static struct error *check_path(const char *path)
{
    char fault[PATH_MAX + 128];
    return library_file_sound(path, fault, sizeof fault) ? NULL
                                                         : ERROR(FAILED_PRECONDITION, "%s", fault);
}

struct error *library_check(const char *file)
{
    char path[PATH_MAX];
    TRY(path_beside(file, path, sizeof path));
    return check_path(path);
}

static struct error *check_build(const char *path, void *handle, const char *name)
{
    library_build_function *get;
    *(void **)&get = dlsym(handle, name);
    const char *build = get ? get() : "unknown";
    if (!strcmp(build, GANTRY_BUILD_ID))
        return NULL;
    return ERROR(FAILED_PRECONDITION,
                 "%s is of Gantry's build %s, but libgantry.so of build " GANTRY_BUILD_ID
                 ". Reinstall the files of one build",
                 path, build);
}

struct error *library_open(const char *file, const char *build, int count, const char *const *names,
                           void **symbols)
{
    char path[PATH_MAX];
    TRY(path_beside(file, path, sizeof path));
    TRY(check_path(path));
    TRY(alloc_probe(LOAD_BYTES)); /* constructors of C++ end the process without memory */
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return ERROR(NOT_FOUND,
                     "cannot open %s, which must be beside libgantry.so: %s. Keep the files of "
                     "one build together, or install Gantry again",
                     path, dlerror());
    TRY(check_build(path, handle, build));
    for (int i = 0; i < count; i++) {
        symbols[i] = dlsym(handle, names[i]);
        if (!symbols[i])
            return ERROR(NOT_FOUND, "%s has no symbol %s", path, names[i]);
    }
    return NULL;
}
