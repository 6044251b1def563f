#include "compiler/frontend/mlir/mlir_fields.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "compiler/frontend/mlir/mlir_groups.h"
#include "compiler/frontend/mlir/mlir_sdy.h"
#include "compiler/ir/sharding_rules.h"

#define MAX_DISCARDABLE 256 /* attributes of an operation */

static struct error *mismatch(const struct mlir_attr *attr, const char *expected)
{
    return ERROR(INVALID_ARGUMENT, "is %s, expected %s", attr->name, expected);
}

static bool is_none(const struct mlir_attr *attr)
{
    return attr->kind == MLIR_TYPE && attr->type->kind == MLIR_TYPE_NONE;
}

static struct error *set_number(const struct attr_field *field, const struct mlir_attr *attr,
                                void *out)
{
    if (field->kind == ATTR_REAL) {
        if (attr->kind != MLIR_REAL)
            return mismatch(attr, "a real number");
        *(double *)out = attr->real;
    } else if (field->kind == ATTR_BOOL) {
        if (attr->kind != MLIR_BOOL && attr->kind != MLIR_UNIT && !is_none(attr))
            return mismatch(attr, "a boolean");
        *(bool *)out = attr->kind == MLIR_UNIT || (attr->kind == MLIR_BOOL && attr->integer);
    } else {
        if (attr->kind != MLIR_INTEGER && attr->kind != MLIR_KEYWORD && !is_none(attr))
            return mismatch(attr, "an integer");
        *(int64_t *)out = is_none(attr) ? 0 : attr->integer;
    }
    return NULL;
}

static struct error *set_dims(struct arena *arena, struct mlir_attr *attr, struct dims *out)
{
    const struct dims *ints;
    TRY(mlir_attr_ints(arena, attr, &ints));
    if (attr->literal->type->shape.rank != 1)
        return ERROR(INVALID_ARGUMENT, "has rank %d, expected 1", attr->literal->type->shape.rank);
    *out = *ints;
    return NULL;
}

static struct error *set_pairs(struct arena *arena, struct mlir_attr *attr, struct pairs *out)
{
    const struct dims *ints;
    TRY(mlir_attr_ints(arena, attr, &ints));
    const struct type *type = attr->literal->type;
    if (type->shape.rank != 2 && ints->count != 0)
        return ERROR(INVALID_ARGUMENT, "has rank %d, expected 2", type->shape.rank);
    if (type->shape.rank == 2)
        *out = (struct pairs){
            .rows = type->shape.dims[0], .columns = type->shape.dims[1], .at = ints->at};
    return NULL;
}

static struct error *set_layout(struct arena *arena, struct mlir_attr *attr, struct dims *out)
{
    if (attr->kind != MLIR_ARRAY)
        return set_dims(arena, attr, out);
    int64_t *values = ARENA_ARRAY(arena, int64_t, attr->array.count);
    for (size_t i = 0; i < attr->array.count; i++) {
        if (attr->array.at[i]->kind != MLIR_INTEGER)
            return mismatch(attr->array.at[i], "an integer");
        values[i] = attr->array.at[i]->integer;
    }
    *out = (struct dims){.count = (int64_t)attr->array.count, .at = values};
    return NULL;
}

/* The tiles of a result, [[8, 128], [2, 1]], one after the other. */
static struct error *set_tiles(struct arena *arena, struct mlir_attr *attr, struct dims *out)
{
    VEC(int64_t) sizes = {0};
    for (size_t i = 0; i < attr->array.count; i++) {
        const struct dims *tile;
        TRY(mlir_attr_ints(arena, attr->array.at[i], &tile));
        for (int64_t d = 0; d < tile->count; d++)
            VEC_PUSH(arena, &sizes, tile->at[d]);
    }
    *out = (struct dims){.count = (int64_t)sizes.count, .at = sizes.items};
    return NULL;
}

static bool is_tiles(const struct mlir_attr *attr)
{
    return attr->kind == MLIR_ARRAY && attr->array.count && attr->array.at[0]->kind == MLIR_LITERAL;
}

static struct error *set_layouts(struct arena *arena, const struct mlir_attr *attr,
                                 struct layouts *out)
{
    if (attr->kind != MLIR_ARRAY)
        return mismatch(attr, "an array of layouts");
    struct dims *layouts = ARENA_ARRAY(arena, struct dims, attr->array.count);
    for (size_t i = 0; i < attr->array.count; i++)
        TRY((is_tiles(attr->array.at[i]) ? set_tiles : set_layout)(arena, attr->array.at[i],
                                                                   &layouts[i]));
    *out = (struct layouts){.count = (int64_t)attr->array.count, .at = layouts};
    return NULL;
}

static struct error *find_func(struct mlir_program *program, const struct mlir_attr *attr,
                               struct func **out)
{
    if (attr->kind != MLIR_STRING && attr->kind != MLIR_SYMBOL)
        return mismatch(attr, "the name of a function");
    *out = map_get(program->funcs, attr->string.data, attr->string.size);
    return *out ? NULL
                : ERROR(INVALID_ARGUMENT, "refers to an unknown function @%s", attr->string.data);
}

static struct error *set_funcs(struct mlir_program *program, const struct mlir_attr *attr,
                               struct funcs *out)
{
    if (attr->kind != MLIR_ARRAY)
        return mismatch(attr, "an array of function names");
    struct func **funcs = ARENA_ARRAY(program->arena, struct func *, attr->array.count);
    for (size_t i = 0; i < attr->array.count; i++)
        TRY(find_func(program, attr->array.at[i], &funcs[i]));
    *out = (struct funcs){.count = (int64_t)attr->array.count, .at = funcs};
    return NULL;
}

static void index_list(struct arena *arena, struct dims dims, struct dict_value *out)
{
    struct dict_value *values = ARENA_ARRAY(arena, struct dict_value, (size_t)dims.count);
    for (int64_t i = 0; i < dims.count; i++)
        values[i] =
            (struct dict_value){.kind = DICT_INT, .dtype = DTYPE_S64, .integer = dims.at[i]};
    *out = (struct dict_value){.kind = DICT_LIST};
    out->list.count = dims.count;
    out->list.at = values;
}

static const struct dict *alias_dict(struct arena *arena, const struct mlir_attr *attr)
{
    static const struct string names[] = {
        {20, "output_tuple_indices"}, {13, "operand_index"}, {21, "operand_tuple_indices"}};
    struct dict_value *values = ARENA_ARRAY(arena, struct dict_value, 3);
    struct dict *dict = ARENA_NEW(arena, struct dict);
    index_list(arena, attr->alias.output_tuple_indices, &values[0]);
    values[1] = (struct dict_value){
        .kind = DICT_INT, .dtype = DTYPE_S64, .integer = attr->alias.operand_index};
    index_list(arena, attr->alias.operand_tuple_indices, &values[2]);
    *dict = (struct dict){.count = 3, .names = names, .values = values};
    return dict;
}

/* An array of aliases becomes a dictionary with the names "0", "1" ... */
static struct error *set_aliases(struct arena *arena, const struct mlir_attr *attr,
                                 const struct dict **out)
{
    if (attr->kind != MLIR_ARRAY)
        return mismatch(attr, "an array of aliases");
    size_t count = attr->array.count;
    if (count == 0)
        return NULL;
    struct string *names = ARENA_ARRAY(arena, struct string, count);
    struct dict_value *values = ARENA_ARRAY(arena, struct dict_value, count);
    struct dict *dict = ARENA_NEW(arena, struct dict);
    for (size_t i = 0; i < count; i++) {
        if (attr->array.at[i]->kind != MLIR_ALIAS)
            return mismatch(attr->array.at[i], "an alias of an output and an operand");
        names[i].data = arena_format(arena, "%zu", i);
        names[i].size = strlen(names[i].data);
        values[i].kind = DICT_DICT;
        values[i].dict = alias_dict(arena, attr->array.at[i]);
    }
    *dict = (struct dict){.count = (int64_t)count, .names = names, .values = values};
    *out = dict;
    return NULL;
}

static struct error *set_dict(struct arena *arena, struct mlir_attr *attr, const struct dict **out)
{
    if (attr->kind != MLIR_DICT)
        return mismatch(attr, "a dictionary");
    if (attr->dict.count > 0) /* MLIR text omits empty ones */
        *out = mlir_attr_raw(arena, attr)->dict;
    return NULL;
}

static struct error *set_enum(const struct mlir_attr *attr, enum mlir_enum which,
                              const char *expected, int *out)
{
    if (attr->kind != MLIR_KEYWORD || attr->enumeration != which)
        return mismatch(attr, expected);
    *out = (int)attr->integer;
    return NULL;
}

static struct error *set_precisions(const struct mlir_attr *attr, struct precisions *out)
{
    int values[2] = {PRECISION_DEFAULT, PRECISION_DEFAULT};
    if (attr->kind != MLIR_ARRAY || attr->array.count > 2)
        return mismatch(attr, "an array of at most two precisions");
    for (size_t i = 0; i < attr->array.count; i++)
        TRY(set_enum(attr->array.at[i], MLIR_ENUM_precision, "a precision", &values[i]));
    out->lhs = (enum precision)values[0];
    out->rhs = (enum precision)values[1];
    return NULL;
}

static struct error *set_string(const struct mlir_attr *attr, struct string *out)
{
    if (attr->kind == MLIR_DICT) /* backend_config: becomes a discardable attribute */
        return NULL;
    if (attr->kind != MLIR_STRING)
        return mismatch(attr, "a string");
    *out = attr->string;
    return NULL;
}

static struct error *set_type(const struct mlir_attr *attr, enum dtype *out)
{
    if (attr->kind != MLIR_TYPE)
        return mismatch(attr, "a type");
    *out = attr->type->dtype; /* DTYPE_INVALID for none: unspecified */
    if (strcmp(attr->type->name, "tf32") == 0)
        *out = DTYPE_F32; /* more precise than requested */
    return NULL;
}

struct error *mlir_fields_set(struct mlir_program *program, const struct attr_field *field,
                              struct mlir_attr *attr, union attrs *attrs)
{
    void *out = (char *)attrs + field->offset;
    switch (field->kind) {
    case ATTR_INT:
    case ATTR_BOOL:
    case ATTR_REAL: return set_number(field, attr, out);
    case ATTR_DIMS:
    case ATTR_BOOLS: return set_dims(program->arena, attr, out);
    case ATTR_PAIRS:
        return attr->kind == MLIR_GROUPS && strcmp(field->name, "replica_groups") == 0
                   ? mlir_groups_set(program, attr, out)
                   : set_pairs(program->arena, attr, out);
    case ATTR_STRING: return set_string(attr, out);
    case ATTR_LITERAL:
        if (attr->kind != MLIR_LITERAL)
            return mismatch(attr, "a tensor");
        *(const struct literal **)out = attr->literal;
        return NULL;
    case ATTR_FUNC: return find_func(program, attr, out);
    case ATTR_FUNCS: return set_funcs(program, attr, out);
    case ATTR_TYPE: return set_type(attr, out);
    case ATTR_DICT:
        return strcmp(field->name, "output_operand_aliases") == 0
                   ? set_aliases(program->arena, attr, out)
                   : set_dict(program->arena, attr, out);
    case ATTR_LAYOUTS: return set_layouts(program->arena, attr, out);
    case ATTR_SHARDING:
        if (attr->kind != MLIR_SHARDING)
            return mismatch(attr, "a sharding");
        *(const struct sharding **)out = attr->sharding;
        return NULL;
    case ATTR_RULE:
        if (attr->kind != MLIR_RULE)
            return mismatch(attr, "a sharding rule");
        *(const struct sharding_rule **)out = attr->rule;
        return NULL;
    case ATTR_PRECISIONS: return set_precisions(attr, out);
    case ATTR_COMPARISON:
        return set_enum(attr, MLIR_ENUM_comparison_direction, "a comparison direction", out);
    case ATTR_COMPARE_TYPE:
        return set_enum(attr, MLIR_ENUM_comparison_type, "a comparison type", out);
    case ATTR_FFT_TYPE: return set_enum(attr, MLIR_ENUM_fft_type, "an FFT type", out);
    case ATTR_TRANSPOSE: return set_enum(attr, MLIR_ENUM_transpose, "a transposition", out);
    case ATTR_RNG_ALGORITHM: return set_enum(attr, MLIR_ENUM_rng_algorithm, "an algorithm", out);
    case ATTR_RNG_DISTRIBUTION:
        return set_enum(attr, MLIR_ENUM_rng_distribution, "a distribution", out);
    case ATTR_FUSION_KIND: return set_enum(attr, MLIR_ENUM_fusion_kind, "a kind of fusion", out);
    }
    return NULL;
}

/* ---- discardable attributes ------------------------------------------------------------------ */

static bool is_known(struct string name, int known_count, const char *const *known)
{
    for (int i = 0; i < known_count; i++)
        if (strlen(known[i]) == name.size && memcmp(known[i], name.data, name.size) == 0)
            return true;
    return false;
}

/* Shardy's attributes are omitted because shardings are part of types. */
static bool is_discardable(struct string name, int known_count, const char *const *known)
{
    bool shardy = name.size > 4 && memcmp(name.data, "sdy.", 4) == 0;
    return !shardy && !is_known(name, known_count, known);
}

/* An mhlo.sharding with a group, "{unknown shard_as 0}", has become an operation. */
static bool has_group(struct string name, const struct mlir_attr *attr)
{
    return name.size == 13 && memcmp(name.data, "mhlo.sharding", 13) == 0 &&
           attr->kind == MLIR_STRING && memmem(attr->string.data, attr->string.size, " shard_", 7);
}

static const struct dict *collect(struct arena *arena, struct mlir_attr *attributes,
                                  int known_count, const char *const *known,
                                  struct mlir_attr *backend_config)
{
    static const struct string config_name = {19, "mhlo.backend_config"};
    size_t count = attributes ? attributes->dict.count : 0, collected = 0;
    struct string *names = ARENA_ARRAY(arena, struct string, count + 1);
    struct dict_value *values = ARENA_ARRAY(arena, struct dict_value, count + 1);
    for (size_t i = 0; i < count; i++) {
        const struct dict_value *raw = mlir_attr_raw(arena, attributes->dict.values[i]);
        if (raw->kind == DICT_NONE ||
            !is_discardable(attributes->dict.names[i], known_count, known) ||
            has_group(attributes->dict.names[i], attributes->dict.values[i]))
            continue;
        names[collected] = attributes->dict.names[i];
        values[collected++] = *raw;
    }
    if (backend_config) {
        names[collected] = config_name;
        values[collected++] = *mlir_attr_raw(arena, backend_config);
    }
    struct dict *dict = ARENA_NEW(arena, struct dict);
    *dict = (struct dict){.count = (int64_t)collected, .names = names, .values = values};
    return dict;
}

struct error *mlir_fields_discardable(struct mlir_program *program, struct mlir_attr *attributes,
                                      int known_count, const char *const *known,
                                      struct mlir_attr *backend_config, const struct dict **out)
{
    size_t count = attributes ? attributes->dict.count : 0;
    bool whole = known_count == 0 && !backend_config; /* cached for all users of the dictionary */
    if (count > MAX_DISCARDABLE)
        return ERROR(INVALID_ARGUMENT, "has %zu attributes; the limit is %d", count,
                     MAX_DISCARDABLE);
    if (count == 0 && !backend_config)
        return NULL;
    const struct dict *dict = whole ? attributes->discardable : NULL;
    if (!dict)
        dict = collect(program->arena, attributes, known_count, known, backend_config);
    if (whole)
        attributes->discardable = dict;
    if (dict->count > 0)
        *out = dict;
    return NULL;
}

/* mhlo.sharding */
static struct error *annotate_text(struct mlir_program *program, const struct mlir_attr *attr,
                                   struct op *op)
{
    size_t count = (size_t)op->result_count;
    const struct type **types = ARENA_ARRAY(program->arena, const struct type *, count);
    struct sharding_note *notes = ARENA_ARRAY(program->arena, struct sharding_note, count);
    struct mlir_sdy_place place = {program, op->block, NULL, op->location};
    for (size_t i = 0; i < count; i++)
        types[i] = op->results[i].type;
    TRY(mlir_sdy_parse(program, attr, op->result_count, types, notes));
    for (size_t i = 0; i < count; i++) {
        TRY(mlir_sdy_annotate(program->arena, &op->results[i], notes[i].sharding));
        if (notes[i].has_group && op->block)
            mlir_sdy_join(&place, &op->results[i], notes[i].group);
    }
    return NULL;
}

/* The device of "{maximal device=3}", also as the first of a tuple; -1: it is something else. */
static int64_t device_of_text(struct arena *arena, const struct mlir_attr *text)
{
    struct sharding_tiles tiles;
    if (text->kind != MLIR_STRING)
        return -1;
    struct error *error = sharding_parse_first(arena, text->string, &tiles);
    bool is_maximal = !error && tiles.kind == TILES_MAXIMAL && tiles.device_count == 1;
    error_free(error);
    return is_maximal ? tiles.devices[0] : -1;
}

/* Notes on which device an operation with effects is, which may have no results to note it on. */
static void place_call(struct arena *arena, const struct mlir_attr *shardy,
                       const struct mlir_attr *text, struct op *op)
{
    int64_t device = -1;
    if (shardy && shardy->kind == MLIR_ARRAY && shardy->array.count &&
        shardy->array.at[0]->kind == MLIR_SHARDING &&
        shardy->array.at[0]->sharding->kind == SHARDING_MAXIMAL)
        device = shardy->array.at[0]->sharding->device;
    else if (text)
        device = device_of_text(arena, text);
    ir_set_device(op, device);
}

/* sdy.sharding_rule of a custom call. */
static struct error *annotate_rule(const struct mlir_attr *attr, struct op *op)
{
    if (!attr || attr->kind != MLIR_RULE || op->code != OP_custom_call)
        return NULL;
    op->attrs.custom_call.sharding_rule = attr->rule;
    return sharding_rules_check(attr->rule, op);
}

struct error *mlir_fields_annotate(struct mlir_program *program, const struct mlir_attr *attributes,
                                   struct op *op)
{
    const struct mlir_attr *shardy = mlir_attr_lookup(attributes, "sdy.sharding");
    const struct mlir_attr *text = mlir_attr_lookup(attributes, "mhlo.sharding");
    if (ir_may_have_device(op))
        place_call(program->arena, shardy, text, op);
    TRY(annotate_rule(mlir_attr_lookup(attributes, "sdy.sharding_rule"), op));
    if (!shardy || shardy->kind != MLIR_ARRAY)
        return text && op->result_count ? annotate_text(program, text, op) : NULL;
    TRY(mlir_sdy_check_results("sdy.sharding", shardy, op));
    for (size_t i = 0; i < shardy->array.count && i < (size_t)op->result_count; i++)
        TRY(mlir_sdy_annotate(program->arena, &op->results[i], shardy->array.at[i]->sharding));
    return NULL;
}

static struct error *memory_kind(const struct mlir_attr *attr, enum memory_kind *out)
{
    for (int kind = 0; attr->kind == MLIR_STRING && kind < MEMORY_KIND_COUNT; kind++)
        if (strcmp(attr->string.data, memory_kind_name((enum memory_kind)kind)) == 0) {
            *out = (enum memory_kind)kind;
            return NULL;
        }
    return ERROR(INVALID_ARGUMENT,
                 "mhlo.memory_kind is \"%s\"; it must be device, pinned_host or unpinned_host",
                 attr->kind == MLIR_STRING ? attr->string.data : attr->name);
}

/* Reads "8,128" up to an end; returns how many numbers, at most `most`, or -1. */
static int read_numbers(const char **at, const char *ends, int most, int64_t *out)
{
    for (int count = 0; count < most; (*at)++) {
        char *end;
        out[count++] = strtol(*at, &end, 10);
        if (end == *at)
            return -1;
        *at = end;
        if (*end && strchr(ends, *end))
            return count;
        if (*end != ',')
            return -1;
    }
    return -1;
}

/* Reads "T(8,128)(2,1)E(4)" up to the brace: tiles, then the bits of an element, which are its
 * type's. */
static bool read_tiles(struct arena *arena, const char **at, struct shape *shape)
{
    struct shape_tile *tiles = ARENA_ARRAY(arena, struct shape_tile, SHAPE_MAX_TILES);
    int64_t sizes[SHAPE_MAX_RANK];
    *at += **at == 'T';
    while (**at == '(' && shape->tile_count < SHAPE_MAX_TILES) {
        ++*at;
        int rank = read_numbers(at, ")", SHAPE_MAX_RANK, sizes);
        if (rank < 0)
            return false;
        ++*at;
        tiles[shape->tile_count++] =
            (struct shape_tile){rank, arena_copy(arena, sizes, (size_t)rank * sizeof *sizes)};
    }
    shape->tiles = tiles;
    if (!strncmp(*at, "E(", 2)) {
        *at += 2;
        if (read_numbers(at, ")", 1, sizes) < 0)
            return false;
        ++*at;
    }
    return **at == '}';
}

/* Reads "{1,0}" or "{1,0:T(8,128)}" into the layout of a tensor. */
static bool read_layout(struct arena *arena, const char *at, struct shape *shape, int *count)
{
    int64_t order[SHAPE_MAX_RANK];
    if (*at++ != '{')
        return false;
    *count = *at == ':' ? 0 : read_numbers(&at, ":}", SHAPE_MAX_RANK, order);
    if (*count < 0)
        return false;
    shape->minor_to_major = arena_copy(arena, order, (size_t)*count * sizeof *order);
    if (*at == ':') {
        at++;
        if (!read_tiles(arena, &at, shape))
            return false;
    }
    return at[0] == '}' && !at[1];
}

/* Parses "default", "auto", or a layout: the dimensions from minor to major, perhaps with tiles. */
static struct error *layout_mode(struct arena *arena, const char *text, struct type *type,
                                 struct argument_info *out)
{
    struct shape shape = type->shape;
    int count;
    out->layout_auto = strcmp(text, "auto") == 0;
    if (out->layout_auto || !strcmp(text, "default") || !strcmp(text, "{}"))
        return NULL;
    if (!read_layout(arena, text, &shape, &count))
        return ERROR(
            UNIMPLEMENTED,
            "mhlo.layout_mode is \"%.80s\"; it must be \"default\", \"auto\" or a list of "
            "dimensions from minor to major such as \"{0,1}\", with up to %d tiles such as "
            "\"{0,1:T(8,128)}\"",
            text, SHAPE_MAX_TILES);
    if (type->kind != TYPE_TENSOR || count != shape.rank ||
        !shape_is_permutation(count, shape.minor_to_major))
        return ERROR(INVALID_ARGUMENT,
                     "mhlo.layout_mode is \"%.80s\"; it must list each dimension of %s once", text,
                     type_text(arena, type));
    if (shape.tile_count && shape_elements(&shape) >= 0)
        TRY(error_prefix(shape_check(&shape, "the layout"), "mhlo.layout_mode is \"%.80s\"", text));
    type->shape = shape;
    return NULL;
}

/* sdy.sharding, else mhlo.sharding, of an argument or a result. */
static struct error *boundary_sharding(struct mlir_program *program,
                                       const struct mlir_attr *attributes,
                                       const struct type **inout)
{
    const struct mlir_attr *shardy = mlir_attr_lookup(attributes, "sdy.sharding");
    const struct mlir_attr *text = mlir_attr_lookup(attributes, "mhlo.sharding");
    struct sharding_note note = {0};
    if (shardy && shardy->kind == MLIR_SHARDING)
        note.sharding = shardy->sharding;
    else if (text)
        TRY(mlir_sdy_parse(program, text, 1, inout, &note));
    return sharding_attach(program->arena, *inout, note.sharding, inout);
}

struct error *mlir_fields_argument(struct mlir_program *program, const struct mlir_attr *attributes,
                                   const struct type **inout, struct argument_info *out)
{
    struct mlir_attr *attr;
    *out = (struct argument_info){.alias_result = -1};
    if (!attributes)
        return NULL;
    struct type *type = arena_copy(program->arena, *inout, sizeof **inout);
    if ((attr = mlir_attr_lookup(attributes, "tf.aliasing_output")) && attr->kind == MLIR_INTEGER &&
        attr->integer >= 0 && attr->integer <= INT32_MAX)
        out->alias_result = (int)attr->integer;
    if ((attr = mlir_attr_lookup(attributes, "jax.buffer_donor")))
        out->donated = attr->kind == MLIR_UNIT || (attr->kind == MLIR_BOOL && attr->integer);
    if ((attr = mlir_attr_lookup(attributes, "mhlo.memory_kind")))
        TRY(memory_kind(attr, &type->shape.memory));
    if ((attr = mlir_attr_lookup(attributes, "mhlo.layout_mode")) && attr->kind == MLIR_STRING)
        TRY(layout_mode(program->arena, attr->string.data, type, out));
    if ((attr = mlir_attr_lookup(attributes, "mhlo.frontend_attributes")) &&
        attr->kind == MLIR_DICT)
        out->frontend_attributes = mlir_attr_raw(program->arena, attr)->dict;
    *inout = type;
    return boundary_sharding(program, attributes, inout);
}
