/* cmd_report.h: the subcommands whose result is one JSON object with the plugins found, printed as
 * text or with --json as it is: `gantry info` and `gantry doctor`. */
#ifndef GANTRY_TOOLS_CMD_REPORT_H
#define GANTRY_TOOLS_CMD_REPORT_H

#include <cjson/cJSON.h>

#include "tools/commands.h"

struct report_command {
    const char *name;
    /* Fills the object, with an array "plugins"; `plugin` is the path after --plugin, or NULL. If
     * this fails, the incomplete object is printed. */
    struct error *(*collect)(const char *plugin, cJSON *out);
    void (*print)(const cJSON *object);  /* as text */
    bool (*failed)(const cJSON *object); /* the collected report is a failure; NULL: never */
};

/* Reads the arguments, collects and prints. EXIT_NO_PLUGIN if no plugin could be loaded. */
enum exit_code cmd_report_run(const struct report_command *command, int argc, char **argv);

#endif
