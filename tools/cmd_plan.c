/* cmd_plan.c: gantry plan: how much memory a program needs, and for which values. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "tools/commands.h"
#include "tools/file.h"
#include "tools/plan_view.h"
#include "tools/session.h"

enum form { FORM_TEXT, FORM_JSON, FORM_HTML };

struct plan {
    struct session session;
    enum form form;
    const char *output;   /* file, or NULL: stdout */
    const char *capacity; /* capacity of device memory, as text; NULL for the actual one */
    bool fits;
};

/* ---- arguments ------------------------------------------------------------------------------- */
static struct error *read_form(const char *text, enum form *out)
{
    static const char *const names[] = {"text", "json", "html"};
    for (int i = 0; i < 3; i++)
        if (!strcmp(text, names[i])) {
            *out = (enum form)i;
            return NULL;
        }
    return ERROR(INVALID_ARGUMENT, "--format %s; allowed: text, json or html", text);
}

/* Consumes one option of this subcommand; `*taken`: whether it was one. */
static struct error *take(struct plan *plan, int argc, char **argv, int *i, bool *taken)
{
    const struct {
        const char *name;
        const char **target;
    } options[] = {{"--output", &plan->output},
                   {"--capacity", &plan->capacity},
                   {"--program-format", &plan->session.format}};
    const char *value;
    *taken = true;
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        TRY(session_value(options[k].name, argc, argv, i, &value));
        if (value) {
            *options[k].target = value;
            return NULL;
        }
    }
    TRY(session_value("--format", argc, argv, i, &value));
    *taken = value != NULL;
    return value ? read_form(value, &plan->form) : NULL;
}

static struct error *read_arguments(struct plan *plan, int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        bool taken;
        TRY(take(plan, argc, argv, &i, &taken));
        if (!taken)
            TRY(session_option(&plan->session, argc, argv, &i, &taken));
        if (!taken)
            return commands_unknown("plan", argv[i]);
    }
    return plan->session.program_path
               ? NULL
               : ERROR(INVALID_ARGUMENT, "no program is given; see gantry help plan");
}

/* ---- the plan -------------------------------------------------------------------------------- */
/* Creates a client that compiles programs even if they do not fit. */
static struct error *create_client(struct plan *plan)
{
    const PJRT_NamedValue options[] = {{.struct_size = PJRT_NamedValue_STRUCT_SIZE,
                                        .name = "memory_check",
                                        .name_size = sizeof "memory_check" - 1,
                                        .type = PJRT_NamedValue_kInt64,
                                        .value_size = 1},
                                       {.struct_size = PJRT_NamedValue_STRUCT_SIZE,
                                        .name = "memory_limit",
                                        .name_size = sizeof "memory_limit" - 1,
                                        .type = PJRT_NamedValue_kString,
                                        .string_value = plan->capacity,
                                        .value_size = plan->capacity ? strlen(plan->capacity) : 0}};
    return abi_client_create(plan->session.plugin.api, options, plan->capacity ? 2 : 1,
                             &plan->session.client);
}

static struct error *fetch(const struct plan *plan, const PJRT_Gantry_Extension *gantry,
                           PJRT_Gantry_Json *out)
{
    const PJRT_Api *api = plan->session.plugin.api;
    ABI_ARGS(LoadedExecutable_GetExecutable, get, .loaded_executable = plan->session.executable);
    if (gantry->base.struct_size < offsetof(PJRT_Gantry_Extension, plan) + sizeof gantry->plan)
        return ERROR(UNIMPLEMENTED,
                     "the plugin is older than this command: it does not report memory plans");
    TRY(ABI_CALL(api, LoadedExecutable_GetExecutable, &get));
    PJRT_Gantry_Plan_Args args = {.struct_size = PJRT_Gantry_Plan_Args_STRUCT_SIZE,
                                  .executable = get.executable};
    struct error *error = abi_error(api, gantry->plan(&args));
    ABI_DESTROY(api, Executable, executable, get.executable);
    if (!error)
        *out = args.json;
    return error;
}

/* ---- output ---------------------------------------------------------------------------------- */
static struct error *print_json(const cJSON *json, struct text *out)
{
    char *text = cJSON_Print(json);
    if (!text)
        return error_out_of_memory();
    text_add(out, "%s\n", text);
    cJSON_free(text);
    return NULL;
}

static struct error *print_parsed(struct plan *plan, const cJSON *json, struct text *out)
{
    struct plan_view view;
    struct error *error = NULL;
    TRY(plan_view_read(json, &view));
    plan->fits = view.fits;
    if (plan->form == FORM_JSON)
        error = print_json(json, out);
    else if (plan->form == FORM_HTML)
        plan_html_print(&view, out);
    else
        plan_text_print(&view, out);
    plan_view_free(&view);
    return error;
}

static struct error *describe(struct plan *plan, struct text *out)
{
    const PJRT_Gantry_Extension *gantry;
    PJRT_Gantry_Json given = {0};
    TRY(session_load(&plan->session));
    TRY(abi_gantry(plan->session.plugin.api, &gantry));
    TRY(create_client(plan));
    TRY(session_compile(&plan->session));
    TRY(fetch(plan, gantry, &given));
    cJSON *json = cJSON_ParseWithLength(given.text, given.size);
    given.deleter(given.holder);
    if (!json)
        return ERROR(INVALID_ARGUMENT, "the plugin's memory plan is not valid JSON");
    struct error *error = print_parsed(plan, json, out);
    cJSON_Delete(json);
    return error;
}

static struct error *show(struct plan *plan)
{
    struct text out = {0};
    char *text;
    size_t size;
    struct error *error = describe(plan, &out);
    if (error) {
        text_free(&out);
        return error;
    }
    TRY(text_finish(&out, &text, &size));
    if (plan->output)
        error = file_write(plan->output, text, size);
    else
        fputs(text, stdout);
    alloc_free(text);
    return error;
}

enum exit_code cmd_plan_run(int argc, char **argv)
{
    static struct plan plan; /* too large for the stack */
    plan = (struct plan){.form = FORM_TEXT};
    struct error *error = read_arguments(&plan, argc, argv);
    if (error)
        return commands_fail(EXIT_USAGE, error);
    error = show(&plan);
    bool loaded = plan.session.loaded;
    session_close(&plan.session);
    if (error)
        return commands_fail(loaded ? EXIT_FAILED : EXIT_NO_PLUGIN, error);
    return plan.fits ? EXIT_DONE : EXIT_DOES_NOT_FIT;
}
