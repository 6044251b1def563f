#include "tools/plan_hosts.h"

#include <criterion/criterion.h>

/* The seconds of one collective between four hosts. */
static double seconds(const char *kind, int groups, double bytes)
{
    struct plan_hosts hosts;
    struct plan_collective collective = {.kind = kind,
                                         .operation = "",
                                         .count = 1,
                                         .group_count = groups,
                                         .group_size = 4,
                                         .trips = 1,
                                         .bytes = bytes};
    struct plan_view view = {.collective_count = 1, .collectives = &collective};
    cJSON *plan = cJSON_CreateObject();
    cr_assert_null(plan_hosts_read("4", "8G,1", &hosts));
    cr_assert_null(plan_hosts_json(&hosts, &view, plan));
    double out = cJSON_GetObjectItem(cJSON_GetObjectItem(plan, "hosts"), "communication_seconds")
                     ->valuedouble;
    cJSON_Delete(plan);
    return out;
}

/* A link of 1 GB/s carries the bytes of all groups. */
Test(plan_hosts, groups_share_the_links)
{
    static const char *const kinds[] = {"all-reduce",     "all-gather",           "all-to-all",
                                        "reduce-scatter", "collective-broadcast", "send"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        double one = seconds(kinds[i], 1, 64e6), eight = seconds(kinds[i], 8, 64e6);
        cr_expect_geq(one, 0.048, "%s: %g", kinds[i], one);
        cr_expect(eight > 7.9 * one && eight < 8.1 * one, "%s: %g and %g", kinds[i], one, eight);
    }
    cr_expect_eq(seconds("recv", 8, 64e6), 0);
}
