#include "base/activity.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/thread.h"

static struct activity activity;

Test(activity, nothing_runs_at_first)
{
    struct activity_view view;
    cr_assert(activity_read(&activity, &view));
    cr_assert(!*view.program && !*view.step && view.program_seconds == 0);
}

Test(activity, shows_the_program_and_its_step)
{
    struct activity_view view;
    cr_assert(activity_begin(&activity, "jit_f"));
    cr_assert_not(activity_begin(&activity, "jit_g"), "one program at a time");
    cr_assert(activity_read(&activity, &view));
    cr_assert(!strcmp(view.program, "jit_f") && !*view.step);
    activity_step(&activity, "dot_general at a.py:7");
    cr_assert(activity_read(&activity, &view));
    cr_assert(!strcmp(view.step, "dot_general at a.py:7") && view.step_seconds >= 0);
    activity_end(&activity);
    cr_assert(activity_read(&activity, &view));
    cr_assert(!*view.program && !*view.step && view.step_seconds == 0);
}

Test(activity, long_texts_are_truncated)
{
    char text[2 * ACTIVITY_TEXT];
    struct activity_view view;
    memset(text, 'x', sizeof text);
    for (size_t size = ACTIVITY_TEXT - 9; size < ACTIVITY_TEXT + 9; size++) {
        text[size] = 0;
        cr_assert(activity_begin(&activity, text));
        cr_assert(activity_read(&activity, &view));
        size_t want = size < ACTIVITY_TEXT ? size : ACTIVITY_TEXT - 1;
        cr_assert(strlen(view.program) == want);
        text[size] = 'x';
        activity_end(&activity);
    }
}

enum { WRITES = 20000 };

/* Thread 0 writes texts of one letter, of which the others must never see a mixture. */
static void write_or_read(void *context, int i)
{
    char text[ACTIVITY_TEXT];
    struct activity_view view;
    for (int k = 0; k < WRITES; k++) {
        if (i == 0) {
            memset(text, 'a' + k % 26, sizeof text);
            text[1 + k % (ACTIVITY_TEXT - 1)] = 0;
            activity_step(&activity, text);
        } else if (activity_read(&activity, &view)) {
            size_t same = strspn(view.step, (char[]){view.step[0], 0});
            if (same != strlen(view.step))
                *(bool *)context = true;
        }
    }
}

Test(activity, readers_see_no_mixture)
{
    bool mixed = false;
    thread_parallel("activity", 4, 4, write_or_read, &mixed);
    cr_assert_not(mixed);
}
