#include "base/trace.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <string.h>

#include "base/alloc.h"

static struct trace *make(void)
{
    struct trace *trace;
    cr_assert_null(trace_create(&trace));
    return trace;
}

static void happen(const char *name)
{
    trace_end(trace_begin(), TRACE_STEP, name);
}

Test(trace, nothing_is_recorded_unless_asked_for)
{
    struct trace *trace = make();
    cr_expect_eq(trace_begin(), 0);
    happen("before");
    trace_start(trace);
    cr_expect(trace_records(trace));
    happen("meanwhile");
    trace_stop(trace);
    happen("after");
    cr_expect_eq(trace_begin(), 0);
    cr_assert_eq(trace_count(trace), 1);
    const struct trace_event *event = trace_event(trace, 0);
    cr_expect_str_eq(event->name, "meanwhile");
    cr_expect_eq(event->kind, TRACE_STEP);
    cr_expect(event->begin_ns >= trace_started_ns(trace) && event->end_ns >= event->begin_ns);
    trace_destroy(trace);
}

Test(trace, recordings_are_independent)
{
    struct trace *first = make(), *second = make();
    trace_start(first);
    uint64_t began = trace_begin();
    happen("one");
    trace_start(second);
    happen("both");
    trace_end(began, TRACE_EXECUTE, "began before the second");
    trace_stop(first);
    happen("two");
    trace_stop(second);
    cr_assert_eq(trace_count(first), 3);
    cr_assert_eq(trace_count(second), 2);
    cr_expect_str_eq(trace_event(first, 2)->name, "began before the second");
    cr_expect_str_eq(trace_event(second, 1)->name, "two");
    trace_destroy(first);
    trace_destroy(second);
}

static int held;

static void retain(void *object)
{
    held += object == &held;
}

static void release(void *object)
{
    held -= object == &held;
}

Test(trace, each_event_holds_its_subject)
{
    const struct trace_subject subject = {3, &held, retain, release, 0, 0};
    struct trace *first = make(), *second = make();
    trace_end_of(trace_begin(), TRACE_EXECUTE, "before", &subject);
    trace_start(first);
    uint64_t began = trace_begin();
    trace_start(second);
    trace_end_of(trace_begin(), TRACE_EXECUTE, "both", &subject);
    trace_end_of(began, TRACE_EXECUTE, "began before the second", &subject);
    trace_end_of(trace_begin(), TRACE_EXECUTE, "none", NULL);
    trace_stop(first);
    trace_stop(second);
    cr_expect_eq(held, 3);
    cr_expect_eq(trace_event(first, 0)->subject.device, 3);
    cr_expect_null(trace_event(first, 2)->subject.object);
    trace_start(first);
    cr_expect_eq(held, 1);
    trace_destroy(first);
    trace_destroy(second);
    cr_expect_eq(held, 0);
}

Test(trace, a_new_start_forgets_and_a_second_one_does_not)
{
    struct trace *trace = make();
    trace_start(trace);
    happen("old");
    trace_start(trace);
    happen("old too");
    trace_stop(trace);
    cr_expect_eq(trace_count(trace), 2);
    trace_start(trace);
    cr_expect_eq(trace_count(trace), 0);
    trace_destroy(trace); /* while recording */
    cr_expect_eq(trace_begin(), 0);
}

Test(trace, events_beyond_the_limit_are_counted)
{
    struct trace *trace = make();
    trace_start(trace);
    for (int i = 0; i < TRACE_EVENTS_MAX + 3; i++)
        happen(NULL);
    trace_stop(trace);
    cr_expect_eq(trace_count(trace), TRACE_EVENTS_MAX);
    cr_expect_eq(trace_dropped(trace), 3);
    cr_expect_str_empty(trace_event(trace, TRACE_EVENTS_MAX - 1)->name);
    trace_destroy(trace);
    cr_expect_eq(alloc_live(), 0);
}

Test(trace, long_names_are_cut)
{
    char name[4 * TRACE_NAME];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    struct trace *trace = make();
    trace_start(trace);
    happen(name);
    trace_stop(trace);
    cr_expect_eq(strlen(trace_event(trace, 0)->name), TRACE_NAME - 1);
    trace_destroy(trace);
}

static void *happen_often(void *argument)
{
    for (int i = 0; i < 1000; i++)
        happen(argument);
    return NULL;
}

Test(trace, threads_record_together)
{
    struct trace *trace = make();
    pthread_t threads[4];
    trace_start(trace);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, happen_often, (void *)"thread");
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    trace_stop(trace);
    cr_expect_eq(trace_count(trace), 4000);
    trace_destroy(trace);
}

Test(trace, steps_and_memories_have_more)
{
    const struct trace_memory memory = {"CPU_0(device)", 8, 9, 10, -3, 77};
    struct trace *trace = make();
    int step = 0;
    trace_end_step(trace_begin(), "before", &step);
    trace_note_memory(trace_begin(), "before", &memory);
    trace_start(trace);
    trace_end_step(trace_begin(), "dot", &step);
    trace_note_memory(trace_begin(), "result", &memory);
    trace_stop(trace);
    cr_assert_eq(trace_count(trace), 2);
    cr_expect_eq(trace_event(trace, 0)->step, &step);
    const struct trace_event *event = trace_event(trace, 1);
    cr_expect_eq(event->kind, TRACE_MEMORY);
    cr_expect_eq(event->begin_ns, event->end_ns);
    cr_expect_str_eq(event->memory.space, "CPU_0(device)");
    cr_expect_eq(event->memory.change, -3);
    trace_destroy(trace);
}
