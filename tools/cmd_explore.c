/* cmd_explore.c: gantry explore: which slice a program needs, and what it would cost there: plans
 * over topologies of the TPU model, meshes and batches, with shardings that the compiler
 * chooses. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/number.h"
#include "tools/commands.h"
#include "tools/explore_rows.h"
#include "tools/file.h"
#include "tools/plan_target.h"
#include "tools/topo_view.h"

enum { GENERATIONS = 8, BATCHES = 16, MOST_ROWS = 2000, MOST_CHIPS = 4096 };

struct explore {
    struct session session;
    const char *tpu, *batch, *chips, *effort, *form, *output;
    int most_chips, generation_count, batch_count, batches[BATCHES];
    char generations[GENERATIONS][16];
    char *plugin;          /* owned */
    const char *arguments; /* of Python, with the word batch */
    int rejected;          /* plans that the compiler rejected */
    struct error *error;   /* of the first one; owned */
    struct explore_row rows[MOST_ROWS];
    size_t count;
};

/* Slices that can be booked: of two axes, or of three where chips have six links. */
static const struct slices {
    const char *generation, *sizes;
} slices[] = {
    {"v5e", "1x1 2x2 2x4 4x4 4x8 8x8 8x16 16x16"},
    {"v6e", "1x1 2x2 2x4 4x4 4x8 8x8 8x16 16x16"},
    {"v4", "2x2x1 2x2x2 2x2x4 2x4x4 4x4x4 4x4x8 4x8x8 8x8x8"},
    {"v5p", "2x2x1 2x2x2 2x2x4 2x4x4 4x4x4 4x4x8 4x8x8 8x8x8"},
};

/* ---- arguments ------------------------------------------------------------------------------- */
static struct error *take(struct explore *e, int argc, char **argv, int *i, bool *taken)
{
    const struct {
        const char *name;
        const char **target;
    } options[] = {{"--tpu", &e->tpu},       {"--batch", &e->batch},   {"--chips", &e->chips},
                   {"--effort", &e->effort}, {"--output", &e->output}, {"--format", &e->form}};
    *taken = true;
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        const char *value;
        TRY(session_value(options[k].name, argc, argv, i, &value));
        if (!value)
            continue;
        *options[k].target = value;
        return NULL;
    }
    *taken = false;
    return NULL;
}

/* The whole text must be a number in [1, most]. */
static struct error *read_number(const char *option, const char *text, size_t size, int most,
                                 int *out)
{
    char digits[16] = "";
    int64_t value;
    if (size > 0 && size < sizeof digits)
        memcpy(digits, text, size);
    if (!number_read(digits, 1, most, &value))
        return ERROR(INVALID_ARGUMENT, "%s %s; allowed: 1 to %d", option, text, most);
    *out = (int)value;
    return NULL;
}

static const struct slices *slices_of(const char *generation)
{
    for (size_t i = 0; i < sizeof slices / sizeof *slices; i++)
        if (!strcmp(slices[i].generation, generation))
            return &slices[i];
    return NULL;
}

static struct error *read_generations(struct explore *e)
{
    for (const char *at = e->tpu ? e->tpu : "v5e,v5p,v6e"; *at;) {
        size_t size = strcspn(at, ",");
        char *name = e->generations[e->generation_count];
        if (e->generation_count == GENERATIONS)
            return ERROR(INVALID_ARGUMENT, "--tpu %s; allowed: up to %d generations", e->tpu,
                         GENERATIONS);
        snprintf(name, sizeof e->generations[0], "%.*s", (int)(size < 15 ? size : 15), at);
        if (!slices_of(name))
            return ERROR(INVALID_ARGUMENT, "--tpu %s; allowed: v4, v5e, v5p, v6e, with commas",
                         e->tpu);
        e->generation_count++;
        at += size + (at[size] == ',');
    }
    if (!e->generation_count)
        return ERROR(INVALID_ARGUMENT, "--tpu %s; allowed: v4, v5e, v5p, v6e, with commas", e->tpu);
    return NULL;
}

static struct error *read_batches(struct explore *e)
{
    e->batch_count = 1; /* the program's own */
    if (!e->batch)
        return NULL;
    if (!e->session.python.source || !e->session.python.arguments ||
        !strstr(e->session.python.arguments, "batch"))
        return ERROR(INVALID_ARGUMENT, "--batch needs a function and the word batch in its "
                                       "arguments: --python FILE.py:FUNCTION --args '... batch "
                                       "...'; the batch of other programs is fixed");
    e->batch_count = 0;
    for (const char *at = e->batch; *at;) {
        size_t size = strcspn(at, ",");
        if (e->batch_count == BATCHES)
            return ERROR(INVALID_ARGUMENT, "--batch %s; allowed: up to %d numbers", e->batch,
                         BATCHES);
        TRY(read_number("--batch", at, size, 1 << 24, &e->batches[e->batch_count++]));
        at += size + (at[size] == ',');
    }
    return NULL;
}

static struct error *check_form(struct explore *e)
{
    if (!e->form)
        e->form = "text";
    if (strcmp(e->form, "text") && strcmp(e->form, "json") && strcmp(e->form, "html"))
        return ERROR(INVALID_ARGUMENT, "--format %s; allowed: text, json or html", e->form);
    return NULL;
}

static struct error *read_arguments(struct explore *e, int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        bool taken;
        TRY(take(e, argc, argv, &i, &taken));
        if (!taken)
            TRY(session_option(&e->session, argc, argv, &i, &taken));
        if (!taken)
            return commands_unknown("explore", argv[i]);
    }
    if (!e->session.program_path)
        return ERROR(INVALID_ARGUMENT, "no program is given; see gantry help explore");
    e->most_chips = 16;
    if (e->chips)
        TRY(read_number("--chips", e->chips, strlen(e->chips), MOST_CHIPS, &e->most_chips));
    TRY(check_form(e));
    e->session.python.platform = "tpu";
    e->session.auto_sharding = true;
    e->session.auto_seconds = e->effort ? e->effort : "2";
    e->arguments = e->session.python.arguments;
    TRY(read_generations(e));
    return read_batches(e);
}

/* ---- plans ----------------------------------------------------------------------------------- */
/* A plan that the compiler rejects, as of a mesh that the program cannot have, is left out. */
static void add_plan(struct explore *e, int generation, int chips, int batch, const char *tpu,
                     const char *mesh)
{
    cJSON *json;
    if (e->count == MOST_ROWS)
        return;
    e->session.partitions = chips;
    e->session.auto_mesh = mesh;
    struct error *error = plan_target_json(&e->session, tpu, NULL, &json);
    if (error) {
        e->rejected++;
        if (e->error)
            error_free(error);
        else
            e->error = error;
        return;
    }
    struct explore_row *row = &e->rows[e->count++];
    *row = (struct explore_row){.generation = generation, .chips = chips, .batch = batch};
    snprintf(row->tpu, sizeof row->tpu, "%.23s", tpu);
    snprintf(row->mesh, sizeof row->mesh, "%.39s", mesh);
    row->seconds = topo_view_number(json, "seconds");
    row->peak_bytes = topo_view_number(json, "peak_bytes");
    row->capacity_bytes = topo_view_number(json, "capacity_bytes");
    row->mfu = topo_view_number(json, "mfu");
    row->fits = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(json, "fits"));
    cJSON_Delete(json);
}

static int chips_of(const char *sizes)
{
    int chips = 1;
    for (const char *at = sizes; *at && *at != ' '; at += strcspn(at, "x ") + 1) {
        chips *= atoi(at);
        if (at[strcspn(at, "x ")] != 'x')
            break;
    }
    return chips;
}

static void add_slice(struct explore *e, int generation, int batch, const char *sizes)
{
    char tpu[24], meshes[PLAN_TARGET_MESHES][PLAN_TARGET_MESH_TEXT];
    int chips = chips_of(sizes), count = plan_target_meshes(chips, meshes);
    if (chips > e->most_chips)
        return;
    snprintf(tpu, sizeof tpu, "%.8s:%.*s", e->generations[generation], (int)strcspn(sizes, " "),
             sizes);
    for (int i = 0; i < count; i++)
        add_plan(e, generation, chips, batch, tpu, meshes[i]);
}

static void add_generation(struct explore *e, int generation, int batch)
{
    const char *at = slices_of(e->generations[generation])->sizes;
    while (*at) {
        add_slice(e, generation, batch, at);
        at += strcspn(at, " ");
        at += *at == ' ';
    }
}

/* The arguments of Python with the number in place of each word batch. */
static struct error *write_arguments(const char *arguments, int batch, char **out)
{
    struct text text = {0};
    for (const char *at = arguments; *at;) {
        const char *word = strstr(at, "batch");
        size_t size = word ? (size_t)(word - at) : strlen(at);
        text_add_bytes(&text, at, size);
        if (word)
            text_add(&text, "%d", batch);
        at += size + (word ? strlen("batch") : 0);
    }
    return text_finish(&text, out, NULL);
}

static struct error *add_batch(struct explore *e, int batch)
{
    char *arguments = NULL;
    if (batch) {
        TRY(write_arguments(e->arguments, batch, &arguments));
        e->session.python.arguments = arguments;
        alloc_free(e->session.code); /* to be lowered again */
        e->session.code = NULL;
    }
    for (int g = 0; g < e->generation_count; g++)
        add_generation(e, g, batch);
    e->session.python.arguments = e->arguments;
    alloc_free(arguments);
    return NULL;
}

static struct error *plan_all(struct explore *e)
{
    if (!e->session.plugin_path) {
        TRY(plan_target_plugin(&e->plugin));
        e->session.plugin_path = e->plugin;
    }
    TRY(session_load(&e->session));
    for (int i = 0; i < e->batch_count; i++)
        TRY(add_batch(e, e->batches[i]));
    if (!e->count) {
        struct error *error = e->error;
        e->error = NULL;
        return error ? error
                     : ERROR(INVALID_ARGUMENT, "no slice has at most %d chips", e->most_chips);
    }
    explore_rows_mark(e->rows, e->count);
    return NULL;
}

/* ---- output ---------------------------------------------------------------------------------- */
static void print(const struct explore *e, struct text *out)
{
    if (!strcmp(e->form, "json"))
        explore_rows_json(e->rows, e->count, out);
    else if (!strcmp(e->form, "html"))
        explore_rows_html(e->session.program_path, e->rows, e->count, out);
    else
        explore_rows_text(e->rows, e->count, out);
    if (e->rejected && !strcmp(e->form, "text"))
        text_add(out, "\n%d plans were rejected, the first one with: %s\n", e->rejected,
                 error_message(e->error, NULL));
}

static struct error *show(struct explore *e)
{
    struct text out = {0};
    char *text;
    size_t size;
    TRY(plan_all(e));
    print(e, &out);
    TRY(text_finish(&out, &text, &size));
    struct error *error = e->output ? file_write(e->output, text, size) : NULL;
    if (!e->output)
        fputs(text, stdout);
    alloc_free(text);
    return error;
}

static bool any_fits(const struct explore *e)
{
    for (size_t i = 0; i < e->count; i++)
        if (e->rows[i].fits)
            return true;
    return false;
}

enum exit_code cmd_explore_run(int argc, char **argv)
{
    static struct explore explore; /* too large for the stack */
    explore = (struct explore){0};
    struct error *error = read_arguments(&explore, argc, argv);
    if (error)
        return commands_fail(EXIT_USAGE, error);
    error = show(&explore);
    bool loaded = explore.session.loaded, fits = any_fits(&explore);
    session_close(&explore.session);
    alloc_free(explore.plugin);
    error_free(explore.error);
    if (error)
        return commands_fail(loaded ? EXIT_FAILED : EXIT_NO_PLUGIN, error);
    return fits ? EXIT_DONE : EXIT_DOES_NOT_FIT;
}
