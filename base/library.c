/* library.c: see library.h. */
#include "base/library.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static struct error *path_beside(const char *file, char *path, size_t size)
{
    Dl_info info;
    if (!dladdr((const void *)library_open, &info) || !info.dli_fname)
        return ERROR(NOT_FOUND, "%s: the folder of libgantry.so is not known", file);
    const char *slash = strrchr(info.dli_fname, '/');
    int folder = slash ? (int)(slash - info.dli_fname) + 1 : 0;
    int length = snprintf(path, size, "%.*s%s", folder, info.dli_fname, file);
    if (length < 0 || (size_t)length >= size)
        return ERROR(NOT_FOUND, "%s: path longer than %zu bytes", file, size);
    return NULL;
}

struct error *library_open(const char *file, int count, const char *const *names, void **symbols)
{
    char path[PATH_MAX];
    TRY(path_beside(file, path, sizeof path));
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return ERROR(NOT_FOUND, "cannot open %s, which must lie beside libgantry.so: %s", path,
                     dlerror());
    for (int i = 0; i < count; i++) {
        symbols[i] = dlsym(handle, names[i]);
        if (!symbols[i])
            return ERROR(NOT_FOUND, "%s has no symbol %s", path, names[i]);
    }
    return NULL;
}
