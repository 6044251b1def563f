/* cmd_plan.c: gantry plan: how much memory a program needs, and for which values; how two programs
 * differ in that. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/env.h"
#include "base/number.h"
#include "tools/commands.h"
#include "tools/file.h"
#include "tools/json_rows.h"
#include "tools/partition_spec.h"
#include "tools/plan_auto.h"
#include "tools/plan_compare.h"
#include "tools/plan_hosts.h"
#include "tools/plan_model.h"
#include "tools/plan_target.h"
#include "tools/plan_view.h"
#include "tools/session.h"
#include "tools/topo_view.h"

enum form { FORM_TEXT, FORM_JSON, FORM_HTML };

enum { MAX_DEVICES = 1 << 20 };

struct plan {
    struct session session;
    enum form form;
    const char *other;          /* a second program, to be compared; NULL: none */
    const char *output;         /* file, or NULL: stdout */
    const char *capacity;       /* capacity of device memory, as text; NULL for the actual one */
    const char *tpu;            /* topology of the TPU model; NULL: another device */
    const char *devices;        /* partitions of the program, as text; NULL: those it says */
    const char *hosts, *link;   /* as text; NULL: not given */
    struct plan_hosts network;  /* what they say */
    struct partition_mesh mesh; /* of --auto */
    bool is_any;                /* --mesh any: the best one is looked for */
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
                   {"--hosts", &plan->hosts},
                   {"--link", &plan->link},
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
    if (!strcmp(argv[*i], "--json")) {
        plan->form = FORM_JSON;
        return NULL;
    }
    if (!strcmp(argv[*i], "--auto")) {
        plan->session.auto_sharding = true;
        return NULL;
    }
    TRY(session_value("--format", argc, argv, i, &value));
    if (value)
        return read_form(value, &plan->form);
    *taken = argv[*i][0] != '-' && plan->session.program_path && !plan->other;
    if (*taken)
        plan->other = argv[*i];
    return NULL;
}

static struct error *check_pair(const struct plan *plan)
{
    if (plan->form == FORM_HTML)
        return ERROR(INVALID_ARGUMENT,
                     "--format html shows one program; compare two with text or json");
    if (plan->session.auto_sharding)
        return ERROR(INVALID_ARGUMENT, "--auto plans one program; plan each of the two with it, "
                                       "and compare the outputs");
    return NULL;
}

static struct error *read_devices(struct plan *plan)
{
    int64_t count;
    if (!number_read(plan->devices, 1, MAX_DEVICES, &count))
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
    plan->is_any = plan->session.auto_mesh && !strcmp(plan->session.auto_mesh, "any");
    if (plan->is_any)
        plan->session.auto_mesh = NULL;
    if (!plan->session.auto_mesh)
        plan->session.auto_mesh = plan->devices;
    if (!plan->session.auto_mesh && sizes) {
        snprintf(text, sizeof text, "%.*s", (int)strcspn(sizes + 1, ","), sizes + 1);
        plan->session.auto_mesh = text;
    }
    if (!plan->session.auto_mesh)
        return ERROR(INVALID_ARGUMENT, "--auto needs a mesh: --mesh 2x4, --devices 8 or --tpu");
    struct error *error = partition_mesh_read(plan->session.auto_mesh, &plan->mesh);
    if (error && plan->session.auto_mesh == text) {
        error_free(error);
        return ERROR(INVALID_ARGUMENT,
                     "--tpu %s; allowed: a generation and the sizes of its slice, like v5e:2x4",
                     plan->tpu);
    }
    TRY(error);
    int64_t count = partition_mesh_devices(&plan->mesh);
    if (plan->devices && plan->session.partitions != count)
        return ERROR(INVALID_ARGUMENT, "--mesh %s has %lld devices, --devices is %s",
                     plan->session.auto_mesh, (long long)count, plan->devices);
    plan->session.partitions = (int)count;
    return NULL;
}

/* Zero is an error, too: it is the device's own memory where the limit is read. */
static struct error *check_capacity(const struct plan *plan)
{
    int64_t bytes;
    if (plan->capacity && (!env_parse_bytes(plan->capacity, &bytes) || !bytes))
        return ERROR(INVALID_ARGUMENT,
                     "--capacity %s; allowed: a number of bytes of at least 1, like 16G",
                     plan->capacity);
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
    if (plan->other)
        TRY(check_pair(plan));
    TRY(plan_hosts_read(plan->hosts, plan->link, &plan->network));
    if (plan->hosts && (plan->other || plan->form == FORM_HTML))
        return ERROR(INVALID_ARGUMENT, "--hosts supports one program, with --format text or json");
    TRY(check_capacity(plan));
    plan->session.python.platform = plan->tpu ? "tpu" : "cpu";
    if (plan->devices)
        TRY(read_devices(plan));
    if (plan->session.auto_mesh && !plan->session.auto_sharding)
        return ERROR(INVALID_ARGUMENT, "--mesh needs --auto");
    return plan->session.auto_sharding ? read_mesh(plan) : NULL;
}

/* ---- output ---------------------------------------------------------------------------------- */
static struct error *print_json(const struct plan *plan, cJSON *json, const struct plan_view *view,
                                struct text *out)
{
    if (plan->network.count)
        TRY(plan_hosts_json(&plan->network, view, json));
    if (plan->session.auto_sharding)
        TRY(plan_auto_add(json, &plan->mesh));
    TRY(json_rows_print(json, out));
    text_add(out, "\n");
    return NULL;
}

static struct error *print_page(const struct plan *plan, const cJSON *json,
                                const struct plan_view *view, struct text *out)
{
    struct text sections = {0};
    char *more = NULL;
    if (plan->session.auto_sharding) {
        plan_auto_print(json, &plan->mesh, true, &sections);
        TRY(text_finish(&sections, &more, NULL));
    }
    plan_model_html(json, view, more, out);
    alloc_free(more);
    return NULL;
}

static bool fits(const cJSON *json, const struct plan_view *view)
{
    return plan_model_has(json) ? topo_view_truth(json, "fits") : view->fits;
}

static struct error *print_parsed(struct plan *plan, cJSON *json, struct text *out)
{
    struct plan_view view;
    struct error *error = NULL;
    TRY(plan_view_read(json, &view));
    bool is_modeled = plan_model_has(json);
    plan->fits = fits(json, &view);
    if (plan->form == FORM_JSON)
        error = print_json(plan, json, &view, out);
    else if (is_modeled && plan->form == FORM_HTML)
        error = print_page(plan, json, &view, out);
    else if (is_modeled)
        plan_model_text(json, &view, out);
    else if (plan->form == FORM_HTML)
        plan_html_print(&view, out);
    else
        plan_text_print(&view, out);
    if (plan->form == FORM_TEXT && plan->session.auto_sharding)
        plan_auto_print(json, &plan->mesh, false, out);
    if (plan->form == FORM_TEXT && plan->network.count)
        plan_hosts_print(&plan->network, &view, out);
    plan_view_free(&view);
    return error;
}

/* The plan; with --mesh any, the fastest one that fits of all meshes, and its mesh. */
static struct error *plan_any(struct plan *plan, cJSON **out)
{
    char texts[PLAN_TARGET_MESHES][PLAN_TARGET_MESH_TEXT];
    int count = plan_target_meshes(plan->session.partitions, texts), best = 0;
    *out = NULL;
    for (int i = 0; i < count; i++) {
        cJSON *json;
        plan->session.auto_mesh = texts[i];
        struct error *error = plan_target_json(&plan->session, plan->tpu, plan->capacity, &json);
        if (error) {
            cJSON_Delete(*out);
            return error;
        }
        bool is_better = !*out || plan_target_is_better(json, *out);
        cJSON_Delete(is_better ? *out : json);
        if (is_better)
            *out = json, best = i;
    }
    return partition_mesh_read(texts[best], &plan->mesh);
}

/* Plans the second program like the first, and compares both. */
static struct error *print_pair(struct plan *plan, const cJSON *first, struct text *out)
{
    struct plan_view view;
    struct plan_side sides[] = {{.name = plan->session.program_path, .json = first},
                                {.name = plan->other}};
    cJSON *second;
    alloc_free(plan->session.code);
    plan->session.code = NULL;
    plan->session.python.source = strstr(plan->other, ".py:") ? plan->other : NULL;
    plan->session.program_path = plan->other;
    TRY(plan_target_json(&plan->session, plan->tpu, plan->capacity, &second));
    sides[1].json = second;
    struct error *error = plan_compare_print(sides, plan->form == FORM_JSON, out);
    if (!error)
        error = plan_view_read(second, &view);
    if (!error) {
        plan->fits = fits(second, &view);
        plan_view_free(&view);
    }
    cJSON_Delete(second);
    return error;
}

static struct error *describe(struct plan *plan, struct text *out)
{
    cJSON *json;
    if (plan->tpu && !plan->session.plugin_path) {
        TRY(plan_target_plugin(&plan->plugin));
        plan->session.plugin_path = plan->plugin;
    }
    TRY(session_load(&plan->session));
    if (plan->is_any)
        TRY(plan_any(plan, &json));
    else
        TRY(plan_target_json(&plan->session, plan->tpu, plan->capacity, &json));
    struct error *error = plan->other ? print_pair(plan, json, out) : print_parsed(plan, json, out);
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
