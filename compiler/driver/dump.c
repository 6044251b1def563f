/* dump.c: see dump.h. */
#include "compiler/driver/dump.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/env.h"
#include "base/log.h"
#include "base/map.h"
#include "base/suggest.h"
#include "base/text.h"

enum { NAME_BYTES = 200, FOLDER_BYTES = 1024, MAX_ATTEMPTS = 10000 };

struct dump {
    char folder[FOLDER_BYTES + NAME_BYTES + 16]; /* of this compilation */
    const char *words; /* "a,b:...", borrowed from the environment; NULL: passes and steps */
    uint64_t written;  /* hash of the last module that was written */
    int number;        /* calls of dump_module() */
    bool by_option;    /* requested by xla_dump_to: passes only */
};

/* ---- what was requested ---------------------------------------------------------------------- */

/* Splits GANTRY_DUMP; *words is NULL where it is a folder only. A colon in a path is no separator:
 * words have no '/'. */
static void split(const char *requested, const char **words, const char **folder)
{
    const char *colon = strrchr(requested, ':');
    bool listed = colon && !memchr(requested, '/', (size_t)(colon - requested));
    *words = listed ? requested : NULL;
    *folder = listed ? colon + 1 : requested;
}

static bool is(const char *word, size_t size, const char *name)
{
    return strlen(name) == size && !memcmp(word, name, size);
}

static bool is_output(const char *word)
{
    return !strcmp(word, DUMP_STEPS) || !strcmp(word, DUMP_SCHEDULES) || !strcmp(word, DUMP_LLVM) ||
           !strcmp(word, DUMP_ASSEMBLY);
}

bool dump_wants(const struct dump *dump, const char *word)
{
    if (!dump || !dump->words)
        return dump && (!is_output(word) || (!dump->by_option && !strcmp(word, DUMP_STEPS)));
    for (const char *at = dump->words;;) {
        size_t size = strcspn(at, ",:");
        if (is(at, size, word) || is(at, size, "all") ||
            (!is_output(word) && is(at, size, DUMP_PASSES)))
            return true;
        if (at[size] != ',')
            return false;
        at += size + 1;
    }
}

/* ---- names and files ------------------------------------------------------------------------- */
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

/* Creates a folder and its parents; -1 with errno. */
static int make_folders(const char *folder)
{
    char path[FOLDER_BYTES + NAME_BYTES + 16];
    if ((size_t)snprintf(path, sizeof path, "%s", folder) >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    for (char *slash = path + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = '\0';
        if (mkdir(path, 0777) && errno != EEXIST && errno != EROFS && errno != EACCES)
            return -1;
    }
    return mkdir(path, 0777) && errno != EEXIST ? -1 : 0;
}

static int open_in(const char *folder, const char *file)
{
    if (make_folders(folder))
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

static void write_in(const char *folder, const char *file_name, const void *bytes, size_t size)
{
    int file = open_in(folder, file_name);
    bool written = file >= 0 && write_all(file, bytes, size);
    int error = errno;
    written &= file < 0 || close(file) == 0;
    if (!written)
        LOG(WARNING, "cannot write the dump %s/%s: %s", folder, file_name, strerror(error));
}

void dump_file(const char *folder, const char *name, const char *ending, const void *bytes,
               size_t size)
{
    char plain[NAME_BYTES + 1], file_name[NAME_BYTES + 64];
    sanitize(name, plain);
    snprintf(file_name, sizeof file_name, "%s.%s", plain, ending);
    write_in(folder, file_name, bytes, size);
}

/* ---- a compilation --------------------------------------------------------------------------- */

/* The largest number with which a name in the folder begins. */
static unsigned last_number(const char *folder)
{
    unsigned last = 0;
    DIR *directory = opendir(folder);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        unsigned long number = strtoul(entry->d_name, NULL, 10);
        last = number > last && number < 100000000 ? (unsigned)number : last;
    }
    if (directory)
        closedir(directory);
    return last;
}

/* A number that is larger than those of the folder and of this process. */
static unsigned next_number(const char *folder)
{
    static atomic_uint count;
    unsigned none = 0;
    if (!atomic_load(&count))
        atomic_compare_exchange_strong(&count, &none, last_number(folder));
    return atomic_fetch_add(&count, 1) + 1;
}

/* Creates FOLDER/NNNN.NAME; false with errno. */
static bool create_folder(struct dump *dump, const char *folder, const char *module_name)
{
    char plain[NAME_BYTES + 1];
    sanitize(module_name, plain);
    if (strlen(folder) > FOLDER_BYTES || make_folders(folder))
        return false;
    for (int i = 0; i < MAX_ATTEMPTS; i++) {
        snprintf(dump->folder, sizeof dump->folder, "%.*s/%04u.%s", FOLDER_BYTES, folder,
                 next_number(folder), plain);
        if (!mkdir(dump->folder, 0777))
            return true;
        if (errno != EEXIST)
            return false;
    }
    return false;
}

struct dump *dump_open(struct arena *arena, const char *module_name, const char *option)
{
    const char *requested = env_text(ENV_GANTRY_DUMP), *folder = option;
    if (!requested && !option)
        return NULL;
    struct dump *dump = ARENA_NEW(arena, struct dump);
    dump->by_option = !requested;
    if (requested)
        split(requested, &dump->words, &folder);
    if (create_folder(dump, folder, module_name ? module_name : "module"))
        return dump;
    LOG(WARNING, "cannot create the folder of a dump in %s: %s", folder, strerror(errno));
    return NULL;
}

void dump_bytes(struct dump *dump, const char *file_name, const void *bytes, size_t size)
{
    if (dump)
        write_in(dump->folder, file_name, bytes, size);
}

void dump_module(struct dump *dump, const struct module *module, const char *pass)
{
    char file_name[64];
    struct text text = {0};
    int number = dump ? dump->number++ : 0;
    if (!dump_wants(dump, pass))
        return;
    ir_print(module, &text);
    uint64_t hash = map_hash(text.data ? text.data : "", text.size, 0);
    if (text.data && hash != dump->written) {
        snprintf(file_name, sizeof file_name, "%02d.%.40s.mlir", number, pass);
        dump_bytes(dump, file_name, text.data, text.size);
        dump->written = hash;
    }
    text_free(&text);
}

/* ---- the check ------------------------------------------------------------------------------- */
enum { MAX_WORDS = 128, MAX_WORD = 64 };

/* The words that are allowed: each pass once, then the others. */
static size_t known_words(const char *const *passes, size_t count, const char *out[MAX_WORDS])
{
    static const char *const others[] = {DUMP_PASSES, DUMP_STEPS,    DUMP_SCHEDULES,
                                         DUMP_LLVM,   DUMP_ASSEMBLY, "all"};
    enum { OTHERS = sizeof others / sizeof *others };
    size_t known = 0;
    for (size_t i = 0; i < count + OTHERS && known < MAX_WORDS; i++) {
        const char *word = i < count ? passes[i] : others[i - count];
        bool again = false;
        for (size_t k = 0; k < known; k++)
            again |= !strcmp(out[k], word);
        if (!again)
            out[known++] = word;
    }
    return known;
}

static struct error *unknown_word(const char *word, const char *const *known, size_t count)
{
    struct text text = {0};
    char *all;
    const char *meant = suggest(word, known, count);
    for (size_t i = 0; i < count; i++)
        text_add(&text, "%s%s", i ? ", " : "", known[i]);
    TRY(text_finish(&text, &all, NULL));
    struct error *error =
        ERROR(INVALID_ARGUMENT,
              "the environment variable GANTRY_DUMP names '%s', which is not a pass%s%s; allowed "
              "before the colon: %s",
              word, meant ? "; did you mean " : "", meant ? meant : "", all);
    alloc_free(all);
    return error;
}

static struct error *check_words(const char *words, const char *const *known, size_t count)
{
    char word[MAX_WORD];
    for (const char *at = words;; at++) {
        size_t size = strcspn(at, ",:");
        snprintf(word, sizeof word, "%.*s", (int)size, at);
        bool found = false;
        for (size_t i = 0; i < count; i++)
            found |= is(at, size, known[i]);
        if (!found)
            return unknown_word(word, known, count);
        at += size;
        if (*at != ',')
            return NULL;
    }
}

struct error *dump_check(const char *const *passes, size_t count)
{
    const char *requested = env_text(ENV_GANTRY_DUMP), *known[MAX_WORDS], *words, *folder;
    if (!requested)
        return NULL;
    split(requested, &words, &folder);
    size_t known_count = known_words(passes, count, known);
    if (words)
        TRY(check_words(words, known, known_count));
    if (!make_folders(folder) && !access(folder, W_OK | X_OK))
        return NULL;
    return ERROR(INVALID_ARGUMENT,
                 "the environment variable GANTRY_DUMP is '%.200s', and its folder '%.200s' cannot "
                 "be written to: %s; allowed: FOLDER or WORD,WORD:FOLDER",
                 requested, folder, *folder ? strerror(errno) : "it is empty");
}
