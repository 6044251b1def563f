/* mosaic_config.c: see mosaic_config.h. cJSON bounds the nesting; its memory is proportional to the
 * text. */
#include "compiler/frontend/mosaic/mosaic_config.h"

#include <cjson/cJSON.h>
#include <stddef.h>
#include <string.h>

#include "compiler/frontend/mosaic/base64.h"

#define LARGEST_INTEGER 9007199254740992.0 /* 2^53: every integer up to it is a double */

struct reader {
    struct arena *arena;
    struct mosaic_config *out;
};

typedef struct error *read_field(struct reader *r, const cJSON *field, void *to);

struct field {
    const char *name;
    read_field *read; /* NULL: a hint, whatever its value */
    size_t offset;    /* in struct mosaic_config, or in struct mosaic_cost */
};

/* ---- values ---------------------------------------------------------------------------------- */
static struct error *mistyped(const cJSON *field, const char *wanted)
{
    return ERROR(INVALID_ARGUMENT, "\"%.100s\" must be %s", field->string ? field->string : "?",
                 wanted);
}

static struct error *read_bool(struct reader *r, const cJSON *field, void *to)
{
    (void)r;
    if (!cJSON_IsBool(field))
        return mistyped(field, "true or false");
    *(bool *)to = cJSON_IsTrue(field);
    return NULL;
}

static bool is_count(const cJSON *field)
{
    double value = field ? field->valuedouble : -1;
    return cJSON_IsNumber(field) && value >= 0 && value <= LARGEST_INTEGER &&
           value == (double)(int64_t)value;
}

static struct error *read_count(struct reader *r, const cJSON *field, void *to)
{
    (void)r;
    if (!is_count(field))
        return mistyped(field, "a whole number from 0 to 2^53");
    *(int64_t *)to = (int64_t)field->valuedouble;
    return NULL;
}

static struct error *read_real(struct reader *r, const cJSON *field, void *to)
{
    (void)r;
    if (!cJSON_IsNumber(field) || !(field->valuedouble >= 0))
        return mistyped(field, "a number of at least 0");
    *(double *)to = field->valuedouble;
    return NULL;
}

static bool asks_for_nothing(const cJSON *field)
{
    return cJSON_IsNull(field) || cJSON_IsFalse(field) ||
           (cJSON_IsNumber(field) && field->valuedouble == 0) ||
           (cJSON_IsString(field) && !field->valuestring[0]) ||
           ((cJSON_IsArray(field) || cJSON_IsObject(field)) && !field->child);
}

/* Reads the fields of `object` by a table, to the struct at `base`. Names are unique. */
static struct error *read_object(struct reader *r, const cJSON *object, const struct field *fields,
                                 size_t count, const char *where, void *base)
{
    uint64_t seen = 0;
    if (!cJSON_IsObject(object))
        return ERROR(INVALID_ARGUMENT, "%s must be an object", where);
    for (const cJSON *at = object->child; at; at = at->next) {
        size_t i = 0;
        while (i < count && strcmp(fields[i].name, at->string))
            i++;
        if (i == count && asks_for_nothing(at))
            continue;
        if (i == count)
            return ERROR(UNIMPLEMENTED,
                         "the field \"%.100s\" of %s is not supported: it may change what the "
                         "kernel does",
                         at->string, where);
        if (seen & UINT64_C(1) << i)
            return ERROR(INVALID_ARGUMENT, "%s has the field \"%s\" twice", where, fields[i].name);
        seen |= UINT64_C(1) << i;
        if (fields[i].read)
            TRY(fields[i].read(r, at, (char *)base + fields[i].offset));
    }
    return NULL;
}

/* ---- the kernel's own fields ----------------------------------------------------------------- */
static struct error *read_base64(struct reader *r, const cJSON *field, const uint8_t **bytes,
                                 size_t *size)
{
    if (!cJSON_IsString(field))
        return mistyped(field, "a string");
    struct error *error =
        base64_decode(r->arena, field->valuestring, strlen(field->valuestring), bytes, size);
    return error ? error_prefix(error, "\"%s\"", field->string) : NULL;
}

static struct error *read_body(struct reader *r, const cJSON *field, void *to)
{
    (void)to;
    return read_base64(r, field, &r->out->body, &r->out->body_size);
}

static struct error *read_locations(struct reader *r, const cJSON *field, void *to)
{
    (void)to;
    return read_base64(r, field, &r->out->locations, &r->out->locations_size);
}

static struct error *read_format(struct reader *r, const cJSON *field, void *to)
{
    (void)r, (void)to;
    if (cJSON_IsNumber(field) && field->valuedouble == 1)
        return NULL;
    return ERROR(UNIMPLEMENTED, "\"serialization_format\" is not supported; 1 (stable_mosaic) is");
}

static struct error *read_any(struct reader *r, const cJSON *field, void *to)
{
    (void)r;
    if (!cJSON_IsArray(field))
        return mistyped(field, "a list of true and false");
    for (const cJSON *at = field->child; at; at = at->next)
        *(bool *)to = *(bool *)to || cJSON_IsTrue(at);
    return NULL;
}

static struct error *read_cost(struct reader *r, const cJSON *field, void *to)
{
    static const struct field fields[] = {
        {"flops", read_real, offsetof(struct mosaic_cost, flops)},
        {"transcendentals", read_real, offsetof(struct mosaic_cost, transcendentals)},
        {"bytes_accessed", read_real, offsetof(struct mosaic_cost, bytes_accessed)},
        {"remote_bytes_transferred", read_real, offsetof(struct mosaic_cost, remote_bytes)},
    };
    r->out->has_cost = true;
    return read_object(r, field, fields, sizeof fields / sizeof *fields, "\"cost_estimate\"", to);
}

/* ---- memory spaces --------------------------------------------------------------------------- */
static bool is_color(double value)
{
    return value == MOSAIC_COLOR_HBM || value == MOSAIC_COLOR_VMEM ||
           value == MOSAIC_COLOR_SEMAPHORE || value == MOSAIC_COLOR_SMEM ||
           value == MOSAIC_COLOR_HOST;
}

/* The result of a placement; without "shape_index" there is one result. */
static bool result_index(const cJSON *entry, int64_t *out)
{
    const cJSON *index = cJSON_GetObjectItemCaseSensitive(entry, "shape_index");
    *out = 0;
    if (!index)
        return true;
    if (!cJSON_IsArray(index) || (index->child && (!is_count(index->child) || index->child->next)))
        return false;
    if (index->child)
        *out = (int64_t)index->child->valuedouble;
    return true;
}

static bool operand_index(const cJSON *entry, int64_t *out)
{
    const cJSON *index = cJSON_GetObjectItemCaseSensitive(entry, "operand_index");
    *out = is_count(index) ? (int64_t)index->valuedouble : 0;
    return is_count(index);
}

static struct error *read_placements(struct reader *r, const cJSON *field,
                                     bool (*index_of)(const cJSON *, int64_t *),
                                     struct mosaic_placement **out, int *count)
{
    int total = cJSON_IsArray(field) ? cJSON_GetArraySize(field) : -1, i = 0;
    if (total < 0)
        return mistyped(field, "a list");
    *out = ARENA_ARRAY(r->arena, struct mosaic_placement, (size_t)total + 1);
    for (const cJSON *at = field->child; at; at = at->next, i++) {
        const cJSON *color = cJSON_GetObjectItemCaseSensitive(at, "color");
        if (!cJSON_IsNumber(color) || !is_color(color->valuedouble) ||
            !index_of(at, &(*out)[i].index))
            return ERROR(INVALID_ARGUMENT,
                         "entry %d of \"%s\" must name an operand or result and a memory space: "
                         "0 (HBM), 1 (VMEM), 2 (semaphores), 4 (SMEM) or 5 (host)",
                         i, field->string);
        (*out)[i].color = (enum mosaic_color)color->valuedouble;
    }
    *count = total;
    return NULL;
}

static struct error *read_operand_colors(struct reader *r, const cJSON *field, void *to)
{
    (void)to;
    return read_placements(r, field, operand_index, &r->out->operands, &r->out->operand_count);
}

static struct error *read_result_colors(struct reader *r, const cJSON *field, void *to)
{
    (void)to;
    return read_placements(r, field, result_index, &r->out->results, &r->out->result_count);
}

static struct error *read_call(struct reader *r, const cJSON *field, void *to)
{
    static const struct field fields[] = {
        {"body", read_body, 0},
        {"debug_locations", read_locations, 0},
        {"has_communication", read_bool, offsetof(struct mosaic_config, has_communication)},
        {"collective_id", read_count, offsetof(struct mosaic_config, collective_id)},
        {"cost_estimate", read_cost, offsetof(struct mosaic_config, cost)},
        {"serialization_format", read_format, 0},
        {"needs_hlo_passes", NULL, 0},
        {"needs_layout_passes", NULL, 0},
        {"shape_invariant_numerics", NULL, 0},
        {"allow_input_fusion", read_any, offsetof(struct mosaic_config, allow_input_fusion)},
        {"internal_scratch_in_bytes", read_count,
         offsetof(struct mosaic_config, internal_scratch_bytes)},
        {"output_memory_space_colors", read_result_colors, 0},
        {"input_memory_space_colors", read_operand_colors, 0},
        {"disable_bounds_checks", read_bool, offsetof(struct mosaic_config, disable_bounds_checks)},
        {"disable_semaphore_checks", NULL, 0},
        {"skip_device_barrier", NULL, 0},
    };
    return read_object(r, field, fields, sizeof fields / sizeof *fields, "\"custom_call_config\"",
                       to);
}

/* ---- the fields around it -------------------------------------------------------------------- */
static struct error *read_device(struct reader *r, const cJSON *field, void *to)
{
    (void)r, (void)to;
    const char *name = cJSON_IsString(field) ? field->valuestring : "";
    if (!strcmp(name, "DEVICE_TYPE_TENSORCORE") || !strcmp(name, "DEVICE_TYPE_TENSOR_CORE") ||
        !strcmp(name, "DEVICE_TYPE_INVALID"))
        return NULL;
    return ERROR(UNIMPLEMENTED,
                 "kernels for the device type \"%.100s\" are not supported; those for the "
                 "TensorCore are",
                 name);
}

/* The size of the kernel's part of VMEM. */
static struct error *read_scoped(struct reader *r, const cJSON *field, void *to)
{
    if (!cJSON_IsArray(field))
        return mistyped(field, "a list");
    for (const cJSON *at = field->child; at; at = at->next) {
        const cJSON *space = cJSON_GetObjectItemCaseSensitive(at, "memory_space"),
                    *size = cJSON_GetObjectItemCaseSensitive(at, "size");
        if (!is_count(space) || !is_count(size))
            return mistyped(field, "a list of memory spaces with sizes");
        if (space->valuedouble == MOSAIC_COLOR_VMEM)
            TRY(read_count(r, size, to));
    }
    return NULL;
}

static struct error *read_all(struct reader *r, const cJSON *json)
{
    static const struct field fields[] = {
        {"custom_call_config", read_call, 0},
        {"device_type", read_device, 0},
        {"scoped_memory_configs", read_scoped, offsetof(struct mosaic_config, vmem_limit_bytes)},
        {"flag_configs", NULL, 0}, /* of the TPU's compiler */
    };
    TRY(read_object(r, json, fields, sizeof fields / sizeof *fields, "the configuration", r->out));
    if (!r->out->body_size)
        return ERROR(INVALID_ARGUMENT, "the configuration has no kernel (\"body\")");
    return NULL;
}

/* A copy without the commas that end a list or an object, which the reader of Protocol Buffers'
 * JSON takes. */
static char *without_last_commas(struct arena *arena, const char *text, size_t size, size_t *count)
{
    char *out = arena_alloc(arena, size);
    size_t n = 0, comma = SIZE_MAX; /* where `out` has a comma that nothing but blanks follow */
    bool in_string = false, is_value = false; /* before the comma */
    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        if (in_string && c == '\\' && i + 1 < size)
            out[n++] = text[i++];
        else if (c == '"')
            in_string = !in_string;
        if (!in_string && comma != SIZE_MAX && (c == '}' || c == ']'))
            out[comma] = ' ';
        if (in_string || !strchr(" \t\r\n", c)) {
            comma = !in_string && c == ',' && is_value ? n : SIZE_MAX;
            is_value = in_string || !strchr(",:[{", c);
        }
        out[n++] = text[i];
    }
    *count = n;
    return out;
}

static void release(void *json)
{
    cJSON_Delete(json);
}

struct error *mosaic_config_read(struct arena *arena, const char *text, size_t size,
                                 struct mosaic_config *out)
{
    struct reader r = {.arena = arena, .out = out};
    void **slot = arena_keep(arena, release);
    *out = (struct mosaic_config){.collective_id = -1, .vmem_limit_bytes = -1};
    const char *strict = without_last_commas(arena, text, size, &size);
    cJSON *json = *slot = cJSON_ParseWithLength(strict, size);
    if (!json)
        return ERROR(INVALID_ARGUMENT, "the configuration of %zu bytes is not JSON", size);
    struct error *error = read_all(&r, json);
    *slot = NULL;
    cJSON_Delete(json);
    return error;
}
