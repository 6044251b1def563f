/* plan_json.c: see plan_json.h. An item that cannot be added because memory is exhausted sets the
 * stream's `failed`. */
#include "report/plan_json.h"

#include "base/alloc.h"
#include "compiler/program/program_communication.h"
#include "report/auto_json.h"
#include "report/json_append.h"
#include "report/json_stream.h"
#include "report/model_json.h"

enum { MAX_IDS = 65536 }; /* of the groups of all collectives; beyond, only their sizes are given */

struct writer {
    const struct executable *executable;
    const struct program *program;
    const struct step **steps; /* owned */
    int64_t step_count, ids;   /* ids: of groups, written so far */
    struct json_stream to;
};

static void number(struct writer *w, cJSON *object, const char *name, double value)
{
    w->to.failed |= !cJSON_AddNumberToObject(object, name, value);
}

static void string(struct writer *w, cJSON *object, const char *name, const char *value)
{
    w->to.failed |= !cJSON_AddStringToObject(object, name, value);
}

static cJSON *list(struct writer *w, cJSON *object, const char *name)
{
    cJSON *made = cJSON_AddArrayToObject(object, name);
    w->to.failed |= !made;
    return made;
}

/* Adds an item (moved) and returns it. */
static cJSON *append(struct writer *w, cJSON *array, cJSON *item)
{
    cJSON *appended = json_append(array, item);
    w->to.failed |= !appended;
    return appended;
}

/* Whether the plan is the modeled accelerator's, not that of what runs on this machine. */
static bool is_modeled(const struct writer *w)
{
    return w->program->plan_only && w->program->model;
}

/* ---- sizes ----------------------------------------------------------------------------------- */
/* Whether the figures of the memory are the model's. */
static bool is_modeled_memory(const struct writer *w, enum memory_kind kind)
{
    return kind == MEMORY_DEVICE && is_modeled(w);
}

static struct program_memory memory_of(const struct writer *w, enum memory_kind kind)
{
    const struct model_plan *model = w->program->model;
    if (!is_modeled_memory(w, kind))
        return w->executable->memory[kind];
    return (struct program_memory){.arguments = model->argument_bytes,
                                   .results = model->output_bytes,
                                   .aliases = model->alias_bytes,
                                   .temporaries = model->temp_bytes,
                                   .peak = model->peak_bytes};
}

static uint64_t capacity_of(const struct writer *w, enum memory_kind kind)
{
    return is_modeled_memory(w, kind) ? w->program->model->capacity_bytes
                                      : w->executable->target.memory_bytes[kind];
}

static bool fits(const struct writer *w, enum memory_kind kind)
{
    uint64_t capacity = capacity_of(w, kind);
    return !capacity || memory_of(w, kind).peak <= capacity;
}

static void add_figures(struct writer *w, cJSON *object, enum memory_kind kind)
{
    const struct program_memory memory = memory_of(w, kind);
    number(w, object, "argument_bytes", (double)memory.arguments);
    number(w, object, "output_bytes", (double)memory.results);
    number(w, object, "alias_bytes", (double)memory.aliases);
    number(w, object, "temp_bytes", (double)memory.temporaries);
    number(w, object, "constant_bytes", (double)memory.constants);
    number(w, object, "peak_bytes", (double)memory.peak);
    number(w, object, "capacity_bytes", (double)capacity_of(w, kind));
}

/* The model has no curve. */
static void add_curve(struct writer *w, cJSON *object, enum memory_kind kind,
                      const struct program_memory_curve *curve)
{
    bool is_known = curve->peak_live && !is_modeled_memory(w, kind);
    number(w, object, "peak_step", is_known ? (double)curve->peak_step : 0);
    if (!is_known)
        return;
    cJSON *live = list(w, object, "live_bytes");
    for (int64_t i = 0; i < curve->step_count && !w->to.failed; i++)
        append(w, live, cJSON_CreateNumber((double)curve->live[i]));
}

static struct error *add_memories(struct writer *w)
{
    cJSON *memories = cJSON_AddObjectToObject(w->to.members, "memories");
    for (enum memory_kind kind = 0; kind < MEMORY_KIND_COUNT; kind++) {
        struct program_memory_curve curve;
        cJSON *object = cJSON_AddObjectToObject(memories, memory_kind_name(kind));
        add_figures(w, object, kind);
        w->to.failed |= !cJSON_AddBoolToObject(object, "fits", fits(w, kind));
        TRY(program_memory_curve(w->program, kind, &curve));
        add_curve(w, object, kind, &curve);
        program_memory_curve_free(&curve);
    }
    return NULL;
}

/* ---- values and buffers ---------------------------------------------------------------------- */
static void add_shape(struct writer *w, cJSON *object, const struct shape *shape)
{
    struct text text = {0};
    shape_print(shape, &text);
    w->to.failed |= text.failed;
    string(w, object, "shape", text.data ? text.data : "");
    text_free(&text);
}

static void add_values(struct writer *w, const char *name, const struct program_value *values,
                       int count)
{
    json_stream_list(&w->to, name);
    for (int i = 0; i < count && !w->to.failed; i++) {
        cJSON *object = cJSON_CreateObject();
        number(w, object, "index", i);
        add_shape(w, object, &values[i].shape);
        number(w, object, "bytes", (double)values[i].bytes);
        string(w, object, "memory", memory_kind_name(values[i].shape.memory));
        if (values[i].alias >= 0)
            number(w, object, "alias", values[i].alias);
        if (values[i].sharding)
            string(w, object, "sharding", values[i].sharding);
        json_stream_row(&w->to, object);
    }
    json_stream_list_end(&w->to);
}

static void add_buffer(struct writer *w, const struct program_buffer *buffer)
{
    const struct allocation *allocation = &w->program->allocations[buffer->slice.allocation];
    cJSON *object = cJSON_CreateObject();
    string(w, object, "memory", memory_kind_name(allocation->memory));
    if (allocation->kind == ALLOCATION_RESULT)
        number(w, object, "result", allocation->index);
    number(w, object, "offset", (double)buffer->slice.offset);
    number(w, object, "bytes", (double)buffer->slice.size);
    number(w, object, "first", (double)buffer->first);
    number(w, object, "last", (double)buffer->last);
    string(w, object, "contents", buffer->contents);
    string(w, object, "operation", w->steps[buffer->first]->label);
    json_stream_row(&w->to, object);
}

static void add_buffers(struct writer *w)
{
    json_stream_list(&w->to, "buffers");
    for (int i = 0; i < w->program->buffer_count && !w->to.failed; i++)
        add_buffer(w, &w->program->buffers[i]);
    json_stream_list_end(&w->to);
}

static void add_steps(struct writer *w)
{
    json_stream_list(&w->to, "steps");
    for (int64_t i = 0; i < w->step_count && !w->to.failed; i++)
        json_stream_row(&w->to, cJSON_CreateString(w->steps[i]->label));
    json_stream_list_end(&w->to);
}

/* ---- collectives ----------------------------------------------------------------------------- */
/* Adds [dtype, [dimensions]] of an operand, or of a result, in which `parts` operands are joined
 * (positive) or of which the operand has that many (negative). */
static void add_array(struct writer *w, cJSON *list_of, const struct collective_spec *spec, int i,
                      int parts)
{
    const struct collective_array *array = &spec->arrays[i];
    cJSON *pair = append(w, list_of, cJSON_CreateArray()), *dims;
    append(w, pair, cJSON_CreateString(dtype_name(array->dtype)));
    dims = append(w, pair, cJSON_CreateArray());
    for (int d = 0; d < array->rank && !w->to.failed; d++) {
        double size = (double)array->dims[d];
        if (d == spec->dimension && parts)
            size = parts > 0 ? size * parts : size / -parts;
        append(w, dims, cJSON_CreateNumber(size));
    }
}

static void add_arrays(struct writer *w, cJSON *object, const struct collective_spec *spec)
{
    cJSON *operands = list(w, object, "operands"), *results = list(w, object, "results");
    int parts = spec->kind == COLLECTIVE_ALL_GATHER       ? spec->parts
                : spec->kind == COLLECTIVE_REDUCE_SCATTER ? -spec->parts
                                                          : 0;
    for (int i = 0; i < spec->array_count && !w->to.failed; i++) {
        if (spec->kind != COLLECTIVE_RECEIVE)
            add_array(w, operands, spec, i, 0);
        if (spec->kind != COLLECTIVE_SEND)
            add_array(w, results, spec, i, parts);
    }
}

static void add_pair(struct writer *w, cJSON *pairs, const int *members, const int *sources, int i)
{
    if (sources[i] < 0)
        return;
    cJSON *pair = append(w, pairs, cJSON_CreateArray());
    append(w, pair, cJSON_CreateNumber(members[sources[i]]));
    append(w, pair, cJSON_CreateNumber(members[i]));
}

static void add_groups(struct writer *w, cJSON *object, const struct collective_spec *spec)
{
    const struct program_groups *groups = &w->program->groups[spec->groups];
    bool permutes = spec->kind == COLLECTIVE_PERMUTE || collective_is_message(spec->kind),
         fits = w->ids <= MAX_IDS - groups->member_count;
    cJSON *all = fits ? list(w, object, permutes ? "pairs" : "groups") : NULL;
    int largest = 0;
    w->ids += fits ? groups->member_count : 0;
    for (int g = 0; g < groups->group_count; g++) {
        int begin = groups->offsets[g], size = groups->offsets[g + 1] - begin;
        cJSON *group = fits && !permutes ? append(w, all, cJSON_CreateArray()) : NULL;
        largest = size > largest ? size : largest;
        for (int i = 0; i < size && fits && !w->to.failed; i++)
            if (permutes)
                add_pair(w, all, groups->members + begin, groups->sources + begin, i);
            else
                append(w, group, cJSON_CreateNumber(groups->members[begin + i]));
    }
    number(w, object, "group_count", groups->group_count);
    number(w, object, "group_size", largest);
}

static void add_collective(struct writer *w, const struct program_communication *of)
{
    const struct collective_spec *spec = &of->at->collective;
    bool reduces = spec->kind == COLLECTIVE_ALL_REDUCE || spec->kind == COLLECTIVE_REDUCE_SCATTER;
    cJSON *object = cJSON_CreateObject();
    number(w, object, "step", (double)of->step);
    string(w, object, "kind", program_communication_name(spec->kind));
    add_arrays(w, object, spec);
    add_groups(w, object, spec);
    if (reduces)
        string(w, object, "reduce", program_communication_reducer(spec->reducer));
    number(w, object, "count", 1);
    if (of->is_exact)
        number(w, object, "trips", of->times);
    else
        w->to.failed |= !cJSON_AddNullToObject(object, "trips");
    number(w, object, "bytes", of->bytes);
    number(w, object, "sent_bytes", of->sent);
    string(w, object, "operation", of->at->label);
    json_stream_row(&w->to, object);
}

static struct error *add_collectives(struct writer *w)
{
    struct program_communication *all;
    int count;
    TRY(program_communication(w->program, &all, &count));
    json_stream_list(&w->to, "collectives");
    for (int i = 0; i < count && !w->to.failed; i++)
        add_collective(w, &all[i]);
    json_stream_list_end(&w->to);
    alloc_free(all);
    return NULL;
}

/* ---- the whole plan -------------------------------------------------------------------------- */
static void add_figures_of_all(struct writer *w)
{
    cJSON *root = w->to.members;
    bool all = true;
    for (enum memory_kind kind = 0; kind < MEMORY_KIND_COUNT; kind++)
        all &= fits(w, kind);
    number(w, root, "expected_seconds", w->program->seconds);
    add_figures(w, root, MEMORY_DEVICE);
    w->to.failed |= !cJSON_AddBoolToObject(root, "fits", all);
}

static struct error *write_plan(struct writer *w)
{
    string(w, w->to.members, "program", w->program->name);
    string(w, w->to.members, "device", w->executable->target.name);
    number(w, w->to.members, "code_bytes", (double)w->program->code_size);
    if (is_modeled(w))
        model_json_add(w->program->model, &w->to);
    else
        add_figures_of_all(w);
    if (w->executable->auto_plan)
        w->to.failed |= !auto_json_add(w->executable->auto_plan, w->to.members);
    TRY(add_memories(w));
    add_steps(w);
    add_values(w, "arguments", w->program->parameters, program_visible(w->program, false));
    add_values(w, "results", w->program->results, program_visible(w->program, true));
    if (!is_modeled(w))
        TRY(add_collectives(w));
    add_buffers(w);
    return NULL;
}

struct error *plan_json(const struct executable *executable, char **out, size_t *size)
{
    struct writer w = {.executable = executable,
                       .program = executable->program,
                       .step_count = program_step_count(executable->program)};
    TRY(alloc_array((size_t)w.step_count + 1, sizeof *w.steps, &w.steps));
    program_list_steps(w.program, w.steps);
    json_stream_begin(&w.to);
    struct error *error = write_plan(&w);
    alloc_free(w.steps);
    if (!error)
        return json_stream_end(&w.to, out, size);
    json_stream_free(&w.to);
    return error;
}
