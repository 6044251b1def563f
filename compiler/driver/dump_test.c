/* Dumps are written to their folder for any module name. */
#include "compiler/driver/dump.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char parent[64], folder[100];

static void setup(void)
{
    snprintf(parent, sizeof parent, "/tmp/gantry_dump_test_XXXXXX");
    cr_assert_not_null(mkdtemp(parent));
    snprintf(folder, sizeof folder, "%s/folder", parent);
    setenv("GANTRY_DUMP", folder, 1);
}

static bool exists(const char *in, const char *name)
{
    char path[600];
    struct stat found;
    snprintf(path, sizeof path, "%s/%s", in, name);
    return !lstat(path, &found);
}

static void drop(const char *in, const char *name)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", in, name);
    cr_assert_eq(remove(path), 0, "%s", path);
}

static void teardown(void)
{
    rmdir(folder);
    cr_expect_eq(rmdir(parent), 0, "files were left outside of the folder");
}

TestSuite(dump, .init = setup, .fini = teardown);

/* Dumps a module of this name after the passes; returns the folder of the compilation. */
static void dump_named(const char *name, const char *const *passes)
{
    struct arena *arena;
    cr_assert_null(arena_create(&arena));
    struct dump *dump = dump_open(arena, name, NULL);
    struct module *module = ir_module(arena, name);
    for (; *passes; passes++)
        dump_module(dump, module, *passes);
    arena_destroy(arena);
}

#define DUMP(name, ...) dump_named(name, (const char *const[]){__VA_ARGS__, NULL})

Test(dump, each_compilation_has_a_folder)
{
    DUMP("jit_f", "fold");
    DUMP("jit_f", "read", "fold");
    cr_expect(exists(folder, "0001.jit_f/00.fold.mlir"));
    cr_expect(exists(folder, "0002.jit_f/00.read.mlir"));
    cr_expect_not(exists(folder, "0002.jit_f/01.fold.mlir"), "the module did not change");
    drop(folder, "0001.jit_f/00.fold.mlir");
    drop(folder, "0001.jit_f");
    drop(folder, "0002.jit_f/00.read.mlir");
    drop(folder, "0002.jit_f");
}

/* The numbers of another process, or of an earlier one. */
Test(dump, numbers_continue)
{
    char old[300];
    cr_assert_eq(mkdir(folder, 0777), 0);
    snprintf(old, sizeof old, "%s/0041.jit_g", folder);
    cr_assert_eq(mkdir(old, 0777), 0);
    DUMP("jit_f", "fold");
    cr_expect(exists(folder, "0042.jit_f/00.fold.mlir"));
    drop(folder, "0042.jit_f/00.fold.mlir");
    drop(folder, "0042.jit_f");
    drop(folder, "0041.jit_g");
}

Test(dump, a_name_cannot_leave_the_folder)
{
    static const char *const names[][2] = {{"../../x", "_._.._x"},
                                           {"../x", "_._x"},
                                           {"/tmp/x", "_tmp_x"},
                                           {"..", "_."},
                                           {".hidden", "_hidden"},
                                           {"a/b\n%s", "a_b__s"},
                                           {"", ""}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[400];
        DUMP(names[i][0], "fold");
        snprintf(path, sizeof path, "%04zu.%s/00.fold.mlir", i + 1, names[i][1]);
        cr_expect(exists(folder, path), "%s", names[i][0]);
        drop(folder, path);
        *strrchr(path, '/') = '\0';
        drop(folder, path);
    }
}

Test(dump, long_names_are_cut)
{
    char name[5000], path[300];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    DUMP(name, "fold");
    snprintf(path, sizeof path, "0001.%.200s/00.fold.mlir", name);
    cr_expect(exists(folder, path));
    drop(folder, path);
    *strrchr(path, '/') = '\0';
    drop(folder, path);
}

Test(dump, links_are_not_followed)
{
    char link[300], target[300];
    cr_assert_eq(mkdir(folder, 0777), 0);
    snprintf(link, sizeof link, "%s/m.steps.txt", folder);
    snprintf(target, sizeof target, "%s/victim", parent);
    cr_assert_eq(symlink(target, link), 0);
    dump_file(folder, "m", "steps.txt", "x", 1);
    cr_expect_not(exists(parent, "victim"));
    drop(folder, "m.steps.txt");
}

Test(dump, folders_are_made_with_their_parents)
{
    char nested[200];
    snprintf(nested, sizeof nested, "%s/a/b", folder);
    dump_file(nested, "m", "txt", "x", 1);
    cr_expect(exists(nested, "m.txt"));
    drop(nested, "m.txt");
    drop(folder, "a/b");
    drop(folder, "a");
}

Test(dump, only_what_was_requested)
{
    char requested[200];
    snprintf(requested, sizeof requested, "fold,cse,llvm:%s", folder);
    setenv("GANTRY_DUMP", requested, 1);
    DUMP("m", "inline", "cse");
    cr_expect_not(exists(folder, "0001.m/00.inline.mlir"));
    cr_expect(exists(folder, "0001.m/01.cse.mlir"));
    drop(folder, "0001.m/01.cse.mlir");
    drop(folder, "0001.m");
}

static void expect_wants(const char *words, bool steps, bool llvm, bool fold)
{
    struct arena *arena;
    char requested[200];
    snprintf(requested, sizeof requested, "%s%s", words, folder);
    setenv("GANTRY_DUMP", requested, 1);
    cr_assert_null(arena_create(&arena));
    struct dump *dump = dump_open(arena, "m", NULL);
    cr_expect_eq(dump_wants(dump, DUMP_STEPS), steps, "%s", words);
    cr_expect_eq(dump_wants(dump, DUMP_LLVM), llvm, "%s", words);
    cr_expect_eq(dump_wants(dump, "fold"), fold, "%s", words);
    arena_destroy(arena);
    drop(folder, "0001.m");
}

Test(dump, a_folder_alone)
{
    expect_wants("", true, false, true);
}

Test(dump, everything)
{
    expect_wants("all:", true, true, true);
}

Test(dump, one_kind)
{
    expect_wants("llvm:", false, true, false);
}

static void refuse(const char *requested, const char *part)
{
    static const char *const passes[] = {"fold", "cse", "fold"};
    setenv("GANTRY_DUMP", requested, 1);
    struct error *error = dump_check(passes, 3);
    cr_assert_not_null(error, "%s", requested);
    cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_expect_not_null(strstr(error_message(error, NULL), part), "%s", error_message(error, NULL));
    error_free(error);
}

Test(dump, wrong_requests_are_errors)
{
    char requested[200];
    refuse("fodl:/tmp", "'fodl', which is not a pass; did you mean fold; allowed before the colon: "
                        "fold, cse, passes, steps, schedules, llvm, assembly, all");
    refuse("fold,,cse:/tmp", "''");
    refuse("fold:", "it is empty");
    refuse("/proc/none", "cannot be written to");
    snprintf(requested, sizeof requested, "fold,steps:%s", folder);
    setenv("GANTRY_DUMP", requested, 1);
    cr_expect_null(dump_check((const char *const[]){"fold"}, 1));
    snprintf(requested, sizeof requested, "%s/with:colon", folder);
    setenv("GANTRY_DUMP", requested, 1);
    cr_expect_null(dump_check(NULL, 0), "a path with a colon");
    drop(folder, "with:colon");
}
