/* Tests of xplane.h. */
#include "report/xplane.h"

#include "report/message_fixture.h"

static struct error *write(void *context)
{
    struct proto *out = context;
    struct xplane *plane = xplane_create(out->arena, 7, "plane");
    struct proto message = {.arena = out->arena};
    proto_number(&message, 1, 7);
    const struct xplane_stat stats[] = {{.name = "kind", .text = "step"},
                                        {.name = "bytes", .number = 300},
                                        {.name = "rate", .real = 0.5},
                                        {.name = "proto", .bytes = &message}};
    const struct xplane_event event = {"add", 5, 9, stats, 2, 0}, plain = {.name = "add"};
    const struct xplane_kind kind = {.name = "%dot = dot",
                                     .short_name = "dot",
                                     .stats = stats,
                                     .stat_count = 4},
                             module = {.id = 1234567890123, .name = "module"};
    xplane_stat(plane, &stats[2]);
    cr_expect_eq(xplane_line(plane, 1, "empty", 0), 0);
    int line = xplane_line(plane, 2, "line", 1000);
    xplane_event(plane, line, &event);
    xplane_event(plane, line, &plain);
    cr_expect_eq(xplane_kind(plane, &module), 1234567890123);
    cr_expect_eq(xplane_kind(plane, &kind), 2);
    xplane_event(plane, line, &(struct xplane_event){.kind = 2});
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
    cr_expect_eq(count_of(plane, 4), 3);
    cr_expect_eq(count_of(inside(line, 4, 1), 4), 0);
    struct bytes kind = inside(event, 4, 0), bytes = inside(event, 4, 1);
    cr_expect_eq(number(bytes, 4), 300);
    expect_string(inside(inside(plane, 5, (int)number(kind, 1) - 1), 2, 0), 2, "kind");
    expect_string(inside(inside(plane, 5, (int)number(kind, 7) - 1), 2, 0), 2, "step");
    expect_string(inside(inside(plane, 5, (int)number(inside(plane, 6, 0), 1) - 1), 2, 0), 2,
                  "rate");
    cr_expect_eq(number(inside(plane, 4, 1), 1), 1234567890123);
    struct bytes dot = inside(inside(plane, 4, 2), 2, 0), proto = inside(dot, 5, 3);
    cr_expect_eq(number(inside(line, 4, 2), 1), number(dot, 1));
    expect_string(dot, 4, "dot");
    cr_expect_eq(count_of(dot, 5), 4);
    cr_expect_eq(number(inside(proto, 6, 0), 1), 7);
    arena_destroy(out.arena);
}
