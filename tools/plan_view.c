/* plan_view.c: see plan_view.h. */
#include "tools/plan_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "tools/json_rows.h"
#include "tools/topo_view.h"

static int size_of(const cJSON *json, const char *name)
{
    return cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(json, name));
}

/* ---- rows ------------------------------------------------------------------------------------ */
/* Copies what a row owns. */
static struct error *keep(const struct plan_view *view, const char *text, const char **out)
{
    *out = arena_string(view->strings, text, strlen(text));
    return *out ? NULL : error_out_of_memory();
}

/* The function reads row `i` of a list. */
static struct error *read_rows(const cJSON *json, const char *name, struct plan_view *out,
                               struct error *(*read)(const cJSON *, struct plan_view *, size_t i))
{
    struct json_rows rows = json_rows_of(json, name);
    const cJSON *row;
    TRY(json_rows_next(&rows, &row));
    for (size_t i = 0; row; i++) {
        struct error *error = read(row, out, i);
        if (error) {
            json_rows_free(&rows);
            return error;
        }
        TRY(json_rows_next(&rows, &row));
    }
    return NULL;
}

static int find_memory(const struct plan_view *view, const char *kind)
{
    for (int i = 0; i < PLAN_MEMORIES; i++)
        if (!strcmp(view->memories[i].kind, kind))
            return i;
    return -1;
}

/* ---- memories and steps ---------------------------------------------------------------------- */
static struct error *read_curve(const struct plan_view *view, const cJSON *json,
                                struct plan_memory *memory)
{
    int count = size_of(json, "live_bytes"), i = 0;
    const cJSON *item;
    if (!count)
        return NULL;
    if (count != view->step_count)
        return ERROR(INVALID_ARGUMENT, "the plan's step counts disagree: %d and %lld", count,
                     (long long)view->step_count);
    TRY(alloc_array((size_t)count, sizeof *memory->live, &memory->live));
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(json, "live_bytes"))
        memory->live[i++] = item->valuedouble;
    return NULL;
}

static struct error *read_memory(const struct plan_view *view, const cJSON *json,
                                 struct plan_memory *out)
{
    out->kind = json->string ? json->string : "";
    out->arguments = topo_view_number(json, "argument_bytes");
    out->results = topo_view_number(json, "output_bytes");
    out->aliases = topo_view_number(json, "alias_bytes");
    out->temporaries = topo_view_number(json, "temp_bytes");
    out->constants = topo_view_number(json, "constant_bytes");
    out->peak = topo_view_number(json, "peak_bytes");
    out->capacity = topo_view_number(json, "capacity_bytes");
    out->peak_step = (int64_t)topo_view_number(json, "peak_step");
    out->fits = !out->capacity || out->peak <= out->capacity;
    if (out->peak_step < 0 || (out->peak_step && out->peak_step >= view->step_count))
        return ERROR(INVALID_ARGUMENT, "the plan's peak is not at a step");
    return read_curve(view, json, out);
}

static struct error *read_memories(const cJSON *json, struct plan_view *out)
{
    const cJSON *memories = cJSON_GetObjectItemCaseSensitive(json, "memories"), *item;
    int count = 0;
    if (cJSON_GetArraySize(memories) != PLAN_MEMORIES)
        return ERROR(INVALID_ARGUMENT, "the plan has %d memories, expected %d",
                     cJSON_GetArraySize(memories), PLAN_MEMORIES);
    out->fits = true;
    cJSON_ArrayForEach(item, memories)
    {
        TRY(read_memory(out, item, &out->memories[count]));
        out->fits &= out->memories[count++].fits;
    }
    return NULL;
}

static struct error *read_step(const cJSON *json, struct plan_view *out, size_t i)
{
    return keep(out, cJSON_IsString(json) ? json->valuestring : "", &out->steps[i]);
}

static struct error *read_steps(const cJSON *json, struct plan_view *out)
{
    out->step_count = (int64_t)json_rows_count(json, "steps");
    TRY(alloc_array((size_t)out->step_count + 1, sizeof *out->steps, &out->steps));
    return read_rows(json, "steps", out, read_step);
}

/* ---- buffers --------------------------------------------------------------------------------- */
static struct error *read_buffer(const cJSON *json, struct plan_view *view, size_t i)
{
    const cJSON *result = cJSON_GetObjectItemCaseSensitive(json, "result");
    struct plan_buffer *out = &view->buffers[i];
    *out = (struct plan_buffer){
        .memory = find_memory(view, topo_view_text(json, "memory")),
        .result = cJSON_IsNumber(result) ? result->valueint : -1,
        .offset = topo_view_number(json, "offset"),
        .bytes = topo_view_number(json, "bytes"),
        .first = (int64_t)topo_view_number(json, "first"),
        .last = (int64_t)topo_view_number(json, "last"),
    };
    TRY(keep(view, topo_view_text(json, "contents"), &out->contents));
    TRY(keep(view, topo_view_text(json, "operation"), &out->operation));
    return out->memory >= 0 && out->first >= 0 && out->first <= out->last &&
                   out->last < view->step_count && out->bytes > 0 && out->offset >= 0
               ? NULL
               : ERROR(INVALID_ARGUMENT, "a buffer of the plan is out of range");
}

static struct error *read_buffers(const cJSON *json, struct plan_view *out)
{
    out->buffer_count = json_rows_count(json, "buffers");
    TRY(alloc_array(out->buffer_count + 1, sizeof *out->buffers, &out->buffers));
    return read_rows(json, "buffers", out, read_buffer);
}

/* ---- operations ------------------------------------------------------------------------------ */
static struct error *read_operation(const cJSON *json, struct plan_view *view, size_t i)
{
    struct plan_operation *out = &view->operations[i];
    *out = (struct plan_operation){
        .times = topo_view_number(json, "times"),
        .seconds = topo_view_number(json, "seconds"),
        .hidden = topo_view_number(json, "hidden_seconds"),
        .busy = {[PLAN_MATRIX] = topo_view_number(json, "matrix_seconds"),
                 [PLAN_VECTOR] = topo_view_number(json, "vector_seconds"),
                 [PLAN_HBM] = topo_view_number(json, "hbm_seconds"),
                 [PLAN_LINKS] = topo_view_number(json, "link_seconds"),
                 [PLAN_HOST] = topo_view_number(json, "host_seconds")},
        .flops = topo_view_number(json, "flops"),
        .hbm_bytes = topo_view_number(json, "hbm_bytes"),
    };
    TRY(keep(view, topo_view_text(json, "operation"), &out->name));
    return keep(view, topo_view_text(json, "bound"), &out->bound);
}

static struct error *read_operations(const cJSON *json, struct plan_view *out)
{
    out->operation_count = json_rows_count(json, "operations");
    TRY(alloc_array(out->operation_count + 1, sizeof *out->operations, &out->operations));
    return read_rows(json, "operations", out, read_operation);
}

/* ---- uses at the peak ------------------------------------------------------------------------ */
static void add_values(const cJSON *json, const char *name, const char *kind, struct plan_view *out)
{
    const cJSON *item;
    bool results = !strcmp(name, "results");
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(json, name))
    {
        int memory = find_memory(out, topo_view_text(item, "memory"));
        double bytes = topo_view_number(item, "bytes");
        bool takes = results && cJSON_GetObjectItemCaseSensitive(item, "alias");
        if (memory >= 0 && bytes > 0 && !takes)
            out->uses[out->use_count++] =
                (struct plan_use){.memory = memory,
                                  .count = 1,
                                  .bytes = bytes,
                                  .kind = kind,
                                  .index = (int)topo_view_number(item, "index"),
                                  .contents = topo_view_text(item, "shape"),
                                  .operation = ""};
    }
}

/* Removes the prefix "fusion.3: ", whose number is different for each. */
static const char *source_of(const char *operation)
{
    const char *name = strncmp(operation, "fusion.", 7) ? NULL : strstr(operation, ": ");
    return name ? name + 2 : operation;
}

static void add_temporaries(struct plan_view *out)
{
    for (size_t i = 0; i < out->buffer_count; i++) {
        const struct plan_buffer *buffer = &out->buffers[i];
        int64_t peak = out->memories[buffer->memory].peak_step;
        if (buffer->result < 0 && buffer->first <= peak && peak <= buffer->last)
            out->uses[out->use_count++] =
                (struct plan_use){.memory = buffer->memory,
                                  .count = 1,
                                  .bytes = buffer->bytes,
                                  .kind = "temporary",
                                  .contents = buffer->contents,
                                  .operation = source_of(buffer->operation)};
    }
}

/* Groups equal uses, which are adjacent. */
static int compare_kinds(const void *left, const void *right)
{
    const struct plan_use *x = left, *y = right;
    int order = x->memory - y->memory;
    order = order ? order : strcmp(x->kind, y->kind);
    order = order ? order : x->index - y->index;
    order = order ? order : strcmp(x->contents, y->contents);
    order = order ? order : strcmp(x->operation, y->operation);
    return order ? order : (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static int compare_totals(const void *left, const void *right)
{
    const struct plan_use *x = left, *y = right;
    double one = x->bytes * x->count, other = y->bytes * y->count;
    if (one != other)
        return one > other ? -1 : 1;
    return compare_kinds(left, right);
}

static void merge_uses(struct plan_view *out)
{
    size_t count = 0;
    qsort(out->uses, out->use_count, sizeof *out->uses, compare_kinds);
    for (size_t i = 0; i < out->use_count; i++)
        if (count && !compare_kinds(&out->uses[count - 1], &out->uses[i]))
            out->uses[count - 1].count++;
        else
            out->uses[count++] = out->uses[i];
    out->use_count = count;
    qsort(out->uses, out->use_count, sizeof *out->uses, compare_totals);
}

static struct error *list_uses(const cJSON *json, struct plan_view *out)
{
    size_t max_uses = (size_t)size_of(json, "arguments") + (size_t)size_of(json, "results") +
                      out->buffer_count + PLAN_MEMORIES;
    TRY(alloc_array(max_uses, sizeof *out->uses, &out->uses));
    add_values(json, "arguments", "argument", out);
    add_values(json, "results", "result", out);
    add_temporaries(out);
    for (int i = 0; i < PLAN_MEMORIES; i++)
        if (out->memories[i].constants > 0)
            out->uses[out->use_count++] = (struct plan_use){.memory = i,
                                                            .count = 1,
                                                            .bytes = out->memories[i].constants,
                                                            .kind = "constants",
                                                            .contents = "",
                                                            .operation = ""};
    merge_uses(out);
    return NULL;
}

/* ---- collectives ----------------------------------------------------------------------------- */
static void describe_operands(const cJSON *json, char *out, size_t size)
{
    const cJSON *operands = cJSON_GetObjectItemCaseSensitive(json, "operands"), *dim,
                *first = cJSON_GetArrayItem(operands, 0), *dtype = cJSON_GetArrayItem(first, 0);
    int count = cJSON_GetArraySize(operands), used = 0, i = 0;
    char dims[40] = "";
    cJSON_ArrayForEach(dim, cJSON_GetArrayItem(first, 1))
    {
        if (used >= 0 && used < (int)sizeof dims - 1)
            used += snprintf(dims + used, sizeof dims - (size_t)used, i++ ? ",%.0f" : "%.0f",
                             dim->valuedouble);
    }
    snprintf(out, size, "%.8s[%s]", cJSON_IsString(dtype) ? dtype->valuestring : "?", dims);
    if (count > 1)
        snprintf(out + strlen(out), size - strlen(out), " and %d more", count - 1);
}

static struct error *read_collective(const cJSON *json, struct plan_view *view, size_t i)
{
    const cJSON *trips = cJSON_GetObjectItemCaseSensitive(json, "trips");
    struct plan_collective *out = &view->collectives[i];
    *out = (struct plan_collective){
        .count = 1,
        .group_count = (int)topo_view_number(json, "group_count"),
        .group_size = (int)topo_view_number(json, "group_size"),
        .trips = cJSON_IsNumber(trips) ? trips->valuedouble : -1,
        .bytes = topo_view_number(json, "bytes"),
        .sent = topo_view_number(json, "sent_bytes"),
    };
    out->sent *= out->trips < 0 ? 1 : out->trips;
    describe_operands(json, out->contents, sizeof out->contents);
    TRY(keep(view, topo_view_text(json, "kind"), &out->kind));
    return keep(view, topo_view_text(json, "operation"), &out->operation);
}

static int compare_collectives(const void *left, const void *right)
{
    const struct plan_collective *x = left, *y = right;
    int order = strcmp(x->kind, y->kind);
    order = order ? order : strcmp(x->contents, y->contents);
    order = order ? order : strcmp(x->operation, y->operation);
    order = order ? order : x->group_count - y->group_count;
    order = order ? order : x->group_size - y->group_size;
    order = order ? order : (x->trips > y->trips) - (x->trips < y->trips);
    return order ? order : (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static int compare_sent(const void *left, const void *right)
{
    const struct plan_collective *x = left, *y = right;
    if (x->sent != y->sent)
        return x->sent > y->sent ? -1 : 1;
    return compare_collectives(left, right);
}

static struct error *read_collectives(const cJSON *json, struct plan_view *out)
{
    struct plan_collective *at;
    size_t count = 0, all = json_rows_count(json, "collectives");
    TRY(alloc_array(all + 1, sizeof *at, &at));
    out->collectives = at;
    TRY(read_rows(json, "collectives", out, read_collective));
    qsort(at, all, sizeof *at, compare_collectives);
    for (size_t i = 0; i < all; i++)
        if (count && !compare_collectives(&at[count - 1], &at[i])) {
            at[count - 1].count++;
            at[count - 1].sent += at[i].sent;
        } else {
            at[count++] = at[i];
        }
    out->collective_count = count;
    qsort(at, count, sizeof *at, compare_sent);
    return NULL;
}

const char *plan_view_groups(const struct plan_collective *collective, char out[64])
{
    if (collective->group_count == 1)
        snprintf(out, 64, "a group of %d", collective->group_size);
    else
        snprintf(out, 64, "%d groups of %d", collective->group_count, collective->group_size);
    return out;
}

double plan_view_sent(const struct plan_view *view)
{
    double sent = 0;
    for (size_t i = 0; i < view->collective_count; i++)
        sent += view->collectives[i].sent;
    return sent;
}

/* ---- the whole plan -------------------------------------------------------------------------- */
static struct error *read_all(const cJSON *json, struct plan_view *out)
{
    out->program = topo_view_text(json, "program");
    out->device = topo_view_text(json, "device");
    out->code = topo_view_number(json, "code_bytes");
    out->seconds = topo_view_number(json, "expected_seconds");
    TRY(arena_create(&out->strings));
    TRY(read_steps(json, out));
    TRY(read_memories(json, out));
    TRY(read_buffers(json, out));
    TRY(read_collectives(json, out));
    TRY(read_operations(json, out));
    return list_uses(json, out);
}

struct error *plan_view_read(const cJSON *json, struct plan_view *out)
{
    *out = (struct plan_view){0};
    struct error *error = read_all(json, out);
    if (error)
        plan_view_free(out);
    return error;
}

void plan_view_free(struct plan_view *view)
{
    for (int i = 0; i < PLAN_MEMORIES; i++)
        alloc_free(view->memories[i].live);
    alloc_free(view->steps);
    alloc_free(view->buffers);
    alloc_free(view->uses);
    alloc_free(view->collectives);
    alloc_free(view->operations);
    arena_destroy(view->strings);
    *view = (struct plan_view){0};
}

bool plan_view_is_used(const struct plan_memory *memory)
{
    return memory->peak > 0 || memory->results > 0;
}

const char *plan_view_name(const struct plan_use *use, char out[64])
{
    char bytes[TOPO_VIEW_SIZE];
    if (!strcmp(use->kind, "argument") || !strcmp(use->kind, "result"))
        snprintf(out, 64, "%s %d", use->kind, use->index);
    else if (use->count > 1)
        snprintf(out, 64, "%d temporaries of %s", use->count, topo_view_bytes(use->bytes, bytes));
    else
        snprintf(out, 64, "%s", use->kind);
    return out;
}
