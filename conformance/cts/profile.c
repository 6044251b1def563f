/* profile.c: finds functions that a plugin does not have. */
#include "conformance/cts/profile.h"

#include <string.h>

#include "conformance/cts/child.h"
#include "conformance/cts/rule_context.h"
#include "tools/abi.h"

const struct profile profiles[PROFILE_COUNT] = {
#define PROFILE(profile, words)                                                                    \
    [PROFILE_##profile].name = #profile, [PROFILE_##profile].title = words,
#define NEEDS(profile, function) [PROFILE_##profile].needs[FUNCTION_##function] = true,
#include "conformance/profiles.def"
};

enum profile_name profile_find(const char *name)
{
    int i = 0;
    while (i < PROFILE_COUNT && strcmp(profiles[i].name, name) != 0)
        i++;
    return (enum profile_name)i;
}

/* In memory that the child shares. A child that ends inside of a function leaves `next` behind it,
 * and the next one goes on there: what crashes is not unimplemented. */
struct probe {
    const char *plugin;
    int next;
    struct profile_answers answers;
};

/* Functions that return no error, and are there if the table has them. */
static bool returns_nothing(enum function function)
{
    return function == FUNCTION_Error_Destroy || function == FUNCTION_Error_Message;
}

/* Calls a function with arguments that say that they are too short. */
static bool is_unimplemented(const PJRT_Api *api, enum function function)
{
    union {
        size_t struct_size;
        char bytes[512];
    } args = {.struct_size = sizeof(size_t)};
    PJRT_Error *(*call)(void *);
    memcpy(&call, (const char *)api + pjrt_functions[function].offset, sizeof call);
    struct error *error = abi_error(api, call(&args));
    bool unimplemented = error && error_code(error) == PJRT_Error_Code_UNIMPLEMENTED;
    error_free(error);
    return unimplemented;
}

static bool is_missing(const struct rule_context *t, enum function function, enum answer best)
{
    if (pjrt_functions[function].since > t->minor)
        return false; /* clients do not ask a plugin of an older version */
    if (!rule_has(t, function))
        return true;
    if (best == ANSWER_OK || best == ANSWER_UNIMPLEMENTED || returns_nothing(function))
        return best == ANSWER_UNIMPLEMENTED;
    return is_unimplemented(t->api, function);
}

static void probe_functions(const void *user, struct outcome *outcome)
{
    struct probe *probe = (struct probe *)(uintptr_t)user;
    struct rule_context t = {.path = probe->plugin, .outcome = outcome};
    if (!rule_open_table(&t))
        return;
    while (probe->next < FUNCTION_COUNT) {
        enum function function = (enum function)probe->next++;
        enum answer best = (enum answer)probe->answers.best[function];
        probe->answers.missing[function] = is_missing(&t, function, best);
    }
}

struct error *profile_probe(const char *plugin, struct profile_answers *answers)
{
    struct probe *probe = child_share(sizeof *probe);
    struct child_task task = {probe_functions, probe};
    struct child child = {0};
    struct child_end end = {.how = CHILD_CRASHED};
    struct error *error = NULL;
    if (!probe)
        return error_out_of_memory();
    probe->plugin = plugin;
    probe->answers = *answers;
    while (!error && end.how != CHILD_DONE && probe->next < FUNCTION_COUNT)
        error = child_run(&child, &task, &end);
    *answers = probe->answers;
    child_close(&child);
    child_unshare(probe, sizeof *probe);
    return error;
}

int profile_missing(enum profile_name name, const struct profile_answers *answers)
{
    int missing = 0;
    for (int i = 0; i < FUNCTION_COUNT; i++)
        missing += profiles[name].needs[i] && answers->missing[i];
    return missing;
}
