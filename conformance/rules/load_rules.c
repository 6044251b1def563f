/* load_rules.c: area 1: opening and closing the library. */
#include <dlfcn.h>
#include <elf.h>
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/cts/rule_process.h"
#include "conformance/process_usage.h"

/* Opens the library, and forgets its table after a look at it. */
static void *open_with(struct rule_context *t, int flags)
{
    void *library = dlopen(t->path, flags);
    if (!library) {
        rule_fail(t, "dlopen: %s", dlerror());
        return NULL;
    }
    t->library = library;
    t->api = NULL;
    if (!rule_open_table(t))
        return NULL;
    return library;
}

/* ---- 1.1 Opening ----------------------------------------------------------------------------- */

void rule_load_opens(struct rule_context *t)
{
    open_with(t, RTLD_NOW | RTLD_LOCAL);
}

void rule_load_opens_lazily(struct rule_context *t)
{
    open_with(t, RTLD_LAZY | RTLD_LOCAL);
}

void rule_load_opens_globally(struct rule_context *t)
{
    open_with(t, RTLD_NOW | RTLD_GLOBAL);
}

static const PJRT_Api *ask_again(const struct rule_context *t)
{
    const PJRT_Api *(*get)(void);
    void *symbol = dlsym(t->library, "GetPjrtApi");
    memcpy(&get, &symbol, sizeof get);
    return get();
}

void rule_load_returns_one_table(struct rule_context *t)
{
    NEED_TABLE(t);
    for (int i = 0; i < 3; i++)
        CHECK(t, ask_again(t) == t->api, "another table in call %d", i + 2);
}

void rule_load_opens_twice(struct rule_context *t)
{
    NEED_TABLE(t);
    const PJRT_Api *first = t->api;
    if (open_with(t, RTLD_NOW | RTLD_LOCAL))
        CHECK(t, t->api == first, "the second handle gives another table");
}

static void ask_in_thread(struct rule_context *t, int i)
{
    const PJRT_Api *api = ask_again(t);
    CHECK(t, api == ask_again(t), "thread %d got two tables", i);
    CHECK(t, api && api->pjrt_api_version.major_version == 0, "thread %d got no table", i);
}

void rule_load_returns_one_table_to_threads(struct rule_context *t)
{
    NEED_LIBRARY(t);
    NEED(t, dlsym(t->library, "GetPjrtApi"), "the library has no symbol GetPjrtApi");
    rule_threads(t, ask_in_thread);
}

/* ---- 1.2 Effects on the process -------------------------------------------------------------- */

void rule_load_starts_no_threads(struct rule_context *t)
{
    int before = process_usage().threads;
    NEED_TABLE(t);
    int after = process_usage().threads;
    CHECK(t, after == before, "%d threads have become %d", before, after);
}

void rule_load_opens_no_files(struct rule_context *t)
{
    int before = process_usage().files;
    NEED_TABLE(t);
    int after = process_usage().files;
    CHECK(t, after == before, "%d open files have become %d", before, after);
}

void rule_load_writes_nothing(struct rule_context *t)
{
    int64_t before = rule_output();
    if (before < 0) {
        rule_skip(t, "the standard streams are not the suite's own");
        return;
    }
    NEED_TABLE(t);
    CHECK(t, rule_output() == before, "%lld bytes", (long long)(rule_output() - before));
}

void rule_load_keeps_signals(struct rule_context *t)
{
    struct sigaction before[32], after;
    sigset_t mask_before, mask_after;
    for (int i = 1; i < 32; i++)
        sigaction(i, NULL, &before[i]);
    pthread_sigmask(SIG_SETMASK, NULL, &mask_before);
    NEED_TABLE(t);
    pthread_sigmask(SIG_SETMASK, NULL, &mask_after);
    for (int i = 1; i < 32; i++) {
        sigaction(i, NULL, &after);
        CHECK(t, before[i].sa_handler == after.sa_handler, "the handler of signal %d", i);
        CHECK(t, sigismember(&mask_before, i) == sigismember(&mask_after, i), "the mask of %d", i);
    }
}

void rule_load_keeps_environment(struct rule_context *t)
{
    struct rule_environment before;
    rule_environment_read(&before);
    NEED_TABLE(t);
    rule_environment_check(t, &before);
}

/* Half of the smallest normal number: 0 if denormal numbers are flushed. */
static double halve_smallest(void)
{
    volatile double smallest = 2.2250738585072014e-308;
    return smallest / 2;
}

void rule_load_keeps_rounding(struct rule_context *t)
{
    int before = fegetround();
    NEED_TABLE(t);
    CHECK(t, fegetround() == before, "rounding mode %d has become %d", before, fegetround());
    CHECK(t, halve_smallest() > 0, "denormal numbers are flushed to zero");
}

/* Reads a part of the file into memory (owned: free), or NULL. */
static void *read_part(FILE *file, uint64_t offset, uint64_t size)
{
    void *bytes = size && size < 1 << 28 ? malloc(size) : NULL;
    if (bytes && (fseek(file, (long)offset, SEEK_SET) || fread(bytes, size, 1, file) != 1)) {
        free(bytes);
        bytes = NULL;
    }
    return bytes;
}

static bool is_exported_function(const Elf64_Sym *symbol)
{
    int type = ELF64_ST_TYPE(symbol->st_info), visibility = symbol->st_other & 3;
    return symbol->st_shndx != SHN_UNDEF && ELF64_ST_BIND(symbol->st_info) != STB_LOCAL &&
           (type == STT_FUNC || type == STT_GNU_IFUNC) &&
           (visibility == STV_DEFAULT || visibility == STV_PROTECTED);
}

/* Counts the functions in the table of dynamic symbols beside GetPjrtApi, and keeps a name. */
static int count_exports(FILE *file, const Elf64_Shdr *table, const Elf64_Shdr *strings,
                         char name[64])
{
    Elf64_Sym *symbols = read_part(file, table->sh_offset, table->sh_size);
    char *text = read_part(file, strings->sh_offset, strings->sh_size);
    int count = 0;
    for (size_t i = 0; symbols && text && i < table->sh_size / sizeof *symbols; i++) {
        const char *found = symbols[i].st_name < strings->sh_size ? text + symbols[i].st_name : "?";
        if (!is_exported_function(&symbols[i]) || !strcmp(found, "GetPjrtApi"))
            continue;
        snprintf(name, 64, "%.63s", found);
        count++;
    }
    free(symbols);
    free(text);
    return count;
}

void rule_load_exports_only_its_entry_point(struct rule_context *t)
{
    FILE *file = fopen(t->path, "rb");
    NEED(t, file, "the file cannot be opened");
    Elf64_Ehdr *header = read_part(file, 0, sizeof *header);
    Elf64_Shdr *sections =
        header ? read_part(file, header->e_shoff, (uint64_t)header->e_shnum * sizeof *sections)
               : NULL;
    char name[64] = "";
    for (int i = 0; sections && i < header->e_shnum; i++) {
        if (sections[i].sh_type != SHT_DYNSYM || sections[i].sh_link >= header->e_shnum)
            continue;
        int others = count_exports(file, &sections[i], &sections[sections[i].sh_link], name);
        CHECK(t, !others, "%d other functions, one of them is %s", others, name);
    }
    if (!sections)
        rule_skip(t, "the file has no table of sections");
    fclose(file);
    free(sections);
    free(header);
}

/* ---- 1.3 Closing ----------------------------------------------------------------------------- */

void rule_load_closes(struct rule_context *t)
{
    NEED_TABLE(t);
    int minor = t->minor;
    NEED(t, !dlclose(t->library), "dlclose: %s", dlerror());
    NEED(t, open_with(t, RTLD_NOW | RTLD_LOCAL), "it cannot be opened again");
    CHECK(t, t->minor == minor, "minor version %d has become %d", minor, t->minor);
}

static bool open_and_close(struct rule_context *t)
{
    return open_with(t, RTLD_NOW | RTLD_LOCAL) && !dlclose(t->library);
}

void rule_load_leaks_nothing(struct rule_context *t)
{
    rule_repeat(t, 300, open_and_close);
}

void rule_load_closes_after_clients(struct rule_context *t)
{
    for (int i = 0; i < 3; i++) {
        NEED_CLIENT(t);
        rule_close(t);
        NEED(t, !dlclose(t->library), "dlclose: %s", dlerror());
        t->library = NULL;
        t->api = NULL;
    }
}
