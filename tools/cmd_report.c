/* cmd_report.c: arguments, object, output, exit status. */
#include "tools/cmd_report.h"

#include <stdio.h>
#include <string.h>

#include "tools/session.h"

struct options {
    const char *plugin;
    bool as_json;
};

static struct error *read_options(const char *command, int argc, char **argv, struct options *out)
{
    for (int i = 0; i < argc; i++) {
        const char *value;
        TRY(session_value("--plugin", argc, argv, &i, &value));
        if (value)
            out->plugin = value;
        else if (!strcmp(argv[i], "--json"))
            out->as_json = true;
        else
            return commands_unknown(command, argv[i]);
    }
    return NULL;
}

static void print(const struct report_command *command, const cJSON *object, bool as_json)
{
    char *text = as_json ? cJSON_Print(object) : NULL;
    if (text)
        puts(text);
    else
        command->print(object);
    cJSON_free(text);
}

static bool any_plugin(const cJSON *object)
{
    const cJSON *plugins = cJSON_GetObjectItem(object, "plugins");
    const cJSON *plugin = plugins ? plugins->child : NULL;
    while (plugin && cJSON_GetObjectItem(plugin, "error"))
        plugin = plugin->next;
    return plugin != NULL;
}

static enum exit_code status_of(const struct report_command *command, const cJSON *object)
{
    if (!any_plugin(object))
        return EXIT_NO_PLUGIN;
    return command->failed && command->failed(object) ? EXIT_FAILED : EXIT_DONE;
}

enum exit_code cmd_report_run(const struct report_command *command, int argc, char **argv)
{
    struct options options = {0};
    struct error *error = read_options(command->name, argc, argv, &options);
    if (error)
        return commands_fail(EXIT_USAGE, error);
    cJSON *object = cJSON_CreateObject();
    error = command->collect(options.plugin, object);
    print(command, object, options.as_json);
    enum exit_code status = status_of(command, object);
    cJSON_Delete(object);
    return error ? commands_fail(EXIT_FAILED, error) : status;
}
