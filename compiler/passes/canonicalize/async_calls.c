#include "compiler/passes/canonicalize/async_calls.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "compiler/analysis/call_config.h"
#include "compiler/ir/build.h"
#include "compiler/ir/infer.h"
#include "compiler/passes/rewrite/rewrite.h"

struct reader {
    struct module *module;
    const struct op *call;
    const cJSON *config;
    union attrs attrs; /* of the collective */
};

/* ---- the configuration ----------------------------------------------------------------------- */
static bool is_whole(const cJSON *item)
{
    return cJSON_IsNumber(item) && item->valuedouble == (double)item->valueint;
}

static struct error *mistyped(const struct reader *r, const char *name, const char *wanted)
{
    return ERROR(INVALID_ARGUMENT, "%s: %s of async_collective_config must be %s",
                 ir_where(r->module->arena, r->call), name, wanted);
}

/* 0 if it is absent, as of attributes. */
static struct error *read_number(const struct reader *r, const char *name, int64_t *out)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(r->config, name);
    if (item && !is_whole(item))
        return mistyped(r, name, "a whole number of 32 bits");
    *out = item ? item->valueint : 0;
    return NULL;
}

static bool has_columns(const cJSON *rows, int64_t columns)
{
    const cJSON *row;
    cJSON_ArrayForEach(row, rows)
    {
        if (!cJSON_IsArray(row) || cJSON_GetArraySize(row) != columns)
            return false;
    }
    return true;
}

/* Advances *out past the numbers. */
static bool fill_row(const cJSON *row, int64_t **out)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, row)
    {
        if (!is_whole(item))
            return false;
        *(*out)++ = item->valueint;
    }
    return true;
}

static struct error *read_rows(const struct reader *r, const char *name, struct pairs *out)
{
    static const char wanted[] = "a list of lists of as many whole numbers";
    const cJSON *rows = cJSON_GetObjectItemCaseSensitive(r->config, name), *row;
    int64_t count = cJSON_IsArray(rows) ? cJSON_GetArraySize(rows) : 0,
            columns = count ? cJSON_GetArraySize(rows->child) : 0;
    if (!cJSON_IsArray(rows) || !has_columns(rows, columns)) /* before they size the numbers */
        return mistyped(r, name, wanted);
    int64_t *numbers = ARENA_ARRAY(r->module->arena, int64_t, (size_t)(count * columns)),
            *next = numbers;
    cJSON_ArrayForEach(row, rows)
    {
        if (!fill_row(row, &next))
            return mistyped(r, name, wanted);
    }
    *out = (struct pairs){count, columns, ir_share_list(r->module, count * columns, numbers)};
    return NULL;
}

static bool uses_global_ids(const struct reader *r)
{
    return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(r->config, "use_global_device_ids"));
}

/* ---- kinds ----------------------------------------------------------------------------------- */
static struct error *read_all_reduce(struct reader *r)
{
    struct attrs_all_reduce *attrs = &r->attrs.all_reduce;
    attrs->use_global_device_ids = uses_global_ids(r);
    TRY(read_number(r, "channel_id", &attrs->channel_id));
    return read_rows(r, "replica_groups", &attrs->replica_groups);
}

static struct error *read_reduce_scatter(struct reader *r)
{
    struct attrs_reduce_scatter *attrs = &r->attrs.reduce_scatter;
    attrs->use_global_device_ids = uses_global_ids(r);
    TRY(read_number(r, "channel_id", &attrs->channel_id));
    TRY(read_number(r, "scatter_dimension", &attrs->scatter_dimension));
    return read_rows(r, "replica_groups", &attrs->replica_groups);
}

static struct error *read_all_gather(struct reader *r)
{
    struct attrs_all_gather *attrs = &r->attrs.all_gather;
    attrs->use_global_device_ids = uses_global_ids(r);
    TRY(read_number(r, "channel_id", &attrs->channel_id));
    TRY(read_number(r, "all_gather_dimension", &attrs->all_gather_dim));
    return read_rows(r, "replica_groups", &attrs->replica_groups);
}

static struct error *read_all_to_all(struct reader *r)
{
    struct attrs_all_to_all *attrs = &r->attrs.all_to_all;
    TRY(read_number(r, "channel_id", &attrs->channel_id));
    TRY(read_number(r, "split_dimension", &attrs->split_dimension));
    TRY(read_number(r, "concat_dimension", &attrs->concat_dimension));
    TRY(read_number(r, "split_count", &attrs->split_count));
    return read_rows(r, "replica_groups", &attrs->replica_groups);
}

static struct error *read_permute(struct reader *r)
{
    struct attrs_collective_permute *attrs = &r->attrs.collective_permute;
    TRY(read_number(r, "channel_id", &attrs->channel_id));
    return read_rows(r, "permutation", &attrs->source_target_pairs);
}

static const struct kind {
    const char *start, *done;
    enum op_code code;
    bool reduces;
    struct error *(*read)(struct reader *r);
} kinds[] = {
    {"all-reduce-start", "all-reduce-done", OP_all_reduce, true, read_all_reduce},
    {"reduce-scatter-start", "reduce-scatter-done", OP_reduce_scatter, true, read_reduce_scatter},
    {"all-gather-start", "all-gather-done", OP_all_gather, false, read_all_gather},
    {"all-to-all-start", "all-to-all-done", OP_all_to_all, false, read_all_to_all},
    {"collective-permute-start", "collective-permute-done", OP_collective_permute, false,
     read_permute},
};

/* ---- reading --------------------------------------------------------------------------------- */
static void release(void *json)
{
    cJSON_Delete(json);
}

static struct error *read(struct reader *r, const struct kind *kind)
{
    const struct string *text = call_config_frontend(r->call, "async_collective_config");
    void **slot = arena_keep(r->module->arena, release);
    cJSON *json = *slot = text ? cJSON_ParseWithLength(text->data, text->size) : NULL;
    if (!cJSON_IsObject(json))
        return ERROR(INVALID_ARGUMENT,
                     "%s: %s must have the frontend attribute async_collective_config, an object "
                     "of JSON",
                     ir_where(r->module->arena, r->call), kind->start);
    r->config = json;
    struct error *error = kind->read(r);
    *slot = NULL;
    cJSON_Delete(json);
    return error;
}

/* ---- rewriting ------------------------------------------------------------------------------- */
static bool has_reducer(const struct op *call)
{
    const struct funcs *named = &call->attrs.custom_call.called_computations;
    return named->count == 1 && named->at[0]->body && named->at[0]->body->argument_count == 2 &&
           named->at[0]->result_count == 1;
}

/* Makes the function that the call names the collective's region. */
static struct error *add_reducer(struct module *module, const struct op *call, struct op *made)
{
    const struct block *from = call->attrs.custom_call.called_computations.at[0]->body;
    const struct type *types[] = {from->arguments[0].type, from->arguments[1].type};
    struct block *body = ir_block(module, call->block->func, made, 2, types);
    struct builder b = {module, body, NULL, call->location};
    struct value *result = &body->arguments[0],
                 *arguments[] = {&body->arguments[0], &body->arguments[1]};
    struct op *end = build_return(&b, 1, &result);
    made->regions[0] = body;
    TRY(ir_inline_block(module, from, 2, arguments, end, 1, &result));
    ir_set_operand(module, end, 0, result);
    return NULL;
}

static struct error *start(struct module *module, struct op *op, const struct kind *kind)
{
    struct reader r = {.module = module, .call = op};
    if (op->operand_count != 1 || op->result_count != 1 || (kind->reduces && !has_reducer(op)))
        return ERROR(INVALID_ARGUMENT, "%s: %s must have one operand, one result%s",
                     ir_where(module->arena, op), kind->start,
                     kind->reduces ? " and one called computation of two values" : "");
    TRY(read(&r, kind));
    struct op *made =
        ir_op(module, kind->code, 1, op->operands, 1, &op->results[0].type, kind->reduces);
    made->attrs = r.attrs;
    made->location = op->location;
    ir_insert_before(op, made);
    if (kind->reduces)
        TRY(add_reducer(module, op, made));
    TRY(infer_op(module->arena, made));
    return rewrite_with(module, op, &made->results[0]);
}

static struct error *done(struct module *module, struct op *op, const struct kind *kind)
{
    if (op->operand_count != 1 || op->result_count != 1 ||
        !type_same(op->operands[0]->type, op->results[0].type))
        return ERROR(INVALID_ARGUMENT, "%s: %s must have one operand, and a result of its type",
                     ir_where(module->arena, op), kind->done);
    return rewrite_with(module, op, op->operands[0]);
}

struct error *async_calls_replace(struct module *module, struct op *op, bool *out)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        bool starts = call_config_is_called(op, kinds[i].start);
        if ((*out = starts || call_config_is_called(op, kinds[i].done)))
            return starts ? start(module, op, &kinds[i]) : done(module, op, &kinds[i]);
    }
    return NULL;
}
