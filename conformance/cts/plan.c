/* plan.c: selects rules. */
#include "conformance/cts/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static bool is_in_area(const struct rule *rule, const char *area)
{
    char *end;
    long number = strtol(area, &end, 10);
    if (end != area && !*end)
        return number == (long)rule->area;
    return !strcmp(area, rule_areas[rule->area].name);
}

static bool is_selected(const struct selection *selection, const struct rule *rule)
{
    bool by_pattern = !selection->pattern_count, by_area = !selection->area_count;
    for (size_t i = 0; i < selection->pattern_count && !by_pattern; i++)
        by_pattern = rule_matches(rule, selection->patterns[i]);
    for (size_t i = 0; i < selection->area_count && !by_area; i++)
        by_area = is_in_area(rule, selection->areas[i]);
    return by_pattern && by_area && (!selection->has_level || rule->level <= selection->level);
}

/* Words that select no rule at all are mistakes. */
static struct error *check(const struct selection *selection)
{
    for (size_t i = 0; i < selection->area_count; i++) {
        bool found = false;
        for (size_t k = 0; k < rule_count && !found; k++)
            found = is_in_area(&rules[k], selection->areas[i]);
        if (!found)
            return ERROR(INVALID_ARGUMENT,
                         "no rule is in area '%s'; --list shows the areas and rules",
                         selection->areas[i]);
    }
    for (size_t i = 0; i < selection->pattern_count; i++) {
        bool found = false;
        for (size_t k = 0; k < rule_count && !found; k++)
            found = rule_matches(&rules[k], selection->patterns[i]);
        if (!found)
            return ERROR(INVALID_ARGUMENT,
                         "'%s' names no rule; allowed: an id or its beginning (6.2), a glob over "
                         "ids or names (client.*)",
                         selection->patterns[i]);
    }
    return NULL;
}

struct error *plan_make(const struct selection *selection, struct plan *out)
{
    *out = (struct plan){0};
    TRY(check(selection));
    TRY(alloc_array(rule_count + 1, sizeof *out->rules, &out->rules));
    for (size_t i = 0; i < rule_count; i++)
        if (is_selected(selection, &rules[i]))
            out->rules[out->count++] = &rules[i];
    return NULL;
}

void plan_free(struct plan *plan)
{
    alloc_free(plan->rules);
    *plan = (struct plan){0};
}
