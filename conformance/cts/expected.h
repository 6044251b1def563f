/* expected.h: rules that a known plugin does not pass, with the reasons. Lists are files of
 * conformance/expected/cts, embedded, and one that the user names:
 *
 *   # comment
 *   plugin libtpu*.so 117            the rest is for plugins whose file name matches, of that
 *                                    minor version; without one: of any version
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

/* The plugin that lists are read for. */
struct expected_plugin {
    const char *path;
    int minor; /* its version of PJRT */
};

/* Adds the embedded lists for the plugin, and the list in the file `path` unless it is NULL.
 * NOT_FOUND if that file cannot be read, INVALID_ARGUMENT for a line without a reason. */
struct error *expected_read(const struct expected_plugin *plugin, const char *path,
                            struct expected *out /*owned*/);
/* Adds a list that is in memory (copied), up to a line that says that it is for other plugins. */
struct error *expected_add(struct expected *expected, const struct expected_plugin *plugin,
                           const char *name, const char *text);
/* Makes a failure that is listed XFAILED, and a pass that is listed XPASSED, with the reason. */
struct error *expected_apply(const struct expected *expected, struct result *result);
void expected_free(struct expected *expected);

#endif
