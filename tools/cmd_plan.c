/* cmd_plan.c: gantry plan: how much memory a program needs, and for which values. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "tools/commands.h"
#include "tools/file.h"
#include "tools/partition_spec.h"
#include "tools/plan_auto.h"
#include "tools/plan_model.h"
#include "tools/plan_view.h"
#include "tools/plugins.h"
#include "tools/session.h"

enum form { FORM_TEXT, FORM_JSON, FORM_HTML };

enum { MAX_DEVICES = 1 << 20 };

struct plan {
    struct session session;
    enum form form;
    const char *output;         /* file, or NULL: stdout */
    const char *capacity;       /* capacity of device memory, as text; NULL for the actual one */
    const char *tpu;            /* topology of the TPU model; NULL: another device */
    const char *devices;        /* partitions of the program, as text; NULL: those it says */
    struct partition_mesh mesh; /* of --auto */
    char *plugin;               /* owned: the TPU model's */
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
                   {"--tpu", &plan->tpu},
                   {"--devices", &plan->devices},
                   {"--mesh", &plan->session.auto_mesh},
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
    if (!strcmp(argv[*i], "--auto")) {
        plan->session.auto_sharding = true;
        return NULL;
    }
    TRY(session_value("--format", argc, argv, i, &value));
    *taken = value != NULL;
    return value ? read_form(value, &plan->form) : NULL;
}

static struct error *read_devices(struct plan *plan)
{
    char *end;
    long count = strtol(plan->devices, &end, 10);
    if (*end || !*plan->devices || count < 1 || count > MAX_DEVICES)
        return ERROR(INVALID_ARGUMENT, "--devices %s; allowed: 1 to %d", plan->devices,
                     MAX_DEVICES);
    plan->session.partitions = (int)count;
    return NULL;
}

/* The mesh of --auto: --mesh, else one axis of --devices, else the sizes of the topology, as in
 * v5e:2x4. The program has as many partitions. */
static struct error *read_mesh(struct plan *plan)
{
    const char *sizes = plan->tpu ? strchr(plan->tpu, ':') : NULL;
    static char text[64];
    if (!plan->session.auto_mesh)
        plan->session.auto_mesh = plan->devices;
    if (!plan->session.auto_mesh && sizes) {
        snprintf(text, sizeof text, "%.*s", (int)strcspn(sizes + 1, ","), sizes + 1);
        plan->session.auto_mesh = text;
    }
    if (!plan->session.auto_mesh)
        return ERROR(INVALID_ARGUMENT, "--auto needs a mesh: --mesh 2x4, --devices 8 or --tpu");
    TRY(partition_mesh_read(plan->session.auto_mesh, &plan->mesh));
    int64_t count = partition_mesh_devices(&plan->mesh);
    if (plan->devices && plan->session.partitions != count)
        return ERROR(INVALID_ARGUMENT, "--mesh %s has %lld devices, --devices is %s",
                     plan->session.auto_mesh, (long long)count, plan->devices);
    plan->session.partitions = (int)count;
    return NULL;
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
    if (!plan->session.program_path)
        return ERROR(INVALID_ARGUMENT, "no program is given; see gantry help plan");
    plan->session.python.platform = plan->tpu ? "tpu" : "cpu";
    if (plan->devices)
        TRY(read_devices(plan));
    if (plan->session.auto_mesh && !plan->session.auto_sharding)
        return ERROR(INVALID_ARGUMENT, "--mesh is of --auto, which is not given");
    return plan->session.auto_sharding ? read_mesh(plan) : NULL;
}

/* ---- the plan -------------------------------------------------------------------------------- */
static PJRT_NamedValue text_option(const char *name, const char *value)
{
    return (PJRT_NamedValue){.struct_size = PJRT_NamedValue_STRUCT_SIZE,
                             .name = name,
                             .name_size = strlen(name),
                             .type = PJRT_NamedValue_kString,
                             .string_value = value,
                             .value_size = strlen(value)};
}

/* Whether the options are those of a topology. Parts of a host are topologies of clients only. */
static bool plan_for_topology(struct session *session, const PJRT_NamedValue *options, size_t count)
{
    struct error *error =
        abi_topology_create(session->plugin.api, options, count, &session->topology);
    error_free(error);
    return session->topology != NULL;
}

/* Creates what the program is compiled for, even if it does not fit: a topology of the TPU model,
 * which may have more devices than this machine could run, or a client. */
static struct error *create_target(struct plan *plan)
{
    struct session *session = &plan->session;
    PJRT_NamedValue options[3] = {{.struct_size = PJRT_NamedValue_STRUCT_SIZE,
                                   .name = "memory_check",
                                   .name_size = sizeof "memory_check" - 1,
                                   .type = PJRT_NamedValue_kInt64,
                                   .value_size = 1}};
    size_t count = 1;
    if (plan->tpu)
        options[count++] = text_option("topology", plan->tpu);
    if (plan->capacity)
        options[count++] = text_option("memory_limit", plan->capacity);
    if (plan->tpu && plan_for_topology(session, options, count))
        return NULL;
    return abi_client_create(session->plugin.api, options, count, &session->client);
}

static struct error *fetch_of(const struct plan *plan, const PJRT_Gantry_Extension *gantry,
                              PJRT_Executable *executable, PJRT_Gantry_Json *out)
{
    PJRT_Gantry_Plan_Args args = {.struct_size = PJRT_Gantry_Plan_Args_STRUCT_SIZE,
                                  .executable = executable};
    TRY(abi_error(plan->session.plugin.api, gantry->plan(&args)));
    *out = args.json;
    return NULL;
}

static struct error *fetch(const struct plan *plan, const PJRT_Gantry_Extension *gantry,
                           PJRT_Gantry_Json *out)
{
    const PJRT_Api *api = plan->session.plugin.api;
    ABI_ARGS(LoadedExecutable_GetExecutable, get, .loaded_executable = plan->session.executable);
    if (gantry->base.struct_size < offsetof(PJRT_Gantry_Extension, plan) + sizeof gantry->plan)
        return ERROR(UNIMPLEMENTED,
                     "the plugin is older than this command: it does not report memory plans");
    if (plan->session.compiled)
        return fetch_of(plan, gantry, plan->session.compiled, out);
    TRY(ABI_CALL(api, LoadedExecutable_GetExecutable, &get));
    struct error *error = fetch_of(plan, gantry, get.executable, out);
    ABI_DESTROY(api, Executable, executable, get.executable);
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
    bool is_modeled = plan_model_has(json);
    plan->fits =
        is_modeled ? cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(json, "fits")) : view.fits;
    if (plan->form == FORM_JSON)
        error = print_json(json, out);
    else if (is_modeled)
        (plan->form == FORM_HTML ? plan_model_html : plan_model_text)(json, &view, out);
    else if (plan->form == FORM_HTML)
        plan_html_print(&view, out);
    else
        plan_text_print(&view, out);
    if (plan->form == FORM_TEXT && plan->session.auto_sharding)
        plan_auto_text(json, &plan->mesh, out);
    plan_view_free(&view);
    return error;
}

/* The TPU model's plugin, beside the others of this installation. */
static struct error *find_model(struct plan *plan)
{
    struct text path = {0};
    char *folder;
    TRY(plugins_own_folder(&folder));
    text_add(&path, "%s/pjrt_c_api_gantrytpu_plugin.so", folder);
    alloc_free(folder);
    TRY(text_finish(&path, &plan->plugin, NULL));
    plan->session.plugin_path = plan->plugin;
    return NULL;
}

static struct error *describe(struct plan *plan, struct text *out)
{
    const PJRT_Gantry_Extension *gantry;
    PJRT_Gantry_Json given = {0};
    if (plan->tpu && !plan->session.plugin_path)
        TRY(find_model(plan));
    TRY(session_load(&plan->session));
    TRY(abi_gantry(plan->session.plugin.api, &gantry));
    TRY(create_target(plan));
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
    alloc_free(plan.plugin);
    if (error)
        return commands_fail(loaded ? EXIT_FAILED : EXIT_NO_PLUGIN, error);
    return plan.fits ? EXIT_DONE : EXIT_DOES_NOT_FIT;
}
