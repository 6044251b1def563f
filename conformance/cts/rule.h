/* rule.h: the rules of rules.def as a table, in the order of their ids. Static, thread-safe. */
#ifndef GANTRY_CONFORMANCE_RULE_H
#define GANTRY_CONFORMANCE_RULE_H

#include <stdbool.h>
#include <stddef.h>

struct rule_context;

enum rule_area {
    AREA_NONE, /* areas count from 1 on */
#define AREA(number, name, title) AREA_##name = number,
#include "conformance/rules.def"
    AREA_END
};
struct rule_area_info {
    const char *name, *title;
};
extern const struct rule_area_info rule_areas[AREA_END];

enum rule_level { MUST, SHOULD, OPTIONAL, EXTRA };

struct rule {
    const char *id; /* "6.2.3" */
    enum rule_area area;
    enum rule_level level;
    int since;        /* the first minor version of PJRT that has what the rule is about */
    const char *name; /* "client.ids_are_unique" */
    const char *sentence, *source;
    void (*run)(struct rule_context *t);
};

extern const struct rule rules[];
extern const size_t rule_count;

const char *rule_level_name(enum rule_level level); /* static: "must" */
/* Whether a pattern names the rule: an id or its beginning ("6.2" includes "6.2.3", not "6.21.1"),
 * or a glob over the id or the name ("client.*"). */
bool rule_matches(const struct rule *rule, const char *pattern);

/* The functions of all rules, each in conformance/rules/<area>_rules.c. */
#define RULE(id, area, level, since, name, sentence, source)                                       \
    void rule_##area##_##name(struct rule_context *t);
#include "conformance/rules.def"

#endif
