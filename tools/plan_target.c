#include "tools/plan_target.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "tools/json_rows.h"
#include "tools/plugins.h"
#include "tools/topo_view.h"

struct error *plan_target_plugin(char **out)
{
    struct text path = {0};
    char *folder;
    TRY(plugins_own_folder(&folder));
    text_add(&path, "%s/pjrt_c_api_gantrytpu_plugin.so", folder);
    alloc_free(folder);
    return text_finish(&path, out, NULL);
}

/* ---- the target ------------------------------------------------------------------------------ */
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
static struct error *create_target(struct session *session, const char *tpu, const char *capacity)
{
    PJRT_NamedValue options[3] = {{.struct_size = PJRT_NamedValue_STRUCT_SIZE,
                                   .name = "memory_check",
                                   .name_size = sizeof "memory_check" - 1,
                                   .type = PJRT_NamedValue_kInt64,
                                   .value_size = 1}};
    size_t count = 1;
    if (tpu)
        options[count++] = text_option("topology", tpu);
    if (capacity)
        options[count++] = text_option("memory_limit", capacity);
    if (tpu && plan_for_topology(session, options, count))
        return NULL;
    return abi_client_create(session->plugin.api, options, count, &session->client);
}

static struct error *fetch_of(const struct session *session, const PJRT_Gantry_Extension *gantry,
                              PJRT_Executable *executable, PJRT_Gantry_Json *out)
{
    PJRT_Gantry_Plan_Args args = {.struct_size = PJRT_Gantry_Plan_Args_STRUCT_SIZE,
                                  .executable = executable};
    TRY(abi_error(session->plugin.api, gantry->plan(&args)));
    *out = args.json;
    return NULL;
}

static struct error *fetch(const struct session *session, const PJRT_Gantry_Extension *gantry,
                           PJRT_Gantry_Json *out)
{
    const PJRT_Api *api = session->plugin.api;
    ABI_ARGS(LoadedExecutable_GetExecutable, get, .loaded_executable = session->executable);
    if (gantry->base.struct_size < offsetof(PJRT_Gantry_Extension, plan) + sizeof gantry->plan)
        return ERROR(UNIMPLEMENTED,
                     "the plugin is older than this command: it does not report memory plans");
    if (session->compiled)
        return fetch_of(session, gantry, session->compiled, out);
    TRY(ABI_CALL(api, LoadedExecutable_GetExecutable, &get));
    struct error *error = fetch_of(session, gantry, get.executable, out);
    ABI_DESTROY(api, Executable, executable, get.executable);
    return error;
}

static void release(struct session *session)
{
    const PJRT_Api *api = session->plugin.api;
    abi_executable_destroy(api, session->executable);
    ABI_DESTROY(api, Executable, executable, session->compiled);
    ABI_DESTROY(api, TopologyDescription, topology, session->topology);
    abi_client_destroy(api, session->client);
    session->executable = NULL;
    session->compiled = NULL;
    session->topology = NULL;
    session->client = NULL;
}

/* Parses what the plugin gave, and frees it. */
static struct error *parse(PJRT_Gantry_Json *given, cJSON **out)
{
    static const char *const lists[] = {"operations", "collectives", "steps", "buffers", NULL};
    struct error *error = json_rows_parse(given->text, given->size, lists, out);
    given->deleter(given->holder);
    return error ? error_prefix(error, "the plugin's memory plan") : NULL;
}

struct error *plan_target_json(struct session *session, const char *tpu, const char *capacity,
                               cJSON **out)
{
    const PJRT_Gantry_Extension *gantry;
    PJRT_Gantry_Json given = {0};
    *out = NULL;
    release(session);
    TRY(abi_gantry(session->plugin.api, &gantry));
    if (session->input_count)
        TRY(session_check_inputs(session));
    TRY(create_target(session, tpu, capacity));
    TRY(session_compile(session));
    TRY(fetch(session, gantry, &given));
    TRY(parse(&given, out));
    return !tpu || cJSON_AddStringToObject(*out, "topology", tpu) ? NULL : error_out_of_memory();
}

double plan_target_seconds(const struct session *session)
{
    const PJRT_Gantry_Extension *gantry;
    PJRT_Gantry_Json given = {0};
    cJSON *json = NULL;
    struct error *error = abi_gantry(session->plugin.api, &gantry);
    if (!error)
        error = fetch(session, gantry, &given);
    if (!error)
        error = parse(&given, &json);
    error_free(error);
    double seconds = topo_view_number(json, "expected_seconds");
    cJSON_Delete(json);
    return seconds;
}

/* ---- choices --------------------------------------------------------------------------------- */
bool plan_target_is_better(const cJSON *a, const cJSON *b)
{
    bool fits_a = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(a, "fits"));
    bool fits_b = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(b, "fits"));
    if (fits_a != fits_b)
        return fits_a;
    const char *figure = fits_a ? "seconds" : "peak_bytes";
    return topo_view_number(a, figure) < topo_view_number(b, figure);
}

int plan_target_meshes(int devices, char out[PLAN_TARGET_MESHES][PLAN_TARGET_MESH_TEXT])
{
    int count = 0, cube = 2;
    snprintf(out[count++], PLAN_TARGET_MESH_TEXT, "%d", devices);
    while (cube < 1024 && cube * cube * cube < devices)
        cube++;
    if (cube * cube * cube == devices)
        snprintf(out[count++], PLAN_TARGET_MESH_TEXT, "%dx%dx%d", cube, cube, cube);
    int middle = 1;
    while (middle < 46340 && (middle + 1) * (middle + 1) <= devices)
        middle++;
    for (int a = middle; a > 1 && count + 2 <= PLAN_TARGET_MESHES; a--) {
        if (devices % a)
            continue;
        snprintf(out[count++], PLAN_TARGET_MESH_TEXT, "%dx%d", a, devices / a);
        if (a != devices / a)
            snprintf(out[count++], PLAN_TARGET_MESH_TEXT, "%dx%d", devices / a, a);
    }
    return count;
}
