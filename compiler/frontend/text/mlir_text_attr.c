#include "compiler/frontend/text/mlir_text_attr.h"

#include <string.h>

#include "compiler/frontend/text/mlir_text_compound.h"
#include "compiler/frontend/text/mlir_text_dense.h"
#include "compiler/frontend/text/mlir_text_type.h"

/* ---- constructors and sets ------------------------------------------------------------------- */

struct mlir_attr *mlir_text_attr_make(struct mlir_parser *p, enum mlir_attr_kind kind,
                                      const char *name)
{
    return mlir_attr_make(p->scratch, kind, name);
}

static struct mlir_attr *make_literal(struct mlir_parser *p, const struct literal *literal)
{
    struct mlir_attr *attr = mlir_text_attr_make(p, MLIR_LITERAL, "a tensor");
    attr->literal = literal;
    return attr;
}

struct mlir_attr *mlir_text_attr_ints(struct mlir_parser *p, int64_t count, const int64_t *values)
{
    return mlir_attr_of_ints(p->arena, count, values);
}

struct mlir_attr *mlir_text_attr_pairs(struct mlir_parser *p, int64_t rows, int64_t columns,
                                       const int64_t *values)
{
    const struct type *type = type_tensor(p->arena, DTYPE_S64, 2, (int64_t[]){rows, columns});
    return make_literal(p, literal_dense(p->arena, type, values));
}

struct mlir_attr *mlir_text_attr_int(struct mlir_parser *p, int64_t value)
{
    return mlir_attr_of_int(p->arena, value);
}

static struct mlir_attr *make_bool(struct mlir_parser *p, bool value)
{
    struct mlir_attr *attr = mlir_text_attr_make(p, MLIR_BOOL, "a boolean");
    attr->integer = value;
    return attr;
}

void mlir_text_attr_add_flat(struct mlir_parser *p, struct mlir_attr_set *set, const char *name,
                             struct mlir_attr *attr)
{
    VEC_PUSH(p->scratch, &set->flat_names, (struct string){strlen(name), name});
    VEC_PUSH(p->scratch, &set->flat_values, attr);
}

void mlir_text_attr_add(struct mlir_parser *p, struct mlir_attr_set *set, struct string name,
                        struct mlir_attr *attr)
{
    if (attr->kind != MLIR_COMPOUND) {
        VEC_PUSH(p->scratch, &set->names, name);
        VEC_PUSH(p->scratch, &set->values, attr);
        return;
    }
    for (size_t i = 0; i < attr->dict.count; i++)
        mlir_text_attr_add_flat(p, set, attr->dict.names[i].data, attr->dict.values[i]);
}

static struct mlir_attr *find(size_t count, const struct string *names,
                              struct mlir_attr *const *values, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (names[i].size == strlen(name) && memcmp(names[i].data, name, names[i].size) == 0)
            return values[i];
    return NULL;
}

struct mlir_attr *mlir_text_attr_find(const struct mlir_attr_set *set, const char *name)
{
    struct mlir_attr *named = find(set->names.count, set->names.items, set->values.items, name);
    if (named)
        return named;
    return find(set->flat_names.count, set->flat_names.items, set->flat_values.items, name);
}

void mlir_text_attr_remove(struct mlir_attr_set *set, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < set->names.count; i++)
        if (set->names.items[i].size != strlen(name) ||
            memcmp(set->names.items[i].data, name, strlen(name)) != 0) {
            set->names.items[count] = set->names.items[i];
            set->values.items[count++] = set->values.items[i];
        }
    set->names.count = set->values.count = count;
}

struct mlir_attr *mlir_text_attr_as_dict(struct mlir_parser *p, const struct mlir_attr_set *set)
{
    struct mlir_attr *attr = mlir_text_attr_make(p, MLIR_DICT, "a dictionary");
    attr->dict.count = set->names.count;
    attr->dict.names = set->names.items;
    attr->dict.values = set->values.items;
    return attr;
}

struct mlir_attr *mlir_text_attr_as_flat(struct mlir_parser *p, const struct mlir_attr_set *set)
{
    struct mlir_attr *attr = mlir_text_attr_make(p, MLIR_COMPOUND, "a compound attribute");
    attr->dict.count = set->flat_names.count;
    attr->dict.names = set->flat_names.items;
    attr->dict.values = set->flat_values.items;
    return attr;
}

/* ---- enumerations ---------------------------------------------------------------------------- */

static struct error *read_keyword(struct mlir_parser *p, enum mlir_enum which,
                                  struct mlir_attr **out)
{
    const struct mlir_enum_info *info = mlir_enums_info(which);
    for (int i = 0; i < info->count; i++)
        if (mlir_lex_accept_word(&p->lex, info->keywords[i])) {
            *out = mlir_text_attr_make(p, MLIR_KEYWORD, info->name);
            (*out)->enumeration = which;
            (*out)->integer = info->lowest + i;
            return NULL;
        }
    const char *all = "";
    for (int i = 0; i < info->count; i++)
        all = arena_format(p->arena, "%s%s%s", all, *all ? ", " : "", info->keywords[i]);
    return mlir_lex_expected(&p->lex, "a value of %s (%s)", info->name, all);
}

struct error *mlir_text_attr_enumeration(struct mlir_parser *p, struct mlir_attr **out)
{
    size_t begin = p->lex.start;
    mlir_lex_next(&p->lex);
    for (int which = 0; which < MLIR_ENUM_COUNT; which++)
        if (mlir_lex_accept_word(&p->lex, mlir_enums_info((enum mlir_enum)which)->name)) {
            TRY(read_keyword(p, (enum mlir_enum)which, out));
            return mlir_lex_expect(&p->lex, '>');
        }
    *out = mlir_text_attr_make(p, MLIR_OTHER, "an enumeration");
    mlir_lex_seek(&p->lex, begin);
    return mlir_lex_skip_group(&p->lex);
}

/* ---- lists ----------------------------------------------------------------------------------- */

struct error *mlir_text_attr_list(struct mlir_parser *p, struct mlir_attr **out)
{
    VEC(int64_t) values = {0};
    TRY(mlir_lex_expect(&p->lex, '['));
    while (!mlir_lex_is(&p->lex, ']')) {
        int64_t value;
        if (values.count)
            TRY(mlir_lex_expect(&p->lex, ','));
        TRY(mlir_lex_integer(&p->lex, &value));
        VEC_PUSH(p->arena, &values, value);
    }
    mlir_lex_next(&p->lex);
    *out = mlir_text_attr_ints(p, (int64_t)values.count, values.items);
    return NULL;
}

/* "<i64: 1, 2>" or "<i1: true>" after `array`; both become lists of numbers. */
static struct error *read_array(struct mlir_parser *p, struct mlir_attr **out)
{
    const struct mlir_type *type;
    VEC(int64_t) values = {0};
    TRY(mlir_lex_expect(&p->lex, '<'));
    TRY(mlir_text_type_read(p, &type));
    bool more = mlir_lex_accept(&p->lex, ':');
    while (more) {
        int64_t value = mlir_lex_is_word(&p->lex, "true");
        if (!mlir_lex_accept_word(&p->lex, "true") && !mlir_lex_accept_word(&p->lex, "false"))
            TRY(mlir_lex_integer(&p->lex, &value));
        VEC_PUSH(p->arena, &values, value);
        more = mlir_lex_accept(&p->lex, ',');
    }
    *out = mlir_text_attr_ints(p, (int64_t)values.count, values.items);
    return mlir_lex_expect(&p->lex, '>');
}

struct error *mlir_text_attr_elements(struct mlir_parser *p, mlir_text_attr_reader *read,
                                      const char *what, struct mlir_attr **out)
{
    VEC(struct mlir_attr *) values = {0};
    TRY(mlir_lex_expect(&p->lex, '['));
    while (!mlir_lex_is(&p->lex, ']')) {
        struct mlir_attr *value;
        if (values.count)
            TRY(mlir_lex_expect(&p->lex, ','));
        TRY(read(p, &value));
        VEC_PUSH(p->arena, &values, value);
    }
    mlir_lex_next(&p->lex);
    *out = mlir_text_attr_make(p, MLIR_ARRAY, what);
    (*out)->array.count = values.count;
    (*out)->array.at = values.items;
    return NULL;
}

struct error *mlir_text_attr_dict(struct mlir_parser *p, struct mlir_attr_set *set)
{
    char *mark = ARENA_NEW(p->arena, char); /* identifies this dictionary in p->keys */
    TRY(mlir_lex_expect(&p->lex, '{'));
    for (bool first = true; !mlir_lex_is(&p->lex, '}'); first = false) {
        struct string name = p->lex.word;
        size_t offset = p->lex.start;
        struct mlir_attr *value;
        if (!first) {
            TRY(mlir_lex_expect(&p->lex, ','));
            name = p->lex.word;
            offset = p->lex.start;
        }
        if (p->lex.token == MLIR_TOKEN_STRING) {
            TRY(mlir_lex_string(&p->lex, p->arena, &name));
        } else if (p->lex.token == MLIR_TOKEN_WORD) {
            name = (struct string){p->lex.word.size,
                                   arena_string(p->arena, p->lex.word.data, p->lex.word.size)};
            mlir_lex_next(&p->lex);
        } else {
            return mlir_lex_expected(&p->lex, "the name of an attribute");
        }
        if (map_put(p->keys, name.data, name.size, mark) == mark)
            return mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT, offset,
                                  "the dictionary already has an attribute %.*s", (int)name.size,
                                  name.data);
        if (mlir_lex_accept(&p->lex, '='))
            TRY(mlir_text_attr_read(p, &value));
        else
            value = mlir_text_attr_make(p, MLIR_UNIT, "unit");
        mlir_text_attr_add(p, set, name, value);
    }
    mlir_lex_next(&p->lex);
    return NULL;
}

/* ---- one attribute --------------------------------------------------------------------------- */

/* The number rounded to the precision of its type. */
static double rounded(enum dtype dtype, double value)
{
    uint8_t bytes[16];
    dtype_from_double(dtype, value, bytes);
    return dtype_to_double(dtype, bytes);
}

static struct error *read_number(struct mlir_parser *p, struct mlir_attr **out)
{
    bool real = p->lex.token == MLIR_TOKEN_REAL;
    double value = 0;
    int64_t integer = 0;
    const struct mlir_type *type = NULL;
    if (real)
        TRY(mlir_lex_real(&p->lex, &value));
    else
        TRY(mlir_lex_integer(&p->lex, &integer));
    if (mlir_lex_accept(&p->lex, ':'))
        TRY(mlir_text_type_read(p, &type));
    enum dtype dtype = type ? type->dtype : real ? DTYPE_F64 : DTYPE_S64;
    if (dtype_is_float(dtype)) {
        uint8_t bits[8];
        for (int i = 0; i < 8; i++)
            bits[i] = (uint8_t)((uint64_t)integer >> (8 * i));
        *out = mlir_text_attr_make(p, MLIR_REAL, "a real number");
        (*out)->real = real ? rounded(dtype, value) : dtype_to_double(dtype, bits);
    } else if (real) {
        return MLIR_LEX_ERROR(&p->lex, "a floating-point number has an integer type");
    } else {
        *out = mlir_text_attr_int(p, integer);
        if (dtype == DTYPE_PRED)
            (*out)->kind = MLIR_BOOL;
    }
    (*out)->dtype = dtype;
    return NULL;
}

static struct error *read_string(struct mlir_parser *p, struct mlir_attr **out)
{
    *out = mlir_text_attr_make(p, MLIR_STRING, "a string");
    TRY(mlir_lex_string(&p->lex, p->arena, &(*out)->string));
    if (!mlir_lex_accept(&p->lex, ':'))
        return NULL;
    const struct mlir_type *type;
    return mlir_text_type_read(p, &type);
}

static struct error *read_symbol(struct mlir_parser *p, struct mlir_attr **out)
{
    *out = mlir_text_attr_make(p, MLIR_SYMBOL, "a symbol");
    return mlir_lex_name(&p->lex, p->arena, &(*out)->string);
}

struct error *mlir_text_attr_rest(struct mlir_parser *p, size_t begin, struct mlir_attr *out)
{
    if (mlir_lex_is(&p->lex, '<') || mlir_lex_is(&p->lex, '('))
        TRY(mlir_lex_skip_group(&p->lex));
    out->string = (struct string){p->lex.start - begin, p->lex.text + begin};
    return NULL;
}

static struct error *read_word(struct mlir_parser *p, struct mlir_attr **out)
{
    size_t begin = p->lex.start;
    if (mlir_lex_is_word(&p->lex, "true") || mlir_lex_is_word(&p->lex, "false")) {
        *out = make_bool(p, mlir_lex_is_word(&p->lex, "true"));
        mlir_lex_next(&p->lex);
        return NULL;
    }
    if (mlir_lex_accept_word(&p->lex, "unit")) {
        *out = mlir_text_attr_make(p, MLIR_UNIT, "unit");
        return NULL;
    }
    if (mlir_lex_accept_word(&p->lex, "dense")) {
        const struct literal *literal;
        TRY(mlir_text_dense_read(p, &literal));
        *out = make_literal(p, literal);
        return NULL;
    }
    if (mlir_lex_accept_word(&p->lex, "array"))
        return read_array(p, out);
    if (mlir_lex_is_word(&p->lex, "dense_resource"))
        return mlir_lex_error(&p->lex, PJRT_Error_Code_UNIMPLEMENTED, p->lex.start,
                              "dense_resource is unsupported; use dense");
    *out = mlir_text_attr_make(p, MLIR_OTHER, "an attribute of another kind");
    bool known = mlir_lex_is_word(&p->lex, "loc") || mlir_lex_is_word(&p->lex, "affine_map") ||
                 mlir_lex_is_word(&p->lex, "strided") || mlir_lex_is_word(&p->lex, "sparse");
    if (!known)
        return mlir_lex_expected(&p->lex, "an attribute");
    mlir_lex_next(&p->lex);
    return mlir_text_attr_rest(p, begin, *out);
}

static struct error *read_any(struct mlir_parser *p, struct mlir_attr **out)
{
    struct mlir_attr_set set = {0};
    switch (p->lex.token) {
    case MLIR_TOKEN_STRING: return read_string(p, out);
    case MLIR_TOKEN_SYMBOL: return read_symbol(p, out);
    case MLIR_TOKEN_HASH: return mlir_text_compound_read(p, out);
    case MLIR_TOKEN_INTEGER:
    case MLIR_TOKEN_REAL: return read_number(p, out);
    default: break;
    }
    if (mlir_lex_is(&p->lex, '['))
        return mlir_text_attr_elements(p, mlir_text_attr_read, "an array", out);
    if (mlir_lex_is(&p->lex, '{')) {
        TRY(mlir_text_attr_dict(p, &set));
        *out = mlir_text_attr_as_dict(p, &set);
        return NULL;
    }
    if (mlir_text_type_begins(p)) {
        *out = mlir_text_attr_make(p, MLIR_TYPE, "a type");
        return mlir_text_type_read(p, &(*out)->type);
    }
    return read_word(p, out);
}

struct error *mlir_text_attr_read(struct mlir_parser *p, struct mlir_attr **out)
{
    *out = NULL;
    p->weight++;
    TRY(mlir_parser_enter(p));
    TRY(read_any(p, out));
    p->depth--;
    return NULL;
}

/* ---- fields of pretty forms ------------------------------------------------------------------ */

static struct error *read_precisions(struct mlir_parser *p, struct mlir_attr **out)
{
    VEC(struct mlir_attr *) values = {0};
    TRY(mlir_lex_expect(&p->lex, '['));
    while (!mlir_lex_is(&p->lex, ']')) {
        struct mlir_attr *value;
        if (values.count)
            TRY(mlir_lex_expect(&p->lex, ','));
        TRY(read_keyword(p, MLIR_ENUM_precision, &value));
        VEC_PUSH(p->arena, &values, value);
    }
    mlir_lex_next(&p->lex);
    *out = mlir_text_attr_make(p, MLIR_ARRAY, "precisions");
    (*out)->array.count = values.count;
    (*out)->array.at = values.items;
    return NULL;
}

struct error *mlir_text_attr_field(struct mlir_parser *p, enum attr_kind kind,
                                   struct mlir_attr **out)
{
    int64_t value;
    switch (kind) {
    case ATTR_INT: /* without a type: a ':' after it begins the operation's types */
        TRY(mlir_lex_integer(&p->lex, &value));
        *out = mlir_text_attr_int(p, value);
        return NULL;
    case ATTR_STRING: /* without a type, too */
        *out = mlir_text_attr_make(p, MLIR_STRING, "a string");
        return mlir_lex_string(&p->lex, p->arena, &(*out)->string);
    case ATTR_DIMS:
    case ATTR_BOOLS: return mlir_text_attr_list(p, out);
    case ATTR_PRECISIONS: return read_precisions(p, out);
    case ATTR_COMPARISON: return read_keyword(p, MLIR_ENUM_comparison_direction, out);
    case ATTR_COMPARE_TYPE: return read_keyword(p, MLIR_ENUM_comparison_type, out);
    case ATTR_FFT_TYPE: return read_keyword(p, MLIR_ENUM_fft_type, out);
    case ATTR_TRANSPOSE: return read_keyword(p, MLIR_ENUM_transpose, out);
    case ATTR_RNG_ALGORITHM: return read_keyword(p, MLIR_ENUM_rng_algorithm, out);
    case ATTR_RNG_DISTRIBUTION: return read_keyword(p, MLIR_ENUM_rng_distribution, out);
    default: return mlir_text_attr_read(p, out);
    }
}
