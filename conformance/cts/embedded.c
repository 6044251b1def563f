/* embedded.c: finds embedded files. */
#include "conformance/cts/embedded.h"

#include <string.h>

const struct embedded_file *embedded_find(const char *name)
{
    for (const struct embedded_file *file = embedded_files; file->path; file++)
        if (!strcmp(strrchr(file->path, '/') + 1, name))
            return file;
    return NULL;
}
