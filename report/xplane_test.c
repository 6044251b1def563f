/* Tests of xplane.h. */
#include "report/xplane.h"

#include "report/message_fixture.h"

static struct error *write(void *context)
{
    struct proto *out = context;
    struct xplane *plane = xplane_create(out->arena, 7, "plane");
    const struct xplane_stat stats[] = {{.name = "kind", .text = "step"},
                                        {.name = "bytes", .number = 300}};
    const struct xplane_event event = {"add", 5, 9, stats, 2}, plain = {.name = "add"};
    cr_expect_eq(xplane_line(plane, 1, "empty", 0), 0);
    int line = xplane_line(plane, 2, "line", 1000);
    xplane_event(plane, line, &event);
    xplane_event(plane, line, &plain);
    xplane_write(plane, out, 1);
    return NULL;
}

Test(xplane, has_lines_with_events_and_each_name_once)
{
    struct proto out = {0};
    cr_assert_null(arena_create(&out.arena));
    cr_assert_null(arena_run(out.arena, write, &out));
    struct bytes plane = inside((struct bytes){out.bytes, out.bytes + out.size}, 1, 0);
    cr_expect_eq(number(plane, 1), 7);
    expect_string(plane, 2, "plane");
    cr_expect_eq(count_of(plane, 3), 1, "a line without events");
    struct bytes line = inside(plane, 3, 0), event = inside(line, 4, 0);
    expect_string(line, 2, "line");
    cr_expect_eq(number(line, 3), 1000);
    cr_expect(number(event, 2) == 5 && number(event, 3) == 9);
    cr_expect_eq(count_of(plane, 4), 1);
    cr_expect_eq(count_of(inside(line, 4, 1), 4), 0);
    struct bytes kind = inside(event, 4, 0), bytes = inside(event, 4, 1);
    cr_expect_eq(number(bytes, 4), 300);
    expect_string(inside(inside(plane, 5, (int)number(kind, 1) - 1), 2, 0), 2, "kind");
    expect_string(inside(inside(plane, 5, (int)number(kind, 7) - 1), 2, 0), 2, "step");
    arena_destroy(out.arena);
}
