#include "compiler/frontend/text/mlir_text_compound.h"

#include <string.h>

#include "compiler/frontend/text/mlir_text_alias.h"
#include "compiler/frontend/text/mlir_text_attr.h"
#include "compiler/frontend/text/mlir_text_mesh.h"
#include "compiler/frontend/text/mlir_text_sdy.h"

/* Reads "name = value, ..." up to '>'; `rename` (or NULL) maps names to fields of attrs.def. */
static struct error *read_pairs(struct mlir_parser *p, const char *const (*rename)[2],
                                struct mlir_attr_set *flat)
{
    while (!mlir_lex_is(&p->lex, '>')) {
        struct mlir_attr *value;
        struct string word = p->lex.word;
        if (p->lex.token != MLIR_TOKEN_WORD)
            return mlir_lex_expected(&p->lex, "a name");
        mlir_lex_next(&p->lex);
        TRY(mlir_lex_expect(&p->lex, '='));
        if (mlir_lex_is(&p->lex, '['))
            TRY(mlir_text_attr_list(p, &value));
        else
            TRY(mlir_text_attr_read(p, &value));
        const char *name = arena_string(p->arena, word.data, word.size);
        for (size_t i = 0; rename && rename[i][0]; i++)
            if (strcmp(rename[i][0], name) == 0)
                name = rename[i][1];
        mlir_text_attr_add_flat(p, flat, name, value);
        if (!mlir_lex_accept(&p->lex, ','))
            break;
    }
    return NULL;
}

static struct error *read_named(struct mlir_parser *p, const char *const (*rename)[2],
                                struct mlir_attr_set *flat)
{
    TRY(mlir_lex_expect(&p->lex, '<'));
    TRY(read_pairs(p, rename, flat));
    return mlir_lex_expect(&p->lex, '>');
}

static const char *const channel_names[][2] = {
    {"handle", "channel_id"}, {"type", "channel_type"}, {NULL, NULL}};

struct error *mlir_text_compound_algorithm(struct mlir_parser *p, struct mlir_attr_set *flat)
{
    return read_named(p, NULL, flat);
}

/* Reads the dimension numbers of an operand or the result: "[b, 0, 1, f]". */
static struct error *read_dimension_numbers(struct mlir_parser *p, const char letters[2],
                                            const char *const names[3], struct mlir_attr_set *flat)
{
    int64_t lettered[2] = {-1, -1}, *spatial = ARENA_ARRAY(p->arena, int64_t, SHAPE_MAX_RANK),
            count = 0, value;
    TRY(mlir_lex_expect(&p->lex, '['));
    for (int64_t i = 0; !mlir_lex_is(&p->lex, ']'); i++) {
        if (i > 0)
            TRY(mlir_lex_expect(&p->lex, ','));
        struct string word = p->lex.word;
        if (p->lex.token == MLIR_TOKEN_WORD && word.size == 1 &&
            (word.data[0] == letters[0] || word.data[0] == letters[1])) {
            lettered[word.data[0] == letters[1]] = i;
            mlir_lex_next(&p->lex);
            continue;
        }
        size_t offset = p->lex.start;
        TRY(mlir_lex_integer(&p->lex, &value));
        if (value < 0 || value >= SHAPE_MAX_RANK)
            return mlir_lex_error(
                &p->lex, PJRT_Error_Code_INVALID_ARGUMENT, offset,
                "the spatial dimension %lld is out of range; it must be in [0, %d)",
                (long long)value, SHAPE_MAX_RANK);
        spatial[value] = i;
        count = value >= count ? value + 1 : count;
    }
    mlir_lex_next(&p->lex);
    mlir_text_attr_add_flat(p, flat, names[0], mlir_text_attr_int(p, lettered[0]));
    mlir_text_attr_add_flat(p, flat, names[1], mlir_text_attr_int(p, lettered[1]));
    mlir_text_attr_add_flat(p, flat, names[2], mlir_text_attr_ints(p, count, spatial));
    return NULL;
}

struct error *mlir_text_compound_conv(struct mlir_parser *p, struct mlir_attr_set *flat)
{
    static const char *const input[] = {"input_batch_dimension", "input_feature_dimension",
                                        "input_spatial_dimensions"};
    static const char *const kernel[] = {"kernel_input_feature_dimension",
                                         "kernel_output_feature_dimension",
                                         "kernel_spatial_dimensions"};
    static const char *const output[] = {"output_batch_dimension", "output_feature_dimension",
                                         "output_spatial_dimensions"};
    TRY(read_dimension_numbers(p, "bf", input, flat));
    TRY(mlir_lex_expect_word(&p->lex, "x"));
    TRY(read_dimension_numbers(p, "io", kernel, flat));
    TRY(mlir_lex_expect_arrow(&p->lex));
    return read_dimension_numbers(p, "bf", output, flat);
}

static struct error *read_alias(struct mlir_parser *p, struct mlir_attr **out)
{
    struct mlir_attr_set parts = {0};
    const struct dims *dims;
    TRY(read_named(p, NULL, &parts));
    *out = mlir_text_attr_make(p, MLIR_ALIAS, "an alias");
    struct mlir_attr *output = mlir_text_attr_find(&parts, "output_tuple_indices");
    struct mlir_attr *index = mlir_text_attr_find(&parts, "operand_index");
    struct mlir_attr *operand = mlir_text_attr_find(&parts, "operand_tuple_indices");
    if (output && output->kind == MLIR_LITERAL) {
        TRY(mlir_attr_ints(p->arena, output, &dims));
        (*out)->alias.output_tuple_indices = *dims;
    }
    if (operand && operand->kind == MLIR_LITERAL) {
        TRY(mlir_attr_ints(p->arena, operand, &dims));
        (*out)->alias.operand_tuple_indices = *dims;
    }
    (*out)->alias.operand_index = index && index->kind == MLIR_INTEGER ? index->integer : 0;
    return NULL;
}

/* "<[b, 0, 1, f]x..." or "<raw input_batch_dimension = 0, ...", up to the '>'. */
static struct error *read_conv(struct mlir_parser *p, struct mlir_attr_set *flat)
{
    mlir_lex_next(&p->lex);
    if (!mlir_lex_accept_word(&p->lex, "raw"))
        return mlir_text_compound_conv(p, flat);
    return read_pairs(p, NULL, flat);
}

struct error *mlir_text_compound_read(struct mlir_parser *p, struct mlir_attr **out)
{
    static const char *const named[] = {"stablehlo.dot", "stablehlo.gather", "stablehlo.scatter",
                                        "stablehlo.dot_algorithm"};
    struct mlir_attr_set flat = {0};
    char kind[64] = "";
    if (p->lex.word.size < sizeof kind)
        memcpy(kind, p->lex.word.data, p->lex.word.size);
    if (mlir_text_alias_is(p))
        return mlir_text_alias_attr(p, out);
    size_t begin = p->lex.start;
    mlir_lex_next(&p->lex);
    bool group = mlir_lex_is(&p->lex, '<');
    if (group && (strcmp(kind, "stablehlo") == 0 || strcmp(kind, "chlo") == 0))
        return mlir_text_attr_enumeration(p, out);
    if (group && (strcmp(kind, "sdy") == 0 || strncmp(kind, "sdy.", 4) == 0))
        return mlir_text_sdy_attr(p, kind[3] ? kind + 4 : kind + 3, out);
    if (group && mlir_text_mesh_is(kind))
        return mlir_text_mesh_read(p, kind, out);
    if (group && strcmp(kind, "stablehlo.output_operand_alias") == 0)
        return read_alias(p, out);
    for (size_t i = 0; group && i < sizeof named / sizeof *named; i++)
        if (strcmp(kind, named[i]) == 0) {
            TRY(read_named(p, NULL, &flat));
            *out = mlir_text_attr_as_flat(p, &flat);
            return NULL;
        }
    if (group && strcmp(kind, "stablehlo.channel_handle") == 0) {
        TRY(read_named(p, channel_names, &flat));
        *out = mlir_text_attr_as_flat(p, &flat);
        return NULL;
    }
    if (group && strcmp(kind, "stablehlo.conv") == 0) {
        TRY(read_conv(p, &flat));
        *out = mlir_text_attr_as_flat(p, &flat);
        return mlir_lex_expect(&p->lex, '>');
    }
    *out = mlir_text_attr_make(p, MLIR_OTHER, arena_format(p->arena, "#%s", kind));
    return mlir_text_attr_rest(p, begin, *out);
}
