/* profile.h: whether a plugin has the functions that a client cannot do without (profiles.def). */
#ifndef GANTRY_CONFORMANCE_PROFILE_H
#define GANTRY_CONFORMANCE_PROFILE_H

#include <stdbool.h>

#include "base/error.h"
#include "conformance/cts/pjrt_functions.h"

enum profile_name {
#define PROFILE(name, title) PROFILE_##name,
#include "conformance/profiles.def"
    PROFILE_COUNT
};

struct profile {
    const char *name, *title;
    bool needs[FUNCTION_COUNT];
};
extern const struct profile profiles[PROFILE_COUNT];

/* The profile of that name, or PROFILE_COUNT. */
enum profile_name profile_find(const char *name);

/* Which functions a plugin has. */
struct profile_answers {
    unsigned char best[FUNCTION_COUNT]; /* enum answer: the best one of all rules that ran */
    bool missing[FUNCTION_COUNT];
};

/* Fills `missing`: functions of the plugin's version that its table does not have; that have
 * answered UNIMPLEMENTED, and never with success; and that, unless one of these is known, answer so
 * to arguments whose struct_size is too small for anything. RESOURCE_EXHAUSTED. */
struct error *profile_probe(const char *plugin, struct profile_answers *answers);

/* How many of the profile's functions are missing. */
int profile_missing(enum profile_name name, const struct profile_answers *answers);

#endif
