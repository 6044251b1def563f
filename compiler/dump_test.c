/* Dumps are written to their folder for any module name. */
#include "compiler/dump.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
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

static void dump_named(const char *name, const char *pass)
{
    struct arena *arena;
    cr_assert_null(arena_create(&arena));
    dump_module(ir_module(arena, name), NULL, 7, pass);
    arena_destroy(arena);
}

Test(dump, files_are_named_after_module_and_pass)
{
    dump_named("jit_f", "fold");
    cr_expect(exists(folder, "jit_f.07.fold.mlir"));
    drop(folder, "jit_f.07.fold.mlir");
}

Test(dump, a_name_cannot_leave_the_folder)
{
    static const char *const names[][2] = {{"../../x", "_._.._x.07.fold.mlir"},
                                           {"../x", "_._x.07.fold.mlir"},
                                           {"/tmp/x", "_tmp_x.07.fold.mlir"},
                                           {"..", "_..07.fold.mlir"},
                                           {".hidden", "_hidden.07.fold.mlir"},
                                           {"a/b\n%s", "a_b__s.07.fold.mlir"},
                                           {"", ".07.fold.mlir"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        dump_named(names[i][0], "fold");
        cr_expect(exists(folder, names[i][1]), "%s", names[i][0]);
        drop(folder, names[i][1]);
    }
}

Test(dump, long_names_are_cut)
{
    char name[5000], file[300];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    dump_named(name, "fold");
    snprintf(file, sizeof file, "%.200s.07.fold.mlir", name);
    cr_expect(exists(folder, file));
    drop(folder, file);
}

Test(dump, links_are_not_followed)
{
    char link[300], target[300];
    cr_assert_eq(mkdir(folder, 0777), 0);
    snprintf(link, sizeof link, "%s/m.07.fold.mlir", folder);
    snprintf(target, sizeof target, "%s/victim", parent);
    cr_assert_eq(symlink(target, link), 0);
    dump_named("m", "fold");
    cr_expect_not(exists(parent, "victim"));
    drop(folder, "m.07.fold.mlir");
}

Test(dump, only_the_passes_that_were_requested)
{
    char requested[200];
    snprintf(requested, sizeof requested, "fold,cse:%s", folder);
    setenv("GANTRY_DUMP", requested, 1);
    dump_named("m", "inline");
    cr_expect_not(exists(folder, "m.07.inline.mlir"));
    dump_named("m", "cse");
    cr_expect(exists(folder, "m.07.cse.mlir"));
    drop(folder, "m.07.cse.mlir");
}
