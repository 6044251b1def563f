#include "compiler/ir/print_attrs.h"

#include <inttypes.h>
#include <string.h>

#include "compiler/ir/sharding.h"
#include "compiler/ir/sharding_rules.h"

void print_attrs_string(const void *bytes, size_t size, struct text *out)
{
    const unsigned char *at = bytes;
    text_add(out, "\"");
    for (size_t i = 0; i < size; i++)
        if (at[i] == '"' || at[i] == '\\' || at[i] < 32 || at[i] > 126)
            text_add(out, "\\%02X", at[i]);
        else
            text_add_bytes(out, &at[i], 1);
    text_add(out, "\"");
}

/* 1, 2, 3 */
static void print_list(struct dims list, struct text *out)
{
    for (int64_t i = 0; i < list.count; i++)
        text_add(out, "%s%" PRId64, i ? ", " : "", list.at[i]);
}

static void print_array(struct dims list, bool booleans, struct text *out)
{
    text_add(out, "array<%s%s", booleans ? "i1" : "i64", list.count ? ": " : "");
    for (int64_t i = 0; booleans && i < list.count; i++)
        text_add(out, "%s%s", i ? ", " : "", list.at[i] ? "true" : "false");
    if (!booleans)
        print_list(list, out);
    text_add(out, ">");
}

static void print_pairs(struct pairs pairs, struct text *out)
{
    text_add(out, "dense<%s", pairs.rows ? "[" : "");
    for (int64_t i = 0; i < pairs.rows; i++) {
        text_add(out, "%s[", i ? ", " : "");
        print_list((struct dims){pairs.columns, pairs.at + i * pairs.columns}, out);
        text_add(out, "]");
    }
    text_add(out, "%s> : tensor<%" PRId64 "x%" PRId64 "xi64>", pairs.rows ? "]" : "", pairs.rows,
             pairs.columns);
}

static void print_layouts(struct layouts layouts, struct text *out)
{
    text_add(out, "[");
    for (int64_t i = 0; i < layouts.count; i++) {
        text_add(out, "%sdense<%s", i ? ", " : "", layouts.at[i].count ? "[" : "");
        print_list(layouts.at[i], out);
        text_add(out, "%s> : tensor<%" PRId64 "xindex>", layouts.at[i].count ? "]" : "",
                 layouts.at[i].count);
    }
    text_add(out, "]");
}

static void print_literal(const struct literal *literal, int64_t max_elements, struct text *out)
{
    if (max_elements >= 0 && !literal->splat && type_elements(literal->type) > max_elements)
        text_add(out, "dense_resource<__elided__>");
    else
        literal_print(literal, out);
    text_add(out, " : ");
    type_print(literal->type, out);
}

/* ---- enumerations ---------------------------------------------------------------------------- */

static const char *const comparisons[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
static const char *const compare_types[] = {"NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"};
static const char *const precisions[] = {"DEFAULT", "HIGH", "HIGHEST"};
static const char *const fft_types[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
static const char *const transposes[] = {"TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE",
                                         "ADJOINT"};
static const char *const rng_algorithms[] = {"DEFAULT", "THREE_FRY", "PHILOX"};
static const char *const rng_distributions[] = {"NONE", "UNIFORM", "NORMAL"};

static const char *const fusion_kinds[] = {"LOOP",     "UPDATE", "STANDALONE", "REGION",
                                           "ROWS",     "DOT",    "ATTENTION",  "ATTENTION_BACKWARD",
                                           "THIN_DOT", "SLICED"};

static void print_enum(const char *kind, const char *const *names, size_t count, int64_t value,
                       struct text *out)
{
    const char *name = value >= 0 && (size_t)value < count ? names[value] : "INVALID";
    text_add(out, "#stablehlo<%s %s>", kind, name);
}
#define PRINT_ENUM(kind, names, value)                                                             \
    print_enum(kind, names, sizeof(names) / sizeof *(names), value, out)

static void print_precisions(struct precisions pair, struct text *out)
{
    text_add(out, "[");
    PRINT_ENUM("precision", precisions, pair.lhs);
    text_add(out, ", ");
    PRINT_ENUM("precision", precisions, pair.rhs);
    text_add(out, "]");
}

/* ---- dictionaries ---------------------------------------------------------------------------- */

static void print_dict_value(const struct dict_value *value, struct text *out)
{
    switch (value->kind) {
    case DICT_NONE: text_add(out, "unit"); break;
    case DICT_BOOL: text_add(out, "%s", value->boolean ? "true" : "false"); break;
    case DICT_INT:
        text_add(out, "%" PRId64 " : %s", value->integer, dtype_info(value->dtype)->mlir);
        break;
    case DICT_REAL: text_add(out, "%.17e : %s", value->real, dtype_info(value->dtype)->mlir); break;
    case DICT_STRING: print_attrs_string(value->string.data, value->string.size, out); break;
    case DICT_LITERAL: print_literal(value->literal, -1, out); break;
    case DICT_LIST:
        text_add(out, "[");
        for (int64_t i = 0; i < value->list.count; i++) {
            text_add(out, "%s", i ? ", " : "");
            print_dict_value(&value->list.at[i], out);
        }
        text_add(out, "]");
        break;
    case DICT_DICT: print_attrs_dict(value->dict, out); break;
    }
}

static const char identifier[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789$.";

void print_attrs_symbol(const char *name, struct text *out)
{
    size_t size = strlen(name);
    bool quote = size == 0 || strspn(name, identifier) != size || !memchr(identifier, name[0], 53);
    text_add(out, "@%s", quote ? "" : name);
    if (quote)
        print_attrs_string(name, size, out);
}

/* Quotes names that are not identifiers. */
static void print_name(struct string name, struct text *out)
{
    bool quote = name.size == 0 || memchr("0123456789$.", name.data[0], 12);
    for (size_t i = 0; i < name.size; i++)
        quote |= !memchr(identifier, name.data[i], sizeof identifier - 1);
    if (quote)
        print_attrs_string(name.data, name.size, out);
    else
        text_add_bytes(out, name.data, name.size);
}

static void print_entries(const struct dict *dict, const char *separator, struct text *out)
{
    for (int64_t i = 0; i < dict->count; i++) {
        text_add(out, "%s", i ? ", " : separator);
        print_name(dict->names[i], out);
        text_add(out, " = ");
        print_dict_value(&dict->values[i], out);
    }
}

void print_attrs_dict(const struct dict *dict, struct text *out)
{
    text_add(out, "{");
    print_entries(dict, "", out);
    text_add(out, "}");
}

/* ---- dimension numbers ----------------------------------------------------------------------- */

struct named_dims {
    const char *name;
    struct dims dims;
};

static void print_named(const char *kind, const struct named_dims *lists, size_t count,
                        struct text *out)
{
    const char *separator = "";
    text_add(out, "#stablehlo.%s<", kind);
    for (size_t i = 0; i < count; i++) {
        if (!lists[i].dims.count)
            continue;
        text_add(out, "%s%s = [", separator, lists[i].name);
        print_list(lists[i].dims, out);
        text_add(out, "]");
        separator = ", ";
    }
}
#define LIST(attrs, name) {#name, (attrs)->name}

static void print_dot_numbers(const struct attrs_dot *dot, struct text *out)
{
    const struct named_dims lists[] = {
        LIST(dot, lhs_batching_dimensions), LIST(dot, rhs_batching_dimensions),
        LIST(dot, lhs_contracting_dimensions), LIST(dot, rhs_contracting_dimensions)};
    text_add(out, "dot_dimension_numbers = ");
    print_named("dot", lists, 4, out);
    text_add(out, ">, precision_config = ");
    print_precisions(dot->precision_config, out);
    if (dot->accumulation_type != DTYPE_INVALID)
        text_add(out,
                 ", algorithm = #stablehlo.dot_algorithm<lhs_precision_type = %s, "
                 "rhs_precision_type = %s,"
                 " accumulation_type = %s, lhs_component_count = %" PRId64
                 ", rhs_component_count = %" PRId64 ", num_primitive_operations = %" PRId64
                 ", allow_imprecise_accumulation = %s>",
                 dtype_info(dot->lhs_precision_type)->mlir,
                 dtype_info(dot->rhs_precision_type)->mlir,
                 dtype_info(dot->accumulation_type)->mlir, dot->lhs_component_count,
                 dot->rhs_component_count, dot->num_primitive_operations,
                 dot->allow_imprecise_accumulation ? "true" : "false");
}

static void print_gather_numbers(const struct attrs_gather *g, struct text *out)
{
    const struct named_dims lists[] = {
        LIST(g, offset_dims), LIST(g, collapsed_slice_dims), LIST(g, operand_batching_dims),
        LIST(g, start_indices_batching_dims), LIST(g, start_index_map)};
    text_add(out, "dimension_numbers = ");
    print_named("gather", lists, 5, out);
    text_add(out, "%sindex_vector_dim = %" PRId64 ">, indices_are_sorted = %s, slice_sizes = ",
             out->data && out->data[out->size - 1] == '<' ? "" : ", ", g->index_vector_dim,
             g->indices_are_sorted ? "true" : "false");
    print_array(g->slice_sizes, false, out);
}

static void print_scatter_numbers(const struct attrs_scatter *s, struct text *out)
{
    const struct named_dims lists[] = {
        LIST(s, update_window_dims), LIST(s, inserted_window_dims), LIST(s, input_batching_dims),
        LIST(s, scatter_indices_batching_dims), LIST(s, scatter_dims_to_operand_dims)};
    text_add(out, "indices_are_sorted = %s, scatter_dimension_numbers = ",
             s->indices_are_sorted ? "true" : "false");
    print_named("scatter", lists, 5, out);
    text_add(out, "%sindex_vector_dim = %" PRId64 ">, unique_indices = %s",
             out->data && out->data[out->size - 1] == '<' ? "" : ", ", s->index_vector_dim,
             s->unique_indices ? "true" : "false");
}

/* [b, 0, 1, f]: the role of each dimension. */
static void print_layout(int64_t first, char first_name, int64_t second, char second_name,
                         struct dims spatial, struct text *out)
{
    text_add(out, "[");
    for (int64_t i = 0; i < spatial.count + 2; i++) {
        text_add(out, "%s", i ? ", " : "");
        if (i == first)
            text_add(out, "%c", first_name);
        else if (i == second)
            text_add(out, "%c", second_name);
        for (int64_t k = 0; k < spatial.count; k++)
            if (spatial.at[k] == i)
                text_add(out, "%" PRId64, k);
    }
    text_add(out, "]");
}

static void print_convolution_numbers(const struct attrs_convolution *c, struct text *out)
{
    text_add(out, "batch_group_count = %" PRId64 " : i64, dimension_numbers = #stablehlo.conv<",
             c->batch_group_count);
    print_layout(c->input_batch_dimension, 'b', c->input_feature_dimension, 'f',
                 c->input_spatial_dimensions, out);
    text_add(out, "x");
    print_layout(c->kernel_input_feature_dimension, 'i', c->kernel_output_feature_dimension, 'o',
                 c->kernel_spatial_dimensions, out);
    text_add(out, "->");
    print_layout(c->output_batch_dimension, 'b', c->output_feature_dimension, 'f',
                 c->output_spatial_dimensions, out);
    text_add(out, ">, feature_group_count = %" PRId64 " : i64", c->feature_group_count);
}

static void print_channel(const struct attrs_channel *channel, struct text *out)
{
    text_add(out,
             "channel_handle = #stablehlo.channel_handle<handle = %" PRId64 ", type = %" PRId64 ">",
             channel->channel_id, channel->channel_type);
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* True for fields that the functions above print. */
static bool is_printed_specially(enum op_code code, const char *name)
{
    static const char *const generic[] = {"window_strides", "padding",         "lhs_dilation",
                                          "rhs_dilation",   "window_reversal", "precision_config"};
    if (code == OP_dot_general || code == OP_gather || code == OP_dynamic_gather ||
        code == OP_scatter)
        return true;
    if (code == OP_send || code == OP_recv)
        return !strncmp(name, "channel_", 8);
    if (code != OP_convolution && code != OP_dynamic_conv)
        return false;
    for (size_t i = 0; i < sizeof generic / sizeof *generic; i++)
        if (!strcmp(name, generic[i]))
            return false;
    return true;
}

static const char *int_type(const char *name)
{
    static const char *const narrow[] = {"exponent_bits", "mantissa_bits", "index", "api_version",
                                         "version"};
    for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++)
        if (!strcmp(name, narrow[i]))
            return "i32";
    return "i64";
}

/* True for optional attributes that are not set. */
static bool is_absent(const struct attr_field *field, const void *at)
{
    switch (field->kind) {
    case ATTR_PAIRS: return ((const struct pairs *)at)->rows == 0;
    case ATTR_STRING: return !((const struct string *)at)->data;
    case ATTR_LITERAL: return !*(const struct literal *const *)at;
    case ATTR_FUNC: return !*(struct func *const *)at;
    case ATTR_FUNCS: return ((const struct funcs *)at)->count == 0;
    case ATTR_TYPE: return *(const enum dtype *)at == DTYPE_INVALID;
    case ATTR_DICT: return !*(const struct dict *const *)at;
    case ATTR_SHARDING: return !*(const struct sharding *const *)at;
    case ATTR_RULE: return !*(const struct sharding_rule *const *)at;
    case ATTR_LAYOUTS: return ((const struct layouts *)at)->count == 0;
    case ATTR_COMPARE_TYPE: return *(const enum compare_type *)at == COMPARE_NOTYPE;
    case ATTR_BOOL: return !strcmp(field->name, "contracts") && !*(const bool *)at;
    case ATTR_INT: return !strcmp(field->name, "channel_id") && *(const int64_t *)at == 0;
    default: return false;
    }
}

static void print_funcs(struct funcs funcs, struct text *out)
{
    text_add(out, "[");
    for (int64_t i = 0; i < funcs.count; i++) {
        text_add(out, "%s", i ? ", " : "");
        print_attrs_symbol(funcs.at[i]->name, out);
    }
    text_add(out, "]");
}

static void print_int(const char *name, int64_t value, struct text *out)
{
    if (!strcmp(name, "channel_id"))
        text_add(out, "channel_handle = #stablehlo.channel_handle<handle = %" PRId64 ", type = 0>",
                 value);
    else
        text_add(out, "%s = %" PRId64 " : %s", name, value, int_type(name));
}

/* An alias has lists without types and a number. */
static void print_aliases(const struct dict *aliases, struct text *out)
{
    text_add(out, "[");
    for (int64_t i = 0; i < aliases->count; i++) {
        const struct dict *alias = aliases->values[i].dict;
        text_add(out, "%s#stablehlo.output_operand_alias<", i ? ", " : "");
        for (int64_t j = 0; j < alias->count; j++) {
            const struct dict_value *part = &alias->values[j];
            text_add(out, "%s%s = ", j ? ", " : "", alias->names[j].data);
            if (part->kind == DICT_INT)
                text_add(out, "%" PRId64, part->integer);
            for (int64_t k = 0; part->kind == DICT_LIST && k < part->list.count; k++)
                text_add(out, "%s%" PRId64, k ? ", " : "[", part->list.at[k].integer);
            text_add(out, "%s", part->kind != DICT_LIST ? "" : part->list.count ? "]" : "[]");
        }
        text_add(out, ">");
    }
    text_add(out, "]");
}

static void print_field(const struct attr_field *field, const void *at, int64_t max_elements,
                        struct text *out)
{
    if (field->kind == ATTR_INT) {
        print_int(field->name, *(const int64_t *)at, out);
        return;
    }
    text_add(out, "%s = ", field->name);
    switch (field->kind) {
    case ATTR_INT: break;
    case ATTR_BOOL: text_add(out, "%s", *(const bool *)at ? "true" : "false"); break;
    case ATTR_REAL: text_add(out, "%.9e : f32", *(const double *)at); break;
    case ATTR_DIMS: print_array(*(const struct dims *)at, false, out); break;
    case ATTR_BOOLS: print_array(*(const struct dims *)at, true, out); break;
    case ATTR_PAIRS: print_pairs(*(const struct pairs *)at, out); break;
    case ATTR_STRING:
        print_attrs_string(((const struct string *)at)->data, ((const struct string *)at)->size,
                           out);
        break;
    case ATTR_LITERAL: print_literal(*(const struct literal *const *)at, max_elements, out); break;
    case ATTR_FUNC: print_attrs_symbol((*(struct func *const *)at)->name, out); break;
    case ATTR_FUNCS: print_funcs(*(const struct funcs *)at, out); break;
    case ATTR_TYPE: text_add(out, "%s", dtype_info(*(const enum dtype *)at)->mlir); break;
    case ATTR_DICT:
        if (!strcmp(field->name, "output_operand_aliases"))
            print_aliases(*(const struct dict *const *)at, out);
        else
            print_attrs_dict(*(const struct dict *const *)at, out);
        break;
    case ATTR_LAYOUTS: print_layouts(*(const struct layouts *)at, out); break;
    case ATTR_SHARDING: sharding_print(*(const struct sharding *const *)at, out); break;
    case ATTR_RULE: sharding_rules_print(*(const struct sharding_rule *const *)at, out); break;
    case ATTR_PRECISIONS: print_precisions(*(const struct precisions *)at, out); break;
    case ATTR_COMPARISON:
        PRINT_ENUM("comparison_direction", comparisons, *(const enum comparison *)at);
        break;
    case ATTR_COMPARE_TYPE:
        PRINT_ENUM("comparison_type", compare_types, *(const enum compare_type *)at);
        break;
    case ATTR_FFT_TYPE: PRINT_ENUM("fft_type", fft_types, *(const enum fft_type *)at); break;
    case ATTR_TRANSPOSE:
        PRINT_ENUM("transpose", transposes, *(const enum transpose_kind *)at);
        break;
    case ATTR_RNG_ALGORITHM:
        PRINT_ENUM("rng_algorithm", rng_algorithms, *(const enum rng_algorithm *)at);
        break;
    case ATTR_RNG_DISTRIBUTION:
        PRINT_ENUM("rng_distribution", rng_distributions, *(const enum rng_distribution *)at);
        break;
    case ATTR_FUSION_KIND:
        PRINT_ENUM("fusion_kind", fusion_kinds, *(const enum fusion_kind *)at);
        break;
    }
}

void print_attrs(const struct op *op, int64_t max_elements, struct text *out)
{
    const struct op_info *info = op_info(op->code);
    const char *separator = " {";
    if (op->code == OP_dot_general || op->code == OP_gather || op->code == OP_dynamic_gather ||
        op->code == OP_scatter || op->code == OP_convolution || op->code == OP_dynamic_conv ||
        op->code == OP_send || op->code == OP_recv) {
        text_add(out, "%s", separator);
        separator = ", ";
    }
    switch (op->code) {
    case OP_dot_general: print_dot_numbers(&op->attrs.dot, out); break;
    case OP_gather:
    case OP_dynamic_gather: print_gather_numbers(&op->attrs.gather, out); break;
    case OP_scatter: print_scatter_numbers(&op->attrs.scatter, out); break;
    case OP_convolution:
    case OP_dynamic_conv: print_convolution_numbers(&op->attrs.convolution, out); break;
    case OP_send:
    case OP_recv: print_channel(&op->attrs.channel, out); break;
    default: break;
    }
    for (int i = 0; i < info->field_count; i++) {
        const struct attr_field *field = &info->fields[i];
        const void *at = (const char *)&op->attrs + field->offset;
        if (is_printed_specially(op->code, field->name) || is_absent(field, at))
            continue;
        text_add(out, "%s", separator);
        print_field(field, at, max_elements, out);
        separator = ", ";
    }
    if (op->discardable && op->discardable->count) {
        print_entries(op->discardable, separator, out);
        separator = ", ";
    }
    if (separator[0] == ',')
        text_add(out, "}");
}
