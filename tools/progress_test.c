#include "tools/progress.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static double forty(void *context)
{
    ++*(int *)context;
    return 40;
}

/* What a line shows of work that ends once `least` bytes are written, or at once (0). */
static void show(double delay, size_t least, char *out, size_t capacity, int *asked)
{
    int ends[2];
    size_t size = 0;
    cr_assert(!pipe(ends));
    struct progress progress = {.what = "running",
                                .expected = forty,
                                .context = asked,
                                .file = ends[1],
                                .delay = delay,
                                .interval = 0.001};
    progress_begin(&progress);
    while (size < least) {
        ssize_t got = read(ends[0], out + size, capacity - 1 - size);
        cr_assert(got > 0);
        size += (size_t)got;
    }
    progress_end(&progress);
    close(ends[1]);
    for (ssize_t got; (got = read(ends[0], out + size, capacity - 1 - size)) > 0;)
        size += (size_t)got;
    out[size] = 0;
    close(ends[0]);
}

Test(progress, texts)
{
    char out[PROGRESS_TEXT];
    cr_expect_str_eq(progress_text("running", 12, 40, out), "running: 12 s of about 40 s (30 %)");
    cr_expect_str_eq(progress_text("running", 12, 0, out), "running: 12 s");
    cr_expect_str_eq(progress_text("running", 50, 40, out),
                     "running: 50 s (about 40 s were expected)");
}

Test(progress, a_line_comes_and_goes)
{
    char out[1 << 16];
    int asked = 0;
    show(0, 60, out, sizeof out, &asked);
    cr_expect(strstr(out, "\rrunning: 0 s of about 40 s (0 %)\033[K"), "%s", out);
    cr_expect_str_eq(out + strlen(out) - 4, "\r\033[K");
    cr_expect_eq(asked, 1);
}

Test(progress, work_that_ends_soon_shows_nothing)
{
    char out[256];
    int asked = 0;
    show(1000, 0, out, sizeof out, &asked);
    cr_expect_str_eq(out, "");
    cr_expect_eq(asked, 0);
}

Test(progress, without_a_terminal_there_is_no_thread)
{
    struct progress progress = {.what = "running", .file = -1};
    progress_begin(&progress);
    cr_expect_not(progress.state.running);
    progress_end(&progress);
}
