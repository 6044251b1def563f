/* file_store.c: see file_store.h. A value is written to a file of its own and linked to the key's
 * name, so a key appears with its whole value. */
#include "conformance/file_store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PATH = 1024, WAIT_MS = 5 };

static void path_of(char out[PATH], const char *folder, const char *key, size_t size)
{
    snprintf(out, PATH, "%s/%.*s", folder, (int)size, key);
    for (char *at = out + strlen(folder) + 1; *at; at++)
        if (*at == '/')
            *at = '_';
}

static void delete_value(char *value)
{
    free(value);
}

/* Whether the key exists. */
static bool read_value(const char *path, PJRT_KeyValueGetCallback_Args *args)
{
    struct stat status;
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    bool is_read = !fstat(fileno(file), &status);
    args->value_size = is_read ? (size_t)status.st_size : 0;
    args->value = malloc(args->value_size + 1);
    is_read =
        is_read && args->value && fread(args->value, 1, args->value_size, file) == args->value_size;
    args->value_deleter_callback = delete_value;
    fclose(file);
    return is_read;
}

static PJRT_Error *get(PJRT_KeyValueGetCallback_Args *args)
{
    char path[PATH];
    path_of(path, args->user_arg, args->key, args->key_size);
    for (int waited = 0; waited <= args->timeout_in_ms; waited += WAIT_MS) {
        if (read_value(path, args))
            return NULL;
        nanosleep(&(struct timespec){.tv_nsec = WAIT_MS * 1000000}, NULL);
    }
    return (*args->callback_error)(PJRT_Error_Code_DEADLINE_EXCEEDED, "no such key", 11);
}

static PJRT_Error *put(PJRT_KeyValuePutCallback_Args *args)
{
    char path[PATH], made[PATH + 16];
    path_of(path, args->user_arg, args->key, args->key_size);
    snprintf(made, sizeof made, "%s.%d", path, (int)getpid());
    FILE *file = fopen(made, "we");
    bool is_written = file && fwrite(args->value, 1, args->value_size, file) == args->value_size;
    if (file)
        is_written = !fclose(file) && is_written;
    errno = 0;
    bool is_put = is_written && !link(made, path);
    bool is_known = errno == EEXIST;
    unlink(made);
    return is_put     ? NULL
           : is_known ? (*args->callback_error)(PJRT_Error_Code_ALREADY_EXISTS, "known", 5)
                      : (*args->callback_error)(PJRT_Error_Code_INTERNAL, "not written", 11);
}

void file_store_use(const char *folder, PJRT_Client_Create_Args *args)
{
    args->kv_get_callback = get;
    args->kv_get_user_arg = (void *)(uintptr_t)folder;
    args->kv_put_callback = put;
    args->kv_put_user_arg = (void *)(uintptr_t)folder;
}
