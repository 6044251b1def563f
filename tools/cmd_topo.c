/* cmd_topo.c: gantry topo: shows the machine as seen by the plugin, or the job that the command is
 * part of. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/number.h"
#include "tools/commands.h"
#include "tools/job_client.h"
#include "tools/job_machine.h"
#include "tools/session.h"
#include "tools/topo_job.h"
#include "tools/topo_view.h"

enum { REPORT_SECONDS = 30 /* for all processes of a job */ };
enum form { FORM_TEXT, FORM_JSON, FORM_SVG };

struct topo {
    struct session session; /* only its plugin and client are used */
    enum form form;
    int64_t devices; /* 0: the plugin's default */
    bool is_job;     /* of the job instead of the machine */
    struct job_client job;
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
        if (!strcmp(argv[i], "--job")) {
            topo->is_job = true;
            continue;
        }
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
        if (!number_read(value, 1, INT64_MAX, &topo->devices))
            return ERROR(INVALID_ARGUMENT, "--devices %s; allowed: a number >= 1", value);
    }
    return topo->is_job ? job_client_find(&topo->job) : NULL;
}

static void print_json(const cJSON *json, struct text *out)
{
    char *text = cJSON_Print(json);
    text_add(out, "%s\n", text ? text : "");
    cJSON_free(text);
}

/* ---- a machine ------------------------------------------------------------------------------- */
static struct error *print_machine(const struct topo *topo, const cJSON *json, struct text *out)
{
    struct topo_view view;
    if (topo->form == FORM_JSON) {
        print_json(json, out);
        return NULL;
    }
    TRY(topo_view_read(json, &view));
    if (topo->form == FORM_SVG)
        topo_svg_print(&view, out);
    else
        topo_text_print(&view, out);
    topo_view_free(&view);
    return NULL;
}

static struct error *describe_machine(struct topo *topo, struct text *out)
{
    PJRT_NamedValue count = {.struct_size = PJRT_NamedValue_STRUCT_SIZE,
                             .name = "device_count",
                             .name_size = sizeof "device_count" - 1,
                             .type = PJRT_NamedValue_kInt64,
                             .int64_value = topo->devices,
                             .value_size = 1};
    const PJRT_Api *api = topo->session.plugin.api;
    cJSON *json;
    TRY(abi_client_create(api, &count, topo->devices ? 1 : 0, &topo->session.client));
    TRY(job_machine_read(api, topo->session.client, &json));
    struct error *error = print_machine(topo, json, out);
    cJSON_Delete(json);
    return error;
}

/* ---- a job ----------------------------------------------------------------------------------- */
static struct error *print_job(const struct topo *topo, const cJSON *json, struct text *out)
{
    struct topo_job job;
    if (topo->form == FORM_JSON) {
        print_json(json, out);
        return NULL;
    }
    TRY(topo_job_read(cJSON_GetObjectItem(json, "processes"), topo->job.coordinator, &job));
    if (topo->form == FORM_SVG)
        topo_job_svg(&job, out);
    else
        topo_job_text(&job, out);
    topo_job_free(&job);
    return NULL;
}

/* Process 0: the machines of all processes; null for those that do not report. */
static struct error *collect_job(struct topo *topo, struct text *out)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "coordinator", topo->job.coordinator);
    cJSON *list = cJSON_AddArrayToObject(json, "processes");
    double end = session_seconds() + REPORT_SECONDS;
    for (int i = 0; i < topo->job.count; i++) {
        cJSON *machine;
        error_free(job_client_get(&topo->job, "machine", i, end - session_seconds(), &machine));
        cJSON_AddItemToArray(list, machine ? machine : cJSON_CreateNull());
    }
    struct error *error = print_job(topo, json, out);
    cJSON_Delete(json);
    return error;
}

static struct error *describe_job(struct topo *topo, struct text *out)
{
    const PJRT_Api *api = topo->session.plugin.api;
    cJSON *json;
    TRY(job_client_open(&topo->job));
    TRY(job_client_join(&topo->job, api, &topo->session.client));
    TRY(job_machine_read(api, topo->session.client, &json));
    struct error *error = job_client_put(&topo->job, "machine", json);
    cJSON_Delete(json);
    return error || topo->job.process ? error : collect_job(topo, out);
}

static struct error *describe(struct topo *topo, struct text *out)
{
    TRY(session_load(&topo->session));
    return topo->is_job ? describe_job(topo, out) : describe_machine(topo, out);
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
    job_client_close(&topo.job);
    return error ? commands_fail(loaded ? EXIT_FAILED : EXIT_NO_PLUGIN, error) : EXIT_DONE;
}
