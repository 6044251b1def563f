/* environment.c: see environment.h. */
#include "devices/tpu/environment.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/env.h"

#define DEFAULT_TOPOLOGY "v5e:1x1"

/* The value of a variable, or else of its older name. */
static const char *value_of(enum env_variable name, enum env_variable older)
{
    return env_text(name) ? env_text(name) : env_text(older);
}

void tpu_environment_read(struct tpu_environment *out)
{
    *out = (struct tpu_environment){
        .topology = env_text(ENV_GANTRY_TPU_TOPOLOGY),
        .accelerator_type = env_text(ENV_TPU_ACCELERATOR_TYPE),
        .chips_bounds = value_of(ENV_TPU_CHIPS_PER_PROCESS_BOUNDS, ENV_TPU_CHIPS_PER_HOST_BOUNDS),
        .process_bounds = value_of(ENV_TPU_PROCESS_BOUNDS, ENV_TPU_HOST_BOUNDS),
        .visible_chips = value_of(ENV_TPU_VISIBLE_CHIPS, ENV_TPU_VISIBLE_DEVICES),
        .process_addresses = env_text(ENV_TPU_PROCESS_ADDRESSES),
        .task = env_text(ENV_CLOUD_TPU_TASK_ID),
        .slices = env_text(ENV_MEGASCALE_NUM_SLICES),
    };
}

/* ---- values ---------------------------------------------------------------------------------- */
static void list_types(struct text *text)
{
    const struct tpu_spec *spec;
    for (int i = 0; (spec = tpu_spec_at(i)); i++)
        if (*spec->accelerator_types)
            text_add(text, "%s%.*s-%d", text->size ? ", " : "",
                     (int)strcspn(spec->accelerator_types, "|"), spec->accelerator_types,
                     4 * spec->type_units);
}

static struct error *unknown_type(const char *type)
{
    struct text types = {0};
    list_types(&types);
    struct error *error = ERROR(INVALID_ARGUMENT,
                                "TPU_ACCELERATOR_TYPE is '%.64s'; allowed are types like %s (of 4 "
                                "chips each)",
                                type, types.data ? types.data : "");
    text_free(&types);
    return error;
}

/* "v5litepod-16": the generation, and its usual slice of so many chips. */
static struct error *read_type(const char *type, struct tpu_topology *out)
{
    const char *dash = strrchr(type, '-');
    char *end;
    const struct tpu_spec *spec =
        dash ? tpu_spec_of_accelerator_type(type, (size_t)(dash - type)) : NULL;
    long units = dash ? strtol(dash + 1, &end, 10) : 0;
    if (!spec || dash[1] < '0' || dash[1] > '9' || *end || units % spec->type_units)
        return unknown_type(type);
    struct error *error = tpu_topology_of_chips(spec, units / spec->type_units, out);
    return error ? error_prefix(error, "TPU_ACCELERATOR_TYPE is '%.64s'", type) : NULL;
}

static struct error *read_bounds(const char *name, const char *text, int out[3])
{
    if (tpu_bounds_parse(text, out))
        return NULL;
    return ERROR(INVALID_ARGUMENT,
                 "%s is '%.64s'; allowed are the bounds in x, y and z, like 2,2,1 (the chips of "
                 "one host) or 1,1,1",
                 name, text);
}

/* "0,1,2,3": how many. */
static struct error *count_visible(const char *text, int *out)
{
    const char *at = text;
    *out = 0;
    do {
        size_t digits = strspn(at, "0123456789");
        if (!digits || digits > 4 || (at[digits] && at[digits] != ','))
            return ERROR(INVALID_ARGUMENT,
                         "TPU_VISIBLE_CHIPS is '%.64s'; allowed are numbers of chips, like 0,1,2,3",
                         text);
        ++*out;
        at += digits;
    } while (*at++);
    return NULL;
}

static struct error *read_slices(const char *text, int *out)
{
    char *end;
    long count = strtol(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || count < 1 || count > TPU_MAX_DEVICES)
        return ERROR(INVALID_ARGUMENT, "MEGASCALE_NUM_SLICES is '%.64s'; allowed: 1 to %d", text,
                     TPU_MAX_DEVICES);
    *out = (int)count;
    return NULL;
}

struct error *tpu_environment_process(const struct tpu_environment *values, int *process,
                                      int *count)
{
    const char *at = values->process_addresses, *task = values->task ? values->task : "";
    char *end;
    *process = 0;
    *count = 1;
    while (at && (at = strchr(at, ',')))
        ++*count, at++;
    if (*count == 1)
        return NULL;
    long number = strtol(task, &end, 10);
    if (*task < '0' || *task > '9' || *end || number >= *count)
        return ERROR(INVALID_ARGUMENT,
                     "CLOUD_TPU_TASK_ID is '%.64s'; allowed with the %d processes of "
                     "TPU_PROCESS_ADDRESSES: 0 to %d",
                     task, *count, *count - 1);
    *process = (int)number;
    return NULL;
}

/* ---- which wins ------------------------------------------------------------------------------ */
static void won(struct text *note, const char *winner, const char *value, const char *loser,
                const char *other)
{
    text_add(note, "%s%s=%.64s wins over %s=%.64s", note->size ? "; " : "", winner, value, loser,
             other);
}

/* Bounds that are given replace those of the accelerator type. */
static struct error *apply_bounds(const struct tpu_environment *values, struct tpu_topology *out,
                                  struct text *note)
{
    int chips[3], processes[3] = {1, 1, 1};
    int64_t of_type = tpu_topology_chips(out);
    memcpy(chips, out->spec->host, sizeof chips);
    if (values->chips_bounds)
        TRY(read_bounds("TPU_CHIPS_PER_PROCESS_BOUNDS", values->chips_bounds, chips));
    if (values->process_bounds)
        TRY(read_bounds("TPU_PROCESS_BOUNDS", values->process_bounds, processes));
    for (int i = 0; i < 3; i++) {
        int64_t bound = (int64_t)chips[i] * processes[i];
        out->bounds[i] = bound < TPU_MAX_DEVICES ? (int)bound : TPU_MAX_DEVICES;
        out->host[i] = values->in_job ? chips[i] : out->bounds[i];
    }
    TRY(tpu_topology_check(out));
    if (values->accelerator_type && tpu_topology_chips(out) > of_type)
        won(note, values->chips_bounds ? "TPU_CHIPS_PER_PROCESS_BOUNDS" : "TPU_PROCESS_BOUNDS",
            values->chips_bounds ? values->chips_bounds : values->process_bounds,
            "TPU_ACCELERATOR_TYPE", values->accelerator_type);
    return NULL;
}

/* Visible chips say how many, where bounds do not. */
static struct error *apply_visible(const struct tpu_environment *values, bool has_bounds,
                                   struct tpu_topology *out, struct text *note)
{
    int visible;
    struct tpu_topology smaller;
    int64_t chips = values->in_job ? tpu_topology_process_chips(out) : tpu_topology_chips(out);
    TRY(count_visible(values->visible_chips, &visible));
    if (visible == chips)
        return NULL;
    if (has_bounds) {
        won(note, values->chips_bounds ? "TPU_CHIPS_PER_PROCESS_BOUNDS" : "TPU_PROCESS_BOUNDS",
            values->chips_bounds ? values->chips_bounds : values->process_bounds,
            "TPU_VISIBLE_CHIPS", values->visible_chips);
        return NULL;
    }
    struct error *error = tpu_topology_of_chips(out->spec, visible, &smaller);
    if (error)
        return error_prefix(error, "TPU_VISIBLE_CHIPS is '%.64s'", values->visible_chips);
    *out = smaller;
    if (values->accelerator_type && visible > chips)
        won(note, "TPU_VISIBLE_CHIPS", values->visible_chips, "TPU_ACCELERATOR_TYPE",
            values->accelerator_type);
    return NULL;
}

/* The topology by libtpu's variables. */
static struct error *read_libtpu(const struct tpu_environment *values, struct tpu_topology *out,
                                 struct text *note)
{
    bool has_bounds = values->chips_bounds || values->process_bounds;
    if (values->accelerator_type)
        TRY(read_type(values->accelerator_type, out));
    if (values->in_job)
        tpu_topology_divide(out);
    if (has_bounds)
        TRY(apply_bounds(values, out, note));
    if (values->visible_chips)
        TRY(apply_visible(values, has_bounds, out, note));
    if (values->slices)
        TRY(read_slices(values->slices, &out->slices));
    return tpu_topology_check(out);
}

/* Notes that Gantry's variable wins, when libtpu's make another topology or none. */
static void compare(const struct tpu_environment *values, const struct tpu_topology *chosen,
                    const struct tpu_topology *base, struct text *note)
{
    char one[TPU_TOPOLOGY_TEXT], two[TPU_TOPOLOGY_TEXT];
    struct text unused = {0};
    struct tpu_topology other = *base;
    struct error *error = read_libtpu(values, &other, &unused);
    const char *name = values->accelerator_type ? "TPU_ACCELERATOR_TYPE"
                       : values->chips_bounds   ? "TPU_CHIPS_PER_PROCESS_BOUNDS"
                       : values->process_bounds ? "TPU_PROCESS_BOUNDS"
                       : values->visible_chips  ? "TPU_VISIBLE_CHIPS"
                                                : "MEGASCALE_NUM_SLICES";
    const char *value = values->accelerator_type ? values->accelerator_type
                        : values->chips_bounds   ? values->chips_bounds
                        : values->process_bounds ? values->process_bounds
                        : values->visible_chips  ? values->visible_chips
                                                 : values->slices;
    tpu_topology_print(chosen, one);
    if (!error)
        tpu_topology_print(&other, two);
    if (error || strcmp(one, two))
        won(note, "GANTRY_TPU_TOPOLOGY", values->topology, name, value);
    error_free(error);
    text_free(&unused);
}

struct error *tpu_environment_topology(const struct tpu_environment *values,
                                       struct tpu_topology *out, struct text *note)
{
    bool libtpu = values->accelerator_type || values->chips_bounds || values->process_bounds ||
                  values->visible_chips || values->slices;
    struct tpu_topology base;
    enum tpu_user user = values->in_job ? TPU_DESCRIPTION : TPU_CLIENT;
    TRY(tpu_topology_parse(DEFAULT_TOPOLOGY, TPU_CLIENT, &base));
    *out = base;
    if (!values->topology)
        return libtpu ? read_libtpu(values, out, note) : NULL;
    struct error *error = tpu_topology_parse(values->topology, user, out);
    if (error)
        return error_prefix(error, "GANTRY_TPU_TOPOLOGY is '%.64s'", values->topology);
    if (libtpu)
        compare(values, out, &base, note);
    return NULL;
}
