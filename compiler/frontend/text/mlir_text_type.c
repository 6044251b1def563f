#include "compiler/frontend/text/mlir_text_type.h"

#include <string.h>

#include "compiler/frontend/text/mlir_text_alias.h"
#include "compiler/frontend/text/mlir_text_attr.h"

#define NAMED(p, literal_name)                                                                     \
    ((p)->lex.word.size == sizeof literal_name - 1 &&                                              \
     memcmp((p)->lex.word.data, literal_name, sizeof literal_name - 1) == 0)

/* The element type of f32, i8, ui4, index; DTYPE_INVALID for other words. */
static enum dtype dtype_of(const struct mlir_parser *p)
{
    if (NAMED(p, "index"))
        return DTYPE_S64;
    if (p->lex.word.size > 2 && memcmp(p->lex.word.data, "si", 2) == 0)
        return dtype_from_mlir(p->lex.word.data + 1, p->lex.word.size - 1);
    return dtype_from_mlir(p->lex.word.data, p->lex.word.size);
}

/* True for an integer of any width, such as i37. */
static bool is_odd_integer(const struct mlir_parser *p)
{
    struct string word = p->lex.word;
    size_t i = word.size > 0 && (word.data[0] == 'u' || word.data[0] == 's');
    if (i >= word.size || word.data[i++] != 'i' || i == word.size)
        return false;
    while (i < word.size && word.data[i] >= '0' && word.data[i] <= '9')
        i++;
    return i == word.size;
}

/* True for unsupported types that errors report by name. */
static bool is_unsupported(const struct mlir_parser *p)
{
    static const char *const names[] = {"f80",      "f128",   "tf32",  "f6E2M3FN",
                                        "f6E3M2FN", "memref", "vector"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (mlir_lex_is_word(&p->lex, names[i]))
            return true;
    return is_odd_integer(p);
}

bool mlir_text_type_begins(const struct mlir_parser *p)
{
    if (p->lex.token == MLIR_TOKEN_BANG || mlir_lex_is(&p->lex, '('))
        return true;
    return p->lex.token == MLIR_TOKEN_WORD &&
           (NAMED(p, "tensor") || NAMED(p, "complex") || NAMED(p, "tuple") || NAMED(p, "none") ||
            dtype_of(p) != DTYPE_INVALID || is_unsupported(p));
}

/* By character, since "4x8xf32" is not a sequence of tokens. */
struct error *mlir_text_type_dims(struct mlir_parser *p, int64_t dims[SHAPE_MAX_RANK],
                                  int64_t *count)
{
    struct mlir_lex *lex = &p->lex;
    size_t i = lex->end; /* after the '<' */
    if (!mlir_lex_is(lex, '<'))
        return mlir_lex_expected(lex, "'<'");
    if (i < lex->size && lex->text[i] == '*')
        return mlir_lex_error(lex, PJRT_Error_Code_UNIMPLEMENTED, i,
                              "tensors of unknown rank are unsupported");
    for (*count = 0;; (*count)++) {
        while (i < lex->size && strchr(" \t\r\n", lex->text[i]))
            i++;
        if (i >= lex->size || !strchr("0123456789?", lex->text[i]))
            break;
        if (*count == SHAPE_MAX_RANK)
            return mlir_lex_error(lex, PJRT_Error_Code_INVALID_ARGUMENT, i,
                                  "the rank of a tensor exceeds %d, the limit", SHAPE_MAX_RANK);
        int64_t size = 0;
        bool overflow = false;
        size_t begin = i;
        for (; i < lex->size && lex->text[i] >= '0' && lex->text[i] <= '9'; i++)
            overflow |= __builtin_mul_overflow(size, 10, &size) ||
                        __builtin_add_overflow(size, lex->text[i] - '0', &size);
        if (i == begin) {
            size = SHAPE_DYNAMIC;
            i++;
        }
        if (overflow || i >= lex->size || lex->text[i] != 'x')
            return mlir_lex_error(lex, PJRT_Error_Code_INVALID_ARGUMENT, i,
                                  overflow ? "a size does not fit in 63 bits"
                                           : "expected 'x' after a size");
        dims[*count] = size;
        i++;
    }
    mlir_lex_seek(lex, i);
    return NULL;
}

/* The numbers of "#stablehlo.bounds<4, ?>" or "#stablehlo.type_extensions<bounds = [4, ?]>"; a
 * number that does not fit 63 bits is none. */
static struct dims read_bounds(struct arena *arena, struct string text)
{
    int64_t *at = ARENA_ARRAY(arena, int64_t, text.size), count = 0;
    size_t i = 0;
    while (i < text.size && text.data[i] != '<')
        i++;
    for (; i < text.size; i++) {
        bool is_digit = text.data[i] >= '0' && text.data[i] <= '9', fits = true;
        if (text.data[i] == '?')
            at[count++] = SHAPE_DYNAMIC;
        if (!is_digit)
            continue;
        for (at[count] = 0; i < text.size && text.data[i] >= '0' && text.data[i] <= '9'; i++)
            fits = fits && !__builtin_mul_overflow(at[count], 10, &at[count]) &&
                   !__builtin_add_overflow(at[count], text.data[i] - '0', &at[count]);
        at[count] = fits ? at[count] : SHAPE_DYNAMIC;
        count++, i--;
    }
    return (struct dims){count, at};
}

/* Bounds of dynamic sizes; other encodings define how elements are stored and are unsupported. */
static struct error *read_encoding(struct mlir_parser *p, struct mlir_type *out)
{
    struct mlir_attr *encoding;
    size_t offset = p->lex.start;
    TRY(mlir_text_attr_read(p, &encoding));
    static const char *const bounds[] = {"#stablehlo.bounds", "#stablehlo.type_extensions",
                                         "#mhlo.type_extensions"};
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        if (encoding->kind == MLIR_OTHER && strcmp(encoding->name, bounds[i]) == 0)
            return type_is_dynamic(out->type)
                       ? mlir_type_bound(p->arena, read_bounds(p->arena, encoding->string), out)
                       : NULL;
    return mlir_lex_error(&p->lex, PJRT_Error_Code_UNIMPLEMENTED, offset,
                          "tensors with the encoding %s are unsupported", encoding->name);
}

static struct error *read_tensor(struct mlir_parser *p, struct mlir_type *out)
{
    int64_t dims[SHAPE_MAX_RANK], count = 0;
    const struct mlir_type *element;
    mlir_lex_next(&p->lex);
    size_t offset = p->lex.start;
    TRY(mlir_text_type_dims(p, dims, &count));
    TRY(mlir_text_type_read(p, &element));
    if (element->kind != MLIR_TYPE_ELEMENT || element->dtype == DTYPE_INVALID)
        return mlir_lex_error(&p->lex, PJRT_Error_Code_UNIMPLEMENTED, offset,
                              "tensors with element type %s are unsupported", element->name);
    TRY(mlir_type_tensor(p->arena, (struct dims){count, dims}, element, out));
    if (mlir_lex_accept(&p->lex, ','))
        TRY(read_encoding(p, out));
    return mlir_lex_expect(&p->lex, '>');
}

static struct error *read_complex(struct mlir_parser *p, struct mlir_type *out)
{
    const struct mlir_type *part;
    mlir_lex_next(&p->lex);
    TRY(mlir_lex_expect(&p->lex, '<'));
    TRY(mlir_text_type_read(p, &part));
    TRY(mlir_lex_expect(&p->lex, '>'));
    return mlir_type_complex(p->arena, part, out);
}

/* Reads types up to and including a closing bracket. */
static struct error *read_until(struct mlir_parser *p, char close, struct mlir_types *out)
{
    VEC(const struct mlir_type *) types = {0};
    while (!mlir_lex_is(&p->lex, close)) {
        const struct mlir_type *type;
        if (types.count)
            TRY(mlir_lex_expect(&p->lex, ','));
        TRY(mlir_text_type_read(p, &type));
        VEC_PUSH(p->arena, &types, type);
    }
    mlir_lex_next(&p->lex);
    *out = (struct mlir_types){types.count, types.items};
    return NULL;
}

static struct error *read_function(struct mlir_parser *p, struct mlir_type *out)
{
    mlir_lex_next(&p->lex);
    TRY(read_until(p, ')', &out->inputs));
    TRY(mlir_lex_expect_arrow(&p->lex));
    out->kind = MLIR_TYPE_FUNCTION;
    out->name = "function";
    if (mlir_lex_accept(&p->lex, '('))
        return read_until(p, ')', &out->outputs);
    const struct mlir_type **one = ARENA_NEW(p->arena, const struct mlir_type *);
    out->outputs = (struct mlir_types){1, one};
    return mlir_text_type_read(p, &one[0]);
}

/* "0.5:3": a scale, and the zero point if it is not 0. */
static struct error *read_scale(struct mlir_parser *p, double *scale, int64_t *zero_point)
{
    TRY(mlir_lex_real(&p->lex, scale));
    *zero_point = 0;
    return mlir_lex_accept(&p->lex, ':') ? mlir_lex_integer(&p->lex, zero_point) : NULL;
}

/* "0.5:3", or "{0.5:3, 0.25}" along an axis. */
static struct error *read_scales(struct mlir_parser *p, struct quantization *out)
{
    VEC(double) scales = {0};
    VEC(int64_t) zero_points = {0};
    double scale;
    int64_t zero_point;
    bool list = out->axis >= 0;
    if (list)
        TRY(mlir_lex_expect(&p->lex, '{'));
    do {
        TRY(read_scale(p, &scale, &zero_point));
        VEC_PUSH(p->arena, &scales, scale);
        VEC_PUSH(p->arena, &zero_points, zero_point);
    } while (list && mlir_lex_accept(&p->lex, ','));
    if (list)
        TRY(mlir_lex_expect(&p->lex, '}'));
    out->scale_count = (int)scales.count;
    out->scales = scales.items;
    out->zero_points = zero_points.items;
    return NULL;
}

/* i8, or u8 (ui8) for unsigned storage, and optional bounds "<-127:127>". */
static struct error *read_storage(struct mlir_parser *p, struct quantization *q, enum dtype *out)
{
    struct string word = p->lex.word;
    bool is_signed = p->lex.token != MLIR_TOKEN_WORD || *word.data != 'u';
    bool is_short = !is_signed && word.size > 1 && word.data[1] != 'i';
    const char *name = arena_format(p->arena, "%s%.8s", is_short ? "ui" : "",
                                    arena_string(p->arena, word.data, word.size) + is_short);
    *out = p->lex.token == MLIR_TOKEN_WORD ? dtype_from_mlir(name, strlen(name)) : DTYPE_INVALID;
    if (!dtype_is_integer(*out) || *out == DTYPE_PRED)
        return mlir_lex_expected(&p->lex, "an integer type as storage type");
    int bits = dtype_info(*out)->bits;
    q->storage_min = is_signed ? -((int64_t)1 << (bits < 64 ? bits - 1 : 62)) : 0;
    q->storage_max = bits >= 63 ? INT64_MAX : ((int64_t)1 << (bits - is_signed)) - 1;
    mlir_lex_next(&p->lex);
    if (!mlir_lex_accept(&p->lex, '<'))
        return NULL;
    TRY(mlir_lex_integer(&p->lex, &q->storage_min));
    TRY(mlir_lex_expect(&p->lex, ':'));
    TRY(mlir_lex_integer(&p->lex, &q->storage_max));
    return mlir_lex_expect(&p->lex, '>');
}

/* !quant.uniform<i8<-127:127>:f32:1, {0.5:3, 0.25}> */
static struct error *read_quantized(struct mlir_parser *p, struct mlir_type *out)
{
    struct quantization *q = ARENA_NEW(p->arena, struct quantization);
    enum dtype storage;
    int64_t axis = -1;
    const struct mlir_type *expressed;
    mlir_lex_next(&p->lex);
    TRY(mlir_lex_expect(&p->lex, '<'));
    TRY(read_storage(p, q, &storage));
    TRY(mlir_lex_expect(&p->lex, ':'));
    TRY(mlir_text_type_read(p, &expressed));
    if (mlir_lex_accept(&p->lex, ':'))
        TRY(mlir_lex_integer(&p->lex, &axis));
    if (axis < -1 || axis >= SHAPE_MAX_RANK)
        return MLIR_LEX_ERROR(&p->lex,
                              "the quantized axis %lld is out of range; it must be in [0, %d)",
                              (long long)axis, SHAPE_MAX_RANK);
    q->axis = (int)axis;
    q->expressed = expressed->dtype;
    TRY(mlir_lex_expect(&p->lex, ','));
    TRY(read_scales(p, q));
    mlir_type_element(storage, "quant.uniform", out);
    out->quantization = q;
    return mlir_lex_expect(&p->lex, '>');
}

static struct error *read_dialect(struct mlir_parser *p, struct mlir_type *out)
{
    if (NAMED(p, "quant.uniform"))
        return read_quantized(p, out);
    if (NAMED(p, "stablehlo.future")) { /* a tuple of the results of an asynchronous operation */
        mlir_lex_next(&p->lex);
        TRY(mlir_lex_expect(&p->lex, '<'));
        TRY(read_until(p, '>', &out->inputs));
        return mlir_type_tuple(p->arena, out->inputs, out);
    }
    if (NAMED(p, "stablehlo.token") || NAMED(p, "mhlo.token")) {
        out->kind = MLIR_TYPE_VALUE;
        out->type = type_token(p->arena);
    }
    out->name = arena_string(p->arena, p->lex.word.data, p->lex.word.size);
    mlir_lex_next(&p->lex);
    return mlir_lex_is(&p->lex, '<') ? mlir_lex_skip_group(&p->lex) : NULL;
}

static struct error *read_word(struct mlir_parser *p, struct mlir_type *out)
{
    enum dtype dtype = dtype_of(p);
    bool none = NAMED(p, "none");
    if (dtype == DTYPE_INVALID && !none && !is_unsupported(p))
        return mlir_lex_expected(&p->lex, "a type");
    mlir_type_element(dtype, arena_string(p->arena, p->lex.word.data, p->lex.word.size), out);
    out->kind = none ? MLIR_TYPE_NONE : out->kind;
    mlir_lex_next(&p->lex);
    return mlir_lex_is(&p->lex, '<') ? mlir_lex_skip_group(&p->lex) : NULL;
}

struct error *mlir_text_type_read(struct mlir_parser *p, const struct mlir_type **out)
{
    struct mlir_type *type = ARENA_NEW(p->scratch, struct mlir_type);
    type->weight = 1;
    *out = type;
    p->weight++;
    if (p->lex.token == MLIR_TOKEN_BANG && mlir_text_alias_is(p))
        return mlir_text_alias_type(p, out);
    TRY(mlir_parser_enter(p));
    if (mlir_lex_is(&p->lex, '('))
        TRY(read_function(p, type));
    else if (p->lex.token == MLIR_TOKEN_BANG)
        TRY(read_dialect(p, type));
    else if (p->lex.token != MLIR_TOKEN_WORD)
        return mlir_lex_expected(&p->lex, "a type");
    else if (NAMED(p, "tensor") || (p->has_vectors && NAMED(p, "vector")))
        TRY(read_tensor(p, type));
    else if (NAMED(p, "complex"))
        TRY(read_complex(p, type));
    else if (mlir_lex_accept_word(&p->lex, "tuple")) {
        TRY(mlir_lex_expect(&p->lex, '<'));
        TRY(read_until(p, '>', &type->inputs));
        TRY(mlir_type_tuple(p->arena, type->inputs, type));
    } else
        TRY(read_word(p, type));
    p->depth--;
    return NULL;
}

struct error *mlir_text_type_value(struct mlir_parser *p, const struct type **out)
{
    const struct mlir_type *type;
    size_t offset = p->lex.start;
    TRY(mlir_text_type_read(p, &type));
    *out = type->type;
    if (type->type)
        return NULL;
    if (type->kind == MLIR_TYPE_ELEMENT && type->dtype != DTYPE_INVALID)
        return mlir_lex_error(&p->lex, PJRT_Error_Code_UNIMPLEMENTED, offset,
                              "values of type %s are unsupported; a scalar is tensor<%s>",
                              type->name, type->name);
    return mlir_lex_error(&p->lex, PJRT_Error_Code_UNIMPLEMENTED, offset,
                          "values of type %s are unsupported", type->name);
}

struct error *mlir_text_type_list(struct mlir_parser *p, int *count, const struct type ***out)
{
    VEC(const struct type *) types = {0};
    do {
        const struct type *type;
        TRY(mlir_text_type_value(p, &type));
        VEC_PUSH(p->arena, &types, type);
    } while (mlir_lex_accept(&p->lex, ','));
    *count = (int)types.count;
    *out = types.items;
    return NULL;
}

struct error *mlir_text_type_results(struct mlir_parser *p, int *count, const struct type ***out)
{
    *count = 0;
    *out = NULL;
    if (!mlir_lex_accept(&p->lex, '(')) {
        *count = 1;
        *out = ARENA_NEW(p->arena, const struct type *);
        return mlir_text_type_value(p, &(*out)[0]);
    }
    if (mlir_lex_accept(&p->lex, ')'))
        return NULL;
    TRY(mlir_text_type_list(p, count, out));
    return mlir_lex_expect(&p->lex, ')');
}
