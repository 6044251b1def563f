/* rule.c: the tables of rule.h. */
#include "conformance/cts/rule.h"

#include <fnmatch.h>
#include <string.h>

const struct rule_area_info rule_areas[AREA_END] = {
#define AREA(number, name, title) [number] = {#name, title},
#include "conformance/rules.def"
};

const struct rule rules[] = {
#define RULE(id, area, level, since, name, sentence, source)                                       \
    {id, AREA_##area, level, since, #area "." #name, sentence, source, rule_##area##_##name},
#include "conformance/rules.def"
};
const size_t rule_count = sizeof rules / sizeof *rules;

const char *rule_level_name(enum rule_level level)
{
    static const char *const names[] = {"must", "should", "optional", "extra"};
    return names[level];
}

bool rule_matches(const struct rule *rule, const char *pattern)
{
    size_t size = strlen(pattern);
    if (!strncmp(rule->id, pattern, size) && (!rule->id[size] || rule->id[size] == '.'))
        return true;
    return !fnmatch(pattern, rule->id, 0) || !fnmatch(pattern, rule->name, 0);
}
