/* dump.c: see dump.h. */
#include "compiler/dump.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/env.h"
#include "base/log.h"

enum { NAME_BYTES = 200 }; /* of the name of a file, without the ending */

/* The folder for dumps of a pass; false: the pass is not dumped. */
static bool find_folder(const char *option, const char *pass, char *out, size_t size)
{
    const char *requested = env_text(ENV_GANTRY_DUMP);
    if (!requested)
        return option && (size_t)snprintf(out, size, "%s", option) < size;
    const char *colon = strrchr(requested, ':');
    if (!colon)
        return (size_t)snprintf(out, size, "%s", requested) < size;
    for (const char *name = requested; name < colon;) {
        size_t length = strcspn(name, ",:");
        if (length == strlen(pass) && !memcmp(name, pass, length))
            return (size_t)snprintf(out, size, "%s", colon + 1) < size;
        name += length + 1;
    }
    return false;
}

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
}

/* A name of letters, digits, '-', '_' and '.' that does not begin with a dot. */
static void sanitize(const char *name, char out[NAME_BYTES + 1])
{
    size_t size = strlen(name) < NAME_BYTES ? strlen(name) : NAME_BYTES;
    for (size_t i = 0; i < size; i++)
        out[i] = is_plain(name[i]) && (i || name[i] != '.') ? name[i] : '_';
    out[size] = '\0';
}

static int open_in(const char *folder, const char *file)
{
    if (mkdir(folder, 0777) && errno != EEXIST)
        return -1;
    int directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0)
        return -1;
    int opened =
        openat(directory, file, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    int error = errno;
    close(directory);
    errno = error;
    return opened;
}

static bool write_all(int file, const char *bytes, size_t size)
{
    while (size) {
        ssize_t written = write(file, bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

void dump_file(const char *folder, const char *name, const char *ending, const void *bytes,
               size_t size)
{
    char plain[NAME_BYTES + 1], file_name[NAME_BYTES + 64];
    sanitize(name, plain);
    snprintf(file_name, sizeof file_name, "%s.%s", plain, ending);
    int file = open_in(folder, file_name);
    bool written = file >= 0 && write_all(file, bytes, size);
    int error = errno;
    written &= file < 0 || close(file) == 0;
    if (!written)
        LOG(WARNING, "cannot write the dump %s/%s: %s", folder, file_name, strerror(error));
}

void dump_module(const struct module *module, const char *option, int number, const char *pass)
{
    char folder[1024], ending[64];
    struct text text = {0};
    if (!find_folder(option, pass, folder, sizeof folder))
        return;
    snprintf(ending, sizeof ending, "%02d.%.40s.mlir", number, pass);
    ir_print(module, &text);
    if (text.data)
        dump_file(folder, module->name ? module->name : "module", ending, text.data, text.size);
    text_free(&text);
}
