/* plugins.c: searches folders for files that look like plugins. */
#include "tools/plugins.h"

#include <glob.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/text.h"

#define OWN_PLUGIN "pjrt_c_api_gantry_plugin.so"

/* Adds a file unless it is already listed, possibly under another name. */
static struct error *add_file(struct plugins *plugins, const char *path, const char *source)
{
    char real[PATH_MAX], other[PATH_MAX];
    bool exists = realpath(path, real) != NULL;
    for (size_t i = 0; exists && i < plugins->count; i++)
        if (realpath(plugins->files[i].path, other) && !strcmp(real, other))
            return NULL;
    TRY(alloc_resize(&plugins->files, (plugins->count + 1) * sizeof *plugins->files));
    struct plugin_file *file = &plugins->files[plugins->count];
    file->source = source;
    TRY(alloc_copy(path, strlen(path), &file->path));
    plugins->count++;
    return NULL;
}

static struct error *add_matching(struct plugins *plugins, const char *folder, const char *pattern,
                                  const char *source)
{
    struct text text = {0};
    char *path;
    glob_t found;
    text_add(&text, "%s/%s", folder, pattern);
    TRY(text_finish(&text, &path, NULL));
    struct error *error = NULL;
    if (!glob(path, 0, NULL, &found)) {
        for (size_t i = 0; !error && i < found.gl_pathc; i++)
            error = add_file(plugins, found.gl_pathv[i], source);
        globfree(&found);
    }
    alloc_free(path);
    return error;
}

struct error *plugins_own_folder(char **out)
{
    static const char *const folders[] = {"lib", "lib/gantry"};
    char program[PATH_MAX];
    ssize_t size = readlink("/proc/self/exe", program, sizeof program - 1);
    program[size < 0 ? 0 : size] = '\0';
    for (int up = 0; up < 2; up++) /* removes the name of the program, then that of its folder */
        *(strrchr(program, '/') ? strrchr(program, '/') : program) = '\0';
    for (size_t i = 0;; i++) {
        struct text text = {0};
        text_add(&text, "%s/%s", program, folders[i % 2]);
        size_t folder_size = text.size;
        text_add(&text, "/%s", OWN_PLUGIN);
        TRY(text_finish(&text, out, NULL));
        bool here = access(*out, R_OK) == 0;
        (*out)[folder_size] = '\0';
        if (here || i == 2) /* neither has it: use the first */
            return NULL;
        alloc_free(*out);
    }
}

/* Parses name:path,name:path and adds the paths that are not .json files. */
static struct error *add_of_jax(struct plugins *plugins)
{
    const char *at = getenv("PJRT_NAMES_AND_LIBRARY_PATHS");
    struct error *error = NULL;
    while (at && *at && !error) {
        size_t size = strcspn(at, ",");
        const char *colon = memchr(at, ':', size);
        const char *path = colon ? colon + 1 : at;
        char *copy;
        TRY(alloc_copy(path, (size_t)(at + size - path), &copy));
        size_t length = strlen(copy);
        if (length && (length < 5 || strcmp(copy + length - 5, ".json")))
            error = add_file(plugins, copy, "PJRT_NAMES_AND_LIBRARY_PATHS");
        alloc_free(copy);
        at += size + (at[size] == ',');
    }
    return error;
}

static struct error *add_folder_of_go(struct plugins *plugins, const char *folder)
{
    static const char *const patterns[] = {"pjrt_c_api_*_plugin.so", "pjrt_plugin_*.so",
                                           "pjrt-plugin-*.so"};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        TRY(add_matching(plugins, folder, patterns[i], "go-xla"));
    return NULL;
}

/* PJRT_PLUGIN_LIBRARY_PATH replaces the default folders. */
static struct error *add_of_go(struct plugins *plugins)
{
    const char *given = getenv("PJRT_PLUGIN_LIBRARY_PATH"), *home = getenv("HOME");
    struct text text = {0};
    char *folders;
    text_add(&text, "%s", given ? given : home ? home : "");
    text_add(&text, "%s", given ? "" : "/.local/lib/go-xla:/usr/local/lib/go-xla");
    TRY(text_finish(&text, &folders, NULL));
    struct error *error = NULL;
    char *rest = folders;
    for (char *folder; !error && (folder = strsep(&rest, ":"));)
        if (*folder)
            error = add_folder_of_go(plugins, folder);
    alloc_free(folders);
    return error;
}

struct error *plugins_find(struct plugins *out)
{
    char *own;
    *out = (struct plugins){0};
    TRY(plugins_own_folder(&own));
    struct error *error = add_matching(out, own, OWN_PLUGIN, "this installation");
    if (!error)
        error = add_matching(out, own, "pjrt_c_api_gantry?*_plugin.so", "this installation");
    alloc_free(own);
    if (!error)
        error = add_of_jax(out);
    if (!error)
        error = add_of_go(out);
    if (error)
        plugins_free(out);
    return error;
}

void plugins_free(struct plugins *plugins)
{
    for (size_t i = 0; i < plugins->count; i++)
        alloc_free(plugins->files[i].path);
    alloc_free(plugins->files);
    *plugins = (struct plugins){0};
}
