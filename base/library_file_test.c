/* library_file_test.c: libraries truncated at various offsets, and files that are not libraries. */
#include "base/library_file.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64], path[128], whole[128], fault[512];

static void setup(void)
{
    const char *lib = getenv("GANTRY_LIB");
    char command[1024];
    strcpy(folder, "/tmp/gantry-library-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    cr_assert_eq(chmod(folder, 0755), 0);
    snprintf(path, sizeof path, "%s/file.so", folder);
    snprintf(whole, sizeof whole, "%s/whole.so", folder);
    snprintf(command, sizeof command,
             "cp %s/libgantry_cpu.so %s && strip --strip-unneeded %s && cp %s %s",
             lib ? lib : "build/lib", whole, whole, whole, path);
    cr_assert_eq(system(command), 0);
}

static void teardown(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    cr_expect_eq(system(command), 0);
}

TestSuite(library_file, .init = setup, .fini = teardown);

Test(library_file, a_whole_library_is_sound)
{
    cr_expect(library_file_sound(path, fault, sizeof fault));
}

/* Only section names and the section table follow the loaded part. */
Test(library_file, a_library_cut_anywhere_is_not)
{
    struct stat status;
    cr_assert_eq(stat(whole, &status), 0);
    for (long size = 64; size < status.st_size - 4096; size += status.st_size / 50) {
        cr_assert_eq(truncate(path, size), 0);
        cr_expect_not(library_file_sound(path, fault, sizeof fault), "%ld bytes", size);
        cr_expect_not_null(strstr(fault, "is truncated"), "%s", fault);
        cr_expect_not_null(strstr(fault, "Install Gantry again"), "%s", fault);
        char command[300];
        snprintf(command, sizeof command, "cp %s %s", whole, path);
        cr_assert_eq(system(command), 0);
    }
}

Test(library_file, what_dlopen_refuses_by_itself_is_left_to_it)
{
    cr_expect(library_file_sound("/tmp/no-such-folder/file.so", fault, sizeof fault));
    cr_expect(library_file_sound(folder, fault, sizeof fault));
    for (long size = 0; size < 64; size += 9) {
        cr_assert_eq(truncate(path, size), 0);
        cr_expect(library_file_sound(path, fault, sizeof fault), "%ld bytes", size);
    }
    FILE *file = fopen(path, "w");
    for (int i = 0; i < 100; i++)
        fputs("text", file);
    fclose(file);
    cr_expect(library_file_sound(path, fault, sizeof fault));
}

Test(library_file, a_table_of_parts_beyond_the_file_is_cut_short)
{
    unsigned char far[8] = {0xf0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    for (int top = 0; top < 2; top++) {
        int file = open(path, O_WRONLY);
        far[7] = top ? 0xff : 0x00;
        cr_assert_eq(pwrite(file, far, 8, 32), 8); /* e_phoff */
        close(file);
        cr_expect_not(library_file_sound(path, fault, sizeof fault));
    }
}

Test(library_file, one_that_may_not_be_read_is_named)
{
    cr_assert_eq(chmod(path, 0), 0);
    if (geteuid() == 0)
        cr_assert_eq(seteuid(65534), 0);
    cr_expect_not(library_file_sound(path, fault, sizeof fault));
    cr_expect_not_null(strstr(fault, path), "%s", fault);
    cr_expect_not_null(strstr(fault, "Let this user read it"), "%s", fault);
    if (getuid() == 0)
        cr_assert_eq(seteuid(0), 0);
}
