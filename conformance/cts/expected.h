/* expected.h: rules that a known plugin does not pass, with the reasons. Lists are files of
 * conformance/expected/cts, embedded, and one that the user names:
 *
 *   # comment
 *   plugin *libtpu*.so               for plugins whose file name matches; none: for every plugin
 *   6.1.1   there is no TPU here     a pattern as of rule_matches(), and the reason */
#ifndef GANTRY_CONFORMANCE_EXPECTED_H
#define GANTRY_CONFORMANCE_EXPECTED_H

#include "conformance/cts/result.h"

struct expectation {
    const char *pattern, *reason; /* borrowed from the text */
};

struct expected {
    struct expectation *items; /* owned */
    size_t count;
    char **texts; /* owned: the lists that the items are part of */
    size_t text_count;
};

/* Adds the embedded lists for the plugin, and the list in the file `path` unless it is NULL.
 * NOT_FOUND if that file cannot be read, INVALID_ARGUMENT for a line without a reason. */
struct error *expected_read(const char *plugin, const char *path, struct expected *out /*owned*/);
/* Adds a list that is in memory (copied), unless it is for other plugins. */
struct error *expected_add(struct expected *expected, const char *plugin, const char *name,
                           const char *text);
/* Makes a failure that is listed XFAILED, and a pass that is listed XPASSED, with the reason. */
struct error *expected_apply(const struct expected *expected, struct result *result);
void expected_free(struct expected *expected);

#endif
