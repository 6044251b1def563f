/* memory_file_test.c: files in memory are written and read, and are no programs. */
#include "base/memory_file.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

Test(memory_file, is_read_and_written)
{
    char word[4] = "";
    int file = memory_file_create("a", false);
    cr_assert_geq(file, 0);
    cr_expect_eq(write(file, "abc", 3), 3);
    cr_expect_eq(pread(file, word, sizeof word, 0), 3);
    cr_expect_str_eq(word, "abc");
    close(file);
}

Test(memory_file, is_inherited_only_if_asked_for)
{
    for (int inherited = 0; inherited < 2; inherited++) {
        int file = memory_file_create("a", inherited);
        cr_expect_eq(fcntl(file, F_GETFD), inherited ? 0 : FD_CLOEXEC);
        close(file);
    }
}

/* Linux 6.3 and newer seal the mode. */
Test(memory_file, is_never_a_program)
{
    struct stat status;
    int file = memory_file_create("a", false);
    cr_assert_eq(fstat(file, &status), 0);
    if (status.st_mode & 0111)
        cr_skip_test("this Linux has no memory files that are no programs");
    cr_expect_eq(fchmod(file, 0700), -1);
    cr_expect_eq(errno, EPERM);
    close(file);
}
