/* cmd_topo.c: gantry topo: shows the machine as seen by the plugin. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "tools/commands.h"
#include "tools/session.h"
#include "tools/topo_view.h"

enum form { FORM_TEXT, FORM_JSON, FORM_SVG };

struct topo {
    struct session session; /* only its plugin and client are used */
    enum form form;
    int64_t devices; /* 0: the plugin's default */
};

static struct error *read_form(const char *text, enum form *out)
{
    static const char *const names[] = {"text", "json", "svg"};
    for (int i = 0; i < 3; i++)
        if (!strcmp(text, names[i])) {
            *out = (enum form)i;
            return NULL;
        }
    return ERROR(INVALID_ARGUMENT, "--format %s; allowed: text, json or svg", text);
}

static struct error *read_arguments(struct topo *topo, int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        const char *value;
        char *end;
        TRY(session_value("--plugin", argc, argv, &i, &value));
        if (value) {
            topo->session.plugin_path = value;
            continue;
        }
        TRY(session_value("--format", argc, argv, &i, &value));
        if (value) {
            TRY(read_form(value, &topo->form));
            continue;
        }
        TRY(session_value("--devices", argc, argv, &i, &value));
        if (!value)
            return commands_unknown("topo", argv[i]);
        topo->devices = strtoll(value, &end, 10);
        if (*end || topo->devices < 1)
            return ERROR(INVALID_ARGUMENT, "--devices %s; allowed: a number >= 1", value);
    }
    return NULL;
}

static struct error *print_view(const struct topo *topo, const cJSON *json, struct text *out)
{
    struct topo_view view;
    TRY(topo_view_read(json, &view));
    if (topo->form == FORM_SVG)
        topo_svg_print(&view, out);
    else
        topo_text_print(&view, out);
    topo_view_free(&view);
    return NULL;
}

static struct error *print(const struct topo *topo, const PJRT_Gantry_Json *given, struct text *out)
{
    cJSON *json = cJSON_ParseWithLength(given->text, given->size);
    struct error *error = NULL;
    if (!json)
        return ERROR(INVALID_ARGUMENT, "the plugin's description of the machine is not valid JSON");
    if (topo->form != FORM_JSON) {
        error = print_view(topo, json, out);
    } else {
        char *text = cJSON_Print(json);
        text_add(out, "%s\n", text ? text : "");
        cJSON_free(text);
    }
    cJSON_Delete(json);
    return error;
}

static struct error *describe(struct topo *topo, struct text *out)
{
    const PJRT_Gantry_Extension *gantry;
    const PJRT_Api *api;
    PJRT_NamedValue count = {.struct_size = PJRT_NamedValue_STRUCT_SIZE,
                             .name = "device_count",
                             .name_size = sizeof "device_count" - 1,
                             .type = PJRT_NamedValue_kInt64,
                             .int64_value = topo->devices,
                             .value_size = 1};
    TRY(session_load(&topo->session));
    api = topo->session.plugin.api;
    TRY(abi_gantry(api, &gantry));
    TRY(abi_client_create(api, &count, topo->devices ? 1 : 0, &topo->session.client));
    PJRT_Gantry_Machine_Args args = {.struct_size = PJRT_Gantry_Machine_Args_STRUCT_SIZE,
                                     .client = topo->session.client};
    TRY(abi_error(api, gantry->machine(&args)));
    struct error *error = print(topo, &args.json, out);
    args.json.deleter(args.json.holder);
    return error;
}

enum exit_code cmd_topo_run(int argc, char **argv)
{
    struct topo topo = {0};
    struct text out = {0};
    char *text = NULL;
    struct error *error = read_arguments(&topo, argc, argv);
    if (error)
        return commands_fail(EXIT_USAGE, error);
    error = describe(&topo, &out);
    if (!error)
        error = text_finish(&out, &text, NULL);
    if (!error)
        fputs(text, stdout);
    alloc_free(text);
    text_free(&out);
    bool loaded = topo.session.loaded;
    session_close(&topo.session);
    return error ? commands_fail(loaded ? EXIT_FAILED : EXIT_NO_PLUGIN, error) : EXIT_DONE;
}
