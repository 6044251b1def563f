/* file.c: reads and writes whole files. */
#include "tools/file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"

struct error *file_error(const char *path, int why)
{
    if (why == ENOENT || why == ENOTDIR)
        return ERROR(NOT_FOUND, "%s: %s", path, strerror(why));
    if (why == ENOSPC || why == EDQUOT || why == EMFILE)
        return ERROR(RESOURCE_EXHAUSTED, "%s: %s", path, strerror(why));
    return ERROR(PERMISSION_DENIED, "%s: %s", path, strerror(why));
}

struct error *file_read(const char *path, char **out, size_t *size)
{
    *out = NULL;
    bool is_input = !strcmp(path, "-");
    FILE *file = is_input ? stdin : fopen(path, "rb");
    if (!file)
        return ERROR(NOT_FOUND, "%s: %s", path, strerror(errno));
    struct text text = {0};
    char chunk[1 << 16];
    for (size_t got; (got = fread(chunk, 1, sizeof chunk, file)) > 0;)
        text_add_bytes(&text, chunk, got);
    bool failed = ferror(file) != 0;
    int why = errno;
    if (!is_input)
        fclose(file);
    if (failed) {
        text_free(&text);
        return ERROR(NOT_FOUND, "%s: %s", path, strerror(why));
    }
    if (!text.data && !text.failed)
        text_add(&text, "%s", "");
    return text_finish(&text, out, size);
}

struct error *file_write(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return file_error(path, errno);
    bool written = fwrite(bytes, 1, size, file) == size;
    bool closed = fclose(file) == 0;
    return written && closed ? NULL : ERROR(RESOURCE_EXHAUSTED, "%s: %s", path, strerror(errno));
}
