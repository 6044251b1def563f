/* rule_test.c: ids of rules, and patterns that name them. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "conformance/cts/pjrt_functions.h"
#include "conformance/cts/rule.h"

/* An id as a number that orders ids. */
static long order_of(const struct rule *rule)
{
    int area, section, number, end = 0;
    cr_assert_eq(sscanf(rule->id, "%d.%d.%d%n", &area, &section, &number, &end), 3, "%s", rule->id);
    cr_assert_eq(rule->id[end], '\0', "%s", rule->id);
    cr_expect_eq(area, (int)rule->area, "%s is in area %d", rule->id, (int)rule->area);
    return area * 1000000L + section * 1000L + number;
}

Test(rule, ids_ascend)
{
    cr_assert_gt(rule_count, 0);
    for (size_t i = 1; i < rule_count; i++)
        cr_expect_lt(order_of(&rules[i - 1]), order_of(&rules[i]), "%s", rules[i].id);
}

Test(rule, have_sentences_sources_and_versions)
{
    for (size_t i = 0; i < rule_count; i++) {
        size_t size = strlen(rules[i].sentence);
        cr_expect(size > 20 && rules[i].sentence[size - 1] == '.', "%s is no sentence",
                  rules[i].id);
        cr_expect(*rules[i].source, "%s has no source", rules[i].id);
        cr_expect(rules[i].since >= OLDEST_MINOR && rules[i].since <= NEWEST_MINOR, "%s",
                  rules[i].id);
    }
}

Test(rule, matches_ids_and_names)
{
    const struct rule rule = {.id = "6.2.10", .name = "client.finds"};
    cr_expect(rule_matches(&rule, "6.2.10"));
    cr_expect(rule_matches(&rule, "6.2"));
    cr_expect(rule_matches(&rule, "6"));
    cr_expect(rule_matches(&rule, "6.*"));
    cr_expect(rule_matches(&rule, "client.f*"));
    cr_expect_not(rule_matches(&rule, "6.2.1"));
    cr_expect_not(rule_matches(&rule, "6.20"));
    cr_expect_not(rule_matches(&rule, "finds"));
}
